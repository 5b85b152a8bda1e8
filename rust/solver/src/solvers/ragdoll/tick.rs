//! A tick in its parts.

use glam::{DAffine2, DMat2, DVec2};

use crate::kinematics::tree::Unsolvable;
use crate::solvers::ragdoll::body::Body;
use crate::solvers::ragdoll::constraints::{ConstraintStep, Constraints, LimbSurface};
use crate::solvers::ragdoll::contact::{Contact, LimbCapsule};
use crate::solvers::ragdoll::detour::Detours;
use crate::solvers::ragdoll::dynamic_bodies::DynamicBodies;
use crate::solvers::ragdoll::forces::Forces;
use crate::solvers::ragdoll::inertia::{InertiaFactor, Load, TreeInertia};
use crate::solvers::ragdoll::integrator::Integrator;
use crate::solvers::ragdoll::kinematics::LinkKinematics;
use crate::solvers::ragdoll::limits::Interval;
use crate::solvers::ragdoll::momentum::{Momentum, slow_down_links};
use crate::solvers::ragdoll::motion::{BodyMotion, Impulse, Touch};
use crate::solvers::ragdoll::rest::QUIET_SPEED;
use crate::solvers::ragdoll::self_collision;
use crate::solvers::ragdoll::solid::RagdollTick;
use crate::solvers::ragdoll::terrain::Terrain;

/// A tick has so many spans in a second, and no more than these. For each of them it is decided anew into how many
/// parts it is divided, so a body moves alike whatever the rate of ticks.
const SPANS: f64 = 120.0;
const MOST_SPANS: f64 = 12.0;

/// So many spans are one part of what is quiet and has only what stands still.
const STILL_SPANS: f64 = 2.0;

/// The least number of parts in a span: of what is limp and has nothing near, or is quiet and has only what stands firm, and
/// of all else.
const PARTS: [f64; 2] = [1.0, 2.0];

/// The angle by which a link turns in a part, in radians, at the speed that it has before the span: where one turns
/// faster, there are more parts.
const FARTHEST_TURN: f64 = 0.06;

/// The greatest number of parts in a span.
const MOST_PARTS: f64 = 16.0;

/// For so many bodies that each link touches there is room from the beginning.
const TOUCHED: usize = 2;

/// The greatest number of times that limits are looked for in a part.
const LOOKS: usize = 3;

/// Contacts are looked for that much farther than the motion of a part, in pixels.
const MARGIN: f64 = 4.0;

/// The world is known that much farther than the motion of a tick, in pixels.
const AROUND: f64 = 24.0;

/// The least time for which it is known ahead, in seconds: a hit may make a limb many times as fast.
const AHEAD: f64 = 1.0 / 30.0;

/// The time for which a body that stands still is let go to see whether it is carried, in seconds.
const TRIAL: f64 = 0.25;

/// A body and what acts on it in a tick.
#[derive(Clone, Debug)]
pub(crate) struct BodyTick<'a> {
    pub(crate) body: &'a Body,
    pub(crate) limits: &'a [Interval],
    /// The links that may touch one another.
    pub(crate) pairs: &'a [[usize; 2]],
    pub(crate) surface: LimbSurface,
    /// The skeleton's global transform, to which the motion refers.
    pub(crate) to_global: DAffine2,
    pub(crate) world: &'a RagdollTick,
}

/// The motion of the goals of springs from part to part.
pub(crate) trait Goals {
    /// Sets the goals of `forces` to those of the end of a part: `done` of the tick, 0 to 1.
    fn set(&self, forces: &mut Forces, done: f64);
}

/// Memory for ticks.
#[derive(Clone, Debug, Default)]
pub(crate) struct TickWorkspace {
    kinematics: LinkKinematics,
    integrator: Integrator,
    inertia: TreeInertia,
    /// What pushes each link while nothing is in the way, over a part.
    loads: Vec<Load>,
    /// The factor of the part.
    factor: InertiaFactor,
    terrain: Terrain,
    dynamic_bodies: DynamicBodies,
    /// The same, while the push moves them.
    pushed: DynamicBodies,
    detours: Detours,
    contacts: Vec<Contact>,
    /// The speed of what squeezes it, in pixels per second, if something does: it gets no faster by that.
    squeezed: Option<f64>,
    rows: Constraints,
    /// The momentum of each of its trees before a part.
    momenta: Vec<Momentum>,
    half: Vec<f64>,
    speeds: Vec<f64>,
    after: Vec<f64>,
    /// The rates of its state in the last part, with the push out of what is too deep.
    moved: Vec<f64>,
    still: BodyMotion,
    /// For each link, the impulse of turning that the limit of its joint bore in the last tick.
    pub(crate) strains: Vec<f64>,
    /// The impulses that the body gave to others in the last tick.
    pub(crate) touches: Vec<Touch>,
}

impl BodyTick<'_> {
    /// Moves the body on by the tick. In the last part `forces` are those of the end.
    pub(crate) fn advance(
        &self,
        motion: &mut BodyMotion,
        forces: &mut Forces,
        goals: &dyn Goals,
        space: &mut TickWorkspace,
    ) -> Result<(), Unsolvable> {
        let delta = f64::from(self.world.delta);
        space.kinematics.place(self.body, &motion.state);
        space.kinematics.find_velocities(self.body, &motion.rates);
        let around = self.around(delta.max(AHEAD), &space.kinematics);
        space.terrain.load(self.world, around);
        space.dynamic_bodies.load(self.world);
        // Room for what is not needed in each pass: none asks for memory later.
        let links = self.body.links.len();
        space.momenta.reserve(self.body.roots.len());
        space.rows.make_room(self.body.size());
        space.contacts.clear();
        space.contacts.reserve(TOUCHED * TOUCHED * links);
        space.pushed.copy(&space.dynamic_bodies);
        space.still.state.clone_from(&motion.state);
        space.still.rates.clone_from(&motion.rates);
        space.strains.clear();
        space.strains.resize(links, 0.0);
        space.touches.clear();
        space.touches.reserve(TOUCHED * links);
        motion.make_room(TOUCHED * links);
        let spans = (delta * SPANS - 1e-3).ceil().clamp(1.0, MOST_SPANS);
        let span = delta / spans;
        let mut done = 0.0;
        while done < spans {
            let (taken, parts) = self.parts(span, motion, forces, space);
            let taken = taken.min(spans - done);
            let step = taken * span / parts;
            for part in 0..parts as usize {
                let begin = done * span + part as f64 * step;
                space.terrain.advance(begin);
                goals.set(forces, (begin + step) / delta);
                forces.slow_down(
                    self.body,
                    &mut space.kinematics,
                    step,
                    &mut motion.rates,
                    &mut space.momenta,
                );
                self.advance_part(step, motion, forces, space)?;
            }
            done += taken;
        }
        motion.touched.clear();
        let touched = space.touches.iter();
        motion
            .touched
            .extend(touched.map(|touch| (touch.link as u32, touch.body)));
        Ok(())
    }

    /// Returns the number of pixels in a unit of skeleton space.
    fn unit(&self) -> f64 {
        self.to_global.matrix2.determinant().abs().sqrt()
    }

    /// Returns how many spans of `seconds` are taken at once, and the number of parts into which they are divided.
    fn parts(
        &self,
        seconds: f64,
        motion: &BodyMotion,
        forces: &Forces,
        space: &mut TickWorkspace,
    ) -> (f64, f64) {
        let fastest_end = space.kinematics.fastest_end(self.body, &motion.rates);
        let is_quiet = self.unit() * fastest_end < QUIET_SPEED;
        let around = || self.around(seconds, &space.kinematics);
        let is_free = forces.are_limp() && !space.terrain.reaches_into(around, is_quiet);
        let rates = motion.rates[self.body.places()..].iter();
        let fastest = rates.fold(0.0_f64, |most, rate| most.max(rate.abs()));
        let parts = (seconds * fastest / FARTHEST_TURN).ceil();
        // A span that is shorter than others is not divided.
        let least = PARTS[usize::from(!is_free)] * (seconds * SPANS - 1e-3);
        let parts = parts.max(least.ceil()).clamp(1.0, MOST_PARTS);
        // Bodies that lie on one another keep more of what they give one another.
        let is_still = is_quiet && is_free && parts == 1.0 && space.terrain.stands_still();
        (if is_still { STILL_SPANS } else { 1.0 }, parts)
    }

    /// Two corners of a box that the body does not leave in `seconds`, as far as can be known. The velocities are found.
    fn around(&self, seconds: f64, kinematics: &LinkKinematics) -> [DVec2; 2] {
        let unit = self.unit();
        let fall = seconds * seconds * self.world.gravity.as_dvec2().length();
        let (mut low, mut high) = (DVec2::INFINITY, DVec2::NEG_INFINITY);
        let mut fastest = 0.0_f64;
        for (index, link) in self.body.links.iter().enumerate() {
            for local in [link.capsule.from, link.capsule.to] {
                let place = kinematics.point(index, local);
                let moved = kinematics.velocity_of(index, place);
                fastest = fastest.max((self.to_global.matrix2 * moved).length());
                let place = self.to_global.transform_point2(place);
                let radius = DVec2::splat(unit * link.capsule.radius);
                low = low.min(place - radius);
                high = high.max(place + radius);
            }
        }
        // A hit may make a limb twice as fast.
        let reach = DVec2::splat(AROUND + fall + 2.0 * seconds * fastest);
        [low - reach, high + reach]
    }

    fn advance_part(
        &self,
        step: f64,
        motion: &mut BodyMotion,
        forces: &Forces,
        space: &mut TickWorkspace,
    ) -> Result<(), Unsolvable> {
        let has_springs = self.solve_freely(step, motion, forces, space)?;
        self.find_rows(step, motion, space);
        self.hold(step, motion, space);
        if let Some(fastest) = space.squeezed {
            // In skeleton space, and not slower than before: what is pinched by a foot falls over all the same.
            let mut fastest_end = |rates: &[f64]| space.kinematics.fastest_end(self.body, rates);
            let fall = step * f64::from(self.world.gravity.length());
            let unit = self.unit();
            let most = (fastest / unit).max(fastest_end(&motion.rates)) + fall / unit;
            for rates in [&mut space.after, &mut space.moved] {
                let part = (most / fastest_end(rates)).min(1.0);
                rates.iter_mut().for_each(|rate| *rate *= part);
            }
        }
        let is_free = forces.act_within() && space.rows.are_within();
        let is_driven = has_springs || !space.rows.are_idle();
        space.momenta.clear();
        if is_free && is_driven {
            let kinematics = &mut space.kinematics;
            let of_root = |&root: &usize| Momentum::of(self.body, kinematics, root, &motion.rates);
            space.momenta.extend(self.body.roots.iter().map(of_root));
        }
        if let Some(carried) = forces.carried {
            (space.moved[0], space.moved[1]) = carried.into();
        }
        for (state, moved) in motion.state.iter_mut().zip(&space.moved) {
            *state += step * moved;
        }
        space.kinematics.place(self.body, &motion.state);
        for (before, &root) in space.momenta.iter().zip(&self.body.roots) {
            let now = Momentum::of(self.body, &mut space.kinematics, root, &space.after);
            let wanted = before.fallen(forces.gravity, step);
            let leap = now.correct(wanted, (self.body, root), &mut space.after);
            space.kinematics.shift(self.body, root, leap);
            let place = self.body.links[root].place;
            motion.state[place] += leap.x;
            motion.state[place + 1] += leap.y;
        }
        let is_carried = forces.carried.is_some();
        slow_down_links(
            self.body,
            &mut space.kinematics,
            is_carried,
            &mut space.after,
        );
        motion.rates.clone_from(&space.after);
        let is_finite = motion
            .state
            .iter()
            .chain(&motion.rates)
            .all(|it| it.is_finite());
        is_finite.then_some(()).ok_or(Unsolvable)
    }

    /// Finds the speeds after a part in which nothing is in the way, times the factor. Returns whether
    /// there are springs.
    fn solve_freely(
        &self,
        step: f64,
        motion: &BodyMotion,
        forces: &Forces,
        space: &mut TickWorkspace,
    ) -> Result<bool, Unsolvable> {
        let body = self.body;
        let is_held = motion.is_held();
        let TickWorkspace {
            kinematics,
            integrator,
            inertia,
            loads,
            factor,
            speeds,
            ..
        } = space;
        if is_held {
            integrator.estimate(body, motion, forces, step, loads);
        } else {
            integrator.advance((body, kinematics), motion, forces, step)?;
            loads.clear();
            loads.resize(body.links.len(), Load::default());
        }
        let middle = &mut integrator.middle;
        inertia.take(body, middle);
        forces.add_carrier(body, inertia);
        let has_springs = forces.add_springs((body, middle), &motion.state, step, inertia, loads);
        speeds.resize(body.size(), 0.0);
        if has_springs || is_held {
            middle.find_velocities(body, &integrator.rates);
            let links = body.links.iter().zip(&middle.links);
            for (load, (link, placed)) in loads.iter_mut().zip(links) {
                *load += Load::momentum(link, placed);
            }
            if !inertia.factor(body, middle, factor) {
                return Err(Unsolvable);
            }
            factor.solve_upwards(body, loads, speeds);
        } else {
            std::mem::swap(factor, &mut integrator.factor);
            factor.multiply(body, &integrator.rates, speeds);
        }
        Ok(has_springs)
    }

    /// Finds the speeds with which it moves, and those that it keeps, with what is in the way.
    fn hold(&self, step: f64, motion: &mut BodyMotion, space: &mut TickWorkspace) {
        space
            .rows
            .warm(&motion.kept, step, &mut space.dynamic_bodies);
        self.solve_rows(false, step, motion, space);
        space.rows.keep(step, &mut motion.kept);
        for (link, torque) in motion.kept.iter().filter_map(Impulse::of_joint) {
            space.strains[link] += step * torque;
        }
        space.pushed.copy(&space.dynamic_bodies);
        let is_pushed = space.rows.begin_push(&mut space.pushed);
        if is_pushed || !space.rows.are_idle() {
            self.solve_rows(true, step, motion, space);
        }
        self.note_touches(step, motion, space);
        if space.rows.are_idle() {
            space.moved.clone_from(&space.after);
            let both = motion.rates.iter().zip(&space.integrator.bend);
            for (moved, (before, bend)) in space.moved.iter_mut().zip(both) {
                *moved = 0.5 * (before + *moved) + bend;
            }
        }
    }

    /// Finds the impulses and the speeds with them, with the push or without. What turns past a limit by that is held.
    fn solve_rows(&self, pushes: bool, step: f64, motion: &BodyMotion, space: &mut TickWorkspace) {
        for look in 0..=LOOKS {
            let (dynamic_bodies, speeds) = match pushes {
                true => (&mut space.pushed, &mut space.moved),
                false => (&mut space.dynamic_bodies, &mut space.after),
            };
            space.rows.solve(pushes, dynamic_bodies);
            space.rows.speeds_into(&mut space.factor, self.body, speeds);
            if look == LOOKS || !self.find_passed(pushes, step, motion, space) {
                break;
            }
        }
    }

    /// Returns the acceleration that an end of a link gets at most, in pixels per square second, if the body stands
    /// still now: what is around it, its limits and its joints do not bear that. After a tick with the same `forces`.
    pub(crate) fn unborne(
        &self,
        motion: &BodyMotion,
        forces: &Forces,
        space: &mut TickWorkspace,
    ) -> f64 {
        let body = self.body;
        let mut still = std::mem::take(&mut space.still);
        still.state.clone_from(&motion.state);
        still.kept.clone_from(&motion.kept);
        still.rates.clear();
        still.rates.resize(body.size(), 0.0);
        let fastest = self.fastest_of(&still, forces, space);
        space.still = still;
        fastest
    }

    /// The same of a body that stands `still`.
    fn fastest_of(&self, still: &BodyMotion, forces: &Forces, space: &mut TickWorkspace) -> f64 {
        let body = self.body;
        space.kinematics.place(body, &still.state);
        space.integrator.middle.place(body, &still.state);
        let TickWorkspace {
            kinematics,
            inertia,
            loads,
            factor,
            speeds,
            ..
        } = space;
        forces.load_smoothly(body, kinematics, &still.rates, TRIAL, loads);
        inertia.take(body, kinematics);
        forces.add_springs((body, kinematics), &still.state, TRIAL, inertia, loads);
        if !inertia.factor(body, kinematics, factor) {
            return f64::INFINITY;
        }
        speeds.resize(body.size(), 0.0);
        factor.solve_upwards(body, loads, speeds);
        self.find_rows(TRIAL, still, space);
        space.rows.bear(&still.kept);
        space
            .rows
            .speeds_into(&mut space.factor, body, &mut space.after);
        self.unit() * space.kinematics.fastest_end(body, &space.after) / TRIAL
    }

    /// Finds limits that it would pass though they were far away.
    fn find_passed(
        &self,
        pushes: bool,
        step: f64,
        motion: &BodyMotion,
        space: &mut TickWorkspace,
    ) -> bool {
        let made = ConstraintStep {
            body: self.body,
            kinematics: &space.kinematics,
            middle: &space.integrator.middle,
            factor: &space.factor,
            rates: &motion.rates,
            seconds: step,
            to_global: self.to_global.matrix2,
            friction: self.surface.friction,
            down: self.world.gravity.as_dvec2().normalize_or_zero(),
            fall: step * f64::from(self.world.gravity.length()),
        };
        let moved = if pushes { &space.moved } else { &space.after };
        let mut any = false;
        for limit in self.limits {
            any |= limit.push_passed(made, (&motion.state, moved), &mut space.rows);
        }
        any
    }

    /// Finds what is in the way of the body where the kinematics have placed it.
    fn find_rows(&self, step: f64, motion: &BodyMotion, space: &mut TickWorkspace) {
        let body = self.body;
        space.rows.begin(&space.speeds);
        space.contacts.clear();
        space.squeezed = None;
        if self.limits.is_empty() && self.pairs.is_empty() && self.world.solids.is_empty() {
            return;
        }
        space.kinematics.find_velocities(body, &motion.rates);
        let to_global = self.to_global;
        let made = ConstraintStep {
            body,
            kinematics: &space.kinematics,
            middle: &space.integrator.middle,
            factor: &space.factor,
            rates: &motion.rates,
            seconds: step,
            to_global: to_global.matrix2,
            friction: self.surface.friction,
            down: self.world.gravity.as_dvec2().normalize_or_zero(),
            fall: step * f64::from(self.world.gravity.length()),
        };
        if !self.world.solids.is_empty() {
            space
                .detours
                .find(body, &space.kinematics, to_global, &space.terrain);
            let seen = (&space.terrain, &space.detours);
            self.find_contacts(made, seen, to_global, &mut space.contacts);
            let from_global = to_global.inverse();
            for (number, contact) in space.contacts.iter().enumerate() {
                let place = from_global.transform_point2(contact.point);
                let ground = &space.terrain.grounds[contact.ground];
                let is_squeezed = contact.squeezes(&space.contacts, &space.terrain, step);
                if is_squeezed {
                    let speed = ground.velocity_at(contact.point).length();
                    space.squeezed = Some(space.squeezed.map_or(speed, |most| most.max(speed)));
                }
                space.rows.push_contact(
                    made,
                    (number, contact, is_squeezed),
                    ground,
                    &space.dynamic_bodies,
                    self.surface,
                    place,
                );
            }
        }
        let unit = self.unit();
        self_collision::push_rows(made, self.pairs, unit, &mut space.rows);
        for limit in self.limits {
            limit.push_rows(made, &motion.state, &mut space.rows);
        }
    }

    fn find_contacts(
        &self,
        step: ConstraintStep<'_>,
        (terrain, detours): (&Terrain, &Detours),
        to_global: DAffine2,
        contacts: &mut Vec<Contact>,
    ) {
        let unit = self.unit();
        let grounds = terrain.grounds.iter();
        let fastest = grounds.map(|ground| match ground.solid.moves {
            true => ground.solid.velocity.as_dvec2().length(),
            false => 0.0,
        });
        let fastest = fastest.fold(0.0, f64::max);
        for (index, link) in self.body.links.iter().enumerate() {
            let capsule = link.capsule;
            let mut speed = 0.0_f64;
            let ends = [capsule.from, capsule.to].map(|local| {
                let place = step.kinematics.point(index, local);
                let moved = step.kinematics.velocity_of(index, place);
                speed = speed.max((step.to_global * moved).length());
                to_global.transform_point2(place)
            });
            let limb = LimbCapsule {
                link: index,
                ends,
                radius: unit * capsule.radius,
                shows_start: link.shows_start,
            };
            let reach = MARGIN + step.seconds * (speed + fastest);
            let first = contacts.len();
            limb.find_contacts(terrain, reach, contacts);
            let joint = to_global.transform_point2(step.kinematics.links[index].joint);
            detours.put_right((&limb, joint), terrain, reach, (contacts, first));
        }
    }

    /// Notes what the body did to what it touches.
    fn note_touches(&self, step: f64, motion: &BodyMotion, space: &mut TickWorkspace) {
        let to_global = self.to_global;
        let part = step / f64::from(self.world.delta);
        for (number, impulses) in space.rows.contact_impulses(part) {
            let contact = &space.contacts[number];
            let ground = &space.terrain.grounds[contact.ground];
            let [total, given] =
                impulses.map(|it| it.x * contact.normal + it.y * contact.normal.perp());
            let arm = contact.point - ground.solid.centre.as_dvec2();
            let turn = arm.perp_dot(given) as f32;
            let [total, given] = [total, given].map(|it| it.as_vec2());
            let key = (contact.link as u32, ground.solid.body);
            let mut known = space.touches.iter_mut();
            if let Some(touch) = known.find(|it| (it.link as u32, it.body) == key) {
                touch.impulse += total;
                touch.given += given;
                touch.turn += turn;
                continue;
            }
            let hit_speed = (!motion.touched.contains(&key)).then(|| {
                let place = to_global.inverse().transform_point2(contact.point);
                let moved = space.kinematics.velocity_of(contact.link, place);
                let surface = ground.velocity_at(contact.point);
                let closing = contact.normal.dot(surface - to_global.matrix2 * moved);
                closing.max(0.0) as f32
            });
            space.touches.push(Touch {
                link: contact.link,
                body: ground.solid.body,
                impulse: total,
                given,
                turn,
                hit_speed,
            });
        }
    }
}

impl TickWorkspace {
    /// Returns the greatest speed of an end of a link after a tick: by its rates, or by the push in the last part.
    pub(crate) fn fastest_end(&mut self, body: &Body, motion: &BodyMotion) -> f64 {
        let both = [&motion.rates, &self.moved];
        let [kept, pushed] = both.map(|rates| self.kinematics.fastest_end(body, rates));
        kept.max(pushed)
    }

    /// Prepares for impulses on a body in this `state`. Returns whether it has a mass.
    fn take_state(&mut self, body: &Body, state: &[f64], carried: bool) -> bool {
        self.kinematics.place(body, state);
        self.inertia.take(body, &self.kinematics);
        let held = Forces {
            carried: carried.then_some(DVec2::ZERO),
            ..Forces::default()
        };
        held.add_carrier(body, &mut self.inertia);
        self.inertia
            .factor(body, &self.kinematics, &mut self.factor)
    }

    /// Finds what an impulse at `place`, a point of `link` in skeleton space, changes speeds by.
    fn respond(&mut self, body: &Body, (link, place): (usize, DVec2), impulse: DVec2) -> &[f64] {
        self.half.clear();
        self.half.resize(body.size(), 0.0);
        let arm = place - self.kinematics.links[link].joint;
        let load = Load::at(arm, impulse);
        self.factor.add_load(body, link, load, &mut self.half);
        self.factor.solve_downwards(body, &mut self.half);
        &self.half
    }

    /// Finds how easily links are pushed in a state of a body: by one divided by the mass that is felt in the middle of each, on
    /// the average of all directions, and by the moment of inertia that is felt at its ends; in global space.
    pub(crate) fn find_eases(
        &mut self,
        body: &Body,
        (state, carried): (&[f64], bool),
        to_global: DMat2,
        eases: &mut Vec<DVec2>,
    ) {
        eases.clear();
        if !self.take_state(body, state, carried) {
            return;
        }
        for (link, it) in body.links.iter().enumerate() {
            let ends = [it.capsule.from, it.capsule.to].map(|end| self.kinematics.point(link, end));
            let middle = 0.5 * (ends[0] + ends[1]);
            let along = to_global * (ends[1] - ends[0]);
            let half = 0.5 * along.length();
            let along = along.normalize_or(DVec2::X);
            let mut ease = |place: DVec2, way: DVec2| {
                self.respond(body, (link, place), to_global.transpose() * way);
                self.kinematics.find_velocities(body, &self.half);
                let moved = self.kinematics.velocity_of(link, place);
                way.dot(to_global * moved)
            };
            let across = ease(middle, along.perp());
            let place = 0.5 * (across + ease(middle, along));
            let of_ends = ends.map(|end| ease(end, along.perp()));
            let turn = 0.5 * (of_ends[0] + of_ends[1]) - across;
            let turn = (turn / (half * half).max(1e-6)).max(0.0);
            eases.push(DVec2::new(place, turn));
        }
    }
}

/// Changes the speeds of a body by an impulse at `place`, a point of `link` in skeleton space.
pub(crate) fn kick(
    body: &Body,
    motion: &mut BodyMotion,
    carried: bool,
    at: (usize, DVec2),
    impulse: DVec2,
    space: &mut TickWorkspace,
) {
    if !space.take_state(body, &motion.state, carried) {
        return;
    }
    let changes = space.respond(body, at, impulse);
    for (rate, change) in motion.rates.iter_mut().zip(changes) {
        *rate += change;
    }
    slow_down_links(body, &mut space.kinematics, carried, &mut motion.rates);
}
