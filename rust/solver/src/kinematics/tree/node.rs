//! One joint of a tree: how far it has swung, within which bounds, and where it is.

use std::f64::consts::{PI, TAU};

use glam::{DMat2, DVec2};

use crate::math::rotation::Rotation;
use crate::math::trigonometry::{angle_between, small_rotation, unit_vector};

/// A joint and its present place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    pub(crate) parent: Option<usize>,
    /// How many joints carry this one.
    pub(crate) depth: u32,
    pub(super) offset: DVec2,
    pub(super) carry: DMat2,
    /// Upper bound of the distance from the root to the joint.
    pub(super) far: f64,
    /// Upper bound of the factor by which the joint's frame lengthens anything.
    pub(super) gain: f64,
    /// Length of the line of bones from the root to the joint in the base pose.
    pub(super) length: f64,
    pub(crate) base: Rotation,
    /// `base` at full precision.
    pub(super) from: DVec2,
    /// The bounds of the swing, in the present frame.
    pub(crate) lower: f64,
    pub(crate) upper: f64,
    /// The bounds of the swing that hold in any frame.
    pub(super) room: [f64; 2],
    /// The middle of the arc of directions that the X axis keeps to, and half its width in
    /// radians.
    pub(super) arc: Option<(DVec2, f64)>,
    /// 1 − stiffness.
    pub(crate) mobility: f64,
    /// How far the joint turns for a unit of torque: mobility divided by cost.
    pub(crate) compliance: f64,
    /// The summed weights of all effectors that the joint carries.
    pub(crate) weight: f64,
    /// Radians that the joint has turned from the base pose.
    pub(crate) swing: f64,
    /// `from`, rotated by `swing`.
    pub(super) direction: DVec2,
    /// Where the joint is.
    pub(crate) point: DVec2,
    /// `B`: the frame that the joint turns in.
    pub(crate) basis: DMat2,
    /// `B R`: the frame that turns with the joint.
    pub(crate) frame: DMat2,
    /// `B ⟂ B⁻¹`: makes of a vector from the joint to a point that it carries the velocity of
    /// that point per radian.
    pub(crate) spin: DMat2,
}

impl Node {
    /// `swing`, clamped to the bounds. The bounds of an arc are applied by `Tree::place`: they
    /// are not known before the joint's frame is.
    pub(crate) fn bounded(&self, swing: f64) -> f64 {
        if self.arc.is_some() {
            return swing;
        }
        clamp(swing, [self.lower, self.upper])
    }

    /// Whether the swing has bounds in any frame.
    pub(crate) fn interval(&self) -> Option<[f64; 2]> {
        let [lower, upper] = self.room;
        (upper - lower < TAU).then_some(self.room)
    }

    /// Swings the joint to `swing`, clamped to its bounds. `Tree::place` makes it effective.
    pub(crate) fn swing_to(&mut self, swing: f64) {
        let swing = self.bounded(swing);
        if swing != self.swing {
            self.swing = swing;
            self.direction = self.from.rotate(unit_vector(swing));
        }
    }

    /// Swings the joint by `step`, clamped to its bounds. `Tree::place` makes it effective.
    pub(crate) fn swing_by(&mut self, step: f64) {
        let swing = self.bounded(self.swing + step);
        let step = swing - self.swing;
        match small_rotation(step) {
            Some(rotation) => {
                self.swing = swing;
                let turned = self.direction.rotate(rotation);
                self.direction = turned * (1.5 - 0.5 * turned.length_squared());
            }
            None => self.swing_to(swing),
        }
    }

    /// Whether the joint keeps to an arc, so that its bounds change with its frame.
    pub(crate) fn has_arc(&self) -> bool {
        self.arc.is_some()
    }

    /// Whether the arc is a single direction.
    pub(crate) fn is_headed(&self) -> bool {
        self.arc.is_some_and(|(_, half)| half == 0.0)
    }

    /// Whether `bound`, one of the present two, changes with the joint's frame.
    pub(crate) fn follows(&self, bound: f64) -> bool {
        self.has_arc() && self.room[0] < bound && bound < self.room[1]
    }

    /// How fast the joint must turn for its X axis to keep its direction while `above`, a joint
    /// that carries it, turns: radians per radian.
    pub(crate) fn tie_to(&self, above: &Self) -> f64 {
        let heading = self.frame.x_axis;
        let [moved, own] = [above, self].map(|joint| heading.perp_dot(joint.spin * heading));
        -moved / own
    }

    /// Finds the bounds of the swing in the present frame, and clamps it to them.
    pub(super) fn keep_to_arc(&mut self) {
        let Some((middle, half)) = self.arc else {
            return;
        };
        let heading = self.basis * self.direction;
        let angle = angle_between(middle, heading);
        let ends = [-half - angle, half - angle].map(|room| self.seen_from_inside(heading, room));
        let mut ends = ends.map(|end| self.swing + end);
        if let Some([lower, upper]) = self.interval() {
            // A direction that the bounds exclude leaves the joint at the nearer one.
            let middle = 0.5 * (lower + upper);
            let turns = ((ends[0] + ends[1] - 2.0 * middle) / (2.0 * TAU)).round();
            ends = ends.map(|end| end - turns * TAU);
        }
        self.lower = clamp(ends[0].min(ends[1]), self.room);
        self.upper = clamp(ends[0].max(ends[1]), self.room);
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

    /// The present rotation in the joint's frame as a unit vector.
    pub(crate) fn direction(&self) -> DVec2 {
        self.direction
    }

    /// How fast a point that the joint carries moves when the joint turns, per radian.
    pub(crate) fn velocity(&self, point: DVec2) -> DVec2 {
        self.spin * (point - self.point)
    }
}

/// `value`, clamped. Unlike [`f64::clamp`] it does not panic where a bound is not a number.
pub(super) fn clamp(value: f64, [lower, upper]: [f64; 2]) -> f64 {
    value.max(lower).min(upper)
}
