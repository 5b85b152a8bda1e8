//! A rig for a whole character: a modifier for each arm and leg, for the head, and for what hangs.
//!
//! | file | what is in it |
//! |---|---|
//! | [`body`] | which bones these are |
//! | [`part`] | the modifier of a part, and its names |

mod body;
mod part;

pub(super) use self::body::Part;
pub use self::part::CharacterPart;

use godot::classes::{Bone2D, Skeleton2D};
use godot::prelude::*;

use self::body::{BodyBone, Found, find};
use self::part::name_of;
use crate::engine::bone_lines::{end_of, parent_bone};
use crate::engine::skeleton::bones_of;
use crate::nodes::rig::skeleton::rig_of;

/// What is made besides modifiers.
#[derive(Clone, Copy, Default)]
pub struct Extras {
    /// Foot placement for the legs.
    pub feet: bool,
    /// Limits for joints that have none.
    pub limits: bool,
}

/// What is to be made for a skeleton.
pub struct Character {
    pub(super) skeleton: Gd<Skeleton2D>,
    /// The modifiers to be made.
    pub parts: Vec<CharacterPart>,
    /// The first bones of lines that say nothing.
    pub unknown: Vec<Gd<Bone2D>>,
    /// Those that a modifier turns already.
    pub known: Vec<Gd<Bone2D>>,
}

impl Character {
    /// What `skeleton` lacks.
    ///
    /// # Errors
    /// Why nothing can be made, with advice what to do.
    pub fn of(skeleton: &Gd<Skeleton2D>) -> Result<Self, String> {
        let bones = bones_of(skeleton);
        let body: Vec<_> = bones.iter().map(|bone| body_bone(bone, &bones)).collect();
        let (found, unknown) = find(&body);
        let driven = driven_bones(skeleton);
        let is_known = |it: &&Found| it.bones.iter().any(|&bone| driven.contains(&bones[bone]));
        let (known, new): (Vec<_>, Vec<_>) = found.iter().partition(is_known);
        let parts = new.into_iter().map(|it| {
            let line = it.bones.iter().map(|&bone| bones[bone].clone());
            CharacterPart::new(it.part, name_of(it, &body), line.collect())
        });
        let character = Self {
            skeleton: skeleton.clone(),
            parts: parts.collect(),
            unknown: unknown.into_iter().map(|it| bones[it].clone()).collect(),
            known: known.iter().map(|it| bones[it.bones[0]].clone()).collect(),
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

    /// The bone that carries the legs which are to get a modifier, if there are any.
    pub fn pelvis(&self) -> Option<Gd<Bone2D>> {
        let mut legs = self.parts.iter().filter(|part| part.is_leg());
        parent_bone(legs.next()?.bones.first()?)
    }
}

fn body_bone(bone: &Gd<Bone2D>, bones: &[Gd<Bone2D>]) -> BodyBone {
    let parent = parent_bone(bone);
    BodyBone {
        name: bone.get_name().to_string(),
        parent: parent.and_then(|parent| bones.iter().position(|other| *other == parent)),
        length: end_of(bone).length(),
    }
}

/// The first and last bones of the modifiers that there are.
fn driven_bones(skeleton: &Gd<Skeleton2D>) -> Vec<Gd<Bone2D>> {
    let Some(rig) = rig_of(skeleton) else {
        return Vec::new();
    };
    let nodes = rig.find_children_ex("*").owned(false).done();
    let ends = nodes.iter_shared().flat_map(|node| {
        ENDS.iter()
            .filter_map(move |&property| node.get(property).try_to::<Gd<Bone2D>>().ok())
    });
    ends.collect()
}

/// The properties of modifiers that name the bones which they turn.
const ENDS: &[&str] = &[
    "bone",
    "chain_root",
    "bone_one",
    "bone_two",
    "root_bone",
    "tip_bone",
];
