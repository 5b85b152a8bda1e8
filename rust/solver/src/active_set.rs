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
//! In a chain that is not rigid a joint that is held in the skeleton turns in answer to whatever
//! deforms the frame above it, and so moves the tip. There `jᵢ` is found by following the frames
//! from joint *i* to the tip, in O(joints) each.
//!
//! A descent may end in a pose that is nearest only to its neighbours. Then fixed poses within
//! the limits are tried, and the best is kept; the first pose unless another is clearly better.
//!
//! Source: the damping as in [`crate::finisher`]; the active set after M. Hintermüller, K. Ito
//! and K. Kunisch, *The Primal-Dual Active Set Strategy as a Semismooth Newton Method* (2002).

use glam::{Mat2, Vec2};

use crate::bound::Measure;
use crate::chain::Chain;
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
const SLACK: f32 = 1e-6;

/// A pose from which no joint wants to turn farther than this, in radians, is the nearest.
const SETTLED: f32 = 2e-4;

/// A change of the distance below this part of the reach is rounding noise.
const NOISE: f32 = 1e-6;

/// A new attempt that does not arrive must be nearer by this part of the reach to be taken.
const CLEARLY: f32 = 1e-3;

/// Where in their intervals, from 0 to 1, all joints start in the first new attempts.
const EVEN_STARTS: [f32; 5] = [0.5, 0.2, 0.8, 0.0, 1.0];

/// How many more attempts start from poses that are spread evenly over the limits.
const SPREAD_STARTS: usize = 12;

/// Multiples of these fall as evenly as can be between whole numbers, and for neighbouring
/// joints independently: the powers of the inverse of the plastic number, root of x³ = x + 1.
const SPREAD: [f32; 3] = [0.754_877_7, 0.569_840_3, 0.430_159_7];

/// Radians from the given pose that stand for the ends of a free joint's interval.
const CURL: f32 = 2.5;

/// What the finisher keeps between two solves: memory only.
#[derive(Clone, Debug, Default)]
pub(crate) struct Workspace {
    lanes: Vec<Lane>,
    groups: Vec<Group>,
    before: Vec<Turn>,
    best: Vec<Turn>,
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
    pull: Vec2,
    /// How the distance curves when the segment alone swings.
    curve: f32,
    /// −1 where the frame above the joint mirrors, or else 1.
    sense: f32,
    measure: Option<Measure>,
    /// How far the measured angle may change, down and up.
    room: [f32; 2],
    weight: f32,
    held: Option<End>,
    /// How much farther the segment swings than the first of its group.
    ahead: f32,
    /// The step: how far the segment swings.
    swing: f32,
}

impl Lane {
    /// What the measured angle changes by, if it is held.
    fn hold(&self) -> Option<f32> {
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
    pull: Vec2,
    curve: f32,
    /// Curvature times how much farther the segments swing than the first.
    lean: f32,
    /// How much farther the last segment swings than the first.
    ahead: f32,
    /// The damping between this group and the one before.
    link: f32,
    /// How far it swings, if that is settled.
    fixed: Option<f32>,
    /// Diagonal, and solution without and per unit of what is left of the way.
    diagonal: f32,
    still: f32,
    eager: Vec2,
}

/// Brings the tip of `chain`, which is within its limits, as near to `target` as they let it.
/// Returns the distance left, in chain units, and the number of steps. More than `tolerance`
/// calls for new attempts from other poses.
pub(crate) fn finish(chain: &mut Chain, target: Vec2, tolerance: f32) -> (f32, u32) {
    let (mut distance, mut steps) = descend(chain, target, tolerance);
    if distance <= tolerance {
        return (distance, steps);
    }
    let margin = CLEARLY * chain.reach();
    let mut best = std::mem::take(&mut chain.scratch.workspace.best);
    remember(chain, &mut best);
    let evenly = EVEN_STARTS.map(|part| [part; 3]).into_iter();
    let spread = (1..=SPREAD_STARTS).map(|n| SPREAD.map(|step| (n as f32 * step).fract()));
    for start in evenly.chain(spread) {
        restart(chain, target, start);
        let (left, more) = descend(chain, target, tolerance);
        steps += more;
        if left <= tolerance || left < distance - margin {
            distance = left;
            remember(chain, &mut best);
        }
        if distance <= tolerance {
            break;
        }
    }
    chain.place_each(|place, joint| joint.turn = best[place.index]);
    chain.scratch.workspace.best = best;
    (distance, steps)
}

/// Whether no turn within the limits brings the tip of `chain` nearer to `target`.
pub(crate) fn is_nearest(chain: &mut Chain, target: Vec2) -> bool {
    let mut space = std::mem::take(&mut chain.scratch.workspace);
    space.lanes.clear();
    let trace = survey(chain, target, &mut space.lanes);
    let gap = target - chain.tip();
    let largest = plan(&mut space, gap, FIRST_DAMPING * trace);
    chain.scratch.workspace = space;
    largest < SETTLED
}

fn remember(chain: &Chain, turns: &mut Vec<Turn>) {
    turns.clear();
    turns.extend(chain.joints().iter().map(|joint| joint.turn));
}

/// Puts the joints at the given parts of their intervals, and turns the root so that the tip
/// lies in the target's direction.
fn restart(chain: &mut Chain, target: Vec2, parts: [f32; 3]) {
    for index in 0..chain.joints().len() {
        let part = parts[index % 3];
        let turn = chain.bound(index).and_then(|bound| bound.part(part));
        let joint = &mut chain.joints_mut()[index];
        joint.turn = turn.unwrap_or_else(|| {
            let curl = Turn::from_angle((2.0 * part - 1.0) * CURL);
            joint.given.then(curl)
        });
    }
    chain.place_within_limits();
    if let Some(turn) = Turn::between(chain.tip(), target) {
        let root = &mut chain.joints_mut()[0];
        root.turn = root.turn.then(turn);
        chain.place_within_limits();
    }
}

/// One descent from the present pose.
fn descend(chain: &mut Chain, target: Vec2, tolerance: f32) -> (f32, u32) {
    let mut space = std::mem::take(&mut chain.scratch.workspace);
    space.lanes.clear();
    let precision = precision(chain);
    let mut distance = chain.tip().distance(target);
    let mut damping = FIRST_DAMPING;
    let mut steps = 0;
    while distance > precision && steps < MAX_STEPS {
        let trace = survey(chain, target, &mut space.lanes);
        let tip = chain.tip();
        remember(chain, &mut space.before);
        let goes_on = loop {
            let largest = plan(&mut space, target - tip, damping * trace);
            take(chain, &space.lanes, largest);
            steps += 1;
            let gain = gain(tip, chain.tip(), target);
            let noise = NOISE * chain.reach();
            if gain > noise || gain > 0.0 && largest > SETTLED {
                let left = chain.tip().distance(target);
                // Within tolerance, only steps that still halve the error are worth their cost.
                let worthwhile = left > tolerance || left < 0.5 * distance;
                distance = left;
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
fn survey(chain: &Chain, target: Vec2, lanes: &mut Vec<Lane>) -> f32 {
    let gap = target - chain.tip();
    let count = chain.joints().len();
    lanes.resize(
        count,
        Lane {
            pull: Vec2::ZERO,
            curve: 0.0,
            sense: 1.0,
            measure: None,
            room: [f32::NEG_INFINITY, f32::INFINITY],
            weight: 1.0,
            held: None,
            ahead: 0.0,
            swing: 0.0,
        },
    );
    let mut beyond = Vec2::ZERO;
    let mut next_column = Vec2::ZERO;
    let mut trace = 0.0;
    for (index, (lane, joint)) in lanes.iter_mut().zip(chain.joints()).enumerate().rev() {
        beyond = joint.turn.apply(joint.offset + joint.carry * beyond);
        lane.sense = if joint.is_mirrored() { -1.0 } else { 1.0 };
        let column = lane.sense * (joint.basis * beyond.perp());
        lane.pull = column - next_column;
        lane.curve = gap.dot(chain.segments[index]);
        next_column = column;
        trace += column.length_squared();
        if let Some(bound) = chain.bound(index) {
            lane.measure = Some(bound.measure);
            lane.room = bound.room_of(joint);
            lane.weight = bound.weight;
        }
    }
    if !chain.is_rigid() {
        pull_past_held(chain, lanes);
    }
    0.5 * trace
}

/// Finds anew how the tip moves where joints are held in the skeleton and the frames above them
/// do not keep angles.
fn pull_past_held(chain: &Chain, lanes: &mut [Lane]) {
    let is_held = |lane: &Lane| lane.held.is_some() && lane.measure == Some(Measure::Swing);
    let Some(last) = lanes.iter().rposition(is_held) else {
        return;
    };
    for index in 0..=last {
        let mut tip = Vec2::ZERO;
        let mut basis = Mat2::ZERO;
        for (beyond, (lane, joint)) in lanes.iter().zip(chain.joints()).enumerate().skip(index) {
            let turned = basis * joint.turn.apply_to(Mat2::IDENTITY);
            let own = joint.basis * joint.turn.apply_to(Mat2::IDENTITY);
            let rate = if beyond == index {
                lane.sense
            } else if is_held(lane) {
                -own.x_axis.perp_dot(turned.x_axis) / own.x_axis.perp_dot(own.y_axis)
            } else if beyond == index + 1 {
                -lane.sense
            } else {
                0.0
            };
            let change = turned + own * Mat2::from_cols(Vec2::Y, Vec2::NEG_X) * rate;
            tip += change * joint.offset;
            basis = change * joint.carry;
        }
        lanes[index].pull = tip;
    }
}

/// Solves the model of a step, with its active set. Returns the largest turn in radians.
fn plan(space: &mut Workspace, gap: Vec2, damping: f32) -> f32 {
    let Workspace { lanes, groups, .. } = space;
    for _ in 0..MAX_ROUNDS {
        let gap = gather(lanes, groups, gap, damping);
        let left = solve(groups, gap);
        scatter(lanes, groups, left);
        if !revise(lanes, left, damping) {
            break;
        }
    }
    let mut before = 0.0;
    lanes.iter().fold(0.0, |largest: f32, lane| {
        let bend = lane.swing - before;
        before = lane.swing;
        largest.max(bend.abs())
    })
}

/// Gathers the lanes into groups. Returns the way to go, less what is settled already.
fn gather(lanes: &mut [Lane], groups: &mut Vec<Group>, mut gap: Vec2, damping: f32) -> Vec2 {
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
            group.pull = Vec2::ZERO;
        }
    }
    gap
}

/// Solves the tridiagonal system and the 2×2 one. Returns what the model leaves of the way.
fn solve(groups: &mut [Group], gap: Vec2) -> Vec2 {
    let mut above = Group::default();
    let mut upper = 0.0;
    for index in 0..groups.len() {
        let next = groups.get(index + 1).map_or(0.0, |next| next.link);
        let group = &mut groups[index];
        if let Some(swing) = group.fixed {
            (group.diagonal, group.still, group.eager) = (1.0, swing, Vec2::ZERO);
            upper = 0.0;
        } else {
            let is_convex = group.curve > 0.0;
            let (curve, lean) = if is_convex {
                (group.curve, group.lean)
            } else {
                (0.0, 0.0)
            };
            let eliminated = -group.link / above.diagonal_or_one();
            group.diagonal = curve + group.link + next - eliminated * upper;
            let load = group.link * above.ahead - next * group.ahead - lean;
            group.still = load - eliminated * above.still;
            group.eager = group.pull - eliminated * above.eager;
            upper = -next;
        }
        above = *group;
    }
    let mut below = (0.0, Vec2::ZERO);
    for index in (0..groups.len()).rev() {
        let next = groups.get(index + 1).map_or(0.0, |next| next.link);
        let group = &mut groups[index];
        if group.fixed.is_none() {
            group.still = (group.still + next * below.0) / group.diagonal;
            group.eager = (group.eager + next * below.1) / group.diagonal;
        }
        below = (group.still, group.eager);
    }
    let mut normal = Mat2::IDENTITY;
    let mut left = gap;
    for group in groups {
        normal.x_axis += group.pull * group.eager.x;
        normal.y_axis += group.pull * group.eager.y;
        left -= group.pull * group.still;
    }
    normal.inverse() * left
}

impl Group {
    fn diagonal_or_one(&self) -> f32 {
        if self.diagonal > 0.0 {
            self.diagonal
        } else {
            1.0
        }
    }
}

/// Hands the groups' swings to their lanes.
fn scatter(lanes: &mut [Lane], groups: &[Group], left: Vec2) {
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
fn revise(lanes: &mut [Lane], left: Vec2, damping: f32) -> bool {
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
    let mut before = 0.0;
    chain.place_each(|place, joint| {
        let lane = &lanes[place.index];
        if let Some((bound, end)) = place.bound.zip(lane.stays_at()) {
            bound.go_to_end(joint, end == End::Upper);
            before = lane.swing;
            return;
        }
        let turn = Turn::from_angle(scale * lane.sense * (lane.swing - before));
        before = lane.swing;
        joint.turn = joint.turn.then(turn).renormalized();
    });
}
