//! Converts a `SkeletonModification2DJiggle` to look-ats and springs.
//!
//! For each joint the engine moves a point frame by frame, and the bone of the joint points at it:
//! see [`SteppedSpring`](tendon_solver::SteppedSpring). Gravity is a further force on the point. So
//! the bone is a look-at with a spring between it and its goal, and the solver finds the frequency
//! and the damping ratio of that spring.
//!
//! When the joint itself moves, the point moves with it, and the pull of the next frame brings it
//! back. So the engine's bones do not lag behind a character. The bones of a spring do.

use godot::classes::{Bone2D, Curve, Engine};
use godot::prelude::*;
use tendon_nodes::engine::bone_lines::{end_of, length_of, places_along};
use tendon_nodes::engine::skeleton::bones_of;
use tendon_nodes::nodes::rigging::draft::Draft;
use tendon_solver::Oscillation;

use crate::convert::stack_reader::{JiggleJoint, OldModification};
use crate::convert::{Converter, Counterpart};

/// Frames in a second for which the engine's values are usually chosen.
const IDLE_RATE: f64 = 60.0;

/// Bones that swing as one chain, root first, and the joints that they were.
type JiggleLine<'a> = Vec<(Gd<Bone2D>, &'a JiggleJoint, Oscillation)>;

impl Converter<'_> {
    /// The modifiers to make of a jiggle: a look-at for each joint, if there is a target, and a spring for
    /// each line of joints.
    pub(super) fn jiggle(
        &mut self,
        old: &OldModification,
        joints: &[JiggleJoint],
        has_colliders: bool,
    ) -> Vec<Counterpart> {
        let target = self.target_of(old);
        let mut drafts = Vec::new();
        for line in self.lines(old, joints) {
            let turned = line.iter().map(|(bone, ..)| bone);
            // A bone cannot point at a target that it carries. Then the pose is the goal.
            let points_at_target = |bone: &&Gd<Bone2D>| {
                let target = target.as_ref();
                target.is_some_and(|target| {
                    target.instance_id() != bone.instance_id() && !bone.is_ancestor_of(target)
                })
            };
            drafts.extend(turned.filter(points_at_target).map(Counterpart::look_at));
            drafts.extend(self.spring(old, &line, target.as_ref()));
        }
        if !drafts.is_empty() {
            if target.is_none() {
                self.note(&old.name, NO_TARGET);
            }
            if has_colliders {
                self.note(&old.name, COLLIDERS);
            }
        }
        drafts
    }

    /// The lines of the joints whose bones are found and that are pulled at.
    fn lines<'j>(
        &mut self,
        old: &OldModification,
        joints: &'j [JiggleJoint],
    ) -> Vec<JiggleLine<'j>> {
        let frame = match old.physics {
            true => 1.0 / f64::from(Engine::singleton().get_physics_ticks_per_second().max(1)),
            false => 1.0 / IDLE_RATE,
        };
        let mut lines: Vec<JiggleLine<'j>> = Vec::new();
        for bone in bones_of(&self.selection.skeleton) {
            let of_bone = |joint: &&JiggleJoint| joint.bone.as_ref() == Some(&bone);
            let Some(joint) = joints.iter().find(of_bone) else {
                continue;
            };
            let Some(oscillation) = joint.spring.oscillation(frame) else {
                let name = bone.get_name();
                self.note(&old.name, no_stiffness(&name));
                continue;
            };
            let parent = bone.get_parent();
            let ends_above = |line: &&mut JiggleLine<'j>| {
                let last = line.last().map(|(last, ..)| last.clone().upcast());
                last.is_some() && last == parent
            };
            match lines.iter_mut().find(ends_above) {
                Some(line) => line.push((bone, joint, oscillation)),
                None => lines.push(vec![(bone, joint, oscillation)]),
            }
        }
        lines
    }

    /// The spring for a line of joints. Its frequency and damping ratio are the greatest of the
    /// joints; curves give each joint its part of them.
    fn spring(
        &mut self,
        old: &OldModification,
        line: &JiggleLine<'_>,
        target: Option<&Gd<Node2D>>,
    ) -> Option<Counterpart> {
        let (root, last) = (&line.first()?.0, &line.last()?.0);
        let most = |value: fn(&Oscillation) -> f64| {
            let values = line.iter().map(|(.., oscillation)| value(oscillation));
            values.fold(f64::MIN_POSITIVE, f64::max)
        };
        let frequency = most(|oscillation| oscillation.frequency());
        let damping_ratio = most(|oscillation| oscillation.damping_ratio);
        self.note(
            &old.name,
            format!(
                "the spring that ends with \"{}\" has a frequency of {frequency:.2} Hz and a \
                 damping ratio of {damping_ratio:.2}, as the bones had at {IDLE_RATE} frames per \
                 second. {LAGS}",
                last.get_name()
            ),
        );
        let ratios = |ratio: &dyn Fn(&Oscillation) -> f64| {
            curve(line.iter().map(|(.., oscillation)| ratio(oscillation)))
        };
        let frequencies = ratios(&|oscillation| oscillation.frequency() / frequency);
        let dampings = ratios(&|oscillation| oscillation.damping_ratio / damping_ratio);
        let draft = Draft::line("TendonSpring2D", root, last)
            .set("frequency", frequency as f32)
            .set("damping_ratio", damping_ratio as f32)
            .set("gravity", gravity(line, target))
            .set("frequency_curve", frequencies)
            .set("damping_curve", dampings);
        let bones = line.iter().map(|(bone, ..)| bone.clone()).collect();
        Some(Counterpart { draft, bones })
    }
}

/// The gravity that turns a spring as far as the engine's pull moves the points: by `g / s`, seen
/// from the distance of the target.
fn gravity(line: &JiggleLine<'_>, target: Option<&Gd<Node2D>>) -> Vector2 {
    let Some((last, ..)) = line.last() else {
        return Vector2::ZERO;
    };
    let end = last.get_global_transform() * end_of(last);
    let places = places_along(line.iter().map(|(bone, ..)| bone), end);
    let length = length_of(&places);
    let pulls = line
        .iter()
        .zip(&places)
        .map(|((_, joint, oscillation), place)| {
            let way = target.map_or(length, |target| {
                place.distance_to(target.get_global_position())
            });
            let factor = oscillation.omega.powi(2) / joint.spring.stiffness
                * f64::from(length / way.max(1.0));
            joint.gravity * factor as f32
        });
    pulls.fold(Vector2::ZERO, |sum, pull| sum + pull) / line.len() as f32
}

/// A curve with these values at the joints, or nothing if all are 1.
fn curve(values: impl Iterator<Item = f64>) -> Variant {
    let values: Vec<f64> = values.collect();
    if values.iter().all(|value| (value - 1.0).abs() < 1e-4) {
        return Variant::nil();
    }
    let last = values.len().saturating_sub(1).max(1);
    let mut curve = Curve::new_gd();
    // The values that the curve keeps are those at the joints.
    curve.set_bake_resolution((last * 20 + 1).min(1000) as i32);
    for (joint, &value) in values.iter().enumerate() {
        let point = Vector2::new(joint as f32 / last as f32, value as f32);
        let linear = godot::classes::curve::TangentMode::LINEAR;
        let added = curve.add_point_ex(point);
        added.left_mode(linear).right_mode(linear).done();
    }
    curve.to_variant()
}

fn no_stiffness(bone: &StringName) -> String {
    format!("the bone \"{bone}\" was left out: its stiffness is 0, so nothing brings it back.")
}

const NO_TARGET: &str = "its target was not found. The springs need none: their goal is the pose of \
    the bones.";
const COLLIDERS: &str = "its collisions were left out. Set \"Obstacles\" of the springs.";
const LAGS: &str = "Unlike before, the bones also lag behind when the character moves. A lower \
    \"Inertia\" makes that less.";
