//! What must hold for several effectors that share joints.

mod common;

use common::Scales;
use common::branching::{RandomJoint, RandomTree, bush, hand, spread, two_armed};
use glam::{Mat2, Vec2};
use proptest::prelude::*;
use tendon_solver::approach::Approach;
use tendon_solver::tree::{Effector, Joint, Tree};
use tendon_solver::turn::Turn;
use tendon_solver::{Status, branches};

/// Targets that can all be reached at once may be missed by this part of the span.
const MISS: f32 = 1e-4;

fn solved(mut tree: Tree) -> Tree {
    branches::solve(&mut tree, Approach::default());
    tree
}

fn swings(tree: &Tree) -> Vec<f32> {
    (0..tree.len()).map(|joint| tree.swing(joint)).collect()
}

/// The largest difference between two poses, in radians.
fn largest_move(one: &Tree, other: &Tree) -> f32 {
    let pairs = swings(one).into_iter().zip(swings(other));
    pairs
        .map(|(one, other)| (one - other).abs())
        .fold(0.0, f32::max)
}

fn all_are_reached(random_tree: &RandomTree) -> Result<(), TestCaseError> {
    let mut tree = random_tree.problem();
    let outcome = branches::solve(&mut tree, Approach::default());
    let miss = random_tree.miss(&tree, &random_tree.goals());
    let steps = outcome.iterations;
    prop_assert!(
        miss <= MISS,
        "misses by {miss:e} of its span after {steps} steps"
    );
    prop_assert_eq!(outcome.status, Status::Reached);
    Ok(())
}

/// Another tip in the middle of the first branch.
fn with_a_held_elbow(mut random_tree: RandomTree) -> RandomTree {
    random_tree.tips.push((1, random_tree.joints[2].offset));
    random_tree
}

/// Bounds that hold both poses, some of them barely.
fn with_bounds(mut random_tree: RandomTree) -> RandomTree {
    for (index, joint) in random_tree.joints.iter_mut().enumerate() {
        let swing = joint.goal - joint.rotation;
        let room = 0.4 * (index % 3) as f32;
        joint.bounds = Some([swing.min(0.0) - room, swing.max(0.0) + room]);
    }
    random_tree
}

/// What least squares makes least, as the real tips have it.
fn cost(random_tree: &RandomTree, tree: &Tree, targets: &[Vec2]) -> f64 {
    let tips = random_tree.real_tips(tree);
    let misses = tips.iter().zip(targets);
    misses
        .map(|(tip, target)| tip.as_dvec2().distance_squared(target.as_dvec2()))
        .sum()
}

fn any_spread<S: Strategy<Value = RandomTree>>(
    tree: impl Fn(f32, Scales) -> S + Clone,
    scales: Scales,
) -> impl Strategy<Value = RandomTree> {
    spread().prop_flat_map(move |spread| tree(spread, scales))
}

proptest! {
    #![proptest_config(common::config(10_000))]

    #[test]
    fn two_arms_on_one_spine_reach(random_tree in any_spread(two_armed, Scales::Uniform)) {
        all_are_reached(&random_tree)?;
    }

    #[test]
    fn five_fingers_reach(random_tree in any_spread(hand, Scales::Uniform)) {
        all_are_reached(&random_tree)?;
    }

    #[test]
    fn branches_of_branches_reach(random_tree in any_spread(bush, Scales::Uniform)) {
        all_are_reached(&random_tree)?;
    }

    #[test]
    fn stretched_trees_reach(random_tree in any_spread(two_armed, Scales::Any)) {
        all_are_reached(&random_tree)?;
    }

    #[test]
    fn an_effector_in_mid_limb_is_reached_too(random_tree in any_spread(two_armed, Scales::Uniform)) {
        all_are_reached(&with_a_held_elbow(random_tree))?;
    }

    #[test]
    fn bounds_are_kept_and_reached_within(random_tree in two_armed(0.8, Scales::Uniform)) {
        let random_tree = with_bounds(random_tree);
        let tree = solved(random_tree.problem());
        for (index, joint) in random_tree.joints.iter().enumerate() {
            let [lower, upper] = joint.bounds.expect("all have bounds");
            let swing = tree.swing(index);
            prop_assert!(lower <= swing && swing <= upper, "{lower} <= {swing} <= {upper}");
        }
        let miss = random_tree.miss(&tree, &random_tree.goals());
        prop_assert!(miss <= MISS, "misses by {miss:e} of its span");
    }
}

proptest! {
    #![proptest_config(common::config(2_000))]

    #[test]
    fn targets_out_of_reach_get_a_true_minimum(random_tree in two_armed(1.0, Scales::Any), far in 1.2_f32..3.0) {
        let targets: Vec<Vec2> = random_tree.goals().iter().map(|goal| far * *goal).collect();
        let tree = solved(random_tree.tree(|tip| (targets[tip], 1.0)));
        let least = cost(&random_tree, &tree, &targets);
        for joint in 0..tree.len() {
            for nudge in [-2e-3_f32, 2e-3] {
                let mut near = tree.clone();
                near.set_swing(joint, tree.swing(joint) + nudge);
                near.prepare().expect("a sound tree");
                let cost = cost(&random_tree, &near, &targets);
                prop_assert!(cost >= least * (1.0 - 2e-6), "joint {joint}: {cost} < {least}");
            }
        }
    }

    #[test]
    fn a_hair_moves_the_pose_by_a_hair(random_tree in two_armed(0.3, Scales::Uniform), far in prop_oneof![Just(1.0_f32), Just(1.3), Just(2.0)]) {
        let goals = random_tree.goals();
        let hair = 1e-5 * random_tree.problem().span() * Vec2::new(0.6, 0.8);
        let pose = |shift: Vec2| solved(random_tree.tree(|tip| (far * goals[tip] + shift, 1.0)));
        let moved = largest_move(&pose(Vec2::ZERO), &pose(hair));
        prop_assert!(moved <= 5e-3, "moves by {moved} rad");
    }

    #[test]
    fn the_same_input_gives_the_same_bits(random_tree in any_spread(hand, Scales::Any)) {
        let (first, second) = (solved(random_tree.problem()), solved(random_tree.problem()));
        prop_assert_eq!(swings(&first), swings(&second));
    }

    #[test]
    fn a_mirrored_tree_has_the_mirrored_solution(random_tree in two_armed(0.6, Scales::Uniform)) {
        let flip = Vec2::new(1.0, -1.0);
        let mut image = random_tree.clone();
        for joint in &mut image.joints {
            *joint = RandomJoint {
                offset: joint.offset * flip,
                rotation: -joint.rotation,
                goal: -joint.goal,
                ..*joint
            };
        }
        for (_, position) in &mut image.tips {
            *position *= flip;
        }
        let (tree, image) = (solved(random_tree.problem()), solved(image.problem()));
        for joint in 0..tree.len() {
            prop_assert!((tree.swing(joint) + image.swing(joint)).abs() < 1e-3);
        }
    }

    #[test]
    fn an_effector_without_weight_counts_for_nothing(random_tree in any_spread(two_armed, Scales::Uniform), x in -500.0_f32..500.0) {
        let goals = random_tree.goals();
        let mut more = random_tree.clone();
        more.tips.push((1, Vec2::ZERO));
        let with = solved(more.tree(|tip| match goals.get(tip) {
            Some(goal) => (*goal, 1.0),
            None => (Vec2::splat(x), 0.0),
        }));
        prop_assert_eq!(swings(&with), swings(&solved(random_tree.problem())));
    }

    #[test]
    fn numbers_out_of_range_never_panic_nor_come_back(
        random_tree in two_armed(1.0, Scales::Any),
        which in 0_usize..4,
        value in any::<f32>(),
        target in (any::<f32>(), any::<f32>()),
        weight in any::<f32>(),
    ) {
        let mut tree = Tree::default();
        for (index, joint) in random_tree.joints.iter().enumerate() {
            let offset = if index == which { Vec2::new(value, 1.0) } else { joint.offset };
            tree.push(Joint::free(joint.parent, offset, Mat2::IDENTITY, Turn::NONE));
        }
        for &(joint, position) in &random_tree.tips {
            let target = Vec2::from(target);
            tree.push_effector(Effector { joint, position, target, weight });
        }
        if tree.prepare().is_ok() {
            branches::solve(&mut tree, Approach::default());
            prop_assert!(swings(&tree).iter().all(|swing| swing.is_finite()));
        }
    }
}

/// Joints in one line, `length` apart, with a tip at the end of the last.
fn line(count: usize, length: f32, joint: impl Fn(Joint) -> Joint) -> Tree {
    let mut tree = Tree::default();
    for index in 0..count {
        let parent = index.checked_sub(1);
        let plain = Joint::free(
            parent,
            Vec2::X * length,
            Mat2::IDENTITY,
            Turn::from_angle(0.1),
        );
        tree.push(joint(plain));
    }
    tree
}

#[test]
fn two_wishes_for_one_point_meet_at_their_weighted_mean() {
    let mut tree = line(5, 30.0, |joint| joint);
    let wishes = [(Vec2::new(60.0, 60.0), 1.0), (Vec2::new(80.0, -20.0), 0.25)];
    for (target, weight) in wishes {
        tree.push_effector(Effector {
            joint: 4,
            position: Vec2::X * 30.0,
            target,
            weight,
        });
    }
    tree.prepare().expect("a sound tree");
    let outcome = branches::solve(&mut tree, Approach::default());
    assert_eq!(outcome.status, Status::OutOfReach);
    let mean = (wishes[0].0 + 0.25 * wishes[1].0) / 1.25;
    assert!(tree.tip(0).distance(mean) < 1e-3, "{}", tree.tip(0));
}

#[test]
fn a_stiff_joint_turns_less_and_a_rigid_one_not_at_all() {
    let turned = |stiffness: f32| {
        let mut tree = line(3, 40.0, |joint| joint);
        tree.clear();
        for index in 0..3_usize {
            tree.push(Joint {
                stiffness: if index == 1 { stiffness } else { 0.0 },
                ..Joint::free(
                    index.checked_sub(1),
                    Vec2::X * 40.0,
                    Mat2::IDENTITY,
                    Turn::from_angle(0.3),
                )
            });
        }
        tree.push_effector(Effector {
            joint: 2,
            position: Vec2::X * 40.0,
            target: Vec2::new(20.0, 80.0),
            weight: 1.0,
        });
        tree.prepare().expect("a sound tree");
        let outcome = branches::solve(&mut tree, Approach::default());
        assert_eq!(outcome.status, Status::Reached);
        tree.swing(1).abs()
    };
    assert!(turned(0.8) < 0.7 * turned(0.0));
    assert_eq!(turned(1.0), 0.0);
}

#[test]
fn a_long_line_out_of_reach_is_straightened() {
    let mut tree = line(80, 10.0, |joint| joint);
    tree.push_effector(Effector {
        joint: 79,
        position: Vec2::X * 10.0,
        target: Vec2::new(0.0, 1200.0),
        weight: 1.0,
    });
    tree.prepare().expect("a sound tree");
    branches::solve(&mut tree, Approach::default());
    assert!((tree.distance() - 400.0).abs() < 4.0, "{}", tree.distance());
}

#[test]
fn a_straight_tree_bends_out_of_its_line() {
    let mut tree = line(3, 30.0, |joint| Joint {
        turn: Turn::NONE,
        ..joint
    });
    for side in [1.0, -1.0] {
        let arm = tree.len();
        tree.push(Joint::free(
            Some(2),
            Vec2::new(30.0, 0.0),
            Mat2::IDENTITY,
            Turn::NONE,
        ));
        tree.push(Joint::free(
            Some(arm),
            Vec2::X * 30.0,
            Mat2::IDENTITY,
            Turn::NONE,
        ));
        tree.push_effector(Effector {
            joint: arm + 1,
            position: Vec2::X * 30.0,
            target: Vec2::X * (90.0 + 10.0 * side),
            weight: 1.0,
        });
    }
    tree.prepare().expect("a sound tree");
    let outcome = branches::solve(&mut tree, Approach::default());
    assert_eq!(outcome.status, Status::Reached, "{} left", tree.distance());
}
