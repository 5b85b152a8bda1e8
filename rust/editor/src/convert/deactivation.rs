//! Switches a converted stack off, without moving a bone or changing what does not belong to the
//! edited scene.
//!
//! A stack that is saved with the scene is switched off there. One that is not (it belongs to an
//! instance, to the scene that this one inherits, or to a file of its own) is taken from this
//! skeleton only: to switch it off would not be saved, or would switch it off for others.

use godot::classes::{Bone2D, Object, Resource, Skeleton2D};
use godot::prelude::*;
use tendon_nodes::engine::modification_stack::{
    DROP_OVERRIDE, ask, drop_overrides, no_override, stack_of,
};
use tendon_nodes::engine::skeleton::bones_of;

use crate::action::Action;
use crate::selection::{Selection, all_within};

/// A stack that is to be deactivated.
pub(super) struct Deactivation {
    stack: Gd<Resource>,
    skeleton: Gd<Skeleton2D>,
    was_on: bool,
    /// `true` if it is saved with the edited scene, and nobody else in it uses it.
    is_own: bool,
    /// The other skeletons of the scene that use it.
    others: Vec<Gd<Skeleton2D>>,
}

impl Deactivation {
    /// Finds out how `stack` can be deactivated.
    pub(super) fn of(stack: &Gd<Resource>, selection: &Selection) -> Self {
        let others = other_users(stack, selection);
        Self {
            stack: stack.clone(),
            skeleton: selection.skeleton.clone(),
            was_on: ask(stack, "get_enabled", &[]) == Some(true),
            is_own: others.is_empty() && is_saved_with(stack, selection),
            others,
        }
    }

    /// Returns `true` if it is switched on.
    pub(super) fn is_on(&self) -> bool {
        self.was_on
    }

    /// Makes the bones hold the pose that the stack gives them. After a physics frame they hold
    /// another one until the next idle frame. And in an idle frame that directly follows another
    /// one, the engine leaves out what the stack does in physics frames.
    pub(super) fn show(&self) {
        if self.was_on {
            let mut skeleton = self.skeleton.clone();
            let in_physics = [0.0.to_variant(), PHYSICS_FRAMES.to_variant()];
            skeleton.call("execute_modifications", &in_physics);
            skeleton.call("execute_modifications", &no_time());
        }
    }

    /// Makes the bones hold their own pose, without the stack.
    pub(super) fn hide(&self) {
        if self.was_on {
            self.own_transforms();
        }
    }

    /// The part of it that is applied: `1.0` is all of it.
    pub(super) fn strength(&self) -> f32 {
        ask(&self.stack, "get_strength", &[]).unwrap_or(1.0)
    }

    /// Adds the deactivation to `action`, in calls to the engine's own objects.
    pub(super) fn add_to(&self, action: &mut Action) {
        if !self.was_on {
            return;
        }
        let (on, off) = (true.to_variant(), false.to_variant());
        // Added first, so that it is undone last.
        for (bone, transform) in self.own_transforms() {
            action.when_undone(&bone, "set_transform", &[transform.to_variant()]);
        }
        match self.is_own {
            true => action.set(&self.stack, "enabled", &on, &off),
            false => action.when_done(&self.stack, "set_enabled", std::slice::from_ref(&off)),
        }
        // The bones hold the pose that the stack has given them. When it is off, the engine
        // restores their own.
        for bone in 0..i64::from(self.skeleton.get_bone_count()) {
            action.when_done(&self.skeleton, DROP_OVERRIDE, &no_override(bone));
        }
        action.when_done(&self.skeleton, "execute_modifications", &no_time());
        if !self.is_own {
            self.take_away(action, &on);
        }
    }

    /// The bones with the transforms that the engine keeps as their own while the stack runs. Undo
    /// sets these transforms: if it set rotations, last bits of the bones would change, and with
    /// them the file.
    fn own_transforms(&self) -> Vec<(Gd<Bone2D>, Transform2D)> {
        let (mut stack, mut skeleton) = (self.stack.clone(), self.skeleton.clone());
        stack.call("set_enabled", &[false.to_variant()]);
        drop_overrides(&skeleton);
        skeleton.call("execute_modifications", &no_time());
        let bones = bones_of(&skeleton).into_iter();
        let own = bones.map(|bone| {
            let transform = bone.get_transform();
            (bone, transform)
        });
        let own = own.collect();
        stack.call("set_enabled", &[true.to_variant()]);
        own
    }

    /// Takes the stack from the skeleton.
    fn take_away(&self, action: &mut Action, on: &Variant) {
        let stack = self.stack.to_variant();
        let none = None::<Gd<Object>>.to_variant();
        action.set(&self.skeleton, "modification_stack", &stack, &none);
        action.when_done(&self.stack, "set_enabled", std::slice::from_ref(on));
        // Removing a stack from one skeleton leaves the stack without any skeleton.
        for other in &self.others {
            let arguments = [stack.clone()];
            action.when_done(other, "set_modification_stack", &arguments);
            action.when_undone(other, "set_modification_stack", &arguments);
        }
    }

    /// The text about the stack for the report. `is_new` is `true` if the rig is new.
    pub(super) fn report(&self, is_new: bool) -> String {
        let path = self.stack.get_path().to_string();
        let file = path.split("::").next().unwrap_or_default();
        match (self.was_on, self.is_own) {
            (true, true) => OFF.into(),
            (true, false) if file.is_empty() || !self.others.is_empty() => TAKEN.into(),
            (true, false) => format!("{TAKEN} It is as before in {file}."),
            (false, _) if is_new => WAS_OFF.into(),
            (false, _) => WERE_OFF.into(),
        }
    }
}

/// The other skeletons of the scene that use `stack`.
fn other_users(stack: &Gd<Resource>, selection: &Selection) -> Vec<Gd<Skeleton2D>> {
    let mut others = all_within(&selection.scene);
    others.retain(|skeleton| {
        *skeleton != selection.skeleton && stack_of(skeleton).as_ref() == Some(stack)
    });
    others
}

/// Returns `true` if `stack` is a part of the edited scene's file, or will be.
fn is_saved_with(stack: &Gd<Resource>, selection: &Selection) -> bool {
    let scene = &selection.scene;
    let skeleton = selection.skeleton.clone().upcast::<Node>();
    if skeleton != *scene && skeleton.get_owner().as_ref() != Some(scene) {
        return false;
    }
    let path = stack.get_path().to_string();
    let file = scene.get_scene_file_path().to_string();
    match path.split_once("::") {
        Some((of, _)) => of == file,
        None => path.is_empty() && !stack.is_local_to_scene(),
    }
}

/// The arguments of a frame that takes no time.
fn no_time() -> [Variant; 2] {
    [0.0.to_variant(), IDLE_FRAMES.to_variant()]
}

/// The kind of frame in which the engine applies a stack.
const IDLE_FRAMES: i64 = 0;
/// The other kind, in which it only runs some modifications.
const PHYSICS_FRAMES: i64 = 1;

const OFF: &str = "The old stack is switched off, not deleted. Once all is well, remove it: the \
    engine still rewrites every bone for it, in every frame.";
const TAKEN: &str = "The old stack is not this scene's own, or others use it, too. It was taken from \
    this skeleton and is otherwise as before.";
const WAS_OFF: &str = "The old stack was switched off, and so is the new rig. Switch on its \
    \"Active\" to use it.";
const WERE_OFF: &str = "The old stack was switched off, and so are the new modifiers. Switch on \
    the \"Active\" of each to use it.";
