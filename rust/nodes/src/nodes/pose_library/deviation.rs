//! By how much bones differ from their rest pose: so a pose fits characters of other proportions.

use std::f32::consts::PI;

use godot::builtin::math::ApproxEq;
use godot::classes::{Bone2D, Skeleton2D};
use godot::global::angle_difference;
use godot::prelude::*;
use serde::{Deserialize, Serialize};

use crate::engine::node_pose::NodePose;
use crate::engine::skeleton::bones_of;

/// The difference of a bone from its rest pose, in the frame of its parent.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Deviation {
    /// In radians.
    pub rotation: f32,
    pub position: [f32; 2],
    /// Factors.
    pub scale: [f32; 2],
    /// In radians.
    pub skew: f32,
}

impl Deviation {
    /// The rest pose itself.
    pub const NONE: Self = Self {
        rotation: 0.0,
        position: [0.0; 2],
        scale: [1.0; 2],
        skew: 0.0,
    };

    /// The present difference of `bone`.
    pub fn of(bone: &Gd<Bone2D>) -> Self {
        let (now, rest) = (NodePose::of(bone), rest_of(bone));
        let factor = |now: f32, rest: f32| if rest == 0.0 { 1.0 } else { now / rest };
        let offset = now.position - rest.position;
        Self {
            rotation: now.rotation - rest.rotation,
            position: [offset.x, offset.y],
            scale: [
                factor(now.scale.x, rest.scale.x),
                factor(now.scale.y, rest.scale.y),
            ],
            skew: now.skew - rest.skew,
        }
    }

    pub fn is_finite(&self) -> bool {
        let [x, y] = self.position;
        let [width, height] = self.scale;
        let numbers = [self.rotation, x, y, width, height, self.skew];
        numbers.iter().all(|number| number.is_finite())
    }

    /// The pose of `bone` that is on the way from the present one to this one, if it is another: 1 is there. The rotation
    /// takes the shorter way. What stays keeps its last bits, and whole turns.
    pub fn change(&self, bone: &Gd<Bone2D>, weight: f32) -> Option<NodePose> {
        let (now, rest) = (NodePose::of(bone), rest_of(bone));
        let rotation = f64::from(rest.rotation + self.rotation);
        let turn = angle_difference(f64::from(now.rotation), rotation) as f32;
        let position = rest.position + Vector2::from_array(self.position);
        let scale = rest.scale * Vector2::from_array(self.scale);
        let skew = rest.skew + self.skew - now.skew;
        let after = NodePose {
            rotation: kept(now.rotation, now.rotation + turn * weight),
            position: kept(now.position, now.position.lerp(position, weight)),
            scale: kept(now.scale, now.scale.lerp(scale, weight)),
            skew: kept(now.skew, now.skew + skew * weight),
            ..now.clone()
        };
        after.differs(&now).then_some(after)
    }

    /// As a resource has it.
    pub(super) fn to_dictionary(self) -> VarDictionary {
        let [x, y] = self.position;
        let [width, height] = self.scale;
        vdict! {
            "rotation" => self.rotation,
            "position" => Vector2::new(x, y),
            "scale" => Vector2::new(width, height),
            "skew" => self.skew,
        }
    }

    /// The deviation that a resource has. A value that is missing, or not finite, is as at rest.
    pub(super) fn from_dictionary(data: &VarDictionary) -> Self {
        let number = |key: &str| {
            let value = data.get(key)?.try_to_relaxed::<f64>().ok()? as f32;
            value.is_finite().then_some(value)
        };
        let vector = |key: &str| {
            let value = data.get(key)?.try_to_relaxed::<Vector2>().ok()?;
            value.is_finite().then_some([value.x, value.y])
        };
        Self {
            rotation: number("rotation").unwrap_or(Self::NONE.rotation),
            position: vector("position").unwrap_or(Self::NONE.position),
            scale: vector("scale").unwrap_or(Self::NONE.scale),
            skew: number("skew").unwrap_or(Self::NONE.skew),
        }
    }
}

/// The bones of the skeleton in tree order, with the names that they have in a pose.
pub fn named_bones(skeleton: &Gd<Skeleton2D>) -> Vec<(String, Gd<Bone2D>)> {
    let bones = bones_of(skeleton);
    let names = names_in_pose(skeleton, &bones);
    names.into_iter().zip(bones).collect()
}

/// The names that `nodes` have in a pose of `skeleton`: their paths, where several have one name.
pub(super) fn names_in_pose<T: Inherits<Node>>(
    skeleton: &Gd<Skeleton2D>,
    nodes: &[Gd<T>],
) -> Vec<String> {
    let nodes = nodes.iter().map(|node| node.clone().upcast::<Node>());
    let named: Vec<_> = nodes.map(|node| (node.get_name(), node)).collect();
    let names = named.iter().map(|(name, node)| {
        let is_unique = named.iter().filter(|(other, _)| other == name).count() == 1;
        match is_unique {
            true => name.to_string(),
            false => skeleton.get_path_to(node).to_string(),
        }
    });
    names.collect()
}

/// The rest pose of `bone` by its properties, mirrored along the axis along which the bone is.
fn rest_of(bone: &Gd<Bone2D>) -> NodePose {
    let rest = bone.get_rest();
    let is_mirrored = bone.get_scale().x < 0.0;
    let (turn, sign) = if is_mirrored { (PI, -1.0) } else { (0.0, 1.0) };
    NodePose {
        node: bone.clone().upcast(),
        rotation: rest.rotation() + turn,
        position: rest.origin,
        scale: rest.scale() * sign,
        skew: rest.skew(),
    }
}

/// `after`, unless that is what it is `now`: what stays keeps its last bits.
pub(super) fn kept<T: ApproxEq>(now: T, after: T) -> T {
    if now.approx_eq(&after) { now } else { after }
}
