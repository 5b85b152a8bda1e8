//! A smooth path along the joints of a chain, with few points.
//!
//! Cubic Bézier curves are fitted by least squares (P. J. Schneider, "An Algorithm for Automatically
//! Fitting Digitized Curves", Graphics Gems, 1990). A curve that misses a joint is divided there. If
//! the chain bends sharply somewhere, the path goes exactly through each joint: at a corner, a bone
//! that ends a little off the path would end far from where it did.

use godot::prelude::*;

use crate::selection::length_of;

/// How far a joint may move when the chain is laid along the path, as a part of its length. Hardly
/// anybody sees that.
const TOLERANCE: f32 = 0.005;

/// The number of straight lines that stand for a curve.
const LINES: u16 = 256;

/// The cosine of the angle from which on a bend is sharp: a sixth of a turn.
const SHARP: f32 = 0.5;

/// How often the places of the joints on a curve are looked for again.
const ROUNDS: usize = 12;

/// A point of a path, with its two handles relative to it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct PathPoint {
    pub(super) place: Vector2,
    pub(super) incoming: Vector2,
    pub(super) outgoing: Vector2,
}

impl PathPoint {
    fn corner(place: Vector2) -> Self {
        Self {
            place,
            ..Self::default()
        }
    }
}

/// A path along `joints`.
pub(super) fn fit(joints: &[Vector2]) -> Vec<PathPoint> {
    let mut joints = joints.to_vec();
    joints.dedup();
    let Some(&first) = joints.first() else {
        return Vec::new();
    };
    if joints.windows(3).any(|three| cosine(three) < SHARP) {
        return through_each(&joints);
    }
    let mut points = vec![PathPoint::corner(first)];
    if joints.len() > 1 {
        let line = joints.iter();
        let tangents = [end_tangent(line.clone()), -end_tangent(line.rev())];
        let tolerance = TOLERANCE * length_of(&joints);
        add_curves(&joints, tangents, tolerance, &mut points);
    }
    points
}

/// Of the angle by which a chain turns at the second of three joints.
fn cosine(three: &[Vector2]) -> f32 {
    let before = three[0].direction_to(three[1]);
    before.dot(three[1].direction_to(three[2]))
}

/// A path with a point at each joint. Its handles are so short that it does not leave the circle
/// around a joint that goes through the next before it is there.
fn through_each(joints: &[Vector2]) -> Vec<PathPoint> {
    let mut points: Vec<_> = joints.iter().copied().map(PathPoint::corner).collect();
    for (point, three) in points.iter_mut().skip(1).zip(joints.windows(3)) {
        // At a bend back, the path has a corner, as the chain has.
        if cosine(three) >= 0.0 {
            let ways = three[0].direction_to(three[1]) + three[1].direction_to(three[2]);
            let tangent = ways.normalized_or_zero();
            point.incoming = -tangent * (three[0].distance_to(three[1]) / 3.0);
            point.outgoing = tangent * (three[1].distance_to(three[2]) / 3.0);
        }
    }
    points
}

/// The direction at the beginning of `line`, into it: that of the parabola through the first three joints.
fn end_tangent<'a>(line: impl Iterator<Item = &'a Vector2>) -> Vector2 {
    let mut line = line.copied();
    let (Some(here), Some(next)) = (line.next(), line.next()) else {
        return Vector2::ZERO;
    };
    let Some(after) = line.next() else {
        return here.direction_to(next);
    };
    let (near, far) = (here.distance_to(next), next.distance_to(after));
    let slope = (next - here) / near + (next - here) / near
        - (after - here) / (near + far)
        - ((after - next) / far - (next - here) / near) * ((near - far) / (near + far)) * 0.5;
    slope.normalized_or_zero()
}

/// Adds the curves along `line`, which begins at the last of `points`, with these directions at its
/// two ends.
fn add_curves(
    line: &[Vector2],
    tangents: [Vector2; 2],
    tolerance: f32,
    points: &mut Vec<PathPoint>,
) {
    let curve = Curve::along(line, tangents);
    let (worst, miss) = curve.worst(line);
    if miss > tolerance {
        let across = line[worst - 1].direction_to(line[worst + 1]);
        let [first, last] = tangents;
        add_curves(&line[..=worst], [first, across], tolerance, points);
        add_curves(&line[worst..], [across, last], tolerance, points);
        return;
    }
    let [from, leaving, coming, to] = curve.0;
    if let Some(point) = points.last_mut() {
        point.outgoing = leaving - from;
    }
    points.push(PathPoint {
        incoming: coming - to,
        ..PathPoint::corner(to)
    });
}

/// A cubic Bézier curve, by its control points.
struct Curve([Vector2; 4]);

impl Curve {
    /// The one that comes nearest to the joints of `line` and has these directions at its ends.
    fn along(line: &[Vector2], tangents: [Vector2; 2]) -> Self {
        let mut shares = vec![0.0];
        for ends in line.windows(2) {
            shares.push(shares[shares.len() - 1] + ends[0].distance_to(ends[1]));
        }
        let length = shares[shares.len() - 1];
        shares.iter_mut().for_each(|share| *share /= length);
        let mut curve = Self::with_shares(line, tangents, &shares, length);
        for _ in 0..ROUNDS {
            for (share, &joint) in shares.iter_mut().zip(line) {
                *share = curve.nearer(joint, *share);
            }
            curve = Self::with_shares(line, tangents, &shares, length);
        }
        curve
    }

    /// The same, for joints that belong to the places `shares` of the curve, from 0 to 1.
    fn with_shares(
        line: &[Vector2],
        [leaving, coming]: [Vector2; 2],
        shares: &[f32],
        length: f32,
    ) -> Self {
        let (from, to) = (line[0], line[line.len() - 1]);
        // The normal equations of the lengths of the two handles.
        let (mut near, mut both, mut far) = (0.0, 0.0, 0.0);
        let (mut to_near, mut to_far) = (0.0, 0.0);
        for (&joint, &share) in line.iter().zip(shares) {
            let [start, out, back, end] = weights(share);
            let [first, second] = [leaving * out, -coming * back];
            let rest = joint - from * (start + out) - to * (back + end);
            near += first.dot(first);
            both += first.dot(second);
            far += second.dot(second);
            to_near += rest.dot(first);
            to_far += rest.dot(second);
        }
        let determinant = near * far - both * both;
        let lengths = [
            (to_near * far - to_far * both) / determinant,
            (to_far * near - to_near * both) / determinant,
        ];
        // Without joints between the ends, or where the handles would cross: those of a line.
        let is_sound = |handle: &f32| *handle > 0.0 && *handle < length;
        let lengths = match lengths.iter().all(is_sound) && line.len() > 2 {
            true => lengths,
            false => [length / 3.0; 2],
        };
        Self([
            from,
            from + leaving * lengths[0],
            to - coming * lengths[1],
            to,
        ])
    }

    fn at(&self, share: f32) -> Vector2 {
        let parts = self.0.iter().zip(weights(share));
        parts.fold(Vector2::ZERO, |sum, (&point, weight)| sum + point * weight)
    }

    /// A place nearer to `joint` than the one at `share`: a step of Newton's method.
    fn nearer(&self, joint: Vector2, share: f32) -> f32 {
        let [a, b, c, d] = self.0;
        let rest = 1.0 - share;
        let slope =
            (b - a) * (rest * rest) + (c - b) * (2.0 * rest * share) + (d - c) * (share * share);
        let slope = slope * 3.0;
        match slope.length_squared() {
            0.0 => share,
            square => (share - (self.at(share) - joint).dot(slope) / square).clamp(0.0, 1.0),
        }
    }

    /// The joint between the ends of `line` at which to divide the curve, and how far any joint
    /// moves if the chain is laid along the curve: each bone ends where the curve first leaves the
    /// circle around the joint above.
    fn worst(&self, line: &[Vector2]) -> (usize, f32) {
        let mut places = (0..=LINES).map(|step| self.at(f32::from(step) / f32::from(LINES)));
        let misses = line.windows(2).enumerate().map(|(joint, ends)| {
            let length = ends[0].distance_to(ends[1]);
            let leaves = places.find(|place| place.distance_to(ends[0]) >= length * SLACK);
            let place = leaves.unwrap_or(self.0[3]);
            (joint + 1, place.distance_to(ends[1]))
        });
        let (joint, miss) = misses
            .max_by(|a, b| a.1.total_cmp(&b.1))
            .unwrap_or((0, 0.0));
        match line.len() {
            // Nothing to divide.
            ..=2 => (0, 0.0),
            count => (joint.min(count - 2), miss),
        }
    }
}

/// The end of a curve is on the circle, and rounding must not put it inside.
const SLACK: f32 = 0.9999;

/// How much each control point counts at `share`.
fn weights(share: f32) -> [f32; 4] {
    let rest = 1.0 - share;
    [
        rest * rest * rest,
        3.0 * rest * rest * share,
        3.0 * rest * share * share,
        share * share * share,
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How far the joints are from the path, as a part of the length.
    fn miss(joints: &[Vector2], points: &[PathPoint]) -> f32 {
        let places = points.windows(2).flat_map(|ends| {
            let [from, to] = [ends[0], ends[1]];
            let leaving = from.place + from.outgoing;
            let curve = Curve([from.place, leaving, to.place + to.incoming, to.place]);
            (0..=LINES).map(move |step| curve.at(f32::from(step) / f32::from(LINES)))
        });
        let places: Vec<_> = places.collect();
        let length = length_of(joints);
        let misses = joints.iter().map(|&joint| {
            let distances = places.iter().map(|place| place.distance_to(joint));
            distances.fold(f32::INFINITY, f32::min)
        });
        misses.fold(0.0, f32::max) / length
    }

    fn line(turn: impl Fn(usize) -> f32) -> Vec<Vector2> {
        let mut joints = vec![Vector2::new(7.0, -3.0)];
        let mut angle = 0.4;
        for bone in 0..10 {
            angle += turn(bone);
            joints.push(joints[bone] + Vector2::from_angle(angle) * 30.0);
        }
        joints
    }

    #[test]
    fn few_points_are_enough_for_smooth_chains() {
        for (turn, most) in [(0.0, 2), (0.08, 2), (-0.2, 3), (0.3, 5)] {
            let joints = line(|_| turn);
            let points = fit(&joints);
            assert!(points.len() <= most, "{turn}: {}", points.len());
            assert!(miss(&joints, &points) < 1.5 * TOLERANCE, "{turn}");
        }
        let wave = line(|bone| if bone < 5 { 0.2 } else { -0.2 });
        let points = fit(&wave);
        assert!(points.len() <= 5, "{}", points.len());
        assert!(miss(&wave, &points) < 1.5 * TOLERANCE);
    }

    #[test]
    fn a_path_of_a_chain_with_a_sharp_bend_has_all_joints() {
        let joints = line(|bone| if bone == 4 { 2.0 } else { 0.0 });
        let points = fit(&joints);
        let places: Vec<_> = points.iter().map(|point| point.place).collect();
        assert_eq!(places, joints);
        let directions = points.iter().map(|point| point.outgoing.length() > 0.0);
        assert_eq!(directions.filter(|&smooth| smooth).count(), 8);
    }

    #[test]
    fn joints_in_one_place_are_one_point() {
        let spot = Vector2::ONE;
        assert_eq!(fit(&[spot; 3]).len(), 1);
        assert!(fit(&[]).is_empty());
        assert_eq!(fit(&[spot, Vector2::ZERO]).len(), 2);
    }
}
