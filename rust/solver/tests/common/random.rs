//! A source of numbers for tests that draw many.
#![allow(dead_code, reason = "each test file takes what it needs")]

/// Numbers that look random and are the same in every run.
pub struct Numbers(u64);

impl Numbers {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    pub fn between(&mut self, least: f32, greatest: f32) -> f32 {
        let part = (self.next() >> 40) as f32 / (1_u64 << 24) as f32;
        least + part * (greatest - least)
    }

    pub fn below(&mut self, count: u64) -> u64 {
        self.next() % count
    }
}
