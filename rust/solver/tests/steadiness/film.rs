//! What a rig does, frame by frame, while its targets move.

use std::fmt;

use glam::Vec2;
use tendon_solver::{Rig, Status, Workspace};

use crate::parts::Edit;
use crate::scenes::on;

/// A joint that moves farther than this part of the reach in one frame has jumped.
const JUMP: f32 = 0.125;

/// A joint whose way changes by more than this part of the reach from one frame to the next is seen to start or stop dead.
const KINK: f32 = 0.04;

/// How a rig takes one frame after another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Memory {
    /// Each goes on from the one before.
    Kept,
    /// Each starts from the base pose.
    None,
}

/// Some of the frames of a film. As text, their number.
#[derive(Clone, Default)]
pub struct Frames(pub Vec<bool>);

impl Frames {
    pub fn count(&self) -> usize {
        self.0.iter().filter(|&&it| it).count()
    }

    /// The most of them on end.
    pub fn longest(&self) -> usize {
        let runs = self.0.split(|&it| !it);
        runs.map(<[bool]>::len).max().unwrap_or(0)
    }

    /// Those that are not among `others`.
    pub fn without(&self, others: &Self) -> Self {
        let pairs = self.0.iter().zip(&others.0);
        Self(pairs.map(|(&own, &other)| own && !other).collect())
    }
}

impl fmt::Debug for Frames {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        write!(out, "{} ({} on end)", self.count(), self.longest())
    }
}

/// What a rig does while its targets move.
#[derive(Debug, Default)]
pub struct Film {
    /// Frames in which a joint or a tip moved by more than [`JUMP`].
    pub jumps: u32,
    /// The farthest that any moved in one frame, in px.
    pub farthest: f32,
    /// Frames at whose end the targets are reached, with no bone inside a shape.
    pub reached: Frames,
    /// Frames at whose end the limb is still in transition.
    pub in_transition: Frames,
    pub iterations: u32,
    /// The largest change of a point's way from one frame to the next, in reaches, and in how many frames it is more than KINK.
    pub kink: f32,
    pub kinks: u32,
    pub deepest: f32,
    /// The same in frames without a transition.
    pub deepest_on_its_way: f32,
    /// The farthest that any joint or tip moved in one of them.
    pub farthest_on_its_way: f32,
    pub transitions: Vec<Transition>,
}

/// A transition to another branch.
#[derive(Debug)]
pub struct Transition {
    /// At the ends of how many frames it goes on.
    pub frames: u16,
    /// Whether it leaves a target at which the limb could have stayed.
    pub is_needless: bool,
    /// How much nearer to the target it brings the tip, in px; `None` if it brings it there.
    pub gain: Option<f32>,
}

impl Film {
    /// Takes note of whether the last pass of `rig` was in a transition, and the pass before it. `before` is the
    /// rig as it was before the last one.
    fn see_transition(&mut self, before: &Rig, rig: &Rig, was_in_transition: bool, jump: f32) {
        let destination = &rig.modifiers[0].memory().destination;
        let is_in_transition = !destination.is_empty();
        self.in_transition.0.push(is_in_transition);
        if is_in_transition && !was_in_transition {
            let was_there = self.reached.0.iter().nth_back(1) == Some(&true);
            self.transitions.push(Transition {
                frames: 0,
                is_needless: was_there && can_stay(before, jump),
                gain: gain(before, destination),
            });
        }
        if let Some(transition) = self.transitions.last_mut().filter(|_| is_in_transition) {
            transition.frames += 1;
        }
    }
}

/// The longest line of bones from the root to a tip.
pub fn reach(rig: &Rig) -> f32 {
    let parts = rig.modifiers[0].parts();
    let tips = parts.effectors().iter();
    let tips = tips.map(|effector| effector.end.point());
    let lengths = tips.chain([parts.tip()]).map(|tip| {
        let parent = |&bone: &usize| rig.bones[bone].parent;
        let line = std::iter::successors(tip.bone, parent);
        let bones = line.map(|bone| rig.bones[bone].position.length());
        tip.position.length() + bones.sum::<f32>()
    });
    lengths.fold(0.0, f32::max)
}

/// The places of all joints and of the first tip.
fn points(rig: &Rig) -> Vec<Vec2> {
    let joints = (0..rig.bones.len()).map(|bone| rig.locate(on(bone, 0.0)));
    let tip = rig.locate(rig.modifiers[0].parts().tip());
    joints.chain([tip]).collect()
}

fn has_reached(rig: &Rig) -> bool {
    let report = &rig.modifiers[0].report;
    report.status == Status::Reached && report.penetration == 0.0
}

/// Whether `rig` could go on to its target instead of a transition: by following it, or because a pose
/// reaches that is so near that it is no jump. `rig` is as it is before the pass in which it begins.
fn can_stay(rig: &Rig, jump: f32) -> bool {
    let shown = points(rig);
    let mut follows = rig.clone();
    follows.modifiers[0].memory_mut().unreviewed = 0.0;
    let mut near = rig.clone();
    near.modifiers[0].memory_mut().clear();
    for (index, bone) in near.bones.iter_mut().enumerate() {
        bone.rotation = rig.rotation(index);
    }
    [follows, near].iter_mut().any(|rig| {
        rig.solve(&mut Workspace::default());
        has_reached(rig) && farthest(&shown, &points(rig)) <= jump
    })
}

/// How much nearer to the target of `rig` a tip is in the pose `destination`, in px; `None`
/// if it is there.
fn gain(rig: &Rig, destination: &[f32]) -> Option<f32> {
    let mut there = rig.clone();
    there.modifiers[0].active = false;
    for (bone, swing) in there.bones.iter_mut().zip(destination) {
        bone.rotation += swing;
    }
    there.solve(&mut Workspace::default());
    let parts = rig.modifiers[0].parts();
    let target = parts.target().expect("it has one").position;
    let [now, then] = [rig, &there].map(|rig| rig.locate(parts.tip()).distance(target));
    (then > 1e-3).then_some(now - then)
}

/// How far the farthest point has moved.
fn farthest(before: &[Vec2], now: &[Vec2]) -> f32 {
    let pairs = before.iter().zip(now);
    let moved = pairs.map(|(before, now)| before.distance(*now));
    moved.fold(0.0, f32::max)
}

pub fn film(rig: &mut Rig, memory: Memory, frames: u16, aim: impl Fn(&mut Rig, f32)) -> Film {
    let mut film = Film::default();
    let mut workspace = Workspace::default();
    let jump = JUMP * reach(rig);
    let mut shown: Option<Vec<Vec2>> = None;
    let mut ways: Option<Vec<Vec2>> = None;
    let (mut penetration, mut moved) = (0.0_f32, 0.0_f32);
    let mut was_in_transition = false;
    let mut before = rig.clone();
    rig.delta = 1.0 / 60.0;
    for frame in 0..frames {
        aim(rig, f32::from(frame) / 60.0);
        if memory == Memory::Kept {
            rig.go_on();
        }
        // Whether the pass before was in a transition is known now.
        let is_in_transition = !rig.modifiers[0].memory().destination.is_empty();
        if frame > 0 {
            film.see_transition(&before, rig, was_in_transition, jump);
            if !is_in_transition && !was_in_transition {
                film.deepest_on_its_way = film.deepest_on_its_way.max(penetration);
                film.farthest_on_its_way = film.farthest_on_its_way.max(moved);
            }
        }
        before = rig.clone();
        rig.solve(&mut workspace);
        let report = &rig.modifiers[0].report;
        film.iterations += report.iterations;
        film.deepest = film.deepest.max(report.penetration);
        film.reached.0.push(has_reached(rig));
        (penetration, was_in_transition) = (report.penetration, is_in_transition);
        let now = points(rig);
        if let Some(shown) = shown {
            moved = farthest(&shown, &now);
            film.jumps += u32::from(moved > jump);
            film.farthest = film.farthest.max(moved);
            let now_ways: Vec<Vec2> = now.iter().zip(&shown).map(|(now, before)| *now - *before).collect();
            if let Some(ways) = ways {
                let kink = farthest(&ways, &now_ways) / reach(rig);
                film.kink = film.kink.max(kink);
                film.kinks += u32::from(kink > KINK);
            }
            ways = Some(now_ways);
        }
        shown = Some(now);
    }
    film
}
