//! A tree of joints with one or several tips, in chain space.
//!
//! **Chain space** is the frame of the root joint's parent, moved to the root joint: the root is
//! at the origin and does not move. Mirrored, stretched or skewed ancestors of the character are
//! thereby taken out of the targets, and no solver needs the sign of a scale.
//!
//! A chain is a tree with one branch. Joint *i* turns by `Rᵢ` in the frame `Bᵢ` that its parent
//! *h* gives it:
//!
//! ```text
//! pᵢ = pₕ + Bₕ Rₕ offsetᵢ     Bᵢ = Bₕ Rₕ carryᵢ     tip = pᵢ + Bᵢ Rᵢ position
//! ```
//!
//! [`offset`](Joint::offset) and [`carry`](Joint::carry) belong to the child, because a joint may
//! have several. Frames are followed through the whole tree, so bones that are mirrored, stretched
//! or skewed inside it are exact.
//!
//! The state of a joint is its **swing**: the angle in radians that it has turned away from the
//! base pose. Bounds are intervals of the swing, so they hold exactly, and a joint that does not
//! swing keeps its rotation to the last bit. All arithmetic is in `f64`: the normal equations of
//! several tips and contacts square the condition of the problem, which `f32` cannot hold.

use std::f64::consts::{PI, TAU};

use glam::{DMat2, DVec2, Mat2, Vec2};

use crate::collision::shape::Cores;
use crate::kinematics::bound::{Bound, Measure};
use crate::math::angle::wrapped;
use crate::math::matrix::{is_conformal, largest_stretch};
use crate::math::rotation::Rotation;
use crate::math::trigonometry::{angle_between, small_rotation, unit_vector};

/// Two columns count as parallel, and a scale as zero, below this sine.
const SINGULAR: f64 = 1e-6;

/// Why a tree cannot be solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a joint or a target is not finite, or a bone is scaled to nothing")]
pub(crate) struct Unsolvable;

/// How far a joint of a [`Tree`] may turn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Bounds {
    /// Without bounds.
    Free,
    /// Between a least and a greatest swing, in radians.
    Swing([f32; 2]),
    /// The joint's X axis, before its bone's own scale, stays in an arc of directions that is
    /// fixed in chain space.
    Heading {
        /// The middle of the arc.
        middle: Rotation,
        /// Radians from the middle to either end.
        half: f32,
    },
}

/// One joint of a [`Tree`], as it is given.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Joint {
    /// Index of the joint that carries this one. `None` for the root alone, whose `offset` and
    /// `carry` are not used.
    pub parent: Option<usize>,
    /// Where the joint is, seen from its parent before that turns.
    pub offset: Vec2,
    /// What the joint's frame is, seen from its parent before that turns.
    pub carry: Mat2,
    /// The joint's rotation in its frame in the base pose.
    pub base: Rotation,
    /// How far the joint may turn.
    pub bounds: Bounds,
    /// How much less than other joints it turns: 0 as they do, 1 not at all.
    pub stiffness: f32,
    /// What a turn of this joint costs beside that of others; 1 is usual.
    pub cost: f32,
}

impl Joint {
    /// A joint without bounds or stiffness.
    pub(crate) fn free(parent: Option<usize>, offset: Vec2, carry: Mat2, base: Rotation) -> Self {
        Self {
            parent,
            offset,
            carry,
            base,
            bounds: Bounds::Free,
            stiffness: 0.0,
            cost: 1.0,
        }
    }

    /// Gives the joint the bounds and the stiffness of `bound`.
    pub(crate) fn keep_to(&mut self, bound: &Bound) {
        self.stiffness = 1.0 - bound.weight;
        if bound.has_ends() {
            self.bounds = match bound.measure {
                Measure::Bend => Bounds::Swing(bound.room(self.base)),
                Measure::Swing => Bounds::Heading {
                    middle: bound.place(0.5),
                    half: 0.5 * bound.extent(),
                },
            };
        }
    }
}

/// A point of the tree that has a target.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effector {
    /// Index of the joint that carries the point.
    pub joint: usize,
    /// Where the point is, seen from that joint before it turns.
    pub position: Vec2,
    /// What it reaches for, in chain space.
    pub target: Vec2,
    /// How much its distance counts beside that of the other effectors: the sum of
    /// `weight · distance²` is minimised. 0 does not count.
    pub weight: f32,
}

/// A joint and its present place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    pub(crate) parent: Option<usize>,
    /// How many joints carry this one.
    pub(crate) depth: u32,
    offset: DVec2,
    carry: DMat2,
    /// Upper bound of the distance from the root to the joint.
    far: f64,
    /// Upper bound of the factor by which the joint's frame lengthens anything.
    gain: f64,
    /// Length of the line of bones from the root to the joint in the base pose.
    length: f64,
    pub(crate) base: Rotation,
    /// `base` at full precision.
    from: DVec2,
    /// The bounds of the swing, in the present frame.
    pub(crate) lower: f64,
    pub(crate) upper: f64,
    /// The bounds of the swing that hold in any frame.
    room: [f64; 2],
    /// The middle of the arc of directions that the X axis keeps to, and half its width in
    /// radians.
    arc: Option<(DVec2, f64)>,
    /// 1 − stiffness.
    pub(crate) mobility: f64,
    /// How far the joint turns for a unit of torque: mobility divided by cost.
    pub(crate) compliance: f64,
    /// The summed weights of all effectors that the joint carries.
    pub(crate) weight: f64,
    /// Radians that the joint has turned from the base pose.
    pub(crate) swing: f64,
    /// `from`, rotated by `swing`.
    direction: DVec2,
    /// Where the joint is.
    pub(crate) point: DVec2,
    /// `B`: the frame that the joint turns in.
    pub(crate) basis: DMat2,
    /// `B R`: the frame that turns with the joint.
    pub(crate) frame: DMat2,
    /// `B ⟂ B⁻¹`: makes of a vector from the joint to a point that it carries the velocity of
    /// that point per radian.
    pub(crate) spin: DMat2,
}

impl Node {
    /// `swing`, clamped to the bounds. The bounds of an arc are applied by [`Tree::place`]: they
    /// are not known before the joint's frame is.
    pub(crate) fn bounded(&self, swing: f64) -> f64 {
        if self.arc.is_some() {
            return swing;
        }
        clamp(swing, [self.lower, self.upper])
    }

    /// Whether the swing has bounds in any frame.
    pub(crate) fn interval(&self) -> Option<[f64; 2]> {
        let [lower, upper] = self.room;
        (upper - lower < TAU).then_some(self.room)
    }

    /// Swings the joint to `swing`, clamped to its bounds. [`Tree::place`] makes it effective.
    pub(crate) fn swing_to(&mut self, swing: f64) {
        let swing = self.bounded(swing);
        if swing != self.swing {
            self.swing = swing;
            self.direction = self.from.rotate(unit_vector(swing));
        }
    }

    /// Swings the joint by `step`, clamped to its bounds. [`Tree::place`] makes it effective.
    pub(crate) fn swing_by(&mut self, step: f64) {
        let swing = self.bounded(self.swing + step);
        let step = swing - self.swing;
        match small_rotation(step) {
            Some(rotation) => {
                self.swing = swing;
                let turned = self.direction.rotate(rotation);
                self.direction = turned * (1.5 - 0.5 * turned.length_squared());
            }
            None => self.swing_to(swing),
        }
    }

    /// Whether the joint keeps to an arc, so that its bounds change with its frame.
    pub(crate) fn has_arc(&self) -> bool {
        self.arc.is_some()
    }

    /// Whether the arc is a single direction.
    pub(crate) fn is_headed(&self) -> bool {
        self.arc.is_some_and(|(_, half)| half == 0.0)
    }

    /// Whether `bound`, one of the present two, changes with the joint's frame.
    pub(crate) fn follows(&self, bound: f64) -> bool {
        self.has_arc() && self.room[0] < bound && bound < self.room[1]
    }

    /// How fast the joint must turn for its X axis to keep its direction while `above`, a joint
    /// that carries it, turns: radians per radian.
    pub(crate) fn tie_to(&self, above: &Self) -> f64 {
        let heading = self.frame.x_axis;
        let [moved, own] = [above, self].map(|joint| heading.perp_dot(joint.spin * heading));
        -moved / own
    }

    /// Finds the bounds of the swing in the present frame, and clamps it to them.
    fn keep_to_arc(&mut self) {
        let Some((middle, half)) = self.arc else {
            return;
        };
        let heading = self.basis * self.direction;
        let angle = angle_between(middle, heading);
        let ends = [-half - angle, half - angle].map(|room| self.seen_from_inside(heading, room));
        let mut ends = ends.map(|end| self.swing + end);
        if let Some([lower, upper]) = self.interval() {
            // A direction that the bounds exclude leaves the joint at the nearer one.
            let middle = 0.5 * (lower + upper);
            let turns = ((ends[0] + ends[1] - 2.0 * middle) / (2.0 * TAU)).round();
            ends = ends.map(|end| end - turns * TAU);
        }
        self.lower = clamp(ends[0].min(ends[1]), self.room);
        self.upper = clamp(ends[0].max(ends[1]), self.room);
        let swing = clamp(self.swing, [self.lower, self.upper]);
        if swing != self.swing {
            self.swing = swing;
            self.direction = self.from.rotate(unit_vector(swing));
        }
    }

    /// The angle, in the joint's frame, from a direction to the one that is `angle` further,
    /// where both are given in chain space.
    fn seen_from_inside(&self, direction: DVec2, angle: f64) -> f64 {
        let area = self.basis.determinant();
        let inside = |outside: DVec2| self.basis.inverse() * outside;
        // Every frame leaves half turns what they are, except for their sense.
        let half_turns = (angle / PI).round();
        let end = unit_vector(angle - half_turns * PI).rotate(direction);
        let (from, to) = (inside(direction), inside(end));
        (half_turns * PI).copysign(half_turns * area) + angle_between(from, to)
    }

    /// The present rotation in the joint's frame as a unit vector.
    pub(crate) fn direction(&self) -> DVec2 {
        self.direction
    }

    /// How fast a point that the joint carries moves when the joint turns, per radian.
    pub(crate) fn velocity(&self, point: DVec2) -> DVec2 {
        self.spin * (point - self.point)
    }
}

/// What a [`Link`] leads to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum End {
    Joint(usize),
    Tip(usize),
}

/// A straight piece of the tree: from a joint to a joint or a tip that it carries.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Link {
    pub(crate) joint: usize,
    /// Where the end is, seen from the joint before it turns.
    pub(crate) offset: DVec2,
    pub(super) end: End,
    /// Whether another link is the same piece.
    pub(super) double: bool,
}

/// An effector and its present place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tip {
    pub(crate) joint: usize,
    position: DVec2,
    /// Whether it is a bone, which can be moved to lengthen the piece that ends there.
    is_elastic: bool,
    /// The target that was asked for.
    pub(crate) wanted: DVec2,
    /// What the tip reaches for in the end: the target, or a place within soft reach.
    pub(crate) goal: DVec2,
    /// What the tip reaches for at present: `goal`, or a place on the way there.
    pub(crate) target: DVec2,
    /// Relative to the heaviest effector.
    pub(crate) weight: f64,
    pub(crate) point: DVec2,
    /// Upper bound of the distance from the root, in any pose. Exact where no bone inside the
    /// tree is stretched or skewed.
    pub(crate) far: f64,
}

impl Tip {
    /// From the target to the tip.
    pub(crate) fn miss(&self) -> DVec2 {
        self.point - self.target
    }
}

/// Joints that branch from a fixed root at the origin. See the module's page.
///
/// A tree keeps its memory between solves: after the largest one, building another allocates
/// nothing.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tree {
    pub(crate) nodes: Vec<Node>,
    pub(crate) tips: Vec<Tip>,
    /// Sorted by joint.
    pub(crate) links: Vec<Link>,
    pub(crate) cores: Cores,
    pub(crate) span: f64,
    /// Whether no joint has bounds or a heading.
    pub(crate) is_unbounded: bool,
    /// Whether a joint has bounds besides a heading.
    pub(crate) has_limits: bool,
    /// Whether the lengths of all pieces are the same in every pose.
    pub(crate) is_rigid: bool,
    /// Whether the target of a free chain is beyond its reach, so that it has to be straight.
    pub(crate) is_overstretched: bool,
}

impl Tree {
    /// Removes all joints, effectors and obstacles.
    pub(crate) fn clear(&mut self) {
        self.nodes.clear();
        self.tips.clear();
        self.cores.clear();
    }

    /// Appends a joint. Its parent comes before it.
    pub(crate) fn push(&mut self, joint: Joint) {
        let unbounded = [f64::NEG_INFINITY, f64::INFINITY];
        let ([lower, upper], arc) = match joint.bounds {
            Bounds::Free => (unbounded, None),
            Bounds::Swing(bounds) => (near(bounds), None),
            Bounds::Heading { middle, half } => {
                let middle = middle.direction().as_dvec2();
                (unbounded, Some((middle, f64::from(half))))
            }
        };
        let from = joint.base.direction().as_dvec2();
        let from = from / from.length();
        let mobility = 1.0 - f64::from(joint.stiffness.clamp(0.0, 1.0));
        let parent = joint.parent;
        self.nodes.push(Node {
            parent,
            depth: parent.map_or(0, |parent| self.nodes[parent].depth + 1),
            offset: joint.offset.as_dvec2(),
            carry: joint.carry.as_dmat2(),
            far: 0.0,
            gain: 1.0,
            length: 0.0,
            base: joint.base,
            from,
            lower,
            upper,
            room: [lower, upper],
            arc,
            mobility,
            compliance: mobility / f64::from(joint.cost),
            weight: 0.0,
            swing: 0.0,
            direction: from,
            point: DVec2::ZERO,
            basis: DMat2::IDENTITY,
            frame: DMat2::IDENTITY,
            spin: DMat2::IDENTITY,
        });
    }

    /// Appends an effector on a joint that is there already.
    pub(crate) fn push_effector(&mut self, effector: Effector) {
        let target = effector.target.as_dvec2();
        self.tips.push(Tip {
            joint: effector.joint,
            position: effector.position.as_dvec2(),
            is_elastic: false,
            wanted: target,
            goal: target,
            target,
            weight: f64::from(effector.weight.max(0.0)),
            point: DVec2::ZERO,
            far: 0.0,
        });
    }

    /// Lets the last piece of the effector that was pushed last be [lengthened](Self::lengthen).
    pub(crate) fn make_elastic(&mut self) {
        if let Some(tip) = self.tips.last_mut() {
            tip.is_elastic = true;
        }
    }

    /// Points the X axis of a joint, before its bone's own scale, along a chain-space direction,
    /// as far as the joint's bounds allow.
    pub(crate) fn head(&mut self, joint: usize, direction: Rotation) {
        let node = &mut self.nodes[joint];
        let mut direction = direction.direction().as_dvec2();
        if let Some((middle, half)) = node.arc {
            let angle = angle_between(middle, direction);
            direction = unit_vector(clamp(angle, [-half, half])).rotate(middle);
        }
        node.arc = Some((direction, 0.0));
    }

    /// Makes every piece that can be lengthened `factor` times as long: those that end at a joint
    /// and those that end at an elastic tip. Call [`prepare`](Self::prepare) afterwards.
    pub(crate) fn lengthen(&mut self, factor: f64) {
        for node in &mut self.nodes {
            node.offset *= factor;
        }
        for tip in self.tips.iter_mut().filter(|tip| tip.is_elastic) {
            tip.position *= factor;
        }
    }

    /// The part of the way to a tip that a heading fixes: from its joint on, if that is headed.
    /// The other joints reach for the rest of the way.
    pub(crate) fn settled_of(&self, tip: &Tip) -> DVec2 {
        let node = &self.nodes[tip.joint];
        if node.is_headed() {
            tip.point - node.point
        } else {
            DVec2::ZERO
        }
    }

    /// How long the line of bones from the root to a tip is in the base pose, up to the part that
    /// a heading fixes, and how much of that can be lengthened.
    pub(crate) fn lengths_to(&self, tip: &Tip) -> [f64; 2] {
        let node = &self.nodes[tip.joint];
        if node.is_headed() {
            return [node.length; 2];
        }
        let last = (node.frame * tip.position).length();
        let elastic = if tip.is_elastic { last } else { 0.0 };
        [node.length + last, node.length + elastic]
    }

    /// The obstacles that the bones of the tree stay out of, in chain space.
    pub(crate) fn obstacles_mut(&mut self) -> &mut Cores {
        &mut self.cores
    }

    /// Measures the tree as pushed and places its points. Call it before a solver.
    ///
    /// # Errors
    /// [`Unsolvable`] when something is not finite, or a joint's frame is singular.
    pub(crate) fn prepare(&mut self) -> Result<(), Unsolvable> {
        let sound = self.nodes.iter().all(is_sound) && self.cores.is_finite();
        if !sound {
            return Err(Unsolvable);
        }
        let is_limited =
            |node: &Node| node.interval().is_some() || node.has_arc() && !node.is_headed();
        self.has_limits = self.nodes.iter().any(is_limited);
        self.is_unbounded = !self.has_limits && !self.nodes.iter().any(Node::has_arc);
        self.is_rigid = self
            .nodes
            .iter()
            .skip(1)
            .all(|node| is_conformal(node.carry));
        self.weigh();
        self.link();
        self.place();
        self.measure();
        let tips = self.tips.iter();
        let finite = self.span.is_finite()
            && { tips }.all(|tip| tip.miss().is_finite() && tip.weight.is_finite())
            && self.nodes.iter().all(|node| node.frame.is_finite());
        finite.then_some(()).ok_or(Unsolvable)
    }

    /// Scales the weights to the largest, and sums them up along the branches.
    fn weigh(&mut self) {
        let weights = self.tips.iter().map(|tip| tip.weight);
        let heaviest = weights.fold(f64::MIN_POSITIVE, f64::max);
        for node in &mut self.nodes {
            node.weight = 0.0;
        }
        for tip in &mut self.tips {
            tip.weight /= heaviest;
            self.nodes[tip.joint].weight += tip.weight;
        }
        for index in (1..self.nodes.len()).rev() {
            if let Some(parent) = self.nodes[index].parent {
                self.nodes[parent].weight += self.nodes[index].weight;
            }
        }
    }

    /// Lists the straight pieces, joint by joint.
    fn link(&mut self) {
        self.links.clear();
        for (index, node) in self.nodes.iter().enumerate() {
            self.links.extend(node.parent.map(|joint| Link {
                joint,
                offset: node.offset,
                end: End::Joint(index),
                double: false,
            }));
        }
        for (index, tip) in self.tips.iter().enumerate() {
            let own = |link: &Link| link.joint == tip.joint && link.offset == tip.position;
            let double = self.tips.len() > 1 && self.links.iter().any(own);
            self.links.push(Link {
                joint: tip.joint,
                offset: tip.position,
                end: End::Tip(index),
                double,
            });
        }
        self.links.sort_unstable_by_key(|link| match link.end {
            End::Joint(index) => (link.joint, 0, index),
            End::Tip(index) => (link.joint, 1, index),
        });
    }

    /// Bounds how far each tip can be from the root, and finds the farthest.
    fn measure(&mut self) {
        for index in 0..self.nodes.len() {
            if let Some(parent) = self.nodes[index].parent {
                let Node {
                    far,
                    gain,
                    length,
                    point,
                    ..
                } = self.nodes[parent];
                let node = &mut self.nodes[index];
                node.length = length + node.point.distance(point);
                node.far = far + gain * node.offset.length();
                node.gain = gain * largest_stretch(node.carry);
            }
        }
        for tip in &mut self.tips {
            let node = &self.nodes[tip.joint];
            tip.far = node.far + node.gain * tip.position.length();
        }
        self.span = self.tips.iter().map(|tip| tip.far).fold(0.0, f64::max);
    }

    /// Puts every joint back to the base pose, or as near to it as its bounds allow.
    pub(crate) fn take_base_pose(&mut self) {
        for node in &mut self.nodes {
            node.swing_to(0.0);
        }
        self.place();
    }

    /// Takes whole turns out of the swings of joints without bounds that are beyond `most`. The
    /// pose stays the same.
    pub(crate) fn unwind(&mut self, most: f64) {
        for node in &mut self.nodes {
            if node.interval().is_none() && node.swing.abs() > most {
                node.swing = wrapped(node.swing);
            }
        }
    }

    /// Swings each joint to the angle that `swings` has for it. Missing ones stay.
    pub(crate) fn take_pose(&mut self, swings: impl IntoIterator<Item = f64>) {
        for (node, swing) in self.nodes.iter_mut().zip(swings) {
            node.swing_to(swing);
        }
        self.place();
    }

    /// The present swings.
    pub(crate) fn swings(&self) -> impl Iterator<Item = f64> {
        self.nodes.iter().map(|node| node.swing)
    }

    /// The places of all joints and tips.
    pub(crate) fn points(&self) -> impl Iterator<Item = DVec2> {
        let joints = self.nodes.iter().map(|node| node.point);
        joints.chain(self.tips.iter().map(|tip| tip.point))
    }

    /// Forward kinematics: where the joints' swings put the points.
    pub(crate) fn place(&mut self) {
        for index in 0..self.nodes.len() {
            self.place_joint(index);
        }
        self.place_tips();
    }

    /// Places one joint whose parent is placed.
    fn place_joint(&mut self, index: usize) {
        self.mount_joint(index);
        self.turn_joint(index);
    }

    /// Puts a joint where its parent carries it.
    pub(crate) fn mount_joint(&mut self, index: usize) {
        if let Some(parent) = self.nodes[index].parent {
            let Node { point, frame, .. } = self.nodes[parent];
            let node = &mut self.nodes[index];
            node.point = point + frame * node.offset;
            node.basis = frame * node.carry;
        }
        let node = &mut self.nodes[index];
        let basis = node.basis;
        node.spin = if self.is_rigid {
            let sense = 1.0_f64.copysign(basis.determinant());
            DMat2::from_cols(DVec2::new(0.0, sense), DVec2::new(-sense, 0.0))
        } else {
            DMat2::from_cols(basis.y_axis, -basis.x_axis) * basis.inverse()
        };
    }

    /// Turns the frame of a joint as its swing says.
    pub(crate) fn turn_joint(&mut self, index: usize) {
        let node = &mut self.nodes[index];
        node.keep_to_arc();
        let along = node.direction;
        node.frame = node.basis * DMat2::from_cols(along, along.perp());
    }

    /// Places the tips when the joints are placed.
    pub(crate) fn place_tips(&mut self) {
        for tip in &mut self.tips {
            let node = &self.nodes[tip.joint];
            tip.point = node.point + node.frame * tip.position;
        }
    }

    /// Which way the present pose bends: 1 for positive angles from piece to piece, or none at
    /// all, and −1 for negative ones.
    pub(crate) fn sense(&self) -> f64 {
        let mut bend = 0.0;
        for link in &self.links {
            let Some(above) = self.nodes[link.joint].parent else {
                continue;
            };
            let [joint, end] = self.ends(link);
            bend += (joint - self.nodes[above].point).perp_dot(end - joint);
        }
        if bend < 0.0 { -1.0 } else { 1.0 }
    }

    /// From a joint up to the root.
    pub(crate) fn path(&self, joint: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(Some(joint), |&index| self.nodes[index].parent)
    }

    /// The two ends of a link.
    pub(crate) fn ends(&self, link: &Link) -> [DVec2; 2] {
        let node = &self.nodes[link.joint];
        [node.point, node.point + node.frame * link.offset]
    }

    /// The length of the longest branch, from the root to a tip, in chain units: no tip can be
    /// farther from the root. An upper bound where bones inside the tree are stretched or skewed.
    pub(crate) fn span(&self) -> f32 {
        self.span as f32
    }

    /// How many joints there are.
    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// How far a joint has turned from the base pose, in radians.
    pub(crate) fn swing(&self, joint: usize) -> f32 {
        self.nodes[joint].swing as f32
    }

    /// How a joint is turned in its frame.
    pub(crate) fn rotation(&self, joint: usize) -> Rotation {
        let node = &self.nodes[joint];
        if node.swing == 0.0 {
            return node.base;
        }
        Rotation::towards(node.direction.as_vec2()).unwrap_or(node.base)
    }

    /// The largest distance between an effector that counts and its target, in chain units.
    pub(crate) fn distance(&self) -> f32 {
        let counting = self.tips.iter().filter(|tip| tip.weight > 0.0);
        let distances = counting.map(|tip| tip.point.distance(tip.wanted));
        distances.fold(0.0, f64::max) as f32
    }

    /// Whether some target that counts is farther away than its tip can be.
    pub(crate) fn is_out_of_reach(&self) -> bool {
        let counting = |tip: &&Tip| tip.weight > 0.0;
        let far = |tip: &Tip| {
            let node = &self.nodes[tip.joint];
            let far = if node.is_headed() { node.far } else { tip.far };
            (tip.target - self.settled_of(tip)).length() > far * (1.0 + 1e-5)
        };
        self.tips.iter().filter(counting).any(far)
    }

    /// The largest distance between an effector that counts and the place that it reaches for at
    /// present, in chain units.
    pub(crate) fn error(&self) -> f64 {
        let counting = self.tips.iter().filter(|tip| tip.weight > 0.0);
        counting.map(|tip| tip.miss().length()).fold(0.0, f64::max)
    }

    /// The sum of weight times squared distance.
    pub(crate) fn weighted_error(&self) -> f64 {
        let terms = self
            .tips
            .iter()
            .map(|tip| tip.weight * tip.miss().length_squared());
        terms.sum()
    }
}

/// `value`, clamped. Unlike [`f64::clamp`] it does not panic where a bound is not a number.
fn clamp(value: f64, [lower, upper]: [f64; 2]) -> f64 {
    value.max(lower).min(upper)
}

/// Whether the frame that a joint is given has two independent axes.
fn is_sound(node: &Node) -> bool {
    let (x, y) = (node.carry.x_axis, node.carry.y_axis);
    let area = x.perp_dot(y);
    // `f32` must be able to invert it, too.
    area.abs() >= f64::from(f32::MIN_POSITIVE)
        && area * area > SINGULAR * SINGULAR * x.length_squared() * y.length_squared()
}

/// Bounds in radians, moved by whole rotations so that their middle is nearest to zero.
fn near(bounds: [f32; 2]) -> [f64; 2] {
    let [lower, upper] = bounds.map(f64::from);
    let middle = 0.5 * (lower + upper);
    let rotations = ((middle + PI) / TAU).floor() * TAU;
    [
        lower - rotations,
        (upper - rotations).max(lower - rotations),
    ]
}
