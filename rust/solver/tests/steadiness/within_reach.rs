//! In which frames a target is within reach, found without a solver.

use std::f32::consts::FRAC_PI_2;

use glam::Vec2;
use tendon_solver::Rig;
use tendon_solver::math::angle::shortest_way;

use crate::film::Frames;
use crate::scenes::{
    ARM, SHOULDER, SPINE, SPINE_BEND, SPINE_BONES, VINE_BEND, VINE_BONE, VINE_LEAN,
};

/// The frames in which `is_within` finds the targets that `aim` gives `rig` within reach.
pub fn frames_within_reach(
    rig: &mut Rig,
    frames: u16,
    aim: impl Fn(&mut Rig, f32),
    is_within: impl Fn(&Rig) -> bool,
) -> Frames {
    let frames = (0..frames).map(|frame| {
        aim(rig, f32::from(frame) / 60.0);
        is_within(rig)
    });
    Frames(frames.collect())
}

/// Where a torso that bends within its limits can have its shoulders: some of the many places.
pub struct Shoulders(Vec<[Vec2; 2]>);

impl Shoulders {
    /// Angles of each joint that are tried.
    const ANGLES: usize = 7;

    pub fn new() -> Self {
        let poses = 0..Self::ANGLES.pow(SPINE_BONES as u32);
        Self(poses.map(Self::of).collect())
    }

    /// The shoulders in pose number `pose`, each of whose digits is the angle of a joint.
    fn of(pose: usize) -> [Vec2; 2] {
        let (mut digits, mut angle, mut place) = (pose, -FRAC_PI_2, Vec2::ZERO);
        for joint in 0..SPINE_BONES {
            let part = (digits % Self::ANGLES) as f32 / (Self::ANGLES - 1) as f32;
            digits /= Self::ANGLES;
            if joint > 0 {
                place += SPINE * Vec2::from_angle(angle);
            }
            angle += (2.0 * part - 1.0) * SPINE_BEND;
        }
        [1.0, -1.0].map(|side| {
            let shoulder = SHOULDER * Vec2::new(1.0, side);
            place + Vec2::from_angle(angle).rotate(shoulder)
        })
    }

    /// Whether both targets are within reach of the arms, which are free, from one of these places.
    pub fn reach(&self, torso: &Rig) -> bool {
        let parts = torso.modifiers[0].parts();
        let own = parts.target().expect("it has one");
        let targets = [own, parts.effectors()[0].target];
        let ring = (ARM[1] - ARM[0])..=(ARM[0] + ARM[1]);
        self.0.iter().any(|shoulders| {
            let pairs = shoulders.iter().zip(&targets);
            { pairs }.all(|(shoulder, target)| ring.contains(&shoulder.distance(target.position)))
        })
    }
}

/// Where the tip of a vine is that bends evenly, one way in its lower half and another way in its upper
/// half: for some bends of either half within the limits, seen from its root.
pub struct Arcs(Vec<Vec<Vec2>>);

impl Arcs {
    /// Bends of either half that are tried.
    const BENDS: usize = 41;

    pub fn new(bones: usize) -> Self {
        let bend = |index: usize| {
            let part = index as f32 / (Self::BENDS - 1) as f32;
            (2.0 * part - 1.0) * VINE_BEND
        };
        let tip = |lower: usize, upper: usize| {
            let (mut angle, mut tip) = (0.0, Vec2::X * VINE_BONE);
            for bone in 1..bones {
                angle += bend(if 2 * bone < bones { lower } else { upper });
                tip += VINE_BONE * Vec2::from_angle(angle);
            }
            tip
        };
        let row = |lower| (0..Self::BENDS).map(|upper| tip(lower, upper)).collect();
        Self((0..Self::BENDS).map(row).collect())
    }

    /// Whether such a vine comes to its target. Between two bends of the upper half, one of which brings
    /// the tip too near to the root and the other too far from it, there is one that brings it to the
    /// distance of the target. The root, which leans as far as its limits let it, does the rest.
    pub fn reach(&self, vine: &Rig) -> bool {
        let target = vine.modifiers[0]
            .parts()
            .target()
            .expect("it has one")
            .position;
        let leans = |tip: &Vec2| {
            let upright = tip.to_angle() - FRAC_PI_2;
            shortest_way(upright, target.to_angle()).abs() <= VINE_LEAN
        };
        let is_near = |tip: &Vec2| tip.length() <= target.length();
        self.0.iter().any(|row| {
            let mut pairs = row.windows(2);
            pairs.any(|tips| tips.iter().all(leans) && is_near(&tips[0]) != is_near(&tips[1]))
        })
    }
}

/// How many frames a transition of a vine takes at most: every joint turns from one end of its limits to
/// the other, one after another, at 7.4 lengths of the vine in a second.
pub fn longest_transition(bones: usize) -> usize {
    let widths = (0..bones).map(|joint| if joint == 0 { VINE_LEAN } else { VINE_BEND });
    let ways = widths.enumerate().map(|(joint, width)| {
        let to_tip = (bones - joint) as f32 / bones as f32;
        2.0 * width * to_tip
    });
    (ways.sum::<f32>() / 7.4 * 60.0).ceil() as usize
}
