//! A rig as plain data: bones, the modifiers that act on them, and one pass over both.
//!
//! This is the middle of *gather, solve, scatter*. Whoever owns the real bones fills
//! [`Rig::bones`] and the modifiers' targets, calls [`Rig::solve`], and reads
//! [`Rig::rotation`] and the reports back. A rig can be written to JSON and solved again
//! elsewhere with the same result.
//!
//! | file or folder | what is in it |
//! |---|---|
//! | [`modifier`] | the parts that all modifiers have in common, and applying one in a pass |
//! | [`kind_list`] | the list of all kinds of modifiers |
//! | [`kind`] | the traits that each kind implements |
//! | `kinds/` | each kind's own data, and how it is applied to the pose |
//! | [`chain`] | the parts of several kinds: chains, ends and further tips |
//! | [`kept`] | the state that a modifier keeps from one pass to the next |
//! | [`handover`] | the handover of a modifier to another target |
//! | `further` | the handover of a limb's bend to the other side, and of a tree to other effectors |
//! | [`workspace`] | memory that solves share |
//! | `draft` | the pose that a script works on |
//! | [`shown`] | queries about one modifier, to draw, bake or test it |
//! | `goal` | the task that one modifier gives to another one |
//! | [`standing`], `ticks` | what stands on ground, and the ticks of the physics between passes |
//! | [`placed`] | a limb that a foot places |
//! | `influence` | the part of a modifier's result that the pose takes |
//! | `pose` | the working pose |
//! | [`validation`], [`fault`] | the faults of a rig, and of one modifier |
//! | [`snapshot`] | the state that a rig goes on from, as bytes |

use glam::{Affine2, Vec2};
use serde::{Deserialize, Serialize};

use crate::descent::TransitionSpeeds;
use crate::math::number;
use crate::math::rotation::Rotation;
use crate::rig::fault::Skeleton;
use crate::rig::influence::Influence;
use crate::rig::kind::Context;
use crate::rig::let_go::LetGo;
use crate::rig::modifier::{Later, Modifier};
use crate::rig::pose::Pose;
use crate::rig::workspace::Workspace;
use crate::skeleton::bone::{Bone, Point};

pub(crate) mod chain;
mod draft;
pub(crate) mod fault;
mod further;
mod goal;
pub(crate) mod handover;
mod influence;
pub(crate) mod kept;
pub(crate) mod kind;
pub(crate) mod kind_list;
pub(crate) mod kinds;
pub(crate) mod let_go;
pub(crate) mod modifier;
pub(crate) mod placed;
mod pose;
pub(crate) mod shown;
pub(crate) mod snapshot;
pub(crate) mod standing;
mod ticks;
pub(crate) mod validation;
pub(crate) mod workspace;

/// A skeleton's bones and the modifiers that act on them, top to bottom.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rig {
    /// The base pose; parents come before their children.
    pub bones: Vec<Bone>,
    /// The modifiers in the order in which they act.
    pub modifiers: Vec<Modifier>,
    /// Seconds since the pass before. A negative number or NaN counts as 0, and more than
    /// [`LONGEST_FRAME`] counts as that.
    #[serde(default, with = "number")]
    pub delta: f32,
    /// The skeleton's global transform. Only what moves by itself depends on it.
    #[serde(default, skip_serializing_if = "number::is_usual", with = "number")]
    pub to_global: Affine2,
    /// The speeds at which limbs go over to another pose by themselves.
    #[serde(default, skip_serializing_if = "number::is_usual")]
    pub transition_speeds: TransitionSpeeds,
    /// Bones that go back to the base pose.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub let_go: Vec<LetGo>,
    #[serde(skip)]
    pose: Pose,
    /// The pose that a script works on.
    #[serde(skip)]
    draft: Pose,
    /// The rotations of the bones from which the next pass begins; empty if they are not given.
    #[serde(skip)]
    drawn: Vec<f32>,
}

/// Seconds after which a pose has settled and every transition has ended.
const LONGEST_FRAME: f32 = 2.0;

impl Rig {
    /// A rig of these bones and modifiers. See [`validate`](Self::validate).
    pub fn new(bones: Vec<Bone>, modifiers: Vec<Modifier>) -> Self {
        Self {
            bones,
            modifiers,
            ..Self::default()
        }
    }

    /// Returns `true` if `bone` is `above` or hangs below it.
    ///
    /// # Panics
    /// When `bone` does not exist.
    pub fn carries(&self, above: Option<usize>, bone: Option<usize>) -> bool {
        let skeleton = Skeleton { bones: &self.bones };
        above.is_some_and(|above| skeleton.carries(above, bone))
    }

    /// One pass: every modifier in turn, from the base pose in [`bones`](Self::bones) and from
    /// what the modifiers remember of the pass before. The same input gives
    /// the same result. Allocates nothing once `workspace` has grown to the rig's size.
    ///
    /// # Panics
    /// May panic when [`validate`](Self::validate) finds a defect.
    pub fn solve(&mut self, workspace: &mut Workspace) {
        self.begin();
        for index in 0..self.modifiers.len() {
            self.apply(index, workspace);
        }
        self.finish();
    }

    /// Makes the modifiers with a target begin the next pass from `drawn`, the rotations of all
    /// bones, as if they had shown them. In a pass without time, bones stay there. In later passes
    /// they move from there to their targets in a transition. A bone whose rotation is not a number
    /// begins from its base pose.
    pub fn begin_from(&mut self, drawn: Vec<f32>) {
        self.drawn = drawn;
        for modifier in &mut self.modifiers {
            modifier.forget_handover();
            modifier.note_drawn();
        }
    }

    /// The same for those modifiers alone which [note](Modifier::note_drawn) it.
    pub fn take_drawn(&mut self, drawn: Vec<f32>) {
        self.drawn = drawn;
    }

    /// Begins a pass that is done modifier by modifier: [`apply`](Self::apply) each in turn, and
    /// [`finish`](Self::finish). Between two of them [`rotation`](Self::rotation) and the like say
    /// what the working pose is.
    pub fn begin(&mut self) {
        self.pose.load(&self.bones);
        let delta = self.seconds() as f32;
        for let_go in &mut self.let_go {
            let_go.apply(&mut self.pose, delta);
        }
        self.modifiers.iter_mut().for_each(Modifier::end_aim);
    }

    /// Applies one modifier to the working pose.
    ///
    /// # Panics
    /// As [`solve`](Self::solve), or when there is no such modifier.
    pub fn apply(&mut self, index: usize, workspace: &mut Workspace) {
        let delta = self.seconds();
        let is_last = index + 1 == self.modifiers.len();
        let (modifier, modifiers) = self.modifiers[index..]
            .split_first_mut()
            .expect("there is such a modifier");
        if modifier.takes_drawn() {
            modifier.begin_from(&self.drawn, &self.pose);
        }
        workspace.descent.pursuit.speeds = self.transition_speeds;
        workspace.descent.settles = None;
        modifier.apply(&mut Context {
            pose: &mut self.pose,
            workspace,
            influence: Influence(modifier.influence),
            delta,
            to_global: self.to_global,
            is_moving: false,
            bend: 0.0,
            further: None,
            clock: None,
            later: &mut Later {
                first: index + 1,
                modifiers,
            },
        });
        if !is_last {
            modifier.note_shortfall(&self.pose);
        }
    }

    /// Returns the length of the pass, in seconds.
    fn seconds(&self) -> f64 {
        match self.delta > 0.0 {
            true => self.delta.min(LONGEST_FRAME).into(),
            false => 0.0,
        }
    }

    /// Measures what all modifiers came to. Later ones may have moved what earlier ones placed.
    pub fn finish(&mut self) {
        self.drawn.clear();
        let count = self.modifiers.len();
        for (index, modifier) in self.modifiers.iter_mut().enumerate() {
            modifier.review(&self.pose, index + 1 == count);
            modifier.end_aim();
        }
    }

    /// Makes the last [`solve`](Self::solve) the one that the next goes on from.
    pub fn go_on(&mut self) {
        self.modifiers.iter_mut().for_each(Modifier::go_on);
        self.let_go.retain_mut(LetGo::go_on);
    }

    /// Forgets the last [`solve`](Self::solve): there is nothing for the next one to
    /// [go on](Self::go_on) from. What the last one was given stays, for its capture.
    pub fn forget(&mut self) {
        self.modifiers.iter_mut().for_each(Modifier::forget);
    }

    /// Forgets of the last solve what does not hold after a while without one.
    pub fn pause(&mut self) {
        self.modifiers.iter_mut().for_each(Modifier::pause);
    }

    /// Returns `true` if another pass would move a bone, if nothing but time changed.
    pub fn is_moving(&self) -> bool {
        !self.let_go.is_empty() || self.modifiers.iter().any(|modifier| modifier.is_moving)
    }

    /// Takes the base pose in [`bones`](Self::bones) for the result, without solving anything.
    pub fn take_base_pose(&mut self) {
        self.pose.load(&self.bones);
    }

    /// Takes a pose that an earlier rig has shown for the result, without solving anything. `shown` says
    /// the rotation, position and scale of each bone.
    pub fn take_shown_pose(&mut self, shown: impl Fn(usize) -> (f32, Vec2, Vec2)) {
        self.take_base_pose();
        for index in 0..self.bones.len() {
            let (rotation, position, scale) = shown(index);
            let turn = Rotation::from_angle(rotation);
            self.pose.turn(index, rotation, turn);
            self.pose.shift(index, position);
            self.pose.resize(index, scale);
        }
    }

    /// The rotation of a bone in radians after the last [`solve`](Self::solve).
    ///
    /// # Panics
    /// When there is no such bone.
    pub fn rotation(&self, bone: usize) -> f32 {
        self.pose.bone(bone).rotation
    }

    /// The local transform of a bone, in its parent's frame, after the last
    /// [`solve`](Self::solve).
    ///
    /// # Panics
    /// When there is no such bone.
    pub fn local_frame(&self, bone: usize) -> Affine2 {
        let bone = self.pose.bone(bone);
        Affine2::from_mat2_translation(bone.linear(), bone.position)
    }

    /// The position of a bone in its parent's frame after the last [`solve`](Self::solve):
    /// that in [`bones`](Self::bones), unless a modifier has stretched.
    ///
    /// # Panics
    /// When there is no such bone.
    pub fn position(&self, bone: usize) -> Vec2 {
        self.pose.bone(bone).position
    }

    /// The scale of a bone's own axes after the last [`solve`](Self::solve): that in
    /// [`bones`](Self::bones), unless a modifier has scaled it.
    ///
    /// # Panics
    /// When there is no such bone.
    pub fn scale(&self, bone: usize) -> Vec2 {
        self.pose.bone(bone).scale()
    }

    /// Returns the position of a point in skeleton space after the last [`solve`](Self::solve).
    ///
    /// # Panics
    /// When the point's bone does not exist.
    pub fn locate(&self, point: Point) -> Vec2 {
        self.pose.locate(point)
    }
}
