//! Chains along paths over time: what leaps is shown as a swing.

mod common;

use common::winding::{Winding, path, point};
use glam::{DVec2, Vec2};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use rayon::prelude::*;
use tendon_solver::{Capture, CurvePoint, Limit, Path, Report, Snapshot, Status, Workspace};

const TICK: f32 = 1.0 / 60.0;

/// Radians per second that a joint in transition turns by, and spans per second.
const RATE: f64 = 15.0;
const SPEED: f64 = 7.4;

/// How many times as far as the path a joint may move.
const ALONG: f64 = 3.0;

/// Goes on for `delta` seconds.
fn step(winding: &mut Winding, space: &mut Workspace, progress: f32, delta: f32) -> Report {
    winding.set(progress, true);
    winding.rig.delta = delta;
    winding.rig.go_on();
    winding.rig.solve(space);
    winding.rig.modifiers[0].report
}

/// The same chain, as it is when nothing came before.
fn without_a_past(winding: &Winding) -> Winding {
    let mut other = winding.clone();
    other.rig.forget();
    other.rig.go_on();
    other.rig.solve(&mut Workspace::default());
    other
}

/// Where it is then.
fn fresh(winding: &Winding) -> Vec<DVec2> {
    without_a_past(winding).places()
}

/// How far a joint has moved at most.
fn moved(before: &[DVec2], now: &[DVec2]) -> f64 {
    let pairs = before.iter().zip(now);
    pairs.map(|(a, b)| a.distance(*b)).fold(0.0, f64::max)
}

/// Straight on, with a narrow bend that bones of 50 cannot follow.
fn hairpin() -> Path {
    let places = [
        [0.0, 0.0],
        [300.0, 0.0],
        [310.0, 90.0],
        [320.0, 0.0],
        [900.0, 0.0],
    ];
    path(places.map(|[x, y]| point(x, y)).to_vec())
}

fn any_path(rng: &mut Xoshiro256PlusPlus) -> Path {
    let mut any = |size: f32| {
        let mut coordinate = || rng.random_range(-size..size);
        Vec2::new(coordinate(), coordinate())
    };
    let points = (0..6).map(|_| CurvePoint {
        position: any(200.0),
        incoming: any(90.0),
        outgoing: any(90.0),
    });
    path(points.collect())
}

/// What is seen of a chain on the way along its path.
struct Film {
    /// The largest step of a joint in a frame, shown and without memory.
    shown: f64,
    exact: f64,
    /// Frames in which the chain was not on the path.
    off: u32,
}

fn film(winding: &mut Winding, from: f32, pace: f32, frames: u32) -> Film {
    let mut space = Workspace::default();
    let mut film = Film {
        shown: 0.0,
        exact: 0.0,
        off: 0,
    };
    let mut before: Option<[Vec<DVec2>; 2]> = None;
    for frame in 0..frames {
        let report = step(winding, &mut space, from + pace * frame as f32, TICK);
        film.off += u32::from(report.status == Status::OutOfReach);
        let now = [winding.places(), fresh(winding)];
        if let Some(before) = &before {
            film.shown = film.shown.max(moved(&before[0], &now[0]));
            film.exact = film.exact.max(moved(&before[1], &now[1]));
        }
        before = Some(now);
    }
    film
}

/// What a joint may move by in a frame: with the path, and swinging.
fn most(winding: &Winding, pace: f64) -> f64 {
    let places = winding.places();
    let lengths = places.windows(2).map(|pair| pair[0].distance(pair[1]));
    let (longest, span) = lengths.fold((0.0_f64, 0.0), |(longest, span), length| {
        (longest.max(length), span + length)
    });
    let tick = f64::from(TICK);
    (ALONG + 1.0) * pace + tick * (RATE * longest + SPEED * span)
}

#[test]
fn a_bone_longer_than_a_bend_swings_over() {
    let mut winding = Winding::straight(Vec2::ZERO, &[50.0; 5], hairpin());
    let film = film(&mut winding, 0.0, 1.0, 600);
    println!(
        "a step of {} shown, {} without memory, {} frames off the path",
        film.shown, film.exact, film.off
    );
    assert!(film.exact > 45.0, "the crossing leaps: {}", film.exact);
    assert!(film.shown < 0.4 * film.exact, "{}", film.shown);
    assert!(film.off > 10 && film.off < 200, "{}", film.off);
}

/// The progress stands still in the middle of a swing: it ends where the path has the chain.
#[test]
fn a_swing_ends_on_the_path() {
    let mut winding = Winding::straight(Vec2::ZERO, &[50.0; 5], hairpin());
    let mut space = Workspace::default();
    let mut swings = 0;
    for frame in 0..600 {
        let report = step(&mut winding, &mut space, frame as f32, TICK);
        if report.status == Status::Reached || frame < 20 {
            continue;
        }
        swings += 1;
        let mut other = winding.clone();
        let mut frames = 0;
        while other.rig.is_moving() {
            step(&mut other, &mut space, frame as f32, TICK);
            frames += 1;
        }
        assert!(frames < 40, "{frames}");
        step(&mut other, &mut space, frame as f32, TICK);
        assert_eq!(other.places(), fresh(&other), "to the last bit");
        assert_eq!(other.rig.modifiers[0].report.status, Status::Reached);
    }
    assert!(swings > 10, "{swings}");
}

/// By how much the turn of a joint changes from frame to frame at most, at four paces, while bones swing over a bend. A bone
/// that comes to a corner of the path begins to turn at once.
#[test]
fn swings_are_smooth() {
    let mut most = 0.0_f32;
    for pace in [0.3, 1.0, 2.0, 3.0] {
        let mut winding = Winding::straight(Vec2::ZERO, &[50.0; 5], hairpin());
        let mut space = Workspace::default();
        let mut poses: Vec<(bool, Vec<f32>)> = Vec::new();
        for frame in 0..(600.0 / pace) as usize {
            step(&mut winding, &mut space, pace * frame as f32, TICK);
            let pose = (0..5).map(|bone| winding.rig.rotation(bone)).collect();
            poses.push((winding.rig.is_moving(), pose));
        }
        let swings = poses.windows(3).filter(|three| three[1].0 || three[2].0);
        for three in swings {
            let [first, second, third] = [0, 1, 2].map(|pose| &three[pose].1);
            for ((a, b), c) in first.iter().zip(second).zip(third) {
                let change = (c - b) - (b - a);
                let whole = std::f32::consts::TAU;
                most = most.max((change - whole * (change / whole).round()).abs());
            }
        }
    }
    println!("Smooth: a chain along a path swings over a bend: {most:.3} rad");
    assert!(most < 0.12, "{most}");
}

/// Random curves and lengths, along the path at one pace.
#[test]
fn nothing_moves_faster_than_the_path_and_a_swing() {
    let films = (0..200_u64).into_par_iter().map(|seed| {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(700 + seed);
        let lengths: Vec<f32> = (0..rng.random_range(2..9))
            .map(|_| rng.random_range(10.0..60.0))
            .collect();
        let mut winding = Winding::straight(Vec2::ZERO, &lengths, any_path(&mut rng));
        let pace = rng.random_range(0.2..4.0);
        let film = film(&mut winding, 0.0, pace, 240);
        let most = most(&winding, pace.into());
        assert!(
            film.shown <= 1.5 * most,
            "seed {seed}: {} of {most}",
            film.shown
        );
        film
    });
    let films: Vec<_> = films.collect();
    let leaps = films
        .iter()
        .filter(|film| film.exact > 2.0 * film.shown)
        .count();
    println!("{leaps} of 200 chains would leap by more than twice the step that is shown");
    assert!(leaps > 20, "{leaps}");
}

#[test]
fn a_swing_takes_the_same_time_at_any_frame_rate() {
    let times = [30.0, 60.0, 240.0].map(|rate| {
        let mut winding = Winding::straight(Vec2::ZERO, &[50.0; 5], hairpin());
        let mut space = Workspace::default();
        let delta = 1.0 / rate;
        let mut time = 0.0;
        for progress in [250.0, 251.0] {
            step(&mut winding, &mut space, progress, delta);
        }
        // Across the leap of the first bone, in one frame.
        let leap = (251..400).find(|&progress| {
            step(&mut winding, &mut space, progress as f32, delta);
            winding.rig.is_moving()
        });
        let progress = leap.expect("it leaps") as f32;
        while winding.rig.is_moving() {
            step(&mut winding, &mut space, progress, delta);
            time += delta;
        }
        time
    });
    println!("{times:?} s");
    assert!(times[0] > 0.05);
    for time in times {
        assert!((time - times[2]).abs() <= 1.5 / 30.0, "{times:?}");
    }
}

/// A path that is put elsewhere, edited or left, or a progress that is set: at once.
#[test]
fn a_path_put_elsewhere_is_followed_at_once() {
    let mut winding = Winding::straight(Vec2::ZERO, &[50.0; 5], hairpin());
    let mut space = Workspace::default();
    step(&mut winding, &mut space, 280.0, TICK);
    let mut expect = |winding: &mut Winding, progress: f32, about: &str| {
        step(winding, &mut space, progress, TICK);
        assert_eq!(winding.places(), fresh(winding), "{about}");
        assert!(!winding.rig.is_moving(), "{about}");
    };
    expect(&mut winding, 480.0, "another progress");
    expect(&mut winding, 10.0, "and back");
    let mut edited = hairpin().curve.points().to_vec();
    edited[1].position = Vec2::new(120.0, -200.0);
    winding.spline_mut().path = path(edited);
    expect(&mut winding, 10.0, "an edit");
    let short = [[0.0, 0.0], [0.0, 500.0]].map(|[x, y]| point(x, y));
    winding.spline_mut().path = path(short.to_vec());
    expect(&mut winding, 10.0, "another curve");
    winding.rig.bones[0].rotation = 2.0;
    winding.rig.bones[3].rotation = -1.5;
    expect(&mut winding, 10.0, "another base pose");
}

/// Round and round: the seam of a closed path is no place of its own.
#[test]
fn the_seam_of_a_closed_path_is_no_leap() {
    let corners = [
        [0.0, 0.0],
        [200.0, 0.0],
        [200.0, 200.0],
        [0.0, 200.0],
        [0.0, 0.0],
    ];
    let corners = corners.map(|[x, y]| point(x, y)).to_vec();
    let mut winding = Winding::straight(Vec2::ZERO, &[30.0; 4], path(corners));
    let mut space = Workspace::default();
    let length = winding.path().curve.length() as f32;
    for frame in 0..600 {
        let progress = (frame as f32 * 2.0).rem_euclid(length);
        step(&mut winding, &mut space, progress, TICK);
        assert!(!winding.rig.is_moving(), "frame {frame}");
    }
}

/// A joint whose limit has a gap behind it swings within the limit, not through the gap.
#[test]
fn a_swing_stays_within_the_limits() {
    let mut winding = Winding::straight(Vec2::ZERO, &[50.0; 5], hairpin());
    let limit = Limit::around(0.0, -2.9, 2.9);
    for bone in &mut winding.rig.bones {
        bone.limit = Some(limit);
    }
    let mut space = Workspace::default();
    let mut swings = 0;
    for frame in 0..900 {
        step(&mut winding, &mut space, 0.7 * frame as f32, TICK);
        swings += u32::from(winding.rig.is_moving());
        for bone in 0..5 {
            let rotation = winding.rig.rotation(bone);
            let off = (rotation + std::f32::consts::PI).rem_euclid(std::f32::consts::TAU);
            let off = off - std::f32::consts::PI;
            assert!(
                off.abs() <= 2.9 + 1e-4,
                "frame {frame}, bone {bone}: {rotation}"
            );
        }
    }
    assert!(swings > 10);
}

/// The factor of a chain that is stretched to the end of its path leaps, too.
#[test]
fn a_stretched_chain_grows_at_a_bounded_speed() {
    let grown = (0..30_u64).into_par_iter().map(|seed| {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1700 + seed);
        let mut winding = Winding::straight(Vec2::ZERO, &[40.0; 5], any_path(&mut rng));
        winding.spline_mut().stretch = 4.0;
        winding.end_at_bone(40.0);
        let mut space = Workspace::default();
        let mut before: Option<[f32; 2]> = None;
        let mut most = [0.0_f32; 2];
        for frame in 0..300 {
            step(&mut winding, &mut space, frame as f32, TICK);
            let other = without_a_past(&winding);
            let now = [&winding, &other].map(|winding| winding.rig.position(1).x);
            for (index, before) in before.iter().flatten().enumerate() {
                most[index] = most[index].max((now[index] - before).abs());
            }
            before = Some(now);
        }
        most
    });
    let grown: Vec<_> = grown.collect();
    let worst = |index: usize| grown.iter().map(|most| most[index]).fold(0.0, f32::max);
    println!(
        "a bone grows by {} px in a frame, {} without memory",
        worst(0),
        worst(1)
    );
    assert!(worst(1) > 2.0 * worst(0), "the factor leaps");
    // Each bone is 40 long, and four times as long at most.
    assert!(f64::from(worst(0)) < SPEED * f64::from(TICK) * 160.0);
}

#[test]
fn a_swing_is_captured_and_saved() {
    let mut winding = Winding::straight(Vec2::ZERO, &[50.0; 5], hairpin());
    let mut space = Workspace::default();
    let mut captures = 0;
    for frame in 0..600 {
        step(&mut winding, &mut space, frame as f32, TICK);
        if !winding.rig.is_moving() {
            continue;
        }
        captures += 1;
        let text = Capture::of(&winding.rig).to_json();
        let mut read = Capture::read_all(&text).expect("it can be read");
        assert_eq!(read[0].replay(), []);
        // From a snapshot it goes on as if nothing had happened.
        let bytes = Snapshot::of(&winding.rig, Vec::new()).to_bytes();
        let mut other = Winding::straight(Vec2::ZERO, &[50.0; 5], hairpin());
        let saved = Snapshot::read(&bytes).expect("it can be read");
        saved.check(&other.rig).expect("it fits");
        saved.restore(&mut other.rig);
        let mut original = winding.clone();
        for rig in [&mut original, &mut other] {
            step(rig, &mut space, frame as f32 + 1.0, TICK);
        }
        assert_eq!(original.places(), other.places());
    }
    assert!(captures > 10);
}

#[test]
fn bad_numbers_in_what_was_remembered_do_no_harm() {
    for text in ["\"NaN\"", "\"inf\"", "1e30", "-7.5"] {
        for field in ["at", "beyond", "place", "base", "shown", "growth"] {
            let number = match field {
                "place" => format!("[{text},{text}]"),
                _ => text.to_owned(),
            };
            let mut winding = Winding::straight(Vec2::ZERO, &[50.0; 2], hairpin());
            let joint = |field: &str| {
                let mut fields = String::new();
                for name in ["at", "beyond", "place", "base"] {
                    let value = match name {
                        _ if name == field => number.clone(),
                        "place" => "[0.0,0.0]".to_owned(),
                        _ => "0.0".to_owned(),
                    };
                    fields += &format!(",\"{name}\":{value}");
                }
                format!("{{\"segment\":1{fields}}}")
            };
            let [bad, good] = [field, ""].map(joint);
            let [shown, growth] = ["shown", "growth"].map(|name| match name == field {
                true => text,
                false => "0.0",
            });
            let trail = format!(
                "{{\"joints\":[{bad},{good}],\"progress\":0.0,\"factor\":1.0,\"growth\":[{growth},0.0],\
                 \"pose\":{{\"swings\":[{shown},0.0],\"branch\":[0.0,{shown}]}}}}"
            );
            let trail = serde_json::from_str(&trail).expect("it can be read");
            winding.spline_mut().memory.before = trail;
            winding.set(30.0, true);
            winding.rig.delta = TICK;
            let mut space = Workspace::default();
            winding.rig.solve(&mut space);
            let rotations = [winding.rig.rotation(0), winding.rig.rotation(1)];
            assert!(rotations.iter().all(|r| r.is_finite()), "{field}: {text}");
            for frame in 0..600 {
                step(&mut winding, &mut space, 30.0, TICK);
                assert!(frame < 599 || !winding.rig.is_moving(), "{field}: {text}");
            }
            assert_eq!(winding.places(), fresh(&winding), "{field}: {text}");
        }
    }
}
