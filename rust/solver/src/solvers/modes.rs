//! The modes of a chain of springs: in which shapes it oscillates, and how fast.
//!
//! Each joint of the chain holds its bone along the bone before it with a spring, and each bone
//! has the same inertia. Of the angles ψ by which the bones are off their goals, the chain stores
//!
//! ```text
//! ½ Σ kᵢ (ψᵢ − ψᵢ₋₁)²,    ψ₀ = 0
//! ```
//!
//! so that its motion is `ψ″ = −K ψ` with a symmetric matrix `K` of three diagonals. Its
//! eigenvectors are shapes: in each, the whole chain oscillates with one frequency. Any motion is a
//! sum of those. So each frame is exact, at the cost of one oscillator for each bone.
//!
//! A joint of stiffness *s* bends by `1 − s` of what it would under the same load: its spring is
//! harder by the factor `1 / (1 − s)`.
//!
//! Frequencies count from the slowest one of a uniform chain, which is 1: chains of the same
//! frequency oscillate alike, however many bones they have.
//!
//! The eigenvectors depend on the number of bones and the curves along the chain only. They are
//! kept in a [`Library`], for all chains of the same kind.
//!
//! **A chain of more than [`MOST_SHAPES`] bones** has the slowest of its shapes only. What remains of its motion,
//! which no frame would show, oscillates as fast as the fastest of those. So it takes O(bones) for a frame and for
//! each new kind, and memory, at any length. The shapes are those of a uniform chain that gives way as its springs do
//! together.
//!
//! Source: C. G. J. Jacobi's method (1846) for the eigenvalues of a symmetric matrix.

use std::f64::consts::PI;

use serde::{Deserialize, Serialize};

use crate::math::oscillator::Oscillator;

/// The differences of the springs of one chain from joint to joint.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Tuning {
    /// The factors of the frequency, one for each joint; none if all are 1.
    #[serde(skip_serializing_if = "Vec::is_empty", with = "crate::math::number")]
    pub frequency: Vec<f32>,
    /// The factors of the damping ratio, one for each joint; none if all are 1.
    #[serde(skip_serializing_if = "Vec::is_empty", with = "crate::math::number")]
    pub damping: Vec<f32>,
}

/// A joint has at least this part of the frequency: one without a spring would never return.
const LEAST_FACTOR: f64 = 0.01;

/// Kinds of chains that are kept at a time.
const MOST_KINDS: usize = 64;

/// Shapes of a chain at most: the last one is 127 times as fast as the first, if the chain is uniform.
const MOST_SHAPES: usize = 64;

/// Entries off the diagonal count as zero below this part of the diagonal.
const NEGLIGIBLE: f64 = 1e-15;

/// Sweeps over the matrix at most. Eight are plenty.
const MOST_SWEEPS: u32 = 30;

/// The shapes in which one kind of chain oscillates.
#[derive(Clone, Debug, Default)]
pub(crate) struct Modes {
    joints: usize,
    tuning: Tuning,
    /// The stiffness of each joint.
    pub(super) stiffness: Vec<f64>,
    /// The square of the frequency of each shape.
    squares: Vec<f64>,
    /// The factor of the damping ratio of each shape.
    damping: Vec<f64>,
    /// The least of those squares.
    pub(super) least_square: f64,
    /// The angles of each bone in the first shape, in the second, and so on. Each has length 1.
    pub(super) shapes: Panels,
    /// The same, bone by bone.
    pub(super) parts: Panels,
    /// The fastest shape, if there are fewer than bones: the rest of the motion goes by it.
    fastest: Option<usize>,
    /// The oscillator of each shape, for a frame of the last setting.
    pub(super) oscillators: Vec<Oscillator>,
    setting: Setting,
}

/// The parameters that the oscillators of all shapes have in common.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Setting {
    /// The angular frequency of the chain.
    pub(super) omega: f64,
    pub(super) damping_ratio: f64,
    /// The square of an angular frequency that is added to those of all shapes.
    pub(super) hold: f64,
    /// Seconds.
    pub(super) delta: f64,
}

/// The modes of the chains that were met.
#[derive(Clone, Debug, Default)]
pub(crate) struct Library {
    kinds: Vec<Modes>,
    /// The index of the kind that was replaced last, once there are too many.
    oldest: usize,
}

impl Library {
    /// The modes of a chain of `count` joints.
    pub(crate) fn modes(&mut self, joints: usize, tuning: &Tuning) -> &mut Modes {
        let mut kinds = self.kinds.iter();
        let known = kinds.position(|kind| kind.joints == joints && kind.tuning == *tuning);
        let index = known.unwrap_or_else(|| {
            let modes = Modes::new(joints, tuning);
            if self.kinds.len() < MOST_KINDS {
                self.kinds.push(modes);
                return self.kinds.len() - 1;
            }
            self.oldest = (self.oldest + 1) % MOST_KINDS;
            self.kinds[self.oldest] = modes;
            self.oldest
        });
        &mut self.kinds[index]
    }
}

impl Modes {
    fn new(joints: usize, tuning: &Tuning) -> Self {
        let factor = |factors: &[f32], joint: usize| {
            let factor = factors.get(joint).map_or(1.0, |&factor| f64::from(factor));
            if factor.is_finite() { factor } else { 1.0 }
        };
        let unit = libm::sin(PI / (4.0 * joints as f64 + 2.0));
        let unit = 4.0 * unit * unit;
        let stiffness = (0..joints).map(|joint| {
            let frequency = factor(&tuning.frequency, joint).max(LEAST_FACTOR);
            frequency * frequency / unit
        });
        let stiffness: Vec<f64> = stiffness.collect();
        let (shapes, squares) = match joints > MOST_SHAPES {
            true => slowest_shapes(&stiffness),
            false => Matrix::of(&stiffness).diagonalize(),
        };
        let count = squares.len();
        let fastest = (0..count).max_by(|&a, &b| squares[a].total_cmp(&squares[b]));
        // A shape is damped by its joints as far as they bend in it.
        let damping = shapes.chunks_exact(joints).map(|shape| {
            let (mut all, mut damped, mut before) = (0.0, 0.0, 0.0);
            for (joint, &angle) in shape.iter().enumerate() {
                let bend = stiffness[joint] * (angle - before) * (angle - before);
                all += bend;
                damped += bend * factor(&tuning.damping, joint).max(0.0);
                before = angle;
            }
            damped / all
        });
        Self {
            joints,
            tuning: tuning.clone(),
            damping: damping.collect(),
            least_square: squares.iter().copied().fold(f64::INFINITY, f64::min),
            squares,
            parts: Panels::of(joints, count, |bone, shape| shapes[shape * joints + bone]),
            shapes: Panels::of(count, joints, |shape, bone| shapes[shape * joints + bone]),
            fastest: fastest.filter(|_| count < joints),
            stiffness,
            oscillators: Vec::new(),
            setting: Setting::default(),
        }
    }

    /// Computes what each shape does in a frame. Most frames are as long as the one before, and chains of
    /// one kind are often set alike: then nothing is computed.
    pub(super) fn set(&mut self, setting: Setting) {
        if self.setting != setting {
            self.setting = setting;
            self.oscillators.clear();
            let shapes = self.squares.iter().zip(&self.damping);
            self.oscillators.extend(shapes.map(|(square, damping)| {
                let square = setting.omega * setting.omega * square + setting.hold;
                let damping = setting.damping_ratio * damping;
                Oscillator::new(square.sqrt(), damping, setting.delta)
            }));
        }
    }

    /// Returns the oscillator of the motion that is in no shape, for such a frame.
    pub(super) fn rest(&self) -> Option<&Oscillator> {
        self.fastest.map(|shape| &self.oscillators[shape])
    }
}

/// The slowest shapes of a long uniform chain that gives way as these springs do together, one after another, and the
/// squares of their frequencies.
fn slowest_shapes(stiffness: &[f64]) -> (Vec<f64>, Vec<f64>) {
    let joints = stiffness.len();
    let unit = PI / (2.0 * joints as f64 + 1.0);
    let length = (0.5 * joints as f64 + 0.25).sqrt();
    let uniform = joints as f64 / stiffness.iter().map(|it| 1.0 / it).sum::<f64>();
    let waves = (0..MOST_SHAPES).map(|shape| (2 * shape + 1) as f64 * unit);
    let shapes = waves
        .clone()
        .flat_map(|wave| (1..=joints).map(move |bone| libm::sin(wave * bone as f64) / length));
    let sines = waves.map(|wave| 2.0 * libm::sin(0.5 * wave));
    let squares = sines.map(|sine| uniform * sine * sine);
    (shapes.collect(), squares.collect())
}

/// Columns of a panel: as many sums as processors keep in their registers.
const COLUMNS: usize = 4;

/// A matrix in panels of a few columns each, filled up with zeros.
#[derive(Clone, Debug, Default)]
pub(super) struct Panels {
    rows: usize,
    columns: usize,
    entries: Vec<[f64; COLUMNS]>,
}

impl Panels {
    fn of(rows: usize, columns: usize, entry: impl Fn(usize, usize) -> f64) -> Self {
        let panels = 0..columns.div_ceil(COLUMNS);
        let lines = panels.flat_map(|panel| (0..rows).map(move |row| (panel, row)));
        let entries = lines.map(|(panel, row)| {
            std::array::from_fn(|column| match panel * COLUMNS + column {
                column if column < columns => entry(row, column),
                _ => 0.0,
            })
        });
        Self {
            rows,
            columns,
            entries: entries.collect(),
        }
    }

    /// Adds the rows to both `sums`, each row times its factor in `factors`.
    pub(super) fn combine(&self, factors: [&[f64]; 2], sums: [&mut Vec<f64>; 2]) {
        let [places, rates] = sums;
        let filled_up = self.columns.next_multiple_of(COLUMNS);
        places.resize(filled_up, 0.0);
        rates.resize(filled_up, 0.0);
        let panels = self.entries.chunks_exact(self.rows.max(1));
        let sums = places.chunks_exact_mut(COLUMNS);
        let sums = sums.zip(rates.chunks_exact_mut(COLUMNS));
        for (panel, (places, rates)) in panels.zip(sums) {
            let (mut place, mut rate) = ([0.0; COLUMNS], [0.0; COLUMNS]);
            for ((row, &first), &second) in panel.iter().zip(factors[0]).zip(factors[1]) {
                for column in 0..COLUMNS {
                    place[column] += first * row[column];
                    rate[column] += second * row[column];
                }
            }
            for column in 0..COLUMNS {
                places[column] += place[column];
                rates[column] += rate[column];
            }
        }
        places.truncate(self.columns);
        rates.truncate(self.columns);
    }
}

/// A square symmetric matrix.
struct Matrix {
    size: usize,
    entries: Vec<f64>,
}

impl Matrix {
    /// `K` of joints with these stiffnesses.
    fn of(stiffness: &[f64]) -> Self {
        let size = stiffness.len();
        let mut entries = vec![0.0; size * size];
        for row in 0..size {
            let next = stiffness.get(row + 1).copied();
            entries[row * size + row] = stiffness[row] + next.unwrap_or(0.0);
            if let Some(next) = next {
                entries[row * size + row + 1] = -next;
                entries[(row + 1) * size + row] = -next;
            }
        }
        Self { size, entries }
    }

    fn at(&self, row: usize, column: usize) -> f64 {
        self.entries[row * self.size + column]
    }

    /// Turns the matrix until it is diagonal. Returns its eigenvectors, one after another, and its eigenvalues.
    fn diagonalize(&mut self) -> (Vec<f64>, Vec<f64>) {
        let size = self.size;
        let mut vectors = vec![0.0; size * size];
        for index in 0..size {
            vectors[index * size + index] = 1.0;
        }
        for _ in 0..MOST_SWEEPS {
            let mut is_diagonal = true;
            for first in 0..size {
                for second in first + 1..size {
                    is_diagonal &= !self.rotate(first, second, &mut vectors);
                }
            }
            if is_diagonal {
                break;
            }
        }
        let values = (0..size).map(|index| self.at(index, index));
        (vectors, values.collect())
    }

    /// Turns two axes so that the entry that ties them becomes 0. Returns whether it was not.
    fn rotate(&mut self, p: usize, q: usize, vectors: &mut [f64]) -> bool {
        let size = self.size;
        let (pp, qq, pq) = (self.at(p, p), self.at(q, q), self.at(p, q));
        if pq.abs() <= NEGLIGIBLE * (pp + qq) {
            return false;
        }
        let slope = (qq - pp) / (2.0 * pq);
        let tangent = 1.0_f64.copysign(slope) / (slope.abs() + (slope * slope + 1.0).sqrt());
        let cosine = 1.0 / (tangent * tangent + 1.0).sqrt();
        let sine = tangent * cosine;
        let turn = |a: f64, b: f64| (cosine * a - sine * b, sine * a + cosine * b);
        for other in 0..size {
            let (a, b) = turn(self.at(other, p), self.at(other, q));
            (
                self.entries[other * size + p],
                self.entries[other * size + q],
            ) = (a, b);
        }
        for other in 0..size {
            let (a, b) = turn(self.at(p, other), self.at(q, other));
            (
                self.entries[p * size + other],
                self.entries[q * size + other],
            ) = (a, b);
            let (a, b) = turn(vectors[p * size + other], vectors[q * size + other]);
            (vectors[p * size + other], vectors[q * size + other]) = (a, b);
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_uniform_chain_swings_in_sines() {
        for joints in [1_usize, 2, 5, 30] {
            let modes = Modes::new(joints, &Tuning::default());
            let base = PI / (4.0 * joints as f64 + 2.0);
            let mut squares = modes.squares.clone();
            squares.sort_by(f64::total_cmp);
            for (mode, square) in squares.iter().enumerate() {
                let exact = ((2 * mode + 1) as f64 * base).sin() / base.sin();
                assert!((square.sqrt() - exact).abs() < 1e-9, "{joints}, {mode}");
            }
            // What is taken apart into shapes is put together again.
            let given: Vec<f64> = (0..joints).map(|bone| 1.0 + bone as f64).collect();
            let (mut parts, mut same) = (Vec::new(), Vec::new());
            let sums = [&mut parts, &mut same];
            modes.parts.combine([&given, &given], sums);
            assert_eq!(parts, same);
            let (mut again, mut mirrored) = (Vec::new(), Vec::new());
            same.iter_mut().for_each(|part| *part = -*part);
            let sums = [&mut again, &mut mirrored];
            modes.shapes.combine([&parts, &same], sums);
            for ((given, again), mirrored) in given.iter().zip(&again).zip(&mirrored) {
                assert!((given - again).abs() < 1e-9, "{joints}: {given}, {again}");
                assert_eq!(*again, -mirrored);
            }
        }
    }

    /// Of a long chain the slow shapes alone are known, and they are those of the whole matrix.
    #[test]
    fn a_long_chain_has_the_slowest_shapes() {
        let joints = 150;
        let modes = Modes::new(joints, &Tuning::default());
        let (_, mut exact) = Matrix::of(&modes.stiffness).diagonalize();
        let mut squares = modes.squares.clone();
        exact.sort_by(f64::total_cmp);
        squares.sort_by(f64::total_cmp);
        assert_eq!(squares.len(), MOST_SHAPES);
        for (shape, (square, exact)) in squares.iter().zip(&exact).take(32).enumerate() {
            assert!(
                (square / exact - 1.0).abs() < 1e-9,
                "{shape}: {square}, {exact}"
            );
        }
        let (mut parts, mut again) = ([Vec::new(), Vec::new()], [Vec::new(), Vec::new()]);
        let slow: Vec<f64> = (0..joints)
            .map(|bone| modes.shapes.entries[bone / COLUMNS * MOST_SHAPES][bone % COLUMNS])
            .collect();
        modes.parts.combine([&slow, &slow], parts.each_mut());
        modes
            .shapes
            .combine([&parts[0], &parts[1]], again.each_mut());
        for (angle, again) in slow.iter().zip(&again[0]) {
            assert!((angle - again).abs() < 1e-9, "{angle}, {again}");
        }
    }

    #[test]
    fn a_curve_changes_the_frequency_of_its_joints() {
        let tuning = Tuning {
            frequency: vec![0.5; 4],
            damping: vec![2.0; 4],
        };
        let modes = Modes::new(4, &tuning);
        let slowest = modes.squares.iter().copied().fold(f64::INFINITY, f64::min);
        assert!((slowest - 0.25).abs() < 1e-9);
        assert!(
            modes
                .damping
                .iter()
                .all(|factor| (factor - 2.0).abs() < 1e-9)
        );
    }
}
