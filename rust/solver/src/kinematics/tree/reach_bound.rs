//! How near the tip of a chain with limits can come to its target: a bound from below.
//!
//! A limb that cannot reach its target looks for another branch, and most often there is none. This says so
//! for the price of a few steps, where each start costs dozens.
//!
//! The places that the tip can be in, seen from a joint, lie within a **sector** of a ring: between two
//! distances and two directions. The tip itself is a sector of no size, seen from the last joint. The joint's
//! limit widens the directions. Seen from the joint above, the sector is moved by the piece between the two,
//! and a sector around that is taken. At the root, the distance from the target to the sector is the bound.
//! No pose within the limits is nearer, whatever the bends of the joints have to do with each other.
//!
//! Only for a line of joints whose bones keep their lengths in every pose.

use std::f64::consts::{PI, TAU};

use glam::DVec2;

use crate::kinematics::tree::Tree;
use crate::kinematics::tree::node::Node;
use crate::math::trigonometry::{angle_of, unit_vector};

/// The distance that rounding may add to the bound, as a part of the span.
const ROUNDING: f64 = 1e-9;

/// A part of a ring around the origin.
#[derive(Clone, Copy, Debug)]
struct Sector {
    /// The distances from the origin.
    near: f64,
    far: f64,
    /// The directions in radians, the second no less than the first. A whole turn apart or more: all.
    from: f64,
    to: f64,
}

impl Tree {
    /// A distance that is no greater than that of the tip to its target in any pose within the limits; 0 for
    /// trees, and for bones that stretch others.
    pub(crate) fn least_distance(&self) -> f64 {
        let [tip] = &self.tips[..] else { return 0.0 };
        if !self.is_rigid || tip.joint + 1 != self.len() {
            return 0.0;
        }
        let mut sector = Sector::point(tip.position);
        for (index, node) in self.nodes.iter().enumerate().rev() {
            sector.turn(node.bounds_of_direction());
            match node.parent {
                None => {}
                Some(parent) if parent + 1 == index => {
                    sector.carry(node.carry.x_axis, node.carry.determinant());
                    sector.shift(node.offset);
                }
                Some(_) => return 0.0,
            }
        }
        (sector.distance_to(tip.target) - ROUNDING * self.span).max(0.0)
    }
}

impl Sector {
    /// One place.
    fn point(place: DVec2) -> Self {
        let (distance, direction) = (place.length(), angle_of(place));
        Self {
            near: distance,
            far: distance,
            from: direction,
            to: direction,
        }
    }

    fn has_all_directions(&self) -> bool {
        let width = self.to - self.from;
        width.is_nan() || width >= TAU
    }

    /// Turned by any of the angles between two.
    fn turn(&mut self, [least, most]: [f64; 2]) {
        self.from += least;
        self.to += most;
    }

    /// Seen from outside of a frame that keeps shapes, with its X axis and its area.
    fn carry(&mut self, x_axis: DVec2, area: f64) {
        let scale = x_axis.length();
        let turn = angle_of(x_axis);
        (self.near, self.far) = (scale * self.near, scale * self.far);
        if area < 0.0 {
            (self.from, self.to) = (-self.to, -self.from);
        }
        self.turn([turn, turn]);
    }

    /// The sector around this one, moved by `offset`.
    fn shift(&mut self, offset: DVec2) {
        let length = offset.length();
        if length == 0.0 {
            return;
        }
        let along = angle_of(offset);
        self.turn([-along, -along]);
        let turns = (0.5 * (self.from + self.to) / TAU).round() * TAU;
        self.turn([-turns, -turns]);
        *self = self.moved_along_x(length);
        self.turn([along, along]);
    }

    /// The sector around this one, moved along the X axis by `length`. The middle of its directions is
    /// within half a turn.
    fn moved_along_x(&self, length: f64) -> Self {
        let is_all = self.has_all_directions();
        let ends = match is_all {
            true => [DVec2::NEG_X; 2],
            false => [self.from, self.to].map(unit_vector),
        };
        let is_ahead = is_all || self.from <= 0.0 && self.to >= 0.0;
        let is_behind = is_all || self.from <= -PI || self.to >= PI;
        let [near, far] = self.distances_along_x(
            length,
            match is_behind {
                true => -1.0,
                false => ends[0].x.min(ends[1].x),
            },
            match is_ahead {
                true => 1.0,
                false => ends[0].x.max(ends[1].x),
            },
        );
        let [from, to] = match is_behind {
            true if self.far >= length => [-PI, PI],
            true => [-self.tangent(length), self.tangent(length)],
            false => {
                let mirrored = ends.map(|end| DVec2::new(end.x, -end.y));
                let [start, end] = ends;
                [
                    -self.steepest(length, [mirrored[1], mirrored[0]], -self.from),
                    self.steepest(length, [start, end], self.to),
                ]
            }
        };
        Self {
            near,
            far,
            from,
            to,
        }
    }

    /// The least and the greatest distance from the origin, moved along the X axis by `length`, of places
    /// in directions whose cosines are between these.
    fn distances_along_x(&self, length: f64, most_folded: f64, straightest: f64) -> [f64; 2] {
        let distance = |radius: f64, cosine: f64| {
            let square = length * length + radius * (radius + 2.0 * length * cosine);
            square.max(0.0).sqrt()
        };
        let nearest = (-length * most_folded).max(self.near).min(self.far);
        let farthest = distance(self.near, straightest).max(distance(self.far, straightest));
        [distance(nearest, most_folded), farthest]
    }

    /// The greatest angle from the X axis to a place, moved along that axis by `length`. The directions
    /// from `start` to `end`, which is `to` radians from the axis, do not contain that back.
    fn steepest(&self, length: f64, [start, end]: [DVec2; 2], to: f64) -> f64 {
        let seen = |radius: f64, direction: DVec2| angle_of(DVec2::X * length + radius * direction);
        if to <= 0.0 {
            return seen(self.near, start).max(seen(self.near, end));
        }
        match self.far < -length * end.x {
            true => self.tangent(length),
            false => seen(self.far, end),
        }
    }

    /// The greatest angle from the X axis to any place of the ring, moved along that axis by `length`,
    /// which is more than its radius.
    fn tangent(&self, length: f64) -> f64 {
        libm::asin((self.far / length).min(1.0))
    }

    /// Returns the distance from a place to the sector: 0 inside.
    fn distance_to(&self, place: DVec2) -> f64 {
        let distance = place.length();
        let middle = 0.5 * (self.from + self.to);
        let off = angle_of(place) - middle;
        let off = (off - (off / TAU).round() * TAU).abs() - 0.5 * (self.to - self.from);
        if self.has_all_directions() || off <= 0.0 {
            return (self.near - distance).max(distance - self.far).max(0.0);
        }
        let seen = distance * unit_vector(off);
        seen.distance(DVec2::new(seen.x.max(self.near).min(self.far), 0.0))
    }
}

impl Node {
    /// The least and the greatest angle of the joint's direction in its frame.
    fn bounds_of_direction(&self) -> [f64; 2] {
        let own = angle_of(self.from);
        match self.interval() {
            Some(interval) => interval.map(|swing| own + swing),
            None => [f64::NEG_INFINITY, f64::INFINITY],
        }
    }
}

#[cfg(test)]
mod tests {
    use std::f32::consts::PI;

    use glam::{Mat2, Vec2};
    use rand::rngs::Xoshiro256PlusPlus;
    use rand::{RngExt, SeedableRng};

    use crate::kinematics::limit_enforcement::DirectionArc;
    use crate::kinematics::tree::{EffectorInput, JointInput, Tree};
    use crate::math::rotation::Rotation;
    use crate::skeleton::limit::Limit;

    /// A line of joints, some of which mirror or scale those below.
    fn chain(joints: usize, target: Vec2, rng: &mut Xoshiro256PlusPlus) -> Tree {
        let mut tree = Tree::default();
        for index in 0..joints {
            let scale = rng.random_range(0.5..2.0);
            let side = if rng.random_bool(0.5) { 1.0 } else { -1.0 };
            let base = Rotation::from_angle(rng.random_range(-PI..PI));
            let rest = rng.random_range(-PI..PI);
            let [one, other]: [f32; 2] = [0; 2].map(|_| rng.random_range(-3.0..3.0));
            let limit = Limit::around(rest, one.min(other), one.max(other));
            let is_free = rng.random_bool(0.2);
            let turn = Mat2::from_angle(rng.random_range(-PI..PI));
            tree.push(JointInput {
                parent: index.checked_sub(1),
                offset: place(rng),
                carry: turn * Mat2::from_diagonal(Vec2::new(scale, side * scale)),
                base,
                bound: DirectionArc::new(&limit, base, Mat2::IDENTITY).filter(|_| !is_free),
                cost: 1.0,
            });
        }
        tree.push_effector(EffectorInput {
            joint: joints - 1,
            position: place(rng),
            is_elastic: false,
            target,
            weight: 1.0,
        });
        tree.prepare().expect("a sound tree");
        tree
    }

    fn place(rng: &mut Xoshiro256PlusPlus) -> Vec2 {
        Vec2::from_angle(rng.random_range(-PI..PI)) * rng.random_range(0.2..2.0)
    }

    /// A pose within the limits, with many joints at one of theirs.
    fn take_any_pose(tree: &mut Tree, rng: &mut Xoshiro256PlusPlus) {
        let swings = tree.nodes.iter().map(|node| {
            let [lower, upper] = node.interval().unwrap_or([-4.0, 4.0]);
            match rng.random_range(0..4) {
                0 => lower,
                1 => upper,
                _ => lower + rng.random_range(0.0..=1.0) * (upper - lower),
            }
        });
        let swings: Vec<f64> = swings.collect();
        tree.take_pose(swings);
    }

    #[test]
    fn no_pose_within_the_limits_is_nearer() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let mut bounded = 0;
        for case in 0..2_000 {
            let target = place(&mut rng) * rng.random_range(0.0..4.0);
            let mut tree = chain(1 + case % 5, target, &mut rng);
            let least = tree.least_distance();
            bounded += u32::from(least > 0.0);
            for _ in 0..100 {
                take_any_pose(&mut tree, &mut rng);
                let error = tree.error();
                assert!(error >= least, "case {case}: {error} is less than {least}");
            }
        }
        assert!(bounded > 500, "only {bounded} of 2000 have a bound");
    }

    #[test]
    fn the_bound_of_two_bones_on_a_free_root_is_exact() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(2);
        let mut tree = Tree::default();
        let limit = Limit::around(0.0, 0.5, 1.5);
        for parent in [None, Some(0)] {
            tree.push(JointInput {
                parent,
                offset: Vec2::X,
                carry: Mat2::IDENTITY,
                base: Rotation::NONE,
                bound: DirectionArc::new(&limit, Rotation::NONE, Mat2::IDENTITY)
                    .filter(|_| parent.is_some()),
                cost: 1.0,
            });
        }
        tree.push_effector(EffectorInput {
            joint: 1,
            position: Vec2::X,
            is_elastic: false,
            target: Vec2::ZERO,
            weight: 1.0,
        });
        tree.prepare().expect("a sound tree");
        for _ in 0..100 {
            let distance = rng.random_range(0.0..3.0);
            let target = distance * Vec2::from_angle(rng.random_range(-PI..PI));
            tree.tips[0].target = target.as_dvec2();
            let [folded, straightest] = [0.75_f64, 0.25].map(|half| 2.0 * libm::cos(half));
            let distance = f64::from(distance);
            let expected = (folded - distance).max(distance - straightest).max(0.0);
            let found = tree.least_distance();
            assert!((found - expected).abs() < 1e-6, "{found} for {expected}");
        }
    }
}
