//! The way of a step, and where it ends.

use std::f32::consts::PI;

use glam::Vec2;

use crate::math::interval::clamp;
use crate::solvers::stance::foot::{FootMemory, Landing, NEAR, Plant, Support, Swing};
use crate::solvers::stance::leg::{Leg, Lock};
use crate::solvers::stance::memory::StanceMemory;
use crate::solvers::stance::probe::{Found, Looking, Walker};
use crate::solvers::stance::ride::LEAP;
use crate::solvers::stance::scene::{Stage, along_ground, smoothstep};
use crate::solvers::stance::step::{March, Stride};

/// The part of a step up to which its end is looked for. After that it is looked for if it is gone.
const DECIDED: f32 = 0.7;

/// Parts of a leg: a step that is shorter is of no use, how near a foot has to be to its landing, and how
/// far it passes above what is in its way.
const USEFUL: f32 = 0.02;
const USEFUL_AT_REST: f32 = 0.005;
const LANDED: f32 = 0.03;
const CLEARANCE: f32 = 0.04;

/// A foot that steps sees what it comes over in so many ticks.
const SEEN: f32 = 2.0;

/// A foot reaches for ground within this part of its leg.
pub(super) const WITHIN: f32 = 0.97;

/// A leg that stands turns by so many radians in a second at most.
const FASTEST: f32 = 13.5;

/// Places for a landing: ahead of home, and from home to below the hip.
const AHEAD: usize = 3;
const INWARD: usize = 5;

impl Landing {
    fn on(found: &Found, lead: Vec2, looking: &mut Looking<'_>, scene: &mut Stage<'_>) -> Self {
        let global = scene.frame.transform_point2(found.place);
        Self {
            place: found.place,
            normal: found.normal,
            lead,
            toe_slope: scene.toe_slope(looking, found, lead),
            plant: Plant::new(&found.surface, global, Vec2::ZERO, Lock::None),
            is_there: true,
        }
    }
}

impl Swing {
    /// Returns the part of its way that is made. It comes to its place a tick before it is planted: what is planted was
    /// drawn there.
    fn made(&self, step: f32) -> f32 {
        (self.part / (1.0 - step).max(step)).min(1.0)
    }

    /// Returns the part of the usual height by which it is lifted: 0 for one that hangs down to its ground.
    fn lifted(&self, leg: &Leg, up: Vec2) -> f32 {
        let way = along_ground(self.landing.place - self.from, up).length();
        smoothstep(USEFUL, NEAR, way / leg.reach)
    }

    /// Returns its height when the part `made` of its way is done.
    fn height(&self, made: f32, leg: &Leg, march: March<'_>) -> f32 {
        self.lifted(leg, march.law.up) * march.gait.step_height.max(0.0) * libm::sinf(PI * made)
    }

    /// Returns its place then, if nothing is in its way.
    fn place(&self, made: f32, leg: &Leg, march: March<'_>) -> Vec2 {
        let way = self
            .from
            .lerp(self.landing.place, smoothstep(0.0, 1.0, made));
        way + march.law.up * self.height(made, leg, march)
    }

    /// Stops short, to end there: it goes on from where it is, near its end as if it had just begun.
    fn stop_short(&mut self, landing: Landing, step: f32, leg: &Leg, march: March<'_>) {
        let made = self.made(step);
        let left = made.min(1.0 - made);
        let gone = smoothstep(0.0, 1.0, left);
        let place = self.place(made, leg, march);
        self.from = (place - landing.place * gone) / (1.0 - gone);
        self.part = left * (1.0 - step).max(step);
        self.landing = landing;
        self.from += march.law.up * (-self.height(left, leg, march) / (1.0 - gone));
    }

    /// It goes along with the ground that it begins on, and with that where it ends. `way`: of the character.
    pub(super) fn ride(&mut self, scene: &mut Stage<'_>, way: Vec2) {
        self.from -= way;
        let landing = &mut self.landing;
        match scene.world.surface(landing.plant.surface) {
            Some(surface) => landing.plant.ride(&surface, scene.delta),
            None => landing.is_there = false,
        }
        landing.place = scene.inverse.transform_point2(landing.plant.place());
    }
}

impl StanceMemory {
    /// Lifts a foot, if there is somewhere to go. Returns whether it is.
    pub(super) fn lift(&mut self, index: usize, march: March<'_>, scene: &mut Stage<'_>) -> bool {
        let walker = scene.walkers(march.carriage);
        let Some(walker) = walker.into_iter().find(|walker| walker.index == index) else {
            return false;
        };
        let stride = Stride::of(march, &walker.leg);
        let Some(landing) = self.landing(&walker, march, stride, 0.0, scene) else {
            return false;
        };
        let (foot, leg, rests) = (&mut self.feet[index], &walker.leg, march.rests());
        let useful = if rests { USEFUL_AT_REST } else { USEFUL };
        let is_useful = landing.place.distance(foot.place) >= useful * leg.reach;
        if foot.plant.is_some() && !is_useful {
            foot.has_settled |= rests;
            return false;
        }
        foot.has_settled |= rests && foot.plant.is_some();
        foot.let_go();
        foot.swing = Some(Swing {
            part: 0.0,
            from: foot.place,
            landing,
        });
        true
    }

    /// Goes on with a step.
    pub(super) fn swing(&mut self, walker: &Walker, march: March<'_>, scene: &mut Stage<'_>) {
        let Walker { index, leg, .. } = walker;
        let Some(mut swing) = self.feet[*index].swing.take() else {
            return;
        };
        let stride = Stride::of(march, leg);
        let hurry = march.rhythm.map_or(0.0, |_| self.feet[*index].hurry);
        let step = scene.delta / stride.span * (1.0 + hurry);
        swing.part += step;
        let stops = march.rests() && march.gait.is_natural() && !self.feet[*index].has_settled;
        if swing.part < DECIDED || !swing.landing.is_there || stops {
            let landing = self.landing(walker, march, stride, swing.part, scene);
            let Some(landing) = landing else { return };
            match stops {
                true => swing.stop_short(landing, step, leg, march),
                false => swing.landing = landing,
            }
            self.feet[*index].has_settled |= stops;
        }
        swing.landing.lead = march.lead(stride, swing.part);
        let foot = &mut self.feet[*index];
        let to = swing.landing.place;
        foot.toe_slope = swing.landing.toe_slope;
        foot.ground = Some(Support {
            place: to,
            normal: swing.landing.normal,
            surface: swing.landing.plant.surface,
            touch: None,
        });
        let before = foot.place - (march.pace.velocity - self.riding.carrying) * scene.delta;
        let part = swing.made(step);
        foot.place = swing.place(part, leg, march);
        if part < 1.0 {
            let clear = swing.lifted(leg, scene.up) * CLEARANCE * leg.reach;
            let clear = clear * (4.0 * part.min(1.0 - part)).min(1.0);
            foot.pass_over([before, to], clear, walker, scene);
        }
        // Who may be about to stop is waited for.
        let waits = march.gait.is_natural() && self.turns.still > 0.0 && !march.rests();
        if swing.part < 1.0 || waits {
            foot.swing = Some(swing);
            return;
        }
        foot.land(swing, before, walker, march, scene);
    }

    /// The farthest place between home and the wish that is seen, reached when the foot will be there, and stood
    /// on; else nearer to the hip.
    fn landing(
        &mut self,
        walker: &Walker,
        march: March<'_>,
        stride: Stride,
        part: f32,
        scene: &mut Stage<'_>,
    ) -> Option<Landing> {
        if scene.is_falling {
            return None;
        }
        let (March { law, pace, .. }, Walker { leg, posed, .. }) = (march, walker);
        let lead = march.lead(stride, part);
        let side = law.up.perp();
        let below = leg.home + side * (posed.hip - leg.home).dot(side);
        let stands = self.feet.iter().any(|foot| foot.plant.is_some());
        let turn = AHEAD + self.count as usize % INWARD;
        let highest = posed.hip + law.up * (self.pelvis.highest - self.pelvis.shift).max(0.0);
        let folded = leg.most_folded(law.up) - LANDED * leg.reach;
        let foot = &mut self.feet[walker.index];
        let mut too_low = None;
        for try_ in 0..AHEAD + INWARD {
            let is_same = (1..AHEAD).contains(&try_) && stride.ahead < 1.0;
            // In the air, one more look in a tick is enough.
            if is_same || !stands && try_ != 0 && try_ != turn {
                continue;
            }
            let place = match try_ < AHEAD {
                true => leg.home + pace.way * (stride.ahead * (1.0 - 0.5 * try_ as f32)),
                false => leg.home.lerp(below, 0.2 * (try_ + 1 - AHEAD) as f32),
            };
            let mut looking = walker.looking(foot);
            let found = scene.probe(&mut looking, place + lead, true, lead).ground;
            let found = scene.lie(&mut looking, [place + lead, lead], found, true);
            let Some(found) = found else { continue };
            let tip = found.place - lead + posed.above;
            // The body tilts with its feet, and may come down a little until the step is over.
            let deep = leg.shallowest(law.up) + if part > 0.0 { 0.0 } else { NEAR * leg.reach };
            let is_below = (posed.hip + posed.above - tip).dot(law.up) >= deep;
            // One that goes home does not give up while its leg reaches.
            let goes_home = part > 0.0 && march.rests();
            let within = if goes_home { 1.0 } else { WITHIN };
            let is_near = posed.hip.distance(tip) < within * leg.reach;
            // The plane goes along until then.
            let is_within = law.is_within_search(found.place - lead);
            // Not folded further than its bones go, however high the other feet let the body rise.
            let is_folded = highest.distance(tip) < folded;
            if is_below && is_near && is_within && !is_folded {
                return Some(Landing::on(&found, lead, &mut looking, scene));
            }
            if is_below && is_within {
                too_low = Some(found.place - lead);
            }
        }
        if foot.plant.is_some() && !march.rests() {
            // The pelvis goes down to it.
            foot.below = too_low;
        }
        None
    }
}

impl March<'_> {
    /// Returns the way that the hips make in the rest of a step of which this part is over.
    fn lead(&self, stride: Stride, part: f32) -> Vec2 {
        let March { law, pace, .. } = self;
        let climb = clamp(pace.velocity.dot(law.up), -pace.speed, pace.speed);
        let velocity = pace.way * pace.speed + law.up * climb;
        velocity * ((1.0 - part).max(0.0) * stride.span)
    }
}

impl FootMemory {
    /// Goes over what lies between where it was before and the end of the step, as a string lies that is pulled
    /// taut over it.
    fn pass_over(
        &mut self,
        [before, to]: [Vec2; 2],
        clear: f32,
        walker: &Walker,
        scene: &mut Stage<'_>,
    ) {
        let (up, side) = (scene.up, scene.up.perp());
        let ahead = self.place + (self.place - before) * SEEN;
        let mut looking = walker.looking(self);
        let under = scene.probe(&mut looking, ahead, false, Vec2::ZERO);
        let top = scene.top_between(&mut looking, [before, to], clear);
        let made = (self.place - before).dot(side).abs();
        // One that was lifted over something comes down on a straight way.
        let way = (to - before).dot(side).abs();
        let straight = (to - before).dot(up) * (made / way.max(made).max(f32::MIN_POSITIVE));
        let mut height = self.place.dot(up).max(before.dot(up) + straight);
        if let Some(under) = under.met {
            height = height.max(under.place.dot(up) + clear);
        }
        if let Some(top) = top {
            let way = (top - before).dot(side).abs();
            let rise = (top - before).dot(up) + clear;
            height = height.max(before.dot(up) + rise * (made / way.max(made)).min(1.0));
        }
        self.place += up * (height - self.place.dot(up));
    }

    /// The step is over: it is planted as soon as its leg has brought it there. `before`: where it was to be drawn.
    fn land(
        &mut self,
        swing: Swing,
        before: Vec2,
        walker: &Walker,
        march: March<'_>,
        scene: &mut Stage<'_>,
    ) {
        let (March { law, pace, .. }, Walker { leg, posed, .. }) = (march, walker);
        let to = swing.landing.place;
        // The hip may have come down to it, or gone on, meanwhile.
        let is_below = (posed.hip - to).dot(law.up) >= leg.shallowest(law.up);
        let length = posed.hip.distance(to + posed.above);
        let is_reached = length <= leg.reach;
        let is_too_fast =
            pace.speed * scene.delta > LEAP * leg.reach || pace.speed > FASTEST * length;
        if !is_below || !is_reached || is_too_fast {
            return;
        }
        let near = LANDED * leg.reach + 0.25 * pace.speed * scene.delta;
        let is_folded = length < leg.most_folded(law.up) - near;
        let off = before - to + posed.miss.unwrap_or_default();
        if is_folded || off.length() >= near {
            self.swing = Some(swing);
            return;
        }
        // An edge may have come there since it was decided, or the character have leapt.
        self.stand_at(to, false, walker, scene);
    }
}
