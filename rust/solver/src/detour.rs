//! Round obstacles from the last pose, for modifiers that go on from there.
//!
//! A pose that is pushed out of a shape from where it would be without it may leave on either
//! side, and a hair decides. A tree that goes on from a pose that minds its obstacles already
//! has chosen its way; it keeps to it. As in [`crate::pursuit`] the tips follow their targets in
//! short strides that are never taken back: one step of [`crate::least_squares`] each, towards
//! places no farther than a fixed part of the way at the start.

use crate::least_squares::{self, Emphasis};
use crate::tree::Tree;

/// Strides to targets that nothing is in the way of.
const STRIDES: f64 = 16.0;

/// Strides at most.
const MOST_STRIDES: u32 = 96;

/// Nearer than this part of a stride the tips are all but there.
const THERE: f64 = 0.1;

/// A stride that turns no joint by so many radians: the tree stands still.
const STILL: f64 = 1e-3;

/// Damping, relative to what a row weighs on average.
const DAMPING: f64 = 3e-3;

/// What counts on the way.
const FEELING: Emphasis = Emphasis {
    tips: 1.0,
    contacts: 100.0,
    guarded: false,
};

/// Leads the tips of `tree` from the pose that it was given to their targets, as far as its
/// obstacles let them. Returns the number of strides. Bones are left within a hair of the
/// shapes, on either side.
pub(crate) fn follow(tree: &mut Tree) -> u32 {
    for node in &mut tree.nodes {
        node.swing = node.bounded(0.0);
    }
    tree.place();
    let length = farthest(tree) / STRIDES;
    let mut taken = 0;
    while taken < MOST_STRIDES && farthest(tree) > THERE * length {
        for tip in &mut tree.tips {
            tip.target = tip.point + (tip.goal - tip.point).clamp_length_max(length);
        }
        let largest = least_squares::stride(tree, FEELING, DAMPING);
        taken += 1;
        if largest < STILL {
            break;
        }
    }
    for tip in &mut tree.tips {
        tip.target = tip.goal;
    }
    taken
}

/// How far the tip that is worst off is from where it shall be in the end.
fn farthest(tree: &Tree) -> f64 {
    let ways = tree.tips.iter().map(|tip| tip.goal.distance(tip.point));
    ways.fold(0.0, f64::max)
}
