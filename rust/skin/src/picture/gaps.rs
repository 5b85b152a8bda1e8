//! Which empty cells are in the middle of a gap between two parts, as between an arm and the hip beside it.
//!
//! A cell is in the middle where the nearest step of the boundary changes to one that is far along
//! the boundary, as in skeletons of shapes (Telea, van Wijk, *An Augmented Fast Marching Method for
//! Computing Skeletons and Centerlines*, 2002). Notches, bays and corners are no gaps: their sides are near
//! to each other along the boundary.

use super::boundary::{self, Walk};
use super::cells::Cells;
use super::field::Field;
use crate::giving_up::check;

/// The distance along the boundary between two sides of a gap, in steps of half a pixel: twice the reach, within these
/// limits. A wide margin fills notches.
const FAR: [isize; 2] = [16, 80];

/// The same in distances of the middle from them: a gap is at least as deep as it is wide.
const DEEP: isize = 4;

/// The nearest step of the boundary: its ring, and its place in the ring.
#[derive(Clone, Copy)]
struct NearStep {
    /// The square of its distance, in cells.
    square: isize,
    ring: u32,
    at: u32,
}

/// For each cell whether it is in the middle of a gap, up to `reach` cells away from the boundary. `field` is that of the `cells`.
pub(super) fn middles(cells: &Cells, field: &Field, walks: &[Walk], reach: isize) -> Vec<bool> {
    let mut middles = vec![false; cells.solid.len()];
    let steps = NearSteps::new(cells, field, walks, (2 * reach).clamp(FAR[0], FAR[1]));
    steps.meet(reach, |[cell, other], [step, beside]| {
        // The further one is in the middle, or both are.
        middles[cell] |= step.square >= beside.square;
        middles[other] |= beside.square >= step.square;
    });
    middles
}

/// The edges between cells that are nearest to different sides of a gap, up to `reach` cells away from the boundary. Their ends are
/// corners of cells.
pub(super) fn seams(cells: &Cells, reach: isize) -> Vec<[(isize, isize); 2]> {
    let (field, walks) = (Field::new(cells), boundary::walks(cells));
    let mut edges = Vec::new();
    NearSteps::new(cells, &field, &walks, FAR[0]).meet(reach, |[cell, other], _| {
        let (x, y) = cells.place(cell);
        let is_upper = other + cells.width == cell;
        edges.push([(x, y), if is_upper { (x + 1, y) } else { (x, y + 1) }]);
    });
    edges
}

struct NearSteps<'a> {
    cells: &'a Cells,
    field: &'a Field,
    walks: &'a [Walk],
    far: isize,
    /// For each corner of the grid the ring, and the place in it, of the step that begins there.
    beginning: Vec<[u32; 2]>,
}

impl<'a> NearSteps<'a> {
    fn new(cells: &'a Cells, field: &'a Field, walks: &'a [Walk], far: isize) -> Self {
        let columns = cells.width + 1;
        let mut beginning = vec![[u32::MAX; 2]; columns * (cells.height + 1)];
        for (ring, walk) in (0..).zip(walks) {
            for (at, &(x, y)) in (0..).zip(&walk.corners) {
                beginning[y as usize * columns + x as usize] = [ring, at];
            }
        }
        Self {
            cells,
            field,
            walks,
            far,
            beginning,
        }
    }

    /// Visits all cells with one beside or above them where the nearest step of one is far from that of the other.
    fn meet(&self, reach: isize, mut visit: impl FnMut([usize; 2], [NearStep; 2])) {
        let width = self.cells.width;
        let mut above: Vec<Option<NearStep>> = vec![None; width];
        for cell in 0..self.cells.solid.len() {
            if cell % width == 0 {
                check();
            }
            let step = self
                .nearest(cell)
                .filter(|step| step.square <= reach * reach);
            let left = (cell % width > 0).then(|| (cell - 1, above[cell % width - 1]));
            let upper = (cell >= width).then(|| (cell - width, above[cell % width]));
            if let Some(step) = step {
                for (other, beside) in [left, upper].into_iter().flatten() {
                    if let Some(beside) = beside.filter(|beside| self.are_far(step, *beside)) {
                        visit([cell, other], [step, beside]);
                    }
                }
            }
            above[cell % width] = step;
        }
    }

    /// The step that is nearest to an empty cell.
    fn nearest(&self, cell: usize) -> Option<NearStep> {
        let (right, down) = self.field.way(cell)?;
        if (right, down) == (0, 0) {
            return None;
        }
        let (x, y) = self.cells.place(self.field.nearest(cell)?);
        // The side that faces the cell. Beside it there is no solid cell, or that would be nearer.
        let corner = match right.abs() >= down.abs() {
            true if right > 0 => (x + 1, y),
            true => (x, y + 1),
            false if down > 0 => (x + 1, y + 1),
            false => (x, y),
        };
        let [ring, at] =
            self.beginning[corner.1 as usize * (self.cells.width + 1) + corner.0 as usize];
        (ring != u32::MAX).then_some(NearStep {
            square: right * right + down * down,
            ring,
            at,
        })
    }

    fn are_far(&self, first: NearStep, second: NearStep) -> bool {
        if first.ring != second.ring {
            return true;
        }
        let count = self.walks[first.ring as usize].corners.len() as isize;
        let along = first.at.abs_diff(second.at) as isize;
        let along = along.min(count - along);
        along > self.far && along * along > DEEP * DEEP * first.square.min(second.square)
    }
}
