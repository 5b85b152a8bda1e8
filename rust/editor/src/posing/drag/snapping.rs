//! Snapping of bones that are pulled: to the grid of the 2D editor, and to steps of rotation.
//!
//! The editor shows plugins neither whether it snaps nor to what. Its buttons say the one, and its dialog for
//! the steps, once it was opened, the other.

use godot::classes::{Button, EditorInterface, MenuButton, SpinBox};
use godot::prelude::*;
use tendon_nodes::engine::children::find_all;

use crate::engine_controls::calls;

/// The grid and the steps of rotation that drags snap to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Snapping {
    /// A point of the grid, and the distance to the next, in pixels of the canvas.
    offset: Vector2,
    step: Vector2,
    /// Radians.
    angle_offset: f32,
    angle_step: f32,
    /// `true` if the end of a limb goes to the grid, and if the rotation of a bone goes by steps.
    pub(super) to_grid: bool,
    pub(super) to_angles: bool,
}

/// The editor's values until someone changes them: its dialog shows them only when it is opened.
const DEFAULT: Snapping = Snapping {
    offset: Vector2::ZERO,
    step: Vector2::splat(8.0),
    angle_offset: 0.0,
    angle_step: std::f32::consts::PI / 12.0,
    to_grid: false,
    to_angles: false,
};

impl Snapping {
    /// That of the editor. It takes a while: the editor's buttons are looked for.
    pub(super) fn of_editor() -> Self {
        let (to_grid, to_angles) = switches().unwrap_or_default();
        Self {
            to_grid,
            to_angles,
            ..steps_of_dialog().unwrap_or(DEFAULT)
        }
    }

    /// If `inverts`, as with Ctrl, it is off where it was on, and on where it was off.
    pub(super) fn inverted(self, inverts: bool) -> Self {
        Self {
            to_grid: self.to_grid != inverts,
            to_angles: self.to_angles != inverts,
            ..self
        }
    }

    /// The nearest point of the grid. A step of zero leaves its coordinate free.
    pub(super) fn snap_point(&self, point: Vector2) -> Vector2 {
        Vector2::new(
            snap(point.x, self.offset.x, self.step.x),
            snap(point.y, self.offset.y, self.step.y),
        )
    }

    /// The nearest step of rotation, in radians.
    pub(super) fn snap_angle(&self, angle: f32) -> f32 {
        snap(angle, self.angle_offset, self.angle_step)
    }
}

fn snap(value: f32, offset: f32, step: f32) -> f32 {
    match step > 0.0 {
        true => ((value - offset) / step).round() * step + offset,
        false => value,
    }
}

/// Returns two flags: the editor snaps to its grid, and it snaps rotations.
fn switches() -> Option<(bool, bool)> {
    let screen = EditorInterface::singleton().get_editor_main_screen()?;
    let buttons = find_all::<Button>(&screen.upcast(), "Button").into_iter();
    let mut buttons = buttons.filter(|button| button.is_toggle_mode());
    let grid = buttons.find(|button| {
        let method = "_button_toggle_grid_snap";
        calls(
            &button.clone().upcast(),
            "toggled",
            "CanvasItemEditor",
            method,
        )
    })?;
    // The menu beside it; its first entry is that for rotations.
    let siblings = grid.get_parent()?.get_children();
    let after = siblings
        .iter_shared()
        .skip_while(|node| *node != grid.clone().upcast());
    let mut menus = after.filter_map(|node| node.try_cast::<MenuButton>().ok());
    let popup = menus.next().and_then(|menu| menu.get_popup());
    let angles = popup.is_some_and(|popup| popup.get_item_count() > 0 && popup.is_item_checked(0));
    Some((grid.is_pressed(), angles))
}

/// The steps that the editor's dialog shows, if it was opened before.
fn steps_of_dialog() -> Option<Snapping> {
    let base = EditorInterface::singleton().get_base_control()?;
    let dialogs = find_all::<Node>(&base.upcast(), "SnapDialog");
    let fields = find_all::<SpinBox>(dialogs.first()?, "SpinBox");
    let values = fields.iter().map(|field| field.get_value() as f32);
    let values: Vec<_> = values.collect();
    let &[x, y, width, height, _, _, angle_offset, angle_step, ..] = &values[..] else {
        return None;
    };
    let was_opened = angle_step > 0.0 || width > 1.0 || height > 1.0;
    was_opened.then(|| Snapping {
        offset: Vector2::new(x, y),
        step: Vector2::new(width, height),
        angle_offset: angle_offset.to_radians(),
        angle_step: angle_step.to_radians(),
        ..DEFAULT
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_and_angles_snap_to_the_nearest_step() {
        let snapping = Snapping {
            offset: Vector2::new(3.0, 0.0),
            step: Vector2::new(10.0, 0.0),
            ..DEFAULT
        };
        let point = snapping.snap_point(Vector2::new(-16.1, 7.7));
        assert_eq!(point, Vector2::new(-17.0, 7.7));
        let angle = snapping.snap_angle(50.0_f32.to_radians());
        assert!((angle.to_degrees() - 45.0).abs() < 1e-4);
    }
}
