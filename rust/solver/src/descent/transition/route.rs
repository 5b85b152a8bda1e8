//! By which route a limb goes to a pose on another branch: the quickest of those that are tried out.
//!
//! All times are those at usual speeds. Where limbs go over more slowly, they are longer by the same factor.

use crate::descent::memory::{Memory, Order};
use crate::descent::step::SolveSpace;
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

/// The angle by which a curled limb is bent in all, in radians from its root to its tip: most of a full turn, which
/// brings the tip near the root. With more, the tip would whirl.
const CURL: f64 = 5.2;

/// In which order joints turn, and how the limb curls up on the way. Either way is tried, or a mirrored limb would not be
/// the mirror image.
type Route = (Order, f64);

const ROUTES: [Route; 7] = [
    (Order::Together, 0.0),
    (Order::FromTip, 0.0),
    (Order::FromRoot, 0.0),
    (Order::FromRoot, CURL),
    (Order::FromRoot, -CURL),
    (Order::FromTip, CURL),
    (Order::FromTip, -CURL),
];

/// The outcome of a route that was tried out.
#[derive(Clone, Copy, Debug)]
struct Trial {
    seconds: f64,
    /// `true` if it brings no bone deeper into a shape than its ends are.
    is_clear: bool,
}

impl Trial {
    /// The seconds that it takes, and more if it does not go around soon.
    fn cost(self) -> f64 {
        match self.is_clear && self.seconds <= SOON {
            true => self.seconds,
            false => self.seconds + SOON,
        }
    }
}

/// Chooses the route from the pose that `memory` shows to its destination, by trying them out, and
/// writes it into `memory`. Returns how many seconds it takes at full, usual speed. Leaves `tree` in any pose.
pub(in crate::descent) fn choose_route(
    tree: &mut Tree,
    workspace: &mut SolveSpace,
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
    // If every trial is given up.
    let mut best = Trial {
        seconds: LONGEST_TRIAL,
        is_clear: false,
    };
    let mut chosen = ROUTES[0];
    for route in ROUTES {
        if best.cost() <= BRIEF && route.1 >= 0.0 {
            break;
        }
        let is_mirrored = chosen == (route.0, -route.1);
        let most = if is_mirrored { 1.0 } else { CLEARLY_QUICKER } * best.cost();
        journey.curl_up(route.1, waypoint);
        let trial = journey.try_out(route.0, waypoint, most.min(LONGEST_TRIAL));
        if let Some(trial) = trial.filter(|trial| trial.cost() < most) {
            (chosen, best) = (route, trial);
        }
    }
    journey.curl_up(chosen.1, waypoint);
    *order = chosen.0;
    best.seconds
}

/// Returns the depth of the deepest bone inside a shape in the pose `swings`, in chain units.
fn depth(tree: &mut Tree, workspace: &mut SolveSpace, swings: &[f32]) -> f64 {
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
    workspace: &'a mut SolveSpace,
    shown: &'a [f32],
    destination: &'a [f32],
    /// The depth to which a bone may be inside a shape on the way, in chain units.
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
