//! Settings, whose fields are declared once: name, type and default. Written as JSON, told whether they are
//! sound, and read from whatever has fields of the same names.

use glam::Vec2;

/// A type that a setting may have.
pub(crate) trait Sound {
    /// Returns `true` if a solver can go on with the value.
    fn is_sound(&self) -> bool {
        true
    }
}

impl Sound for f32 {
    fn is_sound(&self) -> bool {
        self.is_finite()
    }
}

impl Sound for Vec2 {
    fn is_sound(&self) -> bool {
        self.is_finite()
    }
}

/// Has values of these types be settings as they are, in JSON, too.
macro_rules! plain_settings {
    ($($type:ty),+) => {
        $(
            impl $crate::math::settings::Sound for $type {}
            $crate::math::number::as_it_is!($type);
        )+
    };
}
pub(crate) use plain_settings;

plain_settings!(bool, u32);

/// Declares a structure of settings: each field with its type and its usual value. Beside it, a macro of the same name
/// makes one of the fields of those names that another structure has, each by a trait `InSolver` of its crate.
macro_rules! settings {
    (
        $(# $of_settings:tt)*
        $name:ident { $($(# $of_field:tt)* $field:ident: $type:ty = $usual:expr;)+ }
    ) => {
        $crate::math::settings::settings! {
            @($) $(# $of_settings)* $name { $($(# $of_field)* $field: $type = $usual;)+ }
        }
    };
    (
        @($dollar:tt) $(# $of_settings:tt)*
        $name:ident { $($(# $of_field:tt)* $field:ident: $type:ty = $usual:expr;)+ }
    ) => {
        $(# $of_settings)*
        #[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
        #[serde(default, deny_unknown_fields)]
        pub struct $name {
            $(
                $(# $of_field)*
                #[serde(with = "crate::math::number")]
                pub $field: $type,
            )+
        }

        impl Default for $name {
            fn default() -> Self {
                Self { $($field: $usual),+ }
            }
        }

        impl $crate::math::settings::Sound for $name {
            fn is_sound(&self) -> bool {
                [$($crate::math::settings::Sound::is_sound(&self.$field)),+].iter().all(|it| *it)
            }
        }

        /// The settings of what has fields of their names, each as the trait `InSolver` that is given has it.
        #[macro_export]
        macro_rules! $name {
            ($dollar node:expr, $dollar in_solver:path) => {
                $crate::$name { $($field: $dollar in_solver(&$dollar node.$field)),+ }
            };
        }
    };
}
pub(crate) use settings;
