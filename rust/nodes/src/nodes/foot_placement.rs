//! `TendonFootPlacement2D`.

use godot::prelude::*;
use tendon_solver::Stance;
use tendon_solver::math::interval::clamp01;

use crate::engine::class_enum::class_enum;
use crate::nodes::modifier::EditedModifier;
use crate::nodes::stance::properties::stance_node;
use crate::plan::change::set;

class_enum! {
    /// What `up` is relative to.
    UpSpace is TendonFootPlacement2D.UpSpace {
        /// [member up] is in global coordinates. This is the default.
        #[default]
        Global: "Global", UP_SPACE_GLOBAL;
        /// [member up] is in the coordinates of the skeleton.
        Skeleton: "Skeleton", UP_SPACE_SKELETON;
    }
}

class_enum! {
    /// Whether a character is in the air.
    InAir is TendonFootPlacement2D.InAir {
        /// The body tells whether the character is in the air, see [member body]. This is the default.
        #[default]
        Auto: "Auto", IN_AIR_AUTO;
        /// The character is on the ground, or close enough to stand there.
        No: "No", IN_AIR_NO;
        /// The character is in the air, or climbs or swims: its feet look for no ground.
        Yes: "Yes", IN_AIR_YES;
    }
}

impl InAir {
    /// Returns `true` in the air and `false` on the ground; `None` if the body is to tell.
    pub(in crate::nodes) fn known(self) -> Option<bool> {
        match self {
            Self::Auto => None,
            Self::No => Some(false),
            Self::Yes => Some(true),
        }
    }
}

stance_node! {
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
    /// on a platform that moves or turns, as long as it is there and the leg reaches it. See [TendonFoot2D].
    ///
    /// A foot that swings towards a step is lifted over it. Knees bend to the side to which the animation
    /// bends them, and no joint turns much faster than its animation.
    ///
    /// The ground is what rays from the physics server find in physics frames, from the hip on. What belongs to
    /// the character is no ground: see [method add_exception]. With physics interpolation, set
    /// [member TendonRig2D.callback_mode_process] to physics. The editor shows the pose without ground.
    ///
    /// Below a [CharacterBody2D] it works by itself on the ground only: in the air, feet go with the animation. This
    /// script keeps the thing that the character carries out of the ground:
    ///
    /// ```gdscript
    /// extends CharacterBody2D
    ///
    /// # To turn round, mirror Look, a Node2D: the engine undoes a negative scale of a body.
    /// @onready var feet: TendonFootPlacement2D = $Look/Skeleton2D/TendonRig2D/FootPlacement
    ///
    ///
    /// func carry(crate: RigidBody2D) -> void:
    ///     feet.add_exception(crate)
    /// ```
    ///
    /// Tutorial: the chapter *Feet on the ground* of the manual, `addons/tendon/manual/feet.html`.
    TendonFootPlacement2D {
        new: Stance::new, set_own: Self::set_own, search_up: 30.0, max_pelvis_rise: 0.0
    } {
        /// How high the pelvis is over the ground when the character stands, in the units of the skeleton. Set it
        /// where the rest pose is none of standing, as for a skin that is bound to legs which are spread. With the
        /// default, `0.0`, the rest pose stands.
        #[export(range = (0.0, 200.0, 0.1, or_greater, suffix = "px"))]
        stand_height: f32,
        /// How much of the slope of the ground below its feet the pelvis takes over, from `0.0` to `1.0`: for bodies on four
        /// legs, which do not reach a steep slope else. With the default, `0.0`, the animation turns the pelvis.
        #[export(range = (0.0, 1.0, 0.001))]
        #[var(set = set_body_tilt)]
        body_tilt: f32,
    } impl {
        #[func]
        fn set_body_tilt(&mut self, body_tilt: f32) {
            self.body_tilt = clamp01(body_tilt);
        }
    }
}

impl TendonFootPlacement2D {
    fn set_own(&self, into: &mut Stance) -> bool {
        set(&mut into.stand_height, self.stand_height) | set(&mut into.body_tilt, self.body_tilt)
    }
}

impl EditedModifier for TendonFootPlacement2D {
    fn register_enums() {
        UpSpace::register::<Self>();
        InAir::register::<Self>();
    }
}
