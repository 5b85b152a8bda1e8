//! What a body must not do: sink into things, slide where it sticks, turn past limits. One row each.
//!
//! A row says how fast something changes with the speeds of the body, and what that must not fall below. Rows
//! are solved by projected Gauss-Seidel, which goes on from the impulses of the step before. It finds soon which
//! rows push, but it is slow where limbs hang in their limits. So after some sweeps, the equations of the rows that
//! push are solved together, as far as all of them go on (subspace minimization). It works on
//! `w = L u`, where `L` is the factor of the matrix of the step: there, a row has entries along the path of its
//! link only, and what one impulse does to another row is a product of two short vectors.
//!
//! A gap that the step does not use up pushes nothing, so contacts may be found ahead of the motion. What is
//! too deep is pushed out by a motion that does not become speed: the first sweeps give the speed that is kept, and further
//! ones push. Where two rows cannot both push, as in a gap that is too narrow, their impulses are so not kept, and do not
//! grow.
//!
//! Source: M. Silcowitz, S. Niebe, K. Erleben, *Projected Gauss-Seidel subspace minimization method for interactive
//! rigid body dynamics* (2010), for solving together; how far that goes is Tendon's.

use std::ops::Range;

use glam::{DMat2, DVec2};

use crate::math::bounded::{Hold, Problem};
use crate::math::cholesky;
use crate::math::interval::clamp;
use crate::solvers::ragdoll::body::Body;
use crate::solvers::ragdoll::contact::Contact;
use crate::solvers::ragdoll::figure::Figure;
use crate::solvers::ragdoll::foreign::Foreigners;
use crate::solvers::ragdoll::matrix::Matrix;
use crate::solvers::ragdoll::motion::Impulse;
use crate::solvers::ragdoll::terrain::Ground;

/// The greatest number of sweeps at first, and after the rows that push were solved together, and the number of these
/// rounds.
const FIRST_SWEEPS: usize = 10;
const SWEEPS: usize = 3;
const ROUNDS: usize = 4;

/// Equations that are solved together are damped by this part of what an impulse does to its row: they may contradict one
/// another.
const DAMPING: f64 = 1e-3;

/// The same where only what they leave is asked.
const BEARING: f64 = 1e-7;

/// For so many pushes for each coordinate there is room from the beginning.
const PUSHES: usize = 8;

/// The part of the impulses of the step before with which a step begins: those that only press against one another
/// fade.
const WARM: f64 = 0.95;

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
    Rub(f64),
}

#[derive(Clone, Debug)]
struct Row {
    entries: Range<usize>,
    /// The change of its speed by an impulse of 1.
    ease: f64,
    bound: Bound,
    /// The speed of the surface itself.
    surface: f64,
    /// The body that it pushes back, and by what of its three coordinates.
    foreign: Option<(usize, [f64; 3])>,
    impulse: Impulse,
    /// The contact with the world that it belongs to.
    contact: Option<usize>,
    /// A change of its speed that is none.
    enough: f64,
}

/// The rows of a step. Keeps its memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Rows {
    rows: Vec<Row>,
    entries: Vec<Entry>,
    together: Together,
    bearing: Problem,
}

/// A coordinate, and how much a row has of it.
pub(super) type Entry = (usize, f64);

/// The equations of the rows that push.
#[derive(Clone, Debug, Default)]
struct Together {
    rows: Vec<usize>,
    matrix: Vec<f64>,
    /// The amounts by which the speeds of the rows are less than they must be, and then the changes of their impulses.
    changes: Vec<f64>,
    /// A row with an entry for each coordinate of the body.
    dense: Vec<f64>,
}

/// A step in which rows are made.
#[derive(Clone, Copy)]
pub(super) struct Step<'a> {
    pub(super) body: &'a Body,
    pub(super) figure: &'a Figure,
    /// The body in the middle of it, which is that of the factor: what a speed means differs between two turns.
    pub(super) middle: &'a Figure,
    pub(super) factor: &'a Matrix,
    /// The speeds before it.
    pub(super) rates: &'a [f64],
    pub(super) seconds: f64,
    /// The linear part of the skeleton's global transform.
    pub(super) to_global: DMat2,
    /// The friction of the limbs.
    pub(super) friction: f64,
    /// The direction of gravity in global space, zero without.
    pub(super) down: DVec2,
}

impl<'a> Step<'a> {
    /// Returns the derivative of `place`, a point of a link before the step, by each coordinate above that: in the
    /// order of its path.
    fn columns(self, link: usize, place: DVec2) -> impl Iterator<Item = DVec2> + 'a {
        let Figure { turns, joints, .. } = self.figure;
        let arm = place - joints[link];
        let local = DVec2::new(turns[link].dot(arm), turns[link].perp_dot(arm));
        let place = self.middle.point(link, local);
        self.middle.columns(self.body, link, place)
    }
}

/// A place where two links are near one another, in skeleton space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Meeting {
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
pub(crate) struct Surface {
    pub(crate) friction: f64,
    pub(crate) bounce: f64,
}

impl Rows {
    /// Makes room for what is not needed in each pass, for a body with so many coordinates.
    pub(super) fn make_room(&mut self, coordinates: usize) {
        let pushes = PUSHES * coordinates;
        self.rows.reserve(pushes.saturating_sub(self.rows.len()));
        self.entries
            .reserve((pushes * coordinates).saturating_sub(self.entries.len()));
        let Together {
            rows,
            matrix,
            dense,
            changes,
        } = &mut self.together;
        rows.reserve(pushes.saturating_sub(rows.len()));
        matrix.reserve((pushes * pushes / 4).saturating_sub(matrix.len()));
        dense.reserve((pushes * coordinates).saturating_sub(dense.len()));
        changes.reserve(pushes.saturating_sub(changes.len()));
        if self.bearing.holds.capacity() < pushes {
            self.bearing.reserve(pushes);
        }
    }

    pub(super) fn clear(&mut self) {
        self.rows.clear();
        self.entries.clear();
    }

    /// Adds a row whose entries are those from `first` on.
    fn push(&mut self, step: Step<'_>, first: usize, row: Row) {
        let entries = first..self.entries.len();
        let own = &mut self.entries[entries.clone()];
        step.factor.solve_path_upwards(step.body, own);
        let ease: f64 = own.iter().map(|(_, entry)| entry * entry).sum();
        let ease = ease + row.ease;
        if ease > 0.0 {
            self.rows.push(Row {
                entries,
                ease,
                ..row
            });
        } else {
            self.entries.truncate(first);
        }
    }

    /// Adds the two rows of a contact: it does not sink in, and rubs.
    pub(super) fn push_contact(
        &mut self,
        step: Step<'_>,
        (number, contact, is_squeezed): (usize, &Contact, bool),
        ground: &Ground,
        foreigners: &Foreigners,
        own: Surface,
        place: DVec2,
    ) {
        let solid = &ground.solid;
        let link = contact.link;
        let moved = step.to_global * step.figure.speed(step.body, link, place, step.rates);
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
        let foreign = foreigners.find(solid.body);
        for (direction, bound) in [
            (contact.normal, Bound::Least(least)),
            (contact.normal.perp(), Bound::Rub(friction)),
        ] {
            let first = self.entries.len();
            let seen = step.to_global.transpose() * direction;
            let columns = step.columns(link, place);
            for (&index, column) in step.body.path(step.body.angle(link)).iter().zip(columns) {
                self.entries.push((index, seen.dot(column)));
            }
            let rubs = matches!(bound, Bound::Rub(_));
            let speed = match rubs || solid.moves {
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
            let foreign =
                foreign.map(|body| (body, foreigners.row(body, contact.point, direction)));
            let row = Row {
                entries: 0..0,
                ease: foreign.map_or(0.0, |(body, row)| {
                    foreigners.coupling((body, row), (body, row))
                }),
                bound,
                surface: if foreign.is_some() { 0.0 } else { speed },
                foreign,
                impulse: Impulse::of_contact(link, solid, contact.feature, rubs),
                contact: Some(number),
                enough: ENOUGH,
            };
            self.push(step, first, row);
        }
    }

    /// Adds the row of one end of a limit of a link against the one above it, or in skeleton space.
    pub(super) fn push_limit(
        &mut self,
        step: Step<'_>,
        (link, above): (usize, Option<usize>),
        gap: f64,
        sign: f64,
    ) {
        let first = self.entries.len();
        let (own, above) = (
            step.body.angle(link),
            above.map(|above| step.body.angle(above)),
        );
        for &index in step.body.path(own) {
            let entry = match index {
                _ if index == own => sign,
                _ if Some(index) == above => -sign,
                _ => 0.0,
            };
            self.entries.push((index, entry));
        }
        let row = Row {
            entries: 0..0,
            ease: 0.0,
            bound: Bound::Least(LIMIT.least_speeds(gap, step.seconds)),
            surface: 0.0,
            foreign: None,
            impulse: Impulse::of_limit(link, sign > 0.0),
            contact: None,
            enough: ENOUGH_TURN,
        };
        self.push(step, first, row);
    }

    /// Adds the two rows of two links that touch one another, in pixels. `unit`: how many a skeleton unit has.
    pub(super) fn push_meeting(&mut self, step: Step<'_>, meeting: &Meeting, unit: f64) {
        let least = CONTACT.least_speeds(unit * meeting.gap, step.seconds);
        for (direction, bound) in [
            (meeting.normal, Bound::Least(least)),
            (meeting.normal.perp(), Bound::Rub(step.friction)),
        ] {
            let first = self.entries.len();
            let [one, other] = [0, 1].map(|index| {
                let (link, place) = (meeting.links[index], meeting.points[index]);
                let columns = step.columns(link, place);
                let path = step.body.path(step.body.angle(link)).iter().copied();
                path.zip(columns).peekable()
            });
            let (mut one, mut other) = (one, other);
            // Both paths go to their roots, by descending coordinates.
            let next = |entry: Option<&(usize, DVec2)>| entry.map(|&(index, _)| index);
            while let Some(index) = next(one.peek()).max(next(other.peek())) {
                let own = one.next_if(|entry| entry.0 == index);
                let against = other.next_if(|entry| entry.0 == index);
                let column = own.map_or(DVec2::ZERO, |entry| entry.1)
                    - against.map_or(DVec2::ZERO, |entry| entry.1);
                self.entries.push((index, unit * direction.dot(column)));
            }
            let rubs = matches!(bound, Bound::Rub(_));
            let row = Row {
                entries: 0..0,
                ease: 0.0,
                bound,
                surface: 0.0,
                foreign: None,
                impulse: Impulse::of_meeting(meeting.links, meeting.end, rubs),
                contact: None,
                enough: ENOUGH,
            };
            self.push(step, first, row);
        }
    }

    /// Returns `true` if there is a row of that end of the limit of a link.
    pub(super) fn have_limit(&self, link: usize, sign: f64) -> bool {
        let wanted = Impulse::of_limit(link, sign > 0.0);
        self.rows.iter().any(|row| row.impulse.is_same(&wanted))
    }

    /// Goes on from the impulses of the step before.
    pub(super) fn warm(
        &mut self,
        kept: &[Impulse],
        speeds: &mut [f64],
        foreigners: &mut Foreigners,
    ) {
        let mut next = 0;
        for row in &mut self.rows {
            // Mostly they come in the order of the step before.
            let mut places = (0..kept.len()).map(|ahead| (next + ahead) % kept.len());
            let Some(place) = places.find(|&place| kept[place].is_same(&row.impulse)) else {
                continue;
            };
            next = place + 1;
            let size = WARM * kept[place].size;
            row.impulse.size = size;
            row.push(&self.entries, size, speeds, foreigners);
        }
    }

    /// Finds the impulses, with the push or without. `speeds` are those of the body, times the factor.
    pub(super) fn solve(&mut self, pushes: bool, speeds: &mut [f64], foreigners: &mut Foreigners) {
        let mut sweeps = FIRST_SWEEPS;
        for _ in 0..ROUNDS {
            if (0..sweeps).any(|_| self.sweep(pushes, speeds, foreigners)) {
                return;
            }
            self.solve_together(pushes, speeds, foreigners);
            sweeps = SWEEPS;
        }
        (0..sweeps).any(|_| self.sweep(pushes, speeds, foreigners));
    }

    /// Sweeps over the rows once. Returns whether that was enough.
    fn sweep(&mut self, pushes: bool, speeds: &mut [f64], foreigners: &mut Foreigners) -> bool {
        let mut is_enough = true;
        let mut of_contact = 0.0;
        for row in &mut self.rows {
            let speed = row.speed(&self.entries, speeds, foreigners);
            let before = row.impulse.size;
            let alone = before + row.lack(speed, pushes) / row.ease;
            let size = match row.bound {
                Bound::Least(_) => alone.max(0.0),
                Bound::Rub(friction) => {
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
            row.impulse.size = size;
            row.push(&self.entries, change, speeds, foreigners);
        }
        is_enough
    }

    /// Solves the rows that push together, as far as all of them go on.
    fn solve_together(&mut self, pushes: bool, speeds: &mut [f64], foreigners: &mut Foreigners) {
        let together = &mut self.together;
        together.rows.clear();
        together.changes.clear();
        for (index, row) in self.rows.iter().enumerate() {
            if row.room(self.rows[..index].last(), None) > 0.0 {
                let speed = row.speed(&self.entries, speeds, foreigners);
                together.rows.push(index);
                together.changes.push(row.lack(speed, pushes));
            }
        }
        self.couple(speeds.len(), foreigners);
        let together = &mut self.together;
        if !cholesky::solve(&mut together.matrix, &mut together.changes) {
            return;
        }
        let ways = together.rows.iter().zip(&together.changes);
        let parts = ways.clone().map(|(&index, &change)| {
            let room = self.rows[index].room(self.rows[..index].last(), Some(change));
            room / change.abs()
        });
        let part = parts.fold(1.0, f64::min);
        for (&index, change) in ways {
            let row = &mut self.rows[index];
            row.impulse.size += part * change;
            let change = part * change;
            row.push(&self.entries, change, speeds, foreigners);
        }
    }

    /// Finds what the impulses of the rows that push do to one another. The body has so many `coordinates`.
    fn couple(&mut self, coordinates: usize, foreigners: &Foreigners) {
        let together = &mut self.together;
        together.matrix.clear();
        together.dense.clear();
        together.dense.resize(coordinates, 0.0);
        for (place, &index) in together.rows.iter().enumerate() {
            let row = &self.rows[index];
            for &(index, entry) in row.entries(&self.entries) {
                together.dense[index] = entry;
            }
            for &other in &together.rows[..place] {
                let other = &self.rows[other];
                let dense = &together.dense;
                let entries = other.entries(&self.entries).iter();
                let products = entries.map(|&(index, entry)| entry * dense[index]);
                let both = row.foreign.zip(other.foreign);
                let through = both.map_or(0.0, |(one, other)| foreigners.coupling(one, other));
                together.matrix.push(products.sum::<f64>() + through);
            }
            together.matrix.push((1.0 + DAMPING) * row.ease);
            let width = together.rows.len();
            together.matrix.resize((place + 1) * width, 0.0);
            for &(index, _) in row.entries(&self.entries) {
                together.dense[index] = 0.0;
            }
        }
    }

    /// Takes from `speeds`, those of a body that stood still before a step, times the factor, all that any impulses can take: a
    /// row only pushes, and one that rubs besides pushes along either side of its cone. What is left is the least there can
    /// be (C. F. Gauss), whatever sweeps find. What gives way counts as firm.
    pub(super) fn bear(&mut self, speeds: &mut [f64]) {
        let total = speeds.iter().map(|it| it * it).sum::<f64>().sqrt();
        let count = self.find_pushes(speeds.len());
        if count == 0 || total == 0.0 {
            return;
        }
        let Together { dense, changes, .. } = &self.together;
        let push = |index: usize| &dense[speeds.len() * index..][..speeds.len()];
        let product = |one: &[f64], other: &[f64]| -> f64 {
            one.iter().zip(other).map(|(one, other)| one * other).sum()
        };
        let problem = &mut self.bearing;
        problem.clear(count);
        problem.upper.fill(f64::INFINITY);
        problem.holds.clear();
        problem.holds.resize(count, Hold::Lower);
        for (one, least) in changes.iter().enumerate() {
            for other in 0..=one {
                problem.hessian[one * count + other] = product(push(one), push(other));
            }
            problem.hessian[one * (count + 1)] *= 1.0 + BEARING;
            problem.gradient[one] = (product(push(one), speeds) - least) / total;
        }
        if problem.solve_from_zero() {
            for (index, size) in problem.step.iter().enumerate() {
                let push = dense[speeds.len() * index..].iter();
                let pairs = speeds.iter_mut().zip(push);
                pairs.for_each(|(speed, entry)| *speed += total * size * entry);
            }
        }
    }

    /// Finds the directions in which rows push, of unit length, and the least speeds along them. Returns how many there are.
    fn find_pushes(&mut self, coordinates: usize) -> usize {
        let Together { dense, changes, .. } = &mut self.together;
        dense.clear();
        changes.clear();
        for (index, row) in self.rows.iter().enumerate() {
            let Bound::Least([_, least]) = row.bound else {
                continue;
            };
            let friction = match self.rows.get(index + 1).map(|rub| rub.bound) {
                Some(Bound::Rub(friction)) => friction,
                _ => 0.0,
            };
            let sides: &[f64] = if friction > 0.0 { &[1.0, -1.0] } else { &[1.0] };
            for side in sides {
                let first = dense.len();
                dense.resize(first + coordinates, 0.0);
                let own = &mut dense[first..];
                for &(index, entry) in row.entries(&self.entries) {
                    own[index] += entry;
                }
                let rubs = self.rows[index + 1..]
                    .iter()
                    .take(usize::from(friction > 0.0));
                for &(index, entry) in rubs.flat_map(|rub| rub.entries(&self.entries)) {
                    own[index] += side * friction * entry;
                }
                let length = own.iter().map(|it| it * it).sum::<f64>().sqrt();
                own.iter_mut().for_each(|it| *it /= length);
                changes.push(least.min(0.0) / length);
            }
        }
        changes.len()
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

    /// The impulses, for the next step.
    pub(super) fn keep(&self, kept: &mut Vec<Impulse>) {
        kept.clear();
        let pushing = self.rows.iter().filter(|row| row.impulse.size != 0.0);
        kept.extend(pushing.map(|row| row.impulse));
    }

    /// For each contact that pushes: its number, and its impulse along the normal and across.
    pub(super) fn contact_impulses(&self) -> impl Iterator<Item = (usize, DVec2)> {
        self.rows.windows(2).filter_map(|pair| {
            let number = pair[0].contact?;
            let is_pair =
                matches!(pair[0].bound, Bound::Least(_)) && pair[1].contact == Some(number);
            let impulse = DVec2::new(pair[0].impulse.size, pair[1].impulse.size);
            (is_pair && impulse.x > 0.0).then_some((number, impulse))
        })
    }
}

impl Row {
    /// Returns the amount by which a `speed` is less than it must be.
    fn lack(&self, speed: f64, pushes: bool) -> f64 {
        let least = match self.bound {
            Bound::Least(least) => least[usize::from(!pushes)],
            Bound::Rub(_) => 0.0,
        };
        least + self.surface - speed
    }

    /// Returns the room that its impulse has in the direction of a `change`, or else in either. It may rub by a part of
    /// the impulse of the row `before`.
    fn room(&self, before: Option<&Self>, change: Option<f64>) -> f64 {
        let size = self.impulse.size;
        match (self.bound, change) {
            (Bound::Least(_), Some(change)) if change > 0.0 => f64::INFINITY,
            (Bound::Least(_), _) => size,
            (Bound::Rub(friction), change) => {
                let most = friction * before.map_or(0.0, |row| row.impulse.size);
                most - change.map_or(size.abs(), |change| size * change.signum())
            }
        }
    }

    /// Its own among all `entries`.
    fn entries<'a>(&self, entries: &'a [Entry]) -> &'a [Entry] {
        &entries[self.entries.clone()]
    }

    // Sweeps call it for row after row, where most of a tick goes.
    #[inline(always)]
    fn speed(&self, entries: &[Entry], speeds: &[f64], foreigners: &Foreigners) -> f64 {
        let own = self.entries(entries).iter();
        let sum: f64 = own.map(|&(index, entry)| entry * speeds[index]).sum();
        sum - self
            .foreign
            .map_or(0.0, |(body, row)| foreigners.speed(body, row))
    }

    // As for the speed.
    #[inline(always)]
    fn push(&self, entries: &[Entry], size: f64, speeds: &mut [f64], foreigners: &mut Foreigners) {
        for &(index, entry) in self.entries(entries) {
            speeds[index] += size * entry;
        }
        if let Some((body, row)) = self.foreign {
            foreigners.push(body, row, -size);
        }
    }
}
