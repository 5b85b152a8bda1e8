//! The state of a rig as bytes. They can be saved, and a rig can go on from them later.
//!
//! A [capture](crate::capture) holds a pass, to be looked at. A snapshot holds only what the next
//! pass cannot find out from bones, targets and settings: what each modifier keeps, and what it came to.
//!
//! A checksum at its end says whether anything in it was altered, whatever it is: in a bone, in a memory, in what a
//! script remembers. What is left to check is whether the rig is like the one that was saved.

use glam::Vec2;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::math::number;
use crate::rig::Rig;
use crate::rig::kind_list::Solver;
use crate::rig::let_go::LetGo;
use crate::rig::modifier::Modifier;
use crate::rig::placed::Shift;
use crate::skeleton::report::{Report, Status};
use crate::solvers::handover::Passing;

/// The version of the format that this crate reads and writes: another one if a state, or what is kept of any kind, has
/// other members.
const VERSION: u32 = 8;

/// Digits of the checksum.
const DIGITS: usize = 16;

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
    /// The state that the owner of the bones keeps for each of them.
    pub bones: Vec<u32>,
    /// The state of the modifiers' scripts, by the indices of the modifiers, as text of the owner.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub scripts: Vec<(usize, String)>,
    modifiers: Vec<ModifierState>,
    /// Bones that go back to the base pose.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    let_go: Vec<LetGo>,
}

/// The state that a modifier keeps for the next pass.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ModifierState {
    /// The name of its kind.
    kind: String,
    /// The joints of the modifier.
    joints: Vec<usize>,
    /// The number of its further tips.
    effectors: usize,
    feet: usize,
    /// The state that its kind keeps, as text of the kind.
    #[serde(skip_serializing_if = "Option::is_none")]
    memory: Option<Box<RawValue>>,
    /// The state of its handover to its target.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    passing: Option<Passing>,
    /// The state of a limb that a foot places: its shift from the animation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    placed: Option<Shift>,
    is_moving: bool,
    outcome: Outcome,
}

/// The outcome of the last pass. Numbers that are not finite are left out: there is nothing to measure, or it cannot be
/// measured.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Outcome {
    status: Status,
    #[serde(default, skip_serializing_if = "Option::is_none", with = "number")]
    tip: Option<Vec2>,
    #[serde(default, skip_serializing_if = "Option::is_none", with = "number")]
    distance: Option<f32>,
    iterations: u32,
    #[serde(default, skip_serializing_if = "Option::is_none", with = "number")]
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
    /// It is not a snapshot, or not all of one, or something in it was altered.
    #[error(
        "the state is damaged. Pass the array on as get_state() has returned it, all of it and with nothing \
         changed"
    )]
    Damaged,
    /// It is of another version of the format.
    #[error(
        "the state was saved by another version of Tendon: its format is {0}, and only {VERSION} can be restored. Save \
         it anew with this version"
    )]
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
    /// It is that of a rig whose modifiers do other things.
    #[error("the state has modifiers of other classes than this rig")]
    Kind,
    /// It is that of a rig whose modifier has more effectors or feet, or fewer.
    #[error("modifier {0} had another number of effectors or feet when the state was saved")]
    Extent(usize),
}

/// Returns the name of the kind of `solver`: a memory of one kind means nothing to another.
fn kind_of(solver: &Solver) -> &'static str {
    match solver {
        Solver::Stance(stance) if stance.gait.is_some() => "gait",
        other => other.name(),
    }
}

/// A checksum of `text`: FNV-1a. Any one byte that is altered changes it.
fn checksum(text: &[u8]) -> String {
    let sum = text.iter().fold(0xcbf2_9ce4_8422_2325, |sum: u64, &byte| {
        (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    format!("{sum:0DIGITS$x}")
}

/// Returns the state that was kept, or JSON's `null` if there was none.
fn or_nothing(memory: Option<&RawValue>) -> &RawValue {
    memory.unwrap_or(RawValue::NULL)
}

/// All that is looked at before the version is known.
#[derive(Deserialize)]
struct SnapshotHeader {
    version: u64,
}

impl Snapshot {
    /// Returns the state that `rig` goes on from after its last solve. `bones` is the state that their owner keeps.
    /// There is nothing from scripts yet.
    pub fn of(rig: &Rig, bones: Vec<u32>) -> Self {
        let saved = |modifier: &Modifier| ModifierState {
            kind: kind_of(&modifier.solver).into(),
            joints: modifier.parts().joints().to_vec(),
            effectors: modifier.parts().effectors().len(),
            feet: modifier.parts().feet(),
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
            let_go: rig.let_go.iter().map(LetGo::last).collect(),
        }
    }

    /// The snapshot as bytes. The same snapshot has the same bytes, on every platform.
    ///
    /// # Panics
    /// Never: there is nothing in a snapshot that JSON could not say.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = serde_json::to_vec(self).expect("a snapshot can be written");
        bytes.extend(checksum(&bytes).bytes());
        bytes
    }

    /// Reads what [`to_bytes`](Self::to_bytes) has written.
    ///
    /// # Errors
    /// The [fault](Unfit) that was found in the bytes.
    pub fn read(bytes: &[u8]) -> Result<Self, Unfit> {
        let (text, sum) = bytes.split_at(bytes.len().saturating_sub(DIGITS));
        let is_whole = sum == checksum(text).as_bytes();
        // Versions before 4 had no checksum.
        let header = serde_json::from_slice(if is_whole { text } else { bytes });
        match header {
            Ok(SnapshotHeader { version }) if version != u64::from(VERSION) => {
                Err(Unfit::Version(version))
            }
            Ok(_) if is_whole => serde_json::from_slice(text).map_err(|_| Unfit::Damaged),
            _ => Err(Unfit::Damaged),
        }
    }

    /// Checks that `rig` can go on from it.
    ///
    /// # Errors
    /// Why [not](Unfit).
    pub fn check(&self, rig: &Rig) -> Result<(), Unfit> {
        let (found, expected) = (self.modifiers.len(), rig.modifiers.len());
        if found != expected {
            return Err(Unfit::Modifiers { found, expected });
        }
        for (index, (saved, modifier)) in self.modifiers.iter().zip(&rig.modifiers).enumerate() {
            let parts = modifier.parts();
            if saved.kind != kind_of(&modifier.solver) {
                return Err(Unfit::Kind);
            }
            if saved.joints != parts.joints() {
                return Err(Unfit::Joints(index));
            }
            if (saved.effectors, saved.feet) != (parts.effectors().len(), parts.feet()) {
                return Err(Unfit::Extent(index));
            }
        }
        Ok(())
    }

    /// Makes `rig`, for which it has been [checked](Self::check), go on from it. Its solvers must
    /// be set to what they are now.
    pub fn restore(self, rig: &mut Rig) {
        let bones = rig.bones.len();
        let let_go = self.let_go.into_iter().filter(|it| it.bone < bones);
        rig.let_go = let_go.map(LetGo::restore).collect();
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
