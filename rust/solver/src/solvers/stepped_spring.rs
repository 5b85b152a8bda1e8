//! A spring that is moved frame by frame, and the damped oscillator that moves alike. Joints of
//! Godot's `SkeletonModification2DJiggle` are such springs.
//!
//! In each frame of the length Δ, with the stiffness *s*, the mass *m* and the damping *d*,
//!
//! ```text
//! force     = Δ s (target − point)
//! velocity += force (1 − d) / m
//! point    += velocity + force
//! ```
//!
//! With `k = Δ s` and `b = k (1 − d) / m`, the distance *e* of the point from a target at rest is
//! from frame to frame
//!
//! ```text
//! e″ = (2 − k − b) e′ − (1 − k) e
//! ```
//!
//! A damped oscillator with the rates *p* moves so if the roots of `r² − (2 − k − b) r + (1 − k)`
//! are `exp(−p Δ)`. That gives its frequency and its damping ratio. For short frames they are
//! `ω² = s (1 − d) / (m Δ)` and `2 ζ ω = s`: the frequency depends on the frame rate.

use std::f64::consts::TAU;

/// A spring that is moved frame by frame. Its units are those of Godot's jiggle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SteppedSpring {
    /// The part of the distance to the target that becomes force, per second.
    pub stiffness: f64,
    /// The mass by which the force is divided to change the velocity. 0 counts as 0.001.
    pub mass: f64,
    /// The part of the force that does not change the velocity, 0 to 1.
    pub damping: f64,
}

/// The motion of a damped oscillator.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Oscillation {
    /// The angular frequency without damping, in radians per second.
    pub omega: f64,
    /// The damping ratio, by which the motion ends: 0 never, 1 as fast as is possible without overshooting.
    pub damping_ratio: f64,
}

/// The mass of a spring whose mass is 0.
const LEAST_MASS: f64 = 1e-3;

/// A spring without velocity has one rate only, and an oscillator has two. The second one is then
/// this many times the first, which is too fast to be seen.
const UNSEEN: f64 = 20.0;

impl SteppedSpring {
    /// The oscillation of the spring in frames of `frame` seconds. `None` if nothing pulls at it.
    pub fn oscillation(self, frame: f64) -> Option<Oscillation> {
        let pull = self.stiffness * frame;
        let gain = pull * (1.0 - self.damping) / self.mass.max(LEAST_MASS);
        (pull > 0.0 && gain.is_finite()).then_some(())?;
        // The sum of the roots is twice `middle`.
        let (middle, product) = (1.0 - 0.5 * (pull + gain), 1.0 - pull);
        let square = middle * middle - product;
        if product > 0.0 && square < 0.0 {
            let decay = -0.5 * libm::log(product) / frame;
            let damped = libm::acos(middle / product.sqrt()) / frame;
            let omega = libm::hypot(decay, damped);
            return Some(Oscillation {
                omega,
                damping_ratio: decay / omega,
            });
        }
        let roots = [1.0, -1.0].map(|sign| middle + sign * square.max(0.0).sqrt());
        Some(match roots.map(|root| -libm::log(root) / frame) {
            [_, fast] if gain == 0.0 && fast.is_finite() => {
                Oscillation::with_rates(fast, UNSEEN * fast)
            }
            // The frames are too long: the point trembles. This is the motion in short frames.
            _ if gain == 0.0 => Oscillation::with_rates(self.stiffness, UNSEEN * self.stiffness),
            [slow, fast] if slow > 0.0 && fast.is_finite() => Oscillation::with_rates(slow, fast),
            // The same: the frames are too long.
            _ => Oscillation {
                omega: gain.sqrt() / frame,
                damping_ratio: 0.5 * self.stiffness * frame / gain.sqrt(),
            },
        })
    }
}

impl Oscillation {
    /// One that does not overshoot: it is the sum of two decays with these rates, per second.
    fn with_rates(slow: f64, fast: f64) -> Self {
        let omega = (slow * fast).sqrt();
        Self {
            omega,
            damping_ratio: 0.5 * (slow + fast) / omega,
        }
    }

    /// Returns the number of oscillations per second, without damping.
    pub fn frequency(self) -> f64 {
        self.omega / TAU
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spring(stiffness: f64, mass: f64, damping: f64) -> SteppedSpring {
        SteppedSpring {
            stiffness,
            mass,
            damping,
        }
    }

    /// Where the point is after each frame when it starts 1 off a target at rest.
    fn play(spring: SteppedSpring, frame: f64) -> Vec<f64> {
        let (mut point, mut velocity) = (1.0, 0.0);
        let step = |_| {
            let force = -point * spring.stiffness * frame;
            velocity += force / spring.mass * (1.0 - spring.damping);
            point += velocity + force;
            point
        };
        (0..240).map(step).collect()
    }

    #[test]
    fn the_defaults_of_godots_jiggle_are_a_soft_spring() {
        let found = spring(3.0, 0.75, 0.75).oscillation(1.0 / 60.0).unwrap();
        assert!((found.frequency() - 1.2496).abs() < 1e-3, "{found:?}");
        assert!((found.damping_ratio - 0.196).abs() < 1e-3, "{found:?}");
        assert!((found.omega - (60.0_f64 * 3.0 * 0.25 / 0.75).sqrt()).abs() < 0.15);
    }

    #[test]
    fn the_oscillation_moves_as_the_spring_does() {
        for stiffness in [0.2, 3.0, 12.0, 40.0] {
            for mass in [0.1, 0.75, 4.0, 60.0] {
                for damping in [0.0, 0.75, 0.99] {
                    for frame in [1.0 / 60.0, 1.0 / 120.0] {
                        let gain = stiffness * frame * (1.0 - damping) / mass;
                        let middle = 1.0 - 0.5 * (stiffness * frame + gain);
                        if middle > 0.0 {
                            check_motion(spring(stiffness, mass, damping), frame);
                        }
                    }
                }
            }
        }
    }

    /// Each of three successive places follows from the two before it by the law of a damped
    /// oscillator.
    fn check_motion(spring: SteppedSpring, frame: f64) {
        let Oscillation {
            omega,
            damping_ratio,
        } = spring.oscillation(frame).unwrap();
        let decay_rate = damping_ratio * omega;
        let square = omega * omega - decay_rate * decay_rate;
        let beat = match square >= 0.0 {
            true => (square.sqrt() * frame).cos(),
            false => ((-square).sqrt() * frame).cosh(),
        };
        let decay = (-decay_rate * frame).exp();
        for places in play(spring, frame).windows(3) {
            let expected = 2.0 * decay * beat * places[1] - decay * decay * places[0];
            let largest = places
                .iter()
                .fold(1e-9_f64, |largest, place| largest.max(place.abs()));
            let error = (places[2] - expected).abs() / largest;
            assert!(error < 1e-6, "{spring:?} {frame}: {places:?}, {expected}");
        }
    }

    #[test]
    fn a_damping_of_one_only_decays() {
        let found = spring(3.0, 0.75, 1.0).oscillation(1.0 / 60.0).unwrap();
        assert!(
            found.damping_ratio > 1.0 && found.omega.is_finite(),
            "{found:?}"
        );
        let ratio = found.damping_ratio;
        let slow = found.omega * (ratio - (ratio.powi(2) - 1.0).sqrt());
        assert!((slow - 3.08).abs() < 0.01, "{slow}");
    }

    #[test]
    fn any_values_have_an_oscillation_unless_nothing_pulls() {
        for stiffness in [0.0, 1e-3, 59.9, 60.0, 1000.0] {
            for mass in [0.0, 1e-3, 1000.0] {
                for damping in [0.0, 0.5, 1.0] {
                    let found = spring(stiffness, mass, damping).oscillation(1.0 / 60.0);
                    assert_eq!(found.is_none(), stiffness == 0.0);
                    let is_sound = |found: Oscillation| {
                        found.omega > 0.0
                            && found.damping_ratio >= 0.0
                            && (found.omega + found.damping_ratio).is_finite()
                    };
                    assert!(found.is_none_or(is_sound), "{found:?}");
                }
            }
        }
    }
}
