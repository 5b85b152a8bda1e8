//! The constrained step for free chains, in O(joints) and without matrices of them.
//!
//! In a chain that has one tip, no limits and no bones that stretch others, the state is the
//! absolute angles Φ of its segments. Then
//!
//! - the tip is a sum, `Σ segmentₖ(Φₖ)`; its derivative by Φₖ is the segment, turned by a quarter,
//!   and its second derivative is **diagonal**: minus the segment;
//! - the distance to the base pose, `½ Σ wⱼ (σⱼ sⱼ)²` with `σⱼ sⱼ = Φⱼ − Φⱼ₋₁` less the same of the
//!   base pose, is **tridiagonal**. `s` are the joints' swings, `w` their costs, and σ is −1 below
//!   bones that mirror.
//!
//! So Newton's method for the nearest pose to the base pose takes a tridiagonal system with three
//! right sides and one of 2×2. It is the discrete elastic rod. The shortest way to a target takes a
//! 2×2 system alone, as in [`crate::descent::step`], of which this is the special case that games
//! solve thousands of times a second: by that step, a pass of 3 bones takes 2.6 times as many instructions, one of 100
//! 3.8 times (2026-11-29, `benches/solvers.rs` under callgrind). It returns `None` for what only that step can solve.

use glam::{DMat2, DVec2, Vec2};

use crate::descent::follow::MOST_WOUND;
use crate::descent::follow::settling::settling;
use crate::descent::memory::Memory;
use crate::descent::out_of_reach::{OUTSIDE, nearest_distance};
use crate::descent::reaching::{PRECISION, enough};
use crate::kinematics::AT_TARGET;
use crate::math::angle::wrapped;
use crate::math::trigonometry::{angle_between, small_rotation, unit_vector};

/// Steps to the target at most.
const MOST_STEPS: u32 = 12;

/// No segment swings by more than this many radians in one step.
const LONGEST_STEP: f64 = 0.7;

/// Damping, relative to what a row weighs on average.
const DAMPING: f64 = 1e-9;

/// The parts of the curvature of the tip's path that a step towards the base pose counts, in the order in which they
/// are tried: all of it, unless the function has no least value then. Without any, it has one for certain.
const CURVATURES: [f64; 4] = [1.0, 0.5, 0.25, 0.0];

/// The cost of the root's turn curves by no less than this part of its cost.
const SOFTEST: f64 = 0.02;

/// A chain that is shorter by no more than this part of its reach is straight.
const STRAIGHT: f64 = 1e-9;

/// One segment of a [`FreeChain`] and the joint that it begins at.
#[derive(Clone, Copy, Debug, Default)]
struct Segment {
    /// In the base pose, in chain space.
    base: DVec2,
    /// The same, swung.
    present: DVec2,
    /// By how much, as a unit vector.
    swung: DVec2,
    /// From the joint to the tip.
    to_tip: DVec2,
    /// −1 where the frame above the joint mirrors, or else 1.
    sense: f64,
    /// The angle of the joint from the base pose, in radians.
    swing: f64,
    /// The cost of a turn of the joint, relative to that of other joints.
    cost: f64,
    /// The inverse of that.
    compliance: f64,
    /// The angle by which the segment swings in a step, in radians.
    step: f64,
    /// The factorised tridiagonal system: the pivot's inverse, and the solutions.
    pivot: f64,
    still: f64,
    eager: DVec2,
}

/// A free chain. See the module's page.
#[derive(Clone, Debug, Default)]
pub(crate) struct FreeChain {
    segments: Vec<Segment>,
    reach: f64,
    longest: f64,
    tip: DVec2,
}

impl FreeChain {
    /// Removes all segments.
    pub(crate) fn clear(&mut self) {
        self.segments.clear();
        self.reach = 0.0;
        self.longest = 0.0;
    }

    /// Appends a segment, given in the base pose and in chain space, at whose start a joint turns
    /// in a frame of this `sense`, at this `cost`.
    pub(crate) fn push(&mut self, segment: Vec2, sense: f32, cost: f32) {
        let base = segment.as_dvec2();
        let length = base.length();
        self.reach += length;
        self.longest = self.longest.max(length);
        self.segments.push(Segment {
            base,
            present: base,
            swung: DVec2::X,
            sense: f64::from(sense),
            cost: f64::from(cost),
            compliance: 1.0 / f64::from(cost),
            ..Segment::default()
        });
    }

    /// The length of the chain.
    pub(crate) fn reach(&self) -> f64 {
        self.reach
    }

    /// The length of the last segment.
    pub(crate) fn last_length(&self) -> f64 {
        self.segments.last().map_or(0.0, |last| last.base.length())
    }

    /// Chain-space position of the tip.
    pub(crate) fn tip(&self) -> Vec2 {
        self.tip.as_vec2()
    }

    /// Returns the angle of joint `index` from the base pose, in radians and as a unit vector.
    pub(crate) fn swing(&self, index: usize) -> (f32, Vec2) {
        let segment = &self.segments[index];
        let above = match index.checked_sub(1) {
            Some(before) => self.segments[before].swung,
            None => DVec2::X,
        };
        let bend = DVec2::new(above.dot(segment.swung), above.perp_dot(segment.swung));
        let bend = DVec2::new(bend.x, segment.sense * bend.y);
        (segment.swing as f32, bend.as_vec2())
    }

    /// Takes the pose that follows from `memory` after `delta` seconds for a tip that reaches for
    /// `goal`, and remembers it. Returns the number of steps and whether the pose is moving; `None`
    /// if it has not arrived, and then nothing is remembered.
    pub(crate) fn follow(
        &mut self,
        memory: &mut Memory,
        goal: DVec2,
        delta: f64,
        tolerance: f64,
    ) -> Option<(u32, bool)> {
        if memory.is_in_transition() || !goal.is_finite() || !self.reach.is_finite() {
            return None;
        }
        self.take_pose(&memory.swings);
        let base: DVec2 = self.segments.iter().map(|segment| segment.base).sum();
        let is_there = base.distance(goal) <= AT_TARGET * self.reach;
        let goal = if is_there { base } else { goal };
        let distance = goal.length();
        let mut steps = 1;
        if distance >= self.reach {
            self.stretch_out(goal / distance);
        } else if self.tip.length() >= self.reach * (1.0 - STRAIGHT) {
            return None;
        } else {
            let goal = self.keep_off_the_root(goal);
            if memory.has_arrived {
                steps = self.settle(delta);
            }
            steps += self.reach_for(goal);
            let has_arrived = self.tip.distance(goal) <= enough(self.reach, tolerance);
            has_arrived.then_some(())?;
        }
        let is_moving = self.remember(memory, goal);
        Some((steps, is_moving))
    }

    /// Puts the joints where `swings` has them, in radians from the base pose.
    fn take_pose(&mut self, swings: &[f32]) {
        let mut angle = 0.0;
        for (segment, &swing) in self.segments.iter_mut().zip(swings) {
            segment.swing = f64::from(swing);
            angle += segment.sense * segment.swing;
            segment.swung = unit_vector(angle);
            segment.present = segment.swung.rotate(segment.base);
        }
        self.place();
    }

    /// Finds the ways from the joints to the tip.
    fn place(&mut self) {
        let mut to_tip = DVec2::ZERO;
        for segment in self.segments.iter_mut().rev() {
            to_tip += segment.present;
            segment.to_tip = to_tip;
        }
        self.tip = to_tip;
    }

    /// A goal that is not nearer to the root than the tip can come.
    fn keep_off_the_root(&self, goal: DVec2) -> DVec2 {
        let nearest = nearest_distance(self.longest, self.reach);
        let least = nearest + OUTSIDE * self.reach;
        if nearest <= 0.0 || goal.length() >= least {
            return goal;
        }
        let direction = goal.try_normalize().or_else(|| self.tip.try_normalize());
        direction.unwrap_or(DVec2::X) * least
    }

    /// Lays the chain straight.
    fn stretch_out(&mut self, along: DVec2) {
        let mut before = 0.0;
        for segment in &mut self.segments {
            let present = segment.present;
            let angle = angle_between(present, along);
            let step = if present == DVec2::ZERO {
                before
            } else {
                angle
            };
            segment.swing += segment.sense * wrapped(step - before);
            segment.swung = unit_vector(step).rotate(segment.swung);
            segment.present = along * segment.base.length();
            before = step;
        }
        self.place();
    }

    /// Brings the tip to `goal` by the shortest joint motion. Returns the number of steps.
    fn reach_for(&mut self, goal: DVec2) -> u32 {
        let (rough, precise) = (PRECISION * self.reach, 0.1 * PRECISION * self.reach);
        let mut enough = rough;
        for step in 0..MOST_STEPS {
            let error = goal - self.tip;
            if error.length_squared() <= enough * enough {
                return step;
            }
            enough = precise;
            let pull = self.normal().inverse() * error;
            let mut swing = 0.0;
            let mut largest = 0.0_f64;
            for segment in &mut self.segments {
                swing += segment.compliance * segment.to_tip.perp().dot(pull);
                segment.step = swing;
                largest = largest.max(swing.abs());
            }
            self.take_step((LONGEST_STEP / largest).min(1.0));
        }
        MOST_STEPS
    }

    /// `J C Jᵀ` of the tip over the joints, damped.
    fn normal(&self) -> DMat2 {
        let (mut xx, mut xy, mut yy) = (0.0, 0.0, 0.0);
        for segment in &self.segments {
            let column = segment.compliance * segment.to_tip;
            xx += column.y * segment.to_tip.y;
            xy -= column.x * segment.to_tip.y;
            yy += column.x * segment.to_tip.x;
        }
        let damping = DAMPING * 0.5 * (xx + yy);
        DMat2::from_cols_array(&[xx + damping, xy, xy, yy + damping])
    }

    /// Moves towards the pose that is nearest to the base pose among those that leave the tip where
    /// it is. Returns the number of steps: 0 where nothing is left to move.
    fn settle(&mut self, delta: f64) -> u32 {
        let multipliers = self.multipliers();
        let mut solutions = { CURVATURES.iter() }.filter_map(|&part| {
            let negative = self.factorise(multipliers, part);
            self.solve(multipliers, negative)
        });
        let largest = solutions.next().unwrap_or(0.0);
        let turn = settling(largest, delta);
        if turn > 0.0 {
            self.take_step(turn / largest);
        }
        u32::from(turn > 0.0)
    }

    /// The force at the tip that holds the pose best against its distance to the base pose.
    fn multipliers(&self) -> DVec2 {
        let mut pull = DVec2::ZERO;
        for (index, segment) in self.segments.iter().enumerate() {
            pull -= segment.to_tip.perp() * segment.bend(index);
        }
        self.normal().inverse() * pull
    }

    /// Factorises the tridiagonal system, with a `part` of the curvature of the tip's path. Returns
    /// how many pivots are negative.
    fn factorise(&mut self, multipliers: DVec2, part: f64) -> u32 {
        let (mut above, mut link) = (0.0, 0.0);
        let mut negative = 0;
        for index in 0..self.segments.len() {
            let next = self.segments.get(index + 1).map_or(0.0, |next| next.cost);
            let segment = &mut self.segments[index];
            let own = match index {
                0 => segment.cost * unit_vector(segment.swing).x.max(SOFTEST),
                _ => segment.cost,
            };
            let curvature = -part * multipliers.dot(segment.present);
            let pivot = own + next + curvature - link * link * above;
            negative += u32::from(pivot < 0.0);
            segment.pivot = 1.0 / pivot;
            above = segment.pivot;
            link = next;
        }
        negative
    }

    /// Solves the factorised system, with `negative` negative pivots, for a step that leaves the
    /// tip where it is. Returns the largest turn of a joint in it; `None` if the distance to the
    /// base pose has no least value among such steps.
    fn solve(&mut self, multipliers: DVec2, negative: u32) -> Option<f64> {
        let count = self.segments.len();
        let (mut still, mut eager) = (0.0, DVec2::ZERO);
        for index in 0..count {
            let next = self.segments.get(index + 1);
            let next_force = next.map_or(0.0, |next| next.cost * next.bend(index + 1));
            let segment = &mut self.segments[index];
            let force = segment.cost * segment.bend(index) - next_force;
            let pull = segment.present.perp();
            let link = if index > 0 { segment.cost } else { 0.0 };
            still = (-force - multipliers.dot(pull) + link * still) * segment.pivot;
            eager = (pull + link * eager) * segment.pivot;
            (segment.still, segment.eager) = (still, eager);
        }
        let (mut normal, mut motion) = (DMat2::ZERO, DVec2::ZERO);
        for index in (0..count).rev() {
            if let Some(&next) = self.segments.get(index + 1) {
                let segment = &mut self.segments[index];
                segment.still += next.cost * segment.pivot * next.still;
                segment.eager += next.cost * segment.pivot * next.eager;
            }
            let segment = &self.segments[index];
            let pull = segment.present.perp();
            motion += pull * segment.still;
            normal.x_axis += pull * segment.eager.x;
            normal.y_axis += pull * segment.eager.y;
        }
        // Sylvester's law: as many directions curve downwards as pivots are negative, less those
        // that keeping the tip in its place rules out.
        if negative_directions(normal) != negative {
            return None;
        }
        let hold = normal.inverse() * motion;
        let (mut before, mut largest) = (0.0, 0.0_f64);
        for segment in &mut self.segments {
            segment.step = segment.still - segment.eager.dot(hold);
            largest = largest.max((segment.step - before).abs());
            before = segment.step;
        }
        largest.is_finite().then_some(largest)
    }

    /// Swings the segments by a part of the step.
    fn take_step(&mut self, part: f64) {
        let mut before = 0.0;
        for segment in &mut self.segments {
            let step = part * segment.step;
            let rotation = small_rotation(step).unwrap_or_else(|| unit_vector(step));
            segment.swing += segment.sense * (step - before);
            segment.swung = segment.swung.rotate(rotation);
            segment.present = segment.swung.rotate(segment.base);
            before = step;
        }
        self.place();
    }

    /// Remembers the present pose. Returns whether it is another than before.
    fn remember(&mut self, memory: &mut Memory, goal: DVec2) -> bool {
        let mut changed = false;
        for (shown, segment) in memory.swings.iter_mut().zip(&mut self.segments) {
            if segment.swing.abs() > MOST_WOUND {
                segment.swing = wrapped(segment.swing);
            }
            let swing = segment.swing as f32;
            changed |= shown.to_bits() != swing.to_bits();
            *shown = swing;
        }
        memory.arrive((self.tip - goal).as_vec2());
        changed
    }
}

/// Returns the number of negative eigenvalues of a symmetric matrix.
fn negative_directions(matrix: DMat2) -> u32 {
    if matrix.determinant() < 0.0 {
        1
    } else if matrix.x_axis.x + matrix.y_axis.y < 0.0 {
        2
    } else {
        0
    }
}

impl Segment {
    /// Returns the distance of the joint from the base pose, in the sense in which the segment swings. The cost of the
    /// root's turn is periodic.
    fn bend(&self, index: usize) -> f64 {
        let swing = if index == 0 {
            unit_vector(self.swing).y
        } else {
            self.swing
        };
        self.sense * swing
    }
}
