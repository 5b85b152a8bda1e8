//! `TendonFABRIK2D`.

use std::cell::Cell;
use std::rc::Rc;

use godot::classes::{Bone2D, CollisionShape2D};
use godot::prelude::*;
use godot::register::info::PropertyInfo;
use tendon_solver::Solver;
use tendon_solver::approach::Approach;

use crate::engine::link::{Link, Links};
use crate::nodes::chain::chain_node;
use crate::nodes::class_enum::StatusOf;
use crate::nodes::modifier::{
    Modifier, PassResult, Reader, Settings, announce, hide, modifier_node, reader_of, warnings_of,
};
use crate::plan::wiring::{Joints, Wiring};

chain_node! {
    /// Bends a chain of bones smoothly so that its end reaches a target.
    ///
    /// Forward and backward reaching: the chain is pulled to the target from its end and put
    /// back on its root, again and again. Made for tails, tentacles, ropes and spines.
    ///
    /// The chain bends from the pose that it is given. One that is posed in a gentle arc stays
    /// round; one that is folded up far from its target may unfold in zigzags.
    ///
    /// A reachable target is reached in the same frame: what [member max_iterations] leaves
    /// open, a last exact step closes. Put it below a [TendonRig2D].
    ///
    /// [TendonEffector2D] children give it further tips, each with a target of its own: the
    /// bones from the root to all tips then bend as one tree. Its own tip may then go without a
    /// target, and follows the rest. In a tree, [member softness] eases every tip over the reach of
    /// its own line of bones. [member stretch] lengthens all bones by one factor, the least
    /// that brings each target within the reach of its own tip; where tips pull against one another,
    /// they may be left short of it. [member match_target_rotation] is for the node's own tip.
    TendonFABRIK2D {}
}

#[godot_dyn]
impl Modifier for TendonFABRIK2D {
    fn wiring(&self) -> Wiring<'_> {
        self.chain_wiring()
    }

    fn settings(&self) -> Settings {
        Settings {
            active: self.active,
            influence: self.influence,
            solver: Solver::Fabrik {
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
