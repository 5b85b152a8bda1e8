//! `TendonJointLimit2D`: how far a bone may turn.

use godot::classes::{Bone2D, Engine};
use godot::prelude::*;
use godot::register::property::PhantomVar;
use tendon_solver::math::angle::shortest_way;
use tendon_solver::math::interval::clamp01;
use tendon_solver::{Limit, LimitSpace};

use crate::engine::afterwards::update_configuration_warnings;
use crate::engine::class_enum::class_enum;
use crate::engine::notifications::Notified;
use crate::engine::shared::Shared;
use crate::engine::skeleton::skeleton_of_bone;
use crate::engine::space::InSolver;
use crate::nodes::modifier::in_words;
use crate::nodes::rig::TendonRig2D;
use crate::nodes::rig::skeleton::rig_of;
use crate::plan::limit::{JointLimit, LimitSettings, RestAngles, SharedLimit, limit_of, limits_of};
use crate::warnings::problem::Problem;

class_enum! {
    /// The zero of the angles of a joint limit: the rest rotation in the parent's frame, or the rest
    /// direction in the skeleton's.
    Space is TendonJointLimit2D.Space and LimitSpace {
        /// The range turns with the parent bone. At 0° the bone has the rotation of its rest pose.
        #[default]
        Parent: "Parent", SPACE_PARENT;
        /// The range is fixed in the skeleton. At 0° the bone has the direction in which it points in
        /// the rest pose of the skeleton, however its parent bone turns.
        Skeleton: "Skeleton", SPACE_SKELETON;
    }
}

/// Limits how far a bone may turn.
///
/// Add it as a child of the [Bone2D]: a knee, an elbow or a neck. Every modifier of the skeleton's
/// [TendonRig2D] obeys it, and the other joints compensate for it as far as they can.
/// Animations and scripts can still turn the bone further.
///
/// Angles are relative to the rest pose of the bone: −45° to 45° means 45° to either side of it. If
/// the character is mirrored, the limit is mirrored with it.
///
/// For a knee that never bends backwards: if it is bent by 55° in the rest pose, a straight leg is
/// at −55°. Set [member min_angle] to −50°, and the knee always stays bent by 5° or more.
///
/// This script lets a character look further to the side while it sneaks:
///
/// ```gdscript
/// func sneak() -> void:
///     var neck: TendonJointLimit2D = $Skeleton2D/Body/Head/JointLimit
///     neck.min_angle = deg_to_rad(-60.0)
///     neck.max_angle = deg_to_rad(60.0)
/// ```
///
/// Tutorials: the chapters *The three poses* and *From sprite parts to a walking character* of the
/// manual, `addons/tendon/manual/index.html`.
#[derive(GodotClass)]
#[class(tool, init, base = Node)]
pub struct TendonJointLimit2D {
    /// If `true`, the default, the limit holds. If `false`, it has no effect.
    #[export]
    #[var(get = is_active, set = set_active)]
    active: PhantomVar<bool>,
    /// The least angle from the rest pose of the bone, in radians. The default is −45°. Drag the
    /// handle at the edge of the limit in the 2D viewport to set it by eye.
    #[export(range = (-180.0, 180.0, 0.1, or_less, or_greater, radians_as_degrees))]
    #[var(get = get_min_angle, set = set_min_angle)]
    min_angle: PhantomVar<f32>,
    /// The greatest angle from the rest pose of the bone, in radians. The default is 45°. If the
    /// range from [member min_angle] is 360° or more, the bone turns freely.
    #[export(range = (-180.0, 180.0, 0.1, or_less, or_greater, radians_as_degrees))]
    #[var(get = get_max_angle, set = set_max_angle)]
    max_angle: PhantomVar<f32>,
    /// Whether the range turns with the parent bone. With the default, [constant SPACE_PARENT], it
    /// does: use it for joints such as knees and elbows. With [constant SPACE_SKELETON] it does
    /// not: use it for a head that should stay upright when the body leans.
    #[export]
    #[var(get = get_space, set = set_space)]
    space: PhantomVar<Space>,
    /// How much the joint resists being turned, from `0.0` to `1.0`. The other joints of the chain
    /// turn first. The default, `0.0`, does not resist. At `1.0` the bone keeps its base pose, as
    /// far as the limit allows.
    ///
    /// A [TendonCCDIK2D] or a [TendonFABRIK2D] still reaches its target if the other joints can
    /// compensate for it. A [TendonLookAt2D] turns its bone by a smaller part of the way. A
    /// [TendonTwoBoneIK2D] has only one way to reach a target, so values below `1.0` have no effect
    /// on it. In a [TendonSpring2D], the joint bends by a smaller part under the same load, and
    /// swings faster: at `0.5` it bends half as far. A [TendonSplineIK2D] turns it by a smaller
    /// part of the way. In a [TendonFullBody2D], other bones and the root make up for it: stiffen the bones
    /// of the spine for a body that bends its arms before it leans.
    #[export(range = (0.0, 1.0, 0.001))]
    #[var(get = get_stiffness, set = set_stiffness)]
    stiffness: PhantomVar<f32>,
    shared: Shared<SharedLimit>,
    base: Base<Node>,
}

#[godot_api]
impl INode for TendonJointLimit2D {
    #[func(gd_self)]
    fn get_configuration_warnings(this: Gd<Self>) -> PackedStringArray {
        in_words(problem_of(&this))
    }
}

impl Notified for TendonJointLimit2D {
    fn on_enter_tree(this: Gd<Self>) {
        mark_plan_stale(&this);
        if bone_of(&this).is_none() && !Engine::singleton().is_editor_hint() {
            let shared = this.bind().shared.clone();
            shared.warn(this.instance_id(), &Problem::LimitElsewhere);
        }
    }

    fn on_exit_tree(this: Gd<Self>) {
        mark_plan_stale(&this);
    }
}

#[godot_api]
impl TendonJointLimit2D {
    #[func]
    fn is_active(&self) -> bool {
        self.shared.settings.get().active
    }

    #[func]
    fn set_active(&mut self, active: bool) {
        self.change(|settings| settings.active = active);
    }

    #[func]
    fn get_min_angle(&self) -> f32 {
        self.shared.settings.get().min
    }

    #[func]
    fn set_min_angle(&mut self, angle: f32) {
        self.change(|settings| settings.min = angle);
    }

    #[func]
    fn get_max_angle(&self) -> f32 {
        self.shared.settings.get().max
    }

    #[func]
    fn set_max_angle(&mut self, angle: f32) {
        self.change(|settings| settings.max = angle);
    }

    #[func]
    fn get_space(&self) -> Space {
        match self.shared.settings.get().space {
            LimitSpace::Parent => Space::Parent,
            LimitSpace::Skeleton => Space::Skeleton,
        }
    }

    #[func]
    fn set_space(&mut self, space: Space) {
        self.change(|settings| settings.space = space.in_solver());
    }

    #[func]
    fn get_stiffness(&self) -> f32 {
        self.shared.settings.get().stiffness
    }

    #[func]
    fn set_stiffness(&mut self, stiffness: f32) {
        self.change(|settings| settings.stiffness = clamp01(stiffness));
    }

    fn change(&mut self, change: impl FnOnce(&mut LimitSettings)) {
        self.shared.change(change);
        update_configuration_warnings(&self.to_gd());
    }
}

/// The angle of a joint within its limit.
#[derive(Clone, Copy, Debug)]
pub struct LimitedAngle {
    /// Radians from the rest, −π to π.
    pub angle: f32,
    pub min: f32,
    pub max: f32,
}

#[godot_dyn]
impl JointLimit for TendonJointLimit2D {
    fn shared(&self) -> &Shared<SharedLimit> {
        &self.shared
    }
}

impl TendonJointLimit2D {
    /// Returns `true` if the limit is active.
    pub fn counts(&self) -> bool {
        self.shared.settings.get().active
    }

    /// The angle of the bone now, if the limit is on a bone that has a rest pose.
    pub fn standing(&self) -> Option<LimitedAngle> {
        let settings = self.shared.settings.get();
        let bone = bone_of(&self.to_gd())?;
        let rest = RestAngles::of(&bone).ok()?;
        let axis = bone.get_transform().a;
        let (rest, axis) = match settings.space {
            LimitSpace::Parent => (rest.in_parent, axis),
            LimitSpace::Skeleton => {
                let mut axis = axis;
                let mut next = bone.get_parent();
                while let Some(Ok(above)) = next.map(Gd::try_cast::<Bone2D>) {
                    axis = above.get_transform().basis_xform(axis);
                    next = above.get_parent();
                }
                (rest.in_skeleton, axis)
            }
        };
        Some(LimitedAngle {
            angle: shortest_way(rest, axis.angle()),
            min: settings.min,
            max: settings.max,
        })
    }
}

/// The bone that `limit` limits.
pub fn bone_of(limit: &Gd<TendonJointLimit2D>) -> Option<Gd<Bone2D>> {
    limit.get_parent()?.try_cast::<Bone2D>().ok()
}

/// The angle of `bone` now from its rest rotation, −π to π, if it has a rest pose.
pub fn angle_from_rest(bone: &Gd<Bone2D>) -> Option<f32> {
    angle_turned_to(bone, bone.get_rotation())
}

/// The angle that `bone` has from its rest rotation when its rotation is `rotation`.
pub(super) fn angle_turned_to(bone: &Gd<Bone2D>, rotation: f32) -> Option<f32> {
    let rest = RestAngles::of(bone).ok()?;
    let turned = bone.get_transform().a.angle() + (rotation - bone.get_rotation());
    Some(shortest_way(rest.in_parent, turned))
}

/// The limit that counts for `bone`, if it has one.
pub fn limit_on(bone: &Gd<Bone2D>) -> Option<Gd<TendonJointLimit2D>> {
    limits_of(bone).next()?.into_gd().try_cast().ok()
}

/// A limit as the editor shows it.
pub struct Displayed {
    pub bone: Gd<Bone2D>,
    pub limit: Limit,
    /// `true` if the bone is held to it.
    pub counts: bool,
}

/// The part of `limit` that the editor shows, whatever may be wrong with its angles. `None` if it is not on
/// a bone with a rest pose, or not finite.
pub fn displayed(limit: &Gd<TendonJointLimit2D>) -> Option<Displayed> {
    let bone = bone_of(limit)?;
    let rest = RestAngles::of(&bone).ok()?;
    let settings = limit.bind().shared.settings.get();
    let problem = settings.problem();
    if problem == Some(Problem::LimitNotFinite) {
        return None;
    }
    Some(Displayed {
        limit: limit_of(settings, rest, bone.get_scale().x < 0.0),
        counts: settings.active && problem.or_else(|| setup_problem(limit)).is_none(),
        bone,
    })
}

/// The problem with `limit`, if there is one.
pub fn problem_of(limit: &Gd<TendonJointLimit2D>) -> Option<Problem> {
    let settings = limit.bind().shared.settings.get();
    setup_problem(limit)
        .or_else(|| settings.problem())
        .or_else(|| {
            rig_above(limit)
                .is_none()
                .then_some(Problem::LimitWithoutRig)
        })
}

/// The problem with the place of `limit` in the tree, if there is one.
fn setup_problem(limit: &Gd<TendonJointLimit2D>) -> Option<Problem> {
    let Some(bone) = bone_of(limit) else {
        return Some(Problem::LimitElsewhere);
    };
    let first = limits_of(&bone).next()?;
    if first.instance_id() != limit.instance_id() {
        return Some(Problem::SecondLimit {
            first: first.get_name().to_string(),
        });
    }
    RestAngles::of(&bone).err()
}

/// Marks the plan of the rig whose bones include that of `limit` as stale.
fn mark_plan_stale(limit: &Gd<TendonJointLimit2D>) {
    if let Some(rig) = rig_above(limit) {
        rig.bind().mark_plan_stale();
    }
}

/// The rig whose bones include that of `limit`.
fn rig_above(limit: &Gd<TendonJointLimit2D>) -> Option<Gd<TendonRig2D>> {
    rig_of(&skeleton_of_bone(&bone_of(limit)?)?)
}
