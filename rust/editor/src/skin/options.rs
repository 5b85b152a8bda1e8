//! How a skin is made, from a dictionary.

use crate::refusal::Refusal;
use godot::prelude::*;
use tendon_skin::glam::DVec2;
use tendon_skin::{Density, Options};

use crate::skin::picture::wide;

/// The keys that a dictionary of options may contain.
const KEYS: &str = "detail, vertices, margin, reach, threshold, cuts, all_bones";

#[derive(Clone, Default)]
pub(crate) struct SkinOptions {
    /// Cuts are in pixels of what the sprite shows, from its upper left corner.
    pub(crate) making: Options,
    /// The alpha of pixels that are not covered. By default all that can be seen is.
    pub(super) threshold: Option<u8>,
    /// A picture does not choose its own of all bones.
    pub(crate) has_all_bones: bool,
}

impl SkinOptions {
    /// Reads the options.
    ///
    /// # Errors
    /// Returns an error that names the wrong option, and says what it has to be.
    pub(crate) fn read(options: &VarDictionary) -> Result<Self, Refusal> {
        let mut read = Self::default();
        for (key, value) in options.iter_shared() {
            let key = key.to_string();
            if key == "cuts" {
                read.making.cuts = lines(&value)?;
                continue;
            }
            if key == "all_bones" {
                let value = value.try_to::<bool>();
                read.has_all_bones =
                    value.map_err(|_| "the option \"all_bones\" has to be true or false")?;
                continue;
            }
            let number = match value.get_type() {
                VariantType::INT => value.to::<i64>() as f64,
                VariantType::FLOAT => value.to::<f64>(),
                _ => return Err(format!("the option \"{key}\" has to be a number").into()),
            };
            match key.as_str() {
                "detail" => read.making.density = Density::Detail(number),
                "vertices" if number >= 3.0 => {
                    read.making.density = Density::Vertices(number as usize)
                }
                "vertices" => return Err("the option \"vertices\" has to be at least 3".into()),
                "margin" => read.making.margin = number,
                "reach" => read.making.reach = number,
                "threshold" if (0.0..255.0).contains(&number) => {
                    read.threshold = Some(number as u8);
                }
                "threshold" => {
                    return Err("the option \"threshold\" has to be from 0 to 254".into());
                }
                _ => {
                    return Err(format!("there is no option \"{key}\", but {KEYS}").into());
                }
            }
        }
        if options.contains_key("detail") && options.contains_key("vertices") {
            return Err("the options \"detail\" and \"vertices\" exclude each other".into());
        }
        Ok(read)
    }
}

/// Lines through points.
///
/// # Errors
/// That it is something else.
fn lines(value: &Variant) -> Result<Vec<Vec<DVec2>>, Refusal> {
    let lines = value.try_to::<AnyArray>().ok();
    let line = |line: Variant| {
        // Conversions make empty arrays of other values.
        let is_line = line.get_type() == VariantType::PACKED_VECTOR2_ARRAY;
        let points: PackedVector2Array = is_line.then(|| line.to())?;
        let points = points.as_slice().iter();
        Some(points.copied().map(wide).collect())
    };
    let lines = lines.and_then(|lines| lines.iter_shared().map(line).collect());
    lines.ok_or_else(|| "the option \"cuts\" has to be an array of PackedVector2Array".into())
}
