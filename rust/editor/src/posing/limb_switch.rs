//! Switches limbs between inverse and forward kinematics: what a modifier brings to a target becomes the pose of
//! its bones and the modifier rests, or the target goes to where the limb is and the modifier works again. What is
//! seen stays as it is, and both the bones and the target get keys, so that it does on either side of the switch.

use godot::builtin::math::ApproxEq;
use godot::global::angle_difference;
use godot::prelude::*;
use tendon_nodes::engine::node_pose::NodePose;
use tendon_nodes::engine::skeleton::bones_of;
use tendon_nodes::nodes::pose_library::held_nodes::FLIPS;
use tendon_nodes::nodes::rig::TendonRig2D;
use tendon_nodes::nodes::rigging::names;

use crate::action::Action;
use crate::bake::form::players_in;
use crate::posing::key_solved::towards;
use crate::posing::new_keys::NewKeys;
use crate::posing::playing::reason_to_wait;
use crate::posing::posture::Posture;
use crate::preview::solve;
use crate::reach::{Kinematics, ReachingLimb, influence_of, is_at_rest};
use crate::refusal::Refusal;
use crate::selection::{Selection, selected_nodes};

/// The largest turn of a bone by a switch that is not mentioned, in radians.
const UNSEEN: f64 = 1e-3;

/// A switch of limbs that is possible.
pub(crate) struct LimbSwitch {
    rig: Gd<TendonRig2D>,
    to: Kinematics,
    /// The modifiers that are switched, and their effectors.
    reaches: Vec<ReachingLimb>,
}

/// The changes that a switch makes.
#[derive(Default)]
struct SwitchedLimb {
    /// The bones that get keys, and the targets and poles.
    bones: Vec<NodePose>,
    places: Vec<NodePose>,
    /// Properties of modifiers, with what they are set to.
    settings: Vec<(Gd<Node>, &'static str, Variant)>,
}

impl LimbSwitch {
    /// Of the limbs whose bones, targets or modifiers are selected.
    ///
    /// # Errors
    /// Returns an error that says what to select or to set first.
    pub(crate) fn of(
        selection: &Selection,
        rig: Gd<TendonRig2D>,
        to: Kinematics,
    ) -> Result<Self, Refusal> {
        let nodes = selected_nodes();
        let all = ReachingLimb::of_rig(&rig);
        let chosen = ReachingLimb::modifiers_of(&all, &selection.bones, &nodes);
        if chosen.is_empty() {
            return Err(
                "Select a bone of a limb that a modifier brings to a target, or the target.".into(),
            );
        }
        let rests = match to {
            Kinematics::Forward => false,
            Kinematics::Inverse => true,
        };
        let is_to_switch = |reach: &ReachingLimb| {
            chosen.contains(&reach.modifier) && rests == is_at_rest(&reach.modifier)
        };
        let (reaches, others): (Vec<_>, Vec<_>) = all.into_iter().partition(is_to_switch);
        if reaches.is_empty() {
            let state = match to {
                Kinematics::Forward => "switched off already: its bones are posed",
                Kinematics::Inverse => "switched on already: move its target",
            };
            return Err(format!("{} is {state}.", names(chosen)).into());
        }
        for reach in &reaches {
            reach.check(&others, to)?;
        }
        Ok(Self { rig, to, reaches })
    }

    /// Switches, as one undo step. Returns what to tell the user.
    ///
    /// # Errors
    /// Why that is not possible, with advice what to do.
    pub(crate) fn run(&self, selection: &Selection, title: &str) -> Result<String, Refusal> {
        let scene = &selection.scene;
        let mut keys = NewKeys::of_editor(scene);
        let bones = bones_of(&selection.skeleton);
        solve(&self.rig);
        let seen = NodePose::of_all(&bones);
        let mut change = self.change(&seen, keys.as_ref().ok());
        TendonRig2D::restore_pose(self.rig.clone());
        for pose in &mut change.bones {
            let base = NodePose::of(&pose.node);
            *pose = match self.to {
                Kinematics::Forward => towards(&base, pose),
                // They have their pose, and only get keys.
                Kinematics::Inverse => base,
            };
        }
        let posed = match self.to {
            Kinematics::Forward => &change.bones[..],
            Kinematics::Inverse => &[],
        };
        let posture = Posture::of([posed, &change.places].concat());
        if let Some(reason) = reason_to_wait(scene, &posture.members()) {
            return Err(reason.into());
        }
        let mut action = Action::begin(title, scene)?;
        action.when_done(&self.rig, "restore_pose", &[]);
        posture.add_to(&posture.now(), &mut action);
        change.carry_out(keys.as_mut().ok(), &mut action);
        let told = match keys {
            Ok(keys) => {
                let [keys, time] = keys.commit(selection, Some(&self.rig), action);
                format!(", with {keys} at {time}.")
            }
            Err(reason) => {
                action.when_undone(&self.rig, "restore_pose", &[]);
                action.commit();
                match players_in(scene).is_empty() {
                    true => ".".into(),
                    false => format!(". No keys: {reason}"),
                }
            }
        };
        let modifiers = self.reaches.iter().filter(|reach| !reach.is_effector());
        let modifiers = names(modifiers.map(|reach| reach.modifier.clone()));
        let now = match self.to {
            Kinematics::Forward => "rests, and its bones have the pose",
            Kinematics::Inverse => "reaches for its target, which is where the limb was",
        };
        Ok(format!("{modifiers} {now}{told}{}", self.difference(&seen)))
    }

    /// Returns the changes for the pose `seen`, which the bones hold now.
    fn change(&self, seen: &[NodePose], keys: Option<&NewKeys>) -> SwitchedLimb {
        let mut change = SwitchedLimb::default();
        for reach in &self.reaches {
            let is_posed = |it: &&NodePose| it.bone().is_some_and(|bone| reach.poses(&bone));
            for it in seen.iter().filter(is_posed) {
                if change.bones.iter().all(|other| other.node != it.node) {
                    change.bones.push(it.clone());
                }
            }
            if !reach.is_effector() {
                let switch = self.switch_of(&reach.modifier, keys);
                let switches = switch
                    .into_iter()
                    .map(|(name, value)| (reach.modifier.clone(), name, value));
                change.settings.extend(switches);
            }
            change.places.extend(match self.to {
                Kinematics::Forward => reach.target().iter().map(NodePose::of).collect(),
                Kinematics::Inverse => reach.places(),
            });
            if self.to == Kinematics::Inverse
                && let Some(flips) = reach.flips()
            {
                let setting = (reach.modifier.clone(), FLIPS, flips.to_variant());
                change.settings.push(setting);
            }
        }
        change
    }

    /// Returns the properties that switch a modifier, with their values: its influence if the animation that is edited
    /// has a track for it.
    fn switch_of(
        &self,
        modifier: &Gd<Node>,
        keys: Option<&NewKeys>,
    ) -> Vec<(&'static str, Variant)> {
        let blends = keys.is_some_and(|keys| keys.edited.track_of(modifier, "influence").is_some());
        let is_faded_out = influence_of(modifier) == 0.0;
        match (self.to, blends) {
            (Kinematics::Forward, true) => vec![("influence", 0.0_f32.to_variant())],
            (Kinematics::Forward, false) => vec![("active", false.to_variant())],
            (Kinematics::Inverse, _) => {
                let fades_in =
                    (blends || is_faded_out).then(|| ("influence", 1.0_f32.to_variant()));
                let is_off = modifier.get("active") != true.to_variant();
                let switches_on = (is_off || !blends).then(|| ("active", true.to_variant()));
                switches_on.into_iter().chain(fades_in).collect()
            }
        }
    }

    /// Returns the message to the user if the pose is not the one that was `seen` before.
    fn difference(&self, seen: &[NodePose]) -> String {
        solve(&self.rig);
        let turns = seen.iter().map(|before| {
            let now = f64::from(before.node.get_rotation());
            angle_difference(f64::from(before.rotation), now).abs()
        });
        let difference = turns.fold(0.0, f64::max);
        TendonRig2D::restore_pose(self.rig.clone());
        match difference > UNSEEN {
            true => format!(
                " The pose differs from the one before by up to {:.1}°: limits, distances, softness, or other \
                 modifiers of these bones hold.",
                difference.to_degrees()
            ),
            false => String::new(),
        }
    }
}

impl SwitchedLimb {
    /// Adds the settings to an undo step, and keys for everything if there is an animation for them. Bones hold their
    /// base pose now.
    fn carry_out(&self, mut keys: Option<&mut NewKeys>, action: &mut Action) {
        for (node, property, value) in &self.settings {
            action.set(node, property, &node.get(*property), value);
            if let Some(keys) = &mut keys {
                keys.add_switch(node, property, value.clone(), action);
            }
        }
        let Some(keys) = keys else {
            return;
        };
        for after in &self.bones {
            let bone = &after.node;
            keys.add(bone, "rotation", after.rotation.to_variant(), action);
            let has_track = keys.edited.track_of(bone, "position").is_some();
            if has_track || !after.position.approx_eq(&bone.get_position()) {
                keys.add(bone, "position", after.position.to_variant(), action);
            }
        }
        for after in &self.places {
            for (property, value) in after.properties() {
                let is_needed = property == "position"
                    || value != after.node.get(property)
                    || keys.edited.track_of(&after.node, property).is_some();
                if is_needed {
                    keys.add(&after.node, property, value, action);
                }
            }
        }
    }
}
