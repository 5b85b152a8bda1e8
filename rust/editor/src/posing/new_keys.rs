//! Keys at the time that is edited: in the tracks that there are, and in new ones, with a key in RESET of what there is at
//! rest.

use godot::classes::animation::InterpolationType;
use godot::prelude::*;
use tendon_nodes::nodes::rig::TendonRig2D;

use crate::action::Action;
use crate::bake::reset;
use crate::bake::tracks::{Tracks, append_tracks, is_foreign};
use crate::notice::{counted, seconds};
use crate::posing::at_rest::PutAtRest;
use crate::posing::edited_animation::EditedAnimation;
use crate::refusal::Refusal;
use crate::selection::Selection;

/// Keys that are put together, as parts of an undo step.
pub(super) struct NewKeys {
    pub(super) edited: EditedAnimation,
    /// Tracks that the animation does not have yet.
    missing: Tracks,
    count: usize,
}

impl NewKeys {
    /// For the animation that is edited.
    ///
    /// # Errors
    /// Why there is none that takes keys, with advice what to do.
    pub(super) fn of_editor(scene: &Gd<Node>) -> Result<Self, Refusal> {
        let edited = EditedAnimation::of_editor(scene)?;
        if is_foreign(&edited.animation, scene) {
            return Err("The animation belongs to another scene. Insert keys there.".into());
        }
        Ok(Self {
            missing: Tracks::new(edited.animation.get_length()),
            edited,
            count: 0,
        })
    }

    /// Adds a key with `value` for `property` of `node`.
    pub(super) fn add<T: Inherits<Node>>(
        &mut self,
        node: &Gd<T>,
        property: &str,
        value: Variant,
        action: &mut Action,
    ) {
        self.count += 1;
        if let Some(track) = self.edited.track_of(node, property) {
            self.edited.insert_key(track, &value, action);
            return;
        }
        let usual = self.edited.usual_interpolation(node, property);
        let interpolation = usual.unwrap_or(match property {
            "rotation" => InterpolationType::LINEAR_ANGLE,
            _ => InterpolationType::LINEAR,
        });
        let path = self.edited.root.get_path_to(node);
        let keys = [(self.edited.time, value)].into_iter();
        self.missing
            .add(&format!("{path}:{property}"), interpolation, keys);
    }

    /// Adds a key with `value` for `property` of `node`, which jumps to it. A new track begins with what the
    /// property is now, or the switch would count from the beginning.
    pub(super) fn add_switch(
        &mut self,
        node: &Gd<Node>,
        property: &str,
        value: Variant,
        action: &mut Action,
    ) {
        if self.edited.track_of(node, property).is_some() {
            return self.add(node, property, value, action);
        }
        self.count += 1;
        let path = self.edited.root.get_path_to(node);
        let before = (self.edited.time > 0.0).then(|| (0.0, node.get(property)));
        let keys = before.into_iter().chain([(self.edited.time, value)]);
        // A discrete track would show what comes next while an animator goes back in time.
        self.missing.add(
            &format!("{path}:{property}"),
            InterpolationType::NEAREST,
            keys,
        );
    }

    /// Adds the tracks that are missing, and carries the step out. The bones hold their base pose now, and the switches
    /// what RESET gets. When it is undone, `rig` restores the base pose first. Returns how many keys there are, and
    /// their time, in words.
    pub(super) fn commit(
        self,
        selection: &Selection,
        rig: Option<&Gd<TendonRig2D>>,
        mut action: Action,
    ) -> [String; 2] {
        let Self {
            edited,
            missing,
            count,
        } = self;
        let added = missing.animation();
        {
            let _at_rest = PutAtRest::put(&selection.skeleton);
            let scene = &selection.scene;
            reset::add_tracks(&edited.player, &added, &edited.root, scene, &mut action);
        }
        let all: Vec<_> = (0..added.get_track_count()).collect();
        let first = edited.animation.get_track_count();
        append_tracks(&added, &all, &edited.animation, first, &mut action);
        action.when_done(&edited.animation, "emit_changed", &[]);
        if let Some(rig) = rig {
            action.when_undone(rig, "restore_pose", &[]);
        }
        action.commit();
        edited.return_to_time();
        [counted(count, "key"), seconds(edited.time)]
    }
}
