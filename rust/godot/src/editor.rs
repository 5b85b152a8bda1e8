//! What the extension adds to the editor. None of it is loaded in a game.
//!
//! | file | what is in it |
//! |---|---|
//! | [`gizmos`] | rigs drawn over the 2D viewport, with handles to drag |

mod gizmos;
