//! Adds the modifiers of a character to its skeleton, with feet and limits if they are asked for.

use godot::classes::Bone2D;
use godot::prelude::*;

use super::adding::{Adding, add_target, add_tip, beside, rig_for};
use super::angles::Degrees;
use super::animated::AnimatedBones;
use super::character::{Character, CharacterPart, Extras, Role};
use super::draft::Draft;
use super::leg::{LegBones, add_feet, new_stance};
use crate::engine::bone_lines::{end_of, frame_in};
use crate::engine::skeleton::has_rest;
use crate::nodes::joint_limit::{angle_from_rest, limit_on};
use crate::nodes::rig::TendonRig2D;
use crate::plan::rest_bend::rest_of;

/// The greatest turns of joints, in degrees: of a neck, a shoulder or a hip, an elbow or a knee when it is bent, and a
/// hand or a foot.
const NECK: f32 = 45.0;
const SHOULDER: f32 = 120.0;
const FOLDED: f32 = 150.0;
const HAND: f32 = 60.0;

/// An elbow or a knee that is bent by less than this angle, in radians, may bend to either side.
const STRAIGHT: f32 = 0.0175;

impl Character {
    /// Adds everything to the skeleton, of `scene` if there is one. Returns its rig.
    pub fn add(
        &self,
        extras: Extras,
        scene: Option<&Gd<Node>>,
        into: &mut dyn Adding,
    ) -> Gd<TendonRig2D> {
        if extras.limits {
            for (bone, range) in self.limits() {
                into.add_child(&bone.upcast(), &range.limit().upcast());
            }
        }
        let rig = rig_for(&self.skeleton, into);
        let rig_node = rig.clone().upcast::<Node>();
        // Before the legs: it tells them where to go.
        let placement = self.pelvis().filter(|_| extras.feet);
        let placement = placement.map(|pelvis| new_stance("TendonFootPlacement2D", &pelvis));
        if let Some(placement) = &placement {
            into.add_child(&rig_node, placement);
        }
        let mut legs = Vec::new();
        for part in &self.parts {
            let Some(draft) = part.draft(self.facing) else {
                continue;
            };
            let tip = draft
                .endless_bone()
                .map(|bone| add_tip(bone, end_of(bone), into));
            let draft = draft.with_any("tip", tip.as_ref());
            let is_placed = placement.is_some() && part.stands();
            let target = match is_placed {
                true => None,
                false => self.add_target(part, &draft, scene, into),
            };
            let modifier = match is_placed {
                true => draft.led().instantiate(),
                false => draft.with_any("target", target.as_ref()).instantiate(),
            };
            into.add_child(&rig_node, &modifier);
            if is_placed && let Some(leg) = LegBones::of(part.bones.clone(), part.reaching) {
                legs.push(leg.moved_by(&modifier).with_foot_called(part.foot_name()));
            }
        }
        if let Some(placement) = &placement {
            let place = frame_in(&self.skeleton, None);
            add_feet(placement, &legs, &rig_node, &place, into);
        }
        rig
    }

    /// A target for what reaches or looks: with the bone that carries the part, or beside the skeleton.
    fn add_target(
        &self,
        part: &CharacterPart,
        draft: &Draft,
        scene: Option<&Gd<Node>>,
        into: &mut dyn Adding,
    ) -> Option<Gd<Node2D>> {
        if !draft.has("target") {
            return None;
        }
        let carrier = part.carrier().map(Gd::upcast);
        let parent = carrier.unwrap_or_else(|| beside(&self.skeleton, scene));
        add_target(draft, &parent, into).map(Gd::upcast)
    }

    /// The joints that have no limit, and how far each may turn: wide enough for the pose as it is, and for those of the
    /// animations.
    pub fn limits(&self) -> Vec<(Gd<Bone2D>, Degrees)> {
        let limits = self
            .parts
            .iter()
            .flat_map(|part| part.limits(&self.animated));
        limits.collect()
    }
}

impl CharacterPart {
    fn limits(&self, animated: &AnimatedBones) -> Vec<(Gd<Bone2D>, Degrees)> {
        let bones = self.bones.iter().enumerate();
        let free = bones.filter(|(_, bone)| has_rest(bone) && limit_on(bone).is_none());
        let limits = free.filter_map(|(index, bone)| {
            let now = angle_from_rest(bone).unwrap_or_default();
            let angles: Vec<_> = animated.angles(bone).chain([now]).collect();
            let range = self.range(index, &angles)?;
            Some((bone.clone(), angles.into_iter().fold(range, Degrees::with)))
        });
        limits.collect()
    }

    /// Returns the range of the joint `index`, which has `angles`, in radians from its rest, now and in animations.
    fn range(&self, index: usize, angles: &[f32]) -> Option<Degrees> {
        match (self.part, index) {
            (Role::Hanging, _) => None,
            (Role::Head, _) => Some(Degrees::around(NECK)),
            (_, 0) => Some(Degrees::around(SHOULDER)),
            (_, index) if index < self.reaching => hinge(&self.bones[index], angles),
            _ => Some(Degrees::around(HAND)),
        }
    }
}

/// The range of an elbow or a knee: from straight to folded, to the side to which it bends at rest, or else in most of its
/// poses. Where bones have no length it is not known what is straight.
fn hinge(lower: &Gd<Bone2D>, angles: &[f32]) -> Option<Degrees> {
    let rest = rest_of(lower)?;
    let [above, along] = [rest.origin, rest.basis_xform(end_of(lower))];
    if above == Vector2::ZERO || along == Vector2::ZERO {
        return Some(Degrees::around(FOLDED));
    }
    let bend = above.angle_to(along);
    let side = match bend.abs() > STRAIGHT {
        true => bend,
        false => angles.iter().sum(),
    };
    let side = if side < 0.0 { -1.0 } else { 1.0 };
    let bend = bend.to_degrees();
    let [straight, folded] = [-bend, FOLDED * side - bend];
    Some(Degrees {
        min: straight.min(folded),
        max: straight.max(folded),
    })
}
