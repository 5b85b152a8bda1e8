//! What a joint limit allows a joint, and how the joint is kept within it.
//!
//! [`DirectionArc::enforce`] turns a single joint into its [`DirectionArc`], for all solvers but chains and trees.
//! These turn the bound into an interval of the joint's
//! swing. `kinematics/tree/limit_enforcement.rs` keeps every swing in that interval, and
//! `descent/step/active_set.rs` plans steps within it.
//!
//! A [`DirectionArc`] is an arc of directions: of the joint's rotation in its parent's frame, or of the
//! bone's X axis in chain space. The second kind is for limits that are fixed in the skeleton. Any
//! frame maps an arc of directions to an arc of directions and its ends to the ends, even if the
//! frame mirrors, stretches or skews. So such a limit is brought into chain space once. Mapped
//! again, through the frame above a joint, it says how far the joint itself may turn.
//!
//! The half turn opposite the middle of an arc is as far from one end as from the other; a
//! joint beyond an end goes to the nearer one.

use std::f32::consts::PI;

use glam::{Mat2, Vec2};

use crate::kinematics::joint::Joint;
use crate::math::angle::shortest_way;
use crate::math::rotation::{Rotation, conjugate_times};
use crate::math::trigonometry::{angle_of_f32, unit_vector_f32};
use crate::skeleton::limit::{Limit, LimitSpace};

/// The least weight of a joint whose limit is fixed in the skeleton. Even the stiffest one must
/// turn a little, or it could not stay within the limit while its parent turns.
const LEAST_WEIGHT: f32 = 1e-4;

/// The direction that a [`DirectionArc`] is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Measure {
    /// The joint's rotation in its parent's frame.
    Rotation,
    /// The bone's X axis, before its own scale, in chain space.
    Heading,
}

/// An arc of directions that a joint keeps to, and how willingly it turns.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DirectionArc {
    pub(crate) measure: Measure,
    /// The middle of the arc.
    middle: Rotation,
    /// Radians from the middle to either end; π and more is no bound.
    pub(super) half: f32,
    /// From 0, for a joint that keeps its place, to 1, for one that turns freely.
    pub(crate) weight: f32,
}

impl DirectionArc {
    /// The bound that `limit` sets to a joint that was given `turn`, in a chain whose root
    /// hangs in the frame `mount` of skeleton space. `None` if it leaves the joint free.
    pub(crate) fn new(limit: &Limit, turn: Rotation, mount: Mat2) -> Option<Self> {
        if !limit.is_sound() {
            return None;
        }
        let weight = 1.0 - limit.stiffness.clamp(0.0, 1.0);
        let bound = match limit.space {
            LimitSpace::Parent => {
                Self::between(Measure::Rotation, limit.rest, limit.min, limit.max)
            }
            LimitSpace::Skeleton => {
                let rest = unit_vector_f32(limit.rest);
                let seen = Rotation::towards(mount.inverse() * rest)?.angle();
                let min = seen_from(mount, rest, limit.min);
                let max = seen_from(mount, rest, limit.max);
                Self::between(Measure::Heading, seen, min.min(max), min.max(max))
            }
        };
        match bound.measure {
            // The joint keeps its turn, or the nearest one that the limit allows.
            Measure::Rotation if weight == 0.0 => Some(Self {
                middle: turn.then(Rotation::from_angle(bound.inwards(turn))),
                half: 0.0,
                ..bound
            }),
            Measure::Heading => Some(Self {
                weight: weight.max(LEAST_WEIGHT),
                ..bound
            }),
            Measure::Rotation => Some(Self { weight, ..bound }),
        }
        .filter(|bound| bound.has_ends() || bound.weight < 1.0)
    }

    fn between(measure: Measure, rest: f32, min: f32, max: f32) -> Self {
        Self {
            measure,
            middle: Rotation::from_angle(rest + 0.5 * (min + max)),
            half: 0.5 * (max - min),
            weight: 1.0,
        }
    }

    /// The least and the greatest angle that lead from `direction` to the ends of the arc.
    pub(super) fn room(&self, direction: Rotation) -> [f32; 2] {
        if !self.has_ends() {
            return [f32::NEG_INFINITY, f32::INFINITY];
        }
        let angle = self.middle.inverse().then(direction).angle();
        [-self.half - angle, self.half - angle]
    }

    /// The least and the greatest angle by which `joint` may turn, alone. Of an arc in chain space that is nearly so, if
    /// the frame above the joint is stretched.
    pub(super) fn room_of(&self, joint: &Joint) -> [f32; 2] {
        let direction = match self.measure {
            Measure::Rotation => joint.rotation,
            Measure::Heading => joint.heading(),
        };
        let [least, greatest] = self.room(direction);
        match self.measure == Measure::Heading && joint.basis.determinant() < 0.0 {
            true => [-greatest, -least],
            false => [least, greatest],
        }
    }

    /// The angle that leads from `direction` into the arc: zero inside.
    fn inwards(&self, direction: Rotation) -> f32 {
        let [least, greatest] = self.room(direction);
        least.max(0.0) + greatest.min(0.0)
    }

    /// Keeps `joint` within the limit: turns it into the arc, by the shorter way. Its `basis` must
    /// be up to date.
    pub(crate) fn enforce(&self, joint: &mut Joint) {
        let angle = match self.measure {
            Measure::Rotation => self.inwards(joint.rotation),
            Measure::Heading => {
                let heading = joint.heading();
                match self.inwards(heading) {
                    0.0 => 0.0,
                    angle => seen_from(joint.basis, heading.direction(), angle),
                }
            }
        };
        if angle != 0.0 {
            joint.rotation = joint
                .rotation
                .then(Rotation::from_angle(angle))
                .renormalized();
        }
    }

    /// Returns `true` if `joint` is within the limit. Its `basis` must be up to date.
    pub(crate) fn holds(&self, joint: &Joint) -> bool {
        self.inwards(match self.measure {
            Measure::Rotation => joint.rotation,
            Measure::Heading => joint.heading(),
        }) == 0.0
    }

    /// Turns `joint` from its base by `angle`, or until it meets an end of the arc, however wide the
    /// angle is. Its `basis` must be up to date.
    pub(crate) fn turn_by(&self, joint: &mut Joint, angle: f32) {
        joint.rotation = joint.base;
        let [least, greatest] = match self.measure {
            Measure::Rotation => self.room(joint.base),
            Measure::Heading => {
                let heading = joint.heading();
                let ends = self.room(heading);
                let seen = |end: f32| match end.is_finite() {
                    true => seen_from(joint.basis, heading.direction(), end),
                    false => end,
                };
                let [one, other] = ends.map(seen);
                [one.min(other), one.max(other)]
            }
        };
        let angle = angle.max(least).min(greatest);
        joint.rotation = joint.base.then(Rotation::from_angle(angle));
        self.enforce(joint);
    }

    /// Turns `joint` from the angle `before` by `most` at most, by the way that the arc leaves open. Both count from its base.
    pub(crate) fn hold_back(&self, joint: &mut Joint, before: f32, most: f32) {
        let now = joint.turned();
        let [least, greatest] = self.room_of(&Joint {
            rotation: joint.base,
            ..*joint
        });
        let middle = 0.5 * (least + greatest);
        let [before, now] = [before, now].map(|angle| shortest_way(middle, angle));
        if (now - before).abs() > most {
            self.turn_by(joint, middle + before + most.copysign(now - before));
        }
    }

    /// Returns `true` if the arc is less than the whole circle.
    pub(crate) fn has_ends(&self) -> bool {
        self.half < PI
    }

    /// Turns `joint` to the direction at `part` of the arc, 0 for its lower and 1 for its upper
    /// end. Its `basis` must be up to date.
    pub(crate) fn turn_to(&self, joint: &mut Joint, part: f32) {
        let direction = self.direction_at(part);
        let turn = match self.measure {
            Measure::Rotation => Some(direction),
            Measure::Heading => Rotation::towards(joint.in_frame(direction.direction())),
        };
        joint.rotation = turn.unwrap_or(joint.rotation);
    }

    /// The direction at `part` of the arc, 0 for its lower and 1 for its upper end.
    pub(crate) fn direction_at(&self, part: f32) -> Rotation {
        let angle = (2.0 * part - 1.0) * self.half;
        self.middle.then(Rotation::from_angle(angle))
    }
}

/// The angle, inside `frame`, from a direction to the one that is `angle` further, where
/// both directions are given outside of the frame.
fn seen_from(frame: Mat2, direction: Vec2, angle: f32) -> f32 {
    let area = frame.x_axis.perp_dot(frame.y_axis);
    let inside = |outside: Vec2| {
        Vec2::new(
            outside.perp_dot(frame.y_axis),
            frame.x_axis.perp_dot(outside),
        )
    };
    // Every frame leaves half turns what they are, but for their sense.
    let half_turns = (angle / PI).round();
    let rest = unit_vector_f32(angle - half_turns * PI).rotate(direction);
    let between = conjugate_times(inside(direction), inside(rest));
    (half_turns * PI).copysign(half_turns * area) + angle_of_f32(between)
}
