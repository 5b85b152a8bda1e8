//! Saves and restores what the next pass goes on from: see [`tendon_solver::Snapshot`]. Also sets what
//! the first pass begins from, if something else has moved the bones before it.

use godot::prelude::*;
use tendon_solver::{Snapshot, Unfit};

use crate::plan::Plan;

impl Plan {
    /// What the next pass goes on from. `None` if a bone was freed.
    pub(crate) fn snapshot(&self) -> Option<Snapshot> {
        Some(Snapshot::of(&self.rig, self.bones.save()?))
    }

    /// Makes the modifiers of the next pass begin from these rotations, which are by the instance IDs
    /// of bones. Bones without one begin from their base pose.
    pub(crate) fn begin_from(&mut self, rotation_of: &VarDictionary) {
        let bones = 0..self.rig.bones.len();
        let rotations = bones.map(|index| {
            let bone = self.bones.get(index).id().to_i64();
            let rotation = rotation_of.get(bone).and_then(|value| value.try_to().ok());
            rotation.unwrap_or(f32::NAN)
        });
        let rotations = rotations.collect();
        self.rig.begin_from(rotations);
        self.solve_again();
    }

    /// Makes the next pass go on from `snapshot`. `is_new` is a plan that has not solved yet.
    ///
    /// # Errors
    /// Why it cannot, in words. Nothing has changed then.
    pub(crate) fn resume(&mut self, snapshot: Snapshot, is_new: bool) -> Result<(), String> {
        let unfit = |cause: Unfit| cause.to_string();
        snapshot.check(&self.rig).map_err(unfit)?;
        if !self.bones.can_load(&snapshot.bones) {
            return Err("the state is that of a rig with more bones, or fewer".into());
        }
        self.bones.load(&snapshot.bones);
        // The pass that the rig still holds is not the one before the next.
        self.to_global_when_solved = None;
        // What is read now was there when the state was saved. If nothing changes until the next
        // pass, it has nothing to solve, as then.
        let is_stale = self.gather(self.influence).is_err();
        if is_stale || is_new {
            self.solve_again();
        }
        snapshot.restore(&mut self.rig);
        Ok(())
    }
}
