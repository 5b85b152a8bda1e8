//! Nodes that the modifiers of a rig follow, as targets: where they are is a part of a pose, and to which side a limb
//! bends on the way there.

use godot::classes::{Bone2D, Skeleton2D};
use godot::global::angle_difference;
use godot::prelude::*;
use serde::{Deserialize, Serialize};

use crate::engine::children::all_below;
use crate::engine::node_pose::NodePose;
use crate::engine::skeleton::skeleton_of_bone;
use crate::engine::space::frame_above;
use crate::engine::threads::with_ancestors;
use crate::nodes::pose_library::deviation::{kept, names_in_pose};
use crate::nodes::rig::skeleton::rig_of;

/// The properties of modifiers that name a node to follow.
const FOLLOWED: [&str; 5] = ["target", "pole", "leader", "pin", "source"];

/// Those that name the first and the last bone that a modifier turns.
const FIRST: [&str; 4] = ["root_bone", "bone_one", "chain_root", "bone"];
const LAST: [&str; 3] = ["tip_bone", "bone_two", "bone"];

/// The property that says to which side a limb bends.
pub const FLIPS: &str = "flip_bend_direction";

/// A node that modifiers follow.
pub struct HeldNode {
    /// Its name in a pose: its path from the skeleton, where several have one name.
    pub name: String,
    /// The node itself.
    pub node: Gd<Node2D>,
    /// The modifiers that follow it.
    pub followers: Vec<FollowingModifier>,
    /// The bone that carries it, or the skeleton.
    pub frame: Gd<Node2D>,
}

/// A modifier that follows a node.
pub struct FollowingModifier {
    modifier: Gd<Node>,
    /// The property that names the node.
    pub property: &'static str,
    first: Option<Gd<Bone2D>>,
    /// The last bone that it turns.
    pub last: Option<Gd<Bone2D>>,
}

/// All nodes that the rig of `skeleton` follows, but for bones.
pub fn held_nodes(skeleton: &Gd<Skeleton2D>) -> Vec<HeldNode> {
    let mut held = Vec::<HeldNode>::new();
    for modifier in modifiers_of(skeleton) {
        let [first, last] = ends_of(&modifier);
        for property in FOLLOWED {
            let Some(node) = followed(&modifier, property, skeleton) else {
                continue;
            };
            let follower = FollowingModifier {
                modifier: modifier.clone(),
                property,
                first: first.clone(),
                last: last.clone(),
            };
            match held.iter_mut().find(|held| held.node == node) {
                Some(held) => held.followers.push(follower),
                None => held.push(HeldNode {
                    name: String::new(),
                    frame: frame_of(&node, skeleton),
                    node,
                    followers: vec![follower],
                }),
            }
        }
    }
    let nodes: Vec<_> = held.iter().map(|held| held.node.clone()).collect();
    for (held, name) in held.iter_mut().zip(names_in_pose(skeleton, &nodes)) {
        held.name = name;
    }
    held
}

/// The modifiers that follow something that a pose cannot hold: a path.
pub fn followers_of_paths(skeleton: &Gd<Skeleton2D>) -> Vec<Gd<Node>> {
    let mut modifiers = modifiers_of(skeleton);
    modifiers.retain(|modifier| !modifier.get("path_2d").is_nil());
    modifiers
}

/// What is below the rig of `skeleton`.
pub(in crate::nodes) fn modifiers_of(skeleton: &Gd<Skeleton2D>) -> Vec<Gd<Node>> {
    let rig = rig_of(skeleton);
    rig.map_or_else(Vec::new, |rig| all_below(&rig.upcast()))
}

/// The node that `modifier` follows, if it can be moved by itself.
fn followed(modifier: &Gd<Node>, property: &str, skeleton: &Gd<Skeleton2D>) -> Option<Gd<Node2D>> {
    let node = modifier.get(property).try_to::<Gd<Node2D>>().ok()?;
    let is_part = node.is_class("Bone2D") || node == skeleton.clone().upcast();
    let is_free = !is_part && node.is_inside_tree() && !node.is_ancestor_of(skeleton);
    is_free.then_some(node)
}

/// The first and the last bone that a modifier turns.
pub(in crate::nodes) fn ends_of(modifier: &Gd<Node>) -> [Option<Gd<Bone2D>>; 2] {
    [&FIRST[..], &LAST].map(|properties| {
        let mut bones = properties.iter();
        bones.find_map(|property| modifier.get(*property).try_to().ok())
    })
}

/// The bone of `skeleton` that carries `node`, or the skeleton.
fn frame_of(node: &Gd<Node2D>, skeleton: &Gd<Skeleton2D>) -> Gd<Node2D> {
    let above = node.clone().upcast::<Node>();
    let mut bones = with_ancestors(&above).filter_map(|node| node.try_cast::<Bone2D>().ok());
    let carrier = bones.find(|bone| skeleton_of_bone(bone).as_ref() == Some(skeleton));
    carrier.map_or_else(|| skeleton.clone().upcast(), Gd::upcast)
}

impl HeldNode {
    /// Returns `true` if a modifier that follows it turns `bone`.
    pub fn moves(&self, bone: &Gd<Bone2D>) -> bool {
        self.followers.iter().any(|follower| follower.turns(bone))
    }

    /// The sides to which the limbs bend whose target it is.
    pub fn bends(&self) -> Vec<Flip> {
        let mut followers: Vec<_> = self.followers.iter().collect();
        followers.retain(|it| it.property == "target" && it.modifier.is_instance_valid());
        let bends = followers.into_iter();
        bends.filter_map(|it| Flip::of(&it.modifier)).collect()
    }

    /// From the frame of what is above the node to that of its bone, or of the skeleton.
    fn to_frame(&self) -> Transform2D {
        self.frame.get_global_transform().affine_inverse() * frame_above(&self.node)
    }
}

impl FollowingModifier {
    fn turns(&self, bone: &Gd<Bone2D>) -> bool {
        let ends = [self.first.as_ref(), self.last.as_ref()];
        let is_end = ends.contains(&Some(bone));
        let is_between = ends[0].is_some_and(|first| first.is_ancestor_of(bone))
            && ends[1].is_some_and(|last| bone.is_ancestor_of(last));
        is_end || is_between
    }
}

/// The side to which a limb bends.
#[derive(Clone)]
pub struct Flip {
    /// The modifier of the limb.
    pub modifier: Gd<Node>,
    /// `true` if it bends to the other side than in its rest pose.
    pub flips: bool,
}

impl Flip {
    /// The side to which the limb of `modifier` bends now, if that can be chosen.
    pub fn of(modifier: &Gd<Node>) -> Option<Self> {
        let flips = modifier.get(FLIPS).try_to().ok()?;
        let modifier = modifier.clone();
        Some(Self { modifier, flips })
    }

    /// Has it bend to this side, unless it was freed.
    pub fn restore(&self) {
        if self.modifier.is_instance_valid() {
            self.modifier.clone().set(FLIPS, &self.flips.to_variant());
        }
    }
}

/// The place of a held node, in the frame of the bone that carries it, or of the skeleton.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Placement {
    /// In pixels.
    pub position: [f32; 2],
    /// In radians.
    pub rotation: f32,
    /// `true` if limbs bend to the other side than in their rest pose on the way there; `None` if that cannot be
    /// chosen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub flips: Option<bool>,
}

impl Placement {
    /// The present place of `held`.
    pub fn of(held: &HeldNode) -> Self {
        let to_frame = held.to_frame();
        let position = to_frame * held.node.get_position();
        let direction = Vector2::from_angle(held.node.get_rotation());
        Self {
            position: [position.x, position.y],
            rotation: to_frame.basis_xform(direction).angle(),
            flips: held.bends().first().map(|bend| bend.flips),
        }
    }

    /// The sides to which limbs bend on the way from the present place to this one: those of the nearer one.
    pub fn bends(&self, held: &HeldNode, weight: f32) -> Vec<Flip> {
        let mut bends = held.bends();
        if let Some(flips) = self.flips.filter(|_| weight >= 0.5) {
            bends.iter_mut().for_each(|bend| bend.flips = flips);
        }
        bends
    }

    /// Returns `true` if all its numbers are finite.
    pub fn is_finite(&self) -> bool {
        let [x, y] = self.position;
        [x, y, self.rotation].iter().all(|it| it.is_finite())
    }

    /// The place on the way from the present one to this one, if it is another: 1 is there.
    pub fn change(&self, held: &HeldNode, weight: f32) -> Option<NodePose> {
        let now = NodePose::of(&held.node);
        let from_frame = held.to_frame().affine_inverse();
        let [x, y] = self.position;
        let position = now.position.lerp(from_frame * Vector2::new(x, y), weight);
        let direction = from_frame.basis_xform(Vector2::from_angle(self.rotation));
        let turn = angle_difference(f64::from(now.rotation), f64::from(direction.angle()));
        let rotation = now.rotation + turn as f32 * weight;
        if !position.is_finite() || !rotation.is_finite() {
            return None;
        }
        let after = NodePose {
            position: kept(now.position, position),
            rotation: kept(now.rotation, rotation),
            ..now.clone()
        };
        after.differs(&now).then_some(after)
    }

    /// As a resource has it.
    pub(super) fn to_dictionary(self) -> VarDictionary {
        let [x, y] = self.position;
        let mut data = vdict! { "position" => Vector2::new(x, y), "rotation" => self.rotation };
        if let Some(flips) = self.flips {
            data.set(FLIPS, flips);
        }
        data
    }

    /// The place that a resource has. `None` if it has none.
    pub(super) fn from_dictionary(data: &VarDictionary) -> Option<Self> {
        let position = data.get("position")?.try_to_relaxed::<Vector2>().ok()?;
        let rotation = data.get("rotation")?.try_to_relaxed::<f64>().ok()? as f32;
        let placement = Self {
            position: [position.x, position.y],
            rotation,
            flips: data.get(FLIPS).and_then(|flips| flips.try_to().ok()),
        };
        placement.is_finite().then_some(placement)
    }
}
