//! `TendonJointLimit2D`, and what a plan keeps of it.

use std::cell::Cell;
use std::f32::consts::{FRAC_PI_4, PI};
use std::rc::Rc;

use godot::classes::{Bone2D, Engine, Skeleton2D};
use godot::obj::InstanceId;
use godot::prelude::*;
use godot::register::property::PhantomVar;
use tendon_solver::glam::Vec2;
use tendon_solver::turn::shortest_way;
use tendon_solver::{Bone, Limit, LimitSpace};

use crate::engine::space::to_solver;
use crate::nodes::class_enum::class_enum;
use crate::nodes::rig::TendonRig2D;
use crate::pass::set;
use crate::plan::problem::{Problem, complain};

/// What the angles of a joint limit are counted from.
#[derive(Var, Export, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[godot(via = i64)]
pub enum Space {
    /// The rest rotation in the parent's frame.
    #[default]
    Parent = 0,
    /// The rest direction in the skeleton's frame.
    Skeleton = 1,
}

class_enum!(
    Space,
    "TendonJointLimit2D.Space",
    [Parent = "Parent", Skeleton = "Skeleton"]
);

/// Limits how far a bone may turn.
///
/// Make it a child of the [Bone2D]: a knee, an elbow, a neck. Every modifier of the skeleton's
/// [TendonRig2D] obeys it while it solves: what a target asks for beyond it, the other joints
/// make up for as far as they can. Animations and scripts are free to turn the bone further.
///
/// Angles count from the bone's rest pose, so that −45° to 45° means just that. When the
/// character is mirrored, the limit mirrors with it.
#[derive(GodotClass)]
#[class(tool, init, base = Node)]
pub struct TendonJointLimit2D {
    /// If `false`, the bone turns freely.
    #[export]
    #[var(get = is_active, set = set_active)]
    active: PhantomVar<bool>,
    /// The least angle from the bone's rest, in radians.
    #[export(range = (-180.0, 180.0, 0.1, or_less, or_greater, radians_as_degrees))]
    #[var(get = get_min_angle, set = set_min_angle)]
    min_angle: PhantomVar<f32>,
    /// The greatest angle from the bone's rest, in radians. A range of 360° or more is no limit.
    #[export(range = (-180.0, 180.0, 0.1, or_less, or_greater, radians_as_degrees))]
    #[var(get = get_max_angle, set = set_max_angle)]
    max_angle: PhantomVar<f32>,
    /// What the angles count from: the bone's rest rotation, which turns with the parent bone, or
    /// the direction of its X axis in the skeleton's rest pose, however the parent bone turns.
    #[export]
    #[var(get = get_space, set = set_space)]
    space: PhantomVar<Space>,
    /// How reluctantly the joint turns, from `0.0` to `1.0`, which leaves the bone as animations
    /// and scripts have it, as far as the limit allows. A stiff joint lets the others turn first.
    ///
    /// A [TendonCCDIK2D] or [TendonFABRIK2D] reaches its target all the same where the other joints
    /// can make up for it. A [TendonLookAt2D] turns its bone that much less of the way. A
    /// [TendonTwoBoneIK2D] has no choice in how to reach a target: there, values below `1.0` make
    /// no difference.
    #[export(range = (0.0, 1.0, 0.001))]
    #[var(get = get_stiffness, set = set_stiffness)]
    stiffness: PhantomVar<f32>,
    shared: Rc<Shared>,
    base: Base<Node>,
}

/// A limit's properties, as its node and the plan share them.
#[derive(Clone, Copy, PartialEq)]
struct Settings {
    active: bool,
    /// Radians from the rest.
    min: f32,
    max: f32,
    space: Space,
    stiffness: f32,
}

/// What the plan reads in every pass, without a call.
struct Shared {
    settings: Cell<Settings>,
    /// The causes that the running game has been told of, as [`Problem::bit`] numbers them.
    warned: Cell<u32>,
}

impl Default for Shared {
    fn default() -> Self {
        Self {
            settings: Cell::new(Settings {
                active: true,
                min: -FRAC_PI_4,
                max: FRAC_PI_4,
                space: Space::Parent,
                stiffness: 0.0,
            }),
            warned: Cell::new(0),
        }
    }
}

impl Settings {
    /// What is wrong with the numbers.
    fn problem(&self) -> Option<Problem> {
        let sum = self.max - self.min + self.stiffness;
        if !sum.is_finite() {
            Some(Problem::LimitNotFinite)
        } else if self.min > self.max {
            Some(Problem::LimitReversed)
        } else {
            None
        }
    }
}

#[godot_api]
impl INode for TendonJointLimit2D {
    #[func(gd_self)]
    fn enter_tree(this: Gd<Self>) {
        if bone_of(&this).is_none() && !Engine::singleton().is_editor_hint() {
            let shared = Rc::clone(&this.bind().shared);
            shared.tell(&this.clone().upcast(), &Problem::LimitElsewhere);
        }
        announce(&this);
    }

    #[func(gd_self)]
    fn exit_tree(this: Gd<Self>) {
        announce(&this);
    }

    #[func(gd_self)]
    fn get_configuration_warnings(this: Gd<Self>) -> PackedStringArray {
        problem_of(&this)
            .iter()
            .map(|problem| GString::from(&problem.to_string()))
            .collect()
    }
}

#[godot_api]
impl TendonJointLimit2D {
    /// Angles count from the bone's rest rotation, in its parent's frame.
    #[cfg(false)]
    #[constant]
    const SPACE_PARENT: i64 = Space::Parent as i64;
    /// Angles count from the direction that the bone's X axis has in the skeleton's rest pose.
    #[cfg(false)]
    #[constant]
    const SPACE_SKELETON: i64 = Space::Skeleton as i64;

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
        self.shared.settings.get().space
    }

    #[func]
    fn set_space(&mut self, space: Space) {
        self.change(|settings| settings.space = space);
    }

    #[func]
    fn get_stiffness(&self) -> f32 {
        self.shared.settings.get().stiffness
    }

    #[func]
    fn set_stiffness(&mut self, stiffness: f32) {
        self.change(|settings| settings.stiffness = stiffness);
    }

    fn change(&mut self, change: impl FnOnce(&mut Settings)) {
        let mut settings = self.shared.settings.get();
        change(&mut settings);
        self.shared.settings.set(settings);
        self.base_mut().update_configuration_warnings();
    }
}

/// How a joint stands to its limit.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Standing {
    /// Radians from the rest, −π to π.
    pub(crate) angle: f32,
    pub(crate) min: f32,
    pub(crate) max: f32,
}

impl TendonJointLimit2D {
    /// Whether it counts.
    pub(crate) fn counts(&self) -> bool {
        self.shared.settings.get().active
    }

    /// How the bone above stands to the limit now, if there is one that has a rest.
    pub(crate) fn standing(&self) -> Option<Standing> {
        let settings = self.shared.settings.get();
        let bone = bone_of(&self.to_gd())?;
        let rest = Rest::of(&bone).ok()?;
        let axis = bone.get_transform().a;
        let (rest, axis) = match settings.space {
            Space::Parent => (rest.in_parent, axis),
            Space::Skeleton => {
                let mut axis = axis;
                let mut next = bone.get_parent();
                while let Some(Ok(above)) = next.map(Gd::try_cast::<Bone2D>) {
                    axis = above.get_transform().basis_xform(axis);
                    next = above.get_parent();
                }
                (rest.in_skeleton, axis)
            }
        };
        Some(Standing {
            angle: shortest_way(rest, axis.angle()),
            min: settings.min,
            max: settings.max,
        })
    }
}

/// The bone that `limit` limits.
pub(crate) fn bone_of(limit: &Gd<TendonJointLimit2D>) -> Option<Gd<Bone2D>> {
    limit.get_parent()?.try_cast::<Bone2D>().ok()
}

/// The limits of `bone`. Only the first one counts.
pub(crate) fn limits_of(bone: &Gd<Bone2D>) -> impl Iterator<Item = Gd<TendonJointLimit2D>> {
    let children = bone.get_children();
    let nodes = (0..children.len()).filter_map(move |index| children.get(index));
    nodes.filter_map(|child| child.try_cast::<TendonJointLimit2D>().ok())
}

/// The limit that counts for `bone`, if it has one.
pub(crate) fn limit_on(bone: &Gd<Bone2D>) -> Option<Gd<TendonJointLimit2D>> {
    limits_of(bone).next()
}

/// A limit as the editor shows it.
pub(crate) struct Displayed {
    pub(crate) bone: Gd<Bone2D>,
    pub(crate) limit: Limit,
    /// Whether the bone is held to it.
    pub(crate) counts: bool,
}

/// What the editor shows of `limit`, whatever may be wrong with its angles. `None` if it is not on
/// a bone with a rest pose, or not finite.
pub(crate) fn displayed(limit: &Gd<TendonJointLimit2D>) -> Option<Displayed> {
    let bone = bone_of(limit)?;
    let rest = Rest::of(&bone).ok()?;
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

/// What is wrong with `limit`.
pub(crate) fn problem_of(limit: &Gd<TendonJointLimit2D>) -> Option<Problem> {
    let settings = limit.bind().shared.settings.get();
    setup_problem(limit)
        .or_else(|| settings.problem())
        .or_else(|| rig_of(limit).is_none().then_some(Problem::LimitWithoutRig))
}

/// What is wrong with where `limit` is.
fn setup_problem(limit: &Gd<TendonJointLimit2D>) -> Option<Problem> {
    let Some(bone) = bone_of(limit) else {
        return Some(Problem::LimitElsewhere);
    };
    let first = limits_of(&bone).next()?;
    if first != *limit {
        return Some(Problem::SecondLimit {
            first: first.get_name().to_string(),
        });
    }
    Rest::of(&bone).err()
}

/// Tells the rig whose bones include that of `limit` that it has come or goes.
fn announce(limit: &Gd<TendonJointLimit2D>) {
    if let Some(rig) = rig_of(limit) {
        rig.bind().plan_again();
    }
}

/// The rig whose bones include that of `limit`.
fn rig_of(limit: &Gd<TendonJointLimit2D>) -> Option<Gd<TendonRig2D>> {
    let mut next = limit.get_parent()?;
    while let Ok(bone) = next.try_cast::<Bone2D>() {
        next = bone.get_parent()?;
        if let Ok(skeleton) = next.clone().try_cast::<Skeleton2D>() {
            let children = skeleton.get_children();
            let mut children = children.iter_shared();
            return children.find_map(|child| child.try_cast::<TendonRig2D>().ok());
        }
    }
    None
}

/// Has the editor ask all limits below `node` anew what is wrong with them.
pub(crate) fn review_limits(node: &Gd<Node>) {
    for child in node.get_children().iter_shared() {
        match child.try_cast::<TendonJointLimit2D>() {
            Ok(limit) => review(limit),
            Err(child) => review_limits(&child),
        }
    }
}

/// Deferred: the tree is changing now.
fn review(mut limit: Gd<TendonJointLimit2D>) {
    limit.call_deferred("update_configuration_warnings", &[]);
}

/// Where a bone's angles count from.
#[derive(Clone, Copy)]
struct Rest {
    /// The direction of the bone's X axis in the parent's frame, radians.
    in_parent: f32,
    /// The same in the skeleton's frame.
    in_skeleton: f32,
}

impl Rest {
    fn of(bone: &Gd<Bone2D>) -> Result<Self, Problem> {
        let direction = |rest: Transform2D| {
            let axis = to_solver(rest.a);
            let is_set = axis.is_finite() && axis != Vec2::ZERO;
            is_set.then(|| axis.to_angle())
        };
        let rest = direction(bone.get_rest()).zip(direction(bone.get_skeleton_rest()));
        let (in_parent, in_skeleton) = rest.ok_or_else(|| Problem::NoRest {
            bone: bone.get_name().to_string(),
        })?;
        Ok(Self {
            in_parent,
            in_skeleton,
        })
    }
}

/// A limit on a bone that the plan knows.
pub(crate) struct PlannedLimit {
    /// Index of the bone.
    bone: usize,
    node: InstanceId,
    rest: Result<Rest, Problem>,
    shared: Rc<Shared>,
    /// Further limits of the bone, which do not count.
    others: Vec<(InstanceId, Rc<Shared>)>,
}

impl PlannedLimit {
    /// The limit of `node`, the plan's bone `index`, if it has one.
    pub(crate) fn find(node: &Gd<Bone2D>, index: usize) -> Option<Self> {
        let mut limits = limits_of(node);
        let first = limits.next()?;
        if Engine::singleton().is_editor_hint() {
            limits_of(node).for_each(review);
        }
        let others = limits.map(|other| (other.instance_id(), Rc::clone(&other.bind().shared)));
        let others = others.collect();
        let shared = Rc::clone(&first.bind().shared);
        Some(Self {
            bone: index,
            node: first.instance_id(),
            rest: Rest::of(node),
            shared,
            others,
        })
    }

    /// Tells a running game, once, of the bone's limits that do not count.
    pub(crate) fn report_others(&self) {
        let first = Gd::<Node>::try_from_instance_id(self.node);
        let first = first.map_or_else(|_| String::new(), |node| node.get_name().to_string());
        for (other, shared) in &self.others {
            if let Ok(other) = Gd::<Node>::try_from_instance_id(*other) {
                let first = first.clone();
                shared.tell(&other, &Problem::SecondLimit { first });
            }
        }
    }

    /// Gives its bone the limit as it is now. Returns whether that is news.
    pub(crate) fn gather(&self, bones: &mut [Bone]) -> bool {
        let bone = &mut bones[self.bone];
        let settings = self.shared.settings.get();
        let limit = match &self.rest {
            _ if !settings.active => None,
            Err(problem) => {
                self.tell(problem);
                None
            }
            Ok(rest) => match settings.problem() {
                Some(problem) => {
                    self.tell(&problem);
                    None
                }
                None => Some(limit_of(settings, *rest, bone.scale.x < 0.0)),
            },
        };
        set(&mut bone.limit, limit)
    }

    /// Tells a running game of `problem`, once.
    fn tell(&self, problem: &Problem) {
        if self.shared.warned.get() & problem.bit() == 0
            && let Ok(node) = Gd::<Node>::try_from_instance_id(self.node)
        {
            self.shared.tell(&node, problem);
        }
    }
}

impl Shared {
    fn tell(&self, node: &Gd<Node>, problem: &Problem) {
        let told = self.warned.get();
        if told & problem.bit() == 0 {
            self.warned.set(told | problem.bit());
            if !Engine::singleton().is_editor_hint() {
                complain(node, problem);
            }
        }
    }
}

/// The solver's limit. With a negative own X scale, the X axis points half a turn away from where
/// the bone's rotation says.
fn limit_of(settings: Settings, rest: Rest, mirrored_x: bool) -> Limit {
    let (direction, space) = match settings.space {
        Space::Parent => (rest.in_parent, LimitSpace::Parent),
        Space::Skeleton => (rest.in_skeleton, LimitSpace::Skeleton),
    };
    Limit {
        rest: if mirrored_x {
            direction + PI
        } else {
            direction
        },
        min: settings.min,
        max: settings.max,
        space,
        stiffness: settings.stiffness,
    }
}
