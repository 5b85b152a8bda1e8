//! `TendonTwoBoneIK2D`.

use std::hash::Hash;

use godot::classes::Bone2D;
use godot::prelude::*;
use godot::register::property::Var;
use tendon_solver::math::interval::clamp01;
use tendon_solver::{Aimed, Elasticity, Heading, Point, TwoBone, TwoBoneSettings};

use crate::engine::afterwards::notify_property_list_changed;
use crate::engine::link::Link;
use crate::engine::space::InSolver;
use crate::nodes::modifier::{EditedModifier, modifier_node};
use crate::plan::bones::Bones;
use crate::plan::chain::{ChainProperties, Joints, UNKNOWN};
use crate::plan::change::set;
use crate::plan::class::{Gathered, ModifierClass, PlannedNodes};
use crate::plan::locate::{Gather, Input, Stale};
use crate::plan::node_reference::NodeReference;
use crate::plan::rest_bend::LimbBones;
use crate::plan::search::Search;
use crate::plan::target::Target;
use crate::plan::tip::BoneTip;
use crate::warnings::problem::Problem;

modifier_node! {
    /// Bends two bones, an arm or a leg, so that their end reaches a target.
    ///
    /// The result is exact, in one step. If the target is too far away, both bones point at it. If
    /// it is too near, the limb folds as far as it can. It bends as in the rest pose.
    ///
    /// Add it below a [TendonRig2D]. The elbow stays on its side: [member flip_bend_direction] or
    /// [member pole] change it. If the character is mirrored (`scale.x = -1` on a node above the
    /// skeleton, but not on a [CharacterBody2D], where the engine undoes it), the bend is mirrored with it. A [TendonJointLimit2D] below a bone limits how far
    /// it turns.
    ///
    /// With [member match_target_rotation] a hand or a foot turns like the target. With
    /// [member softness] the limb slows down near its full reach, and with [member stretch] it can
    /// become longer.
    ///
    /// This script makes a character grip a lever, and blends from its animation to the lever:
    ///
    /// ```gdscript
    /// func grip(lever: Node2D) -> void:
    ///     var arm: TendonTwoBoneIK2D = $Skeleton2D/TendonRig2D/ForearmTwoBoneIK
    ///     arm.target = lever
    ///     arm.influence = 0.0
    ///     create_tween().tween_property(arm, "influence", 1.0, 0.2)
    /// ```
    ///
    /// Tutorial: the chapter *From sprite parts to a walking character* of the manual,
    /// `addons/tendon/manual/guide.html`.
    TendonTwoBoneIK2D {
        /// The upper bone: the upper arm or the thigh. The modifier is idle until both bones are
        /// set.
        #[export]
        bone_one: Link<Bone2D>,
        /// The lower bone: the forearm or the shin. It must be a descendant of [member bone_one].
        /// Bones between the two keep their rotation.
        #[export]
        bone_two: Link<Bone2D>,
        /// The point that reaches the target: any node below [member bone_two]. If empty, the end
        /// of [member bone_two] is used.
        #[export]
        tip: Link<Node2D>,
    } target {
        /// If `true`, the bone at the end of the limb takes over the rotation of the target: their
        /// X axes point in the same direction. That bone is the [Bone2D] in [member tip], if it is
        /// a child of [member bone_two], or else the first child bone of [member bone_two]. Use it
        /// for a hand that holds something, or for a foot on a slope. The default is `false`.
        #[export]
        match_target_rotation: bool,
        /// If `false`, the default, the limb bends to the side to which it bends in the rest pose.
        /// If `true`, it bends to the other side. A limb that is straight at rest, to a degree, bends so
        /// that the lower bone is turned clockwise from the direction of the upper one, by a positive
        /// angle, or counterclockwise if it is flipped; in a mirrored character the other way round. It has
        /// no effect while there is a [member pole]. Set or keyed, the limb goes over to the other side within
        /// [member transition_duration], and its tip leaves the target on the way. In the editor, you can also
        /// click the arrow at the limb.
        #[export_group(name = "Solver")]
        #[export]
        flip_bend_direction: bool,
        /// A node that the limb bends towards, as seen from the line between [member bone_one] and
        /// the target. Use it if the side of the bend has to change while the game runs. It
        /// replaces [member flip_bend_direction]. It can be anywhere in the scene, but not below a
        /// bone of the limb. Where it has the limb bend to the other side, that takes
        /// [member transition_duration]. By default there is none.
        #[export]
        #[var(set = set_pole)]
        pole: Link<Node2D>,
        /// The least distance from [member bone_one] to which the limb reaches, in the units of the
        /// skeleton. A target that is nearer counts as being at this distance. Use it to keep the
        /// limb from folding completely. The default, `0.0`, turns it off.
        #[export_group(name = "Constraints")]
        #[export(range = (0.0, 1000.0, 0.1, or_greater, suffix = "px"))]
        min_distance: f32,
        /// The greatest distance from [member bone_one] to which the limb reaches, in the units of
        /// the skeleton. A target that is farther counts as being at this distance. Use it to keep
        /// the limb from becoming straight. The default, `0.0`, turns it off.
        #[export(range = (0.0, 1000.0, 0.1, or_greater, suffix = "px"))]
        max_distance: f32,
        /// The part of its reach over which the limb slows down before it is fully extended, from
        /// `0.0` to `1.0`. It prevents the limb from snapping straight when the target leaves its
        /// reach. The tip then stays a little behind a target near full reach. The default, `0.0`,
        /// turns it off.
        #[export(range = (0.0, 1.0, 0.001))]
        #[var(set = set_softness)]
        softness: f32,
        /// The greatest factor by which the limb is lengthened to reach a target that is too far
        /// away. Bones are moved apart by their `position`; they are not scaled. The last bone can
        /// only be lengthened if it ends at a child bone: the one in [member tip], or its first
        /// child bone. The default, `1.0`, turns it off.
        #[export(range = (1.0, 4.0, 0.001, or_greater))]
        #[init(val = Elasticity::default().stretch)]
        stretch: f32,
    } impl {
        #[func]
        fn set_softness(&mut self, softness: f32) {
            self.softness = clamp01(softness);
        }

        #[func]
        fn set_pole(&mut self, pole: Option<Gd<Node2D>>) {
            let had_pole = self.has_pole();
            Link::var_set(&mut self.pole, pole);
            if self.has_pole() != had_pole {
                notify_property_list_changed(&self.to_gd());
            }
        }
    }
}

/// The nodes of a limb, as a plan knows them.
pub(crate) struct LimbNodes {
    tip: BoneTip,
    target: Target,
    pole: Option<Input>,
    /// Index of the bone that takes over the target's rotation.
    aligned: Option<usize>,
}

impl TendonTwoBoneIK2D {
    fn has_pole(&self) -> bool {
        self.pole.is_set()
    }

    fn chain(&self) -> ChainProperties<'_> {
        ChainProperties {
            joints: Joints::Two(("bone_one", &self.bone_one), ("bone_two", &self.bone_two)),
            tip: Some(&self.tip),
            moves_tip_bone: self.match_target_rotation || self.stretch > 1.0,
        }
    }

    /// The pole, if there is one, and the bones below `root` do not carry it.
    fn find_pole(&self, bones: &mut Bones, root: usize) -> Result<Option<Input>, Problem> {
        match bones.find_input(("pole", &self.pole), Some(root)) {
            Ok((_, pole)) => Ok(Some(pole)),
            Err(Problem::Missing { .. } | Problem::Outside { .. }) => Ok(None),
            Err(problem) => Err(problem),
        }
    }
}

impl ModifierClass for TendonTwoBoneIK2D {
    type Nodes = LimbNodes;
    type Solver = TwoBone;

    fn references(&self) -> impl Hash {
        let nodes = (&self.target, &self.pole);
        (self.chain(), self.match_target_rotation, nodes)
    }

    fn find(&self, search: &mut Search<'_>) -> Result<(LimbNodes, TwoBone), Problem> {
        let mut chain = self.chain().find(search.bones)?;
        let target = Target::find_or_let_go(search, &self.target, Some(chain.root))?;
        let pole = self.find_pole(search.bones, chain.root)?;
        let aligned = chain.tip_bone.filter(|_| self.match_target_rotation);
        if self.match_target_rotation && aligned.is_none() {
            search.flaws.push(Problem::NoBoneAtTip);
        }
        chain.report(search);
        let joints = [chain.root, chain.tip.last];
        let mut solver = TwoBone::new(joints, UNKNOWN, Point::default());
        solver.rests_flipped = rests_flipped(search.bones, joints, &chain.tip);
        let nodes = LimbNodes {
            tip: chain.tip,
            target,
            pole,
            aligned,
        };
        Ok((nodes, solver))
    }

    fn set(&self, into: &mut TwoBone) -> bool {
        let settings = TwoBoneSettings!(self, InSolver::in_solver);
        let elasticity = Elasticity!(self, InSolver::in_solver);
        set(&mut into.settings, settings) | set(&mut into.elasticity, elasticity)
    }
}

/// Returns `true` if the limb of two bones bends at rest to the side to which one that is straight at rest is flipped.
fn rests_flipped(bones: &mut Bones, [upper, lower]: [usize; 2], tip: &BoneTip) -> bool {
    bones.reads_rest = true;
    let (Some(upper), Some(lower)) = (bones.node(upper), bones.node(lower)) else {
        return false;
    };
    let tip = tip.at_rest(lower);
    tip.is_some_and(|tip| LimbBones { upper, lower, tip }.rests_flipped())
}

impl Gathered<TwoBone> for LimbNodes {
    fn gather(&self, from: &Gather<'_>, into: &mut TwoBone) -> Result<bool, Stale> {
        let target = self.target.locate(from)?;
        let direction = Aimed::at(target.direction());
        let heading = self.aligned.map(|bone| Heading { bone, direction });
        let pole = match &self.pole {
            Some(pole) if pole.is_inside_tree()? => Some(from.locate(pole)?.point()),
            _ => None,
        };
        let mut changes = into.target.set(Some(target.point()));
        changes |= set(&mut into.heading, heading);
        changes |= set(&mut into.pole, pole);
        Ok(set(&mut into.end, self.tip.locate(from)?) | changes)
    }
}

impl PlannedNodes for LimbNodes {
    fn node_references(&self) -> Vec<NodeReference<'_>> {
        let tip = [NodeReference::Tip(&self.tip)].into_iter();
        let pole = self.pole.iter().map(NodeReference::Pole);
        tip.chain(self.target.node_reference())
            .chain(pole)
            .collect()
    }

    fn target(&self) -> Option<&Target> {
        Some(&self.target)
    }

    fn turned_besides(&self) -> Option<usize> {
        self.aligned
    }

    fn takes_directions(&self) -> bool {
        self.aligned.is_some()
    }
}

impl EditedModifier for TendonTwoBoneIK2D {
    fn hides(&self, property: &StringName) -> bool {
        *property == "flip_bend_direction" && self.has_pole()
    }
}
