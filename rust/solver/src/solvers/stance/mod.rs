//! What stands on ground: feet under an animation, and feet that step by themselves.
//!
//! | file | what is in it |
//! |---|---|
//! | this one | a tick |
//! | [`world`] | what a tick asks of the physics, and what it is told |
//! | [`leg`] | legs and feet, as they are set and in the rest pose |
//! | [`foot`] | what is kept of a foot, and whether it stays planted |
//! | [`probe`] | rays |
//! | [`ride`] | what carries the character, and how that moves |
//! | [`place`] | feet under an animation |
//! | [`step`], [`order`], [`swing`] | feet that step: how far, who is next, and the way of a step |
//! | [`pelvis`], [`tilt`] | how high the pelvis is, and how a body tilts with its feet |
//! | [`turn`] | how a foot is turned |
//! | [`shown`] | what a pass shows |
//!
//! The law runs in ticks of the physics. A pass shows what the last one came to. Places are in skeleton
//! space, so a character that is mirrored or scaled needs no case of its own. What is said of every foot in
//! every tick:
//!
//! 1. A planted foot has ground: a ray that is cast anyway finds a surface near it. If it is another surface
//!    than before, the plant goes over without moving; if there is none, it is let go in that tick.
//! 2. A planted foot can be stood on: its leg reaches it, and it is below its hip.
//! 3. A foot is seen from its hip: no wall is between.
//! 4. Nothing is measured in the world: speed, leaps and steps are those of the character against what
//!    carries it.
//! 5. A foot that needs nothing is not touched, to the last bit.
//! 6. A mirrored character has mirrored feet, at once.
//! 7. No joint turns much faster than its animation ([`crate::rig::placed`]).

pub(crate) mod foot;
pub(crate) mod leg;
pub(crate) mod order;
pub(crate) mod pelvis;
mod place;
mod probe;
mod ride;
pub(crate) mod shown;
pub(crate) mod step;
mod swing;
mod tilt;
mod turn;
pub(crate) mod world;

use glam::{Affine2, Vec2};
use serde::{Deserialize, Serialize};

use crate::math::clone_in_place::clone_in_place;
use crate::solvers::stance::foot::FootMemory;
use crate::solvers::stance::leg::Leg;
use crate::solvers::stance::order::Turns;
use crate::solvers::stance::pelvis::{PelvisMemory, PelvisSettings};
use crate::solvers::stance::ride::Riding;
use crate::solvers::stance::step::GaitSettings;
use crate::solvers::stance::world::{Posed, Tick, World};

/// How far the pelvis goes down at most, as a part of the legs.
const ROOM: f32 = 0.35;

/// What stays the same from tick to tick. All in skeleton space.
#[derive(Clone, Copy)]
pub(crate) struct Law<'a> {
    /// Away from the ground, of length 1.
    pub(crate) up: Vec2,
    /// How high the plane is that the animation stands on, along `up`.
    pub(crate) level: f32,
    /// How much higher and lower than that plane ground counts.
    pub(crate) search: [f32; 2],
    pub(crate) pelvis: PelvisSettings,
    /// Where the pelvis is in the rest pose.
    pub(crate) pivot: Vec2,
    /// How feet step; `None` for feet under an animation.
    pub(crate) gait: Option<GaitSettings>,
    pub(crate) legs: &'a [Option<Leg>],
}

impl Law<'_> {
    /// The length of the shortest leg.
    fn reach(&self) -> f32 {
        let legs = self.legs.iter().flatten();
        legs.map(|leg| leg.reach).fold(f32::INFINITY, f32::min)
    }

    /// How far the pelvis goes down at most.
    fn room(&self) -> f32 {
        self.pelvis.max_drop.min(ROOM * self.reach()).max(0.0)
    }

    /// How high a place is over the plane.
    fn rise(&self, place: Vec2) -> f32 {
        place.dot(self.up) - self.level
    }

    /// Whether ground at `place` counts.
    fn is_within_search(&self, place: Vec2) -> bool {
        let [above, below] = self.search;
        (-below..=above).contains(&self.rise(place))
    }
}

/// A tick, while the law goes through it.
struct Scene<'a> {
    world: &'a mut dyn World,
    /// In seconds.
    delta: f32,
    /// From skeleton space to where things are drawn, and back.
    frame: Affine2,
    inverse: Affine2,
    up: Vec2,
    /// The bodies that the character stands on.
    floors: &'a [u32],
    /// From where the server has what carries the character to where that is drawn.
    back: Affine2,
    is_falling: bool,
    is_airborne: bool,
}

/// What is kept from tick to tick.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct StanceMemory {
    /// Of each foot.
    pub feet: Vec<FootMemory>,
    /// How many ticks there were.
    count: u32,
    riding: Riding,
    pelvis: PelvisMemory,
    turns: Turns,
}

clone_in_place!(StanceMemory: feet);

impl StanceMemory {
    /// Whether there was no tick yet.
    pub(crate) fn is_new(&self) -> bool {
        self.count == 0
    }

    /// Goes through a tick. A tick without time, or where the skeleton is nowhere, changes nothing.
    pub(crate) fn tick(
        &mut self,
        law: &Law<'_>,
        tick: Tick,
        posed: &[Option<Posed>],
        floors: &[u32],
        world: &mut dyn World,
    ) {
        let inverse = tick.to_global.inverse();
        let is_sound = tick.to_global.is_finite() && inverse.is_finite() && law.up.is_finite();
        let is_sound = is_sound && law.reach().is_finite() && tick.delta > 0.0;
        if !is_sound {
            return;
        }
        let mut scene = Scene {
            world,
            delta: tick.delta.min(0.1),
            frame: tick.to_global,
            inverse,
            up: law.up,
            floors,
            back: Affine2::IDENTITY,
            is_falling: false,
            is_airborne: false,
        };
        self.begin(law, posed);
        self.ride(law, &mut scene, tick.is_on_floor, posed);
        if law.gait.is_some() {
            self.stand_at_once(law, &mut scene, posed);
        }
        match law.gait {
            Some(gait) => self.step(law, gait, &mut scene, posed),
            None => self.place(law, &mut scene, posed),
        }
        self.sink(law, &scene, posed);
        self.count = self.count.wrapping_add(1);
        self.remember(&scene, posed);
    }

    /// Feet that come, and those that went.
    fn begin(&mut self, law: &Law<'_>, posed: &[Option<Posed>]) {
        self.feet.resize(law.legs.len(), FootMemory::default());
        for (index, foot) in self.feet.iter_mut().enumerate() {
            let posed = posed.get(index).copied().flatten();
            match (posed, law.legs[index]) {
                (Some(posed), Some(leg)) => {
                    if foot.posed.is_none() {
                        foot.place = match law.gait {
                            Some(_) => leg.home,
                            None => posed.sole,
                        };
                    }
                }
                _ => *foot = FootMemory::default(),
            }
        }
    }

    /// Notes where everything was in this tick.
    fn remember(&mut self, scene: &Scene<'_>, posed: &[Option<Posed>]) {
        self.riding.frame = Some(scene.frame);
        for (foot, posed) in self.feet.iter_mut().zip(posed) {
            if let Some(posed) = posed {
                foot.posed = Some(posed.sole);
                foot.seen = scene.frame.transform_point2(posed.sole);
            }
        }
    }
}

/// 0 up to `from`, 1 from `to` on, and smooth between.
fn smoothstep(from: f32, to: f32, value: f32) -> f32 {
    let part = ((value - from) / (to - from)).clamp(0.0, 1.0);
    part * part * (3.0 - 2.0 * part)
}

/// The part of a vector across `up`.
fn along_ground(way: Vec2, up: Vec2) -> Vec2 {
    way - up * way.dot(up)
}
