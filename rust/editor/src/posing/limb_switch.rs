//! Switches limbs between inverse and forward kinematics: what a modifier brings to a target becomes the pose of
//! its bones and the modifier rests, or the target goes to where the limb is and the modifier works again. What is
//! seen stays as it is, and both the bones and the target get keys, so that it does on either side of the switch.

use godot::builtin::math::ApproxEq;
use godot::classes::Bone2D;
use godot::global::angle_difference;
use godot::prelude::*;
use tendon_nodes::engine::bone_transform::BoneTransform;
use tendon_nodes::engine::node_place::NodePlace;
use tendon_nodes::engine::skeleton::bones_of;
use tendon_nodes::nodes::pose_library::held_nodes::FLIPS;
use tendon_nodes::nodes::rig::TendonRig2D;
use tendon_nodes::nodes::rigging::names;

use crate::action::Action;
use crate::bake::form::players_in;
use crate::notice::{counted, seconds};
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
struct SwitchedLimb {
    posture: Posture,
    /// Properties of modifiers, with what they are set to.
    settings: Vec<(Gd<Node>, &'static str, Variant)>,
    /// The bones that get keys.
    bones: Vec<Gd<Bone2D>>,
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
        let seen = BoneTransform::of_all(&bones);
        let mut change = self.change(&seen, keys.as_ref().ok());
        TendonRig2D::restore_pose(self.rig.clone());
        if self.to == Kinematics::Forward {
            for after in &mut change.posture.bones {
                *after = towards(&BoneTransform::of(&after.bone), after);
            }
        }
        if let Some(reason) = reason_to_wait(scene, &change.posture.members()) {
            return Err(reason.into());
        }
        let mut action = Action::begin(title, scene)?;
        change.carry_out(&self.rig, keys.as_mut().ok(), &mut action);
        let told = match keys {
            Ok(keys) => {
                let count = keys.count;
                let edited = keys.finish(selection, &mut action);
                action.when_undone(&self.rig, "restore_pose", &[]);
                action.commit();
                edited.return_to_time();
                format!(
                    ", with {} at {}.",
                    counted(count, "key"),
                    seconds(edited.time)
                )
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
    fn change(&self, seen: &[BoneTransform], keys: Option<&NewKeys>) -> SwitchedLimb {
        let mut change = SwitchedLimb {
            posture: Posture::default(),
            settings: Vec::new(),
            bones: Vec::new(),
        };
        for reach in &self.reaches {
            let own = seen.iter().filter(|it| reach.poses(&it.bone));
            for it in own {
                if !change.bones.contains(&it.bone) {
                    change.bones.push(it.bone.clone());
                    change.posture.bones.push(it.clone());
                }
            }
            if !reach.is_effector() {
                let switch = self.switch_of(&reach.modifier, keys);
                let switches = switch
                    .into_iter()
                    .map(|(name, value)| (reach.modifier.clone(), name, value));
                change.settings.extend(switches);
            }
            change.posture.nodes.extend(match self.to {
                Kinematics::Forward => reach.target().iter().map(NodePlace::of).collect(),
                Kinematics::Inverse => reach.places(),
            });
            if self.to == Kinematics::Inverse
                && let Some(flips) = reach.flips()
            {
                let setting = (reach.modifier.clone(), FLIPS, flips.to_variant());
                change.settings.push(setting);
            }
        }
        if self.to == Kinematics::Inverse {
            // They have their pose, and only get keys.
            change.posture.bones.clear();
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
    fn difference(&self, seen: &[BoneTransform]) -> String {
        solve(&self.rig);
        let turns = seen.iter().map(|before| {
            let now = f64::from(before.bone.get_rotation());
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
    /// Adds everything to an undo step, also keys if there is an animation for them. Bones hold their base pose
    /// now.
    fn carry_out(
        &self,
        rig: &Gd<TendonRig2D>,
        mut keys: Option<&mut NewKeys>,
        action: &mut Action,
    ) {
        action.when_done(rig, "restore_pose", &[]);
        let before = self.posture.now();
        for (before, after) in before.bones.iter().zip(&self.posture.bones) {
            action.pose(before, after);
        }
        for (before, after) in before.nodes.iter().zip(&self.posture.nodes) {
            action.place(before, after);
        }
        for (node, property, value) in &self.settings {
            action.set(node, property, &node.get(*property), value);
            if let Some(keys) = &mut keys {
                keys.add_switch(node, property, value.clone(), action);
            }
        }
        let Some(keys) = keys else {
            return;
        };
        for bone in &self.bones {
            let mut posed = self.posture.bones.iter();
            let after = posed.find(|it| it.bone == *bone);
            let after = after.cloned().unwrap_or_else(|| BoneTransform::of(bone));
            keys.add(bone, "rotation", after.rotation.to_variant(), action);
            let has_track = keys.edited.track_of(bone, "position").is_some();
            if has_track || !after.position.approx_eq(&bone.get_position()) {
                keys.add(bone, "position", after.position.to_variant(), action);
            }
        }
        for after in &self.posture.nodes {
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
