//! The list of all kinds of modifiers, with what reports call them. A new one is a file in `rig/kinds/`, and
//! a line here (all places: CONTRIBUTING.md, *Add a modifier*). What is public in that file is public in the crate.

use serde::{Deserialize, Serialize};

use crate::rig::kind::{Kind, Parts};

/// One of the kinds in the list.
pub trait SolverKind: Into<Solver> + 'static {
    /// What `solver` does, if it is of this kind.
    fn of(solver: &mut Solver) -> Option<&mut Self>;
}

/// Declares the enum, and how to get at what all kinds have in common.
macro_rules! solvers {
    ($($file:ident::$kind:ident = $name:literal,)*) => {
        $(pub use crate::rig::kinds::$file::*;)*

        /// What a modifier does, with everything that it needs for that.
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub enum Solver {
            $(#[doc = concat!("[`", stringify!($kind), "`]")] $kind($kind),)*
        }

        impl Solver {
            /// What it is called in a report.
            pub fn name(&self) -> &'static str {
                match self { $(Self::$kind(_) => $name,)* }
            }

            /// What it is made of.
            pub fn parts(&self) -> &dyn Parts {
                self.kind()
            }

            /// What it is made of, to be changed.
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
