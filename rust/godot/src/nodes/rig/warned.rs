//! Which warnings a rig has printed. Each is printed once.

/// Whether each warning of [`crate::warnings::rig`] was printed.
#[derive(Default)]
pub(super) struct Warned {
    pub(super) misplaced: bool,
    pub(super) reentered: bool,
    pub(super) uncaptured: bool,
    pub(super) without_state: bool,
    pub(super) on_other_thread: bool,
    pub(super) beside_stack: bool,
}
