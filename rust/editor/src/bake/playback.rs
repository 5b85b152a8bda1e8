//! Plays an animation step by step, and restores everything that it changes.
//!
//! A separate player plays a copy of the animation: the user's player keeps its position, no method
//! is called, and no sound is played. The copy loops as the animation does: a loop decides what is
//! between the last key and the end. Its end is a moment before the loop begins again.

use godot::classes::animation::{LoopMode, TrackType, UpdateMode};
use godot::classes::animation_mixer::AnimationCallbackModeProcess;
use godot::classes::node::InternalMode;
use godot::classes::{Animation, AnimationLibrary, AnimationPlayer, Object};
use godot::prelude::*;
use tendon_nodes::engine::node_pose::NodePose;
use tendon_nodes::engine::skeleton::bones_of;
use tendon_nodes::nodes::rig::TendonRig2D;

use crate::bake::subject::BakeSubject;

/// An animation that is played. Dropping it restores everything.
pub(super) struct Playback {
    player: Gd<AnimationPlayer>,
    /// The properties with the values that they had before.
    backup: Vec<(Gd<Object>, NodePath, Variant)>,
    rig: Gd<TendonRig2D>,
    /// The base pose.
    base: Vec<NodePose>,
    /// The last moment before the loop begins again, in seconds.
    last: f64,
}

impl Playback {
    /// Prepares to play `animation` instead of that of `subject`, or that itself, with the rig at rest.
    pub(super) fn new(subject: &BakeSubject, animation: &Gd<Animation>) -> Self {
        TendonRig2D::restore_and_drop_plan(subject.rig.clone());
        let base = NodePose::of_all(&bones_of(&subject.skeleton));
        let root = &subject.root;
        let mut copy = animation.duplicate_resource();
        for track in (0..copy.get_track_count()).rev() {
            match copy.track_get_type(track) {
                TrackType::METHOD | TrackType::AUDIO | TrackType::ANIMATION => {
                    copy.remove_track(track);
                }
                TrackType::VALUE
                    if copy.value_track_get_update_mode(track) == UpdateMode::CAPTURE =>
                {
                    copy.value_track_set_update_mode(track, UpdateMode::CONTINUOUS);
                }
                _ => {}
            }
        }
        let backup = resolved_tracks(&copy, root).map(|(_, object, property)| {
            let value = object.get_indexed(&property);
            (object, property, value)
        });
        let backup = backup.collect();
        let mut library = AnimationLibrary::new_gd();
        library.add_animation(NAME, &copy);
        let mut player = AnimationPlayer::new_alloc();
        player.set_callback_mode_process(AnimationCallbackModeProcess::MANUAL);
        player.add_animation_library("", &library);
        // Below the root: its own root is its parent.
        let mut parent = root.clone();
        parent
            .add_child_ex(&player)
            .internal(InternalMode::BACK)
            .done();
        player.play_ex().name(NAME).done();
        let length = f64::from(animation.get_length());
        let last = match animation.get_loop_mode() {
            LoopMode::LINEAR => length - MOMENT,
            _ => length,
        };
        Self {
            player,
            backup,
            rig: subject.rig.clone(),
            base,
            last,
        }
    }

    /// Gives every property the value that it has at `time`, in seconds.
    pub(super) fn seek(&mut self, time: f64) {
        let time = time.min(self.last).max(0.0);
        self.player.seek_ex(time).update(true).done();
    }
}

impl Drop for Playback {
    fn drop(&mut self) {
        self.player.clone().free();
        for (object, property, value) in &mut self.backup {
            if object.is_instance_valid() {
                object.set_indexed(&*property, value);
            }
        }
        TendonRig2D::restore_and_drop_plan(self.rig.clone());
        self.base.iter().for_each(NodePose::restore);
    }
}

/// The tracks of `animation` that set something: the index of each, the object and the property of it.
pub(crate) fn resolved_tracks(
    animation: &Gd<Animation>,
    root: &Gd<Node>,
) -> impl Iterator<Item = (i32, Gd<Object>, NodePath)> {
    (0..animation.get_track_count()).filter_map(|track| {
        let (object, property) = resolve(root, &animation.track_get_path(track))?;
        Some((track, object, property))
    })
}

/// The object that a track's path names, and the property of it.
fn resolve(root: &Gd<Node>, path: &NodePath) -> Option<(Gd<Object>, NodePath)> {
    root.get_node_or_null(&NodePath::from(&path.get_concatenated_names()))?;
    let parts = root.clone().get_node_and_resource(path);
    let mut parts = parts.iter_shared();
    let node: Option<Gd<Object>> = parts.next()?.try_to().ok();
    let resource: Option<Gd<Object>> = parts.next()?.try_to().ok();
    let property = parts.next()?.try_to::<NodePath>().ok()?;
    (!property.is_empty()).then_some((resource.or(node)?, property))
}

/// Seconds. The engine takes two times for the same that differ by less.
const MOMENT: f64 = 1e-4;
/// The name of the animation in a library of its own.
const NAME: &str = "bake";
