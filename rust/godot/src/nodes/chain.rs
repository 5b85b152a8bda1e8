//! What the two chain modifiers, CCD and FABRIK, share beyond what all modifiers do.

/// Declares the class of a modifier that bends a chain of any length: the chain's own
/// properties, and those of [`modifier_node!`](crate::nodes::modifier::modifier_node).
macro_rules! chain_node {
    (
        $(# $attribute:tt)*
        $name:ident { $($own:tt)* }
    ) => {
        $crate::nodes::modifier::modifier_node! {
            $(# $attribute)*
            $name {
                /// The first bone of the chain.
                #[export_group(name = "Bones")]
                #[export]
                root_bone: $crate::engine::link::Link<godot::classes::Bone2D>,
                /// The last bone of the chain. It hangs below `root_bone`, or is the same bone.
                #[export]
                tip_bone: $crate::engine::link::Link<godot::classes::Bone2D>,
                /// The point that reaches the target: any node below `tip_bone`. If empty, the
                /// end of `tip_bone` is used.
                #[export]
                tip: $crate::engine::link::Link<godot::classes::Node2D>,
            } target {
                /// Turns `tip_bone` like the target: their X axes point the same way. The bones
                /// before it bring its end to the target, and it is not lengthened.
                #[export]
                match_target_rotation: bool,
                /// Sweeps over the chain at most, before the last exact step.
                #[export_group(name = "Solver")]
                #[export(range = (0.0, 64.0, 1.0, or_greater))]
                #[init(val = 16)]
                max_iterations: i64,
                /// The distance to the target that counts as reached, in the skeleton's units.
                #[export(range = (0.001, 10.0, 0.001, or_greater, suffix = "px"))]
                #[init(val = 0.01)]
                tolerance: f32,
                /// If `false`, the chain continues from its last pose. It moves smoothly, shows the
                /// animation, and returns to it as far as the target allows. Where limits or
                /// obstacles leave only another way to the target, it swings over in a fraction
                /// of a second.
                ///
                /// If `true`, the chain has no memory: the same base pose and the same target
                /// always give the same pose. The chain may then jump from one frame to the next.
                /// Use it for still poses, and where a pose must not depend on the past.
                #[export]
                deterministic: bool,
                $($own)*
                /// Eases the chain towards its full length, over this part of its reach: instead
                /// of snapping straight when the target leaves its reach, it stretches out ever
                /// more slowly. The tip then lags a little behind a target near full reach. `0.0`
                /// is off.
                #[export_group(name = "Constraints")]
                #[export(range = (0.0, 1.0, 0.001))]
                softness: f32,
                /// The greatest factor by which the chain is lengthened to reach a target that is
                /// too far; `1.0` is off. Bones are moved apart, by their `position`, and are not
                /// scaled. The last bone can only be lengthened if it ends at a child bone: the
                /// one in [member tip], or the first one below it.
                #[export(range = (1.0, 4.0, 0.001, or_greater))]
                #[init(val = 1.0)]
                stretch: f32,
                /// Shapes that the bones of the chain, and the joints between them, stay out
                /// of: circles, capsules, rectangles and segments, under any transform. Disabled
                /// shapes do not count. They may move and change, and hang on other bones of the
                /// skeleton, but not on those of this chain.
                #[export]
                obstacles: $crate::engine::link::Links<godot::classes::CollisionShape2D>,
            }
        }

        #[godot::prelude::godot_api(secondary)]
        impl $name {
            /// How deep a bone of the chain, or a joint, is inside one of the [member obstacles]
            /// as it was solved last, at its deepest, in the skeleton's units (pixels, unless the
            /// skeleton is scaled). `0.0` if all are outside. Like the status, it tells of the
            /// whole result, whatever part of it `influence` applies.
            #[func]
            fn get_penetration(&self) -> f32 {
                self.result.get().penetration
            }
        }

        impl $name {
            fn chain_references(&self) -> $crate::plan::references::References<'_> {
                use $crate::plan::references::{Joints, References};
                let root = ("root_bone", &self.root_bone);
                let tip = ("tip_bone", &self.tip_bone);
                References {
                    tip: Some(&self.tip),
                    target: Some(&self.target),
                    matches_rotation: self.match_target_rotation,
                    stretches: self.stretch > 1.0,
                    obstacles: Some(&self.obstacles),
                    ..References::new(Joints::Line(root, tip))
                }
            }

            fn approach(&self) -> tendon_solver::Approach {
                let most = i64::from(u32::MAX);
                tendon_solver::Approach {
                    max_iterations: self.max_iterations.clamp(0, most) as u32,
                    tolerance: self.tolerance,
                }
            }

            fn chain_solver(
                &self,
                solver: tendon_solver::Solver,
            ) -> $crate::plan::modifier::SolverSettings {
                $crate::plan::modifier::SolverSettings {
                    solver,
                    softness: self.softness,
                    stretch: self.stretch,
                    deterministic: self.deterministic,
                }
            }
        }
    };
}
pub(crate) use chain_node;
