//! `TendonLookAt2D`.

use godot::classes::Bone2D;
use godot::prelude::*;
use tendon_solver::LookAt;
use tendon_solver::Solver;

use crate::engine::link::Link;
use crate::nodes::modifier::{MenuBones, MenuEntry, ModifierClass, modifier_node};
use crate::plan::modifier::{Modifier, SolverSettings};
use crate::plan::references::{Joints, References};

modifier_node! {
    /// Turns one bone so that it points at a target.
    ///
    /// Use it for a head that follows the mouse, an eye or a turret. Add it below a [TendonRig2D].
    /// To keep a head from turning too far, add a [TendonJointLimit2D] below its bone.
    ///
    /// The bone points along its own axis: the line to its first child bone, or its *Bone Angle* if
    /// it has no child bone. If the picture of the bone points elsewhere, set
    /// [member additional_rotation]. If the target is exactly on the joint of the bone, the bone
    /// keeps its rotation.
    ///
    /// This script makes a head look at the mouse:
    ///
    /// ```gdscript
    /// extends Node2D
    ///
    /// @onready var head: TendonLookAt2D = $Skeleton2D/TendonRig2D/HeadLookAt
    ///
    ///
    /// func _process(_delta: float) -> void:
    ///     head.target.global_position = get_global_mouse_position()
    /// ```
    ///
    /// Tutorial: the chapter *From sprite parts to a walking character* of the manual,
    /// `addons/tendon/manual/guide.html`, part 3.
    TendonLookAt2D {
        /// The bone to turn. Without a bone the modifier is idle.
        #[export]
        bone: Link<Bone2D>,
    } target {
        /// An angle in radians that is added after the bone points at the target. The default,
        /// `0.0`, points exactly at it. Change it if the artwork points in another direction than
        /// the bone.
        #[export(range = (-180.0, 180.0, 0.1, or_less, or_greater, radians_as_degrees))]
        additional_rotation: f32,
    }
}

#[godot_dyn]
impl Modifier for TendonLookAt2D {
    fn references(&self) -> References<'_> {
        References {
            target: Some(&self.target),
            ..References::new(Joints::One(("bone", &self.bone)))
        }
    }

    fn solver(&self) -> SolverSettings {
        let look_at = LookAt {
            additional_rotation: self.additional_rotation,
        };
        Solver::LookAt(look_at).into()
    }
}

impl ModifierClass for TendonLookAt2D {
    const MENU: MenuEntry = MenuEntry {
        title: "Add Look-At",
        help: "The selected bone points at a new target.",
        bones: MenuBones::One("bone"),
    };
}
