//! Pins: places of bones that stay where they are while others are pulled.

use godot::classes::{Bone2D, EditorInterface};
use godot::prelude::*;
use tendon_nodes::engine::bone_lines::end_of;
use tendon_nodes::nodes::rigging::leg::legs_below;

use crate::action::Action;
use crate::inspector::driven_bone::rig_above;
use crate::refusal::Refusal;

/// The metadata of a pinned bone, so that it is saved with the scene. What begins with an underscore is not shown in the inspector.
const PIN: &str = "_tendon_pin_";

/// The part of a bone that is pinned.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::posing) enum Pin {
    /// This place of it, in its own frame. It may turn about that.
    Place(Vector2),
    /// Its joint, and its angle.
    PlaceAndAngle,
}

impl Pin {
    /// That of `bone`, if it is pinned.
    pub(super) fn of(bone: &Gd<Bone2D>) -> Option<Self> {
        bone.has_meta(PIN).then(|| {
            let place = bone.get_meta(PIN).try_to();
            place.map_or(Self::PlaceAndAngle, Self::Place)
        })
    }

    /// Returns its place, in the frame of its bone.
    pub(super) fn place(self) -> Vector2 {
        match self {
            Self::Place(place) => place,
            Self::PlaceAndAngle => Vector2::ZERO,
        }
    }

    fn to_meta(self) -> Variant {
        match self {
            Self::Place(place) => place.to_variant(),
            Self::PlaceAndAngle => true.to_variant(),
        }
    }
}

/// Pins `bone`, or releases it if it is pinned so already, as one undo step.
///
/// # Errors
/// Why that is not possible, in words.
pub(super) fn switch_pin(bone: &Gd<Bone2D>, pin: Pin) -> Result<(), Refusal> {
    let is_on = Pin::of(bone) == Some(pin);
    let verb = if is_on { "Release" } else { "Pin" };
    let title = format!("{verb} \"{}\"", bone.get_name());
    set_pins(&title, &[(bone.clone(), (!is_on).then_some(pin))])
}

/// Pins the feet below `roots`, or releases them if all are pinned, as one undo step.
///
/// # Errors
/// That there are none, in words.
pub(super) fn switch_feet(roots: &[Gd<Bone2D>]) -> Result<(), Refusal> {
    let feet: Vec<_> = roots.iter().flat_map(feet_below).collect();
    if feet.is_empty() {
        let advice = "Found no feet: a leg has two bones or more, and comes down to the ground. Pin them with Alt+Click.";
        return Err(advice.into());
    }
    let is_on = feet.iter().all(|(bone, _)| Pin::of(bone).is_some());
    let title = if is_on { "Release Feet" } else { "Pin Feet" };
    let pins = feet.into_iter();
    let pins = pins.map(|(bone, pin)| (bone, (!is_on).then_some(pin)));
    set_pins(title, &pins.collect::<Vec<_>>())
}

/// The feet of a character, which keep their angle, and the ends of legs without any.
fn feet_below(root: &Gd<Bone2D>) -> Vec<(Gd<Bone2D>, Pin)> {
    let rig = rig_above(root).map(Gd::upcast);
    let legs = legs_below(root, rig.as_ref(), Vector2::UP).into_iter();
    let feet = legs.map(|leg| match leg.foot() {
        Some(foot) => (foot.clone(), Pin::PlaceAndAngle),
        None => (leg.last().clone(), Pin::Place(end_of(leg.last()))),
    });
    feet.collect()
}

/// Gives bones pins, or none, as one undo step.
fn set_pins(title: &str, pins: &[(Gd<Bone2D>, Option<Pin>)]) -> Result<(), Refusal> {
    let scene = EditorInterface::singleton().get_edited_scene_root();
    let mut action = Action::begin(title, &scene.ok_or("Open a scene first.")?)?;
    for (bone, pin) in pins {
        let before = Pin::of(bone).map(Pin::to_meta);
        action.mark(bone, PIN, before, pin.map(Pin::to_meta));
    }
    action.commit();
    Ok(())
}
