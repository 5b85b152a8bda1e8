//! Which modifiers turn a bone, and its base pose.

use godot::classes::{Bone2D, Skeleton2D};
use godot::prelude::*;
use tendon_nodes::base_pose::bone_pose::BonePose;
use tendon_nodes::engine::skeleton::skeleton_of_bone;
use tendon_nodes::nodes::rig::TendonRig2D;
use tendon_nodes::nodes::rig::skeleton::rig_of;

/// `STATUS_OUT_OF_REACH`, as all modifiers have it.
const OUT_OF_REACH: i64 = 2;

/// A bone that modifiers turn while their rig is previewed.
pub(crate) struct DrivenBone {
    pub(crate) rig: Gd<TendonRig2D>,
    /// The names of the modifiers.
    pub(crate) drivers: Vec<String>,
    /// Their targets.
    pub(crate) goals: Vec<Goal>,
    pub(crate) base: BonePose,
    /// Why the bone shows its base pose nevertheless.
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
        let goals = drivers.iter().filter_map(Goal::of);
        (!drivers.is_empty()).then(|| Self {
            reason_for_idle: reason_for_idle(&rig),
            rig,
            drivers: names.collect(),
            goals: goals.collect(),
            base,
        })
    }
}

/// A target, and the modifier that reaches for it.
pub(crate) struct Goal {
    pub(crate) modifier: Gd<Node>,
    pub(crate) target: Gd<Node>,
}

impl Goal {
    fn of(modifier: &Gd<Node>) -> Option<Self> {
        let target = modifier.get("target").try_to().ok()?;
        Some(Self {
            modifier: modifier.clone(),
            target,
        })
    }

    /// The way from the target to the tip that does not get there, on the canvas of the edited scene. `skeleton` has the
    /// bones.
    pub(crate) fn lag(&self, skeleton: &Gd<Skeleton2D>) -> Vector2 {
        let mut modifier = self.modifier.clone();
        let is_beyond = modifier.call("get_status", &[]) == OUT_OF_REACH.to_variant();
        let tip = modifier.call("get_tip_position", &[]).try_to::<Vector2>();
        let target = self.target.clone().try_cast::<Node2D>();
        match (tip, target) {
            (Ok(tip), Ok(target)) if is_beyond => {
                let place = target.get_canvas_transform() * target.get_global_position();
                skeleton.get_canvas_transform() * tip - place
            }
            _ => Vector2::ZERO,
        }
    }
}

/// The rig of the skeleton that `bone` belongs to.
pub(crate) fn rig_above(bone: &Gd<Bone2D>) -> Option<Gd<TendonRig2D>> {
    rig_of(&skeleton_of_bone(bone)?)
}

/// Why no modifier of `rig` is solved, if none is.
pub(crate) fn reason_for_idle(rig: &Gd<TendonRig2D>) -> Option<&'static str> {
    let rig = rig.bind();
    match rig.get_active() {
        false => Some("The rig is inactive"),
        true => (!rig.is_previewed()).then_some("The rig's preview is off"),
    }
}
