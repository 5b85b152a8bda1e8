//! Two-bone: an arm or a leg, in closed form.
//!
//! With the segments' lengths *a* and *b* and the target at distance *d* from the root,
//! the triangle of the three has at the root the angle α with
//!
//! ```text
//! tan²(α / 2) = (s − a)(s − d) / (s (s − b)),    s = (a + b + d) / 2
//! ```
//!
//! which is the law of cosines in the half-angle form: it needs no arc cosine and keeps
//! its digits for needle-thin triangles, where `acos` loses half of them. The first
//! segment is laid α to one side of the target's direction, the second is pointed at the
//! target from where the first ends, so any rounding in α costs almost nothing at the tip.
//!
//! Too far (`d > a + b`): both point at the target. Too near (`d < |a − b|`): the longer
//! points so that the shorter, folded back, ends as near as it can. A segment of zero
//! length keeps its angle. A target on the root keeps the first segment's direction.
//! Nothing here divides by a length that may be zero.
//!
//! If the first bone scales its axes differently or skews them, *b* depends on the pose;
//! the closed form then only chooses the bend, and [constrained steps](crate::descent) close the
//! gap.
//!
//! Which side the limb bends to is a setting, unless there is a pole: it bends to the side of the
//! line from root to target that the pole is on ([`TwoBoneSettings::bends_positively`]).
//!
//! Limits on the two joints are exact too: [`crate::solvers::limited_two_bone`].
//!
//! Source: law of cosines; requirements after R. Juckett, *Analytic Two-Bone IK in 2D*
//! (2008). Half-angle form after W. Kahan, *Miscalculating Area and Angles of a
//! Needle-like Triangle*.

use glam::Vec2;

use crate::kinematics::AT_TARGET;
use crate::kinematics::limb::Limb;
use crate::math::rotation::Rotation;
use crate::math::settings::settings;
use crate::solvers::limited_two_bone;

/// The sine of an angle that rounding may leave between two bones.
const STRAIGHT: f32 = 1e-6;

settings! {
    /// Settings of the two-bone solver.
    TwoBoneSettings {
        /// Bends the middle joint to the other side. By default the first segment is laid at a
        /// negative angle from the target's direction, seen in the root's parent's frame.
        flip_bend_direction: bool = false;
        /// The target counts as being no nearer to the root joint than this, in skeleton units; 0
        /// is off.
        #[serde(skip_serializing_if = "crate::math::number::is_usual")]
        min_distance: f32 = 0.0;
        /// The target counts as being no farther from the root joint than this, in skeleton units;
        /// 0 is off.
        #[serde(skip_serializing_if = "crate::math::number::is_usual")]
        max_distance: f32 = 0.0;
    }
}

impl TwoBoneSettings {
    /// Returns `true` if the limb bends to a positive angle from the direction of `target`: to the side that `pole` is
    /// on, or as set, if there is no pole or it is on the line. Both are in chain space.
    pub fn bends_positively(&self, target: Vec2, pole: Option<Vec2>) -> bool {
        let side = pole.map_or(0.0, |pole| target.perp_dot(pole));
        if side == 0.0 || side.is_nan() {
            self.flip_bend_direction
        } else {
            side > 0.0
        }
    }

    /// Returns `true` if a target may count as being elsewhere.
    pub(crate) fn keeps_distance(&self) -> bool {
        self.min_distance > 0.0 || self.max_distance > 0.0
    }

    /// Returns the place at which a target counts as being, for a root joint and a tip at the given places. All are in
    /// skeleton space. A target on the root joint is taken to be where the tip is seen.
    pub(crate) fn keep_distance(&self, root: Vec2, tip: Vec2, target: Vec2) -> Vec2 {
        let way = target - root;
        let mut distance = way.length();
        if self.min_distance > 0.0 {
            distance = distance.max(self.min_distance);
        }
        if self.max_distance > 0.0 {
            distance = distance.min(self.max_distance);
        }
        if distance == way.length() || !distance.is_finite() {
            return target;
        }
        match Rotation::towards(way).or_else(|| Rotation::towards(tip - root)) {
            Some(towards) => root + distance * towards.direction(),
            None => target,
        }
    }

    /// Returns `true` if the base pose, in which `limb` is, has its tip at `target` already, bends to the side that is
    /// asked for and obeys the limits: then it is the answer. What rounding leaves between the two would turn a
    /// straight limb by the root of that.
    fn is_there(&self, limb: &Limb, target: Vec2) -> bool {
        if limb.tip().distance(target) > AT_TARGET as f32 * limb.reach() {
            return false;
        }
        let bend = limb.joints[0].segment().perp_dot(limb.joints[1].segment());
        let is_straight = bend.abs() <= STRAIGHT * limb.lengths[0] * limb.lengths[1];
        let mut bounds = limb.bounds.iter().zip(&limb.joints);
        (is_straight || (bend < 0.0) == self.flip_bend_direction)
            && bounds.all(|(bound, joint)| bound.as_ref().is_none_or(|it| it.holds(joint)))
    }

    /// Turns the two joints of `limb` so that its tip meets `target`, a position in chain space, or
    /// comes as near as it can. Exact if the limb is rigid.
    pub(crate) fn solve(&self, limb: &mut Limb, target: Vec2) {
        let &[upper, lower] = &limb.lengths[..] else {
            return;
        };
        if self.is_there(limb, target) {
            return;
        }
        let (axis, angle, folded) = match Rotation::towards(target) {
            Some(axis) => {
                let (angle, folded) = triangle(upper, lower, target.length());
                (axis, angle, folded)
            }
            None => {
                let first = Rotation::towards(limb.joints[0].segment());
                (first.unwrap_or(Rotation::NONE), Rotation::NONE, true)
            }
        };
        let asked = if self.flip_bend_direction {
            angle
        } else {
            angle.inverse()
        };
        let along = axis.then(asked).direction();
        if limb.is_limited() {
            let other = axis.then(asked.inverse()).direction();
            let side = if self.flip_bend_direction { 1.0 } else { -1.0 };
            limited_two_bone::lay(limb, target, [along, other], side);
            return;
        }
        let end = upper * along;
        // Collinear by construction when folded: the difference would be rounding noise.
        let back = match Rotation::towards(target - end) {
            Some(back) if !folded => back.direction(),
            _ => -along,
        };
        limb.lay_along(|index| if index == 0 { along } else { back });
    }
}

/// The angle at the root between the target's direction and the first segment, and whether
/// the second segment is folded back onto the first because the target is too near.
fn triangle(upper: f32, lower: f32, distance: f32) -> (Rotation, bool) {
    if upper == 0.0 || lower == 0.0 || distance >= upper + lower {
        return (Rotation::NONE, false);
    }
    if distance <= (upper - lower).abs() {
        // The longer segment decides the side: forwards if it is the first.
        let turn = if upper >= lower {
            Rotation::NONE
        } else {
            Rotation::HALF
        };
        return (turn, true);
    }
    // Twice the half perimeter, and twice its differences with the three sides.
    let (far, near) = if upper >= lower {
        (upper, lower)
    } else {
        (lower, upper)
    };
    let perimeter = upper + lower + distance;
    let beyond_distance = (near - distance) + far;
    let slack = distance - (far - near);
    let (beyond_upper, beyond_lower) = if upper >= lower {
        (slack, distance + (upper - lower))
    } else {
        (distance + (lower - upper), slack)
    };
    let opposite = (beyond_upper * beyond_distance).max(0.0);
    let adjacent = perimeter * beyond_lower;
    // At half the angle: tan² = opposite / adjacent. Doubled without trigonometry.
    let doubled = Vec2::new(adjacent - opposite, 2.0 * opposite.sqrt() * adjacent.sqrt());
    (Rotation::towards(doubled).unwrap_or(Rotation::NONE), false)
}
