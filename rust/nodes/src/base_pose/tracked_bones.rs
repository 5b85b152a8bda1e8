//! All bones of a rig with their base poses: what passes, undo, copies and saving iterate over.

use std::collections::HashMap;
use std::rc::{Rc, Weak};

use godot::classes::Bone2D;
use godot::prelude::*;
use tendon_solver::Bone;

use crate::base_pose::bone_pose::BonePose;
use crate::base_pose::tracked_bone::{SAVED, TrackedBone};
use crate::base_pose::undo_history::UndoHistory;
use crate::engine::frame_calls::ExitHook;

/// The bones of a rig, in the order of the solver's.
#[derive(Default)]
pub struct TrackedBones {
    bones: Vec<TrackedBone>,
}

impl TrackedBones {
    /// Adds a bone. Returns its index.
    pub(crate) fn push(&mut self, node: Gd<Bone2D>) -> usize {
        self.bones.push(TrackedBone::new(node));
        self.bones.len() - 1
    }

    pub(crate) fn shrink_to_fit(&mut self) {
        self.bones.shrink_to_fit();
    }

    pub fn iter(&self) -> impl Iterator<Item = &TrackedBone> {
        self.bones.iter()
    }

    pub fn get(&self, index: usize) -> &TrackedBone {
        &self.bones[index]
    }

    /// The index of a bone.
    pub(crate) fn index_of(&self, bone: InstanceId) -> Option<usize> {
        self.bones.iter().position(|tracked| tracked.id() == bone)
    }

    /// Reads the base poses into `bones`, which hold the result of the last read. Returns whether
    /// somebody has moved a bone since; `None` if one was freed.
    pub(crate) fn read(&self, bones: &mut [Bone], in_editor: bool) -> Option<bool> {
        let mut has_changed = false;
        for (tracked, bone) in self.bones.iter().zip(bones) {
            has_changed |= tracked.read(bone, in_editor)?;
        }
        Some(has_changed)
    }

    /// Restores the base poses: writes them into the bones that hold solved ones.
    pub(crate) fn restore(&self) {
        self.bones.iter().for_each(TrackedBone::restore);
    }

    /// Makes what the bones with these indices hold their base pose.
    pub(crate) fn keep(&self, indices: &[usize]) {
        indices.iter().for_each(|&index| self.bones[index].keep());
    }

    /// The same bones. They get their base pose back when they leave the tree: later, nobody could reach
    /// them any more.
    pub(crate) fn watched(self) -> Rc<Self> {
        let bones = Rc::new(self);
        for tracked in &bones.bones {
            let bones: Weak<Self> = Rc::downgrade(&bones);
            tracked.before_leaving(bones);
        }
        bones
    }

    /// Restores the base poses for saving, to the last bit. `bones` hold the result of the last read.
    pub(crate) fn restore_last_bits(&self, bones: &[Bone]) {
        for (tracked, bone) in self.bones.iter().zip(bones) {
            tracked.restore();
            tracked.restore_last_bits(bone);
        }
    }

    /// Takes over what `old` remembers, with `old_bones` as the result of its last read. Restores the
    /// base poses of the bones that are not among these.
    pub(crate) fn take_over(&self, bones: &mut [Bone], old: &Self, old_bones: &[Bone]) {
        for (tracked, known) in old.bones.iter().zip(old_bones) {
            match self.index_of(tracked.id()) {
                Some(index) => {
                    self.bones[index].take_over(tracked);
                    recall(&mut bones[index], known);
                }
                None => tracked.restore(),
            }
        }
    }

    /// Stores in `history` what was last read of the bones, which is in `bones`, before the plan is
    /// dropped.
    pub(crate) fn remember_in(&self, history: &mut UndoHistory, bones: &[Bone]) {
        for (tracked, bone) in self.bones.iter().zip(bones) {
            if tracked.is_known() {
                history.remove_bone(tracked.id(), *bone);
            }
        }
    }

    /// Takes from `history` what was last read of bones that an undo has brought back. The engine
    /// rewrites the transform of a bone that leaves the tree; without this, its changed last bits would
    /// be a new base pose.
    pub(crate) fn recall_from(&self, history: &UndoHistory, bones: &mut [Bone]) {
        for (tracked, bone) in self.bones.iter().zip(bones) {
            let removed = history.removed_bone(tracked.id());
            if let Some(known) = removed.filter(|_| !tracked.is_known()) {
                recall(bone, &known);
                tracked.set_known();
            }
        }
    }

    /// The poses that the bones hold, and what is remembered of them, bit by bit. `None` if one was freed.
    pub(crate) fn save(&self) -> Option<Vec<u32>> {
        let mut words = Vec::with_capacity(SAVED * self.bones.len());
        for tracked in &self.bones {
            words.extend(tracked.save()?);
        }
        Some(words)
    }

    /// Checks that [`save`](Self::save) of as many bones could have written `words`.
    ///
    /// # Errors
    /// The reason why not, in words.
    pub(crate) fn check(&self, words: &[u32]) -> Result<(), &'static str> {
        let (saved, rest) = words.as_chunks();
        if saved.len() != self.bones.len() || !rest.is_empty() {
            return Err("the state is that of a rig with more bones, or fewer");
        }
        match saved.iter().all(TrackedBone::could_save) {
            true => Ok(()),
            false => Err("the state is damaged, or a number in the pose of a bone was not finite"),
        }
    }

    /// Gives the bones back what they held when `words` were saved, or their base poses, if the rig does not
    /// show what it solves.
    pub(crate) fn load(&self, words: &[u32], shows: bool) {
        let (saved, _) = words.as_chunks();
        for (tracked, words) in self.bones.iter().zip(saved) {
            tracked.load(*words, shows);
        }
    }

    /// The base pose of a bone; `None` if it is not among these, or was freed.
    pub fn base_pose_of(&self, bone: InstanceId) -> Option<BonePose> {
        let index = self.index_of(bone)?;
        self.bones[index].poses().map(|(_, base)| base)
    }

    /// The base pose of each bone.
    pub(crate) fn base_poses(&self) -> impl Iterator<Item = (InstanceId, BonePose)> {
        let bones = self.bones.iter();
        bones.filter_map(|tracked| Some((tracked.id(), tracked.poses()?.1)))
    }

    /// The pose that each bone holds, and its base pose.
    pub(crate) fn poses(&self) -> impl Iterator<Item = (InstanceId, BonePose, BonePose)> {
        let bones = self.bones.iter();
        bones.filter_map(|tracked| {
            let (held, base) = tracked.poses()?;
            Some((tracked.id(), held, base))
        })
    }

    /// The bones that hold a solved pose, each with what it holds and its base pose.
    pub(super) fn solved(&self) -> impl Iterator<Item = (&TrackedBone, BonePose, BonePose)> {
        let bones = self.bones.iter();
        let poses = bones.filter_map(|tracked| {
            let (held, base) = tracked.poses()?;
            Some((tracked, held, base))
        });
        poses.filter(|(_, held, base)| held != base)
    }

    /// Treats what bones hold now as written by the rig, with these base poses.
    pub(crate) fn claim(&self, base_poses: &HashMap<InstanceId, BonePose>) {
        for tracked in &self.bones {
            if let Some(&base) = base_poses.get(&tracked.id()) {
                tracked.claim(base);
            }
        }
    }

    /// Treats `bone` as a copy of a bone that held `held` and had the base pose `base`.
    pub(super) fn claim_copy(&self, bone: &Gd<Bone2D>, held: BonePose, base: BonePose) {
        if let Some(index) = self.index_of(bone.instance_id()) {
            self.bones[index].claim_copy(held, base);
        }
    }
}

impl ExitHook for TrackedBones {
    fn leaves(&self, node: InstanceId) {
        if let Some(index) = self.index_of(node) {
            self.bones[index].restore_leaving();
        }
    }
}

/// Gives `bone` the pose that was last read of it, which `known` has.
fn recall(bone: &mut Bone, known: &Bone) {
    let Bone { parent, limit, .. } = *bone;
    *bone = Bone {
        parent,
        limit,
        ..*known
    };
}
