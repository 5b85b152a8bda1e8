//! The body while it is simulated: pushes, ticks, rest.

use glam::{Affine2, DAffine2, DVec2, Vec2};

use crate::collision::penetration::nearest_on;
use crate::kinematics::tree::Unsolvable;
use crate::math::angle::wrapped;
use crate::math::trigonometry::unit_vector;
use crate::rig::kind::Context;
use crate::rig::kinds::ragdoll::Ragdoll;
use crate::rig::kinds::ragdoll::measure::around;
use crate::solvers::ragdoll::body::{Body, Link, ROOT};
use crate::solvers::ragdoll::constraints::LimbSurface;
use crate::solvers::ragdoll::limits::Interval;
use crate::solvers::ragdoll::memory::{RagdollPhase, Whereabouts};
use crate::solvers::ragdoll::motion::BodyMotion;
use crate::solvers::ragdoll::motor::Lead;
use crate::solvers::ragdoll::rest::{
    ASKED, MotionKind, haste, is_asked, is_carried_by, is_on_still_ground, quiet_time,
    sum_of_orders, sum_of_world, tiredness,
};
use crate::solvers::ragdoll::settings::{Hold, Push, RagdollSettings};
use crate::solvers::ragdoll::solid::RagdollTick;
use crate::solvers::ragdoll::space::PassSpace;
use crate::solvers::ragdoll::tick::{BodyTick, kick};

/// A body at rest wakes when the pose that it follows moves by more, in units and radians.
const LED: f64 = 1e-4;

/// The least rate at which a body loses its motion while it is grabbed, per second: what hangs swings for long.
const HELD: f64 = 1.0;

impl PassSpace {
    /// Finds the states of the pose at two parts of its way.
    fn take_goals(&mut self, way: [f64; 2]) {
        for (goals, part) in self.goals.iter_mut().zip(way) {
            goals.clear();
            let places = self.body.places();
            let pairs = self.begin.iter().zip(&self.state).enumerate();
            goals.extend(pairs.map(|(index, (begin, end))| match index < places {
                true => begin + part * (end - begin),
                false => begin + part * wrapped(end - begin),
            }));
        }
    }

    /// Two corners of a box around all limbs as they are placed, seen from `frame`, where their radii are by `unit` as large.
    fn bounds(&self, frame: DAffine2, unit: f64) -> [Vec2; 2] {
        let links = self.body.links.iter().enumerate();
        around(links.flat_map(|(index, Link { capsule, .. })| {
            let reach = DVec2::splat(unit * capsule.radius);
            let ends = [capsule.from, capsule.to].map(|end| self.kinematics.point(index, end));
            let [from, to] = ends.map(|end| frame.transform_point2(end));
            [from - reach, from + reach, to - reach, to + reach]
        }))
    }
}

/// A body, its limits and the links that may touch one another, in a tick.
fn simulated<'a>(
    (body, limits, pairs): (&'a Body, &'a [Interval], &'a [[usize; 2]]),
    settings: &RagdollSettings,
    frame: Affine2,
    world: &'a RagdollTick,
) -> BodyTick<'a> {
    BodyTick {
        body,
        limits,
        pairs,
        surface: LimbSurface {
            friction: settings.friction.max(0.0).into(),
            bounce: settings.bounce.into(),
        },
        to_global: frame.as_daffine2(),
        world,
    }
}

impl Ragdoll {
    /// Moves the body on, and shows it.
    pub(super) fn fall(
        &mut self,
        space: &mut PassSpace,
        context: &mut Context<'_>,
    ) -> Result<(), Unsolvable> {
        self.wake(space, context.to_global);
        self.carry_to(context.to_global, space);
        space.overloaded.clear();
        for index in 0..self.breaks.len() {
            self.break_off(self.breaks[index], space, context)?;
        }
        for index in 0..self.pushes.len() {
            self.take_push(self.pushes[index], space, context.to_global);
        }
        let ticks = std::mem::take(&mut self.ticks);
        let done = self.advance(&ticks, space);
        self.ticks = ticks;
        done?;
        while let Some(link) = space.overloaded.pop() {
            self.break_off(link, space, context)?;
        }
        self.show(space, context)?;
        context.is_moving = self.memory.after.phase == RagdollPhase::Falling;
        Ok(())
    }

    /// Breaks a link off the one above it, with all that hangs on it. Each part goes on as it moves.
    fn break_off(
        &mut self,
        link: usize,
        space: &mut PassSpace,
        context: &Context<'_>,
    ) -> Result<(), Unsolvable> {
        let memory = &mut self.memory.after;
        let Some(parent) = space.body.links[link].parent else {
            return Ok(());
        };
        let order = memory.broken.partition_point(|&it| (it as usize) < link);
        let place = ROOT * (1 + order);
        let insert = |of: &mut Vec<f64>, number: DVec2| {
            of.splice(place..place, number.to_array());
        };
        let kinematics = &mut space.kinematics;
        kinematics.place(&space.body, &memory.before);
        insert(&mut memory.before, kinematics.links[link].joint);
        let BodyMotion { state, rates, .. } = &mut memory.motion;
        kinematics.place(&space.body, state);
        let joint = kinematics.links[link].joint;
        kinematics.find_velocities(&space.body, rates);
        let speed = kinematics.velocity_of(parent, joint);
        insert(state, joint);
        insert(rates, speed);
        memory.broken.insert(order, link as u32);
        memory.forget_pose();
        memory.stir();
        self.broke.push(link);
        space.measure(self, context.pose, context.to_global)?;
        self.memory.after.posed.clone_from(&space.state);
        Ok(())
    }

    /// Wakes a body at rest if something has changed.
    fn wake(&mut self, space: &PassSpace, frame: Affine2) {
        let follows = self.settings.frequency > 0.0 || self.settings.root_frequency > 0.0;
        let orders = sum_of_orders(&self.settings, &self.grabs);
        let memory = &mut self.memory.after;
        let [world, before] = memory.around;
        let world_is_new = self
            .ticks
            .iter()
            .any(|tick| tick.is_sound() && sum_of_world(tick) != world);
        let mut pairs = memory.posed.iter().zip(&space.state);
        let moves = memory.frame != frame || pairs.any(|(was, is)| (was - is).abs() > LED);
        let is_led = (follows || self.is_carried) && moves;
        let is_told = !self.pushes.is_empty() || !self.breaks.is_empty();
        let is_new = world_is_new || is_led || before != orders || is_told;
        if memory.phase == RagdollPhase::Lying && is_new {
            memory.stir();
        }
        memory.around[1] = orders;
    }

    /// Takes what is kept into the frame that the skeleton has now: the body stays in the world.
    fn carry_to(&mut self, frame: Affine2, space: &PassSpace) {
        let memory = &mut self.memory.after;
        let Some(carry) = memory.carry_to(frame) else {
            return;
        };
        carry.apply(&mut memory.motion.state, Some(&mut memory.motion.rates));
        carry.apply(&mut memory.before, None);
        match carry.is_mirrored() {
            true => memory.posed.clone_from(&space.state),
            false => carry.apply(&mut memory.posed, None),
        }
        memory.frame = frame;
    }

    fn take_push(&mut self, push: Push, space: &mut PassSpace, frame: Affine2) {
        if !push.impulse.is_finite() {
            return;
        }
        let motion = &mut self.memory.after.motion;
        let frame = frame.as_daffine2();
        let impulse = frame.matrix2.transpose() * push.impulse.as_dvec2();
        space.kinematics.place(&space.body, &motion.state);
        let middle = |link: usize| {
            let local = space.body.links[link].centre();
            (link, space.kinematics.point(link, local))
        };
        let at = match push.hold {
            Hold::Whole if self.is_carried => middle(0),
            Hold::Whole => {
                let change = impulse / space.body.mass();
                for place in motion.rates[..space.body.places()].chunks_mut(ROOT) {
                    place[0] += change.x;
                    place[1] += change.y;
                }
                return;
            }
            Hold::Link(link) => middle(link),
            Hold::Place { link, position } => {
                let place = frame.inverse().transform_point2(position.as_dvec2());
                if !place.is_finite() {
                    return;
                }
                let distance = |&link: &usize| {
                    let capsule = space.body.links[link].capsule;
                    let ends =
                        [capsule.from, capsule.to].map(|end| space.kinematics.point(link, end));
                    nearest_on(ends, place).distance(place) - capsule.radius
                };
                let links = 0..space.body.links.len();
                let nearest = links.min_by(|one, other| distance(one).total_cmp(&distance(other)));
                (link.or(nearest).unwrap_or(0), place)
            }
        };
        kick(
            &space.body,
            motion,
            self.is_carried,
            at,
            impulse,
            &mut space.tick,
        );
    }

    /// Simulates the ticks.
    fn advance(&mut self, ticks: &[RagdollTick], space: &mut PassSpace) -> Result<(), Unsolvable> {
        if self.memory.after.phase == RagdollPhase::Lying {
            // What the pose does meanwhile is nothing that it would wake for.
            self.memory.after.posed.clone_from(&space.state);
            return Ok(());
        }
        let sound = || {
            ticks
                .iter()
                .filter(|tick| tick.is_sound() && tick.delta > 0.0)
        };
        let time: f32 = sound().map(|tick| tick.delta).sum();
        space.begin.clone_from(&self.memory.after.posed);
        let mut done = 0.0;
        for tick in sound() {
            let end = done + tick.delta / time;
            self.advance_tick(tick, [done, end].map(f64::from), space)?;
            done = end;
        }
        if time > 0.0 {
            self.memory.after.posed.clone_from(&space.state);
        }
        Ok(())
    }

    /// Simulates one tick, in which the pose goes on from one part to another of its way.
    fn advance_tick(
        &mut self,
        tick: &RagdollTick,
        way: [f64; 2],
        space: &mut PassSpace,
    ) -> Result<(), Unsolvable> {
        let memory = &mut self.memory.after;
        memory.before.clone_from(&memory.motion.state);
        space.take_goals(way);
        space.wind_limits(&memory.motion.state);
        space.find_pairs(self.settings.self_collision);
        self.take_forces(tick, space);
        let PassSpace {
            body,
            forces,
            lead,
            limits,
            pairs,
            goals,
            ..
        } = space;
        let memory = &mut self.memory.after;
        let rates = &mut memory.motion.rates;
        lead.take_along((body, forces), goals, &mut memory.led, rates);
        let simulated = simulated((body, limits, pairs), &self.settings, memory.frame, tick);
        simulated.advance(&mut memory.motion, forces, lead, &mut space.tick)?;
        if self.is_carried {
            (memory.motion.state[0], memory.motion.state[1]) = lead.root[1].into();
        }
        self.touches.extend_from_slice(&space.tick.touches);
        let most = f64::from(self.settings.break_torque);
        if most > 0.0 {
            let delta = f64::from(tick.delta);
            let strains = space.tick.strains.iter().enumerate();
            let torn = strains.filter(|(_, strain)| strain.abs() > most * delta);
            space.overloaded.extend(torn.map(|(link, _)| link));
        }
        self.note_rest(tick, space);
        Ok(())
    }

    /// Finds what acts on the body in a tick.
    fn take_forces(&mut self, tick: &RagdollTick, space: &mut PassSpace) {
        let memory = &mut self.memory.after;
        let from_global = memory.frame.as_daffine2().inverse();
        let PassSpace {
            body,
            kinematics,
            forces,
            lead,
            goals,
            ..
        } = space;
        lead.delta = tick.delta.into();
        let is_carried = self.is_carried;
        let usual = self.settings.frequency.max(0.0);
        let frequencies = |link: usize| {
            let factor = self.stiffer.get(link).copied().unwrap_or(1.0).max(0.0);
            f64::from(self.shapes[link].frequency.unwrap_or(factor * usual))
        };
        let damp = tick.damp + Vec2::new(self.settings.linear_damp, self.settings.angular_damp);
        let damp = damp.as_dvec2().to_array();
        let held = if self.grabs.is_empty() { 0.0 } else { HELD };
        let damp = damp.map(|damp| damp.max(held) + tiredness(memory.calm));
        let gravity = self.settings.gravity_scale * tick.gravity;
        lead.take_springs(
            (body, kinematics, &goals[1]),
            &self.settings,
            frequencies,
            (is_carried, damp, haste(gravity.length().into())),
            forces,
        );
        lead.take_goals(body, &goals[0], &goals[1], &memory.motion.state);
        forces.gravity = from_global.matrix2 * gravity.as_dvec2();
        let grabs = self.grabs.iter();
        let grabs = || {
            let grabs = grabs.clone();
            grabs.filter(|it| it.target.is_finite() && it.point.is_finite())
        };
        forces.grips.clear();
        lead.grabs.clear();
        let strongest = match self.settings.grab_force {
            most if most > 0.0 => {
                from_global.matrix2.determinant().abs().sqrt().recip() * f64::from(most)
            }
            _ => f64::INFINITY,
        };
        for (index, grab) in grabs().enumerate() {
            let known = memory.grabbed.len() == grabs().count();
            let before = if known {
                memory.grabbed[index]
            } else {
                grab.target
            };
            let way = [before, grab.target];
            lead.grabs
                .push(way.map(|it| from_global.transform_point2(it.as_dvec2())));
            // Where the point is in the frame of the link, in the pose.
            let place = space.frames[grab.link].transform_point2(grab.point.as_dvec2());
            let arm = place - space.frames[grab.link].translation;
            let heading = unit_vector(space.state[body.angle(grab.link)]);
            let local = DVec2::new(heading.dot(arm), heading.perp_dot(arm));
            forces
                .grips
                .push(Lead::grip(body, grab.link, local, strongest));
        }
        memory.grabbed.clear();
        memory.grabbed.extend(grabs().map(|grab| grab.target));
    }

    /// Returns the acceleration that it would get if it stood still, in pixels per square second.
    fn unborne(&self, tick: &RagdollTick, space: &mut PassSpace) -> f64 {
        let PassSpace {
            body,
            forces,
            limits,
            pairs,
            ..
        } = space;
        let memory = &self.memory.after;
        simulated((body, limits, pairs), &self.settings, memory.frame, tick).unborne(
            &memory.motion,
            forces,
            &mut space.tick,
        )
    }

    /// Comes to rest when it has been quiet for long enough, carried by something.
    fn note_rest(&mut self, tick: &RagdollTick, space: &mut PassSpace) {
        let is_led = self.is_carried || space.forces.root.stiffness > 0.0;
        let is_left_alone = !is_led && self.grabs.is_empty();
        let memory = &mut self.memory.after;
        let unit = memory.frame.matrix2.determinant().abs().sqrt();
        let unit = f64::from(unit.max(1e-6));
        let fastest = space.tick.fastest_end(&space.body, &memory.motion);
        let gravity = f64::from(self.settings.gravity_scale.abs() * tick.gravity.length());
        let haste = haste(gravity);
        let speed = unit * fastest / haste;
        let delta = tick.delta * haste as f32;
        let pace = MotionKind::of(speed, memory.calm);
        let memory = &mut self.memory.after;
        let before = memory.calm;
        let goes_on = |time: &mut f32, holds: bool| {
            *time = if holds { *time + delta } else { 0.0 };
        };
        let rests = space.lead.rests(&space.forces) && pace == MotionKind::Quiet;
        goes_on(&mut memory.quiet, rests);
        let creeps = is_left_alone
            && pace != MotionKind::Moving
            && is_on_still_ground(tick, &space.tick.touches);
        goes_on(&mut memory.calm, creeps);
        // Nothing that would still move gets tired.
        if is_asked(before, memory.calm) && !is_carried_by(self.unborne(tick, space), gravity) {
            self.memory.after.calm = 0.0;
        }
        let memory = &mut self.memory.after;
        if memory.quiet >= quiet_time(!is_left_alone || memory.calm >= ASKED) {
            memory.phase = RagdollPhase::Lying;
            memory.around[0] = sum_of_world(tick);
            memory.motion.rates.fill(0.0);
            memory.before.clone_from(&memory.motion.state);
        }
    }

    /// Shows the state between the last two ticks, and says where the body is.
    fn show(&mut self, space: &mut PassSpace, context: &mut Context<'_>) -> Result<(), Unsolvable> {
        let memory = &self.memory.after;
        let part = f64::from(crate::math::interval::clamp01(self.part));
        let pairs = memory.before.iter().zip(&memory.motion.state);
        space.between.clear();
        space
            .between
            .extend(pairs.map(|(before, now)| before + part * (now - before)));
        space.show(self, context)?;
        self.look_out(space, context.to_global);
        Ok(())
    }

    fn look_out(&mut self, space: &mut PassSpace, frame: Affine2) {
        let motion = &self.memory.after.motion;
        space.kinematics.place(&space.body, &motion.state);
        space.kinematics.find_velocities(&space.body, &motion.rates);
        let frame = frame.as_daffine2();
        let unit = frame.matrix2.determinant().abs().sqrt();
        let mut centre = DVec2::ZERO;
        let mut speed = 0.0_f64;
        for (index, link) in space.body.links.iter().enumerate() {
            for local in [link.capsule.from, link.capsule.to] {
                let place = space.kinematics.point(index, local);
                let moved = frame.matrix2 * space.kinematics.velocity_of(index, place);
                speed = speed.max(moved.length());
                centre += 0.5 * link.mass * frame.transform_point2(place);
            }
        }
        let [low, high] = space.bounds(frame, unit);
        let rest = self
            .rest
            .first()
            .map_or(glam::Vec2::X, |rest| rest.matrix2.x_axis);
        let turned = unit_vector(motion.state[space.body.angle(0)]);
        let rest = rest.as_dvec2().normalize_or(DVec2::X);
        // The X axis, turned by as much as the root is from its rest pose.
        let turn = DVec2::new(rest.dot(turned), rest.perp_dot(turned));
        let joint = frame.transform_point2(DVec2::new(motion.state[0], motion.state[1]));
        let posed = DVec2::new(space.state[0], space.state[1]);
        let [posed_low, posed_high] = space.posed;
        self.memory.after.whereabouts = Whereabouts {
            low,
            high,
            speed: speed as f32,
            centre: (centre / space.body.mass()).as_vec2(),
            root: joint.as_vec2(),
            posed_root: frame.transform_point2(posed).as_vec2(),
            posed_low,
            posed_high,
            front: (frame.matrix2 * turn).as_vec2(),
        };
    }
}
