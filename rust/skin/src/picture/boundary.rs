//! The rings of steps around solid cells.

use glam::DVec2;

use super::cells::Cells;

/// The directions of an edge: the solid cell is on the same side of each.
const DIRECTIONS: [(isize, isize); 4] = [(1, 0), (0, 1), (-1, 0), (0, -1)];
const NONE: u8 = 4;

/// A ring of steps, each as long as a cell.
pub(super) struct Walk {
    /// The corners at which the steps begin, in cells.
    pub(super) corners: Vec<(isize, isize)>,
}

impl Walk {
    /// The corners at which the ring turns, in pixels.
    pub(super) fn ring(&self) -> Vec<DVec2> {
        let count = self.corners.len();
        let turns = (0..count).filter(|&at| {
            let (before, here, after) = (
                self.corners[(at + count - 1) % count],
                self.corners[at],
                self.corners[(at + 1) % count],
            );
            (here.0 - before.0, here.1 - before.1) != (after.0 - here.0, after.1 - here.1)
        });
        let place =
            |at: usize| DVec2::new(self.corners[at].0 as f64, self.corners[at].1 as f64) / 2.0;
        turns.map(place).collect()
    }
}

/// The rings around the cells. Rings around parts turn from X to Y, rings around holes the other way.
pub(super) fn walks(cells: &Cells) -> Vec<Walk> {
    let columns = cells.width + 1;
    let mut leaving = edges(cells);
    let mut walks = Vec::new();
    for start in 0..leaving.len() {
        let mut corners = Vec::new();
        let mut corner = start;
        while leaving[corner] != NONE {
            let direction = std::mem::replace(&mut leaving[corner], NONE);
            corners.push(((corner % columns) as isize, (corner / columns) as isize));
            let (right, down) = DIRECTIONS[usize::from(direction)];
            corner = corner.wrapping_add_signed(right + down * columns as isize);
        }
        if !corners.is_empty() {
            walks.push(Walk { corners });
        }
    }
    walks
}

/// For each corner of the grid, the direction of the edge that leaves it.
fn edges(cells: &Cells) -> Vec<u8> {
    let columns = cells.width + 1;
    let mut leaving = vec![NONE; columns * (cells.height + 1)];
    for y in 0..cells.height as isize {
        for x in (0..cells.width as isize).filter(|&x| cells.is_solid(x, y)) {
            // Above, right, below and left of the cell, each from the corner at which the edge begins.
            let sides = [
                ((0, -1), (0, 0)),
                ((1, 0), (1, 0)),
                ((0, 1), (1, 1)),
                ((-1, 0), (0, 1)),
            ];
            for (direction, ((right, down), (corner_x, corner_y))) in (0..).zip(sides) {
                if !cells.is_solid(x + right, y + down) {
                    leaving[(y + corner_y) as usize * columns + (x + corner_x) as usize] =
                        direction;
                }
            }
        }
    }
    leaving
}
