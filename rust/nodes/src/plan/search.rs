//! The search for what a modifier refers to, and what comes to light on the way.

use std::rc::Rc;

use godot::classes::Curve;
use godot::prelude::*;

use crate::plan::bones::Bones;
use crate::plan::result::Subject;
use crate::warnings::problem::Problem;

/// The search for what one modifier refers to.
pub(crate) struct Search<'a> {
    /// Those of the whole plan.
    pub(crate) bones: &'a mut Bones,
    /// Problems of the modifier with which it works all the same.
    pub(crate) flaws: Vec<Problem>,
    /// The nodes that belong to it.
    pub(crate) children: Vec<Rc<dyn PlannedChild>>,
    pub(super) node: Gd<Node>,
    /// `true` if it lets go of its target slowly.
    pub(super) lingers: bool,
    /// `true` if it reaches for a place, which no node marks.
    pub(super) has_place: bool,
    /// `true` if another modifier has it reach for something.
    pub(super) is_placed: bool,
}

impl Search<'_> {
    /// The values of `curve` at each of `joints` joints, from the first at `0.0` to the last at `1.0`.
    /// Nothing without a curve. The plan is made again when it changes.
    pub(crate) fn sample(&mut self, curve: Option<&Gd<Curve>>, joints: usize) -> Vec<f32> {
        let Some(curve) = curve else {
            return Vec::new();
        };
        let resource = curve.clone().upcast();
        self.bones.resources.push((self.node.clone(), resource));
        let last = joints.saturating_sub(1).max(1) as f32;
        let along = (0..joints).map(|joint| joint as f32 / last);
        along.map(|part| curve.sample_baked(part)).collect()
    }
}

/// A node below a modifier that belongs to it, such as an effector, as a plan knows it. What the modifier does with it is the
/// modifier's own.
pub(crate) trait PlannedChild {
    /// Returns `true` if the node is there, and none of its properties was set to another node since the plan
    /// was made.
    fn is_current(&self) -> bool;
    /// The problem with it, if there is one.
    fn problem(&self) -> Option<&Problem>;
    /// The node and its problems, unless it was freed.
    fn subject(&self) -> Option<Subject>;
    /// Forgets the last pass.
    fn go_idle(&self);
}
