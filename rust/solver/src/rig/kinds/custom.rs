//! Modifiers whose work is done by a script.
//!
//! The owner of the real bones does such a pass modifier by modifier ([`Rig::begin`],
//! [`Rig::apply`], [`Rig::finish`]) and runs the script before its modifier is applied. The script
//! reads and turns the bones of a draft, which begins as the working pose. What it sets is kept as
//! data of the modifier, and only [`Rig::apply`] takes it into the working pose: by its influence,
//! within the joint limits, and not at all if a number is not finite. So a capture is solved again
//! to the last bit without the script.

use glam::{Affine2, Mat2, Vec2};

use crate::kinematics::joint::Joint;
use crate::kinematics::limit_enforcement::Bound;
use crate::kinematics::tree::Unsolvable;
use crate::math::angle::wrapped;
use crate::math::rotation::Rotation;
use crate::rig::Rig;
use crate::rig::kind::{Context, Inputs, Kind};
use crate::rig::modifier::Modifier;
use crate::rig::pose::Pose;
use crate::rig::scripted::{Script, Scripted};
use crate::skeleton::report::{Outcome, Report, Status};

impl Rig {
    /// Prepares the draft for the script of the modifier `index`, and forgets what it set before.
    ///
    /// # Panics
    /// When there is no such modifier.
    pub fn begin_script(&mut self, index: usize) {
        self.draft.clone_from(&self.pose);
        self.modifiers[index].scripted.clear();
    }

    /// Sets the rotation of a bone, in radians, for the script of the modifier `index`. The draft
    /// takes it if it is finite.
    ///
    /// # Panics
    /// When there is no such modifier or bone.
    pub fn set_scripted(&mut self, index: usize, bone: usize, rotation: f32) {
        let scripted = &mut self.modifiers[index].scripted;
        let set = Scripted { bone, rotation };
        // Parents first: a limit in skeleton space depends on them.
        match scripted.binary_search_by_key(&bone, |set| set.bone) {
            Ok(at) => scripted[at] = set,
            Err(at) => scripted.insert(at, set),
        }
        if rotation.is_finite() {
            let turn = Rotation::from_angle(rotation);
            self.draft.turn(bone, rotation, turn);
        }
    }

    /// The rotation of a bone of the draft in its parent's frame, radians.
    ///
    /// # Panics
    /// When there is no such bone.
    pub fn draft_rotation(&self, bone: usize) -> f32 {
        self.draft.bone(bone).rotation
    }

    /// The frame of a bone of the draft in skeleton space.
    ///
    /// # Panics
    /// When there is no such bone.
    pub fn draft_frame(&self, bone: usize) -> Affine2 {
        self.draft.frame(Some(bone))
    }
}

impl Kind for Script {
    fn name(&self) -> &'static str {
        "script"
    }

    fn inputs(&self) -> &'static Inputs {
        &Inputs::NONE
    }

    fn apply(&self, modifier: &mut Modifier, context: &mut Context) -> Result<Report, Unsolvable> {
        modifier.take_script(context.pose)
    }

    /// A script may count the time.
    fn moves_by_itself(&self) -> bool {
        true
    }
}

impl Modifier {
    /// Takes what a script has set into the pose. Returns the result.
    fn take_script(&mut self, pose: &mut Pose) -> Result<Report, Unsolvable> {
        // What a script depends on is not known.
        self.is_moving = true;
        let mut scripted = self.scripted.iter();
        if !scripted.all(|set| set.rotation.is_finite()) {
            return Err(Unsolvable);
        }
        for index in 0..self.scripted.len() {
            self.take_scripted(self.scripted[index], pose);
        }
        Ok(Outcome::without_solve(Status::Reached).into())
    }

    fn take_scripted(&self, Scripted { bone, rotation }: Scripted, pose: &mut Pose) {
        let posed = pose.bone(bone);
        let before = posed.rotation;
        let mut turn = Rotation::from_angle(rotation);
        let mut rotation = match rotation.abs() <= std::f32::consts::TAU {
            true => rotation,
            // Whole turns do not show, and f32 is finer without them.
            false => wrapped(f64::from(rotation)) as f32,
        };
        if let Some(limit) = pose.limit(bone) {
            let mount = pose.frame(posed.parent()).matrix2;
            if let Some(bound) = Bound::new(limit, posed.turn, mount) {
                let mut joint = Joint::new(posed.turn, Vec2::X, Mat2::IDENTITY);
                joint.basis = mount;
                joint.rotation = turn;
                joint.hold_back(bound.weight);
                bound.enforce(&mut joint);
                if joint.rotation != turn {
                    turn = joint.rotation;
                    rotation = turn.angle_near(before, joint.turned());
                }
            }
        }
        self.blend_shorter_way(pose, bone, rotation, turn);
    }
}
