//! Waves: a sine that runs along a chain, from the root to the tip, and is added to the pose.
//!
//! The joint at the part `s` of the chain's length turns by
//!
//! ```text
//! amplitude · factor(joint) · sin 2π (phase + time · speed − s / wave_length)
//! ```
//!
//! Time is what is kept: the waves that have passed. So the speed may change at any time without a
//! jump, and two frames of half the length are as good as one. Limits stop a joint, and a stiff one
//! turns by `1 − stiffness` of the angle. A mirrored chain waves in the mirror.
//!
//! Source: the plain travelling wave.

use std::f64::consts::TAU;

use serde::{Deserialize, Serialize};

use crate::kinematics::limb::Limb;
use crate::kinematics::tree::Unsolvable;
use crate::math::number;
use crate::math::rotation::Rotation;
use crate::math::settings::settings;
use crate::math::trigonometry::unit_vector;
use crate::rig::chain::Chain;
use crate::rig::fault::{Fault, Skeleton};
use crate::rig::kept::{Kept, keeps_memory};
use crate::rig::kind::{Context, Kind, Parts};
use crate::skeleton::report::{Report, Status};

/// A chain along which a wave runs.
///
/// A fin that waves twice in a second is after half a second where it was:
///
/// ```
/// use tendon_solver::glam::Vec2;
/// use tendon_solver::{Bone, Chain, End, Modifier, Point, Rig, Wave, Workspace};
/// # let bones = (0..3).map(|bone: usize| Bone {
/// #     position: Vec2::X * if bone == 0 { 0.0 } else { 50.0 },
/// #     ..Bone::below(bone.checked_sub(1))
/// # });
/// # let mut rig = Rig::new(bones.collect(), Vec::new());
/// # let tip = End::Point(Point { bone: Some(2), position: Vec2::X * 50.0 });
/// # let chain = Chain::new(vec![0, 1, 2], tip);
///
/// let mut wave = Wave::new(chain);
/// wave.settings.speed = 2.0;
/// rig.modifiers.push(Modifier::new(wave));
/// let mut workspace = Workspace::default();
/// rig.solve(&mut workspace);
/// let before = rig.rotation(1);
/// rig.go_on();
/// rig.delta = 0.5;
/// rig.solve(&mut workspace);
/// assert!((rig.rotation(1) - before).abs() < 1e-4);
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wave {
    /// The bones that turn.
    pub chain: Chain,
    /// The factors of the joints' amplitudes, root first; empty: all 1.
    #[serde(default, skip_serializing_if = "Vec::is_empty", with = "number")]
    pub factors: Vec<f32>,
    /// The settings of the wave.
    #[serde(default)]
    pub settings: WaveSettings,
    /// The time that has passed.
    #[serde(default, skip_serializing_if = "Kept::is_new")]
    pub memory: Kept<Elapsed>,
}

settings! {
    /// Settings of a wave.
    WaveSettings {
        /// The angle by which each joint turns to either side, in radians.
        amplitude: f32 = 0.3;
        /// The length of a wave, as a part of the chain's. Negative: it runs from the tip to the root.
        wave_length: f32 = 1.0;
        /// Waves per second.
        speed: f32 = 1.0;
        /// The phase at time 0, in waves.
        phase: f32 = 0.0;
    }
}

/// The part of a wave that has passed besides whole ones, 0 to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Elapsed {
    waves: f64,
}

impl Wave {
    /// A wave with the usual settings.
    pub fn new(chain: Chain) -> Self {
        Self {
            chain,
            factors: Vec::new(),
            settings: WaveSettings::default(),
            memory: Kept::default(),
        }
    }

    /// Turns the joints of `limb` when `waves` have passed the root.
    fn bend(&self, limb: &mut Limb, waves: f64) -> Result<(), Unsolvable> {
        let length = f64::from(limb.reach());
        let per_chain = 1.0 / f64::from(self.settings.wave_length);
        let amplitude = f64::from(self.settings.amplitude);
        if !(length > 0.0 && (per_chain + amplitude + waves).is_finite()) {
            return Err(Unsolvable);
        }
        let Limb {
            joints,
            bounds,
            lengths,
            ..
        } = limb;
        let mut passed = 0.0;
        for (index, (joint, bound)) in joints.iter_mut().zip(bounds).enumerate() {
            let part = (waves - per_chain * passed / length).rem_euclid(1.0);
            let factor = self.factors.get(index).copied().unwrap_or(1.0);
            let mobility = bound.as_ref().map_or(1.0, |bound| bound.weight);
            let swing = amplitude * f64::from(factor * mobility) * unit_vector(TAU * part).y;
            joint.rotation = joint.base.then(Rotation::from_angle(swing as f32));
            passed += f64::from(lengths[index]);
        }
        limb.place_each(|_, _| {}, true);
        Ok(())
    }
}

impl Parts for Wave {
    fn chain(&self) -> Option<&Chain> {
        Some(&self.chain)
    }

    /// Only limits in the skeleton's space do.
    fn depends_on_parent(&self) -> bool {
        false
    }

    fn moves_by_itself(&self) -> bool {
        true
    }

    /// It gives a pose, which others may go on from.
    fn follows_the_pose(&self) -> bool {
        false
    }
}

impl Kind for Wave {
    keeps_memory!();

    fn validate(&self, skeleton: &Skeleton<'_>) -> Result<(), Fault> {
        self.chain.validate(skeleton)
    }

    fn apply(&mut self, context: &mut Context<'_>) -> Result<Report, Unsolvable> {
        let WaveSettings { speed, phase, .. } = self.settings;
        let joints = &self.chain.joints;
        let limb = &mut context.workspace.limb;
        limb.load(joints, self.chain.end, context.pose)?;
        limb.prepare()?;
        let waves = self.memory.after.waves + f64::from(speed) * context.delta;
        self.bend(limb, f64::from(phase) + waves)?;
        limb.take(joints, context.pose, context.influence)?;
        self.memory.after.waves = waves.rem_euclid(1.0);
        context.is_moving = speed != 0.0 && self.settings.amplitude != 0.0;
        Ok(Report::without_solve(Status::Reached))
    }
}
