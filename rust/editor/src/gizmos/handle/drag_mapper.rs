//! How the mouse sets a property: what value a place on the screen stands for, in steps and within
//! the range of the property.

use std::f32::consts::PI;

use godot::prelude::*;
use tendon_solver::math::angle::shortest_way;
use tendon_solver::math::interval::clamp;

use crate::gizmos::handle::property::{Unit, Value};
use crate::gizmos::limit_arc::LimitArc;
use crate::gizmos::view::View;

/// The steps of a drag with Ctrl: angles as in the editor's rotation snap, lengths as in its grid.
const ANGLE_STEP: f32 = PI / 12.0;
const LENGTH_STEP: f32 = 8.0;
const SHARE_STEP: f32 = 0.05;
/// The steps of distances in a drag without Ctrl, as in the inspector.
const FINE_LENGTH: f32 = 0.1;

/// How a place on the screen becomes a value. It keeps the geometry from the start of the drag: the
/// limb moves during the drag, and with it the frame in which the handle is drawn.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::gizmos) enum DragMapper {
    /// An angle of a joint limit, which stays between two others.
    Angle { arc: LimitArc, room: [f32; 2] },
    /// A distance from the origin of a space, which is off beyond `off`. The handle is then at
    /// `shown`.
    Distance {
        view: View,
        shown: f32,
        room: [f32; 2],
        off: OffWhere,
    },
    /// The part of the reach that is outside of a ring.
    Softness { view: View, reach: f32 },
    /// A number along a line of places on the screen, each with its number.
    Along {
        places: Vec<(Vector2, f32)>,
        unit: Unit,
    },
    /// A position in the space.
    Position { view: View },
    /// Not read: a switch, which is clicked, or a node, which the editor itself drags.
    None,
}

/// Where a distance has no effect.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::gizmos) enum OffWhere {
    /// At this distance and below.
    Below(f32),
    /// At this distance and above.
    Above(f32),
}

impl DragMapper {
    /// The value at `place` of the screen.
    fn read(&self, place: Vector2) -> Option<Value> {
        let number = match self {
            Self::Angle { arc, .. } => arc.angle_at(place)?,
            Self::Distance { view, .. } => view.point_under(place)?.length(),
            Self::Softness { view, reach } => 1.0 - view.point_under(place)?.length() / reach,
            Self::Along { places, .. } => nearest_along(places, place)?,
            Self::Position { view } => return view.point_under(place).map(Value::Position),
            Self::None => return None,
        };
        Some(Value::Number(number))
    }

    /// The value after the mouse has moved from `from` to `place`. `last` is the previous value.
    pub(in crate::gizmos) fn drag(
        &self,
        from: &DragStart,
        place: Vector2,
        last: Value,
        snap: bool,
    ) -> Value {
        let (Some(pressed), Some(now)) = (self.read(from.press), self.read(place)) else {
            return last;
        };
        match (from.value, pressed, now, last) {
            (
                Value::Number(start),
                Value::Number(pressed),
                Value::Number(now),
                Value::Number(last),
            ) => {
                let start = match self {
                    Self::Distance { shown, .. } => *shown,
                    _ => start,
                };
                Value::Number(self.to_property(start + now - pressed, last, snap))
            }
            (Value::Position(start), Value::Position(pressed), Value::Position(now), _) => {
                let place = start + now - pressed;
                Value::Position(match snap {
                    true => place.snapped(Vector2::splat(LENGTH_STEP)),
                    false => place,
                })
            }
            _ => last,
        }
    }

    /// `number` as a value of the property: in steps, and within its range.
    fn to_property(&self, number: f32, last: f32, snap: bool) -> f32 {
        match self {
            Self::Angle { room, .. } => {
                let angle = Unit::Turn.to_property(number, last, snap);
                clamp(angle, room[0], room[1])
            }
            Self::Distance { room, off, .. } => {
                let distance = Unit::Length.to_property(number, last, snap);
                // Half a step is the precision of distances.
                let is_off = match off {
                    OffWhere::Below(least) => number < least + 0.5 * FINE_LENGTH,
                    OffWhere::Above(most) => number > most - 0.5 * FINE_LENGTH,
                };
                match is_off {
                    true => 0.0,
                    false => clamp(distance, room[0], room[1]),
                }
            }
            Self::Softness { .. } => Unit::Factor.to_property(number, last, snap).clamp(0.0, 1.0),
            Self::Along { unit, .. } => unit.to_property(number, last, snap),
            Self::Position { .. } | Self::None => number,
        }
    }
}

impl Unit {
    fn to_property(self, number: f32, last: f32, snap: bool) -> f32 {
        let fine_angle = (0.1_f32).to_radians();
        let snapped = |number: f32, coarse: f32, fine: f32| {
            let step = if snap { coarse } else { fine };
            (number / step).round() * step
        };
        let angle = |number: f32| snapped(number, ANGLE_STEP, fine_angle);
        match self {
            Self::Pixels | Self::Length => snapped(number, LENGTH_STEP, FINE_LENGTH),
            Self::Factor => snapped(number, SHARE_STEP, 0.001),
            // The number of whole turns nearest to the previous value.
            Self::Turn => angle(last + shortest_way(last, number)),
        }
    }
}

/// Where a handle was taken.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::gizmos) struct DragStart {
    /// Where the mouse was pressed.
    pub(in crate::gizmos) press: Vector2,
    /// What the value was.
    pub(in crate::gizmos) value: Value,
}

/// The length up to the point of a line of places that is nearest to `place`.
fn nearest_along(places: &[(Vector2, f32)], place: Vector2) -> Option<f32> {
    let pieces = places.windows(2).map(|ends| {
        let [(from, low), (to, high)] = [ends[0], ends[1]];
        let way = to - from;
        let part = match way.length_squared() {
            0.0 => 0.0,
            square => ((place - from).dot(way) / square).clamp(0.0, 1.0),
        };
        let distance = place.distance_to(from + way * part);
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
    fn distances_follow_the_mouse_and_are_off_where_they_make_no_difference() {
        let mapper = DragMapper::Distance {
            view: view(),
            shown: 30.0,
            room: [10.0, 1000.0],
            off: OffWhere::Above(70.0),
        };
        // Taken 4 screen pixels beside the handle at 30 units.
        let from = DragStart {
            press: Vector2::new(36.0, 50.0),
            value: Value::Number(30.0),
        };
        let drag =
            |x: f32, snap| mapper.drag(&from, Vector2::new(x, 50.0), Value::Number(30.0), snap);
        assert_eq!(drag(36.0, false), Value::Number(30.0));
        assert_eq!(drag(16.0, false), Value::Number(40.0));
        assert_eq!(drag(21.0, true), Value::Number(40.0));
        assert_eq!(drag(90.0, false), Value::Number(10.0));
        assert_eq!(drag(-60.0, false), Value::Number(0.0));
    }

    #[test]
    fn a_distance_beyond_all_that_a_handle_can_be_dragged_to_can_be_dragged() {
        let mapper = DragMapper::Distance {
            view: view(),
            shown: 1e7,
            room: [1e7, 1e6],
            off: OffWhere::Above(2e7),
        };
        let from = DragStart {
            press: Vector2::new(36.0, 50.0),
            value: Value::Number(1e7),
        };
        let dragged = mapper.drag(&from, Vector2::new(16.0, 50.0), from.value, false);
        assert_eq!(dragged, Value::Number(1e6));
    }

    #[test]
    fn softness_is_what_the_ring_leaves_outside() {
        let mapper = DragMapper::Softness {
            view: view(),
            reach: 50.0,
        };
        let from = DragStart {
            press: Vector2::new(0.0, 50.0),
            value: Value::Number(0.0),
        };
        let drag = |x: f32, snap| mapper.drag(&from, Vector2::new(x, 50.0), from.value, snap);
        assert_eq!(drag(20.0, false), Value::Number(0.2));
        assert_eq!(drag(-40.0, false), Value::Number(0.0));
        assert_eq!(drag(21.0, true), Value::Number(0.2));
    }

    #[test]
    fn progress_follows_the_mouse_along_the_path() {
        let corner = [(0.0, 0.0, 0.0), (50.0, 0.0, 100.0), (50.0, 50.0, 200.0)];
        let places = corner.map(|(x, y, at)| (Vector2::new(x, y), at)).to_vec();
        let unit = Unit::Pixels;
        let mapper = DragMapper::Along { places, unit };
        let start = Value::Number(60.0);
        let from = DragStart {
            press: Vector2::new(30.0, 4.0),
            value: start,
        };
        let drag = |x, y, snap| mapper.drag(&from, Vector2::new(x, y), start, snap);
        assert_eq!(drag(30.0, 4.0, false), start);
        assert_eq!(drag(40.0, -9.0, false), Value::Number(80.0));
        assert_eq!(drag(60.0, 25.0, false), Value::Number(150.0));
        assert_eq!(drag(60.0, 25.0, true), Value::Number(152.0));
    }

    #[test]
    fn places_move_with_the_mouse_in_a_mirrored_frame() {
        let mapper = DragMapper::Position { view: view() };
        let start = Value::Position(Vector2::new(7.0, 9.0));
        let from = DragStart {
            press: Vector2::new(10.0, 10.0),
            value: start,
        };
        let place = mapper.drag(&from, Vector2::new(20.0, 30.0), start, false);
        assert_eq!(place, Value::Position(Vector2::new(2.0, 19.0)));
        let place = mapper.drag(&from, Vector2::new(20.0, 30.0), start, true);
        assert_eq!(place, Value::Position(Vector2::new(0.0, 16.0)));
    }
}
