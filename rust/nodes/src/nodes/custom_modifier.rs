//! `TendonCustomModifier2D`.

mod script;

use std::hash::Hash;

use godot::classes::Bone2D;
use godot::prelude::*;
use tendon_solver::Custom;

use self::script::{LentPose, PlannedScript};
use crate::engine::space::{to_godot, to_solver, to_transform};
use crate::nodes::modifier::{EditedModifier, modifier_node};
use crate::plan::class::ModifierClass;
use crate::plan::search::Search;
use crate::warnings::problem::Problem;

modifier_node! {
    /// A modifier that you write yourself, as a script.
    ///
    /// Extend it and override [method _process_modification]. The rig calls that method in each
    /// pass, at the place of this node among the modifiers. The method reads the pose that the
    /// modifiers above have left, and sets rotations, positions or scales. The rig does the rest: it blends the result
    /// by `influence`, keeps each bone within its [TendonJointLimit2D], and restores the pose. It
    /// ignores the result of a pass in which a number is not finite ([constant STATUS_INVALID]).
    ///
    /// The method may depend on anything, so a rig with an active custom modifier works in every
    /// frame. In the editor it runs only if the script has [code]@tool[/code].
    ///
    /// ```gdscript
    /// extends TendonCustomModifier2D
    /// ## Waves a tail.
    ///
    /// @export var bones: Array[Bone2D]
    /// var time: float = 0.0
    ///
    /// func _process_modification(delta: float) -> void:
    ///     time += delta
    ///     for index in bones.size():
    ///         var rotation: float = get_pose_rotation(bones[index])
    ///         set_pose_rotation(bones[index], rotation + 0.2 * sin(5.0 * time - index))
    /// ```
    ///
    /// Tutorial: the chapter *Modifiers in GDScript* of the manual,
    /// `addons/tendon/manual/custom-modifiers.html`.
    ///
    /// Add it below a [TendonRig2D].
    TendonCustomModifier2D {} {
        /// `true` if a call was refused, and a message printed.
        has_warned: bool,
    } impl {
        /// Override it with a script. It is called in each pass. `delta` is the time since the last
        /// pass, in seconds; it can be `0.0`.
        ///
        /// Use [method get_pose_rotation], [method get_pose_transform], [method set_pose_rotation] and
        /// their like for positions and scales. Do not apply `influence`, and do not set the rotation of a [Bone2D]
        /// here: the rig does both. Each pass begins from the base pose, so what is added to a
        /// rotation does not accumulate from pass to pass.
        #[func(gd_self, virtual)]
        fn process_modification(this: Gd<Self>, delta: f64) {
            // The default does nothing.
            let _ = (this, delta);
        }

        /// Returns the rotation of `bone` in its parent's frame, in radians, as the modifiers above
        /// and this one have left it. Only for [method _process_modification].
        #[func(gd_self)]
        fn get_pose_rotation(this: Gd<Self>, bone: Option<Gd<Bone2D>>) -> f32 {
            Self::with_pose(this, bone, "get_pose_rotation", 0.0, |pose, bone| {
                pose.rig.draft_rotation(bone)
            })
        }

        /// Sets the rotation of `bone` in its parent's frame, in radians. `bone` can be any bone of
        /// the skeleton. Only for [method _process_modification].
        #[func(gd_self)]
        fn set_pose_rotation(this: Gd<Self>, bone: Option<Gd<Bone2D>>, radians: f32) {
            Self::with_pose(this, bone, "set_pose_rotation", (), |pose, bone| {
                pose.rig.set_scripted(pose.index, bone, radians);
            });
        }

        /// Returns the position of `bone` in its parent's frame, as the modifiers above and this one have left
        /// it. Only for [method _process_modification].
        #[func(gd_self)]
        fn get_pose_position(this: Gd<Self>, bone: Option<Gd<Bone2D>>) -> Vector2 {
            Self::with_pose(this, bone, "get_pose_position", Vector2::ZERO, |pose, bone| {
                to_godot(pose.rig.draft_position(bone))
            })
        }

        /// Sets the position of `bone` in its parent's frame. Like rotations, it is blended by `influence`,
        /// and put back before the next pass. Only for [method _process_modification].
        #[func(gd_self)]
        fn set_pose_position(this: Gd<Self>, bone: Option<Gd<Bone2D>>, position: Vector2) {
            Self::with_pose(this, bone, "set_pose_position", (), |pose, bone| {
                pose.rig.shift_scripted(pose.index, bone, to_solver(position));
            });
        }

        /// Returns the scale of `bone`, as the modifiers above and this one have left it. Only for
        /// [method _process_modification].
        #[func(gd_self)]
        fn get_pose_scale(this: Gd<Self>, bone: Option<Gd<Bone2D>>) -> Vector2 {
            Self::with_pose(this, bone, "get_pose_scale", Vector2::ONE, |pose, bone| {
                to_godot(pose.rig.draft_scale(bone))
            })
        }

        /// Sets the scale of `bone`, which cannot be zero. Like rotations, it is blended by `influence`, and put
        /// back before the next pass. Only for [method _process_modification].
        #[func(gd_self)]
        fn set_pose_scale(this: Gd<Self>, bone: Option<Gd<Bone2D>>, scale: Vector2) {
            Self::with_pose(this, bone, "set_pose_scale", (), |pose, bone| {
                pose.rig.resize_scripted(pose.index, bone, to_solver(scale));
            });
        }

        /// Override it if the script remembers anything from one pass to the next, such as a time. What it
        /// returns, a number, an array or any other value without objects, goes into [method
        /// TendonRig2D.get_state]. By default it is [code]null[/code], and nothing does.
        ///
        /// ```gdscript
        /// extends TendonCustomModifier2D
        ///
        /// var time: float = 0.0
        ///
        /// func _get_state() -> Variant:
        ///     return time
        ///
        /// func _set_state(state: Variant) -> void:
        ///     time = state
        /// ```
        #[func(gd_self, virtual)]
        fn get_state(this: Gd<Self>) -> Variant {
            // The default remembers nothing.
            let _ = this;
            Variant::nil()
        }

        /// Override it with [method _get_state]: it gets back what that has returned when the state was saved,
        /// from [method TendonRig2D.set_state].
        #[func(gd_self, virtual)]
        fn set_state(this: Gd<Self>, state: Variant) {
            // The default does nothing.
            let _ = (this, state);
        }

        /// Returns the transform of `bone` in the frame of the skeleton, as the modifiers above and
        /// this one have left it. Multiply the `global_transform` of the [Skeleton2D] by it for the
        /// global transform. Only for [method _process_modification].
        #[func(gd_self)]
        fn get_pose_transform(this: Gd<Self>, bone: Option<Gd<Bone2D>>) -> Transform2D {
            Self::with_pose(this, bone, "get_pose_transform", Transform2D::IDENTITY, |pose, bone| {
                to_transform(pose.rig.draft_frame(bone))
            })
        }
    }
}

impl TendonCustomModifier2D {
    /// The result of `act` on the pose that is lent to the script, and on the index of `bone`. If that is refused,
    /// `default`, with a message the first time.
    fn with_pose<T>(
        mut this: Gd<Self>,
        bone: Option<Gd<Bone2D>>,
        method: &str,
        default: T,
        act: impl FnOnce(&mut LentPose, usize) -> T,
    ) -> T {
        let asked = script::with_lent(this.instance_id_unchecked(), bone.as_ref(), act);
        let refusal = match asked {
            Ok(answer) => return answer,
            Err(refusal) => refusal,
        };
        let has_warned = std::mem::replace(&mut this.bind_mut().has_warned, true);
        if !has_warned {
            godot_error!("TendonCustomModifier2D.{method}() {refusal}");
        }
        default
    }
}

impl ModifierClass for TendonCustomModifier2D {
    type Nodes = PlannedScript;
    type Solver = Custom;

    fn references(&self) -> impl Hash {}

    fn find(&self, search: &mut Search<'_>) -> Result<(PlannedScript, Custom), Problem> {
        let node = self.to_gd().upcast::<Node>();
        search.bones.scripted.push(node.clone());
        let script = PlannedScript::find(&node, search.bones)?;
        Ok((script, Custom::default()))
    }

    fn set(&self, _into: &mut Custom) -> bool {
        false
    }
}

impl EditedModifier for TendonCustomModifier2D {}
