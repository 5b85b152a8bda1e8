//! A report tells of the pose at the end of the pass, whatever later modifiers did.

#[path = "common/parts.rs"]
mod parts;

use glam::Vec2;
use parts::{Edit, fixed, look_at, on, reaching, two_bone};
use tendon_solver::{Bone, End, Modifier, Point, Rig, Solver, Status, Workspace};

/// A spine of one bone, 30 long, with an arm of two bones at its end.
fn bones() -> Vec<Bone> {
    let below = |parent, x| Bone {
        position: Vec2::new(x, 0.0),
        ..Bone::below(parent)
    };
    vec![below(None, 0.0), below(Some(0), 30.0), below(Some(1), 20.0)]
}

fn modifier(solver: impl Into<Solver>, joints: Vec<usize>, tip: f32, target: Vec2) -> Modifier {
    let tip = on(joints[joints.len() - 1], Vec2::new(tip, 0.0));
    reaching(solver, joints, End::Point(tip), fixed(target))
}

fn arm() -> Modifier {
    modifier(two_bone(), vec![1, 2], 20.0, Vec2::new(40.0, 25.0))
}

fn spine() -> Modifier {
    modifier(look_at(), vec![0], 30.0, Vec2::new(20.0, 60.0))
}

#[test]
fn a_tip_that_a_later_modifier_moves_away_is_not_reached() {
    let mut rig = Rig::new(bones(), vec![arm(), spine()]);
    rig.solve(&mut Workspace::default());
    let report = rig.modifiers[0].report;
    assert!(report.distance > 10.0, "{}", report.distance);
    assert_eq!(report.status, Status::OutOfReach);
    assert_eq!(rig.modifiers[1].report.status, Status::Reached);
}

#[test]
fn in_the_order_that_works_both_are_reached() {
    let mut rig = Rig::new(bones(), vec![spine(), arm()]);
    rig.solve(&mut Workspace::default());
    for modifier in &rig.modifiers {
        assert_eq!(modifier.report.status, Status::Reached);
    }
    assert!(rig.modifiers[1].report.distance < 0.01);
}

#[test]
fn a_look_at_whose_bone_is_moved_away_is_measured_by_its_angle() {
    let hand = modifier(look_at(), vec![2], 20.0, Vec2::new(200.0, -300.0));
    let mut rig = Rig::new(bones(), vec![hand.clone(), spine()]);
    rig.solve(&mut Workspace::default());
    assert_eq!(rig.modifiers[0].report.status, Status::OutOfReach);
    let mut rig = Rig::new(bones(), vec![spine(), hand]);
    rig.solve(&mut Workspace::default());
    assert_eq!(rig.modifiers[1].report.status, Status::Reached);
}

#[test]
fn a_target_that_a_later_modifier_moves_away_is_not_reached() {
    let mut arm = arm();
    let mut bones = bones();
    bones.push(Bone::below(None));
    *arm.target_mut() = Point {
        bone: Some(3),
        position: Vec2::new(40.0, 25.0),
    };
    let turner = modifier(look_at(), vec![3], 10.0, Vec2::new(0.0, 50.0));
    let mut rig = Rig::new(bones, vec![arm, turner]);
    rig.solve(&mut Workspace::default());
    assert_eq!(rig.modifiers[0].report.status, Status::OutOfReach);
}

#[test]
fn part_of_a_result_is_no_loss() {
    let mut arm = arm();
    arm.influence = 0.5;
    let mut look = spine();
    look.influence = 0.0;
    let mut rig = Rig::new(bones(), vec![arm, look]);
    rig.solve(&mut Workspace::default());
    let report = rig.modifiers[0].report;
    assert!(report.distance > 1.0);
    assert_eq!(report.status, Status::Reached, "as the solver left it");
}
