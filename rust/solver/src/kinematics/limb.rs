//! One or two joints, for the solvers in closed form.
//!
//! Joint *i* turns by `Rᵢ` about its own origin, in chain space (see [`crate::kinematics::tree`]).
//! Before it turns, its bone's own skew and scale, and any rigid bones up to the next joint, have
//! made of the next joint's position the constant [`offset`](Joint::offset) and of its frame the
//! constant [`carry`](Joint::carry):
//!
//! ```text
//! segmentᵢ = Bᵢ Rᵢ offsetᵢ     pᵢ₊₁ = pᵢ + segmentᵢ     Bᵢ₊₁ = Bᵢ Rᵢ carryᵢ     tip = pₙ
//! ```
//!
//! To point segment *i* along a direction *d*, whatever `Bᵢ` is, `Rᵢ` is the rotation from
//! `offsetᵢ` to `Bᵢ⁻¹ d`.

use glam::{Mat2, Vec2};

use crate::kinematics::bound::Bound;
use crate::kinematics::tree::Unsolvable;
use crate::math::matrix::is_conformal;
use crate::math::rotation::Rotation;
use crate::skeleton::limit::Limit;

/// Two columns count as parallel, and a scale as zero, below this sine.
const SINGULAR: f32 = 1e-6;

/// One joint of a [`Limb`] and the bone that it turns.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Joint {
    /// How far the joint is turned in its parent's frame.
    pub(crate) rotation: Rotation,
    /// Where the next joint or the tip is, seen from this joint before it turns.
    pub(crate) offset: Vec2,
    /// What the next joint's frame is, seen from this joint before it turns.
    pub(crate) carry: Mat2,
    /// The rotation in the base pose.
    pub(crate) base: Rotation,
    /// The linear part accumulated above the joint.
    pub(crate) basis: Mat2,
}

impl Joint {
    /// A joint at the root of a limb.
    pub(crate) fn new(rotation: Rotation, offset: Vec2, carry: Mat2) -> Self {
        Self {
            rotation,
            offset,
            carry,
            base: rotation,
            basis: Mat2::IDENTITY,
        }
    }

    /// Turns the joint so that its bone's X axis, before the bone's own scale, points along a
    /// chain-space direction.
    pub(crate) fn head_along(&mut self, direction: Rotation) {
        self.swing(Vec2::X, direction.direction());
    }

    /// Turns the joint so that its segment points along a chain-space direction. Leaves it
    /// as it is when either has no direction.
    pub(crate) fn point_along(&mut self, direction: Vec2) {
        self.swing(self.offset, direction);
    }

    /// Turns the joint so that its unturned `lever` points along `way`, a chain-space vector.
    pub(crate) fn swing(&mut self, lever: Vec2, way: Vec2) {
        if let Some(rotation) = Rotation::between(lever, self.in_frame(way)) {
            self.rotation = rotation;
        }
    }

    /// Takes back all but `share` of what the joint has turned from the base pose.
    pub(crate) fn hold_back(&mut self, share: f32) {
        if share < 1.0 {
            self.rotation = self.base.then(Rotation::from_angle(share * self.turned()));
        }
    }

    /// How far the joint has turned from the base pose, in radians.
    pub(crate) fn turned(&self) -> f32 {
        if self.rotation == self.base {
            return 0.0;
        }
        self.base.inverse().then(self.rotation).angle()
    }

    /// The way that a chain-space direction points in the frame above the joint.
    pub(crate) fn in_frame(&self, direction: Vec2) -> Vec2 {
        adjugate_times(self.basis, direction)
    }

    /// Where the X axis of the joint's bone points in chain space, before the bone's own scale.
    pub(crate) fn heading(&self) -> Rotation {
        Rotation::towards(self.basis * self.rotation.direction()).unwrap_or(Rotation::NONE)
    }

    /// The segment as a chain-space vector.
    pub(crate) fn segment(&self) -> Vec2 {
        self.basis * self.rotation.apply(self.offset)
    }

    /// The frame of the next joint.
    pub(crate) fn next_basis(&self) -> Mat2 {
        self.basis * self.rotation.apply_to(self.carry)
    }
}

/// `matrix⁻¹ vector`, times `|det matrix|`: its direction without a division.
fn adjugate_times(matrix: Mat2, vector: Vec2) -> Vec2 {
    let (x, y) = (matrix.x_axis, matrix.y_axis);
    let sign = 1.0_f32.copysign(x.perp_dot(y));
    sign * Vec2::new(vector.perp_dot(y), x.perp_dot(vector))
}

/// A line of one or two joints from a fixed root at the origin to a tip. See the module's page.
#[derive(Clone, Debug, Default)]
pub(crate) struct Limb {
    pub(crate) joints: Vec<Joint>,
    /// What the joints' limits leave them.
    pub(crate) bounds: Vec<Option<Bound>>,
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
        let bound = limit.and_then(|limit| Bound::new(limit, joint.base, mount));
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
        self.place_each(|_, _| {}, false);
        self.lengths.clear();
        let lengths = self.joints.iter().map(|joint| joint.segment().length());
        self.lengths.extend(lengths);
        let (_, inner) = self.joints.split_last().ok_or(Unsolvable)?;
        self.is_rigid = inner.iter().all(|joint| is_conformal(joint.carry.as_dmat2()));
        let is_sound = self.joints.iter().all(|joint| {
            let (x, y) = (joint.carry.x_axis, joint.carry.y_axis);
            let area = x.perp_dot(y);
            area * area > SINGULAR * SINGULAR * x.length_squared() * y.length_squared()
        });
        let is_finite = self.reach().is_finite() && self.tip().is_finite();
        (is_sound && is_finite).then_some(()).ok_or(Unsolvable)
    }

    /// Has `turn` turn the joints, root first, each in its frame as it has become, and keeps them
    /// within their limits if asked to.
    pub(crate) fn place_each(&mut self, mut turn: impl FnMut(usize, &mut Joint), is_kept: bool) {
        let mut basis = Mat2::IDENTITY;
        for (index, (joint, bound)) in self.joints.iter_mut().zip(&self.bounds).enumerate() {
            joint.basis = basis;
            turn(index, joint);
            if let Some(bound) = bound.as_ref().filter(|_| is_kept) {
                bound.keep(joint);
            }
            basis = joint.next_basis();
        }
    }

    /// Points each segment along the direction that `direction` gives for its index, limits
    /// aside. A segment without length keeps its joint's rotation.
    pub(crate) fn lay_along(&mut self, direction: impl Fn(usize) -> Vec2) {
        self.place_each(|index, joint| joint.point_along(direction(index)), false);
    }

    /// Whether any joint is limited.
    pub(crate) fn is_limited(&self) -> bool {
        self.bounds.iter().any(Option::is_some)
    }

    /// Whether the lengths of the segments are the same in every pose.
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
