//! Random numbers that are the same in every run.
//!
//! Source: SplitMix64, from G. L. Steele, D. Lea and C. H. Flood, *Fast Splittable
//! Pseudorandom Number Generators* (2014).

use std::f64::consts::PI;

/// A stream of random numbers.
pub struct Random(u64);

impl Random {
    /// The stream with this number.
    pub fn new(stream: u64) -> Self {
        Self(stream.wrapping_mul(0x2545_f491_4f6c_dd1d))
    }

    /// Any number in `least..greatest`.
    pub fn between(&mut self, least: f64, greatest: f64) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^= bits >> 31;
        let part = (bits >> 11) as f64 / (1_u64 << 53) as f64;
        least + part * (greatest - least)
    }

    /// Any number that is at most `size`, either way.
    pub fn around(&mut self, size: f64) -> f64 {
        self.between(-size, size)
    }

    /// Any direction, in radians.
    pub fn direction(&mut self) -> f64 {
        self.around(PI)
    }
}
