//! A picture pixel by pixel, to compare with what covers it.

use glam::DVec2;
use tendon_skin::glam;

pub struct Pixels {
    size: [usize; 2],
    is_opaque: Vec<bool>,
}

impl Pixels {
    /// Each pixel with an alpha of more than `threshold` counts as opaque.
    pub fn new(size: [usize; 2], alpha: &[u8], threshold: u8) -> Self {
        assert_eq!(size[0] * size[1], alpha.len());
        Self {
            size,
            is_opaque: alpha.iter().map(|&value| value > threshold).collect(),
        }
    }

    /// The corner at the right and below.
    pub fn extent(&self) -> DVec2 {
        DVec2::from(self.size.map(|it| it as f64))
    }

    /// The upper left corners of the opaque pixels.
    pub fn opaque(&self) -> impl Iterator<Item = DVec2> {
        let pixels = (0..self.is_opaque.len()).filter(|&pixel| self.is_opaque[pixel]);
        pixels.map(|pixel| DVec2::new((pixel % self.size[0]) as f64, (pixel / self.size[0]) as f64))
    }

    /// Whether an opaque pixel, which is a square, is within `distance` of a point.
    pub fn is_near(&self, point: DVec2, distance: f64) -> bool {
        let range = |center: f64, count: usize| {
            let first = (center - distance - 1.0).max(0.0).floor() as usize;
            let end = (center + distance + 1.0).max(0.0).ceil() as usize;
            first..end.min(count)
        };
        range(point.y, self.size[1]).any(|y| {
            range(point.x, self.size[0]).any(|x| {
                let low = DVec2::new(x as f64, y as f64);
                let nearest = point.clamp(low, low + DVec2::ONE);
                self.is_opaque[y * self.size[0] + x]
                    && nearest.distance_squared(point) <= distance * distance
            })
        })
    }
}
