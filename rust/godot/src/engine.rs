//! The engine as this extension uses it: nothing here knows of rigs or modifiers.
//!
//! | file | what is in it |
//! |---|---|
//! | [`live`] | the engine calls of every frame; all other unsafe code |
//! | [`prefetch`] | hints to the processor: memory that is needed soon |
//! | [`turn`] | hints for the rig whose pass comes next |
//! | [`freed`] | flags that say whether an object was freed |
//! | [`link`] | properties that hold nodes, any of which may be freed |
//! | [`old_stack`] | the engine's own modification stack, beside a rig |
//! | [`space`] | between Godot's vectors and transforms and the solver's |
//! | [`skeleton`] | which skeleton a bone belongs to |
//! | [`listener`] | runs Rust code when an object emits a signal |
//! | [`threads`] | which nodes are processed on another thread |
//! | [`frame_watch`] | looks in turn at what the engine tells nobody of |
//! | [`tree_watch`] | notices nodes that enter or leave the tree |
//! | [`class_enum`] | enums that scripts know by name |
//! | [`property`] | properties as the inspector lists them |
//! | [`warning`] | warnings in the log |

pub(crate) mod class_enum;
pub(crate) mod frame_watch;
mod freed;
pub(crate) mod link;
pub(crate) mod listener;
pub(crate) mod live;
pub(crate) mod old_stack;
pub(crate) mod prefetch;
pub(crate) mod property;
pub(crate) mod skeleton;
pub(crate) mod space;
pub(crate) mod threads;
pub(crate) mod tree_watch;
pub(crate) mod turn;
pub(crate) mod warning;
