//! Which samples of a recorded motion an animation needs as keys.
//!
//! A pose recorded sixty times a second is mostly straight lines. Of the samples of one value over
//! time, those are kept between which straight lines pass every other sample within a tolerance.
//! From each key, the next one is the farthest sample that can be reached by such a line: every
//! sample on the way narrows the range of slopes that pass it closely enough (the *swinging door*
//! of process recorders, Bristol 1990). So one look at each sample is enough.
//!
//! Values may be points of any dimension; every component keeps to the tolerance.

use std::f64::consts::TAU;

/// Indices of the samples to keep, in order: the first, the last, and those between that are
/// needed. `values` belong to `times`, which increase; neither is empty or of another length
/// than the other. No component differs by more than `tolerance` from a straight line between
/// the keys around it, and by more than `span` between two keys, unless two samples in a row do.
///
/// ```
/// use tendon_solver::key_thinning::thin;
///
/// // Up and down again: the peak is all that is needed between the ends.
/// let times = [0.0, 0.1, 0.2, 0.3, 0.4];
/// let values = [[0.0], [1.0], [2.0], [1.0], [0.0]];
/// assert_eq!(thin(&times, &values, 0.01, 10.0), [0, 2, 4]);
/// ```
pub fn thin<const N: usize>(
    times: &[f64],
    values: &[[f64; N]],
    tolerance: f64,
    span: f64,
) -> Vec<usize> {
    let count = times.len().min(values.len());
    let mut keys = Vec::new();
    let mut key = 0;
    while key < count {
        keys.push(key);
        key = next_key(&times[..count], &values[..count], key, tolerance, span);
    }
    keys
}

/// The farthest sample that a straight line from the sample `key` may go to; the number of
/// samples if `key` is the last.
fn next_key<const N: usize>(
    times: &[f64],
    values: &[[f64; N]],
    key: usize,
    tolerance: f64,
    span: f64,
) -> usize {
    let mut slopes = [(f64::NEG_INFINITY, f64::INFINITY); N];
    let mut next = key + 1;
    for index in key + 1..times.len() {
        let time = times[index] - times[key];
        let mut fits = true;
        let mut any_left = true;
        for (component, (low, high)) in slopes.iter_mut().enumerate() {
            let rise = values[index][component] - values[key][component];
            let slope = rise / time;
            fits &= *low <= slope && slope <= *high && rise.abs() <= span;
            *low = low.max((rise - tolerance) / time);
            *high = high.min((rise + tolerance) / time);
            any_left &= *low <= *high;
        }
        if fits {
            next = index;
        }
        if !any_left {
            break;
        }
    }
    next
}

/// `angles` in radians, each wound by whole turns so that it is within half a turn of the one
/// before it, the first of `start`.
pub fn unwind(angles: &mut [f64], start: f64) {
    let mut before = start;
    for angle in angles {
        *angle += TAU * ((before - *angle) / TAU).round();
        before = *angle;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn line(from: (f64, f64), to: (f64, f64), time: f64) -> f64 {
        from.1 + (to.1 - from.1) * (time - from.0) / (to.0 - from.0)
    }

    /// The greatest distance between the samples and the lines between the keys.
    fn error(times: &[f64], values: &[[f64; 1]], keys: &[usize]) -> f64 {
        let pairs = keys.windows(2);
        let errors = pairs.flat_map(|pair| {
            let ends = [pair[0], pair[1]].map(|index| (times[index], values[index][0]));
            let between = pair[0]..=pair[1];
            between
                .map(move |index| (values[index][0] - line(ends[0], ends[1], times[index])).abs())
        });
        errors.fold(0.0, f64::max)
    }

    #[test]
    fn a_line_needs_its_ends() {
        let times: Vec<f64> = (0..100).map(f64::from).collect();
        let values: Vec<[f64; 2]> = times.iter().map(|time| [0.25 * time, -time]).collect();
        assert_eq!(thin(&times, &values, 1e-9, f64::INFINITY), [0, 99]);
    }

    #[test]
    fn a_corner_is_kept() {
        let times: Vec<f64> = (0..9).map(f64::from).collect();
        let values: Vec<[f64; 1]> = times.iter().map(|time| [(time - 4.0).abs()]).collect();
        assert_eq!(thin(&times, &values, 1e-9, f64::INFINITY), [0, 4, 8]);
    }

    #[test]
    fn keys_are_no_farther_apart_than_the_span() {
        let times: Vec<f64> = (0..101).map(f64::from).collect();
        let values: Vec<[f64; 1]> = times.iter().map(|&time| [time]).collect();
        let keys = thin(&times, &values, 1e-9, 30.0);
        assert_eq!(keys, [0, 30, 60, 90, 100]);
    }

    #[test]
    fn one_sample_and_none() {
        assert_eq!(thin(&[0.5], &[[2.0]], 0.1, 1.0), [0]);
        assert!(thin::<1>(&[], &[], 0.1, 1.0).is_empty());
    }

    #[test]
    fn unwound_angles_go_the_short_way() {
        let mut angles = [3.0, -3.0, -2.0, 2.0, 3.0 - 2.0 * TAU];
        unwind(&mut angles, 0.1);
        let steps = angles.windows(2).map(|pair| (pair[1] - pair[0]).abs());
        assert_eq!(angles[0], 3.0);
        assert!(steps.fold(0.0, f64::max) <= TAU / 2.0);
        let mut angles = [0.5 + 3.0 * TAU];
        unwind(&mut angles, 0.1);
        assert!((angles[0] - 0.5).abs() < 1e-12);
    }

    proptest! {
        #[test]
        fn every_sample_is_within_the_tolerance(
            steps in prop::collection::vec((0.001..1.0, -1.0..1.0), 1..200),
            tolerance in 0.0..1.0,
        ) {
            let mut now = (0.0, 0.0);
            let samples = steps.iter().map(|step| {
                now = (now.0 + step.0, now.1 + step.1);
                now
            });
            let (times, values): (Vec<f64>, Vec<[f64; 1]>) =
                samples.map(|sample| (sample.0, [sample.1])).unzip();
            let keys = thin(&times, &values, tolerance, f64::INFINITY);
            prop_assert_eq!(keys[0], 0);
            prop_assert_eq!(*keys.last().unwrap(), times.len() - 1);
            prop_assert!(error(&times, &values, &keys) <= tolerance + 1e-9);
        }
    }
}
