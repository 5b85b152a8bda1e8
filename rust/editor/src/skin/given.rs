//! A dictionary of options that may be left out.

use godot::meta::conv::ByValue;
use godot::meta::error::ConvertError;
use godot::meta::shape::GodotShape;
use godot::meta::{FromGodot, GodotConvert, GodotImmutable, ToGodot};
use godot::prelude::*;

/// The options, empty if they are left out.
#[derive(Clone, Debug, Default)]
pub(super) struct Given(pub(super) VarDictionary);

impl GodotConvert for Given {
    type Via = VarDictionary;

    fn godot_shape() -> GodotShape {
        VarDictionary::godot_shape()
    }
}

impl ToGodot for Given {
    type Pass = ByValue;

    fn to_godot(&self) -> VarDictionary {
        self.0.clone()
    }
}

impl FromGodot for Given {
    fn try_from_godot(via: VarDictionary) -> Result<Self, ConvertError> {
        Ok(Self(via))
    }
}

// SAFETY: The default is made read-only, so nobody can change what all calls share, and the engine counts the
// references of dictionaries atomically.
unsafe impl GodotImmutable for Given {
    fn into_runtime_immutable(self) -> Self {
        Self(self.0.into_read_only())
    }
}
