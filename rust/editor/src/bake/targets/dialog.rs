//! Asks which targets get keys, and of what animation.

use godot::classes::{AnimationPlayer, CheckBox, SpinBox, VBoxContainer};
use godot::obj::InstanceId;
use godot::prelude::*;
use tendon_nodes::nodes::rig::TendonRig2D;

use crate::bake::GONE;
use crate::bake::form::Form;
use crate::bake::targets::{TargetBake, modifiers_with_targets};
use crate::selection::{Selection, edited_node, edited_scene, selected_nodes};

/// The dialog.
pub(crate) struct TargetDialog {
    pub(crate) form: Form,
    list: Gd<VBoxContainer>,
    /// The modifiers that are offered.
    modifiers: Vec<(InstanceId, Gd<CheckBox>)>,
    rate: Gd<SpinBox>,
    tolerance: Gd<SpinBox>,
    copy: Gd<CheckBox>,
    changed: Callable,
    skeleton: Option<InstanceId>,
}

impl TargetDialog {
    /// Builds the dialog. It calls methods of `plugin` when it is confirmed, and when a player is chosen.
    pub(crate) fn new(plugin: &Gd<Node>) -> Self {
        let calls = |method: &str| Callable::from_object_method(plugin, method);
        let confirmed = calls("on_targets_confirmed");
        let player = calls("on_targets_player_selected");
        let changed = calls("on_targets_changed");
        let mut form = Form::new("Bake to Targets", &confirmed, &player, &changed);
        let list = VBoxContainer::new_alloc();
        form.add_row("Targets Of", &list);
        Self {
            list,
            modifiers: Vec::new(),
            rate: form.add_number("Rate", (1.0, 240.0, 1.0), 60.0, "per second"),
            tolerance: form.add_number("Tolerance", (0.0, 1000.0, 0.001), 0.1, "px"),
            copy: form.add_copy(),
            form,
            changed: changed.unbind(1),
            skeleton: None,
        }
    }

    /// Asks for the modifiers of `rig`: those that are selected, or all of them.
    /// The animation that is open in a player is proposed.
    pub(crate) fn ask(
        &mut self,
        rig: &Gd<TendonRig2D>,
        selection: &Selection,
        open: Option<&Gd<AnimationPlayer>>,
    ) {
        self.skeleton = Some(selection.skeleton.instance_id());
        // At once: the window would have room for them.
        for (_, choice) in self.modifiers.drain(..) {
            choice.free();
        }
        let offered = modifiers_with_targets(rig);
        let selected = selected_nodes();
        let any_selected = offered.iter().any(|node| selected.contains(node));
        for node in offered {
            let mut choice = CheckBox::new_alloc();
            choice.set_text(&node.get_name().to_string());
            choice.set_pressed(!any_selected || selected.contains(&node));
            choice.connect("toggled", &self.changed);
            self.list.add_child(&choice);
            self.modifiers.push((node.instance_id(), choice));
        }
        self.form.list_players(&selection.scene, open);
        self.review();
        self.form.open();
    }

    /// Offers the animations of the chosen player.
    pub(crate) fn list_animations(&mut self) {
        self.form.list_animations();
        self.review();
    }

    /// Has the button work if what is chosen can be baked.
    pub(crate) fn review(&mut self) {
        let answer = self.answer().ok_or(GONE.into());
        self.form
            .review(answer.and_then(|bake| bake.check(&edited_scene()?)));
    }

    /// What to bake; `None` if the skeleton or the player was freed meanwhile.
    pub(crate) fn answer(&self) -> Option<TargetBake> {
        let chosen = self.modifiers.iter();
        let chosen = chosen.filter(|(_, choice)| choice.is_pressed());
        Some(TargetBake {
            skeleton: edited_node(self.skeleton?)?,
            player: self.form.chosen_player()?,
            animation: self.form.chosen_animation(),
            modifiers: chosen.filter_map(|(id, _)| edited_node(*id)).collect(),
            rate: self.rate.get_value(),
            tolerance: self.tolerance.get_value(),
            into_copy: self.copy.is_pressed(),
        })
    }
}
