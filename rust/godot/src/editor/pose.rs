//! The pose of a bone by its properties, solving on demand, and switching the preview.
//!
//! While a rig is previewed, the bones hold the solved pose. The base pose is restored before
//! anything is read or written: a bone that is set to exactly what the rig wrote would otherwise
//! not count as moved.

use godot::classes::Bone2D;
use godot::prelude::*;

use crate::editor::action::Action;
use crate::editor::selection::Selection;
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

/// The message about a rig that does not change any bone.
pub(super) const NOTHING_SOLVED: &str = "The rig leaves every bone as it is. Is it active, does \
    it have modifiers, and do they have targets?";
