//! Numbers that are kept in an interval.

/// `value`, kept between 0 and 1. NaN becomes 0.
pub fn clamp01(value: f32) -> f32 {
    // NaN fails the comparison.
    if value > 0.0 { value.min(1.0) } else { 0.0 }
}

/// `value`, kept between two bounds that were computed. A bound that is NaN keeps nothing, where the functions of
/// `std` panic; NaN stays NaN.
pub fn clamp<T: PartialOrd>(value: T, least: T, greatest: T) -> T {
    if value > greatest {
        greatest
    } else if value < least {
        least
    } else {
        value
    }
}

#[cfg(test)]
mod tests {
    use super::clamp;

    #[test]
    fn bounds_that_are_none_keep_nothing() {
        assert_eq!(clamp(3.0, -2.0, 2.0), 2.0);
        assert_eq!(clamp(-3.0, -2.0, 2.0), -2.0);
        assert_eq!(clamp(3.0, f32::NAN, f32::NAN), 3.0);
        assert_eq!(clamp(3.0, 2.0, -2.0), -2.0);
        assert!(clamp(f32::NAN, -2.0, 2.0).is_nan());
    }
}
