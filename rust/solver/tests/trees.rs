//! What must hold for several effectors that share joints.

mod common;

use common::Scales;
use common::branching::{Limb, Sapling, bush, hand, rotations, solve, spread, two_armed};
use glam::Vec2;
use proptest::prelude::*;
use tendon_solver::{Limit, Rig, Status, Workspace};

/// Targets that can all be reached at once may be missed by this part of the span.
const MISS: f32 = 1e-4;

/// Radians by which sums of angles in `f32` may be off.
const ROUNDING: f32 = 1e-6;

fn solved(mut rig: Rig) -> Vec<f32> {
    solve(&mut rig);
    rotations(&rig)
}

/// The largest difference between two poses, in radians.
fn largest_move(one: &[f32], other: &[f32]) -> f32 {
    let pairs = one.iter().zip(other);
    pairs
        .map(|(one, other)| (one - other).abs())
        .fold(0.0, f32::max)
}

fn all_are_reached(sapling: &Sapling) -> Result<(), TestCaseError> {
    let mut rig = sapling.problem();
    let outcome = solve(&mut rig);
    let miss = sapling.miss(&rotations(&rig), &sapling.goals());
    let steps = outcome.iterations;
    prop_assert!(
        miss <= MISS,
        "misses by {miss:e} of its span after {steps} steps"
    );
    prop_assert_eq!(outcome.status, Status::Reached);
    Ok(())
}

/// Another tip in the middle of the first branch.
fn with_a_held_elbow(mut sapling: Sapling) -> Sapling {
    sapling.tips.push((1, sapling.limbs[2].offset));
    sapling
}

/// Bounds that hold both poses, some of them barely.
fn with_bounds(mut sapling: Sapling) -> Sapling {
    for (index, limb) in sapling.limbs.iter_mut().enumerate() {
        let swing = limb.goal - limb.rotation;
        let room = 0.4 * (index % 3) as f32;
        limb.bounds = Some([swing.min(0.0) - room, swing.max(0.0) + room]);
    }
    sapling
}

/// What least squares makes least, as the real tips have it.
fn cost(sapling: &Sapling, rotations: &[f32], targets: &[Vec2]) -> f64 {
    let tips = sapling.tips_of(rotations);
    let misses = tips.iter().zip(targets);
    misses
        .map(|(tip, target)| tip.distance_squared(target.as_dvec2()))
        .sum()
}

fn any_spread<S: Strategy<Value = Sapling>>(
    tree: impl Fn(f32, Scales) -> S + Clone,
    scales: Scales,
) -> impl Strategy<Value = Sapling> {
    spread().prop_flat_map(move |spread| tree(spread, scales))
}

proptest! {
    #![proptest_config(common::config(10_000))]

    #[test]
    fn two_arms_on_one_spine_reach(sapling in any_spread(two_armed, Scales::Uniform)) {
        all_are_reached(&sapling)?;
    }

    #[test]
    fn five_fingers_reach(sapling in any_spread(hand, Scales::Uniform)) {
        all_are_reached(&sapling)?;
    }

    #[test]
    fn branches_of_branches_reach(sapling in any_spread(bush, Scales::Uniform)) {
        all_are_reached(&sapling)?;
    }

    #[test]
    fn stretched_trees_reach(sapling in any_spread(two_armed, Scales::Any)) {
        all_are_reached(&sapling)?;
    }

    #[test]
    fn an_effector_in_mid_limb_is_reached_too(sapling in any_spread(two_armed, Scales::Uniform)) {
        all_are_reached(&with_a_held_elbow(sapling))?;
    }

    #[test]
    fn bounds_are_kept_and_reached_within(sapling in two_armed(0.8, Scales::Uniform)) {
        let sapling = with_bounds(sapling);
        let pose = solved(sapling.problem());
        for (limb, rotation) in sapling.limbs.iter().zip(&pose) {
            let [lower, upper] = limb.bounds.expect("all have bounds");
            let swing = rotation - limb.rotation;
            let is_within = lower - ROUNDING <= swing && swing <= upper + ROUNDING;
            prop_assert!(is_within, "{lower} <= {swing} <= {upper}");
        }
        let miss = sapling.miss(&pose, &sapling.goals());
        prop_assert!(miss <= MISS, "misses by {miss:e} of its span");
    }
}

proptest! {
    #![proptest_config(common::config(2_000))]

    #[test]
    fn targets_out_of_reach_get_a_true_minimum(sapling in two_armed(1.0, Scales::Any), far in 1.2_f32..3.0) {
        let targets: Vec<Vec2> = sapling.goals().iter().map(|goal| far * *goal).collect();
        let pose = solved(sapling.rig(|tip| (targets[tip], 1.0)));
        let least = cost(&sapling, &pose, &targets);
        for joint in 0..pose.len() {
            for nudge in [-2e-3_f32, 2e-3] {
                let mut near = pose.clone();
                near[joint] += nudge;
                let cost = cost(&sapling, &near, &targets);
                prop_assert!(cost >= least * (1.0 - 2e-6), "joint {joint}: {cost} < {least}");
            }
        }
    }

    #[test]
    fn a_tiny_motion_of_the_target_moves_the_pose_a_little(sapling in two_armed(0.3, Scales::Uniform), far in prop_oneof![Just(1.0_f32), Just(1.3), Just(2.0)]) {
        let goals = sapling.goals();
        let offset = 1e-5 * sapling.span() * Vec2::new(0.6, 0.8);
        let pose = |shift: Vec2| solved(sapling.rig(|tip| (far * goals[tip] + shift, 1.0)));
        let moved = largest_move(&pose(Vec2::ZERO), &pose(offset));
        prop_assert!(moved <= 5e-3, "moves by {moved} rad");
    }

    #[test]
    fn the_same_input_gives_the_same_bits(sapling in any_spread(hand, Scales::Any)) {
        let (first, second) = (solved(sapling.problem()), solved(sapling.problem()));
        prop_assert_eq!(first, second);
    }

    #[test]
    fn a_mirrored_tree_has_the_mirrored_solution(sapling in two_armed(0.6, Scales::Uniform)) {
        let flip = Vec2::new(1.0, -1.0);
        let mut image = sapling.clone();
        for limb in &mut image.limbs {
            *limb = Limb {
                offset: limb.offset * flip,
                rotation: -limb.rotation,
                goal: -limb.goal,
                ..*limb
            };
        }
        for (_, position) in &mut image.tips {
            *position *= flip;
        }
        let (tree, image) = (solved(sapling.problem()), solved(image.problem()));
        for (rotation, image) in tree.iter().zip(&image) {
            prop_assert!((rotation + image).abs() < 1e-3);
        }
    }

    #[test]
    fn an_effector_without_weight_counts_for_nothing(sapling in any_spread(two_armed, Scales::Uniform), x in -500.0_f32..500.0) {
        let goals = sapling.goals();
        let mut more = sapling.clone();
        more.tips.push((1, Vec2::ZERO));
        let with = solved(more.rig(|tip| match goals.get(tip) {
            Some(goal) => (*goal, 1.0),
            None => (Vec2::splat(x), 0.0),
        }));
        prop_assert_eq!(with, solved(sapling.problem()));
    }

    #[test]
    fn numbers_out_of_range_never_panic_nor_come_back(
        sapling in two_armed(1.0, Scales::Any),
        which in 0_usize..4,
        value in any::<f32>(),
        target in (any::<f32>(), any::<f32>()),
        weight in any::<f32>(),
    ) {
        let mut sapling = sapling;
        sapling.limbs[which].offset = Vec2::new(value, 1.0);
        let mut rig = sapling.rig(|_| (Vec2::from(target), weight));
        rig.solve(&mut Workspace::default());
        prop_assert!(rotations(&rig).iter().all(|rotation| rotation.is_finite()));
    }
}

/// `count` joints in one line, `length` apart, with a tip at the end of the last.
fn line(count: usize, length: f32, rotation: f32) -> Sapling {
    let limb = |index: usize| Limb {
        parent: index.checked_sub(1),
        offset: if index == 0 {
            Vec2::ZERO
        } else {
            Vec2::X * length
        },
        scale: Vec2::ONE,
        rotation,
        goal: rotation,
        bounds: None,
    };
    Sapling {
        limbs: (0..count).map(limb).collect(),
        tips: vec![(count - 1, Vec2::X * length)],
    }
}

#[test]
fn two_wishes_for_one_point_meet_at_their_weighted_mean() {
    let wishes = [(Vec2::new(60.0, 60.0), 1.0), (Vec2::new(80.0, -20.0), 0.25)];
    let mut sapling = line(5, 30.0, 0.1);
    sapling.tips.push(sapling.tips[0]);
    let mut rig = sapling.rig(|tip| wishes[tip]);
    let outcome = solve(&mut rig);
    assert_eq!(outcome.status, Status::OutOfReach);
    let mean = (wishes[0].0 + 0.25 * wishes[1].0) / 1.25;
    assert!(outcome.tip.distance(mean) < 1e-3, "{}", outcome.tip);
}

/// Once as a chain, and once as a tree whose other tip counts for nothing.
#[test]
fn a_stiff_joint_turns_less_and_a_rigid_one_not_at_all() {
    for tips in [1, 2] {
        let turned = |stiffness: f32| {
            let mut sapling = line(3, 40.0, 0.3);
            sapling.tips.resize(tips, (1, Vec2::ZERO));
            let weights = [1.0, 0.0];
            let mut rig = sapling.rig(|tip| (Vec2::new(20.0, 80.0), weights[tip]));
            rig.bones[1].limit = Some(Limit {
                stiffness,
                ..Limit::around(0.3, -4.0, 4.0)
            });
            let outcome = solve(&mut rig);
            assert_eq!(outcome.status, Status::Reached);
            (rig.rotation(1) - 0.3).abs()
        };
        let [free, stiff, rigid] = [0.0, 0.8, 1.0].map(turned);
        assert!(stiff < 0.7 * free, "{tips} tips: {stiff} of {free}");
        assert_eq!(rigid, 0.0);
    }
}

/// Once as a chain, and once as a tree whose other tip counts for nothing.
#[test]
fn a_long_line_out_of_reach_is_straightened() {
    for tips in [1, 2] {
        let mut sapling = line(80, 10.0, 0.1);
        sapling.tips.resize(tips, (1, Vec2::ZERO));
        let weights = [1.0, 0.0];
        let mut rig = sapling.rig(|tip| (Vec2::new(0.0, 1200.0), weights[tip]));
        let distance = solve(&mut rig).distance;
        assert!((distance - 400.0).abs() < 4.0, "{tips} tips: {distance}");
    }
}

#[test]
fn a_straight_tree_bends_out_of_its_line() {
    let mut sapling = line(3, 30.0, 0.0);
    sapling.tips.clear();
    for _ in 0..2 {
        let arm = sapling.limbs.len();
        for parent in [2, arm] {
            sapling.limbs.push(Limb {
                parent: Some(parent),
                ..sapling.limbs[2]
            });
        }
        sapling.tips.push((arm + 1, Vec2::X * 30.0));
    }
    let targets = [100.0, 80.0].map(|x| Vec2::X * x);
    let outcome = solve(&mut sapling.rig(|tip| (targets[tip], 1.0)));
    assert_eq!(outcome.status, Status::Reached, "{} left", outcome.distance);
}
