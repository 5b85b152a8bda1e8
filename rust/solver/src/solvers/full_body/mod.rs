//! Full-body IK: a tree of bones whose root may move, and any number of effectors.
//!
//! | file | what is in it |
//! |---|---|
//! | this one | the problem, a pass, and where a body without memory starts |
//! | [`memory`] | state kept from pass to pass |
//! | [`body`] | a body in a pass: its pose, its stiffness, its effectors |
//! | [`step`] | one step: the rows of the effectors, and their curvature |
//! | [`crossing`] | the handover to other effectors, targets or weights |
//!
//! Let `z` be the place of the root in units of the body's size, and the swings of all joints. The
//! pose is the least of
//!
//! ```text
//! ½ Σ Kᵢ zᵢ² + Σ ρ(e) / 2μ        lowerᵢ ≤ zᵢ ≤ upperᵢ
//! ```
//!
//! `z` is 0 in the base pose, so that of all poses that reach it is the nearest one to that. `e` is the way
//! from a tip to its target, or the turn that is left to its heading. `K` is the stiffness of the joints:
//! one that carries much is stiffer. The **compliance** `μ` says how much an effector counts. From weight 1
//! to ½ it grows by four powers of ten: what weighs less gives way, and what weighs more hardly notices.
//! An effector that fades out goes back to where it is in the base pose on the way.
//! Beyond a distance the pull no longer grows with the distance (P. Huber, 1964). So a target that is far
//! out of reach takes others off theirs by no more than one that is just out of reach.
//!
//! A pass goes on from the pose of the pass before by steps of Newton's. The second derivatives of the
//! effectors count there: without them steps oscillate about straight limbs. They are known from the forces
//! of the step before, which are kept, too. A limb that is exactly straight and pushed along its line is
//! bent a little, since no derivative says to which side. So the pose is continuous in the targets, and comes back with
//! them. A joint turns at most at [`FASTEST_TURN`], so that no branch is changed in a leap.
//!
//! Sources: the equations are those of statics, for springs and a linkage under forces. The step is Newton's
//! within [bounds](crate::math::bounded), as in [`crate::descent::step`].

use glam::DVec2;

use crate::kinematics::tree::{Tree, Unsolvable};
use crate::math::easing::Clock;
use crate::math::settings::settings;
use crate::solvers::full_body::body::PosedBody;

mod body;
mod crossing;
mod memory;
mod step;

pub(crate) use crate::solvers::full_body::body::{EffectorGoal, FullBodyWorkspace};
pub use crate::solvers::full_body::memory::FullBodyMemory;

/// A body is this many times as large as its farthest tip can be from the root.
const SIZE: f64 = 1.4;

/// A joint turns at most at this speed, radians per second, and the root moves at most at that, sizes per
/// second.
const FASTEST_TURN: f64 = 25.0;
const FASTEST_MOVE: f64 = 4.0;

/// After a last step of less there is nothing to be gained.
const SETTLED: f64 = 1e-6;

/// A body without memory may take this many times as many steps.
const PATIENCE: u32 = 5;

/// More steps in a pass are not taken, whatever the settings say.
const MOST_STEPS: u32 = 64;

/// The poses besides the base pose that a body without memory starts from until it reaches.
const STARTS: u32 = 16;

settings! {
    /// Settings of full-body IK.
    FullBodySettings {
        /// The stiffness of the root: from 0, where it moves and turns as freely as a joint, to 1, where it is locked.
        root_stiffness: f32 = 0.3;
        /// The greatest distance of the root from its base place, in skeleton units; 0: no bound.
        max_root_distance: f32 = 0.0;
        /// Steps in a pass at most.
        max_iterations: u32 = 16;
        /// Distance that counts as reached, in skeleton units.
        tolerance: f32 = 0.05;
    }
}

/// The result of a pass.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Solved {
    pub(crate) steps: u32,
    /// The offset of the root from its base place, in chain units.
    pub(crate) shift: DVec2,
    /// `true` if another pass would move something.
    pub(crate) is_moving: bool,
}

/// The time step of a pass, and the progress of its handover.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Time {
    /// Seconds since the pass before; 0 is a pass without time, in which the pose may go anywhere.
    pub(crate) delta: f64,
    /// The progress of a handover, if the body has a duration for that.
    pub(crate) clock: Option<Clock>,
}

/// Solves a prepared tree whose effectors are the goals of `workspace`. Lengths grow by `stretch` at most from chain
/// space to skeleton space.
pub(crate) fn solve(
    tree: &mut Tree,
    workspace: &mut FullBodyWorkspace,
    settings: FullBodySettings,
    memory: &mut FullBodyMemory,
    stretch: f64,
    time: Time,
) -> Result<Solved, Unsolvable> {
    let delta = time.delta;
    let span = f64::from(tree.span());
    let size = if span > 0.0 { SIZE * span } else { 1.0 };
    let stiffness = f64::from(settings.root_stiffness).clamp(0.0, 1.0);
    let goes_on = memory.fits(tree);
    let most = match goes_on && delta > 0.0 {
        true => [FASTEST_TURN * delta, FASTEST_MOVE * delta],
        false => [f64::INFINITY; 2],
    };
    workspace.stiffen(tree, stiffness);
    workspace.recall(if goes_on { &memory.forces } else { &[] });
    let to_sizes = (size * stretch).recip();
    let farthest = f64::from(settings.max_root_distance) * to_sizes;
    let mut body = PosedBody {
        tree,
        workspace,
        size,
        tolerance: f64::from(settings.tolerance) * to_sizes,
        is_root_locked: stiffness >= 1.0,
        reach: if farthest > 0.0 {
            farthest
        } else {
            f64::INFINITY
        },
        most,
    };
    body.note_rest();
    if goes_on {
        body.take_pose(memory.pose.iter().copied());
    }
    let most_steps = settings.max_iterations.clamp(1, MOST_STEPS);
    body.cross(memory, goes_on, time, most_steps)?;
    let (steps, last) = match goes_on {
        true => body.descend(most_steps)?,
        false => body.begin(PATIENCE * most_steps)?,
    };
    body.note_pass(memory, time);
    if !memory.is_finite() {
        return Err(Unsolvable);
    }
    Ok(Solved {
        steps,
        shift: body.tree.nodes[0].point,
        is_moving: last > SETTLED,
    })
}

impl PosedBody<'_> {
    /// Finds a pose from the base pose, and if that does not reach from others. Returns how many steps there
    /// were, and how long the last was.
    fn begin(&mut self, most: u32) -> Result<(u32, f64), Unsolvable> {
        let mut all = self.descend(most)?;
        if self.reaches() {
            return Ok(all);
        }
        let mut least = self.cost();
        self.keep_best();
        for start in 1..=STARTS {
            self.workspace.recall(&[]);
            self.take_start(start);
            let (steps, last) = self.descend(most)?;
            all.0 += steps;
            let cost = self.cost();
            let is_better = self.reaches() || cost < 0.99 * least;
            if is_better {
                (least, all.1) = (cost, last);
                self.keep_best();
            }
            if self.reaches() {
                return Ok(all);
            }
        }
        self.take_best();
        Ok(all)
    }

    fn take_best(&mut self) {
        let best = std::mem::take(&mut self.workspace.best);
        self.take_pose(best.pose.iter().copied());
        self.workspace.recall(&best.forces);
        self.workspace.best = best;
    }

    fn keep_best(&mut self) {
        let mut best = std::mem::take(&mut self.workspace.best);
        self.note(&mut best.pose, &mut best.forces);
        self.workspace.best = best;
    }

    /// Takes a pose to start from: bent to the other side first, then any.
    fn take_start(&mut self, start: u32) {
        /// The golden ratio, by which the places of starts spread evenly, and the root of two.
        const SPREAD: [f64; 2] = [0.618_033_988_749_894_9, 0.414_213_562_373_095_1];
        self.take_pose(std::iter::repeat(0.0));
        for (index, node) in self.tree.nodes.iter_mut().enumerate().skip(1) {
            let (joint, start) = (index as f64, f64::from(start));
            let part = (SPREAD[0] * start + SPREAD[1] * joint * start).fract();
            let swing = match (start == 1.0, node.interval()) {
                (true, Some([lower, upper])) => lower + upper,
                (true, None) => -2.0 * f64::from(node.base.angle()),
                (false, Some([lower, upper])) => lower + part * (upper - lower),
                (false, None) => (2.0 * part - 1.0) * std::f64::consts::FRAC_PI_2,
            };
            node.swing_to(swing);
        }
        self.tree.place();
    }
}
