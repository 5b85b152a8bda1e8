//! `TendonGait2D`.

mod query;

use std::rc::Rc;

use godot::classes::{Bone2D, Engine};
use godot::prelude::*;
use tendon_solver::glam::Affine2;
use tendon_solver::math::interval::clamp01;
use tendon_solver::{Gait, GaitSettings, Modifier as SolverModifier, PelvisSettings, Rig, Solver};

use self::query::Query;
use crate::engine::class_enum::class_enum;
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

class_enum! {
    /// In which order legs step.
    GaitKind is TendonGait2D.Gait and tendon_solver::GaitOrder {
        #[default]
        Alternate: "Alternate", GAIT_ALTERNATE;
        Wave: "Wave", GAIT_WAVE;
        Free: "Free", GAIT_FREE;
    }
}

modifier_node! {
    /// Makes legs step by themselves: two legs or forty, without an animation.
    ///
    /// Each leg has a modifier that reaches, such as a [TendonTwoBoneIK2D], and a [TendonFoot2D] below
    /// this node, which names it. The menu entry *Add Legs That Step* makes all of them for the selected
    /// bones. Move the character as you like: this node makes its feet follow.
    ///
    /// The home of a foot is where the rest pose has it. A foot that is too far from its home, or at the
    /// end of its leg, steps: who has waited longest goes first. It lands ahead of its home, by the motion
    /// of the character. Where it lands is looked for until shortly before it is there, so ground that
    /// moves is met. The pelvis keeps its height over the feet, and tilts with them. A foot that finds no
    /// ground hangs, until there is some. If the character leaps or is mirrored, its feet come along.
    ///
    /// The ground is what rays from the physics server find in physics frames. So feet fall at the same
    /// time at any frame rate. Bodies above the skeleton in the tree, such as the character's own
    /// [CharacterBody2D], are not looked for. The editor shows the pose without ground.
    ///
    /// This script lets a spider walk to the mouse:
    ///
    /// ```gdscript
    /// extends Node2D
    ///
    /// @export var speed: float = 120.0
    ///
    ///
    /// func _physics_process(delta: float) -> void:
    ///     position.x = move_toward(position.x, get_global_mouse_position().x, speed * delta)
    /// ```
    ///
    /// Tutorial: the chapter *Legs that step* of the manual, `addons/tendon/manual/gait.html`.
    TendonGait2D {
        /// The bone that carries all legs. It is moved by its `position`, and turned. The modifier is
        /// idle until it is set.
        #[export]
        pelvis: Link<Bone2D>,
    } {
        /// In which order the legs step. The default is [constant GAIT_ALTERNATE].
        #[export]
        #[var(get = get_gait, set = set_gait)]
        gait: GaitKind,
        /// How many legs step at once at most. Feet without ground do not count, nor those whose legs do
        /// not reach any more. With the default, `0`, half of the legs do.
        #[export(range = (0.0, 20.0, 1.0, or_greater))]
        max_lifted: u32,
        /// A foot that is farther from its home steps, in the units of the skeleton. Legs that are too
        /// short for that step earlier. The default is `30.0`.
        #[export(range = (0.0, 200.0, 0.1, or_greater, suffix = "px"))]
        #[init(val = 30.0)]
        step_distance: f32,
        /// How high a foot is lifted, in the units of the skeleton: above its way, which leads over what
        /// lies between. The default is `12.0`.
        #[export(range = (0.0, 100.0, 0.1, or_greater, suffix = "px"))]
        #[init(val = 12.0)]
        step_height: f32,
        /// How long a step takes, in seconds. Where legs of this pace would be too slow for the character,
        /// they step faster, up to three times. The default is `0.2`.
        #[export(range = (0.02, 1.0, 0.001, or_greater, suffix = "s"))]
        #[init(val = 0.2)]
        step_duration: f32,
        /// How far ahead of its home a foot lands, as the time in which the character goes that far. With
        /// half of the time that a foot stands, it is in the middle of that time below its leg. The default
        /// is `0.1`.
        #[export(range = (0.0, 1.0, 0.001, or_greater, suffix = "s"))]
        #[init(val = 0.1)]
        overshoot: f32,
        /// How long the character has to stand until its feet go home, in seconds. After that they stay
        /// where they are. The default is `0.5`.
        #[export(range = (0.0, 5.0, 0.01, or_greater, suffix = "s"))]
        #[init(val = 0.5)]
        settle_time: f32,
        /// The direction away from the ground, in global coordinates. Its length does not count. Set it
        /// with [member CharacterBody2D.up_direction]. The default is up the screen.
        #[export_group(name = "Ground")]
        #[export]
        #[init(val = Vector2::UP)]
        up: Vector2,
        /// The collision layers on which the ground is. The default is the first.
        #[export(flags_2d_physics)]
        #[init(val = 1)]
        collision_mask: u32,
        /// How far above the plane of the feet the ground is looked for, in the units of the skeleton. Set
        /// it to the height of the highest step. The default is `40.0`.
        #[export(range = (0.0, 200.0, 0.1, or_greater, suffix = "px"))]
        #[init(val = 40.0)]
        search_up: f32,
        /// How far below that plane the ground is looked for, in the units of the skeleton. The default
        /// is `60.0`.
        #[export(range = (0.0, 200.0, 0.1, or_greater, suffix = "px"))]
        #[init(val = 60.0)]
        search_down: f32,
        /// How high the pelvis is over the feet, in the units of the skeleton. With the default, `0.0`,
        /// that is its height in the rest pose, or less if legs are straight there.
        #[export_group(name = "Pelvis")]
        #[export(range = (0.0, 200.0, 0.1, or_greater, suffix = "px"))]
        body_height: f32,
        /// How much of the slope of its feet the pelvis takes over, from `0.0` to `1.0`. The default
        /// is `0.5`.
        #[export(range = (0.0, 1.0, 0.001))]
        #[var(set = set_body_tilt)]
        #[init(val = 0.5)]
        body_tilt: f32,
        /// How far the pelvis goes down at most, in the units of the skeleton. The default is `40.0`.
        #[export(range = (0.0, 200.0, 0.1, or_greater, suffix = "px"))]
        #[init(val = 40.0)]
        max_pelvis_drop: f32,
        /// How far the pelvis goes up at most, in the units of the skeleton. The default is `40.0`.
        #[export(range = (0.0, 200.0, 0.1, or_greater, suffix = "px"))]
        #[init(val = 40.0)]
        max_pelvis_rise: f32,
        /// How quickly the pelvis follows, as the frequency of a spring without overshoot, in Hz. Lower
        /// values are softer. At `0.0` it follows at once. The default is `3.0`.
        #[export(range = (0.0, 20.0, 0.01, or_greater, suffix = "Hz"))]
        #[init(val = 3.0)]
        pelvis_frequency: f32,
        /// What its feet have found by now.
        bodies: Rc<Bodies>,
    } impl {
        #[func]
        fn set_body_tilt(&mut self, body_tilt: f32) {
            self.body_tilt = clamp01(body_tilt);
        }

        /// Every second leg steps, and then the others: spiders, insects, and all on two legs. This is
        /// the default.
        #[cfg(false)]
        #[constant]
        const GAIT_ALTERNATE: i64 = GaitKind::Alternate as i64;
        /// One leg after another steps, from the last to the first: a wave, as of a centipede.
        #[cfg(false)]
        #[constant]
        const GAIT_WAVE: i64 = GaitKind::Wave as i64;
        /// Each leg steps by itself.
        #[cfg(false)]
        #[constant]
        const GAIT_FREE: i64 = GaitKind::Free as i64;

        #[func]
        fn get_gait(&self) -> GaitKind {
            self.gait
        }

        #[func]
        fn set_gait(&mut self, gait: GaitKind) {
            self.gait = gait;
        }
    }
}

/// What a plan knows of a gait.
pub(crate) struct Nodes {
    feet: PlannedFeet,
    query: Query,
}

impl ModifierClass for TendonGait2D {
    type References = Option<InstanceId>;
    type Nodes = Nodes;
    type Solver = Gait;

    fn references(&self) -> Self::References {
        self.pelvis.id()
    }

    fn find(&self, bones: &mut Bones) -> Result<(Nodes, Gait), Problem> {
        let node = self.to_gd().upcast::<Node>();
        let (feet, pelvis) = PlannedFeet::below(&node, &self.pelvis, bones)?;
        let solver = Gait::new(pelvis, feet.unread());
        let query = Query::new(bones, &self.bodies);
        Ok((Nodes { feet, query }, solver))
    }

    fn set(&self, into: &mut Gait) -> bool {
        let settings = GaitSettings {
            order: self.gait.in_solver(),
            step_distance: self.step_distance,
            step_height: self.step_height,
            step_duration: self.step_duration,
            overshoot: self.overshoot,
            max_lifted: self.max_lifted,
            body_height: self.body_height,
            body_tilt: self.body_tilt,
            settle_time: self.settle_time,
        };
        let pelvis = PelvisSettings {
            max_drop: self.max_pelvis_drop,
            max_rise: self.max_pelvis_rise,
            frequency: self.pelvis_frequency,
        };
        set(&mut into.settings, settings)
            | set(&mut into.pelvis_settings, pelvis)
            | set(&mut into.up, to_solver(self.up))
    }

    fn configure(&self, nodes: &Nodes) {
        let search = [self.search_up, self.search_down];
        nodes.query.world.set(self.collision_mask, search);
    }

    fn gather(nodes: &Nodes, _: &Gather<'_>, into: &mut Gait) -> Result<bool, Stale> {
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

    /// In a physics frame the ground is looked for now.
    fn prepare(&self, _: &Gd<Node>, rig: &mut Rig, index: usize) {
        if let Solver::Gait(gait) = &rig.modifiers[index].solver {
            self.query.aim(rig, index, &gait.memory.before);
        }
        if Engine::singleton().is_in_physics_frame() {
            self.query.run(rig.to_global);
            if let Solver::Gait(gait) = &mut rig.modifiers[index].solver {
                self.query.gather(gait);
            }
        }
    }

    fn sense(&self, to_global: Affine2) {
        self.query.run(to_global);
    }

    fn publish(&self, solved: &SolverModifier, rig: &Rig, _: Affine2) {
        let Solver::Gait(gait) = &solved.solver else {
            return;
        };
        let memory = gait.memory.last();
        let index = rig.modifiers.iter().position(|it| std::ptr::eq(it, solved));
        if let Some(index) = index {
            self.query.aim(rig, index, memory);
        }
        self.query.forget(memory.last_tick());
        for (index, foot) in self.feet.iter().enumerate() {
            let state = memory.feet.get(index).filter(|_| solved.active);
            let support = state.and_then(|foot| foot.support());
            foot.publish(FootState::on(support, &self.query.world));
        }
    }
}

impl EditedModifier for TendonGait2D {
    fn register_enums() {
        GaitKind::register::<Self>();
    }
}
