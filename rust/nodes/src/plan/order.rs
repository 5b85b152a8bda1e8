//! In which order the modifiers of a rig have to run.
//!
//! A modifier depends on another one if that one moves the bones above its own, or the bones that
//! carry its target. It has to run after that one. Two modifiers that turn the same bone do not
//! depend on each other for that reason alone, and neither do two modifiers whose bones carry each
//! other. A spring is an exception: its goal is the pose of its bones, so it has to run after every
//! other modifier that turns one of them. So has a ragdoll, but for those that have to run after it anyway: hands on a
//! gun that a spring kicks hold it while the body falls. What has let go of its target has no say until it has one.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use godot::classes::Bone2D;
use godot::prelude::*;
use tendon_solver::Modifier;
use tendon_solver::glam::Affine2;

use crate::engine::children::children_of;
use crate::engine::skeleton::skeleton_of_bone;
use crate::engine::threads::with_ancestors;
use crate::plan::Plan;
use crate::plan::class::PlannedNodes;
use crate::plan::locate::{Gather, line_up};
use crate::plan::modifier::PlannedModifier;
use crate::plan::node_reference::NodeReference;
use crate::warnings::problem::Problem;

/// The order in which each modifier comes after those that it depends on, which `above` lists for each, as
/// near to the present order as possible. Modifiers that depend on each other in a circle stay in their order.
fn sorted(above: &[Vec<usize>]) -> Vec<usize> {
    let mut waits_for: Vec<usize> = above.iter().map(Vec::len).collect();
    let mut below = vec![Vec::new(); above.len()];
    for (one, others) in above.iter().enumerate() {
        others.iter().for_each(|&other| below[other].push(one));
    }
    let free = (0..above.len()).filter(|&one| waits_for[one] == 0);
    let mut free: BinaryHeap<_> = free.map(Reverse).collect();
    let mut is_placed = vec![false; above.len()];
    let mut first_left = 0;
    let mut order = Vec::with_capacity(above.len());
    while order.len() < above.len() {
        while is_placed[first_left] {
            first_left += 1;
        }
        // In a circle none is free.
        let next = free.pop().map_or(first_left, |Reverse(next)| next);
        if std::mem::replace(&mut is_placed[next], true) {
            continue;
        }
        order.push(next);
        for &one in &below[next] {
            waits_for[one] -= 1;
            if waits_for[one] == 0 {
                free.push(Reverse(one));
            }
        }
    }
    order
}

/// The relations between the modifiers of a plan, by their indices in it.
struct Relations {
    /// For each, those that move the bones above its own, or its target, sorted.
    carriers: Vec<Vec<usize>>,
    /// For each that starts from the pose of its bones, those that turn one of them, sorted.
    sharers: Vec<Vec<usize>>,
    /// `true` for each that starts from the pose that all others give.
    following: Vec<bool>,
}

impl Relations {
    /// For each, the modifiers that it has to run after, sorted. A modifier has to run after those that carry it,
    /// unless it carries them, too. One that starts from the pose of its bones has to run after all that turn one of
    /// them, and those do not come after it, unless what carries them does.
    fn dependencies(&self) -> Vec<Vec<usize>> {
        let all = 0..self.carriers.len();
        let mut found: Vec<_> = all.clone().map(|one| self.carriers_of(one)).collect();
        for one in all.filter(|&one| self.following[one]) {
            let sharers = self.sharers[one].iter().copied();
            let mut posing: Vec<_> = sharers
                .filter(|&other| other != one && !self.following[other])
                .collect();
            if !posing.is_empty() {
                let later = all_after(one, &found);
                posing.retain(|&other| !later[other]);
                found[one].extend(posing);
                found[one].sort_unstable();
                found[one].dedup();
            }
        }
        found
    }

    fn carriers_of(&self, one: usize) -> Vec<usize> {
        let carries_back = |other: usize| self.carriers[other].binary_search(&one).is_ok();
        let is_posed_by = |other: usize| {
            self.following[other]
                && !self.following[one]
                && self.sharers[other].binary_search(&one).is_ok()
        };
        let carriers = self.carriers[one].iter().copied();
        let is_above = |&other: &usize| other != one && !carries_back(other) && !is_posed_by(other);
        carriers.filter(is_above).collect()
    }
}

/// For each, `true` if it has to run after `one`, directly or through others. `above` lists the modifiers that each has
/// to run after.
fn all_after(one: usize, above: &[Vec<usize>]) -> Vec<bool> {
    let mut below = vec![Vec::new(); above.len()];
    for (other, above) in above.iter().enumerate() {
        above.iter().for_each(|&carrier| below[carrier].push(other));
    }
    let mut is_after = vec![false; above.len()];
    let mut left = below[one].clone();
    while let Some(next) = left.pop() {
        if !std::mem::replace(&mut is_after[next], true) {
            left.extend(&below[next]);
        }
    }
    is_after
}

/// More names than these do not help to find a place.
const MOST_NAMES: usize = 12;

impl Plan {
    /// The order in which the modifiers have to run, by their present indices.
    pub(crate) fn working_order(&self) -> Vec<usize> {
        sorted(&self.relations().dependencies())
    }

    fn relations(&self) -> Relations {
        let moves: Vec<_> = self.pairs().map(moves).collect();
        let mut movers = vec![Vec::new(); self.rig.bones.len()];
        for (index, moved) in moves.iter().enumerate() {
            moved.iter().for_each(|&bone| movers[bone].push(index));
        }
        let carriers = self.pairs().map(|pair| {
            let needs = self.needs(pair);
            let mut line: Vec<_> = needs
                .into_iter()
                .flat_map(|need| line_up(&self.rig.bones, Some(need)))
                .collect();
            line.sort_unstable();
            line.dedup();
            all_of(line.iter().flat_map(|&bone| &movers[bone]))
        });
        let following: Vec<_> = self.pairs().map(follows_the_pose).collect();
        let sharers = moves.iter().zip(&following).map(|(moved, &follows)| {
            let moved = moved.iter().filter(|_| follows);
            all_of(moved.flat_map(|&bone| &movers[bone]))
        });
        Relations {
            carriers: carriers.collect(),
            sharers: sharers.collect(),
            following,
        }
    }

    /// Adds a problem to the first modifier that runs before one on which it depends: one for the whole order.
    pub(super) fn check_order(&mut self) {
        let order = self.working_order();
        if order.is_sorted() {
            return;
        }
        let named = order.iter().take(MOST_NAMES);
        let nodes = named.filter_map(|&index| self.modifiers[index].node().alive());
        let names: Vec<_> = nodes
            .map(|node| format!("\"{}\"", node.get_name()))
            .collect();
        let mut names = names.join(", ");
        if order.len() > MOST_NAMES {
            names += &format!(", and {} more", order.len() - MOST_NAMES);
        }
        // One that is lower now comes before it.
        let misplaced = order.windows(2).filter(|pair| pair[1] < pair[0]);
        if let Some(first) = misplaced.map(|pair| pair[1]).min() {
            let problem = Problem::OutOfOrder { order: names };
            self.modifiers[first].flaws.push(problem);
        }
    }

    /// Adds a problem to each modifier that reads what another rig moves later in the frame.
    pub(super) fn check_other_rigs(&mut self) {
        let Some(rig) = self.rig_node.alive().cloned() else {
            return;
        };
        for planned in &mut self.modifiers {
            let references = planned
                .nodes()
                .map_or_else(Vec::new, PlannedNodes::node_references);
            let inputs = references.iter().filter_map(NodeReference::input);
            let late = inputs.filter_map(|input| {
                let node = input.node_outside()?;
                let other = rig_that_carries(node)?;
                runs_before(&rig, &other).then(|| Problem::LaterRig {
                    node: node.get_name().to_string(),
                    rig: other.get_name().to_string(),
                })
            });
            let late: Vec<_> = late.collect();
            planned.flaws.extend(late);
        }
    }

    /// The bones on which a modifier depends but which it does not turn: the one above its root,
    /// and those that carry what it reads.
    fn needs(&self, (planned, solver): (&PlannedModifier, Option<&Modifier>)) -> Vec<usize> {
        let (Some(nodes), Some(modifier)) = (planned.nodes(), solver) else {
            return Vec::new();
        };
        if planned.lacks_target() {
            return Vec::new();
        }
        let from = Gather {
            skeleton: &self.skeleton,
            tracked: &self.bones,
            bones: &self.rig.bones,
            from_global: Affine2::IDENTITY,
            place: None,
        };
        let root = modifier.parts().joints().first();
        let mount = root.and_then(|&root| self.rig.bones[root].parent);
        let mount = mount.filter(|_| modifier.parts().depends_on_parent());
        let references = nodes.node_references();
        let inputs = references.iter().filter_map(NodeReference::input);
        let carriers = inputs.filter_map(|input| from.carrier(input, nodes.takes_directions()));
        mount.into_iter().chain(carriers).collect()
    }
}

/// The rig that moves the bone of its skeleton on which `node` hangs, if it hangs on one.
fn rig_that_carries(node: &Gd<Node2D>) -> Option<Gd<Node>> {
    let node = node.clone().upcast();
    let bone = with_ancestors(&node).find_map(|it| it.try_cast::<Bone2D>().ok())?;
    let skeleton = skeleton_of_bone(&bone)?;
    children_of(&skeleton).find(|it| it.is_class("TendonRig2D") && it.get_child_count() > 0)
}

/// Returns `true` if `rig` runs before `other` in a frame.
fn runs_before(rig: &Gd<Node>, other: &Gd<Node>) -> bool {
    let turn = |of: &Gd<Node>| {
        let mode = of.get("callback_mode_process").to::<i64>();
        let priority = if mode == 0 {
            of.get_physics_process_priority()
        } else {
            of.get_process_priority()
        };
        // In a frame, physics come first, and what runs at its end last. Scripts run the others when they like.
        (mode != 2).then_some((mode, priority))
    };
    match (turn(rig), turn(other)) {
        (Some(own), Some(others)) if own == others => other.is_greater_than(rig),
        (Some(own), Some(others)) => own < others,
        _ => false,
    }
}

/// The bones that a modifier moves itself.
fn moves((planned, modifier): (&PlannedModifier, Option<&Modifier>)) -> Vec<usize> {
    let joints = modifier
        .into_iter()
        .filter(|_| !planned.lacks_target())
        .flat_map(|it| it.parts().joints().iter().copied());
    let besides = planned.nodes().and_then(PlannedNodes::turned_besides);
    joints.chain(besides).collect()
}

/// Returns `true` if the modifier starts from the pose that all others give, as a spring does.
fn follows_the_pose((_, modifier): (&PlannedModifier, Option<&Modifier>)) -> bool {
    modifier.is_some_and(|modifier| modifier.parts().follows_the_pose())
}

/// Indices, each once and sorted.
fn all_of<'a>(indices: impl Iterator<Item = &'a usize>) -> Vec<usize> {
    let mut all: Vec<_> = indices.copied().collect();
    all.sort_unstable();
    all.dedup();
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_depends_on_another_comes_after_it() {
        assert_eq!(sorted(&[vec![2], vec![0], vec![], vec![]]), [2, 0, 1, 3]);
    }

    #[test]
    fn an_order_that_works_stays() {
        assert_eq!(sorted(&[vec![], vec![], vec![0]]), [0, 1, 2]);
    }

    #[test]
    fn what_turns_bones_of_a_spring_comes_before_it_although_they_carry_it() {
        // 0 is a spring, whose bones 1 and 2 turn, too. They carry the bones of 1.
        let relations = Relations {
            carriers: vec![vec![], vec![0], vec![]],
            sharers: vec![vec![0, 1, 2], vec![], vec![]],
            following: vec![true, false, false],
        };
        assert_eq!(sorted(&relations.dependencies()), [1, 2, 0]);
    }

    #[test]
    fn what_reaches_for_a_bone_of_a_spring_comes_after_a_ragdoll_that_it_would_pose() {
        // 0 is an arm that holds a gun, 1 a ragdoll of all bones, 2 the spring of the gun, 3 a look-at.
        let relations = Relations {
            carriers: vec![vec![1, 2], vec![], vec![1], vec![1]],
            sharers: vec![vec![], vec![0, 1, 2, 3], vec![1, 2], vec![]],
            following: vec![false, true, true, false],
        };
        assert_eq!(sorted(&relations.dependencies()), [3, 1, 2, 0]);
    }

    #[test]
    fn a_circle_stays_in_its_order() {
        assert_eq!(sorted(&[vec![1], vec![2], vec![0], vec![]]), [3, 0, 2, 1]);
    }

    #[test]
    fn thousands_are_sorted_at_once() {
        let above: Vec<_> = (0..5000).map(|one| (one + 1..5000).collect()).collect();
        let order = sorted(&above);
        assert!(order.iter().rev().eq(&(0..5000).collect::<Vec<_>>()));
    }
}
