//! What is drawn over the viewport in weights mode.

use godot::classes::{Control, EditorInterface, RenderingServer};
use godot::prelude::*;
use tendon_nodes::engine::bone_lines::end_of;
use tendon_nodes::engine::skeleton::child_bones;
use tendon_skin::Weights;

use crate::gizmos::composer::canvas_transform;
use crate::painting::panel::{Panel, Tool};
use crate::painting::weighed::{WeighedPolygon, vertices_in_viewport};
use crate::skin::colours::BoneColours;
use crate::skin::picture::wide;
use crate::skin::preview::draw_cut;

/// The opacity of the colours on the picture.
const COVER: f32 = 0.62;

/// The length of an edge that is drawn at least, in pixels.
const ROOMY: f32 = 6.0;

pub(super) struct Overlay<'a> {
    weighed: &'a WeighedPolygon,
    weights: &'a Weights,
    panel: &'a Panel,
    palette: BoneColours,
    places: Vec<Vector2>,
    scale: f32,
}

impl<'a> Overlay<'a> {
    /// `weights` are those of the polygon now.
    pub(super) fn new(weighed: &'a WeighedPolygon, weights: &'a Weights, panel: &'a Panel) -> Self {
        Self {
            palette: BoneColours::of(&weighed.bones),
            places: vertices_in_viewport(&weighed.polygon),
            scale: EditorInterface::singleton().get_editor_scale(),
            weighed,
            weights,
            panel,
        }
    }

    /// `mouse` is where it is, unless it is elsewhere than over the viewport.
    pub(super) fn draw(
        &self,
        mut control: Gd<Control>,
        mouse: Option<Vector2>,
        marked: Option<&[bool]>,
    ) {
        self.draw_colours(&control);
        self.draw_edges(&mut control);
        self.draw_bones(&mut control);
        if let Some(marked) = marked {
            self.draw_marks(&mut control, marked);
        }
        if let Some(mouse) = mouse {
            self.draw_brush(&mut control, mouse);
            self.draw_number(&mut control, mouse);
        }
    }

    /// The line of a cut, up to the mouse.
    pub(super) fn draw_line(
        &self,
        mut control: Gd<Control>,
        line: &[Vector2],
        mouse: Option<Vector2>,
    ) {
        if !line.is_empty() {
            let points: PackedVector2Array = line.iter().copied().chain(mouse).collect();
            draw_cut(&mut control, &points, self.scale);
        }
    }

    fn draw_brush(&self, control: &mut Gd<Control>, mouse: Vector2) {
        // A line is as thin as the mouse.
        let radius = match self.panel.tool() {
            Tool::Cut => 3.0 * self.scale,
            _ => self.panel.radius(),
        };
        for (width, colour) in [
            (3.0, Color::from_rgba(0.0, 0.0, 0.0, 0.6)),
            (1.5, Color::WHITE),
        ] {
            let ring = control.draw_circle_ex(mouse, radius, colour);
            let ring = ring.filled(false).width(width * self.scale);
            ring.antialiased(true).done();
        }
    }

    /// Each triangle in the colours of its corners.
    fn draw_colours(&self, control: &Gd<Control>) {
        let chosen = self.panel.chosen_alone();
        let colour = |vertex: usize| {
            let row = self.weights.of(vertex);
            match chosen.filter(|_| !row.is_empty()) {
                Some(bone) => self
                    .palette
                    .of_weight(self.weights.weight(vertex, bone), COVER),
                None => self.palette.mixed(row, COVER),
            }
        };
        let triangles = self.weighed.mesh().triangles.iter().flatten();
        let colours: PackedColorArray = (0..self.places.len()).map(colour).collect();
        RenderingServer::singleton().canvas_item_add_triangle_array(
            control.get_canvas_item(),
            &triangles.map(|&corner| corner as i32).collect(),
            &PackedVector2Array::from(&self.places[..]),
            &colours,
        );
    }

    fn draw_edges(&self, control: &mut Gd<Control>) {
        let edges = self
            .weighed
            .shape
            .edges
            .iter()
            .map(|edge| edge.map(|vertex| self.places[vertex]));
        // Where they are shorter, edges alone would be seen.
        let lines = edges.filter(|[from, to]| from.distance_squared_to(*to) >= ROOMY * ROOMY);
        let lines: PackedVector2Array = lines.flatten().collect();
        if lines.is_empty() {
            return;
        }
        control.draw_multiline(&lines, Color::from_rgba(0.0, 0.0, 0.0, 0.22));
    }

    /// Each bone in its colour, the chosen one broad.
    fn draw_bones(&self, control: &mut Gd<Control>) {
        let chosen = self.panel.chosen().ok();
        for (index, bone) in self.weighed.bones.iter().enumerate() {
            let frame =
                canvas_transform() * bone.get_canvas_transform() * bone.get_global_transform();
            let ends: Vec<Vector2> = child_bones(bone).map(|it| it.get_position()).collect();
            let ends = if ends.is_empty() {
                vec![end_of(bone)]
            } else {
                ends
            };
            let width = if chosen == Some(index) { 6.0 } else { 3.0 } * self.scale;
            for end in ends {
                let line = [frame.origin, frame * end];
                for (width, colour) in [
                    (
                        width + 2.0 * self.scale,
                        Color::from_rgba(0.0, 0.0, 0.0, 0.7),
                    ),
                    (width, self.palette.bone(index)),
                ] {
                    let pen = control.draw_line_ex(line[0], line[1], colour);
                    pen.width(width).antialiased(true).done();
                }
            }
            control.draw_circle(frame.origin, width, self.palette.bone(index));
        }
    }

    fn draw_marks(&self, control: &mut Gd<Control>, marked: &[bool]) {
        for (&place, _) in self
            .places
            .iter()
            .zip(marked)
            .filter(|(_, marked)| **marked)
        {
            control.draw_circle(place, 4.0 * self.scale, Color::BLACK);
            control.draw_circle(place, 2.5 * self.scale, Color::WHITE);
        }
    }

    /// The weights under the mouse, in lines beside it.
    fn draw_number(&self, control: &mut Gd<Control>, mouse: Vector2) {
        let Some(seen) = self.weighed.seen(&self.places) else {
            return;
        };
        let weights = self.weights.at(&seen, wide(mouse));
        let mut lines: Vec<(String, Color)> = weights
            .iter()
            .filter(|&&(_, weight)| weight >= 0.005)
            .map(|&(bone, weight)| {
                let name = self.weighed.bones[bone].get_name();
                (format!("{weight:.2}  {name}"), self.palette.bone(bone))
            })
            .collect();
        lines.truncate(4);
        let Some(font) = control.get_theme_default_font() else {
            return;
        };
        let size = control.get_theme_default_font_size();
        let mut at = mouse + Vector2::new(18.0, 30.0) * self.scale;
        for (text, colour) in lines {
            let outline = control.draw_string_outline_ex(&font, at, &text);
            let shade = Color::from_rgba(0.0, 0.0, 0.0, 0.85);
            outline
                .font_size(size)
                .size((6.0 * self.scale) as i32)
                .modulate(shade)
                .done();
            let light = colour.lerp(Color::WHITE, 0.55);
            let string = control.draw_string_ex(&font, at, &text);
            string.font_size(size).modulate(light).done();
            at.y += size as f32 * 1.35;
        }
    }
}
