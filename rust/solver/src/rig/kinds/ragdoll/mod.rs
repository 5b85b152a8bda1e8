//! Ragdolls as a kind of modifier. The law is in [`crate::solvers::ragdoll`].
//!
//! | file | what is in it |
//! |---|---|
//! | this one | what a ragdoll needs, and what it does in a pass |
//! | [`measure`] | the body, as the pose has it |
//! | [`fall`] | the body while it is simulated |
//! | [`show`] | a state of the body, as rotations of bones |
//!
//! A pass goes on by the physics frames that it was handed: none, one or several. What is shown lies between
//! the last two states, where the pass is between two of these frames.

use glam::Affine2;
use serde::{Deserialize, Serialize};

use crate::kinematics::tree::Unsolvable;
use crate::rig::fault::{Fault, Skeleton};
use crate::rig::kept::{Keeps, Kept};
use crate::rig::kind::{Context, Kind, Parts};
use crate::skeleton::report::{Report, Status};
use crate::solvers::ragdoll::memory::{Carry, RagdollMemory, RagdollPhase};
use crate::solvers::ragdoll::motion::Touch;
use crate::solvers::ragdoll::settings::{Grab, LimbShape, Push, RagdollSettings};
use crate::solvers::ragdoll::solid::RagdollTick;
use crate::solvers::ragdoll::space::Space;

mod fall;
mod measure;
mod show;

/// A body that is let go.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ragdoll {
    /// Indices of the bones, parents first: each hangs on one of those before it, but for the first.
    pub joints: Vec<usize>,
    /// For each of them, its shape.
    pub shapes: Vec<LimbShape>,
    /// Whether the first bone's joint stays where the pose has it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_carried: bool,
    /// How it behaves.
    #[serde(default)]
    pub settings: RagdollSettings,
    /// For each joint, a factor of the frequency; all alike if there is none.
    #[serde(
        default,
        skip_serializing_if = "Vec::is_empty",
        with = "crate::math::number"
    )]
    pub stiffer: Vec<f32>,
    /// For each of them, its frame in the rest pose, in skeleton space; none if that is not known.
    #[serde(
        default,
        skip_serializing_if = "Vec::is_empty",
        with = "crate::math::number"
    )]
    pub rest: Vec<Affine2>,
    /// The physics frames since the last pass, and what was around the body in them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ticks: Vec<RagdollTick>,
    /// Where the pass is between the last tick and the next, 0 to 1: what is shown lags by one. In a physics
    /// frame it is 1.
    #[serde(with = "crate::math::number")]
    pub part: f32,
    /// The impulses since the last pass.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pushes: Vec<Push>,
    /// What holds it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grab: Option<Grab>,
    /// What it is in: boxed, as it would make all kinds of modifiers larger.
    #[serde(default, skip_serializing_if = "Kept::is_new")]
    pub memory: Box<Kept<RagdollMemory>>,
    /// What was touched in the last pass.
    #[serde(skip)]
    pub touches: Vec<Touch>,
}

impl Ragdoll {
    /// A ragdoll with the usual settings.
    pub fn new(joints: Vec<usize>, shapes: Vec<LimbShape>) -> Self {
        Self {
            joints,
            shapes,
            is_carried: false,
            settings: RagdollSettings::default(),
            stiffer: Vec::new(),
            rest: Vec::new(),
            ticks: Vec::new(),
            part: 1.0,
            pushes: Vec::new(),
            grab: None,
            memory: Box::default(),
            touches: Vec::new(),
        }
    }

    /// Whether it does anything to the pose.
    fn is_off(&self) -> bool {
        !self.settings.simulating && self.memory.after.phase == RagdollPhase::Posed
    }

    /// Forgets what is not of this body, or has got out of hand.
    fn forget_other(&mut self) {
        let memory = &mut self.memory.after;
        let motion = &memory.motion;
        let mut numbers = motion
            .state
            .iter()
            .chain(&motion.rates)
            .chain(&memory.posed);
        if !memory.fits(self.joints.len()) || !numbers.all(|it| it.is_finite()) {
            *memory = RagdollMemory::default();
        }
    }
}

impl Parts for Ragdoll {
    fn joints(&self) -> &[usize] {
        &self.joints
    }

    fn moves_by_itself(&self) -> bool {
        true
    }

    fn depends_on_parent(&self) -> bool {
        self.is_carried
    }
}

impl Kind for Ragdoll {
    fn kept(&mut self) -> Option<&mut dyn Keeps> {
        Some(&mut *self.memory)
    }

    fn kept_ref(&self) -> Option<&dyn Keeps> {
        Some(&*self.memory)
    }

    fn validate(&self, skeleton: &Skeleton<'_>) -> Result<(), Fault> {
        skeleton.check_bones(self.joints.iter().copied())?;
        if self.joints.is_empty() || self.shapes.len() != self.joints.len() {
            return Err(Fault::NoJoints);
        }
        let hangs = |index: usize| {
            let parent = skeleton.bones[self.joints[index]].parent;
            parent.is_some_and(|parent| self.joints[..index].contains(&parent))
        };
        let in_order = (1..self.joints.len()).all(hangs);
        let is_once =
            (1..self.joints.len()).all(|it| !self.joints[..it].contains(&self.joints[it]));
        let links = self.joints.len();
        let of_grab = self.grab.is_none_or(|grab| grab.link < links);
        let fits =
            in_order && is_once && of_grab && self.pushes.iter().all(|it| it.hold.fits(links));
        fits.then_some(()).ok_or(Fault::BrokenTree)
    }

    fn apply(&mut self, context: &mut Context<'_>) -> Result<Report, Unsolvable> {
        let mut space = std::mem::take(&mut context.workspace.ragdoll);
        let report = self.apply_in(&mut space, context);
        context.workspace.ragdoll = space;
        report
    }
}

impl Ragdoll {
    fn apply_in(
        &mut self,
        space: &mut Space,
        context: &mut Context<'_>,
    ) -> Result<Report, Unsolvable> {
        self.forget_other();
        self.touches.clear();
        let frame = context.to_global;
        space.measure(self, context.pose, frame)?;
        let is_off = self.is_off();
        let phase = self.memory.after.phase;
        let moves = matches!(phase, RagdollPhase::Falling | RagdollPhase::Lying);
        match self.settings.simulating {
            true => {
                if !moves {
                    self.begin(space, context)?;
                }
                self.fall(space, context)?;
            }
            false if moves => self.begin_rise(space, context)?,
            false if phase == RagdollPhase::Rising => self.rise(space, context)?,
            false => {
                let memory = &mut self.memory.after;
                memory.posed.clone_from(&space.state);
                memory.frame = frame;
            }
        }
        let status = if is_off {
            Status::Idle
        } else {
            Status::Reached
        };
        Ok(Report::without_solve(status))
    }

    /// Lets go, at the speeds that the pose has had.
    fn begin(&mut self, space: &mut Space, context: &mut Context<'_>) -> Result<(), Unsolvable> {
        if self.memory.after.phase == RagdollPhase::Rising {
            self.rise(space, context)?;
            space.measure(self, context.pose, context.to_global)?;
        }
        let memory = &mut self.memory.after;
        let carry = Carry::new(memory.frame, context.to_global);
        if let Some(carry) = carry.filter(|_| !memory.posed.is_empty()) {
            carry.apply(&mut memory.posed, None);
        }
        let is_new = memory.posed.is_empty() || carry.is_some_and(|carry| carry.is_mirrored());
        let motion = &mut memory.motion;
        motion.forget();
        motion.state.clone_from(&space.state);
        motion.rates.clear();
        match is_new {
            true => motion.rates.resize(space.state.len(), 0.0),
            false => space.speeds_from(&memory.posed, context.delta, &mut motion.rates),
        }
        memory.before.clone_from(&space.state);
        memory.posed.clone_from(&space.state);
        memory.frame = context.to_global;
        memory.phase = RagdollPhase::Falling;
        memory.rise = Default::default();
        memory.quiet = 0.0;
        memory.calm = 0.0;
        memory.grabbed = None;
        memory.led.clear();
        Ok(())
    }

    /// Begins to return to the pose, from where the body is shown.
    fn begin_rise(
        &mut self,
        space: &mut Space,
        context: &mut Context<'_>,
    ) -> Result<(), Unsolvable> {
        let memory = &mut self.memory.after;
        let mut state = std::mem::take(&mut memory.motion.state);
        if let Some(carry) = Carry::new(memory.frame, context.to_global) {
            carry.apply(&mut state, None);
        }
        let shown = space.rotations(self, &state, context.pose);
        let memory = &mut self.memory.after;
        let rise = &mut memory.rise;
        rise.place = shown?;
        rise.sources.clone_from(&space.shown);
        rise.offsets.clear();
        let posed = self
            .joints
            .iter()
            .map(|&bone| f64::from(context.pose.bone(bone).rotation));
        let pairs = rise.sources.iter().zip(posed);
        rise.offsets
            .extend(pairs.map(|(source, posed)| crate::math::angle::wrapped(source - posed)));
        rise.elapsed = 0.0;
        memory.motion.forget();
        memory.motion.rates.clear();
        memory.motion.state.clear();
        memory.before.clear();
        memory.grabbed = None;
        memory.phase = RagdollPhase::Rising;
        self.show_rise(space, context)
    }

    /// Goes on with that.
    fn rise(&mut self, space: &mut Space, context: &mut Context<'_>) -> Result<(), Unsolvable> {
        self.memory.after.rise.elapsed += context.delta as f32;
        self.show_rise(space, context)
    }

    fn show_rise(
        &mut self,
        space: &mut Space,
        context: &mut Context<'_>,
    ) -> Result<(), Unsolvable> {
        let memory = &mut self.memory.after;
        let left = memory.rise.left(self.settings.blend_time);
        if left > 0.0 {
            for (index, &bone) in self.joints.iter().enumerate() {
                let posed = f64::from(context.pose.bone(bone).rotation);
                let swing = left * memory.rise.offset(index, posed);
                Self::turn(context, bone, posed + swing, swing);
            }
            if !self.is_carried {
                let root = self.joints[0];
                let posed = context.pose.bone(root).position;
                let place = posed.lerp(memory.rise.place, left as f32);
                context.influence.shift(context.pose, root, place);
            }
            context.is_moving = true;
            space.measure(self, context.pose, context.to_global)?;
        } else {
            let memory = &mut self.memory.after;
            memory.phase = RagdollPhase::Posed;
            memory.rise = Default::default();
        }
        let memory = &mut self.memory.after;
        memory.posed.clone_from(&space.state);
        memory.frame = context.to_global;
        Ok(())
    }
}
