//! Draws a sketch on the viewport's overlay.

use godot::classes::{Control, EditorInterface, RenderingServer};
use godot::prelude::*;

use crate::gizmos::handle::{Handle, HandleKey, HandleLook};
use crate::gizmos::palette::Palette;
use crate::gizmos::sketch::{LineStyle, Mark, Sketch, solid};

/// The corner of a label, relative to the mouse, in pixels of the editor's design. Below the
/// pointer: above the nodes that are there, the editor writes their names.
const LABEL_OFFSET: Vector2 = Vector2::new(18.0, 18.0);
/// The distance from the mouse to the end of a label above it, if there is no room below: the height of a name.
const LABEL_ABOVE: f32 = 40.0;

/// An overlay to draw on.
pub(crate) struct Canvas {
    pub(super) control: Gd<Control>,
    pub(super) palette: Palette,
    /// Screen pixels for each pixel of the editor's design.
    pub(super) scale: f32,
}

impl Canvas {
    /// That of `control`, in the colours of the editor.
    pub(crate) fn over(control: Gd<Control>) -> Self {
        Self {
            control,
            palette: Palette::of_editor(),
            scale: EditorInterface::singleton().get_editor_scale(),
        }
    }

    /// Draws everything, with the handle `active` highlighted.
    pub(super) fn paint(&mut self, sketch: &Sketch, active: Option<HandleKey>) {
        for mark in sketch.marks() {
            self.mark(mark);
        }
        for handle in &sketch.handles {
            self.handle(handle, active == Some(handle.key));
        }
    }

    fn mark(&mut self, mark: &Mark) {
        match mark {
            Mark::Path { points, stroke } => {
                let points = PackedVector2Array::from(&points[..]);
                for stroke in outlined(*stroke, &self.palette, self.scale) {
                    let pen = self.control.draw_polyline_ex(&points, stroke.colour);
                    pen.width(stroke.width).antialiased(true).done();
                }
            }
            Mark::Dashes { points, stroke } => {
                let points = PackedVector2Array::from(&points[..]);
                for stroke in outlined(*stroke, &self.palette, self.scale) {
                    let pen = self.control.draw_multiline_ex(&points, stroke.colour);
                    pen.width(stroke.width).antialiased(true).done();
                }
            }
            Mark::Area { points, colour } => self.area(points, *colour),
            Mark::Ring { at, radius, stroke } => self.ring(*at, *radius, *stroke),
            Mark::Disc { at, radius, fill } => self.disc(*at, *radius, *fill),
        }
    }

    /// As triangles: the engine's own polygons complain of corners that coincide.
    fn area(&self, points: &[Vector2], colour: Color) {
        let corners = 1..points.len() as i32 - 1;
        let triangles: Vec<i32> = corners.flat_map(|index| [0, index, index + 1]).collect();
        RenderingServer::singleton().canvas_item_add_triangle_array(
            self.control.get_canvas_item(),
            &PackedInt32Array::from(triangles),
            &PackedVector2Array::from(points),
            &PackedColorArray::from([colour]),
        );
    }

    fn disc(&mut self, at: Vector2, radius: f32, fill: Color) {
        let shade = self.palette.shade;
        let below = (
            radius + 1.5 * self.scale,
            shade.with_alpha(shade.a * fill.a),
        );
        for (radius, colour) in [below, (radius, fill)] {
            let disc = self.control.draw_circle_ex(at, radius, colour);
            disc.antialiased(true).done();
        }
    }

    fn ring(&mut self, at: Vector2, radius: f32, stroke: LineStyle) {
        for stroke in outlined(stroke, &self.palette, self.scale) {
            let ring = self.control.draw_circle_ex(at, radius, stroke.colour);
            let ring = ring.filled(false).width(stroke.width);
            ring.antialiased(true).done();
        }
    }

    fn handle(&mut self, handle: &Handle, is_active: bool) {
        let scale = self.scale;
        let colour = if is_active {
            Color::WHITE
        } else {
            handle.colour.with_alpha(1.0)
        };
        let radius = if is_active { 6.5 } else { 5.0 } * scale;
        match handle.look {
            HandleLook::Knob => self.disc(handle.at, radius, colour),
            HandleLook::Node if is_active => {
                self.ring(handle.at, 13.0 * scale, solid(colour, 1.5 * scale));
            }
            HandleLook::Node => {}
        }
    }

    /// Draws a ring around a place under the mouse, and what is there beside the mouse.
    pub(crate) fn name_place(&mut self, place: Vector2, mouse: Vector2, name: &str) {
        for stroke in ring_under_mouse(&self.palette, self.scale) {
            self.ring(place, 7.0 * self.scale, stroke);
        }
        self.label(mouse, name);
    }

    /// Writes `text` beside the mouse.
    pub(super) fn label(&mut self, mouse: Vector2, text: &str) {
        let Some(font) = self.control.get_theme_default_font() else {
            return;
        };
        let size = self.control.get_theme_default_font_size();
        let measure = font.get_string_size_ex(text).font_size(size).done();
        let ascent = font.get_ascent_ex().font_size(size).done();
        let margin = Vector2::new(6.0, 3.0) * self.scale;
        let extent = measure + margin * 2.0;
        let corner = corner_of_label(mouse, extent, self.control.get_size(), self.scale);
        let at = corner + margin + Vector2::new(0.0, ascent);
        let background = Rect2::new(corner, extent);
        let shade = self.palette.shade.with_alpha(0.75);
        self.control.draw_rect(background, shade);
        let string = self.control.draw_string_ex(&font, at, text);
        string.font_size(size).modulate(self.palette.text).done();
    }
}

/// A line, on the dark one below it.
fn outlined(stroke: LineStyle, palette: &Palette, scale: f32) -> [LineStyle; 2] {
    let shade = palette.shade;
    let below = LineStyle {
        colour: shade.with_alpha(shade.a * stroke.colour.a),
        width: stroke.width + 2.0 * scale,
        ..stroke
    };
    [below, stroke]
}

/// The lines of a ring for bright and dark backgrounds.
fn ring_under_mouse(palette: &Palette, scale: f32) -> [LineStyle; 2] {
    let dark = solid(palette.shade.with_alpha(0.9), 5.0 * scale);
    [dark, solid(Color::WHITE, 2.0 * scale)]
}

/// The upper left corner of a label of the size `extent` for the pointer at `mouse`. It does not go
/// beyond the edges of a viewport of the size `room`.
fn corner_of_label(mouse: Vector2, extent: Vector2, room: Vector2, scale: f32) -> Vector2 {
    let below = mouse + LABEL_OFFSET * scale;
    let y = match below.y + extent.y <= room.y {
        true => below.y,
        false => mouse.y - LABEL_ABOVE * scale - extent.y,
    };
    Vector2::new(below.x.min(room.x - extent.x), y)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The editor writes the name of a node just above the node, to the right.
    #[test]
    fn a_label_leaves_room_for_the_name_of_a_node() {
        let (room, extent) = (Vector2::new(800.0, 600.0), Vector2::new(150.0, 26.0));
        for scale in [1.0, 2.0] {
            for mouse in [
                Vector2::new(400.0, 300.0),
                Vector2::new(790.0, 300.0),
                Vector2::new(400.0, 595.0),
                Vector2::new(790.0, 595.0),
            ] {
                let label = Rect2::new(corner_of_label(mouse, extent, room, scale), extent);
                let name = Vector2::new(300.0, 30.0 * scale);
                let name = Rect2::new(mouse - Vector2::new(0.0, name.y), name);
                assert!(!label.intersects(name), "{label} and {name}");
                assert!(!label.contains_point(mouse), "{label} hides {mouse}");
                assert!(Rect2::new(Vector2::ZERO, room).encloses(label), "{label}");
            }
        }
    }

    /// Across the line of the ring, at least a pixel on each side differs from the background by most of what there
    /// is between black and white.
    #[test]
    fn the_ring_under_the_mouse_is_seen_on_cream_as_on_dark() {
        let palette = Palette::plain();
        for (background, scale) in [(0.95, 1.0), (0.12, 1.0), (0.95, 2.0), (0.12, 2.0)] {
            let drawn = |across: f32| {
                let lines = ring_under_mouse(&palette, scale);
                let lines = lines.map(|line| outlined(line, &palette, scale)).concat();
                let lines = lines.iter().filter(|line| across < line.width / 2.0);
                lines.fold(background, |below, line| {
                    below + (line.colour.r - below) * line.colour.a
                })
            };
            let places = (0..64).map(|step| (step as f32 + 0.5) * scale / 16.0);
            let seen = places.filter(|&across| (drawn(across) - background).abs() > 0.7);
            let width = seen.count() as f32 / 16.0;
            assert!(width >= 1.0, "{width} pixels on {background}");
        }
    }
}
