//! The body, as the pose has it: links, limits and the state that it is in.

use glam::{Affine2, DAffine2, DVec2, Vec2};

use crate::collision::penetration::nearest_on;
use crate::kinematics::tree::Unsolvable;
use crate::math::angle::wrapped;
use crate::math::trigonometry::{angle_between, angle_of, unit_vector};
use crate::rig::kinds::ragdoll::Ragdoll;
use crate::rig::pose::Pose;
use crate::skeleton::limit::{Limit, LimitSpace};
use crate::solvers::ragdoll::body::{Capsule, Link, ROOT};
use crate::solvers::ragdoll::limits::Interval;
use crate::solvers::ragdoll::memory::RagdollMemory;
use crate::solvers::ragdoll::motion::BodyMotion;
use crate::solvers::ragdoll::self_collision::find_pairs;
use crate::solvers::ragdoll::space::PassSpace;

/// A joint without a limit turns that far to either side of its rest pose, in radians: 150 degrees.
const WIDEST: f64 = 2.617_993_877_991_494;

/// No limb is thinner than this part of the average length.
const THINNEST: f64 = 0.04;

/// A pose that is not farther from where it was, in lengths of the body and in radians, has not leapt.
const NEAR: [f64; 2] = [0.01, 0.1];

/// Speeds that change by more from pass to pass, and by more than twice what they were, are those of a leap: in lengths of
/// the body and in radians, per second.
const LEAP: [f64; 2] = [1.25, 25.0];

/// Two corners of a box around points.
pub(super) fn around(points: impl Iterator<Item = DVec2>) -> [Vec2; 2] {
    let none = [DVec2::INFINITY, DVec2::NEG_INFINITY];
    let corners = points.fold(none, |[low, high], point| [low.min(point), high.max(point)]);
    corners.map(|corner| corner.as_vec2())
}

impl PassSpace {
    /// Measures the body in `pose`.
    pub(super) fn measure(
        &mut self,
        ragdoll: &Ragdoll,
        pose: &Pose,
        to_global: Affine2,
    ) -> Result<(), Unsolvable> {
        self.body.links.clear();
        self.state.clear();
        self.limits.clear();
        self.frames.clear();
        let places = ragdoll.memory.after.places();
        self.state.resize(places, 0.0);
        let first = pose.bone(ragdoll.joints[0]);
        let mount = pose.frame(first.parent()).as_daffine2();
        for index in 0..ragdoll.joints.len() {
            self.measure_link(ragdoll, pose, mount, index);
        }
        let links = self.body.links.iter().zip(&self.frames);
        let roots = links.filter(|(link, _)| link.parent.is_none());
        for (place, (_, frame)) in self.state.chunks_mut(ROOT).zip(roots) {
            place.copy_from_slice(&frame.translation.to_array());
        }
        let frame = to_global.as_daffine2();
        let limbs = ragdoll.shapes.iter().zip(&self.frames);
        self.posed = around(limbs.flat_map(|(shape, own)| {
            [shape.from, shape.to].map(|end| (frame * *own).transform_point2(end.as_dvec2()))
        }));
        self.thicken(ragdoll);
        let unit = frame.matrix2.determinant().abs();
        // Masses of skeleton space, so that impulses are those of global space.
        let mass = f64::from(ragdoll.settings.mass.max(1e-3));
        self.body.weigh(mass, unit);
        self.find_starts();
        let masses = self.body.links.iter().map(|link| link.swing);
        let sum: f64 = self.state.iter().copied().chain(masses).sum();
        let is_sound = sum.is_finite() && self.body.mass() > 0.0;
        is_sound.then_some(()).ok_or(Unsolvable)
    }

    fn measure_link(&mut self, ragdoll: &Ragdoll, pose: &Pose, mount: DAffine2, index: usize) {
        let places = ragdoll.memory.after.places();
        let bone = ragdoll.joints[index];
        let posed = pose.bone(bone);
        let parent = posed.parent().filter(|_| index > 0);
        let parent =
            parent.and_then(|above| ragdoll.joints[..index].iter().position(|&it| it == above));
        let above = parent.map_or(mount, |parent| self.frames[parent]);
        let heading = above.matrix2 * posed.turn.direction().as_dvec2();
        let angle = angle_of(heading);
        let linear = posed.linear().as_dmat2();
        let frame = above * DAffine2::from_mat2_translation(linear, posed.position.as_dvec2());
        let seen =
            |offset: DVec2, heading: DVec2| heading.normalize_or(DVec2::X).conjugate_rotate(offset);
        let joint = parent.map_or(DVec2::ZERO, |parent| {
            let turned = self.headings(parent);
            seen(frame.translation - self.frames[parent].translation, turned)
        });
        let shape = ragdoll.shapes[index];
        let local = |point: glam::Vec2| {
            let place = frame.transform_point2(point.as_dvec2());
            seen(place - frame.translation, heading)
        };
        let stretch = frame.matrix2.determinant().abs().sqrt();
        let (from, to) = (local(shape.from), local(shape.to));
        let usual = ragdoll.settings.radius.into();
        let radius = shape.radius_in(usual, from.distance(to), stretch);
        let capsule = Capsule { from, to, radius };
        let given = shape.mass.map(|mass| f64::from(mass.max(1e-3)));
        let mut link = Link::new(parent, joint, capsule).with_mass(given);
        let is_broken = ragdoll.memory.after.is_broken(index);
        if is_broken {
            link = link.broken_off();
        }
        self.body.links.push(link);
        self.state.push(angle);
        self.frames.push(frame);
        if (index > 0 || ragdoll.is_carried) && !is_broken {
            let heading = match posed.parent() {
                Some(_) => {
                    parent.map_or(angle_of(mount.matrix2.x_axis), |it| self.state[places + it])
                }
                None => 0.0,
            };
            let limit = pose.limit(bone).filter(|limit| limit.is_sound());
            let sense = above.matrix2.determinant().signum();
            let rotation = f64::from(posed.rotation);
            self.push_limit(
                ragdoll,
                index,
                limit,
                (angle - heading, heading),
                (sense, rotation),
            );
        }
    }

    /// The direction of a link in the pose.
    fn headings(&self, link: usize) -> DVec2 {
        let places = self.state.len() - self.frames.len();
        unit_vector(self.state[places + link])
    }

    /// Adds what a joint may turn. `relative`: its angle in the pose against the link above, and that one's.
    fn push_limit(
        &mut self,
        ragdoll: &Ragdoll,
        link: usize,
        limit: Option<&Limit>,
        (relative, heading): (f64, f64),
        (sense, rotation): (f64, f64),
    ) {
        let above = self.body.links[link].parent;
        let interval = |middle: f64, half: f64, above: Option<usize>| Interval {
            link,
            above,
            low: middle - half,
            high: middle + half,
        };
        // What hangs on a bone that is no link has its limit in skeleton space.
        let base = if above.is_none() { heading } else { 0.0 };
        let limit = match limit {
            Some(limit) if limit.stiffness >= 1.0 => interval(base + relative, 0.0, above),
            Some(limit) => {
                let half = 0.5 * f64::from(limit.max - limit.min);
                let middle = f64::from(limit.rest) + 0.5 * f64::from(limit.max + limit.min);
                if half >= std::f64::consts::PI {
                    return;
                }
                match limit.space {
                    LimitSpace::Parent => {
                        let turned = relative + sense * wrapped(middle - rotation);
                        interval(base + turned, half, above)
                    }
                    LimitSpace::Skeleton => interval(middle, half, None),
                }
            }
            None => {
                let rest = |link: usize| {
                    ragdoll
                        .rest
                        .get(link)
                        .map(|it| it.matrix2.x_axis.as_dvec2())
                };
                let Some((own, parent)) = rest(link).zip(above.and_then(rest)) else {
                    return;
                };
                let turned = relative + wrapped(angle_between(parent, own) - relative);
                let half = WIDEST.max((turned - relative).abs());
                interval(turned, half, above)
            }
        };
        self.limits.push(limit);
    }

    /// Gives limbs that are too thin to have a mass the least radius.
    fn thicken(&mut self, ragdoll: &Ragdoll) {
        let links = &mut self.body.links;
        let lengths: f64 = links
            .iter()
            .map(|it| it.capsule.from.distance(it.capsule.to))
            .sum();
        let least = (THINNEST * lengths / ragdoll.joints.len() as f64).max(1e-3);
        for link in links {
            link.capsule.radius = link.capsule.radius.max(least);
        }
    }

    /// Finds the links whose beginning is no part of the one above.
    fn find_starts(&mut self) {
        for index in 0..self.body.links.len() {
            let link = self.body.links[index];
            let shows = link.parent.is_none_or(|parent| {
                let above = self.body.links[parent].capsule;
                let place = link.joint + link.capsule.from;
                nearest_on([above.from, above.to], place).distance(place) + link.capsule.radius
                    > 1.001 * above.radius
            });
            self.body.links[index].shows_start = shows;
        }
    }

    /// Finds the links that may touch one another, if any may.
    pub(super) fn find_pairs(&mut self, self_collision: bool) {
        self.pairs.clear();
        if self_collision {
            self.kinematics.place(&self.body, &self.state);
            find_pairs(&self.body, &self.kinematics, &mut self.pairs);
        }
    }

    /// The speeds of a body that came from `before` to the state of the pose in `delta` seconds.
    pub(super) fn speeds_from(&self, before: &[f64], delta: f64, rates: &mut Vec<f64>) {
        rates.clear();
        let places = self.body.places();
        let pairs = self.state.iter().zip(before).enumerate();
        rates.extend(pairs.map(|(index, (now, before))| match index < places {
            true => (now - before) / delta,
            false => wrapped(now - before) / delta,
        }));
    }

    /// Has a body that is let go go on from where the pose was in the pass before, `delta` seconds ago, and by `ahead` seconds
    /// from there, at the speeds that it had until then. A pose that has leapt is where the body goes on from, but that is
    /// no speed.
    pub(super) fn go_on_from(&self, memory: &mut RagdollMemory, delta: f64, ahead: f64) {
        let BodyMotion { state, rates, .. } = &mut memory.motion;
        let (led, earlier) = (&memory.led, &memory.led_before);
        if led.len() != state.len() {
            return;
        }
        let links = self.body.links.iter();
        let size: f64 = links
            .map(|it| it.capsule.from.distance(it.capsule.to))
            .sum();
        // What leaps does so in one pass only.
        let has_leapt = |change: f64, earlier: f64, most: f64| change > most + 2.0 * earlier;
        let place = |of: &[f64]| DVec2::new(of[0], of[1]);
        let is_known = earlier.len() == state.len();
        rates.clone_from(led);
        if is_known {
            let change = place(led).distance(place(earlier));
            if has_leapt(change, place(earlier).length(), LEAP[0] * size) {
                rates[..ROOT].copy_from_slice(&earlier[..ROOT]);
            }
            for index in ROOT..state.len() {
                let change = (led[index] - earlier[index]).abs();
                if has_leapt(change, earlier[index].abs(), LEAP[1]) {
                    rates[index] = earlier[index];
                }
            }
        }
        let way = place(state).distance(place(&memory.posed));
        if way < 2.0 * delta * place(rates).length() + NEAR[0] * size {
            let from = place(&memory.posed) + ahead * place(rates);
            (state[0], state[1]) = from.into();
        }
        for index in ROOT..state.len() {
            let way = wrapped(state[index] - memory.posed[index]);
            if way.abs() < 2.0 * delta * rates[index].abs() + NEAR[1] {
                state[index] = memory.posed[index] + ahead * rates[index];
            }
        }
    }

    /// Brings the middle of each limit near the state, by whole turns.
    pub(super) fn wind_limits(&mut self, state: &[f64]) {
        for limit in &mut self.limits {
            let middle = 0.5 * (limit.low + limit.high);
            let angle = limit.angle(&self.body, state);
            let shift = angle + wrapped(middle - angle) - middle;
            limit.low += shift;
            limit.high += shift;
        }
    }
}

/// Turns a vector back.
trait ConjugateRotate {
    fn conjugate_rotate(self, vector: DVec2) -> DVec2;
}

impl ConjugateRotate for DVec2 {
    fn conjugate_rotate(self, vector: DVec2) -> DVec2 {
        DVec2::new(self.dot(vector), self.perp_dot(vector))
    }
}
