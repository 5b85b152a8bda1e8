//! Foot placement as a kind of modifier. The law is in [`crate::solvers::feet`].
//!
//! It moves the pelvis, and says where the limbs of its feet have their targets in this pass
//! (`Limbs::aim`). The limbs are modifiers that come after it, with
//! limits, poles and stretch of their own. What an animation does with a foot is where the limb's target
//! is, if it has one, or else where its tip is in the pose.

use glam::{Affine2, Vec2};
use serde::{Deserialize, Serialize};

use crate::kinematics::tree::Unsolvable;
use crate::math::clone_in_place::clone_in_place;
use crate::math::rotation::Rotation;
use crate::rig::fault::{Fault, Skeleton};
use crate::rig::goal::Goal;
use crate::rig::kept::{Kept, keeps_memory};
use crate::rig::kind::{Context, Kind, Limb, Limbs, Parts};
use crate::rig::kinds::foot::{Foot, FoundLimb, unit_of};
use crate::rig::pose::Pose;
use crate::rig::workspace::Workspace;
use crate::skeleton::extent::{Extent, Keepable, is_of_all};
use crate::skeleton::report::{Report, Status};
use crate::solvers::feet::Placed;
use crate::solvers::feet::look::Found;
use crate::solvers::feet::memory::{Animated, FootMemory};
use crate::solvers::pelvis::{Level, PelvisMemory, PelvisSettings, Stand};

/// Animated feet on the ground.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FootPlacement {
    /// Index of the bone that carries all limbs.
    pub pelvis: usize,
    /// The feet.
    pub feet: Vec<Foot>,
    /// What was found for each.
    pub found: Vec<Found>,
    /// The frames of all bones in the rest pose, in skeleton space.
    #[serde(with = "crate::math::number")]
    pub rest: Vec<Affine2>,
    /// Away from the ground, in global space; of any length but zero.
    #[serde(with = "crate::math::number")]
    pub up: Vec2,
    /// How the pelvis is moved.
    #[serde(default)]
    pub settings: PelvisSettings,
    /// How many ticks there were: what was found is as old as the last one.
    pub ticks: u32,
    /// What the pass before left.
    #[serde(default, skip_serializing_if = "Kept::is_new")]
    pub memory: Kept<Footing>,
}

/// What is kept of feet and pelvis.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Footing {
    /// Of each foot.
    pub feet: Vec<FootMemory>,
    pelvis: PelvisMemory,
    /// The last tick that was seen, and the time since.
    ticks: Option<u32>,
    #[serde(with = "crate::math::number")]
    elapsed: f32,
}

clone_in_place!(Footing: feet);

impl Keepable for Footing {
    fn fits(&self, extent: Extent) -> bool {
        is_of_all(&self.feet, extent.feet)
    }
}

impl Footing {
    /// Counts the time. Returns whether there was a tick, and the time since the one before.
    fn tick(&mut self, ticks: u32, delta: f64) -> (bool, Option<f32>) {
        self.elapsed += delta as f32;
        let before = self.ticks.replace(ticks);
        if before == Some(ticks) {
            return (false, None);
        }
        let time = std::mem::take(&mut self.elapsed);
        (true, before.map(|_| time).filter(|&time| time > 0.0))
    }
}

impl FootPlacement {
    /// A placement with the usual settings.
    pub fn new(pelvis: usize, feet: Vec<Foot>) -> Self {
        Self {
            pelvis,
            found: vec![Found::default(); feet.len()],
            feet,
            rest: Vec::new(),
            up: Vec2::NEG_Y,
            settings: PelvisSettings::default(),
            ticks: 0,
            memory: Kept::default(),
        }
    }

    /// The plane that the animation stands on: that of the lowest foot in the rest pose. `limb` finds a
    /// limb by its index.
    pub(in crate::rig) fn level<'a>(
        &self,
        limb: impl Fn(usize) -> Option<Limb<'a>>,
        to_global: Affine2,
    ) -> Option<Level> {
        let up = self.up.normalize_or_zero();
        let unit = unit_of(to_global);
        let soles = self.feet.iter().filter_map(|foot| {
            let tip = limb(foot.limb?)?.parts.tip();
            let tip = self.rest.get(tip.bone?)?.transform_point2(tip.position);
            let tip = to_global.transform_point2(tip);
            Some(tip.dot(up) - unit * foot.settings.sole_height)
        });
        let height = soles.fold(f32::INFINITY, f32::min);
        let is_sound = up != Vec2::ZERO && unit > 0.0 && height.is_finite();
        is_sound.then_some(Level { up, height, unit })
    }

    /// What all feet share.
    fn stand(&mut self, context: &Context<'_>) -> Result<Stand, Unsolvable> {
        let level = self.level(|limb| context.later.limb(limb), context.to_global);
        let level = level.ok_or(Unsolvable)?;
        let (is_tick, tick) = self.memory.after.tick(self.ticks, context.delta);
        Ok(Stand {
            level,
            tick,
            is_tick,
            delta: context.delta,
        })
    }
}

/// A foot and its limb, as the animation has them.
fn animated(
    foot: &Foot,
    rest: &[Affine2],
    later: &dyn Limbs,
    pose: &Pose,
    to_global: Affine2,
    level: Level,
) -> Option<(FoundLimb, Animated)> {
    let found = foot.find(later, pose, to_global)?;
    let sole = foot.sole(later.limb(found.index)?, rest, level, to_global, pose)?;
    let of_rest = foot.bone.and_then(|bone| rest.get(bone));
    let of_rest = of_rest.map(|rest| to_global.transform_vector2(rest.matrix2.x_axis));
    let animated = Animated {
        sole,
        local: to_global.inverse().transform_point2(sole),
        tip: found.tip,
        direction: found.direction.filter(|_| found.awaits_goal),
        rest: of_rest.unwrap_or_default(),
        is_on_ball: found.awaits_goal && foot.toes.is_some(),
        hip: found.hip,
        reach: found.reach,
    };
    Some((found, animated))
}

/// What becomes of a foot, as a goal of its limb.
fn goal(foot: &Foot, found: &FoundLimb, placed: Placed, part: f32, to_global: Affine2) -> Goal {
    let place = found.tip + placed.shift * part;
    let turn = Rotation::from_angle(placed.turn * part);
    let animated = found.direction.filter(|_| found.awaits_goal);
    let direction = match animated {
        Some(direction) => Some((turn.apply(direction), 1.0)),
        None => placed.direction.map(|(way, hold)| (way, hold * part)),
    };
    let turn = to_global.matrix2.determinant().signum() * placed.turn * part;
    foot.goal(place, direction, turn, to_global)
}

impl Parts for FootPlacement {
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

impl Kind for FootPlacement {
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
        let stand = self.stand(context)?;
        let (up, part) = (stand.level.up, context.influence.part());
        let memory = &mut self.memory.after;
        memory.feet.resize(self.feet.len(), FootMemory::default());
        let mut found = memory.feet.iter();
        let stands = found.any(|foot| foot.plant.is_some() || foot.ground.is_some());
        let height = to_global.translation.dot(up);
        memory
            .pelvis
            .follow_body(self.settings, height, stands, stand);
        let hip_shift = up * (memory.pelvis.shift * part);
        let (mut need, mut most) = (f32::INFINITY, f32::INFINITY);
        let mut is_placed = false;
        let Workspace {
            goals, most_pelvis, ..
        } = &mut *context.workspace;
        goals.clear();
        most_pelvis.clear();
        let feet = self.feet.iter().zip(&self.found);
        for ((foot, seen), memory) in feet.zip(&mut memory.feet) {
            let Some((found, animated)) = animated(
                foot,
                &self.rest,
                context.later,
                context.pose,
                to_global,
                stand.level,
            ) else {
                *memory = FootMemory::default();
                continue;
            };
            let lowered = Animated {
                hip: animated.hip + hip_shift,
                ..animated
            };
            let placed = memory.go_on(foot.settings, lowered, *seen, stand);
            let within = animated.most_pelvis(placed.shift, up);
            match memory.plant {
                // The pelvis goes down at once for a foot that stands.
                Some(_) => most = most.min(within),
                None => most_pelvis.push((goals.len(), within)),
            }
            need = placed.rise.map_or(need, |rise| need.min(rise));
            is_placed |= placed.shift != Vec2::ZERO || placed.turn != 0.0;
            is_placed |= placed.direction.is_some();
            let goal = goal(foot, &found, placed, part, to_global);
            goals.push((found.index, goal));
        }
        let need = if need.is_finite() { need } else { 0.0 };
        memory.pelvis.go_on(self.settings, need, stand);
        memory.pelvis.hold(self.settings, most, stand);
        // The others wait for the pelvis above the ground.
        for &(index, within) in most_pelvis.iter() {
            let above = up * ((memory.pelvis.shift - within).max(0.0) * part);
            goals[index].1.point.position += to_global.inverse().transform_vector2(above);
        }
        let shift = up * memory.pelvis.shift;
        if !(is_placed || shift != Vec2::ZERO) || part == 0.0 {
            // To the last bit as the animation has it.
            return Ok(Report::without_solve(Status::Reached));
        }
        let parent = context.pose.bone(self.pelvis).parent();
        let mount = to_global.matrix2 * context.pose.frame(parent).matrix2;
        let place = context.pose.bone(self.pelvis).position + mount.inverse() * shift;
        let is_finite = place.is_finite() && goals.iter().all(|(_, goal)| goal.is_finite());
        if !is_finite {
            return Err(Unsolvable);
        }
        if shift != Vec2::ZERO {
            context.influence.shift(context.pose, self.pelvis, place);
        }
        for &(limb, goal) in goals.iter() {
            context.later.aim(limb, goal);
        }
        Ok(Report::without_solve(Status::Reached))
    }

    keeps_memory!();
}
