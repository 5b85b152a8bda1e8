//! The rigs, and how their targets move.

use std::f32::consts::FRAC_PI_2;

use glam::{Affine2, Vec2};
use tendon_solver::{Bone, Effector, End, Limit, Modifier, Obstacle, Point, Rig, Shape};

use crate::parts::{self, Edit};

/// A chain that brings `tip` to its target.
fn fabrik(joints: Vec<usize>, tip: Point) -> Modifier {
    parts::reaching(parts::fabrik(), joints, End::Point(tip), Point::default())
}

pub fn on(bone: usize, x: f32) -> Point {
    parts::on(bone, Vec2::X * x)
}

/// Bones of the spine, their length, and how far they bend either way.
pub const SPINE_BONES: usize = 5;
pub const SPINE: f32 = 54.0;
pub const SPINE_BEND: f32 = 0.35;

/// Where a shoulder is on the last of them, on one side.
pub const SHOULDER: Vec2 = Vec2::new(18.0, 56.0);

/// The lengths of the two bones of an arm.
pub const ARM: [f32; 2] = [106.0, 142.0];

/// Five spine bones with limits, and two arms.
pub fn torso() -> Rig {
    let mut bones = Vec::new();
    for index in 0..SPINE_BONES {
        let (x, rest) = if index == 0 {
            (0.0, -FRAC_PI_2)
        } else {
            (SPINE, 0.0)
        };
        bones.push(Bone {
            position: Vec2::X * x,
            rotation: rest,
            limit: Some(Limit::around(rest, -SPINE_BEND, SPINE_BEND)),
            ..Bone::below(index.checked_sub(1))
        });
    }
    for side in [-1.0, 1.0] {
        let shoulder = bones.len();
        bones.push(Bone {
            position: SHOULDER * Vec2::new(1.0, side),
            rotation: 2.0 * side,
            ..Bone::below(Some(SPINE_BONES - 1))
        });
        bones.push(Bone {
            position: Vec2::X * ARM[0],
            rotation: -1.35 * side,
            ..Bone::below(Some(shoulder))
        });
    }
    // The modifier's own arm comes first in the scene.
    let mut modifier = fabrik(vec![0, 1, 2, 3, 4, 7, 8, 5, 6], on(8, ARM[1]));
    modifier
        .effectors_mut()
        .push(Effector::new(End::Point(on(6, ARM[1])), Point::default()));
    Rig::new(bones, vec![modifier])
}

/// Where the scene's targets are after `time` seconds.
pub fn reach_with_both_hands(rig: &mut Rig, time: f32) {
    let target = Vec2::new(
        800.0 + 140.0 * (0.8 * time).sin(),
        290.0 - 150.0 * (1.1 * time + 0.5).sin(),
    );
    let other = Vec2::new(
        370.0 + 100.0 * (0.7 * time + 0.6).sin(),
        330.0 - 110.0 * (1.3 * time + 2.0).sin(),
    );
    let skeleton = Vec2::new(576.0, 554.0);
    let modifier = &mut rig.modifiers[0];
    modifier.target_mut().position = target - skeleton;
    modifier.effectors_mut()[0].target.position = other - skeleton;
}

/// The length of a bone of the vine, how far a joint bends either way, and how far the root leans from
/// the upright.
pub const VINE_BONE: f32 = 36.0;
pub const VINE_BEND: f32 = 0.5;
pub const VINE_LEAN: f32 = 0.7;

/// The rotations of the vine's bones in the scene.
const VINE: [f32; 31] = [
    -1.1326, 0.0325, 0.1029, 0.0788, 0.1088, 0.2169, 0.2658, 0.1225, -0.0213, -0.0252, -0.0011,
    -0.045, -0.0905, -0.0993, -0.018, 0.065, 0.0496, 0.0906, 0.1952, 0.1833, 0.2052, 0.3138,
    0.2773, 0.2198, 0.2651, 0.2503, 0.3107, 0.2775, 0.2578, 0.2925, 0.1702,
];

/// A vine of `count` bones among a circle, a capsule, a rectangle and a wall.
pub fn vine(count: usize) -> Rig {
    let bones = VINE[..count].iter().enumerate().map(|(index, &rotation)| {
        let limit = if index == 0 {
            Limit::around(-FRAC_PI_2, -VINE_LEAN, VINE_LEAN)
        } else {
            Limit::around(0.0, -VINE_BEND, VINE_BEND)
        };
        Bone {
            position: Vec2::X * if index == 0 { 0.0 } else { VINE_BONE },
            rotation,
            limit: Some(limit),
            ..Bone::below(index.checked_sub(1))
        }
    });
    let mut modifier = fabrik((0..count).collect(), on(count - 1, VINE_BONE));
    *modifier.obstacles_mut() = obstacles();
    Rig::new(bones.collect(), vec![modifier])
}

fn obstacles() -> Vec<Obstacle> {
    let shapes = [
        (Shape::Circle { radius: 90.0 }, 0.0, [400.0, 424.0]),
        (
            Shape::Capsule {
                radius: 43.0,
                height: 246.0,
            },
            1.7308,
            [600.0, 118.0],
        ),
        (
            Shape::Rectangle {
                size: Vec2::splat(158.0),
            },
            0.42,
            [716.0, 338.0],
        ),
        (
            Shape::Segment {
                a: Vec2::ZERO,
                b: Vec2::X * 988.0,
            },
            0.0,
            [212.0, 500.0],
        ),
    ];
    let place = |(shape, angle, at): (Shape, f32, [f32; 2])| Obstacle {
        shape,
        frame: Affine2::from_angle_translation(angle, Vec2::from(at) - VINE_ROOT),
        bone: None,
    };
    shapes.map(place).to_vec()
}

pub const VINE_ROOT: Vec2 = Vec2::new(150.0, 512.0);

/// Everywhere on the screen: within reach and not, behind shapes and inside them.
pub fn roam(rig: &mut Rig, time: f32) {
    let target = Vec2::new(
        640.0 + 480.0 * (0.31 * time).sin(),
        330.0 + 260.0 * (0.47 * time + 1.0).sin(),
    );
    rig.modifiers[0].target_mut().position = target - VINE_ROOT;
}

/// Across the whole screen, in half the time, as `godot_project/tools/motion_row.gd` does.
pub fn dash(time: f32) -> Vec2 {
    let place = Vec2::new(
        (0.9 * time).sin() * 0.8 + (0.37 * time).sin() * 0.15,
        (0.71 * time).cos() * 0.75 + (0.23 * time).sin() * 0.2,
    );
    let half = Vec2::new(576.0, 324.0);
    half + Vec2::new(0.75, 0.8) * half * place
}

/// A spine of two bones and two arms of three, all free: what is left of it when one arm is pulled
/// straight can turn in many ways.
pub fn free_torso() -> Rig {
    let bone = |parent: Option<usize>, x, rotation| Bone {
        position: Vec2::X * x,
        rotation,
        ..Bone::below(parent)
    };
    let mut bones = vec![bone(None, 0.0, -1.3), bone(Some(0), 30.0, 0.2)];
    for side in [1.0, -1.0] {
        let shoulder = bones.len();
        bones.push(bone(Some(1), 30.0, 0.5 * side));
        bones.push(bone(Some(shoulder), 10.0, 0.7 * side));
        bones.push(bone(Some(shoulder + 1), 30.0, -0.4 * side));
    }
    let mut modifier = fabrik((0..8).collect(), on(4, 30.0));
    modifier
        .effectors_mut()
        .push(Effector::new(End::Point(on(7, 30.0)), Point::default()));
    Rig::new(bones, vec![modifier])
}

/// How far its hands are from its root when an arm and the spine are straight.
pub const FREE_REACH: f32 = 130.0;

/// The vine's target dashes across the screen, but not into the crate, which moves.
pub fn dash_around_the_crate(rig: &mut Rig, time: f32) {
    let crate_at = Vec2::new(716.0 + 10.0 * (1.6 * time).sin(), 338.0);
    let inside = dash(time).clamp(Vec2::new(160.0, 60.0), Vec2::new(1110.0, 484.0));
    let away = inside - crate_at;
    let target = crate_at + away.normalize() * away.length().max(136.0);
    let modifier = &mut rig.modifiers[0];
    modifier.target_mut().position = target - VINE_ROOT;
    modifier.obstacles_mut()[2].frame.translation = crate_at - VINE_ROOT;
}
