//! What holds a joint in a step, and how a held joint follows those that carry it.
//!
//! A joint that is held at the end of an arc of directions, which is fixed in chain space, turns back as
//! the joints above it turn. Each of these has a [`Tie`] to it. The ties of all joints are one list,
//! joint by joint, which steps go through in either direction.

use crate::kinematics::tree::Node;

/// The constraint that holds a joint in a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum JointHold {
    /// Nothing.
    Free,
    /// Its stiffness: it does not turn.
    Locked,
    /// Its lower bound.
    Lower,
    /// Its upper bound.
    Upper,
}

/// The rate at which a joint must turn to keep its direction while one that carries it turns.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tie {
    pub(super) joint: usize,
    pub(super) above: usize,
    /// Radians per radian.
    pub(super) rate: f64,
}

/// Returns `true` if a held joint is held at the end of an arc.
pub(super) fn is_tied(node: &Node, hold: JointHold) -> bool {
    match hold {
        JointHold::Free | JointHold::Locked => false,
        JointHold::Lower => node.follows(node.lower),
        JointHold::Upper => node.follows(node.upper),
    }
}

/// The ties of `joint`, which end at `end` in the list. `end` is moved to where they begin.
pub(super) fn ties_of<'a>(ties: &'a [Tie], end: &mut usize, joint: usize) -> &'a [Tie] {
    let before = ties[..*end].iter().rev();
    let count = before.take_while(|tie| tie.joint == joint).count();
    let own = &ties[*end - count..*end];
    *end -= count;
    own
}

/// By what angle its ties turn `joint` in a step. They begin at `start` in the list, which is moved
/// to where they end.
pub(super) fn drift(ties: &[Tie], start: &mut usize, joint: usize, step: &[f64]) -> f64 {
    let own = ties[*start..].iter().take_while(|tie| tie.joint == joint);
    own.map(|tie| {
        *start += 1;
        tie.rate * step[tie.above]
    })
    .sum()
}

/// Adds the row of the tied joint, times the rate of `tie`, to the row of the joint above.
pub(super) fn fold(matrix: &mut [f64], width: usize, tie: &Tie) {
    for index in 0..width {
        matrix[tie.above * width + index] += tie.rate * matrix[tie.joint * width + index];
    }
}
