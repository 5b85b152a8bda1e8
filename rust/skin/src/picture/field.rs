//! For each cell the nearest one of some cells, in a time that does not depend on how far that is (Meijster, Roerdink, Hesselink, *A
//! General Algorithm for Computing Distance Transforms in Linear Time*, 2000).

use glam::DVec2;

use super::cells::Cells;

const NONE: u32 = u32::MAX;

pub(super) struct Field {
    width: usize,
    height: usize,
    /// The index of the nearest cell.
    nearest: Vec<u32>,
}

impl Field {
    /// Of those of the cells that are solid.
    pub(super) fn new(cells: &Cells) -> Self {
        let (width, height) = (cells.width, cells.height);
        let mut nearest = rows(cells);
        let mut row = vec![NONE; width];
        let mut found: Vec<ColumnReach> = Vec::new();
        for y in 0..height {
            let line = &mut nearest[y * width..(y + 1) * width];
            row.copy_from_slice(line);
            found.clear();
            for (x, &of_column) in row.iter().enumerate().filter(|it| *it.1 != NONE) {
                let high = i64::from(of_column) - y as i64;
                add(&mut found, width as i64, x as i64, high * high);
            }
            let mut at = 0;
            for (x, slot) in line.iter_mut().enumerate() {
                while at + 1 < found.len() && found[at + 1].begin <= x as i64 {
                    at += 1;
                }
                if let Some(reach) = found.get(at) {
                    let column = reach.column as usize;
                    *slot = row[column] * width as u32 + column as u32;
                }
            }
        }
        Self {
            width,
            height,
            nearest,
        }
    }

    /// The nearest cell.
    pub(super) fn nearest(&self, cell: usize) -> Option<usize> {
        let nearest = self.nearest[cell];
        (nearest != NONE).then_some(nearest as usize)
    }

    /// Returns the number of columns and rows from the nearest cell to this one.
    pub(super) fn way(&self, cell: usize) -> Option<(isize, isize)> {
        let nearest = self.nearest(cell)?;
        let apart = |from: usize, to: usize| to as isize - from as isize;
        Some((
            apart(nearest % self.width, cell % self.width),
            apart(nearest / self.width, cell / self.width),
        ))
    }

    /// The square of how many cells are between a cell and the nearest one.
    pub(super) fn between(&self, cell: usize) -> Option<isize> {
        let gap = |offset: isize| (offset.abs() - 1).max(0);
        let (right, down) = self.way(cell)?;
        Some(gap(right).pow(2) + gap(down).pow(2))
    }

    /// Returns `true` if one of the cells, of half a pixel, is within `distance` of a point, in pixels. Looks at those
    /// that are nearest to the cells around it.
    pub(super) fn is_near(&self, point: DVec2, distance: f64) -> bool {
        let index = |value: f64, count: usize| (value.max(0.0) as usize).min(count - 1);
        [(-0.5, -0.5), (0.5, -0.5), (-0.5, 0.5), (0.5, 0.5)]
            .into_iter()
            .any(|(right, down)| {
                let column = index(point.x * 2.0 + right, self.width);
                let row = index(point.y * 2.0 + down, self.height);
                self.nearest(row * self.width + column).is_some_and(|cell| {
                    let low =
                        DVec2::new((cell % self.width) as f64, (cell / self.width) as f64) / 2.0;
                    let nearest = point.clamp(low, low + 0.5);
                    nearest.distance_squared(point) <= distance * distance
                })
            })
    }
}

/// The columns of a row to which the cell of one column is the nearest.
struct ColumnReach {
    column: i64,
    /// The square of how far the cell is above or below.
    square: i64,
    begin: i64,
}

/// Adds the cell of a column to those to the left of it.
fn add(found: &mut Vec<ColumnReach>, width: i64, column: i64, square: i64) {
    loop {
        let Some(last) = found.last() else {
            found.push(ColumnReach {
                column,
                square,
                begin: 0,
            });
            return;
        };
        let ahead = column.pow(2) + square - last.column.pow(2) - last.square;
        let begin = ahead.div_euclid(2 * (column - last.column)) + 1;
        if begin > last.begin {
            if begin < width {
                found.push(ColumnReach {
                    column,
                    square,
                    begin,
                });
            }
            return;
        }
        found.pop();
    }
}

/// For each cell the row of the nearest solid cell in its column.
fn rows(cells: &Cells) -> Vec<u32> {
    let width = cells.width;
    let mut rows = vec![NONE; cells.solid.len()];
    for cell in 0..rows.len() {
        if cells.solid[cell] {
            rows[cell] = (cell / width) as u32;
        } else if cell >= width {
            rows[cell] = rows[cell - width];
        }
    }
    for cell in (0..rows.len().saturating_sub(width)).rev() {
        let (own, below) = (rows[cell], rows[cell + width]);
        let row = (cell / width) as u32;
        if below != NONE && (own == NONE || below.abs_diff(row) < own.abs_diff(row)) {
            rows[cell] = below;
        }
    }
    rows
}
