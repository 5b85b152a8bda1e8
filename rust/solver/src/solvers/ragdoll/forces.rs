//! What acts on a body besides contacts and limits: gravity, its own turning, and springs.
//!
//! In absolute angles, turning is the only thing that acts by itself: a link that turns pulls what hangs on it
//! inwards. Springs are those of the end of a step, so they are stable at any stiffness.
//!
//! Source: J. Tan, K. Liu, G. Turk, *Stable Proportional-Derivative Controllers* (2011), here for the whole tree
//! at once.

use glam::DVec2;

use crate::solvers::ragdoll::body::Body;
use crate::solvers::ragdoll::inertia::{Load, TreeInertia};
use crate::solvers::ragdoll::kinematics::LinkKinematics;
use crate::solvers::ragdoll::momentum::Momentum;

/// A spring on an angle.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct AngleSpring {
    pub(crate) stiffness: f64,
    pub(crate) damping: f64,
    /// The angle at rest, and how fast it changes.
    pub(crate) goal: f64,
    pub(crate) rate: f64,
}

/// A spring that holds a place.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct PlaceSpring {
    pub(crate) stiffness: f64,
    pub(crate) damping: f64,
    pub(crate) goal: DVec2,
    pub(crate) rate: DVec2,
}

/// A point of a link that is held.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HeldPoint {
    pub(crate) link: usize,
    /// In the link's frame.
    pub(crate) local: DVec2,
    pub(crate) spring: PlaceSpring,
    /// It does not pull more than that; infinite if it may.
    pub(crate) strongest: f64,
}

/// The forces on a body.
#[derive(Clone, Debug, Default)]
pub(crate) struct Forces {
    /// The acceleration of gravity in skeleton space.
    pub(crate) gravity: DVec2,
    /// For each link, how much of its weight something else bears: 0 or 1.
    pub(super) borne: Vec<f64>,
    /// For each link, the square of the rate at which the pose turns it, if it follows the pose in all that is
    /// above: what leads it bears what that asks for.
    pub(super) led: Vec<f64>,
    /// For each link, the spring to the link above; for the root, to skeleton space.
    pub(crate) joints: Vec<AngleSpring>,
    /// The spring of the root's place.
    pub(crate) root: PlaceSpring,
    /// The points of it that are held.
    pub(crate) grips: Vec<HeldPoint>,
    /// The root is carried: it moves at this speed, whatever acts on it.
    pub(crate) carried: Option<DVec2>,
    /// For each link, how much of its turning against the link above it loses per second.
    pub(super) limp: Vec<f64>,
    /// The rates at which it loses its speed as a whole, and the turning of its links, per second, as in air.
    pub(super) drag: [f64; 2],
}

/// The mass of what carries its root, in masses of the body.
const CARRIER: f64 = 1e9;

impl Forces {
    /// Returns `true` if all but gravity acts between its links.
    pub(super) fn act_within(&self) -> bool {
        let root = self.joints.first().copied().unwrap_or_default();
        let held = [
            root.stiffness,
            root.damping,
            self.root.stiffness,
            self.root.damping,
        ];
        held == [0.0; 4] && self.grips.is_empty() && self.carried.is_none()
    }

    /// Slows the body down: limp joints, which changes nothing of how it moves as a whole, and that, as air does. Leaves in
    /// `momenta` how its trees move then.
    pub(super) fn slow_down(
        &self,
        body: &Body,
        kinematics: &mut LinkKinematics,
        step: f64,
        rates: &mut [f64],
        momenta: &mut Vec<Momentum>,
    ) {
        let left = |loss: f64| (1.0 - step * loss).max(0.0);
        let [linear, angular] = self.drag.map(left);
        let mut momentum =
            |&root: &usize, rates: &[f64]| Momentum::of(body, kinematics, root, rates);
        momenta.clear();
        let roots = body.roots.iter();
        momenta.extend(roots.map(|root| momentum(root, rates).slowed(linear, angular)));
        let links = body.links.iter().enumerate();
        let joints =
            links.filter_map(|(link, it)| Some((body.angle(link), body.angle(it.parent?))));
        for (own, above) in joints.clone().rev() {
            rates[own] -= rates[above];
        }
        for (rate, &limp) in rates[body.places()..].iter_mut().zip(&self.limp) {
            *rate *= angular * left(limp);
        }
        for (own, above) in joints {
            rates[own] += rates[above];
        }
        let is_held = self.root.stiffness != 0.0 || self.carried.is_some();
        for (root, wanted) in body.roots.iter().zip(momenta) {
            if *root > 0 || !is_held {
                let now = momentum(root, rates);
                now.correct(*wanted, (body, *root), rates);
            }
        }
    }

    /// Returns `true` if nothing pulls it anywhere but gravity.
    pub(super) fn are_limp(&self) -> bool {
        let is_soft = |spring: &AngleSpring| spring.stiffness == 0.0;
        self.joints.iter().all(is_soft) && self.root.stiffness == 0.0 && self.grips.is_empty()
    }

    /// Finds gravity, and what comes of turning at `rates`, as loads on all links, times the `step`.
    pub(super) fn load_smoothly(
        &self,
        body: &Body,
        kinematics: &LinkKinematics,
        rates: &[f64],
        step: f64,
        loads: &mut Vec<Load>,
    ) {
        let weight = |link: usize| self.gravity * (1.0 - self.borne[link]);
        let turning_of = |link: usize| {
            let rate = rates[body.angle(link)];
            rate * rate - self.led.get(link).copied().unwrap_or_default()
        };
        loads.clear();
        loads.resize(body.links.len(), Load::default());
        // First how much each link turns, and how its joint is drawn inwards by those above.
        for (index, link) in body.links.iter().enumerate() {
            let force = link.parent.map_or(DVec2::ZERO, |parent| {
                let Load { force, torque } = loads[parent];
                force + torque * kinematics.links[index].arm
            });
            let torque = turning_of(index);
            loads[index] = Load { force, torque };
        }
        let links = body.links.iter().zip(&kinematics.links).enumerate();
        for ((index, (link, placed)), load) in links.zip(loads) {
            let inwards = step * link.mass * load.force;
            let outwards = step * link.mass * load.torque * placed.centre;
            let weight = step * weight(index);
            *load = Load {
                force: inwards + outwards,
                torque: placed.centre.perp_dot(inwards) + placed.moment.perp_dot(weight),
            };
            if link.parent.is_none() {
                load.force += link.carried * weight;
            }
        }
    }

    /// Adds what carries the root to the inertia.
    pub(super) fn add_carrier(&self, body: &Body, inertia: &mut TreeInertia) {
        if self.carried.is_some() {
            inertia.add_point(0, DVec2::ZERO, CARRIER * body.mass());
        }
    }

    /// Adds the springs over `step` seconds from `state` to the inertia, and what they push with, times the step,
    /// to the loads. Returns whether there is any.
    pub(super) fn add_springs(
        &self,
        (body, kinematics): (&Body, &LinkKinematics),
        state: &[f64],
        step: f64,
        inertia: &mut TreeInertia,
        loads: &mut [Load],
    ) -> bool {
        let mut any = false;
        for (index, (link, spring)) in body.links.iter().zip(&self.joints).enumerate() {
            let hardness = step * (step * spring.stiffness + spring.damping);
            if hardness == 0.0 {
                continue;
            }
            any = true;
            let above = link.parent.map_or(0.0, |parent| state[body.angle(parent)]);
            let angle = state[body.angle(index)] - above;
            let push =
                step * (spring.stiffness * (spring.goal - angle) + spring.damping * spring.rate);
            inertia.add_spring(index, link.parent, hardness);
            loads[index].torque += push;
            if let Some(parent) = link.parent {
                loads[parent].torque -= push;
            }
        }
        let root = self.root;
        let hardness = step * (step * root.stiffness + root.damping);
        if hardness != 0.0 {
            any = true;
            let place = DVec2::new(state[0], state[1]);
            inertia.add_point(0, DVec2::ZERO, hardness);
            loads[0].force += step * root.push(place);
        }
        for grip in &self.grips {
            any = true;
            grip.add(kinematics, step, inertia, loads);
        }
        if let Some(speed) = self.carried {
            any = true;
            loads[0].force += CARRIER * body.mass() * speed;
        }
        any
    }
}

impl PlaceSpring {
    fn push(&self, place: DVec2) -> DVec2 {
        self.stiffness * (self.goal - place) + self.damping * self.rate
    }
}

impl HeldPoint {
    /// Adds its spring, weaker if it would pull too much.
    fn add(
        &self,
        kinematics: &LinkKinematics,
        step: f64,
        inertia: &mut TreeInertia,
        loads: &mut [Load],
    ) {
        let placed = &kinematics.links[self.link];
        let arm = placed.turn.rotate(self.local);
        let pull = self.spring.push(placed.joint + arm);
        let part = step * (self.strongest / pull.length()).min(1.0);
        let hardness = part * (step * self.spring.stiffness + self.spring.damping);
        inertia.add_point(self.link, arm, hardness);
        loads[self.link] += Load::at(arm, part * pull);
    }
}
