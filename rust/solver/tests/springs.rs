//! Springs: what must hold of them in any chain, at any frame rate.

#[path = "common/parts.rs"]
mod parts;

use std::f32::consts::{FRAC_PI_2, PI};

use glam::{Affine2, Mat2, Vec2};
use parts::{Edit, fixed, look_at, on, reaching};
use proptest::prelude::*;
use tendon_solver::math::angle::shortest_way;
use tendon_solver::{
    Bone, Capture, Chain, End, Limit, Modifier, Motion, Obstacle, Rig, Shape, Solver, Spring,
    SpringSettings, Status, Tuning, Workspace,
};

const LENGTH: f32 = 30.0;

/// Frames per second that are compared.
const RATES: [u32; 4] = [30, 60, 144, 240];

fn spring(frequency: f32, damping_ratio: f32) -> SpringSettings {
    SpringSettings {
        frequency,
        damping_ratio,
        ..SpringSettings::default()
    }
}

/// A chain of bones that swings, below a bone that does not.
fn chain(bones: usize, settings: SpringSettings) -> Rig {
    let mut rig = Rig::default();
    rig.bones.push(Bone {
        position: Vec2::new(15.0, -40.0),
        rotation: 0.3,
        ..Bone::below(None)
    });
    for index in 0..bones {
        rig.bones.push(Bone {
            position: if index == 0 {
                Vec2::new(5.0, 8.0)
            } else {
                Vec2::X * LENGTH
            },
            rotation: 0.25,
            ..Bone::below(Some(index))
        });
    }
    let end = End::Point(on(bones, Vec2::X * LENGTH));
    rig.modifiers.push(Modifier::new(Spring {
        settings,
        ..Spring::new(Chain::new((1..=bones).collect(), end))
    }));
    rig
}

fn spring_of(rig: &mut Rig) -> &mut Spring {
    match &mut rig.modifiers[0].solver {
        Solver::Spring(spring) => spring,
        _ => panic!("the modifier is a spring"),
    }
}

fn settings_of(rig: &mut Rig) -> &mut SpringSettings {
    &mut spring_of(rig).settings
}

fn motion_of(rig: &Rig) -> &Motion {
    match &rig.modifiers[0].solver {
        Solver::Spring(spring) => &spring.memory.before,
        _ => panic!("the modifier is a spring"),
    }
}

fn step(rig: &mut Rig, space: &mut Workspace, delta: f32) {
    rig.delta = delta;
    rig.go_on();
    rig.solve(space);
    let report = rig.modifiers[0].report;
    assert_eq!(report.status, Status::Reached, "{report:?}");
    let pose = rotations(rig);
    assert!(pose.iter().all(|angle| angle.is_finite()), "{pose:?}");
}

fn rotations(rig: &Rig) -> Vec<f32> {
    (0..rig.bones.len())
        .map(|bone| rig.rotation(bone))
        .collect()
}

/// How far the bones are off the base pose, joint by joint.
fn bends(rig: &Rig) -> Vec<f32> {
    let bones = rig.bones.iter().zip(rotations(rig));
    bones
        .map(|(bone, now)| shortest_way(bone.rotation, now))
        .collect()
}

fn apart(one: &[f32], other: &[f32]) -> f32 {
    let pairs = one.iter().zip(other);
    pairs
        .map(|(one, other)| shortest_way(*one, *other).abs())
        .fold(0.0, f32::max)
}

fn largest(angles: &[f32]) -> f32 {
    angles.iter().fold(0.0, |most, angle| most.max(angle.abs()))
}

/// A body that changes its velocity, and an animation its rates, each half second.
#[derive(Clone, Copy)]
struct Journey {
    frame: Affine2,
}

impl Journey {
    const KNOTS: [(Vec2, f32, f32); 5] = [
        (Vec2::new(0.0, 0.0), 0.0, 0.0),
        (Vec2::new(150.0, -40.0), 0.4, 0.1),
        (Vec2::new(120.0, 60.0), -0.5, 0.3),
        (Vec2::new(-80.0, 90.0), -0.2, 0.0),
        (Vec2::new(-80.0, 90.0), -0.2, 0.0),
    ];

    fn go(self, rig: &mut Rig, bases: &[f32], time: f64) {
        let halves = (time * 2.0).clamp(0.0, 3.999_999);
        let (knot, part) = (halves as usize, halves.fract() as f32);
        let [from, to] = [Self::KNOTS[knot], Self::KNOTS[knot + 1]];
        let place = from.0.lerp(to.0, part);
        rig.to_global = self.frame * Affine2::from_translation(place);
        for (index, bone) in rig.bones.iter_mut().enumerate() {
            let turn = if index == 0 {
                [from.1, to.1]
            } else {
                [from.2, to.2]
            };
            bone.rotation = bases[index] + turn[0] + part * (turn[1] - turn[0]);
        }
        // The joint that the chain hangs on must go along lines, too.
        rig.bones[1].position = Vec2::ZERO;
    }

    /// The pose after two seconds in frames of these lengths, again and again.
    fn end(self, mut rig: Rig, frames: &[f64]) -> Vec<f32> {
        let bases: Vec<_> = rig.bones.iter().map(|bone| bone.rotation).collect();
        let mut space = Workspace::default();
        let (mut time, mut index) = (0.0, 0);
        self.go(&mut rig, &bases, time);
        step(&mut rig, &mut space, 1.0 / 60.0);
        while time < 1.999_9 {
            let frame = frames[index % frames.len()];
            index += 1;
            time += frame;
            self.go(&mut rig, &bases, time);
            step(&mut rig, &mut space, frame as f32);
        }
        rotations(&rig)
    }
}

#[test]
fn any_frame_rate_ends_in_the_same_state() {
    let journey = Journey {
        frame: Affine2::IDENTITY,
    };
    for bones in [1, 4, 10] {
        for frequency in [0.5, 3.0, 12.0] {
            for damping in [0.0, 0.1, 0.4, 1.0, 2.0] {
                let ends = RATES.map(|rate| {
                    let rig = chain(bones, spring(frequency, damping));
                    journey.end(rig, &[1.0 / f64::from(rate)])
                });
                for (rate, end) in RATES.iter().zip(&ends) {
                    let off = apart(end, &ends[3]);
                    assert!(
                        off < 1e-4,
                        "{bones}, {frequency}, {damping} at {rate} Hz: {off}"
                    );
                }
            }
        }
    }
}

#[test]
fn a_frame_may_be_cut_anywhere() {
    let journey = Journey {
        frame: Affine2::from_mat2(Mat2::from_cols(Vec2::new(-1.2, 0.5), Vec2::new(0.5, 1.2))),
    };
    let whole = journey.end(chain(6, spring(2.0, 0.3)), &[0.5]);
    for cut in [
        vec![0.05, 0.45],
        vec![0.1, 0.2, 0.001, 0.199],
        vec![0.125; 4],
    ] {
        let off = apart(&journey.end(chain(6, spring(2.0, 0.3)), &cut), &whole);
        assert!(off < 1e-4, "{cut:?}: {off}");
    }
}

/// A chain that was struck and is left alone.
fn struck(bones: usize, settings: SpringSettings) -> (Rig, Workspace) {
    let mut rig = chain(bones, settings);
    let mut space = Workspace::default();
    step(&mut rig, &mut space, 1.0 / 60.0);
    step(&mut rig, &mut space, 1.0 / 60.0);
    settings_of(&mut rig).pushed = Vec2::new(-260.0, 150.0);
    (rig, space)
}

#[test]
fn a_stiff_spring_in_a_long_frame_stays_within_bounds_and_settles() {
    for delta in [1.0 / 60.0, 0.2, 1.0] {
        for damping in [0.05, 0.4, 1.0, 3.0] {
            let (mut rig, mut space) = struck(8, spring(100.0 / delta, damping));
            for _ in 0..200 {
                step(&mut rig, &mut space, delta);
                assert!(largest(&bends(&rig)) < 0.5, "{delta}, {damping}");
            }
            assert!(largest(&bends(&rig)) < 1e-3, "{delta}, {damping}");
        }
    }
}

/// What springs and motion hold, up to a factor.
fn energy(rig: &Rig) -> f64 {
    let Solver::Spring(spring) = &rig.modifiers[0].solver else {
        return 0.0;
    };
    let motion = &spring.memory.before;
    let unit = (std::f64::consts::PI / (4.0 * motion.bones.len() as f64 + 2.0)).sin();
    let omega = std::f64::consts::TAU * f64::from(spring.settings.frequency) / (2.0 * unit);
    let (mut sum, mut above) = (0.0, 0.0);
    for bone in &motion.bones {
        let bend = f64::from(bone.offset - above);
        above = bone.offset;
        sum += (omega * bend).powi(2) + f64::from(bone.speed).powi(2);
    }
    sum
}

#[test]
fn energy_never_rises_towards_a_goal_at_rest() {
    for bones in [1, 3, 12] {
        for damping in [0.0, 0.2, 1.0, 2.0] {
            for max_angle in [0.0, 0.1] {
                let settings = SpringSettings {
                    max_angle,
                    ..spring(3.0, damping)
                };
                let (mut rig, mut space) = struck(bones, settings);
                step(&mut rig, &mut space, 1.0 / 60.0);
                rig.go_on();
                let mut before = energy(&rig);
                assert!(before > 0.1);
                for frame in 0..400 {
                    let delta = if frame % 7 == 0 { 0.11 } else { 0.01 };
                    rig.delta = delta;
                    rig.solve(&mut space);
                    rig.go_on();
                    let now = energy(&rig);
                    let most = before * (1.0 + 1e-5) + 1e-9;
                    assert!(
                        now <= most,
                        "{bones}, {damping}, {frame}: {before} to {now}"
                    );
                    before = now;
                }
            }
        }
    }
}

#[test]
fn a_frame_without_time_does_nothing() {
    let (mut rig, mut space) = struck(5, spring(3.0, 0.4));
    step(&mut rig, &mut space, 1.0 / 60.0);
    step(&mut rig, &mut space, 1.0 / 60.0);
    let pose = rotations(&rig);
    rig.go_on();
    let motion = motion_of(&rig).clone();
    for delta in [0.0, -1.0, f32::NAN] {
        rig.delta = delta;
        rig.solve(&mut space);
        assert_eq!(rotations(&rig), pose);
        rig.go_on();
        assert_eq!(*motion_of(&rig), motion);
    }
}

/// A soft spring nearly hangs straight down, where its balance with gravity is found to no more
/// than a last bit. The next pass must not look for a better one.
#[test]
fn a_frame_without_time_does_nothing_to_a_soft_spring() {
    for (index, frequency) in [0.1, 0.2, 0.5, 1.0, 3.0].into_iter().enumerate() {
        for (bones, down) in (1..=12).flat_map(|bones| [0.0, 30.0, 980.0].map(|down| (bones, down)))
        {
            let mut settings = spring(frequency, 0.2);
            settings.gravity = Vec2::new(0.1 * down, down);
            let (mut rig, mut space) = struck(bones, settings);
            for frame in 0..10 * (index + 1) {
                step(&mut rig, &mut space, 1.0 / 60.0);
                let pose = rotations(&rig);
                let mut still = rig.clone();
                step(&mut still, &mut space, 0.0);
                let about = format!("{frequency} Hz, {bones} bones, {down} px/s², frame {frame}");
                assert_eq!(rotations(&still), pose, "{about}");
            }
        }
    }
}

/// How a chain moves whose body moves back and forth below the frame `above`.
fn film(above: Affine2, by: f32, gravity: Vec2) -> Vec<Vec<f32>> {
    let settings = SpringSettings {
        gravity,
        ..spring(2.0, 0.3)
    };
    let mut rig = chain(5, settings);
    let mut space = Workspace::default();
    let frames = (0..240).map(|frame| {
        let time = frame as f32 / 60.0;
        let place = by * Vec2::new(120.0 * (3.0 * time).sin(), 75.0 * (2.0 * time).cos());
        let turn = Affine2::from_angle(0.5 * (1.7 * time).sin());
        rig.to_global = above * Affine2::from_translation(place) * turn;
        step(&mut rig, &mut space, 1.0 / 60.0);
        rotations(&rig)
    });
    frames.collect()
}

#[test]
fn a_mirrored_run_is_the_mirror_image() {
    let gravity = Vec2::new(0.0, 500.0);
    let plain = film(Affine2::IDENTITY, 1.0, gravity);
    assert!(
        plain.iter().any(|pose| apart(pose, &plain[0]) > 0.01),
        "it moves"
    );
    let mirror = Affine2::from_scale(Vec2::new(-1.0, 1.0));
    for (frame, (pose, image)) in plain.iter().zip(film(mirror, 1.0, gravity)).enumerate() {
        let off = apart(pose, &image);
        assert!(off < 1e-3, "frame {frame}: {off}");
    }
}

#[test]
fn a_scaled_rig_moves_alike() {
    let gravity = Vec2::new(0.0, 500.0);
    let plain = film(Affine2::IDENTITY, 1.0, gravity);
    let large = film(Affine2::from_scale(Vec2::splat(3.0)), 1.0, 3.0 * gravity);
    for (frame, (pose, other)) in plain.iter().zip(large).enumerate() {
        let off = apart(pose, &other);
        assert!(off < 1e-3, "frame {frame}: {off}");
    }
}

#[test]
fn a_bone_without_length_keeps_its_rotation() {
    for stretch in [1.0, 1.2] {
        let (mut rig, mut space) = struck(4, spring(2.0, 0.2));
        rig.bones[1].scale.x = stretch;
        rig.bones[3].position = Vec2::ZERO;
        let base = rig.bones[2].rotation;
        let mut most = 0.0_f32;
        for _ in 0..60 {
            step(&mut rig, &mut space, 1.0 / 60.0);
            let bends = bends(&rig);
            assert_eq!(rig.rotation(2).to_bits(), base.to_bits());
            assert!(bends.iter().all(|bend| bend.is_finite()));
            most = most.max(bends[3].abs());
        }
        assert!(most > 0.01, "the bones below it swing: {most}");
    }
}

#[test]
fn inertia_is_the_share_of_the_goals_motion_that_is_felt() {
    let most = |inertia: f32| {
        let settings = SpringSettings {
            inertia,
            ..spring(3.0, 0.4)
        };
        let mut rig = chain(4, settings);
        let bases: Vec<_> = rig.bones.iter().map(|bone| bone.rotation).collect();
        let mut space = Workspace::default();
        let mut most = 0.0_f32;
        for frame in 0..60 {
            let time = frame as f32 / 60.0;
            let place = 4.0 * Vec2::new((9.0 * time).sin(), (7.0 * time).cos());
            rig.to_global = Affine2::from_angle_translation(0.02 * (8.0 * time).sin(), place);
            step(&mut rig, &mut space, 1.0 / 60.0);
            most = most.max(apart(&rotations(&rig), &bases));
        }
        most
    };
    let all = most(1.0);
    assert!(all > 0.001, "{all}");
    assert_eq!(most(0.0), 0.0);
    let half = most(0.5) / all;
    assert!((half - 0.5).abs() < 0.02, "{half}");
}

#[test]
fn a_goal_at_rest_is_kept_to_the_last_bit() {
    let mut rig = chain(7, spring(3.0, 0.4));
    let mut space = Workspace::default();
    let base: Vec<_> = rig
        .bones
        .iter()
        .map(|bone| bone.rotation.to_bits())
        .collect();
    step(&mut rig, &mut space, 1.0 / 60.0);
    assert!(rig.is_moving(), "the velocity of the goal is not known yet");
    for _ in 0..10 {
        step(&mut rig, &mut space, 1.0 / 60.0);
        let bits: Vec<_> = rotations(&rig).into_iter().map(f32::to_bits).collect();
        assert_eq!(bits, base);
        assert!(!rig.is_moving());
    }
}

#[test]
fn it_comes_to_rest_at_the_goal_to_the_last_bit() {
    let (mut rig, mut space) = struck(5, spring(3.0, 0.4));
    let base: Vec<_> = rig
        .bones
        .iter()
        .map(|bone| bone.rotation.to_bits())
        .collect();
    let mut frames = 0;
    while frames < 10 || rig.is_moving() {
        step(&mut rig, &mut space, 1.0 / 60.0);
        frames += 1;
        assert!(frames < 600, "it never rests");
    }
    assert!(frames > 30, "it has swung");
    let bits: Vec<_> = rotations(&rig).into_iter().map(f32::to_bits).collect();
    assert_eq!(bits, base);
}

#[test]
fn a_body_that_stops_is_felt() {
    let mut rig = chain(4, spring(3.0, 0.4));
    let mut space = Workspace::default();
    for frame in 0..60 {
        rig.to_global = Affine2::from_translation(Vec2::new(-4.0, 2.5) * frame as f32);
        step(&mut rig, &mut space, 1.0 / 60.0);
        assert!(largest(&bends(&rig)) < 1e-4, "an even motion is not felt");
        assert!(
            rig.is_moving(),
            "it must be asked again when the body stops"
        );
    }
    let mut most = 0.0_f32;
    for _ in 0..30 {
        step(&mut rig, &mut space, 1.0 / 60.0);
        most = most.max(largest(&bends(&rig)));
    }
    assert!(most > 0.03, "{most}");
}

#[test]
fn later_bones_lag_behind_those_above() {
    let (mut rig, mut space) = struck(6, spring(2.0, 0.2));
    let mut peaks = [(0_usize, 0.0_f32); 6];
    for frame in 0..25 {
        step(&mut rig, &mut space, 1.0 / 60.0);
        for (bone, peak) in peaks.iter_mut().enumerate() {
            let bend = bends(&rig)[bone + 1].abs();
            if bend > peak.1 {
                *peak = (frame, bend);
            }
        }
    }
    assert!(
        peaks.iter().all(|peak| peak.1 > 1e-3),
        "each joint bends: {peaks:?}"
    );
    assert!(peaks[5].0 > peaks[0].0, "a wave runs to the tip: {peaks:?}");
}

#[test]
fn flips_and_teleports_are_not_felt() {
    let (mut rig, mut space) = struck(5, spring(3.0, 0.2));
    rig.to_global = Affine2::from_scale(Vec2::new(2.0, 2.0));
    for _ in 0..6 {
        step(&mut rig, &mut space, 1.0 / 60.0);
    }
    let mut twin = rig.clone();
    twin.modifiers[0].take_over_memory(&mut rig.modifiers[0].clone());
    // The bends go on as if nothing had happened.
    rig.to_global =
        Affine2::from_scale_angle_translation(Vec2::new(-2.0, 2.0), 0.0, Vec2::new(37.0, 0.0));
    for frame in 0..60 {
        step(&mut rig, &mut space, 1.0 / 60.0);
        step(&mut twin, &mut space, 1.0 / 60.0);
        let off = apart(&bends(&rig), &bends(&twin));
        assert!(off < 0.02, "frame {frame} after a flip: {off}");
    }
    let mut rig = chain(5, spring(3.0, 0.2));
    for frame in 0..120 {
        let leap = if frame > 60 { 5_000.0 } else { 0.0 };
        rig.to_global = Affine2::from_translation(Vec2::new(leap + frame as f32, 0.0));
        step(&mut rig, &mut space, 1.0 / 60.0);
        assert!(
            largest(&bends(&rig)) < 1e-3,
            "frame {frame} around a teleport"
        );
    }
}

#[test]
fn dashes_and_stalls_do_no_harm() {
    let mut rig = chain(5, spring(3.0, 0.4));
    let mut space = Workspace::default();
    let mut x = 0.0;
    for frame in 0..300 {
        x += if frame % 20 < 5 { 120.0 } else { 0.0 };
        rig.to_global = Affine2::from_translation(Vec2::new(0.3 * x, x));
        step(
            &mut rig,
            &mut space,
            if frame % 50 == 49 { 1.0 } else { 1.0 / 60.0 },
        );
        assert!(
            largest(&bends(&rig)) < FRAC_PI_2,
            "frame {frame}: {:?}",
            bends(&rig)
        );
    }
}

/// However fast the body dashes off, no bone is thrown farther than a right angle from its goal.
#[test]
fn a_dash_throws_no_bone_farther_than_a_right_angle() {
    for pace in [20.0, 120.0, 400.0] {
        let mut rig = chain(5, spring(3.0, 0.1));
        let mut space = Workspace::default();
        let mut most = 0.0_f32;
        for frame in 0..120_u16 {
            let way = pace * f32::from(frame.saturating_sub(5));
            rig.to_global = Affine2::from_translation(Vec2::new(0.3 * way, way));
            step(&mut rig, &mut space, 1.0 / 60.0);
            let mut deflection = 0.0;
            for bend in bends(&rig) {
                deflection += bend;
                most = most.max(deflection.abs());
            }
        }
        assert!(most > 0.05 && most < FRAC_PI_2, "{pace}: {most}");
    }
}

#[test]
fn gravity_bends_the_chain_down_and_holds_it() {
    for (frequency, least, most) in [(3.0, 0.01, 0.1), (0.05, 1.5, 1.571)] {
        let settings = SpringSettings {
            gravity: Vec2::new(0.0, 980.0),
            ..spring(frequency, 0.4)
        };
        let mut rig = chain(5, settings);
        rig.bones.iter_mut().for_each(|bone| bone.rotation = 0.0);
        let mut space = Workspace::default();
        step(&mut rig, &mut space, 1.0 / 60.0);
        let first = rotations(&rig);
        let sag: f32 = bends(&rig).iter().sum();
        assert!(sag > least && sag < most, "{frequency}: {sag}");
        for _ in 0..60 {
            step(&mut rig, &mut space, 1.0 / 60.0);
            assert_eq!(rotations(&rig), first, "it starts in balance");
        }
        assert!(!rig.is_moving());
    }
}

#[test]
fn gravity_is_that_of_global_space() {
    let settings = SpringSettings {
        gravity: Vec2::new(0.0, 980.0),
        ..spring(0.1, 0.4)
    };
    for angle in [0.0, 1.0, 2.5, -2.0] {
        let mut rig = chain(4, settings);
        rig.to_global = Affine2::from_angle(angle);
        let mut space = Workspace::default();
        step(&mut rig, &mut space, 1.0 / 60.0);
        let tip = rig.modifiers[0].report.tip;
        let last = rig.locate(on(4, Vec2::ZERO));
        let along = Mat2::from_angle(angle) * (tip - last);
        let off = along.normalize().angle_to(Vec2::Y).abs();
        assert!(off < 0.1, "{angle}: {off}");
    }
}

#[test]
fn joints_bend_no_farther_than_they_may() {
    let mut settings = spring(1.0, 0.1);
    settings.max_angle = 0.2;
    let (mut rig, mut space) = struck(5, settings);
    settings_of(&mut rig).pushed = Vec2::new(0.0, 3_000.0);
    let mut most = 0.0_f32;
    for _ in 0..200 {
        step(&mut rig, &mut space, 1.0 / 60.0);
        most = most.max(largest(&bends(&rig)));
    }
    assert!((most - 0.2).abs() < 1e-4, "{most}");
    let (mut rig, mut space) = struck(5, spring(1.0, 0.1));
    rig.bones[2].limit = Some(Limit::around(0.25, -0.1, 0.05));
    settings_of(&mut rig).pushed = Vec2::new(0.0, 3_000.0);
    let mut ends = [0.0_f32; 2];
    for _ in 0..200 {
        step(&mut rig, &mut space, 1.0 / 60.0);
        let bend = bends(&rig)[2];
        ends = [ends[0].min(bend), ends[1].max(bend)];
    }
    assert!(
        (ends[0] + 0.1).abs() < 1e-4 && (ends[1] - 0.05).abs() < 1e-4,
        "{ends:?}"
    );
}

/// What stops a joint takes its speed: nothing presses it on, and it swings back at once.
#[test]
fn a_stopped_joint_swings_back_at_once() {
    for is_limited in [false, true] {
        let mut settings = spring(2.0, 0.0);
        settings.max_angle = if is_limited { 0.0 } else { 0.1 };
        let mut rig = chain(1, settings);
        if is_limited {
            rig.bones[1].limit = Some(Limit::around(0.25, -0.1, 0.1));
        }
        let mut space = Workspace::default();
        step(&mut rig, &mut space, 1.0 / 60.0);
        step(&mut rig, &mut space, 1.0 / 60.0);
        settings_of(&mut rig).pushed = Vec2::from_angle(0.55).perp() * 3_000.0;
        let mut stopped = 0;
        for _ in 0..25 {
            step(&mut rig, &mut space, 1.0 / 240.0);
            stopped += u32::from((bends(&rig)[1].abs() - 0.1).abs() < 1e-5);
        }
        assert!((1..=2).contains(&stopped), "{is_limited}: {stopped} frames");
    }
}

/// A stiff joint bends by so much less under the same load, and swings faster for it.
#[test]
fn stiff_joints_bend_less() {
    let stiff = |stiffness: f32| {
        let mut settings = spring(3.0, 0.0);
        // Across the bone, which is at 0.55 rad.
        settings.gravity = 20.0 * Vec2::from_angle(0.55).perp();
        let mut rig = chain(1, settings);
        rig.bones[1].limit = Some(Limit {
            stiffness,
            ..Limit::around(0.25, -PI, PI)
        });
        let mut space = Workspace::default();
        rig.solve(&mut space);
        let sag = bends(&rig)[1];
        // The time of one swing to and fro, from the second and fourth crossing of the balance.
        settings_of(&mut rig).pushed = Vec2::from_angle(0.55).perp() * 20.0;
        let delta = 1.0 / 2000.0;
        let mut crossings = Vec::new();
        let mut before = 0.0;
        for frame in 0..4000 {
            step(&mut rig, &mut space, delta);
            let now = bends(&rig)[1] - sag;
            if before * now < 0.0 {
                crossings.push(frame as f32 * delta);
            }
            before = now;
        }
        let time = crossings.get(1).zip(crossings.get(3));
        (sag, time.map(|(from, to)| to - from))
    };
    let (free, time) = stiff(0.0);
    for stiffness in [0.2_f32, 0.5, 0.9] {
        let mobility = 1.0 - stiffness;
        let (sag, faster) = stiff(stiffness);
        assert!(
            (sag / free - mobility).abs() < 2e-3,
            "{stiffness}: {sag} of {free}"
        );
        let ratio = faster.expect("it swings") / time.expect("it swings");
        assert!(
            (ratio - mobility.sqrt()).abs() < 0.02,
            "{stiffness}: {ratio}"
        );
    }
    // Quite stiff, it is held; and all but that comes near it.
    assert_eq!(stiff(1.0).0, 0.0);
    assert!(stiff(0.9999).0.abs() < 2e-4 * free.abs());
}

/// What is not a limit with an end, but stiffness alone, leaves a chain exact at any frame rate.
#[test]
fn stiff_chains_swing_alike_at_any_frame_rate() {
    let ends = RATES.map(|rate| {
        let (mut rig, mut space) = struck(6, spring(2.0, 0.02));
        for (index, bone) in rig.bones.iter_mut().enumerate() {
            bone.limit = Some(Limit {
                stiffness: 0.15 * index as f32,
                ..Limit::around(0.25, -PI, PI)
            });
        }
        for _ in 0..rate {
            step(&mut rig, &mut space, 1.0 / rate as f32);
        }
        rotations(&rig)
    });
    let most = ends
        .iter()
        .map(|end| apart(end, &ends[3]))
        .fold(0.0, f32::max);
    println!("{most:e} rad apart");
    assert!(most < 1e-4, "{most}");
}

/// How far the chain is from a circle, or from the top of a rectangle that is wider than it.
fn gap_to(rig: &Rig, shape: &Shape, center: Vec2) -> f32 {
    let tip = rig.modifiers[0].report.tip;
    let joints = rig.modifiers[0].parts().joints().iter();
    let joints = joints.map(|&bone| rig.locate(on(bone, Vec2::ZERO)));
    let points: Vec<_> = joints.chain([tip]).collect();
    let gap = |pair: &[Vec2]| match *shape {
        Shape::Circle { radius } => {
            let way = pair[1] - pair[0];
            let part = (center - pair[0]).dot(way) / way.length_squared();
            let nearest = pair[0] + part.clamp(0.0, 1.0) * way;
            nearest.distance(center) - radius
        }
        Shape::Rectangle { size } => center.y - 0.5 * size.y - pair[0].y.max(pair[1].y),
        _ => f32::INFINITY,
    };
    points.windows(2).map(gap).fold(f32::INFINITY, f32::min)
}

#[test]
fn bones_stay_out_of_obstacles_and_come_to_rest_there() {
    for shape in [
        Shape::Circle { radius: 20.0 },
        Shape::Rectangle {
            size: Vec2::new(300.0, 4.0),
        },
    ] {
        for radius in [0.0, 6.0] {
            let settings = SpringSettings {
                gravity: Vec2::new(0.0, 980.0),
                radius,
                ..spring(0.3, 0.3)
            };
            let mut rig = chain(5, settings);
            rig.bones.iter_mut().for_each(|bone| bone.rotation = 0.0);
            spring_of(&mut rig).obstacles = vec![Obstacle {
                shape,
                frame: Affine2::from_translation(Vec2::new(100.0, 25.0)),
                bone: None,
            }];
            let mut space = Workspace::default();
            let mut rests = false;
            for frame in 0..900 {
                step(
                    &mut rig,
                    &mut space,
                    if frame == 20 { 0.5 } else { 1.0 / 60.0 },
                );
                let depth = rig.modifiers[0].report.penetration;
                assert!(depth < 0.05, "{shape:?}, {radius}, frame {frame}: {depth}");
                let gap = gap_to(&rig, &shape, Vec2::new(100.0, 25.0));
                assert!(
                    gap > radius - 0.1,
                    "{shape:?}, {radius}, frame {frame}: {gap}"
                );
                rests = !rig.is_moving();
            }
            let root = bends(&rig)[1];
            assert!(root > 0.15 && root < 0.8, "it lies on the shape: {root}");
            assert!(rests, "{shape:?}, {radius}: it never rests");
        }
    }
}

#[test]
fn settings_may_change_while_it_swings() {
    let (mut rig, mut space) = struck(5, spring(3.0, 0.4));
    for _ in 0..6 {
        step(&mut rig, &mut space, 1.0 / 60.0);
    }
    let before = bends(&rig);
    assert!(largest(&before) > 0.005);
    settings_of(&mut rig).frequency = 2.0;
    settings_of(&mut rig).damping_ratio = 1.5;
    spring_of(&mut rig).tuning = Some(Box::new(Tuning {
        frequency: vec![1.0, 0.9, 0.8, 0.7, 0.6],
        damping: Vec::new(),
    }));
    step(&mut rig, &mut space, 1e-4);
    assert!(apart(&bends(&rig), &before) < 1e-3, "the state is kept");
}

#[test]
fn a_reset_starts_at_rest() {
    let (mut rig, mut space) = struck(5, spring(3.0, 0.4));
    step(&mut rig, &mut space, 1.0 / 60.0);
    assert!(largest(&bends(&rig)) > 1e-3);
    let mut twin = rig.clone();
    twin.forget();
    settings_of(&mut rig).resets += 1;
    for rig in [&mut rig, &mut twin] {
        step(rig, &mut space, 1.0 / 60.0);
        assert_eq!(
            largest(&bends(rig)),
            0.0,
            "and what was pushed before is forgotten"
        );
    }
}

/// The least time of five first passes of a chain that no spring has met, in seconds.
fn first_pass(bones: usize) -> f64 {
    let passes = (0..5).map(|_| {
        let (mut rig, mut space) = (chain(bones, spring(3.0, 0.4)), Workspace::default());
        let began = std::time::Instant::now();
        step(&mut rig, &mut space, 1.0 / 60.0);
        began.elapsed().as_secs_f64()
    });
    passes.fold(f64::INFINITY, f64::min)
}

/// It is less than a quarter of that, so a busy machine does not matter. Finding all shapes takes n³: 60 times as long.
#[test]
fn a_first_pass_costs_no_more_than_n_squared_log_n() {
    let cost = |bones: f64| bones * bones * libm::log2(bones);
    let ratio = first_pass(1000) / first_pass(256);
    assert!(ratio < cost(1000.0) / cost(256.0), "{ratio}");
}

#[test]
fn impulses_may_be_wound() {
    let strike = |before: Vec2, after: Vec2| {
        let mut settings = spring(3.0, 0.4);
        settings.pushed = before;
        let mut rig = chain(3, settings);
        let mut space = Workspace::default();
        step(&mut rig, &mut space, 1.0 / 60.0);
        settings_of(&mut rig).pushed = after;
        step(&mut rig, &mut space, 1.0 / 60.0);
        rotations(&rig)
    };
    let plain = strike(Vec2::ZERO, Vec2::new(0.0, 256.0));
    let wound = strike(
        Vec2::new(0.0, 32_640.0),
        Vec2::new(0.0, 32_896.0 - 65_536.0),
    );
    assert!(apart(&plain, &wound) < 1e-6);
    assert!(apart(&plain, &strike(Vec2::ZERO, Vec2::ZERO)) > 1e-3);
}

#[test]
fn its_goal_is_what_modifiers_above_give() {
    let mut rig = chain(3, spring(3.0, 0.4));
    let end = End::Point(on(0, Vec2::X));
    let look = reaching(look_at(), vec![0], end, fixed(Vec2::new(200.0, 0.0)));
    rig.modifiers.insert(0, look);
    let mut space = Workspace::default();
    let mut leans = Vec::new();
    for frame in 0..40 {
        if frame == 5 {
            rig.modifiers[0].target_mut().position = Vec2::new(200.0, 100.0);
        }
        rig.delta = 1.0 / 60.0;
        rig.go_on();
        rig.solve(&mut space);
        leans.push(largest(&bends(&rig)[1..]));
    }
    assert_eq!(leans[4], 0.0);
    assert!(
        leans[5] > 0.05,
        "it lags behind the bone that is turned: {leans:?}"
    );
}

#[test]
fn bad_numbers_leave_the_pose_alone() {
    for spoil in [
        (|rig: &mut Rig| settings_of(rig).frequency = f32::NAN) as fn(&mut Rig),
        |rig| settings_of(rig).gravity.x = f32::INFINITY,
        |rig| rig.to_global = Affine2::from_scale(Vec2::new(0.0, 1.0)),
        |rig| rig.to_global.translation.x = f32::NAN,
        |rig| rig.bones[2].position.y = f32::INFINITY,
    ] {
        let (mut rig, mut space) = struck(4, spring(3.0, 0.4));
        step(&mut rig, &mut space, 1.0 / 60.0);
        step(&mut rig, &mut space, 1.0 / 60.0);
        let pose = rotations(&rig);
        let mut spoiled = rig.clone();
        spoil(&mut spoiled);
        spoiled.go_on();
        rig.go_on();
        rig.delta = 0.0;
        spring_of(&mut spoiled).memory.before = motion_of(&rig).clone();
        spoiled.solve(&mut space);
        assert_eq!(spoiled.modifiers[0].report.status, Status::Invalid);
        assert!(
            bends(&spoiled).iter().all(|bend| *bend == 0.0),
            "the pose is left alone"
        );
        // And goes on from where it was.
        spoiled.go_on();
        spring_of(&mut rig).memory.before = motion_of(&spoiled).clone();
        rig.solve(&mut space);
        assert_eq!(rotations(&rig), pose);
    }
}

#[test]
fn a_capture_of_a_swing_is_replayed_to_the_last_bit() {
    let mut settings = spring(3.0, 0.3);
    settings.gravity = Vec2::new(100.0, 700.0);
    let (mut rig, mut space) = struck(6, settings);
    rig.to_global = Affine2::from_scale_angle_translation(Vec2::new(-1.5, 0.8), 0.4, Vec2::ONE);
    for _ in 0..9 {
        step(&mut rig, &mut space, 1.0 / 60.0);
    }
    let text = Capture::of(&rig).to_json();
    let mut read = Capture::read_all(&text).expect("it can be read");
    assert_eq!(read[0].replay(), []);
    assert_eq!(read[0].to_json(), text);
}

proptest! {
    /// Whatever hangs above, bones keep to what is finite, and swing no farther than they may.
    #[test]
    fn any_frame_above_leaves_the_chain_whole(
        axes in prop::array::uniform4(-2.0_f32..2.0),
        moves in prop::collection::vec((-200.0_f32..200.0, -200.0_f32..200.0, -PI..PI), 1..30),
        frequency in 0.1_f32..20.0,
        damping in 0.0_f32..2.0,
    ) {
        let [a, b, c, d] = axes;
        let above = Mat2::from_cols(Vec2::new(a, b), Vec2::new(c, d));
        prop_assume!(above.determinant().abs() > 0.05);
        let mut rig = chain(5, spring(frequency, damping));
        let mut space = Workspace::default();
        for (x, y, angle) in moves {
            let own = Affine2::from_angle_translation(angle, Vec2::new(x, y));
            rig.to_global = Affine2::from_mat2(above) * own;
            step(&mut rig, &mut space, 1.0 / 60.0);
            prop_assert!(rig.modifiers[0].report.distance <= 2.0 * 5.0 * LENGTH * 1.001);
        }
    }
}
