//! One pass as text: what went in and what came out, to be solved again anywhere.
//!
//! A capture is one JSON object. Angles are radians, positions are in the frame of what they
//! hang on, and "skeleton" is skeleton space:
//!
//! | member | meaning |
//! |---|---|
//! | `version` | of this format: [`VERSION`] |
//! | `tendon`, `platform` | the version and the system that captured it; no result depends on the platform |
//! | `name`, `about` | of golden cases |
//! | `scene` | names for the reader: `bones` and `modifiers`, in the order of `rig`; `problems`, in words, of modifiers that do not work and so are not in `rig` |
//! | `ancestors` | transforms above the skeleton, outermost first; a capture has one, the skeleton's global transform. No result depends on them: what does depends on `to_global` of `rig` |
//! | `rig` | the input: a [`Rig`]. `bones` is the base pose with its limits; each of `modifiers` has its influence times that of the rig, and in `solver` what its kind needs, with its `memory` of the pass before; `delta` is the time since then in seconds |
//! | `result` | the output: an [`Answer`] |
//!
//! Members that have their usual value are left out; those that this version does not know are
//! an error. How numbers are written: [`crate::math::number`]. A file holds any number of captures,
//! one after another; `golden/cases.jsonl` is one such file, with a line for each.

use std::fmt::{self, Display};

use glam::{Affine2, Vec2};
use serde::{Deserialize, Serialize};

use crate::math::number;
use crate::rig::Rig;
use crate::rig::validation::Defect;
use crate::rig::workspace::Workspace;
use crate::skeleton::report::{Report, Status};

/// The version of the format that this crate reads and writes.
pub const VERSION: u32 = 6;

/// One pass: see the module's page.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Capture {
    /// [`VERSION`].
    pub version: u32,
    /// The version of Tendon that captured it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub tendon: String,
    /// The system and the processor that it was captured on.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub platform: String,
    /// The name of the case.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// A description of the case.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub about: String,
    /// The names of bones and modifiers, and what does not work.
    #[serde(default, skip_serializing_if = "number::is_usual")]
    pub scene: Scene,
    /// Transforms above the skeleton, outermost first.
    #[serde(with = "number")]
    pub ancestors: Vec<Affine2>,
    /// The input of the pass.
    pub rig: Rig,
    /// The output of the pass.
    pub result: Answer,
}

/// Names and problems of the scene that a capture comes from, for its reader.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Scene {
    /// The bones' names.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub bones: Vec<String>,
    /// The modifiers' names.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub modifiers: Vec<String>,
    /// The problems, in words, of nodes that are not in the rig, or only in part.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub problems: Vec<String>,
}

/// The output of a pass.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Answer {
    /// Radians, one for each bone.
    #[serde(with = "number")]
    pub rotations: Vec<f32>,
    /// Positions in the parents' frames, one for each bone; none if no bone has moved.
    #[serde(default, skip_serializing_if = "Vec::is_empty", with = "number")]
    pub positions: Vec<Vec2>,
    /// Scales of the bones' own axes, one for each bone; none if no bone was scaled.
    #[serde(default, skip_serializing_if = "Vec::is_empty", with = "number")]
    pub scales: Vec<Vec2>,
    /// One for each modifier.
    pub modifiers: Vec<Report>,
}

impl Answer {
    /// Returns the output of the last [`solve`](Rig::solve) of `rig`.
    ///
    /// # Panics
    /// When it has not been solved.
    pub fn of(rig: &Rig) -> Self {
        let bones = 0..rig.bones.len();
        let mut positions: Vec<_> = bones.clone().map(|bone| rig.position(bone)).collect();
        if are_same(rig.bones.iter().map(|bone| bone.position), &positions) {
            positions.clear();
        }
        let mut scales: Vec<_> = bones.clone().map(|bone| rig.scale(bone)).collect();
        if are_same(rig.bones.iter().map(|bone| bone.scale), &scales) {
            scales.clear();
        }
        let reports = rig.modifiers.iter().map(|modifier| modifier.report);
        Self {
            rotations: bones.map(|bone| rig.rotation(bone)).collect(),
            positions,
            scales,
            modifiers: reports.collect(),
        }
    }
}

/// An error in the text of captures.
#[derive(Debug, thiserror::Error)]
pub enum Unreadable {
    /// Nothing is there.
    #[error("there is no capture in it")]
    Empty,
    /// It is not JSON, or not that of a capture.
    #[error("capture {number} is damaged: {cause}")]
    Damaged {
        /// The number of the capture, counted from 1.
        number: usize,
        /// The error of the parser.
        cause: serde_json::Error,
    },
    /// It is JSON without a version.
    #[error("capture {number} has no version, so it is none of Tendon's")]
    Foreign {
        /// The number of the capture, counted from 1.
        number: usize,
    },
    /// It is of another version of the format.
    #[error("capture {number} is of version {found}, and only version {VERSION} can be read")]
    Version {
        /// The number of the capture, counted from 1.
        number: usize,
        /// The version that it has.
        found: u64,
    },
    /// Its rig cannot be solved.
    #[error("capture {number} has an unsound rig: {cause}")]
    Unsound {
        /// The number of the capture, counted from 1.
        number: usize,
        /// The defect that the rig's own check found.
        cause: Defect,
    },
    /// Its result or its names are not those of its rig.
    #[error("capture {number} has a result or names that are not those of its rig")]
    Mismatched {
        /// The number of the capture, counted from 1.
        number: usize,
    },
}

/// All that is looked at before the version is known.
#[derive(Deserialize)]
struct Header {
    version: Option<u64>,
}

impl Capture {
    /// The last [`solve`](Rig::solve) of `rig`, by this version of Tendon.
    ///
    /// # Panics
    /// When the rig has not been solved.
    pub fn of(rig: &Rig) -> Self {
        Self {
            version: VERSION,
            tendon: env!("CARGO_PKG_VERSION").into(),
            platform: platform(),
            name: String::new(),
            about: String::new(),
            scene: Scene::default(),
            ancestors: Vec::new(),
            rig: rig.clone(),
            result: Answer::of(rig),
        }
    }

    /// The capture as one line of JSON.
    ///
    /// # Panics
    /// Never: there is nothing in a capture that JSON could not say.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("a capture can be written")
    }

    /// The captures in `text`, each of which can be solved again.
    ///
    /// # Errors
    /// The first thing that is [wrong](Unreadable) with the text.
    pub fn read_all(text: &str) -> Result<Vec<Self>, Unreadable> {
        let mut captures = Vec::new();
        let mut rest = text.trim_start();
        while !rest.is_empty() {
            let number = captures.len() + 1;
            let damaged = |cause| Unreadable::Damaged { number, cause };
            let mut headers = serde_json::Deserializer::from_str(rest).into_iter::<Header>();
            let header = headers.next().transpose().map_err(damaged)?;
            let end = headers.byte_offset();
            let found = header.and_then(|header| header.version);
            let found = found.ok_or(Unreadable::Foreign { number })?;
            if found != u64::from(VERSION) {
                return Err(Unreadable::Version { number, found });
            }
            let capture: Self = serde_json::from_str(&rest[..end]).map_err(damaged)?;
            capture.check(number)?;
            captures.push(capture);
            rest = rest[end..].trim_start();
        }
        if captures.is_empty() {
            return Err(Unreadable::Empty);
        }
        Ok(captures)
    }

    fn check(&self, number: usize) -> Result<(), Unreadable> {
        let unsound = |cause| Unreadable::Unsound { number, cause };
        self.rig.validate().map_err(unsound)?;
        let (bones, modifiers) = (self.rig.bones.len(), self.rig.modifiers.len());
        let fits = |count: usize, all: usize| count == 0 || count == all;
        let is_whole = self.result.rotations.len() == bones
            && fits(self.result.positions.len(), bones)
            && fits(self.result.scales.len(), bones)
            && self.result.modifiers.len() == modifiers
            && fits(self.scene.bones.len(), bones)
            && fits(self.scene.modifiers.len(), modifiers);
        is_whole
            .then_some(())
            .ok_or(Unreadable::Mismatched { number })
    }

    /// Solves the rig again and returns all that is not, to the last bit, as it was. All NaNs
    /// count as one.
    ///
    /// ```
    /// use tendon_solver::{Bone, Capture, Rig, Workspace};
    ///
    /// let mut rig = Rig::new(vec![Bone::below(None)], Vec::new());
    /// rig.solve(&mut Workspace::default());
    /// let text = Capture::of(&rig).to_json();
    ///
    /// let mut captures = Capture::read_all(&text)?;
    /// assert!(captures[0].replay().is_empty());
    /// # Ok::<(), tendon_solver::capture::Unreadable>(())
    /// ```
    pub fn replay(&mut self) -> Vec<Difference> {
        self.rig.solve(&mut Workspace::default());
        let now = Answer::of(&self.rig);
        let mut differences = Differences::default();
        for (bone, (was, is)) in self.result.rotations.iter().zip(&now.rotations).enumerate() {
            let place = || format!("{}, rotation", self.bone_name(bone));
            differences.compare(place, *was, *is);
        }
        for bone in 0..self.rig.bones.len() {
            let given = self.rig.bones[bone].position;
            let place_of = |answer: &Answer| answer.positions.get(bone).copied().unwrap_or(given);
            let place = || format!("{}, position", self.bone_name(bone));
            differences.compare_points(place, place_of(&self.result), place_of(&now));
            let given = self.rig.bones[bone].scale;
            let scale_of = |answer: &Answer| answer.scales.get(bone).copied().unwrap_or(given);
            let place = || format!("{}, scale", self.bone_name(bone));
            differences.compare_points(place, scale_of(&self.result), scale_of(&now));
        }
        for (index, (was, is)) in self.result.modifiers.iter().zip(&now.modifiers).enumerate() {
            let place = |what: &str| format!("{}, {what}", self.modifier_name(index));
            differences.compare_reports(place, was, is);
        }
        differences.0
    }

    /// Returns a name for a bone: its index, and its own name if it has one.
    pub fn bone_name(&self, bone: usize) -> String {
        named("bone", bone, &self.scene.bones)
    }

    /// Returns a name for a modifier: its index, and its own name if it has one.
    pub fn modifier_name(&self, modifier: usize) -> String {
        named("modifier", modifier, &self.scene.modifiers)
    }
}

/// Returns a name for number `index` of some things, with its own name if it has one.
fn named(thing: &str, index: usize, names: &[String]) -> String {
    match names.get(index) {
        Some(name) => format!("{thing} {index} \"{name}\""),
        None => format!("{thing} {index}"),
    }
}

/// The system and the processor that this runs on, as [`Capture::platform`] names them.
pub fn platform() -> String {
    format!("{} {}", std::env::consts::OS, std::env::consts::ARCH)
}

/// Something in a replay that is not as it was.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// The bone or modifier that differs, and which value of it.
    pub place: String,
    /// As it was captured.
    pub was: String,
    /// As it is now.
    pub is: String,
    /// By how much, in radians or in units; infinite where that cannot be said.
    pub size: f32,
}

impl Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: was {}, is {}", self.place, self.was, self.is)
    }
}

#[derive(Default)]
struct Differences(Vec<Difference>);

impl Differences {
    fn add(&mut self, place: String, was: impl Display, is: impl Display, size: f32) {
        self.0.push(Difference {
            place,
            was: was.to_string(),
            is: is.to_string(),
            size: if size.is_nan() { f32::INFINITY } else { size },
        });
    }

    fn compare(&mut self, place: impl FnOnce() -> String, was: f32, is: f32) {
        if !same(was, is) {
            self.add(place(), was, is, (was - is).abs());
        }
    }

    fn compare_points(&mut self, place: impl FnOnce() -> String, was: Vec2, is: Vec2) {
        if !same(was.x, is.x) || !same(was.y, is.y) {
            self.add(place(), was, is, was.distance(is));
        }
    }

    fn compare_reports(&mut self, place: impl Fn(&str) -> String, was: &Report, is: &Report) {
        if was.status != is.status {
            let size = f32::INFINITY;
            self.add(place("status"), was.status, is.status, size);
        }
        if was.iterations != is.iterations {
            let size = was.iterations.abs_diff(is.iterations) as f32;
            self.add(place("iterations"), was.iterations, is.iterations, size);
        }
        self.compare_points(|| place("tip"), was.tip, is.tip);
        self.compare(|| place("distance"), was.distance, is.distance);
        self.compare(|| place("penetration"), was.penetration, is.penetration);
    }
}

/// Returns `true` if all vectors have the same bits, where all NaNs count as one.
fn are_same(given: impl Iterator<Item = Vec2>, now: &[Vec2]) -> bool {
    let mut pairs = given.zip(now);
    pairs.all(|(given, now)| same(given.x, now.x) && same(given.y, now.y))
}

/// Returns `true` if two numbers have the same bits, or are both NaN.
fn same(a: f32, b: f32) -> bool {
    a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan()
}

impl Display for Status {
    /// The name as JSON has it, with spaces.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Idle => "idle",
            Self::Reached => "reached",
            Self::OutOfReach => "out of reach",
            Self::Invalid => "invalid",
        })
    }
}
