//! `TendonRig2D`: the node that runs the pass.

mod editing;
mod frame_end;

use std::cell::Cell;
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};

use godot::classes::{Bone2D, Engine, Skeleton2D};
use godot::prelude::*;
use godot::register::info::PropertyInfo;
use tendon_solver::Status;

use self::frame_end::FrameEnd;
use crate::base_pose::copies::{self, BASE_POSES};
use crate::base_pose::memory::BonePose;
use crate::base_pose::undo_history::UndoHistory;
use crate::engine::class_enum::{class_enum, register_enum};
use crate::engine::listener::TendonListener;
use crate::engine::live::{is_main_thread, missing_method};
use crate::engine::old_stack::{drop_overrides, is_at_work};
use crate::engine::property::hide;
use crate::engine::space::{to_godot, to_solver};
use crate::engine::threads::{is_in_thread_group, with_ancestors};
use crate::engine::warning::warn;
use crate::plan::Plan;
use crate::plan::limit::check_limits_below;
use crate::plan::modifier::ModifierNode;
use crate::plan::planner::make_plan;
use crate::plan::problem::Problem;
use crate::plan::result::Change;

/// When a rig runs its pass.
#[derive(Var, Export, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[godot(via = i64)]
pub enum CallbackModeProcess {
    /// In every physics frame.
    Physics = 0,
    /// In every frame.
    #[default]
    Idle = 1,
    /// When [`TendonRig2D::advance`] is called.
    Manual = 2,
    /// At the end of every frame.
    FrameEnd = 3,
}

class_enum!(
    CallbackModeProcess,
    "TendonRig2D.CallbackModeProcess",
    [
        Physics = "Physics",
        Idle = "Idle",
        Manual = "Manual",
        FrameEnd = "Frame End"
    ]
);

/// Runs the inverse kinematics of a skeleton.
///
/// Add it as a child of the [Skeleton2D], and add modifiers below it: [TendonLookAt2D],
/// [TendonTwoBoneIK2D], [TendonCCDIK2D] and [TendonFABRIK2D]. In every frame, after animations and
/// scripts have moved the bones, the rig runs its modifiers from top to bottom and turns the bones.
/// It changes only the `rotation` of bones and, if a modifier stretches, their `position`. A
/// [TendonJointLimit2D] below a bone limits how far it may turn.
///
/// Animations and scripts need no changes. What they last gave a bone is its base pose. Every frame
/// starts from the base pose. It is put back when the rig is deactivated, when it leaves the tree,
/// and before the editor saves the scene. In the editor, turning a bone while the rig is previewed
/// changes its base pose, and undo restores it. A script that reads a bone gets the solved pose;
/// [method get_base_rotation] returns the rotation of the base pose. Copies of bones and characters get base poses, too.
#[derive(GodotClass)]
#[class(tool, base = Node)]
pub struct TendonRig2D {
    /// If `false`, the bones are put back into their base pose, and no modifier runs.
    #[export]
    #[var(set = active_setter)]
    active: bool,
    /// How much of the result of all modifiers is applied, from `0.0`, the base pose, to `1.0`, the
    /// full result. It multiplies the `influence` of each modifier. Animate it to blend all inverse
    /// kinematics in and out.
    #[export(range = (0.0, 1.0, 0.001))]
    influence: f32,
    /// When the modifiers run: in idle frames, at the end of idle frames, in physics frames, or only
    /// when [method advance] is called. The default is [constant CALLBACK_MODE_PROCESS_IDLE]. Use [constant
    /// CALLBACK_MODE_PROCESS_PHYSICS] if the animation or the targets move in physics frames.
    ///
    /// In idle frames the rig runs after animations and after scripts whose `process_priority` is
    /// less than its own, `100`. It sees one frame late what moves afterwards: tweens, nodes that a
    /// [RemoteTransform2D] moves, `set_deferred`, and scripts with a higher priority. Those scripts
    /// read the pose of this frame.
    ///
    /// With [constant CALLBACK_MODE_PROCESS_FRAME_END] it sees nothing late. The bones move just
    /// before the frame is drawn. All scripts read the pose of the frame before, and physics bodies,
    /// lights and [RemoteTransform2D] nodes below a bone follow one frame later.
    #[export]
    #[var(get = get_callback_mode_process, set = set_callback_mode_process)]
    callback_mode_process: CallbackModeProcess,
    /// If `true`, the modifiers also run in the editor. The scene is saved with the base pose, not
    /// with the result.
    #[export]
    preview_in_editor: bool,
    /// If `true`, the rig does nothing while the skeleton is not visible, and the bones stay as
    /// they are. Use it to save time with many characters. The default is `false`, since scripts
    /// may read the bones of characters that are not visible. [method advance] works in any case.
    /// It has no effect in the editor.
    #[export]
    skip_when_invisible: bool,

    /// What a pass touches; absent before the first pass and while one is running.
    plan: Option<Box<Plan>>,
    /// Set by whoever changes the tree under the plan.
    stale: Rc<Cell<bool>>,
    /// Whether a pass is under way, or its signals are.
    running: bool,
    /// Which warnings were printed already.
    warned: Warned,
    in_editor: bool,
    /// Whether the engine would process the rig on another thread. It is not processed then.
    on_other_thread: bool,
    /// Whether the engine's own stack turns bones of the skeleton. Only checked in the editor.
    is_beside_stack: bool,
    /// What calls the rig at the end of each frame, if it is to.
    frame_end: FrameEnd,
    /// The base poses that the editor's undo may bring back.
    undo_history: UndoHistory,
    /// The base poses of the rig that this one is a copy of, until there is a plan.
    copied_base_poses: VarDictionary,
    /// Hear of changes to the skeleton's bones, and to thread groups.
    listeners: Vec<Gd<TendonListener>>,
    base: Base<Node>,
}

/// Which warnings were printed already.
#[derive(Default)]
struct Warned {
    misplaced: bool,
    reentered: bool,
    uncaptured: bool,
    on_other_thread: bool,
    beside_stack: bool,
}

#[godot_api]
impl INode for TendonRig2D {
    fn init(base: Base<Node>) -> Self {
        // After animation players and ordinary scripts.
        let mut node = base.to_init_gd();
        node.set_process_priority(AFTER_SCRIPTS);
        node.set_physics_process_priority(AFTER_SCRIPTS);
        Self {
            active: true,
            influence: 1.0,
            callback_mode_process: CallbackModeProcess::Idle,
            preview_in_editor: true,
            skip_when_invisible: false,
            plan: None,
            stale: Rc::new(Cell::new(false)),
            running: false,
            warned: Warned::default(),
            in_editor: Engine::singleton().is_editor_hint(),
            on_other_thread: false,
            is_beside_stack: false,
            frame_end: FrameEnd::default(),
            undo_history: UndoHistory::default(),
            copied_base_poses: VarDictionary::new(),
            listeners: Vec::new(),
            base,
        }
    }

    #[func(gd_self)]
    fn enter_tree(mut this: Gd<Self>) {
        this.bind().stale.set(true);
        Self::listen(&mut this);
        Self::check_limits(&this);
        Self::check_places(&this);
        Self::check_thread(this);
    }

    #[func(gd_self)]
    fn ready(mut this: Gd<Self>) {
        this.bind_mut().apply_callback_mode();
        if this.bind().in_editor {
            this.add_to_group(EDITED_RIGS);
        }
    }

    fn on_get_property_list(&mut self) -> Vec<PropertyInfo> {
        match self.base_poses_of_copy().is_empty() {
            true => Vec::new(),
            false => vec![copies::base_poses_property()],
        }
    }

    fn on_get(&self, property: StringName) -> Option<Variant> {
        (property == BASE_POSES).then(|| self.base_poses_of_copy().to_variant())
    }

    fn on_set(&mut self, property: StringName, value: Variant) -> bool {
        property == BASE_POSES && self.set_copied_base_poses(&value)
    }

    #[func(gd_self)]
    fn exit_tree(mut this: Gd<Self>) {
        Self::check_limits(&this);
        Self::check_places(&this);
        this.bind_mut().leave();
        Self::release_bones(this, Leave::Forget);
    }

    #[func(gd_self)]
    fn process(this: Gd<Self>, delta: f64) {
        Self::run_due_pass(this, CallbackModeProcess::Idle, delta);
    }

    #[func(gd_self)]
    fn physics_process(this: Gd<Self>, delta: f64) {
        Self::run_due_pass(this, CallbackModeProcess::Physics, delta);
    }

    fn on_validate_property(&self, property: &mut PropertyInfo) {
        let manual = self.callback_mode_process == CallbackModeProcess::Manual;
        if manual && property.property_name == "skip_when_invisible" {
            hide(property);
        }
    }

    #[func(gd_self)]
    fn get_configuration_warnings(this: Gd<Self>) -> PackedStringArray {
        let node = this.clone().upcast();
        let threaded = is_in_thread_group(&node).then_some(OFF_MAIN_THREAD);
        let beside_stack = this.bind().is_beside_stack.then_some(BESIDE_STACK);
        let advice = misplacement(&node).into_iter().chain(threaded);
        let advice = advice.chain(beside_stack);
        advice.map(GString::from).collect()
    }
}

#[godot_api]
impl TendonRig2D {
    /// The modifiers run in physics frames.
    #[cfg(false)]
    #[constant]
    const CALLBACK_MODE_PROCESS_PHYSICS: i64 = CallbackModeProcess::Physics as i64;
    /// The modifiers run in idle frames.
    #[cfg(false)]
    #[constant]
    const CALLBACK_MODE_PROCESS_IDLE: i64 = CallbackModeProcess::Idle as i64;
    /// The modifiers run only when [method advance] is called.
    #[cfg(false)]
    #[constant]
    const CALLBACK_MODE_PROCESS_MANUAL: i64 = CallbackModeProcess::Manual as i64;

    /// The modifiers run at the end of idle frames, just before drawing.
    #[cfg(false)]
    #[constant]
    const CALLBACK_MODE_PROCESS_FRAME_END: i64 = CallbackModeProcess::FrameEnd as i64;

    /// Emitted after each pass, when the bones have their new rotations.
    #[signal]
    fn modification_processed();

    /// Runs one pass now. If [member callback_mode_process] is [constant
    /// CALLBACK_MODE_PROCESS_MANUAL], this is the only way to run one. Otherwise it is an
    /// additional pass. `delta` is the time since the last pass, in seconds: how far a chain
    /// returns to its animation, or swings over to another way to its target. With `0.0` chains
    /// only follow their targets. Negative values and NaN count as `0.0`.
    #[func(gd_self)]
    pub(crate) fn advance(this: Gd<Self>, delta: f64) {
        Self::run_pass(this, delta);
    }

    /// Forgets what the last passes left: the next pass solves as if it were the first. Call it
    /// after a teleport or a cut, when the character should not move on from its last pose.
    #[func(gd_self)]
    fn reset(mut this: Gd<Self>) {
        if !is_main_thread() {
            return Self::refuse_thread(&this, CALLED_ELSEWHERE);
        }
        if let Some(plan) = &mut this.bind_mut().plan {
            plan.forget();
        }
    }

    /// Puts the bones back into their base pose, until the next pass.
    #[func(gd_self)]
    pub(crate) fn restore_pose(this: Gd<Self>) {
        if !is_main_thread() {
            return Self::refuse_thread(&this, CALLED_ELSEWHERE);
        }
        Self::release_bones(this, Leave::Wait);
    }

    /// Returns the last pass as one line of JSON: its complete input and output. Add it to a bug
    /// report. The program [code]tendon-replay[/code] in Tendon's source code solves it again, to
    /// the last bit.
    ///
    /// It describes the last pass in which something had changed. It contains the names of bones
    /// and modifiers and nothing else of the scene. It costs nothing until it is called.
    ///
    /// Returns an empty string, and prints a warning once, if there is no such pass: before the
    /// first one, outside the tree, and during a pass. In handlers of
    /// [signal modification_processed] it is the pass that has just ended.
    /// [codeblock]
    /// DisplayServer.clipboard_set($Skeleton2D/TendonRig2D.capture())
    /// [/codeblock]
    #[func(gd_self)]
    fn capture(mut this: Gd<Self>) -> GString {
        if !is_main_thread() {
            Self::refuse_thread(&this, CALLED_ELSEWHERE);
            return GString::new();
        }
        let plan = this.bind_mut().plan.take();
        let text = plan.as_ref().and_then(|plan| plan.capture());
        if let Some(plan) = plan {
            Self::give_back(&mut this, plan);
        }
        if text.is_none() {
            Self::warn_once(&this, |warned| &mut warned.uncaptured, NOTHING_TO_CAPTURE);
        }
        text.map_or(GString::new(), |text| GString::from(&text))
    }

    /// Returns the rotation, in radians, that animation, scripts or you last gave `bone`. The
    /// bone's own `rotation` is the one that the rig has solved.
    ///
    /// A script that goes on from where a bone is has to go on from here. From the solved rotation
    /// it would never arrive: it would mix into each new base pose what the rig added to the last.
    /// [codeblock]
    /// # Turns towards "goal", whatever the rig does on top of it.
    /// bone.rotation = lerp_angle(rig.get_base_rotation(bone), goal, 0.1)
    /// [/codeblock]
    #[func]
    fn get_base_rotation(&self, bone: Option<Gd<Bone2D>>) -> f32 {
        let base = self.base_of(bone, "get_base_rotation");
        base.map_or(0.0, |(_, base)| base.rotation)
    }

    /// Returns the position that animation, scripts or you last gave `bone`, in its parent's
    /// frame. Only modifiers that stretch move bones.
    #[func]
    fn get_base_position(&self, bone: Option<Gd<Bone2D>>) -> Vector2 {
        let base = self.base_of(bone, "get_base_position");
        base.map_or(Vector2::ZERO, |(_, base)| to_godot(base.position))
    }

    /// Returns the transform of `bone` in its parent's frame as animation, scripts or you last
    /// gave it: the base pose, from which each pass begins.
    #[func]
    fn get_base_transform(&self, bone: Option<Gd<Bone2D>>) -> Transform2D {
        let base = self.base_of(bone, "get_base_transform");
        base.map_or(Transform2D::IDENTITY, |(bone, base)| {
            let at = to_godot(base.position);
            Transform2D::from_angle_scale_skew_origin(
                base.rotation,
                bone.get_scale(),
                bone.get_skew(),
                at,
            )
        })
    }

    #[func(gd_self)]
    fn set_active(mut this: Gd<Self>, active: bool) {
        // Another thread may well set up a rig that is not in the tree, and has no plan.
        if !is_main_thread() && this.bind().plan.is_some() {
            return Self::refuse_thread(&this, CALLED_ELSEWHERE);
        }
        this.bind_mut().active = active;
        if !active {
            Self::release_bones(this, Leave::Rest);
        }
    }

    #[func]
    fn get_callback_mode_process(&self) -> CallbackModeProcess {
        self.callback_mode_process
    }

    #[func]
    fn set_callback_mode_process(&mut self, mode: CallbackModeProcess) {
        let before = std::mem::replace(&mut self.callback_mode_process, mode);
        self.apply_callback_mode();
        if (before == CallbackModeProcess::Manual) != (mode == CallbackModeProcess::Manual) {
            self.base_mut().notify_property_list_changed();
        }
    }

    /// The base pose of `bone`, which is as it stands if no modifier turns it; nothing, and a
    /// word, if there is no bone.
    fn base_of(&self, bone: Option<Gd<Bone2D>>, asked: &str) -> Option<(Gd<Bone2D>, BonePose)> {
        let Some(bone) = bone else {
            godot_error!("TendonRig2D.{asked}() was called without a bone. Pass a Bone2D.");
            return None;
        };
        let plan = self.plan.as_ref().filter(|_| is_main_thread());
        let base = plan.and_then(|plan| plan.bones.base_pose_of(bone.instance_id()));
        let base = base.unwrap_or_else(|| BonePose {
            rotation: bone.get_rotation(),
            position: to_solver(bone.get_position()),
        });
        Some((bone, base))
    }

    /// Makes sure that the rig is called at the end of this frame and of the next ones.
    fn keep_frame_end(mut this: Gd<Self>) {
        if this.bind().frame_end.is_running() {
            return;
        }
        if let Some(tween) = this.create_tween() {
            let method = Callable::from_object_method(&this, "_defer_to_frame_end");
            this.bind_mut().frame_end = FrameEnd::new(tween, &method);
        }
    }

    /// Called among the tweens, the last to move things in a frame: what is deferred here runs
    /// when all of them have.
    #[func(gd_self, rename = _defer_to_frame_end)]
    fn defer_to_frame_end(mut this: Gd<Self>, _elapsed: f64) {
        this.call_deferred("_run_at_frame_end", &[]);
    }

    #[func(gd_self, rename = _run_at_frame_end)]
    fn run_at_frame_end(this: Gd<Self>) {
        if this.is_inside_tree() {
            let delta = this.get_process_delta_time();
            Self::run_due_pass(this, CallbackModeProcess::FrameEnd, delta);
        }
    }

    /// Listens for changes of the skeleton's bones and of the thread groups of the nodes above.
    fn listen(this: &mut Gd<Self>) {
        let stale = Rc::clone(&this.bind().stale);
        let rig = this.instance_id();
        let on_bones = TendonListener::new(move || {
            stale.set(true);
            if let Ok(rig) = Gd::try_from_instance_id(rig) {
                Self::drop_overrides(&rig);
            }
        });
        let node = this.clone().upcast();
        if let Some(skeleton) = skeleton_of(&node) {
            TendonListener::listen(&on_bones, &skeleton, "bone_setup_changed");
        }
        let on_groups = TendonListener::new(move || {
            if let Ok(rig) = Gd::try_from_instance_id(rig) {
                Self::check_thread(rig);
            }
        });
        for node in with_ancestors(&node) {
            TendonListener::listen(&on_groups, &node, "property_list_changed");
        }
        this.bind_mut().listeners = vec![on_bones, on_groups];
    }

    /// Keeps the engine's own stack from throwing bones: see [`crate::engine::old_stack`].
    pub(crate) fn drop_overrides(this: &Gd<Self>) {
        if let Some(skeleton) = skeleton_of(&this.clone().upcast()) {
            drop_overrides(&skeleton);
        }
    }

    /// Has the editor check the warnings of the skeleton's joint limits, which need a rig.
    fn check_limits(this: &Gd<Self>) {
        let skeleton = skeleton_of(&this.clone().upcast());
        if let Some(skeleton) = skeleton.filter(|_| this.bind().in_editor) {
            check_limits_below(&skeleton.upcast());
        }
    }

    /// Puts the base pose back. Scripts that run meanwhile may do anything to the rig, but cannot
    /// start a pass: it would read bones of which only some are back.
    fn release_bones(mut this: Gd<Self>, leave: Leave) {
        let (plan, was_running) = {
            let mut rig = this.bind_mut();
            (rig.plan.take(), rig.running)
        };
        let Some(mut plan) = plan else {
            return;
        };
        this.bind_mut().running = true;
        let mut changes = Vec::new();
        plan.restore();
        if leave == Leave::Rest {
            plan.forget();
            plan.go_idle(&mut changes);
        }
        if this.is_instance_valid() {
            this.bind_mut().running = was_running;
        }
        if leave != Leave::Forget {
            Self::give_back(&mut this, plan);
        }
        emit(changes);
    }

    /// Stops processing while the engine would do it on another thread, and resumes afterwards.
    pub(super) fn check_thread(mut this: Gd<Self>) {
        let elsewhere = is_in_thread_group(&this.clone().upcast());
        let in_editor = {
            let mut rig = this.bind_mut();
            if rig.on_other_thread == elsewhere {
                return;
            }
            rig.on_other_thread = elsewhere;
            rig.apply_callback_mode();
            rig.in_editor
        };
        if in_editor {
            this.upcast::<Node>().update_configuration_warnings();
        } else if elsewhere {
            Self::warn_once(&this, |warned| &mut warned.on_other_thread, OFF_MAIN_THREAD);
        }
    }

    /// Runs a pass if the rig runs in frames of the kind `frame`.
    fn run_due_pass(this: Gd<Self>, frame: CallbackModeProcess, delta: f64) {
        if !is_main_thread() {
            return Self::refuse_thread(&this, OFF_MAIN_THREAD);
        }
        let (own, sleeps) = {
            let rig = this.bind();
            (rig.frame(), rig.sleeps())
        };
        if own == Some(frame) && sleeps {
            Self::reset(this);
        } else if own == Some(frame) {
            Self::run_pass(this, delta);
        } else if own == Some(CallbackModeProcess::FrameEnd) && frame == CallbackModeProcess::Idle {
            Self::keep_frame_end(this);
        }
    }

    /// The kind of frame in which the rig runs. The editor has no physics frames.
    fn frame(&self) -> Option<CallbackModeProcess> {
        match self.callback_mode_process {
            _ if self.in_editor => Some(CallbackModeProcess::Idle),
            CallbackModeProcess::Manual => None,
            mode => Some(mode),
        }
    }

    /// Whether the rig pauses because the skeleton is not visible.
    fn sleeps(&self) -> bool {
        let skeleton = match &self.plan {
            Some(plan) if self.skip_when_invisible && !self.in_editor => plan.skeleton.alive(),
            _ => None,
        };
        skeleton.is_some_and(|skeleton| !skeleton.is_visible_in_tree())
    }

    /// One pass, from gathering to the signals.
    fn run_pass(mut this: Gd<Self>, delta: f64) {
        if !is_main_thread() {
            return Self::refuse_thread(&this, CALLED_ELSEWHERE);
        }
        if let Some(run) = Self::begin(&mut this) {
            let mut changes = Vec::new();
            let plan = run.pass(&this, delta, &mut changes);
            Self::end(this, plan, changes);
        }
    }

    /// In the editor, does not preview while the engine's own stack runs: a bone that both turn
    /// would be saved as the stack has turned it.
    fn check_stack(this: &mut Gd<Self>) {
        let skeleton = skeleton_of(&this.clone().upcast());
        let is_beside = skeleton.is_some_and(|skeleton| is_at_work(&skeleton));
        let was_beside = std::mem::replace(&mut this.bind_mut().is_beside_stack, is_beside);
        if is_beside && !was_beside {
            Self::release_bones(this.clone(), Leave::Rest);
        }
        if was_beside != is_beside {
            this.clone()
                .upcast::<Node>()
                .update_configuration_warnings();
        }
    }

    /// Warns, once, that nothing can be done on this thread.
    fn refuse_thread(this: &Gd<Self>, advice: &str) {
        static TOLD: AtomicBool = AtomicBool::new(false);
        if !TOLD.swap(true, Ordering::Relaxed) {
            warn(&this.clone().upcast(), advice);
        }
    }

    /// Warns of a problem of the rig itself, once for each cause.
    fn warn_once(this: &Gd<Self>, cause: fn(&mut Warned) -> &mut bool, advice: &str) {
        if !this.is_instance_valid() {
            return;
        }
        let told = std::mem::replace(cause(&mut this.clone().bind_mut().warned), true);
        if !told {
            warn(&this.clone().upcast(), advice);
        }
    }

    /// Claims the rig for a pass. `None` if it has nothing to do or is in a pass already.
    fn begin(this: &mut Gd<Self>) -> Option<Run> {
        let mut rig = this.bind_mut();
        if rig.in_editor {
            drop(rig);
            Self::check_stack(this);
            rig = this.bind_mut();
        }
        if rig.running {
            drop(rig);
            Self::warn_once(this, |warned| &mut warned.reentered, REENTERED);
            return None;
        }
        // The editor shows an inactive rig, too, and warns of its problems.
        if !rig.active && !rig.in_editor {
            return None;
        }
        rig.running = true;
        Some(Run {
            plan: rig.plan.take(),
            stale: rig.stale.get(),
            influence: rig.influence,
            solves: rig.active && (!rig.in_editor || rig.is_previewed()),
            stands_by: rig.is_beside_stack,
        })
    }

    /// Gives the plan back and emits the signals of the pass. If the rig was deactivated or left
    /// the tree in the meantime, the base pose is put back.
    fn end(mut this: Gd<Self>, plan: Option<Box<Plan>>, mut changes: Vec<(ModifierNode, Change)>) {
        let Some(mut plan) = plan else {
            if this.is_instance_valid() {
                this.bind_mut().running = false;
            }
            return;
        };
        let Some(node) = plan.rig_node.alive() else {
            // The rig was freed during the pass and could not put the base pose back itself.
            return plan.restore();
        };
        let inside = node.is_inside_tree();
        let heard = node.has_listeners(&plan.processed);
        let mut rig = this.bind_mut();
        if rig.in_editor {
            for (bone, base) in plan.bones.base_poses() {
                rig.undo_history.add_bone(bone, base);
            }
        }
        if inside && (rig.active || rig.in_editor) {
            rig.plan = Some(plan);
            rig.running = heard && rig.active || !changes.is_empty();
            if !rig.running {
                return;
            }
            drop(rig);
        } else {
            drop(rig);
            plan.restore();
            plan.go_idle(&mut changes);
            Self::give_back(&mut this, plan);
        }
        emit(changes);
        if this.is_instance_valid() {
            this.signals().modification_processed().emit();
        }
        if this.is_instance_valid() {
            this.bind_mut().running = false;
        }
    }

    /// Gives a plan back that was taken out to restore bones, unless the rig has left the tree.
    fn give_back(this: &mut Gd<Self>, plan: Box<Plan>) {
        if this.is_instance_valid() && this.is_inside_tree() {
            this.bind_mut().plan = Some(plan);
        }
    }

    /// Replaces the plan `old`. `None` if the rig is not where it can run.
    fn replace_plan(this: &Gd<Self>, mut old: Option<Box<Plan>>) -> Option<Box<Plan>> {
        let node = this.clone().upcast::<Node>();
        let stale = Rc::clone(&this.bind().stale);
        stale.set(false);
        if !node.is_inside_tree() {
            if let Some(mut old) = old {
                old.restore();
            }
            return None;
        }
        if this.bind().listeners.is_empty() {
            // The extension was reloaded while the rig was in the tree.
            Self::listen(&mut this.clone());
        }
        let misplaced = misplacement(&node);
        let in_editor = this.bind().in_editor;
        let skeleton = skeleton_of(&node).filter(|_| misplaced.is_none());
        let mut plan = skeleton.map(|skeleton| Box::new(make_plan(&node, skeleton, &stale)));
        if in_editor && let Some(plan) = &mut plan {
            let history = &this.bind().undo_history;
            plan.bones.recall_from(history, &mut plan.rig.bones);
        }
        // From here on scripts run, and may free anything.
        match (&mut plan, &mut old) {
            (Some(plan), Some(old)) => {
                if in_editor {
                    let mut rig = this.clone();
                    let history = &mut rig.bind_mut().undo_history;
                    old.bones.remember_in(history, &old.rig.bones);
                }
                plan.take_over(old);
            }
            (Some(plan), None) => Self::claim_copies(this, plan),
            (None, Some(old)) => old.restore(),
            (None, None) => {}
        }
        if let Some(plan) = &plan {
            plan.report_problems(old.as_deref(), in_editor);
        } else if let Some(advice) = misplaced.filter(|_| !in_editor) {
            Self::warn_once(this, |warned| &mut warned.misplaced, advice);
        }
        if let Some(plan) = &plan
            && !in_editor
            && plan.skeleton.alive().is_some()
            && is_at_work(plan.skeleton.gd())
        {
            Self::warn_once(this, |warned| &mut warned.beside_stack, BESIDE_STACK);
        }
        if let Some(method) = missing_method() {
            static TOLD: AtomicBool = AtomicBool::new(false);
            if !TOLD.swap(true, Ordering::Relaxed) && this.is_instance_valid() {
                warn(
                    &node,
                    format_args!("This engine has another {method}: {SLOWER}"),
                );
            }
        }
        plan
    }

    /// Puts the base pose back and forgets it: the base pose is then whatever the bones hold at
    /// the next pass, to the last bit.
    pub(crate) fn forget_pose(this: Gd<Self>) {
        Self::release_bones(this, Leave::Forget);
    }

    /// The modifiers or their order have changed: the next pass makes a new plan.
    pub(super) fn plan_again(&self) {
        self.stale.set(true);
    }

    /// The plan of the last pass. `None` before the first pass and while one is running.
    pub(crate) fn plan(&self) -> Option<&Plan> {
        self.plan.as_deref()
    }

    /// What is wrong with `node`, a modifier or an effector, as of the last plan.
    pub(crate) fn problems_of(&self, node: &Gd<Node>) -> Vec<Problem> {
        let plan = self.plan.as_ref();
        plan.map_or(Vec::new(), |plan| plan.problems_of(node))
    }

    /// Whether the rig runs in the editor, too.
    pub(crate) fn is_previewed(&self) -> bool {
        self.preview_in_editor && !self.is_beside_stack
    }

    /// Whether it runs at all.
    pub(crate) fn is_active(&self) -> bool {
        self.active
    }

    /// The status of each modifier.
    pub(crate) fn statuses(&self) -> Vec<Status> {
        let plan = self.plan.as_ref();
        plan.map_or(Vec::new(), |plan| {
            let modifiers = plan.modifiers.iter();
            modifiers
                .map(|modifier| modifier.result.get().status)
                .collect()
        })
    }

    /// Stops listening, and remembers the bones for an undo that brings them back.
    fn leave(&mut self) {
        self.listeners.clear();
        self.frame_end.stop();
        if let Some(plan) = self.plan.as_ref().filter(|_| self.in_editor) {
            let history = &mut self.undo_history;
            plan.bones.remember_in(history, &plan.rig.bones);
        }
    }

    fn apply_callback_mode(&mut self) {
        let frame = self.frame().filter(|_| !self.on_other_thread);
        if frame != Some(CallbackModeProcess::FrameEnd) {
            self.frame_end.stop();
        }
        let mut base = self.base_mut();
        let each_frame = [CallbackModeProcess::Idle, CallbackModeProcess::FrameEnd];
        base.set_process(frame.is_some_and(|frame| each_frame.contains(&frame)));
        base.set_physics_process(frame == Some(CallbackModeProcess::Physics));
    }
}

/// What happens to a rig after the base pose was put back.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Leave {
    /// It continues with the next pass.
    Wait,
    /// The same, but its modifiers are idle until then.
    Rest,
    /// It leaves the tree, and the plan is dropped.
    Forget,
}

/// The setter of `active` for gdext, which checks its type.
///
/// gdext has no setters that take `Gd<Self>` (its issue 1692). A setter that borrows the rig would
/// still borrow it while scripts run, which may free it. The engine calls `set_active` instead, the
/// name in the constant below, which borrows the rig only briefly.
impl TendonRig2D {
    fn active_setter(&mut self, active: bool) {
        self.active = active;
    }
}

#[allow(
    non_upper_case_globals,
    reason = "gdext looks for the name of the accessor itself"
)]
impl __godot_TendonRig2D_Funcs {
    const active_setter: &str = "set_active";
}

/// What a pass takes out of the rig.
struct Run {
    plan: Option<Box<Plan>>,
    /// Whether the plan is known to be out of date.
    stale: bool,
    influence: f32,
    /// Whether the bones may be moved: not in the editor without preview, and not by an inactive
    /// rig.
    solves: bool,
    /// Whether they are not even to be put back: the engine would take what its own stack has made
    /// of a bone for what it was given.
    stands_by: bool,
}

impl Run {
    /// Runs the plan, or a new one where it is stale. Returns the plan for the next pass.
    fn pass(
        self,
        this: &Gd<TendonRig2D>,
        delta: f64,
        changes: &mut Vec<(ModifierNode, Change)>,
    ) -> Option<Box<Plan>> {
        let mut plan = self.plan;
        let mut stale = self.stale;
        // Updates the engine's list of bones, which emits a signal if it has changed.
        if let Some(current) = &plan {
            // The skeleton of a stale plan may have left the tree, and has no list then.
            if let Some(skeleton) = current.skeleton.alive()
                && (!stale || skeleton.is_inside_tree())
            {
                skeleton.update_bones();
            }
            stale |= current.is_known_stale();
        }
        // A second time if the tree has changed without a signal.
        for _ in 0..2 {
            if stale || plan.as_deref().is_none_or(Plan::may_recover_unnoticed) {
                if !this.is_instance_valid() {
                    return plan;
                }
                plan = TendonRig2D::replace_plan(this, plan);
            }
            let current = plan.as_mut()?;
            stale = if self.solves {
                current.run(self.influence, delta, changes).is_err()
            } else {
                if !self.stands_by {
                    current.restore();
                }
                current.forget();
                current.go_idle(changes);
                current.run_without_solving(self.influence).is_err()
            };
            if !stale {
                break;
            }
        }
        plan
    }
}

/// The skeleton that a rig acts on: its parent.
pub(super) fn skeleton_of(rig: &Gd<Node>) -> Option<Gd<Skeleton2D>> {
    rig.get_parent()?.try_cast::<Skeleton2D>().ok()
}

/// The rig of `skeleton`, if it has one: the first.
pub(crate) fn rig_of(skeleton: &Gd<Skeleton2D>) -> Option<Gd<TendonRig2D>> {
    let children = skeleton.get_children();
    let mut children = (0..children.len()).filter_map(|index| children.get(index));
    children.find_map(|child| child.try_cast::<TendonRig2D>().ok())
}

/// What is wrong with the rig's place in the tree, with advice what to do.
pub(crate) fn misplacement(rig: &Gd<Node>) -> Option<&'static str> {
    let Some(skeleton) = skeleton_of(rig) else {
        return Some("Make this node a child of the Skeleton2D whose bones it should move.");
    };
    let first = rig_of(&skeleton);
    let is_first = first.is_none_or(|first| first.instance_id() == rig.instance_id());
    (!is_first).then_some(
        "This Skeleton2D already has a TendonRig2D, and only the first one runs. Move the \
         modifiers below that one and remove this node.",
    )
}

/// Emits the signals of the modifiers whose status has changed.
fn emit(changes: Vec<(ModifierNode, Change)>) {
    for (modifier, change) in changes {
        if modifier.is_instance_valid() {
            modifier.into_gd().emit_signal(change.signal(), &[]);
        }
    }
}

/// The warning of a rig that is asked for a pass during a pass.
const REENTERED: &str = "advance() was called from within this rig's own pass, or from one of its \
    signals, or while it puts a pose back, and does nothing there.";

/// The warning of a rig that has nothing to capture.
const NOTHING_TO_CAPTURE: &str = "capture() found no pass, and returns an empty string. Call it \
    when the rig has run one, for example in a handler of modification_processed.";

/// The warning of a rig that is called on another thread.
const CALLED_ELSEWHERE: &str = "This was called on another thread, and does nothing there: a rig in \
    the tree works on the main thread only. Use call_deferred().";

/// The warning of a rig that is in a thread group.
const OFF_MAIN_THREAD: &str = "A rig runs on the main thread only. Set process_thread_group of \
    this node, or of the node above it that starts a thread group, to Inherit or Main Thread.";

/// The warning of a rig whose skeleton is moved by the engine, too.
const BESIDE_STACK: &str = "The Skeleton2D's own modification stack is enabled, too, and turns its \
    bones before this rig does. In the editor this rig is not previewed meanwhile. Choose Tendon > \
    Convert Modification Stack, or switch the stack off.";

/// The warning of a rig in an engine whose methods it cannot call directly.
const SLOWER: &str =
    "everything works, but more slowly. A version of Tendon for this engine would be faster.";

/// Registers the enum `CallbackModeProcess`.
pub(super) fn register_enums() {
    use CallbackModeProcess::{FrameEnd, Idle, Manual, Physics};
    register_enum::<TendonRig2D>(
        "CallbackModeProcess",
        &[
            ("CALLBACK_MODE_PROCESS_PHYSICS", Physics as i64),
            ("CALLBACK_MODE_PROCESS_IDLE", Idle as i64),
            ("CALLBACK_MODE_PROCESS_MANUAL", Manual as i64),
            ("CALLBACK_MODE_PROCESS_FRAME_END", FrameEnd as i64),
        ],
    );
}

/// The group of all rigs in the editor, so that its tools need not search for them. It is not saved.
pub(crate) const EDITED_RIGS: &str = "_tendon_rigs";

/// The rig's process priority: after animation players and ordinary scripts, which have 0.
const AFTER_SCRIPTS: i32 = 100;
