//! The momentum of a body, which nothing within it changes: neither springs nor limits.
//!
//! The step takes what acts within the body in one place and moves it to another, so a little of its turning
//! gets lost or made. Where nothing from outside touches it, that is put right.

use glam::DVec2;

use crate::solvers::ragdoll::body::{Body, ROOT};
use crate::solvers::ragdoll::figure::Figure;

/// How a body moves as a whole.
#[derive(Clone, Copy, Debug)]
pub(super) struct Momentum {
    centre: DVec2,
    velocity: DVec2,
    /// The angular momentum about the centre of mass.
    turning: f64,
    /// The moment of inertia about it.
    inertia: f64,
}

impl Momentum {
    pub(super) fn of(body: &Body, figure: &Figure, rates: &[f64]) -> Self {
        let mut centre = DVec2::ZERO;
        let mut velocity = DVec2::ZERO;
        let (mut turning, mut inertia) = (0.0, 0.0);
        // About the root's joint, so that the numbers are small.
        let root = figure.joints[0];
        for (index, link) in body.links.iter().enumerate() {
            let place = figure.point(index, link.centre());
            let speed = figure.speed(body, index, place, rates);
            let arm = place - root;
            centre += link.mass * arm;
            velocity += link.mass * speed;
            turning += link.mass * arm.perp_dot(speed) + link.inertia * rates[ROOT + index];
            inertia += link.mass * arm.length_squared() + link.inertia;
        }
        let mass = body.mass();
        centre /= mass;
        velocity /= mass;
        Self {
            centre: root + centre,
            velocity,
            turning: turning - mass * centre.perp_dot(velocity),
            inertia: inertia - mass * centre.length_squared(),
        }
    }

    /// After `seconds` of free fall.
    pub(super) fn fallen(self, gravity: DVec2, seconds: f64) -> Self {
        let velocity = self.velocity + seconds * gravity;
        Self {
            centre: self.centre + 0.5 * seconds * (self.velocity + velocity),
            velocity,
            ..self
        }
    }

    /// Gives a body that moves as `self` the place, the velocity and the turning of `wanted`.
    pub(super) fn correct(self, wanted: Self, state: &mut [f64], rates: &mut [f64]) {
        let root = DVec2::new(state[0], state[1]);
        let turn = (wanted.turning - self.turning) / self.inertia;
        let shift = wanted.velocity - self.velocity + turn * (root - self.centre).perp();
        let leap = wanted.centre - self.centre;
        state[0] += leap.x;
        state[1] += leap.y;
        rates[0] += shift.x;
        rates[1] += shift.y;
        for rate in &mut rates[ROOT..] {
            *rate += turn;
        }
    }
}
