//! Grounds made of boxes, as the engine would hand them over, and how deep a body is in them.

use glam::Vec2;
use tendon_solver::{RagdollTick, Solid, SolidOutline};

/// A world that stands still.
#[derive(Clone, Default)]
pub struct World {
    boxes: Vec<Vec<Vec2>>,
    pub gravity: Vec2,
}

impl World {
    pub fn empty() -> Self {
        Self {
            boxes: Vec::new(),
            gravity: Vec2::new(0.0, 980.0),
        }
    }

    /// With a floor whose top is at 0.
    pub fn flat() -> Self {
        Self::empty().with_box([-5000.0, 0.0], [5000.0, 200.0])
    }

    pub fn with_box(self, low: [f32; 2], high: [f32; 2]) -> Self {
        let [[left, top], [right, bottom]] = [low, high];
        self.with(vec![
            Vec2::new(left, top),
            Vec2::new(right, top),
            Vec2::new(right, bottom),
            Vec2::new(left, bottom),
        ])
    }

    /// With a convex polygon.
    pub fn with(mut self, corners: Vec<Vec2>) -> Self {
        self.boxes.push(corners);
        self
    }

    /// The floor and stairs of boxes that go down to the right.
    pub fn stairs(steps: usize, height: f32, width: f32) -> Self {
        let mut world = Self::flat();
        for step in 0..steps {
            let top = -height * (steps - step) as f32;
            let right = width * step as f32;
            let left = if step == 0 { -3000.0 } else { right - width };
            world = world.with_box([left, top], [right, 0.0]);
        }
        world
    }

    /// The floor as a row of tiles.
    pub fn tiles(size: f32) -> Self {
        let tiles = (-60..60).map(|tile| tile as f32 * size);
        tiles.fold(Self::empty(), |world, left| {
            world.with_box([left, 0.0], [left + size, size])
        })
    }

    /// The mirror image: left is right.
    pub fn mirrored(&self) -> Self {
        let mut mirrored = self.clone();
        for corners in &mut mirrored.boxes {
            for corner in corners {
                corner.x = -corner.x;
            }
        }
        mirrored
    }

    pub fn tick(&self, delta: f32) -> RagdollTick {
        let mut tick = RagdollTick {
            delta,
            gravity: self.gravity,
            // As in a new project of the engine.
            damp: Vec2::new(0.1, 1.0),
            ..RagdollTick::default()
        };
        for (body, corners) in self.boxes.iter().enumerate() {
            let solid = Solid {
                outline: SolidOutline::Polygon,
                body: body as u32,
                friction: 1.0,
                ..Solid::default()
            };
            tick.push(solid, corners.iter().copied());
        }
        tick
    }

    /// The same, with the direction away from it there.
    pub fn nearest(&self, point: Vec2) -> Option<(f32, Vec2)> {
        let sides = self.boxes.iter().map(|corners| nearest(corners, point));
        sides.min_by(|one, other| one.0.total_cmp(&other.0))
    }

    /// How far a point is from the nearest box; negative inside: by the way out of all of them.
    pub fn distance(&self, point: Vec2) -> f32 {
        let distances = self.boxes.iter().map(|corners| distance(corners, point));
        distances.fold(f32::INFINITY, f32::min)
    }
}

fn distance(corners: &[Vec2], point: Vec2) -> f32 {
    nearest(corners, point).0
}

fn nearest(corners: &[Vec2], point: Vec2) -> (f32, Vec2) {
    let sides =
        (0..corners.len()).map(|index| (corners[index], corners[(index + 1) % corners.len()]));
    let area: f32 = sides.clone().map(|(a, b)| a.perp_dot(b)).sum();
    let mut outside = (f32::NEG_INFINITY, Vec2::ZERO);
    let mut nearest = (f32::INFINITY, Vec2::ZERO);
    for (a, b) in sides {
        let way = b - a;
        let normal = -way.perp().normalize() * area.signum();
        let height = normal.dot(point - a);
        if height > outside.0 {
            outside = (height, normal);
        }
        let part = ((point - a).dot(way) / way.length_squared()).clamp(0.0, 1.0);
        let away = point - (a + part * way);
        if away.length() < nearest.0 {
            nearest = (away.length(), away.normalize_or(normal));
        }
    }
    if outside.0 > 0.0 { nearest } else { outside }
}
