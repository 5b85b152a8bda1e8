//! Rigs from random bytes: thousands in every run, a million with `TENDON_LONG=1`.
//!
//! A failure prints its seed. `TENDON_SEED` runs only that one. `rust/solver/fuzz` has the same
//! functions as targets of `cargo fuzz`.

mod bytes;
#[path = "common/extent.rs"]
mod extent;

use std::panic::catch_unwind;

use rand::rngs::Xoshiro256PlusPlus;
use rand::{Rng, RngExt, SeedableRng};
use rayon::prelude::*;

use extent::extent;

const TABLE: &str = include_str!("../golden/cases.jsonl");
/// What a damaged byte may become: the characters that JSON gives a meaning.
const SYNTAX: &[u8] = b"0123456789-eE.,[]{}:\"n";

/// The seeds to run: all, or the one in `TENDON_SEED`.
fn seeds(count: u64) -> std::ops::Range<u64> {
    let chosen = std::env::var("TENDON_SEED").ok();
    match chosen.and_then(|seed| seed.parse().ok()) {
        Some(seed) => seed..seed + 1,
        // Miri takes a thousand times as long.
        None if cfg!(miri) => 0..count.min(40),
        None => 0..count,
    }
}

/// Runs `check` on the random numbers of `seed`, and names the seed if it panics.
fn with_seed<T>(
    seed: u64,
    check: impl FnOnce(Xoshiro256PlusPlus) -> T + std::panic::UnwindSafe,
) -> T {
    let done = catch_unwind(|| check(Xoshiro256PlusPlus::seed_from_u64(seed)));
    done.unwrap_or_else(|_| panic!("TENDON_SEED={seed}"))
}

fn random_bytes(rng: &mut impl Rng) -> Vec<u8> {
    let mut bytes = vec![0; rng.random_range(40..840)];
    rng.fill_bytes(&mut bytes);
    bytes
}

#[test]
fn rigs_from_random_bytes() {
    let seeds = seeds(extent(500, 10_000, 1_000_000));
    let solve = |seed| with_seed(seed, |mut rng| bytes::solve_rig(&random_bytes(&mut rng)));
    let count = seeds.end - seeds.start;
    let sound = seeds.into_par_iter().filter(|seed| solve(*seed)).count() as u64;
    assert!(
        10 * sound > 8 * count || count == 1,
        "{sound} sound rigs of {count}"
    );
}

/// Golden cases with bytes overwritten, left out and doubled.
#[test]
fn damaged_captures_never_panic() {
    let lines: Vec<_> = TABLE.lines().collect();
    let seeds = seeds(extent(200, 4_000, 400_000));
    seeds.into_par_iter().for_each(|seed| {
        with_seed(seed, |mut rng| {
            let line = lines[rng.random_range(0..lines.len())];
            let mut text = line.as_bytes().to_vec();
            for _ in 0..rng.random_range(1..=3) {
                let at = rng.random_range(0..text.len());
                match rng.random_range(0..3) {
                    0 => text[at] = SYNTAX[rng.random_range(0..SYNTAX.len())],
                    1 => drop(text.remove(at)),
                    _ => text.insert(at, text[at]),
                }
            }
            bytes::read_captures(&text);
        });
    });
}
