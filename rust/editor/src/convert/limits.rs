//! Converts the angle constraints of modifications to joint limits.

use godot::classes::Bone2D;
use godot::prelude::*;
use tendon_nodes::engine::skeleton::has_rest;
use tendon_nodes::nodes::joint_limit::{Space, limit_on};
use tendon_nodes::nodes::rigging::angles::Degrees;
use tendon_nodes::nodes::rigging::names;

use crate::convert::Converter;
use crate::convert::constraint_arc::WHOLE;
use crate::convert::stack_reader::OldConstraint;

const NO_REST: &str = "limits count from the rest pose, and it has none. Give the skeleton one \
    (Skeleton2D > Overwrite Rest Pose), undo, and convert again.";

const FIXED: &str = "the limit is fixed to the skeleton, as it stands now.";

impl Converter<'_> {
    /// Gives `bone` a limit in place of a constraint.
    pub(super) fn limit(&mut self, name: &str, bone: &Gd<Bone2D>, constraint: &OldConstraint) {
        let about = format!("the constraint of the bone \"{}\"", bone.get_name());
        let has_one = self.limits.iter().any(|(limited, _)| limited == bone);
        if constraint.allowed.is_whole() {
            return;
        }
        if has_one || limit_on(bone).is_some() {
            return self.note(
                name,
                format!("{about} was left out: it has a limit already."),
            );
        }
        if !has_rest(bone) {
            return self.note(name, format!("{about} was left out: {NO_REST}"));
        }
        let space = match constraint.is_local {
            true => Space::Parent,
            false => Space::Skeleton,
        };
        let arc = match space {
            Space::Parent => constraint.allowed.around(direction(bone.get_rest())),
            Space::Skeleton => {
                self.note(name, format!("{about} was fixed to the screen; {FIXED}"));
                let to_skeleton = self
                    .selection
                    .skeleton
                    .get_global_transform()
                    .affine_inverse();
                let turned = |angle: f64| {
                    let along = Vector2::from_angle(angle as f32);
                    f64::from(to_skeleton.basis_xform(along).angle())
                };
                let mirrored = to_skeleton.determinant() < 0.0;
                let arc = constraint.allowed.mapped(turned, mirrored);
                arc.around(direction(bone.get_skeleton_rest()))
            }
        };
        let arc = if arc.is_whole() { WHOLE } else { arc };
        let mut limit = Degrees::USUAL.limit();
        limit.set("min_angle", &arc.from.to_variant());
        limit.set("max_angle", &arc.to.to_variant());
        limit.set("space", &(space as i64).to_variant());
        self.limits.push((bone.clone(), limit.upcast()));
    }

    /// Notes that a limit now applies to every modifier that turns the bone.
    pub(super) fn note_shared_limits(&mut self) {
        let is_shared = |bone: &Gd<Bone2D>| {
            let turned = self.modifiers.iter().flat_map(|made| &made.bones);
            turned.filter(|turned| *turned == bone).count() > 1
        };
        let bones = self.limits.iter().map(|(bone, _)| bone.clone());
        let shared: Vec<_> = bones.filter(is_shared).collect();
        if !shared.is_empty() {
            self.notes.push(format!(
                "More than one modifier turns {}. A joint limit belongs to the bone, and all \
                 of them obey it.",
                names(shared)
            ));
        }
    }
}

/// The direction of the X axis in radians.
fn direction(transform: Transform2D) -> f64 {
    f64::from(transform.a.angle())
}
