//! Targets that move smoothly move bones smoothly, animations show through, and nothing is left
//! of earlier frames: with default settings, in every case.
//!
//! Show what is measured with `cargo test -p tendon-solver --test following -- --nocapture`. With
//! `TENDON_LONG` set, there are more paths, each followed for half a minute; with `TENDON_SHORT` a few, for
//! some seconds.
//!
//! What is smooth is measured by second differences, the change of a point's motion from one frame to the next. A frame
//! with a large one is a *kink*. `scripts/bench --smooth` prints how many there are. The tests allow hardly more.

#[path = "common/extent.rs"]
mod extent;
mod motion;

use std::f32::consts::{PI, TAU};

use glam::{Affine2, Vec2};
use rand::RngExt;
use rayon::prelude::*;
use tendon_solver::math::angle::shortest_way;
use tendon_solver::{
    Bone, Obstacle, Point, Rig, Shape, Solver, Status, TransitionSpeeds, Workspace,
};

use extent::extent;
use motion::parts::{Edit, fixed, look_at, two_bone};
use motion::{Case, Film, Kind, Path, Rules};

const KINDS: [Kind; 3] = [Kind::Fabrik, Kind::CcdFromTip, Kind::CcdFromRoot];
const BONES: [usize; 4] = [3, 6, 10, 24];

/// One frame, in seconds.
const FRAME: f32 = 1.0 / 60.0;

/// In frames.
const HALF_A_SECOND: u32 = 30;

fn every_chain() -> impl ParallelIterator<Item = (Kind, usize)> {
    let kinds = KINDS.into_iter();
    let chains = kinds.flat_map(|kind| BONES.map(|bones| (kind, bones)));
    chains.collect::<Vec<_>>().into_par_iter()
}

/// Follows paths with every chain: the film of all that was worst.
fn worst_film(rules: Rules) -> Film {
    let (random, frames) = extent((3, 200), (10, 600), (20, 1_800));
    let paths = || std::iter::once(Path::Roaming).chain((0..random).map(Path::Random));
    let films = every_chain().map(|(kind, bones)| {
        let films = paths().map(|path| Case::new(kind, bones, rules).film(path, 60.0, frames));
        let worst = films.fold(Film::default(), Film::worse);
        println!("{kind:?}, {bones} bones, {rules:?}: {worst:?}");
        worst
    });
    films.reduce(Film::default, Film::worse)
}

/// Fails if there are more kinks in a thousand frames than `most`.
fn assert_few_kinks(about: &str, film: &Film, most: f32) {
    let part = 1_000.0 * film.kinks as f32 / film.frames as f32;
    println!(
        "Smooth: kinks, {about}: {} of {} frames; a point by {:.3} of the reach; {} jumps",
        film.kinks, film.frames, film.kink, film.jumps
    );
    assert!(part <= most, "{about}: {part} kinks in a thousand frames");
}

/// An elbow whose target circles changes to the other side of it, as a pole says.
#[test]
fn an_elbow_changes_sides_without_a_jump() {
    let mut case = Case::of(two_bone().into(), 2, Rules::Free);
    let mut poses: Vec<Vec<f32>> = Vec::new();
    let mut last_off = 0;
    for frame in 0..90 {
        let around = Vec2::from_angle(frame as f32 / 30.0);
        let target = case.reach * (Vec2::new(0.55, 0.2) + 0.15 * around);
        let side = if frame < 30 { 1.0 } else { -1.0 };
        if let Solver::TwoBone(arm) = &mut case.rig.modifiers[0].solver {
            arm.pole = Some(fixed(target + Vec2::new(0.0, side * case.reach)));
        }
        case.step(target, FRAME);
        if case.rig.modifiers[0].report.distance > 1e-3 * case.reach {
            last_off = frame;
        }
        poses.push(case.rotations());
    }
    let kinks = poses.windows(3).map(|pose| {
        let turns = [0, 1].map(|at| shortest_way(pose[at][1], pose[at + 1][1]));
        (turns[1] - turns[0]).abs()
    });
    let kink = kinks.fold(0.0, f32::max);
    let seconds = (last_off - 29) as f32 * FRAME;
    println!("Smooth: transition, elbow: {kink:.3} rad, arrives in {seconds:.2} s");
    assert!(kink <= 0.06, "{kink}");
    assert!((0.05..=0.5).contains(&seconds), "{seconds}");
}

/// Speeds of a rig hold, whatever they are, and the arm arrives at the target all the same.
#[test]
fn an_arm_goes_over_at_the_speeds_of_its_rig() {
    let mut turns = Vec::new();
    for (turn, point) in [
        (2.0, 7.4),
        (15.0, 0.8),
        (15.0, 7.4),
        (60.0, 40.0),
        (f64::NAN, 7.4),
    ] {
        let mut case = Case::of(two_bone().into(), 2, Rules::Free);
        case.rig.transition_speeds = TransitionSpeeds::new(turn, point);
        let target = case.reach * Vec2::new(0.55, 0.2);
        let (mut most, mut frames) = (0.0_f32, 0);
        let mut before = Vec::new();
        for frame in 0..400 {
            let side = if frame < 30 { 1.0 } else { -1.0 };
            if let Solver::TwoBone(arm) = &mut case.rig.modifiers[0].solver {
                arm.pole = Some(fixed(target + Vec2::new(0.0, side * case.reach)));
            }
            case.step(target, FRAME);
            let now = case.rotations();
            let pairs = now.iter().zip(&before).filter(|_| frame >= 30);
            let widest = pairs.map(|(now, before)| shortest_way(*before, *now).abs());
            let widest = widest.fold(0.0, f32::max);
            frames += u32::from(widest > 0.0);
            most = most.max(widest);
            before = now;
        }
        let fastest = if turn.is_nan() { 15.0 } else { turn as f32 };
        assert!(most <= 1.01 * fastest * FRAME, "{turn}, {point}: {most}");
        assert!(case.rig.modifiers[0].report.distance < 1e-3 * case.reach);
        turns.push(frames);
    }
    println!("frames: {turns:?}");
    assert!(
        turns[0] > 2 * turns[2] && turns[1] > 2 * turns[2],
        "{turns:?}"
    );
    assert!(turns[3] < turns[2] && turns[4] == turns[2], "{turns:?}");
}

#[test]
fn free_chains_never_jump_nor_miss() {
    let film = worst_film(Rules::Free);
    assert_eq!((film.jumps, film.missed), (0, 0), "{film:?}");
}

#[test]
fn chains_with_limits_never_jump() {
    let film = worst_film(Rules::Limits(60.0));
    assert_eq!(film.jumps, 0, "{film:?}");
    assert_few_kinks("limits of 60°", &film, 1.5);
}

#[test]
fn chains_with_narrow_limits_never_jump() {
    let film = worst_film(Rules::Limits(20.0));
    assert_eq!(film.jumps, 0, "{film:?}");
    assert_few_kinks("limits of 20°", &film, 0.8);
}

#[test]
fn chains_among_circles_never_jump() {
    let film = worst_film(Rules::Circles);
    assert_eq!(film.jumps, 0, "{film:?}");
    assert_few_kinks("circles", &film, 13.0);
    let inside = 1_000.0 * film.inside as f32 / film.frames as f32;
    println!(
        "Smooth: inside circles: {} of {} frames",
        film.inside, film.frames
    );
    assert!(inside <= 8.0, "{inside}");
}

/// Both targets are seldom within reach at the same time.
#[test]
fn trees_with_two_targets_never_jump() {
    let frames = extent(200, 600, 1_800);
    let paths = || std::iter::once(Path::Roaming).chain((0..20).map(Path::Random));
    let films = BONES.into_par_iter().map(|bones| {
        let films = paths().map(|path| {
            let mut case = Case::new(Kind::Fabrik, bones, Rules::Fork);
            case.film(path, 60.0, frames)
        });
        let film = films.fold(Film::default(), Film::worse);
        println!("tree of {bones} bones: {film:?}");
        assert_eq!(film.jumps, 0, "{bones} bones: {film:?}");
        film
    });
    let film = films.reduce(Film::default, Film::worse);
    assert_few_kinks("two targets", &film, 1.5);
}

#[test]
fn chains_below_mirrored_and_skewed_parents_never_jump() {
    let mirrored = Bone {
        position: Vec2::new(30.0, -12.0),
        rotation: 0.4,
        scale: Vec2::new(1.0, -1.0),
        ..Bone::below(None)
    };
    let skewed = Bone {
        skew: 0.5,
        scale: Vec2::new(1.3, 0.8),
        ..mirrored
    };
    let paths = || std::iter::once(Path::Roaming).chain((0..2).map(Path::Random));
    for rules in [Rules::Free, Rules::Limits(60.0), Rules::Circles] {
        every_chain().for_each(|(kind, bones)| {
            let films = [mirrored, skewed].into_iter().flat_map(|parent| {
                paths().map(move |path| {
                    let mut case = Case::new(kind, bones, rules).below(parent);
                    case.film(path, 60.0, 600)
                })
            });
            let film = films.fold(Film::default(), Film::worse);
            println!("{kind:?}, {bones} bones below a parent, {rules:?}: {film:?}");
            let missed = if rules == Rules::Free { film.missed } else { 0 };
            assert_eq!((film.jumps, missed), (0, 0), "{kind:?}, {bones}, {rules:?}");
        });
    }
}

/// A place that a pose within the limits reaches.
fn reachable_target(case: &Case, seed: u32) -> Vec2 {
    let mut rig = case.rig.clone();
    rig.modifiers[0].active = false;
    let mut rng = motion::rng(seed);
    for bone in &mut rig.bones {
        if let Some(limit) = bone.limit {
            bone.rotation += rng.random_range(limit.min..=limit.max);
        }
    }
    rig.solve(&mut Workspace::default());
    rig.locate(rig.modifiers[0].parts().tip())
}

/// A place that a pose outside the circles reaches.
fn target_among_circles(case: &Case, seed: u32) -> Vec2 {
    let mut rig = case.rig.clone();
    rig.modifiers[0].active = false;
    let obstacles = case.rig.modifiers[0].parts().obstacles();
    let mut rng = motion::rng(seed);
    for _ in 0..1_000 {
        for (index, bone) in rig.bones.iter_mut().enumerate() {
            let most = if index == 0 { PI } else { 1.0 };
            bone.rotation = case.rig.bones[index].rotation + rng.random_range(-most..most);
        }
        rig.solve(&mut Workspace::default());
        let places = (0..rig.bones.len()).map(|bone| {
            let position = Vec2::ZERO;
            rig.locate(Point {
                bone: Some(bone),
                position,
            })
        });
        let tip = rig.locate(rig.modifiers[0].parts().tip());
        let places: Vec<_> = places.chain([tip]).collect();
        let is_clear = places.windows(2).all(|ends| {
            obstacles.iter().all(|obstacle| {
                let Shape::Circle { radius } = obstacle.shape else {
                    return false;
                };
                let centre = obstacle.frame.translation;
                let way = ends[1] - ends[0];
                let part = ((centre - ends[0]).dot(way) / way.length_squared()).clamp(0.0, 1.0);
                centre.distance(ends[0] + part * way) > 1.02 * radius
            })
        });
        if is_clear {
            return places[places.len() - 1];
        }
    }
    panic!("no pose of a thousand is outside the circles");
}

/// How many frames after it has come to rest a target is reached.
fn frames_to_reach(case: &mut Case, seed: u32) -> u32 {
    let target = match case.rig.modifiers[0].parts().obstacles().is_empty() {
        true => reachable_target(case, seed),
        false => target_among_circles(case, seed),
    };
    let path = Path::Random(seed);
    for frame in 0..120 {
        case.step(path.at(frame as f32 * FRAME, case.reach), FRAME);
    }
    let from = path.at(119.0 * FRAME, case.reach);
    let way = from.distance(target) / (0.016 * case.reach);
    let frames = way.ceil().max(1.0) as u32;
    for frame in 1..=frames + 120 {
        let part = (frame as f32 / frames as f32).min(1.0);
        case.step(from.lerp(target, part), FRAME);
        let distance = case.rig.modifiers[0].report.distance;
        if frame >= frames && distance <= 1e-3 * case.reach {
            return frame - frames;
        }
    }
    u32::MAX
}

/// How many of the targets took longer than half a second. For each, its seed and the frames.
fn count_late(about: &str, frames: &[(u32, u32)]) -> usize {
    let worst = frames.iter().map(|&(_, frames)| frames).max().unwrap_or(0);
    let late = frames.iter().filter(|&&(_, frames)| frames > HALF_A_SECOND);
    let late: Vec<_> = late.map(|&(seed, _)| seed).collect();
    println!("{about}: at most {worst} frames, late: {late:?}");
    late.len()
}

/// Targets for which a limb needs a transition from one end of its limits to the other. Stretched out on the
/// way, its tip would take up to 35 frames for that.
const FAR_APART: [u32; 2] = [19, 89];

#[test]
fn targets_at_rest_are_reached_soon() {
    let most = extent(5, 40, 400);
    let more = FAR_APART.into_iter().filter(|&seed| seed >= most);
    let seeds: Vec<_> = (0..most).chain(more).collect();
    for degrees in [20.0, 60.0] {
        let late = every_chain().map(|(kind, bones)| {
            let frames = seeds.iter().map(|&seed| {
                let mut case = Case::new(kind, bones, Rules::Limits(degrees));
                (seed, frames_to_reach(&mut case, seed))
            });
            let about = format!("{kind:?}, {bones} bones, ±{degrees}°");
            count_late(&about, &frames.collect::<Vec<_>>())
        });
        let late: usize = late.sum();
        let all = 12 * seeds.len();
        println!("Smooth: late, limits of {degrees}°: {late} of {all} targets");
        assert_eq!(late, 0, "of {all}, ±{degrees}°");
    }
}

/// Whether a limb that is not asked to look for a better branch goes on to `target`.
fn can_stay(mut rig: Rig, target: Vec2, near: f32) -> bool {
    rig.modifiers[0].target_mut().position = target;
    rig.go_on();
    rig.modifiers[0].memory_mut().unreviewed = 0.0;
    rig.solve(&mut Workspace::default());
    rig.modifiers[0].report.distance <= near
}

/// For how many frames on end a limb is away from a target that it has reached and could have followed,
/// and that goes round in a small circle.
fn longest_absence(case: &mut Case, seed: u32) -> u32 {
    let near = 5e-3 * case.reach;
    let middle = reachable_target(case, seed);
    frames_to_reach(case, seed);
    let (mut away, mut longest) = (0, 0);
    for frame in 0..120 {
        let around = Vec2::from_angle(frame as f32 * TAU / 30.0);
        let target = middle + 2e-3 * case.reach * around;
        let before = case.rig.clone();
        case.step(target, FRAME);
        let is_away = case.rig.modifiers[0].report.distance > near;
        let leaves = is_away && (away > 0 || can_stay(before, target, near));
        away = if leaves { away + 1 } else { 0 };
        longest = longest.max(away);
    }
    longest
}

/// Another branch may be nearer to the base pose. A limb that has reached its target changes to it
/// while the target moves only if it is there in a tenth of a second. Where its own branch ends, it has to
/// change.
#[test]
fn a_reached_target_that_moves_is_left_for_a_moment_at_most() {
    const MOMENT: u32 = 6;
    let seeds = extent(5, 40, 400);
    let longest = every_chain().map(|(kind, bones)| {
        let longest = (0..seeds).map(|seed| {
            let mut case = Case::new(kind, bones, Rules::Limits(60.0));
            (longest_absence(&mut case, seed), seed)
        });
        let longest = longest.max().unwrap_or_default();
        println!("{kind:?}, {bones} bones: {longest:?} frames and seed");
        longest.0
    });
    assert!(longest.max() <= Some(MOMENT));
}

#[test]
fn targets_at_rest_among_circles_are_reached() {
    let seeds = extent(2, 15, 100);
    let late = every_chain().map(|(kind, bones)| {
        let frames = (0..seeds).map(|seed| {
            let mut case = Case::new(kind, bones, Rules::Circles);
            (seed, frames_to_reach(&mut case, seed))
        });
        let about = format!("{kind:?}, {bones} bones, circles");
        count_late(&about, &frames.collect::<Vec<_>>())
    });
    let late: usize = late.sum();
    assert_eq!(late, 0, "of {}", 12 * seeds);
}

/// What is seen of an animation that sways each joint by 0.6 rad: on average over the joints, and
/// the fastest turn of a joint in one frame.
fn sway(kind: Kind, target: [f32; 2]) -> (f32, f32) {
    let mut case = Case::new(kind, 10, Rules::Free);
    let target = Vec2::from(target) * case.reach;
    let base: Vec<_> = case.rig.bones.iter().map(|bone| bone.rotation).collect();
    let mut seen = [[f32::MAX, f32::MIN]; 10];
    let mut fastest = 0.0_f32;
    let mut before = Vec::new();
    for frame in 0..600 {
        for (index, bone) in case.rig.bones.iter_mut().enumerate() {
            let phase = frame as f32 * FRAME * TAU + index as f32 * 0.7;
            bone.rotation = base[index] + 0.6 * phase.sin();
        }
        case.step(target, FRAME);
        assert_eq!(case.rig.modifiers[0].report.status, Status::Reached);
        let now = case.rotations();
        // The first second is left to the start.
        if frame >= 60 {
            for (seen, &now) in seen.iter_mut().zip(&now) {
                *seen = [seen[0].min(now), seen[1].max(now)];
            }
            let turned = now.iter().zip(&before);
            let turned = turned.map(|(now, before): (&f32, &f32)| (now - before).abs());
            fastest = turned.fold(fastest, f32::max);
        }
        before = now;
    }
    let amplitudes = seen.iter().map(|[least, most]| 0.5 * (most - least));
    (amplitudes.sum::<f32>() / 10.0, fastest)
}

#[test]
fn an_animation_shows_through() {
    for kind in KINDS {
        for target in [[0.55, 0.3], [0.6, 0.0], [0.3, -0.5], [0.8, 0.1]] {
            let (seen, fastest) = sway(kind, target);
            println!("{kind:?} {target:?}: {seen} rad are seen, {fastest} rad in a frame");
            assert!((0.35..=1.1).contains(&seen), "{kind:?} {target:?}: {seen}");
            assert!(fastest <= 0.3, "{kind:?} {target:?}: {fastest}");
        }
    }
}

/// A chain of each length: by whichever algorithm its first pose was found, it then follows.
#[test]
fn ten_minutes_leave_no_trace() {
    let frames = extent(1_800, 36_000, 36_000);
    for rules in [Rules::Free, Rules::Limits(60.0)] {
        let chains: Vec<_> = KINDS.into_iter().cycle().zip(BONES).collect();
        chains.into_par_iter().for_each(|(kind, bones)| {
            let mut case = Case::new(kind, bones, rules);
            case.film(Path::Roaming, 60.0, frames);
            let from = Path::Roaming.at((frames - 1) as f32 * FRAME, case.reach);
            let target = Vec2::new(0.5, 0.35) * case.reach;
            for frame in 1..=240 {
                case.step(from.lerp(target, (frame as f32 * FRAME).min(1.0)), FRAME);
            }
            let mut fresh = Case::new(kind, bones, rules);
            fresh.step(target, FRAME);
            let (after, before) = (case.sharpest(), fresh.sharpest());
            println!("{kind:?}, {bones} bones, {rules:?}: {after} after, {before} fresh");
            assert!(
                after <= 1.5 * before,
                "{kind:?}, {bones}: {after}, {before}"
            );
            assert!(!case.rig.is_moving(), "{kind:?}, {bones} bones");
        });
    }
}

#[test]
fn frame_rates_agree() {
    for rules in [Rules::Free, Rules::Limits(60.0)] {
        every_chain().for_each(|(kind, bones)| {
            let end = |rate: f32| {
                let mut case = Case::new(kind, bones, rules);
                case.film(Path::Roaming, rate, (10.0 * rate) as u32 + 1);
                case.rotations()
            };
            let expected = end(60.0);
            for rate in [30.0, 144.0] {
                let pairs = expected.iter().zip(end(rate));
                let apart = pairs.map(|(&a, b)| shortest_way(a, b).abs());
                let apart = apart.fold(0.0, f32::max);
                assert!(
                    apart <= 0.1,
                    "{kind:?}, {bones}, {rules:?}, {rate} Hz: {apart}"
                );
            }
        });
    }
}

#[test]
fn a_mirrored_run_is_the_mirror_image() {
    for rules in [Rules::Free, Rules::Limits(60.0), Rules::Circles] {
        every_chain().for_each(|(kind, bones)| {
            let mut plain = Case::new(kind, bones, rules);
            let mut mirrored = Case::new(kind, bones, rules);
            mirrored.mirror();
            for frame in 0..600 {
                let target = Path::Roaming.at(frame as f32 * FRAME, plain.reach);
                plain.step(target, FRAME);
                mirrored.step(target * Vec2::new(1.0, -1.0), FRAME);
                let pairs = plain.points().into_iter().zip(mirrored.points());
                let apart = pairs.map(|(a, b)| a.distance(b * Vec2::new(1.0, -1.0)));
                let apart = apart.fold(0.0, f32::max);
                assert!(
                    apart <= 0.01 * plain.reach,
                    "{kind:?}, {bones}, {rules:?}, frame {frame}: {apart}"
                );
            }
        });
    }
}

/// Where limits end a branch, limb and mirrored limb take routes that are each other's image.
#[test]
fn a_mirrored_limb_swings_over_on_the_mirrored_route() {
    let turned = Vec2::new(1.0, -1.0);
    FAR_APART.into_par_iter().for_each(|seed| {
        let mut plain = Case::new(Kind::CcdFromRoot, 10, Rules::Limits(60.0));
        let mut mirrored = Case::new(Kind::CcdFromRoot, 10, Rules::Limits(60.0));
        mirrored.mirror();
        let goal = reachable_target(&plain, seed);
        for frame in 0..240 {
            let path = Path::Random(seed).at(frame.min(120) as f32 * FRAME, plain.reach);
            let part = (frame as f32 / 60.0 - 2.0).clamp(0.0, 1.0);
            let target = path.lerp(goal, part);
            plain.step(target, FRAME);
            mirrored.step(target * turned, FRAME);
            let pairs = plain.points().into_iter().zip(mirrored.points());
            let apart = pairs.map(|(a, b)| a.distance(b * turned));
            let apart = apart.fold(0.0, f32::max);
            assert!(
                apart <= 0.01 * plain.reach,
                "seed {seed}, frame {frame}: {apart}"
            );
        }
    });
}

#[test]
fn the_same_history_gives_the_same_bits() {
    for rules in [Rules::Free, Rules::Limits(60.0), Rules::Circles] {
        let mut first = Case::new(Kind::Fabrik, 10, rules);
        let mut second = Case::new(Kind::Fabrik, 10, rules);
        // Another rig in the same workspace leaves nothing behind.
        let mut other = Case::new(Kind::CcdFromTip, 24, Rules::Limits(20.0));
        for frame in 0..600 {
            let target = |case: &Case| Path::Random(3).at(frame as f32 * FRAME, case.reach);
            first.step(target(&first), FRAME);
            std::mem::swap(&mut second.workspace, &mut other.workspace);
            other.step(target(&other), FRAME);
            std::mem::swap(&mut second.workspace, &mut other.workspace);
            second.step(target(&second), FRAME);
            assert_eq!(
                first.rotations(),
                second.rotations(),
                "{rules:?}, frame {frame}"
            );
        }
    }
}

#[test]
fn an_obstacle_far_away_changes_nothing_out_of_reach() {
    every_chain().for_each(|(kind, bones)| {
        let mut free = Case::new(kind, bones, Rules::Free);
        let mut beside = Case::new(kind, bones, Rules::Free);
        *beside.rig.modifiers[0].obstacles_mut() = vec![Obstacle {
            shape: Shape::Circle {
                radius: 0.1 * free.reach,
            },
            frame: Affine2::from_translation(Vec2::new(-0.6, -0.6) * free.reach),
            bone: None,
        }];
        for frame in 0..120 {
            let target = Vec2::new(0.8 + 0.005 * frame as f32, 0.3) * free.reach;
            free.step(target, FRAME);
            beside.step(target, FRAME);
        }
        let pairs = free.rotations().into_iter().zip(beside.rotations());
        let apart = pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
        assert!(apart <= 1e-6, "{kind:?}, {bones} bones: {apart}");
    });
}

#[test]
fn odd_times_do_no_harm() {
    for rules in [Rules::Free, Rules::Limits(60.0), Rules::Circles] {
        let mut case = Case::new(Kind::Fabrik, 10, rules);
        let times = [
            FRAME,
            0.0,
            -1.0,
            f32::NAN,
            1e30,
            f32::INFINITY,
            f32::MIN_POSITIVE,
        ];
        for (frame, delta) in times.into_iter().cycle().take(700).enumerate() {
            let target = Path::Roaming.at(frame as f32 * FRAME, case.reach);
            case.step(target, delta);
            let is_finite = case.rotations().into_iter().all(f32::is_finite);
            assert!(is_finite, "{rules:?}, frame {frame}, {delta} s");
        }
    }
}

/// A limb in transition that was faster than it may be, as a state says that was written by hand, does not go on so.
#[test]
fn no_speed_that_is_remembered_is_kept_that_a_limb_may_not_have() {
    for speed in [40.0, 1e4, 1e30] {
        let mut case = Case::new(Kind::Fabrik, 10, Rules::Limits(60.0));
        let reach = case.reach;
        let path = |frame: u32| Path::Roaming.at(frame as f32 * FRAME, reach);
        for frame in 0..60 {
            case.step(path(frame), FRAME);
        }
        let held = path(60);
        case.rig.modifiers[0].target_mut().position = held;
        case.rig.go_on();
        let memory = case.rig.modifiers[0].memory_mut();
        memory.destination = memory.swings.iter().map(|swing| -swing).collect();
        memory.rates = vec![speed; 10];
        let mut before = (case.points(), case.rotations());
        for frame in 0..60 {
            match frame {
                0 => case.rig.solve(&mut Workspace::default()),
                _ => case.step(held, FRAME),
            }
            let now = (case.points(), case.rotations());
            let moved = now.0.iter().zip(&before.0).map(|(a, b)| a.distance(*b));
            let moved = moved.fold(0.0, f32::max) / case.reach;
            assert!(moved <= 0.125, "{speed}, frame {frame}: {moved}");
            let turns = now.1.iter().zip(&before.1);
            let turned = turns.map(|(now, before)| shortest_way(*before, *now).abs());
            let turned = turned.fold(0.0, f32::max) / FRAME;
            assert!(turned <= 15.1, "{speed}, frame {frame}: {turned} rad/s");
            before = now;
        }
        let report = &case.rig.modifiers[0].report;
        assert!(report.distance <= 1e-3 * case.reach, "{speed}: {report:?}");
    }
}

/// Something else has posed the limb, and has missed the target. The limb is seen there once more,
/// and is in transition.
#[test]
fn a_limb_goes_on_from_a_pose_that_it_is_given() {
    for rules in [Rules::Free, Rules::Limits(60.0)] {
        every_chain().for_each(|(kind, bones)| {
            let about = format!("{kind:?}, {bones} bones, {rules:?}");
            let mut case = Case::new(kind, bones, rules);
            let drawn: Vec<f32> = case.rig.bones.iter().map(|bone| bone.rotation).collect();
            let drawn: Vec<f32> = drawn.iter().map(|rotation| rotation - 0.1).collect();
            let target = Vec2::new(0.3, 0.6) * case.reach;
            case.rig.begin_from(drawn.clone());
            case.step(target, 0.0);
            let pairs = drawn.iter().zip(case.rotations());
            let moved = pairs.map(|(drawn, shown)| shortest_way(*drawn, shown).abs());
            let moved = moved.fold(0.0, f32::max);
            assert!(moved < 1e-5, "{about}: moved by {moved}");
            let mut again = case.rig.clone();
            again.solve(&mut Workspace::default());
            assert_eq!(
                (again.rotation(0), again.rotation(bones - 1)),
                (case.rig.rotation(0), case.rig.rotation(bones - 1)),
                "{about}: its memory says all"
            );
            let mut reached = 0;
            for frame in 0..300 {
                let before = case.points();
                case.step(target, FRAME);
                let pairs = before.iter().zip(case.points());
                let way = pairs.map(|(before, now)| before.distance(now));
                let way = way.fold(0.0, f32::max);
                assert!(way < 0.125 * case.reach, "{about}: frame {frame}: {way}");
                if case.rig.modifiers[0].report.status != Status::Reached {
                    reached = frame + 1;
                }
            }
            // For good, and not to leave it again for another branch.
            assert!(reached <= HALF_A_SECOND, "{about}: after {reached} frames");
            assert!(!case.rig.is_moving(), "{about}: comes to rest");
        });
    }
}

/// The same for what is solved in closed form. It remembers nothing but this, and only as long as
/// that takes.
#[test]
fn a_closed_form_goes_on_from_a_pose_that_it_is_given() {
    let solvers = [Solver::from(look_at()), Solver::from(two_bone())];
    for (solver, influence) in solvers
        .into_iter()
        .flat_map(|it| [(it.clone(), 1.0), (it, 0.5)])
    {
        let bones = solver.parts().joints().len();
        let about = format!("{}, influence {influence}", solver.name());
        let mut case = Case::of(solver, bones, Rules::Free);
        case.rig.modifiers[0].influence = influence;
        let target = Vec2::new(0.3, 0.6) * case.reach;
        let mut fresh = case.rig.clone();
        fresh.modifiers[0].target_mut().position = target;
        fresh.solve(&mut Workspace::default());
        let drawn: Vec<f32> = (0..bones).map(|bone| fresh.rotation(bone) - 0.9).collect();
        case.rig.begin_from(drawn.clone());
        case.step(target, 0.0);
        let far = |drawn: &[f32], shown: &[f32]| {
            let pairs = drawn.iter().zip(shown);
            let turns = pairs.map(|(drawn, shown)| shortest_way(*drawn, *shown).abs());
            turns.fold(0.0, f32::max)
        };
        let moved = far(&drawn, &case.rotations());
        assert!(moved < 1e-5, "{about}: moved by {moved}");
        let mut frames = 0;
        while case.rig.is_moving() && frames < 60 {
            let before = case.points();
            case.step(target, FRAME);
            let pairs = before.iter().zip(case.points());
            let way = pairs.map(|(before, now)| before.distance(now));
            let way = way.fold(0.0, f32::max);
            assert!(way < 0.125 * case.reach, "{about}: frame {frames}: {way}");
            frames += 1;
        }
        assert!((5..60).contains(&frames), "{about}: {frames} frames");
        let left = far(
            &case.rotations(),
            &[fresh.rotation(0), fresh.rotation(bones - 1)],
        );
        assert!(left < 1e-5, "{about}: {left} from the pose without memory");
        // Nothing is left of it: a target that is put elsewhere is reached at once.
        let elsewhere = Vec2::new(0.2, -0.8) * case.reach;
        case.step(elsewhere, FRAME);
        fresh.modifiers[0].target_mut().position = elsewhere;
        fresh.solve(&mut Workspace::default());
        let left = far(
            &case.rotations(),
            &[fresh.rotation(0), fresh.rotation(bones - 1)],
        );
        assert_eq!(left, 0.0, "{about}: something is left");
        let memory = case.rig.modifiers[0].memory();
        assert!(memory.swings.is_empty(), "{about}: it is remembered");
    }
}

#[test]
fn a_pose_at_rest_stays_to_the_last_bit() {
    for rules in [
        Rules::Free,
        Rules::Limits(60.0),
        Rules::Limits(20.0),
        Rules::Circles,
    ] {
        every_chain().for_each(|(kind, bones)| {
            let mut case = Case::new(kind, bones, rules);
            case.film(Path::Roaming, 60.0, 200);
            let target = Path::Roaming.at(199.0 * FRAME, case.reach);
            let mut frames = 0;
            while case.rig.is_moving() && frames < 300 {
                case.step(target, FRAME);
                frames += 1;
            }
            assert!(
                frames < 300,
                "{kind:?}, {bones} bones, {rules:?} does not come to rest"
            );
            let before = case.rotations();
            case.step(target, FRAME);
            assert_eq!(
                case.rotations(),
                before,
                "{kind:?}, {bones} bones, {rules:?}"
            );
        });
    }
}

#[test]
fn without_memory_the_same_input_gives_the_same_pose() {
    every_chain().for_each(|(kind, bones)| {
        let mut roaming = Case::new(kind, bones, Rules::Free);
        *roaming.rig.modifiers[0].deterministic_mut() = true;
        for frame in 0..120 {
            let target = Path::Roaming.at(frame as f32 * FRAME, roaming.reach);
            roaming.step(target, FRAME);
            let mut fresh = Case::new(kind, bones, Rules::Free);
            fresh.step(target, FRAME);
            assert_eq!(
                roaming.rotations(),
                fresh.rotations(),
                "{kind:?}, {bones} bones"
            );
        }
    });
}

/// A limb that shows a part of its turn flips from one side to the other where its target passes
/// behind it: by the shorter way around, the turn changes its sign there.
#[test]
fn a_limb_that_shows_a_part_of_its_turn_never_leaps() {
    let solvers = [Solver::from(look_at()), Solver::from(two_bone())];
    // At 0.99, the flip is shorter than what the target asks for in a frame.
    let parts = [0.18, 0.5, 0.9, 0.95];
    let with_parts = |solver: Solver| parts.map(|influence| (solver.clone(), influence));
    for (solver, influence) in solvers.into_iter().flat_map(with_parts) {
        let bones = solver.parts().joints().len();
        let about = format!("{}, influence {influence}", solver.name());
        let mut case = Case::of(solver, bones, Rules::Free);
        case.rig.modifiers[0].influence = influence;
        let circle = |angle: f32| 0.7 * case.reach * Vec2::from_angle(angle);
        let targets: Vec<_> = (0..900)
            .map(|frame| circle(8.0 * (frame as f32 * 0.01).sin()))
            .collect();
        case.step(targets[0], FRAME);
        let mut farthest = 0.0_f32;
        for &target in &targets {
            let before = case.points();
            case.step(target, FRAME);
            let pairs = before.iter().zip(case.points());
            let way = pairs.map(|(before, now)| before.distance(now));
            farthest = way.fold(farthest, f32::max);
        }
        println!("{about}: at most {farthest}");
        assert!(farthest < 0.125 * case.reach, "{about}: {farthest}");
        // Nothing is left of it soon.
        let mut frames = 0;
        case.step(targets[899], FRAME);
        while case.rig.is_moving() {
            case.step(targets[899], FRAME);
            frames += 1;
            assert!(frames <= HALF_A_SECOND, "{about}: {frames} frames");
        }
        let mut fresh = Case::new(Kind::Fabrik, bones, Rules::Free);
        fresh.rig.modifiers.clone_from(&case.rig.modifiers);
        fresh.rig.forget();
        fresh.step(targets[899], FRAME);
        let pairs = case.points().into_iter().zip(fresh.points());
        let apart = pairs.map(|(shown, fresh)| shown.distance(fresh));
        let apart = apart.fold(0.0, f32::max);
        assert!(apart < 1e-4 * case.reach, "{about}: {apart} apart");
    }
}
