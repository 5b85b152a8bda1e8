//! Ragdolls: how they fall, lie, stand and get up.

mod puppet;
mod world;

use glam::Vec2;
use tendon_solver::RagdollPhase;

use puppet::Puppet;
use world::World;

const TICK: f32 = 1.0 / 60.0;

/// What was measured of a fall.
#[derive(Debug, Default)]
struct Fall {
    deepest: f32,
    excess: f32,
    /// When it came to rest.
    rest: Option<f32>,
    last: Vec2,
}

fn fall(puppet: &mut Puppet, world: &World, seconds: f32) -> Fall {
    let mut fall = Fall::default();
    for tick in 1..=(seconds / TICK).round() as usize {
        puppet.pass(world, TICK);
        fall.deepest = fall.deepest.max(puppet.depth(world));
        fall.excess = fall.excess.max(puppet.excess());
        match puppet.phase() {
            RagdollPhase::Lying => fall.rest = fall.rest.or(Some(tick as f32 * TICK)),
            _ => fall.rest = None,
        }
    }
    fall.last = puppet.place(0, Vec2::ZERO);
    fall
}

#[test]
fn a_limp_figure_falls_lies_and_comes_to_rest() {
    for (name, world, start, velocity) in [
        ("flat", World::flat(), Vec2::new(0.0, -200.0), Vec2::new(40.0, 0.0)),
        ("tiles", World::tiles(16.0), Vec2::new(0.0, -200.0), Vec2::new(40.0, 0.0)),
        ("stairs", World::stairs(5, 24.0, 60.0), Vec2::new(-30.0, -260.0), Vec2::new(150.0, -50.0)),
        ("fast", World::flat(), Vec2::new(0.0, -400.0), Vec2::new(500.0, 3000.0)),
    ] {
        let mut puppet = Puppet::human(start);
        puppet.throw(velocity);
        for _ in 0..5 {
            let fall = fall(&mut puppet, &world, 1.0);
            let speed = puppet.ragdoll().outlook.speed;
            println!("{name}: {fall:?}, {speed} px/s, {:?}", puppet.memory().motion.state);
        }
    }
}
