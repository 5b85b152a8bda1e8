//! What a drag of bones has changed, where that cannot be seen: the base angle of a bone that a
//! modifier turns towards a target.

use godot::classes::Bone2D;
use godot::prelude::*;

use crate::inspector::driven_bone::DrivenBone;
use crate::notice::toast;
use crate::selection::{is_edited, selected};

/// The selected bones that modifiers with a target turn, when the mouse was pressed.
pub(super) struct HeldBones(Vec<HeldBone>);

struct HeldBone {
    bone: Gd<Bone2D>,
    base_rotation: f32,
    /// The names of the modifiers, and of their targets.
    drivers: Vec<String>,
    targets: Vec<String>,
}

impl HeldBones {
    pub(super) fn of_selection() -> Self {
        let bones = selected::<Bone2D>().into_iter();
        Self(bones.filter_map(HeldBone::of).collect())
    }

    /// Says which base angles have changed since. The bones hold their base pose now.
    pub(super) fn tell(&self) {
        for held in &self.0 {
            if let Some(text) = held.change() {
                toast(&text);
            }
        }
    }
}

impl HeldBone {
    fn of(bone: Gd<Bone2D>) -> Option<Self> {
        let driven = DrivenBone::of(&bone)?;
        let is_hidden = driven.reason_for_idle.is_none() && !driven.goals.is_empty();
        is_hidden.then(|| Self {
            bone,
            base_rotation: driven.base.rotation,
            drivers: driven.drivers,
            targets: driven
                .goals
                .iter()
                .filter_map(|goal| Some(goal.target()?.get_name().to_string()))
                .collect(),
        })
    }

    fn change(&self) -> Option<String> {
        let bone = is_edited(&self.bone).then_some(&self.bone)?;
        let [before, after] = [self.base_rotation, bone.get_rotation()].map(f32::to_degrees);
        // Less than the inspector shows.
        ((before - after).abs() >= 0.05).then(|| {
            format!(
                "\"{}\" is turned by {}. Only its base angle has changed: from {before:.1}° to \
                 {after:.1}°. To pose it, move {}.",
                bone.get_name(),
                quoted(&self.drivers),
                quoted(&self.targets),
            )
        })
    }
}

fn quoted(names: &[String]) -> String {
    let names: Vec<_> = names.iter().map(|name| format!("\"{name}\"")).collect();
    names.join(" and ")
}
