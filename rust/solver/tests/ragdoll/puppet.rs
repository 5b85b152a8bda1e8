//! A figure of 13 limbs, and what is measured of it.

use glam::{Affine2, Vec2};
use tendon_solver::{
    Bone, LimbShape, Limit, Modifier, Point, Ragdoll, RagdollPhase, Rig, Solver, Workspace,
};

use crate::world::World;

/// Parent, place along it, direction in the skeleton, length and radius of each limb. Up is -Y.
const LIMBS: [(Option<usize>, f32, f32, f32, f32); 13] = [
    (None, 0.0, -90.0, 30.0, 12.0),
    (Some(0), 30.0, -90.0, 30.0, 13.0),
    (Some(1), 30.0, -90.0, 24.0, 12.0),
    (Some(1), 24.0, 80.0, 32.0, 7.0),
    (Some(3), 32.0, 80.0, 30.0, 6.0),
    (Some(1), 24.0, 100.0, 32.0, 7.0),
    (Some(5), 32.0, 95.0, 30.0, 6.0),
    (Some(0), 0.0, 82.0, 42.0, 9.0),
    (Some(7), 42.0, 93.0, 40.0, 7.0),
    (Some(8), 40.0, 0.0, 14.0, 5.0),
    (Some(0), 0.0, 96.0, 42.0, 9.0),
    (Some(10), 42.0, 101.0, 40.0, 7.0),
    (Some(11), 40.0, 0.0, 14.0, 5.0),
];

pub struct Puppet {
    pub rig: Rig,
    pub space: Workspace,
    pub shapes: Vec<LimbShape>,
}

impl Puppet {
    /// Standing with its hip at `place` of the skeleton.
    pub fn human(place: Vec2) -> Self {
        let mut bones = Vec::new();
        let mut shapes = Vec::new();
        let angle = |limb: usize| LIMBS[limb].2.to_radians();
        for (index, &(parent, along, _, length, radius)) in LIMBS.iter().enumerate() {
            let rotation = angle(index) - parent.map_or(0.0, angle);
            bones.push(Bone {
                position: if parent.is_some() {
                    Vec2::X * along
                } else {
                    place
                },
                rotation,
                limit: parent.map(|_| Limit::around(rotation, -0.9, 0.9)),
                ..Bone::below(parent)
            });
            shapes.push(LimbShape {
                from: Vec2::ZERO,
                to: Vec2::X * length,
                radius: Some(radius),
                ..LimbShape::default()
            });
        }
        Self::new(bones, shapes)
    }

    pub fn new(bones: Vec<Bone>, shapes: Vec<LimbShape>) -> Self {
        let mut ragdoll = Ragdoll::new((0..bones.len()).collect(), shapes.clone());
        ragdoll.settings.simulating = true;
        let rig = Rig::new(bones, vec![Modifier::new(ragdoll)]);
        assert_eq!(rig.validate(), Ok(()));
        Self {
            rig,
            space: Workspace::default(),
            shapes,
        }
    }

    pub fn ragdoll(&mut self) -> &mut Ragdoll {
        match &mut self.rig.modifiers[0].solver {
            Solver::Ragdoll(ragdoll) => ragdoll,
            _ => unreachable!("it has one"),
        }
    }

    pub fn phase(&mut self) -> RagdollPhase {
        self.ragdoll().memory.last().phase
    }

    /// The speeds with which it begins.
    pub fn throw(&mut self, velocity: Vec2) {
        let mass = self.ragdoll().settings.mass;
        self.ragdoll().pushes.push(tendon_solver::Push {
            hold: tendon_solver::Hold::Whole,
            impulse: mass * velocity,
        });
    }

    /// A pass with one tick in `world`.
    pub fn pass(&mut self, world: &World, delta: f32) {
        let tick = world.tick(delta);
        self.ragdoll().ticks = vec![tick];
        self.solve(delta);
    }

    /// A pass with the ticks that there are.
    pub fn solve(&mut self, delta: f32) {
        self.rig.delta = delta;
        self.rig.go_on();
        self.rig.solve(&mut self.space);
        self.ragdoll().pushes.clear();
    }

    pub fn place(&self, bone: usize, local: Vec2) -> Vec2 {
        let place = self.rig.locate(Point {
            bone: Some(bone),
            position: local,
        });
        self.rig.to_global.transform_point2(place)
    }

    /// How deep it is in the world, in pixels.
    pub fn depth(&self, world: &World) -> f32 {
        let unit = self.rig.to_global.matrix2.determinant().abs().sqrt();
        let mut deepest = f32::NEG_INFINITY;
        for (bone, shape) in self.shapes.iter().enumerate() {
            for part in 0..=8 {
                let place = self.place(bone, shape.from.lerp(shape.to, part as f32 / 8.0));
                let radius = unit * shape.radius.unwrap_or(0.2 * shape.from.distance(shape.to));
                deepest = deepest.max(radius - world.distance(place));
            }
        }
        deepest
    }

    /// How far it is beyond its limits, in radians.
    pub fn excess(&self) -> f32 {
        let bones = self.rig.bones.iter().enumerate();
        let beyond = bones.filter_map(|(index, bone)| {
            let limit = bone.limit?;
            let turned = self.rig.rotation(index) - limit.rest;
            let turned = turned - std::f32::consts::TAU * (turned / std::f32::consts::TAU).round();
            Some((limit.min - turned).max(turned - limit.max))
        });
        beyond.fold(0.0, f32::max)
    }

    pub fn rotations(&self) -> Vec<f32> {
        (0..self.rig.bones.len())
            .map(|bone| self.rig.rotation(bone))
            .collect()
    }

    pub fn at(mut self, frame: Affine2) -> Self {
        self.rig.to_global = frame;
        self
    }
}
