//! The few bones that are left of all that warm a vertex.

use faer::Mat;
use smallvec::SmallVec;

use super::row::{MOST_BONES, Row};

/// Temperatures of at most this much are no weight.
const COLD: f64 = 0.04;

/// Between these temperatures, weights fade in. What seeps around an armpit into the arm beside is not warmer than the
/// middle between them.
const FADE: [f64; 2] = [0.065, 0.13];

/// The largest temperatures of a vertex, as weights that add up to 1.
///
/// The largest temperature that is left out is subtracted from all others, so that weights go to zero
/// without a step where a bone falls out.
pub(super) fn select(temperatures: &Mat<f64>, vertex: usize) -> Row {
    let of_bone = |bone| (bone, temperatures[(vertex, bone)]);
    let mut kept: SmallVec<[(usize, f64); 8]> = (0..temperatures.ncols()).map(of_bone).collect();
    // The first of equal ones stays, also where nothing is warm.
    kept.sort_by(|first, second| second.1.total_cmp(&first.1));
    let left_out = kept
        .get(MOST_BONES)
        .map_or(0.0, |&(_, temperature)| temperature);
    let threshold = left_out.max(COLD);
    let warmest = kept[0].0;
    for (_, temperature) in &mut kept {
        let part = (*temperature - FADE[0]) / (FADE[1] - FADE[0]);
        *temperature = (*temperature - threshold) * part.clamp(0.0, 1.0);
    }
    kept.retain(|&mut (_, weight)| weight > 0.0);
    if kept.is_empty() {
        return Row::from_slice(&[(warmest, 1.0)]);
    }
    let sum: f64 = kept.iter().map(|&(_, weight)| weight).sum();
    kept.sort_by_key(|&(bone, _)| bone);
    kept.iter()
        .map(|&(bone, weight)| (bone, weight / sum))
        .collect()
}
