//! Places on a curve: where they are, and how far one is from another.

use glam::DVec2;

use crate::math::cubic::Cubic;
use crate::skeleton::path::Curve;

/// Steps to the place at a given length.
const MOST_STEPS: u32 = 32;

/// A place on a curve or on a straight continuation of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct CurvePlace {
    pub(crate) segment: usize,
    /// Parameter of the segment.
    pub(crate) at: f64,
    /// The distance from the end of the curve, in the direction of the tangent there; negative: against it.
    pub(crate) beyond: f64,
}

impl CurvePlace {
    /// A place on the curve.
    pub(super) fn new(segment: usize, at: f64) -> Self {
        Self {
            segment,
            at,
            beyond: 0.0,
        }
    }

    /// The end of the curve, for a place that is off it.
    pub(crate) fn on_curve(self) -> Self {
        Self::new(self.segment, self.at)
    }
}

impl Curve {
    /// Returns the position of a place, in the curve's own space.
    pub(crate) fn point(&self, place: CurvePlace) -> DVec2 {
        let point = self.segment(place.segment).point(place.at);
        if place.beyond == 0.0 {
            point
        } else {
            point + place.beyond * self.tangent(place)
        }
    }

    /// The direction of the curve at a place: a unit vector.
    pub(super) fn tangent(&self, place: CurvePlace) -> DVec2 {
        // Segments without length have no direction: that of the next which has.
        let count = self.segments();
        let order = (0..count).map(|step| match place.at < 0.5 {
            true => (place.segment + step) % count,
            false => (place.segment + count - step) % count,
        });
        let tangents = order.map(|segment| self.segment(segment).tangent(place.at));
        let tangent = { tangents }.find(|tangent| *tangent != DVec2::ZERO);
        tangent.unwrap_or(DVec2::X).normalize_or(DVec2::X)
    }

    /// The place of a follower with this progress. `None` if the curve has no length.
    pub(crate) fn place_at(&self, progress: f64) -> Option<CurvePlace> {
        let total = self.length();
        if !(total > 0.0 && progress.is_finite()) {
            return None;
        }
        let last = self.segments() - 1;
        if self.is_closed {
            return Some(self.place_within(progress.rem_euclid(total)));
        }
        Some(if progress < 0.0 {
            CurvePlace {
                beyond: progress,
                ..CurvePlace::new(0, 0.0)
            }
        } else if progress > total {
            CurvePlace {
                beyond: progress - total,
                ..CurvePlace::new(last, 1.0)
            }
        } else {
            self.place_within(progress)
        })
    }

    /// The place at a baked length from 0 to the whole.
    fn place_within(&self, length: f64) -> CurvePlace {
        let after = self.knots.partition_point(|knot| knot.length <= length);
        let after = after.clamp(1, self.knots.len() - 1);
        let [from, to] = [self.knots[after - 1], self.knots[after]];
        let end = if to.segment == from.segment {
            to.at
        } else {
            1.0
        };
        let cubic = self.segment(from.segment);
        let part = ((length - from.length) / (to.length - from.length)).clamp(0.0, 1.0);
        CurvePlace::new(from.segment, at_part(&cubic, [from.at, end], part))
    }

    /// Returns the distance from a place on to another one, counted in segments. Straight continuations count as parts
    /// of the whole curve. For comparisons: it is not proportional to lengths.
    pub(crate) fn steps_between(&self, from: CurvePlace, to: CurvePlace) -> f64 {
        let steps = self.steps_to(to) - self.steps_to(from);
        if self.is_closed && steps < 0.0 {
            steps + self.segments() as f64
        } else {
            steps
        }
    }

    /// Returns the distance from one progress to another, along the curve: of a closed one, the shorter way round.
    pub(crate) fn way_between(&self, from: f32, to: f32) -> f64 {
        let way = (f64::from(to) - f64::from(from)).abs();
        if self.is_closed {
            let rest = way.rem_euclid(self.length());
            rest.min(self.length() - rest)
        } else {
            way
        }
    }

    /// Returns `true` if a place that was once on the curve still is.
    pub(crate) fn contains(&self, place: CurvePlace) -> bool {
        place.segment < self.segments()
    }

    /// The same from a place to the end of the curve: of a closed one, once round.
    pub(crate) fn steps_to_end(&self, from: CurvePlace) -> f64 {
        let all = self.segments() as f64;
        if self.is_closed {
            all
        } else {
            all - self.steps_to(from)
        }
    }

    fn steps_to(&self, place: CurvePlace) -> f64 {
        let off = place.beyond / self.length() * self.segments() as f64;
        place.segment as f64 + place.at + off
    }
}

/// The parameter at a part of the length between two parameters.
fn at_part(cubic: &Cubic, [from, to]: [f64; 2], part: f64) -> f64 {
    let wanted = part * cubic.length(from, to);
    let (mut low, mut high) = (from, to);
    let mut at = from + part * (to - from);
    for _ in 0..MOST_STEPS {
        let off = cubic.length(from, at) - wanted;
        if off > 0.0 {
            high = at;
        } else {
            low = at;
        }
        let newton = at - off / cubic.velocity(at).length();
        let next = if newton >= low && newton <= high {
            newton
        } else {
            0.5 * (low + high)
        };
        if (next - at).abs() <= f64::EPSILON {
            break;
        }
        at = next;
    }
    at
}
