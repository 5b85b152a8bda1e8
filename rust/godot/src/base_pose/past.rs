//! What the editor's undo brings back.
//!
//! The editor's undo history holds what it reads from the bones, and while a rig is previewed
//! that is a solved pose. So the rig remembers beside it which base pose belongs to which version
//! of the scene: the base poses that changed with an action are put back with it.

use std::collections::{BTreeMap, HashMap};

use godot::prelude::*;
use tendon_solver::Bone;
use tendon_solver::glam::Vec2;

/// What a bone was given: radians, and a position in the parent's frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Given {
    pub(crate) rotation: f32,
    pub(crate) position: Vec2,
}

impl Given {
    /// That of a bone of a plan, which has its base pose.
    pub(crate) fn of(bone: &Bone) -> Self {
        Self {
            rotation: bone.rotation,
            position: bone.position,
        }
    }
}

/// A bone that an action has given another base pose.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Turned {
    pub(crate) bone: InstanceId,
    before: Given,
    after: Given,
}

/// The base poses of a rig's bones, version by version.
#[derive(Default)]
pub(crate) struct Past {
    /// The version of the scene that the rig has heard of last.
    version: Option<u64>,
    /// The base poses at that version.
    bases: HashMap<InstanceId, Given>,
    /// What changed with the action that led to a version.
    actions: BTreeMap<u64, Vec<Turned>>,
    /// Bones that have left the plan, as they were known.
    left: HashMap<InstanceId, Bone>,
}

impl Past {
    /// Gets to know a bone, if it does not.
    pub(crate) fn meet(&mut self, bone: InstanceId, base: Given) {
        self.bases.entry(bone).or_insert(base);
    }

    /// A bone leaves the plan: undo may bring it back, rewritten by the engine.
    pub(crate) fn see_off(&mut self, bone: InstanceId, known: Bone) {
        self.left.insert(bone, known);
    }

    /// How a bone was known that has left the plan and is back.
    pub(crate) fn welcome_back(&self, bone: InstanceId) -> Option<Bone> {
        self.left.get(&bone).copied()
    }

    /// An action has led to `version`, in which the bones have the base poses `now`. One that
    /// was merged into the action before it leads to the same version again.
    pub(crate) fn commit(&mut self, version: u64, now: impl Iterator<Item = (InstanceId, Given)>) {
        self.actions.retain(|&known, _| known <= version);
        if self.version.is_none_or(|before| before < version) {
            self.actions.remove(&version);
        }
        self.version = Some(version);
        let action = self.actions.entry(version).or_default();
        for (bone, after) in now {
            let before = self.bases.insert(bone, after).unwrap_or(after);
            if before == after {
                continue;
            }
            match action.iter_mut().find(|turned| turned.bone == bone) {
                Some(turned) => turned.after = after,
                None => action.push(Turned {
                    bone,
                    before,
                    after,
                }),
            }
        }
    }

    /// Undo or redo has led to `version`. Returns the base poses that have changed on the way.
    pub(crate) fn travel(&mut self, version: u64) -> HashMap<InstanceId, Given> {
        let before = self.version.replace(version).unwrap_or(version);
        let mut changed = HashMap::new();
        if version < before {
            for (_, action) in self.actions.range(version + 1..=before).rev() {
                changed.extend(action.iter().map(|turned| (turned.bone, turned.before)));
            }
        } else if version > before {
            for (_, action) in self.actions.range(before + 1..=version) {
                changed.extend(action.iter().map(|turned| (turned.bone, turned.after)));
            }
        }
        self.bases.extend(&changed);
        changed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bone(id: i64) -> InstanceId {
        InstanceId::from_i64(id)
    }

    fn base(rotation: f32) -> Given {
        Given {
            rotation,
            position: Vec2::ZERO,
        }
    }

    fn at(rotation: f32) -> std::iter::Once<(InstanceId, Given)> {
        std::iter::once((bone(1), base(rotation)))
    }

    fn rotation(changed: &HashMap<InstanceId, Given>) -> Option<f32> {
        changed.get(&bone(1)).map(|base| base.rotation)
    }

    #[test]
    fn undo_and_redo_bring_back_what_an_action_changed() {
        let mut past = Past::default();
        past.meet(bone(1), base(0.1));
        past.commit(2, at(0.2));
        past.commit(3, at(0.2));
        past.commit(4, at(0.4));
        assert_eq!(rotation(&past.travel(3)), Some(0.2));
        assert_eq!(rotation(&past.travel(2)), None, "nothing changed then");
        assert_eq!(rotation(&past.travel(2)), None, "nowhere");
        assert_eq!(rotation(&past.travel(1)), Some(0.1));
        assert_eq!(rotation(&past.travel(4)), Some(0.4), "several at once");
        assert_eq!(rotation(&past.travel(1)), Some(0.1));
    }

    #[test]
    fn merged_actions_are_one() {
        let mut past = Past::default();
        past.meet(bone(1), base(0.1));
        past.commit(2, at(0.2));
        past.commit(2, at(0.3));
        assert_eq!(rotation(&past.travel(1)), Some(0.1));
        assert_eq!(rotation(&past.travel(2)), Some(0.3));
    }

    #[test]
    fn a_new_action_takes_the_place_of_those_undone() {
        let mut past = Past::default();
        past.meet(bone(1), base(0.1));
        past.commit(2, at(0.2));
        past.commit(3, at(0.3));
        past.travel(1);
        past.commit(2, at(0.5));
        assert_eq!(rotation(&past.travel(1)), Some(0.1));
        assert_eq!(rotation(&past.travel(2)), Some(0.5));
        assert_eq!(rotation(&past.travel(3)), None);
    }
}
