//! What is kept of a foot: where it is planted, and the step that it makes.

use glam::{Affine2, Vec2};

use crate::math::number::kept;
use crate::solvers::stance::leg::Lock;
use crate::solvers::stance::world::Surface;

/// A plant's ray finds its surface within this part of a leg.
pub(super) const NEAR: f32 = 0.06;

kept! {
    /// The place of a planted foot, in the frame in which its surface is drawn.
    pub struct Plant {
        /// The number of that surface, and that of its body.
        pub surface: u32,
        /// See above.
        pub body: u32,
        pub(super) local: Vec2,
        /// The direction of the foot.
        pub(super) direction: Vec2,
        /// The frame of the surface at the last tick, in global space.
        pub(super) frame: Affine2,
        #[serde(default)]
        pub(super) lock: Lock,
        /// The lowest height above it at which the animation had the foot, in units of the skeleton.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub(super) lift: Option<f32>,
    }
}

kept! {
    /// The ground of a foot, in skeleton space.
    pub struct Support {
        /// The place of the foot on it.
        pub place: Vec2,
        /// The direction away from it.
        pub normal: Vec2,
        /// The number of its surface.
        pub surface: u32,
        /// The place where the foot touches it, if that is elsewhere: at its other end, or between both.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub touch: Option<Vec2>,
    }
}

kept! {
    default
    /// The state that is kept of a foot. Places are in skeleton space if nothing else is said.
    pub struct FootMemory {
        /// The place where it is put.
        pub(super) place: Vec2,
        /// Its place on a surface, if it is planted.
        pub plant: Option<Plant>,
        /// The ground below it, or where it is about to land.
        pub ground: Option<Support>,
        /// The body of the one-way surface that counts for it.
        pub(super) held: Option<u32>,
        /// Its place in the animation at the last tick, also in global space.
        pub(super) posed: Option<Vec2>,
        pub(super) seen: Vec2,
        /// Its way against the ground since the pose changed, the time of that, in seconds, and its velocity until
        /// then, per second.
        pub(super) way: Vec2,
        pub(super) since: f32,
        pub(super) motion: Option<Vec2>,
        /// The speed at which the animation lifted it until then, per second.
        pub(super) lifting: f32,
        /// The way by which it stays behind the animation along the ground, and that by which it is moved in all.
        pub(super) slip: Vec2,
        pub(super) shift: Vec2,
        /// The rate of `shift`, per second, and the goal of `shift`.
        pub(super) shift_rate: Vec2,
        pub(super) goal: Vec2,
        /// The length of the way by which it stayed behind when it began to step home; 0: it does not.
        pub(super) stepped: f32,
        /// The greatest speed at which it came down in the last moments before it was planted, per second, and the time
        /// since then, in seconds.
        pub(super) descent: f32,
        descended: f32,
        /// The step that it makes.
        pub(super) swing: Option<Swing>,
        /// Its phase in the rhythm of its steps: from 0, where it is planted, to 1.
        pub(super) phase: f32,
        /// `true` if it has gone home since the character stands.
        pub(super) has_settled: bool,
        /// The turn to the slope, in radians, and its rate; the turn besides that keeps its direction; and the rest of
        /// that after it is let go, and its rate.
        pub(super) slope: f32,
        pub(super) slope_rate: f32,
        pub(super) hold: f32,
        pub(super) twist: f32,
        pub(super) twist_rate: f32,
        /// The bend of its toes besides, in radians, and its rate.
        pub(super) bend: f32,
        pub(super) bend_rate: f32,
        /// Its direction when it kept that for the last time.
        pub(super) heading: Vec2,
        /// The ground that the leg might reach, of a foot that is not on it; or where one that is to step would, were it not too
        /// low.
        #[serde(skip)]
        pub(super) below: Option<Vec2>,
        /// The transform from the server's place of its surface to the drawn one, in this tick.
        #[serde(skip)]
        pub(super) back: Option<Affine2>,
        /// Its place at the last tick, if it was not planted: where it was put, or where the animation had it.
        #[serde(skip)]
        pub(super) before: Option<Vec2>,
        /// The slope of the ground below the toes, of a foot that is planted in this tick or about to be, in radians.
        #[serde(skip)]
        pub(super) toe_slope: Option<f32>,
        /// The excess over the speed of the rhythm in this tick, as a part of that, to come into it.
        #[serde(skip)]
        pub(super) hurry: f32,
        /// The urge to step in this tick: from 1 on it wants to.
        #[serde(skip)]
        pub(super) urge: f32,
    }
}

impl Plant {
    pub(super) fn new(surface: &Surface, global: Vec2, direction: Vec2, lock: Lock) -> Self {
        let inverse = surface.drawn.inverse();
        Self {
            surface: surface.number,
            body: surface.body,
            local: inverse.transform_point2(global),
            direction: inverse.transform_vector2(direction),
            frame: surface.drawn,
            lock,
            lift: None,
        }
    }

    /// Returns its place, in global space.
    pub(super) fn place(&self) -> Vec2 {
        self.frame.transform_point2(self.local)
    }

    /// Returns the direction of the foot there, in global space.
    pub(super) fn direction(&self) -> Vec2 {
        self.frame.transform_vector2(self.direction)
    }

    /// Goes along with its surface, for `delta` seconds.
    pub(super) fn ride(&mut self, surface: &Surface, delta: f32) {
        self.frame = surface.drawn;
        let velocity = surface.velocity(self.place());
        if velocity != Vec2::ZERO {
            let inverse = self.frame.inverse();
            self.local += inverse.transform_vector2(velocity * delta);
        }
    }
}

/// The time for which it counts how fast a foot came down, in seconds.
const RECENT: f32 = 0.15;

impl FootMemory {
    /// Notes how fast it comes down, if it was not planted before this tick. `now`: where it is, `way`: that of the
    /// character in the tick.
    pub(super) fn descend(&mut self, now: Vec2, way: Vec2, up: Vec2, delta: f32) {
        let Some(before) = self.before else { return };
        let speed = (before - now - way).dot(up) / delta;
        self.descended += delta;
        if speed >= self.descent || self.descended > RECENT {
            (self.descent, self.descended) = (speed.max(0.0), 0.0);
        }
    }

    pub(super) fn let_go(&mut self) {
        self.plant = None;
        self.back = None;
    }
}

kept! {
    /// A step of a foot.
    pub(super) struct Swing {
        /// The part of it that is over.
        pub(super) part: f32,
        /// Its start, in skeleton space.
        pub(super) from: Vec2,
        /// Its end.
        pub(super) landing: Landing,
    }
}

kept! {
    /// The end of a step.
    pub(super) struct Landing {
        /// In skeleton space.
        pub(super) place: Vec2,
        pub(super) normal: Vec2,
        /// The way that the hip will have made by then.
        #[serde(default)]
        pub(super) lead: Vec2,
        /// On its surface.
        pub(super) plant: Plant,
        /// The slope of the ground below the toes, in radians.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub(super) toe_slope: Option<f32>,
        /// `true` if the surface is still there.
        pub(super) is_there: bool,
    }
}
