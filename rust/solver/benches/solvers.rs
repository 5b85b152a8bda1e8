//! Every solver, cold (each pass without memory, with targets all around) and warm (each pass
//! follows from the last one, after a small move of the target).
//!
//! `cargo bench --package tendon-solver` prints the median time of one pass.

use std::f32::consts::TAU;

use divan::{Bencher, black_box};
use glam::{Affine2, Vec2};
use tendon_solver::{
    Aimed, Algorithm, Bone, Chain, ChainIk, Curve, CurvePoint, End, Limit, LookAt, Modifier, Path,
    Point, Rig, Solver, Spline, Spring, SpringSettings, Sweep, TwoBone, Workspace,
};

const BONE: f32 = 40.0;
const LENGTHS: [usize; 6] = [2, 3, 5, 10, 20, 100];

fn main() {
    divan::main();
}

/// A line of bones with a slight bend, all of which `solver` turns.
fn chain<S: Into<Solver>>(
    solver: impl FnOnce(Chain) -> S,
    bones: usize,
    limit: Option<Limit>,
) -> Rig {
    let line = (0..bones).map(|index| Bone {
        position: if index == 0 {
            Vec2::ZERO
        } else {
            Vec2::X * BONE
        },
        rotation: 0.1,
        limit,
        ..Bone::below(index.checked_sub(1))
    });
    let tip = Point {
        bone: Some(bones - 1),
        position: Vec2::X * BONE,
    };
    let chain = Chain::new((0..bones).collect(), End::Point(tip));
    Rig::new(line.collect(), vec![Modifier::new(solver(chain))])
}

/// Targets between 0.3 and 0.9 of the reach, all around.
fn targets(bones: usize) -> Vec<Vec2> {
    let reach = BONE * bones as f32;
    (0..256)
        .map(|index| {
            let part = index as f32 / 256.0;
            let distance = 0.6 + 0.3 * (7.0 * part * TAU).sin();
            Vec2::from_angle(part * TAU) * distance * reach
        })
        .collect()
}

fn aim(rig: &mut Rig, target: Vec2) {
    let aim = rig.modifiers[0].solver.parts_mut().own_target_mut();
    aim.expect("it has a target").position = target;
}

/// Solves for one target after another, each from the base pose.
fn cold(bencher: Bencher, mut rig: Rig) {
    let targets = targets(rig.bones.len());
    let mut space = Workspace::default();
    let mut next = targets.iter().cycle();
    bencher.bench_local(|| {
        let target = black_box(*next.next().expect("a cycle"));
        aim(&mut rig, target);
        rig.solve(&mut space);
        rig.rotation(0)
    });
}

/// Solves for one target after another, each following from the last pose.
fn warm(bencher: Bencher, rig: Rig) {
    let targets = targets(rig.bones.len());
    follow(bencher, rig, &targets, 60);
}

/// The same for these targets, at so many frames per second.
fn follow(bencher: Bencher, mut rig: Rig, targets: &[Vec2], rate: u32) {
    let mut space = Workspace::default();
    let mut next = targets.iter().cycle();
    rig.delta = 1.0 / rate as f32;
    bencher.bench_local(|| {
        let target = black_box(*next.next().expect("a cycle"));
        aim(&mut rig, target);
        rig.go_on();
        rig.solve(&mut space);
        rig.rotation(0)
    });
}

fn two_bones(chain: Chain) -> TwoBone {
    let joints = [chain.joints[0], chain.joints[1]];
    TwoBone::new(joints, chain.end, Point::default())
}

fn looking(chain: Chain) -> LookAt {
    LookAt::new(chain, Point::default())
}

fn fabrik(chain: Chain) -> ChainIk {
    ChainIk::new(Algorithm::Fabrik, chain, Point::default())
}

fn ccd(root_first: bool) -> impl FnOnce(Chain) -> ChainIk {
    let algorithm = Algorithm::Ccd(Sweep { root_first });
    move |chain| ChainIk::new(algorithm, chain, Point::default())
}

/// Joints that turn 40 degrees either way; about half of the targets are out of reach.
fn narrow() -> Option<Limit> {
    Some(Limit::around(0.0, -0.7, 0.7))
}

#[divan::bench]
fn look_at(bencher: Bencher) {
    cold(bencher, chain(looking, 1, None));
}

#[divan::bench]
fn look_at_warm(bencher: Bencher) {
    warm(bencher, chain(looking, 1, None));
}

#[divan::bench(args = [3, 10])]
fn look_of_chain_warm(bencher: Bencher, bones: usize) {
    warm(bencher, chain(looking, bones, None));
}

/// A long chain whose target stays in front of it, beyond its reach: a look alone.
#[divan::bench]
fn look_of_chain_ahead(bencher: Bencher) {
    let at = |step: u32| 600.0 * Vec2::from_angle(0.5 + 0.5 * (0.05 * step as f32).sin());
    let targets: Vec<Vec2> = (0..256).map(at).collect();
    follow(bencher, chain(looking, 10, None), &targets, 60);
}

/// One whose target comes within its reach, so that the chain curls up and goes over to its other side now and then: what
/// transitions add on average, and in most passes.
#[divan::bench]
fn look_of_chain_turning_over(bencher: Bencher) {
    let at = |step: u32| {
        let phase = TAU * step as f32 / 128.0;
        let distance = 400.0 * (0.65 + 0.2 * (2.0 * phase).sin());
        distance * Vec2::from_angle(0.6 + 0.9 * phase.sin())
    };
    let targets: Vec<Vec2> = (0..128).map(at).collect();
    follow(bencher, chain(looking, 10, None), &targets, 60);
}

#[divan::bench]
fn look_of_chain_within_limits_warm(bencher: Bencher) {
    warm(bencher, chain(looking, 10, narrow()));
}

/// A short chain with limits whose target is `distance` bones away, and moves.
fn follow_out_of_reach(bencher: Bencher, bones: usize, distance: f32) {
    let at = |step: u32| BONE * distance * Vec2::from_angle(0.5 * (0.05 * step as f32).sin());
    let targets: Vec<Vec2> = (0..256).map(at).collect();
    let limit = Limit::around(0.1, -1.2, 1.2);
    follow(bencher, chain(ccd(false), bones, Some(limit)), &targets, 60);
}

#[divan::bench(args = [2, 3, 4])]
fn ccd_beyond_reach_within_limits(bencher: Bencher, bones: usize) {
    follow_out_of_reach(bencher, bones, 1.2 * bones as f32);
}

#[divan::bench(args = [2, 3, 4])]
fn ccd_too_near_within_limits(bencher: Bencher, bones: usize) {
    follow_out_of_reach(bencher, bones, 0.1);
}

/// A chain that goes on along a curve, and one that a curve is so many bones away from: its bones point at where the
/// curve begins, and none has to look for its end on the curve.
#[divan::bench(args = [0, 20])]
fn spline(bencher: Bencher, bones_away: u32) {
    let begin = bones_away as f32;
    let points = (0..11).map(|index| CurvePoint {
        position: BONE * Vec2::new(begin + index as f32, 0.5 * (index % 2) as f32),
        incoming: Vec2::new(-0.4 * BONE, 0.0),
        outgoing: Vec2::new(0.4 * BONE, 0.0),
    });
    let curve = Curve::new(points.collect(), 5.0);
    let path = Path {
        curve,
        ..Path::default()
    };
    let mut rig = chain(|chain| Spline::new(chain, path), 10, None);
    let mut space = Workspace::default();
    let mut step = 0;
    rig.delta = 1.0 / 60.0;
    bencher.bench_local(|| {
        step += 1;
        if let Solver::Spline(spline) = &mut rig.modifiers[0].solver {
            spline.settings.progress = 0.5 * (step % 128) as f32;
        }
        rig.go_on();
        rig.solve(&mut space);
        rig.rotation(0)
    });
}

/// A rope between a body and a pin that moves: at 240 frames per second, with a whole step and a part of one in
/// each.
#[divan::bench(args = [60, 240])]
fn spring_pinned(bencher: Bencher, rate: u32) {
    let settings = SpringSettings {
        gravity: Vec2::new(0.0, 980.0),
        ..SpringSettings::default()
    };
    let rope = |chain| Spring {
        settings,
        pin: Aimed::at(Point::default()),
        ..Spring::new(chain)
    };
    follow(bencher, chain(rope, 10, None), &targets(10), rate);
}

#[divan::bench]
fn two_bone(bencher: Bencher) {
    cold(bencher, chain(two_bones, 2, None));
}

#[divan::bench]
fn two_bone_warm(bencher: Bencher) {
    warm(bencher, chain(two_bones, 2, None));
}

#[divan::bench]
fn two_bone_within_limits(bencher: Bencher) {
    let limit = Limit::around(0.0, -0.7, 2.0);
    cold(bencher, chain(two_bones, 2, Some(limit)));
}

#[divan::bench(args = [2, 5, 10, 20])]
fn fabrik_within_limits_cold(bencher: Bencher, bones: usize) {
    cold(bencher, chain(fabrik, bones, narrow()));
}

#[divan::bench(args = [2, 5, 10, 20])]
fn fabrik_within_limits_warm(bencher: Bencher, bones: usize) {
    warm(bencher, chain(fabrik, bones, narrow()));
}

/// A pass that solves nothing: reading the bones and placing them.
#[divan::bench(args = LENGTHS)]
fn pass_alone(bencher: Bencher, bones: usize) {
    let mut rig = chain(fabrik, bones, None);
    rig.modifiers[0].active = false;
    cold(bencher, rig);
}

#[divan::bench(args = LENGTHS)]
fn fabrik_cold(bencher: Bencher, bones: usize) {
    cold(bencher, chain(fabrik, bones, None));
}

#[divan::bench(args = LENGTHS)]
fn fabrik_warm(bencher: Bencher, bones: usize) {
    warm(bencher, chain(fabrik, bones, None));
}

#[divan::bench(args = LENGTHS)]
fn ccd_cold(bencher: Bencher, bones: usize) {
    cold(bencher, chain(ccd(false), bones, None));
}

#[divan::bench(args = LENGTHS)]
fn ccd_warm(bencher: Bencher, bones: usize) {
    warm(bencher, chain(ccd(false), bones, None));
}

#[divan::bench(args = LENGTHS)]
fn ccd_root_first_cold(bencher: Bencher, bones: usize) {
    cold(bencher, chain(ccd(true), bones, None));
}

#[divan::bench(args = LENGTHS)]
fn ccd_root_first_warm(bencher: Bencher, bones: usize) {
    warm(bencher, chain(ccd(true), bones, None));
}

/// A chain that swings below a body that never stops, with gravity or without.
#[divan::bench(args = LENGTHS)]
fn spring(bencher: Bencher, bones: usize) {
    swing(bencher, bones, Vec2::ZERO);
}

#[divan::bench(args = LENGTHS)]
fn spring_with_gravity(bencher: Bencher, bones: usize) {
    swing(bencher, bones, Vec2::new(0.0, 980.0));
}

fn swing(bencher: Bencher, bones: usize, gravity: Vec2) {
    let settings = SpringSettings {
        gravity,
        ..SpringSettings::default()
    };
    let spring = |chain| Spring {
        settings,
        ..Spring::new(chain)
    };
    let mut rig = chain(spring, bones, None);
    let targets = targets(bones);
    let mut space = Workspace::default();
    let mut next = targets.iter().cycle();
    rig.delta = 1.0 / 60.0;
    bencher.bench_local(|| {
        let place = black_box(*next.next().expect("a cycle"));
        rig.to_global = Affine2::from_translation(0.1 * place);
        rig.go_on();
        rig.solve(&mut space);
        rig.rotation(0)
    });
}

/// A thousand characters of ten bones that follow their targets, one thread against all: what there
/// is to gain from solving the rigs of a frame side by side. On two cores it is 1.7 times as fast, but
/// solving is less than a quarter of such a frame, and no character could follow another in the same frame.
mod crowd {
    use divan::Bencher;
    use glam::Vec2;
    use rayon::prelude::*;
    use tendon_solver::{Rig, Workspace};

    const CHARACTERS: usize = 1000;
    const BONES: usize = 10;

    #[divan::bench]
    fn one_thread(bencher: Bencher) {
        let mut rigs = rigs();
        let mut space = Workspace::default();
        let mut frame = 0;
        bencher.bench_local(|| {
            frame += 1;
            for (index, rig) in rigs.iter_mut().enumerate() {
                solve(rig, &mut space, frame + index);
            }
        });
    }

    #[divan::bench]
    fn all_threads(bencher: Bencher) {
        let mut rigs = rigs();
        let mut frame = 0;
        bencher.bench_local(|| {
            frame += 1;
            let rigs = rigs.par_iter_mut().enumerate();
            rigs.for_each_init(Workspace::default, |space, (index, rig)| {
                solve(rig, space, frame + index);
            });
        });
    }

    fn rigs() -> Vec<Rig> {
        vec![super::chain(super::fabrik, BONES, None); CHARACTERS]
    }

    fn solve(rig: &mut Rig, space: &mut Workspace, step: usize) {
        let reach = super::BONE * BONES as f32;
        let direction = Vec2::from_angle(0.1 * (step % 64) as f32);
        super::aim(rig, 0.7 * reach * direction);
        rig.delta = 1.0 / 60.0;
        rig.go_on();
        rig.solve(space);
    }
}
