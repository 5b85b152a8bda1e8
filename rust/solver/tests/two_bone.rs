//! The two-bone solver: both bends, every quadrant, every degenerate limb.

mod common;

use common::real_tip;
use glam::{Mat2, Vec2};
use proptest::prelude::*;
use tendon_solver::turn::Turn;
use tendon_solver::two_bone::TwoBone;
use tendon_solver::{Chain, Status};

const TOLERANCE: f32 = 0.01;

fn limb(upper: f32, lower: f32) -> Chain {
    let mut chain = Chain::default();
    chain.push(Turn::from_angle(0.4), Vec2::X * upper, Mat2::IDENTITY);
    chain.push(Turn::from_angle(-0.7), Vec2::X * lower, Mat2::IDENTITY);
    chain.prepare().expect("a sound limb");
    chain
}

fn solve(chain: &mut Chain, target: Vec2, flip_bend_direction: bool) -> Status {
    let solver = TwoBone {
        flip_bend_direction,
        ..TwoBone::default()
    };
    solver.solve(chain, target, TOLERANCE).status
}

#[test]
fn a_right_triangle_in_every_quadrant() {
    // 3, 4 and 5: the angle at the root has the cosine 3/5, and the elbow is square.
    for quarter in 0..4 {
        let axis = Turn::from_angle(quarter as f32 * std::f32::consts::FRAC_PI_2);
        let target = axis.apply(Vec2::X * 50.0);
        for (flip, side) in [(false, -1.0), (true, 1.0)] {
            let mut chain = limb(30.0, 40.0);
            assert_eq!(solve(&mut chain, target, flip), Status::Reached);
            let elbow = chain.joints()[0].turn.apply(Vec2::X * 30.0);
            let expected = axis.apply(Vec2::new(18.0, side * 24.0));
            assert!(elbow.distance(expected) < 1e-4, "{quarter} {flip}: {elbow}");
            assert!(real_tip(&chain).distance(target) < 1e-4);
        }
    }
}

#[test]
fn too_far_is_straight_and_too_near_is_folded() {
    for (upper, lower) in [(30.0, 40.0), (40.0, 30.0)] {
        let mut chain = limb(upper, lower);
        assert_eq!(solve(&mut chain, Vec2::Y * 1e9, false), Status::OutOfReach);
        assert!(real_tip(&chain).distance(Vec2::Y * 70.0) < 1e-4);
        assert_eq!(solve(&mut chain, Vec2::Y * 3.0, false), Status::OutOfReach);
        assert!(real_tip(&chain).distance(Vec2::Y * 10.0) < 1e-4);
    }
}

#[test]
fn a_target_on_the_root_keeps_the_direction() {
    let mut chain = limb(30.0, 30.0);
    assert_eq!(solve(&mut chain, Vec2::ZERO, false), Status::Reached);
    let upper = chain.joints()[0].turn.direction();
    assert!(upper.distance(Vec2::from_angle(0.4)) < 1e-6);
}

#[test]
fn bones_without_length_keep_their_angle() {
    let target = Vec2::new(-20.0, 10.0);
    let mut chain = limb(0.0, 40.0);
    assert_eq!(solve(&mut chain, target, false), Status::OutOfReach);
    assert_eq!(chain.joints()[0].turn, Turn::from_angle(0.4));
    assert!(real_tip(&chain).distance(target.normalize() * 40.0) < 1e-4);

    let mut chain = limb(40.0, 0.0);
    assert_eq!(solve(&mut chain, target, false), Status::OutOfReach);
    assert_eq!(chain.joints()[1].turn, Turn::from_angle(-0.7));
    assert!(real_tip(&chain).distance(target.normalize() * 40.0) < 1e-4);

    let mut chain = limb(0.0, 0.0);
    assert_eq!(solve(&mut chain, target, false), Status::OutOfReach);
    assert_eq!(solve(&mut chain, Vec2::ZERO, false), Status::Reached);
}

proptest! {
    #![proptest_config(common::config(20_000))]

    #[test]
    fn every_target_in_the_ring_is_met_on_the_side_asked_for(
        upper in 1.0_f32..100.0,
        lower in 1.0_f32..100.0,
        between in 0.0_f32..=1.0,
        angle in -3.1_f32..3.1,
        flip in any::<bool>(),
    ) {
        let near = (upper - lower).abs();
        let distance = near + between * (upper + lower - near);
        let target = Vec2::from_angle(angle) * distance;
        let mut chain = limb(upper, lower);
        prop_assert_eq!(solve(&mut chain, target, flip), Status::Reached);
        let reach = upper + lower;
        prop_assert!(real_tip(&chain).distance(target) <= 1e-6 * reach);
        let elbow = chain.joints()[0].turn.direction();
        let side = elbow.perp_dot(target);
        let asked = if flip { -side } else { side };
        prop_assert!(asked >= -1e-3 * reach);
    }

    #[test]
    fn an_elbow_that_stretches_its_forearm_is_met_too(
        scale in (0.5_f32..2.0, 0.5_f32..2.0),
        elbow in -2.5_f32..2.5,
        shoulder in -3.0_f32..3.0,
        flip in any::<bool>(),
    ) {
        let chain_at = |shoulder: f32, elbow: f32| {
            let mut chain = Chain::default();
            let shape = Mat2::from_diagonal(Vec2::from(scale));
            chain.push(Turn::from_angle(shoulder), shape * (Vec2::X * 40.0), shape);
            chain.push(Turn::from_angle(elbow), Vec2::X * 40.0, Mat2::IDENTITY);
            chain.prepare().expect("a sound limb");
            chain
        };
        let target = chain_at(shoulder, elbow).tip();
        let mut chain = chain_at(0.1, 0.2);
        prop_assert_eq!(solve(&mut chain, target, flip), Status::Reached);
    }
}
