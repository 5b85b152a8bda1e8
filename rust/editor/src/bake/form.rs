//! What the dialogs for baking share: a window that asks for a player and for one of its animations.

use godot::classes::text_server::AutowrapMode;
use godot::classes::{
    AnimationPlayer, CheckBox, ConfirmationDialog, Control, EditorInterface, GridContainer, Label,
    OptionButton, SpinBox, VBoxContainer,
};
use godot::obj::InstanceId;
use godot::prelude::*;

use crate::refusal::Refusal;
use crate::selection::{all_within, edited_node};

/// The window. It holds nodes of the scene by ID: they may be freed before it is confirmed.
pub(crate) struct Form {
    pub(crate) window: Gd<ConfirmationDialog>,
    grid: Gd<GridContainer>,
    player: Gd<OptionButton>,
    animation: Gd<OptionButton>,
    /// Why nothing can be baked as it is chosen.
    reason: Gd<Label>,
    players: Vec<InstanceId>,
    /// The player with the animation that is open.
    open: Option<InstanceId>,
}

impl Form {
    /// Builds the window, which calls `confirmed`. It calls `player` and `animation` when these are chosen.
    pub(super) fn new(
        title: &str,
        confirmed: &Callable,
        player: &Callable,
        animation: &Callable,
    ) -> Self {
        let mut window = ConfirmationDialog::new_alloc();
        window.set_title(title);
        window.set_ok_button_text("Bake");
        window.connect("confirmed", confirmed);
        let mut grid = GridContainer::new_alloc();
        grid.set_columns(2);
        let mut reason = Label::new_alloc();
        reason.set_autowrap_mode(AutowrapMode::WORD_SMART);
        reason.hide();
        let mut column = VBoxContainer::new_alloc();
        column.add_child(&grid);
        column.add_child(&reason);
        window.add_child(&column);
        let mut form = Self {
            window,
            grid,
            player: OptionButton::new_alloc(),
            animation: OptionButton::new_alloc(),
            reason,
            players: Vec::new(),
            open: None,
        };
        form.player.connect("item_selected", &player.unbind(1));
        form.add_row("Player", &form.player.clone());
        form.animation
            .connect("item_selected", &animation.unbind(1));
        form.add_row("Animation", &form.animation.clone());
        form
    }

    /// Adds a field for a number from the first to the second of `range`, in steps of the third.
    pub(super) fn add_number(
        &mut self,
        title: &str,
        range: (f64, f64, f64),
        value: f64,
        suffix: &str,
    ) -> Gd<SpinBox> {
        let mut field = SpinBox::new_alloc();
        field.set_min(range.0);
        field.set_max(range.1);
        field.set_step(range.2);
        field.set_value(value);
        field.set_suffix(suffix);
        self.add_row(title, &field);
        field
    }

    /// Adds the choice whether a copy is baked into.
    pub(super) fn add_copy(&mut self) -> Gd<CheckBox> {
        let mut copy = CheckBox::new_alloc();
        copy.set_text("Bake into a copy");
        copy.set_tooltip_text("Leaves the animation as it is, and adds a baked one beside it.");
        self.add_row("Result", &copy);
        copy
    }

    /// Adds a row with the label `title` and `field`.
    pub(super) fn add_row<T: Inherits<Control>>(&mut self, title: &str, field: &Gd<T>) {
        let mut label = Label::new_alloc();
        label.set_text(title);
        self.grid.add_child(&label);
        let mut field = field.clone().upcast::<Control>();
        field.set_h_size_flags(godot::classes::control::SizeFlags::EXPAND_FILL);
        self.grid.add_child(&field);
    }

    /// Lists the players of `scene`, and the animations of the one with the animation that is open, or else of the one that
    /// plays, or of the first.
    pub(super) fn list_players(&mut self, scene: &Gd<Node>, open: Option<&Gd<AnimationPlayer>>) {
        self.players.clear();
        self.player.clear();
        self.open = open.map(Gd::instance_id);
        let mut playing = None;
        for player in players_in(scene) {
            if player.is_playing() {
                playing.get_or_insert(player.instance_id());
            }
            self.player
                .add_item(&scene.get_path_to(&player).to_string());
            self.players.push(player.instance_id());
        }
        let proposed = self.open.or(playing);
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
    pub(super) fn open(&mut self) {
        if self.window.get_parent().is_none()
            && let Some(mut base) = EditorInterface::singleton().get_base_control()
        {
            base.add_child(&self.window);
        }
        self.window.popup_centered();
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
