//! The list of all kinds of modifiers, with what reports call them. A new one is a file in `rig/kinds/`, and
//! a line here (all places: CONTRIBUTING.md, *Add a modifier*). What is public in that file is public in the crate.

use serde::{Deserialize, Serialize};

use crate::rig::kind::{Kind, Parts};

/// One of the kinds in the list.
pub trait SolverKind: Into<Solver> + 'static {
    /// Returns the data of `solver`, if it is of this kind.
    fn of(solver: &mut Solver) -> Option<&mut Self>;
}

/// Declares the enum, and how to get at what all kinds have in common.
macro_rules! solvers {
    ($($file:ident::$kind:ident = $name:literal,)*) => {
        $(pub use crate::rig::kinds::$file::*;)*

        /// The kind of a modifier, with everything that it needs to be solved.
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub enum Solver {
            $(#[doc = concat!("[`", stringify!($kind), "`]")] $kind($kind),)*
        }

        impl Solver {
            /// Returns the name of the kind in a report.
            pub fn name(&self) -> &'static str {
                match self { $(Self::$kind(_) => $name,)* }
            }

            /// Returns its parts.
            pub fn parts(&self) -> &dyn Parts {
                self.kind()
            }

            /// Returns its parts, to be changed.
            pub fn parts_mut(&mut self) -> &mut dyn Parts {
                self.kind_mut()
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
    look_at::LookAt = "look-at",
    two_bone::TwoBone = "two-bone",
    chain_ik::ChainIk = "chain",
    full_body::FullBody = "full body",
    spring::Spring = "spring",
    spline::Spline = "spline",
    copy_transform::CopyTransform = "copy",
    slider::Slider = "slider",
    trail::Trail = "trail",
    wave::Wave = "wave",
    ragdoll::Ragdoll = "ragdoll",
    stance::Stance = "stance",
    custom::Custom = "script",
}
