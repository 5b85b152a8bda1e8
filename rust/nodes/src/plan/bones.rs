//! What a plan is put together from: its bones, and what it depends on.

use std::collections::{HashMap, HashSet};

use godot::classes::{Bone2D, Skeleton2D};
use godot::prelude::*;
use tendon_solver::Bone;

use crate::base_pose::tracked_bones::TrackedBones;
use crate::engine::departed;
use crate::engine::link::Link;
use crate::engine::skeleton::child_bones;
use crate::plan::limit::PlannedLimit;
use crate::plan::locate::{Attachment, Input, line_up};
use crate::warnings::problem::Problem;

/// A bone property: its name, for messages, and what it is set to.
pub(crate) type BoneProperty<'a> = (&'static str, &'a Link<Bone2D>);

/// The bones of a plan while it is made: those that modifiers turn, and all above them. Also what
/// the plan depends on.
pub struct Bones {
    pub(super) skeleton: Gd<Skeleton2D>,
    pub(super) tracked: TrackedBones,
    /// The solver's, in the same order.
    pub(super) solved: Vec<Bone>,
    pub(super) limits: Vec<PlannedLimit>,
    /// Nodes with children whose order counts: of several limits, or of several bones at the end of
    /// a chain, the first counts.
    pub(super) with_ordered_children: Vec<Gd<Node>>,
    /// `true` if a rest pose was read.
    pub(crate) reads_rest: bool,
    /// The curves and animations of modifiers, which may change, each after the node that has it.
    pub(crate) resources: Vec<(Gd<Node>, Gd<Resource>)>,
    /// The custom modifiers. Their scripts may be exchanged.
    pub(crate) scripted: Vec<Gd<Node>>,
    /// Nodes that modifiers read, which must neither enter nor leave the tree.
    pub(super) inputs: Vec<InstanceId>,
    /// The modifiers that get their targets from others.
    pub(crate) placed_limbs: HashSet<InstanceId>,
    /// `true` if a modifier asks the physics server.
    pub(crate) senses: bool,
    indices: HashMap<InstanceId, usize>,
}

impl Bones {
    pub(super) fn new(skeleton: Gd<Skeleton2D>) -> Self {
        Self {
            skeleton,
            tracked: TrackedBones::default(),
            solved: Vec::new(),
            limits: Vec::new(),
            with_ordered_children: Vec::new(),
            reads_rest: false,
            resources: Vec::new(),
            scripted: Vec::new(),
            inputs: Vec::new(),
            placed_limbs: HashSet::new(),
            senses: false,
            indices: HashMap::new(),
        }
    }

    pub(crate) fn skeleton(&self) -> Gd<Skeleton2D> {
        self.skeleton.clone()
    }

    /// The bone that a property is set to, and its index.
    pub(crate) fn bone_in(
        &mut self,
        (property, link): BoneProperty<'_>,
    ) -> Result<(Gd<Bone2D>, usize), Problem> {
        let bone = self.linked(link).ok_or_else(|| match link.departed() {
            Some(bone) => Problem::ForeignBone { property, bone },
            None => Problem::NoBone { property },
        })?;
        match self.index(&bone) {
            Some(index) => Ok((bone, index)),
            None => Err(Problem::ForeignBone {
                property,
                bone: bone.get_name().to_string(),
            }),
        }
    }

    /// The index of the bone that a property is set to, if it is one of the skeleton's.
    pub(super) fn index_in(&mut self, link: &Link<Bone2D>) -> Option<usize> {
        self.linked(link).and_then(|bone| self.index(&bone))
    }

    /// The index of `bone`, which becomes part of the plan with all bones above it; `None` if
    /// it is not a bone of the skeleton.
    pub(crate) fn index(&mut self, bone: &Gd<Bone2D>) -> Option<usize> {
        let id = bone.instance_id();
        if let Some(&index) = self.indices.get(&id) {
            return Some(index);
        }
        let parent = bone.get_parent()?;
        let parent = if parent.instance_id() == self.skeleton.instance_id() {
            None
        } else {
            Some(self.index(&parent.try_cast::<Bone2D>().ok()?)?)
        };
        let index = self.tracked.push(bone.clone());
        self.indices.insert(id, index);
        self.solved.push(Bone::below(parent));
        if let Some(limit) = PlannedLimit::find(bone, index) {
            if limit.has_others() {
                self.with_ordered_children.push(bone.clone().upcast());
            }
            self.reads_rest = true;
            self.limits.push(limit);
        }
        Some(index)
    }

    /// The index of the first bone below `bone`.
    pub(crate) fn first_child(&mut self, bone: &Gd<Bone2D>) -> Option<usize> {
        let mut children = child_bones(bone);
        let first = children.next()?;
        if children.next().is_some() {
            self.with_ordered_children.push(bone.clone().upcast());
        }
        self.index(&first)
    }

    /// Adds all bones of the skeleton. Returns their indices.
    pub(crate) fn add_all(&mut self) -> HashMap<InstanceId, usize> {
        let mut parents: Vec<Gd<Node>> = vec![self.skeleton.clone().upcast()];
        while let Some(parent) = parents.pop() {
            for bone in child_bones(&parent) {
                self.index(&bone);
                parents.push(bone.upcast());
            }
        }
        self.indices.clone()
    }

    /// The node of a bone of the plan.
    pub(crate) fn node(&self, index: usize) -> Option<&Gd<Bone2D>> {
        self.tracked.get(index).node()
    }

    /// The node that a property is set to, unless it was freed or has left the tree.
    pub(crate) fn linked<T: Inherits<Node>>(&mut self, link: &Link<T>) -> Option<Gd<T>> {
        self.find(link.id()?)
    }

    /// The node with this ID, unless it was freed or has left the tree. If it enters the tree later, the plan
    /// becomes stale.
    fn find<T: Inherits<Node>>(&mut self, node: InstanceId) -> Option<Gd<T>> {
        let found = departed::find::<T>(node);
        let is_inside = |node: &Gd<T>| node.clone().upcast::<Node>().is_inside_tree();
        if !found.as_ref().is_some_and(is_inside) {
            self.inputs.push(node);
        }
        found
    }

    /// The same, if it is in the tree now.
    pub(super) fn find_in_tree<T: Inherits<Node>>(&mut self, node: InstanceId) -> Option<Gd<T>> {
        let found = self.find::<T>(node);
        found.filter(|node| node.clone().upcast::<Node>().is_inside_tree())
    }

    /// The plan becomes stale when `node` leaves the tree or enters it again.
    pub(crate) fn depend_on<T: GodotClass>(&mut self, node: &Gd<T>) {
        self.inputs.push(node.instance_id());
    }

    /// The node `node`, to be read in each pass by a modifier whose first bone is `root`, which must not
    /// carry it. Also whether it does.
    pub(crate) fn input(&mut self, node: Gd<Node2D>, root: Option<usize>) -> (Input, bool) {
        self.inputs.push(node.instance_id());
        let carrier = self.carrier(&node).zip(root);
        let is_carried = carrier.is_some_and(|(bone, root)| self.is_at_or_below(bone, root));
        (Input::new(node, &self.skeleton, root), is_carried)
    }

    /// The node that `property` is set to, if it is in the tree, and the bones below `root` do not carry it.
    pub(crate) fn find_input<T: Inherits<Node2D> + Inherits<Node>>(
        &mut self,
        (property, link): (&'static str, &Link<T>),
        root: Option<usize>,
    ) -> Result<(Gd<T>, Input), Problem> {
        let found = self.linked(link).ok_or_else(|| match link.departed() {
            Some(node) => Problem::Outside { property, node },
            None => Problem::Missing { property },
        })?;
        let as_node = found.clone().upcast::<Node>();
        let node = as_node.get_name().to_string();
        if !as_node.is_inside_tree() {
            return Err(Problem::Outside { property, node });
        }
        match self.input(found.clone().upcast(), root) {
            (_, true) => Err(Problem::Carried { property, node }),
            (input, false) => Ok((found, input)),
        }
    }

    /// The index of the bone that `node` is attached to, unless that bone or one above it is
    /// top-level and so does not move with the skeleton.
    pub(super) fn carrier(&mut self, node: &Gd<Node2D>) -> Option<usize> {
        let attachment = Attachment::find(node, &self.skeleton)?;
        let bone = attachment.bone.and_then(|bone| self.index(&bone))?;
        self.top_level(bone).is_none().then_some(bone)
    }

    /// The first bone at or above `bone` that is top-level.
    pub(super) fn top_level(&self, bone: usize) -> Option<usize> {
        let mut line = self.with_ancestors(bone);
        line.find(|&index| self.tracked.get(index).is_top_level())
    }

    /// Returns `true` if `bone`, or one of the bones above it, is top-level and does not move with those above.
    pub(crate) fn has_top_level(&self, bone: usize) -> bool {
        self.top_level(bone).is_some()
    }

    /// `index` and the bones above it, upwards.
    pub(crate) fn with_ancestors(&self, index: usize) -> impl Iterator<Item = usize> {
        line_up(&self.solved, Some(index))
    }

    /// Returns `true` if `bone` is `above` or a descendant of it.
    pub(crate) fn is_at_or_below(&self, bone: usize, above: usize) -> bool {
        self.with_ancestors(bone).any(|index| index == above)
    }
}
