//! A whole pass on plain data: stacked modifiers, influence, broken input, and JSON.

#[path = "common/parts.rs"]
mod parts;

use std::f32::consts::FRAC_PI_2;

use glam::{Affine2, Vec2};
use parts::{Edit, ccd, fabrik, look_at, on, two_bone};
use tendon_solver::{
    Bone, Chain, Defect, End, Fault, Modifier, Obstacle, Point, Rig, Shape, Solver, Status,
    Workspace,
};

/// A straight line of bones along X, each 30 long, hanging on the skeleton.
fn line(count: usize) -> Vec<Bone> {
    (0..count)
        .map(|index| Bone {
            position: if index == 0 {
                Vec2::ZERO
            } else {
                Vec2::X * 30.0
            },
            rotation: 0.1,
            ..Bone::below(index.checked_sub(1))
        })
        .collect()
}

fn reaching(solver: impl Into<Solver>, joints: Vec<usize>, target: Point) -> Modifier {
    let tip = Point {
        bone: joints.last().copied(),
        position: Vec2::X * 30.0,
    };
    parts::reaching(solver, joints, End::Point(tip), target)
}

fn fixed(x: f32, y: f32) -> Point {
    Point {
        bone: None,
        position: Vec2::new(x, y),
    }
}

fn solved(rig: &mut Rig) -> Vec<f32> {
    rig.validate().expect("a sound rig");
    rig.solve(&mut Workspace::default());
    (0..rig.bones.len())
        .map(|bone| rig.rotation(bone))
        .collect()
}

#[test]
fn an_arm_reaches_from_where_the_spine_was_bent_to() {
    let arm = reaching(two_bone(), vec![3, 4], fixed(40.0, 70.0));
    let spine = reaching(fabrik(), vec![0, 1, 2], fixed(30.0, 60.0));
    let mut rig = Rig::new(line(5), vec![spine, arm]);
    solved(&mut rig);
    for modifier in &rig.modifiers {
        assert_eq!(modifier.report.status, Status::Reached);
    }
    // The arm moved no bone of the spine: both still hold at the end of the pass.
    assert!(
        rig.modifiers
            .iter()
            .all(|modifier| modifier.report.distance < 0.01)
    );
}

#[test]
fn a_head_looks_at_the_hand_where_it_is_now() {
    let mut bones = line(3);
    bones.push(Bone {
        position: Vec2::new(-10.0, -40.0),
        ..Bone::below(None)
    });
    let hand = on(2, Vec2::X * 30.0);
    let reach = reaching(fabrik(), vec![0, 1, 2], fixed(20.0, 60.0));
    let look = reaching(look_at(), vec![3], hand);
    let mut rig = Rig::new(bones, vec![reach, look]);
    let rotations = solved(&mut rig);
    let expected = (Vec2::new(20.0, 60.0) - Vec2::new(-10.0, -40.0)).to_angle();
    assert!((rotations[3] - expected).abs() < 1e-4);
}

#[test]
fn influence_blends_from_the_pose_before_the_modifier() {
    let mut rig = Rig::new(
        line(4),
        vec![reaching(fabrik(), vec![0, 1, 2, 3], fixed(20.0, 80.0))],
    );
    let full = solved(&mut rig);
    rig.modifiers[0].influence = 0.5;
    let half = solved(&mut rig);
    rig.modifiers[0].influence = 0.0;
    let none = solved(&mut rig);
    for bone in 0..4 {
        assert_eq!(none[bone].to_bits(), 0.1_f32.to_bits());
        assert!((half[bone] - 0.5 * (0.1 + full[bone])).abs() < 1e-5);
    }
}

#[test]
fn a_second_pass_gives_the_same_bits() {
    let mut rig = Rig::new(
        line(8),
        vec![reaching(fabrik(), (0..8).collect(), fixed(90.0, 90.0))],
    );
    let first = solved(&mut rig);
    let second = solved(&mut rig);
    assert_eq!(first, second);
}

#[test]
fn invalid_numbers_leave_the_pose_and_the_other_modifiers_alone() {
    let breakages: [fn(&mut Rig); 6] = [
        |rig| rig.modifiers[0].target_mut().position.x = f32::NAN,
        |rig| rig.modifiers[0].target_mut().position.y = f32::INFINITY,
        |rig| *rig.modifiers[0].end_mut() = End::Point(on(2, Vec2::new(f32::NAN, 0.0))),
        |rig| rig.bones[1].rotation = f32::NAN,
        |rig| rig.bones[1].scale = Vec2::ZERO,
        |rig| rig.bones[0].skew = FRAC_PI_2,
    ];
    for (case, breakage) in breakages.into_iter().enumerate() {
        let mut bones = line(3);
        bones.push(Bone::below(None));
        let chain = reaching(fabrik(), vec![0, 1, 2], fixed(20.0, 60.0));
        let look = reaching(look_at(), vec![3], fixed(0.0, 50.0));
        let mut rig = Rig::new(bones, vec![chain, look]);
        breakage(&mut rig);
        let given: Vec<_> = rig
            .bones
            .iter()
            .map(|bone| bone.rotation.to_bits())
            .collect();
        let rotations = solved(&mut rig);
        assert_eq!(
            rig.modifiers[0].report.status,
            Status::Invalid,
            "case {case}"
        );
        for bone in 0..3 {
            assert_eq!(rotations[bone].to_bits(), given[bone], "case {case}");
        }
        assert!((rotations[3] - FRAC_PI_2).abs() < 1e-6, "case {case}");
    }
}

#[test]
fn bones_between_two_joints_stay_rigid() {
    let mut bones = line(4);
    bones[1].rotation = -0.8;
    bones[1].scale = Vec2::new(1.0, -1.0);
    let limb = reaching(two_bone(), vec![0, 2], fixed(50.0, 40.0));
    let mut rig = Rig::new(bones, vec![limb]);
    let rotations = solved(&mut rig);
    assert_eq!(rotations[1].to_bits(), (-0.8_f32).to_bits());
    assert_eq!(rig.modifiers[0].report.status, Status::Reached);
    assert!(rig.modifiers[0].report.distance < 1e-3);
}

#[test]
fn rotations_keep_their_full_turns() {
    let mut bones = line(2);
    bones[0].rotation = 6.0;
    let limb = reaching(two_bone(), vec![0, 1], fixed(30.0, 40.0));
    let mut rig = Rig::new(bones, vec![limb]);
    let rotations = solved(&mut rig);
    assert!((rotations[0] - 6.0).abs() <= std::f32::consts::PI);
}

#[test]
fn invalid_indices_are_reported() {
    let target = fixed(1.0, 1.0);
    let faulty = |fault| Err(Defect::Modifier { modifier: 0, fault });
    let defect = |bones: Vec<Bone>, modifier: Modifier| Rig::new(bones, vec![modifier]).validate();

    let mut bones = line(2);
    bones[0].parent = Some(1);
    let limb = reaching(two_bone(), vec![0, 1], target);
    assert_eq!(defect(bones, limb), Err(Defect::ParentOrder { bone: 0 }));

    let limb = reaching(two_bone(), vec![0, 7], target);
    assert_eq!(defect(line(2), limb), faulty(Fault::NoSuchBone(7)));

    for solver in [Solver::from(ccd(false)), Solver::from(fabrik())] {
        let chain = reaching(solver, Vec::new(), target);
        assert_eq!(defect(line(2), chain), faulty(Fault::NoJoints));
    }

    let mut aimless = fabrik();
    aimless.chain = Chain::new(vec![0, 1], End::Point(on(1, Vec2::ZERO)));
    aimless.target.set(None);
    let aimless = Modifier::new(aimless);
    assert_eq!(defect(line(2), aimless), faulty(Fault::NoTarget));

    for joints in [vec![1, 0], vec![0, 0]] {
        let limb = reaching(two_bone(), joints, target);
        assert_eq!(defect(line(2), limb), faulty(Fault::BrokenLine));
    }

    let limb = reaching(two_bone(), vec![0, 1], on(2, Vec2::ZERO));
    assert_eq!(defect(line(3), limb), faulty(Fault::OwnTarget));
}

#[test]
fn a_rig_solves_the_same_after_a_round_trip_through_json() {
    let mut rig = Rig::new(
        line(6),
        vec![reaching(fabrik(), (0..6).collect(), fixed(61.7, 83.1))],
    );
    let here = solved(&mut rig);
    let json = serde_json::to_string(&rig).expect("a rig can be written");
    let mut copy: Rig = serde_json::from_str(&json).expect("and read");
    assert_eq!(here, solved(&mut copy));
}

/// A chain that is first out of reach and then within, beside one that no pose brings out of a shape.
#[test]
fn what_another_chain_touches_does_not_count() {
    let rig = |target| Rig::new(line(3), vec![reaching(fabrik(), vec![0, 1, 2], target)]);
    let play = |workspace: &mut Workspace| {
        let mut rig = rig(fixed(0.0, 200.0));
        rig.delta = 1.0 / 60.0;
        rig.solve(workspace);
        *rig.modifiers[0].target_mut() = fixed(20.0, 60.0);
        rig.go_on();
        rig.solve(workspace);
        [0, 1, 2].map(|bone| rig.rotation(bone).to_bits())
    };
    let mut enclosed = rig(fixed(40.0, 40.0));
    enclosed.modifiers[0].obstacles_mut().push(Obstacle {
        shape: Shape::Circle { radius: 1000.0 },
        frame: Affine2::IDENTITY,
        bone: None,
    });
    let mut workspace = Workspace::default();
    enclosed.solve(&mut workspace);
    assert!(enclosed.modifiers[0].report.penetration > 1.0);
    assert_eq!(play(&mut workspace), play(&mut Workspace::default()));
}
