//! What a leg is, where its home is, and how far it can go.

use glam::{Affine2, Vec2};

use crate::solvers::gait::input::{GaitOrder, GaitSettings};
use crate::solvers::pelvis::PelvisSettings;

/// A leg in a pass. All in skeleton space.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Leg {
    /// Where its sole is in the rest pose.
    pub(crate) home: Vec2,
    /// Where it begins.
    pub(crate) hip: Vec2,
    /// From there to the sole, at the most.
    pub(crate) reach: f32,
    pub(crate) max_slope: f32,
}

/// What stays the same within a pass.
#[derive(Clone, Copy)]
pub(crate) struct Walk<'a> {
    pub(crate) settings: GaitSettings,
    pub(crate) pelvis: PelvisSettings,
    /// Of length 1.
    pub(crate) up: Vec2,
    /// The pelvis in the rest pose, in skeleton space.
    pub(crate) pivot: Vec2,
    pub(crate) legs: &'a [Option<Leg>],
}

/// Where the skeleton is.
#[derive(Clone, Copy)]
pub(super) struct Frame {
    pub(super) to_global: Affine2,
    /// Of length 1, and across.
    pub(super) up: Vec2,
    pub(super) right: Vec2,
    /// The length of a unit of the skeleton.
    pub(super) unit: f32,
    pub(super) is_mirrored: bool,
}

impl Frame {
    /// `None` if that is nowhere.
    pub(super) fn of(to_global: Affine2, up: Vec2) -> Option<Self> {
        let area = to_global.matrix2.determinant();
        let is_sound = to_global.is_finite() && area.is_finite() && area != 0.0;
        is_sound.then_some(Self {
            to_global,
            up,
            right: up.perp(),
            unit: area.abs().sqrt(),
            is_mirrored: area < 0.0,
        })
    }

    pub(super) fn point(&self, place: Vec2) -> Vec2 {
        self.to_global.transform_point2(place)
    }
}

/// How far legs can go, in pixels.
#[derive(Clone, Copy)]
pub(super) struct Stride {
    /// A foot that is farther from its home asks for a step.
    pub(super) distance: f32,
    /// How far a foot can be from its home, both ways.
    pub(super) room: f32,
    /// How long a foot waits for others at the usual pace, at the longest, in seconds.
    rest: f32,
    /// Legs at the usual pace suffice up to this speed, per second.
    pub(super) speed: f32,
    /// How many feet may be lifted.
    pub(super) most: usize,
    /// How much higher over the feet the pelvis is than in the rest pose.
    pub(super) lift: f32,
    /// Of the shortest leg.
    pub(super) reach: f32,
    /// The middle of all homes.
    pub(super) centre: Vec2,
}

/// A foot reaches for ground within this part of the reach.
pub(super) const RESERVE: f32 = 0.98;

/// The part of its reach that a leg uses.
pub(super) const USED: f32 = 0.95;

/// The part of its reach at which a leg stands at most, if the height of the body is not given.
const STANDING: f32 = 0.88;

/// The part of the room after which a foot asks for a step at the latest.
const EARLY: f32 = 0.6;

/// The part of the room that is left to wait at any speed, and that which is a step at the least.
const EARLIEST: f32 = 0.9;
const LATEST: f32 = 0.1;

impl Walk<'_> {
    /// How far a foot can be from its home on level ground until it asks for a step, and how much higher than
    /// in the rest pose the pelvis is, both in units of the skeleton. `None` if that is nowhere.
    pub(crate) fn extent(self, to_global: Affine2) -> Option<[f32; 2]> {
        let frame = Frame::of(to_global, self.up)?;
        let stride = Stride::of(self, frame);
        Some([stride.distance, stride.lift].map(|length| length / frame.unit))
    }
}

impl Stride {
    pub(super) fn of(walk: Walk, frame: Frame) -> Self {
        let legs = || walk.legs.iter().flatten();
        let count = legs().count();
        let sum: Vec2 = legs().map(|leg| frame.point(leg.home)).sum();
        let centre = sum / (count as f32).max(1.0);
        let reach = |leg: &Leg| leg.reach * frame.unit;
        let drop = |leg: &Leg| (frame.point(leg.hip) - frame.point(leg.home)).dot(frame.up);
        let settings = walk.settings;
        let lift = match settings.body_height > 0.0 {
            true => {
                let height = (frame.point(walk.pivot) - centre).dot(frame.up);
                settings.body_height * frame.unit - height
            }
            false => {
                let excess = legs().map(|leg| drop(leg) - STANDING * reach(leg));
                -excess.fold(0.0, f32::max)
            }
        };
        let room = legs().map(|leg| {
            let (drop, reach) = (drop(leg) + lift, USED * reach(leg));
            let aside = (frame.point(leg.hip) - frame.point(leg.home)).dot(frame.right);
            (reach * reach - drop * drop).max(0.0).sqrt() - aside.abs()
        });
        let reach = legs().map(reach).fold(f32::INFINITY, f32::min);
        let room = room.fold(f32::INFINITY, f32::min).max(0.05 * reach);
        let most = match settings.max_lifted {
            0 => (count / 2).max(1),
            most => most as usize,
        };
        let duration = settings.duration();
        let turns = count as f32 / most.min(count).max(1) as f32;
        // In a wave, who has just missed its turn waits for a whole one.
        let others = match settings.order {
            GaitOrder::Wave => turns,
            GaitOrder::Alternate | GaitOrder::Free => turns - 1.0,
        };
        let rest = others.max(0.0) * duration;
        let ahead = settings.overshoot.max(0.0);
        let longest = ahead.max(rest - ahead).max(0.01);
        Self {
            distance: (settings.step_distance.max(0.0) * frame.unit).min(EARLY * room),
            room,
            rest,
            speed: room / longest,
            most,
            lift,
            reach,
            centre,
        }
    }

    /// The same at a speed, per second, and a pace: there is way left to wait for others.
    pub(super) fn at_speed(self, speed: f32, pace: f32) -> Self {
        let left = EARLIEST * self.room - speed * self.rest / pace;
        Self {
            distance: self.distance.min(left.max(LATEST * self.room)),
            ..self
        }
    }
}
