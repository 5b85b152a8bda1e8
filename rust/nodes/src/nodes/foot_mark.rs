//! The mark of a foot in a running game that shows collision shapes: where it stands, or is about to.

use godot::classes::{ProjectSettings, RenderingServer, Skeleton2D};
use godot::prelude::*;

/// The radius of a foot, and half of the ground that is drawn, in pixels.
const PLACE: f32 = 4.0;
const GROUND: f32 = 12.0;
const WIDTH: f32 = 1.5;

/// Points of a ring.
const POINTS: u16 = 16;

/// The mark on the canvas of the skeleton, in global coordinates.
pub(super) struct FootMark {
    item: Rid,
    ground: Color,
    foot: Color,
}

impl FootMark {
    /// `None` unless *Debug > Visible Collision Shapes* is chosen.
    pub(super) fn on_canvas_of(skeleton: &Gd<Skeleton2D>) -> Option<Self> {
        let is_shown = skeleton.get_tree_or_null()?.is_debugging_collisions_hint();
        is_shown.then(|| {
            let mut server = RenderingServer::singleton();
            let item = server.canvas_item_create();
            server.canvas_item_set_parent(item, skeleton.get_canvas());
            server.canvas_item_set_z_index(item, RenderingServer::CANVAS_ITEM_Z_MAX);
            Self {
                item,
                ground: colour("debug/shapes/collision/shape_color"),
                foot: colour("debug/shapes/collision/contact_color"),
            }
        })
    }

    /// A line along the ground, which has this normal, and on it a disc where a foot stands, or a ring. Nothing
    /// without a normal.
    pub(super) fn show(&self, at: Vector2, normal: Vector2, is_planted: bool) {
        let mut server = RenderingServer::singleton();
        server.canvas_item_clear(self.item);
        if normal == Vector2::ZERO {
            return;
        }
        let along = normal.orthogonal() * GROUND;
        let mut line = |from, to, colour| {
            let line = server.canvas_item_add_line_ex(self.item, from, to, colour);
            line.width(WIDTH).antialiased(true).done();
        };
        line(at - along, at + along, self.ground);
        if is_planted {
            server.canvas_item_add_circle(self.item, at, PLACE, self.foot);
            return;
        }
        let ring = |point: u16| {
            let turn = std::f32::consts::TAU * f32::from(point) / f32::from(POINTS);
            at + Vector2::from_angle(turn) * PLACE
        };
        (0..POINTS).for_each(|point| line(ring(point), ring(point + 1), self.foot));
    }
}

impl Drop for FootMark {
    fn drop(&mut self) {
        RenderingServer::singleton().free_rid(self.item);
    }
}

/// Returns the colour of a project setting, opaque.
fn colour(setting: &str) -> Color {
    let colour = ProjectSettings::singleton().get_setting(setting);
    let colour: Color = colour.try_to().unwrap_or(Color::CYAN);
    Color { a: 1.0, ..colour }
}
