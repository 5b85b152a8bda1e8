//! Refuses values that no property can have, before its setter stores them: numbers that are not finite, and numbers
//! that are no value of an enum.
//!
//! A number that is not finite would spoil every pose from then on, and be saved with the scene. One property of this
//! extension gives infinity a meaning, [`UNSET`]: what can be without bounds is so at `0.0`. Of what is no value of an
//! enum gdext refuses some, but says so in words of its own, which nobody can act on who writes GDScript.
//!
//! All setters come here first ([`crate::engine::guarded_methods`]): scripts, animations, scenes and the
//! inspector use no other way. What a method is given it refuses itself, in the words of [`crate::engine::unusable`]; what a script
//! makes of a pose, or a saved state, is refused by the solver (`rig/kinds/custom.rs`, `rig/finite.rs`).

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use godot::classes::ClassDb;
use godot::prelude::*;

use super::unusable::not_finite;
use crate::engine::gdext_private::sys;

/// The property that may be [`UNSET`].
const CAN_BE_UNSET: &str = "target_position";

/// No place.
const UNSET: Vector2 = Vector2::INF;

/// The setter of a property that is a number or a vector.
pub(super) struct SetterGuard {
    class: String,
    property: String,
    takes: Takes,
    told: AtomicBool,
}

enum Takes {
    Number,
    Vector,
    /// A whole number, with the values of the enum, if it is one. They are found when they are first asked for:
    /// properties and enums are registered after the methods of a class.
    Whole(OnceLock<Option<Values>>),
}

/// The values of an enum: from 0 on.
struct Values {
    /// With its class: one of this extension, or of the engine.
    enumeration: String,
    count: i64,
}

impl SetterGuard {
    /// `method` of `class` takes one argument, of the type `argument`. `None` if it is no such setter.
    pub(super) fn find(
        class: &StringName,
        method: &StringName,
        argument: sys::GDExtensionVariantType,
    ) -> Option<Self> {
        let method = method.to_string();
        Some(Self {
            class: class.to_string(),
            property: method.strip_prefix("set_")?.to_string(),
            takes: match argument {
                sys::GDEXTENSION_VARIANT_TYPE_FLOAT => Takes::Number,
                sys::GDEXTENSION_VARIANT_TYPE_VECTOR2 => Takes::Vector,
                sys::GDEXTENSION_VARIANT_TYPE_INT => Takes::Whole(OnceLock::new()),
                _ => return None,
            },
            told: AtomicBool::new(false),
        })
    }

    /// Reads the argument of a call with arguments of the right types.
    ///
    /// # Safety
    /// It has to be that of the setter.
    pub(super) unsafe fn read(&self, argument: sys::GDExtensionConstTypePtr) -> Variant {
        // SAFETY: the caller's promise. Arguments are passed so.
        unsafe {
            match self.takes {
                Takes::Number => (*argument.cast::<f64>()).to_variant(),
                Takes::Vector => (*argument.cast::<Vector2>()).to_variant(),
                Takes::Whole(_) => (*argument.cast::<i64>()).to_variant(),
            }
        }
    }

    /// Returns `true` if `value` is not to be stored, and warns of that once.
    pub(super) fn is_refused(&self, value: &Variant) -> bool {
        let reason = match &self.takes {
            Takes::Number | Takes::Vector if is_finite(value) || self.is_unset(value) => None,
            Takes::Number | Takes::Vector => Some(not_finite("the number")),
            Takes::Whole(values) => {
                let values = values.get_or_init(|| Values::of(&self.class, &self.property));
                let values = values.as_ref();
                values.and_then(|values| values.refuse(value.try_to_relaxed().ok()?))
            }
        };
        if let Some(reason) = &reason
            && !self.told.swap(true, Ordering::Relaxed)
        {
            let Self {
                class, property, ..
            } = self;
            godot_warn!(
                "{class}.{property} was not set: {reason} It keeps its value. This is told once for each property."
            );
        }
        reason.is_some()
    }

    fn is_unset(&self, value: &Variant) -> bool {
        self.property == CAN_BE_UNSET && value.try_to().is_ok_and(|place: Vector2| place == UNSET)
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

impl Values {
    /// Those of `property` of `class`, if it is an enum.
    fn of(class: &str, property: &str) -> Option<Self> {
        let classes = ClassDb::singleton();
        let properties = classes
            .class_get_property_list_ex(class)
            .no_inheritance(true)
            .done();
        let mut properties = properties.iter_shared();
        let found =
            properties.find(|it| it.get("name").is_some_and(|it| it.to_string() == property))?;
        let enumeration = found.get("class_name")?.to_string();
        let (of_class, name) = enumeration.split_once('.')?;
        let constants = classes.class_get_enum_constants(of_class, name);
        let count = i64::try_from(constants.len())
            .ok()
            .filter(|&count| count > 0)?;
        Some(Self { enumeration, count })
    }

    /// The reason why `value` is none of them.
    fn refuse(&self, value: i64) -> Option<String> {
        let is_one = (0..self.count).contains(&value);
        (!is_one).then(|| {
            format!(
                "{value} is not a value of {}, which go from 0 to {}. Use the names of its constants instead of \
                 numbers.",
                self.enumeration,
                self.count - 1
            )
        })
    }
}
