//! Targets that move smoothly must move bones smoothly, in every case, with default settings.

mod motion;

use glam::Vec2;
use tendon_solver::Workspace;

use motion::{Case, Film, Kind, Path, Rules};

fn film(kind: Kind, bones: usize, rules: Rules, path: Path, frames: u32) -> Film {
    Case::new(kind, bones, rules).film(path, 60.0, frames)
}

const KINDS: [Kind; 3] = [Kind::Fabrik, Kind::CcdFromTip, Kind::CcdFromRoot];
const BONES: [usize; 4] = [3, 6, 10, 24];

fn paths() -> impl Iterator<Item = Path> {
    std::iter::once(Path::Roaming).chain((0..20).map(Path::Random))
}

fn nothing_jumps(rules: Rules) {
    let mut jumps = 0;
    for kind in KINDS {
        for bones in BONES {
            let mut worst = Film::default();
            for path in paths() {
                let film = film(kind, bones, rules, path, 1800);
                if film.jumps > 0 {
                    println!("    {path:?}: {film:?}");
                }
                worst = worst.worse(film);
            }
            println!("{kind:?} {bones} {rules:?}: {worst:?}");
            jumps += worst.jumps;
        }
    }
    assert_eq!(jumps, 0);
}

#[test]
fn free_chains_do_not_jump() {
    nothing_jumps(Rules::Free);
}

#[test]
fn chains_with_limits_do_not_jump() {
    nothing_jumps(Rules::Limits(60.0));
}

#[test]
fn chains_with_narrow_limits_do_not_jump() {
    nothing_jumps(Rules::Limits(20.0));
}

#[test]
fn chains_among_circles_do_not_jump() {
    nothing_jumps(Rules::Circles);
}

/// A pose within the limits, or anywhere, whose tip is a target.
fn reachable_target(case: &Case, seed: u32) -> Vec2 {
    let mut rig = case.rig.clone();
    rig.modifiers[0].active = false;
    for (index, bone) in rig.bones.iter_mut().enumerate() {
        let part = motion::number(seed, index as u32);
        bone.rotation += match bone.limit {
            Some(limit) => limit.min + part * (limit.max - limit.min),
            None => 4.0 * part - 2.0,
        };
    }
    rig.solve(&mut Workspace::default());
    rig.locate(rig.modifiers[0].tip)
}

/// How many targets that some pose reaches are not reached half a second after they come to rest.
fn late(kind: Kind, bones: usize, rules: Rules) -> u32 {
    let mut late = 0;
    for seed in 0..200 {
        let mut case = Case::new(kind, bones, rules);
        let target = reachable_target(&case, seed);
        for frame in 0..120 {
            let place = Path::Random(seed).at(frame as f32 / 60.0, case.reach);
            case.step(place, 1.0 / 60.0);
        }
        // It comes to rest after a smooth way to the target.
        let from = Path::Random(seed).at(119.0 / 60.0, case.reach);
        let frames = (from.distance(target) / (0.016 * case.reach)).ceil().max(1.0) as u32;
        for frame in 1..=frames + 30 {
            let part = (frame as f32 / frames as f32).min(1.0);
            case.step(from.lerp(target, part), 1.0 / 60.0);
        }
        let report = &case.rig.modifiers[0].report;
        if report.distance > 1e-3 * case.reach {
            late += 1;
        }
    }
    late
}

#[test]
fn targets_at_rest_are_reached_in_half_a_second() {
    for rules in [Rules::Limits(60.0), Rules::Limits(20.0), Rules::Limits(120.0)] {
        for kind in KINDS {
            for bones in BONES {
                let late = late(kind, bones, rules);
                println!("{kind:?} {bones} {rules:?}: {late} late");
            }
        }
    }
}

/// The largest of the given pose's joints' sway that is seen, and the fastest turn of a joint.
#[test]
fn an_animation_shows_through() {
    for kind in KINDS {
        for bones in [3, 6, 10, 24] {
            let mut case = Case::new(kind, bones, Rules::Free);
            let target = Vec2::new(0.55, 0.3) * case.reach;
            let base = case.rig.bones.clone();
            let mut seen = vec![[f32::MAX, f32::MIN]; bones];
            let mut fastest = 0.0_f32;
            let mut before: Option<Vec<f32>> = None;
            for frame in 0..600 {
                let time = frame as f32 / 60.0;
                for (index, bone) in case.rig.bones.iter_mut().enumerate() {
                    let sway = 0.6 * (time * std::f32::consts::TAU + index as f32 * 0.7).sin();
                    bone.rotation = base[index].rotation + sway;
                }
                case.step(target, 1.0 / 60.0);
                assert!(case.rig.modifiers[0].report.distance < 1e-4 * case.reach);
                let now = case.rotations();
                if frame > 120 {
                    for (seen, now) in seen.iter_mut().zip(&now) {
                        *seen = [seen[0].min(*now), seen[1].max(*now)];
                    }
                    if let Some(before) = &before {
                        let turned = now.iter().zip(before).map(|(a, b)| (a - b).abs());
                        fastest = turned.fold(fastest, f32::max);
                    }
                }
                before = Some(now);
            }
            let seen: Vec<f32> = seen.iter().map(|[least, most]| 0.5 * (most - least)).collect();
            let mean = seen.iter().sum::<f32>() / bones as f32;
            println!("{kind:?} {bones}: mean {mean:.2} {seen:.2?}, fastest {fastest:.3}");
        }
    }
}

#[test]
fn ten_minutes_leave_no_trace() {
    for kind in KINDS {
        for bones in BONES {
            for rules in [Rules::Free, Rules::Limits(60.0)] {
                let mut case = Case::new(kind, bones, rules);
                case.film(Path::Roaming, 60.0, 36_000);
                let mut fresh = Case::new(kind, bones, rules);
                let target = Vec2::new(0.5, 0.35) * case.reach;
                let from = Path::Roaming.at(35_999.0 / 60.0, case.reach);
                for frame in 0..240 {
                    let place = from.lerp(target, (frame as f32 / 60.0).min(1.0));
                    case.step(place, 1.0 / 60.0);
                }
                fresh.step(target, 1.0 / 60.0);
                println!(
                    "{kind:?} {bones} {rules:?}: {} after, {} fresh, moving {}",
                    case.sharpest(), fresh.sharpest(), case.rig.is_moving()
                );
            }
        }
    }
}

#[test]
fn frame_rates_agree() {
    for kind in KINDS {
        for bones in BONES {
            for rules in [Rules::Free, Rules::Limits(60.0), Rules::Circles] {
                let mut ends = Vec::new();
                for rate in [30.0, 60.0, 144.0] {
                    let mut case = Case::new(kind, bones, rules);
                    case.film(Path::Roaming, rate, (10.0 * rate) as u32 + 1);
                    ends.push(case.rotations());
                }
                let apart = |a: &[f32], b: &[f32]| {
                    let pairs = a.iter().zip(b);
                    pairs.map(|(a, b)| {
                        let d = (a - b).rem_euclid(std::f32::consts::TAU);
                        d.min(std::f32::consts::TAU - d)
                    }).fold(0.0, f32::max)
                };
                println!("{kind:?} {bones} {rules:?}: {:.3} {:.3}", apart(&ends[0], &ends[1]), apart(&ends[1], &ends[2]));
            }
        }
    }
}
