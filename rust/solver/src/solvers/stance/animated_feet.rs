//! Feet under an animation: what each stands on, whether it may be planted there (how: [`plant`](super::plant)), and how
//! far it is moved.

use glam::Vec2;

use crate::math::pursuit::Pace;
use crate::solvers::stance::foot::{FootMemory, NEAR, Support};
use crate::solvers::stance::leg::{LOW, Leg, Lock};
use crate::solvers::stance::memory::StanceMemory;
use crate::solvers::stance::plant::{LIFTED, TOUCH};
use crate::solvers::stance::probe::{Found, Looking, Walker};
use crate::solvers::stance::scene::{Stage, along_ground, smoothstep};
use crate::solvers::stance::world::PosedFoot;

/// A planted foot that keeps its place is no higher above it than it was, and this part of its leg.
const FLAT: f32 = 0.0075;

/// The time by which a foot looks ahead on its way, in seconds.
const AHEAD: f32 = 0.12;

/// The greatest height of a foot over a step, as a part of its leg: it is as high as the animation lifts it, and no
/// higher than that.
const CLEARANCE: f32 = 0.06;

/// A foot that comes to lie beyond an edge by this part of its leg stands on it.
const EDGE: f32 = 0.03;

/// It is there if it is drawn within this part of its leg from there.
const AT_EDGE: f32 = 0.003;

/// A foot that is lifted by this part of its leg goes as the animation, unless it is to go over a step.
const HIGH: f32 = 0.25;

/// The pace of a foot that comes after the animation: the rate at which the way along the ground decays, per second,
/// the legs that it is moved in a second at most, and the seconds in which it comes to that speed.
const DECAY: f32 = 14.0;
const SPEED: f32 = 6.0;
const RAMP: f32 = 0.07;

/// A character that makes so many legs in a second leaves its feet no time to lie down along the ground.
const RUN: f32 = 4.0;

/// A lifted foot is so many times as fast as its character: where that is quicker, this is its speed at most.
const SWING: f32 = 2.0;

/// The rate of a foot that steps home because its character slides away from it, and how high it is lifted, as a part of its
/// leg.
const STEPPING: f32 = 20.0;
const STEP: f32 = 0.1;

/// A way that is not worth to be made, in units of the skeleton.
const NOTHING: f32 = 0.02;

impl StanceMemory {
    /// Goes through a tick of feet under an animation.
    pub(super) fn place(&mut self, scene: &mut Stage<'_>) {
        for walker in scene.walkers(scene.law.carriage(&self.pelvis)) {
            let mut foot = self.feet[walker.index];
            let was_planted = foot.plant.is_some();
            self.stay(scene, &mut foot, &walker);
            let rise = match foot.plant {
                Some(_) => None,
                None => self.come_after(scene, &mut foot, &walker, !was_planted),
            };
            foot.follow(&walker, rise, self.pace(&walker.leg, scene.up), scene);
            foot.turn(&walker, scene);
            self.feet[walker.index] = foot;
        }
    }

    /// A planted foot stays, or is let go.
    fn stay(&self, scene: &mut Stage<'_>, foot: &mut FootMemory, walker: &Walker) {
        let Walker { leg, posed, .. } = walker;
        let Some(plant) = foot.plant else { return };
        if plant.lock == Lock::None {
            // It comes after the animation, at the height of its ground.
            foot.come_home(scene.delta);
            let height = (foot.place - posed.sole).dot(scene.up);
            foot.place = posed.sole + foot.slip + scene.up * height;
        }
        if !scene.holds(&mut walker.looking(foot), self.pelvis.shift) {
            return;
        }
        if plant.lock == Lock::None
            && let Some(ground) = foot.ground
        {
            foot.place = ground.place;
            foot.move_plant(scene);
        }
        let off = along_ground(foot.place - posed.sole, scene.up);
        let most = leg.settings.unplant_distance;
        foot.slip = off;
        if plant.lock != leg.settings.lock || foot.leaves(walker, scene) {
            foot.let_go();
        } else if off.length() > most && !self.is_stepping() {
            // Its character slides: it steps, one foot after another.
            foot.stepped = off.length();
            foot.let_go();
        }
    }

    /// Returns the pace at which a foot of this leg comes after the animation.
    fn pace(&self, leg: &Leg, up: Vec2) -> Pace {
        let speed = along_ground(self.riding.velocity, up).length();
        Pace {
            speed: (SPEED * leg.reach).max(SWING * speed),
            ramp: RAMP,
        }
    }

    /// Returns `true` if a foot steps home.
    fn is_stepping(&self) -> bool {
        self.feet.iter().any(|foot| foot.stepped > 0.0)
    }

    /// A foot that is not planted comes after the animation, over what is there, and may be planted. Returns how high
    /// the ground is, of what is below and ahead.
    fn come_after(
        &self,
        scene: &mut Stage<'_>,
        foot: &mut FootMemory,
        walker: &Walker,
        may_plant: bool,
    ) -> Option<f32> {
        let (law, Walker { leg, posed, .. }) = (scene.law, walker);
        foot.come_home(scene.delta);
        let slip = foot.slip;
        let is_quick = foot.pace(scene.up) > leg.settings.plant_speed;
        let motion = foot.motion.unwrap_or_default();
        let mut looking = walker.looking(foot);
        let place = posed.sole + slip;
        let (mut ahead, mut is_walled) = (None, false);
        if is_quick {
            let probe = scene.probe(&mut looking, place + motion * AHEAD, true, Vec2::ZERO);
            (ahead, is_walled) = (probe.ground, probe.is_walled);
        }
        // One look from the hip is enough for both.
        let is_seen = !is_quick || is_walled;
        let probe = scene.probe(&mut looking, place, is_seen, Vec2::ZERO);
        looking.foot.note_below(law, probe.ground.as_ref());
        let is_low = law.rise(posed.sole) < LOW * leg.reach;
        let below = probe.ground;
        let speed = along_ground(self.riding.velocity, law.up).length();
        let ground = match is_low && speed < RUN * leg.reach {
            true => scene.lie(&mut looking, [place, Vec2::ZERO], below, true),
            false => below,
        };
        let counts = |found: &Found| {
            law.is_within_search(found.place) && self.can_sink_to(law, leg, posed, found.place)
        };
        let ground = ground.filter(counts);
        let edge = is_low.then(|| scene.edge_beside(&mut looking, place, ground.as_ref()));
        let edge = edge.flatten().filter(counts);
        let ground = edge.or(ground);
        let at_edge = AT_EDGE * leg.reach;
        let aside = |found: &Found| along_ground(found.place - place, scene.up).length();
        let is_aside = ground.as_ref().is_some_and(|found| aside(found) > at_edge);
        let ahead = ahead.filter(|found| law.is_within_search(found.place));
        foot.ground = ground.as_ref().map(Support::from);
        let found = ground?;
        let mut rise = law.rise(found.place);
        if let Some(ahead) = ahead {
            // On a slope, what is ahead is no step: it is in the same plane.
            let above = (ahead.place - found.place).dot(found.normal) / found.normal.dot(scene.up);
            rise += above.max(0.0);
        }
        let off = foot.drawn(posed, self.riding.speed * scene.delta) - found.place;
        let height = off.dot(found.normal) / found.normal.dot(scene.up);
        // It comes there before it is planted, and to an edge.
        let lag = along_ground(found.place - posed.sole - foot.shift, scene.up).length();
        let beside = along_ground(off, scene.up).length();
        if let Some(below) = below.filter(|_| is_aside && beside >= at_edge) {
            // Until it is there, it stays above what is below it.
            rise = rise.max(law.rise(below.place));
        }
        let near = if foot.stepped > 0.0 { TOUCH } else { NEAR };
        let is_there = lag < near * leg.reach && (!is_aside || beside < at_edge);
        if may_plant && is_there && foot.comes_to_stand(walker, scene, height) {
            foot.plant(&found, found.place, walker, scene);
            foot.slip = along_ground(found.place - posed.sole, scene.up);
            foot.stepped = 0.0;
        }
        Some(rise)
    }
}

impl Stage<'_> {
    /// The edge that a foot has come to lie beyond, at the height at which it is drawn, where the `ground` at its
    /// place is lower.
    fn edge_beside(
        &mut self,
        looking: &mut Looking<'_>,
        place: Vec2,
        ground: Option<&Found>,
    ) -> Option<Found> {
        let (up, reach, drawn) = (self.up, looking.walker.leg.reach, looking.foot.place);
        let below = |found: &Found| (drawn - found.place).dot(up);
        if ground.is_some_and(|found| below(found) <= NEAR * reach) {
            return None;
        }
        [EDGE, -EDGE].into_iter().find_map(|aside| {
            let place = place + up.perp() * (aside * reach);
            let found = self.probe(looking, place, false, Vec2::ZERO).ground;
            found.filter(|found| below(found).abs() <= LOW * reach)
        })
    }
}

impl FootMemory {
    /// Reduces the way by which the foot stays behind along the ground.
    fn come_home(&mut self, delta: f32) {
        let rate = if self.stepped > 0.0 { STEPPING } else { DECAY };
        self.slip *= libm::expf(-rate * delta);
        if self.slip.length() < NOTHING {
            (self.slip, self.stepped) = (Vec2::ZERO, 0.0);
        }
    }

    /// Returns the height of the foot in a step home: greatest in its middle.
    fn step_height(&self, leg: &Leg) -> f32 {
        let part = (self.slip.length() / self.stepped.max(f32::MIN_POSITIVE)).min(1.0);
        4.0 * part * (1.0 - part) * STEP * leg.reach
    }

    /// Returns the place where the foot was drawn, since when the character has made its `way`.
    fn drawn(&self, posed: &PosedFoot, way: Vec2) -> Vec2 {
        // Right before a pass, the pose is newer than what was drawn.
        let drawn = match (self.posed, posed.miss) {
            (Some(before), Some(miss)) => before + miss,
            _ => posed.sole,
        };
        drawn + self.shift - way
    }

    /// Returns the height above its ground at which a planted foot is shown that the animation lifts by `lift`.
    pub(super) fn shown_lift(&self, lift: f32, leg: &Leg) -> f32 {
        let lift = lift.max(leg.sunk(lift));
        match self.plant {
            // Beyond that it is about to be let go.
            Some(plant) if plant.lock != Lock::None && lift <= LIFTED * leg.reach => {
                lift.min(plant.lift.unwrap_or(lift).max(0.0) + FLAT * leg.reach)
            }
            _ => lift,
        }
    }

    /// Moves the foot. `rise` is that of the ground which a foot goes over that is not planted.
    fn follow(&mut self, walker: &Walker, rise: Option<f32>, pace: Pace, scene: &Stage<'_>) {
        let (law, Walker { leg, posed, .. }) = (scene.law, walker);
        let (lift, delta) = (law.rise(posed.sole), scene.delta);
        if self.ground.is_some() {
            // The body was moved at once: the foot stays where it was, and comes after.
            self.shift -= law.up * scene.sudden;
            self.goal -= law.up * scene.sudden;
        }
        if let Some(plant) = &mut self.plant {
            plant.lift = Some(plant.lift.map_or(lift, |lowest| lowest.min(lift)));
            let shift = self.place + law.up * self.shown_lift(lift, leg) - posed.sole;
            self.shift_rate = (shift - self.shift) / delta;
            (self.shift, self.goal) = (shift, shift);
            return;
        }
        let mut shift = self.slip;
        if let (Some(rise), Some(ground)) = (rise, self.ground) {
            // Ground counts the less the higher it is lifted. An animation that has the foot below the plane knows of lower
            // ground: that counts once.
            let clearance = CLEARANCE * leg.reach;
            let over = 1.0 - smoothstep(clearance, HIGH * leg.reach, lift.abs());
            let sunk = leg.sunk(lift);
            let clear = if rise > 0.0 {
                sunk.max(lift.min(clearance))
            } else {
                sunk
            };
            let lowest = rise + clear.max(sunk + self.step_height(leg));
            let height = (lift + rise * over).max(lowest);
            shift = along_ground(ground.place - posed.sole, law.up) + law.up * (height - lift);
        }
        let goal = [std::mem::replace(&mut self.goal, shift), shift];
        [self.shift, self.shift_rate] = pace.advance([self.shift, self.shift_rate], goal, delta);
        if let Some(ground) = self.ground {
            // What is below it now stops it.
            let lowest = law.rise(ground.place) + leg.sunk(lift) - lift;
            let deep = lowest.min(shift.dot(law.up)) - self.shift.dot(law.up);
            if deep > 0.0 {
                self.shift += law.up * deep.min(pace.speed * delta);
                self.shift_rate -= law.up * self.shift_rate.dot(law.up).min(0.0);
            }
        }
        self.place = posed.sole + self.shift;
    }
}
