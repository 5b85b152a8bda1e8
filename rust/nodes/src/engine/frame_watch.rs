//! Polls rigs for changes that the engine does not report, one of them before each frame.
//!
//! If the thread group of a node changes, the engine notifies only that node, and not the rigs below it.
//! Connections to all nodes above a rig would take almost 4 KB of the engine's memory. It does not report
//! either that a bone was made top-level, or that a skeleton was given a modification stack. So one
//! object, which all rigs own together, has each rig check for that in turn.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::{Rc, Weak};

use godot::prelude::*;

use crate::engine::listener::TendonListener;

/// Polls the nodes that were added to it. They own it together.
pub(crate) struct FrameWatch {
    /// The next one first.
    nodes: RefCell<VecDeque<(InstanceId, Check)>>,
    /// Receives the signals of the tree before each frame.
    _listener: Gd<TendonListener>,
}

/// Checks a node.
type Check = Rc<dyn Fn()>;

thread_local! {
    static WATCH: RefCell<Weak<FrameWatch>> = const { RefCell::new(Weak::new()) };
}

impl FrameWatch {
    /// Calls `check` for `node`, which is in the tree, in turn with others before each frame, until
    /// [`remove`](Self::remove).
    pub(crate) fn add(node: &Gd<Node>, check: impl Fn() + 'static) -> Rc<Self> {
        let known = WATCH.with_borrow(Weak::upgrade);
        let watch = known.unwrap_or_else(|| Self::start(node));
        let entry = (node.instance_id(), Rc::new(check) as Check);
        watch.nodes.borrow_mut().push_back(entry);
        watch
    }

    /// No longer polls the node with this ID.
    pub(crate) fn remove(&self, node: InstanceId) {
        self.nodes.borrow_mut().retain(|(known, _)| *known != node);
    }

    fn start(node: &Gd<Node>) -> Rc<Self> {
        let listener = TendonListener::new(Self::poll);
        // Emitted before any node is processed.
        let tree = node.get_tree();
        TendonListener::listen(&listener, &tree, "process_frame");
        let watch = Rc::new(Self {
            nodes: RefCell::default(),
            _listener: listener,
        });
        WATCH.set(Rc::downgrade(&watch));
        watch
    }

    /// Polls the next node.
    fn poll() {
        // A check may print a warning, and a script that receives it may remove nodes.
        let watch = WATCH.with_borrow(Weak::upgrade);
        if let Some(check) = watch.and_then(|watch| watch.take_turn()) {
            check();
        }
    }

    fn take_turn(&self) -> Option<Check> {
        let mut nodes = self.nodes.borrow_mut();
        let (node, check) = nodes.pop_front()?;
        nodes.push_back((node, Rc::clone(&check)));
        Some(check)
    }
}
