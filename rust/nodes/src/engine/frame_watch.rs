//! Polls rigs for changes that the engine does not report, one of them before each frame.
//!
//! If the thread group of a node changes, the engine notifies only that node, and not the rigs below it.
//! Connections to all nodes above a rig would take almost 4 KB of the engine's memory. It does not report
//! either that a bone was made top-level, or that a skeleton was given a modification stack. So one
//! object, which all rigs own together, has each rig check for that in turn.

use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};

use godot::prelude::*;

use crate::engine::listener::TendonListener;

/// Polls the nodes that were added to it. They own it together.
pub(crate) struct FrameWatch {
    nodes: RefCell<Vec<(InstanceId, Check)>>,
    /// The index of the node that is polled next.
    next: Cell<usize>,
    /// Receives the signals of the tree before each frame.
    _listener: Gd<TendonListener>,
}

/// Checks the node with this ID, which may have been freed.
type Check = fn(InstanceId);

thread_local! {
    static WATCH: RefCell<Weak<FrameWatch>> = const { RefCell::new(Weak::new()) };
}

impl FrameWatch {
    /// Calls `check` for `node`, which is in the tree, in turn with others before each frame, until
    /// [`remove`](Self::remove).
    pub(crate) fn add(node: &Gd<Node>, check: Check) -> Rc<Self> {
        let known = WATCH.with_borrow(Weak::upgrade);
        let watch = known.unwrap_or_else(|| Self::start(node));
        let entry = (node.instance_id(), check);
        watch.nodes.borrow_mut().push(entry);
        watch
    }

    /// No longer polls the node with this ID.
    pub(crate) fn remove(&self, node: InstanceId) {
        self.nodes.borrow_mut().retain(|&(known, _)| known != node);
    }

    fn start(node: &Gd<Node>) -> Rc<Self> {
        let listener = TendonListener::new(Self::poll);
        // Emitted before any node is processed.
        let tree = node.get_tree();
        TendonListener::listen(&listener, &tree, "process_frame");
        let watch = Rc::new(Self {
            nodes: RefCell::default(),
            next: Cell::new(0),
            _listener: listener,
        });
        WATCH.set(Rc::downgrade(&watch));
        watch
    }

    /// Polls the next node.
    fn poll() {
        // A check may print a warning, and a script that receives it may remove nodes.
        let watch = WATCH.with_borrow(Weak::upgrade);
        if let Some((node, check)) = watch.and_then(|watch| watch.take_turn()) {
            check(node);
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
