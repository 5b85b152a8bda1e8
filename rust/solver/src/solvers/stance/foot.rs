//! What is kept of a foot: where it is planted, and the step that it makes.

use glam::{Affine2, Vec2};

use crate::math::number::kept;
use crate::solvers::stance::leg::Lock;
use crate::solvers::stance::world::Surface;

/// A plant's ray finds its surface within this part of a leg.
pub(super) const NEAR: f32 = 0.06;

kept! {
    /// Where a foot is planted: in the frame in which its surface is drawn.
    pub struct Plant {
        /// Which surface that is, and of which body.
        pub surface: u32,
        /// See above.
        pub body: u32,
        pub(super) local: Vec2,
        /// Which way the foot points.
        pub(super) direction: Vec2,
        /// Where the surface was at the last tick.
        pub(super) frame: Affine2,
        #[serde(default)]
        pub(super) lock: Lock,
        /// How high above it the animation had the foot at the lowest, in units of the skeleton.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub(super) lift: Option<f32>,
    }
}

kept! {
    /// The ground of a foot, in skeleton space.
    pub struct Support {
        /// Where it is.
        pub place: Vec2,
        /// The direction away from it.
        pub normal: Vec2,
        /// Which surface it is.
        pub surface: u32,
        /// Where the foot touches it, if that is elsewhere: its other end, or what is between.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub touch: Option<Vec2>,
    }
}

kept! {
    default
    /// What is kept of a foot. Places are in skeleton space if nothing else is said.
    pub struct FootMemory {
        /// Where it is put.
        pub(super) place: Vec2,
        /// Where it is planted.
        pub plant: Option<Plant>,
        /// What is below it, or where it is about to land.
        pub ground: Option<Support>,
        /// The body of the one-way surface that counts for it.
        pub(super) held: Option<u32>,
        /// Where the animation had it at the last tick, also in global space.
        pub(super) posed: Option<Vec2>,
        pub(super) seen: Vec2,
        /// How far it went against the ground since the pose changed, for how long; and how fast that was.
        pub(super) way: Vec2,
        pub(super) since: f32,
        pub(super) motion: Option<Vec2>,
        /// How fast the animation lifted it then, per second.
        pub(super) lifting: f32,
        /// How near to its hip the animation ever had it.
        pub(super) nearest: Option<f32>,
        /// How far it stays behind the animation along the ground, and how far it is moved in all.
        pub(super) slip: Vec2,
        pub(super) shift: Vec2,
        /// How fast that changes, per second, and how far it is to be moved.
        pub(super) shift_rate: Vec2,
        pub(super) goal: Vec2,
        /// How far it stayed behind when it began to step home; 0: it does not.
        pub(super) stepped: f32,
        /// How fast it came down in the last moments before it was planted, per second, and how long ago that was.
        pub(super) descent: f32,
        descended: f32,
        /// The step that it makes.
        pub(super) swing: Option<Swing>,
        /// Where it is in the rhythm of its steps: from 0, where it is planted, to 1.
        pub(super) phase: f32,
        /// What walls and reach took from its last step.
        pub(super) nearer: Vec2,
        /// Whether it has gone home since the character stands.
        pub(super) has_settled: bool,
        /// How it is turned to the slope; besides, to keep its direction; and what is left of that when it is let go.
        pub(super) slope: f32,
        pub(super) slope_rate: f32,
        pub(super) hold: f32,
        pub(super) twist: f32,
        pub(super) twist_rate: f32,
        /// How far its toes are bent besides.
        pub(super) bend: f32,
        pub(super) bend_rate: f32,
        /// Which way it pointed when it was the last time that it kept its direction.
        pub(super) heading: Vec2,
        /// The ground that the leg might reach, of a foot that is not on it; or where one that is to step would, were it not too
        /// low.
        #[serde(skip)]
        pub(super) below: Option<Vec2>,
        /// From where the server has its surface to where that is drawn, in this tick.
        #[serde(skip)]
        pub(super) back: Option<Affine2>,
        /// Where it was at the last tick, if it was not planted: where it was put, or where the animation had it.
        #[serde(skip)]
        pub(super) before: Option<Vec2>,
        /// How the ground below the toes is sloped, of a foot that is planted in this tick, in radians.
        #[serde(skip)]
        pub(super) toe_slope: Option<f32>,
        /// How much faster than the rhythm it goes in this tick, to come into it.
        #[serde(skip)]
        pub(super) hurry: f32,
        /// How much it wants to step in this tick.
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

    /// Where it is, in global space.
    pub(super) fn place(&self) -> Vec2 {
        self.frame.transform_point2(self.local)
    }

    /// Which way the foot points there.
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

/// For how long it counts how fast a foot came down, in seconds.
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
        /// How much of it is over.
        pub(super) part: f32,
        /// Where it begins, in skeleton space.
        pub(super) from: Vec2,
        /// Where it ends.
        pub(super) landing: Landing,
    }
}

kept! {
    /// Where a step ends.
    pub(super) struct Landing {
        /// In skeleton space.
        pub(super) place: Vec2,
        pub(super) normal: Vec2,
        /// On its surface.
        pub(super) plant: Plant,
        /// Whether that is still there.
        pub(super) is_there: bool,
    }
}
