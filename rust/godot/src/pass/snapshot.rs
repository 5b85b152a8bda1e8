//! What the next pass goes on from, to be saved and restored: see [`tendon_solver::Snapshot`].

use tendon_solver::{Snapshot, Unfit};

use crate::plan::Plan;

impl Plan {
    /// What the next pass goes on from. `None` if a bone was freed.
    pub(crate) fn snapshot(&self) -> Option<Snapshot> {
        Some(Snapshot::of(&self.rig, self.bones.save()?))
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
        self.solved_in = None;
        // What is read now was there when the state was saved. If nothing changes until the next
        // pass, it has nothing to solve, as then.
        let is_stale = self.gather(self.influence).is_err();
        if is_stale || is_new {
            self.influence = f32::NAN;
        }
        snapshot.restore(&mut self.rig);
        Ok(())
    }
}
