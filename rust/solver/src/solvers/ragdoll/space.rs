//! Memory for a pass of a ragdoll.

use glam::{DAffine2, DVec2, Vec2};

use crate::solvers::ragdoll::body::Body;
use crate::solvers::ragdoll::forces::Forces;
use crate::solvers::ragdoll::kinematics::LinkKinematics;
use crate::solvers::ragdoll::limits::Interval;
use crate::solvers::ragdoll::motor::Lead;
use crate::solvers::ragdoll::tick;

/// Memory for a pass of a ragdoll.
#[derive(Clone, Debug, Default)]
pub(crate) struct PassSpace {
    pub(crate) body: Body,
    /// The state of the body in the pose.
    pub(crate) state: Vec<f64>,
    /// Two corners of a box around the axes of all limbs in the pose, in global space.
    pub(crate) posed: [Vec2; 2],
    pub(crate) limits: Vec<Interval>,
    /// The links that may touch one another.
    pub(crate) pairs: Vec<[usize; 2]>,
    pub(crate) kinematics: LinkKinematics,
    pub(crate) forces: Forces,
    pub(crate) lead: Lead,
    pub(crate) tick: tick::TickWorkspace,
    /// The inverse mass and the inverse moment of inertia that are felt in each link, in global space.
    pub(crate) eases: Vec<DVec2>,
    /// The links whose joints bear too much.
    pub(crate) overloaded: Vec<usize>,
    /// The rotations of the bones that are shown.
    pub(crate) shown: Vec<f64>,
    /// The bones that are broken off, and where they are shown in the frames of those above them.
    pub(crate) shifted: Vec<(usize, Vec2)>,
    /// The state that is shown.
    pub(crate) between: Vec<f64>,
    /// The states of the pose between which it moves in the ticks of a pass, and in one of them.
    pub(crate) begin: Vec<f64>,
    pub(crate) goals: [Vec<f64>; 2],
    /// The frames of the bones, in skeleton space.
    pub(crate) frames: Vec<DAffine2>,
}
