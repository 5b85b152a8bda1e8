//! Random chains for the property tests, and lines of bones that solve as rigs.
#![allow(dead_code, reason = "each test file takes what it needs")]

pub mod borders;
pub mod branching;
pub mod extent;
pub mod parts;
pub mod winding;

use glam::{DMat2, DVec2, Vec2};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use tendon_solver::{Approach, Bone, ChainIk, End, Point, Report, Rig, Solver, Workspace};

use parts::{ccd, fabrik, fixed, on, reaching};

/// The same cases in every run, a twentieth of them in short ones. `PROPTEST_RNG_SEED` chooses others. Miri,
/// which takes a thousand times as long, runs a few.
pub fn config(cases: u32) -> ProptestConfig {
    let config = ProptestConfig::default();
    let rng_seed = match config.rng_seed {
        RngSeed::Random => RngSeed::Fixed(20),
        chosen => chosen,
    };
    let cases = extent::extent(cases.div_ceil(20), cases, cases);
    ProptestConfig {
        cases: if cfg!(miri) { cases.min(3) } else { cases },
        rng_seed,
        failure_persistence: None,
        ..config
    }
}

/// One bone of a random chain.
#[derive(Clone, Copy, Debug)]
pub struct Link {
    pub offset: Vec2,
    pub scale: Vec2,
    pub rotation: f32,
    /// The rotation of another pose of the same bone, whose tip serves as a target.
    pub goal: f32,
}

impl Link {
    /// The mirror image of the bone about the X axis.
    pub fn mirrored(self) -> Self {
        Self {
            offset: self.offset * Vec2::new(1.0, -1.0),
            rotation: -self.rotation,
            goal: -self.goal,
            ..self
        }
    }
}

/// How far apart the two poses are, and what the bones' own scales may be.
#[derive(Clone, Copy, Debug)]
pub enum Scales {
    /// Uniform, some of them mirrored.
    Uniform,
    /// Different for the two axes.
    Any,
}

pub fn links(scales: Scales) -> impl Strategy<Value = Vec<Link>> {
    prop_oneof![Just(0.05_f32), Just(0.6), Just(3.1)]
        .prop_flat_map(move |spread| prop::collection::vec(link(spread, scales), 2..=20))
}

pub fn link(spread: f32, scales: Scales) -> impl Strategy<Value = Link> {
    let scale = (0.6_f32..1.5, 0.6_f32..1.5, prop::bool::weighted(0.2)).prop_map(
        move |(x, y, mirrored)| {
            let y = match scales {
                Scales::Uniform => x,
                Scales::Any => y,
            };
            Vec2::new(x, if mirrored { -y } else { y })
        },
    );
    let angle = -spread..spread;
    (12.0_f32..60.0, -0.3_f32..0.3, scale, angle.clone(), angle).prop_map(
        |(length, slant, scale, rotation, goal)| Link {
            offset: Vec2::from_angle(slant) * length,
            scale,
            rotation,
            goal,
        },
    )
}

/// A line of bones from the origin of the skeleton, and the point at its end.
#[derive(Clone, Debug, Default)]
pub struct Line {
    pub rig: Rig,
    /// In the last bone's frame.
    pub end: Vec2,
    workspace: Workspace,
}

impl Line {
    /// Bones as they are, but for their parents. Each but the first begins where `offset` of the one
    /// before is.
    pub fn new(pieces: impl IntoIterator<Item = (Bone, Vec2)>) -> Self {
        let mut line = Self::default();
        for (index, (bone, offset)) in pieces.into_iter().enumerate() {
            line.rig.bones.push(Bone {
                parent: index.checked_sub(1),
                position: line.end,
                ..bone
            });
            line.end = offset;
        }
        line.rig.take_base_pose();
        line
    }

    /// Solves without memory, from the base pose.
    pub fn solve(&mut self, solver: impl Into<Solver>, target: Vec2) -> Report {
        let count = self.rig.bones.len();
        let end = End::Point(on(count - 1, self.end));
        let modifier = reaching(solver, (0..count).collect(), end, fixed(target));
        self.rig.modifiers = vec![modifier];
        self.rig.solve(&mut self.workspace);
        self.rig.modifiers[0].report
    }

    /// Goes on from the last pose, a sixtieth of a second later.
    pub fn go_on(&mut self) -> Report {
        self.rig.delta = 1.0 / 60.0;
        self.rig.go_on();
        self.rig.solve(&mut self.workspace);
        self.rig.modifiers[0].report
    }

    /// Makes the present pose the base pose.
    pub fn keep_pose(&mut self) {
        let rotations = self.rotations();
        for (bone, rotation) in self.rig.bones.iter_mut().zip(rotations) {
            bone.rotation = rotation;
        }
    }

    /// The present rotations of the bones.
    pub fn rotations(&self) -> Vec<f32> {
        let bones = 0..self.rig.bones.len();
        bones.map(|bone| self.rig.rotation(bone)).collect()
    }

    /// Where the bones' rotations really put the joints and the tip, whatever the rig itself
    /// believes.
    fn real_places(&self) -> Vec<DVec2> {
        let mut basis = DMat2::IDENTITY;
        let mut places = vec![DVec2::ZERO];
        let bones = &self.rig.bones;
        let offsets = bones.iter().skip(1).map(|bone| bone.position);
        for (index, offset) in offsets.chain([self.end]).enumerate() {
            let rotation = f64::from(self.rig.rotation(index));
            basis *= DMat2::from_angle(rotation) * bones[index].shape().as_dmat2();
            places.push(places[index] + basis * offset.as_dvec2());
        }
        places
    }

    /// Where the bones' rotations really put the tip.
    pub fn real_tip(&self) -> Vec2 {
        self.real_places()[self.rig.bones.len()].as_vec2()
    }

    /// Distances between neighbouring joints, and from the last to the tip.
    pub fn lengths(&self) -> Vec<f32> {
        let places = self.real_places();
        let pieces = places.windows(2);
        pieces
            .map(|ends| ends[0].distance(ends[1]) as f32)
            .collect()
    }

    /// The summed lengths of all pieces in the present pose.
    pub fn reach(&self) -> f32 {
        self.lengths().iter().sum()
    }
}

pub fn chain_of(links: &[Link], rotation: impl Fn(&Link) -> f32) -> Line {
    Line::new(links.iter().map(|link| {
        let bone = Bone {
            rotation: rotation(link),
            scale: link.scale,
            ..Bone::below(None)
        };
        (bone, link.offset)
    }))
}

/// The chain in its first pose, and the tip of its second.
pub fn problem(links: &[Link]) -> (Line, Vec2) {
    let goal = chain_of(links, |link| link.goal).real_tip();
    (chain_of(links, |link| link.rotation), goal)
}

/// Where the X axis of `bone` points in skeleton space, before the bone's own scale.
pub fn heading_of(rig: &Rig, bone: usize) -> Vec2 {
    let parent = rig.bones[bone].parent;
    let at = |position| {
        rig.locate(Point {
            bone: parent,
            position,
        })
    };
    at(Vec2::from_angle(rig.rotation(bone))) - at(Vec2::ZERO)
}

/// The solvers for chains of any length.
#[derive(Clone, Copy, Debug)]
pub enum ChainSolver {
    Fabrik,
    CcdFromTip,
    CcdFromRoot,
}

pub const CHAIN_SOLVERS: [ChainSolver; 3] = [
    ChainSolver::Fabrik,
    ChainSolver::CcdFromTip,
    ChainSolver::CcdFromRoot,
];

impl ChainSolver {
    pub fn with(self, approach: Approach) -> Solver {
        let solver = match self {
            Self::Fabrik => fabrik(),
            Self::CcdFromTip => ccd(false),
            Self::CcdFromRoot => ccd(true),
        };
        ChainIk { approach, ..solver }.into()
    }

    /// Solves with the usual settings, without memory.
    pub fn solve(self, line: &mut Line, target: Vec2) -> Report {
        line.solve(self.with(Approach::default()), target)
    }
}
