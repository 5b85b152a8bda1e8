//! How skeleton space fits on the sheet.

use tendon_solver::glam::{Affine2, Mat2, Vec2};

/// Points farther from the bones than this many times their extent do not count.
const FAR: f32 = 2.0;

/// From skeleton space to the sheet.
pub struct View {
    pub to_sheet: Affine2,
}

impl View {
    /// Fits `bones`, and of `others` what is not far away, into `size`, seen through `ancestors`
    /// as on the screen.
    pub fn new(ancestors: &[Affine2], bones: &[Vec2], others: &[Vec2], size: Vec2) -> Self {
        let above: Affine2 = ancestors.iter().product();
        let linear = upright(above.matrix2);
        let see = |point: &Vec2| linear * *point;
        let mut seen = Extent::of(bones.iter().map(see));
        let centre = seen.centre();
        let reach = FAR * seen.size().max_element().max(1.0);
        let near = |point: &Vec2| (*point - centre).abs().max_element() <= reach;
        seen.add(others.iter().map(see).filter(near));
        let room = seen.size().max(Vec2::ONE);
        let scale = (size / room).min_element();
        Self {
            to_sheet: Affine2::from_mat2_translation(
                scale * linear,
                0.5 * size - scale * seen.centre(),
            ),
        }
    }

    pub fn at(&self, point: Vec2) -> Vec2 {
        self.to_sheet.transform_point2(point)
    }
}

/// `linear`, if one can see anything through it.
fn upright(linear: Mat2) -> Mat2 {
    let area = linear.determinant().abs();
    let size = linear.x_axis.length().max(linear.y_axis.length());
    if linear.is_finite() && area > 1e-3 * size * size {
        linear
    } else {
        Mat2::IDENTITY
    }
}

/// A rectangle around points that are finite.
struct Extent {
    least: Vec2,
    greatest: Vec2,
}

impl Extent {
    fn of(points: impl Iterator<Item = Vec2>) -> Self {
        let mut extent = Self {
            least: Vec2::INFINITY,
            greatest: Vec2::NEG_INFINITY,
        };
        extent.add(points);
        if extent.least.is_finite() {
            extent
        } else {
            Self {
                least: Vec2::ZERO,
                greatest: Vec2::ZERO,
            }
        }
    }

    fn add(&mut self, points: impl Iterator<Item = Vec2>) {
        for point in points.filter(|point| point.is_finite()) {
            self.least = self.least.min(point);
            self.greatest = self.greatest.max(point);
        }
    }

    fn size(&self) -> Vec2 {
        self.greatest - self.least
    }

    fn centre(&self) -> Vec2 {
        0.5 * (self.least + self.greatest)
    }
}
