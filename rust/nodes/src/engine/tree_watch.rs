//! Notices nodes that enter or leave the tree, for all rigs together.
//!
//! A connection to a signal of each node that a rig depends on would take 0.9 kB of the engine's
//! memory. The tree has signals of its own for all nodes. So two objects listen to these, and look
//! up who depends on the node.
//!
//! A node that leaves may be freed on another thread as soon as it has left. While it leaves, who depends on it
//! can still use it, for the last time; then all let go of it ([`crate::engine::frame_calls`]), and it is noted
//! ([`crate::engine::departed`]). A script that takes the tree's signals away takes that away, too.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::{Rc, Weak};

use godot::classes::Bone2D;
use godot::prelude::*;

use crate::engine::departed;
use crate::engine::frame_calls::let_go;
use crate::engine::listener::TendonListener;
use crate::engine::skeleton::skeleton_of_bone;
use crate::engine::threads::is_main_thread;

/// Receives the signals of the tree for all rigs. They own it together.
pub(crate) struct TreeWatch {
    /// Nodes, each with a node that depends on it.
    pairs: RefCell<BTreeSet<(i64, i64)>>,
    notify: NotifyById,
    /// Receive the signals of the tree.
    _listeners: [Gd<TendonListener>; 2],
}

/// A change of a node's place in the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TreeChange {
    /// It has entered the tree.
    Entered,
    /// It is about to leave the tree: for now, it can still be used.
    Leaves,
}

/// Tells the node with this ID, which may have been freed, that a node that it depends on has
/// entered or left the tree.
type NotifyById = fn(InstanceId);

thread_local! {
    static WATCH: RefCell<Weak<TreeWatch>> = const { RefCell::new(Weak::new()) };
}

impl TreeWatch {
    /// The watch of the tree that `node` is in. It calls `notify`, which has to be the same for all
    /// nodes.
    pub(crate) fn of(node: &Gd<Node>, notify: NotifyById) -> Rc<Self> {
        let known = WATCH.with_borrow(Weak::upgrade);
        known.unwrap_or_else(|| Self::start(node, notify))
    }

    fn start(node: &Gd<Node>, notify: NotifyById) -> Rc<Self> {
        let entering = TendonListener::for_nodes(|node| Self::on_node(node, TreeChange::Entered));
        let leaving = TendonListener::for_nodes(|node| Self::on_node(node, TreeChange::Leaves));
        let tree = node.get_tree();
        TendonListener::listen_for_nodes(&entering, &tree, "node_added");
        TendonListener::listen_for_nodes(&leaving, &tree, "node_removed");
        let watch = Rc::new(Self {
            pairs: RefCell::default(),
            notify,
            _listeners: [entering, leaving],
        });
        WATCH.set(Rc::downgrade(&watch));
        watch
    }

    /// Notifies `dependent` when one of `nodes` enters or leaves the tree. For a skeleton among
    /// them, also when a bone of it does.
    pub(crate) fn add(&self, nodes: &[InstanceId], dependent: InstanceId) {
        let pairs = nodes.iter().map(|&node| pair(node, dependent));
        self.pairs.borrow_mut().extend(pairs);
    }

    /// Takes back [`add`](Self::add).
    pub(crate) fn remove(&self, nodes: &[InstanceId], dependent: InstanceId) {
        let mut pairs = self.pairs.borrow_mut();
        for &node in nodes {
            pairs.remove(&pair(node, dependent));
        }
    }

    /// A node has entered the tree, or is about to leave it and still has its parent.
    fn on_node(node: Gd<Node>, change: TreeChange) {
        let watch = WATCH.with_borrow(Weak::upgrade);
        let Some(watch) = watch.filter(|_| is_main_thread()) else {
            return;
        };
        let id = node.instance_id();
        if change == TreeChange::Entered {
            departed::enter(id);
        }
        watch.notify_dependents_of(id);
        if let Ok(bone) = node.clone().try_cast::<Bone2D>()
            && let Some(skeleton) = skeleton_of_bone(&bone)
        {
            watch.notify_dependents_of(skeleton.instance_id());
        }
        if change == TreeChange::Leaves {
            departed::leave(&node);
            let_go(&node);
        }
    }

    fn notify_dependents_of(&self, node: InstanceId) {
        let node = node.to_i64();
        let range = (node, i64::MIN)..=(node, i64::MAX);
        let pairs = self.pairs.borrow();
        let dependents: Vec<_> = pairs
            .range(range)
            .map(|&(_, dependent)| dependent)
            .collect();
        // A dependent that is notified may add nodes or remove them.
        drop(pairs);
        for dependent in dependents {
            (self.notify)(InstanceId::from_i64(dependent));
        }
    }
}

impl Drop for TreeWatch {
    fn drop(&mut self) {
        departed::forget_all();
    }
}

fn pair(node: InstanceId, dependent: InstanceId) -> (i64, i64) {
    (node.to_i64(), dependent.to_i64())
}
