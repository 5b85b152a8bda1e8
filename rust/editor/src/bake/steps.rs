//! The times at which the motion is sampled.

use crate::refusal::Refusal;

/// In more steps than that, each of which is kept in memory, no animation is played: an hour at 60 a second has fewer.
const MOST: f64 = 250_000.0;

/// Seconds, within the range to bake and outside of it.
pub(super) struct SampleTimes {
    pub(super) before: Vec<f64>,
    pub(super) during: Vec<f64>,
    pub(super) after: Vec<f64>,
}

impl SampleTimes {
    /// `rate` steps a second, for the range `from` to `to` of an animation of `length` seconds.
    ///
    /// # Errors
    /// There would be too many.
    pub(super) fn new(from: f64, to: f64, rate: f64, length: f64) -> Result<Self, Refusal> {
        if length * rate > MOST {
            return Err(format!(
                "The animation would be played in more than {MOST} steps. Choose a lower rate, or shorten it."
            ).into());
        }
        Ok(Self {
            before: times(0.0, from, rate).filter(|&time| time < from).collect(),
            during: times(from, to, rate).collect(),
            after: times(to, length, rate).skip(1).collect(),
        })
    }

    /// Seconds from the step before `index` to that one.
    pub(super) fn since(&self, index: usize) -> f64 {
        let before = index.checked_sub(1).map(|before| self.during[before]);
        before.map_or(0.0, |before| self.during[index] - before)
    }
}

/// The times from `from` to `to`, both included, `rate` in a second.
fn times(from: f64, to: f64, rate: f64) -> impl Iterator<Item = f64> {
    // Rounding must not add a step at the end.
    let count = ((to - from) * rate - 1e-6).ceil().max(0.0) as u64;
    let steps = (0..count).map(move |step| from + step as f64 / rate);
    steps.chain(std::iter::once(to))
}

#[cfg(test)]
mod tests {
    use super::{MOST, SampleTimes};

    #[test]
    fn an_animation_of_more_steps_than_can_be_kept_is_refused() {
        let steps = SampleTimes::new(0.0, 1.0, 10.0, 2.0).expect("few");
        assert_eq!((steps.during.len(), steps.after.len()), (11, 10));
        assert!(SampleTimes::new(0.0, 1.0, MOST, 2.0).is_err());
        assert!(SampleTimes::new(0.0, 1e30, 60.0, 1e30).is_err());
    }
}
