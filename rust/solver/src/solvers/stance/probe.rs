//! Where ground is: the rays of a foot, from its hip.
//!
//! A ray is cast in the server's world of what carries the character, and what it meets is carried to where
//! that is drawn. A surface that moves otherwise is asked once more in its own world. A one-way surface
//! counts for a foot that comes from above.

use glam::{Affine2, Vec2};

use crate::solvers::stance::foot::FootMemory;
use crate::solvers::stance::leg::Leg;
use crate::solvers::stance::scene::{Law, Stage};
use crate::solvers::stance::tilt::Carriage;
use crate::solvers::stance::world::{Hit, PosedFoot, Surface};

/// Ground holds a foot where its normal has at least this part along `up`.
pub(super) const STEEPEST: f32 = 0.35;

/// A foot that is this far below a one-way surface has come from above, in units of the skeleton.
const TOUCH: f32 = 1.0;

/// The depth up to which a one-way surface goes on to hold a foot, as a part of the leg.
const SUNK: f32 = 0.25;

/// The greatest number of surfaces that a ray passes.
const MOST_PASSED: usize = 4;

/// The distance from a wall of a place that it allows, in units of the skeleton.
const CLEARANCE: f32 = 1.5;

/// A surface that a ray has met. All in skeleton space.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    pub(super) surface: Surface,
    pub(super) place: Vec2,
    /// Away from it; zero if the ray began inside.
    pub(super) normal: Vec2,
    /// The place where the ray has met it: a whole foot may be put elsewhere.
    pub(super) touch: Vec2,
}

/// A leg in a tick, with its hip where the pelvis has it.
#[derive(Clone, Copy)]
pub(super) struct Walker {
    pub(super) index: usize,
    pub(super) leg: Leg,
    pub(super) posed: PosedFoot,
    /// The place of its foot in the animation, or in the rest pose.
    pub(super) unplaced: Vec2,
    /// The greatest descent of the pelvis for it.
    pub(super) room: f32,
}

/// Its foot, for which ground is looked for.
pub(super) struct Looking<'a> {
    pub(super) foot: &'a mut FootMemory,
    pub(super) walker: &'a Walker,
}

impl<'a> Stage<'a> {
    /// The legs that there are, with their hips as the pelvis carries them.
    pub(super) fn walkers(&self, carriage: Carriage) -> impl Iterator<Item = Walker> + use<'a> {
        let (law, posed) = (self.law, self.posed);
        (0..posed.len()).filter_map(move |index| {
            let (leg, posed) = (law.legs[index]?, posed[index]?);
            let hip = law.turned_by(posed.hip, carriage.turn) + carriage.shift;
            Some(Walker {
                index,
                leg,
                posed: PosedFoot { hip, ..posed },
                unplaced: law.gait.map_or(posed.sole, |_| leg.home),
                room: carriage.room,
            })
        })
    }
}

impl Walker {
    pub(super) fn looking<'a>(&'a self, foot: &'a mut FootMemory) -> Looking<'a> {
        Looking { foot, walker: self }
    }
}

/// The surfaces below a place.
pub(super) struct Probe {
    pub(super) ground: Option<Found>,
    /// The surface there, also where no foot can stand.
    pub(super) met: Option<Found>,
    /// `true` if a wall is between the hip and the place.
    pub(super) is_walled: bool,
    /// `true` if the place is below ground that is higher than the hip.
    pub(super) is_buried: bool,
}

impl FootMemory {
    /// Notes the ground below it, for as long as it is not on it.
    pub(super) fn note_below(&mut self, law: &Law<'_>, found: Option<&Found>) {
        let found = found.filter(|found| law.is_within_search(found.place));
        self.below = found.map(|found| found.place);
    }
}

impl Stage<'_> {
    /// The nearest surface between two places that counts for the foot. `is_sight`: whatever is solid.
    pub(super) fn cast(
        &mut self,
        looking: &mut Looking<'_>,
        ends: [Vec2; 2],
        is_sight: bool,
    ) -> Option<Found> {
        let mut back = looking.foot.back.unwrap_or(self.back);
        let [mut from, mut to] = ends.map(|end| self.in_server(back, end));
        let mut from_inside = true;
        for again in 0..MOST_PASSED {
            let hit = self.world.cast(from, to, from_inside)?;
            let own = hit.surface.shift();
            let is_elsewhere = own.translation.distance_squared(back.translation) > 0.25;
            if again == 0 && is_elsewhere {
                back = own;
                [from, to] = ends.map(|end| self.in_server(back, end));
                continue;
            }
            // What does not move with the surface that was met first is not there: it would have been first.
            let found = self.found(&hit, back)?;
            if !is_elsewhere && !hit.is_one_way {
                return Some(found);
            }
            let is_floor = !is_sight && !is_elsewhere && found.normal != Vec2::ZERO;
            if is_floor && self.holds_from_above(looking, &found) {
                return Some(found);
            }
            from = hit.position + (to - hit.position).normalize_or_zero() * 0.1;
            from_inside = false;
        }
        None
    }

    /// The top of what lies between two places, seen from a little above the first.
    pub(super) fn top_between(
        &mut self,
        looking: &mut Looking<'_>,
        ends: [Vec2; 2],
        clear: f32,
    ) -> Option<Vec2> {
        let [from, to] = ends.map(|end| end + self.up * clear);
        let side = self.cast(looking, [from, to], true)?;
        if side.normal == Vec2::ZERO {
            return None;
        }
        let beyond = side.place + (to - from).normalize_or_zero() * CLEARANCE;
        Some(self.probe(looking, beyond, false, Vec2::ZERO).met?.place)
    }

    /// Returns `true` if a one-way surface counts for the foot.
    fn holds_from_above(&self, looking: &mut Looking<'_>, found: &Found) -> bool {
        let deep = (found.place - looking.walker.unplaced).dot(self.up);
        let body = found.surface.body;
        let held = looking.foot.held == Some(body);
        let sunk = SUNK * looking.walker.leg.reach;
        let is_held = held && deep <= sunk && !self.is_falling;
        if self.floors.contains(&body) || deep <= TOUCH || is_held {
            looking.foot.held = Some(body);
            return true;
        }
        if held {
            looking.foot.held = None;
        }
        false
    }

    fn in_server(&self, back: Affine2, place: Vec2) -> Vec2 {
        let drawn = self.frame.transform_point2(place);
        match back == Affine2::IDENTITY {
            true => drawn,
            false => back.inverse().transform_point2(drawn),
        }
    }

    fn found(&self, hit: &Hit, back: Affine2) -> Option<Found> {
        let drawn = back.transform_point2(hit.position);
        let place = self.inverse.transform_point2(drawn);
        let seen = |way| self.inverse.transform_vector2(back.transform_vector2(way));
        let across = seen(hit.normal.perp()).perp().normalize_or_zero();
        let normal = across * 1.0_f32.copysign(across.dot(seen(hit.normal)));
        (place.is_finite() && normal.is_finite()).then_some(Found {
            surface: hit.surface,
            place,
            normal,
            touch: place,
        })
    }

    /// The ground below a place. If it `is_seen` from the hip: walls draw the place to it. `lead` is how far the
    /// hip will have gone by then.
    pub(super) fn probe(
        &mut self,
        looking: &mut Looking<'_>,
        place: Vec2,
        is_seen: bool,
        lead: Vec2,
    ) -> Probe {
        let hip = looking.walker.posed.hip;
        // A body that its feet have raised or tilted into a ceiling does not look from within that.
        let raised = (hip - looking.walker.leg.hip).dot(self.up).max(0.0);
        let eye = hip - self.up * raised;
        let mut probe = Probe {
            ground: None,
            met: None,
            is_walled: false,
            is_buried: false,
        };
        if self.is_airborne {
            return probe;
        }
        let mut top = place + self.up * (eye + lead - place).dot(self.up);
        if is_seen && top.distance_squared(eye) > 1.0 {
            let wall = self.cast(looking, [eye, top], true);
            probe.is_walled = wall.is_some();
            if let Some(wall) = wall {
                let clear = CLEARANCE.min(eye.distance(wall.place));
                top = match wall.normal == Vec2::ZERO {
                    true => eye,
                    false => wall.place + (eye - top).normalize_or_zero() * clear,
                };
            }
        }
        // As far as the leg and the way of the pelvis go.
        let reach = looking.walker.leg.reach;
        let aside = (top - lead).distance_squared(eye);
        let far = (reach * reach - aside).max(0.0).sqrt() + looking.walker.room - raised;
        let far = far + looking.walker.posed.above.dot(self.up).max(0.0);
        let found = self.cast(looking, [top, top - self.up * far], false);
        probe.met = found.filter(|found| found.normal != Vec2::ZERO);
        probe.is_buried = found.is_some() && probe.met.is_none();
        let least = looking.walker.leg.shallowest(self.up);
        probe.ground = found.filter(|found| {
            let holds = found.normal.dot(self.up) > STEEPEST;
            holds && top.distance(found.place) + raised >= least
        });
        probe
    }
}
