//! `TendonEffector2D`: a further tip of a FABRIK modifier, and what a pass makes of it.

use std::cell::Cell;
use std::rc::Rc;

use godot::classes::{Bone2D, Engine};
use godot::prelude::*;
use tendon_solver::Effector;
use tendon_solver::glam::Affine2;

use crate::engine::link::Link;
use crate::engine::live::Live;
use crate::engine::space::to_godot;
use crate::nodes::fabrik::TendonFABRIK2D;
use crate::nodes::modifier::{PassResult, announce, warnings_of};
use crate::pass::{Stale, put, share};
use crate::plan::problem::Problem;
use crate::plan::wiring::{Joints, Print, Wiring};
use crate::plan::{Ends, Plan, Planner, Slot, Subject};

/// A further tip for a [TendonFABRIK2D], with a target of its own.
///
/// Make it a child of the [TendonFABRIK2D]. That node's `root_bone` is the root of a whole tree
/// of bones then: all bones from the root to its own `tip_bone`, and from the root to the
/// `tip_bone` of each effector, bend together. One spine follows two hands so, or one palm five
/// fingers.
///
/// Where the targets cannot all be reached, the pose is the nearest compromise: the sum of
/// [member weight] times squared distance is as small as it can be. The [TendonFABRIK2D]'s own
/// tip counts with a weight of `1.0`. Its status is reached when all tips are that have a target.
///
/// An effector without a target lets go: its branch follows the rest.
#[derive(GodotClass)]
#[class(tool, init, base = Node)]
pub struct TendonEffector2D {
    /// The last bone of the branch. It hangs below the `root_bone` of the [TendonFABRIK2D], or
    /// is the same bone.
    #[export_group(name = "Bones")]
    #[export]
    tip_bone: Link<Bone2D>,
    /// The point that reaches the target: any node below `tip_bone`. If empty, the end of
    /// `tip_bone` is used.
    #[export]
    tip: Link<Node2D>,
    /// What to reach for. It may be anywhere in the scene, but not on a bone that the
    /// [TendonFABRIK2D] moves.
    #[export_group(name = "Target")]
    #[export]
    target: Link<Node2D>,
    /// How much this tip counts beside the others where they cannot all reach their targets.
    /// At `0.0` it does not count at all.
    #[export(range = (0.0, 1.0, 0.001))]
    #[init(val = 1.0)]
    weight: f32,
    result: Rc<Cell<PassResult>>,
    base: Base<Node>,
}

#[godot_api]
impl TendonEffector2D {
    /// What was left between the tip and the target after the last pass, in the skeleton's units
    /// (pixels, unless the skeleton is scaled). Infinite while the effector is not configured.
    #[func]
    fn get_target_distance(&self) -> f32 {
        self.result.get().distance
    }

    /// Where the tip was after the last pass, in global coordinates.
    #[func]
    fn get_tip_position(&self) -> Vector2 {
        self.result.get().tip
    }
}

#[godot_api]
impl INode for TendonEffector2D {
    #[func(gd_self)]
    fn enter_tree(this: Gd<Self>) {
        announce(&this.clone().upcast());
        if is_astray(&this) && !Engine::singleton().is_editor_hint() {
            let result = Rc::clone(&this.bind().result);
            let subject = Subject {
                node: this.upcast(),
                result,
                problems: vec![Problem::EffectorAstray],
            };
            subject.complain();
        }
    }

    #[func(gd_self)]
    fn exit_tree(this: Gd<Self>) {
        let result = Rc::clone(&this.bind().result);
        PassResult::update(&result, PassResult::go_idle);
        announce(&this.upcast());
    }

    #[func(gd_self)]
    fn get_configuration_warnings(this: Gd<Self>) -> PackedStringArray {
        if is_astray(&this) {
            let advice = Problem::EffectorAstray.to_string();
            return PackedStringArray::from([GString::from(&advice)]);
        }
        warnings_of(&this.upcast())
    }
}

impl TendonEffector2D {
    /// What was left after the last pass, in the skeleton's units; infinite while there was none.
    pub(crate) fn distance(&self) -> f32 {
        self.result.get().distance
    }

    fn wiring(&self) -> Wiring<'_> {
        Wiring {
            joints: Joints::One(("tip_bone", &self.tip_bone)),
            tip: Some(&self.tip),
            target: &self.target,
            pole: None,
            matches_rotation: false,
            stretches: false,
            obstacles: None,
        }
    }
}

/// Whether there is no modifier above `effector` that would take it.
fn is_astray(effector: &Gd<TendonEffector2D>) -> bool {
    let parent = effector.get_parent();
    parent.is_none_or(|parent| parent.try_cast::<TendonFABRIK2D>().is_err())
}

/// The effectors that `modifier` takes, in tree order.
pub(crate) fn effectors_of(modifier: &Gd<Node>) -> Vec<Gd<TendonEffector2D>> {
    if modifier.clone().try_cast::<TendonFABRIK2D>().is_err() {
        return Vec::new();
    }
    let children = modifier.get_children();
    let effectors = children
        .iter_shared()
        .filter_map(|child| child.try_cast().ok());
    effectors.collect()
}

/// An effector of the plan.
pub(crate) struct Branch {
    node: Live<TendonEffector2D>,
    /// What the effector's `get_…` functions answer.
    result: Rc<Cell<PassResult>>,
    /// What its properties were set to when the plan was made.
    print: Print,
    pub(crate) wired: Result<Ends, Problem>,
}

impl Branch {
    /// The effector with what is wrong with it, unless it has been freed.
    pub(crate) fn subject(&self) -> Option<Subject> {
        self.node.alive()?;
        Some(Subject {
            node: self.node.gd().clone().upcast(),
            result: Rc::clone(&self.result),
            problems: self.wired.as_ref().err().into_iter().cloned().collect(),
        })
    }

    /// Which node it is.
    pub(crate) fn id(&self) -> InstanceId {
        self.node.id()
    }

    /// Forgets the last pass.
    pub(crate) fn rest(&self) {
        PassResult::update(&self.result, PassResult::go_idle);
    }
}

impl Planner {
    /// Plans an effector of the tree that begins at the bone `root`.
    /// `stretches` says whether the tree does.
    pub(crate) fn branch(
        &mut self,
        effector: Gd<TendonEffector2D>,
        root: Option<usize>,
        stretches: bool,
    ) -> Branch {
        let bound = effector.bind();
        let wiring = bound.wiring();
        let print = wiring.print();
        let wiring = Wiring {
            stretches,
            ..wiring
        };
        let result = Rc::clone(&bound.result);
        let wired = self.wire_branch(&wiring, root);
        drop(bound);
        Branch {
            node: Live::new(effector),
            result,
            print,
            wired,
        }
    }

    fn wire_branch(&mut self, wiring: &Wiring<'_>, root: Option<usize>) -> Result<Ends, Problem> {
        let (bone, index) = self.slot_bone(wiring.joints.slots().0)?;
        if root.is_some_and(|root| !self.hangs_below(index, root)) {
            return Err(Problem::NotBelowRoot {
                bone: bone.get_name().to_string(),
            });
        }
        Ok(self.wire(wiring, root, false)?.ends)
    }

    /// Adds to the joints of a modifier those of its branches, each below one that comes before
    /// it.
    pub(crate) fn grow(&mut self, modifier: usize, branches: &[Branch]) {
        for ends in branches
            .iter()
            .filter_map(|branch| branch.wired.as_ref().ok())
        {
            let joints = &self.rig.modifiers[modifier].joints;
            let is_new = |index: &usize| !joints.contains(index);
            let line: Vec<_> = self.upwards(ends.last).take_while(is_new).collect();
            let joints = &mut self.rig.modifiers[modifier].joints;
            joints.extend(line.into_iter().rev());
        }
    }
}

impl Plan {
    /// Reads the effectors of the modifier in slot `index`. Returns whether that is news.
    pub(crate) fn gather_branches(
        &mut self,
        index: usize,
        from_global: Affine2,
    ) -> Result<bool, Stale> {
        let mut news = false;
        let mut count = 0;
        for number in 0..self.slots[index].branches.len() {
            let slot = &self.slots[index];
            let branch = &slot.branches[number];
            branch.node.alive().ok_or(Stale)?;
            let (print, weight) = {
                let effector = branch.node.gd().bind();
                (effector.wiring().print(), effector.weight)
            };
            if print != branch.print {
                return Err(Stale);
            }
            let (Ok(wired), Ok(ends)) = (&slot.wired, &branch.wired) else {
                continue;
            };
            let target = self.locate_target(ends, wired.index, from_global)?;
            let (target, _) = target.ok_or(Stale)?;
            let effector = Effector {
                tip: self.locate_tip(ends)?,
                tip_bone: ends.tip_bone(),
                target,
                weight: share(weight),
            };
            let effectors = &mut self.rig.modifiers[wired.index].effectors;
            news |= put(effectors, count, effector);
            count += 1;
        }
        Ok(news)
    }

    /// Hands each effector of a modifier what the pass has made of it.
    pub(crate) fn publish_branches(&self, slot: &Slot, to_global: Affine2) {
        let wired = slot.wired.as_ref();
        let effectors = wired.map_or(&[][..], |wired| &self.rig.modifiers[wired.index].effectors);
        let mut effectors = effectors.iter();
        for branch in &slot.branches {
            match branch.wired.as_ref().ok().and_then(|_| effectors.next()) {
                Some(effector) => {
                    let tip = self.rig.locate(effector.tip_point());
                    let distance = tip.distance(self.rig.locate(effector.target));
                    let tip = to_godot(to_global.transform_point2(tip));
                    PassResult::update(&branch.result, |result| result.measure(distance, tip));
                }
                None => branch.rest(),
            }
        }
    }
}
