//! What must hold for CCD and FABRIK on any chain.

mod common;

use common::{CHAIN_SOLVERS, Link, Scales, chain_of, links, problem, real_tip};
use glam::{Mat2, Vec2};
use proptest::prelude::*;
use tendon_solver::approach::Approach;
use tendon_solver::turn::Turn;
use tendon_solver::{Chain, Status};

/// A reachable target may be missed by this part of the reach.
const MISS: f32 = 1e-4;

proptest! {
    #![proptest_config(common::config(20_000))]

    #[test]
    fn a_reachable_target_is_reached(links in links(Scales::Uniform)) {
        for solver in CHAIN_SOLVERS {
            let (mut chain, target) = problem(&links);
            let outcome = solver.solve(&mut chain, target, Approach::default());
            let miss = real_tip(&chain).distance(target) / chain.reach();
            prop_assert!(miss <= MISS, "{solver:?} misses by {miss:e} of its reach");
            prop_assert_eq!(outcome.status, Status::Reached, "{:?}", solver);
        }
    }

    #[test]
    fn stretched_bones_reach_too(links in links(Scales::Any)) {
        for solver in CHAIN_SOLVERS {
            let (mut chain, target) = problem(&links);
            solver.solve(&mut chain, target, Approach::default());
            let miss = real_tip(&chain).distance(target) / chain.reach();
            prop_assert!(miss <= MISS, "{solver:?} misses by {miss:e} of its reach");
        }
    }

    #[test]
    fn segments_keep_their_lengths(links in links(Scales::Uniform)) {
        let before = lengths(&chain_of(&links, |link| link.rotation));
        for solver in CHAIN_SOLVERS {
            let (mut chain, target) = problem(&links);
            solver.solve(&mut chain, target, Approach::default());
            for (now, before) in lengths(&chain).into_iter().zip(&before) {
                prop_assert!((now - before).abs() <= 1e-5 * chain.reach());
            }
        }
    }

    #[test]
    fn a_mirrored_problem_has_the_mirrored_solution(links in links(Scales::Uniform)) {
        let mirrored: Vec<Link> = links.iter().copied().map(Link::mirrored).collect();
        for solver in CHAIN_SOLVERS {
            let (mut chain, target) = problem(&links);
            let (mut image, target_image) = problem(&mirrored);
            solver.solve(&mut chain, target, Approach::default());
            solver.solve(&mut image, target_image, Approach::default());
            for (joint, image) in chain.joints().iter().zip(image.joints()) {
                let flipped = image.turn.direction() * Vec2::new(1.0, -1.0);
                prop_assert!(joint.turn.direction().distance(flipped) < 1e-4, "{solver:?}");
            }
        }
    }

    #[test]
    fn the_same_input_gives_the_same_bits(links in links(Scales::Any)) {
        for solver in CHAIN_SOLVERS {
            let (mut first, target) = problem(&links);
            let mut second = first.clone();
            solver.solve(&mut first, target, Approach::default());
            solver.solve(&mut second, target, Approach::default());
            for (first, second) in first.joints().iter().zip(second.joints()) {
                prop_assert_eq!(first.turn, second.turn);
            }
        }
    }

    #[test]
    fn a_far_target_is_pointed_at(links in links(Scales::Uniform), angle in -3.1_f32..3.1, far in 1.001_f32..1e6) {
        for solver in CHAIN_SOLVERS {
            let (mut chain, _) = problem(&links);
            let direction = Vec2::from_angle(angle);
            let target = direction * chain.reach() * far;
            let outcome = solver.solve(&mut chain, target, Approach::default());
            prop_assert_eq!(outcome.status, Status::OutOfReach);
            prop_assert_eq!(outcome.iterations, 1);
            let straight = direction * chain.reach();
            prop_assert!(real_tip(&chain).distance(straight) <= 1e-5 * chain.reach());
        }
    }

    #[test]
    fn numbers_out_of_range_never_panic_nor_come_back(
        offsets in prop::collection::vec((any::<f32>(), any::<f32>(), any::<f32>()), 1..6),
        target in (any::<f32>(), any::<f32>()),
    ) {
        for solver in CHAIN_SOLVERS {
            let mut chain = Chain::default();
            for &(x, y, angle) in &offsets {
                let angle = if angle.is_finite() { angle } else { 0.0 };
                chain.push(Turn::from_angle(angle), Vec2::new(x, y), Mat2::IDENTITY);
            }
            let target = Vec2::from(target);
            if chain.prepare().is_ok() && target.is_finite() {
                solver.solve(&mut chain, target, Approach::default());
                for joint in chain.joints() {
                    prop_assert!(joint.turn.direction().is_finite());
                }
            }
        }
    }
}

#[test]
fn a_straight_chain_bends_out_of_its_line() {
    for solver in CHAIN_SOLVERS {
        for count in [2, 3, 5, 20] {
            for part in [0.9, 0.5, 0.1, 0.0, -0.5, -0.9] {
                let mut chain = straight(count);
                let target = Vec2::X * part * chain.reach();
                let outcome = solver.solve(&mut chain, target, Approach::default());
                assert_eq!(
                    outcome.status,
                    Status::Reached,
                    "{solver:?}, {count} bones, target at {part} of the reach: {} left",
                    real_tip(&chain).distance(target)
                );
            }
        }
    }
}

#[test]
fn a_chain_folded_on_its_line_unfolds() {
    for solver in CHAIN_SOLVERS {
        let mut chain = Chain::default();
        for angle in [0.0, std::f32::consts::PI, std::f32::consts::PI, 0.0] {
            chain.push(Turn::from_angle(angle), Vec2::X * 30.0, Mat2::IDENTITY);
        }
        chain.prepare().expect("a sound chain");
        let target = Vec2::X * 75.0;
        let outcome = solver.solve(&mut chain, target, Approach::default());
        assert_eq!(outcome.status, Status::Reached, "{solver:?}");
    }
}

#[test]
fn one_long_bone_folds_to_the_nearest_point() {
    for solver in CHAIN_SOLVERS {
        let mut chain = Chain::default();
        for length in [10.0, 100.0, 20.0] {
            chain.push(Turn::from_angle(0.3), Vec2::X * length, Mat2::IDENTITY);
        }
        chain.prepare().expect("a sound chain");
        assert!((chain.nearest() - 70.0).abs() < 1e-4);
        let target = Vec2::new(0.0, 40.0);
        let outcome = solver.solve(&mut chain, target, Approach::default());
        assert_eq!(outcome.status, Status::OutOfReach);
        assert!(
            real_tip(&chain).distance(Vec2::new(0.0, 70.0)) < 1e-3,
            "{solver:?}"
        );
    }
}

#[test]
fn no_sweeps_at_all_still_reach() {
    for solver in CHAIN_SOLVERS {
        let mut chain = straight(6);
        let target = Vec2::new(50.0, 80.0);
        let approach = Approach {
            max_iterations: 0,
            tolerance: 0.01,
        };
        let outcome = solver.solve(&mut chain, target, approach);
        assert_eq!(outcome.status, Status::Reached, "{solver:?}");
    }
}

#[test]
fn a_pose_that_reaches_already_is_not_changed() {
    for solver in CHAIN_SOLVERS {
        let mut chain = straight(5);
        for joint in chain.joints_mut() {
            joint.turn = Turn::from_angle(0.37);
        }
        chain.prepare().expect("a sound chain");
        let before: Vec<_> = chain.joints().iter().map(|joint| joint.turn).collect();
        let target = chain.tip();
        let outcome = solver.solve(&mut chain, target, Approach::default());
        let after: Vec<_> = chain.joints().iter().map(|joint| joint.turn).collect();
        assert_eq!(before, after);
        assert_eq!(outcome.iterations, 0);
    }
}

#[test]
fn a_bone_of_scale_zero_is_refused() {
    for carry in [Mat2::ZERO, Mat2::from_cols(Vec2::X, Vec2::X)] {
        let mut chain = Chain::default();
        chain.push(Turn::NONE, Vec2::X, carry);
        assert!(chain.prepare().is_err());
    }
}

fn straight(count: usize) -> Chain {
    let mut chain = Chain::default();
    for _ in 0..count {
        chain.push(Turn::NONE, Vec2::X * 30.0, Mat2::IDENTITY);
    }
    chain.prepare().expect("a sound chain");
    chain
}

/// Distances between neighbouring joints, and from the last to the tip.
fn lengths(chain: &Chain) -> Vec<f32> {
    let mut place = Mat2::IDENTITY;
    let mut lengths = Vec::new();
    for joint in chain.joints() {
        lengths.push((place * joint.turn.apply(joint.offset)).length());
        place *= joint.turn.apply_to(joint.carry);
    }
    lengths
}
