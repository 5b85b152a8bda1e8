//! Where the bones are, before and after the pass.

use tendon_solver::glam::{Affine2, Vec2};
use tendon_solver::math::rotation::Rotation;
use tendon_solver::{Point, Rig};

/// How long a bone without an end is drawn, as a part of its distance from its parent.
const STUB: f32 = 0.35;

/// The bones of a rig in one pose.
pub struct Figure {
    /// The bones' frames in skeleton space.
    pub frames: Vec<Affine2>,
    /// For each bone, where its segments end, in its own frame.
    pub ends: Vec<Vec<Vec2>>,
}

impl Figure {
    /// The base pose.
    pub fn before(rig: &Rig) -> Self {
        let frame = |bone: usize| {
            let bone = &rig.bones[bone];
            let linear = Rotation::from_angle(bone.rotation).apply_to(bone.shape());
            Affine2::from_mat2_translation(linear, bone.position)
        };
        Self::new(rig, frame)
    }

    /// The pose that the last solve gave.
    pub fn after(rig: &Rig) -> Self {
        Self::new(rig, |bone| rig.local_frame(bone))
    }

    fn new(rig: &Rig, local: impl Fn(usize) -> Affine2) -> Self {
        let count = rig.bones.len();
        let mut frames: Vec<Affine2> = Vec::with_capacity(count);
        let mut ends = vec![Vec::new(); count];
        for (index, bone) in rig.bones.iter().enumerate() {
            let own = local(index);
            if let Some(parent) = bone.parent {
                ends[parent].push(own.translation);
            }
            let above = bone.parent.map_or(Affine2::IDENTITY, |above| frames[above]);
            frames.push(above * own);
        }
        for tip in tips(rig) {
            if let Some(bone) = tip.bone {
                ends[bone].push(tip.position);
            }
        }
        for (bone, ends) in rig.bones.iter().zip(&mut ends) {
            ends.retain(|end| *end != Vec2::ZERO);
            if ends.is_empty() {
                // A bone that nothing hangs on: where its X axis points, at least.
                ends.push(Vec2::X * STUB * bone.position.length());
            }
        }
        Self { frames, ends }
    }

    /// The frame of a bone in skeleton space; skeleton space itself for `None`.
    pub fn frame(&self, bone: Option<usize>) -> Affine2 {
        bone.map_or(Affine2::IDENTITY, |bone| self.frames[bone])
    }

    /// Where a point is in skeleton space.
    pub fn locate(&self, point: Point) -> Vec2 {
        self.frame(point.bone).transform_point2(point.position)
    }

    /// Where every joint and every end of a segment is, in skeleton space.
    pub fn points(&self) -> impl Iterator<Item = Vec2> {
        self.frames
            .iter()
            .zip(&self.ends)
            .flat_map(|(frame, ends)| {
                let ends = ends.iter().map(|end| frame.transform_point2(*end));
                ends.chain([frame.translation])
            })
    }
}

/// What each modifier brings to a target.
pub fn tips(rig: &Rig) -> impl Iterator<Item = Point> {
    rig.modifiers.iter().flat_map(|modifier| {
        let parts = modifier.parts();
        let further = parts.effectors().iter();
        let further = further.map(|effector| effector.end.point());
        std::iter::once(parts.tip()).chain(further)
    })
}
