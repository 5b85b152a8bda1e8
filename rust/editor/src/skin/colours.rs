//! The colours of bones over pictures.

use std::cell::RefCell;
use std::collections::HashMap;

use godot::classes::Bone2D;
use godot::obj::InstanceId;
use godot::prelude::*;
use tendon_nodes::engine::skeleton::{bones_of, skeleton_of_bone};

/// The part of the circle of colours between two bones: those of neighbours differ most.
const GOLDEN: f64 = 0.618_034;

/// Of vertices that no bone moves.
const NONE: Color = Color::from_rgb(1.0, 0.0, 1.0);

thread_local! {
    /// The number of the colour that a bone has had since it was first seen: another one that is added changes no colour.
    static NUMBERS: RefCell<HashMap<InstanceId, usize>> = RefCell::default();
}

fn colour_of(bone: &Gd<Bone2D>) -> Color {
    let number = number_of(bone);
    let hue = (0.58 + number as f64 * GOLDEN).fract();
    // Further ones of the same hue are darker.
    let value = 1.0 - 0.12 * ((number / 7) % 4) as f64;
    Color::from_hsv(hue, 0.72, value)
}

fn number_of(bone: &Gd<Bone2D>) -> usize {
    let known = |bone: &Gd<Bone2D>| NUMBERS.with_borrow(|it| it.get(&bone.instance_id()).copied());
    if let Some(number) = known(bone) {
        return number;
    }
    let bones = skeleton_of_bone(bone).map_or(vec![bone.clone()], |it| bones_of(&it));
    let mut taken: Vec<usize> = bones.iter().filter_map(known).collect();
    for bone in bones.iter().filter(|&it| known(it).is_none()) {
        let free = (0..).find(|number| !taken.contains(number));
        let free = free.unwrap_or_default();
        NUMBERS.with_borrow_mut(|it| it.insert(bone.instance_id(), free));
        taken.push(free);
    }
    known(bone).unwrap_or_default()
}

/// The colours of many vertices, without making each colour anew.
pub(crate) struct BoneColours {
    bones: Vec<Color>,
    /// From no weight to all of it.
    steps: Vec<Color>,
}

/// Nobody sees finer ones.
const STEPS: usize = 200;

impl BoneColours {
    pub(crate) fn of(bones: &[Gd<Bone2D>]) -> Self {
        let weights = (0..=STEPS).map(|step| step as f64 / STEPS as f64);
        Self {
            bones: bones.iter().map(colour_of).collect(),
            steps: weights.map(of_weight).collect(),
        }
    }

    /// The colour of the bone with this index.
    pub(crate) fn bone(&self, index: usize) -> Color {
        self.bones[index]
    }

    /// The same, to be read on the ground of a list.
    pub(crate) fn bright(&self, index: usize) -> Color {
        self.bones[index].lerp(Color::WHITE, 0.25)
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

    /// Returns the colour of the weight of one bone: from dark blue over green to red.
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
