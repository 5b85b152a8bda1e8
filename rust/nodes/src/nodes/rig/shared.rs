//! What the node of a rig and its passes share, so that a frame borrows no node.
//!
//! gdext takes a lock for each borrow of a node, in memory that is in no cache when a pass begins, and ends each
//! borrow with a call of the operating system. So the node only has a share of its [`SharedRig`], and a call
//! finds that without the node (`shared` in `rig.rs`). Nothing of it is borrowed across an engine call, either.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::rc::{Rc, Weak};

use godot::classes::Engine;
use godot::prelude::*;
use tendon_solver::TransitionSpeeds;

use crate::base_pose::tracked_bones::TrackedBones;
use crate::base_pose::undo_history::UndoHistory;
use crate::engine::frame_watch::FrameWatch;
use crate::engine::shared::Shared;
use crate::engine::threads::is_main_thread;
use crate::engine::tree_watch::TreeWatch;
use crate::nodes::rig::callback_mode::{CallbackModeProcess, FrameEnd};
use crate::nodes::rig::preview;
use crate::plan::Plan;
use crate::plan::planner::Dependencies;
use crate::warnings::rig::Warned;

/// Rigs by the IDs of their nodes.
type Rigs = HashMap<InstanceId, Shared<SharedRig>, BuildHasherDefault<NodeHasher>>;

thread_local! {
    /// The rigs in the tree. Those of other threads are empty.
    static IN_TREE: RefCell<Rigs> = RefCell::default();
}

/// Spreads the IDs of nodes, which nobody chooses: a rig is looked up in each frame.
#[derive(Default)]
struct NodeHasher(u64);

impl Hasher for NodeHasher {
    fn write(&mut self, bytes: &[u8]) {
        bytes
            .iter()
            .for_each(|&byte| self.write_u64(u64::from(byte)));
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = (self.0 ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// The rig of `node`, if it is in the tree.
pub(super) fn in_tree(node: InstanceId) -> Option<Shared<SharedRig>> {
    IN_TREE.with_borrow(|rigs| rigs.get(&node).cloned())
}

/// Everything that a rig knows.
#[derive(Default)]
pub(super) struct SharedRig {
    // The properties.
    pub(super) active: Cell<bool>,
    pub(super) influence: Cell<f32>,
    pub(super) callback_mode_process: Cell<CallbackModeProcess>,
    pub(super) preview_in_editor: Cell<bool>,
    pub(super) skip_when_invisible: Cell<bool>,
    pub(super) transition_speeds: Cell<TransitionSpeeds>,

    /// The plan, with everything that a pass touches; `None` before the first pass and while one is running.
    pub(super) plan: RefCell<Option<Box<Plan>>>,
    /// The bones of the plan, also while a pass has it. Outside the tree there are none: another thread may
    /// have the rig then.
    pub(super) planned_bones: RefCell<Weak<TrackedBones>>,
    /// Set when the tree under the plan changes.
    pub(super) stale: Cell<bool>,
    /// `true` if no pass may begin: one is under way, its signals are being emitted, or bones are
    /// being restored.
    pub(super) is_locked: Cell<bool>,
    /// `true` if `reset` was called during a pass, while the rig did not have the plan.
    pub(super) resets_after_pass: Cell<bool>,
    /// The same of a rig that has no plan yet.
    pub(super) resets_before_pass: Cell<bool>,
    /// The warnings that were printed already.
    pub(super) warned: RefCell<Warned>,
    pub(super) in_editor: bool,
    /// `true` if it has entered the tree and not left it.
    pub(super) in_tree: Cell<bool>,
    /// `true` if it runs in no frame, as the skeleton is not visible.
    pub(super) is_asleep: Cell<bool>,
    /// `true` if the engine would process the rig on another thread. It is not processed then.
    pub(super) on_other_thread: Cell<bool>,
    /// `true` if the engine's own stack turns bones of the skeleton. Only checked in the editor.
    pub(super) is_beside_stack: Cell<bool>,
    /// The tween that calls the rig at the end of each frame, if there is one.
    pub(super) frame_end: RefCell<FrameEnd>,
    /// The tween that makes sure that the first frame that is drawn shows a solved pose.
    pub(super) first_frame: RefCell<FrameEnd>,
    /// The base poses that the editor's undo may bring back. Games have none.
    pub(super) undo_history: RefCell<Option<Box<UndoHistory>>>,
    /// The base poses of the rig that this one is a copy of, until there is a plan.
    pub(super) copied_base_poses: RefCell<Option<VarDictionary>>,
    /// The rotations that the next pass begins from, by the instance IDs of the bones.
    pub(super) start_rotations: RefCell<Option<VarDictionary>>,
    /// The signals and nodes that make the plan stale.
    pub(super) dependencies: RefCell<Dependencies>,
    /// `true` if the rig is connected to the skeleton's signal.
    pub(super) is_connected_to_skeleton: Cell<bool>,
    /// Notices nodes that enter or leave the tree.
    pub(super) tree_watch: RefCell<Option<Rc<TreeWatch>>>,
    /// Has the rig polled.
    pub(super) frame_watch: RefCell<Option<Rc<FrameWatch>>>,
    /// `true` if the last poll checked the thread.
    pub(super) has_checked_thread: Cell<bool>,
}

impl SharedRig {
    /// That of `node`, which is being made.
    pub(super) fn new(node: &Gd<Node>) -> Self {
        Self {
            active: Cell::new(true),
            influence: Cell::new(1.0),
            preview_in_editor: Cell::new(true),
            in_editor: Engine::singleton().is_editor_hint(),
            // After the extension was reloaded it is, and does not enter again.
            in_tree: Cell::new(node.is_inside_tree()),
            ..Self::default()
        }
    }

    /// Notes whether `node`, whose rig it is, is in the tree.
    pub(super) fn set_in_tree(rig: &Shared<Self>, node: InstanceId, in_tree: bool) {
        rig.in_tree.set(in_tree);
        if is_main_thread() {
            IN_TREE.with_borrow_mut(|rigs| match in_tree {
                true => rigs.insert(node, rig.clone()),
                false => rigs.remove(&node),
            });
        }
    }

    /// Returns `true` if the rig runs in the editor, too.
    pub(super) fn is_previewed(&self) -> bool {
        self.preview_in_editor.get() && !self.is_beside_stack.get() && preview::is_allowed()
    }
}
