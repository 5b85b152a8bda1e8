//! Chains along paths that flip: shown as a transition of bounded speed.
//!
//! The path alone decides where each joint lies on it ([`crate::solvers::spline`]). While the path
//! changes, a joint may leap: a bone that is longer than a bend is wide ends on one side of the
//! bend in one frame, and on the other side in the next. No place on the path is between them. So
//! the joints leave the path for a few frames, in a transition to the other side, while the chain
//! goes on along the path.
//!
//! What counts as the motion of the target is that of the path in the chain's space, or of the chain along the
//! path. Where the chain moves much farther, what is shown goes after where it lies, as that of any limb
//! ([`follow::smooth`]), and so do the lengths of its bones.
//!
//! A path that is put elsewhere moves far itself, so the chain follows in the same pass. Without a
//! leap the pose is the exact one, to the last bit, and does not depend on earlier passes.

use glam::Vec2;
use serde::{Deserialize, Serialize};

use crate::descent::{self, Memory, TransitionSpeeds, follow, transition};
use crate::kinematics::tree::Tree;
use crate::math::angle::shortest_way;
use crate::math::clone_in_place::clone_in_place;
use crate::math::matrix::largest_stretch;
use crate::math::pursuit::Pace;
use crate::skeleton::path::place::CurvePlace;
use crate::solvers::spline::Course;

/// The state that a chain along a path keeps from one pass to the next.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PathMemory {
    /// The joints, root first.
    pub joints: Vec<Trace>,
    /// The place at which the chain began on the path, as a baked length.
    #[serde(with = "crate::math::number")]
    pub progress: f32,
    /// By what factor the bones were lengthened.
    #[serde(with = "crate::math::number")]
    pub factor: f32,
    /// By what factor they are shown longer than by that, and how fast that changes, per second.
    #[serde(with = "crate::math::number")]
    pub growth: Vec2,
    /// The pose in which the joints are shown.
    pub pose: Memory,
}

/// One joint, in chain space, as the path has it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Trace {
    /// The segment of the curve on which its bone should end.
    pub segment: u32,
    /// The parameter of that point on the segment.
    #[serde(with = "crate::math::number")]
    pub at: f32,
    /// The distance of the point beyond the end of the curve.
    #[serde(with = "crate::math::number")]
    pub beyond: f32,
    /// The position of the point.
    #[serde(with = "crate::math::number")]
    pub place: Vec2,
    /// The rotation of the base pose, in radians.
    #[serde(with = "crate::math::number")]
    pub base: f32,
}

clone_in_place!(PathMemory: joints, pose; progress, factor, growth);

/// The exact pose of a chain along its path, without memory.
pub(crate) struct Exact<'a> {
    pub(crate) course: &'a Course<'a>,
    /// The places on the curve that the ends of the bones should have.
    pub(crate) places: &'a [CurvePlace],
    pub(crate) progress: f32,
    /// By what factor its bones are lengthened, and may be at most.
    pub(crate) factor: f64,
    pub(crate) most: f32,
}

impl PathMemory {
    /// Returns `true` if what is shown is on its way to where the chain lies.
    pub(crate) fn is_in_transition(&self) -> bool {
        self.growth != Vec2::ZERO || self.pose.is_in_transition()
    }

    /// Takes over the exact pose that `tree` is in, `delta` seconds later, and brings `tree` into
    /// the pose that is shown. Returns by what factor the bones are lengthened in that pose. Those
    /// of `tree` keep the lengths of the exact one.
    pub(crate) fn follow(
        &mut self,
        tree: &mut Tree,
        exact: &Exact<'_>,
        workspace: &mut descent::SolveSpace,
        delta: f64,
    ) -> f64 {
        let speeds = workspace.pursuit.speeds;
        let path_motion = self.path_motion(tree, exact);
        if path_motion.is_none() {
            self.clone_from(&Self::default());
            self.joints.resize(tree.nodes.len(), Trace::default());
        }
        let motion = path_motion.unwrap_or(f64::INFINITY) / tree.span;
        let most = speeds.at_once(delta, motion) as f32;
        let shown = self.grow(exact, most, speeds, delta as f32);
        self.take_over(tree, exact);
        follow::smooth(tree, workspace, &mut self.pose, delta, path_motion);
        shown
    }

    /// By what factor the bones are shown longer, where it may change by `most` at once.
    fn grow(&mut self, exact: &Exact<'_>, most: f32, speeds: TransitionSpeeds, delta: f32) -> f64 {
        let before = std::mem::replace(&mut self.factor, exact.factor as f32);
        if (before - self.factor).abs() > most {
            self.growth.x += before - self.factor;
        }
        if self.growth != Vec2::ZERO && delta > 0.0 {
            let [lag, rate] = self.growth.to_array().map(|it| Vec2::new(it, 0.0));
            let pace = Pace {
                speed: speeds.point as f32,
                ramp: transition::RAMP as f32,
            };
            let [lag, rate] = pace.advance([lag, rate], [Vec2::ZERO; 2], delta);
            self.growth = Vec2::new(lag.x, rate.x);
        }
        let most = f64::from(exact.most).max(1.0);
        let shown = (exact.factor + f64::from(self.growth.x)).clamp(1.0, most);
        self.growth.x = (shown - exact.factor) as f32;
        shown
    }

    /// Returns the largest distance that the path has moved in chain space, or the chain along it. `None` if there is
    /// no earlier pass to go on from.
    fn path_motion(&self, tree: &Tree, exact: &Exact<'_>) -> Option<f64> {
        if self.joints.len() != tree.nodes.len() || !self.joints.iter().all(Trace::is_sound) {
            return None;
        }
        let course = exact.course;
        let mut most = course.curve.way_between(self.progress, exact.progress)
            * largest_stretch(course.into_chain.matrix2);
        for joint in &self.joints {
            let place = CurvePlace {
                segment: joint.segment as usize,
                at: joint.at.into(),
                beyond: joint.beyond.into(),
            };
            let now = course.curve.contains(place).then(|| course.point(place))?;
            most = most.max(now.distance(joint.place.as_dvec2()));
        }
        most.is_finite().then_some(most)
    }

    /// Remembers the exact pose. What is shown keeps its rotations, whatever the base pose does.
    fn take_over(&mut self, tree: &Tree, exact: &Exact<'_>) {
        self.progress = exact.progress;
        for (index, joint) in self.joints.iter_mut().enumerate() {
            let place = exact.places[index];
            joint.segment = place.segment as u32;
            (joint.at, joint.beyond) = (place.at as f32, place.beyond as f32);
            joint.place = exact.course.point(place).as_vec2();
            let base = tree.nodes[index].base.angle();
            self.pose.turn(index, shortest_way(base, joint.base));
            joint.base = base;
        }
    }
}

impl Trace {
    /// Returns `true` if the next pass can go on from it.
    fn is_sound(&self) -> bool {
        let sum = self.at + self.beyond + self.base;
        sum.is_finite() && self.place.is_finite()
    }
}
