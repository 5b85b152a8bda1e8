//! The straight-line dead-lock, and the way out of it.
//!
//! When every joint lies on the line through root and target, every sweep and every
//! gradient moves along that line only: FABRIK, CCD and Gauss-Newton all stay on it
//! forever. Any bend frees them. The chain is bent into an arc whose chord is about as long
//! as the way to the target, so that what follows has little left to do: the way that it
//! bends already, be it ever so little, or else to the side that the two-bone solver prefers.

use glam::Vec2;

use crate::chain::Chain;
use crate::turn::Turn;

/// Joints nearer than this to the line, relative to the reach, count as on it.
const ON_THE_LINE: f32 = 1e-5;

/// Bends `chain`, limits aside, if it and `target` lie on one line. Returns whether they did.
pub(crate) fn bend_out(chain: &mut Chain, target: Vec2) -> bool {
    let count = chain.joints().len();
    if count < 2 || !is_collinear(chain, target) {
        return false;
    }
    let axis = if target.length() > ON_THE_LINE * chain.reach() {
        target
    } else {
        chain.tip()
    };
    let total = chain.sense() * arc_for_chord(target.length() / chain.reach());
    let step = Turn::from_angle(total / (count - 1) as f32);
    let Some(start) = Turn::towards(axis) else {
        return false;
    };
    let mut along = start.then(Turn::from_angle(-0.5 * total));
    chain.lay_along(|index| {
        if index > 0 {
            along = along.then(step);
        }
        along.direction()
    });
    true
}

fn is_collinear(chain: &Chain, target: Vec2) -> bool {
    let Some(axis) = Turn::towards(target).or_else(|| Turn::towards(chain.tip())) else {
        return false;
    };
    let margin = ON_THE_LINE * chain.reach();
    let off_line = |point: Vec2| axis.direction().perp_dot(point).abs() > margin;
    !chain.points().iter().rev().any(|&point| off_line(point))
}

/// The angle in radians from the first to the last segment of an arc whose chord is
/// `ratio` (0 to 1) of its length: about the solution of `sin(x/2) = ratio x/2`.
fn arc_for_chord(ratio: f32) -> f32 {
    // sin(h) / h ≈ 1 − h²/6 + h⁴/120, solved for h².
    let straightness = (1.0 - ratio).clamp(0.0, 1.0);
    let half_squared = 10.0 - (100.0 - 120.0 * straightness).max(0.0).sqrt();
    2.0 * half_squared.sqrt()
}
