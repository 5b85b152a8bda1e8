//! Bones that pose mode neither shows nor takes. That a bone is hidden is metadata of it, so that it is saved with
//! the scene.

use godot::classes::Bone2D;
use godot::prelude::*;
use tendon_nodes::engine::skeleton::bones_of;

use crate::action::Action;
use crate::refusal::Refusal;
use crate::selection::Selection;

/// The metadata. What begins with an underscore is not shown in the inspector.
const HIDDEN: &str = "_tendon_hidden_";

pub(super) fn is_hidden(bone: &Gd<Bone2D>) -> bool {
    bone.has_meta(HIDDEN)
}

/// The selected bones that are not hidden yet.
///
/// # Errors
/// Returns an error that says what to select instead, or that the selected bones are hidden already.
pub(crate) fn bones_to_hide(selection: &Selection) -> Result<Vec<Gd<Bone2D>>, Refusal> {
    if selection.bones.is_empty() {
        return Err("Select the bones that pose mode is to leave alone.".into());
    }
    let mut bones = selection.bones.clone();
    bones.retain(|bone| !is_hidden(bone));
    match bones.is_empty() {
        true => Err("The selected bones are hidden already.".into()),
        false => Ok(bones),
    }
}

/// All hidden bones of the skeleton.
///
/// # Errors
/// That there are none, in words.
pub(crate) fn bones_to_show(selection: &Selection) -> Result<Vec<Gd<Bone2D>>, Refusal> {
    let mut bones = bones_of(&selection.skeleton);
    bones.retain(is_hidden);
    match bones.is_empty() {
        true => Err("No bone of this skeleton is hidden from pose mode.".into()),
        false => Ok(bones),
    }
}

/// Hides `bones`, or shows them again, as one undo step.
///
/// # Errors
/// Why that is not possible, in words.
pub(crate) fn hide_bones(
    bones: &[Gd<Bone2D>],
    hides: bool,
    scene: &Gd<Node>,
    title: &str,
) -> Result<(), Refusal> {
    let mut action = Action::begin(title, scene)?;
    for bone in bones {
        let [before, after] = [!hides, hides].map(|is_on| is_on.then(|| true.to_variant()));
        action.mark(bone, HIDDEN, before, after);
    }
    action.commit();
    Ok(())
}
