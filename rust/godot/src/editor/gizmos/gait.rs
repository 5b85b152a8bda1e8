//! Where the feet of a gait are at home, how far they may be from there until they step, and how high the
//! pelvis is over them.

use godot::prelude::*;
use tendon_solver::GaitHomes;
use tendon_solver::glam::Vec2;

use crate::editor::gizmos::palette::{Palette, faded};
use crate::editor::gizmos::sketch::{Layer, Pattern, Sketch, Stroke, solid};
use crate::editor::gizmos::view::View;

/// Half of the height of the marks at both ends, and the radius of a home, in pixels of the screen.
const MARK: f32 = 5.0;
const HOME: f32 = 4.0;

/// Draws the homes and the height.
pub(super) fn draw(homes: &GaitHomes, view: &View, palette: &Palette, sketch: &mut Sketch) {
    let width = 1.5 * view.scale;
    let line = solid(palette.bone, width);
    let [ground, top] = homes.height.map(|place| view.at(place));
    let up = (top - ground).try_normalized().unwrap_or(Vector2::UP);
    let mark = up * (MARK * view.scale);
    for feet in &homes.feet {
        let [first, home, last] = feet.map(|place: Vec2| view.at(place));
        sketch.line(Layer::Link, vec![first, last], line);
        for end in [first, last] {
            sketch.line(Layer::Link, vec![end - mark, end + mark], line);
        }
        sketch.ring(Layer::Point, home, HOME * view.scale, line);
    }
    let height = Stroke {
        colour: faded(palette.bone, 0.7),
        width,
        pattern: Pattern::Dashed,
    };
    sketch.line(Layer::Link, vec![ground, top], height);
    let across = up.orthogonal() * (2.0 * MARK * view.scale);
    sketch.line(Layer::Link, vec![top - across, top + across], line);
}
