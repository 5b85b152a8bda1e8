//! The state of a rig as bytes. They can be saved, and a rig can go on from them later.
//!
//! A [capture](crate::capture) holds a pass, to be looked at. A snapshot holds only what the next
//! pass cannot find out from bones, targets and settings: what each modifier keeps, and what it came to.
//!
//! All of it is checked before any of it is taken. One walk through the text finds numbers that are not finite,
//! in whatever memory they are, and each memory says whether it fits a modifier of that extent. What is finite and
//! still cannot be solved with, since a sum of it is infinite, the modifier forgets in its next pass.

use glam::Vec2;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::rig::Rig;
use crate::rig::finite::AllFinite;
use crate::rig::modifier::Modifier;
use crate::rig::placed::Shift;
use crate::skeleton::extent::Keepable;
use crate::skeleton::report::{Report, Status};
use crate::solvers::handover::Passing;

/// The version of the format that this crate reads and writes.
const VERSION: u32 = 3;

/// The state from which a rig goes on.
///
/// A rig comes back to a frame, and goes on to the same bits:
///
/// ```
/// use tendon_solver::glam::Vec2;
/// use tendon_solver::{Bone, Chain, End, Modifier, Point, Rig, Snapshot, Spring, Workspace};
/// # let tip = End::Point(Point { bone: Some(0), position: Vec2::X * 50.0 });
/// # let spring = Spring::new(Chain::new(vec![0], tip));
/// # let mut rig = Rig::new(vec![Bone::below(None)], vec![Modifier::new(spring)]);
/// # rig.delta = 1.0 / 60.0;
///
/// let mut workspace = Workspace::default();
/// rig.solve(&mut workspace);
/// rig.bones[0].rotation = 1.0;
/// let bytes = Snapshot::of(&rig, Vec::new()).to_bytes();
/// rig.go_on();
/// rig.solve(&mut workspace);
/// let first = rig.rotation(0);
///
/// let snapshot = Snapshot::read(&bytes)?;
/// snapshot.check(&rig)?;
/// snapshot.restore(&mut rig);
/// rig.go_on();
/// rig.solve(&mut workspace);
/// assert_eq!(rig.rotation(0).to_bits(), first.to_bits());
/// # Ok::<(), tendon_solver::Unfit>(())
/// ```
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Snapshot {
    version: u32,
    /// What the owner of the bones remembers of them.
    pub bones: Vec<u32>,
    /// What scripts of modifiers remember, by the indices of these, in the words of their owner.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub scripts: Vec<(usize, String)>,
    modifiers: Vec<ModifierState>,
}

/// What a modifier keeps for the next pass.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ModifierState {
    /// The joints of the modifier.
    joints: Vec<usize>,
    /// What its kind keeps, in the words of the kind.
    #[serde(skip_serializing_if = "Option::is_none")]
    memory: Option<Box<RawValue>>,
    /// How far it has gone over to its target.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    passing: Option<Passing>,
    /// How far a limb that a foot places is from its animation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    placed: Option<Shift>,
    is_moving: bool,
    outcome: Outcome,
}

/// What the last pass came to. Numbers that are not finite are left out: there is nothing to measure, or it
/// cannot be measured.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Outcome {
    status: Status,
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        with = "crate::math::number"
    )]
    tip: Option<Vec2>,
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        with = "crate::math::number"
    )]
    distance: Option<f32>,
    iterations: u32,
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        with = "crate::math::number"
    )]
    penetration: Option<f32>,
}

impl Outcome {
    fn of(report: Report) -> Self {
        Self {
            status: report.status,
            tip: Some(report.tip).filter(|tip| tip.is_finite()),
            distance: Some(report.distance).filter(|distance| distance.is_finite()),
            iterations: report.iterations,
            penetration: Some(report.penetration)
                .filter(|depth| depth.is_finite() && *depth != 0.0),
        }
    }

    fn report(self) -> Report {
        Report {
            status: self.status,
            tip: self.tip.unwrap_or(Vec2::NAN),
            distance: self.distance.unwrap_or(f32::INFINITY),
            iterations: self.iterations,
            penetration: self.penetration.unwrap_or(0.0),
        }
    }
}

/// Why a rig cannot go on from a snapshot.
#[derive(Debug, thiserror::Error)]
pub enum Unfit {
    /// It is not a snapshot, or not all of one. The cause is for those who work on the format.
    #[error(
        "the state is damaged. Pass the array on as get_state() has returned it, all of it and with nothing \
         changed"
    )]
    Damaged(#[from] serde_json::Error),
    /// It has a number that no pass leaves.
    #[error("the state is damaged: a number in it is not finite, or too large")]
    NotFinite,
    /// It is of another version of the format.
    #[error("the state is of version {0}, and only version {VERSION} can be restored")]
    Version(u64),
    /// It is that of a rig with other modifiers.
    #[error("the state has {found} modifiers that work, and this rig has {expected}")]
    Modifiers {
        /// In the snapshot.
        found: usize,
        /// In the rig.
        expected: usize,
    },
    /// It is that of a rig whose modifier turns other bones.
    #[error("modifier {0} turned other bones when the state was saved")]
    Joints(usize),
    /// It is that of a rig whose modifiers keep other things.
    #[error("the state has modifiers of other classes than this rig")]
    Kind,
    /// It is that of a rig whose modifier has more joints or feet, or fewer.
    #[error("what modifier {0} remembers is of another number of bones, effectors or feet")]
    Extent(usize),
}

/// What was kept, which may have been nothing.
fn or_nothing(memory: Option<&RawValue>) -> &RawValue {
    memory.unwrap_or(RawValue::NULL)
}

/// All that is looked at before the version is known.
#[derive(Deserialize)]
struct Header {
    version: u64,
}

impl Snapshot {
    /// What `rig` goes on from after its last solve. `bones` is what their owner remembers. There is nothing
    /// from scripts yet.
    pub fn of(rig: &Rig, bones: Vec<u32>) -> Self {
        let saved = |modifier: &Modifier| ModifierState {
            joints: modifier.parts().joints().to_vec(),
            memory: modifier.solver.kind().save(),
            passing: { modifier.handover.as_ref() }.map(|it| it.memory.after.clone()),
            placed: modifier.placed.as_ref().map(|it| it.memory.last().clone()),
            is_moving: modifier.is_moving,
            outcome: Outcome::of(modifier.report),
        };
        Self {
            version: VERSION,
            bones,
            scripts: Vec::new(),
            modifiers: rig.modifiers.iter().map(saved).collect(),
        }
    }

    /// The snapshot as bytes. The same snapshot has the same bytes, on every platform.
    ///
    /// # Panics
    /// Never: there is nothing in a snapshot that JSON could not say.
    pub fn to_bytes(&self) -> Vec<u8> {
        serde_json::to_vec(self).expect("a snapshot can be written")
    }

    /// Reads what [`to_bytes`](Self::to_bytes) has written.
    ///
    /// # Errors
    /// What is [wrong](Unfit) with the bytes.
    pub fn read(bytes: &[u8]) -> Result<Self, Unfit> {
        let Header { version } = serde_json::from_slice(bytes)?;
        if version != u64::from(VERSION) {
            return Err(Unfit::Version(version));
        }
        // What is no JSON was found before this.
        AllFinite::check(bytes).map_err(|_| Unfit::NotFinite)?;
        Ok(serde_json::from_slice(bytes)?)
    }

    /// Whether `rig` can go on from it.
    ///
    /// # Errors
    /// Why [not](Unfit).
    pub fn check(&self, rig: &Rig) -> Result<(), Unfit> {
        let (found, expected) = (self.modifiers.len(), rig.modifiers.len());
        if found != expected {
            return Err(Unfit::Modifiers { found, expected });
        }
        let mut pairs = self.modifiers.iter().zip(&rig.modifiers);
        let other = pairs.position(|(saved, modifier)| saved.joints != modifier.parts().joints());
        if let Some(index) = other {
            return Err(Unfit::Joints(index));
        }
        for (index, (saved, modifier)) in self.modifiers.iter().zip(&rig.modifiers).enumerate() {
            let extent = modifier.extent();
            let fits = match (&saved.memory, modifier.solver.kind().kept_ref()) {
                // It could be read, as JSON: what cannot be read now is what another class keeps.
                (Some(memory), Some(kept)) => {
                    kept.check(memory, extent).map_err(|_| Unfit::Kind)?
                }
                (None, None) => true,
                _ => return Err(Unfit::Kind),
            };
            if !fits || !saved.passing.fits(extent) || !saved.placed.fits(extent) {
                return Err(Unfit::Extent(index));
            }
        }
        Ok(())
    }

    /// Makes `rig`, for which it has been [checked](Self::check), go on from it. Its solvers must
    /// be set to what they are now.
    pub fn restore(self, rig: &mut Rig) {
        for (modifier, saved) in rig.modifiers.iter_mut().zip(self.modifiers) {
            let memory = or_nothing(saved.memory.as_deref());
            modifier.solver.kind_mut().restore(memory);
            if let Some(handover) = &mut modifier.handover {
                handover.memory.after = saved.passing.unwrap_or_default();
            }
            match (&mut modifier.placed, saved.placed) {
                (Some(placed), shift) => placed.memory.after = shift.unwrap_or_default(),
                (placed, Some(shift)) => placed.get_or_insert_default().memory.after = shift,
                (None, None) => {}
            }
            modifier.is_moving = saved.is_moving;
            modifier.report = saved.outcome.report();
        }
    }
}
