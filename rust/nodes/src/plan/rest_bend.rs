//! To which side a limb bends, in its rest pose or as it is.

use godot::classes::Bone2D;
use godot::prelude::*;

use crate::engine::skeleton::is_rest;

/// The sine of the angle within which a limb counts as straight: a degree.
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
    /// Whether it now bends to the other side than at rest: as a two-bone modifier does with
    /// `flip_bend_direction`.
    pub fn is_flipped(&self) -> bool {
        self.flipped_now().unwrap_or(false)
    }

    /// The same. `None` if it is straight now.
    pub fn flipped_now(&self) -> Option<bool> {
        let now = self.bends_back(|bone| Some(bone.get_transform()))?;
        Some(now != self.rests_flipped())
    }

    /// Whether the rest pose bends to the side to which a limb that is straight at rest is flipped.
    pub fn rests_flipped(&self) -> bool {
        self.bends_back(rest_of).unwrap_or(false)
    }

    /// The angle from the direction of the upper bone to that of the lower one at rest, in radians, seen in the frame
    /// above the limb. `None` without a rest pose.
    pub(crate) fn bend_at_rest(&self) -> Option<f32> {
        let [upper, lower] = self.segments(rest_of)?;
        Some(upper.angle_to(lower))
    }

    /// Whether the lower bone is turned by a negative angle from the direction of the upper one, seen in the
    /// frame above the limb. `frame` gives each bone in its parent. `None` if the limb is straight.
    fn bends_back(&self, frame: impl Fn(&Gd<Bone2D>) -> Option<Transform2D>) -> Option<bool> {
        let [upper, lower] = self.segments(frame)?;
        let bend = upper.cross(lower);
        (bend.abs() > STRAIGHT * upper.length() * lower.length()).then_some(bend < 0.0)
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
