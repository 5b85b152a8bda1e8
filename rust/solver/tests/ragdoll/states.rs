//! The state of a body: saved, captured, wrong.

use glam::Vec2;
use tendon_solver::{Capture, Grab, Hold, Push, Snapshot, Solid, SolidOutline, Solver, Workspace};

use crate::puppet::Puppet;
use crate::world::World;

const TICK: f32 = 1.0 / 60.0;

fn falling() -> (Puppet, World) {
    let mut puppet = Puppet::human(Vec2::new(-30.0, -260.0));
    puppet.throw(Vec2::new(150.0, -50.0));
    (puppet, World::stairs(5, 24.0, 60.0))
}

fn bits(puppet: &Puppet) -> Vec<u32> {
    puppet.rotations().iter().map(|it| it.to_bits()).collect()
}

#[test]
fn a_saved_state_goes_on_to_the_same_bits() {
    let (mut puppet, world) = falling();
    for _ in 0..60 {
        puppet.pass(&world, TICK);
    }
    let saved = Snapshot::of(&puppet.rig, Vec::new()).to_bytes();
    let mut there = Vec::new();
    for _ in 0..120 {
        puppet.pass(&world, TICK);
        there.push(bits(&puppet));
    }
    let read = Snapshot::read(&saved).expect("it was just written");
    read.check(&puppet.rig).expect("it is of this rig");
    read.restore(&mut puppet.rig);
    // Another machine.
    puppet.space = Workspace::default();
    for expected in there {
        puppet.pass(&world, TICK);
        assert_eq!(bits(&puppet), expected);
    }
}

/// What a player does in a tick.
#[derive(Clone, Copy, PartialEq)]
struct Input {
    push: Option<Vec2>,
    hook: Option<Vec2>,
}

impl Input {
    /// Of two players: blows now and then, and a hand that holds it for a while.
    fn of(tick: usize) -> Self {
        let blow = Vec2::new(900.0 - 60.0 * (tick % 31) as f32, -300.0);
        Self {
            push: (tick % 37 == 20).then_some(blow),
            hook: (90..150)
                .contains(&tick)
                .then(|| Vec2::new(3.0 * tick as f32, -250.0)),
        }
    }

    fn play(self, puppet: &mut Puppet, world: &World) {
        let ragdoll = puppet.ragdoll();
        ragdoll.pushes.extend(self.push.map(|impulse| Push {
            hold: Hold::Link(1),
            impulse,
        }));
        let grab = |target| Grab {
            link: 4,
            point: Vec2::X * 30.0,
            target,
        };
        ragdoll.grabs = self.hook.map(grab).into_iter().collect();
        puppet.pass(world, TICK);
    }
}

fn saved(puppet: &Puppet) -> Vec<u8> {
    Snapshot::of(&puppet.rig, Vec::new()).to_bytes()
}

/// One machine knows all input in time. The other gets it late: it guesses that there is none, goes back and plays
/// again.
#[test]
fn two_machines_stay_in_lockstep_though_one_rolls_back() {
    const LATE: usize = 7;
    let ((mut one, world), (mut other, _)) = (falling(), falling());
    one.ragdoll().settings.frequency = 2.0;
    other.ragdoll().settings.frequency = 2.0;
    let nothing = Input {
        push: None,
        hook: None,
    };
    let (mut expected, mut kept, mut rolled_back) = (Vec::new(), Vec::new(), 0);
    for tick in 0..240 {
        Input::of(tick).play(&mut one, &world);
        expected.push(saved(&one));
        nothing.play(&mut other, &world);
        kept.push(saved(&other));
        let Some(late) = tick.checked_sub(LATE) else {
            continue;
        };
        if Input::of(late) != nothing {
            rolled_back += 1;
            let before = Snapshot::read(&kept[late - 1]).expect("it was just written");
            before.restore(&mut other.rig);
            other.space = Workspace::default();
            for (again, kept) in kept.iter_mut().enumerate().skip(late) {
                let known = if again == late {
                    Input::of(again)
                } else {
                    nothing
                };
                known.play(&mut other, &world);
                *kept = saved(&other);
            }
        }
        assert_eq!(kept[late], expected[late], "tick {late}");
    }
    assert!(rolled_back > 60, "{rolled_back}");
}

#[test]
fn bodies_of_the_world_may_have_any_numbers() {
    let ((mut one, world), (mut other, _)) = (falling(), falling());
    for tick in 0..120 {
        one.pass(&world, TICK);
        let mut numbered = world.tick(TICK);
        let last = numbered.solids.len() as u32 - 1;
        for solid in &mut numbered.solids {
            solid.body = u32::MAX - (last - solid.body);
        }
        other.ragdoll().ticks = vec![numbered];
        other.solve(TICK);
        assert_eq!(bits(&other), bits(&one), "{tick}");
    }
}

#[test]
fn a_captured_pass_is_solved_again_to_the_same_bits() {
    let (mut puppet, world) = falling();
    for tick in 0..120 {
        puppet.pass(&world, TICK);
        if tick % 20 == 0 {
            // The push was taken by the pass.
            let text = Capture::of(&puppet.rig).to_json();
            let mut captures = Capture::read_all(&text).expect("it was just written");
            let differences = captures[0].replay();
            assert!(
                tick == 0 || differences.is_empty(),
                "{tick}: {differences:?}"
            );
        }
    }
}

#[test]
fn bad_numbers_never_spread() {
    let (mut puppet, world) = falling();
    for tick in 0..240 {
        let mut bad = world.tick(TICK);
        match tick % 8 {
            0 => bad.points[0].x = f32::NAN,
            1 => bad.gravity.y = f32::INFINITY,
            2 => bad.solids[0].points = [4_000_000_000, 7],
            3 => bad.delta = f32::NAN,
            4 => bad.push(
                Solid {
                    outline: SolidOutline::Polygon,
                    ..Solid::default()
                },
                [Vec2::ZERO; 3],
            ),
            5 => bad.push(
                Solid {
                    outline: SolidOutline::Plane,
                    ..Solid::default()
                },
                [Vec2::ZERO; 2],
            ),
            6 => puppet.ragdoll().pushes.push(Push {
                hold: Hold::Place {
                    link: None,
                    position: Vec2::NAN,
                },
                impulse: Vec2::X,
            }),
            _ => puppet.ragdoll().pushes.push(Push {
                hold: Hold::Whole,
                impulse: Vec2::splat(f32::INFINITY),
            }),
        }
        puppet.ragdoll().ticks = vec![bad];
        puppet.solve(TICK);
        assert!(puppet.rotations().iter().all(|it| it.is_finite()), "{tick}");
    }
}

#[test]
fn a_memory_of_another_body_is_forgotten() {
    let (mut puppet, world) = falling();
    puppet.pass(&world, TICK);
    let Solver::Ragdoll(ragdoll) = &mut puppet.rig.modifiers[0].solver else {
        unreachable!("it has one")
    };
    ragdoll.joints.pop();
    ragdoll.shapes.pop();
    puppet.pass(&world, TICK);
    assert!(puppet.rotations().iter().all(|it| it.is_finite()));
}

#[test]
fn a_snapshot_of_other_bytes_is_refused() {
    let (mut puppet, world) = falling();
    puppet.pass(&world, TICK);
    let saved = Snapshot::of(&puppet.rig, Vec::new()).to_bytes();
    assert!(Snapshot::read(&saved[..saved.len() / 2]).is_err());
}
