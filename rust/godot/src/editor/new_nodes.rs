//! New modifiers, each with a target where its tip is, and the rig if it is missing; new joint
//! limits.

use godot::classes::{Bone2D, ClassDb, Marker2D, Skeleton2D};
use godot::prelude::*;

use crate::editor::action::Action;
use crate::editor::selection::{Selection, end_of};
use crate::nodes::joint_limit::TendonJointLimit2D;
use crate::nodes::modifiers::ListedModifier;
use crate::nodes::rig::TendonRig2D;
use crate::nodes::rig::surroundings::rig_of;
use crate::plan::modifier::Modifier;

/// A modifier to be made: its class, what its name ends with, and the nodes that it is given.
pub(super) struct NewModifier {
    pub(super) class: &'static ListedModifier,
    /// The bone that it is named after, and at whose end the target is.
    pub(super) tip_bone: Gd<Bone2D>,
    /// Where the tip is in the frame of `tip_bone`.
    pub(super) tip: Vector2,
    pub(super) wires: Vec<(&'static str, Gd<Node>)>,
}

impl NewModifier {
    /// A modifier of `class` whose tip is the end of `tip_bone`.
    pub(super) fn new(class: &'static ListedModifier, tip_bone: &Gd<Bone2D>) -> Self {
        Self {
            class,
            tip_bone: tip_bone.clone(),
            tip: end_of(tip_bone),
            wires: Vec::new(),
        }
    }

    /// The same, with `node` as one of its properties.
    pub(super) fn with<T: Inherits<Node>>(mut self, property: &'static str, node: &Gd<T>) -> Self {
        self.wires.push((property, node.clone().upcast()));
        self
    }

    /// Adds it to the selection's rig, as one undo step.
    pub(super) fn add(self, selection: &Selection, title: &str) -> Option<()> {
        let mut action = Action::begin(title, &selection.scene)?;
        let rig = rig_for(&selection.skeleton, &mut action);
        let name = self.tip_bone.get_name();
        let mut modifier = self.class.instantiate();
        let class = modifier.get_class().to_string();
        modifier.set_name(&new_name(&name.to_string(), &class));
        for (property, node) in &self.wires {
            modifier.set(*property, &node.to_variant());
        }
        if has_target(&modifier) {
            let target = self.add_target(selection, &mut action);
            modifier.set("target", &target.to_variant());
        }
        action.add_child(&rig.upcast(), &modifier);
        action.select(&[modifier]);
        action.commit();
        Some(())
    }

    /// Adds a marker where the tip is now: beside the skeleton, so that it moves with the
    /// character but with no bone.
    fn add_target(&self, selection: &Selection, action: &mut Action) -> Gd<Marker2D> {
        let skeleton = selection.skeleton.clone().upcast::<Node>();
        let beside = (skeleton != selection.scene).then(|| skeleton.get_parent());
        let parent = beside.flatten().unwrap_or(skeleton);
        let mut target = Marker2D::new_alloc();
        target.set_name(&format!("{}Target", self.tip_bone.get_name()));
        let place = self.tip_bone.get_global_transform() * self.tip;
        let to_parent = match parent.clone().try_cast::<Node2D>() {
            Ok(parent) => parent.get_global_transform().affine_inverse(),
            Err(_) => Transform2D::IDENTITY,
        };
        target.set_position(to_parent * place);
        action.add_child(&parent, &target.clone().upcast());
        target
    }
}

/// Whether `modifier` is of a class that has a target.
fn has_target(modifier: &Gd<Node>) -> bool {
    let modifier = modifier.clone().try_dynify::<dyn Modifier>();
    modifier.is_ok_and(|modifier| modifier.dyn_bind().references().target.is_some())
}

/// The rig of `skeleton`, which `action` adds if there is none.
pub(super) fn rig_for(skeleton: &Gd<Skeleton2D>, action: &mut Action) -> Gd<TendonRig2D> {
    rig_of(skeleton).unwrap_or_else(|| {
        let mut rig = TendonRig2D::new_alloc();
        rig.set_name("TendonRig2D");
        action.add_child(&skeleton.clone().upcast(), &rig.clone().upcast());
        rig
    })
}

/// A new node of `class`.
pub(super) fn make(class: &str, name: &str) -> Option<Gd<Node>> {
    let node = ClassDb::singleton().instantiate(class);
    let mut node = node.try_to::<Gd<Node>>().ok()?;
    node.set_name(name);
    Some(node)
}

/// The name of a new modifier of `class` whose last bone is called `bone`.
pub(super) fn new_name(bone: &str, class: &str) -> String {
    let kind = class.strip_prefix("Tendon").unwrap_or(class);
    format!("{bone}{}", kind.strip_suffix("2D").unwrap_or(kind))
}

/// Gives each of `bones` a joint limit, as one undo step.
pub(super) fn add_limits(bones: &[Gd<Bone2D>], scene: &Gd<Node>, title: &str) -> Option<()> {
    let mut action = Action::begin(title, scene)?;
    let mut limits = Vec::new();
    for bone in bones {
        let limit = new_limit().upcast::<Node>();
        action.add_child(&bone.clone().upcast(), &limit);
        limits.push(limit);
    }
    action.select(&limits);
    action.commit();
    Some(())
}

/// A new joint limit, as it is named everywhere.
pub(super) fn new_limit() -> Gd<TendonJointLimit2D> {
    let mut limit = TendonJointLimit2D::new_alloc();
    limit.set_name("JointLimit");
    limit
}
