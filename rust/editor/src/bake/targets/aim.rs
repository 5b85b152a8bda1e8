//! Where a target has to be for a modifier to leave a pose as it is.

use godot::classes::{Bone2D, Node2D};
use godot::prelude::*;
use tendon_nodes::engine::bone_lines::end_of;
use tendon_nodes::engine::skeleton::child_bones;
use tendon_nodes::engine::space::frame_above;

use crate::modifiers::MenuModifier;
use crate::refusal::Refusal;

/// A target, and what it follows.
pub(crate) struct BakedTarget {
    pub(crate) target: Gd<Node2D>,
    follows: Follows,
}

/// The part of a pose that a target follows.
enum Follows {
    /// The tip of a chain, and the direction of a bone if the modifier takes over the target's.
    Tip {
        tip: ChainEnd,
        direction: Option<Gd<Bone2D>>,
    },
    /// The line of a bone that looks at it, turned back by an angle in the frame of its parent; at this
    /// distance from its joint. With a `sight`, the X axis of that node, at this distance from there.
    Line {
        bone: Gd<Bone2D>,
        back: f32,
        distance: f32,
        sight: Option<Gd<Node2D>>,
    },
}

/// The end of a chain.
pub(crate) enum ChainEnd {
    Node(Gd<Node2D>),
    EndOf(Gd<Bone2D>),
}

impl ChainEnd {
    /// That of `node`, a modifier or an effector, whose last bone is `last`.
    pub(crate) fn of(node: &Gd<Node>, last: &Gd<Bone2D>) -> Self {
        match node.get("tip").try_to() {
            Ok(tip) => Self::Node(tip),
            Err(_) => Self::EndOf(last.clone()),
        }
    }

    pub(crate) fn global_position(&self) -> Vector2 {
        match self {
            Self::Node(node) => node.get_global_position(),
            Self::EndOf(bone) => bone.get_global_transform() * end_of(bone),
        }
    }
}

/// The targets of `modifiers`, each with the part of the pose that it follows.
///
/// # Errors
/// Why a modifier cannot be baked, with advice what to do.
pub(super) fn aims_of(modifiers: &[Gd<Node>]) -> Result<Vec<BakedTarget>, Refusal> {
    if modifiers.is_empty() {
        return Err("Choose a modifier with a target.".into());
    }
    let mut aims: Vec<BakedTarget> = Vec::new();
    for node in modifiers {
        let aim = BakedTarget::of(node)?;
        if aims.iter().any(|other| other.target == aim.target) {
            return Err(format!(
                "\"{}\" is the target of several modifiers. Give each one of its own, or choose one of \
                 them.",
                aim.target.get_name()
            ).into());
        }
        aims.push(aim);
    }
    Ok(aims)
}

impl BakedTarget {
    /// The target of `node`, a modifier or an effector, with the part of the pose that it follows.
    ///
    /// # Errors
    /// Why there is none, with advice what to do.
    pub(crate) fn of(node: &Gd<Node>) -> Result<Self, Refusal> {
        let name = node.get_name();
        let target = node.get("target").try_to::<Gd<Node2D>>();
        let target = target.map_err(|_| format!("\"{name}\" has no target."))?;
        let last = last_bone(node).ok_or_else(|| format!("\"{name}\" lacks a bone."))?;
        let follows = match node.is_class("TendonLookAt2D") {
            true => Follows::Line {
                back: node.get("additional_rotation").try_to().unwrap_or_default(),
                distance: target
                    .get_global_position()
                    .distance_to(last.get_global_position()),
                sight: node.get("tip").try_to().ok(),
                bone: last,
            },
            false => {
                let tip = ChainEnd::of(node, &last);
                let matches = node.get("match_target_rotation") == true.to_variant();
                let direction = matches.then(|| headed_bone(node, &last, &tip)).flatten();
                Follows::Tip { tip, direction }
            }
        };
        Ok(Self { target, follows })
    }

    /// Returns `true` if the target's rotation counts.
    pub(crate) fn turns(&self) -> bool {
        let Follows::Tip { direction, .. } = &self.follows else {
            return false;
        };
        direction.is_some()
    }

    /// Returns `true` if `bone` turns when the target is turned.
    pub(crate) fn turns_bone(&self, bone: &Gd<Bone2D>) -> bool {
        matches!(&self.follows, Follows::Tip { direction, .. } if direction.as_ref() == Some(bone))
    }

    /// The bone at the tip that turns about its joint when the target is turned.
    pub(crate) fn turned_bone(&self) -> Option<&Gd<Bone2D>> {
        let Follows::Tip { tip, direction } = &self.follows else {
            return None;
        };
        let at_tip = |bone: &&Gd<Bone2D>| match tip {
            ChainEnd::Node(tip) => tip.instance_id() == bone.instance_id(),
            ChainEnd::EndOf(last) => last != *bone,
        };
        direction.as_ref().filter(at_tip)
    }

    /// The rotation with which the target's X axis has the global direction `direction`.
    pub(crate) fn angle_along(&self, direction: Vector2) -> f64 {
        let side = self.target.get_scale().x.signum();
        let into_parent = frame_above(&self.target).affine_inverse();
        f64::from((into_parent.basis_xform(direction) * side).angle())
    }

    /// The position and the rotation of the target for the pose that the bones hold.
    pub(crate) fn place(&self) -> (Vector2, f64) {
        let into_parent = frame_above(&self.target).affine_inverse();
        let (place, direction) = match &self.follows {
            Follows::Tip { tip, direction } => {
                let direction = direction.as_ref().map(|bone| bone.get_global_transform().a);
                (tip.global_position(), direction)
            }
            Follows::Line {
                bone,
                back,
                distance,
                sight,
            } => {
                let above = bone.get_global_transform() * bone.get_transform().affine_inverse();
                if let Some(sight) = sight {
                    let sight = sight.get_global_transform();
                    let line = sight.a.try_normalized().unwrap_or(Vector2::RIGHT);
                    let seen = above.affine_inverse() * (sight.origin + line * *distance);
                    let way = (seen - bone.get_position()).rotated(-*back);
                    return (into_parent * (above * (bone.get_position() + way)), 0.0);
                }
                let local = bone.get_transform().basis_xform(end_of(bone));
                let line = above.basis_xform(local.rotated(-*back));
                // A target nearer than the bone's end makes the bone hasty.
                let distance = distance.max(line.length());
                let way = line.try_normalized().unwrap_or(Vector2::RIGHT);
                (bone.get_global_position() + way * distance, None)
            }
        };
        let angle = direction.map_or(0.0, |direction| self.angle_along(direction));
        (into_parent * place, angle)
    }
}

/// The last bone of `node`, a modifier or an effector.
fn last_bone(node: &Gd<Node>) -> Option<Gd<Bone2D>> {
    match MenuModifier::end_bones(node) {
        Some([_, last]) => last,
        None => node.get("tip_bone").try_to().ok(),
    }
}

/// The bone of a modifier that turns like its target: for two bones the one at the tip, else the last.
fn headed_bone(node: &Gd<Node>, last: &Gd<Bone2D>, tip: &ChainEnd) -> Option<Gd<Bone2D>> {
    if !node.is_class("TendonTwoBoneIK2D") {
        return Some(last.clone());
    }
    match tip {
        ChainEnd::Node(tip) => tip.clone().try_cast().ok(),
        ChainEnd::EndOf(bone) => child_bones(bone).next(),
    }
}
