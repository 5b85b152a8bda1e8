//! Where a curve leaves a circle: the next joint of a chain along it is there.

use glam::DAffine2;

use crate::skeleton::path::Curve;
use crate::skeleton::path::place::CurvePlace;

impl Curve {
    /// The first place from `from` on that is outside of the circle of `radius` around the origin,
    /// where the curve is seen through `frame`. At `from` it is inside.
    pub(crate) fn first_exit(&self, from: CurvePlace, frame: DAffine2, radius: f64) -> CurvePlace {
        let is_inside = |place| {
            let seen = frame.transform_point2(self.point(place));
            seen.length_squared() <= radius * radius
        };
        if from.beyond > 0.0 || from.beyond < 0.0 && !is_inside(from.on_curve()) {
            return self.exit_along_tangent(from, frame, radius);
        }
        let count = self.segments();
        let ahead = if self.is_closed {
            count
        } else {
            count - 1 - from.segment
        };
        for step in 0..=ahead {
            let segment = (from.segment + step) % count;
            let seen = self.segment(segment).seen_through(frame);
            let begin = if step == 0 { from.at } else { 0.0 };
            if let Some(at) = seen.first_exit(begin, radius) {
                return CurvePlace::new(segment, at);
            }
        }
        // Straight on: past the end, or where a closed curve stays within the circle.
        let last = match self.is_closed {
            true => from,
            false => CurvePlace::new(count - 1, 1.0),
        };
        self.exit_along_tangent(last, frame, radius)
    }

    /// Returns the place where the tangent at `from` leaves the circle.
    fn exit_along_tangent(&self, from: CurvePlace, frame: DAffine2, radius: f64) -> CurvePlace {
        let here = frame.transform_point2(self.point(from));
        let way = frame.matrix2 * self.tangent(from);
        let [along, square] = [here.dot(way), way.length_squared()];
        let inside = (radius * radius - here.length_squared()).max(0.0);
        let root = (along * along + square * inside).sqrt();
        let step = match along > 0.0 {
            true => inside / (along + root),
            false => (root - along) / square,
        };
        CurvePlace {
            beyond: from.beyond + step,
            ..from
        }
    }
}
