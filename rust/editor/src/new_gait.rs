//! Legs that step, for the selected bones: a gait, and for each leg a foot and a modifier that reaches.

use godot::classes::Bone2D;
use godot::prelude::*;
use tendon_nodes::engine::bone_lines::{
    end_of, length_of, longest_line, parent_bone, places_along,
};
use tendon_nodes::engine::skeleton::child_bones;
use tendon_nodes::nodes::rigging::draft::new_name;

use crate::action::Action;
use crate::modifiers::MenuModifier;
use crate::new_nodes::{is_flipped, make, rig_for};
use crate::selection::Selection;

/// What is to be made.
pub(super) struct NewGait {
    class: &'static MenuModifier,
    /// The property for the pelvis, and what it is.
    pelvis: (&'static str, Gd<Bone2D>),
    legs: Vec<NewLeg>,
}

/// The bones of a leg.
struct NewLeg {
    /// Those that reach: two or more.
    line: Vec<Gd<Bone2D>>,
    /// The one after them, if it is turned to the ground.
    foot: Option<Gd<Bone2D>>,
}

/// More legs than that step in a wave.
const MOST_ALTERNATING: usize = 8;

/// A third bone that is shorter than this part of the second is a foot.
const FOOT: f32 = 0.7;

impl NewGait {
    /// For the selected legs: for the first bone of each, or for the bone that carries all.
    ///
    /// # Errors
    /// What to select instead.
    pub(super) fn of(
        class: &'static MenuModifier,
        property: &'static str,
        selection: &Selection,
    ) -> Result<Self, String> {
        let advice = "Select the first bone of each leg, or the one bone that carries all legs.";
        let (pelvis, roots) = match selection.bones.as_slice() {
            [] => return Err(advice.into()),
            [pelvis] => (pelvis.clone(), legs_below(pelvis)),
            roots => (common_parent(roots).ok_or(advice)?, roots.to_vec()),
        };
        let legs = roots.iter().map(NewLeg::of);
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
        let roots = self.legs.iter().map(|leg| leg.line[0].clone());
        [self.pelvis.1.clone()].into_iter().chain(roots).collect()
    }

    /// Adds everything to the selection's rig, as one undo step.
    pub(super) fn add(&self, selection: &Selection, title: &str) -> Option<()> {
        let mut action = Action::begin(title, &selection.scene).ok()?;
        let rig = rig_for(&selection.skeleton, &mut action).upcast::<Node>();
        let mut gait = self.class.instantiate();
        let pelvis = self.pelvis.1.get_name().to_string();
        gait.set_name(&new_name(&pelvis, self.class.class));
        gait.set(self.pelvis.0, &self.pelvis.1.to_variant());
        for (property, value) in self.settings(&selection.skeleton.get_global_transform()) {
            gait.set(property, &value);
        }
        action.add_child(&rig, &gait);
        for leg in &self.legs {
            let limb = leg.new_limb()?;
            action.add_child(&rig, &limb);
            let foot = leg.new_foot(&limb)?;
            action.add_child(&gait, &foot);
        }
        action.select(&[gait]);
        action.commit();
        Some(())
    }

    /// What suits legs of this length, in units of the skeleton, which is at `place`.
    fn settings(&self, place: &Transform2D) -> Vec<(&'static str, Variant)> {
        let into_skeleton = place.affine_inverse();
        let lengths = self.legs.iter().map(|leg| leg.length(&into_skeleton));
        let length = lengths.fold(f32::INFINITY, f32::min);
        let part = |part: f32| (part * length).round().max(1.0).to_variant();
        let order = i64::from(self.legs.len() > MOST_ALTERNATING);
        vec![
            ("gait", order.to_variant()),
            ("step_distance", part(0.4)),
            ("step_height", part(0.15)),
            ("search_up", part(0.6)),
            ("search_down", part(0.8)),
            ("max_pelvis_drop", part(0.5)),
            ("max_pelvis_rise", part(0.5)),
        ]
    }
}

impl NewLeg {
    /// The leg whose first bone is `root`.
    fn of(root: &Gd<Bone2D>) -> Option<Self> {
        let mut line = vec![root.clone()];
        line.extend(longest_line(&root.clone().upcast()));
        let mut foot = None;
        if let [_, shin, last] = line.as_slice() {
            let length = |bone: &Gd<Bone2D>| end_of(bone).length();
            if length(last) < FOOT * length(shin) {
                foot = line.pop();
            }
        }
        (line.len() >= 2).then_some(Self { line, foot })
    }

    fn length(&self, into_skeleton: &Transform2D) -> f32 {
        let last = self.line.last().expect("a leg has bones");
        let tip = last.get_global_transform() * end_of(last);
        let places = places_along(&self.line, tip).into_iter();
        let places: Vec<_> = places.map(|place| *into_skeleton * place).collect();
        length_of(&places)
    }

    /// The modifier that moves it.
    fn new_limb(&self) -> Option<Gd<Node>> {
        let (first, last) = (self.line.first()?, self.line.last()?);
        let class = match self.line.len() {
            2 => "TendonTwoBoneIK2D",
            _ => "TendonFABRIK2D",
        };
        let mut limb = make(class, &new_name(&last.get_name().to_string(), class))?;
        if self.line.len() > 2 {
            limb.set("root_bone", &first.to_variant());
            limb.set("tip_bone", &last.to_variant());
            return Some(limb);
        }
        limb.set("bone_one", &first.to_variant());
        limb.set("bone_two", &last.to_variant());
        let mut tip = end_of(last);
        if let Some(foot) = &self.foot {
            tip = foot.get_position();
            limb.set("tip", &foot.to_variant());
        }
        // The leg keeps the bend that it has.
        let flips = is_flipped(first, last, tip);
        limb.set("flip_bend_direction", &flips.to_variant());
        Some(limb)
    }

    /// The foot, which names `limb`.
    fn new_foot(&self, limb: &Gd<Node>) -> Option<Gd<Node>> {
        let name = format!("{}Foot", self.line.first()?.get_name());
        let mut foot = make("TendonFoot2D", &name)?;
        foot.set("limb", &limb.to_variant());
        if let Some(bone) = &self.foot {
            foot.set("foot_bone", &bone.to_variant());
            // The end of the foot is on the ground, or near it.
            let end = bone.get_global_transform() * end_of(bone);
            let height = (end - bone.get_global_position()).y.max(0.0);
            foot.set("sole_height", &height.to_variant());
        }
        Some(foot)
    }
}

/// The first bones of all legs below `pelvis`: lines of two bones or more that end below it.
fn legs_below(pelvis: &Gd<Bone2D>) -> Vec<Gd<Bone2D>> {
    let is_leg = |root: &Gd<Bone2D>| {
        let line = longest_line(&root.clone().upcast());
        let last = line.last();
        let end = last.map(|last| last.get_global_transform() * end_of(last));
        end.is_some_and(|end| end.y > pelvis.get_global_position().y)
    };
    child_bones(pelvis).filter(is_leg).collect()
}

/// The nearest bone above all of `bones`.
fn common_parent(bones: &[Gd<Bone2D>]) -> Option<Gd<Bone2D>> {
    let mut parent = parent_bone(bones.first()?)?;
    while !bones.iter().all(|bone| parent.is_ancestor_of(bone)) {
        parent = parent_bone(&parent)?;
    }
    Some(parent)
}
