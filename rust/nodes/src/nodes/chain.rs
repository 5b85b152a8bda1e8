//! What the two chain modifiers, CCD and FABRIK, share beyond what all modifiers do.

use godot::prelude::*;

use crate::plan::chain::ChainReferences;

/// What the properties of a chain modifier are set to: the chain, the target, and whether that turns the
/// last bone.
pub(super) type References = (ChainReferences, Option<InstanceId>, bool);

/// Declares the class of a modifier that bends a chain of any length: the chain's own
/// properties, and those of [`modifier_node!`](crate::nodes::modifier::modifier_node).
macro_rules! chain_node {
    (
        $(# $attribute:tt)*
        $name:ident { $($own:tt)* }
    ) => {
        $crate::nodes::modifier::modifier_node! {
            $(# $attribute)*
            $name line {} target {
                /// If `true`, [member tip_bone] takes over the rotation of the target: their X axes
                /// point in the same direction. The other bones of the chain bring its end to the
                /// target. [member tip_bone] is then not stretched. Use it for a hand that holds
                /// something, or for a foot on a slope. The default is `false`.
                #[export]
                match_target_rotation: bool,
                /// How many sweeps along the chain may lead to its first pose. That pose decides to
                /// which side the chain bends. From then on it follows its target and makes no
                /// sweeps, unless it has to change to a different pose. The default, `16`, suits
                /// most chains; if there are joint limits or several tips, more than `8` change
                /// nothing. A target within reach is reached with any value. Lower values save time
                /// in long chains, but their poses may be less even.
                #[export_group(name = "Solver")]
                #[export(range = (0.0, 64.0, 1.0, or_greater))]
                #[init(val = 16)]
                max_iterations: i64,
                /// The distance to the target that counts as reached, in the units of the skeleton.
                /// The default, `0.01`, is too small to be seen. Increase it if the status should
                /// change to reached earlier.
                #[export(range = (0.001, 10.0, 0.001, or_greater, suffix = "px"))]
                #[init(val = 0.01)]
                tolerance: f32,
                /// If `false`, the default, the chain continues from its last pose. It moves
                /// smoothly, shows the animation, and returns to it as far as the target allows.
                /// If limits or obstacles allow only a different way to the target, the chain
                /// swings to that pose in a fraction of a second. Its speed does not depend on the
                /// frame rate: at a low one it moves farther in each frame.
                ///
                /// If `true`, the chain has no memory: the same base pose and the same target
                /// always give the same pose. The chain may then jump from one frame to the next.
                /// Use it for still poses, and where a pose must not depend on earlier frames.
                #[export]
                #[init(val = false)]
                deterministic: bool,
                $($own)*
                /// The part of its reach over which the chain slows down before it is fully
                /// extended, from `0.0` to `1.0`. It prevents the chain from snapping straight when
                /// the target leaves its reach. The tip then stays a little behind a target near
                /// full reach. The default, `0.0`, turns it off.
                #[export_group(name = "Constraints")]
                #[export(range = (0.0, 1.0, 0.001))]
                #[var(set = set_softness)]
                softness: f32,
                /// The greatest factor by which the chain is lengthened to reach a target that is
                /// too far away. Bones are moved apart by their `position`; they are not scaled.
                /// The last bone can only be lengthened if it ends at a child bone: the one in
                /// [member tip], or its first child bone. The default, `1.0`, turns it off.
                #[export(range = (1.0, 4.0, 0.001, or_greater))]
                #[init(val = 1.0)]
                stretch: f32,
                /// Shapes that the bones and joints of the chain stay out of. Circles, capsules,
                /// rectangles and segments are supported, under any transform. The shapes can move
                /// and change. They can be below other bones of the skeleton, but not below bones
                /// of this chain. Disabled shapes are ignored. By default there are none.
                #[export]
                #[var(get = get_obstacles)]
                obstacles: $crate::engine::link::Links<godot::classes::CollisionShape2D>,
            } impl {
                #[func]
                fn set_softness(&mut self, softness: f32) {
                    self.softness = tendon_solver::math::interval::clamp01(softness);
                }

                // With its type, for the help: what the property can be set to has none.
                #[func]
                fn get_obstacles(
                    &self,
                ) -> $crate::engine::link::NodeArray<godot::classes::CollisionShape2D> {
                    self.obstacles.share()
                }
            }
        }

        #[godot::prelude::godot_api(secondary)]
        impl $name {
            /// Returns how deep the chain is inside one of the [member obstacles], at its deepest,
            /// in the units of the skeleton. Returns `0.0` if all bones and joints are outside. It
            /// describes the full result, even if [member influence] applies only a part of it.
            #[func]
            fn get_penetration(&self) -> f32 {
                self.result.get().penetration
            }
        }

        impl $name {
            fn chain(&self) -> $crate::plan::chain::ChainProperties<'_> {
                $crate::plan::chain::ChainProperties {
                    moves_tip_bone: self.stretch > 1.0,
                    ..self.line()
                }
            }

            fn chain_references(&self) -> $crate::nodes::chain::References {
                let chain = self.chain().references();
                (chain, self.target.id(), self.match_target_rotation)
            }

            fn elasticity(&self) -> tendon_solver::Elasticity {
                tendon_solver::Elasticity {
                    softness: self.softness,
                    stretch: self.stretch,
                }
            }

            fn approach(&self) -> tendon_solver::Approach {
                let most = i64::from(u32::MAX);
                tendon_solver::Approach {
                    max_iterations: self.max_iterations.clamp(0, most) as u32,
                    tolerance: self.tolerance,
                }
            }
        }
    };
}
pub(crate) use chain_node;
