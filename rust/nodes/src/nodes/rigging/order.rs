//! The children of a rig in an order that works: what others depend on comes before them.

use godot::prelude::*;

use super::names;
use crate::nodes::rig::TendonRig2D;

/// The children of a rig, as they stand and as they should.
pub struct ModifierOrder {
    /// As they stand.
    pub before: Vec<Gd<Node>>,
    /// In an order that works. What is no modifier keeps its place.
    pub after: Vec<Gd<Node>>,
}

impl ModifierOrder {
    /// The order for the modifiers of `rig`, as they are now. `None` if they stand in one that works.
    ///
    /// # Errors
    /// The reason why they cannot be sorted, with advice what to do.
    pub fn of(rig: &Gd<TendonRig2D>) -> Result<Option<Self>, String> {
        let planned = TendonRig2D::new_plan(rig, &[]);
        let (plan, _) = planned.ok_or("The rig is not in the tree, or not below a Skeleton2D.")?;
        let modifiers = plan.modifiers.iter();
        let nodes = modifiers.filter_map(|modifier| modifier.node().alive().cloned());
        let (nodes, order) = (nodes.collect::<Vec<_>>(), plan.working_order());
        if order.is_sorted() || nodes.len() < order.len() {
            return Ok(None);
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
        let mut sorted = sorted.into_iter();
        let after = before.iter().map(|child| match nodes.contains(child) {
            true => sorted.next().unwrap_or_else(|| child.clone()),
            false => child.clone(),
        });
        let after = after.collect();
        Ok(Some(Self { before, after }))
    }
}
