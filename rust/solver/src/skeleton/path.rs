//! Paths: curves as Godot's `Path2D` and `Curve2D` have them.
//!
//! A curve is a line of cubic Bézier segments between its points. It is closed if its last point is
//! its first.
//!
//! **Lengths along a curve are baked lengths**, as `PathFollow2D.progress` counts them: in the
//! curve's own units, before any transform of the `Path2D`, and along the chords between baked
//! points. The engine halves each segment until no chord is longer than `bake_interval`, ten times
//! at most. The same halving is done here, so that a place on the curve is a baked point exactly
//! where a `PathFollow2D` with the same progress is on it. Between two baked points the place is on
//! the curve itself, by the same part of the way.
//!
//! An open curve goes straight on at both ends, along its tangents.

use glam::{Affine2, DAffine2, DVec2, Vec2};
use serde::{Deserialize, Serialize};

use crate::math::cubic::Cubic;

/// How often the engine halves a segment at most.
const MOST_HALVINGS: u32 = 10;

/// Numbers that differ by less than this part are equal, as `is_equal_approx` has it.
const APPROXIMATELY: f32 = 1e-5;

/// Steps to the place at a given length.
const MOST_STEPS: u32 = 32;

/// A point of a curve.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CurvePoint {
    /// Where the point is.
    #[serde(with = "crate::math::number")]
    pub position: Vec2,
    /// From the point to the handle of the segment that ends there.
    #[serde(
        default,
        rename = "in",
        skip_serializing_if = "is_zero",
        with = "crate::math::number"
    )]
    pub incoming: Vec2,
    /// From the point to the handle of the segment that begins there.
    #[serde(
        default,
        rename = "out",
        skip_serializing_if = "is_zero",
        with = "crate::math::number"
    )]
    pub outgoing: Vec2,
}

fn is_zero(vector: &Vec2) -> bool {
    *vector == Vec2::ZERO
}

/// A curve with its baked lengths. See the module's page.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(from = "Written", into = "Written")]
pub struct Curve {
    points: Vec<CurvePoint>,
    bake_interval: f32,
    /// The baked points, and one behind the last segment.
    knots: Vec<Knot>,
    is_closed: bool,
}

/// A curve as JSON has it.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    points: Vec<CurvePoint>,
    #[serde(with = "crate::math::number")]
    bake_interval: f32,
}

impl From<Written> for Curve {
    fn from(written: Written) -> Self {
        Self::new(written.points, written.bake_interval)
    }
}

impl From<Curve> for Written {
    fn from(curve: Curve) -> Self {
        Self {
            points: curve.points,
            bake_interval: curve.bake_interval,
        }
    }
}

/// A baked point.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Knot {
    segment: usize,
    /// Parameter of the segment.
    at: f64,
    /// Baked length up to here.
    length: f64,
}

/// A place on a curve or on a straight continuation of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Place {
    pub(crate) segment: usize,
    /// Parameter of the segment.
    pub(crate) at: f64,
    /// How far it is off the curve, in the direction of the tangent there; negative: against it.
    pub(crate) beyond: f64,
}

impl Curve {
    /// The curve through `points`.
    pub fn new(points: Vec<CurvePoint>, bake_interval: f32) -> Self {
        let mut curve = Self {
            points,
            bake_interval,
            ..Self::default()
        };
        curve.bake();
        curve
    }

    /// Makes it another curve, in the same memory. Returns whether it is another.
    pub fn replace(
        &mut self,
        points: impl ExactSizeIterator<Item = CurvePoint> + Clone,
        bake_interval: f32,
    ) -> bool {
        let is_same = self.bake_interval.to_bits() == bake_interval.to_bits()
            && self.points.len() == points.len()
            && self
                .points
                .iter()
                .zip(points.clone())
                .all(|(own, other)| is_same(own, &other));
        if !is_same {
            self.points.clear();
            self.points.extend(points);
            self.bake_interval = bake_interval;
            self.bake();
        }
        !is_same
    }

    /// The points of the curve.
    pub fn points(&self) -> &[CurvePoint] {
        &self.points
    }

    /// Whether all numbers are finite.
    pub fn is_finite(&self) -> bool {
        let is_finite =
            |point: &CurvePoint| (point.position + point.incoming + point.outgoing).is_finite();
        self.points.iter().all(is_finite) && self.length().is_finite()
    }

    /// Whether the last point is the first, so that the curve goes on there.
    pub fn is_closed(&self) -> bool {
        self.is_closed
    }

    /// The baked length. 0 for fewer than two points, and for points that are all one.
    pub fn length(&self) -> f64 {
        self.knots.last().map_or(0.0, |knot| knot.length)
    }

    /// Where a follower with this progress is, in the curve's own space. An open curve goes straight
    /// on at both ends. The origin for a curve without length.
    pub fn position_at(&self, progress: f64) -> Vec2 {
        self.place_at(progress)
            .map_or(Vec2::ZERO, |place| self.point(place).as_vec2())
    }

    fn bake(&mut self) {
        self.knots.clear();
        let segments = self.points.len().saturating_sub(1);
        let mut length = 0.0;
        for segment in 0..segments {
            let cubic = self.segment(segment);
            self.bake_part(&cubic, segment, [0.0, 1.0], 0, &mut length);
        }
        self.knots.push(Knot {
            segment: segments,
            at: 0.0,
            length,
        });
        let ends = self.points.first().zip(self.points.last());
        self.is_closed = segments > 0
            && ends.is_some_and(|(first, last)| are_equal(first.position, last.position));
    }

    /// Adds the knots of a part of a segment, as `Curve2D` does.
    fn bake_part(
        &mut self,
        cubic: &Cubic,
        segment: usize,
        [from, to]: [f64; 2],
        halvings: u32,
        length: &mut f64,
    ) {
        let chord = cubic.point(from).distance(cubic.point(to));
        if chord > f64::from(self.bake_interval) && halvings < MOST_HALVINGS {
            let middle = 0.5 * (from + to);
            self.bake_part(cubic, segment, [from, middle], halvings + 1, length);
            self.bake_part(cubic, segment, [middle, to], halvings + 1, length);
        } else {
            self.knots.push(Knot {
                segment,
                at: from,
                length: *length,
            });
            *length += chord;
        }
    }

    /// The segment from point `index` to the next.
    fn segment(&self, index: usize) -> Cubic {
        let [from, to] = [self.points[index], self.points[index + 1]];
        let [a, d] = [from.position, to.position].map(Vec2::as_dvec2);
        Cubic([
            a,
            a + from.outgoing.as_dvec2(),
            d + to.incoming.as_dvec2(),
            d,
        ])
    }

    fn segments(&self) -> usize {
        self.points.len() - 1
    }

    /// Where a place is, in the curve's own space.
    pub(crate) fn point(&self, place: Place) -> DVec2 {
        let point = self.segment(place.segment).point(place.at);
        if place.beyond == 0.0 {
            point
        } else {
            point + place.beyond * self.tangent(place)
        }
    }

    /// The direction of the curve at a place: a unit vector.
    fn tangent(&self, place: Place) -> DVec2 {
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
    pub(crate) fn place_at(&self, progress: f64) -> Option<Place> {
        let total = self.length();
        if !(total > 0.0 && progress.is_finite()) {
            return None;
        }
        let last = self.segments() - 1;
        if self.is_closed {
            return Some(self.place_within(progress.rem_euclid(total)));
        }
        Some(if progress < 0.0 {
            Place {
                segment: 0,
                at: 0.0,
                beyond: progress,
            }
        } else if progress > total {
            Place {
                segment: last,
                at: 1.0,
                beyond: progress - total,
            }
        } else {
            self.place_within(progress)
        })
    }

    /// The place at a baked length from 0 to the whole.
    fn place_within(&self, length: f64) -> Place {
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
        Place {
            segment: from.segment,
            at: at_part(&cubic, [from.at, end], part),
            beyond: 0.0,
        }
    }

    /// The first place from `from` on that is outside of the circle of `radius` around the origin,
    /// where the curve is seen through `frame`. At `from` it is inside.
    pub(crate) fn first_exit(&self, from: Place, frame: DAffine2, radius: f64) -> Place {
        if from.beyond > 0.0 {
            return self.exit_along_tangent(from, frame, radius);
        }
        if from.beyond < 0.0 {
            let begin = Place {
                beyond: 0.0,
                ..from
            };
            let is_inside = |place| {
                let seen = frame.transform_point2(self.point(place));
                seen.length_squared() <= radius * radius
            };
            if !is_inside(begin) {
                return self.exit_along_tangent(from, frame, radius);
            }
        }
        let count = self.segments();
        let ahead = if self.is_closed {
            count
        } else {
            count - 1 - from.segment
        };
        for step in 0..=ahead {
            let segment = (from.segment + step) % count;
            let seen = self.segment(segment).seen_through(frame);
            let begin = if step == 0 { from.at } else { 0.0 };
            if let Some(at) = seen.first_exit(begin, radius) {
                return Place {
                    segment,
                    at,
                    beyond: 0.0,
                };
            }
        }
        // Straight on: past the end, or where a closed curve stays within the circle.
        let last = match self.is_closed {
            true => from,
            false => Place {
                segment: count - 1,
                at: 1.0,
                beyond: 0.0,
            },
        };
        self.exit_along_tangent(last, frame, radius)
    }

    /// Where the tangent at `from` leaves the circle.
    fn exit_along_tangent(&self, from: Place, frame: DAffine2, radius: f64) -> Place {
        let here = frame.transform_point2(self.point(from));
        let way = frame.matrix2 * self.tangent(from);
        let [along, square] = [here.dot(way), way.length_squared()];
        let inside = (radius * radius - here.length_squared()).max(0.0);
        let root = (along * along + square * inside).sqrt();
        let step = match along > 0.0 {
            true => inside / (along + root),
            false => (root - along) / square,
        };
        Place {
            beyond: from.beyond + step,
            ..from
        }
    }

    /// How far it is from a place on to another one, counted in segments; what is off the curve
    /// counts as a part of the whole. For comparisons: it is not proportional to lengths.
    pub(crate) fn steps_between(&self, from: Place, to: Place) -> f64 {
        let steps = self.steps_to(to) - self.steps_to(from);
        if self.is_closed && steps < 0.0 {
            steps + self.segments() as f64
        } else {
            steps
        }
    }

    /// How far it is from one progress to another, along the curve: of a closed one, the shorter
    /// way round.
    pub(crate) fn way_between(&self, from: f32, to: f32) -> f64 {
        let way = (f64::from(to) - f64::from(from)).abs();
        if self.is_closed {
            let rest = way.rem_euclid(self.length());
            rest.min(self.length() - rest)
        } else {
            way
        }
    }

    /// Whether a place that was once on the curve still is.
    pub(crate) fn contains(&self, place: Place) -> bool {
        place.segment < self.segments()
    }

    /// The same from a place to the end of the curve: of a closed one, once round.
    pub(crate) fn steps_to_end(&self, from: Place) -> f64 {
        let all = self.segments() as f64;
        if self.is_closed {
            all
        } else {
            all - self.steps_to(from)
        }
    }

    fn steps_to(&self, place: Place) -> f64 {
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

fn is_same(a: &CurvePoint, b: &CurvePoint) -> bool {
    let numbers = |point: &CurvePoint| {
        let CurvePoint {
            position,
            incoming,
            outgoing,
        } = *point;
        [
            position.x, position.y, incoming.x, incoming.y, outgoing.x, outgoing.y,
        ]
    };
    crate::math::number::bits_apart(numbers(a), numbers(b)) == 0
}

/// Whether two points are one, as the engine compares them.
fn are_equal(a: Vec2, b: Vec2) -> bool {
    let is_close = |a: f32, b: f32| (a - b).abs() < APPROXIMATELY * a.abs().max(1.0);
    is_close(a.x, b.x) && is_close(a.y, b.y)
}

/// A curve, and where it is.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Path {
    /// The curve, in its own space.
    pub curve: Curve,
    /// From the curve's own space to that of the bone, or skeleton space.
    #[serde(with = "crate::math::number")]
    pub frame: Affine2,
    /// Index of the bone that carries the path; `None` for one that is fixed in skeleton space.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bone: Option<usize>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(x: f32, y: f32) -> CurvePoint {
        CurvePoint {
            position: Vec2::new(x, y),
            ..CurvePoint::default()
        }
    }

    fn bent() -> CurvePoint {
        CurvePoint {
            incoming: Vec2::new(-40.0, 10.0),
            outgoing: Vec2::new(40.0, -10.0),
            ..point(100.0, 80.0)
        }
    }

    #[test]
    fn progress_is_a_length_along_a_straight_line() {
        let line = Curve::new(vec![point(10.0, 0.0), point(110.0, 0.0)], 5.0);
        assert_eq!(line.length(), 100.0);
        for progress in [-30.0, 0.0, 0.3, 50.0, 99.9, 100.0, 250.0] {
            let found = line.position_at(progress);
            assert!(found.distance(Vec2::new(10.0 + progress as f32, 0.0)) < 1e-4);
        }
    }

    /// Handles that are not spread evenly: the parameter runs at different speeds.
    #[test]
    fn progress_is_even_however_the_parameter_runs() {
        let mut first = point(0.0, 0.0);
        first.outgoing = Vec2::new(90.0, 0.0);
        let line = Curve::new(vec![first, point(100.0, 0.0)], 5.0);
        for progress in 0..=100 {
            let found = line.position_at(f64::from(progress));
            assert!((found.x - progress as f32).abs() < 0.02, "{found}");
        }
    }

    #[test]
    fn places_are_the_lengths_of_baked_chords_apart() {
        let curve = Curve::new(vec![point(0.0, 0.0), bent(), point(200.0, 0.0)], 5.0);
        for pair in curve.knots.windows(2) {
            let [from, to] = [pair[0].length, pair[1].length];
            let chord = curve.position_at(from).distance(curve.position_at(to));
            assert!((f64::from(chord) - (to - from)).abs() < 1e-4);
            assert!(to - from <= 5.0);
        }
    }

    #[test]
    fn a_closed_curve_wraps() {
        let curve = vec![point(0.0, 0.0), bent(), point(200.0, 0.0), point(0.0, 0.0)];
        let curve = Curve::new(curve, 5.0);
        assert!(curve.is_closed());
        for progress in [1.0, 77.0, 300.0] {
            let places = [-1.0, 0.0, 1.0, 5.0].map(|rounds| {
                let progress = progress + rounds * curve.length();
                curve.position_at(progress)
            });
            assert!(places.iter().all(|place| place.distance(places[0]) < 1e-4));
        }
    }

    #[test]
    fn curves_without_length_have_no_places() {
        let teardrop = CurvePoint {
            incoming: Vec2::new(-50.0, 50.0),
            outgoing: Vec2::new(50.0, 50.0),
            ..point(3.0, 4.0)
        };
        for points in [
            vec![],
            vec![point(3.0, 4.0)],
            vec![point(3.0, 4.0); 3],
            // The engine bakes nothing of it either.
            vec![teardrop; 2],
        ] {
            let curve = Curve::new(points, 5.0);
            assert_eq!(curve.length(), 0.0);
            assert_eq!(curve.place_at(0.0), None);
        }
    }

    #[test]
    fn replacing_tells_whether_anything_is_new() {
        let points = [point(0.0, 0.0), bent()];
        let mut curve = Curve::default();
        assert!(curve.replace(points.into_iter(), 5.0));
        assert!(!curve.replace(points.into_iter(), 5.0));
        assert!(curve.replace(points.into_iter(), 6.0));
        assert!(curve.replace([points[1], points[0]].into_iter(), 6.0));
        let fresh = Curve::new(vec![points[1], points[0]], 6.0);
        assert_eq!(curve, fresh);
    }

    #[test]
    fn a_curve_comes_back_from_its_text() {
        let curve = Curve::new(vec![point(0.1, f32::NAN), bent()], 5.0);
        let text = serde_json::to_string(&curve).expect("it can be written");
        let read: Curve = serde_json::from_str(&text).expect("and read");
        assert_eq!(serde_json::to_string(&read).expect("again"), text);
        assert!(!read.is_finite());
    }
}
