//! All bits of a capture's pass, and of many passes that go on from it, as two numbers.
//!
//! Two platforms that print the same numbers have computed the same poses. The passes that go on
//! bring out what a single one hides: what a chain remembers from pass to pass makes a difference
//! in the last bit grow.

use tendon_solver::capture::Answer;
use tendon_solver::glam::Vec2;
use tendon_solver::{Capture, Rig, Workspace};

/// The angle by which the base pose sways to either side, in radians.
const SWAY: f32 = 0.25;

/// The number of frames for which a target moves before it leaps.
const FRAMES_BETWEEN_LEAPS: u32 = 500;

/// Seconds between passes, taken in turn: other frame rates, a pause, and a long frame.
const DELTAS: [f32; 5] = [0.015625, 0.0078125, 0.03125, 0.0, 0.25];

/// The number of frames for which each of [`DELTAS`] lasts.
const FRAMES_OF_A_DELTA: u32 = 40;

/// A line for `capture`: the number of its pass, the number of `frames` passes that go on from it,
/// and `title`.
pub fn line(capture: &mut Capture, frames: u32, title: &str) -> String {
    let mut workspace = Workspace::default();
    let rig = &mut capture.rig;
    rig.solve(&mut workspace);
    let mut pass = Digest::default();
    pass.add_result(rig);
    let mut run = Digest::default();
    let mut motion = FrameMotion::of(rig);
    for frame in 1..=frames {
        motion.advance(rig, frame);
        rig.go_on();
        rig.solve(&mut workspace);
        run.add_result(rig);
    }
    format!("{:016x}  {:016x}  {title}", pass.0, run.0)
}

/// The motion that an animation and a game would cause from frame to frame. It adds, multiplies and divides only, which
/// every platform does alike.
struct FrameMotion {
    rotations: Vec<f32>,
    /// The places of the modifiers' targets before the first frame.
    targets: Vec<Vec2>,
    /// About as far as the skeleton reaches.
    reach: f32,
}

impl FrameMotion {
    fn of(rig: &Rig) -> Self {
        let lengths = rig.bones.iter().map(|bone| bone.position.length());
        let reach: f32 = lengths.filter(|length| length.is_finite()).sum();
        Self {
            rotations: rig.bones.iter().map(|bone| bone.rotation).collect(),
            targets: rig
                .modifiers
                .iter()
                .map(|each| each.parts().target().unwrap_or_default().position)
                .collect(),
            reach,
        }
    }

    fn advance(&mut self, rig: &mut Rig, frame: u32) {
        for (index, (bone, start)) in rig.bones.iter_mut().zip(&self.rotations).enumerate() {
            bone.rotation = start + SWAY * wave(frame + 31 * index as u32, 113);
        }
        let leap = (frame / FRAMES_BETWEEN_LEAPS) % 4;
        for (index, modifier) in rig.modifiers.iter_mut().enumerate() {
            let phase = frame + 17 * index as u32;
            let way = Vec2::new(wave(phase, 97), wave(phase + 20 * leap, 61));
            if let Some(target) = modifier.solver.parts_mut().own_target_mut() {
                target.position = self.targets[index] + self.reach * way;
            }
        }
        let turn = (frame / FRAMES_OF_A_DELTA) as usize;
        rig.delta = DELTAS[turn % DELTAS.len()];
    }
}

/// A triangle wave of a number of frames, from 0 to 1, to -1, and back to 0.
fn wave(frame: u32, period: u32) -> f32 {
    let part = (frame % period) as f32 / period as f32;
    if part < 0.25 {
        4.0 * part
    } else if part < 0.75 {
        2.0 - 4.0 * part
    } else {
        4.0 * part - 4.0
    }
}

/// The hash FNV-1a of 64 bits (Fowler, Noll and Vo, 1991).
struct Digest(u64);

impl Default for Digest {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Digest {
    fn add(&mut self, bits: u32) {
        for byte in bits.to_le_bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    /// All NaNs count as one, as in a replay: processors make different ones.
    fn add_number(&mut self, value: f32) {
        self.add(if value.is_nan() { f32::NAN } else { value }.to_bits());
    }

    fn add_point(&mut self, point: Vec2) {
        self.add_number(point.x);
        self.add_number(point.y);
    }

    /// The result of the last pass of `rig`: what [`Capture::replay`] compares.
    fn add_result(&mut self, rig: &Rig) {
        let answer = Answer::of(rig);
        answer.rotations.iter().for_each(|&it| self.add_number(it));
        answer.positions.iter().for_each(|&it| self.add_point(it));
        for report in &answer.modifiers {
            self.add(report.status as u32);
            self.add(report.iterations);
            self.add_point(report.tip);
            self.add_number(report.distance);
            self.add_number(report.penetration);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first_case() -> Capture {
        let table = include_str!("../../solver/golden/cases.jsonl");
        let line = table.lines().next().expect("a case");
        Capture::read_all(line).expect("it can be read").remove(0)
    }

    #[test]
    fn one_bit_of_the_input_changes_both_numbers() {
        let (mut one, mut other) = (first_case(), first_case());
        let rotation = &mut other.rig.bones[0].rotation;
        *rotation = f32::from_bits(rotation.to_bits() ^ 1);
        let lines = [line(&mut one, 50, ""), line(&mut other, 50, "")];
        let numbers = lines
            .each_ref()
            .map(|line| line.split_once("  ").expect("two"));
        assert_ne!(numbers[0].0, numbers[1].0);
        assert_ne!(numbers[0].1, numbers[1].1);
    }

    #[test]
    fn the_same_input_gives_the_same_numbers() {
        assert_eq!(
            line(&mut first_case(), 50, "name"),
            line(&mut first_case(), 50, "name")
        );
    }
}
