//! Tendon's solvers as the addon asks for them, through a [`Rig`], with the nodes' own settings
//! but for the tolerance.

use glam::{Affine2, DVec2, Vec2};

use crate::textbook::task::{Answer, Task};
use tendon_solver::{
    Algorithm, Approach, Bone, Chain, ChainIk, Effector, End, Limit, Modifier, Obstacle, Point,
    Rig, Shape, Solver, Sweep, Workspace,
};

/// `TendonFABRIK2D`.
pub fn fabrik(task: &Task) -> Option<Answer> {
    let Problem {
        chain,
        target,
        effectors,
        obstacles,
    } = problem(task);
    let fabrik = ChainIk {
        effectors,
        obstacles,
        approach: approach(task),
        ..ChainIk::new(Algorithm::Fabrik, chain, target)
    };
    Some(solve(task, fabrik))
}

/// `TendonCCDIK2D`.
pub fn ccd_tip_first(task: &Task) -> Option<Answer> {
    solve_by_ccd(task, Sweep { root_first: false })
}

/// `TendonCCDIK2D` with `root_first`.
pub fn ccd_root_first(task: &Task) -> Option<Answer> {
    solve_by_ccd(task, Sweep { root_first: true })
}

fn solve_by_ccd(task: &Task, sweep: Sweep) -> Option<Answer> {
    // Trees are FABRIK's alone.
    if task.effectors.len() > 1 {
        return None;
    }
    let Problem {
        chain,
        target,
        obstacles,
        ..
    } = problem(task);
    let ccd = ChainIk {
        obstacles,
        approach: approach(task),
        ..ChainIk::new(Algorithm::Ccd(sweep), chain, target)
    };
    Some(solve(task, ccd))
}

fn solve(task: &Task, solver: impl Into<Solver>) -> Answer {
    let mut rig = Rig::new(bones(task), vec![Modifier::new(solver)]);
    rig.validate().expect("a sound rig");
    rig.solve(&mut Workspace::default());
    let bones = 0..task.bones.len();
    Answer {
        angles: bones.map(|bone| rig.rotation(bone).into()).collect(),
        iterations: rig.modifiers[0].report.iterations,
    }
}

fn approach(task: &Task) -> Approach {
    Approach {
        tolerance: task.tolerance as f32,
        ..Approach::default()
    }
}

fn bones(task: &Task) -> Vec<Bone> {
    let bones = task.bones.iter();
    bones
        .map(|bone| Bone {
            position: bone.parent.map_or(Vec2::ZERO, |parent| end(task, parent)),
            rotation: bone.start as f32,
            limit: bone
                .limit
                .map(|(least, greatest)| Limit::around(0.0, least as f32, greatest as f32)),
            ..Bone::below(bone.parent)
        })
        .collect()
}

/// What a modifier is given to solve a task.
struct Problem {
    chain: Chain,
    target: Point,
    effectors: Vec<Effector>,
    obstacles: Vec<Obstacle>,
}

fn problem(task: &Task) -> Problem {
    let effectors = task.effectors.iter().map(|effector| {
        let tip = Point {
            bone: Some(effector.bone),
            position: end(task, effector.bone),
        };
        let target = Point {
            bone: None,
            position: effector.target.as_vec2(),
        };
        Effector::new(End::Point(tip), target)
    });
    let mut effectors: Vec<_> = effectors.collect();
    let main = effectors.remove(0);
    let obstacles = task.circles.iter().map(|circle| Obstacle {
        shape: Shape::Circle {
            radius: circle.radius as f32,
        },
        frame: Affine2::from_translation(circle.centre.as_vec2()),
        bone: None,
    });
    Problem {
        chain: Chain::new((0..task.bones.len()).collect(), main.end),
        target: main.target,
        effectors,
        obstacles: obstacles.collect(),
    }
}

/// Where a bone ends, in its own frame.
fn end(task: &Task, bone: usize) -> Vec2 {
    (DVec2::X * task.bones[bone].length).as_vec2()
}
