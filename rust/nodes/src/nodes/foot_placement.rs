//! `TendonFootPlacement2D`.

mod query;

use std::rc::Rc;

use godot::classes::{Bone2D, Engine};
use godot::prelude::*;
use tendon_solver::glam::Affine2;
use tendon_solver::{FootPlacement, Modifier as SolverModifier, PelvisSettings, Rig, Solver};

use self::query::Query;
use crate::engine::link::Link;
use crate::engine::space::to_solver;
use crate::nodes::bodies::Bodies;
use crate::nodes::foot::{FootState, PlannedFeet};
use crate::nodes::modifier::{EditedModifier, modifier_node};
use crate::plan::bones::Bones;
use crate::plan::change::set;
use crate::plan::class::{Mention, ModifierClass, PlannedNodes};
use crate::plan::locate::{Gather, Stale};
use crate::warnings::problem::Problem;

modifier_node! {
    /// Puts the feet of an animated character on the ground: slopes, stairs, moving platforms.
    ///
    /// Each leg has a modifier that reaches, such as a [TendonTwoBoneIK2D], and a [TendonFoot2D] below
    /// this node, which names it. This node looks for the ground below each foot, moves the pelvis, and
    /// tells the legs where to put the feet. Limits, poles and stretch are those of the legs. The legs
    /// come after this node in the rig.
    ///
    /// The animation stands on a plane through the lowest foot of the rest pose. Where the ground
    /// is higher or lower than that plane, the foot is, too. On flat ground the animation is not
    /// changed at all. A foot that is slow against the ground is planted: it does not slide, and stays
    /// on a platform that moves or turns. See [TendonFoot2D].
    ///
    /// A foot that swings towards a step is lifted over it. A straight leg would pop: before a leg is as good
    /// as straight, the pelvis goes down, unless the animation has the leg so.
    ///
    /// The ground is what rays from the physics server find in physics frames, up to three for each foot.
    /// Bodies above the skeleton in the tree, such as the character's own [CharacterBody2D], are not
    /// looked for. With physics interpolation, set [member TendonRig2D.callback_mode_process] to
    /// physics. The editor shows the pose without ground.
    ///
    /// This script switches it off in the air:
    ///
    /// ```gdscript
    /// extends CharacterBody2D
    ///
    /// @onready var feet: TendonFootPlacement2D = $Skeleton2D/TendonRig2D/FootPlacement
    ///
    ///
    /// func _physics_process(delta: float) -> void:
    ///     velocity += get_gravity() * delta
    ///     move_and_slide()
    ///     feet.influence = move_toward(feet.influence, 1.0 if is_on_floor() else 0.0, 6.0 * delta)
    /// ```
    ///
    /// Tutorial: the chapter *Feet on the ground* of the manual, `addons/tendon/manual/feet.html`.
    TendonFootPlacement2D {
        /// The bone that carries all legs. It is moved by its `position`. The modifier is idle until it
        /// is set.
        #[export]
        pelvis: Link<Bone2D>,
    } {
        /// The direction away from the ground, in global coordinates. Its length does not count. Set it
        /// with [member CharacterBody2D.up_direction]. The default is up the screen.
        #[export]
        #[init(val = Vector2::UP)]
        up: Vector2,
        /// The collision layers on which the ground is. The default is the first.
        #[export(flags_2d_physics)]
        #[init(val = 1)]
        collision_mask: u32,
        /// How far above the plane that the animation stands on the ground is looked for, in the units of
        /// the skeleton. Set it to the height of the highest stair. The default is `30.0`.
        #[export(range = (0.0, 200.0, 0.1, or_greater, suffix = "px"))]
        #[init(val = 30.0)]
        search_up: f32,
        /// How far below that plane the ground is looked for, in the units of the skeleton. A foot
        /// without ground goes with the animation. The default is `60.0`.
        #[export(range = (0.0, 200.0, 0.1, or_greater, suffix = "px"))]
        #[init(val = 60.0)]
        search_down: f32,
        /// How far the pelvis goes down at most, so that the lowest foot reaches the ground, in the units
        /// of the skeleton. The default is `40.0`.
        #[export_group(name = "Pelvis")]
        #[export(range = (0.0, 200.0, 0.1, or_greater, suffix = "px"))]
        #[init(val = 40.0)]
        max_pelvis_drop: f32,
        /// How far the pelvis goes up at most, if all feet stand higher than the body, in the units
        /// of the skeleton. The default is `0.0`.
        #[export(range = (0.0, 200.0, 0.1, or_greater, suffix = "px"))]
        max_pelvis_rise: f32,
        /// How quickly the pelvis follows, as the frequency of a spring without overshoot, in Hz. Lower
        /// values are softer. At `0.0` it follows at once. The default is `3.0`.
        #[export(range = (0.0, 20.0, 0.01, or_greater, suffix = "Hz"))]
        #[init(val = 3.0)]
        pelvis_frequency: f32,
        /// What its feet have found by now.
        bodies: Rc<Bodies>,
    }
}

/// What a plan knows of a placement.
pub(crate) struct Nodes {
    feet: PlannedFeet,
    query: Query,
}

impl ModifierClass for TendonFootPlacement2D {
    type References = Option<InstanceId>;
    type Nodes = Nodes;
    type Solver = FootPlacement;

    fn references(&self) -> Self::References {
        self.pelvis.id()
    }

    fn find(&self, bones: &mut Bones) -> Result<(Nodes, FootPlacement), Problem> {
        let node = self.to_gd().upcast::<Node>();
        let (feet, pelvis) = PlannedFeet::below(&node, &self.pelvis, bones)?;
        let solver = FootPlacement::new(pelvis, feet.unread());
        let query = Query::new(bones, feet.iter().len(), &self.bodies);
        Ok((Nodes { feet, query }, solver))
    }

    fn set(&self, into: &mut FootPlacement) -> bool {
        let settings = PelvisSettings {
            max_drop: self.max_pelvis_drop,
            max_rise: self.max_pelvis_rise,
            frequency: self.pelvis_frequency,
        };
        set(&mut into.settings, settings) | set(&mut into.up, to_solver(self.up))
    }

    fn configure(&self, nodes: &Nodes) {
        let search = [self.search_up, self.search_down];
        nodes.query.world.set(self.collision_mask, search);
    }

    fn gather(nodes: &Nodes, _: &Gather<'_>, into: &mut FootPlacement) -> Result<bool, Stale> {
        let changes = nodes.feet.read(&mut into.feet)?;
        Ok(nodes.query.gather(into) | changes)
    }
}

impl PlannedNodes for Nodes {
    fn mentions(&self) -> Vec<Mention<'_>> {
        self.feet.mentions()
    }

    fn limbs(&self) -> Vec<Option<InstanceId>> {
        self.feet.limbs()
    }

    /// Notes where to look for the ground. In a physics frame it is looked for now.
    fn prepare(&self, _: &Gd<Node>, rig: &mut Rig, index: usize) {
        let now = Engine::singleton().is_in_physics_frame();
        self.query.aim(rig, index, now);
        if now {
            self.query.run(rig.to_global);
            if let Solver::FootPlacement(placement) = &mut rig.modifiers[index].solver {
                self.query.gather(placement);
            }
        }
    }

    fn sense(&self, to_global: Affine2) {
        self.query.run(to_global);
    }

    fn publish(&self, solved: &SolverModifier, _: &Rig, _: Affine2) {
        let Solver::FootPlacement(placement) = &solved.solver else {
            return;
        };
        let state = placement.memory.last();
        self.query.hold(state);
        for (index, foot) in self.feet.iter().enumerate() {
            let memory = state.feet.get(index).filter(|_| solved.active);
            let support = memory.and_then(|memory| memory.support(self.query.held(index)));
            foot.publish(FootState::on(support, &self.query.world));
        }
    }
}

impl EditedModifier for TendonFootPlacement2D {}
