//! Enums that scripts know by name, such as `TendonRig2D.CallbackModeProcess`.
//!
//! gdext registers the constants of a class one by one, and has no enums. Here the constants are
//! registered as the values of an enum, and Rust types say which enum they are. The documentation
//! of the constants is that of the variants, of which `#[constant]` items are made that are not compiled:
//! registering a constant twice would be an error.

use std::borrow::Cow;

use godot::meta::shape::{EnumeratorShape, GodotShape};
use godot::prelude::*;

use crate::engine::gdext_private::{ConstantKind, ExportConstant, IntegerConstant};

/// Registers the enum `name` of the class `C`, which must be registered already.
pub(crate) fn register_enum<C: GodotClass>(name: &str, constants: &[(&str, i64)]) {
    let constants = constants.iter();
    let enumerators = constants.map(|&(name, value)| IntegerConstant::new(name, value));
    let kind = ConstantKind::Enum {
        name: name.into(),
        enumerators: enumerators.collect(),
    };
    ExportConstant::new(C::class_id(), kind).register();
}

/// The type of the enum `name`, whose values the inspector shows as `labels`.
pub(crate) fn enum_shape(
    name: Cow<'static, str>,
    labels: &'static [EnumeratorShape],
) -> GodotShape {
    GodotShape::Enum {
        variant_type: VariantType::INT,
        enumerators: Cow::Borrowed(labels),
        godot_name: Some(name),
        is_bitfield: false,
    }
}

/// Declares a Rust enum that is the type of properties whose Godot type is the enum `$name` of `$class`.
/// With `and $solver`, that has the same variants. For each variant: its help, what the inspector shows, and the
/// constant that scripts know. An `undocumented` enum has its help elsewhere, with its class. The numbers begin at 0.
/// A property of such a type names both its accessors: with those of gdext, the class reference shows a number, and a
/// method without a text.
macro_rules! class_enum {
    (
        $(# $attribute:tt)*
        $type:ident is $class:ident.$name:ident and $solver:path {
            $($(# $of_variant:tt)* $variant:ident: $label:literal, $constant:ident;)+
        }
    ) => {
        $crate::engine::class_enum::class_enum! {
            $(# $attribute)*
            $type is $class.$name {
                $($(# $of_variant)* $variant: $label, $constant;)+
            }
        }

        impl $crate::engine::space::InSolver<$solver> for $type {
            fn in_solver(&self) -> $solver {
                use $solver as InSolver;
                match self {
                    $(Self::$variant => InSolver::$variant,)+
                }
            }
        }
    };
    (
        $(# $attribute:tt)*
        $type:ident is $class:ident.$name:ident {
            $($(# $of_variant:tt)* $variant:ident: $label:literal, $constant:ident;)+
        }
    ) => {
        $crate::engine::class_enum::class_enum! {
            $(# $attribute)*
            $type is $class.$name undocumented {
                $($(# $of_variant)* $variant: $label, $constant;)+
            }
        }

        #[godot::prelude::godot_api(secondary)]
        impl $class {
            $(
                #[cfg(false)]
                #[constant]
                $(# $of_variant)*
                const $constant: i64 = $type::$variant as i64;
            )+
        }
    };
    (
        $(# $attribute:tt)*
        $type:ident is $class:ident.$name:ident undocumented {
            $($(# $of_variant:tt)* $variant:ident: $label:literal, $constant:ident;)+
        }
    ) => {
        $(# $attribute)*
        #[derive(Var, Export, Clone, Copy, Debug, Default, PartialEq, Eq)]
        #[godot(via = i64)]
        pub enum $type {
            $($(# $of_variant)* $variant,)+
        }

        impl $type {
            /// Registers the enum of the class `C`, which must be registered already.
            pub(in crate::nodes) fn register<C: GodotClass>() {
                $crate::engine::class_enum::register_enum::<C>(
                    stringify!($name),
                    &[$((stringify!($constant), Self::$variant as i64)),+],
                );
            }
        }

        impl godot::meta::GodotConvert for $type {
            type Via = i64;

            fn godot_shape() -> godot::meta::shape::GodotShape {
                use godot::meta::shape::EnumeratorShape;
                const LABELS: &[EnumeratorShape] =
                    &[$(EnumeratorShape::new_int($label, $type::$variant as i64)),+];
                let name = concat!(stringify!($class), ".", stringify!($name));
                $crate::engine::class_enum::enum_shape(name.into(), LABELS)
            }
        }

        impl godot::meta::ToGodot for $type {
            type Pass = godot::meta::conv::ByValue;

            fn to_godot(&self) -> i64 {
                *self as i64
            }
        }

        impl godot::meta::FromGodot for $type {
            fn try_from_godot(via: i64) -> Result<Self, godot::meta::error::ConvertError> {
                match via {
                    $(value if value == Self::$variant as i64 => Ok(Self::$variant),)+
                    value => Err(godot::meta::error::ConvertError::new(
                        format!("{value} is not a value of {}.{}", stringify!($class), stringify!($name)),
                    )),
                }
            }
        }
    };
}
pub(crate) use class_enum;
