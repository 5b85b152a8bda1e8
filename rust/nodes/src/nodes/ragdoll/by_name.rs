//! The masses and the frequencies of single limbs, by the names of their bones.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use godot::meta::GodotConvert;
use godot::meta::shape::GodotShape;
use godot::prelude::*;

use crate::warnings::problem::Problem;

/// The entries of a property, right or wrong.
#[derive(Clone)]
pub(crate) struct ByName {
    property: &'static str,
    entries: Arc<[(String, f64)]>,
}

impl ByName {
    /// Nothing, of the property that has this name.
    pub(super) fn none(property: &'static str) -> Self {
        let entries = Arc::new([]);
        Self { property, entries }
    }

    /// Reads the entries of `numbers`, a dictionary of any type.
    ///
    /// # Errors
    /// The key of an entry that is no number by a name.
    fn read(numbers: &AnyDictionary) -> Result<Arc<[(String, f64)]>, Variant> {
        let entries = numbers.iter_shared().map(|(name, number)| {
            let entry = name.try_to_relaxed::<GString>().ok();
            let entry = entry.zip(number.try_to_relaxed::<f64>().ok());
            let (name, number) = entry.ok_or(name)?;
            // NaN would be another one each time it is looked at.
            let is_finite = (number as f32).is_finite();
            Ok((name.to_string(), if is_finite { number } else { 0.0 }))
        });
        entries.collect()
    }

    pub(super) fn to_dictionary(&self) -> Dictionary<GString, f64> {
        let mut numbers = Dictionary::new();
        for (name, number) in &*self.entries {
            numbers.set(&GString::from(name), *number);
        }
        numbers
    }

    pub(super) fn are_none(&self) -> bool {
        self.entries.is_empty()
    }

    /// The number of the limb whose bone has this name, if it was given one.
    pub(super) fn of(&self, name: &str) -> Option<f32> {
        let found = self.entries.iter().find(|(bone, _)| bone == name);
        found.map(|&(_, number)| number as f32)
    }

    /// Its mass.
    pub(super) fn mass_of(&self, name: &str) -> Option<f32> {
        self.of(name).filter(|&mass| mass > 0.0)
    }

    /// Returns the problems with frequencies of a body whose bones have these names.
    pub(super) fn flaws_of_frequencies(&self, names: &[String]) -> Vec<Problem> {
        let wrong = self
            .entries
            .iter()
            .filter(|(name, _)| !names.contains(name));
        let wrong = wrong.map(|(name, _)| Problem::FrequencyOfNoLimb { name: name.clone() });
        wrong.collect()
    }

    /// Returns the problems with masses of a body that weighs `total`, whose bones have these names.
    pub(super) fn flaws_of_masses(&self, names: &[String], total: f32) -> Vec<Problem> {
        let wrong = self.entries.iter().filter_map(|(name, mass)| {
            let name = name.clone();
            match names.contains(&name) {
                false => Some(Problem::MassOfNoLimb { name }),
                true if *mass <= 0.0 => Some(Problem::NoMass { name }),
                true => None,
            }
        });
        let mut flaws: Vec<_> = wrong.collect();
        let given: Vec<_> = names.iter().map(|name| self.mass_of(name)).collect();
        let sum: f32 = given.iter().flatten().sum();
        if sum > 1.001 * total && given.contains(&None) {
            flaws.push(Problem::HeavyLimbs);
        }
        flaws
    }
}

impl Hash for ByName {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.entries.len().hash(state);
        for (name, number) in &*self.entries {
            (name, number.to_bits()).hash(state);
        }
    }
}

impl GodotConvert for ByName {
    // Scripts that do not know the type of the property, and JSON, set it to a dictionary without types.
    type Via = AnyDictionary;

    fn godot_shape() -> GodotShape {
        Dictionary::<GString, f64>::godot_shape()
    }
}

impl Var for ByName {
    // What a getter has to return.
    type PubType = Dictionary<GString, f64>;

    fn var_get(field: &Self) -> Self::Via {
        field.to_dictionary().upcast_any_dictionary()
    }

    fn var_set(field: &mut Self, value: Self::Via) {
        match Self::read(&value) {
            Ok(entries) => field.entries = entries,
            Err(key) => godot_error!(
                "TendonRagdoll2D.{}: the entry {key} is no number by the name of a bone. The property keeps \
                 what it had.",
                field.property
            ),
        }
    }

    fn var_pub_get(field: &Self) -> Self::PubType {
        field.to_dictionary()
    }

    fn var_pub_set(field: &mut Self, value: Self::PubType) {
        Self::var_set(field, value.upcast_any_dictionary());
    }
}

impl Export for ByName {}
