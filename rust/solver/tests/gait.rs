//! Legs that step by themselves: two to forty of them, over level ground, hills and stairs.

mod ground;

use glam::{Affine2, Mat2, Vec2};
use tendon_solver::math::angle::shortest_way;
use tendon_solver::{
    Bone, End, Foot, GaitOrder, GaitSettings, Modifier, Point, Rig, Snapshot, Stance, Status, Tick,
    TwoBone, Workspace,
};

use crate::ground::{Terrain, rest_at_base, stance, stance_in};

/// Of each bone of a leg.
const BONE: f32 = 30.0;
/// How high the hips are above the feet in the rest pose.
const HIP: f32 = 40.0;

/// A body with this many legs, side by side, with a little more distance between the feet.
fn rig(legs: usize) -> Rig {
    rig_of(legs, [BONE, BONE], HIP, [8.0, 10.0])
}

/// One whose legs have these bones. Its hips are so high, and these and the feet so far from each other.
fn rig_of(legs: usize, [thigh, shin]: [f32; 2], height: f32, [hips, feet]: [f32; 2]) -> Rig {
    let mut bones = vec![Bone {
        position: Vec2::new(0.0, -height),
        ..Bone::below(None)
    }];
    let mut modifiers = vec![Modifier::new(Stance::that_steps(0, Vec::new()))];
    for leg in 0..legs {
        let part = leg as f32 - 0.5 * (legs - 1) as f32;
        let (hip, foot) = (hips * part, feet * part);
        let way = Vec2::new((foot - hip).clamp(-20.0, 20.0), height);
        let side = if part < 0.0 { 1.0 } else { -1.0 };
        let corner = |a: f32, b: f32, opposite: f32| {
            ((a * a + b * b - opposite * opposite) / (2.0 * a * b)).acos()
        };
        let bend = side * corner(thigh, way.length(), shin);
        let knee = side * (std::f32::consts::PI - corner(thigh, shin, way.length()));
        let upper = bones.len();
        bones.push(Bone {
            position: Vec2::X * hip,
            rotation: way.y.atan2(way.x) + bend,
            ..Bone::below(Some(0))
        });
        bones.push(Bone {
            position: Vec2::X * thigh,
            rotation: -knee,
            ..Bone::below(Some(upper))
        });
        let end = End::Point(Point {
            bone: Some(upper + 1),
            position: Vec2::X * shin,
        });
        let mut limb = TwoBone::new([upper, upper + 1], end, Point::default());
        limb.settings.flip_bend_direction = part < 0.0;
        let mut limb = Modifier::new(limb);
        limb.awaits_goal = true;
        modifiers.push(limb);
        stance_in(&mut modifiers).feet.push(Foot {
            limb: Some(leg + 1),
            ..Foot::default()
        });
    }
    let mut rig = Rig::new(bones, modifiers);
    rest_at_base(&mut rig);
    rig
}

/// How feet step.
fn settings_of(rig: &mut Rig) -> &mut GaitSettings {
    stance(rig).gait.as_mut().expect("it steps")
}

/// A walk: how often a second frames are drawn, and ticks of the physics are made.
struct Run {
    rig: Rig,
    world: Terrain,
    rates: [u32; 2],
    ticks: u32,
    frames: u32,
    /// Whether the character's body is on a floor, if it has one.
    is_on_floor: Option<bool>,
}

/// What a frame showed.
struct Seen {
    tips: Vec<Vec2>,
    planted: Vec<bool>,
    /// The end of the last tick, in seconds.
    time: f32,
}

impl Run {
    fn new(legs: usize, world: Terrain, rates: [u32; 2]) -> Self {
        Self::of(rig(legs), world, rates)
    }

    fn of(rig: Rig, world: Terrain, rates: [u32; 2]) -> Self {
        Self {
            rig,
            world,
            rates,
            ticks: 0,
            frames: 0,
            is_on_floor: None,
        }
    }

    /// The next frame, with all ticks before it. `body` says where the body is after a time.
    fn frame(&mut self, mut body: impl FnMut(f32, &mut Terrain) -> Affine2) -> Seen {
        let [fps, physics] = self.rates;
        self.frames += 1;
        let due = u64::from(self.frames) * u64::from(physics) / u64::from(fps);
        let rig = &mut self.rig;
        while u64::from(self.ticks) < due {
            self.ticks += 1;
            let time = self.ticks as f32 / physics as f32;
            rig.to_global = body(time, &mut self.world);
            let tick = Tick::new(1.0 / physics as f32, rig.to_global, self.is_on_floor);
            rig.stand(0, tick, &[], false, &mut self.world);
        }
        rig.go_on();
        rig.begin();
        rig.delta = 1.0 / fps as f32;
        for index in 0..rig.modifiers.len() {
            rig.apply(index, &mut Workspace::default());
        }
        rig.finish();
        assert_eq!(rig.validate(), Ok(()));
        assert_eq!(rig.modifiers[0].report.status, Status::Reached);
        let tips = (1..rig.modifiers.len()).map(|limb| {
            let tip = rig.locate(rig.modifiers[limb].parts().tip());
            rig.to_global.transform_point2(tip)
        });
        let tips = tips.collect();
        let feet = stance(rig).memory.last().feet.iter();
        Seen {
            tips,
            planted: feet.map(|foot| foot.plant.is_some()).collect(),
            time: self.ticks as f32 / physics as f32,
        }
    }
}

fn at(x: f32, y: f32) -> Affine2 {
    Affine2::from_translation(Vec2::new(x, y))
}

fn level(_: f32) -> f32 {
    0.0
}

fn hills(x: f32) -> f32 {
    14.0 - 14.0 * (x / 60.0).cos()
}

fn blocks(x: f32) -> f32 {
    let is_on_one = (40.0..70.0).contains(&x.rem_euclid(96.0));
    if is_on_one { 14.0 } else { 0.0 }
}

/// Up, and down again.
fn stairs(x: f32) -> f32 {
    let (up, down) = (x / 64.0, (500.0 - x) / 64.0);
    16.0 * up.floor().min(down.floor()).max(0.0)
}

/// What is walked over, and how high the body is there.
#[derive(Clone, Copy)]
struct Course {
    name: &'static str,
    ground: fn(f32) -> f32,
    body: fn(f32) -> f32,
}

const COURSES: [Course; 4] = [
    Course {
        name: "level",
        ground: level,
        body: level,
    },
    Course {
        name: "hills",
        ground: hills,
        body: hills,
    },
    Course {
        name: "stairs",
        ground: stairs,
        body: stairs,
    },
    Course {
        name: "blocks",
        ground: blocks,
        body: level,
    },
];

const ORDERS: [GaitOrder; 3] = [GaitOrder::Alternate, GaitOrder::Wave, GaitOrder::Free];
const LEGS: [usize; 5] = [2, 4, 6, 8, 40];

#[test]
fn legs_walk_without_sliding_and_never_too_many_are_lifted() {
    for course in COURSES {
        for legs in LEGS {
            for order in ORDERS {
                walk_over(course, legs, order, [60, 60]);
                if legs <= 8 {
                    walk_over(course, legs, order, [30, 60]);
                    walk_over(course, legs, order, [144, 60]);
                }
            }
        }
    }
}

/// How deep the edge of a stair or block may be touched, in pixels.
const TOUCH: f32 = 6.0;

/// 540 px in 6 seconds.
fn walk_over(course: Course, legs: usize, order: GaitOrder, rates: [u32; 2]) {
    let Course { name, ground, body } = course;
    let mut run = Run::new(legs, Terrain::new(ground), rates);
    settings_of(&mut run.rig).gait = order;
    let most = (legs / 2).max(1);
    // A stiff body of 400 px does not follow hills: legs at its ends do not reach the ground.
    let is_stiff = legs == 40 && body(100.0) != 0.0;
    let mut before: Option<Seen> = None;
    let mut steps = vec![0; legs];
    for _ in 0..6 * rates[0] {
        let seen = run.frame(|time, _| at(90.0 * time, -body(90.0 * time)));
        // Feet are on no ground before the first tick.
        if seen.planted.is_empty() || seen.time < 0.2 {
            continue;
        }
        let lifted = seen.planted.iter().filter(|planted| !**planted).count();
        let case = format!("{legs} {order:?} over {name}, {rates:?}, at {}", seen.time);
        // Legs that do not reach any more do not wait.
        let most = most + legs.div_ceil(4);
        assert!(lifted <= most || is_stiff, "{case}: {lifted} are lifted");
        for (leg, steps) in steps.iter_mut().enumerate() {
            let tip = seen.tips[leg];
            // One that swings may touch an edge, since its joints turn no faster.
            let is_shallow = !seen.planted[leg] && !run.world.buries(tip - Vec2::new(0.0, TOUCH));
            let is_buried = run.world.buries(tip) && !is_stiff && !is_shallow;
            assert!(!is_buried, "{case}: {leg} is in the ground at {tip}");
            if let Some(before) = &before {
                let slide = tip.distance(before.tips[leg]);
                let stays = seen.planted[leg] && before.planted[leg];
                // A body that is put onto a stair takes a foot off its place for a moment, until it is let go.
                let is_climb = name != "level" && (slide < 0.08 * 2.0 * BONE || is_stiff);
                let is_still = slide < 0.01 || is_climb;
                assert!(!stays || is_still, "{case}: {leg} slides {slide}");
                *steps += i32::from(before.planted[leg] && !seen.planted[leg]);
            }
        }
        before = Some(seen);
    }
    let case = format!("{legs} {order:?} over {name}: {steps:?}");
    let is_walk = steps.iter().all(|&steps| (4..50).contains(&steps));
    assert!(is_walk, "{case}");
}

#[test]
fn legs_are_at_home_within_a_second_after_a_stop() {
    for legs in [2, 3, 4, 5, 6, 7, 8] {
        let mut run = Run::new(legs, Terrain::new(level), [60, 60]);
        let way = |time: f32| 120.0 * time.min(1.3);
        let mut at_a_second = Vec::new();
        for frame in 0..240 {
            let seen = run.frame(|time, _| at(way(time), 0.0));
            match frame {
                // A second and three tenths, and a second.
                138 => at_a_second = seen.tips,
                139.. => {
                    for (now, before) in seen.tips.iter().zip(&at_a_second) {
                        let moved = now.distance(*before);
                        assert!(moved < 0.5, "{legs} legs, frame {frame}: {moved}");
                    }
                }
                _ => {}
            }
        }
    }
}

#[test]
fn feet_stay_out_of_the_ground_when_the_body_turns_back() {
    for course in COURSES {
        for legs in [2, 4, 6, 8] {
            for order in ORDERS {
                for rates in [[60, 60], [30, 60]] {
                    let Course { name, ground, body } = course;
                    let mut run = Run::new(legs, Terrain::new(ground), rates);
                    settings_of(&mut run.rig).gait = order;
                    // Up to 124 px a second, both ways.
                    let way =
                        |time: f32| 250.0 + 80.0 * (0.8 * time).sin() + 20.0 * (3.0 * time).sin();
                    let mut was_buried = vec![false; legs];
                    for _ in 0..8 * rates[0] {
                        let seen = run.frame(|time, _| at(way(time), -body(way(time))));
                        let feet = seen.tips.iter().enumerate();
                        // They begin inside of blocks.
                        for (leg, &tip) in feet.filter(|_| seen.time > 0.2) {
                            // One that turns back beside an edge may touch it in passing.
                            let is_buried = run.world.buries(tip);
                            let is_passing = !std::mem::replace(&mut was_buried[leg], is_buried);
                            assert!(
                                !is_buried || is_passing && !seen.planted[leg],
                                "{legs} {order:?} over {name}, {rates:?}, at {}: {leg} at {tip}",
                                seen.time
                            );
                        }
                    }
                }
            }
        }
    }
}

/// How far a joint turns in a frame at most, at 60 frames a second and this speed.
fn joint_turn(course: Course, legs: usize, settings: GaitSettings, speed: f32) -> f32 {
    let mut run = Run::new(legs, Terrain::new(course.ground), [60, 60]);
    *settings_of(&mut run.rig) = settings;
    let mut most = 0.0_f32;
    let mut before: Option<Vec<f32>> = None;
    for _ in 0..480 {
        run.frame(|time, _| at(speed * time, -(course.body)(speed * time)));
        let bones = 0..run.rig.bones.len();
        let now: Vec<_> = bones.map(|bone| run.rig.rotation(bone)).collect();
        let turns = before.iter().flatten().zip(&now);
        let turns = turns.map(|(before, now)| shortest_way(*before, *now).abs());
        most = turns.fold(most, f32::max);
        before = Some(now);
    }
    most
}

#[test]
fn joints_do_not_pop() {
    for legs in [2, 4, 6, 8] {
        for order in ORDERS {
            // The legs are 60 px long.
            for (course, step_duration, bound) in [
                (COURSES[0], 0.2, 0.3),
                (COURSES[1], 0.2, 0.3),
                (COURSES[2], 0.2, 0.41),
                (COURSES[2], 0.3, 0.41),
            ] {
                let settings = GaitSettings {
                    gait: order,
                    step_duration,
                    ..GaitSettings::default()
                };
                let turn = joint_turn(course, legs, settings, 60.0);
                assert!(
                    turn < bound,
                    "{legs} {order:?} over {}: {turn}",
                    course.name
                );
            }
        }
    }
}

#[test]
fn no_leg_is_too_short_up_to_the_top_speed() {
    for legs in [2, 4, 8] {
        for speed in [30.0, 120.0, 300.0, 500.0, 900.0] {
            let mut run = Run::new(legs, Terrain::new(level), [60, 60]);
            for frame in 0..300 {
                let seen = run.frame(|time, _| at(speed * time, 0.0));
                for leg in 0..legs {
                    let distance = run.rig.modifiers[leg + 1].report.distance;
                    // One that swings may come after.
                    if !seen.planted.get(leg).is_some_and(|&planted| planted) {
                        continue;
                    }
                    assert!(
                        distance < 8.0,
                        "{legs} legs at {speed}: {leg} misses by {distance} in frame {frame}, {}",
                        seen.time
                    );
                }
            }
        }
    }
}

#[test]
fn who_stands_settles_and_then_is_still() {
    for legs in LEGS {
        for order in ORDERS {
            let mut run = Run::new(legs, Terrain::new(hills), [60, 60]);
            settings_of(&mut run.rig).gait = order;
            let body = |time: f32| at(80.0 * time.min(2.0), 0.0);
            for _ in 0..120 + 60 + 12 * legs {
                run.frame(|time, _| body(time));
            }
            let seen = run.frame(|time, _| body(time));
            for leg in 0..legs {
                let rest = stance(&mut run.rig).rest[2 + 2 * leg];
                let home = rest.transform_point2(Vec2::X * BONE).x + 160.0;
                let away = (seen.tips[leg].x - home).abs();
                assert!(away < 5.0, "{legs} {order:?}: {leg} is {away} from home");
            }
            let rotations: Vec<_> = (0..run.rig.bones.len())
                .map(|bone| run.rig.rotation(bone))
                .collect();
            for _ in 0..600 {
                let seen = run.frame(|time, _| body(time));
                assert!(
                    seen.planted.iter().all(|&planted| planted),
                    "{legs} {order:?}"
                );
            }
            for (bone, rotation) in rotations.into_iter().enumerate() {
                assert!((run.rig.rotation(bone) - rotation).abs() < 1e-3);
            }
        }
    }
}

/// When each foot falls, by legs.
fn footfalls(legs: usize, rates: [u32; 2], height: fn(f32) -> f32) -> Vec<Vec<f32>> {
    let mut run = Run::new(legs, Terrain::new(height), rates);
    let mut falls = vec![Vec::new(); legs];
    let mut before = vec![true; legs];
    for _ in 0..6 * rates[0] {
        let body = |time: f32| at(70.0 * time, -height(70.0 * time));
        let seen = run.frame(|time, _| body(time));
        for leg in 0..legs {
            let is_planted = seen.planted.get(leg).is_some_and(|&planted| planted);
            if run.ticks > 1 && is_planted && !before[leg] {
                falls[leg].push(seen.time);
            }
        }
        if !seen.planted.is_empty() {
            before = seen.planted;
        }
    }
    falls
}

#[test]
fn feet_fall_at_the_same_time_at_any_rate() {
    for legs in [2, 8] {
        for height in [level, hills, stairs] {
            let falls = footfalls(legs, [60, 60], height);
            assert!(falls.iter().all(|falls| falls.len() > 5), "{falls:?}");
            for rate in [30, 144] {
                let others = footfalls(legs, [rate, 60], height);
                for (falls, others) in falls.iter().zip(&others) {
                    assert!(falls.len().abs_diff(others.len()) <= 1);
                    // Later on, one that waits a little longer changes whose turn it is.
                    for (fall, other) in falls.iter().zip(others).take(3) {
                        let apart = (fall - other).abs();
                        assert!(
                            // A pass shows what has happened since the one before.
                            apart
                                < 1.01
                                    * (6.0 / 60.0 + 2.0 / rate as f32
                                        - 1.0 / 60.0_f32.max(rate as f32))
                                    .max(1.0 / 60.0),
                            "{legs} at {rate}: {fall} and {other}"
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn a_mirrored_run_is_the_mirror_image() {
    for legs in [2, 8] {
        let mut plain = Run::new(legs, Terrain::new(level), [60, 60]);
        let mut mirrored = Run::new(legs, Terrain::new(level), [60, 60]);
        let mirror = Affine2::from_mat2(Mat2::from_diagonal(Vec2::new(-1.0, 1.0)));
        for _ in 0..300 {
            let one = plain.frame(|time, _| at(90.0 * time, 0.0));
            let other = mirrored.frame(|time, _| mirror * at(90.0 * time, 0.0));
            for leg in 0..legs {
                let seen = mirror.transform_point2(other.tips[leg]);
                assert!(seen.distance(one.tips[leg]) < 0.01);
                assert_eq!(one.planted.get(leg), other.planted.get(leg));
            }
        }
    }
}

#[test]
fn turning_round_and_leaping_take_the_feet_along() {
    let mut run = Run::new(4, Terrain::new(level), [60, 60]);
    for _ in 0..60 {
        run.frame(|time, _| at(90.0 * time, 0.0));
    }
    let before = run.rig.to_global;
    let seen = run.frame(|time, _| at(90.0 * time, 0.0));
    let flipped = Affine2::from_scale_angle_translation(
        Vec2::new(-1.0, 1.0),
        0.0,
        run.rig.to_global.translation,
    );
    let now = run.frame(|_, _| flipped);
    for leg in 0..4 {
        let own = before.inverse().transform_point2(seen.tips[leg]);
        let new = flipped.inverse().transform_point2(now.tips[leg]);
        assert!(own.distance(new) < 8.0, "{own} {new}");
    }
    let leap = at(4000.0, 0.0);
    for frame in 0..60 {
        let seen = run.frame(|_, _| leap);
        for tip in &seen.tips {
            assert!((tip.x - 4000.0).abs() < 60.0, "{tip} in frame {frame}");
        }
    }
    // And again and again.
    for frame in 0..60 {
        let place = 1000.0 * frame as f32;
        let seen = run.frame(|_, _| at(place, 0.0));
        assert!(seen.tips.iter().all(|tip| (tip.x - place).abs() < 60.0));
    }
}

#[test]
fn who_jumps_hangs_and_finds_the_ground_again() {
    let mut run = Run::new(4, Terrain::new(level), [60, 60]);
    let body = |time: f32| {
        let time = (time - 0.5).clamp(0.0, 1.2);
        at(60.0 * time, -420.0 * time + 350.0 * time * time)
    };
    let mut most = 0;
    for _ in 0..180 {
        let seen = run.frame(|time, _| body(time));
        most = most.max(seen.planted.iter().filter(|planted| !**planted).count());
        for tip in &seen.tips {
            assert!(tip.y < 1.0, "{tip} is in the ground");
        }
    }
    assert_eq!(most, 4);
    let seen = run.frame(|time, _| body(time));
    assert!(seen.planted.iter().all(|&planted| planted));
    assert!(seen.tips.iter().all(|tip| tip.y.abs() < 0.1));
}

#[test]
fn without_ground_legs_hang_in_the_rest_pose() {
    let mut run = Run::new(6, Terrain::new(level), [60, 60]);
    run.frame(|_, _| at(0.0, 0.0));
    run.world.is_there = false;
    for _ in 0..180 {
        run.frame(|_, _| at(0.0, 0.0));
    }
    for bone in 0..run.rig.bones.len() {
        let away = run.rig.rotation(bone) - run.rig.bones[bone].rotation;
        assert!(away.abs() < 1e-2, "{bone}: {away}");
    }
}

#[test]
fn who_rides_on_a_platform_stands() {
    let mut run = Run::new(4, Terrain::new(level), [60, 60]);
    let mut before: Option<Vec<Vec2>> = None;
    for frame in 0..240 {
        let seen = run.frame(|time, world| {
            world.frame = Affine2::from_translation(Vec2::new(70.0 * time, 10.0 * time));
            at(70.0 * time, 10.0 * time)
        });
        assert!(seen.planted.iter().all(|&planted| planted), "{frame}");
        let on_it = seen
            .tips
            .iter()
            .map(|&tip| tip - run.world.frame.translation);
        let on_it: Vec<_> = on_it.collect();
        if let Some(before) = before {
            let apart = on_it.iter().zip(&before).map(|(a, b)| a.distance(*b));
            assert!(apart.fold(0.0, f32::max) < 0.01);
        }
        before = Some(on_it);
    }
}

#[test]
fn feet_pass_over_what_lies_between() {
    let wall = |x: f32| if (x - 61.0).abs() < 4.0 { 22.0 } else { 0.0 };
    let mut run = Run::new(2, Terrain::new(wall), [60, 60]);
    for _ in 0..240 {
        let seen = run.frame(|time, _| at(60.0 * time, 0.0));
        for tip in &seen.tips {
            let depth = tip.y - run.world.at(tip.x);
            assert!(depth < 1.5, "{tip} is {depth} deep");
        }
    }
}

#[test]
fn the_body_keeps_its_height_and_tilts() {
    for tilt in [0.0, 1.0] {
        let slope = |x: f32| 0.3 * x;
        let mut run = Run::new(6, Terrain::new(slope), [60, 60]);
        settings_of(&mut run.rig).body_tilt = tilt;
        settings_of(&mut run.rig).body_height = 35.0;
        for _ in 0..180 {
            run.frame(|_, _| at(0.0, 10.0));
        }
        let pelvis = run.rig.position(0);
        assert!((pelvis.y + 10.0 + 35.0).abs() < 1.5, "{pelvis}");
        let turn = run.rig.rotation(0);
        let expected = -tilt * 0.3_f32.atan();
        assert!((turn - expected).abs() < 0.04, "{turn} {expected}");
    }
}

#[test]
fn a_state_goes_on_to_the_last_bit() {
    let mut run = Run::new(6, Terrain::new(hills), [60, 60]);
    let walk = |run: &mut Run, frames: std::ops::Range<u32>| {
        let mut bits = Vec::new();
        for frame in frames {
            (run.frames, run.ticks) = (frame, frame);
            run.frame(|time, _| at(90.0 * time, 0.0));
            bits.extend((0..13).map(|bone| run.rig.rotation(bone).to_bits()));
        }
        bits
    };
    walk(&mut run, 0..40);
    let saved = Snapshot::of(&run.rig, Vec::new()).to_bytes();
    let once = walk(&mut run, 40..80);
    let saved = Snapshot::read(&saved).expect("it can be read");
    saved.check(&run.rig).expect("it fits");
    saved.restore(&mut run.rig);
    assert_eq!(once, walk(&mut run, 40..80));
}

/// Thighs of 24 and shins of 56, which no foot can come nearer than 32: over blocks, and with starts and stops.
#[test]
fn feet_of_folded_legs_do_not_leap() {
    let ways: [fn(f32) -> f32; 2] = [
        |time| 90.0 * time,
        |time| 60.0 * time - 40.0 * (4.0 * time).cos(),
    ];
    for bones in [[24.0_f32, 56.0], [40.0, 16.0], [16.0, 52.0]] {
        for (way, ground) in ways.into_iter().zip([blocks as fn(f32) -> f32, level]) {
            let height = 1.1 * (bones[0] - bones[1]).abs() + 2.0;
            let rig = rig_of(6, bones, height, [4.0, 16.0]);
            let mut run = Run::of(rig, Terrain::new(ground), [60, 60]);
            let mut before: Option<Vec<Vec2>> = None;
            for frame in 0..360 {
                let seen = run.frame(|time, _| at(way(time), 0.0));
                let place = |tip: &Vec2| *tip - run.rig.to_global.translation;
                let now: Vec<_> = seen.tips.iter().map(place).collect();
                for (leg, (now, before)) in now.iter().zip(before.iter().flatten()).enumerate() {
                    let leap = now.distance(*before);
                    assert!(
                        leap < 0.5 * (bones[0] + bones[1]),
                        "{bones:?} at {frame}: {leg} leaps by {leap}"
                    );
                }
                before = Some(now);
            }
        }
    }
}

/// A body that goes farther than half a leg in every tick: its feet are not there.
#[test]
fn feet_run_in_the_air_where_the_body_is_too_fast() {
    let mut run = Run::new(6, Terrain::new(level), [60, 60]);
    let way = |time: f32| 2400.0 * (time - 0.5).max(0.0);
    let mut planted = 0;
    let mut farthest = 0.0_f32;
    let mut before = Vec::new();
    for frame in 0..60 {
        let seen = run.frame(|time, _| at(way(time), 0.0));
        let now: Vec<_> = { seen.tips.iter() }
            .map(|tip| *tip - run.rig.to_global.translation)
            .collect();
        if frame > 36 {
            planted += seen.planted.iter().filter(|planted| **planted).count();
            let ways = now
                .iter()
                .zip(&before)
                .map(|(now, before): (&Vec2, &Vec2)| now.distance(*before));
            farthest = ways.fold(farthest, f32::max);
        }
        before = now;
    }
    assert!(planted < 30, "{planted} of 138 looks");
    assert!(farthest > 1.0, "they stand still: {farthest}");
}

/// Legs that are nearly straight when the body stands.
#[test]
fn feet_land_after_a_jump_on_the_spot() {
    for straight in [0.9, 0.95, 0.975, 0.99] {
        let rig = rig_of(2, [24.0, 22.0], straight * 46.0, [0.0, 4.0]);
        let mut run = Run::of(rig, Terrain::level(0.0), [60, 60]);
        let height = |time: f32| (430.0 * time - 490.0 * time * time).max(0.0);
        let mut planted = Vec::new();
        for frame in 0..180 {
            let height = height((frame as f32 / 60.0 - 0.5).max(0.0));
            run.is_on_floor = Some(height == 0.0);
            planted = run.frame(|_, _| at(0.0, -height)).planted;
            assert!(
                frame != 25 || planted == [true; 2],
                "{straight}: before the jump"
            );
        }
        assert_eq!(planted, [true; 2], "{straight}");
    }
}

/// Hips that are set lower leave more room for a stride.
#[test]
fn a_lower_body_makes_longer_strides() {
    for rest in [80.0, 62.0] {
        let mut run = Run::of(
            rig_of(2, [44.0, 44.0], rest, [0.0, 8.0]),
            Terrain::new(level),
            [60, 60],
        );
        let settings = settings_of(&mut run.rig);
        (settings.body_height, settings.step_distance) = (60.0, 45.0);
        settings.step_duration = 0.3;
        let (mut steps, mut before) = (0, vec![true; 2]);
        for frame in 0..360 {
            let seen = run.frame(|time, _| at(100.0 * time, 0.0));
            let falls = seen
                .planted
                .iter()
                .zip(&before)
                .filter(|&(now, before)| *now && !before);
            steps += if frame < 120 { 0 } else { falls.count() };
            before = seen.planted;
        }
        assert!(
            (8..=24).contains(&steps),
            "hips at {rest}: {steps} footfalls in 4 s"
        );
    }
}

/// A dog, whose pelvis is at its hind legs, walks from level ground up a slope.
#[test]
fn all_legs_of_a_dog_walk_up_a_slope() {
    for (slope, least) in [(0.176_f32, 60), (0.27, 40)] {
        let mut rig = rig_of(4, [26.0, 28.0], 50.0, [20.0, 20.0]);
        // The pelvis is above the hind legs.
        rig.bones[0].position.x = -30.0;
        for leg in 0..4 {
            rig.bones[1 + 2 * leg].position.x += 30.0;
        }
        rest_at_base(&mut rig);
        let ground: fn(f32) -> f32 = match slope < 0.2 {
            true => |x| 0.176 * x.max(0.0),
            false => |x| 0.27 * x.max(0.0),
        };
        let mut run = Run::of(rig, Terrain::new(ground), [60, 60]);
        let way = |time: f32| 80.0 * time.min(6.0) - 100.0;
        let mut planted = [0; 4];
        for frame in 0..480 {
            let seen = run.frame(|time, _| at(way(time), -ground(way(time))));
            for (leg, is_planted) in seen.planted.iter().enumerate() {
                planted[leg] += i32::from(*is_planted && (120..360).contains(&frame));
                let is_still = frame > 470;
                assert!(
                    !is_still || *is_planted,
                    "{slope}: leg {leg} hangs when the body stands"
                );
            }
        }
        assert!(
            planted.iter().all(|&count| count > least),
            "{slope}: {planted:?} of 240"
        );
    }
}

/// A head that a trail moves carries the hips through the skeleton, which stays.
#[test]
fn legs_walk_where_their_hips_are_carried_through_the_skeleton() {
    for (ground, speed) in [
        (level as fn(f32) -> f32, 90.0),
        (hills, 90.0),
        (level, 240.0),
    ] {
        let [mut moved, mut carried] = [0, 1].map(|_| Run::new(6, Terrain::new(ground), [60, 60]));
        let root = carried.rig.bones[0].position;
        let mut planted = [0, 0];
        for frame in 1..240 {
            let body = |time: f32| Vec2::new(speed * time, -ground(speed * time));
            let first = moved.frame(|time, _| Affine2::from_translation(body(time)));
            carried.rig.bones[0].position = root + body(frame as f32 / 60.0);
            let second = carried.frame(|_, _| Affine2::IDENTITY);
            for (planted, seen) in planted.iter_mut().zip([&first, &second]) {
                *planted += seen.planted.iter().filter(|planted| **planted).count();
            }
        }
        let [moved, carried] = planted;
        assert!(
            carried * 10 > moved * 9,
            "{speed}: planted in {carried} looks of {moved}"
        );
    }
}

/// How feet land at a speed: how many in a second, and for each that lands which one it is and when, in strides after the
/// one before of the first leg.
fn landings(rig: Rig, speed: f32) -> (f32, Vec<(usize, f32)>) {
    let legs = rig.modifiers.len() - 1;
    let mut run = Run::of(rig, Terrain::new(level), [60, 60]);
    let mut before = vec![true; legs];
    let mut falls = Vec::new();
    for frame in 0..600 {
        let seen = run.frame(|time, _| {
            at(
                speed * time.min(1.0) * time.min(1.0) + speed * (time - 1.0).max(0.0),
                0.0,
            )
        });
        for (leg, was_planted) in before.iter().enumerate() {
            let is_planted = seen.planted.get(leg).is_some_and(|&planted| planted);
            if is_planted && !was_planted && frame > 240 {
                falls.push((leg, seen.time));
            }
        }
        if !seen.planted.is_empty() {
            before = seen.planted;
        }
    }
    let seconds = 359.0 / 60.0;
    let of_first: Vec<_> = falls
        .iter()
        .filter(|fall| fall.0 == 0)
        .map(|fall| fall.1)
        .collect();
    assert!(of_first.len() > 2, "{falls:?}");
    let stride = (of_first[of_first.len() - 1] - of_first[0]) / (of_first.len() - 1) as f32;
    let after = |time: f32| {
        let last = of_first.iter().rev().find(|&&first| first <= time)?;
        Some((time - last) / stride)
    };
    let rows = falls
        .iter()
        .filter_map(|&(leg, time)| Some((leg, after(time)?)));
    (falls.len() as f32 / seconds, rows.collect())
}

/// The mean way of a leg's landings after those of the first, in strides.
fn lag(rows: &[(usize, f32)], leg: usize) -> f32 {
    let lags: Vec<_> = rows
        .iter()
        .filter(|row| row.0 == leg)
        .map(|row| row.1)
        .collect();
    let turn = |sum: Vec2, lag: &f32| sum + Vec2::from_angle(std::f32::consts::TAU * lag);
    (lags.iter().fold(Vec2::ZERO, turn).to_angle() / std::f32::consts::TAU).rem_euclid(1.0)
}

#[test]
fn a_human_takes_about_two_footfalls_in_a_second_and_more_at_a_run() {
    for (speed, least, most) in [(50.0, 1.2, 2.0), (100.0, 1.7, 2.4), (300.0, 2.4, 4.6)] {
        let human = rig_of(2, [44.0, 44.0], 80.0, [0.0, 0.0]);
        let (falls, rows) = landings(human, speed);
        assert!((least..most).contains(&falls), "{speed}: {falls}");
        let apart = (lag(&rows, 1) - 0.5).abs();
        assert!(apart < 0.08, "{speed}: {apart}");
    }
}

#[test]
fn a_dog_walks_trots_or_paces_and_gallops_by_its_speed() {
    // Hind legs, then fore legs, so far from the middle.
    let dog = |far: f32| {
        let mut rig = rig_of(4, [27.0, 27.0], 50.0, [0.0, 0.0]);
        for leg in 0..4 {
            rig.bones[1 + 2 * leg].position.x = if leg < 2 { -far } else { far };
        }
        rest_at_base(&mut rig);
        rig
    };
    for (far, speed, lags) in [
        (32.0, 80.0, [0.5, 0.22, 0.72]),
        (32.0, 240.0, [0.5, 0.5, 0.0]),
        (32.0, 480.0, [0.12, 0.5, 0.62]),
        // The legs of one side of a camel would kick each other in a trot.
        (16.0, 80.0, [0.5, 0.22, 0.72]),
        (16.0, 240.0, [0.5, 0.0, 0.5]),
    ] {
        let (_, rows) = landings(dog(far), speed);
        for leg in 1..4 {
            let off = (lag(&rows, leg) - lags[leg - 1] + 0.5).rem_euclid(1.0) - 0.5;
            assert!(
                off.abs() < 0.12,
                "{far} px, {speed}: leg {leg} is behind by {}",
                lag(&rows, leg)
            );
        }
    }
}

/// How high the pelvis is, and how far it leans, in each frame.
fn body(amount: f32, way: impl Fn(f32) -> Affine2) -> Vec<[f32; 2]> {
    let mut run = Run::of(
        rig_of(2, [44.0, 44.0], 80.0, [0.0, 0.0]),
        Terrain::new(level),
        [60, 60],
    );
    settings_of(&mut run.rig).body_motion = amount;
    let frames = (0..360).map(|_| {
        run.frame(|time, _| way(time));
        let pelvis = run.rig.locate(Point::origin_of(Some(0)));
        [
            run.rig.to_global.transform_point2(pelvis).y,
            run.rig.rotation(0),
        ]
    });
    frames.collect()
}

#[test]
fn a_body_moves_with_its_steps_as_much_as_is_set() {
    let walk = |time: f32| at(100.0 * time, 0.0);
    let range = |frames: &[[f32; 2]]| {
        let heights = || frames.iter().map(|frame| frame[0]);
        heights().fold(f32::MIN, f32::max) - heights().fold(f32::MAX, f32::min)
    };
    let [still, half, whole] = [0.0, 0.5, 1.0].map(|amount| body(amount, walk));
    let bobs = [&still, &half, &whole].map(|frames| range(&frames[200..]));
    assert!(bobs[0] < 0.3 && (0.4..1.7).contains(&bobs[1]), "{bobs:?}");
    assert!((1.2..4.0).contains(&bobs[2]), "{bobs:?}");
    assert!(still.iter().all(|frame| frame[1].abs() < 1e-3));
    // It sways about the angle at which it leans.
    let leans = || whole[200..].iter().map(|frame| frame[1]);
    let lean = leans().sum::<f32>() / leans().count() as f32;
    assert!((0.02..0.15).contains(&lean), "it leans by {lean}");
    let sway = leans().fold(f32::MIN, f32::max) - leans().fold(f32::MAX, f32::min);
    assert!((0.02..0.08).contains(&sway), "it sways by {sway}");
    // It falls for a third of a second, and stands.
    let fall = |time: f32| at(0.0, (490.0 * time * time - 54.0).min(0.0));
    let [still, whole] = [0.0, 1.0].map(|amount| body(amount, fall));
    let deepest = |frames: &[[f32; 2]]| {
        frames[20..]
            .iter()
            .fold(f32::MIN, |most, frame| most.max(frame[0]))
    };
    let dip = deepest(&whole) - deepest(&still);
    assert!((2.0..20.0).contains(&dip), "it goes down by {dip}");
}
