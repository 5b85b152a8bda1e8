//! Effectors as a plan and a pass use them: the trait of their nodes, and what is planned of each.

use std::cell::Cell;

use godot::obj::DynGd;
use godot::prelude::*;

use crate::engine::readable::{OwnClass, Readable};
use crate::plan::bones::Bones;
use crate::plan::chain::{Chain, TipAndTarget};
use crate::plan::references::{ReferenceIds, References};
use crate::plan::result::{PassResult, Subject};
use crate::warnings::problem::Problem;

/// A node that adds a tip to the modifier above it.
pub(crate) trait Effector: 'static {
    /// The nodes that it refers to; the bone is that of its tip.
    fn references(&self) -> References<'_>;
    /// 0 to 1; NaN counts as 0.
    fn weight(&self) -> f32;
    /// The result of the last pass.
    fn result(&self) -> &Cell<PassResult>;
    /// The node itself, [`readable`] for passes.
    fn readable(&self) -> ReadableEffector;
}

/// An effector node, whatever its class.
type EffectorNode = DynGd<Node, dyn Effector>;

/// An effector node, from which a pass reads what it refers to and its weight, and which it hands
/// the result.
pub(crate) type ReadableEffector = Readable<dyn Effector>;

/// `node` for passes. See [`readable`](crate::plan::modifier::readable).
pub(crate) fn readable<T: Effector + OwnClass>(node: Gd<T>) -> ReadableEffector {
    fn view<T: Effector>(node: &T) -> &dyn Effector {
        node
    }
    Readable::new(node, view::<T>)
}

/// Whether `problem` of `node`, an effector, was not reported to the running game before.
pub(crate) fn is_new_problem(node: &Gd<Node>, problem: &Problem) -> bool {
    let effector = node.clone().try_dynify::<dyn Effector>();
    effector.is_ok_and(|effector| {
        PassResult::update(effector.dyn_bind().result(), |result| {
            result.is_new(problem)
        })
    })
}

/// The effectors below `modifier`, in tree order.
pub(super) fn effectors_of(modifier: &Gd<Node>) -> Vec<EffectorNode> {
    let children = modifier.get_children();
    let effectors = children.iter_shared();
    let effectors = effectors.filter_map(|child| child.try_dynify::<dyn Effector>().ok());
    effectors.collect()
}

/// An effector of the plan.
pub(crate) struct PlannedEffector {
    node: ReadableEffector,
    /// What its properties were set to when the plan was made.
    ids: ReferenceIds,
    pub(crate) ends: Result<TipAndTarget, Problem>,
}

impl PlannedEffector {
    /// Plans an effector of the tree whose root is the bone `root`. `stretches` says whether the
    /// tree does.
    pub(super) fn new(
        bones: &mut Bones,
        effector: EffectorNode,
        root: Option<usize>,
        stretches: bool,
    ) -> Self {
        let bound = effector.dyn_bind();
        let references = bound.references();
        let ids = references.ids();
        let references = References {
            stretches,
            ..references
        };
        let node = bound.readable();
        let ends = find_ends(bones, &references, root);
        drop(bound);
        Self { node, ids, ends }
    }

    /// The effector and what is wrong with it, unless it was freed.
    pub(super) fn subject(&self) -> Option<Subject> {
        self.node.alive()?;
        Some(Subject {
            node: self.node.gd().clone(),
            is_new: is_new_problem,
            problems: self.ends.as_ref().err().into_iter().cloned().collect(),
        })
    }

    /// The node's id, whether it is alive or not.
    pub(crate) fn id(&self) -> InstanceId {
        self.node.id()
    }

    /// Its weight now. `None` if it was freed or a property was set to another node.
    pub(crate) fn read_weight(&self) -> Option<f32> {
        let read = |node: &dyn Effector| (node.references().ids(), node.weight());
        let (ids, weight) = self.node.read(read)?;
        (ids == self.ids).then_some(weight)
    }

    /// Takes over where its tip is, in global coordinates, and how far from its target.
    pub(crate) fn publish(&self, distance: f32, tip: Vector2) {
        self.update(|result| result.set_tip(distance, tip));
    }

    /// Forgets the last pass.
    pub(crate) fn go_idle(&self) {
        self.update(PassResult::go_idle);
    }

    fn update<R>(&self, change: impl FnOnce(&mut PassResult) -> R) {
        let update = |node: &dyn Effector| PassResult::update(node.result(), change);
        self.node.read(update);
    }
}

fn find_ends(
    bones: &mut Bones,
    references: &References<'_>,
    root: Option<usize>,
) -> Result<TipAndTarget, Problem> {
    let property = references.joints.properties();
    let (property, _) = property.ok_or(Problem::EffectorElsewhere)?;
    let (bone, index) = bones.bone_in(property)?;
    if root.is_some_and(|root| !bones.is_at_or_below(index, root)) {
        return Err(Problem::NotBelowRoot {
            bone: bone.get_name().to_string(),
        });
    }
    Ok(Chain::find(bones, references, root, false)?.ends)
}
