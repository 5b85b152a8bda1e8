//! Base poses by version of the edited scene, for the editor's undo and redo.
//!
//! The editor's undo history holds what it reads from the bones, and while a rig is previewed that
//! is a solved pose. So the rig remembers which base pose belongs to which version of the scene.
//! The base poses that changed with an action are restored when the action is undone.

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
    /// The base poses at that version.
    bases: HashMap<InstanceId, BonePose>,
    /// What changed with the action that led to a version.
    actions: BTreeMap<u64, Changes>,
    /// The bones that have left the plan, as they were known.
    removed: HashMap<InstanceId, Bone>,
}

impl UndoHistory {
    /// Adds a bone, unless it is known already.
    pub(crate) fn add_bone(&mut self, bone: InstanceId, base: BonePose) {
        self.bases.entry(bone).or_insert(base);
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

    /// Undo or redo has led to `version`. Returns the base poses that changed in between.
    pub(crate) fn go_to(&mut self, version: u64) -> HashMap<InstanceId, BonePose> {
        let before = self.version.replace(version).unwrap_or(version);
        let mut changed = HashMap::new();
        if version < before {
            for (_, action) in self.actions.range(version + 1..=before).rev() {
                changed.extend(action.iter().map(|(&bone, &[before, _])| (bone, before)));
            }
        } else if version > before {
            for (_, action) in self.actions.range(before + 1..=version) {
                changed.extend(action.iter().map(|(&bone, &[_, after])| (bone, after)));
            }
        }
        self.bases.extend(&changed);
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

    fn rotation(changed: &HashMap<InstanceId, BonePose>) -> Option<f32> {
        changed.get(&bone(1)).map(|base| base.rotation)
    }

    #[test]
    fn undo_and_redo_bring_back_what_an_action_changed() {
        let mut history = UndoHistory::default();
        history.add_bone(bone(1), base(0.1));
        history.commit(2, at(0.2));
        history.commit(3, at(0.2));
        history.commit(4, at(0.4));
        assert_eq!(rotation(&history.go_to(3)), Some(0.2));
        assert_eq!(rotation(&history.go_to(2)), None, "nothing changed then");
        assert_eq!(rotation(&history.go_to(2)), None, "nowhere");
        assert_eq!(rotation(&history.go_to(1)), Some(0.1));
        assert_eq!(rotation(&history.go_to(4)), Some(0.4), "several at once");
        assert_eq!(rotation(&history.go_to(1)), Some(0.1));
    }

    #[test]
    fn merged_actions_are_one() {
        let mut history = UndoHistory::default();
        history.add_bone(bone(1), base(0.1));
        history.commit(2, at(0.2));
        history.commit(2, at(0.3));
        assert_eq!(rotation(&history.go_to(1)), Some(0.1));
        assert_eq!(rotation(&history.go_to(2)), Some(0.3));
    }

    #[test]
    fn a_new_action_takes_the_place_of_those_undone() {
        let mut history = UndoHistory::default();
        history.add_bone(bone(1), base(0.1));
        history.commit(2, at(0.2));
        history.commit(3, at(0.3));
        history.go_to(1);
        history.commit(2, at(0.5));
        assert_eq!(rotation(&history.go_to(1)), Some(0.1));
        assert_eq!(rotation(&history.go_to(2)), Some(0.5));
        assert_eq!(rotation(&history.go_to(3)), None);
    }
}
