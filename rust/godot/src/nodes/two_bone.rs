//! `TendonTwoBoneIK2D`.

use godot::classes::Bone2D;
use godot::prelude::*;
use godot::register::property::Var;
use tendon_solver::Solver;
use tendon_solver::TwoBone;

use crate::engine::link::Link;
use crate::nodes::modifier::{MenuBones, MenuEntry, ModifierClass, modifier_node};
use crate::plan::modifier::{Modifier, SolverSettings};
use crate::plan::references::{Joints, References};

modifier_node! {
    /// Bends two bones, an arm or a leg, so that their end reaches a target.
    ///
    /// Exact, in one step. A target that is too far is pointed at with both bones straight; one
    /// that is too near is met as closely as the folded limb allows. The limb never freezes.
    ///
    /// The elbow keeps its side. When the character is mirrored (`scale.x = -1` on a node above
    /// the skeleton), the bend mirrors with it.
    ///
    /// A bone at the end, a hand or a foot, can take over the target's rotation, and the limb can
    /// be soft at full reach or stretch beyond it. A [TendonJointLimit2D] below a bone is obeyed.
    ///
    /// Put it below a [TendonRig2D].
    TendonTwoBoneIK2D {
        /// The upper bone: upper arm or thigh.
        #[export_group(name = "Bones")]
        #[export]
        bone_one: Link<Bone2D>,
        /// The lower bone: forearm or shin. It hangs below `bone_one`; bones between the two
        /// keep their rotation.
        #[export]
        bone_two: Link<Bone2D>,
        /// The point that reaches the target: any node below `bone_two`. If empty, the end of
        /// `bone_two` is used.
        #[export]
        tip: Link<Node2D>,
    } target {
        /// Turns the bone at the limb's end, a hand or a foot, like the target: their X axes point
        /// the same way. That is the [Bone2D] in [member tip], as a child of `bone_two`, or else
        /// the first child bone of `bone_two`.
        #[export]
        match_target_rotation: bool,
        /// Bends the limb to the other side. While there is a [member pole], it decides instead.
        #[export_group(name = "Solver")]
        #[export]
        flip_bend_direction: bool,
        /// Bends the limb to the side of this node, seen from the line between `bone_one` and the
        /// target, in place of `flip_bend_direction`. It may be anywhere in the scene, but not on
        /// a bone of the limb.
        #[export]
        #[var(set = set_pole)]
        pole: Link<Node2D>,
        /// A target that is nearer to `bone_one` counts as being at this distance from it, in the
        /// skeleton's units. `0.0` is off.
        #[export_group(name = "Constraints")]
        #[export(range = (0.0, 1000.0, 0.1, or_greater, suffix = "px"))]
        min_distance: f32,
        /// A target that is farther from `bone_one` counts as being at this distance from it, in
        /// the skeleton's units. `0.0` is off.
        #[export(range = (0.0, 1000.0, 0.1, or_greater, suffix = "px"))]
        max_distance: f32,
        /// Eases the limb towards its full length, over this part of its reach: instead of
        /// snapping straight when the target leaves its reach, it stretches out ever more slowly.
        /// The tip then lags a little behind a target near full reach. `0.0` is off.
        #[export(range = (0.0, 1.0, 0.001))]
        softness: f32,
        /// The greatest factor by which the limb is lengthened to reach a target that is too far;
        /// `1.0` is off. Bones are moved apart, by their `position`, and are not scaled. The last
        /// bone can only be lengthened if it ends at a child bone: the one in [member tip], or the
        /// first one below it.
        #[export(range = (1.0, 4.0, 0.001, or_greater))]
        #[init(val = 1.0)]
        stretch: f32,
    } impl {
        #[func]
        fn set_pole(&mut self, pole: Option<Gd<Node2D>>) {
            let had_pole = self.has_pole();
            Link::var_set(&mut self.pole, pole);
            if self.has_pole() != had_pole {
                self.base_mut().notify_property_list_changed();
            }
        }
    }
}

impl TendonTwoBoneIK2D {
    fn has_pole(&self) -> bool {
        self.pole.get().is_some()
    }
}

#[godot_dyn]
impl Modifier for TendonTwoBoneIK2D {
    fn references(&self) -> References<'_> {
        let (one, two) = (("bone_one", &self.bone_one), ("bone_two", &self.bone_two));
        References {
            tip: Some(&self.tip),
            target: Some(&self.target),
            pole: Some(&self.pole),
            matches_rotation: self.match_target_rotation,
            stretches: self.stretch > 1.0,
            ..References::new(Joints::Two(one, two))
        }
    }

    fn solver(&self) -> SolverSettings {
        let two_bone = TwoBone {
            flip_bend_direction: self.flip_bend_direction,
            min_distance: self.min_distance,
            max_distance: self.max_distance,
        };
        SolverSettings {
            softness: self.softness,
            stretch: self.stretch,
            ..Solver::TwoBone(two_bone).into()
        }
    }

    fn hides(&self, property: &StringName) -> bool {
        *property == "flip_bend_direction" && self.has_pole()
    }
}

impl ModifierClass for TendonTwoBoneIK2D {
    const MENU: MenuEntry = MenuEntry {
        title: "Add Two-Bone IK",
        help: "The selected limb of two bones reaches for a new target.",
        bones: MenuBones::Two(["bone_one", "bone_two"]),
    };
}
