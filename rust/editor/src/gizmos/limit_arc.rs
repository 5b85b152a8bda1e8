//! The geometry of a joint limit on the screen: which angle is where.

use godot::prelude::*;
use tendon_solver::math::angle::shortest_way;
use tendon_solver::{Limit, LimitSpace};

use crate::gizmos::view::View;

/// A joint limit and the bone that it limits.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct LimitArc {
    /// The view of the parent's frame, with the joint as its origin.
    pub(super) view: View,
    /// From the parent's frame to the skeleton's; only its linear part is used.
    pub(super) in_skeleton: Transform2D,
    pub(super) limit: Limit,
    /// `true` if the bone is held to it.
    pub(super) counts: bool,
    /// The bone's rotation in its parent's frame, radians.
    pub(super) rotation: f32,
    /// The end of the bone, at a rotation of zero, relative to the joint, in its parent's units.
    pub(super) axis: Vector2,
}

impl LimitArc {
    /// The bone's rotation at this angle from its rest.
    pub(super) fn rotation_at(&self, angle: f32) -> f32 {
        let angle = self.limit.rest + angle;
        match self.limit.space {
            LimitSpace::Parent => angle,
            LimitSpace::Skeleton => {
                let direction = Vector2::from_angle(angle);
                let frame = self.in_skeleton.affine_inverse();
                frame.basis_xform(direction).angle()
            }
        }
    }

    /// The angle from its rest at which the bone points at `place` of the screen, from −π to π.
    pub(super) fn angle_at(&self, place: Vector2) -> Option<f32> {
        let seen = self.view.point_under(place)?;
        if seen == Vector2::ZERO {
            return None;
        }
        let rotation = seen.angle() - self.axis.angle();
        let angle = match self.limit.space {
            LimitSpace::Parent => rotation,
            LimitSpace::Skeleton => {
                let direction = Vector2::from_angle(rotation);
                self.in_skeleton.basis_xform(direction).angle()
            }
        };
        Some(shortest_way(self.limit.rest, angle))
    }

    /// The screen point in the direction of the bone at `rotation`.
    pub(super) fn spoke(&self, radius: f32, rotation: f32) -> Vector2 {
        let angle = rotation + self.axis.angle();
        self.view.on_circle(radius, angle)
    }
}
