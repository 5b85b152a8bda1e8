//! Effectors: what a pass reads of them, and what it hands back.

use tendon_solver::Effector;
use tendon_solver::glam::Affine2;
use tendon_solver::math::interval::clamp01;

use crate::engine::space::to_godot;
use crate::plan::input::set_item;
use crate::plan::planned_modifier::PlannedModifier;
use crate::plan::{Plan, Stale};

impl Plan {
    /// Reads the effectors of a modifier. Returns whether that changes the solver's input.
    pub(super) fn gather_effectors(
        &mut self,
        index: usize,
        from_global: Affine2,
    ) -> Result<bool, Stale> {
        let mut changes = false;
        let mut count = 0;
        for number in 0..self.modifiers[index].effectors.len() {
            let planned = &self.modifiers[index];
            let effector = &planned.effectors[number];
            let weight = effector.read_weight().ok_or(Stale)?;
            let (Ok(solvable), Ok(ends)) = (&planned.solvable, &effector.ends) else {
                continue;
            };
            let target = self.locate_target(ends, solvable.solver_index, from_global)?;
            let (target, _) = target.ok_or(Stale)?;
            let effector = Effector {
                tip: self.locate_tip(ends)?,
                tip_bone: ends.tip_bone(),
                target,
                weight: clamp01(weight),
            };
            let effectors = &mut self.rig.modifiers[solvable.solver_index].effectors;
            changes |= set_item(effectors, count, effector);
            count += 1;
        }
        Ok(changes)
    }

    /// Hands each effector of a modifier its distance and the place of its tip.
    pub(super) fn publish_effectors(&self, modifier: &PlannedModifier, to_global: Affine2) {
        let solvable = modifier.solvable.as_ref();
        let solved = solvable.map(|solvable| &self.rig.modifiers[solvable.solver_index].effectors);
        let mut solved = solved.into_iter().flatten();
        for effector in &modifier.effectors {
            match effector.ends.as_ref().ok().and_then(|_| solved.next()) {
                Some(solved) => {
                    let tip = self.rig.locate(solved.tip_point());
                    let distance = tip.distance(self.rig.locate(solved.target));
                    effector.publish(distance, to_godot(to_global.transform_point2(tip)));
                }
                None => effector.go_idle(),
            }
        }
    }
}
