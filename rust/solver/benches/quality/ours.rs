//! Tendon's solvers, asked as the addon asks them: through a [`Rig`], with the nodes' own
//! settings but for the tolerance.

use glam::{DVec2, Vec2};
use tendon_solver::approach::Approach;
use tendon_solver::ccd::Ccd;
use tendon_solver::{Bone, Modifier, Point, Rig, Solver};

use crate::textbook::task::{Answer, Task};

/// `TendonFABRIK2D`.
pub fn fabrik(task: &Task) -> Option<Answer> {
    solve(task, |approach| Solver::Fabrik { approach })
}

/// `TendonCCDIK2D`.
pub fn ccd_tip_first(task: &Task) -> Option<Answer> {
    let ccd = Ccd { root_first: false };
    solve(task, |approach| Solver::Ccd { ccd, approach })
}

/// `TendonCCDIK2D` with `root_first`.
pub fn ccd_root_first(task: &Task) -> Option<Answer> {
    let ccd = Ccd { root_first: true };
    solve(task, |approach| Solver::Ccd { ccd, approach })
}

/// `None` for what Tendon cannot be asked yet.
fn solve(task: &Task, solver: impl Fn(Approach) -> Solver) -> Option<Answer> {
    let limited = task.bones.iter().any(|bone| bone.limit.is_some());
    if limited || task.effectors.len() > 1 || !task.circles.is_empty() {
        return None;
    }
    let approach = Approach {
        tolerance: task.tolerance as f32,
        ..Approach::default()
    };
    let mut rig = Rig::new(bones(task), vec![modifier(task, solver(approach))]);
    rig.validate().expect("a sound rig");
    rig.solve();
    Some(Answer {
        angles: (0..task.bones.len())
            .map(|bone| rig.rotation(bone).into())
            .collect(),
        iterations: rig.modifiers[0].report.iterations,
    })
}

fn bones(task: &Task) -> Vec<Bone> {
    let bones = task.bones.iter();
    bones
        .map(|bone| Bone {
            position: bone.parent.map_or(Vec2::ZERO, |parent| end(task, parent)),
            rotation: bone.start as f32,
            ..Bone::below(bone.parent)
        })
        .collect()
}

fn modifier(task: &Task, solver: Solver) -> Modifier {
    let effector = task.effectors[0];
    Modifier {
        tip: Point {
            bone: Some(effector.bone),
            position: end(task, effector.bone),
        },
        target: Point {
            bone: None,
            position: effector.target.as_vec2(),
        },
        ..Modifier::new(solver, (0..task.bones.len()).collect())
    }
}

/// Where a bone ends, in its own frame.
fn end(task: &Task, bone: usize) -> Vec2 {
    (DVec2::X * task.bones[bone].length).as_vec2()
}
