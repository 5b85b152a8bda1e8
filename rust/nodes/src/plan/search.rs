//! The search for what a modifier refers to, and what comes to light on the way.

use std::rc::Rc;

use godot::prelude::*;

use crate::plan::bones::Bones;
use crate::plan::child::PlannedChild;
use crate::warnings::problem::Problem;

/// The search for what one modifier refers to.
pub(crate) struct Search<'a> {
    /// Those of the whole plan.
    pub(crate) bones: &'a mut Bones,
    /// What is wrong with the modifier, although it works.
    pub(crate) flaws: Vec<Problem>,
    /// The nodes that belong to it.
    pub(crate) children: Vec<Rc<dyn PlannedChild>>,
    pub(super) node: Gd<Node>,
    /// Whether it lets go of its target slowly.
    pub(super) lingers: bool,
    /// Whether it reaches for a place, which no node marks.
    pub(super) has_place: bool,
    /// Whether another modifier has it reach for something.
    pub(super) is_placed: bool,
}

impl Search<'_> {
    /// The plan is made again when `resource` changes, which a property is set to.
    pub(super) fn depend_on_resource<T: Inherits<Resource>>(&mut self, resource: &Gd<T>) {
        let resource = resource.clone().upcast();
        self.bones.resources.push((self.node.clone(), resource));
    }
}
