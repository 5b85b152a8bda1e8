//! In which order modifiers have to stand.
//!
//! One whose bones are below those of another, or that reaches for something below them, has to run
//! after that one: it counts on where they are. Two that turn the same bone depend on each other
//! in no such way, nor do two that hang on one another's bones. But a spring takes the pose of its
//! bones for its goal, so it has to run after whatever else turns one of them.

use crate::plan::Plan;
use crate::plan::attachment::Attachment;
use crate::plan::planned_modifier::PlannedModifier;
use crate::plan::problem::Problem;

/// The order nearest to the present one in which `count` modifiers stand after those on which they
/// `depend`: `depends(one, other)`. Those that depend on one another in a circle stay in their
/// order.
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

/// Whether one modifier has to run after another. `hangs(one, other)` says whether one counts on
/// where bones are that the other moves, and `poses(one, other)` whether one turns a bone of the
/// other, which is a spring.
pub(crate) fn depends(
    one: usize,
    other: usize,
    hangs: impl Fn(usize, usize) -> bool,
    poses: impl Fn(usize, usize) -> bool,
) -> bool {
    poses(other, one) || hangs(one, other) && !hangs(other, one) && !poses(one, other)
}

impl Plan {
    /// The order of the modifiers that works, by their places now.
    pub(crate) fn working_order(&self) -> Vec<usize> {
        let modifiers = self.modifiers.iter();
        let needs: Vec<_> = modifiers.map(|modifier| self.needs(modifier)).collect();
        let modifiers = self.modifiers.iter();
        let moves: Vec<_> = modifiers.map(|modifier| self.moves(modifier)).collect();
        let hangs = |one: usize, other: usize| {
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
            depends(one, other, hangs, poses)
        })
    }

    /// Whether the modifier at `place` is a spring or the like.
    fn moves_by_itself(&self, place: usize) -> bool {
        let solvable = self.modifiers[place].solvable.as_ref();
        solvable.is_ok_and(|solvable| {
            let modifier = &self.rig.modifiers[solvable.index];
            modifier.solver.moves_by_itself()
        })
    }

    /// Finds fault with modifiers that run before others on which they depend.
    pub(super) fn check_order(&mut self) {
        let order = self.working_order();
        if order.is_sorted() {
            return;
        }
        let name = |&place: &usize| format!("\"{}\"", self.modifiers[place].node.gd().get_name());
        let names: Vec<_> = order.iter().map(name).collect();
        let names = names.join(", ");
        for (place, &modifier) in order.iter().enumerate() {
            if order[..place].iter().any(|&above| above > modifier) {
                let order = names.clone();
                let problem = Problem::OutOfOrder { order };
                self.modifiers[modifier].flaws.push(problem);
            }
        }
    }

    /// The bones on which a modifier depends but which it does not turn: the one above its root,
    /// and those that carry what it reaches for.
    fn needs(&self, modifier: &PlannedModifier) -> Vec<usize> {
        let Ok(solvable) = &modifier.solvable else {
            return Vec::new();
        };
        let root = self.rig.modifiers[solvable.index].joints.first();
        let mount = root.and_then(|&root| self.rig.bones[root].parent);
        let solver = self.rig.modifiers[solvable.index].solver;
        let mount = mount.filter(|_| solver.depends_on_parent());
        let inputs = modifier.input_nodes();
        let inputs = inputs.filter(|input| input.node.alive().is_some());
        let carriers = inputs.filter_map(|input| {
            let attachment = Attachment::find(input.node.gd(), self.skeleton.gd());
            let bone = attachment.bone.map(|bone| bone.instance_id());
            // What takes over a bone's rotation, or copies it, depends on that bone, too.
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
        let joints = self.rig.modifiers[solvable.index].joints.iter().copied();
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
    fn what_poses_a_spring_comes_before_it_though_it_hangs_on_it() {
        // 0 is a spring whose bones 1 and 2 turn; 1 hangs on them.
        let poses = |one, other| other == 0 && one != 0;
        let hangs = |one, other| (one, other) == (1, 0);
        assert_eq!(
            sorted(3, |one, other| depends(one, other, hangs, poses)),
            [1, 2, 0]
        );
    }

    #[test]
    fn a_circle_stays_in_its_order() {
        let depends = |one, other| matches!((one, other), (0, 1) | (1, 2) | (2, 0));
        assert_eq!(sorted(3, depends), [0, 2, 1]);
    }
}
