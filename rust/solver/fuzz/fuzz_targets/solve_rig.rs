//! Any rig: no panic, no numbers that are not finite, limits and lengths kept, and always the
//! same bits.
#![no_main]
#![allow(dead_code, reason = "each target takes what it needs")]

#[path = "../../tests/bytes/mod.rs"]
mod bytes;

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    bytes::solve_rig(input);
});
