//! What stands on ground as a kind of modifier: feet under an animation, and feet that step by themselves. The
//! law is in [`crate::solvers::stance`].
//!
//! It moves the pelvis, and hands each foot's limb what to reach for in this pass (`Peers::aim`). The limbs are
//! modifiers that come after it, with limits, poles and stretch of their own. What an animation does with a foot
//! is where the limb's target is, if it has one, or else where its tip is in the pose.
//!
//! The ground is asked for in ticks of the physics ([`Rig::stand`](crate::rig::Rig::stand)). What is answered is
//! recorded, and part of what a pass is given: a capture solves it again.

use glam::{Affine2, Vec2};
use serde::{Deserialize, Serialize};

use crate::kinematics::tree::Unsolvable;
use crate::math::number;
use crate::math::rotation::Rotation;
use crate::rig::fault::{Fault, Skeleton};
use crate::rig::kept::Keeps;
use crate::rig::kind::{Context, Kind, Parts, Peer, Peers};
use crate::rig::kinds::foot::{Foot, RestPose};
use crate::rig::pose::Pose;
use crate::rig::standing::{AtRest, Standing};
use crate::skeleton::report::{Report, Status};
use crate::solvers::stance::leg::Leg;
use crate::solvers::stance::scene::Law;
use crate::solvers::stance::settings::{GaitSettings, PelvisSettings};
use crate::solvers::stance::world::{Tick, World};

/// The greatest speeds of the joints of a leg, relative to their animation, and of one that steps by itself, in radians
/// per second.
const FASTEST: f32 = 16.8;
const FASTEST_STEP: f32 = 18.0;

/// Feet on the ground.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stance {
    /// Index of the bone that carries all limbs.
    pub pelvis: usize,
    /// The feet.
    pub feet: Vec<Foot>,
    /// The frames of all bones in the rest pose, in skeleton space.
    #[serde(with = "number")]
    pub rest: Vec<Affine2>,
    /// Away from the ground; of any length but zero.
    #[serde(with = "number")]
    pub up: Vec2,
    /// `true` if that is in skeleton space, and not in global space.
    #[serde(default)]
    pub is_up_of_skeleton: bool,
    /// The height of the pelvis over the ground when the character stands; 0: as in the rest pose.
    #[serde(default, with = "number")]
    pub stand_height: f32,
    /// The greatest heights above and below the animation's own plane at which ground counts.
    #[serde(with = "number")]
    pub search_up: f32,
    /// See above.
    #[serde(with = "number")]
    pub search_down: f32,
    /// Settings of the pelvis.
    #[serde(default)]
    pub pelvis_settings: PelvisSettings,
    /// The part of the slope of animated feet that the body takes, 0 to 1.
    #[serde(default, with = "number", skip_serializing_if = "number::is_usual")]
    pub body_tilt: f32,
    /// Settings of feet that step, and have no animation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gait: Option<GaitSettings>,
    /// The ticks that no pass has taken yet, and what the pass before left.
    #[serde(default)]
    pub memory: Box<Standing>,
}

impl Stance {
    /// Feet under an animation, with the usual settings.
    pub fn new(pelvis: usize, feet: Vec<Foot>) -> Self {
        Self {
            pelvis,
            feet,
            rest: Vec::new(),
            up: Vec2::NEG_Y,
            is_up_of_skeleton: false,
            stand_height: 0.0,
            search_up: 30.0,
            search_down: 60.0,
            pelvis_settings: PelvisSettings::default(),
            body_tilt: 0.0,
            gait: None,
            memory: Box::default(),
        }
    }

    /// Feet that step, with the usual settings.
    pub fn that_steps(pelvis: usize, feet: Vec<Foot>) -> Self {
        Self {
            search_up: 40.0,
            pelvis_settings: PelvisSettings {
                max_pelvis_rise: 40.0,
                ..PelvisSettings::default()
            },
            gait: Some(GaitSettings::default()),
            ..Self::new(pelvis, feet)
        }
    }

    /// Away from the ground, in skeleton space and of length 1; NaN if that is nowhere.
    pub(in crate::rig) fn up_in(&self, to_global: Affine2) -> Vec2 {
        let up = match self.is_up_of_skeleton {
            true => self.up,
            false => to_global.matrix2.inverse() * self.up,
        };
        up.try_normalize().unwrap_or(Vec2::NAN)
    }

    /// `rise`: how far the skeleton is moved up against the character's body.
    pub(in crate::rig) fn law<'a>(&self, legs: &'a [Option<Leg>], up: Vec2, rise: f32) -> Law<'a> {
        let pivot = self.rest.get(self.pelvis);
        let count = legs.iter().flatten().count().max(1) as f32;
        let carried = legs.iter().flatten().map(|leg| leg.carried);
        let carried = carried.sum::<Vec2>() / count;
        let pivot = pivot.map_or(Vec2::ZERO, |frame| frame.translation) + carried;
        let soles = legs.iter().flatten().map(|leg| leg.home.dot(up));
        let level = match self.stand_height > 0.0 {
            true => pivot.dot(up) - self.stand_height,
            false => soles.fold(f32::INFINITY, f32::min),
        };
        Law {
            up,
            level: level - rise,
            raised: rise,
            search: [self.search_up, self.search_down],
            pelvis: self.pelvis_settings,
            pivot,
            carried,
            body_tilt: self.gait.map_or(self.body_tilt, |gait| gait.body_tilt),
            gait: self.gait,
            legs,
        }
    }

    /// A tick of the physics: right before a pass that begins from `pose`, or after the last one.
    pub(in crate::rig) fn tick(
        &mut self,
        tick: Tick,
        floors: &[u32],
        later: &dyn Peers,
        pose: Option<&Pose>,
        world: &mut dyn World,
    ) {
        match pose {
            Some(pose) => self.renew_posed(later, pose, self.up_in(tick.to_global)),
            // What was drawn since does not count: so feet fall at the same time at any frame rate.
            None => {
                let posed = self.memory.posed.iter_mut().flatten();
                posed.for_each(|posed| posed.miss = None);
            }
        }
        if self.memory.posed.len() != self.feet.len() {
            // No pass has shown them yet.
            return;
        }
        self.memory.add(tick, floors, pose.is_some());
        let mut ticks = std::mem::take(&mut self.memory.ticks);
        self.go_through(tick, floors, later, &mut ticks.noting(world));
        self.memory.ticks = ticks;
        self.memory.is_loaded = pose.is_some();
    }

    /// Goes through a tick with the feet as they are posed.
    fn go_through(&mut self, tick: Tick, floors: &[u32], later: &dyn Peers, world: &mut dyn World) {
        let up = self.up_in(tick.to_global);
        let legs = self.renewed_legs(later, up);
        let law = self.law(&legs, up, tick.raised(up));
        let Standing { ahead, posed, .. } = &mut *self.memory;
        if let Some(ahead) = ahead {
            ahead.tick(&law, tick, posed, floors, world);
        }
        self.memory.legs = legs;
    }

    /// Goes through the ticks that were recorded elsewhere.
    fn replay(&mut self, later: &dyn Peers) {
        let Some(ticks) = self.memory.take_unrun() else {
            return;
        };
        ticks.replay(|tick, posed, floors, told| {
            self.memory.posed.clear();
            self.memory.posed.extend_from_slice(posed);
            self.go_through(tick, floors, later, told);
        });
        self.memory.ticks = ticks;
    }

    /// Takes over the feet as the animation has them now.
    fn renew_posed(&mut self, later: &dyn Peers, pose: &Pose, up: Vec2) {
        let (feet, frames) = (self.feet.iter(), &self.rest);
        let rest = RestPose { frames, up };
        self.memory.posed.clear();
        self.memory.posed.extend(feet.map(|foot| {
            let is_placed = |limb: &Peer<'_>| limb.is_active && foot.settings.influence > 0.0;
            let limb = later.limb(foot.limb?).filter(is_placed)?;
            foot.posed(limb, rest, pose)
        }));
    }

    /// The legs as they are now. Their list is taken out of the memory, to be put back.
    fn renewed_legs(&mut self, later: &dyn Peers, up: Vec2) -> Vec<Option<Leg>> {
        let mut legs = std::mem::take(&mut self.memory.legs);
        let mut at_rest = std::mem::take(&mut self.memory.at_rest);
        legs.clear();
        at_rest.resize(self.feet.len(), (None, None));
        legs.extend(self.legs(&mut at_rest, |limb| later.limb(limb), up));
        self.memory.at_rest = at_rest;
        legs
    }

    /// Its legs, of those `at_rest`. `limb` finds a limb by its index; legs that step are carried to where their hips are
    /// posed.
    pub(in crate::rig) fn legs<'a>(
        &'a self,
        at_rest: &'a mut [AtRest],
        limb: impl Fn(usize) -> Option<Peer<'a>> + 'a,
        up: Vec2,
    ) -> impl Iterator<Item = Option<Leg>> + 'a {
        let (feet, frames) = (self.feet.iter().zip(at_rest).enumerate(), &self.rest);
        let rest = RestPose { frames, up };
        feet.map(move |(index, (foot, at_rest))| {
            let limb = limb(foot.limb?)?;
            let mut leg = foot.leg(limb, rest, at_rest)?;
            let posed = self.memory.posed.get(index).and_then(Option::as_ref);
            if let Some(posed) = posed.filter(|_| self.gait.is_some()) {
                leg.carry(posed.hip, up);
            }
            let animated = posed.filter(|_| self.gait.is_none());
            foot.add_foot(&mut leg, limb, rest, animated);
            Some(leg)
        })
    }

    /// Moves and turns the pelvis.
    fn carry(&self, law: &Law<'_>, context: &mut Context<'_>) -> Result<(), Unsolvable> {
        let carried = self.memory.last().pelvis;
        if !carried.is_moved() {
            return Ok(());
        }
        let bone = context.pose.bone(self.pelvis);
        let (rotation, position) = (bone.rotation, bone.position);
        let mount = context.pose.frame(bone.parent()).matrix2;
        let place = position + mount.inverse() * (law.up * carried.shift);
        let angle = rotation + 1.0_f32.copysign(mount.determinant()) * carried.turn;
        if !(place.is_finite() && angle.is_finite()) {
            return Err(Unsolvable);
        }
        let (influence, pelvis) = (context.influence, self.pelvis);
        influence.shift(context.pose, pelvis, place);
        if carried.turn != 0.0 {
            let turn = Rotation::from_angle(angle);
            influence.turn_shorter_way(context.pose, pelvis, angle, turn);
        }
        Ok(())
    }

    /// Hands each limb what it is to do, and carries the pelvis.
    fn aim(&self, law: &Law<'_>, context: &mut Context<'_>) -> Result<(), Unsolvable> {
        let part = context.influence.part();
        let fastest = self.gait.map_or(FASTEST, |_| FASTEST_STEP);
        let pace = [fastest, self.memory.last().riding.tick];
        let feet = self.feet.iter().zip(&self.memory.posed).enumerate();
        for (index, (foot, posed)) in feet {
            let (Some(limb), Some(posed)) = (foot.limb, posed) else {
                continue;
            };
            let memory = self.memory.last();
            let shown = memory.show(index, law, posed, context.to_global);
            let goal = foot.goal(posed, shown, part * foot.settings.influence, pace);
            if !goal.is_finite() {
                return Err(Unsolvable);
            }
            context.later.aim(limb, goal);
        }
        self.carry(law, context)
    }
}

impl Parts for Stance {
    fn joints(&self) -> &[usize] {
        std::slice::from_ref(&self.pelvis)
    }

    fn feet(&self) -> usize {
        self.feet.len()
    }

    fn moves_by_itself(&self) -> bool {
        true
    }

    /// It gives a pose, which others go on from.
    fn follows_the_pose(&self) -> bool {
        false
    }

    fn link(&mut self, limbs: &[Option<usize>], rest: &[Affine2]) {
        for (foot, &limb) in self.feet.iter_mut().zip(limbs) {
            foot.limb = limb;
        }
        self.rest = rest.to_vec();
        self.memory.at_rest.clear();
    }
}

impl Kind for Stance {
    fn validate(&self, skeleton: &Skeleton<'_>) -> Result<(), Fault> {
        let feet = self.feet.iter();
        let bones = feet.flat_map(|foot| foot.bone.into_iter().chain(foot.toes));
        skeleton.check_bones(bones.chain([self.pelvis]))
    }

    fn apply(&mut self, context: &mut Context<'_>) -> Result<Report, Unsolvable> {
        // What the world does is not known.
        context.is_moving = true;
        if self.feet.iter().all(|foot| foot.limb.is_none()) {
            return Ok(Report::without_solve(Status::Idle));
        }
        let to_global = context.to_global;
        let area = to_global.matrix2.determinant();
        let up = self.up_in(to_global);
        if area == 0.0 || !to_global.is_finite() || !up.is_finite() {
            return Err(Unsolvable);
        }
        self.replay(&*context.later);
        self.memory.finish();
        let legs = match std::mem::take(&mut self.memory.is_loaded) {
            true => std::mem::take(&mut self.memory.legs),
            false => {
                self.renew_posed(&*context.later, context.pose, up);
                self.renewed_legs(&*context.later, up)
            }
        };
        let law = self.law(&legs, up, self.memory.last().riding.raised);
        let is_seen = !self.memory.last().is_new() && context.influence.part() > 0.0;
        let result = match is_seen {
            true => self.aim(&law, context),
            false => Ok(()),
        };
        self.memory.legs = legs;
        result.map(|()| Report::without_solve(Status::Reached))
    }

    fn kept(&mut self) -> Option<&mut dyn Keeps> {
        Some(&mut *self.memory)
    }

    fn kept_ref(&self) -> Option<&dyn Keeps> {
        Some(&*self.memory)
    }
}
