//! Feet that step: how far they go, and which of them want to.

use glam::Vec2;

use crate::solvers::stance::foot::FootMemory;
use crate::solvers::stance::leg::Leg;
use crate::solvers::stance::memory::StanceMemory;
use crate::solvers::stance::probe::{Found, STEEPEST, Walker};
use crate::solvers::stance::rhythm::Rhythm;
use crate::solvers::stance::scene::{Law, Stage, along_ground};
use crate::solvers::stance::settings::GaitSettings;
use crate::solvers::stance::tilt::{Carriage, Lie};

/// A foot with this urge must step, whoever else is in the air; one without ground wants to most of all.
pub(super) const MUST: f32 = 1.5;
pub(super) const OUT_OF_REACH: f32 = MUST + 1.0 - STRETCHED;
const HANGING: f32 = 2.0;

/// A foot that lags so many times as much as one that wants to step must.
const PATIENCE: f32 = 2.0;

/// The part of its reach that a leg uses, and at which it must step, as it will be so many seconds later.
const USED: f32 = 0.94;
const STRETCHED: f32 = 0.96;
const FORESEEN: f32 = 0.05;

/// A quick character goes on for so many seconds with a foot on the ground before and behind.
const STRIDE: f32 = 0.17;

/// In a rhythm, a foot wants to step that is so much farther behind than it is to be,
/// and by this part of the room.
const BEHIND: f32 = 1.2;
const LEFT_BEHIND: f32 = 0.6;

/// The part of the room behind after which a foot wants to step at the latest, and at the soonest.
const EARLIEST: f32 = 0.9;
const LATEST: f32 = 0.1;

/// The part of the time in which a stride is made that a step takes.
const PART: f32 = 0.8;

/// Parts of a leg: the way that a foot has in any case, how far beside its way it may be, and how far from
/// home it may stay.
const SHORTEST: f32 = 0.05;
const ASIDE: f32 = 0.25;
const AT_HOME: f32 = 0.012;

/// The speed at which a foot that hangs goes home, in legs per second.
const HOMEWARD: f32 = 5.0;

/// A character that is slower stands, in legs per second.
const STANDS: f32 = 0.1;

/// The time after which a standing character that strides as an animal does has come to rest, in seconds.
const PAUSE: f32 = 0.06;

/// On a slope feet go farther up it than down, but no farther than so many times.
const UPWARD: f32 = 2.0;

/// Steps get as much quicker as this.
const QUICKEST: f32 = 1.0 / 3.0;

/// The data that all feet that step in a tick share.
#[derive(Clone, Copy)]
pub(super) struct March<'a> {
    pub(super) law: &'a Law<'a>,
    pub(super) gait: GaitSettings,
    pub(super) pace: CharacterVelocity,
    /// That of an animal, if no other is set.
    pub(super) rhythm: Option<Rhythm>,
    lie: Lie,
    pub(super) carriage: Carriage,
}

/// The velocity of the character, and its part along the ground.
#[derive(Clone, Copy)]
pub(super) struct CharacterVelocity {
    pub(super) velocity: Vec2,
    /// Its direction; zero if it stands.
    pub(super) way: Vec2,
    pub(super) speed: f32,
}

/// The ways of a foot before and behind its home, and the duration of its step, in seconds.
#[derive(Clone, Copy)]
pub(super) struct Stride {
    pub(super) ahead: f32,
    behind: f32,
    pub(super) span: f32,
}

impl CharacterVelocity {
    pub(super) fn of(velocity: Vec2, up: Vec2) -> Self {
        let along = along_ground(velocity, up);
        let speed = along.length();
        Self {
            velocity,
            way: if speed > 1.0 {
                along / speed
            } else {
                Vec2::ZERO
            },
            speed,
        }
    }
}

impl March<'_> {
    /// Returns `true` if the character stands.
    pub(super) fn rests(&self) -> bool {
        self.pace.way == Vec2::ZERO
    }
}

impl Lie {
    /// Returns the ways that a foot of a leg may be before and behind its home.
    fn room(&self, law: &Law<'_>, pace: CharacterVelocity, leg: &Leg, used: f32) -> [f32; 2] {
        let across = pace.way.dot(leg.home - leg.hip);
        let height = self.hip_height(law, leg);
        let right = pace.way.dot(law.up.perp());
        let rise = self.slope * right;
        // Where the leg is straight: a circle about the hip, and the line of the ground.
        let used = used * leg.reach;
        let steep = 1.0 + rise * rise;
        let middle = across - height * rise;
        let square = middle * middle - steep * (across * across + height * height - used * used);
        let room = square.max(0.0).sqrt();
        let before = ((room - middle) / steep).max(0.0);
        let after = ((room + middle) / steep).max(0.0);
        let (mut before, mut after) = (before.min(UPWARD * after), after.min(UPWARD * before));
        if let Some(knee) = leg.knee
            && let Some(room) = knee.room(height, leg.reach)
        {
            match knee.side * right > 0.0 {
                true => after = after.min((room + across).max(0.0)),
                false => before = before.min((room - across).max(0.0)),
            }
        }
        [before, after]
    }
}

impl Stride {
    pub(super) fn of(march: March<'_>, leg: &Leg) -> Self {
        let (law, gait, pace) = (march.law, march.gait, march.pace);
        let [before, after] = march.lie.room(law, pace, leg, USED);
        if let Some(rhythm) = march.rhythm {
            let half = 0.5 * rhythm.contact;
            return Self {
                ahead: half.max(rhythm.contact - after).min(before),
                behind: (BEHIND * half)
                    .max(LEFT_BEHIND * after)
                    .min(after)
                    .max(SHORTEST * leg.reach),
                span: rhythm.span(),
            };
        }
        let ahead = (gait.overshoot.max(0.0) * pace.speed).min(before);
        let half = gait.step_distance.max(STRIDE * pace.speed);
        let half = half.min(EARLIEST * after);
        let duration = gait.duration();
        let span = |behind: f32| {
            let span = PART * (ahead + behind) / pace.speed.max(1.0);
            span.max(QUICKEST * duration).min(duration)
        };
        // There is way left to wait for others.
        let waits = pace.speed * span(half) * gait.others(law.legs.len());
        let left = (EARLIEST * after - waits).max(LATEST * after);
        let behind = half.min(left).max(SHORTEST * leg.reach);
        Self {
            ahead,
            behind,
            span: span(behind),
        }
    }
}

impl StanceMemory {
    /// Goes through a tick of feet that step.
    pub(super) fn step(&mut self, gait: GaitSettings, scene: &mut Stage<'_>) {
        let law = scene.law;
        self.stand_at_once(scene);
        let stands = along_ground(self.riding.speed + self.riding.carrying, law.up).length()
            < STANDS * law.reach();
        self.turns.still = match stands {
            true => self.turns.still + scene.delta,
            false => 0.0,
        };
        let velocity = match gait.is_natural() && self.turns.still >= PAUSE {
            true => Vec2::ZERO,
            false => self.riding.velocity,
        };
        let pace = CharacterVelocity::of(velocity, scene.up);
        let lie = Lie::of(law, self.pelvis.slope, self.pelvis.turn);
        let march = March {
            law,
            gait,
            pace,
            rhythm: self.rhythm(law, gait, pace, lie),
            lie,
            carriage: law.carriage(&self.pelvis),
        };
        self.keep_time(march, scene.delta);
        for walker in scene.walkers(march.carriage) {
            let mut foot = self.feet[walker.index];
            if foot.plant.is_some() {
                scene.holds(&mut walker.looking(&mut foot), 0.0);
                foot.below = None;
            }
            foot.has_settled &= stands;
            foot.urge = self.urge(&foot, march, &walker);
            self.feet[walker.index] = foot;
        }
        self.choose(march, scene);
        for walker in scene.walkers(march.carriage) {
            let foot = &mut self.feet[walker.index];
            if foot.swing.is_some() {
                self.swing(&walker, march, scene);
            } else if foot.plant.is_none() {
                foot.hang(&walker, scene);
            }
            self.feet[walker.index].turn(&walker, scene);
        }
    }

    /// Feet that come stand on the ground below their homes.
    fn stand_at_once(&mut self, scene: &mut Stage<'_>) {
        for walker in scene.walkers(scene.law.carriage(&self.pelvis)) {
            let foot = &mut self.feet[walker.index];
            if foot.posed.is_none() {
                foot.stand_at(walker.leg.home, true, &walker, scene);
            }
        }
    }

    /// The stride of an animal of this size at this speed and on this slope, if no other is set.
    pub(super) fn rhythm(
        &self,
        law: &Law<'_>,
        gait: GaitSettings,
        pace: CharacterVelocity,
        lie: Lie,
    ) -> Option<Rhythm> {
        gait.is_natural().then_some(())?;
        let legs = || law.legs.iter().flatten();
        let count = legs().count();
        let room = |leg: &Leg| {
            let [before, after] = lie.room(law, pace, leg, STRETCHED);
            before.min(after).max(0.5 * (before + after))
        };
        let height = legs().map(|leg| leg.height(law.up)).sum::<f32>() / count.max(1) as f32;
        let height = height + lie.lift;
        let room = legs().map(room).fold(f32::INFINITY, f32::min);
        let brakes = self.riding.acceleration().dot(pace.way) < -pace.speed;
        let settles = pace.way == Vec2::ZERO || brakes;
        Some(Rhythm::of(count, height, room, pace.speed, settles))
    }

    /// Returns the urge of a foot to step: from 1 on it wants to.
    fn urge(&self, foot: &FootMemory, march: March<'_>, walker: &Walker) -> f32 {
        let (law, gait, pace) = (march.law, march.gait, march.pace);
        let Walker { leg, posed, .. } = walker;
        if foot.swing.is_some() {
            return 0.0;
        }
        if foot.plant.is_none() {
            return HANGING;
        }
        let mut urge = 0.0;
        let off = along_ground(foot.place - leg.home, law.up);
        if !march.rests() {
            let behind = Stride::of(march, leg).behind;
            let along = off.dot(pace.way);
            let aside = (off - pace.way * along).length();
            urge = (-along / behind).max(aside / (ASIDE * leg.reach));
            if let Some(rhythm) = march.rhythm
                && foot.phase >= rhythm.duty
                && along <= 0.0
            {
                urge = urge.max(1.0);
            }
        }
        let rests = match gait.is_natural() {
            true => march.rests(),
            false => self.turns.still > 0.0 && self.turns.still >= gait.settle_time,
        };
        if rests && !foot.has_settled {
            // However far that is: a body at rest has its feet go one group after the other.
            urge = urge.max((off.length() / (AT_HOME * leg.reach)).min(PATIENCE));
        }
        // It waits for others, but not for ever.
        if urge > PATIENCE {
            urge = MUST + 0.5 * (OUT_OF_REACH - MUST) * (1.0 - PATIENCE / urge);
        } else if urge > 1.0 {
            urge = 1.0 + 0.8 * (MUST - 1.0) * (1.0 - 1.0 / urge);
        }
        let foreseen = match march.rhythm {
            Some(_) => FORESEEN.min(2.0 * self.riding.tick),
            None => FORESEEN,
        };
        let stretch = |place: Vec2| (place + posed.above).distance(posed.hip) / leg.reach;
        let now = stretch(foot.place);
        let soon = stretch(foot.place - pace.velocity * foreseen);
        if soon > STRETCHED && (soon > now || soon > 1.0) {
            urge = urge.max(MUST + soon - STRETCHED);
        }
        urge
    }
}

impl FootMemory {
    /// One without ground goes home, or to what is above that.
    fn hang(&mut self, walker: &Walker, scene: &mut Stage<'_>) {
        let (law, home) = (scene.law, walker.leg.home);
        self.ground = None;
        let mut looking = walker.looking(self);
        let mut probe = scene.probe(&mut looking, home, false, Vec2::ZERO);
        if probe.is_buried {
            // The body has sunk beside a crest, and may rise again.
            let mut raised = *walker;
            let most = walker.leg.height(law.up);
            raised.posed.hip += law.up * most.min(law.pelvis.max_pelvis_rise.max(0.0));
            let mut looking = raised.looking(self);
            probe = scene.probe(&mut looking, home, true, Vec2::ZERO);
        }
        let above = |met: Found| law.up * (met.place - home).dot(law.up).max(0.0);
        let way = home + probe.met.map_or(Vec2::ZERO, above) - self.place;
        self.place += way.clamp_length_max(HOMEWARD * walker.leg.reach * scene.delta);
        // Also where the body is to rise first.
        let holds = |met: &Found| met.normal.dot(law.up) > STEEPEST;
        self.note_below(law, probe.met.filter(holds).as_ref());
    }
}
