//! Saves and restores what the next pass goes on from: see [`tendon_solver::Snapshot`]. Also sets what
//! the first pass begins from, if something else has moved the bones before it.

use godot::prelude::*;
use tendon_solver::{Snapshot, Unfit};

use crate::plan::Plan;
use crate::plan::result::StatusChange;

/// The state that the next pass over `plan` goes on from. `None` if a bone was freed.
pub(crate) fn save(plan: &Plan) -> Option<Snapshot> {
    Some(Snapshot::of(&plan.rig, plan.bones.save()?))
}

/// Makes the modifiers of the next pass over `plan` begin from these rotations, which are by the instance
/// IDs of bones. Bones without one begin from their base pose.
pub(crate) fn begin_from(plan: &mut Plan, rotation_of: &VarDictionary) {
    let rotations = plan.bones.iter().map(|bone| {
        let rotation = rotation_of.get(bone.id().to_i64());
        let rotation = rotation.and_then(|value| value.try_to().ok());
        rotation.unwrap_or(f32::NAN)
    });
    let rotations = rotations.collect();
    plan.rig.begin_from(rotations);
    plan.solve_again();
}

impl Plan {
    /// Reads the nodes as they are now. Returns whether anything has changed since the last pass; `None` if the
    /// next one needs another plan.
    pub(crate) fn look(&mut self) -> Option<bool> {
        let has_changed = self.gather(self.influence).ok()?;
        (!self.may_recover_unnoticed).then_some(has_changed)
    }

    /// Makes the next pass go on from `snapshot`, and adds the modifiers whose status changes by that to
    /// `changes`. `is_new` is a plan that has not solved yet. If the rig does not show what it solves, the
    /// bones get their base pose, and the modifiers stay idle until it does.
    ///
    /// # Errors
    /// Why it cannot, in words. Nothing has changed then.
    pub(crate) fn resume(
        &mut self,
        snapshot: Snapshot,
        is_new: bool,
        shows: bool,
        changes: &mut Vec<(Gd<Node>, StatusChange)>,
    ) -> Result<(), String> {
        let unfit = |cause: Unfit| cause.to_string();
        snapshot.check(&self.rig).map_err(unfit)?;
        self.bones.check(&snapshot.bones)?;
        self.bones.load(&snapshot.bones, shows);
        // The pass that the rig still holds is not the one before the next.
        self.to_global_when_solved = None;
        // What is read now was there when the state was saved. If nothing changes until the next
        // pass, it has nothing to solve, as then.
        let is_stale = self.gather(self.influence).is_err();
        if is_stale || is_new || !shows {
            self.solve_again();
        }
        snapshot.restore(&mut self.rig);
        if shows && !is_stale {
            self.show_outcome(changes);
        }
        Ok(())
    }

    /// The modifiers have come to what the state says, and not to what has happened since.
    fn show_outcome(&mut self, changes: &mut Vec<(Gd<Node>, StatusChange)>) {
        let Plan { bones, rig, .. } = &mut *self;
        let held: Option<Vec<_>> = bones.iter().map(|bone| bone.poses()).collect();
        // A script may have freed one meanwhile.
        if let Some(held) = held {
            rig.take_shown_pose(|bone| {
                let (held, _) = held[bone];
                (held.rotation, held.position, held.scale)
            });
            self.publish(changes);
        }
    }
}
