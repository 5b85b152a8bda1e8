//! A chain of joints, in the space that every solver works in.
//!
//! **Chain space** is the frame of the chain root's parent, moved to the root joint: the
//! root sits at the origin and does not move, and whatever mirrors, stretches or skews the
//! character above it has already been taken out of the target. Solvers therefore never
//! ask for the sign of a scale.
//!
//! Joint *i* turns by `Rᵢ` about its own origin. Before it turns, its bone's own skew and
//! scale (and any rigid bones up to the next joint) have made of the next joint's local
//! position the constant [`offset`](Joint::offset) and of the next joint's frame the
//! constant [`carry`](Joint::carry). With `B₀ = 1` and `o₀ = 0`:
//!
//! ```text
//! oᵢ₊₁ = oᵢ + Bᵢ Rᵢ offsetᵢ        Bᵢ₊₁ = Bᵢ Rᵢ carryᵢ        tip = oₙ
//! ```
//!
//! To point segment *i* along a direction *d* of chain space, whatever `Bᵢ` is:
//! `Rᵢ = turn from offsetᵢ to Bᵢ⁻¹ d`.

use glam::{Mat2, Vec2};

use crate::turn::Turn;

/// Two columns count as parallel, and a scale as zero, below this sine.
const SINGULAR: f32 = 1e-6;

/// Relative difference of two column lengths below which a frame is called uniform.
const UNIFORM: f32 = 1e-5;

/// One joint of a [`Chain`] and the segment that it turns.
#[derive(Clone, Copy, Debug)]
pub struct Joint {
    /// How far the joint is turned in its parent's frame.
    pub turn: Turn,
    /// Where the next joint (or the tip) is, seen from this joint before it turns.
    pub offset: Vec2,
    /// What the next joint's frame is, seen from this joint before it turns.
    pub carry: Mat2,
    /// The turn that the joint was pushed with.
    pub(crate) given: Turn,
    /// Chain-space position, as of the last [`Chain::place`].
    pub(crate) origin: Vec2,
    /// The linear part accumulated above the joint, as of the last [`Chain::place`].
    pub(crate) basis: Mat2,
    /// The way from the joint to the tip, in a frame of the solver's choice: scratch.
    pub(crate) arm: Vec2,
    /// The turn before the finisher's last step: scratch.
    pub(crate) previous: Turn,
}

impl Joint {
    /// A direction of chain space, seen in the frame that this joint turns in, up to a
    /// positive factor.
    pub(crate) fn localize(&self, direction: Vec2) -> Vec2 {
        adjugate_times(self.basis, direction)
    }

    /// Turns the joint so that its segment points along a chain-space direction. Leaves it
    /// as it is when either has no direction.
    pub(crate) fn point_along(&mut self, direction: Vec2) {
        if let Some(turn) = Turn::between(self.offset, self.localize(direction)) {
            self.turn = turn;
        }
    }

    /// The segment as a chain-space vector.
    pub(crate) fn segment(&self) -> Vec2 {
        self.basis * self.turn.apply(self.offset)
    }

    /// The frame of the next joint.
    pub(crate) fn next_basis(&self) -> Mat2 {
        self.basis * self.turn.apply_to(self.carry)
    }
}

/// `matrix⁻¹ vector`, times `|det matrix|`: its direction without a division.
fn adjugate_times(matrix: Mat2, vector: Vec2) -> Vec2 {
    let (x, y) = (matrix.x_axis, matrix.y_axis);
    let sign = 1.0_f32.copysign(x.perp_dot(y));
    sign * Vec2::new(vector.perp_dot(y), x.perp_dot(vector))
}

/// A line of joints from a fixed root at the origin to a tip. See the module's page.
///
/// A chain keeps its memory between solves: [`clear`](Self::clear) and
/// [`push`](Self::push) allocate nothing once the longest chain has been seen.
#[derive(Clone, Debug, Default)]
pub struct Chain {
    joints: Vec<Joint>,
    tip: Vec2,
    reach: f32,
    longest: f32,
    rigid: bool,
    /// Chain-space positions of joints and tip that FABRIK moves: scratch.
    pub(crate) points: Vec<Vec2>,
    /// The best pose of several attempts: scratch of the finisher.
    pub(crate) best: Vec<Turn>,
}

/// Why a chain cannot be solved: something in it, or its target, is not finite, or a bone
/// has zero scale or parallel axes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the chain or its target is not finite, or a bone in it is scaled to nothing")]
pub struct Unsolvable;

impl Chain {
    /// Removes all joints.
    pub fn clear(&mut self) {
        self.joints.clear();
    }

    /// Appends a joint at the tip's end.
    pub fn push(&mut self, turn: Turn, offset: Vec2, carry: Mat2) {
        self.joints.push(Joint {
            turn,
            offset,
            carry,
            given: turn,
            origin: Vec2::ZERO,
            basis: Mat2::IDENTITY,
            arm: Vec2::ZERO,
            previous: turn,
        });
    }

    /// Measures the chain as pushed, and places its joints. Call it before a solver.
    ///
    /// # Errors
    /// [`Unsolvable`] when a joint is not finite or its frame is singular.
    pub fn prepare(&mut self) -> Result<(), Unsolvable> {
        self.place();
        self.rigid = self.joints.split_last().is_none_or(|(_, inner)| {
            inner.iter().all(|joint| {
                let (x, y) = (joint.carry.x_axis, joint.carry.y_axis);
                let size = x.length_squared().max(y.length_squared());
                x.dot(y).abs() <= UNIFORM * size
                    && (x.length_squared() - y.length_squared()).abs() <= UNIFORM * size
            })
        });
        self.reach = 0.0;
        self.longest = 0.0;
        for joint in &self.joints {
            let (x, y) = (joint.carry.x_axis, joint.carry.y_axis);
            let sound = x.perp_dot(y).abs() > SINGULAR * x.length() * y.length();
            if !sound {
                return Err(Unsolvable);
            }
            let length = (joint.basis * joint.offset).length();
            self.reach += length;
            self.longest = self.longest.max(length);
        }
        let solvable = self.reach.is_finite() && self.tip.is_finite();
        solvable.then_some(()).ok_or(Unsolvable)
    }

    /// Forward kinematics: where every joint and the tip are with the present turns.
    pub fn place(&mut self) {
        let mut origin = Vec2::ZERO;
        let mut basis = Mat2::IDENTITY;
        for joint in &mut self.joints {
            joint.origin = origin;
            joint.basis = basis;
            origin += joint.segment();
            basis = joint.next_basis();
        }
        self.tip = origin;
    }

    /// The joints from root to tip.
    pub fn joints(&self) -> &[Joint] {
        &self.joints
    }

    /// The joints from root to tip. Call [`place`](Self::place) after turning them.
    pub fn joints_mut(&mut self) -> &mut [Joint] {
        &mut self.joints
    }

    /// Chain-space position of the tip as of the last [`place`](Self::place).
    pub fn tip(&self) -> Vec2 {
        self.tip
    }

    /// The sum of the segments' lengths, in chain units: how far the tip can be from the
    /// root. Exact for a [rigid](Self::is_rigid) chain, an estimate otherwise.
    pub fn reach(&self) -> f32 {
        self.reach
    }

    /// How near to the root the tip can come: zero unless one segment is longer than all
    /// others together. Exact for a [rigid](Self::is_rigid) chain.
    pub fn nearest(&self) -> f32 {
        (2.0 * self.longest - self.reach).max(0.0)
    }

    /// Whether the lengths of the segments do not depend on the pose: no bone before the
    /// last scales its axes differently or skews them.
    pub fn is_rigid(&self) -> bool {
        self.rigid
    }

    /// Puts every segment on one line, in turn along the direction that `sense` gives for
    /// its index and length, and places the joints.
    pub(crate) fn lay_along(&mut self, mut sense: impl FnMut(usize, f32) -> Vec2) {
        let mut origin = Vec2::ZERO;
        let mut basis = Mat2::IDENTITY;
        for (index, joint) in self.joints.iter_mut().enumerate() {
            joint.origin = origin;
            joint.basis = basis;
            let length = (basis * joint.offset).length();
            joint.point_along(sense(index, length));
            origin += joint.segment();
            basis = joint.next_basis();
        }
        self.tip = origin;
    }

    /// Turns each joint, root first, so that its segment points at the next of
    /// [`points`](Self::points), and moves the points to where the segments then end.
    pub(crate) fn follow_points(&mut self) {
        let mut origin = Vec2::ZERO;
        let mut basis = Mat2::IDENTITY;
        for (joint, point) in self.joints.iter_mut().zip(&mut self.points[1..]) {
            joint.origin = origin;
            joint.basis = basis;
            joint.point_along(*point - origin);
            origin += joint.segment();
            basis = joint.next_basis();
            *point = origin;
        }
        self.tip = origin;
    }
}
