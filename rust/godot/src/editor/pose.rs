//! Base poses, as undo steps: back to rest, and the solved pose as the new base.
//!
//! While a rig previews, the bones hold what it solved. Its base pose is put back before anything
//! is read and before anything is written: a bone that is given just what the rig wrote would
//! otherwise not count as moved.

use godot::builtin::math::ApproxEq;
use godot::classes::Bone2D;
use godot::prelude::*;

use crate::editor::action::Action;
use crate::editor::selection::{Selection, bones_of};
use crate::nodes::rig::TendonRig2D;

/// How a bone stands.
#[derive(Clone)]
pub(super) struct Stand {
    pub(super) bone: Gd<Bone2D>,
    pub(super) rotation: f32,
    pub(super) position: Vector2,
    scale: Vector2,
    skew: f32,
}

impl Stand {
    pub(super) fn of(bone: &Gd<Bone2D>) -> Self {
        Self {
            bone: bone.clone(),
            rotation: bone.get_rotation(),
            position: bone.get_position(),
            scale: bone.get_scale(),
            skew: bone.get_skew(),
        }
    }

    /// How each of `bones` stands.
    pub(super) fn of_all(bones: &[Gd<Bone2D>]) -> Vec<Self> {
        bones.iter().map(Self::of).collect()
    }

    /// The properties that a file may hold.
    fn properties(&self) -> [(&'static str, Variant); 4] {
        [
            ("position", self.position.to_variant()),
            ("rotation", self.rotation.to_variant()),
            ("scale", self.scale.to_variant()),
            ("skew", self.skew.to_variant()),
        ]
    }

    /// Makes the bone stand so again, to the last bit.
    pub(super) fn put_back(&self) {
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
    let mut node = rig.clone();
    let preview = node.get("preview_in_editor");
    node.set("preview_in_editor", &true.to_variant());
    TendonRig2D::advance(node.clone(), 0.0);
    node.set("preview_in_editor", &preview);
}

/// Makes what the rig has solved the base pose.
///
/// # Errors
/// Why there is nothing to apply, in words.
pub(super) fn apply(
    selection: &Selection,
    rig: &Gd<TendonRig2D>,
    title: &str,
) -> Result<(), String> {
    let bones = bones_of(&selection.skeleton);
    solve(rig);
    let solved = Stand::of_all(&bones);
    TendonRig2D::restore_pose(rig.clone());
    let base = Stand::of_all(&bones);
    let mut pairs = base.iter().zip(&solved);
    if pairs.all(|(base, solved)| same(base, solved)) {
        return Err(NOTHING_SOLVED.into());
    }
    let action = Action::begin(title, &selection.scene);
    let mut action = action.ok_or("This scene has no undo history.")?;
    action.when_done(rig, "restore_pose", &[]);
    for (base, solved) in base.iter().zip(&solved) {
        if same(base, solved) {
            continue;
        }
        // Scale and skew, too: saving may rewrite them at this rotation, and not at that.
        let after = Stand {
            rotation: solved.rotation,
            position: solved.position,
            ..base.clone()
        };
        for (before, after) in base.properties().iter().zip(after.properties()) {
            action.set(&base.bone, before.0, &before.1, &after.1);
        }
    }
    action.when_undone(rig, "restore_pose", &[]);
    action.commit();
    Ok(())
}

/// Whether a rig that turns and moves bones has left this one alone.
fn same(base: &Stand, solved: &Stand) -> bool {
    base.rotation == solved.rotation && base.position == solved.position
}

/// Puts `bones` into their rest pose.
///
/// # Errors
/// Why there is nothing to do, in words.
pub(super) fn reset(
    bones: &[Gd<Bone2D>],
    selection: &Selection,
    title: &str,
) -> Result<(), String> {
    let rig = selection.rig();
    if let Some(rig) = &rig {
        TendonRig2D::restore_pose(rig.clone());
    }
    let bones = bones.iter().filter(|bone| has_rest(bone));
    let mut moved = bones.filter(|bone| !bone.get_transform().approx_eq(&bone.get_rest()));
    let mut next = moved.next();
    if next.is_none() {
        return Err("The bones are in their rest pose already.".into());
    }
    let action = Action::begin(title, &selection.scene);
    let mut action = action.ok_or("This scene has no undo history.")?;
    if let Some(rig) = &rig {
        action.when_done(rig, "restore_pose", &[]);
    }
    while let Some(bone) = next {
        action.when_done(bone, "apply_rest", &[]);
        for (property, value) in Stand::of(bone).properties() {
            let arguments = [property.to_variant(), value];
            action.when_undone(bone, "set", &arguments);
        }
        next = moved.next();
    }
    if let Some(rig) = &rig {
        action.when_undone(rig, "restore_pose", &[]);
    }
    action.commit();
    Ok(())
}

/// Whether somebody has given `bone` a rest pose.
pub(super) fn has_rest(bone: &Gd<Bone2D>) -> bool {
    let rest = bone.get_rest();
    rest.is_finite() && rest.a != Vector2::ZERO
}

/// What is said of a rig that leaves the bones as they are.
pub(super) const NOTHING_SOLVED: &str = "The rig leaves every bone as it is. Is it active, does \
    it have modifiers, and do they have targets?";
