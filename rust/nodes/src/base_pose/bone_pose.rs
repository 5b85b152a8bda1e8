//! The pose of one bone: the properties that a rig may write.

use godot::classes::Bone2D;
use godot::obj::Gd;
use tendon_solver::Bone;
use tendon_solver::glam::Vec2;
use tendon_solver::math::angle::shortest_way;

use crate::engine::space::{to_godot, to_solver};

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

    /// This pose where a copy of a bone that had the pose `original` still has it, and what the `copy` has
    /// elsewhere. A copy is not the same to the last bit: the engine does not store what is nearly the default,
    /// and writes fewer digits into a text.
    pub(super) fn where_kept(self, original: &Self, copy: &Self) -> Self {
        let is_near = |one: f32, other: f32| (one - other).abs() <= STORED * one.abs().max(1.0);
        let is_kept = |one: Vec2, other: Vec2| is_near(one.x, other.x) && is_near(one.y, other.y);
        let turn = shortest_way(original.rotation, copy.rotation);
        Self {
            rotation: match is_near(original.rotation, original.rotation + turn) {
                true => self.rotation,
                false => copy.rotation,
            },
            position: match is_kept(original.position, copy.position) {
                true => self.position,
                false => copy.position,
            },
            scale: match is_kept(original.scale, copy.scale) {
                true => self.scale,
                false => copy.scale,
            },
        }
    }

    /// Returns `true` if it is the same as `other`, but for last bits: the engine changes these whenever it saves.
    pub(super) fn is_near(&self, other: &Self) -> bool {
        shortest_way(self.rotation, other.rotation).abs() <= 1e-6
            && self.position == other.position
            && (self.scale - other.scale).abs().max_element()
                <= 1e-6 * self.scale.abs().max_element()
    }

    /// The pose that `node` holds.
    pub(crate) fn held_by(node: &Gd<Bone2D>) -> Self {
        Self {
            rotation: node.get_rotation(),
            position: to_solver(node.get_position()),
            scale: to_solver(node.get_scale()),
        }
    }

    /// Gives `node` what is another here than in `held`, which it holds. That runs scripts, which may free
    /// it.
    pub(super) fn set_on(self, node: &mut Gd<Bone2D>, held: &Self) {
        if self.rotation != held.rotation {
            node.set_rotation(self.rotation);
        }
        if self.position != held.position && node.is_instance_valid() {
            node.set_position(to_godot(self.position));
        }
        if self.scale != held.scale && node.is_instance_valid() {
            node.set_scale(to_godot(self.scale));
        }
    }

    /// Rotation, position and scale, as they are kept.
    pub(super) fn to_numbers(self) -> [f32; NUMBERS] {
        let (position, scale) = (self.position, self.scale);
        [self.rotation, position.x, position.y, scale.x, scale.y]
    }

    /// The pose of which [`to_numbers`](Self::to_numbers) has returned these numbers.
    pub(super) fn from_numbers([rotation, x, y, scale_x, scale_y]: [f32; NUMBERS]) -> Self {
        Self {
            rotation,
            position: Vec2::new(x, y),
            scale: Vec2::new(scale_x, scale_y),
        }
    }
}

/// The greatest change of a number by storing it, relative if it is above 1: the engine takes two for the same that
/// differ by less than 1e-5, or that part of themselves.
const STORED: f32 = 2e-5;

/// The count of the numbers of a pose.
pub(super) const NUMBERS: usize = 5;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_keeps_each_base_that_nobody_has_set_since() {
        let pose = |rotation, x, scale| BonePose {
            rotation,
            position: Vec2::new(x, 0.0),
            scale: Vec2::splat(scale),
        };
        let (base, held) = (pose(-0.6, 30.0, 2.0), pose(7e-6, 1234.5678, 1.000_009));
        let stored = pose(0.0, 1234.57, 1.0);
        assert_eq!(base.where_kept(&held, &stored), base);
        let turned = pose(0.1, 1234.57, 1.0);
        assert_eq!(base.where_kept(&held, &turned), pose(0.1, 30.0, 2.0));
        let moved = pose(0.0, 1234.7, 1.1);
        assert_eq!(base.where_kept(&held, &moved), pose(-0.6, 1234.7, 1.1));
    }
}
