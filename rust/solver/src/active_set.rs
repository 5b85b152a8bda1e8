//! The finisher within limits: Newton's method on the swings of the segments, with an active
//! set.
//!
//! Let `xᵢ` be how far segment *i* swings in one step, in chain space, so that its joint turns
//! by `xᵢ − xᵢ₋₁`; let `jᵢ` be how the tip moves when segment *i* alone swings, and `e` the way
//! from tip to target. A step minimises the model
//!
//! ```text
//! ½ |e − Σ jᵢ xᵢ|² + ½ Σ (e · segmentᵢ) xᵢ² + ½ λ Σ (xᵢ − xᵢ₋₁)² / weightᵢ
//! ```
//!
//! The first two terms are the distance to second order. The middle one, the curvature of the
//! circles that the segments swing on, vanishes as the tip arrives, but where a target is
//! out of reach it is what makes steps few. The last one is Levenberg's damping: of all ways to
//! arrive it prefers that of the least turns, and stiff joints, of less weight, turn less.
//!
//! In these variables a limit on a joint's turn bounds a difference `xᵢ − xᵢ₋₁`, and a limit
//! fixed in the skeleton bounds `xᵢ` itself. Segments whose joints are held at a bound swing as
//! one **group**; a group that is held in the skeleton does not swing. What is left is a
//! tridiagonal system and a 2×2 one, so a step costs O(joints). Bounds that the step would
//! cross are taken into the active set, bounds that it would rather leave are let go, until
//! neither is left. So every step stays within the limits, and slides along them.
//!
//! In a chain that is not rigid a heading does not swing as its segment does. There `xᵢ` is the
//! swing of the heading for joints that are limited in the skeleton, and `jᵢ` is found by
//! following the frames from joint *i* to the tip, in O(joints) each.
//!
//! A descent may end in a pose that is nearest only to its neighbours; [`crate::pursuit`] starts
//! it where that is not so.
//!
//! Source: the damping as in [`crate::finisher`]; the active set after M. Hintermüller, K. Ito
//! and K. Kunisch, *The Primal-Dual Active Set Strategy as a Semismooth Newton Method* (2002).

use glam::{DMat2, DVec2, Mat2, Vec2};

use crate::bound::Measure;
use crate::chain::{Chain, Joint, make_room};
use crate::finisher::precision;
use crate::turn::Turn;

/// Steps of one descent at most.
const MAX_STEPS: u32 = 48;

/// Rounds in which a step looks for its active set.
const MAX_ROUNDS: u32 = 16;

/// No joint turns by more than this many radians in one step.
const LONGEST_STEP: f32 = 1.0;

/// Damping at the start, relative to the mean of the normal matrix' diagonal.
const FIRST_DAMPING: f32 = 1e-3;

/// Damping is never eased below this.
const LEAST_DAMPING: f32 = 1e-6;

/// Radians that a step may cross a bound by and still be within it.
const SLACK: f64 = 1e-6;

/// After a step of less than so many radians the model is trusted where it curves downwards.
const LOCAL: f32 = 0.1;

/// A pose from which no joint wants to turn farther than this, in radians, is the nearest.
const SETTLED: f32 = 2e-4;

/// A change of the distance below this part of the reach is rounding noise.
const NOISE: f32 = 1e-6;

/// What the finisher keeps between two solves: memory only.
#[derive(Clone, Debug, Default)]
pub(crate) struct Workspace {
    lanes: Vec<Lane>,
    groups: Vec<Group>,
    before: Vec<Turn>,
    /// How willingly the joints turn, apart from their stiffness.
    weights: Vec<f32>,
}

impl Workspace {
    /// Makes room for as many joints.
    pub(crate) fn reserve(&mut self, joints: usize) {
        make_room(&mut self.lanes, joints);
        make_room(&mut self.groups, joints);
        make_room(&mut self.before, joints);
        make_room(&mut self.weights, joints);
    }

    /// Forgets what was held. `weights` tell how willingly the joints turn from now on.
    pub(crate) fn begin(&mut self, weights: impl Iterator<Item = f32>) {
        self.lanes.clear();
        self.weights.clear();
        self.weights.extend(weights);
    }

    /// Turns the joints of `chain` by one step towards `target` that is not taken back,
    /// whatever comes of it. Returns the largest turn in radians.
    pub(crate) fn step(&mut self, chain: &mut Chain, target: Vec2, damping: f32) -> f32 {
        let trace = survey(chain, target, self);
        let gap = target - chain.tip();
        let largest = plan(chain, self, gap, damping * trace, false);
        if largest.is_finite() {
            take(chain, &self.lanes, largest);
        }
        largest
    }
}

/// Which end of its interval a joint is held at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Lower,
    Upper,
}

/// One joint in the model of a step.
#[derive(Clone, Copy, Debug)]
struct Lane {
    /// How the tip moves when the segment alone swings.
    pull: DVec2,
    /// How the distance curves when the segment alone swings.
    curve: f64,
    measure: Option<Measure>,
    /// How far the measured angle may change, down and up.
    room: [f64; 2],
    weight: f64,
    held: Option<End>,
    /// How much farther the segment swings than the first of its group.
    ahead: f64,
    /// The step: how far the segment swings.
    swing: f64,
    /// How far that turns the joint in its parent's frame.
    turn: f32,
}

impl Lane {
    /// What the measured angle changes by, if it is held.
    fn hold(&self) -> Option<f64> {
        self.held.map(|end| self.room[end as usize])
    }

    /// The end of its arc that the heading is at and keeps to.
    fn stays_at(&self) -> Option<End> {
        let held = self.held.filter(|_| self.measure == Some(Measure::Swing))?;
        (self.room[held as usize].abs() < SLACK).then_some(held)
    }

    /// Whether the segment swings as the one before it.
    fn is_tied(&self) -> bool {
        self.held.is_some() && self.measure == Some(Measure::Bend)
    }
}

/// Segments that swing as one, and their row of the tridiagonal system.
#[derive(Clone, Copy, Debug, Default)]
struct Group {
    pull: DVec2,
    curve: f64,
    /// Curvature times how much farther the segments swing than the first.
    lean: f64,
    /// How much farther the last segment swings than the first.
    ahead: f64,
    /// The damping between this group and the one before.
    link: f64,
    /// How far it swings, if that is settled.
    fixed: Option<f64>,
    /// Diagonal, and solution without and per unit of what is left of the way.
    diagonal: f64,
    still: f64,
    eager: DVec2,
}

pub(crate) fn remember(chain: &Chain, turns: &mut Vec<Turn>) {
    turns.clear();
    turns.extend(chain.joints().iter().map(|joint| joint.turn));
}

/// One descent from the present pose.
pub(crate) fn descend(chain: &mut Chain, target: Vec2, tolerance: f32) -> (f32, u32) {
    let mut space = std::mem::take(&mut chain.scratch.workspace);
    space.begin(std::iter::repeat_n(1.0, chain.joints().len()));
    let precision = precision(chain);
    let mut distance = chain.tip().distance(target);
    let mut damping = FIRST_DAMPING;
    let mut is_local = false;
    let mut steps = 0;
    while distance > precision && steps < MAX_STEPS {
        let trace = survey(chain, target, &mut space);
        let tip = chain.tip();
        remember(chain, &mut space.before);
        let goes_on = loop {
            let largest = plan(chain, &mut space, target - tip, damping * trace, is_local);
            take(chain, &space.lanes, largest);
            steps += 1;
            let gain = gain(tip, chain.tip(), target);
            let noise = NOISE * chain.reach();
            if gain > noise || gain > 0.0 && largest > SETTLED {
                let left = chain.tip().distance(target);
                // Within tolerance, only steps that still halve the error are worth their cost.
                let worthwhile = left > tolerance || left < 0.5 * distance;
                distance = left;
                is_local = largest < LOCAL;
                damping = (damping * 0.1).max(LEAST_DAMPING);
                break worthwhile;
            }
            if gain > -noise && largest < SETTLED {
                distance = chain.tip().distance(target);
                break false;
            }
            let before = &space.before;
            chain.place_each(|place, joint| joint.turn = before[place.index]);
            damping *= 8.0;
            if damping > 1e6 || steps >= MAX_STEPS || distance <= tolerance {
                break false;
            }
        };
        if !goes_on {
            break;
        }
    }
    chain.scratch.workspace = space;
    (distance, steps)
}

/// How much nearer `now` is to `target` than `before`. The difference of the distances would
/// drown in rounding where the target is far.
fn gain(before: Vec2, now: Vec2, target: Vec2) -> f32 {
    let (from, to) = (target - before, target - now);
    (now - before).dot(from + to) / (from.length() + to.length())
}

/// Fills the lanes; keeps what is held from the step before. Returns half the trace of the
/// normal matrix, which damping is relative to.
fn survey(chain: &Chain, target: Vec2, space: &mut Workspace) -> f32 {
    let Workspace { lanes, weights, .. } = space;
    let gap = target - chain.tip();
    let count = chain.joints().len();
    lanes.resize(
        count,
        Lane {
            pull: DVec2::ZERO,
            curve: 0.0,
            measure: None,
            room: [f64::NEG_INFINITY, f64::INFINITY],
            weight: 1.0,
            held: None,
            ahead: 0.0,
            swing: 0.0,
            turn: 0.0,
        },
    );
    let mut beyond = Vec2::ZERO;
    let mut next_column = Vec2::ZERO;
    let mut trace = 0.0;
    for (index, (lane, joint)) in lanes.iter_mut().zip(chain.joints()).enumerate().rev() {
        beyond = joint.turn.apply(joint.offset + joint.carry * beyond);
        let column = joint.sense() * (joint.basis * beyond.perp());
        lane.pull = (column - next_column).as_dvec2();
        lane.curve = f64::from(gap.dot(chain.segments[index]));
        next_column = column;
        trace += column.length_squared();
        lane.weight = f64::from(weights[index]);
        if let Some(bound) = chain.bound(index) {
            lane.measure = Some(bound.measure);
            lane.room = bound.room_of(joint).map(f64::from);
            lane.weight *= f64::from(bound.weight);
        }
    }
    if needs_frames(chain, lanes) {
        pull_through_frames(chain, lanes);
    }
    0.5 * trace
}

/// Whether swings of headings are not the same as swings of segments.
fn needs_frames(chain: &Chain, lanes: &[Lane]) -> bool {
    let is_swing = |lane: &Lane| lane.measure == Some(Measure::Swing);
    !chain.is_rigid() && lanes.iter().any(is_swing)
}

/// Finds how the tip moves with each swing by following the frames.
fn pull_through_frames(chain: &Chain, lanes: &mut [Lane]) {
    for index in 0..lanes.len() {
        let mut motion = Motion::NONE;
        let mut before = 0.0;
        let mut tip = Vec2::ZERO;
        for (beyond, (lane, joint)) in lanes.iter().zip(chain.joints()).enumerate().skip(index) {
            let swing = if beyond == index { 1.0 } else { 0.0 };
            tip += motion.pass(joint, motion.turn_for(lane, joint, swing, before));
            before = swing;
        }
        lanes[index].pull = tip.as_dvec2();
    }
}

/// Finds how far the planned swings turn the joints. Returns the largest turn in radians, and
/// infinity if one is no number.
fn turn_joints(chain: &Chain, lanes: &mut [Lane]) -> f32 {
    let follows = needs_frames(chain, lanes);
    let mut motion = Motion::NONE;
    let mut before = 0.0;
    let mut largest = 0.0_f32;
    for (lane, joint) in lanes.iter_mut().zip(chain.joints()) {
        if follows {
            lane.turn = motion.turn_for(lane, joint, lane.swing as f32, before as f32);
            motion.pass(joint, lane.turn);
        } else {
            lane.turn = joint.sense() * (lane.swing - before) as f32;
        }
        before = lane.swing;
        largest = largest.max(if lane.turn.is_nan() {
            f32::INFINITY
        } else {
            lane.turn.abs()
        });
    }
    largest
}

/// How the frame above a joint changes while joints before it turn.
#[derive(Clone, Copy)]
struct Motion(Mat2);

impl Motion {
    /// The frame of the root stands still.
    const NONE: Self = Self(Mat2::ZERO);

    /// What turning `joint` does to all that it carries, as a change of the frame above it.
    fn of_turn(joint: &Joint) -> Mat2 {
        joint.basis * Mat2::from_cols(Vec2::Y, Vec2::NEG_X)
    }

    /// How the joint of `lane` must turn for its segment, or for its heading if that is what is
    /// bounded, to swing by `swing`, where the segment before it swings by `before`.
    fn turn_for(&self, lane: &Lane, joint: &Joint, swing: f32, before: f32) -> f32 {
        if lane.measure != Some(Measure::Swing) {
            return joint.sense() * (swing - before);
        }
        let unturned = joint.turn.direction();
        let heading = joint.basis * unturned;
        let carried = heading.perp_dot(self.0 * unturned);
        let own = heading.perp_dot(Self::of_turn(joint) * unturned);
        (swing * heading.length_squared() - carried) / own
    }

    /// Goes on to the next joint's frame while `joint` turns by `turn`. Returns how its segment
    /// changes.
    fn pass(&mut self, joint: &Joint, turn: f32) -> Vec2 {
        let change = self.0 + Self::of_turn(joint) * turn;
        self.0 = change * joint.turn.apply_to(joint.carry);
        change * joint.turn.apply(joint.offset)
    }
}

/// Solves the model of a step, with its active set. Returns the largest turn in radians.
fn plan(chain: &Chain, space: &mut Workspace, gap: Vec2, damping: f32, is_local: bool) -> f32 {
    let Workspace { lanes, groups, .. } = space;
    let (gap, damping) = (gap.as_dvec2(), f64::from(damping));
    for _ in 0..MAX_ROUNDS {
        let gap = gather(lanes, groups, gap, damping);
        let left = solve(groups, gap, is_local)
            .or_else(|| solve(groups, gap, false))
            .unwrap_or(DVec2::ZERO);
        scatter(lanes, groups, left);
        if !revise(lanes, left, damping) {
            break;
        }
    }
    turn_joints(chain, lanes)
}

/// Gathers the lanes into groups. Returns the way to go, less what is settled already.
fn gather(lanes: &mut [Lane], groups: &mut Vec<Group>, mut gap: DVec2, damping: f64) -> DVec2 {
    groups.clear();
    for (index, lane) in lanes.iter_mut().enumerate() {
        let is_tied = lane.is_tied();
        if index == 0 || !is_tied {
            groups.push(Group {
                link: damping / lane.weight,
                fixed: lane.hold(),
                ..Group::default()
            });
            lane.ahead = 0.0;
        }
        let Some(group) = groups.last_mut() else {
            continue;
        };
        if index > 0 && is_tied {
            lane.ahead = group.ahead + lane.hold().unwrap_or(0.0);
        }
        group.ahead = lane.ahead;
        group.pull += lane.pull;
        group.curve += lane.curve;
        group.lean += lane.curve * lane.ahead;
        gap -= lane.pull * lane.ahead;
    }
    for group in groups {
        if let Some(swing) = group.fixed {
            gap -= group.pull * swing;
            group.pull = DVec2::ZERO;
        }
    }
    gap
}

/// Solves the tridiagonal system and the 2×2 one. Returns what the model leaves of the way, or
/// `None` if the model has no least value. Groups that curve downwards count as straight unless
/// `curved`, and then it has one.
fn solve(groups: &mut [Group], gap: DVec2, curved: bool) -> Option<DVec2> {
    let mut above = Group::default();
    let mut upper = 0.0;
    let mut negative = 0;
    for index in 0..groups.len() {
        let next = groups.get(index + 1).map_or(0.0, |next| next.link);
        let group = &mut groups[index];
        if let Some(swing) = group.fixed {
            (group.diagonal, group.still, group.eager) = (1.0, swing, DVec2::ZERO);
            upper = 0.0;
        } else {
            let share = if curved || group.curve > 0.0 {
                1.0
            } else {
                0.0
            };
            let eliminated = -group.link / above.diagonal_or_one();
            group.diagonal = share * group.curve + group.link + next - eliminated * upper;
            let load = group.link * above.ahead - next * group.ahead - share * group.lean;
            group.still = load - eliminated * above.still;
            group.eager = group.pull - eliminated * above.eager;
            upper = -next;
        }
        negative += u32::from(group.diagonal < 0.0);
        above = *group;
    }
    let mut below = (0.0, DVec2::ZERO);
    for index in (0..groups.len()).rev() {
        let next = groups.get(index + 1).map_or(0.0, |next| next.link);
        let group = &mut groups[index];
        if group.fixed.is_none() {
            group.still = (group.still + next * below.0) / group.diagonal;
            group.eager = (group.eager + next * below.1) / group.diagonal;
        }
        below = (group.still, group.eager);
    }
    let mut normal = DMat2::IDENTITY;
    let mut left = gap;
    for group in groups {
        normal.x_axis += group.pull * group.eager.x;
        normal.y_axis += group.pull * group.eager.y;
        left -= group.pull * group.still;
    }
    let left = normal.inverse() * left;
    // Sylvester's law: as many directions curve downwards as pivots are negative, less those
    // that the 2×2 system makes up for.
    (negative == negative_directions(normal) && left.is_finite()).then_some(left)
}

/// How many eigenvalues of a symmetric matrix are negative.
fn negative_directions(matrix: DMat2) -> u32 {
    if matrix.determinant() < 0.0 {
        1
    } else if matrix.x_axis.x + matrix.y_axis.y < 0.0 {
        2
    } else {
        0
    }
}

impl Group {
    fn diagonal_or_one(&self) -> f64 {
        if self.diagonal == 0.0 {
            1.0
        } else {
            self.diagonal
        }
    }
}

/// Hands the groups' swings to their lanes.
fn scatter(lanes: &mut [Lane], groups: &[Group], left: DVec2) {
    let mut groups = groups.iter();
    let mut swing = 0.0;
    for (index, lane) in lanes.iter_mut().enumerate() {
        if (index == 0 || !lane.is_tied())
            && let Some(group) = groups.next()
        {
            swing = group.still + group.eager.dot(left);
        }
        lane.swing = swing + lane.ahead;
    }
}

/// Holds the joints that the step would turn across a bound, lets go those that it would turn
/// away from theirs. Returns whether there were any.
fn revise(lanes: &mut [Lane], left: DVec2, damping: f64) -> bool {
    let mut changed = false;
    // How much the group wants to swing farther.
    let mut push = 0.0;
    for index in (0..lanes.len()).rev() {
        let before = index.checked_sub(1).map_or(0.0, |index| lanes[index].swing);
        let lane = &mut lanes[index];
        let bend = lane.swing - before;
        let link = damping / lane.weight * bend;
        let was_tied = lane.is_tied();
        push += lane.pull.dot(left) - lane.curve * lane.swing;
        let value = match lane.measure {
            Some(Measure::Swing) => lane.swing,
            _ => bend,
        };
        let held = match lane.held {
            Some(End::Lower) => (push - link <= 0.0).then_some(End::Lower),
            Some(End::Upper) => (push - link >= 0.0).then_some(End::Upper),
            None if value > lane.room[1] + SLACK => Some(End::Upper),
            None if value < lane.room[0] - SLACK => Some(End::Lower),
            None => None,
        };
        changed |= held != lane.held;
        lane.held = held;
        if !was_tied {
            push = link;
        }
    }
    changed
}

/// Turns the joints as planned, or less if the `largest` turn is too long.
fn take(chain: &mut Chain, lanes: &[Lane], largest: f32) {
    let scale = LONGEST_STEP / largest.max(LONGEST_STEP);
    chain.place_each(|place, joint| {
        let lane = &lanes[place.index];
        if let Some((bound, end)) = place.bound.zip(lane.stays_at()) {
            bound.go_to(joint, if end == End::Upper { 1.0 } else { 0.0 });
        } else {
            let turn = Turn::from_angle(scale * lane.turn);
            joint.turn = joint.turn.then(turn).renormalized();
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limit::{Limit, LimitSpace};

    /// Turning the joints by a small step must move the tip as the model says, and only the
    /// headings that it names.
    #[test]
    fn pulls_are_the_slopes_of_the_tip_past_stretched_bones() {
        let mut chain = Chain::default();
        for (index, angle) in [0.3_f32, -0.7, 0.5].into_iter().enumerate() {
            let shape = Mat2::from_diagonal(Vec2::new(1.2, -0.7));
            chain.push(Turn::from_angle(angle), shape * Vec2::new(30.0, 4.0), shape);
            if index == 1 {
                let limit = Limit {
                    space: LimitSpace::Skeleton,
                    ..Limit::around(0.0, -3.0, 3.0)
                };
                chain.limit(&limit, Mat2::IDENTITY);
            }
        }
        chain.prepare().expect("a sound chain");
        let mut space = Workspace::default();
        space.begin(std::iter::repeat_n(1.0, 3));
        survey(&chain, Vec2::ZERO, &mut space);
        let mut lanes = space.lanes;
        let step = 1e-3;
        for index in 0..3 {
            let mut moved = chain.clone();
            for (other, lane) in lanes.iter_mut().enumerate() {
                lane.swing = if other == index { step } else { 0.0 };
            }
            let largest = turn_joints(&chain, &mut lanes);
            take(&mut moved, &lanes, largest);
            let slope = (moved.tip() - chain.tip()).as_dvec2() / step;
            assert!(slope.distance(lanes[index].pull) < 0.2, "{index}: {slope}");
            let [before, now] = [&chain, &moved].map(|chain| chain.joints()[1].heading());
            let swung = f64::from(before.inverse().then(now).angle());
            assert!((swung - lanes[1].swing).abs() < 1e-2 * step);
        }
    }
}
