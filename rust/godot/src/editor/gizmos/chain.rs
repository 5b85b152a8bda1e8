//! A modifier's bones, tips and targets, in the colour of its status.

use godot::prelude::*;

use crate::editor::gizmos::geometry::{Bend, End, Geometry};
use crate::editor::gizmos::palette::{Palette, faded};
use crate::editor::gizmos::sketch::{Layer, Pattern, Sketch, Stroke, solid};
use crate::editor::gizmos::view::View;
use crate::engine::space::to_godot;

/// Draws the bones of `geometry` from joint to joint. Along a path there are no marks at the joints:
/// they would look like the handles of its points.
pub(super) fn draw_bones(
    geometry: &Geometry,
    view: &View,
    palette: &Palette,
    is_faint: bool,
    sketch: &mut Sketch,
) {
    let opacity = if is_faint { 0.5 } else { 0.95 };
    let width = if is_faint { 2.0 } else { 3.0 };
    let stroke = solid(faded(palette.bone, opacity), width * view.scale);
    for segment in &geometry.segments {
        let points = segment.map(|point| view.at(point)).to_vec();
        sketch.line(Layer::Bone, points, stroke);
    }
    if geometry.path.is_some() {
        return;
    }
    let rim = solid(faded(palette.bone, opacity), 1.5 * view.scale);
    let fill = faded(palette.shade, 0.7 * opacity);
    let radius = if is_faint { 2.5 } else { 4.0 };
    for segment in &geometry.segments {
        let joint = view.at(segment[0]);
        sketch.disc(Layer::Bone, joint, radius * view.scale, fill);
        sketch.ring(Layer::Bone, joint, radius * view.scale, rim);
    }
}

/// Draws a tip and, if it has one, its target, with the line between them.
pub(super) fn draw_end(end: &End, view: &View, colour: Color, is_faint: bool, sketch: &mut Sketch) {
    let (opacity, width, radius) = if is_faint {
        (0.4, 1.0, 3.0)
    } else {
        (1.0, 1.5, 4.5)
    };
    let colour = faded(colour, opacity);
    let tip = view.at(end.tip);
    if let Some(target) = end.target.map(|target| view.at(target)) {
        let line = Stroke {
            colour: faded(colour, 0.8 * opacity),
            width: width * view.scale,
            pattern: Pattern::Dashed,
        };
        sketch.line(Layer::Link, vec![tip, target], line);
        draw_target(target, view.scale, colour, sketch);
    }
    sketch.disc(Layer::Point, tip, radius * view.scale, colour);
}

/// A ring with four ticks.
fn draw_target(at: Vector2, scale: f32, colour: Color, sketch: &mut Sketch) {
    let stroke = solid(colour, 1.5 * scale);
    let radius = 8.0 * scale;
    sketch.ring(Layer::Point, at, radius, stroke);
    for direction in [Vector2::RIGHT, Vector2::DOWN, Vector2::LEFT, Vector2::UP] {
        let ends = [0.6, 1.6].map(|share| at + direction * (radius * share));
        sketch.line(Layer::Point, ends.to_vec(), stroke);
    }
}

/// Draws which way a limb bends: an arrow at its middle, and a line to its pole. Returns where the
/// arrow is.
pub(super) fn draw_bend(
    bend: &Bend,
    end: &End,
    view: &View,
    palette: &Palette,
    sketch: &mut Sketch,
) -> Option<Vector2> {
    let scale = view.scale;
    let colour = faded(palette.bone, 0.9);
    if let Some(pole) = bend.pole {
        let ends = [bend.middle, pole].map(|point| view.at(point));
        draw_pole(ends, scale, colour, sketch);
    }
    let towards = view.to_screen.basis_xform(to_godot(bend.towards));
    let towards = towards.try_normalized()?;
    let [root, tip] = [bend.root, end.tip].map(|point| view.at(point));
    let middle = view.at(bend.middle);
    // On the line from root to tip, below the middle joint: where it would be if the limb were
    // straight.
    let along = tip - root;
    let share = match along.length_squared() {
        0.0 => 0.0,
        square => ((middle - root).dot(along) / square).clamp(0.2, 0.8),
    };
    let base = root + along * share;
    let line = Stroke {
        colour: faded(colour, 0.45),
        width: scale,
        pattern: Pattern::Dashed,
    };
    sketch.line(Layer::Link, vec![root, tip], line);
    draw_arrow(base, towards, scale, colour, sketch);
    let place = base + towards * (8.0 * scale);
    place.is_finite().then_some(place)
}

/// An arrow from `base` into the direction `towards`.
fn draw_arrow(base: Vector2, towards: Vector2, scale: f32, colour: Color, sketch: &mut Sketch) {
    let across = towards.orthogonal();
    let arrow = [
        (0.0, 0.0),
        (14.0, 0.0),
        (8.0, 6.0),
        (14.0, 0.0),
        (8.0, -6.0),
    ];
    let points = arrow.map(|(along, aside)| base + (towards * along + across * aside) * scale);
    sketch.line(Layer::Link, points.to_vec(), solid(colour, 2.0 * scale));
}

/// A line from the middle joint to the pole, and a diamond at the pole.
fn draw_pole([middle, at]: [Vector2; 2], scale: f32, colour: Color, sketch: &mut Sketch) {
    let line = Stroke {
        colour: faded(colour, 0.7),
        width: 1.5 * scale,
        pattern: Pattern::Dotted,
    };
    sketch.line(Layer::Link, vec![middle, at], line);
    let corners = [Vector2::RIGHT, Vector2::DOWN, Vector2::LEFT, Vector2::UP];
    let mut points = corners.map(|corner| at + corner * (7.0 * scale)).to_vec();
    points.push(points[0]);
    sketch.line(Layer::Point, points, solid(colour, 1.75 * scale));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::editor::gizmos::sketch::Mark;
    use tendon_solver::Status;
    use tendon_solver::glam::Vec2;

    fn view() -> View {
        View {
            to_screen: Transform2D::IDENTITY,
            scale: 2.0,
        }
    }

    #[test]
    fn the_tip_has_the_colour_of_the_status() {
        let palette = Palette::plain();
        let end = End {
            tip: Vec2::ZERO,
            target: Some(Vec2::new(50.0, 0.0)),
        };
        let mut seen = Vec::new();
        for status in [
            Status::Idle,
            Status::Reached,
            Status::OutOfReach,
            Status::Invalid,
        ] {
            let mut sketch = Sketch::default();
            let colour = palette.of_status(status);
            draw_end(&end, &view(), colour, false, &mut sketch);
            let marks = sketch.marks();
            let Some(Mark::Disc { fill, .. }) = marks.last() else {
                panic!("{marks:?}");
            };
            assert_eq!(*fill, colour);
            assert!(!seen.contains(fill), "{status:?} looks like another");
            seen.push(*fill);
        }
    }

    #[test]
    fn a_target_that_is_not_finite_leaves_the_tip() {
        let end = End {
            tip: Vec2::ZERO,
            target: Some(Vec2::NAN),
        };
        let mut sketch = Sketch::default();
        draw_end(&end, &view(), Color::WHITE, false, &mut sketch);
        assert!(matches!(sketch.marks()[..], [Mark::Disc { .. }]));
    }

    #[test]
    fn a_straight_limb_shows_where_it_would_bend() {
        let bend = Bend {
            root: Vec2::ZERO,
            middle: Vec2::new(40.0, 0.0),
            towards: Vec2::new(0.0, 900.0),
            pole: None,
        };
        let end = End {
            tip: Vec2::new(80.0, 0.0),
            target: Some(Vec2::new(80.0, 0.0)),
        };
        let mut sketch = Sketch::default();
        draw_bend(&bend, &end, &view(), &Palette::plain(), &mut sketch);
        let marks = sketch.marks();
        let Some(Mark::Path { points, .. }) = marks.last() else {
            panic!("{marks:?}");
        };
        assert_eq!(points[0], Vector2::new(40.0, 0.0));
        assert_eq!(points[1], Vector2::new(40.0, 28.0));
    }
}
