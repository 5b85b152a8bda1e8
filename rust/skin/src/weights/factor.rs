//! The equations of some of the rows of a symmetric matrix.
//!
//! Each bone needs other rows of the same matrix, again and again. So the order in which rows are eliminated is found once,
//! for all of them (by approximate minimum degree), and any of them are eliminated in it (Davis, *Algorithm 849: A Concise Sparse
//! Cholesky Factorization Package*, 2005). What a library does before it begins to eliminate would take three times as long
//! as the rest.

use crate::giving_up::check;

/// A row of a sparse matrix: columns in their order, with what is there.
pub(super) type SparseRow = Vec<(usize, f64)>;

/// An order of the rows in which few zeros become other numbers. None if they are not those of a matrix.
pub(super) fn elimination_order(rows: &[SparseRow]) -> Option<Vec<usize>> {
    let (mut starts, mut columns) = (vec![0], Vec::new());
    for row in rows {
        columns.extend(row.iter().map(|&(column, _)| column as isize));
        starts.push(columns.len() as isize);
    }
    let count = rows.len() as isize;
    let (order, ..) = amd::order(count, &starts, &columns, &amd::Control::default()).ok()?;
    Some(order.into_iter().map(|row| row as usize).collect())
}

/// The rows and columns that are chosen, as `L D Lᵀ`: `L` has ones on its diagonal and nothing above it.
pub(super) struct Factor {
    /// The index in `below` of the first entry of each column of `L`, and the end of the last column.
    starts: Vec<usize>,
    below: Vec<(u32, f64)>,
    diagonal: Vec<f64>,
}

/// The structure of the columns of `L`, found before their numbers.
struct Pattern {
    /// The first row below the diagonal of a column that is not zero: its parent in the tree of elimination.
    parents: Vec<Option<usize>>,
    starts: Vec<usize>,
}

impl Factor {
    /// Eliminates the `chosen` rows, whose numbers ascend. None if the matrix is not positive in floating point numbers.
    pub(super) fn new(rows: &[SparseRow], chosen: &[usize]) -> Option<Self> {
        let count = chosen.len();
        let mut places = vec![usize::MAX; rows.len()];
        for (place, &row) in chosen.iter().enumerate() {
            places[row] = place;
        }
        // Of each row the chosen columns up to the diagonal. What is not chosen is at no place, which is larger than all.
        let left = |place: usize| {
            let entries = rows[chosen[place]].iter();
            let entries = entries.take_while(move |&&(column, _)| column <= chosen[place]);
            let entries = entries.map(|&(column, part)| (places[column], part));
            entries.filter(move |&(column, _)| column <= place)
        };
        let Pattern { parents, starts } = Pattern::new(count, |place| left(place).map(|it| it.0));
        let mut below = vec![(0, 0.0); *starts.last()?];
        let mut ends = starts.clone();
        let mut diagonal = vec![0.0; count];
        let mut row = vec![0.0; count];
        let mut seen = vec![usize::MAX; count];
        let (mut path, mut columns) = (Vec::new(), vec![0; count]);
        for place in 0..count {
            check();
            let mut first = count;
            seen[place] = place;
            for (column, part) in left(place) {
                row[column] += part;
                let mut at = column;
                while seen[at] != place {
                    seen[at] = place;
                    path.push(at);
                    at = parents[at]?;
                }
                while let Some(column) = path.pop() {
                    first -= 1;
                    columns[first] = column;
                }
            }
            let mut pivot = std::mem::take(&mut row[place]);
            for &column in &columns[first..] {
                let value = std::mem::take(&mut row[column]);
                for &(other, part) in &below[starts[column]..ends[column]] {
                    row[other as usize] -= part * value;
                }
                let part = value / diagonal[column];
                pivot -= part * value;
                below[ends[column]] = (place as u32, part);
                ends[column] += 1;
            }
            if pivot.is_nan() || pivot <= 0.0 {
                return None;
            }
            row[place] = 0.0;
            diagonal[place] = pivot;
        }
        Some(Self {
            starts,
            below,
            diagonal,
        })
    }

    /// Puts the solution in the place of the right side.
    pub(super) fn solve(&self, values: &mut [f64]) {
        let column = |at: usize| &self.below[self.starts[at]..self.starts[at + 1]];
        for at in 0..self.diagonal.len() {
            let value = values[at];
            for &(row, part) in column(at) {
                values[row as usize] -= part * value;
            }
        }
        for at in (0..self.diagonal.len()).rev() {
            let below = column(at).iter();
            let below = below.map(|&(row, part)| part * values[row as usize]);
            values[at] = values[at] / self.diagonal[at] - below.sum::<f64>();
        }
    }
}

impl Pattern {
    /// `left` are the columns of a row up to its diagonal.
    fn new<I: Iterator<Item = usize>>(count: usize, left: impl Fn(usize) -> I) -> Self {
        let mut parents = vec![None; count];
        let mut seen = vec![usize::MAX; count];
        let mut starts = vec![0; count + 1];
        for place in 0..count {
            seen[place] = place;
            for column in left(place) {
                let mut at = column;
                while seen[at] != place {
                    seen[at] = place;
                    starts[at + 1] += 1;
                    at = *parents[at].get_or_insert(place);
                }
            }
        }
        for at in 0..count {
            starts[at + 1] += starts[at];
        }
        Self { parents, starts }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A grid of squares, each held by itself and pulled by its neighbours.
    fn grid(side: usize) -> Vec<SparseRow> {
        let row = |at: usize| {
            let (x, y) = (at % side, at / side);
            let mut row = vec![(at, 4.5)];
            row.extend((x > 0).then(|| (at - 1, -1.0)));
            row.extend((x + 1 < side).then(|| (at + 1, -1.0)));
            row.extend((y > 0).then(|| (at - side, -1.0)));
            row.extend((y + 1 < side).then(|| (at + side, -1.0)));
            row.sort_by_key(|&(column, _)| column);
            row
        };
        (0..side * side).map(row).collect()
    }

    #[test]
    fn what_is_solved_fulfils_the_chosen_equations() {
        let rows = grid(12);
        for step in 1..5 {
            let chosen: Vec<usize> = (0..rows.len())
                .filter(|at| at % step == 0 || at % 7 == 0)
                .collect();
            let wanted = |at: usize| (at as f64 * 0.37).sin();
            let mut solution: Vec<f64> = chosen.iter().map(|&at| wanted(at)).collect();
            Factor::new(&rows, &chosen).unwrap().solve(&mut solution);
            for &at in &chosen {
                let value = |&(column, part): &(usize, f64)| {
                    chosen
                        .binary_search(&column)
                        .map_or(0.0, |place| part * solution[place])
                };
                let sum: f64 = rows[at].iter().map(value).sum();
                assert!((sum - wanted(at)).abs() < 1e-12, "row {at} of every {step}");
            }
        }
    }

    #[test]
    fn each_row_is_in_the_order_once() {
        let mut order = elimination_order(&grid(9)).unwrap();
        order.sort_unstable();
        assert!(order.into_iter().eq(0..81));
    }

    #[test]
    fn what_is_not_positive_has_no_factor() {
        let rows = vec![vec![(0, 1.0), (1, 2.0)], vec![(0, 2.0), (1, 1.0)]];
        assert!(Factor::new(&rows, &[0, 1]).is_none());
        assert!(Factor::new(&rows, &[1]).is_some());
        assert!(Factor::new(&[], &[]).is_some());
    }
}
