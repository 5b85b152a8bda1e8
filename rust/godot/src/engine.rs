//! The engine as this extension uses it: nothing here knows of rigs or modifiers.
//!
//! | file | what is in it |
//! |---|---|
//! | [`live`] | the engine calls of every frame; all unsafe code |
//! | [`link`] | references to nodes that may be freed, for properties |
//! | [`old_stack`] | the engine's own modification stack, beside a rig |
//! | [`space`] | between Godot's vectors and transforms and the solver's |
//! | [`threads`] | tells of thread groups, in which a rig does not work |
//! | [`watch`] | hears of changes under a plan |

pub(crate) mod link;
pub(crate) mod live;
pub(crate) mod old_stack;
pub(crate) mod space;
pub(crate) mod threads;
pub(crate) mod watch;
