//! How a modifier of a rig goes over from one target to another. The law is in
//! [`crate::solvers::handover`].

use glam::{Affine2, Vec2};
use serde::{Deserialize, Serialize};

use crate::math::angle::shortest_way;
use crate::math::easing::Clock;
use crate::math::rotation::Rotation;
use crate::math::trigonometry::{angle_of_f32, unit_vector_f32};
use crate::rig::further::Further;
use crate::rig::kept::Kept;
use crate::rig::kind::Kind;
use crate::rig::pose::Pose;
use crate::skeleton::bone::{Direction, Point};
use crate::skeleton::limit::{Limit, LimitSpace};
use crate::solvers::handover::{
    Coordinates, GoalNumbers, HandoverGoal, HandoverSettings, Moment, Passing,
};

/// The handover of a modifier to another target: its settings and its state.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Handover {
    /// The settings of the handover.
    #[serde(default)]
    pub settings: HandoverSettings,
    /// The state of the goal that is shown.
    #[serde(default, skip_serializing_if = "Kept::is_new")]
    pub memory: Kept<Passing>,
}

/// The task of a pass.
pub(super) struct Task {
    /// `true` if anything is solved.
    pub(super) solves: bool,
    /// The goal that is solved for in place of the target and the heading, while it goes over.
    pub(super) goal: Option<(Point, Direction)>,
    /// The part of the result that is shown.
    pub(super) part: f32,
    /// `true` if the modifier begins from the pose that it is given.
    pub(super) begins: bool,
    /// How far the handover has come, if what is exchanged goes over.
    pub(super) clock: Option<Clock>,
}

impl Task {
    /// Solves all of the target, or nothing.
    pub(super) fn plain(solves: bool) -> Self {
        Self {
            solves,
            goal: None,
            part: 1.0,
            begins: false,
            clock: None,
        }
    }
}

impl Handover {
    /// Returns `true` if the goal is going over, or what there is besides.
    pub(super) fn is_going(&self) -> bool {
        let memory = &self.memory.after;
        memory.is_going() || memory.further.iter().any(Passing::is_going)
    }

    /// Returns `true` if a goal is going over, or will in the next pass.
    pub(super) fn is_due(&self) -> bool {
        let memory = &self.memory.after;
        memory.is_due() || memory.further.iter().any(Passing::is_due)
    }

    /// What goes over besides, for a solve.
    pub(super) fn lend_further(&mut self) -> Option<Further> {
        if !self.settings.hands_over() {
            self.memory.after.further.clear();
            return None;
        }
        let passing = std::mem::take(&mut self.memory.after.further);
        Some(Further::new(self.settings, passing))
    }

    /// It is back from a solve.
    pub(super) fn take_further(&mut self, further: Further) {
        self.memory.after.further = further.passing();
    }

    /// Nothing is solved.
    pub(super) fn forget_further(&mut self) {
        self.memory.after.further.clear();
    }

    /// A pass of the modifier `kind` begins. It is `active` if it goes to its target.
    pub(super) fn begin(&mut self, kind: &dyn Kind, active: bool, pose: &Pose, delta: f64) -> Task {
        self.memory.after.clone_from(&self.memory.before);
        let memory = &mut self.memory.after;
        let frame = Frame::of(kind, pose);
        let side = if active {
            HandoverGoal::Target
        } else {
            HandoverGoal::Pose
        };
        if memory.is_new() && memory.seconds.is_some() {
            let from = memory.from.map(|from| frame.see(from));
            memory.begin_from(from.map(|from| frame.target(kind, pose).at(from)));
        }
        let was_idle = memory.is_idle();
        if was_idle && active && self.settings.limits_turns() {
            memory.turned.clear();
            let rotations = turned_bones(kind, pose).map(|bone| pose.bone(bone).rotation);
            memory.turned.extend(rotations);
        }
        let hands_over = self.settings.hands_over();
        memory.is_exchanged |= hands_over && kind.is_exchanged(delta);
        let is_exchange = memory.is_exchanged;
        let wanted = match active {
            true => frame.target(kind, pose),
            false => memory.left(),
        };
        let shown = memory.advance(&Moment {
            settings: &self.settings,
            side,
            wanted,
            coordinates: frame.coordinates(),
            delta: delta as f32,
        });
        let is_going = memory.is_going();
        Task {
            solves: active || is_going,
            goal: is_going.then(|| frame.show(shown)),
            part: if is_going { shown.part() } else { 1.0 },
            begins: was_idle && active && is_going,
            clock: hands_over.then(|| Clock {
                is_exchange,
                ..memory.clock(&self.settings)
            }),
        }
    }

    /// The modifier could not be solved: nothing is kept of the pass, but one that is switched off has
    /// nothing left to do.
    pub(super) fn fail(&mut self, active: bool) {
        self.memory.after.clone_from(&self.memory.before);
        if !active {
            self.memory.after.end();
        }
    }

    /// Holds back the joints that would turn too fast. Returns whether there are any.
    pub(super) fn hold_back(&mut self, kind: &dyn Kind, pose: &mut Pose, delta: f64) -> bool {
        let memory = &mut self.memory.after;
        let mut is_held = false;
        if self.settings.limits_turns() {
            let most = self.settings.max_turn_speed * delta as f32;
            for (index, bone) in turned_bones(kind, pose).enumerate() {
                match memory.turned.get_mut(index) {
                    Some(shown) => is_held |= hold_back(bone, shown, most, pose),
                    None => memory.turned.push(pose.bone(bone).rotation),
                }
            }
        }
        if !self.settings.limits_turns() || memory.is_idle() && !is_held {
            memory.turned.clear();
        }
        is_held
    }

    /// Returns `true` if the next pass would move something, if nothing but time changed.
    pub(super) fn is_moving(&self) -> bool {
        let memory = &self.memory.after;
        let is_moving = memory.is_moving() || memory.further.iter().any(Passing::is_moving);
        memory.is_going() || self.settings.hands_over() && is_moving
    }
}

/// The bones that `kind` turns.
fn turned_bones<'a>(kind: &'a dyn Kind, pose: &Pose) -> impl Iterator<Item = usize> + use<'a> {
    let headed = kind.headed(pose);
    let headed = headed.filter(|headed| !kind.joints().contains(headed));
    kind.joints().iter().copied().chain(headed)
}

/// Turns `bone` on from where it was `shown`, by `most` radians at most. Returns whether that is less than
/// it would turn.
fn hold_back(bone: usize, shown: &mut f32, most: f32, pose: &mut Pose) -> bool {
    let now = pose.bone(bone).rotation;
    let way = match pose.limit(bone).filter(|limit| limit.is_sound()) {
        None => shortest_way(*shown, now),
        Some(limit) => {
            // By the way that the limit leaves open.
            let middle = middle_of(limit, bone, pose);
            shortest_way(middle, now) - shortest_way(middle, *shown)
        }
    };
    let is_held = way.abs() > most;
    *shown = match is_held {
        true => *shown + most.copysign(way),
        false => now,
    };
    if is_held {
        pose.turn(bone, *shown, Rotation::from_angle(*shown));
    }
    is_held
}

/// The middle of what `limit` leaves the bone, in its parent's frame.
fn middle_of(limit: &Limit, bone: usize, pose: &Pose) -> f32 {
    let middle = limit.rest + 0.5 * (limit.min + limit.max);
    match limit.space {
        LimitSpace::Parent => middle,
        LimitSpace::Skeleton => {
            let frame = pose.frame(pose.bone(bone).parent()).matrix2;
            angle_of_f32(frame.inverse() * unit_vector_f32(middle))
        }
    }
}

/// The goal of an effector that is to be at `target`.
pub(super) fn goal_of(target: Point, heading: Option<Direction>, pose: &Pose) -> GoalNumbers {
    let heading = heading.map_or(0.0, |direction| angle_of(direction, pose));
    GoalNumbers::new(pose.locate(target), heading, HandoverGoal::Target)
}

/// The angle of a direction in skeleton space.
fn angle_of(direction: Direction, pose: &Pose) -> f32 {
    angle_of_f32(pose.seen_direction(direction, Affine2::IDENTITY.matrix2))
}

/// The coordinates in which a goal goes over.
enum Frame {
    /// Those of skeleton space.
    Straight,
    /// Around the joint of a bone that looks: the logarithm of the distance, and the angle in its parent's
    /// frame, so that the bone turns evenly.
    Around {
        parent: Affine2,
        joint: Vec2,
        additional_rotation: f32,
    },
}

impl Frame {
    fn of(kind: &dyn Kind, pose: &Pose) -> Self {
        let looking = kind.joints().last().zip(kind.additional_rotation());
        looking.map_or(Self::Straight, |(&bone, additional_rotation)| {
            let bone = pose.bone(bone);
            Self::Around {
                parent: pose.frame(bone.parent()),
                joint: bone.position,
                additional_rotation,
            }
        })
    }

    fn coordinates(&self) -> Coordinates {
        match self {
            Self::Straight => Coordinates::Straight,
            Self::Around { .. } => Coordinates::Polar,
        }
    }

    /// The angle that is set beside the place.
    fn set_angle(&self) -> Option<f32> {
        match *self {
            Self::Straight => None,
            Self::Around {
                additional_rotation,
                ..
            } => Some(additional_rotation),
        }
    }

    /// The place of a point of skeleton space.
    fn see(&self, point: Vec2) -> Vec2 {
        match *self {
            Self::Straight => point,
            Self::Around { parent, joint, .. } => {
                let seen = parent.inverse().transform_point2(point) - joint;
                Vec2::new(libm::logf(seen.length()), angle_of_f32(seen))
            }
        }
    }

    /// The target.
    fn target(&self, kind: &dyn Kind, pose: &Pose) -> GoalNumbers {
        let place = kind.target().map(|target| self.see(pose.locate(target)));
        let heading = kind.heading().filter(|_| kind.headed(pose).is_some());
        let heading = heading.map(|direction| angle_of(direction, pose));
        let heading = heading.or(self.set_angle()).unwrap_or(0.0);
        GoalNumbers::new(place.unwrap_or_default(), heading, HandoverGoal::Target)
    }

    /// A goal in skeleton space.
    fn show(&self, goal: GoalNumbers) -> (Point, Direction) {
        let place = goal.place();
        let position = match *self {
            Self::Straight => place,
            Self::Around {
                parent,
                joint,
                additional_rotation,
            } => {
                // The bone will turn past the place by the angle that is set.
                let angle = place.y + (goal.heading() - additional_rotation);
                let seen = libm::expf(place.x) * unit_vector_f32(angle);
                parent.transform_point2(joint + seen)
            }
        };
        goal.at(position).shown()
    }
}
