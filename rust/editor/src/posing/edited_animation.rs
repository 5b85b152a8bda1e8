//! The animation that the animation editor shows, and keys that are inserted into it.

use godot::classes::animation::{FindMode, InterpolationType, TrackType};
use godot::classes::{Animation, AnimationPlayer, EditorInterface, OptionButton};
use godot::prelude::*;
use tendon_nodes::engine::children::find_all;

use crate::action::Action;
use crate::bake::form::players_in;
use crate::bake::playback::resolved_tracks;
use crate::refusal::Refusal;

/// An animation that is edited, at the time that is shown.
pub(crate) struct EditedAnimation {
    pub(crate) player: Gd<AnimationPlayer>,
    pub(super) animation: Gd<Animation>,
    /// The node that the paths of tracks are relative to.
    pub(super) root: Gd<Node>,
    pub(super) time: f64,
}

impl EditedAnimation {
    /// # Errors
    /// Why there is none, with advice what to do.
    pub(crate) fn of_editor(scene: &Gd<Node>) -> Result<Self, Refusal> {
        let player = edited_player(scene)?;
        let assigned = StringName::from(&player.get_assigned_animation());
        let animation = player.get_animation(&assigned).ok_or(NONE_OPEN)?;
        let root = player.get_node_or_null(&player.get_root_node());
        Ok(Self {
            root: root.ok_or("The AnimationPlayer's root node does not exist.")?,
            time: time_of(&player),
            player,
            animation,
        })
    }

    /// Has the animation editor show its time again, once it has taken notice of a change. It goes to the
    /// beginning when an animation is added to the player.
    pub(super) fn return_to_time(&self) {
        let base = EditorInterface::singleton().get_base_control();
        for mut timeline in base
            .iter()
            .flat_map(|base| find_all::<Node>(&base.clone().upcast(), "AnimationTimelineEdit"))
        {
            let arguments = vslice!["timeline_changed", self.time, false];
            timeline.call_deferred("emit_signal", arguments);
        }
    }

    /// The track of the node's `property` that takes keys.
    pub(super) fn track_of<T: Inherits<Node>>(&self, node: &Gd<T>, property: &str) -> Option<i32> {
        self.track_in(&self.animation, node, property)
    }

    /// Returns the interpolation of the node's `property` in the animations of the player: the engine warns of tracks
    /// that differ in that.
    pub(super) fn usual_interpolation<T: Inherits<Node>>(
        &self,
        node: &Gd<T>,
        property: &str,
    ) -> Option<InterpolationType> {
        let names = self.player.get_animation_list();
        let mut names = names.as_slice().iter();
        names.find_map(|name| {
            let animation = self.player.get_animation(&StringName::from(name))?;
            let track = self.track_in(&animation, node, property)?;
            let is_value = animation.track_get_type(track) == TrackType::VALUE;
            is_value.then(|| animation.track_get_interpolation_type(track))
        })
    }

    /// The same in `animation`, one of the player's.
    fn track_in<T: Inherits<Node>>(
        &self,
        animation: &Gd<Animation>,
        node: &Gd<T>,
        property: &str,
    ) -> Option<i32> {
        let mut tracks = resolved_tracks(animation, &self.root);
        let found = tracks.find(|(track, object, name)| {
            let kind = animation.track_get_type(*track);
            // The value of a Bézier curve is a number.
            let is_curve = kind == TrackType::BEZIER && property == "rotation";
            let name = name.to_string();
            object.instance_id() == node.instance_id()
                && name.trim_start_matches(':') == property
                && (kind == TrackType::VALUE || is_curve)
        });
        found.map(|(track, ..)| track)
    }

    /// Inserts a key with `value` into a track, as a part of an undo step.
    pub(super) fn insert_key(&self, index: i32, value: &Variant, action: &mut Action) {
        let (track, time) = (index.to_variant(), self.time.to_variant());
        let present = self.animation.track_find_key_ex(index, self.time);
        let present = present.find_mode(FindMode::APPROX).done();
        let transition = match present {
            0.. => self.animation.track_get_key_transition(index, present),
            _ => 1.0,
        };
        let value = match self.animation.track_get_type(index) {
            // A value and the two handles of the curve.
            TrackType::BEZIER => varray![value, -0.25, 0, 0.25, 0].to_variant(),
            _ => value.clone(),
        };
        let method = "track_insert_key";
        let key = |value: Variant| [track.clone(), time.clone(), value, transition.to_variant()];
        action.when_done(&self.animation, method, &key(value));
        // Undone in the opposite order: the key goes first.
        if present >= 0 {
            let before = self.animation.track_get_key_value(index, present);
            action.when_undone(&self.animation, method, &key(before));
        }
        action.when_undone(&self.animation, "track_remove_key_at_time", &[track, time]);
    }
}

/// The time that is shown. A player that was only assigned an animation is at its beginning, and complains if it is
/// asked. Older engines cannot say that it was, and complain.
fn time_of(player: &Gd<AnimationPlayer>) -> f64 {
    const IS_ACTIVE: &str = "is_animation_active";
    let mut player = player.clone();
    let is_at_beginning =
        player.has_method(IS_ACTIVE) && player.call(IS_ACTIVE, &[]) == false.to_variant();
    match is_at_beginning {
        true => 0.0,
        false => player.get_current_animation_position(),
    }
}

/// The one player that is at the animation that the animation editor shows.
fn edited_player(scene: &Gd<Node>) -> Result<Gd<AnimationPlayer>, Refusal> {
    let base = EditorInterface::singleton().get_base_control();
    let base = base.ok_or(NONE_OPEN)?;
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
    match <[_; 1]>::try_from(players.collect::<Vec<_>>()) {
        Ok([player]) => Ok(player),
        Err(players) if players.is_empty() => Err(NONE_OPEN.into()),
        Err(_) => Err(
            "Several players show an animation of this name. Rename it in one of them, or have the \
             others show another one."
                .into(),
        ),
    }
}

const NONE_OPEN: &str = "No animation is open. Select an AnimationPlayer and choose an animation: keys go to \
    the one that the animation editor shows.";
