//! What an angle constraint of the engine's modifications allows, as a joint limit.
//!
//! `SkeletonModification2D.clamp_angle` brings the angle and both bounds between 0 and a whole
//! turn, by adding one to what is negative, and swaps the bounds if the least is greater. So −45°
//! to 45° allows 45° to 315°, unless it is inverted. The angles of a joint limit are
//! relative to the rest pose and are used as they are. This module finds the ones that describe the
//! same arc.

use std::f64::consts::{PI, TAU};

/// An arc: from the first angle, in radians, up to the second.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Arc {
    pub(super) from: f64,
    pub(super) to: f64,
}

impl Arc {
    /// From one angle to another, the lesser one first.
    pub(super) fn between(one: f64, other: f64) -> Self {
        Self {
            from: one.min(other),
            to: one.max(other),
        }
    }

    /// The angles that a constraint allows.
    pub(super) fn allowed(min: f64, max: f64, inverted: bool) -> Self {
        let bound = |angle: f64| {
            let angle = if angle < 0.0 { angle + TAU } else { angle };
            angle.clamp(0.0, TAU)
        };
        let (min, max) = (bound(min), bound(max));
        let (low, high) = (min.min(max), min.max(max));
        match inverted {
            false => Self {
                from: low,
                to: high,
            },
            true => Self {
                from: high,
                to: low + TAU,
            },
        }
    }

    /// Returns `true` if every angle is on it.
    pub(super) fn is_whole(self) -> bool {
        self.to - self.from > TAU - 1e-6
    }

    /// The same arc, counted from `rest`: its middle is within half a turn of it.
    pub(super) fn around(self, rest: f64) -> Self {
        let middle = 0.5 * (self.from + self.to) - rest;
        let half = 0.5 * (self.to - self.from);
        let middle = middle - TAU * (middle / TAU).round();
        Self {
            from: middle - half,
            to: middle + half,
        }
    }

    /// The arc after each direction was mapped by `turned`, which reverses the sense of rotation if
    /// `mirrored`.
    pub(super) fn mapped(self, turned: impl Fn(f64) -> f64, mirrored: bool) -> Self {
        let (first, second) = match mirrored {
            false => (self.from, self.to),
            true => (self.to, self.from),
        };
        // From the middle: an arc of more than half a turn remains one.
        let from = turned(first);
        let middle = from + ahead(turned(0.5 * (first + second)) - from);
        Self {
            from,
            to: middle + ahead(turned(second) - middle),
        }
    }
}

/// `angle` between 0 and a whole turn; rounding below 0 is 0.
fn ahead(angle: f64) -> f64 {
    let angle = angle.rem_euclid(TAU);
    if angle > TAU - 1e-6 { 0.0 } else { angle }
}

/// Half a turn either way from the rest.
pub(super) const WHOLE: Arc = Arc { from: -PI, to: PI };

#[cfg(test)]
mod tests {
    use super::*;

    fn degrees(arc: Arc) -> (f64, f64) {
        let round = |angle: f64| (angle.to_degrees() * 1e6).round() / 1e6;
        (round(arc.from), round(arc.to))
    }

    fn allowed(min: f64, max: f64, inverted: bool) -> Arc {
        Arc::allowed(min.to_radians(), max.to_radians(), inverted)
    }

    #[test]
    fn positive_bounds_mean_what_they_say() {
        assert_eq!(degrees(allowed(10.0, 80.0, false)), (10.0, 80.0));
    }

    #[test]
    fn bounds_around_zero_allow_the_rest_of_the_circle() {
        assert_eq!(degrees(allowed(-45.0, 45.0, false)), (45.0, 315.0));
        let inverted = allowed(-45.0, 45.0, true).around(0.0);
        assert_eq!(degrees(inverted), (-45.0, 45.0));
    }

    #[test]
    fn the_default_is_the_whole_circle() {
        assert!(Arc::allowed(0.0, TAU, false).is_whole());
        assert!(!Arc::allowed(0.0, TAU, true).is_whole());
    }

    #[test]
    fn counted_from_the_rest_it_is_the_same_arc() {
        let arc = allowed(350.0, 300.0, false).around(340_f64.to_radians());
        assert_eq!(degrees(arc), (-40.0, 10.0));
        let arc = allowed(10.0, 80.0, false).around(-1.0);
        let width = arc.to - arc.from;
        assert!((width.to_degrees() - 70.0).abs() < 1e-9 && arc.from > 0.0);
    }

    #[test]
    fn a_mirror_turns_it_round() {
        let arc = allowed(10.0, 80.0, false).mapped(|angle| -angle, true);
        assert_eq!(degrees(arc), (-80.0, -10.0));
        let wide = allowed(20.0, 320.0, false).mapped(|angle| angle + 1.0, false);
        assert!((wide.to - wide.from - 300_f64.to_radians()).abs() < 1e-9);
    }
}
