//! How far a chain reaches, as rings around its root: full reach and nearest fold, where it begins
//! to ease, and a limb's least and greatest distance. The last three have handles.

use std::f32::consts::FRAC_PI_6;

use tendon_nodes::engine::space::to_transform;

use crate::gizmos::handle::drag_mapper::{DragMapper, OffWhere};
use crate::gizmos::handle::property::Property;
use crate::gizmos::kinds::geometry::{End, Extent};
use crate::gizmos::pen::Pen;
use crate::gizmos::sketch::{Layer, Pattern};
use crate::gizmos::view::View;

/// A distance that no property needs to exceed.
const FAR: f32 = 1e6;

/// Draws the rings of `extent`, with handles.
pub(in crate::gizmos) fn draw(extent: &Extent, end: &End, pen: &mut Pen<'_>) {
    let chain = pen.view.within(to_transform(extent.mount));
    let rings = Rings {
        extent,
        chain,
        heading: heading(&chain, &pen.view, end),
    };
    rings.draw_reach(pen);
    rings.draw_softness(pen);
    if let Some(distances) = extent.distances {
        let view = pen.view.around(extent.mount.translation);
        rings.draw_distances(distances, &view, pen);
    }
}

/// The angle in `space` at which the target is seen, or else the tip.
fn heading(space: &View, view: &View, end: &End) -> f32 {
    let seen = end.target.into_iter().chain([end.tip]);
    let seen = seen.filter_map(|point| space.point_under(view.at(point)));
    let mut far = seen.filter(|point| point.length() * space.zoom() > 1.0);
    far.next().map_or(0.0, |point| point.angle())
}

fn ring(view: &View, radius: f32, look: (f32, f32, Pattern), pen: &mut Pen<'_>) {
    let (opacity, width, pattern) = look;
    if radius > 0.0 {
        let stroke = pen.stroke(pen.palette.bone.with_alpha(opacity), width, pattern);
        pen.sketch.line(Layer::Ring, view.circle(radius), stroke);
    }
}

struct Rings<'a> {
    extent: &'a Extent,
    /// How chain space is seen.
    chain: View,
    /// Where the target is, as an angle of chain space.
    heading: f32,
}

impl Rings<'_> {
    fn draw_reach(&self, pen: &mut Pen<'_>) {
        let Extent { reach, nearest, .. } = *self.extent;
        ring(&self.chain, reach, (0.55, 1.5, Pattern::Solid), pen);
        ring(&self.chain, nearest, (0.4, 1.0, Pattern::Solid), pen);
        if self.extent.stretch > 1.0 {
            let stretched = reach * self.extent.stretch;
            ring(&self.chain, stretched, (0.35, 1.0, Pattern::Solid), pen);
        }
    }

    fn draw_softness(&self, pen: &mut Pen<'_>) {
        let Extent {
            reach, softness, ..
        } = *self.extent;
        let radius = reach * (1.0 - softness.clamp(0.0, 1.0));
        if softness > 0.0 {
            ring(&self.chain, radius, (0.8, 1.5, Pattern::Dotted), pen);
        }
        let at = self.chain.on_circle(radius, self.heading + FRAC_PI_6);
        let (view, colour) = (self.chain, pen.palette.bone);
        let mapper = DragMapper::Softness { view, reach };
        pen.number(Property::Softness, at, colour, softness, mapper);
    }

    fn draw_distances(&self, [least, greatest]: [f32; 2], view: &View, pen: &mut Pen<'_>) {
        for distance in [least, greatest] {
            ring(view, distance, (0.8, 1.5, Pattern::Dashed), pen);
        }
        // From chain space, in which the rings are, to the skeleton's units.
        let unit = self.chain.zoom() / view.zoom();
        let far = self.extent.reach * self.extent.stretch * unit;
        let near = self.extent.nearest * unit;
        let most = if greatest > 0.0 { greatest } else { FAR };
        let below_greatest = ([0.0, most], OffWhere::Below(near));
        self.add_handle(Property::MinDistance, least, below_greatest, view, pen);
        let above_least = ([least.max(0.1), FAR], OffWhere::Above(far));
        self.add_handle(Property::MaxDistance, greatest, above_least, view, pen);
    }

    /// A handle for a distance, on its ring. A distance that is off has its handle where it begins
    /// to have an effect.
    fn add_handle(
        &self,
        property: Property,
        distance: f32,
        (room, off): ([f32; 2], OffWhere),
        view: &View,
        pen: &mut Pen<'_>,
    ) {
        let place = self.chain.on_circle(1.0, self.heading - FRAC_PI_6);
        let angle = view.point_under(place).map_or(0.0, |point| point.angle());
        let idle = match off {
            OffWhere::Below(idle) | OffWhere::Above(idle) => idle,
        };
        let shown = if distance > 0.0 { distance } else { idle };
        let mapper = DragMapper::Distance {
            view: *view,
            shown,
            room,
            off,
        };
        let at = view.on_circle(shown, angle);
        pen.number(property, at, pen.palette.bone, distance, mapper);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gizmos::handle::drag_mapper::DragStart;
    use crate::gizmos::handle::property::Value;
    use crate::gizmos::handle::{Handle, Look};
    use crate::gizmos::sketch::Sketch;
    use godot::prelude::*;
    use tendon_solver::glam::{Affine2, Vec2};

    /// A limb of 40 and 30 in a skeleton that is seen mirrored and twice as large.
    fn sketch(distances: [f32; 2], softness: f32, node: Option<InstanceId>) -> Sketch {
        let extent = Extent {
            mount: Affine2::from_translation(Vec2::new(20.0, 10.0)),
            reach: 70.0,
            nearest: 10.0,
            stretch: 1.5,
            softness,
            distances: Some(distances),
        };
        let end = End {
            tip: Vec2::ZERO,
            target: Some(Vec2::new(60.0, 30.0)),
        };
        let to_screen = Transform2D::from_cols(
            Vector2::new(-2.0, 0.0),
            Vector2::new(0.0, 2.0),
            Vector2::new(300.0, 100.0),
        );
        let view = View {
            to_screen,
            scale: 1.0,
        };
        Sketch::drawn(view, |pen| {
            pen.node = node;
            draw(&extent, &end, pen);
        })
    }

    fn handle(sketch: &Sketch, property: Property) -> &Handle {
        let mut handles = sketch.handles.iter();
        let handle = handles.find(|handle| handle.key.property == property);
        handle.expect("there is such a handle")
    }

    /// Where the root joint is on the screen.
    const ROOT: Vector2 = Vector2::new(260.0, 120.0);

    #[test]
    fn handles_are_on_their_rings() {
        let node = Some(InstanceId::from_i64(1));
        for (distances, softness, expected) in [
            ([0.0, 0.0], 0.0, [20.0, 210.0, 140.0]),
            ([25.0, 50.0], 0.25, [50.0, 100.0, 105.0]),
        ] {
            let sketch = sketch(distances, softness, node);
            let properties = [
                Property::MinDistance,
                Property::MaxDistance,
                Property::Softness,
            ];
            for (property, expected) in properties.into_iter().zip(expected) {
                let handle = handle(&sketch, property);
                let radius = handle.at.distance_to(ROOT);
                assert!((radius - expected).abs() < 1e-2, "{property:?}: {radius}");
                let is_off = handle.value == Value::Number(0.0);
                assert_eq!(handle.look == Look::Hollow, is_off, "{property:?}");
            }
        }
    }

    #[test]
    fn a_distance_that_is_off_is_pulled_in_from_where_it_is_shown() {
        let sketch = sketch([25.0, 0.0], 0.0, Some(InstanceId::from_i64(1)));
        let handle = handle(&sketch, Property::MaxDistance);
        let from = DragStart {
            press: handle.at,
            value: handle.value,
        };
        for (share, expected) in [(1.0, 0.0), (0.5, 52.5), (0.1, 25.0), (1.2, 0.0)] {
            let place = ROOT + (handle.at - ROOT) * share;
            let value = handle.mapper.drag(&from, place, handle.value, false);
            assert_eq!(value, Value::Number(expected), "{share}");
        }
    }

    #[test]
    fn what_cannot_be_edited_has_no_handles() {
        assert!(sketch([25.0, 50.0], 0.3, None).handles.is_empty());
    }
}
