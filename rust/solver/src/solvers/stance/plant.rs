//! When a foot is planted, stays so, and is let go. A plant is a claim that is checked in every tick: there is
//! ground, and it can be stood on. Feet under an animation ask for it in `animated_feet.rs`, and feet that step are
//! planted where their swing ends, in `swing.rs`; new ones at once, in `step.rs`.

use glam::Vec2;

use crate::math::trigonometry::unit_vector_f32;
use crate::solvers::stance::foot::{FootMemory, NEAR, Plant, Support};
use crate::solvers::stance::leg::LOW;
use crate::solvers::stance::probe::{Found, Looking, Walker};
use crate::solvers::stance::scene::{Stage, slope_of};

/// A foot is let go if the animation lifts it by more than this part of its leg.
pub(super) const LIFTED: f32 = 0.03;

/// It is let go sooner if the animation lifts it by so many legs in a second.
const RISING: f32 = 0.75;

/// A foot is planted that is drawn within this part of its leg from the ground.
pub(super) const TOUCH: f32 = 0.0125;

/// A foot is let go at this many times the speed at which it is planted.
const LET_GO: f32 = 1.75;

/// A planted foot that is farther above its ground, or in it, goes there: in units of the skeleton, and the rate per second.
const OFF: f32 = 0.02;
const SETTLING: f32 = 14.0;

impl From<&Found> for Support {
    fn from(found: &Found) -> Self {
        Self {
            place: found.place,
            normal: found.normal,
            surface: found.surface.number,
            touch: (found.touch != found.place).then_some(found.touch),
        }
    }
}

impl FootMemory {
    /// Returns `true` if the animation puts the foot down, which is drawn `off` above its ground.
    pub(super) fn comes_to_stand(&self, walker: &Walker, scene: &Stage<'_>, off: f32) -> bool {
        let Walker { leg, posed, .. } = walker;
        self.pace(scene.up) < leg.settings.plant_speed
            && scene.law.rise(posed.sole) < LOW * leg.reach
            && off.abs() < TOUCH * leg.reach
            && self.is_untwisted()
            && !scene.is_falling
    }

    /// Returns `true` if the animation takes the foot along.
    pub(super) fn leaves(&self, walker: &Walker, scene: &Stage<'_>) -> bool {
        let Walker { leg, posed, .. } = walker;
        self.pace(scene.up) > LET_GO * leg.settings.plant_speed
            || scene.law.rise(posed.sole) > LIFTED * leg.reach
            || self.lifting > RISING * leg.reach
            || self.is_turned_away(posed, scene)
    }

    /// Plants it at `place`, if there is ground; one that `comes` is planted on it at once, however high it is.
    pub(super) fn stand_at(
        &mut self,
        place: Vec2,
        comes: bool,
        walker: &Walker,
        scene: &mut Stage<'_>,
    ) {
        let unplaced = place;
        let walker = Walker {
            unplaced,
            ..*walker
        };
        let mut looking = walker.looking(self);
        let found = scene.probe(&mut looking, place, comes, Vec2::ZERO).ground;
        let found = scene.lie(&mut looking, [place, Vec2::ZERO], found, comes);
        let Some(found) = found else { return };
        let off = (found.place - place).dot(scene.up).abs();
        if comes && scene.law.is_within_search(found.place) {
            self.plant(&found, found.place, &walker, scene);
        } else if !comes && off <= NEAR * walker.leg.reach {
            self.plant(&found, place, &walker, scene);
            self.phase = 0.0;
        }
    }

    /// Plants it at `place`, on what was found there.
    pub(super) fn plant(&mut self, found: &Found, place: Vec2, walker: &Walker, scene: &Stage<'_>) {
        let Walker { leg, posed, .. } = walker;
        let direction = posed.direction.unwrap_or(posed.rest);
        let slope = slope_of(found.normal, leg.settings.max_slope, scene.up);
        let turned = unit_vector_f32(slope).rotate(direction);
        self.plant = Some(Plant::new(
            &found.surface,
            scene.frame.transform_point2(place),
            scene.frame.transform_vector2(turned),
            leg.settings.lock,
        ));
        self.place = place;
        self.ground = Some(found.into());
        self.back = Some(found.surface.shift());
    }

    /// Ground that has come to be a little higher or lower, as where another body has taken its place, takes the foot along.
    fn stay_on(&mut self, found: &Found, scene: &Stage<'_>) {
        self.ground = Some(found.into());
        let off = (found.place - self.place).dot(scene.up);
        if off.abs() > OFF {
            let part = 1.0 - libm::expf(-SETTLING * scene.delta);
            self.place += scene.up * off * part;
            self.move_plant(scene);
        }
    }

    /// The plant comes along to where the foot is put.
    pub(super) fn move_plant(&mut self, scene: &Stage<'_>) {
        if let Some(plant) = &mut self.plant {
            let inverse = plant.frame.inverse();
            let global = scene.frame.transform_point2(self.place);
            plant.local = inverse.transform_point2(global);
        }
    }
}

impl Stage<'_> {
    /// Returns `true` if a planted foot stays planted. What is under it now is what it stands on: a surface that takes
    /// the place of another one takes the foot over.
    pub(super) fn holds(&mut self, looking: &mut Looking<'_>, shift: f32) -> bool {
        let place = looking.foot.place;
        let found = self.probe(looking, place, false, Vec2::ZERO).ground;
        let found = self.lie(looking, [place, Vec2::ZERO], found, false);
        let near = NEAR * looking.walker.leg.reach;
        let found = found.filter(|found| {
            (found.place - place).dot(self.up).abs() <= near && self.can_stand(looking, shift)
        });
        looking.foot.toe_slope =
            found.and_then(|found| self.toe_slope(looking, &found, Vec2::ZERO));
        let (Some(found), Some(plant)) = (found, looking.foot.plant) else {
            looking.foot.let_go();
            return false;
        };
        looking.foot.stay_on(&found, self);
        if found.surface.number != plant.surface {
            let global = self.frame.transform_point2(looking.foot.place);
            let moved = Plant::new(&found.surface, global, plant.direction(), plant.lock);
            let lift = plant.lift;
            looking.foot.plant = Some(Plant { lift, ..moved });
            looking.foot.back = Some(found.surface.shift());
        }
        true
    }

    /// Returns `true` if the leg reaches the place of the foot, and not from beside or below it. The pelvis is moved by
    /// `shift`.
    fn can_stand(&self, looking: &Looking<'_>, shift: f32) -> bool {
        let Looking { foot, walker } = looking;
        let Walker { leg, posed, .. } = walker;
        let depth = (posed.hip + self.up * shift - foot.place).dot(self.up);
        let way = posed.hip - foot.place - foot.above(posed);
        let down = (way.dot(self.up) - walker.room).max(0.0);
        let across = way.dot(self.up.perp());
        let is_folded =
            (way + self.up * shift).length() < leg.most_folded(self.up) - NEAR * leg.reach;
        // The joints may not have been so fast.
        let miss = posed.miss.unwrap_or_default();
        !self.is_falling
            && miss.length() <= NEAR * leg.reach
            && !is_folded
            && depth >= leg.shallowest(self.up)
            && Vec2::new(across, down).length() <= leg.reach
    }
}
