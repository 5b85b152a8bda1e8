//! Numbers as JSON has them: every `f32` comes back from text with the bits that it had.
//!
//! JSON knows no NaN and no infinities, and bad input is what reports are about. So these are
//! the strings `"NaN"`, `"inf"` and `"-inf"`; all NaNs are one. Any other number is written
//! with as few digits as tell it from its neighbours. Readers take a number in double precision
//! and then round it to single, which turns a few of those short forms into a neighbour: they
//! are written with the digits of a double instead.
//!
//! Fields name this module in `#[serde(with)]`. Vectors are arrays of their coordinates, and
//! transforms arrays of X axis, Y axis and origin.

use std::fmt;

use glam::{Affine2, DVec2, Vec2, Vec4};
use serde::de::{DeserializeOwned, Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The bits in which any of the numbers differ: 0 if they are the same to the sign of their zeros.
/// Without a branch, for what is asked in every pass.
#[inline]
pub(crate) fn bits_apart<const N: usize>(a: [f32; N], b: [f32; N]) -> u32 {
    let pairs = a.iter().zip(&b);
    pairs.fold(0, |apart, (a, b)| apart | (a.to_bits() ^ b.to_bits()))
}

/// A field that is 1 where it is missing.
pub(crate) fn one() -> f32 {
    1.0
}

/// Returns `true` if a field with that default need not be written.
pub(crate) fn is_one(value: &f32) -> bool {
    *value == 1.0
}

/// The same for a field of any kind that has its usual value.
pub(crate) fn is_usual<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// A value that is made of numbers.
pub(crate) trait Numbers: Sized {
    /// The same, of numbers that can be written.
    type Written: Serialize + DeserializeOwned;
    fn write(&self) -> Self::Written;
    fn read(written: Self::Written) -> Self;
}

/// Has values of a type be written as they are.
macro_rules! as_it_is {
    ($type:ty) => {
        impl $crate::math::number::Numbers for $type {
            type Written = Self;

            fn write(&self) -> Self {
                *self
            }

            fn read(written: Self) -> Self {
                written
            }
        }
    };
}
pub(crate) use as_it_is;

as_it_is!(usize);

/// Declares a structure of what is kept, which is copied, and written with all its numbers; `default`: what is missing has its
/// usual value.
macro_rules! kept {
    (default $(# $about:tt)* $seen:vis struct $name:ident { $($fields:tt)* }) => {
        $crate::math::number::kept! {
            $(# $about)*
            #[derive(Default)]
            #[serde(default)]
            $seen struct $name { $($fields)* }
        }
    };
    (
        $(# $about:tt)*
        $seen:vis struct $name:ident { $($(# $of:tt)* $field_seen:vis $field:ident: $type:ty,)+ }
    ) => {
        #[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
        #[serde(deny_unknown_fields)]
        $(# $about)*
        $seen struct $name {
            $(
                $(# $of)*
                #[serde(with = "crate::math::number")]
                $field_seen $field: $type,
            )+
        }
        $crate::math::number::as_it_is!($name);
    };
}
pub(crate) use kept;

pub(crate) fn serialize<T: Numbers, S: Serializer>(value: &T, to: S) -> Result<S::Ok, S::Error> {
    value.write().serialize(to)
}

pub(crate) fn deserialize<'de, T: Numbers, D: Deserializer<'de>>(from: D) -> Result<T, D::Error> {
    T::Written::deserialize(from).map(T::read)
}

/// A number that can be written, whatever it is.
pub(crate) struct Number(f32);

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let Self(value) = *self;
        if value.is_nan() {
            return to.serialize_str("NaN");
        }
        if value.is_infinite() {
            return to.serialize_str(if value > 0.0 { "inf" } else { "-inf" });
        }
        let read_back = value.to_string().parse().map(|wide: f64| wide as f32);
        if read_back == Ok(value) {
            to.serialize_f32(value)
        } else {
            to.serialize_f64(value.into())
        }
    }
}

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct AnyNumber;

        impl Visitor<'_> for AnyNumber {
            type Value = Number;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number, \"NaN\", \"inf\" or \"-inf\"")
            }

            fn visit_f64<E: Error>(self, value: f64) -> Result<Number, E> {
                let single = value as f32;
                match single.is_finite() {
                    true => Ok(Number(single)),
                    false => Err(E::custom(format_args!("{value:e} is too large a number"))),
                }
            }

            fn visit_u64<E: Error>(self, value: u64) -> Result<Number, E> {
                Ok(Number(value as f32))
            }

            fn visit_i64<E: Error>(self, value: i64) -> Result<Number, E> {
                Ok(Number(value as f32))
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Number, E> {
                match text {
                    "NaN" => Ok(Number(f32::NAN)),
                    "inf" => Ok(Number(f32::INFINITY)),
                    "-inf" => Ok(Number(f32::NEG_INFINITY)),
                    _ => Err(E::invalid_value(serde::de::Unexpected::Str(text), &self)),
                }
            }
        }

        from.deserialize_any(AnyNumber)
    }
}

impl Numbers for f32 {
    type Written = Number;

    fn write(&self) -> Number {
        Number(*self)
    }

    fn read(written: Number) -> Self {
        written.0
    }
}

impl Numbers for Vec2 {
    type Written = [Number; 2];

    fn write(&self) -> [Number; 2] {
        self.to_array().map(Number)
    }

    fn read(written: [Number; 2]) -> Self {
        written.map(f32::read).into()
    }
}

impl Numbers for Vec4 {
    type Written = [Number; 4];

    fn write(&self) -> [Number; 4] {
        self.to_array().map(Number)
    }

    fn read(written: [Number; 4]) -> Self {
        written.map(f32::read).into()
    }
}

impl Numbers for DVec2 {
    /// Of what is kept, which is finite.
    type Written = [f64; 2];

    fn write(&self) -> [f64; 2] {
        self.to_array()
    }

    fn read(written: [f64; 2]) -> Self {
        written.into()
    }
}

impl Numbers for Affine2 {
    type Written = [Number; 6];

    fn write(&self) -> [Number; 6] {
        self.to_cols_array().map(Number)
    }

    fn read(written: [Number; 6]) -> Self {
        Self::from_cols_array(&written.map(f32::read))
    }
}

impl<T: Numbers> Numbers for Option<T> {
    type Written = Option<T::Written>;

    fn write(&self) -> Self::Written {
        self.as_ref().map(T::write)
    }

    fn read(written: Self::Written) -> Self {
        written.map(T::read)
    }
}

impl<T: Numbers> Numbers for [T; 4] {
    type Written = [T::Written; 4];

    fn write(&self) -> Self::Written {
        self.each_ref().map(T::write)
    }

    fn read(written: Self::Written) -> Self {
        written.map(T::read)
    }
}

impl<T: Numbers> Numbers for Vec<T> {
    type Written = Vec<T::Written>;

    fn write(&self) -> Self::Written {
        self.iter().map(T::write).collect()
    }

    fn read(written: Self::Written) -> Self {
        written.into_iter().map(T::read).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn there_and_back(value: f32) -> f32 {
        let text = serde_json::to_string(&Number(value)).expect("any number can be written");
        let Number(read) = serde_json::from_str(&text).expect("and read");
        read
    }

    /// A prime step through all bit patterns: every exponent, and mantissas of all kinds.
    #[test]
    fn numbers_come_back_with_their_bits() {
        for bits in (0..=u32::MAX).step_by(6007) {
            let value = f32::from_bits(bits);
            let read = there_and_back(value);
            assert!(
                read.to_bits() == bits || read.is_nan() && value.is_nan(),
                "{value:e} became {read:e}"
            );
        }
    }

    #[test]
    fn numbers_whose_short_form_would_be_rounded_twice_come_back() {
        let tricky = 7.038_531e-26_f32;
        let wide: f64 = tricky.to_string().parse().expect("a number");
        assert_ne!(wide as f32, tricky, "an example of what it is about");
        assert_eq!(there_and_back(tricky), tricky);
    }

    #[test]
    fn edges_come_back() {
        for value in [
            0.0,
            -0.0,
            f32::MIN,
            f32::MAX,
            f32::MIN_POSITIVE,
            f32::from_bits(1),
            f32::INFINITY,
            f32::NEG_INFINITY,
            -1.0,
            16_777_216.0,
        ] {
            assert_eq!(there_and_back(value).to_bits(), value.to_bits());
        }
        assert!(there_and_back(f32::NAN).is_nan());
    }

    #[test]
    fn what_is_too_large_is_not_taken_for_infinity() {
        for text in [
            "1e39",
            "-1e300",
            "340282366920938463463374607431768211456.0",
        ] {
            assert!(serde_json::from_str::<Number>(text).is_err(), "{text}");
        }
        let largest = f64::from(f32::MAX).to_string();
        let Number(largest) = serde_json::from_str(&largest).expect("it is one of them");
        assert_eq!(largest, f32::MAX);
    }

    #[test]
    fn other_words_are_no_numbers() {
        for text in ["\"none\"", "null", "true", "[1]"] {
            assert!(serde_json::from_str::<Number>(text).is_err(), "{text}");
        }
    }
}
