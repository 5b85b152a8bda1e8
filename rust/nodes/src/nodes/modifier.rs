//! What all modifier nodes have in common.
//!
//! gdext classes cannot inherit from one another. The shared properties, functions and signals are
//! written once in [`modifier_node!`], which the file of each modifier calls. The pass reaches any
//! of them through the trait [`Modifier`](crate::plan::modifier::Modifier).

use godot::classes::tween::{EaseType, TransitionType};
use godot::obj::EngineEnum;
use godot::prelude::*;
use godot::register::info::PropertyInfo;
use tendon_solver::{Ease, HandoverSettings, Transition};

use crate::engine::threads::nearest_above;
use crate::nodes::rig::TendonRig2D;
use crate::nodes::rig::skeleton::misplacement;
use crate::plan::class::ModifierClass;
use crate::warnings::problem::Problem;

/// The description of a modifier class for the inspector.
pub(super) trait EditedModifier: ModifierClass {
    /// Registers the enums that it has beside its status.
    fn register_enums() {}
    /// Returns `true` if `property` has no effect as the others are set, and is not shown.
    fn hides(&self, _property: &StringName) -> bool {
        false
    }
    /// Returns `true` if `property` describes the curve of a transition that there is not.
    fn hides_curve(&self, property: &StringName) -> bool {
        let is_curve = *property == "transition_type" || *property == "ease_type";
        is_curve && self.handover().duration <= 0.0
    }
    /// Describes `property` to the inspector by what the others are set to.
    fn describe(&self, _property: &mut PropertyInfo) {}
}

/// The nearest rig above `node`, if there is one.
pub fn rig_above(node: &Gd<Node>) -> Option<Gd<TendonRig2D>> {
    nearest_above(node)
}

/// Marks the plan of the rig above `node` as stale: its modifiers or effectors have changed.
pub(super) fn mark_plan_stale(node: &Gd<Node>) {
    if let Some(rig) = rig_above(node) {
        rig.bind().mark_plan_stale();
    }
}

/// The configuration warnings of `node`, a modifier or an effector.
pub fn warnings_of(node: &Gd<Node>) -> PackedStringArray {
    in_words(match rig_above(node) {
        Some(rig) if misplacement(&rig.clone().upcast()).is_some() => vec![Problem::IdleRig {
            rig: rig.get_name().to_string(),
        }],
        Some(rig) => rig.bind().problems_of(node),
        None => vec![Problem::NoRig],
    })
}

/// `problems` as configuration warnings.
pub(super) fn in_words(problems: impl IntoIterator<Item = Problem>) -> PackedStringArray {
    let texts = problems.into_iter().map(|problem| problem.to_string());
    texts.map(|text| GString::from(&text)).collect()
}

/// The solver's settings for the transition to another target, of these values of a modifier's properties.
pub(super) fn handover(
    duration: f32,
    (transition, ease): (TransitionType, EaseType),
    max_turn_speed: f32,
) -> HandoverSettings {
    let index = |ord: i32| usize::try_from(ord).unwrap_or_default();
    let transition = Transition::ALL.get(index(transition.ord()));
    let ease = Ease::ALL.get(index(ease.ord()));
    HandoverSettings {
        duration,
        transition: transition.copied().unwrap_or_default(),
        ease: ease.copied().unwrap_or_default(),
        max_turn_speed,
    }
}

/// Declares the class of a modifier: the bones, the other properties and the functions of its own,
/// and everything that modifiers share. The word `target` between the two blocks gives it the
/// property `target`, and the word `handover` only how it goes over to what else is exchanged. The word `line` before the first gives it the properties of a line of bones, and the
/// function `line` with them.
// What a modifier cannot work without comes first, in no group: the inspector folds groups.
// Attributes are token trees: otherwise their documentation would not reach the editor's help.
macro_rules! modifier_node {
    (
        $(# $attribute:tt)*
        $name:ident line { $($bones:tt)* } $($rest:tt)*
    ) => {
        $crate::nodes::modifier::modifier_node! {
            $(# $attribute)*
            $name {
                /// The first bone of the chain. The modifier is idle until both bones are set.
                #[export]
                root_bone: $crate::engine::link::Link<godot::classes::Bone2D>,
                /// The last bone of the chain. It must be a descendant of [member root_bone], or
                /// the same bone.
                #[export]
                tip_bone: $crate::engine::link::Link<godot::classes::Bone2D>,
                /// The end of the chain: any node below [member tip_bone]. If empty, the end of
                /// [member tip_bone] is used.
                #[export]
                tip: $crate::engine::link::Link<godot::classes::Node2D>,
                $($bones)*
            } $($rest)*
        }

        impl $name {
            fn line(&self) -> $crate::plan::chain::ChainProperties<'_> {
                $crate::plan::chain::ChainProperties::line(
                    &self.root_bone,
                    &self.tip_bone,
                    &self.tip,
                )
            }
        }
    };
    (
        $(# $attribute:tt)*
        $name:ident { $($bones:tt)* } target { $($own:tt)* } $(impl { $($functions:tt)* })?
    ) => {
        $crate::nodes::modifier::modifier_node! {
            $(# $attribute)*
            $name { $($bones)* } (target) {
                $($own)*
                exchange: std::cell::Cell<Option<$crate::plan::target::PlaceToReach>>,
            } impl {
                $($($functions)*)?

                /// Reaches for [param position], in global coordinates, from now on: it becomes the [member
                /// target_position], and [member target] is removed. The modifier goes over to there in so many [param
                /// seconds]; if they are negative, as by default, within [member transition_duration], as from one target
                /// to another. To follow a place that moves, set [member target_position] in each frame after it.
                /// [constant Vector2.INF] lets go.
                ///
                /// ```gdscript
                /// func grasp(arm: TendonTwoBoneIK2D, ledge: Vector2) -> void:
                ///     arm.reach(ledge, 0.3)
                ///     await arm.transition_finished
                /// ```
                #[func]
                fn reach(
                    &mut self,
                    position: godot::prelude::Vector2,
                    #[opt(default = -1.0)] seconds: f32,
                ) {
                    let before = match self.exchange.get() {
                        Some(exchange) => exchange.from,
                        None => $crate::plan::target::PlaceToReach::place_before(
                            self.result.get(),
                            &self.target,
                            self.target_position,
                        ),
                    };
                    self.exchange.set(Some($crate::plan::target::PlaceToReach {
                        seconds: (seconds >= 0.0).then_some(seconds),
                        from: before,
                    }));
                    self.target = $crate::engine::link::Link::default();
                    self.target_position = position;
                }
            }
        }
    };
    (
        $(# $attribute:tt)*
        $name:ident { $($bones:tt)* } handover { $($own:tt)* } $(impl { $($functions:tt)* })?
    ) => {
        $crate::nodes::modifier::modifier_node! {
            $(# $attribute)*
            $name { $($bones)* } () { $($own)* } impl { $($($functions)*)? }
        }
    };
    (
        $(# $attribute:tt)*
        $name:ident { $($bones:tt)* } ($($target:ident)?) { $($own:tt)* } impl { $($functions:tt)* }
    ) => {
        $crate::nodes::modifier::modifier_node! {
            @ $(# $attribute)*
            $name { $($bones)* } ($($target)?) handover {
                $($own)*
                /// How many seconds it takes to go over to another target, when that is
                /// exchanged, removed or freed, or when [member active] changes. The tip goes on as
                /// it moved and comes to the new target, wherever that moves in the meantime. When
                /// it is switched on, it starts from the pose that the modifier is given, and when
                /// it is switched off, it returns to there. The default, `0.0`, changes over at
                /// once. Set it at least one frame before the exchange. Changes of [member
                /// influence] are not affected.
                #[export_group(name = "Handover")]
                #[export(range = (0.0, 2.0, 0.001, or_greater, suffix = "s"))]
                #[var(set = set_transition_duration)]
                transition_duration: f32,
                /// The curve of the transition, as in a [Tween]. The default is
                /// [constant Tween.TRANS_SINE]. The speed of the tip does not leap at the exchange,
                /// whatever the curve. It has no effect while [member transition_duration] is `0.0`.
                #[export]
                #[init(val = godot::classes::tween::TransitionType::SINE)]
                transition_type: godot::classes::tween::TransitionType,
                /// Where the curve of the transition is slow, as in a [Tween]. The default is
                /// [constant Tween.EASE_IN_OUT]. It has no effect while
                /// [member transition_duration] is `0.0`.
                #[export]
                #[init(val = godot::classes::tween::EaseType::IN_OUT)]
                ease_type: godot::classes::tween::EaseType,
                /// How fast the bones of this modifier turn at most, in radians per second, each
                /// relative to its parent. Use it for turrets, heavy heads and robots. It also
                /// limits how fast animations turn these bones while the modifier works. The
                /// default, `0.0`, turns it off.
                #[export(range = (0.0, 1080.0, 0.1, or_greater, radians_as_degrees))]
                max_turn_speed: f32,
            } impl {
                $($functions)*

                /// Emitted when the modifier has gone over to another target, or has come to rest
                /// after it was switched off. See [member transition_duration].
                #[signal]
                fn transition_finished();

                /// Returns `true` while the modifier goes over to another target, or is being
                /// switched on or off. See [member transition_duration].
                #[func]
                fn is_in_transition(&self) -> bool {
                    self.result.get().is_in_transition
                }

                #[func]
                fn set_transition_duration(&mut self, transition_duration: f32) {
                    use godot::obj::WithBaseField;
                    let had_curve = self.transition_duration > 0.0;
                    self.transition_duration = transition_duration;
                    if had_curve != (transition_duration > 0.0) {
                        $crate::engine::afterwards::notify_property_list_changed(&self.to_gd());
                    }
                }
            }
        }
    };
    (
        $(# $attribute:tt)*
        $name:ident { $($bones:tt)* } { $($own:tt)* } $(impl { $($functions:tt)* })?
    ) => {
        $crate::nodes::modifier::modifier_node! {
            @ $(# $attribute)*
            $name { $($bones)* } () { $($own)* } impl { $($($functions)*)? }
        }
    };
    (
        @ $(# $attribute:tt)*
        $name:ident { $($bones:tt)* } ($($target:ident)?) $($handover:ident)?
        { $($own:tt)* } impl { $($functions:tt)* }
    ) => {
        $(# $attribute)*
        #[derive(godot::prelude::GodotClass)]
        #[class(tool, init, base = Node)]
        pub struct $name {
            $($bones)*
            $(
            /// The node to reach for or to look at. It can be anywhere in the scene, but not below
            /// a bone that this modifier moves. Without a target, the default, the modifier is
            /// idle, unless there is a [member target_position]: remove the target to let go of it.
            #[export]
            $target: $crate::engine::link::Link<godot::classes::Node2D>,
            /// What to reach for or to look at, in global coordinates, while [member target] is
            /// empty. For scripts that know a place and have no node: it is not saved with the scene. The
            /// default, [constant Vector2.INF], is no place: set it to let go. There is no rotation
            /// to take over but that of the skeleton.
            #[var]
            #[init(val = godot::prelude::Vector2::INF)]
            target_position: godot::prelude::Vector2,
            )?
            /// If `true`, the default, the modifier works. If `false`, it does not change the pose,
            /// and its status is idle. To switch it off smoothly, animate [member influence].
            #[export]
            #[init(val = true)]
            active: bool,
            /// How much of the result is applied: from `0.0`, the pose before this modifier, to
            /// `1.0`, the default, the full result. It is multiplied by
            /// [member TendonRig2D.influence]. Animate it to blend the modifier in and out.
            #[export(range = (0.0, 1.0, 0.001))]
            #[var(set = set_influence)]
            #[init(val = 1.0)]
            influence: f32,
            $($own)*
            result: $crate::engine::shared::Shared<std::cell::Cell<$crate::plan::result::PassResult>>,
            base: godot::prelude::Base<godot::classes::Node>,
        }

        #[godot::prelude::godot_api]
        impl $name {
            /// The modifier is inactive or not fully configured.
            #[cfg(false)]
            #[constant]
            const STATUS_IDLE: i64 = 0;
            /// The tip is at the target, or the bone points at it. For a modifier without a target:
            /// the pose is the one that its properties ask for.
            #[cfg(false)]
            #[constant]
            const STATUS_REACHED: i64 = 1;
            /// The target cannot be reached. The nearest possible pose was applied.
            #[cfg(false)]
            #[constant]
            const STATUS_OUT_OF_REACH: i64 = 2;
            /// A number is not finite, or a scale is zero. The bones were not changed. The modifier
            /// recovers as soon as the numbers are valid again.
            #[cfg(false)]
            #[constant]
            const STATUS_INVALID: i64 = 3;

            #[func]
            fn set_influence(&mut self, influence: f32) {
                self.influence = tendon_solver::math::interval::clamp01(influence);
            }

            /// Emitted when the status changes to [constant STATUS_REACHED].
            #[signal]
            fn target_reached();

            /// Emitted when the status changes from [constant STATUS_REACHED] to another one.
            #[signal]
            fn target_lost();

            /// Returns the result of the last pass: one of the `STATUS_*` constants. It describes
            /// the full result, even if [member influence] applies only a part of it. If a modifier
            /// that runs later moves the tip or the target away, it is [constant
            /// STATUS_OUT_OF_REACH]. See also [method get_target_distance].
            #[func]
            fn get_status(&self) -> $crate::nodes::status_enum::StatusOf<Self> {
                self.result.get().status.into()
            }

            /// Returns the distance between the tip and the target after the last pass, in the
            /// units of the skeleton: pixels, unless the skeleton is scaled. For a [TendonSpring2D]
            /// it is the distance between the tip and its place in the pose that the spring returns
            /// to, for a [TendonSplineIK2D] how far the chain is off its path, and for a
            /// [TendonFullBody2D] the largest distance of an effector. It is `0.0` for
            /// modifiers that have no goal, and infinity while the modifier is not solved.
            #[func]
            fn get_target_distance(&self) -> f32 {
                self.result.get().distance
            }

            /// Returns the position of the tip after the last pass, in global coordinates.
            #[func]
            fn get_tip_position(&self) -> godot::prelude::Vector2 {
                self.result.get().tip
            }

            /// Returns how many iterations the last pass has needed: sweeps to a first pose, and
            /// steps to the target. A chain that follows its target needs a few steps. Use it to
            /// find modifiers that take much time.
            #[func]
            fn get_iterations(&self) -> i64 {
                i64::from(self.result.get().iterations)
            }

            $($functions)*
        }

        #[godot::prelude::godot_api]
        impl godot::classes::INode for $name {
            #[func(gd_self)]
            fn on_validate_property(
                this: godot::prelude::Gd<Self>,
                property: &mut godot::register::info::PropertyInfo,
            ) {
                use $crate::nodes::modifier::EditedModifier;
                if !$crate::engine::thread_guard::is_usable(&this) {
                    return;
                }
                let modifier = this.bind();
                let name = &property.property_name;
                if modifier.hides(name) || modifier.hides_curve(name) {
                    $crate::engine::property::hide(property);
                }
                modifier.describe(property);
            }

            #[func(gd_self)]
            fn get_configuration_warnings(this: godot::prelude::Gd<Self>) -> godot::prelude::PackedStringArray {
                $crate::nodes::modifier::warnings_of(&this.upcast())
            }
        }

        impl $crate::engine::notifications::Notified for $name {
            fn on_enter_tree(this: godot::prelude::Gd<Self>) {
                let node = this.clone().upcast::<godot::classes::Node>();
                $crate::nodes::modifier::mark_plan_stale(&node);
                $crate::plan::class::ModifierClass::enter(&*this.bind(), &node);
                if $crate::nodes::modifier::rig_above(&node).is_none() {
                    let result = this.bind().result.clone();
                    let problem = $crate::warnings::problem::Problem::NoRig;
                    $crate::plan::result::Subject::warn_of_place(node, result, problem);
                }
            }

            fn on_exit_tree(this: godot::prelude::Gd<Self>) {
                $crate::plan::result::PassResult::update(
                    &this.bind().result,
                    $crate::plan::result::PassResult::go_idle,
                );
                $crate::nodes::modifier::mark_plan_stale(&this.upcast());
            }
        }

        impl $crate::plan::class::ModifierBase for $name {
            fn is_active(&self) -> bool {
                self.active
            }

            fn influence(&self) -> f32 {
                self.influence
            }

            $(
            fn $handover(&self) -> tendon_solver::HandoverSettings {
                $crate::nodes::modifier::handover(
                    self.transition_duration,
                    (self.transition_type, self.ease_type),
                    self.max_turn_speed,
                )
            }
            )?

            $(
            fn exchange(&self) -> Option<&std::cell::Cell<Option<$crate::plan::target::PlaceToReach>>> {
                Some(&self.exchange)
            }

            fn target(&self) -> Option<godot::prelude::InstanceId> {
                self.$target.id()
            }

            fn target_position(&self) -> Option<godot::prelude::Vector2> {
                let is_place = self.target_position.is_finite() && !self.$target.is_set();
                is_place.then_some(self.target_position)
            }
            )?

            fn result(&self) -> &$crate::engine::shared::Shared<std::cell::Cell<$crate::plan::result::PassResult>> {
                &self.result
            }
        }

        #[godot::prelude::godot_dyn]
        impl $crate::plan::modifier::Modifier for $name {
            fn takes_effectors(&self) -> bool {
                <Self as $crate::plan::class::ModifierClass>::TAKES_EFFECTORS
            }

            fn plan(
                &self,
                bones: &mut $crate::plan::bones::Bones,
            ) -> $crate::plan::modifier::PlannedModifier {
                use godot::obj::WithBaseField;
                $crate::plan::modifier::PlannedModifier::new(self, self.to_gd(), bones)
            }
        }
    };
}
pub(crate) use modifier_node;
