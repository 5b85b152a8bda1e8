//! Keys for bones and targets that were posed, as the editor's own tools insert them while "auto insert keys" is on:
//! for properties that have a track in the animation that is edited. A target that is dragged by its own handle gets its
//! keys from the editor's tool: [`crate::viewport_drag`].

use godot::classes::{BaseButton, EditorInterface};
use godot::prelude::*;
use tendon_nodes::engine::children::find_all;
use tendon_nodes::nodes::pose_library::held_nodes::FLIPS;
use tendon_nodes::nodes::rigging::names;

use crate::action::Action;
use crate::bake::tracks::is_foreign;
use crate::engine_controls::{buttons_of, is_key_bar};
use crate::posing::edited_animation::EditedAnimation;
use crate::posing::posture::ChangedProperty;

/// The properties that the editor inserts keys for, in the order of its buttons.
const PROPERTIES: [&str; 3] = ["position", "rotation", "scale"];

/// The animation into which keys are inserted now, and the properties that get them.
pub(super) struct Keying {
    edited: EditedAnimation,
    properties: Vec<&'static str>,
}

impl Keying {
    /// `None` unless an animation is edited and drags insert keys.
    pub(super) fn of_editor(scene: &Gd<Node>) -> Option<Self> {
        let properties = keyed_properties();
        let edited = EditedAnimation::of_editor(scene).ok()?;
        (!properties.is_empty()).then_some(Self { edited, properties })
    }

    /// Inserts keys for what has changed, as parts of an undo step. Returns what to tell the user if not all of
    /// it has one.
    pub(super) fn insert(
        &self,
        changes: &[ChangedProperty],
        scene: &Gd<Node>,
        action: &mut Action,
    ) -> Option<String> {
        if is_foreign(&self.edited.animation, scene) {
            return Some("No keys: the animation belongs to another scene.".into());
        }
        let mut missing = Vec::new();
        for property in &self.properties {
            let mut without = Vec::new();
            for change in changes.iter().filter(|change| change.property == *property) {
                match self.edited.track_of(&change.node, property) {
                    Some(track) => self.edited.insert_key(track, &change.value, action),
                    None => without.push(change.node.clone()),
                }
            }
            if !without.is_empty() {
                missing.push(format!("the {property} of {}", names(without)));
            }
        }
        // The editor has no button for it: it has keys where somebody has made a track.
        for change in changes.iter().filter(|change| change.property == FLIPS) {
            if let Some(track) = self.edited.track_of(&change.node, FLIPS) {
                self.edited.insert_key(track, &change.value, action);
            }
        }
        (!missing.is_empty()).then(|| {
            format!(
                "No keys for {}. As with the editor's own tools, keys are inserted where there is a track for that.",
                missing.join(", and ")
            )
        })
    }
}

/// The properties for which drags in the viewport insert keys.
fn keyed_properties() -> Vec<&'static str> {
    let screen = EditorInterface::singleton().get_editor_main_screen();
    let menus = screen.map(|screen| find_all::<Node>(&screen.upcast(), "MenuButton"));
    let bars = menus.into_iter().flatten();
    let mut bars = bars.filter_map(|menu| menu.get_parent());
    let bar = bars.find(is_key_bar);
    let Some(bar) = bar.filter(|bar| bar.get("visible") == true.to_variant()) else {
        return Vec::new();
    };
    // Those for the properties, and the one that has drags insert keys.
    let toggles = buttons_of(&bar).into_iter();
    let toggles: Vec<_> = toggles.filter(|button| button.is_toggle_mode()).collect();
    let is_pressed = |button: Option<&Gd<BaseButton>>| button.is_some_and(|it| it.is_pressed());
    if !is_pressed(toggles.get(PROPERTIES.len())) {
        return Vec::new();
    }
    let chosen = PROPERTIES.iter().zip(&toggles);
    let chosen = chosen.filter(|(_, button)| button.is_pressed());
    chosen.map(|(&property, _)| property).collect()
}
