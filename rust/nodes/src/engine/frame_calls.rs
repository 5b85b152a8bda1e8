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

use godot::classes::node::ProcessThreadGroup;
use godot::classes::physics_server_2d::{
    AreaParameter, BodyMode, BodyParameter, BodyState, ShapeType,
};
use godot::classes::{
    Bone2D, CanvasItem, CollisionObject2D, Engine, Object, PhysicsServer2D, RayCast2D, Skeleton2D,
    StaticBody2D,
};
use godot::obj::Inherits;
use godot::prelude::*;

use crate::engine::direct_calls::{Arguments, Method, Methods, Signature, Value};
use crate::engine::freed::{ALIVE, FREED, Freed, UNWATCHED};
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
    /// Set if the node was freed, or has left the tree. `UNWATCHED` if it is looked up before each call.
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
    /// A node that is looked up before each call, which takes three times as long. It may be dropped on any
    /// thread, and counts as alive also outside the tree.
    pub(crate) fn looked_up(node: Gd<T>) -> Self {
        let freed = &UNWATCHED;
        Self { node, freed }
    }

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
        self.is_known_alive() && (methods().is_some() || self.node.is_instance_valid())
    }

    fn is_known_alive(&self) -> bool {
        match self.freed.read() {
            ALIVE => true,
            FREED => false,
            _ => self.node.is_instance_valid(),
        }
    }

    /// The node, for calls through gdext.
    pub fn alive(&self) -> Option<&Gd<T>> {
        self.is_alive().then_some(&self.node)
    }

    /// Calls `method`, or `checked` if calls are made through gdext.
    #[inline]
    fn call<C: GodotClass, A: Arguments, R: Value>(
        &self,
        method: Method<C, A, R>,
        arguments: A,
        checked: impl FnOnce(Gd<C>, A) -> R,
    ) -> Option<R>
    where
        T: Inherits<C>,
    {
        let Some(methods) = methods() else {
            return self.call_checked(|node| checked(node, arguments));
        };
        if !self.is_known_alive() {
            return None;
        }
        let object = object_of(&self.node);
        // SAFETY: the node is alive: nothing has run since that was asked. Its class inherits `C`.
        Some(unsafe { methods.call(method, object, arguments) })
    }

    #[cold]
    #[inline(never)]
    fn call_checked<C: GodotClass, R>(&self, call: impl FnOnce(Gd<C>) -> R) -> Option<R>
    where
        T: Inherits<C>,
    {
        let node = self.alive()?.clone();
        Some(call(node.upcast()))
    }
}

impl<T: GodotClass> Drop for Live<T> {
    fn drop(&mut self) {
        if ptr::eq(self.freed, &UNWATCHED) {
            return;
        }
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

/// Declares the methods of [`Live`], which have the names of the engine's: by the class, with the hash of the signature. Bare
/// ones are called by what is in this file.
macro_rules! methods {
    (
        bare { $($of:ident.$bare:ident, $bare_hash:literal;)* }
        $($class:ident.$method:ident($($name:ident: $type:ty),*) -> $result:ty, $hash:literal;)*
    ) => {
        #[expect(non_camel_case_types, reason = "named as the methods")]
        enum Index { $($bare,)* $($method),* }

        const COUNT: usize = [$(stringify!($bare),)* $(stringify!($method)),*].len();
        const SIGNATURES: &[Signature; COUNT] = &[
            $((stringify!($of), stringify!($bare), $bare_hash),)*
            $((stringify!($class), stringify!($method), $hash)),*
        ];

        $(impl<T: Inherits<$class>> Live<T> {
            #[allow(unused_mut, reason = "most change nothing")]
            pub(crate) fn $method(&self $(, $name: $type)*) -> Option<$result> {
                let method = Method::<$class, _, _>::numbered(Index::$method as usize);
                self.call(method, ($($name,)*), |mut node, ($($name,)*)| node.$method($($name),*))
            }
        })*
    };
}

// Scripts that listen to the node's transform run in those that set. `get_bone_count` brings the engine's list of bones up to
// date, which emits `bone_setup_changed` if it was not.
methods! {
    bare {
        Object.emit_signal, 4047867050;
        Node.get_parent, 3160264692;
        Node.get_process_thread_group, 1866404740;
    }
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
    Node2D.set_position(value: Vector2) -> (), 743155724;
    Node2D.set_rotation(value: f32) -> (), 373806689;
    Node2D.set_scale(value: Vector2) -> (), 743155724;
    Bone2D.get_autocalculate_length_and_angle() -> bool, 36873697;
    Bone2D.get_length() -> f32, 1740695150;
    Bone2D.get_bone_angle() -> f32, 1740695150;
    Skeleton2D.get_bone_count() -> i32, 3905245786;
    StaticBody2D.get_constant_linear_velocity() -> Vector2, 3341600327;
    StaticBody2D.get_constant_angular_velocity() -> f32, 1740695150;
    CollisionObject2D.shape_find_owner(index: i32) -> u32, 923996154;
    CollisionObject2D.is_shape_owner_one_way_collision_enabled(owner: u32) -> bool, 1116898809;
    RayCast2D.set_target_position(value: Vector2) -> (), 743155724;
    RayCast2D.set_hit_from_inside(value: bool) -> (), 2586408642;
    RayCast2D.force_raycast_update() -> (), 3218959716;
    RayCast2D.get_collision_point() -> Vector2, 3341600327;
    RayCast2D.get_collision_normal() -> Vector2, 3341600327;
    RayCast2D.get_collider_rid() -> Rid, 2944877500;
    RayCast2D.get_collider_shape() -> i32, 3905245786;
    Engine.is_editor_hint() -> bool, 36873697;
    Engine.is_in_physics_frame() -> bool, 36873697;
    PhysicsServer2D.body_get_shape_count(body: Rid) -> i32, 2198884583;
    PhysicsServer2D.body_get_shape(body: Rid, index: i32) -> Rid, 1066463050;
    PhysicsServer2D.body_get_shape_transform(body: Rid, index: i32) -> Transform2D, 1324854622;
    PhysicsServer2D.body_get_state(body: Rid, state: BodyState) -> Variant, 4036367961;
    PhysicsServer2D.body_get_param(body: Rid, parameter: BodyParameter) -> Variant, 3208033526;
    PhysicsServer2D.body_get_mode(body: Rid) -> BodyMode, 3261702585;
    PhysicsServer2D.shape_get_type(shape: Rid) -> ShapeType, 1240598777;
    PhysicsServer2D.shape_get_data(shape: Rid) -> Variant, 4171304767;
    PhysicsServer2D.area_get_param(area: Rid, parameter: AreaParameter) -> Variant, 3047435120;
}

/// The thread group of `node`, which is alive, or else that of the next node above it that has one. `None` in debug builds.
pub(super) fn thread_group_of<T: Inherits<Node>>(node: &Gd<T>) -> Option<ProcessThreadGroup> {
    let methods = methods()?;
    let group = || Method::<Node, (), _>::numbered(Index::get_process_thread_group as usize);
    let parent = || Method::<Node, (), _>::numbered(Index::get_parent as usize);
    let mut next = object_of(node);
    let mut found = ProcessThreadGroup::INHERIT;
    while !next.is_null() && found == ProcessThreadGroup::INHERIT {
        // SAFETY: nodes above one that is alive are, and nothing runs meanwhile.
        unsafe {
            found = methods.call(group(), next, ());
            next = methods.call(parent(), next, ());
        }
    }
    Some(found)
}

/// A signal without arguments.
pub(crate) struct LiveSignal {
    node: Live<Node>,
    name: Variant,
}

impl LiveSignal {
    pub(crate) fn new(node: &Gd<Node>, name: &str) -> Self {
        Self {
            node: Live::new(node.clone()),
            name: StringName::from(name).to_variant(),
        }
    }

    /// Emits it. Whether somebody listens is asked by that alone: to ask before takes longer.
    pub(crate) fn emit(&self) {
        let Some(node) = self.node.alive() else {
            return;
        };
        let method = Method::<Object, _, _>::numbered(Index::emit_signal as usize);
        match methods() {
            None => _ = node.clone().emit_signal(&self.name.to::<StringName>(), &[]),
            // SAFETY: the node is alive: nothing has run since its flag was read.
            Some(methods) => unsafe { methods.call_with(method, object_of(node), &self.name) },
        }
    }
}

/// Objects that are freed after all classes of extensions are gone.
macro_rules! singletons {
    ($($get:ident: $class:ident;)*) => {$(
        impl Live<$class> {
            pub(crate) fn $get() -> &'static Self {
                thread_local! {
                    static IT: &'static Live<$class> = Box::leak(Box::new(Live {
                        node: $class::singleton(),
                        freed: Freed::take(),
                    }));
                }
                IT.with(|&it| it)
            }
        }
    )*};
}

singletons! {
    engine: Engine;
    server: PhysicsServer2D;
}

/// The methods for direct calls. `None` in debug builds, and if the engine lacks one of them: then all calls are made through
/// gdext.
fn methods() -> Option<&'static Methods<COUNT>> {
    look_up()?.as_ref().ok()
}

/// The method, as `Class.name`, that the engine lacks.
pub(crate) fn missing_method() -> Option<&'static str> {
    look_up()?.as_ref().err().map(String::as_str)
}

/// The methods, or the one that the engine lacks. Looked up once; `None` in debug builds.
fn look_up() -> Option<&'static Result<Methods<COUNT>, String>> {
    static METHODS: OnceLock<Result<Methods<COUNT>, String>> = OnceLock::new();
    if cfg!(debug_assertions) {
        return None;
    }
    Some(METHODS.get_or_init(|| Methods::look_up(SIGNATURES)))
}
