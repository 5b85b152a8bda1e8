//! Who steps next.

use glam::Vec2;

use crate::solvers::gait::input::GaitOrder;
use crate::solvers::gait::leg::Leg;
use crate::solvers::gait::memory::{GaitMemory, Moment};
use crate::solvers::gait::stance::Stance;
use crate::solvers::ground::{Ground, STEEPEST};

/// A foot that could step.
struct Chance {
    landing: Ground,
    /// How far it is from its home.
    distance: f32,
    /// Whether it has to.
    is_due: bool,
}

/// A foot this part of the distance away from its home joins the steps of others.
const JOINS: f32 = 0.4;

/// A step that is shorter than this part of the distance is of no use.
const USEFUL: f32 = 0.25;

/// A foot that is farther away from its home goes there before the body rests: as a part of the distance.
const AT_HOME: f32 = 0.1;

impl GaitMemory {
    /// Lifts the feet whose turn it is.
    pub(super) fn choose(&mut self, moment: Moment) {
        for index in 0..self.feet.len() {
            let is_due = self.chance(index, moment).is_some_and(|it| it.is_due);
            let foot = &mut self.feet[index];
            let waited = foot.waiting.map_or(0.0, |time| time + moment.delta);
            foot.waiting = is_due.then_some(waited);
        }
        match moment.walk.settings.order {
            GaitOrder::Wave => self.choose_in_turn(moment),
            GaitOrder::Alternate => self.choose_longest_waiting(true, moment),
            GaitOrder::Free => self.choose_longest_waiting(false, moment),
        }
    }

    fn lifted(&self) -> usize {
        self.feet.iter().filter(|foot| foot.is_stepping()).count()
    }

    /// The foot that has waited longest, then the next one. In groups, the others of its group go with it,
    /// and none while one of the other group is lifted.
    fn choose_longest_waiting(&mut self, in_groups: bool, moment: Moment) {
        // Each time a foot is lifted.
        for _ in 0..self.feet.len() {
            if self.lifted() >= moment.stride.most {
                return;
            }
            let Some(first) = self.longest_waiting(moment) else {
                return;
            };
            let mut feet = self.feet.iter().enumerate();
            let is_blocked = feet.any(|(index, foot)| foot.is_stepping() && index % 2 != first % 2);
            if in_groups && is_blocked {
                return;
            }
            self.try_lift(first, moment);
            for other in (first % 2..self.feet.len()).step_by(2) {
                let may_join = in_groups && self.lifted() < moment.stride.most;
                if may_join && self.joins(other, moment) {
                    self.try_lift(other, moment);
                }
            }
        }
    }

    fn longest_waiting(&self, moment: Moment) -> Option<usize> {
        let mut best: Option<(usize, [f32; 2])> = None;
        for (index, foot) in self.feet.iter().enumerate() {
            let Some(waiting) = foot.waiting else {
                continue;
            };
            let distance = self.chance(index, moment).map_or(0.0, |it| it.distance);
            if best.is_none_or(|(_, best)| [waiting, distance] > best) {
                best = Some((index, [waiting, distance]));
            }
        }
        best.map(|(index, _)| index)
    }

    /// One after another, evenly spread over the time that a step takes.
    fn choose_in_turn(&mut self, moment: Moment) {
        let count = self.feet.len();
        let interval = self.time_left(0.0, moment) / moment.stride.most as f32;
        self.since_lift = (self.since_lift + moment.delta).min(interval + moment.delta);
        for _ in 0..count {
            let is_anyones_turn = self.since_lift >= interval
                && self.lifted() < moment.stride.most
                && self.feet.iter().any(|foot| foot.waiting.is_some());
            if !is_anyones_turn {
                return;
            }
            let next = self.next % count;
            let turns = (1..=count).map(|back| (next + count - back) % count);
            // Who need not step yet does not take the only place of one who has to.
            let may_join = moment.stride.most > 1;
            let mut turns = turns.filter(|&index| match may_join {
                true => self.joins(index, moment),
                false => self.feet[index].waiting.is_some(),
            });
            let Some(index) = turns.next() else { return };
            self.next = index;
            self.since_lift -= interval;
            self.try_lift(index, moment);
        }
    }

    fn try_lift(&mut self, index: usize, moment: Moment) {
        if let Some(chance) = self.chance(index, moment) {
            self.lift(index, chance.landing, moment);
        }
    }

    /// Whether a foot steps when it is its turn.
    fn joins(&self, index: usize, moment: Moment) -> bool {
        let chance = self.chance(index, moment);
        let least = JOINS * moment.stride.distance;
        let is_moving = self.velocity != Vec2::ZERO;
        chance.is_some_and(|it| it.is_due || is_moving && it.distance > least)
    }

    /// What a step of a foot that stands would come to. `None` if it is of no use.
    fn chance(&self, index: usize, moment: Moment) -> Option<Chance> {
        let leg: &Leg = moment.walk.legs.get(index)?.as_ref()?;
        let foot = self.feet.get(index)?;
        let Stance::Planted { contact, frame } = foot.stance else {
            return None;
        };
        let landing = moment.probes.get(index)?.landing()?;
        let place = contact.place(frame);
        let away = place - moment.frame.point(leg.home);
        let distance = away.dot(moment.frame.right).abs();
        let length = landing.position.distance(place);
        let is_steep = contact.normal(frame).dot(moment.frame.up) < STEEPEST;
        let must =
            distance > moment.stride.distance || is_steep || self.is_strained(leg, place, moment);
        let rests = self.standing > 0.0 && self.standing >= moment.walk.settings.settle_time;
        let is_astray = length > AT_HOME * moment.stride.distance + moment.frame.unit;
        let settles = rests && !foot.has_settled && is_astray;
        let is_useful = settles || length > USEFUL * moment.stride.distance;
        let is_reached = self.will_reach(leg, landing.position, moment);
        (is_useful && is_reached).then_some(Chance {
            landing,
            distance,
            is_due: must || settles,
        })
    }
}
