//! Refuses numbers that are not finite, before the setter of a property stores them.
//!
//! One such number would spoil every pose from then on, and be saved with the scene. One property of this
//! extension gives infinity a meaning, [`UNSET`]: what can be without bounds is so at `0.0`. All setters come here
//! first ([`crate::engine::guarded_methods`]): scripts, animations, scenes and the
//! inspector use no other way. What a method is given it refuses itself, in the words of [`crate::engine::unusable`]; what a script
//! makes of a pose, or a saved state, is refused by the solver (`rig/kinds/custom.rs`, `rig/finite.rs`).

use std::sync::atomic::{AtomicBool, Ordering};

use godot::prelude::*;

use super::unusable::not_finite;

/// The property that may be [`UNSET`].
const CAN_BE_UNSET: &str = "target_position";

/// No place.
const UNSET: Vector2 = Vector2::INF;

/// The setter of a property that is a number or a vector.
pub(super) struct FiniteSetter {
    /// With its class.
    property: String,
    is_vector: bool,
    /// `true` if it can be [`UNSET`].
    can_be_unset: bool,
    told: AtomicBool,
}

impl FiniteSetter {
    /// `method` takes one argument, a number or a vector. `None` if it is no setter.
    pub(super) fn find(class: &StringName, method: &StringName, is_vector: bool) -> Option<Self> {
        let method = method.to_string();
        let property = method.strip_prefix("set_")?;
        Some(Self {
            property: format!("{class}.{property}"),
            can_be_unset: property == CAN_BE_UNSET,
            is_vector,
            told: AtomicBool::new(false),
        })
    }

    pub(super) fn is_vector(&self) -> bool {
        self.is_vector
    }

    /// Returns `true` if `value` is not to be stored, and warns of that once.
    pub(super) fn is_refused(&self, value: &Variant) -> bool {
        let is_unset =
            self.can_be_unset && value.try_to().is_ok_and(|place: Vector2| place == UNSET);
        let is_refused = !is_unset && !is_finite(value);
        if is_refused && !self.told.swap(true, Ordering::Relaxed) {
            self.warn();
        }
        is_refused
    }

    #[cold]
    fn warn(&self) {
        godot_warn!(
            "{} was not set: {} It keeps its value. This is told once for each property.",
            self.property,
            not_finite("the number")
        );
    }
}

/// Returns `true` if `value` is finite as a property stores it, in 32 bits. Values of other types are left to the
/// setter.
fn is_finite(value: &Variant) -> bool {
    match value.get_type() {
        VariantType::FLOAT => (value.to::<f64>() as f32).is_finite(),
        VariantType::VECTOR2 => value.to::<Vector2>().is_finite(),
        _ => true,
    }
}
