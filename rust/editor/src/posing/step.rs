//! Sets base poses, as one undo step, with the keys that the editor's own tools would insert.

use godot::prelude::*;
use tendon_nodes::nodes::rig::TendonRig2D;

use crate::action::Action;
use crate::posing::keying::Keying;
use crate::posing::playing::reason_to_wait;
use crate::posing::posture::Posture;
use crate::refusal::Refusal;

/// Makes `after` the base pose of its bones, which belong to `rigs` if to any and hold their base pose now, and the place
/// of its nodes. Returns what to tell the user, if there is anything.
///
/// # Errors
/// Why that is not possible, in words.
pub(super) fn set_base_poses(
    title: &str,
    scene: &Gd<Node>,
    rigs: &[Gd<TendonRig2D>],
    after: &Posture,
) -> Result<Option<String>, Refusal> {
    if let Some(reason) = reason_to_wait(scene, &after.members()) {
        return Err(reason.into());
    }
    let mut action = Action::begin(title, scene)?;
    for rig in rigs {
        action.when_done(rig, "restore_pose", &[]);
    }
    let before = after.now();
    after.add_to(&before, &mut action);
    let told = match Keying::of_editor(scene) {
        Some(keying) => keying.insert(&after.changes_since(&before), scene, &mut action),
        None => None,
    };
    for rig in rigs {
        action.when_undone(rig, "restore_pose", &[]);
    }
    action.commit();
    Ok(told)
}
