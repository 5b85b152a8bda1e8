//! What the dialogs for baking share: a window that asks for a player and for one of its animations.

use godot::classes::{
    AnimationPlayer, CheckBox, ConfirmationDialog, Label, OptionButton, Skeleton2D, SpinBox,
    VBoxContainer,
};
use godot::obj::InstanceId;
use godot::prelude::*;

use crate::controls::{self, Fields, new_check, new_number, new_text, new_window};
use crate::refusal::Refusal;
use crate::selection::{all_within, edited_node};

/// The window. It holds nodes of the scene by ID: they may be freed before it is confirmed.
pub(crate) struct Form {
    pub(crate) window: Gd<ConfirmationDialog>,
    pub(super) fields: Fields,
    player: Gd<OptionButton>,
    animation: Gd<OptionButton>,
    rate: Gd<SpinBox>,
    copy: Gd<CheckBox>,
    /// The reason that nothing can be baked as it is chosen.
    reason: Gd<Label>,
    players: Vec<InstanceId>,
    skeleton: Option<InstanceId>,
}

/// The choices that every form has.
pub(crate) struct Chosen {
    pub(crate) skeleton: Gd<Skeleton2D>,
    pub(crate) player: Gd<AnimationPlayer>,
    pub(crate) animation: StringName,
    /// Steps per second.
    pub(crate) rate: f64,
    /// `true` if the tracks go into a copy of the animation, which is added to its library.
    pub(crate) into_copy: bool,
}

impl Form {
    /// Builds the window, which calls `confirmed`. It calls `player` and `animation` when these are chosen.
    pub(super) fn new(
        title: &str,
        confirmed: &Callable,
        player: &Callable,
        animation: &Callable,
    ) -> Self {
        let window = new_window(title, "Bake", confirmed);
        let mut column = VBoxContainer::new_alloc();
        window.clone().add_child(&column);
        let mut fields = Fields::below(&column);
        let mut reason = new_text(0.0);
        reason.hide();
        column.add_child(&reason);
        Self {
            window,
            player: fields.add_choice("Player", "", &[], player),
            animation: fields.add_choice("Animation", "", &[], animation),
            fields,
            rate: new_number((1.0, 240.0, 1.0), 60.0, "per second"),
            copy: new_check("Bake into a copy", COPY),
            reason,
            players: Vec::new(),
            skeleton: None,
        }
    }

    /// Adds the field for the steps per second, then `others`, then the choice whether a copy is baked into.
    pub(super) fn add_rate<T>(&mut self, others: impl FnOnce(&mut Fields) -> T) -> T {
        self.fields.add("Rate", "", &self.rate);
        let others = others(&mut self.fields);
        self.fields.add("Result", COPY, &self.copy);
        others
    }

    /// Returns the choices, or `None` if the skeleton or the player was freed meanwhile.
    pub(super) fn chosen(&self) -> Option<Chosen> {
        Some(Chosen {
            skeleton: edited_node(self.skeleton?)?,
            player: self.chosen_player()?,
            animation: self.chosen_animation(),
            rate: self.rate.get_value(),
            into_copy: self.copy.is_pressed(),
        })
    }

    /// Asks for `skeleton`, with the players of `scene`.
    pub(super) fn ask(
        &mut self,
        skeleton: &Gd<Skeleton2D>,
        scene: &Gd<Node>,
        open: Option<&Gd<AnimationPlayer>>,
    ) {
        self.skeleton = Some(skeleton.instance_id());
        self.list_players(scene, open);
    }

    /// Lists the players of `scene`, and the animations of the one with the animation that is open, or else of the one that
    /// plays, or of the first.
    fn list_players(&mut self, scene: &Gd<Node>, open: Option<&Gd<AnimationPlayer>>) {
        self.players.clear();
        self.player.clear();
        let mut playing = None;
        for player in players_in(scene) {
            if player.is_playing() {
                playing.get_or_insert(player.instance_id());
            }
            self.player
                .add_item(&scene.get_path_to(&player).to_string());
            self.players.push(player.instance_id());
        }
        let proposed = open.map(Gd::instance_id).or(playing);
        let mut players = self.players.iter();
        if let Some(index) = players.position(|player| Some(*player) == proposed) {
            self.player.select(index as i32);
        }
        self.list_animations();
    }

    /// Lists the animations of the chosen player, and proposes the one that it is at: that is open, or plays. Else the
    /// first.
    pub(crate) fn list_animations(&mut self) {
        self.animation.clear();
        let player = self.chosen_player();
        let names: Vec<_> = player.iter().flat_map(animations_of).collect();
        names.iter().for_each(|name| self.animation.add_item(name));
        let assigned = player.map(|player| player.get_assigned_animation().to_string());
        let proposed = names
            .iter()
            .position(|name| Some(name) == assigned.as_ref());
        if !names.is_empty() {
            self.animation.select(proposed.unwrap_or_default() as i32);
        }
    }

    /// Has the button work, or says why it does not.
    pub(super) fn review(&mut self, answer: Result<(), Refusal>) {
        let reason = answer.err();
        if let Some(mut button) = self.window.get_ok_button() {
            button.set_disabled(reason.is_some());
        }
        self.reason.set_visible(reason.is_some());
        self.reason.set_text(reason.as_deref().unwrap_or_default());
        self.window.reset_size();
    }

    /// Opens the window.
    pub(super) fn open(&self) {
        controls::open(&self.window);
    }

    pub(super) fn chosen_player(&self) -> Option<Gd<AnimationPlayer>> {
        let index = usize::try_from(self.player.get_selected()).ok()?;
        edited_node(*self.players.get(index)?)
    }

    pub(super) fn chosen_animation(&self) -> StringName {
        let index = self.animation.get_selected();
        match index < 0 {
            true => StringName::default(),
            false => StringName::from(&self.animation.get_item_text(index)),
        }
    }
}

/// The players of `scene` that have an animation to bake to.
pub(crate) fn players_in(scene: &Gd<Node>) -> Vec<Gd<AnimationPlayer>> {
    let mut players = all_within(scene);
    players.retain(|player| !animations_of(player).is_empty());
    players
}

/// The names of the animations that can be baked to.
fn animations_of(player: &Gd<AnimationPlayer>) -> Vec<String> {
    let names = player.get_animation_list();
    let names = names.as_slice().iter().map(ToString::to_string);
    names.filter(|name| name != "RESET").collect()
}

const COPY: &str = "Leaves the animation as it is, and adds a baked one beside it.";
