//! Plays the animation step by step, and records how each bone moves.

use godot::classes::animation::LoopMode;
use godot::classes::{Animation, Bone2D};
use godot::prelude::*;
use tendon_nodes::engine::node_pose::NodePose;
use tendon_nodes::engine::skeleton::bones_of;
use tendon_nodes::nodes::rig::TendonRig2D;

use crate::bake::playback::Playback;
use crate::bake::steps::SampleTimes;
use crate::bake::subject::BakeSubject;
use crate::preview::{NOTHING_SOLVED, solve_after};
use crate::refusal::Refusal;

/// A loop is played for this many seconds before it is recorded. After that its springs repeat
/// their motion, unless they are hardly damped.
const RUN_UP: f64 = 6.0;
/// The greatest number of times that a short loop is played.
const MOST_ROUNDS: f64 = 60.0;

/// The recorded motion of one bone.
pub(super) struct RecordedBone {
    pub(super) bone: Gd<Bone2D>,
    /// For each step of the range: the animated and the solved transform.
    steps: Vec<(NodePose, NodePose)>,
    /// For each step outside of the range.
    outside: Vec<NodePose>,
}

impl RecordedBone {
    fn of(bone: Gd<Bone2D>) -> Self {
        Self {
            bone,
            steps: Vec::new(),
            outside: Vec::new(),
        }
    }

    pub(super) fn turns(&self) -> bool {
        self.changes(|pose| pose.rotation)
    }

    pub(super) fn moves(&self) -> bool {
        self.changes(|pose| pose.position)
    }

    pub(super) fn scales(&self) -> bool {
        self.changes(|pose| pose.scale)
    }

    fn changes<T: PartialEq>(&self, part: impl Fn(&NodePose) -> T) -> bool {
        let mut steps = self.steps.iter();
        steps.any(|(animated, solved)| part(animated) != part(solved))
    }

    /// The rotation, in radians, from which the others continue.
    pub(super) fn start(&self) -> f64 {
        let first = self.steps.first();
        first.map_or(0.0, |(animated, _)| f64::from(animated.rotation))
    }

    /// The times and transforms of the bone: solved ones in the range and, if the bone `has_track`
    /// in the animation, animated ones outside.
    pub(super) fn samples(
        &self,
        steps: &SampleTimes,
        has_track: bool,
    ) -> (Vec<f64>, Vec<NodePose>) {
        let solved = self.steps.iter().map(|(_, solved)| solved.clone());
        if !has_track {
            return (steps.during.clone(), solved.collect());
        }
        let (before, after) = self.outside.split_at(steps.before.len());
        let times = [&steps.before[..], &steps.during, &steps.after].concat();
        let transforms = before
            .iter()
            .cloned()
            .chain(solved)
            .chain(after.iter().cloned());
        (times, transforms.collect())
    }
}

/// Plays the animation and records every bone. Then restores what it has changed.
pub(super) fn record(
    subject: &BakeSubject,
    steps: &SampleTimes,
) -> Result<Vec<RecordedBone>, Refusal> {
    let rig = &subject.rig;
    let bones = bones_of(&subject.skeleton);
    let mut motions: Vec<_> = bones.into_iter().map(RecordedBone::of).collect();
    let mut playback = Playback::new(subject, &subject.animation);
    record_outside(&mut motions, &mut playback, &steps.before);
    let swings = moves_by_itself(rig);
    if swings {
        run_up(&mut playback, &subject.animation, rig, steps);
    }
    for (index, &time) in steps.during.iter().enumerate() {
        playback.seek(time);
        let delta = if swings { steps.since(index) } else { 0.0 };
        record_step(&mut motions, rig, delta);
    }
    record_outside(&mut motions, &mut playback, &steps.after);
    drop(playback);
    motions.retain(|motion| motion.turns() || motion.moves() || motion.scales());
    if motions.is_empty() {
        return Err(NOTHING_SOLVED.into());
    }
    Ok(motions)
}

/// Records steps outside of the range.
fn record_outside(motions: &mut [RecordedBone], playback: &mut Playback, times: &[f64]) {
    for &time in times {
        playback.seek(time);
        for motion in &mut *motions {
            motion.outside.push(NodePose::of(&motion.bone));
        }
    }
}

/// Records a step of the range, `delta` seconds after the last one.
fn record_step(motions: &mut [RecordedBone], rig: &Gd<TendonRig2D>, delta: f64) {
    let animated: Vec<_> = motions
        .iter()
        .map(|motion| NodePose::of(&motion.bone))
        .collect();
    solve_after(rig, delta);
    for (motion, animated) in motions.iter_mut().zip(animated) {
        let solved = NodePose::of(&motion.bone);
        motion.steps.push((animated, solved));
    }
    TendonRig2D::restore_pose(rig.clone());
}

/// Returns `true` if a modifier of `rig` moves by itself, so that what came before counts. A pass shows it. What
/// that leaves is forgotten.
fn moves_by_itself(rig: &Gd<TendonRig2D>) -> bool {
    solve_after(rig, 0.0);
    let moves = rig.bind().plan().is_some_and(|plan| {
        let mut modifiers = plan.rig.modifiers.iter();
        modifiers.any(|modifier| modifier.parts().moves_by_itself())
    });
    TendonRig2D::restore_and_drop_plan(rig.clone());
    moves
}

/// Brings springs into the state in which the range begins. For a loop that is baked as a whole,
/// that is the state in which it repeats itself, and otherwise rest.
fn run_up(
    playback: &mut Playback,
    animation: &Gd<Animation>,
    rig: &Gd<TendonRig2D>,
    steps: &SampleTimes,
) {
    rig.clone().call("reset", &[]);
    let is_whole = steps.before.is_empty() && steps.after.is_empty();
    let length = f64::from(animation.get_length());
    if !is_whole || animation.get_loop_mode() != LoopMode::LINEAR {
        return;
    }
    let rounds = (RUN_UP / length).ceil().clamp(1.0, MOST_ROUNDS);
    for _ in 0..rounds as u32 {
        for (index, &time) in steps.during.iter().enumerate() {
            playback.seek(time);
            solve_after(rig, steps.since(index));
            TendonRig2D::restore_pose(rig.clone());
        }
    }
}
