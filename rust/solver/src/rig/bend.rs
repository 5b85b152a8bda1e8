//! How the bend of a limb of two bones goes over to the other side: its joints do, as goals do in
//! [`crate::solvers::handover`].

use crate::kinematics::limb::Limb;
use crate::math::angle::shortest_way;
use crate::solvers::handover::{Coordinates, Goal, HandoverSettings, Moment, Passing, Side};

/// The side to which a limb of two bones bends, and its way over to the other side. A handover lends it to a solve.
pub(super) struct Bend {
    settings: HandoverSettings,
    /// The turns of the joints from the pose that the limb is given.
    passing: Vec<Passing>,
}

impl Bend {
    pub(super) fn new(settings: HandoverSettings, passing: Vec<Passing>) -> Self {
        Self { settings, passing }
    }

    /// Returns the state that the next pass goes on from.
    pub(super) fn passing(self) -> Vec<Passing> {
        self.passing
    }

    /// Returns `true` if a limb that bends to this `side` did not do so in the last pass.
    pub(super) fn is_exchanged(&self, side: bool) -> bool {
        let mut passing = self.passing.iter();
        passing.any(|passing| passing.was_bent_otherwise(side))
    }

    /// Forgets what the passes before left.
    pub(super) fn forget(&mut self) {
        self.passing.clear();
    }

    /// A limb that bends to this `side` is solved, with these `turns`. While it goes over, its joints are turned by what is
    /// shown, which is returned. Where only a part of the turns counts, they go over without a whole turn between them.
    pub(super) fn advance(
        &mut self,
        side: bool,
        turns: [f32; 2],
        limb: &mut Limb,
        is_partial: bool,
        delta: f64,
    ) -> Option<[f32; 2]> {
        let middles = [0, 1].map(|joint| limb.middle_of_turns(joint));
        let place = [0, 1].map(|joint| match middles[joint] {
            None => turns[joint],
            // By the way that the limit leaves open.
            Some(middle) => middle + shortest_way(middle, turns[joint]),
        });
        let wanted = Goal::new(place.into(), 0.0, Side::Bent(side));
        if self.passing.is_empty() {
            self.passing.push(Passing::default());
        }
        let passing = &mut self.passing[0];
        let shown = passing.advance(&Moment {
            settings: &self.settings,
            side: Side::Bent(side),
            wanted,
            coordinates: Coordinates::Turns(middles.map(|it| it.is_none() && !is_partial)),
            delta: delta as f32,
        });
        if !passing.is_going() {
            return None;
        }
        let mut turns = <[f32; 2]>::from(shown.place());
        limb.turn_to(&mut turns);
        Some(turns)
    }
}
