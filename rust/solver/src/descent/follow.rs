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

use crate::descent::deadlock;
use crate::descent::home::{self, NEAREST};
use crate::descent::memory::Memory;
use crate::descent::reaching::{self, PRECISION, keeping};
use crate::descent::restarts::STARTS;
use crate::descent::step::{Workspace, descend_to, forget_moves, settle};
use crate::descent::swing::{self, take_pose};
use crate::kinematics::contact;
use crate::kinematics::tree::Tree;
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

/// How much farther than its target has leapt a limb may move at once.
const LEAP: f64 = 4.0;

/// Starts that are tried for another branch, per second.
const ATTEMPT_RATE: f64 = 180.0;

/// Starts that are tried in one pass at most.
const MOST_ATTEMPTS: f64 = 12.0;

/// Seconds in which targets move or joints settle, after which the pose without memory is looked at
/// again. Following may have coiled a limb up within its limits. A limb may also have begun between
/// two branches, where it would settle for a long time.
const REVIEW_TIME: f32 = 0.25;

/// That pose must be nearer to the base pose by this factor,
const CLEARLY_NEARER: f64 = 0.4;

/// and its tips no farther from targets out of reach than by this part of the span.
const STILL_AS_NEAR: f64 = 1e-3;

/// Another branch that does not arrive must be nearer by this part of the span.
const CLEARLY: f64 = 0.05;

/// Beyond this, in radians, whole turns are taken out of a swing: `f32` could no longer hold a fine
/// angle. Up to there an angle changes as smoothly as the pose.
pub(super) const MOST_WOUND: f64 = 7.0;

/// A joint nearer than this, in radians, to where it swings to is there.
const THERE: f64 = 1e-6;

/// The largest turn of a joint that settles for `delta` seconds, in radians, where `left` is the
/// largest that is left of the way: 0 at rest.
pub(super) fn settling(left: f64, delta: f64) -> f64 {
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
    swing::remember_points(pass.tree, &mut pass.space.places);
    pass.tree.take_pose(found.iter().copied());
    let begins = pass.memory.branch.is_empty();
    let swings_over = !begins || pass.leaps(demand);
    if swings_over {
        pass.swing_over(begins);
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
        swing::remember_points(self.tree, &mut self.space.places);
        let mut swings_over = !self.memory.branch.is_empty();
        // Something else has shown the pose that the memory holds, and has missed with it.
        let is_begun = self.memory.misses.is_empty();
        let is_new = is_begun && self.tree.error() > self.enough;
        let mut begins = !swings_over || is_begun;
        if swings_over {
            take_pose(self.tree, &self.memory.branch);
        }
        let settles = self.follow(demand);
        let moves = settles || demand > PRECISION * self.tree.span;
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
            || (is_new || moves && self.is_review_due()) && self.finds_nearer_branch()
        {
            (swings_over, begins) = (true, true);
            has_arrived = self.has_arrived();
        }
        self.memory.has_arrived = has_arrived;
        self.tree.unwind(MOST_WOUND);
        swings_over |= !self.is_free() && self.leaps(demand);
        let is_moving = if swings_over {
            self.swing_over(begins)
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

    /// Goes on from the present pose: towards the base pose, and to the targets. Returns whether
    /// it has come nearer to the base pose.
    fn follow(&mut self, demand: f64) -> bool {
        self.space.contacts.clear();
        if self.tree.is_overstretched && self.lies_straight(demand) {
            return false;
        }
        let emphasis = keeping(self.tree);
        if self.tree.is_unbounded && self.is_free() && self.tree.error() > self.enough {
            deadlock::bend_out(self.tree, self.space);
        }
        let mut settled = 0;
        if self.memory.has_arrived {
            let delta = self.delta;
            let part = |left| settling(left, delta);
            forget_moves(self.space);
            settled = settle(self.tree, self.space, emphasis, part);
            self.steps += settled;
        }
        if self.tree.error() > PRECISION * self.tree.span || !self.tree.cores.is_empty() {
            let precise = 0.1 * PRECISION * self.tree.span;
            self.steps += descend_to(self.tree, self.space, emphasis, MAX_STEPS, precise);
        }
        settled > 0
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
            // Not to swing over again a moment later.
            self.finds_nearer_branch();
        }
        found
    }

    /// Whether it is time to look at the pose without memory again.
    fn is_review_due(&mut self) -> bool {
        self.memory.unreviewed += self.delta as f32;
        self.memory.unreviewed >= REVIEW_TIME
    }

    /// Takes the pose without memory if it is clearly nearer to the base pose. Returns whether it
    /// was.
    fn finds_nearer_branch(&mut self) -> bool {
        self.memory.unreviewed = 0.0;
        let mut present = std::mem::take(&mut self.space.start);
        reaching::remember(self.tree, &mut present);
        // A limb that gave up its target for this would look for a way back.
        let spare = if self.has_arrived() {
            0.0
        } else {
            STILL_AS_NEAR
        };
        let enough = (self.tree.error() + spare * self.tree.span).max(self.enough);
        let distance = home::distance_to_base(self.tree);
        self.find_from_base_pose();
        if self.has_arrived() {
            self.steps += home::relax(self.tree, self.space, self.tolerance);
        }
        self.wind_like(&present);
        let found = self.tree.error() <= enough
            && reaching::is_free(self.space)
            && home::distance_to_base(self.tree) < CLEARLY_NEARER * distance;
        if !found {
            self.tree.take_pose(present.iter().copied());
        }
        self.space.start = present;
        found
    }

    /// Adds the whole turns to free joints with which they would go on from `present`: the way back
    /// to the base pose is as long as that.
    fn wind_like(&mut self, present: &[f64]) {
        let pairs = self.tree.nodes.iter().zip(present);
        let wound = pairs.map(|(node, &from)| from + swing::way(node, from, node.swing));
        self.space.ways.clear();
        self.space.ways.extend(wound);
        self.tree.take_pose(self.space.ways.iter().copied());
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

    /// Whether a point of the limb has moved farther than the time and its targets' own motion
    /// allow.
    fn leaps(&self, demand: f64) -> bool {
        let allowed = (swing::SPEED * self.delta * self.tree.span).max(LEAP * demand);
        swing::farthest_from(self.tree, &self.space.places) > allowed + THERE * self.tree.span
    }

    /// Shows the present pose. Returns whether it is another than before.
    fn show(&mut self) -> bool {
        self.memory.stay();
        let mut changed = false;
        for (shown, swing) in self.memory.swings.iter_mut().zip(self.tree.swings()) {
            let swing = swing as f32;
            changed |= shown.to_bits() != swing.to_bits();
            *shown = swing;
        }
        changed
    }

    /// Takes the present pose for the branch, and swings the pose that is shown towards it, on a
    /// new route if that `begins`. Returns whether it goes on.
    fn swing_over(&mut self, begins: bool) -> bool {
        let memory = &mut *self.memory;
        let mut widest = 0.0;
        memory.branch.clear();
        for (&shown, node) in memory.swings.iter().zip(&self.tree.nodes) {
            let shown = f64::from(shown);
            let way = swing::way(node, shown, node.swing);
            widest = f64::max(widest, way.abs());
            memory.branch.push((shown + way) as f32);
        }
        if widest <= THERE {
            self.show();
            return true;
        }
        // In every pass, because memories change places: a swing that needs it allocates nothing.
        let missing = memory.swings.len().saturating_sub(memory.waypoint.len());
        memory.waypoint.reserve(missing);
        if begins {
            swing::choose(self.tree, self.space, memory);
        }
        take_pose(self.tree, &memory.swings);
        let mut left = self.delta;
        if !memory.waypoint.is_empty() {
            let order = memory.order.curling();
            let step = swing::advance(self.tree, self.space, &memory.waypoint, order, left);
            left *= 1.0 - step.used;
            if step.is_there {
                take_pose(self.tree, &memory.waypoint);
                memory.order = memory.order.uncurling();
                memory.waypoint.clear();
            }
        }
        if memory.waypoint.is_empty() {
            let step = swing::advance(self.tree, self.space, &memory.branch, memory.order, left);
            if step.is_there {
                memory.swings.clone_from(&memory.branch);
                memory.stay();
                take_pose(self.tree, &memory.swings);
                return true;
            }
        }
        for (shown, swing) in memory.swings.iter_mut().zip(self.tree.swings()) {
            *shown = swing as f32;
        }
        true
    }
}
