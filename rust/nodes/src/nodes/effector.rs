//! `TendonEffector2D`: a tip of a modifier that has several.

use std::cell::Cell;
use std::hash::Hash;
use std::rc::Rc;

use godot::classes::Bone2D;
use godot::prelude::*;
use tendon_solver::glam::Affine2;
use tendon_solver::math::interval::clamp01;
use tendon_solver::{Effector, FullBody, Modifier as SolverModifier, Rig};

use crate::engine::link::Link;
use crate::engine::notifications::Notified;
use crate::engine::optional::Optional;
use crate::engine::readable::Readable;
use crate::engine::shared::Shared;
use crate::engine::space::to_godot;
use crate::engine::unusable::null;
use crate::nodes::modifier::{in_words, mark_plan_stale, warnings_of};
use crate::nodes::new_names::name_after;
use crate::plan::bones::Bones;
use crate::plan::chain::{ChainProperties, Joints};
use crate::plan::change::{digest, set_list};
use crate::plan::class::{Gathered, PlannedNodes};
use crate::plan::locate::{Gather, Stale};
use crate::plan::modifier::Modifier;
use crate::plan::node_reference::NodeReference;
use crate::plan::result::{PassResult, Subject};
use crate::plan::search::{PlannedChild, Search};
use crate::plan::target::Target;
use crate::plan::tip::BoneTip;
use crate::warnings::problem::Problem;

/// A tip with a target of its own, for a [TendonFABRIK2D] or a [TendonFullBody2D].
///
/// Below a [TendonFullBody2D], effectors are the hands and feet of a body, which moves as a whole. Below
/// a [TendonFABRIK2D], they are further tips: use it for a spine that follows two hands, or for a palm
/// with five fingers. All bones from the [code]root_bone[/code] of that node to the [member tip_bone] of
/// each effector then bend together.
///
/// If not all targets can be reached, the pose is the best compromise between them. An effector
/// with a larger [member weight] comes nearer to its target than one with a smaller weight. The
/// tip of a [TendonFABRIK2D] itself has a weight of `1.0`. Its status is reached if every tip
/// that has a target has reached it.
///
/// An effector without a target is ignored. Its branch follows the rest of the tree, or the animation.
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
/// Tutorial: the scenes `scenes/torso/torso.tscn` and `scenes/climber/climber.tscn` of the demo project.
#[derive(GodotClass)]
#[class(tool, init, base = Node)]
pub struct TendonEffector2D {
    /// The last bone of the branch. It must be a descendant of the [code]root_bone[/code] of the node
    /// above, or the same bone. Without it the effector is ignored.
    #[export]
    tip_bone: Link<Bone2D>,
    /// The point that reaches the target: any node below [member tip_bone]. If empty, the end of
    /// [member tip_bone] is used.
    #[export]
    tip: Link<Node2D>,
    /// The node to reach for. It can be anywhere in the scene, but not below a bone that the
    /// node above moves. Without a target the effector is ignored.
    #[export]
    target: Link<Node2D>,
    /// If `true`, [member tip_bone] takes over the rotation of the target: their X axes point in the
    /// same direction. Use it for a foot that stays flat, or for a hand that holds something. A joint
    /// limit may prevent it. The default is `false`.
    #[export]
    match_target_rotation: bool,
    /// How much this tip counts, compared with the others, if not all of them can reach their
    /// targets. The default, `1.0`, counts as much as the tip of the [TendonFABRIK2D]. At `0.0` the
    /// tip is ignored. Lower it for a tip that matters less, or animate it to let go. Below a
    /// [TendonFullBody2D], a tip with a lower weight gives way to one with a higher weight nearly
    /// altogether: feet with `1.0` stay while a hand with `0.5` is pulled.
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

    fn references(&self) -> impl Hash {
        (self.chain(), &self.target, self.match_target_rotation)
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
        let target = Target::find(bones, ("target", &self.target), root)?;
        Ok(Ends {
            tip,
            target,
            matches_rotation: self.match_target_rotation,
        })
    }
}

/// An effector of the plan.
struct PlannedEffector {
    node: Readable<TendonEffector2D>,
    /// The references at the time when the plan was made.
    references: u64,
    weight: Cell<f32>,
    result: Shared<Cell<PassResult>>,
    ends: Result<Ends, Problem>,
}

/// A tip, and what it is brought to.
struct Ends {
    tip: BoneTip,
    target: Target,
    /// `true` if the last bone takes over the target's rotation.
    matches_rotation: bool,
}

/// The effectors of a modifier, as a plan knows them, also those that are ignored.
pub(crate) struct Effectors(Vec<Rc<PlannedEffector>>);

impl Effectors {
    /// Plans `effectors` of the tree whose root is the bone `root`, which belong to what is searched for.
    /// `stretches` says whether the tree does.
    pub(super) fn find(
        search: &mut Search<'_>,
        effectors: impl IntoIterator<Item = Gd<TendonEffector2D>>,
        root: Option<usize>,
        stretches: bool,
    ) -> Self {
        let effectors = effectors.into_iter().map(|effector| {
            let effector = PlannedEffector::new(search.bones, &effector, root, stretches);
            let effector = Rc::new(effector);
            search.children.push(effector.clone());
            effector
        });
        Self(effectors.collect())
    }

    /// Returns `true` if there is one that is not ignored.
    pub(super) fn is_any(&self) -> bool {
        self.0.iter().any(|effector| effector.last().is_some())
    }

    /// Adds the bones to `joints` that are missing on the way to the effectors. Each comes below one that comes
    /// before it.
    pub(super) fn add_joints(&self, bones: &Bones, joints: &mut Vec<usize>) {
        for last in self.0.iter().filter_map(|effector| effector.last()) {
            let line = bones.with_ancestors(last);
            let line: Vec<_> = line.take_while(|index| !joints.contains(index)).collect();
            joints.extend(line.into_iter().rev());
        }
    }
}

impl Gathered<Vec<Effector>> for Effectors {
    fn gather(&self, from: &Gather<'_>, into: &mut Vec<Effector>) -> Result<bool, Stale> {
        set_list(into, self.0.iter().map(|effector| effector.read(from)))
    }
}

impl Gathered<FullBody> for Effectors {
    fn gather(&self, from: &Gather<'_>, into: &mut FullBody) -> Result<bool, Stale> {
        self.gather(from, &mut into.effectors)
    }
}

impl PlannedNodes for Effectors {
    fn node_references(&self) -> Vec<NodeReference<'_>> {
        let effectors = self.0.iter();
        let references = effectors.flat_map(|effector| effector.node_references());
        references.collect()
    }

    fn goals(&self) -> Vec<[Option<InstanceId>; 2]> {
        let effectors = self.0.iter();
        effectors.filter_map(|effector| effector.goal()).collect()
    }

    fn takes_directions(&self) -> bool {
        let mut effectors = self.0.iter();
        effectors.any(|effector| effector.takes_direction())
    }

    /// Hands them what they came to in `solved`, which has those that are not ignored.
    fn publish(&self, solved: &SolverModifier, rig: &Rig, to_global: Affine2) {
        let mut solved = solved.parts().effectors().iter();
        for effector in &self.0 {
            match effector.last().and_then(|_| solved.next()) {
                Some(solved) => effector.publish(solved, rig, to_global),
                None => effector.go_idle(),
            }
        }
    }
}

impl PlannedEffector {
    /// Plans `effector` of the tree whose root is the bone `root`. `stretches` says whether the tree
    /// does.
    fn new(
        bones: &mut Bones,
        effector: &Gd<TendonEffector2D>,
        root: Option<usize>,
        stretches: bool,
    ) -> Self {
        let own = effector.bind();
        Self {
            node: Readable::new(effector.clone()),
            references: digest(own.references()),
            weight: Cell::new(0.0),
            result: own.result.clone(),
            ends: own.find(bones, root, stretches),
        }
    }

    /// Index of the bone that carries its tip, if it is not to be ignored.
    fn last(&self) -> Option<usize> {
        self.ends.as_ref().ok().map(|ends| ends.tip.last)
    }

    /// The effector for the solver. `None` if it is ignored.
    fn read(&self, from: &Gather<'_>) -> Result<Option<Effector>, Stale> {
        if !self.is_current() {
            return Err(Stale);
        }
        let Ok(ends) = &self.ends else {
            return Ok(None);
        };
        let target = ends.target.locate(from)?;
        Ok(Some(Effector {
            weight: clamp01(self.weight.get()),
            heading: ends.matches_rotation.then(|| target.direction()),
            ..Effector::new(ends.tip.locate(from)?, target.point())
        }))
    }

    fn node_references(&self) -> impl Iterator<Item = NodeReference<'_>> {
        let target = self
            .ends
            .iter()
            .filter_map(|ends| ends.target.node_reference());
        target.chain([NodeReference::Node(self.node.id())])
    }

    /// It and its target, if it is not to be ignored.
    fn goal(&self) -> Option<[Option<InstanceId>; 2]> {
        let target = self.ends.as_ref().ok()?.target.node_reference();
        let target = target.and_then(|target| target.input());
        Some([Some(self.node.id()), target.map(|input| input.node.id())])
    }

    /// Returns `true` if the effector takes over the direction of its target.
    fn takes_direction(&self) -> bool {
        self.ends.as_ref().is_ok_and(|ends| ends.matches_rotation)
    }

    /// Takes over how far its tip is from its target, and where it is.
    fn publish(&self, solved: &Effector, rig: &Rig, to_global: Affine2) {
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
            digest(node.references()) == self.references
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

/// Adds an effector for the end of `tip_bone` to `modifier`, which takes effectors.
pub(super) fn add_effector(
    modifier: &Gd<Node>,
    tip_bone: Option<Gd<Bone2D>>,
    target: Optional<Node2D>,
) -> Option<Gd<TendonEffector2D>> {
    let Some(bone) = tip_bone else {
        let class = modifier.get_class();
        godot_error!("{class}.add_effector(): {}", null("tip_bone"));
        return None;
    };
    let mut effector = new_effector(&bone);
    effector.set("target", &target.0.to_variant());
    let mut modifier = modifier.clone();
    modifier
        .add_child_ex(&effector)
        .force_readable_name(true)
        .done();
    Some(effector)
}

/// An effector for the end of `bone`, without a target.
pub fn new_effector(bone: &Gd<Bone2D>) -> Gd<TendonEffector2D> {
    let mut effector = TendonEffector2D::new_alloc();
    effector.set_name(&name_after(&bone.get_name().to_string(), "Effector"));
    effector.set("tip_bone", &bone.to_variant());
    effector
}

/// The configuration warnings of `effector`.
pub fn warnings_of_effector(effector: &Gd<TendonEffector2D>) -> PackedStringArray {
    match is_misplaced(effector) {
        true => in_words([Problem::EffectorElsewhere]),
        false => warnings_of(&effector.clone().upcast()),
    }
}

/// Returns `true` if the parent of `effector` is not a modifier that takes effectors.
fn is_misplaced(effector: &Gd<TendonEffector2D>) -> bool {
    let parent = effector.get_parent();
    let parent = parent.and_then(|parent| parent.try_dynify::<dyn Modifier>().ok());
    parent.is_none_or(|parent| !parent.dyn_bind().takes_effectors())
}
