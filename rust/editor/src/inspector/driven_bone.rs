//! Which modifiers turn a bone, and its base pose.

use godot::classes::Bone2D;
use godot::prelude::*;
use tendon_nodes::base_pose::bone_pose::BonePose;
use tendon_nodes::engine::skeleton::skeleton_of_bone;
use tendon_nodes::nodes::rig::TendonRig2D;
use tendon_nodes::nodes::rig::skeleton::rig_of;

use crate::reach::ReachingLimb;

/// A bone that modifiers turn while their rig is previewed.
pub(crate) struct DrivenBone {
    pub(crate) rig: Gd<TendonRig2D>,
    /// The names of the modifiers.
    pub(crate) drivers: Vec<String>,
    /// What of them brings this bone to a target.
    pub(crate) goals: Vec<ReachingLimb>,
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
        let goals = drivers
            .iter()
            .filter_map(|node| ReachingLimb::beyond(bone, node));
        (!drivers.is_empty()).then(|| Self {
            reason_for_idle: reason_for_idle(&rig),
            rig,
            drivers: names.collect(),
            goals: goals.collect(),
            base,
        })
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
