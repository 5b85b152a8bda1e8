//! Converts a `SkeletonModificationStack2D` to Tendon's nodes.
//!
//! | file | what is in it |
//! |---|---|
//! | [`stack_reader`] | reads the stack |
//! | [`counterparts`], [`jiggle`] | the modifiers that a modification becomes |
//! | [`physical_bones`] | the drawings below physical bones |
//! | [`limits`], [`constraint_arc`] | from angle constraints to joint limits |
//! | [`deactivation`] | switches the stack off, or takes it from the skeleton |

mod constraint_arc;
mod counterparts;
mod deactivation;
mod jiggle;
mod limits;
mod physical_bones;
mod stack_reader;

use godot::classes::{Bone2D, Resource, Skeleton2D};
use godot::prelude::*;
use tendon_nodes::engine::bone_lines::{end_of, length_of, places_along};
use tendon_nodes::engine::children::all_below;
use tendon_nodes::engine::skeleton::bones_of;
use tendon_nodes::nodes::rig::callback_mode::CallbackModeProcess;
use tendon_nodes::nodes::rigging::adding::rig_for;
use tendon_nodes::nodes::rigging::draft::Draft;
use tendon_nodes::nodes::rigging::names;

use crate::action::Action;
use crate::convert::deactivation::Deactivation;
use crate::convert::physical_bones::MovedDrawings;
use crate::convert::stack_reader::{OldJoint, OldKind, OldModification};
use crate::refusal::Refusal;
use crate::selection::Selection;

/// Makes a modifier of each modification in `stack` that has a counterpart and none yet, and
/// deactivates the stack: one undo step. Returns notes for the user, one line for each subject.
///
/// # Errors
/// Why nothing was converted.
pub(super) fn convert(
    selection: &Selection,
    stack: &Gd<Resource>,
    title: &str,
) -> Result<Vec<String>, Refusal> {
    let old = stack_reader::read(stack, &selection.skeleton);
    let deactivation = Deactivation::of(stack, selection);
    let mut converter = Converter::new(selection);
    converter.stack_is_on = deactivation.is_on();
    let drawings = MovedDrawings::of(&old, &selection.scene, &deactivation);
    converter.ragdoll_note = format!("{RAGDOLL} {}", drawings.told());
    deactivation.show();
    converter.shown_rotations = present_rotations(&selection.skeleton);
    for modification in &old {
        converter.convert(modification);
    }
    let only_deactivates = deactivation.is_on() && converter.twins > 0;
    if converter.modifiers.is_empty() && !only_deactivates {
        for (_, limit) in converter.limits {
            limit.free();
        }
        converter.notes.insert(0, "Nothing was converted.".into());
        return Err(converter.notes.join("\n\n").into());
    }
    converter.note_shared_limits();
    converter.note_frames(&old);
    converter.commit(&deactivation, &old, drawings, title)
}

/// Returns `true` if `stack` is off, and everything in it that has a counterpart has it in the rig.
pub(super) fn is_done(selection: &Selection, stack: &Gd<Resource>) -> bool {
    if Deactivation::of(stack, selection).is_on() {
        return false;
    }
    let mut converter = Converter::new(selection);
    let old = stack_reader::read(stack, &selection.skeleton);
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
    /// The modifiers that the rig had before, except for those that were found to be twins.
    present: Vec<Gd<Node>>,
    /// The number of modifications that have a twin: a modifier of the rig that does the same.
    twins: usize,
    /// `true` if the stack runs, so that the viewport shows the engine's solution.
    stack_is_on: bool,
    /// The rotations that the viewport shows, by the instance IDs of the bones.
    shown_rotations: VarDictionary,
    /// The number of modifications that were converted.
    converted: usize,
    /// The advice about physical bones.
    ragdoll_note: String,
    /// Notes for the user.
    notes: Vec<String>,
}

/// A modifier that is to be made, and the bones that it turns, root first.
struct Counterpart {
    draft: Draft,
    bones: Vec<Gd<Bone2D>>,
}

impl Counterpart {
    /// A look-at with a target.
    fn look_at(bone: &Gd<Bone2D>) -> Self {
        Self {
            draft: Draft::look(None, bone),
            bones: vec![bone.clone()],
        }
    }
}

impl<'a> Converter<'a> {
    fn new(selection: &'a Selection) -> Self {
        let rig = selection.rig();
        Self {
            selection,
            modifiers: Vec::new(),
            limits: Vec::new(),
            present: rig.map_or_else(Vec::new, |rig| all_below(&rig.upcast())),
            twins: 0,
            stack_is_on: false,
            shown_rotations: VarDictionary::new(),
            converted: 0,
            ragdoll_note: String::new(),
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
        let falls = matches!(old.kind, OldKind::PhysicalBones { .. });
        if drafts.is_empty() {
            let reason = match falls {
                true => "left out: it names no physical bones of this skeleton.",
                false => "left out: its bones were not found, or not in a line.",
            };
            return self.note(&old.name, reason);
        }
        if falls {
            self.note(&old.name, self.ragdoll_note.clone());
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
        if !is_new {
            self.twins += 1;
            return;
        }
        self.converted += 1;
        for joint in joints_of(&old.kind) {
            if let (Some(bone), Some(constraint)) = (&joint.bone, &joint.constraint) {
                self.limit(&old.name, bone, constraint);
            }
        }
    }

    /// The modifier of the rig that is of the same class and turns the same bones as `draft` would.
    /// Each is found once.
    fn twin(&mut self, Counterpart { draft, .. }: &Counterpart) -> Option<Gd<Node>> {
        let mut present = self.present.iter();
        let index = present.position(|node| draft.is_done_by(node))?;
        Some(self.present.remove(index))
    }

    /// The target that a modification reaches for.
    fn target_of(&self, old: &OldModification) -> Option<Gd<Node2D>> {
        self.selection.skeleton.try_get_node_as(&old.target)
    }

    fn build(&mut self, old: &OldModification, Counterpart { draft, bones }: Counterpart) {
        let has_target = draft.has("target");
        let mut node = draft.instantiate();
        // A jiggle becomes a spring, with look-ats of their own names.
        let is_part = has_target && matches!(old.kind, OldKind::Jiggle { .. });
        if old.is_named && !is_part {
            node.set_name(&old.name);
        }
        node.set("active", &old.enabled.to_variant());
        match self.target_of(old) {
            _ if !has_target => {}
            Some(target) => node.set("target", &target.to_variant()),
            None => self.note(&old.name, "its target was not found. Set one."),
        }
        self.modifiers.push(Made {
            node,
            bones,
            strength: old.strength,
        });
    }

    /// Notes that the engine's solution ends beside a target that the bones could reach: the new
    /// modifier reaches it, so they move.
    fn note_miss(&mut self, old: &OldModification, Counterpart { draft, bones }: &Counterpart) {
        let looks_or_swings = matches!(old.kind, OldKind::LookAt { .. } | OldKind::Jiggle { .. });
        let is_chain = !looks_or_swings && draft.has("target") && old.enabled;
        let (Some(target), Some(last)) = (self.target_of(old), bones.last()) else {
            return;
        };
        let tip = draft.reference("tip").cloned();
        let tip = tip.and_then(|tip| tip.try_cast::<Node2D>().ok());
        let end = match tip {
            Some(tip) => tip.get_global_position(),
            None => last.get_global_transform() * end_of(last),
        };
        let joints = places_along(bones, end);
        let target = target.get_global_position();
        let is_near = joints[0].distance_to(target) < length_of(&joints);
        let miss = end.distance_to(target);
        if self.stack_is_on && is_chain && is_near && miss > VISIBLE {
            let text = format!(
                "the engine ended {miss:.0} px away from a target within its reach. The new \
                 modifier reaches it, as far as joint limits allow, so these bones now move there. \
                 What is saved of them is the same."
            );
            self.note(&old.name, text);
        }
    }

    /// Tells of modifiers that stand in another order than in the stack.
    fn note_order(&mut self) {
        let mut nodes: Vec<_> = self.modifiers.iter().map(|made| &made.node).collect();
        if !nodes.is_sorted_by_key(|node| node.get_index()) {
            nodes.sort_by_key(|node| node.get_index());
            let sorted = names(nodes.into_iter().cloned());
            self.notes.push(format!(
                "In the stack, modifications stood before others that move their bones or their \
                 target. The modifiers stand in an order that works: {sorted}."
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
        deactivation: &Deactivation,
        old: &[OldModification],
        drawings: MovedDrawings,
        title: &str,
    ) -> Result<Vec<String>, Refusal> {
        let strength = deactivation.strength();
        let is_new = self.selection.rig().is_none();
        let is_on = deactivation.is_on();
        let mut action = Action::begin(title, &self.selection.scene)?;
        deactivation.add_to(&mut action);
        let mut rig = rig_for(&self.selection.skeleton, &mut action);
        if is_new {
            rig.set("influence", &strength.to_variant());
            rig.set("active", &is_on.to_variant());
            if old.iter().all(|old| old.physics) {
                let mode = CallbackModeProcess::Physics as i64;
                rig.set("callback_mode_process", &mode.to_variant());
            }
        }
        let node = rig.clone().upcast::<Node>();
        let share = if is_new { 1.0 } else { strength };
        for made in &mut self.modifiers {
            let influence = made.strength * share;
            made.node.set("influence", &influence.to_variant());
            if !is_new && !is_on {
                made.node.set("active", &false.to_variant());
            }
            action.add_child(&node, &made.node);
        }
        drawings.step.add_to(&mut action);
        for (bone, limit) in &self.limits {
            action.add_child(&bone.clone().upcast(), limit);
        }
        action.sort_modifiers(&rig);
        if is_on {
            action.when_done(&rig, "_begin_from", &[self.shown_rotations.to_variant()]);
        }
        action.select(&[node]);
        action.commit();
        self.note_order();
        Ok(self.report(deactivation, is_new, old.len()))
    }

    fn report(self, deactivation: &Deactivation, is_new: bool, count: usize) -> Vec<String> {
        let (made, limits) = (self.converted, self.limits.len());
        let mut lines = vec![format!(
            "Converted {made} of {count} modifications. New joint limits: {limits}."
        )];
        lines.push(deactivation.report(is_new));
        lines.extend(self.notes);
        lines
    }
}

/// The present rotations of the bones, by their instance IDs.
fn present_rotations(skeleton: &Gd<Skeleton2D>) -> VarDictionary {
    let mut rotations = VarDictionary::new();
    for bone in bones_of(skeleton) {
        let id = bone.instance_id().to_i64();
        rotations.set(id, f64::from(bone.get_rotation()));
    }
    rotations
}

/// The joints that may be constrained.
fn joints_of(kind: &OldKind) -> &[OldJoint] {
    match kind {
        OldKind::LookAt { joint, .. } => std::slice::from_ref(joint),
        OldKind::Ccd { joints, .. } | OldKind::PhysicalBones { joints, .. } => joints,
        _ => &[],
    }
}

/// The advice about physical bones.
const RAGDOLL: &str = "it became a TendonRagdoll2D. Call its start() where scripts have called \
    fetch_physical_bones() or set simulate_physics. The PhysicalBone2D nodes are still there: \
    those below their bones give the limbs their shapes,";

fn no_counterpart(class: &str) -> String {
    let advice = match class {
        "SkeletonModification2DStackHolder" => "it holds no stack.",
        _ => return format!("left out: a {class} has no counterpart."),
    };
    format!("left out: {advice}")
}

/// The least distance in pixels that the user sees.
const VISIBLE: f32 = 0.5;
