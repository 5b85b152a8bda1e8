//! Cholesky's factorisation of a small dense symmetric matrix.
//!
//! `A = L Lᵀ`, then two triangular solves: `n³/6` multiplications and no pivoting, which
//! symmetric positive definite matrices do not need. A pivot that is not positive says that
//! the matrix is not definite (or not finite); least squares then damps more.
//!
//! Source: A.-L. Cholesky (1910, published by Benoit 1924).

use glam::DVec2;

/// Solves `A x = b` in place: `matrix` holds the lower triangle of the symmetric `A` row by
/// row (`n × n`), and is overwritten by `L`; `vector` holds `b` and then `x`. Returns
/// `false`, leaving both unusable, when `A` is not positive definite.
pub(crate) fn solve(matrix: &mut [f64], vector: &mut [f64]) -> bool {
    let size = vector.len();
    for row in 0..size {
        let (above, below) = matrix.split_at_mut(row * size);
        for (column, pivot_row) in above.chunks_exact(size).enumerate() {
            let known = dot(&below[..column], &pivot_row[..column]);
            below[column] = (below[column] - known) / pivot_row[column];
        }
        let pivot = below[row] - dot(&below[..row], &below[..row]);
        if pivot.is_nan() || pivot <= 0.0 {
            return false;
        }
        below[row] = pivot.sqrt();
        let known = dot(&below[..row], &vector[..row]);
        vector[row] = (vector[row] - known) / below[row];
    }
    for row in (0..size).rev() {
        let solved = vector[row] / matrix[row * size + row];
        vector[row] = solved;
        let factors = &matrix[row * size..][..row];
        for (left, factor) in vector[..row].iter_mut().zip(factors) {
            *left -= factor * solved;
        }
    }
    true
}

/// The same for two unknowns, to the last bit: `matrix` is `[xx, xy, yy]`.
pub(crate) fn solve_two([xx, xy, yy]: [f64; 3], vector: DVec2) -> Option<DVec2> {
    let is_positive = |pivot: f64| pivot > 0.0;
    is_positive(xx).then_some(())?;
    let first = xx.sqrt();
    let below = xy / first;
    let pivot = yy - below * below;
    is_positive(pivot).then_some(())?;
    let second = pivot.sqrt();
    let known = vector.x / first;
    let y = (vector.y - below * known) / second / second;
    let x = (known - below * y) / first;
    Some(DVec2::new(x, y))
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_definite_system_is_solved() {
        let mut matrix = [4.0, 0.0, 0.0, 2.0, 5.0, 0.0, -1.0, 3.0, 6.0];
        let expected = [1.0, -2.0, 3.0];
        let mut vector = [
            4.0 * 1.0 + 2.0 * -2.0 - 3.0,
            2.0 * 1.0 + 5.0 * -2.0 + 3.0 * 3.0,
            -1.0 + 3.0 * -2.0 + 6.0 * 3.0,
        ];
        assert!(solve(&mut matrix, &mut vector));
        for (found, expected) in vector.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-12);
        }
    }

    #[test]
    fn two_unknowns_have_the_same_bits() {
        for step in 1..1_000 {
            let [a, b, c] = [0.37, 0.11, 0.73].map(|rate| (rate * f64::from(step)).fract() - 0.3);
            let vector = DVec2::new(b - c, a + 0.1);
            let mut matrix = [a, 0.0, b, c];
            let mut expected = vector.to_array();
            let is_solved = solve(&mut matrix, &mut expected);
            let found = solve_two([a, b, c], vector);
            assert_eq!(found, is_solved.then_some(expected.into()));
        }
        assert_eq!(solve_two([f64::NAN, 0.0, 1.0], DVec2::ONE), None);
    }

    #[test]
    fn an_indefinite_or_broken_matrix_is_refused() {
        assert!(!solve(&mut [1.0, 0.0, 2.0, 1.0], &mut [1.0, 1.0]));
        assert!(!solve(&mut [f64::NAN], &mut [1.0]));
    }
}
