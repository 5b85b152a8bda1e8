//! A margin around the opaque pixels.
//!
//! Parts that are apart stay apart, holes stay open, and so do gaps: their middle is not filled, and where the margins of two parts
//! would meet, some room is left on both sides of it. Without that, the outline would follow each step of the middle.

use super::cells::{AROUND, Cells};
use super::field::Field;
use super::{boundary, gaps};

/// The cells with a margin around them, and the room for its outline: what is nearer than `slack` further. All in cells.
pub(super) fn widened(cells: &Cells, margin: isize, slack: isize) -> [Cells; 2] {
    let field = Field::new(cells);
    let walks = boundary::walks(cells);
    let middles = gaps::middles(cells, &field, &walks, margin + slack + 2);
    let to_middle = Field::new(&Cells {
        width: cells.width,
        height: cells.height,
        solid: middles,
    });
    [(margin, slack), (margin + slack, 0)].map(|(reach, spared)| {
        let is_spared = |cell: usize, between: isize| {
            let apart = to_middle
                .way(cell)
                .map(|(right, down)| right.pow(2) + down.pow(2));
            // What a linear filter needs is not spared.
            let spared = if between > 0 { spared } else { 0 };
            apart.is_some_and(|apart| apart <= spared * spared)
        };
        let candidate = |cell: usize| {
            let between = field.between(cell).filter(|&it| it < reach * reach)?;
            let is_free = !cells.solid[cell] && !is_spared(cell, between);
            is_free.then_some((between, cell))
        };
        let mut candidates: Vec<_> = (0..cells.solid.len()).filter_map(candidate).collect();
        candidates.sort_unstable();
        let mut widened = cells.clone();
        fill(
            &mut widened,
            candidates.into_iter().map(|it| it.1).collect(),
        );
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

/// Returns `true` if no parts are joined, no hole is closed and no corner is touched when an empty cell becomes solid.
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
