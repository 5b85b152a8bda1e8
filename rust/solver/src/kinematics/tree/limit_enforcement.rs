//! Where a joint of a tree is kept within its joint limit.
//!
//! Every swing of a joint is clamped to its bounds when it is set. The bounds of a joint that keeps
//! to an arc of directions are known once its frame is: they are found and applied when the tree is
//! placed. A [step](crate::descent::step) plans within the bounds, in its `active_set.rs`.

use std::f64::consts::{PI, TAU};

use glam::DVec2;

use crate::kinematics::tree::Tree;
use crate::kinematics::tree::node::Node;
use crate::math::trigonometry::{angle_between, unit_vector};

/// A joint is kept from its heading if it is farther from that, in radians.
const AT_HEADING: f64 = 1e-5;

impl Node {
    /// `swing`, clamped to the bounds. The bounds of an arc are applied by `Tree::place`: they
    /// are not known before the joint's frame is.
    pub(super) fn clamp_to_bounds(&self, swing: f64) -> f64 {
        if self.arc.is_some() {
            return swing;
        }
        clamp(swing, [self.lower, self.upper])
    }

    /// Returns the bounds of the swing that hold in any frame, in radians. `None` if there are none.
    pub(crate) fn interval(&self) -> Option<[f64; 2]> {
        let [lower, upper] = self.room;
        (upper - lower < TAU).then_some(self.room)
    }

    /// Returns `true` if the joint keeps to an arc, so that its bounds change with its frame.
    pub(crate) fn has_arc(&self) -> bool {
        self.arc.is_some()
    }

    /// Returns the place of the joint in its present arc, in radians from the lower end. `None` if it keeps to no arc,
    /// or has bounds besides, which say by which way it turns.
    pub(crate) fn place_in_arc(&self) -> Option<f64> {
        let has_arc_alone = self.has_arc() && self.interval().is_none();
        has_arc_alone.then_some(self.swing - self.lower)
    }

    /// Returns `true` if the arc is a single direction.
    pub(crate) fn is_headed(&self) -> bool {
        self.arc.is_some_and(|(_, half)| half == 0.0)
    }

    /// Returns `true` if `bound`, one of the present two, changes with the joint's frame.
    pub(crate) fn follows(&self, bound: f64) -> bool {
        self.has_arc() && self.held[0] < bound && bound < self.held[1]
    }

    /// Returns `true` if the arc is a single direction, and bounds may keep the joint from it.
    fn is_headed_within(&self) -> bool {
        self.is_headed() && self.interval().is_some()
    }

    /// Returns the angle to the arc from where the joint is.
    fn off_arc(&self) -> f64 {
        self.arc.map_or(0.0, |(middle, _)| {
            angle_between(middle, self.basis * self.direction)
        })
    }

    /// Returns the rate at which the joint must turn for its X axis to keep its direction while `above`, a joint that
    /// carries it, turns, in radians per radian.
    pub(crate) fn tie_to(&self, above: &Self) -> f64 {
        let heading = self.frame.x_axis;
        let [moved, own] = [above, self].map(|joint| heading.perp_dot(joint.spin * heading));
        -moved / own
    }

    /// Finds the bounds of the swing in the present frame, and clamps it to them.
    pub(super) fn enforce_arc(&mut self) {
        let Some((middle, half)) = self.arc else {
            return;
        };
        let heading = self.basis * self.direction;
        let angle = angle_between(middle, heading);
        let ends = [-half - angle, half - angle].map(|room| self.seen_from_inside(heading, room));
        let mut ends = ends.map(|end| self.swing + end);
        if let Some([lower, upper]) = self.interval() {
            // A direction that the bounds exclude leaves the joint at the nearer one, of two that are about as near at the
            // one where it is.
            let middle = 0.5 * (lower + upper);
            let unwound = |ends: [f64; 2], about: f64| {
                let turns = ((ends[0] + ends[1] - 2.0 * about) / (2.0 * TAU)).round();
                ends.map(|end| end - turns * TAU)
            };
            ends = unwound(ends, middle);
            if ends[0] > upper || ends[1] < lower {
                let [lower, upper] = self.held;
                ends = unwound(ends, 0.5 * (middle + 0.5 * (lower + upper)));
            }
        }
        self.lower = clamp(ends[0].min(ends[1]), self.held);
        self.upper = clamp(ends[0].max(ends[1]), self.held);
        let swing = clamp(self.swing, [self.lower, self.upper]);
        if swing != self.swing {
            self.swing = swing;
            self.direction = self.from.rotate(unit_vector(swing));
        }
    }

    /// The angle, in the joint's frame, from a direction to the one that is `angle` further,
    /// where both are given in chain space.
    fn seen_from_inside(&self, direction: DVec2, angle: f64) -> f64 {
        let area = self.basis.determinant();
        let inside = |outside: DVec2| self.basis.inverse() * outside;
        // Every frame leaves half turns what they are, except for their sense.
        let half_turns = (angle / PI).round();
        let end = unit_vector(angle - half_turns * PI).rotate(direction);
        let (from, to) = (inside(direction), inside(end));
        (half_turns * PI).copysign(half_turns * area) + angle_between(from, to)
    }
}

impl Tree {
    /// Lets each joint turn by `most` radians at most from where it is now, within its own bounds.
    /// A joint that keeps to an arc of directions has only that.
    pub(crate) fn narrow(&mut self, most: f64) {
        for node in &mut self.nodes {
            node.lower = node.lower.max(node.swing - most);
            node.upper = node.upper.min(node.swing + most);
        }
        (self.has_limits, self.is_unbounded) = (true, false);
    }

    /// Lets joints whose bounds kept them from their headings turn by `most` radians at most from where they were `shown`:
    /// the end that is nearer to a heading may be the other one from one pass to the next.
    pub(crate) fn hold_headed(&mut self, shown: &[f32], most: f64) {
        let headed = self.nodes.iter_mut().filter(|node| node.is_headed_within());
        for (&shown, node) in shown.iter().zip(headed) {
            let reach = [-most, most].map(|way| f64::from(shown) + way);
            node.held = reach.map(|end| clamp(end, node.room));
        }
    }

    /// Lists the swings of the joints that have both a heading and bounds, if one is kept from its heading. Returns whether
    /// those are others than were `shown` before.
    pub(crate) fn list_headed(&self, shown: &mut Vec<f32>) -> bool {
        if !self.has_limits {
            shown.clear();
            return false;
        }
        let headed = || self.nodes.iter().filter(|node| node.is_headed_within());
        let swings = || headed().map(|node| node.swing as f32);
        let is_kept = headed().any(|node| node.off_arc().abs() > AT_HEADING);
        let is_other = !swings().eq(shown.iter().copied());
        shown.clear();
        shown.reserve(headed().count());
        shown.extend(swings().filter(|_| is_kept));
        is_kept && is_other
    }

    /// Takes back what [`narrow`](Self::narrow) has done.
    pub(crate) fn widen(&mut self) {
        for node in &mut self.nodes {
            [node.lower, node.upper] = node.room;
        }
    }
}

/// `value`, clamped. Unlike [`f64::clamp`] it does not panic where a bound is not a number.
pub(super) fn clamp(value: f64, [lower, upper]: [f64; 2]) -> f64 {
    value.max(lower).min(upper)
}
