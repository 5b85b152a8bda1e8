//! Properties of 2×2 matrices.

use glam::{DMat2, Mat2};

/// Returns the length that `matrix` gives the unit vector that it stretches most: its spectral norm.
pub(crate) fn largest_stretch(matrix: DMat2) -> f64 {
    let squares = matrix.x_axis.length_squared() + matrix.y_axis.length_squared();
    let area = matrix.determinant();
    let spread = (squares * squares - 4.0 * area * area).max(0.0).sqrt();
    (0.5 * (squares + spread)).sqrt()
}

/// Returns `true` if a matrix keeps angles, mirrored or not, and is not singular.
pub(crate) fn is_similarity(matrix: Mat2) -> bool {
    matrix.determinant() != 0.0 && is_conformal(matrix.as_dmat2())
}

/// Returns `true` if a matrix keeps angles, mirrored or not, up to rounding in `f32`.
pub(crate) fn is_conformal(matrix: DMat2) -> bool {
    let (x, y) = (matrix.x_axis, matrix.y_axis);
    let size = 1e-5 * x.length_squared().max(y.length_squared());
    x.dot(y).abs() <= size && (x.length_squared() - y.length_squared()).abs() <= size
}
