//! Chains along paths, judged by many samples of the curve (`tests/common/winding.rs`).

mod common;

use common::parts::on;
use common::winding::{Track, Winding, path, point, smooth};
use glam::{Affine2, DVec2, Vec2};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use rayon::prelude::*;
use tendon_solver::{
    Bone, Capture, CurvePoint, Defect, End, Fault, Limit, Path, Report, SplineSettings, Status,
    Workspace,
};

/// Pixels that a joint may be off the path.
const EXACT: f64 = 0.01;

fn solve_as_it_is(winding: &mut Winding) -> Report {
    winding.rig.validate().expect("the rig is sound");
    winding.rig.solve(&mut Workspace::default());
    winding.rig.modifiers[0].report
}

fn solve(winding: &mut Winding, progress: f32, move_root: bool) -> Report {
    winding.set(progress, move_root);
    solve_as_it_is(winding)
}

/// What sampling says of one solved chain.
#[derive(Default)]
struct Verdict {
    on_curve: u32,
    close_calls: u32,
    past_end: u32,
}

/// Checks each bone of a solved chain that began at `start`, a parameter of `track`.
fn judge(winding: &Winding, track: &Track, start: f64, segments: f64) -> Verdict {
    let mut verdict = Verdict::default();
    let places = winding.places();
    let mut at = start;
    let mut has_entered = false;
    for (bone, end) in winding.bones().into_iter().zip(&places[1..]) {
        let (basis, joint, offset) = bone;
        let to_entry = basis.inverse() * (track.point(at) - joint);
        if to_entry.length() > offset.length() * (1.0 + 1e-6) {
            // A lead-in points straight at the place where the path begins, unless the last place
            // was missed by less than nothing.
            let way = basis.inverse() * (*end - joint);
            let across = way.perp_dot(to_entry) / to_entry.length();
            assert!(
                !has_entered && across.abs() < EXACT,
                "off the lead-in by {across}"
            );
            continue;
        }
        has_entered = true;
        let Some(exit) = track.first_exit(at, bone, segments + 4.0) else {
            // A closed curve within the circle.
            return verdict;
        };
        if exit.is_close_call {
            verdict.close_calls += 1;
            return verdict;
        }
        let off = track.point(exit.at).distance(*end);
        assert!(off < EXACT, "{off} px beside the first crossing");
        if track.is_on_curve(exit.at) {
            verdict.on_curve += 1;
        } else {
            verdict.past_end += 1;
        }
        at = exit.at;
    }
    verdict
}

/// 2,000 random curves under random transforms, with random chains.
#[test]
fn each_joint_is_on_the_curve() {
    let verdicts = (0..2000_u64).into_par_iter().map(|seed| {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut winding = Winding::random(&mut rng);
        let curve = &winding.path().curve;
        let segments = (curve.points().len() - 1) as f64;
        let progress = rng.random_range(0.0..curve.length() as f32);
        let begin = curve.position_at(progress.into());
        let report = solve(&mut winding, progress, rng.random_bool(0.5));
        assert_ne!(report.status, Status::Invalid, "seed {seed}");
        let track = winding.track();
        let (start, distance) = track.nearest(track.frame.transform_point2(begin.as_dvec2()));
        assert!(distance < 1e-3, "seed {seed}: it begins off the curve");
        judge(&winding, &track, start, segments)
    });
    let sum = |a: Verdict, b: Verdict| Verdict {
        on_curve: a.on_curve + b.on_curve,
        close_calls: a.close_calls + b.close_calls,
        past_end: a.past_end + b.past_end,
    };
    let all = verdicts.reduce(Verdict::default, sum);
    println!(
        "{} joints on their curves, {} past the ends, {} too close to call",
        all.on_curve, all.past_end, all.close_calls
    );
    assert!(all.on_curve > 4000 && all.close_calls < 100);
}

/// In many small steps along a random path every joint goes with the first crossing, also where
/// that jumps.
#[test]
fn nothing_jumps_but_the_crossing_itself() {
    (0..40_u64).into_par_iter().for_each(|seed| {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(9000 + seed);
        let mut winding = Winding::random(&mut rng);
        let segments = (winding.path().curve.points().len() - 1) as f64;
        let from = rng.random_range(0.0..winding.path().curve.length() as f32);
        for step in 0..100 {
            let progress = from + 0.25 * step as f32;
            let curve = &winding.path().curve;
            if !curve.is_closed() && f64::from(progress) > curve.length() {
                break;
            }
            let begin = curve.position_at(progress.into());
            solve(&mut winding, progress, true);
            let track = winding.track();
            let (start, distance) = track.nearest(track.frame.transform_point2(begin.as_dvec2()));
            assert!(
                distance < 1e-3,
                "seed {seed}, step {step}: it begins off the curve"
            );
            judge(&winding, &track, start, segments);
        }
    });
}

/// A winding path whose bends are wider than the bones.
fn winding_path() -> Path {
    path(vec![
        smooth(0.0, 0.0, [60.0, 40.0]),
        smooth(200.0, 80.0, [70.0, -30.0]),
        smooth(400.0, -60.0, [80.0, 10.0]),
        smooth(640.0, 50.0, [60.0, 60.0]),
    ])
}

#[test]
fn joints_move_as_the_progress_does() {
    let mut winding = Winding::straight(Vec2::ZERO, &[30.0; 12], winding_path());
    let mut before: Option<Vec<DVec2>> = None;
    for step in -200..2000 {
        solve(&mut winding, 0.5 * step as f32, true);
        let places = winding.places();
        if let Some(before) = before {
            for (was, is) in before.iter().zip(&places) {
                assert!(was.distance(*is) < 1.5 * 0.5, "a leap at step {step}");
            }
        }
        before = Some(places);
    }
}

#[test]
fn a_chain_that_lies_along_a_path_stays() {
    let points = [[0.0, 0.0], [30.0, 10.0], [55.0, 30.0], [90.0, 15.0]];
    let points = points.map(|[x, y]| point(x, y));
    let mut winding = Winding::straight(Vec2::ZERO, &[1.0; 3], path(points.to_vec()));
    let mut heading = 0.0;
    for (index, pair) in points.windows(2).enumerate() {
        let way = pair[1].position - pair[0].position;
        winding.rig.bones[index].rotation = way.to_angle() - heading;
        heading = way.to_angle();
        match winding.rig.bones.get_mut(index + 1) {
            Some(next) => next.position = Vec2::new(way.length(), 0.0),
            None => {
                let end = on(index, Vec2::new(way.length(), 0.0));
                winding.spline_mut().chain.end = End::Point(end);
            }
        }
    }
    let report = solve(&mut winding, 0.0, false);
    assert_eq!(report.status, Status::Reached);
    for (index, bone) in winding.rig.bones.iter().enumerate() {
        assert!((winding.rig.rotation(index) - bone.rotation).abs() < 1e-5);
    }
}

#[test]
fn of_several_crossings_the_first_forwards_counts() {
    // Up, across at 40 and back down at x = 20: the circle of 25 around the root is met at the
    // height of 25 first, and again on the way down.
    let arch = [[0.0, 0.0], [0.0, 40.0], [20.0, 40.0], [20.0, 0.0]];
    let arch = arch.map(|[x, y]| point(x, y)).to_vec();
    let mut winding = Winding::straight(Vec2::ZERO, &[25.0, 16.0], path(arch));
    solve(&mut winding, 0.0, false);
    let places = winding.places();
    assert!(
        places[1].distance(DVec2::new(0.0, 25.0)) < 1e-4,
        "{places:?}"
    );
    let across = DVec2::new((16.0_f64 * 16.0 - 15.0 * 15.0).sqrt(), 40.0);
    assert!(places[2].distance(across) < 1e-4, "{places:?}");
    // From the top on, only what comes later counts.
    solve(&mut winding, 30.0, true);
    assert!(winding.places()[1].distance(DVec2::new(20.0, 15.0)) < 1e-1);
}

#[test]
fn a_bone_cuts_across_a_bend_that_is_sharper_than_it_is_long() {
    let spike = [[0.0, 0.0], [20.0, 60.0], [40.0, 0.0], [300.0, 0.0]];
    let spike = spike.map(|[x, y]| point(x, y)).to_vec();
    let mut winding = Winding::straight(Vec2::ZERO, &[70.0, 30.0], path(spike));
    let report = solve(&mut winding, 0.0, false);
    assert_eq!(report.status, Status::Reached);
    let places = winding.places();
    assert!(
        places[1].distance(DVec2::new(70.0, 0.0)) < 1e-4,
        "{places:?}"
    );
    assert!(
        places[2].distance(DVec2::new(100.0, 0.0)) < 1e-4,
        "{places:?}"
    );
}

#[test]
fn bones_without_length_keep_their_rotation() {
    let mut winding = Winding::straight(Vec2::ZERO, &[30.0, 0.0, 30.0], winding_path());
    winding.rig.bones[1].rotation = 0.7;
    let report = solve(&mut winding, 0.0, false);
    assert_eq!(report.status, Status::Reached);
    assert_eq!(winding.rig.rotation(1), 0.7);
    let track = winding.track();
    for place in winding.places() {
        assert!(track.nearest(place).1 < 1e-4);
    }
    let mut nothing = Winding::straight(Vec2::ZERO, &[0.0, 0.0], winding_path());
    solve(&mut nothing, 0.0, false);
    assert_eq!([nothing.rig.rotation(0), nothing.rig.rotation(1)], [0.0; 2]);
}

#[test]
fn curves_of_one_point_or_none_are_no_paths() {
    for points in [vec![], vec![point(3.0, 4.0)], vec![point(3.0, 4.0); 2]] {
        let mut winding = Winding::straight(Vec2::ZERO, &[30.0; 3], path(points));
        winding.rig.bones[1].rotation = 0.3;
        assert_eq!(solve(&mut winding, 7.0, true).status, Status::Idle);
        assert_eq!(winding.rig.rotation(1), 0.3);
        assert_eq!(winding.rig.position(0), Vec2::ZERO);
    }
}

/// A circle of radius 100 around the origin, by four segments.
fn circle() -> Vec<CurvePoint> {
    let handle = 55.2285;
    vec![
        smooth(100.0, 0.0, [0.0, handle]),
        smooth(0.0, 100.0, [-handle, 0.0]),
        smooth(-100.0, 0.0, [0.0, -handle]),
        smooth(0.0, -100.0, [handle, 0.0]),
        smooth(100.0, 0.0, [0.0, handle]),
    ]
}

#[test]
fn a_closed_path_goes_on_where_it_began() {
    let mut winding = Winding::straight(Vec2::ZERO, &[40.0; 6], path(circle()));
    let length = winding.path().curve.length() as f32;
    for progress in [
        0.0,
        0.8 * length,
        0.99 * length,
        -0.1 * length,
        3.7 * length,
    ] {
        let report = solve(&mut winding, progress, true);
        assert_eq!(report.status, Status::Reached);
        let places = winding.places();
        for place in &places {
            assert!((place.length() - 100.0).abs() < 0.05, "{places:?}");
        }
        for pair in places.windows(2) {
            assert!(pair[0].perp_dot(pair[1]) > 0.0, "it turns back: {places:?}");
        }
    }
}

#[test]
fn a_closed_path_smaller_than_a_bone_is_left_along_its_tangent() {
    let mut winding = Winding::straight(Vec2::ZERO, &[250.0, 30.0], path(circle()));
    let report = solve(&mut winding, 0.0, true);
    assert_eq!(report.status, Status::OutOfReach);
    let places = winding.places();
    assert!(
        places[1].distance(DVec2::new(100.0, 250.0)) < 1e-3,
        "{places:?}"
    );
    assert!(
        places[2].distance(DVec2::new(100.0, 280.0)) < 1e-3,
        "{places:?}"
    );
}

#[test]
fn past_its_end_the_path_goes_straight_on() {
    let mut winding = Winding::straight(Vec2::ZERO, &[60.0; 4], winding_path());
    let length = winding.path().curve.length() as f32;
    let report = solve(&mut winding, length - 90.0, true);
    assert_eq!(report.status, Status::OutOfReach);
    let places = winding.places();
    let end = DVec2::new(640.0, 50.0);
    let along = DVec2::new(1.0, 1.0).normalize();
    for place in &places[2..] {
        let way = *place - end;
        assert!(way.perp_dot(along).abs() < 1e-3 && way.dot(along) > 0.0);
    }
    assert!((f64::from(report.distance) - places[4].distance(end)).abs() < 1e-3);
    // All of it, and before the beginning.
    solve(&mut winding, length + 100.0, true);
    let root = winding.places()[0];
    assert!(root.distance(end + 100.0 * along) < 1e-3);
    solve(&mut winding, -100.0, true);
    let along = DVec2::new(60.0, 40.0).normalize();
    let places = winding.places();
    assert!(places[0].distance(-100.0 * along) < 1e-3);
    assert!(places[1].distance(-40.0 * along) < 1e-3);
}

#[test]
fn a_root_off_the_path_leads_straight_to_it() {
    let far = Vec2::new(-100.0, -75.0);
    let mut winding = Winding::straight(far, &[30.0; 8], winding_path());
    let report = solve(&mut winding, 0.0, false);
    assert_eq!(report.status, Status::Reached);
    assert_eq!(winding.rig.position(0), far);
    let places = winding.places();
    // The distance is 125: four bones lead in, and the fifth ends on the path.
    for place in &places[..5] {
        assert!(place.perp_dot(DVec2::new(-0.8, -0.6)).abs() < 1e-3);
    }
    let track = winding.track();
    for place in &places[5..] {
        assert!(track.nearest(*place).1 < 1e-4);
    }
    let mut far = Winding::straight(10.0 * far, &[30.0; 3], winding_path());
    let report = solve(&mut far, 0.0, false);
    assert_eq!(report.status, Status::OutOfReach);
    assert!(
        (report.distance - 1160.0).abs() < 1e-2,
        "{}",
        report.distance
    );
}

#[test]
fn a_path_that_hangs_on_the_chain_is_refused() {
    let own = Path {
        bone: Some(1),
        ..winding_path()
    };
    let winding = Winding::straight(Vec2::ZERO, &[30.0; 3], own);
    let fault = Fault::OwnTarget;
    let defect = Defect::Modifier { modifier: 0, fault };
    assert_eq!(winding.rig.validate(), Err(defect));
}

/// What is above both the chain and the path changes nothing but numbers: chains below a mirrored
/// and skewed bone turn as those below a plain one.
#[test]
fn mirrored_and_skewed_ancestors_change_nothing() {
    let solved = |mount: Bone| {
        let path = Path {
            bone: Some(0),
            ..winding_path()
        };
        let chain = (0..10).map(|index| Bone {
            position: Vec2::new(if index == 0 { -20.0 } else { 30.0 }, 0.0),
            ..Bone::below(Some(index))
        });
        let bones = std::iter::once(mount).chain(chain).collect();
        let mut winding = Winding::of(bones, 1, Vec2::new(30.0, 0.0), path);
        let report = solve(&mut winding, 10.0, false);
        assert_eq!(report.status, Status::Reached);
        (1..=10)
            .map(|bone| winding.rig.rotation(bone))
            .collect::<Vec<_>>()
    };
    let plain = solved(Bone::below(None));
    let skewed = solved(Bone {
        position: Vec2::new(300.0, -20.0),
        rotation: 2.0,
        scale: Vec2::new(-1.5, 0.7),
        skew: 0.6,
        ..Bone::below(None)
    });
    for (plain, skewed) in plain.iter().zip(&skewed) {
        assert!((plain - skewed).abs() < 1e-4, "{plain} and {skewed}");
    }
}

#[test]
fn numbers_that_are_not_finite_leave_the_pose_alone() {
    let bad = |change: &dyn Fn(&mut Winding)| {
        let mut winding = Winding::straight(Vec2::ZERO, &[30.0; 3], winding_path());
        winding.rig.bones[1].rotation = 0.3;
        winding.set(10.0, true);
        change(&mut winding);
        let report = solve_as_it_is(&mut winding);
        assert_eq!(report.status, Status::Invalid);
        assert_eq!(winding.rig.rotation(1), 0.3);
        assert_eq!(winding.rig.position(0), Vec2::ZERO);
    };
    for number in [f32::NAN, f32::INFINITY] {
        bad(&|winding| {
            let mut points = winding_path().curve.points().to_vec();
            points[2].incoming.x = number;
            winding.spline_mut().path = path(points);
        });
    }
    bad(&|winding| winding.set(f32::NAN, true));
    bad(&|winding| winding.set(f32::INFINITY, false));
    for frame in [
        Affine2::ZERO,
        Affine2::from_scale(Vec2::new(1.0, 0.0)),
        Affine2::NAN,
    ] {
        bad(&|winding| {
            winding.spline_mut().path.frame = frame;
        });
    }
}

#[test]
fn a_stretched_chain_reaches_the_end_of_the_path() {
    let mut winding = Winding::straight(Vec2::ZERO, &[40.0; 10], winding_path());
    winding.spline_mut().stretch = 3.0;
    winding.end_at_bone(40.0);
    let report = solve(&mut winding, 0.0, false);
    assert_eq!(report.status, Status::Reached);
    let lengths: Vec<_> = (1..=10).map(|bone| winding.rig.position(bone).x).collect();
    assert!(
        lengths
            .iter()
            .all(|length| (length - lengths[0]).abs() < 1e-3)
    );
    assert!(
        report.tip.distance(Vec2::new(640.0, 50.0)) < 1e-2,
        "{}",
        report.tip
    );
    assert!(report.distance < 1e-2);
    // Without a cap it is the same.
    winding.spline_mut().stretch = f32::INFINITY;
    let uncapped = solve(&mut winding, 0.0, false);
    assert_eq!(uncapped.status, Status::Reached);
    assert!(uncapped.tip.distance(report.tip) < 1e-2);
    // The cap holds, and a chain that is long enough keeps its lengths.
    winding.spline_mut().stretch = 1.2;
    let report = solve(&mut winding, 0.0, false);
    assert_eq!(report.status, Status::Reached);
    assert!((winding.rig.position(5).x - 48.0).abs() < 1e-3);
    winding.spline_mut().stretch = 3.0;
    solve(&mut winding, 500.0, true);
    assert_eq!(winding.rig.position(5).x, 40.0);
}

#[test]
fn a_stretched_chain_goes_once_round_a_closed_path() {
    let mut winding = Winding::straight(Vec2::ZERO, &[40.0; 10], path(circle()));
    winding.spline_mut().stretch = 4.0;
    winding.end_at_bone(40.0);
    let report = solve(&mut winding, 123.0, true);
    let root = winding.places()[0].as_vec2();
    assert!(
        report.tip.distance(root) < 1e-2,
        "{} and {root}",
        report.tip
    );
}

#[test]
fn influence_blends_rotations_and_the_root() {
    let mut winding = Winding::straight(Vec2::new(10.0, 90.0), &[30.0; 4], winding_path());
    solve(&mut winding, 50.0, true);
    let [full, place] = [winding.rig.rotation(1), winding.rig.position(0).x];
    winding.rig.modifiers[0].influence = 0.5;
    solve(&mut winding, 50.0, true);
    assert!((winding.rig.rotation(1) - 0.5 * full).abs() < 1e-6);
    assert!((winding.rig.position(0).x - 0.5 * (10.0 + place)).abs() < 1e-4);
    winding.rig.modifiers[0].influence = 0.0;
    solve(&mut winding, 50.0, true);
    assert_eq!(winding.rig.rotation(1), 0.0);
    assert_eq!(winding.rig.position(0), Vec2::new(10.0, 90.0));
}

#[test]
fn limits_and_stiffness_hold() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(4);
    for _ in 0..300 {
        let mut winding = Winding::random(&mut rng);
        for bone in &mut winding.rig.bones[2..] {
            let half = rng.random_range(0.0..1.0);
            bone.limit = Some(Limit {
                stiffness: [0.0, 0.3, 1.0][rng.random_range(0..3)],
                ..Limit::around(bone.rotation, -half, 0.5 * half)
            });
        }
        let progress = rng.random_range(-100.0..500.0);
        solve(&mut winding, progress, true);
        for (index, bone) in winding.rig.bones.iter().enumerate().skip(2) {
            let limit = bone.limit.expect("each has one");
            let turned = winding.rig.rotation(index) - bone.rotation;
            assert!(turned >= limit.min - 1e-4 && turned <= limit.max + 1e-4);
            if limit.stiffness == 1.0 {
                assert_eq!(turned, 0.0);
            }
        }
    }
}

#[test]
fn a_limited_joint_lags_behind_and_the_others_return() {
    let mut winding = Winding::straight(Vec2::ZERO, &[30.0; 9], winding_path());
    winding.rig.bones[2].limit = Some(Limit::around(0.0, -0.01, 0.01));
    let report = solve(&mut winding, 0.0, false);
    assert_eq!(report.status, Status::OutOfReach);
    let track = winding.track();
    let distances: Vec<_> = { winding.places().into_iter() }
        .map(|place| track.nearest(place).1)
        .collect();
    assert!(distances[3] > 0.1, "{distances:?}");
    assert!(
        distances[4..].iter().all(|distance| *distance < EXACT),
        "{distances:?}"
    );
}

#[test]
fn a_pass_comes_back_from_its_text() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(8);
    for _ in 0..100 {
        let mut winding = Winding::random(&mut rng);
        let progress = rng.random_range(-100.0..900.0);
        solve(&mut winding, progress, rng.random_bool(0.5));
        let text = Capture::of(&winding.rig).to_json();
        let mut read = Capture::read_all(&text).expect("it can be read");
        assert_eq!(read[0].replay(), []);
        assert_eq!(read[0].to_json(), text);
    }
    let spline = SplineSettings::default();
    assert!(!spline.move_root && spline.progress == 0.0);
}
