//! How high a body is over feet that step, and how it tilts with them.

use glam::Vec2;

use crate::math::interval::clamp01;
use crate::math::trigonometry::{angle_of_f32, unit_vector_f32};
use crate::solvers::stance::foot::FootMemory;
use crate::solvers::stance::leg::Leg;
use crate::solvers::stance::memory::{PelvisMemory, StanceMemory};
use crate::solvers::stance::scene::{Law, Stage};
use crate::solvers::stance::world::PosedFoot;

/// Feet that are less far apart, as a part of the reach, say little about a slope.
const NARROW: f32 = 0.08;

/// The steepest ground that the body tilts to, as a rise.
const STEEP: f32 = 1.0;

/// The part of its reach at which a leg stands at most, if the height of the body is not given.
const STANDING: f32 = 0.88;

/// The steepest rise of ground that a body whose feet are as far apart as its legs are long does not tilt with. That of
/// others is as the square of the length of their legs.
const UNEVEN: f32 = 0.31;

/// The lie of a body whose feet step, over its ground.
#[derive(Clone, Copy)]
pub(crate) struct Lie {
    /// The slope of the ground: its rise to the right.
    pub(super) slope: f32,
    /// The sine of the angle by which the body is turned.
    turned: f32,
    /// The middle of all homes.
    centre: Vec2,
    /// The height of the pelvis over the feet, beyond that in the rest pose.
    pub(crate) lift: f32,
}

impl Lie {
    /// On ground with this slope, turned by so many radians: no leg is as good as straight.
    pub(crate) fn of(law: &Law<'_>, slope: f32, turn: f32) -> Self {
        let centre = law.centre().unwrap_or(law.pivot);
        let level = Self {
            slope: 0.0,
            turned: 0.0,
            centre,
            lift: 0.0,
        };
        let lie = Self {
            slope,
            turned: unit_vector_f32(turn).y,
            ..level
        };
        let given = law.gait.filter(|gait| gait.body_height > 0.0);
        let given = given.map(|gait| gait.body_height - (law.pivot - centre).dot(law.up));
        let legs = law.legs.iter().flatten();
        let most = legs.map(|leg| {
            let standing = STANDING * leg.reach;
            let standing = given.map_or(standing, |given| {
                standing.max(level.hip_height(law, leg) + given)
            });
            standing - lie.hip_height(law, leg)
        });
        let lift = most.fold(given.unwrap_or(0.0), f32::min);
        Self { lift, ..lie }
    }

    /// Returns the height of the hip of a leg over where the tip of its limb is at home.
    pub(super) fn hip_height(&self, law: &Law<'_>, leg: &Leg) -> f32 {
        let height = leg.height(law.up) - leg.above.dot(law.up) + self.lift;
        let aside = |place| self.aside(law, place);
        height - self.turned * aside(leg.hip) - self.slope * aside(leg.home)
    }

    /// How far to the right of the middle of all homes a place is.
    fn aside(&self, law: &Law<'_>, place: Vec2) -> f32 {
        (place - self.centre).dot(law.up.perp())
    }
}

/// The means of places along the ground and of heights, and how steep a line through them is: of places at which they are, those
/// at which they were to be, which say nothing if they are nearer to each other than this, and heights.
pub(super) fn fitted(places: impl Iterator<Item = [f32; 3]>, narrow: f32) -> Option<[f32; 3]> {
    let mut sums = [0.0_f32; 7];
    for [home, x, y] in places {
        let more = [1.0, home, x, y, home * home, home * x, home * y];
        for (sum, more) in sums.iter_mut().zip(more) {
            *sum += more;
        }
    }
    let [count, homes, xs, ys, square, home_x, home_y] = sums;
    (count > 0.0).then_some(())?;
    // Feet that have crossed say nothing of the slope, and no more than their homes are apart.
    let spread = home_x - homes * xs / count;
    let spread = spread.max(square - homes * homes / count) + count * narrow * narrow;
    let slope = (home_y - homes * ys / count) / spread.max(f32::MIN_POSITIVE);
    Some([xs / count, ys / count, slope])
}

impl StanceMemory {
    /// Goes on for a tick, where the body leans so far besides. Returns how far the pelvis is to be moved along `up`.
    pub(super) fn tilt(&mut self, lean: f32, scene: &Stage<'_>) -> f32 {
        let law = scene.law;
        let found = self.slope_of_feet(law, scene.posed);
        let (rise, slope) = found.unwrap_or_default();
        let goal = lean - law.tilt(slope);
        let pelvis = &mut self.pelvis;
        pelvis.slope = slope;
        let away = pelvis.turn - goal;
        let left = law
            .pelvis
            .come_after(away, pelvis.turn_rate, 1e-4, scene.delta);
        (pelvis.turn, pelvis.turn_rate) = (goal + left.0, left.1);
        let raised = law.raised(pelvis.turn);
        match (law.gait, found) {
            (Some(_), Some(_)) => rise + Lie::of(law, slope, pelvis.turn).lift + raised,
            (None, Some(_)) => raised,
            (_, None) => 0.0,
        }
    }

    /// Returns the height of the feet over their homes, in their middle, and their slope: the rise to the right. `None`
    /// if there is no ground.
    fn slope_of_feet(&self, law: &Law<'_>, posed: &[Option<PosedFoot>]) -> Option<(f32, f32)> {
        let (up, right) = (law.up, law.up.perp());
        let centre = law.centre()?;
        let feet = self.feet.iter().zip(law.legs).zip(posed);
        let feet = feet.filter_map(|((foot, leg), posed)| {
            let home = match law.gait {
                Some(_) => leg.as_ref()?.home,
                None => posed.map(|posed| posed.sole - up * law.rise(posed.sole))?,
            };
            let away = foot.base()? - home;
            let aside = (home - centre).dot(right);
            Some([aside, aside + away.dot(right), away.dot(up)])
        });
        let [x, y, slope] = fitted(feet, NARROW * law.reach())?;
        let slope = if slope.is_finite() { slope } else { 0.0 };
        let slope = slope.clamp(-STEEP, STEEP);
        Some((y - slope * x, slope))
    }
}

impl FootMemory {
    /// Returns the place where it stands, or might, or is about to, as the hip will be then.
    pub(super) fn base(&self) -> Option<Vec2> {
        let standing = self.plant.map(|_| self.place);
        let landing = || Some(self.swing?.landing).map(|landing| landing.place - landing.lead);
        standing.or_else(landing).or(self.below)
    }
}

impl Law<'_> {
    /// The middle of all homes.
    pub(crate) fn centre(&self) -> Option<Vec2> {
        let homes = self.legs.iter().flatten().map(|leg| leg.home);
        let count = self.legs.iter().flatten().count() as f32;
        (count > 0.0).then(|| homes.sum::<Vec2>() / count)
    }

    /// Returns the distance of the outermost homes along the ground.
    pub(super) fn spread(&self) -> f32 {
        let right = self.up.perp();
        let homes = self.legs.iter().flatten().map(|leg| leg.home.dot(right));
        homes.clone().fold(f32::MIN, f32::max) - homes.fold(f32::MAX, f32::min)
    }

    /// Returns the rise of the pelvis where it turns by `turn` radians: the body keeps its height in the middle of its
    /// feet.
    pub(super) fn raised(&self, turn: f32) -> f32 {
        let arm = self.centre().unwrap_or(self.pivot) - self.pivot;
        arm.dot(self.up.perp()) * unit_vector_f32(turn).y
    }

    /// Returns the tilt of the body by ground of this `slope` to the right, in radians: a body that tilts at all does
    /// so by as much as its legs need to reach the ground.
    pub(super) fn tilt(&self, slope: f32) -> f32 {
        let steep = angle_of_f32(Vec2::new(1.0, slope));
        let wish = clamp01(self.body_tilt) * steep;
        if self.gait.is_none() || wish == 0.0 {
            return wish;
        }
        let length = self.reach() / self.spread().max(f32::MIN_POSITIVE);
        let most = UNEVEN * length * length;
        let least = libm::atanf((slope.abs() - most).max(0.0));
        wish.abs().max(least).copysign(slope)
    }

    /// Returns the carriage of what hangs on the pelvis in a tick. Animated legs are lowered later.
    pub(super) fn carriage(&self, pelvis: &PelvisMemory) -> Carriage {
        let shift = self.gait.map_or(0.0, |_| pelvis.shift);
        let raised = self.gait.map_or(0.0, |_| self.raised(pelvis.turn));
        Carriage {
            turn: pelvis.turned(),
            shift: self.up * shift,
            room: (self.room() + shift - raised).max(0.0),
        }
    }

    /// Returns `place` as the pelvis carries it that is moved and turned so.
    pub(super) fn carried(&self, place: Vec2, pelvis: &PelvisMemory) -> Vec2 {
        self.turned_by(place, pelvis.turned()) + self.up * pelvis.shift
    }

    /// Returns `place` as a pelvis carries it that is turned to this direction.
    pub(super) fn turned_by(&self, place: Vec2, turn: Option<Vec2>) -> Vec2 {
        turn.map_or(place, |turn| self.pivot + turn.rotate(place - self.pivot))
    }
}

/// The motion of the pelvis in a tick, as legs go along with it.
#[derive(Clone, Copy)]
pub(super) struct Carriage {
    /// The direction of its X axis; `None` if it is not turned.
    pub(super) turn: Option<Vec2>,
    pub(super) shift: Vec2,
    /// The distance that it may go down.
    pub(super) room: f32,
}

impl PelvisMemory {
    /// Returns the direction of its X axis; `None` if it is not turned.
    pub(super) fn turned(&self) -> Option<Vec2> {
        (self.turn != 0.0).then(|| unit_vector_f32(self.turn))
    }
}
