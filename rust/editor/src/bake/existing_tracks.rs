//! Which of the tracks that the animation already has are replaced by baked ones.

use godot::classes::{Animation, Bone2D};
use godot::prelude::*;

use crate::bake::playback::resolved_tracks;
use crate::bake::recording::RecordedBone;
use crate::refusal::Refusal;

/// A conflict of a track of the animation with the baked tracks of a bone.
pub(super) enum Conflict {
    /// It sets only what is baked: it is removed.
    Replaceable,
    /// It sets other properties, too: nothing can be baked.
    SetsMore,
}

/// Returns `true` if a track of `animation` sets the property `what` of `bone`.
pub(super) fn has_track(
    animation: &Gd<Animation>,
    root: &Gd<Node>,
    bone: &Gd<Bone2D>,
    what: &str,
) -> bool {
    resolved_tracks(animation, root).any(|(_, object, property)| {
        object.instance_id() == bone.instance_id() && sets(&property, what)
    })
}

/// Returns `true` if a track for `property` sets `what`: that itself, or a part of it.
pub(super) fn sets(property: &NodePath, what: &str) -> bool {
    let name = property.to_string();
    let name = name
        .trim_start_matches(':')
        .split(':')
        .next()
        .unwrap_or_default();
    name == what || (what == "rotation" && name == "rotation_degrees")
}

/// The tracks of `animation` that the baked ones replace. `conflict` says how one for a property of an
/// object conflicts with these.
///
/// # Errors
/// The track that sets more, with `advice`.
pub(super) fn tracks_to_replace(
    animation: &Gd<Animation>,
    root: &Gd<Node>,
    conflict: impl Fn(InstanceId, &NodePath) -> Option<Conflict>,
    advice: &str,
) -> Result<Vec<i32>, Refusal> {
    let mut replaced = Vec::new();
    for (track, object, property) in resolved_tracks(animation, root) {
        match conflict(object.instance_id(), &property) {
            Some(Conflict::Replaceable) => replaced.push(track),
            Some(Conflict::SetsMore) => {
                let path = animation.track_get_path(track);
                return Err(format!("The track \"{path}\" sets more than {advice}").into());
            }
            None => {}
        }
    }
    Ok(replaced)
}

/// The tracks of `animation` that those of `motions` replace.
pub(super) fn tracks_of_bones(
    animation: &Gd<Animation>,
    root: &Gd<Node>,
    motions: &[RecordedBone],
) -> Result<Vec<i32>, Refusal> {
    let of_bone = |object, property: &NodePath| {
        let motion = motions.iter().find(|it| it.bone.instance_id() == object)?;
        conflict(motion, property)
    };
    let advice = "what would be baked, and would undo it. Give that bone tracks of its rotation, position \
        and scale instead.";
    tracks_to_replace(animation, root, of_bone, advice)
}

/// The conflict of a track for `property` of the bone of `motion` with its baked tracks, if there is one.
fn conflict(motion: &RecordedBone, property: &NodePath) -> Option<Conflict> {
    let name = property.to_string();
    let is_own = (motion.turns() && sets(property, "rotation"))
        || (motion.moves() && sets(property, "position"))
        || (motion.scales() && sets(property, "scale"));
    let global = name.contains("global_") && !name.contains("scale");
    let whole = name.contains("transform") || global;
    match is_own {
        true => Some(Conflict::Replaceable),
        false => whole.then_some(Conflict::SetsMore),
    }
}
