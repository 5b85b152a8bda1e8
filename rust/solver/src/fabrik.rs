//! FABRIK: forward and backward reaching on positions.
//!
//! From the tip: the last point is put on the target, and each point before it is pulled
//! along its segment to the segment's length. From the root, likewise: each segment is laid
//! from where the one before it ends towards the point that was asked of it. Every segment
//! keeps its length, and the root its place.
//!
//! Where joints are limited, [`crate::pursuit`] takes the place of the rounds, and no joint turns
//! more willingly than another.
//!
//! A round costs O(joints). Near full reach the error shrinks by only about
//! `20/n (1 − d/reach)` per round, and a straight chain with its target on its axis never
//! moves; [`crate::approach`] deals with both.
//!
//! Source: A. Aristidou and J. Lasenby, *FABRIK: A fast, iterative solver for the Inverse
//! Kinematics problem*, Graphical Models 73 (2011).

use glam::Vec2;

use crate::approach::{Approach, approach, approach_within_limits};
use crate::chain::Chain;
use crate::pursuit::Lead;
use crate::report::Outcome;

/// Turns the joints of `chain` so that its tip meets `target`, a position in chain space,
/// or comes as near as it can.
pub fn solve(chain: &mut Chain, target: Vec2, limits: Approach) -> Outcome {
    if chain.is_limited() {
        approach_within_limits(chain, target, limits, Lead::Nobody)
    } else {
        approach(chain, target, limits, sweep)
    }
}

fn sweep(chain: &mut Chain, target: Vec2) {
    reach_from_tip(chain, target);
    reach_from_root(chain);
    chain.follow_points();
}

/// Moves the points, tip first, so that the tip is on the target and every segment keeps
/// its length. The root's point stays where the root is, whatever is asked of it.
fn reach_from_tip(chain: &mut Chain, target: Vec2) {
    let mut pulled = target;
    let count = chain.lengths.len();
    chain.points[count] = target;
    for index in (1..count).rev() {
        let away = chain.points[index] - pulled;
        pulled += with_length(away, chain.lengths[index], -chain.segments[index]);
        chain.points[index] = pulled;
    }
}

/// Lays the segments, root first, towards the points that were asked for.
fn reach_from_root(chain: &mut Chain) {
    let mut end = Vec2::ZERO;
    let segments = chain.segments.iter_mut().zip(&chain.lengths);
    for ((segment, &length), point) in segments.zip(&mut chain.points[1..]) {
        *segment = with_length(*point - end, length, *segment);
        end += *segment;
        *point = end;
    }
}

/// `vector`, made `length` long. Points that coincide leave the direction open: that of
/// `otherwise` is taken, which has the length already.
fn with_length(vector: Vec2, length: f32, otherwise: Vec2) -> Vec2 {
    let square = vector.length_squared();
    if square > 0.0 {
        vector * (length / square.sqrt())
    } else {
        otherwise
    }
}
