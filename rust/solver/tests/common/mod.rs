//! Random chains for the property tests.
#![allow(dead_code, reason = "each test file takes what it needs")]

pub mod branching;

use glam::{Mat2, Vec2};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use tendon_solver::Chain;
use tendon_solver::approach::Approach;
use tendon_solver::ccd::Ccd;
use tendon_solver::fabrik;
use tendon_solver::report::Outcome;
use tendon_solver::turn::Turn;

/// The same cases in every run. `PROPTEST_RNG_SEED` chooses others.
pub fn config(cases: u32) -> ProptestConfig {
    let config = ProptestConfig::default();
    let rng_seed = match config.rng_seed {
        RngSeed::Random => RngSeed::Fixed(20),
        chosen => chosen,
    };
    ProptestConfig {
        cases,
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

pub fn chain_of(links: &[Link], rotation: impl Fn(&Link) -> f32) -> Chain {
    let mut chain = Chain::default();
    for link in links {
        let shape = Mat2::from_diagonal(link.scale);
        let turn = Turn::from_angle(rotation(link));
        chain.push(turn, shape * link.offset, shape);
    }
    chain.prepare().expect("a sound chain");
    chain
}

/// The chain in its first pose, and the tip of its second.
pub fn problem(links: &[Link]) -> (Chain, Vec2) {
    let goal = chain_of(links, |link| link.goal).tip();
    (chain_of(links, |link| link.rotation), goal)
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
    pub fn solve(self, chain: &mut Chain, target: Vec2, approach: Approach) -> Outcome {
        let ccd = |root_first| Ccd { root_first };
        match self {
            Self::Fabrik => fabrik::solve(chain, target, approach),
            Self::CcdFromTip => ccd(false).solve(chain, target, approach),
            Self::CcdFromRoot => ccd(true).solve(chain, target, approach),
        }
    }
}

/// Where the joints' turns really put the tip, whatever the chain itself believes.
pub fn real_tip(chain: &Chain) -> Vec2 {
    let mut basis = Mat2::IDENTITY;
    let mut point = Vec2::ZERO;
    for joint in chain.joints() {
        point += basis * joint.turn.apply(joint.offset);
        basis *= joint.turn.apply_to(joint.carry);
    }
    point
}
