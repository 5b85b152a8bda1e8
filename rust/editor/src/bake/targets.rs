//! Bakes the keys of bones into keys of the targets that modifiers reach for, so that a finished animation can
//! move to inverse kinematics.
//!
//! The animation is played with the rig at rest, at every key and at a rate between keys. The target of each
//! modifier goes where the tip is then; where the modifier takes over the target's rotation, that goes with
//! it. Bones keep their tracks: they decide between the poses that reach the target, as the base pose does.
//!
//! Afterwards the result is played and solved, and the largest difference from the animation is reported.
//!
//! | file | what is in it |
//! |---|---|
//! | [`aim`] | the place of a target for a pose |
//! | [`dialog`] | asks what to bake |

pub(crate) mod aim;
pub(crate) mod dialog;

use godot::builtin::math::ApproxEq;
use godot::classes::{Animation, Node2D};
use godot::global::angle_difference;
use godot::prelude::*;
use tendon_nodes::engine::children::all_below;
use tendon_nodes::engine::node_pose::NodePose;
use tendon_nodes::engine::skeleton::bones_of;
use tendon_nodes::nodes::rig::TendonRig2D;

use crate::bake::copy::write;
use crate::bake::existing_tracks::{Conflict, sets, tracks_to_replace};
use crate::bake::form::Chosen;
use crate::bake::playback::Playback;
use crate::bake::steps::SampleTimes;
use crate::bake::subject::BakeSubject;
use crate::bake::targets::aim::{BakedTarget, aims_of};
use crate::bake::tracks::Tracks;
use crate::preview::solve;
use crate::refusal::Refusal;

/// The greatest difference of the angle of a target from what was sampled between two keys, in radians.
const ANGLE_TOLERANCE: f64 = 1e-3;

/// The targets to bake, and the fineness of their tracks.
pub(crate) struct TargetBake {
    /// Its rate is that of samples besides those at the keys.
    pub(crate) chosen: Chosen,
    /// Those whose targets get keys.
    pub(crate) modifiers: Vec<Gd<Node>>,
    /// The greatest distance of a target from what was sampled between two keys, in pixels of its parent.
    pub(crate) tolerance: f64,
}

/// The counts of a bake, for the report.
pub(crate) struct BakedTargets {
    pub(crate) targets: usize,
    pub(crate) keys: usize,
    pub(crate) animation: String,
    /// The largest difference between the solved pose and the animation's: the angle of a bone, in radians.
    pub(crate) difference: f64,
}

/// A target that moves: at each time, its position and rotation.
struct TargetPath {
    aim: BakedTarget,
    samples: Vec<(Vector2, f64)>,
}

impl TargetBake {
    /// Checks that the animation can be baked to the chosen targets.
    ///
    /// # Errors
    /// Why it cannot, with advice what to do.
    fn check(&self, scene: &Gd<Node>) -> Result<(), Refusal> {
        BakeSubject::find(&self.chosen, scene)?;
        aims_of(&self.modifiers).map(|_| ())
    }

    /// Bakes, as one undo step in the history of the scene whose root is `scene`.
    ///
    /// # Errors
    /// Why nothing was baked, with advice what to do.
    pub(crate) fn run(&self, scene: &Gd<Node>, title: &str) -> Result<BakedTargets, Refusal> {
        let subject = BakeSubject::find(&self.chosen, scene)?;
        let rate = self.chosen.rate;
        let is_sound = rate > 0.0 && rate.is_finite() && self.tolerance >= 0.0;
        if !is_sound {
            return Err("Choose a rate above 0, and a tolerance of 0 or more.".into());
        }
        let aims = aims_of(&self.modifiers)?;
        let times = times_of(&subject.animation, rate)?;
        let paths = record(&subject, aims, &times);
        let (tracks, keys) = self.make_tracks(&subject, &times, &paths);
        let replaced = replaced_by(&subject, &paths)?;
        let ending = self.chosen.into_copy.then_some("_targets");
        let name = write(&subject, &tracks, &replaced, ending, (scene, title))?;
        Ok(BakedTargets {
            targets: paths.len(),
            keys,
            difference: difference(&subject, &name, &times),
            animation: name,
        })
    }

    /// Tracks for the targets, as those of an animation of their own, and how many keys they have.
    fn make_tracks(
        &self,
        subject: &BakeSubject,
        times: &[f64],
        paths: &[TargetPath],
    ) -> (Gd<Animation>, usize) {
        let mut tracks = Tracks::new(subject.animation.get_length());
        let mut count = 0;
        for TargetPath { aim, samples } in paths {
            let node = subject.root.get_path_to(&aim.target);
            let places: Vec<_> = samples.iter().map(|&(place, _)| place).collect();
            let path = format!("{node}:position");
            count += tracks.add_vectors(&path, times, &places, self.tolerance);
            if aim.turns() {
                let angles = samples.iter().map(|&(_, angle)| angle).collect();
                let angles = (angles, f64::from(aim.target.get_rotation()));
                let path = format!("{node}:rotation");
                count += tracks.add_angles(&path, times, angles, ANGLE_TOLERANCE);
            }
        }
        (tracks.animation(), count)
    }
}

/// Plays the animation with the rig at rest, and notes where the targets have to be.
fn record(subject: &BakeSubject, aims: Vec<BakedTarget>, times: &[f64]) -> Vec<TargetPath> {
    let paths = aims.into_iter().map(|aim| TargetPath {
        aim,
        samples: Vec::new(),
    });
    let mut paths: Vec<_> = paths.collect();
    let mut playback = Playback::new(subject, &subject.animation);
    for &time in times {
        playback.seek(time);
        for path in &mut paths {
            path.samples.push(path.aim.place());
        }
    }
    paths
}

/// Returns the largest difference between the solved pose and that of the animation `name`, in radians.
fn difference(subject: &BakeSubject, name: &str, times: &[f64]) -> f64 {
    let Some(animation) = subject.player.get_animation(name) else {
        return f64::INFINITY;
    };
    let bones = bones_of(&subject.skeleton);
    let mut playback = Playback::new(subject, &animation);
    let mut difference = 0.0_f64;
    for &time in times {
        playback.seek(time);
        let animated = NodePose::of_all(&bones);
        solve(&subject.rig);
        for animated in &animated {
            let solved = f64::from(animated.node.get_rotation());
            let turn = angle_difference(f64::from(animated.rotation), solved);
            difference = difference.max(turn.abs());
        }
        TendonRig2D::restore_pose(subject.rig.clone());
    }
    difference
}

/// The times of all keys, and those in between, in order.
///
/// # Errors
/// There would be too many.
fn times_of(animation: &Gd<Animation>, rate: f64) -> Result<Vec<f64>, Refusal> {
    let length = f64::from(animation.get_length());
    let tracks = 0..animation.get_track_count();
    let keys = tracks.flat_map(|track| {
        let keys = 0..animation.track_get_key_count(track);
        keys.map(move |key| (track, key))
    });
    let keys = keys.map(|(track, key)| animation.track_get_key_time(track, key));
    let keys = keys.filter(|&time| (0.0..=length).contains(&time));
    let mut times = SampleTimes::new(0.0, length, rate, length)?.during;
    times.extend(keys);
    times.sort_by(f64::total_cmp);
    times.dedup_by(|a, b| a.approx_eq(b));
    Ok(times)
}

/// The tracks of the animation that the new ones replace.
fn replaced_by(subject: &BakeSubject, paths: &[TargetPath]) -> Result<Vec<i32>, Refusal> {
    let conflict = |object, property: &NodePath| {
        let mut aims = paths.iter().map(|path| &path.aim);
        let aim = aims.find(|aim| aim.target.instance_id() == object)?;
        let name = property.to_string();
        if sets(property, "position") || (aim.turns() && sets(property, "rotation")) {
            return Some(Conflict::Replaceable);
        }
        let sets_more = name.contains("transform") || name.contains("global_position");
        sets_more.then_some(Conflict::SetsMore)
    };
    let advice = "the position, and would undo what is baked. Give that target a track of its position \
        instead.";
    tracks_to_replace(&subject.animation, &subject.root, conflict, advice)
}

/// The modifiers of `rig` that have a target or, by their effectors, several.
pub(crate) fn modifiers_with_targets(rig: &Gd<TendonRig2D>) -> Vec<Gd<Node>> {
    let mut modifiers = all_below::<Node>(&rig.clone().upcast());
    modifiers.retain(|node| node.get("target").try_to::<Gd<Node2D>>().is_ok());
    modifiers
}
