//! Every solver, cold (from one fixed pose to targets all around) and warm (each solve
//! continues from the last one's pose, after a small move of the target).
//!
//! `cargo bench --package tendon-solver` prints the median time of one solve.

use std::f32::consts::TAU;

use divan::{Bencher, black_box};
use glam::{Mat2, Vec2};
use tendon_solver::approach::Approach;
use tendon_solver::ccd::Ccd;
use tendon_solver::fabrik;
use tendon_solver::look_at::LookAt;
use tendon_solver::turn::Turn;
use tendon_solver::two_bone::TwoBone;
use tendon_solver::{Chain, Limit};

const BONE: f32 = 40.0;
const LENGTHS: [usize; 6] = [2, 3, 5, 10, 20, 100];

fn main() {
    divan::main();
}

/// A chain with a slight bend.
fn load(chain: &mut Chain, bones: usize) {
    chain.clear();
    for _ in 0..bones {
        chain.push(Turn::from_angle(0.1), Vec2::X * BONE, Mat2::IDENTITY);
    }
    chain.prepare().expect("a sound chain");
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

/// Solves for one target after another, each from the same pose.
fn cold(bencher: Bencher, bones: usize, mut solve: impl FnMut(&mut Chain, Vec2)) {
    let targets = targets(bones);
    let mut chain = Chain::default();
    let mut next = targets.iter().cycle();
    bencher.bench_local(|| {
        load(&mut chain, bones);
        solve(&mut chain, black_box(*next.next().expect("a cycle")));
        chain.tip()
    });
}

/// Solves for one target after another, each from the last pose.
fn warm(bencher: Bencher, bones: usize, mut solve: impl FnMut(&mut Chain, Vec2)) {
    let targets = targets(bones);
    let mut chain = Chain::default();
    load(&mut chain, bones);
    let mut next = targets.iter().cycle();
    bencher.bench_local(|| {
        solve(&mut chain, black_box(*next.next().expect("a cycle")));
        chain.tip()
    });
}

#[divan::bench]
fn look_at(bencher: Bencher) {
    cold(bencher, 1, |chain, target| {
        LookAt::default().solve(chain, target);
    });
}

#[divan::bench]
fn two_bone(bencher: Bencher) {
    cold(bencher, 2, |chain, target| {
        TwoBone::default().solve(chain, target, 0.01);
    });
}

/// Joints that turn 40 degrees either way; about half of the targets are out of reach.
#[divan::bench(args = [2, 5, 10, 20])]
fn fabrik_within_limits(bencher: Bencher, bones: usize) {
    let limit = Limit::around(0.0, -0.7, 0.7);
    cold(bencher, bones, |chain, target| {
        chain.clear();
        for _ in 0..bones {
            chain.push(Turn::from_angle(0.1), Vec2::X * BONE, Mat2::IDENTITY);
            chain.limit(&limit, Mat2::IDENTITY);
        }
        chain.prepare().expect("a sound chain");
        fabrik::solve(chain, target, Approach::default());
    });
}

#[divan::bench]
fn two_bone_within_limits(bencher: Bencher) {
    let limit = Limit::around(0.0, -0.7, 2.0);
    cold(bencher, 2, |chain, target| {
        chain.clear();
        for _ in 0..2 {
            chain.push(Turn::from_angle(0.1), Vec2::X * BONE, Mat2::IDENTITY);
            chain.limit(&limit, Mat2::IDENTITY);
        }
        chain.prepare().expect("a sound chain");
        TwoBone::default().solve(chain, target, 0.01);
    });
}

#[divan::bench]
fn look_at_warm(bencher: Bencher) {
    warm(bencher, 1, |chain, target| {
        LookAt::default().solve(chain, target);
    });
}

#[divan::bench]
fn two_bone_warm(bencher: Bencher) {
    warm(bencher, 2, |chain, target| {
        TwoBone::default().solve(chain, target, 0.01);
    });
}

#[divan::bench(args = LENGTHS)]
fn loading_alone(bencher: Bencher, bones: usize) {
    cold(bencher, bones, |_, _| {});
}

#[divan::bench(args = LENGTHS)]
fn fabrik_cold(bencher: Bencher, bones: usize) {
    cold(bencher, bones, |chain, target| {
        fabrik::solve(chain, target, Approach::default());
    });
}

#[divan::bench(args = LENGTHS)]
fn fabrik_warm(bencher: Bencher, bones: usize) {
    warm(bencher, bones, |chain, target| {
        fabrik::solve(chain, target, Approach::default());
    });
}

#[divan::bench(args = LENGTHS)]
fn ccd_cold(bencher: Bencher, bones: usize) {
    cold(bencher, bones, |chain, target| {
        Ccd::default().solve(chain, target, Approach::default());
    });
}

#[divan::bench(args = LENGTHS)]
fn ccd_warm(bencher: Bencher, bones: usize) {
    warm(bencher, bones, |chain, target| {
        Ccd::default().solve(chain, target, Approach::default());
    });
}

#[divan::bench(args = LENGTHS)]
fn ccd_root_first_cold(bencher: Bencher, bones: usize) {
    cold(bencher, bones, |chain, target| {
        Ccd { root_first: true }.solve(chain, target, Approach::default());
    });
}

#[divan::bench(args = LENGTHS)]
fn ccd_root_first_warm(bencher: Bencher, bones: usize) {
    warm(bencher, bones, |chain, target| {
        Ccd { root_first: true }.solve(chain, target, Approach::default());
    });
}

/// A thousand characters of ten bones, one thread against all: what there is to gain from
/// solving the rigs of a frame side by side.
mod crowd {
    use divan::Bencher;
    use glam::Vec2;
    use rayon::prelude::*;
    use tendon_solver::approach::Approach;
    use tendon_solver::{Bone, Modifier, Point, Rig, Solver};

    const CHARACTERS: usize = 1000;
    const BONES: usize = 10;

    #[divan::bench]
    fn one_thread(bencher: Bencher) {
        let mut rigs = rigs();
        let mut frame = 0;
        bencher.bench_local(|| {
            frame += 1;
            for (index, rig) in rigs.iter_mut().enumerate() {
                solve(rig, frame + index);
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
            rigs.for_each(|(index, rig)| solve(rig, frame + index));
        });
    }

    fn rigs() -> Vec<Rig> {
        let bones: Vec<_> = (0..BONES)
            .map(|index| Bone {
                position: Vec2::X * super::BONE,
                rotation: 0.1,
                ..Bone::below(index.checked_sub(1))
            })
            .collect();
        let solver = Solver::Fabrik {
            approach: Approach::default(),
        };
        let modifier = Modifier {
            tip: Point {
                bone: Some(BONES - 1),
                position: Vec2::X * super::BONE,
            },
            ..Modifier::new(solver, (0..BONES).collect())
        };
        vec![Rig::new(bones, vec![modifier]); CHARACTERS]
    }

    fn solve(rig: &mut Rig, step: usize) {
        let reach = super::BONE * BONES as f32;
        let direction = Vec2::from_angle(0.1 * (step % 64) as f32);
        rig.modifiers[0].target.position = 0.7 * reach * direction;
        rig.solve();
    }
}
