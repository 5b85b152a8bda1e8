//! How opaque the pixels of a picture are.

use glam::DVec2;

use super::PictureFault;

/// The alpha of a picture, row by row, and what counts as opaque.
#[derive(Clone, Debug)]
pub struct Alpha {
    width: usize,
    height: usize,
    opaque: Vec<bool>,
}

impl Alpha {
    /// A picture of which each pixel with an alpha of more than `threshold` counts as opaque.
    pub fn new(
        width: usize,
        height: usize,
        alpha: &[u8],
        threshold: u8,
    ) -> Result<Self, PictureFault> {
        check_size(width, height, alpha)?;
        let opaque: Vec<bool> = alpha.iter().map(|&value| value > threshold).collect();
        match opaque.contains(&true) {
            true => Ok(Self::of(width, height, opaque)),
            false => Err(PictureFault::Empty),
        }
    }

    pub(super) fn of(width: usize, height: usize, opaque: Vec<bool>) -> Self {
        Self {
            width,
            height,
            opaque,
        }
    }

    /// The width in pixels.
    pub fn width(&self) -> usize {
        self.width
    }

    /// The height in pixels.
    pub fn height(&self) -> usize {
        self.height
    }

    /// Whether a pixel is opaque.
    pub fn is_opaque(&self, x: usize, y: usize) -> bool {
        self.opaque[y * self.width + x]
    }

    /// Whether an opaque pixel, which is a square, is within `distance` of a point.
    pub fn is_near(&self, point: DVec2, distance: f64) -> bool {
        let range = |center: f64, count: usize| {
            let first = (center - distance - 1.0).max(0.0).floor() as usize;
            let end = (center + distance + 1.0).max(0.0).ceil() as usize;
            first..end.min(count)
        };
        range(point.y, self.height).any(|y| {
            range(point.x, self.width).any(|x| {
                let low = DVec2::new(x as f64, y as f64);
                let nearest = point.clamp(low, low + DVec2::ONE);
                self.is_opaque(x, y) && nearest.distance_squared(point) <= distance * distance
            })
        })
    }
}

pub(super) fn check_size(width: usize, height: usize, alpha: &[u8]) -> Result<(), PictureFault> {
    match width.checked_mul(height) == Some(alpha.len()) {
        true => Ok(()),
        false => Err(PictureFault::Size {
            width,
            height,
            count: alpha.len(),
        }),
    }
}
