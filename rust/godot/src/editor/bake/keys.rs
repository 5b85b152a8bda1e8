//! Makes tracks of recorded motions, with no more keys than the tolerance needs.

use godot::classes::Animation;
use godot::classes::animation::InterpolationType;
use godot::prelude::*;
use tendon_solver::keyframes;

use crate::editor::bake::existing_tracks::has_track;
use crate::editor::bake::recording::Motion;
use crate::editor::bake::steps::Steps;
use crate::editor::bake::tracks::Tracks;
use crate::engine::bone_transform::BoneTransform;

const LINEAR: InterpolationType = InterpolationType::LINEAR;
const LINEAR_ANGLE: InterpolationType = InterpolationType::LINEAR_ANGLE;
/// The largest angle between two keys, in radians: less than half a turn.
const LARGEST_TURN: f64 = 3.0;

/// How far the motion between two keys may be from what was solved.
#[derive(Clone, Copy)]
pub(in crate::editor) struct Tolerance {
    /// Radians. A scale may differ by this part of itself.
    pub(in crate::editor) angle: f64,
    /// Pixels, for bones that are moved.
    pub(in crate::editor) length: f64,
}

/// What was baked, for the report.
pub(in crate::editor) struct Baked {
    pub(in crate::editor) tracks: usize,
    pub(in crate::editor) keys: usize,
    /// How many keys there would be without reduction.
    pub(in crate::editor) samples: usize,
    /// The name of the animation that has the tracks.
    pub(in crate::editor) animation: String,
}

impl Baked {
    fn count(&mut self, times: &[f64], kept: &[usize]) {
        self.tracks += 1;
        self.keys += kept.len();
        self.samples += times.len();
    }
}

/// Makes tracks, which begin as an animation of their own.
struct TrackMaker<'a> {
    animation: &'a Gd<Animation>,
    root: &'a Gd<Node>,
    steps: &'a Steps,
    tolerance: Tolerance,
    tracks: Tracks,
    baked: Baked,
}

/// The baked tracks of `motions`, as those of an animation of their own, to be added to
/// `animation`, which is called `name`.
pub(super) fn make_tracks(
    (animation, name): (&Gd<Animation>, &StringName),
    root: &Gd<Node>,
    steps: &Steps,
    motions: &[Motion],
    tolerance: Tolerance,
) -> (Gd<Animation>, Baked) {
    let mut maker = TrackMaker {
        animation,
        root,
        steps,
        tolerance,
        tracks: Tracks::new(animation.get_length()),
        baked: Baked {
            tracks: 0,
            keys: 0,
            samples: 0,
            animation: name.to_string(),
        },
    };
    for motion in motions {
        if motion.turns() {
            maker.add_rotation(motion);
        }
        for property in vectors(motion, tolerance) {
            maker.add_vector(motion, property);
        }
    }
    (maker.tracks.animation(), maker.baked)
}

impl TrackMaker<'_> {
    fn add_rotation(&mut self, motion: &Motion) {
        let (times, transforms) = self.samples(motion, "rotation");
        let mut angles: Vec<_> = transforms.iter().map(|at| f64::from(at.rotation)).collect();
        keyframes::unwind(&mut angles, motion.start());
        let values: Vec<_> = angles.into_iter().map(|angle| [angle]).collect();
        let kept = keyframes::thin(&times, &values, self.tolerance.angle, LARGEST_TURN);
        self.baked.count(&times, &kept);
        let keys = kept
            .into_iter()
            .map(|at| (times[at], values[at][0].to_variant()));
        let path = format!("{}:rotation", self.root.get_path_to(&motion.bone));
        self.tracks.add(&path, LINEAR_ANGLE, keys);
    }

    fn add_vector(&mut self, motion: &Motion, (name, vector, tolerance): VectorProperty) {
        let (times, transforms) = self.samples(motion, name);
        let vectors: Vec<_> = transforms.iter().map(vector).collect();
        let values: Vec<_> = vectors
            .iter()
            .map(|at| [at.x, at.y].map(f64::from))
            .collect();
        let kept = keyframes::thin(&times, &values, tolerance, f64::INFINITY);
        self.baked.count(&times, &kept);
        let keys = kept
            .into_iter()
            .map(|at| (times[at], vectors[at].to_variant()));
        let path = format!("{}:{name}", self.root.get_path_to(&motion.bone));
        self.tracks.add(&path, LINEAR, keys);
    }

    /// The times and transforms of a bone whose property `name` gets a track.
    fn samples(&self, motion: &Motion, name: &str) -> (Vec<f64>, Vec<BoneTransform>) {
        let has_track = has_track(self.animation, self.root, &motion.bone, name);
        motion.samples(self.steps, has_track)
    }
}

/// A property that is a vector: its name, how it is read, and its tolerance.
type VectorProperty = (&'static str, fn(&BoneTransform) -> Vector2, f64);

/// The properties that get a track of vectors.
fn vectors(motion: &Motion, tolerance: Tolerance) -> impl Iterator<Item = VectorProperty> {
    let position: VectorProperty = ("position", |at| at.position, tolerance.length);
    // A scale that differs by a part of itself moves the bone's end as far as a turn by that angle.
    let scale: VectorProperty = ("scale", |at| at.scale, tolerance.angle);
    let position = motion.moves().then_some(position);
    position.into_iter().chain(motion.scales().then_some(scale))
}
