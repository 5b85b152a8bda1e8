//! What each colour means: the editor's own colours, for bones and for the status.

use godot::classes::EditorInterface;
use godot::prelude::*;
use tendon_solver::Status;

/// Around light lines.
const SHADE: Color = Color::from_rgba(0.0, 0.0, 0.0, 0.55);

/// See the documentation of the module.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Palette {
    /// The editor's colour for bones with inverse kinematics.
    pub(super) bone: Color,
    /// Its colour for selected bones: what holds bones back.
    pub(super) bound: Color,
    /// Around light lines, so that they can be seen on a light background.
    pub(super) shade: Color,
    reached: Color,
    out_of_reach: Color,
    pub(super) invalid: Color,
    pub(super) idle: Color,
    pub(super) text: Color,
}

impl Palette {
    /// The colours of the editor as it is set up now.
    pub(super) fn of_editor() -> Self {
        let editor = EditorInterface::singleton();
        let settings = editor.get_editor_settings();
        let theme = editor.get_editor_theme();
        let setting = |name: &str, otherwise: Color| {
            let path = format!("editors/2d/{name}");
            let settings = settings.as_ref().filter(|all| all.has_setting(&path));
            let value = settings.map(|all| all.get_setting(&path));
            value
                .and_then(|value| value.try_to().ok())
                .unwrap_or(otherwise)
        };
        let themed = |name: &str, otherwise: Color| {
            let theme = theme
                .as_ref()
                .filter(|theme| theme.has_color(name, "Editor"));
            theme.map_or(otherwise, |theme| theme.get_color(name, "Editor"))
        };
        Self {
            bone: setting("bone_ik_color", Color::from_rgb(0.9, 0.9, 0.45)),
            bound: setting("bone_selected_color", Color::from_rgb(0.9, 0.45, 0.45)),
            shade: SHADE,
            reached: themed("success_color", Color::from_rgb(0.45, 0.95, 0.5)),
            out_of_reach: Color::from_rgb(1.0, 0.68, 0.25),
            invalid: themed("error_color", Color::from_rgb(1.0, 0.47, 0.42)),
            idle: Color::from_rgb(0.72, 0.74, 0.78),
            text: Color::WHITE,
        }
    }

    /// The colour of a status.
    pub(super) fn of_status(&self, status: Status) -> Color {
        match status {
            Status::Idle => self.idle,
            Status::Reached => self.reached,
            Status::OutOfReach => self.out_of_reach,
            Status::Invalid => self.invalid,
        }
    }
}

#[cfg(test)]
impl Palette {
    /// Different colours, without an editor.
    pub(super) fn plain() -> Self {
        let grey = |share| Color::from_rgb(share, share, share);
        Self {
            bone: grey(0.1),
            bound: grey(0.2),
            shade: SHADE,
            reached: grey(0.3),
            out_of_reach: grey(0.4),
            invalid: grey(0.5),
            idle: grey(0.6),
            text: grey(1.0),
        }
    }
}
