//! What the rig last wrote into a bone, and which base pose that replaced. It decides whether the
//! rig has moved a bone, or an animation, a script or the user.
//!
//! The rig writes solved rotations into the bones that it reads, solved positions where a chain
//! stretches, and scales where a modifier copies them. To start every pass from the same pose, it
//! remembers for each bone what it wrote and what the bone held before. A bone that still holds
//! what the rig wrote has the remembered base. Any other value was set by something else, and is
//! the new base. Rotation, position and scale are remembered separately, since an animation may set
//! only one of them.
//!
//! The engine itself rewrites a `Bone2D` when its scene is saved and when it leaves the tree: it
//! sets the whole transform. That changes the last bit of some rotations, wraps others by whole
//! turns, and changes an own scale of (−1, 1) to (1, −1) with half a turn. None of that is a new
//! base. Positions are kept to the last bit. What it does to a skew, which the rig never writes,
//! and to a scale that the rig has not written, is corrected before the scene is saved: see
//! [`TrackedBone`](crate::base_pose::tracked_bone::TrackedBone).

use std::f32::consts::PI;

use tendon_solver::glam::Vec2;
use tendon_solver::math::angle::shortest_way;

use crate::base_pose::bone_pose::BonePose;

/// Rotations nearer than this, in radians, are the same rotation.
const SAME_ANGLE: f32 = 1e-6;

/// Scales that differ by no more than this part of themselves are the same scale.
const SAME_SCALE: f32 = 1e-6;

/// A rotation that the rig wrote.
#[derive(Clone, Copy, Debug)]
struct WrittenRotation {
    /// The base rotation, radians.
    base: f32,
    /// The rotation that the rig wrote, radians.
    rotation: f32,
    /// The sign of the bone's own X scale at that time.
    mirrored_x: bool,
}

/// A position in the parent's frame, or a scale, that the rig wrote.
#[derive(Clone, Copy, Debug)]
struct WrittenVector {
    base: Vec2,
    /// The value that the rig wrote.
    solved: Vec2,
}

/// The values that the rig wrote into one bone, and the base that they replaced. Few bones are ever moved or scaled.
#[derive(Clone, Debug, Default)]
pub(super) struct WrittenPose {
    rotation: Option<WrittenRotation>,
    others: Option<Box<Others>>,
}

/// The written position and scale of a bone, beside its rotation. Once there, it stays: a pass allocates
/// nothing.
#[derive(Clone, Copy, Debug, Default)]
struct Others {
    position: Option<WrittenVector>,
    scale: Option<WrittenVector>,
}

impl WrittenVector {
    /// `None` if that changes nothing.
    fn new(base: Vec2, solved: Vec2) -> Option<Self> {
        (solved != base).then_some(Self { base, solved })
    }

    /// The same, bit by bit.
    fn save(self) -> [u32; 5] {
        let Self { base, solved } = self;
        let [a, b, c, d] = [base.x, base.y, solved.x, solved.y].map(f32::to_bits);
        [1, a, b, c, d]
    }
}

impl WrittenPose {
    /// The base pose of a bone that now holds `bone`.
    pub(super) fn base(&mut self, bone: &BonePose) -> BonePose {
        BonePose {
            rotation: self.base_rotation(bone),
            position: self.base_position(bone),
            scale: self.base_scale(bone),
        }
    }

    /// The pose to restore in a bone that the rig releases: the base of what it holds as the rig wrote it.
    pub(super) fn release(&mut self, bone: &BonePose) -> BonePose {
        BonePose {
            rotation: self.release_rotation(bone).unwrap_or(bone.rotation),
            position: self.release_position(bone).unwrap_or(bone.position),
            scale: self.release_scale(bone).unwrap_or(bone.scale),
        }
    }

    /// The base rotation, in radians, of a bone that now holds `bone`.
    fn base_rotation(&mut self, bone: &BonePose) -> f32 {
        let base = self.remembered_rotation(bone);
        if base.is_none() {
            self.rotation = None;
        }
        base.unwrap_or(bone.rotation)
    }

    /// The base rotation to restore in a bone that the rig releases. `None` if the bone does not
    /// hold what the rig wrote, and so needs nothing.
    ///
    /// The restored rotation is remembered too: each saving may change its last bit.
    fn release_rotation(&mut self, bone: &BonePose) -> Option<f32> {
        let base = self.remembered_rotation(bone);
        self.rotation = base.map(|base| WrittenRotation {
            base,
            rotation: base,
            mirrored_x: bone.scale.x < 0.0,
        });
        base.filter(|base| base.to_bits() != bone.rotation.to_bits())
    }

    /// Remembers that the bone, whose base rotation is `base`, was turned as in `bone`.
    pub(super) fn wrote_rotation(&mut self, base: f32, bone: &BonePose) {
        self.rotation = Some(WrittenRotation {
            base,
            rotation: bone.rotation,
            mirrored_x: bone.scale.x < 0.0,
        });
    }

    /// The base position, in its parent's frame, of a bone that now holds `bone`.
    fn base_position(&mut self, bone: &BonePose) -> Vec2 {
        let position = self.position();
        let kept = position.filter(|written| written.solved == bone.position);
        self.set_position(kept);
        kept.map_or(bone.position, |written| written.base)
    }

    /// The base position to restore in a bone that the rig releases. `None` if the bone is not
    /// where the rig moved it, and so needs nothing.
    fn release_position(&mut self, bone: &BonePose) -> Option<Vec2> {
        let written = self.others.as_mut()?.position.take()?;
        (written.solved == bone.position).then_some(written.base)
    }

    /// Remembers that the bone, whose base position is `base`, was moved to `position`.
    pub(super) fn wrote_position(&mut self, base: Vec2, position: Vec2) {
        self.set_position(WrittenVector::new(base, position));
    }

    /// The base scale of a bone that now holds `bone`.
    fn base_scale(&mut self, bone: &BonePose) -> Vec2 {
        let base = self.remembered_scale(bone);
        if base.is_none() {
            self.set_scale(None);
        }
        base.unwrap_or(bone.scale)
    }

    /// The base scale to restore in a bone that the rig releases. `None` if the bone does not
    /// hold what the rig wrote, and so needs nothing.
    fn release_scale(&mut self, bone: &BonePose) -> Option<Vec2> {
        let base = self.remembered_scale(bone);
        self.set_scale(None);
        base
    }

    /// Remembers that the bone, whose base scale is `base`, was scaled to `scale`.
    pub(super) fn wrote_scale(&mut self, base: Vec2, scale: Vec2) {
        self.set_scale(WrittenVector::new(base, scale));
    }

    /// Returns `true` if the bone may hold a scale that the rig wrote.
    pub(super) fn has_scaled(&self) -> bool {
        self.scale().is_some()
    }

    fn position(&self) -> Option<WrittenVector> {
        self.others.as_ref()?.position
    }

    fn scale(&self) -> Option<WrittenVector> {
        self.others.as_ref()?.scale
    }

    fn set_position(&mut self, position: Option<WrittenVector>) {
        if position.is_some() || self.others.is_some() {
            self.others.get_or_insert_default().position = position;
        }
    }

    fn set_scale(&mut self, scale: Option<WrittenVector>) {
        if scale.is_some() || self.others.is_some() {
            self.others.get_or_insert_default().scale = scale;
        }
    }

    /// Treats what the bone holds now as written by the rig, with `base` below it.
    pub(super) fn claim(&mut self, base: BonePose, bone: &BonePose) {
        self.wrote_rotation(base.rotation, bone);
        self.wrote_position(base.position, bone.position);
        self.wrote_scale(base.scale, bone.scale);
    }

    /// The remembered base scale, if the bone still holds what the rig wrote. Where the engine has
    /// moved a mirror from one axis to the other, the base is mirrored in the same way.
    fn remembered_scale(&mut self, bone: &BonePose) -> Option<Vec2> {
        let written = self.others.as_mut()?.scale.as_mut()?;
        let rounding = SAME_SCALE * written.solved.abs().max_element();
        if bone.scale.abs_diff_eq(written.solved, rounding) {
            return Some(written.base);
        }
        let is_rewritten = bone.scale.abs_diff_eq(-written.solved, rounding);
        is_rewritten.then(|| {
            *written = WrittenVector {
                base: -written.base,
                solved: bone.scale,
            };
            written.base
        })
    }

    /// The remembered base rotation, if the bone still holds what the rig wrote.
    fn remembered_rotation(&mut self, bone: &BonePose) -> Option<f32> {
        let written = self.rotation.as_mut()?;
        if shortest_way(written.rotation, bone.rotation).abs() <= SAME_ANGLE {
            return Some(written.base);
        }
        let mirrored_x = bone.scale.x < 0.0;
        let half_turn = written.rotation + PI;
        let rewritten = mirrored_x != written.mirrored_x
            && shortest_way(half_turn, bone.rotation).abs() <= SAME_ANGLE;
        rewritten.then(|| {
            let turned = bone.rotation - written.rotation;
            *written = WrittenRotation {
                base: written.base + turned,
                rotation: bone.rotation,
                mirrored_x,
            };
            written.base
        })
    }
}

/// Numbers that a [`WrittenPose`] is saved as.
pub(super) const SAVED: usize = 14;

impl WrittenPose {
    /// The remembered values, bit by bit.
    pub(super) fn save(&self) -> [u32; SAVED] {
        let mut words = [0; SAVED];
        if let Some(WrittenRotation {
            base,
            rotation,
            mirrored_x,
        }) = self.rotation
        {
            words[..4].copy_from_slice(&[
                1,
                base.to_bits(),
                rotation.to_bits(),
                u32::from(mirrored_x),
            ]);
        }
        if let Some(position) = self.position() {
            words[4..9].copy_from_slice(&position.save());
        }
        if let Some(scale) = self.scale() {
            words[9..].copy_from_slice(&scale.save());
        }
        words
    }

    /// Returns `true` if [`save`](Self::save) could have written these words: it writes only `0` and `1` as flags, and
    /// only finite numbers.
    pub(super) fn could_save(words: &[u32; SAVED]) -> bool {
        let is_finite = |word: &u32| f32::from_bits(*word).is_finite();
        let is_sound = |part: &[u32]| match part[0] {
            0 => part.iter().all(|&word| word == 0),
            flag => flag == 1 && part.iter().skip(1).all(is_finite),
        };
        let (rotation, vectors) = words.split_at(4);
        // The last word of a rotation is a flag, too.
        rotation[3] <= 1 && is_sound(rotation) && vectors.chunks(5).all(is_sound)
    }

    /// The pose of which [`save`](Self::save) has written these words.
    pub(super) fn load(words: [u32; SAVED]) -> Self {
        let is_there = |index: usize| words[index] == 1;
        let number = |index: usize| f32::from_bits(words[index]);
        let vector = |index: usize| Vec2::new(number(index), number(index + 1));
        let pair = |index: usize| {
            let (base, solved) = (vector(index + 1), vector(index + 3));
            is_there(index).then_some(WrittenVector { base, solved })
        };
        let (position, scale) = (pair(4), pair(9));
        let has_others = position.or(scale).is_some();
        Self {
            rotation: is_there(0).then(|| WrittenRotation {
                base: number(1),
                rotation: number(2),
                mirrored_x: words[3] == 1,
            }),
            others: has_others.then(|| Box::new(Others { position, scale })),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bone(rotation: f32, scale_x: f32) -> BonePose {
        BonePose {
            rotation,
            position: Vec2::ZERO,
            scale: Vec2::new(scale_x, 1.0),
        }
    }

    #[test]
    fn what_the_rig_wrote_is_not_a_base() {
        let mut written = WrittenPose::default();
        written.wrote_rotation(0.25, &bone(1.5, 1.0));
        assert_eq!(written.base_rotation(&bone(1.5, 1.0)), 0.25);
        assert_eq!(written.base_rotation(&bone(1.5, 1.0)), 0.25);
    }

    #[test]
    fn what_somebody_else_wrote_is_the_new_base() {
        let mut written = WrittenPose::default();
        written.wrote_rotation(0.25, &bone(1.5, 1.0));
        assert_eq!(written.base_rotation(&bone(1.4, 1.0)), 1.4);
        assert_eq!(
            written.base_rotation(&bone(1.5, 1.0)),
            1.5,
            "nothing is remembered now"
        );
    }

    #[test]
    fn the_engine_may_wind_a_rotation_back() {
        let mut written = WrittenPose::default();
        written.wrote_rotation(0.25, &bone(7.5, 1.0));
        assert_eq!(written.base_rotation(&bone(7.5 - 2.0 * PI, 1.0)), 0.25);
    }

    #[test]
    fn the_engine_may_move_a_mirror_from_x_to_y() {
        let mut written = WrittenPose::default();
        written.wrote_rotation(0.25, &bone(1.5, -1.0));
        let base = written.base_rotation(&bone(1.5 - PI, 1.0));
        assert!(shortest_way(base, 0.25 + PI).abs() < 1e-6);
        assert_eq!(written.base_rotation(&bone(1.5 - PI, 1.0)), base);
    }

    #[test]
    fn the_engine_may_rewrite_a_base_that_was_put_back() {
        let mut written = WrittenPose::default();
        written.wrote_rotation(0.25, &bone(1.5, 1.0));
        assert_eq!(written.release_rotation(&bone(1.5, 1.0)), Some(0.25));
        assert_eq!(
            written.release_rotation(&bone(0.25, 1.0)),
            None,
            "it stands already"
        );
        assert_eq!(
            written.release_rotation(&bone(0.250_000_03, 1.0)),
            Some(0.25)
        );
        assert_eq!(written.base_rotation(&bone(0.250_000_03, 1.0)), 0.25);
    }

    #[test]
    fn a_position_is_remembered_apart_from_the_rotation() {
        let at = |x| BonePose {
            position: Vec2::new(x, 0.0),
            ..bone(1.0, 1.0)
        };
        let mut written = WrittenPose::default();
        written.wrote_position(Vec2::new(30.0, 0.0), Vec2::new(45.0, 0.0));
        assert_eq!(written.base_rotation(&at(45.0)), 1.0);
        assert_eq!(written.base_position(&at(45.0)).x, 30.0);
        assert_eq!(written.base_position(&at(32.0)).x, 32.0);
        assert_eq!(written.base_position(&at(45.0)).x, 45.0, "forgotten");
        written.wrote_position(Vec2::new(30.0, 0.0), Vec2::new(45.0, 0.0));
        assert_eq!(
            written.release_position(&at(45.0)).map(|base| base.x),
            Some(30.0)
        );
        assert_eq!(written.release_position(&at(45.0)), None);
    }

    #[test]
    fn a_scale_is_remembered_and_put_back() {
        let at = |x| bone(1.0, x);
        let mut written = WrittenPose::default();
        written.wrote_scale(Vec2::new(1.0, 1.0), Vec2::new(-2.0, 1.0));
        assert_eq!(written.base_scale(&at(-2.0)).x, 1.0);
        let rewritten = BonePose {
            scale: Vec2::new(2.0, -1.0),
            ..at(1.0)
        };
        assert_eq!(
            written.base_scale(&rewritten),
            -Vec2::ONE,
            "with half a turn"
        );
        written.wrote_scale(Vec2::ONE, Vec2::new(3.0, 1.0));
        assert_eq!(written.base_scale(&at(2.5)).x, 2.5, "somebody else's");
        assert!(!written.has_scaled(), "forgotten");
        written.wrote_scale(Vec2::ONE, Vec2::new(3.0, 1.0));
        assert_eq!(written.release_scale(&at(3.0)), Some(Vec2::ONE));
        assert_eq!(written.release_scale(&at(3.0)), None);
    }

    #[test]
    fn a_bone_is_put_back_once() {
        let mut written = WrittenPose::default();
        written.wrote_rotation(0.25, &bone(1.5, 1.0));
        assert_eq!(written.release_rotation(&bone(1.5, 1.0)), Some(0.25));
        assert_eq!(written.release_rotation(&bone(1.5, 1.0)), None);
    }

    #[test]
    fn what_is_saved_comes_back() {
        let mut written = WrittenPose::default();
        for _ in 0..4 {
            let words = written.save();
            assert_eq!(WrittenPose::load(words).save(), words);
            if written.rotation.is_none() {
                written.wrote_rotation(0.25, &bone(-1.5, -1.0));
            } else if written.position().is_none() {
                written.wrote_position(Vec2::new(30.0, -0.0), Vec2::new(45.0, 0.5));
            } else {
                written.wrote_scale(Vec2::new(1.0, 2.0), Vec2::new(3.0, -4.0));
            }
        }
        let loaded = WrittenPose::load(written.save());
        assert_eq!(format!("{loaded:?}"), format!("{written:?}"));
    }

    #[test]
    fn what_was_not_saved_is_told_in_every_word() {
        let mut written = WrittenPose::default();
        assert!(WrittenPose::could_save(&written.save()));
        written.wrote_rotation(0.25, &bone(-1.5, -1.0));
        written.wrote_position(Vec2::new(30.0, -0.0), Vec2::new(45.0, 0.5));
        written.wrote_scale(Vec2::new(1.0, 2.0), Vec2::new(3.0, -4.0));
        let words = written.save();
        assert!(WrittenPose::could_save(&words));
        for index in 0..SAVED {
            for wild in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
                let mut wild_words = words;
                wild_words[index] = wild.to_bits();
                assert!(!WrittenPose::could_save(&wild_words), "word {index}");
            }
        }
    }
}
