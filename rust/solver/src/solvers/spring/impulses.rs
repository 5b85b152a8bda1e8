//! Impulses at places of a chain, as sums: what is new in a sum acts on the chain.
//!
//! A place is told as a part of the chain, to quarters: an impulse between two of them is shared by both. On the
//! bone that it hits, it acts on the joints at both ends as on the ends of a rod: the place gets the velocity, and
//! other bones are dragged along by the springs alone.

use glam::{DVec2, Vec2};
use serde::{Deserialize, Serialize};

use crate::math::number::as_it_is;
use crate::math::settings::Sound;

/// Sums are reduced by multiples of this: in a very large sum, small impulses would be lost.
const WINDING: f32 = 65_536.0;

/// Impulses are multiples of this: sums and their differences are exact, whatever was summed before.
const GRAIN: f32 = 1.0 / 256.0;

/// The number of places at which a chain can be hit.
const PLACES: usize = 4;

/// The sums of all impulses so far at each place, in global units per second.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Impulses(#[serde(with = "crate::math::number")] [Vec2; PLACES]);

as_it_is!(Impulses);

impl Sound for Impulses {
    fn is_sound(&self) -> bool {
        self.0.iter().all(Sound::is_sound)
    }
}

impl Impulses {
    /// Adds an impulse at the part `share` of the chain, 0 at its root and 1 at its end.
    pub fn add(&mut self, share: f32, velocity: Vec2) {
        let place = share.clamp(0.0, 1.0) * PLACES as f32 - 1.0;
        let place = place.max(0.0);
        let (first, part) = (place as usize, place.fract());
        for (index, part) in [(first, 1.0 - part), (first + 1, part)] {
            if let Some(sum) = self.0.get_mut(index) {
                *sum = with_impulse(*sum, part * velocity);
            }
        }
    }

    /// Returns `true` if there are no impulses.
    pub(crate) fn is_none(&self) -> bool {
        *self == Self::default()
    }

    /// The difference of two sums.
    pub(crate) fn since(&self, before: &Self) -> Self {
        let mut difference = *self;
        for (sum, before) in difference.0.iter_mut().zip(before.0) {
            *sum = unwound(*sum - before);
        }
        difference
    }

    /// The velocity that the joint `joint` gets, of `bones` and their end. The root stays where it is, and so does
    /// the end if it `is_pinned`.
    pub(super) fn velocity_of(&self, joint: usize, bones: usize, is_pinned: bool) -> DVec2 {
        if joint == 0 || (joint == bones && is_pinned) {
            return DVec2::ZERO;
        }
        let mut velocity = DVec2::ZERO;
        for (index, sum) in self.0.iter().enumerate() {
            let place = (index + 1) as f64 / PLACES as f64 * bones as f64;
            let bone = (place as usize).min(bones - 1);
            let along = place - bone as f64;
            let lever = if joint == bone {
                1.0 - along
            } else if joint == bone + 1 {
                along
            } else {
                0.0
            };
            let whole = along * along + (1.0 - along) * (1.0 - along);
            velocity += lever / whole * sum.as_dvec2();
        }
        velocity
    }
}

/// The sum of impulses after a further one.
pub fn with_impulse(sum: Vec2, velocity: Vec2) -> Vec2 {
    unwound(sum + unwound((velocity / GRAIN).round() * GRAIN))
}

/// The difference of two sums of impulses, which may have been reduced.
pub(crate) fn unwound(difference: Vec2) -> Vec2 {
    let turns = (difference / WINDING).round();
    difference - WINDING * turns
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_hit_gets_the_velocity() {
        let mut impulses = Impulses::default();
        impulses.add(0.5, Vec2::new(0.0, 100.0));
        // Eight bones: their middle is a joint.
        let velocities = (0..=8).map(|joint| impulses.velocity_of(joint, 8, false).y);
        let velocities: Vec<_> = velocities.collect();
        assert_eq!(velocities, [0.0, 0.0, 0.0, 0.0, 100.0, 0.0, 0.0, 0.0, 0.0]);
        // Three bones: the middle of the second one.
        let [a, b] = [1, 2].map(|joint| impulses.velocity_of(joint, 3, false).y);
        assert!((0.5 * (a + b) - 100.0).abs() < 1e-9);
    }

    #[test]
    fn ends_that_are_held_stay() {
        let mut impulses = Impulses::default();
        impulses.add(1.0, Vec2::X);
        impulses.add(0.0, Vec2::X);
        assert_eq!(impulses.velocity_of(4, 4, true), DVec2::ZERO);
        assert!(impulses.velocity_of(4, 4, false).x > 0.9);
        assert_eq!(impulses.velocity_of(0, 4, false), DVec2::ZERO);
    }

    #[test]
    fn sums_are_wound_and_small_impulses_count() {
        let mut impulses = Impulses::default();
        for _ in 0..1000 {
            impulses.add(0.7, Vec2::splat(30_000.0));
        }
        let before = impulses;
        impulses.add(0.7, Vec2::new(3.0, -4.0));
        let new = impulses.since(&before);
        let sum: Vec2 = new.0.iter().sum();
        assert!((sum - Vec2::new(3.0, -4.0)).length() < 0.02);
    }

    #[test]
    fn an_impulse_is_the_same_to_the_last_bit_whatever_came_before_it() {
        let velocity = Vec2::new(-103.002_4, -245.629_7);
        let alone = with_impulse(Vec2::ZERO, velocity);
        assert!((alone - velocity).length() < GRAIN);
        let mut sum = Vec2::ZERO;
        for index in 0..1000 {
            sum = with_impulse(sum, Vec2::new(313.77 * index as f32, -0.123));
            assert_eq!(unwound(with_impulse(sum, velocity) - sum), alone);
        }
    }
}
