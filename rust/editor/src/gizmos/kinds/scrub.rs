//! The range of a slider's source: from `source_min` (ring) to `source_max` (disc), with a handle for
//! each, and where the source is now. Rotations are on a dial, which becomes a spiral beyond a turn.

use std::f32::consts::{PI, TAU};

use godot::classes::Node2D;
use godot::prelude::*;
use tendon_nodes::engine::space::frame_above;
use tendon_nodes::nodes::slider::TendonSlider2D;
use tendon_solver::Channel;

use crate::gizmos::handle::gauge::{Gauge, STEP};
use crate::gizmos::handle::property::{Property, Unit};
use crate::gizmos::pen::Pen;
use crate::gizmos::sketch::Layer;
use crate::gizmos::view::View;

/// The radius of the dial, and how much farther out the next turn is, in pixels of the editor's design.
const RADIUS: f32 = 44.0;
const TURN: f32 = 9.0;

/// Turns that are drawn at most.
const MOST_TURNS: f32 = 8.0;

/// How long a scale of 1 is, in pixels of the editor's design.
const UNIT: f32 = 44.0;

/// What a slider reads, and from where to where.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::gizmos) struct Scrubbed {
    /// What the source is placed in, on its canvas.
    pub(in crate::gizmos) above: Transform2D,
    position: Vector2,
    rotation: f32,
    scale: Vector2,
    channel: Channel,
    range: [f32; 2],
}

impl Scrubbed {
    /// What the slider with the id `node` reads. `None` if it is no slider, or has no source.
    pub(in crate::gizmos) fn of(node: InstanceId) -> Option<Self> {
        let slider = Gd::<TendonSlider2D>::try_from_instance_id(node).ok()?;
        let (source, channel, range): (Gd<Node2D>, _, _) = slider.bind().scrubbed()?;
        source.is_inside_tree().then(|| Self {
            above: source.get_canvas_transform() * frame_above(&source),
            position: source.get_position(),
            rotation: source.get_rotation(),
            scale: source.get_scale(),
            channel,
            range,
        })
    }

    /// Where `value` is shown, as the source's frame is seen.
    fn place(&self, value: f32, view: &View) -> Vector2 {
        let pixel = view.scale / view.zoom().max(f32::MIN_POSITIVE);
        let Vector2 { x, y } = self.position;
        let along = |direction: Vector2, length: f32| self.position + direction * length * pixel;
        let axis = Vector2::from_angle(self.rotation);
        view.to_screen
            * match self.channel {
                Channel::Rotation => along(Vector2::from_angle(value), self.radius_at(value)),
                Channel::PositionX => Vector2::new(value, y),
                Channel::PositionY => Vector2::new(x, value),
                Channel::ScaleX => along(axis, UNIT * value),
                Channel::ScaleY => along(axis.orthogonal() * -1.0, UNIT * value),
            }
    }

    /// How far out on the dial `value` is.
    fn radius_at(&self, value: f32) -> f32 {
        RADIUS + TURN * (value - self.range[0]).abs() / TAU
    }

    /// Values from one end of the range to the other.
    fn values(&self) -> Vec<f32> {
        let [first, last] = self.range;
        let most = MOST_TURNS * TAU;
        let sweep = (last - first).clamp(-most, most);
        let steps = match self.channel {
            Channel::Rotation => (sweep.abs() / STEP).ceil().max(1.0) as u16,
            _ => 1,
        };
        let at = |step: u16| first + sweep * f32::from(step) / f32::from(steps);
        (0..=steps).map(at).collect()
    }

    /// How a handle at `value` is dragged: once round, or far enough on a line.
    fn gauge(&self, value: f32, unit: Unit, view: &View) -> Gauge {
        let centre = view.to_screen * self.position;
        let (values, radius) = match unit {
            // On the circle of the handle, wherever the spiral goes.
            Unit::Turn => (unit.room(value - PI, value), Some(self.radius_at(value))),
            _ => (unit.room(value, value), None),
        };
        let place = |at: f32| match radius {
            Some(radius) => {
                let part = radius / self.radius_at(at);
                centre + (self.place(at, view) - centre) * part
            }
            None => self.place(at, view),
        };
        Gauge::Along {
            places: values.into_iter().map(|at| (place(at), at)).collect(),
            unit,
        }
    }

    /// Draws the range and the source, with handles.
    pub(in crate::gizmos) fn draw(&self, pen: &mut Pen<'_>) {
        let view = pen.view;
        let unit = Unit::of(self.channel);
        let points: Vec<_> = self
            .values()
            .iter()
            .map(|&at| self.place(at, &view))
            .collect();
        let (Some(&start), Some(&end)) = (points.first(), points.last()) else {
            return;
        };
        let centre = view.to_screen * self.position;
        if unit != Unit::Pixels {
            let spoke = pen.solid(pen.palette.bound.with_alpha(0.5), 1.5);
            pen.sketch.line(Layer::Ring, vec![centre, start], spoke);
            pen.sketch.line(Layer::Ring, vec![centre, end], spoke);
        }
        let [min, max] = self.range.map(|value| self.gauge(value, unit, &view));
        let [first, last] = self.range;
        let ends = [
            (Property::SourceMin(unit), first, min),
            (Property::SourceMax(unit), last, max),
        ];
        pen.range(points, ends);
        let now = match self.channel {
            Channel::Rotation => self.nearest_turn(),
            Channel::PositionX => self.position.x,
            Channel::PositionY => self.position.y,
            Channel::ScaleX => self.scale.x,
            Channel::ScaleY => self.scale.y,
        };
        let now = self.place(now, &view);
        let (bone, radius) = (pen.palette.bone, pen.pixels(3.5));
        let needle = pen.solid(bone, 1.5);
        pen.sketch.line(Layer::Link, vec![centre, now], needle);
        pen.sketch.disc(Layer::Point, now, radius, bone);
    }

    /// The rotation with the number of turns that is nearest to the middle of the range.
    fn nearest_turn(&self) -> f32 {
        let [first, last] = self.range;
        let turns = ((0.5 * (first + last) - self.rotation) / TAU).round();
        self.rotation + TAU * turns
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gizmos::handle::gauge::Grip;
    use crate::gizmos::handle::property::Value;
    use crate::gizmos::sketch::Sketch;

    fn view() -> View {
        View {
            to_screen: Transform2D::IDENTITY.scaled(Vector2::new(-2.0, 2.0)),
            scale: 1.0,
        }
    }

    fn sketch(channel: Channel, range: [f32; 2]) -> Sketch {
        let scrubbed = Scrubbed {
            above: Transform2D::IDENTITY,
            position: Vector2::new(10.0, 20.0),
            rotation: 0.5,
            scale: Vector2::new(1.5, 1.0),
            channel,
            range,
        };
        Sketch::drawn(view(), |pen| scrubbed.draw(pen))
    }

    fn drag(sketch: &Sketch, handle: usize, way: Vector2) -> f32 {
        let handle = &sketch.handles[handle];
        let grip = Grip {
            press: handle.at,
            start: handle.value,
        };
        match handle
            .gauge
            .drag(&grip, handle.at + way, handle.value, false)
        {
            Value::Number(number) => number,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_dial_has_the_angles_of_the_source() {
        let sketch = sketch(Channel::Rotation, [0.0, PI / 2.0]);
        let centre = Vector2::new(-20.0, 40.0);
        let [start, end] = [0, 1].map(|index| sketch.handles[index].at);
        // Mirrored by the view.
        assert!((start - centre).angle_to(Vector2::LEFT).abs() < 1e-3);
        assert!((end - centre).angle_to(Vector2::DOWN).abs() < 1e-3);
        let way = (end - centre).rotated(-0.3) - (end - centre);
        let dragged = drag(&sketch, 1, way);
        assert!((dragged - (PI / 2.0 + 0.3)).abs() < 0.01, "{dragged}");
    }

    #[test]
    fn more_than_a_turn_is_a_spiral() {
        let sketch = sketch(Channel::Rotation, [0.0, 2.5 * TAU]);
        let centre = Vector2::new(-20.0, 40.0);
        let [start, end] = [0, 1].map(|index| sketch.handles[index].at.distance_to(centre));
        assert!((start - RADIUS).abs() < 1e-2 && (end - RADIUS - 2.5 * TURN).abs() < 1e-2);
        let dragged = drag(&sketch, 1, Vector2::new(0.0, -5.0));
        assert!(
            (dragged - 2.5 * TAU).abs() < 0.2,
            "the turns stay: {dragged}"
        );
    }

    #[test]
    fn a_position_goes_along_its_axis() {
        let sketch = sketch(Channel::PositionY, [0.0, 50.0]);
        assert_eq!(sketch.handles[1].at, Vector2::new(-20.0, 100.0));
        assert_eq!(drag(&sketch, 1, Vector2::new(7.0, 20.0)), 60.0);
    }
}
