//! Which modifiers a modification becomes.

use godot::classes::Bone2D;
use godot::prelude::*;
use tendon_nodes::engine::bone_lines::{end_of, parent_bone};
use tendon_nodes::engine::skeleton::{bones_of, child_bones};
use tendon_nodes::nodes::rigging::draft::Draft;
use tendon_nodes::plan::rest_bend::LimbBones;
use tendon_nodes::plan::tip::ends_beside;

use crate::convert::stack_reader::{OldJoint, OldKind, OldModification};
use crate::convert::{Converter, Counterpart};
use crate::selection::in_line;

const MAGNETS: &str = "its magnets were left out. The pose that animation and scripts give the \
    bones decides to which side they bend.";

const FROM_JOINT: &str = "joints that turned towards the target by themselves now bring the tip \
    to it.";

const TIP_IN_CHAIN: &str = "the bones at and below its tip were left out: they cannot move it.";

impl Converter<'_> {
    /// The modifiers to make of a modification that has a counterpart: none if its bones are not found.
    pub(super) fn drafts(&mut self, old: &OldModification) -> Vec<Counterpart> {
        let one = match &old.kind {
            OldKind::LookAt {
                joint,
                additional_rotation,
            } => joint.bone.as_ref().map(|bone| {
                let Counterpart { draft, bones } = Counterpart::look_at(bone);
                let draft = draft.set("additional_rotation", *additional_rotation);
                Counterpart { draft, bones }
            }),
            OldKind::TwoBone {
                bones,
                flipped,
                distances,
            } => self.two_bone(bones, *flipped, *distances),
            OldKind::Ccd { joints, tip } => self.ccd(&old.name, joints, tip),
            OldKind::Fabrik {
                joints,
                use_target_rotation,
                has_magnets,
            } => {
                if *has_magnets {
                    self.note(&old.name, MAGNETS);
                }
                self.fabrik(&old.name, joints, *use_target_rotation)
            }
            OldKind::Jiggle {
                joints,
                has_colliders,
            } => return self.jiggle(old, joints, *has_colliders),
            OldKind::PhysicalBones { joints, masses, .. } => return self.ragdolls(joints, masses),
            OldKind::Other(_) => None,
        };
        one.into_iter().collect()
    }

    /// A ragdoll for each tree of physical bones. One that begins at a root of the skeleton falls as a whole; what
    /// hangs on a bone that is none is carried by that.
    fn ragdolls(&self, joints: &[OldJoint], masses: &[f64]) -> Vec<Counterpart> {
        let pairs = joints.iter().zip(masses);
        let limbs = pairs.filter_map(|(joint, &mass)| Some((joint.bone.clone()?, mass)));
        let limbs: Vec<_> = limbs.collect();
        let is_below =
            |bone: &Gd<Bone2D>| limbs.iter().any(|(other, _)| other.is_ancestor_of(bone));
        let firsts = limbs.iter().filter(|(bone, _)| !is_below(bone));
        let drafts = firsts.map(|(first, _)| {
            let turned = limbs
                .iter()
                .filter(|(bone, _)| bone == first || first.is_ancestor_of(bone));
            let mut own = Dictionary::<GString, f64>::new();
            for (bone, mass) in turned.clone() {
                own.set(&GString::from(&bone.get_name()), *mass);
            }
            let mass: f64 = turned.clone().map(|(_, mass)| mass).sum();
            let bones: Vec<_> = turned.map(|(bone, _)| bone.clone()).collect();
            let root = parent_bone(first).map(|_| first);
            let last = bones.last().unwrap_or(first);
            let mut draft = Draft::at("TendonRagdoll2D", last).with_any("root_bone", root);
            if mass > 0.0 {
                draft = draft.set("mass", mass).set("masses", own);
            }
            Counterpart { draft, bones }
        });
        drafts.collect()
    }

    fn two_bone(
        &mut self,
        bones: &[Option<Gd<Bone2D>>; 2],
        flipped: bool,
        distances: [f32; 2],
    ) -> Option<Counterpart> {
        let [Some(one), Some(two)] = bones.clone() else {
            return None;
        };
        in_line(&[one.clone(), two.clone()]).ok()?;
        let [min, max] = distances.map(|distance| distance / self.scale());
        // Here the rest pose says to which side a limb bends that is not flipped.
        let (upper, lower, tip) = (&one, &two, end_of(&two));
        let flips = flipped != LimbBones { upper, lower, tip }.rests_flipped();
        let draft = Draft::at("TendonTwoBoneIK2D", &two)
            .with("bone_one", &one)
            .with("bone_two", &two)
            .with_any("tip", tip_beside(&two).as_ref())
            .set("flip_bend_direction", flips)
            .set("min_distance", min)
            .set("max_distance", max);
        let bones = vec![one, two];
        Some(Counterpart { draft, bones })
    }

    fn ccd(&mut self, name: &str, joints: &[OldJoint], tip: &NodePath) -> Option<Counterpart> {
        let mut line = self.line(joints)?;
        let tip = self.selection.skeleton.try_get_node_as::<Node2D>(tip);
        let first = joints.first()?.bone.clone();
        let root_first = line.len() > 1 && first == line.first().cloned();
        let count = line.len();
        if let Some(tip) = &tip {
            line.retain(|bone| bone.is_ancestor_of(tip));
        }
        if line.len() < count {
            self.note(name, TIP_IN_CHAIN);
        }
        if joints.iter().any(|joint| joint.rotates_from_joint) {
            self.note(name, FROM_JOINT);
        }
        if tip.is_none() {
            self.note(
                name,
                "its tip was not found; the end of the last bone counts.",
            );
        }
        let Counterpart { draft, bones } = self.chain(name, "TendonCCDIK2D", line)?;
        let draft = draft.with_any("tip", tip.as_ref());
        let draft = draft.set("root_first", root_first);
        Some(Counterpart { draft, bones })
    }

    fn fabrik(&mut self, name: &str, joints: &[OldJoint], turned: bool) -> Option<Counterpart> {
        let line = self.line(joints)?;
        let tip = line.last().and_then(tip_beside);
        let Counterpart { draft, bones } = self.chain(name, "TendonFABRIK2D", line)?;
        let draft = draft.with_any("tip", tip.as_ref());
        let draft = draft.set("match_target_rotation", turned);
        Some(Counterpart { draft, bones })
    }

    /// The bones of `joints`, root first, if they are one line.
    fn line(&self, joints: &[OldJoint]) -> Option<Vec<Gd<Bone2D>>> {
        let bones: Option<Vec<_>> = joints.iter().map(|joint| joint.bone.clone()).collect();
        let bones = bones?;
        let order = bones_of(&self.selection.skeleton).into_iter();
        let sorted: Vec<_> = order.filter(|bone| bones.contains(bone)).collect();
        in_line(&sorted).ok()
    }

    /// A chain along `line`.
    fn chain(
        &mut self,
        name: &str,
        class: &'static str,
        line: Vec<Gd<Bone2D>>,
    ) -> Option<Counterpart> {
        let draft = Draft::line(class, line.first()?, line.last()?);
        for bone in draft.joints().iter().rev() {
            if !line.contains(bone) {
                self.note(name, skipped(bone));
            }
        }
        let bones = line;
        Some(Counterpart { draft, bones })
    }

    /// The number of units of the screen in one of the skeleton.
    fn scale(&self) -> f32 {
        let transform = self.selection.skeleton.get_global_transform();
        let scale = transform.determinant().abs().sqrt();
        if scale > 0.0 { scale } else { 1.0 }
    }
}

/// The tip of a chain whose last bone ends elsewhere than at its child, by a length and an angle
/// that were set by hand: that child.
fn tip_beside(last: &Gd<Bone2D>) -> Option<Gd<Bone2D>> {
    child_bones(last)
        .next()
        .filter(|child| ends_beside(last, child))
}

fn skipped(bone: &Gd<Bone2D>) -> String {
    let bone = bone.get_name();
    format!(
        "it left out the bone \"{bone}\", which its counterpart turns, too. To keep that bone as \
         it is, add a joint limit to it with a stiffness of 1."
    )
}
