//! What a body must not do: sink into things, slide where it sticks, turn past limits. One row each.
//!
//! A row says how fast something changes with the speeds of the body, and what that must not fall below. Rows
//! are solved by projected Gauss-Seidel, which goes on from the impulses of the step before. It finds soon which
//! rows push, but it is slow where limbs hang in their limits. So after some sweeps, the equations of the rows that
//! push are solved together, as far as all of them go on (subspace minimization). It works on
//! `w = L u`, where `L` is the factor of the matrix of the step: there, what one impulse does to another row is a product of
//! two short vectors.
//!
//! A gap that the step does not use up pushes nothing, so contacts may be found ahead of the motion. What is
//! too deep is pushed out by a motion that does not become speed: the first sweeps give the speed that is kept, and further
//! ones push. Where two rows cannot both push, as in a gap that is too narrow, their impulses are so not kept, and do not
//! grow.
//!
//! Source: M. Silcowitz, S. Niebe, K. Erleben, *Projected Gauss-Seidel subspace minimization method for interactive
//! rigid body dynamics* (2010), for solving together; how far that goes is Tendon's.

use glam::{DMat2, DVec2};

use crate::math::bounded::{BoundState, Problem};
use crate::math::cholesky;
use crate::math::interval::clamp;
use crate::solvers::ragdoll::body::Body;
use crate::solvers::ragdoll::contact::Contact;
use crate::solvers::ragdoll::dynamic_bodies::DynamicBodies;
use crate::solvers::ragdoll::inertia::{InertiaFactor, Load};
use crate::solvers::ragdoll::kinematics::LinkKinematics;
use crate::solvers::ragdoll::motion::Impulse;
use crate::solvers::ragdoll::terrain::TerrainShape;

/// The greatest number of sweeps before the rows that push are solved together, and after that, and the number of these
/// rounds.
const SWEEPS: usize = 3;
const ROUNDS: usize = 6;

/// Equations that are solved together are damped by this part of what an impulse does to its row: they may contradict one
/// another.
const DAMPING: f64 = 1e-3;

/// The same where only what they leave is asked.
const BEARING: f64 = 1e-7;

/// For so many pushes for each coordinate there is room from the beginning.
const PUSHES: usize = 8;

/// Sweeps that change the speeds of rows by less are enough: of contacts, in pixels per second.
const ENOUGH: f64 = 0.1;

/// The same of limits, in radians per second.
const ENOUGH_TURN: f64 = 0.001;

/// The part of a depth that is pushed out in a step.
const PUSH: f64 = 0.2;

/// The depth at which contacts stay, in pixels, and the greatest speed at which they are pushed out.
const CONTACT: Slack = Slack {
    slop: 0.3,
    fastest: 120.0,
};

/// The same of limits, in radians.
const LIMIT: Slack = Slack {
    slop: 0.005,
    fastest: 6.0,
};

/// The least part of the speed of a hit that a wall gives back, as flesh does: all limbs of what is thrown at one would
/// stop at once, and stay standing there. A wall is what bears no more than this part of a weight.
const WALL_BOUNCE: f64 = 0.12;
const WALL: f64 = 0.5;

/// The cosine of the widest angle from straight up of a side on which something that is carried bears what comes.
const BEARING_SIDE: f64 = 0.5;

/// Slower hits do not bounce, in pixels per second.
const LEAST_BOUNCE: f64 = 60.0;

#[derive(Clone, Copy, Debug)]
struct Slack {
    slop: f64,
    fastest: f64,
}

impl Slack {
    /// The least speed of a row whose gap is `gap` before a step: with the push, and without.
    fn least_speeds(self, gap: f64, step: f64) -> [f64; 2] {
        if gap > 0.0 {
            return [-gap / step; 2];
        }
        let depth = (-gap - self.slop).max(0.0);
        [(PUSH * depth / step).min(self.fastest), 0.0]
    }
}

/// The bound of a row.
#[derive(Clone, Copy, Debug)]
enum Bound {
    /// Its speed is at least that: with the push, and without.
    Least([f64; 2]),
    /// Its impulse is at most that part of the impulse of the row before.
    Friction(f64),
}

#[derive(Clone, Debug)]
struct Constraint {
    /// The change of its speed by an impulse of 1.
    ease: f64,
    bound: Bound,
    /// The speed of the surface itself.
    surface: f64,
    /// The body that it pushes back, and by what of its three coordinates.
    dynamic: Option<(usize, [f64; 3])>,
    impulse: Impulse,
    /// The contact with the world that it belongs to.
    contact: Option<usize>,
    /// The change of the speed of what it touches there by an impulse of 1, and the speed at which that comes nearer.
    yields: f64,
    closing: f64,
    /// Its impulse without the push.
    held: f64,
    /// A change of its speed that is none.
    enough: f64,
}

/// Numbers that are added or multiplied at once.
const LANES: usize = 4;
type Lanes = [f64; LANES];

/// The rows of a step. Keeps its memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Constraints {
    rows: Vec<Constraint>,
    /// How many lanes the coordinates of the body take. The last ones are filled up with zeros.
    width: usize,
    /// How much each row has of each coordinate, one row after the other.
    entries: Vec<Lanes>,
    /// The speeds of the body, times the factor.
    speeds: Vec<Lanes>,
    together: Together,
    bearing: Problem,
}

/// The equations of the rows that push.
#[derive(Clone, Debug, Default)]
struct Together {
    rows: Vec<usize>,
    matrix: Vec<f64>,
    /// The amounts by which the speeds of the rows are less than they must be, and then the changes of their impulses.
    changes: Vec<f64>,
    /// Directions in which rows push, one after the other.
    pushes: Vec<Lanes>,
}

/// A step in which rows are made.
#[derive(Clone, Copy)]
pub(super) struct ConstraintStep<'a> {
    pub(super) body: &'a Body,
    pub(super) kinematics: &'a LinkKinematics,
    /// The body in the middle of it, which is that of the factor: what a speed means differs between two turns.
    pub(super) middle: &'a LinkKinematics,
    pub(super) factor: &'a InertiaFactor,
    /// The speeds before it.
    pub(super) rates: &'a [f64],
    pub(super) seconds: f64,
    /// The linear part of the skeleton's global transform.
    pub(super) to_global: DMat2,
    /// The friction of the limbs.
    pub(super) friction: f64,
    /// The direction of gravity in global space, zero without.
    pub(super) down: DVec2,
    /// The speed that gravity adds in it.
    pub(super) fall: f64,
}

impl ConstraintStep<'_> {
    /// Adds to the entries of a row a force on `place`, a point of a link before the step.
    fn add_force(self, link: usize, place: DVec2, force: DVec2, entries: &mut [f64]) {
        let before = &self.kinematics.links[link];
        let arm = place - before.joint;
        let local = DVec2::new(before.turn.dot(arm), before.turn.perp_dot(arm));
        let arm = self.middle.links[link].turn.rotate(local);
        let load = Load::at(arm, force);
        self.factor.add_load(self.body, link, load, entries);
    }

    /// Adds a torque on a link.
    fn add_torque(self, link: usize, torque: f64, entries: &mut [f64]) {
        let force = DVec2::ZERO;
        let load = Load { force, torque };
        self.factor.add_load(self.body, link, load, entries);
    }
}

/// A place where two links are near one another, in skeleton space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct LinkMeeting {
    pub(super) links: [usize; 2],
    /// The number of the end, of the four.
    pub(super) end: u32,
    /// The points of the two links.
    pub(super) points: [DVec2; 2],
    /// From the second to the first.
    pub(super) normal: DVec2,
    pub(super) gap: f64,
}

/// The friction and the bounce of limbs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct LimbSurface {
    pub(crate) friction: f64,
    pub(crate) bounce: f64,
}

impl Constraints {
    /// Makes room for what is not needed in each pass, for a body with so many coordinates.
    pub(super) fn make_room(&mut self, coordinates: usize) {
        let width = coordinates.div_ceil(LANES);
        let pushes = PUSHES * coordinates;
        self.rows.reserve(pushes.saturating_sub(self.rows.len()));
        self.entries
            .reserve((pushes * width).saturating_sub(self.entries.len()));
        let Together {
            rows,
            matrix,
            pushes: ways,
            changes,
        } = &mut self.together;
        rows.reserve(pushes.saturating_sub(rows.len()));
        matrix.reserve((pushes * pushes / 4).saturating_sub(matrix.len()));
        ways.reserve((pushes * width).saturating_sub(ways.len()));
        changes.reserve(pushes.saturating_sub(changes.len()));
        if self.bearing.holds.capacity() < pushes {
            self.bearing.reserve(pushes);
        }
    }

    /// Begins those of a body with these `speeds`, times the factor.
    pub(super) fn begin(&mut self, speeds: &[f64]) {
        self.rows.clear();
        self.entries.clear();
        self.width = speeds.len().div_ceil(LANES);
        self.speeds.clear();
        self.speeds.resize(self.width, [0.0; LANES]);
        self.speeds.as_flattened_mut()[..speeds.len()].copy_from_slice(speeds);
    }

    /// Finds the speeds of the body with the impulses.
    pub(super) fn speeds_into(
        &self,
        factor: &mut InertiaFactor,
        body: &Body,
        speeds: &mut Vec<f64>,
    ) {
        speeds.clear();
        speeds.extend(&self.speeds.as_flattened()[..body.size()]);
        factor.solve_downwards(body, speeds);
    }

    /// Makes the entries of a row, all zero.
    fn add_entries(&mut self) -> &mut [f64] {
        let first = self.entries.len();
        self.entries.resize(first + self.width, [0.0; LANES]);
        self.entries[first..].as_flattened_mut()
    }

    /// Adds a row whose entries were made last.
    fn push(&mut self, row: Constraint) {
        let first = self.width * self.rows.len();
        let own = &self.entries[first..];
        let ease = product(own, own) + row.dynamic.map_or(0.0, |_| row.yields);
        if ease > 0.0 {
            self.rows.push(Constraint { ease, ..row });
        } else {
            self.entries.truncate(first);
        }
    }

    /// Adds the two rows of a contact: it does not sink in, and rubs.
    pub(super) fn push_contact(
        &mut self,
        step: ConstraintStep<'_>,
        (number, contact, is_squeezed): (usize, &Contact, bool),
        ground: &TerrainShape,
        dynamic_bodies: &DynamicBodies,
        own: LimbSurface,
        place: DVec2,
    ) {
        let solid = &ground.solid;
        let link = contact.link;
        let moved = step.to_global * step.kinematics.velocity_of(link, place);
        let surface = ground.velocity_at(contact.point);
        let closing = contact.normal.dot(surface - moved);
        let mut least = CONTACT.least_speeds(contact.gap, step.seconds);
        let bounce = (own.bounce + f64::from(solid.bounce)).clamp(0.0, 1.0);
        let is_wall = step.down != DVec2::ZERO && contact.normal.dot(step.down).abs() < WALL;
        let bounce = match is_wall {
            true => bounce.max(WALL_BOUNCE),
            false => bounce,
        };
        if closing > LEAST_BOUNCE && closing * step.seconds > contact.gap {
            least[1] = least[1].max(bounce * closing);
        }
        let friction = own.friction.min(f64::from(solid.friction)).max(0.0);
        let dynamic = dynamic_bodies.find(solid.body);
        // Something that is carried bears what comes onto it, though it gives way to either side.
        let bears = solid.carried && contact.normal.dot(step.down) < -BEARING_SIDE;
        for (direction, bound) in [
            (contact.normal, Bound::Least(least)),
            (contact.normal.perp(), Bound::Friction(friction)),
        ] {
            let entries = self.add_entries();
            let seen = step.to_global.transpose() * direction;
            step.add_force(link, place, seen, entries);
            let is_friction = matches!(bound, Bound::Friction(_));
            let speed = match is_friction || solid.moves {
                true => direction.dot(surface),
                false => 0.0,
            };
            // What is squeezed is moved out of the way, and keeps no speed of that.
            let (bound, speed) = match bound {
                Bound::Least([pushed, kept]) if is_squeezed => {
                    (Bound::Least([pushed + speed, kept + speed.min(0.0)]), 0.0)
                }
                bound => (bound, speed),
            };
            let dynamic =
                dynamic.map(|body| (body, dynamic_bodies.row(body, contact.point, direction)));
            let yields = dynamic.map_or(0.0, |it| dynamic_bodies.coupling(it, it));
            let dynamic = dynamic.filter(|_| !bears || is_friction);
            let impulse = Impulse::of_contact(link, solid, contact.feature, is_friction);
            let row = Constraint {
                surface: if dynamic.is_some() { 0.0 } else { speed },
                dynamic,
                contact: Some(number),
                yields,
                closing: closing.max(0.0) + step.fall,
                ..Constraint::within(bound, impulse, ENOUGH)
            };
            self.push(row);
        }
    }

    /// Adds the row of one end of a limit of a link against the one above it, or in skeleton space.
    pub(super) fn push_limit(
        &mut self,
        step: ConstraintStep<'_>,
        (link, above): (usize, Option<usize>),
        gap: f64,
        sign: f64,
    ) {
        let entries = self.add_entries();
        step.add_torque(link, sign, entries);
        if let Some(above) = above {
            step.add_torque(above, -sign, entries);
        }
        let bound = Bound::Least(LIMIT.least_speeds(gap, step.seconds));
        let impulse = Impulse::of_limit(link, sign > 0.0);
        self.push(Constraint::within(bound, impulse, ENOUGH_TURN));
    }

    /// Adds the two rows of two links that touch one another, in pixels. `unit`: how many a skeleton unit has.
    pub(super) fn push_meeting(
        &mut self,
        step: ConstraintStep<'_>,
        meeting: &LinkMeeting,
        unit: f64,
    ) {
        let least = CONTACT.least_speeds(unit * meeting.gap, step.seconds);
        for (direction, bound) in [
            (meeting.normal, Bound::Least(least)),
            (meeting.normal.perp(), Bound::Friction(step.friction)),
        ] {
            let entries = self.add_entries();
            for (side, force) in [unit * direction, -unit * direction]
                .into_iter()
                .enumerate()
            {
                step.add_force(meeting.links[side], meeting.points[side], force, entries);
            }
            let is_friction = matches!(bound, Bound::Friction(_));
            let impulse = Impulse::of_meeting(meeting.links, meeting.end, is_friction);
            self.push(Constraint::within(bound, impulse, ENOUGH));
        }
    }

    /// Returns `true` if there is a row of that end of the limit of a link.
    pub(super) fn have_limit(&self, link: usize, sign: f64) -> bool {
        let wanted = Impulse::of_limit(link, sign > 0.0);
        self.rows.iter().any(|row| row.impulse.is_same(&wanted))
    }

    /// Goes on from the forces of the step before, in a step of so many seconds.
    pub(super) fn warm(
        &mut self,
        kept: &[Impulse],
        seconds: f64,
        dynamic_bodies: &mut DynamicBodies,
    ) {
        let mut next = 0;
        let entries = self.entries.chunks_exact(self.width);
        for (row, entries) in self.rows.iter_mut().zip(entries) {
            // Mostly they come in the order of the step before.
            let is_same = |it: &Impulse| it.is_same(&row.impulse);
            let ahead = kept[next..].iter().position(is_same);
            let ahead = ahead.map(|place| next + place);
            let Some(place) = ahead.or_else(|| kept[..next].iter().position(is_same)) else {
                continue;
            };
            next = place + 1;
            row.push(
                seconds * kept[place].size,
                entries,
                &mut self.speeds,
                dynamic_bodies,
            );
        }
    }

    /// From now on impulses push, too. What gives way is pushed from how it moves now, and counts as no lighter than what
    /// pushes it: something may be behind it.
    /// Returns whether any does.
    pub(super) fn begin_push(&mut self, dynamic_bodies: &mut DynamicBodies) -> bool {
        let mut any = false;
        for row in &mut self.rows {
            row.held = row.impulse.size;
            any |= row.least(true) - row.least(false) > 0.0;
            if let Some((body, way)) = row.dynamic {
                let alone = row.ease - row.yields;
                // A limb that cannot move there pushes with all it has.
                let part = match alone > 0.0 {
                    true => (alone / row.yields).min(1.0),
                    false => 1.0,
                };
                row.surface += dynamic_bodies.speed(body, way);
                row.dynamic = Some((body, way.map(|it| part.sqrt() * it)));
                row.ease = alone + part * row.yields;
            }
        }
        dynamic_bodies.stop();
        any
    }

    /// Finds the impulses, with the push or without. With it, limits have the last word where rows contradict one another:
    /// joints hold.
    pub(super) fn solve(&mut self, pushes: bool, dynamic_bodies: &mut DynamicBodies) {
        let is_solved = self.solve_those(pushes, false, dynamic_bodies);
        if pushes && !is_solved {
            self.solve_those(pushes, true, dynamic_bodies);
        }
    }

    /// The same of all rows, or only of those of limits. Returns whether nothing is left to do.
    fn solve_those(
        &mut self,
        pushes: bool,
        only_limits: bool,
        dynamic_bodies: &mut DynamicBodies,
    ) -> bool {
        for _ in 0..ROUNDS {
            if (0..SWEEPS).any(|_| self.sweep(pushes, only_limits, dynamic_bodies)) {
                return true;
            }
            self.solve_together(pushes, only_limits, dynamic_bodies);
        }
        (0..SWEEPS).any(|_| self.sweep(pushes, only_limits, dynamic_bodies))
    }

    /// Sweeps over the rows once, or over those of limits only. Returns whether that was enough.
    fn sweep(
        &mut self,
        pushes: bool,
        only_limits: bool,
        dynamic_bodies: &mut DynamicBodies,
    ) -> bool {
        let mut is_enough = true;
        let mut of_contact = 0.0;
        let entries = self.entries.chunks_exact(self.width);
        for (row, entries) in self.rows.iter_mut().zip(entries) {
            if only_limits && !row.is_limit() {
                continue;
            }
            let speed = row.speed(entries, &self.speeds, dynamic_bodies);
            let before = row.impulse.size;
            let alone = before + row.lack(speed, pushes) / row.ease;
            let size = match row.bound {
                Bound::Least(_) => alone.max(0.0),
                Bound::Friction(friction) => {
                    let most = friction * of_contact;
                    clamp(alone, -most, most)
                }
            };
            of_contact = size;
            if size == before {
                continue;
            }
            let change = size - before;
            is_enough &= change.abs() * row.ease < row.enough;
            row.push(change, entries, &mut self.speeds, dynamic_bodies);
        }
        is_enough
    }

    /// The entries of a row.
    fn entries_of(&self, row: usize) -> &[Lanes] {
        &self.entries[self.width * row..][..self.width]
    }

    /// Solves the rows that push together, as far as all of them go on.
    fn solve_together(
        &mut self,
        pushes: bool,
        only_limits: bool,
        dynamic_bodies: &mut DynamicBodies,
    ) {
        let mut together = std::mem::take(&mut self.together);
        together.rows.clear();
        together.changes.clear();
        for (index, row) in self.rows.iter().enumerate() {
            if only_limits && !row.is_limit() {
                continue;
            }
            if row.room(self.rows[..index].last(), None) > 0.0 {
                let speed = row.speed(self.entries_of(index), &self.speeds, dynamic_bodies);
                together.rows.push(index);
                together.changes.push(row.lack(speed, pushes));
            }
        }
        self.couple(&mut together, dynamic_bodies);
        if cholesky::solve(&mut together.matrix, &mut together.changes) {
            let ways = together.rows.iter().zip(&together.changes);
            let parts = ways.clone().map(|(&index, &change)| {
                let room = self.rows[index].room(self.rows[..index].last(), Some(change));
                room / change.abs()
            });
            let part = parts.fold(1.0, f64::min);
            for (&index, change) in ways {
                let entries = &self.entries[self.width * index..][..self.width];
                self.rows[index].push(part * change, entries, &mut self.speeds, dynamic_bodies);
            }
        }
        self.together = together;
    }

    /// Finds what the impulses of the rows that push do to one another.
    fn couple(&self, together: &mut Together, dynamic_bodies: &DynamicBodies) {
        let Together { rows, matrix, .. } = together;
        matrix.clear();
        for (place, &index) in rows.iter().enumerate() {
            let (row, own) = (&self.rows[index], self.entries_of(index));
            matrix.extend(rows[..place].iter().map(|&other| {
                let both = row.dynamic.zip(self.rows[other].dynamic);
                let through = both.map_or(0.0, |(one, other)| dynamic_bodies.coupling(one, other));
                product(own, self.entries_of(other)) + through
            }));
            matrix.push((1.0 + DAMPING) * row.ease);
            matrix.resize((place + 1) * rows.len(), 0.0);
        }
    }

    /// Takes from the speeds, those of a body that stood still before a step, all that any impulses can take: a row only
    /// pushes, and one that rubs besides pushes along either side of its cone. What is left is the least there can be
    /// (C. F. Gauss), whatever sweeps find. What gives way counts as firm. The rows that were `kept` push at first.
    pub(super) fn bear(&mut self, kept: &[Impulse]) {
        let total = product(&self.speeds, &self.speeds).sqrt();
        self.find_pushes(kept);
        let Together {
            pushes, changes, ..
        } = &self.together;
        let count = changes.len();
        if count == 0 || total == 0.0 {
            return;
        }
        let push = |index: usize| &pushes[self.width * index..][..self.width];
        let problem = &mut self.bearing;
        problem.clear(count);
        problem.upper.fill(f64::INFINITY);
        for (one, least) in changes.iter().enumerate() {
            for other in 0..=one {
                problem.hessian[one * count + other] = product(push(one), push(other));
            }
            problem.hessian[one * (count + 1)] *= 1.0 + BEARING;
            problem.gradient[one] = (product(push(one), &self.speeds) - least) / total;
        }
        if problem.solve() {
            for (index, size) in problem.step.iter().enumerate() {
                add(&mut self.speeds, total * size, push(index));
            }
        }
    }

    /// Finds the directions in which rows push, of unit length, and the least speeds along them.
    fn find_pushes(&mut self, kept: &[Impulse]) {
        let Together {
            pushes, changes, ..
        } = &mut self.together;
        let holds = &mut self.bearing.holds;
        pushes.clear();
        changes.clear();
        holds.clear();
        for (index, row) in self.rows.iter().enumerate() {
            let Bound::Least([_, least]) = row.bound else {
                continue;
            };
            let (own, after) = self.entries[self.width * index..].split_at(self.width);
            let sides: &[f64] = match self.rows.get(index + 1).map(|rub| rub.bound) {
                Some(Bound::Friction(friction)) if friction > 0.0 => &[friction, -friction],
                _ => &[0.0],
            };
            let is_pushing = |it: &Impulse| it.size > 0.0 && it.is_same(&row.impulse);
            let hold = match kept.iter().any(is_pushing) {
                true => BoundState::Free,
                false => BoundState::Lower,
            };
            for side in sides {
                holds.push(hold);
                let first = pushes.len();
                pushes.extend(own);
                let way = &mut pushes[first..];
                if *side != 0.0 {
                    add(way, *side, &after[..self.width]);
                }
                let length = product(way, way).sqrt();
                let entries = way.as_flattened_mut().iter_mut();
                entries.for_each(|it| *it /= length);
                changes.push(least.min(0.0) / length);
            }
        }
    }

    /// Returns `true` if nothing is held.
    pub(super) fn are_idle(&self) -> bool {
        self.rows.iter().all(|row| row.impulse.size == 0.0)
    }

    /// Returns `true` if all that pushes is between its links.
    pub(super) fn are_within(&self) -> bool {
        let mut rows = self.rows.iter();
        rows.all(|row| row.contact.is_none() || row.impulse.size == 0.0)
    }

    /// The forces, for the next step: the impulses over so many seconds. Also those of rows that do not push, so that each is
    /// found where it was.
    pub(super) fn keep(&self, seconds: f64, kept: &mut Vec<Impulse>) {
        kept.clear();
        kept.extend(self.rows.iter().map(|row| row.impulse.over(seconds)));
    }

    /// For each contact that pushes: its number, and its impulses along the normal and across: that on the limb, and that
    /// which is given to the body of the world in this `part` of a tick.
    pub(super) fn contact_impulses(&self, part: f64) -> impl Iterator<Item = (usize, [DVec2; 2])> {
        self.rows.windows(2).filter_map(move |pair| {
            let number = pair[0].contact?;
            let is_pair =
                matches!(pair[0].bound, Bound::Least(_)) && pair[1].contact == Some(number);
            let held = DVec2::new(pair[0].held, pair[1].held);
            let given = DVec2::new(pair[0].given(part), held.y);
            (is_pair && given.x > 0.0).then_some((number, [held, given]))
        })
    }
}

impl Constraint {
    fn is_limit(&self) -> bool {
        self.impulse.of_joint().is_some()
    }

    /// One between links, before it is known how it moves them.
    fn within(bound: Bound, impulse: Impulse, enough: f64) -> Self {
        Self {
            ease: 0.0,
            bound,
            surface: 0.0,
            dynamic: None,
            impulse,
            contact: None,
            yields: 0.0,
            closing: 0.0,
            held: 0.0,
            enough,
        }
    }

    /// The impulse that the body of the world gets. What is carried, and bears this, gets no faster by it than the limb
    /// came; what gives way is pushed out, too.
    fn given(&self, part: f64) -> f64 {
        match (self.dynamic, self.bound) {
            (Some(_), Bound::Least([push, _])) => {
                let most = clamp(push, 0.0, CONTACT.fastest) / self.yields;
                self.held + part * (self.impulse.size - self.held).clamp(0.0, most)
            }
            _ => self.held.min(self.closing / self.yields),
        }
    }

    /// Returns what its speed must be at least, if the surface stands still.
    fn least(&self, pushes: bool) -> f64 {
        match self.bound {
            Bound::Least(least) => least[usize::from(!pushes)],
            Bound::Friction(_) => 0.0,
        }
    }

    /// Returns the amount by which a `speed` is less than it must be.
    fn lack(&self, speed: f64, pushes: bool) -> f64 {
        self.least(pushes) + self.surface - speed
    }

    /// Returns the room that its impulse has in the direction of a `change`, or else in either. It may rub by a part of
    /// the impulse of the row `before`.
    fn room(&self, before: Option<&Self>, change: Option<f64>) -> f64 {
        let size = self.impulse.size;
        match (self.bound, change) {
            (Bound::Least(_), Some(change)) if change > 0.0 => f64::INFINITY,
            (Bound::Least(_), _) => size,
            (Bound::Friction(friction), change) => {
                let most = friction * before.map_or(0.0, |row| row.impulse.size);
                most - change.map_or(size.abs(), |change| size * change.signum())
            }
        }
    }

    // Sweeps call it for row after row, where most of a tick goes.
    #[inline(always)]
    fn speed(&self, entries: &[Lanes], speeds: &[Lanes], dynamic_bodies: &DynamicBodies) -> f64 {
        let of_dynamic = |(body, row)| dynamic_bodies.speed(body, row);
        product(entries, speeds) - self.dynamic.map_or(0.0, of_dynamic)
    }

    /// Changes its impulse.
    // As for the speed.
    #[inline(always)]
    fn push(
        &mut self,
        change: f64,
        entries: &[Lanes],
        speeds: &mut [Lanes],
        dynamic_bodies: &mut DynamicBodies,
    ) {
        self.impulse.size += change;
        add(speeds, change, entries);
        if let Some((body, row)) = self.dynamic {
            dynamic_bodies.push(body, row, -change);
        }
    }
}

fn product(one: &[Lanes], other: &[Lanes]) -> f64 {
    let mut sums = [0.0; LANES];
    for (one, other) in one.iter().zip(other) {
        sums = std::array::from_fn(|lane| sums[lane] + one[lane] * other[lane]);
    }
    (sums[0] + sums[2]) + (sums[1] + sums[3])
}

fn add(sum: &mut [Lanes], factor: f64, vector: &[Lanes]) {
    let entries = vector.as_flattened().iter();
    for (sum, entry) in sum.as_flattened_mut().iter_mut().zip(entries) {
        *sum += factor * entry;
    }
}
