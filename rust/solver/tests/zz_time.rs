use std::time::Instant;
use glam::{Affine2, Vec2};
use tendon_solver::*;
fn chain(solver: Solver, bones: usize) -> Rig {
    let line = (0..bones).map(|i| Bone { position: if i==0 {Vec2::ZERO} else {Vec2::X*40.0}, rotation: 0.1, ..Bone::below(i.checked_sub(1)) });
    let mut m = Modifier::new(solver, (0..bones).collect());
    m.tip = Point { bone: Some(bones-1), position: Vec2::X*40.0 };
    Rig::new(line.collect(), vec![m])
}
#[test]
fn time() {
    for _ in 0..3 { for n in [2usize, 10] {
        let targets: Vec<Vec2> = (0..256).map(|i| { let p = i as f32/256.0; Vec2::from_angle(p*6.2831853)*(0.6+0.3*(7.0*p*6.2831853).sin())*40.0*n as f32 }).collect();
        let mut best = [f64::INFINITY; 3];
        for round in 0..200 { for k in 0..3 {
            let solver = match k { 0 => Solver::Fabrik(Fabrik::default()), 1 => Solver::Spring(Spring::default()), _ => Solver::Spring(Spring{gravity: Vec2::new(0.0,980.0), ..Spring::default()}) };
            let mut rig = chain(solver, n); let mut space = Workspace::default(); rig.delta = 1.0/60.0;
            let mut run = |rig: &mut Rig, t: Vec2| { if k==0 { rig.modifiers[0].target.position = t } else { rig.to_global = Affine2::from_translation(0.1*t) } rig.go_on(); rig.solve(&mut space); };
            for t in &targets { run(&mut rig, *t); }
            let begin = Instant::now();
            for t in &targets { run(&mut rig, *t); }
            best[k] = best[k].min(begin.elapsed().as_secs_f64()/256.0*1e9);
            let _ = round;
        }}
        println!("{n}: fabrik {:.0} spring {:.0} gravity {:.0} ratio {:.2} {:.2}", best[0], best[1], best[2], best[1]/best[0], best[2]/best[0]);
    }}
}
