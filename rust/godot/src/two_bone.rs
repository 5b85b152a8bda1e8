//! `TendonTwoBoneIK2D`.

use std::cell::Cell;
use std::rc::Rc;

use godot::classes::Bone2D;
use godot::prelude::*;
use tendon_solver::Solver;
use tendon_solver::two_bone::TwoBone;

use crate::link::Link;
use crate::modifier::{
    Modifier, PassResult, Reader, Settings, announce, modifier_node, reader_of, warnings_of,
};
use crate::wiring::{Joints, Wiring};

modifier_node! {
    /// Bends two bones, an arm or a leg, so that their end reaches a target.
    ///
    /// Exact, in one step. A target that is too far is pointed at with both bones straight; one
    /// that is too near is met as closely as the folded limb allows. The limb never freezes.
    ///
    /// The elbow keeps its side. When the character is mirrored (`scale.x = -1` on a node above
    /// the skeleton), the bend mirrors with it.
    ///
    /// Put it below a [TendonRig2D].
    TendonTwoBoneIK2D {
        /// The upper bone: upper arm or thigh.
        #[export]
        bone_one: Link<Bone2D>,
        /// The lower bone: forearm or shin. It hangs below `bone_one`; bones between the two
        /// keep their rotation.
        #[export]
        bone_two: Link<Bone2D>,
        /// The point that reaches the target: any node below `bone_two`. If empty, the end of
        /// `bone_two` is used.
        #[export]
        tip: Link<Node2D>,
        /// Bends the limb to the other side.
        #[export]
        flip_bend_direction: bool,
    }
}

#[godot_dyn]
impl Modifier for TendonTwoBoneIK2D {
    fn wiring(&self) -> Wiring<'_> {
        Wiring {
            joints: Joints::Two(("bone_one", &self.bone_one), ("bone_two", &self.bone_two)),
            tip: Some(&self.tip),
            target: &self.target,
            obstacles: None,
        }
    }

    fn settings(&self) -> Settings {
        Settings {
            active: self.active,
            influence: self.influence,
            solver: Solver::TwoBone(TwoBone {
                flip_bend_direction: self.flip_bend_direction,
                ..TwoBone::default()
            }),
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
