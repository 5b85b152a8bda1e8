//! Refuses calls with something else in the place of a node or resource. gdext would print how it calls functions.
//!
//! `null` is left to the method. Setters are, too: what they take is up to the property.

use godot::prelude::*;

use crate::engine::gdext_private::{read_name, read_variant, sys};

/// The parameters of a method that are objects.
pub(super) struct ObjectParameters {
    /// With its class.
    method: String,
    /// The index, the name and the class of each.
    parameters: Vec<(usize, StringName, StringName)>,
}

impl ObjectParameters {
    /// Those of `method` of `class`; `None` if there are none.
    ///
    /// # Safety
    /// `method` has to be complete.
    pub(super) unsafe fn find(
        class: &StringName,
        method: &sys::GDExtensionClassMethodInfo,
    ) -> Option<Self> {
        // SAFETY: the method has a name, and as many arguments as it says, each with a name and a class.
        let (name, parameters) = unsafe {
            let name = read_name(method.name.cast_const().cast()).to_string();
            let all = (0..method.argument_count as usize).map(|index| {
                let info = &*method.arguments_info.add(index);
                let is_object = info.type_ == sys::GDEXTENSION_VARIANT_TYPE_OBJECT;
                let [name, class] =
                    [info.name, info.class_name].map(|it| read_name(it.cast_const().cast()));
                (index, name, class, is_object)
            });
            let objects = all.filter(|(.., is_object)| *is_object);
            let objects = objects.map(|(index, name, class, _)| (index, name, class));
            (name, objects.collect::<Vec<_>>())
        };
        let is_any = !parameters.is_empty() && !name.starts_with("set_");
        is_any.then(|| Self {
            method: format!("{class}.{name}()"),
            parameters,
        })
    }

    /// Returns `true` if one of `arguments` is no object of its class, and prints that as an error.
    ///
    /// # Safety
    /// There have to be `count` of them.
    pub(super) unsafe fn are_refused(
        &self,
        arguments: *const sys::GDExtensionConstVariantPtr,
        count: sys::GDExtensionInt,
    ) -> bool {
        let given = usize::try_from(count).unwrap_or_default();
        let given = self.parameters.iter().filter(|(index, ..)| *index < given);
        let mut wrong = given.filter_map(|(index, name, class)| {
            // SAFETY: the caller's promise.
            let value = unsafe { read_variant(*arguments.add(*index)) };
            let what = what_else(&value, class)?;
            Some(format!("{name} is {what}. Pass a {class}."))
        });
        let wrong = wrong.next();
        if let Some(advice) = &wrong {
            godot_error!("{}: {advice}", self.method);
        }
        wrong.is_some()
    }
}

/// A description of `value`, if it is neither an object of `class` nor `null`.
fn what_else(value: &Variant, class: &StringName) -> Option<String> {
    if value.is_nil() {
        return None;
    }
    let Ok(object) = value.try_to::<Option<Gd<Object>>>() else {
        return Some(match value.get_type() {
            VariantType::OBJECT => "freed".into(),
            other => format!("of the type {other:?}"),
        });
    };
    let object = object.filter(|object| !object.is_class(&class.to_string()))?;
    Some(format!("a {}", object.get_class()))
}
