//! Measuring a tree that is built: whether it can be solved, its pieces, and how far they reach.

use crate::kinematics::tree::node::Node;
use crate::kinematics::tree::tip::{LinkEnd, TreePiece};
use crate::kinematics::tree::{Tree, Unsolvable};
use crate::math::matrix::{is_conformal, largest_stretch};

/// Two columns count as parallel, and a scale as zero, below this sine.
const SINGULAR: f64 = 1e-6;

impl Tree {
    /// Measures the tree as pushed and places its points. Call it before a solver.
    ///
    /// # Errors
    /// [`Unsolvable`] when something is not finite, or a joint's frame is singular.
    pub(crate) fn prepare(&mut self) -> Result<(), Unsolvable> {
        let sound = self.nodes.iter().all(is_sound) && self.obstacles.is_finite();
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
        if self.is_rigid {
            self.find_rigid_spins();
        }
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
            self.links.extend(node.parent.map(|joint| TreePiece {
                joint,
                offset: node.offset,
                end: LinkEnd::Joint(index),
                double: false,
            }));
        }
        for (index, tip) in self.tips.iter().enumerate() {
            let own = |link: &TreePiece| link.joint == tip.joint && link.offset == tip.position;
            let double = self.tips.len() > 1 && self.links.iter().any(own);
            self.links.push(TreePiece {
                joint: tip.joint,
                offset: tip.position,
                end: LinkEnd::Tip(index),
                double,
            });
        }
        self.links.sort_unstable_by_key(|link| match link.end {
            LinkEnd::Joint(index) => (link.joint, 0, index),
            LinkEnd::Tip(index) => (link.joint, 1, index),
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
}

/// Returns `true` if the frame that a joint is given has two independent axes.
fn is_sound(node: &Node) -> bool {
    let (x, y) = (node.carry.x_axis, node.carry.y_axis);
    let area = x.perp_dot(y);
    // `f32` must be able to invert it, too.
    area.abs() >= f64::from(f32::MIN_POSITIVE)
        && area * area > SINGULAR * SINGULAR * x.length_squared() * y.length_squared()
}
