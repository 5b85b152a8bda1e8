//! Any text: what is no capture is refused, and what is one can be solved.
#![no_main]
#![allow(dead_code, reason = "each target takes what it needs")]

#[path = "../../tests/bytes/mod.rs"]
mod bytes;

libfuzzer_sys::fuzz_target!(|input: &[u8]| bytes::read_captures(input));
