//! From nodes to indices: which bones a rig has to know, and which of them each modifier turns.
//!
//! A plan is made when something about the tree or the properties has changed, never per
//! frame. It names every node that a pass will touch; the pass checks that they are alive.

use std::cell::Cell;
use std::collections::HashMap;
use std::rc::Rc;

use godot::classes::{Bone2D, Skeleton2D};
use godot::obj::DynGd;
use godot::prelude::*;
use godot::signal::ConnectHandle;
use tendon_solver::glam::{Affine2, Vec2};
use tendon_solver::{Bone, Modifier as Solved, Rig};

use crate::base_pose::BasePose;
use crate::engine::Live;
use crate::joint_limit::PlannedLimit;
use crate::link::Link;
use crate::modifier::{Modifier, PassResult, Reader, Settings};
use crate::problem::{Problem, complain};
use crate::wiring::{BoneSlot, Joints, Print, Wiring};

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

/// What a modifier needs of each pass.
pub(crate) struct Wired {
    pub(crate) tip: TipSource,
    pub(crate) target: Live<Node2D>,
    pub(crate) pole: Option<Live<Node2D>>,
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
    pub(crate) flaw: Option<Problem>,
}

impl Slot {
    pub(crate) fn problem(&self) -> Option<&Problem> {
        self.wired.as_ref().err().or(self.flaw.as_ref())
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
    /// The rig's own influence in the last pass.
    pub(crate) influence: f32,
    /// The name of the rig's own signal.
    pub(crate) processed: StringName,
    /// Set when the tree changes under the plan.
    stale: Rc<Cell<bool>>,
    /// Tells that the order of the modifiers may have changed.
    order: Vec<ConnectHandle>,
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
            rig: Rig::default(),
        };
        let mut modifiers = Vec::new();
        let mut parents = Vec::new();
        collect_modifiers(rig_node, &mut modifiers, &mut parents);
        let order = parents
            .iter()
            .map(|parent| {
                let stale = Rc::clone(stale);
                let signal = parent.signals().child_order_changed();
                signal.connect(move || stale.set(true))
            })
            .collect();
        let slots = modifiers
            .into_iter()
            .map(|modifier| planner.slot(modifier))
            .collect::<Vec<_>>();
        let slots = planner.settle_tips(slots);
        Self {
            rig_node: Live::new(rig_node.clone()),
            to_global: None,
            influence: f32::NAN,
            skeleton: Live::new(planner.skeleton),
            bones: planner.bones,
            limits: planner.limits,
            slots,
            rig: planner.rig,
            processed: StringName::from("modification_processed"),
            stale: Rc::clone(stale),
            order,
        }
    }

    /// Whether somebody has told of a change under the plan.
    pub(crate) fn is_known_stale(&self) -> bool {
        self.stale.get()
    }

    /// Whether a modifier that could not be wired might be by now, for a cause that nobody
    /// tells of.
    pub(crate) fn may_heal_unseen(&self) -> bool {
        let mut problems = self
            .slots
            .iter()
            .filter_map(|slot| slot.wired.as_ref().err());
        problems.any(Problem::may_heal_unseen)
    }

    /// What keeps `modifier` from working.
    pub(crate) fn problem_of(&self, modifier: &Gd<Node>) -> Option<Problem> {
        let id = modifier.instance_id();
        let mut slots = self.slots.iter();
        let slot = slots.find(|slot| slot.modifier.instance_id_unchecked() == id)?;
        slot.problem().cloned()
    }

    /// Tells of every problem that `old` did not have: in the editor by configuration warnings,
    /// in a game by one line in the log for each cause.
    pub(crate) fn report_problems(&mut self, old: Option<&Plan>, in_editor: bool) {
        for slot in &mut self.slots {
            let problem = slot.problem();
            let node = (*slot.modifier).clone();
            if in_editor {
                if old.and_then(|old| old.problem_of(&node)).as_ref() != problem {
                    // Deferred: the editor asks for the warnings at once, and this plan is not
                    // the rig's yet.
                    node.clone()
                        .call_deferred("update_configuration_warnings", &[]);
                }
            } else if let Some(problem) = problem {
                let is_news = PassResult::update(&slot.result, |result| result.is_news(problem));
                if is_news {
                    complain(&node, problem);
                }
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

impl Drop for Plan {
    fn drop(&mut self) {
        for connection in self.order.drain(..) {
            if connection.is_connected() {
                connection.disconnect();
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
struct Planner {
    skeleton: Gd<Skeleton2D>,
    bones: Vec<PlannedBone>,
    indices: HashMap<InstanceId, usize>,
    limits: Vec<PlannedLimit>,
    rig: Rig,
}

/// A modifier whose nodes are found.
struct Found {
    tip: TipSource,
    target: Gd<Node2D>,
    pole: Option<Gd<Node2D>>,
    headed: Option<usize>,
    joints: Vec<usize>,
    flaw: Option<Problem>,
}

impl Planner {
    fn slot(&mut self, modifier: ModifierNode) -> Slot {
        let bound = modifier.dyn_bind();
        let wiring = bound.wiring();
        let print = wiring.print();
        let settings = bound.settings();
        let read = bound.reader();
        let result = Rc::clone(bound.result());
        let mut flaw = None;
        let wired = self.wire(&wiring).map(|found| {
            let solved = Solved::new(settings.solver, found.joints);
            self.rig.modifiers.push(solved);
            flaw = found.flaw;
            Wired {
                tip: found.tip,
                target: Live::new(found.target),
                pole: found.pole.map(Live::new),
                headed: found.headed,
                index: self.rig.modifiers.len() - 1,
            }
        });
        drop(bound);
        Slot {
            node: Live::new((*modifier).clone()),
            modifier,
            result,
            read,
            settings,
            print,
            wired,
            flaw,
        }
    }

    fn wire(&mut self, wiring: &Wiring<'_>) -> Result<Found, Problem> {
        let (last, joints) = self.joints(wiring.joints)?;
        let tip = self.tip(wiring.tip, &last, &joints)?;
        let tip_bone = bone_at(&tip, &last)
            .filter(|_| wiring.needs_tip_bone())
            .and_then(|bone| self.index(&bone));
        let headed = match wiring.joints {
            _ if !wiring.matches_rotation => None,
            Joints::Two(..) => tip_bone,
            Joints::One(_) | Joints::Line(..) => joints.last().copied(),
        };
        let flaw = (wiring.matches_rotation && headed.is_none()).then_some(Problem::NoBoneAtTip);
        let target = wiring.target.get().ok_or(Problem::NoTarget)?;
        if !target.is_inside_tree() {
            return Err(Problem::TargetOutside {
                target: target.get_name().to_string(),
            });
        }
        if let Some(carrier) = self.carrier(&target)
            && self.hangs_below(carrier, joints[0])
        {
            return Err(Problem::TargetOnChain {
                target: target.get_name().to_string(),
            });
        }
        let pole = wiring.pole.and_then(Link::get);
        if let Some(pole) = &pole
            && let Some(carrier) = self.carrier(pole)
            && self.hangs_below(carrier, joints[0])
        {
            return Err(Problem::PoleOnChain {
                pole: pole.get_name().to_string(),
            });
        }
        Ok(Found {
            tip,
            target,
            pole,
            headed,
            joints,
            flaw,
        })
    }

    /// Has the tips that are bones of the plan be read from it: the nodes themselves may hold
    /// what the rig wrote.
    fn settle_tips(&self, mut slots: Vec<Slot>) -> Vec<Slot> {
        for slot in &mut slots {
            let Ok(wired) = &mut slot.wired else {
                continue;
            };
            let (id, above) = match &wired.tip {
                TipSource::Node(node) => (node.id(), None),
                TipSource::Child { child, above } => (child.id(), Some(above.gd())),
                TipSource::Bone { .. } | TipSource::Axis { .. } => continue,
            };
            let last = self.rig.modifiers[wired.index].joints.last().copied();
            if let Some(&index) = self.indices.get(&id)
                && self.rig.bones[index].parent == last
            {
                let above = above.cloned().map(Live::new);
                wired.tip = TipSource::Bone { index, above };
            }
        }
        slots
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

    fn slot_bone(
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
        carried.bone.and_then(|bone| self.index(&bone))
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
        });
        self.rig.bones.push(Bone::below(parent));
        self.limits.extend(PlannedLimit::find(bone, index));
        Some(index)
    }

    /// `index` and the bones above it, upwards.
    fn upwards(&self, index: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(Some(index), |&index| self.rig.bones[index].parent)
    }

    /// Whether `bone` is `above` or hangs below it.
    fn hangs_below(&self, bone: usize, above: usize) -> bool {
        self.upwards(bone).any(|index| index == above)
    }
}

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

/// Whether `bone` is one of the skeleton's own: nothing but bones between the two.
fn belongs_to(bone: &Gd<Bone2D>, skeleton: &Gd<Skeleton2D>) -> bool {
    let mut next = bone.get_parent();
    while let Some(parent) = next {
        if parent.instance_id() == skeleton.instance_id() {
            return true;
        }
        next = match parent.try_cast::<Bone2D>() {
            Ok(bone) => bone.get_parent(),
            Err(_) => return false,
        };
    }
    false
}

/// How a node hangs on the skeleton: on which bone, and where in that bone's frame.
///
/// Read from local transforms only. Global ones would hold last frame's solved pose, and
/// taking it out again would cost the last bits that make a still rig still.
pub(crate) struct Carried {
    /// The bone that carries the node; `None` for one that the skeleton itself carries.
    pub(crate) bone: Option<Gd<Bone2D>>,
    /// Position in the bone's frame, or in the skeleton's; `None` if the skeleton does not
    /// carry the node.
    pub(crate) position: Option<Vector2>,
    /// The node's X axis in the same frame.
    pub(crate) axis: Vector2,
    /// Which bone the node itself is, if it is one of the skeleton's.
    pub(crate) own: Option<InstanceId>,
}

impl Carried {
    const FREE: Self = Self {
        bone: None,
        position: None,
        axis: Vector2::RIGHT,
        own: None,
    };

    /// Climbs from `node` to the first bone of `skeleton` or to the skeleton itself.
    pub(crate) fn find(node: &Gd<Node2D>, skeleton: &Gd<Skeleton2D>) -> Self {
        if !skeleton.is_ancestor_of(node) {
            return Self::FREE;
        }
        let Transform2D {
            a: mut axis,
            origin: mut position,
            ..
        } = node.get_transform();
        let mut below = node.clone();
        let own = |bone: &Gd<Node2D>| {
            let is_own = bone == node && bone.clone().try_cast::<Bone2D>().is_ok();
            is_own.then(|| node.instance_id())
        };
        loop {
            if below.is_set_as_top_level() {
                return Self::FREE;
            }
            let Some(parent) = below.get_parent() else {
                return Self::FREE;
            };
            if parent.instance_id() == skeleton.instance_id() {
                return Self {
                    bone: None,
                    position: Some(position),
                    axis,
                    own: own(&below),
                };
            }
            let Ok(parent) = parent.try_cast::<Node2D>() else {
                return Self::FREE;
            };
            if let Ok(bone) = parent.clone().try_cast::<Bone2D>()
                && belongs_to(&bone, skeleton)
            {
                return Self {
                    bone: Some(bone),
                    position: Some(position),
                    axis,
                    own: own(&below),
                };
            }
            let frame = parent.get_transform();
            position = frame * position;
            axis = frame.basis_xform(axis);
            below = parent;
        }
    }
}
