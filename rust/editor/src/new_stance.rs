//! Feet for the selected legs: a gait or a placement, and for each leg a foot, and a modifier that reaches if there is
//! none.

use godot::classes::Bone2D;
use godot::prelude::*;
use tendon_nodes::nodes::rigging::adding::rig_for;
use tendon_nodes::nodes::rigging::character::common_parent;
use tendon_nodes::nodes::rigging::leg::{LegBones, add_feet, legs_below, new_stance};

use crate::action::Action;
use crate::refusal::Refusal;
use crate::selection::Selection;

/// A gait or foot placement that is to be made, with its feet.
pub(super) struct NewStance {
    class: &'static str,
    pelvis: Gd<Bone2D>,
    legs: Vec<LegBones>,
}

impl NewStance {
    /// For the selected legs: for the first bone of each, or for the bone that carries all.
    ///
    /// # Errors
    /// Returns an error that says what to select, if there are no legs.
    pub(super) fn of(class: &'static str, selection: &Selection) -> Result<Self, Refusal> {
        let advice = "Select the first bone of each leg, or the one bone that carries all legs.";
        let rig = selection.rig().map(Gd::upcast);
        let (pelvis, legs) = match selection.bones.as_slice() {
            [] => return Err(advice.into()),
            [pelvis] => (
                pelvis.clone(),
                Some(legs_below(pelvis, rig.as_ref(), Vector2::UP)),
            ),
            roots => {
                let legs = roots.iter().map(|root| LegBones::from(root, rig.as_ref()));
                (common_parent(roots).ok_or(advice)?, legs.collect())
            }
        };
        let legs = legs.filter(|legs: &Vec<_>| !legs.is_empty());
        let name = pelvis.get_name();
        let advice = format!(
            "A leg needs two bones or more, one below the other, that come down to the ground, and \"{name}\" has to \
             carry it. {advice}"
        );
        Ok(Self {
            class,
            pelvis,
            legs: legs.ok_or(advice)?,
        })
    }

    /// All bones that it is about: the pelvis, and the first one of each leg.
    pub(super) fn bones(&self) -> Vec<Gd<Bone2D>> {
        let roots = self.legs.iter().map(|leg| leg.first().clone());
        [self.pelvis.clone()].into_iter().chain(roots).collect()
    }

    /// Adds everything to the selection's rig, as one undo step.
    pub(super) fn add(&self, selection: &Selection, title: &str) -> Option<()> {
        let mut action = Action::begin(title, &selection.scene).ok()?;
        let rig = rig_for(&selection.skeleton, &mut action).upcast::<Node>();
        let stance = new_stance(self.class, &self.pelvis);
        action.add_child(&rig, &stance);
        let place = selection.skeleton.get_global_transform();
        add_feet(&stance, &self.legs, &rig, &place, &mut action);
        action.select(&[stance]);
        action.commit();
        Some(())
    }
}
