mod motion;
use motion::*;
use glam::Vec2;
use tendon_solver::Workspace;

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

#[test]
fn late() {
    for (bones, limit) in [(10, 60.0), (3, 120.0), (6, 120.0)] {
    for seed in 0..200 {
        let mut case = Case::new(Kind::Fabrik, bones, Rules::Limits(limit));
        let target = reachable_target(&case, seed);
        for frame in 0..120 {
            let place = Path::Random(seed).at(frame as f32 / 60.0, case.reach);
            case.step(place, 1.0 / 60.0);
        }
        let from = Path::Random(seed).at(119.0 / 60.0, case.reach);
        let frames = (from.distance(target) / (0.016 * case.reach)).ceil().max(1.0) as u32;
        let mut log = Vec::new();
        for frame in 1..=frames + 120 {
            let part = (frame as f32 / frames as f32).min(1.0);
            case.step(from.lerp(target, part), 1.0 / 60.0);
            let m = &case.rig.modifiers[0];
            if frame >= frames {
                log.push((frame - frames, (m.report.distance / case.reach * 1000.0) as i32, m.memory.branch.len(), m.memory.attempt, m.memory.attempts));
            }
        }
        if log[30].1 > 0 {
            println!("{bones} {limit} {seed}: {:?}", log.iter().position(|l| l.1 <= 0));
        }
    }
    }
}

#[test]
fn sway() {
    for bones in [6, 10] { for kind in [Kind::Fabrik, Kind::CcdFromTip, Kind::CcdFromRoot] {
    for target in [(0.55, 0.3), (0.6, 0.0), (0.3, -0.5), (0.8, 0.1)] {
    let mut case = Case::new(kind, bones, Rules::Free);
    let target = Vec2::from(target) * case.reach;
    let base = case.rig.bones.clone();
    let mut seen = vec![[f32::MAX, f32::MIN]; bones];
    let mut fastest = 0.0f32;
    let mut before: Option<Vec<f32>> = None;
    for frame in 0..600 {
        let time = frame as f32 / 60.0;
        for (index, bone) in case.rig.bones.iter_mut().enumerate() {
            let sway = 0.6 * (time * std::f32::consts::TAU + index as f32 * 0.7).sin();
            bone.rotation = base[index].rotation + sway;
        }
        case.step(target, 1.0 / 60.0);
        let now = case.rotations();
        if frame > 120 {
            for (seen, now) in seen.iter_mut().zip(&now) { *seen = [seen[0].min(*now), seen[1].max(*now)]; }
            if let Some(before) = &before { fastest = now.iter().zip(before).map(|(a, b)| (a - b).abs()).fold(fastest, f32::max); }
        }
        before = Some(now);
    }
    let seen: Vec<f32> = seen.iter().map(|[least, most]| 0.5 * (most - least)).collect();
    println!("{kind:?} {bones}: mean {:.2} {seen:.2?}, fastest {fastest:.3}", seen.iter().sum::<f32>() / bones as f32);
    }}}
}

#[test]
fn timing() {
    for bones in [3, 10, 100] {
        let mut case = Case::new(Kind::Fabrik, bones, Rules::Free);
        let mut best = f64::MAX;
        let mut iterations = 0;
        for batch in 0..40 {
            let start = std::time::Instant::now();
            for frame in 0..60 {
                let target = Path::Roaming.at((batch * 60 + frame) as f32 / 60.0, case.reach);
                case.step(target, 1.0 / 60.0);
                iterations += case.rig.modifiers[0].report.iterations;
            }
            best = best.min(start.elapsed().as_nanos() as f64 / 60.0);
        }
        println!("{bones}: {best:.0} ns a pass, {:.1} ns a bone, {:.1} steps", best / bones as f64, iterations as f64 / 2400.0);
    }
}
