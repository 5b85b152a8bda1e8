//! `TendonRig2D`: the node that runs the pass. Here are its properties and most of its functions.
//!
//! | file | what is in it |
//! |---|---|
//! | [`frames`] | in which frames it runs; [`callback_mode`] is the property's type |
//! | [`pass`] | runs a pass: the plan, a new one where it is stale, and the signals |
//! | [`planning`] | when the plan is made again |
//! | [`notifications`] | the changes that make the plan stale |
//! | [`base_pose`] | returns and restores base poses |
//! | [`state`] | the functions that save and restore what the next pass goes on from |
//! | [`skeleton`] | the skeleton that a rig acts on, and the rig of a skeleton |
//! | [`editing`] | saving, undo and copies in the editor |
//! | [`reporting`] | shows and prints its warnings, each once |

mod base_pose;
pub(crate) mod callback_mode;
mod editing;
mod frames;
mod notifications;
mod pass;
mod planning;
mod reporting;
pub(crate) mod skeleton;
mod state;

use std::cell::Cell;
use std::rc::Rc;

use godot::classes::Engine;
use godot::prelude::*;
use godot::register::info::PropertyInfo;

use self::callback_mode::{CallbackModeProcess, FrameEnd};
use crate::base_pose::copies::{self, BASE_POSES};
use crate::base_pose::undo_history::UndoHistory;
use crate::engine::frame_watch::FrameWatch;
use crate::engine::property::hide;
use crate::engine::thread_guard::is_usable;
use crate::engine::threads::is_main_thread;
use crate::engine::tree_watch::TreeWatch;
use crate::pass::capture::capture;
use crate::plan::Plan;
use crate::plan::planner::Dependencies;
use crate::warnings::rig::{CALLED_ELSEWHERE, NOTHING_TO_CAPTURE, Warned};

/// Runs the inverse kinematics of a skeleton.
///
/// Add it as a child of the [Skeleton2D], and add modifiers below it, for example a
/// [TendonTwoBoneIK2D] for each arm and leg. In every frame, after animations and scripts have
/// moved the bones, the rig runs its modifiers from top to bottom and turns the bones. A
/// [TendonJointLimit2D] below a bone limits how far it may turn.
///
/// A skeleton with a rig has three poses:
///
/// - the *rest pose*, [member Bone2D.rest] of each bone, from which joint limits are measured,
/// - the *base pose*, which animations, scripts or you give the bones, and which is saved,
/// - the *solved pose*, which the rig makes of the base pose in every frame, and which you see.
///
/// Animations and scripts need no changes: what they write becomes the base pose. It is restored
/// when [member active] is switched off, when the rig leaves the tree, and before the editor saves
/// the scene. A script that reads a bone gets the solved pose. [method get_base_rotation] returns
/// the rotation of the base pose.
///
/// This script blends all inverse kinematics of a character out when it falls:
///
/// ```gdscript
/// func fall() -> void:
///     var tween: Tween = create_tween()
///     tween.tween_property($Skeleton2D/TendonRig2D, "influence", 0.0, 0.3)
/// ```
///
/// Tutorials: the chapters *The three poses*, *From sprite parts to a walking character* and
/// *Animating with a rig* of the manual, `addons/tendon/manual/index.html`.
#[derive(GodotClass)]
#[class(tool, base = Node)]
pub struct TendonRig2D {
    /// If `true`, the default, the modifiers run. If `false`, no modifier runs, and the base pose
    /// is restored. To switch it off smoothly, animate [member influence].
    #[export]
    #[var(set = active_setter)]
    active: bool,
    /// How much of the result of all modifiers is applied, from `0.0`, the base pose, to `1.0`, the
    /// default, the full result. The `influence` of each modifier is multiplied by it. Animate it
    /// to blend all inverse kinematics in and out.
    #[export(range = (0.0, 1.0, 0.001))]
    influence: f32,
    /// When the modifiers run: in idle frames, at the end of idle frames, in physics frames, or
    /// only when [method advance] is called. The default is [constant CALLBACK_MODE_PROCESS_IDLE].
    /// Use [constant CALLBACK_MODE_PROCESS_PHYSICS] if the animation or the targets move in physics
    /// frames.
    ///
    /// In idle frames the rig runs after animations, and after scripts whose
    /// [member Node.process_priority] is less than its own, `100`. What moves later in the frame is
    /// seen one frame late: tweens, nodes that a [RemoteTransform2D] moves,
    /// [method Object.set_deferred], and scripts with a higher priority.
    ///
    /// With [constant CALLBACK_MODE_PROCESS_FRAME_END] it sees nothing late. The bones move just
    /// before the frame is drawn. All scripts read the pose of the frame before, and physics
    /// bodies, lights and [RemoteTransform2D] nodes below a bone follow one frame later.
    #[export]
    #[var(get = get_callback_mode_process, set = set_callback_mode_process)]
    callback_mode_process: CallbackModeProcess,
    /// If `true`, the default, the modifiers also run in the editor. The scene is saved with the
    /// base pose, not with the result. Keys that you insert for a bone, and rest poses that you
    /// set, take the base pose, too. Switch it off to see and edit the base pose. The Tendon menu
    /// can do that as well.
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
    /// Set when the tree under the plan changes.
    stale: Rc<Cell<bool>>,
    /// Whether no pass may begin: one is under way, its signals are being emitted, or bones are
    /// being restored.
    is_locked: bool,
    /// Whether `reset` was called during a pass, while the rig did not have the plan.
    resets_after_pass: bool,
    /// Which warnings were printed already.
    warned: Warned,
    in_editor: bool,
    /// Whether it has entered the tree and not left it.
    in_tree: bool,
    /// Whether the engine would process the rig on another thread. It is not processed then.
    on_other_thread: bool,
    /// Whether the engine's own stack turns bones of the skeleton. Only checked in the editor.
    is_beside_stack: bool,
    /// The tween that calls the rig at the end of each frame, if there is one.
    frame_end: FrameEnd,
    /// The base poses that the editor's undo may bring back. Games have none.
    undo_history: Option<Box<UndoHistory>>,
    /// The base poses of the rig that this one is a copy of, until there is a plan.
    copied_base_poses: Option<VarDictionary>,
    /// The rotations that the next pass begins from, by the instance IDs of the bones.
    start_rotations: Option<VarDictionary>,
    /// The signals and nodes that make the plan stale.
    dependencies: Dependencies,
    /// Whether the rig is connected to the skeleton's signal.
    is_connected_to_skeleton: bool,
    /// Notices nodes that enter or leave the tree.
    tree_watch: Option<Rc<TreeWatch>>,
    /// Notices when the thread group above changes.
    frame_watch: Option<Rc<FrameWatch>>,
    base: Base<Node>,
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
            is_locked: false,
            resets_after_pass: false,
            warned: Warned::default(),
            in_editor: Engine::singleton().is_editor_hint(),
            // After the extension was reloaded it is, and does not enter again.
            in_tree: node.is_inside_tree(),
            on_other_thread: false,
            is_beside_stack: false,
            frame_end: FrameEnd::default(),
            undo_history: None,
            copied_base_poses: None,
            start_rotations: None,
            dependencies: Dependencies::default(),
            is_connected_to_skeleton: false,
            tree_watch: None,
            frame_watch: None,
            base,
        }
    }

    #[func(gd_self)]
    fn enter_tree(mut this: Gd<Self>) {
        {
            let mut rig = this.bind_mut();
            rig.in_tree = true;
            rig.stale.set(true);
        }
        Self::start_listening(&mut this);
        Self::update_warnings_of_limits(&this);
        Self::update_warnings_of_rigs(&this);
        Self::check_thread(this);
    }

    #[func(gd_self)]
    fn ready(mut this: Gd<Self>) {
        this.bind_mut().apply_callback_mode();
        if this.bind().in_editor {
            this.add_to_group(EDITED_RIGS);
        }
    }

    #[func(gd_self)]
    fn on_get_property_list(this: Gd<Self>) -> Vec<PropertyInfo> {
        match is_usable(&this) && !this.bind().base_poses_of_copy().is_empty() {
            true => vec![copies::base_poses_property()],
            false => Vec::new(),
        }
    }

    #[func(gd_self)]
    fn on_get(this: Gd<Self>, property: StringName) -> Option<Variant> {
        let is_known = property == BASE_POSES && is_usable(&this);
        is_known.then(|| this.bind().base_poses_of_copy().to_variant())
    }

    #[func(gd_self)]
    fn on_set(mut this: Gd<Self>, property: StringName, value: Variant) -> bool {
        let is_known = property == BASE_POSES && is_usable(&this);
        is_known && this.bind_mut().set_copied_base_poses(&value)
    }

    #[func(gd_self)]
    fn exit_tree(mut this: Gd<Self>) {
        this.bind_mut().in_tree = false;
        Self::update_warnings_of_limits(&this);
        Self::update_warnings_of_rigs(&this);
        Self::stop_listening(&mut this);
        {
            let mut rig = this.bind_mut();
            rig.frame_end.stop();
            rig.start_rotations = None;
            rig.remember_bones_for_undo();
        }
        Self::restore_and_drop_plan(this);
    }

    #[func(gd_self)]
    fn process(this: Gd<Self>, delta: f64) {
        Self::run_due_pass(this, CallbackModeProcess::Idle, delta);
    }

    #[func(gd_self)]
    fn physics_process(this: Gd<Self>, delta: f64) {
        Self::run_due_pass(this, CallbackModeProcess::Physics, delta);
    }

    #[func(gd_self)]
    fn on_validate_property(this: Gd<Self>, property: &mut PropertyInfo) {
        let manual =
            is_usable(&this) && this.bind().callback_mode_process == CallbackModeProcess::Manual;
        if manual && property.property_name == "skip_when_invisible" {
            hide(property);
        }
    }

    #[func(gd_self)]
    fn get_configuration_warnings(this: Gd<Self>) -> PackedStringArray {
        Self::advice(&this).into_iter().map(GString::from).collect()
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
    /// additional pass. `delta` is the time since the last pass, in seconds. It says how far chains
    /// return to their animation or swing to another pose, and how far springs move on. With `0.0`
    /// chains only follow their targets. Negative values and NaN count as `0.0`.
    #[func(gd_self)]
    pub(crate) fn advance(this: Gd<Self>, delta: f64) {
        Self::run_pass(this, delta);
    }

    /// Forgets what the modifiers remember of the last passes: the next pass solves as if it were
    /// the first. Call it after a teleport or a cut, when the character should not move on from its
    /// last pose.
    ///
    /// ```gdscript
    /// position = Vector2(100, 200)
    /// $Skeleton2D/TendonRig2D.reset()
    /// ```
    #[func(gd_self)]
    fn reset(mut this: Gd<Self>) {
        if !is_main_thread() {
            return Self::refuse_thread(&this, CALLED_ELSEWHERE);
        }
        let mut rig = this.bind_mut();
        match &mut rig.plan {
            Some(plan) => plan.reset(),
            None => rig.resets_after_pass = rig.is_locked,
        }
    }

    /// Restores the base pose of all bones, until the next pass.
    #[func(gd_self)]
    pub(crate) fn restore_pose(this: Gd<Self>) {
        if !is_main_thread() {
            return Self::refuse_thread(&this, CALLED_ELSEWHERE);
        }
        Self::restore_until_next_pass(this);
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
    ///
    /// ```gdscript
    /// DisplayServer.clipboard_set($Skeleton2D/TendonRig2D.capture())
    /// ```
    #[func(gd_self)]
    fn capture(mut this: Gd<Self>) -> GString {
        if !is_main_thread() {
            Self::refuse_thread(&this, CALLED_ELSEWHERE);
            return GString::new();
        }
        let plan = this.bind_mut().plan.take();
        let text = plan.as_deref().and_then(capture);
        if let Some(plan) = plan {
            Self::return_plan(&mut this, plan);
        }
        if text.is_none() {
            Self::warn_once(&this, |warned| &mut warned.uncaptured, NOTHING_TO_CAPTURE);
        }
        text.map_or(GString::new(), |text| GString::from(&text))
    }

    #[func(gd_self)]
    fn set_active(mut this: Gd<Self>, active: bool) {
        // Another thread may set up a rig that is not in the tree: it has no plan.
        if !is_main_thread() && this.bind().plan.is_some() {
            return Self::refuse_thread(&this, CALLED_ELSEWHERE);
        }
        this.bind_mut().active = active;
        if !active {
            Self::restore_and_idle(this);
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

/// The group of all rigs in the editor, so that its tools need not search for them. It is not
/// saved.
pub(crate) const EDITED_RIGS: &str = "_tendon_rigs";

/// The rig's process priority: after animation players and ordinary scripts, which have 0.
const AFTER_SCRIPTS: i32 = 100;
