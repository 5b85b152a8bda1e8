//! A soft brush.

/// What a brush does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Brush {
    /// Brings the weight of a bone nearer to this one.
    Set {
        /// The bone.
        bone: usize,
        /// From 0 to 1.
        weight: f64,
    },
    /// Adds to the weight of a bone.
    Add {
        /// The bone.
        bone: usize,
        /// From -1 to 1.
        weight: f64,
    },
    /// Brings the weights of all bones nearer to those beside.
    Smooth,
}

impl Brush {
    /// How strongly a brush acts at a distance from its middle: 1 there, and 0 from the radius on.
    pub fn softness(distance: f64, radius: f64) -> f64 {
        if distance >= radius {
            return 0.0;
        }
        (1.0 - (distance / radius).powi(2)).powi(2)
    }
}
