//! `TendonGait2D`.

use godot::prelude::*;
use tendon_solver::math::interval::clamp01;
use tendon_solver::{GaitSettings, Stance};

use crate::engine::class_enum::class_enum;
use crate::engine::space::InSolver;
use crate::nodes::foot_placement::{InAir, UpSpace};
use crate::nodes::modifier::EditedModifier;
use crate::nodes::stance::properties::stance_node;
use crate::plan::change::set;

class_enum! {
    /// In which order legs step.
    GaitKind is TendonGait2D.Gait and tendon_solver::GaitOrder {
        /// Every second leg steps, and then the others: spiders, insects, and all on two legs. Of four legs, those
        /// across from each other step together. This is the default.
        #[default]
        Alternate: "Alternate", GAIT_ALTERNATE;
        /// One leg after another steps, from the last to the first: a wave, as of a centipede.
        Wave: "Wave", GAIT_WAVE;
        /// Each leg steps by itself.
        Free: "Free", GAIT_FREE;
    }
}

stance_node! {
    /// Makes legs step by themselves: two legs or forty, without an animation.
    ///
    /// Each leg has a modifier that reaches, such as a [TendonTwoBoneIK2D], and a [TendonFoot2D] below
    /// this node, which names it. The menu entry *Add Legs That Step* makes all of them for the selected
    /// bones. Move the character as you like: this node makes its feet follow.
    ///
    /// The home of a foot is where the rest pose has it, below its hip. A foot that is too far from its home, or at the
    /// end of its leg, steps: who needs it most goes first. Unless [member step_duration] is set, strides are those of an
    /// animal of this size at this speed: legs walk and run, four legs also trot and gallop, with 980 units per second
    /// squared as gravity. It lands ahead of its home, by the motion
    /// of the character, or nearer to its hip if that is not reached. Where it lands is looked for until shortly
    /// before it is there, so ground that moves is met. The pelvis keeps its height over the feet, and tilts with
    /// them. A foot that finds no ground hangs, until there is some. If the character leaps or is mirrored, its
    /// feet come along.
    ///
    /// The ground is what rays from the physics server find in physics frames, from the hip on. So feet fall at
    /// the same time at any frame rate, and no foot goes through a wall. What belongs to the character is no
    /// ground: see [method add_exception]. The editor shows the pose without ground.
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
        new: Stance::that_steps, set_own: Self::set_own, search_up: 40.0, max_pelvis_rise: 40.0
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
        /// short for that step earlier. It counts where [member step_duration] is set. The default is `30.0`.
        #[export(range = (0.0, 200.0, 0.1, or_greater, suffix = "px"))]
        #[init(val = 30.0)]
        step_distance: f32,
        /// How high a foot is lifted, in the units of the skeleton: above its way, which leads over what
        /// lies between. The default is `12.0`.
        #[export(range = (0.0, 100.0, 0.1, or_greater, suffix = "px"))]
        #[init(val = 12.0)]
        step_height: f32,
        /// How long a step takes, in seconds. Where legs of this pace would be too slow for the character,
        /// they step faster, up to three times. With the default, `0.0`, strides are those of an animal of this size and
        /// speed.
        #[export(range = (0.0, 1.0, 0.001, or_greater, suffix = "s"))]
        step_duration: f32,
        /// How far ahead of its home a foot lands, as the time in which the character goes that far. With
        /// half of the time that a foot stands, it is in the middle of that time below its leg. It counts where
        /// [member step_duration] is set. The default is `0.1`.
        #[export(range = (0.0, 1.0, 0.001, or_greater, suffix = "s"))]
        #[init(val = 0.1)]
        overshoot: f32,
        /// How long the character has to stand until its feet go home, in seconds. After that they stay
        /// where they are. It counts where [member step_duration] is set, or each leg steps by itself: else
        /// feet go home at once. The default is `0.3`.
        #[export(range = (0.0, 5.0, 0.01, or_greater, suffix = "s"))]
        #[init(val = 0.3)]
        settle_time: f32,
        /// How high the pelvis is over the feet, in the units of the skeleton. With the default, `0.0`,
        /// that is its height in the rest pose, or less if legs are straight there.
        #[export(range = (0.0, 200.0, 0.1, or_greater, suffix = "px"))]
        body_height: f32,
        /// How much of the slope of its feet the pelvis takes over, from `0.0` to `1.0`. Unless it is zero, the
        /// pelvis takes more where its legs would not reach the ground otherwise. The default is `0.5`.
        #[export(range = (0.0, 1.0, 0.001))]
        #[var(set = set_body_tilt)]
        #[init(val = 0.5)]
        body_tilt: f32,
        /// How much the body moves with its steps, from `0.0`, the default, to `1.0`: it bobs in their rhythm, sways on
        /// two legs and pitches on four, leans with its speed and acceleration, and goes down where it lands. It counts where [member step_duration] is `0.0`.
        #[export(range = (0.0, 1.0, 0.001))]
        #[var(set = set_body_motion)]
        body_motion: f32,
    } impl {
        /// [member up] is in global coordinates. This is the default.
        #[constant]
        const UP_SPACE_GLOBAL: i64 = UpSpace::Global as i64;
        /// [member up] is in the coordinates of the skeleton.
        #[constant]
        const UP_SPACE_SKELETON: i64 = UpSpace::Skeleton as i64;

        #[func]
        fn set_body_tilt(&mut self, body_tilt: f32) {
            self.body_tilt = clamp01(body_tilt);
        }

        #[func]
        fn set_body_motion(&mut self, body_motion: f32) {
            self.body_motion = clamp01(body_motion);
        }

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

impl TendonGait2D {
    fn set_own(&self, into: &mut Stance) -> bool {
        set(
            &mut into.gait,
            Some(GaitSettings!(self, InSolver::in_solver)),
        )
    }
}

impl EditedModifier for TendonGait2D {
    fn register_enums() {
        GaitKind::register::<Self>();
    }
}
