//! Soft reach and stretch: how a chain comes to its full length, and beyond.
//!
//! A limb that follows a target out of reach snaps straight: near full reach its angles change with
//! the square root of the distance that is left, faster and faster. **Softness** eases that. From a
//! part of the reach on, the chain approaches its full length more and more slowly, and never has
//! it:
//!
//! ```text
//! eased(d) = a + (r − a) (1 − exp(−(d − a) / (r − a))),   a = r (1 − softness),   d > a
//! ```
//!
//! which begins with the slope of `d` and never exceeds the reach `r`. **Stretch** lengthens the
//! segments by one common factor, so that the tip arrives nevertheless, up to a cap. With both, the
//! chain is as straight as softness allows, and stretch provides the rest of the length; the cap is
//! approached as softly. In all cases the distance of the tip from the root grows smoothly, and
//! never shrinks, as the target moves away.
//!
//! Only segments that end at a bone can be lengthened, by moving that bone: all but the last, and
//! the last one too if the tip is a bone. Those are lengthened by more if others keep their length.
//!
//! In a tree every tip is eased over the reach of its own line of bones, and all bones that can
//! are lengthened by one factor: the least that brings each tip, on its own, to its target. Where
//! a heading settles the last piece, the rest of the line is what counts.
//!
//! Distances are those of chain space. The reach is exact where no bone stretches others
//! and an estimate in others. Joint limits are not part of it: a chain that they keep from its
//! full reach does not stretch before the target is beyond that.
//!
//! Source: the exponential is that of *soft IK*, A. Nicholas, *The Soft IK Solver* (2009).

use glam::{DVec2, Vec2};

use crate::kinematics::tree::{Tip, Tree, Unsolvable};
use crate::math::interval::clamp01;
use crate::math::settings::settings;

/// A target that is farther by this factor than a chain is long is out of its reach, whatever
/// the rounding.
const BEYOND: f64 = 1.0 + 1e-5;

/// Two lengths that differ by less than this part count as the same.
const SAME_LENGTH: f64 = 1e-9;

settings! {
    /// The behaviour of a chain or a tree at full reach.
    Elasticity {
        /// The part of the reach over which the chain eases towards its full length, 0 to 1; 0 is off.
        softness: f32 = 0.0;
        /// The greatest factor by which segments that end at a bone are lengthened to reach a target
        /// that is too far; 1 and less is off.
        stretch: f32 = 1.0;
    }
}

/// The yield of a line of bones to a target near its full reach or beyond it.
#[derive(Clone, Copy)]
struct Yield {
    /// The distance that it stretches out to without being lengthened.
    extent: f64,
    /// By what part of itself it is lengthened beyond that.
    growth: f64,
}

impl Elasticity {
    /// Returns `true` if it changes nothing.
    pub(crate) fn is_off(&self) -> bool {
        clamp01(self.softness) == 0.0 && self.stretch.max(1.0) == 1.0
    }

    /// By what factor a limb is lengthened to reach for `target`, in chain space, and where it
    /// reaches for instead. Its `lengths` are its reach and how much of that can be lengthened.
    pub(crate) fn shape_limb(&self, target: Vec2, [reach, elastic]: [f32; 2]) -> (Vec2, f32) {
        let distance = f64::from(target.length());
        let lengths = [f64::from(reach), f64::from(elastic)];
        let Some(Yield { extent, growth }) = self.give(distance, lengths) else {
            return (target, 1.0);
        };
        if growth <= 0.0 && clamp01(self.softness) == 0.0 {
            return (target, 1.0);
        }
        let eased = extent * (1.0 + growth) / distance;
        let goal = target * (self.excess() * eased) as f32;
        (goal, factor_of(growth, lengths) as f32)
    }

    /// Lengthens a prepared `tree` as far as one of its tips asks for, gives the tips the places
    /// that they reach for instead of their targets, and returns by what factor its elastic
    /// pieces are longer.
    ///
    /// # Errors
    /// [`Unsolvable`] when the lengthened tree is.
    pub(crate) fn shape(&self, tree: &mut Tree) -> Result<f32, Unsolvable> {
        let mut factor = 1.0_f64;
        for tip in tree.tips.iter().filter(|tip| tip.weight > 0.0) {
            let lengths = tree.lengths_to(tip);
            let distance = (tip.wanted - tree.settled_of(tip)).length();
            if let Some(Yield { growth, .. }) = self.give(distance, lengths) {
                factor = factor.max(factor_of(growth, lengths));
            }
        }
        for index in 0..tree.tips.len() {
            let goal = self.goal_of(&tree.tips[index], tree, factor);
            let tip = &mut tree.tips[index];
            (tip.goal, tip.target) = (goal, goal);
        }
        if factor > 1.0 {
            tree.lengthen(factor);
            tree.prepare()?;
        }
        Ok(factor as f32)
    }

    /// Returns the place that a tip reaches for, in chain space, when the tree is lengthened by `factor`.
    fn goal_of(&self, tip: &Tip, tree: &Tree, factor: f64) -> DVec2 {
        let [reach, elastic] = tree.lengths_to(tip);
        let settled = tree.settled_of(tip);
        let way = tip.wanted - settled;
        let distance = way.length();
        let Some(Yield { extent, growth }) = self.give(distance, [reach, elastic]) else {
            return tip.wanted;
        };
        let most = extent * (1.0 + (factor - 1.0) * elastic / reach);
        if clamp01(self.softness) > 0.0 {
            settled + way * (most / distance).min(1.0)
        } else if growth > 0.0 && distance > most * (1.0 - SAME_LENGTH) {
            settled + way * (self.excess() * most / distance).max(1.0)
        } else {
            tip.wanted
        }
    }

    /// Returns the yield of a line of bones to a target at `distance` from its root. Its `lengths` are its reach and
    /// how much of that can be lengthened. `None` if it just reaches for the target.
    fn give(&self, distance: f64, [reach, elastic]: [f64; 2]) -> Option<Yield> {
        let softness = f64::from(clamp01(self.softness));
        let stretch = if elastic > 0.0 {
            f64::from(self.stretch).max(1.0)
        } else {
            1.0
        };
        let is_near = distance <= reach * (1.0 - softness);
        // Without softness the solvers straighten the chain themselves.
        if is_near || softness == 0.0 && stretch == 1.0 {
            return None;
        }
        let extent = ease(distance, reach, softness);
        // Factors of the chain as a whole, which its elastic part must provide.
        let cap = (stretch - 1.0) * elastic / reach;
        let growth = ease(distance / extent - 1.0, cap, softness);
        Some(Yield { extent, growth })
    }

    /// Without softness a lengthened chain is straight: the least bit more than its length leaves
    /// no doubt.
    fn excess(&self) -> f64 {
        if clamp01(self.softness) == 0.0 {
            BEYOND
        } else {
            1.0
        }
    }
}

/// The goal of a tip, or where the line of bones to the tip ends that is stretched out towards it.
pub(super) fn within_reach(tree: &Tree, tip: &Tip) -> DVec2 {
    let [reach, _] = tree.lengths_to(tip);
    let settled = tree.settled_of(tip);
    settled + (tip.goal - settled).clamp_length_max(BEYOND * reach)
}

/// Returns the factor by which the elastic part of a line must be lengthened for the whole to grow by `growth`.
fn factor_of(growth: f64, [reach, elastic]: [f64; 2]) -> f64 {
    if growth > 0.0 {
        1.0 + growth * reach / elastic
    } else {
        1.0
    }
}

/// `value`, kept below `cap`: gently from the part `1 − softness` of the cap on.
fn ease(value: f64, cap: f64, softness: f64) -> f64 {
    let start = cap * (1.0 - softness);
    let room = cap - start;
    if value <= start {
        value
    } else if room > 0.0 {
        start - room * libm::expm1(-(value - start) / room)
    } else {
        value.min(cap)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn easing_is_smooth_monotone_and_stays_below_the_cap() {
        for softness in [0.0, 0.05, 0.3, 1.0] {
            let step = 1e-3;
            let mut before = 0.0;
            let mut slope = 1.0;
            for index in 1..5_000 {
                let eased = ease(f64::from(index) * step, 1.0, softness);
                let next = (eased - before) / step;
                assert!((-1e-3..=1.0 + 1e-3).contains(&next) && eased <= 1.0);
                if softness > 0.0 {
                    assert!((next - slope).abs() < 1.5 * step / softness + 1e-3);
                }
                (before, slope) = (eased, next);
            }
        }
    }
}
