//! Moves what is drawn below physical bones to the bones that follow the ragdoll.

use godot::classes::Bone2D;
use godot::prelude::*;
use tendon_nodes::nodes::rigging::names;

use crate::convert::deactivation::Deactivation;
use crate::convert::stack_reader::{OldKind, OldModification};
use crate::parts::animations::{PLACE, rewrite, tracks_of};
use crate::parts::bone::free_name;
use crate::parts::kinds::is_moved;
use crate::parts::moves::{CallStep, Moves, owners};
use crate::selection::is_saved_with;

/// The drawings that are moved from physical bones to bones.
#[derive(Default)]
pub(super) struct MovedDrawings {
    pub(super) step: CallStep,
    /// The nodes that could not be moved.
    kept: Vec<Gd<Node>>,
}

impl MovedDrawings {
    /// Of all physical bones in `old` that are not below their bones. The root of the scene is
    /// `scene`.
    pub(super) fn of(
        old: &[OldModification],
        scene: &Gd<Node>,
        deactivation: &Deactivation,
    ) -> Self {
        let mut this = Self::default();
        let pairs = old.iter().flat_map(|old| match &old.kind {
            OldKind::PhysicalBones { joints, nodes, .. } => {
                let bones = joints.iter().map(|joint| joint.bone.clone());
                let pairs = nodes.iter().zip(bones);
                pairs
                    .filter_map(|(node, bone)| Some((node.clone(), bone?)))
                    .collect()
            }
            _ => Vec::new(),
        });
        let pairs: Vec<_> = pairs
            .filter(|(node, bone)| !bone.is_ancestor_of(node))
            .collect();
        if pairs.is_empty() {
            return this;
        }
        deactivation.hide();
        let tracks = tracks_of(scene);
        let mut moves = Moves::new(scene);
        for (node, bone) in pairs {
            let children = node.get_children();
            let mut children: Vec<_> = children.iter_shared().collect();
            children.retain(|child| child.is_class("Node2D") && !child.is_class("Joint2D"));
            for (index, child) in (0..).zip(children) {
                if is_moved(&child, &tracks) || !is_saved_with(scene, &child) {
                    this.kept.push(child);
                    continue;
                }
                this.move_to(&bone, index, &child, &mut moves);
            }
        }
        moves.rewrite_properties(&mut this.step);
        // It refuses tracks of parts only.
        let _ = rewrite(&moves, &mut this.step);
        this
    }

    /// Moves `child` to `bone`, before what is there, without a change of where it is.
    fn move_to(&mut self, bone: &Gd<Bone2D>, index: i64, child: &Gd<Node>, moves: &mut Moves) {
        let (Some(parent), Ok(drawing)) = (child.get_parent(), child.clone().try_cast::<Node2D>())
        else {
            return;
        };
        let bone: Gd<Node> = bone.clone().upcast();
        let above = bone.clone().cast::<Bone2D>().get_global_transform();
        let place = above.affine_inverse() * drawing.get_global_transform();
        let name = free_name(&bone, &child.get_name().to_string());
        moves.place(child, &bone, &name);
        let (step, node) = (&mut self.step, child.to_variant());
        step.when_done(&parent, "remove_child", std::slice::from_ref(&node));
        step.when_undone(&bone, "remove_child", std::slice::from_ref(&node));
        step.set(child, "name", &name.to_variant());
        let add = [node.clone(), true.to_variant()];
        step.when_done(&bone, "add_child", &add);
        step.when_done(&bone, "move_child", &[node.clone(), index.to_variant()]);
        step.when_undone(&parent, "add_child", &add);
        let before = child.get_index().to_variant();
        step.when_undone(&parent, "move_child", &[node, before]);
        let values = [
            place.origin.to_variant(),
            place.rotation().to_variant(),
            place.scale().to_variant(),
            place.skew().to_variant(),
        ];
        for (property, value) in PLACE.iter().zip(values) {
            step.set(child, property, &value);
        }
        for (node, owner) in owners(std::slice::from_ref(child), &parent) {
            let owner = owner.to_variant();
            step.when_done(&node, "set_owner", std::slice::from_ref(&owner));
            step.when_undone(&node, "set_owner", &[owner]);
        }
    }

    /// The text about nodes that may be deleted, as the end of the note about a ragdoll.
    pub(super) fn told(&self) -> String {
        match self.kept.is_empty() {
            true => "the others can be deleted: what was drawn below them is now below the bones."
                .into(),
            false => format!(
                "the others can be deleted once {} stand below the bones: animations or other scenes place these.",
                names(self.kept.iter().cloned())
            ),
        }
    }
}
