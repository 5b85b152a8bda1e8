//! The engine calls of every frame, at the engine's own cost. All unsafe code is here, except for
//! the hints in [`crate::engine::prefetch`].
//!
//! In each call gdext checks that the object is alive, the thread, and its own bindings. That takes
//! 76 to 100 ns, while the engine itself needs 4 to 27. A pass reads and writes every bone, and the
//! checks would take several times as long as the inverse kinematics. So a pass keeps its nodes as
//! [`Live`], asks whether a node [`is alive`](Live::alive), and then calls the engine's methods
//! directly.
//!
//! Why this is sound:
//! - The engine itself reports when an object is freed. A [`Live`] adds a binding to its object, as
//!   language bindings do, and the object's destructor calls the binding's function, which sets a
//!   flag ([`crate::engine::freed`]). A
//!   script cannot prevent that, as it could with a signal. To ask takes one load from memory; a
//!   look-up of the object by its id would take 6 ns.
//! - No function that takes `&self` on [`Alive`] runs a script, so no object can be freed between
//!   two of them. Those that may run a script, [`Alive::turn`], [`Alive::shift`],
//!   [`Alive::resize`] and [`Alive::update_bones`], take `self` by value: the caller has to ask again afterwards. An
//!   [`Alive`] must not be held across such a call on another.
//! - The engine returns method binds by name and by the hash of their signature. A call with
//!   arguments of other types is therefore impossible. If an engine lacks a method, all calls are
//!   made through gdext.
//! - Everything here runs on the main thread only. A rig does nothing with its plan on another
//!   thread ([`is_main_thread`]), and no other class has a plan.
//!
//! Debug builds make all calls through gdext. The tests run in both.

use std::cell::Cell;
use std::ffi::c_void;
use std::ops::Deref;
use std::ptr;
use std::sync::OnceLock;

use godot::classes::{Bone2D, Skeleton2D};
use godot::obj::{Bounds, Inherits, bounds};
use godot::prelude::*;
use godot::private::{Storage, as_storage};
use godot::sys;

use crate::engine::freed::Freed;
use crate::engine::prefetch::{Lines, Place, TRANSFORM};

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
    pub(crate) fn address(&self) -> *const u8 {
        self.object().cast_const().cast()
    }

    /// The flag that says whether the node is alive, for hints to the processor.
    pub(crate) fn place_of_flag(&self) -> Option<Place> {
        self.freed.map(Place::of)
    }

    /// `lines` of the node, for hints to the processor.
    pub(crate) fn place(&self, lines: Lines) -> Place {
        Place::new(self.address(), lines)
    }

    fn object(&self) -> sys::GDExtensionObjectPtr {
        self.node.obj_sys()
    }
}

impl<T: GodotClass> Drop for Live<T> {
    fn drop(&mut self) {
        if let (Some(methods), Some(freed)) = (methods(), self.freed) {
            if !freed.is_set() {
                methods.forget(self.object(), freed);
            }
            freed.give_back();
        }
    }
}

/// What a pass does with a node that it sees as a `V`.
type Act<'a, V> = &'a mut dyn FnMut(&V);

/// A node of one of this extension's classes, which a pass looks at in every frame as a `V`: a trait
/// that its class implements.
pub(crate) struct Readable<V: ?Sized> {
    live: Live<Node>,
    /// Where gdext has the node's fields; null if it is to be asked.
    fields: sys::GDExtensionClassInstancePtr,
    /// A `fn(&T) -> &V`, where `T` is the node's class.
    view: *const (),
    /// Calls it: [`look_as`] for that class.
    look: fn(&Self, Act<'_, V>),
}

impl<V: ?Sized> Readable<V> {
    /// Keeps `node`, which must be alive, to look at it through `view`.
    pub(crate) fn new<T: OwnClass>(node: Gd<T>, view: fn(&T) -> &V) -> Self {
        let fields = methods().map(|methods| methods.find_fields(node.obj_sys()));
        Self {
            live: Live::new(node.upcast()),
            fields: fields.unwrap_or(ptr::null_mut()),
            view: view as *const (),
            look: look_as::<T, V>,
        }
    }

    /// What reading touches, for hints to the processor.
    pub(crate) fn places(&self) -> [Option<Place>; 2] {
        [
            self.alive().map(|node| node.place_of_storage()),
            self.read(|node| Place::of(node)),
        ]
    }

    /// What `read` makes of the node; `None` if the node has been freed. The node is borrowed
    /// meanwhile, so `read` must not call the engine.
    pub(crate) fn read<R>(&self, read: impl FnOnce(&V) -> R) -> Option<R> {
        self.live.alive()?;
        let (mut read, mut result) = (Some(read), None);
        (self.look)(self, &mut |node| {
            result = read.take().map(|read| read(node));
        });
        result
    }
}

impl<V: ?Sized> Deref for Readable<V> {
    type Target = Live<Node>;

    fn deref(&self) -> &Live<Node> {
        &self.live
    }
}

/// A class of this extension.
pub(crate) trait OwnClass: Inherits<Node> + Bounds<Declarer = bounds::DeclUser> {}

impl<T: Inherits<Node> + Bounds<Declarer = bounds::DeclUser>> OwnClass for T {}

/// Has `act` look at `node`, which is alive and of the class `T`.
fn look_as<T: OwnClass, V: ?Sized>(node: &Readable<V>, act: Act<'_, V>) {
    // SAFETY: the pointer is that of a function of this type. Only `Readable::new` chooses `T`.
    let view = unsafe { std::mem::transmute::<*const (), fn(&T) -> &V>(node.view) };
    if node.fields.is_null() {
        return act(view(&node.live.node.clone().cast::<T>().bind()));
    }
    // SAFETY: the node is alive, and its fields are where they were for as long as it is: only
    // reloading the extension moves them, which drops all plans. A node frees its fields a little
    // before it reports that; but it left the tree before, so its plan was stale and is not read.
    let fields = unsafe { as_storage::<T>(node.fields) };
    act(view(&fields.get()));
}

/// Called by the engine to create a binding: the token is the binding.
unsafe extern "C" fn create_binding(token: *mut c_void, _object: *mut c_void) -> *mut c_void {
    token
}

/// Called by the engine for an object without the binding that was asked for.
unsafe extern "C" fn create_no_binding(_: *mut c_void, _object: *mut c_void) -> *mut c_void {
    ptr::null_mut()
}

/// Called by the engine when the object is freed, and for [`Methods::forget`].
unsafe extern "C" fn set_freed(_: *mut c_void, _object: *mut c_void, binding: *mut c_void) {
    // SAFETY: the binding is the address of the flag that `watch` took, and flags are never freed.
    let freed = unsafe { &*binding.cast_const().cast::<Freed>() };
    freed.set();
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
    pub(crate) fn place_of_storage(&self) -> Place {
        let fields = methods().map(|methods| methods.find_fields(self.live.object()));
        let size = usize::from(fields.is_some());
        Place::piece(fields.unwrap_or(ptr::null_mut()).cast_const().cast(), size)
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
    pub(crate) fn place_above(&self) -> Option<Place> {
        let parent = self.node_2d().get_parent()?.try_cast::<Node2D>().ok()?;
        Some(Place::new(parent.obj_sys().cast_const().cast(), TRANSFORM))
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
    pub(crate) fn turn(self, rotation: f32) {
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
    pub(crate) fn resize(self, scale: Vector2) {
        match methods() {
            Some(methods) => {
                let argument = ptr::from_ref(&scale).cast();
                methods.call::<()>(Method::SetScale, self.live.object(), &[argument]);
            }
            None => self.live.node.clone().upcast::<Node2D>().set_scale(scale),
        }
    }

    /// Sets `position`. Scripts that listen to the node's transform run in it.
    pub(crate) fn shift(self, position: Vector2) {
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

/// The engine's methods that are called directly.
#[derive(Clone, Copy)]
enum Method {
    IsInsideTree,
    HasConnections,
    IsVisibleInTree,
    GetTransform,
    GetPosition,
    GetRotation,
    GetScale,
    GetSkew,
    GetGlobalTransform,
    SetPosition,
    SetRotation,
    SetScale,
    GetAutocalculate,
    GetLength,
    GetBoneAngle,
    GetBoneCount,
}

/// Class, name and signature hash of each [`Method`], in order; the hashes are those of the
/// engine's `extension_api.json`, which keeps them for as long as a signature lasts.
const SIGNATURES: [(&str, &str, i64); 16] = [
    ("Node", "is_inside_tree", 36873697),
    ("Object", "has_connections", 2619796661),
    ("CanvasItem", "is_visible_in_tree", 36873697),
    ("CanvasItem", "get_transform", 3814499831),
    ("Node2D", "get_position", 3341600327),
    ("Node2D", "get_rotation", 1740695150),
    ("Node2D", "get_scale", 3341600327),
    ("Node2D", "get_skew", 1740695150),
    ("CanvasItem", "get_global_transform", 3814499831),
    ("Node2D", "set_position", 743155724),
    ("Node2D", "set_rotation", 373806689),
    ("Node2D", "set_scale", 743155724),
    ("Bone2D", "get_autocalculate_length_and_angle", 36873697),
    ("Bone2D", "get_length", 1740695150),
    ("Bone2D", "get_bone_angle", 1740695150),
    ("Skeleton2D", "get_bone_count", 3905245786),
];

/// The engine's own pointers, looked up once.
struct Methods {
    binds: [sys::GDExtensionMethodBindPtr; SIGNATURES.len()],
    call: unsafe extern "C" fn(
        sys::GDExtensionMethodBindPtr,
        sys::GDExtensionObjectPtr,
        *const sys::GDExtensionConstTypePtr,
        sys::GDExtensionTypePtr,
    ),
    get_binding: unsafe extern "C" fn(
        sys::GDExtensionObjectPtr,
        *mut c_void,
        *const sys::GDExtensionInstanceBindingCallbacks,
    ) -> *mut c_void,
    free_binding: unsafe extern "C" fn(sys::GDExtensionObjectPtr, *mut c_void),
}

// SAFETY: the pointers are to the engine's own functions and method binds, which are neither
// changed nor freed while the extension is loaded. Calls are made from the main thread only,
// where the rigs and their plans are: see the documentation of the module.
unsafe impl Send for Methods {}
// SAFETY: as above; nothing in it can be changed.
unsafe impl Sync for Methods {}

thread_local! {
    static MAIN: Cell<bool> = const { Cell::new(false) };
}

/// Marks this thread as the engine's main thread.
pub(crate) fn mark_main_thread() {
    MAIN.set(true);
}

/// Whether this is the engine's main thread.
pub(crate) fn is_main_thread() -> bool {
    MAIN.get()
}

/// The methods for direct calls. `None` in debug builds, and if the engine lacks one of them.
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
    Some(METHODS.get_or_init(Methods::look_up))
}

impl Methods {
    /// # Errors
    /// The first method that the engine lacks.
    fn look_up() -> Result<Self, String> {
        // SAFETY: a pass runs, so the extension is initialized, and on the main thread.
        let interface = unsafe { sys::get_interface() };
        let mut binds = [ptr::null(); SIGNATURES.len()];
        for (bind, (class, method, hash)) in binds.iter_mut().zip(SIGNATURES) {
            let names = (StringName::from(class), StringName::from(method));
            // SAFETY: both names outlive the call, which only reads them.
            *bind = unsafe {
                (interface.classdb_get_method_bind)(
                    names.0.string_sys(),
                    names.1.string_sys(),
                    hash,
                )
            };
            if bind.is_null() {
                return Err(format!("{class}.{method}"));
            }
        }
        Ok(Self {
            binds,
            call: interface.object_method_bind_ptrcall,
            get_binding: interface.object_get_instance_binding,
            free_binding: interface.object_free_instance_binding,
        })
    }

    /// Where gdext has the fields of `object`, which is alive and of a class of this extension.
    fn find_fields(&self, object: sys::GDExtensionObjectPtr) -> sys::GDExtensionClassInstancePtr {
        let callbacks = sys::GDExtensionInstanceBindingCallbacks {
            create_callback: Some(create_no_binding),
            free_callback: None,
            reference_callback: None,
        };
        // SAFETY: the object is alive. gdext has given it a binding with this token when it was
        // made, so none is created.
        unsafe {
            let token = sys::get_library().cast();
            (self.get_binding)(object, token, &raw const callbacks).cast()
        }
    }

    /// Has the engine report when `object`, which is alive, is freed.
    fn watch(&self, object: sys::GDExtensionObjectPtr) -> &'static Freed {
        let freed = Freed::take();
        // The token has to be unique while the binding exists: nobody else has this flag.
        let token = ptr::from_ref(freed).cast_mut().cast();
        let callbacks = sys::GDExtensionInstanceBindingCallbacks {
            create_callback: Some(create_binding),
            free_callback: Some(set_freed),
            reference_callback: None,
        };
        // SAFETY: the object is alive; the engine copies the callbacks, which live as long as
        // the extension does, and passes the binding to `set_freed` at the latest when the
        // object is freed. Every `Live` removes its own before the extension is unloaded.
        unsafe { (self.get_binding)(object, token, &raw const callbacks) };
        freed
    }

    /// Removes what [`watch`](Self::watch) added to `object`, which is alive.
    fn forget(&self, object: sys::GDExtensionObjectPtr, freed: &'static Freed) {
        let token = ptr::from_ref(freed).cast_mut().cast();
        // SAFETY: the object is alive, and the token is that of its binding.
        unsafe { (self.free_binding)(object, token) };
    }

    /// Calls `method` on `object`, which is alive and of the method's class: only [`Alive`] calls
    /// this, with its own object and the encodings of [`SIGNATURES`].
    fn call<R: Default>(
        &self,
        method: Method,
        object: sys::GDExtensionObjectPtr,
        arguments: &[sys::GDExtensionConstTypePtr],
    ) -> R {
        let mut result = R::default();
        // SAFETY: see above. The arguments and the result live on the callers' stack until the
        // call returns; each is encoded as the engine encodes the method's types (numbers as
        // f64 and i64, truth as u8, vectors and transforms as they are).
        unsafe {
            (self.call)(
                self.binds[method as usize],
                object,
                arguments.as_ptr(),
                ptr::from_mut(&mut result).cast(),
            );
        }
        result
    }
}
