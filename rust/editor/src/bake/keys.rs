//! Makes tracks of recorded motions, with no more keys than the tolerance needs.

use godot::classes::Animation;
use godot::prelude::*;
use tendon_nodes::engine::node_pose::NodePose;

use crate::bake::existing_tracks::has_track;
use crate::bake::recording::RecordedBone;
use crate::bake::steps::SampleTimes;
use crate::bake::subject::BakeSubject;
use crate::bake::tracks::Tracks;

/// The greatest distance of the motion between two keys from what was solved.
#[derive(Clone, Copy)]
pub(crate) struct Tolerance {
    /// Radians. A scale may differ by this part of itself.
    pub(crate) angle: f64,
    /// Pixels, for bones that are moved.
    pub(crate) length: f64,
}

/// The counts of a bake, for the report.
pub(crate) struct Baked {
    pub(crate) tracks: usize,
    pub(crate) keys: usize,
    /// The number of keys without reduction.
    pub(crate) samples: usize,
    /// The name of the animation that has the tracks.
    pub(crate) animation: String,
}

/// The baked tracks of `motions`, as those of an animation of their own, to be added to that of
/// `subject`.
pub(super) fn make_tracks(
    subject: &BakeSubject,
    steps: &SampleTimes,
    motions: &[RecordedBone],
    tolerance: Tolerance,
) -> (Gd<Animation>, Baked) {
    let mut tracks = Tracks::new(subject.animation.get_length());
    let mut baked = Baked {
        tracks: 0,
        keys: 0,
        samples: 0,
        animation: subject.name.to_string(),
    };
    for motion in motions {
        let properties = [
            ("rotation", motion.turns()),
            ("position", motion.moves()),
            ("scale", motion.scales()),
        ];
        for (property, _) in properties.into_iter().filter(|(_, changes)| *changes) {
            let (times, poses) = samples(subject, steps, motion, property);
            let path = format!("{}:{property}", subject.root.get_path_to(&motion.bone));
            let mut add_vectors = |of: fn(&NodePose) -> Vector2, tolerance| {
                let vectors: Vec<_> = poses.iter().map(of).collect();
                tracks.add_vectors(&path, &times, &vectors, tolerance)
            };
            baked.keys += match property {
                "position" => add_vectors(|at| at.position, tolerance.length),
                // One that differs by a part of itself moves the bone's end as far as a turn by that
                // angle.
                "scale" => add_vectors(|at| at.scale, tolerance.angle),
                _ => {
                    let angles = poses.iter().map(|at| f64::from(at.rotation)).collect();
                    tracks.add_angles(&path, &times, (angles, motion.start()), tolerance.angle)
                }
            };
            baked.tracks += 1;
            baked.samples += times.len();
        }
    }
    (tracks.animation(), baked)
}

/// The times and transforms of a bone whose `property` gets a track.
fn samples(
    subject: &BakeSubject,
    steps: &SampleTimes,
    motion: &RecordedBone,
    property: &str,
) -> (Vec<f64>, Vec<NodePose>) {
    let has_track = has_track(&subject.animation, &subject.root, &motion.bone, property);
    motion.samples(steps, has_track)
}
