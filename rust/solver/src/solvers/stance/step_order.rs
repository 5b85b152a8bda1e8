//! Who steps next.

use crate::solvers::stance::memory::StanceMemory;
use crate::solvers::stance::scene::Stage;
use crate::solvers::stance::settings::{GaitOrder, GaitSettings};
use crate::solvers::stance::step::{MUST, March, OUT_OF_REACH};

impl March<'_> {
    /// Returns the group that a leg steps with, of two: every second one, or of four legs, those across from each other.
    fn group(&self, leg: usize) -> usize {
        match self.law.legs {
            [Some(_), Some(_), Some(_), Some(_)] => {
                let (rank, is_second) = self.seat(leg, self.law.up.perp());
                (rank / 2 + usize::from(is_second)) % 2
            }
            _ => leg % 2,
        }
    }

    /// Returns the settings of the order: a rhythm gives it where there is one, and at a run all feet may be lifted.
    fn ordering(&self) -> GaitSettings {
        let gait = self.gait;
        let Some(rhythm) = self.rhythm.filter(|_| !self.rests()) else {
            return gait;
        };
        let legs = self.law.legs.iter().flatten().count();
        let most = legs.div_ceil(if rhythm.flies() { 1 } else { 2 });
        let max_lifted = match gait.max_lifted {
            0 => most as u32,
            most => most,
        };
        GaitSettings {
            gait: GaitOrder::Free,
            max_lifted,
            ..gait
        }
    }
}

impl StanceMemory {
    /// Lifts the feet whose turn it is.
    pub(super) fn choose(&mut self, march: March<'_>, scene: &mut Stage<'_>) {
        let gait = march.ordering();
        self.turns.since = (self.turns.since + scene.delta).min(gait.duration());
        for _ in 0..self.feet.len() {
            let Some(index) = self.next(march) else {
                return;
            };
            // Each is asked once.
            self.feet[index].urge = 0.0;
            let was_planted = self.feet[index].plant.is_some();
            if self.lift(index, march, scene) && was_planted {
                self.turns.last = index;
                self.turns.since = 0.0;
            }
        }
    }

    fn lifted(&self) -> usize {
        self.feet.iter().filter(|foot| foot.swing.is_some()).count()
    }

    /// The foot that wants most of those that may.
    fn next(&self, march: March<'_>) -> Option<usize> {
        let (gait, count) = (march.ordering(), self.feet.len());
        let has_room = self.lifted() < gait.most(count);
        let urge = |index: usize| self.feet[index].urge;
        let most = (0..count).max_by(|&a, &b| urge(a).total_cmp(&urge(b)))?;
        // Those that must do not wait for their turn, and those that are out of reach for nobody.
        if urge(most) >= OUT_OF_REACH || urge(most) >= MUST && has_room {
            return Some(most);
        }
        if !has_room {
            return None;
        }
        match gait.gait {
            GaitOrder::Free => Some(most).filter(|&most| urge(most) >= 1.0),
            GaitOrder::Alternate => {
                let is_blocked = |index: usize| {
                    let mut feet = self.feet.iter().enumerate();
                    let group = march.group(index);
                    feet.any(|(other, foot)| foot.swing.is_some() && march.group(other) != group)
                };
                let free = (0..count).filter(|&index| urge(index) >= 1.0 && !is_blocked(index));
                free.max_by(|&a, &b| urge(a).total_cmp(&urge(b)))
            }
            GaitOrder::Wave => {
                let interval = gait.duration() / gait.most(count) as f32;
                if self.turns.since < interval || urge(most) < 1.0 {
                    return None;
                }
                let mut turns = (1..=count).map(|back| (self.turns.last + count - back) % count);
                turns.find(|&index| urge(index) >= 1.0)
            }
        }
    }
}
