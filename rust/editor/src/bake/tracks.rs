//! Makes tracks, adds them to animations and replaces them, as parts of an undo step.

use godot::classes::Animation;
use godot::classes::animation::{InterpolationType, TrackType, UpdateMode};
use godot::prelude::*;
use tendon_solver::key_thinning;

use crate::action::Action;

/// The largest angle between two keys, in radians: less than half a turn.
const LARGEST_TURN: f64 = 3.0;

/// Tracks that are made, as those of an animation of their own.
pub(crate) struct Tracks(Gd<Animation>);

impl Tracks {
    /// For an animation of `length` seconds.
    pub(crate) fn new(length: f32) -> Self {
        let mut animation = Animation::new_gd();
        animation.set_length(length);
        Self(animation)
    }

    /// Adds a track with `keys`, which are times and values.
    pub(crate) fn add(
        &mut self,
        path: &str,
        interpolation: InterpolationType,
        keys: impl Iterator<Item = (f64, Variant)>,
    ) {
        let track = self.0.add_track(TrackType::VALUE);
        self.0.track_set_path(track, path);
        self.0.track_set_interpolation_type(track, interpolation);
        self.0
            .value_track_set_update_mode(track, UpdateMode::CONTINUOUS);
        for (time, value) in keys {
            self.0.track_insert_key(track, time, &value);
        }
    }

    /// Adds a track of these angles, from `start` on without turns between keys, with no more keys than
    /// `tolerance` needs. Returns how many.
    pub(super) fn add_angles(
        &mut self,
        path: &str,
        times: &[f64],
        (mut angles, start): (Vec<f64>, f64),
        tolerance: f64,
    ) -> usize {
        key_thinning::unwind(&mut angles, start);
        let values: Vec<_> = angles.iter().map(|&angle| [angle]).collect();
        let kept = key_thinning::thin(times, &values, tolerance, LARGEST_TURN);
        let keys = kept.iter().map(|&at| (times[at], angles[at].to_variant()));
        self.add(path, InterpolationType::LINEAR_ANGLE, keys);
        kept.len()
    }

    /// Adds a track of these vectors, with no more keys than `tolerance` needs. Returns how many.
    pub(super) fn add_vectors(
        &mut self,
        path: &str,
        times: &[f64],
        vectors: &[Vector2],
        tolerance: f64,
    ) -> usize {
        let values = vectors.iter().map(|at| [at.x, at.y].map(f64::from));
        let values: Vec<_> = values.collect();
        let kept = key_thinning::thin(times, &values, tolerance, f64::INFINITY);
        let keys = kept.iter().map(|&at| (times[at], vectors[at].to_variant()));
        self.add(path, InterpolationType::LINEAR, keys);
        kept.len()
    }

    pub(crate) fn animation(self) -> Gd<Animation> {
        self.0
    }
}

/// Returns `true` if `animation` is saved with another scene than the one whose root is `scene`.
pub(crate) fn is_foreign(animation: &Gd<Animation>, scene: &Gd<Node>) -> bool {
    let path = animation.get_path().to_string();
    let file = path
        .split_once("::")
        .map_or(path.as_str(), |(file, _)| file);
    let is_resource = file.is_empty() || file.ends_with(".tres") || file.ends_with(".res");
    !is_resource && scene.get_scene_file_path() != file
}

/// Appends the tracks of `from` at `indices` to `animation`, which then has `first` of its own.
pub(crate) fn append_tracks(
    from: &Gd<Animation>,
    indices: &[i32],
    animation: &Gd<Animation>,
    first: i32,
    action: &mut Action,
) {
    for (index, &track) in (first..).zip(indices) {
        let arguments = [track.to_variant(), animation.to_variant()];
        action.when_done(from, "copy_track", &arguments);
        action.when_undone(animation, "remove_track", &[index.to_variant()]);
    }
}

/// Puts `tracks` into `animation` in place of those at the indices `replaced`.
pub(super) fn replace_tracks(
    animation: &Gd<Animation>,
    tracks: &Gd<Animation>,
    replaced: &[i32],
    action: &mut Action,
) {
    let into = animation.to_variant();
    let mut kept = Animation::new_gd();
    let copies = |from: i32| [from.to_variant(), into.clone()];
    // Undone in the opposite order: each track is added at the end and then moved to its index.
    for (index, &track) in replaced.iter().enumerate().rev() {
        let index = index as i32;
        let last = animation.get_track_count() - replaced.len() as i32 + index;
        let back = [last.to_variant(), track.to_variant()];
        action.when_done(animation, "remove_track", &[track.to_variant()]);
        action.when_undone(animation, "track_move_to", &back);
        action.when_undone(&kept, "copy_track", &copies(index));
    }
    for &track in replaced {
        animation.clone().copy_track(track, &kept);
    }
    kept.set_length(animation.get_length());
    let first = animation.get_track_count() - replaced.len() as i32;
    let all: Vec<_> = (0..tracks.get_track_count()).collect();
    append_tracks(tracks, &all, animation, first, action);
    // Editors that show the animation update, and its file counts as changed.
    action.when_done(animation, "emit_changed", &[]);
}
