//! Several effectors and obstacles in a whole pass on plain data.

#[path = "common/parts.rs"]
mod parts;

use std::f32::consts::FRAC_PI_4;

use glam::{Affine2, Mat2, Vec2};
use parts::{Edit, ccd, fabrik, reaching};
use tendon_solver::{
    Bone, Defect, Effector, End, Fault, Limit, LimitSpace, Modifier, Obstacle, Point, Rig, Shape,
    Solver, Status, Workspace,
};

fn bone(parent: usize, x: f32, y: f32, rotation: f32) -> Bone {
    Bone {
        position: Vec2::new(x, y),
        rotation,
        ..Bone::below(Some(parent))
    }
}

fn on(bone: usize, x: f32) -> Point {
    parts::on(bone, Vec2::X * x)
}

fn fixed(x: f32, y: f32) -> Point {
    parts::fixed(Vec2::new(x, y))
}

/// A skeleton's root bone in `frame`, a spine of two bones on it, and two arms of two bones on
/// shoulders that stay rigid.
fn torso(frame: fn(&mut Bone)) -> Rig {
    let mut root = Bone::below(None);
    frame(&mut root);
    let bones = vec![
        root,
        bone(0, 0.0, 0.0, -1.5),
        bone(1, 40.0, 0.0, 0.1),
        bone(2, 40.0, 8.0, 0.9),
        bone(3, 6.0, 0.0, 0.3),
        bone(4, 35.0, 0.0, 0.5),
        bone(2, 40.0, -8.0, -0.9),
        bone(6, 6.0, 0.0, -0.3),
        bone(7, 35.0, 0.0, -0.5),
    ];
    let joints = vec![1, 2, 4, 5, 7, 8];
    let end = End::Point(on(5, 30.0));
    let mut modifier = reaching(fabrik(), joints, end, Point::default());
    modifier
        .effectors_mut()
        .push(Effector::new(End::Point(on(8, 30.0)), Point::default()));
    Rig::new(bones, vec![modifier])
}

/// Where both hands are in another pose of the torso.
fn put_targets_within_reach(rig: &mut Rig) {
    let mut other = rig.clone();
    other.modifiers.clear();
    for (index, change) in [(1, 0.4), (2, -0.3), (4, 0.5), (5, 0.6), (7, 0.7), (8, -0.4)] {
        other.bones[index].rotation += change;
    }
    other.solve(&mut Workspace::default());
    rig.modifiers[0].target_mut().position = other.locate(on(5, 30.0));
    rig.modifiers[0].effectors_mut()[0].target.position = other.locate(on(8, 30.0));
}

const FRAMES: [fn(&mut Bone); 4] = [
    |_| {},
    |root| root.scale = Vec2::new(1.0, -1.0),
    |root| {
        root.position = Vec2::new(70.0, -20.0);
        root.rotation = 0.6;
        root.scale = Vec2::new(1.7, 0.6);
    },
    |root| {
        root.scale = Vec2::new(-0.8, 1.3);
        root.skew = 0.4;
    },
];

#[test]
fn both_hands_are_reached_in_any_frame() {
    for (case, frame) in FRAMES.into_iter().enumerate() {
        let mut rig = torso(frame);
        put_targets_within_reach(&mut rig);
        rig.validate().expect("a sound rig");
        let before: Vec<f32> = rig.bones.iter().map(|bone| bone.rotation).collect();
        rig.solve(&mut Workspace::default());
        let modifier = &rig.modifiers[0];
        assert_eq!(modifier.report.status, Status::Reached, "frame {case}");
        assert!(modifier.report.distance < 1e-2);
        let other = &modifier.parts().effectors()[0];
        let miss = rig
            .locate(other.end.point())
            .distance(other.target.position);
        assert!(miss < 1e-2, "frame {case}: {miss}");
        for rigid in [0, 3, 6] {
            assert_eq!(rig.rotation(rigid).to_bits(), before[rigid].to_bits());
        }
    }
}

#[test]
fn a_mirrored_torso_takes_the_mirrored_pose() {
    let [mut plain, mut mirrored] = [FRAMES[0], FRAMES[1]].map(torso);
    put_targets_within_reach(&mut plain);
    put_targets_within_reach(&mut mirrored);
    plain.solve(&mut Workspace::default());
    mirrored.solve(&mut Workspace::default());
    for bone in 1..9 {
        let off = (plain.rotation(bone) - mirrored.rotation(bone)).abs();
        assert!(off < 1e-4, "bone {bone} is off by {off}");
    }
}

#[test]
fn limits_hold_in_trees_in_either_space() {
    for space in [LimitSpace::Parent, LimitSpace::Skeleton] {
        let mut rig = torso(FRAMES[0]);
        let rest = if space == LimitSpace::Parent {
            0.1
        } else {
            -1.4
        };
        rig.bones[2].limit = Some(Limit {
            space,
            ..Limit::around(rest, -0.05, 0.05)
        });
        *rig.modifiers[0].target_mut() = fixed(120.0, -60.0);
        rig.modifiers[0].effectors_mut()[0].target = fixed(110.0, -90.0);
        rig.validate().expect("a sound rig");
        rig.solve(&mut Workspace::default());
        let angle = match space {
            LimitSpace::Parent => rig.rotation(2),
            LimitSpace::Skeleton => rig.rotation(1) + rig.rotation(2),
        };
        assert!((angle - rest).abs() <= 0.05 + 1e-4, "{space:?}: {angle}");
    }
}

#[test]
fn influence_and_activity_hold_for_trees() {
    let mut rig = torso(FRAMES[0]);
    put_targets_within_reach(&mut rig);
    rig.solve(&mut Workspace::default());
    let full = rig.rotation(4);
    rig.modifiers[0].influence = 0.5;
    rig.solve(&mut Workspace::default());
    let base = rig.bones[4].rotation;
    assert!((rig.rotation(4) - 0.5 * (base + full)).abs() < 1e-5);
    rig.modifiers[0].active = false;
    rig.solve(&mut Workspace::default());
    assert_eq!(rig.rotation(4).to_bits(), base.to_bits());
    assert_eq!(rig.modifiers[0].report.status, Status::Idle);
}

/// Seven bones of 40 along X, in a frame, that reach for a point, and an obstacle where the third
/// of them ends if nothing is in the way.
fn tentacle(solver: impl Into<Solver>, frame: fn(&mut Bone)) -> Rig {
    let mut root = Bone::below(None);
    frame(&mut root);
    let mut bones = vec![root];
    for index in 0..7 {
        let x = if index == 0 { 0.0 } else { 40.0 };
        bones.push(bone(index, x, 0.0, 0.05));
    }
    let into_skeleton = rig_frame(&bones[0]);
    let target = parts::fixed(into_skeleton.transform_point2(Vec2::new(190.0, 60.0)));
    let modifier = reaching(solver, (1..8).collect(), End::Point(on(7, 40.0)), target);
    let mut rig = Rig::new(bones, vec![modifier]);
    rig.solve(&mut Workspace::default());
    let place = into_skeleton
        .inverse()
        .transform_point2(rig.locate(on(4, 0.0)));
    rig.modifiers[0].obstacles_mut().push(Obstacle {
        shape: Shape::Capsule {
            radius: 20.0,
            height: 70.0,
        },
        frame: into_skeleton * Affine2::from_translation(place),
        bone: None,
    });
    rig
}

fn rig_frame(root: &Bone) -> Affine2 {
    let linear = Mat2::from_angle(root.rotation) * root.shape();
    Affine2::from_mat2_translation(linear, root.position)
}

/// How deep the bones of the tentacle are inside the capsule, as it is before its frame.
fn depth(rig: &Rig, frame: Affine2) -> f32 {
    let tip = std::iter::once(on(7, 40.0));
    let points: Vec<Vec2> = (1..8)
        .map(|bone| on(bone, 0.0))
        .chain(tip)
        .map(|point| frame.inverse().transform_point2(rig.locate(point)))
        .collect();
    let samples = points
        .windows(2)
        .flat_map(|ends| (0..=200).map(move |part| ends[0].lerp(ends[1], part as f32 / 200.0)));
    let inside = |point: Vec2| {
        let core = Vec2::Y * point.y.clamp(-15.0, 15.0);
        20.0 - point.distance(core)
    };
    samples.map(inside).fold(f32::NEG_INFINITY, f32::max)
}

#[test]
fn obstacles_are_avoided_in_any_frame_by_either_solver() {
    for solver in [Solver::from(fabrik()), Solver::from(ccd(false))] {
        let about = solver.name();
        for (case, frame) in FRAMES.into_iter().enumerate() {
            let mut rig = tentacle(solver.clone(), frame);
            rig.validate().expect("a sound rig");
            let mut blind = rig.clone();
            blind.modifiers[0].obstacles_mut().clear();
            blind.solve(&mut Workspace::default());
            let place = rig.modifiers[0].parts().obstacles()[0].frame;
            assert!(depth(&blind, place) > 1.0, "nothing is in the way");
            rig.solve(&mut Workspace::default());
            let report = rig.modifiers[0].report;
            assert_eq!(report.status, Status::Reached, "{about}, frame {case}");
            assert_eq!(report.penetration, 0.0);
            assert!(depth(&rig, place) <= 0.0, "{about}, frame {case}");
        }
    }
}

#[test]
fn an_obstacle_out_of_the_way_changes_no_bit() {
    let mut rig = tentacle(fabrik(), FRAMES[0]);
    let mut blind = rig.clone();
    blind.modifiers[0].obstacles_mut().clear();
    rig.modifiers[0].obstacles_mut()[0].frame.translation = Vec2::new(-300.0, 0.0);
    rig.solve(&mut Workspace::default());
    blind.solve(&mut Workspace::default());
    for bone in 0..8 {
        assert_eq!(rig.rotation(bone).to_bits(), blind.rotation(bone).to_bits());
    }
}

#[test]
fn an_obstacle_on_a_bone_moves_with_it() {
    let mut rig = tentacle(fabrik(), FRAMES[0]);
    let mut carrier = Bone::below(None);
    carrier.position = Vec2::new(60.0, 10.0);
    carrier.rotation = FRAC_PI_4;
    rig.bones.push(carrier);
    let obstacle = rig.modifiers[0].parts().obstacles()[0];
    let free = rig_frame(&carrier).inverse() * obstacle.frame;
    let mut carried = rig.clone();
    carried.modifiers[0].obstacles_mut()[0] = Obstacle {
        bone: Some(8),
        frame: free,
        ..obstacle
    };
    carried.validate().expect("a sound rig");
    rig.solve(&mut Workspace::default());
    carried.solve(&mut Workspace::default());
    for bone in 0..8 {
        assert!((rig.rotation(bone) - carried.rotation(bone)).abs() < 1e-3);
    }
}

#[test]
fn limits_hold_beside_obstacles() {
    let mut rig = tentacle(ccd(false), FRAMES[0]);
    for bone in &mut rig.bones[1..] {
        bone.limit = Some(Limit::around(0.0, -0.7, 0.7));
    }
    rig.solve(&mut Workspace::default());
    for bone in 1..8 {
        assert!(rig.rotation(bone).abs() <= 0.7 + 1e-4);
    }
    assert_eq!(rig.modifiers[0].report.status, Status::Reached);
    let place = rig.modifiers[0].parts().obstacles()[0].frame;
    assert!(depth(&rig, place) <= 0.0);
}

#[test]
fn a_second_pass_gives_the_same_bits() {
    let mut rig = tentacle(fabrik(), FRAMES[2]);
    rig.solve(&mut Workspace::default());
    let first: Vec<f32> = (0..8).map(|bone| rig.rotation(bone)).collect();
    rig.solve(&mut Workspace::default());
    let second: Vec<f32> = (0..8).map(|bone| rig.rotation(bone)).collect();
    assert_eq!(first, second);
}

#[test]
fn invalid_numbers_leave_the_pose_alone() {
    let breakages: [fn(&mut Modifier); 4] = [
        |modifier| modifier.obstacles_mut()[0].frame.translation.x = f32::NAN,
        |modifier| {
            modifier.obstacles_mut()[0].shape = Shape::Circle {
                radius: f32::INFINITY,
            }
        },
        |modifier| modifier.effectors_mut()[0].target.position.x = f32::NAN,
        |modifier| {
            let end = parts::on(8, Vec2::new(30.0, f32::INFINITY));
            modifier.effectors_mut()[0].end = End::Point(end);
        },
    ];
    for (case, breakage) in breakages.into_iter().enumerate() {
        let mut rig = torso(FRAMES[0]);
        rig.modifiers[0].obstacles_mut().push(Obstacle {
            shape: Shape::Circle { radius: 5.0 },
            frame: Affine2::IDENTITY,
            bone: None,
        });
        breakage(&mut rig.modifiers[0]);
        rig.solve(&mut Workspace::default());
        assert_eq!(
            rig.modifiers[0].report.status,
            Status::Invalid,
            "case {case}"
        );
        for (index, bone) in rig.bones.iter().enumerate() {
            assert_eq!(rig.rotation(index).to_bits(), bone.rotation.to_bits());
        }
    }
}

#[test]
fn invalid_trees_are_reported() {
    let defect = |change: fn(&mut Rig)| {
        let mut rig = torso(FRAMES[0]);
        change(&mut rig);
        rig.validate()
    };
    let faulty = |fault| Err(Defect::Modifier { modifier: 0, fault });
    assert_eq!(defect(|_| {}), Ok(()));
    let broken = faulty(Fault::BrokenTree);
    assert_eq!(
        defect(|rig| rig.modifiers[0].joints_mut().swap(0, 1)),
        broken
    );
    let again = |rig: &mut Rig| {
        let end = End::Point(on(5, 30.0));
        rig.modifiers[0].attach(vec![1, 2, 4, 5, 7, 8, 8], end);
    };
    assert_eq!(defect(again), broken);
    let hung = |rig: &mut Rig| {
        rig.modifiers[0].effectors_mut()[0].end = End::Point(on(0, 30.0));
    };
    assert_eq!(defect(hung), broken);
    let hung = |rig: &mut Rig| {
        rig.modifiers[0].effectors_mut()[0].end = End::Point(fixed(30.0, 0.0));
    };
    assert_eq!(defect(hung), broken);
    let named = |rig: &mut Rig| rig.modifiers[0].effectors_mut()[0].target.bone = Some(70);
    assert_eq!(defect(named), faulty(Fault::NoSuchBone(70)));
    let own = faulty(Fault::OwnTarget);
    let named = |rig: &mut Rig| rig.modifiers[0].effectors_mut()[0].target.bone = Some(5);
    assert_eq!(defect(named), own);

    let obstacle = |bone| Obstacle {
        shape: Shape::Rectangle { size: Vec2::ONE },
        frame: Affine2::IDENTITY,
        bone,
    };
    let mut rig = torso(FRAMES[0]);
    rig.modifiers[0].obstacles_mut().push(obstacle(Some(4)));
    assert_eq!(rig.validate(), own);
}

#[test]
fn a_rig_solves_the_same_after_a_round_trip_through_json() {
    let mut rig = tentacle(fabrik(), FRAMES[3]);
    rig.modifiers.extend(torso(FRAMES[0]).modifiers);
    rig.modifiers[1].attach(vec![1, 2, 4], End::Point(on(4, 30.0)));
    let effector = &mut rig.modifiers[1].effectors_mut()[0];
    effector.end = End::Point(on(2, 30.0));
    effector.weight = 0.5;
    rig.validate().expect("a sound rig");
    let json = serde_json::to_string(&rig).expect("a rig can be written");
    let mut copy: Rig = serde_json::from_str(&json).expect("and read");
    rig.solve(&mut Workspace::default());
    copy.solve(&mut Workspace::default());
    for bone in 0..8 {
        assert_eq!(rig.rotation(bone).to_bits(), copy.rotation(bone).to_bits());
    }
}
