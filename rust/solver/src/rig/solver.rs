//! The list of all kinds of modifiers. A new one is a file in `rig/kinds/`, and a line here.

use serde::{Deserialize, Serialize};

use crate::rig::kind::{Kind, Parts};
use crate::rig::kinds::ccd::Ccd;
use crate::rig::kinds::copy_transform::CopyTransform;
use crate::rig::kinds::custom::Custom;
use crate::rig::kinds::fabrik::Fabrik;
use crate::rig::kinds::look_at::LookAt;
use crate::rig::kinds::spline::Spline;
use crate::rig::kinds::spring::Spring;
use crate::rig::kinds::trail::Trail;
use crate::rig::kinds::two_bone::TwoBone;
use crate::rig::kinds::wave::Wave;

/// One of the kinds in the list.
pub trait SolverKind: Into<Solver> + 'static {
    /// What `solver` does, if it is of this kind.
    fn of(solver: &mut Solver) -> Option<&mut Self>;
}

/// Declares the enum, and how to get at what all kinds have in common.
macro_rules! solvers {
    ($($(# $attribute:tt)* $kind:ident,)*) => {
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
    LookAt,
    /// Two bones reach the target in closed form.
    TwoBone,
    /// Cyclic coordinate descent finds the way to the target.
    Ccd,
    /// Forward and backward reaching finds the way to the target.
    Fabrik,
    /// Bones that lag behind their goal and swing around it.
    Spring,
    /// A chain along a path.
    Spline,
    /// A channel of a transform copied or mapped to one of a bone.
    CopyTransform,
    /// A body follows its head.
    Trail,
    /// A wave runs along a chain.
    Wave,
    /// A script sets rotations.
    Custom,
}
