//! The two-bone solver: both bends, every quadrant, every degenerate limb.

mod common;

use common::Line;
use common::parts::two_bone;
use glam::Vec2;
use proptest::prelude::*;
use tendon_solver::{Bone, Status, TwoBone, TwoBoneSettings};

fn bone(rotation: f32) -> Bone {
    Bone {
        rotation,
        ..Bone::below(None)
    }
}

fn limb(upper: f32, lower: f32) -> Line {
    Line::new([(bone(0.4), Vec2::X * upper), (bone(-0.7), Vec2::X * lower)])
}

fn solve(limb: &mut Line, target: Vec2, flip_bend_direction: bool) -> Status {
    let settings = TwoBoneSettings {
        flip_bend_direction,
        ..TwoBoneSettings::default()
    };
    let two_bone = TwoBone {
        settings,
        ..two_bone()
    };
    limb.solve(two_bone, target).status
}

/// Which way the upper bone points.
fn upper_of(limb: &Line) -> Vec2 {
    Vec2::from_angle(limb.rig.rotation(0))
}

#[test]
fn a_right_triangle_in_every_quadrant() {
    // 3, 4 and 5: the angle at the root has the cosine 3/5, and the elbow is square.
    for quarter in 0..4 {
        let axis = Vec2::from_angle(quarter as f32 * std::f32::consts::FRAC_PI_2);
        let target = axis * 50.0;
        for (flip, side) in [(false, -1.0), (true, 1.0)] {
            let mut limb = limb(30.0, 40.0);
            assert_eq!(solve(&mut limb, target, flip), Status::Reached);
            let elbow = upper_of(&limb) * 30.0;
            let expected = axis.rotate(Vec2::new(18.0, side * 24.0));
            assert!(elbow.distance(expected) < 1e-4, "{quarter} {flip}: {elbow}");
            assert!(limb.real_tip().distance(target) < 1e-4);
        }
    }
}

#[test]
fn too_far_is_straight_and_too_near_is_folded() {
    for (upper, lower) in [(30.0, 40.0), (40.0, 30.0)] {
        let mut limb = limb(upper, lower);
        assert_eq!(solve(&mut limb, Vec2::Y * 1e9, false), Status::OutOfReach);
        assert!(limb.real_tip().distance(Vec2::Y * 70.0) < 1e-4);
        assert_eq!(solve(&mut limb, Vec2::Y * 3.0, false), Status::OutOfReach);
        assert!(limb.real_tip().distance(Vec2::Y * 10.0) < 1e-4);
    }
}

#[test]
fn a_target_on_the_root_keeps_the_direction() {
    let mut limb = limb(30.0, 30.0);
    assert_eq!(solve(&mut limb, Vec2::ZERO, false), Status::Reached);
    assert!(upper_of(&limb).distance(Vec2::from_angle(0.4)) < 1e-6);
}

#[test]
fn bones_without_length_keep_their_angle() {
    let target = Vec2::new(-20.0, 10.0);
    let mut bare = limb(0.0, 40.0);
    assert_eq!(solve(&mut bare, target, false), Status::OutOfReach);
    assert_eq!(bare.rig.rotation(0), 0.4);
    assert!(bare.real_tip().distance(target.normalize() * 40.0) < 1e-4);

    let mut bare = limb(40.0, 0.0);
    assert_eq!(solve(&mut bare, target, false), Status::OutOfReach);
    assert_eq!(bare.rig.rotation(1), -0.7);
    assert!(bare.real_tip().distance(target.normalize() * 40.0) < 1e-4);

    let mut bare = limb(0.0, 0.0);
    assert_eq!(solve(&mut bare, target, false), Status::OutOfReach);
    assert_eq!(solve(&mut bare, Vec2::ZERO, false), Status::Reached);
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
        let mut limb = limb(upper, lower);
        prop_assert_eq!(solve(&mut limb, target, flip), Status::Reached);
        let reach = upper + lower;
        prop_assert!(limb.real_tip().distance(target) <= 1e-6 * reach);
        let side = upper_of(&limb).perp_dot(target);
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
        let limb_at = |shoulder: f32, elbow: f32| {
            let scaled = Bone {
                scale: Vec2::from(scale),
                ..bone(shoulder)
            };
            Line::new([scaled, bone(elbow)].map(|bone| (bone, Vec2::X * 40.0)))
        };
        let target = limb_at(shoulder, elbow).real_tip();
        let mut limb = limb_at(0.1, 0.2);
        prop_assert_eq!(solve(&mut limb, target, flip), Status::Reached);
    }
}
