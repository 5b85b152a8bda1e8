//! Which target is on the other side of which, and where it is there.
//!
//! A target belongs to the side of the bones that follow it, whatever it is called.

use godot::classes::Bone2D;
use godot::prelude::*;
use tendon_nodes::nodes::pose_library::held_nodes::{HeldNode, Placement};
use tendon_solver::glam::{Affine2, Vec2};

use crate::posing::exchange::mirror::SkeletonSides;
use crate::posing::exchange::sides::SideNames;

/// The targets of a skeleton, and its two sides.
pub(super) struct MirroredTargets<'a> {
    pub(super) held: &'a [HeldNode],
    /// The bones of the mirror.
    pub(super) bones: &'a [(String, Gd<Bone2D>)],
    pub(super) mirror: &'a SkeletonSides,
    pub(super) names: &'a SideNames,
}

impl MirroredTargets<'_> {
    /// The target on the other side of the target `index`, and where it is if that is at `placement`.
    pub(super) fn mirrored(
        &self,
        index: usize,
        placement: &Placement,
    ) -> Option<(usize, Placement)> {
        let other = self.other(index)?;
        let (from, to) = (self.frame(index), self.frame(other).inverse());
        let reflection = self.mirror.reflection;
        let position = from.transform_point2(placement.position.into());
        let direction = from.transform_vector2(Vec2::from_angle(placement.rotation));
        let turned = match (self.end(index), self.end(other)) {
            // As the bones that follow are at rest: their frames may differ from side to side.
            (Some(own), Some(other)) => {
                let turn = self.mirror.rest_angle(own) - direction.to_angle();
                let turn = reflection.determinant() * turn;
                Vec2::from_angle(self.mirror.rest_angle(other) - turn)
            }
            _ => reflection * direction,
        };
        let position = to.transform_point2(reflection * position);
        let mirrored = Placement {
            position: position.into(),
            rotation: to.transform_vector2(turned).to_angle(),
            // It counts from the rest pose, as that of bones does.
            flips: placement.flips,
        };
        mirrored.is_finite().then_some((other, mirrored))
    }

    fn other(&self, index: usize) -> Option<usize> {
        for follower in &self.held[index].followers {
            let Some(own) = follower.last.as_ref().and_then(|bone| self.number(bone)) else {
                continue;
            };
            let other = self.mirror.other(own)?;
            if other == own {
                return Some(index);
            }
            let other = Some(&self.bones[other].1);
            let found = self.held.iter().position(|held| {
                let mut followers = held.followers.iter();
                followers.any(|it| it.property == follower.property && it.last.as_ref() == other)
            });
            if found.is_some() {
                return found;
            }
        }
        let names = self.names.other_side(&self.held[index].name);
        let mut named = names.iter().filter_map(|name| {
            let mut held = self.held.iter();
            held.position(|held| held.name == *name)
        });
        // One that bones of one side follow stays where it is if the other side has none.
        let is_free = self.end(index).is_none() && names.is_empty();
        named.next().or(is_free.then_some(index))
    }

    /// The last bone that follows the target.
    fn end(&self, index: usize) -> Option<usize> {
        let mut ends = self.held[index].followers.iter();
        ends.find_map(|follower| self.number(follower.last.as_ref()?))
    }

    /// Returns the frame of its placement in the skeleton, at rest.
    fn frame(&self, index: usize) -> Affine2 {
        let bone = self.held[index].frame.clone().try_cast::<Bone2D>().ok();
        let number = bone.and_then(|bone| self.number(&bone));
        number.map_or(Affine2::IDENTITY, |bone| self.mirror.frame(bone))
    }

    fn number(&self, bone: &Gd<Bone2D>) -> Option<usize> {
        self.bones.iter().position(|(_, other)| other == bone)
    }
}
