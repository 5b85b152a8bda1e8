//! How a single foot goes on from tick to tick.

use glam::{Affine2, Vec2};

use crate::solvers::gait::input::{Look, Probe};
use crate::solvers::gait::leg::{Frame, Leg, RESERVE, Stride, USED, Walk};
use crate::solvers::gait::memory::{GaitMemory, Moment};
use crate::solvers::gait::stance::{Hang, Stance, Step};
use crate::solvers::ground::Ground;

/// A foot as it is shown.
#[derive(Clone, Copy)]
pub(crate) struct Shown {
    /// The sole.
    pub(crate) place: Vec2,
    /// How far the foot is turned, in radians.
    pub(crate) turn: f32,
}

/// From this phase on, a step ends where it ends.
const DECIDED: f32 = 0.7;

/// A foot that the pelvis is lowered for is within reach, but for rounding.
const ROUNDING: f32 = 1.001;

/// A hanging foot that is nearer to the ground stands on it, in units of the skeleton.
const TOUCH: f32 = 1.0;

/// A hanging foot that is deeper in the ground did not fall there in one tick.
const DEEP: f32 = 10.0;

/// Of a step: the least part of the height to which it lifts the foot, however short it is.
const LEAST_HEIGHT: f32 = 0.3;

impl GaitMemory {
    /// A tick of one foot: it goes on with its step, lands, or is let go.
    pub(super) fn advance_foot(
        &mut self,
        index: usize,
        ground_motion: Vec2,
        moment: Moment,
        is_first: bool,
    ) {
        let (Some(leg), Some(&probe)) = (moment.walk.legs[index], moment.probes.get(index)) else {
            self.feet[index] = Default::default();
            return;
        };
        let stance = match self.feet[index].stance {
            Stance::New => self.begin(&leg, probe, moment, is_first),
            Stance::Planted { contact, frame } => {
                let place = contact.place(frame);
                let is_gone = probe.held.is_some_and(|held| {
                    held.body == contact.body && !held.frame.is_some_and(|it| it.is_finite())
                });
                match is_gone {
                    true => Stance::Hanging(Hang::away(place - moment.frame.point(leg.home))),
                    false => self.feet[index].stance,
                }
            }
            Stance::Stepping(step) => self.go_on(step, &leg, probe, ground_motion, moment),
            Stance::Hanging(hang) => self.hang(hang, &leg, probe, moment),
        };
        let foot = &mut self.feet[index];
        if foot.is_stepping() && matches!(stance, Stance::Planted { .. }) {
            foot.has_settled = self.standing > moment.walk.settings.settle_time;
        }
        foot.stance = stance;
    }

    /// Lets feet go that stand where their legs do not reach. They step at once if they can, whoever does.
    pub(super) fn let_go(&mut self, moment: Moment) {
        for (index, leg) in moment.walk.legs.iter().enumerate() {
            let Some((leg, place)) = leg.as_ref().zip(self.feet[index].standing()) else {
                continue;
            };
            if self.reaches(leg, place, ROUNDING, moment) {
                continue;
            }
            let landing = moment.probes.get(index).and_then(Probe::landing);
            match landing.filter(|it| self.will_reach(leg, it.position, moment)) {
                Some(landing) => self.lift(index, landing, moment),
                None => {
                    let away = place - moment.frame.point(leg.home);
                    self.feet[index].stance = Stance::Hanging(Hang::away(away));
                }
            }
        }
    }

    /// In the first tick a foot is where it should be.
    fn begin(&self, leg: &Leg, probe: Probe, moment: Moment, is_first: bool) -> Stance {
        let ground = probe.landing().filter(|_| is_first);
        match ground.filter(|it| self.reaches(leg, it.position, 1.0, moment)) {
            Some(ground) => Stance::on(ground),
            None => Stance::Hanging(Hang::away(Vec2::ZERO)),
        }
    }

    fn go_on(
        &self,
        mut step: Step,
        leg: &Leg,
        probe: Probe,
        ground_motion: Vec2,
        moment: Moment,
    ) -> Stance {
        let Moment { frame, walk, .. } = moment;
        let home = frame.point(leg.home);
        step.start += ground_motion;
        step.way += ground_motion;
        let found = match step.landing.filter(|_| step.phase >= DECIDED) {
            None => probe.landing(),
            Some(landing) => probe.landing().map(|ground| Ground {
                position: ground.below(landing.position, frame.up),
                ..ground
            }),
        };
        step.landing = found;
        step.ridge = probe.ridge.or(step.ridge);
        let left = self.time_left(step.phase, moment);
        if left > 1.001 * moment.delta {
            let part = moment.delta * self.pace.max(1.0) / walk.settings.duration();
            step.way = step.way_at(step.phase + part, home, frame.up);
            step.phase += part;
            return Stance::Stepping(step);
        }
        match found.filter(|it| self.reaches(leg, it.position, 1.0, moment)) {
            Some(ground) => Stance::on(ground),
            None => Stance::Hanging(Hang::away(step.end(home) - home)),
        }
    }

    /// Without ground, until there is some.
    fn hang(&self, hang: Hang, leg: &Leg, probe: Probe, moment: Moment) -> Stance {
        let Moment { frame, .. } = moment;
        let hang = hang.after(moment.delta);
        let place = frame.point(leg.home) + hang.away;
        let Some(ground) = probe.landing() else {
            return Stance::Hanging(hang);
        };
        let ground = Ground {
            position: ground.below(place, frame.up),
            ..ground
        };
        let height = (place - ground.position).dot(frame.up);
        if !self.reaches(leg, ground.position, RESERVE, moment) {
            return Stance::Hanging(hang);
        }
        // One that is deep in it, as in a block that was moved there, steps out of it.
        match height <= TOUCH * frame.unit && height >= -DEEP * frame.unit {
            true => Stance::on(ground),
            false => Stance::Stepping(Step::new(place, 0.0, ground, 0.0)),
        }
    }

    /// Where a foot would land that is at `phase` of its step, ignoring the ground.
    fn ahead(&self, leg: &Leg, phase: f32, moment: Moment) -> Vec2 {
        let Moment { frame, stride, .. } = moment;
        let settings = moment.walk.settings;
        let overshoot = self.velocity * (settings.overshoot.max(0.0) / self.pace.max(1.0));
        let overshoot = overshoot.clamp_length_max(0.9 * stride.room);
        frame.point(leg.home) + self.velocity * self.time_left(phase, moment) + overshoot
    }

    /// Where the leg begins.
    pub(super) fn hip(&self, leg: &Leg, moment: Moment) -> Vec2 {
        self.posture.carry(leg.hip, moment.walk, moment.frame)
    }

    /// Whether the leg reaches `place` with this part of its reach.
    pub(super) fn reaches(&self, leg: &Leg, place: Vec2, part: f32, moment: Moment) -> bool {
        self.hip(leg, moment).distance(place) <= part * leg.reach * moment.frame.unit
    }

    /// Whether it will reach `place` at the end of a step that begins now.
    pub(super) fn will_reach(&self, leg: &Leg, place: Vec2, moment: Moment) -> bool {
        let way = self.velocity * self.time_left(0.0, moment);
        self.reaches(leg, place - way, 1.0, moment)
    }

    /// Whether the leg is as good as straight, or has turned too far.
    pub(super) fn is_strained(&self, leg: &Leg, place: Vec2, moment: Moment) -> bool {
        let hip = self.hip(leg, moment);
        let (now, home) = (place - hip, moment.frame.point(leg.home) - hip);
        !self.reaches(leg, place, USED, moment)
            || now.dot(home) < 0.5 * now.length() * home.length()
    }

    /// Begins the step of a foot that stands, which ends on `landing`.
    pub(super) fn lift(&mut self, index: usize, landing: Ground, moment: Moment) {
        let Moment { walk, frame, .. } = moment;
        let Some(leg) = &walk.legs[index] else { return };
        let start = self.feet[index]
            .stance
            .place(frame, leg, self.pace, 0.0, walk);
        let length = start.distance(landing.position);
        let part =
            (length / moment.stride.distance.max(f32::MIN_POSITIVE)).clamp(LEAST_HEIGHT, 1.0);
        let slope = self.feet[index].stance.turn(leg.max_slope, frame.up);
        let foot = &mut self.feet[index];
        foot.waiting = None;
        let height = walk.settings.step_height.max(0.0) * frame.unit * part;
        foot.stance = Stance::Stepping(Step::new(start, slope, landing, height));
    }

    /// The foot as it is shown, with the skeleton at `to_global`.
    pub(crate) fn show(&self, index: usize, walk: Walk, to_global: Affine2) -> Option<Shown> {
        let frame = Frame::of(to_global, walk.up)?;
        let leg = walk.legs.get(index)?.as_ref()?;
        let stance = &self.feet.get(index)?.stance;
        self.seen?;
        let mut place = stance.place(frame, leg, self.pace, self.elapsed, walk);
        if !matches!(stance, Stance::Planted { .. }) {
            let hip = self.posture.carry(leg.hip, walk, frame);
            place = hip + (place - hip).clamp_length_max(leg.reach * frame.unit);
        }
        let turn = stance.turn(leg.max_slope, frame.up);
        Some(Shown { place, turn })
    }

    /// Where to look for the ground of a foot in the next tick. `search`: how far above and below
    /// the plane of the feet, in units of the skeleton.
    pub(crate) fn look(
        &self,
        index: usize,
        walk: Walk,
        to_global: Affine2,
        search: [f32; 2],
    ) -> Option<Look> {
        let frame = Frame::of(to_global, walk.up)?;
        let leg = walk.legs.get(index)?.as_ref()?;
        let stride = Stride::of(walk, frame);
        let moment = Moment {
            walk,
            frame,
            stride,
            probes: &[],
            delta: 0.0,
        };
        let stance = self.feet.get(index).map_or(Stance::New, |foot| foot.stance);
        let (place, way) = match &stance {
            Stance::Stepping(step) => {
                let end = step.landing.filter(|_| step.phase >= DECIDED);
                let end = end.map_or_else(|| self.ahead(leg, step.phase, moment), |it| it.position);
                (end, Some([step.way, step.end(frame.point(leg.home))]))
            }
            Stance::Hanging(_) => (stance.place(frame, leg, self.pace, 0.0, walk), None),
            _ => (self.ahead(leg, 0.0, moment), None),
        };
        let centre = self.posture.plane(place, stride.centre, frame);
        let is_global = matches!(stance, Stance::Stepping(_));
        let lift = [search[0], -search[1]].map(|way| frame.up * (frame.unit * way));
        let hip = self.hip(leg, moment);
        let inward = frame.right * (hip - place).dot(frame.right);
        let (ray, inward) = match is_global {
            true => (lift.map(|lift| centre + lift), inward),
            false => {
                let back = to_global.inverse();
                let ray = lift.map(|lift| back.transform_point2(centre + lift));
                (ray, back.transform_vector2(inward))
            }
        };
        let is_finite = ray.iter().all(|end| end.is_finite());
        is_finite.then_some(Look {
            ray,
            is_global,
            inward,
            way,
            held: stance.body(),
        })
    }
}
