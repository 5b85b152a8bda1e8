//! What surrounds the opaque pixels of a picture.

use glam::DVec2;

use super::alpha::Alpha;
use super::boundary::{self, Walk};
use super::cells::Cells;
use super::field::Field;
use super::hull::Hull;
use super::{DEVIATION, LARGEST_MARGIN, PictureFault, margin as widening};

/// The part of the deviation that the first of two rounds does not use: with it, the second one removes short edges
/// that the first could not, where it came to the limit.
const SPARED: f64 = 0.4;

/// The part of a margin that an outline may be further away than it.
const PART_OF_MARGIN: f64 = 0.125;

/// Rings around the parts of a picture, and around its holes.
///
/// Rings around parts turn from the X axis to the Y axis, rings around holes the other way. No ring
/// touches another one or itself.
#[derive(Clone, Debug, PartialEq)]
pub struct Outline {
    /// The corners of each ring, in pixels.
    pub rings: Vec<Vec<DVec2>>,
}

impl Outline {
    /// The outline of a picture that is at least `margin` pixels from each opaque pixel, and at most
    /// [`DEVIATION`] pixels more, or an eighth of the margin, in as few edges as can be. In large drawings both are
    /// larger, by less than a fortieth of the width of a square of the same area.
    ///
    /// It does not leave the picture, so that nothing beside it in an atlas is shown. The margin is
    /// rounded to half pixels. It is smaller where the margins of two parts would meet.
    pub fn new(alpha: &Alpha, margin: f64) -> Result<Self, PictureFault> {
        Self::loose(alpha, margin, 1.0)
    }

    /// The same with a deviation that is `slack` times as large.
    pub(crate) fn loose(alpha: &Alpha, margin: f64, slack: f64) -> Result<Self, PictureFault> {
        if !(0.0..=LARGEST_MARGIN).contains(&margin) {
            return Err(PictureFault::Margin);
        }
        let least = if margin > 0.25 { 0.5 } else { 0.0 };
        let margin = ((alpha.in_squares(margin) * 2.0).round() / 2.0).max(least);
        let deviation = alpha.in_squares(alpha.slack * slack).max(DEVIATION);
        let deviation = deviation.max(margin * PART_OF_MARGIN);
        let limit = margin + deviation;
        let cells = |length: f64| (length * 2.0).round() as isize;
        let [wide, room] = widening::widened(
            &Cells::new(alpha, deviation),
            cells(margin),
            cells(limit) - cells(margin),
        );
        let rings: Vec<_> = boundary::walks(&wide).iter().map(Walk::ring).collect();
        let picture = Field::new(&Cells::opaque(alpha));
        let rings = Hull::new(&picture, &room, &rings, limit - SPARED * deviation).simplified();
        let rings = Hull::new(&picture, &room, &rings, limit).simplified();
        let in_pixels = |ring: Vec<DVec2>| {
            let mut ring: Vec<DVec2> = ring.into_iter().map(|it| alpha.in_pixels(it)).collect();
            // Of squares that go beyond the picture.
            ring.dedup();
            ring
        };
        Ok(Self {
            rings: rings.into_iter().map(in_pixels).collect(),
        })
    }

    /// The edges of all rings.
    pub fn edges(&self) -> impl Iterator<Item = [DVec2; 2]> + '_ {
        self.rings.iter().flat_map(|ring| {
            let after = ring.iter().cycle().skip(1);
            ring.iter().zip(after).map(|(&from, &to)| [from, to])
        })
    }

    /// Returns `true` if a point is inside: in a part, and not in a hole.
    pub fn contains(&self, point: DVec2) -> bool {
        is_within(self.edges(), point)
    }

    /// The area inside, in square pixels.
    pub fn area(&self) -> f64 {
        self.edges()
            .map(|[from, to]| from.perp_dot(to))
            .sum::<f64>()
            / 2.0
    }
}

/// Returns `true` if a point is within the edges of rings, by the even-odd rule.
pub(crate) fn is_within(edges: impl Iterator<Item = [DVec2; 2]>, point: DVec2) -> bool {
    let crossed = edges.filter(|[from, to]| {
        let is_level = (from.y > point.y) != (to.y > point.y);
        is_level && point.x < from.x + (point.y - from.y) / (to.y - from.y) * (to.x - from.x)
    });
    crossed.count() % 2 == 1
}
