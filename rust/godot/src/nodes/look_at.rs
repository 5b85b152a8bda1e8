//! `TendonLookAt2D`.

use godot::classes::Bone2D;
use godot::prelude::*;
use tendon_solver::Solver;
use tendon_solver::LookAt;

use crate::engine::link::Link;
use crate::nodes::modifier::{MenuBones, MenuEntry, ModifierClass, modifier_node};
use crate::plan::modifier::{Modifier, SolverSettings};
use crate::plan::references::{Joints, References};

modifier_node! {
    /// Turns one bone so that it points at a target.
    ///
    /// A head that follows the mouse, an eye, a turret. The bone's own axis is what points:
    /// the line to its first child bone, or, for a bone without one, its `bone_angle`.
    /// Mirrored, stretched and skewed parents need no care.
    ///
    /// Put it below a [TendonRig2D]. A target exactly on the bone's joint can be seen from
    /// every angle; the bone then keeps the one it has.
    TendonLookAt2D {
        /// The bone to turn.
        #[export_group(name = "Bones")]
        #[export]
        bone: Link<Bone2D>,
    } target {
        /// Turns the bone past the target by this angle, in radians.
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
