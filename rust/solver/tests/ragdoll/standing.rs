//! Bodies that follow the pose: they stand, are hit, are held, and get up.

use glam::{Affine2, Vec2};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use tendon_solver::math::angle::shortest_way;
use tendon_solver::{Grab, Hold, Push, RagdollPhase};

use crate::puppet::Puppet;
use crate::world::World;

const TICK: f32 = 1.0 / 60.0;

/// How far the joints are from the pose, in radians.
fn off_pose(puppet: &Puppet) -> f32 {
    let bones = puppet.rig.bones.iter().enumerate();
    let off =
        bones.map(|(bone, posed)| shortest_way(posed.rotation, puppet.rig.rotation(bone)).abs());
    off.fold(0.0, f32::max)
}

/// Standing on the ground, as stiff as one that walks.
fn standing() -> Puppet {
    let mut puppet = Puppet::human(Vec2::new(0.0, -97.0));
    puppet.ragdoll().settings.frequency = 6.0;
    puppet.ragdoll().settings.root_frequency = 4.0;
    puppet
}

#[test]
fn a_body_stands_is_hit_and_comes_back() {
    let world = World::flat();
    let mut puppet = standing();
    for _ in 0..60 {
        puppet.pass(&world, TICK);
    }
    let before = off_pose(&puppet);
    let weight = puppet.ragdoll().settings.mass * world.gravity.y;
    puppet.ragdoll().pushes.push(Push {
        hold: Hold::Link(1),
        impulse: Vec2::new(0.1 * weight, 0.0),
    });
    let mut most = 0.0_f32;
    for _ in 0..60 {
        puppet.pass(&world, TICK);
        most = most.max(off_pose(&puppet));
    }
    let after = off_pose(&puppet);
    println!("stands {before} rad off its pose, is thrown {most} off, and {after} a second later");
    assert!(before < 0.02 && most > 0.05 && after < 0.02);
}

/// What is led slowly does not get tired on its way.
#[test]
fn a_body_that_is_led_slowly_comes_all_the_way_back() {
    let world = World::flat();
    let mut puppet = standing();
    puppet.ragdoll().settings.root_frequency = 0.15;
    puppet.ragdoll().settings.friction = 0.0;
    for _ in 0..30 {
        puppet.pass(&world, TICK);
    }
    let before = puppet.place(0, Vec2::ZERO);
    puppet.throw(Vec2::new(60.0, 0.0));
    for _ in 0..900 {
        puppet.pass(&world, TICK);
    }
    let off = puppet.place(0, Vec2::ZERO).distance(before);
    println!("led slowly, it comes back to {off} px");
    assert!(off < 8.0, "{off}");
}

#[test]
fn a_body_follows_an_animation() {
    let world = World::empty();
    let mut puppet = standing();
    let base: Vec<f32> = puppet.rig.bones.iter().map(|bone| bone.rotation).collect();
    let mut worst = 0.0_f32;
    for tick in 0..240 {
        let phase = tick as f32 * TICK * std::f32::consts::TAU;
        for (limb, side) in [(3, 1.0), (5, -1.0), (7, -1.0), (10, 1.0)] {
            puppet.rig.bones[limb].rotation = base[limb] + 0.5 * side * phase.sin();
        }
        puppet.rig.bones[0].position.x = 120.0 * tick as f32 * TICK;
        puppet.rig.bones[0].position.y = -97.0 + 3.0 * (2.0 * phase).sin();
        puppet.pass(&world, TICK);
        if tick > 30 {
            worst = worst.max(off_pose(&puppet));
        }
    }
    println!(
        "walks within {:.2} degrees of its animation",
        worst.to_degrees()
    );
    assert!(worst.to_degrees() < 3.0);
}

#[test]
fn a_body_starts_at_the_speed_of_the_animation() {
    let world = World::empty();
    let mut puppet = Puppet::human(Vec2::ZERO);
    puppet.ragdoll().settings.simulating = false;
    for tick in 0..10 {
        puppet.rig.to_global =
            Affine2::from_translation(Vec2::new(3.0 * tick as f32, -2.0 * tick as f32));
        puppet.solve(TICK);
        assert_eq!(
            puppet.rotations()[3],
            puppet.rig.bones[3].rotation,
            "as posed"
        );
    }
    puppet.ragdoll().settings.simulating = true;
    puppet.rig.to_global = Affine2::from_translation(Vec2::new(30.0, -20.0));
    puppet.pass(&world, TICK);
    let before = puppet.place(0, Vec2::ZERO);
    puppet.pass(&world, TICK);
    let speed = (puppet.place(0, Vec2::ZERO) - before) / TICK;
    let fallen = 1.5 * TICK * world.gravity.y;
    assert!(
        speed.distance(Vec2::new(180.0, -120.0 + fallen)) < 2.0,
        "{speed}"
    );
}

/// Stops, and returns how far a joint turns in a frame at most until the pose is back.
fn blend_back(puppet: &mut Puppet) -> f32 {
    puppet.ragdoll().settings.simulating = false;
    puppet.ragdoll().ticks.clear();
    let mut worst = 0.0_f32;
    let mut before = puppet.rotations();
    for _ in 0..30 {
        puppet.solve(TICK);
        let now = puppet.rotations();
        let pairs = before.iter().zip(&now);
        worst = pairs.fold(worst, |most, (a, b)| most.max(shortest_way(*a, *b).abs()));
        before = now;
    }
    assert_eq!(puppet.phase(), RagdollPhase::Posed);
    for (bone, posed) in puppet.rig.bones.iter().enumerate() {
        let rotation = puppet.rig.rotation(bone);
        assert_eq!(rotation.to_bits(), posed.rotation.to_bits());
        assert_eq!(puppet.rig.position(bone), posed.position);
    }
    worst
}

#[test]
fn stopping_blends_without_a_leap_and_ends_at_the_pose() {
    let world = World::flat();
    let mut worst = 0.0_f32;
    for stop in 0..100 {
        let mut puppet = Puppet::human(Vec2::new(0.0, -120.0));
        puppet.throw(Vec2::new(30.0 * (stop % 11) as f32 - 150.0, 0.0));
        for _ in 0..1 + (7 * stop) % 180 {
            puppet.pass(&world, TICK);
        }
        worst = worst.max(blend_back(&mut puppet));
    }
    println!("100 stops: no joint turns by more than {worst} rad in a frame");
    assert!(worst < 0.3);
}

/// What is stopped in flight goes on at its speed, which decays.
#[test]
fn a_body_that_is_stopped_in_flight_keeps_its_speed() {
    let world = World::empty();
    let mut puppet = Puppet::human(Vec2::ZERO);
    puppet.throw(Vec2::new(434.0, 0.0));
    let mut places = Vec::new();
    for tick in 0..50 {
        if tick < 10 {
            puppet.pass(&world, TICK);
        } else {
            puppet.ragdoll().settings.simulating = false;
            puppet.ragdoll().ticks.clear();
            puppet.solve(TICK);
        }
        places.push(puppet.place(0, Vec2::ZERO));
    }
    let speeds: Vec<f32> = places
        .windows(2)
        .map(|places| places[0].distance(places[1]) / TICK)
        .collect();
    let changes = speeds
        .windows(2)
        .map(|speeds| (speeds[1] - speeds[0]).abs());
    let most = changes.fold(0.0, f32::max);
    println!(
        "Smooth: a body stopped in flight: {:.0} px/s, then {:.0}; by {most:.0} px/s in a frame at most",
        speeds[8], speeds[9]
    );
    assert!(most < 150.0, "{speeds:?}");
}

/// In all phases: while it stands up it is let go again, and stopped while it falls. What a hit does to a limb that is
/// simulated is no leap, so only the first frames after it was let go count there.
#[test]
fn starts_and_stops_at_random_moments_are_without_a_leap() {
    let world = World::tiles(16.0);
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(11);
    let mut puppet = Puppet::human(Vec2::new(0.0, -120.0));
    let base: Vec<f32> = puppet.rig.bones.iter().map(|bone| bone.rotation).collect();
    let mut time = 0.0_f32;
    let mut animate = |puppet: &mut Puppet| {
        time += TICK;
        for (index, (bone, base)) in puppet.rig.bones.iter_mut().zip(&base).enumerate() {
            bone.rotation = base + 0.4 * libm::sinf(6.0 * time + index as f32);
        }
    };
    puppet.ragdoll().settings.simulating = false;
    let mut worst = 0.0_f32;
    let mut before = Vec::new();
    for change in 0..201 {
        let simulates = change % 2 == 1;
        puppet.ragdoll().settings.simulating = simulates;
        puppet.ragdoll().ticks.clear();
        for count in 0..rng.random_range(1..if simulates { 150 } else { 40 }) {
            animate(&mut puppet);
            match simulates {
                true => puppet.pass(&world, TICK),
                false => puppet.solve(TICK),
            }
            let now = puppet.rotations();
            let pairs = before.iter().zip(&now);
            if !simulates || count < 2 {
                worst = pairs.fold(worst, |most, (a, b)| most.max(shortest_way(*a, *b).abs()));
            }
            before = now;
        }
    }
    println!("100 random starts and stops: no joint turns by more than {worst} rad in a frame");
    assert!(worst < 0.3);
}

#[test]
fn getting_up_from_any_lying_pose_is_without_a_leap() {
    let mut worst = 0.0_f32;
    for fall in 0..100 {
        let world = match fall % 3 {
            0 => World::flat(),
            1 => World::tiles(16.0),
            _ => World::stairs(4, 20.0, 50.0),
        };
        let mut puppet = Puppet::human(Vec2::new(0.0, -260.0));
        puppet.throw(Vec2::new(
            9.0 * fall as f32 - 450.0,
            40.0 * (fall % 7) as f32,
        ));
        let mut ticks = 0;
        while puppet.phase() != RagdollPhase::Lying {
            puppet.pass(&world, TICK);
            ticks += 1;
            assert!(ticks < 600, "{fall} is not at rest");
        }
        worst = worst.max(blend_back(&mut puppet));
    }
    println!("100 lying poses: no joint turns by more than {worst} rad in a frame");
    assert!(worst < 0.3);
}

#[test]
fn a_body_that_is_grabbed_hangs_from_there() {
    let world = World::empty();
    let mut puppet = Puppet::human(Vec2::ZERO);
    let target = Vec2::new(60.0, -300.0);
    puppet.ragdoll().grabs = vec![Grab {
        link: 4,
        point: Vec2::X * 30.0,
        target,
    }];
    for _ in 0..600 {
        puppet.pass(&world, TICK);
    }
    let hand = puppet.place(4, Vec2::X * 30.0);
    println!("hangs {hand}, phase {:?}", puppet.phase());
    assert!(hand.distance(target) < 4.0, "{hand}");
    let centre = puppet.ragdoll().memory.last().whereabouts.centre;
    assert!(
        (centre.x - target.x).abs() < 2.0,
        "its centre of mass is below it: {centre}"
    );
    assert_eq!(puppet.phase(), RagdollPhase::Lying);
}

#[test]
fn a_limp_arm_hangs_from_a_body_that_moves() {
    let world = World::empty();
    let mut puppet = Puppet::human(Vec2::ZERO);
    puppet
        .rig
        .bones
        .iter_mut()
        .for_each(|bone| bone.limit = None);
    let shapes = puppet.shapes.clone();
    let ragdoll = puppet.ragdoll();
    ragdoll.joints = vec![3, 4];
    ragdoll.shapes = shapes[3..5].to_vec();
    ragdoll.is_carried = true;
    assert_eq!(puppet.rig.validate(), Ok(()));
    for tick in 0..600 {
        puppet.rig.to_global.translation.x = 200.0 * (tick as f32 * TICK).min(1.0);
        puppet.pass(&world, TICK);
        let shoulder = puppet.place(3, Vec2::ZERO) - puppet.rig.to_global.translation;
        assert!(
            shoulder.distance(Vec2::new(0.0, -54.0)) < 1e-3,
            "{shoulder}"
        );
    }
    let hand = puppet.place(4, Vec2::X * 30.0) - puppet.place(3, Vec2::ZERO);
    assert!(hand.distance(Vec2::new(0.0, 62.0)) < 2.0, "{hand}");
    assert_eq!(puppet.phase(), RagdollPhase::Lying);
}
