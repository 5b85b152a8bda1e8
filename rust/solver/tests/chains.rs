//! What must hold for CCD and FABRIK on any chain.

mod common;

use std::f32::consts::{FRAC_PI_2, PI};

use common::{CHAIN_SOLVERS, Line, Link, Scales, chain_of, links, problem};
use glam::Vec2;
use proptest::prelude::*;
use tendon_solver::{Approach, Bone, Point, Status};

/// A reachable target may be missed by this part of the reach.
const MISS: f32 = 1e-4;

proptest! {
    #![proptest_config(common::config(20_000))]

    #[test]
    fn a_reachable_target_is_reached(links in links(Scales::Uniform)) {
        for solver in CHAIN_SOLVERS {
            let (mut chain, target) = problem(&links);
            let outcome = solver.solve(&mut chain, target);
            let miss = chain.real_tip().distance(target) / chain.reach();
            prop_assert!(miss <= MISS, "{solver:?} misses by {miss:e} of its reach");
            prop_assert_eq!(outcome.status, Status::Reached, "{:?}", solver);
        }
    }

    #[test]
    fn stretched_bones_reach_too(links in links(Scales::Any)) {
        for solver in CHAIN_SOLVERS {
            let (mut chain, target) = problem(&links);
            solver.solve(&mut chain, target);
            let miss = chain.real_tip().distance(target) / chain.reach();
            prop_assert!(miss <= MISS, "{solver:?} misses by {miss:e} of its reach");
        }
    }

    #[test]
    fn segments_keep_their_lengths(links in links(Scales::Uniform)) {
        let before = chain_of(&links, |link| link.rotation).lengths();
        for solver in CHAIN_SOLVERS {
            let (mut chain, target) = problem(&links);
            solver.solve(&mut chain, target);
            for (now, before) in chain.lengths().into_iter().zip(&before) {
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
            solver.solve(&mut chain, target);
            solver.solve(&mut image, target_image);
            for (rotation, image) in chain.rotations().into_iter().zip(image.rotations()) {
                let flipped = Vec2::from_angle(-image);
                prop_assert!(Vec2::from_angle(rotation).distance(flipped) < 1e-4, "{solver:?}");
            }
        }
    }

    #[test]
    fn the_same_input_gives_the_same_bits(links in links(Scales::Any)) {
        for solver in CHAIN_SOLVERS {
            let (mut first, target) = problem(&links);
            let mut second = first.clone();
            solver.solve(&mut first, target);
            solver.solve(&mut second, target);
            for (first, second) in first.rotations().into_iter().zip(second.rotations()) {
                prop_assert_eq!(first.to_bits(), second.to_bits());
            }
        }
    }

    #[test]
    fn a_far_target_is_pointed_at(links in links(Scales::Uniform), angle in -3.1_f32..3.1, far in 1.001_f32..1e6) {
        for solver in CHAIN_SOLVERS {
            let (mut chain, _) = problem(&links);
            let direction = Vec2::from_angle(angle);
            let target = direction * chain.reach() * far;
            let outcome = solver.solve(&mut chain, target);
            prop_assert_eq!(outcome.status, Status::OutOfReach);
            prop_assert_eq!(outcome.iterations, 1);
            let straight = direction * chain.reach();
            prop_assert!(chain.real_tip().distance(straight) <= 1e-5 * chain.reach());
        }
    }

    #[test]
    fn numbers_out_of_range_never_panic_nor_come_back(
        offsets in prop::collection::vec((any::<f32>(), any::<f32>(), any::<f32>()), 1..6),
        target in (any::<f32>(), any::<f32>()),
    ) {
        for solver in CHAIN_SOLVERS {
            let mut chain = Line::new(offsets.iter().map(|&(x, y, angle)| {
                let angle = if angle.is_finite() { angle } else { 0.0 };
                (bone(angle), Vec2::new(x, y))
            }));
            solver.solve(&mut chain, Vec2::from(target));
            prop_assert!(chain.rotations().iter().all(|rotation| rotation.is_finite()));
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
                let outcome = solver.solve(&mut chain, target);
                assert_eq!(
                    outcome.status,
                    Status::Reached,
                    "{solver:?}, {count} bones, target at {part} of the reach: {} left",
                    chain.real_tip().distance(target)
                );
            }
        }
    }
}

#[test]
fn a_chain_folded_on_its_line_unfolds() {
    for solver in CHAIN_SOLVERS {
        let angles = [0.0, PI, PI, 0.0];
        let mut chain = Line::new(angles.map(|angle| (bone(angle), Vec2::X * 30.0)));
        let target = Vec2::X * 75.0;
        let outcome = solver.solve(&mut chain, target);
        assert_eq!(outcome.status, Status::Reached, "{solver:?}");
    }
}

#[test]
fn one_long_bone_folds_to_the_nearest_point() {
    for solver in CHAIN_SOLVERS {
        let lengths = [10.0, 100.0, 20.0];
        let mut chain = Line::new(lengths.map(|length| (bone(0.3), Vec2::X * length)));
        let target = Vec2::new(0.0, 40.0);
        let outcome = solver.solve(&mut chain, target);
        assert_eq!(outcome.status, Status::OutOfReach);
        assert!(
            chain.real_tip().distance(Vec2::new(0.0, 70.0)) < 1e-3,
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
        let outcome = chain.solve(solver.with(approach), target);
        assert_eq!(outcome.status, Status::Reached, "{solver:?}");
    }
}

#[test]
fn a_pose_that_is_there_already_is_not_touched() {
    for solver in CHAIN_SOLVERS {
        let mut chain = line(5, 0.37);
        let before = chain.rotations();
        let target = chain.rig.locate(Point {
            bone: Some(4),
            position: chain.end,
        });
        let outcome = solver.solve(&mut chain, target);
        assert_eq!(before, chain.rotations());
        assert_eq!(outcome.iterations, 0);
    }
}

#[test]
fn a_bone_scaled_to_nothing_is_refused() {
    let flat = Bone {
        skew: FRAC_PI_2,
        ..bone(0.1)
    };
    let nothing = Bone {
        scale: Vec2::ZERO,
        ..bone(0.1)
    };
    for scaled in [flat, nothing] {
        for solver in CHAIN_SOLVERS {
            let pieces = [scaled, bone(0.1)].map(|bone| (bone, Vec2::X * 30.0));
            let mut chain = Line::new(pieces);
            let outcome = solver.solve(&mut chain, Vec2::new(20.0, 30.0));
            assert_eq!(outcome.status, Status::Invalid);
            assert_eq!(chain.rotations(), [0.1, 0.1]);
        }
    }
}

fn bone(rotation: f32) -> Bone {
    Bone {
        rotation,
        ..Bone::below(None)
    }
}

fn line(count: usize, rotation: f32) -> Line {
    Line::new(vec![(bone(rotation), Vec2::X * 30.0); count])
}

fn straight(count: usize) -> Line {
    line(count, 0.0)
}
