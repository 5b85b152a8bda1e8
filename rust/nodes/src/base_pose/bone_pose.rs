//! The pose of one bone: the properties that a rig may write.

use godot::classes::Bone2D;
use godot::obj::Gd;
use tendon_solver::Bone;
use tendon_solver::glam::Vec2;

use crate::engine::space::to_solver;

/// A rotation in radians, a position in the parent's frame, and the
/// scale of the bone's own axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BonePose {
    /// In radians.
    pub rotation: f32,
    /// In the space of the parent.
    pub position: Vec2,
    /// Along the axes of the bone.
    pub scale: Vec2,
}

impl BonePose {
    pub(super) fn of(bone: &Bone) -> Self {
        Self {
            rotation: bone.rotation,
            position: bone.position,
            scale: bone.scale,
        }
    }

    /// Sets these properties of `bone`.
    pub(super) fn set_in(self, bone: &mut Bone) {
        bone.rotation = self.rotation;
        bone.position = self.position;
        bone.scale = self.scale;
    }

    /// What `node` holds.
    pub(crate) fn held_by(node: &Gd<Bone2D>) -> Self {
        Self {
            rotation: node.get_rotation(),
            position: to_solver(node.get_position()),
            scale: to_solver(node.get_scale()),
        }
    }

    /// Rotation, position and scale, as they are kept.
    pub(super) fn to_numbers(self) -> [f32; NUMBERS] {
        let (position, scale) = (self.position, self.scale);
        [self.rotation, position.x, position.y, scale.x, scale.y]
    }

    /// What [`to_numbers`](Self::to_numbers) has returned.
    pub(super) fn from_numbers([rotation, x, y, scale_x, scale_y]: [f32; NUMBERS]) -> Self {
        Self {
            rotation,
            position: Vec2::new(x, y),
            scale: Vec2::new(scale_x, scale_y),
        }
    }
}

/// How many numbers a pose consists of.
pub(super) const NUMBERS: usize = 5;
