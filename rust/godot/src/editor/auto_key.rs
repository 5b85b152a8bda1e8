//! Keys for bones that were posed, as the editor's own tools insert them while "auto insert keys" is on:
//! for properties that have a track in the animation that is edited.

use godot::classes::animation::{FindMode, TrackType};
use godot::classes::{Animation, AnimationPlayer, BaseButton, EditorInterface, OptionButton};
use godot::prelude::*;

use crate::editor::action::Action;
use crate::editor::bake::dialog::players_in;
use crate::editor::bake::playback::resolve;
use crate::editor::bake::tracks::is_foreign;
use crate::editor::builtin_tools::{buttons_of, find_all, is_key_bar};
use crate::editor::pose::BoneTransform;

/// Where keys are inserted now.
pub(super) struct Keying {
    animation: Gd<Animation>,
    /// What tracks are relative to.
    root: Gd<Node>,
    time: f64,
    /// Whether the animation is saved elsewhere.
    is_foreign: bool,
}

impl Keying {
    /// `None` unless an animation is edited and drags insert keys of rotations.
    pub(super) fn of_editor(scene: &Gd<Node>) -> Option<Self> {
        if !inserts_rotations() {
            return None;
        }
        let player = edited_player(scene)?;
        let assigned = StringName::from(&player.get_assigned_animation());
        let animation = player.get_animation(&assigned)?;
        Some(Self {
            root: player.get_node_or_null(&player.get_root_node())?,
            time: player.get_current_animation_position(),
            is_foreign: is_foreign(&animation, scene),
            animation,
        })
    }

    /// Inserts keys for the rotations `after`, as parts of an undo step. Returns what to tell the user if
    /// not all of them have one.
    pub(super) fn insert(&self, after: &[BoneTransform], action: &mut Action) -> Option<String> {
        if self.is_foreign {
            return Some("No keys: the animation belongs to another scene.".into());
        }
        let mut missing = Vec::new();
        for pose in after {
            match self.track_of(pose) {
                Some(track) => self.insert_key(track, pose.rotation, action),
                None => missing.push(format!("\"{}\"", pose.bone.get_name())),
            }
        }
        (!missing.is_empty()).then(|| {
            format!(
                "No keys for {}: as with the editor's own tools, keys are inserted where there is a \
                 track for the rotation.",
                missing.join(", ")
            )
        })
    }

    /// The track of the bone's rotation.
    fn track_of(&self, pose: &BoneTransform) -> Option<i32> {
        (0..self.animation.get_track_count()).find(|&track| {
            let path = self.animation.track_get_path(track);
            let kind = self.animation.track_get_type(track);
            let has_keys = kind == TrackType::VALUE || kind == TrackType::BEZIER;
            let found = resolve(&self.root, &path).filter(|_| has_keys);
            found.is_some_and(|(object, property)| {
                let property = property.to_string();
                let name = property.trim_start_matches(':');
                object.instance_id() == pose.bone.instance_id() && name == "rotation"
            })
        })
    }

    fn insert_key(&self, track: i32, rotation: f32, action: &mut Action) {
        let (track, time) = (track.to_variant(), self.time.to_variant());
        let index = track.to::<i32>();
        let present = self.animation.track_find_key_ex(index, self.time);
        let present = present.find_mode(FindMode::APPROX).done();
        let transition = match present {
            0.. => self.animation.track_get_key_transition(index, present),
            _ => 1.0,
        };
        let value = match self.animation.track_get_type(index) {
            // A value and the two handles of the curve.
            TrackType::BEZIER => varray![rotation, -0.25, 0, 0.25, 0].to_variant(),
            _ => rotation.to_variant(),
        };
        let method = "track_insert_key";
        let rest = transition.to_variant();
        let arguments = [track.clone(), time.clone(), value, rest.clone()];
        action.when_done(&self.animation, method, &arguments);
        // Undone in the opposite order: the key goes first.
        if present >= 0 {
            let before = self.animation.track_get_key_value(index, present);
            let arguments = [track.clone(), time.clone(), before, rest];
            action.when_undone(&self.animation, method, &arguments);
        }
        action.when_undone(&self.animation, "track_remove_key_at_time", &[track, time]);
    }
}

/// Whether drags in the viewport insert keys of rotations.
fn inserts_rotations() -> bool {
    let Some(screen) = EditorInterface::singleton().get_editor_main_screen() else {
        return false;
    };
    let menus = find_all::<Node>(&screen.upcast(), "MenuButton");
    let bars = menus.into_iter().filter_map(|menu| menu.get_parent());
    let Some(bar) = bars.into_iter().find(is_key_bar) else {
        return false;
    };
    let is_shown = bar.get("visible") == true.to_variant();
    // Those for position, rotation and scale, and the one that has drags insert keys.
    let toggles = buttons_of(&bar).into_iter();
    let toggles: Vec<_> = toggles.filter(|button| button.is_toggle_mode()).collect();
    let is_pressed = |button: Option<&Gd<BaseButton>>| button.is_some_and(|it| it.is_pressed());
    is_shown && is_pressed(toggles.get(1)) && is_pressed(toggles.get(3))
}

/// The one player that is at the animation that the animation editor shows.
fn edited_player(scene: &Gd<Node>) -> Option<Gd<AnimationPlayer>> {
    let base = EditorInterface::singleton().get_base_control()?;
    let editors = find_all::<Node>(&base.upcast(), "AnimationPlayerEditor");
    let lists = editors
        .iter()
        .flat_map(|editor| find_all::<OptionButton>(editor, "OptionButton"));
    let shown: Vec<_> = lists
        .filter(|list| list.get_selected() >= 0)
        .map(|list| list.get_item_text(list.get_selected()).to_string())
        .collect();
    let players = players_in(scene).into_iter().filter(|player| {
        let assigned = player.get_assigned_animation().to_string();
        !assigned.is_empty() && shown.contains(&assigned)
    });
    let [player] = <[_; 1]>::try_from(players.collect::<Vec<_>>()).ok()?;
    Some(player)
}
