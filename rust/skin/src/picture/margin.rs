//! A margin around the opaque pixels.
//!
//! Parts that are apart stay apart, holes stay open, and so do gaps: their middle is not filled.

use super::cells::{AROUND, Cells};
use super::{boundary, gaps};

/// The cells and those that are nearer than each of the margins, in pixels.
pub(super) fn widened<const COUNT: usize>(cells: &Cells, margins: [f64; COUNT]) -> [Cells; COUNT] {
    let reaches = margins.map(|margin| (margin * 2.0).round() as isize);
    let furthest = reaches.into_iter().max().unwrap_or(0);
    let walks = boundary::walks(cells);
    let middles = gaps::middles(&walks, cells.width, cells.height, furthest + 2);
    let candidates = candidates(cells, furthest, &middles);
    reaches.map(|reach| {
        let near = candidates
            .iter()
            .filter(|&&(square, _)| square < reach.pow(2));
        let mut widened = cells.clone();
        fill(&mut widened, near.map(|&(_, cell)| cell).collect());
        widened
    })
}

/// Fills these cells in their order, but those that would join something.
fn fill(cells: &mut Cells, mut candidates: Vec<usize>) {
    loop {
        let before = candidates.len();
        candidates.retain(|&cell| {
            let can_be_filled = keeps_topology(cells, cell);
            if can_be_filled {
                cells.solid[cell] = true;
            }
            !can_be_filled
        });
        if candidates.len() == before {
            return;
        }
    }
}

/// The empty cells that are nearer than `margin` cells, the nearest first, with the squares of their distances.
fn candidates(cells: &Cells, margin: isize, middles: &[bool]) -> Vec<(isize, usize)> {
    const FAR: isize = isize::MAX;
    let gap = |offset: isize| (offset.abs() - 1).max(0);
    let mut nearest = vec![FAR; if margin > 0 { cells.solid.len() } else { 0 }];
    for cell in (0..nearest.len()).filter(|&cell| cells.solid[cell]) {
        let (x, y) = cells.place(cell);
        if AROUND
            .iter()
            .all(|&(right, down)| cells.is_solid(x + right, y + down))
        {
            continue;
        }
        for down in -margin..=margin {
            for right in -margin..=margin {
                let square = gap(right).pow(2) + gap(down).pow(2);
                if let Some(other) = cells.index(x + right, y + down)
                    && square < margin.pow(2)
                    && !cells.solid[other]
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

/// Whether no parts are joined, no hole is closed and no corner is touched if an empty cell becomes
/// solid.
fn keeps_topology(cells: &Cells, cell: usize) -> bool {
    let (x, y) = cells.place(cell);
    let around = AROUND.map(|(right, down)| cells.is_solid(x + right, y + down));
    let begins = (0..8)
        .filter(|&at| around[at] && !around[(at + 7) % 8])
        .count();
    let touches_a_corner = (1..8)
        .step_by(2)
        .any(|at| around[at] && !around[at - 1] && !around[(at + 1) % 8]);
    let is_open = (0..8).step_by(2).any(|at| !around[at]);
    begins == 1 && !touches_a_corner && is_open
}
