//! Where a chain lies along its path: the place where it begins, with a handle for the progress. The
//! engine draws the path itself.

use godot::prelude::*;

use crate::gizmos::handle::HandleLook;
use crate::gizmos::handle::drag_mapper::DragMapper;
use crate::gizmos::handle::property::{HandleValue, Property};
use crate::gizmos::kinds::geometry::{Geometry, LaidPath};
use crate::gizmos::pen::Pen;
use crate::gizmos::sketch::{DashPattern, Layer};

/// The distance from the handle of the progress to its place, in pixels of the editor's design.
const BESIDE: f32 = 20.0;

/// Draws how the chain of `geometry` lies along `path`, with a handle for the progress.
pub(in crate::gizmos) fn draw(
    path: &LaidPath,
    geometry: &Geometry,
    colour: Color,
    pen: &mut Pen<'_>,
) {
    let entry = pen.view.at(path.entry);
    if let Some([root, _]) = geometry.segments.first() {
        let lead_in = pen.stroke(colour.with_alpha(0.7), 1.5, DashPattern::Dashed);
        pen.line(Layer::Link, [*root, path.entry], lead_in);
    }
    let (rim, radius) = (pen.solid(colour, 1.5), pen.pixels(6.0));
    pen.sketch.ring(Layer::Point, entry, radius, rim);
    if pen.node.is_none() {
        return;
    }
    // Beside the first point of the path, which has a handle of its own.
    let beside = Vector2::new(0.0, -pen.pixels(BESIDE));
    let knob = entry + beside;
    pen.sketch.line(Layer::Link, vec![entry, knob], rim);
    let places = path.places.iter();
    let places = places.map(|&(place, at)| (pen.view.at(place) + beside, at));
    let mapper = DragMapper::Along(places.collect());
    let (look, value) = (
        (HandleLook::Knob, pen.palette.bone),
        HandleValue::Number(path.progress),
    );
    pen.handle(Property::Progress, knob, look, value, mapper);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gizmos::sketch::Sketch;
    use crate::gizmos::view::View;
    use tendon_solver::glam::Vec2;

    #[test]
    fn the_handle_is_beside_where_the_chain_begins() {
        let geometry = Geometry {
            segments: vec![[Vec2::ZERO, Vec2::new(40.0, 0.0)]],
            ends: Vec::new(),
            bend: None,
            path: None,
            extent: None,
            root_reach: None,
            obstacles: Vec::new(),
            footholds: None,
            body: None,
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
        let sketch = Sketch::drawn(view, |pen| draw(&path, &geometry, Color::WHITE, pen));
        let handle = &sketch.handles[0];
        assert_eq!(handle.at, Vector2::new(-80.0, 20.0 - BESIDE));
        assert_eq!(handle.value, HandleValue::Number(20.0));
    }
}
