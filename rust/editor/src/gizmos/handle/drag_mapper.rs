//! How the mouse sets a property: what value a place on the screen stands for, in steps and within
//! the range of the property.

use std::f32::consts::PI;

use godot::prelude::*;
use tendon_nodes::engine::bone_lines::share_along;
use tendon_solver::math::angle::shortest_way;
use tendon_solver::math::interval::clamp;

use crate::gizmos::handle::property::HandleValue;
use crate::gizmos::limit_arc::LimitArc;
use crate::gizmos::view::View;

/// The steps of a drag with Ctrl: angles as in the editor's rotation snap, lengths as in its grid.
const ANGLE_STEP: f32 = PI / 12.0;
const LENGTH_STEP: f32 = 8.0;
/// The steps without Ctrl, as in the inspector: a tenth of a degree and of a pixel.
const FINE_ANGLE: f32 = PI / 1800.0;
const FINE_LENGTH: f32 = 0.1;

/// The mapping from a place on the screen to a value. It keeps the geometry from the start of the drag: the
/// limb moves during the drag, and with it the frame in which the handle is drawn.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::gizmos) enum DragMapper {
    /// An angle of a joint limit, which stays between two others.
    Angle { arc: LimitArc, room: [f32; 2] },
    /// A length along a line of places on the screen, each with its length.
    Along(Vec<(Vector2, f32)>),
    /// A position in the space.
    Position(View),
    /// Not read: a switch, which is clicked, or a node, which the editor itself drags.
    None,
}

impl DragMapper {
    /// The value at `place` of the screen.
    fn read(&self, place: Vector2) -> Option<HandleValue> {
        match self {
            Self::Angle { arc, .. } => arc.angle_at(place).map(HandleValue::Number),
            Self::Along(places) => nearest_along(places, place).map(HandleValue::Number),
            Self::Position(view) => view.point_under(place).map(HandleValue::Position),
            Self::None => None,
        }
    }

    /// The value after the mouse has moved from `from` to `place`. `last` is the previous value.
    pub(in crate::gizmos) fn drag(
        &self,
        from: &DragStart,
        place: Vector2,
        last: HandleValue,
        snap: bool,
    ) -> HandleValue {
        let (Some(pressed), Some(now)) = (self.read(from.press), self.read(place)) else {
            return last;
        };
        match (from.value, pressed, now, last) {
            (
                HandleValue::Number(start),
                HandleValue::Number(pressed),
                HandleValue::Number(now),
                HandleValue::Number(last),
            ) => HandleValue::Number(self.to_property(start + now - pressed, last, snap)),
            (
                HandleValue::Position(start),
                HandleValue::Position(pressed),
                HandleValue::Position(now),
                _,
            ) => {
                let place = start + now - pressed;
                HandleValue::Position(match snap {
                    true => place.snapped(Vector2::splat(LENGTH_STEP)),
                    false => place,
                })
            }
            _ => last,
        }
    }

    /// `number` as a value of the property: in steps, and within its range.
    fn to_property(&self, number: f32, last: f32, snap: bool) -> f32 {
        let snapped = |number: f32, coarse: f32, fine: f32| {
            let step = if snap { coarse } else { fine };
            (number / step).round() * step
        };
        match self {
            Self::Angle { room, .. } => {
                // The number of whole turns nearest to the previous value.
                let angle = last + shortest_way(last, number);
                clamp(snapped(angle, ANGLE_STEP, FINE_ANGLE), room[0], room[1])
            }
            _ => snapped(number, LENGTH_STEP, FINE_LENGTH),
        }
    }
}

/// The start of a drag of a handle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::gizmos) struct DragStart {
    /// The place where the mouse was pressed, in screen pixels.
    pub(in crate::gizmos) press: Vector2,
    /// The value at that time.
    pub(in crate::gizmos) value: HandleValue,
}

/// The length up to the point of a line of places that is nearest to `place`.
fn nearest_along(places: &[(Vector2, f32)], place: Vector2) -> Option<f32> {
    let pieces = places.windows(2).map(|ends| {
        let [(from, low), (to, high)] = [ends[0], ends[1]];
        let part = share_along([from, to], place);
        let distance = place.distance_to(from + (to - from) * part);
        (distance, low + part * (high - low))
    });
    let nearest = pieces.min_by(|a, b| a.0.total_cmp(&b.0));
    nearest.map(|(_, length)| length)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn view() -> View {
        View {
            to_screen: Transform2D::from_cols(
                Vector2::new(-2.0, 0.0),
                Vector2::new(0.0, 2.0),
                Vector2::new(100.0, 50.0),
            ),
            scale: 1.0,
        }
    }

    #[test]
    fn progress_follows_the_mouse_along_the_path() {
        let corner = [(0.0, 0.0, 0.0), (50.0, 0.0, 100.0), (50.0, 50.0, 200.0)];
        let places = corner.map(|(x, y, at)| (Vector2::new(x, y), at)).to_vec();
        let mapper = DragMapper::Along(places);
        let start = HandleValue::Number(60.0);
        let from = DragStart {
            press: Vector2::new(30.0, 4.0),
            value: start,
        };
        let drag = |x, y, snap| mapper.drag(&from, Vector2::new(x, y), start, snap);
        assert_eq!(drag(30.0, 4.0, false), start);
        assert_eq!(drag(40.0, -9.0, false), HandleValue::Number(80.0));
        assert_eq!(drag(60.0, 25.0, false), HandleValue::Number(150.0));
        assert_eq!(drag(60.0, 25.0, true), HandleValue::Number(152.0));
    }

    #[test]
    fn places_move_with_the_mouse_in_a_mirrored_frame() {
        let mapper = DragMapper::Position(view());
        let start = HandleValue::Position(Vector2::new(7.0, 9.0));
        let from = DragStart {
            press: Vector2::new(10.0, 10.0),
            value: start,
        };
        let place = mapper.drag(&from, Vector2::new(20.0, 30.0), start, false);
        assert_eq!(place, HandleValue::Position(Vector2::new(2.0, 19.0)));
        let place = mapper.drag(&from, Vector2::new(20.0, 30.0), start, true);
        assert_eq!(place, HandleValue::Position(Vector2::new(0.0, 16.0)));
    }
}
