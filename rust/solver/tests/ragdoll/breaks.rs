//! Limbs that are broken off.

use glam::{Affine2, Vec2};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use tendon_solver::{Hold, Push, RagdollPhase};

use crate::bodies::thrown;
use crate::puppet::Puppet;
use crate::world::World;

const TICK: f32 = 1.0 / 60.0;

/// That of each limb.
const MASS: f32 = 0.5;

/// How far a pass takes bodies whose speeds are measured, in seconds.
const MOMENT: f32 = 1e-3;

/// The momentum of a body, and that about the origin, by where its limbs are a moment later.
fn momentum(puppet: &mut Puppet, world: &World) -> [f32; 3] {
    let axes = |puppet: &Puppet| -> Vec<[Vec2; 2]> {
        let shapes = puppet.shapes.iter().enumerate();
        shapes
            .map(|(bone, shape)| [shape.from, shape.to].map(|end| puppet.place(bone, end)))
            .collect()
    };
    let before = axes(puppet);
    puppet.pass(world, MOMENT);
    let mut sum = [0.0; 3];
    for ((before, now), shape) in before.iter().zip(axes(puppet)).zip(&puppet.shapes) {
        let [middle, then] = [before, &now].map(|[from, to]| 0.5 * (*from + *to));
        let [way, turned] = [before, &now].map(|[from, to]| *to - *from);
        let speed = (then - middle) / MOMENT;
        let radius = shape.radius.unwrap_or_default();
        let inertia = MASS * (way.length_squared() / 12.0 + radius * radius / 3.0);
        sum[0] += MASS * speed.x;
        sum[1] += MASS * speed.y;
        sum[2] += MASS * middle.perp_dot(speed) + inertia * way.angle_to(turned) / MOMENT;
    }
    sum
}

#[test]
fn what_is_broken_off_takes_its_momentum_along() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
    let mut world = World::empty();
    world.gravity = Vec2::ZERO;
    for number in 0..60 {
        let mut puppet = Puppet::human(Vec2::ZERO);
        for shape in &mut puppet.shapes {
            shape.mass = Some(MASS);
        }
        puppet.ragdoll().shapes = puppet.shapes.clone();
        puppet.ragdoll().settings.joint_damping = 0.0;
        let sign = if number % 2 == 0 { 1.0 } else { -1.0 };
        puppet.rig.to_global = Affine2::from_scale(Vec2::new(sign, 1.0));
        for link in [2, 6, 9] {
            let impulse = Vec2::new(
                rng.random_range(-900.0..900.0),
                rng.random_range(-900.0..900.0),
            );
            puppet.ragdoll().pushes.push(Push {
                hold: Hold::Link(link),
                impulse,
            });
        }
        for _ in 0..rng.random_range(1..20) {
            puppet.pass(&world, TICK);
        }
        let whole = momentum(&mut puppet, &world);
        let count = rng.random_range(1..4);
        puppet.ragdoll().breaks = (0..count).map(|_| rng.random_range(1..13)).collect();
        puppet.pass(&world, 1e-4);
        puppet.ragdoll().breaks.clear();
        let parts = momentum(&mut puppet, &world);
        for (index, scale) in [500.0, 500.0, 50_000.0].into_iter().enumerate() {
            let change = (parts[index] - whole[index]).abs();
            assert!(change < 0.02 * scale, "{number}: {whole:?} {parts:?}");
        }
    }
}

/// Whatever breaks off falls, lies outside of the ground, and all of it comes to rest; a state goes on to the same bits.
#[test]
fn broken_bodies_fall_on_random_grounds() {
    for seed in 0..40 {
        let (mut puppet, world) = thrown(seed);
        let links = puppet.shapes.len();
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut deepest = 0.0_f32;
        for tick in 0..600 {
            if tick % 40 == 20 && tick < 140 && links > 1 {
                puppet.ragdoll().breaks = vec![rng.random_range(1..links)];
            }
            puppet.pass(&world, TICK);
            puppet.ragdoll().breaks.clear();
            if tick > 400 {
                deepest = deepest.max(puppet.depth(&world));
            }
        }
        assert!(deepest < 2.0, "{seed}: {deepest} px deep");
        assert_eq!(puppet.phase(), RagdollPhase::Lying, "{seed}");
        let broken = puppet.ragdoll().memory.last().broken.len();
        assert!(links < 2 || (1..=3).contains(&broken), "{seed}: {broken}");
        puppet.ragdoll().settings.simulating = false;
        for _ in 0..60 {
            puppet.solve(TICK);
        }
        assert_eq!(puppet.phase(), RagdollPhase::Posed, "{seed}");
        assert!(
            puppet.ragdoll().memory.last().broken.is_empty(),
            "{seed}: healed"
        );
    }
}

/// A head that hits the ground breaks off where its joint bears no more, and stays on where it bears enough.
#[test]
fn joints_break_that_have_to_bear_too_much() {
    let fall = |torque: f32| {
        let mut puppet = Puppet::human(Vec2::new(0.0, -400.0));
        puppet.ragdoll().settings.break_torque = torque;
        let mut broke = Vec::new();
        for _ in 0..200 {
            puppet.pass(&World::flat(), TICK);
            broke.extend(puppet.ragdoll().broke.clone());
        }
        assert_eq!(puppet.ragdoll().memory.last().broken.len(), broke.len());
        broke.len()
    };
    let counts = [0.0, 1e9, 1e6, 1e4].map(fall);
    assert_eq!(counts[..2], [0, 0], "{counts:?}");
    assert!(counts[2] < counts[3] && counts[3] > 2, "{counts:?}");
}
