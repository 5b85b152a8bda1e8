//! A body in a pass: its pose, its stiffness, its effectors, and what is kept of it.

use glam::DVec2;

use crate::kinematics::tree::{Node, Tree};
use crate::math::angle::wrapped;
use crate::math::bounded::Problem;
use crate::solvers::full_body::memory::FullBodyMemory;

/// The stiffness of a joint that carries nothing, and what one that carries all has more.
const JOINT: f64 = 0.3;
const CARRIER: f64 = 4.0;

/// The stiffness of the place and the angle of the root: if it moves freely, and what there is more at half
/// a stiffness.
const PLACE: [f64; 2] = [0.05, 25.0];
const ANGLE: [f64; 2] = [0.25, 6.0];

/// Forces that differ from none by more, in units of the stiffness, are no memory of a solve.
const STRONGEST: f64 = 1e12;

/// The goal of an effector of a body.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EffectorGoal {
    /// Index of its tip in the tree.
    pub(crate) tip: usize,
    /// The weight, 0 to 1.
    pub(crate) weight: f64,
    /// The direction for the X axis of its joint, in chain space.
    pub(crate) heading: Option<DVec2>,
}

/// The rows of an effector.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct EffectorRows {
    /// The range of its columns among those of the workspace: the first, and the end.
    pub(super) columns: [usize; 2],
    /// The residuals of the place, in sizes, and of the heading, in radians times `ARM`, each with its compliance,
    /// which grows with it.
    pub(super) way: DVec2,
    pub(super) way_compliance: f64,
    pub(super) turn: f64,
    pub(super) turn_compliance: f64,
    /// The compliance that its weight gives it.
    pub(super) compliance: f64,
    /// `true` if the effector counts.
    pub(super) counts: bool,
}

/// The place of a tip in the base pose, and the direction of its joint there, in chain space.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct RestTip {
    pub(super) place: DVec2,
    pub(super) heading: DVec2,
}

/// The offset of an effector from its target: a way in chain space, and an angle in radians.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Off {
    pub(super) place: DVec2,
    pub(super) turn: f64,
}

/// The derivative of an effector by one unknown: of its place, in sizes, and of its direction, in radians times `ARM`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Column {
    pub(super) unknown: usize,
    pub(super) place: DVec2,
    pub(super) turn: f64,
}

/// The force and the torque that pull an effector.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Force {
    pub(super) place: DVec2,
    pub(super) turn: f64,
}

/// Memory that solves share.
#[derive(Clone, Debug, Default)]
pub(crate) struct FullBodyWorkspace {
    pub(crate) goals: Vec<EffectorGoal>,
    pub(super) rests: Vec<RestTip>,
    /// The offset from the base pose of the pose that the body is drawn to, and the offsets of the effectors from their
    /// targets, in a handover; zero otherwise. `None` for an effector that does not count on the way.
    pub(super) drawn: Vec<f64>,
    pub(super) offs: Vec<Option<Off>>,
    pub(super) rows: Vec<EffectorRows>,
    pub(super) columns: Vec<Column>,
    pub(super) forces: Vec<Force>,
    pub(super) stiffness: Vec<f64>,
    /// The tension of the bones below a joint, negative if they are pushed, and that of the pulled ones alone.
    pub(super) tension: Vec<[f64; 2]>,
    /// From the joint of a bone to the next one on the way to a tip, in sizes.
    pub(super) levers: Vec<DVec2>,
    pub(super) curvature: Vec<f64>,
    /// `true` if the curvature of the last step did not count in full.
    pub(super) is_pushed: bool,
    /// The pose in which the pass began.
    pub(super) start: Vec<f64>,
    pub(super) problem: Problem,
    pub(super) best: FullBodyMemory,
}

impl FullBodyWorkspace {
    /// Finds the stiffness of a tree whose root has that of `root`, 0 to 1.
    pub(super) fn stiffen(&mut self, tree: &Tree, root: f64) {
        let lengths = &mut self.curvature;
        lengths.clear();
        lengths.resize(tree.len(), 0.0);
        for link in &tree.links {
            let length = &mut lengths[link.joint];
            *length = length.max(tree.length_of(link));
        }
        for index in (1..tree.len()).rev() {
            if let Some(parent) = tree.nodes[index].parent {
                lengths[parent] += lengths[index];
            }
        }
        let total = lengths[0].max(f64::MIN_POSITIVE);
        let factor = root.min(1.0 - 1e-9) / (1.0 - root.min(1.0 - 1e-9));
        let place = PLACE[0] + PLACE[1] * factor;
        self.stiffness.clear();
        self.stiffness
            .extend([place, place, ANGLE[0] + ANGLE[1] * factor]);
        for (node, length) in tree.nodes.iter().zip(&*lengths).skip(1) {
            let mobility = node.mobility.max(1e-6);
            self.stiffness
                .push((JOINT + CARRIER * length / total) / mobility);
        }
    }

    /// Takes over the forces of the step before; none for another number of effectors.
    pub(super) fn recall(&mut self, forces: &[f64]) {
        self.forces.clear();
        if forces.len() == 3 * self.goals.len() && forces.iter().all(|it| it.abs() < STRONGEST) {
            let forces = forces.chunks_exact(3);
            self.forces.extend(forces.map(|force| Force {
                place: DVec2::new(force[0], force[1]),
                turn: force[2],
            }));
        }
        self.forces.resize(self.goals.len(), Force::default());
    }

    fn note_forces(&self, into: &mut Vec<f64>) {
        into.clear();
        let forces = self.forces.iter();
        into.extend(forces.flat_map(|force| [force.place.x, force.place.y, force.turn]));
    }
}

/// A body in a pass.
pub(super) struct PosedBody<'a> {
    pub(super) tree: &'a mut Tree,
    pub(super) workspace: &'a mut FullBodyWorkspace,
    /// The length of a unit of the root's place, in chain units.
    pub(super) size: f64,
    /// Distance that counts as reached, in sizes.
    pub(super) tolerance: f64,
    pub(super) is_root_locked: bool,
    /// The greatest distance of the root from its base place, in sizes; infinite without a bound.
    pub(super) reach: f64,
    /// The greatest differences from the pose in which the pass began, in radians and sizes.
    pub(super) most: [f64; 2],
}

impl PosedBody<'_> {
    /// Notes the pose and the forces.
    pub(super) fn note(&self, pose: &mut Vec<f64>, forces: &mut Vec<f64>) {
        pose.clear();
        pose.extend(self.pose());
        self.workspace.note_forces(forces);
    }

    /// The place of the root in sizes, and the swings.
    pub(super) fn pose(&self) -> impl Iterator<Item = f64> {
        let shift = self.tree.nodes[0].point / self.size;
        [shift.x, shift.y].into_iter().chain(self.tree.swings())
    }

    /// Takes a pose, as far as the limits allow.
    pub(super) fn take_pose(&mut self, pose: impl IntoIterator<Item = f64>) {
        let mut pose = pose.into_iter();
        let mut next = || pose.next().unwrap_or(0.0);
        let shift = DVec2::new(next(), next()) * self.size;
        self.tree.swing_to(pose);
        if self.is_root_locked {
            self.tree.swing_to([0.0]);
        }
        self.tree.unwind(std::f64::consts::PI);
        self.put_root(if self.is_root_locked {
            DVec2::ZERO
        } else {
            shift
        });
        self.tree.place();
    }

    /// Puts the root so far from its base place, as far as it may go.
    pub(super) fn put_root(&mut self, shift: DVec2) {
        self.tree.nodes[0].point = match self.reach < f64::INFINITY {
            true => shift.clamp_length_max(self.reach * self.size),
            false => shift,
        };
    }

    /// The axes of the two unknowns of the root's place: with a reach, the first leads away from the base place.
    pub(super) fn axes(&self) -> [DVec2; 2] {
        let away = self.tree.nodes[0].point.try_normalize();
        let away = away.filter(|_| self.reach < f64::INFINITY);
        away.map_or([DVec2::X, DVec2::Y], |away| [away, away.perp()])
    }

    /// Returns the difference of each unknown from the base pose, or from the pose that the body is drawn to.
    pub(super) fn way_from_base(&self) -> impl Iterator<Item = f64> {
        let drawn = &self.workspace.drawn;
        let shift = self.tree.nodes[0].point / self.size - DVec2::new(drawn[0], drawn[1]);
        let nodes = self.tree.nodes.iter().zip(&drawn[2..]);
        let swings = nodes.map(|(node, drawn)| way_from_base(node, *drawn));
        self.axes()
            .map(|axis| axis.dot(shift))
            .into_iter()
            .chain(swings)
    }

    /// Takes the base pose, and notes where the tips are.
    pub(super) fn note_rest(&mut self) {
        self.take_pose(std::iter::repeat(0.0));
        let (tree, workspace) = (&*self.tree, &mut *self.workspace);
        workspace.rests.clear();
        workspace.rests.extend(workspace.goals.iter().map(|goal| {
            let tip = &tree.tips[goal.tip];
            RestTip {
                place: tip.point,
                heading: tree.nodes[tip.joint].frame.x_axis,
            }
        }));
    }
}

/// The turn of a joint from one by `drawn` that is the shortest: whole turns do not count where it may turn all round.
fn way_from_base(node: &Node, drawn: f64) -> f64 {
    match node.interval() {
        Some(_) => node.swing - drawn,
        None => wrapped(node.swing - drawn),
    }
}
