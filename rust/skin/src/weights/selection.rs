//! The few bones that are left of all that warm a vertex.

use faer::Mat;
use smallvec::SmallVec;

use super::MOST_BONES;

/// Temperatures of at most this much are no weight.
const LEAST: f64 = 0.02;

/// The largest temperatures of a vertex, as weights that add up to 1.
///
/// The largest temperature that is left out is subtracted from all others, so that weights go to zero
/// without a step where a bone falls out.
pub(super) fn select(
    temperatures: &Mat<f64>,
    vertex: usize,
) -> SmallVec<[(usize, f64); MOST_BONES]> {
    let mut warm: SmallVec<[(usize, f64); 8]> = SmallVec::new();
    let mut warmest = (0, 0.0);
    for bone in 0..temperatures.ncols() {
        let temperature = temperatures[(vertex, bone)];
        if temperature > LEAST {
            warm.push((bone, temperature));
        }
        if temperature > warmest.1 {
            warmest = (bone, temperature);
        }
    }
    warm.sort_by(|first, second| second.1.total_cmp(&first.1));
    let threshold = warm
        .get(MOST_BONES)
        .map_or(LEAST, |&(_, temperature)| temperature);
    warm.truncate(MOST_BONES);
    warm.retain(|&mut (_, temperature)| temperature > threshold);
    let sum: f64 = warm
        .iter()
        .map(|&(_, temperature)| temperature - threshold)
        .sum();
    if warm.is_empty() {
        return SmallVec::from_slice(&[(warmest.0, 1.0)]);
    }
    warm.sort_by_key(|&(bone, _)| bone);
    warm.iter()
        .map(|&(bone, temperature)| (bone, (temperature - threshold) / sum))
        .collect()
}
