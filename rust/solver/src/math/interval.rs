//! Numbers that are kept in an interval.

/// `value`, kept between 0 and 1. NaN becomes 0.
pub fn clamp01(value: f32) -> f32 {
    // NaN fails the comparison.
    if value > 0.0 { value.min(1.0) } else { 0.0 }
}
