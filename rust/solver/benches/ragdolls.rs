//! A tick of a body of 13 limbs: in the air and on the ground.
//!
//! `cargo bench --package tendon-solver --bench ragdolls` prints the median time of one pass with one tick.

#[allow(dead_code, reason = "tests ask it for more")]
#[path = "../tests/ragdoll/puppet.rs"]
mod puppet;
#[allow(dead_code, reason = "tests have more grounds")]
#[path = "../tests/ragdoll/world.rs"]
mod world;

use divan::Bencher;
use glam::{Affine2, Vec2};
use tendon_solver::{Bone, Hold, LimbShape, Push};

use crate::puppet::Puppet;
use crate::world::World;

const TICK: f32 = 1.0 / 60.0;

fn main() {
    divan::main();
}

/// Ticks of a body that does not come to rest: its orders change.
fn tick(bencher: Bencher, mut puppet: Puppet, world: &World) {
    let mut number = 0_usize;
    bencher.bench_local(|| {
        number += 1;
        puppet.ragdoll().settings.damping_ratio = if number.is_multiple_of(2) { 0.7 } else { 0.71 };
        puppet.pass(world, TICK);
    });
}

/// A body without weight whose lower arm was hit with that impulse.
fn hit(impulse: f32) -> Puppet {
    let mut puppet = Puppet::human(Vec2::ZERO);
    puppet.ragdoll().settings.gravity_scale = 0.0;
    puppet.ragdoll().pushes.push(Push {
        hold: Hold::Link(4),
        impulse: Vec2::new(0.0, impulse),
    });
    puppet
}

#[divan::bench]
fn in_the_air(bencher: Bencher) {
    tick(bencher, hit(200.0), &World::empty());
}

/// A line of 13 limbs, which all hang on one another.
#[divan::bench]
fn line(bencher: Bencher) {
    let bones = (0..13_usize).map(|limb| Bone {
        position: Vec2::X * if limb == 0 { 0.0 } else { 20.0 },
        ..Bone::below(limb.checked_sub(1))
    });
    let shape = LimbShape {
        to: Vec2::X * 20.0,
        ..LimbShape::default()
    };
    let mut puppet = Puppet::new(bones.collect(), vec![shape; 13]);
    puppet.ragdoll().rest = (0..13)
        .map(|limb| Affine2::from_translation(Vec2::X * 20.0 * limb as f32))
        .collect();
    puppet.ragdoll().settings.gravity_scale = 0.0;
    tick(bencher, puppet, &World::empty());
}

#[divan::bench]
fn lying(bencher: Bencher) {
    let world = World::flat();
    let mut puppet = Puppet::human(Vec2::new(0.0, -200.0));
    for _ in 0..180 {
        puppet.pass(&world, TICK);
    }
    tick(bencher, puppet, &world);
}
