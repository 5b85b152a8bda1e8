//! The smallest value of a quadratic function of numbers from 0 to 1.
//!
//! Newton's method, projected (Bertsekas, *Projected Newton Methods for Optimization Problems with Simple Constraints*, 1982):
//! numbers at a bound that the function presses against it stay there, the others go to where the function would be smallest
//! without bounds, and back into them. If that is not better they go half as far, and in the end only as far as no
//! bound is met. So each step is better than the one before.

use super::factor::{Factor, SparseRow, elimination_order};

/// The most steps. Three to five are needed, twelve where bones are hardly longer than thick.
const STEPS: usize = 30;

/// The parts of the way to the smallest value that are tried, with what is beyond the bounds put back.
const LENGTHS: [f64; 6] = [1.0, 0.5, 0.25, 0.125, 0.0625, 0.03125];

/// A step in which no number changes by more than this is the last one: nobody sees it.
const STILL: f64 = 1e-3;

/// Numbers below this begin at 0.
const SMALL: f64 = 0.03;

/// A number that near to a bound is at it.
const NEAR: f64 = 1e-6;

/// `xᵀ A x / 2 − bᵀ x`, with a symmetric and positive `A`.
pub(super) struct Quadratic {
    rows: Vec<SparseRow>,
}

impl Quadratic {
    pub(super) fn new(count: usize) -> Self {
        Self {
            rows: vec![Vec::new(); count],
        }
    }

    pub(super) fn add(&mut self, row: usize, column: usize, value: f64) {
        let row = &mut self.rows[row];
        match row.binary_search_by_key(&column, |&(column, _)| column) {
            Ok(place) => row[place].1 += value,
            Err(place) => row.insert(place, (column, value)),
        }
    }

    /// For each of `pulls`, which is `b`, where the function is smallest. None if the numbers are too different for that.
    pub(super) fn bounded_minima(&self, pulls: &[Vec<f64>]) -> Option<Vec<Vec<f64>>> {
        let order = elimination_order(&self.rows)?;
        let ordered = self.reordered(&order);
        let all: Vec<usize> = (0..order.len()).collect();
        let factor = Factor::new(&ordered.rows, &all)?;
        let bounded = pulls.iter().map(|pull| {
            let pull: Vec<f64> = order.iter().map(|&row| pull[row]).collect();
            let mut start = pull.clone();
            factor.solve(&mut start);
            let start = start.into_iter().map(begun).collect();
            let minimum = ordered.bounded_minimum(&pull, start)?;
            let mut values = vec![0.0; minimum.len()];
            for (&row, value) in order.iter().zip(minimum) {
                values[row] = value;
            }
            Some(values)
        });
        bounded.collect()
    }

    /// The same function of the same numbers in another order.
    fn reordered(&self, order: &[usize]) -> Self {
        let mut places = vec![0; order.len()];
        for (place, &row) in order.iter().enumerate() {
            places[row] = place;
        }
        let reordered = |&row: &usize| {
            let entries = self.rows[row].iter();
            let mut entries: SparseRow = entries.map(|&(at, part)| (places[at], part)).collect();
            entries.sort_unstable_by_key(|&(column, _)| column);
            entries
        };
        Self {
            rows: order.iter().map(reordered).collect(),
        }
    }

    fn bounded_minimum(&self, pull: &[f64], mut values: Vec<f64>) -> Option<Vec<f64>> {
        for _ in 0..STEPS {
            let slopes = self.slopes(pull, &values);
            let way = self.way(&values, &slopes)?;
            let Some(better) = self.step(pull, &values, &slopes, &way) else {
                break;
            };
            let moved = better.iter().zip(&values).map(|(new, old)| new - old);
            let farthest = moved.map(f64::abs).fold(0.0, f64::max);
            values = better;
            if farthest < STILL {
                break;
            }
        }
        Some(values)
    }

    /// From `values` to where the function is smallest. Those stay that it presses against a bound, and those that would
    /// leave it at once.
    fn way(&self, values: &[f64], slopes: &[f64]) -> Option<Vec<f64>> {
        let is_held = |index: usize, way: f64| {
            values[index] < NEAR && way < 0.0 || values[index] > 1.0 - NEAR && way > 0.0
        };
        let all = 0..values.len();
        let mut free: Vec<usize> = all.filter(|&it| !is_held(it, -slopes[it])).collect();
        loop {
            let mut ways: Vec<f64> = free.iter().map(|&index| -slopes[index]).collect();
            Factor::new(&self.rows, &free)?.solve(&mut ways);
            let mut way = vec![0.0; values.len()];
            for (&index, found) in free.iter().zip(ways) {
                way[index] = found;
            }
            let before = free.len();
            free.retain(|&index| !is_held(index, way[index]));
            if free.len() == before {
                return Some(way);
            }
        }
    }

    /// The farthest step on the way that is better. None if none is.
    fn step(&self, pull: &[f64], values: &[f64], slopes: &[f64], way: &[f64]) -> Option<Vec<f64>> {
        let ways = || values.iter().zip(way);
        let to_bound = ways().map(|(value, &way)| match way {
            _ if way < 0.0 => -value / way,
            _ if way > 0.0 => (1.0 - value) / way,
            _ => f64::INFINITY,
        });
        let free = to_bound.fold(1.0, f64::min);
        let mut steps = LENGTHS.into_iter().chain([free]).map(|length| {
            let step = ways().map(|(value, way)| within(value + way * length));
            step.collect::<Vec<f64>>()
        });
        steps.find(|step| self.change(pull, values, slopes, step) < 0.0)
    }

    /// Returns the change of the function from `values`, where it has these slopes, to `step`.
    fn change(&self, pull: &[f64], values: &[f64], slopes: &[f64], step: &[f64]) -> f64 {
        let after = self.slopes(pull, step);
        // It is quadratic: the mean of both slopes counts.
        let slopes = slopes
            .iter()
            .zip(after)
            .map(|(before, after)| before + after);
        let ways = step.iter().zip(values).map(|(new, old)| new - old);
        ways.zip(slopes).map(|(way, slope)| way * slope / 2.0).sum()
    }

    fn slopes(&self, pull: &[f64], values: &[f64]) -> Vec<f64> {
        let slope = |(row, pull): (&Vec<(usize, f64)>, &f64)| {
            let parts = row.iter().map(|&(column, part)| part * values[column]);
            parts.sum::<f64>() - pull
        };
        self.rows.iter().zip(pull).map(slope).collect()
    }
}

/// Returns the initial value of a number that would be at `value` without bounds. Most of those that are small end at
/// 0, and what is there needs no equation.
fn begun(value: f64) -> f64 {
    if value < SMALL { 0.0 } else { within(value) }
}

fn within(value: f64) -> f64 {
    value.clamp(0.0, 1.0)
}
