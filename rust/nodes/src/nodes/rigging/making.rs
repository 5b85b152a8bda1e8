//! Adds the modifiers of a character to its skeleton, with feet and limits if they are asked for.

use godot::classes::{Bone2D, Marker2D};
use godot::prelude::*;

use super::angles::{Degrees, add_limit};
use super::character::{Character, CharacterPart, Extras, Part};
use super::draft::{Draft, beside};
use crate::engine::bone_lines::{end_of, frame_in};
use crate::engine::skeleton::has_rest;
use crate::nodes::joint_limit::{angle_from_rest, limit_on};
use crate::nodes::rig::TendonRig2D;
use crate::nodes::rig::skeleton::rig_of;
use crate::nodes::stance::leg::{Leg, add_feet};
use crate::plan::rest_bend::LimbBones;

/// How far joints turn, in degrees: those of a neck, a shoulder or a hip, an elbow or a knee when it is bent, and a
/// hand or a foot.
const NECK: f32 = 45.0;
const SHOULDER: f32 = 120.0;
const FOLDED: f32 = 150.0;
const HAND: f32 = 60.0;

impl Character {
    /// Adds everything to the skeleton. Returns its rig.
    pub(super) fn add(self, extras: Extras) -> Gd<TendonRig2D> {
        let rig = rig_of(&self.skeleton).unwrap_or_else(|| {
            let mut rig = TendonRig2D::new_alloc();
            rig.set_name("TendonRig2D");
            let mut skeleton = self.skeleton.clone();
            skeleton.add_child_ex(&rig).force_readable_name(true).done();
            rig
        });
        if extras.limits {
            for (bone, range) in self.parts.iter().flat_map(CharacterPart::limits) {
                add_limit(&bone, range);
            }
        }
        // Before the legs: it tells them where to go.
        let placement = extras.feet.then(|| self.add_placement(&rig)).flatten();
        for part in &self.parts {
            let Some(draft) = part.draft() else {
                continue;
            };
            let is_placed = placement.is_some() && part.is_leg();
            let target = (!is_placed).then(|| self.target(&draft)).flatten();
            TendonRig2D::add::<Node>(rig.clone(), draft.with_any("target", target.as_ref()));
        }
        if let Some(placement) = placement {
            self.add_feet(&rig, &placement);
        }
        rig
    }

    /// A marker at the tip of a modifier that reaches, beside the skeleton.
    fn target(&self, draft: &Draft) -> Option<Gd<Node2D>> {
        if !draft.has("target") {
            return None;
        }
        let (bone, tip) = draft.end()?;
        let mut parent = beside(&self.skeleton, None);
        let mut target = Marker2D::new_alloc();
        target.set_name(&draft.target_name());
        let into = frame_in(&bone.clone().upcast(), Some(&parent));
        target.set_position(into * tip);
        parent
            .add_child_ex(&target)
            .force_readable_name(true)
            .done();
        Some(target.upcast())
    }

    /// The foot placement for the legs, if there are any.
    fn add_placement(&self, rig: &Gd<TendonRig2D>) -> Option<Gd<Node>> {
        let pelvis = self.pelvis()?;
        let draft = Draft::new("TendonFootPlacement2D").with("pelvis", &pelvis);
        TendonRig2D::add(rig.clone(), draft)
    }

    /// Adds the feet of the legs, which have their modifiers.
    fn add_feet(&self, rig: &Gd<TendonRig2D>, placement: &Gd<Node>) {
        let rig = rig.clone().upcast();
        let parts = self.parts.iter().filter(|part| part.is_leg());
        let legs = parts.filter_map(|part| {
            let leg = Leg::from(part.bones.first()?, Some(&rig))?;
            Some((part.foot_name(), leg))
        });
        let (names, legs): (Vec<_>, Vec<_>) = legs.unzip();
        let feet = add_feet(placement, &legs, &self.skeleton.get_global_transform());
        for (mut foot, name) in feet.iter_shared().zip(names) {
            foot.set_name(&name);
        }
    }
}

impl CharacterPart {
    /// The joints that have no limit, and how far each may turn: wide enough for the pose as it is.
    pub fn limits(&self) -> Vec<(Gd<Bone2D>, Degrees)> {
        let bones = self.bones.iter().enumerate();
        let free = bones.filter(|(_, bone)| has_rest(bone) && limit_on(bone).is_none());
        let limits = free.filter_map(|(index, bone)| {
            let angle = angle_from_rest(bone).unwrap_or_default();
            Some((bone.clone(), self.range(index)?.with(angle)))
        });
        limits.collect()
    }

    fn range(&self, index: usize) -> Option<Degrees> {
        let around = |angle: f32| Degrees {
            min: -angle,
            max: angle,
        };
        match (self.part, index) {
            (Part::Hanging, _) => None,
            (Part::Head, _) => Some(around(NECK)),
            (_, 0) => Some(around(SHOULDER)),
            (_, 1) => hinge(&self.bones[0], &self.bones[1]),
            _ => Some(around(HAND)),
        }
    }
}

/// The range of an elbow or a knee: from straight to folded, to the side to which it bends at rest.
fn hinge(upper: &Gd<Bone2D>, lower: &Gd<Bone2D>) -> Option<Degrees> {
    let tip = end_of(lower);
    let bend = LimbBones { upper, lower, tip }.bend_at_rest()?.to_degrees();
    let [straight, folded] = [-bend, FOLDED.copysign(bend) - bend];
    Some(Degrees {
        min: straight.min(folded),
        max: straight.max(folded),
    })
}
