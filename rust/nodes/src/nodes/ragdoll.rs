//! `TendonRagdoll2D`.

mod by_name;
mod crowd;
mod facing;
mod landing;
mod limbs;
mod publish;
mod query;
mod shared;
mod surroundings;
mod witness;

use std::hash::Hash;

use godot::classes::{Bone2D, Curve, Engine, PhysicsBody2D};
use godot::prelude::*;
use tendon_solver::glam::Affine2;
use tendon_solver::math::interval::clamp01;
use tendon_solver::{
    Kept, Modifier as SolverModifier, Ragdoll, RagdollPhase, RagdollSettings, Rig, Solver,
};

use self::by_name::ByName;
use self::facing::Facing;
use self::limbs::Limbs;
use self::publish::publish;
use self::query::Query;
use self::shared::{Exchange, Grip, PendingPush};
use crate::engine::afterwards::print_error;
use crate::engine::frame_calls::Live;
use crate::engine::link::{Link, Links, NodeArray};
use crate::engine::optional::Optional;
use crate::engine::shared::Shared;
use crate::engine::space::{InSolver, frame_of, to_solver};
use crate::engine::unusable::not_finite;
use crate::nodes::modifier::{EditedModifier, modifier_node, rig_above};
use crate::plan::change::set;
use crate::plan::class::{Gathered, ModifierClass, PlannedNodes};
use crate::plan::locate::{Gather, Stale};
use crate::plan::search::Search;
use crate::warnings::log::warn;
use crate::warnings::problem::Problem;
use crate::warnings::refusal::{BoneRefusal, body_or_warn};

modifier_node! {
    /// Lets a body fall, stagger, lie and get up again, simulated by Tendon itself.
    ///
    /// [method start] lets go: the body goes on at the speed that the animation has given it, and falls.
    /// [method stop] blends from where it lies back to the animation. With [member frequency], the joints
    /// follow the animation while it is simulated; with [member root_frequency], the body stands, staggers
    /// when it is hit, and comes back.
    ///
    /// Bones keep their lengths, and joints keep to their [TendonJointLimit2D]. A joint without one turns by up
    /// to 150 degrees to either side of its rest pose. Mirrored and scaled characters fall as their mirror
    /// images do. No physics bodies are needed: limbs are capsules along the bones, or the shapes of the first
    /// [CollisionShape2D] below a bone. The world is what the physics server has: bodies, tiles and one-way platforms.
    /// A [RigidBody2D] is pushed away, and pushes back.
    ///
    /// What belongs to the character is not met: the nearest body above the skeleton and [member body], the bodies
    /// below the former, and those that either does not collide with. This node comes after all others that move its bones. The editor does not simulate.
    ///
    /// This script lets a character fall when it is hit, and get up when it has come to rest:
    ///
    /// ```gdscript
    /// extends CharacterBody2D
    ///
    /// # To turn round, mirror Look, a Node2D: the engine undoes a negative scale of a body.
    /// @onready var ragdoll: TendonRagdoll2D = $Look/Skeleton2D/TendonRig2D/Ragdoll
    /// @onready var player: AnimationPlayer = $AnimationPlayer
    ///
    ///
    /// func _ready() -> void:
    ///     ragdoll.settled.connect(_on_settled)
    ///
    ///
    /// func hit(impulse: Vector2) -> void:
    ///     ragdoll.start(impulse)
    ///
    ///
    /// func _on_settled() -> void:
    ///     var lies_on_belly := ragdoll.get_facing() == TendonRagdoll2D.FACING_BELLY
    ///     ragdoll.stop()
    ///     player.play("get_up_from_belly" if lies_on_belly else "get_up_from_back")
    /// ```
    ///
    /// Tutorial: the chapter *Let go, get up* of the manual, `addons/tendon/manual/ragdoll.html`.
    TendonRagdoll2D {
        /// The first bone that is limp, with all below it: an arm that dangles, a head that nods, a tail. The
        /// pose of the other bones carries it. If it is empty, the default, the whole skeleton falls.
        #[export]
        root_bone: Link<Bone2D>,
        /// Bones that are no limbs of the body, with all below them: a cape, a ponytail, a gun. They go on as the animation
        /// has them, on the bone that they hang on, or are moved by modifiers of their own. It is empty by default.
        #[export]
        #[export_group(name = "Exclude", prefix = "exclude_")]
        #[var(get = get_exclude_bones)]
        exclude_bones: Links<Bone2D>,
    } {
        /// Whether the body is simulated. To set it is the same as [method start] and [method stop], but that
        /// [member body] is not moved. The default is `false`.
        #[export]
        simulating: bool,
        /// How long it takes to blend back to the animation after [method stop], in seconds. The default is
        /// `0.4`.
        #[export(range = (0.0, 2.0, 0.01, or_greater, suffix = "s"))]
        #[init(val = 0.4)]
        blend_time: f32,
        /// The character, which [method stop] moves to where the body lies, and which says how fast it moves when the
        /// body is let go, if that is not seen. If it is empty, the default, nothing is moved.
        #[export]
        body: Link<Node2D>,
        /// How stiff the joints follow the animation while the body is simulated, in Hz. At `0.0`, the default,
        /// they are limp. A stunned body has about `1.0`, one that keeps its pose `6.0`.
        #[export_group(name = "Stiffness")]
        #[export(range = (0.0, 20.0, 0.01, or_greater, suffix = "Hz"))]
        frequency: f32,
        /// How quickly the joints come to rest, relative to critical damping. Lower values overshoot. It counts
        /// for [member frequency] and [member root_frequency]. The default is `0.7`.
        #[export(range = (0.0, 2.0, 0.001, or_greater))]
        #[init(val = 0.7)]
        damping_ratio: f32,
        /// A factor of [member frequency] by depth: from `0.0`, the root, to `1.0`, the bones that are farthest
        /// from it. Without a curve, the default, all joints are alike.
        #[export]
        frequency_curve: Option<Gd<Curve>>,
        /// How stiff the root follows the animation's place and angle, in Hz: with `4.0` a character stands, is
        /// hit, staggers and comes back. It then bears the weight of all joints that have a frequency. At
        /// `0.0`, the default, the body falls.
        #[export(range = (0.0, 20.0, 0.01, or_greater, suffix = "Hz"))]
        root_frequency: f32,
        /// The frequencies of single joints, in Hz, by the names of their bones, in place of [member frequency]: a stiff
        /// neck, a limp arm with `0.0`. To change one, set the whole [Dictionary]. It is empty by default.
        #[export]
        #[var(get)]
        #[init(val = ByName::none("frequencies"))]
        frequencies: ByName,
        /// The mass of the whole body, in kilograms. The limbs that are not in [member masses] share it by
        /// their areas. The default is `10.0`.
        #[export_group(name = "Weight and Contact")]
        #[export(range = (0.1, 200.0, 0.1, or_greater, suffix = "kg"))]
        #[init(val = 10.0)]
        mass: f32,
        /// The masses of single limbs, in kilograms, by the names of their bones: a heavy head, a hammer. They are
        /// part of [member mass]. To change one, set the whole [Dictionary]. It is empty by default.
        #[export]
        #[var(get)]
        #[init(val = ByName::none("masses"))]
        masses: ByName,
        /// The radius of the limbs that have no [CollisionShape2D], in the units of the skeleton. With the
        /// default, `0.0`, it is a fifth of the length of each, or as far as the bones that hang on it are beside it.
        #[export(range = (0.0, 50.0, 0.1, or_greater, suffix = "px"))]
        radius: f32,
        /// How rough the limbs are. As in the engine, the lesser value of two surfaces counts. The default is
        /// `0.6`.
        #[export(range = (0.0, 1.0, 0.001, or_greater))]
        #[init(val = 0.6)]
        friction: f32,
        /// How much of the speed of a hit the limbs give back, from `0.0`, the default, to `1.0`.
        #[export(range = (0.0, 1.0, 0.001))]
        #[var(set = set_bounce)]
        bounce: f32,
        /// How much of gravity acts on the body, that of the world and of the areas that it is in. The default
        /// is `1.0`.
        #[export(range = (-2.0, 4.0, 0.001, or_greater, or_less))]
        #[init(val = 1.0)]
        gravity_scale: f32,
        /// How much of its speed the body loses per second, besides what the world and areas take, as
        /// [member RigidBody2D.linear_damp] has it. Buoyancy is the gravity of an [Area2D] that points up. The default is `0.0`.
        #[export(range = (0.0, 100.0, 0.001, or_greater))]
        linear_damp: f32,
        /// How much of the turning of its limbs the body loses per second, besides what the world and areas take, as
        /// [member RigidBody2D.angular_damp] has it. The default is `0.0`.
        #[export(range = (0.0, 100.0, 0.001, or_greater))]
        angular_damp: f32,
        /// How much of its motion a limp joint loses per second: flesh is no chain. Where gravity is lower than the engine's
        /// usual one, it is less, as bodies fall more slowly there. At `0.0` joints turn freely. The default is `3.5`.
        #[export(range = (0.0, 20.0, 0.01, or_greater))]
        #[init(val = 3.5)]
        joint_damping: f32,
        /// What [method grab] pulls with at most, in newtons of the engine: mass times pixels per square second. With the
        /// default, `0.0`, it pulls as strongly as it takes.
        #[export(range = (0.0, 100000.0, 1.0, or_greater))]
        grab_force: f32,
        /// A joint breaks, and [signal joint_broken] is emitted, when its limit has to bear a larger torque than this in a
        /// physics frame, in the unit of [member RigidBody2D.constant_torque]: mass times square pixels per square second.
        /// A limb of 1 kg whose middle is 50 pixels from its joint weighs on it with about 50,000; a fall is a hundred times
        /// that. With the default, `0.0`, none breaks.
        #[export(range = (0.0, 10000000.0, 1.0, or_greater))]
        #[var(set = set_break_torque)]
        break_torque: f32,
        /// Whether limbs meet one another. Those that touch in the animation's pose are neighbours, which do not:
        /// the arm of a character that is seen from the side falls through its chest. The default is `false`.
        #[export]
        self_collision: bool,
        /// The collision layers of what the body meets. The default is the first.
        #[export(flags_2d_physics)]
        #[init(val = 1)]
        collision_mask: u32,
        /// The collision layers on which other ragdolls meet this one, if their [member collision_mask] has one of them. Each is
        /// moved by its own part of a hit, so both should meet each other; bodies of the physics server do not meet limbs.
        /// Those of one character never do. With the default, `0`, no other meets it.
        #[export(flags_2d_physics)]
        collision_layer: u32,
        shared: Shared<Exchange>,
    } impl {
        /// The body lies on its belly: what faces right in the skeleton's rest pose faces down.
        #[cfg(false)]
        #[constant]
        const FACING_BELLY: i64 = Facing::Belly as i64;
        /// The body lies on its back.
        #[cfg(false)]
        #[constant]
        const FACING_BACK: i64 = Facing::Back as i64;

        /// Emitted when the simulated body has come to rest.
        #[signal]
        fn settled();

        /// Emitted when the body is as the animation has it again, after [method stop].
        #[signal]
        fn recovered();

        /// Emitted when a limb of the simulated body hits something that it has not touched before. `impulse`
        /// is what the limb got of that, in global coordinates: mass times speed.
        #[signal]
        fn hit(bone: Gd<Bone2D>, impulse: Vector2, collider: Gd<Node>);

        /// Emitted when the joint of `bone` has broken, by [member break_torque] or [method break_joint].
        #[signal]
        fn joint_broken(bone: Gd<Bone2D>);

        /// Lets the body go, with `impulse` at the centre of mass of `bone`, or on the whole body alike. The
        /// impulse is in global coordinates: mass times speed. A body that is simulated already gets the
        /// impulse only.
        #[func(gd_self)]
        fn start(
            this: Gd<Self>,
            #[opt(default = Vector2::ZERO)] impulse: Vector2,
            #[opt(default = Optional::NONE)] bone: Optional<Bone2D>,
        ) {
            let mut this = this;
            let goes_on = std::mem::replace(&mut this.bind_mut().simulating, true);
            if !goes_on {
                this.bind().shared.pushes.borrow_mut().clear();
            }
            if impulse != Vector2::ZERO {
                Self::push(&this, ("start()", !goes_on), Some(impulse), bone.0, None);
            }
        }

        // With its type, for the help: what the property can be set to has none.
        #[func]
        fn get_exclude_bones(&self) -> NodeArray<Bone2D> {
            self.exclude_bones.share()
        }

        // The one of the binding would not say of what types the dictionary is.
        #[func]
        fn get_masses(&self) -> Dictionary<GString, f64> {
            self.masses.to_dictionary()
        }

        #[func]
        fn get_frequencies(&self) -> Dictionary<GString, f64> {
            self.frequencies.to_dictionary()
        }

        #[func]
        fn set_bounce(&mut self, bounce: f32) {
            self.bounce = clamp01(bounce);
        }

        #[func]
        fn set_break_torque(&mut self, torque: f32) {
            if torque < 0.0 {
                return print_error(format!(
                    "TendonRagdoll2D.break_torque was not set: {torque} is less than nothing. Set 0.0, and no joint \
                     breaks, or a greater torque than that. It keeps its value."
                ));
            }
            self.break_torque = torque;
        }

        /// Begins to blend from where the body is to the animation, over [member blend_time]. The speeds that it has go on,
        /// and decay meanwhile. With [member body], the character is moved there first, so play the animation of getting up
        /// after it: onto what the body lies on, out of walls, and if it lies on nothing, it stays in the air.
        ///
        /// To have a character turn round, mirror it right after this, in the same frame: its body is then seen where it
        /// lies. While it is simulated, the whole body would be turned over.
        #[func(gd_self)]
        fn stop(mut this: Gd<Self>) {
            let was = std::mem::replace(&mut this.bind_mut().simulating, false);
            let body = this.bind().body.get().filter(|_| was);
            let shared = Shared::clone(&this.bind().shared);
            // Nothing is borrowed: scripts that the motion runs may free this node.
            if let Some(body) = body {
                landing::move_to(body, &shared);
            }
        }

        /// Returns whether there is room for [member body] where [method stop] would move it: a character cannot stand below
        /// a low ceiling. It is `true` without [member body], and while the body is not simulated.
        #[func(gd_self)]
        fn can_stop(this: Gd<Self>) -> bool {
            let body = this.bind().body.get();
            let shared = Shared::clone(&this.bind().shared);
            body.is_none_or(|body| landing::has_room(body, &shared))
        }

        /// Gives the simulated body an impulse at `position`, both in global coordinates: mass times speed. It
        /// acts on `bone`, or on the limb that is nearest. A body that is not simulated, or whose rig does not run, is not
        /// moved by it.
        #[func(gd_self)]
        fn apply_impulse(
            this: Gd<Self>,
            impulse: Vector2,
            position: Vector2,
            #[opt(default = Optional::NONE)] bone: Optional<Bone2D>,
        ) {
            Self::push(&this, ("apply_impulse()", false), Some(impulse), bone.0, Some(position));
        }

        /// Pulls the point of `bone` that is at `position`, in global coordinates, to `target`, until
        /// [method release] is called or the target is freed: a mouse, a crane, a hand. Each bone may be pulled to one target,
        /// with up to [member grab_force]. The body is not moved while it is not simulated.
        #[func(gd_self)]
        fn grab(
            this: Gd<Self>,
            bone: Option<Gd<Bone2D>>,
            position: Vector2,
            target: Option<Gd<Node2D>>,
        ) {
            // A script may pass on what was freed.
            let Some(bone) = bone.filter(Gd::is_instance_valid) else {
                return refuse(&this, "grab()", BoneRefusal::NoBone);
            };
            let Some(target) = target.filter(Gd::is_instance_valid) else {
                let this = this.upcast();
                return warn(&this, "grab() was called without a target. Pass a Node2D.");
            };
            let local = bone.get_global_transform().affine_inverse() * position;
            let grip = Grip::new(&bone, to_solver(local), target);
            let shared = Shared::clone(&this.bind().shared);
            let mut grips = shared.grips.borrow_mut();
            grips.retain(|other| other.bone != grip.bone);
            grips.push(grip);
        }

        /// Ends [method grab] of `bone`, or of all bones.
        #[func(gd_self)]
        fn release(this: Gd<Self>, #[opt(default = Optional::NONE)] bone: Optional<Bone2D>) {
            let bone = bone.0.map(|bone| bone.instance_id());
            let shared = Shared::clone(&this.bind().shared);
            let mut grips = shared.grips.borrow_mut();
            grips.retain(|grip| bone.is_some_and(|bone| bone != grip.bone));
        }

        /// Breaks the joint between `bone` and the limb above it, in the next pass: `bone` flies on with all that hangs on it,
        /// and lies, rests and is pushed as the rest of the body. It hangs on its joint again after [method stop]. It has
        /// no effect on the first limb, and while the body is not simulated.
        #[func(gd_self)]
        fn break_joint(this: Gd<Self>, bone: Option<Gd<Bone2D>>) {
            match bone.filter(Gd::is_instance_valid) {
                Some(bone) => Self::push(&this, ("break_joint()", false), None, Some(bone), None),
                None => refuse(&this, "break_joint()", BoneRefusal::NoBone),
            }
        }

        /// Returns whether the joint of `bone` is broken.
        #[func(gd_self)]
        fn is_broken(this: Gd<Self>, bone: Option<Gd<Bone2D>>) -> bool {
            let shared = Shared::clone(&this.bind().shared);
            let broken = shared.broken.borrow();
            bone.is_some_and(|bone| broken.contains(&bone.instance_id_unchecked()))
        }

        /// Returns on which side the body lies, or lay last: [constant FACING_BELLY] or [constant FACING_BACK].
        /// It is the skeleton's right in the rest pose that counts as its front, so a character that is drawn
        /// to the left is mirrored by its scale.
        #[func]
        fn get_facing(&self) -> Facing {
            self.shared.facing()
        }

        /// Has the body not meet `body`.
        #[func(gd_self)]
        fn add_exception(this: Gd<Self>, body: Option<Gd<PhysicsBody2D>>) {
            if let Some(body) = body_or_warn(&this, body, "add_exception()") {
                this.bind().shared.world.parts.add(body.instance_id());
            }
        }

        /// Ends [method add_exception].
        #[func(gd_self)]
        fn remove_exception(this: Gd<Self>, body: Option<Gd<PhysicsBody2D>>) {
            if let Some(body) = body_or_warn(&this, body, "remove_exception()") {
                this.bind().shared.world.parts.remove(body.instance_id());
            }
        }
    }
}

/// Says why a method does nothing.
fn refuse(this: &Gd<TendonRagdoll2D>, method: &str, refusal: BoneRefusal) {
    warn(&this.clone().upcast(), format!("{method} {refusal}"));
}

impl TendonRagdoll2D {
    fn push(
        this: &Gd<Self>,
        (method, begins): (&'static str, bool),
        impulse: Option<Vector2>,
        bone: Option<Gd<Bone2D>>,
        position: Option<Vector2>,
    ) {
        let is_finite =
            impulse.is_none_or(|it| it.is_finite()) && position.is_none_or(|it| it.is_finite());
        if !is_finite {
            let advice = format!("{method}: {}", not_finite("the impulse or the position"));
            return warn(&this.clone().upcast(), advice);
        }
        // What does not run now would be hit later, by all at once. The one that lets go counts in any case.
        if !begins && !Self::is_simulated(this) {
            let is_known = this.bind().shared.warned.replace(true);
            if !is_known {
                let advice =
                    "has no effect while the body is not simulated. Call start() before it.";
                warn(&this.clone().upcast(), format!("{method} {advice}"));
            }
            return;
        }
        let bone = bone.map(|bone| bone.instance_id());
        this.bind().shared.pushes.borrow_mut().push(PendingPush {
            method,
            impulse: impulse.map(to_solver),
            bone,
            position: position.map(to_solver),
        });
    }
}

impl TendonRagdoll2D {
    /// Returns `true` if it moves with the next pass of its rig, and there will be one.
    fn is_simulated(this: &Gd<Self>) -> bool {
        let is_on = this.bind().simulating && this.bind().active && this.is_inside_tree();
        is_on && rig_above(&this.clone().upcast()).is_some_and(|rig| rig.bind().is_due())
    }
}

/// The limbs and the query of a ragdoll in a plan.
pub(crate) struct Nodes {
    limbs: Limbs,
    query: Query,
    shared: Shared<Exchange>,
}

impl ModifierClass for TendonRagdoll2D {
    type Nodes = Nodes;
    type Solver = Ragdoll;

    fn references(&self) -> impl Hash {
        let excluded = self.exclude_bones.hash();
        let nodes = (&self.root_bone, &self.frequency_curve, &self.body, excluded);
        // Only where limbs have masses does that of all tell what is wrong.
        let masses = (!self.masses.are_none()).then(|| (&self.masses, self.mass.to_bits()));
        (nodes, &self.frequencies, masses)
    }

    fn find(&self, search: &mut Search<'_>) -> Result<(Nodes, Ragdoll), Problem> {
        let excluded = self.exclude_bones.ids();
        let mut limbs = Limbs::find(search.bones, &self.root_bone, &excluded)?;
        limbs.weigh(&self.masses, &self.frequencies);
        let flaws = &mut search.flaws;
        flaws.extend(self.masses.flaws_of_masses(&limbs.names, self.mass));
        flaws.extend(self.frequencies.flaws_of_frequencies(&limbs.names));
        let mut solver = Ragdoll::new(limbs.joints.clone(), limbs.shapes.clone());
        solver.is_carried = self.root_bone.get().is_some();
        solver.rest.clone_from(&limbs.rest);
        let curve = self.frequency_curve.as_ref();
        solver.stiffer = limbs.by_depth(search.sample(curve, limbs.deepest() + 1));
        search.bones.reads_rest = true;
        search.bones.senses = true;
        let shared = Shared::clone(&self.shared);
        if let Some(parted) = self.shared.parted.take() {
            let skeleton = search.bones.skeleton();
            let frame = frame_of(skeleton.get_global_transform());
            solver.go_on_from(parted, frame);
        }
        let node = self.to_gd().upcast();
        let query = Query::new(search.bones, node, self.body.get(), Shared::clone(&shared));
        let nodes = Nodes {
            limbs,
            query,
            shared,
        };
        Ok((nodes, solver))
    }

    fn set(&self, into: &mut Ragdoll) -> bool {
        let settings = RagdollSettings!(self, InSolver::in_solver);
        let is_solid = set(&mut into.is_solid, self.collision_layer != 0);
        set(&mut into.settings, settings) | is_solid
    }

    fn configure(&self, nodes: &Nodes) {
        let is_on = self.simulating && self.active;
        let layers = [self.collision_layer, self.collision_mask];
        nodes.query.set(is_on, layers);
    }
}

impl Gathered<Ragdoll> for Nodes {
    fn gather(&self, _: &Gather<'_>, into: &mut Ragdoll) -> Result<bool, Stale> {
        self.drop_foreign_pushes();
        let pending = self.shared.pushes.borrow();
        let pushes = pending.iter().filter_map(|push| self.limbs.push(push));
        let breaks = pending.iter().filter_map(|push| self.limbs.breaks(push));
        let (pushes, breaks): (Vec<_>, Vec<_>) = (pushes.collect(), breaks.collect());
        into.tick = self.query.tick();
        into.character = match into.memory.last().phase {
            RagdollPhase::Falling | RagdollPhase::Lying => None,
            _ if !into.settings.simulating => None,
            _ => self.query.character_velocity(),
        };
        // What was read and not solved, as when a state was restored, is still to come.
        let changes = set(&mut into.pushes, pushes) | set(&mut into.breaks, breaks);
        let changes = changes | !into.pushes.is_empty() | !into.breaks.is_empty();
        let grabs = self.limbs.grabs(&self.shared);
        Ok(set(&mut into.grabs, grabs) | self.query.gather(into) | changes)
    }
}

impl Nodes {
    /// Drops the impulses for bones that are no limbs, and says so.
    fn drop_foreign_pushes(&self) {
        let mut foreign = None;
        self.shared.pushes.borrow_mut().retain(|push| {
            let is_own = self.limbs.push(push).is_some() || self.limbs.breaks(push).is_some();
            foreign = foreign.or((!is_own).then_some(push.method));
            is_own
        });
        if let Some((method, node)) = foreign.zip(self.query.node()) {
            let advice = "was called with a bone that is no limb of this ragdoll.";
            warn(node, format!("{method} {advice}"));
        }
    }
}

impl PlannedNodes for Nodes {
    /// The editor does not simulate.
    fn runs(&self) -> bool {
        Live::engine().is_editor_hint() == Some(false)
    }

    fn prepare(&self, _: &Gd<Node>, rig: &mut Rig, index: usize) {
        self.query.note_solve();
        let is_in_physics = Live::engine().is_in_physics_frame() == Some(true);
        if is_in_physics {
            self.query.aim(rig, index, |kept| &kept.before);
            self.query.run(rig.delta);
        }
        let Solver::Ragdoll(ragdoll) = &mut rig.modifiers[index].solver else {
            return;
        };
        ragdoll.part = 1.0;
        if is_in_physics {
            self.query.gather(ragdoll);
        } else {
            ragdoll.part = Engine::singleton().get_physics_interpolation_fraction() as f32;
        }
    }

    fn part(&self, solved: &SolverModifier) {
        if let Solver::Ragdoll(ragdoll) = &solved.solver {
            let memory = ragdoll.memory.last();
            let is_simulated = self.shared.simulated().is_some();
            let parted = is_simulated.then(|| memory.clone());
            self.shared.parted.replace(parted);
        }
    }

    fn sense(&self, rig: &mut Rig, index: usize, _: Affine2, delta: f32) {
        self.query.aim(rig, index, Kept::last);
        self.query.run(delta);
    }

    fn publish(&self, solved: &SolverModifier, _: &Rig, _: Affine2) {
        let Solver::Ragdoll(ragdoll) = &solved.solver else {
            return;
        };
        self.query.forget();
        publish(&self.shared, ragdoll, &self.limbs, &self.query);
    }
}

impl EditedModifier for TendonRagdoll2D {
    fn register_enums() {
        Facing::register::<Self>();
    }
}
