//! Feet under an animation: what each stands on, whether it may be planted there (how: [`plant`](super::plant)), and how
//! far it is moved.

use glam::Vec2;

use crate::math::interval::clamp;
use crate::solvers::stance::foot::{FootMemory, NEAR, Support};
use crate::solvers::stance::leg::{Leg, Lock};
use crate::solvers::stance::memory::StanceMemory;
use crate::solvers::stance::plant::{LIFTED, LOW};
use crate::solvers::stance::probe::{Found, Looking};
use crate::solvers::stance::scene::{Law, Scene, along_ground, smoothstep};
use crate::solvers::stance::world::Posed;

/// A planted foot that keeps its place is no higher above it than it was, and this part of its leg.
const FLAT: f32 = 0.0075;

/// How soon a foot looks at what it comes to, in seconds.
const AHEAD: f32 = 0.08;

/// How far over a step a foot is lifted, as a part of its leg: as far as the animation lifts it, and no more than
/// that.
const CLEARANCE: f32 = 0.06;

/// A foot that comes to lie beyond an edge by this part of its leg stands on it.
const EDGE: f32 = 0.03;

/// It is there if it is drawn within this part of its leg from there.
const AT_EDGE: f32 = 0.003;

/// A foot that is lifted by this part of its leg goes as the animation over ground that is lower.
const HIGH: f32 = 0.25;

/// How fast a foot comes after the animation: the rate at which the way along the ground decays, and the legs
/// that it is moved in a second at most.
const DECAY: f32 = 14.0;
const SPEED: f32 = 6.0;

/// A way that is not worth to be made, in units of the skeleton.
const NOTHING: f32 = 0.02;

impl StanceMemory {
    /// Goes through a tick of feet under an animation.
    pub(super) fn place(&mut self, law: &Law<'_>, scene: &mut Scene<'_>, posed: &[Option<Posed>]) {
        for index in 0..self.feet.len() {
            let (Some(leg), Some(posed)) = (law.legs[index], posed[index]) else {
                continue;
            };
            let mut foot = self.feet[index];
            let length = posed.hip.distance(posed.tip());
            foot.nearest = Some(foot.nearest.map_or(length, |nearest| nearest.min(length)));
            let was_planted = foot.plant.is_some();
            self.stay(law, scene, &mut foot, &leg, &posed);
            let rise = match foot.plant {
                Some(_) => None,
                None => self.come_after(law, scene, &mut foot, &leg, &posed, !was_planted),
            };
            foot.follow(law, &leg, &posed, rise, scene.delta);
            foot.turn(law, &leg, &posed, scene);
            self.feet[index] = foot;
        }
    }

    /// A planted foot stays, or is let go.
    fn stay(
        &self,
        law: &Law<'_>,
        scene: &mut Scene<'_>,
        foot: &mut FootMemory,
        leg: &Leg,
        posed: &Posed,
    ) {
        let Some(plant) = foot.plant else { return };
        if plant.lock == Lock::None {
            // It comes after the animation, at the height of its ground.
            foot.come_home(scene.delta);
            let height = (foot.place - posed.sole).dot(scene.up);
            foot.place = posed.sole + foot.slip + scene.up * height;
        }
        let mut looking = law.looking(foot, leg, posed);
        if !scene.holds(&mut looking, self.pelvis.shift) {
            return;
        }
        if plant.lock == Lock::None
            && let Some(ground) = foot.ground
        {
            foot.place = ground.place;
            foot.move_plant(scene);
        }
        let off = along_ground(foot.place - posed.sole, scene.up);
        match plant.lock != leg.settings.lock || foot.leaves(law, leg, posed, scene, off) {
            true => foot.let_go(),
            false => foot.slip = off,
        }
    }

    /// A foot that is not planted comes after the animation, over what is there, and may be planted. Returns how high
    /// the ground is, of what is below and ahead.
    fn come_after(
        &mut self,
        law: &Law<'_>,
        scene: &mut Scene<'_>,
        foot: &mut FootMemory,
        leg: &Leg,
        posed: &Posed,
        may_plant: bool,
    ) -> Option<f32> {
        foot.come_home(scene.delta);
        let slip = foot.slip;
        let is_quick = foot.pace(scene.up) > leg.settings.plant_speed;
        let motion = foot.motion.unwrap_or_default();
        let mut looking = law.looking(foot, leg, posed);
        let place = posed.sole + slip;
        let (mut ahead, mut is_walled) = (None, false);
        if is_quick {
            let probe = scene.probe(&mut looking, place + motion * AHEAD, true, Vec2::ZERO);
            (ahead, is_walled) = (probe.ground, probe.is_walled);
        }
        // One look from the hip is enough for both.
        let is_seen = !is_quick || is_walled;
        let probe = scene.probe(&mut looking, place, is_seen, Vec2::ZERO);
        let counts = |found: &Found| {
            law.is_within_search(found.place) && self.can_sink_to(law, leg, posed, found.place)
        };
        let ground = probe.ground.filter(counts);
        let is_low = law.rise(posed.sole) < LOW * leg.reach;
        let edge = match is_low {
            true => scene.edge_beside(&mut looking, place, ground.as_ref()),
            false => None,
        };
        let edge = edge.filter(counts);
        let ground = edge.or(ground);
        let ahead = ahead.filter(|found| law.is_within_search(found.place));
        foot.ground = ground.as_ref().map(Support::from);
        let found = ground?;
        let rise = law.rise(found.place);
        let rise = ahead.map_or(rise, |ahead| rise.max(law.rise(ahead.place)));
        let off = foot.drawn(posed, self.riding.speed * scene.delta) - found.place;
        let height = off.dot(found.normal) / found.normal.dot(scene.up);
        // It comes to an edge before it is planted there.
        let is_there =
            edge.is_none_or(|_| along_ground(off, scene.up).length() < AT_EDGE * leg.reach);
        if may_plant
            && is_there
            && !self.riding.is_dropping()
            && foot.comes_to_stand(law, leg, posed, scene, height)
        {
            foot.plant(&found, found.place, leg, posed, scene);
            foot.slip = along_ground(found.place - posed.sole, scene.up);
            self.note_carrier(&found.surface, scene);
        }
        Some(rise)
    }
}

impl Scene<'_> {
    /// The edge that a foot has come to lie beyond, at the height at which it is drawn, where the `ground` at its
    /// place is lower.
    fn edge_beside(
        &mut self,
        looking: &mut Looking<'_>,
        place: Vec2,
        ground: Option<&Found>,
    ) -> Option<Found> {
        let (up, reach, drawn) = (self.up, looking.leg.reach, looking.foot.place);
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
    /// What it stays behind along the ground gets less.
    fn come_home(&mut self, delta: f32) {
        self.slip *= libm::expf(-DECAY * delta);
        if self.slip.length() < NOTHING {
            self.slip = Vec2::ZERO;
        }
    }

    /// Where the foot was drawn, since when the character has made its `way`.
    fn drawn(&self, posed: &Posed, way: Vec2) -> Vec2 {
        // Right before a pass, the pose is newer than what was drawn.
        let drawn = match (self.posed, posed.miss) {
            (Some(before), Some(miss)) => before + miss,
            _ => posed.sole,
        };
        drawn + self.shift - way
    }

    /// How far above its ground a planted foot is shown, that the animation lifts so far.
    pub(super) fn shown_lift(&self, lift: f32, leg: &Leg) -> f32 {
        let lift = lift.max(-LOW * leg.reach);
        match self.plant {
            // Beyond that it is about to be let go.
            Some(plant) if plant.lock != Lock::None && lift <= LIFTED * leg.reach => {
                lift.min(plant.lift.unwrap_or(lift).max(0.0) + FLAT * leg.reach)
            }
            _ => lift,
        }
    }

    /// How far the foot is moved. `rise`: of the ground that one that is not planted goes over.
    fn follow(&mut self, law: &Law<'_>, leg: &Leg, posed: &Posed, rise: Option<f32>, delta: f32) {
        let lift = law.rise(posed.sole);
        if let Some(plant) = &mut self.plant {
            plant.lift = Some(plant.lift.map_or(lift, |lowest| lowest.min(lift)));
            self.shift = self.place + law.up * self.shown_lift(lift, leg) - posed.sole;
            return;
        }
        let mut shift = self.slip;
        if let (Some(rise), Some(ground)) = (rise, self.ground) {
            let clear = clamp(lift, -LOW * leg.reach, CLEARANCE * leg.reach);
            let height = match rise >= 0.0 {
                true => lift.max(rise + clear),
                false => lift + rise * (1.0 - smoothstep(0.0, HIGH * leg.reach, lift)),
            };
            shift = along_ground(ground.place - posed.sole, law.up) + law.up * (height - lift);
        }
        let most = SPEED * leg.reach * delta;
        let way = shift - self.shift;
        self.shift = match way.length() > most {
            true => self.shift + way.normalize_or_zero() * most,
            false => shift,
        };
        self.place = posed.sole + self.shift;
    }
}
