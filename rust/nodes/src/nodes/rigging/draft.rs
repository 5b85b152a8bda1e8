//! A modifier that is to be made: its class, its name, and what its properties are set to.

use godot::classes::{Bone2D, ClassDb};
use godot::prelude::*;

use crate::engine::bone_lines::{end_of, frame_in, length_of, parent_bone};
use crate::nodes::new_names::{name_after, new_name};
use crate::plan::rest_bend::LimbBones;
use crate::plan::tip::has_unknown_end;

/// The properties that name the bones of a modifier.
const BONES: [&str; 5] = ["bone", "bone_one", "bone_two", "root_bone", "tip_bone"];

/// A modifier that is to be made.
pub struct Draft {
    class: &'static str,
    /// The bone that it is named after, if it works on one, and at whose end the target is.
    tip_bone: Option<Gd<Bone2D>>,
    /// The place of the tip, and so of its target, in the frame of `tip_bone`.
    tip: Vector2,
    /// The bone at the tip that is turned as the target is.
    turned: Option<Gd<Bone2D>>,
    /// The properties that are nodes. The first of a chain is its first bone.
    references: Vec<(&'static str, Gd<Node>)>,
    settings: Vec<(&'static str, Variant)>,
    /// The names of the modifier and of its target, if they are not those of the bone.
    names: Option<[String; 2]>,
}

impl Draft {
    /// A modifier of `class` that works on no bone, or on all.
    pub fn new(class: &'static str) -> Self {
        Self {
            class,
            tip_bone: None,
            tip: Vector2::ZERO,
            turned: None,
            references: Vec::new(),
            settings: Vec::new(),
            names: None,
        }
    }

    /// A modifier of `class` whose tip is the end of `bone`.
    pub fn at(class: &'static str, bone: &Gd<Bone2D>) -> Self {
        Self {
            tip_bone: Some(bone.clone()),
            tip: end_of(bone),
            ..Self::new(class)
        }
    }

    /// A modifier for two bones, with the bend that they have now. `end` is the bone at their end, if one is meant.
    pub fn limb(upper: &Gd<Bone2D>, lower: &Gd<Bone2D>, end: Option<&Gd<Bone2D>>) -> Self {
        let draft = Self::at("TendonTwoBoneIK2D", lower);
        let draft = draft.with("bone_one", upper).with("bone_two", lower);
        let draft = draft.ending(end);
        let tip = draft.tip;
        let flips = LimbBones { upper, lower, tip }.is_flipped();
        draft.set("flip_bend_direction", flips)
    }

    /// With `end`, a bone that hangs on the last one, as the tip.
    fn ending(mut self, end: Option<&Gd<Bone2D>>) -> Self {
        let last = self.tip_bone.clone();
        let Some(end) = end.filter(|end| parent_bone(end) == last) else {
            return self;
        };
        self.tip = end.get_position();
        self.with("tip", end)
    }

    /// A modifier that reaches by `bones`, root first, two or more: by a two-bone one with the bend that they have, or by
    /// one of many bones. `end` is the bone at their end, if one is meant.
    pub(super) fn reaching(bones: &[Gd<Bone2D>], end: Option<&Gd<Bone2D>>) -> Option<Self> {
        match bones {
            [upper, lower] => Some(Self::limb(upper, lower, end)),
            [root, .., tip] => Some(Self::line("TendonFABRIK2D", root, tip).ending(end)),
            _ => None,
        }
    }

    /// A modifier of `class` for all bones from `root` to `tip`.
    pub fn line(class: &'static str, root: &Gd<Bone2D>, tip: &Gd<Bone2D>) -> Self {
        let draft = Self::at(class, tip);
        draft.with("root_bone", root).with("tip_bone", tip)
    }

    /// A body that hangs on `root`, without effectors.
    pub fn body(root: &Gd<Bone2D>) -> Self {
        Self::at("TendonFullBody2D", root).with("root_bone", root)
    }

    /// A spring for all bones from `root` to `tip`, with a frequency that suits the length of the chain. A long one
    /// at the frequency of a short one would look stiff.
    pub fn spring(root: &Gd<Bone2D>, tip: &Gd<Bone2D>) -> Self {
        let draft = Self::line("TendonSpring2D", root, tip);
        let frequency = suitable_frequency(draft.length());
        draft.set("frequency", frequency)
    }

    /// A look-at for `bone`, which shares the turn with the bones from `root` on.
    pub fn look(root: Option<&Gd<Bone2D>>, bone: &Gd<Bone2D>) -> Self {
        let draft = Self::at("TendonLookAt2D", bone).with("bone", bone);
        match root.filter(|&root| root != bone) {
            Some(root) => draft.with("chain_root", root),
            None => draft,
        }
    }

    /// With the target at `place`, in the frame of the last bone.
    pub(super) fn aimed(self, place: Vector2) -> Self {
        Self { tip: place, ..self }
    }

    /// With `end`, the bone that begins at the tip, turned as the target is: a foot that stays flat.
    pub(super) fn turning(mut self, end: &Gd<Bone2D>) -> Self {
        if self.reference("tip").is_none() {
            self = self.with("tip", end);
        }
        self.turned = Some(end.clone());
        self.set("match_target_rotation", true)
    }

    /// Without what a target would turn: something else says where it goes.
    pub(super) fn led(mut self) -> Self {
        self.settings
            .retain(|(property, _)| *property != "match_target_rotation");
        self
    }

    /// With `node` as the value of a property.
    pub fn with<T: Inherits<Node>>(mut self, property: &'static str, node: &Gd<T>) -> Self {
        self.references.push((property, node.clone().upcast()));
        self
    }

    /// With `node` as the value of a property, if there is one.
    pub fn with_any<T: Inherits<Node>>(self, property: &'static str, node: Option<&Gd<T>>) -> Self {
        match node {
            Some(node) => self.with(property, node),
            None => self,
        }
    }

    /// With another value of a property.
    pub fn set(mut self, property: &'static str, value: impl ToGodot) -> Self {
        self.settings.push((property, value.to_variant()));
        self
    }

    /// Called `name`, with a target called `target`.
    pub(super) fn named(mut self, name: String, target: String) -> Self {
        self.names = Some([name, target]);
        self
    }

    /// The node that is the value of a property, if there is one.
    pub fn reference(&self, property: &str) -> Option<&Gd<Node>> {
        let mut references = self.references.iter();
        let (_, node) = references.find(|(name, _)| *name == property)?;
        Some(node)
    }

    /// Returns `true` if `node` is of its class, and turns the same bones.
    pub fn is_done_by(&self, node: &Gd<Node>) -> bool {
        let mut references = self.references.iter();
        let is_same = |(name, other): &(&str, Gd<Node>)| {
            !BONES.contains(name) || node.get(*name) == other.to_variant()
        };
        node.is_class(self.class) && references.all(is_same)
    }

    /// The nodes that it refers to.
    pub fn nodes(&self) -> impl Iterator<Item = Gd<Node>> {
        self.references.iter().map(|(_, node)| node.clone())
    }

    /// The bone that it is named after, and at whose end its target is; and that end, in the frame of the bone.
    pub fn end(&self) -> Option<(&Gd<Bone2D>, Vector2)> {
        self.tip_bone.as_ref().map(|bone| (bone, self.tip))
    }

    /// The bone at its end, if neither a length nor a child nor a tip says where that ends.
    pub(super) fn endless_bone(&self) -> Option<&Gd<Bone2D>> {
        let bone = self.tip_bone.as_ref()?;
        let has_no_tip = self.reference("tip").is_none() && self.has("tip");
        (has_no_tip && has_unknown_end(bone)).then_some(bone)
    }

    /// The bone that is to be turned as its target is, if there is one.
    pub(super) fn turned_bone(&self) -> Option<&Gd<Bone2D>> {
        self.turned.as_ref()
    }

    /// Returns the name of its target.
    pub(super) fn target_name(&self) -> String {
        match &self.names {
            Some([_, target]) => target.clone(),
            None => name_after(&self.bone_name(), "Target"),
        }
    }

    /// The node, without a target.
    pub fn instantiate(&self) -> Gd<Node> {
        let mut node: Gd<Node> = ClassDb::singleton().instantiate(self.class).to();
        let name = match &self.names {
            Some([name, _]) => name.clone(),
            None => new_name(&self.bone_name(), self.class),
        };
        node.set_name(&name);
        for (property, other) in &self.references {
            node.set(*property, &other.to_variant());
        }
        for (property, value) in &self.settings {
            node.set(*property, value);
        }
        node
    }

    /// Returns `true` if its class has the property `name`.
    pub fn has(&self, name: &str) -> bool {
        let names = ClassDb::singleton().class_get_property_list(self.class);
        let name = name.to_variant();
        let mut names = names.iter_shared();
        names.any(|property| property.get("name").as_ref() == Some(&name))
    }

    /// The bones from the first one that it refers to down to the last.
    pub fn joints(&self) -> Vec<Gd<Bone2D>> {
        let root = self.references.first().map(|(_, root)| root.instance_id());
        let mut chain: Vec<_> = self.tip_bone.iter().cloned().collect();
        while let Some(last) = chain.last().filter(|last| Some(last.instance_id()) != root)
            && let Some(parent) = parent_bone(last)
        {
            chain.push(parent);
        }
        chain.reverse();
        chain
    }

    /// The length of the chain, in global units.
    pub fn length(&self) -> f32 {
        let Some((last, tip)) = self.end() else {
            return 0.0;
        };
        let joints = self
            .joints()
            .into_iter()
            .map(|bone| frame_in(&bone, None).origin);
        let places: Vec<_> = joints.chain([frame_in(last, None) * tip]).collect();
        length_of(&places)
    }

    fn bone_name(&self) -> String {
        let bone = self.tip_bone.as_ref();
        bone.map_or_else(String::new, |bone| bone.get_name().to_string())
    }
}

/// In hertz, for a chain of this length in global pixels. As for a pendulum, it falls with the
/// root of the length: 1 Hz for 540 px, a long tail, and 6 Hz for 15 px, an ear.
pub fn suitable_frequency(length: f32) -> f32 {
    let frequency = (540.0 / length.max(1.0)).sqrt();
    (10.0 * frequency.clamp(0.5, 6.0)).round() / 10.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_chains_swing_slowly() {
        let frequencies = [15.0, 60.0, 300.0, 540.0, 1e6, 0.0].map(suitable_frequency);
        assert_eq!(frequencies, [6.0, 3.0, 1.3, 1.0, 0.5, 6.0]);
    }
}
