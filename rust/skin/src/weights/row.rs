//! The bones that move one vertex.

use smallvec::SmallVec;

/// The most bones that move one vertex: what Godot draws.
pub const MOST_BONES: usize = 4;

/// Bones with their weights.
pub(crate) type Row = SmallVec<[(usize, f64); MOST_BONES]>;

/// A smaller weight is none: nobody sees what it moves.
const LEAST: f64 = 1e-3;

/// The largest weights of `row`, at most `most` of them, made to add up to `whole`. Empty if there is none.
pub(crate) fn fitted(row: &[(usize, f64)], most: usize, whole: f64) -> Row {
    let sum: f64 = row.iter().map(|&(_, weight)| weight.max(0.0)).sum();
    let mut kept: Row = row
        .iter()
        .filter(|&&(_, weight)| sum > 0.0 && weight * whole > LEAST * sum)
        .copied()
        .collect();
    // Of equal ones, the first bone stays.
    kept.sort_by(|first, second| {
        let by_weight = second.1.total_cmp(&first.1);
        by_weight.then(first.0.cmp(&second.0))
    });
    kept.truncate(most);
    let sum: f64 = kept.iter().map(|&(_, weight)| weight).sum();
    kept.iter_mut()
        .for_each(|(_, weight)| *weight *= whole / sum);
    kept.sort_by_key(|&(bone, _)| bone);
    kept
}

/// The weight of a bone in `row`.
pub(crate) fn weight_in(row: &[(usize, f64)], bone: usize) -> f64 {
    let found = row.iter().find(|&&(other, _)| other == bone);
    found.map_or(0.0, |&(_, weight)| weight)
}

/// Adds `part` of all weights of `row` to `sum`.
pub(crate) fn add(sum: &mut Row, row: &[(usize, f64)], part: f64) {
    for &(bone, weight) in row.iter().filter(|_| part > 0.0) {
        match sum.iter_mut().find(|(other, _)| *other == bone) {
            Some((_, total)) => *total += weight * part,
            None => sum.push((bone, weight * part)),
        }
    }
}

/// Weights of at most this much are none.
const LEAST_KEPT: f64 = 0.04;

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
    let threshold = left_out.max(LEAST_KEPT);
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
