//! Properties as the inspector lists them.

use godot::obj::EngineBitfield;
use godot::register::info::{PropertyInfo, PropertyUsageFlags};

/// Hides a property from the inspector. It is still stored.
pub(crate) fn hide(property: &mut PropertyInfo) {
    let usage = property.usage.ord() & !PropertyUsageFlags::EDITOR.ord();
    property.usage = PropertyUsageFlags::from_ord(usage);
}
