//! Springs as a kind of modifier.
//!
//! | file | what is in it |
//! |---|---|
//! | this one | the data of a spring, and its solve in a pass |
//! | [`spring_chain`] | the chain in one pass: within limits, and outside of obstacles |
//! | [`pinned`] | the same for a chain whose end is held |
//!
//! The directions of the bones are found in global space ([`crate::solvers::spring`]) and then
//! brought into chain space, in which each joint turns through the true frame above it. Joints keep
//! to their limits. Where a limit or a shape holds a bone, the state of the spring is
//! corrected. If bones touch a shape, the frame is repeated in small steps of a fixed length.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::collision::shape::Obstacle;
use crate::kinematics::limb::Limb;
use crate::kinematics::limit_enforcement::DirectionArc;
use crate::kinematics::tree::{Tree, Unsolvable};
use crate::math::matrix::largest_stretch;
use crate::math::number;
use crate::rig::chain::Chain;
use crate::rig::fault::{Fault, Skeleton};
use crate::rig::influence::Influence;
use crate::rig::kept::{Keeps, Kept, keeps_memory};
use crate::rig::kind::{Context, Kind, Parts, TOLERANCE};
use crate::rig::kinds::chain_space::ChainSpace;
use crate::rig::kinds::reach::Reach;
use crate::rig::kinds::spring::spring_chain::{SpringChain, UNIFORM};
use crate::rig::pose::Pose;
use crate::rig::workspace::Workspace;
use crate::skeleton::aimed::Aimed;
use crate::skeleton::bone::Point;
use crate::skeleton::report::Report;
use crate::solvers::modes::Tuning;
use crate::solvers::spring::{Motion, SpringSettings, unwound};

mod pinned;
mod spring_chain;

/// The bend of the stiffest joint that is not quite stiff, relative to that of a free one.
const LEAST_MOBILITY: f32 = 1e-4;

/// Bones that lag behind their goal, which is the pose before this modifier, and swing around it.
///
/// The animation turns a tail in a frame, and the tail comes after:
///
/// ```
/// use tendon_solver::glam::Vec2;
/// use tendon_solver::{Bone, Chain, End, Modifier, Point, Rig, Spring, Workspace};
/// # let bones = (0..3).map(|bone: usize| Bone {
/// #     position: Vec2::X * if bone == 0 { 0.0 } else { 50.0 },
/// #     ..Bone::below(bone.checked_sub(1))
/// # });
/// # let mut rig = Rig::new(bones.collect(), Vec::new());
/// # let tip = End::Point(Point { bone: Some(2), position: Vec2::X * 50.0 });
/// # let chain = Chain::new(vec![0, 1, 2], tip);
///
/// rig.modifiers.push(Modifier::new(Spring::new(chain)));
/// let mut workspace = Workspace::default();
/// rig.delta = 1.0 / 60.0;
/// let mut frame = |rig: &mut Rig| {
///     rig.go_on();
///     rig.solve(&mut workspace);
/// };
/// (0..2).for_each(|_| frame(&mut rig));
/// rig.bones[0].rotation = 0.1;
/// frame(&mut rig);
/// assert!(rig.rotation(0) < 0.09, "it lags behind");
/// (0..600).for_each(|_| frame(&mut rig));
/// assert!((rig.rotation(0) - 0.1).abs() < 1e-3, "it is there in the end");
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Spring {
    /// The bones that swing.
    pub chain: Chain,
    /// The point at which the end of the chain stays; the end is free if there is none. The chain must not carry it.
    #[serde(default, skip_serializing_if = "Aimed::is_nowhere")]
    pub pin: Aimed<Point>,
    /// The length of a chain with a pin, as a factor of the lengths that the pose gives its bones.
    #[serde(
        default = "number::one",
        skip_serializing_if = "number::is_one",
        with = "number"
    )]
    pub slack: f32,
    /// Shapes that the bones stay out of.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub obstacles: Vec<Obstacle>,
    /// The factors of the springs from joint to joint; without them, all are alike.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tuning: Option<Box<Tuning>>,
    /// The settings of the springs.
    #[serde(default)]
    pub settings: SpringSettings,
    /// The motion that they are in.
    #[serde(default, skip_serializing_if = "Kept::is_new")]
    pub memory: Kept<Motion>,
}

impl Spring {
    /// A chain of springs with the usual settings.
    pub fn new(chain: Chain) -> Self {
        Self {
            chain,
            pin: Aimed::NOWHERE,
            slack: 1.0,
            obstacles: Vec::new(),
            tuning: None,
            settings: SpringSettings::default(),
            memory: Kept::default(),
        }
    }

    /// Subtracts each counter of `motion` from the same counter of the settings, and writes the
    /// difference into it. A second call restores the counter.
    ///
    /// Counters are the number of resets and the sum of impulses: what is new is seen because the
    /// settings are ahead of the motion. A snapshot stores the differences. When a rig goes back to
    /// a snapshot, its settings may have counted on, and the restored motion is behind them by the
    /// same differences.
    fn exchange_counters(&self, motion: &mut Motion) {
        motion.pushed = unwound(self.settings.pushed - motion.pushed);
        motion.impulses = self.settings.impulses.since(&motion.impulses);
        motion.resets = self.settings.resets.wrapping_sub(motion.resets);
    }

    /// Loads the chain with its obstacles, grown by the radius of the bones. Returns the factor by
    /// which lengths grow at most from chain space to skeleton space.
    fn load_with_obstacles(
        &self,
        pose: &Pose,
        space: &ChainSpace,
        tree: &mut Tree,
    ) -> Result<f64, Unsolvable> {
        let stretch = largest_stretch(space.mount.matrix2.as_dmat2());
        let reach = Reach {
            target: Some(self.pin.now().unwrap_or_default()),
            obstacles: &self.obstacles,
            ..Reach::line(&self.chain.joints, self.chain.end)
        };
        reach.load(pose, space, tree)?;
        tree.obstacles
            .grow(f64::from(self.settings.radius.max(0.0)) / stretch);
        Ok(stretch)
    }

    /// Takes the joints of `limb`, which are turned by `swings`, into the pose.
    fn take_swings(
        &self,
        pose: &mut Pose,
        influence: Influence,
        limb: &Limb,
        swings: &[f32],
    ) -> Result<(), Unsolvable> {
        if !swings.iter().all(|swing| swing.is_finite()) {
            return Err(Unsolvable);
        }
        let turned = limb.joints.iter().zip(swings);
        for (&bone, (joint, &swing)) in self.chain.joints.iter().zip(turned) {
            influence.turn(pose, bone, swing, joint.rotation);
        }
        Ok(())
    }
}

impl Parts for Spring {
    fn chain(&self) -> Option<&Chain> {
        Some(&self.chain)
    }

    fn target(&self) -> Option<Point> {
        self.pin.now()
    }

    fn target_mut(&mut self) -> Option<&mut Aimed<Point>> {
        Some(&mut self.pin)
    }

    fn obstacles(&self) -> &[Obstacle] {
        &self.obstacles
    }

    fn moves_by_itself(&self) -> bool {
        true
    }
}

impl Kind for Spring {
    keeps_memory!();

    fn validate(&self, skeleton: &Skeleton<'_>) -> Result<(), Fault> {
        self.chain.validate(skeleton)?;
        let pin = self.pin.own.and_then(|pin| pin.bone);
        let obstacles = self.obstacles.iter().map(|obstacle| obstacle.bone);
        skeleton.check_aims(self.chain.joints[0], obstacles.chain([pin]))
    }

    /// Moves the chain on in time.
    fn apply(&mut self, context: &mut Context<'_>) -> Result<Report, Unsolvable> {
        if !self.pin.is_nowhere() {
            return self.hang(context);
        }
        let (pose, delta) = (&mut *context.pose, context.delta);
        let Workspace {
            limb,
            tree,
            descent,
            springs,
            ..
        } = &mut *context.workspace;
        let space = limb.load(&self.chain.joints, self.chain.end, pose)?;
        limb.place()?;
        let tuning = self.tuning.as_deref().unwrap_or(&UNIFORM);
        let mut stiffened = std::mem::take(&mut springs.stiffened);
        let is_stiff = stiffen(&mut stiffened, tuning, limb);
        let mount = context.to_global * space.mount;
        let mut chain = SpringChain::new(self.settings, limb, springs, mount, space.origin)?;
        chain.tuning = if is_stiff { &stiffened } else { tuning };
        chain.is_obstructed = !self.obstacles.is_empty();
        let mut motion = std::mem::take(&mut self.memory.after);
        chain.advance(&mut motion, delta);
        let mut penetration = 0.0;
        if chain.is_obstructed {
            let stretch = self.load_with_obstacles(pose, &space, tree)?;
            descent.reserve(tree);
            let before = &self.memory.before;
            penetration = stretch * chain.stay_outside(&mut motion, before, tree, descent, delta);
        }
        let (miss, is_held) = (chain.tip - chain.goal_tip, chain.is_held);
        springs.stiffened = stiffened;
        self.take_swings(pose, context.influence, limb, &springs.swings)?;
        context.is_moving = motion.settle(delta, is_held);
        self.memory.after = motion;
        Ok(Report {
            distance: (space.mount.matrix2 * miss).length(),
            penetration: penetration as f32,
            ..Report::in_one_step(true)
        })
    }

    fn shortfall(&self, _pose: &Pose, gap: f32) -> f32 {
        gap - TOLERANCE
    }

    fn save(&self) -> Option<Box<RawValue>> {
        let mut saved = self.memory.clone();
        self.exchange_counters(&mut saved.after);
        Some(saved.save())
    }

    fn restore(&mut self, saved: &RawValue) {
        let mut memory = std::mem::take(&mut self.memory);
        memory.restore(saved);
        self.exchange_counters(&mut memory.after);
        self.memory = memory;
    }
}

/// Fills `stiffened` with a `tuning` in which the springs of stiff joints are harder, so that such
/// a joint bends by `1 − stiffness` of what it would. Returns whether there is such a joint.
fn stiffen(stiffened: &mut Tuning, tuning: &Tuning, limb: &Limb) -> bool {
    let mobility = |bound: &Option<DirectionArc>| bound.as_ref().map_or(1.0, |bound| bound.weight);
    let mut bounds = limb.bounds.iter();
    if !bounds.any(|bound| mobility(bound) < 1.0) {
        return false;
    }
    stiffened.frequency.clear();
    let joints = limb.bounds.iter().enumerate();
    stiffened.frequency.extend(joints.map(|(joint, bound)| {
        let own = tuning.frequency.get(joint).copied().unwrap_or(1.0);
        own / mobility(bound).max(LEAST_MOBILITY).sqrt()
    }));
    stiffened.damping.clone_from(&tuning.damping);
    true
}
