//! Sets base poses, as one undo step, with the keys that the editor's own tools would insert.

use godot::classes::Skeleton2D;
use godot::prelude::*;
use tendon_nodes::engine::bone_transform::BoneTransform;
use tendon_nodes::nodes::rig::TendonRig2D;
use tendon_nodes::nodes::rig::skeleton::rig_of;

use crate::action::Action;
use crate::posing::keying::Keying;

/// Makes `after` the base pose of these bones of `skeleton`, which hold their base pose now. Returns what to
/// tell the user, if there is anything.
///
/// # Errors
/// Why that is not possible, in words.
pub(super) fn set_base_poses(
    title: &str,
    scene: &Gd<Node>,
    skeleton: &Gd<Skeleton2D>,
    after: &[BoneTransform],
) -> Result<Option<String>, String> {
    let mut action = Action::begin(title, scene)?;
    let rig: Option<Gd<TendonRig2D>> = rig_of(skeleton);
    if let Some(rig) = &rig {
        action.when_done(rig, "restore_pose", &[]);
    }
    let mut changes = Vec::new();
    for after in after {
        let before = BoneTransform::of(&after.bone);
        action.pose(&before, after);
        changes.push((before, after.clone()));
    }
    let told = match Keying::of_editor(scene) {
        Some(keying) => keying.insert(&changes, scene, &mut action),
        None => None,
    };
    if let Some(rig) = &rig {
        action.when_undone(rig, "restore_pose", &[]);
    }
    action.commit();
    Ok(told)
}
