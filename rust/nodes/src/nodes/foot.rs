//! `TendonFoot2D`: a foot of a foot placement or a gait.

use std::cell::Cell;
use std::hash::Hash;
use std::rc::Rc;

use godot::classes::Bone2D;
use godot::prelude::*;
use tendon_solver::math::interval::clamp01;
use tendon_solver::{Foot, FootSettings, Footing, Point};

use crate::engine::bone_lines::end_of;
use crate::engine::children::children;
use crate::engine::class_enum::class_enum;
use crate::engine::departed::find;
use crate::engine::link::Link;
use crate::engine::notifications::Notified;
use crate::engine::readable::Readable;
use crate::engine::shared::Shared;
use crate::engine::space::{InSolver, to_godot, to_solver};
use crate::nodes::foot_mark::FootMark;
use crate::nodes::ground::Ground;
use crate::nodes::modifier::{in_words, mark_plan_stale, rig_above, warnings_of};
use crate::plan::bones::Bones;
use crate::plan::change::{digest, set};
use crate::plan::locate::Stale;
use crate::plan::node_reference::NodeReference;
use crate::plan::result::{PassResult, Subject};
use crate::plan::search::{PlannedChild, Search};
use crate::warnings::problem::Problem;

/// The modifiers that can reach for the ground.
pub(super) const REACHING: [&str; 3] = ["TendonTwoBoneIK2D", "TendonCCDIK2D", "TendonFABRIK2D"];

class_enum! {
    /// Whether a planted foot stays where it is.
    Lock is TendonFoot2D.Lock and tendon_solver::Lock {
        /// A planted foot goes with the animation.
        None: "None", LOCK_NONE;
        /// A planted foot stays at its place on the ground. This is the default.
        #[default]
        Position: "Position", LOCK_POSITION;
        /// A planted foot stays at its place, and [member foot_bone] keeps its direction on the ground, until the
        /// animation has turned it by more than 45 degrees. If the leg has a target, that is its direction in the
        /// rest pose.
        PositionAndRotation: "Position and Rotation", LOCK_POSITION_AND_ROTATION;
    }
}

/// A foot of a [TendonFootPlacement2D] or a [TendonGait2D].
///
/// Add one for each leg as a child of such a node, and set [member limb] to the modifier that moves the
/// leg, such as a [TendonTwoBoneIK2D]. If the leg has a `target`, the animated foot is there. Without
/// a `target`, it is where the animation of the bones has the end of the leg.
///
/// An animated foot that is slow against the ground, and near it, is planted: it stays where it is on the ground,
/// also if that moves or turns. It is let go when the animation moves it faster or farther away, when
/// the leg does not reach it, and when there is no ground below it any more.
///
/// The feet of a [TendonGait2D] are planted between their steps. There, [member lock],
/// [member plant_speed] and [member unplant_distance] have no effect.
///
/// This script plays a sound with each step, and a loud one after a jump:
///
/// ```gdscript
/// extends TendonFoot2D
///
/// @export var sound: AudioStreamPlayer2D
///
///
/// func _ready() -> void:
///     planted.connect(_on_planted)
///
///
/// func _on_planted() -> void:
///     sound.volume_linear = clampf(get_landing_speed() / 400.0, 0.1, 1.0)
///     sound.play()
/// ```
///
/// Tutorial: the chapter *Feet on the ground* of the manual, `addons/tendon/manual/feet.html`.
#[derive(GodotClass)]
#[class(tool, init, base = Node)]
pub struct TendonFoot2D {
    /// The modifier that moves the leg: a [TendonTwoBoneIK2D], [TendonCCDIK2D] or [TendonFABRIK2D] below the
    /// [TendonFootPlacement2D] or [TendonGait2D] in the same rig. Without it the foot is ignored.
    #[export]
    limb: Link<Node>,
    /// The bone that is turned to the slope of the ground, below the leg's last bone. If it has a child bone,
    /// that is taken for the toes: the foot then stands on its ball, where the toes begin, and the heel may rise
    /// as it does in the animation. The whole length of the bone is kept out of the ground while the foot is flat, and
    /// toes bend with the ground. By default there is none.
    #[export]
    foot_bone: Link<Bone2D>,
    /// How much of the result is applied to this foot: from `0.0`, the animation, to `1.0`, the default. It is
    /// multiplied by the influence of the node above.
    #[export(range = (0.0, 1.0, 0.001))]
    #[var(set = set_influence)]
    #[init(val = FootSettings::default().influence)]
    influence: f32,
    /// The distance from the end of the leg to the sole, in the units of the skeleton. Set it if the
    /// leg ends at the ankle. The default is `0.0`.
    #[export(range = (0.0, 100.0, 0.1, or_greater, suffix = "px"))]
    sole_height: f32,
    /// How far [member foot_bone] is turned at most, in radians. The default is 45 degrees.
    #[export(range = (0.0, 90.0, 0.1, radians_as_degrees))]
    #[init(val = FootSettings::default().max_slope)]
    max_slope: f32,
    /// Whether a planted foot stays where it is on the ground.
    #[export]
    #[var(get = get_lock, set = set_lock)]
    lock: Lock,
    /// The foot is planted while it is slower than this against the ground, in the units of the
    /// skeleton per second. The default is `60.0`.
    #[export(range = (0.0, 500.0, 0.1, or_greater, suffix = "px/s"))]
    #[init(val = FootSettings::default().plant_speed)]
    plant_speed: f32,
    /// A planted foot that the animation has moved farther than this is let go, in the units of the
    /// skeleton. The default is `20.0`.
    #[export(range = (0.0, 200.0, 0.1, or_greater, suffix = "px"))]
    #[init(val = FootSettings::default().unplant_distance)]
    unplant_distance: f32,
    state: Shared<Cell<FootState>>,
    result: Shared<Cell<PassResult>>,
    base: Base<Node>,
}

/// The state of a foot after the last pass, in global coordinates.
#[derive(Clone, Copy, Default)]
pub(super) struct FootState {
    is_planted: bool,
    position: Vector2,
    /// Zero if there is no ground.
    normal: Vector2,
    body: Option<InstanceId>,
    landing_speed: f32,
}

impl FootState {
    /// A foot with this ground.
    pub(super) fn on(footing: Option<Footing>, ground: &Ground) -> Self {
        footing.map_or(Self::default(), |footing| Self {
            is_planted: footing.is_planted,
            position: to_godot(footing.position),
            normal: to_godot(footing.normal),
            body: ground.collider(footing.surface),
            landing_speed: footing.landing_speed,
        })
    }
}

#[godot_api]
impl TendonFoot2D {
    /// Emitted when the foot is planted, at the end of the frame.
    #[signal]
    fn planted();

    /// Emitted when the foot is let go, at the end of the frame.
    #[signal]
    fn lifted();

    #[func]
    fn get_lock(&self) -> Lock {
        self.lock
    }

    #[func]
    fn set_lock(&mut self, lock: Lock) {
        self.lock = lock;
    }

    #[func]
    fn set_influence(&mut self, influence: f32) {
        self.influence = clamp01(influence);
    }

    /// Returns whether the foot is planted since the last pass.
    #[func]
    fn is_planted(&self) -> bool {
        self.state.get().is_planted
    }

    /// Returns whether there is no ground for the foot since the last pass: in the air, over an edge, or where
    /// its leg does not reach. A foot that is lifted over ground is not in the air.
    #[func]
    fn is_in_air(&self) -> bool {
        self.state.get().normal == Vector2::ZERO
    }

    /// Returns where the foot is planted on the ground, or else where the ground is below it, in global
    /// coordinates. For a foot of a [TendonGait2D] that steps, this is where it lands. Returns
    /// `Vector2.ZERO` if there is no ground.
    #[func]
    fn get_ground_position(&self) -> Vector2 {
        self.state.get().position
    }

    /// Returns how fast the foot came down before it was planted, against what it stands on, in the units of the
    /// skeleton per second: a step is slow, and a landing fast. Read it when [signal planted] is emitted, for the
    /// volume of a sound. For a foot that is not planted, it is how fast it comes down now.
    #[func]
    fn get_landing_speed(&self) -> f32 {
        self.state.get().landing_speed
    }

    /// Returns the direction away from the ground below the foot, in global coordinates, of length 1.
    /// Returns `Vector2.ZERO` if there is no ground.
    #[func]
    fn get_ground_normal(&self) -> Vector2 {
        self.state.get().normal
    }

    /// Returns what the foot is planted on, or else what is below it: a body, an area or a
    /// [TileMapLayer]. Returns `null` if there is no ground.
    #[func]
    fn get_ground_collider(&self) -> Option<Gd<Node>> {
        let body = self.state.get().body?;
        find(body)
    }
}

#[godot_api]
impl INode for TendonFoot2D {
    #[func(gd_self)]
    fn get_configuration_warnings(this: Gd<Self>) -> PackedStringArray {
        match is_misplaced(&this) {
            true => in_words([Problem::FootElsewhere]),
            false => warnings_of(&this.upcast()),
        }
    }
}

impl Notified for TendonFoot2D {
    fn on_enter_tree(this: Gd<Self>) {
        mark_plan_stale(&this.clone().upcast());
        if is_misplaced(&this) {
            let result = this.bind().result.clone();
            Subject::warn_of_place(this.upcast(), result, Problem::FootElsewhere);
        }
    }

    fn on_exit_tree(this: Gd<Self>) {
        this.bind().state.set(FootState::default());
        mark_plan_stale(&this.upcast());
    }
}

/// Returns `true` if the parent of `foot` places no feet.
fn is_misplaced(foot: &Gd<TendonFoot2D>) -> bool {
    let parent = foot.get_parent();
    let classes = ["TendonFootPlacement2D", "TendonGait2D"];
    parent.is_none_or(|parent| !classes.iter().any(|class| parent.is_class(*class)))
}

impl TendonFoot2D {
    fn references(&self) -> impl Hash {
        (&self.limb, &self.foot_bone)
    }

    fn settings(&self) -> FootSettings {
        FootSettings!(self, InSolver::in_solver)
    }

    /// The limb of the foot of `placement`, and the foot with its bones.
    fn find(&self, bones: &mut Bones, placement: &Gd<Node>) -> Result<(InstanceId, Foot), Problem> {
        let limb = bones.linked(&self.limb).ok_or(Problem::NoLimb)?;
        let name = limb.get_name().to_string();
        let is_limb = REACHING.iter().any(|class| limb.is_class(*class));
        let rig = rig_above(&limb).filter(|rig| Some(rig) == rig_above(placement).as_ref());
        if !is_limb || rig.is_none() {
            return Err(Problem::LimbElsewhere { limb: name });
        }
        if !limb.is_inside_tree() || !limb.is_greater_than(placement) {
            return Err(Problem::LimbAbove { limb: name });
        }
        let mut foot = Foot::default();
        if self.foot_bone.is_set() {
            let (node, index) = bones.bone_in(("foot_bone", &self.foot_bone))?;
            (foot.bone, foot.toes) = (Some(index), bones.first_child(&node));
            let last = foot.toes.unwrap_or(index);
            foot.end = bones.node(last).map(|node| Point {
                bone: Some(last),
                position: to_solver(end_of(node)),
            });
        }
        let limb = limb.instance_id();
        if !bones.placed_limbs.insert(limb) {
            return Err(Problem::LimbTaken { limb: name });
        }
        Ok((limb, foot))
    }
}

/// A foot of the plan.
pub(super) struct PlannedFoot {
    node: Readable<TendonFoot2D>,
    /// The nodes that its properties were set to when the plan was made.
    references: u64,
    settings: Cell<FootSettings>,
    state: Shared<Cell<FootState>>,
    /// Remembers what was reported.
    result: Shared<Cell<PassResult>>,
    mark: Option<FootMark>,
    leg: Result<(InstanceId, Foot), Problem>,
}

impl PlannedFoot {
    /// Those below `node`.
    pub(super) fn all_below(node: &Gd<Node>, search: &mut Search<'_>) -> Vec<Rc<Self>> {
        let feet = children::<TendonFoot2D, _>(node);
        let feet = feet.map(|foot| {
            let foot = Rc::new(Self::new(search.bones, &foot, node));
            search.children.push(foot.clone());
            foot
        });
        feet.collect()
    }

    fn new(bones: &mut Bones, foot: &Gd<TendonFoot2D>, placement: &Gd<Node>) -> Self {
        let own = foot.bind();
        Self {
            leg: own.find(bones, placement),
            node: Readable::new(foot.clone()),
            references: digest(own.references()),
            settings: Cell::new(own.settings()),
            state: own.state.clone(),
            result: own.result.clone(),
            mark: FootMark::on_canvas_of(&bones.skeleton()),
        }
    }

    pub(super) fn node_reference(&self) -> NodeReference<'static> {
        NodeReference::Node(self.node.id())
    }

    pub(super) fn limb(&self) -> Option<InstanceId> {
        self.leg.as_ref().ok().map(|leg| leg.0)
    }

    /// Reads the foot. Returns whether that changes the solver's input.
    pub(super) fn read(&self, into: &mut Foot) -> Result<bool, Stale> {
        if !self.is_current() {
            return Err(Stale);
        }
        let leg = self.leg.as_ref().ok();
        let foot = Foot {
            limb: into.limb,
            settings: self.settings.get(),
            ..leg.map(|leg| leg.1.clone()).unwrap_or_default()
        };
        Ok(set(into, foot))
    }

    /// Takes over what the pass made of the foot. Its signals are emitted after it.
    pub(super) fn publish(&self, state: FootState) {
        if let Some(mark) = &self.mark {
            mark.show(state.position, state.normal, state.is_planted);
        }
        let before = self.state.replace(state);
        if before.is_planted != state.is_planted
            && let Some(node) = self.node.alive()
        {
            let signal = ["lifted", "planted"][usize::from(state.is_planted)].to_variant();
            node.clone().call_deferred("emit_signal", &[signal]);
        }
    }
}

impl PlannedChild for PlannedFoot {
    fn is_current(&self) -> bool {
        self.node.is_current(|node| {
            self.settings.set(node.settings());
            digest(node.references()) == self.references
        })
    }

    fn problem(&self) -> Option<&Problem> {
        self.leg.as_ref().err()
    }

    fn subject(&self) -> Option<Subject> {
        Subject::of(&self.node, &self.result, self.problem())
    }

    fn go_idle(&self) {
        self.publish(FootState::default());
    }
}
