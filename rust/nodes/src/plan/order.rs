//! In which order the modifiers of a rig have to run.
//!
//! A modifier depends on another one if that one moves the bones above its own, or the bones that
//! carry its target. It has to run after that one. Two modifiers that turn the same bone do not
//! depend on each other for that reason alone, and neither do two modifiers whose bones carry each
//! other. A spring is an exception: its goal is the pose of its bones, so it has to run after every
//! other modifier that turns one of them.

use tendon_solver::Modifier;
use tendon_solver::glam::Affine2;

use crate::plan::Plan;
use crate::plan::class::{Mention, PlannedNodes};
use crate::plan::locate::Gather;
use crate::plan::modifier::PlannedModifier;
use crate::warnings::problem::Problem;

/// The order in which each of `count` modifiers comes after those that it depends on, as near to
/// the present order as possible. `depends(one, other)` says whether `one` depends on `other`.
/// Modifiers that depend on each other in a circle stay in their order.
pub fn sorted(count: usize, depends: impl Fn(usize, usize) -> bool) -> Vec<usize> {
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
pub fn depends(
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
    pub fn working_order(&self) -> Vec<usize> {
        let needs: Vec<_> = self.pairs().map(|pair| self.needs(pair)).collect();
        let moves: Vec<_> = self.pairs().map(moves).collect();
        let following: Vec<_> = self.pairs().map(follows_the_pose).collect();
        let is_carried = |one: usize, other: usize| {
            let carries = |&moved, need| self.rig.carries(Some(moved), Some(need));
            let mut needs = needs[one].iter();
            needs.any(|&need| moves[other].iter().any(|moved| carries(moved, need)))
        };
        let poses = |one: usize, other: usize| {
            let shares = moves[one].iter().any(|bone| moves[other].contains(bone));
            shares && following[other] && !following[one]
        };
        sorted(self.modifiers.len(), |one, other| {
            depends(one, other, is_carried, poses)
        })
    }

    /// Adds a problem to each modifier that runs before one on which it depends.
    pub(super) fn check_order(&mut self) {
        let order = self.working_order();
        if order.is_sorted() {
            return;
        }
        let nodes = order
            .iter()
            .filter_map(|&index| self.modifiers[index].node().alive());
        let names: Vec<_> = nodes
            .map(|node| format!("\"{}\"", node.get_name()))
            .collect();
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
    /// and those that carry what it reads.
    fn needs(&self, (planned, solver): (&PlannedModifier, Option<&Modifier>)) -> Vec<usize> {
        let (Some(nodes), Some(modifier)) = (planned.nodes(), solver) else {
            return Vec::new();
        };
        let from = Gather {
            skeleton: &self.skeleton,
            tracked: &self.bones,
            bones: &self.rig.bones,
            from_global: Affine2::IDENTITY,
        };
        let root = modifier.parts().joints().first();
        let mount = root.and_then(|&root| self.rig.bones[root].parent);
        let mount = mount.filter(|_| modifier.parts().depends_on_parent());
        let mentions = nodes.mentions();
        let inputs = mentions.iter().filter_map(Mention::input);
        let carriers = inputs.filter_map(|input| from.carrier(input, nodes.takes_directions()));
        mount.into_iter().chain(carriers).collect()
    }
}

/// The bones that a modifier moves itself.
fn moves((planned, modifier): (&PlannedModifier, Option<&Modifier>)) -> Vec<usize> {
    let joints = modifier
        .into_iter()
        .flat_map(|it| it.parts().joints().iter().copied());
    let besides = planned.nodes().and_then(PlannedNodes::turned_besides);
    joints.chain(besides).collect()
}

/// Whether a modifier starts from the pose that all others give, as a spring does.
fn follows_the_pose((_, modifier): (&PlannedModifier, Option<&Modifier>)) -> bool {
    modifier.is_some_and(|modifier| modifier.parts().follows_the_pose())
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
