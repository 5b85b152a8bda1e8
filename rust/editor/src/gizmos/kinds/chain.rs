//! A modifier's bones, tips and targets, in the colour of its status.

use godot::prelude::*;
use tendon_nodes::engine::bone_lines::share_along;
use tendon_nodes::engine::space::to_godot;
use tendon_solver::glam::Vec2;

use crate::gizmos::kinds::geometry::{EffectorHold, Geometry, LimbBend, TipEnd};
use crate::gizmos::pen::Pen;
use crate::gizmos::sketch::{DashPattern, Layer};

/// Draws the bones of `geometry` from joint to joint. Along a path there are no marks at the joints:
/// they would look like the handles of its points.
pub(in crate::gizmos) fn draw_bones(geometry: &Geometry, is_faint: bool, pen: &mut Pen<'_>) {
    let opacity = if is_faint { 0.5 } else { 0.95 };
    let width = if is_faint { 2.0 } else { 3.0 };
    let colour = pen.palette.bone.with_alpha(opacity);
    let stroke = pen.solid(colour, width);
    for segment in &geometry.segments {
        pen.line(Layer::Bone, *segment, stroke);
    }
    if geometry.path.is_some() {
        return;
    }
    let rim = pen.solid(colour, 1.5);
    let fill = pen.palette.shade.with_alpha(0.7 * opacity);
    let radius = pen.pixels(if is_faint { 2.5 } else { 4.0 });
    for segment in &geometry.segments {
        let joint = pen.view.at(segment[0]);
        pen.sketch.disc(Layer::Bone, joint, radius, fill);
        pen.sketch.ring(Layer::Bone, joint, radius, rim);
    }
}

/// Draws a tip and, if it has one, its target, with the line between them.
pub(in crate::gizmos) fn draw_end(end: &TipEnd, colour: Color, is_faint: bool, pen: &mut Pen<'_>) {
    let (opacity, width, radius) = if is_faint {
        (0.4, 1.0, 3.0)
    } else {
        (1.0, 1.5, 4.5)
    };
    let colour = colour.with_alpha(opacity);
    if let Some(target) = end.target {
        let line = pen.stroke(colour.with_alpha(0.8 * opacity), width, DashPattern::Dashed);
        pen.line(Layer::Link, [end.tip, target], line);
        draw_target(pen.view.at(target), colour, pen);
    }
    if let Some(hold) = &end.hold {
        draw_hold(hold, end.tip, (colour, width), pen);
        return;
    }
    let (tip, radius) = (pen.view.at(end.tip), pen.pixels(radius));
    pen.sketch.disc(Layer::Point, tip, radius, colour);
}

/// The bone of an effector in its colour, and at its tip a ring that is filled as far as it weighs, or a square where
/// the angle counts, too. It is dashed where the effector lets go, below a weight of a half.
fn draw_hold(hold: &EffectorHold, tip: Vec2, (colour, width): (Color, f32), pen: &mut Pen<'_>) {
    let bone = pen.solid(colour, 1.5 * width);
    pen.line(Layer::Bone, [hold.joint, tip], bone);
    let pattern = match hold.weight < 0.5 {
        true => DashPattern::Dashed,
        false => DashPattern::Solid,
    };
    let (at, radius, rim) = (
        pen.view.at(tip),
        pen.pixels(5.5),
        pen.stroke(colour, width, pattern),
    );
    let corners = if hold.turns { 4 } else { 24 };
    let outline = (0..=corners).map(|corner| {
        let angle = std::f32::consts::TAU * (corner as f32 + 0.5) / corners as f32;
        let length = if hold.turns {
            radius * std::f32::consts::SQRT_2
        } else {
            radius
        };
        at + Vector2::from_angle(angle) * length
    });
    pen.sketch.line(Layer::Point, outline.collect(), rim);
    // As an area: half the weight fills half of it.
    let filled = radius * hold.weight.clamp(0.0, 1.0).sqrt();
    if filled > 0.0 {
        pen.sketch.disc(Layer::Point, at, filled, colour);
    }
}

/// A ring with four ticks.
fn draw_target(at: Vector2, colour: Color, pen: &mut Pen<'_>) {
    let (stroke, radius) = (pen.solid(colour, 1.5), pen.pixels(8.0));
    pen.sketch.ring(Layer::Point, at, radius, stroke);
    for direction in [Vector2::RIGHT, Vector2::DOWN, Vector2::LEFT, Vector2::UP] {
        let ends = [0.6, 1.6].map(|share| at + direction * (radius * share));
        pen.sketch.line(Layer::Point, ends.to_vec(), stroke);
    }
}

/// Draws which way a limb bends: an arrow at its middle, and a line to its pole. Returns where the
/// arrow is.
pub(in crate::gizmos) fn draw_bend(
    bend: &LimbBend,
    end: &TipEnd,
    pen: &mut Pen<'_>,
) -> Option<Vector2> {
    let colour = pen.palette.bone.with_alpha(0.9);
    if let Some(pole) = bend.pole {
        draw_pole([bend.middle, pole], colour, pen);
    }
    let towards = pen.view.to_screen.basis_xform(to_godot(bend.towards));
    let towards = towards.try_normalized()?;
    let [root, tip, middle] = [bend.root, end.tip, bend.middle].map(|point| pen.view.at(point));
    // On the line from root to tip, below the middle joint: where it would be if the limb were
    // straight.
    let share = share_along([root, tip], middle).clamp(0.2, 0.8);
    let base = root + (tip - root) * share;
    let line = pen.stroke(colour.with_alpha(0.45), 1.0, DashPattern::Dashed);
    pen.line(Layer::Link, [bend.root, end.tip], line);
    draw_arrow(base, towards, colour, pen);
    let place = base + towards * pen.pixels(8.0);
    place.is_finite().then_some(place)
}

/// An arrow from `base` into the direction `towards`.
fn draw_arrow(base: Vector2, towards: Vector2, colour: Color, pen: &mut Pen<'_>) {
    let across = towards.orthogonal();
    let arrow = [
        (0.0, 0.0),
        (14.0, 0.0),
        (8.0, 6.0),
        (14.0, 0.0),
        (8.0, -6.0),
    ];
    let scale = pen.view.scale;
    let points = arrow.map(|(along, aside)| base + (towards * along + across * aside) * scale);
    let stroke = pen.solid(colour, 2.0);
    pen.sketch.line(Layer::Link, points.to_vec(), stroke);
}

/// A line from the middle joint to the pole, and a diamond at the pole.
fn draw_pole([middle, pole]: [Vec2; 2], colour: Color, pen: &mut Pen<'_>) {
    let line = pen.stroke(colour.with_alpha(0.7), 1.5, DashPattern::Dotted);
    pen.line(Layer::Link, [middle, pole], line);
    let (at, radius) = (pen.view.at(pole), pen.pixels(7.0));
    let corners = [Vector2::RIGHT, Vector2::DOWN, Vector2::LEFT, Vector2::UP];
    let mut points = corners.map(|corner| at + corner * radius).to_vec();
    points.push(points[0]);
    let stroke = pen.solid(colour, 1.75);
    pen.sketch.line(Layer::Point, points, stroke);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gizmos::palette::Palette;
    use crate::gizmos::sketch::{Mark, Sketch};
    use crate::gizmos::view::View;
    use tendon_solver::Status;

    fn view() -> View {
        View {
            to_screen: Transform2D::IDENTITY,
            scale: 2.0,
        }
    }

    #[test]
    fn the_tip_has_the_colour_of_the_status() {
        let palette = Palette::plain();
        let end = TipEnd {
            tip: Vec2::ZERO,
            target: Some(Vec2::new(50.0, 0.0)),
            hold: None,
        };
        let mut seen = Vec::new();
        for status in [
            Status::Idle,
            Status::Reached,
            Status::OutOfReach,
            Status::Invalid,
        ] {
            let colour = palette.of_status(status);
            let sketch = Sketch::drawn(view(), |pen| draw_end(&end, colour, false, pen));
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
        let end = TipEnd {
            tip: Vec2::ZERO,
            target: Some(Vec2::NAN),
            hold: None,
        };
        let sketch = Sketch::drawn(view(), |pen| draw_end(&end, Color::WHITE, false, pen));
        assert!(matches!(sketch.marks()[..], [Mark::Disc { .. }]));
    }

    #[test]
    fn an_effector_shows_its_bone_its_weight_and_whether_the_angle_counts() {
        for (weight, turns) in [(1.0, true), (0.5, false), (0.25, false), (0.0, true)] {
            let end = TipEnd {
                tip: Vec2::new(30.0, 0.0),
                target: None,
                hold: Some(EffectorHold {
                    joint: Vec2::ZERO,
                    weight,
                    turns,
                }),
            };
            let sketch = Sketch::drawn(view(), |pen| draw_end(&end, Color::WHITE, false, pen));
            let [Mark::Path { points: bone, .. }, rim, disc @ ..] = &sketch.marks()[..] else {
                panic!("{:?}", sketch.marks());
            };
            assert_eq!(bone[1], Vector2::new(30.0, 0.0));
            assert_eq!(matches!(rim, Mark::Dashes { .. }), weight < 0.5, "{weight}");
            let filled = disc.iter().find_map(|mark| match mark {
                Mark::Disc { radius, .. } => Some(radius * radius),
                _ => None,
            });
            let share = filled.unwrap_or(0.0) / 121.0;
            assert!((share - weight).abs() < 1e-3, "{weight}: {share}");
        }
    }

    #[test]
    fn a_straight_limb_shows_where_it_would_bend() {
        let bend = LimbBend {
            root: Vec2::ZERO,
            middle: Vec2::new(40.0, 0.0),
            towards: Vec2::new(0.0, 900.0),
            pole: None,
        };
        let end = TipEnd {
            tip: Vec2::new(80.0, 0.0),
            target: Some(Vec2::new(80.0, 0.0)),
            hold: None,
        };
        let sketch = Sketch::drawn(view(), |pen| {
            draw_bend(&bend, &end, pen);
        });
        let marks = sketch.marks();
        let Some(Mark::Path { points, .. }) = marks.last() else {
            panic!("{marks:?}");
        };
        assert_eq!(points[0], Vector2::new(40.0, 0.0));
        assert_eq!(points[1], Vector2::new(40.0, 28.0));
    }
}
