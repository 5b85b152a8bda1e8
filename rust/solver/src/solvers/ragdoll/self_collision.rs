//! Where limbs of a body touch one another.
//!
//! Limbs that touch in the pose are neighbours, which never do: those that share a joint, and an arm that is drawn
//! over the hip. So a figure that is drawn flat does not burst.

use glam::DVec2;

use crate::collision::penetration::nearest_on;
use crate::solvers::ragdoll::body::{Body, Capsule};
use crate::solvers::ragdoll::constraints::{ConstraintStep, Constraints, LinkMeeting};
use crate::solvers::ragdoll::kinematics::LinkKinematics;

/// A gap that is looked at though nothing moves, in pixels.
const MARGIN: f64 = 4.0;

/// Limbs whose gap in the pose is less than this part of their radii are neighbours.
const BESIDE: f64 = 0.05;

/// The axis of a link in a state.
fn axis(kinematics: &LinkKinematics, link: usize, capsule: &Capsule) -> [DVec2; 2] {
    [capsule.from, capsule.to].map(|local| kinematics.point(link, local))
}

/// Returns `true` if two lines cross: the side by which they leave is then not known.
fn cross([a, b]: [DVec2; 2], [c, d]: [DVec2; 2]) -> bool {
    let sides = |from: DVec2, to: DVec2, one: DVec2, other: DVec2| {
        let way = to - from;
        way.perp_dot(one - from) * way.perp_dot(other - from) < 0.0
    };
    sides(a, b, c, d) && sides(c, d, a, b)
}

/// Finds the pairs of links that may touch, of a body that `kinematics` has in the pose.
pub(crate) fn find_pairs(body: &Body, kinematics: &LinkKinematics, pairs: &mut Vec<[usize; 2]>) {
    pairs.clear();
    for (one, link) in body.links.iter().enumerate() {
        for (other, second) in body.links[..one].iter().enumerate() {
            let capsules = [&link.capsule, &second.capsule];
            let [a, b] = [
                axis(kinematics, one, capsules[0]),
                axis(kinematics, other, capsules[1]),
            ];
            let ends = [(a[0], b), (a[1], b), (b[0], a), (b[1], a)];
            let distances = ends.map(|(end, line)| nearest_on(line, end).distance(end));
            let distance = distances.into_iter().fold(f64::INFINITY, f64::min);
            let radii = capsules[0].radius + capsules[1].radius;
            if !cross(a, b) && distance > (1.0 + BESIDE) * radii && link.parent != Some(other) {
                pairs.push([one, other]);
            }
        }
    }
}

/// Adds rows for the `pairs` that a step may bring together. `unit`: pixels of a skeleton unit.
pub(super) fn push_rows(
    step: ConstraintStep<'_>,
    pairs: &[[usize; 2]],
    unit: f64,
    rows: &mut Constraints,
) {
    if pairs.is_empty() {
        return;
    }
    let way = 2.0 * step.seconds * step.kinematics.fastest_end_found(step.body);
    for &links in pairs {
        let [one, other] = links.map(|link| step.body.links[link].capsule);
        let [a, b] = [
            axis(step.kinematics, links[0], &one),
            axis(step.kinematics, links[1], &other),
        ];
        let radii = [one.radius, other.radius];
        let reach = radii[0] + radii[1] + MARGIN / unit;
        let (middle, size) = (0.5 * (b[0] + b[1]), 0.5 * b[0].distance(b[1]));
        let is_far = nearest_on(a, middle).distance(middle) > reach + size + way;
        if is_far || cross(a, b) {
            continue;
        }
        for end in 0..4 {
            let (centre, line, sign) = match end {
                0 | 1 => (a[end], b, 1.0),
                _ => (b[end - 2], a, -1.0),
            };
            let place = nearest_on(line, centre);
            let away = sign * (centre - place);
            let Some(normal) = away.try_normalize() else {
                continue;
            };
            let centres = if end < 2 {
                [centre, place]
            } else {
                [place, centre]
            };
            let meeting = LinkMeeting {
                links,
                end: end as u32,
                points: [
                    centres[0] - radii[0] * normal,
                    centres[1] + radii[1] * normal,
                ],
                normal,
                gap: away.length() - radii[0] - radii[1],
            };
            let closing = -normal.dot(relative_speed(step, &meeting));
            if meeting.gap < MARGIN / unit + 2.0 * step.seconds * closing.max(0.0) {
                rows.push_meeting(step, &meeting, unit);
            }
        }
    }
}

/// Returns the velocity of the first link relative to the second there.
fn relative_speed(step: ConstraintStep<'_>, meeting: &LinkMeeting) -> DVec2 {
    let [one, other] = [0, 1].map(|index| {
        step.kinematics
            .velocity_of(meeting.links[index], meeting.points[index])
    });
    one - other
}
