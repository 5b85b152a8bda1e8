//! `TendonFullBody2D`.

use std::hash::Hash;

use godot::classes::Bone2D;
use godot::obj::WithBaseField;
use godot::prelude::*;
use tendon_solver::math::interval::clamp01;
use tendon_solver::{FullBody, FullBodySettings};

use crate::engine::children::children;
use crate::engine::optional::Optional;
use crate::engine::space::InSolver;
use crate::nodes::effector::{Effectors, TendonEffector2D, add_effector};
use crate::nodes::modifier::{EditedModifier, modifier_node};
use crate::plan::change::set;
use crate::plan::class::ModifierClass;
use crate::plan::search::Search;
use crate::warnings::problem::Problem;

modifier_node! {
    /// Moves a whole body by its hands and feet: pull a hand far, and the body leans after it while the
    /// feet stay.
    ///
    /// Each [TendonEffector2D] below this node brings the end of a bone to a target. All bones from
    /// [member root_bone] to these ends turn, and the root bone, usually the hips, moves, too. Of all
    /// poses in which every effector is at its target, the body takes the one that is nearest to the
    /// animation. So the animation goes on in all that the effectors leave free.
    ///
    /// Use it for a climber with both hands on a ledge and the feet on a wall, for two hands on a sword
    /// while the body ducks, or for a character that sits in a seat and steers. A
    /// [TendonJointLimit2D] below a bone limits how far it turns. Its
    /// [member TendonJointLimit2D.stiffness] says how unwillingly. Add this node below a [TendonRig2D].
    ///
    /// [member TendonEffector2D.weight] says which effector gives way if not all can be at their targets:
    /// feet with `1.0` stay on the ground when a hand with `0.5` is pulled too far away.
    ///
    /// The pose moves smoothly with the targets. If it has to change to a quite different one, no joint
    /// turns faster than 25 radians per second. With a [member transition_duration], it goes over smoothly when
    /// effectors are added or removed, or have another target or another weight at once; those that stay are held
    /// on the way.
    ///
    /// This script takes a hand off the ledge, and lets it hang as animated:
    ///
    /// ```gdscript
    /// func let_go() -> void:
    ///     var hand: TendonEffector2D = $Skeleton2D/TendonRig2D/HipsFullBody/LeftHandEffector
    ///     create_tween().tween_property(hand, "weight", 0.0, 0.2)
    /// ```
    ///
    /// Tutorial: the chapter *Full-body IK* of the manual, `addons/tendon/manual/full-body.html`.
    TendonFullBody2D {
        /// The bone from which all others hang that are to move: usually the hips. It moves and turns, all
        /// bones on the way to the effectors turn. The modifier is idle without it.
        #[export]
        root_bone: crate::engine::link::Link<Bone2D>,
    } handover {
        /// How unwillingly the root bone moves and turns: from `0.0`, where the body goes along with each
        /// effector, to `1.0`, where the root bone stays where the animation has it. The default, `0.3`,
        /// bends the limbs before the body follows.
        #[export(range = (0.0, 1.0, 0.001))]
        #[var(set = set_root_stiffness)]
        #[init(val = FullBodySettings::default().root_stiffness)]
        root_stiffness: f32,
        /// How far the root bone goes at most from where the animation has it, in the units of the skeleton. Use it for
        /// hips that are not to leave a saddle or a seat. The default, `0.0`, is no bound.
        #[export(range = (0.0, 500.0, 0.1, or_greater, suffix = "px"))]
        max_root_distance: f32,
        /// How many steps a pass may take. A body that follows its targets needs two or three, and more only
        /// when it changes to another pose. The default is `16`.
        #[export_group(name = "Solver")]
        #[export(range = (1.0, 64.0, 1.0))]
        #[init(val = FullBodySettings::default().max_iterations.into())]
        max_iterations: i64,
        /// The distance to its target at which an effector counts as there, in the units of the skeleton. The
        /// status is reached if all of them are. The default is `0.05`.
        #[export(range = (0.001, 10.0, 0.001, or_greater, suffix = "px"))]
        #[init(val = FullBodySettings::default().tolerance)]
        tolerance: f32,
    } impl {
        #[func]
        fn set_root_stiffness(&mut self, root_stiffness: f32) {
            self.root_stiffness = clamp01(root_stiffness);
        }
    }
}

#[godot_api(secondary)]
impl TendonFullBody2D {
    /// Adds a [TendonEffector2D] that brings the end of `tip_bone`, which is at or below [member root_bone], to
    /// `target`. Returns it, so that its other properties can be set.
    ///
    /// ```gdscript
    /// func hang(body: TendonFullBody2D, hand: Bone2D, ledge: Node2D) -> void:
    ///     body.add_effector(hand, ledge).match_target_rotation = true
    /// ```
    #[func(gd_self)]
    fn add_effector(
        this: Gd<Self>,
        tip_bone: Option<Gd<Bone2D>>,
        #[opt(default = Optional::NONE)] target: Optional<Node2D>,
    ) -> Option<Gd<TendonEffector2D>> {
        add_effector(&this.upcast(), tip_bone, target)
    }
}

impl ModifierClass for TendonFullBody2D {
    type Nodes = Effectors;
    type Solver = FullBody;
    const TAKES_EFFECTORS: bool = true;

    fn references(&self) -> impl Hash {
        &self.root_bone
    }

    fn find(&self, search: &mut Search<'_>) -> Result<(Effectors, FullBody), Problem> {
        let (bone, root) = search.bones.bone_in(("root_bone", &self.root_bone))?;
        if search.bones.has_top_level(root) {
            return Err(Problem::TopLevelBone {
                bone: bone.get_name().to_string(),
            });
        }
        let nodes = children(&self.to_gd());
        let effectors = Effectors::find(search, nodes, Some(root), false);
        if !effectors.is_any() {
            return Err(Problem::NoEffectors);
        }
        let mut joints = vec![root];
        effectors.add_joints(search.bones, &mut joints);
        Ok((effectors, FullBody::new(joints, Vec::new())))
    }

    fn set(&self, into: &mut FullBody) -> bool {
        let settings = FullBodySettings!(self, InSolver::in_solver);
        set(&mut into.settings, settings)
    }
}

impl EditedModifier for TendonFullBody2D {}
