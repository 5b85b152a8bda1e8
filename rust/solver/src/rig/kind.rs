//! What differs from kind to kind of modifier, as traits that each implements in its own file of
//! `rig/kinds/`. The list of all kinds is in `rig/kind_list.rs`.

use glam::{Affine2, Vec2};
use serde_json::value::RawValue;

use crate::collision::shape::Obstacle;
use crate::kinematics::tree::Unsolvable;
use crate::math::easing::Clock;
use crate::rig::chain::{Chain, Effector};
use crate::rig::fault::{Fault, Skeleton};
use crate::rig::further::Further;
use crate::rig::goal::Goal;
use crate::rig::influence::Influence;
use crate::rig::kept::Keeps;
use crate::rig::pose::Pose;
use crate::rig::workspace::Workspace;
use crate::skeleton::aimed::Aimed;
use crate::skeleton::bone::{Direction, Point};
use crate::skeleton::path::Path;
use crate::skeleton::report::Report;
use crate::solvers::elasticity::Elasticity;

/// Distance that counts as reached for the kinds that have no tolerance of their own, in skeleton
/// units.
pub(super) const TOLERANCE: f32 = 0.01;

/// The parts of a modifier, for those who draw, list or measure it. Parts that a kind does not have are empty.
pub trait Parts {
    /// The chain that it turns, if it turns one.
    fn chain(&self) -> Option<&Chain> {
        None
    }

    /// Indices of the bones that it turns, parents first.
    fn joints(&self) -> &[usize] {
        let chain = self.chain();
        chain.map(|chain| &chain.joints[..]).unwrap_or_default()
    }

    /// Returns `true` if it turns the bone.
    fn turns(&self, bone: usize) -> bool {
        self.joints().contains(&bone)
    }

    /// The point that is brought to the target. For kinds without a target, the point that reports
    /// describe: where the last bone begins, if there is no chain.
    fn tip(&self) -> Point {
        match self.chain() {
            Some(chain) => chain.end.point(),
            None => Point::origin_of(self.joints().last().copied()),
        }
    }

    /// Returns the point that the tip is brought to.
    fn target(&self) -> Option<Point> {
        None
    }

    /// Returns the target that the tip is brought to, to be changed.
    fn target_mut(&mut self) -> Option<&mut Aimed<Point>> {
        None
    }

    /// Returns the point that the tip is brought to unless another modifier gives it a goal, to be moved.
    fn own_target_mut(&mut self) -> Option<&mut Point> {
        self.target_mut()?.own.as_mut()
    }

    /// Further tips with targets.
    fn effectors(&self) -> &[Effector] {
        &[]
    }

    /// Returns the direction in which the bone at the end must point.
    fn heading(&self) -> Option<Direction> {
        None
    }

    /// Returns the direction in which the bone at the end must point, to be changed.
    fn heading_mut(&mut self) -> Option<&mut Aimed<Direction>> {
        None
    }

    /// Returns the behaviour of a chain with a target at full reach.
    fn elasticity(&self) -> Option<Elasticity> {
        None
    }

    /// Returns the number of its feet.
    fn feet(&self) -> usize {
        0
    }

    /// Shapes that the bones stay out of.
    fn obstacles(&self) -> &[Obstacle] {
        &[]
    }

    /// Returns the path that the chain is laid along.
    fn path(&self) -> Option<&Path> {
        None
    }

    /// Returns `true` if it brings a tip to a target. What reaches for nothing is measured by itself, when it is
    /// applied.
    fn reaches(&self) -> bool {
        self.target().is_some() || !self.effectors().is_empty()
    }

    /// Takes over which modifiers of the rig its own limbs are, and the frames of all bones in the rest
    /// pose.
    fn link(&mut self, _limbs: &[Option<usize>], _rest: &[Affine2]) {}

    /// Returns `true` if its result depends on where the bone above the first joint is.
    fn depends_on_parent(&self) -> bool {
        true
    }

    /// Returns `true` if it moves while nothing else does, so that what came before counts.
    fn moves_by_itself(&self) -> bool {
        false
    }

    /// Returns `true` if it starts from the pose that all others give its bones, and so comes after them.
    fn follows_the_pose(&self) -> bool {
        self.moves_by_itself()
    }
}

/// The points that the joints of a modifier turn about, and its tip.
pub(super) fn line_of(parts: &dyn Parts) -> impl Iterator<Item = Point> + Clone {
    let joints = parts.joints().iter();
    let points = joints.map(|&joint| Point::origin_of(Some(joint)));
    points.chain([parts.tip()])
}

/// A kind of modifier as a pass uses it.
pub(super) trait Kind: Parts {
    /// Checks every index that it holds.
    fn validate(&self, skeleton: &Skeleton<'_>) -> Result<(), Fault>;

    /// Solves for the present pose, and takes the result into it. Returns the result, without the
    /// place of the tip.
    fn apply(&mut self, context: &mut Context<'_>) -> Result<Report, Unsolvable>;

    /// The distance of its `tip` from the target, or the largest one for what has several and none of its own.
    fn gap(&self, tip: Vec2, pose: &Pose) -> Option<f32> {
        Some(tip.distance(pose.locate(self.target()?)))
    }

    /// The [`shortfall`](Self::shortfall) of this pose.
    fn shortfall_in(&self, pose: &Pose) -> f32 {
        let gap = self.gap(pose.locate(self.tip()), pose);
        self.shortfall(pose, gap.unwrap_or(0.0))
    }

    /// The largest distance between a tip and its target, less the tolerance: 0 or less if all are
    /// reached. Only of what [reaches](Parts::reaches), with this [`gap`](Self::gap).
    fn shortfall(&self, _pose: &Pose, _gap: f32) -> f32 {
        0.0
    }

    /// The angle that a [`shortfall`](Self::shortfall) stands for, in radians. `None` if it is a
    /// distance.
    fn angle_left(&self, _shortfall: f32) -> Option<f32> {
        None
    }

    /// The bone that is turned along the heading, if it has one or could have.
    fn headed(&self, _pose: &Pose) -> Option<usize> {
        None
    }

    /// For what looks at its target: by how many radians it turns past it.
    fn additional_rotation(&self) -> Option<f32> {
        None
    }

    /// Whether something that it goes over to is another than in the pass before, `delta` seconds ago.
    fn is_exchanged(&self, _delta: f64) -> bool {
        false
    }

    /// Returns the state that it keeps from pass to pass: [`keeps_memory!`](crate::rig::kept::keeps_memory).
    fn kept(&mut self) -> Option<&mut dyn Keeps> {
        None
    }

    /// Returns `true` if its state still holds after a while in which it was not solved: where a body lies, and not how
    /// fast it swings.
    fn lasts(&self) -> bool {
        false
    }

    /// Returns the state that it keeps, to be read.
    fn kept_ref(&self) -> Option<&dyn Keeps> {
        None
    }

    /// A solve begins, with what the pass before left.
    fn begin(&mut self) {
        if let Some(kept) = self.kept() {
            kept.begin();
        }
    }

    /// A solve begins without what the pass before left. Returns whether there was anything.
    fn begin_anew(&mut self) -> bool {
        self.kept().is_some_and(Keeps::begin_anew)
    }

    /// Begins from `drawn`, the rotations of all bones, as if the pass before had shown them at the
    /// influence of this one.
    fn begin_from(&mut self, _drawn: &[f32], _pose: &Pose, _influence: Influence) {}

    /// Returns the state that the last solve left, for a snapshot.
    fn save(&self) -> Option<Box<RawValue>> {
        self.kept_ref().map(Keeps::save)
    }

    /// Goes on from what was [saved](Self::save).
    fn restore(&mut self, saved: &RawValue) {
        if let Some(kept) = self.kept() {
            kept.restore(saved);
        }
    }
}

/// The pose that a modifier is applied to in a pass, with its working memory and its inputs.
pub(super) struct Context<'a> {
    /// The working pose.
    pub(super) pose: &'a mut Pose,
    pub(super) workspace: &'a mut Workspace,
    /// The part of the result that the pose takes.
    pub(super) influence: Influence,
    /// Seconds since the pass before.
    pub(super) delta: f64,
    /// The skeleton's global transform.
    pub(super) to_global: Affine2,
    /// Set if the next pass would move something, although nothing but time changed.
    pub(super) is_moving: bool,
    /// For a limb that a foot places: the side to which its pose is bent, as the sign of a turn in skeleton
    /// space, or 0.
    pub(super) bend: f32,
    /// What goes over besides its goal, if the modifier hands over.
    pub(super) further: Option<Further>,
    /// How far it has come in going over, if it hands over.
    pub(super) clock: Option<Clock>,
    /// The modifiers that come after it.
    pub(super) later: &'a mut dyn Peers,
}

/// The modifiers that come after another one, which may say where they have their targets: by their
/// indices in the rig.
pub(super) trait Peers {
    fn limb(&self, index: usize) -> Option<Peer<'_>>;
    /// Has one do this until the end of the pass.
    fn aim(&mut self, index: usize, goal: Goal);
}

/// A modifier, as others see it.
#[derive(Clone, Copy)]
pub(super) struct Peer<'a> {
    pub(super) parts: &'a dyn Parts,
    pub(super) is_active: bool,
    /// `true` if it has no target of its own.
    pub(super) awaits_goal: bool,
    /// The offset of its tip in the last pass from the place that it was to have, if a foot places it.
    pub(super) miss: Option<Vec2>,
}

impl Peer<'_> {
    /// Returns the point at which the animation has the tip: at the target, or where the pose has it.
    pub(super) fn animated(&self) -> Option<Point> {
        match self.awaits_goal {
            true => Some(self.parts.tip()),
            false => self.parts.target(),
        }
    }
}
