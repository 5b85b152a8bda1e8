//! Draws what is in one space into a sketch, with handles for the properties of one node. Lengths on the
//! screen are in pixels of the editor's design.

use godot::prelude::*;
use tendon_solver::glam::Vec2;

use crate::gizmos::handle::drag_mapper::DragMapper;
use crate::gizmos::handle::property::{HandleValue, Property};
use crate::gizmos::handle::{Handle, HandleKey, HandleLook};
use crate::gizmos::palette::Palette;
use crate::gizmos::sketch::{DashPattern, Layer, LineStyle, Sketch};
use crate::gizmos::view::View;

/// The view of a space that is drawn, and the sketch that it is drawn into.
pub(super) struct Pen<'a> {
    pub(super) view: View,
    pub(super) palette: &'a Palette,
    /// The node whose properties get handles. `None` where none can be changed.
    pub(super) node: Option<InstanceId>,
    pub(super) sketch: &'a mut Sketch,
}

impl Pen<'_> {
    /// Screen pixels.
    pub(super) fn pixels(&self, length: f32) -> f32 {
        length * self.view.scale
    }

    pub(super) fn stroke(&self, colour: Color, width: f32, pattern: DashPattern) -> LineStyle {
        LineStyle {
            colour,
            width: self.pixels(width),
            pattern,
        }
    }

    /// An uninterrupted line.
    pub(super) fn solid(&self, colour: Color, width: f32) -> LineStyle {
        self.stroke(colour, width, DashPattern::Solid)
    }

    /// Draws a line through points of the space.
    pub(super) fn line(
        &mut self,
        layer: Layer,
        points: impl IntoIterator<Item = Vec2>,
        stroke: LineStyle,
    ) {
        let points = points.into_iter().map(|point| self.view.at(point));
        let points = points.collect();
        self.sketch.line(layer, points, stroke);
    }

    /// Adds a handle for a property of the node.
    pub(super) fn handle(
        &mut self,
        property: Property,
        at: Vector2,
        (look, colour): (HandleLook, Color),
        value: HandleValue,
        mapper: DragMapper,
    ) {
        if let Some(node) = self.node {
            self.sketch.handle(Handle {
                key: HandleKey { node, property },
                at,
                look,
                colour,
                value,
                mapper,
            });
        }
    }
}

#[cfg(test)]
impl Sketch {
    /// What is drawn of a node in such a view, in plain colours.
    pub(super) fn drawn(view: View, draw: impl FnOnce(&mut Pen<'_>)) -> Self {
        let mut sketch = Self::default();
        draw(&mut Pen {
            view,
            palette: &Palette::plain(),
            node: Some(InstanceId::from_i64(1)),
            sketch: &mut sketch,
        });
        sketch
    }
}
