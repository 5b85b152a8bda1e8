//! Writes the solved pose into the bones.

use crate::engine::load_ahead::load_some;
use crate::plan::Plan;

impl Plan {
    /// Writes each bone whose rotation, position or scale differs from the solved one, once. The
    /// engine's setters are called in
    /// [`TrackedBone::write`](crate::base_pose::tracked_bone::TrackedBone::write), which also
    /// remembers what was written.
    pub(super) fn scatter(&mut self) {
        let mut has_moved = false;
        for (index, bone) in self.bones.iter_mut().enumerate() {
            load_some();
            has_moved |= bone.write(&self.rig, index);
        }
        self.bones.set_moving(has_moved);
    }
}
