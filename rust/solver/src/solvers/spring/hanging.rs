//! A chain that is held at both ends: ropes, cables, bridges, capes.
//!
//! The joints are points with the mass of half a bone to either side. Gravity pulls at them, each is
//! drawn by a damped spring to its place in the goal, and bones keep their lengths. The goal's end is
//! seldom where the chain is held, so its joints are shifted by their share of the chain:
//!
//! ```text
//! goal(s) = posed(s) + s (pin − posed(1))
//! ```
//!
//! **Time** goes in steps of [`STEP`], which do not depend on the frames. The pose that a frame shows
//! is that of a part of a step from the last whole one, which is not kept. So it lies on the same
//! motion at any frame rate, and it is not late. Within a frame the ends move along lines.
//!
//! **A step** is implicit: it minimises the sum of inertia, springs and gravity over the places at its
//! end, so that it is stable at any stiffness and gains no energy. Lengths are restored by Newton's
//! method, in which the equations of a line of bones are tridiagonal. An end that is out of reach
//! stretches the chain along a line.
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
use crate::solvers::spring::held::{Hanging, HangingPoint};
use crate::solvers::spring::motion::{BoneMotion, Motion, TELEPORT, TELEPORT_SPEED, unwound};
use crate::solvers::spring::settings::SpringSettings;

/// Seconds of a step.
const STEP: f64 = 1.0 / 240.0;

/// Steps from the posed chain to the one at rest that it begins as.
const FIRST_STEPS: u32 = 300;

/// How long such a step is, beside the time in which the chain swings by one radian.
const FIRST_STEP: f64 = 0.25;

/// The part of the velocity that is left after such a step.
const SLOWED: f64 = 0.7;

/// Iterations for the lengths of the bones at most.
const MOST_ITERATIONS: u32 = 40;

/// What lengths may be off, as a part of the chain's.
const PRECISE: f64 = 1e-11;

/// Joints that are no farther off the line between the ends than this part of the chain's length
/// have no side to bend to.
const ON_THE_LINE: f64 = 1e-6;

/// A chain slower than this for [`REST_TIME`] is at rest: in its own lengths per second.
const REST_SPEED: f64 = 2e-4;

/// Seconds after which a slow chain is at rest.
const REST_TIME: f32 = 0.25;

/// The chain in one pass, in chain space.
pub(crate) struct Hung<'a> {
    pub(crate) settings: SpringSettings,
    pub(crate) tuning: &'a Tuning,
    /// To global space.
    pub(crate) mount: Affine2,
    pub(crate) delta: f64,
    /// How much of the motion of the ends the joints feel, 0 to 1.
    pub(crate) felt: f64,
}

/// What corrects the places of the joints, where something holds bones.
pub(crate) type Keep<'a> = dyn FnMut(&mut [DVec2]) + 'a;

/// Memory for it, which grows to the longest chain.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scratch {
    /// Where the goal has the joints and the end: from the first joint on to where it is held.
    goals: Vec<DVec2>,
    /// Lengths of the bones.
    lengths: Vec<f64>,
    /// Where the joints are to be shown.
    pub(crate) places: Vec<DVec2>,
    velocities: Vec<DVec2>,
    /// Where inertia and what carries the chain would have the joints.
    bases: Vec<DVec2>,
    /// How easily a joint moves.
    mobilities: Vec<f64>,
    links: Vec<Link>,
    /// The part of the chain above each joint, 0 to 1.
    shares: Vec<f64>,
    reach: f64,
}

/// A bone while lengths are restored: its line of the tridiagonal system.
#[derive(Clone, Copy, Debug, Default)]
struct Link {
    along: DVec2,
    pivot: f64,
    right: f64,
    /// What couples it to the next one.
    tie: f64,
}

impl Hanging {
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
                point.goal = way.transform_point2(point.goal);
            }
        }
        now != then
    }

    /// Takes the goal of `scratch` when `delta` seconds have passed. Returns whether the next pass
    /// would move something.
    fn rest(&mut self, delta: f64, scratch: &Scratch) -> bool {
        let slow = REST_SPEED * scratch.reach;
        let mut is_still = true;
        for (point, &goal) in self.points.iter_mut().zip(&scratch.goals) {
            is_still &= point.goal == goal && point.velocity.length() < slow;
            point.goal = goal;
        }
        self.still = match is_still {
            true => (self.still + delta as f32).min(REST_TIME),
            false => 0.0,
        };
        self.still < REST_TIME
    }
}

impl Hung<'_> {
    /// Begins at rest; a chain that hung freely, where it was.
    fn begin(&self, motion: &mut Motion, scratch: &mut Scratch) {
        let count = scratch.goals.len();
        let was_free = motion.resets == self.settings.resets && motion.holds(count - 1);
        let state = &mut motion.hanging;
        state.points.clear();
        state
            .points
            .extend(scratch.goals.iter().map(|&goal| HangingPoint {
                place: goal,
                goal,
                ..HangingPoint::default()
            }));
        (state.since, state.mount, state.still) = (0.0, self.mount, 0.0);
        if was_free {
            self.take_over(motion, scratch);
        } else {
            self.come_to_rest(state, scratch);
        }
        (motion.resets, motion.pushed) = (self.settings.resets, self.settings.pushed);
    }

    /// Takes the places and velocities of bones that hung freely. The end goes to where it is held,
    /// and the joints by their share.
    fn take_over(&self, motion: &mut Motion, scratch: &Scratch) {
        let from_global = self.mount.matrix2.as_dmat2().inverse();
        let (mut place, mut velocity) = (DVec2::ZERO, DVec2::ZERO);
        let points = &mut motion.hanging.points;
        let pairs = motion.bones.iter().zip(&scratch.lengths);
        for (index, (bone, length)) in pairs.enumerate() {
            let direction = unit_vector(f64::from(bone.goal) + f64::from(bone.sag + bone.offset));
            let growth = length / (from_global * direction).length();
            place += growth * (from_global * direction);
            velocity += growth * f64::from(bone.speed) * (from_global * direction.perp());
            (points[index + 1].place, points[index + 1].velocity) = (place, velocity);
        }
        let miss = points
            .last()
            .map_or(DVec2::ZERO, |end| end.goal - end.place);
        for (point, share) in points.iter_mut().zip(&scratch.shares) {
            point.place += *share * miss;
        }
    }

    /// Notes how bones move whose goal points along `angles`, for when they hang freely again.
    fn note(&self, motion: &mut Motion, scratch: &Scratch, angles: &[f64]) {
        let to_global = self.mount.matrix2.as_dmat2();
        let ways = scratch.places.windows(2).zip(scratch.velocities.windows(2));
        motion.bones.clear();
        motion
            .bones
            .extend(ways.zip(angles).map(|((places, velocities), &goal)| {
                let way = to_global * (places[1] - places[0]);
                let speed = to_global * (velocities[1] - velocities[0]);
                BoneMotion {
                    offset: wrapped(angle_of(way) - goal) as f32,
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

    fn come_to_rest(&self, state: &mut Hanging, scratch: &mut Scratch) {
        let pendulum = (self.gravity().length() / scratch.reach).sqrt();
        let step = FIRST_STEP / self.settings.omega().max(pendulum);
        for _ in 0..FIRST_STEPS {
            self.step(state, scratch, 1.0, step);
            scratch.store(state);
            for point in &mut state.points {
                point.velocity *= SLOWED;
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
        if is_reset || !motion.hanging.holds(scratch.goals.len()) {
            self.begin(motion, scratch);
        }
        let push = unwound(self.settings.pushed - motion.pushed);
        motion.pushed = self.settings.pushed;
        let state = &mut motion.hanging;
        let is_flipped = state.bring(self.mount);
        let is_placed = is_flipped || self.is_teleport(state, scratch);
        let frame = Hung {
            felt: if is_placed { 0.0 } else { self.felt },
            ..*self
        };
        self.push(state, scratch, push);
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
        let is_moving = state.rest(self.delta, scratch);
        self.note(motion, scratch, angles);
        is_moving
    }

    fn gravity(&self) -> DVec2 {
        let gravity = self.settings.gravity.as_dvec2();
        self.mount.matrix2.as_dmat2().inverse() * gravity
    }

    /// Whether an end has been put elsewhere.
    fn is_teleport(&self, state: &Hanging, scratch: &Scratch) -> bool {
        let ends = [0, scratch.goals.len() - 1];
        ends.iter().any(|&end| {
            let way = state.points[end].goal.distance(scratch.goals[end]);
            way > TELEPORT * scratch.reach && way > TELEPORT_SPEED * scratch.reach * self.delta
        })
    }

    /// Gives the chain an impulse, which the middle feels in full.
    fn push(&self, state: &mut Hanging, scratch: &Scratch, push: Vec2) {
        let push = (self.mount.matrix2.inverse() * push).as_dvec2();
        for (index, point) in state.points.iter_mut().enumerate() {
            let share = scratch.shares[index];
            point.velocity += 4.0 * share * (1.0 - share) * push;
        }
    }

    /// Slows a chain down that would gain energy while its ends and its goal stay where they are.
    fn lose_energy(&self, state: &Hanging, scratch: &mut Scratch) {
        let mut points = state.points.iter().zip(&scratch.goals);
        let last = scratch.goals.len() - 1;
        let is_held = [0, last]
            .iter()
            .all(|&end| state.points[end].place == scratch.places[end]);
        if !is_held || points.any(|(point, &goal)| point.goal != goal) {
            return;
        }
        let (gravity, omega) = (self.gravity(), self.settings.omega());
        let (mut left, mut kinetic) = (0.0, 0.0);
        for (index, point) in state.points.iter().enumerate() {
            let omega = omega * factor(&self.tuning.frequency, index);
            let potential = |place: DVec2| {
                0.5 * omega * omega * point.goal.distance_squared(place) - gravity.dot(place)
            };
            let mass = scratch.mass(index);
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

    /// Where the chain is `step` seconds after the state, when `part` of the way of the goal in this
    /// frame is done. Leaves it in `scratch`.
    fn step(&self, state: &Hanging, scratch: &mut Scratch, part: f64, step: f64) {
        let last = scratch.goals.len() - 1;
        let goal = |index: usize, scratch: &Scratch| {
            state.points[index].goal.lerp(scratch.goals[index], part)
        };
        let ends = [goal(0, scratch), goal(last, scratch)];
        let ways = [
            ends[0] - state.points[0].place,
            ends[1] - state.points[last].place,
        ];
        let gravity = self.gravity();
        let omega = self.settings.omega();
        let damping = f64::from(self.settings.damping_ratio.max(0.0));
        scratch.clear();
        for (index, point) in state.points.iter().enumerate() {
            let omega = omega * factor(&self.tuning.frequency, index);
            let slowing = 2.0 * damping * factor(&self.tuning.damping, index) * omega;
            let way = ways[0].lerp(ways[1], scratch.shares[index]);
            let base = point.place + (1.0 - self.felt) * way;
            let mut mobility = 1.0 / (1.0 + step * (slowing + step * omega * omega));
            let pull = gravity + omega * omega * (goal(index, scratch) - base);
            let speed = point.velocity + step * pull + self.felt * slowing * way;
            let mut place = base + step * mobility * speed;
            if index == 0 || index == last {
                place = ends[usize::from(index > 0)];
                mobility = 0.0;
            }
            scratch.bases.push(base);
            scratch.places.push(place);
            let mass = scratch.mass(index);
            scratch.mobilities.push(mobility / mass);
        }
        scratch.restore_lengths(gravity);
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

/// What a setting is multiplied by at joint `index`.
fn factor(factors: &[f32], index: usize) -> f64 {
    let factor = factors.get(index).copied().unwrap_or(1.0);
    f64::from(factor).max(0.0)
}

impl Scratch {
    /// Takes the goal whose joints and end are at `posed`, and the end where the chain is held.
    pub(crate) fn take_goal(&mut self, posed: impl Iterator<Item = DVec2>, pin: DVec2) {
        self.goals.clear();
        self.goals.extend(posed);
        let pairs = self.goals.windows(2);
        self.lengths.clear();
        self.lengths
            .extend(pairs.map(|ends| ends[0].distance(ends[1])));
        self.reach = self.lengths.iter().sum();
        let mut above = 0.0;
        self.shares.clear();
        self.shares.push(0.0);
        self.shares.extend(self.lengths.iter().map(|length| {
            above += length / self.reach;
            above
        }));
        let miss = self.goals.last().map_or(DVec2::ZERO, |&tip| pin - tip);
        for (goal, share) in self.goals.iter_mut().zip(&self.shares) {
            *goal += *share * miss;
        }
        if let Some(end) = self.goals.last_mut() {
            *end = pin;
        }
    }

    pub(crate) fn is_sound(&self) -> bool {
        self.reach.is_normal() && self.goals.iter().all(|goal| goal.is_finite())
    }

    fn clear(&mut self) {
        self.places.clear();
        self.velocities.clear();
        self.bases.clear();
        self.mobilities.clear();
    }

    /// The part of the chain's mass that joint `index` has.
    fn mass(&self, index: usize) -> f64 {
        let above = index
            .checked_sub(1)
            .map_or(0.0, |above| self.lengths[above]);
        let below = self.lengths.get(index).copied().unwrap_or(0.0);
        (0.5 * (above + below) / self.reach).max(1e-3)
    }

    /// Makes the places and velocities those of the state.
    fn store(&self, state: &mut Hanging) {
        let pairs = self.places.iter().zip(&self.velocities);
        for (point, (&place, &velocity)) in state.points.iter_mut().zip(pairs) {
            (point.place, point.velocity) = (place, velocity);
        }
    }

    /// Has `keep` correct the places, and stops what moves on against that.
    fn keep(&mut self, keep: &mut dyn FnMut(&mut [DVec2])) {
        self.bases.clone_from(&self.places);
        keep(&mut self.places);
        let ends = self.places.iter().zip(&self.bases);
        for (velocity, (&place, &wanted)) in self.velocities.iter_mut().zip(ends) {
            let Some(away) = (place - wanted).try_normalize() else {
                continue;
            };
            if place.distance(wanted) > ON_THE_LINE * self.reach {
                *velocity -= away * velocity.dot(away).min(0.0);
            }
        }
    }

    /// Moves the joints between the ends so that the bones have their lengths.
    fn restore_lengths(&mut self, gravity: DVec2) {
        let last = self.places.len() - 1;
        let [first, end] = [self.places[0], self.places[last]];
        let chord = first.distance(end);
        if chord >= self.reach * (1.0 - PRECISE) {
            let along = (end - first) / chord;
            for index in 1..last {
                self.places[index] = first + along * (self.shares[index] * self.reach);
            }
            return;
        }
        self.bend_if_straight(first, end, gravity);
        for _ in 0..MOST_ITERATIONS {
            if self.links_off() <= PRECISE * self.reach {
                break;
            }
            self.correct();
        }
    }

    /// Bends a chain that lies on one line: towards gravity, or else to the side to which the goal
    /// bends.
    fn bend_if_straight(&mut self, first: DVec2, end: DVec2, gravity: DVec2) {
        let axis = (end - first).try_normalize();
        let along = axis.or_else(|| (-gravity.perp()).try_normalize());
        let along = along.unwrap_or(DVec2::X);
        let off = |place: &DVec2| along.perp_dot(*place - first).abs();
        if self
            .places
            .iter()
            .any(|place| off(place) > ON_THE_LINE * self.reach)
        {
            return;
        }
        let mut side = along.perp_dot(gravity);
        if side.abs() <= ON_THE_LINE * gravity.length() {
            let goals = self.goals.windows(3);
            side = -goals
                .map(|it| (it[1] - it[0]).perp_dot(it[2] - it[1]))
                .sum::<f64>();
        }
        let depth = 0.5
            * (self.reach * self.reach - first.distance_squared(end))
                .max(0.0)
                .sqrt();
        let bulge = along.perp() * depth * if side < 0.0 { -1.0 } else { 1.0 };
        for index in 1..self.places.len() - 1 {
            let share = self.shares[index];
            self.places[index] = first.lerp(end, share) + 4.0 * share * (1.0 - share) * bulge;
        }
    }

    /// Measures the bones. Returns by how much the length of one is off at most.
    fn links_off(&mut self) -> f64 {
        self.links.clear();
        let mut most = 0.0_f64;
        for (ends, &length) in self.places.windows(2).zip(&self.lengths) {
            let way = ends[1] - ends[0];
            let off = way.length() - length;
            most = most.max(off.abs());
            self.links.push(Link {
                along: way.try_normalize().unwrap_or(DVec2::X),
                right: off,
                ..Link::default()
            });
        }
        most
    }

    /// One step of Newton's method to the lengths.
    fn correct(&mut self) {
        let (mut above, mut tie_above) = (Link::default(), 0.0);
        for index in 0..self.links.len() {
            let [near, far] = [self.mobilities[index], self.mobilities[index + 1]];
            let next = self
                .links
                .get(index + 1)
                .map_or(DVec2::ZERO, |next| next.along);
            let link = &mut self.links[index];
            link.tie = -far * link.along.dot(next);
            let factor = if index > 0 {
                tie_above / above.pivot
            } else {
                0.0
            };
            link.pivot = (near + far) * (1.0 + 1e-10) - factor * tie_above;
            link.right -= factor * above.right;
            (above, tie_above) = (*link, link.tie);
        }
        let mut below = 0.0;
        for link in self.links.iter_mut().rev() {
            below = (link.right - link.tie * below) / link.pivot;
            link.right = below;
        }
        let way = |index: usize, links: &[Link], mobilities: &[f64]| {
            let [above, below] = [links[index - 1], links[index]];
            mobilities[index] * (below.right * below.along - above.right * above.along)
        };
        let joints = 1..self.links.len();
        let ways = joints
            .clone()
            .map(|joint| way(joint, &self.links, &self.mobilities));
        let most = ways.map(DVec2::length).fold(0.0, f64::max);
        let part = (0.25 * self.reach / most).min(1.0);
        for joint in joints {
            self.places[joint] += part * way(joint, &self.links, &self.mobilities);
        }
    }
}
