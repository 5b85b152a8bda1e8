//! Properties as the inspector lists them.

use godot::obj::EngineBitfield;
use godot::prelude::*;
use godot::register::info::{PropertyHint, PropertyInfo, PropertyUsageFlags};

/// Hides a property from the inspector. It is still stored.
pub(crate) fn hide(property: &mut PropertyInfo) {
    let usage = property.usage.ord() & !PropertyUsageFlags::EDITOR.ord();
    property.usage = PropertyUsageFlags::from_ord(usage);
}

/// Gives a property the range `hint`, as a hint of the engine's `PROPERTY_HINT_RANGE`.
pub(crate) fn set_range(property: &mut PropertyInfo, hint: &str) {
    property.hint_info.hint = PropertyHint::RANGE;
    property.hint_info.hint_string = GString::from(hint);
}

/// Returns `true` if `node` has the property `name`.
pub fn has(node: &Gd<Node>, name: &str) -> bool {
    let (properties, name) = (node.get_property_list(), name.to_variant());
    let mut names = properties.iter_shared();
    names.any(|property| property.get("name").as_ref() == Some(&name))
}
