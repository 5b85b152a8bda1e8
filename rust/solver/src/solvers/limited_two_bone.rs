//! Two bones with joint limits, in closed form.
//!
//! The distance from tip to target is a smooth function of two angles on a rectangle (or on a
//! sheared one, where a limit is fixed in the skeleton). Its least value lies inside, where it
//! is one of the two bends of the free limb; or on an edge, where one joint is at an end of its
//! limit; or in a corner. On an edge the limb is a stick: if the elbow is held, the whole limb
//! turns about the shoulder, and if the shoulder is held, the forearm turns about the elbow.
//! A stick comes nearest by pointing at the target, or else at the end of its own limit that
//! is nearer, which is a corner. So there are at most two bends and four edges to compare, and
//! the nearest is exact. Among poses that are equally near, one that bends to the side that is
//! asked for is taken. A chain of two bones takes 40 % more instructions for it (2026-11-29, `benches/solvers.rs` under
//! callgrind), and without limits 46 %.
//!
//! With two bones there is one pose on each side that reaches, so stiffness has no effect below 1.
//! At 1 it locks a joint. If the first bone stretches or skews the second, the result is the pose
//! from which constrained steps start.
//!
//! Source: the case distinction is Tendon's.

use glam::Vec2;

use crate::kinematics::joint::Joint;
use crate::kinematics::limb::Limb;
use crate::kinematics::limit_enforcement::{DirectionArc, Measure};
use crate::math::rotation::Rotation;

/// A limb, its limits, and what is asked of it.
struct LimitedLimb<'a> {
    shoulder: Joint,
    elbow: Joint,
    bounds: [Option<&'a DirectionArc>; 2],
    target: Vec2,
    /// 1 if the elbow must be at a positive angle from the target's direction, or else −1.
    side: f32,
    /// Distances that differ by less are equal.
    margin: f32,
}

/// A pose of the limb.
#[derive(Clone, Copy)]
struct Candidate {
    rotations: [Rotation; 2],
    distance: f32,
    is_on_side: bool,
}

/// Turns the two joints of `limb` so that its tip is as near to `target` as their limits let
/// it. `free` are the directions of the first segment in the two bends of the limb without
/// limits, and `side` is 1 to bend to a positive angle, or −1.
pub(super) fn lay(limb: &mut Limb, target: Vec2, free: [Vec2; 2], side: f32) {
    let [shoulder, elbow] = limb.joints[..] else {
        return;
    };
    let limited = LimitedLimb {
        shoulder,
        elbow,
        bounds: [limb.bounds[0].as_ref(), limb.bounds[1].as_ref()],
        target,
        side,
        margin: limb.precision(),
    };
    let bends =
        free.map(|along| Some(limited.with_shoulder(|shoulder| shoulder.point_along(along))));
    let ends = [0.0, 1.0];
    let held_shoulder = ends.map(|end| limited.with_shoulder_held(end));
    let held_elbow = ends.map(|end| limited.with_elbow_held(end));
    let candidates = bends.into_iter().chain(held_shoulder).chain(held_elbow);
    let Some(best) = candidates
        .flatten()
        .reduce(|best, next| limited.better(best, next))
    else {
        return;
    };
    limb.place_each(|index, joint| joint.rotation = best.rotations[index], true);
}

impl LimitedLimb<'_> {
    /// The nearest pose with the shoulder turned by `turn`.
    fn with_shoulder(&self, turn: impl FnOnce(&mut Joint)) -> Candidate {
        let mut shoulder = self.shoulder;
        turn(&mut shoulder);
        enforce(self.bounds[0], &mut shoulder);
        let mut elbow = self.elbow_on(&shoulder);
        elbow.point_along(self.target - shoulder.segment());
        enforce(self.bounds[1], &mut elbow);
        self.candidate(shoulder, elbow)
    }

    /// The nearest pose with the shoulder at an end of its limit; `None` if it has none.
    fn with_shoulder_held(&self, end: f32) -> Option<Candidate> {
        let bound = self.bounds[0].filter(|bound| bound.has_ends())?;
        Some(self.with_shoulder(|shoulder| bound.turn_to(shoulder, end)))
    }

    /// The nearest pose with the elbow at an end of its limit; `None` if it has none.
    fn with_elbow_held(&self, end: f32) -> Option<Candidate> {
        let bound = self.bounds[1].filter(|bound| bound.has_ends())?;
        let mut shoulder = self.shoulder;
        let direction = bound.direction_at(end);
        match bound.measure {
            // The limb is a stick.
            Measure::Rotation => {
                let stick = shoulder.offset + shoulder.carry * direction.apply(self.elbow.offset);
                shoulder.align(stick, self.target);
            }
            // The forearm keeps its direction.
            Measure::Heading => {
                let area = shoulder.carry.determinant();
                let forearm = self.elbow.offset * Vec2::new(1.0, 1.0_f32.copysign(area));
                let forearm = area.abs().sqrt() * direction.apply(forearm);
                shoulder.point_along(self.target - forearm);
            }
        }
        enforce(self.bounds[0], &mut shoulder);
        let mut elbow = self.elbow_on(&shoulder);
        bound.turn_to(&mut elbow, end);
        Some(self.candidate(shoulder, elbow))
    }

    fn elbow_on(&self, shoulder: &Joint) -> Joint {
        Joint {
            basis: shoulder.next_basis(),
            ..self.elbow
        }
    }

    fn candidate(&self, shoulder: Joint, elbow: Joint) -> Candidate {
        let bend = shoulder.segment();
        let off = self.side * self.target.perp_dot(bend);
        Candidate {
            rotations: [shoulder.rotation, elbow.rotation],
            distance: (bend + elbow.segment()).distance(self.target),
            is_on_side: off >= -self.margin * self.target.length(),
        }
    }

    fn better(&self, best: Candidate, next: Candidate) -> Candidate {
        let gain = best.distance - next.distance;
        let is_as_near = gain > -self.margin;
        let is_better = gain > self.margin || is_as_near && next.is_on_side && !best.is_on_side;
        if is_better { next } else { best }
    }
}

fn enforce(bound: Option<&DirectionArc>, joint: &mut Joint) {
    if let Some(bound) = bound {
        bound.enforce(joint);
    }
}
