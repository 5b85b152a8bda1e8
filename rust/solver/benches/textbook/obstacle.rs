//! Circles in the way, and the usual answer: a joint inside one is pushed out of it, by the
//! shortest way, whenever it is placed.
//!
//! A bone between two joints on the rim cuts through the circle. So joints keep away from the
//! rim by as much as such a bone needs, with which every solver gets by more often than
//! without. A tip, which may have to touch the rim, does not.

use glam::DVec2;

/// A round obstacle.
#[derive(Clone, Copy, Debug)]
pub struct Circle {
    /// Its middle.
    pub centre: DVec2,
    /// Its radius.
    pub radius: f64,
}

/// The end of the bone from `origin` to `end`, pushed out of the circles that it is in. The
/// bone keeps its length: it is turned to where the push points.
pub fn push_out(circles: &[Circle], origin: DVec2, end: DVec2, is_tip: bool) -> DVec2 {
    let length = origin.distance(end);
    let margin = if is_tip { 0.0 } else { 0.5 * length };
    circles.iter().fold(end, |end, circle| {
        let out = end - circle.centre;
        let radius = circle.radius.hypot(margin);
        if out.length() >= radius {
            return end;
        }
        let rim = circle.centre + out.normalize_or(DVec2::X) * radius;
        let along = (rim - origin).try_normalize();
        along.map_or(end, |along| origin + along * length)
    })
}

/// How far the bone from `origin` to `end` is inside the circle that it is deepest in.
pub fn deepest(circles: &[Circle], origin: DVec2, end: DVec2) -> f64 {
    let bone = end - origin;
    let depth = |circle: &Circle| {
        let part = (circle.centre - origin).dot(bone) / bone.length_squared();
        let nearest = origin + bone * part.clamp(0.0, 1.0);
        circle.radius - nearest.distance(circle.centre)
    };
    circles.iter().map(depth).fold(0.0, f64::max)
}
