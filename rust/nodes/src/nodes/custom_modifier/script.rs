//! The script of a custom modifier, and the pose that is lent to it.
//!
//! The pass stops before each modifier that has a script. For that time the solver's rig is lent to
//! the modifier's node ([`LentPose`]), whose functions the script calls. Nothing is borrowed
//! meanwhile: the script may free its bones, its node or the rig, or call the rig. It gets the rig
//! back as it was, and the pass goes on with the plan that it has.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use godot::classes::Bone2D;
use godot::prelude::*;
use tendon_solver::{Custom, Rig};

use crate::engine::script_state::{has_method, runs};
use crate::plan::bones::Bones;
use crate::plan::class::{Gathered, PlannedNodes};
use crate::plan::locate::{Gather, Stale};
use crate::warnings::problem::Problem;
use crate::warnings::refusal::BoneRefusal;

/// The method that a script overrides.
const METHOD: &str = "_process_modification";

/// The solver's rig while a script works on it.
pub(super) struct LentPose {
    /// The modifier's node.
    node: InstanceId,
    pub(super) rig: Rig,
    /// Index of the modifier in that rig.
    pub(super) index: usize,
    bones: BoneIndices,
}

/// The indices of the bones by their ids.
type BoneIndices = Rc<HashMap<InstanceId, usize>>;

thread_local! {
    /// The poses that are lent to the scripts that run, the innermost last: a script may have another rig run. They are
    /// not in the nodes, since to borrow one takes several times as long as what a script asks for.
    static LENT: RefCell<Vec<LentPose>> = const { RefCell::new(Vec::new()) };
}

/// The result of `act` on the pose that is lent to the script of `node`, and on the index of `bone` in it.
pub(super) fn with_lent<R>(
    node: InstanceId,
    bone: Option<&Gd<Bone2D>>,
    act: impl FnOnce(&mut LentPose, usize) -> R,
) -> Result<R, BoneRefusal> {
    let bone = bone.ok_or(BoneRefusal::NoBone)?.instance_id_unchecked();
    LENT.with_borrow_mut(|lent| {
        let lent = lent.iter_mut().rfind(|lent| lent.node == node);
        let lent = lent.ok_or(BoneRefusal::NotNow)?;
        let &index = lent.bones.get(&bone).ok_or(BoneRefusal::ForeignBone)?;
        Ok(act(lent, index))
    })
}

/// The script of a custom modifier.
pub(crate) struct PlannedScript {
    bones: BoneIndices,
    /// [`METHOD`], as the engine has it.
    method: StringName,
    /// `true` if it runs: in the editor only scripts with `@tool` do.
    runs: bool,
}

impl PlannedScript {
    /// The script of `node`, which works on all bones of the skeleton.
    pub(super) fn find(node: &Gd<Node>, bones: &mut Bones) -> Result<Self, Problem> {
        let script = node.get_script();
        let script = script.filter(|script| has_method(script, METHOD));
        let script = script.ok_or(Problem::NoScript)?;
        Ok(Self {
            bones: Rc::new(bones.add_all()),
            method: StringName::from(METHOD),
            runs: runs(&script),
        })
    }
}

impl Gathered<Custom> for PlannedScript {
    fn gather(&self, _: &Gather<'_>, _: &mut Custom) -> Result<bool, Stale> {
        Ok(false)
    }
}

impl PlannedNodes for PlannedScript {
    fn runs(&self) -> bool {
        self.runs
    }

    /// Runs the script of `node`.
    fn prepare(&self, node: &Gd<Node>, rig: &mut Rig, index: usize) {
        let mut node = node.clone();
        rig.begin_script(index);
        let delta = f64::from(rig.delta).max(0.0);
        let _loan = Loan::new(rig, |rig| LentPose {
            node: node.instance_id_unchecked(),
            rig,
            index,
            bones: self.bones.clone(),
        });
        // An error in the script is the script's: the engine has reported it.
        let _ = node.try_call(&self.method, &[delta.to_variant()]);
    }
}

/// A pose that is lent. When it is dropped, also by a panic, the solver's rig is back.
struct Loan<'a>(&'a mut Rig);

impl<'a> Loan<'a> {
    fn new(rig: &'a mut Rig, lend: impl FnOnce(Rig) -> LentPose) -> Self {
        let lent = lend(std::mem::take(rig));
        LENT.with_borrow_mut(|all| all.push(lent));
        Self(rig)
    }
}

impl Drop for Loan<'_> {
    fn drop(&mut self) {
        if let Some(lent) = LENT.with_borrow_mut(Vec::pop) {
            *self.0 = lent.rig;
        }
    }
}
