//! Where a mapping may put its bone, and what the modifiers above one leave: for those who draw it.

use glam::{Affine2, Vec2};

use crate::rig::Rig;
use crate::rig::kept::Kept;
use crate::rig::kind::line_of;
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
        let mut workspace = Workspace::default();
        let mut rig = self.up_to(modifier, &mut workspace);
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

    /// The joints and the tip of a modifier in skeleton space, as the modifiers above it leave them in
    /// the last pass.
    ///
    /// # Panics
    /// When there is no such modifier.
    pub fn line_before(&self, modifier: usize) -> Vec<Vec2> {
        let rig = self.up_to(modifier, &mut Workspace::default());
        let points = line_of(rig.modifiers[modifier].parts());
        points.map(|point| rig.pose.locate(point)).collect()
    }

    /// The rig in which the modifiers above one have been applied.
    fn up_to(&self, modifier: usize, workspace: &mut Workspace) -> Self {
        let mut rig = self.clone();
        rig.begin();
        for above in 0..modifier {
            rig.apply(above, workspace);
        }
        rig
    }
}
