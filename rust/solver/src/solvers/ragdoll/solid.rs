//! What a body falls on: shapes of the world, in global space.

use glam::Vec2;
use serde::{Deserialize, Serialize};

use crate::math::clone_in_place::clone_in_place;

/// A polygon that is no wider than this part of its length is a line.
const FLAT: f64 = 1e-6;

/// The meaning of the points of a shape.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SolidOutline {
    /// The corners of a convex polygon, in either order.
    #[default]
    Polygon,
    /// The two ends of a line, or one point: with a radius around it, a capsule or a disc.
    Line,
    /// A point of a plane, and its normal: nothing is below it.
    Plane,
}

/// A shape of a body in the world.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Solid {
    /// The range of its own points: the first, and their number.
    pub points: [u32; 2],
    /// The meaning of its points.
    pub outline: SolidOutline,
    /// The radius around a line.
    #[serde(with = "crate::math::number")]
    pub radius: f32,
    /// The number of its body.
    pub body: u32,
    /// The number of the shape among those of its body.
    pub shape: u32,
    /// The velocity of its surface at `centre`, per second.
    #[serde(with = "crate::math::number")]
    pub velocity: Vec2,
    /// The angular velocity about that, in radians per second.
    #[serde(with = "crate::math::number")]
    pub spin: f32,
    /// The centre of mass of its body.
    #[serde(with = "crate::math::number")]
    pub centre: Vec2,
    /// `true` if it moves with its surface, as what is no belt does.
    pub moves: bool,
    /// The direction against which it holds what comes, and nothing else; zero if it holds all.
    #[serde(with = "crate::math::number")]
    pub one_way: Vec2,
    /// The coefficient of friction. The lesser one of two surfaces counts.
    #[serde(with = "crate::math::number")]
    pub friction: f32,
    /// The part of the speed of a hit that it gives back.
    #[serde(with = "crate::math::number")]
    pub bounce: f32,
    /// One by its mass and by its moment of inertia. Both are zero for what nothing pushes away.
    #[serde(with = "crate::math::number")]
    pub lightness: Vec2,
    /// `true` if something else carries its body, which does not fall.
    pub carried: bool,
}

impl Solid {
    /// Returns `true` if it holds what comes from any side.
    fn holds_all(&self) -> bool {
        self.one_way == Vec2::ZERO
    }

    /// Returns `true` if it holds all, and gives way to nothing.
    pub(super) fn is_wall(&self) -> bool {
        self.holds_all() && self.lightness == Vec2::ZERO
    }

    /// Returns `true` if what it covers of `other` is no surface: if it stays with that. A crate on a floor may give
    /// way, and a beam sweeps on over it, and the floor must hold what they press against it.
    pub(super) fn covers(&self, other: &Self) -> bool {
        let is_firm = self.lightness == Vec2::ZERO || other.lightness != Vec2::ZERO;
        self.holds_all() && (self.body == other.body || self.moves_as(other) && is_firm)
    }

    pub(super) fn moves_as(&self, other: &Self) -> bool {
        self.velocity == other.velocity && self.spin == other.spin
    }

    /// Returns `true` if it neither moves nor gives way.
    pub(super) fn stands_firm(&self) -> bool {
        self.lightness == Vec2::ZERO && self.moves_as(&Self::default())
    }

    fn is_finite(&self) -> bool {
        self.velocity.is_finite()
            && self.centre.is_finite()
            && (self.spin + self.radius + self.friction + self.bounce).is_finite()
            && self.lightness.is_finite()
    }
}

/// The ends of a polygon without an area, or of a mere point; `None` if it has an area, or no corners.
fn ends_of_flat(corners: &[Vec2]) -> Option<[Vec2; 2]> {
    let &first = corners.first()?;
    let far_from = |place: Vec2| {
        let distance = |corner: &Vec2| corner.distance_squared(place);
        let by_distance = |one: &Vec2, other: &Vec2| distance(one).total_cmp(&distance(other));
        corners.iter().copied().max_by(by_distance).unwrap_or(place)
    };
    let one = far_from(first);
    let other = far_from(one);
    let way = (other - one).as_dvec2();
    let beside = |corner: &Vec2| (*corner - one).as_dvec2().perp_dot(way).abs();
    let widest = corners.iter().map(beside).fold(0.0, f64::max);
    (widest <= FLAT * way.length_squared()).then_some([one, other])
}

/// The surroundings of a body in a physics frame.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RagdollTick {
    /// Its length, in seconds.
    #[serde(with = "crate::math::number")]
    pub delta: f32,
    /// The acceleration of gravity, in global space.
    #[serde(with = "crate::math::number")]
    pub gravity: Vec2,
    /// The rates at which bodies lose their speed, and their turning, per second.
    #[serde(with = "crate::math::number")]
    pub damp: Vec2,
    /// The shapes that may be met.
    pub solids: Vec<Solid>,
    /// The points of all shapes.
    #[serde(with = "crate::math::number")]
    pub points: Vec<Vec2>,
}

clone_in_place!(RagdollTick: solids, points; delta, gravity, damp);

impl RagdollTick {
    /// Removes all shapes.
    pub fn clear(&mut self) {
        self.solids.clear();
        self.points.clear();
    }

    /// The points of a shape.
    pub fn points_of(&self, solid: &Solid) -> &[Vec2] {
        let [first, count] = solid.points.map(|number| number as usize);
        &self.points[first..first + count]
    }

    /// Adds a shape with these points. What is degenerate becomes what it looks like: a polygon without an area is a
    /// line, and a line without a length a point. What has no points, or one that is not finite, is nowhere.
    pub fn push(&mut self, mut solid: Solid, points: impl IntoIterator<Item = Vec2>) {
        let first = self.points.len();
        self.points.extend(points);
        let is_finite = self.points[first..].iter().all(|point| point.is_finite());
        if solid.outline == SolidOutline::Polygon
            && let Some(ends) = ends_of_flat(&self.points[first..])
        {
            solid.outline = SolidOutline::Line;
            self.points.truncate(first);
            self.points.extend(ends);
        }
        if let (SolidOutline::Line, &[from, to]) = (solid.outline, &self.points[first..])
            && from == to
        {
            self.points.truncate(first + 1);
        }
        let count = self.points.len() - first;
        solid.points = [first as u32, count as u32];
        let is_nowhere = match (solid.outline, &self.points[first..]) {
            (SolidOutline::Plane, &[_, normal]) => normal == Vec2::ZERO,
            (SolidOutline::Plane, _) => true,
            (_, own) => own.is_empty(),
        };
        match is_nowhere || !is_finite || !solid.is_finite() {
            true => self.points.truncate(first),
            false => self.solids.push(solid),
        }
    }

    /// Returns the greatest way of the surface of a shape in the tick.
    pub(super) fn way_of(&self, solid: &Solid) -> f64 {
        if !solid.moves {
            return 0.0;
        }
        let points = self.points_of(solid).iter();
        let arm = points
            .map(|point| point.distance(solid.centre))
            .fold(0.0, f32::max);
        let speed = solid.velocity.length() + solid.spin.abs() * (arm + solid.radius);
        f64::from(self.delta * speed)
    }

    /// Brings the shapes in an order that does not depend on who found them: by their first points, then by their
    /// numbers.
    pub fn sort(&mut self) {
        let points = &self.points;
        let key = |solid: &Solid| {
            let first = points[solid.points[0] as usize];
            (first.x, first.y)
        };
        self.solids.sort_by(|one, other| {
            let ((x, y), (u, v)) = (key(one), key(other));
            let numbers = |solid: &Solid| (solid.body, solid.shape);
            x.total_cmp(&u)
                .then(y.total_cmp(&v))
                .then(numbers(one).cmp(&numbers(other)))
        });
    }

    /// Returns `true` if each shape has the points that it needs, and all numbers are finite.
    pub(crate) fn is_sound(&self) -> bool {
        let fits = |solid: &Solid| {
            let [first, count] = solid.points.map(|number| number as usize);
            let least = match solid.outline {
                SolidOutline::Polygon => 3,
                SolidOutline::Line => 1,
                SolidOutline::Plane => 2,
            };
            count >= least && first.saturating_add(count) <= self.points.len() && solid.is_finite()
        };
        self.delta.is_finite()
            && self.gravity.is_finite()
            && self.damp.is_finite()
            && self.points.iter().all(|point| point.is_finite())
            && self.solids.iter().all(fits)
    }
}
