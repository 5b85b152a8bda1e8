//! Posing: bones are pulled with the mouse, and poses are copied, pasted and keyed.
//!
//! | file | what is in it |
//! |---|---|
//! | [`drag`] | pose mode: bones are pulled in the 2D viewport |
//! | [`exchange`] | poses are copied, pasted, also mirrored, and reset |
//! | [`library`] | the dock with a library of poses |
//! | [`hidden_bones`] | bones that pose mode neither shows nor takes |
//! | [`pictures`], [`skin`] | the pictures of a skeleton, and the bones that they belong to |
//! | [`playing`] | animations that play now, and would undo a pose |
//! | [`posture`] | poses of bones and places of targets, which an undo step sets |
//! | [`step`] | sets base poses, as one undo step |
//! | [`edited_animation`] | the animation that is edited, and keys that are inserted into it |
//! | [`keying`] | keys for bones that were posed |
//! | [`new_keys`] | keys in the tracks that there are, and in new ones |
//! | [`key_solved`] | makes what the rig has solved keys, or the base pose |
//! | [`key_pose`] | makes the base pose of a character or of a limb keys |
//! | [`at_rest`] | a character that is at rest for a moment, for the keys of RESET |
//! | [`limb`] | the bones that belong to a limb |
//! | [`limb_switch`] | switches limbs between inverse and forward kinematics |

mod at_rest;
mod drag;
pub(super) mod edited_animation;
pub(super) mod exchange;
pub(super) mod hidden_bones;
pub(super) mod key_pose;
pub(super) mod key_solved;
mod keying;
mod library;
mod limb;
pub(super) mod limb_switch;
mod new_keys;
mod pictures;
mod playing;
mod posture;
pub(super) mod skin;
mod step;
