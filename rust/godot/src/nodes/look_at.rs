//! `TendonLookAt2D`.

use std::cell::Cell;
use std::rc::Rc;

use godot::classes::Bone2D;
use godot::prelude::*;
use godot::register::info::PropertyInfo;
use tendon_solver::Solver;
use tendon_solver::look_at::LookAt;

use crate::engine::link::Link;
use crate::nodes::class_enum::StatusOf;
use crate::nodes::modifier::{
    Modifier, PassResult, Reader, Settings, announce, hide, modifier_node, reader_of, warnings_of,
};
use crate::plan::wiring::{Joints, Wiring};

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
    } {
        /// Turns the bone past the target by this angle, in radians.
        #[export(range = (-180.0, 180.0, 0.1, or_less, or_greater, radians_as_degrees))]
        additional_rotation: f32,
    }
}

#[godot_dyn]
impl Modifier for TendonLookAt2D {
    fn wiring(&self) -> Wiring<'_> {
        Wiring {
            joints: Joints::One(("bone", &self.bone)),
            tip: None,
            target: &self.target,
            pole: None,
            matches_rotation: false,
            stretches: false,
            obstacles: None,
        }
    }

    fn settings(&self) -> Settings {
        Settings {
            active: self.active,
            influence: self.influence,
            solver: Solver::LookAt(LookAt {
                additional_rotation: self.additional_rotation,
            }),
            softness: 0.0,
            stretch: 1.0,
            from_base_pose: true,
        }
    }

    fn result(&self) -> &Rc<Cell<PassResult>> {
        &self.result
    }

    fn reader(&self) -> Reader {
        reader_of(self.to_gd())
    }
}
