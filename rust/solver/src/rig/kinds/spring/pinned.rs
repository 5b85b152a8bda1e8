//! A spring whose end is held at a pin, in one pass. The law is in
//! [`crate::solvers::spring::pinned`].
//!
//! The places that it finds for the joints become turns of bones in their true frames. What that
//! leaves between the end and the pin is closed by the turns that are the smallest, within joint
//! limits, the greatest angle and outside of shapes. Where there are any, each step of the motion does
//! so. If shapes keep the end from the pin, bones go into them.

use glam::DVec2;

use crate::descent::{self, obstacle_avoidance, out_of_reach};
use crate::kinematics::contact;
use crate::kinematics::pointing::point_at;
use crate::kinematics::tree::{Tree, Unsolvable};
use crate::math::interval::clamp01;
use crate::math::settings::Sound;
use crate::rig::kind::{Context, TOLERANCE};
use crate::rig::kinds::chain_space::ChainSpace;
use crate::rig::kinds::reach::Reach;
use crate::rig::kinds::spring::Spring;
use crate::rig::kinds::spring::spring_chain::UNIFORM;
use crate::rig::workspace::Workspace;
use crate::skeleton::report::Report;
use crate::solvers::spring::pinned::{Keep, PinnedChain};

impl Spring {
    /// Moves the chain on in time, whose end is at the pin.
    pub(super) fn hang(&mut self, context: &mut Context<'_>) -> Result<Report, Unsolvable> {
        let pose = &mut *context.pose;
        let Workspace {
            tree,
            descent,
            springs,
            ..
        } = &mut *context.workspace;
        let space = ChainSpace::of(self.chain.joints.first(), pose)?;
        let stretch = self.load_with_obstacles(pose, &space, tree)?;
        if self.slack != 1.0 {
            tree.lengthen(self.slack.into());
            tree.prepare()?;
        }
        descent.reserve(tree);
        let mut mount = context.to_global * space.mount;
        mount.translation = mount.transform_point2(space.origin);
        let scratch = &mut springs.pinned;
        scratch.take_goal(tree.points(), tree.tips[0].wanted);
        let is_sound = self.settings.is_sound()
            && self.slack > 0.0
            && scratch.is_sound()
            && mount.is_finite()
            && mount.matrix2.determinant().is_normal();
        is_sound.then_some(()).ok_or(Unsolvable)?;
        let chain = PinnedChain {
            settings: self.settings,
            tuning: self.tuning.as_deref().unwrap_or(&UNIFORM),
            mount,
            delta: context.delta,
            felt: clamp01(self.settings.inertia).into(),
        };
        let mut laying = Laying {
            tree,
            workspace: descent,
            max_angle: self.settings.max_angle.max(0.0).into(),
        };
        let is_hindered = laying.is_hindered();
        let mut keep = |places: &mut [DVec2], goal: &[DVec2]| laying.correct(places, goal);
        let keep: Option<&mut Keep<'_>> = is_hindered.then_some(&mut keep);
        let motion = &mut self.memory.after;
        context.is_moving = chain.advance(motion, scratch, keep);
        let steps = laying.lay(&scratch.places, &scratch.goals);
        if !motion.pinned.is_finite() || !tree.swings().all(f64::is_finite) {
            return Err(Unsolvable);
        }
        let reach = Reach::line(&self.chain.joints, self.chain.end);
        if self.slack != 1.0 {
            reach.lengthen(pose, context.influence, self.slack);
        }
        reach.take_turns(pose, context.influence, tree);
        let tolerance = (TOLERANCE / stretch as f32).max(1e-6 * tree.span());
        Ok(Report {
            penetration: (stretch * contact::deepest(&descent.contacts)) as f32,
            ..Report::at(tree.distance(), tolerance, steps)
        })
    }
}

/// A tree whose bones are laid along places.
struct Laying<'a> {
    tree: &'a mut Tree,
    workspace: &'a mut descent::SolveSpace,
    /// The largest angle by which a joint bends from its goal, in radians; 0 is off.
    max_angle: f64,
}

impl Laying<'_> {
    /// Returns `true` if anything but lengths keeps bones from where they would be.
    fn is_hindered(&self) -> bool {
        self.max_angle > 0.0 || self.tree.has_limits || !self.tree.obstacles.is_empty()
    }

    /// Lays the bones along `places`, and brings the end to the last one. `goal` is where the goal
    /// has the joints and the end. Returns the number of steps.
    fn lay(&mut self, places: &[DVec2], goal: &[DVec2]) -> u32 {
        let [root, .., pin] = places else {
            return 0;
        };
        if self.max_angle > 0.0 {
            self.tree.widen();
            self.point_at(goal);
            self.tree.narrow(self.max_angle);
        }
        if self.is_hindered() {
            self.tree.take_base_pose();
        }
        let tip = &mut self.tree.tips[0];
        (tip.goal, tip.target) = (*pin - *root, *pin - *root);
        out_of_reach::keep_within(self.tree);
        self.point_at(places);
        obstacle_avoidance::arrive_nearby(self.tree, self.workspace)
    }

    fn point_at(&mut self, places: &[DVec2]) {
        let mut wanted = std::mem::take(&mut self.workspace.wanted_points);
        wanted.clear();
        wanted.extend(places.iter().map(|place| *place - places[0]));
        point_at(self.tree, &wanted);
        self.workspace.wanted_points = wanted;
    }

    /// The same, which moves the places between both ends to where the joints are then.
    fn correct(&mut self, places: &mut [DVec2], goal: &[DVec2]) {
        self.lay(places, goal);
        let root = places[0];
        let joints = self.tree.nodes.iter().zip(places).skip(1);
        joints.for_each(|(node, place)| *place = root + node.point);
    }
}
