//! Softness, stretch and headings where a modifier is solved as a tree: with further effectors,
//! or because its chain has to leave an obstacle.

mod common;

use std::f32::consts::PI;

use common::parts::{Edit, ccd, fabrik, fixed, on, reaching};
use glam::{Affine2, Vec2};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use tendon_solver::math::angle::shortest_way;
use tendon_solver::{
    Aimed, Bone, Direction, Effector, Elasticity, End, Limit, LimitSpace, Obstacle, Point, Rig,
    Shape, Solver, Status, Workspace,
};

/// The length of every bone but the shoulders.
const LENGTH: f32 = 30.0;

/// From the root to a hand: two bones of the spine, a shoulder that sticks out sideways, an arm.
const REACH: f32 = 2.0 * LENGTH + 10.0 + 2.0 * LENGTH;

/// What the skeleton's root bone is like, and how the bones inside the tree are scaled.
#[derive(Clone, Copy, Debug)]
struct Shapes {
    mount: Bone,
    inside: Vec2,
}

fn shapes() -> [Shapes; 4] {
    let mount = |rotation, scale, skew| Bone {
        position: Vec2::new(5.0, 8.0),
        rotation,
        scale,
        skew,
        ..Bone::below(None)
    };
    let shapes = |mount, inside| Shapes { mount, inside };
    [
        shapes(mount(0.0, Vec2::ONE, 0.0), Vec2::ONE),
        shapes(mount(0.4, Vec2::new(-1.0, 1.0), 0.0), Vec2::ONE),
        shapes(mount(-1.0, Vec2::new(1.6, 0.7), 0.4), Vec2::ONE),
        shapes(mount(0.7, Vec2::new(1.3, -0.8), 0.0), Vec2::new(1.0, -1.0)),
    ]
}

/// The mount, a spine of bones 1 and 2, and two arms of a shoulder, an upper and a lower arm and a
/// hand: 3 to 6 and 7 to 10. The hands are the tips, and are bones.
fn torso(Shapes { mount, inside }: Shapes) -> Rig {
    let bone = |parent, x, y, rotation| Bone {
        position: Vec2::new(x, y),
        rotation,
        scale: inside,
        ..Bone::below(Some(parent))
    };
    let mut bones = vec![mount, bone(0, 0.0, 0.0, -1.3), bone(1, LENGTH, 0.0, 0.2)];
    for side in [1.0, -1.0] {
        let below = bones.len();
        bones.push(bone(2, LENGTH, 0.0, 0.5 * side));
        bones.push(bone(below, 10.0, 0.0, 0.7 * side));
        bones.push(bone(below + 1, LENGTH, 0.0, -0.4 * side));
        bones.push(bone(below + 2, LENGTH, 0.0, 0.1));
    }
    let joints = vec![1, 2, 3, 4, 5, 7, 8, 9];
    let mut modifier = reaching(fabrik(), joints, End::Bone(6), Point::default());
    modifier
        .effectors_mut()
        .push(Effector::new(End::Bone(10), Point::default()));
    Rig::new(bones, vec![modifier])
}

impl Shapes {
    /// A point that is seen from the root joint in the frame of the mount.
    fn place(&self, seen: Vec2) -> Point {
        let mut bones = vec![self.mount];
        bones[0].parent = None;
        let mut rig = Rig::new(bones, Vec::new());
        rig.solve(&mut Workspace::default());
        fixed(rig.locate(on(0, seen)))
    }

    /// A place of skeleton space, seen from the root joint.
    fn seen(&self, rig: &Rig, place: Vec2) -> Vec2 {
        rig.local_frame(0).inverse().transform_point2(place)
    }
}

fn aim(rig: &mut Rig, shapes: &Shapes, targets: [Vec2; 2]) {
    *rig.modifiers[0].target_mut() = shapes.place(targets[0]);
    rig.modifiers[0].effectors_mut()[0].target = shapes.place(targets[1]);
    rig.validate().expect("a sound rig");
    rig.solve(&mut Workspace::default());
}

/// Where the two tips are, seen from the root joint.
fn tips(rig: &Rig, shapes: &Shapes) -> [Vec2; 2] {
    let parts = rig.modifiers[0].parts();
    [parts.tip(), parts.effectors()[0].end.point()].map(|tip| shapes.seen(rig, rig.locate(tip)))
}

#[test]
fn every_tip_is_eased_over_its_own_reach() {
    let softness = 0.3;
    for shapes in shapes() {
        let mut rig = torso(shapes);
        rig.modifiers[0].elasticity_mut().softness = softness;
        // Both at one place: the tips can get anywhere that each of them can.
        for part in [0.5_f32, 0.69, 0.8, 0.95, 1.0, 1.5, 6.0] {
            let target = Vec2::from_angle(-0.9) * part * REACH;
            aim(&mut rig, &shapes, [target; 2]);
            let eased = if part <= 1.0 - softness {
                part
            } else {
                1.0 - softness + softness * (1.0 - ((1.0 - softness - part) / softness).exp())
            };
            for tip in tips(&rig, &shapes) {
                let off = tip.distance(eased / part * target);
                assert!(off < 1e-3 * REACH, "{shapes:?}, {part}: off by {off}");
            }
            let modifier = &rig.modifiers[0];
            let left = rig
                .locate(modifier.parts().tip())
                .distance(shapes.place(target).position);
            assert!((modifier.report.distance - left).abs() < 1e-3);
            let reached = modifier.report.status == Status::Reached;
            assert_eq!(reached, part <= 1.0 - softness, "{part}");
        }
    }
}

#[test]
fn softness_leaves_no_snap_at_full_reach() {
    let shapes = shapes()[2];
    let largest_turn = |softness| {
        let mut rig = torso(shapes);
        rig.modifiers[0].elasticity_mut().softness = softness;
        let mut before: Option<Vec<f32>> = None;
        let mut largest = 0.0_f32;
        for step in 0..300 {
            let part = 0.85 + 0.001 * step as f32;
            aim(
                &mut rig,
                &shapes,
                [Vec2::from_angle(-0.9) * part * REACH; 2],
            );
            let now: Vec<f32> = (0..11).map(|bone| rig.rotation(bone)).collect();
            for (now, before) in now.iter().zip(before.iter().flatten()) {
                largest = largest.max((now - before).abs());
            }
            before = Some(now);
        }
        largest
    };
    let [hard, soft] = [0.0, 0.2].map(largest_turn);
    assert!(soft < 0.4 * hard, "{soft} rad in a step, {hard} without");
}

#[test]
fn the_tree_stretches_as_far_as_the_farthest_target_asks() {
    for shapes in shapes() {
        for (part, factor) in [(0.9, 1.0), (1.2, 1.2), (1.5, 1.5), (2.0, 1.6)] {
            let mut rig = torso(shapes);
            rig.modifiers[0].elasticity_mut().stretch = 1.6;
            let far = Vec2::from_angle(-1.2) * part * REACH;
            aim(
                &mut rig,
                &shapes,
                [far, Vec2::from_angle(-1.5) * 0.7 * REACH],
            );
            for (bone, given) in rig.bones.iter().enumerate().skip(2) {
                let length = rig.position(bone).length();
                let off = length - factor * given.position.length();
                assert!(
                    off.abs() < 0.02,
                    "{shapes:?}, {part}, bone {bone}: {length}"
                );
            }
            assert_eq!(rig.position(1), rig.bones[1].position, "the root stays");
            // The spine is shared, so the weaker one gives in, and with it this one.
            rig.modifiers[0].effectors_mut()[0].weight = 0.0;
            rig.solve(&mut Workspace::default());
            let tip = tips(&rig, &shapes)[0];
            let off = tip.distance(far * (factor / part).min(1.0));
            assert!(off < 0.05, "{shapes:?}, {part}: off by {off}");
        }
    }
}

#[test]
fn a_tip_that_does_not_count_stretches_nothing() {
    let shapes = shapes()[0];
    let mut rig = torso(shapes);
    rig.modifiers[0].elasticity_mut().stretch = 3.0;
    rig.modifiers[0].effectors_mut()[0].weight = 0.0;
    aim(
        &mut rig,
        &shapes,
        [Vec2::new(20.0, -80.0), Vec2::new(900.0, 0.0)],
    );
    assert_eq!(rig.modifiers[0].report.status, Status::Reached);
    for bone in 0..11 {
        assert_eq!(rig.position(bone), rig.bones[bone].position);
    }
}

#[test]
fn a_tree_with_one_tip_stretches_like_a_chain() {
    for shapes in shapes() {
        for (softness, stretch) in [(0.0, 1.4), (0.2, 1.0), (0.2, 1.4)] {
            for part in [0.9, 1.0, 1.1, 1.3, 2.0] {
                let target = Vec2::from_angle(-1.1) * part * REACH;
                let mut tree = torso(shapes);
                *tree.modifiers[0].elasticity_mut() = Elasticity { softness, stretch };
                tree.modifiers[0].effectors_mut()[0].weight = 0.0;
                aim(&mut tree, &shapes, [target; 2]);
                let mut chain = tree.clone();
                chain.modifiers[0].effectors_mut().clear();
                chain.modifiers[0].attach(vec![1, 2, 3, 4, 5], End::Bone(6));
                chain.validate().expect("a sound rig");
                chain.solve(&mut Workspace::default());
                let tip = on(6, Vec2::ZERO);
                let off = tree.locate(tip).distance(chain.locate(tip));
                assert!(
                    off < 0.02,
                    "{shapes:?}, {softness}, {stretch}, {part}: {off}"
                );
                let lengths = [&tree, &chain].map(|rig| rig.position(4).length());
                assert!((lengths[0] - lengths[1]).abs() < 1e-3, "{lengths:?}");
            }
        }
    }
}

#[test]
fn influence_lengthens_in_part() {
    let shapes = shapes()[1];
    let mut rig = torso(shapes);
    rig.modifiers[0].elasticity_mut().stretch = 2.0;
    rig.modifiers[0].influence = 0.5;
    aim(&mut rig, &shapes, [Vec2::from_angle(-1.2) * 1.4 * REACH; 2]);
    for bone in [2, 4, 6, 9, 10] {
        let part = rig.position(bone).length() / rig.bones[bone].position.length();
        assert!((part - 1.2).abs() < 1e-3, "bone {bone}: {part}");
    }
}

/// Where the hands are in a random pose, and where the main one's forearm points.
fn other_pose(rig: &Rig, rng: &mut impl RngExt, spread: f32) -> ([Vec2; 2], Vec2) {
    let mut other = rig.clone();
    other.modifiers.clear();
    for bone in &mut other.bones[1..] {
        let limit = bone.limit.filter(|limit| limit.space == LimitSpace::Parent);
        bone.rotation = match limit {
            Some(limit) => limit.rest + rng.random_range(limit.min..=limit.max),
            None => bone.rotation + rng.random_range(-spread..spread),
        };
    }
    other.solve(&mut Workspace::default());
    let hands = [6, 10].map(|bone| other.locate(on(bone, Vec2::ZERO)));
    (hands, common::heading_of(&other, 5))
}

fn take(rig: &mut Rig, targets: [Vec2; 2], vector: Vec2) {
    let modifier = &mut rig.modifiers[0];
    *modifier.heading_mut() = Aimed::at(Direction { bone: None, vector });
    modifier.target_mut().position = targets[0];
    modifier.effectors_mut()[0].target.position = targets[1];
    rig.validate().expect("a sound rig");
    rig.solve(&mut Workspace::default());
}

#[test]
fn the_main_tip_takes_its_heading_and_all_tips_arrive() {
    for shapes in shapes() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(5);
        let mut missed = 0;
        for _ in 0..200 {
            let mut rig = torso(shapes);
            let (targets, vector) = other_pose(&rig, &mut rng, 0.8);
            take(&mut rig, targets, vector);
            let off = vector.angle_to(common::heading_of(&rig, 5)).abs();
            assert!(off < 1e-3, "{shapes:?}: heading off by {off}");
            missed += u32::from(rig.modifiers[0].report.status != Status::Reached);
        }
        assert_eq!(missed, 0, "{shapes:?}: {missed} of 200");
    }
}

#[test]
fn a_heading_in_a_tree_yields_to_the_joints_limit() {
    for space in [LimitSpace::Parent, LimitSpace::Skeleton] {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(6);
        let mut held = 0;
        for _ in 0..100 {
            let mut rig = torso(shapes()[0]);
            let rest = if space == LimitSpace::Parent {
                -0.4
            } else {
                -1.0
            };
            rig.bones[5].limit = Some(Limit {
                space,
                ..Limit::around(rest, -0.3, 0.3)
            });
            let (targets, _) = other_pose(&rig, &mut rng, 0.5);
            let vector = Vec2::from_angle(rng.random_range(-PI..PI));
            take(&mut rig, targets, vector);
            let angle = match space {
                LimitSpace::Parent => rig.rotation(5),
                LimitSpace::Skeleton => common::heading_of(&rig, 5).to_angle(),
            };
            let from_rest = (angle - rest).sin().atan2((angle - rest).cos()).abs();
            assert!(from_rest <= 0.3 + 1e-4, "{space:?}: {from_rest}");
            let off = vector.angle_to(common::heading_of(&rig, 5)).abs();
            let is_held = from_rest > 0.3 - 1e-3;
            assert!(is_held || off < 1e-3, "{space:?}: off by {off}");
            held += u32::from(is_held);
        }
        assert!((20..100).contains(&held), "{space:?}: {held}");
    }
}

/// Seven bones along X that take a heading at the end, and a circle where the third of them ends if
/// nothing is in the way.
fn tentacle(solver: impl Into<Solver>, shapes: Shapes, seed: u32) -> (Rig, Vec2) {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed.into());
    let mut bones = vec![shapes.mount];
    for index in 0..8 {
        let x = if index == 0 { 0.0 } else { LENGTH };
        bones.push(Bone {
            position: Vec2::X * x,
            rotation: 0.05,
            scale: shapes.inside,
            ..Bone::below(Some(index))
        });
    }
    let way = Vec2::from_angle(rng.random_range(-0.3..0.3));
    let target = shapes.place(4.5 * LENGTH * way);
    let mut modifier = reaching(solver, (1..8).collect(), End::Bone(8), target);
    let vector = Vec2::from_angle(rng.random_range(-PI..PI));
    *modifier.heading_mut() = Aimed::at(Direction { bone: None, vector });
    let mut rig = Rig::new(bones, vec![modifier]);
    rig.solve(&mut Workspace::default());
    let middle = rig.locate(on(4, Vec2::ZERO));
    rig.modifiers[0].obstacles_mut().push(Obstacle {
        shape: Shape::Circle { radius: 14.0 },
        frame: Affine2::from_translation(middle),
        bone: None,
    });
    (rig, vector)
}

#[test]
fn a_chain_that_leaves_a_shape_keeps_its_heading() {
    for solver in [Solver::from(fabrik()), Solver::from(ccd(false))] {
        let about = solver.name();
        for shapes in shapes() {
            let (mut missed, mut left) = (0, 0);
            for seed in 0..100 {
                let (mut rig, vector) = tentacle(solver.clone(), shapes, seed);
                rig.validate().expect("a sound rig");
                let mut blind = rig.clone();
                blind.modifiers[0].obstacles_mut().clear();
                blind.solve(&mut Workspace::default());
                rig.solve(&mut Workspace::default());
                left += u32::from(rig.rotation(3) != blind.rotation(3));
                let off = vector.angle_to(common::heading_of(&rig, 7)).abs();
                assert!(off < 1e-3, "{about} {shapes:?}: off by {off}");
                let report = rig.modifiers[0].report;
                assert!(report.penetration < 1.0, "{}", report.penetration);
                missed += u32::from(report.status != Status::Reached);
            }
            println!("{shapes:?}: {missed} of 100 missed, {left} were inside");
            assert!(left > 30, "{left}");
            assert_eq!(missed, 0, "{about} {shapes:?}");
        }
    }
}

#[test]
fn a_soft_chain_with_a_heading_stays_soft_when_it_leaves_a_shape() {
    for shapes in shapes() {
        for seed in 0..20 {
            let (mut rig, vector) = tentacle(fabrik(), shapes, seed);
            let modifier = &mut rig.modifiers[0];
            let way = modifier.target_mut().position - shapes.place(Vec2::ZERO).position;
            modifier.elasticity_mut().softness = 0.8;
            modifier.target_mut().position += way;
            modifier.obstacles_mut()[0].shape = Shape::Circle { radius: 4.0 };
            rig.solve(&mut Workspace::default());
            let mut hard = rig.clone();
            hard.modifiers[0].elasticity_mut().softness = 0.0;
            hard.solve(&mut Workspace::default());
            let off = vector.angle_to(common::heading_of(&rig, 7)).abs();
            assert!(off < 1e-3, "{shapes:?}: off by {off}");
            let [soft, hard] = [&rig, &hard].map(|rig| rig.modifiers[0].report.distance);
            assert!(soft > hard + 3.0, "{shapes:?}, {seed}: {soft} and {hard}");
        }
    }
}

#[test]
fn joints_that_keep_directions_fixed_in_the_skeleton_hold_no_tip_back() {
    for shapes in shapes() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(7);
        let (mut missed, mut iterations) = (0, 0);
        for _ in 0..500 {
            let mut rig = torso(shapes);
            let mut other = rig.clone();
            other.modifiers.clear();
            for bone in &mut other.bones[1..] {
                bone.rotation += rng.random_range(-0.7..0.7);
            }
            other.solve(&mut Workspace::default());
            // Barely wide enough for both poses, and often for nothing else.
            for bone in [2, 4, 5, 8, 9] {
                let [from, to] =
                    [&solved_as_given(&rig), &other].map(|rig| common::heading_of(rig, bone));
                let way = from.angle_to(to);
                rig.bones[bone].limit = Some(Limit {
                    space: LimitSpace::Skeleton,
                    ..Limit::around(from.to_angle(), way.min(0.0) - 0.01, way.max(0.0) + 0.01)
                });
            }
            let hands = [6, 10].map(|bone| other.locate(on(bone, Vec2::ZERO)));
            rig.modifiers[0].target_mut().position = hands[0];
            rig.modifiers[0].effectors_mut()[0].target.position = hands[1];
            rig.validate().expect("a sound rig");
            rig.solve(&mut Workspace::default());
            let report = rig.modifiers[0].report;
            missed += u32::from(report.status != Status::Reached);
            iterations += report.iterations;
        }
        // Steps that do not foresee how such a joint turns back take six times as many.
        println!("{shapes:?}: {missed} of 500 missed, {iterations} iterations");
        assert_eq!(missed, 0, "{shapes:?}");
        assert!(iterations < 50 * 500, "{shapes:?}: {iterations}");
    }
}

/// The rig's bones as they are.
fn solved_as_given(rig: &Rig) -> Rig {
    let mut given = Rig::new(rig.bones.clone(), Vec::new());
    given.solve(&mut Workspace::default());
    given
}

/// The largest turn of a bone while the main tip's target leaves in tiny steps, from one part
/// of the reach to another, and the other stays where it is.
fn largest_turn(mut rig: Rig, shapes: &Shapes, from: f32, to: f32) -> f32 {
    let mut before: Option<Vec<f32>> = None;
    let mut largest = 0.0_f32;
    let steps = ((to - from) / 4e-4) as u32;
    for step in 0..steps {
        let part = from + 4e-4 * step as f32;
        let far = Vec2::from_angle(-1.0) * part * REACH;
        let near = Vec2::from_angle(-1.6) * 0.8 * REACH;
        rig.delta = 1.0 / 60.0;
        rig.go_on();
        aim(&mut rig, shapes, [far, near]);
        let now: Vec<f32> = (0..11).map(|bone| rig.rotation(bone)).collect();
        for (&now, &before) in now.iter().zip(before.iter().flatten()) {
            largest = largest.max(shortest_way(before, now).abs());
        }
        before = Some(now);
    }
    largest
}

/// Poses settle by no more than 6 radians a second.
const SETTLING: f32 = 6.0 / 60.0;

#[test]
fn a_target_that_leaves_in_small_steps_turns_bones_in_small_steps() {
    for shapes in shapes() {
        for stretch in [1.0, 1.5] {
            for is_headed in [false, true] {
                let mut rig = torso(shapes);
                *rig.modifiers[0].elasticity_mut() = Elasticity {
                    softness: 0.2,
                    stretch,
                };
                let direction = Direction {
                    bone: None,
                    vector: Vec2::new(0.3, -1.0),
                };
                *rig.modifiers[0].heading_mut() = is_headed.then_some(direction).into();
                let largest = largest_turn(rig, &shapes, 0.72, 1.5);
                assert!(
                    largest < SETTLING,
                    "{shapes:?}, {stretch}, {is_headed}: {largest}"
                );
            }
        }
        // Without softness it snaps straight at full reach, and is steady while it stretches.
        let mut rig = torso(shapes);
        rig.modifiers[0].elasticity_mut().stretch = 1.5;
        let largest = largest_turn(rig, &shapes, 1.01, 1.49);
        assert!(largest < SETTLING, "{shapes:?}, stretched: {largest}");
    }
}
