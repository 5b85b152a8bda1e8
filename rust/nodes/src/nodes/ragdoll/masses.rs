//! The masses of single limbs, by the names of their bones.

use std::sync::Arc;

use godot::prelude::*;

use crate::warnings::problem::Problem;

/// What the property says, right or wrong.
#[derive(Clone, PartialEq)]
pub(crate) struct Masses(Arc<[(String, f64)]>);

impl Default for Masses {
    fn default() -> Self {
        Self(Arc::new([]))
    }
}

impl Masses {
    pub(super) fn from_dictionary(masses: &Dictionary<GString, f64>) -> Self {
        let entries = masses.iter_shared().map(|(name, mass)| {
            // NaN would be another one each time it is looked at.
            let is_mass = (mass as f32).is_finite();
            let mass = if is_mass { mass } else { 0.0 };
            (name.to_string(), mass)
        });
        Self(entries.collect())
    }

    pub(super) fn to_dictionary(&self) -> Dictionary<GString, f64> {
        let mut masses = Dictionary::new();
        for (name, mass) in &*self.0 {
            masses.set(&GString::from(name), *mass);
        }
        masses
    }

    pub(super) fn are_none(&self) -> bool {
        self.0.is_empty()
    }

    /// The mass of the limb whose bone has this name, if it was given one.
    pub(super) fn of(&self, name: &str) -> Option<f32> {
        let found = self.0.iter().find(|(bone, _)| bone == name);
        let mass = found.map(|&(_, mass)| mass as f32);
        mass.filter(|&mass| mass > 0.0)
    }

    /// What is wrong with them for a body of the mass `total` whose bones have these names.
    pub(super) fn flaws(&self, names: &[String], total: f32) -> Vec<Problem> {
        let wrong = self.0.iter().filter_map(|(name, mass)| {
            let name = name.clone();
            match names.contains(&name) {
                false => Some(Problem::MassOfNoLimb { name }),
                true if *mass <= 0.0 => Some(Problem::NoMass { name }),
                true => None,
            }
        });
        let mut flaws: Vec<_> = wrong.collect();
        let given: Vec<_> = names.iter().map(|name| self.of(name)).collect();
        let sum: f32 = given.iter().flatten().sum();
        if sum > 1.001 * total && given.contains(&None) {
            flaws.push(Problem::HeavyLimbs);
        }
        flaws
    }
}
