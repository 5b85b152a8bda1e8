//! Spring: bones that lag behind their goal and oscillate around it, without a target.
//!
//! | file | what is in it |
//! |---|---|
//! | [`settings`] | the settings |
//! | [`oscillation`] | the solve of a frame: the bones move on in time |
//! | [`impulses`] | impulses at places of the chain |
//! | [`motion`] | the state that is kept from one pass to the next |
//! | [`balance`] | gravity |
//! | [`pinned`] | a chain that is held at both ends |
//! | [`bend`] | its goal |
//! | [`lengths`] | the lengths of its bones |
//! | [`pinned_motion`] | its state that is kept from one pass to the next |
//! | [`workspace`] | memory for a solve |
//!
//! The goal is the pose that animation and the modifiers above give. The state is, for each bone,
//! the angle ψ in global space by which the bone is off its goal, and its speed. Angles in global
//! space make mirrored, skewed and scaled ancestors need no special case: a mirrored chain has the
//! negative angles, and a scaled one the same.
//!
//! **Within a frame** the goal is taken to move linearly: the root joint along a line, and each
//! bone at an even rate. Seen from such a goal nothing but the springs acts, so each of the
//! [shapes](crate::solvers::modes) in which the chain oscillates is a damped oscillator of its own,
//!
//! ```text
//! q″ + 2 ζ ω q′ + ω² q = 0
//! ```
//!
//! which has a closed form, under, at and over critical damping. A frame that is cut into parts
//! ends in the same state, at any stiffness, and no energy is gained.
//!
//! **Between frames** the goal changes its velocity, and the bones keep theirs. So relative to the
//! goal, the bones' speeds change by the opposite. A change Δv of the root joint's velocity turns a
//! bone of direction *d* at the rate `−(d × Δv) / L`, as if the tip were a mass that stays where it
//! is; *L* is the chain's length. Large rates are bounded by `ω atan(rate / ω)`, so that no sudden
//! motion throws a bone farther than a right angle. A change of the rate at which the goal's bones
//! turn is not bounded.
//!
//! **Gravity** moves the goal: the chain oscillates around the pose in which gravity and springs
//! are in balance. For each bone at the angle *u* from gravity, `−cos u` has the sharpest quadratic
//! bound with the curvature `sin u / u`. Its least value is that of a tridiagonal system, which is
//! repeated until nothing changes, and never overshoots. In balance gravity also holds the bones:
//! that is added to each ω². A chain begins in the balance, or at the goal if there are obstacles.
//!
//! A jump of more than three lengths of the chain in a frame, at more than 90 lengths per second,
//! is a teleport, which the bones do not feel. Nor do they feel that an ancestor is mirrored: the
//! state is mirrored with it.
//!
//! Source: the closed form of the damped spring as in R. Juckett, *Damped Springs* (2012). The
//! quadratic bound as in J. de Leeuw and K. Lange, *Sharp quadratic majorization in one dimension*
//! (2009). The rest is Tendon's.

mod balance;
mod bend;
mod impulses;
mod lengths;
mod motion;
pub(crate) mod oscillation;
pub(crate) mod pinned;
mod pinned_motion;
mod settings;
mod workspace;

pub(crate) use crate::solvers::spring::impulses::unwound;
pub use crate::solvers::spring::impulses::{Impulses, with_impulse};
pub(crate) use crate::solvers::spring::motion::SpringGoal;
pub use crate::solvers::spring::motion::{BoneMotion, Motion};
pub use crate::solvers::spring::pinned_motion::{PinnedMotion, PinnedPoint};
pub use crate::solvers::spring::settings::SpringSettings;
pub(crate) use crate::solvers::spring::workspace::SpringWorkspace;
