//! Makes what the rig has solved keys of the bones, in the animation that is edited.

use std::f32::consts::TAU;

use godot::classes::animation::InterpolationType;
use godot::prelude::*;
use tendon_nodes::engine::bone_transform::BoneTransform;
use tendon_nodes::nodes::rig::TendonRig2D;

use crate::action::Action;
use crate::bake::reset;
use crate::bake::tracks::{Tracks, append_tracks, is_foreign};
use crate::inspector::driven_bone::DrivenBone;
use crate::posing::edited_animation::EditedAnimation;
use crate::preview::{NOTHING_SOLVED, base_and_solved};
use crate::selection::Selection;

/// A bone that gets keys.
struct Solved {
    base: BoneTransform,
    after: BoneTransform,
    properties: Vec<&'static str>,
}

/// Inserts keys for the solved pose of the selected bones, or of all that the rig turns, at the time that the
/// animation editor shows. Returns what to tell the user.
///
/// # Errors
/// Why that is not possible, with advice what to do.
pub(crate) fn key_solved(
    selection: &Selection,
    rig: &Gd<TendonRig2D>,
    title: &str,
) -> Result<String, String> {
    let scene = &selection.scene;
    let edited = EditedAnimation::of_editor(scene)?;
    if is_foreign(&edited.animation, scene) {
        return Err("The animation belongs to another scene. Insert keys there.".into());
    }
    let solved = solved_bones(selection, rig);
    if solved.is_empty() {
        return Err(NOTHING_SOLVED.into());
    }
    let mut action = Action::begin(title, scene)?;
    // The bones get the pose, too: the animation is not played again until another time is chosen.
    action.when_done(rig, "restore_pose", &[]);
    let mut missing = Tracks::new(edited.animation.get_length());
    let mut keys = 0;
    for bone in &solved {
        action.pose(&bone.base, &bone.after);
        keys += bone.properties.len();
        bone.key(&edited, &mut missing, &mut action);
    }
    let added = missing.animation();
    reset::add_tracks(&edited.player, &added, &edited.root, scene, &mut action);
    let all: Vec<_> = (0..added.get_track_count()).collect();
    let first = edited.animation.get_track_count();
    append_tracks(&added, &all, &edited.animation, first, &mut action);
    action.when_done(&edited.animation, "emit_changed", &[]);
    action.when_undone(rig, "restore_pose", &[]);
    action.commit();
    edited.return_to_time();
    Ok(format!(
        "{keys} keys for the solved pose of {} bones, at {:.2} s.",
        solved.len(),
        edited.time
    ))
}

/// The bones that the rig turns, moves or scales, with what is keyed.
fn solved_bones(selection: &Selection, rig: &Gd<TendonRig2D>) -> Vec<Solved> {
    let bones = selection.bones_or_all();
    let [base, after] = base_and_solved(rig, &bones);
    let pairs = base.into_iter().zip(&after);
    let solved = pairs.map(|(base, after)| Solved::of(base, after));
    solved.filter(|it| !it.properties.is_empty()).collect()
}

impl Solved {
    /// What the rig has made of `base`.
    fn of(base: BoneTransform, after: &BoneTransform) -> Self {
        let turn = (after.rotation - base.rotation) / TAU;
        let after = BoneTransform {
            // The shorter way from where the animation is.
            rotation: base.rotation + (turn - turn.round()) * TAU,
            position: after.position,
            scale: after.scale,
            ..base.clone()
        };
        let turns = DrivenBone::of(&base.bone).is_some() || base.rotation != after.rotation;
        let changes = [
            ("rotation", turns),
            ("position", base.position != after.position),
            ("scale", base.scale != after.scale),
        ];
        let properties = changes.into_iter().filter(|(_, changes)| *changes);
        Self {
            properties: properties.map(|(property, _)| property).collect(),
            base,
            after,
        }
    }

    /// Inserts keys, and adds those that have no track yet to `missing`.
    fn key(&self, edited: &EditedAnimation, missing: &mut Tracks, action: &mut Action) {
        for property in &self.properties {
            let value = self.after.value_of(property);
            if let Some(track) = edited.track_of(&self.after.bone, property) {
                edited.insert_key(track, &value, action);
                continue;
            }
            let interpolation = match *property {
                "rotation" => InterpolationType::LINEAR_ANGLE,
                _ => InterpolationType::LINEAR,
            };
            let path = format!("{}:{property}", edited.root.get_path_to(&self.after.bone));
            missing.add(&path, interpolation, [(edited.time, value)].into_iter());
        }
    }
}
