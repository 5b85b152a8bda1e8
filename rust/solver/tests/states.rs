//! States of rigs, damaged in every place: each is refused as a whole, or the rig goes on from it.
//!
//! A failure prints its seed. `TENDON_SEED` runs only that one.

#[path = "common/extent.rs"]
mod extent;

use std::panic::catch_unwind;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use rayon::prelude::*;
use serde_json::{Value, json};
use tendon_solver::{Capture, Rig, Snapshot, Status, Unfit, Workspace};

use extent::extent;

const TABLE: &str = include_str!("../golden/cases.jsonl");
/// No pass may take that long, on any machine.
const PATIENCE: Duration = Duration::from_secs(60);
/// Passes until a state is made, and after one was taken.
const FRAMES: usize = 4;

/// The golden rigs that can be solved, after some passes.
fn rigs() -> Vec<Rig> {
    let captures = Capture::read_all(TABLE).expect("the golden table can be read");
    let mut space = Workspace::default();
    let rigs = captures.into_iter().map(|capture| {
        let mut rig = capture.rig;
        rig.solve(&mut space);
        play(&mut rig, &mut space);
        rig
    });
    rigs.filter(is_solved).collect()
}

fn is_solved(rig: &Rig) -> bool {
    let mut modifiers = rig.modifiers.iter();
    modifiers.all(|modifier| modifier.report.status != Status::Invalid)
}

fn play(rig: &mut Rig, space: &mut Workspace) {
    for _ in 0..FRAMES {
        rig.delta = 1.0 / 60.0;
        rig.go_on();
        rig.solve(space);
    }
}

fn state(rig: &Rig) -> Vec<u8> {
    Snapshot::of(rig, vec![1, 2, 3]).to_bytes()
}

/// The state as the manual says: all of it or nothing.
fn set(rig: &mut Rig, state: &[u8]) -> Result<(), Unfit> {
    let snapshot = Snapshot::read(state)?;
    snapshot.check(rig)?;
    snapshot.restore(rig);
    Ok(())
}

#[test]
fn what_was_saved_is_taken_and_is_the_same() {
    for mut rig in rigs() {
        let saved = state(&rig);
        let report = rig.modifiers[0].report;
        play(&mut rig, &mut Workspace::default());
        rig.modifiers[0].report.status = Status::Idle;
        set(&mut rig, &saved).expect("its own state fits");
        assert_eq!(rig.modifiers[0].report, report, "what it came to");
        assert_eq!(state(&rig), saved);
    }
}

/// The numbers that a damaged word becomes.
fn wild(rng: &mut Xoshiro256PlusPlus) -> Value {
    let wild = [
        json!("NaN"),
        json!("inf"),
        json!("-inf"),
        json!(1e39),
        json!(3.4e38),
        json!(-3.4e38),
        json!(1e-40),
        json!(0),
        json!(-1),
        json!(7),
        json!(u32::MAX),
        json!(u64::MAX),
        json!(null),
        json!(true),
        json!([]),
        json!({}),
        json!("planted"),
    ];
    wild[rng.random_range(0..wild.len())].clone()
}

/// Damages one place below `value`.
fn damage(value: &mut Value, rng: &mut Xoshiro256PlusPlus) {
    let goes_down = rng.random_range(0..8) > 0;
    match value {
        Value::Array(items) if goes_down && !items.is_empty() => {
            let at = rng.random_range(0..items.len());
            match rng.random_range(0..6) {
                0 => drop(items.remove(at)),
                1 => items.insert(at, items[at].clone()),
                _ => damage(&mut items[at], rng),
            }
        }
        Value::Object(members) if goes_down && !members.is_empty() => {
            let at = rng.random_range(0..members.len());
            let name = members.keys().nth(at).expect("it is one of them").clone();
            match rng.random_range(0..12) {
                0 => drop(members.remove(&name)),
                _ => damage(&mut members[&name], rng),
            }
        }
        // Mostly a number that a state could have.
        Value::Number(number) if rng.random_range(0..4) > 0 => {
            let counts = [json!(0), json!(1), json!(7), json!(u32::MAX)];
            let sizes = [0.0, -0.0, 1.0, -1.0, 1e-40, 1e9, -1e20, 3.4e38, -3.4e38];
            let given = number.as_f64().unwrap_or_default();
            let at = rng.random_range(0..sizes.len());
            *value = match number.is_u64() && rng.random() {
                true => counts[at % counts.len()].clone(),
                false => json!(if rng.random() { sizes[at] } else { given * 1.5 }),
            };
        }
        _ => *value = wild(rng),
    }
}

/// Tries a damaged state in `rig`. Returns whether it was taken.
fn try_damaged(rig: &Rig, rng: &mut Xoshiro256PlusPlus) -> bool {
    let before = state(rig);
    let mut damaged: Value = serde_json::from_slice(&before).expect("a state is JSON");
    for _ in 0..rng.random_range(1..=2) {
        // The list of modifiers has most of it.
        match damaged.get_mut("modifiers") {
            Some(modifiers) if rng.random_range(0..10) > 0 => damage(modifiers, rng),
            _ => damage(&mut damaged, rng),
        }
    }
    let mut text = serde_json::to_vec(&damaged).expect("it can be written");
    if rng.random_range(0..10) == 0 {
        let at = rng.random_range(0..text.len());
        text[at] = rng.random();
    }
    let mut rig = rig.clone();
    if set(&mut rig, &text).is_err() {
        assert_eq!(state(&rig), before, "half of it was taken");
        return false;
    }
    let mut space = Workspace::default();
    play(&mut rig, &mut space);
    for bone in 0..rig.bones.len() {
        let is_finite = rig.rotation(bone).is_finite() && rig.position(bone).is_finite();
        assert!(
            is_finite,
            "bone {bone} after {}",
            String::from_utf8_lossy(&text)
        );
    }
    let recovers = (0..40).any(|_| {
        play(&mut rig, &mut space);
        is_solved(&rig)
    });
    assert!(
        recovers,
        "never again after {}",
        String::from_utf8_lossy(&text)
    );
    true
}

/// Ends the process if `check` does not end.
fn watched<T: Send>(seed: u64, check: impl FnOnce() -> T + Send) -> T {
    let (done, ends) = channel::<()>();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            if ends.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
                eprintln!("it hangs: TENDON_SEED={seed}");
                std::process::abort();
            }
        });
        let result = check();
        drop(done);
        result
    })
}

#[test]
fn damaged_states_are_refused_or_gone_on_from() {
    let rigs = rigs();
    let chosen = std::env::var("TENDON_SEED").ok();
    let chosen = chosen.and_then(|seed| seed.parse::<u64>().ok());
    let seeds = chosen.map_or(0..extent(200, 2_000, 40_000), |seed| seed..seed + 1);
    let count = seeds.end - seeds.start;
    let taken = seeds.into_par_iter().filter(|&seed| {
        let tried = catch_unwind(|| {
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
            let rig = &rigs[rng.random_range(0..rigs.len())];
            watched(seed, || try_damaged(rig, &mut rng))
        });
        tried.unwrap_or_else(|_| panic!("TENDON_SEED={seed}"))
    });
    let taken = taken.count() as u64;
    assert!(count == 1 || 20 * taken > count, "{taken} taken of {count}");
    assert!(
        count == 1 || 4 * taken < 3 * count,
        "{taken} taken of {count}"
    );
}
