//! Descents from several poses, for trees and for obstacles.
//!
//! One descent of [`crate::least_squares`] nearly always arrives. Where it ends in a fold, or
//! with a bone on the wrong side of an obstacle, others start from the pose that the tree was
//! given: curled by fixed amounts, and turned at the root towards the targets. The first that
//! arrives is taken. If none does, the first is kept unless a later one is better by a clear
//! margin: poses that are about as good must not take turns from frame to frame. Targets that no
//! pose reaches thus cost all attempts, some hundred microseconds to milliseconds.
//!
//! Obstacles are met in a second stage, and only by a pose that is inside one: shapes that are
//! not in the way change nothing. Each start first descends with contacts that count little
//! beside effectors, which lets bones slide around and through. What cannot be free and at its
//! targets at once is settled in favour of freedom: the targets are given up for a descent on
//! the contacts alone, and from the pose that is free then, bones come as near to them as a
//! high penalty lets them. What cannot be free at all ends with the least sum of squared depths.
//! A tree that goes on from its last pose first tries the way round that it is on
//! ([`crate::detour`]).

use glam::DVec2;

use crate::contact;
use crate::detour;
use crate::least_squares::{Emphasis, descend};
use crate::report::Outcome;
use crate::tree::Tree;

/// Steps of one descent at most.
const MAX_STEPS: u32 = 64;

/// Steps of one that is only to show whether it would arrive.
const TRIAL_STEPS: u32 = 24;

/// Errors above this part of the span are worth more descents, whatever the tolerance.
const COARSE: f64 = 2e-5;

/// The distance, as a part of the span, that counts as none.
const PRECISION: f64 = 1e-6;

/// A later attempt is better when it leaves less than this part of what the best one leaves.
const CLEARLY: f64 = 0.8;

/// A pose is as near as can be when it leaves no more than this part of what it must.
const NEARLY: f64 = 1.02;

/// Nothing counts but effectors.
pub(crate) const BLIND: Emphasis = contacts_count(0.0);

/// How much contacts count while bones find their way around shapes: so little that the tips
/// pull bones through and out on the other side, where that is the way.
const LOOSE: Emphasis = contacts_count(0.05);

/// How much they count when attempts are compared that have not arrived.
const RANKING: Emphasis = contacts_count(4.0);

/// How much they count in the end, in steps that each start from the last one's pose.
const TIGHT: [Emphasis; 3] = [
    contacts_count(1e2),
    contacts_count(3e3),
    contacts_count(1e5),
];

/// How much they count where bones that are free come nearer to their targets.
const GUARDED: [Emphasis; 2] = [guarded(3e3), guarded(1e5)];

/// How much they count when attempts are compared that gave up their targets for freedom: one
/// that is free by a hair is better than any that is not.
const FREE_FIRST: Emphasis = contacts_count(1e9);

/// What counts when nothing matters but to be free.
const FREEDOM: Emphasis = Emphasis {
    tips: 0.0,
    ..contacts_count(1.0)
};

const fn contacts_count(contacts: f64) -> Emphasis {
    Emphasis {
        tips: 1.0,
        contacts,
        guarded: false,
    }
}

const fn guarded(contacts: f64) -> Emphasis {
    Emphasis {
        guarded: true,
        ..contacts_count(contacts)
    }
}

/// How the given pose is bent before another attempt, in radians for each joint.
#[derive(Clone, Copy)]
struct Curl {
    /// The same way everywhere.
    bend: f64,
    /// Left and right in turn.
    zigzag: f64,
    /// One way in the lower half, the other way in the upper.
    wave: f64,
    /// Every joint its own way, up to this much.
    tangle: f64,
    /// Which of many tangles.
    number: u32,
}

impl Curl {
    /// What the curl adds to joint `index`, carried by `depth` others where `deepest` is the
    /// largest number of them.
    fn angle(&self, index: usize, depth: u32, deepest: u32) -> f64 {
        let zigzag = if depth.is_multiple_of(2) { 1.0 } else { -1.0 };
        let wave = if 2 * depth < deepest { 1.0 } else { -1.0 };
        let joint = index as f64;
        let tangle =
            spread(GOLDEN[0] * f64::from(self.number + 1) * (1.0 + joint) + GOLDEN[1] * joint);
        self.bend + zigzag * self.zigzag + wave * self.wave + tangle * self.tangle
    }
}

/// Multiples of these, modulo 1, fill the unit square evenly.
const GOLDEN: [f64; 2] = [0.754_877_666, 0.569_840_290];

/// The fractional part of a positive number, spread over −1 to 1.
fn spread(number: f64) -> f64 {
    2.0 * number.fract() - 1.0
}

const fn curl(bend: f64, zigzag: f64, wave: f64) -> Curl {
    Curl {
        bend,
        zigzag,
        wave,
        tangle: 0.0,
        number: 0,
    }
}

/// What helps most often, in that order.
const CURLS: [Curl; 15] = [
    curl(0.0, 0.0, 0.0),
    curl(0.3, 0.0, 0.0),
    curl(-0.3, 0.0, 0.0),
    curl(0.0, 0.0, 0.4),
    curl(0.0, 0.0, -0.4),
    curl(0.9, 0.0, 0.0),
    curl(-0.9, 0.0, 0.0),
    curl(0.0, 0.8, 0.0),
    curl(0.0, -0.8, 0.0),
    curl(0.0, 0.0, 0.9),
    curl(0.0, 0.0, -0.9),
    curl(0.15, 0.0, 0.6),
    curl(-0.15, 0.0, -0.6),
    curl(1.8, 0.0, 0.0),
    curl(-1.8, 0.0, 0.0),
];

/// How many more are tried where nothing is in the way.
const MORE: u32 = 32;

/// How many more are tried for a way around obstacles.
const MORE_AROUND: u32 = 60;

/// Curls that fill the space of all moderate ones evenly.
fn scattered(number: u32) -> Curl {
    let part = |step: f64| spread(step * f64::from(number));
    Curl {
        tangle: 2.0 * part(0.231),
        number,
        ..curl(part(GOLDEN[0]), 0.8 * part(GOLDEN[1]), 1.2 * part(0.362))
    }
}

/// [`CURLS`] and as many others.
fn starts(more: u32) -> impl Iterator<Item = Curl> {
    CURLS.into_iter().chain((0..more).map(scattered))
}

/// Brings the effectors of `tree` to their targets from its present pose, past its obstacles.
/// `tolerance` is the distance that counts as reached, in chain units.
pub fn finish(tree: &mut Tree, tolerance: f32) -> Outcome {
    let tolerance = f64::from(tolerance).max(PRECISION * tree.span);
    let mut steps = reach(tree, tolerance.min(COARSE * tree.span));
    if !tree.cores.is_empty() {
        steps += leave(tree, tolerance as f32);
    }
    Outcome::at(tree.distance(), tolerance as f32, steps)
}

/// The first stage: as if there were no obstacles. Returns the number of steps.
fn reach(tree: &mut Tree, tolerance: f64) -> u32 {
    let goal = |tree: &Tree| tree.error() <= tolerance;
    let mut steps = descend(tree, BLIND, MAX_STEPS);
    if !goal(tree) && !tree.is_out_of_reach() {
        let trial = |tree: &mut Tree| descend(tree, BLIND, TRIAL_STEPS);
        steps += retry(tree, BLIND, starts(MORE), goal, trial);
        steps += descend(tree, BLIND, MAX_STEPS);
    }
    steps
}

/// The second stage: takes a pose that is as near to its targets as it can be out of the
/// obstacles. Returns the number of steps, 0 if the pose was free and was left as it is.
pub(crate) fn leave(tree: &mut Tree, tolerance: f32) -> u32 {
    let tolerance = f64::from(tolerance)
        .min(COARSE * tree.span)
        .max(PRECISION * tree.span);
    settle_contacts(tree);
    if is_free(tree) {
        return 0;
    }
    // No pose that minds obstacles is much nearer than one that does not.
    let nearest = tree.error().max(contact::deepest_target(tree));
    let is_reachable = nearest <= tolerance;
    let enough = if is_reachable {
        tolerance
    } else {
        NEARLY * nearest + COARSE * tree.span
    };
    let arrived = |tree: &Tree| is_free(tree) && tree.error() <= enough;
    let mut steps = 0;
    if tree.goes_on {
        steps += go_on(tree, arrived);
        if arrived(tree) {
            return steps;
        }
    }
    steps += descend(tree, LOOSE, MAX_STEPS);
    if is_reachable && !arrived(tree) {
        let trial = |tree: &mut Tree| descend(tree, LOOSE, TRIAL_STEPS);
        steps += retry(tree, RANKING, starts(MORE_AROUND), arrived, trial);
    }
    steps += tighten(tree);
    if !arrived(tree) {
        steps += come_near(tree, arrived);
    }
    steps
}

/// Goes on from the given pose, on the same side of all shapes. If that has not `arrived`, the
/// present pose is left as it is. Returns the number of steps.
fn go_on(tree: &mut Tree, arrived: impl Fn(&Tree) -> bool) -> u32 {
    let mut present = std::mem::take(&mut tree.scratch.best);
    keep(tree, &mut present);
    let strides = detour::follow(tree);
    let steps = approach_guarded(tree);
    if !arrived(tree) {
        take_up(tree, &present);
    }
    tree.scratch.best = present;
    strides + steps
}

/// Comes as near to the targets as bones that are free stay free. Returns the number of steps.
fn approach_guarded(tree: &mut Tree) -> u32 {
    let ends = GUARDED.map(|emphasis| descend(tree, emphasis, 2 * MAX_STEPS));
    ends.iter().sum()
}

/// Gives the targets up to be free, and comes as near to them as that lets the bones. Returns
/// the number of steps.
fn come_near(tree: &mut Tree, arrived: impl Fn(&Tree) -> bool) -> u32 {
    let trial = |tree: &mut Tree| {
        descend(tree, FREEDOM, TRIAL_STEPS) + descend(tree, GUARDED[0], TRIAL_STEPS)
    };
    let steps = retry(tree, FREE_FIRST, starts(0), arrived, trial);
    steps + approach_guarded(tree)
}

/// Settles what is left in favour of freedom. Returns the number of steps.
fn tighten(tree: &mut Tree) -> u32 {
    let mut steps = 0;
    for emphasis in TIGHT {
        if is_free(tree) {
            break;
        }
        steps += descend(tree, emphasis, MAX_STEPS);
    }
    steps
}

/// Whether no bone is inside a shape.
fn is_free(tree: &Tree) -> bool {
    contact::deepest(&tree.scratch.contacts) == 0.0
}

/// Lists the contacts of the present pose.
fn settle_contacts(tree: &mut Tree) {
    let mut contacts = std::mem::take(&mut tree.scratch.contacts);
    contact::gather(tree, &mut contacts);
    tree.scratch.contacts = contacts;
}

/// Runs `trial` from the poses that `starts` give until one has `arrived`; if none has, keeps the
/// best one by `emphasis`, the present one among them. Returns the number of steps.
fn retry(
    tree: &mut Tree,
    emphasis: Emphasis,
    starts: impl Iterator<Item = Curl>,
    arrived: impl Fn(&Tree) -> bool,
    trial: impl Fn(&mut Tree) -> u32,
) -> u32 {
    let mut best = std::mem::take(&mut tree.scratch.best);
    keep(tree, &mut best);
    let mut least = what_is_left(tree, emphasis);
    let mut steps = 0;
    for curl in starts {
        restart(tree, curl);
        steps += trial(tree);
        let left = what_is_left(tree, emphasis);
        let done = arrived(tree);
        if done || left < CLEARLY * least {
            keep(tree, &mut best);
            least = left;
        }
        if done {
            break;
        }
    }
    take_up(tree, &best);
    tree.scratch.best = best;
    steps
}

/// Takes up a remembered pose.
fn take_up(tree: &mut Tree, swings: &[f64]) {
    for (node, &swing) in tree.nodes.iter_mut().zip(swings) {
        node.swing = swing;
    }
    tree.place();
    settle_contacts(tree);
}

/// By what attempts are compared: distances and the deepest penetration.
fn what_is_left(tree: &Tree, emphasis: Emphasis) -> f64 {
    let depth = contact::deepest(&tree.scratch.contacts);
    tree.weighted_error() + emphasis.contacts * depth * depth
}

/// Remembers the present pose.
fn keep(tree: &Tree, swings: &mut Vec<f64>) {
    swings.clear();
    swings.extend(tree.nodes.iter().map(|node| node.swing));
}

/// Bends the given pose by `curl`, the way that it bends already, and turns the root so that
/// the tips lie where the targets are.
fn restart(tree: &mut Tree, curl: Curl) {
    for node in &mut tree.nodes {
        node.swing = node.bounded(0.0);
    }
    tree.place();
    let sense = sense(tree);
    let deepest = tree.nodes.iter().map(|node| node.depth).fold(0, u32::max);
    for (index, node) in tree.nodes.iter_mut().enumerate() {
        let angle = curl.angle(index, node.depth, deepest);
        let side = sense * 1.0_f64.copysign(node.basis.determinant());
        node.swing = node.bounded(node.mobility * side * angle);
    }
    tree.place();
    turn_towards_targets(tree);
}

/// Turns the root so that the tips fit their targets best.
fn turn_towards_targets(tree: &mut Tree) {
    let terms = tree.tips.iter().map(|tip| {
        let (from, to) = (tip.point, tip.target);
        tip.weight * DVec2::new(from.dot(to), from.perp_dot(to))
    });
    let fit: DVec2 = terms.sum();
    let root = &mut tree.nodes[0];
    if fit != DVec2::ZERO {
        root.swing = root.bounded(root.swing + root.mobility * fit.to_angle());
        tree.place();
    }
}

/// Which way the present pose bends: 1 for positive angles from piece to piece, or none at
/// all, and −1 for negative ones.
fn sense(tree: &Tree) -> f64 {
    let mut bend = 0.0;
    for link in &tree.links {
        let Some(above) = tree.nodes[link.joint].parent else {
            continue;
        };
        let [joint, end] = tree.ends(link);
        bend += (joint - tree.nodes[above].point).perp_dot(end - joint);
    }
    if bend < 0.0 { -1.0 } else { 1.0 }
}
