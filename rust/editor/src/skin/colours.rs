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

/// The colours of many vertices, without making each colour anew.
pub(crate) struct Palette {
    bones: Vec<Color>,
    /// From no weight to all of it.
    steps: Vec<Color>,
}

/// Nobody sees finer ones.
const STEPS: usize = 200;

impl Palette {
    pub(crate) fn new(bone_count: usize) -> Self {
        let weights = (0..=STEPS).map(|step| step as f64 / STEPS as f64);
        Self {
            bones: (0..bone_count).map(colour_of).collect(),
            steps: weights.map(of_weight).collect(),
        }
    }

    /// The colours of bones, mixed by their weights.
    pub(crate) fn mixed(&self, weights: &[(usize, f64)], alpha: f32) -> Color {
        let (mut r, mut g, mut b) = (0.0, 0.0, 0.0);
        for &(bone, weight) in weights {
            let (colour, weight) = (self.bones[bone], weight as f32);
            r += colour.r * weight;
            g += colour.g * weight;
            b += colour.b * weight;
        }
        let Color { r, g, b, .. } = match weights.is_empty() {
            true => NONE,
            false => Color { r, g, b, a: alpha },
        };
        Color { r, g, b, a: alpha }
    }

    /// How much one bone moves: from dark blue over green to red.
    pub(crate) fn of_weight(&self, weight: f64, alpha: f32) -> Color {
        let step = weight.clamp(0.0, 1.0) * STEPS as f64;
        let Color { r, g, b, .. } = self.steps[step.ceil() as usize];
        Color { r, g, b, a: alpha }
    }
}

fn of_weight(weight: f64) -> Color {
    let hue = 0.66 * (1.0 - weight);
    Color::from_hsv(hue, 0.85, if weight > 0.0 { 1.0 } else { 0.35 })
}
