//! The properties and functions that `TendonFootPlacement2D` and `TendonGait2D` share.

/// Declares the class of a modifier that stands on ground: its own properties and functions, and those that all of
/// them share. `new` makes its solver, and `set_own` takes over its own properties.
macro_rules! stance_node {
    (
        $(# $attribute:tt)*
        $name:ident {
            new: $new:path, set_own: $set_own:path,
            search_up: $search_up:literal, max_pelvis_rise: $rise:literal
        } { $($own:tt)* } impl { $($functions:tt)* }
    ) => {
        $crate::nodes::modifier::modifier_node! {
            $(# $attribute)*
            $name {
                /// The bone that carries all legs. It is moved by its `position`, and turned by a gait. The
                /// modifier is idle until it is set.
                #[export]
                pelvis: $crate::engine::link::Link<godot::classes::Bone2D>,
            } {
                $($own)*
                /// The character's body. It is asked whether it is on the floor, and on what: in the air,
                /// feet go with the animation or hang, at once after a jump, and a tenth of a second after
                /// the body has left the floor otherwise. By default it is the nearest
                /// [CharacterBody2D] above the skeleton, if there is one that moves by
                /// [method CharacterBody2D.move_and_slide].
                #[export_group(name = "Ground")]
                #[export]
                body: $crate::engine::link::Link<godot::classes::CharacterBody2D>,
                /// Whether the character is in the air, where its feet go with the animation or hang. By default
                /// [member body] tells that. Set it from a script that knows: for a character that climbs, swims or is
                /// moved by its position, and for a hero that is a [RigidBody2D].
                #[export]
                #[var(get = get_in_air, set = set_in_air)]
                in_air: InAir,
                /// The direction away from the ground. Its length does not count. Set it with
                /// [member CharacterBody2D.up_direction]. The default is up the screen.
                #[export]
                #[init(val = godot::prelude::Vector2::UP)]
                up: godot::prelude::Vector2,
                /// Whether [member up] is in global coordinates, the default, or in those of the skeleton, as for
                /// a character that is turned on a planet or a wall.
                #[export]
                #[var(get = get_up_space, set = set_up_space)]
                up_space: UpSpace,
                /// The collision layers on which the ground is. The default is the first.
                #[export(flags_2d_physics)]
                #[init(val = 1)]
                collision_mask: u32,
                /// How much higher than the plane that the character stands on ground counts, in the units of
                /// the skeleton. Set it to the height of the highest step.
                #[export(range = (0.0, 200.0, 0.1, or_greater, suffix = "px"))]
                #[init(val = $search_up)]
                search_up: f32,
                /// How much lower than that plane ground counts, in the units of the skeleton, as far as the leg
                /// reaches. The default is `60.0`.
                #[export(range = (0.0, 200.0, 0.1, or_greater, suffix = "px"))]
                #[init(val = 60.0)]
                search_down: f32,
                /// How far the pelvis goes down at most, so that legs reach the ground, in the units of the
                /// skeleton. Ground that is too low for that is left to the animation. The default is `40.0`.
                #[export_group(name = "Pelvis")]
                #[export(range = (0.0, 200.0, 0.1, or_greater, suffix = "px"))]
                #[init(val = 40.0)]
                max_pelvis_drop: f32,
                /// How far the pelvis goes up at most, where feet stand higher than the body, in the units of the
                /// skeleton.
                #[export(range = (0.0, 200.0, 0.1, or_greater, suffix = "px"))]
                #[init(val = $rise)]
                max_pelvis_rise: f32,
                /// How quickly the pelvis follows, as the frequency of a spring without overshoot, in Hz. Lower
                /// values are softer. At `0.0` it follows at once. The default is `3.0`.
                #[export(range = (0.0, 20.0, 0.01, or_greater, suffix = "Hz"))]
                #[init(val = 3.0)]
                pelvis_frequency: f32,
                standing: $crate::nodes::stance::KeptStance,
            } impl {
                $($functions)*

                #[func]
                fn get_up_space(&self) -> UpSpace {
                    self.up_space
                }

                #[func]
                fn set_up_space(&mut self, up_space: UpSpace) {
                    self.up_space = up_space;
                }

                #[func]
                fn get_in_air(&self) -> InAir {
                    self.in_air
                }

                #[func]
                fn set_in_air(&mut self, in_air: InAir) {
                    self.in_air = in_air;
                }

                /// Adds a foot for each leg below [member pelvis] that has none yet, and sets what suits the length of
                /// the legs, as the menu of the editor does. Returns the feet. See [method add_leg].
                #[func(gd_self)]
                fn add_legs(
                    this: godot::prelude::Gd<Self>,
                ) -> godot::prelude::Array<godot::prelude::Gd<$crate::nodes::foot::TendonFoot2D>> {
                    let pelvis = this.get("pelvis").try_to().ok();
                    $crate::nodes::rigging::leg::add_all(&this.upcast(), pelvis)
                }

                /// Returns how fast the character goes against what carries it, in global coordinates per second, as
                /// the last ticks of the physics have shown it. On a train that goes it is that on the train.
                #[func]
                fn get_ground_velocity(&self) -> godot::prelude::Vector2 {
                    self.standing.velocity.get()
                }

                /// Adds a leg, from its first bone to its last: a [TendonFoot2D], which is returned. It gets the
                /// modifier that moves these bones, and this node is moved before that; if there is none, a
                /// [TendonTwoBoneIK2D] for two bones or a [TendonFABRIK2D] for more is added after this node. A short
                /// bone below the last one becomes the foot. Returns `null`, and prints an error, if the bones are
                /// not one line.
                #[func(gd_self)]
                fn add_leg(
                    this: godot::prelude::Gd<Self>,
                    first_bone: Option<godot::prelude::Gd<godot::classes::Bone2D>>,
                    last_bone: Option<godot::prelude::Gd<godot::classes::Bone2D>>,
                ) -> Option<godot::prelude::Gd<$crate::nodes::foot::TendonFoot2D>> {
                    $crate::nodes::rigging::leg::add(&this.upcast(), first_bone, last_bone)
                }

                /// Takes `body` out of the ground. What belongs to the character is none in any case: the
                /// nearest body above the skeleton, the bodies below that, and those that it does not collide
                /// with.
                #[func(gd_self)]
                fn add_exception(
                    this: godot::prelude::Gd<Self>,
                    body: Option<godot::prelude::Gd<godot::classes::CollisionObject2D>>,
                ) {
                    if let Some(body) = $crate::warnings::refusal::body_or_warn(&this, body, "add_exception()") {
                        this.bind().standing.ground.parts().add(body.instance_id());
                    }
                }

                /// Makes `body` ground again. See [method add_exception].
                #[func(gd_self)]
                fn remove_exception(
                    this: godot::prelude::Gd<Self>,
                    body: Option<godot::prelude::Gd<godot::classes::CollisionObject2D>>,
                ) {
                    if let Some(body) = $crate::warnings::refusal::body_or_warn(&this, body, "remove_exception()") {
                        this.bind().standing.ground.parts().remove(body.instance_id());
                    }
                }
            }
        }

        impl $crate::plan::class::ModifierClass for $name {
            type Nodes = $crate::nodes::stance::Nodes;
            type Solver = tendon_solver::Stance;

            fn references(&self) -> impl std::hash::Hash {
                (&self.pelvis, &self.body)
            }

            fn find(
                &self,
                search: &mut $crate::plan::search::Search<'_>,
            ) -> Result<(Self::Nodes, Self::Solver), $crate::warnings::problem::Problem> {
                use godot::obj::WithBaseField;
                let node = self.to_gd().upcast();
                Self::Nodes::find($new, &node, &self.pelvis, &self.standing, search)
            }

            fn set(&self, into: &mut Self::Solver) -> bool {
                use $crate::plan::change::set;
                let settings =
                    tendon_solver::PelvisSettings!(self, $crate::engine::space::InSolver::in_solver);
                let is_of_skeleton =
                    self.up_space == UpSpace::Skeleton;
                set(&mut into.pelvis_settings, settings)
                    | set(&mut into.up, $crate::engine::space::to_solver(self.up))
                    | set(&mut into.is_up_of_skeleton, is_of_skeleton)
                    | set(&mut into.search_up, self.search_up)
                    | set(&mut into.search_down, self.search_down)
                    | $set_own(self, into)
            }

            fn enter(&self, node: &godot::prelude::Gd<godot::prelude::Node>) {
                self.standing.enter(node, self.body.id());
            }

            fn configure(&self, nodes: &Self::Nodes) {
                nodes.configure(self.collision_mask, self.body.id(), self.in_air.known());
            }
        }
    };
}
pub(in crate::nodes) use stance_node;
