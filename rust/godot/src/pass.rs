//! One pass over a skeleton: gather, solve, scatter.
//!
//! *Gather* reads every bone of the plan and every target once. *Solve* runs on that plain data,
//! without an engine call ([`tendon_solver::Rig`]). *Scatter* writes each bone whose rotation or
//! position has changed, once. Nothing global is read between writes: that would make the engine
//! compute every transform again for each.
//!
//! Any engine call may run a user's script, which may free what the plan names. Every node is
//! therefore checked before each use. A node that is gone makes the plan stale.
//!
//! | file | what is in it |
//! |---|---|
//! | [`gather`] | reads bones, limits and the settings of modifiers |
//! | [`locate`] | where targets, poles and tips are |
//! | [`effectors`], [`obstacles`] | the same for effectors and obstacles |
//! | [`publish`] | hands the nodes their results |
//! | [`capture`] | the last pass as text |

mod capture;
mod effectors;
mod gather;
mod locate;
mod obstacles;
mod publish;

use crate::plan::modifier::ModifierNode;
use crate::plan::result::Change;
use crate::plan::{Plan, Stale};

impl Plan {
    /// Gathers, and if anything has changed since the last pass, solves, scatters and publishes.
    /// Adds the modifiers whose status has changed to `changes`.
    ///
    /// # Errors
    /// [`Stale`] when a node is gone, or no longer where the plan has it.
    pub(crate) fn run(
        &mut self,
        influence: f32,
        changes: &mut Vec<(ModifierNode, Change)>,
    ) -> Result<(), Stale> {
        match self.gather(influence) {
            Ok(false) => Ok(()),
            Ok(true) => {
                self.set_starts();
                self.rig.solve();
                self.solved_in = self.to_global;
                self.bones.write(&self.rig);
                self.publish(changes);
                Ok(())
            }
            Err(stale) => {
                // What was read before the plan proved stale counts as changed the next time.
                self.to_global = None;
                self.solved_in = None;
                Err(stale)
            }
        }
    }

    /// Gathers, and shows the base pose as the solution: for the editor's gizmos of a rig that does
    /// not move its bones.
    ///
    /// # Errors
    /// As [`run`](Self::run).
    pub(crate) fn run_without_solving(&mut self, influence: f32) -> Result<(), Stale> {
        if let Err(stale) = self.gather(influence) {
            self.to_global = None;
            return Err(stale);
        }
        self.rig.take_base_pose();
        // Everything counts as changed in the next pass that solves.
        self.influence = f32::NAN;
        Ok(())
    }

    /// Has the modifiers that continue from their last solution start there. Not while gathering:
    /// if nothing has changed, the rig stays as it was solved.
    fn set_starts(&mut self) {
        for modifier in &self.modifiers {
            if let Ok(solvable) = &modifier.solvable {
                let solver = &mut self.rig.modifiers[solvable.index];
                solver.start.clear();
                if !modifier.settings.solver.from_base_pose {
                    solver.start.extend_from_slice(&solver.solved);
                }
            }
        }
    }

    /// Puts the base poses back. In the editor also the last bits that the engine has changed: the
    /// scene may be saved.
    pub(crate) fn restore(&mut self) {
        let has_passed = self.to_global.take().is_some();
        if self.in_editor && has_passed {
            self.bones.restore_last_bits(&self.rig.bones);
        } else {
            self.bones.restore();
        }
    }
}
