//! A tree of joints with several tips, in chain space.
//!
//! What [`crate::chain`] is for one line of joints, this is for joints that branch: a spine
//! with two arms, a hand with five fingers, a limb with an [`Effector`] in its middle. The
//! space and the words are the same. The root joint sits at the origin and does not move;
//! joint *i* turns by `Rᵢ` in the frame `Bᵢ` that its parent *h* gives it:
//!
//! ```text
//! pᵢ = pₕ + Bₕ Rₕ offsetᵢ     Bᵢ = Bₕ Rₕ carryᵢ     tip = pᵢ + Bᵢ Rᵢ position
//! ```
//!
//! [`offset`](Joint::offset) and [`carry`](Joint::carry) belong to the child here, because a
//! joint may have several. Frames are always followed, so bones that are mirrored, stretched
//! or skewed inside the tree are exact.
//!
//! The state of a joint is its **swing**: the angle that it has turned since it was pushed.
//! Bounds are intervals of the swing, so they hold exactly, and an untouched joint keeps its
//! turn to the last bit. Everything is computed in f64. It costs no more than f32 does here,
//! and the normal equations of several tips and contacts square the condition of the problem,
//! which f32 cannot hold.
//!
//! [`crate::branches`] solves a tree; [`crate::multistart`] takes a pose around obstacles.

use std::f64::consts::{PI, TAU};

use glam::{DMat2, DVec2, Mat2, Vec2};

use crate::bound::{Bound, Measure};
use crate::chain::Unsolvable;
use crate::contact;
use crate::least_squares::Scratch;
use crate::obstacle::Cores;
use crate::turn::Turn;

/// Two columns count as parallel, and a scale as zero, below this sine.
const SINGULAR: f64 = 1e-6;

/// How far a joint of a [`Tree`] may turn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Bounds {
    /// Freely.
    Free,
    /// Between a least and a greatest swing, in radians; zero is the turn that it was given.
    Swing([f32; 2]),
    /// So that its X axis, before its bone's own scale, stays in an arc of directions that is
    /// fixed in chain space.
    Heading {
        /// The middle of the arc.
        middle: Turn,
        /// Radians from there to either end.
        half: f32,
    },
}

/// One joint of a [`Tree`], as it is given.
#[derive(Clone, Copy, Debug)]
pub struct Joint {
    /// Index of the joint that carries this one. `None` for the root alone, whose `offset` and
    /// `carry` are not used.
    pub parent: Option<usize>,
    /// Where the joint is, seen from its parent before that turns.
    pub offset: Vec2,
    /// What the joint's frame is, seen from its parent before that turns.
    pub carry: Mat2,
    /// How far the joint is turned in its frame.
    pub turn: Turn,
    /// How far it may turn.
    pub bounds: Bounds,
    /// How much less than others the joint turns: 0 as they do, 1 not at all.
    pub stiffness: f32,
}

impl Joint {
    /// A joint without bounds or stiffness.
    pub fn free(parent: Option<usize>, offset: Vec2, carry: Mat2, turn: Turn) -> Self {
        Self {
            parent,
            offset,
            carry,
            turn,
            bounds: Bounds::Free,
            stiffness: 0.0,
        }
    }

    /// Gives the joint the bounds and the stiffness of `bound`.
    pub(crate) fn keep_to(&mut self, bound: &Bound) {
        self.stiffness = 1.0 - bound.weight;
        if bound.has_ends() {
            self.bounds = match bound.measure {
                Measure::Bend => Bounds::Swing(bound.room(self.turn)),
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
pub struct Effector {
    /// Index of the joint that carries the point.
    pub joint: usize,
    /// Where the point is, seen from that joint before it turns.
    pub position: Vec2,
    /// What it is to meet, in chain space.
    pub target: Vec2,
    /// How much its distance counts beside that of the other effectors: the sum of
    /// `weight · distance²` is made least. Nothing at 0.
    pub weight: f32,
}

/// A joint with its present place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    pub(crate) parent: Option<usize>,
    /// How many joints carry this one.
    pub(crate) depth: u32,
    offset: DVec2,
    carry: DMat2,
    /// The joint is at most this far from the root,
    far: f64,
    /// and its frame makes nothing longer than by this factor.
    gain: f64,
    /// The length of the pieces from the root to here, in the given pose.
    length: f64,
    given: Turn,
    /// `given` at full precision.
    from: DVec2,
    /// The bounds of the swing, in the present frame.
    pub(crate) lower: f64,
    pub(crate) upper: f64,
    /// Those that hold in any frame.
    room: [f64; 2],
    /// The middle of the arc that the X axis keeps to as far as the room lets it, and half its
    /// width in radians.
    arc: Option<(DVec2, f64)>,
    /// 1 − stiffness.
    pub(crate) mobility: f64,
    /// The weights of all effectors that the joint carries.
    pub(crate) weight: f64,
    /// Radians turned since the joint was pushed.
    pub(crate) swing: f64,
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
    /// `swing`, brought into the bounds. An arc's are left to [`Tree::place`]: they are not known
    /// before the joint's frame is.
    pub(crate) fn bounded(&self, swing: f64) -> f64 {
        if self.arc.is_some() {
            return swing;
        }
        clamp(swing, [self.lower, self.upper])
    }

    /// Whether the joint keeps to an arc, so that its bounds change with its frame.
    pub(crate) fn has_arc(&self) -> bool {
        self.arc.is_some()
    }

    /// Whether that is a single direction.
    fn is_headed(&self) -> bool {
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

    /// Finds the bounds of the swing in the present frame, and brings it into them.
    fn keep_to_arc(&mut self) {
        let Some((middle, half)) = self.arc else {
            return;
        };
        let heading = self.basis * self.direction();
        let angle = middle.perp_dot(heading).atan2(middle.dot(heading));
        let ends = [-half - angle, half - angle].map(|room| self.seen_from_inside(heading, room));
        self.lower = clamp(self.swing + ends[0].min(ends[1]), self.room);
        self.upper = clamp(self.swing + ends[0].max(ends[1]), self.room);
        self.swing = clamp(self.swing, [self.lower, self.upper]);
    }

    /// The angle, in the joint's frame, from a direction to the one that is `angle` further,
    /// where both are given in chain space.
    fn seen_from_inside(&self, direction: DVec2, angle: f64) -> f64 {
        let area = self.basis.determinant();
        let inside = |outside: DVec2| self.basis.inverse() * outside;
        // Every frame leaves half turns what they are, but for their sense.
        let half_turns = (angle / PI).round();
        let end = DVec2::from_angle(angle - half_turns * PI).rotate(direction);
        let (from, to) = (inside(direction), inside(end));
        (half_turns * PI).copysign(half_turns * area) + from.perp_dot(to).atan2(from.dot(to))
    }

    /// The present turn as a unit vector.
    pub(crate) fn direction(&self) -> DVec2 {
        if self.swing == 0.0 {
            self.from
        } else {
            self.from.rotate(DVec2::from_angle(self.swing))
        }
    }

    /// How fast a point that the joint carries moves when the joint turns, per radian.
    pub(crate) fn velocity(&self, point: DVec2) -> DVec2 {
        self.spin * (point - self.point)
    }
}

/// What a [`Link`] leads to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum End {
    Joint(usize),
    Tip(usize),
}

/// A straight piece of the tree: from a joint to a joint or a tip that it carries.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Link {
    pub(crate) joint: usize,
    /// Where the end is, seen from the joint before it turns.
    pub(crate) offset: DVec2,
    pub(crate) end: End,
    /// Whether another link is this very piece already.
    pub(crate) double: bool,
}

/// An effector with its present place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tip {
    pub(crate) joint: usize,
    position: DVec2,
    /// Whether it is a bone, which can be moved to lengthen the piece that ends there.
    is_elastic: bool,
    /// What it was asked to meet.
    pub(crate) wanted: DVec2,
    /// What it is to meet in the end: that, or a place that is within softer reach.
    pub(crate) goal: DVec2,
    /// What it is brought to at present: `goal`, or a place on the way there.
    pub(crate) target: DVec2,
    /// Relative to the heaviest effector.
    pub(crate) weight: f64,
    pub(crate) point: DVec2,
    /// It is at most this far from the root, whatever the pose. Exact where no bone inside the
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
/// A tree keeps its memory between solves: once the largest has been seen, building and
/// solving another allocates nothing.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    pub(crate) nodes: Vec<Node>,
    pub(crate) tips: Vec<Tip>,
    /// Sorted by joint.
    pub(crate) links: Vec<Link>,
    pub(crate) cores: Cores,
    pub(crate) span: f64,
    /// Whether the given pose is what the last solve ended with, to go on from.
    pub(crate) goes_on: bool,
    pub(crate) scratch: Scratch,
}

impl Tree {
    /// Removes all joints, effectors and obstacles.
    pub fn clear(&mut self) {
        self.nodes.clear();
        self.tips.clear();
        self.cores.clear();
        self.goes_on = false;
    }

    /// Appends a joint. Its parent comes before it.
    pub fn push(&mut self, joint: Joint) {
        let unbounded = [f64::NEG_INFINITY, f64::INFINITY];
        let ([lower, upper], arc) = match joint.bounds {
            Bounds::Free => (unbounded, None),
            Bounds::Swing(bounds) => (near(bounds), None),
            Bounds::Heading { middle, half } => {
                let middle = middle.direction().as_dvec2();
                (unbounded, Some((middle, f64::from(half))))
            }
        };
        let from = joint.turn.direction().as_dvec2();
        self.nodes.push(Node {
            parent: joint.parent,
            depth: joint
                .parent
                .map_or(0, |parent| self.nodes[parent].depth + 1),
            offset: joint.offset.as_dvec2(),
            carry: joint.carry.as_dmat2(),
            far: 0.0,
            gain: 1.0,
            length: 0.0,
            given: joint.turn,
            from: from / from.length(),
            lower,
            upper,
            room: [lower, upper],
            arc,
            mobility: 1.0 - f64::from(joint.stiffness.clamp(0.0, 1.0)),
            weight: 0.0,
            swing: 0.0,
            point: DVec2::ZERO,
            basis: DMat2::IDENTITY,
            frame: DMat2::IDENTITY,
            spin: DMat2::IDENTITY,
        });
    }

    /// Appends an effector on a joint that is there already.
    pub fn push_effector(&mut self, effector: Effector) {
        self.tips.push(Tip {
            joint: effector.joint,
            position: effector.position.as_dvec2(),
            is_elastic: false,
            wanted: effector.target.as_dvec2(),
            goal: effector.target.as_dvec2(),
            target: effector.target.as_dvec2(),
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

    /// Has the X axis of a joint, before its bone's own scale, point along a chain-space
    /// direction, as nearly as the joint's bounds let it.
    pub(crate) fn head(&mut self, joint: usize, direction: Turn) {
        let node = &mut self.nodes[joint];
        let mut direction = direction.direction().as_dvec2();
        if let Some((middle, half)) = node.arc {
            let angle = middle.perp_dot(direction).atan2(middle.dot(direction));
            direction = DVec2::from_angle(clamp(angle, [-half, half])).rotate(middle);
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

    /// What a heading settles of the way to a tip: from its joint on, if that is headed. The
    /// others only have to reach for the rest of the way.
    pub(crate) fn settled_of(&self, tip: &Tip) -> DVec2 {
        let node = &self.nodes[tip.joint];
        if node.is_headed() {
            tip.point - node.point
        } else {
            DVec2::ZERO
        }
    }

    /// How long the line from the root to a tip was when the tree was prepared, up to what a
    /// heading settles, and how much of that can be lengthened.
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
    pub fn obstacles_mut(&mut self) -> &mut Cores {
        &mut self.cores
    }

    /// Measures the tree as pushed and places its points. Call it before a solver.
    ///
    /// # Errors
    /// [`Unsolvable`] when something is not finite, or a joint's frame is singular.
    pub fn prepare(&mut self) -> Result<(), Unsolvable> {
        let sound = self.nodes.iter().all(is_sound) && self.cores.is_finite();
        if !sound {
            return Err(Unsolvable);
        }
        self.weigh();
        self.link();
        for node in &mut self.nodes {
            node.swing = node.bounded(node.swing);
        }
        self.place();
        self.measure();
        let finite = self.span.is_finite()
            && self
                .tips
                .iter()
                .all(|tip| tip.miss().is_finite() && tip.weight.is_finite())
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
            let double = self.links.iter().any(own);
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

    /// Forward kinematics: where the joints' swings put the points.
    pub(crate) fn place(&mut self) {
        for index in 0..self.nodes.len() {
            self.place_joint(index);
        }
        self.place_tips();
    }

    /// Places one joint whose parent is placed.
    pub(crate) fn place_joint(&mut self, index: usize) {
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
        let quarter = DMat2::from_cols(node.basis.y_axis, -node.basis.x_axis);
        node.spin = quarter * node.basis.inverse();
    }

    /// Turns the frame of a joint as its swing says.
    pub(crate) fn turn_joint(&mut self, index: usize) {
        let node = &mut self.nodes[index];
        node.keep_to_arc();
        let along = node.direction();
        node.frame = node.basis * DMat2::from_cols(along, along.perp());
    }

    /// Places the tips when the joints are placed.
    pub(crate) fn place_tips(&mut self) {
        for tip in &mut self.tips {
            let node = &self.nodes[tip.joint];
            tip.point = node.point + node.frame * tip.position;
        }
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
    pub fn span(&self) -> f32 {
        self.span as f32
    }

    /// How many joints there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is no joint.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// How far a joint has turned since it was pushed, in radians.
    pub fn swing(&self, joint: usize) -> f32 {
        self.nodes[joint].swing as f32
    }

    /// Makes a joint start `swing` radians from the turn that it was pushed with. Call
    /// [`prepare`](Self::prepare) afterwards.
    pub fn set_swing(&mut self, joint: usize, swing: f32) {
        self.nodes[joint].swing = f64::from(swing);
    }

    /// How a joint is turned in its frame.
    pub fn turn(&self, joint: usize) -> Turn {
        let node = &self.nodes[joint];
        if node.swing == 0.0 {
            return node.given;
        }
        Turn::towards(node.direction().as_vec2()).unwrap_or(node.given)
    }

    /// Chain-space position of a joint.
    pub fn point(&self, joint: usize) -> Vec2 {
        self.nodes[joint].point.as_vec2()
    }

    /// Chain-space position of an effector.
    pub fn tip(&self, effector: usize) -> Vec2 {
        self.tips[effector].point.as_vec2()
    }

    /// The largest distance between an effector that counts and its target, in chain units.
    pub fn distance(&self) -> f32 {
        let counting = self.tips.iter().filter(|tip| tip.weight > 0.0);
        let distances = counting.map(|tip| tip.point.distance(tip.wanted));
        distances.fold(0.0, f64::max) as f32
    }

    /// How deep the deepest bone is inside an obstacle, in chain units, after a solver has run.
    /// What the place of the root alone makes unavoidable is not counted.
    pub fn penetration(&self) -> f32 {
        contact::deepest(&self.scratch.contacts) as f32
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

    /// The same from the place that it is brought to at present.
    pub(crate) fn error(&self) -> f64 {
        let counting = self.tips.iter().filter(|tip| tip.weight > 0.0);
        counting.map(|tip| tip.miss().length()).fold(0.0, f64::max)
    }

    /// What least squares makes least: the sum of weight times squared distance.
    pub(crate) fn weighted_error(&self) -> f64 {
        let terms = self
            .tips
            .iter()
            .map(|tip| tip.weight * tip.miss().length_squared());
        terms.sum()
    }
}

/// `value`, brought between two others. Not as [`f64::clamp`], which panics where they are not
/// numbers.
fn clamp(value: f64, [lower, upper]: [f64; 2]) -> f64 {
    value.max(lower).min(upper)
}

/// Whether the frame that a joint is given has two independent axes.
fn is_sound(node: &Node) -> bool {
    let (x, y) = (node.carry.x_axis, node.carry.y_axis);
    let area = x.perp_dot(y);
    area * area > SINGULAR * SINGULAR * x.length_squared() * y.length_squared()
}

/// How long `matrix` makes the unit vector that it stretches most: its spectral norm.
fn largest_stretch(matrix: DMat2) -> f64 {
    let squares = matrix.x_axis.length_squared() + matrix.y_axis.length_squared();
    let area = matrix.determinant();
    let spread = (squares * squares - 4.0 * area * area).max(0.0).sqrt();
    (0.5 * (squares + spread)).sqrt()
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
