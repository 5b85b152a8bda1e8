//! *Pursuit*: the law by which what is shown goes after the exact pose.
//!
//! Its speed and its acceleration are bounded. The **effort** of turning the joints by some rates is 1 where a joint turns
//! as fast as it may, or a point moves so ([`speeds`](crate::descent::speeds)). Let `w` be the ways of the joints from what is shown to the goal, and
//! `D` the effort of going them in a second: `D` is how many seconds they take at full speed. In each pass of `δ` seconds the
//! joints shall come to turn by
//!
//! ```text
//! wanted = goal' + w g / D,   g ≤ 1 the speed from which there is time to brake: D = g₀ δ / 2 + g δ / 2 + g² RAMP / 2
//! ```
//!
//! where `g₀` is how fast they came nearer before, and `goal'` how fast the goal turns. The rates come nearer to that by an
//! effort of `δ / RAMP` at most: it takes [`RAMP`] seconds to get to full speed, and as long to stop. Nothing has to be
//! known of why the exact pose has leapt, and it may leap again on the way.
//!
//! What is kept is how fast each joint turned in the last pass.

use crate::descent::step::Pursuit;
use crate::descent::transition::measure::{farthest_from, remember_points};
use crate::kinematics::tree::Tree;
use crate::math::angle::wrapped;
use crate::math::pursuit::brake;

/// Seconds in which a limb comes to full speed.
pub(crate) const RAMP: f64 = 0.07;

/// The speed of a pose that is shown at once may change by this factor more.
const ARRIVING: f64 = 1.4;

/// The acceleration with which a point may be drawn aside on a curve, in spans per second squared.
const SWERVE: f64 = 105.0;

/// A limb that would swerve more is no slower than if its way took so many seconds at full speed: targets at rest are reached
/// within half a second. The second is for what goes after a leader, which is on its way for long enough.
const HURRY: f64 = 0.2;
const HURRY_LED: f64 = 0.08;

/// By what angle joints are turned to see how fast points move, and how they swerve, in radians.
const SMALL: f64 = 1e-4;
const SMALL_CURVE: f64 = 1e-3;

/// The number of times that a step that is too far is shortened at most.
const MOST_ESTIMATES: u32 = 6;

impl Pursuit {
    /// Begins at the swings `shown`, which turn by `rates`, if that is known. The goal rests.
    pub(in crate::descent) fn begin(&mut self, shown: &[f32], rates: &[f32]) {
        refill(&mut self.shown, shown.iter().map(|&swing| swing.into()));
        let finite = |&rate: &f32| if rate.is_finite() { rate.into() } else { 0.0 };
        refill(&mut self.rates, rates.iter().map(finite));
        self.rates.resize(shown.len(), 0.0);
        refill(&mut self.goal_rates, shown.iter().map(|_| 0.0));
    }

    /// Notes how fast the pose of `tree` turns, which had the swings `before` a pass ago.
    pub(in crate::descent) fn aim(&mut self, tree: &Tree, before: &[f32], delta: f64) {
        if delta <= 0.0 {
            return;
        }
        let pairs = tree.swings().zip(before);
        let rates = pairs.map(|(now, &before)| wrapped(now - f64::from(before)) / delta);
        refill(&mut self.goal_rates, rates);
    }

    /// Returns `true` if a point starts dead where the joints come to turn by the goal's rates at once. What stops dead
    /// may: it would go past the goal. Leaves `tree` in any pose.
    pub(in crate::descent) fn starts_dead(&mut self, tree: &mut Tree, delta: f64) -> bool {
        let most = ARRIVING * delta / RAMP;
        if self.most_effort(tree, &self.goal_rates) <= most {
            return false;
        }
        self.place(tree);
        self.effort(tree, &self.goal_rates) - self.effort(tree, &self.rates) > most
    }

    /// Moves what is shown on by `delta` seconds towards `goal`. `tree` is then in that pose. Returns whether it is there.
    pub(in crate::descent) fn advance(
        &mut self,
        tree: &mut Tree,
        goal: &[f32],
        is_led: bool,
        delta: f64,
    ) -> bool {
        self.place(tree);
        // A limb may have followed its target faster, or a state may say so that was written by hand.
        let too_fast = self.effort(tree, &self.rates).max(1.0);
        self.rates.iter_mut().for_each(|rate| *rate /= too_fast);
        if is_led || self.effort(tree, &self.goal_rates) > 1.0 {
            // That of a leader is not smooth. A leap is no velocity.
            self.goal_rates.fill(0.0);
        }
        let pairs = { goal.iter().zip(&self.shown) }.zip(&self.goal_rates);
        let ways = pairs.map(|((&to, from), rate)| f64::from(to) - from - rate * delta);
        refill(&mut self.ways, ways);
        let seconds = self.effort(tree, &self.ways);
        let hurry = if is_led { HURRY_LED } else { HURRY };
        let seconds = seconds.max(self.swerve(tree).min(hurry));
        self.want(tree, seconds, delta);
        let change = self.effort(tree, &self.changes);
        let most = delta / RAMP;
        if change <= ARRIVING * most && seconds <= delta * most {
            return self.arrive(tree, goal);
        }
        self.turn(tree, (most / change).min(1.0), delta);
        false
    }

    /// Shows `goal`, which is true.
    pub(in crate::descent) fn arrive(&mut self, tree: &mut Tree, goal: &[f32]) -> bool {
        refill(&mut self.shown, goal.iter().map(|&swing| swing.into()));
        self.rates.clone_from(&self.goal_rates);
        tree.take_pose(self.shown.iter().copied());
        true
    }

    fn place(&mut self, tree: &mut Tree) {
        tree.take_pose(self.shown.iter().copied());
        remember_points(tree, &mut self.points);
    }

    /// Finds by how much the rates shall change, where the ways take so many `seconds` at full speed.
    fn want(&mut self, tree: &mut Tree, seconds: f64, delta: f64) {
        // How fast it comes nearer now: the pass goes by the mean of that and of the new speed.
        let relative = self.rates.iter().zip(&self.goal_rates);
        let along =
            { self.ways.iter().zip(relative) }.map(|(way, (rate, goal))| way * (rate - goal));
        let square: f64 = self.ways.iter().map(|way| way * way).sum();
        let before = match square > 0.0 {
            true => (along.sum::<f64>() / square * seconds).max(0.0),
            false => 0.0,
        };
        let speed = brake(seconds - 0.5 * delta * before, delta, RAMP);
        let part = if seconds > 0.0 { speed / seconds } else { 0.0 };
        let wanted =
            { self.goal_rates.iter().zip(&self.ways) }.map(|(goal, way)| goal + part * way);
        refill(&mut self.changes, wanted);
        let too_fast = self.effort(tree, &self.changes).max(1.0);
        for (change, rate) in self.changes.iter_mut().zip(&self.rates) {
            *change = *change / too_fast - rate;
        }
    }

    /// Changes the rates by a `part` of what they shall, and turns the joints.
    fn turn(&mut self, tree: &mut Tree, part: f64, delta: f64) {
        let Self {
            shown,
            rates,
            changes,
            points,
            speeds,
            ..
        } = self;
        // The changes become the steps.
        for (rate, change) in rates.iter_mut().zip(&mut *changes) {
            let old = *rate;
            *rate += part * *change;
            *change = 0.5 * delta * (old + *rate);
        }
        let farthest = speeds.point * delta * tree.span;
        for _ in 0..MOST_ESTIMATES {
            let steps = shown.iter().zip(&*changes);
            tree.take_pose(steps.map(|(shown, step)| shown + step));
            let moved = farthest_from(tree, points);
            if moved <= farthest {
                break;
            }
            let part = 0.999 * farthest / moved;
            for (rate, step) in rates.iter_mut().zip(&mut *changes) {
                (*rate, *step) = (part * *rate, part * *step);
            }
        }
        let swings = tree.swings().zip(&*changes);
        for ((shown, rate), (swing, step)) in shown.iter_mut().zip(rates).zip(swings) {
            // A joint that has come to its limit stops.
            if (swing - *shown - step).abs() > SMALL {
                *rate = (swing - *shown) / delta;
            }
            *shown = swing;
        }
    }

    /// The effort of turning the joints by `rates` from the pose that is shown. Leaves `tree` in a pose that is turned by
    /// [`SMALL`] at most.
    fn effort(&self, tree: &mut Tree, rates: &[f64]) -> f64 {
        let widest = widest(rates);
        if widest <= 0.0 {
            return 0.0;
        }
        let part = SMALL / widest;
        let pairs = self.shown.iter().zip(rates);
        tree.take_pose(pairs.map(|(shown, rate)| shown + part * rate));
        let speed = farthest_from(tree, &self.points) / part;
        (fastest(tree, rates) / self.speeds.turn).max(speed / (self.speeds.point * tree.span))
    }

    /// Returns an upper bound of the effort of turning the joints by `rates`, in any pose.
    fn most_effort(&self, tree: &Tree, rates: &[f64]) -> f64 {
        let ways = rates.iter().enumerate();
        let speeds = ways.map(|(joint, rate)| tree.length_beyond(joint) * rate.abs());
        let speed = speeds.sum::<f64>();
        (fastest(tree, rates) / self.speeds.turn).max(speed / (self.speeds.point * tree.span))
    }

    /// The seconds in which the ways are gone so that no point swerves by more than [`SWERVE`].
    fn swerve(&mut self, tree: &mut Tree) -> f64 {
        let widest = widest(&self.ways);
        if widest <= 0.0 {
            return 0.0;
        }
        let part = SMALL_CURVE / widest;
        for part in [-part, part] {
            let pairs = self.shown.iter().zip(&self.ways);
            tree.take_pose(pairs.map(|(shown, way)| shown + part * way));
            if part < 0.0 {
                remember_points(tree, &mut self.behind);
            }
        }
        let curves = { tree.points().zip(&self.points) }.zip(&self.behind);
        let most = curves.map(|((ahead, at), behind)| (ahead - 2.0 * *at + *behind).length());
        let most = most.fold(0.0, f64::max);
        (most / (SWERVE * tree.span)).sqrt() / part
    }
}

fn widest(rates: &[f64]) -> f64 {
    rates.iter().fold(0.0, |most, rate| most.max(rate.abs()))
}

/// Returns the speed of the joint that turns the fastest, in radians per second. Together with those above it, a joint
/// that keeps to an arc turns faster than its direction: it does not count.
fn fastest(tree: &Tree, rates: &[f64]) -> f64 {
    let pairs = tree.nodes.iter().zip(rates);
    let counting = pairs.filter(|(node, _)| node.place_in_arc().is_none());
    counting.fold(0.0, |most, (_, rate)| f64::max(most, rate.abs()))
}

fn refill(list: &mut Vec<f64>, values: impl Iterator<Item = f64>) {
    list.clear();
    list.extend(values);
}
