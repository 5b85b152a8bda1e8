//! *Pursuit*: the law by which a leap of the exact pose is shown.
//!
//! What is shown goes after the exact pose with a speed and an acceleration that are bounded. The speed of a limb is its
//! **effort**: 1 where a joint turns by [`TURN_RATE`], or a point moves by [`SPEED`]. With the way `w` from what is shown to
//! the exact pose, joint by joint, and the effort `D` of going it in a second, `D` is how many seconds it takes at full
//! speed. In each pass of `δ` seconds the joints shall come to turn by
//!
//! ```text
//! wanted = exact' + w g / D,   g ≤ 1 the speed from which there is time to brake: D = g₀ δ / 2 + g δ / 2 + g² ramp() / 2
//! ```
//!
//! where `g₀` is the speed before. They come nearer to that by an effort of `δ / ramp()` at most. So it takes `ramp()` seconds to
//! get to full speed, and as long to stop. Joints that turn one after another have a `g / D` of their own each, and the first
//! ones that an effort of 1 is enough for get it. Nothing has to be known of why the exact pose has leapt, and it may leap
//! again on the way. Where nothing has leapt the exact pose is shown, to the last bit. What is kept is how fast each joint
//! turned in the last pass.

use glam::DVec2;

use crate::descent::memory::Order;
use crate::descent::transition::measure::{farthest_from, remember_points};
use crate::kinematics::tree::Tree;
use crate::math::interval::clamp;

/// How fast a point of a limb in transition may move: spans per second.
pub(crate) const SPEED: f64 = 7.4;

/// How fast a joint in transition may turn: radians per second.
pub(crate) const TURN_RATE: f64 = 15.0;

/// Seconds in which a limb comes to full speed.
pub(super) fn ramp() -> f64 { param(0) }

thread_local! { pub(crate) static TRACING: std::cell::Cell<bool> = const { std::cell::Cell::new(false) }; }
/// TEMPORARY
pub(crate) fn param(index: usize) -> f64 {
    static P: std::sync::OnceLock<Vec<f64>> = std::sync::OnceLock::new();
    P.get_or_init(|| {
        let mut p = vec![0.07, 1.0, 0.3, 1.0, 511.0, 0.0, 0.5, 1.0, 1.0, 0.0, 0.4, 1.0, 0.0, 0.001, 0.5, 0.02];
        if let Ok(text) = std::env::var("PARAMS") {
            for part in text.split(',') { let (a, b) = part.split_once('=').unwrap(); p[a.parse::<usize>().unwrap()] = b.parse().unwrap(); }
        }
        p
    })[index]
}

/// By what angle joints are turned to see how fast points move, in radians.
const SMALL: f64 = 1e-4;

/// How much more than usual the speed may change in the pass in which it arrives.
const ARRIVING: f64 = 1.5;

/// How often a step that is too far is shortened.
const MOST_ESTIMATES: u32 = 6;

/// How often the joints that turn at a time are halved to find those that an effort of 1 is enough for.
const HALVINGS: u32 = 8;

/// A limb that goes after a pose. Keeps its memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pursuit {
    /// The swings that are shown.
    pub(crate) shown: Vec<f64>,
    /// How fast they turn.
    pub(crate) rates: Vec<f64>,
    /// The ways to the goal, and how fast that turns.
    pub(crate) ways: Vec<f64>,
    pub(crate) goal_rates: Vec<f64>,
    /// How fast the joints shall come nearer to the goal.
    approach: Vec<f64>,
    /// By how much the rates shall change in this pass; then by how much the joints turn.
    steps: Vec<f64>,
    /// Whether the way is so long that the limb comes to full speed nearly at once.
    is_hasty: bool,
    /// The points of the pose that is shown.
    points: Vec<DVec2>,
}

/// The speed at which a way of `seconds` at full speed is gone, if there must be time to brake in steps of `delta`.
pub(crate) fn brake(seconds: f64, ramp: f64, delta: f64) -> f64 {
    let half = 0.5 * delta;
    let speed = ((half * half + 2.0 * ramp * seconds.max(0.0)).sqrt() - half) / ramp;
    speed.min(1.0)
}

impl Pursuit {
    fn ramp(&self) -> f64 { if self.is_hasty { param(15) } else { ramp() } }

    /// The effort of turning the joints by `rates`, from the pose that is shown. The tree is then in any pose.
    fn effort(&self, tree: &mut Tree, rates: &[f64]) -> f64 {
        let widest = rates.iter().fold(0.0_f64, |most, rate| most.max(rate.abs()));
        if widest <= 0.0 {
            return 0.0;
        }
        let part = SMALL / widest;
        tree.take_pose({ self.shown.iter().zip(rates) }.map(|(shown, rate)| shown + part * rate));
        let speed = farthest_from(tree, &self.points) / part;
        let mut effort = (widest / TURN_RATE).max(speed / (SPEED * tree.span));
        if param(5) > 0.0 && !self.is_hasty {
            // How fast the points change their direction.
            let part = 0.01 / widest;
            tree.take_pose({ self.shown.iter().zip(rates) }.map(|(shown, rate)| shown + part * rate));
            let ahead: Vec<DVec2> = tree.points().collect();
            tree.take_pose({ self.shown.iter().zip(rates) }.map(|(shown, rate)| shown - part * rate));
            let three = tree.points().zip(&self.points).zip(&ahead);
            let bend = three.map(|((a, b), c)| (a - 2.0 * *b + *c).length()).fold(0.0, f64::max) / (part * part);
            effort = effort.max((param(5) * bend * self.ramp() / (SPEED * tree.span)).sqrt());
        }
        effort
    }

    /// Begins from a pose, whose joints turn by `rates`: not at all if these are not known.
    pub(in crate::descent) fn begin(&mut self, shown: &[f32], rates: &[f32], is_hasty: bool) {
        self.is_hasty = is_hasty;
        self.shown.clear();
        self.shown.extend(shown.iter().map(|&swing| f64::from(swing)));
        self.rates.clear();
        self.rates.extend(rates.iter().map(|&rate| f64::from(rate)));
        self.rates.resize(shown.len(), 0.0);
        self.goal_rates.resize(shown.len(), 0.0);
        self.ways.clear();
    }

    pub(super) fn aim_at(&mut self, goal: &[f32]) {
        self.ways.clear();
        let pairs = goal.iter().zip(&self.shown);
        self.ways.extend(pairs.map(|(&goal, shown)| f64::from(goal) - shown));
    }

    fn change_effort(&self, tree: &mut Tree) -> f64 {
        let rates = &self.steps;
        let widest = rates.iter().fold(0.0_f64, |most, rate| most.max(rate.abs()));
        if widest <= 0.0 { return 0.0; }
        let part = SMALL / widest;
        tree.take_pose({ self.shown.iter().zip(rates) }.map(|(shown, rate)| shown + part * rate));
        let speed = farthest_from(tree, &self.points) / part;
        (widest / TURN_RATE).max(param(11) * speed / (SPEED * tree.span))
    }

    /// How many seconds the way takes at least.
    pub(super) fn least_seconds(&self) -> f64 {
        self.ways.iter().fold(0.0_f64, |most, way| most.max(way.abs())) / TURN_RATE
    }

    /// How many seconds the way takes at full speed.
    pub(super) fn seconds(&mut self, tree: &mut Tree) -> f64 {
        tree.take_pose(self.shown.iter().copied());
        remember_points(tree, &mut self.points);
        self.effort(tree, &self.ways)
    }

    /// Moves what is shown on by `delta` seconds. A limb that `stops` at its goal brakes before. The `tree` is then in the pose
    /// that is shown. Returns whether it has arrived: the tree is then in any pose.
    pub(crate) fn advance(&mut self, tree: &mut Tree, order: Order, stops: bool, delta: f64) -> bool {
        tree.take_pose(self.shown.iter().copied());
        remember_points(tree, &mut self.points);
        let effort = self.effort(tree, &self.rates);
        if effort > 1.0 {
            let scale = if param(9) == 2.0 { 0.0 } else { 1.0 / effort };
            for rate in &mut self.rates { *rate *= scale; }
        }
        if param(8) == 0.0 || param(8) == 2.0 && !tree.obstacles.is_empty() || self.effort(tree, &self.goal_rates) > 1.0 {
            // That is a leap, and no velocity.
            self.goal_rates.fill(0.0);
        }
        for (way, rate) in self.ways.iter_mut().zip(&self.goal_rates) {
            *way -= rate * delta;
        }
        let seconds = self.effort(tree, &self.ways);
        match order {
            Order::Together => self.approach_together(seconds, stops, delta),
            _ => self.approach_in_turn(tree, order == Order::FromTip, stops, delta),
        }
        self.steps.clear();
        let pairs = self.goal_rates.iter().zip(&self.approach).zip(&self.rates);
        self.steps.extend(pairs.map(|((goal, approach), rate)| goal + approach - rate));
        let change = self.change_effort(tree);
        if std::env::var("TRACE").is_ok() && stops { TRACING.with(|t| if t.get() { eprintln!("   {order:?} D {seconds:.3} approach {:.2} change {change:.2} rates {:.2}", self.effort(tree, &self.approach), self.effort(tree, &self.rates)) }); }
        let most = delta / self.ramp();
        if stops && change <= ARRIVING * most && seconds <= delta * most {
            return true;
        }
        let part = if change > most { most / change } else { 1.0 };
        for (rate, step) in self.rates.iter_mut().zip(&mut self.steps) {
            let before = *rate;
            *rate += part * *step;
            *step = 0.5 * delta * (before + *rate);
        }
        self.take_step(tree, delta);
        false
    }

    /// All joints turn by the same part of their ways.
    fn approach_together(&mut self, seconds: f64, stops: bool, delta: f64) {
        // How fast it comes nearer now: the pass goes by the mean of that and of the new speed.
        let relative = { self.rates.iter().zip(&self.goal_rates) }.map(|(rate, goal)| rate - goal);
        let along: f64 = { self.ways.iter().zip(relative) }.map(|(way, rate)| way * rate).sum();
        let square: f64 = self.ways.iter().map(|way| way * way).sum();
        let part = match square > 0.0 {
            true => part_per_second(seconds, along / square, stops, self.ramp(), delta),
            false => 0.0,
        };
        self.approach.clear();
        self.approach.extend(self.ways.iter().map(|way| part * way));
    }

    /// One joint after another, as many at a time as an effort of 1 is enough for.
    fn approach_in_turn(&mut self, tree: &mut Tree, is_from_tip: bool, stops: bool, delta: f64) {
        self.approach.clear();
        for (joint, way) in self.ways.iter().enumerate() {
            let place = self.points[joint];
            let beyond = self.points.iter().skip(joint + 1).map(|point| place.distance(*point));
            let radius = if param(7) > 0.0 { beyond.fold(0.0, f64::max) } else { tree.length_beyond(joint) };
            let around = param(3) * (radius / (SPEED * tree.span)).max(1.0 / TURN_RATE);
            let before = match *way == 0.0 {
                true => 0.0,
                false => (self.rates[joint] - self.goal_rates[joint]) / way,
            };
            let part = part_per_second(around * way.abs(), before, stops, self.ramp(), delta);
            self.approach.push(part * way);
        }
        if self.effort(tree, &self.approach) <= 1.0 {
            return;
        }
        let all = std::mem::take(&mut self.approach);
        let (mut near, mut far) = (0.0, 1.0);
        for _ in 0..HALVINGS {
            let part = 0.5 * (near + far);
            self.take_turns(tree, &all, is_from_tip, part);
            let approach = std::mem::take(&mut self.approach);
            match self.effort(tree, &approach) > 1.0 {
                true => far = part,
                false => near = part,
            }
            self.approach = approach;
        }
        self.take_turns(tree, &all, is_from_tip, near);
        self.steps = all;
    }

    /// Lets those joints turn as fast as `all` says that come first, each in proportion to how far it moves what is beyond it.
    fn take_turns(&mut self, tree: &Tree, all: &[f64], is_from_tip: bool, part: f64) {
        let ways = { all.iter().enumerate() };
        let ways = ways.map(|(joint, rate)| tree.length_beyond(joint) * rate.abs());
        let sum: f64 = ways.clone().sum();
        let mut left = if is_from_tip { part - 1.0 } else { part } * sum;
        self.approach.clear();
        for (way, rate) in ways.zip(all) {
            left += if is_from_tip { way } else { 0.0 };
            let done = if way > 0.0 { clamp(left / way, 0.0, 1.0) } else { 1.0 };
            left -= if is_from_tip { 0.0 } else { way };
            self.approach.push(done * rate);
        }
    }

    /// Turns the joints by the steps, or by less where a point would move too far.
    fn take_step(&mut self, tree: &mut Tree, delta: f64) {
        let farthest = SPEED * delta * tree.span;
        for _ in 0..MOST_ESTIMATES {
            tree.take_pose({ self.shown.iter().zip(&self.steps) }.map(|(shown, step)| shown + step));
            let moved = farthest_from(tree, &self.points);
            if moved <= farthest {
                break;
            }
            let part = 0.999 * farthest / moved;
            for number in self.rates.iter_mut().chain(&mut self.steps) {
                *number *= part;
            }
        }
        let swings = tree.swings().zip(&self.steps);
        let joints = self.shown.iter_mut().zip(&mut self.rates);
        for ((shown, rate), (swing, step)) in joints.zip(swings) {
            // A joint that has come to its limit stops.
            if (swing - *shown - step).abs() > SMALL {
                *rate = (swing - *shown) / delta;
            }
            *shown = swing;
        }
    }
}

/// What part of a way is to be gone in a second. It takes `seconds` at full speed, and `before` is the part at which it was
/// gone.
fn part_per_second(seconds: f64, before: f64, stops: bool, ramp: f64, delta: f64) -> f64 {
    if seconds <= 0.0 {
        return 0.0;
    }
    let speed = match stops {
        true => brake(seconds - 0.5 * delta * (before * seconds).max(0.0), ramp, delta),
        false => (seconds / delta).min(1.0),
    };
    speed / seconds
}
