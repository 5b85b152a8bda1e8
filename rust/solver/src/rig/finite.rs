//! Whether a text of JSON has only numbers that a rig can go on from.
//!
//! What is kept from pass to pass is finite. A text in which something is not was not written by a rig, or was
//! damaged. This goes through all of the text and needs no memory, so it holds for any kind.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};

/// Goes through a value, whatever it is. Fails at the first number that is not finite in single precision.
#[derive(Clone, Copy)]
pub(super) struct AllFinite;

impl AllFinite {
    /// Checks a text of JSON.
    pub(super) fn check(text: &[u8]) -> Result<(), serde_json::Error> {
        AllFinite.deserialize(&mut serde_json::Deserializer::from_slice(text))
    }
}

impl<'de> DeserializeSeed<'de> for AllFinite {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        from.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for AllFinite {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("finite numbers")
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<(), E> {
        match (value as f32).is_finite() {
            true => Ok(()),
            false => Err(E::custom("a number is not finite")),
        }
    }

    /// Numbers that are not finite are written as words: see [`crate::math::number`].
    fn visit_str<E: Error>(self, text: &str) -> Result<(), E> {
        match text {
            "NaN" | "inf" | "-inf" => Err(E::custom("a number is not finite")),
            _ => Ok(()),
        }
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E: Error>(self, _: u64) -> Result<(), E> {
        Ok(())
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        while items.next_element_seed(self)?.is_some() {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<(), A::Error> {
        while members.next_key_seed(self)?.is_some() {
            members.next_value_seed(self)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_that_is_not_finite_is_found_anywhere() {
        let sound = br#"{"a":[1,-2.5,{"b":null}],"c":"planted","d":true,"e":3e38}"#;
        assert!(AllFinite::check(sound).is_ok());
        for text in [
            "[0,[1,\"NaN\"]]",
            "{\"a\":{\"b\":\"-inf\"}}",
            "[1e39]",
            "\"inf\"",
        ] {
            assert!(AllFinite::check(text.as_bytes()).is_err(), "{text}");
        }
    }
}
