//! Modifiers that swing: springs as a kind of modifier.
//!
//! | file | what is in it |
//! |---|---|
//! | this one | what a spring needs, and how a pass solves one |
//! | [`spring_chain`] | a chain that swings in one pass |
//! | [`goal`] | where its goal is, for those who draw it |
//!
//! The directions of the bones are found in global space ([`crate::solvers::spring`]) and then
//! brought into chain space, in which each joint turns through the true frame above it. Where no
//! frame skews or stretches, that is simpler: a joint turns by the difference of two deflections.
//! Joints keep to their limits; what a limit or a shape holds up is held up in the spring's state, too.
//! Where bones touch a shape, the frame is done again in small steps of a fixed length.

use glam::{Affine2, Vec2};

use crate::kinematics::limb::Limb;
use crate::kinematics::limit_enforcement::Bound;
use crate::kinematics::tree::{Tree, Unsolvable};
use crate::math::matrix::largest_stretch;
use crate::rig::kind::{Context, Inputs, Kind};
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
    /// Swings on and takes the result into the pose. Returns the result.
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
        let &root = self.joints.first().ok_or(Unsolvable)?;
        let mount = pose.frame(pose.bone(root).parent());
        let origin = pose.bone(root).position;
        self.load_limb(pose, limb, mount.matrix2);
        limb.place()?;
        let tuning = self.tuning.as_deref().unwrap_or(&UNIFORM);
        let mut stiffened = std::mem::take(&mut springs.stiffened);
        let is_stiff = stiffen(&mut stiffened, tuning, limb);
        let mut chain = SpringChain::new(spring, limb, springs, context.to_global * mount, origin)?;
        chain.tuning = if is_stiff { &stiffened } else { tuning };
        let has_obstacles = !self.obstacles.is_empty();
        chain.is_obstructed = has_obstacles;
        let stretch = match has_obstacles {
            true => self.load_with_obstacles(spring, pose, mount, origin, tree)?,
            false => 1.0,
        };
        let mut motion = self.next_state.take_motion();
        let before = self.state.motion();
        chain.advance(&mut motion, delta);
        let mut is_held = chain.is_held;
        let mut penetration = 0.0;
        if has_obstacles {
            descent.reserve(tree);
            let depth = chain.stay_outside(&mut motion, before, tree, descent, delta);
            penetration = stretch * depth;
            is_held |= !descent.contacts.is_empty();
        }
        let gap = chain.tip - chain.goal_tip;
        springs.stiffened = stiffened;
        if !springs.swings.iter().all(|swing| swing.is_finite()) {
            return Err(Unsolvable);
        }
        self.is_moving = motion.settle(delta, is_held);
        self.next_state = State::Spring(motion);
        self.take_swings(pose, limb, &springs.swings);
        let outcome = Outcome {
            status: Status::Reached,
            iterations: 1,
        };
        Ok(Report {
            distance: (mount.matrix2 * gap).length(),
            penetration: penetration as f32,
            ..outcome.into()
        })
    }

    /// Loads the chain with its obstacles, grown by the radius of the bones. Returns by how much the frame
    /// `mount` of skeleton space stretches it at most.
    fn load_with_obstacles(
        &self,
        spring: Spring,
        pose: &Pose,
        mount: Affine2,
        origin: Vec2,
        tree: &mut Tree,
    ) -> Result<f64, Unsolvable> {
        let stretch = largest_stretch(mount.matrix2.as_dmat2());
        self.load(&spring, pose, mount, origin, tree)?;
        tree.cores.grow(f64::from(spring.radius.max(0.0)) / stretch);
        Ok(stretch)
    }

    /// Takes the joints of `limb`, which are turned by `swings`, into the pose.
    fn take_swings(&self, pose: &mut Pose, limb: &Limb, swings: &[f32]) {
        let turned = limb.joints.iter().zip(swings);
        for (&bone, (joint, &swing)) in self.joints.iter().zip(turned) {
            self.blend_rotation(pose, bone, swing, joint.rotation);
        }
    }
}

/// Makes `tuning` stiffer where joints are: a joint that bends by the share `1 − stiffness` only has a
/// spring that is so much harder. Returns whether there is such a joint.
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
