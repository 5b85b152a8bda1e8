//! Asks which targets get keys, and of what animation.

use godot::classes::{AnimationPlayer, CheckBox, SpinBox, VBoxContainer};
use godot::obj::InstanceId;
use godot::prelude::*;
use tendon_nodes::nodes::rig::TendonRig2D;

use crate::bake::GONE;
use crate::bake::form::Form;
use crate::bake::targets::{TargetBake, modifiers_with_targets};
use crate::controls::{new_check, new_number};
use crate::selection::{Selection, edited_node, edited_scene, selected_nodes};

/// The dialog.
pub(crate) struct TargetDialog {
    pub(crate) form: Form,
    list: Gd<VBoxContainer>,
    /// The modifiers that are offered.
    modifiers: Vec<(InstanceId, Gd<CheckBox>)>,
    tolerance: Gd<SpinBox>,
    changed: Callable,
}

impl TargetDialog {
    /// Builds the dialog. It calls methods of `plugin` when it is confirmed, and when a player is chosen.
    pub(crate) fn new(plugin: &Gd<Node>) -> Self {
        let calls = |method: &str| Callable::from_object_method(plugin, method);
        let confirmed = calls("on_targets_confirmed");
        let player = calls("on_targets_player_selected");
        let changed = calls("on_targets_changed");
        let mut form = Form::new("Bake to Targets", &confirmed, &player, &changed);
        Self {
            list: form
                .fields
                .add("Targets Of", "", &VBoxContainer::new_alloc()),
            modifiers: Vec::new(),
            tolerance: form.add_rate(|fields| {
                fields.add(
                    "Tolerance",
                    "",
                    &new_number((0.0, 1000.0, 0.001), 0.1, "px"),
                )
            }),
            form,
            changed: changed.unbind(1),
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
        // At once: the window would have room for them.
        for (_, choice) in self.modifiers.drain(..) {
            choice.free();
        }
        let offered = modifiers_with_targets(rig);
        let selected = selected_nodes();
        let any_selected = offered.iter().any(|node| selected.contains(node));
        for node in offered {
            let mut choice = new_check(&node.get_name().to_string(), "");
            choice.set_pressed(!any_selected || selected.contains(&node));
            choice.connect("toggled", &self.changed);
            self.list.add_child(&choice);
            self.modifiers.push((node.instance_id(), choice));
        }
        self.form.ask(&selection.skeleton, &selection.scene, open);
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

    /// The chosen settings; `None` if the skeleton or the player was freed meanwhile.
    pub(crate) fn answer(&self) -> Option<TargetBake> {
        let chosen = self.modifiers.iter();
        let chosen = chosen.filter(|(_, choice)| choice.is_pressed());
        Some(TargetBake {
            chosen: self.form.chosen()?,
            modifiers: chosen.filter_map(|(id, _)| edited_node(*id)).collect(),
            tolerance: self.tolerance.get_value(),
        })
    }
}
