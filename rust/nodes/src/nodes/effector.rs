//! `TendonEffector2D`: a further tip of a FABRIK modifier.

use std::cell::Cell;

use godot::classes::Bone2D;
use godot::prelude::*;
use tendon_solver::glam::Affine2;
use tendon_solver::math::interval::clamp01;
use tendon_solver::{Effector, Rig};

use crate::engine::link::Link;
use crate::engine::notifications::Notified;
use crate::engine::readable::Readable;
use crate::engine::shared::Shared;
use crate::engine::space::to_godot;
use crate::nodes::modifier::{in_words, mark_plan_stale, warnings_of};
use crate::plan::bones::Bones;
use crate::plan::chain::{ChainProperties, ChainReferences, Joints};
use crate::plan::child::PlannedChild;
use crate::plan::locate::{Gather, Stale};
use crate::plan::mention::Mention;
use crate::plan::modifier::Modifier;
use crate::plan::result::{PassResult, Subject};
use crate::plan::target::Target;
use crate::plan::tip::Tip;
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
    #[var(set = set_weight)]
    #[init(val = 1.0)]
    weight: f32,
    result: Shared<Cell<PassResult>>,
    base: Base<Node>,
}

#[godot_api]
impl TendonEffector2D {
    #[func]
    fn set_weight(&mut self, weight: f32) {
        self.weight = clamp01(weight);
    }

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
    fn get_configuration_warnings(this: Gd<Self>) -> PackedStringArray {
        warnings_of_effector(&this)
    }
}

impl Notified for TendonEffector2D {
    fn on_enter_tree(this: Gd<Self>) {
        mark_plan_stale(&this.clone().upcast());
        if is_misplaced(&this) {
            let result = this.bind().result.clone();
            Subject::warn_of_place(this.upcast(), result, Problem::EffectorElsewhere);
        }
    }

    fn on_exit_tree(this: Gd<Self>) {
        PassResult::update(&this.bind().result, PassResult::go_idle);
        mark_plan_stale(&this.upcast());
    }
}

impl TendonEffector2D {
    /// The distance that was left after the last pass, in the skeleton's units; infinite before.
    pub fn distance(&self) -> f32 {
        self.result.get().distance
    }

    fn chain(&self) -> ChainProperties<'_> {
        ChainProperties {
            joints: Joints::One(("tip_bone", &self.tip_bone)),
            tip: Some(&self.tip),
            moves_tip_bone: false,
        }
    }

    fn references(&self) -> References {
        (self.chain().references(), self.target.id())
    }

    /// Finds the tip, on a bone below `root`, and the target. `stretches` says whether the tree does.
    fn find(
        &self,
        bones: &mut Bones,
        root: Option<usize>,
        stretches: bool,
    ) -> Result<Ends, Problem> {
        let (bone, index) = bones.bone_in(("tip_bone", &self.tip_bone))?;
        if root.is_some_and(|root| !bones.is_at_or_below(index, root)) {
            return Err(Problem::NotBelowRoot {
                bone: bone.get_name().to_string(),
            });
        }
        let chain = ChainProperties {
            moves_tip_bone: stretches,
            ..self.chain()
        };
        let tip = chain.find(bones)?.tip;
        let target = Target::find(bones, &self.target, root)?;
        Ok(Ends { tip, target })
    }
}

/// What the properties of an effector are set to.
type References = (ChainReferences, Option<InstanceId>);

/// An effector of the plan.
pub(super) struct PlannedEffector {
    node: Readable<TendonEffector2D>,
    /// What its properties were set to when the plan was made.
    references: References,
    weight: Cell<f32>,
    result: Shared<Cell<PassResult>>,
    ends: Result<Ends, Problem>,
}

/// A tip, and what it is brought to.
struct Ends {
    tip: Tip,
    target: Target,
}

impl PlannedEffector {
    /// Plans `effector` of the tree whose root is the bone `root`. `stretches` says whether the tree
    /// does.
    pub(super) fn new(
        bones: &mut Bones,
        effector: &Gd<TendonEffector2D>,
        root: Option<usize>,
        stretches: bool,
    ) -> Self {
        let own = effector.bind();
        Self {
            node: Readable::new(effector.clone()),
            references: own.references(),
            weight: Cell::new(0.0),
            result: own.result.clone(),
            ends: own.find(bones, root, stretches),
        }
    }

    /// Index of the bone that carries its tip, if it is not to be ignored.
    pub(super) fn last(&self) -> Option<usize> {
        self.ends.as_ref().ok().map(|ends| ends.tip.last)
    }

    /// The effector for the solver. `None` if it is ignored.
    pub(super) fn read(&self, from: &Gather<'_>) -> Result<Option<Effector>, Stale> {
        if !self.is_current() {
            return Err(Stale);
        }
        let Ok(ends) = &self.ends else {
            return Ok(None);
        };
        let target = ends.target.locate(from)?;
        Ok(Some(Effector {
            end: ends.tip.locate(from)?,
            target: target.point(),
            weight: clamp01(self.weight.get()),
        }))
    }

    pub(super) fn mentions(&self) -> impl Iterator<Item = Mention<'_>> {
        let target = self.ends.iter().filter_map(|ends| ends.target.mention());
        target.chain([Mention::Node(self.node.id())])
    }

    /// Takes over how far its tip is from its target, and where it is.
    pub(super) fn publish(&self, solved: &Effector, rig: &Rig, to_global: Affine2) {
        let tip = rig.locate(solved.end.point());
        let distance = tip.distance(rig.locate(solved.target));
        let tip = to_godot(to_global.transform_point2(tip));
        PassResult::update(&self.result, |result| result.set_tip(distance, tip));
    }
}

impl PlannedChild for PlannedEffector {
    fn is_current(&self) -> bool {
        self.node.is_current(|node| {
            self.weight.set(node.weight);
            node.references() == self.references
        })
    }

    fn problem(&self) -> Option<&Problem> {
        self.ends.as_ref().err()
    }

    fn subject(&self) -> Option<Subject> {
        Subject::of(&self.node, &self.result, self.problem())
    }

    fn go_idle(&self) {
        PassResult::update(&self.result, PassResult::go_idle);
    }
}

/// The configuration warnings of `effector`.
pub fn warnings_of_effector(effector: &Gd<TendonEffector2D>) -> PackedStringArray {
    match is_misplaced(effector) {
        true => in_words([Problem::EffectorElsewhere]),
        false => warnings_of(&effector.clone().upcast()),
    }
}

/// Whether the parent of `effector` is not a modifier that takes effectors.
fn is_misplaced(effector: &Gd<TendonEffector2D>) -> bool {
    let parent = effector.get_parent();
    let parent = parent.and_then(|parent| parent.try_dynify::<dyn Modifier>().ok());
    parent.is_none_or(|parent| !parent.dyn_bind().takes_effectors())
}
