//! The colours of bones over pictures.

use godot::prelude::*;

/// The part of the circle of colours between two bones: those of neighbours differ most.
const GOLDEN: f64 = 0.618_034;

/// Of vertices that no bone moves.
const NONE: Color = Color::from_rgb(1.0, 0.0, 1.0);

/// The colour of the bone with this index in its list.
pub(crate) fn colour_of(bone: usize) -> Color {
    let hue = (0.58 + bone as f64 * GOLDEN).fract();
    // Further ones of the same hue are darker.
    let value = 1.0 - 0.12 * ((bone / 7) % 4) as f64;
    Color::from_hsv(hue, 0.72, value)
}

/// The colours of bones, mixed by their weights.
pub(crate) fn mixed(weights: &[(usize, f64)]) -> Color {
    if weights.is_empty() {
        return NONE;
    }
    let mut mixed = Color::from_rgba(0.0, 0.0, 0.0, 1.0);
    for &(bone, weight) in weights {
        let (colour, weight) = (colour_of(bone), weight as f32);
        mixed.r += colour.r * weight;
        mixed.g += colour.g * weight;
        mixed.b += colour.b * weight;
    }
    mixed
}

/// How much one bone moves: from dark blue over green to red.
pub(crate) fn of_weight(weight: f64) -> Color {
    let hue = 0.66 * (1.0 - weight.clamp(0.0, 1.0));
    Color::from_hsv(hue, 0.85, if weight > 0.0 { 1.0 } else { 0.35 })
}
