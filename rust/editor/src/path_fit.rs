//! A smooth path along the joints of a chain, with few points.
//!
//! The points are at joints, with handles along the chain there. They are as far apart as they may be for the
//! path to come near to the joints between them. If the chain bends sharply somewhere, each joint is a point:
//! at a corner, a bone that ends a little off the path would end far from where it did.

use godot::prelude::*;
use tendon_nodes::engine::bone_lines::length_of;

/// The largest distance of a joint from its place on the path, as a part of the chain's length. Hardly anybody sees
/// that.
const TOLERANCE: f32 = 0.005;

/// The cosine of the angle from which on a bend is sharp: a sixth of a turn.
const SHARP: f32 = 0.5;

/// A point of a path, with its two handles relative to it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct PathPoint {
    pub(super) place: Vector2,
    pub(super) incoming: Vector2,
    pub(super) outgoing: Vector2,
}

/// A path along `joints`.
pub(super) fn fit(joints: &[Vector2]) -> Vec<PathPoint> {
    let mut joints = joints.to_vec();
    joints.dedup();
    let tangents = tangents(&joints);
    let tolerance = TOLERANCE * length_of(&joints);
    let is_sharp = joints.windows(3).any(|three| cosine(three) < SHARP);
    let mut bones = if is_sharp { 1 } else { joints.len() };
    loop {
        match with_points_every(bones, &joints, &tangents, tolerance) {
            Some(points) => return points,
            None => bones -= 1,
        }
    }
}

/// A path with a point every few bones, if it comes near to the joints. With one at each joint it does.
fn with_points_every(
    bones: usize,
    joints: &[Vector2],
    tangents: &[Vector2],
    tolerance: f32,
) -> Option<Vec<PathPoint>> {
    let place = |&place: &Vector2| PathPoint {
        place,
        ..PathPoint::default()
    };
    let mut points: Vec<_> = joints.first().map(place).into_iter().collect();
    let mut start = 0;
    while start + 1 < joints.len() {
        let end = joints.len().min(start + bones + 1) - 1;
        let line = &joints[start..=end];
        let handle = length_of(line) / 3.0;
        let [leaving, coming] = [tangents[start] * handle, tangents[end] * -handle];
        if !is_near(line, leaving, coming, tolerance) {
            return None;
        }
        points.last_mut()?.outgoing = leaving;
        points.push(PathPoint {
            incoming: coming,
            ..place(&joints[end])
        });
        start = end;
    }
    Some(points)
}

/// Returns `true` if the joints of `line` are within `tolerance` of their places on the curve with these handles at its
/// ends.
fn is_near(line: &[Vector2], leaving: Vector2, coming: Vector2, tolerance: f32) -> bool {
    let (from, to) = (line[0], line[line.len() - 1]);
    let length = length_of(line);
    (1..line.len() - 1).all(|joint| {
        let share = length_of(&line[..=joint]) / length;
        let place = from.bezier_interpolate(from + leaving, to + coming, to, share);
        place.distance_to(line[joint]) <= tolerance
    })
}

/// The direction of the chain at each joint: between those of the two bones, and at the ends as in an arc. None
/// at a bend back: the path has a corner there, as the chain has.
fn tangents(joints: &[Vector2]) -> Vec<Vector2> {
    let mut tangents = vec![Vector2::ZERO; joints.len()];
    for (tangent, three) in tangents.iter_mut().skip(1).zip(joints.windows(3)) {
        if cosine(three) >= 0.0 {
            let ways = three[0].direction_to(three[1]) + three[1].direction_to(three[2]);
            *tangent = ways.normalized_or_zero();
        }
    }
    if let [first, second, .., before, last] = joints[..] {
        let count = joints.len();
        let as_in_an_arc = |inner: Vector2, bone: Vector2| bone * (2.0 * inner.dot(bone)) - inner;
        tangents[0] = as_in_an_arc(tangents[1], first.direction_to(second));
        tangents[count - 1] = as_in_an_arc(tangents[count - 2], before.direction_to(last));
    }
    tangents
}

/// Of the angle by which a chain turns at the second of three joints.
fn cosine(three: &[Vector2]) -> f32 {
    let before = three[0].direction_to(three[1]);
    before.dot(three[1].direction_to(three[2]))
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINES: u16 = 256;

    /// How far the joints are from the path, as a part of the length.
    fn miss(joints: &[Vector2], points: &[PathPoint]) -> f32 {
        let places = points.windows(2).flat_map(|ends| {
            let [from, to] = [ends[0], ends[1]];
            let [leaving, coming] = [from.place + from.outgoing, to.place + to.incoming];
            (0..=LINES).map(move |step| {
                let share = f32::from(step) / f32::from(LINES);
                from.place
                    .bezier_interpolate(leaving, coming, to.place, share)
            })
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
        // All but the corner, and the end.
        assert_eq!(directions.filter(|&smooth| smooth).count(), 9);
    }

    #[test]
    fn joints_in_one_place_are_one_point() {
        let spot = Vector2::ONE;
        assert_eq!(fit(&[spot; 3]).len(), 1);
        assert!(fit(&[]).is_empty());
        assert_eq!(fit(&[spot, Vector2::ZERO]).len(), 2);
    }
}
