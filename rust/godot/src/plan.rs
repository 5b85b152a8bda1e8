//! From nodes to indices: which bones a rig has to know, and which of them each modifier turns.
//!
//! A plan is made when something about the tree or the properties has changed, never per
//! frame. It names every node that a pass will touch; the pass checks that they are alive.

pub(crate) mod carried;
pub(crate) mod obstacles;
pub(crate) mod order;
pub(crate) mod problem;
pub(crate) mod wiring;

use std::cell::Cell;
use std::collections::HashMap;
use std::rc::Rc;

use godot::classes::{Bone2D, Engine, Skeleton2D};
use godot::obj::DynGd;
use godot::prelude::*;
use tendon_solver::glam::{Affine2, Vec2};
use tendon_solver::{Bone, Modifier as Solved, Rig};

use crate::base_pose::memory::BasePose;
use crate::engine::link::Link;
use crate::engine::live::Live;
use crate::engine::watch::TendonWatch;
use crate::nodes::effector::{Branch, effectors_of};
use crate::nodes::joint_limit::{PlannedLimit, limits_of};
use crate::nodes::modifier::{Modifier, PassResult, Reader, Settings};
use crate::plan::carried::Carried;
use crate::plan::obstacles::Watched;
use crate::plan::problem::{Problem, complain};
use crate::plan::wiring::{BoneSlot, Joints, Print, Wiring};

/// A modifier node, whatever its class.
pub(crate) type ModifierNode = DynGd<Node, dyn Modifier>;

/// A bone that the rig reads, and may turn.
pub(crate) struct PlannedBone {
    pub(crate) node: Live<Bone2D>,
    pub(crate) base_pose: BasePose,
    /// The rotation that the node held when it was last read, radians.
    pub(crate) present: f32,
    /// The position that it held then, in its parent's frame.
    pub(crate) place: Vec2,
    pub(crate) seen: Seen,
    /// Whether a pass has read it.
    pub(crate) is_known: bool,
    /// Whether it is top-level, and so hangs on no other bone.
    pub(crate) is_top_level: bool,
}

/// The local transform that a bone had when the rig last touched it: as long as it is that,
/// nobody else has moved the bone.
#[derive(Clone, Copy)]
pub(crate) enum Seen {
    Never,
    /// Read, and so the same to the last bit.
    Exactly(Transform2D),
    /// Written, by its rotation: the engine makes the matrix, with its own rounding.
    Written(Affine2),
}

/// Where a chain's tip is read from.
pub(crate) enum TipSource {
    /// A node below the chain's last bone.
    Node(Live<Node2D>),
    /// A child bone of the chain's last bone that the plan knows, and may move.
    Bone {
        index: usize,
        /// The last bone, if it ends there only as long as its length is automatic.
        above: Option<Live<Bone2D>>,
    },
    /// The first child of the chain's last bone, whose length is automatic.
    Child {
        child: Live<Bone2D>,
        above: Live<Bone2D>,
    },
    /// The end that the last bone's own length and angle say.
    Axis {
        bone: Live<Bone2D>,
        /// Whether it would end at a child bone if its length were automatic.
        has_child: bool,
    },
}

/// What is brought to what.
pub(crate) struct Ends {
    pub(crate) tip: TipSource,
    /// Index of the joint's bone that carries the tip.
    pub(crate) last: usize,
    /// What the tip is brought to; `None` for a tip that is free to follow others.
    pub(crate) target: Option<Aim>,
}

/// A node that a modifier reaches for or bends towards.
pub(crate) struct Aim {
    pub(crate) node: Live<Node2D>,
    /// Whether it is drawn on another canvas than the skeleton, in the same viewport.
    pub(crate) is_on_other_canvas: bool,
}

impl Aim {
    fn new(node: Gd<Node2D>, skeleton: &Gd<Skeleton2D>) -> Self {
        let is_on_other_canvas = skeleton.is_inside_tree()
            && node.is_inside_tree()
            && node.get_canvas() != skeleton.get_canvas()
            && node.get_viewport() == skeleton.get_viewport();
        Self {
            node: Live::new(node),
            is_on_other_canvas,
        }
    }
}

impl Ends {
    /// Index of the bone that the tip is, if it moves along when the last bone stretches.
    pub(crate) fn tip_bone(&self) -> Option<usize> {
        match self.tip {
            TipSource::Bone { index, .. } => Some(index),
            _ => None,
        }
    }
}

/// What a modifier needs of each pass.
pub(crate) struct Wired {
    pub(crate) ends: Ends,
    pub(crate) pole: Option<Aim>,
    /// The bone that takes over the target's rotation.
    pub(crate) headed: Option<usize>,
    /// Index of the modifier in the [`Rig`].
    pub(crate) index: usize,
}

/// One modifier of the plan.
pub(crate) struct Slot {
    pub(crate) modifier: ModifierNode,
    /// The same node, for asking whether it still lives.
    pub(crate) node: Live<Node>,
    /// What the modifier's `get_…` functions answer.
    pub(crate) result: Rc<Cell<PassResult>>,
    pub(crate) read: Reader,
    /// What the modifier asked of the last pass.
    pub(crate) settings: Settings,
    /// What its properties were set to when the plan was made.
    pub(crate) print: Print,
    pub(crate) wired: Result<Wired, Problem>,
    /// What is wrong with a modifier that works all the same.
    pub(crate) flaws: Vec<Problem>,
    /// Its further tips.
    pub(crate) branches: Vec<Branch>,
    /// What its bones stay out of.
    pub(crate) obstacles: Vec<Watched>,
}

impl Slot {
    /// What it reaches for and bends towards.
    fn aims(&self) -> impl Iterator<Item = &Aim> {
        let own = self.wired.iter();
        let pole = own.clone().flat_map(|wired| &wired.pole);
        let branches = self.branches.iter();
        let branches = branches.filter_map(|branch| branch.wired.as_ref().ok());
        let ends = own.map(|wired| &wired.ends).chain(branches);
        ends.filter_map(|ends| ends.target.as_ref()).chain(pole)
    }

    /// What is wrong with the modifier itself.
    fn problems(&self) -> impl Iterator<Item = &Problem> {
        let obstacles = self.obstacles.iter();
        let obstacles = obstacles.filter_map(|obstacle| obstacle.problem.as_ref());
        let own = self.wired.as_ref().err().into_iter().chain(&self.flaws);
        own.chain(obstacles)
    }
}

/// Everything that a pass touches.
pub(crate) struct Plan {
    pub(crate) rig_node: Live<Node>,
    pub(crate) skeleton: Live<Skeleton2D>,
    pub(crate) bones: Vec<PlannedBone>,
    pub(crate) limits: Vec<PlannedLimit>,
    pub(crate) slots: Vec<Slot>,
    pub(crate) rig: Rig,
    /// The skeleton's global transform in the last pass.
    pub(crate) to_global: Option<Transform2D>,
    /// The same in the last pass that solved, as long as `rig` is as it left it.
    pub(crate) solved_in: Option<Transform2D>,
    /// The rig's own influence in the last pass.
    pub(crate) influence: f32,
    /// The name of the rig's own signal.
    pub(crate) processed: StringName,
    /// Whether the scene is being edited, and so may be saved.
    pub(crate) in_editor: bool,
    /// Set when the tree changes under the plan.
    stale: Rc<Cell<bool>>,
    /// Tells that the order of the modifiers, or of a bone's limits, may have changed.
    _watch: Gd<TendonWatch>,
}

impl Plan {
    /// Plans the modifiers below `rig_node` for `skeleton`. `stale` is set as soon as their
    /// order changes.
    pub(crate) fn new(
        rig_node: &Gd<Node>,
        skeleton: Gd<Skeleton2D>,
        stale: &Rc<Cell<bool>>,
    ) -> Self {
        let mut planner = Planner {
            skeleton,
            bones: Vec::new(),
            indices: HashMap::new(),
            limits: Vec::new(),
            crowded: Vec::new(),
            rig: Rig::default(),
        };
        let mut modifiers = Vec::new();
        let mut parents = Vec::new();
        collect_modifiers(rig_node, &mut modifiers, &mut parents);
        let slots = modifiers
            .into_iter()
            .map(|modifier| planner.slot(modifier))
            .collect::<Vec<_>>();
        let slots = planner.settle_tips(slots);
        let watch = TendonWatch::new(stale);
        for parent in parents.iter().chain(&planner.crowded) {
            TendonWatch::listen(&watch, parent, "child_order_changed");
        }
        for aim in slots.iter().flat_map(Slot::aims) {
            // It may come back on another canvas.
            TendonWatch::listen(&watch, aim.node.gd(), "tree_entered");
        }
        planner.shrink();
        let mut plan = Self {
            rig_node: Live::new(rig_node.clone()),
            to_global: None,
            solved_in: None,
            influence: f32::NAN,
            skeleton: Live::new(planner.skeleton),
            bones: planner.bones,
            limits: planner.limits,
            slots,
            rig: planner.rig,
            processed: StringName::from("modification_processed"),
            in_editor: Engine::singleton().is_editor_hint(),
            stale: Rc::clone(stale),
            _watch: watch,
        };
        plan.review_order();
        plan
    }

    /// Whether somebody has told of a change under the plan.
    pub(crate) fn is_known_stale(&self) -> bool {
        self.stale.get()
    }

    /// Whether a modifier that could not be wired might be by now, for a cause that nobody
    /// tells of.
    pub(crate) fn may_heal_unseen(&self) -> bool {
        let slots = self.slots.iter();
        let mut problems = slots.flat_map(|slot| {
            let branches = slot.branches.iter();
            let branches = branches.filter_map(|branch| branch.wired.as_ref().err());
            let own = slot.wired.as_ref().err().into_iter().chain(&slot.flaws);
            own.chain(branches)
        });
        problems.any(Problem::may_heal_unseen)
    }

    /// What is wrong with `node`, a modifier or an effector.
    pub(crate) fn problems_of(&self, node: &Gd<Node>) -> Vec<Problem> {
        let mut subjects = self.subjects().into_iter();
        let subject = subjects.find(|subject| subject.node == *node);
        subject.map_or(Vec::new(), |subject| subject.problems)
    }

    /// Every node that can have problems, with those that it has.
    pub(crate) fn subjects(&self) -> Vec<Subject> {
        let mut subjects = Vec::new();
        for slot in &self.slots {
            if slot.node.alive().is_some() {
                subjects.push(Subject {
                    node: slot.node.gd().clone(),
                    result: Rc::clone(&slot.result),
                    problems: slot.problems().cloned().collect(),
                });
            }
            subjects.extend(slot.branches.iter().filter_map(Branch::subject));
        }
        subjects
    }

    /// Tells of every problem that `old` did not have: in the editor by configuration warnings,
    /// in a game by one line in the log for each cause.
    pub(crate) fn report_problems(&self, old: Option<&Plan>, in_editor: bool) {
        self.limits.iter().for_each(PlannedLimit::report_others);
        for subject in self.subjects() {
            if !in_editor {
                subject.complain();
            } else if old.map_or(Vec::new(), |old| old.problems_of(&subject.node))
                != subject.problems
            {
                // Deferred: the editor asks for the warnings at once, and this plan is not the
                // rig's yet.
                let mut node = subject.node;
                node.call_deferred("update_configuration_warnings", &[]);
            }
        }
    }

    /// The index of a bone that the plan knows.
    pub(crate) fn index_of(&self, bone: InstanceId) -> Option<usize> {
        self.bones
            .iter()
            .position(|planned| planned.node.id() == bone)
    }
}

/// A node that can have problems.
pub(crate) struct Subject {
    pub(crate) node: Gd<Node>,
    /// Remembers what has been told.
    pub(crate) result: Rc<Cell<PassResult>>,
    pub(crate) problems: Vec<Problem>,
}

impl Subject {
    /// Warns of each cause that was not warned of before.
    pub(crate) fn complain(self) {
        for problem in &self.problems {
            let is_news = PassResult::update(&self.result, |result| result.is_news(problem));
            // Whoever listens to the log may free nodes.
            if is_news && self.node.is_instance_valid() {
                complain(&self.node, problem);
            }
        }
    }
}

/// The modifiers below `node`, in tree order, and all nodes whose children were looked at.
fn collect_modifiers(node: &Gd<Node>, found: &mut Vec<ModifierNode>, seen: &mut Vec<Gd<Node>>) {
    seen.push(node.clone());
    for child in node.get_children().iter_shared() {
        if let Ok(modifier) = child.clone().try_dynify::<dyn Modifier>() {
            found.push(modifier);
        }
        collect_modifiers(&child, found, seen);
    }
}

/// A plan in the making.
pub(crate) struct Planner {
    skeleton: Gd<Skeleton2D>,
    bones: Vec<PlannedBone>,
    indices: HashMap<InstanceId, usize>,
    limits: Vec<PlannedLimit>,
    /// Bones with several limits, the first of which counts.
    crowded: Vec<Gd<Node>>,
    pub(crate) rig: Rig,
}

/// A modifier whose nodes are found.
pub(crate) struct Found {
    pub(crate) ends: Ends,
    pole: Option<Aim>,
    headed: Option<usize>,
    pub(crate) joints: Vec<usize>,
    flaws: Vec<Problem>,
}

impl Planner {
    fn slot(&mut self, modifier: ModifierNode) -> Slot {
        let bound = modifier.dyn_bind();
        let wiring = bound.wiring();
        let print = wiring.print();
        let settings = bound.settings();
        let read = bound.reader();
        let result = Rc::clone(bound.result());
        let mut flaws = Vec::new();
        let root = self.root(&wiring);
        let effectors = effectors_of(&modifier).into_iter();
        let branches: Vec<_> = effectors
            .map(|effector| self.branch(effector, root, wiring.stretches))
            .collect();
        let is_led = branches.iter().any(|branch| branch.wired.is_ok());
        let wired = self.wire(&wiring, root, is_led).map(|found| {
            let solved = Solved::new(settings.solver, found.joints);
            self.rig.modifiers.push(solved);
            flaws = found.flaws;
            Wired {
                ends: found.ends,
                pole: found.pole,
                headed: found.headed,
                index: self.rig.modifiers.len() - 1,
            }
        });
        let obstacles = self.watch_all(&wiring, root);
        drop(bound);
        if let Ok(wired) = &wired {
            self.grow(wired.index, &branches);
        }
        Slot {
            node: Live::new((*modifier).clone()),
            modifier,
            result,
            read,
            settings,
            print,
            wired,
            flaws,
            branches,
            obstacles,
        }
    }

    /// The index of the uppermost bone that the modifier turns, if it is set well.
    fn root(&mut self, wiring: &Wiring<'_>) -> Option<usize> {
        let (root, _) = wiring.joints.slots();
        self.slot_bone(root).map(|(_, root)| root).ok()
    }

    /// The nodes of a modifier or effector whose uppermost bone is `root`. One that `is_led` by
    /// other tips can do without a target.
    pub(crate) fn wire(
        &mut self,
        wiring: &Wiring<'_>,
        root: Option<usize>,
        is_led: bool,
    ) -> Result<Found, Problem> {
        let (bone, joints) = self.joints(wiring.joints)?;
        self.refuse_top_level(joints.last().copied())?;
        let last = joints.last().copied().unwrap_or_default();
        let tip = self.tip(wiring.tip, &bone, &joints)?;
        let tip_bone = bone_at(&tip, &bone)
            .filter(|_| wiring.needs_tip_bone())
            .and_then(|bone| self.index(&bone));
        let headed = match wiring.joints {
            _ if !wiring.matches_rotation => None,
            Joints::Two(..) => tip_bone,
            Joints::One(_) | Joints::Line(..) => Some(last),
        };
        let mut flaws = Vec::new();
        if wiring.matches_rotation && headed.is_none() {
            flaws.push(Problem::NoBoneAtTip);
        }
        flaws.extend(beside_child(wiring, &bone));
        let target = match self.target(wiring, root) {
            Err(Problem::NoTarget) if is_led => None,
            Err(problem @ Problem::TargetOutside { .. }) if is_led => {
                flaws.push(problem);
                None
            }
            target => Some(Aim::new(target?, &self.skeleton)),
        };
        let pole = wiring.pole.and_then(Link::get);
        if let Some(pole) = &pole
            && self.is_carried(pole, root)
        {
            return Err(Problem::PoleOnChain {
                pole: pole.get_name().to_string(),
            });
        }
        Ok(Found {
            headed: headed.filter(|_| target.is_some()),
            ends: Ends { tip, last, target },
            pole: pole.map(|pole| Aim::new(pole, &self.skeleton)),
            joints,
            flaws,
        })
    }

    /// A top-level bone does not move with the bones above it.
    fn refuse_top_level(&self, last: Option<usize>) -> Result<(), Problem> {
        let mut line = last.into_iter().flat_map(|last| self.upwards(last));
        match line.find(|&index| self.bones[index].is_top_level) {
            Some(index) => Err(Problem::TopLevelBone {
                bone: self.bones[index].node.gd().get_name().to_string(),
            }),
            None => Ok(()),
        }
    }

    /// The target, if it is somewhere that the bones below `root` can reach for.
    fn target(&mut self, wiring: &Wiring<'_>, root: Option<usize>) -> Result<Gd<Node2D>, Problem> {
        let node = wiring.target.get().ok_or(Problem::NoTarget)?;
        let target = node.get_name().to_string();
        if !node.is_inside_tree() {
            Err(Problem::TargetOutside { target })
        } else if self.is_carried(&node, root) {
            Err(Problem::TargetOnChain { target })
        } else {
            Ok(node)
        }
    }

    /// Whether `node` hangs on the bone `root` or below it.
    pub(crate) fn is_carried(&mut self, node: &Gd<Node2D>, root: Option<usize>) -> bool {
        let carrier = self.carrier(node).zip(root);
        carrier.is_some_and(|(carrier, root)| self.hangs_below(carrier, root))
    }

    /// Gives back the memory that planning did not need: a crowd has many plans.
    fn shrink(&mut self) {
        self.bones.shrink_to_fit();
        self.rig.bones.shrink_to_fit();
        self.rig.modifiers.shrink_to_fit();
    }

    /// Has the tips that are bones of the plan be read from it: the nodes themselves may hold
    /// what the rig wrote.
    fn settle_tips(&self, mut slots: Vec<Slot>) -> Vec<Slot> {
        for slot in &mut slots {
            let own = slot.wired.iter_mut().map(|wired| &mut wired.ends);
            let branches = slot.branches.iter_mut();
            let branches = branches.filter_map(|branch| branch.wired.as_mut().ok());
            own.chain(branches).for_each(|ends| self.settle_tip(ends));
        }
        slots
    }

    fn settle_tip(&self, ends: &mut Ends) {
        let (id, above) = match &ends.tip {
            TipSource::Node(node) => (node.id(), None),
            TipSource::Child { child, above } => (child.id(), Some(above.gd())),
            TipSource::Bone { .. } | TipSource::Axis { .. } => return,
        };
        if let Some(&index) = self.indices.get(&id)
            && self.rig.bones[index].parent == Some(ends.last)
        {
            let above = above.cloned().map(Live::new);
            ends.tip = TipSource::Bone { index, above };
        }
    }

    /// The last joint's bone and all joints' indices.
    fn joints(&mut self, joints: Joints<'_>) -> Result<(Gd<Bone2D>, Vec<usize>), Problem> {
        let (root_slot, tip_slot) = joints.slots();
        let (root, root_index) = self.slot_bone(root_slot)?;
        let Some(tip_slot) = tip_slot else {
            return Ok((root, vec![root_index]));
        };
        let (tip, tip_index) = self.slot_bone(tip_slot)?;
        let apart = root_index != tip_index || matches!(joints, Joints::Line(..));
        if !apart || !self.hangs_below(tip_index, root_index) {
            return Err(Problem::NotOneLine {
                upper: root_slot.0,
                lower: tip_slot.0,
            });
        }
        let indices = match joints {
            Joints::Line(..) => {
                let mut line: Vec<_> = self
                    .upwards(tip_index)
                    .take_while(|&index| index != root_index)
                    .collect();
                line.push(root_index);
                line.reverse();
                line
            }
            Joints::One(_) | Joints::Two(..) => vec![root_index, tip_index],
        };
        Ok((tip, indices))
    }

    pub(crate) fn slot_bone(
        &mut self,
        (property, link): BoneSlot<'_>,
    ) -> Result<(Gd<Bone2D>, usize), Problem> {
        let bone = link.get().ok_or(Problem::NoBone { property })?;
        match self.index(&bone) {
            Some(index) => Ok((bone, index)),
            None => Err(Problem::ForeignBone {
                property,
                bone: bone.get_name().to_string(),
            }),
        }
    }

    fn tip(
        &mut self,
        link: Option<&Link<Node2D>>,
        last: &Gd<Bone2D>,
        joints: &[usize],
    ) -> Result<TipSource, Problem> {
        let Some(node) = link.and_then(Link::get) else {
            let child = last
                .get_children()
                .iter_shared()
                .find_map(|child| child.try_cast::<Bone2D>().ok());
            let bone = Live::new(last.clone());
            let has_child = child.is_some();
            return Ok(match child {
                Some(child) if last.get_autocalculate_length_and_angle() => TipSource::Child {
                    child: Live::new(child),
                    above: bone,
                },
                _ => TipSource::Axis { bone, has_child },
            });
        };
        let carrier = self.carrier(&node);
        let ends = carrier.zip(joints.last().copied());
        if ends.is_some_and(|(carrier, last)| self.hangs_below(carrier, last)) {
            Ok(TipSource::Node(Live::new(node)))
        } else {
            Err(Problem::TipElsewhere {
                tip: node.get_name().to_string(),
            })
        }
    }

    /// The index of the bone that carries `node`, if a bone of the skeleton does.
    fn carrier(&mut self, node: &Gd<Node2D>) -> Option<usize> {
        let carried = Carried::find(node, &self.skeleton);
        let bone = carried.bone.and_then(|bone| self.index(&bone))?;
        let is_loose = self
            .upwards(bone)
            .any(|index| self.bones[index].is_top_level);
        (!is_loose).then_some(bone)
    }

    /// The index of `bone`, which becomes part of the plan with all bones above it; `None` if
    /// it is not a bone of the skeleton.
    fn index(&mut self, bone: &Gd<Bone2D>) -> Option<usize> {
        let id = bone.instance_id();
        if let Some(&index) = self.indices.get(&id) {
            return Some(index);
        }
        let parent = bone.get_parent()?;
        let parent = if parent.instance_id() == self.skeleton.instance_id() {
            None
        } else {
            Some(self.index(&parent.try_cast::<Bone2D>().ok()?)?)
        };
        let index = self.bones.len();
        self.indices.insert(id, index);
        self.bones.push(PlannedBone {
            node: Live::new(bone.clone()),
            base_pose: BasePose::default(),
            present: 0.0,
            place: Vec2::ZERO,
            seen: Seen::Never,
            is_known: false,
            is_top_level: bone.is_set_as_top_level(),
        });
        self.rig.bones.push(Bone::below(parent));
        self.limits.extend(PlannedLimit::find(bone, index));
        if limits_of(bone).nth(1).is_some() {
            self.crowded.push(bone.clone().upcast());
        }
        Some(index)
    }

    /// `index` and the bones above it, upwards.
    pub(crate) fn upwards(&self, index: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(Some(index), |&index| self.rig.bones[index].parent)
    }

    /// Whether `bone` is `above` or hangs below it.
    pub(crate) fn hangs_below(&self, bone: usize, above: usize) -> bool {
        self.upwards(bone).any(|index| index == above)
    }
}

/// What is wrong with a chain that would end at its own last bone's length and angle, `last`, and
/// not at that bone's child.
fn beside_child(wiring: &Wiring<'_>, last: &Gd<Bone2D>) -> Option<Problem> {
    if wiring.tip?.get().is_some() || last.get_autocalculate_length_and_angle() {
        return None;
    }
    let children = last.get_children();
    let child = children
        .iter_shared()
        .find_map(|child| child.try_cast::<Bone2D>().ok())?;
    ends_beside(last, &child).then(|| Problem::EndBesideChild {
        bone: last.get_name().to_string(),
        child: child.get_name().to_string(),
    })
}

/// Whether `bone` ends elsewhere than at its first `child`, by a length and an angle that were set
/// by hand.
pub(crate) fn ends_beside(bone: &Gd<Bone2D>, child: &Gd<Bone2D>) -> bool {
    let end = Vector2::from_angle(bone.get_bone_angle()) * bone.get_length();
    let gap = end.distance_to(child.get_position());
    !bone.get_autocalculate_length_and_angle() && gap > BESIDE * child.get_position().length()
}

/// The part of a bone's length by which it may end beside its child bone without a word.
const BESIDE: f32 = 0.02;

/// The bone that begins where a chain ends, as a child of the chain's bone `last`.
fn bone_at(tip: &TipSource, last: &Gd<Bone2D>) -> Option<Gd<Bone2D>> {
    let bone = match tip {
        TipSource::Node(node) => node.gd().clone().try_cast::<Bone2D>().ok()?,
        TipSource::Child { child, .. } => child.gd().clone(),
        TipSource::Bone { .. } | TipSource::Axis { .. } => return None,
    };
    let parent = bone.get_parent()?;
    (parent.instance_id() == last.instance_id()).then_some(bone)
}
