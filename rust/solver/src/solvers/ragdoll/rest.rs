//! When a body is at rest, and what wakes it.

use glam::DVec2;

use crate::solvers::ragdoll::body::Body;
use crate::solvers::ragdoll::figure::Figure;
use crate::solvers::ragdoll::settings::{Grab, RagdollSettings};
use crate::solvers::ragdoll::solid::RagdollTick;

/// The speed up to which a body counts as quiet, in pixels per second.
const QUIET_SPEED: f64 = 5.0;

/// How long it has to be quiet until it is at rest, in seconds.
pub(crate) const QUIET_TIME: f32 = 0.4;

/// Whether no end of a link moves by more than can be called motion. `unit`: pixels of a skeleton unit.
pub(crate) fn is_quiet(body: &Body, figure: &Figure, rates: &[f64], unit: f64) -> bool {
    let most = QUIET_SPEED / unit;
    let mut links = body.links.iter().enumerate();
    links.all(|(index, link)| {
        [DVec2::ZERO, link.capsule.from, link.capsule.to]
            .into_iter()
            .all(|local| {
                let place = figure.point(index, local);
                figure.speed(body, index, place, rates).length_squared() < most * most
            })
    })
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

/// A sum of all that is around a body: two that differ are of other worlds.
pub(crate) fn sum_of_world(tick: &RagdollTick) -> u64 {
    let mut sum = Sum::new();
    sum.add_numbers(tick.gravity.to_array());
    for solid in &tick.solids {
        sum.add_numbers(solid.velocity.to_array());
        sum.add_numbers([solid.spin, solid.radius, solid.friction, solid.bounce]);
        sum.add_numbers(solid.lightness.to_array());
        sum.add_numbers(solid.one_way.to_array());
        let [first, count] = solid.points.map(|number| number as usize);
        let points = tick.points[first..first + count].iter();
        sum.add_numbers(points.flat_map(|point| point.to_array()));
    }
    sum.0
}

/// A sum of what a body is to do, besides following the pose.
pub(crate) fn sum_of_orders(settings: &RagdollSettings, grab: Option<&Grab>) -> u64 {
    let mut sum = Sum::new();
    sum.add_numbers([
        settings.frequency,
        settings.damping_ratio,
        settings.root_frequency,
        settings.mass,
        settings.radius,
        settings.friction,
        settings.gravity_scale,
    ]);
    if let Some(grab) = grab {
        sum.add(grab.link as u32);
        sum.add_numbers(grab.point.to_array());
        sum.add_numbers(grab.target.to_array());
    }
    sum.0
}
