//! A cubic Bézier segment: its points, its length, and where it leaves a circle.
//!
//! The squared distance of a point on a cubic from a centre is a polynomial of degree six in the
//! parameter. The signs of its Bernstein coefficients tell how often it crosses a radius: not at
//! all without a change of sign, and once if there is one. A segment with more changes is halved
//! until its parts have one or none. No crossing is missed, however close to the next, and the
//! first is found first. Newton steps within the bracket then refine it to the last digits.
//!
//! An affine map of a cubic is the cubic of its mapped points, so circles in stretched or skewed
//! frames are exact.
//!
//! Source: variation diminishing property of Bernstein coefficients, G. Pólya and I. Schoenberg
//! (1958); root isolation by it, J. Lane and R. Riesenfeld (1981); halving, P. de Casteljau.

use glam::{DAffine2, DVec2};

/// Halvings after which a part is a single parameter. Where the cubic only touches the circle there
/// is nothing to tell apart.
const MOST_HALVINGS: u32 = 44;

/// Newton and bisection steps at most. Bisection alone would need 52.
const MOST_STEPS: u32 = 64;

/// A Newton step that is shorter than this, and by [`FASTER`] shorter than the one before, leaves an error of about its
/// square: below what a parameter can hold.
const CONVERGED: f64 = 1e-8;
const FASTER: f64 = 1e-4;

/// Places and weights of Gauss and Legendre's quadrature of five points on -1..1.
const QUADRATURE: [(f64, f64); 5] = [
    (0.0, 0.568_888_888_888_888_9),
    (-0.538_469_310_105_683_1, 0.478_628_670_499_366_47),
    (0.538_469_310_105_683_1, 0.478_628_670_499_366_47),
    (-0.906_179_845_938_664, 0.236_926_885_056_189_1),
    (0.906_179_845_938_664, 0.236_926_885_056_189_1),
];

/// The four control points of a cubic Bézier segment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Cubic(pub(crate) [DVec2; 4]);

impl Cubic {
    /// The segment, seen through `frame`.
    pub(crate) fn seen_through(self, frame: DAffine2) -> Self {
        Self(self.0.map(|point| frame.transform_point2(point)))
    }

    /// The point at the parameter `at`, 0 to 1.
    pub(crate) fn point(&self, at: f64) -> DVec2 {
        let [a, b, c, d] = self.0;
        let rest = 1.0 - at;
        let [outer, inner] = [rest * rest, at * at];
        outer * rest * a + 3.0 * outer * at * b + 3.0 * rest * inner * c + inner * at * d
    }

    /// Returns the derivative of the point by the parameter.
    pub(crate) fn velocity(&self, at: f64) -> DVec2 {
        let [a, b, c, d] = self.0;
        let rest = 1.0 - at;
        3.0 * (rest * rest * (b - a) + 2.0 * rest * at * (c - b) + at * at * (d - c))
    }

    /// Returns the change of the parameter from `at` on after which the segment is at about `distance` from there, to
    /// the second order. Infinite or less than nothing where it stands still or turns back.
    fn way_to(&self, distance: f64, at: f64) -> f64 {
        let [a, b, c, d] = self.0;
        let velocity = self.velocity(at);
        let acceleration = 6.0 * ((1.0 - at) * (a - 2.0 * b + c) + at * (b - 2.0 * c + d));
        let square = velocity.length_squared();
        let way = distance / square.sqrt();
        way - 0.5 * way * way * velocity.dot(acceleration) / square
    }

    /// The direction of the tangent, of any length. At an end whose handle has no length it is the
    /// direction that the segment approaches. Zero if all points are one.
    pub(crate) fn tangent(&self, at: f64) -> DVec2 {
        let [a, b, c, d] = self.0;
        let velocity = self.velocity(at);
        let ways = if at < 0.5 {
            [velocity, b - a, c - a, d - a]
        } else {
            [velocity, d - c, d - b, d - a]
        };
        let mut ways = ways.into_iter();
        ways.find(|way| *way != DVec2::ZERO).unwrap_or_default()
    }

    /// The length of the part between two parameters, which should not be far apart.
    pub(crate) fn length(&self, from: f64, to: f64) -> f64 {
        let (middle, half) = (0.5 * (from + to), 0.5 * (to - from));
        let terms = QUADRATURE
            .iter()
            .map(|(place, weight)| weight * self.velocity(middle + half * place).length());
        half * terms.sum::<f64>()
    }

    /// The first parameter from `from` on at which the segment leaves the circle of `radius` around
    /// the origin. At `from` it should be inside; otherwise that is where it is outside first.
    pub(crate) fn first_exit(&self, from: f64, radius: f64) -> Option<f64> {
        let part = Part {
            excess: excess(&self.after(from).0, radius),
            from,
            to: 1.0,
        };
        self.first_exit_in(&part, radius, 0)
    }

    /// The part from the parameter `at` on.
    fn after(&self, at: f64) -> Self {
        if at <= 0.0 {
            return *self;
        }
        let [a, b, c, d] = self.0;
        let [ab, bc, cd] = [a.lerp(b, at), b.lerp(c, at), c.lerp(d, at)];
        let [abc, bcd] = [ab.lerp(bc, at), bc.lerp(cd, at)];
        Self([abc.lerp(bcd, at), bcd, cd, d])
    }

    fn first_exit_in(&self, part: &Part, radius: f64, halvings: u32) -> Option<f64> {
        let [first, .., last] = part.excess;
        if first > 0.0 {
            return Some(part.from);
        }
        match part.changes_of_sign() {
            0 => None,
            1 => Some(self.refine(part, radius)),
            _ if halvings == MOST_HALVINGS => (last > 0.0).then_some(part.to),
            _ => part
                .halves()
                .iter()
                .find_map(|half| self.first_exit_in(half, radius, halvings + 1)),
        }
    }

    /// The only parameter of `part` at which the segment crosses the circle.
    fn refine(&self, part: &Part, radius: f64) -> f64 {
        let (mut inside, mut outside) = (part.from, part.to);
        let guess = inside + self.way_to(radius, inside);
        let mut at = match guess > inside && guess < outside {
            true => guess,
            false => 0.5 * (inside + outside),
        };
        let mut before = 0.0;
        for _ in 0..MOST_STEPS {
            let point = self.point(at);
            let excess = point.length_squared() - radius * radius;
            if excess > 0.0 {
                outside = at;
            } else {
                inside = at;
            }
            let step = excess / (2.0 * point.dot(self.velocity(at)));
            let newton = at - step;
            let is_within = newton > inside && newton < outside;
            let next = if is_within {
                newton
            } else {
                0.5 * (inside + outside)
            };
            let way = (next - at).abs();
            let has_converged = way == 0.0 || way <= CONVERGED && way <= FASTER * before;
            (at, before) = (next, way);
            if has_converged || outside - inside <= f64::EPSILON {
                break;
            }
        }
        at
    }
}

/// A part of a segment, with the Bernstein coefficients of how much more the squared distance from
/// the centre is than the squared radius.
struct Part {
    excess: [f64; 7],
    from: f64,
    to: f64,
}

impl Part {
    /// Returns the number of times that the coefficients change from inside to outside or back. Zeros belong to either.
    fn changes_of_sign(&self) -> u32 {
        let mut changes = 0;
        let mut is_outside = false;
        for value in self.excess {
            if value != 0.0 && (value > 0.0) != is_outside {
                is_outside = !is_outside;
                changes += 1;
            }
        }
        changes
    }

    fn halves(&self) -> [Self; 2] {
        let mut right = self.excess;
        let mut left = self.excess;
        for (row, value) in left.iter_mut().enumerate() {
            *value = right[0];
            for index in 0..6 - row {
                right[index] = 0.5 * (right[index] + right[index + 1]);
            }
        }
        let middle = 0.5 * (self.from + self.to);
        [
            Self {
                excess: left,
                from: self.from,
                to: middle,
            },
            Self {
                excess: right,
                from: middle,
                to: self.to,
            },
        ]
    }
}

/// The Bernstein coefficients of the squared distance from the origin, less that of the radius.
fn excess(points: &[DVec2; 4], radius: f64) -> [f64; 7] {
    let [a, b, c, d] = *points;
    let squares = [
        a.dot(a),
        a.dot(b),
        (2.0 * a.dot(c) + 3.0 * b.dot(b)) / 5.0,
        (a.dot(d) + 9.0 * b.dot(c)) / 10.0,
        (2.0 * b.dot(d) + 3.0 * c.dot(c)) / 5.0,
        c.dot(d),
        d.dot(d),
    ];
    squares.map(|square| square - radius * radius)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::rngs::Xoshiro256PlusPlus;
    use rand::{RngExt, SeedableRng};

    fn random_cubic(rng: &mut Xoshiro256PlusPlus) -> Cubic {
        Cubic([(); 4].map(|()| {
            DVec2::new(
                rng.random_range(-100.0..100.0),
                rng.random_range(-100.0..100.0),
            )
        }))
    }

    /// The first of many samples that is outside comes just after the exit, and none before it is.
    #[test]
    fn the_first_exit_is_the_first_of_all() {
        const SAMPLES: u32 = 20_000;
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(15);
        let mut left = 0;
        for _ in 0..300 {
            let cubic = random_cubic(&mut rng);
            let from = rng.random_range(0.0..1.0);
            let centre = cubic.point(from);
            let seen = cubic.seen_through(DAffine2::from_translation(-centre));
            let radius = rng.random_range(1.0..120.0);
            let sample = |index: u32| from + (1.0 - from) * f64::from(index) / f64::from(SAMPLES);
            let is_outside = |at: f64| seen.point(at).length() > radius + 1e-9;
            let sampled = (0..=SAMPLES).map(sample).find(|at| is_outside(*at));
            let found = seen.first_exit(from, radius);
            match (found, sampled) {
                (Some(found), Some(sampled)) => {
                    left += 1;
                    assert!(found <= sampled && sampled - found < 2.0 / f64::from(SAMPLES));
                    let off = seen.point(found).length() - radius;
                    assert!(off.abs() < 1e-9, "{off:e} off the circle");
                }
                (None, None) => {}
                // Between two samples the segment may be outside.
                (Some(found), None) => assert!((seen.point(found).length() - radius).abs() < 1e-9),
                (None, Some(at)) => panic!("the exit before {at} is missed"),
            }
        }
        assert!(left > 100, "{left} segments leave their circles");
    }

    /// A segment that just leaves the circle, and one that just stays inside.
    #[test]
    fn a_touch_is_told_from_a_crossing() {
        let top = 75.0;
        let arch = Cubic([
            DVec2::new(-50.0, 0.0),
            DVec2::new(-50.0, 100.0),
            DVec2::new(50.0, 100.0),
            DVec2::new(50.0, 0.0),
        ]);
        assert_eq!(arch.point(0.5).y, top);
        for margin in [1e-3, 1e-6, 1e-9] {
            let found = arch.first_exit(0.0, top - margin);
            let found = found.expect("the arch is higher than that");
            let point = arch.point(found);
            assert!(found < 0.5 && (point.length() - (top - margin)).abs() < 1e-10);
            assert_eq!(arch.first_exit(0.0, top + margin), None);
        }
    }

    #[test]
    fn the_first_of_several_crossings_counts() {
        // Out of the circle, back into it, and out again.
        let wave = Cubic([
            DVec2::new(0.0, 0.0),
            DVec2::new(60.0, 0.0),
            DVec2::new(-40.0, 0.0),
            DVec2::new(30.0, 0.0),
        ]);
        let crossings = |from| wave.first_exit(from, 15.0).expect("it ends outside");
        let first = crossings(0.0);
        assert!(first < 0.3 && (wave.point(first).x - 15.0).abs() < 1e-9);
        let back = (0..1000).map(|step| first + 1e-3 + 1e-3 * f64::from(step));
        let back = { back }.find(|at| wave.point(*at).x < 15.0);
        let second = crossings(back.expect("it comes back"));
        assert!(second > 0.8 && (wave.point(second).x - 15.0).abs() < 1e-9);
    }

    #[test]
    fn lengths_are_those_of_many_chords() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(7);
        for _ in 0..50 {
            let cubic = random_cubic(&mut rng);
            let (from, to) = (0.25, 0.3125);
            let at = |index: u32| cubic.point(from + (to - from) * f64::from(index) / 1e4);
            let chords: f64 = (0..10_000).map(|i| at(i).distance(at(i + 1))).sum();
            // Where a cubic all but stops and turns round, five points do not see all of it.
            let off = (cubic.length(from, to) - chords).abs();
            assert!(off < 1e-6 * chords || off < 0.02, "{off:e} of {chords}");
        }
    }
}
