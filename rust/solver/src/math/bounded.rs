//! The least of a convex quadratic function within bounds.
//!
//! The primal-dual active set method holds at once all unknowns that pass their bounds, and lets go at once
//! all that would move away from theirs. It ends after two or three rounds, most often. It may cycle. Then the
//! unknowns are held and let go one by one from zero on, by the primal method, which always ends.

use crate::math::cholesky;

/// Rounds of the primal-dual method at most.
const ROUNDS: u32 = 8;

/// An unknown that is nearer to a bound than this is at it.
pub(crate) const EDGE: f64 = 1e-12;

/// A held unknown is let go if the function falls by more than this.
const LETS_GO: f64 = 1e-9;

/// The state of an unknown: free, or held at a bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BoundState {
    Free,
    Lower,
    Upper,
    /// Its bounds are one.
    Locked,
}

/// `½ dᵀHd + gᵀd` is to be as small as possible for `lower ≤ d ≤ upper`, which contain 0.
#[derive(Clone, Debug, Default)]
pub(crate) struct Problem {
    /// `H`, row by row; the lower triangle counts. Positive definite.
    pub(crate) hessian: Vec<f64>,
    pub(crate) gradient: Vec<f64>,
    pub(crate) lower: Vec<f64>,
    pub(crate) upper: Vec<f64>,
    /// The unknowns that are held: those that the search begins with, and those that it has ended with.
    pub(crate) holds: Vec<BoundState>,
    /// The result.
    pub(crate) step: Vec<f64>,
    /// The point at which the primal method is.
    from: Vec<f64>,
    free: Vec<usize>,
    moved: Vec<usize>,
    matrix: Vec<f64>,
    vector: Vec<f64>,
}

impl Problem {
    /// Takes all out but what is held, and makes room for `count` unknowns.
    pub(crate) fn clear(&mut self, count: usize) {
        for (numbers, size) in [
            (&mut self.hessian, count * count),
            (&mut self.gradient, count),
            (&mut self.lower, count),
            (&mut self.upper, count),
            (&mut self.step, count),
        ] {
            numbers.clear();
            numbers.resize(size, 0.0);
        }
    }

    /// Makes room for `count` unknowns, so that no solve of them allocates.
    pub(crate) fn reserve(&mut self, count: usize) {
        self.clear(count);
        for (numbers, size) in [
            (&mut self.matrix, count * count),
            (&mut self.vector, count),
            (&mut self.from, count),
        ] {
            numbers.clear();
            numbers.reserve(size);
        }
        self.holds.clear();
        self.holds.reserve(count);
        self.free.clear();
        self.free.reserve(count);
        self.moved.clear();
        self.moved.reserve(count);
    }

    fn len(&self) -> usize {
        self.gradient.len()
    }

    /// Adds `added` to the Hessian if the sum is positive definite, with all pivots greater than `least`. Returns
    /// whether it is.
    pub(crate) fn add_if_definite(&mut self, added: &[f64], least: f64) -> bool {
        let count = self.len();
        self.matrix.clone_from(&self.hessian);
        for (entry, more) in self.matrix.iter_mut().zip(added) {
            *entry += more;
        }
        self.vector.clone_from(&self.gradient);
        let is_definite = cholesky::solve(&mut self.matrix, &mut self.vector)
            && (0..count).all(|index| self.matrix[index * (count + 1)] > least);
        if is_definite {
            self.add(added);
        }
        is_definite
    }

    fn add(&mut self, added: &[f64]) {
        for (entry, more) in self.hessian.iter_mut().zip(added) {
            *entry += more;
        }
    }

    /// Makes another unknown of `own`: what it has more than `rate` times `above`. So bounds are those of a joint
    /// that turns back as one above it turns. Of several ties, those of what is farthest from the root come first.
    pub(crate) fn tie(&mut self, own: usize, above: usize, rate: f64) {
        let count = self.len();
        self.gradient[above] += rate * self.gradient[own];
        let entry = |one: usize, other: usize| one.max(other) * count + one.min(other);
        let square = self.hessian[entry(own, own)];
        let mixed = self.hessian[entry(own, above)];
        for other in 0..count {
            if other != above {
                self.hessian[entry(above, other)] += rate * self.hessian[entry(own, other)];
            }
        }
        self.hessian[entry(above, above)] += rate * (2.0 * mixed + rate * square);
    }

    /// Makes the unknown that it was of `own` again, in the step. In the other order.
    pub(crate) fn untie(&mut self, own: usize, above: usize, rate: f64) {
        self.step[own] += rate * self.step[above];
    }

    /// Finds the step. Returns whether the matrix is definite.
    pub(crate) fn solve(&mut self) -> bool {
        for index in 0..self.len() {
            let is_locked = self.lower[index] >= self.upper[index];
            self.holds[index] = match self.holds[index] {
                _ if is_locked => BoundState::Locked,
                BoundState::Locked => BoundState::Free,
                hold => hold,
            };
        }
        for _ in 0..ROUNDS {
            self.take_held();
            if !self.solve_free() {
                return false;
            }
            if !self.revise() {
                self.clip();
                return true;
            }
        }
        for (index, hold) in self.holds.iter_mut().enumerate() {
            *hold = match self.lower[index] < self.upper[index] {
                true => BoundState::Free,
                false => BoundState::Locked,
            };
        }
        self.solve_from_zero()
    }

    /// Puts the held unknowns at their bounds.
    fn take_held(&mut self) {
        for (index, hold) in self.holds.iter().enumerate() {
            match hold {
                BoundState::Free => {}
                BoundState::Lower | BoundState::Locked => self.step[index] = self.lower[index],
                BoundState::Upper => self.step[index] = self.upper[index],
            }
        }
    }

    fn entry(&self, one: usize, other: usize) -> f64 {
        self.hessian[one.max(other) * self.len() + one.min(other)]
    }

    /// Notes the unknowns that are not zero: most that are held are. For [`Self::slope`].
    fn note_moved(&mut self) {
        let moved = self.step.iter().enumerate();
        let moved = moved.filter(|&(_, &step)| step != 0.0);
        self.moved.clear();
        self.moved.extend(moved.map(|(index, _)| index));
    }

    /// Returns the derivative of the function by an unknown.
    fn slope(&self, index: usize) -> f64 {
        let terms = self.moved.iter();
        let sum: f64 = terms
            .map(|&other| self.entry(index, other) * self.step[other])
            .sum();
        sum + self.gradient[index]
    }

    /// Solves for the unknowns that are free, for those that are held where they are.
    fn solve_free(&mut self) -> bool {
        let mut free = std::mem::take(&mut self.free);
        let (mut matrix, mut vector) = (
            std::mem::take(&mut self.matrix),
            std::mem::take(&mut self.vector),
        );
        free.clear();
        free.extend((0..self.len()).filter(|&index| self.holds[index] == BoundState::Free));
        for &index in &free {
            self.step[index] = 0.0;
        }
        self.note_moved();
        matrix.clear();
        vector.clear();
        for (row, &index) in free.iter().enumerate() {
            let line = &self.hessian[index * self.len()..];
            matrix.extend(free[..=row].iter().map(|&other| line[other]));
            matrix.resize((row + 1) * free.len(), 0.0);
            vector.push(-self.slope(index));
        }
        let is_definite = cholesky::solve(&mut matrix, &mut vector);
        for (&index, &step) in free.iter().zip(&vector) {
            self.step[index] = step;
        }
        (self.free, self.matrix, self.vector) = (free, matrix, vector);
        is_definite
    }

    /// Holds what passes its bounds, and lets go what would leave them. Returns whether there is any.
    fn revise(&mut self) -> bool {
        self.note_moved();
        let mut changes = false;
        for index in 0..self.len() {
            let step = self.step[index];
            let revised = match self.holds[index] {
                BoundState::Free if step < self.lower[index] - EDGE => BoundState::Lower,
                BoundState::Free if step > self.upper[index] + EDGE => BoundState::Upper,
                BoundState::Lower if self.slope(index) < -LETS_GO => BoundState::Free,
                BoundState::Upper if self.slope(index) > LETS_GO => BoundState::Free,
                hold => hold,
            };
            changes |= revised != self.holds[index];
            self.holds[index] = revised;
        }
        changes
    }

    fn clip(&mut self) {
        for (index, step) in self.step.iter_mut().enumerate() {
            *step = step.max(self.lower[index]).min(self.upper[index]);
        }
    }

    /// Finds the step by the primal method, from zero on, where what is held is zero. Returns `true` if the matrix is
    /// definite. Of many unknowns that end at such a bound, only those that leave it are ever solved for.
    fn solve_from_zero(&mut self) -> bool {
        let mut from = std::mem::take(&mut self.from);
        from.clear();
        from.resize(self.len(), 0.0);
        let mut is_definite = true;
        for _ in 0..4 * self.len() {
            self.step.clone_from(&from);
            is_definite = self.solve_free();
            if !is_definite {
                break;
            }
            if let Some((index, part, hold)) = self.first_met(&from) {
                for (before, step) in from.iter_mut().zip(&self.step) {
                    *before += part * (step - *before);
                }
                from[index] = match hold {
                    BoundState::Upper => self.upper[index],
                    _ => self.lower[index],
                };
                self.holds[index] = hold;
                continue;
            }
            from.clone_from(&self.step);
            let Some(index) = self.most_eager() else {
                break;
            };
            self.holds[index] = BoundState::Free;
        }
        self.step.clone_from(&from);
        self.from = from;
        self.clip();
        is_definite
    }

    /// Returns the free unknown that meets its bound first on the way to the step, the part of the way after which it
    /// does, and the bound at which it is held.
    fn first_met(&self, from: &[f64]) -> Option<(usize, f64, BoundState)> {
        let mut first: Option<(usize, f64, BoundState)> = None;
        for (index, &before) in from.iter().enumerate() {
            let way = self.step[index] - before;
            let (bound, hold) = match way > 0.0 {
                true => (self.upper[index], BoundState::Upper),
                false => (self.lower[index], BoundState::Lower),
            };
            let part = ((bound - before) / way).max(0.0);
            let is_free = self.holds[index] == BoundState::Free && way != 0.0;
            if is_free && part < first.map_or(1.0, |(_, part, _)| part) {
                first = Some((index, part, hold));
            }
        }
        first
    }

    /// The held unknown that the function has most to gain by.
    fn most_eager(&mut self) -> Option<usize> {
        self.note_moved();
        let mut most = (None, LETS_GO);
        for index in 0..self.len() {
            let gain = match self.holds[index] {
                BoundState::Lower => -self.slope(index),
                BoundState::Upper => self.slope(index),
                BoundState::Free | BoundState::Locked => continue,
            };
            if gain > most.1 {
                most = (Some(index), gain);
            }
        }
        most.0
    }
}
