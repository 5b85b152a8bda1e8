//! One pass over the nodes of a plan: gather, solve, scatter. `nodes/rig/pass.rs` runs it when a rig is
//! due, and makes a new plan where this one is stale.
//!
//! *Gather* reads every bone of the plan and every target once. *Solve* runs on that plain data
//! ([`tendon_solver::Rig`]). Its only engine calls run the scripts of custom modifiers. *Scatter* writes each bone whose rotation,
//! position or scale has changed, once. Nothing global is read between writes: that would make the engine
//! compute every transform again for each.
//!
//! Any engine call may run a user's script, which may free what the plan names. Every node is
//! therefore checked before each use. A node that is gone makes the plan stale.
//!
//! | file | what is in it |
//! |---|---|
//! | [`gather`] | reads bones, limits and the settings of modifiers |
//! | [`locate`] | where targets, poles and tips are |
//! | [`effectors`], [`obstacles`], [`path`], [`mapping`] | where effectors, obstacles, paths and sources are |
//! | [`solve`] | solves modifier by modifier, and runs the scripts of custom modifiers |
//! | [`scatter`] | writes the bones that have changed |
//! | [`publish`] | hands the nodes their results |
//! | [`capture`] | the last pass as text |
//! | [`snapshot`] | what the next pass goes on from |

mod capture;
mod effectors;
mod gather;
mod locate;
mod mapping;
mod obstacles;
mod path;
mod publish;
mod scatter;
mod snapshot;
mod solve;

use std::cell::RefCell;

use godot::prelude::*;
use tendon_solver::Workspace;

use crate::engine::load_ahead::{load_rest, load_some};
use crate::plan::result::Change;
use crate::plan::{Plan, Stale};

thread_local! {
    /// What solves need besides the rigs. All rigs share it, so that it stays in the cache.
    static WORKSPACE: RefCell<Workspace> = RefCell::default();
}

impl Plan {
    /// Gathers, and if anything has changed since the last pass, or the pose has not come to rest,
    /// solves, scatters and publishes. `delta` is the time since the last pass in seconds. Adds the
    /// modifiers whose status has changed to `changes`.
    ///
    /// # Errors
    /// [`Stale`] when a node is gone, or no longer where the plan has it.
    pub(crate) fn run(
        &mut self,
        influence: f32,
        delta: f64,
        changes: &mut Vec<(Gd<Node>, Change)>,
    ) -> Result<(), Stale> {
        let gathered = self.gather(influence);
        load_some();
        let outcome = match gathered {
            Ok(false) if !self.rig.is_moving() => Ok(()),
            Ok(_) => {
                self.rig.delta = delta as f32;
                self.rig.go_on();
                self.solve();
                load_some();
                self.to_global_when_solved = self.to_global;
                self.scatter();
                self.publish(changes);
                Ok(())
            }
            Err(stale) => {
                // What was read before the plan proved stale counts as changed the next time.
                self.to_global = None;
                self.to_global_when_solved = None;
                Err(stale)
            }
        };
        load_rest();
        outcome
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
        self.solve_again();
        Ok(())
    }

    /// Resets what the modifiers remember of the last passes: the next one begins without memory.
    pub(crate) fn reset(&mut self) {
        self.rig.forget();
        self.solve_again();
    }

    /// Makes the next pass solve, even if nothing changes until then: no influence that it reads is
    /// this one.
    fn solve_again(&mut self) {
        self.influence = f32::NAN;
    }

    /// Restores the base poses: writes them into the bones that hold solved ones. In the editor also
    /// the last bits that the engine has changed: the scene may be saved.
    pub(crate) fn restore(&mut self) {
        let has_passed = self.to_global.take().is_some();
        if self.in_editor && has_passed {
            self.bones.restore_last_bits(&self.rig.bones);
        } else {
            self.bones.restore();
        }
    }
}
