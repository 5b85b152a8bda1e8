//! The poses that a descent is started from, when the first descent did not arrive.
//!
//! A descent may end in a pose that is only nearest among its neighbours: in a fold, curled up
//! against its limits, or with a bone on the wrong side of a shape. Then it is started again from
//! other poses, in a fixed order: the base pose, curled by fixed amounts; then poses at fixed
//! parts of the joints' intervals; then poses that fill the space of both evenly. Each is turned
//! at the root towards the targets first.
//!
//! Source: the sequences are those of M. Roberts, *The Unreasonable Effectiveness of Quasirandom
//! Sequences* (2018).

use glam::DVec2;

use crate::kinematics::tree::Tree;
use crate::math::trigonometry::angle_of;

/// The number of starts.
pub(super) const STARTS: u32 = (CURLS.len() + PARTS.len()) as u32 + SCATTERED;

/// The number of scattered starts.
const SCATTERED: u32 = 44;

/// A bend of the base pose, in radians for each joint.
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
    /// The number of the tangle among many.
    number: u32,
}

impl Curl {
    /// Returns the angle, in radians, that the curl adds to joint `index`, which is `depth` joints below the root. The
    /// joint that is farthest from the root is `deepest` joints below it.
    fn angle(&self, index: usize, depth: u32, deepest: u32) -> f64 {
        let zigzag = if depth.is_multiple_of(2) { 1.0 } else { -1.0 };
        let wave = if 2 * depth < deepest { 1.0 } else { -1.0 };
        let joint = index as f64;
        let tangle =
            spread(PLASTIC[0] * f64::from(self.number + 1) * (1.0 + joint) + PLASTIC[1] * joint);
        self.bend + zigzag * self.zigzag + wave * self.wave + tangle * self.tangle
    }
}

/// Powers of the inverse of the plastic number, root of x³ = x + 1. Multiples of these, modulo 1,
/// fill the unit cube evenly.
const PLASTIC: [f64; 3] = [0.754_877_666, 0.569_840_290, 0.430_159_709];

/// Multiples of the inverse of the golden ratio, modulo 1, fill the unit interval evenly.
const GOLDEN: f64 = 0.618_033_988;

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

/// The curls that help most often, in that order.
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

/// Parts of the joints' intervals, 0 for the lower and 1 for the upper bound.
const PARTS: [f64; 5] = [0.5, 0.2, 0.8, 0.0, 1.0];

/// The curl with the number `number` of those that fill the space of all moderate ones evenly.
fn scattered(number: u32) -> Curl {
    let part = |step: f64| spread(step * f64::from(number));
    Curl {
        tangle: 2.0 * part(0.231),
        number,
        ..curl(part(PLASTIC[0]), 0.8 * part(PLASTIC[1]), 1.2 * part(0.362))
    }
}

/// Puts `tree` into start number `number`, of [`STARTS`].
pub(crate) fn start(tree: &mut Tree, number: u32) {
    tree.take_base_pose();
    let index = number as usize;
    if let Some(&curl) = CURLS.get(index) {
        curl_up(tree, curl);
    } else if let Some(&part) = PARTS.get(index - CURLS.len()) {
        // Of a limb that bends the other way, it is the other part.
        let sense = tree.sense();
        spread_out(tree, |_, side| match sense * side < 0.0 {
            true => 1.0 - part,
            false => part,
        });
    } else {
        let number = number - (CURLS.len() + PARTS.len()) as u32;
        if number.is_multiple_of(2) && !tree.is_unbounded {
            let number = f64::from(number / 2 + 1);
            spread_out(tree, |joint, _| {
                // Without the shift, every third joint would do the same in every start.
                let shift = (joint / 3) as f64 * GOLDEN;
                (number * PLASTIC[joint % 3] + shift).fract()
            });
        } else {
            curl_up(tree, scattered(number));
        }
    }
    turn_towards_targets(tree);
}

/// Bends the base pose by `curl`, the way that it bends already.
fn curl_up(tree: &mut Tree, curl: Curl) {
    let sense = tree.sense();
    let deepest = tree.nodes.iter().map(|node| node.depth).fold(0, u32::max);
    for (index, node) in tree.nodes.iter_mut().enumerate() {
        let angle = curl.angle(index, node.depth, deepest);
        let side = sense * 1.0_f64.copysign(node.basis.determinant());
        node.swing_to(node.mobility * side * angle);
    }
    tree.place();
}

/// Radians from the base pose that serve as the bounds of a joint without any.
const WIDE: f64 = 2.5;

/// Swings each joint to the part of its interval that `part` gives for its index, and the side on which its frame is.
fn spread_out(tree: &mut Tree, part: impl Fn(usize, f64) -> f64) {
    for (index, node) in tree.nodes.iter_mut().enumerate() {
        if node.mobility > 0.0 {
            let [lower, upper] = node.interval().unwrap_or([-WIDE, WIDE]);
            let side = 1.0_f64.copysign(node.basis.determinant());
            node.swing_to(lower + part(index, side) * (upper - lower));
        }
    }
    tree.place();
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
        root.swing_to(root.swing + root.mobility * angle_of(fit));
        tree.place();
    }
}
