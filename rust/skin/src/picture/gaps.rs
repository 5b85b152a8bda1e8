//! Which empty cells are in the middle of a gap between two parts, as between an arm and the hip beside it.
//!
//! A cell is in the middle where the nearest step of the boundary changes to one that is far along
//! the boundary, as in skeletons of shapes (Telea, van Wijk, *An Augmented Fast Marching Method for
//! Computing Skeletons and Centerlines*, 2002). Notches and corners are no gaps: their sides are near
//! to each other along the boundary.

use super::boundary::Walk;
use crate::giving_up::check;

/// How far two sides of a gap are apart along the boundary, in steps of half a pixel.
const FAR: usize = 16;

/// The nearest step of the boundary: its ring, and its place in the ring.
#[derive(Clone, Copy)]
struct Step {
    /// The square of its distance, in quarters of a cell.
    square: isize,
    ring: usize,
    at: usize,
}

/// For each cell whether it is in the middle of a gap, up to `reach` cells away from the boundary.
pub(super) fn middles(walks: &[Walk], width: usize, height: usize, reach: isize) -> Vec<bool> {
    let nearest = nearest_steps(walks, width, height, reach);
    let mut middles = vec![false; nearest.len()];
    for cell in 0..nearest.len() {
        let Some(step) = nearest[cell] else { continue };
        let right = (cell % width + 1 < width).then_some(cell + 1);
        let below = (cell + width < nearest.len()).then_some(cell + width);
        for other in [right, below].into_iter().flatten() {
            if let Some(beside) = nearest[other]
                && are_far(walks, step, beside)
            {
                // The further one is in the middle, or both are.
                middles[cell] |= step.square >= beside.square;
                middles[other] |= beside.square >= step.square;
            }
        }
    }
    middles
}

fn are_far(walks: &[Walk], first: Step, second: Step) -> bool {
    let along = first.at.abs_diff(second.at);
    first.ring != second.ring || along.min(walks[first.ring].corners.len() - along) > FAR
}

fn nearest_steps(walks: &[Walk], width: usize, height: usize, reach: isize) -> Vec<Option<Step>> {
    let mut nearest: Vec<Option<Step>> = vec![None; width * height];
    for (ring, walk) in walks.iter().enumerate() {
        check();
        for at in 0..walk.corners.len() {
            // In half cells, so that the middle of a step and that of a cell are whole numbers.
            let (x, y) = walk.middle(at);
            for row in (y / 2 - reach).max(0)..(y / 2 + reach).min(height as isize) {
                for column in (x / 2 - reach).max(0)..(x / 2 + reach).min(width as isize) {
                    let square = (2 * column + 1 - x).pow(2) + (2 * row + 1 - y).pow(2);
                    let slot = &mut nearest[row as usize * width + column as usize];
                    if slot.is_none_or(|step| square < step.square) {
                        *slot = Some(Step { square, ring, at });
                    }
                }
            }
        }
    }
    nearest
}
