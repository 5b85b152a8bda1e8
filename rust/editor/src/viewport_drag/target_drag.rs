//! A drag of a node by its handle, for example of a target while its modifier is selected.
//!
//! The editor's own move tool carries it out, as if the node itself were selected and dragged: so
//! it snaps, inserts keys and has its name in the undo history. The node is selected meanwhile, and
//! nobody is told: the inspector and the scene dock still show what the user has selected.

use godot::classes::{Control, EditorInterface, InputEventMouseButton};
use godot::global::{MouseButton, MouseButtonMask};
use godot::prelude::*;

use crate::selection::{edited_node, is_edited, select, selected_nodes};
use crate::viewport_drag::watch::Watch;
use crate::viewport_event::CLICK;

/// A handle of a node that is pressed, or dragged.
pub(crate) struct TargetDrag {
    pub(crate) node: InstanceId,
    /// The place where the mouse was pressed, in pixels of the viewport.
    press: Vector2,
    /// While the editor drags the node: what the user has selected, and where the node was.
    begun: Option<(Vec<Gd<Node>>, Variant)>,
    watch: Watch,
}

impl TargetDrag {
    /// The 2D node `node` is pressed with the mouse at `press`, in the viewport of `plugin`.
    pub(crate) fn new<P: Inherits<Object>>(
        node: InstanceId,
        press: Vector2,
        plugin: &Gd<P>,
    ) -> Self {
        Self {
            node,
            press,
            begun: None,
            watch: Watch::new(plugin, edited_node(node)),
        }
    }

    /// Returns `true` if the editor drags the node.
    pub(super) fn has_begun(&self) -> bool {
        self.begun.is_some()
    }

    /// Returns `true` if the mouse at `mouse` drags, and does not only click.
    pub(super) fn is_far(&self, mouse: Vector2, scale: f32) -> bool {
        mouse.distance_to(self.press) > CLICK * scale
    }

    /// Has the move tool of `viewport` take the node.
    pub(super) fn begin(&mut self, viewport: &Gd<Control>) {
        let editor = EditorInterface::singleton();
        let Some((node, mut selection)) = self.node().zip(editor.get_selection()) else {
            return;
        };
        self.begun = Some((selected_nodes(), node.get(POSITION)));
        selection.set_block_signals(true);
        selection.clear();
        selection.add_node(&node);
        let mut event = InputEventMouseButton::new_gd();
        event.set_button_index(MouseButton::LEFT);
        event.set_button_mask(MouseButtonMask::LEFT);
        event.set_pressed(true);
        // With Alt, the tool takes what is selected, wherever the mouse is.
        event.set_alt_pressed(true);
        event.set_position(self.press);
        event.set_global_position(viewport.get_global_transform() * self.press);
        viewport
            .clone()
            .emit_signal("gui_input", &[event.to_variant()]);
    }

    /// Selects again what the user has selected. A handle that was not dragged was clicked: that
    /// selects its node.
    pub(super) fn end(self) {
        match (&self.begun, self.node()) {
            (Some((nodes, _)), _) => {
                select(nodes);
                unblock_after_frame();
            }
            (None, Some(node)) => select(&[node]),
            (None, None) => {}
        }
    }

    /// Puts the node back and has the editor's tool let go of it, which it does when another selection is told.
    pub(super) fn forsake(self) {
        let Some((nodes, position)) = self.begun else {
            return;
        };
        if let Ok(mut node) = Gd::<Node>::try_from_instance_id(self.node) {
            node.set(POSITION, &position);
        }
        let Some(mut selection) = EditorInterface::singleton().get_selection() else {
            return;
        };
        // Another scene has its own.
        if nodes.iter().any(is_edited) {
            select(&nodes);
        }
        selection.set_block_signals(false);
        selection.emit_signal("selection_changed", &[]);
    }

    /// Returns `true` if the node is still there, and is the one that the editor's tool moves: that crashes with nodes
    /// that are no longer selected, and is not told that they are not.
    pub(super) fn is_whole(&self) -> bool {
        let is_moved = |node: Gd<Node>| selected_nodes() == [node];
        self.watch.is_whole() && (!self.has_begun() || self.node().is_some_and(is_moved))
    }

    /// The position of the node, in the frame of its parent.
    pub(crate) fn position(&self) -> Option<Vector2> {
        let node = self.node()?.try_cast::<Node2D>().ok()?;
        Some(node.get_position())
    }

    fn node(&self) -> Option<Gd<Node>> {
        edited_node(self.node)
    }
}

const POSITION: &str = "position";

/// The editor tells of a changed selection once in a frame. As before the drag the same is selected, nobody is told:
/// the animation editor would go back to the beginning of its animation, and lose what has no key yet.
fn unblock_after_frame() {
    let editor = EditorInterface::singleton();
    let Some((selection, base)) = editor.get_selection().zip(editor.get_base_control()) else {
        return;
    };
    let unblock = selection.callable("set_block_signals").bind(vslice![false]);
    if let Some(mut timer) = base.get_tree().create_timer(0.0) {
        timer.connect("timeout", &unblock);
    }
}
