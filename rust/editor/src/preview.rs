//! Solving on demand, restoring base poses, and switching the preview.

use godot::classes::Bone2D;
use godot::prelude::*;
use tendon_nodes::engine::node_pose::NodePose;
use tendon_nodes::nodes::rig::TendonRig2D;

use crate::action::Action;
use crate::refusal::Refusal;
use crate::selection::Selection;

/// Solves now, whether the rig previews or not.
pub(super) fn solve(rig: &Gd<TendonRig2D>) {
    solve_after(rig, 0.0);
}

/// Solves now, `delta` seconds after the last pass, whether the rig previews or not.
pub(super) fn solve_after(rig: &Gd<TendonRig2D>, delta: f64) {
    let mut node = rig.clone();
    let preview = node.get(PREVIEW);
    node.set(PREVIEW, &true.to_variant());
    TendonRig2D::advance(node.clone(), delta);
    node.set(PREVIEW, &preview);
}

/// The poses of `bones` before and after what `rig` does to them. They hold the first one then.
pub(super) fn base_and_solved(rig: &Gd<TendonRig2D>, bones: &[Gd<Bone2D>]) -> [Vec<NodePose>; 2] {
    solve(rig);
    let solved = NodePose::of_all(bones);
    TendonRig2D::restore_pose(rig.clone());
    [NodePose::of_all(bones), solved]
}

/// Switches the preview of `rig` on or off, as one undo step.
pub(super) fn switch_preview(
    rig: &Gd<TendonRig2D>,
    selection: &Selection,
    title: &str,
) -> Result<(), Refusal> {
    let shown = rig.get(PREVIEW).to::<bool>();
    let mut action = Action::begin(title, &selection.scene)?;
    action.set(rig, PREVIEW, &shown.to_variant(), &(!shown).to_variant());
    action.commit();
    Ok(())
}

const PREVIEW: &str = "preview_in_editor";

/// The message about a rig that does not change any bone.
pub(super) const NOTHING_SOLVED: &str = "The rig leaves every bone as it is. Is it active, does \
    it have modifiers, and do they have targets?";
