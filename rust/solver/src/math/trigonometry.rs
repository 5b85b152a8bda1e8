//! Sines and cosines without the system's library: the same bits on every platform.

use glam::DVec2;

/// Half of π in two parts, so that a few thousand turns are taken off an angle exactly.
const QUARTER: [f64; 2] = [1.570_796_326_734_125_6, 6.077_100_506_506_192e-11];

/// The unit vector at `angle` radians from the X axis, to 1e-15 up to angles of a million.
///
/// The angle is reduced to an eighth of a turn either way. There the Taylor series of sine and
/// cosine end at the tenth decimal place of their last terms.
pub(crate) fn unit_vector(angle: f64) -> DVec2 {
    let quarters = (angle * std::f64::consts::FRAC_2_PI).round();
    let rest = (angle - quarters * QUARTER[0]) - quarters * QUARTER[1];
    let s = rest * rest;
    let sine = rest
        * (1.0
            + s * (-1.0 / 6.0
                + s * (1.0 / 120.0
                    + s * (-1.0 / 5_040.0
                        + s * (1.0 / 362_880.0
                            + s * (-1.0 / 39_916_800.0
                                + s * (1.0 / 6_227_020_800.0
                                    - s * (1.0 / 1_307_674_368_000.0))))))));
    let cosine = 1.0
        + s * (-0.5
            + s * (1.0 / 24.0
                + s * (-1.0 / 720.0
                    + s * (1.0 / 40_320.0
                        + s * (-1.0 / 3_628_800.0
                            + s * (1.0 / 479_001_600.0 - s * (1.0 / 87_178_291_200.0)))))));
    match (quarters as i64).rem_euclid(4) {
        0 => DVec2::new(cosine, sine),
        1 => DVec2::new(-sine, cosine),
        2 => DVec2::new(-cosine, -sine),
        _ => DVec2::new(sine, -cosine),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unit_vectors_are_those_of_sine_and_cosine() {
        for step in -200_000..=200_000 {
            let angle = f64::from(step) * 1.234_567e-4;
            let (sine, cosine) = angle.sin_cos();
            let found = unit_vector(angle);
            let error = (found.x - cosine).abs().max((found.y - sine).abs());
            assert!(error < 1e-14, "{angle}: {error:e}");
        }
    }
}
