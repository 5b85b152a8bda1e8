//! Headings: which way a bone ends up pointing, whatever the chain before it does.
//!
//! In a chain of several joints the last one is turned to its heading, which fixes the place
//! where its bone must begin for the tip to meet the target; the joints before it are solved
//! for that place. So both are met with all but one of the joints. In a
//! [rigid](Chain::is_rigid) chain that is exact at once.
//!
//! Where the last joint's limit does not let it turn so far, it stops there and the limit
//! decides: the joint is held, and the [finisher](crate::active_set) brings the tip to the
//! target with the others. Likewise in a chain that is not rigid, where the last bone's shape
//! depends on the pose: its heading is held and the finisher closes the gap. Either way it
//! starts from the pose that was found first, so that a small gap makes a small difference.
//!
//! Source: Tendon's.

use glam::{Mat2, Vec2};
use serde::{Deserialize, Serialize};

use crate::bound::{Bound, Measure};
use crate::chain::{Chain, Joint, Unsolvable};
use crate::finisher;
use crate::limit::Limit;
use crate::report::Outcome;
use crate::turn::Turn;

/// A direction that a bone carries, or one fixed in skeleton space.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Direction {
    /// Index of the bone that carries the direction; `None` for skeleton space.
    #[serde(default)]
    pub bone: Option<usize>,
    /// The direction in that bone's frame, or in skeleton space; of any length but zero.
    #[serde(with = "crate::number")]
    pub vector: Vec2,
}

/// Which bone shall point which way.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Heading {
    /// Index of the bone whose X axis, before its own scale, is turned. In a chain of joints
    /// that is the last of them; after two bones, one that hangs on the second.
    pub bone: usize,
    /// Where it shall point.
    pub direction: Direction,
}

/// Has `reach` bring the tip of `chain` to `target` and turns the last joint to point along
/// `heading`; both are in chain space. `reach` is given the chain without its last joint and
/// the place for its end.
pub(crate) fn solve(
    chain: &mut Chain,
    target: Vec2,
    heading: Vec2,
    tolerance: f32,
    reach: impl FnOnce(&mut Chain, Vec2) -> Result<Outcome, Unsolvable>,
) -> Result<Outcome, Unsolvable> {
    let Some((mut last, own)) = chain.pop() else {
        return Err(Unsolvable);
    };
    let mut heading = Turn::towards(heading).ok_or(Unsolvable)?;
    if let Some(own) = own.filter(|own| own.measure == Measure::Swing) {
        heading = own.nearest(heading);
    }
    let mut iterations = 0;
    let mut is_exact = true;
    if !chain.joints().is_empty() {
        chain.prepare()?;
        last.basis = chain.end_basis();
        last.head_along(heading);
        iterations = reach(chain, target - last.segment())?.iterations;
        is_exact = chain.keeps_shape();
        last.basis = chain.end_basis();
    }
    last.head_along(heading);
    let own = own.filter(|own| own.measure == Measure::Bend);
    let stopped = own.is_some_and(|own| own.stops(&mut last));
    chain.push_bound(last, bound_of(&last, heading, stopped));
    chain.prepare()?;
    chain.place_within_limits();
    let mut distance = chain.tip().distance(target);
    if (stopped || !is_exact) && chain.joints().len() > 1 {
        let (left, steps) = finisher::finish(chain, target, tolerance);
        distance = left;
        iterations += steps;
    }
    // The others' turns may have brought the joint to its limit only now.
    if let Some((mut last, _)) = chain.pop() {
        let stopped = own.is_some_and(|own| own.stops(&mut last));
        chain.push_bound(last, bound_of(&last, heading, stopped));
        chain.prepare()?;
        if stopped {
            let (left, steps) = finisher::finish(chain, target, tolerance);
            distance = left;
            iterations += steps;
        }
    }
    Ok(Outcome::at(distance, tolerance, iterations.max(1)))
}

/// What the last joint keeps to: where it was `stopped`, or else its heading.
fn bound_of(last: &Joint, heading: Turn, stopped: bool) -> Bound {
    if stopped {
        Bound::held_at(last.turn)
    } else {
        Bound::headed(heading)
    }
}

/// The rotation in radians of a bone that hangs in the frame `basis` of chain space when it
/// points along `heading`, or as nearly as its limit lets it. It was at `turn`, `rotation`
/// radians.
pub(crate) fn rotation_towards(
    heading: Vec2,
    basis: Mat2,
    (rotation, turn): (f32, Turn),
    limit: Option<(&Limit, Mat2)>,
) -> Option<f32> {
    let mut joint = Joint::new(turn, Vec2::X, Mat2::IDENTITY);
    joint.basis = basis;
    joint.head_along(Turn::towards(heading)?);
    if let Some(bound) = limit.and_then(|(limit, mount)| Bound::new(limit, turn, mount)) {
        bound.keep(&mut joint);
    }
    let rotation = joint.turn.angle_from(rotation, turn);
    rotation.is_finite().then_some(rotation)
}
