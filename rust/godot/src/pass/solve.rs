//! Solves modifier by modifier, and runs the scripts of custom modifiers in between. The
//! mathematics is in [`tendon_solver::Rig::apply`].
//!
//! The pass stops before each modifier that has a script. For that time the solver's rig is lent to
//! the modifier's node ([`LentPose`]), whose functions the script calls. Nothing is borrowed
//! meanwhile: the script may free its bones, its node or the rig, or call the rig. It gets the rig
//! back as it was, and the pass goes on with the plan that it has.

use godot::prelude::*;

use super::WORKSPACE;
use crate::plan::Plan;
use crate::plan::script::LentPose;

impl Plan {
    /// Solves modifier by modifier, and runs the scripts of those that have one. The workspace is
    /// not borrowed meanwhile: a script may run the pass of another rig.
    pub(super) fn solve(&mut self) {
        self.rig.begin();
        for index in 0..self.modifiers.len() {
            if let Ok(solvable) = &self.modifiers[index].solvable {
                let solver_index = solvable.solver_index;
                self.run_script(index, solver_index);
                WORKSPACE.with_borrow_mut(|workspace| self.rig.apply(solver_index, workspace));
            }
        }
        self.rig.finish();
    }

    /// Runs the script of a modifier, if it has one.
    fn run_script(&mut self, index: usize, solver_index: usize) {
        let modifier = &self.modifiers[index];
        let Some(script) = &modifier.script else {
            return;
        };
        if !self.rig.modifiers[solver_index].active || modifier.node.alive().is_none() {
            return;
        }
        let mut node = modifier.node.gd().clone();
        let (pose, method) = (script.pose.clone(), script.method.clone());
        let mut rig = std::mem::take(&mut self.rig);
        rig.begin_script(solver_index);
        let delta = f64::from(rig.delta).max(0.0);
        let lent = LentPose {
            rig,
            solver_index,
            bones: script.bones.clone(),
        };
        let outer = pose.lend(lent);
        // An error in the script is the script's: the engine has reported it.
        let _ = node.try_call(&method, &[delta.to_variant()]);
        if let Some(lent) = pose.take_back(outer) {
            self.rig = lent.rig;
        }
    }
}
