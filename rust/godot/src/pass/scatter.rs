//! Writes the solved pose into the bones.

use crate::plan::Plan;

impl Plan {
    /// Writes each bone whose rotation, position or scale the solve has changed, once, and
    /// remembers what was written: see [`crate::base_pose::tracked_bone`].
    pub(super) fn scatter(&mut self) {
        self.bones.write(&self.rig);
    }
}
