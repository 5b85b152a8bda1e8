//! Legs that step by themselves as a kind of modifier. The law is in [`crate::solvers::gait`].
//!
//! As foot placement does, it moves the pelvis, and says where the limbs of its feet have their targets in
//! this pass. It needs no animation: the homes of the feet are those of the rest pose.

use glam::{Affine2, Vec2};
use serde::{Deserialize, Serialize};

use crate::kinematics::tree::Unsolvable;
use crate::math::rotation::Rotation;
use crate::rig::fault::{Fault, Skeleton};
use crate::rig::goal::Goal;
use crate::rig::kept::{Kept, keeps_memory};
use crate::rig::kind::{Context, Kind, Limb, Parts};
use crate::rig::kinds::foot::{Foot, unit_of};
use crate::skeleton::bone::Point;
use crate::skeleton::report::{Report, Status};
use crate::solvers::gait::input::{GaitSettings, Probe, Tick};
use crate::solvers::gait::leg::{Leg, Walk};
use crate::solvers::gait::memory::GaitMemory;
use crate::solvers::pelvis::PelvisSettings;

/// Legs that step by themselves.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Gait {
    /// Index of the bone that carries all limbs.
    pub pelvis: usize,
    /// The feet. What says when an animated foot is planted does not count.
    pub feet: Vec<Foot>,
    /// The frames of all bones in the rest pose, in skeleton space.
    #[serde(with = "crate::math::number")]
    pub rest: Vec<Affine2>,
    /// Away from the ground, in global space; of any length but zero.
    #[serde(with = "crate::math::number")]
    pub up: Vec2,
    /// How it steps.
    #[serde(default)]
    pub settings: GaitSettings,
    /// How the pelvis is moved.
    #[serde(default)]
    pub pelvis_settings: PelvisSettings,
    /// The last ticks of the physics, oldest first. Those that were taken before do not count.
    pub ticks: Vec<Tick>,
    /// What was found for each foot in the first of them, then in the next, and so on.
    pub probes: Vec<Probe>,
    /// What the pass before left.
    #[serde(default, skip_serializing_if = "Kept::is_new")]
    pub memory: Kept<GaitMemory>,
}

impl Gait {
    /// A gait with the usual settings.
    pub fn new(pelvis: usize, feet: Vec<Foot>) -> Self {
        Self {
            pelvis,
            feet,
            rest: Vec::new(),
            up: Vec2::NEG_Y,
            settings: GaitSettings::default(),
            pelvis_settings: PelvisSettings {
                max_rise: 40.0,
                ..PelvisSettings::default()
            },
            ticks: Vec::new(),
            probes: Vec::new(),
            memory: Kept::default(),
        }
    }

    /// The legs. `limb` finds a limb by its index.
    pub(in crate::rig) fn legs<'a>(
        &self,
        limb: impl Fn(usize) -> Option<Limb<'a>>,
        to_global: Affine2,
    ) -> impl Iterator<Item = Option<Leg>> {
        let up = to_global.matrix2.inverse() * self.up.normalize_or_zero();
        let up = up * unit_of(to_global);
        let feet = self.feet.iter();
        feet.map(move |foot| self.leg(foot, limb(foot.limb?)?, up))
    }

    /// A leg in the rest pose. `up` is one unit long.
    fn leg(&self, foot: &Foot, limb: Limb<'_>, up: Vec2) -> Option<Leg> {
        let tip = limb.parts.tip();
        let &root = limb.parts.joints().first()?;
        let of_rest = |point: Point| {
            let frame = point.bone.and_then(|bone| self.rest.get(bone));
            frame.map_or(Vec2::NAN, |frame| frame.transform_point2(point.position))
        };
        let sole = up * foot.settings.sole_height;
        let leg = Leg {
            home: of_rest(tip) - sole,
            hip: of_rest(Point::origin_of(Some(root))) - sole,
            reach: limb.reach(of_rest)?,
            max_slope: foot.settings.max_slope,
        };
        let is_sound = leg.home.is_finite() && leg.hip.is_finite() && leg.reach.is_finite();
        (limb.is_active && is_sound).then_some(leg)
    }

    pub(in crate::rig) fn walk<'a>(&self, legs: &'a [Option<Leg>]) -> Walk<'a> {
        let pivot = self.rest.get(self.pelvis);
        Walk {
            settings: self.settings,
            pelvis: self.pelvis_settings,
            up: self.up.normalize_or_zero(),
            pivot: pivot.map_or(Vec2::ZERO, |frame| frame.translation),
            legs,
        }
    }

    /// What a foot's limb is to do: its index, and its goal.
    fn goal(&self, index: usize, walk: Walk<'_>, context: &Context<'_>) -> Option<(usize, Goal)> {
        let (foot, to_global) = (&self.feet[index], context.to_global);
        let found = foot.find(context.later, context.pose, to_global)?;
        let shown = self.memory.after.show(index, walk, to_global)?;
        let part = context.influence.part();
        let turn = Rotation::from_angle(shown.turn);
        let sole = turn.apply(walk.up) * (unit_of(to_global) * foot.settings.sole_height);
        let place = found.tip.lerp(shown.place + sole, part);
        let rest = foot.bone.and_then(|bone| self.rest.get(bone));
        let rest = rest.map(|rest| to_global.transform_vector2(rest.matrix2.x_axis));
        let direction = rest.zip(found.direction).map(|(rest, own)| {
            let way = Rotation::between(own, turn.apply(rest));
            let part = part * way.map_or(0.0, Rotation::angle);
            (Rotation::from_angle(part).apply(own), 1.0)
        });
        Some((found.index, foot.goal(place, direction, 0.0, to_global)))
    }

    /// Moves and turns the pelvis.
    fn carry(&self, walk: Walk<'_>, context: &mut Context<'_>) -> Result<(), Unsolvable> {
        let memory = &self.memory.after;
        let carriage = memory.carriage(walk, context.to_global).ok_or(Unsolvable)?;
        let bone = context.pose.bone(self.pelvis);
        let (rotation, position) = (bone.rotation, bone.position);
        let mount = context.to_global.matrix2 * context.pose.frame(bone.parent()).matrix2;
        let place = position + mount.inverse() * (walk.up * carriage.shift);
        let angle = rotation + mount.determinant().signum() * carriage.turn;
        if !(place.is_finite() && angle.is_finite()) {
            return Err(Unsolvable);
        }
        let turn = Rotation::from_angle(angle);
        let (influence, pelvis) = (context.influence, self.pelvis);
        influence.shift(context.pose, pelvis, place);
        influence.turn_shorter_way(context.pose, pelvis, angle, turn);
        Ok(())
    }
}

impl Parts for Gait {
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
    }
}

impl Kind for Gait {
    fn validate(&self, skeleton: &Skeleton<'_>) -> Result<(), Fault> {
        let feet = self.feet.iter().filter_map(|foot| foot.bone);
        skeleton.check_bones(feet.chain([self.pelvis]))
    }

    fn apply(&mut self, context: &mut Context<'_>) -> Result<Report, Unsolvable> {
        // What the world does is not known.
        context.is_moving = true;
        if self.feet.iter().all(|foot| foot.limb.is_none()) {
            return Ok(Report::without_solve(Status::Idle));
        }
        let to_global = context.to_global;
        let area = to_global.matrix2.determinant();
        let up = self.up.normalize_or_zero();
        if up == Vec2::ZERO || area == 0.0 || !to_global.is_finite() {
            return Err(Unsolvable);
        }
        let mut legs = std::mem::take(&mut context.workspace.legs);
        legs.clear();
        legs.extend(self.legs(|limb| context.later.limb(limb), to_global));
        let mut memory = std::mem::take(&mut self.memory.after);
        memory.take(self.walk(&legs), &self.ticks, &self.probes, context.delta);
        self.memory.after = memory;
        let result = self.apply_to(&legs, context);
        context.workspace.legs = legs;
        result?;
        Ok(Report::without_solve(Status::Reached))
    }

    keeps_memory!();
}

impl Gait {
    /// Shows what the last tick came to.
    fn apply_to(&self, legs: &[Option<Leg>], context: &mut Context<'_>) -> Result<(), Unsolvable> {
        let walk = self.walk(legs);
        if self.memory.after.last_tick().is_none() || context.influence.part() == 0.0 {
            return Ok(());
        }
        let mut goals = std::mem::take(&mut context.workspace.goals);
        goals.clear();
        goals.extend((0..self.feet.len()).filter_map(|it| self.goal(it, walk, context)));
        let is_finite = goals.iter().all(|(_, goal)| goal.is_finite());
        let carried = match is_finite {
            true => self.carry(walk, context),
            false => Err(Unsolvable),
        };
        if carried.is_ok() {
            for &(limb, goal) in &goals {
                context.later.aim(limb, goal);
            }
        }
        context.workspace.goals = goals;
        carried
    }
}
