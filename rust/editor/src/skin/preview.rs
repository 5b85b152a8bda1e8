//! A picture with the mesh and the weights that it would get, and the bones that would move it.

use godot::classes::{
    CanvasItem, Control, EditorInterface, IControl, InputEvent, RenderingServer, Texture2D,
};
use godot::prelude::*;
use tendon_skin::glam::DVec2;
use tendon_skin::{Bone, Skin};

use crate::skin::colours::BoneColours;
use crate::skin::job::SkinWork;
use crate::skin::picture::{narrow, wide};
use crate::skin::subject::SkinSubject;
use crate::viewport_event::ViewportEvent;

/// The brightness of the picture: the colours on it are to be seen.
const DIMMED: Color = Color::from_rgb(0.72, 0.72, 0.72);

/// The opacity of the colours on the picture.
const COVER: f32 = 0.42;

/// The opacity of the edges of triangles that are at least [`ROOMY`] pixels long. Shorter ones are fainter, or edges
/// alone would be seen.
const EDGE: f32 = 0.45;
const ROOMY: f32 = 24.0;

/// Of bones, in pixels of the editor's design.
const BONE_WIDTH: f32 = 3.0;
const JOINT_RADIUS: f32 = 4.0;
const RIM: f32 = 1.25;
const RIM_COLOUR: Color = Color::from_rgba(0.0, 0.0, 0.0, 0.8);

/// The least distance between the points of a line, in pixels.
const BETWEEN_POINTS: f32 = 3.0;

/// Shows one picture after another, each as large as there is room. Lines that are drawn over one are cuts.
#[derive(GodotClass)]
#[class(tool, init, internal, base = Control)]
pub(super) struct TendonSkinPreview {
    shown: Vec<ShownPicture>,
    /// The cuts of each picture, in its pixels: the picture and the line, one after the other.
    cuts: Vec<(usize, Vec<Vector2>)>,
    /// The one that is being drawn.
    drawn: Option<(usize, Vec<Vector2>)>,
    base: Base<Control>,
}

/// A picture, in its pixels, with its mesh.
pub(super) struct ShownPicture {
    name: String,
    /// The texture and the part of it, unless the mesh alone is shown.
    picture: Option<(Gd<Texture2D>, Rect2)>,
    size: Vector2,
    vertices: PackedVector2Array,
    corners: PackedInt32Array,
    colours: PackedColorArray,
    edges: PackedVector2Array,
    /// The scale at which the picture was last seen, and the shades of the edges at it.
    shades: (f32, PackedColorArray),
    bones: Vec<ShownBone>,
}

/// A bone in the pixels of the picture: lines from its joint to its ends.
struct ShownBone {
    lines: Vec<[Vector2; 2]>,
    colour: Color,
}

impl ShownPicture {
    /// `palette` has the colours of the bones.
    pub(super) fn of_subject(
        subject: &SkinSubject,
        skin: &Skin,
        work: &SkinWork,
        palette: &BoneColours,
    ) -> Self {
        let (texture, source, size) = subject.shown();
        Self {
            picture: Some((texture, source)),
            size,
            ..Self::new(skin, Vector2::ZERO, work, palette)
        }
    }

    /// The mesh of a polygon.
    pub(super) fn of_mesh(skin: &Skin, work: &SkinWork, palette: &BoneColours) -> Self {
        let mut places = skin.mesh.vertices.iter().copied();
        let first = places.next().unwrap_or_default();
        let (low, high) = places.fold((first, first), |(low, high), it| {
            (low.min(it), high.max(it))
        });
        Self {
            size: narrow(high - low),
            ..Self::new(skin, narrow(low), work, palette)
        }
    }

    fn new(skin: &Skin, origin: Vector2, work: &SkinWork, palette: &BoneColours) -> Self {
        let place = |it: DVec2| narrow(it) - origin;
        let bone = |(index, bone): (usize, &Bone)| ShownBone {
            lines: bone.segments.iter().map(|it| it.map(place)).collect(),
            colour: palette.bone(index),
        };
        let mesh = &skin.mesh;
        let colour = |vertex| palette.mixed(skin.weights.of(vertex), COVER);
        let corners = mesh.triangles.iter().flatten();
        let ends = mesh.edges().into_iter().flatten();
        Self {
            name: work.name.clone(),
            picture: None,
            size: Vector2::ZERO,
            colours: (0..mesh.vertices.len()).map(colour).collect(),
            vertices: mesh.vertices.iter().copied().map(place).collect(),
            corners: corners.map(|&corner| corner as i32).collect(),
            edges: ends.map(|end| place(mesh.vertices[end])).collect(),
            shades: (0.0, PackedColorArray::new()),
            bones: work.bones.iter().enumerate().map(bone).collect(),
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
        for index in 0..self.shown.len() {
            let Some(view) = self.view(index) else {
                continue;
            };
            // Only the editor shows something, and has a scale.
            let scale = EditorInterface::singleton().get_editor_scale();
            let cell = self.cell(index);
            self.shown[index].draw(&mut control, view, cell);
            let lines = self.cuts.iter().chain(&self.drawn);
            for (_, line) in lines.filter(|(of, _)| *of == index) {
                let points = line.iter().map(|&point| view * point).collect();
                draw_cut(&mut control, &points, scale);
            }
        }
    }

    #[func(gd_self)]
    fn gui_input(this: Gd<Self>, event: Gd<InputEvent>) {
        match ViewportEvent::of(event) {
            Some(ViewportEvent::Press(button)) => Self::begin_cut(this, button.get_position()),
            Some(ViewportEvent::Motion(motion)) => Self::lead_cut(this, motion.get_position()),
            Some(ViewportEvent::Release) => Self::end_cut(this),
            Some(ViewportEvent::Cancel) => Self::cancel_cut(this),
            None => {}
        }
    }
}

#[godot_api]
impl TendonSkinPreview {
    /// A line was drawn, or taken back.
    #[signal]
    fn cuts_changed();
}

impl TendonSkinPreview {
    pub(super) fn show(this: &mut Gd<Self>, shown: Vec<ShownPicture>) {
        this.bind_mut().shown = shown;
        this.queue_redraw();
    }

    /// The cuts of each picture, in its pixels.
    pub(super) fn cuts(&self, count: usize) -> Vec<Vec<Vec<DVec2>>> {
        let mut cuts = vec![Vec::new(); count];
        for (index, line) in self.cuts.iter().filter(|(index, _)| *index < count) {
            cuts[*index].push(line.iter().copied().map(wide).collect());
        }
        cuts
    }

    pub(super) fn has_cuts(&self) -> bool {
        !self.cuts.is_empty()
    }

    /// Takes back all cuts.
    pub(super) fn forget_cuts(this: &mut Gd<Self>) {
        let mut preview = this.bind_mut();
        preview.cuts.clear();
        preview.drawn = None;
    }

    /// Takes back the last cut.
    pub(super) fn undo_cut(this: &mut Gd<Self>) {
        this.bind_mut().cuts.pop();
        this.queue_redraw();
    }

    fn begin_cut(mut this: Gd<Self>, mouse: Vector2) {
        let picture = {
            let preview = this.bind();
            let pictures = 0..preview.shown.len();
            let mut cells = pictures.filter(|&it| preview.shown[it].picture.is_some());
            cells.find(|&index| preview.cell(index).contains_point(mouse))
        };
        let view = picture.and_then(|index| this.bind().view(index).map(|view| (index, view)));
        if let Some((index, view)) = view {
            this.bind_mut().drawn = Some((index, vec![view.affine_inverse() * mouse]));
        }
    }

    fn lead_cut(mut this: Gd<Self>, mouse: Vector2) {
        let Some((index, last)) = this
            .bind()
            .drawn
            .as_ref()
            .map(|(it, line)| (*it, line.last().copied()))
        else {
            return;
        };
        let view = this.bind().view(index);
        let Some((view, last)) = view.zip(last) else {
            return;
        };
        if (view * last).distance_to(mouse) >= BETWEEN_POINTS
            && let Some((_, line)) = &mut this.bind_mut().drawn
        {
            line.push(view.affine_inverse() * mouse);
        }
        this.queue_redraw();
    }

    fn end_cut(mut this: Gd<Self>) {
        let drawn = this.bind_mut().drawn.take();
        this.queue_redraw();
        if let Some(drawn) = drawn.filter(|(_, line)| line.len() > 1) {
            this.bind_mut().cuts.push(drawn);
            this.emit_signal("cuts_changed", &[]);
        }
    }

    fn cancel_cut(mut this: Gd<Self>) {
        this.bind_mut().drawn = None;
        this.queue_redraw();
    }

    /// The room of a picture.
    fn cell(&self, index: usize) -> Rect2 {
        let room = self.base().get_size();
        let count = self.shown.len().max(1) as f32;
        // As many columns as keep the cells about as wide as they are high.
        let columns = (count * room.x / room.y.max(1.0))
            .sqrt()
            .round()
            .clamp(1.0, count);
        let rows = (count / columns).ceil();
        let cell = Vector2::new(room.x / columns, room.y / rows);
        let (column, row) = (index % columns as usize, index / columns as usize);
        let corner = Vector2::new(column as f32, row as f32) * cell;
        Rect2::new(corner, cell).grow(-8.0)
    }

    /// From the pixels of a picture to where they are seen.
    fn view(&self, index: usize) -> Option<Transform2D> {
        let (cell, size) = (self.cell(index), self.shown.get(index)?.size);
        let title = Vector2::new(0.0, title_height(&self.base()));
        let room = Rect2::new(cell.position + title, cell.size - title);
        let ratio = room.size / size;
        let scale = ratio.x.min(ratio.y);
        let corner = room.position + (room.size - size * scale) / 2.0;
        let view =
            Transform2D::from_cols(Vector2::new(scale, 0.0), Vector2::new(0.0, scale), corner);
        (scale.is_finite() && scale > 0.0).then_some(view)
    }
}

/// The name of a picture is over it.
fn title_height(control: &Control) -> f32 {
    1.5 * control.get_theme_default_font_size() as f32
}

/// Draws a line along which a mesh is cut.
pub(crate) fn draw_cut<T: Inherits<CanvasItem>>(
    control: &mut Gd<T>,
    points: &PackedVector2Array,
    scale: f32,
) {
    if points.len() < 2 {
        return;
    }
    let mut item = control.clone().upcast::<CanvasItem>();
    for (width, colour) in [(4.0, RIM_COLOUR), (2.0, Color::WHITE)] {
        let pen = item.draw_polyline_ex(points, colour);
        pen.width(width * scale).antialiased(true).done();
    }
}

impl ShownPicture {
    fn draw(&mut self, control: &mut Gd<Control>, view: Transform2D, cell: Rect2) {
        self.draw_title(control, view.a.x, cell);
        if let Some((texture, source)) = &self.picture {
            let target = view * Rect2::new(Vector2::ZERO, self.size);
            let picture = control.draw_texture_rect_region_ex(texture, target, *source);
            picture.modulate(DIMMED).done();
        }
        control.draw_set_transform_matrix(view);
        self.draw_mesh(control, view.a.x);
        control.draw_set_transform_matrix(Transform2D::IDENTITY);
        self.draw_bones(control, |place| view * place);
    }

    /// Draws the name of the picture and its scale: each picture has as much room as the others.
    fn draw_title(&self, control: &mut Gd<Control>, scale: f32, cell: Rect2) {
        let title = format!("{} ({:.0} %)", self.name, scale * 100.0);
        if let Some(font) = control.get_theme_default_font() {
            let size = control.get_theme_default_font_size();
            let at = cell.position + Vector2::new(0.0, size as f32);
            let string = control.draw_string_ex(&font, at, &title);
            string.font_size(size).width(cell.size.x).done();
        }
    }

    /// Each triangle in the colours of its corners, and all edges, in two calls: there may be ten thousands.
    fn draw_mesh(&mut self, control: &mut Gd<Control>, scale: f32) {
        RenderingServer::singleton().canvas_item_add_triangle_array(
            control.get_canvas_item(),
            &self.corners,
            &self.vertices,
            &self.colours,
        );
        if self.shades.0 != scale {
            let shade = |ends: &[Vector2]| {
                let length = ends[0].distance_to(ends[1]) * scale;
                Color::from_rgba(0.0, 0.0, 0.0, EDGE * (length / ROOMY).min(1.0))
            };
            let shades = self.edges.as_slice().chunks_exact(2).map(shade);
            self.shades = (scale, shades.collect());
        }
        if !self.edges.is_empty() {
            control.draw_multiline_colors(&self.edges, &self.shades.1);
        }
    }

    /// Each bone in its colour, with a dark rim.
    fn draw_bones(&self, control: &mut Gd<Control>, on_screen: impl Fn(Vector2) -> Vector2) {
        let design = EditorInterface::singleton().get_editor_scale();
        for (rim, colour) in [(RIM, Some(RIM_COLOUR)), (0.0, None)] {
            for bone in &self.bones {
                let colour = colour.unwrap_or(bone.colour);
                for line in &bone.lines {
                    let [from, to] = line.map(&on_screen);
                    let pen = control.draw_line_ex(from, to, colour);
                    let width = (BONE_WIDTH + 2.0 * rim) * design;
                    pen.width(width).antialiased(true).done();
                }
                if let Some(&[joint, _]) = bone.lines.first() {
                    let radius = (JOINT_RADIUS + rim) * design;
                    let dot = control.draw_circle_ex(on_screen(joint), radius, colour);
                    dot.antialiased(true).done();
                }
            }
        }
    }
}
