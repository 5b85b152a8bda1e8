//! The engine as this extension uses it: nothing here knows of rigs or modifiers.
//!
//! | file | what is in it |
//! |---|---|
//! | [`frame_calls`] | nodes that a pass calls in every frame, without gdext's checks |
//! | [`readable`] | nodes of this extension, which a pass reads only if they may have changed |
//! | [`direct_calls`] | the engine's methods that [`frame_calls`] calls |
//! | [`gdext_private`] | all that is used of gdext beyond its public interface |
//! | [`notifications`] | the engine's notifications of nodes, whatever their scripts define |
//! | [`of_node`] | resources that a plan has of a node until it leaves the tree |
//! | [`resource_watch`] | notices changes of a resource of a node, until it leaves the tree |
//! | [`script_state`] | the state of the script of a node, as text |
//! | [`afterwards`] | the messages of a method, told when it no longer borrows its node |
//! | [`thread_guard`], [`guarded_methods`] | refuses calls of this extension's nodes on other threads |
//! | [`setter_guard`] | refuses values that no property can have, through [`guarded_methods`] |
//! | [`freed`] | flags that say whether an object was freed |
//! | [`children`] | the children of a node, with internal ones |
//! | [`departed`] | nodes that have left the tree, and may be freed on another thread |
//! | [`shared`] | data that a node and plans own together |
//! | [`shortcut`] | a method that is called without gdext |
//! | [`link`] | properties that hold nodes, any of which may be freed |
//! | [`held`] | properties that hold a resource |
//! | [`modification_stack`] | the engine's own modification stack, beside a rig |
//! | [`space`] | conversions between Godot's vectors and transforms and the solver's |
//! | [`skeleton`] | the skeleton of a bone, the bones of a skeleton, and checks for a rest pose |
//! | [`bone_lines`] | lines of bones, and the ends of bones |
//! | [`body_shape`] | the shapes of bodies, as the physics server has them |
//! | [`node_pose`] | the pose of a bone, or of another node, by its properties |
//! | [`listener`] | runs Rust code when an object emits a signal |
//! | [`threads`] | the main thread, and the nodes that are processed on another one |
//! | [`frame_watch`] | polls nodes for changes that the engine does not report |
//! | [`tree_watch`] | notices nodes that enter or leave the tree |
//! | [`class_enum`] | enums that scripts know by name |
//! | [`editor_help`] | the help of classes |
//! | [`ray`] | a ray that is kept and moved, and what it has met |
//! | [`optional`] | nodes that a script may leave out |
//! | [`unusable`] | the text of a message about an argument that cannot be taken |
//! | [`property`] | properties as the inspector lists them |

pub(crate) mod afterwards;
pub(crate) mod body_shape;
pub mod bone_lines;
pub mod children;
pub(crate) mod class_enum;
pub(crate) mod departed;
pub(crate) mod direct_calls;
pub mod editor_help;
pub(crate) mod frame_calls;
pub(crate) mod frame_watch;
mod freed;
pub mod gdext_private;
pub(crate) mod guarded_methods;
pub(crate) mod held;
pub(crate) mod link;
pub(crate) mod listener;
pub mod modification_stack;
pub mod node_pose;
pub(crate) mod notifications;
mod object_guard;
pub(crate) mod of_node;
pub mod optional;
pub mod property;
pub(crate) mod ray;
pub(crate) mod readable;
pub(crate) mod resource_watch;
pub(crate) mod script_state;
mod setter_guard;
pub(crate) mod shared;
mod shortcut;
pub mod skeleton;
pub mod space;
pub(crate) mod thread_guard;
pub mod threads;
pub(crate) mod tree_watch;
pub(crate) mod unusable;
