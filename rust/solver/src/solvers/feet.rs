//! Animated feet on the ground: the law for one foot, in global space. That of the pelvis is in
//! [`crate::solvers::pelvis`].
//!
//! The animation stands on a plane across `up`, the *level*. Where the ground is elsewhere, the foot
//! is moved by what lies between: by the *contact*, its place on the ground, less its place on the
//! level. Ground is known from queries, one for each foot and tick of the physics. Between two
//! ticks it goes on as the plane that was found.
//!
//! A foot that is slow against the ground, and near it, is planted: its contact stays where it is in
//! the frame of the body it stands on, and it is not lifted. It is let go when the animation moves it,
//! too far or too fast. A contact that jumps, from stair to stair or when a foot is let go, leaves a
//! *residual*, along the ground and along `up`, which decays as a critically damped spring, in closed form. So a foot follows a slope without lag, and
//! a stair without a jump.
//!
//! What is less than [`NOTHING`] is left to the animation, to the last bit.

use glam::{Affine2, Vec2};
use serde::{Deserialize, Serialize};

use crate::math::trigonometry::unit_vector_f32;
use crate::solvers::ground::{Contact, Ground, STEEPEST, slope_of};
use crate::solvers::oscillator::{Oscillator, settle};
use crate::solvers::pelvis::Stand;

/// Corrections that are not made, in pixels: the engine's bodies keep a margin of 0.08 px.
const NOTHING: f32 = 0.25;

/// Corrections that are made in full, in pixels.
const FULL: f32 = 1.0;

/// How fast a residual decays, in Hz.
const SETTLING: f64 = 8.0;

/// How fast a foot is raised out of ground that it has come into, such as a stair, in reaches of its limb
/// per second. In a frame it is never raised farther than in a 60th of a second.
const RISE: f32 = 6.0;

/// A foot is planted where its residual is less than this part of the distance that lets it go.
const REPLANT: f32 = 0.35;

/// A foot that the animation lifts or lowers at more than this part of the speed at which it is planted
/// is not planted yet.
const STEADY: f32 = 0.25;

/// A foot is let go at this many times the speed at which it is planted.
const LET_GO: f32 = 1.5;

/// Whether a planted foot stays where it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Lock {
    /// It goes with the animation.
    None,
    /// Its place stays.
    #[default]
    Position,
    /// Its place and its direction stay.
    PositionAndRotation,
}

/// Settings of a foot. Lengths are those of the skeleton.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FootSettings {
    /// From the tip of the limb to the sole.
    #[serde(with = "crate::math::number")]
    pub sole_height: f32,
    /// How far the foot is turned at most, in radians.
    #[serde(with = "crate::math::number")]
    pub max_slope: f32,
    /// Whether a planted foot stays.
    pub lock: Lock,
    /// Slower feet are planted, per second.
    #[serde(with = "crate::math::number")]
    pub plant_speed: f32,
    /// A planted foot that the animation has moved farther is let go.
    #[serde(with = "crate::math::number")]
    pub unplant_distance: f32,
}

impl Default for FootSettings {
    fn default() -> Self {
        Self {
            sole_height: 0.0,
            max_slope: std::f32::consts::FRAC_PI_4,
            lock: Lock::default(),
            plant_speed: 60.0,
            unplant_distance: 20.0,
        }
    }
}

/// Where a foot is planted, in the frame of the body that it stands on.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plant {
    /// Where on that body.
    pub contact: Contact,
    /// Of the foot.
    #[serde(with = "crate::math::number")]
    direction: Vec2,
    /// How far above the level the animation had it at the lowest, in pixels.
    #[serde(with = "crate::math::number")]
    lift: f32,
}

/// What is kept of a foot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FootMemory {
    /// Where the animation had it at the last tick.
    #[serde(with = "crate::math::number", skip_serializing_if = "Option::is_none")]
    seen: Option<Vec2>,
    /// How far above the level the animation had it in the last pass, in pixels.
    #[serde(with = "crate::math::number", skip_serializing_if = "Option::is_none")]
    lift: Option<f32>,
    /// What was below it then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ground: Option<Ground>,
    /// Where it is planted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plant: Option<Plant>,
    #[serde(with = "crate::math::number")]
    residual: Vec2,
    #[serde(with = "crate::math::number")]
    rate: Vec2,
    /// How far it is raised, not to be in the ground, in pixels.
    #[serde(with = "crate::math::number")]
    raised: f32,
    #[serde(with = "crate::math::number")]
    slope: f32,
    #[serde(with = "crate::math::number")]
    slope_rate: f32,
}

/// A foot in a pass, as the animation has it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Animated {
    /// The tip.
    pub(crate) tip: Vec2,
    /// The direction of the foot's bone, if it has one.
    pub(crate) direction: Option<Vec2>,
    /// Where the limb begins, and how far it reaches.
    pub(crate) hip: Vec2,
    pub(crate) reach: f32,
}

/// What becomes of a foot.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Placed {
    /// How far the tip is moved.
    pub(crate) shift: Vec2,
    /// How far the foot is turned, in radians.
    pub(crate) turn: f32,
    /// Which way its bone points, if that stays.
    pub(crate) direction: Option<Vec2>,
    /// How much higher the ground is than the level, if there is ground.
    pub(crate) rise: Option<f32>,
}

/// A foot on the level: where its sole would be, and how far above it is.
#[derive(Clone, Copy)]
struct Flat {
    place: Vec2,
    lift: f32,
}

impl FootMemory {
    /// The place on the ground for the foot that the animation has at `flat`, moved `aside` along
    /// the level. `held` is the frame of the body that it is planted on.
    fn contact(
        &self,
        flat: Flat,
        aside: Vec2,
        up: Vec2,
        lock: Lock,
        held: Option<Affine2>,
    ) -> Option<Vec2> {
        match (self.plant, held) {
            (Some(plant), Some(frame)) if lock != Lock::None => {
                Some(plant.contact.place(frame) + aside)
            }
            _ => self
                .ground
                .map(|ground| ground.below(flat.place + aside, up)),
        }
    }

    /// Where the foot is by now, if the animation has it on the level.
    fn standing(&self, flat: Flat, up: Vec2, lock: Lock, held: Option<Affine2>) -> Vec2 {
        let height = self.residual.dot(up);
        let aside = self.residual - up * height;
        let contact = self.contact(flat, aside, up, lock, held);
        contact.unwrap_or(flat.place + aside) + up * height
    }

    /// Goes on for a pass. `ground` is what was found at the last tick, and `held` the frame of the
    /// body that the foot is planted on, by now.
    pub(crate) fn go_on(
        &mut self,
        settings: FootSettings,
        foot: Animated,
        ground: Option<Ground>,
        held: Option<Affine2>,
        stand: Stand,
    ) -> Placed {
        let Stand {
            up, unit, delta, ..
        } = stand;
        let lift = foot.tip.dot(up) - unit * settings.sole_height - stand.level;
        let flat = Flat {
            place: foot.tip - up * (lift + unit * settings.sole_height),
            lift,
        };
        let ground = ground.filter(Ground::is_finite);
        let held = held.filter(Affine2::is_finite);
        if stand.is_tick {
            self.carry(ground);
        }
        let before = self.standing(flat, up, settings.lock, held);
        let had_plant = self.plant.is_some();
        let lets_go = had_plant && self.lets_go(settings, foot, flat, held, stand);
        let mut before = before;
        if lets_go {
            before += up * self.held_back(settings.lock);
            self.plant = None;
        }
        let mut held = held.filter(|_| self.plant.is_some());
        if stand.is_tick {
            self.ground = ground;
            let is_still = self.is_slow(settings.plant_speed, foot.tip, stand)
                && self.climb(flat).abs() <= STEADY * settings.plant_speed * unit * delta as f32;
            if !had_plant && is_still {
                held = self.plant(settings, foot, flat, before, stand);
            }
            self.seen = Some(foot.tip);
        }
        self.lift = Some(flat.lift);
        if let Some(plant) = &mut self.plant {
            plant.lift = flat.lift.min(plant.lift).max(plant.lift.min(0.0));
        }
        if lets_go || stand.is_tick {
            self.stay(before, flat, up, settings.lock, held);
            let is_step = self.residual.length() <= foot.reach;
            if !is_step {
                // No step is that long.
                (self.residual, self.rate) = (Vec2::ZERO, Vec2::ZERO);
            }
        }
        self.place(settings, flat, foot.reach, held, stand)
    }

    /// How far the animation has lifted the foot since the last pass.
    fn climb(&self, flat: Flat) -> f32 {
        self.lift.map_or(0.0, |lift| flat.lift - lift)
    }

    /// How far a planted foot was above the place where the animation had it in the last pass.
    fn held_back(&self, lock: Lock) -> f32 {
        match (self.plant, self.lift) {
            (Some(plant), Some(lift)) if lock != Lock::None => plant.lift - lift,
            _ => 0.0,
        }
    }

    /// The contact may have jumped: the foot is still at `place`, and comes after.
    fn stay(&mut self, place: Vec2, flat: Flat, up: Vec2, lock: Lock, held: Option<Affine2>) {
        let contact = |aside| {
            let contact = self.contact(flat, aside, up, lock, held);
            contact.unwrap_or(flat.place + aside)
        };
        let away = place - contact(Vec2::ZERO);
        let aside = away - up * away.dot(up);
        let height = (place - contact(aside)).dot(up);
        self.residual = aside + up * height;
    }

    /// The ground and what was seen have come along with the body that is still below the foot.
    fn carry(&mut self, ground: Option<Ground>) {
        let (Some(old), Some(new)) = (self.ground, ground) else {
            return;
        };
        if old.body == new.body && old.frame != new.frame {
            let motion = new.frame * old.frame.inverse();
            self.seen = self.seen.map(|seen| motion.transform_point2(seen));
            self.ground = Some(old.carried_to(new.frame)).filter(Ground::is_finite);
        }
    }

    /// Whether a planted foot is let go.
    fn lets_go(
        &self,
        settings: FootSettings,
        foot: Animated,
        flat: Flat,
        held: Option<Affine2>,
        stand: Stand,
    ) -> bool {
        let (Some(plant), Some(frame)) = (self.plant, held) else {
            return true;
        };
        let farthest = stand.unit * settings.unplant_distance;
        let away = plant.contact.place(frame) - flat.place;
        let aside = away - stand.up * away.dot(stand.up);
        let is_fast =
            stand.is_tick && !self.is_slow(LET_GO * settings.plant_speed, foot.tip, stand);
        let most = LET_GO * STEADY * settings.plant_speed * stand.unit * stand.delta as f32;
        let is_lifted = self.climb(flat) > most;
        let is_out_of_reach = (foot.tip + away).distance(foot.hip) > foot.reach;
        is_fast
            || is_lifted
            || flat.lift > 0.5 * farthest
            || plant.contact.normal(frame).dot(stand.up) < STEEPEST
            || settings.lock != Lock::None && (aside.length() > farthest || is_out_of_reach)
    }

    /// Whether the animation moves the foot more slowly than `speed` along the level, against the ground.
    /// A tick without time tells nothing new.
    fn is_slow(&self, speed: f32, tip: Vec2, stand: Stand) -> bool {
        match (self.seen, stand.tick) {
            (Some(seen), Some(time)) => {
                let motion = tip - seen;
                let aside = motion - stand.up * motion.dot(stand.up);
                aside.length() < stand.unit * speed * time
            }
            _ => self.plant.is_some(),
        }
    }

    /// Plants the foot, which would be at `place` on the level, where it is, if it is near to ground that holds it. Returns the body's frame.
    fn plant(
        &mut self,
        settings: FootSettings,
        foot: Animated,
        flat: Flat,
        place: Vec2,
        stand: Stand,
    ) -> Option<Affine2> {
        let ground = self.ground?;
        let farthest = stand.unit * settings.unplant_distance;
        let aside = self.residual - stand.up * self.residual.dot(stand.up);
        let contact = ground.below(flat.place + aside, stand.up);
        let height = (place - contact).dot(stand.up);
        let is_near = flat.lift < 0.25 * farthest
            && height.abs() <= FULL * stand.unit
            && aside.length() <= REPLANT * farthest;
        let is_in_reach = (foot.tip + contact - flat.place).distance(foot.hip) <= foot.reach;
        let inverse = ground.frame.inverse();
        let holds = ground.normal.dot(stand.up) >= STEEPEST && inverse.is_finite();
        if !(is_near && is_in_reach && holds) {
            return None;
        }
        let angle = slope_of(ground.normal, settings.max_slope, stand.up);
        let direction = foot.direction.unwrap_or(Vec2::ZERO);
        self.plant = Some(Plant {
            contact: ground.contact(contact),
            direction: inverse.transform_vector2(unit_vector_f32(angle).rotate(direction)),
            lift: flat.lift,
        });
        // It stays where it is, also in the middle of coming after.
        self.rate = stand.up * self.rate.dot(stand.up);
        Some(ground.frame)
    }

    /// Where the foot comes to in this pass.
    fn place(
        &mut self,
        settings: FootSettings,
        flat: Flat,
        reach: f32,
        held: Option<Affine2>,
        stand: Stand,
    ) -> Placed {
        let Stand {
            up, unit, delta, ..
        } = stand;
        let plant = self.plant.zip(held);
        let normal = match plant {
            Some((plant, frame)) => Some(plant.contact.normal(frame)),
            None => self.ground.map(|ground| ground.normal),
        };
        let slope = normal.map_or(0.0, |normal| slope_of(normal, settings.max_slope, up));
        let spring = Oscillator::new(std::f64::consts::TAU * SETTLING, 1.0, delta);
        let turned = settle(&spring, self.slope - slope, self.slope_rate, 1e-4);
        (self.slope, self.slope_rate) = (slope + turned.0, turned.1);
        let [x, y] = [0, 1].map(|axis| settle(&spring, self.residual[axis], self.rate[axis], 1e-2));
        self.residual = Vec2::new(x.0, y.0);
        self.rate = Vec2::new(x.1, y.1);
        let contact = self.contact(flat, Vec2::ZERO, up, settings.lock, held);
        let straight = contact.map_or(Vec2::ZERO, |contact| contact - flat.place);
        let held_back = self.held_back(settings.lock);
        // Not into the ground.
        let lift = (flat.lift + held_back).max(0.0);
        let sunk = (-lift - self.residual.dot(up)).max(0.0);
        let most = self.raised + RISE * reach * delta.min(1.0 / 60.0) as f32;
        self.raised = contact.map_or(0.0, |_| sunk.min(most));
        let raised = self.raised + held_back;
        let standing = self.standing(flat, up, settings.lock, held);
        let shift = shaped(standing - flat.place + up * raised, unit);
        let turn = match self.slope.abs() > 1e-3 {
            true => self.slope,
            false => 0.0,
        };
        let stays = settings.lock == Lock::PositionAndRotation;
        let sole = unit_vector_f32(turn).rotate(up) - up;
        Placed {
            shift: shift + sole * (unit * settings.sole_height),
            turn,
            direction: plant
                .filter(|_| stays)
                .map(|(plant, frame)| frame.transform_vector2(plant.direction)),
            rise: contact.map(|_| shaped(up * straight.dot(up), unit).dot(up)),
        }
    }
}

/// A correction as it is made: what is small is left to the animation.
fn shaped(correction: Vec2, unit: f32) -> Vec2 {
    let length = correction.length() / unit;
    if length <= NOTHING {
        return Vec2::ZERO;
    }
    let part = (length - NOTHING) / (FULL - NOTHING) * (FULL / length);
    correction * part.min(1.0)
}
