//! Asks what to bake.

use godot::classes::{AnimationPlayer, CheckBox, Skeleton2D, SpinBox};
use godot::obj::InstanceId;
use godot::prelude::*;

use crate::bake::form::Form;
use crate::bake::keys::Tolerance;
use crate::bake::{Bake, GONE};
use crate::selection::{edited_node, edited_scene};

/// The dialog.
pub(crate) struct BakeDialog {
    pub(crate) form: Form,
    from: Gd<SpinBox>,
    to: Gd<SpinBox>,
    rate: Gd<SpinBox>,
    angle: Gd<SpinBox>,
    length: Gd<SpinBox>,
    copy: Gd<CheckBox>,
    skeleton: Option<InstanceId>,
}

impl BakeDialog {
    /// Builds the dialog. It calls methods of `plugin` when it is confirmed, and when a player or
    /// an animation is chosen.
    pub(crate) fn new(plugin: &Gd<Node>) -> Self {
        let calls = |method: &str| Callable::from_object_method(plugin, method);
        let mut form = Form::new(
            "Bake to Animation",
            &calls("on_bake_confirmed"),
            &calls("on_player_selected"),
            &calls("on_animation_selected"),
        );
        let seconds = (0.0, 36000.0, 0.0001);
        let (degrees, pixels) = ((0.0, 45.0, 0.001), (0.0, 1000.0, 0.001));
        Self {
            from: form.add_number("From", seconds, 0.0, "s"),
            to: form.add_number("To", seconds, 1.0, "s"),
            rate: form.add_number("Rate", (1.0, 240.0, 1.0), 60.0, "per second"),
            angle: form.add_number("Angle Tolerance", degrees, 0.5, "°"),
            length: form.add_number("Position Tolerance", pixels, 0.5, "px"),
            copy: form.add_copy(),
            form,
            skeleton: None,
        }
    }

    /// Asks for `skeleton`, with the players of the scene. The animation that is `open` is proposed.
    pub(crate) fn ask(
        &mut self,
        skeleton: &Gd<Skeleton2D>,
        scene: &Gd<Node>,
        open: Option<&Gd<AnimationPlayer>>,
    ) {
        self.skeleton = Some(skeleton.instance_id());
        self.form.list_players(scene, open);
        self.offer_range();
        self.form.open();
    }

    /// Offers the animations of the chosen player.
    pub(crate) fn list_animations(&mut self) {
        self.form.list_animations();
        self.offer_range();
    }

    /// Offers the whole length of the chosen animation, if it can be baked.
    pub(crate) fn offer_range(&mut self) {
        let name = self.form.chosen_animation();
        let player = self.form.chosen_player();
        let player = player.filter(|player| player.has_animation(&name));
        if let Some(animation) = player.and_then(|player| player.get_animation(&name)) {
            self.from.set_value(0.0);
            self.to.set_value(f64::from(animation.get_length()));
        }
        let answer = self.answer().ok_or(GONE.into());
        self.form
            .review(answer.and_then(|bake| bake.check(&edited_scene()?)));
    }

    /// What to bake; `None` if the skeleton or the player was freed meanwhile.
    pub(crate) fn answer(&self) -> Option<Bake> {
        Some(Bake {
            skeleton: edited_node(self.skeleton?)?,
            player: self.form.chosen_player()?,
            animation: self.form.chosen_animation(),
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
}
