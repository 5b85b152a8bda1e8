//! One undo step.

use godot::classes::{EditorInterface, EditorUndoRedoManager, Object};
use godot::prelude::*;
use tendon_nodes::engine::node_pose::NodePose;
use tendon_nodes::nodes::rig::TendonRig2D;
use tendon_nodes::nodes::rigging::adding::Adding;

use crate::refusal::Refusal;
use crate::selection::selected_nodes;

pub(super) const NO_HISTORY: &str = "This scene has no undo history.";

/// An undo step that is being put together. Its parts are done in the order in which they are
/// added, and undone in the opposite order.
pub(super) struct Action {
    manager: Gd<EditorUndoRedoManager>,
    scene: Gd<Node>,
}

impl Action {
    /// Begins the step called `title`, in the history of the scene whose root is `scene`.
    ///
    /// # Errors
    /// That there is no history, in words.
    pub(super) fn begin(title: &str, scene: &Gd<Node>) -> Result<Self, Refusal> {
        let manager = EditorInterface::singleton().get_editor_undo_redo();
        let mut manager = manager.ok_or(NO_HISTORY)?;
        let action = manager.create_action_ex(title);
        action.custom_context(scene).backward_undo_ops(true).done();
        // New nodes are outside the tree, where the manager cannot assign them to a scene.
        manager.force_fixed_history();
        Ok(Self {
            manager,
            scene: scene.clone(),
        })
    }

    /// Adds `child`, a new node, to `parent` and to the scene's file.
    pub(super) fn add_child(&mut self, parent: &Gd<Node>, child: &Gd<Node>) {
        let arguments = [child.to_variant(), true.to_variant()];
        self.when_done(parent, "add_child", &arguments);
        self.own(parent, child);
    }

    /// Has the scene's file contain `child`, which is added to `parent`.
    fn own(&mut self, parent: &Gd<Node>, child: &Gd<Node>) {
        self.when_done(child, "set_owner", &[self.scene.to_variant()]);
        self.manager.add_do_reference(child);
        self.when_undone(parent, "remove_child", &[child.to_variant()]);
    }

    /// Adds `child`, a new node, after `sibling` and to the scene's file.
    pub(super) fn add_after(&mut self, sibling: &Gd<Node>, child: &Gd<Node>) {
        let arguments = [child.to_variant(), true.to_variant()];
        self.when_done(sibling, "add_sibling", &arguments);
        if let Some(parent) = sibling.get_parent() {
            self.own(&parent, child);
        }
    }

    /// Adds `child`, a new node, before `sibling` and to the scene's file.
    pub(super) fn add_before(&mut self, sibling: &Gd<Node>, child: &Gd<Node>) {
        let Some(parent) = sibling.get_parent() else {
            return;
        };
        let index = sibling.get_index();
        if index > 0
            && let Some(before) = parent.get_child(index - 1)
        {
            return self.add_after(&before, child);
        }
        let node = child.to_variant();
        self.when_done(&parent, "add_child", &[node.clone(), true.to_variant()]);
        self.when_done(&parent, "move_child", &[node, 0.to_variant()]);
        self.own(&parent, child);
    }

    /// Takes `node`, which has no children, out of the scene. It comes back to where it is now.
    pub(super) fn remove(&mut self, node: &Gd<Node>) {
        let Some(parent) = node.get_parent() else {
            return;
        };
        let variant = node.to_variant();
        self.when_done(&parent, "remove_child", std::slice::from_ref(&variant));
        // Undone in the opposite order.
        self.when_undone(node, "set_owner", &[node.get_owner().to_variant()]);
        let place = [variant.clone(), node.get_index().to_variant()];
        self.when_undone(&parent, "move_child", &place);
        self.when_undone(&parent, "add_child", &[variant, true.to_variant()]);
        self.manager.add_undo_reference(node);
    }

    /// Sets a property, whose value is `before` now.
    pub(super) fn set<T: Inherits<Object>>(
        &mut self,
        object: &Gd<T>,
        property: &str,
        before: &Variant,
        after: &Variant,
    ) {
        let object = object.clone().upcast::<Object>();
        self.manager.add_do_property(&object, property, after);
        self.manager.add_undo_property(&object, property, before);
    }

    /// Gives a node a mark in place of `before`, or takes it away. It is metadata, and saved with the scene.
    pub(super) fn mark<T: Inherits<Object>>(
        &mut self,
        node: &Gd<T>,
        mark: &str,
        before: Option<Variant>,
        after: Option<Variant>,
    ) {
        let call = |value: Option<Variant>| match value {
            Some(value) => ("set_meta", vec![mark.to_variant(), value]),
            None => ("remove_meta", vec![mark.to_variant()]),
        };
        if before == after {
            return;
        }
        let [(done, with), (undone, without)] = [after, before].map(call);
        self.when_done(node, done, &with);
        self.when_undone(node, undone, &without);
    }

    /// Gives a node, which has the pose `before`, the pose `after`.
    pub(super) fn pose(&mut self, before: &NodePose, after: &NodePose) {
        let values = before.properties().into_iter().zip(after.properties());
        for ((property, before), (_, value)) in values {
            self.set(&after.node, property, &before, &value);
        }
    }

    /// Frees `node`, which is in the scene while the step is done, with the history when it is undone.
    pub(super) fn keep_done(&mut self, node: &Gd<Node>) {
        self.manager.add_do_reference(node);
    }

    /// The other way round.
    pub(super) fn keep_undone(&mut self, node: &Gd<Node>) {
        self.manager.add_undo_reference(node);
    }

    /// Calls a method when the step is done.
    pub(super) fn when_done<T: Inherits<Object>>(
        &mut self,
        object: &Gd<T>,
        method: &str,
        arguments: &[Variant],
    ) {
        let object = object.clone().upcast::<Object>();
        self.manager.add_do_method(&object, method, arguments);
    }

    /// Calls a method when the step is undone: before whatever was added earlier is undone.
    pub(super) fn when_undone<T: Inherits<Object>>(
        &mut self,
        object: &Gd<T>,
        method: &str,
        arguments: &[Variant],
    ) {
        let object = object.clone().upcast::<Object>();
        self.manager.add_undo_method(&object, method, arguments);
    }

    /// Puts the modifiers of `rig` into an order that works, with those that the step has added.
    pub(super) fn sort_modifiers(&mut self, rig: &Gd<TendonRig2D>) {
        self.when_done(rig, "sort_modifiers", &[]);
        // Undone in the opposite order.
        for index in (0..rig.get_child_count()).rev() {
            let place = [rig.get_child(index).to_variant(), index.to_variant()];
            self.when_undone(rig, "move_child", &place);
        }
    }

    /// Selects `nodes`, all of them in the tree by then.
    pub(super) fn select(&mut self, nodes: &[Gd<Node>]) {
        let Some(selection) = EditorInterface::singleton().get_selection() else {
            return;
        };
        let selected = selected_nodes();
        let selection: Gd<Object> = selection.upcast();
        self.when_done(&selection, "clear", &[]);
        for node in nodes {
            self.when_done(&selection, "add_node", &[node.to_variant()]);
        }
        for node in selected {
            self.when_undone(&selection, "add_node", &[node.to_variant()]);
        }
        self.when_undone(&selection, "clear", &[]);
    }

    /// Does the step and adds it to the history.
    pub(super) fn commit(mut self) {
        self.manager.commit_action();
    }
}

impl Adding for Action {
    fn add_child(&mut self, parent: &Gd<Node>, child: &Gd<Node>) {
        Self::add_child(self, parent, child);
    }

    fn move_child(&mut self, parent: &Gd<Node>, child: &Gd<Node>, index: i32) {
        self.when_done(
            parent,
            "move_child",
            &[child.to_variant(), index.to_variant()],
        );
    }
}
