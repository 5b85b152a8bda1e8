//! What springs need besides the rig: memory that grows to the longest chain.

use glam::Vec2;

use crate::math::trigonometry::angle_of;
use crate::solvers::modes::{Library, Tuning};
use crate::solvers::spring::motion::{Motion, SpringGoal};
use crate::solvers::spring::pinned;

/// Memory for springs, besides the rig.
#[derive(Clone, Debug, Default)]
pub(crate) struct SpringWorkspace {
    pub(crate) library: Library,
    pub(crate) scratch: Scratch,
    /// The directions of the goal's bones in global space.
    pub(crate) angles: Vec<f64>,
    /// The same on the way there.
    pub(crate) on_the_way: Vec<f64>,
    /// The angle of each joint from its base rotation, in radians.
    pub(crate) swings: Vec<f32>,
    /// The tuning of a chain that has stiff joints.
    pub(crate) stiffened: Tuning,
    /// The chain that is held at both ends.
    pub(crate) pinned: pinned::PinnedScratch,
}

/// Arrays over the bones of one chain during a solve. They grow to the longest chain.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scratch {
    /// The angle by which each bone is to be off its goal, in radians.
    pub(crate) deflections: Vec<f64>,
    pub(super) offsets: Vec<f64>,
    pub(super) speeds: Vec<f64>,
    pub(super) sags: Vec<f64>,
    /// The amplitude of each shape, and its rate.
    pub(super) places: Vec<f64>,
    pub(super) rates: Vec<f64>,
    /// The pull of gravity at each bone.
    pub(super) pulls: Vec<Pull>,
    /// The gravity that was last asked for, and its angle.
    gravity: Vec2,
    down: f64,
}

/// The pull of gravity at a bone, and the bone's line of the tridiagonal system of the balance.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Pull {
    /// The angle from the bone to gravity.
    pub(super) away: f64,
    pub(super) sine: f64,
    /// The inverse of the pivot, and the right side.
    pub(super) pivot: f64,
    pub(super) right: f64,
}

impl Scratch {
    pub(super) fn load(&mut self, motion: &Motion) {
        self.offsets.clear();
        self.speeds.clear();
        self.sags.clear();
        self.offsets
            .extend(motion.bones.iter().map(|bone| f64::from(bone.offset)));
        self.speeds
            .extend(motion.bones.iter().map(|bone| f64::from(bone.speed)));
        self.sags
            .extend(motion.bones.iter().map(|bone| f64::from(bone.sag)));
    }

    /// Starts in the balance, or at the goal where the way from there may be `obstructed`.
    pub(super) fn begin(&mut self, motion: &mut Motion, obstructed: bool) {
        for (index, bone) in motion.bones.iter_mut().enumerate() {
            bone.sag = self.sags[index] as f32;
            if obstructed {
                bone.offset = -bone.sag;
                self.offsets[index] = bone.offset.into();
            }
        }
    }

    /// Rounds the offsets to the precision of the state, so that they are shown as they are kept: a
    /// frame without time shows them again.
    pub(super) fn store(&mut self, motion: &mut Motion, goal: &SpringGoal<'_>) {
        for offset in &mut self.offsets {
            *offset = f64::from(*offset as f32);
        }
        let states = self.offsets.iter().zip(&self.speeds);
        let goals = self.sags.iter().zip(goal.angles);
        for (bone, (state, goal)) in motion.bones.iter_mut().zip(states.zip(goals)) {
            let ((&offset, &speed), (&sag, &goal)) = (state, goal);
            bone.offset = offset as f32;
            bone.speed = speed as f32;
            bone.sag = sag as f32;
            bone.goal = goal as f32;
        }
        motion.place = goal.place.as_vec2();
    }

    /// Counts the offsets of a chain that is no longer held from its balance, not from its goal. The
    /// balance was there before: the bones do not feel that it is found now.
    pub(super) fn let_go(&mut self, motion: &mut Motion) {
        let offsets = self.offsets.iter_mut().zip(&self.sags);
        for (bone, (offset, sag)) in motion.bones.iter_mut().zip(offsets) {
            *offset -= sag;
            (bone.offset, bone.sag) = (*offset as f32, *sag as f32);
        }
    }

    pub(super) fn deflect(&mut self) {
        self.deflections.clear();
        let pairs = self.sags.iter().zip(&self.offsets);
        self.deflections
            .extend(pairs.map(|(sag, offset)| sag + offset));
    }

    /// The angle of `gravity`, which is seldom another one than in the solve before.
    pub(super) fn downwards(&mut self, gravity: Vec2) -> f64 {
        if self.gravity != gravity {
            self.gravity = gravity;
            self.down = angle_of(gravity.as_dvec2());
        }
        self.down
    }

    /// Stops a bone at `deflection` from its goal, if it moves on: then it moves with the bone
    /// above.
    pub(super) fn hold(&mut self, index: usize, deflection: f64, speed_above: f64) {
        let offset = deflection - self.sags[index];
        let back = offset - self.offsets[index];
        self.offsets[index] = offset;
        if (self.speeds[index] - speed_above) * back < 0.0 {
            self.speeds[index] = speed_above;
        }
    }
}
