//! The finisher: damped Gauss-Newton on the joint angles, for what sweeps leave open.
//!
//! In the plane the Jacobian of the tip has two rows, so the normal matrix `J Jᵀ` is 2×2
//! whatever the number of joints, and a step costs one pass over the chain:
//!
//! ```text
//! Δθ = Jᵀ (J Jᵀ + λ 1)⁻¹ (target − tip)
//! ```
//!
//! In a [rigid](Chain::is_rigid) chain column *i* of `J` is the way from joint *i* to the
//! tip, turned by a quarter; a step swings the segments. In any other chain it follows from
//! the true forward kinematics, `Bᵢ ⟂ vᵢ` with `vᵢ = Rᵢ (offsetᵢ + carryᵢ vᵢ₊₁)`, and a step
//! turns the joints; bones that are stretched or skewed inside the chain are exact.
//!
//! Steps become rotations exactly and without trigonometry. The damping follows Levenberg
//! and Marquardt: a step that brings the tip nearer is kept and the damping eased, another
//! is undone and the damping raised.
//!
//! A descent can end in a fold from which the target is reached only by unfolding first.
//! Then the pose that the chain was given is curled by a few fixed amounts, turned towards
//! the target and tried again; the best pose is kept. Everything is fixed, so the same
//! input gives the same pose.
//!
//! Where joints are limited, [`crate::pursuit`] takes its place.
//!
//! Source: K. Levenberg (1944) and D. Marquardt (1963); for IK, C. W. Wampler,
//! *Manipulator Inverse Kinematic Solutions Based on Vector Formulations and Damped
//! Least-Squares Methods* (1986).

use glam::{Mat2, Vec2};

use crate::chain::Chain;
use crate::pursuit;
use crate::turn::Turn;

/// Steps of one descent at most. On random chains of 2 to 20 bones 17 are enough for 99 of
/// 100 solves.
const MAX_STEPS: u32 = 64;

/// No joint turns by more than this many radians in one step.
const LONGEST_STEP: f32 = 1.0;

/// Damping at the start, relative to the mean of the normal matrix' diagonal.
const FIRST_DAMPING: f32 = 1e-3;

/// Damping is never eased below this, which keeps a singular normal matrix invertible.
const LEAST_DAMPING: f32 = 1e-6;

/// Radians that the joints of the given pose, even and odd ones, are curled by when a descent
/// has failed: first the way that the pose bends already, then the other way, then zigzag.
const CURLS: [[f32; 2]; 13] = [
    [0.0, 0.0],
    [0.3, 0.3],
    [-0.3, -0.3],
    [0.9, 0.9],
    [-0.9, -0.9],
    [1.8, 1.8],
    [-1.8, -1.8],
    [2.6, 2.6],
    [-2.6, -2.6],
    [0.8, -0.8],
    [-0.8, 0.8],
    [1.6, -1.6],
    [-1.6, 1.6],
];

/// Errors above this part of the reach are worth more steps, whatever the tolerance.
const COARSE: f32 = 2e-5;

/// The distance at which f32 leaves nothing more to gain: four ten-millionths of the reach.
pub(crate) fn precision(chain: &Chain) -> f32 {
    4e-7 * chain.reach()
}

/// The error at which no new attempt is worth its cost.
pub(crate) fn worthwhile(chain: &Chain, tolerance: f32) -> f32 {
    tolerance.min(COARSE * chain.reach())
}

/// Brings the tip of `chain` as near to `target` as it can, and returns the distance left,
/// in chain units, and the number of steps. More than `tolerance` calls for new attempts
/// from other poses.
pub(crate) fn finish(chain: &mut Chain, target: Vec2, tolerance: f32) -> (f32, u32) {
    let tolerance = worthwhile(chain, tolerance);
    if chain.is_limited() {
        return pursuit::finish(chain, target, tolerance);
    }
    let (mut distance, mut steps) = descend(chain, target, tolerance);
    if distance <= tolerance || chain.joints().len() < 2 {
        return (distance, steps);
    }
    let mut best = std::mem::take(&mut chain.scratch.best);
    best.clone_from(&chain.segments);
    let sense = chain.sense();
    for curl in CURLS {
        restart(
            chain,
            target,
            curl.map(|curl| Turn::from_angle(sense * curl)),
        );
        let (left, more) = descend(chain, target, tolerance);
        steps += more;
        if left < distance {
            distance = left;
            best.clone_from(&chain.segments);
        }
        if distance <= tolerance {
            break;
        }
    }
    if distance > tolerance {
        chain.segments.clone_from(&best);
        chain.sum_up();
        chain.follow_points();
    }
    chain.scratch.best = best;
    (distance, steps)
}

/// Curls the given pose by `curls`, for even and odd joints, and turns the root so that the tip lies
/// in the target's direction.
fn restart(chain: &mut Chain, target: Vec2, curls: [Turn; 2]) {
    let curls = curls.into_iter().cycle();
    if chain.is_moved_by_segments() {
        let mut swing = Turn::NONE;
        let segments = chain.segments.iter_mut().zip(&chain.given);
        for ((segment, given), curl) in segments.zip(curls) {
            swing = swing.then(curl);
            *segment = swing.apply(*given);
        }
        chain.sum_up();
    } else {
        for (joint, curl) in chain.joints_mut().iter_mut().zip(curls) {
            joint.turn = joint.given.then(curl);
        }
        chain.place();
    }
    // Whatever a chain's frames are, turning its root turns all of it.
    let Some(turn) = Turn::between(chain.tip(), target) else {
        return;
    };
    if chain.is_moved_by_segments() {
        for segment in &mut chain.segments {
            *segment = turn.apply(*segment);
        }
        chain.sum_up();
    } else {
        let root = &mut chain.joints_mut()[0];
        root.turn = root.turn.then(turn);
        chain.place();
    }
}

/// One descent from the present pose.
fn descend(chain: &mut Chain, target: Vec2, tolerance: f32) -> (f32, u32) {
    let precision = precision(chain);
    let mut distance = chain.tip().distance(target);
    let mut damping = FIRST_DAMPING;
    let mut steps = 0;
    while distance > precision && steps < MAX_STEPS {
        let normal = differentiate(chain);
        let largest = loop {
            let largest = step(chain, normal, target, damping);
            steps += 1;
            let left = chain.tip().distance(target);
            if left < distance {
                // Within tolerance, only steps that still halve the error are worth their cost.
                let worthwhile = left > tolerance || left < 0.5 * distance;
                distance = left;
                damping = (damping * 0.1).max(LEAST_DAMPING);
                break if worthwhile { largest } else { 0.0 };
            }
            undo(chain);
            damping *= 8.0;
            if damping > 1e6 || steps >= MAX_STEPS || distance <= tolerance {
                break 0.0;
            }
        };
        if largest < f32::EPSILON {
            break;
        }
    }
    (distance, steps)
}

/// Fills the columns of the Jacobian and returns `J Jᵀ`.
fn differentiate(chain: &mut Chain) -> Mat2 {
    let tip = chain.tip();
    let mut columns = std::mem::take(&mut chain.scratch.columns);
    columns.clear();
    if chain.is_moved_by_segments() {
        let joints = &chain.points[..chain.segments.len()];
        columns.extend(joints.iter().map(|&joint| (tip - joint).perp()));
    } else {
        let mut beyond = Vec2::ZERO;
        columns.extend(chain.joints().iter().rev().map(|joint| {
            beyond = joint.turn.apply(joint.offset + joint.carry * beyond);
            joint.basis * beyond.perp()
        }));
        columns.reverse();
    }
    let (mut xx, mut xy, mut yy) = (0.0, 0.0, 0.0);
    for column in &columns {
        xx += column.x * column.x;
        xy += column.x * column.y;
        yy += column.y * column.y;
    }
    chain.scratch.columns = columns;
    Mat2::from_cols_array(&[xx, xy, xy, yy])
}

/// Turns every joint by one damped step. Returns the largest turn in radians.
fn step(chain: &mut Chain, normal: Mat2, target: Vec2, damping: f32) -> f32 {
    let lambda = damping * 0.5 * (normal.x_axis.x + normal.y_axis.y);
    let damped = Mat2::from_cols(
        normal.x_axis + Vec2::new(lambda, 0.0),
        normal.y_axis + Vec2::new(0.0, lambda),
    );
    let pull = damped.inverse() * (target - chain.tip());
    let columns = std::mem::take(&mut chain.scratch.columns);
    let turns = columns.iter().map(|column| column.dot(pull).abs());
    let largest = turns.fold(0.0, f32::max);
    let scale = if largest > LONGEST_STEP {
        LONGEST_STEP / largest
    } else {
        1.0
    };
    let half = 0.5 * scale * pull;
    let turns = columns
        .iter()
        .map(|column| Turn::from_half_tangent(column.dot(half)));
    if chain.is_moved_by_segments() {
        swing(chain, turns);
    } else {
        turn(chain, turns);
    }
    chain.scratch.columns = columns;
    scale * largest
}

/// Swings the segments of a rigid chain: each by its own joint's turn and all before it.
fn swing(chain: &mut Chain, turns: impl Iterator<Item = Turn>) {
    chain.scratch.segments.clone_from(&chain.segments);
    let mut swung = Turn::NONE;
    for (segment, turn) in chain.segments.iter_mut().zip(turns) {
        swung = swung.then(turn);
        *segment = swung.apply(*segment);
    }
    chain.sum_up();
}

/// Turns the joints of any chain.
fn turn(chain: &mut Chain, turns: impl Iterator<Item = Turn>) {
    let mut before = std::mem::take(&mut chain.scratch.turns);
    before.clear();
    before.extend(chain.joints().iter().map(|joint| joint.turn));
    for (joint, turn) in chain.joints_mut().iter_mut().zip(turns) {
        joint.turn = joint.turn.then(turn).renormalized();
    }
    chain.scratch.turns = before;
    chain.place();
}

/// Takes the last step back.
fn undo(chain: &mut Chain) {
    if chain.is_moved_by_segments() {
        std::mem::swap(&mut chain.segments, &mut chain.scratch.segments);
        chain.sum_up();
    } else {
        let before = std::mem::take(&mut chain.scratch.turns);
        for (joint, turn) in chain.joints_mut().iter_mut().zip(&before) {
            joint.turn = *turn;
        }
        chain.scratch.turns = before;
        chain.place();
    }
}
