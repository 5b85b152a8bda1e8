//! The opaque pixels of a picture, and a margin around them, as cells of half a pixel.
//!
//! Parts that are apart stay apart, and holes stay open: where two margins meet, a gap of one cell
//! is left. No two cells touch at a corner alone, so that every ring around cells is a simple one.

use glam::DVec2;

use super::alpha::Alpha;
use super::{boundary, gaps};

/// A hole of at most this many cells is filled: none of its points is further from a pixel than the
/// outline may be.
const SMALLEST_HOLE: usize = 16;

/// The eight neighbours of a cell, around it.
const AROUND: [(isize, isize); 8] = [
    (1, 0),
    (1, 1),
    (0, 1),
    (-1, 1),
    (-1, 0),
    (-1, -1),
    (0, -1),
    (1, -1),
];

#[derive(Clone)]
pub(super) struct Cells {
    pub(super) width: usize,
    pub(super) height: usize,
    solid: Vec<bool>,
}

impl Cells {
    /// The cells of the opaque pixels.
    pub(super) fn new(alpha: &Alpha) -> Self {
        let (width, height) = (alpha.width() * 2, alpha.height() * 2);
        let opaque = |cell: usize| alpha.is_opaque(cell % width / 2, cell / width / 2);
        let solid = (0..width * height).map(opaque).collect();
        let mut cells = Self {
            width,
            height,
            solid,
        };
        cells.join_corners();
        cells.fill_small_holes();
        cells
    }

    /// These cells and those that are nearer than each of the `margins`, in pixels, but not in the middle of a gap.
    pub(super) fn widened<const COUNT: usize>(&self, margins: [f64; COUNT]) -> [Self; COUNT] {
        let reaches = margins.map(|margin| (margin * 2.0).round() as isize);
        let furthest = reaches.into_iter().max().unwrap_or(0);
        let middles = gaps::middles(
            &boundary::walks(self),
            self.width,
            self.height,
            furthest + 2,
        );
        let candidates = self.candidates(furthest, &middles);
        reaches.map(|reach| {
            let mut widened = self.clone();
            widened.fill(
                candidates
                    .iter()
                    .filter(|&&(square, _)| square < reach.pow(2))
                    .map(|&(_, cell)| cell)
                    .collect(),
            );
            widened
        })
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

    fn index(&self, x: isize, y: isize) -> Option<usize> {
        let (x, y) = (usize::try_from(x).ok()?, usize::try_from(y).ok()?);
        (x < self.width && y < self.height).then(|| y * self.width + x)
    }

    fn place(&self, cell: usize) -> (isize, isize) {
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
    fn fill_small_holes(&mut self) {
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
            if is_closed && hole.len() <= SMALLEST_HOLE {
                hole.iter().for_each(|&cell| self.solid[cell] = true);
            }
        }
    }

    /// Fills these cells in their order, but those that would join something.
    fn fill(&mut self, mut candidates: Vec<usize>) {
        loop {
            let before = candidates.len();
            candidates.retain(|&cell| {
                let can_be_filled = self.keeps_topology(cell);
                if can_be_filled {
                    self.solid[cell] = true;
                }
                !can_be_filled
            });
            if candidates.len() == before {
                return;
            }
        }
    }

    /// The empty cells that are nearer than `margin` cells, the nearest first, with the squares of their distances.
    fn candidates(&self, margin: isize, middles: &[bool]) -> Vec<(isize, usize)> {
        const FAR: isize = isize::MAX;
        let gap = |offset: isize| (offset.abs() - 1).max(0);
        let mut nearest = vec![FAR; if margin > 0 { self.solid.len() } else { 0 }];
        for cell in (0..nearest.len()).filter(|&cell| self.solid[cell]) {
            let (x, y) = self.place(cell);
            if AROUND
                .iter()
                .all(|&(right, down)| self.is_solid(x + right, y + down))
            {
                continue;
            }
            for down in -margin..=margin {
                for right in -margin..=margin {
                    let square = gap(right).pow(2) + gap(down).pow(2);
                    if let Some(other) = self.index(x + right, y + down)
                        && square < margin.pow(2)
                        && !self.solid[other]
                        && !middles[other]
                    {
                        nearest[other] = nearest[other].min(square);
                    }
                }
            }
        }
        let found = nearest
            .into_iter()
            .enumerate()
            .filter(|&(_, square)| square != FAR);
        let mut candidates: Vec<_> = found.map(|(cell, square)| (square, cell)).collect();
        candidates.sort_unstable();
        candidates
    }

    /// Whether no parts are joined, no hole is closed and no corner is touched if an empty cell
    /// becomes solid.
    fn keeps_topology(&self, cell: usize) -> bool {
        let (x, y) = self.place(cell);
        let around = AROUND.map(|(right, down)| self.is_solid(x + right, y + down));
        let begins = (0..8)
            .filter(|&at| around[at] && !around[(at + 7) % 8])
            .count();
        let touches_a_corner = (1..8)
            .step_by(2)
            .any(|at| around[at] && !around[at - 1] && !around[(at + 1) % 8]);
        let is_open = (0..8).step_by(2).any(|at| !around[at]);
        begins == 1 && !touches_a_corner && is_open
    }
}
