//! The masses of single limbs, by the names of their bones.

use std::sync::Arc;

use godot::meta::GodotConvert;
use godot::meta::shape::GodotShape;
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
    /// What `masses` says, a dictionary of any type.
    ///
    /// # Errors
    /// The key of an entry that is no number by a name.
    fn from_dictionary(masses: &AnyDictionary) -> Result<Self, Variant> {
        let entries = masses.iter_shared().map(|(name, mass)| {
            let entry = name.try_to_relaxed::<GString>().ok();
            let entry = entry.zip(mass.try_to_relaxed::<f64>().ok());
            let (name, mass) = entry.ok_or(name)?;
            // NaN would be another one each time it is looked at.
            let is_mass = (mass as f32).is_finite();
            let mass = if is_mass { mass } else { 0.0 };
            Ok((name.to_string(), mass))
        });
        entries.collect::<Result<_, _>>().map(Self)
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

impl GodotConvert for Masses {
    // Scripts that do not know the type of the property, and JSON, set it to a dictionary without types.
    type Via = AnyDictionary;

    fn godot_shape() -> GodotShape {
        Dictionary::<GString, f64>::godot_shape()
    }
}

impl Var for Masses {
    // What a getter has to return.
    type PubType = Dictionary<GString, f64>;

    fn var_get(field: &Self) -> Self::Via {
        field.to_dictionary().upcast_any_dictionary()
    }

    fn var_set(field: &mut Self, value: Self::Via) {
        match Self::from_dictionary(&value) {
            Ok(masses) => *field = masses,
            Err(key) => godot_error!(
                "TendonRagdoll2D.masses: the entry {key} is no number by the name of a bone. The property keeps \
                 the masses that it had."
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

impl Export for Masses {}
