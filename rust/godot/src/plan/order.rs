//! In which order the modifiers of a rig have to run.
//!
//! A modifier depends on another one if that one moves the bones above its own, or the bones that
//! carry its target. It has to run after that one. Two modifiers that turn the same bone do not
//! depend on each other for that reason alone, and neither do two modifiers whose bones carry each
//! other. A spring is an exception: its goal is the pose of its bones, so it has to run after every
//! other modifier that turns one of them.

use crate::plan::Plan;
use crate::plan::attachment::Attachment;
use crate::plan::planned_modifier::PlannedModifier;
use crate::warnings::problem::Problem;

/// The order in which each of `count` modifiers comes after those that it depends on, as near to
/// the present order as possible. `depends(one, other)` says whether `one` depends on `other`.
/// Modifiers that depend on each other in a circle stay in their order.
pub(crate) fn sorted(count: usize, depends: impl Fn(usize, usize) -> bool) -> Vec<usize> {
    let mut left: Vec<usize> = (0..count).collect();
    let mut order = Vec::with_capacity(count);
    while !left.is_empty() {
        let is_free = |&one: &usize| {
            left.iter()
                .all(|&other| one == other || !depends(one, other))
        };
        let next = left.iter().position(is_free).unwrap_or(0);
        order.push(left.remove(next));
    }
    order
}

/// Whether the modifier `one` has to run after `other`. `is_carried(one, other)` says whether
/// `other` moves the bones above those of `one`, or its target. `poses(one, other)` says whether
/// `other` is a spring, and `one` turns a bone of it.
pub(crate) fn depends(
    one: usize,
    other: usize,
    is_carried: impl Fn(usize, usize) -> bool,
    poses: impl Fn(usize, usize) -> bool,
) -> bool {
    let carries_only_one = is_carried(one, other) && !is_carried(other, one);
    poses(other, one) || carries_only_one && !poses(one, other)
}

impl Plan {
    /// The order in which the modifiers have to run, by their present indices.
    pub(crate) fn working_order(&self) -> Vec<usize> {
        let modifiers = self.modifiers.iter();
        let needs: Vec<_> = modifiers.map(|modifier| self.needs(modifier)).collect();
        let modifiers = self.modifiers.iter();
        let moves: Vec<_> = modifiers.map(|modifier| self.moves(modifier)).collect();
        let is_carried = |one: usize, other: usize| {
            let mut pairs = needs[one].iter().flat_map(|need| {
                let moved = moves[other].iter();
                moved.map(move |moved| (Some(*moved), Some(*need)))
            });
            pairs.any(|(moved, need)| self.rig.carries(moved, need))
        };
        let poses = |one: usize, other: usize| {
            let shares = moves[one].iter().any(|bone| moves[other].contains(bone));
            shares && self.moves_by_itself(other) && !self.moves_by_itself(one)
        };
        sorted(self.modifiers.len(), |one, other| {
            depends(one, other, is_carried, poses)
        })
    }

    /// Whether the modifier `index` moves by itself, as a spring does.
    fn moves_by_itself(&self, index: usize) -> bool {
        let solvable = self.modifiers[index].solvable.as_ref();
        solvable.is_ok_and(|solvable| {
            let modifier = &self.rig.modifiers[solvable.solver_index];
            modifier.solver.moves_by_itself()
        })
    }

    /// Adds a problem to each modifier that runs before one on which it depends.
    pub(super) fn check_order(&mut self) {
        let order = self.working_order();
        if order.is_sorted() {
            return;
        }
        let name = |&index: &usize| format!("\"{}\"", self.modifiers[index].node.gd().get_name());
        let names: Vec<_> = order.iter().map(name).collect();
        let names = names.join(", ");
        for (position, &index) in order.iter().enumerate() {
            if order[..position].iter().any(|&above| above > index) {
                let order = names.clone();
                let problem = Problem::OutOfOrder { order };
                self.modifiers[index].flaws.push(problem);
            }
        }
    }

    /// The bones on which a modifier depends but which it does not turn: the one above its root,
    /// and those that carry what it reaches for.
    fn needs(&self, modifier: &PlannedModifier) -> Vec<usize> {
        let Ok(solvable) = &modifier.solvable else {
            return Vec::new();
        };
        let root = self.rig.modifiers[solvable.solver_index].joints.first();
        let mount = root.and_then(|&root| self.rig.bones[root].parent);
        let solver = self.rig.modifiers[solvable.solver_index].solver;
        let mount = mount.filter(|_| solver.depends_on_parent());
        let inputs = modifier.input_nodes();
        let inputs = inputs.filter(|input| input.node.alive().is_some());
        let carriers = inputs.filter_map(|input| {
            let attachment = Attachment::find(input.node.gd(), self.skeleton.gd());
            let bone = attachment.bone.map(|bone| bone.instance_id());
            // A modifier that takes over a bone's rotation, or copies it, depends on that bone,
            // too.
            let needs_own = solvable.aligned.is_some() || solvable.source.is_some();
            let own = attachment.own.filter(|_| needs_own);
            self.bones.index_of(own.or(bone)?)
        });
        mount.into_iter().chain(carriers).collect()
    }

    /// The bones that a modifier moves itself.
    fn moves(&self, modifier: &PlannedModifier) -> Vec<usize> {
        let Ok(solvable) = &modifier.solvable else {
            return Vec::new();
        };
        let joints = self.rig.modifiers[solvable.solver_index]
            .joints
            .iter()
            .copied();
        joints.chain(solvable.aligned).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_depends_on_another_comes_after_it() {
        let depends = |one, other| matches!((one, other), (0, 2) | (1, 0));
        assert_eq!(sorted(4, depends), [2, 0, 1, 3]);
    }

    #[test]
    fn an_order_that_works_stays() {
        assert_eq!(sorted(3, |one, other| (one, other) == (2, 0)), [0, 1, 2]);
    }

    #[test]
    fn what_turns_bones_of_a_spring_comes_before_it_although_they_carry_it() {
        // 0 is a spring, whose bones 1 and 2 turn, too. They carry the bones of 1.
        let poses = |one, other| other == 0 && one != 0;
        let is_carried = |one, other| (one, other) == (1, 0);
        assert_eq!(
            sorted(3, |one, other| depends(one, other, is_carried, poses)),
            [1, 2, 0]
        );
    }

    #[test]
    fn a_circle_stays_in_its_order() {
        let depends = |one, other| matches!((one, other), (0, 1) | (1, 2) | (2, 0));
        assert_eq!(sorted(3, depends), [0, 2, 1]);
    }
}
