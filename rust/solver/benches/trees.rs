//! Trees and obstacles, cold: from one fixed pose to targets all around.
//!
//! `cargo bench --package tendon-solver --bench trees` prints the time of one solve, loading
//! included, and how much it allocates: nothing.

use std::f32::consts::TAU;

use divan::{AllocProfiler, Bencher, black_box};
use glam::{Affine2, Mat2, Vec2};
use tendon_solver::approach::Approach;
use tendon_solver::tree::{Effector, Joint};
use tendon_solver::turn::Turn;
use tendon_solver::{Shape, Tree, branches};

#[global_allocator]
static ALLOCATOR: AllocProfiler = AllocProfiler::system();

const BONE: f32 = 40.0;

fn main() {
    divan::main();
}

/// Appends `count` bones in a line, the first of them `aside` of the end of `parent`, and
/// returns the last.
fn line(tree: &mut Tree, parent: Option<usize>, count: usize, aside: f32, bend: f32) -> usize {
    let mut above = parent;
    for index in 0..count {
        let offset = Vec2::new(BONE, if index == 0 { aside } else { 0.0 });
        let turn = Turn::from_angle(bend);
        tree.push(Joint::free(above, offset, Mat2::IDENTITY, turn));
        above = Some(tree.len() - 1);
    }
    tree.len() - 1
}

fn reach(tree: &mut Tree, joint: usize, target: Vec2) {
    tree.push_effector(Effector {
        joint,
        position: Vec2::X * BONE,
        target,
        weight: 1.0,
    });
}

/// A spine and as many branches as there are `targets`, of so many bones each.
fn load(tree: &mut Tree, spine: usize, branch: usize, targets: &[Vec2]) {
    tree.clear();
    let stem = line(tree, None, spine, 0.0, 0.1);
    for (index, &target) in targets.iter().enumerate() {
        let side = index as f32 - 0.5 * (targets.len() - 1) as f32;
        let end = line(tree, Some(stem), branch, 10.0 * side, 0.2 * side);
        reach(tree, end, target);
    }
}

/// Solves for one part of a round after another, from 0 to 1.
fn rounds(bencher: Bencher, mut load: impl FnMut(&mut Tree, f32)) {
    let mut tree = Tree::default();
    let mut solve = move |part: f32| {
        load(&mut tree, black_box(part));
        tree.prepare().expect("a sound tree");
        branches::solve(&mut tree, Approach::default());
        tree.distance()
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
    rounds(bencher, |tree, part| load(tree, 4, 3, &hands(part, 4.5)));
}

#[divan::bench]
fn two_arms_out_of_reach(bencher: Bencher) {
    rounds(bencher, |tree, part| load(tree, 4, 3, &hands(part, 12.0)));
}

#[divan::bench]
fn five_fingers(bencher: Bencher) {
    rounds(bencher, |tree, part| {
        let middle = Vec2::from_angle(part * TAU) * 4.5 * BONE;
        let fingers = [0, 1, 2, 3, 4].map(|finger| {
            let apart = (finger as f32 - 2.0) * 0.4 * BONE;
            middle + apart * Vec2::from_angle(part * TAU).perp()
        });
        load(tree, 3, 3, &fingers);
    });
}

/// Ten bones among five circles.
fn tentacle(tree: &mut Tree, part: f32, distance: f32, around: f32) {
    let target = Vec2::from_angle(part * TAU) * distance * BONE;
    load(tree, 9, 1, &[target]);
    for index in 0..5 {
        let place = Vec2::from_angle(TAU * index as f32 / 5.0) * around * BONE;
        let circle = Shape::Circle { radius: 0.9 * BONE };
        tree.obstacles_mut()
            .push(circle, Affine2::from_translation(place));
    }
}

#[divan::bench]
fn five_circles(bencher: Bencher) {
    rounds(bencher, |tree, part| tentacle(tree, part, 6.5, 4.0));
}

#[divan::bench]
fn five_circles_out_of_the_way(bencher: Bencher) {
    rounds(bencher, |tree, part| tentacle(tree, part, 6.5, 40.0));
}

#[divan::bench]
fn five_circles_out_of_reach(bencher: Bencher) {
    rounds(bencher, |tree, part| tentacle(tree, part, 12.0, 4.0));
}

#[divan::bench]
fn a_target_inside_a_circle(bencher: Bencher) {
    rounds(bencher, |tree, part| {
        let turned = (5.0 * part).round() / 5.0 + 0.02;
        tentacle(tree, turned, 4.0, 4.0);
    });
}
