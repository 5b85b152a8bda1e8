//! The opaque pixels of a picture, as cells of half a pixel.
//!
//! No two cells touch at a corner alone, so that every ring around cells is a simple one.

use glam::DVec2;

use super::alpha::Alpha;

/// The eight neighbours of a cell or pixel, around it.
pub(super) const AROUND: [(isize, isize); 8] = [
    (1, 0),
    (1, 1),
    (0, 1),
    (-1, 1),
    (-1, 0),
    (-1, -1),
    (0, -1),
    (1, -1),
];

/// A hole of at most this many cells is filled where the outline may be a pixel away: none of its points is further from a pixel
/// than that.
const SMALLEST_HOLE: f64 = 16.0;

#[derive(Clone)]
pub(super) struct Cells {
    pub(super) width: usize,
    pub(super) height: usize,
    pub(super) solid: Vec<bool>,
}

impl Cells {
    /// The cells of the opaque pixels, in simple rings, and without holes in which all is nearer than `deviation` pixels.
    pub(super) fn new(alpha: &Alpha, deviation: f64) -> Self {
        let mut cells = Self::opaque(alpha);
        cells.join_corners();
        cells.fill_small_holes((SMALLEST_HOLE * deviation * deviation) as usize);
        cells
    }

    /// The cells of the opaque pixels alone.
    pub(super) fn opaque(alpha: &Alpha) -> Self {
        let [columns, rows] = alpha.size();
        let (width, height) = (columns * 2, rows * 2);
        let opaque = |cell: usize| alpha.has(cell / width / 2 * columns + cell % width / 2);
        let solid = (0..width * height).map(opaque).collect();
        Self {
            width,
            height,
            solid,
        }
    }

    /// Whether a point is in a solid cell.
    pub(super) fn contains(&self, point: DVec2) -> bool {
        self.is_solid(
            (point.x * 2.0).floor() as isize,
            (point.y * 2.0).floor() as isize,
        )
    }

    /// Whether a cell is solid. Outside the picture none is.
    pub(super) fn is_solid(&self, x: isize, y: isize) -> bool {
        self.index(x, y).is_some_and(|cell| self.solid[cell])
    }

    pub(super) fn index(&self, x: isize, y: isize) -> Option<usize> {
        let (x, y) = (usize::try_from(x).ok()?, usize::try_from(y).ok()?);
        (x < self.width && y < self.height).then(|| y * self.width + x)
    }

    /// The column and the row of a cell.
    pub(super) fn place(&self, cell: usize) -> (isize, isize) {
        ((cell % self.width) as isize, (cell / self.width) as isize)
    }

    /// Fills a cell beside each corner at which two solid cells meet alone.
    fn join_corners(&mut self) {
        let mut again = true;
        while again {
            again = false;
            for y in 1..self.height {
                for x in 1..self.width {
                    let [above, below] = [(y - 1) * self.width + x, y * self.width + x];
                    let square = [above - 1, above, below - 1, below].map(|cell| self.solid[cell]);
                    if square == [true, false, false, true] {
                        self.solid[above] = true;
                        again = true;
                    } else if square == [false, true, true, false] {
                        self.solid[above - 1] = true;
                        again = true;
                    }
                }
            }
        }
    }

    /// Fills the holes that an outline does not have to keep.
    fn fill_small_holes(&mut self, smallest: usize) {
        let mut seen = self.solid.clone();
        let mut hole = Vec::new();
        for start in 0..seen.len() {
            if seen[start] {
                continue;
            }
            hole.clear();
            hole.push(start);
            seen[start] = true;
            let mut is_closed = true;
            let mut next = 0;
            while next < hole.len() {
                let (x, y) = self.place(hole[next]);
                next += 1;
                for (right, down) in [(1, 0), (0, 1), (-1, 0), (0, -1)] {
                    match self.index(x + right, y + down) {
                        None => is_closed = false,
                        Some(cell) if !seen[cell] => {
                            seen[cell] = true;
                            hole.push(cell);
                        }
                        Some(_) => {}
                    }
                }
            }
            if is_closed && hole.len() <= smallest {
                hole.iter().for_each(|&cell| self.solid[cell] = true);
            }
        }
    }
}
