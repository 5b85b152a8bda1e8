//! The parts of a modifier, to be set whatever its kind is.
#![allow(dead_code, reason = "each test file takes what it needs")]

use glam::Vec2;
use tendon_solver::{
    Aimed, Algorithm, Chain, ChainIk, Direction, Effector, Elasticity, End, LookAt, Memory,
    Modifier, Obstacle, Point, Solver, Sweep, TwoBone,
};

/// A point of a bone.
pub fn on(bone: usize, position: Vec2) -> Point {
    Point {
        bone: Some(bone),
        position,
    }
}

/// A point of the skeleton.
pub fn fixed(position: Vec2) -> Point {
    Point {
        bone: None,
        position,
    }
}

/// The end that no chain has yet.
fn open() -> End {
    End::Point(Point::default())
}

/// Forward and backward reaching, for joints that are still to be [set](Edit::attach).
pub fn fabrik() -> ChainIk {
    ChainIk::new(
        Algorithm::Fabrik,
        Chain::new(Vec::new(), open()),
        Point::default(),
    )
}

/// The same for cyclic coordinate descent.
pub fn ccd(root_first: bool) -> ChainIk {
    let algorithm = Algorithm::Ccd(Sweep { root_first });
    ChainIk::new(algorithm, Chain::new(Vec::new(), open()), Point::default())
}

/// The same for two bones.
pub fn two_bone() -> TwoBone {
    TwoBone::new([0, 1], open(), Point::default())
}

/// The same for a bone that looks at a target.
pub fn look_at() -> LookAt {
    LookAt::new(Chain::new(vec![0], open()), Point::default())
}

/// A modifier that brings `end` to `target`.
pub fn reaching(
    solver: impl Into<Solver>,
    joints: Vec<usize>,
    end: End,
    target: Point,
) -> Modifier {
    let mut modifier = Modifier::new(solver);
    modifier.attach(joints, end);
    *modifier.target_mut() = target;
    modifier
}

/// The parts of a modifier, to be set.
///
/// # Panics
/// Everything does, for a kind that has no such part.
pub trait Edit {
    /// Sets the joints and the end.
    fn attach(&mut self, joints: Vec<usize>, end: End);
    fn joints_mut(&mut self) -> &mut [usize];
    fn end_mut(&mut self) -> &mut End;
    fn target_mut(&mut self) -> &mut Point;
    /// Which way the last bone of a chain must point.
    fn heading_mut(&mut self) -> &mut Aimed<Direction>;
    fn elasticity_mut(&mut self) -> &mut Elasticity;
    fn effectors_mut(&mut self) -> &mut Vec<Effector>;
    fn obstacles_mut(&mut self) -> &mut Vec<Obstacle>;
    fn deterministic_mut(&mut self) -> &mut bool;
    /// What the pass before left.
    fn memory(&self) -> &Memory;
    fn memory_mut(&mut self) -> &mut Memory;
}

impl Edit for Modifier {
    fn attach(&mut self, joints: Vec<usize>, end: End) {
        match &mut self.solver {
            Solver::LookAt(look_at) => look_at.chain.joints = joints,
            Solver::CopyTransform(copy) => [copy.bone] = joints.try_into().expect("one bone"),
            Solver::TwoBone(two_bone) => two_bone.joints = joints.try_into().expect("two bones"),
            Solver::ChainIk(chain_ik) => chain_ik.chain.joints = joints,
            Solver::Spring(spring) => spring.chain.joints = joints,
            Solver::Spline(spline) => spline.chain.joints = joints,
            _ => panic!("it has no joints"),
        }
        *self.end_mut() = end;
    }

    fn joints_mut(&mut self) -> &mut [usize] {
        match &mut self.solver {
            Solver::LookAt(look_at) => &mut look_at.chain.joints,
            Solver::CopyTransform(copy) => std::slice::from_mut(&mut copy.bone),
            Solver::TwoBone(two_bone) => &mut two_bone.joints,
            Solver::ChainIk(chain_ik) => &mut chain_ik.chain.joints,
            Solver::Spring(spring) => &mut spring.chain.joints,
            Solver::Spline(spline) => &mut spline.chain.joints,
            _ => &mut [],
        }
    }

    fn end_mut(&mut self) -> &mut End {
        match &mut self.solver {
            Solver::LookAt(look_at) => &mut look_at.chain.end,
            Solver::CopyTransform(copy) => &mut copy.end,
            Solver::TwoBone(two_bone) => &mut two_bone.end,
            Solver::ChainIk(chain_ik) => &mut chain_ik.chain.end,
            Solver::Spring(spring) => &mut spring.chain.end,
            Solver::Spline(spline) => &mut spline.chain.end,
            _ => panic!("it has no end"),
        }
    }

    fn target_mut(&mut self) -> &mut Point {
        let target = self.solver.parts_mut().own_target_mut();
        target.expect("it has a target")
    }

    fn heading_mut(&mut self) -> &mut Aimed<Direction> {
        match &mut self.solver {
            Solver::ChainIk(chain_ik) => &mut chain_ik.heading,
            _ => panic!("it is no chain with a heading"),
        }
    }

    fn elasticity_mut(&mut self) -> &mut Elasticity {
        match &mut self.solver {
            Solver::TwoBone(two_bone) => &mut two_bone.elasticity,
            Solver::ChainIk(chain_ik) => &mut chain_ik.elasticity,
            _ => panic!("it has no elasticity"),
        }
    }

    fn effectors_mut(&mut self) -> &mut Vec<Effector> {
        match &mut self.solver {
            Solver::ChainIk(chain_ik) => &mut chain_ik.effectors,
            _ => panic!("it has no further effectors"),
        }
    }

    fn obstacles_mut(&mut self) -> &mut Vec<Obstacle> {
        match &mut self.solver {
            Solver::ChainIk(chain_ik) => &mut chain_ik.obstacles,
            Solver::Spring(spring) => &mut spring.obstacles,
            _ => panic!("it has no obstacles"),
        }
    }

    fn deterministic_mut(&mut self) -> &mut bool {
        match &mut self.solver {
            Solver::ChainIk(chain_ik) => &mut chain_ik.deterministic,
            _ => panic!("it is never deterministic"),
        }
    }

    fn memory(&self) -> &Memory {
        match &self.solver {
            Solver::LookAt(look_at) => &look_at.memory.before,
            Solver::TwoBone(two_bone) => &two_bone.memory.before,
            Solver::ChainIk(chain_ik) => &chain_ik.memory.before,
            _ => panic!("it reaches for nothing"),
        }
    }

    fn memory_mut(&mut self) -> &mut Memory {
        match &mut self.solver {
            Solver::LookAt(look_at) => &mut look_at.memory.before,
            Solver::TwoBone(two_bone) => &mut two_bone.memory.before,
            Solver::ChainIk(chain_ik) => &mut chain_ik.memory.before,
            _ => panic!("it reaches for nothing"),
        }
    }
}
