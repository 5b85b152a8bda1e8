//! Which modifiers turn a bone, and its base pose.

use godot::classes::Bone2D;
use godot::prelude::*;
use tendon_nodes::base_pose::bone_pose::BonePose;
use tendon_nodes::engine::bone_lines::parent_bone;
use tendon_nodes::engine::skeleton::skeleton_of_bone;
use tendon_nodes::nodes::rig::TendonRig2D;
use tendon_nodes::nodes::rig::skeleton::rig_of;

use crate::modifiers::MenuModifier;

/// `STATUS_OUT_OF_REACH`, as all modifiers have it.
const OUT_OF_REACH: i64 = 2;

/// A bone that modifiers turn while their rig is previewed.
pub(crate) struct DrivenBone {
    pub(crate) rig: Gd<TendonRig2D>,
    /// The names of the modifiers.
    pub(crate) drivers: Vec<String>,
    /// Their targets, as far as this bone goes to one.
    pub(crate) goals: Vec<Goal>,
    pub(crate) base: BonePose,
    /// The reason that the bone shows its base pose nevertheless.
    pub(crate) reason_for_idle: Option<&'static str>,
}

impl DrivenBone {
    /// `None` if no modifier turns `bone`, or before the first pass.
    pub(crate) fn of(bone: &Gd<Bone2D>) -> Option<Self> {
        let rig = rig_above(bone)?;
        let (drivers, base) = {
            let rig = rig.bind();
            let plan = rig.plan()?;
            let base = plan.bones.base_pose_of(bone.instance_id())?;
            (plan.drivers_of(bone), base)
        };
        let names = drivers.iter().map(|node| node.get_name().to_string());
        let goals = drivers.iter().filter_map(|node| Goal::of(node, bone));
        (!drivers.is_empty()).then(|| Self {
            reason_for_idle: reason_for_idle(&rig),
            rig,
            drivers: names.collect(),
            goals: goals.collect(),
            base,
        })
    }
}

/// A target, and who reaches for it: a modifier, or an effector of one.
pub(crate) struct Goal {
    pub(crate) modifier: Gd<Node>,
    pub(crate) target: Gd<Node>,
}

impl Goal {
    /// Returns the goal that `modifier` reaches for by `bone`: that of its own tip, or of the only effector that is
    /// beyond it.
    fn of(modifier: &Gd<Node>, bone: &Gd<Bone2D>) -> Option<Self> {
        let is_beyond = |goal: &Self| {
            let last = goal.ends().map(|[_, last]| last);
            std::iter::successors(last, parent_bone).any(|it| it == *bone)
        };
        let own = Self::on(modifier.clone()).filter(is_beyond);
        own.or_else(|| {
            let children = modifier.get_children();
            let effectors = children.iter_shared();
            let effectors = effectors.filter(|node| node.is_class("TendonEffector2D"));
            let mut goals = effectors.filter_map(Self::on).filter(is_beyond);
            goals.next().filter(|_| goals.next().is_none())
        })
    }

    fn on(modifier: Gd<Node>) -> Option<Self> {
        let target = modifier.get("target").try_to().ok()?;
        Some(Self { modifier, target })
    }

    /// The modifier, or that of the effector.
    fn whole(&self) -> Option<Gd<Node>> {
        match self.modifier.is_class("TendonEffector2D") {
            true => self.modifier.get_parent(),
            false => Some(self.modifier.clone()),
        }
    }

    /// The first bone that goes to the target, and the last one.
    pub(crate) fn ends(&self) -> Option<[Gd<Bone2D>; 2]> {
        let [first, last] = MenuModifier::end_bones(&self.whole()?)?;
        let own = self.modifier.get("tip_bone").try_to().ok();
        Some([first?, own.or(last)?])
    }

    /// Returns `true` if it is an effector of a body, which moves as a whole.
    pub(crate) fn is_of_body(&self) -> bool {
        let whole = self.whole();
        whole.is_some_and(|whole| whole.is_class("TendonFullBody2D"))
    }

    /// Returns the place of the tip, on the canvas of the edited scene.
    pub(crate) fn tip(&self) -> Option<Vector2> {
        let tip = self.modifier.clone().call("get_tip_position", &[]);
        let tip = tip.try_to::<Vector2>().ok().filter(|tip| tip.is_finite())?;
        Some(self.ends()?[1].get_canvas_transform() * tip)
    }

    /// Returns `true` if the tip does not get there.
    pub(crate) fn is_out_of_reach(&self) -> bool {
        let status = self.whole().map(|mut whole| whole.call("get_status", &[]));
        status == Some(OUT_OF_REACH.to_variant())
    }
}

/// The rig of the skeleton that `bone` belongs to.
pub(crate) fn rig_above(bone: &Gd<Bone2D>) -> Option<Gd<TendonRig2D>> {
    rig_of(&skeleton_of_bone(bone)?)
}

/// Returns the reason that no modifier of `rig` is solved, if none is.
pub(crate) fn reason_for_idle(rig: &Gd<TendonRig2D>) -> Option<&'static str> {
    let rig = rig.bind();
    match rig.get_active() {
        false => Some("The rig is inactive"),
        true => (!rig.is_previewed()).then_some("The rig's preview is off"),
    }
}
