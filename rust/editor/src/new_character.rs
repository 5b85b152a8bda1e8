//! A rig for a whole character: a modifier for each arm and leg, for the head, and for what hangs; feet and limits, if
//! they are chosen.

use godot::classes::{Bone2D, Node};
use godot::prelude::*;
use tendon_nodes::nodes::rigging::angles::Degrees;
use tendon_nodes::nodes::rigging::character::{Character, CharacterPart, Extras};
use tendon_nodes::nodes::rigging::names;
use tendon_nodes::nodes::stance::leg::Leg;

use crate::action::Action;
use crate::bake::form::players_in;
use crate::modifiers::{MODIFIERS, MenuBones, MenuModifier};
use crate::new_nodes::{NewModifier, rig_for};
use crate::new_stance::{add_feet, new_stance};
use crate::refusal::Refusal;
use crate::selection::Selection;

/// What is to be made.
pub(super) struct NewCharacter {
    character: Character,
    extras: Extras,
}

impl NewCharacter {
    /// For the skeleton of `selection`, whatever of it is selected.
    ///
    /// # Errors
    /// Why nothing can be made, with advice what to do.
    pub(super) fn of(selection: &Selection) -> Result<Self, Refusal> {
        Ok(Self {
            character: Character::of(&selection.skeleton)?,
            extras: Extras::default(),
        })
    }

    /// The same with what was chosen.
    pub(super) fn with(self, extras: Extras) -> Self {
        Self { extras, ..self }
    }

    /// Whether there are legs that can get feet.
    pub(super) fn has_legs(&self) -> bool {
        self.legs().next().is_some()
    }

    /// Whether an animation of `scene` turns a bone of a leg.
    pub(super) fn walks(&self, scene: &Gd<Node>) -> bool {
        let bones: Vec<_> = self.legs().flat_map(|leg| leg.bones.clone()).collect();
        players_in(scene).iter().any(|player| {
            let Some(root) = player.get_node_or_null(&player.get_root_node()) else {
                return false;
            };
            let turned = |path: &NodePath| root.get_node_or_null(path)?.try_cast::<Bone2D>().ok();
            let names = player.get_animation_list();
            let names = names.as_slice().iter();
            let mut animations =
                names.filter_map(|name| player.get_animation(&StringName::from(name)));
            animations.any(|animation| {
                let mut tracks = 0..animation.get_track_count();
                tracks.any(|track| {
                    let bone = turned(&node_of(&animation.track_get_path(track)));
                    bone.is_some_and(|bone| bones.contains(&bone))
                })
            })
        })
    }

    /// What would be made, and what was not understood, in lines.
    pub(super) fn describe(&self) -> String {
        let Character {
            parts,
            known,
            unknown,
            ..
        } = &self.character;
        let made = parts.iter().map(|part| {
            let bones = names(part.bones.iter().cloned());
            format!("{}: {bones}", part.modifier_name())
        });
        let mut lines: Vec<_> = made.collect();
        lines.extend(self.describe_feet());
        lines.extend(self.describe_limits());
        if !known.is_empty() {
            let bones = names(known.iter().cloned());
            lines.push(format!(
                "\nLeft as they are, as modifiers turn them: {bones}"
            ));
        }
        if !unknown.is_empty() {
            let bones = names(unknown.iter().cloned());
            lines.push(format!("\nNot understood, so nothing is added: {bones}"));
        }
        lines.join("\n")
    }

    /// Adds everything to the selection's rig, as one undo step.
    ///
    /// # Errors
    /// Why that is not possible, in words.
    pub(super) fn add(self, selection: &Selection, title: &str) -> Result<(), Refusal> {
        let mut action = Action::begin(title, &selection.scene)?;
        for (bone, range) in self.limits() {
            action.add_child(&bone.upcast(), &range.limit().upcast());
        }
        let rig = rig_for(&selection.skeleton, &mut action);
        // Before the legs: it tells them where to go.
        let placement = self.pelvis().zip(placement_class());
        let placement = placement
            .map(|(pelvis, (class, property))| new_stance(class, property, &pelvis))
            .inspect(|placement| action.add_child(&rig.clone().upcast(), placement));
        let (mut legs, mut feet) = (Vec::new(), Vec::new());
        for part in &self.character.parts {
            let Some(draft) = part.draft() else {
                continue;
            };
            let is_placed = placement.is_some() && part.is_leg();
            let new = match is_placed {
                true => NewModifier::led(draft),
                false => NewModifier::of(draft),
            };
            let modifier = new.add_to(&rig, selection, &mut action);
            if let Some(leg) = Leg::moved_by(&modifier).filter(|_| is_placed) {
                legs.push(leg);
                feet.push(part.foot_name());
            }
        }
        if let Some(placement) = &placement {
            let place = selection.skeleton.get_global_transform();
            let nodes = add_feet(placement, &legs, &rig.clone().upcast(), &place, &mut action);
            for (mut foot, name) in nodes.into_iter().flatten().zip(feet) {
                foot.set_name(&name);
            }
        }
        // Alone: the gizmos of all modifiers would cover the character.
        action.select(&[rig.upcast()]);
        action.commit();
        Ok(())
    }

    fn legs(&self) -> impl Iterator<Item = &CharacterPart> {
        self.character.parts.iter().filter(|part| part.is_leg())
    }

    /// The bone that carries the feet, if they are chosen.
    fn pelvis(&self) -> Option<Gd<Bone2D>> {
        self.extras.feet.then(|| self.character.pelvis())?
    }

    /// The limits, if they are chosen.
    fn limits(&self) -> Vec<(Gd<Bone2D>, Degrees)> {
        let parts = self.character.parts.iter().filter(|_| self.extras.limits);
        parts.flat_map(CharacterPart::limits).collect()
    }

    fn describe_feet(&self) -> Option<String> {
        let pelvis = self.pelvis()?.get_name();
        let feet: Vec<_> = self.legs().map(CharacterPart::foot_name).collect();
        let feet = feet.join(", ");
        Some(format!(
            "\nFoot placement below \"{pelvis}\": {feet}. The legs have no targets"
        ))
    }

    fn describe_limits(&self) -> Option<String> {
        let limits = self.limits();
        let bones = limits.iter().map(|(bone, range)| {
            format!("{} {:.0}° to {:.0}°", bone.get_name(), range.min, range.max)
        });
        let bones: Vec<_> = bones.collect();
        let lines: Vec<_> = bones
            .chunks(LIMITS_IN_A_LINE)
            .map(|it| it.join(", "))
            .collect();
        (!limits.is_empty()).then(|| format!("\nJoint limits:\n{}", lines.join("\n")))
    }
}

/// How many limits are told in a line.
const LIMITS_IN_A_LINE: usize = 4;

/// The class of placements, and its property for the pelvis.
fn placement_class() -> Option<(&'static MenuModifier, &'static str)> {
    let mut classes = MODIFIERS.iter();
    let class = classes.find(|it| it.class == "TendonFootPlacement2D")?;
    match class.bones {
        MenuBones::Legs(property) => Some((class, property)),
        _ => None,
    }
}

/// The path of a track without its property.
fn node_of(path: &NodePath) -> NodePath {
    NodePath::from(&path.get_concatenated_names())
}
