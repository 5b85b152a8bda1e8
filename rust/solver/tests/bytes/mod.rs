//! Rigs from raw bytes, and what must hold of every one of them. The property tests and the
//! fuzzer's targets are these functions, on bytes that are random or that it has found.

mod check;
mod source;

use glam::{Affine2, Vec2};
use tendon_solver::capture::Answer;
use tendon_solver::{Capture, Hit, Rig, Solver, Surface, Tick, Workspace, World};

use source::Source;

/// Captures with more iterations take too long.
const MOST_ITERATIONS: u32 = 100;

/// Frames in which a rig goes on from its last pose.
const FRAMES: u32 = 8;

/// Builds a rig from `bytes` and solves it. Returns whether they made a sound one.
///
/// # Panics
/// When the solver does, or its result is not what it must be.
pub fn solve_rig(bytes: &[u8]) -> bool {
    let (rig, is_tame) = Source::new(bytes).rig();
    if rig.validate().is_err() {
        return false;
    }
    let mut solved = rig.clone();
    solved.solve(&mut Workspace::default());
    let answer = Answer::of(&solved);
    check::keeps_what_is_not_its_own(&rig, &answer);
    check::is_finite(&rig, &answer);
    if is_tame {
        check::obeys_limits(&solved);
    }
    check::is_the_same_again(&rig, solved.clone());
    follow(&mut solved, is_tame);
    true
}

/// Goes on from `rig`'s last pose for some frames, while its targets move and once leap: that they are
/// other ones is noted. Then feet, and modifiers that go over from target to target, are switched off, and on.
fn follow(rig: &mut Rig, is_tame: bool) {
    let mut space = Workspace::default();
    for frame in 0..FRAMES {
        for modifier in &mut rig.modifiers {
            let lets_go =
                matches!(modifier.solver, Solver::Stance(_)) || modifier.handover.is_some();
            if lets_go && frame > FRAMES / 2 {
                modifier.active ^= true;
            }
            if frame == FRAMES / 2 {
                modifier.note_exchange();
            }
            let Some(target) = modifier.solver.parts_mut().own_target_mut() else {
                continue;
            };
            target.position = if frame == FRAMES / 2 {
                -target.position
            } else {
                0.98 * target.position + Vec2::splat(1.0)
            };
        }
        let moved = Affine2::from_angle_translation(0.1, Vec2::new(9.0, -4.0));
        rig.to_global = moved * rig.to_global;
        rig.delta = 1.0 / 60.0;
        rig.go_on();
        pass(rig, &mut space);
        check::is_finite(rig, &Answer::of(rig));
        if is_tame {
            check::obeys_limits(rig);
        }
    }
    check::is_the_same_from_its_text(rig);
}

/// A pass, with a tick of what stands on ground.
fn pass(rig: &mut Rig, space: &mut Workspace) {
    let tick = Tick::new(rig.delta, rig.to_global, None);
    rig.begin();
    for index in 0..rig.modifiers.len() {
        rig.stand(index, tick, &[], true, &mut Floor);
        rig.apply(index, space);
    }
    rig.finish();
}

/// Level ground.
struct Floor;

/// How far down it is.
const DEPTH: f32 = 40.0;

impl World for Floor {
    fn cast(&mut self, from: Vec2, to: Vec2, from_inside: bool) -> Option<Hit> {
        let at = |position, normal| Hit {
            position,
            normal,
            surface: FLOOR,
            is_one_way: false,
        };
        if from.y >= DEPTH {
            return from_inside.then(|| at(from, Vec2::ZERO));
        }
        let part = (DEPTH - from.y) / (to.y - from.y);
        (0.0..=1.0)
            .contains(&part)
            .then(|| at(from.lerp(to, part), Vec2::NEG_Y))
    }

    fn surface(&mut self, number: u32) -> Option<Surface> {
        (number == FLOOR.number).then_some(FLOOR)
    }
}

const FLOOR: Surface = Surface {
    number: 1,
    body: 1,
    server: Affine2::IDENTITY,
    drawn: Affine2::IDENTITY,
    linear_velocity: Vec2::new(3.0, 0.0),
    angular_velocity: 0.0,
    pivot: Vec2::ZERO,
};

/// Reads captures from `bytes` and solves those that can be.
///
/// # Panics
/// When the reader or the solver does.
pub fn read_captures(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let Ok(captures) = Capture::read_all(&text) else {
        return;
    };
    for mut capture in captures {
        let takes_long = capture.rig.modifiers.iter().any(|modifier| {
            let Solver::ChainIk(chain) = &modifier.solver else {
                return false;
            };
            chain.approach.max_iterations > MOST_ITERATIONS
        });
        if !takes_long {
            capture.replay();
        }
    }
}
