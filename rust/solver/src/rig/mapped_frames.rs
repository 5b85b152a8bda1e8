//! Where a mapping may put its bone: for those who draw it.

use glam::{Affine2, Vec2};

use crate::rig::Rig;
use crate::rig::kept::Kept;
use crate::rig::solver::Solver;
use crate::rig::workspace::Workspace;

impl Rig {
    /// The frame of the bone of a mapping, in skeleton space, for each value that its source may be
    /// mapped to, as the modifiers above leave the pose in the last pass. Nothing for other
    /// modifiers, and for values that cannot be.
    ///
    /// # Panics
    /// When there is no such modifier.
    pub fn mapped_frames(&self, modifier: usize, values: &[f32]) -> Vec<Affine2> {
        if !matches!(self.modifiers[modifier].solver, Solver::CopyTransform(_)) {
            return Vec::new();
        }
        let mut rig = self.clone();
        let mut workspace = Workspace::default();
        rig.begin();
        for above in 0..modifier {
            rig.apply(above, &mut workspace);
        }
        let pose = rig.pose.clone();
        rig.modifiers[modifier].influence = 1.0;
        let mut frame = |&value: &f32| {
            rig.pose.clone_from(&pose);
            let Solver::CopyTransform(copy) = &mut rig.modifiers[modifier].solver else {
                return None;
            };
            copy.memory = Kept::default();
            copy.settings.bone_range = Vec2::splat(value);
            copy.settings.clamp = false;
            let bone = copy.bone;
            rig.apply(modifier, &mut workspace);
            Some(rig.pose.frame(Some(bone)))
        };
        let frames = values.iter().filter_map(&mut frame);
        frames.filter(Affine2::is_finite).collect()
    }
}
