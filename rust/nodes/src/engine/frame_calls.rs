//! Nodes that a pass uses in every frame, at the engine's own cost. What the engine calls in every frame is in
//! [`crate::nodes::rig`], `notified.rs`.
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
//! - The destructor runs late: the object is in parts by then, and on another thread the flag would be set
//!   too late for a call that has just read it. But the engine frees nodes of the tree on the main thread
//!   only. A node that has left the tree may be freed on any. So all its bindings are removed while it leaves
//!   ([`let_go`]), on the main thread, which sets their flags: from then on it is as good as freed, and is
//!   never touched again. [`crate::engine::tree_watch`] does that as long as there are plans. If a node
//!   comes back, a new plan has a new `Live` of it.
//! - Every call reads that flag first, which takes one load from memory; a look-up of the object by its
//!   ID would take 6 ns. Nothing runs between the two. So it makes no difference whether a call runs
//!   scripts, as those that write do, and what these scripts free or remove: the next call returns `None`.
//! - A `Live` is made, used and dropped on the main thread. A rig does nothing with its plan on another one
//!   ([`is_main_thread`](crate::engine::threads::is_main_thread)), it has none outside the tree, and no other
//!   class has a plan.
//!
//! What is left are nodes that are not in the tree when a plan is made. Only a node whose parent is in the tree
//! and enters it just then may be among them: see [`crate::engine::departed`].
//!
//! Debug builds make all calls through gdext. The tests run in both.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ptr;
use std::rc::Weak;

use godot::classes::{Bone2D, CanvasItem, Object, RayCast2D, Skeleton2D};
use godot::obj::Inherits;
use godot::prelude::*;

use crate::engine::direct_calls::{self as call, Argument, Encoded, Method, methods};
use crate::engine::freed::Freed;
use crate::engine::gdext_private::object_of;

/// Who has something to do with a node before it leaves the tree.
pub(crate) trait ExitHook {
    /// `node` is about to leave the tree, and is used for the last time. Nothing may run scripts.
    fn leaves(&self, node: InstanceId);
}

/// What is known of a [`Live`].
struct Watched {
    freed: &'static Freed,
    hook: Option<Weak<dyn ExitHook>>,
}

thread_local! {
    /// All [`Live`]s, by the ID of the node and the address of the flag.
    static WATCHED: RefCell<BTreeMap<(i64, usize), Watched>> =
        const { RefCell::new(BTreeMap::new()) };
}

/// What is known of all [`Live`]s of a node, as `read` returns it.
fn each_of<R>(node: InstanceId, read: impl Fn(&Watched) -> Option<R>) -> Vec<R> {
    let id = node.to_i64();
    WATCHED.with_borrow(|watched| {
        let watched = watched.range((id, 0)..=(id, usize::MAX));
        watched.filter_map(|(_, watched)| read(watched)).collect()
    })
}

/// `node` is about to leave the tree: from now on, nobody uses it.
pub(super) fn let_go(node: &Gd<Node>) {
    let id = node.instance_id();
    for hook in each_of(id, |watched| watched.hook.as_ref()?.upgrade()) {
        hook.leaves(id);
    }
    let flags = each_of(id, |watched| Some(watched.freed));
    for freed in flags.into_iter().filter(|freed| !freed.is_set()) {
        match methods() {
            // SAFETY: the node is alive, and the flag is that of its binding.
            Some(methods) => unsafe { methods.unwatch(object_of(node), freed) },
            None => freed.set(),
        }
    }
}

/// A node that a pass uses in every frame, and that anybody may free or remove from the tree. What it returns
/// is `None` if that has happened.
pub struct Live<T: GodotClass> {
    node: Gd<T>,
    /// Whether the node was freed, or has left the tree.
    freed: &'static Freed,
}

impl<T: Inherits<Node>> Live<T> {
    pub(crate) fn new(node: Gd<T>) -> Self {
        let freed = match methods().filter(|_| node.is_instance_valid()) {
            // SAFETY: the node is alive.
            Some(methods) => unsafe { methods.watch(object_of(&node)) },
            None => Freed::take(),
        };
        let live = Self { node, freed };
        let hook = None;
        let watched = Watched { freed, hook };
        WATCHED.with_borrow_mut(|all| all.insert(live.key(), watched));
        if !live.node.is_instance_valid() {
            freed.set();
        }
        live
    }
}

impl<T: GodotClass> Live<T> {
    /// The node's id, whether it is alive or not.
    pub fn id(&self) -> InstanceId {
        self.node.instance_id_unchecked()
    }

    /// Tells `hook` before the node leaves the tree.
    pub(crate) fn before_leaving(&self, hook: Weak<dyn ExitHook>) {
        WATCHED.with_borrow_mut(|all| {
            if let Some(watched) = all.get_mut(&self.key()) {
                watched.hook = Some(hook);
            }
        });
    }

    fn key(&self) -> (i64, usize) {
        (self.id().to_i64(), ptr::from_ref(self.freed).addr())
    }

    pub(crate) fn is_alive(&self) -> bool {
        // Without bindings, only the engine knows who was freed while it was in the tree.
        !self.freed.is_set() && (methods().is_some() || self.node.is_instance_valid())
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
        let Some(methods) = methods() else {
            let node = self.alive()?.clone();
            return Some(checked(node.upcast(), argument));
        };
        if self.freed.is_set() {
            return None;
        }
        let object = object_of(&self.node);
        // SAFETY: the node is alive: nothing has run since its flag was read. Its class inherits `C`.
        Some(unsafe { methods.call(method, object, argument) })
    }
}

impl<T: GodotClass> Drop for Live<T> {
    fn drop(&mut self) {
        // At the end of the thread there may be no list any more.
        _ = WATCHED.try_with(|all| all.borrow_mut().remove(&self.key()));
        if let Some(methods) = methods()
            && !self.freed.is_set()
        {
            // SAFETY: the node is alive, as it is in the tree, and the flag is that of its binding.
            unsafe { methods.unwatch(object_of(&self.node), self.freed) };
        }
        self.freed.recycle();
    }
}

impl<T: Inherits<Node> + Inherits<Object>> Live<T> {
    pub(crate) fn is_inside_tree(&self) -> Option<bool> {
        self.call(call::IS_INSIDE_TREE, &(), |node, ()| node.is_inside_tree())
    }

    /// How long this idle frame is, in seconds.
    pub(crate) fn process_delta(&self) -> Option<f64> {
        self.call(call::GET_PROCESS_DELTA, &(), |node, ()| {
            node.get_process_delta_time()
        })
    }

    /// How long this physics frame is, in seconds.
    pub(crate) fn physics_process_delta(&self) -> Option<f64> {
        self.call(call::GET_PHYSICS_PROCESS_DELTA, &(), |node, ()| {
            node.get_physics_process_delta_time()
        })
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

    /// Whether it does not move with what is above it.
    pub(crate) fn is_top_level(&self) -> Option<bool> {
        self.call(call::IS_TOP_LEVEL, &(), |node, ()| {
            node.is_set_as_top_level()
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

impl Live<RayCast2D> {
    /// How far it goes from its position, and whether it meets what it begins in.
    pub(super) fn aim(&self, way: Vector2, from_inside: bool) -> Option<()> {
        self.call(call::SET_TARGET_POSITION, &way, |mut ray, &way| {
            ray.set_target_position(way);
        })?;
        self.call(
            call::SET_HIT_FROM_INSIDE,
            &from_inside,
            |mut ray, &from_inside| ray.set_hit_from_inside(from_inside),
        )
    }

    /// Asks the physics server at once. Returns whether something was met.
    pub(super) fn update(&self) -> Option<bool> {
        self.call(call::FORCE_RAYCAST_UPDATE, &(), |mut ray, ()| {
            ray.force_raycast_update();
        })?;
        self.call(call::IS_COLLIDING, &(), |ray, ()| ray.is_colliding())
    }

    pub(super) fn collision_point(&self) -> Option<Vector2> {
        self.call(call::GET_COLLISION_POINT, &(), |ray, ()| {
            ray.get_collision_point()
        })
    }

    pub(super) fn collision_normal(&self) -> Option<Vector2> {
        self.call(call::GET_COLLISION_NORMAL, &(), |ray, ()| {
            ray.get_collision_normal()
        })
    }

    /// The body that was met.
    pub(super) fn collider(&self) -> Option<Rid> {
        let body = self.call(call::GET_COLLIDER_RID, &(), |ray, ()| {
            ray.get_collider_rid().to_u64()
        });
        body.map(Rid::new)
    }

    /// Its shape, by the index.
    pub(super) fn collider_shape(&self) -> Option<i32> {
        let shape = self.call(call::GET_COLLIDER_SHAPE, &(), |ray, ()| {
            ray.get_collider_shape().into()
        });
        shape.map(|shape| shape as i32)
    }
}
