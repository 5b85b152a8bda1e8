//! Trees and obstacles, cold: from one fixed pose to targets all around.
//!
//! `cargo bench --package tendon-solver --bench trees` prints the time of one pass without memory,
//! and how much it allocates: nothing.

use std::f32::consts::TAU;

use divan::{AllocProfiler, Bencher, black_box};
use glam::{Affine2, Vec2};
use tendon_solver::{
    Algorithm, Bone, Chain, ChainIk, Effector, End, Modifier, Obstacle, Point, Rig, Shape, Solver,
    Workspace,
};

#[global_allocator]
static ALLOCATOR: AllocProfiler = AllocProfiler::system();

const BONE: f32 = 40.0;

fn main() {
    divan::main();
}

/// Appends `count` bones in a line, the first of them `aside` of the end of `parent`, and
/// returns the last.
fn line(
    bones: &mut Vec<Bone>,
    parent: Option<usize>,
    count: usize,
    aside: f32,
    bend: f32,
) -> usize {
    let mut above = parent;
    for index in 0..count {
        let aside = if index == 0 { aside } else { 0.0 };
        bones.push(Bone {
            position: above.map_or(Vec2::ZERO, |_| Vec2::new(BONE, aside)),
            rotation: bend,
            ..Bone::below(above)
        });
        above = Some(bones.len() - 1);
    }
    bones.len() - 1
}

/// A spine and a number of branches of a number of bones each, with a tip at the end of each branch.
fn tree(spine: usize, branch: usize, branches: usize) -> Rig {
    let mut bones = Vec::new();
    let stem = line(&mut bones, None, spine, 0.0, 0.1);
    let mut effectors: Vec<Effector> = Vec::new();
    for index in 0..branches {
        let side = index as f32 - 0.5 * (branches - 1) as f32;
        let end = line(&mut bones, Some(stem), branch, 10.0 * side, 0.2 * side);
        let tip = Point {
            bone: Some(end),
            position: Vec2::X * BONE,
        };
        effectors.push(Effector::new(End::Point(tip), Point::default()));
    }
    let main = effectors.remove(0);
    let chain = Chain::new((0..bones.len()).collect(), main.end);
    let fabrik = ChainIk {
        effectors,
        ..ChainIk::new(Algorithm::Fabrik, chain, main.target)
    };
    Rig::new(bones, vec![Modifier::new(fabrik)])
}

fn fabrik_of(rig: &mut Rig) -> &mut ChainIk {
    match &mut rig.modifiers[0].solver {
        Solver::ChainIk(fabrik) => fabrik,
        other => panic!("{other:?}"),
    }
}

fn aim(rig: &mut Rig, targets: &[Vec2]) {
    let fabrik = fabrik_of(rig);
    fabrik.target.set(Some(Point {
        bone: None,
        position: targets[0],
    }));
    for (effector, &target) in fabrik.effectors.iter_mut().zip(&targets[1..]) {
        effector.target.position = target;
    }
}

/// Solves for one part of a round after another, from 0 to 1.
fn rounds(bencher: Bencher, mut rig: Rig, mut aim: impl FnMut(&mut Rig, f32)) {
    let mut space = Workspace::default();
    let mut solve = move |part: f32| {
        aim(&mut rig, black_box(part));
        rig.solve(&mut space);
        rig.modifiers[0].report.distance
    };
    for index in 0..256 {
        solve(index as f32 / 256.0);
    }
    let mut next = (0..256).cycle();
    bencher.bench_local(|| solve(next.next().expect("a cycle") as f32 / 256.0));
}

/// Two targets that a spine of four bones and two arms of three can reach together.
fn hands(part: f32, distance: f32) -> [Vec2; 2] {
    let middle = Vec2::from_angle(part * TAU) * distance * BONE;
    let apart = Vec2::from_angle(3.0 * part * TAU) * 1.5 * BONE;
    [middle + apart, middle - apart]
}

#[divan::bench]
fn two_arms(bencher: Bencher) {
    rounds(bencher, tree(4, 3, 2), |rig, part| {
        aim(rig, &hands(part, 4.5))
    });
}

#[divan::bench]
fn two_arms_out_of_reach(bencher: Bencher) {
    rounds(bencher, tree(4, 3, 2), |rig, part| {
        aim(rig, &hands(part, 12.0))
    });
}

#[divan::bench]
fn five_fingers(bencher: Bencher) {
    rounds(bencher, tree(3, 3, 5), |rig, part| {
        let middle = Vec2::from_angle(part * TAU) * 4.5 * BONE;
        let fingers = [0, 1, 2, 3, 4].map(|finger| {
            let apart = (finger as f32 - 2.0) * 0.4 * BONE;
            middle + apart * Vec2::from_angle(part * TAU).perp()
        });
        aim(rig, &fingers);
    });
}

/// Ten bones among five circles.
fn tentacle(around: f32) -> Rig {
    let mut rig = tree(9, 1, 1);
    let places = (0..5).map(|index| Vec2::from_angle(TAU * index as f32 / 5.0) * around * BONE);
    fabrik_of(&mut rig).obstacles = places
        .map(|place| Obstacle {
            shape: Shape::Circle { radius: 0.9 * BONE },
            frame: Affine2::from_translation(place),
            bone: None,
        })
        .collect();
    rig
}

fn around(rig: &mut Rig, part: f32, distance: f32) {
    aim(rig, &[Vec2::from_angle(part * TAU) * distance * BONE]);
}

#[divan::bench]
fn five_circles(bencher: Bencher) {
    rounds(bencher, tentacle(4.0), |rig, part| around(rig, part, 6.5));
}

#[divan::bench]
fn five_circles_out_of_the_way(bencher: Bencher) {
    rounds(bencher, tentacle(40.0), |rig, part| around(rig, part, 6.5));
}

#[divan::bench]
fn five_circles_out_of_reach(bencher: Bencher) {
    rounds(bencher, tentacle(4.0), |rig, part| around(rig, part, 12.0));
}

#[divan::bench]
fn a_target_inside_a_circle(bencher: Bencher) {
    rounds(bencher, tentacle(4.0), |rig, part| {
        let turned = (5.0 * part).round() / 5.0 + 0.02;
        around(rig, turned, 4.0);
    });
}
