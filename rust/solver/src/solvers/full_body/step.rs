//! One step of a body.
//!
//! The rows of an effector are the way from its tip to its target, in sizes, and [`ARM`] times the turn that
//! is left to its heading. Beside the damped least squares there are the second derivatives of `−λ·p` for
//! the force `λ` of an effector and its tip `p`. In a tree of plain bones they are simple: the lever of an
//! effector in bone *k*, from its joint to the next one on the way to the tip, makes `w = λ·lever`, and
//! the derivative by the angles of *i* and *j*, which *j* carries, is the sum of `w` over the bones below *j*.
//! Bones that are pulled (`w > 0`) only make the function more convex. Those that are pushed may make it
//! concave: then they are left out. With bones that are stretched or skewed, the levers of those that are pulled alone are an
//! estimate.

use glam::DVec2;

use crate::kinematics::tree::{Node, Tree, Unsolvable};
use crate::math::angle::wrapped;
use crate::math::bounded::{BoundState, EDGE, Problem};
use crate::math::trigonometry::angle_between;
use crate::solvers::full_body::body::{Column, EffectorGoal, EffectorRows, Force, PosedBody};

/// Distance in sizes from which on the pull of an effector no longer grows.
const FARTHEST: f64 = 0.3;

/// A step that is less, in radians and sizes, is the last. What is left is nearly its square.
const LAST_STEP: f64 = 1e-3;

/// A turn of a radian counts as much as a distance of this many sizes.
pub(super) const ARM: f64 = 0.1;

/// An angle, in radians, from which on the torque of a heading no longer grows.
const WIDEST: f64 = 0.5;

/// The compliance of an effector is this, times 10 to the power of −8 times the weight, and divided by the weight.
const COMPLIANCE: f64 = 0.03;

/// An effector that weighs less fades out: it goes back to where it is in the base pose, and its compliance grows.
const FADES: f64 = 0.5;

/// The angle by which straight limbs are bent if they are pushed, in radians, and the sine of the angle below which a
/// limb counts as straight.
const BUCKLE: f64 = 0.05;
const STRAIGHT: f64 = 0.02;

/// The longest step, in radians and in sizes.
const LONGEST: [f64; 2] = [0.5, 0.3];

/// The curvature of all bones counts if no pivot is less than this.
const LEAST_PIVOT: f64 = 0.15;

/// The compliance of an effector with this weight; infinite at 0.
fn compliance(weight: f64) -> f64 {
    let full = weight.max(FADES);
    let faded = full / weight;
    COMPLIANCE * libm::exp(-8.0 * std::f64::consts::LN_10 * full) / full * faded * faded
}

/// Returns the part of the way from its target to its place in the base pose that an effector with this weight has
/// gone. The motion starts and ends slowly.
fn faded(weight: f64) -> f64 {
    let faded = (1.0 - weight / FADES).max(0.0);
    faded * faded * (3.0 - 2.0 * faded)
}

/// Fills in the curvature of a tree whose bones may be stretched: what turns with a joint moves by its spin, also the
/// velocities of what hangs on it.
fn curve_exactly(
    tree: &Tree,
    goals: &[EffectorGoal],
    forces: &[Force],
    size: f64,
    into: &mut [f64],
) {
    let count = tree.len() + 2;
    into.fill(0.0);
    for (goal, force) in goals.iter().zip(forces) {
        let tip = &tree.tips[goal.tip];
        for joint in tree.path(tip.joint) {
            let moved = tree.nodes[joint].velocity(tip.point) / size;
            for above in tree.path(joint) {
                let turned = tree.nodes[above].spin * moved;
                into[(joint + 2) * count + above + 2] -= force.place.dot(turned);
            }
        }
    }
}

/// Returns the turn of a joint that buckles, in radians: as in the base pose, or to the side where it has room.
fn buckling_turn(node: &Node) -> f64 {
    let base = f64::from(node.base.angle());
    let turn = BUCKLE.copysign(if base.abs() > 1e-6 { base } else { 1.0 });
    let [lower, upper] = [node.lower, node.upper];
    let room = |turn: f64| match turn > 0.0 {
        true => upper - node.swing,
        false => node.swing - lower,
    };
    match room(turn) < room(-turn).min(BUCKLE) {
        true => -turn,
        false => turn,
    }
}

impl PosedBody<'_> {
    /// Takes `most` steps at most. Returns how many there were, and how long the last was.
    pub(super) fn descend(&mut self, most: u32) -> Result<(u32, f64), Unsolvable> {
        let mut start = std::mem::take(&mut self.workspace.start);
        start.clear();
        start.extend(self.pose());
        self.workspace.start = start;
        let (mut steps, mut last) = self.settle(most)?;
        if self.workspace.is_pushed {
            let cost = self.cost();
            self.keep_best();
            if self.buckle() {
                let more = self.settle(most)?;
                steps += more.0;
                last = more.1;
                if self.cost() >= cost {
                    self.take_best();
                    self.measure();
                }
            }
        }
        Ok((steps, last))
    }

    /// The same from the present pose.
    fn settle(&mut self, most: u32) -> Result<(u32, f64), Unsolvable> {
        self.hold_those_at_bounds();
        let mut last = f64::INFINITY;
        let mut steps = 0;
        while steps < most && last > LAST_STEP {
            steps += 1;
            last = self.step()?;
        }
        self.measure();
        Ok((steps, last))
    }

    /// Bends limbs that are straight and pushed along their line: as in the base pose, or else all to one side, as
    /// far as the limits allow. Returns whether there are any.
    fn buckle(&mut self) -> bool {
        self.pull_bones();
        let mut bends = false;
        for joint in (1..self.tree.len()).rev() {
            let Some(parent) = self.tree.nodes[joint].parent.filter(|&it| it > 0) else {
                continue;
            };
            let [own, above] = [joint, parent].map(|it| self.workspace.levers[it]);
            let is_pushed = [joint, parent].map(|it| self.workspace.tension[it][0] < 0.0);
            let sine = own.perp_dot(above) / (own.length() * above.length());
            if is_pushed == [true; 2] && sine.abs() < STRAIGHT {
                let turn = buckling_turn(&self.tree.nodes[joint]);
                self.tree.nodes[joint].swing_by(2.0 * turn);
                self.tree.nodes[parent].swing_by(-turn);
                bends = true;
            }
        }
        self.tree.place();
        bends
    }

    /// Returns `true` if all effectors that count are at their targets and headings.
    pub(super) fn reaches(&self) -> bool {
        let mut rows = self.workspace.rows.iter().filter(|rows| rows.counts);
        rows.all(|rows| {
            // What the pose is worth takes an effector off its target.
            let left = 10.0 * rows.compliance;
            rows.way.length() <= self.tolerance + left && rows.turn.abs() <= ARM * 1e-3 + left
        })
    }

    /// The function that is to be small.
    pub(super) fn cost(&self) -> f64 {
        let rows = self.workspace.rows.iter().filter(|rows| rows.counts);
        let pulls = rows.map(|rows| {
            rows.way.length_squared() / rows.way_compliance
                + rows.turn * rows.turn / rows.turn_compliance
        });
        let bent = self.way_from_base();
        let bent = bent.zip(&self.workspace.stiffness);
        pulls.sum::<f64>()
            + bent
                .map(|(way, stiffness)| stiffness * way * way)
                .sum::<f64>()
    }

    /// One step. Returns how long it is.
    fn step(&mut self) -> Result<f64, Unsolvable> {
        self.measure();
        self.linearize();
        self.bound();
        self.curve();
        self.tie();
        if !self.workspace.problem.solve() {
            return Err(Unsolvable);
        }
        self.untie();
        self.find_forces();
        let mut longest = 0.0_f64;
        let [away, across] = self.axes();
        let step = &self.workspace.problem.step;
        let shift = (away * step[0] + across * step[1]) * self.size;
        for part in step {
            longest = longest.max(part.abs());
        }
        for (node, part) in self.tree.nodes.iter_mut().zip(&step[2..]) {
            node.swing_by(*part);
        }
        self.put_root(self.tree.nodes[0].point + shift);
        self.tree.place();
        longest.is_finite().then_some(longest).ok_or(Unsolvable)
    }

    /// Finds what is left for each effector, and how it changes.
    pub(super) fn measure(&mut self) {
        let axes = self.axes();
        let (tree, workspace) = (&*self.tree, &mut *self.workspace);
        workspace.rows.clear();
        workspace.columns.clear();
        let goals = workspace.goals.iter().zip(&workspace.rests);
        for ((goal, rest), off) in goals.zip(&workspace.offs) {
            let first = workspace.columns.len();
            let tip = &tree.tips[goal.tip];
            let compliance = compliance(goal.weight);
            let faded = faded(goal.weight);
            let is_on_the_way = off.is_none();
            let off = off.unwrap_or_default();
            let target = tip.target + (rest.place - tip.target) * faded + off.place;
            let way = (target - tip.point) / self.size;
            let heading = tree.nodes[tip.joint].frame.x_axis;
            let turn = goal.heading.map_or(0.0, |wanted| {
                let back = faded * angle_between(wanted, rest.heading);
                wrapped(angle_between(heading, wanted) + back + off.turn)
            });
            let counts = goal.weight > 0.0 && compliance.is_finite() && !is_on_the_way;
            workspace.rows.push(EffectorRows {
                columns: [first, first],
                way,
                way_compliance: compliance * (way.length() / FARTHEST).max(1.0),
                turn: ARM * turn,
                turn_compliance: compliance * (turn.abs() / WIDEST).max(1.0),
                compliance,
                counts,
            });
            if !counts {
                continue;
            }
            for joint in tree.path(tip.joint) {
                let node = &tree.nodes[joint];
                let turn = match goal.heading {
                    Some(_) => {
                        ARM * heading.perp_dot(node.spin * heading) / heading.length_squared()
                    }
                    None => 0.0,
                };
                workspace.columns.push(Column {
                    unknown: joint + 2,
                    place: node.velocity(tip.point) / self.size,
                    turn,
                });
            }
            for (unknown, place) in [(1, axes[1]), (0, axes[0])] {
                workspace.columns.push(Column {
                    unknown,
                    place,
                    turn: 0.0,
                });
            }
            if let Some(rows) = workspace.rows.last_mut() {
                rows.columns[1] = workspace.columns.len();
            }
        }
    }

    /// Fills in the function without curvature.
    fn linearize(&mut self) {
        let count = self.tree.len() + 2;
        let mut problem = std::mem::take(&mut self.workspace.problem);
        problem.clear(count);
        for (index, way) in self.way_from_base().enumerate() {
            let stiffness = self.workspace.stiffness[index];
            problem.hessian[index * (count + 1)] = stiffness;
            problem.gradient[index] = stiffness * way;
        }
        for rows in self.workspace.rows.iter().filter(|rows| rows.counts) {
            let columns = &self.workspace.columns[rows.columns[0]..rows.columns[1]];
            let (way, turn) = (rows.way_compliance.recip(), rows.turn_compliance.recip());
            for (index, column) in columns.iter().enumerate() {
                let (place, angle) = (column.place * way, column.turn * turn);
                problem.gradient[column.unknown] -= place.dot(rows.way) + angle * rows.turn;
                let line = &mut problem.hessian[column.unknown * count..][..count];
                for other in &columns[index..] {
                    line[other.unknown] += place.dot(other.place) + angle * other.turn;
                }
            }
        }
        let away = self.tree.nodes[0].point.length() / self.size;
        if away >= self.reach - EDGE && away > 0.0 {
            // What presses the root against the end of its reach turns it back as it goes around.
            let forces = self.workspace.forces.iter();
            let pull: DVec2 = forces.map(|force| force.place).sum();
            let press = pull.dot(self.axes()[0]) - self.workspace.stiffness[0] * away;
            problem.hessian[count + 1] += press.max(0.0) / away;
        }
        self.workspace.problem = problem;
    }

    /// Finds what pulls each bone: the forces of the step before, and the way from its joint to the next one.
    fn pull_bones(&mut self) {
        let (tree, workspace) = (&*self.tree, &mut *self.workspace);
        workspace.tension.clear();
        workspace.tension.resize(tree.len(), [0.0; 2]);
        workspace.levers.clear();
        workspace.levers.resize(tree.len(), DVec2::ZERO);
        for (goal, force) in workspace.goals.iter().zip(&workspace.forces) {
            let tip = &tree.tips[goal.tip];
            let mut end = tip.point;
            for joint in tree.path(tip.joint) {
                let point = tree.nodes[joint].point;
                let lever = (end - point) / self.size;
                workspace.levers[joint] = lever;
                workspace.tension[joint][0] += force.place.dot(lever);
                end = point;
            }
        }
    }

    /// Adds the curvature that the forces of the step before make.
    fn curve(&mut self) {
        self.pull_bones();
        let (tree, workspace) = (&*self.tree, &mut *self.workspace);
        let count = tree.len() + 2;
        for tension in &mut workspace.tension {
            tension[1] = tension[0].max(0.0);
        }
        for index in (1..tree.len()).rev() {
            if let Some(parent) = tree.nodes[index].parent {
                for kind in 0..2 {
                    workspace.tension[parent][kind] += workspace.tension[index][kind];
                }
            }
        }
        let sense = |joint: usize| 1.0_f64.copysign(tree.nodes[joint].spin.x_axis.y);
        for kind in 0..2 {
            workspace.curvature.clear();
            workspace.curvature.resize(count * count, 0.0);
            for joint in 0..tree.len() {
                let tension = workspace.tension[joint][kind] * sense(joint);
                let line = &mut workspace.curvature[(joint + 2) * count..][..count];
                for above in tree.path(joint) {
                    line[above + 2] = tension * sense(above);
                }
            }
            if kind == 0 && !tree.is_rigid {
                let (goals, forces) = (&workspace.goals, &workspace.forces);
                curve_exactly(tree, goals, forces, self.size, &mut workspace.curvature);
            }
            let least = if kind == 0 { LEAST_PIVOT } else { 0.0 };
            workspace.is_pushed = kind > 0;
            if workspace
                .problem
                .add_if_definite(&workspace.curvature, least)
            {
                return;
            }
        }
    }

    /// Holds the joints that are at a bound. Those that are to leave it will be let go.
    fn hold_those_at_bounds(&mut self) {
        let holds = &mut self.workspace.problem.holds;
        holds.clear();
        holds.extend([BoundState::Free; 2]);
        holds.extend(self.tree.nodes.iter().map(|node| {
            if node.swing <= node.lower + EDGE {
                BoundState::Lower
            } else if node.swing >= node.upper - EDGE {
                BoundState::Upper
            } else {
                BoundState::Free
            }
        }));
    }

    /// Finds the bounds of the step.
    fn bound(&mut self) {
        let axes = self.axes();
        let workspace = &mut *self.workspace;
        let rows = workspace.rows.iter().filter(|rows| rows.counts);
        let farthest = rows.map(|rows| rows.way.length()).fold(0.0, f64::max);
        let [turn, place] = LONGEST;
        let place = place.max(0.5 * farthest);
        let Problem { lower, upper, .. } = &mut workspace.problem;
        let from = DVec2::new(workspace.start[0], workspace.start[1]);
        let mut set =
            |index: usize, (start, now): (f64, f64), longest: f64, most: f64, bounds: [f64; 2]| {
                // Rounding may leave a joint a little beyond its bounds.
                lower[index] = (bounds[0] - now)
                    .max(start - most - now)
                    .max(-longest)
                    .min(0.0);
                upper[index] = (bounds[1] - now)
                    .min(start + most - now)
                    .min(longest)
                    .max(0.0);
            };
        let [most_turn, most_place] = self.most;
        let shift = self.tree.nodes[0].point / self.size;
        for (index, axis) in axes.into_iter().enumerate() {
            let now = (axis.dot(from), axis.dot(shift));
            set(index, now, place, most_place, [-self.reach, self.reach]);
        }
        for (index, node) in self.tree.nodes.iter().enumerate() {
            let bounds = [node.lower, node.upper];
            let now = (workspace.start[index + 2], node.swing);
            set(index + 2, now, turn, most_turn, bounds);
        }
        if self.is_root_locked {
            lower[..3].fill(0.0);
            upper[..3].fill(0.0);
        }
    }

    /// Makes the direction of each joint that keeps to an arc of directions the unknown, instead of its swing:
    /// its bounds turn back as the joints turn that carry it.
    fn tie(&mut self) {
        let (tree, problem) = (&*self.tree, &mut self.workspace.problem);
        for (joint, node) in tree.nodes.iter().enumerate().rev() {
            if node.has_arc() {
                for above in tree.path(joint).skip(1) {
                    problem.tie(joint + 2, above + 2, node.tie_to(&tree.nodes[above]));
                }
            }
        }
    }

    /// Makes swings of directions again.
    fn untie(&mut self) {
        let (tree, problem) = (&*self.tree, &mut self.workspace.problem);
        for (joint, node) in tree.nodes.iter().enumerate() {
            if node.has_arc() {
                for above in tree.path(joint).skip(1) {
                    problem.untie(joint + 2, above + 2, node.tie_to(&tree.nodes[above]));
                }
            }
        }
    }

    /// Finds the forces of the effectors in the step.
    fn find_forces(&mut self) {
        let workspace = &mut *self.workspace;
        for (rows, force) in workspace.rows.iter().zip(&mut workspace.forces) {
            *force = Force::default();
            if !rows.counts {
                continue;
            }
            let (mut way, mut turn) = (rows.way, rows.turn);
            for column in &workspace.columns[rows.columns[0]..rows.columns[1]] {
                let step = workspace.problem.step[column.unknown];
                way -= column.place * step;
                turn -= column.turn * step;
            }
            force.place = way / rows.way_compliance;
            force.turn = turn / rows.turn_compliance;
        }
    }
}
