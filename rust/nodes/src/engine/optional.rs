//! Parameters that scripts need not pass as they are declared: nodes and options that they leave out, and arrays
//! without a type.

use godot::classes::Bone2D;
use godot::meta::shape::GodotShape;
use godot::meta::{GodotConvert, GodotImmutable, error::ConvertError};
use godot::prelude::*;

/// A parameter that is a node or `null`. gdext takes default values of immutable types only.
#[derive(Debug)]
pub(crate) struct Optional<T: GodotClass>(pub(crate) Option<Gd<T>>);

impl<T: GodotClass> Clone for Optional<T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<T: GodotClass> Optional<T> {
    /// No node: the only default value there is.
    pub(crate) const NONE: Self = Self(None);
}

impl<T: GodotClass> GodotConvert for Optional<T> {
    type Via = Option<Gd<T>>;

    fn godot_shape() -> GodotShape {
        Self::Via::godot_shape()
    }
}

impl<T: GodotClass> ToGodot for Optional<T> {
    type Pass = godot::meta::conv::ByValue;

    fn to_godot(&self) -> Self::Via {
        self.0.clone()
    }
}

impl<T: GodotClass> FromGodot for Optional<T> {
    fn try_from_godot(via: Self::Via) -> Result<Self, ConvertError> {
        Ok(Self(via))
    }
}

// SAFETY: gdext shares default values between threads. This type has one only, `NONE`, and nothing in it
// that could change.
unsafe impl<T: GodotClass> GodotImmutable for Optional<T> {}

/// A dictionary of options, empty if it is left out.
#[derive(Clone, Debug, Default)]
pub struct Given(pub VarDictionary);

impl GodotConvert for Given {
    type Via = VarDictionary;

    fn godot_shape() -> GodotShape {
        VarDictionary::godot_shape()
    }
}

impl ToGodot for Given {
    type Pass = godot::meta::conv::ByValue;

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

/// A list of bones, as scripts have it: maybe in an array without a type.
#[derive(Clone, Debug)]
pub struct BoneList(pub AnyArray);

impl GodotConvert for BoneList {
    type Via = AnyArray;

    fn godot_shape() -> GodotShape {
        Array::<Gd<Bone2D>>::godot_shape()
    }
}

impl FromGodot for BoneList {
    fn try_from_godot(via: AnyArray) -> Result<Self, ConvertError> {
        Ok(Self(via))
    }
}
