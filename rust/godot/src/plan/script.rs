//! Custom modifiers: their scripts, and the pose that is lent to them.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use godot::classes::{Bone2D, Engine, Script};
use godot::prelude::*;
use tendon_solver::Rig;

use crate::engine::space::to_transform;
use crate::plan::bones::Bones;
use crate::warnings::problem::Problem;
use crate::warnings::refusal::Refusal;

/// The method that a script overrides.
const METHOD: &str = "_process_modification";

/// Where a modifier's node finds the working pose that the plan lends it. It is empty except while
/// the script runs.
#[derive(Clone, Default)]
pub(crate) struct SharedPose {
    lent: Rc<RefCell<Option<LentPose>>>,
}

/// The solver's rig while a script works on it.
pub(crate) struct LentPose {
    pub(crate) rig: Rig,
    /// Index of the modifier in that rig.
    pub(crate) solver_index: usize,
    pub(crate) bones: BoneIndices,
}

/// The indices of the bones by their ids.
pub(crate) type BoneIndices = Rc<HashMap<InstanceId, usize>>;

impl SharedPose {
    /// Lends a pose. Returns what was lent before: another rig may share the node.
    pub(crate) fn lend(&self, lent: LentPose) -> Option<LentPose> {
        self.lent.replace(Some(lent))
    }

    /// Takes the pose back. `outer` is what was lent before, and is lent again.
    pub(crate) fn take_back(&self, outer: Option<LentPose>) -> Option<LentPose> {
        self.lent.replace(outer)
    }

    /// The rotation of `bone` in its parent's frame.
    pub(crate) fn rotation(&self, bone: Option<&Gd<Bone2D>>) -> Result<f32, Refusal> {
        self.with(bone, |lent, bone| lent.rig.draft_rotation(bone))
    }

    /// The transform of `bone` in the skeleton's frame.
    pub(crate) fn transform(&self, bone: Option<&Gd<Bone2D>>) -> Result<Transform2D, Refusal> {
        self.with(bone, |lent, bone| to_transform(lent.rig.draft_frame(bone)))
    }

    pub(crate) fn set_rotation(
        &self,
        bone: Option<&Gd<Bone2D>>,
        rotation: f32,
    ) -> Result<(), Refusal> {
        self.with(bone, |lent, bone| {
            lent.rig.set_scripted(lent.solver_index, bone, rotation);
        })
    }

    fn with<R>(
        &self,
        bone: Option<&Gd<Bone2D>>,
        act: impl FnOnce(&mut LentPose, usize) -> R,
    ) -> Result<R, Refusal> {
        let bone = bone.ok_or(Refusal::NoBone)?.instance_id();
        let mut lent = self.lent.borrow_mut();
        let lent = lent.as_mut().ok_or(Refusal::NotNow)?;
        let &index = lent.bones.get(&bone).ok_or(Refusal::ForeignBone)?;
        Ok(act(lent, index))
    }
}

/// The script of a custom modifier.
pub(crate) struct PlannedScript {
    pub(crate) pose: SharedPose,
    pub(crate) bones: BoneIndices,
    /// [`METHOD`], as the engine has it.
    pub(crate) method: StringName,
    /// Whether it runs: in the editor only scripts with `@tool` do.
    pub(crate) runs: bool,
}

impl PlannedScript {
    /// The script of `node`, which works on all bones of the skeleton.
    pub(super) fn find(
        node: &Gd<Node>,
        pose: SharedPose,
        bones: &mut Bones,
    ) -> Result<Self, Problem> {
        let script = node.get_script().filter(overrides_method);
        let script = script.ok_or(Problem::NoScript)?;
        Ok(Self {
            pose,
            bones: Rc::new(bones.add_all()),
            method: StringName::from(METHOD),
            runs: script.is_tool() || !Engine::singleton().is_editor_hint(),
        })
    }
}

/// Whether `script`, or one that it extends, overrides the method.
fn overrides_method(script: &Gd<Script>) -> bool {
    let methods = script.clone().get_script_method_list();
    let mut names = methods
        .iter_shared()
        .filter_map(|method| method.get("name"));
    names.any(|name| name.to_string() == METHOD)
}
