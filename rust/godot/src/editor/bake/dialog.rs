//! Asks what to bake.

use godot::classes::{
    AnimationPlayer, CheckBox, ConfirmationDialog, Control, EditorInterface, GridContainer, Label,
    OptionButton, Skeleton2D, SpinBox,
};
use godot::obj::InstanceId;
use godot::prelude::*;

use crate::editor::bake::Bake;
use crate::editor::bake::keys::Tolerance;

/// The dialog. It holds nodes of the scene by ID: they may be freed before it is confirmed.
pub(in crate::editor) struct BakeDialog {
    pub(in crate::editor) window: Gd<ConfirmationDialog>,
    player: Gd<OptionButton>,
    animation: Gd<OptionButton>,
    from: Gd<SpinBox>,
    to: Gd<SpinBox>,
    rate: Gd<SpinBox>,
    angle: Gd<SpinBox>,
    length: Gd<SpinBox>,
    copy: Gd<CheckBox>,
    skeleton: Option<InstanceId>,
    players: Vec<InstanceId>,
}

impl BakeDialog {
    /// Builds the dialog. It calls methods of `plugin` when it is confirmed, and when a player or
    /// an animation is chosen.
    pub(in crate::editor) fn new(
        plugin: &Gd<Node>,
        confirmed: &str,
        player: &str,
        animation: &str,
    ) -> Self {
        let calls = |method: &str| Callable::from_object_method(plugin, method);
        let (window, mut grid) = new_window(&calls(confirmed));
        let mut chooser = |title: &str, method: &str| {
            let mut button = OptionButton::new_alloc();
            button.connect("item_selected", &calls(method).unbind(1));
            add_row(&mut grid, title, &button);
            button
        };
        let player = chooser("Player", player);
        let animation = chooser("Animation", animation);
        let mut number_field = |title: &str, range: (f64, f64, f64), value: f64, suffix: &str| {
            let field = new_number_field(range, value, suffix);
            add_row(&mut grid, title, &field);
            field
        };
        let seconds = (0.0, 36000.0, 0.0001);
        let from = number_field("From", seconds, 0.0, "s");
        let to = number_field("To", seconds, 1.0, "s");
        let rate = number_field("Rate", (1.0, 240.0, 1.0), 60.0, "per second");
        let angle = number_field("Angle Tolerance", (0.0, 45.0, 0.001), 0.5, "°");
        let length = number_field("Position Tolerance", (0.0, 1000.0, 0.001), 0.5, "px");
        let mut copy = CheckBox::new_alloc();
        copy.set_text("Bake into a copy");
        copy.set_tooltip_text("Leaves the animation as it is, and adds a baked one beside it.");
        add_row(&mut grid, "Result", &copy);
        Self {
            from,
            to,
            rate,
            angle,
            length,
            copy,
            window,
            player,
            animation,
            skeleton: None,
            players: Vec::new(),
        }
    }

    /// Asks for `skeleton`, with the players of the scene.
    pub(in crate::editor) fn ask(&mut self, skeleton: &Gd<Skeleton2D>, scene: &Gd<Node>) {
        if self.window.get_parent().is_none()
            && let Some(mut base) = EditorInterface::singleton().get_base_control()
        {
            base.add_child(&self.window);
        }
        self.skeleton = Some(skeleton.instance_id());
        self.players.clear();
        self.player.clear();
        for player in players_in(scene) {
            self.player
                .add_item(&scene.get_path_to(&player).to_string());
            self.players.push(player.instance_id());
        }
        self.list_animations();
        self.window.popup_centered();
    }

    /// Offers the animations of the chosen player.
    pub(in crate::editor) fn list_animations(&mut self) {
        self.animation.clear();
        let player = self.chosen_player();
        for name in player.iter().flat_map(animations_of) {
            self.animation.add_item(&name);
        }
        self.offer_range();
    }

    /// Offers the whole length of the chosen animation.
    pub(in crate::editor) fn offer_range(&mut self) {
        let player = self.chosen_player();
        let animation = player.and_then(|player| player.get_animation(&self.chosen_animation()));
        if let Some(animation) = animation {
            self.from.set_value(0.0);
            self.to.set_value(f64::from(animation.get_length()));
        }
    }

    /// What to bake; `None` if the skeleton or the player was freed meanwhile.
    pub(in crate::editor) fn answer(&self) -> Option<Bake> {
        Some(Bake {
            skeleton: Gd::try_from_instance_id(self.skeleton?).ok()?,
            player: self.chosen_player()?,
            animation: self.chosen_animation(),
            from: self.from.get_value(),
            to: self.to.get_value(),
            rate: self.rate.get_value(),
            tolerance: Tolerance {
                angle: self.angle.get_value().to_radians(),
                length: self.length.get_value(),
            },
            into_copy: self.copy.is_pressed(),
        })
    }

    fn chosen_player(&self) -> Option<Gd<AnimationPlayer>> {
        let index = usize::try_from(self.player.get_selected()).ok()?;
        Gd::try_from_instance_id(*self.players.get(index)?).ok()
    }

    fn chosen_animation(&self) -> StringName {
        let index = self.animation.get_selected();
        match index < 0 {
            true => StringName::default(),
            false => StringName::from(&self.animation.get_item_text(index)),
        }
    }
}

/// The players of `scene` that have an animation to bake to.
pub(in crate::editor) fn players_in(scene: &Gd<Node>) -> Vec<Gd<AnimationPlayer>> {
    let below = scene
        .find_children_ex("*")
        .type_("AnimationPlayer")
        .owned(false);
    let below = below.done();
    let nodes = std::iter::once(scene.clone()).chain(below.iter_shared());
    let players = nodes.filter_map(|node| node.try_cast::<AnimationPlayer>().ok());
    players
        .filter(|player| !animations_of(player).is_empty())
        .collect()
}

/// The names of the animations that can be baked to.
fn animations_of(player: &Gd<AnimationPlayer>) -> Vec<String> {
    let names = player.get_animation_list();
    let names = names.as_slice().iter().map(ToString::to_string);
    names.filter(|name| name != "RESET").collect()
}

/// The window, which calls `confirmed`, and the grid in it.
fn new_window(confirmed: &Callable) -> (Gd<ConfirmationDialog>, Gd<GridContainer>) {
    let mut window = ConfirmationDialog::new_alloc();
    window.set_title("Bake to Animation");
    window.set_ok_button_text("Bake");
    window.connect("confirmed", confirmed);
    let mut grid = GridContainer::new_alloc();
    grid.set_columns(2);
    window.add_child(&grid);
    (window, grid)
}

/// A field for a number from the first to the second of `range`, in steps of the third.
fn new_number_field(range: (f64, f64, f64), value: f64, suffix: &str) -> Gd<SpinBox> {
    let mut field = SpinBox::new_alloc();
    field.set_min(range.0);
    field.set_max(range.1);
    field.set_step(range.2);
    field.set_value(value);
    field.set_suffix(suffix);
    field
}

/// Adds a row with the label `title` and `field`.
fn add_row<T: Inherits<Control>>(grid: &mut Gd<GridContainer>, title: &str, field: &Gd<T>) {
    let mut label = Label::new_alloc();
    label.set_text(title);
    grid.add_child(&label);
    let mut field = field.clone().upcast::<Control>();
    field.set_h_size_flags(godot::classes::control::SizeFlags::EXPAND_FILL);
    grid.add_child(&field);
}
