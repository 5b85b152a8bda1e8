//! What goes over besides the goal of a modifier, as goals do in [`crate::solvers::handover`]: the joints of a limb of two
//! bones that bends to the other side, and the targets of a tree's effectors.
//!
//! A tree whose effectors are others comes to the pose that is nearest to the base pose by the same law. To the targets
//! of those that stay, it is not off on the way.

use crate::kinematics::limb::Limb;
use crate::math::angle::shortest_way;
use crate::math::easing::Clock;
use crate::rig::chain::Effector;
use crate::solvers::handover::{
    Coordinates, GoalNumbers, HandoverGoal, HandoverSettings, Moment, Passing,
};

/// What goes over besides a goal. A handover lends it to a solve.
pub(super) struct Further {
    settings: HandoverSettings,
    /// Of a limb, the turns of its joints from the pose that it is given. Of a tree, what is left of the way of its pose,
    /// from 1 to 0, and then the goals of its effectors.
    passing: Vec<Passing>,
}

impl Further {
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
        let wanted = GoalNumbers::new(place.into(), 0.0, HandoverGoal::Bent(side));
        if self.passing.is_empty() {
            self.passing.push(Passing::default());
        }
        let passing = &mut self.passing[0];
        let shown = passing.advance(&Moment {
            settings: &self.settings,
            side: HandoverGoal::Bent(side),
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

    /// A pass of a tree with these `effectors` begins. Returns `false` if nothing of it goes over.
    pub(super) fn begin_effectors(&mut self, effectors: &[Effector], delta: f64) -> bool {
        if effectors.is_empty() && !self.passing.iter().any(Passing::is_due) {
            self.forget();
            return false;
        }
        self.passing
            .resize_with(effectors.len() + 1, Passing::default);
        if let [pose, tips @ ..] = &mut self.passing[..] {
            for (tip, effector) in tips.iter_mut().zip(effectors) {
                pose.is_exchanged |= tip.weigh(effector.weight, delta as f32);
            }
        }
        self.advance_goal(
            0,
            GoalNumbers::default(),
            [GoalNumbers::default(); 2],
            delta,
        );
        true
    }

    /// Returns `true` if an effector is new, and so begins where its tip is.
    pub(super) fn has_new_effector(&self) -> bool {
        self.passing.iter().skip(1).any(Passing::begins)
    }

    /// Returns the goal of effector `index` on the way to what it wants, if it is on the way. One that is new begins where
    /// its tip is, and goes on as that moved: `tip` is it in the last two passes.
    pub(super) fn advance_effector(
        &mut self,
        index: usize,
        wanted: GoalNumbers,
        tip: [GoalNumbers; 2],
        delta: f64,
    ) -> Option<GoalNumbers> {
        self.advance_goal(index + 1, wanted, tip, delta)
    }

    /// Returns how far a tree had come on the way to the nearest pose before the last `delta` seconds, and has come now, if
    /// nothing but that goes over: towards effectors that are on their way it settles as towards any target that moves.
    pub(super) fn settles(&self, delta: f64) -> Option<[Clock; 2]> {
        let (pose, effectors) = self.passing.split_first()?;
        if !pose.is_going() || effectors.iter().any(Passing::is_due) {
            return None;
        }
        Some([delta as f32, 0.0].map(|ago| pose.clock_before(&self.settings, ago)))
    }

    fn advance_goal(
        &mut self,
        index: usize,
        wanted: GoalNumbers,
        from: [GoalNumbers; 2],
        delta: f64,
    ) -> Option<GoalNumbers> {
        let passing = &mut self.passing[index];
        if passing.begins() {
            passing.go_on_from(from, delta as f32);
        }
        let shown = passing.advance(&Moment {
            settings: &self.settings,
            side: HandoverGoal::Target,
            wanted,
            coordinates: Coordinates::Straight,
            delta: delta as f32,
        });
        passing.is_going().then_some(shown)
    }
}
