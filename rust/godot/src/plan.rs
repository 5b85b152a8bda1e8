//! From nodes to indices: which bones a rig has to know, and which of them each modifier turns.
//!
//! A plan is made when something about the tree or the properties has changed, never per frame. It
//! names every node that a pass will touch; the pass checks that they are alive. A plan reaches
//! nodes of this extension through traits only and knows none of their classes.
//!
//! | file | what is in it |
//! |---|---|
//! | [`planner`] | makes a plan |
//! | [`planned_modifier`] | a modifier with everything that a pass needs of it |
//! | [`chain`] | from a modifier's references to joints, tip, target, pole and path |
//! | [`input_node`] | the nodes that a modifier reads: targets, poles, paths and sources |
//! | [`bones`] | the bones of a plan, while it is made |
//! | [`modifier`], [`effector`], [`limit`] | the traits of the nodes, and what is planned of each |
//! | [`obstacle`] | the shapes that bones stay out of |
//! | [`path`] | the path that a chain lies along |
//! | [`mapping`] | the source of a copied transform |
//! | [`script`] | the scripts of custom modifiers |
//! | [`references`] | which nodes a modifier refers to |
//! | [`attachment`] | how targets, tips and shapes are attached to the skeleton |
//! | [`result`] | the result of a pass, as each node keeps it |
//! | [`order`] | in which order modifiers have to run |
//! | [`input`] | updates the solver's input, and notices what changes |

use std::cell::Cell;
use std::rc::Rc;

use godot::classes::{Bone2D, Skeleton2D};
use godot::prelude::*;
use tendon_solver::{Modifier, Rig};

use crate::base_pose::tracked_bones::TrackedBones;
use crate::engine::fields::Fields;
use crate::engine::live::Live;
use crate::engine::load_ahead::{LoadAhead, Touched};
use crate::engine::prefetch::{GLOBAL_TRANSFORM, NODE, Region};
use crate::plan::chain::TipAndTarget;
use crate::plan::limit::PlannedLimit;
use crate::plan::planned_modifier::PlannedModifier;
use crate::plan::result::Subject;
use crate::warnings::problem::Problem;

pub(crate) mod attachment;
pub(crate) mod bones;
pub(crate) mod chain;
pub(crate) mod effector;
pub(crate) mod input;
pub(crate) mod input_node;
pub(crate) mod limit;
pub(crate) mod mapping;
pub(crate) mod modifier;
pub(crate) mod obstacle;
pub(crate) mod order;
pub(crate) mod path;
pub(crate) mod planned_modifier;
pub(crate) mod planner;
pub(crate) mod references;
pub(crate) mod result;
pub(crate) mod script;

/// Everything that a pass touches.
pub(crate) struct Plan {
    pub(crate) rig_node: Live<Node>,
    pub(crate) skeleton: Live<Skeleton2D>,
    pub(crate) bones: TrackedBones,
    pub(crate) limits: Vec<PlannedLimit>,
    pub(crate) modifiers: Vec<PlannedModifier>,
    pub(crate) rig: Rig,
    /// The skeleton's global transform in the last pass.
    pub(crate) to_global: Option<Transform2D>,
    /// The skeleton's global transform in the last pass that solved. `None` if `rig` no longer holds
    /// that pass.
    pub(crate) to_global_when_solved: Option<Transform2D>,
    /// The rig's own influence in the last pass.
    pub(crate) influence: f32,
    /// The name of the rig's signal `modification_processed`.
    pub(crate) processed_signal: StringName,
    /// Whether the scene is being edited, and so may be saved.
    pub(crate) in_editor: bool,
    /// What passes touch, for hints to the processor.
    pub(crate) load_ahead: LoadAhead,
    /// How many passes have begun, up to [`SETTLED`].
    passes: u8,
    /// Set when the tree changes under the plan.
    stale: Rc<Cell<bool>>,
}

/// After this number of passes, everything that a pass touches has been allocated.
const SETTLED: u8 = 3;

/// A plan no longer describes the tree; a new one is needed.
pub(crate) struct Stale;

impl Plan {
    /// Whether a change of the tree was reported.
    pub(crate) fn is_known_stale(&self) -> bool {
        self.stale.get()
    }

    /// A pass begins: has the processor load what it touches. `rig` returns where the fields of the
    /// rig's node are.
    pub(crate) fn prefetch(&mut self, rig: impl FnOnce() -> (Region, Option<Fields>)) {
        self.load_ahead.begin(self.bones.is_moving());
        if self.passes < SETTLED {
            self.passes += 1;
            if self.passes == SETTLED {
                self.load_ahead.set(&self.touched(rig()));
            }
        }
    }

    /// What passes touch. `region` and `rig` are where the fields of the rig's node are.
    fn touched(&self, (region, rig): (Region, Option<Fields>)) -> Touched {
        let mut always = vec![
            region,
            Region::of(self),
            Region::of(&*self.stale),
            self.skeleton.region(GLOBAL_TRANSFORM),
            self.rig_node.region(NODE),
            self.bones.region(),
            Region::of(&self.limits[..]),
            Region::of(&self.modifiers[..]),
            Region::of(&self.rig.modifiers[..]),
            Region::of(&self.rig.bones[..]),
        ];
        always.extend(self.rig_node.alive().map(|rig| rig.region_of_fields()));
        always.extend(
            self.skeleton
                .alive()
                .and_then(|node| node.region_of_parent()),
        );
        always.extend(self.skeleton.region_of_flag());
        for modifier in &self.modifiers {
            always.extend(modifier.node.regions().into_iter().flatten());
            let ends = modifier.solvable.iter().map(|solvable| &solvable.ends);
            always.extend(ends.flat_map(TipAndTarget::regions_of_tip));
            for input in modifier.input_nodes() {
                always.push(input.node.region(GLOBAL_TRANSFORM));
                always.extend(input.node.alive().and_then(|node| node.region_of_parent()));
            }
        }
        let (read, written) = self.bones.regions_of_first();
        always.extend(read);
        let solving = self.rig.memory();
        let solving = solving.map(|(start, size)| Region::piece(start, size));
        let moving = solving.chain(written).collect();
        Touched {
            always,
            moving,
            rig,
        }
    }

    /// Whether a modifier that could not be solved might be solvable by now, for a cause that is not
    /// reported.
    pub(crate) fn may_recover_unnoticed(&self) -> bool {
        let mut modifiers = self.modifiers.iter();
        modifiers.any(PlannedModifier::may_recover_unnoticed)
    }

    /// What is wrong with `node`, a modifier or an effector.
    pub(crate) fn problems_of(&self, node: &Gd<Node>) -> Vec<Problem> {
        let mut subjects = self.subjects().into_iter();
        let subject = subjects.find(|subject| subject.node == *node);
        subject.map_or(Vec::new(), |subject| subject.problems)
    }

    /// The solver's modifier of `node`, if it is set up well enough.
    pub(crate) fn solver_of(&self, node: &Gd<Node>) -> Option<&Modifier> {
        let id = node.instance_id();
        let mut modifiers = self.modifiers.iter();
        let planned = modifiers.find(|modifier| modifier.node.id() == id)?;
        let solvable = planned.solvable.as_ref().ok()?;
        self.rig.modifiers.get(solvable.solver_index)
    }

    /// The active modifiers that turn `bone`.
    pub(crate) fn drivers_of(&self, bone: &Gd<Bone2D>) -> Vec<Gd<Node>> {
        let Some(index) = self.bones.index_of(bone.instance_id()) else {
            return Vec::new();
        };
        let drives = |modifier: &&PlannedModifier| {
            let solvable = modifier.solvable.as_ref();
            let solver = solvable.map(|it| &self.rig.modifiers[it.solver_index]);
            solver.is_ok_and(|solver| solver.active && solver.joints.contains(&index))
        };
        let drivers = self.modifiers.iter().filter(drives);
        let drivers = drivers.filter(|modifier| modifier.node.alive().is_some());
        drivers.map(|modifier| modifier.node.gd().clone()).collect()
    }

    /// Every node that can have problems, with the problems that it has.
    pub(crate) fn subjects(&self) -> Vec<Subject> {
        let mut subjects = Vec::new();
        for modifier in &self.modifiers {
            subjects.extend(modifier.subject());
            let effectors = modifier.effectors.iter();
            subjects.extend(effectors.filter_map(|effector| effector.subject()));
        }
        subjects
    }

    /// Reports every problem that `old` did not have: in the editor as configuration warnings, in
    /// a game as one warning for each cause.
    pub(crate) fn report_problems(&self, old: Option<&Plan>, in_editor: bool) {
        self.limits.iter().for_each(PlannedLimit::warn_of_others);
        for subject in self.subjects() {
            if !in_editor {
                subject.warn();
            } else if old.is_none_or(|old| old.problems_of(&subject.node) != subject.problems) {
                // Deferred: the editor asks for the warnings at once, and this plan is not the
                // rig's yet.
                let mut node = subject.node;
                node.call_deferred("update_configuration_warnings", &[]);
            }
        }
    }

    /// Takes over what `old` remembers of the bones and modifiers that are in both plans, and puts
    /// the base poses of the other bones back.
    pub(crate) fn take_over(&mut self, old: &mut Plan) {
        self.take_over_memories(old);
        let bones = &mut self.rig.bones;
        self.bones.take_over(bones, &mut old.bones, &old.rig.bones);
    }

    /// Takes over what the modifiers remember of the last pass, as far as they still turn the same
    /// bones.
    fn take_over_memories(&mut self, old: &mut Plan) {
        for planned in &self.modifiers {
            let is_same = |other: &&PlannedModifier| other.node.id() == planned.node.id();
            let old_planned = old.modifiers.iter().find(is_same);
            let old_planned = old_planned.filter(|old| old.ids.have_same_source(&planned.ids));
            let old_solvable = old_planned.and_then(|old| old.solvable.as_ref().ok());
            let (Ok(solvable), Some(old_solvable)) = (&planned.solvable, old_solvable) else {
                continue;
            };
            let modifier = &mut self.rig.modifiers[solvable.solver_index];
            let old_modifier = &mut old.rig.modifiers[old_solvable.solver_index];
            let bones = modifier.joints.iter();
            let bones = bones.map(|&joint| self.bones.get(joint).id());
            let old_bones = old_modifier.joints.iter();
            let old_bones = old_bones.map(|&joint| old.bones.get(joint).id());
            if bones.eq(old_bones) {
                modifier.take_over_memory(old_modifier);
            }
        }
    }
}
