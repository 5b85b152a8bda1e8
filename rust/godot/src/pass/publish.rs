//! Hands the nodes the results of a pass.

use godot::prelude::*;
use tendon_solver::glam::Affine2;

use crate::engine::space::{frame_of, to_godot};
use crate::plan::Plan;
use crate::plan::effector::PlannedEffector;
use crate::plan::result::{Change, PassResult};

impl Plan {
    /// Hands each modifier its report. Adds the modifiers whose status has changed to `changes`.
    pub(super) fn publish(&mut self, changes: &mut Vec<(Gd<Node>, Change)>) {
        let to_global = self.to_global.map_or(Affine2::IDENTITY, frame_of);
        for modifier in &self.modifiers {
            let change = modifier.update(|result| match &modifier.solvable {
                Ok(solvable) => {
                    let solved = &self.rig.modifiers[solvable.solver_index];
                    let mut report = solved.report;
                    // A tip that follows those of effectors has nothing to be measured against.
                    if solved.solver.reaches() && solvable.ends.target.is_none() {
                        report.distance = f32::INFINITY;
                    }
                    result.publish(&report, to_godot(to_global.transform_point2(report.tip)))
                }
                Err(_) => result.go_idle(),
            });
            self.publish_effectors(modifier, to_global);
            if let Some(change) = change.flatten() {
                changes.push((modifier.node.gd().clone(), change));
            }
        }
    }

    /// Sets every modifier to idle.
    pub(crate) fn go_idle(&mut self, changes: &mut Vec<(Gd<Node>, Change)>) {
        self.to_global = None;
        for modifier in &self.modifiers {
            let change = modifier.update(PassResult::go_idle);
            modifier.effectors.iter().for_each(PlannedEffector::go_idle);
            if let Some(change) = change.flatten() {
                changes.push((modifier.node.gd().clone(), change));
            }
        }
    }
}
