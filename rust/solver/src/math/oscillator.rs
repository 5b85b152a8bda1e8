//! The damped oscillator in closed form, under, at and over critical damping. With a damping below 1 it goes past its
//! rest and comes back. How a spring's bones are kicked, and overshoot by that:
//! [`crate::solvers::spring::oscillation`].
//!
//! Source: R. Juckett, *Damped Springs* (2012).

use crate::math::trigonometry::unit_vector;

/// The linear map that a damped oscillator applies to a place and a rate in some time.
#[derive(Clone, Debug)]
pub(crate) struct Oscillator {
    place: [f64; 2],
    rate: [f64; 2],
}

impl Oscillator {
    /// One of the angular frequency `omega`, after `time` seconds.
    pub(crate) fn new(omega: f64, damping: f64, time: f64) -> Self {
        let slowing = damping * omega;
        // cos and sin / ω of the damped frequency, or their hyperbolic counterparts, times the
        // decay.
        let square = omega * omega * (1.0 - damping * damping);
        let turned = square * time * time;
        let (cosine, sine) = if turned > 1e-4 {
            let frequency = square.sqrt();
            let decay = libm::exp(-slowing * time);
            let turn = unit_vector(frequency * time);
            (decay * turn.x, decay * turn.y / frequency)
        } else if turned < -1e-4 {
            let frequency = (-square).sqrt();
            // The slower of both decays, without the difference of two large numbers.
            let slow = libm::exp(-omega * omega / (slowing + frequency) * time);
            let fast = libm::exp(-(slowing + frequency) * time);
            (0.5 * (slow + fast), 0.5 * (slow - fast) / frequency)
        } else {
            let decay = libm::exp(-slowing * time);
            let cosine = 1.0 - turned * (0.5 - turned / 24.0);
            let sine = time * (1.0 - turned * (1.0 / 6.0 - turned / 120.0));
            (decay * cosine, decay * sine)
        };
        Self {
            place: [cosine + slowing * sine, sine],
            rate: [-omega * omega * sine, cosine - slowing * sine],
        }
    }

    pub(crate) fn advance(&self, place: f64, rate: f64) -> (f64, f64) {
        (
            self.place[0] * place + self.place[1] * rate,
            self.rate[0] * place + self.rate[1] * rate,
        )
    }
}

/// Returns what is left of a distance to rest and of its rate after the time of `spring`; both are 0 when they are less
/// than `least`.
pub(crate) fn settle(spring: &Oscillator, place: f32, rate: f32, least: f32) -> (f32, f32) {
    let (place, rate) = spring.advance(place.into(), rate.into());
    match place.abs() < f64::from(least) && rate.abs() < 100.0 * f64::from(least) {
        true => (0.0, 0.0),
        false => (place as f32, rate as f32),
    }
}
