//! Waves along chains: where the joints are, how time counts, and what bad numbers do.

use std::f32::consts::TAU;

use glam::Vec2;
use tendon_solver::{
    Bone, Chain, End, Limit, LimitSpace, Modifier, Point, Rig, Snapshot, Solver, Status, Wave,
    WaveSettings, Workspace,
};

/// Lengths of the bones.
const LENGTHS: [f32; 4] = [30.0, 10.0, 20.0, 40.0];

const TOTAL: f32 = 100.0;

/// The base pose.
const POSE: [f32; 4] = [0.2, -0.1, 0.05, 0.3];

const SETTINGS: WaveSettings = WaveSettings {
    amplitude: 0.4,
    wave_length: 0.8,
    speed: 1.7,
    phase: 0.15,
};

/// A chain below a bone with the scale `above`.
fn rig_below(above: Vec2) -> Rig {
    let mut bones = vec![Bone {
        scale: above,
        ..Bone::below(None)
    }];
    let mut begin = 0.0;
    for (index, length) in LENGTHS.into_iter().enumerate() {
        bones.push(Bone {
            position: Vec2::X * begin,
            rotation: POSE[index],
            ..Bone::below(Some(index))
        });
        begin = length;
    }
    let end = End::Point(Point {
        bone: Some(4),
        position: Vec2::X * begin,
    });
    let mut wave = Wave::new(Chain::new(vec![1, 2, 3, 4], end));
    wave.settings = SETTINGS;
    Rig::new(bones, vec![Modifier::new(wave)])
}

fn rig() -> Rig {
    rig_below(Vec2::ONE)
}

fn wave(rig: &mut Rig) -> &mut Wave {
    match &mut rig.modifiers[0].solver {
        Solver::Wave(wave) => wave,
        _ => unreachable!(),
    }
}

/// Goes on for `delta` seconds.
fn pass(rig: &mut Rig, delta: f32) {
    rig.delta = delta;
    rig.go_on();
    rig.solve(&mut Workspace::default());
    assert_eq!(rig.validate(), Ok(()));
}

/// How far the joints are turned from the base pose.
fn swings(rig: &Rig) -> [f32; 4] {
    [0, 1, 2, 3].map(|index| rig.rotation(index + 1) - POSE[index])
}

/// What the formula says after `time` seconds.
fn expected(time: f32) -> [f32; 4] {
    let mut passed = 0.0;
    LENGTHS.map(|length| {
        let waves = SETTINGS.phase + SETTINGS.speed * time - passed / TOTAL / SETTINGS.wave_length;
        passed += length;
        SETTINGS.amplitude * (TAU * waves).sin()
    })
}

fn assert_near(found: [f32; 4], expected: [f32; 4], tolerance: f32) {
    for (found, expected) in found.into_iter().zip(expected) {
        assert!((found - expected).abs() <= tolerance, "{found} {expected}");
    }
}

#[test]
fn joints_turn_by_a_sine_along_the_lengths() {
    let mut rig = rig();
    rig.solve(&mut Workspace::default());
    assert_near(swings(&rig), expected(0.0), 1e-6);
    assert_eq!(rig.modifiers[0].report.status, Status::Reached);
    assert!(rig.is_moving());
    let tip = rig.locate(rig.modifiers[0].parts().tip());
    assert_eq!(rig.modifiers[0].report.tip, tip);
}

#[test]
fn the_pose_depends_on_time_and_not_on_frames() {
    for rate in [24, 30, 60, 144, 1000] {
        let mut rig = rig();
        rig.solve(&mut Workspace::default());
        for _ in 0..2 * rate {
            pass(&mut rig, 1.0 / rate as f32);
        }
        assert_near(swings(&rig), expected(2.0), 1e-4);
    }
}

#[test]
fn a_pass_without_time_changes_nothing() {
    let mut rig = rig();
    pass(&mut rig, 0.3);
    let before = swings(&rig);
    for _ in 0..3 {
        pass(&mut rig, 0.0);
        assert_eq!(swings(&rig), before);
    }
}

#[test]
fn another_speed_goes_on_from_where_the_wave_is() {
    let mut rig = rig();
    pass(&mut rig, 1.3);
    let before = swings(&rig);
    wave(&mut rig).settings.speed = -25.0;
    pass(&mut rig, 1e-5);
    assert_near(swings(&rig), before, 1e-3);
    wave(&mut rig).settings.speed = 0.0;
    pass(&mut rig, 1.0);
    assert!(!rig.is_moving(), "a wave that stands still is at rest");
}

#[test]
fn ancestors_mirror_and_stretch_it() {
    let mut plain = rig();
    plain.solve(&mut Workspace::default());
    for above in [Vec2::new(-1.0, 1.0), Vec2::splat(3.0)] {
        let mut other = rig_below(above);
        other.solve(&mut Workspace::default());
        assert_near(swings(&other), swings(&plain), 1e-6);
    }
}

#[test]
fn limits_and_stiffness_hold() {
    let mut rig = rig();
    let limit = |min, max, stiffness| Limit {
        rest: 0.0,
        min,
        max,
        space: LimitSpace::Parent,
        stiffness,
    };
    rig.bones[1].limit = Some(limit(0.15, 0.25, 0.0));
    rig.bones[4].limit = Some(limit(-3.0, 3.0, 0.75));
    for step in 0..100 {
        pass(&mut rig, 0.013);
        let turned = rig.rotation(1);
        assert!((0.15 - 1e-6..=0.25 + 1e-6).contains(&turned), "{turned}");
        let free = expected(0.013 * (step + 1) as f32);
        assert!((swings(&rig)[3] - 0.25 * free[3]).abs() < 1e-4);
    }
}

#[test]
fn factors_and_influence_scale_it() {
    let mut rig = rig();
    wave(&mut rig).factors = vec![0.0, 0.5, 1.0, 2.0];
    rig.modifiers[0].influence = 0.5;
    rig.solve(&mut Workspace::default());
    let [_, second, third, fourth] = expected(0.0);
    let scaled = [0.0, 0.25 * second, 0.5 * third, fourth];
    assert_near(swings(&rig), scaled, 1e-6);
}

#[test]
fn bad_numbers_leave_the_pose_and_the_time_alone() {
    let mut rig = rig();
    pass(&mut rig, 0.4);
    let before = wave(&mut rig).clone();
    for bad in [f32::NAN, f32::INFINITY, 0.0] {
        wave(&mut rig).settings.wave_length = bad;
        pass(&mut rig, 0.1);
        let is_endless = bad.is_infinite();
        let status = rig.modifiers[0].report.status;
        assert_eq!(status == Status::Invalid, !is_endless, "{bad}");
        wave(&mut rig).settings = SETTINGS;
        wave(&mut rig).memory = before.memory.clone();
    }
    for set in [
        |settings: &mut WaveSettings| settings.amplitude = f32::NAN,
        |settings: &mut WaveSettings| settings.speed = f32::INFINITY,
        |settings: &mut WaveSettings| settings.phase = f32::NEG_INFINITY,
    ] {
        set(&mut wave(&mut rig).settings);
        pass(&mut rig, 0.1);
        assert_eq!(rig.modifiers[0].report.status, Status::Invalid);
        assert_eq!(swings(&rig), [0.0; 4]);
        wave(&mut rig).settings = SETTINGS;
    }
    pass(&mut rig, 0.1);
    assert_eq!(rig.modifiers[0].report.status, Status::Reached);
    assert_near(swings(&rig), expected(0.5), 1e-4);
}

#[test]
fn a_snapshot_goes_on_at_the_same_time() {
    let mut rig = rig();
    pass(&mut rig, 0.37);
    let saved = Snapshot::of(&rig, Vec::new()).to_bytes();
    pass(&mut rig, 0.25);
    let expected = swings(&rig);
    let read = Snapshot::read(&saved).expect("it can be read");
    read.check(&rig).expect("it fits");
    read.restore(&mut rig);
    assert_eq!(Snapshot::of(&rig, Vec::new()).to_bytes(), saved);
    pass(&mut rig, 0.25);
    assert_eq!(swings(&rig), expected);
}
