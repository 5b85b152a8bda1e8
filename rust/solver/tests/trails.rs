//! Bodies that follow their head: lengths, bends, and a shape that depends on the way alone.

use std::f32::consts::{FRAC_PI_8, PI, TAU};

use glam::{Affine2, Vec2};
use tendon_solver::{
    Bone, Chain, End, Modifier, Point, Rig, Snapshot, Solver, Status, Trail, Workspace,
};

const BONES: usize = 14;
const LENGTH: f32 = 20.0;

/// A straight body whose head is at the origin of the skeleton, to its left.
fn rig() -> Rig {
    let bones = (0..BONES).map(|index| Bone {
        position: if index == 0 {
            Vec2::ZERO
        } else {
            Vec2::X * LENGTH
        },
        rotation: if index == 0 { PI } else { 0.0 },
        ..Bone::below(index.checked_sub(1))
    });
    let end = End::Point(Point {
        bone: Some(BONES - 1),
        position: Vec2::X * LENGTH,
    });
    let trail = Trail::new(Chain::new((0..BONES).collect(), end));
    let mut rig = Rig::new(bones.collect(), vec![Modifier::new(trail)]);
    trail_of(&mut rig).settings.max_bend = FRAC_PI_8;
    rig
}

fn trail_of(rig: &mut Rig) -> &mut Trail {
    match &mut rig.modifiers[0].solver {
        Solver::Trail(trail) => trail,
        _ => unreachable!(),
    }
}

/// Moves the skeleton to `head` and goes on for `delta` seconds.
fn pass(rig: &mut Rig, head: Vec2, delta: f32) {
    rig.to_global.translation = head;
    rig.delta = delta;
    rig.go_on();
    rig.solve(&mut Workspace::default());
    assert_eq!(rig.validate(), Ok(()));
    assert_eq!(rig.modifiers[0].report.status, Status::Reached);
}

/// All joints and the end, in global space.
fn points(rig: &Rig) -> Vec<Vec2> {
    let at = |bone: usize, position| {
        let place = rig.locate(Point {
            bone: Some(bone),
            position,
        });
        rig.to_global.transform_point2(place)
    };
    let joints = (0..BONES).map(|bone| at(bone, Vec2::ZERO));
    joints.chain([at(BONES - 1, Vec2::X * LENGTH)]).collect()
}

/// A polyline with sharp and with gentle corners.
fn way(part: f32) -> Vec2 {
    let corners = [
        Vec2::ZERO,
        Vec2::new(300.0, 0.0),
        Vec2::new(420.0, 200.0),
        Vec2::new(100.0, 260.0),
        Vec2::new(90.0, -150.0),
        Vec2::new(500.0, -160.0),
    ];
    let along = part * (corners.len() - 1) as f32;
    let index = (along as usize).min(corners.len() - 2);
    corners[index].lerp(corners[index + 1], along - index as f32)
}

/// The shape after the whole way in `frames` frames.
fn after_the_way(frames: usize, delta: f32) -> Vec<Vec2> {
    let mut rig = rig();
    rig.solve(&mut Workspace::default());
    for frame in 1..=frames {
        pass(&mut rig, way(frame as f32 / frames as f32), delta);
    }
    points(&rig)
}

fn greatest_distance(one: &[Vec2], other: &[Vec2]) -> f32 {
    let pairs = one.iter().zip(other);
    pairs
        .map(|(one, other)| one.distance(*other))
        .fold(0.0, f32::max)
}

#[test]
fn the_shape_depends_on_the_way_and_not_on_frames_or_speed() {
    let shape = after_the_way(100, 1.0 / 60.0);
    for (frames, delta) in [
        (100, 0.5),
        (200, 1.0 / 60.0),
        (1000, 1.0 / 144.0),
        (5000, 0.0),
    ] {
        let other = after_the_way(frames, delta);
        let apart = greatest_distance(&shape, &other);
        assert!(apart < 0.05, "{frames} frames: {apart}");
    }
}

#[test]
fn bones_keep_their_lengths_and_bends_stay_within_their_bound() {
    let mut rig = rig();
    rig.solve(&mut Workspace::default());
    for frame in 1..=2_000 {
        let angle = TAU * frame as f32 / 300.0;
        let head = Vec2::new(180.0 * angle.cos(), 120.0 * (1.7 * angle).sin());
        pass(&mut rig, head, 1.0 / 60.0);
        let points = points(&rig);
        assert!(points[0].distance(head) < 1e-3);
        for pair in points.windows(2) {
            assert!((pair[0].distance(pair[1]) - LENGTH).abs() < 1e-2);
        }
        for bone in 1..BONES {
            let bend = rig.rotation(bone);
            assert!(bend.abs() <= FRAC_PI_8 + 1e-3, "{bend}");
        }
    }
}

#[test]
fn on_a_straight_way_the_body_lies_behind_the_head() {
    let mut rig = rig();
    rig.solve(&mut Workspace::default());
    for frame in 1..=400 {
        pass(&mut rig, Vec2::new(0.0, -5.0) * frame as f32, 1.0 / 60.0);
    }
    for (index, point) in points(&rig).iter().enumerate() {
        let behind = Vec2::new(0.0, -2_000.0 + LENGTH * index as f32);
        assert!(point.distance(behind) < 0.5, "{point} {behind}");
    }
    assert!(!rig.is_moving());
}

#[test]
fn a_head_that_stands_still_leaves_every_bit() {
    let mut rig = rig();
    rig.solve(&mut Workspace::default());
    for frame in 1..=90 {
        pass(&mut rig, way(frame as f32 / 90.0), 1.0 / 60.0);
    }
    let rest = points(&rig);
    for _ in 0..100 {
        pass(&mut rig, way(1.0), 1.0 / 60.0);
        assert_eq!(points(&rig), rest);
    }
}

#[test]
fn teleports_flips_and_resets_begin_with_the_pose() {
    let bent = || {
        let mut rig = rig();
        rig.solve(&mut Workspace::default());
        for frame in 1..=90 {
            pass(&mut rig, way(frame as f32 / 90.0), 1.0 / 60.0);
        }
        rig
    };
    let is_straight = |rig: &Rig| (1..BONES).all(|bone| rig.rotation(bone).abs() < 1e-4);
    let mut rig = bent();
    assert!(!is_straight(&rig));
    pass(&mut rig, Vec2::splat(9_000.0), 1.0 / 60.0);
    assert!(is_straight(&rig), "a teleport");
    let mut rig = bent();
    let length = BONES as f32 * LENGTH;
    pass(&mut rig, way(1.0) + Vec2::Y * 1.2 * length, 1.0 / 60.0);
    assert!(is_straight(&rig), "a teleport that is not far");
    let mut rig = bent();
    pass(&mut rig, way(1.0) + Vec2::Y * 1.2 * length, 0.1);
    assert!(!is_straight(&rig), "a long frame");
    let mut rig = bent();
    let head = way(1.0);
    rig.to_global = Affine2::from_scale(Vec2::new(-1.0, 1.0));
    pass(&mut rig, head, 1.0 / 60.0);
    assert!(is_straight(&rig), "a flip");
    let mut rig = bent();
    trail_of(&mut rig).settings.resets += 1;
    pass(&mut rig, head, 1.0 / 60.0);
    assert!(is_straight(&rig), "a reset");
    let mut rig = bent();
    rig.forget();
    pass(&mut rig, head, 1.0 / 60.0);
    assert!(is_straight(&rig), "without memory");
}

#[test]
fn a_mirrored_way_leaves_the_mirrored_shape() {
    let walk = |mirror: Vec2| {
        let mut rig = rig();
        rig.to_global = Affine2::from_scale(mirror);
        rig.solve(&mut Workspace::default());
        for frame in 1..=120 {
            pass(&mut rig, mirror * way(frame as f32 / 120.0), 1.0 / 60.0);
        }
        points(&rig)
    };
    let plain = walk(Vec2::ONE);
    let mirror = Vec2::new(1.0, -1.0);
    let mirrored: Vec<_> = walk(mirror)
        .into_iter()
        .map(|point| mirror * point)
        .collect();
    assert!(greatest_distance(&plain, &mirrored) < 1e-2);
}

#[test]
fn a_leader_takes_the_head_with_it() {
    let mut rig = rig();
    trail_of(&mut rig).leader = Some(Point::default());
    rig.solve(&mut Workspace::default());
    for frame in 1..=90 {
        let place = way(frame as f32 / 90.0);
        trail_of(&mut rig).leader = Some(Point {
            bone: None,
            position: place,
        });
        pass(&mut rig, Vec2::ZERO, 1.0 / 60.0);
        assert!(points(&rig)[0].distance(place) < 1e-3);
    }
    let apart = greatest_distance(&points(&rig), &after_the_way(90, 1.0 / 60.0));
    assert!(apart < 0.05, "{apart}");
}

#[test]
fn stiffness_straightens_it_on_the_way() {
    let bends = |stiffness: f32| {
        let mut rig = rig();
        trail_of(&mut rig).settings.stiffness = stiffness;
        rig.solve(&mut Workspace::default());
        for frame in 1..=90 {
            pass(&mut rig, way(frame as f32 / 90.0), 1.0 / 60.0);
        }
        (1..BONES).map(|bone| rig.rotation(bone).abs()).sum::<f32>()
    };
    let [limp, soft, stiff] = [0.0, 0.3, 1.0].map(bends);
    assert!(soft < 0.9 * limp && stiff < 1e-3, "{limp} {soft} {stiff}");
}

#[test]
fn bad_numbers_are_invalid_and_it_recovers() {
    let mut rig = rig();
    rig.solve(&mut Workspace::default());
    pass(&mut rig, Vec2::new(30.0, 20.0), 0.1);
    for bad in [Vec2::NAN, Vec2::INFINITY] {
        rig.to_global.translation = bad;
        rig.go_on();
        rig.solve(&mut Workspace::default());
        assert_eq!(rig.modifiers[0].report.status, Status::Invalid);
    }
    pass(&mut rig, Vec2::new(40.0, 30.0), 0.1);
}

#[test]
fn a_snapshot_goes_on_along_the_same_way() {
    let mut rig = rig();
    rig.solve(&mut Workspace::default());
    for frame in 1..=50 {
        pass(&mut rig, way(frame as f32 / 90.0), 1.0 / 60.0);
    }
    let saved = Snapshot::of(&rig, Vec::new()).to_bytes();
    pass(&mut rig, way(0.6), 1.0 / 60.0);
    let expected = points(&rig);
    let read = Snapshot::read(&saved).expect("it can be read");
    read.check(&rig).expect("it fits");
    read.restore(&mut rig);
    pass(&mut rig, way(0.6), 1.0 / 60.0);
    assert_eq!(points(&rig), expected);
}
