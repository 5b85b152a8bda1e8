//! *Transition*: the way from the pose that is shown to a pose on another branch.
//!
//! Limits bound each joint by itself, so the joints may turn in any order on the way. The point of
//! the limb that has the longest way decides how long that takes: its speed is bounded, and a limb
//! that turns over while it is stretched out takes longest. So when a transition begins, several
//! routes are tried out: all joints together, one after another from the tip or from the root, and
//! by way of a curled pose. A limb that is curled up turns over on a short way. So either the
//! joints near the root turn before the limb uncurls, or the limb curls up before they turn. The
//! quickest route is taken. If there are obstacles, it is the quickest of those that bring no bone
//! into them, if that arrives soon.
//!
//! A joint turns by the shorter way around, unless it keeps to an arc of directions. That is fixed
//! in chain space, so the joint turns by as much as its direction moves within the arc, and back by
//! as much as those above it turn. By the shorter way it could run against an end of its arc for
//! good.
//!
//! Cost: O(joints) for each step of a transition, and some hundred times that where one begins that
//! is not brief.

use std::f64::consts::TAU;

use glam::DVec2;

use crate::descent::memory::{Memory, Order};
use crate::descent::step::Workspace;
use crate::kinematics::contact;
use crate::kinematics::tree::{Node, Tree};
use crate::math::angle::wrapped;

mod step;

pub(crate) use crate::descent::transition::step::advance;

/// How fast a point of a limb in transition may move: spans per second.
pub(crate) const SPEED: f64 = 7.4;

/// How fast a joint in transition may turn: radians per second.
pub(crate) const TURN_RATE: f64 = 15.0;

/// The time of one step when a route is tried out, in seconds: that of a usual frame. In a longer
/// step, joints that turn one after another could bring a point far away and back, which no frame
/// allows.
const TRIAL_STEP: f64 = 1.0 / 60.0;

/// Seconds after which a trial is given up.
const LONGEST_TRIAL: f64 = 2.0;

/// If a route takes no longer than this, in seconds, no other is tried.
const BRIEF: f64 = 0.25;

/// A route around obstacles may take this many seconds. A target at rest must be reached within
/// half a second, and finding the branch takes time as well.
const SOON: f64 = 0.4;

/// Another route is taken if it is quicker by this factor.
const CLEARLY_QUICKER: f64 = 0.95;

/// How far a curled limb is bent in all, in radians from its root to its tip: nearly a full turn,
/// which brings the tip back to the root.
const CURL: f64 = 6.0;

/// A route that is tried out.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Route {
    order: Order,
    /// How the limb is curled up on the way: each is tried.
    curls: &'static [f64],
}

const fn route(order: Order, curls: &'static [f64]) -> Route {
    Route { order, curls }
}

/// Not curled up.
const STRAIGHT: &[f64] = &[0.0];

/// Curled up either way, or a mirrored limb would not be the mirror image.
const CURLED: &[f64] = &[CURL, -CURL];

const ROUTES: [Route; 5] = [
    route(Order::Together, STRAIGHT),
    route(Order::FromTip, STRAIGHT),
    route(Order::FromRoot, STRAIGHT),
    route(Order::FromRoot, CURLED),
    route(Order::FromTip, CURLED),
];

/// What a route came to when it was tried out.
#[derive(Clone, Copy, Debug)]
struct Trial {
    seconds: f64,
    /// Whether it brings no bone deeper into a shape than its ends are.
    is_clear: bool,
}

impl Trial {
    fn goes_around(self) -> bool {
        self.is_clear && self.seconds <= SOON
    }

    /// Whether it is quicker than `other` by the factor `margin`, or goes around while that does
    /// not.
    fn is_better_than(self, other: Self, margin: f64) -> bool {
        if self.goes_around() != other.goes_around() {
            return self.goes_around();
        }
        self.seconds < margin * other.seconds
    }

    fn is_brief(self) -> bool {
        self.is_clear && self.seconds <= BRIEF
    }

    /// How many seconds a route takes at most that is better by the factor `margin`.
    fn longest_better_route(self, margin: f64) -> f64 {
        match self.goes_around() {
            true => margin * self.seconds,
            false => (margin * self.seconds).max(SOON),
        }
    }
}

/// A route that was tried out, with the way in which the limb curls up on it.
#[derive(Clone, Copy, Debug)]
struct Choice {
    route: Route,
    curl: f64,
    trial: Trial,
}

impl Choice {
    fn is_better_than(self, other: Self) -> bool {
        let margin = other.margin(self.route);
        self.trial.is_better_than(other.trial, margin)
    }

    /// By what factor another choice, on `route`, must be quicker.
    fn margin(self, route: Route) -> f64 {
        match self.route == route {
            true => 1.0,
            false => CLEARLY_QUICKER,
        }
    }
}

/// What is chosen if every trial was given up.
const LAST_RESORT: Choice = Choice {
    route: ROUTES[0],
    curl: 0.0,
    trial: Trial {
        seconds: LONGEST_TRIAL,
        is_clear: false,
    },
};

/// Chooses the route from the pose that `memory` shows to its destination, by trying them out, and
/// writes it into `memory`. Returns how many seconds it takes. Leaves `tree` in any pose.
pub(super) fn choose_route(tree: &mut Tree, workspace: &mut Workspace, memory: &mut Memory) -> f64 {
    let Memory {
        swings,
        destination,
        waypoint,
        order,
        ..
    } = memory;
    let tolerated = [&*swings, destination].map(|pose| depth(tree, workspace, pose));
    let mut journey = Journey {
        tree,
        workspace,
        shown: swings,
        destination,
        tolerated_depth: tolerated[0].max(tolerated[1]),
    };
    let mut best: Option<Choice> = None;
    for route in ROUTES {
        for &curl in route.curls {
            journey.curl_up(curl, waypoint);
            let longest = best.map_or(LONGEST_TRIAL, |best| {
                best.trial.longest_better_route(best.margin(route))
            });
            let Some(trial) = journey.try_out(route.order, waypoint, longest) else {
                continue;
            };
            let next = Choice { route, curl, trial };
            if best.is_none_or(|best| next.is_better_than(best)) {
                best = Some(next);
            }
        }
        if best.is_some_and(|best| best.trial.is_brief()) {
            break;
        }
    }
    let best = best.unwrap_or(LAST_RESORT);
    journey.curl_up(best.curl, waypoint);
    *order = best.route.order;
    best.trial.seconds
}

/// How deep a bone is in a shape in the pose `swings`.
fn depth(tree: &mut Tree, workspace: &mut Workspace, swings: &[f32]) -> f64 {
    if tree.obstacles.is_empty() {
        return 0.0;
    }
    take_pose(tree, swings);
    contact::gather(tree, 0.0, &mut workspace.contacts);
    contact::deepest(&workspace.contacts)
}

/// The poses at both ends of a transition, between which routes are tried out.
struct Journey<'a> {
    tree: &'a mut Tree,
    workspace: &'a mut Workspace,
    shown: &'a [f32],
    destination: &'a [f32],
    /// How deep a bone may be in a shape on the way.
    tolerated_depth: f64,
}

impl Journey<'_> {
    /// Makes `waypoint` the pose that is curled by `curl`, or empty for 0.
    fn curl_up(&mut self, curl: f64, waypoint: &mut Vec<f32>) {
        waypoint.clear();
        if curl == 0.0 {
            return;
        }
        let depths = self.tree.nodes.iter().map(|node| node.depth);
        let deepest = depths.fold(1, u32::max);
        let bend = curl / f64::from(deepest);
        let ends = self.shown.iter().zip(self.destination);
        for (node, (&shown, &end)) in self.tree.nodes.iter_mut().zip(ends) {
            let side = 1.0_f64.copysign(node.basis.determinant());
            node.swing_to(match node.parent {
                None => 0.5 * (f64::from(shown) + f64::from(end)),
                Some(_) => node.mobility * side * bend,
            });
        }
        // Joints that keep to an arc of directions are bounded only now.
        self.tree.place();
        let ends = self.tree.nodes.iter().zip(self.shown);
        let swings = ends.map(|(node, &shown)| match node.interval() {
            None => wound_like(shown.into(), node.swing) as f32,
            Some(_) => node.swing as f32,
        });
        waypoint.extend(swings);
    }

    /// Tries a route out. `None` if it takes longer than `longest` seconds.
    fn try_out(&mut self, order: Order, waypoint: &[f32], longest: f64) -> Option<Trial> {
        take_pose(self.tree, self.shown);
        let mut trial = Trial {
            seconds: 0.0,
            is_clear: true,
        };
        let last = if waypoint.is_empty() {
            order
        } else {
            order.uncurling()
        };
        let legs = [(waypoint, order.curling()), (self.destination, last)];
        for (goal, order) in legs.into_iter().filter(|(goal, _)| !goal.is_empty()) {
            let mut likely = 1.0;
            while trial.seconds <= longest {
                let step = advance(self.tree, self.workspace, goal, order, TRIAL_STEP, likely);
                likely = step.part;
                trial.seconds += TRIAL_STEP * step.used;
                trial.is_clear &= self.is_clear();
                if step.has_arrived {
                    break;
                }
                if trial.seconds + step.least_left > longest {
                    return None;
                }
            }
        }
        (trial.seconds <= longest).then_some(trial)
    }

    fn is_clear(&mut self) -> bool {
        if self.tree.obstacles.is_empty() {
            return true;
        }
        contact::gather(self.tree, 0.0, &mut self.workspace.contacts);
        contact::deepest(&self.workspace.contacts) <= self.tolerated_depth
    }
}

/// Measures by what angle each joint must turn to `goal`. Returns the largest of these angles.
/// Leaves `tree` in any pose.
fn measure_turns_to(tree: &mut Tree, workspace: &mut Workspace, goal: &[f32]) -> f64 {
    let Workspace {
        turns,
        before,
        places_in_arcs,
        ..
    } = workspace;
    before.clear();
    before.extend(tree.swings());
    remember_places_in_arcs(tree, places_in_arcs);
    if !places_in_arcs.is_empty() {
        take_pose(tree, goal);
    }
    let ways = { goal.iter().zip(&*before) }.map(|(&goal, &swing)| f64::from(goal) - swing);
    measure_turns(tree, ways, places_in_arcs, turns)
}

/// Fills `turns` with the `ways` of the joints from one pose to that of `tree`. Those of joints
/// that keep to an arc are right except for whole turns: these follow from `places_in_arcs`, which
/// belong to the first pose. Returns the largest turn; of a joint that keeps to an arc, it is that
/// of its direction which counts.
pub(super) fn measure_turns(
    tree: &Tree,
    ways: impl Iterator<Item = f64>,
    places_in_arcs: &[f64],
    turns: &mut Vec<f64>,
) -> f64 {
    turns.clear();
    let mut widest = 0.0;
    for (node, mut way) in tree.nodes.iter().zip(ways) {
        let mut turn = way;
        if let (Some(place), Some(before)) = (node.place_in_arc(), places_in_arcs.get(turns.len()))
        {
            turn = place - before;
            way = wound_like(turn + turn_with_those_above(tree, node, turns), way);
        }
        widest = f64::max(widest, turn.abs());
        turns.push(way);
    }
    widest
}

/// By what angle a joint turns from one swing to another: by the shorter way around, if the joint
/// has no bounds.
pub(super) fn turn_between(node: &Node, from: f64, to: f64) -> f64 {
    match node.interval() {
        None => wrapped(to - from),
        Some(_) => to - from,
    }
}

/// `angle` with the whole turns that bring it within half a turn of `near`.
pub(super) fn wound_like(near: f64, angle: f64) -> f64 {
    angle + TAU * ((near - angle) / TAU).round()
}

/// By what angle a joint that keeps its direction turns back, when those above it turn by `turns`.
fn turn_with_those_above(tree: &Tree, node: &Node, turns: &[f64]) -> f64 {
    let above = node.parent.into_iter().flat_map(|parent| tree.path(parent));
    // Over a whole turn, the rate comes to one on average, whatever the frames are.
    let turned = above.map(|joint| node.tie_to(&tree.nodes[joint]).signum() * turns[joint]);
    turned.sum()
}

/// Remembers where joints are in the arcs that they keep to: nothing if there is no such joint.
pub(super) fn remember_places_in_arcs(tree: &Tree, places: &mut Vec<f64>) {
    places.clear();
    if tree.nodes.iter().any(|node| node.place_in_arc().is_some()) {
        let all = tree.nodes.iter();
        places.extend(all.map(|node| node.place_in_arc().unwrap_or(0.0)));
    }
}

pub(crate) fn take_pose(tree: &mut Tree, swings: &[f32]) {
    tree.take_pose(swings.iter().map(|&swing| f64::from(swing)));
}

/// Remembers where the joints and tips are.
pub(crate) fn remember_points(tree: &Tree, points: &mut Vec<DVec2>) {
    points.clear();
    points.extend(tree.points());
}

/// How far a joint or tip is at most from the `points` that were remembered.
pub(crate) fn farthest_from(tree: &Tree, points: &[DVec2]) -> f64 {
    let pairs = tree.points().zip(points);
    let moved = pairs.map(|(now, before)| now.distance_squared(*before));
    moved.fold(0.0, f64::max).sqrt()
}
