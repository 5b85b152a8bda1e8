//! Base poses that solved ones cover: for what the editor saves, undoes and copies.
//!
//! Saving rewrites the transform of every bone, which changes last bits, and those of the scale and
//! skew too. In the editor a bone is therefore taken for what it was known to be as long as it
//! differs by no more, and is put back to the last bit before it is saved: a scene that nobody has
//! changed is saved as it was, byte for byte.

use std::collections::HashMap;

use godot::classes::Bone2D;
use godot::prelude::*;
use tendon_solver::Bone;
use tendon_solver::turn::shortest_way;

use crate::base_pose::past::{Given, Past};
use crate::engine::space::to_godot;
use crate::pass::{CLOSE, bits};
use crate::plan::{Plan, PlannedBone, Seen};

impl Plan {
    /// The bones whose base poses are covered by solved ones: what they hold, and what they were
    /// given.
    pub(crate) fn covered(&self) -> impl Iterator<Item = (&PlannedBone, Given, Given)> {
        let bones = self.bones.iter();
        let bases = bones.filter_map(|planned| Some((planned, planned.held()?, planned.base()?)));
        bases.filter(|(_, held, base)| held != base)
    }

    /// The base pose of a bone, as of now; `None` of one that the plan does not know.
    pub(crate) fn base_of(&self, bone: InstanceId) -> Option<Given> {
        self.bones[self.index_of(bone)?].base()
    }

    /// Each bone's base pose, as of now.
    pub(crate) fn bases(&self) -> impl Iterator<Item = (InstanceId, Given)> {
        let bones = self.bones.iter();
        bones.filter_map(|planned| Some((planned.node.id(), planned.base()?)))
    }

    /// Tells `past` how each bone is known, since this plan is given up.
    pub(crate) fn see_off(&self, past: &mut Past) {
        for (planned, known) in self.bones.iter().zip(&self.rig.bones) {
            if planned.is_known {
                past.see_off(planned.node.id(), *known);
            }
        }
    }

    /// Knows bones again that another plan has known: the engine rewrites a bone that leaves the
    /// tree.
    pub(crate) fn welcome_back(&mut self, past: &Past) {
        for (planned, bone) in self.bones.iter_mut().zip(&mut self.rig.bones) {
            if let Some(known) = past
                .welcome_back(planned.node.id())
                .filter(|_| !planned.is_known)
            {
                let (parent, limit) = (bone.parent, bone.limit);
                *bone = Bone {
                    parent,
                    limit,
                    ..known
                };
                planned.is_known = true;
            }
        }
    }

    /// Takes what bones hold now for solved, over these base poses.
    pub(crate) fn claim(&mut self, bases: &HashMap<InstanceId, Given>) {
        for planned in &mut self.bones {
            if let Some(&base) = bases.get(&planned.node.id())
                && let Some(bone) = planned.read()
            {
                planned.base_pose.claim(base, &bone);
                planned.seen = Seen::Never;
            }
        }
    }

    /// Takes over what another rig, of which this one is a copy, remembers of a bone that held
    /// `held`.
    pub(crate) fn inherit(&mut self, bone: &Gd<Bone2D>, held: Given, base: Given) {
        let index = self.index_of(bone.instance_id());
        let planned = index.map(|index| &mut self.bones[index]);
        if let Some(planned) = planned
            && let Some(mut bone) = planned.read()
        {
            bone.rotation = held.rotation;
            bone.position = held.position;
            planned.base_pose.claim(base, &bone);
        }
    }
}

impl PlannedBone {
    fn held(&self) -> Option<Given> {
        self.read().as_ref().map(Given::of)
    }

    fn base(&self) -> Option<Given> {
        let bone = self.read()?;
        let mut memory = self.base_pose;
        Some(Given {
            rotation: memory.base_of(&bone),
            position: memory.base_position_of(&bone),
        })
    }

    /// Puts back what rewriting has changed of the bone's rotation, scale and skew: `known` is what
    /// they were.
    pub(crate) fn straighten(&self, known: &Bone) {
        let Some(mut bone) = self.read() else {
            return;
        };
        let read = bone;
        anchor(&mut bone, known);
        let mut node = self.node.gd().clone();
        if bone.rotation.to_bits() != read.rotation.to_bits() {
            node.set_rotation(bone.rotation);
        }
        if bits(bone.scale) != bits(read.scale) {
            node.set_scale(to_godot(bone.scale));
        }
        if bone.skew.to_bits() != read.skew.to_bits() {
            node.set_skew(bone.skew);
        }
    }
}

/// Takes for the rotation, scale and skew of `bone` those that are `known`, if they differ by no
/// more than the engine's rewriting: in the editor every saving rewrites them, and else they would
/// drift in the saved scene.
pub(crate) fn anchor(bone: &mut Bone, known: &Bone) {
    if shortest_way(known.rotation, bone.rotation).abs() <= CLOSE {
        bone.rotation = known.rotation;
    }
    if bone
        .scale
        .abs_diff_eq(known.scale, CLOSE * known.scale.abs().max_element())
    {
        bone.scale = known.scale;
    }
    // The engine finds a skew by way of a cosine.
    if (bone.skew - known.skew).abs() <= SAME_SKEW {
        bone.skew = known.skew;
    }
}

/// Skews nearer than this, in radians, are the same skew.
const SAME_SKEW: f32 = 1e-3;
