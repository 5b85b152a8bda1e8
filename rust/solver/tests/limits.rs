//! Joint limits: never exceeded, always reached within where that is possible, and still.
//!
//! `TENDON_LIMIT_CASES=30000 cargo test --release -p tendon-solver --test limits -- --nocapture`
//! runs the suite of limited chains with that many targets each and prints the success rates.

mod common;

use std::f32::consts::PI;

use common::borders::{cross, difference};
use common::extent::extent;
use common::parts::two_bone;
use common::{CHAIN_SOLVERS, ChainSolver, Line};
use glam::{Mat2, Vec2};
use proptest::prelude::*;
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use tendon_solver::math::angle::shortest_way;
use tendon_solver::{Approach, Bone, Limit, LimitSpace, Status, TwoBone, TwoBoneSettings};

/// Radians by which rounding may carry a joint beyond its limit.
const EXCESS: f32 = 1e-4;

/// A target reachable within the limits may be missed by this part of the reach.
const MISS: f32 = 1e-3;

/// The limited chains of the published comparison: degrees from, to, and joints.
const SUITE: [(f32, f32, usize); 5] = [
    (-30.0, 30.0, 4),
    (-60.0, 60.0, 8),
    (0.0, 120.0, 3),
    (0.0, 45.0, 8),
    (-20.0, 20.0, 16),
];

fn cases() -> usize {
    let chosen = std::env::var("TENDON_LIMIT_CASES").ok();
    let ordinary = || extent(75, 1_500, 1_500);
    chosen.map_or_else(ordinary, |cases| cases.parse().expect("a number of cases"))
}

/// One bone of a limited chain.
#[derive(Clone, Copy, Debug)]
struct Link {
    offset: Vec2,
    scale: Vec2,
    limit: Option<Limit>,
}

fn chain_of(links: &[Link], rotations: &[f32]) -> Line {
    Line::new(links.iter().zip(rotations).map(|(link, &rotation)| {
        let bone = Bone {
            rotation,
            scale: link.scale,
            limit: link.limit,
            ..Bone::below(None)
        };
        (bone, link.offset)
    }))
}

/// How far the joint that is worst off is beyond its limit, radians.
fn excess(links: &[Link], chain: &Line) -> f32 {
    let mut basis = Mat2::IDENTITY;
    let mut worst = 0.0_f32;
    for (link, rotation) in links.iter().zip(chain.rotations()) {
        if let Some(limit) = link.limit {
            let angle = match limit.space {
                LimitSpace::Parent => rotation,
                LimitSpace::Skeleton => (basis * Vec2::from_angle(rotation)).to_angle(),
            };
            let middle = limit.rest + 0.5 * (limit.min + limit.max);
            let half = 0.5 * (limit.max - limit.min);
            worst = worst.max(shortest_way(middle, angle).abs() - half);
        }
        basis *= Mat2::from_angle(rotation) * Mat2::from_diagonal(link.scale);
    }
    worst
}

/// A random pose within the limits: the turns of the joints.
fn pose_within(links: &[Link], rng: &mut impl RngExt, spread: f32) -> Vec<f32> {
    let mut basis = Mat2::IDENTITY;
    let mut turns = Vec::new();
    for link in links {
        let turn = match link.limit {
            None => rng.random_range(-spread..spread),
            Some(limit) => {
                let angle = limit.rest + rng.random_range(limit.min..=limit.max);
                match limit.space {
                    LimitSpace::Parent => angle,
                    LimitSpace::Skeleton => (basis.inverse() * Vec2::from_angle(angle)).to_angle(),
                }
            }
        };
        basis *= Mat2::from_angle(turn) * Mat2::from_diagonal(link.scale);
        turns.push(turn);
    }
    turns
}

#[derive(Default)]
struct Tally {
    solved: u32,
    missed: u32,
    iterations: u32,
}

impl Tally {
    fn add(&mut self, links: &[Link], base: &[f32], goal: &[f32]) {
        let target = chain_of(links, goal).real_tip();
        for solver in CHAIN_SOLVERS {
            let mut chain = chain_of(links, base);
            let reach = chain.reach();
            let outcome = solver.solve(&mut chain, target);
            let excess = excess(links, &chain);
            assert!(excess <= EXCESS, "{solver:?} exceeds a limit by {excess}");
            self.solved += 1;
            self.iterations += outcome.iterations;
            if chain.real_tip().distance(target) > MISS * reach {
                self.missed += 1;
            }
        }
    }

    fn print(&self, about: &str) {
        println!(
            "{about}: {} of {} missed, {:.1} iterations on average",
            self.missed,
            self.solved,
            f64::from(self.iterations) / f64::from(self.solved)
        );
    }
}

#[test]
fn the_suite_is_reached_within_limits() {
    let mut missed = 0;
    for (from, to, count) in SUITE {
        let limit = Limit::around(0.0, f32::to_radians(from), f32::to_radians(to));
        let link = Link {
            offset: Vec2::X * 30.0,
            scale: Vec2::ONE,
            limit: Some(limit),
        };
        let links = vec![link; count];
        let middle = vec![0.5 * (limit.min + limit.max); count];
        for random_base in [false, true] {
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(7);
            let mut tally = Tally::default();
            for _ in 0..cases() {
                let goal = pose_within(&links, &mut rng, 0.0);
                let base = if random_base {
                    pose_within(&links, &mut rng, 0.0)
                } else {
                    middle.clone()
                };
                tally.add(&links, &base, &goal);
            }
            let start = if random_base {
                "a random pose"
            } else {
                "the middle"
            };
            tally.print(&format!(
                "{from}..{to} degrees, {count} joints, from {start}"
            ));
            missed += tally.missed;
        }
    }
    assert_eq!(missed, 0);
}

fn random_links(rng: &mut impl RngExt, any_scales: bool) -> Vec<Link> {
    let count = rng.random_range(2..=10);
    let links = (0..count).map(|_| {
        let x = rng.random_range(0.6..1.5);
        let y = if any_scales {
            rng.random_range(0.6..1.5)
        } else {
            x
        };
        let mirror = if rng.random_ratio(1, 5) { -1.0 } else { 1.0 };
        let min = rng.random_range(-2.0..0.3);
        let limit = Limit {
            rest: rng.random_range(-1.0..1.0),
            min,
            max: min + rng.random_range(0.1..2.0),
            space: if rng.random_ratio(1, 4) {
                LimitSpace::Skeleton
            } else {
                LimitSpace::Parent
            },
            stiffness: if rng.random_ratio(1, 3) { 0.7 } else { 0.0 },
        };
        Link {
            offset: Vec2::from_angle(rng.random_range(-0.3..0.3)) * rng.random_range(12.0..60.0),
            scale: Vec2::new(x, mirror * y),
            limit: rng.random_ratio(3, 4).then_some(limit),
        }
    });
    links.collect()
}

#[test]
fn random_limited_chains_reach() {
    for any_scales in [false, true] {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(11);
        let mut tally = Tally::default();
        for _ in 0..cases() {
            let links = random_links(&mut rng, any_scales);
            let goal = pose_within(&links, &mut rng, 3.0);
            let base = pose_within(&links, &mut rng, 3.0);
            tally.add(&links, &base, &goal);
        }
        let scales = if any_scales {
            "any scales"
        } else {
            "uniform scales"
        };
        tally.print(&format!("random limits, {scales}"));
        // Behind stretched bones one in many thousands may need an attempt more than are made.
        let allowed = if any_scales { tally.solved / 30_000 } else { 0 };
        assert!(tally.missed <= allowed, "{} missed", tally.missed);
    }
}

/// The least distance between tip and target over a fine grid of the two angles.
fn searched(links: &[Link], target: Vec2) -> f32 {
    const GRID: u32 = 250;
    let interval = |link: &Link| {
        link.limit.map_or((-PI, PI), |limit| {
            (limit.rest + limit.min, limit.rest + limit.max)
        })
    };
    let angle = |(from, to): (f32, f32), index| from + (to - from) * index as f32 / GRID as f32;
    let [upper, lower] = [interval(&links[0]), interval(&links[1])];
    let shapes = [0, 1].map(|index: usize| Mat2::from_diagonal(links[index].scale));
    let offsets = [0, 1].map(|index: usize| shapes[index] * links[index].offset);
    let mut least = f32::INFINITY;
    for shoulder in 0..=GRID {
        let shoulder = Mat2::from_angle(angle(upper, shoulder));
        let frame = shoulder * shapes[0];
        for elbow in 0..=GRID {
            let elbow = Vec2::from_angle(angle(lower, elbow));
            let elbow = match links[1].limit.map(|limit| limit.space) {
                Some(LimitSpace::Skeleton) => (frame.inverse() * elbow).normalize(),
                _ => elbow,
            };
            let tip = shoulder * offsets[0] + frame * elbow.rotate(offsets[1]);
            least = least.min(tip.distance(target));
        }
    }
    least
}

#[test]
fn two_limited_bones_come_as_near_as_any_search_finds() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
    for case in 0..300 {
        let mut links = random_links(&mut rng, false);
        links.truncate(2);
        for link in &mut links {
            if let Some(limit) = &mut link.limit {
                limit.stiffness = 0.0;
            }
        }
        let reach = chain_of(&links, &[0.0, 0.0]).reach();
        let target =
            Vec2::from_angle(rng.random_range(-PI..PI)) * rng.random_range(0.0..1.3) * reach;
        let searched = searched(&links, target);
        for flip_bend_direction in [false, true] {
            let mut chain = chain_of(&links, &[0.3, 0.4]);
            let settings = TwoBoneSettings {
                flip_bend_direction,
                ..TwoBoneSettings::default()
            };
            let two_bone = TwoBone {
                settings,
                ..two_bone()
            };
            chain.solve(two_bone, target);
            let found = chain.real_tip().distance(target);
            assert!(excess(&links, &chain) <= EXCESS);
            assert!(
                found <= searched + 1e-4 * reach,
                "case {case}: {found} > {searched}"
            );
        }
    }
}

#[test]
fn two_limited_bones_reach_what_can_be_reached() {
    for any_scales in [false, true] {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(5);
        let mut missed = 0;
        for _ in 0..4 * cases() {
            let mut links = random_links(&mut rng, any_scales);
            links.truncate(2);
            let goal = pose_within(&links, &mut rng, PI);
            let target = chain_of(&links, &goal).real_tip();
            let mut chain = chain_of(&links, &pose_within(&links, &mut rng, PI));
            let reach = chain.reach();
            chain.solve(two_bone(), target);
            assert!(excess(&links, &chain) <= EXCESS);
            missed += usize::from(chain.real_tip().distance(target) > MISS * reach);
        }
        println!(
            "two bones, {any_scales}: {missed} of {} missed",
            4 * cases()
        );
        let allowed = if any_scales { cases() / 10_000 } else { 0 };
        assert!(missed <= allowed);
    }
}

/// The suite's chains, with the interval that all their joints have.
fn suite() -> impl Iterator<Item = (Vec<Link>, Limit)> {
    SUITE.into_iter().map(|(from, to, count)| {
        let limit = Limit::around(0.0, f32::to_radians(from), f32::to_radians(to));
        let link = Link {
            offset: Vec2::X * 30.0,
            scale: Vec2::ONE,
            limit: Some(limit),
        };
        (vec![link; count], limit)
    })
}

fn anywhere(rng: &mut impl RngExt, greatest: f32) -> Vec2 {
    Vec2::from_angle(rng.random_range(-PI..PI)) * rng.random_range(0.0..greatest)
}

#[test]
fn a_small_motion_of_the_target_moves_the_pose_a_little() {
    // A descent into one of two valleys has a watershed between them, where it must jump.
    const WATERSHEDS: f32 = 0.02;
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(21);
    for (links, _) in suite() {
        let reach = 30.0 * links.len() as f32;
        for solver in CHAIN_SOLVERS {
            let mut jumps = 0.0;
            for _ in 0..300 {
                let base = pose_within(&links, &mut rng, 0.0);
                let target = anywhere(&mut rng, 1.2 * reach);
                let step = Vec2::from_angle(rng.random_range(-PI..PI)) * 1e-4 * reach;
                let [here, there] = [target, target + step].map(|target| {
                    let mut chain = chain_of(&links, &base);
                    solver.solve(&mut chain, target);
                    chain.rotations()
                });
                // A hundred times the angle at which the step is seen from the root.
                if difference(&here, &there) > 0.01 {
                    jumps += 1.0 / 300.0;
                }
            }
            assert!(
                jumps <= WATERSHEDS,
                "{} joints, {solver:?}: {jumps}",
                links.len()
            );
        }
    }
}

#[test]
fn an_unreachable_target_is_approached_as_near_as_possible() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(22);
    let (mut worse, mut unreached) = (0, 0);
    for (links, limit) in suite() {
        let reach = 30.0 * links.len() as f32;
        for _ in 0..60 {
            let base = pose_within(&links, &mut rng, 0.0);
            let target = anywhere(&mut rng, 2.0 * reach);
            for solver in CHAIN_SOLVERS {
                let mut chain = chain_of(&links, &base);
                let outcome = solver.solve(&mut chain, target);
                let left = chain.real_tip().distance(target);
                if left <= MISS * reach {
                    continue;
                }
                assert_eq!(outcome.status, Status::OutOfReach);
                unreached += 1;
                // No joint alone can do better,
                let turns = chain.rotations();
                for index in 0..links.len() {
                    for step in [-0.02, 0.02] {
                        let mut turns = turns.clone();
                        turns[index] = (turns[index] + step).clamp(limit.min, limit.max);
                        let nearer = left - chain_of(&links, &turns).real_tip().distance(target);
                        assert!(nearer <= 5e-4 * reach, "{solver:?} {index}: {nearer}");
                    }
                }
                // nor does any other pose.
                let found_nearer = (0..200).any(|_| {
                    let pose = pose_within(&links, &mut rng, 0.0);
                    let tip = chain_of(&links, &pose).real_tip();
                    tip.distance(target) < left - 2e-3 * reach
                });
                worse += u32::from(found_nearer);
            }
        }
    }
    assert!(unreached > 300);
    assert!(worse * 200 <= unreached, "{worse} of {unreached}");
}

/// Where no pose can be nearer, none is looked for, however the target moves.
#[test]
fn out_of_reach_costs_no_search() {
    let link = Link {
        offset: 30.0 * Vec2::X,
        scale: Vec2::ONE,
        limit: Some(Limit::around(0.0, -1.2, 1.2)),
    };
    for bones in [2, 3, 4] {
        let beyond = (1.3 * 30.0 * bones as f32, 600);
        let nearer_than_it_folds = (if bones == 2 { 8.0 } else { 2.0 }, 1_600);
        for (distance, most) in [beyond, nearer_than_it_folds] {
            let mut chain = chain_of(&vec![link; bones], &vec![0.2; bones]);
            let at = |frame: u32| distance * Vec2::from_angle(0.5 * (0.05 * frame as f32).sin());
            CHAIN_SOLVERS[1].solve(&mut chain, at(0));
            let mut iterations = 0;
            for frame in 1..=100 {
                let target = chain.rig.modifiers[0].solver.parts_mut().own_target_mut();
                target.expect("it has a target").position = at(frame);
                let report = chain.go_on();
                assert_eq!(report.status, Status::OutOfReach);
                iterations += report.iterations;
            }
            assert!(
                iterations < most,
                "{bones} bones, {distance}: {iterations} in 100 frames"
            );
        }
    }
}

#[test]
fn a_solved_pose_does_not_change() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(23);
    let mut restless = 0;
    for (links, _) in suite() {
        let reach = 30.0 * links.len() as f32;
        for _ in 0..100 {
            let base = pose_within(&links, &mut rng, 0.0);
            let target = anywhere(&mut rng, 1.5 * reach);
            for solver in CHAIN_SOLVERS {
                let mut chain = chain_of(&links, &base);
                solver.solve(&mut chain, target);
                for pass in 0..5 {
                    let before = chain.rotations();
                    let distance = chain.real_tip().distance(target);
                    chain.keep_pose();
                    let report = solver.solve(&mut chain, target);
                    let nearer = distance - chain.real_tip().distance(target);
                    // Out of reach, poses that are as near as each other may take turns.
                    if report.status == Status::OutOfReach && nearer <= 1e-3 * reach {
                        continue;
                    }
                    let moved = difference(&before, &chain.rotations());
                    // A first solve may end a little short of the bottom of its valley.
                    assert!(
                        pass == 0 || moved <= 1e-3,
                        "{solver:?} pass {pass}: {moved}"
                    );
                    if moved > 2e-3 {
                        println!(
                            "{solver:?}, {} joints, pass {pass}: {moved}, {report:?}, {target} of {reach}",
                            links.len()
                        );
                    }
                    restless += u32::from(moved > 2e-3);
                }
            }
        }
    }
    assert_eq!(restless, 0, "poses that move on");
}

#[test]
fn a_pose_outside_its_limits_is_brought_in() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(24);
    for _ in 0..300 {
        let links = random_links(&mut rng, true);
        let base: Vec<f32> = links.iter().map(|_| rng.random_range(-PI..PI)).collect();
        for solver in CHAIN_SOLVERS {
            let mut chain = chain_of(&links, &base);
            let target = anywhere(&mut rng, chain.reach());
            solver.solve(&mut chain, target);
            assert!(excess(&links, &chain) <= EXCESS);
            // Even where the tip is on its target already.
            let mut chain = chain_of(&links, &base);
            let target = chain.real_tip();
            solver.solve(&mut chain, target);
            assert!(excess(&links, &chain) <= EXCESS);
        }
    }
}

#[test]
fn limits_mirror_with_the_chain() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(25);
    let (mut compared, mut differing) = (0, 0);
    for _ in 0..300 {
        let mut links = random_links(&mut rng, false);
        for link in &mut links {
            if let Some(limit) = &mut link.limit {
                limit.space = LimitSpace::Parent;
            }
        }
        let base = pose_within(&links, &mut rng, 1.0);
        let target = anywhere(&mut rng, 200.0);
        let flip = Vec2::new(1.0, -1.0);
        let mirrored = |link: &Link| Link {
            offset: link.offset * flip,
            limit: link.limit.map(|limit| Limit {
                rest: -limit.rest,
                min: -limit.max,
                max: -limit.min,
                ..limit
            }),
            ..*link
        };
        let images: Vec<Link> = links.iter().map(mirrored).collect();
        let mut plain = chain_of(&links, &base);
        let mut image = chain_of(&images, &base.iter().map(|turn| -turn).collect::<Vec<_>>());
        let plain_outcome = ChainSolver::Fabrik.solve(&mut plain, target);
        let image_outcome = ChainSolver::Fabrik.solve(&mut image, target * flip);
        if plain_outcome.status == Status::Reached {
            assert_eq!(image_outcome.status, Status::Reached);
            let image: Vec<f32> = image.rotations().iter().map(|turn| -turn).collect();
            let off = difference(&plain.rotations(), &image);
            compared += 1;
            if off >= 1e-3 {
                println!("case {compared}: off by {off}");
                differing += 1;
            }
        }
    }
    assert!(compared > 100);
    assert_eq!(differing, 0, "of {compared}");
}

#[test]
fn a_stiff_joint_turns_less_and_a_locked_one_not_at_all() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(26);
    for solver in CHAIN_SOLVERS {
        let mut turned = [0.0, 0.0, 0.0];
        for _ in 0..100 {
            let goal: Vec<f32> = (0..5).map(|_| rng.random_range(-0.6..0.6)).collect();
            for (index, stiffness) in [0.0, 0.8, 1.0].into_iter().enumerate() {
                let links: Vec<Link> = (0..5)
                    .map(|joint| Link {
                        offset: Vec2::X * 30.0,
                        scale: Vec2::ONE,
                        limit: (joint == 2).then_some(Limit {
                            stiffness,
                            ..Limit::around(0.0, -4.0, 4.0)
                        }),
                    })
                    .collect();
                let target = chain_of(&links, &goal).real_tip();
                let mut chain = chain_of(&links, &[0.1; 5]);
                let outcome = solver.solve(&mut chain, target);
                assert_eq!(outcome.status, Status::Reached);
                turned[index] += (chain.rig.rotation(2) - 0.1).abs();
            }
        }
        assert!(turned[1] < 0.6 * turned[0], "{solver:?}: {turned:?}");
        assert!(turned[2] < 1e-4, "{solver:?}: {turned:?}");
    }
}

#[test]
fn no_jitter_where_a_target_passes_the_root_the_full_reach_or_a_limit() {
    const STEPS: usize = 2_000;
    for (from, to) in [
        (Vec2::new(-60.0, 3.0), Vec2::new(60.0, 3.0)),
        (Vec2::new(100.0, 20.0), Vec2::new(260.0, 50.0)),
        (Vec2::new(-150.0, 100.0), Vec2::new(150.0, 100.0)),
    ] {
        let link = Link {
            offset: Vec2::X * 30.0,
            scale: Vec2::ONE,
            limit: Some(Limit::around(0.0, -1.2, 1.2)),
        };
        let root = Link {
            limit: None,
            ..link
        };
        let links = [root, link, link, link, link, link];
        for solver in CHAIN_SOLVERS {
            // A step is 0.04 to 0.1 units.
            let borders = cross(STEPS, 0.05, |part| {
                let mut chain = chain_of(&links, &[0.2; 6]);
                solver.solve(&mut chain, from.lerp(to, part));
                chain.rotations()
            });
            println!("{solver:?} from {from}: {borders} borders");
        }
    }
}

proptest! {
    #![proptest_config(common::config(3_000))]

    #[test]
    fn numbers_out_of_range_never_panic_nor_come_back(
        offsets in prop::collection::vec((any::<f32>(), any::<f32>(), any::<f32>(), any::<f32>()), 1..6),
        target in (any::<f32>(), any::<f32>()),
        in_skeleton in any::<bool>(),
    ) {
        let space = if in_skeleton { LimitSpace::Skeleton } else { LimitSpace::Parent };
        let chain = Line::new(offsets.iter().map(|&(x, y, min, max)| {
            let limit = Limit { space, ..Limit::around(0.1, min, max) };
            let bone = Bone { limit: Some(limit), ..Bone::below(None) };
            (bone, Vec2::new(x, y))
        }));
        let others = CHAIN_SOLVERS.map(|solver| solver.with(Approach::default()));
        let two_bone = (offsets.len() == 2).then(|| two_bone().into());
        for solver in others.into_iter().chain(two_bone) {
            let mut chain = chain.clone();
            chain.solve(solver.clone(), Vec2::from(target));
            let rotations = chain.rotations();
            prop_assert!(rotations.iter().all(|rotation| rotation.is_finite()), "{solver:?}");
        }
    }
}
