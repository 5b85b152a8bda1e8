//! Tendon's solvers with the nodes' own settings but for the tolerance: chains as the addon
//! asks for them, through a [`Rig`], and trees and obstacles through a [`Tree`].

use glam::{Affine2, DVec2, Mat2, Vec2};
use tendon_solver::approach::Approach;
use tendon_solver::ccd::Ccd;
use tendon_solver::tree::{Effector, Joint};
use tendon_solver::turn::Turn;
use tendon_solver::{Bone, Limit, Modifier, Point, Rig, Shape, Solver, Tree, branches};

use crate::textbook::task::{Answer, Task};

/// `TendonFABRIK2D`.
pub fn fabrik(task: &Task) -> Option<Answer> {
    solve(
        task,
        Solver::Fabrik {
            approach: approach(task),
        },
    )
}

/// `TendonCCDIK2D`.
pub fn ccd_tip_first(task: &Task) -> Option<Answer> {
    solve_by_ccd(task, Ccd { root_first: false })
}

/// `TendonCCDIK2D` with `root_first`.
pub fn ccd_root_first(task: &Task) -> Option<Answer> {
    solve_by_ccd(task, Ccd { root_first: true })
}

fn solve_by_ccd(task: &Task, ccd: Ccd) -> Option<Answer> {
    let approach = approach(task);
    solve(task, Solver::Ccd { ccd, approach })
}

/// `None` for what Tendon cannot be asked yet.
fn solve(task: &Task, solver: Solver) -> Option<Answer> {
    let is_tree = task.effectors.len() > 1 || !task.circles.is_empty();
    match solver {
        Solver::Fabrik { .. } if is_tree => Some(solve_tree(task)),
        _ if is_tree => None,
        _ => Some(solve_rig(task, solver)),
    }
}

fn solve_rig(task: &Task, solver: Solver) -> Answer {
    let mut rig = Rig::new(bones(task), vec![modifier(task, solver)]);
    rig.validate().expect("a sound rig");
    rig.solve();
    let bones = 0..task.bones.len();
    Answer {
        angles: bones.map(|bone| rig.rotation(bone).into()).collect(),
        iterations: rig.modifiers[0].report.iterations,
    }
}

/// FABRIK with several effectors, or with circles in the way.
fn solve_tree(task: &Task) -> Answer {
    let mut tree = Tree::default();
    for bone in &task.bones {
        let origin = bone.parent.map_or(Vec2::ZERO, |parent| end(task, parent));
        let turn = Turn::from_angle(bone.start as f32);
        tree.push(Joint::free(bone.parent, origin, Mat2::IDENTITY, turn));
    }
    for effector in &task.effectors {
        tree.push_effector(Effector {
            joint: effector.bone,
            position: end(task, effector.bone),
            target: effector.target.as_vec2(),
            weight: 1.0,
        });
    }
    for circle in &task.circles {
        let radius = circle.radius as f32;
        let place = Affine2::from_translation(circle.centre.as_vec2());
        tree.obstacles_mut().push(Shape::Circle { radius }, place);
    }
    tree.prepare().expect("a sound tree");
    let outcome = branches::solve(&mut tree, approach(task));
    let bones = task.bones.iter().enumerate();
    Answer {
        angles: bones
            .map(|(index, bone)| bone.start + f64::from(tree.swing(index)))
            .collect(),
        iterations: outcome.iterations,
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
