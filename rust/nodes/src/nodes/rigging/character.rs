//! A rig for a whole character: a modifier for each arm and leg, for the head, and for what hangs.
//!
//! | file | what is in it |
//! |---|---|
//! | [`body`] | the bones of each part |
//! | [`names`] | the parts and sides that names of bones tell |
//! | [`part`] | the modifier of a part, and its names |

mod body;
mod names;
mod part;

pub(super) use self::body::{find_legs, reaching};
pub(super) use self::names::Role;
pub use self::part::{CharacterPart, Mover};

use godot::classes::{Bone2D, Skeleton2D};
use godot::prelude::*;

use self::body::{BodyBone, FoundPart, find};
use self::names::{FACE, is_one_of, words};
use self::part::names_of;
use super::animated::AnimatedBones;
use crate::engine::bone_lines::{end_of, frame_in, parent_among, parent_bone};
use crate::engine::skeleton::{bones_of, rest_or_pose};
use crate::nodes::pose_library::held_nodes::{ends_of, modifiers_of};

/// Options for nodes that are made besides modifiers.
#[derive(Clone, Copy, Default)]
pub struct Extras {
    /// Foot placement for the legs.
    pub feet: bool,
    /// Limits for joints that have none.
    pub limits: bool,
}

/// The rig to be made for a skeleton.
pub struct Character {
    pub(super) skeleton: Gd<Skeleton2D>,
    /// The modifiers to be made.
    pub parts: Vec<CharacterPart>,
    /// Bones that say nothing.
    pub unknown: Vec<Gd<Bone2D>>,
    /// Those beyond the end of a part, which move with it.
    pub hanging: Vec<Gd<Bone2D>>,
    /// Those that a modifier turns already.
    pub known: Vec<Gd<Bone2D>>,
    /// The angles of bones in the animations of the scene.
    pub animated: AnimatedBones,
    /// The side to which the character looks, along the X axis of global coordinates: 1 or −1.
    pub(super) facing: f32,
}

impl Character {
    /// Returns the modifiers that `skeleton` lacks.
    ///
    /// # Errors
    /// The reason why nothing can be made, with advice what to do.
    pub fn of(skeleton: &Gd<Skeleton2D>) -> Result<Self, String> {
        let bones = bones_of(skeleton);
        let body = bodies_of(&bones, Vector2::UP);
        let (found, others) = find(&body);
        let [unknown, hanging] =
            others.map(|others| others.into_iter().map(|it| bones[it].clone()).collect());
        let driven = driven_bones(skeleton);
        let is_known = |it: &FoundPart| it.bones.iter().any(|&bone| driven.contains(&bones[bone]));
        let names = names_of(&found, &body);
        let (mut parts, mut known) = (Vec::new(), Vec::new());
        for (it, name) in found.iter().zip(names) {
            let line: Vec<_> = it.bones.iter().map(|&bone| bones[bone].clone()).collect();
            match is_known(it) {
                true => known.push(line[0].clone()),
                false => parts.push(CharacterPart::new(it, name, line)),
            }
        }
        let character = Self {
            skeleton: skeleton.clone(),
            parts,
            unknown,
            hanging,
            known,
            animated: AnimatedBones::of(skeleton),
            facing: facing(&found, &body),
        };
        match (character.parts.is_empty(), character.known.is_empty()) {
            (false, _) => Ok(character),
            (true, false) => Err("Modifiers turn all limbs of this skeleton already.".into()),
            (true, true) => Err(
                "No limb was recognised. Name bones after what they are, as LeftUpperArm, LeftForearm, Thigh_R, \
                 Head or Tail, or add modifiers one by one."
                    .into(),
            ),
        }
    }

    /// The bone that carries all legs which are to get a modifier, if there are any.
    pub fn pelvis(&self) -> Option<Gd<Bone2D>> {
        let legs = self.parts.iter().filter(|part| part.stands());
        let legs: Vec<_> = legs
            .filter_map(|part| part.bones.first().cloned())
            .collect();
        common_parent(&legs)
    }
}

/// The nearest bone above all of `bones`.
pub fn common_parent(bones: &[Gd<Bone2D>]) -> Option<Gd<Bone2D>> {
    let mut parent = parent_bone(bones.first()?)?;
    while !bones.iter().all(|bone| parent.is_ancestor_of(bone)) {
        parent = parent_bone(&parent)?;
    }
    Some(parent)
}

/// Returns the names of `bones`, of which parents come first, and their places at rest. `up` is the direction away from
/// the ground in global coordinates.
pub(super) fn bodies_of(bones: &[Gd<Bone2D>], up: Vector2) -> Vec<BodyBone> {
    let upright = Transform2D::from_angle(up.angle_to(Vector2::UP));
    let mut frames: Vec<Transform2D> = Vec::new();
    let bodies = bones.iter().map(|bone| {
        let parent = parent_among(bone, bones);
        let above = match parent {
            Some(parent) => frames[parent],
            None => upright * frame_above_at_rest(bone),
        };
        let frame = above * rest_or_pose(bone);
        frames.push(frame);
        BodyBone {
            name: bone.get_name().to_string(),
            parent,
            place: frame.origin,
            end: frame * end_of(bone),
        }
    });
    bodies.collect()
}

/// The global frame above `bone` while all bones above it are at rest.
fn frame_above_at_rest(bone: &Gd<Bone2D>) -> Transform2D {
    let mut frame = Transform2D::IDENTITY;
    let mut above = bone.get_parent();
    while let Some(Ok(bone)) = above.clone().map(Gd::try_cast::<Bone2D>) {
        frame = rest_or_pose(&bone) * frame;
        above = bone.get_parent();
    }
    let skeleton = above.and_then(|node| node.try_cast::<Node2D>().ok());
    let place = skeleton.map(|skeleton| frame_in(&skeleton, None));
    place.unwrap_or_default() * frame
}

/// Returns the side to which a body looks, 1 or −1 along the X axis: where the face is that hangs on its head, its feet
/// point or its knees are. To the right, if none of these says so.
fn facing(found: &[FoundPart], body: &[BodyBone]) -> f32 {
    let aside = |from: Vector2, to: Vector2| (to - from).x;
    let heads = found.iter().filter(|it| it.part == Role::Head);
    let heads: Vec<_> = heads.filter_map(|it| it.bones.last().copied()).collect();
    let faces = body.iter().filter(|bone| {
        bone.parent.is_some_and(|parent| heads.contains(&parent))
            && is_one_of(&words(&bone.name), FACE)
    });
    let face: f32 = faces
        .filter_map(|bone| Some(aside(body[bone.parent?].place, bone.place)))
        .sum();
    let legs = || found.iter().filter(|it| it.part == Role::Leg);
    let feet = || legs().filter_map(|leg| Some(&body[*leg.bones.get(leg.reaching)?]));
    let feet: f32 = feet().map(|foot| aside(foot.place, foot.end)).sum();
    let knees: f32 = legs()
        .map(|leg| {
            let [hip, knee] = [0, 1].map(|index| &body[leg.bones[index]]);
            let along = knee.end - hip.place;
            let share = (knee.place - hip.place).dot(along) / along.length_squared().max(1e-6);
            aside(hip.place + share * along, knee.place)
        })
        .sum();
    let size = legs().map(|leg| body[leg.bones[0]].place.distance_to(body[leg.bones[0]].end));
    let least = CLEAR * size.sum::<f32>();
    let clear = |sum: &f32| sum.abs() > least;
    let side = [face, feet, knees].into_iter().find(clear).unwrap_or(1.0);
    side.signum()
}

/// The least offset of a face, feet or knees to the side that tells where a character looks, as a part of the length of
/// its thighs.
const CLEAR: f32 = 0.05;

/// The first and last bones of the modifiers that there are.
fn driven_bones(skeleton: &Gd<Skeleton2D>) -> Vec<Gd<Bone2D>> {
    let modifiers = modifiers_of(skeleton).into_iter();
    modifiers
        .flat_map(|node| ends_of(&node))
        .flatten()
        .collect()
}
