//! By which route a limb goes to a pose on another branch: the quickest of those that are tried out.
//!
//! All times are those at usual speeds. Where limbs go over more slowly, they are longer by the same factor.

use crate::descent::memory::{Memory, Order};
use crate::descent::step::Workspace;
use crate::descent::transition::measure::take_pose;
use crate::descent::transition::step::advance;
use crate::kinematics::contact;
use crate::kinematics::tree::Tree;
use crate::math::angle::wound_like;

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

/// How far a curled limb is bent in all, in radians from its root to its tip: most of a full turn,
/// which brings the tip near the root. With more, the tip would whirl.
const CURL: f64 = 5.2;

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
/// writes it into `memory`. Returns how many seconds it takes at full, usual speed. Leaves `tree` in any pose.
pub(in crate::descent) fn choose_route(
    tree: &mut Tree,
    workspace: &mut Workspace,
    memory: &mut Memory,
) -> f64 {
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
        let slowness = self.workspace.pursuit.speeds.slowness();
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
                let time = TRIAL_STEP * slowness;
                let step = advance(self.tree, self.workspace, goal, order, time, likely);
                likely = step.part;
                trial.seconds += TRIAL_STEP * step.used;
                trial.is_clear &= self.is_clear();
                if step.has_arrived {
                    break;
                }
                if trial.seconds + step.least_left / slowness > longest {
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
