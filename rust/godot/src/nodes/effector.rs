//! `TendonEffector2D`: a further tip of a FABRIK modifier.

use std::cell::Cell;

use godot::classes::{Bone2D, Engine};
use godot::prelude::*;

use crate::engine::link::Link;
use crate::nodes::modifier::{mark_plan_stale, warnings_of};
use crate::plan::effector::{Effector, ReadableEffector, is_new_problem, readable};
use crate::plan::modifier::Modifier;
use crate::plan::references::{Joints, References};
use crate::plan::result::{PassResult, Subject};
use crate::warnings::problem::Problem;

/// A further tip for a [TendonFABRIK2D], with its own target.
///
/// Use it for a spine that follows two hands, or for a palm with five fingers. Add it as a child of
/// the [TendonFABRIK2D]. All bones from [member TendonFABRIK2D.root_bone] to
/// [member TendonFABRIK2D.tip_bone], and to the [member tip_bone] of each effector, then bend
/// together.
///
/// If not all targets can be reached, the pose is the best compromise between them. An effector
/// with a larger [member weight] comes nearer to its target than one with a smaller weight. The
/// tip of the [TendonFABRIK2D] itself has a weight of `1.0`. Its status is reached if every tip
/// that has a target has reached it.
///
/// An effector without a target is ignored. Its branch follows the rest of the tree.
///
/// This script lets go with one hand when it cannot reach:
///
/// ```gdscript
/// func let_go() -> void:
///     var hand: TendonEffector2D = $Skeleton2D/TendonRig2D/SpineFABRIK/LeftHand
///     if hand.get_target_distance() > 20.0:
///         hand.weight = 0.0
/// ```
///
/// Tutorial: the scene `scenes/torso/torso.tscn` of the demo project.
#[derive(GodotClass)]
#[class(tool, init, base = Node)]
pub struct TendonEffector2D {
    /// The last bone of the branch. It must be a descendant of
    /// [member TendonFABRIK2D.root_bone], or the same bone. Without it the effector is ignored.
    #[export]
    tip_bone: Link<Bone2D>,
    /// The point that reaches the target: any node below [member tip_bone]. If empty, the end of
    /// [member tip_bone] is used.
    #[export]
    tip: Link<Node2D>,
    /// The node to reach for. It can be anywhere in the scene, but not below a bone that the
    /// [TendonFABRIK2D] moves. Without a target the effector is ignored.
    #[export]
    target: Link<Node2D>,
    /// How much this tip counts, compared with the others, if not all of them can reach their
    /// targets. The default, `1.0`, counts as much as the tip of the [TendonFABRIK2D]. At `0.0` the
    /// tip is ignored. Lower it for a tip that matters less, or animate it to let go.
    #[export(range = (0.0, 1.0, 0.001))]
    #[init(val = 1.0)]
    weight: f32,
    result: Cell<PassResult>,
    base: Base<Node>,
}

#[godot_api]
impl TendonEffector2D {
    /// Returns the distance between the tip and the target after the last pass, in the units of the
    /// skeleton: pixels, unless the skeleton is scaled. Returns infinity while the effector is not
    /// solved.
    #[func]
    fn get_target_distance(&self) -> f32 {
        self.result.get().distance
    }

    /// Returns the position of the tip after the last pass, in global coordinates.
    #[func]
    fn get_tip_position(&self) -> Vector2 {
        self.result.get().tip
    }
}

#[godot_api]
impl INode for TendonEffector2D {
    #[func(gd_self)]
    fn enter_tree(this: Gd<Self>) {
        mark_plan_stale(&this.clone().upcast());
        if is_misplaced(&this) && !Engine::singleton().is_editor_hint() {
            let subject = Subject {
                node: this.upcast(),
                is_new: is_new_problem,
                problems: vec![Problem::EffectorElsewhere],
            };
            subject.warn();
        }
    }

    #[func(gd_self)]
    fn exit_tree(this: Gd<Self>) {
        PassResult::update(&this.bind().result, PassResult::go_idle);
        mark_plan_stale(&this.upcast());
    }

    #[func(gd_self)]
    fn get_configuration_warnings(this: Gd<Self>) -> PackedStringArray {
        warnings_of_effector(&this)
    }
}

impl TendonEffector2D {
    /// The distance that was left after the last pass, in the skeleton's units; infinite before.
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

    fn result(&self) -> &Cell<PassResult> {
        &self.result
    }

    fn readable(&self) -> ReadableEffector {
        readable(self.to_gd())
    }
}

/// The configuration warnings of `effector`.
pub(crate) fn warnings_of_effector(effector: &Gd<TendonEffector2D>) -> PackedStringArray {
    if is_misplaced(effector) {
        let advice = Problem::EffectorElsewhere.to_string();
        return PackedStringArray::from([GString::from(&advice)]);
    }
    warnings_of(&effector.clone().upcast())
}

/// Whether the parent of `effector` is not a modifier that takes effectors.
fn is_misplaced(effector: &Gd<TendonEffector2D>) -> bool {
    let parent = effector.get_parent();
    let parent = parent.and_then(|parent| parent.try_dynify::<dyn Modifier>().ok());
    parent.is_none_or(|parent| !parent.dyn_bind().takes_effectors())
}
