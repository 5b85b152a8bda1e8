//! Nodes that a pass uses in every frame, at the engine's own cost.
//!
//! In each call gdext checks that the object is alive, the thread, and its own bindings. That takes
//! 76 to 100 ns, while the engine itself needs 4 to 27. A pass reads and writes every bone, and the
//! checks would take several times as long as the inverse kinematics. So a pass keeps its nodes as
//! [`Live`], which calls the engine's methods directly: see [`crate::engine::direct_calls`].
//!
//! Why this is sound:
//! - The engine itself reports when an object is freed. A [`Live`] adds a binding to its object, as
//!   language bindings do. The object's destructor calls the binding's function, which sets a flag
//!   ([`crate::engine::freed`]). A script cannot prevent that, as it could with a signal.
//! - Every call reads that flag first, which takes one load from memory; a look-up of the object by its
//!   ID would take 6 ns. Nothing runs between the two. So it makes no difference whether a call runs
//!   scripts, as those that write do, and what these scripts free: the next call returns `None`.
//! - A `Live` stays on the thread that made it, as its `Gd` does, and nodes in the tree are freed on the
//!   main thread only. A rig does nothing with its plan on another thread
//!   ([`is_main_thread`](crate::engine::threads::is_main_thread)), and no other class has a plan.
//!
//! Debug builds make all calls through gdext. The tests run in both.

use godot::classes::{Bone2D, CanvasItem, Object, Skeleton2D};
use godot::obj::Inherits;
use godot::prelude::*;

use crate::engine::direct_calls::{self as call, Argument, Encoded, Method, methods};
use crate::engine::freed::Freed;
use crate::engine::gdext_private::object_of;
use crate::engine::load_ahead::touch;

/// A node that a pass uses in every frame, and that anybody may free. What it returns is `None` if the
/// node was freed.
pub struct Live<T: GodotClass> {
    node: Gd<T>,
    /// Absent if the engine is asked whether the node is alive.
    freed: Option<&'static Freed>,
}

impl<T: Inherits<Node>> Live<T> {
    pub(crate) fn new(node: Gd<T>) -> Self {
        let methods = methods().filter(|_| node.is_instance_valid());
        // SAFETY: the node is alive.
        let freed = methods.map(|methods| unsafe { methods.watch(object_of(&node)) });
        Self { node, freed }
    }
}

impl<T: GodotClass> Live<T> {
    /// The node's id, whether it is alive or not.
    pub fn id(&self) -> InstanceId {
        self.node.instance_id_unchecked()
    }

    pub(crate) fn is_alive(&self) -> bool {
        match self.freed {
            Some(freed) => !freed.is_set(),
            None => self.node.is_instance_valid(),
        }
    }

    /// The node, for calls through gdext.
    pub fn alive(&self) -> Option<&Gd<T>> {
        self.is_alive().then_some(&self.node)
    }

    /// Calls `method`, or `checked` if calls are made through gdext.
    fn call<C, A: Argument, R: Encoded>(
        &self,
        method: Method<C, A, R>,
        argument: &A,
        checked: impl FnOnce(Gd<C>, &A) -> R,
    ) -> Option<R>
    where
        T: Inherits<C>,
        C: GodotClass,
    {
        let node = self.alive()?;
        Some(match methods() {
            Some(methods) => {
                touch(self.address(), self.freed);
                // SAFETY: the node is alive: nothing has run since it was asked. Its class inherits `C`.
                unsafe { methods.call(method, object_of(node), argument) }
            }
            None => checked(node.clone().upcast(), argument),
        })
    }

    /// Where the node is in memory.
    fn address(&self) -> *const u8 {
        object_of(&self.node).cast_const().cast()
    }
}

impl<T: GodotClass> Drop for Live<T> {
    fn drop(&mut self) {
        if let (Some(methods), Some(freed)) = (methods(), self.freed) {
            if !freed.is_set() {
                // SAFETY: the node is alive, and the flag is that of its binding.
                unsafe { methods.unwatch(object_of(&self.node), freed) };
            }
            freed.recycle();
        }
    }
}

impl<T: Inherits<Node> + Inherits<Object>> Live<T> {
    pub(crate) fn is_inside_tree(&self) -> Option<bool> {
        self.call(call::IS_INSIDE_TREE, &(), |node, ()| node.is_inside_tree())
    }

    /// Whether anything listens to the node's signal `signal`.
    pub(crate) fn has_listeners(&self, signal: &StringName) -> Option<bool> {
        self.call(call::HAS_CONNECTIONS, signal, |node, signal| {
            node.has_connections(signal)
        })
    }
}

impl<T: Inherits<Node2D> + Inherits<CanvasItem>> Live<T> {
    /// The local transform, as one matrix.
    pub(crate) fn transform(&self) -> Option<Transform2D> {
        self.call(call::GET_TRANSFORM, &(), |node, ()| node.get_transform())
    }

    pub(crate) fn position(&self) -> Option<Vector2> {
        self.call(call::GET_POSITION, &(), |node, ()| node.get_position())
    }

    pub(crate) fn rotation(&self) -> Option<f32> {
        let rotation = self.call(call::GET_ROTATION, &(), |node, ()| {
            node.get_rotation().into()
        });
        rotation.map(|rotation| rotation as f32)
    }

    pub(crate) fn scale(&self) -> Option<Vector2> {
        self.call(call::GET_SCALE, &(), |node, ()| node.get_scale())
    }

    pub(crate) fn skew(&self) -> Option<f32> {
        let skew = self.call(call::GET_SKEW, &(), |node, ()| node.get_skew().into());
        skew.map(|skew| skew as f32)
    }

    pub(crate) fn is_visible_in_tree(&self) -> Option<bool> {
        self.call(call::IS_VISIBLE_IN_TREE, &(), |node, ()| {
            node.is_visible_in_tree()
        })
    }

    pub(crate) fn global_transform(&self) -> Option<Transform2D> {
        self.call(call::GET_GLOBAL_TRANSFORM, &(), |node, ()| {
            node.get_global_transform()
        })
    }

    // Scripts that listen to the node's transform run in each of these.

    /// Sets `rotation`, in radians.
    pub(crate) fn set_rotation(&self, rotation: f32) -> Option<()> {
        self.call(
            call::SET_ROTATION,
            &rotation.into(),
            |mut node, &rotation| {
                node.set_rotation(rotation as f32);
            },
        )
    }

    pub(crate) fn set_position(&self, position: Vector2) -> Option<()> {
        self.call(call::SET_POSITION, &position, |mut node, &position| {
            node.set_position(position);
        })
    }

    pub(crate) fn set_scale(&self, scale: Vector2) -> Option<()> {
        self.call(call::SET_SCALE, &scale, |mut node, &scale| {
            node.set_scale(scale)
        })
    }
}

impl Live<Bone2D> {
    pub(crate) fn has_automatic_length(&self) -> Option<bool> {
        self.call(call::GET_AUTOCALCULATE, &(), |node, ()| {
            node.get_autocalculate_length_and_angle()
        })
    }

    pub(crate) fn length(&self) -> Option<f32> {
        let length = self.call(call::GET_LENGTH, &(), |node, ()| node.get_length().into());
        length.map(|length| length as f32)
    }

    pub(crate) fn bone_angle(&self) -> Option<f32> {
        let angle = self.call(call::GET_BONE_ANGLE, &(), |node, ()| {
            node.get_bone_angle().into()
        });
        angle.map(|angle| angle as f32)
    }
}

impl Live<Skeleton2D> {
    /// Brings the engine's list of bones up to date, which emits `bone_setup_changed` if it was
    /// not.
    pub(crate) fn update_bones(&self) {
        self.call(call::GET_BONE_COUNT, &(), |node, ()| {
            node.get_bone_count().into()
        });
    }
}
