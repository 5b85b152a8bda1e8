//! How high the pelvis is: each leg that stands leaves it some heights, and it goes to the one nearest to where
//! the animation has it, on a spring.

use glam::Vec2;

use crate::math::interval::clamp;
use crate::solvers::stance::foot::FootMemory;
use crate::solvers::stance::leg::Leg;
use crate::solvers::stance::memory::{PelvisMemory, StanceMemory};
use crate::solvers::stance::scene::{Law, Stage};
use crate::solvers::stance::swing::WITHIN;
use crate::solvers::stance::world::PosedFoot;

/// A leg is no straighter than this part of its length, unless the animation has it so.
const STRAIGHT: f32 = 0.985;

/// The pelvis moves by this many legs in a second at most.
const SPEED: f32 = 1.5;

/// A hanging leg reaches for its ground when the pelvis has come so much nearer than it lands.
const NEARER: f32 = 0.99;

/// Legs whose animated feet are lifted by more than this part of them do not stand.
const LIFTED: f32 = 0.06;

/// Feet that the pelvis leaves out of reach are let go, in units of the skeleton.
const OUT_OF_REACH: f32 = 0.25;

/// Heights of the pelvis, from the lowest to the highest.
#[derive(Clone, Copy)]
struct Heights(f32, f32);

impl Heights {
    const ALL: Self = Self(f32::NEG_INFINITY, f32::INFINITY);

    fn and(self, other: Self) -> Self {
        Self(self.0.max(other.0), self.1.min(other.1))
    }

    /// The nearest one; of none, the highest that there would be.
    fn nearest(self, height: f32) -> f32 {
        height.max(self.0).min(self.1)
    }
}

impl PelvisMemory {
    /// The body was moved up by `rise` at once: the pelvis stays where it was, and comes after.
    pub(super) fn stay_behind(&mut self, rise: f32, law: &Law<'_>) {
        let most = law.room().max(law.pelvis.max_pelvis_rise);
        if rise != 0.0 {
            self.shift = (self.shift - rise).max(-most).min(most);
        }
    }

    /// Goes on towards `want`, and in any case not higher than `most`, but no lower than it may.
    fn go_on(&mut self, law: &Law<'_>, [want, bob]: [f32; 2], most: Heights, delta: f32) {
        let settings = law.pelvis;
        self.shift -= std::mem::replace(&mut self.bob, bob);
        let left = settings.come_after(self.shift - want, self.rate, 1e-2, delta);
        let fastest = match settings.pelvis_frequency > 0.0 {
            true => SPEED * law.reach() * delta,
            false => f32::INFINITY,
        };
        let height = (want + left.0).min(most.1.max(most.0));
        self.shift += clamp(height - self.shift, -fastest, fastest);
        self.bob = bob.min((most.1 - self.shift).max(0.0));
        self.shift += self.bob;
        self.rate = left.1;
    }
}

impl StanceMemory {
    /// Moves the pelvis.
    pub(super) fn sink(&mut self, scene: &Stage<'_>) {
        let (law, posed) = (scene.law, scene.posed);
        let (mut stands, mut others) = (Heights::ALL, Heights::ALL);
        let turn = self.pelvis.turned();
        for (index, foot) in self.feet.iter().enumerate() {
            let (Some(leg), Some(posed)) = (&law.legs[index], &posed[index]) else {
                continue;
            };
            let hip = law.turned_by(posed.hip, turn);
            let heights = |goal: Vec2| law.heights(foot, leg, posed, hip - goal);
            let reaching =
                |base: Vec2| law.height(NEARER * WITHIN * leg.reach, hip - base - posed.above);
            if let (Some(_), Some(_), Some(below)) = (foot.plant, law.gait, foot.below) {
                others = others.and(Heights(f32::NEG_INFINITY, reaching(below)));
            }
            match (foot.plant, law.gait) {
                // Who is about to step is not asked.
                (Some(_), gait) if gait.is_none() || foot.urge < 1.0 => {
                    stands = stands.and(heights(law.goal(foot, posed)));
                }
                (None, None)
                    if foot.ground.is_some() && law.rise(posed.sole) <= LIFTED * leg.reach =>
                {
                    others = others.and(heights(posed.sole + foot.shift));
                }
                // A leg is not folded too far when its step is over, and one that hangs is to reach its ground.
                (None, Some(_)) => {
                    let Some(base) = foot.base() else { continue };
                    let lowest = heights(base).0;
                    // One that steps, too, where the body would rise out of its reach for ever.
                    let highest = match foot.swing {
                        Some(_) if self.turns.still == 0.0 => f32::INFINITY,
                        _ => reaching(base),
                    };
                    others = others.and(Heights(lowest, highest));
                }
                _ => {}
            }
        }
        let [bob, lean] = self.liven(law);
        let need = self.tilt(lean, scene);
        let wish = stands.nearest(others.nearest(stands.nearest(need)));
        let rise = law.pelvis.max_pelvis_rise.max(0.0);
        // In the middle of its feet.
        let raised = law.raised(self.pelvis.turn);
        let lowest = raised - law.room();
        let want = wish.max(lowest).min(raised + rise);
        self.pelvis.lowest = stands.0.max(lowest);
        self.pelvis.highest = stands.1.min(raised + rise);
        let most = Heights(lowest, stands.1);
        self.pelvis.go_on(law, [want, bob], most, scene.delta);
        self.let_go_out_of_reach(law, posed);
    }

    fn let_go_out_of_reach(&mut self, law: &Law<'_>, posed: &[Option<PosedFoot>]) {
        let turn = self.pelvis.turned();
        for (index, foot) in self.feet.iter_mut().enumerate() {
            let legs = (foot.plant, &law.legs[index], &posed[index]);
            let (Some(_), Some(leg), Some(posed)) = legs else {
                continue;
            };
            let way = law.turned_by(posed.hip, turn) - law.goal(foot, posed);
            if law.heights(foot, leg, posed, way).1 < self.pelvis.shift - OUT_OF_REACH {
                foot.let_go();
            }
        }
    }
}

impl Law<'_> {
    /// Returns the place that a foot is to have, in skeleton space.
    fn goal(&self, foot: &FootMemory, posed: &PosedFoot) -> Vec2 {
        match self.gait {
            Some(_) => foot.place,
            None => posed.sole + foot.shift,
        }
    }

    /// The heights at which a leg reaches its foot, neither too straight nor too folded: `way` is that from there to
    /// where the hip is now.
    fn heights(&self, foot: &FootMemory, leg: &Leg, posed: &PosedFoot, way: Vec2) -> Heights {
        let way = way - foot.above(posed);
        let [shortest, longest] = [leg.most_folded(self.up), self.longest(leg, posed)];
        Heights(self.height(shortest, way), self.height(longest, way))
    }

    /// Returns the rise of a hip along `up` at which its leg has this length: `way` is that from the tip of the leg to
    /// where the hip is now.
    fn height(&self, length: f32, way: Vec2) -> f32 {
        let (down, across) = (way.dot(self.up), way.dot(self.up.perp()));
        (length * length - across * across).max(0.0).sqrt() - down
    }

    /// Returns the greatest length of a leg.
    pub(super) fn longest(&self, leg: &Leg, posed: &PosedFoot) -> f32 {
        let straight = STRAIGHT * leg.reach;
        match self.gait {
            Some(_) => straight,
            None => straight.max(posed.hip.distance(posed.tip())),
        }
    }
}

impl StanceMemory {
    /// Returns `true` if the pelvis can go down to ground at `place`, as the other feet stand.
    pub(super) fn can_sink_to(
        &self,
        law: &Law<'_>,
        leg: &Leg,
        posed: &PosedFoot,
        place: Vec2,
    ) -> bool {
        let way = posed.hip - place - posed.above;
        law.height(law.longest(leg, posed), way) >= self.pelvis.lowest - 0.5
    }
}
