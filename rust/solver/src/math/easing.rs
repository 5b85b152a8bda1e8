//! Easing curves by the names that Godot's `Tween` gives them.
//!
//! A transition is one curve from 0 to 1, and the ease says which way it is walked. The values are those of
//! `Tween.interpolate_value()`, to 1e-4, but in two places: `Expo` begins and ends exactly at 0 and 1, which
//! is off by up to 2e-3, and where `Expo`, `Elastic` and `Circ` begin, their first tenth has a slope that
//! is known and bounded ([`Easing::slope`]).
//!
//! Source: Robert Penner's easing equations, as in Godot's `easing_equations.h`.

use std::f32::consts::{FRAC_PI_2, PI, TAU};

use serde::{Deserialize, Serialize};

use crate::math::settings::plain_settings;
use crate::math::trigonometry::unit_vector_f32;

/// The shape of a curve, in the order of `Tween.TransitionType`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(
    missing_docs,
    reason = "the names are Godot's, and their curves are above"
)]
pub enum Transition {
    Linear,
    #[default]
    Sine,
    Quint,
    Quart,
    Quad,
    Expo,
    Elastic,
    Cubic,
    Circ,
    Bounce,
    Back,
    Spring,
}

impl Transition {
    /// All of them.
    pub const ALL: [Self; 12] = [
        Self::Linear,
        Self::Sine,
        Self::Quint,
        Self::Quart,
        Self::Quad,
        Self::Expo,
        Self::Elastic,
        Self::Cubic,
        Self::Circ,
        Self::Bounce,
        Self::Back,
        Self::Spring,
    ];
}

/// The end at which a curve is slow, in the order of `Tween.EaseType`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the names are Godot's")]
pub enum Ease {
    In,
    Out,
    #[default]
    InOut,
    OutIn,
}

impl Ease {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::In, Self::Out, Self::InOut, Self::OutIn];
}

plain_settings!(Transition, Ease);

/// The steepest beginning of a curve.
const STEEPEST: f32 = 5.0;

/// A curve that would begin more steeply, or with a leap, begins as a line over this part.
const BEGINNING: f32 = 0.1;

/// The overshoot of `Back`, as the coefficient in its formula.
const BACK: f32 = 1.70158;

/// A curve from 0 to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Easing {
    pub(crate) transition: Transition,
    pub(crate) ease: Ease,
}

impl Easing {
    /// Returns the value of the curve at `time`, 0 to 1.
    pub(crate) fn at(self, time: f32) -> f32 {
        let value = self.exact(time);
        match time < BEGINNING && self.begins_steeply() {
            true => {
                let line = self.slope() * time;
                line + smoothstep(time / BEGINNING) * (value - line)
            }
            false => value,
        }
    }

    fn exact(self, time: f32) -> f32 {
        let half = 2.0 * time;
        let is_first = half < 1.0;
        match self.ease {
            Ease::In => self.begin(time),
            Ease::Out => 1.0 - self.begin(1.0 - time),
            Ease::InOut if is_first => 0.5 * self.begin(half),
            Ease::InOut => 1.0 - 0.5 * self.begin(2.0 - half),
            Ease::OutIn if is_first => 0.5 - 0.5 * self.begin(1.0 - half),
            Ease::OutIn => 0.5 + 0.5 * self.begin(half - 1.0),
        }
    }

    /// The slope where the curve begins.
    pub(crate) fn slope(self) -> f32 {
        let [at_begin, at_end] = match self.transition {
            Transition::Linear => [1.0, 1.0],
            Transition::Sine => [0.0, FRAC_PI_2],
            Transition::Quint => [0.0, 5.0],
            Transition::Quart => [0.0, 4.0],
            Transition::Quad => [0.0, 2.0],
            Transition::Cubic => [0.0, 3.0],
            Transition::Expo | Transition::Elastic | Transition::Circ => [0.0, STEEPEST],
            Transition::Bounce => [0.6875, 0.0],
            Transition::Back => [0.0, BACK + 3.0],
            Transition::Spring => [-0.2, 2.2 * (1.0 + 0.2 * PI)],
        };
        match self.ease {
            Ease::In | Ease::InOut => at_begin,
            Ease::Out | Ease::OutIn => at_end,
        }
    }

    /// Returns `true` if the slope at the beginning is not that of the curve.
    fn begins_steeply(self) -> bool {
        use Transition::{Circ, Elastic, Expo};
        matches!(self.transition, Expo | Elastic | Circ)
    }

    /// The curve that is slow where it begins.
    fn begin(self, time: f32) -> f32 {
        let square = time * time;
        match self.transition {
            Transition::Linear => time,
            Transition::Sine => 1.0 - unit_vector_f32(FRAC_PI_2 * time).x,
            Transition::Quad => square,
            Transition::Cubic => square * time,
            Transition::Quart => square * square,
            Transition::Quint => square * square * time,
            Transition::Expo => (libm::exp2f(10.0 * time) - 1.0) / 1023.0,
            Transition::Elastic => self.swing(time),
            Transition::Circ => 1.0 - (1.0 - square).max(0.0).sqrt(),
            Transition::Bounce => 1.0 - bounced(1.0 - time),
            Transition::Back => {
                let back = BACK * self.if_twice(1.525);
                square * ((back + 1.0) * time - back)
            }
            Transition::Spring => 1.0 - sprung(1.0 - time),
        }
    }

    /// `factor` for a curve that is walked there and back.
    fn if_twice(self, factor: f32) -> f32 {
        match self.ease {
            Ease::InOut => factor,
            _ => 1.0,
        }
    }

    fn swing(self, time: f32) -> f32 {
        if time <= 0.0 || time >= 1.0 {
            return time;
        }
        let period = 0.3 * self.if_twice(1.5);
        let angle = (time - 1.0 - 0.25 * period) * TAU / period;
        -libm::exp2f(10.0 * (time - 1.0)) * unit_vector_f32(angle).y
    }
}

/// `Bounce`, from its fast end.
fn bounced(time: f32) -> f32 {
    let (middle, height) = match 2.75 * time {
        part if part < 1.0 => (0.0, 0.0),
        part if part < 2.0 => (1.5, 0.75),
        part if part < 2.5 => (2.25, 0.9375),
        _ => (2.625, 0.984_375),
    };
    let off = time - middle / 2.75;
    7.5625 * off * off + height
}

/// `Spring`, from its fast end.
fn sprung(time: f32) -> f32 {
    let left = 1.0 - time;
    let angle = PI * time * (0.2 + 2.5 * time * time * time);
    let swing = unit_vector_f32(angle).y * libm::powf(left, 2.2);
    (swing + time) * (1.0 + 1.2 * left)
}

/// From 0 to 1 without a slope at either end.
pub(crate) fn smoothstep(time: f32) -> f32 {
    time * time * (3.0 - 2.0 * time)
}

/// How far a handover has come: for what goes over by itself, as bodies with many effectors do.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Clock {
    /// Whether it begins in this pass, and whether that is since targets were exchanged.
    pub(crate) begins: bool,
    pub(crate) is_exchange: bool,
    /// What is left of an offset, and what of it there is of a drift that is 1. Both are 0 at the end.
    pub(crate) left: f32,
    pub(crate) late: f32,
    /// The drift that an offset of 1 needs to set out with the velocity of before.
    pub(crate) slope: f32,
    /// The largest velocity that is none of a teleport, by what it is off at first, or drifts.
    pub(crate) most: [f32; 2],
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all() -> impl Iterator<Item = Easing> {
        Transition::ALL.into_iter().flat_map(|transition| {
            let eases = Ease::ALL.into_iter();
            eases.map(move |ease| Easing { transition, ease })
        })
    }

    #[test]
    fn curves_go_from_0_to_1() {
        for easing in all() {
            assert!(easing.at(0.0).abs() < 1e-6, "{easing:?}");
            assert!((easing.at(1.0) - 1.0).abs() < 1e-6, "{easing:?}");
        }
    }

    #[test]
    fn curves_begin_with_their_slope() {
        for easing in all() {
            let step = 1e-3;
            let slope = easing.at(step) / step;
            assert!((slope - easing.slope()).abs() < 0.03, "{easing:?}: {slope}");
        }
    }
}
