//! 2D inverse kinematics on plain data.
//!
//! The solvers of Tendon, without Godot. They read a chain of joints, turn the joints so that the
//! chain's tip meets a target, and report the result. Each folder uses only those below it:
//!
//! | folder or file | what is in it |
//! |---|---|
//! | [`capture`] | a pass as JSON, solved again elsewhere |
//! | [`key_thinning`] | the samples of a recorded motion that an animation needs |
//! | `rig` | bones and modifiers as data, the working pose, and the pass over them |
//! | `solvers` | one file for each named solver, and what they share |
//! | `descent` | the one constrained step, where it starts, and how a pose follows from the last |
//! | `kinematics` | joints, limbs and trees: where they are and how far they may turn |
//! | `collision` | shapes, and how deep a bone is inside one |
//! | `skeleton` | bones, joint limits and reports: plain data |
//! | [`math`] | rotations, angles, small matrices |
//!
//! A pass goes through [`Rig::solve`]: for each modifier, the file of its solver in `rig/kinds/`
//! reads the joints from the working pose, solves, and writes the result back to it. What a
//! modifier keeps for the next pass is in the data of its kind ([`Kept`]).
//!
//! An arm of two bones reaches for a target:
//!
//! ```
//! use tendon_solver::glam::Vec2;
//! use tendon_solver::{Bone, End, Modifier, Point, Rig, Status, TwoBone, Workspace};
//!
//! let upper = Bone::below(None);
//! let lower = Bone {
//!     position: Vec2::new(80.0, 0.0),
//!     ..Bone::below(Some(0))
//! };
//! let hand = Point {
//!     bone: Some(1),
//!     position: Vec2::new(70.0, 0.0),
//! };
//! let target = Point {
//!     bone: None,
//!     position: Vec2::new(60.0, 90.0),
//! };
//! let arm = TwoBone::new([0, 1], End::Point(hand), target);
//! let mut rig = Rig::new(vec![upper, lower], vec![Modifier::new(arm)]);
//! rig.solve(&mut Workspace::default());
//!
//! let report = rig.modifiers[0].report;
//! assert_eq!(report.status, Status::Reached);
//! assert!(report.tip.distance(target.position) < 1e-3);
//! ```
//!
//! Angles are radians. Godot's Y axis points down the screen, so a positive angle turns clockwise
//! on the screen; nothing here depends on that. No function allocates once its buffers have grown
//! to the rig's size, and none panics on numbers: what is not finite comes back as
//! [`Status::Invalid`].

#![forbid(unsafe_code)]
#![warn(unreachable_pub)]
// What is listed in `clippy.toml` has other last bits on other platforms.
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

pub mod capture;
mod collision;
mod descent;
pub mod key_thinning;
mod kinematics;
pub mod math;
mod rig;
mod skeleton;
mod solvers;

pub use glam;
pub use math::easing::{Ease, Transition};

pub use capture::Capture;
pub use collision::shape::{Obstacle, Shape};
pub use descent::out_of_reach::nearest_distance;
pub use descent::{Memory, Order, TransitionSpeeds};
pub use rig::Rig;
pub use rig::chain::{Chain, Effector, End};
pub use rig::fault::Fault;
pub use rig::handover::Handover;
pub use rig::kept::Kept;
pub use rig::kind::Parts;
pub use rig::kind_list::*;
pub use rig::kinds::foot::Foot;
pub use rig::let_go::LetGo;
pub use rig::modifier::Modifier;
pub use rig::placed::Placed;
pub use rig::shown::Shown;
pub use rig::shown::body_outline::LimbOutline;
pub use rig::shown::footholds::{Foothold, Footholds};
pub use rig::snapshot::{Snapshot, Unfit};
pub use rig::standing::Standing;
pub use rig::validation::Defect;
pub use rig::workspace::Workspace;
pub use skeleton::aimed::Aimed;
pub use skeleton::bone::{Bone, Direction, Point};
pub use skeleton::limit::{Limit, LimitSpace};
pub use skeleton::path::{Curve, CurvePoint, Path};
pub use skeleton::report::{Report, Status};
pub use solvers::algorithm::Algorithm;
pub use solvers::ccd::Sweep;
pub use solvers::copy_transform::mapping::{Channel, Local, Mapping, Rest, Source, Space};
pub use solvers::copy_transform::{MappingMemory, MappingSettings};
pub use solvers::elasticity::Elasticity;
pub use solvers::flip::{PathMemory, Trace};
pub use solvers::full_body::{FullBodyMemory, FullBodySettings};
pub use solvers::handover::{HandoverSettings, Passing};
pub use solvers::heading::Heading;
pub use solvers::look_at::LookAtSettings;
pub use solvers::modes::Tuning;
pub use solvers::ragdoll::memory::{RagdollMemory, RagdollPhase, Whereabouts};
pub use solvers::ragdoll::motion::Touch;
pub use solvers::ragdoll::settings::{Grab, Hold, LimbShape, Push, RagdollSettings};
pub use solvers::ragdoll::solid::{RagdollTick, Solid, SolidOutline};
pub use solvers::spline::SplineSettings;
pub use solvers::spring::{
    BoneMotion, Impulses, Motion, PinnedMotion, PinnedPoint, SpringSettings, with_impulse,
};
pub use solvers::stance::foot::{FootMemory, Plant, Support};
pub use solvers::stance::leg::{FootSettings, Lock};
pub use solvers::stance::memory::StanceMemory;
pub use solvers::stance::settings::{GaitOrder, GaitSettings, PelvisSettings};
pub use solvers::stance::shown::Footing;
pub use solvers::stance::world::{Hit, Surface, Tick, World};
pub use solvers::stepped_spring::{Oscillation, SteppedSpring};
pub use solvers::sweeps::Approach;
pub use solvers::trail::{TrailSettings, Way};
pub use solvers::two_bone::TwoBoneSettings;
