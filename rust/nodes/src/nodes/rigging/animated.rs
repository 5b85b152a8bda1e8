//! The angles that the animations of a scene give bones.

use std::collections::HashMap;

use godot::classes::animation::TrackType;
use godot::classes::{Animation, AnimationPlayer, Bone2D, Skeleton2D, Viewport};
use godot::prelude::*;

use crate::engine::children::all_below;
use crate::nodes::joint_limit::angle_turned_to;

/// Between two keys, an animation is looked at so often.
const LOOKS: usize = 4;

/// The poses that animations have for the bones of a skeleton.
#[derive(Default)]
pub struct AnimatedBones(HashMap<InstanceId, Vec<f32>>);

impl AnimatedBones {
    /// Those of the animations of the scene that `skeleton` is in.
    pub(super) fn of(skeleton: &Gd<Skeleton2D>) -> Self {
        let mut found = Self::default();
        for player in all_below::<AnimationPlayer>(&scene_of(skeleton)) {
            let Some(root) = player.get_node_or_null(&player.get_root_node()) else {
                continue;
            };
            for name in player.get_animation_list().as_slice() {
                if let Some(animation) = player.get_animation(&StringName::from(name)) {
                    found.read(&animation, &root, skeleton);
                }
            }
        }
        found
    }

    /// Returns `true` if an animation turns `bone`.
    pub fn has(&self, bone: &Gd<Bone2D>) -> bool {
        self.0.contains_key(&bone.instance_id())
    }

    /// The angles that `bone` has, from its rest.
    pub(super) fn angles(&self, bone: &Gd<Bone2D>) -> impl Iterator<Item = f32> {
        let angles = self.0.get(&bone.instance_id());
        angles.into_iter().flatten().copied()
    }

    fn read(&mut self, animation: &Gd<Animation>, root: &Gd<Node>, skeleton: &Gd<Skeleton2D>) {
        for track in 0..animation.get_track_count() {
            let path = animation.track_get_path(track);
            if path.get_subname_count() != 1 || path.get_subname(0) != "rotation" {
                continue;
            }
            let node = root.get_node_or_null(&NodePath::from(&path.get_concatenated_names()));
            let bone = node.and_then(|node| node.try_cast::<Bone2D>().ok());
            let Some(bone) = bone.filter(|bone| skeleton.is_ancestor_of(bone)) else {
                continue;
            };
            let rotations = rotations_in(animation, track).into_iter();
            let angles = rotations.filter_map(|rotation| angle_turned_to(&bone, rotation));
            self.0.entry(bone.instance_id()).or_default().extend(angles);
        }
    }
}

/// The values of a track of numbers: at its keys, and at times between two of them, as a curve may swing out there.
fn rotations_in(animation: &Gd<Animation>, track: i32) -> Vec<f32> {
    let kind = animation.track_get_type(track);
    let value = |time: f64| -> Option<f32> {
        match kind {
            TrackType::VALUE => {
                let value = animation.value_track_interpolate(track, time);
                let value = value.try_to::<f64>();
                value.ok().map(|value| value as f32)
            }
            TrackType::BEZIER => Some(animation.bezier_track_interpolate(track, time)),
            _ => None,
        }
    };
    let keys = 0..animation.track_get_key_count(track);
    let times: Vec<_> = keys
        .map(|key| animation.track_get_key_time(track, key))
        .collect();
    let between = times.windows(2).flat_map(|ends| {
        (1..=LOOKS).map(move |look| {
            let part = look as f64 / (LOOKS + 1) as f64;
            ends[0] + part * (ends[1] - ends[0])
        })
    });
    let times = times.iter().copied().chain(between);
    times
        .filter_map(value)
        .filter(|value| value.is_finite())
        .collect()
}

/// The root of the scene: the highest node above `skeleton` that no viewport is.
fn scene_of(skeleton: &Gd<Skeleton2D>) -> Gd<Node> {
    let mut scene = skeleton.clone().upcast::<Node>();
    while let Some(parent) = scene.get_parent()
        && parent.clone().try_cast::<Viewport>().is_err()
    {
        scene = parent;
    }
    scene
}
