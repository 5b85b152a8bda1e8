//! Makes the solved pose the base pose, as one undo step.

use godot::prelude::*;
use tendon_nodes::engine::node_pose::NodePose;
use tendon_nodes::engine::skeleton::bones_of;
use tendon_nodes::nodes::rig::TendonRig2D;

use crate::action::Action;
use crate::bake::reset as reset_keys;
use crate::preview::{NOTHING_SOLVED, base_and_solved};
use crate::refusal::Refusal;
use crate::selection::Selection;

/// Makes what the rig has solved the base pose, also in animations to which the editor goes back
/// when it saves. Returns what to tell the user.
///
/// # Errors
/// Why there is nothing to apply, in words.
pub(super) fn apply(
    selection: &Selection,
    rig: &Gd<TendonRig2D>,
    title: &str,
) -> Result<String, Refusal> {
    let bones = bones_of(&selection.skeleton);
    let [base, solved] = base_and_solved(rig, &bones);
    let changed = base.iter().zip(&solved);
    let changed = changed.filter(|(base, solved)| {
        base.rotation != solved.rotation || base.position != solved.position
    });
    // Scale and skew, too: saving rewrites them, depending on the rotation.
    let changed = changed.map(|(base, solved)| NodePose {
        rotation: solved.rotation,
        position: solved.position,
        ..base.clone()
    });
    let after: Vec<_> = changed.collect();
    if after.is_empty() {
        return Err(NOTHING_SOLVED.into());
    }
    let mut action = Action::begin(title, &selection.scene)?;
    action.when_done(rig, "restore_pose", &[]);
    for after in &after {
        action.pose(&NodePose::of(&after.node), after);
    }
    let told = reset_keys::update(&selection.scene, &after, &mut action);
    action.when_undone(rig, "restore_pose", &[]);
    action.commit();
    Ok(format!("The solved pose is the base pose now{told}."))
}
