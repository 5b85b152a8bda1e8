//! A modifier that reaches, or an effector of one, with the bones that it brings to its target.

use godot::classes::Bone2D;
use godot::prelude::*;
use tendon_nodes::engine::bone_lines::{end_of, parent_bone};
use tendon_nodes::engine::children::all_below;
use tendon_nodes::engine::node_pose::NodePose;
use tendon_nodes::engine::space::frame_above;
use tendon_nodes::nodes::pose_library::held_nodes::FLIPS;
use tendon_nodes::nodes::rig::TendonRig2D;
use tendon_nodes::nodes::rigging::names;
use tendon_nodes::plan::rest_bend::LimbBones;

use crate::bake::targets::aim::{BakedTarget, ChainEnd};
use crate::modifiers::MenuModifier;
use crate::refusal::Refusal;

/// `STATUS_OUT_OF_REACH`, as all modifiers have it.
const OUT_OF_REACH: i64 = 2;

/// The input that a limb is to follow.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Kinematics {
    /// The angles of its bones.
    Forward,
    /// A target.
    Inverse,
}

/// A modifier or an effector that reaches, and the ends of its limb.
pub(crate) struct ReachingLimb {
    pub(crate) modifier: Gd<Node>,
    /// The modifier, or an effector below it.
    pub(crate) node: Gd<Node>,
    pub(crate) first: Gd<Bone2D>,
    pub(crate) last: Gd<Bone2D>,
}

impl ReachingLimb {
    /// All modifiers of `rig` that have a target of their own, each before its effectors.
    pub(crate) fn of_rig(rig: &Gd<TendonRig2D>) -> Vec<Self> {
        let mut modifiers = all_below::<Node>(&rig.clone().upcast());
        modifiers.retain(reaches_out);
        modifiers.iter().flat_map(Self::of_modifier).collect()
    }

    /// `modifier`, if it has a target of its own, and its effectors.
    fn of_modifier(modifier: &Gd<Node>) -> Vec<Self> {
        let Some([Some(first), Some(last)]) = MenuModifier::end_bones(modifier) else {
            return Vec::new();
        };
        let first = modifier.get("chain_root").try_to().unwrap_or(first);
        let below = modifier.get_children();
        let effectors = below.iter_shared().filter_map(|node| {
            let last = node.get("tip_bone").try_to::<Gd<Bone2D>>().ok()?;
            Some((node, last))
        });
        let own = reaches_out(modifier).then(|| (modifier.clone(), last));
        let reaches = own.into_iter().chain(effectors).map(|(node, last)| Self {
            modifier: modifier.clone(),
            node,
            first: first.clone(),
            last,
        });
        reaches.collect()
    }

    /// Returns who of `modifier` brings `bone` to a target: itself, or the only one of its effectors that is beyond the bone.
    pub(crate) fn beyond(bone: &Gd<Bone2D>, modifier: &Gd<Node>) -> Option<Self> {
        let mut all = Self::of_modifier(modifier);
        all.retain(|reach| reach.target().is_some() && is_within(&reach.last, bone));
        let is_clear = all.len() == 1 || all.first().is_some_and(|it| !it.is_effector());
        all.into_iter().next().filter(|_| is_clear)
    }

    /// The bones that it brings to the target, the last one first.
    pub(crate) fn line(&self) -> impl Iterator<Item = Gd<Bone2D>> {
        let first = self.first.clone();
        let below = move |bone: &Gd<Bone2D>| parent_bone(bone).filter(|_| *bone != first);
        std::iter::successors(Some(self.last.clone()), below)
    }

    /// Returns `true` if the tip does not get there.
    pub(crate) fn is_out_of_reach(&self) -> bool {
        self.modifier.clone().call("get_status", &[]) == OUT_OF_REACH.to_variant()
    }

    /// The modifiers, of `all`, that pose `bones`, or that are selected themselves or by their targets, which
    /// are among `nodes`. A bone beyond the end of all limbs belongs to the nearest one.
    pub(crate) fn modifiers_of(
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
    pub(crate) fn check(&self, others: &[Self], to: Kinematics) -> Result<(), Refusal> {
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

    pub(crate) fn is_effector(&self) -> bool {
        self.node != self.modifier
    }

    pub(crate) fn target(&self) -> Option<Gd<Node2D>> {
        self.node.get("target").try_to().ok()
    }

    /// Returns `true` if `bone` is one of those from its first bone to its last.
    fn holds(&self, bone: &Gd<Bone2D>) -> bool {
        is_within(bone, &self.first) && is_within(&self.last, bone)
    }

    /// Returns `true` if it may change the pose of `bone`: also of one that begins where it ends, which may turn like
    /// the target, and is moved where the limb is stretched.
    pub(crate) fn poses(&self, bone: &Gd<Bone2D>) -> bool {
        let begins_at_end = || {
            let tip = self.node.get("tip").try_to::<Gd<Node>>().ok();
            let is_tip = tip.is_some_and(|tip| tip == bone.clone().upcast());
            let is_at_end = bone.get_position().distance_to(end_of(&self.last)) < 0.01;
            parent_bone(bone).is_some_and(|parent| parent == self.last) && (is_tip || is_at_end)
        };
        self.holds(bone) || begins_at_end()
    }

    /// Returns the places that its target and its pole need for the pose that the bones hold.
    pub(crate) fn places(&self) -> Vec<NodePose> {
        let Ok(aim) = BakedTarget::of(&self.node) else {
            return Vec::new();
        };
        let (position, angle) = aim.place();
        let mut target = NodePose::of(&aim.target);
        target.position = position;
        if aim.turns() {
            target.rotation = angle as f32;
        }
        std::iter::once(target).chain(self.pole()).collect()
    }

    /// The pole at the side to which the limb bends now, if it is at the other one.
    fn pole(&self) -> Option<NodePose> {
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
        let mut place = NodePose::of(&pole);
        place.position = frame_above(&pole).affine_inverse() * mirrored;
        Some(place)
    }

    /// Returns the value that `flip_bend_direction` needs for the side to which the limb bends now, if that is another
    /// value.
    pub(crate) fn flips(&self) -> Option<bool> {
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
    pub(crate) fn tip(&self) -> Vector2 {
        ChainEnd::of(&self.node, &self.last).global_position()
    }
}

/// Returns `true` if a modifier has a target of its own, whether it is set or not.
fn reaches_out(modifier: &Gd<Node>) -> bool {
    !modifier.get("target_position").is_nil()
}

/// Returns `true` if a modifier leaves its limb alone.
pub(crate) fn is_at_rest(modifier: &Gd<Node>) -> bool {
    modifier.get("active") != true.to_variant() || influence_of(modifier) == 0.0
}

pub(crate) fn influence_of(modifier: &Gd<Node>) -> f32 {
    modifier.get("influence").try_to().unwrap_or_default()
}

/// Returns `true` if `bone` is `top` or below it.
fn is_within(bone: &Gd<Bone2D>, top: &Gd<Bone2D>) -> bool {
    std::iter::successors(Some(bone.clone()), parent_bone).any(|bone| bone == *top)
}
