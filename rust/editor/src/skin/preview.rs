//! A picture with the mesh and the weights that it would get.

use godot::classes::{Control, IControl, RenderingServer, Texture2D};
use godot::prelude::*;
use tendon_skin::Skin;
use tendon_skin::glam::DVec2;

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

/// A picture, in its pixels, with its mesh.
pub(super) struct Shown {
    /// The texture and the part of it, unless the mesh alone is shown.
    picture: Option<(Gd<Texture2D>, Rect2)>,
    size: Vector2,
    vertices: Vec<Vector2>,
    triangles: Vec<[usize; 3]>,
    colours: Vec<Color>,
}

impl Shown {
    /// `colours` are those of the bones that weights name.
    pub(super) fn of_subject(subject: &Subject, skin: &Skin, colours: &[usize]) -> Self {
        let (texture, source, size) = subject.shown();
        Self {
            picture: Some((texture, source)),
            size,
            ..Self::new(skin, Vector2::ZERO, colours)
        }
    }

    /// The mesh of a polygon.
    pub(super) fn of_mesh(skin: &Skin, colours: &[usize]) -> Self {
        let mut places = skin.mesh.vertices.iter().copied();
        let first = places.next().unwrap_or_default();
        let (low, high) = places.fold((first, first), |(low, high), it| {
            (low.min(it), high.max(it))
        });
        let place = |it: DVec2| Vector2::new(it.x as f32, it.y as f32);
        Self {
            size: place(high - low),
            ..Self::new(skin, place(low), colours)
        }
    }

    fn new(skin: &Skin, origin: Vector2, colours: &[usize]) -> Self {
        let places = skin.mesh.vertices.iter();
        let places = places.map(|it| Vector2::new(it.x as f32, it.y as f32) - origin);
        let colour = |vertex| {
            let row = skin.weights.of(vertex).iter();
            let row: Vec<_> = row.map(|&(bone, weight)| (colours[bone], weight)).collect();
            mixed(&row).with_alpha(COVER)
        };
        Self {
            picture: None,
            size: Vector2::ZERO,
            colours: (0..skin.mesh.vertices.len()).map(colour).collect(),
            vertices: places.collect(),
            triangles: skin.mesh.triangles.clone(),
        }
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
        if let Some((texture, source)) = &self.picture {
            control.draw_texture_rect_region(texture, target, *source);
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
