//! From a `SkeletonModificationStack2D` to Tendon's nodes.

mod old_limit;
pub(super) mod stack;

use godot::classes::{Bone2D, Resource};
use godot::prelude::*;

use crate::editor::action::Action;
use crate::editor::convert::old_limit::WHOLE;
use crate::editor::convert::stack::{OldConstraint, OldJoint, OldKind, OldModification};
use crate::editor::new_nodes::{make, new_limit, new_name, rig_for};
use crate::editor::pose::has_rest;
use crate::editor::selection::{Selection, bones_of, in_line};
use crate::nodes::joint_limit::{Space, limit_on};
use crate::nodes::rig::CallbackModeProcess;

/// Makes a modifier of each modification in `stack` that has a counterpart, and switches the
/// stack off: one undo step. Returns what to tell, a line for each matter.
///
/// # Errors
/// Why nothing was converted, in words.
pub(super) fn convert(
    selection: &Selection,
    stack: &Gd<Resource>,
    title: &str,
) -> Result<Vec<String>, String> {
    let old = stack::read(stack, &selection.skeleton);
    let mut converter = Converter {
        selection,
        modifiers: Vec::new(),
        limits: Vec::new(),
        turned: Vec::new(),
        notes: Vec::new(),
    };
    for modification in &old {
        converter.convert(modification);
    }
    if converter.modifiers.is_empty() {
        converter
            .limits
            .into_iter()
            .for_each(|(_, limit)| limit.free());
        converter.notes.insert(0, "Nothing was converted.".into());
        return Err(converter.notes.join("\n\n"));
    }
    converter.note_shared_limits();
    converter.note_frames(&old);
    converter.commit(stack, &old, title)
}

/// A modifier that was made.
struct Made {
    node: Gd<Node>,
    /// Its influence apart from the outermost stack's.
    strength: f32,
}

struct Converter<'a> {
    selection: &'a Selection,
    modifiers: Vec<Made>,
    limits: Vec<(Gd<Bone2D>, Gd<Node>)>,
    /// The bones that each modifier turns.
    turned: Vec<Gd<Bone2D>>,
    /// What to tell of it.
    notes: Vec<String>,
}

/// A modifier's class, the bones that it turns, root first, and its properties.
struct Draft {
    class: &'static str,
    bones: Vec<Gd<Bone2D>>,
    properties: Vec<(&'static str, Variant)>,
}

impl Converter<'_> {
    fn note(&mut self, name: &str, text: impl std::fmt::Display) {
        self.notes.push(format!("\"{name}\": {text}"));
    }

    fn convert(&mut self, old: &OldModification) {
        let draft = match &old.kind {
            OldKind::LookAt {
                joint,
                additional_rotation,
            } => self.look_at(joint, *additional_rotation),
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
            OldKind::Other(class) => return self.note(&old.name, no_counterpart(class)),
        };
        match draft {
            Some(draft) => self.build(old, draft),
            None => self.note(
                &old.name,
                "left out: its bones were not found, or not in a line.",
            ),
        }
        for joint in joints_of(&old.kind) {
            if let (Some(bone), Some(constraint)) = (&joint.bone, &joint.constraint) {
                self.limit(&old.name, bone, constraint);
            }
        }
    }

    fn look_at(&mut self, joint: &OldJoint, additional_rotation: f32) -> Option<Draft> {
        let bone = joint.bone.clone()?;
        Some(Draft {
            class: "TendonLookAt2D",
            properties: vec![
                ("bone", bone.to_variant()),
                ("additional_rotation", additional_rotation.to_variant()),
            ],
            bones: vec![bone],
        })
    }

    fn two_bone(
        &mut self,
        bones: &[Option<Gd<Bone2D>>; 2],
        flipped: bool,
        distances: [f32; 2],
    ) -> Option<Draft> {
        let [Some(one), Some(two)] = bones.clone() else {
            return None;
        };
        in_line(&[one.clone(), two.clone()]).ok()?;
        let [min, max] = distances.map(|distance| distance / self.scale());
        Some(Draft {
            class: "TendonTwoBoneIK2D",
            properties: vec![
                ("bone_one", one.to_variant()),
                ("bone_two", two.to_variant()),
                ("flip_bend_direction", flipped.to_variant()),
                ("min_distance", min.to_variant()),
                ("max_distance", max.to_variant()),
            ],
            bones: vec![one, two],
        })
    }

    fn ccd(&mut self, name: &str, joints: &[OldJoint], tip: &NodePath) -> Option<Draft> {
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
        let mut draft = self.chain(name, "TendonCCDIK2D", line)?;
        draft
            .properties
            .push(("root_first", root_first.to_variant()));
        draft
            .properties
            .extend(tip.map(|tip| ("tip", tip.to_variant())));
        Some(draft)
    }

    fn fabrik(&mut self, name: &str, joints: &[OldJoint], turned: bool) -> Option<Draft> {
        let line = self.line(joints)?;
        let mut draft = self.chain(name, "TendonFABRIK2D", line)?;
        draft
            .properties
            .push(("match_target_rotation", turned.to_variant()));
        Some(draft)
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
    fn chain(&mut self, name: &str, class: &'static str, line: Vec<Gd<Bone2D>>) -> Option<Draft> {
        let (root, last) = line.first().cloned().zip(line.last().cloned())?;
        let mut next = Some(last.clone());
        while let Some(bone) = next.filter(|bone| *bone != root) {
            if !line.contains(&bone) {
                self.note(name, skipped(&bone));
            }
            next = bone.get_parent().and_then(|node| node.try_cast().ok());
        }
        Some(Draft {
            class,
            properties: vec![
                ("root_bone", root.to_variant()),
                ("tip_bone", last.to_variant()),
            ],
            bones: line,
        })
    }

    fn build(&mut self, old: &OldModification, draft: Draft) {
        let last = draft.bones.last().map(|bone| bone.get_name());
        let name = match old.is_named {
            true => old.name.clone(),
            false => new_name(&last.unwrap_or_default().to_string(), draft.class),
        };
        let Some(mut node) = make(draft.class, &name) else {
            return;
        };
        for (property, value) in draft.properties {
            node.set(property, &value);
        }
        node.set("active", &old.enabled.to_variant());
        match self
            .selection
            .skeleton
            .try_get_node_as::<Node2D>(&old.target)
        {
            Some(target) => node.set("target", &target.to_variant()),
            None => self.note(&old.name, "its target was not found. Set one."),
        }
        self.turned.extend(draft.bones);
        self.modifiers.push(Made {
            node,
            strength: old.strength,
        });
    }

    /// Gives `bone` the limit that a constraint was.
    fn limit(&mut self, name: &str, bone: &Gd<Bone2D>, constraint: &OldConstraint) {
        let about = format!("the constraint of the bone \"{}\"", bone.get_name());
        let has_one = self.limits.iter().any(|(limited, _)| limited == bone);
        if constraint.allowed.is_whole() {
            return;
        }
        if has_one || limit_on(bone).is_some() {
            return self.note(
                name,
                format!("{about} was left out: it has a limit already."),
            );
        }
        if !has_rest(bone) {
            return self.note(name, format!("{about} was left out: {NO_REST}"));
        }
        let space = match constraint.is_local {
            true => Space::Parent,
            false => Space::Skeleton,
        };
        let arc = match space {
            Space::Parent => constraint.allowed.around(direction(bone.get_rest())),
            Space::Skeleton => {
                self.note(name, format!("{about} was fixed to the screen; {FIXED}"));
                let to_skeleton = self
                    .selection
                    .skeleton
                    .get_global_transform()
                    .affine_inverse();
                let turned = |angle: f64| {
                    let along = Vector2::from_angle(angle as f32);
                    f64::from(to_skeleton.basis_xform(along).angle())
                };
                let mirrored = to_skeleton.determinant() < 0.0;
                let arc = constraint.allowed.mapped(turned, mirrored);
                arc.around(direction(bone.get_skeleton_rest()))
            }
        };
        let arc = if arc.is_whole() { WHOLE } else { arc };
        let mut limit = new_limit();
        limit.set("min_angle", &arc.from.to_variant());
        limit.set("max_angle", &arc.to.to_variant());
        limit.set("space", &(space as i64).to_variant());
        self.limits.push((bone.clone(), limit.upcast()));
    }

    /// A limit now counts for every modifier that turns the bone.
    fn note_shared_limits(&mut self) {
        let mut names = Vec::new();
        for (bone, _) in &self.limits {
            if self.turned.iter().filter(|turned| *turned == bone).count() > 1 {
                names.push(format!("\"{}\"", bone.get_name()));
            }
        }
        if !names.is_empty() {
            let names = names.join(", ");
            self.notes.push(format!(
                "More than one modifier turns {names}. A joint limit belongs to the bone, and all \
                 of them obey it."
            ));
        }
    }

    /// Modifications chose their frames one by one; a rig has all of its modifiers in one kind.
    fn note_frames(&mut self, old: &[OldModification]) {
        let physics = old.iter().filter(|old| old.physics).count();
        let has_rig = self.selection.rig().is_some();
        if physics > 0 && (has_rig || physics < old.len()) {
            self.notes.push(
                "Some modifications ran in physics frames. A rig runs all of its modifiers in \
                 the frames that its \"callback_mode_process\" says."
                    .into(),
            );
        }
    }

    fn commit(
        mut self,
        stack: &Gd<Resource>,
        old: &[OldModification],
        title: &str,
    ) -> Result<Vec<String>, String> {
        let strength: f32 = stack.get("strength").try_to().unwrap_or(1.0);
        let is_new = self.selection.rig().is_none();
        let action = Action::begin(title, &self.selection.scene);
        let mut action = action.ok_or("This scene has no undo history.")?;
        let mut rig = rig_for(&self.selection.skeleton, &mut action);
        if is_new {
            rig.set("influence", &strength.to_variant());
            if old.iter().all(|old| old.physics) {
                let mode = CallbackModeProcess::Physics as i64;
                rig.set("callback_mode_process", &mode.to_variant());
            }
        }
        let rig = rig.upcast::<Node>();
        let share = if is_new { 1.0 } else { strength };
        for made in &mut self.modifiers {
            let influence = made.strength * share;
            made.node.set("influence", &influence.to_variant());
            action.add_child(&rig, &made.node);
        }
        for (bone, limit) in &self.limits {
            action.add_child(&bone.clone().upcast(), limit);
        }
        action.set(stack, "enabled", &true.to_variant(), &false.to_variant());
        action.select(&[rig]);
        action.commit();
        Ok(self.report(stack, old.len()))
    }

    fn report(self, stack: &Gd<Resource>, count: usize) -> Vec<String> {
        let (made, limits) = (self.modifiers.len(), self.limits.len());
        let mut lines = vec![format!(
            "Converted {made} of {count} modifications. New joint limits: {limits}. {OFF}"
        )];
        let path = stack.get_path().to_string();
        if !path.is_empty() && !path.contains("::") {
            lines.push(format!(
                "The stack is a file of its own, {path}: it is switched off for every skeleton \
                 that uses it."
            ));
        }
        lines.extend(self.notes);
        lines
    }

    /// How many units of the screen one of the skeleton is.
    fn scale(&self) -> f32 {
        let transform = self.selection.skeleton.get_global_transform();
        let scale = transform.determinant().abs().sqrt();
        if scale > 0.0 { scale } else { 1.0 }
    }
}

/// The joints that may be constrained.
fn joints_of(kind: &OldKind) -> &[OldJoint] {
    match kind {
        OldKind::LookAt { joint, .. } => std::slice::from_ref(joint),
        OldKind::Ccd { joints, .. } => joints,
        _ => &[],
    }
}

/// The direction of the X axis in radians.
fn direction(transform: Transform2D) -> f64 {
    f64::from(transform.a.angle())
}

fn no_counterpart(class: &str) -> String {
    match class {
        "SkeletonModification2DJiggle" => "left out: Tendon has no springs.".into(),
        "SkeletonModification2DPhysicalBones" => "left out: Tendon has no physical bones.".into(),
        _ => format!("left out: a {class} has no counterpart."),
    }
}

fn skipped(bone: &Gd<Bone2D>) -> String {
    let bone = bone.get_name();
    format!(
        "it left out the bone \"{bone}\", which its counterpart turns, too. To keep that bone as \
         it is, add a joint limit to it with a stiffness of 1."
    )
}

const OFF: &str = "The old stack is switched off, not deleted. Once all is well, remove it: the \
    engine still rewrites every bone for it, in every frame.";
const MAGNETS: &str = "its magnets were left out. The pose that animation and scripts give the \
    bones decides to which side they bend.";
const FROM_JOINT: &str = "joints that turned towards the target by themselves now bring the tip \
    to it.";
const TIP_IN_CHAIN: &str = "the bones at and below its tip were left out: they cannot move it.";
const NO_REST: &str = "limits count from the rest pose, and it has none. Give the skeleton one \
    (Skeleton2D > Overwrite Rest Pose), undo, and convert again.";
const FIXED: &str = "the limit is fixed to the skeleton, as it stands now.";
