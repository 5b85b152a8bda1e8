//! How a whole foot lies on its ground. The place of it that is put there has a ray, and so has its other end: the heel of
//! a foot on its ball, the toe of another. It lies along what both have found, and on what juts out between them. At a
//! step it stands on the side of its longer part.

use glam::Vec2;

use crate::math::interval::clamp;
use crate::solvers::stance::probe::{Found, Looking, STEEPEST};
use crate::solvers::stance::scene::{Law, Stage};

/// Parts of a foot: what deviates by less from a line is in it, and what juts out between both ends by more is seen.
const LEVEL: f32 = 0.05;
const CLEAR: f32 = 0.12;

/// A foot rises no steeper over an edge, and where both ends are farther from each other there is a step between.
const TILT: f32 = 0.45;
const STEP: f32 = 1.0;

/// So far from the side of a step, or a wall, a foot is put, in units of the skeleton; and what is no higher than this part
/// of the foot is none.
const BESIDE: f32 = 0.5;
const LOW: f32 = 0.15;

/// A foot with a sole: along the ground from its place, and up.
struct Lying<'a> {
    law: &'a Law<'a>,
    place: Vec2,
    /// The way that the hip will have gone.
    lead: Vec2,
    /// The place of its other end, and its extent with heel and toes.
    end: f32,
    span: [f32; 2],
    /// The steepest rise that it may have.
    steepest: f32,
}

/// A contact of a foot with its ground.
#[derive(Clone, Copy)]
struct SoleContact {
    at: Vec2,
    found: Found,
}

/// A straight line that a foot may lie along.
#[derive(Clone, Copy)]
struct Line {
    through: Vec2,
    rise: f32,
}

impl Line {
    fn between(one: Vec2, other: Vec2) -> Self {
        let way = other - one;
        Self {
            through: one,
            rise: way.y / way.x,
        }
    }

    fn height(self, at: f32) -> f32 {
        self.through.y + self.rise * (at - self.through.x)
    }

    /// Returns the height of a place above it.
    fn above(self, place: Vec2) -> f32 {
        place.y - self.height(place.x)
    }
}

impl Lying<'_> {
    fn right(&self) -> Vec2 {
        self.law.up.perp()
    }

    fn contact(&self, found: Found) -> SoleContact {
        let away = found.place - self.place;
        SoleContact {
            at: Vec2::new(away.dot(self.right()), away.dot(self.law.up)),
            found,
        }
    }

    /// The surface of a contact, as if it went on.
    fn line(&self, contact: &SoleContact) -> Line {
        let normal = contact.found.normal;
        Line {
            through: contact.at,
            rise: -normal.dot(self.right()) / normal.dot(self.law.up),
        }
    }

    /// Returns the deviation up to which a contact is in a line.
    fn level(&self) -> f32 {
        LEVEL * self.end.abs()
    }

    /// The ground of a foot that rises so much on some contacts, moved `aside`.
    fn on(&self, contacts: &[SoleContact], rise: f32, aside: f32) -> Option<Found> {
        let rise = clamp(rise, -self.steepest, self.steepest);
        let height = |contact: &SoleContact| contact.at.y - rise * contact.at.x;
        let bearing = contacts.iter().reduce(|one, other| {
            let is_higher = height(other) > height(one) + 1e-3;
            if is_higher { other } else { one }
        })?;
        let normal = (self.law.up - self.right() * rise).normalize_or_zero();
        let along = self.right() * aside + self.law.up * (height(bearing) + rise * aside);
        Some(Found {
            place: self.place + along,
            normal,
            ..bearing.found
        })
    }
}

impl Stage<'_> {
    /// The ground of a foot at `place`, of which `found` is what is below that. The hip will be `lead` farther. One that
    /// `comes` to stand looks at what is between its ends, too, and may be moved aside.
    pub(super) fn lie(
        &mut self,
        looking: &mut Looking<'_>,
        [place, lead]: [Vec2; 2],
        found: Option<Found>,
        comes: bool,
    ) -> Option<Found> {
        let leg = &looking.walker.leg;
        let Some(sole) = leg.sole.filter(|sole| sole.is_flat) else {
            return found;
        };
        let lying = Lying {
            law: self.law,
            place,
            lead,
            end: sole.other,
            span: sole.span,
            steepest: libm::tanf(leg.settings.max_slope.clamp(0.0, 1.5)),
        };
        let own = found.map(|found| lying.contact(found));
        let other = self.touch(&lying, looking, lying.end);
        let found = match [own, other] {
            [Some(own), Some(other)] => self.lie_on_both(&lying, looking, [own, other], comes),
            [Some(_), None] => found,
            // Half of it is enough to stand on.
            [None, end] => {
                let middle = self.touch(&lying, looking, 0.5 * lying.end)?;
                let line = lying.line(&end.unwrap_or(middle));
                let holds = line.above(middle.at).abs() <= 2.0 * lying.level();
                let rise = if holds { line.rise } else { 0.0 };
                lying.on(
                    &[middle, end.filter(|_| holds).unwrap_or(middle)],
                    rise,
                    0.0,
                )
            }
        };
        match comes {
            true => Some(self.lie_beside(&lying, looking, found?, [own, other])),
            false => found,
        }
    }

    /// Returns the contact with what is below a place of the foot.
    fn touch(
        &mut self,
        lying: &Lying<'_>,
        looking: &mut Looking<'_>,
        along: f32,
    ) -> Option<SoleContact> {
        let held = looking.foot.held;
        let along = lying.right() * along;
        // As deep as the leg reaches where the foot is put.
        let place = lying.place + along;
        let probe = self.probe(looking, place, false, lying.lead + along);
        looking.foot.held = held;
        let is_within = |found: &Found| lying.law.is_within_search(found.place - lying.lead);
        let ground = probe.ground.filter(is_within);
        ground.map(|found| lying.contact(found))
    }

    /// Finds what juts out along a line, from one place along the ground to another: its side, and its top if that is
    /// ground.
    fn between(
        &mut self,
        lying: &Lying<'_>,
        looking: &mut Looking<'_>,
        line: Line,
        ends: [f32; 2],
    ) -> Option<(SoleContact, Option<SoleContact>)> {
        let [from, to] = ends.map(|at| {
            let height = line.height(at) + CLEAR * lying.end.abs();
            lying.place + lying.right() * at + self.up * height
        });
        let side = self.cast(looking, [from, to], true)?;
        (side.normal != Vec2::ZERO).then_some(())?;
        let side = lying.contact(side);
        let beyond = side.at.x + 1.5_f32.copysign((to - from).dot(lying.right()));
        let top = self.touch(lying, looking, beyond).map(|top| SoleContact {
            at: Vec2::new(side.at.x, top.at.y),
            ..top
        });
        Some((side, top))
    }

    /// Returns the place of the wall that a foot on its ground comes to be in, seen from one end of it to the other.
    fn wall(
        &mut self,
        lying: &Lying<'_>,
        looking: &mut Looking<'_>,
        own: &SoleContact,
        ends: [f32; 2],
    ) -> Option<f32> {
        let line = lying.line(own);
        let ends = ends.map(|end| own.at.x + end);
        let (side, top) = self.between(lying, looking, line, ends)?;
        let is_slope = side.found.normal.dot(self.up) > STEEPEST;
        let low = LOW * (ends[1] - ends[0]).abs();
        let is_low = top.is_some_and(|top| line.above(top.at) <= low);
        (!is_slope && !is_low).then_some(side.at.x)
    }

    /// A foot of which no more than half comes to be in a wall stands beside that; between two that are nearer to each
    /// other than it is long, on the higher one of its ends.
    fn lie_beside(
        &mut self,
        lying: &Lying<'_>,
        looking: &mut Looking<'_>,
        found: Found,
        ends: [Option<SoleContact>; 2],
    ) -> Found {
        let ([back, front], own) = (lying.span, lying.contact(found));
        let ways = [[front, back], [back, front]];
        let wall = ways.into_iter().find_map(|ends| {
            let wall = self.wall(lying, looking, &own, ends)?;
            Some((ends, wall - ends[1] - BESIDE.copysign(ends[1] - ends[0])))
        });
        let Some(([from, to], aside)) = wall else {
            return found;
        };
        let has_room = aside.abs() <= 0.5 * (front - back);
        let beside = lying.on(&[own], lying.line(&own).rise, aside);
        if let Some(beside) = beside.filter(|_| has_room) {
            let moved = lying.contact(beside);
            if self.wall(lying, looking, &moved, [to, from]).is_none() {
                return beside;
            }
        }
        let higher = ends.into_iter().flatten();
        let higher = higher.filter(|end| end.at.y > own.at.y + lying.level());
        let higher = higher.max_by(|one, other| one.at.y.total_cmp(&other.at.y));
        let higher = higher.and_then(|higher| lying.on(&[higher], 0.0, 0.0));
        higher.unwrap_or(found)
    }

    /// Returns the slope of the ground below the toes of a foot on its ground, where the hip will be `lead` farther, in
    /// radians.
    pub(super) fn toe_slope(
        &mut self,
        looking: &mut Looking<'_>,
        found: &Found,
        lead: Vec2,
    ) -> Option<f32> {
        let [ball, end] = looking.walker.leg.toes?;
        let lying = Lying {
            law: self.law,
            place: found.place,
            lead,
            end,
            span: [0.0; 2],
            steepest: f32::INFINITY,
        };
        let foot = lying.line(&lying.contact(*found));
        let ball = Vec2::new(ball, foot.height(ball));
        let toe = self.touch(&lying, looking, end)?;
        let line = Line::between(ball, toe.at);
        let is_in_line = line.rise.abs() <= STEP
            && (foot.above(toe.at) >= -lying.level() || {
                // They reach over an edge.
                let middle = self.touch(&lying, looking, 0.5 * (ball.x + end))?;
                line.above(middle.at).abs() <= 2.0 * lying.level()
            });
        is_in_line.then(|| -libm::atanf(line.rise))
    }

    fn lie_on_both(
        &mut self,
        lying: &Lying<'_>,
        looking: &mut Looking<'_>,
        [own, other]: [SoleContact; 2],
        comes: bool,
    ) -> Option<Found> {
        let [own_line, other_line] = [own, other].map(|contact| lying.line(&contact));
        let line = Line::between(own.at, other.at);
        let [over_own, over_other] = [own_line.above(other.at), other_line.above(own.at)];
        let is_flat = over_own.abs().max(over_other.abs()) <= lying.level();
        let is_held_higher = looking.foot.plant.is_some() && line.height(0.0) < -0.25;
        let between = match comes || is_held_higher || !is_flat {
            // Seen from the lower end.
            true => match own.at.y <= other.at.y {
                true => self.between(lying, looking, own_line, [own.at.x, other.at.x]),
                false => self.between(lying, looking, other_line, [other.at.x, own.at.x]),
            },
            false => None,
        };
        let is_step = over_own * over_other < 0.0;
        let top = between.and_then(|(_, top)| top);
        if let Some(top) = top.filter(|top| is_step || line.above(top.at) > lying.level()) {
            return self.lie_over(lying, [own, other], top, comes);
        }
        if is_flat && own_line.rise.abs() <= lying.steepest {
            return Some(own.found);
        }
        if line.rise.abs() > STEP {
            return Some(own.found);
        }
        let mut crest = own;
        if over_own < 0.0
            && over_other < 0.0
            && let Some(middle) = self.touch(lying, looking, 0.5 * lying.end)
        {
            // Its ground rises to a crest between them, which a sole yields to a little.
            crest = middle;
            crest.at.y -= 0.5 * lying.level();
        }
        lying.on(&[own, other, crest], line.rise, 0.0)
    }

    /// A foot over what juts out between its ends.
    fn lie_over(
        &self,
        lying: &Lying<'_>,
        ends: [SoleContact; 2],
        top: SoleContact,
        comes: bool,
    ) -> Option<Found> {
        // Its longer part is on this side.
        let [back, front] = lying.span;
        let middle = 0.5 * (back + front) - top.at.x;
        let is_on_own = middle * (ends[0].at.x - top.at.x) > 0.0;
        let [near, far] = if is_on_own { ends } else { [ends[1], ends[0]] };
        let tilt = Line::between(top.at, near.at);
        if tilt.rise.abs() <= TILT {
            return lying.on(&[top, near], tilt.rise, 0.0);
        }
        let near_line = lying.line(&near);
        if near.at.y > top.at.y {
            return lying.on(&[near], near_line.rise, 0.0);
        }
        let is_step = far.at.y >= top.at.y - 2.0 * lying.level();
        match (is_step, comes) {
            (true, true) => {
                let end = if far.at.x > top.at.x { front } else { back };
                let aside = top.at.x - end;
                lying.on(&[near], near_line.rise, aside + BESIDE.copysign(aside))
            }
            // It was put there.
            (true, false) if top.at.y.abs() <= lying.level() => lying.on(&[top], 0.0, 0.0),
            (true, false) => Some(ends[0].found),
            (false, _) => lying.on(&[top], lying.line(&top).rise, 0.0),
        }
    }
}
