//! Angles in radians, by the shorter way.

use std::f32;
use std::f64;

/// The difference `to - from` of two angles in radians, by the shorter way: `-π..=π`, and never -0.
pub fn shortest_way(from: f32, to: f32) -> f32 {
    let difference = to - from;
    if -f32::consts::PI < difference && difference <= f32::consts::PI {
        return difference + 0.0;
    }
    let difference = difference.rem_euclid(f32::consts::TAU);
    if difference > f32::consts::PI {
        difference - f32::consts::TAU
    } else {
        difference
    }
}

/// `angle` in radians without its whole turns: `-π..=π`, and never -0.
pub(crate) fn wrapped(angle: f64) -> f64 {
    if -f64::consts::PI < angle && angle <= f64::consts::PI {
        return angle + 0.0;
    }
    let rest = angle.rem_euclid(f64::consts::TAU);
    if rest > f64::consts::PI {
        rest - f64::consts::TAU
    } else {
        rest
    }
}

/// `angle` with the whole turns that bring it within half a turn of `near`.
pub(crate) fn wound_like(near: f64, angle: f64) -> f64 {
    angle + f64::consts::TAU * ((near - angle) / f64::consts::TAU).round()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f32::consts::TAU;

    #[test]
    fn the_shorter_way_crosses_the_seam() {
        assert!((shortest_way(3.0, -3.0) - (TAU - 6.0)).abs() < 1e-6);
        assert!((shortest_way(-3.0, 3.0) + (TAU - 6.0)).abs() < 1e-6);
        assert!(shortest_way(7.5, 7.5 - TAU).abs() < 1e-6);
        assert!((wrapped(4.0) - (4.0 - f64::consts::TAU)).abs() < 1e-12);
        assert!((wrapped(-4.0) - (f64::consts::TAU - 4.0)).abs() < 1e-12);
    }
}
