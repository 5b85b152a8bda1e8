//! Modifiers that undo the work of others: for the same bones, or for some of them.

use std::any::TypeId;
use std::collections::HashMap;

use godot::prelude::*;
use tendon_solver::{Modifier, Solver};

use crate::plan::Plan;
use crate::plan::class::PlannedNodes;
use crate::plan::modifier::PlannedModifier;
use crate::warnings::problem::Problem;

/// A modifier that brings a tip to a target, as it is set now: one that is switched off, or blended in, is there
/// to take turns.
struct Work<'a> {
    index: usize,
    class: TypeId,
    solver: &'a Solver,
    joints: &'a [usize],
    target: Option<InstanceId>,
}

impl Plan {
    /// Adds a problem to each modifier whose bones another one turns again below it, to another target: all of
    /// them if it is of the same class, or some of those of a limb.
    pub(super) fn check_overlap(&mut self) {
        let pairs = self.pairs().enumerate();
        let works =
            pairs.filter_map(|(index, (planned, modifier))| Work::of(index, planned, modifier?));
        let works: Vec<_> = works.collect();
        let mut problems = Vec::new();
        // Those below by the joint that they begin at, the lowest first.
        let mut from: HashMap<usize, Vec<&Work<'_>>> = HashMap::new();
        for above in works.iter().rev() {
            let at = |joint: &usize| from.get(joint).into_iter().flatten().rev();
            let mut same = above.joints.first().into_iter().flat_map(at);
            let same = same.find(|below| below.replaces(above));
            let disturbing = above.joints.iter().filter_map(|joint| {
                let mut below = at(joint);
                below.find(|below| below.disturbs(above))
            });
            let problem = match same {
                Some(below) => Some(self.overridden(below)),
                None => disturbing
                    .min_by_key(|below| below.index)
                    .map(|below| self.partly_overridden(above, below)),
            };
            problems.extend(problem.map(|problem| (above.index, problem)));
            if let Some(&root) = above.joints.first() {
                from.entry(root).or_default().push(above);
            }
        }
        for (index, problem) in problems {
            self.modifiers[index].flaws.push(problem);
        }
    }

    fn overridden(&self, below: &Work<'_>) -> Problem {
        let other = self.name_of(below.index);
        Problem::Overridden { other }
    }

    fn partly_overridden(&self, above: &Work<'_>, below: &Work<'_>) -> Problem {
        let shared = above.joints.iter();
        let shared = shared.filter(|joint| below.joints.contains(joint));
        let bones = shared.filter_map(|&joint| self.bones.get(joint).node());
        let bones = bones.map(|bone| format!("\"{}\"", bone.get_name()));
        Problem::PartlyOverridden {
            other: self.name_of(below.index),
            bones: bones.collect::<Vec<_>>().join(", "),
        }
    }

    fn name_of(&self, modifier: usize) -> String {
        let node = self.modifiers[modifier].node().alive();
        node.map_or_else(String::new, |node| node.get_name().to_string())
    }
}

impl<'a> Work<'a> {
    fn of(index: usize, planned: &PlannedModifier, modifier: &'a Modifier) -> Option<Self> {
        let parts = modifier.parts();
        if !modifier.active || modifier.influence < 1.0 || !parts.reaches() {
            return None;
        }
        let target = planned.nodes().and_then(PlannedNodes::target);
        let target = target.and_then(|target| target.node_reference()?.input());
        let target = target.map(|input| input.node.id());
        Some(Self {
            index,
            class: planned.class(),
            solver: &modifier.solver,
            joints: parts.joints(),
            target,
        })
    }

    /// Returns `true` if only its result is seen, and not that of `above`.
    fn replaces(&self, above: &Self) -> bool {
        self.class == above.class && self.joints == above.joints
    }

    /// Returns `true` if both are limbs with different targets: it then takes the tip of `above`, at one of whose bones
    /// it begins, from its target. One that begins higher up is a matter of the order. A head at the end of a spine may
    /// look elsewhere.
    fn disturbs(&self, above: &Self) -> bool {
        let are_limbs = [self, above].iter().all(|work| work.is_limb());
        are_limbs && self.target != above.target
    }

    fn is_limb(&self) -> bool {
        matches!(self.solver, Solver::TwoBone(_) | Solver::ChainIk(_))
    }
}
