//! `TendonRig2D`: the node that runs the pass.

mod frame_end;
mod handover;

use std::cell::Cell;
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};

use godot::classes::{Bone2D, Engine};
use godot::prelude::*;
use godot::register::info::PropertyInfo;
use tendon_solver::Status;

use self::frame_end::FrameEnd;
use self::handover::COVERED;
use crate::base_pose::past::{Given, Past};
use crate::engine::live::{is_main_thread, missing_method};
use crate::engine::old_stack::{drop_overrides, is_at_work};
use crate::engine::space::{to_godot, to_solver};
use crate::engine::threads::{leaves_main_thread, upwards};
use crate::engine::watch::TendonWatch;
use crate::nodes::class_enum::class_enum;
use crate::nodes::joint_limit::review_limits;
use crate::nodes::modifier::{Change, hide};
use crate::pass::skeleton_of;
use crate::plan::problem::{Problem, complain};
use crate::plan::{ModifierNode, Plan};

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
/// Make it a child of the [Skeleton2D], and put modifiers below it: [TendonLookAt2D],
/// [TendonTwoBoneIK2D], [TendonCCDIK2D] and [TendonFABRIK2D]. In every frame, after animations
/// and scripts have moved the bones, the rig runs its modifiers from top to bottom and turns
/// the bones to the result. Only the `rotation` of a bone ever changes, and where a modifier
/// stretches, its `position`. How far a bone may turn, a [TendonJointLimit2D] below it says.
///
/// Animations and scripts need not know: what they last gave a bone, its base pose, is where
/// the next frame starts from, and is put back when the rig is switched off, leaves the tree,
/// or before the editor saves the scene. A script that reads a bone gets the solved pose;
/// [method get_base_rotation] returns the other one. In the editor, a bone that you turn while it is previewed
/// gets that rotation as its base pose; undo brings the old one back. Copies get base poses, too.
#[derive(GodotClass)]
#[class(tool, base = Node)]
pub struct TendonRig2D {
    /// If `false`, the bones keep their base pose.
    #[export]
    #[var(set = active_setter)]
    active: bool,
    /// How much of the result is applied, for all modifiers together.
    #[export(range = (0.0, 1.0, 0.001))]
    influence: f32,
    /// When the modifiers run: in physics frames, in idle frames, at the end of idle frames, or
    /// only in [method advance].
    ///
    /// In idle frames they run after animations and after scripts whose `process_priority` is
    /// less than the rig's, `100`. What moves later in the frame is seen one frame late: tweens,
    /// nodes that a [RemoteTransform2D] moves, `set_deferred`, and scripts of a higher priority.
    /// Those scripts in turn read the pose of this frame.
    ///
    /// At the end of the frame nothing is seen late. The bones move just before the frame is
    /// drawn, so every script reads the pose of the frame before, and what the engine moves with
    /// a bone by other means than drawing follows one frame later: physics bodies, lights and
    /// [RemoteTransform2D]s below a bone.
    #[export]
    #[var(get = get_callback_mode_process, set = set_callback_mode_process)]
    callback_mode_process: CallbackModeProcess,
    /// If `true`, the modifiers run in the editor too. The scene is saved without them.
    #[export]
    preview_in_editor: bool,
    /// If `true`, the rig sleeps while the skeleton is not visible: the bones stay as they are,
    /// and nothing is solved. [method advance] works all the same. The editor ignores it.
    #[export]
    skip_when_invisible: bool,

    /// What a pass touches; absent before the first pass and while one is running.
    plan: Option<Box<Plan>>,
    /// Set by whoever changes the tree under the plan.
    stale: Rc<Cell<bool>>,
    /// Whether a pass is under way, or its signals are.
    running: bool,
    /// What the rig has complained of.
    warned: Warned,
    in_editor: bool,
    /// Whether the engine would process the rig on another thread. It is not processed then.
    on_other_thread: bool,
    /// Whether the engine's own stack turns bones of the skeleton. Only looked at in the editor.
    is_beside_stack: bool,
    /// What calls the rig at the end of each frame, if it is to.
    frame_end: FrameEnd,
    /// The base poses that the editor's undo may bring back.
    past: Past,
    /// What the rig that this one is a copy of remembered, until there is a plan.
    inherited: VarDictionary,
    /// Hears of changes to the skeleton's bones, and to thread groups.
    watch: Option<Gd<TendonWatch>>,
    base: Base<Node>,
}

/// What has been said already.
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
            past: Past::default(),
            inherited: VarDictionary::new(),
            watch: None,
            base,
        }
    }

    #[func(gd_self)]
    fn enter_tree(mut this: Gd<Self>) {
        this.bind().stale.set(true);
        Self::listen(&mut this);
        Self::review_limits(&this);
        Self::mind_thread(this);
    }

    #[func(gd_self)]
    fn ready(mut this: Gd<Self>) {
        this.bind_mut().apply_callback_mode();
        if this.bind().in_editor {
            this.add_to_group(EDITED_RIGS);
        }
    }

    fn on_get_property_list(&mut self) -> Vec<PropertyInfo> {
        self.handed_over()
    }

    fn on_get(&self, property: StringName) -> Option<Variant> {
        (property == COVERED).then(|| self.covered().to_variant())
    }

    fn on_set(&mut self, property: StringName, value: Variant) -> bool {
        property == COVERED && self.take_over(&value)
    }

    #[func(gd_self)]
    fn exit_tree(mut this: Gd<Self>) {
        Self::review_limits(&this);
        this.bind_mut().leave();
        Self::let_go(this, Leave::Forget);
    }

    #[func(gd_self)]
    fn process(this: Gd<Self>, _delta: f64) {
        if this.bind().frame() == Some(CallbackModeProcess::FrameEnd) {
            return FrameEnd::keep(this);
        }
        Self::run_due_pass(this, CallbackModeProcess::Idle);
    }

    #[func(gd_self)]
    fn physics_process(this: Gd<Self>, _delta: f64) {
        Self::run_due_pass(this, CallbackModeProcess::Physics);
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
        let threaded = leaves_main_thread(&node).then_some(OFF_MAIN_THREAD);
        let beside_stack = this.bind().is_beside_stack.then_some(BESIDE_STACK);
        let advice = misplacement(&node).into_iter().chain(threaded);
        let advice = advice.chain(beside_stack);
        advice.map(GString::from).collect()
    }
}

#[godot_api]
impl TendonRig2D {
    /// Run in physics frames.
    #[cfg(false)]
    #[constant]
    const CALLBACK_MODE_PROCESS_PHYSICS: i64 = CallbackModeProcess::Physics as i64;
    /// Run in idle frames.
    #[cfg(false)]
    #[constant]
    const CALLBACK_MODE_PROCESS_IDLE: i64 = CallbackModeProcess::Idle as i64;
    /// Run only when [method advance] is called.
    #[cfg(false)]
    #[constant]
    const CALLBACK_MODE_PROCESS_MANUAL: i64 = CallbackModeProcess::Manual as i64;

    /// Run at the end of idle frames, just before drawing.
    #[cfg(false)]
    #[constant]
    const CALLBACK_MODE_PROCESS_FRAME_END: i64 = CallbackModeProcess::FrameEnd as i64;

    /// Emitted after each pass, when the bones have their new rotations.
    #[signal]
    fn modification_processed();

    /// Runs one pass now. With `callback_mode_process` set to manual, this is the only way;
    /// otherwise it is an extra pass. `delta` is the time since the last one, in seconds.
    #[func(gd_self)]
    pub(crate) fn advance(this: Gd<Self>, _delta: f64) {
        Self::run_pass(this);
    }

    /// Puts the base pose back into the bones, until the next pass.
    #[func(gd_self)]
    pub(crate) fn restore_pose(this: Gd<Self>) {
        if !is_main_thread() {
            return Self::refuse_thread(&this, CALLED_ELSEWHERE);
        }
        Self::let_go(this, Leave::Wait);
    }

    /// Returns the last pass as one line of JSON: all that went into it and all that came out.
    /// Add it to a bug report: the program [code]tendon-replay[/code], which comes with Tendon's
    /// source, solves it again to the last bit.
    ///
    /// It describes the last pass in which something was new, with the names of the bones and
    /// modifiers, and nothing else of the scene. It costs nothing until it is called.
    ///
    /// Returns an empty string, and says so once, while there is no such pass: before the first
    /// one, outside the tree, and during a pass. In handlers of [signal modification_processed] it
    /// is the pass that has just ended.
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
            Self::complain_once(&this, |warned| &mut warned.uncaptured, NOTHING_TO_CAPTURE);
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
            Self::let_go(this, Leave::Rest);
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
    fn base_of(&self, bone: Option<Gd<Bone2D>>, asked: &str) -> Option<(Gd<Bone2D>, Given)> {
        let Some(bone) = bone else {
            godot_error!("TendonRig2D.{asked}() was called without a bone. Pass a Bone2D.");
            return None;
        };
        let plan = self.plan.as_ref().filter(|_| is_main_thread());
        let base = plan.and_then(|plan| plan.base_of(bone.instance_id()));
        let base = base.unwrap_or_else(|| Given {
            rotation: bone.get_rotation(),
            position: to_solver(bone.get_position()),
        });
        Some((bone, base))
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
            Self::run_due_pass(this, CallbackModeProcess::FrameEnd);
        }
    }

    /// Has the skeleton tell of its bones, and the nodes above of their thread groups.
    fn listen(this: &mut Gd<Self>) {
        let stale = Rc::clone(&this.bind().stale);
        let watch = TendonWatch::new(&stale);
        let node = this.clone().upcast();
        if let Some(mut skeleton) = skeleton_of(&node) {
            TendonWatch::listen_for_bones(&watch, this, &mut skeleton);
        }
        TendonWatch::listen_for_groups(&watch, this, upwards(&node));
        this.bind_mut().watch = Some(watch);
    }

    /// Keeps the engine's own stack from throwing bones: see [`crate::engine::old_stack`].
    pub(crate) fn drop_overrides(this: &Gd<Self>) {
        if let Some(skeleton) = skeleton_of(&this.clone().upcast()) {
            drop_overrides(&skeleton);
        }
    }

    /// Has the skeleton's joint limits say in the editor whether a rig obeys them.
    fn review_limits(this: &Gd<Self>) {
        let skeleton = skeleton_of(&this.clone().upcast());
        if let Some(skeleton) = skeleton.filter(|_| this.bind().in_editor) {
            review_limits(&skeleton.upcast());
        }
    }

    /// Puts the base pose back. Scripts that run meanwhile may do anything to the rig but have it
    /// plan anew: they would see bones of which only some are back.
    fn let_go(mut this: Gd<Self>, leave: Leave) {
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
            plan.rest(&mut changes);
        }
        if this.is_instance_valid() {
            this.bind_mut().running = was_running;
        }
        if leave != Leave::Forget {
            Self::give_back(&mut this, plan);
        }
        emit(changes);
    }

    /// Stops processing while the engine would do it on another thread, and goes on afterwards.
    pub(crate) fn mind_thread(mut this: Gd<Self>) {
        let elsewhere = leaves_main_thread(&this.clone().upcast());
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
            Self::complain_once(&this, |warned| &mut warned.on_other_thread, OFF_MAIN_THREAD);
        }
    }

    /// The pass of a frame of the kind `frame`, if this is when the rig runs.
    fn run_due_pass(this: Gd<Self>, frame: CallbackModeProcess) {
        if !is_main_thread() {
            return Self::refuse_thread(&this, OFF_MAIN_THREAD);
        }
        let due = {
            let rig = this.bind();
            rig.frame() == Some(frame) && !rig.sleeps()
        };
        if due {
            Self::run_pass(this);
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

    /// Whether nobody would see what the rig does.
    fn sleeps(&self) -> bool {
        let skeleton = match &self.plan {
            Some(plan) if self.skip_when_invisible && !self.in_editor => plan.skeleton.alive(),
            _ => None,
        };
        skeleton.is_some_and(|skeleton| !skeleton.is_visible_in_tree())
    }

    /// One pass, from gathering to the signals.
    fn run_pass(mut this: Gd<Self>) {
        if !is_main_thread() {
            return Self::refuse_thread(&this, CALLED_ELSEWHERE);
        }
        Self::mind_stack(&mut this);
        if let Some(run) = Self::begin(&mut this) {
            let mut changes = Vec::new();
            let plan = run.pass(&this, &mut changes);
            Self::end(this, plan, changes);
        }
    }

    /// In the editor, does not preview while the engine's own stack runs: a bone that both turn
    /// would be saved as the stack has turned it.
    fn mind_stack(this: &mut Gd<Self>) {
        if !this.bind().in_editor {
            return;
        }
        let skeleton = skeleton_of(&this.clone().upcast());
        let is_beside = skeleton.is_some_and(|skeleton| is_at_work(&skeleton));
        let was_beside = std::mem::replace(&mut this.bind_mut().is_beside_stack, is_beside);
        if is_beside && !was_beside {
            Self::let_go(this.clone(), Leave::Rest);
        }
        if was_beside != is_beside {
            this.clone()
                .upcast::<Node>()
                .update_configuration_warnings();
        }
    }

    /// Says, once, that nothing can be done on this thread.
    fn refuse_thread(this: &Gd<Self>, advice: &str) {
        static TOLD: AtomicBool = AtomicBool::new(false);
        if !TOLD.swap(true, Ordering::Relaxed) {
            complain(&this.clone().upcast(), advice);
        }
    }

    /// Says what is wrong with the rig itself, the first time that it is.
    fn complain_once(this: &Gd<Self>, cause: fn(&mut Warned) -> &mut bool, advice: &str) {
        if !this.is_instance_valid() {
            return;
        }
        let told = std::mem::replace(cause(&mut this.clone().bind_mut().warned), true);
        if !told {
            complain(&this.clone().upcast(), advice);
        }
    }

    /// Claims the rig for a pass. `None` if it has nothing to do or is in a pass already.
    fn begin(this: &mut Gd<Self>) -> Option<Run> {
        let mut rig = this.bind_mut();
        if rig.running {
            drop(rig);
            Self::complain_once(this, |warned| &mut warned.reentered, REENTERED);
            return None;
        }
        // The editor shows a rig that is switched off, and warns of what is wrong with it.
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

    /// Gives the plan back and tells of the pass. If the rig was switched off or taken out of
    /// the tree in the meantime, it lets go of the bones.
    fn end(mut this: Gd<Self>, plan: Option<Box<Plan>>, mut changes: Vec<(ModifierNode, Change)>) {
        let Some(mut plan) = plan else {
            if this.is_instance_valid() {
                this.bind_mut().running = false;
            }
            return;
        };
        let Some(node) = plan.rig_node.alive() else {
            // It could not put the bones back itself: the pass had them.
            return plan.restore();
        };
        let inside = node.is_inside_tree();
        let heard = node.has_listeners(&plan.processed);
        let mut rig = this.bind_mut();
        if rig.in_editor {
            for (bone, base) in plan.bases() {
                rig.past.meet(bone, base);
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
            plan.rest(&mut changes);
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

    /// Replaces the plan `old`. `None` if the rig is not where it can work.
    fn plan_anew(this: &Gd<Self>, mut old: Option<Box<Plan>>) -> Option<Box<Plan>> {
        let node = this.clone().upcast::<Node>();
        let stale = Rc::clone(&this.bind().stale);
        stale.set(false);
        if !node.is_inside_tree() {
            if let Some(mut old) = old {
                old.restore();
            }
            return None;
        }
        if this.bind().watch.is_none() {
            // The extension was loaded anew, under a rig that is in the tree.
            Self::listen(&mut this.clone());
        }
        let misplaced = misplacement(&node);
        let in_editor = this.bind().in_editor;
        let skeleton = skeleton_of(&node).filter(|_| misplaced.is_none());
        let mut plan = skeleton.map(|skeleton| Box::new(Plan::new(&node, skeleton, &stale)));
        if in_editor && let Some(plan) = &mut plan {
            plan.welcome_back(&this.bind().past);
        }
        // From here on scripts run, and may free anything.
        match (&mut plan, &mut old) {
            (Some(plan), Some(old)) => {
                if in_editor {
                    old.see_off(&mut this.clone().bind_mut().past);
                }
                plan.succeed(old);
            }
            (Some(plan), None) => Self::settle_inheritance(this, plan),
            (None, Some(old)) => old.restore(),
            (None, None) => {}
        }
        if let Some(plan) = &plan {
            plan.report_problems(old.as_deref(), in_editor);
        } else if let Some(advice) = misplaced.filter(|_| !in_editor) {
            Self::complain_once(this, |warned| &mut warned.misplaced, advice);
        }
        if let Some(plan) = &plan
            && !in_editor
            && plan.skeleton.alive().is_some()
            && is_at_work(plan.skeleton.gd())
        {
            Self::complain_once(this, |warned| &mut warned.beside_stack, BESIDE_STACK);
        }
        if let Some(method) = missing_method() {
            static TOLD: AtomicBool = AtomicBool::new(false);
            if !TOLD.swap(true, Ordering::Relaxed) && this.is_instance_valid() {
                complain(
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
        Self::let_go(this, Leave::Forget);
    }

    /// The modifiers or their places have changed: the next pass plans anew.
    pub(crate) fn plan_again(&self) {
        self.stale.set(true);
    }

    /// What the last pass touched. `None` before the first pass and while one is running.
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

    /// How the modifiers fare.
    pub(crate) fn statuses(&self) -> Vec<Status> {
        let plan = self.plan.as_ref();
        plan.map_or(Vec::new(), |plan| {
            let slots = plan.slots.iter();
            slots.map(|slot| slot.result.get().status).collect()
        })
    }

    /// Forgets what it hears of, and remembers the bones for an undo that brings them back.
    fn leave(&mut self) {
        self.watch = None;
        self.frame_end.stop();
        if let Some(plan) = self.plan.as_ref().filter(|_| self.in_editor) {
            plan.see_off(&mut self.past);
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

/// What becomes of a rig that lets go of its bones.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Leave {
    /// It goes on with the next pass.
    Wait,
    /// It does so too, but its modifiers have nothing to tell until then.
    Rest,
    /// It leaves the tree, and the plan is of no use any more.
    Forget,
}

/// What gdext takes for the setter of `active`, to check its type.
///
/// gdext has no setters that take `Gd<Self>` (its issue 1692), and one that borrows the rig would
/// still hold it while scripts run that may free it. The name that the engine is told is the
/// constant's, `set_active`, which borrows nothing for long.
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
    /// Whether the bones are to be moved at all: not so in an editor without preview, or by a rig
    /// that is switched off.
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
        changes: &mut Vec<(ModifierNode, Change)>,
    ) -> Option<Box<Plan>> {
        let mut plan = self.plan;
        let mut stale = self.stale;
        // Brings the engine's list of bones up to date, which tells us if it has changed.
        if let Some(current) = &plan {
            // A plan that is stale may be of a skeleton that has left the tree, and has no list.
            if let Some(skeleton) = current.skeleton.alive()
                && (!stale || skeleton.is_inside_tree())
            {
                skeleton.update_bones();
            }
            stale |= current.is_known_stale();
        }
        // Once more if the tree changed unseen.
        for _ in 0..2 {
            if stale || plan.as_deref().is_none_or(Plan::may_heal_unseen) {
                if !this.is_instance_valid() {
                    return plan;
                }
                plan = TendonRig2D::plan_anew(this, plan);
            }
            let current = plan.as_mut()?;
            stale = if self.solves {
                current.run(self.influence, changes).is_err()
            } else {
                if !self.stands_by {
                    current.restore();
                }
                current.rest(changes);
                current.survey(self.influence).is_err()
            };
            if !stale {
                break;
            }
        }
        plan
    }
}

/// What is wrong with the rig's place in the tree, in words that say what to do.
pub(crate) fn misplacement(rig: &Gd<Node>) -> Option<&'static str> {
    let Some(skeleton) = skeleton_of(rig) else {
        return Some("Make this node a child of the Skeleton2D whose bones it should move.");
    };
    let first = skeleton
        .get_children()
        .iter_shared()
        .find(|child| child.clone().try_cast::<TendonRig2D>().is_ok());
    let alone = first.is_none_or(|first| first.instance_id() == rig.instance_id());
    (!alone).then_some(
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

/// What a rig says that is asked for a pass while it is in one.
const REENTERED: &str = "advance() was called from within this rig's own pass, or from one of its \
    signals, or while it puts a pose back, and does nothing there.";

/// What a rig says that has nothing to capture.
const NOTHING_TO_CAPTURE: &str = "capture() found no pass, and returns an empty string. Call it \
    when the rig has run one, for example in a handler of modification_processed.";

/// What a rig says that is called on another thread.
const CALLED_ELSEWHERE: &str = "This was called on another thread, and does nothing there: a rig in \
    the tree works on the main thread only. Use call_deferred().";

/// What a rig says that is in a thread group.
const OFF_MAIN_THREAD: &str = "A rig runs on the main thread only. Set process_thread_group of \
    this node, or of the node above it that starts a thread group, to Inherit or Main Thread.";

/// What a rig says whose skeleton the engine turns, too.
const BESIDE_STACK: &str = "The Skeleton2D's own modification stack is enabled, too, and turns its \
    bones before this rig does. In the editor this rig is not previewed meanwhile. Choose Tendon > \
    Convert Modification Stack, or switch the stack off.";

/// What a rig says of an engine whose methods it cannot call directly.
const SLOWER: &str = "all works, but slower. A version of Tendon for this engine would be faster.";

/// The group of all rigs in the editor, so that its tools need not search for them. It is not saved.
pub(crate) const EDITED_RIGS: &str = "_tendon_rigs";

/// The rig's process priority: after animation players and ordinary scripts, which have 0.
const AFTER_SCRIPTS: i32 = 100;
