//! A joint limit as a fan around the joint, between the directions that the bone may have, with a
//! handle at each edge.

use std::f32::consts::TAU;

use godot::prelude::*;
use tendon_solver::Limit;

use crate::gizmos::handle::HandleLook;
use crate::gizmos::handle::drag_mapper::DragMapper;
use crate::gizmos::handle::property::{HandleValue, Property};
use crate::gizmos::limit_arc::LimitArc;
use crate::gizmos::pen::Pen;
use crate::gizmos::sketch::Layer;

/// The part of the bone's length that the fan covers, and its least and greatest radius in pixels of
/// the editor's design.
const SHARE: f32 = 0.55;
const LEAST_RADIUS: f32 = 16.0;
const GREATEST_RADIUS: f32 = 80.0;
/// The least radius of a fan with handles, so that they do not cover it.
const HANDY_RADIUS: f32 = 30.0;

impl LimitArc {
    /// The radius of the fan, in the parent's units. `None` where nothing could be seen.
    fn radius(&self, has_handles: bool) -> Option<f32> {
        let (zoom, scale) = (self.view.zoom(), self.view.scale);
        let least = if has_handles {
            HANDY_RADIUS
        } else {
            LEAST_RADIUS
        };
        let length = self.axis.length() * SHARE * zoom / scale;
        let radius = length.clamp(least, GREATEST_RADIUS) * scale / zoom;
        radius.is_finite().then_some(radius)
    }

    /// Returns `true` if there is room for handles without making the fan larger than it would be.
    pub(in crate::gizmos) fn has_room(&self) -> bool {
        self.axis.length() * SHARE * self.view.zoom() >= HANDY_RADIUS * 0.75 * self.view.scale
    }

    /// The rim of the fan, from the least angle to the greatest. A whole turn at most.
    fn rim(&self, radius: f32) -> Vec<Vector2> {
        let from = self.limit.min;
        let span = (self.limit.max - from).clamp(-TAU, TAU);
        let count = self.view.arc(radius, 0.0, span).len().max(3) - 1;
        let angle = |index: usize| from + span * index as f32 / count as f32;
        let points = (0..=count).map(|index| self.spoke(radius, self.rotation_at(angle(index))));
        points.collect()
    }

    /// Draws the fan, with handles.
    pub(in crate::gizmos) fn draw(&self, is_faint: bool, pen: &mut Pen<'_>) {
        let Some(radius) = self.radius(pen.node.is_some()) else {
            return;
        };
        let colour = if self.counts {
            pen.palette.bone
        } else {
            pen.palette.idle
        };
        let opacity = if is_faint { 0.45 } else { 0.9 };
        let joint = self.view.to_screen.origin;
        let rim = self.rim(radius);
        let (Some(&first), Some(&last)) = (rim.first(), rim.last()) else {
            return;
        };
        let mut fan = vec![joint];
        fan.extend(&rim);
        pen.sketch
            .area(fan, colour.with_alpha(if is_faint { 0.08 } else { 0.2 }));
        let edge = pen.solid(colour.with_alpha(opacity), 1.5);
        let is_whole = (self.limit.max - self.limit.min).abs() >= TAU;
        if !is_whole {
            pen.sketch.line(Layer::Ring, vec![joint, first], edge);
            pen.sketch.line(Layer::Ring, vec![joint, last], edge);
        }
        pen.sketch.line(Layer::Ring, rim, edge);
        // Where the bone points now.
        let needle = pen.solid(pen.palette.bound.with_alpha(opacity), 2.0);
        let tip = self.spoke(radius, self.rotation);
        pen.sketch.line(Layer::Ring, vec![joint, tip], needle);
        self.add_handles([first, last], colour, pen);
    }

    fn add_handles(&self, ends: [Vector2; 2], colour: Color, pen: &mut Pen<'_>) {
        let Limit { min, max, .. } = self.limit;
        let edges = [
            (Property::MinAngle, min, [max - TAU, max]),
            (Property::MaxAngle, max, [min, min + TAU]),
        ];
        for ((property, angle, room), at) in edges.into_iter().zip(ends) {
            // A limit whose angles are swapped can be corrected.
            let room = if room[0] <= angle && angle <= room[1] {
                room
            } else {
                [-2.0 * TAU, 2.0 * TAU]
            };
            let arc = self.clone();
            let (look, value) = ((HandleLook::Knob, colour), HandleValue::Number(angle));
            pen.handle(property, at, look, value, DragMapper::Angle { arc, room });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gizmos::handle::drag_mapper::DragStart;
    use crate::gizmos::sketch::Sketch;
    use crate::gizmos::view::View;
    use std::f32::consts::FRAC_PI_2;
    use tendon_solver::LimitSpace;
    use tendon_solver::math::angle::shortest_way;

    /// Parents: plain, mirrored, and mirrored, stretched and skewed.
    fn frames() -> [Transform2D; 3] {
        let frame = |a: [f32; 2], b: [f32; 2]| {
            let [a, b] = [a, b].map(|[x, y]| Vector2::new(x, y));
            Transform2D::from_cols(a, b, Vector2::new(200.0, 100.0))
        };
        [
            frame([1.0, 0.0], [0.0, 1.0]),
            frame([-1.0, 0.0], [0.0, 1.0]),
            frame([-2.0, 0.4], [0.7, 0.6]),
        ]
    }

    fn arc(frame: Transform2D, space: LimitSpace) -> LimitArc {
        LimitArc {
            view: View {
                to_screen: frame,
                scale: 1.0,
            },
            // The space of the screen serves as that of the skeleton.
            in_skeleton: frame,
            limit: Limit {
                space,
                ..Limit::around(0.5, -0.3, 0.8)
            },
            counts: true,
            rotation: 0.6,
            axis: Vector2::new(10.0, 40.0),
        }
    }

    fn place_of(arc: &LimitArc, angle: f32) -> Vector2 {
        arc.spoke(33.0, arc.rotation_at(angle))
    }

    #[test]
    fn an_angle_is_read_where_it_is_drawn() {
        for frame in frames() {
            for space in [LimitSpace::Parent, LimitSpace::Skeleton] {
                let arc = arc(frame, space);
                for angle in [-1.4, -0.3, 0.0, 0.8, 2.0] {
                    let read = arc.angle_at(place_of(&arc, angle)).unwrap();
                    assert!(
                        shortest_way(angle, read).abs() < 1e-4,
                        "{space:?}: {read}, {angle}"
                    );
                }
            }
        }
    }

    #[test]
    fn a_dragged_edge_follows_the_mouse() {
        for frame in frames() {
            for space in [LimitSpace::Parent, LimitSpace::Skeleton] {
                let arc = arc(frame, space);
                let mapper = DragMapper::Angle {
                    arc: arc.clone(),
                    room: [-0.3, 4.0],
                };
                let from = DragStart {
                    press: place_of(&arc, 0.8),
                    value: HandleValue::Number(0.8),
                };
                let mut value = from.value;
                for step in 0..20 {
                    let place = place_of(&arc, 0.8 + 0.1 * step as f32);
                    value = mapper.drag(&from, place, value, false);
                }
                // Beyond half a turn, and in tenths of a degree.
                let HandleValue::Number(angle) = value else {
                    panic!("{value:?}");
                };
                assert!((angle - 2.7).abs() < 2e-3, "{space:?}: {angle}");
                let HandleValue::Number(snapped) =
                    mapper.drag(&from, place_of(&arc, 1.5), value, true)
                else {
                    panic!("not a number");
                };
                assert!((snapped - FRAC_PI_2).abs() < 1e-4, "{snapped}");
            }
        }
    }

    #[test]
    fn one_edge_does_not_pass_the_other() {
        let arc = arc(frames()[0], LimitSpace::Parent);
        let sketch = Sketch::drawn(arc.view, |pen| arc.draw(false, pen));
        let [least, greatest] = &sketch.handles[..] else {
            panic!("{:?}", sketch.handles);
        };
        for (handle, beyond, end) in [(least, 1.5, 0.8), (greatest, -1.0, -0.3)] {
            let from = DragStart {
                press: handle.at,
                value: handle.value,
            };
            let place = place_of(&arc, beyond);
            let value = handle.mapper.drag(&from, place, handle.value, false);
            assert_eq!(value, HandleValue::Number(end));
        }
    }

    #[test]
    fn the_needle_points_where_the_bone_does() {
        for frame in frames() {
            let arc = arc(frame, LimitSpace::Parent);
            let end = arc.view.to_screen * arc.axis.rotated(arc.rotation);
            let joint = arc.view.to_screen.origin;
            let needle = arc.spoke(10.0, arc.rotation) - joint;
            assert!(needle.cross(end - joint).abs() < 1e-2 * needle.length());
            assert!(needle.dot(end - joint) > 0.0);
        }
    }
}
