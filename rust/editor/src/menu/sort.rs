//! Puts the modifiers of a rig into an order that works, as one undo step.

use godot::prelude::*;
use tendon_nodes::nodes::rig::TendonRig2D;
use tendon_nodes::nodes::rigging::order::ModifierOrder;

use crate::action::Action;
use crate::refusal::Refusal;
use crate::selection::Selection;

/// The children of a rig, in the order that works and in the present order.
pub(super) struct Sorting {
    parent: Gd<Node>,
    order: ModifierOrder,
}

impl Sorting {
    /// The order that works for the modifiers of `rig`.
    ///
    /// # Errors
    /// Why there is nothing to do, or nothing that can be done, in words.
    pub(super) fn of(rig: &Gd<TendonRig2D>) -> Result<Self, Refusal> {
        let order = ModifierOrder::of(rig)?;
        Ok(Self {
            parent: rig.clone().upcast(),
            order: order.ok_or("The modifiers stand in an order that works.")?,
        })
    }

    /// Sorts the children, as one undo step.
    pub(super) fn run(self, selection: &Selection, title: &str) -> Result<(), Refusal> {
        let mut action = Action::begin(title, &selection.scene)?;
        let arguments =
            |index: usize, child: &Gd<Node>| [child.to_variant(), (index as i64).to_variant()];
        for (index, child) in self.order.after.iter().enumerate() {
            action.when_done(&self.parent, "move_child", &arguments(index, child));
        }
        // Undone in the opposite order.
        for (index, child) in self.order.before.iter().enumerate().rev() {
            action.when_undone(&self.parent, "move_child", &arguments(index, child));
        }
        action.commit();
        Ok(())
    }
}
