//! Refuses numbers that are no value of an enum, before the setter of a property stores them.
//!
//! gdext refuses some of them, but says so in words of its own, which nobody can act on who writes GDScript. All
//! setters come here first ([`crate::engine::guarded_methods`]).

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use godot::classes::ClassDb;
use godot::prelude::*;

/// The setter of a property that is a whole number, and may be an enum.
pub(super) struct EnumSetter {
    class: String,
    property: String,
    /// Found when it is first asked: properties and enums are registered after the methods of a class.
    values: OnceLock<Option<Values>>,
    told: AtomicBool,
}

/// The values of an enum: from 0 on.
struct Values {
    /// With its class: one of this extension, or of the engine.
    enumeration: String,
    count: i64,
}

impl EnumSetter {
    /// `method` of `class` takes one argument, a whole number. `None` if it is no setter.
    pub(super) fn find(class: &StringName, method: &StringName) -> Option<Self> {
        let method = method.to_string();
        Some(Self {
            class: class.to_string(),
            property: method.strip_prefix("set_")?.to_string(),
            values: OnceLock::new(),
            told: AtomicBool::new(false),
        })
    }

    /// Returns `true` if `value` is not to be stored, and warns of that once.
    pub(super) fn is_refused(&self, value: i64) -> bool {
        let values = self
            .values
            .get_or_init(|| Values::of(&self.class, &self.property));
        let values = values.as_ref();
        let unknown = values.filter(|values| !(0..values.count).contains(&value));
        if let Some(values) = unknown
            && !self.told.swap(true, Ordering::Relaxed)
        {
            self.warn(value, values);
        }
        unknown.is_some()
    }

    #[cold]
    fn warn(&self, value: i64, values: &Values) {
        godot_warn!(
            "{}.{} was not set: {value} is not a value of {}, which go from 0 to {}. Use the names of its \
             constants instead of numbers. It keeps its value. This is told once for each property.",
            self.class,
            self.property,
            values.enumeration,
            values.count - 1
        );
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
}
