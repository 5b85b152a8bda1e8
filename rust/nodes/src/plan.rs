//! From nodes to indices: which bones a rig has to know, and which of them each modifier turns.
//!
//! A plan is made when something about the tree or the properties has changed, never per frame. It
//! names every node that a pass will touch; the pass checks that they are alive. A plan reaches
//! nodes of this extension through traits only and knows none of their classes.
//!
//! | file | what is in it |
//! |---|---|
//! | [`planner`] | makes a plan |
//! | [`modifier`] | a modifier of the plan, whatever its class |
//! | [`class`] | the traits of a class of modifiers; the classes are in `nodes/` |
//! | [`locate`] | the place of a node: the bone that carries it, and its frame there |
//! | [`chain`], [`tip`], [`target`], [`obstacles`] | the parts that several classes are composed of |
//! | [`node_reference`] | a node that a modifier refers to besides bones |
//! | [`search`] | the search for the nodes that a modifier refers to |
//! | [`bones`] | the bones of a plan, and its dependencies |
//! | [`limit`] | joint limits |
//! | [`rest_bend`] | the side to which a limb bends at rest |
//! | [`result`] | the result of a pass, as each node keeps it |
//! | [`order`] | the order in which modifiers have to run |
//! | [`overlap`] | modifiers that undo the work of others |
//! | [`invalid`] | why a modifier cannot be solved by now, in words |
//! | [`change`] | updates the solver's input, and notices what changes |
//! | [`take_over`] | what a plan takes over from the one before it |

use std::rc::Rc;

use godot::classes::{Bone2D, Skeleton2D};
use godot::prelude::*;
use tendon_solver::{Modifier, Rig, Solver};

use crate::base_pose::tracked_bones::TrackedBones;
use crate::engine::frame_calls::{Live, LiveSignal};
use crate::engine::space::frame_of;
use crate::engine::tree_watch::TreeWatch;
use crate::plan::limit::PlannedLimit;
use crate::plan::modifier::PlannedModifier;
use crate::plan::result::Subject;
use crate::warnings::problem::Problem;

pub(crate) mod bones;
pub(crate) mod chain;
pub(crate) mod change;
pub mod class;
mod invalid;
pub(crate) mod limit;
pub(crate) mod locate;
pub mod modifier;
pub mod node_reference;
pub(crate) mod obstacles;
pub mod order;
mod overlap;
pub(crate) mod planner;
pub mod rest_bend;
pub mod result;
pub(crate) mod search;
mod take_over;
pub(crate) mod target;
pub mod tip;

/// Everything that a pass touches.
pub struct Plan {
    pub(crate) rig_node: Live<Node>,
    /// The skeleton whose bones these are.
    pub skeleton: Live<Skeleton2D>,
    /// All bones that a pass reads, in the order of `rig`. Those that leave the tree are told to them, also
    /// during a pass.
    pub bones: Rc<TrackedBones>,
    pub(crate) limits: Vec<PlannedLimit>,
    /// The [number of changes](limit::changes_of_limits) up to which these were read.
    pub(crate) read_limits: Option<usize>,
    /// All modifiers, also those that cannot be solved.
    pub modifiers: Vec<PlannedModifier>,
    /// `true` if one of those might be solvable at any time, for a cause that is not reported.
    pub(crate) may_recover_unnoticed: bool,
    /// The solver's rig, without the modifiers that cannot be solved.
    pub rig: Rig,
    /// The skeleton's global transform in the last pass.
    pub to_global: Option<Transform2D>,
    /// The skeleton's global transform in the last pass that solved. `None` if `rig` no longer holds
    /// that pass.
    pub(crate) to_global_when_solved: Option<Transform2D>,
    /// The rig's own influence in the last pass.
    pub(crate) influence: f32,
    /// The rig's signal `modification_processed`. It is emitted when the rig has its plan back.
    pub(crate) processed: Rc<LiveSignal>,
    /// `true` if the scene is being edited, and so may be saved.
    pub(crate) in_editor: bool,
    /// Has the nodes let go of that leave the tree, for as long as there is the plan.
    pub(crate) tree_watch: Rc<TreeWatch>,
}

impl Plan {
    /// Tells the modifiers that set the targets of others which these are.
    fn link_limbs(&mut self) {
        let named = |(planned, _): (&PlannedModifier, _)| planned.nodes().map(|it| it.limbs());
        let named: Vec<_> = self.pairs().filter_map(named).collect();
        let solved = self.pairs().filter(|(_, modifier)| modifier.is_some());
        let solved: Vec<_> = solved.map(|(planned, _)| planned.node().id()).collect();
        for (modifier, limbs) in self.rig.modifiers.iter_mut().zip(named) {
            if limbs.is_empty() {
                continue;
            }
            let index = |limb: InstanceId| solved.iter().position(|&id| id == limb);
            let limbs: Vec<_> = limbs.into_iter().map(|limb| index(limb?)).collect();
            let bones = self.bones.iter();
            let rest = bones.map(|bone| {
                let rest = bone.node().map(|bone| bone.get_skeleton_rest());
                frame_of(rest.unwrap_or(Transform2D::IDENTITY))
            });
            modifier
                .solver
                .parts_mut()
                .link(&limbs, &rest.collect::<Vec<_>>());
        }
    }

    /// The nodes of the modifiers that are solved and work by a script, with their indices in the solver.
    pub(crate) fn scripted(&self) -> Vec<(usize, Gd<Node>)> {
        let solved = self
            .pairs()
            .filter_map(|(planned, modifier)| Some((planned, modifier?)));
        let custom = solved
            .enumerate()
            .filter(|(_, (_, modifier))| matches!(modifier.solver, Solver::Custom(_)));
        let nodes = custom.filter_map(|(index, (planned, _))| {
            let node = planned.node().alive().cloned()?;
            Some((index, node))
        });
        nodes.collect()
    }

    /// Asks the physics server what the modifiers need to know. Only in physics frames.
    pub(crate) fn sense(&mut self) {
        let to_global = self.skeleton.get_global_transform();
        let (Some(to_global), Some(delta)) =
            (to_global, self.rig_node.get_physics_process_delta_time())
        else {
            return;
        };
        let nodes = self.modifiers.iter().filter_map(PlannedModifier::nodes);
        for (index, nodes) in nodes.enumerate() {
            nodes.sense(&mut self.rig, index, frame_of(to_global), delta as f32);
        }
    }

    /// The problems of `node`, a modifier or an effector.
    pub(crate) fn problems_of(&self, node: &Gd<Node>) -> Vec<Problem> {
        let mut subjects = self.subjects().into_iter();
        let subject = subjects.find(|subject| subject.node == *node);
        subject.map_or(Vec::new(), |subject| subject.problems)
    }

    /// The modifiers, each with what is solved if it can be.
    pub fn pairs(&self) -> impl Iterator<Item = (&PlannedModifier, Option<&Modifier>)> {
        pair_up(&self.modifiers, self.rig.modifiers.iter())
    }

    /// The solver's modifier of `node`, if it is set up well enough.
    pub fn solver_of(&self, node: &Gd<Node>) -> Option<&Modifier> {
        let id = node.instance_id();
        let pair = self.pairs().find(|(planned, _)| planned.node().id() == id);
        pair?.1
    }

    /// The active modifiers that turn `bone`.
    pub fn drivers_of(&self, bone: &Gd<Bone2D>) -> Vec<Gd<Node>> {
        let Some(index) = self.bones.index_of(bone.instance_id()) else {
            return Vec::new();
        };
        let drives =
            |modifier: &Modifier| modifier.active && modifier.parts().joints().contains(&index);
        let drivers = self.pairs();
        let drivers = drivers.filter(|(_, modifier)| modifier.is_some_and(drives));
        let drivers = drivers.filter_map(|(planned, _)| {
            let node = planned.node();
            node.alive().cloned()
        });
        drivers.collect()
    }

    /// Every node that can have problems, with the problems that it has.
    pub(crate) fn subjects(&self) -> Vec<Subject> {
        let mut subjects = Vec::new();
        for modifier in &self.modifiers {
            subjects.extend(modifier.subject());
            let children = modifier.children.iter();
            subjects.extend(children.filter_map(|child| child.subject()));
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

    /// Resets what the modifiers remember of the last passes: the next one begins without memory.
    pub(crate) fn reset(&mut self) {
        self.rig.forget();
        self.solve_again();
    }

    /// Makes the pose that bones hold their base pose: those that the modifier `only` turns, or all. The modifiers that
    /// turn them begin anew from there. Returns `false`, and changes nothing, if `only` is not in the plan or cannot be
    /// solved.
    pub(crate) fn keep_pose(&mut self, only: Option<&Gd<Node>>) -> bool {
        let modifier = only.map(|node| self.solver_of(node));
        if modifier.is_some_and(|modifier| modifier.is_none()) {
            return false;
        }
        let is_kept = |&bone: &usize| {
            let modifier = modifier.flatten();
            modifier.is_none_or(|modifier| modifier.parts().turns(bone))
        };
        let kept: Vec<usize> = (0..self.rig.bones.len()).filter(is_kept).collect();
        self.bones.keep(&kept);
        for modifier in &mut self.rig.modifiers {
            if kept.iter().any(|&bone| modifier.parts().turns(bone)) {
                modifier.forget();
            }
        }
        self.solve_again();
        true
    }

    /// Has the modifiers pause: what does not hold after a while is forgotten.
    pub(crate) fn pause(&mut self) {
        self.rig.pause();
        self.solve_again();
    }

    /// The rig leaves the tree: the modifiers keep what they were, to go on from it.
    pub(crate) fn part(&mut self) {
        for (planned, modifier) in pair_up(&self.modifiers, self.rig.modifiers.iter()) {
            if let Some((nodes, modifier)) = planned.nodes().zip(modifier) {
                nodes.part(modifier);
            }
        }
    }

    /// Makes the next pass solve, even if nothing changes until then: no influence that it reads is
    /// this one.
    pub(crate) fn solve_again(&mut self) {
        self.influence = f32::NAN;
    }

    /// Restores the base poses: writes them into the bones that hold solved ones. In the editor also
    /// the last bits that the engine has changed: the scene may be saved.
    pub(crate) fn restore(&mut self) {
        let has_passed = self.to_global.take().is_some();
        if self.in_editor && has_passed {
            self.bones.restore_last_bits(&self.rig.bones);
        } else {
            self.bones.restore();
        }
    }

    /// Warns, once, that `modifier` could not be read although this plan is new, unless it was freed.
    pub(crate) fn warn_of_outdated(&self, modifier: InstanceId) {
        let mut modifiers = self.modifiers.iter();
        let planned = modifiers.find(|planned| planned.node().id() == modifier);
        if let Some(mut subject) = planned.and_then(PlannedModifier::subject) {
            subject.problems = vec![Problem::Outdated];
            subject.warn();
        }
    }

    /// The bones that go back to their base pose, and those that would if their modifiers let go of them.
    pub(crate) fn bones_on_the_way(&self) -> Vec<Gd<Bone2D>> {
        let modifiers = self.rig.modifiers.iter();
        let modifiers = modifiers.filter(|modifier| modifier.is_handed_over());
        let joints = modifiers.flat_map(|modifier| modifier.parts().joints().iter().copied());
        let bones = joints.chain(self.rig.let_go.iter().map(|it| it.bone));
        let nodes = bones.filter_map(|bone| self.bones.get(bone).node().cloned());
        nodes.collect()
    }
}

/// Pairs each of `modifiers` with its place in `solved`, which has only those that can be solved.
pub(crate) fn pair_up<S>(
    modifiers: &[PlannedModifier],
    mut solved: impl Iterator<Item = S>,
) -> impl Iterator<Item = (&PlannedModifier, Option<S>)> {
    let modifiers = modifiers.iter();
    modifiers.map(move |planned| (planned, planned.nodes().and_then(|_| solved.next())))
}
