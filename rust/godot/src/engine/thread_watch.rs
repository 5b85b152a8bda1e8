//! Looks at what the engine tells nobody of, for a few rigs before each frame: whether the thread group
//! of a node above a rig has changed, or a bone was made top-level.
//!
//! The engine tells nobody below a node that the node's thread group has changed. A connection to
//! each node above each rig would take almost 4 KB of the engine's memory for each rig. So one
//! object asks the rigs in turn.

use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};

use godot::prelude::*;

use crate::engine::listener::TendonListener;

/// What looks at all nodes that were added. They own it together.
pub(crate) struct ThreadWatch {
    nodes: RefCell<Vec<(InstanceId, Check)>>,
    /// Whose turn it is.
    next: Cell<usize>,
    /// Hears of each frame.
    _listener: Gd<TendonListener>,
}

/// Checks the node with this id, which may have been freed.
type Check = fn(InstanceId);

thread_local! {
    static WATCH: RefCell<Weak<ThreadWatch>> = const { RefCell::new(Weak::new()) };
}

/// How many nodes are looked at before each frame.
const NODES_IN_A_FRAME: usize = 4;

impl ThreadWatch {
    /// Calls `check` for `node`, which is in the tree, in turn with others before each frame, until
    /// [`remove`](Self::remove).
    pub(crate) fn add(node: &Gd<Node>, check: Check) -> Rc<Self> {
        let known = WATCH.with_borrow(Weak::upgrade);
        let watch = known.unwrap_or_else(|| Self::start(node));
        let entry = (node.instance_id(), check);
        watch.nodes.borrow_mut().push(entry);
        watch
    }

    /// Looks no longer at the node with this id.
    pub(crate) fn remove(&self, node: InstanceId) {
        self.nodes.borrow_mut().retain(|&(known, _)| known != node);
    }

    fn start(node: &Gd<Node>) -> Rc<Self> {
        let listener = TendonListener::new(Self::look);
        // Emitted before any node is processed.
        let tree = node.get_tree();
        TendonListener::listen(&listener, &tree, "process_frame");
        TendonListener::listen(&listener, &tree, "physics_frame");
        let watch = Rc::new(Self {
            nodes: RefCell::default(),
            next: Cell::new(0),
            _listener: listener,
        });
        WATCH.set(Rc::downgrade(&watch));
        watch
    }

    /// Looks at the next few nodes.
    fn look() {
        let Some(watch) = WATCH.with_borrow(Weak::upgrade) else {
            return;
        };
        let count = watch.nodes.borrow().len();
        for _ in 0..count.min(NODES_IN_A_FRAME) {
            // A script that hears of a warning may have removed nodes.
            if let Some((node, check)) = watch.take_turn() {
                check(node);
            }
        }
    }

    fn take_turn(&self) -> Option<(InstanceId, Check)> {
        let nodes = self.nodes.borrow();
        let turn = self.next.get();
        let turn = if turn < nodes.len() { turn } else { 0 };
        self.next.set(turn + 1);
        nodes.get(turn).copied()
    }
}
