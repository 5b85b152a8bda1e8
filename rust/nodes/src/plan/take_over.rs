//! What a plan takes over from the one that it takes the place of.

use tendon_solver::glam::Vec2;
use tendon_solver::math::angle::shortest_way;
use tendon_solver::{LetGo, Modifier};

use crate::base_pose::tracked_bones::TrackedBones;
use crate::plan::modifier::PlannedModifier;
use crate::plan::{Plan, pair_up};

/// The bones of two plans, and what those of the old one have shown.
struct BothBones<'a> {
    old: &'a TrackedBones,
    new: &'a TrackedBones,
    /// By what angle each old bone was shown off its base pose, and by how much off its place; empty if nothing goes over.
    off: Vec<(f32, Vec2)>,
}

impl Plan {
    /// Takes over what `old` remembers of the bones and modifiers that are in both plans, and puts
    /// the base poses of the other bones back.
    pub(crate) fn take_over(&mut self, old: &mut Plan) {
        self.take_over_memories(old);
        let bones = &mut self.rig.bones;
        self.bones.take_over(bones, &old.bones, &old.rig.bones);
    }

    /// Takes over what the modifiers remember of the last pass, as far as they still turn the same
    /// bones, and for the others what their bones have shown.
    fn take_over_memories(&mut self, old: &mut Plan) {
        let bones = BothBones {
            off: old.shown_off(),
            old: &old.bones,
            new: &self.bones,
        };
        let old_pairs = pair_up(&old.modifiers, old.rig.modifiers.iter_mut());
        let mut old_pairs: Vec<_> = old_pairs.collect();
        let mut given_up = Vec::new();
        for (planned, modifier) in pair_up(&self.modifiers, self.rig.modifiers.iter_mut()) {
            let mut old_pairs = old_pairs.iter_mut();
            let same = old_pairs.find(|(old, _)| planned.goes_on_from(old));
            let Some((old_planned, Some(old_modifier))) = same else {
                continue;
            };
            // Before it gives away what it remembers.
            let joints = bones.let_go_of(old_modifier);
            let goes_on = modifier.is_some_and(|modifier| {
                bones.take_over([planned, old_planned], modifier, old_modifier)
            });
            // Nothing is left to reach for, or it begins or ends at another bone.
            if !goes_on {
                given_up.extend(joints);
            }
        }
        let is_given_up = !given_up.is_empty();
        self.let_go(old, given_up);
        if is_given_up {
            let shown = self.bones.iter().map(|bone| {
                let shown = old.bones.index_of(bone.id());
                shown.map_or(f32::NAN, |bone| old.rig.rotation(bone))
            });
            self.rig.take_drawn(shown.collect());
        }
    }

    /// By what angle each bone is shown off its base pose, and by how much off its place, if any modifier goes over.
    fn shown_off(&self) -> Vec<(f32, Vec2)> {
        let off = |bone: usize| {
            let base = &self.rig.bones[bone];
            let turn = shortest_way(base.rotation, self.rig.rotation(bone));
            (turn, self.rig.position(bone) - base.position)
        };
        let goes_over = self.rig.modifiers.iter().any(Modifier::is_handed_over);
        let bones = 0..self.rig.bones.len();
        bones.filter(|_| goes_over).map(off).collect()
    }

    /// Has bones go back to the base pose that `old` shows off it: those that it has let go of already, and of the joints that
    /// are `given_up` those that no modifier turns any more.
    fn let_go(&mut self, old: &Plan, given_up: Vec<LetGo>) {
        let still = old.rig.let_go.iter().cloned();
        let kept: Vec<_> = still
            .chain(given_up)
            .filter_map(|it| {
                let bone = self.bones.index_of(old.bones.get(it.bone).id())?;
                let mut modifiers = self.rig.modifiers.iter();
                let is_turned = modifiers.any(|modifier| modifier.parts().joints().contains(&bone));
                (!is_turned).then_some(LetGo { bone, ..it })
            })
            .collect();
        self.rig.let_go = kept;
    }
}

impl BothBones<'_> {
    /// Has `modifier` go on from `old`. Returns whether it turns the same bones: with others, it goes over from what it has
    /// shown.
    fn take_over(
        &self,
        [planned, old_planned]: [&PlannedModifier; 2],
        modifier: &mut Modifier,
        old: &mut Modifier,
    ) -> bool {
        let ids = |modifier: &Modifier, bones: &TrackedBones| -> Vec<_> {
            let joints = modifier.parts().joints().iter();
            joints.map(|&joint| bones.get(joint).id()).collect()
        };
        let turns_same = ids(modifier, self.new) == ids(old, self.old);
        if turns_same {
            modifier.take_over_memory(old);
            if old_planned.target != planned.target {
                modifier.note_exchange();
            }
        } else {
            modifier.take_over_pose(old, &|bone| {
                let bone = self.old.index_of(self.new.get(bone).id())?;
                Some((bone, self.off.get(bone).map_or(0.0, |off| off.0)))
            });
        }
        let [goals, old_goals] = [planned, old_planned].map(|planned| {
            let nodes = planned.nodes();
            nodes.map(|it| it.goals()).unwrap_or_default()
        });
        if old_goals != goals {
            modifier.exchange_effectors(goals.iter().map(|[effector, target]| {
                let index = old_goals.iter().position(|[it, _]| it == effector)?;
                Some((index, old_goals[index][1] == *target))
            }));
        }
        turns_same
    }

    /// The joints of `modifier` as bones that it lets go of, if it hands over what is exchanged.
    fn let_go_of(&self, modifier: &Modifier) -> Vec<LetGo> {
        let handover = modifier.handover.as_ref();
        let Some(handover) = handover.filter(|_| modifier.is_handed_over()) else {
            return Vec::new();
        };
        let joints = modifier.parts().joints().iter();
        let joints = joints.map(|&it| LetGo::new(it, self.off[it], handover.settings));
        joints.collect()
    }
}
