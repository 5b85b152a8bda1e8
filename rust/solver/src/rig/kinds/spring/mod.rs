//! Springs as a kind of modifier.
//!
//! | file | what is in it |
//! |---|---|
//! | this one | what a spring needs, and how a pass solves one |
//! | [`spring_chain`] | the chain in one pass: within limits, and outside of obstacles |
//! | [`goal`] | where its goal is, for those who draw it |
//!
//! The directions of the bones are found in global space ([`crate::solvers::spring`]) and then
//! brought into chain space, in which each joint turns through the true frame above it. Where no
//! frame skews or stretches, that is simpler: a joint turns by the difference of two deflections.
//! Joints keep to their limits. Where a limit or a shape holds a bone, the state of the spring is
//! corrected. If bones touch a shape, the frame is repeated in small steps of a fixed length.

use crate::kinematics::limb::Limb;
use crate::kinematics::limit_enforcement::Bound;
use crate::kinematics::tree::{Tree, Unsolvable};
use crate::math::matrix::largest_stretch;
use crate::rig::kind::{Context, Inputs, Kind};
use crate::rig::kinds::chain_space::ChainSpace;
use crate::rig::kinds::spring::spring_chain::{SpringChain, UNIFORM};
use crate::rig::modifier::{Modifier, Workspace};
use crate::rig::pose::Pose;
use crate::rig::state::State;
use crate::skeleton::report::{Outcome, Report, Status};
use crate::solvers::modes::Tuning;
use crate::solvers::spring::Spring;

mod goal;
mod spring_chain;

/// What the stiffest joint that is not quite stiff bends by, beside a free one.
const LEAST_MOBILITY: f32 = 1e-4;

impl Kind for Spring {
    fn name(&self) -> &'static str {
        "spring"
    }

    fn inputs(&self) -> &'static Inputs {
        &Inputs {
            least_joints: 1,
            most_joints: usize::MAX,
            obstacles: true,
            ..Inputs::NONE
        }
    }

    fn apply(&self, modifier: &mut Modifier, context: &mut Context) -> Result<Report, Unsolvable> {
        modifier.solve_spring(*self, context)
    }

    fn moves_by_itself(&self) -> bool {
        true
    }

    fn exchange_counters(&self, state: &mut State) {
        if let State::Spring(motion) = state {
            motion.pushed = self.pushed - motion.pushed;
            motion.resets = self.resets.wrapping_sub(motion.resets);
        }
    }
}

impl Modifier {
    /// Moves the chain on in time and takes the result into the pose. Returns the result.
    fn solve_spring(
        &mut self,
        spring: Spring,
        context: &mut Context,
    ) -> Result<Report, Unsolvable> {
        let (pose, delta) = (&mut *context.pose, context.delta);
        let Workspace {
            limb,
            tree,
            descent,
            springs,
            ..
        } = &mut *context.workspace;
        let space = self.chain_space(pose)?;
        self.load_limb(pose, limb, space.mount.matrix2);
        limb.place()?;
        let tuning = self.tuning.as_deref().unwrap_or(&UNIFORM);
        let mut stiffened = std::mem::take(&mut springs.stiffened);
        let is_stiff = stiffen(&mut stiffened, tuning, limb);
        let mount = context.to_global * space.mount;
        let mut chain = SpringChain::new(spring, limb, springs, mount, space.origin)?;
        chain.tuning = if is_stiff { &stiffened } else { tuning };
        chain.is_obstructed = !self.obstacles.is_empty();
        let mut motion = self.next_state.take_motion();
        chain.advance(&mut motion, delta);
        let mut penetration = 0.0;
        if chain.is_obstructed {
            let stretch = self.load_with_obstacles(spring, pose, &space, tree)?;
            descent.reserve(tree);
            let before = self.state.motion();
            penetration = stretch * chain.stay_outside(&mut motion, before, tree, descent, delta);
        }
        let (miss, is_held) = (chain.tip - chain.goal_tip, chain.is_held);
        springs.stiffened = stiffened;
        self.take_swings(pose, limb, &springs.swings)?;
        self.is_moving = motion.settle(delta, is_held);
        self.next_state = State::Spring(motion);
        let outcome = Outcome {
            status: Status::Reached,
            iterations: 1,
        };
        Ok(Report {
            distance: (space.mount.matrix2 * miss).length(),
            penetration: penetration as f32,
            ..outcome.into()
        })
    }

    /// Loads the chain with its obstacles, grown by the radius of the bones. Returns the factor by
    /// which lengths grow at most from chain space to skeleton space.
    fn load_with_obstacles(
        &self,
        spring: Spring,
        pose: &Pose,
        space: &ChainSpace,
        tree: &mut Tree,
    ) -> Result<f64, Unsolvable> {
        let stretch = largest_stretch(space.mount.matrix2.as_dmat2());
        self.load(&spring, pose, space, tree)?;
        tree.obstacles
            .grow(f64::from(spring.radius.max(0.0)) / stretch);
        Ok(stretch)
    }

    /// Takes the joints of `limb`, which are turned by `swings`, into the pose.
    fn take_swings(&self, pose: &mut Pose, limb: &Limb, swings: &[f32]) -> Result<(), Unsolvable> {
        if !swings.iter().all(|swing| swing.is_finite()) {
            return Err(Unsolvable);
        }
        let turned = limb.joints.iter().zip(swings);
        for (&bone, (joint, &swing)) in self.joints.iter().zip(turned) {
            self.blend_rotation(pose, bone, swing, joint.rotation);
        }
        Ok(())
    }
}

/// Fills `stiffened` with a `tuning` in which the springs of stiff joints are harder, so that such
/// a joint bends by `1 − stiffness` of what it would. Returns whether there is such a joint.
fn stiffen(stiffened: &mut Tuning, tuning: &Tuning, limb: &Limb) -> bool {
    let mobility = |bound: &Option<Bound>| bound.as_ref().map_or(1.0, |bound| bound.weight);
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
