//! How far a joint turns to either side: arcs around it, with a handle at the end of one.

use std::f32::consts::PI;

use tendon_solver::glam::Vec2;

use crate::gizmos::handle::property::{Property, Unit};
use crate::gizmos::pen::Pen;
use crate::gizmos::sketch::Layer;

/// Places of a half turn.
const PLACES: u16 = 48;

/// Where a bone ends that turns to either side, in skeleton space.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Fan {
    root: Vec2,
    /// The end of the bone, with the angles: from 0 to a half turn either way.
    sides: [Vec<(Vec2, f32)>; 2],
}

impl Fan {
    /// A bone at `root` whose end is `at` an angle.
    pub(in crate::gizmos) fn of(root: Vec2, at: impl Fn(f32) -> Option<Vec2>) -> Self {
        let sides = [1.0, -1.0].map(|sense: f32| {
            let angles = (0..=PLACES).map(|step| PI * f32::from(step) / f32::from(PLACES));
            let places = angles.filter_map(|angle| Some((at(sense * angle)?, angle)));
            places.collect()
        });
        Self { root, sides }
    }

    /// A bone from `root` to `end` that turns in skeleton space.
    pub(in crate::gizmos) fn around(root: Vec2, end: Vec2) -> Self {
        Self::of(root, |angle| {
            Some(root + Vec2::from_angle(angle).rotate(end - root))
        })
    }

    /// Draws the arcs up to `most` to both sides.
    pub(in crate::gizmos) fn draw(&self, most: f32, pen: &mut Pen<'_>) {
        let stroke = pen.solid(pen.palette.bound.with_alpha(0.8), 1.5);
        for side in &self.sides {
            let Some(last) = place_at(side, most) else {
                return;
            };
            let within = side.iter().filter(|(_, angle)| *angle < most);
            let arc = within.map(|&(place, _)| place);
            pen.line(Layer::Ring, arc.chain([last]), stroke);
            pen.line(Layer::Ring, [self.root, last], stroke);
        }
    }

    /// Adds a handle for a property, whose `value` is shown at the angle `most`.
    pub(super) fn add_handle(
        &self,
        property: Property,
        (value, most): (f32, f32),
        unit: Unit,
        pen: &mut Pen<'_>,
    ) {
        let [side, _] = &self.sides;
        if let Some(at) = place_at(side, most) {
            let (at, gauge) = (pen.view.at(at), pen.along(side, unit));
            pen.number(property, at, pen.palette.bound, value, gauge);
        }
    }
}

/// The place of an angle between those of a line of places.
fn place_at(places: &[(Vec2, f32)], angle: f32) -> Option<Vec2> {
    let after = places.partition_point(|(_, other)| *other < angle);
    let &(to, high) = places.get(after.min(places.len().checked_sub(1)?))?;
    let &(from, low) = places.get(after.saturating_sub(1))?;
    let part = if high > low {
        ((angle - low) / (high - low)).clamp(0.0, 1.0)
    } else {
        0.0
    };
    Some(from.lerp(to, part))
}
