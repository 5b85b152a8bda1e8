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

/// Those that share a side with it.
pub(super) const BESIDE: [(isize, isize); 4] = [(1, 0), (0, 1), (-1, 0), (0, -1)];

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
        let opaque = |cell: usize| alpha.opaque[cell / width / 2 * columns + cell % width / 2];
        let solid = (0..width * height).map(opaque).collect();
        Self {
            width,
            height,
            solid,
        }
    }

    /// Returns `true` if a point, in pixels, is in a solid cell.
    pub(super) fn contains(&self, point: DVec2) -> bool {
        self.is_solid(
            (point.x * 2.0).floor() as isize,
            (point.y * 2.0).floor() as isize,
        )
    }

    /// Returns `true` if a cell is solid. Outside the picture none is.
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
        let size = [self.width, self.height];
        let is_at_border = |&cell: &usize| {
            let [x, y] = [cell % self.width, cell / self.width];
            x == 0 || y == 0 || x + 1 == self.width || y + 1 == self.height
        };
        let holes = regions(size, |cell| !self.solid[cell], &BESIDE);
        let small = holes
            .into_iter()
            .filter(|hole| hole.len() <= smallest && !hole.iter().any(is_at_border));
        for cell in small.collect::<Vec<_>>().into_iter().flatten() {
            self.solid[cell] = true;
        }
    }
}

/// The cells or pixels of a grid that hang together, of those for which `is_in` is true.
pub(super) fn regions(
    size: [usize; 2],
    is_in: impl Fn(usize) -> bool,
    around: &[(isize, isize)],
) -> Vec<Vec<usize>> {
    let mut is_left: Vec<bool> = (0..size[0] * size[1]).map(is_in).collect();
    let mut regions = Vec::new();
    for start in 0..is_left.len() {
        if !std::mem::take(&mut is_left[start]) {
            continue;
        }
        let mut region = vec![start];
        let mut next = 0;
        while next < region.len() {
            for &way in around {
                if let Some(cell) = beside(size, region[next], way)
                    && std::mem::take(&mut is_left[cell])
                {
                    region.push(cell);
                }
            }
            next += 1;
        }
        regions.push(region);
    }
    regions
}

/// The cell or pixel of a grid that is so many columns and rows further.
pub(super) fn beside(
    [width, height]: [usize; 2],
    cell: usize,
    (right, down): (isize, isize),
) -> Option<usize> {
    let x = (cell % width).checked_add_signed(right)?;
    let y = (cell / width).checked_add_signed(down)?;
    (x < width && y < height).then(|| y * width + x)
}
