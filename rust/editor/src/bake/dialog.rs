//! Asks what to bake.

use godot::classes::{AnimationPlayer, Skeleton2D, SpinBox};
use godot::prelude::*;

use crate::bake::form::Form;
use crate::bake::keys::Tolerance;
use crate::bake::{Bake, GONE};
use crate::controls::new_number;
use crate::selection::edited_scene;

/// The dialog.
pub(crate) struct BakeDialog {
    pub(crate) form: Form,
    from: Gd<SpinBox>,
    to: Gd<SpinBox>,
    angle: Gd<SpinBox>,
    length: Gd<SpinBox>,
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
        let [from, to] = [("From", 0.0), ("To", 1.0)].map(|(title, value)| {
            let field = new_number((0.0, 36000.0, 0.0001), value, "s");
            form.fields.add(title, "", &field)
        });
        let tolerances = [("Angle", 45.0, "°"), ("Position", 1000.0, "px")];
        let [angle, length] = form.add_rate(|fields| {
            tolerances.map(|(title, most, unit)| {
                let field = new_number((0.0, most, 0.001), 0.5, unit);
                fields.add(&format!("{title} Tolerance"), "", &field)
            })
        });
        Self {
            form,
            from,
            to,
            angle,
            length,
        }
    }

    /// Asks for `skeleton`, with the players of the scene. The animation that is `open` is proposed.
    pub(crate) fn ask(
        &mut self,
        skeleton: &Gd<Skeleton2D>,
        scene: &Gd<Node>,
        open: Option<&Gd<AnimationPlayer>>,
    ) {
        self.form.ask(skeleton, scene, open);
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

    /// The chosen settings; `None` if the skeleton or the player was freed meanwhile.
    pub(crate) fn answer(&self) -> Option<Bake> {
        Some(Bake {
            chosen: self.form.chosen()?,
            from: self.from.get_value(),
            to: self.to.get_value(),
            tolerance: Tolerance {
                angle: self.angle.get_value().to_radians(),
                length: self.length.get_value(),
            },
        })
    }
}
