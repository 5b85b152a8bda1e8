//! A chain with limits reaches what a fresh chain reaches, whatever the limits are measured
//! against.
//!
//! Show what is measured with `cargo test -p tendon-solver --test limit_spaces -- --nocapture`.

#[path = "common/extent.rs"]
mod extent;
mod motion;

use std::f32::consts::TAU;

use glam::Vec2;
use rand::RngExt;
use rand::rngs::Xoshiro256PlusPlus;
use rayon::prelude::*;
use tendon_solver::{Bone, End, Limit, LimitSpace, Rig, Workspace};

use extent::extent;
use motion::parts::{Edit, fixed, on, reaching};
use motion::{Kind, Path};

/// One frame, in seconds.
const FRAME: f32 = 1.0 / 60.0;

/// Frames in which the target moves.
const ROAMING: u32 = 60;

/// Frames after which a target at rest is reached: half a second, and a little more for a joint
/// that has to make a whole turn within its limits.
const SOON: u32 = 36;

/// Frames after which a limb is at rest, that left its target for a pose nearer to the base pose.
const TO_REST: u32 = 180;

const KINDS: [Kind; 3] = [Kind::Fabrik, Kind::CcdFromTip, Kind::CcdFromRoot];

/// A chain of `bones`, each of which hangs on the one before, with the tip at `tip`.
fn chain(kind: Kind, mut bones: Vec<Bone>, tip: Vec2) -> Rig {
    for (index, bone) in bones.iter_mut().enumerate() {
        bone.parent = index.checked_sub(1);
    }
    let count = bones.len();
    let end = End::Point(on(count - 1, tip));
    let modifier = reaching(kind.solver(), (0..count).collect(), end, fixed(Vec2::ZERO));
    Rig::new(bones, vec![modifier])
}

/// How long the bones are in all.
fn reach(rig: &Rig) -> f32 {
    let bones = rig.bones.iter().skip(1);
    let lengths = bones.map(|bone| bone.position.length());
    lengths.sum::<f32>() + rig.modifiers[0].parts().tip().position.length()
}

/// One pass. Returns how far the tip is from `target` then.
fn step(rig: &mut Rig, workspace: &mut Workspace, target: Vec2) -> f32 {
    rig.modifiers[0].target_mut().position = target;
    rig.delta = FRAME;
    rig.go_on();
    rig.solve(workspace);
    rig.modifiers[0].report.distance
}

/// How far the tip of a chain without memory is from `target`.
fn fresh_distance(rig: &Rig, target: Vec2) -> f32 {
    let mut fresh = rig.clone();
    fresh.forget();
    step(&mut fresh, &mut Workspace::default(), target)
}

#[test]
fn a_converted_leg_does_not_stick() {
    let bone = |x: f32, y: f32, limit: Limit| Bone {
        position: Vec2::new(x, y),
        limit: Some(limit),
        ..Bone::below(None)
    };
    let bones = vec![
        bone(0.0, 0.0, Limit::around(0.0, -1.56289, 1.549276)),
        bone(-83.0, 185.0, Limit::around(0.0, 0.0, 4.332239)),
        bone(
            165.48,
            -34.0,
            Limit {
                space: LimitSpace::Skeleton,
                ..Limit::around(0.0, 0.0, 4.726124)
            },
        ),
    ];
    let (first, last) = (Vec2::new(44.8, -423.6), Vec2::new(148.9, 36.4));
    for kind in KINDS {
        let mut rig = chain(kind, bones.clone(), Vec2::new(110.52, 199.0));
        let mut workspace = Workspace::default();
        for frame in 0..=30 {
            step(
                &mut rig,
                &mut workspace,
                first.lerp(last, frame as f32 / 30.0),
            );
        }
        let distances = (0..60).map(|_| step(&mut rig, &mut workspace, last));
        let distance = distances.last().unwrap_or(f32::MAX);
        assert!(distance < 0.01, "{kind:?}: {distance} from the target");
    }
}

/// A joint limit of any kind, or none.
fn random_limit(rng: &mut Xoshiro256PlusPlus) -> Option<Limit> {
    let space = match rng.random_range(0..3) {
        0 => return None,
        1 => LimitSpace::Parent,
        _ => LimitSpace::Skeleton,
    };
    let min = -rng.random_range(0.0..0.5 * TAU);
    let max = rng.random_range(0.0..0.5 * TAU);
    Some(Limit {
        space,
        ..Limit::around(rng.random_range(-0.5..0.5) * TAU, min, max)
    })
}

fn random_chain(rng: &mut Xoshiro256PlusPlus) -> Rig {
    let kind = KINDS[rng.random_range(0..KINDS.len())];
    let count = rng.random_range(2..=6);
    let place = |rng: &mut Xoshiro256PlusPlus| {
        let way = Vec2::from_angle(rng.random_range(0.0..TAU));
        rng.random_range(0.3..1.0) * 100.0 * way
    };
    let bones = (0..count).map(|index| Bone {
        position: if index == 0 { Vec2::ZERO } else { place(rng) },
        rotation: rng.random_range(-0.5..0.5) * TAU,
        limit: random_limit(rng),
        ..Bone::below(None)
    });
    let bones = bones.collect();
    let tip = place(rng);
    chain(kind, bones, tip)
}

/// What is seen of a chain that is moved around and then held.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Held {
    /// Frames after which the target is reached.
    late: u32,
    /// Whether it is reached in the end.
    is_reached: bool,
    seed: u32,
}

/// Moves a random chain around and holds its target. `None` if a fresh chain does not reach that.
fn hold(seed: u32) -> Option<Held> {
    let mut rig = random_chain(&mut motion::rng(seed));
    let reach = reach(&rig);
    let path = |frame: u32| Path::Random(seed).at(frame as f32 * FRAME, reach);
    let near = 1e-3 * reach;
    let held = path(ROAMING);
    if fresh_distance(&rig, held) > near {
        return None;
    }
    let mut workspace = Workspace::default();
    for frame in 0..ROAMING {
        step(&mut rig, &mut workspace, path(frame));
    }
    let frames = (0..TO_REST).map(|_| step(&mut rig, &mut workspace, held) <= near);
    let frames: Vec<_> = frames.collect();
    let late = frames.iter().take_while(|is_reached| !*is_reached).count();
    Some(Held {
        late: late as u32,
        is_reached: frames[frames.len() - 1],
        seed,
    })
}

#[test]
fn what_a_fresh_chain_reaches_is_reached() {
    let count = extent(100, 1_000, 10_000);
    let held: Vec<_> = (0..count).into_par_iter().filter_map(hold).collect();
    let stuck: Vec<_> = held.iter().filter(|held| !held.is_reached).collect();
    let mut late: Vec<_> = held.iter().filter(|held| held.late > SOON).collect();
    late.sort();
    println!("of {}, late: {late:?}, stuck: {stuck:?}", held.len());
    assert!(stuck.is_empty(), "of {}: {stuck:?}", held.len());
    assert!(late.is_empty(), "of {}: {late:?}", held.len());
}
