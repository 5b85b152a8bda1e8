//! How high the body is over its feet, and how it tilts with them.

use glam::{Affine2, Vec2};

use crate::math::angle::shortest_way;
use crate::math::interval::clamp01;
use crate::math::trigonometry::angle_of_f32;
use crate::solvers::gait::leg::{Frame, RESERVE, Walk};
use crate::solvers::gait::memory::{GaitMemory, Moment};
use crate::solvers::pelvis::{Level, Stand};

/// Where the pelvis is shown.
#[derive(Clone, Copy)]
pub(crate) struct Carriage {
    /// How far it is moved along `up`, in pixels.
    pub(crate) shift: f32,
    /// How far it is turned, in radians.
    pub(crate) turn: f32,
}

impl Frame {
    /// The body there, in a tick or `delta` seconds after one.
    fn stand(self, tick: Option<f32>, delta: f32) -> Stand {
        Stand {
            level: Level {
                up: self.up,
                height: 0.0,
                unit: self.unit,
            },
            tick,
            is_tick: tick.is_some(),
            delta: delta.into(),
        }
    }
}

/// Feet that are less far apart, as a part of the reach, say little about a slope.
const NARROW: f32 = 0.08;

/// The steepest ground that the body tilts to, as a rise.
const STEEP: f32 = 1.0;

impl GaitMemory {
    /// Takes the height and the slope of the feet over for the body.
    pub(super) fn settle_body(&mut self, moment: Moment, is_first: bool) {
        let (walk, frame, stride) = (moment.walk, moment.frame, moment.stride);
        let (rise, slope) = self.slope_of_feet(moment).unwrap_or_default();
        let stands = self.feet.iter().any(|foot| foot.body().is_some());
        let lowest = -walk.pelvis.max_drop.max(0.0) * frame.unit;
        let within_reserve = self.highest(RESERVE, moment);
        let posture = &mut self.posture;
        (posture.rise, posture.slope) = (rise, slope);
        let has_ground = stands || self.feet.iter().any(|foot| foot.landing().is_some());
        let need = (rise + stride.lift).min(within_reserve);
        posture.need = if has_ground { need } else { 0.0 };
        let tilt = clamp01(walk.settings.body_tilt);
        posture.goal = -tilt * angle_of_f32(Vec2::new(1.0, posture.slope));
        let stand = frame.stand(Some(moment.delta), moment.delta);
        let mut settings = walk.pelvis;
        if is_first {
            // It begins as it should be.
            settings.frequency = 0.0;
        }
        let height = frame.to_global.translation.dot(frame.up);
        posture.pelvis.follow_body(settings, height, stands, stand);
        posture.advance(settings, stand);
        // Not higher than the legs reach that stand.
        let highest = self.highest(1.0, moment).max(lowest);
        self.posture.pelvis.shift = self.posture.pelvis.shift.min(highest);
    }

    /// How high the pelvis may be moved so that all feet that stand are within this part of the reach.
    fn highest(&self, part: f32, moment: Moment) -> f32 {
        let up = moment.frame.up;
        let feet = self.feet.iter().zip(moment.walk.legs);
        let highest = feet.filter_map(|(foot, leg)| {
            let (place, leg) = (foot.standing()?, leg.as_ref()?);
            let way = self.hip(leg, moment) - up * self.posture.pelvis.shift - place;
            let aside = way - up * way.dot(up);
            let reach = part * leg.reach * moment.frame.unit;
            let height = reach * reach - aside.length_squared();
            (height > 0.0).then(|| height.sqrt() - way.dot(up))
        });
        highest.fold(f32::INFINITY, f32::min)
    }

    /// How much higher than their homes the feet are, and how much they rise to the right. `None`
    /// if there is no ground.
    fn slope_of_feet(&self, moment: Moment) -> Option<(f32, f32)> {
        let (walk, frame, stride) = (moment.walk, moment.frame, moment.stride);
        let feet = self.feet.iter().zip(walk.legs).filter_map(|(foot, leg)| {
            let home = frame.point(leg.as_ref()?.home);
            let away = foot.stance.base(home)? - home;
            let home = home - stride.centre;
            let [x, y] = [frame.right, frame.up].map(|axis| away.dot(axis));
            Some([home.dot(frame.right), home.dot(frame.right) + x, y])
        });
        let mut sums = [0.0_f32; 7];
        for [home, x, y] in feet {
            for (sum, more) in
                sums.iter_mut()
                    .zip([1.0, home, x, y, home * home, home * x, home * y])
            {
                *sum += more;
            }
        }
        let [count, homes, xs, ys, square, home_x, home_y] = sums;
        if count == 0.0 {
            return None;
        }
        let narrow = NARROW * stride.reach;
        // Feet that have crossed say nothing of the slope, and no more than their homes are apart.
        let spread = home_x - homes * xs / count;
        let spread = spread.max(square - homes * homes / count) + count * narrow * narrow;
        let slope = (home_y - homes * ys / count) / spread.max(f32::MIN_POSITIVE);
        let slope = if slope.is_finite() { slope } else { 0.0 };
        let slope = slope.clamp(-STEEP, STEEP);
        Some((ys / count - slope * xs / count, slope))
    }

    /// Where the pelvis is shown, with the skeleton at `frame`.
    pub(crate) fn carriage(&self, walk: Walk, to_global: Affine2) -> Option<Carriage> {
        let frame = Frame::of(to_global, walk.up)?;
        let mut posture = self.posture;
        posture.advance(walk.pelvis, frame.stand(None, self.elapsed));
        Some(Carriage {
            shift: posture.pelvis.shift,
            turn: shortest_way(0.0, posture.turn),
        })
    }
}
