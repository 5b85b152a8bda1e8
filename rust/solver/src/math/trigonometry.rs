//! Sines, arc tangents and powers with the same bits on every platform.
//!
//! Each C library has sines of its own, and some have several for different processors. All
//! results would then differ in their last bits from one machine to the next. So no other file of
//! the solver may call the functions of the standard library that end there: `clippy.toml` lists
//! them. What processors compute alike, by IEEE 754, is used as it is: `+`, `-`, `*`, `/`, square
//! roots, and rounding to whole numbers.
//!
//! Where a pass spends its time there is a polynomial here, found by E. Remez' exchange (1934) and
//! evaluated with its terms in pairs (G. Estrin, 1960), so that most of them are computed side by
//! side. The rest is the crate `libm`, which is written in Rust; other files
//! call it, too.

use std::f32::consts::{FRAC_PI_2, PI};

use glam::{DVec2, Vec2};

/// Half of π in two parts. The first has 33 bits, so that its product with as many quarters as
/// there are in [`LARGEST_EXACT`] is exact.
const QUARTER: [f64; 2] = [1.570_796_326_734_125_6, 6.077_100_506_506_192e-11];

/// Angles beyond this, in radians, take the long way.
const LARGEST_EXACT: f64 = 1e6;

/// The number that is added to a number of quarters so that the last bits of the sum hold a whole number.
const WHOLE: f64 = 6_755_399_441_055_744.0;

/// The unit vector at `angle` radians from the X axis, to 4e-16 up to [`LARGEST_EXACT`].
pub(crate) fn unit_vector(angle: f64) -> DVec2 {
    let Some((rest, quarter)) = within_an_eighth(angle) else {
        let (sine, cosine) = libm::sincos(angle);
        return DVec2::new(cosine, sine);
    };
    let s = rest * rest;
    let (s2, s4) = (s * s, s * s * s * s);
    // Relative errors of at most 3.7e-18 and 3.9e-20.
    let low = (-0.166_666_666_666_666_3 + 0.008_333_333_333_322_108 * s)
        + (-1.984_126_982_958_016_6e-4 + 2.755_731_361_801_742_4e-6 * s) * s2;
    let high = -2.505_074_721_820_225_4e-8 + 1.589_619_763_583_329_8e-10 * s;
    let sine = rest * (1.0 + s * (low + high * s4));
    let low = (0.041_666_666_666_666_47 - 0.001_388_888_888_886_197_3 * s)
        + (2.480_158_728_408_044e-5 - 2.755_731_311_358_446e-7 * s) * s2;
    let high = 2.087_558_165_255_889e-9 - 1.135_325_759_436_051e-11 * s;
    let cosine = 1.0 - (0.5 * s - s2 * (low + high * s4));
    turned(DVec2::new(cosine, sine), quarter)
}

/// The same in `f32`, and nearly always the nearest one.
pub(crate) fn unit_vector_f32(angle: f32) -> Vec2 {
    near_unit_vector(angle.into()).as_vec2()
}

/// The unit vector by fewer terms, for what ends in `f32`: with relative errors of at most 6.4e-11.
#[inline]
pub(crate) fn near_unit_vector(angle: f64) -> DVec2 {
    let Some((rest, quarter)) = within_an_eighth(angle) else {
        let (sine, cosine) = libm::sincos(angle);
        return DVec2::new(cosine, sine);
    };
    turned(near_within_an_eighth(rest), quarter)
}

/// The same of an angle of at most an eighth of a turn.
#[inline]
fn near_within_an_eighth(angle: f64) -> DVec2 {
    let s = angle * angle;
    let s2 = s * s;
    let sine = angle
        * (1.0
            + s * ((-0.166_666_666_407_761_9 + 0.008_333_329_302_413_307 * s)
                + (-1.983_931_148_444_053_6e-4 + 2.718_114_110_274_544_6e-6 * s) * s2));
    let cosine = 1.0
        + s * ((-0.499_999_996_942_251_7 + 0.041_666_620_328_776_74 * s)
            + (-0.001_388_668_075_125_931_8 + 2.438_348_283_498_59e-5 * s) * s2);
    DVec2::new(cosine, sine)
}

/// `angle` less whole quarter turns, so that at most an eighth of a turn is left either way, and
/// the number of quarter turns modulo 4. `None` if it is too large for that, or not finite.
fn within_an_eighth(angle: f64) -> Option<(f64, u64)> {
    if angle.abs() > LARGEST_EXACT || angle.is_nan() {
        return None;
    }
    let shifted = angle * std::f64::consts::FRAC_2_PI + WHOLE;
    let quarters = shifted - WHOLE;
    let rest = (angle - quarters * QUARTER[0]) - quarters * QUARTER[1];
    Some((rest, shifted.to_bits() & 3))
}

/// `vector`, turned by a number of quarter turns.
fn turned(vector: DVec2, quarter: u64) -> DVec2 {
    let DVec2 { x, y } = vector;
    match quarter {
        0 => vector,
        1 => DVec2::new(-y, x),
        2 => DVec2::new(-x, -y),
        _ => DVec2::new(y, -x),
    }
}

/// The unit vector at `angle` radians from the X axis if the angle is small, by fewer terms.
pub(crate) fn small_rotation(angle: f64) -> Option<DVec2> {
    let square = angle * angle;
    (square < 0.01).then(|| {
        let cosine = 1.0 - square * (0.5 - square * (1.0 / 24.0 - square * (1.0 / 720.0)));
        let sine = angle * (1.0 - square * (1.0 / 6.0 - square * (1.0 / 120.0 - square / 5040.0)));
        DVec2::new(cosine, sine)
    })
}

/// The angle of `vector` from the X axis in radians, in `-π..=π`; 0 if it has no length.
pub(crate) fn angle_of(vector: DVec2) -> f64 {
    libm::atan2(vector.y, vector.x)
}

/// The angle from one direction to another in radians, in `-π..=π`; 0 if either has no length.
pub(crate) fn angle_between(from: DVec2, to: DVec2) -> f64 {
    libm::atan2(from.perp_dot(to), from.dot(to))
}

/// [`angle_of`] in `f32`.
pub(crate) fn angle_of_f32(vector: Vec2) -> f32 {
    libm::atan2f(vector.y, vector.x)
}

/// The same of a vector whose length is neither zero nor infinite, to its last digit or two and in a
/// third of the time.
pub(crate) fn angle_of_ratio(vector: Vec2) -> f32 {
    let Vec2 { x, y } = vector.abs();
    let tangent = x.min(y) / x.max(y);
    let arc = tangent * arc_tangent_series(tangent * tangent);
    let arc = if y > x { FRAC_PI_2 - arc } else { arc };
    let arc = if vector.x < 0.0 { PI - arc } else { arc };
    arc.copysign(vector.y)
}

/// The angle whose tangent is `tangent`, in radians.
fn arc_tangent(tangent: f32) -> f32 {
    if tangent.abs() <= 1.0 {
        return tangent * arc_tangent_series(tangent * tangent);
    }
    let cotangent = tangent.recip();
    FRAC_PI_2.copysign(tangent) - cotangent * arc_tangent_series(cotangent * cotangent)
}

/// The same, for a tangent that is seldom more than a sixteenth, in `f64` to 3e-11 there.
#[inline]
pub(crate) fn arc_tangent_of_small(tangent: f64) -> f64 {
    let s = tangent * tangent;
    match s < 1.0 / 256.0 {
        true => tangent * (1.0 - s * (1.0 / 3.0 - s * (1.0 / 5.0 - s * (1.0 / 7.0)))),
        false => arc_tangent(tangent as f32).into(),
    }
}

/// `atan(t) / t` for `t` in `0..=1` as a polynomial in `s`, the square of `t`. Its relative error
/// is at most 1.5e-8.
fn arc_tangent_series(s: f32) -> f32 {
    const TERMS: [f32; 9] = [
        1.0,
        -0.333_330_72,
        0.199_926_2,
        -0.142_036_44,
        0.106_409_34,
        -0.075_042_95,
        0.042_691_52,
        -0.016_068_628,
        0.002_849_889_7,
    ];
    let [a, b, c, d, e, f, g, h, i] = TERMS;
    let s2 = s * s;
    let s4 = s2 * s2;
    let low = (a + b * s) + (c + d * s) * s2;
    let high = (e + f * s) + (g + h * s) * s2;
    low + (high + i * s4) * s4
}

/// `base` to the power of a whole number.
pub(crate) fn whole_power(base: f64, exponent: u32) -> f64 {
    let mut result = 1.0;
    let (mut square, mut left) = (base, exponent);
    while left > 0 {
        if left & 1 == 1 {
            result *= square;
        }
        square *= square;
        left >>= 1;
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Angles of all sizes that the polynomials are for.
    fn angles() -> impl Iterator<Item = f64> {
        let fine = (-400_000..=400_000).map(|step| f64::from(step) * 1.234_567e-4);
        let wide = (-100_000..=100_000).map(|step| f64::from(step) * 9.999_9);
        fine.chain(wide)
    }

    #[test]
    fn unit_vectors_are_those_of_sine_and_cosine() {
        for angle in angles() {
            let (sine, cosine) = angle.sin_cos();
            let error = (unit_vector(angle) - DVec2::new(cosine, sine))
                .abs()
                .max_element();
            assert!(error <= 4e-16, "{angle}: {error:e}");
        }
    }

    #[test]
    fn short_unit_vectors_are_the_nearest_ones() {
        let mut off = 0;
        for angle in angles() {
            let angle = angle as f32;
            let (sine, cosine) = f64::from(angle).sin_cos();
            let exact = DVec2::new(cosine, sine);
            let found = unit_vector_f32(angle);
            let error = (found.as_dvec2() - exact) / exact.abs().max(DVec2::splat(1e-30));
            let error = error.abs().max_element();
            assert!(error < 6.1e-8, "{angle}: {error:e}");
            off += u32::from(found != exact.as_vec2());
        }
        assert!(off < 1_000, "{off} of a million");
    }

    #[test]
    fn large_angles_and_none_are_no_exception() {
        for angle in [1.1e6, -1e9, 1e22, -1e300] {
            let vector = unit_vector(angle);
            assert!((vector.length() - 1.0).abs() < 1e-15, "{angle}");
            assert!((vector.y - f64::sin(angle)).abs() < 1e-15, "{angle}");
        }
        assert!((unit_vector_f32(1e30).length() - 1.0).abs() < 1e-6);
        for angle in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert!(unit_vector(angle).is_nan());
            assert!(unit_vector_f32(angle as f32).is_nan());
        }
    }

    #[test]
    fn zeros_keep_their_sign() {
        for zero in [0.0, -0.0_f64] {
            assert_eq!(unit_vector(zero).y.to_bits(), zero.to_bits());
            let short = unit_vector_f32(zero as f32).y;
            assert_eq!(short.to_bits(), (zero as f32).to_bits());
        }
    }

    #[test]
    fn angles_of_unit_vectors_are_those_of_atan2() {
        for step in -100_000..=100_000 {
            let angle = f64::from(step) * std::f64::consts::PI / 100_000.0;
            let vector = unit_vector(angle).as_vec2();
            let exact = f64::from(vector.y).atan2(f64::from(vector.x));
            let error = (f64::from(angle_of_ratio(vector)) - exact).abs();
            assert!(error <= 2.5e-7 * exact.abs(), "{angle}: {error:e}");
            let tangent = vector.y / vector.x;
            let fine = arc_tangent_of_small(tangent.into());
            let atan = f64::from(tangent).atan();
            let most = if tangent.abs() < 0.0625 {
                3e-11
            } else {
                2.5e-7
            };
            assert!(
                (fine - atan).abs() <= most * atan.abs(),
                "{tangent}: {fine}"
            );
            let exact = f64::from(tangent).atan();
            let error = (f64::from(arc_tangent(tangent)) - exact).abs();
            assert!(error <= 2.5e-7 * exact.abs(), "{tangent}: {error:e}");
        }
    }

    #[test]
    fn whole_powers_are_powers() {
        assert_eq!(whole_power(0.5, 0), 1.0);
        assert_eq!(whole_power(3.0, 13), 1_594_323.0);
        assert_eq!(whole_power(0.5, 64), 1.0 / 18_446_744_073_709_551_616.0);
    }
}
