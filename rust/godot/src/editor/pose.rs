//! Commands on poses, each as one undo step: reset bones to rest, switch the preview.
//!
//! While a rig is previewed, the bones hold the solved pose. The base pose is restored before
//! anything is read or written: a bone that is set to exactly what the rig wrote would otherwise
//! not count as moved.

use godot::builtin::math::ApproxEq;
use godot::classes::Bone2D;
use godot::prelude::*;

use crate::editor::action::Action;
use crate::editor::selection::Selection;
use crate::engine::skeleton::has_rest;
use crate::nodes::rig::TendonRig2D;

/// The transform of a bone by its properties.
#[derive(Clone)]
pub(super) struct BoneTransform {
    pub(super) bone: Gd<Bone2D>,
    pub(super) rotation: f32,
    pub(super) position: Vector2,
    pub(super) scale: Vector2,
    pub(super) skew: f32,
}

impl BoneTransform {
    pub(super) fn of(bone: &Gd<Bone2D>) -> Self {
        Self {
            bone: bone.clone(),
            rotation: bone.get_rotation(),
            position: bone.get_position(),
            scale: bone.get_scale(),
            skew: bone.get_skew(),
        }
    }

    /// The poses of `bones`.
    pub(super) fn of_all(bones: &[Gd<Bone2D>]) -> Vec<Self> {
        bones.iter().map(Self::of).collect()
    }

    /// The properties that a scene file may contain.
    pub(super) fn properties(&self) -> [(&'static str, Variant); 4] {
        [
            ("position", self.position.to_variant()),
            ("rotation", self.rotation.to_variant()),
            ("scale", self.scale.to_variant()),
            ("skew", self.skew.to_variant()),
        ]
    }

    /// Gives the bone this pose again, to the last bit.
    pub(super) fn restore(&self) {
        let now = Self::of(&self.bone);
        let mut bone = self.bone.clone();
        for ((property, value), (_, present)) in self.properties().iter().zip(now.properties()) {
            if *value != present {
                bone.set(*property, value);
            }
        }
    }
}

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

/// Switches the preview of `rig` on or off, as one undo step.
pub(super) fn switch_preview(
    rig: &Gd<TendonRig2D>,
    selection: &Selection,
    title: &str,
) -> Option<()> {
    let shown = rig.get(PREVIEW).to::<bool>();
    let mut action = Action::begin(title, &selection.scene)?;
    action.set(rig, PREVIEW, &shown.to_variant(), &(!shown).to_variant());
    action.commit();
    Some(())
}

const PREVIEW: &str = "preview_in_editor";

/// Sets the base pose of `bones` to their rest pose. Returns what to tell the user.
///
/// # Errors
/// Why there is nothing to do, in words.
pub(super) fn reset(
    bones: &[Gd<Bone2D>],
    selection: &Selection,
    title: &str,
) -> Result<String, String> {
    let rig = selection.rig();
    if let Some(rig) = &rig {
        TendonRig2D::restore_pose(rig.clone());
    }
    let bones = bones.iter().filter(|bone| has_rest(bone));
    let mut moved = bones.filter(|bone| !bone.get_transform().approx_eq(&bone.get_rest()));
    let mut next = moved.next();
    if next.is_none() {
        return Err(match rig.filter(TendonRig2D::shows_solution) {
            Some(_) => format!("The base pose of these bones is their rest pose already. {SHOWN}"),
            None => "The bones are in their rest pose already.".into(),
        });
    }
    let action = Action::begin(title, &selection.scene);
    let mut action = action.ok_or("This scene has no undo history.")?;
    if let Some(rig) = &rig {
        action.when_done(rig, "restore_pose", &[]);
    }
    while let Some(bone) = next {
        action.when_done(bone, "apply_rest", &[]);
        for (property, value) in BoneTransform::of(bone).properties() {
            let arguments = [property.to_variant(), value];
            action.when_undone(bone, "set", &arguments);
        }
        next = moved.next();
    }
    if let Some(rig) = &rig {
        action.when_undone(rig, "restore_pose", &[]);
    }
    action.commit();
    Ok(match rig.filter(TendonRig2D::shows_solution) {
        Some(_) => format!("The base pose is at rest. {SHOWN}"),
        None => "The bones are in their rest pose.".into(),
    })
}

/// The end of the message about bones whose rig is previewed.
const SHOWN: &str = "The viewport shows what the rig makes of it: to see the base pose, switch off \
    Tendon > Preview in Editor.";

/// The message about a rig that does not change any bone.
pub(super) const NOTHING_SOLVED: &str = "The rig leaves every bone as it is. Is it active, does \
    it have modifiers, and do they have targets?";
