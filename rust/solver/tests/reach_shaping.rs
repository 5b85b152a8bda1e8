//! What shapes a reach besides its target: poles, distances, softness, stretch, headings and
//! limits, in rigs whose bones and ancestors are mirrored, stretched and skewed.

mod common;

use std::f32::consts::PI;

use common::parts::{self, Edit, ccd, fabrik, fixed, look_at, on, two_bone};
use glam::{Mat2, Vec2};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use tendon_solver::math::angle::shortest_way;
use tendon_solver::{
    Aimed, Approach, Bone, ChainIk, Defect, Direction, Elasticity, End, Fault, Heading, Limit,
    LimitSpace, Modifier, Point, Rig, Solver, Status, TwoBone, TwoBoneSettings, Workspace,
};

const LENGTH: f32 = 30.0;

/// How the bones of a [`limb`] are shaped.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Shapes {
    /// Only what the chain hangs on is stretched and skewed.
    Mount,
    /// Bones in the chain are mirrored and scaled, too.
    Rigid,
    /// Bones in the chain are stretched and skewed, too.
    Any,
}

const SHAPES: [Shapes; 3] = [Shapes::Mount, Shapes::Rigid, Shapes::Any];

/// A bone that mounts the chain, skewed and mirrored, then `count` joints in a line, and a bone
/// at the tip.
fn limb(count: usize, shapes: Shapes, rng: &mut impl RngExt) -> Vec<Bone> {
    let mut bones = vec![Bone {
        position: Vec2::new(7.0, -3.0),
        rotation: rng.random_range(-PI..PI),
        scale: Vec2::new(1.3, if rng.random_bool(0.5) { 0.8 } else { -0.8 }),
        skew: 0.3,
        ..Bone::below(None)
    }];
    for index in 0..=count {
        let x = rng.random_range(0.8..1.2);
        let mirror = if rng.random_ratio(1, 3) { -1.0 } else { 1.0 };
        let (scale, skew) = match shapes {
            Shapes::Mount => (Vec2::ONE, 0.0),
            Shapes::Rigid => (Vec2::new(x, mirror * x), 0.0),
            Shapes::Any => (
                Vec2::new(x, mirror * rng.random_range(0.8..1.2)),
                rng.random_range(-0.2..0.2),
            ),
        };
        bones.push(Bone {
            position: if index == 0 {
                Vec2::ZERO
            } else {
                Vec2::X * LENGTH
            },
            rotation: rng.random_range(-0.5..0.5),
            scale,
            skew,
            ..Bone::below(Some(index))
        });
    }
    bones
}

fn solvers() -> [Solver; 3] {
    let approach = Approach {
        tolerance: 5e-3,
        ..Approach::default()
    };
    let with_approach = |chain| ChainIk { approach, ..chain };
    [
        two_bone().into(),
        with_approach(ccd(false)).into(),
        with_approach(fabrik()).into(),
    ]
}

fn joints_for(solver: &Solver) -> usize {
    if matches!(solver, Solver::TwoBone(_)) {
        2
    } else {
        5
    }
}

/// Has `solver` reach with the bone at the tip of a [`limb`].
fn reaching(solver: impl Into<Solver>, bones: Vec<Bone>, target: Vec2) -> Rig {
    let count = bones.len() - 2;
    let joints = (1..=count).collect();
    let modifier = parts::reaching(solver, joints, End::Bone(count + 1), fixed(target));
    Rig::new(bones, vec![modifier])
}

fn at_bone(bone: usize) -> Point {
    on(bone, Vec2::ZERO)
}

fn two_bone_of(rig: &mut Rig) -> &mut TwoBone {
    match &mut rig.modifiers[0].solver {
        Solver::TwoBone(two_bone) => two_bone,
        other => panic!("{other:?}"),
    }
}

fn solved(rig: &mut Rig) -> &Modifier {
    rig.validate().expect("a sound rig");
    rig.solve(&mut Workspace::default());
    &rig.modifiers[0]
}

/// A direction of skeleton space in the frame of `bone`.
fn seen_from(rig: &Rig, bone: usize, direction: Vec2) -> Vec2 {
    let place = |position| {
        rig.locate(Point {
            bone: Some(bone),
            position,
        })
    };
    let origin = place(Vec2::ZERO);
    let frame = Mat2::from_cols(place(Vec2::X) - origin, place(Vec2::Y) - origin);
    frame.inverse() * direction
}

/// Where the tip is for random rotations of the joints.
fn place_of_another_pose(bones: &[Bone], rng: &mut impl RngExt, spread: f32) -> (Vec2, Vec2) {
    let mut bones = bones.to_vec();
    let last = bones.len() - 1;
    for bone in &mut bones[1..] {
        bone.rotation = match bone.limit {
            Some(limit) => limit.rest + rng.random_range(limit.min..=limit.max),
            None => rng.random_range(-spread..spread),
        };
    }
    let mut rig = Rig::new(bones, Vec::new());
    rig.solve(&mut Workspace::default());
    (
        rig.locate(at_bone(last)),
        common::heading_of(&rig, last - 1),
    )
}

#[test]
fn tip_and_heading_are_both_met() {
    for solver in &solvers()[1..] {
        for shapes in SHAPES {
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
            let mut missed = 0;
            for _ in 0..400 {
                let bones = limb(5, shapes, &mut rng);
                let (target, vector) = place_of_another_pose(&bones, &mut rng, 0.9);
                let mut rig = reaching(solver.clone(), bones, target);
                *rig.modifiers[0].heading_mut() = Aimed::at(Direction { bone: None, vector });
                let report = solved(&mut rig).report;
                let off = vector.angle_to(common::heading_of(&rig, 5)).abs();
                assert!(off < 1e-3, "{solver:?} {shapes:?}: off by {off}");
                missed += u32::from(report.distance > 0.02);
            }
            // The place for the end need not be within reach of the others in every pose.
            println!("{solver:?} {shapes:?}: {missed} of 400 missed");
            assert!(missed <= if shapes == Shapes::Any { 2 } else { 0 });
        }
    }
}

#[test]
fn a_heading_yields_to_the_last_joints_limit_and_the_tip_still_arrives() {
    for solver in &solvers()[1..] {
        for shapes in SHAPES {
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(2);
            let mut missed = 0;
            let mut held = 0;
            for _ in 0..300 {
                let mut bones = limb(5, shapes, &mut rng);
                let limit = Limit::around(0.1, -0.2, 0.3);
                bones[5].limit = Some(limit);
                let (target, _) = place_of_another_pose(&bones, &mut rng, 0.7);
                let vector = Vec2::from_angle(rng.random_range(-PI..PI));
                let mut rig = reaching(solver.clone(), bones, target);
                *rig.modifiers[0].heading_mut() = Aimed::at(Direction { bone: None, vector });
                let report = solved(&mut rig).report;
                let rotation = rig.rotation(5);
                assert!((-0.1 - 1e-4..=0.4 + 1e-4).contains(&rotation), "{rotation}");
                // Where the limit has no say, the heading decides how far the tip gets.
                let is_held = (rotation + 0.1).min(0.4 - rotation).abs() < 1e-3;
                held += u32::from(is_held);
                missed += u32::from(is_held && report.distance > 0.02);
                let off = vector.angle_to(common::heading_of(&rig, 5)).abs();
                assert!(is_held || off < 1e-3);
                // At the end that is nearer to the heading, by the way that the bone turns.
                let wanted = seen_from(&rig, 4, vector).to_angle();
                let [nearer, farther] = [rotation, 0.3 - rotation];
                let [nearer, farther] =
                    [nearer, farther].map(|end| shortest_way(wanted, end).abs());
                assert!(!is_held || nearer <= farther + 1e-3, "{nearer}, {farther}");
            }
            assert!(held > 50);
            println!("{solver:?} {shapes:?}: {missed} of {held} missed");
            // Held there, the others cannot make up for it in every pose.
            assert!(missed * 20 <= held, "{solver:?} {shapes:?}: {missed}");
        }
    }
}

/// A hand that its limit keeps from the heading is at the end that is nearer to that. While the heading goes round, the hand
/// goes from one end to the other, and does not leap there.
#[test]
fn a_heading_that_goes_round_does_not_flip_the_hand() {
    for solver in solvers() {
        let is_limb = matches!(solver, Solver::TwoBone(_));
        let hand = if is_limb { 3 } else { 5 };
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(4);
        let mut bones = limb(joints_for(&solver), Shapes::Mount, &mut rng);
        let rest = bones[hand].rotation;
        bones[hand].limit = Some(Limit::around(rest, -0.9, 0.7));
        let (target, _) = place_of_another_pose(&bones, &mut rng, 0.7);
        let mut rig = reaching(solver.clone(), bones, target);
        rig.delta = 1.0 / 60.0;
        let (mut fastest, mut turned) = (0.0_f32, [0.0_f32; 2]);
        let mut before = Vec::new();
        for frame in 0..900 {
            let vector = Vec2::from_angle(0.02 * frame as f32);
            let direction = Aimed::at(Direction { bone: None, vector });
            match is_limb {
                true => {
                    let heading = Heading {
                        bone: hand,
                        direction,
                    };
                    two_bone_of(&mut rig).heading = Some(heading);
                }
                false => *rig.modifiers[0].heading_mut() = direction,
            }
            solved(&mut rig);
            rig.go_on();
            let now: Vec<f32> = (1..=hand).map(|bone| rig.rotation(bone)).collect();
            let pairs = now.iter().zip(&before);
            let turns = pairs.map(|(now, before)| shortest_way(*before, *now).abs());
            fastest = turns.fold(fastest, f32::max);
            before = now;
            let turn = shortest_way(rest, rig.rotation(hand));
            turned = [turned[0].min(turn), turned[1].max(turn)];
        }
        assert!(
            turned[0] < -0.89 && turned[1] > 0.69,
            "{solver:?}: {turned:?}"
        );
        assert!(fastest < 0.3, "{fastest}, {solver:?}");
    }
}

#[test]
fn odd_times_and_memories_leave_a_hand_within_its_limit() {
    for solver in solvers() {
        let is_limb = matches!(solver, Solver::TwoBone(_));
        let hand = if is_limb { 3 } else { 5 };
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(4);
        let mut bones = limb(joints_for(&solver), Shapes::Mount, &mut rng);
        let rest = bones[hand].rotation;
        bones[hand].limit = Some(Limit::around(rest, -0.9, 0.7));
        let (target, _) = place_of_another_pose(&bones, &mut rng, 0.7);
        let mut rig = reaching(solver.clone(), bones, target);
        let odd = [f32::NAN, f32::INFINITY, -1e30, -1.0, 0.0, 1.0 / 60.0];
        for (frame, delta) in odd.into_iter().cycle().take(360).enumerate() {
            let vector = Vec2::from_angle(0.05 * frame as f32);
            let direction = Aimed::at(Direction { bone: None, vector });
            match is_limb {
                true => {
                    let bone = hand;
                    two_bone_of(&mut rig).heading = Some(Heading { bone, direction });
                }
                false => *rig.modifiers[0].heading_mut() = direction,
            }
            rig.delta = delta;
            rig.modifiers[0].memory_mut().headed = vec![odd[frame / 6 % 6]];
            solved(&mut rig);
            rig.go_on();
            let turn = shortest_way(rest, rig.rotation(hand));
            let is_within = (-0.9001..0.7001).contains(&turn);
            assert!(is_within, "{solver:?}, frame {frame}, {delta} s: {turn}");
        }
    }
}

#[test]
fn two_bones_turn_the_hand_that_hangs_on_them() {
    for shapes in SHAPES {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
        for _ in 0..100 {
            let bones = limb(2, shapes, &mut rng);
            let (target, _) = place_of_another_pose(&bones, &mut rng, 1.5);
            let mut rig = reaching(two_bone(), bones, target);
            let vector = Vec2::from_angle(rng.random_range(-PI..PI));
            let direction = Direction {
                bone: Some(0),
                vector,
            };
            two_bone_of(&mut rig).heading = Some(Heading {
                bone: 3,
                direction: Aimed::at(direction),
            });
            let report = solved(&mut rig).report;
            let carried = rig.locate(Point {
                bone: Some(0),
                position: vector,
            }) - rig.locate(at_bone(0));
            assert!(common::heading_of(&rig, 3).angle_to(carried).abs() < 1e-3);
            assert_eq!(report.status, Status::Reached);

            let full = rig.rotation(3);
            rig.modifiers[0].influence = 0.25;
            rig.solve(&mut Workspace::default());
            let base = rig.bones[3].rotation;
            let expected = 0.25 * shortest_way(base, full);
            assert!((shortest_way(base, rig.rotation(3)) - expected).abs() < 1e-4);
        }
    }
}

#[test]
fn two_bones_bend_to_the_side_of_the_pole() {
    for shapes in SHAPES {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(4);
        for _ in 0..300 {
            let bones = limb(2, shapes, &mut rng);
            let (target, _) = place_of_another_pose(&bones, &mut rng, 1.5);
            let mut rig = reaching(two_bone(), bones, target);
            let pole = Vec2::new(rng.random_range(-90.0..90.0), rng.random_range(-90.0..90.0));
            two_bone_of(&mut rig).pole = Some(fixed(pole));
            assert_eq!(solved(&mut rig).report.status, Status::Reached);
            let root = rig.locate(at_bone(1));
            let side = |point: Vec2| (target - root).perp_dot(point - root);
            let elbow = side(rig.locate(at_bone(2)));
            if shapes != Shapes::Any && elbow.abs() > 1.0 {
                assert_eq!(elbow > 0.0, side(pole) > 0.0);
            }
            // On the line the setting decides.
            two_bone_of(&mut rig).pole = Some(fixed(target));
            rig.solve(&mut Workspace::default());
            let undecided = rig.rotation(2);
            two_bone_of(&mut rig).pole = None;
            rig.solve(&mut Workspace::default());
            assert_eq!(undecided, rig.rotation(2));
        }
    }
}

#[test]
fn distances_are_those_of_the_skeleton() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(5);
    for _ in 0..200 {
        let bones = limb(2, Shapes::Rigid, &mut rng);
        let (target, _) = place_of_another_pose(&bones, &mut rng, 1.5);
        let target = if rng.random_bool(0.5) {
            target
        } else {
            bones[0].position + 0.1 * target
        };
        let settings = TwoBoneSettings {
            min_distance: 24.0,
            max_distance: 26.0,
            ..TwoBoneSettings::default()
        };
        let two_bone = TwoBone {
            settings,
            ..two_bone()
        };
        let mut rig = reaching(two_bone, bones, target);
        solved(&mut rig);
        let root = rig.locate(at_bone(1));
        let tip = rig.modifiers[0].report.tip - root;
        let distance = root.distance(target).clamp(24.0, 26.0);
        assert!((tip.length() - distance).abs() < 0.01, "{tip} {distance}");
        assert!(tip.angle_to(target - root).abs() < 1e-3);
    }
}

/// A straight limb of `count` joints along X.
fn straight(solver: Solver) -> Rig {
    let mut bones = limb(
        joints_for(&solver),
        Shapes::Mount,
        &mut Xoshiro256PlusPlus::seed_from_u64(6),
    );
    bones[0] = Bone::below(None);
    for bone in &mut bones {
        bone.rotation = 0.1;
    }
    bones[0].rotation = 0.0;
    reaching(solver, bones, Vec2::ZERO)
}

#[test]
fn softness_and_stretch_are_smooth_and_monotone() {
    for solver in solvers() {
        let reach = LENGTH * joints_for(&solver) as f32;
        for (softness, stretch) in [(0.0, 1.0), (0.2, 1.0), (0.0, 1.5), (0.2, 1.5), (1.0, 1.3)] {
            let mut rig = straight(solver.clone());
            *rig.modifiers[0].elasticity_mut() = Elasticity { softness, stretch };
            let step = 0.02 * reach;
            let mut before = 0.0;
            let mut slope = 1.0;
            for index in 1..150 {
                let target = Vec2::from_angle(0.3) * index as f32 * step;
                *rig.modifiers[0].target_mut() = fixed(target);
                let tip = solved(&mut rig).report.tip;
                let along = tip.dot(Vec2::from_angle(0.3));
                assert!(tip.distance(Vec2::from_angle(0.3) * along) < 0.01);
                let next = (along - before) / step;
                assert!(next > -1e-3, "{solver:?} {softness} {stretch}: {next}");
                if softness > 0.0 {
                    // The sharpest bend of the curve, where the cap of the stretch is eased to.
                    let bend = 1.5 * step / (softness * reach * (stretch - 1.0).clamp(0.3, 1.0));
                    assert!(
                        (next - slope).abs() < bend,
                        "{softness} {stretch}: {next} {slope}"
                    );
                }
                (before, slope) = (along, next);
                assert!(along <= stretch * reach + 0.01);
                if softness == 0.0 {
                    let expected = target.length().min(stretch * reach);
                    assert!((along - expected).abs() < 0.01);
                }
            }
        }
    }
}

#[test]
fn a_stretched_limb_arrives_and_writes_positions() {
    // The mount shrinks lengths to no less than 0.74 (its smaller singular value), and each joint
    // what is below it to no less than 0.8. So five joints measure at least 59, and their target
    // is 360 away; two joints measure at least 31, and theirs is 180 away.
    const ENOUGH: f32 = 6.5;
    for solver in solvers() {
        for shapes in SHAPES {
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(7);
            for _ in 0..50 {
                let bones = limb(joints_for(&solver), shapes, &mut rng);
                let last = bones.len() - 1;
                let mut rig = reaching(solver.clone(), bones, Vec2::ZERO);
                rig.solve(&mut Workspace::default());
                let direction = Vec2::from_angle(rng.random_range(-PI..PI));
                let root = rig.locate(at_bone(1));
                *rig.modifiers[0].target_mut() =
                    fixed(root + 2.0 * LENGTH * last as f32 * direction);
                rig.modifiers[0].elasticity_mut().stretch = ENOUGH;
                let report = solved(&mut rig).report;
                if shapes != Shapes::Any {
                    assert_eq!(report.status, Status::Reached, "{}", report.distance);
                }
                assert_eq!(rig.position(1), rig.bones[1].position);
                let factor = rig.position(2).x / LENGTH;
                assert!(factor > 1.0);
                for bone in 2..=last {
                    assert!(rig.position(bone).distance(Vec2::X * LENGTH * factor) < 1e-3);
                }
                rig.modifiers[0].influence = 0.5;
                rig.solve(&mut Workspace::default());
                let half = Vec2::X * LENGTH * (0.5 + 0.5 * factor);
                assert!(rig.position(last).distance(half) < 1e-3);
                rig.modifiers[0].active = false;
                rig.solve(&mut Workspace::default());
                assert_eq!(rig.position(last), Vec2::X * LENGTH);
            }
        }
    }
}

#[test]
fn without_a_bone_at_the_tip_the_last_segment_keeps_its_length() {
    let mut rig = straight(two_bone().into());
    *rig.modifiers[0].end_mut() = End::Point(on(2, Vec2::X * LENGTH));
    rig.modifiers[0].elasticity_mut().stretch = 2.0;
    *rig.modifiers[0].target_mut() = fixed(Vec2::X * 80.0);
    assert_eq!(solved(&mut rig).report.status, Status::Reached);
    assert!(rig.position(2).distance(Vec2::X * 50.0) < 1e-3);
    assert_eq!(rig.position(3), Vec2::X * LENGTH);
}

#[test]
fn limits_hold_in_the_skeleton_and_in_the_parent_under_any_frames() {
    for shapes in SHAPES {
        for solver in solvers() {
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(8);
            for _ in 0..150 {
                let mut bones = limb(joints_for(&solver), shapes, &mut rng);
                for bone in &mut bones[1..] {
                    let min = rng.random_range(-1.5..0.2);
                    bone.limit = Some(Limit {
                        rest: rng.random_range(-7.0..7.0),
                        min,
                        max: min + rng.random_range(0.0..2.0),
                        space: if rng.random_ratio(1, 3) {
                            LimitSpace::Skeleton
                        } else {
                            LimitSpace::Parent
                        },
                        stiffness: 0.0,
                    });
                }
                let target =
                    Vec2::new(rng.random_range(-90.0..90.0), rng.random_range(-90.0..90.0));
                let count = bones.len() - 2;
                let mut rig = reaching(solver.clone(), bones, target);
                solved(&mut rig);
                for bone in 1..=count {
                    let limit = rig.bones[bone].limit.expect("a limit");
                    let angle = match limit.space {
                        LimitSpace::Parent => rig.rotation(bone),
                        LimitSpace::Skeleton => common::heading_of(&rig, bone).to_angle(),
                    };
                    let middle = limit.rest + 0.5 * (limit.min + limit.max);
                    let off = shortest_way(middle, angle).abs() - 0.5 * (limit.max - limit.min);
                    assert!(off <= 1e-4, "{solver:?} {shapes:?} bone {bone}: {off}");
                }
            }
        }
    }
}

#[test]
fn a_limit_stops_a_look_at() {
    let mut bones = vec![Bone::below(None)];
    bones[0].limit = Some(Limit::around(0.5, -0.25, 0.25));
    let end = End::Point(on(0, Vec2::X));
    let target = fixed(Vec2::from_angle(0.6) * 9.0);
    let look = parts::reaching(look_at(), vec![0], end, target);
    let mut rig = Rig::new(bones, vec![look]);
    assert_eq!(solved(&mut rig).report.status, Status::Reached);
    assert!((rig.rotation(0) - 0.6).abs() < 1e-6);
    *rig.modifiers[0].target_mut() = fixed(Vec2::from_angle(2.0) * 9.0);
    assert_eq!(solved(&mut rig).report.status, Status::OutOfReach);
    assert!((rig.rotation(0) - 0.75).abs() < 1e-6);
    let stiff = Limit {
        stiffness: 0.5,
        ..Limit::around(0.0, -PI, PI)
    };
    rig.bones[0].limit = Some(stiff);
    solved(&mut rig);
    assert!((rig.rotation(0) - 1.0).abs() < 1e-6);
    rig.bones[0].limit = Some(Limit {
        stiffness: 1.0,
        ..stiff
    });
    solved(&mut rig);
    assert_eq!(rig.rotation(0), 0.0);
}

#[test]
fn invalid_settings_are_reported_and_leave_the_pose_alone() {
    let [limb, _, chain] = solvers();
    let rig = || straight(chain.clone());
    let faulty = |fault| Err(Defect::Modifier { modifier: 0, fault });
    let mut broken = rig();
    broken.bones[2].limit = Some(Limit::around(0.0, 1.0, -1.0));
    assert_eq!(broken.validate(), Err(Defect::Limit { bone: 2 }));
    broken.solve(&mut Workspace::default());
    let mut free = rig();
    free.solve(&mut Workspace::default());
    assert_eq!(broken.rotation(2), free.rotation(2));

    let mut broken = rig();
    broken.bones[2].limit = Some(Limit::around(f32::NAN, 0.0, 1.0));
    assert_eq!(broken.validate(), Err(Defect::Limit { bone: 2 }));

    let mut broken = rig();
    *broken.modifiers[0].end_mut() = End::Bone(2);
    assert!(broken.validate().is_err());

    let direction = Direction {
        bone: None,
        vector: Vec2::X,
    };
    let mut broken = straight(limb.clone());
    two_bone_of(&mut broken).heading = Some(Heading {
        bone: 2,
        direction: Aimed::at(direction),
    });
    assert_eq!(broken.validate(), faulty(Fault::Heading));

    let mut broken = straight(limb);
    two_bone_of(&mut broken).pole = Some(at_bone(3));
    assert_eq!(broken.validate(), faulty(Fault::OwnTarget));

    let mut broken = rig();
    *broken.modifiers[0].heading_mut() = Aimed::at(Direction {
        bone: None,
        vector: Vec2::ZERO,
    });
    assert_eq!(solved(&mut broken).report.status, Status::Invalid);
}
