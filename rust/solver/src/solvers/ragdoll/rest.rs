//! When a body is at rest, and what wakes it.

use glam::Vec2;

use crate::solvers::ragdoll::motion::Touch;
use crate::solvers::ragdoll::settings::{Grab, RagdollSettings};
use crate::solvers::ragdoll::solid::{RagdollTick, Solid};

/// The speed up to which a body counts as quiet, in pixels per second, and how much that grows with what it loses of its
/// motion because it is tired.
pub(super) const QUIET_SPEED: f64 = 5.0;
const QUIET_GROWTH: f64 = 0.4;

/// Returns the time for which a body has to be quiet until it is at rest, in seconds. It is longer if it is not known
/// that something carries it: what falls is not quiet for so long.
pub(crate) fn quiet_time(is_carried: bool) -> f32 {
    if is_carried { 0.4 } else { 1.0 }
}

/// A body that is faster does more than creep, in pixels per second.
const CREEP_SPEED: f64 = 120.0;

/// All these are for the engine's usual gravity, in pixels per square second. The slowest part counts below.
const USUAL: f64 = 980.0;
const SLOWEST: f64 = 0.1;

/// Returns the speed at which bodies fall, sway and topple under this gravity, as a part of that under the usual one.
/// They are in no hurry to fall where that is low.
pub(crate) fn haste(gravity: f64) -> f64 {
    match gravity > 0.0 {
        true => (gravity / USUAL).sqrt().clamp(SLOWEST, 1.0),
        false => 1.0,
    }
}

/// The time after which one that only creeps gets tired, in seconds; the growth, with each second, of the rate at which
/// it then loses its motion; and the greatest rate, per second.
const TIRED: [f64; 3] = [0.2, 40.0, 60.0];

/// The time after which it is asked whether a body that creeps is carried, and again after twice as long, in seconds.
pub(crate) const ASKED: f32 = 0.1;

/// Returns `true` if that is asked when it has crept for `now` seconds, and for `before` in the last tick.
pub(crate) fn is_asked(before: f32, now: f32) -> bool {
    let times = |calm: f32| (0.5 * (calm / ASKED + 1.0)).floor();
    times(now) > times(before)
}

/// Returns the rate at which a body loses its motion that has only crept for `calm` seconds, per second, carried by
/// what it lies on: it would roll on for long.
pub(crate) fn tiredness(calm: f32) -> f64 {
    let [begin, growth, most] = TIRED;
    (growth * (f64::from(calm) - begin)).clamp(0.0, most)
}

/// The part of gravity up to which a body that stands still may be pulled on and counts as carried.
const BALANCE: f64 = 0.01;

/// Returns `true` if a body stays where it is that gets this acceleration when it stands still, both in pixels and
/// square seconds.
pub(crate) fn is_carried_by(acceleration: f64, gravity: f64) -> bool {
    acceleration <= BALANCE * gravity + 1e-6
}

/// The kind of a body's motion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MotionKind {
    /// By less than can be called motion.
    Quiet,
    /// Slowly.
    Creeping,
    Moving,
}

impl MotionKind {
    /// By the `speed` of the fastest end of its links, in pixels per second, after it has crept for `calm` seconds.
    pub(crate) fn of(speed: f64, calm: f32) -> Self {
        let quiet = QUIET_SPEED + QUIET_GROWTH * tiredness(calm);
        match speed {
            speed if speed < quiet => Self::Quiet,
            speed if speed < CREEP_SPEED => Self::Creeping,
            _ => Self::Moving,
        }
    }
}

/// Returns `true` if something is touched, and all of that stands still.
pub(crate) fn is_on_still_ground(tick: &RagdollTick, touches: &[Touch]) -> bool {
    let is_touched = |solid: &&Solid| touches.iter().any(|touch| touch.body == solid.body);
    let mut touched = tick.solids.iter().filter(is_touched).peekable();
    touched.peek().is_some()
        && touched.all(|solid| solid.velocity.length() < 1.0 && solid.spin.abs() < 0.01)
}

/// A sum over the bits of numbers: FNV-1a, by words.
struct Sum(u64);

impl Sum {
    fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    fn add(&mut self, word: u32) {
        self.0 = (self.0 ^ u64::from(word)).wrapping_mul(0x0100_0000_01b3);
    }

    fn add_numbers(&mut self, numbers: impl IntoIterator<Item = f32>) {
        // Both zeros are one.
        numbers
            .into_iter()
            .for_each(|it| self.add((it + 0.0).to_bits()));
    }
}

/// A body of the world that gives way and is slower does not wake what lies on it, unless it gets elsewhere by about a
/// pixel: in pixels and radians per second.
const CALM: [f32; 2] = [6.0, 0.2];

/// A sum of all that is around a body: two that differ are of other worlds.
pub(crate) fn sum_of_world(tick: &RagdollTick) -> u64 {
    let mut sum = Sum::new();
    sum.add_numbers(tick.gravity.to_array());
    sum.add_numbers(tick.damp.to_array());
    for solid in &tick.solids {
        sum.add_numbers([solid.radius, solid.friction, solid.bounce]);
        sum.add_numbers(solid.lightness.to_array());
        sum.add_numbers(solid.one_way.to_array());
        let points = tick.points_of(solid).iter();
        // What gives way trembles when a body at rest does not press on it any more.
        let is_calm = solid.velocity.length() < CALM[0] && solid.spin.abs() < CALM[1];
        if is_calm && solid.lightness != Vec2::ZERO {
            sum.add_numbers(points.flat_map(|point| point.round().to_array()));
        } else {
            sum.add_numbers([solid.velocity.x, solid.velocity.y, solid.spin]);
            sum.add_numbers(points.flat_map(|point| point.to_array()));
        }
    }
    sum.0
}

/// A sum of what a body is to do, besides following the pose.
pub(crate) fn sum_of_orders(settings: &RagdollSettings, grabs: &[Grab]) -> u64 {
    let mut sum = Sum::new();
    sum.add_numbers([
        settings.frequency,
        settings.damping_ratio,
        settings.root_frequency,
        settings.mass,
        settings.radius,
        settings.friction,
        settings.gravity_scale,
        settings.linear_damp,
        settings.angular_damp,
        settings.joint_damping,
        settings.grab_force,
    ]);
    sum.add(settings.self_collision.into());
    for grab in grabs {
        sum.add(grab.link as u32);
        sum.add_numbers(grab.point.to_array());
        sum.add_numbers(grab.target.to_array());
    }
    sum.0
}
