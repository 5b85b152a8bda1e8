//! The rings of steps around solid cells.

use glam::DVec2;

use super::cells::Cells;

/// The directions of an edge: the solid cell is on the same side of each.
const DIRECTIONS: [(isize, isize); 4] = [(1, 0), (0, 1), (-1, 0), (0, -1)];
const NONE: u8 = 4;

/// The corners of the rings around the cells, in pixels. Rings around parts turn from X to Y, rings
/// around holes the other way.
pub(super) fn rings(cells: &Cells) -> Vec<Vec<DVec2>> {
    let columns = cells.width + 1;
    let mut leaving = edges(cells);
    let mut rings = Vec::new();
    for start in 0..leaving.len() {
        let mut ring = Vec::new();
        let (mut corner, mut last) = (start, NONE);
        while leaving[corner] != NONE {
            let direction = std::mem::replace(&mut leaving[corner], NONE);
            if direction != last {
                ring.push(DVec2::new((corner % columns) as f64, (corner / columns) as f64) / 2.0);
            }
            last = direction;
            let (right, down) = DIRECTIONS[usize::from(direction)];
            corner = corner.wrapping_add_signed(right + down * columns as isize);
        }
        if !ring.is_empty() {
            rings.push(ring);
        }
    }
    rings
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
