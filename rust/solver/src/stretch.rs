//! Soft reach and stretch: how a chain comes to its full length, and beyond.
//!
//! A limb that follows a target out of reach snaps straight: near full reach its joints turn
//! as fast as a square root begins. **Softness** eases that. From a part of the reach on, the
//! chain is stretched out ever more slowly and never quite:
//!
//! ```text
//! eased(d) = a + (r − a) (1 − exp(−(d − a) / (r − a))),   a = r (1 − softness),   d > a
//! ```
//!
//! which leaves `d` with the same slope and never exceeds the reach `r`. **Stretch** lengthens
//! the segments by one common factor, so that the tip arrives after all, up to a cap. Together,
//! the chain is only ever as straight as softness lets it be and stretch makes up for the rest;
//! the cap itself is approached as softly. Either way the distance of the tip from the root
//! grows smoothly, and never shrinks, as the target moves away.
//!
//! Only segments that end at a bone can be lengthened, by moving that bone: all but the last,
//! and the last too where the tip is a bone. The others keep their length, and those that can
//! make up for them.
//!
//! Distances are those of chain space. The reach is exact in a [rigid](Chain::is_rigid) chain
//! and an estimate in others. Joint limits are not part of it: a chain that they keep from its
//! full reach does not stretch before the target is beyond that.
//!
//! Source: the exponential is that of *soft IK*, A. Nicholas, *The Soft IK Solver* (2009).

use glam::Vec2;

use crate::chain::{Chain, Unsolvable};

/// A target that is farther by this factor than a chain is long is out of its reach, whatever
/// the rounding.
const BEYOND: f32 = 1.0 + 1e-5;

/// How a chain behaves at full reach.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Elasticity {
    /// The part of the reach over which the chain eases, 0 to 1.
    pub(crate) softness: f32,
    /// The greatest factor by which segments are lengthened; 1 and less is off.
    pub(crate) stretch: f32,
    /// How many segments, from the root on, can be lengthened.
    pub(crate) elastic: usize,
}

impl Elasticity {
    /// Lengthens `chain` as far as it must to reach for `target`, and says where it shall reach
    /// instead, in chain space, and by what factor its elastic segments are longer.
    ///
    /// # Errors
    /// [`Unsolvable`] when the lengthened chain is.
    pub(crate) fn shape(&self, chain: &mut Chain, target: Vec2) -> Result<(Vec2, f32), Unsolvable> {
        let softness = share(self.softness);
        let reach = chain.reach();
        let elastic: f32 = chain.lengths.iter().take(self.elastic).sum();
        let stretch = if elastic > 0.0 {
            self.stretch.max(1.0)
        } else {
            1.0
        };
        let distance = target.length();
        let is_near = distance <= reach * (1.0 - softness);
        // Without softness the solvers straighten the chain themselves.
        if is_near || softness == 0.0 && stretch == 1.0 {
            return Ok((target, 1.0));
        }
        let extent = ease(distance, reach, softness);
        // Factors of the chain as a whole, which its elastic part must provide.
        let cap = (stretch - 1.0) * elastic / reach;
        let growth = ease(distance / extent - 1.0, cap, softness);
        let factor = 1.0 + growth * reach / elastic;
        if growth > 0.0 {
            chain.lengthen(self.elastic, factor);
            chain.prepare()?;
        } else if softness == 0.0 {
            return Ok((target, 1.0));
        }
        // Without softness the chain is straight: a hair more than its length leaves no doubt.
        let excess = if softness == 0.0 { BEYOND } else { 1.0 };
        let eased = target * (excess * extent * (1.0 + growth) / distance);
        Ok((eased, if growth > 0.0 { factor } else { 1.0 }))
    }
}

/// `value`, kept below `cap`: gently from the part `1 − softness` of the cap on.
fn ease(value: f32, cap: f32, softness: f32) -> f32 {
    let start = cap * (1.0 - softness);
    let room = cap - start;
    if value <= start {
        value
    } else if room > 0.0 {
        start - room * (-(value - start) / room).exp_m1()
    } else {
        value.min(cap)
    }
}

/// A share between 0 and 1, whatever was asked for.
pub(crate) fn share(wish: f32) -> f32 {
    // NaN fails the comparison.
    if wish > 0.0 { wish.min(1.0) } else { 0.0 }
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
                let eased = ease(index as f32 * step, 1.0, softness);
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
