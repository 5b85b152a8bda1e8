//! Base poses by version of the edited scene, for the editor's undo and redo.
//!
//! The editor's undo history holds what it reads from the bones, and while a rig is previewed that
//! is a solved pose. So the rig remembers which base pose belongs to which version of the scene.
//! The base poses that changed with an action are restored when the action is undone, in the bones that it had changed
//! last or that the undo writes: whoever writes a bone last is right, also an animation that was gone to meanwhile.

use std::collections::{BTreeMap, HashMap};

use godot::prelude::*;
use tendon_solver::Bone;

use crate::base_pose::bone_pose::BonePose;

/// The base poses that an action has changed, before it and after it.
type Changes = HashMap<InstanceId, [BonePose; 2]>;

/// The base poses of a rig's bones, version by version.
#[derive(Default)]
pub(crate) struct UndoHistory {
    /// The latest version of the scene that the rig was notified of.
    version: Option<u64>,
    /// The base poses as they were noted last.
    bases: HashMap<InstanceId, BonePose>,
    /// The changes by the action that led to a version.
    actions: BTreeMap<u64, Changes>,
    /// The bones that have left the plan, as they were known.
    removed: HashMap<InstanceId, Bone>,
}

impl UndoHistory {
    /// Adds a bone, unless it is known already.
    pub(crate) fn add_bone(&mut self, bone: InstanceId, base: BonePose) {
        self.bases.entry(bone).or_insert(base);
    }

    /// No action has led to the base poses `now`: an animation has set them.
    pub(crate) fn note(&mut self, now: impl Iterator<Item = (InstanceId, BonePose)>) {
        self.bases.extend(now);
    }

    /// A bone leaves the plan. Undo may bring it back, rewritten by the engine.
    pub(super) fn remove_bone(&mut self, bone: InstanceId, known: Bone) {
        self.removed.insert(bone, known);
    }

    /// A bone that was removed, as it was known.
    pub(super) fn removed_bone(&self, bone: InstanceId) -> Option<Bone> {
        self.removed.get(&bone).copied()
    }

    /// An action has led to `version`, in which the bones have the base poses `now`. One that
    /// was merged into the action before it leads to the same version again.
    pub(crate) fn commit(
        &mut self,
        version: u64,
        now: impl Iterator<Item = (InstanceId, BonePose)>,
    ) {
        self.actions.retain(|&known, _| known <= version);
        if self.version.is_none_or(|before| before < version) {
            self.actions.remove(&version);
        }
        self.version = Some(version);
        let action = self.actions.entry(version).or_default();
        for (bone, after) in now {
            let before = self.bases.insert(bone, after).unwrap_or(after);
            if before != after {
                action.entry(bone).or_insert([before, after])[1] = after;
            }
        }
    }

    /// Undo or redo has led to `version`, in which each bone of `now` holds a pose and, by that, seems to have a base
    /// pose. Returns the base poses that they have got in between.
    ///
    /// A bone that holds its base pose, the one that is known, was not written by the undo. One that holds a solved pose
    /// may have been: the same pose as before.
    pub(crate) fn go_to(
        &mut self,
        version: u64,
        now: impl Iterator<Item = (InstanceId, BonePose, BonePose)>,
    ) -> HashMap<InstanceId, BonePose> {
        let mut changed = self.changes_on_the_way_to(version);
        for (bone, held, now) in now {
            let known = self.bases.insert(bone, now);
            let is_written = known.is_none_or(|known| !known.is_near(&now));
            let is_solved = !held.is_near(&now);
            let is_kept =
                |&[from, _]: &[BonePose; 2]| !(is_written || is_solved && from.is_near(&now));
            if changed.get(&bone).is_some_and(is_kept) {
                changed.remove(&bone);
            }
        }
        let changed = changed.into_iter().map(|(bone, [_, to])| (bone, to));
        let changed: HashMap<_, _> = changed.collect();
        self.bases.extend(&changed);
        changed
    }

    /// The first and the last base pose of each bone that changes on the way.
    fn changes_on_the_way_to(&mut self, version: u64) -> Changes {
        let before = self.version.replace(version).unwrap_or(version);
        let mut changed = Changes::new();
        let mut pass = |&bone, [from, to]: [BonePose; 2]| {
            changed.entry(bone).or_insert([from, to])[1] = to;
        };
        if version < before {
            for (_, action) in self.actions.range(version + 1..=before).rev() {
                action
                    .iter()
                    .for_each(|(bone, &[before, after])| pass(bone, [after, before]));
            }
        } else if version > before {
            for (_, action) in self.actions.range(before + 1..=version) {
                action.iter().for_each(|(bone, &change)| pass(bone, change));
            }
        }
        changed
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tendon_solver::glam::Vec2;

    fn bone(id: i64) -> InstanceId {
        InstanceId::from_i64(id)
    }

    fn base(rotation: f32) -> BonePose {
        BonePose {
            rotation,
            position: Vec2::ZERO,
            scale: Vec2::ONE,
        }
    }

    fn at(rotation: f32) -> std::iter::Once<(InstanceId, BonePose)> {
        std::iter::once((bone(1), base(rotation)))
    }

    /// The rotation that the bone gets on the way to `version`. It holds the same solved pose all the time.
    fn go_to(history: &mut UndoHistory, version: u64) -> Option<f32> {
        let now = history.bases[&bone(1)];
        let held = base(9.0);
        let changed = history.go_to(version, std::iter::once((bone(1), held, now)));
        changed.get(&bone(1)).map(|base| base.rotation)
    }

    /// The same of a bone that holds its base pose, `now`.
    fn go_to_unsolved(history: &mut UndoHistory, version: u64, now: f32) -> Option<f32> {
        let changed = history.go_to(version, std::iter::once((bone(1), base(now), base(now))));
        changed.get(&bone(1)).map(|base| base.rotation)
    }

    #[test]
    fn undo_and_redo_bring_back_what_an_action_changed() {
        let mut history = UndoHistory::default();
        history.add_bone(bone(1), base(0.1));
        history.commit(2, at(0.2));
        history.commit(3, at(0.2));
        history.commit(4, at(0.4));
        assert_eq!(go_to(&mut history, 3), Some(0.2));
        assert_eq!(go_to(&mut history, 2), None, "nothing changed then");
        assert_eq!(go_to(&mut history, 2), None, "nowhere");
        assert_eq!(go_to(&mut history, 1), Some(0.1));
        assert_eq!(go_to(&mut history, 4), Some(0.4), "several at once");
        assert_eq!(go_to(&mut history, 1), Some(0.1));
    }

    #[test]
    fn merged_actions_are_one() {
        let mut history = UndoHistory::default();
        history.add_bone(bone(1), base(0.1));
        history.commit(2, at(0.2));
        history.commit(2, at(0.3));
        assert_eq!(go_to(&mut history, 1), Some(0.1));
        assert_eq!(go_to(&mut history, 2), Some(0.3));
    }

    #[test]
    fn a_new_action_takes_the_place_of_those_undone() {
        let mut history = UndoHistory::default();
        history.add_bone(bone(1), base(0.1));
        history.commit(2, at(0.2));
        history.commit(3, at(0.3));
        go_to(&mut history, 1);
        history.commit(2, at(0.5));
        assert_eq!(go_to(&mut history, 1), Some(0.1));
        assert_eq!(go_to(&mut history, 2), Some(0.5));
        assert_eq!(go_to(&mut history, 3), None);
    }

    #[test]
    fn what_an_animation_has_set_stays_unless_the_undo_writes_it() {
        let mut history = UndoHistory::default();
        history.add_bone(bone(1), base(0.1));
        history.commit(1, at(0.1));
        history.note(at(0.7));
        history.commit(2, at(0.7));
        assert_eq!(go_to(&mut history, 1), None, "the action has not set it");
        history.commit(2, at(0.2));
        history.note(at(0.7));
        assert_eq!(go_to(&mut history, 1), None, "set after the action");
        assert_eq!(go_to(&mut history, 2), Some(0.2), "redo");
        assert_eq!(
            go_to_unsolved(&mut history, 1, 0.3),
            Some(0.7),
            "the undo has written what was shown"
        );
    }
}
