//! Animated feet on the ground: the law for one foot, in global space. That of the pelvis is in
//! [`crate::solvers::pelvis`].
//!
//! | file | what is in it |
//! |---|---|
//! | this one | where a foot comes to in a pass |
//! | [`memory`] | its settings, and what is kept of it |
//! | [`look`] | where its ground is looked for, and steps that it comes to |
//! | [`plant`] | when it is planted, and when it is let go |
//! | [`turn`] | how it is turned |
//!
//! The animation stands on a plane across `up`, the *level*. Where the ground is elsewhere, the foot
//! is moved by what lies between: by the *contact*, its place on the ground, less its place on the
//! level. Ground is known from queries, in each tick of the physics. Between two ticks it goes on as the
//! plane that was found.
//!
//! A foot that is slow against the ground, and near it, is planted: its contact stays where it is in
//! the frame of the body it stands on, and it is not lifted. It is let go when the animation moves it,
//! too far or too fast. A contact that jumps, from stair to stair or when a foot is let go, leaves a
//! *residual*, along the ground and along `up`, which decays as a critically damped spring, in closed form.
//! So a foot follows a slope without lag, and a stair without a jump. Before a step up the residual goes to the
//! height of that step instead of zero: when the foot is over it, the contact jumps by just that.
//!
//! What is less than [`NOTHING`] is left to the animation, to the last bit.

pub(crate) mod look;
pub(crate) mod memory;
mod plant;
mod turn;

use glam::{Affine2, Vec2};

use crate::solvers::feet::look::Found;
use crate::solvers::feet::memory::{
    Animated, FULL, Flat, FootMemory, FootSettings, Lock, NOTHING, SETTLING, STEADY, Sighting,
};
use crate::solvers::ground::Ground;
use crate::solvers::oscillator::{Oscillator, settle};
use crate::solvers::pelvis::{Level, Stand};

/// How fast a foot is raised out of ground that it has come into, such as a stair, in reaches of its limb
/// per second. In a frame it is never raised farther than in a 60th of a second.
const RISE: f32 = 6.0;

/// What becomes of a foot.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Placed {
    /// How far the tip is moved.
    pub(crate) shift: Vec2,
    /// How far the foot is turned, in radians.
    pub(crate) turn: f32,
    /// If its limb has a target: which way its bone is to point, and the part of the way there.
    pub(crate) direction: Option<(Vec2, f32)>,
    /// How much higher the ground is than the level, if there is ground.
    pub(crate) rise: Option<f32>,
}

impl FootMemory {
    /// The place on the ground for the foot that the animation has at `flat`, moved `aside` along
    /// the level. `held` is the frame of the body that it is planted on.
    fn contact(&self, flat: Flat, aside: Vec2, up: Vec2, held: Option<Affine2>) -> Option<Vec2> {
        match (self.plant, held) {
            (Some(plant), Some(frame)) if plant.lock != Lock::None => {
                Some(plant.contact.place(frame) + aside)
            }
            _ => self
                .ground
                .map(|ground| ground.below(flat.place + aside, up)),
        }
    }

    /// Where the foot is by now, if the animation has it on the level.
    fn standing(&self, flat: Flat, up: Vec2, held: Option<Affine2>) -> Vec2 {
        let height = self.residual.dot(up);
        let aside = self.residual - up * height;
        let contact = self.contact(flat, aside, up, held);
        contact.unwrap_or(flat.place + aside) + up * height
    }

    /// Goes on for a pass, by what was found at the last tick, and the frame of the body that the foot is
    /// planted on, by now.
    pub(crate) fn go_on(
        &mut self,
        settings: FootSettings,
        foot: Animated,
        found: Found,
        stand: Stand,
    ) -> Placed {
        let Found { ground, held, .. } = found;
        let Stand { level, delta, .. } = stand;
        let Level { up, unit, .. } = level;
        let flat = level.flat(foot.sole);
        // One that is far away was found before the body was moved at once.
        let is_near = |ground: &Ground| {
            let away = (ground.position - flat.place).reject_from_normalized(up);
            ground.is_finite() && away.length() <= foot.reach
        };
        let ground = ground.filter(is_near);
        let held = held.filter(Affine2::is_finite);
        if stand.is_tick {
            self.carry(ground);
            self.measure(settings, foot, stand);
        }
        // Also on a body that is gone, it is where it stood until now.
        let was_held = held.or_else(|| self.last_frame());
        let before = self.standing(flat, up, was_held);
        let turned = self.held_turn(foot, was_held) + self.twist;
        let had_plant = self.plant.is_some();
        let lets_go = had_plant && self.lets_go(settings, foot, flat, held, stand);
        let mut before = before;
        if lets_go {
            before += up * self.held_back();
            self.plant = None;
        }
        let mut held = held.filter(|_| self.plant.is_some());
        if stand.is_tick {
            self.ground = self.ground_at(before, ground, level);
            self.look_ahead(found.step, before, up);
            let is_still = self.is_slow(settings.plant_speed * unit)
                && self.climb(flat).abs() <= STEADY * settings.plant_speed * unit * delta as f32;
            if !had_plant && is_still {
                held = self.plant(settings, foot, flat, before, stand);
            }
            self.seen = Some(Sighting {
                sole: foot.sole,
                hip: foot.hip,
            });
        }
        (self.lift, self.local) = (Some(flat.lift), Some(foot.local));
        if let Some((plant, frame)) = self.plant.zip(held) {
            self.heading = frame.transform_vector2(plant.direction);
        }
        if let Some(plant) = &mut self.plant {
            plant.lift = flat.lift.min(plant.lift).max(plant.lift.min(0.0));
        }
        if lets_go || stand.is_tick {
            self.stay(before, flat, up, held);
            let is_step = self.residual.length() <= foot.reach;
            if !is_step {
                // No step is that long.
                (self.residual, self.rate) = (Vec2::ZERO, Vec2::ZERO);
            }
        }
        if lets_go || held.is_some() && !had_plant {
            // It is still turned as before, and comes after.
            self.twist = turned - self.held_turn(foot, held);
        }
        self.place(settings, foot, flat, held, stand)
    }

    /// Where the body that it is planted on was at the last tick, if that was below it.
    fn last_frame(&self) -> Option<Affine2> {
        let (plant, ground) = (self.plant?, self.ground?);
        (plant.contact.body == ground.body).then_some(ground.frame)
    }

    /// How far the animation has lifted the foot since the last pass.
    fn climb(&self, flat: Flat) -> f32 {
        self.lift.map_or(0.0, |lift| flat.lift - lift)
    }

    /// How far a planted foot was above the place where the animation had it in the last pass.
    fn held_back(&self) -> f32 {
        match (self.plant, self.lift) {
            (Some(plant), Some(lift)) if plant.lock != Lock::None => plant.lift - lift,
            _ => 0.0,
        }
    }

    /// The contact may have jumped: the foot is still at `place`, and comes after.
    fn stay(&mut self, place: Vec2, flat: Flat, up: Vec2, held: Option<Affine2>) {
        let contact = |aside| {
            let contact = self.contact(flat, aside, up, held);
            contact.unwrap_or(flat.place + aside)
        };
        let away = place - contact(Vec2::ZERO);
        let aside = away.reject_from_normalized(up);
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
            self.seen = self.seen.map(|seen| Sighting {
                sole: motion.transform_point2(seen.sole),
                hip: motion.transform_point2(seen.hip),
            });
            self.ground = Some(old.carried_to(new.frame)).filter(Ground::is_finite);
        }
    }

    /// Where the foot comes to in this pass.
    fn place(
        &mut self,
        settings: FootSettings,
        foot: Animated,
        flat: Flat,
        held: Option<Affine2>,
        stand: Stand,
    ) -> Placed {
        let Stand { level, delta, .. } = stand;
        let Level { up, unit, .. } = level;
        let plant = self.plant.zip(held);
        let spring = Oscillator::new(std::f64::consts::TAU * SETTLING, 1.0, delta);
        // Over what it is about to come to.
        let height = match plant.is_some() || self.stands {
            true => 0.0,
            false => self.height_of(self.step, up),
        };
        let above = up * height;
        let left = self.residual - above;
        let [x, y] = [0, 1].map(|axis| settle(&spring, left[axis], self.rate[axis], 1e-2));
        self.residual = Vec2::new(x.0, y.0) + above;
        self.rate = Vec2::new(x.1, y.1);
        if let Some([side, ahead]) = self.side(flat.lift, level).filter(|_| plant.is_none()) {
            let place = self.standing(flat, up, held);
            let beyond = (place - side).dot(ahead);
            if beyond > 0.0 {
                self.residual -= ahead * beyond;
                self.rate = up * self.rate.dot(up);
            }
        }
        let contact = self.contact(flat, Vec2::ZERO, up, held);
        let straight = contact.map_or(Vec2::ZERO, |contact| contact - flat.place);
        let held_back = self.held_back();
        // Not into the ground.
        let lift = (flat.lift + held_back).max(0.0);
        let sunk = (-lift - self.residual.dot(up)).max(0.0);
        let most = self.raised + RISE * foot.reach * delta.min(1.0 / 60.0) as f32;
        self.raised = contact.map_or(0.0, |_| sunk.min(most));
        let raised = self.raised + held_back;
        let standing = self.standing(flat, up, held);
        let shift = shaped(standing - flat.place + up * raised, unit);
        let turned = self.turn(settings, foot, shift, held, stand);
        Placed {
            // It turns about the place that is on the ground.
            shift: shift + foot.turned_about_sole(turned.about_sole),
            turn: turned.turn,
            direction: turned.direction,
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
