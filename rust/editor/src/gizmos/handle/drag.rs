//! A drag: the property follows the mouse at once, and the whole drag becomes one undo step at its
//! end.

use godot::classes::EditorInterface;
use godot::prelude::*;

use crate::action::Action;
use crate::gizmos::handle::drag_mapper::{DragMapper, DragStart};
use crate::gizmos::handle::property::HandleValue;
use crate::gizmos::handle::{Handle, HandleKey};
use crate::selection::edited_node;
use crate::viewport_drag::{OwnDrag, Watch};
use crate::viewport_event::CLICK;

/// A drag of a handle that is under way.
pub(in crate::gizmos) struct Drag {
    pub(in crate::gizmos) key: HandleKey,
    mapper: DragMapper,
    from: DragStart,
    /// The present value of the property.
    pub(in crate::gizmos) value: HandleValue,
    /// The transform from the canvas to the viewport when the drag began.
    canvas: Transform2D,
    has_moved: bool,
    watch: Watch,
}

impl OwnDrag for Drag {
    /// The mouse is released: makes the drag one undo step. If it has not moved, it was a click,
    /// which flips a switch.
    fn finish(self) {
        let Some(node) = self.node() else {
            return;
        };
        let value = match self.value {
            HandleValue::Switch(is_on) if !self.has_moved => HandleValue::Switch(!is_on),
            _ if !self.has_moved => return,
            value => value,
        };
        let scene = EditorInterface::singleton().get_edited_scene_root();
        let Some(scene) = scene.filter(|_| value != self.from.value) else {
            return;
        };
        let property = self.key.property;
        let action = Action::begin(property.action(), &scene).ok();
        if let Some((mut action, owner)) = action.zip(property.owner(&node)) {
            let (before, after) = (self.from.value.to_variant(), value.to_variant());
            action.set(&owner, &property.name(), &before, &after);
            action.commit();
        }
    }

    /// Restores the value that the property had before the drag.
    fn cancel(self) {
        if self.has_moved {
            self.set(self.from.value);
        }
    }

    fn watch(&self) -> &Watch {
        &self.watch
    }
}

impl Drag {
    /// Takes `handle` with the mouse at `press`.
    pub(in crate::gizmos) fn new<P: Inherits<Object>>(
        handle: &Handle,
        press: Vector2,
        canvas: Transform2D,
        plugin: &Gd<P>,
    ) -> Self {
        Self {
            key: handle.key,
            mapper: handle.mapper.clone(),
            from: DragStart {
                press,
                value: handle.value,
            },
            value: handle.value,
            canvas,
            has_moved: false,
            watch: Watch::new(plugin, edited_node(handle.key.node)),
        }
    }

    /// The mouse has moved to `mouse`, in a viewport that sees the canvas through `canvas`.
    pub(in crate::gizmos) fn follow(
        &mut self,
        mouse: Vector2,
        canvas: Transform2D,
        scale: f32,
        snap: bool,
    ) {
        // The user may zoom and scroll during the drag.
        let mouse = self.canvas * (canvas.affine_inverse() * mouse);
        self.has_moved |= mouse.distance_to(self.from.press) > CLICK * scale;
        if self.has_moved {
            self.value = self.mapper.drag(&self.from, mouse, self.value, snap);
            self.set(self.value);
        }
    }

    fn node(&self) -> Option<Gd<Node>> {
        Gd::try_from_instance_id(self.key.node).ok()
    }

    fn set(&self, value: HandleValue) {
        let property = self.key.property;
        if let Some(mut owner) = self.node().and_then(|node| property.owner(&node)) {
            owner.set(&property.name(), &value.to_variant());
        }
    }
}
