//! A chain that is held at both ends: ropes, cables, bridges, capes.
//!
//! The joints are points with the mass of half a bone to either side. Gravity pulls at them, each is
//! drawn by a damped spring to its place in the goal, and bones keep their lengths. The goal is the
//! posed chain, [bent](crate::solvers::spring::bend) until its end is where the chain is held.
//!
//! **Time** goes in steps of [`STEP`], which do not depend on the frames. The pose that a frame shows
//! is that of a part of a step from the last whole one, which is not kept. So it lies on the same
//! motion at any frame rate, and it is not late. Within a frame the ends move along lines.
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

use crate::math::angle::wrapped;
use crate::math::trigonometry::{angle_of, unit_vector};
use crate::solvers::modes::Tuning;
use crate::solvers::spring::bend::{Bending, Sides};
use crate::solvers::spring::impulses::{Impulses, unwound};
use crate::solvers::spring::lengths::{Lengths, ON_THE_LINE};
use crate::solvers::spring::motion::{BoneMotion, Motion, TELEPORT, TELEPORT_SPEED};
use crate::solvers::spring::pinned_motion::{PinnedMotion, PinnedPoint};
use crate::solvers::spring::settings::SpringSettings;

/// Seconds of a step.
const STEP: f64 = 1.0 / 240.0;

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
pub(crate) struct Scratch {
    /// The places of the joints and the end in the pose, from the first joint on.
    posed: Vec<DVec2>,
    /// The place at which the end is held.
    pin: DVec2,
    lengths: Lengths,
    /// The posed chain, bent until its end is where it is held, in the present step.
    pub(crate) goals: Vec<DVec2>,
    /// To which side.
    bulge: DVec2,
    /// `true` if the goal is that of the whole pass.
    is_bent: bool,
    bending: Bending,
    /// The places at which the joints are to be shown.
    pub(crate) places: Vec<DVec2>,
    velocities: Vec<DVec2>,
    /// The places at which the joints would be if the chain were only carried along.
    bases: Vec<DVec2>,
    /// The mobility of each joint: its inverse mass, reduced by damping and springs.
    mobilities: Vec<f64>,
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
            }
            self.pin = way.transform_point2(self.pin);
            self.bulge = way.transform_vector2(self.bulge);
        }
        now != then
    }

    /// Returns `true` if the pose and the pin are those of the last pass.
    fn is_at(&self, scratch: &Scratch) -> bool {
        let mut pairs = self.points.iter().zip(&scratch.posed);
        self.pin == scratch.pin && pairs.all(|(point, &posed)| point.posed == posed)
    }

    /// Takes the pose and the pin of `scratch` when `delta` seconds have passed. Returns whether the
    /// next pass would move something.
    fn rest(&mut self, delta: f64, scratch: &Scratch) -> bool {
        let slow = REST_SPEED * scratch.lengths.reach;
        let mut velocities = self.points.iter().map(|point| point.velocity.length());
        let is_still = self.is_at(scratch) && velocities.all(|speed| speed < slow);
        for (point, &posed) in self.points.iter_mut().zip(&scratch.posed) {
            point.posed = posed;
        }
        self.pin = scratch.pin;
        self.still = match is_still {
            true => (self.still + delta as f32).min(REST_TIME),
            false => 0.0,
        };
        self.still < REST_TIME
    }
}

impl PinnedChain<'_> {
    /// Begins at rest; a chain that hung freely, where it was.
    fn begin(&self, motion: &mut Motion, scratch: &mut Scratch) {
        let count = scratch.posed.len();
        let was_free = motion.resets == self.settings.resets && motion.holds(count - 1);
        let state = &mut motion.pinned;
        state.points.clear();
        let points = scratch.posed.iter().map(|&posed| PinnedPoint {
            posed,
            ..PinnedPoint::default()
        });
        state.points.extend(points);
        (state.pin, state.bulge) = (scratch.pin, DVec2::ZERO);
        scratch.bending.begin_at(DVec2::ZERO);
        (state.since, state.mount, state.still) = (0.0, self.mount, 0.0);
        scratch.bend(state, 1.0, self.gravity());
        for (point, &goal) in state.points.iter_mut().zip(&scratch.goals) {
            point.place = goal;
        }
        if was_free {
            self.take_over(motion, scratch);
        } else {
            self.come_to_rest(state, scratch);
        }
        (motion.resets, motion.pushed) = (self.settings.resets, self.settings.pushed);
        motion.impulses = self.settings.impulses;
    }

    /// Takes the places and velocities of bones that hung freely. The end goes to where it is held,
    /// and the joints by their share.
    fn take_over(&self, motion: &mut Motion, scratch: &Scratch) {
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

    /// Notes how bones move whose goal points along `angles`, for when they hang freely again.
    fn note(&self, motion: &mut Motion, scratch: &Scratch, angles: &[f64]) {
        let to_global = self.mount.matrix2.as_dmat2();
        let ways = scratch.places.windows(2).zip(scratch.velocities.windows(2));
        motion.bones.clear();
        // Of the angles that point the same way, the one at which the joint above bends least.
        let mut above = 0.0;
        motion
            .bones
            .extend(ways.zip(angles).map(|((places, velocities), &goal)| {
                let way = to_global * (places[1] - places[0]);
                let speed = to_global * (velocities[1] - velocities[0]);
                above += wrapped(angle_of(way) - goal - above);
                BoneMotion {
                    offset: above as f32,
                    speed: (way.perp_dot(speed) / way.length_squared().max(f64::MIN_POSITIVE))
                        as f32,
                    goal: goal as f32,
                    ..BoneMotion::default()
                }
            }));
        motion.place = self.mount.translation;
        motion.velocity = Vec2::ZERO;
        motion.is_moving_along = false;
        motion.is_mirrored = self.mount.matrix2.determinant() < 0.0;
        motion.held = 0.0;
    }

    fn come_to_rest(&self, state: &mut PinnedMotion, scratch: &mut Scratch) {
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
    /// moving. `angles` are those of the goal's bones in global space.
    pub(crate) fn advance(
        &self,
        motion: &mut Motion,
        scratch: &mut Scratch,
        angles: &[f64],
        mut keep: Option<&mut Keep<'_>>,
    ) -> bool {
        let is_reset = motion.resets != self.settings.resets;
        if is_reset || !motion.pinned.holds(scratch.posed.len()) {
            self.begin(motion, scratch);
        } else {
            scratch.bending.begin_at(motion.pinned.bend.as_dvec2());
        }
        let push = unwound(self.settings.pushed - motion.pushed);
        let impulses = self.settings.impulses.since(&motion.impulses);
        (motion.pushed, motion.impulses) = (self.settings.pushed, self.settings.impulses);
        let state = &mut motion.pinned;
        let is_flipped = state.bring(self.mount);
        if is_flipped {
            scratch.bending.begin_at(DVec2::ZERO);
        }
        let is_placed = is_flipped || self.is_teleport(state, scratch);
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
            let part = if self.delta > 0.0 {
                1.0 - ahead / self.delta
            } else {
                1.0
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
        state.bend = scratch.bending.reached().as_vec2();
        let is_moving = state.rest(self.delta, scratch);
        self.note(motion, scratch, angles);
        is_moving
    }

    fn gravity(&self) -> DVec2 {
        let gravity = self.settings.gravity.as_dvec2();
        self.mount.matrix2.as_dmat2().inverse() * gravity
    }

    /// Returns `true` if an end has been put elsewhere.
    fn is_teleport(&self, state: &PinnedMotion, scratch: &Scratch) -> bool {
        let reach = scratch.lengths.reach;
        let ways = [
            state.points[0].posed.distance(scratch.posed[0]),
            state.pin.distance(scratch.pin),
        ];
        ways.iter()
            .any(|&way| way > TELEPORT * reach && way > TELEPORT_SPEED * reach * self.delta)
    }

    /// Gives the chain an impulse, which the middle feels in full.
    fn push(&self, state: &mut PinnedMotion, scratch: &Scratch, push: Vec2) {
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
    fn lose_energy(&self, state: &PinnedMotion, scratch: &mut Scratch) {
        let last = scratch.places.len() - 1;
        let is_held = [0, last]
            .iter()
            .all(|&end| state.points[end].place == scratch.places[end]);
        if !is_held || !state.is_at(scratch) {
            return;
        }
        let (gravity, omega) = (self.gravity(), self.settings.omega());
        let (mut left, mut kinetic) = (0.0, 0.0);
        for (index, point) in state.points.iter().enumerate() {
            let omega = omega * factor(&self.tuning.frequency, index);
            let goal = scratch.goals[index];
            let potential = |place: DVec2| {
                0.5 * omega * omega * goal.distance_squared(place) - gravity.dot(place)
            };
            let mass = scratch.lengths.mass(index);
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
    fn step(&self, state: &PinnedMotion, scratch: &mut Scratch, part: f64, step: f64) {
        let gravity = self.gravity();
        scratch.bend(state, part, gravity);
        let last = scratch.goals.len() - 1;
        let ends = [scratch.goals[0], scratch.goals[last]];
        let ways = [
            ends[0] - state.points[0].place,
            ends[1] - state.points[last].place,
        ];
        let omega = self.settings.omega();
        let damping = f64::from(self.settings.damping_ratio.max(0.0));
        scratch.clear();
        for (index, point) in state.points.iter().enumerate() {
            let omega = omega * factor(&self.tuning.frequency, index);
            let slowing = 2.0 * damping * factor(&self.tuning.damping, index) * omega;
            let way = ways[0].lerp(ways[1], scratch.lengths.shares[index]);
            let base = point.place + (1.0 - self.felt) * way;
            let mut mobility = 1.0 / (1.0 + step * (slowing + step * omega * omega));
            let pull = gravity + omega * omega * (scratch.goals[index] - base);
            let speed = point.velocity + step * pull + self.felt * slowing * way;
            let mut place = base + step * mobility * speed;
            if index == 0 || index == last {
                place = ends[usize::from(index > 0)];
                mobility = 0.0;
            }
            scratch.bases.push(base);
            scratch.places.push(place);
            let mass = scratch.lengths.mass(index);
            scratch.mobilities.push(mobility / mass);
        }
        scratch
            .lengths
            .restore(&mut scratch.places, &scratch.mobilities, scratch.bulge);
        for (place, base) in scratch.places.iter().zip(&scratch.bases) {
            let velocity = if step > 0.0 {
                (*place - *base) / step
            } else {
                DVec2::ZERO
            };
            scratch.velocities.push(velocity);
        }
    }
}

/// Returns the factor of a setting at joint `index`.
fn factor(factors: &[f32], index: usize) -> f64 {
    let factor = factors.get(index).copied().unwrap_or(1.0);
    f64::from(factor).max(0.0)
}

impl Scratch {
    /// Takes a pose whose joints and end are at `posed`, and where the end is held.
    pub(crate) fn take_goal(&mut self, posed: impl Iterator<Item = DVec2>, pin: DVec2) {
        self.posed.clear();
        self.posed.extend(posed);
        self.pin = pin;
        self.lengths.take(&self.posed);
        self.is_bent = false;
    }

    pub(crate) fn is_sound(&self) -> bool {
        let is_posed = self.posed.iter().all(|posed| posed.is_finite());
        is_posed && self.pin.is_finite() && self.lengths.reach.is_normal()
    }

    /// Bends the chain when `part` of the way from the last pass is done.
    fn bend(&mut self, state: &PinnedMotion, part: f64, gravity: DVec2) {
        let is_still = state.is_at(self);
        if std::mem::replace(&mut self.is_bent, is_still) {
            return;
        }
        self.goals.clear();
        let posed = state.points.iter().zip(&self.posed);
        self.goals
            .extend(posed.map(|(from, &to)| match from.posed == to {
                // The same in each step, to the last bit.
                true => to,
                false => from.posed.lerp(to, part),
            }));
        let pin = state.pin.lerp(self.pin, part);
        let sides = Sides {
            bulge: state.bulge,
            gravity,
        };
        let shares = &self.lengths.shares;
        self.bulge = self.bending.bend(&mut self.goals, shares, pin, sides);
    }

    fn clear(&mut self) {
        self.places.clear();
        self.velocities.clear();
        self.bases.clear();
        self.mobilities.clear();
    }

    /// Makes the places and velocities those of the state.
    fn store(&self, state: &mut PinnedMotion) {
        let pairs = self.places.iter().zip(&self.velocities);
        for (point, (&place, &velocity)) in state.points.iter_mut().zip(pairs) {
            (point.place, point.velocity) = (place, velocity);
        }
        state.bulge = self.bulge;
    }

    /// Has `keep` correct the places, and stops what moves on against that.
    fn keep(&mut self, keep: &mut Keep<'_>) {
        self.bases.clone_from(&self.places);
        keep(&mut self.places, &self.goals);
        let ends = self.places.iter().zip(&self.bases);
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
