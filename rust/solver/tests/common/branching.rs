//! Random trees for the property tests.

use glam::{DMat2, DVec2, Vec2};
use proptest::prelude::*;
use tendon_solver::{
    Algorithm, Bone, Chain, ChainIk, Effector, End, Limit, Modifier, Report, Rig, Workspace,
};

use super::Scales;
use super::parts::{fixed, on};

/// One joint of a random tree.
#[derive(Clone, Copy, Debug)]
pub struct Limb {
    pub parent: Option<usize>,
    /// In the parent's frame.
    pub offset: Vec2,
    pub scale: Vec2,
    pub rotation: f32,
    /// The rotation of another pose of the same joint, whose tips serve as targets.
    pub goal: f32,
    /// Least and largest swing.
    pub bounds: Option<[f32; 2]>,
}

/// A random tree and where its tips are.
#[derive(Clone, Debug)]
pub struct Sapling {
    pub limbs: Vec<Limb>,
    /// The joint of each tip, and where it is in that joint's frame.
    pub tips: Vec<(usize, Vec2)>,
}

impl Sapling {
    /// The tree in its first pose, with a target and a weight for each tip.
    pub fn rig(&self, target: impl Fn(usize) -> (Vec2, f32)) -> Rig {
        let bones = self.limbs.iter().map(|limb| Bone {
            position: limb.offset,
            rotation: limb.rotation,
            scale: limb.scale,
            limit: limb
                .bounds
                .map(|[lower, upper]| Limit::around(limb.rotation, lower, upper)),
            ..Bone::below(limb.parent)
        });
        let effectors = self
            .tips
            .iter()
            .enumerate()
            .map(|(index, &(joint, position))| {
                let (target, weight) = target(index);
                Effector {
                    end: End::Point(on(joint, position)),
                    target: fixed(target),
                    weight,
                    heading: None,
                }
            });
        let mut effectors: Vec<_> = effectors.collect();
        let main = effectors[0];
        let is_of_full_weight = main.weight == 1.0;
        if is_of_full_weight {
            effectors.remove(0);
        }
        let chain = Chain::new((0..self.limbs.len()).collect(), main.end);
        let fabrik = ChainIk {
            // Otherwise it has its weight as one of the others.
            target: is_of_full_weight.then_some(main.target).into(),
            effectors,
            ..ChainIk::new(Algorithm::Fabrik, chain, main.target)
        };
        Rig::new(bones.collect(), vec![Modifier::new(fabrik)])
    }

    /// Where the tips of the second pose are.
    pub fn goals(&self) -> Vec<Vec2> {
        let rotations: Vec<f32> = self.limbs.iter().map(|limb| limb.goal).collect();
        let tips = self.tips_of(&rotations).into_iter();
        tips.map(|tip| tip.as_vec2()).collect()
    }

    /// The tree in its first pose, with the tips of its second as targets.
    pub fn problem(&self) -> Rig {
        let goals = self.goals();
        self.rig(|tip| (goals[tip], 1.0))
    }

    /// Where rotations of the joints put them, and the frames that turn with them.
    fn places(&self, rotations: &[f32]) -> Vec<(DVec2, DMat2)> {
        let mut places: Vec<(DVec2, DMat2)> = Vec::new();
        for (limb, &rotation) in self.limbs.iter().zip(rotations) {
            let (origin, frame) = match limb.parent {
                Some(parent) => {
                    let (origin, frame) = places[parent];
                    (origin + frame * limb.offset.as_dvec2(), frame)
                }
                None => (DVec2::ZERO, DMat2::IDENTITY),
            };
            let shape = DMat2::from_diagonal(limb.scale.as_dvec2());
            let own = DMat2::from_angle(rotation.into()) * shape;
            places.push((origin, frame * own));
        }
        places
    }

    /// Where rotations of the joints put the joints.
    pub fn points_of(&self, rotations: &[f32]) -> Vec<Vec2> {
        let places = self.places(rotations).into_iter();
        places.map(|(point, _)| point.as_vec2()).collect()
    }

    /// Where rotations of the joints put the tips, whatever the rig itself believes.
    pub fn tips_of(&self, rotations: &[f32]) -> Vec<DVec2> {
        let places = self.places(rotations);
        let tips = self.tips.iter();
        tips.map(|&(joint, position)| {
            let (origin, frame) = places[joint];
            origin + frame * position.as_dvec2()
        })
        .collect()
    }

    /// The largest distance between a tip and where it should be, as a part of the span.
    pub fn miss(&self, rotations: &[f32], goals: &[Vec2]) -> f32 {
        let tips = self.tips_of(rotations);
        let misses = tips
            .iter()
            .zip(goals)
            .map(|(tip, goal)| tip.distance(goal.as_dvec2()) as f32);
        misses.fold(0.0, f32::max) / self.span()
    }

    /// The length of the longest line of bones from the root to a tip; an upper bound where bones
    /// are stretched.
    pub fn span(&self) -> f32 {
        let mut ways: Vec<(f32, f32)> = Vec::new();
        for limb in &self.limbs {
            let (far, gain) = limb.parent.map_or((0.0, 1.0), |parent| ways[parent]);
            let own = gain * limb.scale.abs().max_element();
            ways.push((far + gain * limb.offset.length(), own));
        }
        let tips = self.tips.iter();
        let spans =
            tips.map(|&(joint, position)| ways[joint].0 + ways[joint].1 * position.length());
        spans.fold(0.0, f32::max)
    }
}

/// Solves `rig` without memory.
pub fn solve(rig: &mut Rig) -> Report {
    rig.validate().expect("a sound rig");
    rig.solve(&mut Workspace::default());
    rig.modifiers[0].report
}

/// The rotations of all bones after the last solve.
pub fn rotations(rig: &Rig) -> Vec<f32> {
    (0..rig.bones.len())
        .map(|bone| rig.rotation(bone))
        .collect()
}

/// How far from straight the two poses are.
pub fn spread() -> impl Strategy<Value = f32> {
    prop_oneof![Just(0.3_f32), Just(1.0), Just(3.1)]
}

/// A spine of two to four joints, with two arms of two to four joints on its end.
pub fn two_armed(spread: f32, scales: Scales) -> impl Strategy<Value = Sapling> {
    (2_usize..=4, 2_usize..=4, 0.0_f32..25.0).prop_flat_map(move |(spine, arm, shoulder)| {
        plant(&[(spine, 1, 0.0), (arm, 2, shoulder)], spread, scales)
    })
}

/// An arm of two joints, a wrist, and five fingers of three joints.
pub fn hand(spread: f32, scales: Scales) -> impl Strategy<Value = Sapling> {
    plant(&[(3, 1, 0.0), (3, 5, 20.0)], spread, scales)
}

/// Branches that branch again.
pub fn bush(spread: f32, scales: Scales) -> impl Strategy<Value = Sapling> {
    plant(&[(2, 1, 0.0), (2, 2, 10.0), (2, 2, 8.0)], spread, scales)
}

/// Each level: how many joints its branches have, how many of them hang on every branch of the
/// level before, and how far they are spread sideways there.
fn plant(
    levels: &[(usize, usize, f32)],
    spread: f32,
    scales: Scales,
) -> impl Strategy<Value = Sapling> + use<> {
    let mut stems: Vec<(Option<usize>, Vec2)> = vec![(None, Vec2::ZERO)];
    let mut skeleton: Vec<(Option<usize>, f32)> = Vec::new();
    for &(length, branches, sideways) in levels {
        let mut next = Vec::new();
        for &(stem, _) in &stems {
            for branch in 0..branches {
                let place = branch as f32 - 0.5 * (branches - 1) as f32;
                let mut parent = stem;
                for joint in 0..length {
                    let aside = if joint == 0 { sideways * place } else { 0.0 };
                    skeleton.push((parent, aside));
                    parent = Some(skeleton.len() - 1);
                }
                next.push((parent, Vec2::ZERO));
            }
        }
        stems = next;
    }
    let ends: Vec<usize> = stems.iter().filter_map(|(end, _)| *end).collect();
    let links = prop::collection::vec(super::link(spread, scales), skeleton.len() + ends.len());
    links.prop_map(move |links| {
        let limbs = skeleton
            .iter()
            .zip(&links)
            .map(|(&(parent, aside), link)| Limb {
                parent,
                offset: parent.map_or(Vec2::ZERO, |_| link.offset + Vec2::Y * aside),
                scale: link.scale,
                rotation: link.rotation,
                goal: link.goal,
                bounds: None,
            });
        let tips = ends.iter().zip(&links[skeleton.len()..]);
        Sapling {
            limbs: limbs.collect(),
            tips: tips.map(|(&end, link)| (end, link.offset)).collect(),
        }
    })
}
