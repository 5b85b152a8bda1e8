//! `TendonCCDIK2D`.

use std::cell::Cell;
use std::rc::Rc;

use godot::classes::{Bone2D, CollisionShape2D};
use godot::prelude::*;
use godot::register::info::PropertyInfo;
use tendon_solver::Solver;
use tendon_solver::approach::Approach;
use tendon_solver::ccd::Ccd;

use crate::engine::link::{Link, Links};
use crate::nodes::chain::chain_node;
use crate::nodes::class_enum::StatusOf;
use crate::nodes::modifier::{
    Modifier, PassResult, Reader, Settings, announce, hide, modifier_node, reader_of, warnings_of,
};
use crate::plan::wiring::{Joints, Wiring};

chain_node! {
    /// Bends a chain of bones, joint by joint, so that its end reaches a target.
    ///
    /// Cyclic coordinate descent: each joint in turn brings the end onto its line to the
    /// target. From tip to root the end of the chain curls first, like a robot's gripper; from
    /// root to tip ([member root_first]) the chain stays stiffer.
    ///
    /// A reachable target is reached in the same frame: what [member max_iterations] leaves
    /// open, a last exact step closes. Put it below a [TendonRig2D].
    TendonCCDIK2D {
        /// Sweeps from the root to the tip instead of from the tip to the root.
        #[export]
        root_first: bool,
    }
}

#[godot_dyn]
impl Modifier for TendonCCDIK2D {
    fn wiring(&self) -> Wiring<'_> {
        self.chain_wiring()
    }

    fn settings(&self) -> Settings {
        Settings {
            active: self.active,
            influence: self.influence,
            solver: Solver::Ccd {
                ccd: Ccd {
                    root_first: self.root_first,
                },
                approach: self.approach(),
            },
            softness: self.softness,
            stretch: self.stretch,
            from_base_pose: self.deterministic,
        }
    }

    fn result(&self) -> &Rc<Cell<PassResult>> {
        &self.result
    }

    fn reader(&self) -> Reader {
        reader_of(self.to_gd())
    }
}
