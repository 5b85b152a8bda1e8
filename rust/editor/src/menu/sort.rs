//! Puts the modifiers of a rig into an order that works, as one undo step.

use godot::prelude::*;
use tendon_nodes::nodes::rig::TendonRig2D;

use crate::action::Action;
use crate::notice::names;
use crate::selection::Selection;

/// The children of a rig, in the order that works and in the present order.
pub(super) struct Sorting {
    parent: Gd<Node>,
    after: Vec<Gd<Node>>,
    before: Vec<Gd<Node>>,
}

impl Sorting {
    /// The order that works for the modifiers of `rig`.
    ///
    /// # Errors
    /// Why there is nothing to do, or nothing that can be done, in words.
    pub(super) fn of(rig: &Gd<TendonRig2D>) -> Result<Self, String> {
        let (nodes, order) = {
            let rig = rig.bind();
            let plan = rig.plan().ok_or("The rig has not run yet.")?;
            let modifiers = plan.modifiers.iter();
            let nodes: Vec<_> = modifiers
                .filter_map(|modifier| modifier.node().alive().cloned())
                .collect();
            (nodes, plan.working_order())
        };
        if order.is_sorted() || nodes.len() < order.len() {
            return Err("The modifiers stand in an order that works.".into());
        }
        let parent = rig.clone().upcast::<Node>();
        let sorted: Vec<_> = order.iter().map(|&index| nodes[index].clone()).collect();
        let is_child = |node: &Gd<Node>| node.get_parent().as_ref() == Some(&parent);
        if !nodes.iter().all(is_child) {
            return Err(format!(
                "Only modifiers that are children of the rig itself can be sorted. Move them by \
                 hand. The order that works is: {}.",
                names(sorted)
            ));
        }
        let before: Vec<_> = parent.get_children().iter_shared().collect();
        // Whatever else is there keeps its place.
        let mut sorted = sorted.into_iter();
        let after = before.iter().map(|child| match nodes.contains(child) {
            true => sorted.next().unwrap_or_else(|| child.clone()),
            false => child.clone(),
        });
        let after = after.collect();
        Ok(Self {
            parent,
            after,
            before,
        })
    }

    /// Sorts the children, as one undo step.
    pub(super) fn run(self, selection: &Selection, title: &str) -> Result<(), String> {
        let mut action = Action::begin(title, &selection.scene)?;
        let arguments =
            |index: usize, child: &Gd<Node>| [child.to_variant(), (index as i64).to_variant()];
        for (index, child) in self.after.iter().enumerate() {
            action.when_done(&self.parent, "move_child", &arguments(index, child));
        }
        // Undone in the opposite order.
        for (index, child) in self.before.iter().enumerate().rev() {
            action.when_undone(&self.parent, "move_child", &arguments(index, child));
        }
        action.commit();
        Ok(())
    }
}
