//! Ragdolls as a kind of modifier. The law is in [`crate::solvers::ragdoll`].
//!
//! | file | what is in it |
//! |---|---|
//! | this one | the data of a ragdoll, and a pass of it |
//! | [`measure`] | the body, as the pose has it |
//! | [`fall`] | the body while it is simulated |
//! | [`offered`] | its limbs, as other bodies meet them |
//! | [`show`] | a state of the body, as rotations of bones |
//!
//! A pass goes on by the physics frames that it was handed: none, one or several. What is shown lies between
//! the last two states, where the pass is between two of these frames.

use glam::{Affine2, DVec2, Vec2};
use serde::{Deserialize, Serialize};

use crate::kinematics::tree::Unsolvable;
use crate::math::angle::wrapped;
use crate::math::interval::{clamp, clamp01};
use crate::math::number;
use crate::rig::fault::{Fault, Skeleton};
use crate::rig::kept::{Keeps, Kept};
use crate::rig::kind::{Context, Kind, Parts};
use crate::skeleton::report::{Report, Status};
use crate::solvers::ragdoll::body::ROOT;
use crate::solvers::ragdoll::memory::{RagdollMemory, RagdollPhase};
use crate::solvers::ragdoll::motion::{BodyMotion, Touch};
use crate::solvers::ragdoll::settings::{Grab, LimbShape, Push, RagdollSettings};
use crate::solvers::ragdoll::solid::RagdollTick;
use crate::solvers::ragdoll::space::PassSpace;

/// The pose is looked at no more often than that, in seconds.
const SHORTEST: f32 = 1.0 / 65.0;

/// Speeds are found from where a body is so many seconds later.
const MOMENT: f64 = 1e-3;

/// No bone turns faster while the body returns to the pose, in radians per second.
const FASTEST_RISE: f64 = 5.0;

mod fall;
mod measure;
mod offered;
mod show;

/// A body that is let go.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ragdoll {
    /// Indices of the bones, parents first: each hangs on one of those before it, but for the first.
    pub joints: Vec<usize>,
    /// For each of them, its shape.
    pub shapes: Vec<LimbShape>,
    /// `true` if the first bone's joint stays where the pose has it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_carried: bool,
    /// Settings of its behaviour.
    #[serde(default)]
    pub settings: RagdollSettings,
    /// The length of a physics frame, in seconds.
    #[serde(default, with = "number")]
    pub tick: f32,
    /// The velocity of the character that the body belongs to, in global space, if that is known.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "number")]
    pub character: Option<Vec2>,
    /// For each joint, a factor of the frequency; all alike if there is none.
    #[serde(default, skip_serializing_if = "Vec::is_empty", with = "number")]
    pub stiffer: Vec<f32>,
    /// For each of them, its frame in the rest pose, in skeleton space; none if that is not known.
    #[serde(default, skip_serializing_if = "Vec::is_empty", with = "number")]
    pub rest: Vec<Affine2>,
    /// The physics frames since the last pass, and what was around the body in them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ticks: Vec<RagdollTick>,
    /// The place of the pass between the last tick and the next, 0 to 1: what is shown lags by one. In a physics frame
    /// it is 1.
    #[serde(with = "number")]
    pub part: f32,
    /// The impulses since the last pass.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pushes: Vec<Push>,
    /// The links that are to be broken off since the last pass.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub breaks: Vec<usize>,
    /// The grabs that hold it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub grabs: Vec<Grab>,
    /// The state that is kept of it: boxed, as it would make all kinds of modifiers larger.
    #[serde(default, skip_serializing_if = "Kept::is_new")]
    pub memory: Box<Kept<RagdollMemory>>,
    /// The bodies of the world that were touched in the last pass.
    #[serde(skip)]
    pub touches: Vec<Touch>,
    /// The links that broke off in the last pass.
    #[serde(skip)]
    pub broke: Vec<usize>,
    /// `true` if other bodies meet its limbs.
    #[serde(skip)]
    pub is_solid: bool,
    /// Then the limbs, as shapes of the world, in the order of the joints; none while nothing is simulated.
    #[serde(skip)]
    pub limbs: RagdollTick,
}

impl Ragdoll {
    /// A ragdoll with the usual settings.
    pub fn new(joints: Vec<usize>, shapes: Vec<LimbShape>) -> Self {
        Self {
            joints,
            shapes,
            is_carried: false,
            settings: RagdollSettings::default(),
            tick: 1.0 / 60.0,
            character: None,
            stiffer: Vec::new(),
            rest: Vec::new(),
            ticks: Vec::new(),
            part: 1.0,
            pushes: Vec::new(),
            breaks: Vec::new(),
            grabs: Vec::new(),
            memory: Box::default(),
            touches: Vec::new(),
            broke: Vec::new(),
            is_solid: false,
            limbs: RagdollTick::default(),
        }
    }

    /// Returns `true` if the body is simulated, after the last pass.
    fn moves(&self) -> bool {
        let phase = self.memory.after.phase;
        matches!(phase, RagdollPhase::Falling | RagdollPhase::Lying)
    }

    /// Goes on from what was kept of it. The body is where it was in the skeleton, which is at `frame` by now.
    pub fn go_on_from(&mut self, parted: RagdollMemory, frame: Affine2) {
        self.memory.after = RagdollMemory { frame, ..parted };
    }

    /// Goes on as `other` moves, which has these links and more. `before` says of a bone which it was there.
    pub(in crate::rig) fn take_over_links(
        &mut self,
        other: &Self,
        before: &dyn Fn(usize) -> Option<(usize, f32)>,
    ) {
        let links = self.joints.iter().map(|&joint| {
            let (bone, _) = before(joint)?;
            other.joints.iter().position(|&it| it == bone)
        });
        let links: Option<Vec<_>> = links.collect();
        if let Some(links) = links.filter(|links| links.first() == Some(&0)) {
            self.memory.after = other.memory.after.of_links(&links);
        }
    }

    /// Returns `true` if it does nothing to the pose.
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
    /// A body is where it was.
    fn lasts(&self) -> bool {
        self.moves()
    }

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
        let of_grabs = self.grabs.iter().all(|grab| grab.link < links)
            && self.breaks.iter().all(|&link| link < links);
        let fits =
            in_order && is_once && of_grabs && self.pushes.iter().all(|it| it.hold.fits(links));
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
        space: &mut PassSpace,
        context: &mut Context<'_>,
    ) -> Result<Report, Unsolvable> {
        self.forget_other();
        self.broke.clear();
        self.touches.clear();
        self.touches.reserve(2 * self.joints.len());
        let frame = context.to_global;
        space.measure(self, context.pose, frame)?;
        self.memory.after.make_room(space.state.len());
        let is_off = self.is_off();
        let phase = self.memory.after.phase;
        let moves = self.moves();
        if !self.settings.simulating || !self.is_solid {
            self.limbs.clear();
        }
        match self.settings.simulating {
            true => {
                if !moves {
                    self.begin(space, context)?;
                }
                self.fall(space, context)?;
                self.offer_limbs(space);
            }
            false if moves => {
                self.begin_rise(space, context)?;
                self.look_at_pose(space, context);
            }
            false if phase == RagdollPhase::Rising => {
                self.rise(space, context)?;
                self.look_at_pose(space, context);
            }
            false => self.look_at_pose(space, context),
        }
        let status = if is_off {
            Status::Idle
        } else {
            Status::Reached
        };
        Ok(Report::without_solve(status))
    }

    /// Notes where the pose is, and how fast it moves.
    fn look_at_pose(&mut self, space: &PassSpace, context: &mut Context<'_>) {
        let memory = &mut self.memory.after;
        let carry = memory.carry_to(context.to_global);
        let is_new = memory.posed.is_empty() || memory.seen.is_empty();
        if is_new || carry.is_some_and(|carry| carry.is_mirrored()) {
            memory.led.clear();
            memory.led_before.clear();
            memory.seen.clone_from(&space.state);
            memory.unseen = 0.0;
        } else if let Some(carry) = carry {
            memory.carry_pose(carry);
        }
        memory.unseen += context.delta as f32;
        // What moves in physics frames stands still in most of the others.
        if !is_new && memory.unseen >= SHORTEST {
            std::mem::swap(&mut memory.led, &mut memory.led_before);
            space.speeds_from(&memory.seen, memory.unseen.into(), &mut memory.led);
            memory.seen.clone_from(&space.state);
            memory.unseen = 0.0;
        }
        memory.posed.clone_from(&space.state);
        memory.frame = context.to_global;
        // Until it is known that it stands still.
        let both = memory.led.iter().chain(&memory.led_before);
        context.is_moving |= memory.unseen > 0.0 || both.into_iter().any(|rate| *rate != 0.0);
    }

    /// Lets go, at the speeds that the pose has had.
    fn begin(
        &mut self,
        space: &mut PassSpace,
        context: &mut Context<'_>,
    ) -> Result<(), Unsolvable> {
        let was_rising = self.memory.after.phase == RagdollPhase::Rising;
        if was_rising {
            self.rise(space, context)?;
            space.measure(self, context.pose, context.to_global)?;
        }
        let time: f32 = self.ticks.iter().map(|tick| tick.delta).sum();
        let from_global = context.to_global.as_daffine2().inverse().matrix2;
        let character = self.character.filter(|it| it.is_finite());
        let character = character.map(|it| from_global * it.as_dvec2());
        let memory = &mut self.memory.after;
        let carry = memory.carry_to(context.to_global);
        let is_new = memory.posed.is_empty() || carry.is_some_and(|carry| carry.is_mirrored());
        if let Some(carry) = carry.filter(|_| !is_new) {
            memory.carry_pose(carry);
        }
        let motion = &mut memory.motion;
        motion.forget();
        motion.state.clone_from(&space.state);
        motion.rates.clear();
        motion.rates.resize(space.state.len(), 0.0);
        // What is shown by the last of the ticks goes on now, and not with the next one.
        let part = f64::from(clamp01(self.part));
        let tick = f64::from(self.tick);
        let ahead = context.delta - f64::from(time) + (1.0 - part) * tick;
        if !is_new {
            space.go_on_from(memory, context.delta, ahead);
            if was_rising {
                // What it turns by on its way back to the pose is no motion of its own.
                memory.motion.rates[ROOT..].fill(0.0);
            }
        }
        let RagdollMemory {
            motion: BodyMotion { state, rates, .. },
            led_before,
            ..
        } = memory;
        if let Some(character) = character {
            let is_near = |of: &[f64]| {
                let seen = of.first_chunk().map(|&place| DVec2::from_array(place));
                seen.is_some_and(|seen| character.distance(seen) < 0.5 * character.length())
            };
            // It says nothing of a character that has long stopped. One may have been stopped to be let go.
            if is_new || time == 0.0 && is_near(rates) || is_near(led_before) {
                (rates[0], rates[1]) = character.into();
            }
        }
        memory.before.clone_from(state);
        if time == 0.0 {
            let both = memory.before.iter_mut().zip(rates);
            both.for_each(|(before, rate)| *before -= tick * *rate);
        }
        memory.posed.clone_from(&space.state);
        memory.frame = context.to_global;
        memory.rise.clone_from(&Default::default());
        memory.stir();
        memory.forget_pose();
        Ok(())
    }

    /// Begins to return to the pose, from where the body is shown.
    fn begin_rise(
        &mut self,
        space: &mut PassSpace,
        context: &mut Context<'_>,
    ) -> Result<(), Unsolvable> {
        let memory = &mut self.memory.after;
        let mut state = std::mem::take(&mut memory.motion.state);
        let mut rates = std::mem::take(&mut memory.motion.rates);
        let part = f64::from(clamp01(self.part));
        for (now, before) in state.iter_mut().zip(&memory.before) {
            *now = before + part * (*now - before);
        }
        if let Some(carry) = memory.carry_to(context.to_global) {
            carry.apply_in_place(&mut state, &mut rates);
        }
        let place = space.rotations(self, &state, context.pose)?;
        let rise = &mut self.memory.after.rise;
        rise.place = place;
        rise.sources.clone_from(&space.shown);
        rise.offsets.clear();
        rise.rates.clear();
        // A moment later, for the speeds.
        let pairs = state.iter_mut().zip(&rates);
        pairs.for_each(|(now, rate)| *now += MOMENT * rate);
        let place = space.rotations(self, &state, context.pose)?;
        let memory = &mut self.memory.after;
        let rise = &mut memory.rise;
        rise.speed = (place - rise.place) / MOMENT as f32;
        let pairs = space.shown.iter().zip(&rise.sources);
        rise.rates.extend(pairs.map(|(later, source)| {
            clamp(
                wrapped(later - source) / MOMENT,
                -FASTEST_RISE,
                FASTEST_RISE,
            )
        }));
        let posed = self
            .joints
            .iter()
            .map(|&bone| f64::from(context.pose.bone(bone).rotation));
        let pairs = rise.sources.iter().zip(posed);
        rise.offsets
            .extend(pairs.map(|(source, posed)| wrapped(source - posed)));
        rise.elapsed = context.delta as f32;
        memory.motion.forget();
        memory.motion.rates.clear();
        memory.motion.state.clear();
        memory.before.clear();
        memory.posed.clear();
        memory.broken.clear();
        memory.forget_pose();
        memory.phase = RagdollPhase::Rising;
        // What was broken off is at its joint again.
        space.measure(self, context.pose, context.to_global)?;
        self.show_rise(space, context)
    }

    /// Goes on with that.
    fn rise(&mut self, space: &mut PassSpace, context: &mut Context<'_>) -> Result<(), Unsolvable> {
        self.memory.after.rise.elapsed += context.delta as f32;
        self.show_rise(space, context)
    }

    fn show_rise(
        &mut self,
        space: &mut PassSpace,
        context: &mut Context<'_>,
    ) -> Result<(), Unsolvable> {
        let memory = &mut self.memory.after;
        let left = memory.rise.left(self.settings.blend_time);
        if left > 0.0 {
            let drift = memory.rise.drift(self.settings.blend_time);
            for (index, &bone) in self.joints.iter().enumerate() {
                let posed = f64::from(context.pose.bone(bone).rotation);
                let swing = left * memory.rise.offset(index, posed, drift);
                Self::turn(context, bone, posed + swing, swing);
            }
            if !self.is_carried {
                let root = self.joints[0];
                let posed = context.pose.bone(root).position;
                let place = memory.rise.place + drift as f32 * memory.rise.speed;
                let place = posed.lerp(place, left as f32);
                context.influence.shift(context.pose, root, place);
            }
            context.is_moving = true;
            space.measure(self, context.pose, context.to_global)?;
        } else {
            let memory = &mut self.memory.after;
            memory.phase = RagdollPhase::Posed;
            memory.rise.clone_from(&Default::default());
        }
        Ok(())
    }
}
