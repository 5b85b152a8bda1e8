//! Where a pose leaps while its target moves steadily. Without memory there are borders between poses
//! that are equally near, and a pose must leap there. Jitter is what leaps elsewhere: more than
//! once in a step, or there and back.

use tendon_solver::math::angle::shortest_way;

/// How often a place of a leap is halved.
const HALVINGS: u32 = 8;

/// The largest difference of two poses, radians.
pub fn difference(one: &[f32], other: &[f32]) -> f32 {
    let pairs = one.iter().zip(other);
    pairs.fold(0.0, |most: f32, (&one, &other)| {
        most.max(shortest_way(one, other).abs())
    })
}

/// Goes from 0 to 1 in equal steps, and returns how many borders are crossed: steps in which the
/// `pose` leaps by more than `leap` radians.
///
/// # Panics
/// When one of them is none.
pub fn cross(steps: usize, leap: f32, pose: impl Fn(f32) -> Vec<f32>) -> usize {
    let place = |index: usize| index as f32 / steps as f32;
    let poses: Vec<_> = (0..=steps).map(|index| pose(place(index))).collect();
    let turned = |index: usize| difference(&poses[index], &poses[index + 1]);
    let leaps: Vec<_> = (0..steps).filter(|&index| turned(index) > leap).collect();
    for &index in &leaps {
        assert_one_leap([place(index), place(index + 1)], leap, &pose);
    }
    for index in (0..steps).filter(|&index| turned(index) <= leap) {
        let middle = pose(0.5 * (place(index) + place(index + 1)));
        let away = difference(&poses[index], &middle);
        assert!(away <= leap, "leaps by {away} and back in step {index}");
    }
    leaps.len()
}

/// Between the ends of a way on which it leaps, a pose leaps once.
fn assert_one_leap(mut ends: [f32; 2], leap: f32, pose: &impl Fn(f32) -> Vec<f32>) {
    let [mut before, mut after] = ends.map(pose);
    for _ in 0..HALVINGS {
        let middle = 0.5 * (ends[0] + ends[1]);
        let between = pose(middle);
        let [first, second] = [&before, &after].map(|end| difference(end, &between));
        assert!(
            first.min(second) <= leap,
            "leaps by {first} and then by {second} between {ends:?}"
        );
        if first > second {
            (ends[1], after) = (middle, between);
        } else {
            (ends[0], before) = (middle, between);
        }
    }
}
