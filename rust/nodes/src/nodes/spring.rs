//! `TendonSpring2D`.

use std::hash::Hash;

use godot::classes::{CollisionShape2D, Curve};
use godot::prelude::*;
use tendon_solver::glam::Vec2;
use tendon_solver::math::interval::clamp01;
use tendon_solver::{Impulses, Point, Spring, SpringSettings, Tuning, with_impulse};

use crate::engine::afterwards::notify_property_list_changed;
use crate::engine::bone_lines::{end_of, line_between, places_along, share_along};
use crate::engine::held::Held;
use crate::engine::link::{Link, Links, NodeArray};
use crate::engine::space::{InSolver, to_solver};
use crate::nodes::chain::LineNodes;
use crate::nodes::modifier::{EditedModifier, modifier_node};
use crate::plan::chain::FoundChain;
use crate::plan::change::set;
use crate::plan::class::{Gathered, ModifierClass};
use crate::plan::locate::{Gather, Place, Stale};
use crate::plan::obstacles::Obstacles;
use crate::plan::search::Search;
use crate::plan::target::Target;
use crate::warnings::problem::Problem;

/// An impulse is bounded by this in each coordinate: none that is faster makes a difference.
const FASTEST: f32 = 30_000.0;

modifier_node! {
    /// Lets bones lag behind and swing, without a target: hair, tails, ears, cloth, bellies.
    ///
    /// The goal of the bones is the pose that animations and the modifiers above this one give. The
    /// bones feel how the goal moves, whatever moves it: the character, an animation, any node
    /// above the skeleton. They lag behind, overshoot and come to rest at the goal.
    ///
    /// The motion is exact in each frame. It is the same at every frame rate, and stable with any
    /// values. Mirrored and scaled characters move alike. If a character is turned round with
    /// `scale.x = -1`, or moved far in one frame, that does not make the bones swing. Call
    /// [method reset] after a cut.
    ///
    /// Each bone stays within its [TendonJointLimit2D]. Add the spring below a [TendonRig2D], after
    /// the modifiers that pose its bones.
    ///
    /// This script makes a tail jump when the character is hit:
    ///
    /// ```gdscript
    /// func hit(direction: Vector2) -> void:
    ///     var tail: TendonSpring2D = $Skeleton2D/TendonRig2D/TailSpring
    ///     tail.apply_impulse(400.0 * direction)
    /// ```
    ///
    /// Tutorial: the chapter *Springs* of the manual, `addons/tendon/manual/springs.html`.
    TendonSpring2D line {
        /// Where the end of the chain stays: any [Node2D] that the chain does not carry. The chain
        /// then hangs between its root and the pin: a rope, a cable, a bridge, a cape. Its goal is
        /// the pose, bent evenly until the end is at the pin. Set [member gravity] and a low
        /// [member frequency] to make it limp. Both ends are exact in every frame. If the pin is out
        /// of reach, the chain points straight at it, and the status is
        /// [constant STATUS_OUT_OF_REACH]. Joint limits and [member max_angle] hold; if they keep
        /// the end from the pin, it comes as near as they allow. Bones stay out of [member
        /// obstacles] as far as the end can be at the pin. By default the pin is empty, and the end
        /// is free. If the pin is set or cleared in a game, the bones go on from where they are.
        #[export]
        #[var(set = set_pin)]
        pin: Link<Node2D>,
    } {
        /// How long a chain with a [member pin] is, as a factor of the lengths of its bones. More
        /// than `1.0`, the default, lets it sag more, and less pulls it tight: pay out and haul in
        /// a rope with it. The bones are moved apart for that, as by `stretch` of other modifiers;
        /// the last piece only if it ends at a bone. At `0.0` the status is invalid.
        #[export(range = (0.5, 2.0, 0.001, or_greater))]
        #[init(val = 1.0)]
        slack: f32,
        /// How many times per second the chain swings back and forth, without damping. The chain
        /// swings at this frequency as a whole, however many bones it has. Lower values are softer.
        /// The default, `3.0`, suits a short tail or hair; try `1.0` for something long and heavy
        /// and `6.0` for ears.
        // The filter of the inspector finds properties by their group, too, as by what else they are called.
        #[export_group(name = "Stiffness")]
        #[export(range = (0.05, 20.0, 0.01, or_greater, suffix = "Hz"))]
        #[init(val = SpringSettings::default().frequency)]
        frequency: f32,
        /// How fast the swinging ends. At `0.0` it never does. At `1.0` the bones return without
        /// overshoot, and with higher values they return more slowly. The default, `0.4`,
        /// overshoots once or twice.
        #[export(range = (0.0, 2.0, 0.01, or_greater))]
        #[init(val = SpringSettings::default().damping_ratio)]
        damping_ratio: f32,
        /// What [member frequency] is multiplied by along the chain: from the first joint at `0.0`
        /// to the last one at `1.0`. A curve that falls makes the end of the chain softer. By
        /// default it is empty, and all joints are alike.
        #[export_subgroup(name = "Along the Chain")]
        #[export]
        frequency_curve: Held<Curve>,
        /// What [member damping_ratio] is multiplied by along the chain, as with
        /// [member frequency_curve]. Use it if the end of the chain should come to rest earlier or
        /// later than its root. By default it is empty, and all joints are alike.
        #[export]
        damping_curve: Held<Curve>,
        /// An acceleration that pulls at the bones, in global units per second squared. It does not
        /// turn with the character. The default, zero, keeps the posed chain as it is at rest. With
        /// the gravity of a game, `(0, 980)`, stiff chains sag and soft ones hang down. Change it
        /// over time for wind.
        #[export_group(name = "Gravity and Wind")]
        #[export]
        gravity: Vector2,
        /// How much of the motion of the goal the bones feel, from `0.0` to `1.0`, the default. At
        /// `0.0` they move with the character, and only [member gravity] and [method apply_impulse]
        /// make them swing. Lower it if the bones swing too far when the character moves fast.
        #[export(range = (0.0, 1.0, 0.001))]
        #[var(set = set_inertia)]
        #[init(val = SpringSettings::default().inertia)]
        inertia: f32,
        /// How far each joint bends from the goal at most, in radians. The default, `0.0`, turns it
        /// off. Set it if a fast motion bends the chain too far.
        #[export_group(name = "Constraints")]
        #[export(range = (0.0, 180.0, 0.1, radians_as_degrees))]
        max_angle: f32,
        /// How far the bones stay away from [member obstacles], in the units of the skeleton. Set
        /// it to half the thickness of the drawn shape. With the default, `0.0`, the line through
        /// the bones stays outside.
        #[export(range = (0.0, 100.0, 0.1, or_greater, suffix = "px"))]
        radius: f32,
        /// Shapes that the bones and joints of the chain stay out of. Circles, capsules, rectangles
        /// and segments are supported, under any transform. The shapes can move and change. They
        /// can be below other bones of the skeleton, but not below bones of this chain. Disabled
        /// shapes are ignored. By default there are none.
        #[export]
        #[var(get = get_obstacles)]
        obstacles: Links<CollisionShape2D>,
        /// The sum of all impulses, wound so that it does not grow.
        pushed: Vec2,
        /// The same at places of the chain.
        impulses: Impulses,
        /// The number of resets, wrapped around.
        resets: u32,
    } impl {
        #[func]
        fn set_inertia(&mut self, inertia: f32) {
            self.inertia = clamp01(inertia);
        }

        /// Starts again at rest at the goal. The next pass does not feel what has moved since the
        /// last one. Call it after a cut, or a teleport over a short distance.
        /// [method TendonRig2D.reset] does this for all modifiers of a rig.
        #[func]
        fn reset(&mut self) {
            self.resets = self.resets.wrapping_add(1);
        }

        /// Gives the chain an impulse, as if its tip had been given `velocity`, in global units per
        /// second. With a [member pin] it is the middle of the chain that gets it. Impulses add up until the next
        /// pass. A velocity that is not finite is ignored.
        ///
        /// With a `position`, in global coordinates, the chain is hit there: the nearest place of it, to a
        /// quarter of the chain, gets that velocity, and the rest follows by the springs. A rope is hit by a
        /// stone, or somebody jumps on a bridge.
        ///
        /// ```gdscript
        /// func _on_hit(direction: Vector2) -> void:
        ///     $Skeleton2D/TendonRig2D/Tail.apply_impulse(direction * 600.0)
        /// ```
        #[func]
        fn apply_impulse(
            &mut self,
            velocity: Vector2,
            #[opt(default = Vector2::INF)] position: Vector2,
        ) {
            let velocity = to_solver(velocity);
            if !velocity.is_finite() {
                return;
            }
            let most = Vec2::splat(FASTEST);
            let velocity = velocity.clamp(-most, most);
            if position == Vector2::INF {
                self.pushed = with_impulse(self.pushed, velocity);
            } else if let Some(share) = self.share_at(position) {
                self.impulses.add(share, velocity);
            }
        }

        #[func]
        fn set_pin(&mut self, pin: Option<Gd<Node2D>>) {
            let had_pin = self.has_pin();
            Link::var_set(&mut self.pin, pin);
            if self.has_pin() != had_pin {
                notify_property_list_changed(&self.to_gd());
            }
        }

        // With its type, for the help: what the property can be set to has none.
        #[func]
        fn get_obstacles(&self) -> NodeArray<CollisionShape2D> {
            self.obstacles.share()
        }

        /// Returns how deep the chain is inside one of the [member obstacles], at its deepest, in
        /// the units of the skeleton. Returns `0.0` if all bones and joints are outside. It
        /// describes the full result, even if `influence` applies only a part of it.
        #[func]
        fn get_penetration(&self) -> f32 {
            self.result.get().penetration
        }
    }
}

impl TendonSpring2D {
    fn has_pin(&self) -> bool {
        self.pin.is_set()
    }

    /// The point of the chain that is nearest to `position`, in global coordinates, as a part from `0.0` at its root to
    /// `1.0` at its end: all bones count as equally long. `None` if there is no chain, or no such point.
    fn share_at(&self, position: Vector2) -> Option<f32> {
        let (root, last) = (self.root_bone.get()?, self.tip_bone.get()?);
        let bones = line_between(&root, &last)?;
        let end = match self.tip.get() {
            Some(tip) => tip.get_global_position(),
            None => last.get_global_transform() * end_of(&last),
        };
        let places = places_along(&bones, end);
        let distances = places.windows(2).enumerate().map(|(index, ends)| {
            let along = share_along([ends[0], ends[1]], position);
            let distance = position.distance_squared_to(ends[0].lerp(ends[1], along));
            (distance, (index as f32 + along) / bones.len() as f32)
        });
        let (distance, share) = distances.min_by(|(a, _), (b, _)| a.total_cmp(b))?;
        distance.is_finite().then_some(share)
    }

    fn curves(&self) -> [&Held<Curve>; 2] {
        [&self.frequency_curve, &self.damping_curve]
    }

    /// The values of the curves at each of `joints` joints.
    fn tuning(&self, joints: usize, search: &mut Search<'_>) -> Option<Box<Tuning>> {
        let [frequency, damping] = self.curves().map(|it| search.sample(it.as_ref(), joints));
        let tuning = Tuning { frequency, damping };
        (tuning != Tuning::default()).then(|| Box::new(tuning))
    }

    fn find_chain(&self, search: &mut Search<'_>) -> Result<FoundChain, Problem> {
        let mut chain = self.line().find(search.bones)?;
        chain.report(search);
        Ok(chain)
    }
}

impl ModifierClass for TendonSpring2D {
    type Nodes = LineNodes;
    type Solver = Spring;

    fn references(&self) -> impl Hash {
        (self.line(), &self.pin, self.curves())
    }

    fn find(&self, search: &mut Search<'_>) -> Result<(LineNodes, Spring), Problem> {
        let root = self.line().root(search.bones);
        let chain = self.find_chain(search);
        let obstacles = Obstacles::find(search, &self.obstacles, root);
        let pin = self
            .has_pin()
            .then(|| Target::find(search.bones, ("pin", &self.pin), root));
        let (mut chain, pin) = (chain?, pin.transpose()?);
        let mut solver = Spring::new(chain.for_solver());
        solver.pin.set(pin.as_ref().map(|_| Point::default()));
        solver.tuning = self.tuning(solver.chain.joints.len(), search);
        let nodes = LineNodes {
            guide: pin,
            obstacles,
            ..chain.tip.into()
        };
        Ok((nodes, solver))
    }

    fn set(&self, into: &mut Spring) -> bool {
        let settings = SpringSettings!(self, InSolver::in_solver);
        set(&mut into.settings, settings) | set(&mut into.slack, self.slack)
    }
}

impl Gathered<Spring> for LineNodes {
    fn gather(&self, from: &Gather<'_>, into: &mut Spring) -> Result<bool, Stale> {
        let mut changes = set(&mut into.chain.end, self.tip.locate(from)?);
        let pin = self.guide.as_ref();
        let pin = pin.map(|pin| pin.locate(from)).transpose()?;
        changes |= into.pin.set(pin.map(Place::point));
        Ok(self.obstacles.gather(from, &mut into.obstacles)? | changes)
    }
}

impl EditedModifier for TendonSpring2D {
    fn hides(&self, property: &StringName) -> bool {
        *property == "slack" && !self.has_pin()
    }
}
