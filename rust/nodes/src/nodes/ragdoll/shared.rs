//! What a ragdoll's node and its plan share: what scripts ask for, and what came of it.

use std::cell::{Cell, RefCell};

use godot::classes::{Bone2D, Node2D};
use godot::prelude::*;
use tendon_solver::glam::Vec2;
use tendon_solver::{RagdollMemory, RagdollPhase, Whereabouts};

use super::facing::Facing;
use crate::engine::link::Link;
use crate::nodes::world::KnownWorld;

/// An impulse that a script has asked for, or a joint that is to break.
pub(super) struct PendingPush {
    /// None breaks the joint of the bone.
    pub(super) impulse: Option<Vec2>,
    pub(super) bone: Option<InstanceId>,
    pub(super) position: Option<Vec2>,
    /// The method that it was passed to.
    pub(super) method: &'static str,
}

/// A point of a bone that a script has grabbed.
pub(super) struct Grip {
    pub(super) bone: InstanceId,
    /// In the bone's frame.
    pub(super) point: Vec2,
    pub(super) target: Link<Node2D>,
}

impl Grip {
    pub(super) fn new(bone: &Gd<Bone2D>, point: Vec2, target: Gd<Node2D>) -> Self {
        Self {
            bone: bone.instance_id(),
            point,
            target: Link::to(target),
        }
    }
}

/// Shared by a node and its plan.
#[derive(Default)]
pub(super) struct Exchange {
    pub(super) pushes: RefCell<Vec<PendingPush>>,
    pub(super) grips: RefCell<Vec<Grip>>,
    /// The bodies that are met, and those that are not.
    pub(super) world: KnownWorld,
    pub(super) phase: Cell<RagdollPhase>,
    pub(super) facing: Cell<Facing>,
    /// The bones whose joints are broken.
    pub(super) broken: RefCell<Vec<InstanceId>>,
    /// The place of the body, or where it is about to be let go.
    pub(super) whereabouts: Cell<Whereabouts>,
    /// `true` if a script was told that an impulse had no effect.
    pub(super) warned: Cell<bool>,
    /// The state of the body in the skeleton when the rig left the tree.
    pub(super) parted: RefCell<Option<RagdollMemory>>,
    /// The direction of gravity.
    pub(super) down: Cell<Vec2>,
    /// The layers of what is met.
    pub(super) mask: Cell<u32>,
}

impl Exchange {
    pub(super) fn facing(&self) -> Facing {
        self.facing.get()
    }

    /// Returns the place of the body, if it was simulated in the last pass.
    pub(super) fn simulated(&self) -> Option<Whereabouts> {
        let phase = self.phase.get();
        let is_simulated = matches!(phase, RagdollPhase::Falling | RagdollPhase::Lying);
        is_simulated.then(|| self.whereabouts.get())
    }

    /// Returns `true` if the body lies still.
    pub(super) fn lies(&self) -> bool {
        self.phase.get() == RagdollPhase::Lying
    }

    /// Forgets the pushes that a pass has taken.
    pub(super) fn take_pushes(&self, taken: usize) {
        let mut pushes = self.pushes.borrow_mut();
        let count = pushes.len();
        pushes.drain(..taken.min(count));
    }
}
