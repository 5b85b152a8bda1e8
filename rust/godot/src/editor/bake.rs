//! Bakes solved poses into the keys of an animation.
//!
//! The animation is played step by step, the rig solves at each, and every bone that it turns, moves or
//! scales gets tracks of its own, with no more keys than the tolerance needs. Keys are at most half
//! a turn apart, so that the direction from one to the next is unambiguous, and values do not wrap.
//! Before and after the range, a bone that the animation had moved keeps that motion.
//!
//! Where there are springs, time passes from step to step. A loop is played several times before it
//! is recorded, until its end and its beginning fit; any other range begins at rest.
//!
//! What is baked also gets tracks in the animation RESET, with the base pose: the editor goes back to
//! that when a scene is saved. Without it, what was last seen of an animation would be saved.

pub(super) mod dialog;
mod playback;
mod reset;
mod tracks;

use godot::classes::animation::{InterpolationType, LoopMode, TrackType, UpdateMode};
use godot::classes::{Animation, AnimationPlayer, Bone2D, Skeleton2D};
use godot::prelude::*;
use tendon_solver::keyframes;

use crate::editor::action::Action;
use crate::editor::bake::playback::{Playback, resolve};
use crate::editor::bake::tracks::{append_tracks, is_foreign};
use crate::editor::pose::{BoneTransform, NOTHING_SOLVED, solve_after};
use crate::editor::selection::bones_of;
use crate::nodes::rig::TendonRig2D;
use crate::nodes::rig::surroundings::rig_of;
use crate::plan::modifier::Modifier;

/// What to bake, and how finely.
pub(super) struct Bake {
    pub(super) skeleton: Gd<Skeleton2D>,
    pub(super) player: Gd<AnimationPlayer>,
    pub(super) animation: StringName,
    /// Seconds.
    pub(super) from: f64,
    pub(super) to: f64,
    /// Steps per second.
    pub(super) rate: f64,
    /// How far the motion between two keys may be from what was solved: radians, and for bones
    /// that are stretched, pixels. A scale may be off by that part.
    pub(super) tolerance: Tolerance,
    /// Whether the tracks go into a copy of the animation, which is added to its library.
    pub(super) into_copy: bool,
}

#[derive(Clone, Copy)]
pub(super) struct Tolerance {
    pub(super) angle: f64,
    pub(super) length: f64,
}

/// The result.
pub(super) struct Baked {
    pub(super) tracks: usize,
    pub(super) keys: usize,
    /// How many keys there would be without reduction.
    pub(super) samples: usize,
    /// Which animation has them.
    pub(super) animation: String,
}

/// What a track of the animation does to a baked bone.
#[derive(PartialEq)]
enum Rival {
    /// It sets only what is baked, and is removed.
    Replaced,
    /// It sets other properties, too.
    InTheWay,
}

/// The recorded motion of one bone.
struct Motion {
    bone: Gd<Bone2D>,
    /// For each step of the range: as animation has it, and as solved.
    steps: Vec<(BoneTransform, BoneTransform)>,
    /// For each step outside of the range.
    outside: Vec<BoneTransform>,
}

/// The times at which the motion is sampled, in seconds.
struct Steps {
    before: Vec<f64>,
    during: Vec<f64>,
    after: Vec<f64>,
}

impl Bake {
    /// Bakes, as one undo step in the history of the scene whose root is `scene`.
    ///
    /// # Errors
    /// Why nothing was baked.
    pub(super) fn run(&self, scene: &Gd<Node>, title: &str) -> Result<Baked, String> {
        let rig = rig_of(&self.skeleton).ok_or("This Skeleton2D has no TendonRig2D.")?;
        if rig.get("active") != true.to_variant() {
            return Err("The rig is not active: there is nothing to bake.".into());
        }
        let animation = self.player.get_animation(&self.animation);
        let animation = animation.ok_or("Choose an animation.")?;
        if is_foreign(&animation, scene) {
            return Err("The animation belongs to another scene. Bake it there.".into());
        }
        let root = self.player.get_node_or_null(&self.player.get_root_node());
        let root = root.ok_or("The AnimationPlayer's root node does not exist.")?;
        let steps = self.steps(f64::from(animation.get_length()))?;
        let motions = self.record(&animation, &root, &rig, &steps)?;
        let (tracks, mut baked) = self.tracks(&animation, &root, &steps, &motions)?;
        let replaced = rivals(&animation, &root, &motions)?;
        let action = Action::begin(title, scene);
        let mut action = action.ok_or("This scene has no undo history.")?;
        reset::add_tracks(&self.player, &tracks, &root, scene, &mut action);
        if self.into_copy {
            baked.animation = self.add_copy(&animation, &tracks, &replaced, &mut action)?;
        } else {
            replace_tracks(&animation, &tracks, &replaced, &mut action);
        }
        action.commit();
        Ok(baked)
    }

    /// Adds a copy of `animation` with `tracks` in place of those at the indices `replaced` to its
    /// library. Returns its name there.
    fn add_copy(
        &self,
        animation: &Gd<Animation>,
        tracks: &Gd<Animation>,
        replaced: &[i32],
        action: &mut Action,
    ) -> Result<String, String> {
        let library = self.player.find_animation_library(animation);
        let library = self.player.get_animation_library(&library);
        let library = library.ok_or("The animation is in no library of the player.")?;
        let mut copy = animation.duplicate_resource();
        for &track in replaced.iter().rev() {
            copy.remove_track(track);
        }
        for track in 0..tracks.get_track_count() {
            tracks.clone().copy_track(track, &copy);
        }
        let own = self.animation.to_string();
        let stem = own.rsplit('/').next().unwrap_or_default().to_owned() + "_baked";
        let name = (1..)
            .map(|number| match number {
                1 => stem.clone(),
                _ => format!("{stem}_{number}"),
            })
            .find(|name| !library.has_animation(name.as_str()))
            .unwrap_or(stem);
        let arguments = [StringName::from(&name).to_variant(), copy.to_variant()];
        action.when_done(&library, "add_animation", &arguments);
        action.when_undone(&library, "remove_animation", &arguments[..1]);
        Ok(name)
    }

    fn steps(&self, length: f64) -> Result<Steps, String> {
        let (from, to) = (self.from.max(0.0), self.to.min(length));
        let sound = self.rate > 0.0 && self.rate.is_finite() && from < to;
        if !sound || self.tolerance.angle.is_nan() || self.tolerance.length.is_nan() {
            return Err("Choose a range within the animation, and a rate above 0.".into());
        }
        Ok(Steps {
            before: times(0.0, from, self.rate)
                .filter(|&time| time < from)
                .collect(),
            during: times(from, to, self.rate).collect(),
            after: times(to, length, self.rate).skip(1).collect(),
        })
    }

    /// Plays the animation and records every bone. Afterwards everything is as before.
    fn record(
        &self,
        animation: &Gd<Animation>,
        root: &Gd<Node>,
        rig: &Gd<TendonRig2D>,
        steps: &Steps,
    ) -> Result<Vec<Motion>, String> {
        let bones = bones_of(&self.skeleton);
        TendonRig2D::forget_pose(rig.clone());
        let base = BoneTransform::of_all(&bones);
        let mut motions: Vec<_> = bones.into_iter().map(Motion::of).collect();
        let mut playback = Playback::new(animation, root);
        for &time in &steps.before {
            playback.seek(time);
            motions.iter_mut().for_each(Motion::pass);
        }
        let swings = moves_by_itself(rig);
        if swings {
            run_up(&mut playback, animation, rig, steps);
        }
        for (index, &time) in steps.during.iter().enumerate() {
            playback.seek(time);
            let animated: Vec<_> = motions
                .iter()
                .map(|motion| BoneTransform::of(&motion.bone))
                .collect();
            solve_after(rig, if swings { steps.since(index) } else { 0.0 });
            for (motion, animated) in motions.iter_mut().zip(animated) {
                motion
                    .steps
                    .push((animated, BoneTransform::of(&motion.bone)));
            }
            TendonRig2D::restore_pose(rig.clone());
        }
        for &time in &steps.after {
            playback.seek(time);
            motions.iter_mut().for_each(Motion::pass);
        }
        drop(playback);
        TendonRig2D::forget_pose(rig.clone());
        base.iter().for_each(BoneTransform::restore);
        motions.retain(|motion| motion.turns() || motion.moves() || motion.grows());
        if motions.is_empty() {
            return Err(NOTHING_SOLVED.into());
        }
        Ok(motions)
    }

    /// The baked tracks, as those of an animation of their own.
    fn tracks(
        &self,
        animation: &Gd<Animation>,
        root: &Gd<Node>,
        steps: &Steps,
        motions: &[Motion],
    ) -> Result<(Gd<Animation>, Baked), String> {
        let mut tracks = Animation::new_gd();
        tracks.set_length(animation.get_length());
        let mut baked = Baked {
            tracks: 0,
            keys: 0,
            samples: 0,
            animation: self.animation.to_string(),
        };
        for motion in motions {
            let path = root.get_path_to(&motion.bone);
            if motion.turns() {
                let had = has_track(animation, root, &motion.bone, "rotation");
                let (times, transforms) = motion.course(steps, had);
                let mut angles: Vec<_> =
                    transforms.iter().map(|at| f64::from(at.rotation)).collect();
                keyframes::unwind(&mut angles, motion.start());
                let values: Vec<_> = angles.into_iter().map(|angle| [angle]).collect();
                let kept = keyframes::thin(&times, &values, self.tolerance.angle, NEARER_THAN_HALF);
                baked.count(&times, &kept);
                let keys = kept
                    .into_iter()
                    .map(|at| (times[at], values[at][0].to_variant()));
                add_track(&mut tracks, &format!("{path}:rotation"), LINEAR_ANGLE, keys);
            }
            for (what, vector, tolerance) in motion.vectors(self.tolerance) {
                let had = has_track(animation, root, &motion.bone, what);
                let (times, transforms) = motion.course(steps, had);
                let vectors: Vec<_> = transforms.iter().map(vector).collect();
                let values: Vec<_> = vectors
                    .iter()
                    .map(|at| [at.x, at.y].map(f64::from))
                    .collect();
                let kept = keyframes::thin(&times, &values, tolerance, f64::INFINITY);
                baked.count(&times, &kept);
                let keys = kept
                    .into_iter()
                    .map(|at| (times[at], vectors[at].to_variant()));
                add_track(&mut tracks, &format!("{path}:{what}"), LINEAR, keys);
            }
        }
        Ok((tracks, baked))
    }
}

impl Steps {
    /// Seconds from the step before `index` to that one.
    fn since(&self, index: usize) -> f64 {
        let before = index.checked_sub(1).map(|before| self.during[before]);
        before.map_or(0.0, |before| self.during[index] - before)
    }
}

/// Whether a modifier of `rig` moves by itself, so that what came before counts.
fn moves_by_itself(rig: &Gd<TendonRig2D>) -> bool {
    let nodes = rig.find_children_ex("*").owned(false).done();
    nodes.iter_shared().any(|node| {
        let modifier = node.try_dynify::<dyn Modifier>();
        modifier.is_ok_and(|modifier| modifier.dyn_bind().solver().solver.moves_by_itself())
    })
}

/// Brings springs into the state in which the range begins: of a loop that is baked as a whole, the
/// state in which it comes round, and otherwise rest.
fn run_up(
    playback: &mut Playback,
    animation: &Gd<Animation>,
    rig: &Gd<TendonRig2D>,
    steps: &Steps,
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

impl Baked {
    fn count(&mut self, times: &[f64], kept: &[usize]) {
        self.tracks += 1;
        self.keys += kept.len();
        self.samples += times.len();
    }
}

/// A property that is a vector: its name, how it is read, and its tolerance.
type Vectors = (&'static str, fn(&BoneTransform) -> Vector2, f64);

impl Motion {
    fn of(bone: Gd<Bone2D>) -> Self {
        Self {
            bone,
            steps: Vec::new(),
            outside: Vec::new(),
        }
    }

    /// Records a step outside of the range.
    fn pass(&mut self) {
        self.outside.push(BoneTransform::of(&self.bone));
    }

    fn turns(&self) -> bool {
        let mut steps = self.steps.iter();
        steps.any(|(animated, solved)| animated.rotation != solved.rotation)
    }

    fn moves(&self) -> bool {
        let mut steps = self.steps.iter();
        steps.any(|(animated, solved)| animated.position != solved.position)
    }

    fn grows(&self) -> bool {
        let mut steps = self.steps.iter();
        steps.any(|(animated, solved)| animated.scale != solved.scale)
    }

    /// The properties that get a track of vectors: what each is called, where it is in a transform,
    /// and by how much a baked one may be off.
    fn vectors(&self, tolerance: Tolerance) -> impl Iterator<Item = Vectors> {
        let position: Vectors = ("position", |at| at.position, tolerance.length);
        // What grows by a part moves as far as what turns by that angle.
        let scale: Vectors = ("scale", |at| at.scale, tolerance.angle);
        let position = self.moves().then_some(position);
        position.into_iter().chain(self.grows().then_some(scale))
    }

    /// The rotation, in radians, from which the others continue.
    fn start(&self) -> f64 {
        let first = self.steps.first();
        first.map_or(0.0, |(animated, _)| f64::from(animated.rotation))
    }

    /// The times and transforms of the bone: as solved during the range and, if it `had` a track, as
    /// that had it outside.
    fn course(&self, steps: &Steps, had: bool) -> (Vec<f64>, Vec<BoneTransform>) {
        let solved = self.steps.iter().map(|(_, solved)| solved.clone());
        if !had {
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

/// The times from `from` to `to`, both included, `rate` in a second.
fn times(from: f64, to: f64, rate: f64) -> impl Iterator<Item = f64> {
    // Rounding must not add a step at the end.
    let count = ((to - from) * rate - 1e-6).ceil().max(0.0) as u64;
    let steps = (0..count).map(move |step| from + step as f64 / rate);
    steps.chain(std::iter::once(to))
}

/// Whether a track of `animation` sets the property `what` of `bone`.
fn has_track(animation: &Gd<Animation>, root: &Gd<Node>, bone: &Gd<Bone2D>, what: &str) -> bool {
    let tracks = 0..animation.get_track_count();
    let mut paths = tracks.map(|track| animation.track_get_path(track));
    paths.any(|path| {
        resolve(root, &path).is_some_and(|(object, property)| {
            object.instance_id() == bone.instance_id() && sets(&property, what)
        })
    })
}

/// Whether a track for `property` sets `what`: that itself, or a part of it.
fn sets(property: &NodePath, what: &str) -> bool {
    let name = property.to_string();
    let name = name
        .trim_start_matches(':')
        .split(':')
        .next()
        .unwrap_or_default();
    name == what || (what == "rotation" && name == "rotation_degrees")
}

/// The tracks of `animation` that the baked ones replace.
fn rivals(
    animation: &Gd<Animation>,
    root: &Gd<Node>,
    motions: &[Motion],
) -> Result<Vec<i32>, String> {
    let mut replaced = Vec::new();
    for track in 0..animation.get_track_count() {
        let path = animation.track_get_path(track);
        let Some((object, property)) = resolve(root, &path) else {
            continue;
        };
        let mut motions = motions.iter();
        let motion = motions.find(|motion| motion.bone.instance_id() == object.instance_id());
        match motion.and_then(|motion| rival(motion, &property)) {
            Some(Rival::Replaced) => replaced.push(track),
            Some(Rival::InTheWay) => {
                return Err(format!(
                    "The track \"{path}\" sets more than what would be baked, and would undo it. \
                     Give that bone tracks of its rotation, position and scale instead."
                ));
            }
            None => {}
        }
    }
    Ok(replaced)
}

/// What a track for `property` of the bone of `motion` is to its baked tracks.
fn rival(motion: &Motion, property: &NodePath) -> Option<Rival> {
    let name = property.to_string();
    let is_own = (motion.turns() && sets(property, "rotation"))
        || (motion.moves() && sets(property, "position"))
        || (motion.grows() && sets(property, "scale"));
    let global = name.contains("global_") && !name.contains("scale");
    let whole = name.contains("transform") || global;
    if is_own {
        Some(Rival::Replaced)
    } else {
        whole.then_some(Rival::InTheWay)
    }
}

fn add_track(
    tracks: &mut Gd<Animation>,
    path: &str,
    interpolation: InterpolationType,
    keys: impl Iterator<Item = (f64, Variant)>,
) {
    let track = tracks.add_track(TrackType::VALUE);
    tracks.track_set_path(track, path);
    tracks.track_set_interpolation_type(track, interpolation);
    tracks.value_track_set_update_mode(track, UpdateMode::CONTINUOUS);
    for (time, value) in keys {
        tracks.track_insert_key(track, time, &value);
    }
}

/// Puts `tracks` into `animation` in place of those at the indices `replaced`.
fn replace_tracks(
    animation: &Gd<Animation>,
    tracks: &Gd<Animation>,
    replaced: &[i32],
    action: &mut Action,
) {
    let into = animation.to_variant();
    let mut kept = Animation::new_gd();
    let copies = |from: i32| [from.to_variant(), into.clone()];
    // Undone in the opposite order: each comes back to the end and goes to its place.
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
    // For everything that shows the animation, and for its file.
    action.when_done(animation, "emit_changed", &[]);
}

/// Seconds after which a loop with springs comes round, unless they are hardly damped.
const RUN_UP: f64 = 6.0;
/// Rounds of a short loop at most.
const MOST_ROUNDS: f64 = 60.0;
const LINEAR: InterpolationType = InterpolationType::LINEAR;
const LINEAR_ANGLE: InterpolationType = InterpolationType::LINEAR_ANGLE;
/// Radians between two keys: less than half a turn.
const NEARER_THAN_HALF: f64 = 3.0;
