//! The pose that a script works on: see [`crate::rig::kinds::custom`].

use glam::{Affine2, Vec2};

use crate::math::rotation::Rotation;
use crate::rig::Rig;
use crate::rig::kind_list::Solver;
use crate::rig::kinds::custom::{Resized, Scripted, Shifted};

impl Rig {
    /// Prepares the draft for the script of the modifier `index`, and forgets what it set before.
    ///
    /// # Panics
    /// When there is no such modifier.
    pub fn begin_script(&mut self, index: usize) {
        self.draft.clone_from(&self.pose);
        if let Solver::Custom(custom) = &mut self.modifiers[index].solver {
            custom.clear();
        }
    }

    /// Sets the rotation of a bone, in radians, for the script of the modifier `index`. The draft
    /// takes it if it is finite.
    ///
    /// # Panics
    /// When there is no such modifier or bone.
    pub fn set_scripted(&mut self, index: usize, bone: usize, rotation: f32) {
        if let Solver::Custom(custom) = &mut self.modifiers[index].solver {
            custom.set(Scripted { bone, rotation });
        }
        if rotation.is_finite() {
            let turn = Rotation::from_angle(rotation);
            self.draft.turn(bone, rotation, turn);
        }
    }

    /// Puts a bone at a position in its parent's frame, for the script of the modifier `index`. The draft
    /// takes it if it is finite.
    ///
    /// # Panics
    /// When there is no such modifier or bone.
    pub fn shift_scripted(&mut self, index: usize, bone: usize, position: Vec2) {
        if let Solver::Custom(custom) = &mut self.modifiers[index].solver {
            custom.shift(Shifted { bone, position });
        }
        if position.is_finite() {
            self.draft.shift(bone, position);
        }
    }

    /// Scales a bone, for the script of the modifier `index`. The draft takes it if it is finite, and not zero.
    ///
    /// # Panics
    /// When there is no such modifier or bone.
    pub fn resize_scripted(&mut self, index: usize, bone: usize, scale: Vec2) {
        let set = Resized { bone, scale };
        if let Solver::Custom(custom) = &mut self.modifiers[index].solver {
            custom.resize(set);
        }
        if set.has_area() {
            self.draft.resize(bone, scale);
        }
    }

    /// The position of a bone of the draft in its parent's frame.
    ///
    /// # Panics
    /// When there is no such bone.
    pub fn draft_position(&self, bone: usize) -> Vec2 {
        self.draft.bone(bone).position
    }

    /// The scale of a bone of the draft.
    ///
    /// # Panics
    /// When there is no such bone.
    pub fn draft_scale(&self, bone: usize) -> Vec2 {
        self.draft.bone(bone).scale()
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
