//! The functions of a rig that add modifiers, as the Tendon menu does, and sort them.

use godot::classes::{AnimationPlayer, Bone2D, Path2D};
use godot::prelude::*;

use super::adding::{Adding, AtOnce};
use super::draft::Draft;
use super::refuse;
use crate::engine::bone_lines::line_between;
use crate::engine::optional::Optional;
use crate::engine::unusable::null;
use crate::nodes::ccd::TendonCCDIK2D;
use crate::nodes::copy_transform::TendonCopyTransform2D;
use crate::nodes::fabrik::TendonFABRIK2D;
use crate::nodes::full_body::TendonFullBody2D;
use crate::nodes::look_at::TendonLookAt2D;
use crate::nodes::ragdoll::TendonRagdoll2D;
use crate::nodes::rig::TendonRig2D;
use crate::nodes::slider::TendonSlider2D;
use crate::nodes::spline_ik::TendonSplineIK2D;
use crate::nodes::spring::TendonSpring2D;
use crate::nodes::trail::TendonTrail2D;
use crate::nodes::two_bone::TendonTwoBoneIK2D;
use crate::nodes::wave::TendonWave2D;

#[godot_api(secondary)]
impl TendonRig2D {
    /// Adds a [TendonTwoBoneIK2D] for the limb of [param upper] and [param lower], which reaches for [param target]
    /// and bends as the limb bends now. [param tip] is the bone at its end, if that is not the first child of
    /// [param lower]. Without a target, set [member TendonTwoBoneIK2D.target_position]. Like all functions that add a
    /// modifier, it returns the new node, the last child of the rig, or [code]null[/code] with a message.
    ///
    /// ```gdscript
    /// func point(upper_arm: Bone2D, forearm: Bone2D) -> void:
    ///     var arm: TendonTwoBoneIK2D = rig.add_two_bone(upper_arm, forearm)
    ///     arm.target_position = get_global_mouse_position()
    /// ```
    #[func(gd_self)]
    fn add_two_bone(
        this: Gd<Self>,
        upper: Option<Gd<Bone2D>>,
        lower: Option<Gd<Bone2D>>,
        #[opt(default = Optional::NONE)] target: Optional<Node2D>,
        #[opt(default = Optional::NONE)] tip: Optional<Bone2D>,
    ) -> Option<Gd<TendonTwoBoneIK2D>> {
        let (upper, lower) = line_for("add_two_bone", upper, lower)?;
        if upper == lower {
            refuse("add_two_bone", "upper and lower are the same bone.");
            return None;
        }
        let draft = Draft::limb(&upper, &lower, tip.0.as_ref());
        Self::add(this, draft.with_any("target", target.0.as_ref()))
    }

    /// Adds a [TendonLookAt2D] that turns [param bone] towards [param target]. The bones from [param chain_root] on
    /// share the turn.
    #[func(gd_self)]
    fn add_look_at(
        this: Gd<Self>,
        bone: Option<Gd<Bone2D>>,
        #[opt(default = Optional::NONE)] target: Optional<Node2D>,
        #[opt(default = Optional::NONE)] chain_root: Optional<Bone2D>,
    ) -> Option<Gd<TendonLookAt2D>> {
        let root = chain_root.0.or_else(|| bone.clone());
        let (root, bone) = line_for("add_look_at", root, bone)?;
        let draft = Draft::look(Some(&root), &bone);
        Self::add(this, draft.with_any("target", target.0.as_ref()))
    }

    /// Adds a [TendonCCDIK2D] for the bones from [param root] to [param tip], which reaches for [param target].
    #[func(gd_self)]
    fn add_ccd(
        this: Gd<Self>,
        root: Option<Gd<Bone2D>>,
        tip: Option<Gd<Bone2D>>,
        #[opt(default = Optional::NONE)] target: Optional<Node2D>,
    ) -> Option<Gd<TendonCCDIK2D>> {
        let (root, tip) = line_for("add_ccd", root, tip)?;
        let draft = Draft::line("TendonCCDIK2D", &root, &tip);
        Self::add(this, draft.with_any("target", target.0.as_ref()))
    }

    /// Adds a [TendonFABRIK2D] for the bones from [param root] to [param tip], which reaches for [param target].
    #[func(gd_self)]
    fn add_fabrik(
        this: Gd<Self>,
        root: Option<Gd<Bone2D>>,
        tip: Option<Gd<Bone2D>>,
        #[opt(default = Optional::NONE)] target: Optional<Node2D>,
    ) -> Option<Gd<TendonFABRIK2D>> {
        let (root, tip) = line_for("add_fabrik", root, tip)?;
        let draft = Draft::line("TendonFABRIK2D", &root, &tip);
        Self::add(this, draft.with_any("target", target.0.as_ref()))
    }

    /// Adds a [TendonFullBody2D] for the body that hangs on [param root], usually the hips. It needs a
    /// [TendonEffector2D] for each hand and foot: see [method TendonFullBody2D.add_effector].
    ///
    /// ```gdscript
    /// func stand(hips: Bone2D, foot: Bone2D, place: Node2D) -> void:
    ///     var body: TendonFullBody2D = rig.add_full_body(hips)
    ///     body.add_effector(foot, place).match_target_rotation = true
    /// ```
    #[func(gd_self)]
    fn add_full_body(this: Gd<Self>, root: Option<Gd<Bone2D>>) -> Option<Gd<TendonFullBody2D>> {
        let (_, root) = line_for("add_full_body", root.clone(), root)?;
        Self::add(this, Draft::body(&root))
    }

    /// Adds a [TendonSpring2D] for the bones from [param root] to [param tip], with a frequency that suits their
    /// length.
    #[func(gd_self)]
    fn add_spring(
        this: Gd<Self>,
        root: Option<Gd<Bone2D>>,
        tip: Option<Gd<Bone2D>>,
    ) -> Option<Gd<TendonSpring2D>> {
        let (root, tip) = line_for("add_spring", root, tip)?;
        Self::add(this, Draft::spring(&root, &tip))
    }

    /// Adds a [TendonSplineIK2D] that lays the bones from [param root] to [param tip] along [param path].
    #[func(gd_self)]
    fn add_spline(
        this: Gd<Self>,
        root: Option<Gd<Bone2D>>,
        tip: Option<Gd<Bone2D>>,
        path: Option<Gd<Path2D>>,
    ) -> Option<Gd<TendonSplineIK2D>> {
        let (root, tip) = line_for("add_spline", root, tip)?;
        let draft = Draft::line("TendonSplineIK2D", &root, &tip);
        Self::add(this, draft.with_any("path_2d", path.as_ref()))
    }

    /// Adds a [TendonTrail2D]: the bones from [param root], the head's, to [param tip] follow [param leader].
    #[func(gd_self)]
    fn add_trail(
        this: Gd<Self>,
        root: Option<Gd<Bone2D>>,
        tip: Option<Gd<Bone2D>>,
        #[opt(default = Optional::NONE)] leader: Optional<Node2D>,
    ) -> Option<Gd<TendonTrail2D>> {
        let (root, tip) = line_for("add_trail", root, tip)?;
        let draft = Draft::line("TendonTrail2D", &root, &tip);
        Self::add(this, draft.with_any("leader", leader.0.as_ref()))
    }

    /// Adds a [TendonWave2D] for the bones from [param root] to [param tip].
    #[func(gd_self)]
    fn add_wave(
        this: Gd<Self>,
        root: Option<Gd<Bone2D>>,
        tip: Option<Gd<Bone2D>>,
    ) -> Option<Gd<TendonWave2D>> {
        let (root, tip) = line_for("add_wave", root, tip)?;
        Self::add(this, Draft::line("TendonWave2D", &root, &tip))
    }

    /// Adds a [TendonCopyTransform2D] that has [param bone] copy [param source].
    #[func(gd_self)]
    fn add_copy_transform(
        this: Gd<Self>,
        bone: Option<Gd<Bone2D>>,
        #[opt(default = Optional::NONE)] source: Optional<Node2D>,
    ) -> Option<Gd<TendonCopyTransform2D>> {
        let (_, bone) = line_for("add_copy_transform", bone.clone(), bone)?;
        let draft = Draft::at("TendonCopyTransform2D", &bone).with("bone", &bone);
        Self::add(this, draft.with_any("source", source.0.as_ref()))
    }

    /// Adds a [TendonSlider2D]: [param source], a bone or any node, scrubs [param animation] of [param player].
    #[func(gd_self)]
    fn add_slider(
        this: Gd<Self>,
        source: Option<Gd<Node2D>>,
        player: Option<Gd<AnimationPlayer>>,
        animation: StringName,
    ) -> Option<Gd<TendonSlider2D>> {
        let (Some(source), Some(player)) = (source, player) else {
            refuse("add_slider", &null("source or player"));
            return None;
        };
        let draft = match source.clone().try_cast::<Bone2D>() {
            Ok(bone) => Draft::at("TendonSlider2D", &bone),
            Err(_) => Draft::new("TendonSlider2D"),
        };
        let draft = draft
            .with("source", &source)
            .with("animation_player", &player);
        Self::add(this, draft.set("animation", animation))
    }

    /// Adds a [TendonRagdoll2D] for what hangs on [param root], or for the whole skeleton. Its joints need a
    /// [TendonJointLimit2D] to bend as joints do: see [method add_joint_limit].
    #[func(gd_self)]
    fn add_ragdoll(
        this: Gd<Self>,
        #[opt(default = Optional::NONE)] root: Optional<Bone2D>,
    ) -> Option<Gd<TendonRagdoll2D>> {
        let draft = match &root.0 {
            Some(root) => Draft::at("TendonRagdoll2D", root).with("root_bone", root),
            None => Draft::new("TendonRagdoll2D"),
        };
        Self::add(this, draft)
    }

    /// Moves the children of the rig into an order that works, where modifiers come after those that move their
    /// bones or targets, as the menu's **Sort Modifiers** does. Returns `true` if they are in one now. The rig has to
    /// be in the tree. The chapter *The order of a full character* of the manual says what goes before what.
    #[func(gd_self)]
    fn sort_modifiers(this: Gd<Self>) -> bool {
        if Self::is_refused(&this) {
            return false;
        }
        let order = match Self::sorted_children(&this) {
            Ok(order) => order,
            Err(reason) => {
                refuse("sort_modifiers", &reason);
                return false;
            }
        };
        let mut rig = this;
        let parent = rig.clone().upcast::<Node>();
        for (index, child) in order.into_iter().flatten().enumerate() {
            // Moving a node may run scripts, which may free others.
            if child.is_instance_valid() && child.get_parent().as_ref() == Some(&parent) {
                rig.move_child(&child, i32::try_from(index).unwrap_or(i32::MAX));
            }
        }
        true
    }
}

impl TendonRig2D {
    /// Adds the modifier that `draft` describes, as the last one.
    fn add<T: Inherits<Node>>(this: Gd<Self>, draft: Draft) -> Option<Gd<T>> {
        let node = draft.instantiate();
        AtOnce.add_child(&this.upcast(), &node);
        node.try_cast().ok()
    }
}

/// The bones `first` and `last`, if they are there and on one line. If not, says so for `function`.
fn line_for(
    function: &str,
    first: Option<Gd<Bone2D>>,
    last: Option<Gd<Bone2D>>,
) -> Option<(Gd<Bone2D>, Gd<Bone2D>)> {
    let (Some(first), Some(last)) = (first, last) else {
        refuse(function, &null("a bone"));
        return None;
    };
    if line_between(&first, &last).is_none() {
        let [above, below] = [&first, &last].map(|bone| bone.get_name());
        let reason = format!(
            "\"{below}\" is not below \"{above}\", with nothing but Bone2D nodes between the two."
        );
        refuse(function, &reason);
        return None;
    }
    Some((first, last))
}
