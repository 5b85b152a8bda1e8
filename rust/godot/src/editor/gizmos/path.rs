//! Where a chain lies along its path: the place where it begins, with a handle for the progress. The
//! engine draws the path itself.

use godot::prelude::*;

use crate::editor::gizmos::gauge::Gauge;
use crate::editor::gizmos::geometry::{Geometry, LaidPath};
use crate::editor::gizmos::handle::{Handle, Key, Look};
use crate::editor::gizmos::palette::{Palette, faded};
use crate::editor::gizmos::property::{Property, Unit, Value};
use crate::editor::gizmos::sketch::{Layer, Pattern, Sketch, Stroke, solid};
use crate::editor::gizmos::view::View;

/// How far the handle of the progress is from its place, in pixels of the editor's design.
const BESIDE: f32 = 20.0;

/// Draws how the chain of `geometry` lies along `path`, with a handle for the progress of `node` if
/// it is given.
pub(super) fn draw(
    path: &LaidPath,
    geometry: &Geometry,
    node: Option<InstanceId>,
    view: &View,
    palette: &Palette,
    colour: Color,
    sketch: &mut Sketch,
) {
    let scale = view.scale;
    let entry = view.at(path.entry);
    if let Some([root, _]) = geometry.segments.first() {
        let lead_in = Stroke {
            colour: faded(colour, 0.7),
            width: 1.5 * scale,
            pattern: Pattern::Dashed,
        };
        sketch.line(Layer::Link, vec![view.at(*root), entry], lead_in);
    }
    sketch.ring(Layer::Point, entry, 6.0 * scale, solid(colour, 1.5 * scale));
    if let Some(node) = node {
        // Beside the first point of the path, which has a handle of its own.
        let beside = Vector2::new(0.0, -BESIDE * scale);
        let knob = entry + beside;
        sketch.line(Layer::Link, vec![entry, knob], solid(colour, 1.5 * scale));
        let places = path.places.iter();
        sketch.handle(Handle {
            key: Key {
                node,
                property: Property::Progress,
            },
            at: knob,
            look: Look::Knob,
            colour: palette.bone,
            value: Value::Number(path.progress),
            gauge: Gauge::Along {
                places: places
                    .map(|(place, at)| (view.at(*place) + beside, *at))
                    .collect(),
                unit: Unit::Pixels,
            },
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tendon_solver::glam::Vec2;

    #[test]
    fn the_handle_is_beside_where_the_chain_begins() {
        let geometry = Geometry {
            segments: vec![[Vec2::ZERO, Vec2::new(40.0, 0.0)]],
            ends: Vec::new(),
            bend: None,
            path: None,
            spring: None,
            extent: None,
            obstacles: Vec::new(),
            motion: None,
            turning: None,
            footholds: None,
        };
        let path = LaidPath {
            entry: Vec2::new(40.0, 10.0),
            progress: 20.0,
            places: vec![(Vec2::new(20.0, 10.0), 0.0), (Vec2::new(60.0, 10.0), 40.0)],
        };
        let view = View {
            to_screen: Transform2D::IDENTITY.scaled(Vector2::new(-2.0, 2.0)),
            scale: 1.0,
        };
        let mut sketch = Sketch::default();
        let node = Some(InstanceId::from_i64(1));
        let palette = Palette::plain();
        draw(
            &path,
            &geometry,
            node,
            &view,
            &palette,
            Color::WHITE,
            &mut sketch,
        );
        let handle = &sketch.handles[0];
        assert_eq!(handle.at, Vector2::new(-80.0, 20.0 - BESIDE));
        assert_eq!(handle.value, Value::Number(20.0));
    }
}
