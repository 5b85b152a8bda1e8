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
//! constant [`carry`](Joint::carry). With `B₀ = 1` and `p₀ = 0`:
//!
//! ```text
//! segmentᵢ = Bᵢ Rᵢ offsetᵢ     pᵢ₊₁ = pᵢ + segmentᵢ     Bᵢ₊₁ = Bᵢ Rᵢ carryᵢ     tip = pₙ
//! ```
//!
//! Solvers move the segments and the points; [`settle`](Chain::settle) finds the turns.
//!
//! In a **rigid** chain no bone before the last scales its axes differently or skews them
//! (mirroring is fine). Then the lengths of the segments do not depend on the pose, and a
//! joint has turned by the angle that its segment has swung more than the one before it,
//! counted the other way round where an odd number of bones mirrors. That takes no frames
//! at all. In any other chain the frames are followed: to point segment *i* along a
//! direction *d*, whatever `Bᵢ` is, `Rᵢ = turn from offsetᵢ to Bᵢ⁻¹ d`. They are followed too
//! where a joint is [limited](Chain::limit): a limit is about the turns themselves.

use glam::{Mat2, Vec2};

use crate::active_set::Workspace;
use crate::bound::Bound;
use crate::limit::Limit;
use crate::number::bits_apart;
use crate::turn::{Turn, conjugate_times};

/// Two columns count as parallel, and a scale as zero, below this sine.
const SINGULAR: f32 = 1e-6;

/// Relative difference of two squared column lengths below which a frame is uniform.
const UNIFORM: f32 = 1e-5;

/// One joint of a [`Chain`] and the bone that it turns.
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
    /// The linear part accumulated above the joint. Kept up to date in chains that are not
    /// rigid; in others it is that of the given pose.
    pub(crate) basis: Mat2,
}

impl Joint {
    /// A joint at the root of a chain.
    pub(crate) fn new(turn: Turn, offset: Vec2, carry: Mat2) -> Self {
        Self {
            turn,
            offset,
            carry,
            given: turn,
            basis: Mat2::IDENTITY,
        }
    }

    /// Whether the joint was given as it would be by these, to the last bit: zeros of either sign
    /// are equal, but not all that is computed from them.
    fn was_given_as(&self, turn: Turn, offset: Vec2, carry: Mat2) -> bool {
        let given = self.given.direction();
        let turn = turn.direction();
        let frame = self.carry.to_cols_array();
        let vectors = bits_apart(given.to_array(), turn.to_array())
            | bits_apart(self.offset.to_array(), offset.to_array());
        vectors | bits_apart(frame, carry.to_cols_array()) == 0
    }

    /// Turns the joint so that its bone's X axis, before the bone's own scale, points along a
    /// chain-space direction.
    pub(crate) fn head_along(&mut self, direction: Turn) {
        self.swing(Vec2::X, direction.direction());
    }

    /// Turns the joint so that its segment points along a chain-space direction. Leaves it
    /// as it is when either has no direction.
    pub(crate) fn point_along(&mut self, direction: Vec2) {
        self.swing(self.offset, direction);
    }

    /// Turns the joint so that its unturned `lever` points along `way`, a chain-space vector.
    pub(crate) fn swing(&mut self, lever: Vec2, way: Vec2) {
        if let Some(turn) = Turn::between(lever, self.in_frame(way)) {
            self.turn = turn;
        }
    }

    /// Takes back all but `share` of what the joint has turned since `before`.
    pub(crate) fn hold_back(&mut self, before: Turn, share: f32) {
        if share < 1.0 {
            let angle = before.inverse().then(self.turn).angle();
            self.turn = before.then(Turn::from_angle(share * angle));
        }
    }

    /// The way that a chain-space direction points in the frame above the joint.
    pub(crate) fn in_frame(&self, direction: Vec2) -> Vec2 {
        adjugate_times(self.basis, direction)
    }

    /// Where the X axis of the joint's bone points in chain space, before the bone's own
    /// scale.
    pub(crate) fn heading(&self) -> Turn {
        Turn::towards(self.basis * self.turn.direction()).unwrap_or(Turn::NONE)
    }

    /// The segment as a chain-space vector.
    pub(crate) fn segment(&self) -> Vec2 {
        self.basis * self.turn.apply(self.offset)
    }

    /// The frame of the next joint.
    pub(crate) fn next_basis(&self) -> Mat2 {
        self.basis * self.turn.apply_to(self.carry)
    }

    /// −1 where the frame above the joint mirrors, or else 1.
    pub(crate) fn sense(&self) -> f32 {
        if self.is_mirrored() { -1.0 } else { 1.0 }
    }

    /// Whether the frame above the joint mirrors.
    pub(crate) fn is_mirrored(&self) -> bool {
        self.basis.x_axis.perp_dot(self.basis.y_axis) < 0.0
    }
}

/// Whether a frame can be inverted, and whether it keeps angles, be it mirrored.
#[inline]
fn examine(frame: Mat2) -> (bool, bool) {
    let (x, y) = (frame.x_axis, frame.y_axis);
    let (xx, yy, area) = (x.length_squared(), y.length_squared(), x.perp_dot(y));
    let is_sound = area * area > SINGULAR * SINGULAR * xx * yy;
    let size = UNIFORM * xx.max(yy);
    let is_uniform = x.dot(y).abs() <= size && (xx - yy).abs() <= size;
    (is_sound, is_uniform)
}

/// Where [`Chain::place_each`] is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place<'a> {
    /// The joint's index.
    pub(crate) index: usize,
    /// Chain-space position of the joint.
    pub(crate) origin: Vec2,
    /// Chain-space position that the next point, or the tip, had or was asked to have.
    pub(crate) next: Vec2,
    /// What the joint's limit leaves it.
    pub(crate) bound: Option<&'a Bound>,
}

impl Place<'_> {
    /// How much of a wish the joint follows, 0 to 1: less than all if it is stiff.
    pub(crate) fn share(&self) -> f32 {
        self.bound.map_or(1.0, |bound| bound.weight)
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
    /// Chain-space positions of the joints, and of the tip.
    pub(crate) points: Vec<Vec2>,
    /// Chain-space vectors from each point to the next.
    pub(crate) segments: Vec<Vec2>,
    /// The segments' lengths.
    pub(crate) lengths: Vec<f32>,
    /// The segments of the given pose.
    pub(crate) given: Vec<Vec2>,
    /// What the joints' limits leave them; empty when every joint is free.
    bounds: Vec<Option<Bound>>,
    reach: f32,
    longest: usize,
    rigid: bool,
    by_segments: bool,
    /// Whether everything measured still holds of the joints as they were given.
    measured: bool,
    /// Memory of the finisher.
    pub(crate) scratch: Scratch,
}

/// What the finisher keeps between two steps.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scratch {
    /// The Jacobian: for each joint, how the tip moves when it turns.
    pub(crate) columns: Vec<Vec2>,
    /// The segments before the last step.
    pub(crate) segments: Vec<Vec2>,
    /// The turns before the last step, in chains that are not rigid.
    pub(crate) turns: Vec<Turn>,
    /// The segments of the best of several attempts.
    pub(crate) best: Vec<Vec2>,
    /// Memory of the finisher within limits.
    pub(crate) workspace: Workspace,
    /// The turns of the best of several attempts within limits.
    pub(crate) best_turns: Vec<Turn>,
}

impl Scratch {
    /// Makes room for as many joints, so that no solve allocates in the middle of a game.
    fn reserve(&mut self, joints: usize, is_limited: bool) {
        make_room(&mut self.columns, joints);
        make_room(&mut self.segments, joints);
        make_room(&mut self.turns, joints);
        make_room(&mut self.best, joints);
        if is_limited {
            self.workspace.reserve(joints);
            make_room(&mut self.best_turns, joints);
        }
    }
}

/// Makes room for `count` elements in all.
pub(crate) fn make_room<T>(memory: &mut Vec<T>, count: usize) {
    memory.reserve(count.saturating_sub(memory.len()));
}

/// Why a chain cannot be solved: something in it, or its target, is not finite, or a bone
/// has zero scale or parallel axes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the chain or its target is not finite, or a bone in it is scaled to nothing")]
pub struct Unsolvable;

impl Chain {
    /// Removes all joints.
    pub fn clear(&mut self) {
        self.measured = false;
        self.joints.clear();
        self.bounds.clear();
    }

    /// Appends a joint at the tip's end.
    pub fn push(&mut self, turn: Turn, offset: Vec2, carry: Mat2) {
        self.measured = false;
        self.joints.push(Joint::new(turn, offset, carry));
    }

    /// Takes these joints, given as for [`push`](Self::push), in place of its own. If they are
    /// what they were when the chain was last prepared, what was measured then still holds.
    pub(crate) fn reload(&mut self, joints: impl ExactSizeIterator<Item = (Turn, Vec2, Mat2)>) {
        if !self.measured || joints.len() != self.joints.len() {
            self.clear();
            joints.for_each(|(turn, offset, carry)| self.push(turn, offset, carry));
            return;
        }
        for (joint, (turn, offset, carry)) in self.joints.iter_mut().zip(joints) {
            if joint.was_given_as(turn, offset, carry) {
                joint.turn = turn;
            } else {
                self.measured = false;
                *joint = Joint::new(turn, offset, carry);
            }
        }
    }

    /// Takes the last joint off, with what its limit leaves it. Call
    /// [`prepare`](Self::prepare) afterwards.
    pub(crate) fn pop(&mut self) -> Option<(Joint, Option<Bound>)> {
        self.measured = false;
        let joint = self.joints.pop()?;
        let bound = if self.bounds.len() > self.joints.len() {
            self.bounds.pop().flatten()
        } else {
            None
        };
        if self.bounds.iter().all(Option::is_none) {
            self.bounds.clear();
        }
        Some((joint, bound))
    }

    /// Appends a joint at the tip's end, bounded. Call [`prepare`](Self::prepare) afterwards.
    pub(crate) fn push_bound(&mut self, joint: Joint, bound: Bound) {
        self.measured = false;
        self.joints.push(joint);
        self.bind(self.joints.len() - 1, bound);
    }

    /// Lengthens the first `count` segments by `factor`. Call [`prepare`](Self::prepare)
    /// afterwards.
    pub(crate) fn lengthen(&mut self, count: usize, factor: f32) {
        self.measured = false;
        for joint in self.joints.iter_mut().take(count) {
            joint.offset *= factor;
        }
    }

    /// The frame at the tip, as the joints' turns have made it.
    pub(crate) fn end_basis(&self) -> Mat2 {
        Self::basis_through(&self.joints)
    }

    /// The frame above the last joint, as the joints' turns have made it.
    pub(crate) fn basis_of_last(&self) -> Mat2 {
        let before_last = self.joints.len().saturating_sub(1);
        Self::basis_through(&self.joints[..before_last])
    }

    fn basis_through(joints: &[Joint]) -> Mat2 {
        let through = |basis: Mat2, joint: &Joint| basis * joint.turn.apply_to(joint.carry);
        joints.iter().fold(Mat2::IDENTITY, through)
    }

    /// Whether what hangs at the tip keeps its shape in any pose: whether the chain is rigid,
    /// and its last bone is too.
    pub(crate) fn keeps_shape(&self) -> bool {
        self.rigid && self.joints.last().is_none_or(|last| examine(last.carry).1)
    }

    /// Limits the joint that was pushed last. `mount` is the linear part of the frame that
    /// chain space is, in skeleton space: what limits fixed in the skeleton are seen through.
    /// A limit that is not [sound](Limit::is_sound) is none.
    pub fn limit(&mut self, limit: &Limit, mount: Mat2) {
        let Some(turn) = self.joints.last().map(|joint| joint.turn) else {
            return;
        };
        if let Some(bound) = Bound::new(limit, turn, mount) {
            self.bind(self.joints.len() - 1, bound);
        }
    }

    /// Bounds a joint, in place of any bound that it has.
    pub(crate) fn bind(&mut self, index: usize, bound: Bound) {
        self.measured = false;
        self.bounds.resize(self.joints.len(), None);
        self.bounds[index] = Some(bound);
    }

    /// Measures the chain as pushed and places its points. Call it before a solver.
    ///
    /// # Errors
    /// [`Unsolvable`] when a joint is not finite or its frame is singular.
    pub fn prepare(&mut self) -> Result<(), Unsolvable> {
        if self.measured {
            self.segments.clone_from(&self.given);
            self.sum_up();
            return Ok(());
        }
        self.place();
        self.scratch
            .reserve(self.joints.len(), !self.bounds.is_empty());
        self.given.clear();
        self.given.extend_from_slice(&self.segments);
        self.lengths.clear();
        self.lengths
            .extend(self.segments.iter().map(|segment| segment.length()));
        self.reach = self.lengths.iter().sum();
        self.longest = 0;
        for (index, &length) in self.lengths.iter().enumerate() {
            if length > self.lengths[self.longest] {
                self.longest = index;
            }
        }
        self.rigid = true;
        let last = self.joints.len().saturating_sub(1);
        for (index, joint) in self.joints.iter().enumerate() {
            let (is_sound, is_uniform) = examine(joint.carry);
            if !is_sound {
                return Err(Unsolvable);
            }
            self.rigid &= is_uniform | (index == last);
        }
        self.by_segments = self.rigid && self.bounds.is_empty();
        if !self.bounds.is_empty() {
            self.bounds.resize(self.joints.len(), None);
        }
        let solvable = self.reach.is_finite() && self.tip().is_finite();
        // Other chains have more to be measured than the segments tell.
        self.measured = solvable && self.by_segments;
        solvable.then_some(()).ok_or(Unsolvable)
    }

    /// Forward kinematics: where the joints' turns put the points.
    pub fn place(&mut self) {
        let mut basis = Mat2::IDENTITY;
        let mut point = Vec2::ZERO;
        self.segments.clear();
        self.points.clear();
        self.points.push(point);
        for joint in &mut self.joints {
            joint.basis = basis;
            let segment = joint.segment();
            point += segment;
            self.segments.push(segment);
            self.points.push(point);
            basis = joint.next_basis();
        }
    }

    /// Turns the joints into their limits and places the points.
    pub(crate) fn place_within_limits(&mut self) {
        self.place_each(|_, _| {});
    }

    /// Has `turn` turn the joints, root first, each in its frame as it has become, keeps them
    /// within their limits and places the points.
    pub(crate) fn place_each(&mut self, mut turn: impl FnMut(Place<'_>, &mut Joint)) {
        let mut basis = Mat2::IDENTITY;
        let mut origin = Vec2::ZERO;
        for (index, joint) in self.joints.iter_mut().enumerate() {
            let bound = self.bounds.get(index).and_then(Option::as_ref);
            let place = Place {
                index,
                origin,
                next: self.points[index + 1],
                bound,
            };
            joint.basis = basis;
            turn(place, joint);
            if let Some(bound) = bound {
                bound.keep(joint);
            }
            let segment = joint.segment();
            origin += segment;
            basis = joint.next_basis();
            self.segments[index] = segment;
            self.points[index + 1] = origin;
        }
    }

    /// Whether any joint is limited.
    pub fn is_limited(&self) -> bool {
        !self.bounds.is_empty()
    }

    /// What the limit of a joint leaves it.
    pub(crate) fn bound(&self, index: usize) -> Option<&Bound> {
        self.bounds.get(index)?.as_ref()
    }

    /// The joints from root to tip.
    pub fn joints(&self) -> &[Joint] {
        &self.joints
    }

    /// The joints from root to tip. Call [`prepare`](Self::prepare) after turning them.
    pub fn joints_mut(&mut self) -> &mut [Joint] {
        self.measured = false;
        &mut self.joints
    }

    /// Chain-space positions of the joints, root first, and of the tip.
    pub fn points(&self) -> &[Vec2] {
        &self.points
    }

    /// Chain-space position of the tip.
    pub fn tip(&self) -> Vec2 {
        self.points.last().copied().unwrap_or(Vec2::ZERO)
    }

    /// The sum of the segments' lengths, in chain units: how far the tip can be from the
    /// root. Exact for a [rigid](Self::is_rigid) chain, an estimate otherwise.
    pub fn reach(&self) -> f32 {
        self.reach
    }

    /// How near to the root the tip can come: zero unless one segment is longer than all
    /// others together. Exact for a [rigid](Self::is_rigid) chain.
    pub fn nearest(&self) -> f32 {
        let longest = self.lengths.get(self.longest).copied().unwrap_or(0.0);
        nearest_distance(longest, self.reach)
    }

    /// Index of the longest segment.
    pub(crate) fn longest(&self) -> usize {
        self.longest
    }

    /// Which way the given pose bends: 1 for positive angles from segment to segment, or none
    /// at all, and −1 for negative ones.
    pub(crate) fn sense(&self) -> f32 {
        let pairs = self.given.windows(2);
        let bend: f32 = pairs.map(|pair| pair[0].perp_dot(pair[1])).sum();
        if bend < 0.0 { -1.0 } else { 1.0 }
    }

    /// Whether the lengths of the segments do not depend on the pose. See the module's page.
    pub fn is_rigid(&self) -> bool {
        self.rigid
    }

    /// Whether solvers move the segments alone and leave the turns to
    /// [`settle`](Self::settle): in rigid chains without limits.
    pub(crate) fn is_moved_by_segments(&self) -> bool {
        self.by_segments
    }

    /// Lays each segment along the direction that `sense` gives for its index, limits aside. A
    /// segment without length keeps its joint's turn.
    pub(crate) fn lay_along(&mut self, mut sense: impl FnMut(usize) -> Vec2) {
        for (index, (segment, &length)) in self.segments.iter_mut().zip(&self.lengths).enumerate() {
            *segment = sense(index) * length;
        }
        if self.by_segments {
            self.sum_up();
            return;
        }
        let mut basis = Mat2::IDENTITY;
        for (joint, &segment) in self.joints.iter_mut().zip(&self.segments) {
            joint.basis = basis;
            joint.point_along(segment);
            basis = joint.next_basis();
        }
        self.place();
    }

    /// Places the points where the segments, end to end, put them.
    pub(crate) fn sum_up(&mut self) {
        let mut point = Vec2::ZERO;
        for (next, segment) in self.points[1..].iter_mut().zip(&self.segments) {
            point += *segment;
            *next = point;
        }
    }

    /// Makes real what a sweep asked for. In a chain that is not rigid, turns the joints, root
    /// first, to point at the points, and moves the points to where the segments really end.
    pub(crate) fn follow_points(&mut self) {
        if self.by_segments {
            return;
        }
        self.place_each(|place, joint| joint.point_along(place.next - place.origin));
        for (length, segment) in self.lengths.iter_mut().zip(&self.segments) {
            *length = segment.length();
        }
    }

    /// Turns the joints as the segments say. Solvers end with it.
    pub(crate) fn settle(&mut self) {
        if !self.by_segments {
            return;
        }
        let mut before = Vec2::X;
        for ((joint, &segment), &given) in
            self.joints.iter_mut().zip(&self.segments).zip(&self.given)
        {
            // How far the segment has swung, times both lengths.
            let swing = conjugate_times(given, segment);
            let swing = if swing == Vec2::ZERO { before } else { swing };
            let bend = conjugate_times(before, swing);
            if bend.y != 0.0 || bend.x < 0.0 {
                let bend = if joint.is_mirrored() {
                    Vec2::new(bend.x, -bend.y)
                } else {
                    bend
                };
                if let Some(bend) = Turn::towards(bend) {
                    joint.turn = joint.given.then(bend);
                }
            }
            before = swing;
        }
    }
}

/// How near to its root the tip of a folded chain can come, by its longest segment and the sum of
/// all: zero unless one segment is longer than all others together.
pub fn nearest_distance(longest: f32, reach: f32) -> f32 {
    (2.0 * longest - reach).max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chain_does_not_remember_the_sign_of_a_zero() {
        let mut chain = Chain::default();
        for zero in [0.0, -0.0, 0.0] {
            let offset = Vec2::new(30.0, zero);
            chain.reload([(Turn::NONE, offset, Mat2::IDENTITY)].into_iter());
            chain.prepare().expect("a sound chain");
            assert_eq!(chain.joints()[0].offset.y.to_bits(), zero.to_bits());
        }
    }
}
