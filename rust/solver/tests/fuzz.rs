//! Rigs from random bytes: thousands in every run, a million with `TENDON_LONG=1`.
//!
//! A failure names its seed; `TENDON_SEED` runs that one alone. `rust/solver/fuzz` has the same
//! functions as targets of `cargo fuzz`.

mod bytes;
mod common;

use std::panic::catch_unwind;

use common::Numbers;
use rayon::prelude::*;

const RIGS: u64 = 10_000;
const LONG: u64 = 1_000_000;
const TEXTS: u64 = 4_000;
const TABLE: &str = include_str!("../golden/cases.jsonl");

/// Makes of consecutive seeds sources of numbers that do not follow one another.
const ODD: u64 = 0xd134_2543_de82_ef95;

fn is_long() -> bool {
    std::env::var_os("TENDON_LONG").is_some_and(|long| long == "1")
}

/// The seeds to run: all, or the one that is asked for.
fn seeds(count: u64) -> std::ops::Range<u64> {
    let chosen = std::env::var("TENDON_SEED").ok();
    match chosen.and_then(|seed| seed.parse().ok()) {
        Some(seed) => seed..seed + 1,
        None => 0..count,
    }
}

/// Runs `check`, and names the seed if it panics.
fn with_seed<T>(seed: u64, check: impl FnOnce(Numbers) -> T + std::panic::UnwindSafe) -> T {
    let done = catch_unwind(|| check(Numbers::new(seed.wrapping_mul(ODD))));
    done.unwrap_or_else(|_| panic!("TENDON_SEED={seed}"))
}

fn bytes_of(numbers: &mut Numbers) -> Vec<u8> {
    let count = 40 + numbers.below(800);
    (0..count).map(|_| numbers.below(256) as u8).collect()
}

#[test]
fn rigs_from_random_bytes() {
    let seeds = seeds(if is_long() { LONG } else { RIGS });
    let solve = |seed| {
        with_seed(seed, |mut numbers| {
            bytes::solve_rig(&bytes_of(&mut numbers))
        })
    };
    let count = seeds.end - seeds.start;
    let sound = seeds.into_par_iter().filter(|seed| solve(*seed)).count() as u64;
    assert!(
        10 * sound > 8 * count || count == 1,
        "{sound} sound rigs of {count}"
    );
}

/// Golden cases with bytes overwritten, left out and doubled.
#[test]
fn damaged_captures_are_read_without_harm() {
    let lines: Vec<_> = TABLE.lines().collect();
    let count = if is_long() { 100 * TEXTS } else { TEXTS };
    seeds(count).into_par_iter().for_each(|seed| {
        with_seed(seed, |mut numbers| {
            let line = lines[numbers.below(lines.len() as u64) as usize];
            let mut text = line.as_bytes().to_vec();
            for _ in 0..=numbers.below(3) {
                let at = numbers.below(text.len() as u64) as usize;
                match numbers.below(3) {
                    0 => text[at] = b"0123456789-eE.,[]{}:\"n"[numbers.below(22) as usize],
                    1 => drop(text.remove(at)),
                    _ => text.insert(at, text[at]),
                }
            }
            bytes::read_captures(&text);
        });
    });
}
