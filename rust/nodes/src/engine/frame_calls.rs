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
use std::sync::OnceLock;

use godot::classes::{Bone2D, CanvasItem, Object, RayCast2D, Skeleton2D};
use godot::obj::Inherits;
use godot::prelude::*;

use crate::engine::direct_calls::{Argument, Method, Methods, Returned, Signature};
use crate::engine::freed::Freed;
use crate::engine::gdext_private::object_of;

/// Something to be told of a node before it leaves the tree.
pub(crate) trait ExitHook {
    /// `node` is about to leave the tree, and is used for the last time. Nothing may run scripts.
    fn leaves(&self, node: InstanceId);
}

/// The data that is kept of a [`Live`].
struct Watched {
    freed: &'static Freed,
    hook: Option<Weak<dyn ExitHook>>,
}

thread_local! {
    /// All [`Live`]s, by the ID of the node and the address of the flag.
    static WATCHED: RefCell<BTreeMap<(i64, usize), Watched>> =
        const { RefCell::new(BTreeMap::new()) };
}

/// The data that is kept of each [`Live`] of a node, as `read` returns it.
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
    /// Set if the node was freed, or has left the tree.
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
    fn call<C, A: Argument, R: Returned>(
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

/// Declares the methods of [`Live`], which have the names of the engine's: by the class, with the hash of the signature.
macro_rules! methods {
    (
        get { $($class:ident.$get:ident() -> $result:ty, $get_hash:literal;)* }
        set { $($owner:ident.$set:ident($value:ty), $set_hash:literal;)* }
        ask { $($other:ident.$ask:ident($argument:ty) -> $answer:ty, $ask_hash:literal;)* }
    ) => {
        #[expect(non_camel_case_types, reason = "named as the methods")]
        enum Index { $($get,)* $($set,)* $($ask,)* }

        const SIGNATURES: &[Signature] = &[
            $((stringify!($class), stringify!($get), $get_hash),)*
            $((stringify!($owner), stringify!($set), $set_hash),)*
            $((stringify!($other), stringify!($ask), $ask_hash),)*
        ];

        $(impl<T: Inherits<$class>> Live<T> {
            #[allow(unused_mut, reason = "most change nothing")]
            pub(crate) fn $get(&self) -> Option<$result> {
                let method = Method::<$class, _, _>::numbered(Index::$get as usize);
                self.call(method, &(), |mut node, ()| node.$get())
            }
        })*

        $(impl<T: Inherits<$owner>> Live<T> {
            pub(crate) fn $set(&self, value: $value) -> Option<()> {
                let method = Method::<$owner, _, _>::numbered(Index::$set as usize);
                self.call(method, &value, |mut node, &value| node.$set(value))
            }
        })*

        $(impl<T: Inherits<$other>> Live<T> {
            pub(crate) fn $ask(&self, argument: &$argument) -> Option<$answer> {
                let method = Method::<$other, _, _>::numbered(Index::$ask as usize);
                self.call(method, argument, |node, argument| node.$ask(argument))
            }
        })*
    };
}

// Scripts that listen to the node's transform run in those that set. `get_bone_count` brings the engine's list of bones up to
// date, which emits `bone_setup_changed` if it was not.
methods! {
    get {
        Node.is_inside_tree() -> bool, 36873697;
        Node.get_process_delta_time() -> f64, 1740695150;
        Node.get_physics_process_delta_time() -> f64, 1740695150;
        CanvasItem.is_visible_in_tree() -> bool, 36873697;
        CanvasItem.is_set_as_top_level() -> bool, 36873697;
        CanvasItem.get_transform() -> Transform2D, 3814499831;
        CanvasItem.get_global_transform() -> Transform2D, 3814499831;
        Node2D.get_position() -> Vector2, 3341600327;
        Node2D.get_rotation() -> f32, 1740695150;
        Node2D.get_scale() -> Vector2, 3341600327;
        Node2D.get_skew() -> f32, 1740695150;
        Bone2D.get_autocalculate_length_and_angle() -> bool, 36873697;
        Bone2D.get_length() -> f32, 1740695150;
        Bone2D.get_bone_angle() -> f32, 1740695150;
        Skeleton2D.get_bone_count() -> i32, 3905245786;
        RayCast2D.force_raycast_update() -> (), 3218959716;
        RayCast2D.is_colliding() -> bool, 36873697;
        RayCast2D.get_collision_point() -> Vector2, 3341600327;
        RayCast2D.get_collision_normal() -> Vector2, 3341600327;
        RayCast2D.get_collider_rid() -> Rid, 2944877500;
        RayCast2D.get_collider_shape() -> i32, 3905245786;
    }
    set {
        Node2D.set_position(Vector2), 743155724;
        Node2D.set_rotation(f32), 373806689;
        Node2D.set_scale(Vector2), 743155724;
        RayCast2D.set_target_position(Vector2), 743155724;
        RayCast2D.set_hit_from_inside(bool), 2586408642;
    }
    ask {
        Object.has_connections(StringName) -> bool, 2619796661;
    }
}

/// The methods for direct calls. `None` in debug builds, and if the engine lacks one of them: then all calls are made through
/// gdext.
fn methods() -> Option<&'static Methods> {
    look_up()?.as_ref().ok()
}

/// The method, as `Class.name`, that the engine lacks.
pub(crate) fn missing_method() -> Option<&'static str> {
    look_up()?.as_ref().err().map(String::as_str)
}

/// The methods, or the one that the engine lacks. Looked up once; `None` in debug builds.
fn look_up() -> Option<&'static Result<Methods, String>> {
    static METHODS: OnceLock<Result<Methods, String>> = OnceLock::new();
    if cfg!(debug_assertions) {
        return None;
    }
    Some(METHODS.get_or_init(|| Methods::look_up(SIGNATURES)))
}
