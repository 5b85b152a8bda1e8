//! What a rig warns of itself: what is wrong with its place and its surroundings, and calls of its
//! functions that do nothing.

/// The warning of a rig that is not below a skeleton.
pub(crate) const WITHOUT_SKELETON: &str =
    "Make this node a child of the Skeleton2D whose bones it should move.";

/// The warning of a rig beside another one.
pub(crate) const SECOND_RIG: &str = "This Skeleton2D already has a TendonRig2D, and only the first one runs. \
    Move the modifiers below that one and remove this node.";

/// The warning of a rig below a physics body that is mirrored.
pub(crate) const MIRRORED_BODY: &str = "The physics body above is mirrored, and the engine undoes a negative scale of a \
    physics body when it moves. Put a Node2D between the body and the Skeleton2D, and mirror that one.";

/// The warning of a rig that is asked for a pass during a pass.
pub(crate) const REENTERED: &str = "advance() was called from within this rig's own pass, or from one of its \
    signals, or while it puts a pose back, and does nothing there.";

/// The warning of a rig that has nothing to capture.
pub(crate) const NOTHING_TO_CAPTURE: &str = "capture() found no pass, and returns an empty string. Call it \
    when the rig has run one, for example in a handler of modification_processed.";

/// The warning of a rig that has no state yet.
pub(crate) const NO_STATE: &str = "get_state() found no pass to go on from, and returns an empty array. \
    Call it when the rig has run one.";

/// The warning of a rig that is called on another thread.
pub(crate) const CALLED_ELSEWHERE: &str = "This was called on another thread, and does nothing there: a rig in \
    the tree works on the main thread only. Use call_deferred().";

/// The warning of a rig that is in a thread group.
pub(crate) const OFF_MAIN_THREAD: &str = "A rig runs on the main thread only. Set process_thread_group of \
    this node, or of the node above it that starts a thread group, to Inherit or Main Thread.";

/// The warning of a rig whose skeleton is moved by the engine, too.
pub(crate) const BESIDE_STACK: &str = "The Skeleton2D's own modification stack is enabled, too, and turns its \
    bones before this rig does. In the editor this rig is not previewed meanwhile. Choose Tendon > \
    Convert Modification Stack, or switch the stack off.";

/// The warning of a rig whose bones have changed as soon as they were looked up.
pub(crate) const OUTDATED: &str = "This rig has looked up its bones, and found them changed in the same pass, \
    twice. So it has not run. Do not change bones or the tree in what a pass calls, such as handlers of \
    signals of its bones. If nothing does, report it as a bug of Tendon.";

/// The warnings that a rig has printed. Each is printed once.
#[derive(Default)]
pub(crate) struct Warned {
    pub(crate) misplaced: bool,
    pub(crate) reentered: bool,
    pub(crate) uncaptured: bool,
    pub(crate) without_state: bool,
    pub(crate) on_other_thread: bool,
    pub(crate) beside_stack: bool,
    pub(crate) outdated: bool,
}

/// The end of the warning in an engine whose methods cannot be called directly.
pub(crate) const SLOWER: &str =
    "everything works, but more slowly. A version of Tendon for this engine would be faster.";
