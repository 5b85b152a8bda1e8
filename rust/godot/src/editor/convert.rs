//! Converts a `SkeletonModificationStack2D` to Tendon's nodes.

mod jiggle;
mod old_limit;
mod retirement;
mod scripts;
mod stack;

use godot::classes::{Bone2D, Resource, Skeleton2D};
use godot::prelude::*;

use crate::editor::action::Action;
use crate::editor::convert::old_limit::WHOLE;
use crate::editor::convert::retirement::Retirement;
use crate::editor::convert::stack::{OldConstraint, OldJoint, OldKind, OldModification};
use crate::editor::new_nodes::{make, new_limit, new_name, rig_for};
use crate::editor::pose::has_rest;
use crate::editor::selection::{Selection, bones_of, child_bones, end_of, in_line};
use crate::nodes::joint_limit::{Space, limit_on};
use crate::nodes::rig::CallbackModeProcess;
use crate::plan::chain::ends_beside;
use crate::plan::order::{depends, sorted};

/// Makes a modifier of each modification in `stack` that has a counterpart and none yet, and takes
/// the stack out of service: one undo step. Returns notes for the user, one line for each subject.
///
/// # Errors
/// Why nothing was converted.
pub(super) fn convert(
    selection: &Selection,
    stack: &Gd<Resource>,
    title: &str,
) -> Result<Vec<String>, String> {
    let old = stack::read(stack, &selection.skeleton);
    let retirement = Retirement::of(stack, selection);
    let mut converter = Converter::new(selection);
    converter.is_on = retirement.is_on();
    retirement.show();
    converter.drawn = drawn(&selection.skeleton);
    for modification in &old {
        converter.convert(modification);
    }
    let only_retires = retirement.is_on() && converter.twins > 0;
    if converter.modifiers.is_empty() && !only_retires {
        converter
            .limits
            .into_iter()
            .for_each(|(_, limit)| limit.free());
        converter.notes.insert(0, "Nothing was converted.".into());
        return Err(converter.notes.join("\n\n"));
    }
    converter.sort();
    converter.note_shared_limits();
    converter.note_frames(&old);
    converter.commit(&retirement, &old, title)
}

/// Whether `stack` is off, and everything in it that has a counterpart has it in the rig.
pub(super) fn is_done(selection: &Selection, stack: &Gd<Resource>) -> bool {
    if Retirement::of(stack, selection).is_on() {
        return false;
    }
    let mut converter = Converter::new(selection);
    let old = stack::read(stack, &selection.skeleton);
    let drafts: Vec<_> = old.iter().flat_map(|old| converter.drafts(old)).collect();
    let mut drafts = drafts.iter();
    drafts.len() > 0 && drafts.all(|draft| converter.twin(draft).is_some())
}

/// A modifier that was made.
struct Made {
    node: Gd<Node>,
    /// The bones that it turns, root first.
    bones: Vec<Gd<Bone2D>>,
    /// Its influence apart from the outermost stack's.
    strength: f32,
}

struct Converter<'a> {
    selection: &'a Selection,
    modifiers: Vec<Made>,
    limits: Vec<(Gd<Bone2D>, Gd<Node>)>,
    /// The modifiers that the rig has already, but for those that were found to be twins.
    present: Vec<Gd<Node>>,
    /// How many modifications have a twin there.
    twins: usize,
    /// Whether the engine's solution is what is seen.
    is_on: bool,
    /// How the bones stand there.
    drawn: VarDictionary,
    /// How many modifications were converted.
    converted: usize,
    /// Notes for the user.
    notes: Vec<String>,
}

/// A modifier's class, the bones that it turns, root first, and its properties.
struct Draft {
    class: &'static str,
    bones: Vec<Gd<Bone2D>>,
    properties: Vec<(&'static str, Variant)>,
    /// Whether it has a target.
    aims: bool,
}

impl<'a> Converter<'a> {
    fn new(selection: &'a Selection) -> Self {
        let rig = selection.rig();
        let present = rig.map_or_else(Array::new, |rig| {
            rig.find_children_ex("*").owned(false).done()
        });
        Self {
            selection,
            modifiers: Vec::new(),
            limits: Vec::new(),
            present: present.iter_shared().collect(),
            twins: 0,
            is_on: false,
            drawn: VarDictionary::new(),
            converted: 0,
            notes: Vec::new(),
        }
    }

    fn note(&mut self, name: &str, text: impl std::fmt::Display) {
        self.notes.push(format!("\"{name}\": {text}"));
    }

    fn convert(&mut self, old: &OldModification) {
        if let OldKind::Other(class) = &old.kind {
            return self.note(&old.name, no_counterpart(class));
        }
        let drafts = self.drafts(old);
        if drafts.is_empty() {
            return self.note(
                &old.name,
                "left out: its bones were not found, or not in a line.",
            );
        }
        let mut is_new = false;
        for draft in drafts {
            match self.twin(&draft) {
                Some(twin) => {
                    let name = twin.get_name();
                    self.note(
                        &old.name,
                        format!("left out: \"{name}\" does that already."),
                    );
                }
                None => {
                    self.note_miss(old, &draft);
                    self.build(old, draft);
                    is_new = true;
                }
            }
        }
        match is_new {
            true => self.converted += 1,
            false => {
                self.twins += 1;
                return;
            }
        }
        for joint in joints_of(&old.kind) {
            if let (Some(bone), Some(constraint)) = (&joint.bone, &joint.constraint) {
                self.limit(&old.name, bone, constraint);
            }
        }
    }

    /// The modifier of the rig that is of the same class and turns the same bones as `draft` would.
    /// Each is found once.
    fn twin(&mut self, draft: &Draft) -> Option<Gd<Node>> {
        let is_bone = |property: &&(&str, Variant)| BONES.contains(&property.0);
        let bones: Vec<_> = draft.properties.iter().filter(is_bone).collect();
        let place = self.present.iter().position(|node| {
            let mut bones = bones.iter();
            node.is_class(draft.class) && bones.all(|(name, bone)| node.get(*name) == *bone)
        });
        place.map(|place| self.present.remove(place))
    }

    /// What to make of a modification that has a counterpart: nothing if its bones are not found.
    fn drafts(&mut self, old: &OldModification) -> Vec<Draft> {
        let one = match &old.kind {
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
            OldKind::Jiggle {
                joints,
                has_colliders,
            } => return self.jiggle(old, joints, *has_colliders),
            OldKind::Other(_) => None,
        };
        one.into_iter().collect()
    }

    /// What a modification reaches for.
    fn target_of(&self, old: &OldModification) -> Option<Gd<Node2D>> {
        self.selection.skeleton.try_get_node_as(&old.target)
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
            aims: true,
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
            ]
            .into_iter()
            .chain(tip_beside(&two))
            .collect(),
            bones: vec![one, two],
            aims: true,
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
        let tip = line.last().and_then(tip_beside);
        let mut draft = self.chain(name, "TendonFABRIK2D", line)?;
        draft.properties.extend(tip);
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
            aims: true,
        })
    }

    fn build(&mut self, old: &OldModification, draft: Draft) {
        let last = draft.bones.last().map(|bone| bone.get_name());
        // A jiggle becomes a spring, with look-ats of their own names.
        let is_part = draft.aims && matches!(old.kind, OldKind::Jiggle { .. });
        let name = match old.is_named && !is_part {
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
        match self.target_of(old) {
            _ if !draft.aims => {}
            Some(target) => node.set("target", &target.to_variant()),
            None => self.note(&old.name, "its target was not found. Set one."),
        }
        self.modifiers.push(Made {
            node,
            bones: draft.bones,
            strength: old.strength,
        });
    }

    /// Notes that the engine's solution ends beside a target that the bones could reach: they move,
    /// because the new modifier reaches it.
    fn note_miss(&mut self, old: &OldModification, draft: &Draft) {
        let is_chain = draft.class != "TendonLookAt2D" && draft.aims && old.enabled;
        let (Some(target), Some(last)) = (self.target_of(old), draft.bones.last()) else {
            return;
        };
        let tip = draft.properties.iter().find(|(name, _)| *name == "tip");
        let tip = tip.and_then(|(_, tip)| tip.try_to::<Gd<Node2D>>().ok());
        let end = match tip {
            Some(tip) => tip.get_global_position(),
            None => last.get_global_transform() * end_of(last),
        };
        let joints = draft.bones.iter().map(|bone| bone.get_global_position());
        let joints: Vec<_> = joints.chain([end]).collect();
        let lengths = joints.windows(2).map(|pair| pair[0].distance_to(pair[1]));
        let place = target.get_global_position();
        let is_near = joints[0].distance_to(place) < lengths.sum();
        let miss = end.distance_to(place);
        if self.is_on && is_chain && is_near && miss > SEEN {
            self.note(&old.name, format!("the engine ended {miss:.0} px {MISSED}"));
        }
    }

    /// Puts each modifier after those that move its bones or its target.
    fn sort(&mut self) {
        let made = &self.modifiers;
        let hangs = |one: usize, other: usize| {
            let (one, other) = (&made[one], &made[other]);
            let target = one.node.get("target").try_to::<Gd<Node>>().ok();
            let root = one.bones.first().map(|bone| bone.clone().upcast());
            let needs: Vec<_> = root.into_iter().chain(target).collect();
            let mut moved = other.bones.iter();
            moved.any(|bone| needs.iter().any(|need| bone.is_ancestor_of(need)))
        };
        let poses = |one: usize, other: usize| {
            let is_spring = |index: usize| made[index].node.is_class("TendonSpring2D");
            let mut bones = made[one].bones.iter();
            let shares = bones.any(|bone| made[other].bones.contains(bone));
            shares && is_spring(other) && !is_spring(one)
        };
        let order = sorted(made.len(), |one, other| depends(one, other, hangs, poses));
        if order.is_sorted() {
            return;
        }
        let mut made: Vec<_> = self.modifiers.drain(..).map(Some).collect();
        let next = order.into_iter().filter_map(|place| made[place].take());
        self.modifiers = next.collect();
        let names = self
            .modifiers
            .iter()
            .map(|made| format!("\"{}\"", made.node.get_name()));
        let names: Vec<_> = names.collect();
        self.notes.push(format!(
            "In the stack, modifications stood before others that move their bones or their \
             target. The modifiers stand in an order that works: {}.",
            names.join(", ")
        ));
    }

    /// Gives `bone` a limit in place of a constraint.
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

    /// Notes that a limit now applies to every modifier that turns the bone.
    fn note_shared_limits(&mut self) {
        let mut names = Vec::new();
        for (bone, _) in &self.limits {
            let turned = self.modifiers.iter().flat_map(|made| &made.bones);
            if turned.filter(|turned| *turned == bone).count() > 1 {
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

    /// Each modification has its own kind of frame; a rig runs all of its modifiers in one kind.
    fn note_frames(&mut self, old: &[OldModification]) {
        let physics = old.iter().filter(|old| old.physics).count();
        let has_rig = self.selection.rig().is_some();
        if physics > 0 && (has_rig || physics < old.len()) {
            self.notes.push(
                "Some modifications ran in physics frames. A rig runs all of its modifiers in \
                 the frames that its \"Process\" says."
                    .into(),
            );
        }
    }

    fn commit(
        mut self,
        retirement: &Retirement,
        old: &[OldModification],
        title: &str,
    ) -> Result<Vec<String>, String> {
        let strength = retirement.strength();
        let is_new = self.selection.rig().is_none();
        let is_on = retirement.is_on();
        let action = Action::begin(title, &self.selection.scene);
        let mut action = action.ok_or("This scene has no undo history.")?;
        retirement.add_to(&mut action);
        let mut rig = rig_for(&self.selection.skeleton, &mut action);
        if is_new {
            rig.set("influence", &strength.to_variant());
            rig.set("active", &is_on.to_variant());
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
            if !is_new && !is_on {
                made.node.set("active", &false.to_variant());
            }
            action.add_child(&rig, &made.node);
        }
        for (bone, limit) in &self.limits {
            action.add_child(&bone.clone().upcast(), limit);
        }
        if is_on {
            action.when_done(&rig, "_begin_from", &[self.drawn.to_variant()]);
        }
        action.select(&[rig]);
        action.commit();
        Ok(self.report(retirement, is_new, old.len()))
    }

    fn report(self, retirement: &Retirement, is_new: bool, count: usize) -> Vec<String> {
        let (made, limits) = (self.converted, self.limits.len());
        let mut lines = vec![format!(
            "Converted {made} of {count} modifications. New joint limits: {limits}."
        )];
        lines.push(retirement.tell(is_new));
        lines.extend(self.notes);
        lines.extend(scripts::report());
        lines
    }

    /// How many units of the screen one of the skeleton is.
    fn scale(&self) -> f32 {
        let transform = self.selection.skeleton.get_global_transform();
        let scale = transform.determinant().abs().sqrt();
        if scale > 0.0 { scale } else { 1.0 }
    }
}

/// The present rotations of the bones, by their instance IDs.
fn drawn(skeleton: &Gd<Skeleton2D>) -> VarDictionary {
    let mut drawn = VarDictionary::new();
    for bone in bones_of(skeleton) {
        drawn.set(bone.instance_id().to_i64(), f64::from(bone.get_rotation()));
    }
    drawn
}

/// The joints that may be constrained.
fn joints_of(kind: &OldKind) -> &[OldJoint] {
    match kind {
        OldKind::LookAt { joint, .. } => std::slice::from_ref(joint),
        OldKind::Ccd { joints, .. } => joints,
        _ => &[],
    }
}

/// The tip of a chain whose last bone ends elsewhere than at its child, by a length and an angle
/// that were set by hand: that child.
fn tip_beside(last: &Gd<Bone2D>) -> Option<(&'static str, Variant)> {
    let child = child_bones(last).next()?;
    ends_beside(last, &child).then(|| ("tip", child.to_variant()))
}

/// The direction of the X axis in radians.
fn direction(transform: Transform2D) -> f64 {
    f64::from(transform.a.angle())
}

fn no_counterpart(class: &str) -> String {
    let advice = match class {
        "SkeletonModification2DPhysicalBones" => {
            "Tendon has no physical bones. To keep it, switch the stack on again and disable in \
             it what was converted."
        }
        "SkeletonModification2DStackHolder" => "it holds no stack.",
        _ => return format!("left out: a {class} has no counterpart."),
    };
    format!("left out: {advice}")
}

fn skipped(bone: &Gd<Bone2D>) -> String {
    let bone = bone.get_name();
    format!(
        "it left out the bone \"{bone}\", which its counterpart turns, too. To keep that bone as \
         it is, add a joint limit to it with a stiffness of 1."
    )
}

/// A distance in pixels that can be seen.
const SEEN: f32 = 0.5;

/// The properties that name the bones of a modifier.
const BONES: [&str; 5] = ["bone", "bone_one", "bone_two", "root_bone", "tip_bone"];
const MAGNETS: &str = "its magnets were left out. The pose that animation and scripts give the \
    bones decides to which side they bend.";
const MISSED: &str = "away from a target within its reach. The new modifier reaches it, as far as \
    joint limits allow, so these bones now move there. What is saved of them is the same.";
const FROM_JOINT: &str = "joints that turned towards the target by themselves now bring the tip \
    to it.";
const TIP_IN_CHAIN: &str = "the bones at and below its tip were left out: they cannot move it.";
const NO_REST: &str = "limits count from the rest pose, and it has none. Give the skeleton one \
    (Skeleton2D > Overwrite Rest Pose), undo, and convert again.";
const FIXED: &str = "the limit is fixed to the skeleton, as it stands now.";
