//! What tests of stances share: the stance of a rig, and a world of the physics, ground whose height is a function.

#![allow(dead_code, reason = "each test needs a part of it")]

use glam::{Affine2, Vec2};
use tendon_solver::{Hit, Modifier, Rig, Solver, Stance, Surface, World};

/// The first modifier, which is a stance.
pub fn stance_in(modifiers: &mut [Modifier]) -> &mut Stance {
    match &mut modifiers[0].solver {
        Solver::Stance(stance) => stance,
        _ => unreachable!(),
    }
}

pub fn stance(rig: &mut Rig) -> &mut Stance {
    stance_in(&mut rig.modifiers)
}

/// Makes the base pose the rest pose.
pub fn rest_at_base(rig: &mut Rig) {
    rig.begin();
    let bones = 0..rig.bones.len();
    let rest = bones.map(|bone| frame_of(rig, bone)).collect();
    stance(rig).rest = rest;
}

/// The frame of a bone, in skeleton space.
fn frame_of(rig: &Rig, bone: usize) -> Affine2 {
    let local = rig.local_frame(bone);
    let parent = rig.bones[bone].parent;
    parent.map_or(local, |parent| frame_of(rig, parent) * local)
}

/// Ground of one surface: all that is below a height. Its frame goes along with it.
#[derive(Clone, Copy)]
pub struct Terrain {
    /// The height at a place along X, in the frame.
    pub height: fn(f32) -> f32,
    pub frame: Affine2,
    /// Where the server has it, if that is not where it is drawn.
    pub server: Option<Affine2>,
    pub number: u32,
    pub is_there: bool,
    pub is_one_way: bool,
    pub velocity: Vec2,
}

/// How finely a ray looks for the ground, in parts of it.
const PARTS: u32 = 400;

impl Terrain {
    pub fn new(height: fn(f32) -> f32) -> Self {
        Self {
            height,
            frame: Affine2::IDENTITY,
            server: None,
            number: 7,
            is_there: true,
            is_one_way: false,
            velocity: Vec2::ZERO,
        }
    }

    /// Level ground there.
    pub fn level(y: f32) -> Self {
        Self::tilted(0.0, y)
    }

    /// A slope through a place that is that far down.
    pub fn tilted(slope: f32, y: f32) -> Self {
        Self {
            frame: Affine2::from_angle_translation(slope, Vec2::new(0.0, y)),
            ..Self::new(|_| 0.0)
        }
    }

    /// How high the ground is below a place along X, as it is drawn.
    pub fn at(&self, x: f32) -> f32 {
        let local = self.frame.inverse().transform_point2(Vec2::new(x, 0.0));
        let place = Vec2::new(local.x, -(self.height)(local.x));
        self.frame.transform_point2(place).y
    }

    fn is_inside(&self, local: Vec2) -> bool {
        local.y > -(self.height)(local.x)
    }

    /// Whether a place is more than two pixels inside the ground, from above and from both sides.
    pub fn buries(&self, place: Vec2) -> bool {
        let around = [Vec2::ZERO, Vec2::NEG_Y, Vec2::X, Vec2::NEG_X].map(|way| 2.0 * way);
        let local = |place| self.frame.inverse().transform_point2(place);
        around.iter().all(|&way| self.is_inside(local(place + way)))
    }

    fn known(&self) -> Surface {
        Surface {
            number: self.number,
            body: self.number,
            server: self.server.unwrap_or(self.frame),
            drawn: self.frame,
            linear_velocity: self.velocity,
            angular_velocity: 0.0,
            pivot: Vec2::ZERO,
        }
    }
}

impl World for Terrain {
    fn cast(&mut self, from: Vec2, to: Vec2, from_inside: bool) -> Option<Hit> {
        if !self.is_there {
            return None;
        }
        let server = self.server.unwrap_or(self.frame);
        let [start, end] = [from, to].map(|place| server.inverse().transform_point2(place));
        let hit = |local: Vec2, normal: Vec2| Hit {
            position: server.transform_point2(local),
            normal: server.transform_vector2(normal),
            surface: self.known(),
            is_one_way: self.is_one_way,
        };
        if self.is_inside(start) {
            return from_inside.then(|| hit(start, Vec2::ZERO));
        }
        let at = |part: u32| start.lerp(end, part as f32 / PARTS as f32);
        let met = (1..=PARTS).find(|&part| self.is_inside(at(part)))?;
        let (mut free, mut solid) = (at(met - 1), at(met));
        for _ in 0..24 {
            let middle = free.midpoint(solid);
            match self.is_inside(middle) {
                true => solid = middle,
                false => free = middle,
            }
        }
        let rise = (self.height)(free.x + 0.01) - (self.height)(free.x - 0.01);
        let way = end - start;
        let normal = match way.x.abs() > way.y.abs() {
            true => Vec2::new(-way.x.signum(), 0.0),
            // A riser is not seen from above.
            false if rise.abs() > 0.1 => Vec2::NEG_Y,
            false => Vec2::new(-rise, -0.02).normalize(),
        };
        Some(hit(free, normal))
    }

    fn surface(&mut self, number: u32) -> Option<Surface> {
        (self.is_there && number == self.number).then(|| self.known())
    }
}
