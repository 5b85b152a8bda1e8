//! A chain that is held at both ends: ropes, cables, bridges, capes.
//!
//! The joints are points with the mass of half a bone to either side. Gravity pulls at them, each is
//! drawn by a damped spring to its place in the goal, and bones keep their lengths. The goal is the
//! posed chain, [bent](crate::solvers::spring::bend) until its end is where the chain is held.
//!
//! **Time** goes in steps of [`STEP`], which do not depend on the frames. The pose that a frame shows
//! is that of a part of a step from the last whole one, which is not kept. So it lies on the same
//! motion at any frame rate, and it is not late. Within a frame the ends move along lines, and so does
//! the goal, which is bent once in a frame that is not long.
//!
//! **A step** is implicit: it minimises the sum of inertia, springs and gravity over the places at its
//! end, so that it is stable at any stiffness and gains no energy. Then the `lengths` are restored.
//!
//! Places are those of chain space, in which bones have lengths whatever mirrors or scales the
//! character. The state has the frame of the pass in which it was left, and is brought from there.
//!
//! Source: position based dynamics as in M. Macklin, M. Müller and N. Chentanez, *XPBD* (2016), and in
//! small steps as in M. Macklin et al., *Small Steps in Physics Simulation* (2019). The rest is
//! Tendon's.

use glam::{Affine2, DAffine2, DVec2, Vec2};

use crate::math::trigonometry::unit_vector;
use crate::solvers::modes::Tuning;
use crate::solvers::spring::bend::{Bending, Sides};
use crate::solvers::spring::impulses::{Impulses, unwound};
use crate::solvers::spring::lengths::{Lengths, ON_THE_LINE};
use crate::solvers::spring::motion::{Motion, TELEPORT, TELEPORT_SPEED};
use crate::solvers::spring::pinned_motion::{PinnedMotion, PinnedPoint};
use crate::solvers::spring::settings::SpringSettings;

/// Seconds of a step.
const STEP: f64 = 1.0 / 240.0;

/// Seconds in which the goal moves along lines at most.
const LONGEST_LEG: f64 = 1.0 / 29.0;

/// Steps from the posed chain to the one at rest that it begins as: how many are so long, beside the
/// time in which the chain swings by one radian. Long ones are fast, and rest a little beside where
/// short ones do.
const FIRST_STEPS: [(u32, f64); 4] = [(40, 0.25), (60, 0.125), (100, 0.0625), (200, 0.03125)];

/// A chain slower than this for [`REST_TIME`] is at rest: in its own lengths per second.
const REST_SPEED: f64 = 2e-4;

/// Seconds after which a slow chain is at rest.
const REST_TIME: f32 = 0.25;

/// The chain in one pass, in chain space.
pub(crate) struct PinnedChain<'a> {
    pub(crate) settings: SpringSettings,
    pub(crate) tuning: &'a Tuning,
    /// To global space.
    pub(crate) mount: Affine2,
    pub(crate) delta: f64,
    /// The part of the motion of the ends that the joints feel, 0 to 1.
    pub(crate) felt: f64,
}

/// A function that corrects the places of the joints where something holds bones. It is also given the goal.
pub(crate) type Keep<'a> = dyn FnMut(&mut [DVec2], &[DVec2]) + 'a;

/// Memory for it, which grows to the longest chain.
#[derive(Clone, Debug, Default)]
pub(crate) struct PinnedScratch {
    /// The places of the joints and the end in the pose, from the first joint on.
    posed: Vec<DVec2>,
    /// The place at which the end is held.
    pin: DVec2,
    lengths: Lengths,
    bending: Bending,
    /// The posed chain, bent until its end is where it is held, at the end of a leg of the pass.
    bent: Vec<DVec2>,
    /// The part of the pass that is done then.
    bent_at: f64,
    /// To which side it is bent.
    bulge: DVec2,
    /// The same at the beginning of the leg.
    before: Vec<DVec2>,
    before_at: f64,
    /// The goal in the present step, on the lines between both.
    pub(crate) goals: Vec<DVec2>,
    /// The places at which the joints are to be shown.
    pub(crate) places: Vec<DVec2>,
    velocities: Vec<DVec2>,
    joints: Vec<PinnedJoint>,
    /// The places before something that holds bones has corrected them.
    free: Vec<DVec2>,
}

/// A joint, or the end, in the present pass.
#[derive(Clone, Copy, Debug)]
struct PinnedJoint {
    /// The part of the chain above it.
    share: f64,
    /// Its part of the chain's mass.
    mass: f64,
    /// The acceleration to the goal by distance, per second squared.
    stiffness: f64,
    /// The deceleration by speed, per second.
    slowing: f64,
    /// The place at which it would be after the present step if the chain were only carried along.
    base: DVec2,
    /// Its inverse mass, reduced by damping and springs.
    mobility: f64,
}

impl PinnedMotion {
    fn holds(&self, points: usize) -> bool {
        let is_timed = (0.0..=STEP).contains(&self.since) && self.still.is_finite();
        let is_framed = self.mount.is_finite() && self.mount.matrix2.determinant().is_normal();
        let is_sound = is_timed && is_framed && self.is_finite();
        self.points.len() == points && is_sound
    }

    /// Brings the state into the frame `mount`. Returns whether the frame was mirrored: then the
    /// chain is, too.
    fn bring(&mut self, mount: Affine2) -> bool {
        let before = std::mem::replace(&mut self.mount, mount);
        let [now, then] = [mount, before].map(|frame| frame.matrix2.determinant() < 0.0);
        if now == then && mount != before {
            let way: DAffine2 = mount.as_daffine2().inverse() * before.as_daffine2();
            for point in &mut self.points {
                point.place = way.transform_point2(point.place);
                point.velocity = way.transform_vector2(point.velocity);
                point.posed = way.transform_point2(point.posed);
                point.goal = way.transform_point2(point.goal);
            }
            self.pin = way.transform_point2(self.pin);
            self.bulge = way.transform_vector2(self.bulge);
        }
        if now != then {
            self.bend = Vec2::ZERO;
        }
        now != then
    }

    /// Returns `true` if the pose and the pin are those of the last pass.
    fn is_at(&self, scratch: &PinnedScratch) -> bool {
        let mut pairs = self.points.iter().zip(&scratch.posed);
        self.pin == scratch.pin && pairs.all(|(point, &posed)| point.posed == posed)
    }

    /// Takes the goal of `scratch` when `delta` seconds have passed. Returns whether the next pass would move
    /// something.
    fn rest(&mut self, delta: f64, scratch: &PinnedScratch) -> bool {
        let slow = REST_SPEED * scratch.lengths.reach;
        let mut velocities = self.points.iter().map(|point| point.velocity.length());
        let is_still = self.is_at(scratch) && velocities.all(|speed| speed < slow);
        self.take(scratch);
        self.still = match is_still {
            true => (self.still + delta as f32).min(REST_TIME),
            false => 0.0,
        };
        self.still < REST_TIME
    }

    /// Takes the goal of `scratch`, with the pose, the pin and the bend that it came from.
    fn take(&mut self, scratch: &PinnedScratch) {
        let goals = scratch.posed.iter().zip(&scratch.bent);
        for (point, (&posed, &goal)) in self.points.iter_mut().zip(goals) {
            (point.posed, point.goal) = (posed, goal);
        }
        (self.pin, self.bulge) = (scratch.pin, scratch.bulge);
        self.bend = scratch.bending.reached().as_vec2();
    }
}

impl PinnedChain<'_> {
    /// Begins at rest; a chain that hung freely, where it was.
    fn begin(&self, motion: &mut Motion, scratch: &mut PinnedScratch) {
        let count = scratch.posed.len();
        let was_free = motion.resets == self.settings.resets && motion.holds(count - 1);
        let state = &mut motion.pinned;
        state.points.clear();
        state.points.resize(count, PinnedPoint::default());
        (state.bend, state.bulge) = (Vec2::ZERO, DVec2::ZERO);
        scratch.begin(state);
        scratch.bend(state, 1.0, self.gravity());
        state.take(scratch);
        for point in &mut state.points {
            point.place = point.goal;
        }
        (state.since, state.mount, state.still) = (0.0, self.mount, 0.0);
        if was_free {
            self.take_over(motion, scratch);
        } else {
            self.come_to_rest(state, scratch);
        }
        motion.bones.clear();
        (motion.resets, motion.pushed) = (self.settings.resets, self.settings.pushed);
        motion.impulses = self.settings.impulses;
    }

    /// Takes the places and velocities of bones that hung freely. The end goes to where it is held,
    /// and the joints by their share.
    fn take_over(&self, motion: &mut Motion, scratch: &PinnedScratch) {
        let from_global = self.mount.matrix2.as_dmat2().inverse();
        let (mut place, mut velocity) = (DVec2::ZERO, DVec2::ZERO);
        let points = &mut motion.pinned.points;
        let pairs = motion.bones.iter().zip(scratch.lengths.iter());
        for (index, (bone, length)) in pairs.enumerate() {
            let direction = unit_vector(f64::from(bone.goal) + f64::from(bone.sag + bone.offset));
            let growth = length / (from_global * direction).length();
            place += growth * (from_global * direction);
            velocity += growth * f64::from(bone.speed) * (from_global * direction.perp());
            (points[index + 1].place, points[index + 1].velocity) = (place, velocity);
        }
        let miss = points
            .last()
            .map_or(DVec2::ZERO, |end| scratch.pin - end.place);
        for (point, share) in points.iter_mut().zip(&scratch.lengths.shares) {
            point.place += *share * miss;
        }
    }

    fn come_to_rest(&self, state: &mut PinnedMotion, scratch: &mut PinnedScratch) {
        let pendulum = (self.gravity().length() / scratch.lengths.reach).sqrt();
        let unit = self.settings.omega().max(pendulum).recip();
        for (count, part) in FIRST_STEPS {
            // Slowed down so that it arrives without passing the place.
            let slowed = libm::exp(-2.0 * part);
            for _ in 0..count {
                self.step(state, scratch, 1.0, part * unit);
                scratch.store(state);
                for point in &mut state.points {
                    point.velocity *= slowed;
                }
            }
        }
        for point in &mut state.points {
            point.velocity = DVec2::ZERO;
        }
    }

    /// Moves the chain on, in whole steps. `keep` corrects the places after each, where something
    /// holds bones. Leaves in `scratch.places` what is to be shown. Returns whether it goes on
    /// moving.
    pub(crate) fn advance(
        &self,
        motion: &mut Motion,
        scratch: &mut PinnedScratch,
        mut keep: Option<&mut Keep<'_>>,
    ) -> bool {
        self.prepare(scratch);
        let is_reset = motion.resets != self.settings.resets;
        if is_reset || !motion.pinned.holds(scratch.posed.len()) {
            self.begin(motion, scratch);
        }
        let push = unwound(self.settings.pushed - motion.pushed);
        let impulses = self.settings.impulses.since(&motion.impulses);
        (motion.pushed, motion.impulses) = (self.settings.pushed, self.settings.impulses);
        let state = &mut motion.pinned;
        let is_flipped = state.bring(self.mount);
        let is_placed = is_flipped || self.is_teleport(state, scratch);
        scratch.begin(state);
        let frame = PinnedChain {
            felt: if is_placed { 0.0 } else { self.felt },
            ..*self
        };
        self.push(state, scratch, push);
        if !impulses.is_none() {
            self.hit(state, &impulses);
        }
        let mut ahead = state.since + self.delta;
        while ahead >= STEP {
            ahead -= STEP;
            let part = match self.delta > 0.0 {
                true => 1.0 - ahead / self.delta,
                false => 1.0,
            };
            frame.step(state, scratch, part, STEP);
            frame.lose_energy(state, scratch);
            if let Some(keep) = &mut keep {
                scratch.keep(keep);
            }
            scratch.store(state);
        }
        state.since = ahead;
        frame.step(state, scratch, 1.0, ahead);
        state.rest(self.delta, scratch)
    }

    /// Weighs the joints, and finds the springs that hold them.
    fn prepare(&self, scratch: &mut PinnedScratch) {
        let omega = self.settings.omega();
        let damping = f64::from(self.settings.damping_ratio.max(0.0));
        let lengths = &scratch.lengths;
        let joint = |(index, &share)| {
            let omega = omega * factor(&self.tuning.frequency, index);
            PinnedJoint {
                share,
                mass: lengths.mass(index),
                stiffness: omega * omega,
                slowing: 2.0 * damping * factor(&self.tuning.damping, index) * omega,
                base: DVec2::ZERO,
                mobility: 0.0,
            }
        };
        scratch.joints.clear();
        let shares = lengths.shares.iter().enumerate();
        scratch.joints.extend(shares.map(joint));
    }

    fn gravity(&self) -> DVec2 {
        let gravity = self.settings.gravity.as_dvec2();
        self.mount.matrix2.as_dmat2().inverse() * gravity
    }

    /// Returns `true` if an end has been put elsewhere.
    fn is_teleport(&self, state: &PinnedMotion, scratch: &PinnedScratch) -> bool {
        let reach = scratch.lengths.reach;
        let ways = [
            state.points[0].posed.distance(scratch.posed[0]),
            state.pin.distance(scratch.pin),
        ];
        ways.iter()
            .any(|&way| way > TELEPORT * reach && way > TELEPORT_SPEED * reach * self.delta)
    }

    /// Gives the chain an impulse, which the middle feels in full.
    fn push(&self, state: &mut PinnedMotion, scratch: &PinnedScratch, push: Vec2) {
        let push = (self.mount.matrix2.inverse() * push).as_dvec2();
        for (index, point) in state.points.iter_mut().enumerate() {
            let share = scratch.lengths.shares[index];
            point.velocity += 4.0 * share * (1.0 - share) * push;
        }
    }

    /// The joints at places that were hit get their velocities.
    fn hit(&self, state: &mut PinnedMotion, impulses: &Impulses) {
        let from_global = self.mount.matrix2.inverse().as_dmat2();
        let bones = state.points.len().saturating_sub(1);
        for (joint, point) in state.points.iter_mut().enumerate() {
            point.velocity += from_global * impulses.velocity_of(joint, bones, true);
        }
    }

    /// Slows a chain down that would gain energy while its ends and its goal stay where they are.
    fn lose_energy(&self, state: &PinnedMotion, scratch: &mut PinnedScratch) {
        let last = scratch.places.len() - 1;
        let is_held = [0, last]
            .iter()
            .all(|&end| state.points[end].place == scratch.places[end]);
        if !is_held || !state.is_at(scratch) {
            return;
        }
        let gravity = self.gravity();
        let (mut left, mut kinetic) = (0.0, 0.0);
        for (index, point) in state.points.iter().enumerate() {
            let (goal, joint) = (scratch.goals[index], scratch.joints[index]);
            let potential = |place: DVec2| {
                0.5 * joint.stiffness * goal.distance_squared(place) - gravity.dot(place)
            };
            let mass = joint.mass;
            let (before, now) = (point.velocity, scratch.velocities[index]);
            left += mass * (potential(point.place) - potential(scratch.places[index]));
            left += 0.5 * mass * before.length_squared();
            kinetic += 0.5 * mass * now.length_squared();
        }
        if left < 0.0 {
            // Even at rest it would have gained some.
            let places = scratch.places.iter_mut().zip(&mut scratch.velocities);
            for ((place, velocity), point) in places.zip(&state.points) {
                (*place, *velocity) = (point.place, DVec2::ZERO);
            }
        } else if kinetic > left {
            let part = (left / kinetic).sqrt();
            scratch
                .velocities
                .iter_mut()
                .for_each(|velocity| *velocity *= part);
        }
    }

    /// Finds the places of the joints `step` seconds after the state, when `part` of the way of the goal in this frame
    /// is done. Leaves them in `scratch`.
    fn step(&self, state: &PinnedMotion, scratch: &mut PinnedScratch, part: f64, step: f64) {
        let gravity = self.gravity();
        if part > scratch.bent_at {
            let leg = scratch.bent_at + LONGEST_LEG / self.delta;
            scratch.bend(state, leg.clamp(part, 1.0), gravity);
        }
        scratch.go_on(part);
        let PinnedScratch {
            joints,
            goals,
            places,
            lengths,
            ..
        } = scratch;
        let last = goals.len() - 1;
        let ways = [0, last].map(|end| goals[end] - state.points[end].place);
        let points = state.points.iter().zip(&*goals).zip(&mut *joints);
        places.clear();
        places.extend(points.map(|((point, &goal), joint)| {
            let way = ways[0].lerp(ways[1], joint.share);
            joint.base = point.place + (1.0 - self.felt) * way;
            let mobility = 1.0 / (1.0 + step * (joint.slowing + step * joint.stiffness));
            let pull = gravity + joint.stiffness * (goal - joint.base);
            let speed = point.velocity + step * pull + self.felt * joint.slowing * way;
            joint.mobility = mobility / joint.mass;
            joint.base + step * mobility * speed
        }));
        for end in [0, last] {
            (places[end], joints[end].mobility) = (goals[end], 0.0);
        }
        let mobility = |joint: usize| joints[joint].mobility;
        lengths.restore(places, mobility, scratch.bulge);
        let per_second = if step > 0.0 { step.recip() } else { 0.0 };
        let ways = places.iter().zip(joints).map(|(&to, from)| to - from.base);
        scratch.velocities.clear();
        scratch.velocities.extend(ways.map(|way| per_second * way));
    }
}

/// Returns the factor of a setting at joint `index`.
fn factor(factors: &[f32], index: usize) -> f64 {
    let factor = factors.get(index).copied().unwrap_or(1.0);
    f64::from(factor).max(0.0)
}

impl PinnedScratch {
    /// Takes a pose whose joints and end are at `posed`, and where the end is held: as if no farther than [`TELEPORT`],
    /// or what the joints do would be lost in the rounding of the way there and back.
    pub(crate) fn take_goal(&mut self, posed: impl Iterator<Item = DVec2>, pin: DVec2) {
        self.posed.clear();
        self.posed.extend(posed);
        self.lengths.take(&self.posed);
        let (root, far) = (self.posed[0], TELEPORT * self.lengths.reach);
        self.pin = match pin.distance(root) > far {
            true => root + (pin - root).clamp_length_max(far),
            false => pin,
        };
    }

    pub(crate) fn is_sound(&self) -> bool {
        let is_posed = self.posed.iter().all(|posed| posed.is_finite());
        is_posed && self.pin.is_finite() && self.lengths.reach.is_normal()
    }

    /// Begins a pass: at the goal of the last one, and with the bend that it found.
    fn begin(&mut self, state: &PinnedMotion) {
        self.bending.begin_at(state.bend.as_dvec2());
        self.bulge = state.bulge;
        self.bent.clear();
        self.bent
            .extend(state.points.iter().map(|point| point.goal));
        // A step that ends as the pass begins has that goal.
        self.before.clone_from(&self.bent);
        (self.before_at, self.bent_at) = (-1.0, 0.0);
    }

    /// Bends the chain when `part` of the way from the last pass is done.
    fn bend(&mut self, state: &PinnedMotion, part: f64, gravity: DVec2) {
        self.before.clone_from(&self.bent);
        self.before_at = std::mem::replace(&mut self.bent_at, part);
        let posed = state.points.iter().zip(&self.posed);
        self.bent.clear();
        self.bent
            .extend(posed.map(|(from, to)| from.posed.lerp(*to, part)));
        let pin = state.pin.lerp(self.pin, part);
        let bulge = self.bulge;
        let sides = Sides { bulge, gravity };
        let shares = &self.lengths.shares;
        self.bulge = self.bending.bend(&mut self.bent, shares, pin, sides);
    }

    /// Takes as goal the one when `part` of the way from the last pass is done: on the line between two that are bent.
    fn go_on(&mut self, part: f64) {
        let along = (part - self.before_at) / (self.bent_at - self.before_at);
        self.goals.clear();
        let pairs = self.before.iter().zip(&self.bent);
        self.goals
            .extend(pairs.map(|(&from, &to)| match along < 1.0 {
                true => from + along * (to - from),
                false => to,
            }));
    }

    /// Makes the places and velocities those of the state.
    fn store(&self, state: &mut PinnedMotion) {
        let pairs = self.places.iter().zip(&self.velocities);
        for (point, (&place, &velocity)) in state.points.iter_mut().zip(pairs) {
            (point.place, point.velocity) = (place, velocity);
        }
    }

    /// Has `keep` correct the places, and stops what moves on against that.
    fn keep(&mut self, keep: &mut Keep<'_>) {
        self.free.clone_from(&self.places);
        keep(&mut self.places, &self.goals);
        let ends = self.places.iter().zip(&self.free);
        for (velocity, (&place, &wanted)) in self.velocities.iter_mut().zip(ends) {
            let Some(away) = (place - wanted).try_normalize() else {
                continue;
            };
            if place.distance(wanted) > ON_THE_LINE * self.lengths.reach {
                *velocity -= away * velocity.dot(away).min(0.0);
            }
        }
    }
}
