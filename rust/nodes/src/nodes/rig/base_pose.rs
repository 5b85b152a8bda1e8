//! The base poses of a rig: the functions that return them, and how they are restored when a rig is
//! deactivated or leaves the tree, before a scene is saved, and when a script asks for it.

use godot::classes::Bone2D;
use godot::prelude::*;

use super::TendonRig2D;
use super::plan_guard::PlanGuard;
use crate::base_pose::bone_pose::BonePose;
use crate::engine::afterwards::print_error;
use crate::engine::optional::Optional;
use crate::engine::space::to_godot;
use crate::engine::threads::is_main_thread;
use crate::pass::go_idle;
use crate::plan::Plan;
use crate::plan::result::emit_changes;
use crate::warnings::refusal::BoneRefusal;

impl TendonRig2D {
    /// Restores the base pose before the editor saves the scene, to the last bit.
    pub fn restore_for_saving(this: Gd<Self>) {
        Self::with_plan(&this, Plan::restore);
    }
}

#[godot_api(secondary)]
impl TendonRig2D {
    /// Returns the rotation of `bone` in the base pose, in radians: what animations, scripts or you
    /// last gave it. Its [member Node2D.rotation] is that of the solved pose.
    ///
    /// A script that turns a bone step by step has to start each step from this rotation. If it
    /// started from the solved rotation, what the rig has added would become part of the base pose.
    ///
    /// ```gdscript
    /// # Turns towards "goal", whatever the rig adds to it.
    /// bone.rotation = lerp_angle(rig.get_base_rotation(bone), goal, 0.1)
    /// ```
    #[func]
    fn get_base_rotation(&self, bone: Option<Gd<Bone2D>>) -> f32 {
        let base = self.base_of(bone, "get_base_rotation");
        base.map_or(0.0, |(_, base)| base.rotation)
    }

    /// Returns the position of `bone` in the base pose, relative to its parent. It differs from
    /// [member Node2D.position] only if a modifier stretches.
    #[func]
    fn get_base_position(&self, bone: Option<Gd<Bone2D>>) -> Vector2 {
        let base = self.base_of(bone, "get_base_position");
        base.map_or(Vector2::ZERO, |(_, base)| to_godot(base.position))
    }

    /// Returns the transform of `bone` in the base pose, relative to its parent.
    #[func]
    fn get_base_transform(&self, bone: Option<Gd<Bone2D>>) -> Transform2D {
        let base = self.base_of(bone, "get_base_transform");
        base.map_or(Transform2D::IDENTITY, |(bone, base)| {
            let (scale, at) = (to_godot(base.scale), to_godot(base.position));
            Transform2D::from_angle_scale_skew_origin(base.rotation, scale, bone.get_skew(), at)
        })
    }

    /// Makes the solved pose the base pose: of the bones that [param modifier] turns, or without one of all bones. What
    /// modifies them then goes on from there: a hand that lets go of a ladder stays where it was until an animation
    /// moves it, and a [Tween] of a bone begins at what is seen. To write a bone's own rotation into it does not do
    /// that: what equals what the rig has written is no new pose.
    ///
    /// Springs among them begin at rest. It changes the pose that the editor would save, without an undo step: there, use
    /// the menu's [b]Apply Solved Pose[/b].
    ///
    /// ```gdscript
    /// func let_go(rig: TendonRig2D, arm: TendonTwoBoneIK2D) -> void:
    ///     rig.keep_pose(arm)
    ///     arm.influence = 0.0
    /// ```
    #[func(gd_self)]
    fn keep_pose(this: Gd<Self>, #[opt(default = Optional::NONE)] modifier: Optional<Node>) {
        if Self::is_refused(&this) {
            return;
        }
        let is_kept = Self::with_plan(&this, |plan| plan.keep_pose(modifier.0.as_ref()));
        if is_kept == Some(false) {
            let reason = "was called with a node that is none of this rig's modifiers, or lacks what it needs.";
            print_error(format!("TendonRig2D.keep_pose() {reason}"));
        }
    }

    /// The base pose of `bone`, which is its present pose if no modifier turns it. `None`, and a
    /// message, if there is no bone.
    fn base_of(&self, bone: Option<Gd<Bone2D>>, asked: &str) -> Option<(Gd<Bone2D>, BonePose)> {
        let Some(bone) = bone else {
            let refusal = BoneRefusal::NoBone;
            print_error(format!("TendonRig2D.{asked}() {refusal}"));
            return None;
        };
        let base = is_main_thread().then(|| match self.shared.bones() {
            Some(bones) => bones.base_pose_of(bone.instance_id()),
            None => self.shared.unclaimed_base_of(&self.to_gd(), &bone),
        });
        let base = base.flatten().unwrap_or_else(|| BonePose::held_by(&bone));
        Some((bone, base))
    }
}

/// The treatment of the plan after the base pose was restored.
#[derive(Clone, Copy, PartialEq, Eq)]
enum After {
    Keep,
    /// It is kept, and its modifiers are idle.
    Idle,
    Drop,
}

impl TendonRig2D {
    /// Restores the base pose. Scripts that run meanwhile may do anything to the rig, but cannot
    /// start a pass: it would read bones of which only some have their base pose.
    fn restore_bones(this: Gd<Self>, after: After) {
        let rig = Self::shared(&this);
        let mut guard = PlanGuard::of(&rig);
        let Some(plan) = &mut *guard else {
            return rig.restore_copies(&this);
        };
        let mut changes = Vec::new();
        plan.restore();
        if after == After::Drop {
            plan.part();
        }
        if after == After::Idle {
            plan.pause();
            go_idle(plan, &mut changes);
        }
        if after != After::Drop {
            rig.return_plan(guard);
        }
        emit_changes(changes);
    }

    /// Restores the base pose. The next pass solves again, and goes on from the last one.
    pub(super) fn restore_until_next_pass(this: Gd<Self>) {
        Self::restore_bones(this, After::Keep);
    }

    /// Restores the base pose. The modifiers become idle, and will begin without memory, but for what lies somewhere.
    pub(super) fn restore_and_idle(this: Gd<Self>) {
        Self::restore_bones(this, After::Idle);
    }

    /// Restores the base pose and drops the plan: at the next pass, the base pose is whatever the
    /// bones hold then, to the last bit.
    pub fn restore_and_drop_plan(this: Gd<Self>) {
        Self::restore_bones(this, After::Drop);
    }

    /// The result of `act` on the plan, if there is one. Nothing is borrowed meanwhile.
    pub(super) fn with_plan<R>(this: &Gd<Self>, act: impl FnOnce(&mut Plan) -> R) -> Option<R> {
        let rig = Self::shared(this);
        let mut guard = PlanGuard::of(&rig);
        let result = act(guard.as_mut()?);
        rig.return_plan(guard);
        Some(result)
    }
}
