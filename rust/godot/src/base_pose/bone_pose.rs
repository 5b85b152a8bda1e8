//! The pose of one bone: the properties that a rig may write.

use tendon_solver::Bone;
use tendon_solver::glam::Vec2;

/// A rotation in radians, a position in the parent's frame, and the
/// scale of the bone's own axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct BonePose {
    pub(crate) rotation: f32,
    pub(crate) position: Vec2,
    pub(crate) scale: Vec2,
}

impl BonePose {
    pub(super) fn of(bone: &Bone) -> Self {
        Self {
            rotation: bone.rotation,
            position: bone.position,
            scale: bone.scale,
        }
    }
}
