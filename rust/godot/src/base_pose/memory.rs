//! The base pose of a bone: what animation, scripts or the user last gave it.
//!
//! The rig writes solved rotations into the very bones it reads, and solved positions where a
//! chain stretches. To start every pass from the same pose, it remembers for each bone what it
//! wrote and what stood there before. A bone that still holds what the rig wrote has the
//! remembered base; any other value is somebody's new base. Rotation and position are
//! remembered apart, since an animation may set only one of them.
//!
//! The engine itself rewrites a `Bone2D` when its scene is saved and when it leaves the
//! tree: it sets the whole transform, which changes the last bit of some rotations, winds
//! others back by whole turns, and turns an own scale of (−1, 1) into (1, −1) and half a
//! turn. None of that is a new base. Positions come through it to the last bit. What it
//! does to scale and skew, which the rig never writes, is made good where it would be saved: see
//! [`crate::base_pose::covered`].

use std::f32::consts::PI;

use tendon_solver::Bone;
use tendon_solver::glam::Vec2;
use tendon_solver::turn::shortest_way;

use crate::base_pose::past::Given;

/// Rotations nearer than this, in radians, are the same rotation.
const SAME_ANGLE: f32 = 1e-6;

/// What the rig remembers of a bone that it has turned.
#[derive(Clone, Copy, Debug)]
struct Written {
    /// The base rotation, radians.
    base: f32,
    /// The rotation that the rig wrote, radians.
    rotation: f32,
    /// The sign of the bone's own X scale when it did.
    mirrored_x: bool,
}

/// What the rig remembers of a bone that it has moved. Positions in the parent's frame.
#[derive(Clone, Copy, Debug)]
struct Moved {
    base: Vec2,
    /// What the rig wrote.
    position: Vec2,
}

/// The memory of one bone.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct BasePose {
    written: Option<Written>,
    moved: Option<Moved>,
}

impl BasePose {
    /// The base rotation in radians of a bone that now stands as `bone` says.
    pub(crate) fn base_of(&mut self, bone: &Bone) -> f32 {
        let base = self.held_base(bone);
        if base.is_none() {
            self.written = None;
        }
        base.unwrap_or(bone.rotation)
    }

    /// The base rotation to put back into a bone that the rig lets go of; `None` if the bone
    /// is not as the rig left it, and so needs nothing.
    ///
    /// What is put back is remembered, too: saving may rewrite it to the last bit, again and
    /// again.
    pub(crate) fn release(&mut self, bone: &Bone) -> Option<f32> {
        let base = self.held_base(bone);
        self.written = base.map(|base| Written {
            base,
            rotation: base,
            mirrored_x: bone.scale.x < 0.0,
        });
        base.filter(|base| base.to_bits() != bone.rotation.to_bits())
    }

    /// Remembers that the bone, whose base is `base`, was turned to `rotation`.
    pub(crate) fn wrote(&mut self, base: f32, rotation: f32, bone: &Bone) {
        self.written = Some(Written {
            base,
            rotation,
            mirrored_x: bone.scale.x < 0.0,
        });
    }

    /// The base position, in its parent's frame, of a bone that now stands as `bone` says.
    pub(crate) fn base_position_of(&mut self, bone: &Bone) -> Vec2 {
        self.moved = self.moved.filter(|moved| moved.position == bone.position);
        self.moved.map_or(bone.position, |moved| moved.base)
    }

    /// The base position to put back into a bone that the rig lets go of; `None` if the bone is
    /// not where the rig moved it, and so needs nothing.
    pub(crate) fn release_position(&mut self, bone: &Bone) -> Option<Vec2> {
        let moved = self.moved.take()?;
        (moved.position == bone.position).then_some(moved.base)
    }

    /// Remembers that the bone, whose base position is `base`, was moved to `position`.
    pub(crate) fn moved(&mut self, base: Vec2, position: Vec2) {
        self.moved = (position != base).then_some(Moved { base, position });
    }

    /// Takes what the bone holds now for what the rig has written, over `base`.
    pub(crate) fn claim(&mut self, base: Given, bone: &Bone) {
        self.wrote(base.rotation, bone.rotation, bone);
        self.moved(base.position, bone.position);
    }

    /// The remembered base, if the bone still holds what the rig wrote.
    fn held_base(&mut self, bone: &Bone) -> Option<f32> {
        let written = self.written.as_mut()?;
        if shortest_way(written.rotation, bone.rotation).abs() <= SAME_ANGLE {
            return Some(written.base);
        }
        let mirrored_x = bone.scale.x < 0.0;
        let half_turn = written.rotation + PI;
        let rewritten = mirrored_x != written.mirrored_x
            && shortest_way(half_turn, bone.rotation).abs() <= SAME_ANGLE;
        rewritten.then(|| {
            let turned = bone.rotation - written.rotation;
            *written = Written {
                base: written.base + turned,
                rotation: bone.rotation,
                mirrored_x,
            };
            written.base
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bone(rotation: f32, scale_x: f32) -> Bone {
        Bone {
            rotation,
            scale: Vec2::new(scale_x, 1.0),
            ..Bone::below(None)
        }
    }

    #[test]
    fn what_the_rig_wrote_is_not_a_base() {
        let mut memory = BasePose::default();
        memory.wrote(0.25, 1.5, &bone(0.25, 1.0));
        assert_eq!(memory.base_of(&bone(1.5, 1.0)), 0.25);
        assert_eq!(memory.base_of(&bone(1.5, 1.0)), 0.25);
    }

    #[test]
    fn what_somebody_else_wrote_is_the_new_base() {
        let mut memory = BasePose::default();
        memory.wrote(0.25, 1.5, &bone(0.25, 1.0));
        assert_eq!(memory.base_of(&bone(1.4, 1.0)), 1.4);
        assert_eq!(
            memory.base_of(&bone(1.5, 1.0)),
            1.5,
            "nothing is remembered now"
        );
    }

    #[test]
    fn the_engine_may_wind_a_rotation_back() {
        let mut memory = BasePose::default();
        memory.wrote(0.25, 7.5, &bone(0.25, 1.0));
        assert_eq!(memory.base_of(&bone(7.5 - 2.0 * PI, 1.0)), 0.25);
    }

    #[test]
    fn the_engine_may_move_a_mirror_from_x_to_y() {
        let mut memory = BasePose::default();
        memory.wrote(0.25, 1.5, &bone(0.25, -1.0));
        let base = memory.base_of(&bone(1.5 - PI, 1.0));
        assert!(shortest_way(base, 0.25 + PI).abs() < 1e-6);
        assert_eq!(memory.base_of(&bone(1.5 - PI, 1.0)), base);
    }

    #[test]
    fn the_engine_may_rewrite_a_base_that_was_put_back() {
        let mut memory = BasePose::default();
        memory.wrote(0.25, 1.5, &bone(0.25, 1.0));
        assert_eq!(memory.release(&bone(1.5, 1.0)), Some(0.25));
        assert_eq!(memory.release(&bone(0.25, 1.0)), None, "it stands already");
        assert_eq!(memory.release(&bone(0.250_000_03, 1.0)), Some(0.25));
        assert_eq!(memory.base_of(&bone(0.250_000_03, 1.0)), 0.25);
    }

    #[test]
    fn a_position_is_remembered_apart_from_the_rotation() {
        let at = |x| Bone {
            position: Vec2::new(x, 0.0),
            ..bone(1.0, 1.0)
        };
        let mut memory = BasePose::default();
        memory.moved(Vec2::new(30.0, 0.0), Vec2::new(45.0, 0.0));
        assert_eq!(memory.base_of(&at(45.0)), 1.0);
        assert_eq!(memory.base_position_of(&at(45.0)).x, 30.0);
        assert_eq!(memory.base_position_of(&at(32.0)).x, 32.0);
        assert_eq!(memory.base_position_of(&at(45.0)).x, 45.0, "forgotten");
        memory.moved(Vec2::new(30.0, 0.0), Vec2::new(45.0, 0.0));
        assert_eq!(
            memory.release_position(&at(45.0)).map(|base| base.x),
            Some(30.0)
        );
        assert_eq!(memory.release_position(&at(45.0)), None);
    }

    #[test]
    fn a_bone_is_put_back_once() {
        let mut memory = BasePose::default();
        memory.wrote(0.25, 1.5, &bone(0.25, 1.0));
        assert_eq!(memory.release(&bone(1.5, 1.0)), Some(0.25));
        assert_eq!(memory.release(&bone(1.5, 1.0)), None);
    }
}
