//! FABRIK: forward and backward reaching on positions.
//!
//! From the tip: the last point is put on the target, and each point before it is pulled
//! along its segment to the segment's length. From the root: each joint is turned towards
//! the point that was asked of it, and the point is moved to where the segment really
//! ends. The second half is done on turns rather than on positions, so that lengths hold
//! exactly whatever the bones' own scales, and the chain is a real pose after each round.
//!
//! A round costs O(joints). Near full reach the error shrinks by only about
//! `20/n (1 − d/reach)` per round, and a straight chain with its target on its axis never
//! moves; [`crate::approach`] deals with both.
//!
//! Source: A. Aristidou and J. Lasenby, *FABRIK: A fast, iterative solver for the Inverse
//! Kinematics problem*, Graphical Models 73 (2011).

use glam::Vec2;

use crate::approach::{Approach, approach};
use crate::chain::Chain;
use crate::report::Outcome;

/// Turns the joints of `chain` so that its tip meets `target`, a position in chain space,
/// or comes as near as it can.
pub fn solve(chain: &mut Chain, target: Vec2, limits: Approach) -> Outcome {
    approach(chain, target, limits, |chain, target| {
        reach_from_tip(chain, target);
        chain.follow_points();
    })
}

/// Moves the chain's points, tip first, so that the tip is on the target and every
/// segment before it keeps its length. The root's point may leave the root.
fn reach_from_tip(chain: &mut Chain, target: Vec2) {
    let mut points = std::mem::take(&mut chain.points);
    points.clear();
    points.extend(chain.joints().iter().map(|joint| joint.origin));
    points.push(target);
    let mut end = chain.tip();
    let mut pulled = target;
    for (point, joint) in points.iter_mut().zip(chain.joints()).rev() {
        let length = (end - joint.origin).length();
        end = joint.origin;
        let away = *point - pulled;
        let distance = away.length();
        // Points that coincide leave the direction open: keep the segment's own.
        let direction = if distance > 0.0 {
            away / distance
        } else {
            -joint.segment().normalize_or_zero()
        };
        pulled += direction * length;
        *point = pulled;
    }
    chain.points = points;
}
