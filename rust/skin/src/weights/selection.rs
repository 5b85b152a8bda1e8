//! The few bones that are left of all that move a vertex.

use smallvec::SmallVec;

use super::row::{MOST_BONES, Row, fitted};

/// Weights of at most this much are none.
const LEAST: f64 = 0.04;

/// Between these, weights fade in. What seeps around an armpit into the arm beside is not larger than the middle between them.
const FADE: [f64; 2] = [0.055, 0.1];

/// The largest weights of a vertex, made to add up to 1.
///
/// The largest weight that is left out is subtracted from all others, so that weights go to zero
/// without a step where a bone falls out.
pub(super) fn select(weights: &[Vec<f64>], vertex: usize) -> Row {
    let of_bone = |(bone, weights): (usize, &Vec<f64>)| (bone, weights[vertex]);
    let mut row: SmallVec<[(usize, f64); 8]> = weights.iter().enumerate().map(of_bone).collect();
    // The first of equal ones stays, also where none has a weight.
    row.sort_by(|first, second| second.1.total_cmp(&first.1));
    let left_out = row.get(MOST_BONES).map_or(0.0, |&(_, weight)| weight);
    let largest = row[0].0;
    let threshold = left_out.max(LEAST);
    for (_, weight) in &mut row {
        let part = (*weight - FADE[0]) / (FADE[1] - FADE[0]);
        *weight = (*weight - threshold) * part.clamp(0.0, 1.0);
    }
    let kept = fitted(&row, MOST_BONES, 1.0);
    match kept.is_empty() {
        true => Row::from_slice(&[(largest, 1.0)]),
        false => kept,
    }
}
