//! How opaque the pixels of a picture are.

use glam::DVec2;

use super::{DEVIATION, PictureFault};

/// The most pixels of a side that are looked at one by one.
const MOST: usize = 2048;

/// The slack of an outline beyond its margin: this part of the side of a square of the drawing's area, which is
/// shortened by these pixels first. Less than `DEVIATION` is not seen.
const SLACK: (f64, f64) = (1.0 / 80.0, 80.0);

/// The pixels around a drawing that belong to it: the largest margin, and more.
const AROUND: usize = 80;

/// The alpha of a picture, row by row, and what counts as opaque.
///
/// In large drawings, the most opaque pixel of a square stands for all of it.
#[derive(Clone, Debug)]
pub struct Alpha {
    width: usize,
    height: usize,
    /// The side of a square, in pixels.
    side: usize,
    /// The corner of the squares that are looked at, in pixels.
    corner: [usize; 2],
    /// The number of squares in a row, and of rows.
    columns: usize,
    rows: usize,
    /// The largest distance of the outline from the drawing beyond its margin, in pixels.
    pub(super) slack: f64,
    /// `true` for each square that is opaque.
    pub(super) opaque: Vec<bool>,
    /// Lines along which a mesh is cut, in pixels.
    pub(crate) seams: Vec<Vec<DVec2>>,
}

impl Alpha {
    /// A picture of which each pixel with an alpha of more than `threshold` counts as opaque.
    pub fn new(
        width: usize,
        height: usize,
        alpha: &[u8],
        threshold: u8,
    ) -> Result<Self, PictureFault> {
        let (mut picture, squares) = Self::squares(width, height, alpha, threshold)?;
        picture.opaque = squares.iter().map(|&value| value > threshold).collect();
        Ok(picture)
    }

    /// A picture in squares, without what is opaque, and the largest alpha in each of them. What has an alpha
    /// of more than `threshold` is the drawing.
    pub(super) fn squares(
        width: usize,
        height: usize,
        alpha: &[u8],
        threshold: u8,
    ) -> Result<(Self, Vec<u8>), PictureFault> {
        if width.checked_mul(height) != Some(alpha.len()) {
            let count = alpha.len();
            return Err(PictureFault::Size {
                width,
                height,
                count,
            });
        }
        let lines = || alpha.chunks(width.max(1)).enumerate();
        let is_drawn = |value: &&u8| **value > threshold;
        let (mut low, mut high, mut area) = ([usize::MAX; 2], [0; 2], 0);
        for (y, line) in lines() {
            let Some(first) = line.iter().position(|value| is_drawn(&value)) else {
                continue;
            };
            let last = line.iter().rposition(|value| is_drawn(&value));
            area += line.iter().filter(is_drawn).count();
            low = [low[0].min(first), low[1].min(y)];
            high = [high[0].max(last.unwrap_or(first)), y];
        }
        if area == 0 {
            return Err(PictureFault::Empty);
        }
        let slack = (((area as f64).sqrt() - SLACK.1) * SLACK.0).max(DEVIATION);
        let largest = (high[0] - low[0]).max(high[1] - low[1]) + 1;
        let side = ((slack / 2.0) as usize).max(largest.div_ceil(MOST)).max(1);
        let around = AROUND + 4 * side;
        let corner = low.map(|it| it.saturating_sub(around) / side * side);
        let count = |axis: usize, size: usize| {
            (high[axis] + around).min(size - 1) / side - corner[axis] / side + 1
        };
        let (columns, rows) = (count(0, width), count(1, height));
        let mut squares = vec![0; columns * rows];
        for (y, line) in lines().skip(corner[1]).take(rows * side) {
            let row = (y - corner[1]) / side * columns;
            let within = line[corner[0]..].chunks(side).take(columns);
            for (square, pixels) in squares[row..row + columns].iter_mut().zip(within) {
                *square = pixels.iter().copied().fold(*square, u8::max);
            }
        }
        let picture = Self {
            width,
            height,
            side,
            corner,
            columns,
            rows,
            slack,
            opaque: Vec::new(),
            seams: Vec::new(),
        };
        Ok((picture, squares))
    }

    pub(super) fn with_opaque(mut self, opaque: Vec<bool>) -> Self {
        self.opaque = opaque;
        self
    }

    /// Returns the number of columns and of rows of squares.
    pub(super) fn size(&self) -> [usize; 2] {
        [self.columns, self.rows]
    }

    /// A length in squares.
    pub(super) fn in_squares(&self, length: f64) -> f64 {
        length / self.side as f64
    }

    /// A place in squares as one in pixels.
    pub(super) fn in_pixels(&self, place: DVec2) -> DVec2 {
        let extent = DVec2::new(self.width as f64, self.height as f64);
        (place * self.side as f64 + self.origin()).min(extent)
    }

    fn origin(&self) -> DVec2 {
        DVec2::from(self.corner.map(|it| it as f64))
    }
}
