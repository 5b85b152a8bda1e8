//! A picture with the mesh and the weights that it would get.

use godot::classes::{Control, IControl, RenderingServer, Texture2D};
use godot::prelude::*;
use tendon_skin::Skin;

use crate::skin::colours::mixed;
use crate::skin::subject::Subject;

/// How much of the picture the colours cover.
const COVER: f32 = 0.5;

/// Shows one picture after another, each as large as there is room.
#[derive(GodotClass)]
#[class(tool, init, internal, base = Control)]
pub(super) struct TendonSkinPreview {
    shown: Vec<Shown>,
    base: Base<Control>,
}

/// A picture, in its pixels.
pub(super) struct Shown {
    texture: Gd<Texture2D>,
    /// The part of the texture.
    source: Rect2,
    size: Vector2,
    vertices: Vec<Vector2>,
    triangles: Vec<[usize; 3]>,
    colours: Vec<Color>,
}

impl Shown {
    /// `bones` are the indices that the colours are of, for each bone of the subject.
    pub(super) fn new(subject: &Subject, skin: Option<&Skin>, bones: &[usize]) -> Self {
        let (texture, source, size) = subject.shown();
        let mut shown = Self {
            texture,
            source,
            size,
            vertices: Vec::new(),
            triangles: Vec::new(),
            colours: Vec::new(),
        };
        if let Some(skin) = skin {
            let places = skin.mesh.vertices.iter();
            shown.vertices = places
                .map(|it| Vector2::new(it.x as f32, it.y as f32))
                .collect();
            shown.triangles.clone_from(&skin.mesh.triangles);
            let colour = |vertex| {
                let row = skin.weights.of(vertex).iter();
                let row: Vec<_> = row.map(|&(bone, weight)| (bones[bone], weight)).collect();
                mixed(&row).with_alpha(COVER)
            };
            shown.colours = (0..shown.vertices.len()).map(colour).collect();
        }
        shown
    }
}

#[godot_api]
impl IControl for TendonSkinPreview {
    fn draw(&mut self) {
        let room = self.base().get_size();
        let mut control = self.base().clone();
        control.draw_rect(
            Rect2::new(Vector2::ZERO, room),
            Color::from_rgb(0.16, 0.17, 0.19),
        );
        let count = self.shown.len().max(1) as f32;
        // As many columns as keep the cells about as wide as they are high.
        let columns = (count * room.x / room.y.max(1.0))
            .sqrt()
            .round()
            .clamp(1.0, count);
        let rows = (count / columns).ceil();
        let cell = Vector2::new(room.x / columns, room.y / rows);
        for (index, shown) in self.shown.iter().enumerate() {
            let (column, row) = (index % columns as usize, index / columns as usize);
            let corner = Vector2::new(column as f32, row as f32) * cell;
            shown.draw(&mut control, Rect2::new(corner, cell).grow(-8.0));
        }
    }
}

impl TendonSkinPreview {
    pub(super) fn show(this: &mut Gd<Self>, shown: Vec<Shown>) {
        this.bind_mut().shown = shown;
        this.queue_redraw();
    }
}

impl Shown {
    fn draw(&self, control: &mut Gd<Control>, room: Rect2) {
        let ratio = room.size / self.size;
        let scale = ratio.x.min(ratio.y);
        if !(scale.is_finite() && scale > 0.0) {
            return;
        }
        let corner = room.position + (room.size - self.size * scale) / 2.0;
        let target = Rect2::new(corner, self.size * scale);
        control.draw_texture_rect_region(&self.texture, target, self.source);
        if self.triangles.is_empty() {
            return;
        }
        let places: Vec<Vector2> = self
            .vertices
            .iter()
            .map(|&it| corner + it * scale)
            .collect();
        let corners = self.triangles.iter().flatten().map(|&corner| corner as i32);
        RenderingServer::singleton().canvas_item_add_triangle_array(
            control.get_canvas_item(),
            &corners.collect(),
            &PackedVector2Array::from(&places[..]),
            &PackedColorArray::from(&self.colours[..]),
        );
        let lines = self
            .triangles
            .iter()
            .flat_map(|&[a, b, c]| [a, b, b, c, c, a]);
        let lines: PackedVector2Array = lines.map(|vertex| places[vertex]).collect();
        control.draw_multiline(&lines, Color::from_rgba(0.0, 0.0, 0.0, 0.4));
    }
}
