//! A chain of springs in one pass: the directions that the solver finds become turns of joints.

use glam::{Affine2, DVec2, Mat2, Vec2};

use crate::descent::{self, obstacle_avoidance};
use crate::kinematics::contact;
use crate::kinematics::joint::Joint;
use crate::kinematics::limb::Limb;
use crate::kinematics::tree::{Tree, Unsolvable};
use crate::math::angle::wrapped;
use crate::math::settings::Sound;
use crate::math::trigonometry::{angle_of_ratio, near_unit_vector};
use crate::solvers::modes::Tuning;
use crate::solvers::spring::{self, Motion, SpringGoal, SpringSettings};

/// Seconds of a step where bones touch shapes.
const CONTACT_STEP: f64 = 1.0 / 120.0;

/// Such steps in one pass at most.
const MOST_CONTACT_STEPS: f64 = 30.0;

/// A bone is held if its direction differs by more than this from what the solver has found, in
/// radians.
const HELD_UP: f64 = 1e-5;

/// A bone that is this part of the chain's length from a shape may lie on it.
const NEAR_SHAPE: f64 = 2e-3;

/// The tuning of a chain whose joints are all alike.
pub(super) static UNIFORM: Tuning = Tuning {
    frequency: Vec::new(),
    damping: Vec::new(),
};

/// A chain of springs in one pass.
pub(super) struct SpringChain<'a> {
    spring: SpringSettings,
    limb: &'a mut Limb,
    springs: &'a mut spring::SpringWorkspace,
    pub(super) tuning: &'a Tuning,
    /// From chain space to global space.
    to_global: Mat2,
    from_global: Mat2,
    place: DVec2,
    length: f64,
    /// The end of the chain and that of its goal, in chain space.
    pub(super) tip: Vec2,
    pub(super) goal_tip: Vec2,
    pub(super) is_obstructed: bool,
    /// `true` if something holds bones up.
    pub(super) is_held: bool,
}

impl<'a> SpringChain<'a> {
    /// A chain at its goal. Its root joint is at `origin` in the frame `mount` of global space.
    pub(super) fn new(
        spring: SpringSettings,
        limb: &'a mut Limb,
        springs: &'a mut spring::SpringWorkspace,
        mount: Affine2,
        origin: Vec2,
    ) -> Result<Self, Unsolvable> {
        let to_global = mount.matrix2;
        let (mut length, mut goal_tip) = (0.0, Vec2::ZERO);
        springs.angles.clear();
        for joint in &limb.joints {
            let segment = joint.segment();
            goal_tip += segment;
            let segment = to_global * segment;
            length += f64::from(segment.length());
            // A bone without length lies along its X axis.
            let along = match segment == Vec2::ZERO {
                true => to_global * (joint.basis * joint.rotation.direction()),
                false => segment,
            };
            springs.angles.push(angle_of(along));
        }
        let place = mount.transform_point2(origin);
        let is_sound = spring.is_sound()
            && place.is_finite()
            && length.is_normal()
            && to_global.determinant().is_normal();
        is_sound.then_some(()).ok_or(Unsolvable)?;
        Ok(Self {
            spring,
            limb,
            springs,
            tuning: &UNIFORM,
            to_global,
            from_global: to_global.inverse(),
            place: place.as_dvec2(),
            length,
            tip: goal_tip,
            goal_tip,
            is_obstructed: false,
            is_held: false,
        })
    }

    /// Moves the chain on in time, in which the goal moves to where it is now, and turns the
    /// joints.
    pub(super) fn advance(&mut self, motion: &mut Motion, delta: f64) {
        let angles = std::mem::take(&mut self.springs.angles);
        self.advance_to(motion, self.place, &angles, delta);
        self.springs.angles = angles;
    }

    fn advance_to(&mut self, motion: &mut Motion, place: DVec2, angles: &[f64], delta: f64) {
        let spring::SpringWorkspace {
            library, scratch, ..
        } = &mut *self.springs;
        let goal = SpringGoal {
            place,
            angles,
            length: self.length,
            is_mirrored: self.to_global.determinant() < 0.0,
            is_obstructed: self.is_obstructed,
        };
        let modes = library.modes(angles.len(), self.tuning);
        self.is_held |= self.spring.advance(motion, &goal, modes, scratch, delta);
        if self.lay(angles) {
            self.hold_up(motion, angles, delta);
        }
    }

    /// Points the bones in the directions that the solver has found, within the joints' limits. If a limit holds a
    /// bone back, the bones below turn with it. Returns whether there is such a bone.
    fn lay(&mut self, angles: &[f64]) -> bool {
        let (to_global, from_global) = (self.to_global, self.from_global);
        let deflections = &self.springs.scratch.deflections;
        let is_at_goal = deflections.iter().all(|&deflection| deflection == 0.0);
        let (mut carried, mut is_held_back) = (0.0, false);
        let mut basis = Mat2::IDENTITY;
        let Limb { joints, bounds, .. } = &mut *self.limb;
        for (index, (joint, bound)) in joints.iter_mut().zip(bounds).enumerate() {
            joint.basis = basis;
            let wanted = angles[index] + deflections[index] + carried;
            if is_at_goal && carried == 0.0 {
                // To the last bit.
                joint.rotation = joint.base;
            } else {
                joint.point_along(from_global * near_unit_vector(wanted).as_vec2());
            }
            if let Some(bound) = bound {
                let free = joint.rotation;
                bound.enforce(joint);
                if joint.rotation != free {
                    is_held_back = true;
                    carried += wrapped(angle_of(to_global * joint.segment()) - wanted);
                }
            }
            basis = joint.next_basis();
        }
        self.measure_swings();
        is_held_back
    }

    /// Measures how far each joint has turned, and where the tip is.
    fn measure_swings(&mut self) {
        self.tip = self.limb.tip();
        let turned = self.limb.joints.iter().map(Joint::turned);
        self.springs.swings.clear();
        self.springs.swings.extend(turned);
    }

    /// Writes into the state where bones are that a limit or a shape holds.
    fn hold_up(&mut self, motion: &mut Motion, angles: &[f64], delta: f64) {
        if delta <= 0.0 {
            return;
        }
        for (index, joint) in self.limb.joints.iter().enumerate() {
            let segment = self.to_global * joint.segment();
            let deflection = self.springs.scratch.deflections[index];
            let off = wrapped(angle_of(segment) - angles[index] - deflection);
            if segment != Vec2::ZERO && off.abs() > HELD_UP {
                motion.hold_up(index, deflection + off);
                self.is_held = true;
            }
        }
    }

    /// Makes bones that are inside a shape slide along it. Returns how deep the deepest one still
    /// is. Leaves the contacts of bones that are near a shape in `workspace`.
    pub(super) fn stay_outside(
        &mut self,
        motion: &mut Motion,
        before: &Motion,
        tree: &mut Tree,
        workspace: &mut descent::SolveSpace,
        delta: f64,
    ) -> f64 {
        let mut depth = 0.0;
        if self.touches(tree, workspace) {
            self.slide(motion, before, tree, workspace, delta);
            depth = contact::deepest(&workspace.contacts);
        }
        contact::gather(
            tree,
            NEAR_SHAPE * f64::from(tree.span()),
            &mut workspace.contacts,
        );
        self.is_held |= !workspace.contacts.is_empty();
        depth
    }

    /// Returns `true` if a bone is inside a shape in the present pose.
    fn touches(&mut self, tree: &mut Tree, workspace: &mut descent::SolveSpace) -> bool {
        let swings = &self.springs.swings;
        tree.take_pose(swings.iter().copied().map(f64::from));
        contact::gather(tree, 0.0, &mut workspace.contacts);
        contact::deepest(&workspace.contacts) > 0.0
    }

    /// Repeats the frame in small steps, each of which ends outside of the shapes.
    fn slide(
        &mut self,
        motion: &mut Motion,
        before: &Motion,
        tree: &mut Tree,
        workspace: &mut descent::SolveSpace,
        delta: f64,
    ) {
        motion.clone_from(before);
        let steps = (delta / CONTACT_STEP).ceil().clamp(1.0, MOST_CONTACT_STEPS);
        let angles = std::mem::take(&mut self.springs.angles);
        let mut way = std::mem::take(&mut self.springs.on_the_way);
        let goal = self.place;
        for step in 1..=steps as u32 {
            let part = 1.0 / (steps - f64::from(step) + 1.0);
            let place = motion.on_the_way_to(goal, &angles, part, &mut way);
            self.advance_to(motion, place, &way, delta / steps);
            if self.touches(tree, workspace) {
                obstacle_avoidance::push_out(tree, workspace);
                let outside =
                    |index: usize, joint: &mut Joint| joint.rotation = tree.rotation(index);
                self.limb.place_each(outside, false);
                self.measure_swings();
                self.hold_up(motion, &way, delta);
            }
        }
        self.springs.angles = angles;
        self.springs.on_the_way = way;
    }
}

/// The angle of a vector, at the precision of the state.
fn angle_of(vector: Vec2) -> f64 {
    angle_of_ratio(vector).into()
}
