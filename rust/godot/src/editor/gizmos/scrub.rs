//! The range of a slider's source: from `source_min` (ring) to `source_max` (disc), with a handle for
//! each, and where the source is now. Rotations are on a dial, which becomes a spiral beyond a turn.

use std::f32::consts::{PI, TAU};

use godot::classes::Node2D;
use godot::prelude::*;
use tendon_solver::Channel;

use crate::editor::gizmos::gauge::Gauge;
use crate::editor::gizmos::handle::{Handle, Key, Look};
use crate::editor::gizmos::palette::{Palette, faded};
use crate::editor::gizmos::property::{Property, Unit, Value};
use crate::editor::gizmos::shown_limits::frame_above;
use crate::editor::gizmos::sketch::{Layer, Sketch, solid};
use crate::editor::gizmos::view::View;
use crate::nodes::slider::TendonSlider2D;

/// The radius of the dial, and how much farther out the next turn is, in pixels of the editor's design.
const RADIUS: f32 = 44.0;
const TURN: f32 = 9.0;

/// Turns that are drawn at most.
const MOST_TURNS: f32 = 8.0;

/// Radians between two points of the dial.
const STEP: f32 = 0.1;

/// How long a scale of 1 is, in pixels of the editor's design.
const UNIT: f32 = 44.0;

/// How far a handle may be dragged beyond the range: pixels, and factors.
const MORE_PIXELS: f32 = 2000.0;
const MORE_FACTORS: f32 = 8.0;

/// What a slider reads, and from where to where.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Scrubbed {
    /// What the source is placed in, on its canvas.
    pub(super) above: Transform2D,
    position: Vector2,
    rotation: f32,
    scale: Vector2,
    channel: Channel,
    range: [f32; 2],
}

impl Scrubbed {
    /// What the slider with the id `node` reads. `None` if it is no slider, or has no source.
    pub(super) fn of(node: InstanceId) -> Option<Self> {
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

    fn unit(&self) -> Unit {
        match self.channel {
            Channel::Rotation => Unit::Turn,
            Channel::PositionX | Channel::PositionY => Unit::Pixels,
            Channel::ScaleX | Channel::ScaleY => Unit::Factor,
        }
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

    /// What a handle at `value` can be dragged to: once round, or far enough on a line.
    fn room(&self, value: f32, view: &View) -> Vec<(Vector2, f32)> {
        let steps = (TAU / STEP).ceil() as u16;
        let values: Vec<f32> = match self.unit() {
            Unit::Pixels => vec![value - MORE_PIXELS, value + MORE_PIXELS],
            Unit::Factor => vec![value - MORE_FACTORS, value + MORE_FACTORS],
            _ => { 0..=steps }
                .map(|step| value - PI + TAU * f32::from(step) / f32::from(steps))
                .collect(),
        };
        let centre = view.to_screen * self.position;
        let place = |at: f32| match self.unit() {
            // On the circle of the handle, wherever the spiral goes.
            Unit::Turn => {
                let part = self.radius_at(value) / self.radius_at(at);
                centre + (self.place(at, view) - centre) * part
            }
            _ => self.place(at, view),
        };
        values.iter().map(|&at| (place(at), at)).collect()
    }

    /// Draws the range and the source, with handles for the properties of `node` if it is given.
    pub(super) fn draw(
        &self,
        node: Option<InstanceId>,
        view: &View,
        palette: &Palette,
        sketch: &mut Sketch,
    ) {
        let width = 1.5 * view.scale;
        let radius = 3.5 * view.scale;
        let values = self.values();
        let points: Vec<_> = values.iter().map(|&at| self.place(at, view)).collect();
        let (Some(&start), Some(&end)) = (points.first(), points.last()) else {
            return;
        };
        let stroke = solid(palette.bound, width);
        let centre = view.to_screen * self.position;
        if self.unit() != Unit::Pixels {
            let spoke = solid(faded(palette.bound, 0.5), width);
            sketch.line(Layer::Ring, vec![centre, start], spoke);
            sketch.line(Layer::Ring, vec![centre, end], spoke);
        }
        sketch.line(Layer::Ring, points, stroke);
        sketch.ring(Layer::Ring, start, radius, stroke);
        sketch.disc(Layer::Ring, end, radius, palette.bound);
        let now = match self.channel {
            Channel::Rotation => self.nearest_turn(),
            Channel::PositionX => self.position.x,
            Channel::PositionY => self.position.y,
            Channel::ScaleX => self.scale.x,
            Channel::ScaleY => self.scale.y,
        };
        let now = self.place(now, view);
        sketch.line(Layer::Link, vec![centre, now], solid(palette.bone, width));
        sketch.disc(Layer::Point, now, radius, palette.bone);
        if let Some(node) = node {
            let unit = self.unit();
            let [min, max] = self.range;
            let mut add = |property, at, value, look| {
                sketch.handle(Handle {
                    key: Key { node, property },
                    at,
                    look,
                    colour: palette.bound,
                    value: Value::Number(value),
                    gauge: Gauge::Along {
                        places: self.room(value, view),
                        unit,
                    },
                });
            };
            add(Property::SourceMin(unit), start, min, Look::Hollow);
            add(Property::SourceMax(unit), end, max, Look::Knob);
        }
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
    use crate::editor::gizmos::gauge::Grip;

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
        let mut sketch = Sketch::default();
        let node = Some(InstanceId::from_i64(1));
        scrubbed.draw(node, &view(), &Palette::plain(), &mut sketch);
        sketch
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
