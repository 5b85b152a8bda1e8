//! Where a capsule touches the shapes of the world, or soon will.
//!
//! A capsule meets a shape with its round ends, and with its sides at the corners of the shape. What lies
//! inside another shape is no surface: where boxes and tiles lie side by side, their inner sides and corners
//! are left out, so nothing trips over them. A corner counts only within its own cone of directions, that
//! between the normals of its two sides.

use glam::DVec2;

use crate::collision::convex::Side;
use crate::solvers::ragdoll::solid::SolidOutline;
use crate::solvers::ragdoll::terrain::{COVER, Terrain};

/// A limb in global space.
#[derive(Clone, Copy, Debug)]
pub(super) struct LimbCapsule {
    pub(super) link: usize,
    pub(super) ends: [DVec2; 2],
    pub(super) radius: f64,
    pub(super) shows_start: bool,
}

/// A place where a limb is near a shape, in global space.
#[derive(Clone, Copy, Debug)]
pub(super) struct Contact {
    pub(super) link: usize,
    pub(super) ground: usize,
    /// The number of the features that touch: the same from tick to tick.
    pub(super) feature: u32,
    /// The point of the limb.
    pub(super) point: DVec2,
    /// Away from the shape.
    pub(super) normal: DVec2,
    /// The distance between them; negative if the limb is inside.
    pub(super) gap: f64,
}

/// The gap below which something touches, in pixels; and the cosine of the least angle between the ways out of two
/// shapes between which something is squeezed.
const TOUCH: f64 = 0.5;
const OPPOSED: f64 = -0.3;

/// The distance beside a corner, in pixels, at which no other shape may be, for the corner to be one of the world.
const BESIDE: f64 = 2.0;

/// The part of a limb's length at either end where corners are met by the round end.
const END: f64 = 0.02;

/// The sine of the widest angle between a limb and a side on which it lies, on both corners of that: it would rock from one
/// to the other.
const LEAN: f64 = 0.02;

/// The cosine of the widest angle between the way out at a corner and the shortest one.
const OUTWARDS: f64 = 0.7;

/// A one-way platform holds only what is no deeper inside than this part of the limb's radius.
const ONE_WAY_DEPTH: f64 = 1.0;

/// The cosine of the widest angle from its direction by which a one-way platform holds.
const ONE_WAY_CONE: f64 = 0.3;

impl Contact {
    /// Returns `true` if a shape that moves presses the body against another one, of which it has one of `contacts`, in the next
    /// `seconds`.
    pub(super) fn squeezes(&self, contacts: &[Self], terrain: &Terrain, seconds: f64) -> bool {
        let solid = |it: &Self| &terrain.grounds[it.ground].solid;
        let speed = terrain.grounds[self.ground]
            .velocity_at(self.point)
            .length();
        let touches = |it: &&Self| it.gap < TOUCH + seconds * speed;
        let opposes = |other: &Self| {
            let is_opposite = other.normal.dot(self.normal) < OPPOSED;
            is_opposite && solid(other).is_wall() && !solid(self).moves_as(solid(other))
        };
        let mut touched = contacts.iter().filter(touches);
        solid(self).moves && touches(&self) && touched.any(opposes)
    }
}

impl LimbCapsule {
    /// Adds the contacts with the shapes that are within `reach`.
    pub(super) fn find_contacts(&self, terrain: &Terrain, reach: f64, found: &mut Vec<Contact>) {
        let [from, to] = self.ends;
        let (middle, half) = (0.5 * (from + to), 0.5 * from.distance(to));
        for ground in 0..terrain.grounds.len() {
            if !terrain.is_near(ground, middle, half + self.radius + reach) {
                continue;
            }
            let first = found.len();
            let meets = Meeting {
                limb: self,
                terrain,
                ground,
                reach,
            };
            if self.shows_start {
                meets.end(from, 0, found);
            }
            meets.end(to, 1, found);
            meets.corners(found);
            let way = terrain.grounds[ground].solid.one_way.as_dvec2();
            if way != DVec2::ZERO {
                let depth = -ONE_WAY_DEPTH * self.radius;
                let mut kept = first;
                for index in first..found.len() {
                    if found[index].normal.dot(way) > ONE_WAY_CONE && found[index].gap > depth {
                        found.swap(kept, index);
                        kept += 1;
                    }
                }
                found.truncate(kept);
            }
        }
    }
}

/// A limb beside a shape.
struct Meeting<'a> {
    limb: &'a LimbCapsule,
    terrain: &'a Terrain,
    ground: usize,
    reach: f64,
}

impl Meeting<'_> {
    fn push(
        &self,
        feature: u32,
        centre: DVec2,
        normal: DVec2,
        distance: f64,
        found: &mut Vec<Contact>,
    ) {
        let gap = distance - self.limb.radius;
        if gap < self.reach {
            found.push(Contact {
                link: self.limb.link,
                ground: self.ground,
                feature,
                point: centre - self.limb.radius * normal,
                normal,
                gap,
            });
        }
    }

    /// A round end about `centre`.
    fn end(&self, centre: DVec2, end: u32, found: &mut Vec<Contact>) {
        let sides = self.terrain.sides(self.ground);
        let solid = &self.terrain.grounds[self.ground].solid;
        match solid.outline {
            SolidOutline::Plane => {
                self.push(end, centre, sides[0].normal, sides[0].height(centre), found);
            }
            SolidOutline::Line => {
                let away = centre - sides[0].nearest(centre);
                let distance = away.length();
                let aside = sides[0].normal.normalize_or(DVec2::NEG_Y);
                let normal = away.try_normalize().unwrap_or(aside);
                let distance = distance - f64::from(solid.radius);
                self.push(end, centre, normal, distance, found);
            }
            SolidOutline::Polygon => self.end_at_polygon(sides, centre, end, found),
        }
    }

    fn end_at_polygon(&self, sides: &[Side], centre: DVec2, end: u32, found: &mut Vec<Contact>) {
        let Some((index, height)) = self.terrain.nearest_side(self.ground, centre) else {
            return;
        };
        let side = &sides[index];
        let along = side.along(centre);
        let feature = |corner: usize| 4 + 4 * corner as u32 + end;
        if height <= 0.0 || (0.0..=side.length).contains(&along) {
            if self.terrain.is_open(self.ground, side, centre) {
                self.push(end, centre, side.normal, height, found);
            }
            return;
        }
        let corner = if along < 0.0 {
            index
        } else {
            (index + 1) % sides.len()
        };
        let away = centre - sides[corner].start;
        let distance = away.length();
        let Some(normal) = away.try_normalize() else {
            return;
        };
        if self.is_corner_of_world(sides[corner].start, normal) {
            self.push(feature(corner), centre, normal, distance, found);
        }
    }

    /// Returns `true` if the world has a corner there that points to `normal`, and no surface that goes on.
    fn is_corner_of_world(&self, corner: DVec2, normal: DVec2) -> bool {
        let along = BESIDE * normal.perp();
        let above = 2.0 * COVER * normal;
        [
            corner + above,
            corner + above + along,
            corner + above - along,
        ]
        .into_iter()
        .all(|point| !self.terrain.is_covered(point, self.ground))
    }

    /// Returns `true` if `place` is inside, and its shortest way out goes to the side of `normal`: from above, the
    /// lower corners of a thin board are none.
    fn leads_out(sides: &[Side], place: DVec2, normal: DVec2) -> bool {
        let heights = sides.iter().map(|side| (side.height(place), side.normal));
        let nearest = heights.max_by(|one, other| one.0.total_cmp(&other.0));
        nearest.is_some_and(|(height, way)| height <= 0.0 && way.dot(normal) > OUTWARDS)
    }

    /// The corners of the shape against the straight part of the limb.
    fn corners(&self, found: &mut Vec<Contact>) {
        let [from, to] = self.limb.ends;
        let way = to - from;
        let square = way.length_squared();
        let ground = &self.terrain.grounds[self.ground];
        if square == 0.0 || ground.solid.outline == SolidOutline::Plane {
            return;
        }
        let across = way.perp() / square.sqrt();
        let sides = self.terrain.sides(self.ground);
        let radius = f64::from(ground.solid.radius);
        for (corner, side) in sides.iter().enumerate() {
            let part = (side.start - from).dot(way) / square;
            if !(END..=1.0 - END).contains(&part) {
                continue;
            }
            let height = across.dot(from - side.start);
            let before = &sides[(corner + sides.len() - 1) % sides.len()];
            let outwards = match ground.solid.outline {
                // The middle of the two normals.
                SolidOutline::Polygon => across.dot(side.normal + before.normal),
                _ => height,
            };
            let (normal, height) = match outwards < 0.0 {
                true => (-across, -height),
                false => (across, height),
            };
            let is_furthest =
                side.direction.dot(normal) <= LEAN && before.direction.dot(normal) >= -LEAN;
            let centre = from + part * way;
            let is_inside = height < 0.0;
            if !is_furthest || is_inside && !Self::leads_out(sides, centre, normal) {
                continue;
            }
            if self.is_corner_of_world(side.start, normal) {
                let feature = 6 + 4 * corner as u32;
                self.push(feature, centre, normal, height - radius, found);
            }
        }
    }
}
