//! Random trees for the property tests.

use glam::{Mat2, Vec2};
use proptest::prelude::*;
use tendon_solver::tree::{Bounds, Effector, Joint, Tree};
use tendon_solver::turn::Turn;

use super::Scales;

/// One joint of a random tree.
#[derive(Clone, Copy, Debug)]
pub struct RandomJoint {
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
pub struct RandomTree {
    pub joints: Vec<RandomJoint>,
    /// The joint of each tip, and where it is in that joint's frame.
    pub tips: Vec<(usize, Vec2)>,
}

impl RandomTree {
    /// The tree in the pose that `rotation` gives, without targets.
    fn in_pose(&self, rotation: impl Fn(&RandomJoint) -> f32) -> Tree {
        let mut tree = Tree::default();
        let shape = |index: usize| Mat2::from_diagonal(self.joints[index].scale);
        for joint in &self.joints {
            let above = joint.parent.map_or(Mat2::IDENTITY, shape);
            tree.push(Joint {
                bounds: joint.bounds.map_or(Bounds::Free, Bounds::Swing),
                ..Joint::free(
                    joint.parent,
                    above * joint.offset,
                    above,
                    Turn::from_angle(rotation(joint)),
                )
            });
        }
        for &(joint, position) in &self.tips {
            tree.push_effector(Effector {
                joint,
                position: shape(joint) * position,
                target: Vec2::ZERO,
                weight: 1.0,
            });
        }
        tree
    }

    /// The tree in its first pose, with a target and a weight for each tip.
    pub fn tree(&self, target: impl Fn(usize) -> (Vec2, f32)) -> Tree {
        let bare = Self {
            tips: Vec::new(),
            ..self.clone()
        };
        let mut tree = bare.in_pose(|joint| joint.rotation);
        for (index, &(joint, position)) in self.tips.iter().enumerate() {
            let (target, weight) = target(index);
            tree.push_effector(Effector {
                joint,
                position: Mat2::from_diagonal(self.joints[joint].scale) * position,
                target,
                weight,
            });
        }
        tree.prepare().expect("a sound tree");
        tree
    }

    /// Where the tips of the second pose are.
    pub fn goals(&self) -> Vec<Vec2> {
        let mut tree = self.in_pose(|joint| joint.goal);
        tree.prepare().expect("a sound tree");
        (0..self.tips.len()).map(|tip| tree.tip(tip)).collect()
    }

    /// The tree in its first pose, with the tips of its second as targets.
    pub fn problem(&self) -> Tree {
        let goals = self.goals();
        self.tree(|tip| (goals[tip], 1.0))
    }

    /// Where the joints' turns really put the tips, whatever the tree itself believes.
    pub fn real_tips(&self, tree: &Tree) -> Vec<Vec2> {
        let mut places: Vec<(Vec2, Mat2)> = Vec::new();
        for (index, joint) in self.joints.iter().enumerate() {
            let (origin, frame) = match joint.parent {
                Some(parent) => {
                    let (origin, frame) = places[parent];
                    (origin + frame * joint.offset, frame)
                }
                None => (Vec2::ZERO, Mat2::IDENTITY),
            };
            let own = tree.turn(index).apply_to(Mat2::from_diagonal(joint.scale));
            places.push((origin, frame * own));
        }
        let tips = self.tips.iter();
        tips.map(|&(joint, position)| places[joint].0 + places[joint].1 * position)
            .collect()
    }

    /// The largest distance between a tip and where it should be, as a part of the span.
    pub fn miss(&self, tree: &Tree, goals: &[Vec2]) -> f32 {
        let tips = self.real_tips(tree);
        let misses = tips
            .iter()
            .zip(goals)
            .map(|(tip, goal)| tip.distance(*goal));
        misses.fold(0.0, f32::max) / tree.span()
    }
}

/// How far from straight the two poses are.
pub fn spread() -> impl Strategy<Value = f32> {
    prop_oneof![Just(0.3_f32), Just(1.0), Just(3.1)]
}

/// A spine of two to four joints, with two arms of two to four joints on its end.
pub fn two_armed(spread: f32, scales: Scales) -> impl Strategy<Value = RandomTree> {
    (2_usize..=4, 2_usize..=4, 0.0_f32..25.0).prop_flat_map(move |(spine, arm, shoulder)| {
        random_tree(&[(spine, 1, 0.0), (arm, 2, shoulder)], spread, scales)
    })
}

/// An arm of two joints, a wrist, and five fingers of three joints.
pub fn hand(spread: f32, scales: Scales) -> impl Strategy<Value = RandomTree> {
    random_tree(&[(3, 1, 0.0), (3, 5, 20.0)], spread, scales)
}

/// Branches that branch again.
pub fn bush(spread: f32, scales: Scales) -> impl Strategy<Value = RandomTree> {
    random_tree(&[(2, 1, 0.0), (2, 2, 10.0), (2, 2, 8.0)], spread, scales)
}

/// Each level: how many joints its branches have, how many of them hang on every branch of the
/// level before, and how far they are spread sideways there.
fn random_tree(
    levels: &[(usize, usize, f32)],
    spread: f32,
    scales: Scales,
) -> impl Strategy<Value = RandomTree> + use<> {
    let mut ends_so_far: Vec<(Option<usize>, Vec2)> = vec![(None, Vec2::ZERO)];
    let mut skeleton: Vec<(Option<usize>, f32)> = Vec::new();
    for &(length, branches, sideways) in levels {
        let mut next = Vec::new();
        for &(end, _) in &ends_so_far {
            for branch in 0..branches {
                let place = branch as f32 - 0.5 * (branches - 1) as f32;
                let mut parent = end;
                for joint in 0..length {
                    let aside = if joint == 0 { sideways * place } else { 0.0 };
                    skeleton.push((parent, aside));
                    parent = Some(skeleton.len() - 1);
                }
                next.push((parent, Vec2::ZERO));
            }
        }
        ends_so_far = next;
    }
    let ends: Vec<usize> = ends_so_far.iter().filter_map(|(end, _)| *end).collect();
    let links = prop::collection::vec(super::link(spread, scales), skeleton.len() + ends.len());
    links.prop_map(move |links| {
        let joints = skeleton
            .iter()
            .zip(&links)
            .map(|(&(parent, aside), link)| RandomJoint {
                parent,
                offset: parent.map_or(Vec2::ZERO, |_| link.offset + Vec2::Y * aside),
                scale: link.scale,
                rotation: link.rotation,
                goal: link.goal,
                bounds: None,
            });
        let tips = ends.iter().zip(&links[skeleton.len()..]);
        RandomTree {
            joints: joints.collect(),
            tips: tips.map(|(&end, link)| (end, link.offset)).collect(),
        }
    })
}
