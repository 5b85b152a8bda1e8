//! The limbs of a ragdoll as it is simulated, and its centre of mass. A handle sets the radius of those without a
//! shape of their own.

use godot::prelude::*;
use tendon_solver::glam::Vec2;
use tendon_solver::{LimbOutline, Rig};

use crate::gizmos::handle::property::{Property, Unit};
use crate::gizmos::pen::Pen;
use crate::gizmos::sketch::Layer;
use crate::gizmos::view::View;

/// The radius of the mark of the centre of mass, in pixels of the editor's design.
const CENTRE: f32 = 5.0;

/// Radii that the handle can be dragged to, in units of the skeleton.
const THICKEST: f32 = 1e3;

/// The limbs of a ragdoll, all in skeleton space.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::gizmos) struct BodyOutline {
    limbs: Vec<LimbOutline>,
    /// The property.
    radius: f32,
}

impl BodyOutline {
    /// That of modifier `index` of `rig`, if it is a ragdoll.
    pub(in crate::gizmos) fn of(rig: &Rig, index: usize) -> Option<Self> {
        let (limbs, radius) = rig.shown(index).limbs_of_body()?;
        Some(Self { limbs, radius })
    }

    fn centre_of_mass(&self) -> Vec2 {
        let mass: f32 = self.limbs.iter().map(|limb| limb.mass).sum();
        let limbs = self.limbs.iter();
        let weighed = limbs.map(|limb| limb.mass * 0.5 * (limb.from + limb.to));
        weighed.sum::<Vec2>() / mass.max(f32::MIN_POSITIVE)
    }

    /// Draws it, with the handle at the longest limb without a shape of its own.
    pub(in crate::gizmos) fn draw(&self, pen: &mut Pen<'_>) {
        let colour = pen.palette.bound;
        for limb in &self.limbs {
            let rim = rim(limb, &pen.view);
            pen.sketch.area(rim.clone(), colour.with_alpha(0.08));
            let stroke = pen.solid(colour.with_alpha(0.7), 1.5);
            pen.sketch.line(Layer::Ring, rim, stroke);
        }
        let (centre, radius) = (pen.view.at(self.centre_of_mass()), pen.pixels(CENTRE));
        let stroke = pen.solid(colour, 1.5);
        pen.sketch.ring(Layer::Point, centre, radius, stroke);
        for across in [Vector2::RIGHT, Vector2::DOWN] {
            let ends = [-1.0, 1.0].map(|sign| centre + sign * radius * across);
            pen.sketch.line(Layer::Point, ends.to_vec(), stroke);
        }
        self.add_handle(pen);
    }

    fn add_handle(&self, pen: &mut Pen<'_>) {
        let plain = self.limbs.iter().filter(|limb| !limb.has_shape);
        let longest = plain.max_by(|one, other| one.length().total_cmp(&other.length()));
        let Some(limb) = longest else { return };
        let middle = 0.5 * (limb.from + limb.to);
        let across = (limb.to - limb.from).perp().normalize_or(Vec2::Y);
        let places = [(middle, 0.0), (middle + THICKEST * across, THICKEST)];
        let mapper = pen.along(&places, Unit::Length);
        let at = pen.view.at(middle + limb.radius * across);
        pen.number(Property::Radius, at, pen.palette.bound, self.radius, mapper);
    }
}

/// The rim of a limb as screen points, closed.
fn rim(limb: &LimbOutline, view: &View) -> Vec<Vector2> {
    let along = (limb.to - limb.from).normalize_or(Vec2::X);
    let sides = view.sides_of_circle(limb.radius).max(8);
    let half = |middle: Vec2, way: Vec2| {
        (0..=sides / 2).map(move |step| {
            let angle = std::f32::consts::PI * step as f32 / (sides / 2) as f32;
            middle + limb.radius * Vec2::from_angle(angle).rotate(-way.perp())
        })
    };
    let points = half(limb.to, along).chain(half(limb.from, -along));
    let mut points: Vec<_> = points.map(|point| view.at(point)).collect();
    points.push(points[0]);
    points
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gizmos::handle::property::Value;
    use crate::gizmos::sketch::Sketch;
    use tendon_solver::{Bone, LimbShape, Modifier, Ragdoll, Workspace};

    /// A limb of 40 to the right, and one of 20 below its end.
    fn body(radius: f32, own: Option<f32>) -> BodyOutline {
        let mut bones = vec![Bone::below(None), Bone::below(Some(0))];
        bones[1].position = Vec2::new(40.0, 0.0);
        bones[1].rotation = std::f32::consts::FRAC_PI_2;
        let shape = |length: f32, radius| LimbShape {
            from: Vec2::ZERO,
            to: Vec2::X * length,
            radius,
            ..LimbShape::default()
        };
        let mut ragdoll = Ragdoll::new(vec![0, 1], vec![shape(40.0, own), shape(20.0, None)]);
        ragdoll.settings.radius = radius;
        let mut rig = Rig::new(bones, vec![Modifier::new(ragdoll)]);
        rig.solve(&mut Workspace::default());
        BodyOutline::of(&rig, 0).expect("it is one")
    }

    #[test]
    fn the_handle_is_at_the_rim_of_the_longest_limb_without_a_shape() {
        let view = View {
            to_screen: Transform2D::IDENTITY,
            scale: 1.0,
        };
        for (radius, own, expected) in [
            (5.0, None, Vector2::new(20.0, 5.0)),
            (0.0, None, Vector2::new(20.0, 8.0)),
            (5.0, Some(9.0), Vector2::new(35.0, 10.0)),
        ] {
            let body = body(radius, own);
            let sketch = Sketch::drawn(view, |pen| body.draw(pen));
            let handle = &sketch.handles[0];
            assert!(handle.at.distance_to(expected) < 1e-3, "{}", handle.at);
            assert_eq!(handle.value, Value::Number(radius));
        }
    }

    #[test]
    fn the_centre_of_mass_is_nearer_to_the_larger_limb() {
        let centre = body(4.0, None).centre_of_mass();
        assert!(centre.x > 20.0 && centre.x < 30.0, "{centre}");
        assert!(centre.y > 0.0 && centre.y < 5.0, "{centre}");
    }
}
