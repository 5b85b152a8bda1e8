//! Which edges are near a place: a grid of squares that know the edges in them.

use glam::DVec2;
use smallvec::SmallVec;

/// The side of a square, in pixels.
const SIDE: f64 = 8.0;

pub(super) struct EdgeGrid {
    columns: usize,
    rows: usize,
    squares: Vec<SmallVec<[u32; 6]>>,
}

impl EdgeGrid {
    pub(super) fn new(extent: DVec2) -> Self {
        let [columns, rows] = [extent.x, extent.y].map(|length| (length / SIDE) as usize + 1);
        Self {
            columns,
            rows,
            squares: vec![SmallVec::new(); columns * rows],
        }
    }

    pub(super) fn insert(&mut self, edge: u32, ends: [DVec2; 2]) {
        for square in self.squares_around(ends, 0.0) {
            self.squares[square].push(edge);
        }
    }

    pub(super) fn remove(&mut self, edge: u32, ends: [DVec2; 2]) {
        for square in self.squares_around(ends, 0.0) {
            self.squares[square].retain(|other| *other != edge);
        }
    }

    /// The edges in the squares around these points. Some come more than once.
    pub(super) fn near(&self, points: [DVec2; 3], margin: f64) -> impl Iterator<Item = u32> + '_ {
        let low = points[0].min(points[1]).min(points[2]);
        let high = points[0].max(points[1]).max(points[2]);
        self.squares_around([low, high], margin)
            .flat_map(|square| self.squares[square].iter().copied())
    }

    fn squares_around(
        &self,
        [a, b]: [DVec2; 2],
        margin: f64,
    ) -> impl Iterator<Item = usize> + use<> {
        let range = |from: f64, to: f64, count: usize| {
            let at = |value: f64| ((value / SIDE).max(0.0) as usize).min(count - 1);
            at(from.min(to) - margin)..=at(from.max(to) + margin)
        };
        let columns = self.columns;
        let (across, down) = (range(a.x, b.x, columns), range(a.y, b.y, self.rows));
        down.flat_map(move |row| across.clone().map(move |column| row * columns + column))
    }
}
