//! What keeps a modifier from being solved whose status is invalid, in words.

use godot::prelude::*;
use tendon_solver::Modifier;

use crate::engine::space::{frame_of, frame_of_space};
use crate::plan::Plan;
use crate::plan::modifier::PlannedModifier;
use crate::warnings::problem::Problem;

impl Plan {
    /// Prints in a running game, once for each modifier, what is wrong with what it reads. A script that listens
    /// to the log may free nodes.
    pub(crate) fn warn_of_invalid(&self, planned: &PlannedModifier, solved: &Modifier) {
        let cause = Problem::NotFinite {
            what: String::new(),
        };
        if self.in_editor || planned.result().was_told(&cause) {
            return;
        }
        if let Some(mut subject) = planned.subject() {
            let what = self.find_invalid(planned, solved);
            subject.problems = vec![Problem::NotFinite { what }];
            subject.warn();
        }
    }

    /// The first of skeleton, bones and what it reads that is not finite, or scaled to nothing.
    fn find_invalid(&self, planned: &PlannedModifier, solved: &Modifier) -> String {
        let is_sound = |transform: Transform2D| {
            let space = frame_of_space(transform);
            space.is_finite() && space.matrix2.determinant() != 0.0
        };
        let skeleton = self.skeleton.get_global_transform();
        if !skeleton.is_some_and(is_sound) {
            return "The transform of the skeleton".into();
        }
        let mut joints = solved.parts().joints().iter();
        let line = joints.next_back().map(|&last| self.line_up(last));
        let mut line = line.into_iter().flatten();
        let bone = line.find(|&index| {
            let bone = &self.rig.bones[index];
            let sum = bone.rotation + bone.skew + bone.position.length();
            !sum.is_finite() || bone.scale.x * bone.scale.y == 0.0 || !bone.scale.is_finite()
        });
        if let Some(node) = bone.and_then(|index| self.bones.get(index).node()) {
            return format!("The transform of the bone \"{}\"", node.get_name());
        }
        let nodes = planned
            .nodes()
            .into_iter()
            .flat_map(|nodes| nodes.node_references());
        let inputs = nodes.filter_map(|reference| reference.input()?.node.alive().cloned());
        let mut inputs = inputs.filter(|node| node.is_inside_tree());
        match inputs.find(|node| !frame_of(node.get_global_transform()).is_finite()) {
            Some(node) => format!("The transform of \"{}\"", node.get_name()),
            None => "A number that this modifier reads or computes".into(),
        }
    }

    /// A bone and the bones above it.
    fn line_up(&self, bone: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(Some(bone), |&index| self.rig.bones[index].parent)
    }
}
