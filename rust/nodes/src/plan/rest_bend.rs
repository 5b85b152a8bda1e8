//! To which side a limb bends, in its rest pose or as it is.

use godot::classes::Bone2D;
use godot::prelude::*;

use crate::engine::skeleton::is_rest;

/// The angle in radians within which a limb counts as straight: a degree. One that is folded bends to its side.
const STRAIGHT: f32 = 0.0175;

/// A limb: the bone that begins it, the one whose end it brings somewhere, and that end.
pub struct LimbBones<'a> {
    /// The upper bone.
    pub upper: &'a Gd<Bone2D>,
    /// The lower bone, below it.
    pub lower: &'a Gd<Bone2D>,
    /// The end, in the frame of the lower bone.
    pub tip: Vector2,
}

impl LimbBones<'_> {
    /// Returns `true` if it now bends to the other side than at rest, however little: as a two-bone modifier does with
    /// `flip_bend_direction`.
    pub fn is_flipped(&self) -> bool {
        let bend = self.bend_now().filter(|&bend| bend != 0.0);
        bend.is_some_and(|bend| (bend < 0.0) != self.rests_flipped())
    }

    /// The same. `None` if it is about straight now.
    pub fn flipped_now(&self) -> Option<bool> {
        let bend = self.bend_now().filter(|bend| bend.abs() > STRAIGHT)?;
        Some((bend < 0.0) != self.rests_flipped())
    }

    /// Returns `true` if the rest pose bends to the side to which a limb that is straight at rest is flipped.
    pub fn rests_flipped(&self) -> bool {
        self.bend_at_rest().is_some_and(|bend| bend < -STRAIGHT)
    }

    /// The angle from the direction of the upper bone to that of the lower one at rest, in radians, seen in the frame
    /// above the limb. `None` without a rest pose, or where one of the two has no length.
    fn bend_at_rest(&self) -> Option<f32> {
        self.bend(rest_of)
    }

    /// The same now.
    fn bend_now(&self) -> Option<f32> {
        self.bend(|bone| Some(bone.get_transform()))
    }

    fn bend(&self, frame: impl Fn(&Gd<Bone2D>) -> Option<Transform2D>) -> Option<f32> {
        let [upper, lower] = self.segments(frame)?;
        let has_length = upper != Vector2::ZERO && lower != Vector2::ZERO;
        has_length.then(|| upper.angle_to(lower))
    }

    /// From the first joint to the second, and from there to the end, in the frame above the limb.
    fn segments(&self, frame: impl Fn(&Gd<Bone2D>) -> Option<Transform2D>) -> Option<[Vector2; 2]> {
        let mut bone = self.lower.clone();
        let mut below = frame(&bone)?;
        loop {
            bone = bone.get_parent()?.try_cast().ok()?;
            if bone == *self.upper {
                break;
            }
            below = frame(&bone)? * below;
        }
        let above = frame(&bone)?;
        Some([below.origin, below.basis_xform(self.tip)].map(|it| above.basis_xform(it)))
    }
}

/// The frame of `bone` in its parent at rest.
pub(crate) fn rest_of(bone: &Gd<Bone2D>) -> Option<Transform2D> {
    Some(bone.get_rest()).filter(|&rest| is_rest(rest))
}
