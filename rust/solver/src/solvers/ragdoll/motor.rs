//! How joints and root follow the pose: one frequency for all of them.
//!
//! The stiffness of a joint is that of a spring which makes what hangs on it swing with the frequency, in the
//! pose that it follows. So fingers and thighs are as quick. Springs know how the pose itself moves, so they do
//! not lag. What holds the root bears the weight of what follows the pose, so it does not sag.

use glam::DVec2;

use crate::math::angle::wrapped;
use crate::solvers::ragdoll::body::{Body, ROOT};
use crate::solvers::ragdoll::forces::{AngleSpring, Forces, HeldPoint, PlaceSpring};
use crate::solvers::ragdoll::kinematics::LinkKinematics;
use crate::solvers::ragdoll::settings::RagdollSettings;
use crate::solvers::ragdoll::tick::Goals;

/// The frequency with which a body is pulled to a grab, critically damped.
const GRAB_FREQUENCY: f64 = 4.0;

/// Goals that move faster have leapt: in radians, and in units, per second.
const LEAP: [f64; 2] = [60.0, 20_000.0];

/// The goals at the beginning and at the end of a tick. Keeps its memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lead {
    /// The angle of each link against the one above it.
    pub(crate) angles: Vec<[f64; 2]>,
    pub(crate) root: [DVec2; 2],
    /// Of each grip.
    pub(crate) grabs: Vec<[DVec2; 2]>,
    /// In seconds.
    pub(crate) delta: f64,
    inertias: Vec<f64>,
}

impl Goals for Lead {
    fn set(&self, forces: &mut Forces, done: f64) {
        for (spring, &[from, to]) in forces.joints.iter_mut().zip(&self.angles) {
            let rate = (to - from) / self.delta;
            let leaps = rate.abs() > LEAP[0];
            spring.goal = if leaps { to } else { from + done * (to - from) };
            // What is limp comes to rest, whatever the pose does.
            let follows = spring.stiffness > 0.0 && !leaps;
            spring.rate = if follows { rate } else { 0.0 };
        }
        let place = |[from, to]: [DVec2; 2]| {
            let rate = (to - from) / self.delta;
            match rate.length() > LEAP[1] {
                true => (to, DVec2::ZERO),
                false => (from.lerp(to, done), rate),
            }
        };
        (forces.root.goal, forces.root.rate) = place(self.root);
        if let Some(carried) = &mut forces.carried {
            *carried = place(self.root).1;
        }
        for (grip, way) in forces.grips.iter_mut().zip(&self.grabs) {
            (grip.spring.goal, grip.spring.rate) = place(*way);
        }
    }
}

impl Lead {
    /// Sets up the springs of a body that follows the state `pose`. `frequencies` are those of the links.
    /// `damp`: what it loses of its motion per second, as [`Forces`] have it. `haste`: how fast bodies fall over under this
    /// gravity; limp joints lose as much less of their motion.
    pub(crate) fn take_springs(
        &mut self,
        (body, kinematics, pose): (&Body, &mut LinkKinematics, &[f64]),
        settings: &RagdollSettings,
        frequencies: impl Fn(usize) -> f64,
        (is_carried, damp, haste): (bool, [f64; 2], f64),
        forces: &mut Forces,
    ) {
        let ratio = f64::from(settings.damping_ratio.max(0.0));
        let root_frequency = match is_carried {
            true => 0.0,
            false => f64::from(settings.root_frequency.max(0.0)),
        };
        let is_borne = is_carried || root_frequency > 0.0;
        let limp = f64::from(settings.joint_damping.max(0.0));
        let hangs = |link: usize| body.links[link].parent.is_some() || link == 0 && is_carried;
        let frequency_of = |link: usize| match hangs(link) {
            true => frequencies(link).max(0.0),
            // What is broken off follows nothing.
            false if link > 0 => 0.0,
            false => root_frequency,
        };
        let links = 0..body.links.len();
        self.inertias.clear();
        self.inertias.resize(links.len(), 0.0);
        if links.clone().any(|link| frequency_of(link) > 0.0) {
            kinematics.place(body, pose);
            self.measure(body, kinematics);
        }
        forces.joints.clear();
        forces.limp.clear();
        forces.borne.clear();
        for index in links {
            let frequency = frequency_of(index);
            let inertia = self.inertias[index];
            forces.joints.push(spring(inertia, frequency, ratio));
            forces.limp.push(if hangs(index) && frequency == 0.0 {
                haste * limp
            } else {
                0.0
            });
            let bears = is_borne && frequency > 0.0 && body.links[index].place == 0;
            forces.borne.push(if bears { 1.0 } else { 0.0 });
        }
        let root = spring(body.links[0].carried, root_frequency, ratio);
        forces.root = PlaceSpring {
            stiffness: root.stiffness,
            damping: root.damping,
            ..PlaceSpring::default()
        };
        forces.carried = is_carried.then_some(DVec2::ZERO);
        forces.drag = match root.stiffness > 0.0 {
            true => [0.0; 2],
            false => damp,
        };
    }

    /// The point `local` of a link as one that is pulled, with no more than `strongest`.
    pub(crate) fn grip(body: &Body, link: usize, local: DVec2, strongest: f64) -> HeldPoint {
        let pull = spring(body.mass(), GRAB_FREQUENCY, 1.0);
        HeldPoint {
            link,
            local,
            spring: PlaceSpring {
                stiffness: pull.stiffness,
                damping: pull.damping,
                ..PlaceSpring::default()
            },
            strongest,
        }
    }

    /// Adds up the moments of inertia of what hangs on each joint, about it.
    fn measure(&mut self, body: &Body, kinematics: &LinkKinematics) {
        for (index, link) in body.links.iter().enumerate() {
            let centre = kinematics.point(index, link.centre());
            let mut next = Some(index);
            while let Some(above) = next {
                let arm = centre - kinematics.links[above].joint;
                self.inertias[above] += link.inertia + link.mass * arm.length_squared();
                next = body.links[above].parent;
            }
        }
    }

    /// Takes the angles of the state `from` and `to` as goals, near those of `state`.
    pub(crate) fn take_goals(&mut self, body: &Body, from: &[f64], to: &[f64], state: &[f64]) {
        self.angles.clear();
        // By the shorter way, as springs know no turns.
        for (index, link) in body.links.iter().enumerate() {
            let relative = |of: &[f64]| {
                of[body.angle(index)] - link.parent.map_or(0.0, |it| of[body.angle(it)])
            };
            let now = relative(state);
            let end = now + wrapped(relative(to) - now);
            let begin = end - wrapped(relative(to) - relative(from));
            self.angles.push([begin, end]);
        }
        self.root = [from, to].map(|of| DVec2::new(of[0], of[1]));
    }

    /// Has the body take part in how the pose changes its speed, as far as all of it follows: `before` is how fast
    /// the state of the pose changed in the last tick, and becomes that of this one. Springs alone would lag behind.
    pub(crate) fn take_along(
        &self,
        (body, forces): (&Body, &mut Forces),
        goals: &[Vec<f64>; 2],
        before: &mut Vec<f64>,
        rates: &mut [f64],
    ) {
        let is_known = before.len() == rates.len();
        before.resize(rates.len(), 0.0);
        let Forces {
            joints, root, led, ..
        } = forces;
        led.clear();
        let is_led = |link: usize| {
            let mut line = std::iter::successors(Some(link), |&link| body.links[link].parent);
            body.links[link].place == 0 && line.all(|link| joints[link].stiffness > 0.0)
        };
        let pairs = goals[0].iter().zip(&goals[1]);
        let pairs = pairs.zip(before.iter_mut().zip(rates)).enumerate();
        for (index, ((from, to), (before, rate))) in pairs {
            let link = index.checked_sub(body.places());
            let way = if link.is_some() {
                wrapped(to - from)
            } else {
                to - from
            };
            let now = way / self.delta;
            let change = now - std::mem::replace(before, now);
            let follows = match link {
                Some(link) => is_led(link),
                None => index < ROOT && root.stiffness > 0.0,
            };
            if link.is_some() {
                let bears = follows && now.abs() < LEAP[0];
                led.push(if bears { now * now } else { 0.0 });
            }
            let leaps = change.abs() > LEAP[usize::from(link.is_none())];
            if is_known && follows && !leaps {
                *rate += change;
            }
        }
    }

    /// Returns `true` if the goals stand still.
    pub(crate) fn rests(&self, forces: &Forces) -> bool {
        let mut angles = self.angles.iter().zip(&forces.joints);
        let is_slow = |[from, to]: [DVec2; 2]| from.distance(to) < self.delta;
        angles.all(|(&[from, to], spring)| {
            spring.stiffness == 0.0 || (to - from).abs() < 0.02 * self.delta
        }) && (forces.root.stiffness == 0.0 && forces.carried.is_none() || is_slow(self.root))
            && self.grabs.iter().all(|&way| is_slow(way))
    }
}

/// A spring on what has this inertia.
fn spring(inertia: f64, frequency: f64, ratio: f64) -> AngleSpring {
    let omega = std::f64::consts::TAU * frequency;
    AngleSpring {
        stiffness: inertia * omega * omega,
        damping: inertia * 2.0 * ratio * omega,
        ..AngleSpring::default()
    }
}
