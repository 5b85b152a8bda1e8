//! States of rigs: what is damaged in any place is refused as a whole, and what is of another rig is refused, or the
//! rig goes on from it.

#[path = "common/extent.rs"]
mod extent;

use std::collections::BTreeSet;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use rayon::prelude::*;
use serde_json::Value;
use tendon_solver::{Bone, Capture, Modifier, Rig, Snapshot, Stance, Status, Unfit, Workspace};

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

/// A checksum: FNV-1a.
fn checksum(text: &[u8]) -> u64 {
    text.iter().fold(0xcbf2_9ce4_8422_2325, |sum: u64, &byte| {
        (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// The names of all members of `value`.
fn note_members(value: &Value, members: &mut BTreeSet<String>) {
    match value {
        Value::Object(object) => object.iter().for_each(|(name, value)| {
            members.insert(name.clone());
            note_members(value, members);
        }),
        Value::Array(values) => values.iter().for_each(|value| note_members(value, members)),
        _ => {}
    }
}

/// The version of states, and a checksum of the names of all their members.
const FORMAT: (u64, u64) = (8, 13_038_753_765_220_913_080);

#[test]
fn states_with_other_members_are_of_another_version() {
    let mut members = BTreeSet::new();
    let mut version = 0;
    for state in rigs().iter().map(state) {
        let state: Value = serde_json::from_slice(&state[..state.len() - 16]).expect("JSON");
        version = state["version"].as_u64().expect("a version");
        note_members(&state, &mut members);
    }
    let names: Vec<_> = members.into_iter().collect();
    assert_eq!(
        (version, checksum(names.join(" ").as_bytes())),
        FORMAT,
        "states of before cannot be read: VERSION of snapshots goes up, and FORMAT with it"
    );
}

#[test]
fn a_state_of_before_is_refused_as_old() {
    let mut rig = rigs().swap_remove(0);
    let sound = state(&rig);
    let text = String::from_utf8(sound.clone()).expect("it is text");
    let text = text[..text.len() - 16].replace("\"version\":8", "\"version\":7");
    let old = format!("{text}{:016x}", checksum(text.as_bytes()));
    let refused = set(&mut rig, old.as_bytes()).expect_err("it is old");
    assert_eq!(
        refused.to_string(),
        "the state was saved by another version of Tendon: its format is 7, and only 8 can be restored. Save it anew \
         with this version"
    );
    assert_eq!(state(&rig), sound, "half of it was taken");
}

/// Damages some of `text`.
fn damage(text: &mut Vec<u8>, rng: &mut Xoshiro256PlusPlus) {
    let at = rng.random_range(0..text.len());
    match rng.random_range(0..5) {
        0 => drop(text.remove(at)),
        1 => text.insert(at, rng.random()),
        2 => text.truncate(at),
        3 => text.rotate_left(at.max(1)),
        _ => text[at] = text[at].wrapping_add(rng.random_range(1..=255)),
    }
}

#[test]
fn what_is_damaged_is_refused_as_a_whole() {
    for (seed, rig) in rigs().iter().enumerate() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed as u64);
        let sound = state(rig);
        for _ in 0..extent(10, 40, 400) {
            let mut damaged = sound.clone();
            damage(&mut damaged, &mut rng);
            let mut rig = rig.clone();
            if damaged != sound {
                let refused = set(&mut rig, &damaged);
                assert!(refused.is_err(), "{}", String::from_utf8_lossy(&damaged));
                assert_eq!(state(&rig), sound, "half of it was taken");
            }
        }
    }
}

#[test]
fn any_byte_that_is_altered_is_noticed() {
    let rigs = rigs();
    let mut sound = state(&rigs[0]);
    for at in 0..sound.len() {
        let byte = sound[at];
        for altered in [byte ^ 1, byte ^ 0x20, byte.wrapping_add(1), 0, b'0', b'9'] {
            if altered != byte {
                sound[at] = altered;
                assert!(Snapshot::read(&sound).is_err(), "byte {at}: {altered}");
            }
        }
        sound[at] = byte;
    }
}

/// A state of another rig fits, if that is alike, and then the rig goes on from it.
#[test]
fn states_of_other_rigs_are_refused_or_gone_on_from() {
    let rigs = rigs();
    let states: Vec<_> = rigs.iter().map(state).collect();
    let pairs = rigs.par_iter().enumerate().flat_map_iter(|(of, rig)| {
        let others = states
            .iter()
            .enumerate()
            .filter(move |(from, _)| of != *from);
        others.map(move |(_, saved)| (rig, of, saved))
    });
    let taken = pairs.filter(|(rig, number, saved)| {
        let mut rig = (*rig).clone();
        if set(&mut rig, saved).is_err() {
            return false;
        }
        watched(*number, || play(&mut rig, &mut Workspace::default()));
        for bone in 0..rig.bones.len() {
            let is_finite = rig.rotation(bone).is_finite() && rig.position(bone).is_finite();
            assert!(
                is_finite,
                "bone {bone} after {}",
                String::from_utf8_lossy(saved)
            );
        }
        true
    });
    assert!(taken.count() > rigs.len() / 4, "some are alike");
}

#[test]
fn feet_do_not_take_the_state_of_a_gait() {
    let stance = |gait: bool| {
        let new = if gait {
            Stance::that_steps
        } else {
            Stance::new
        };
        Rig::new(
            vec![Bone::below(None)],
            vec![Modifier::new(new(0, Vec::new()))],
        )
    };
    let saved = state(&stance(true));
    assert!(set(&mut stance(true), &saved).is_ok());
    assert!(matches!(set(&mut stance(false), &saved), Err(Unfit::Kind)));
}

/// Ends the process if `check` does not end.
fn watched<T: Send>(number: usize, check: impl FnOnce() -> T + Send) -> T {
    let (done, ends) = channel::<()>();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            if ends.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
                eprintln!("it hangs: rig {number}");
                std::process::abort();
            }
        });
        let result = check();
        drop(done);
        result
    })
}
