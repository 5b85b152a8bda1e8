//! The functions of a rig that need no rig: they make bones and limits, pose a limb, and rig a whole character.

use godot::classes::{Bone2D, Skeleton2D};
use godot::prelude::*;
use tendon_solver::glam::Vec2;
use tendon_solver::{Bone, End, Modifier, Point, Rig, Status, TwoBone, Workspace};

use super::adding::{Adding, AtOnce};
use super::angles::Degrees;
use super::character::{Character, Extras};
use super::refuse;
use crate::engine::bone_lines::{end_of, frame_in, line_between};
use crate::engine::space::{frame_of, to_solver};
use crate::engine::thread_guard::is_usable;
use crate::engine::unusable::{not_finite, null};
use crate::nodes::joint_limit::{TendonJointLimit2D, limit_on};
use crate::nodes::rig::TendonRig2D;
use crate::plan::rest_bend::LimbBones;

#[godot_api(secondary)]
impl TendonRig2D {
    /// Makes a [Bone2D] called [param name] below [param parent], a [Skeleton2D] or another bone. [param transform],
    /// in the frame of [param parent], becomes its pose and its rest pose. The bone points along its X axis and is
    /// [param length] long; at `0.0`, the default, its length and angle follow from its first child bone.
    ///
    /// ```gdscript
    /// func add_leg(hips: Bone2D) -> void:
    ///     var thigh: Bone2D = TendonRig2D.add_bone(hips, "Thigh", Transform2D(1.3, Vector2(0, 6)), 40.0)
    ///     TendonRig2D.add_bone(thigh, "Shin", Transform2D(0.4, Vector2(40, 0)), 38.0)
    /// ```
    #[func]
    fn add_bone(
        parent: Option<Gd<Node2D>>,
        name: StringName,
        transform: Transform2D,
        #[opt(default = 0.0)] length: f32,
    ) -> Option<Gd<Bone2D>> {
        let is_place =
            |parent: &Gd<Node2D>| parent.is_class("Bone2D") || parent.is_class("Skeleton2D");
        let Some(mut parent) = parent.filter(is_place) else {
            refuse("add_bone", "parent is neither a Skeleton2D nor a Bone2D.");
            return None;
        };
        if !is_usable(&parent) {
            return None;
        }
        if !transform.is_finite() || !length.is_finite() {
            refuse("add_bone", &not_finite("the transform or the length"));
            return None;
        }
        if transform.determinant() == 0.0 {
            refuse(
                "add_bone",
                "the transform is scaled to 0. Give it a scale that is not 0 in both directions.",
            );
            return None;
        }
        let mut bone = Bone2D::new_alloc();
        if !name.is_empty() {
            bone.set_name(&name.to_string());
        }
        bone.set_transform(transform);
        bone.set_rest(transform);
        if length > 0.0 {
            bone.set_autocalculate_length_and_angle(false);
            bone.set_length(length);
            bone.set_bone_angle(0.0);
        }
        parent.add_child_ex(&bone).force_readable_name(true).done();
        Some(bone)
    }

    /// Gives [param bone] a [TendonJointLimit2D] from [param min_angle] to [param max_angle], in radians from its rest
    /// pose, or changes the one that it has. Returns it.
    #[func]
    fn add_joint_limit(
        bone: Option<Gd<Bone2D>>,
        min_angle: f32,
        max_angle: f32,
    ) -> Option<Gd<TendonJointLimit2D>> {
        let Some(bone) = bone else {
            refuse("add_joint_limit", &null("the bone"));
            return None;
        };
        if !is_usable(&bone) {
            return None;
        }
        let mut limit = limit_on(&bone).unwrap_or_else(|| {
            let limit = Degrees::USUAL.limit();
            AtOnce.add_child(&bone.upcast(), &limit.clone().upcast());
            limit
        });
        limit.set("min_angle", &min_angle.to_variant());
        limit.set("max_angle", &max_angle.to_variant());
        Some(limit)
    }

    /// Turns [param upper] and [param lower] so that the end of [param lower] is at [param point], in global
    /// coordinates, or as near as it can be. With a positive [param bend], the lower bone is turned clockwise from
    /// the direction of the upper one, as seen in a character that is not mirrored, and with a negative one
    /// counterclockwise; at `0.0`, the default, as in the rest pose. It poses the limb once, as an animation would, and
    /// needs no rig. Returns `true` if the end is there.
    #[func]
    fn pose_limb(
        upper: Option<Gd<Bone2D>>,
        lower: Option<Gd<Bone2D>>,
        point: Vector2,
        #[opt(default = 0.0)] bend: f32,
    ) -> bool {
        let (Some(upper), Some(lower)) = (upper, lower) else {
            refuse("pose_limb", &null("a bone"));
            return false;
        };
        if !is_usable(&upper) {
            return false;
        }
        if !point.is_finite() || !bend.is_finite() {
            refuse("pose_limb", &not_finite("the point or the bend"));
            return false;
        }
        let line = line_between(&upper, &lower).filter(|line| line.len() > 1);
        let Some(line) = line else {
            refuse("pose_limb", "lower is not below upper.");
            return false;
        };
        pose(line, point, bend)
    }

    /// Rigs a whole character: adds a [TendonTwoBoneIK2D] for each arm and leg, a [TendonLookAt2D] for the head and a
    /// [TendonSpring2D] for each tail, hair and ear, which it knows by the names of the bones, in six languages, or by
    /// pairs of lines that are alike. They are called after the limb, as `LeftArmIK`, and have targets, as
    /// `LeftHandTarget`: those of hands and of the head move with the chest, those of feet stay on the ground, beside
    /// the skeleton, and keep the feet flat. A head that points up looks with its face, to the side to which the feet point.
    /// Nothing moves. Returns the rig, a new one or the one that [param skeleton] has, or [code]null[/code] with a
    /// message. What modifiers turn already is left as it is. **Rig a Character…** in the Tendon menu does the same.
    ///
    /// With [param feet], a [TendonFootPlacement2D] puts the legs on the ground, which then follow their animation and
    /// have no targets. With [param limits], joints without a [TendonJointLimit2D] get one, which contains the poses of the
    /// animations of the scene: elbows and knees bend to the side to which they bend at rest.
    #[func]
    fn rig_character(
        skeleton: Option<Gd<Skeleton2D>>,
        #[opt(default = false)] feet: bool,
        #[opt(default = false)] limits: bool,
    ) -> Option<Gd<TendonRig2D>> {
        let Some(skeleton) = skeleton else {
            refuse("rig_character", &null("the skeleton"));
            return None;
        };
        if !is_usable(&skeleton) {
            return None;
        }
        match Character::of(&skeleton) {
            Ok(character) => Some(character.add(Extras { feet, limits }, None, &mut AtOnce)),
            Err(reason) => {
                refuse("rig_character", &reason);
                None
            }
        }
    }
}

/// Turns the ends of `line` so that its tip comes to `point`, a global one.
fn pose(line: Vec<Gd<Bone2D>>, point: Vector2, bend: f32) -> bool {
    let (Some(upper), Some(lower)) = (line.first(), line.last()) else {
        return false;
    };
    let above = frame_in(upper, None) * upper.get_transform().affine_inverse();
    let target = frame_of(above).inverse().transform_point2(to_solver(point));
    let bones = line.iter().enumerate().map(|(index, bone)| Bone {
        position: to_solver(bone.get_position()),
        rotation: bone.get_rotation(),
        scale: to_solver(bone.get_scale()),
        skew: bone.get_skew(),
        ..Bone::below(index.checked_sub(1))
    });
    let last = line.len() - 1;
    let tip = end_of(lower);
    let place = |bone: Option<usize>, position: Vec2| Point { bone, position };
    let end = End::Point(place(Some(last), to_solver(tip)));
    let mut limb = TwoBone::new([0, last], end, place(None, target));
    limb.settings.flip_bend_direction = match bend {
        0.0 => LimbBones { upper, lower, tip }.rests_flipped(),
        bend => bend < 0.0,
    };
    let mut rig = Rig::new(bones.collect(), vec![Modifier::new(limb)]);
    rig.solve(&mut Workspace::default());
    let report = rig.modifiers[0].report;
    if report.status == Status::Invalid {
        return false;
    }
    for index in [0, last] {
        // Turning a bone may run scripts, which may free others. A copy of what was freed panics.
        if line[index].is_instance_valid() {
            line[index].clone().set_rotation(rig.rotation(index));
        }
    }
    report.status == Status::Reached
}
