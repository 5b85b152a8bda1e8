//! Notices nodes that enter or leave the tree, for all rigs together.
//!
//! A connection to a signal of each node that a rig depends on would take 0.9 kB of the engine's
//! memory. The tree has signals of its own for all nodes. So one object listens to these, and looks
//! up who depends on the node.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::{Rc, Weak};

use godot::classes::Bone2D;
use godot::prelude::*;

use crate::engine::listener::TendonListener;
use crate::engine::skeleton::skeleton_of_bone;
use crate::engine::threads::is_main_thread;

/// Receives the signals of the tree for all rigs. They own it together.
pub(crate) struct TreeWatch {
    /// Nodes, each with a node that depends on it.
    pairs: RefCell<BTreeSet<(i64, i64)>>,
    notify: Notify,
    /// Receives the signals of the tree.
    _listener: Gd<TendonListener>,
}

/// Tells the node with this ID, which may have been freed, that a node that it depends on has
/// entered or left the tree.
type Notify = fn(InstanceId);

thread_local! {
    static WATCH: RefCell<Weak<TreeWatch>> = const { RefCell::new(Weak::new()) };
}

impl TreeWatch {
    /// The watch of the tree that `node` is in. It calls `notify`, which has to be the same for all
    /// nodes.
    pub(crate) fn of(node: &Gd<Node>, notify: Notify) -> Rc<Self> {
        let known = WATCH.with_borrow(Weak::upgrade);
        known.unwrap_or_else(|| Self::start(node, notify))
    }

    fn start(node: &Gd<Node>, notify: Notify) -> Rc<Self> {
        let listener = TendonListener::for_nodes(Self::on_node);
        let tree = node.get_tree();
        TendonListener::listen_for_nodes(&listener, &tree, "node_added");
        TendonListener::listen_for_nodes(&listener, &tree, "node_removed");
        let watch = Rc::new(Self {
            pairs: RefCell::default(),
            notify,
            _listener: listener,
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
    fn on_node(node: Gd<Node>) {
        let watch = WATCH.with_borrow(Weak::upgrade);
        let Some(watch) = watch.filter(|_| is_main_thread()) else {
            return;
        };
        watch.notify_dependents_of(node.instance_id());
        if let Ok(bone) = node.try_cast::<Bone2D>()
            && let Some(skeleton) = skeleton_of_bone(&bone)
        {
            watch.notify_dependents_of(skeleton.instance_id());
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

fn pair(node: InstanceId, dependent: InstanceId) -> (i64, i64) {
    (node.to_i64(), dependent.to_i64())
}
