//! Paths: curves as Godot's `Path2D` and `Curve2D` have them.
//!
//! | file | what is in it |
//! |---|---|
//! | this one | curves, and how they are baked |
//! | [`place`] | places on a curve |
//! | [`exit`] | the place at which it leaves a circle |
//! | `tests` | its tests |
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

use glam::{Affine2, Vec2};
use serde::{Deserialize, Serialize};

use crate::math::cubic::Cubic;
use crate::math::number;
use crate::math::number::bits_apart;

mod exit;
pub(crate) mod place;
#[cfg(test)]
mod tests;

/// The number of times that the engine halves a segment at most.
const MOST_HALVINGS: u32 = 10;

/// Numbers that differ by less than this part are equal, as `is_equal_approx` has it.
const APPROXIMATELY: f32 = 1e-5;

/// A curve, and where it is.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Path {
    /// The curve, in its own space.
    pub curve: Curve,
    /// From the curve's own space to that of the bone, or skeleton space.
    #[serde(with = "number")]
    pub frame: Affine2,
    /// Index of the bone that carries the path; `None` for one that is fixed in skeleton space.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bone: Option<usize>,
}

/// A point of a curve.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CurvePoint {
    /// The position of the point.
    #[serde(with = "number")]
    pub position: Vec2,
    /// From the point to the handle of the segment that ends there.
    #[serde(
        default,
        rename = "in",
        skip_serializing_if = "number::is_usual",
        with = "number"
    )]
    pub incoming: Vec2,
    /// From the point to the handle of the segment that begins there.
    #[serde(
        default,
        rename = "out",
        skip_serializing_if = "number::is_usual",
        with = "number"
    )]
    pub outgoing: Vec2,
}

/// A curve with its baked lengths. See the module's page.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(from = "WrittenCurve")]
pub struct Curve {
    points: Vec<CurvePoint>,
    #[serde(with = "number")]
    bake_interval: f32,
    /// The baked points, and one behind the last segment.
    #[serde(skip)]
    knots: Vec<Knot>,
    #[serde(skip)]
    is_closed: bool,
}

/// A curve as it is read from JSON.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenCurve {
    points: Vec<CurvePoint>,
    #[serde(with = "number")]
    bake_interval: f32,
}

impl From<WrittenCurve> for Curve {
    fn from(written: WrittenCurve) -> Self {
        Self::new(written.points, written.bake_interval)
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

    /// Returns `true` if all numbers are finite.
    pub fn is_finite(&self) -> bool {
        let is_finite =
            |point: &CurvePoint| (point.position + point.incoming + point.outgoing).is_finite();
        self.points.iter().all(is_finite) && self.length().is_finite()
    }

    /// Returns `true` if the last point is the first, so that the curve goes on there.
    pub fn is_closed(&self) -> bool {
        self.is_closed
    }

    /// The baked length. 0 for fewer than two points, and for points that are all one.
    pub fn length(&self) -> f64 {
        self.knots.last().map_or(0.0, |knot| knot.length)
    }

    /// Returns the position of a follower with this progress, in the curve's own space. An open curve goes straight on
    /// at both ends. The origin for a curve without length.
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

    fn segments(&self) -> usize {
        self.points.len() - 1
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
}

fn is_same(a: &CurvePoint, b: &CurvePoint) -> bool {
    let pairs = [
        (a.position, b.position),
        (a.incoming, b.incoming),
        (a.outgoing, b.outgoing),
    ];
    pairs.map(|(a, b)| bits_apart(a.into(), b.into())) == [0; 3]
}

/// Returns `true` if two points are one, as the engine compares them.
fn are_equal(a: Vec2, b: Vec2) -> bool {
    let is_close = |a: f32, b: f32| (a - b).abs() < APPROXIMATELY * a.abs().max(1.0);
    is_close(a.x, b.x) && is_close(a.y, b.y)
}
