//! Feet for the selected legs: a gait or a placement, and for each leg a foot, and a modifier that reaches if there is
//! none.

use godot::classes::Bone2D;
use godot::prelude::*;
use tendon_nodes::engine::bone_lines::parent_bone;
use tendon_nodes::nodes::new_names::new_name;
use tendon_nodes::nodes::stance::leg::{Leg, legs_below, settings_for};

use crate::action::Action;
use crate::modifiers::MenuModifier;
use crate::new_nodes::rig_for;
use crate::refusal::Refusal;
use crate::selection::Selection;

/// What is to be made.
pub(super) struct NewStance {
    class: &'static MenuModifier,
    /// The property for the pelvis, and what it is.
    pelvis: (&'static str, Gd<Bone2D>),
    legs: Vec<Leg>,
}

impl NewStance {
    /// For the selected legs: for the first bone of each, or for the bone that carries all.
    ///
    /// # Errors
    /// What to select instead.
    pub(super) fn of(
        class: &'static MenuModifier,
        property: &'static str,
        selection: &Selection,
    ) -> Result<Self, Refusal> {
        let advice = "Select the first bone of each leg, or the one bone that carries all legs.";
        let (pelvis, roots) = match selection.bones.as_slice() {
            [] => return Err(advice.into()),
            [pelvis] => (pelvis.clone(), legs_below(pelvis)),
            roots => (common_parent(roots).ok_or(advice)?, roots.to_vec()),
        };
        let rig = selection.rig().map(Gd::upcast);
        let legs = roots.iter().map(|root| Leg::from(root, rig.as_ref()));
        let legs = legs.collect::<Option<Vec<_>>>();
        let legs = legs.filter(|legs| !legs.is_empty());
        let name = pelvis.get_name();
        let advice = format!(
            "A leg needs two bones or more, one below the other, and \"{name}\" has to carry it. {advice}"
        );
        Ok(Self {
            class,
            pelvis: (property, pelvis),
            legs: legs.ok_or(advice)?,
        })
    }

    /// All bones that it is about: the pelvis, and the first one of each leg.
    pub(super) fn bones(&self) -> Vec<Gd<Bone2D>> {
        let roots = self.legs.iter().map(|leg| leg.first().clone());
        [self.pelvis.1.clone()].into_iter().chain(roots).collect()
    }

    /// Adds everything to the selection's rig, as one undo step.
    pub(super) fn add(&self, selection: &Selection, title: &str) -> Option<()> {
        let mut action = Action::begin(title, &selection.scene).ok()?;
        let rig = rig_for(&selection.skeleton, &mut action).upcast::<Node>();
        let stance = new_stance(self.class, self.pelvis.0, &self.pelvis.1);
        action.add_child(&rig, &stance);
        if let Some(index) = self.first_limb_in(&rig) {
            // It comes before the modifiers that are there.
            let to = [stance.to_variant(), index.to_variant()];
            action.when_done(&rig, "move_child", &to);
        }
        let place = selection.skeleton.get_global_transform();
        add_feet(&stance, &self.legs, &rig, &place, &mut action)?;
        action.select(&[stance]);
        action.commit();
        Some(())
    }

    /// Where the first child of `rig` is that moves one of the legs, or has such a modifier below it.
    fn first_limb_in(&self, rig: &Gd<Node>) -> Option<i32> {
        let limbs = self.legs.iter().filter_map(Leg::limb);
        let children = limbs.filter_map(|limb| {
            let mut node = limb.clone();
            while node.get_parent()? != *rig {
                node = node.get_parent()?;
            }
            Some(node.get_index())
        });
        children.min()
    }
}

/// A stance of `class` for the legs below `pelvis`, its `property`.
pub(super) fn new_stance(
    class: &'static MenuModifier,
    property: &'static str,
    pelvis: &Gd<Bone2D>,
) -> Gd<Node> {
    let mut stance = class.instantiate();
    stance.set_name(&new_name(&pelvis.get_name().to_string(), class.class));
    stance.set(property, &pelvis.to_variant());
    stance
}

/// Adds a foot below `stance` for each of `legs` of a skeleton at `place`, and sets what suits their lengths. Legs
/// without a modifier get one below `rig`. Returns the feet.
pub(super) fn add_feet(
    stance: &Gd<Node>,
    legs: &[Leg],
    rig: &Gd<Node>,
    place: &Transform2D,
    action: &mut Action,
) -> Option<Vec<Gd<Node>>> {
    let [settings, of_foot] = settings_for(legs, place, stance);
    for (property, value) in settings {
        stance.clone().set(property, &value);
    }
    let feet = legs.iter().map(|leg| {
        let limb = match leg.limb() {
            Some(limb) => limb.clone(),
            None => {
                let limb = leg.new_limb()?;
                action.add_child(rig, &limb);
                limb
            }
        };
        let mut foot = leg.new_foot(&limb).upcast::<Node>();
        for (property, value) in &of_foot {
            foot.set(*property, value);
        }
        action.add_child(stance, &foot);
        Some(foot)
    });
    feet.collect()
}

/// The nearest bone above all of `bones`.
fn common_parent(bones: &[Gd<Bone2D>]) -> Option<Gd<Bone2D>> {
    let mut parent = parent_bone(bones.first()?)?;
    while !bones.iter().all(|bone| parent.is_ancestor_of(bone)) {
        parent = parent_bone(&parent)?;
    }
    Some(parent)
}
