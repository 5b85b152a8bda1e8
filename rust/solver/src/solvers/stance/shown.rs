//! What a pass shows of the last tick. Between two ticks the animation goes on, and so does the character.

use glam::{Affine2, Vec2};

use crate::math::trigonometry::unit_vector_f32;
use crate::solvers::stance::foot::FootMemory;
use crate::solvers::stance::leg::Leg;
use crate::solvers::stance::memory::StanceMemory;
use crate::solvers::stance::scene::Law;
use crate::solvers::stance::world::PosedFoot;

/// The pose of a foot in a pass, in skeleton space.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ShownFoot {
    /// The tip of its limb.
    pub(crate) tip: Vec2,
    /// The turn of its bone from where the limb leaves it, in radians.
    pub(crate) turn: f32,
    /// Or the direction for it, and the part of the way there.
    pub(crate) direction: Option<(Vec2, f32)>,
    /// The bend of its toes, in radians.
    pub(crate) bend: f32,
}

/// The ground of a foot, in global space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Footing {
    /// The place where the foot is planted, or else the ground below it, or where it is about to land.
    pub position: Vec2,
    /// The direction away from it, of length 1.
    pub normal: Vec2,
    /// The number of that surface.
    pub surface: u32,
    /// `true` if the foot is planted there.
    pub is_planted: bool,
    /// The speed at which it came down before that, in the units of the skeleton per second.
    pub landing_speed: f32,
}

/// A foot that is moved by less than this part of its leg is left to the animation.
const NOTHING: f32 = 0.0025;

impl StanceMemory {
    /// A foot, with the skeleton at `frame`. `None` for one without a leg, or that needs nothing.
    pub(crate) fn show(
        &self,
        index: usize,
        law: &Law<'_>,
        posed: &PosedFoot,
        frame: Affine2,
    ) -> Option<ShownFoot> {
        let foot = self.feet.get(index).filter(|foot| foot.posed.is_some())?;
        let leg = law.legs.get(index)?.as_ref()?;
        let place = self.place_of(foot, frame);
        match law.gait {
            Some(_) => Some(foot.shown_of_gait(law, leg, posed, place, self)),
            None => foot.shown_of_placement(law, leg, posed, place, self),
        }
    }

    /// The ground of a foot, if there is any.
    pub fn footing(&self, index: usize) -> Option<Footing> {
        let (foot, frame) = (self.feet.get(index)?, self.riding.frame?);
        let ground = foot.ground?;
        let place = foot.plant.map_or(ground.place, |_| foot.place);
        let place = ground.touch.unwrap_or(place);
        let across = frame.transform_vector2(ground.normal.perp()).perp();
        let side = 1.0_f32.copysign(across.dot(frame.transform_vector2(ground.normal)));
        Some(Footing {
            position: frame.transform_point2(place),
            normal: across.normalize_or_zero() * side,
            surface: ground.surface,
            is_planted: foot.plant.is_some(),
            landing_speed: foot.descent,
        })
    }

    /// Returns the smoothed velocity of the character against what carries it, in global space and per second.
    pub fn velocity(&self) -> Vec2 {
        let riding = &self.riding;
        riding
            .frame
            .map_or(Vec2::ZERO, |frame| frame.transform_vector2(riding.velocity))
    }

    /// Returns the place where a foot is put, in skeleton space: one that is planted stays where it is in the world.
    fn place_of(&self, foot: &FootMemory, frame: Affine2) -> Vec2 {
        match self.riding.frame {
            Some(before) if foot.plant.is_some() && before != frame => {
                let global = before.transform_point2(foot.place);
                frame.inverse().transform_point2(global)
            }
            _ => foot.place,
        }
    }
}

impl FootMemory {
    fn shown_of_placement(
        &self,
        law: &Law<'_>,
        leg: &Leg,
        posed: &PosedFoot,
        place: Vec2,
        memory: &StanceMemory,
    ) -> Option<ShownFoot> {
        let shift = match self.plant {
            Some(_) => {
                let lift = self.shown_lift(law.rise(posed.sole), leg);
                place + law.up * lift - posed.sole
            }
            None => self.shift,
        };
        let (turn, direction) = self.turned(law, leg, posed, shift);
        let is_moved = shift.length() >= NOTHING * leg.reach || memory.pelvis.is_moved();
        let [bend, slope] = self.shown_bend_and_slope();
        (is_moved || turn != 0.0 || bend != 0.0 || direction.is_some()).then_some(())?;
        // It turns about the place that is on the ground: its ball, and to the slope its heel as well.
        let about_sole = if posed.is_on_ball { turn } else { slope };
        let tip = posed.tip() + shift + posed.turned_about_sole(about_sole);
        let hip = law.carried(posed.hip, &memory.pelvis);
        Some(ShownFoot {
            tip: self.within(law, leg, posed, hip, tip),
            turn,
            direction,
            bend,
        })
    }

    /// The place of a tip, not farther from the hip than the leg goes, and not nearer than it is folded.
    fn within(&self, law: &Law<'_>, leg: &Leg, posed: &PosedFoot, hip: Vec2, tip: Vec2) -> Vec2 {
        let animated = hip.distance(posed.tip());
        let least = leg.most_folded(law.up).min(animated);
        let most = law.longest(leg, posed);
        let way = tip - hip;
        let length = way.length();
        let wanted = length.max(least).min(most);
        match length > 0.0 && wanted != length {
            true => hip + way * (wanted / length),
            false => tip,
        }
    }

    fn shown_of_gait(
        &self,
        law: &Law<'_>,
        leg: &Leg,
        posed: &PosedFoot,
        place: Vec2,
        memory: &StanceMemory,
    ) -> ShownFoot {
        let has_bone = posed.rest != Vec2::ZERO;
        let turn = unit_vector_f32(if has_bone { self.slope } else { 0.0 });
        let hip = law.carried(posed.hip, &memory.pelvis);
        ShownFoot {
            tip: self.within(law, leg, posed, hip, place + turn.rotate(leg.above)),
            turn: 0.0,
            direction: has_bone.then(|| (turn.rotate(posed.rest), 1.0)),
            bend: self.shown_bend_and_slope()[0],
        }
    }
}
