//! `TendonEffector2D`: a further tip of a FABRIK modifier.

use std::cell::Cell;
use std::rc::Rc;

use godot::classes::{Bone2D, Engine};
use godot::prelude::*;

use crate::engine::link::Link;
use crate::nodes::modifier::{plan_again, warnings_of};
use crate::plan::effector::{Effector, Reader, reader_of};
use crate::plan::modifier::Modifier;
use crate::plan::problem::Problem;
use crate::plan::references::{Joints, References};
use crate::plan::result::{PassResult, Subject};

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
        plan_again(&this.clone().upcast());
        if is_misplaced(&this) && !Engine::singleton().is_editor_hint() {
            let result = Rc::clone(&this.bind().result);
            let subject = Subject {
                node: this.upcast(),
                result,
                problems: vec![Problem::EffectorAstray],
            };
            subject.warn();
        }
    }

    #[func(gd_self)]
    fn exit_tree(this: Gd<Self>) {
        let result = Rc::clone(&this.bind().result);
        PassResult::update(&result, PassResult::go_idle);
        plan_again(&this.upcast());
    }

    #[func(gd_self)]
    fn get_configuration_warnings(this: Gd<Self>) -> PackedStringArray {
        if is_misplaced(&this) {
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
}

#[godot_dyn]
impl Effector for TendonEffector2D {
    fn references(&self) -> References<'_> {
        References {
            tip: Some(&self.tip),
            target: Some(&self.target),
            ..References::new(Joints::One(("tip_bone", &self.tip_bone)))
        }
    }

    fn weight(&self) -> f32 {
        self.weight
    }

    fn result(&self) -> &Rc<Cell<PassResult>> {
        &self.result
    }

    fn reader(&self) -> Reader {
        reader_of(self.to_gd())
    }
}

/// Whether the parent of `effector` is not a modifier that takes effectors.
fn is_misplaced(effector: &Gd<TendonEffector2D>) -> bool {
    let parent = effector.get_parent();
    let parent = parent.and_then(|parent| parent.try_dynify::<dyn Modifier>().ok());
    parent.is_none_or(|parent| !parent.dyn_bind().takes_effectors())
}
