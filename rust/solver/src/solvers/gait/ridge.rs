//! The way of a foot in a step: as a string lies that is pulled taut over what is in between.

use std::iter::successors;

use glam::{Vec2, Vec4};
use serde::{Deserialize, Serialize};

/// In how many parts a way is looked at.
const PARTS: usize = 4;

/// What reaches no higher than this part of what can be seen is looked at as a whole.
const FLAT: f32 = 1.0 / 64.0;

/// A way that goes less far along the ground, in pixels, goes straight up or down.
const UPRIGHT: f32 = 1e-3;

/// What lies between the beginning and the end of a way, in global space.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ridge {
    #[serde(with = "crate::math::number")]
    start: Vec2,
    #[serde(with = "crate::math::number")]
    end: Vec2,
    /// How far something reaches above the line between them, in each part of it.
    #[serde(with = "crate::math::number")]
    heights: Vec4,
}

impl Ridge {
    /// Looks at the way from `start` to `end`. `height` says how far something reaches above a line; it sees
    /// what is not higher than `most`.
    pub fn find(
        [start, end]: [Vec2; 2],
        most: f32,
        mut height: impl FnMut([Vec2; 2]) -> f32,
    ) -> Self {
        let border = |border: usize| start.lerp(end, border as f32 / PARTS as f32);
        let whole = height([start, end]);
        let heights = match whole > FLAT * most {
            true => std::array::from_fn(|part| height([border(part), border(part + 1)])),
            false => [whole; PARTS],
        };
        Self {
            start,
            end,
            heights: heights.into(),
        }
    }

    /// A line that nothing reaches above, as pieces from its beginning to its end.
    fn pieces(&self, up: Vec2) -> [[Vec2; 2]; PARTS] {
        let border = |border: usize| {
            let before = self.heights[border.saturating_sub(1)];
            let after = self.heights[border.min(PARTS - 1)];
            let place = self.start.lerp(self.end, border as f32 / PARTS as f32);
            place + up * before.max(after).max(0.0)
        };
        std::array::from_fn(|part| [border(part), border(part + 1)])
    }
}

/// The place after `part` of the shortest way from `start` to `end` that nowhere goes below the ridge.
pub(super) fn along([start, end]: [Vec2; 2], ridge: &Ridge, part: f32, up: Vec2) -> Vec2 {
    let across = (end - start).dot(up.perp());
    let ahead = up.perp() * across.signum();
    // Seen from the start: the way goes to the right.
    let own = |place: Vec2| Vec2::new((place - start).dot(ahead), (place - start).dot(up));
    let goal = Vec2::new(across.abs(), (end - start).dot(up));
    let pieces = ridge.pieces(up).map(|piece| clip(piece.map(own), goal));
    let corners = || {
        let corners = successors(Some(Vec2::ZERO), |&here| {
            let points = pieces.as_flattened().iter().copied();
            (here != goal).then(|| steepest(points.chain([goal]), here).unwrap_or(goal))
        });
        // Each is another point. Numbers that are not finite may never come to the goal.
        corners.take(2 + 2 * PARTS)
    };
    let length = |(from, to): (Vec2, Vec2)| from.distance(to);
    let mut left = part * corners().zip(corners().skip(1)).map(length).sum::<f32>();
    for (from, to) in corners().zip(corners().skip(1)) {
        let length = from.distance(to);
        if left < length {
            let place = from.lerp(to, left / length);
            return start + ahead * place.x + up * place.y;
        }
        left -= length;
    }
    end
}

/// The part of a piece of a line on the way to `goal`; the goal, where there is none.
fn clip(piece: [Vec2; 2], goal: Vec2) -> [Vec2; 2] {
    let [low, high] = match piece[0].x <= piece[1].x {
        true => piece,
        false => [piece[1], piece[0]],
    };
    if low.x > goal.x || high.x < 0.0 || goal.x < UPRIGHT {
        return [goal; 2];
    }
    let at = |x: f32| {
        let part = (x - low.x) / (high.x - low.x).max(f32::MIN_POSITIVE);
        Vec2::new(x, low.y + (high.y - low.y) * part.min(1.0))
    };
    [at(low.x.max(0.0)), at(high.x.min(goal.x))]
}

/// That one of the points ahead of `here` to which the way is the steepest.
fn steepest(points: impl Iterator<Item = Vec2>, here: Vec2) -> Option<Vec2> {
    let points = points.filter(|it| it.x > here.x || it.x == here.x && it.y > here.y);
    points.reduce(|best, it| {
        let turn = (best - here).perp_dot(it - here);
        let is_farther = turn == 0.0 && it.distance_squared(here) > best.distance_squared(here);
        if turn > 0.0 || is_farther { it } else { best }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_way_goes_over_all_that_is_between() {
        let wall = |from: f32, to: f32, top: f32| {
            move |x: f32| if (from..to).contains(&x) { top } else { 0.0 }
        };
        for (from, to, top) in [(10.0, 14.0, 20.0), (0.1, 40.0, 8.0), (30.0, 39.9, 25.0)] {
            let ground = wall(from, to, top);
            for [start, end] in [[0.0, 40.0], [40.0, 0.0]] {
                let ends = [Vec2::new(start, 0.0), Vec2::new(end, -ground(end))];
                let ridge = Ridge::find(ends, 40.0, |[start, end]| {
                    let places = (0..=400).map(|part| start.lerp(end, part as f32 / 400.0));
                    places.map(|it| it.y + ground(it.x)).fold(0.0, f32::max)
                });
                let mut before = ends[0];
                for part in 1..=100 {
                    let place = along(ends, &ridge, part as f32 / 100.0, Vec2::NEG_Y);
                    let is_over = -place.y > ground(place.x) - 1e-3;
                    assert!(is_over, "{from} {to} {top}, from {start}: {place}");
                    let step = place.distance(before);
                    assert!((0.1..1.2).contains(&step), "{step} at {place}");
                    before = place;
                }
                assert_eq!(before, ends[1]);
            }
        }
    }

    #[test]
    fn a_way_ends_whatever_its_numbers_are() {
        let wild = [
            0.0,
            -1.0,
            1e38,
            f32::MAX,
            f32::NAN,
            f32::INFINITY,
            f32::NEG_INFINITY,
        ];
        let places: Vec<_> = wild
            .iter()
            .flat_map(|&x| wild.map(|y| Vec2::new(x, y)))
            .collect();
        for (index, &start) in places.iter().enumerate() {
            for (other, &end) in places.iter().enumerate() {
                let height = wild[(index + other) % wild.len()];
                let ridge = Ridge::find([start, end], 40.0, |_| height);
                let place = along([start, end], &ridge, 0.5, Vec2::NEG_Y);
                let is_sound = start.is_finite() && end.is_finite() && height == 0.0;
                assert!(!is_sound || place.is_finite() || (end - start).length().is_infinite());
            }
        }
    }

    #[test]
    fn without_anything_between_it_is_straight() {
        for ends in [
            [Vec2::ZERO, Vec2::new(30.0, -8.0)],
            [Vec2::ZERO, Vec2::new(0.0, 9.0)],
        ] {
            let ridge = Ridge::find(ends, 40.0, |_| 0.0);
            let place = along(ends, &ridge, 0.25, Vec2::NEG_Y);
            assert!(
                place.distance(ends[0].lerp(ends[1], 0.25)) < 1e-4,
                "{place}"
            );
        }
    }
}
