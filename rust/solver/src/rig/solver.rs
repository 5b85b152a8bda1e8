//! The list of all kinds of modifiers. A new one is a file in `rig/kinds/`, and a line here.

use serde::{Deserialize, Serialize};

use crate::rig::kind::{Kind, Parts};

/// One of the kinds in the list.
pub trait SolverKind: Into<Solver> + 'static {
    /// What `solver` does, if it is of this kind.
    fn of(solver: &mut Solver) -> Option<&mut Self>;
}

/// Declares the enum, and how to get at what all kinds have in common.
macro_rules! solvers {
    ($($(# $attribute:tt)* $file:ident::$kind:ident,)*) => {
        $(pub use crate::rig::kinds::$file::$kind;)*

        /// What a modifier does, with everything that it needs for that.
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub enum Solver {
            $($(# $attribute)* $kind($kind),)*
        }

        impl Solver {
            /// What it is made of.
            pub fn parts(&self) -> &dyn Parts {
                match self { $(Self::$kind(kind) => kind,)* }
            }

            /// What it is made of, to be changed.
            pub fn parts_mut(&mut self) -> &mut dyn Parts {
                match self { $(Self::$kind(kind) => kind,)* }
            }

            pub(super) fn kind(&self) -> &dyn Kind {
                match self { $(Self::$kind(kind) => kind,)* }
            }

            pub(super) fn kind_mut(&mut self) -> &mut dyn Kind {
                match self { $(Self::$kind(kind) => kind,)* }
            }
        }

        $(impl From<$kind> for Solver {
            fn from(kind: $kind) -> Self {
                Self::$kind(kind)
            }
        }

        impl SolverKind for $kind {
            fn of(solver: &mut Solver) -> Option<&mut Self> {
                match solver {
                    Solver::$kind(kind) => Some(kind),
                    _ => None,
                }
            }
        })*
    };
}

solvers! {
    /// One bone looks at the target.
    look_at::LookAt,
    /// Two bones reach the target in closed form.
    two_bone::TwoBone,
    /// Cyclic coordinate descent finds the way to the target.
    ccd::Ccd,
    /// Forward and backward reaching finds the way to the target.
    fabrik::Fabrik,
    /// Bones that lag behind their goal and swing around it.
    spring::Spring,
    /// A chain along a path.
    spline::Spline,
    /// A channel of a transform copied or mapped to one of a bone.
    copy_transform::CopyTransform,
    /// A bone or a node scrubs an animation.
    slider::Slider,
    /// A body follows its head.
    trail::Trail,
    /// A wave runs along a chain.
    wave::Wave,
    /// Animated feet are put on the ground.
    foot_placement::FootPlacement,
    /// Legs step by themselves.
    gait::Gait,
    /// A script sets rotations.
    custom::Custom,
}
