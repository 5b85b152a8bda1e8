//! Nodes that a pass uses in every frame, at the engine's own cost.
//!
//! In each call gdext checks that the object is alive, the thread, and its own bindings. That takes
//! 76 to 100 ns, while the engine itself needs 4 to 27. A pass reads and writes every bone, and the
//! checks would take several times as long as the inverse kinematics. So a pass keeps its nodes as
//! [`Live`], asks whether a node [`is alive`](Live::alive), and then calls the engine's methods
//! directly: see [`crate::engine::direct_calls`].
//!
//! Why this is sound:
//! - The engine itself reports when an object is freed. A [`Live`] adds a binding to its object, as
//!   language bindings do. The object's destructor calls the binding's function, which sets a flag
//!   ([`crate::engine::freed`]). A script cannot prevent that, as it could with a signal. To read the
//!   flag takes one load from memory; a look-up of the object by its ID would take 6 ns.
//! - No function that takes `&self` on [`Alive`] runs a script, so no object can be freed between
//!   two of them. Those that may run a script, [`Alive::set_rotation`],
//!   [`Alive::set_position`], [`Alive::set_scale`] and [`Alive::update_bones`], take `self` by value:
//!   the caller has to ask again afterwards. An [`Alive`] must not be held across such a call on another.
//! - Everything here runs on the main thread only. A rig does nothing with its plan on another
//!   thread ([`is_main_thread`](crate::engine::threads::is_main_thread)), and no other class has a
//!   plan.
//!
//! Debug builds make all calls through gdext. The tests run in both.

use std::ptr;

use godot::classes::{Bone2D, Skeleton2D};
use godot::obj::Inherits;
use godot::prelude::*;
use godot::sys;

use crate::engine::direct_calls::{Method, Methods, methods};
use crate::engine::freed::Freed;
use crate::engine::prefetch::{Lines, Region, TRANSFORM};

/// A node that a pass uses in every frame, and that anybody may free.
pub(crate) struct Live<T: GodotClass> {
    node: Gd<T>,
    /// Absent if calls are made through gdext.
    freed: Option<&'static Freed>,
}

impl<T: Inherits<Node>> Live<T> {
    /// Keeps `node`, which must be alive.
    pub(crate) fn new(node: Gd<T>) -> Self {
        let freed = methods().map(|methods| methods.watch(node.obj_sys()));
        Self { node, freed }
    }

    /// The node, for calls through gdext, which checks that it is alive.
    pub(crate) fn gd(&self) -> &Gd<T> {
        &self.node
    }

    /// The node's id, whether it is alive or not.
    pub(crate) fn id(&self) -> InstanceId {
        self.node.instance_id_unchecked()
    }

    /// The node, if it has not been freed.
    pub(crate) fn alive(&self) -> Option<Alive<'_, T>> {
        let here = match self.freed {
            Some(freed) => !freed.is_set(),
            None => self.node.is_instance_valid(),
        };
        here.then_some(Alive { live: self })
    }
}

impl<T: GodotClass> Live<T> {
    /// Where the node is in memory, for hints to the processor.
    fn address(&self) -> *const u8 {
        self.object().cast_const().cast()
    }

    /// The flag that says whether the node is alive, for hints to the processor.
    pub(crate) fn region_of_flag(&self) -> Option<Region> {
        self.freed.map(Region::of)
    }

    /// `lines` of the node, for hints to the processor.
    pub(crate) fn region(&self, lines: Lines) -> Region {
        Region::new(self.address(), lines)
    }

    fn object(&self) -> sys::GDExtensionObjectPtr {
        self.node.obj_sys()
    }
}

impl<T: GodotClass> Drop for Live<T> {
    fn drop(&mut self) {
        if let (Some(methods), Some(freed)) = (methods(), self.freed) {
            if !freed.is_set() {
                methods.unwatch(self.object(), freed);
            }
            freed.recycle();
        }
    }
}

/// A node that is alive until the next script runs.
pub(crate) struct Alive<'a, T: GodotClass> {
    live: &'a Live<T>,
}

impl<T: GodotClass> Alive<'_, T> {
    /// Calls a method that takes nothing and returns an `R`, encoded as the engine does.
    fn ask<R: Default>(&self, methods: &Methods, method: Method) -> R {
        methods.call(method, self.live.object(), &[])
    }
}

impl Alive<'_, Node> {
    /// Where gdext keeps the fields of the node, which is of a class of this extension: for hints to
    /// the processor.
    pub(crate) fn region_of_fields(&self) -> Region {
        let fields = methods().map(|methods| methods.find_fields(self.live.object()));
        let size = usize::from(fields.is_some());
        Region::piece(fields.unwrap_or(ptr::null_mut()).cast_const().cast(), size)
    }
}

impl<T: Inherits<Node>> Alive<'_, T> {
    fn node(&self) -> &Node {
        self.live.node.upcast_ref::<Node>()
    }

    pub(crate) fn is_inside_tree(&self) -> bool {
        match methods() {
            Some(methods) => self.ask::<u8>(methods, Method::IsInsideTree) != 0,
            None => self.node().is_inside_tree(),
        }
    }

    /// Whether anything listens to the node's signal `signal`.
    pub(crate) fn has_listeners(&self, signal: &StringName) -> bool {
        match methods() {
            Some(methods) => {
                let argument = signal.string_sys().cast();
                let found: u8 =
                    methods.call(Method::HasConnections, self.live.object(), &[argument]);
                found != 0
            }
            None => self.node().has_connections(signal),
        }
    }
}

impl<T: Inherits<Node2D>> Alive<'_, T> {
    /// Where the parent of the node is in space: for hints to the processor.
    pub(crate) fn region_of_parent(&self) -> Option<Region> {
        let parent = self.node_2d().get_parent()?.try_cast::<Node2D>().ok()?;
        Some(Region::new(parent.obj_sys().cast_const().cast(), TRANSFORM))
    }

    fn node_2d(&self) -> &Node2D {
        self.live.node.upcast_ref::<Node2D>()
    }

    /// The local transform, as one matrix.
    pub(crate) fn transform(&self) -> Transform2D {
        match methods() {
            Some(methods) => self.ask(methods, Method::GetTransform),
            None => self.node_2d().get_transform(),
        }
    }

    pub(crate) fn position(&self) -> Vector2 {
        match methods() {
            Some(methods) => self.ask(methods, Method::GetPosition),
            None => self.node_2d().get_position(),
        }
    }

    pub(crate) fn rotation(&self) -> f32 {
        match methods() {
            Some(methods) => self.ask::<f64>(methods, Method::GetRotation) as f32,
            None => self.node_2d().get_rotation(),
        }
    }

    pub(crate) fn scale(&self) -> Vector2 {
        match methods() {
            Some(methods) => self.ask(methods, Method::GetScale),
            None => self.node_2d().get_scale(),
        }
    }

    pub(crate) fn skew(&self) -> f32 {
        match methods() {
            Some(methods) => self.ask::<f64>(methods, Method::GetSkew) as f32,
            None => self.node_2d().get_skew(),
        }
    }

    pub(crate) fn is_visible_in_tree(&self) -> bool {
        match methods() {
            Some(methods) => self.ask::<u8>(methods, Method::IsVisibleInTree) != 0,
            None => self.node_2d().is_visible_in_tree(),
        }
    }

    pub(crate) fn global_transform(&self) -> Transform2D {
        match methods() {
            Some(methods) => self.ask(methods, Method::GetGlobalTransform),
            None => self.node_2d().get_global_transform(),
        }
    }

    /// Sets `rotation`, in radians. Scripts that listen to the node's transform run in it.
    pub(crate) fn set_rotation(self, rotation: f32) {
        match methods() {
            Some(methods) => {
                let encoded = f64::from(rotation);
                let argument = ptr::from_ref(&encoded).cast();
                methods.call::<()>(Method::SetRotation, self.live.object(), &[argument]);
            }
            None => self
                .live
                .node
                .clone()
                .upcast::<Node2D>()
                .set_rotation(rotation),
        }
    }

    /// Sets `scale`. Scripts that listen to the node's transform run in it.
    pub(crate) fn set_scale(self, scale: Vector2) {
        match methods() {
            Some(methods) => {
                let argument = ptr::from_ref(&scale).cast();
                methods.call::<()>(Method::SetScale, self.live.object(), &[argument]);
            }
            None => self.live.node.clone().upcast::<Node2D>().set_scale(scale),
        }
    }

    /// Sets `position`. Scripts that listen to the node's transform run in it.
    pub(crate) fn set_position(self, position: Vector2) {
        match methods() {
            Some(methods) => {
                let argument = ptr::from_ref(&position).cast();
                methods.call::<()>(Method::SetPosition, self.live.object(), &[argument]);
            }
            None => self
                .live
                .node
                .clone()
                .upcast::<Node2D>()
                .set_position(position),
        }
    }
}

impl Alive<'_, Bone2D> {
    pub(crate) fn has_automatic_length(&self) -> bool {
        match methods() {
            Some(methods) => self.ask::<u8>(methods, Method::GetAutocalculate) != 0,
            None => self.live.node.get_autocalculate_length_and_angle(),
        }
    }

    pub(crate) fn length(&self) -> f32 {
        match methods() {
            Some(methods) => self.ask::<f64>(methods, Method::GetLength) as f32,
            None => self.live.node.get_length(),
        }
    }

    pub(crate) fn bone_angle(&self) -> f32 {
        match methods() {
            Some(methods) => self.ask::<f64>(methods, Method::GetBoneAngle) as f32,
            None => self.live.node.get_bone_angle(),
        }
    }
}

impl Alive<'_, Skeleton2D> {
    /// Brings the engine's list of bones up to date, which emits `bone_setup_changed` if it was
    /// not.
    pub(crate) fn update_bones(self) {
        match methods() {
            Some(methods) => {
                self.ask::<i64>(methods, Method::GetBoneCount);
            }
            None => {
                self.live.node.get_bone_count();
            }
        }
    }
}
