//! Where a mapping may put its bone, and what the modifiers above one leave: for those who draw it.

use glam::{Affine2, Vec2};

use crate::rig::Rig;
use crate::rig::kept::Kept;
use crate::rig::kind::line_of;
use crate::rig::kind_list::Solver;
use crate::rig::shown::Shown;
use crate::rig::workspace::Workspace;

impl Shown<'_> {
    /// The frame of the bone of a mapping, in skeleton space, for each value that its source may be
    /// mapped to, as the modifiers above leave the pose in the last pass. Nothing for other
    /// modifiers, and for values that cannot be.
    pub fn mapped_frames(self, values: &[f32]) -> Vec<Affine2> {
        if !matches!(self.modifier().solver, Solver::CopyTransform(_)) {
            return Vec::new();
        }
        let mut workspace = Workspace::default();
        let mut rig = self.rig_above(&mut workspace);
        let pose = rig.pose.clone();
        rig.modifiers[self.index].influence = 1.0;
        let mut frame = |&value: &f32| {
            rig.pose.clone_from(&pose);
            let Solver::CopyTransform(copy) = &mut rig.modifiers[self.index].solver else {
                return None;
            };
            copy.memory = Kept::default();
            copy.settings.bone_range = Vec2::splat(value);
            copy.settings.clamp = false;
            let bone = copy.bone;
            rig.apply(self.index, &mut workspace);
            Some(rig.pose.frame(Some(bone)))
        };
        let frames = values.iter().filter_map(&mut frame);
        frames.filter(Affine2::is_finite).collect()
    }

    /// The joints and the tip of a modifier in skeleton space, as the modifiers above it leave them in
    /// the last pass.
    pub fn line_before(self) -> Vec<Vec2> {
        let rig = self.rig_above(&mut Workspace::default());
        let points = line_of(rig.modifiers[self.index].parts());
        points.map(|point| rig.pose.locate(point)).collect()
    }

    /// The rig in which the modifiers above this one have been applied.
    fn rig_above(self, workspace: &mut Workspace) -> Rig {
        let mut rig = self.rig.clone();
        rig.begin();
        for above in 0..self.index {
            rig.apply(above, workspace);
        }
        rig
    }
}
