//! The children of a rig in an order that works: what others depend on comes before them.

use godot::prelude::*;

use super::names;
use crate::nodes::rig::TendonRig2D;

impl TendonRig2D {
    /// The children of `rig` in an order that works for the modifiers, as they are now: what is none keeps its
    /// place. `None` if they stand in such an order.
    ///
    /// # Errors
    /// The reason why they cannot be sorted, with advice what to do.
    pub fn sorted_children(rig: &Gd<Self>) -> Result<Option<Vec<Gd<Node>>>, String> {
        let planned = Self::new_plan(rig, &[]);
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
        let mut sorted = sorted.into_iter();
        let children = parent.get_children();
        let children = children.iter_shared().map(|child| {
            let next = nodes.contains(&child).then(|| sorted.next());
            next.flatten().unwrap_or(child)
        });
        Ok(Some(children.collect()))
    }
}
