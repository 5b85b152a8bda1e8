//! One or two joints, for the solvers in closed form.
//!
//! Joint *i* turns by `Rᵢ` in the frame `Bᵢ` of chain space (see [`crate::kinematics::tree`] and
//! [`crate::kinematics::joint`]):
//!
//! ```text
//! segmentᵢ = Bᵢ Rᵢ offsetᵢ     pᵢ₊₁ = pᵢ + segmentᵢ     Bᵢ₊₁ = Bᵢ Rᵢ carryᵢ     tip = pₙ
//! ```

use glam::{Mat2, Vec2};

use crate::kinematics::joint::Joint;
use crate::kinematics::limit_enforcement::DirectionArc;
use crate::kinematics::tree::Unsolvable;
use crate::math::angle::shortest_way;
use crate::math::matrix::is_conformal;
use crate::math::rotation::Rotation;
use crate::skeleton::limit::Limit;

/// Two columns count as parallel, and a scale as zero, below this sine.
const SINGULAR: f32 = 1e-6;

/// A line of one or two joints from a fixed root at the origin to a tip. See the module's page.
#[derive(Clone, Debug, Default)]
pub(crate) struct Limb {
    pub(crate) joints: Vec<Joint>,
    /// The bounds that limits set to the joints; `None` for a free one.
    pub(crate) bounds: Vec<Option<DirectionArc>>,
    /// Lengths of the segments in the base pose.
    pub(crate) lengths: Vec<f32>,
    is_rigid: bool,
}

impl Limb {
    /// Removes all joints.
    pub(crate) fn clear(&mut self) {
        self.joints.clear();
        self.bounds.clear();
    }

    /// Appends a joint at the tip's end. `mount` is the linear part of the frame that chain space
    /// is, in skeleton space: what limits fixed in the skeleton are seen through.
    pub(crate) fn push(&mut self, joint: Joint, limit: Option<&Limit>, mount: Mat2) {
        let bound = limit.and_then(|limit| DirectionArc::new(limit, joint.base, mount));
        self.joints.push(joint);
        self.bounds.push(bound);
    }

    /// Makes the first `count` segments `factor` times as long. Call [`prepare`](Self::prepare)
    /// afterwards.
    pub(crate) fn lengthen(&mut self, count: usize, factor: f32) {
        for joint in self.joints.iter_mut().take(count) {
            joint.offset *= factor;
        }
    }

    /// Measures the limb and places its joints.
    ///
    /// # Errors
    /// [`Unsolvable`] when a joint is not finite or its frame is singular.
    pub(crate) fn prepare(&mut self) -> Result<(), Unsolvable> {
        self.place()?;
        let mut tip = Vec2::ZERO;
        self.lengths.clear();
        self.lengths.extend(self.joints.iter().map(|joint| {
            let segment = joint.segment();
            tip += segment;
            segment.length()
        }));
        self.joints.last().ok_or(Unsolvable)?;
        self.is_rigid = self.keeps_angles();
        let is_finite = self.reach().is_finite() && tip.is_finite();
        is_finite.then_some(()).ok_or(Unsolvable)
    }

    /// Places the joints, for a solver that does the measuring itself.
    ///
    /// # Errors
    /// [`Unsolvable`] when the frame of a joint is singular.
    pub(crate) fn place(&mut self) -> Result<(), Unsolvable> {
        self.place_each(|_, _| {}, false);
        let is_sound = self.joints.iter().all(|joint| {
            let (x, y) = (joint.carry.x_axis, joint.carry.y_axis);
            let area = x.perp_dot(y);
            area * area > SINGULAR * SINGULAR * x.length_squared() * y.length_squared()
        });
        is_sound.then_some(()).ok_or(Unsolvable)
    }

    /// Has `turn` turn the joints, root first, each in its frame as it has become, and keeps them
    /// within their limits if asked to.
    pub(crate) fn place_each(&mut self, mut turn: impl FnMut(usize, &mut Joint), is_kept: bool) {
        let mut basis = Mat2::IDENTITY;
        for (index, (joint, bound)) in self.joints.iter_mut().zip(&self.bounds).enumerate() {
            joint.basis = basis;
            turn(index, joint);
            if let Some(bound) = bound.as_ref().filter(|_| is_kept) {
                bound.enforce(joint);
            }
            basis = joint.next_basis();
        }
    }

    /// Points each segment along the direction that `direction` gives for its index, limits
    /// aside. A segment without length keeps its joint's rotation.
    pub(crate) fn lay_along(&mut self, direction: impl Fn(usize) -> Vec2) {
        self.place_each(|index, joint| joint.point_along(direction(index)), false);
    }

    /// Returns `true` if the frames of all joints keep the angles of chain space, mirrored or not.
    fn keeps_angles(&self) -> bool {
        let inner = self.joints.len().saturating_sub(1);
        let mut inner = self.joints[..inner].iter();
        inner.all(|joint| is_conformal(joint.carry.as_dmat2()))
    }

    /// The middle of what its limit leaves a joint, as a turn from the base pose. `None` if it may turn all the way around.
    pub(crate) fn middle_of_turns(&self, joint: usize) -> Option<f32> {
        let (joint, bound) = (self.joints.get(joint)?, self.bounds.get(joint)?);
        let [least, greatest] = bound.as_ref()?.room_of(joint);
        let middle = joint.turned() + 0.5 * (least + greatest);
        middle.is_finite().then_some(middle)
    }

    /// Turns the joints from the base pose, as far as their limits let them. Changes `turns` to what that comes to.
    pub(crate) fn turn_to(&mut self, turns: &mut [f32]) {
        let turn = |index: usize, joint: &mut Joint| {
            joint.rotation = joint.base.then(Rotation::from_angle(turns[index]));
        };
        self.place_each(turn, true);
        for (turn, joint) in turns.iter_mut().zip(&self.joints) {
            *turn += shortest_way(*turn, joint.turned());
        }
    }

    /// Returns `true` if any joint is limited.
    pub(crate) fn is_limited(&self) -> bool {
        self.bounds.iter().any(Option::is_some)
    }

    /// Returns `true` if the lengths of the segments are the same in every pose.
    pub(crate) fn is_rigid(&self) -> bool {
        self.is_rigid
    }

    /// Chain-space position of the tip.
    pub(crate) fn tip(&self) -> Vec2 {
        self.joints.iter().map(Joint::segment).sum()
    }

    /// The sum of the segments' lengths, in chain units.
    pub(crate) fn reach(&self) -> f32 {
        self.lengths.iter().sum()
    }

    /// The distance at which `f32` leaves nothing more to gain.
    pub(crate) fn precision(&self) -> f32 {
        4e-7 * self.reach()
    }
}
