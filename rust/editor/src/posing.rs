//! Posing: bones are pulled with the mouse, and poses are copied, pasted and keyed.
//!
//! | file | what is in it |
//! |---|---|
//! | [`drag`] | pose mode: bones are pulled in the 2D viewport |
//! | [`exchange`] | poses are copied, pasted, also mirrored, and reset |
//! | [`library`] | the dock with a library of poses |
//! | [`step`] | sets base poses, as one undo step |
//! | [`edited_animation`] | the animation that is edited, and keys that are inserted into it |
//! | [`keying`] | keys for bones that were posed |
//! | [`key_solved`] | makes what the rig has solved keys |

mod drag;
mod edited_animation;
pub(super) mod exchange;
pub(super) mod key_solved;
mod keying;
mod library;
mod step;
