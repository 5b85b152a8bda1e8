//! A modifier that reaches, or an effector of one, with the bones that it brings to its target.

use godot::classes::Bone2D;
use godot::prelude::*;
use tendon_nodes::engine::bone_lines::{end_of, parent_bone};
use tendon_nodes::engine::node_place::NodePlace;
use tendon_nodes::engine::space::frame_above;
use tendon_nodes::nodes::pose_library::held_nodes::FLIPS;
use tendon_nodes::nodes::rig::TendonRig2D;
use tendon_nodes::nodes::rigging::names;
use tendon_nodes::plan::rest_bend::LimbBones;

use crate::bake::targets::aim::Aim;
use crate::modifiers::MenuModifier;
use crate::refusal::Refusal;
use crate::selection::all_below;

/// The input that a limb is to follow.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Kinematics {
    /// The angles of its bones.
    Forward,
    /// A target.
    Inverse,
}

/// A modifier or an effector that reaches, and the ends of its limb.
pub(super) struct Reach {
    pub(super) modifier: Gd<Node>,
    /// The modifier, or an effector below it.
    node: Gd<Node>,
    first: Gd<Bone2D>,
    last: Gd<Bone2D>,
}

impl Reach {
    /// All modifiers of `rig` that reach, each before its effectors.
    pub(super) fn of_rig(rig: &Gd<TendonRig2D>) -> Vec<Self> {
        let mut reaches = Vec::new();
        for modifier in all_below::<Node>(&rig.clone().upcast()) {
            // What reaches has this property.
            let reaches_out = !modifier.get("target_position").is_nil();
            let Some([Some(first), Some(last)]) = MenuModifier::end_bones(&modifier) else {
                continue;
            };
            if !reaches_out {
                continue;
            }
            let first = modifier.get("chain_root").try_to().unwrap_or(first);
            let below = modifier.get_children();
            let effectors = below.iter_shared().filter_map(|node| {
                let last = node.get("tip_bone").try_to::<Gd<Bone2D>>().ok()?;
                Some((node, last))
            });
            let own = std::iter::once((modifier.clone(), last));
            reaches.extend(own.chain(effectors).map(|(node, last)| Self {
                modifier: modifier.clone(),
                node,
                first: first.clone(),
                last,
            }));
        }
        reaches
    }

    /// The modifiers, of `all`, that pose `bones`, or that are selected themselves or by their targets, which
    /// are among `nodes`. A bone beyond the end of all limbs belongs to the nearest one.
    pub(super) fn modifiers_of(
        all: &[Self],
        bones: &[Gd<Bone2D>],
        nodes: &[Gd<Node>],
    ) -> Vec<Gd<Node>> {
        let mut modifiers = Vec::new();
        let mut choose = |reach: &Self| {
            if !modifiers.contains(&reach.modifier) {
                modifiers.push(reach.modifier.clone());
            }
        };
        for reach in all {
            let target = reach.target().map(Gd::upcast);
            let is_meant = |node| [Some(&reach.node), target.as_ref()].contains(&Some(node));
            if nodes.iter().any(is_meant) {
                choose(reach);
            }
        }
        for bone in bones {
            let mut line = std::iter::successors(Some(bone.clone()), parent_bone);
            let nearest = line.find(|bone| all.iter().any(|reach| reach.holds(bone)));
            if let Some(bone) = nearest {
                all.iter()
                    .filter(|reach| reach.holds(&bone))
                    .for_each(&mut choose);
            }
        }
        modifiers
    }

    /// Checks that it can be switched beside `others`, which stay as they are.
    ///
    /// # Errors
    /// Returns an error that says what to do first.
    pub(super) fn check(&self, others: &[Self], to: Kinematics) -> Result<(), Refusal> {
        let name = self.node.get_name();
        let Some(target) = self.target() else {
            return Err(match to {
                Kinematics::Inverse => {
                    format!("\"{name}\" has no target. Give it one first.").into()
                }
                Kinematics::Forward => {
                    format!("\"{name}\" has no target, and poses nothing.").into()
                }
            });
        };
        let mut followers = others.iter().filter(|other| !is_at_rest(&other.modifier));
        let other = followers.find(|other| other.target().as_ref() == Some(&target));
        match (to, other) {
            (Kinematics::Inverse, Some(other)) => Err(format!(
                "{} would move, too: it follows the target \"{}\", which has to go to where the limb is. Give \
                 each a target of its own.",
                names([other.node.clone()]),
                target.get_name()
            ).into()),
            (Kinematics::Inverse, None) if target.is_class("Bone2D") => Err(format!(
                "The target of \"{name}\" is a bone, which has to stay. Give it a target of its own."
            ).into()),
            _ => Ok(()),
        }
    }

    pub(super) fn is_effector(&self) -> bool {
        self.node != self.modifier
    }

    pub(super) fn target(&self) -> Option<Gd<Node2D>> {
        self.node.get("target").try_to().ok()
    }

    /// Returns `true` if `bone` is one of those from its first bone to its last.
    fn holds(&self, bone: &Gd<Bone2D>) -> bool {
        is_within(bone, &self.first) && is_within(&self.last, bone)
    }

    /// Returns `true` if it may change the pose of `bone`: also of one that begins where it ends, which may turn like
    /// the target, and is moved where the limb is stretched.
    pub(super) fn poses(&self, bone: &Gd<Bone2D>) -> bool {
        let begins_at_end = || {
            let tip = self.node.get("tip").try_to::<Gd<Node>>().ok();
            let is_tip = tip.is_some_and(|tip| tip == bone.clone().upcast());
            let is_at_end = bone.get_position().distance_to(end_of(&self.last)) < 0.01;
            parent_bone(bone).is_some_and(|parent| parent == self.last) && (is_tip || is_at_end)
        };
        self.holds(bone) || begins_at_end()
    }

    /// Returns the places that its target and its pole need for the pose that the bones hold.
    pub(super) fn places(&self) -> Vec<NodePlace> {
        let Ok(aim) = Aim::of(&self.node) else {
            return Vec::new();
        };
        let (position, angle) = aim.place();
        let mut target = NodePlace::of(&aim.target);
        target.position = position;
        if aim.turns() {
            target.rotation = angle as f32;
        }
        std::iter::once(target).chain(self.pole()).collect()
    }

    /// The pole at the side to which the limb bends now, if it is at the other one.
    fn pole(&self) -> Option<NodePlace> {
        let pole = self.node.get("pole").try_to::<Gd<Node2D>>().ok()?;
        let [root, elbow] = [&self.first, &self.last].map(|bone| bone.get_global_position());
        let line = (self.tip() - root).try_normalized()?;
        let [bend, side] = [elbow, pole.get_global_position()].map(|at| line.cross(at - root));
        let is_straight = bend.abs() < 1e-3 * root.distance_to(elbow);
        if is_straight || bend * side > 0.0 || pole.is_class("Bone2D") {
            return None;
        }
        let across = Vector2::new(-line.y, line.x);
        let mirrored = pole.get_global_position() - across * (2.0 * side);
        let mut place = NodePlace::of(&pole);
        place.position = frame_above(&pole).affine_inverse() * mirrored;
        Some(place)
    }

    /// Returns the value that `flip_bend_direction` needs for the side to which the limb bends now, if that is another
    /// value.
    pub(super) fn flips(&self) -> Option<bool> {
        let flips = self.node.get(FLIPS).try_to::<bool>().ok()?;
        let has_pole = self.node.get("pole").try_to::<Gd<Node2D>>().is_ok();
        let limb = LimbBones {
            upper: &self.first,
            lower: &self.last,
            tip: self.last.get_global_transform().affine_inverse() * self.tip(),
        };
        let is_flipped = limb.flipped_now()?;
        (is_flipped != flips && !has_pole).then_some(is_flipped)
    }

    /// Returns the end of the limb now, in global coordinates.
    fn tip(&self) -> Vector2 {
        match self.node.get("tip").try_to::<Gd<Node2D>>() {
            Ok(tip) => tip.get_global_position(),
            Err(_) => self.last.get_global_transform() * end_of(&self.last),
        }
    }
}

/// Returns `true` if a modifier leaves its limb alone.
pub(super) fn is_at_rest(modifier: &Gd<Node>) -> bool {
    modifier.get("active") != true.to_variant() || influence_of(modifier) == 0.0
}

pub(super) fn influence_of(modifier: &Gd<Node>) -> f32 {
    modifier.get("influence").try_to().unwrap_or_default()
}

/// Returns `true` if `bone` is `top` or below it.
fn is_within(bone: &Gd<Bone2D>, top: &Gd<Bone2D>) -> bool {
    std::iter::successors(Some(bone.clone()), parent_bone).any(|bone| bone == *top)
}
