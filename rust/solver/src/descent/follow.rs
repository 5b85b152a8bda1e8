//! *Follow* and *swing*: the pose with memory.
//!
//! **Follow.** A pose begins with the swings of the last pass. Swings count from the base pose,
//! so whatever an animation does is seen at once. The joints then take the shortest way that
//! brings the tips to their targets, and move towards the base pose as far as the tips allow: by a
//! share that depends on the time alone, and at a bounded speed. At rest this ends at the nearest
//! pose to the base pose on its branch, and then nothing moves.
//!
//! **Swing.** Limits, obstacles and folds may end a branch. The pose without memory, and then the
//! [starts](crate::descent::restarts), a few in each pass, are tried for one that is clearly
//! nearer to the targets. The limb swings over to it at a bounded speed, while the new branch
//! follows the targets already. Any other leap of a constrained limb is smoothed in the same way.
//!
//! A target that is put elsewhere is another matter: its own leap says how far the limb may go in
//! one pass.

use glam::Vec2;
use serde::{Deserialize, Serialize};

use crate::descent::deadlock;
use crate::descent::home::{self, NEAREST};
use crate::descent::reaching::{self, PRECISION, keeping};
use crate::descent::restarts::STARTS;
use crate::descent::step::{Workspace, descend_to, forget_moves, settle};
use crate::kinematics::contact;
use crate::kinematics::tree::Tree;
use crate::math::angle::wrapped;
use crate::math::trigonometry::exponential_less_one;

/// Seconds in which a pose comes nearer to the base pose by a factor of e.
const SETTLING_TIME: f64 = 0.1;

/// Radians per second that a joint settles by at most.
const SETTLING_SPEED: f64 = 6.0;

/// A joint that would settle by less than this, in radians, is at rest. More than what is left of
/// the pose without memory, which so stays as it is.
const AT_REST: f64 = 5.0 * NEAREST;

/// Steps to the targets at most.
const MAX_STEPS: u32 = 32;

/// How fast a point of a limb that swings over may move: spans per second.
pub(crate) const SWING_SPEED: f64 = 7.4;

/// How fast a joint that swings over may turn: radians per second.
pub(crate) const SWING_RATE: f64 = 15.0;

/// Estimates of how far a limb may swing in one pass.
const MOST_ESTIMATES: u32 = 12;

/// How much farther than its target has leapt a limb may move at once.
const LEAP: f64 = 4.0;

/// Starts that are tried for another branch, per second.
const ATTEMPT_RATE: f64 = 180.0;

/// Starts that are tried in one pass at most.
const MOST_ATTEMPTS: f64 = 12.0;

/// Seconds of a target's motion after which the pose without memory is looked at again. Following
/// may have coiled a limb up within its limits.
const REVIEW_TIME: f32 = 0.25;

/// That pose must be nearer to the base pose by this factor,
const CLEARLY_NEARER: f64 = 0.4;

/// and its tips no farther from targets out of reach than by this part of the span.
const STILL_AS_NEAR: f64 = 1e-3;

/// Another branch that does not arrive must be nearer by this part of the span.
const CLEARLY: f64 = 0.05;

/// Beyond this, in radians, whole turns are taken out of a swing: `f32` could no longer hold a fine
/// angle. Up to there an angle changes as smoothly as the pose.
pub(crate) const MOST_WOUND: f64 = 7.0;

/// A joint nearer than this, in radians, to where it swings to is there.
const THERE: f64 = 1e-6;

/// What a modifier remembers from one pass to the next.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Memory {
    /// How far the joints were turned from the base pose, in radians; empty without memory.
    #[serde(with = "crate::math::number")]
    pub swings: Vec<f32>,
    /// The pose that the limb is swinging over to; empty if it is not.
    #[serde(skip_serializing_if = "Vec::is_empty", with = "crate::math::number")]
    pub branch: Vec<f32>,
    /// From each target to its tip, in chain space.
    #[serde(skip_serializing_if = "Vec::is_empty", with = "crate::math::number")]
    pub misses: Vec<Vec2>,
    /// Whether the tips had arrived.
    pub has_arrived: bool,
    /// Which start is tried next for another branch.
    pub attempt: u32,
    /// How many were tried since a target moved.
    pub attempts: u32,
    /// For how many seconds the targets have moved since the branch was reviewed.
    #[serde(with = "crate::math::number")]
    pub unreviewed: f32,
}

impl Clone for Memory {
    fn clone(&self) -> Self {
        let mut copy = Self::default();
        copy.clone_from(self);
        copy
    }

    /// Without allocating, where there is room already.
    fn clone_from(&mut self, other: &Self) {
        let Self {
            swings,
            branch,
            misses,
            has_arrived,
            attempt,
            attempts,
            unreviewed,
        } = other;
        self.swings.clone_from(swings);
        self.branch.clone_from(branch);
        self.misses.clone_from(misses);
        self.has_arrived = *has_arrived;
        self.attempt = *attempt;
        self.attempts = *attempts;
        self.unreviewed = *unreviewed;
    }
}

impl Memory {
    /// Forgets everything.
    pub fn clear(&mut self) {
        self.swings.clear();
        self.branch.clear();
        self.misses.clear();
        self.has_arrived = false;
        self.attempt = 0;
        self.attempts = 0;
        self.unreviewed = 0.0;
    }

    /// Whether there is a pose of as many joints to go on from.
    pub(crate) fn holds(&self, joints: usize) -> bool {
        self.swings.len() == joints && self.swings.iter().all(|swing| swing.is_finite())
    }

    /// Remembers a pose that was found without memory.
    pub(crate) fn begin(&mut self, tree: &Tree, has_arrived: bool) {
        self.clear();
        self.swings.extend(tree.swings().map(|swing| swing as f32));
        self.has_arrived = has_arrived;
        self.remember_misses(tree);
    }

    /// Remembers that the only tip has arrived, with what is left of the way.
    pub(crate) fn arrive(&mut self, miss: Vec2) {
        self.has_arrived = true;
        (self.attempt, self.attempts, self.unreviewed) = (0, 0, 0.0);
        self.misses.clear();
        self.misses.push(miss);
    }

    fn remember_misses(&mut self, tree: &Tree) {
        self.misses.clear();
        let misses = tree.tips.iter().map(|tip| tip.miss().as_vec2());
        self.misses.extend(misses);
    }

    /// How far the targets have moved, as the tips of `tree`, which is in the remembered pose, see
    /// them.
    fn demand(&self, tree: &Tree) -> f64 {
        let tips = tree.tips.iter().zip(&self.misses);
        let moved = tips.map(|(tip, before)| tip.miss().distance(before.as_dvec2()));
        moved.fold(0.0, f64::max)
    }
}

/// The largest turn of a joint that settles for `delta` seconds, in radians, where `left` is the
/// largest that is left of the way: 0 at rest.
pub(crate) fn settling(left: f64, delta: f64) -> f64 {
    if left < AT_REST {
        return 0.0;
    }
    let share = -exponential_less_one(-delta / SETTLING_TIME);
    (share * left).min(SETTLING_SPEED * delta)
}

/// What a pass with memory came to.
pub(crate) struct Followed {
    pub(crate) steps: u32,
    /// Whether the next pass would move something, if nothing else changed.
    pub(crate) is_moving: bool,
}

/// Takes the pose that follows from `memory` after `delta` seconds, and remembers it. `find` is
/// the named algorithm, for the pose without memory. `tolerance` is the distance that counts as
/// reached, in chain units.
pub(crate) fn take(
    tree: &mut Tree,
    space: &mut Workspace,
    memory: &mut Memory,
    delta: f64,
    tolerance: f64,
    find: impl FnMut(&mut Tree, &mut Workspace) -> u32,
) -> Followed {
    Pass {
        tree,
        space,
        memory,
        delta,
        enough: 0.0,
        tolerance,
        find,
        steps: 0,
    }
    .run()
}

/// Smooths the present pose of `tree`, which was found without memory but may leap from one pass to
/// the next, and remembers what is shown. Returns whether the next pass would move something.
pub(crate) fn smooth(
    tree: &mut Tree,
    space: &mut Workspace,
    memory: &mut Memory,
    delta: f64,
) -> bool {
    if !memory.holds(tree.len()) {
        memory.begin(tree, true);
        return false;
    }
    let mut found = std::mem::take(&mut space.start);
    reaching::remember(tree, &mut found);
    take_pose(tree, &memory.swings);
    let demand = memory.demand(tree);
    let mut pass = Pass {
        tree,
        space,
        memory,
        delta,
        enough: 0.0,
        tolerance: 0.0,
        find: |_: &mut Tree, _: &mut Workspace| 0,
        steps: 0,
    };
    pass.remember_places();
    pass.tree.take_pose(found.iter().copied());
    let swings_over = !pass.memory.branch.is_empty() || pass.leaps(demand);
    if swings_over {
        pass.swing_over();
    } else {
        pass.show();
    }
    pass.memory.remember_misses(pass.tree);
    space.start = found;
    swings_over
}

/// One pass of one limb.
struct Pass<'a, Find> {
    tree: &'a mut Tree,
    space: &'a mut Workspace,
    memory: &'a mut Memory,
    delta: f64,
    /// The distance at which tips have arrived.
    enough: f64,
    tolerance: f64,
    find: Find,
    steps: u32,
}

impl<Find: FnMut(&mut Tree, &mut Workspace) -> u32> Pass<'_, Find> {
    fn run(mut self) -> Followed {
        self.enough = reaching::enough(self.tree, self.tolerance);
        take_pose(self.tree, &self.memory.swings);
        let demand = self.memory.demand(self.tree);
        self.remember_places();
        let mut swings_over = !self.memory.branch.is_empty();
        if swings_over {
            take_pose(self.tree, &self.memory.branch);
        }
        self.follow(demand);
        let mut has_arrived = self.has_arrived();
        if has_arrived {
            (self.memory.attempt, self.memory.attempts) = (0, 0);
        }
        if self.is_free() {
            if !has_arrived {
                self.steps += home::take(self.tree, self.space, self.tolerance, &mut self.find);
                has_arrived = self.has_arrived();
            }
        } else if !has_arrived && self.finds_arriving_branch(demand)
            || self.finds_nearer_branch(demand)
        {
            swings_over = true;
            has_arrived = self.has_arrived();
        }
        self.memory.has_arrived = has_arrived;
        self.tree.unwind(MOST_WOUND);
        swings_over |= !self.is_free() && self.leaps(demand);
        let is_moving = if swings_over {
            self.swing_over()
        } else {
            self.show()
        };
        self.memory.remember_misses(self.tree);
        let is_seeking = !has_arrived && !self.is_free() && self.memory.attempts < STARTS;
        Followed {
            steps: self.steps,
            is_moving: is_moving || is_seeking,
        }
    }

    /// Whether nothing but the reach of a chain keeps it from any pose: there is always a way to
    /// the target then.
    fn is_free(&self) -> bool {
        let tree = &self.tree;
        !tree.has_limits && tree.is_rigid && tree.tips.len() == 1 && tree.cores.is_empty()
    }

    /// Whether every tip is at its target and no bone inside a shape.
    fn has_arrived(&self) -> bool {
        self.tree.error() <= self.enough && reaching::is_free(self.space)
    }

    /// Goes on from the present pose: towards the base pose, and to the targets.
    fn follow(&mut self, demand: f64) {
        self.space.contacts.clear();
        if self.tree.is_overstretched && self.lies_straight(demand) {
            return;
        }
        let emphasis = keeping(self.tree);
        if self.tree.is_unbounded && self.is_free() && self.tree.error() > self.enough {
            deadlock::bend_out(self.tree, self.space);
        }
        if self.memory.has_arrived {
            let delta = self.delta;
            let part = |left| settling(left, delta);
            forget_moves(self.space);
            self.steps += settle(self.tree, self.space, emphasis, part);
        }
        if self.tree.error() > PRECISION * self.tree.span || !self.tree.cores.is_empty() {
            let precise = 0.1 * PRECISION * self.tree.span;
            self.steps += descend_to(self.tree, self.space, emphasis, MAX_STEPS, precise);
        }
    }

    /// Lays a chain straight whose target is out of reach. Returns whether that is possible: no
    /// obstacle may be in the way, nor on the way from the pose that was shown.
    fn lies_straight(&mut self, demand: f64) -> bool {
        if self.tree.cores.is_empty() {
            self.steps += home::stretch_out(self.tree, self.space);
            return true;
        }
        let mut present = std::mem::take(&mut self.space.start);
        reaching::remember(self.tree, &mut present);
        self.steps += home::stretch_out(self.tree, self.space);
        contact::gather(self.tree, 0.0, &mut self.space.contacts);
        let is_possible = reaching::is_free(self.space) && !self.leaps(demand);
        if !is_possible {
            self.tree.take_pose(present.iter().copied());
            self.space.contacts.clear();
        }
        self.space.start = present;
        is_possible
    }

    /// Tries a few starts for a branch that is clearly nearer to the targets, and takes it.
    /// Returns whether there was one; otherwise the pose is as it was.
    fn finds_arriving_branch(&mut self, demand: f64) -> bool {
        if demand > PRECISION * self.tree.span {
            self.memory.attempts = 0;
        }
        let wanted = (self.delta * ATTEMPT_RATE).ceil().min(MOST_ATTEMPTS) as u32;
        let number = wanted.min(STARTS.saturating_sub(self.memory.attempts));
        let mut best = std::mem::take(&mut self.space.start);
        reaching::remember(self.tree, &mut best);
        let mut least = self.tree.error() - CLEARLY * self.tree.span;
        let was_free = reaching::is_free(self.space);
        let mut found = false;
        for _ in 0..number {
            self.attempt();
            let error = self.tree.error();
            let is_sound = reaching::is_free(self.space) || !was_free;
            if self.has_arrived() || is_sound && error < least {
                found = true;
                least = error;
                reaching::remember(self.tree, &mut best);
            }
            if self.has_arrived() {
                break;
            }
        }
        self.tree.take_pose(best.iter().copied());
        self.space.start = best;
        if found {
            self.memory.attempts = 0;
            self.steps += home::relax(self.tree, self.space, self.tolerance);
        }
        found
    }

    /// Looks from time to time, while the targets move, whether the pose without memory is clearly
    /// nearer to the base pose, and takes it. Returns whether it was.
    fn finds_nearer_branch(&mut self, demand: f64) -> bool {
        if demand <= PRECISION * self.tree.span {
            return false;
        }
        self.memory.unreviewed += self.delta as f32;
        if self.memory.unreviewed < REVIEW_TIME {
            return false;
        }
        self.memory.unreviewed = 0.0;
        let mut present = std::mem::take(&mut self.space.start);
        reaching::remember(self.tree, &mut present);
        let enough = (self.tree.error() + STILL_AS_NEAR * self.tree.span).max(self.enough);
        let distance = home::distance_to_base(self.tree);
        self.find_from_base_pose();
        if self.has_arrived() {
            self.steps += home::relax(self.tree, self.space, self.tolerance);
        }
        let found = self.tree.error() <= enough
            && reaching::is_free(self.space)
            && home::distance_to_base(self.tree) < CLEARLY_NEARER * distance;
        if !found {
            self.tree.take_pose(present.iter().copied());
        }
        self.space.start = present;
        found
    }

    /// Takes the pose that the named algorithm finds from the base pose.
    fn find_from_base_pose(&mut self) {
        self.tree.take_base_pose();
        self.steps += (self.find)(self.tree, self.space);
        self.steps += reaching::descend_from(self.tree, self.space);
    }

    /// Tries the next start: first the pose without memory.
    fn attempt(&mut self) {
        let number = self.memory.attempt % (STARTS + 1);
        self.memory.attempt = (number + 1) % (STARTS + 1);
        self.memory.attempts += 1;
        match number.checked_sub(1) {
            None => self.find_from_base_pose(),
            Some(start) => self.steps += reaching::attempt(self.tree, self.space, start),
        }
    }

    /// Remembers where the points of the pose that was shown last are.
    fn remember_places(&mut self) {
        let places = &mut self.space.places;
        places.clear();
        places.extend(self.tree.points());
    }

    /// How far a point has moved since then.
    fn farthest(&self) -> f64 {
        let pairs = self.tree.points().zip(&self.space.places);
        let moved = pairs.map(|(now, before)| now.distance(*before));
        moved.fold(0.0, f64::max)
    }

    /// Whether a point of the limb has moved farther than the time and its targets' own motion
    /// allow.
    fn leaps(&self, demand: f64) -> bool {
        let allowed = (SWING_SPEED * self.delta * self.tree.span).max(LEAP * demand);
        self.farthest() > allowed + THERE * self.tree.span
    }

    /// Shows the present pose. Returns whether it is another than before.
    fn show(&mut self) -> bool {
        self.memory.branch.clear();
        let mut changed = false;
        for (shown, swing) in self.memory.swings.iter_mut().zip(self.tree.swings()) {
            let swing = swing as f32;
            changed |= shown.to_bits() != swing.to_bits();
            *shown = swing;
        }
        changed
    }

    /// Takes the present pose for the branch, and swings the pose that is shown towards it. Returns
    /// whether that goes on.
    fn swing_over(&mut self) -> bool {
        let ways = &mut self.space.ways;
        ways.clear();
        self.memory.branch.clear();
        for (&shown, node) in self.memory.swings.iter().zip(&self.tree.nodes) {
            let shown = f64::from(shown);
            let way = match node.interval() {
                None => wrapped(node.swing - shown),
                Some(_) => node.swing - shown,
            };
            ways.push(way);
            self.memory.branch.push((shown + way) as f32);
        }
        let widest = ways.iter().map(|way| way.abs()).fold(0.0, f64::max);
        if widest <= THERE {
            self.show();
            return true;
        }
        let mut part = (SWING_RATE * self.delta / widest).min(1.0);
        let farthest = SWING_SPEED * self.delta * self.tree.span;
        // The points' paths are curved: each estimate is nearer than the one before.
        for _ in 0..MOST_ESTIMATES {
            self.take_part(part);
            let moved = self.farthest();
            if moved <= farthest {
                break;
            }
            part *= 0.999 * farthest / moved;
        }
        if part >= 1.0 {
            self.memory.swings.clone_from(&self.memory.branch);
            self.memory.branch.clear();
            take_pose(self.tree, &self.memory.swings);
            return true;
        }
        self.take_part(part);
        for (shown, swing) in self.memory.swings.iter_mut().zip(self.tree.swings()) {
            *shown = swing as f32;
        }
        true
    }

    /// Takes the pose at a part of the way from the one that was shown to the branch.
    fn take_part(&mut self, part: f64) {
        let pairs = self.memory.swings.iter().zip(&self.space.ways);
        let swings = pairs.map(|(&shown, way)| f64::from(shown) + part * way);
        self.tree.take_pose(swings);
    }
}

fn take_pose(tree: &mut Tree, swings: &[f32]) {
    tree.take_pose(swings.iter().map(|&swing| f64::from(swing)));
}
