//! Chains of equal bones that follow a target, frame by frame, and what is seen of it.
#![allow(dead_code, reason = "each test file takes what it needs")]

use std::f32::consts::TAU;

use glam::{Affine2, Mat2, Vec2};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use tendon_solver::{Bone, Effector, End, Limit, Obstacle, Point, Rig, Shape, Solver, Workspace};

#[path = "../common/parts.rs"]
pub mod parts;

use parts::{Edit, ccd, fabrik, on, reaching};

/// The length of a bone.
pub const LENGTH: f32 = 20.0;

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    Fabrik,
    CcdFromTip,
    CcdFromRoot,
}

impl Kind {
    pub fn solver(self) -> Solver {
        match self {
            Self::Fabrik => fabrik().into(),
            Self::CcdFromTip => ccd(false).into(),
            Self::CcdFromRoot => ccd(true).into(),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Rules {
    Free,
    /// Each joint by as many degrees either way.
    Limits(f32),
    /// Three circles in the way.
    Circles,
    /// The outer two thirds of the bones are two branches, with a target each.
    Fork,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Path {
    /// Through the whole disc.
    Roaming,
    /// A sum of sines of a seed.
    Random(u32),
}

impl Path {
    /// Where the target is after `time` seconds, for a chain that is `reach` long. It moves by at
    /// most 1.6 % of the reach in a sixtieth of a second.
    pub fn at(self, time: f32, reach: f32) -> Vec2 {
        let place = match self {
            Self::Roaming => Vec2::new(
                (time * 0.9).sin() * 0.8 + (time * 0.37).sin() * 0.15,
                (time * 0.71).cos() * 0.75 + (time * 0.23).sin() * 0.2,
            ),
            Self::Random(seed) => {
                let mut rng = rng(seed);
                let mut wave = |most: f32, fast: f32| {
                    let speed = fast * rng.random_range(0.3..1.0);
                    most * (speed * time + rng.random_range(0.0..TAU)).sin()
                };
                Vec2::new(
                    wave(0.7, 0.75) + wave(0.25, 0.9),
                    wave(0.7, 0.75) + wave(0.25, 0.9),
                )
            }
        };
        place.clamp_length_max(0.999) * reach
    }
}

/// Random numbers: the same ones for a seed in every run.
pub fn rng(seed: u32) -> Xoshiro256PlusPlus {
    Xoshiro256PlusPlus::seed_from_u64(seed.into())
}

/// A point whose motion changes by more than this part of the reach, from one frame to the next, is seen to start or to
/// stop dead.
const KINK: f32 = 0.04;

/// What is seen of a chain that follows a target.
#[derive(Clone, Debug, Default)]
pub struct Film {
    /// Frames in which a joint or the tip moved by more than an eighth of the reach.
    pub jumps: u32,
    /// The farthest that any moved in one frame, in reaches.
    pub farthest: f32,
    /// The largest turn of a joint in one frame, in radians.
    pub fastest: f32,
    /// Frames in which the target was not reached.
    pub missed: u32,
    pub frames: u32,
    /// Frames in which a joint or the tip starts or stops dead.
    pub kinks: u32,
    /// The largest change of the motion of one, in reaches.
    pub kink: f32,
    /// The sharpest angle between two bones at the end, in radians.
    pub sharpest: f32,
    pub iterations: u32,
    /// How deep a bone was in a circle, in reaches.
    pub deepest: f32,
    /// Frames in which a bone was in a circle by more than a thousandth of the reach.
    pub inside: u32,
}

impl Film {
    pub fn worse(self, other: Self) -> Self {
        Self {
            jumps: self.jumps + other.jumps,
            farthest: self.farthest.max(other.farthest),
            fastest: self.fastest.max(other.fastest),
            missed: self.missed + other.missed,
            frames: self.frames + other.frames,
            kinks: self.kinks + other.kinks,
            kink: self.kink.max(other.kink),
            sharpest: self.sharpest.max(other.sharpest),
            iterations: self.iterations + other.iterations,
            deepest: self.deepest.max(other.deepest),
            inside: self.inside + other.inside,
        }
    }
}

/// A nearly straight chain of as many `bones`, of which the last ones are a second `branch`.
fn chain(bones: usize, branch: usize, rules: Rules) -> Vec<Bone> {
    // Where the second branch begins, and what it begins at.
    let (second, fork) = (bones - branch, bones - 2 * branch - 1);
    let limit = match rules {
        Rules::Limits(degrees) => {
            let angle = degrees.to_radians();
            Some(Limit::around(0.05, -angle, angle))
        }
        _ => None,
    };
    let bone = |index: usize| Bone {
        position: Vec2::X * if index == 0 { 0.0 } else { LENGTH },
        rotation: 0.05,
        limit,
        ..Bone::below(match index {
            0 => None,
            _ if branch > 0 && index == second => Some(fork),
            _ => Some(index - 1),
        })
    };
    (0..bones).map(bone).collect()
}

/// Three circles around the root of a chain that is `reach` long.
fn circles(reach: f32) -> Vec<Obstacle> {
    let circle = |x: f32, y: f32, radius: f32| Obstacle {
        shape: Shape::Circle {
            radius: radius * reach,
        },
        frame: Affine2::from_translation(Vec2::new(x, y) * reach),
        bone: None,
    };
    vec![
        circle(0.45, 0.25, 0.12),
        circle(-0.3, 0.45, 0.1),
        circle(0.1, -0.5, 0.13),
    ]
}

pub struct Case {
    pub rig: Rig,
    pub workspace: Workspace,
    pub reach: f32,
    /// Where the chain is in skeleton space.
    pub frame: Affine2,
}

impl Case {
    /// A nearly straight chain.
    pub fn new(kind: Kind, bones: usize, rules: Rules) -> Self {
        Self::of(kind.solver(), bones, rules)
    }

    /// The same for a solver of any kind that has a target.
    pub fn of(solver: Solver, bones: usize, rules: Rules) -> Self {
        let branch = if rules == Rules::Fork { bones / 3 } else { 0 };
        let reach = LENGTH * (bones - branch) as f32;
        let end = |bone: usize| End::Point(on(bone, Vec2::X * LENGTH));
        let joints = (0..bones).collect();
        let mut modifier = reaching(solver, joints, end(bones - branch - 1), Point::default());
        if branch > 0 {
            modifier
                .effectors_mut()
                .push(Effector::new(end(bones - 1), Point::default()));
        }
        if rules == Rules::Circles {
            *modifier.obstacles_mut() = circles(reach);
        }
        Self {
            rig: Rig::new(chain(bones, branch, rules), vec![modifier]),
            workspace: Workspace::default(),
            reach,
            frame: Affine2::IDENTITY,
        }
    }

    /// Hangs the chain and its circles on `parent`.
    pub fn below(mut self, parent: Bone) -> Self {
        let turned = Mat2::from_angle(parent.rotation) * parent.shape();
        self.frame = Affine2::from_mat2_translation(turned, parent.position);
        for bone in &mut self.rig.bones {
            bone.parent = Some(bone.parent.map_or(0, |above| above + 1));
        }
        self.rig.bones.insert(0, parent);
        let [modifier] = &mut self.rig.modifiers[..] else {
            return self;
        };
        for joint in modifier.joints_mut() {
            *joint += 1;
        }
        if let End::Point(tip) = modifier.end_mut() {
            tip.bone = tip.bone.map(|bone| bone + 1);
        }
        for obstacle in modifier.obstacles_mut() {
            obstacle.bone = Some(0);
        }
        self
    }

    /// Mirrors bones and circles about the X axis.
    pub fn mirror(&mut self) {
        for bone in &mut self.rig.bones {
            bone.rotation = -bone.rotation;
            bone.position.y = -bone.position.y;
            if let Some(limit) = &mut bone.limit {
                limit.rest = -limit.rest;
                (limit.min, limit.max) = (-limit.max, -limit.min);
            }
        }
        for obstacle in self.rig.modifiers[0].obstacles_mut() {
            obstacle.frame.translation.y = -obstacle.frame.translation.y;
        }
    }

    /// One pass, `delta` seconds after the one before.
    pub fn step(&mut self, target: Vec2, delta: f32) {
        self.rig.modifiers[0].target_mut().position = self.frame.transform_point2(target);
        self.rig.delta = delta;
        self.rig.go_on();
        self.rig.solve(&mut self.workspace);
    }

    /// The places of all joints and tips, as the chain's parent sees them.
    pub fn points(&self) -> Vec<Vec2> {
        let parts = self.rig.modifiers[0].parts();
        let joints = (0..self.rig.bones.len()).map(|bone| on(bone, Vec2::ZERO));
        let tips = parts.effectors().iter();
        let tips = tips.map(|effector| effector.end.point());
        let points = joints.chain([parts.tip()]).chain(tips);
        let into_parent = self.frame.inverse();
        let seen = points.map(|point| into_parent.transform_point2(self.rig.locate(point)));
        seen.collect()
    }

    pub fn rotations(&self) -> Vec<f32> {
        let bones = 0..self.rig.bones.len();
        bones.map(|bone| self.rig.rotation(bone)).collect()
    }

    /// The sharpest angle between two bones, in radians.
    pub fn sharpest(&self) -> f32 {
        let points = self.points();
        let pieces: Vec<_> = points.windows(2).map(|pair| pair[1] - pair[0]).collect();
        let bends = pieces.windows(2).map(|pair| {
            let (a, b) = (pair[0], pair[1]);
            a.perp_dot(b).atan2(a.dot(b)).abs()
        });
        bends.fold(0.0, f32::max)
    }

    pub fn film(&mut self, path: Path, rate: f32, frames: u32) -> Film {
        let mut film = Film {
            frames,
            ..Film::default()
        };
        let mut before: Option<(Vec<Vec2>, Vec<f32>)> = None;
        let mut motions_before = Vec::new();
        for frame in 0..frames {
            let time = frame as f32 / rate;
            let target = path.at(time, self.reach);
            if let Solver::ChainIk(chain) = &mut self.rig.modifiers[0].solver {
                for effector in &mut chain.effectors {
                    effector.target.position = path.at(time + 30.0, self.reach);
                }
            }
            self.step(target, 1.0 / rate);
            let now = (self.points(), self.rotations());
            let report = &self.rig.modifiers[0].report;
            film.missed += u32::from(report.distance > 1e-4 * self.reach);
            film.iterations += report.iterations;
            film.deepest = film.deepest.max(report.penetration / self.reach);
            film.inside += u32::from(report.penetration > 1e-3 * self.reach);
            if let Some((points, rotations)) = &before {
                let moved = now.0.iter().zip(points).map(|(a, b)| a.distance(*b));
                let moved = moved.fold(0.0, f32::max) / self.reach;
                let turned = now.1.iter().zip(rotations).map(|(a, b)| (a - b).abs());
                film.jumps += u32::from(moved > 0.125);
                film.farthest = film.farthest.max(moved);
                film.fastest = turned.fold(film.fastest, f32::max);
                let motions = now.0.iter().zip(points).map(|(now, before)| *now - *before);
                let motions: Vec<Vec2> = motions.collect();
                let changes = motions.iter().zip(&motions_before);
                let changes = changes.map(|(now, before): (&Vec2, &Vec2)| now.distance(*before));
                let kink = changes.fold(0.0, f32::max) / self.reach;
                film.kinks += u32::from(kink > KINK);
                film.kink = film.kink.max(kink);
                motions_before = motions;
            }
            before = Some(now);
        }
        film.sharpest = self.sharpest();
        film
    }
}
