//! `TendonRig2D`: the node that runs the pass. Here are its properties and most of its functions.
//!
//! | file | what is in it |
//! |---|---|
//! | [`shared`] | the data that it shares with its passes |
//! | [`notified`] | the engine's notifications: of every frame, and when the rig enters or leaves the tree |
//! | [`frames`] | the frames in which it runs; [`callback_mode`] is the property's type |
//! | [`pass`] | runs a pass: the plan, a new one where it is stale, and the signals |
//! | [`plan_guard`] | gives the rig its plan back if a panic ends a pass |
//! | [`planning`] | replaces the plan when it is stale, and answers questions about it |
//! | [`staleness`] | the changes that make the plan stale |
//! | [`base_pose`] | returns and restores base poses |
//! | [`state`] | the functions that save and restore the state that the next pass goes on from |
//! | [`sleep`] | pauses a rig that nobody sees |
//! | [`skeleton`] | the skeleton that a rig acts on, and the rig of a skeleton |
//! | [`editing`] | saving, undo and copies in the editor |
//! | [`preview`] | the switch for solved poses in the editor |
//! | [`reporting`] | shows and prints its warnings, each once |

mod base_pose;
pub mod callback_mode;
mod due_pass;
mod editing;
mod frames;
mod notified;
mod plan_guard;
mod planning;
pub mod preview;
mod reporting;
mod shared;
pub mod skeleton;
mod sleep;
mod staleness;
mod state;

use godot::prelude::*;
use godot::register::info::PropertyInfo;
use godot::register::property::PhantomVar;
use tendon_solver::TransitionSpeeds;
use tendon_solver::math::interval::clamp01;

use self::callback_mode::CallbackModeProcess;
use self::shared::{SharedRig, in_tree};
use crate::base_pose::copies::{self, BASE_POSES};
use crate::engine::afterwards::notify_property_list_changed;
use crate::engine::property::hide;
use crate::engine::shared::Shared;
use crate::engine::thread_guard::is_usable;
use crate::engine::threads::is_main_thread;
use crate::pass::capture::capture;
use crate::warnings::rig::NOTHING_TO_CAPTURE;

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
    #[var(get = get_active, set = active_setter)]
    active: PhantomVar<bool>,
    /// How much of the result of all modifiers is applied, from `0.0`, the base pose, to `1.0`, the
    /// default, the full result. The `influence` of each modifier is multiplied by it. Animate it
    /// to blend all inverse kinematics in and out.
    #[export(range = (0.0, 1.0, 0.001))]
    #[var(get = get_influence, set = set_influence)]
    influence: PhantomVar<f32>,
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
    callback_mode_process: PhantomVar<CallbackModeProcess>,
    /// If `true`, the default, the modifiers also run in the editor. The scene is saved with the
    /// base pose, not with the result. Keys that you insert for a bone, and rest poses that you
    /// set, take the base pose, too. Switch it off to see and edit the base pose. The Tendon menu
    /// can do that as well. The editor for Android does not have the tools that keep the result out
    /// of scenes, and there no modifier runs in the editor.
    #[export]
    #[var(get = get_preview_in_editor, set = set_preview_in_editor)]
    preview_in_editor: PhantomVar<bool>,
    /// If `true`, the rig does nothing while the skeleton is not visible, and the bones stay as
    /// they are. Use it to save time with many characters. The default is `false`, since scripts
    /// may read the bones of characters that are not visible. [method advance] works in any case.
    /// It has no effect in the editor.
    #[export]
    #[var(get = get_skip_when_invisible, set = set_skip_when_invisible)]
    skip_when_invisible: PhantomVar<bool>,
    /// How fast a joint turns at most while a limb goes over to another pose by itself, in radians per second: where a limit,
    /// a pole or an obstacle leaves it no other way. The default is `15.0`; less looks heavier, and targets are reached
    /// later. It does not slow down a limb that follows its target: for that, see `max_turn_speed` of a modifier.
    #[export(range = (10.0, 1440.0, 0.1, or_greater, radians_as_degrees))]
    #[var(get = get_transition_turn_speed, set = set_transition_turn_speed)]
    transition_turn_speed: PhantomVar<f64>,
    /// How fast a point of a limb moves at most then, in lengths of the limb per second. The default is `7.4`.
    #[export(range = (0.5, 20.0, 0.1, or_greater))]
    #[var(get = get_transition_point_speed, set = set_transition_point_speed)]
    transition_point_speed: PhantomVar<f64>,

    shared: Shared<SharedRig>,
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
            active: PhantomVar::default(),
            influence: PhantomVar::default(),
            callback_mode_process: PhantomVar::default(),
            preview_in_editor: PhantomVar::default(),
            skip_when_invisible: PhantomVar::default(),
            transition_turn_speed: PhantomVar::default(),
            transition_point_speed: PhantomVar::default(),
            shared: Shared::new(SharedRig::new(&node)),
            base,
        }
    }

    #[func(gd_self)]
    fn on_get_property_list(this: Gd<Self>) -> Vec<PropertyInfo> {
        match is_usable(&this) && !Self::shared(&this).base_poses_of_copy(&this).is_empty() {
            true => vec![copies::base_poses_property()],
            false => Vec::new(),
        }
    }

    #[func(gd_self)]
    fn on_get(this: Gd<Self>, property: StringName) -> Option<Variant> {
        let is_known = property == BASE_POSES && is_usable(&this);
        is_known.then(|| Self::shared(&this).base_poses_of_copy(&this).to_variant())
    }

    #[func(gd_self)]
    fn on_set(this: Gd<Self>, property: StringName, value: Variant) -> bool {
        let is_known = property == BASE_POSES && is_usable(&this);
        is_known && Self::shared(&this).set_copied_base_poses(&value)
    }

    #[func(gd_self)]
    fn on_validate_property(this: Gd<Self>, property: &mut PropertyInfo) {
        let manual = is_usable(&this)
            && this.bind().get_callback_mode_process() == CallbackModeProcess::Manual;
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
    pub fn advance(this: Gd<Self>, delta: f64) {
        if Self::is_refused(&this) {
            return;
        }
        let rig = Self::shared(&this);
        Self::run_pass(this, &rig, delta);
    }

    /// Forgets what the modifiers remember of the last passes: the next pass solves as if it were
    /// the first. Call it after a teleport or a cut, when the character should not move on from its
    /// last pose.
    ///
    /// ```gdscript
    /// position = Vector2(100, 200)
    /// $Skeleton2D/TendonRig2D.reset()
    /// ```
    ///
    /// In a project with physics interpolation, [method Node.reset_physics_interpolation] of a node above the rig
    /// does the same.
    #[func(gd_self)]
    fn reset(this: Gd<Self>) {
        if Self::is_refused(&this) {
            return;
        }
        let rig = Self::shared(&this);
        Self::forget_last_pass(&rig);
    }

    /// Restores the base pose of all bones, until the next pass.
    #[func(gd_self)]
    pub fn restore_pose(this: Gd<Self>) {
        if Self::is_refused(&this) {
            return;
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
    fn capture(this: Gd<Self>) -> GString {
        if Self::is_refused(&this) {
            return GString::new();
        }
        let text = Self::with_plan(&this, |plan| capture(plan)).flatten();
        if text.is_none() {
            Self::warn_once(&this, |warned| &mut warned.uncaptured, NOTHING_TO_CAPTURE);
        }
        text.map_or(GString::new(), |text| GString::from(&text))
    }

    #[func]
    pub fn get_active(&self) -> bool {
        self.shared.active.get()
    }

    #[func(gd_self)]
    fn set_active(this: Gd<Self>, active: bool) {
        let rig = Self::shared(&this);
        // Another thread may set up a rig that is not in the tree: it has no plan.
        let has_plan = rig.plan.borrow().is_some();
        if has_plan && Self::is_refused(&this) {
            return;
        }
        rig.active.set(active);
        rig.apply_callback_mode(&mut this.clone().upcast::<Node>());
        Self::start_or_end_polls(&this);
        if !active {
            Self::restore_and_idle(this);
        } else if rig.in_tree.get() && is_main_thread() {
            Self::catch_up(&this);
        }
    }

    #[func]
    fn get_influence(&self) -> f32 {
        self.shared.influence.get()
    }

    #[func]
    fn set_influence(&mut self, influence: f32) {
        self.shared.influence.set(clamp01(influence));
    }

    #[func]
    fn get_callback_mode_process(&self) -> CallbackModeProcess {
        self.shared.callback_mode_process.get()
    }

    #[func]
    fn set_callback_mode_process(&mut self, mode: CallbackModeProcess) {
        let rig = self.shared.clone();
        let before = rig.callback_mode_process.replace(mode);
        let mut node = self.to_gd();
        rig.apply_callback_mode(&mut node);
        if (before == CallbackModeProcess::Manual) != (mode == CallbackModeProcess::Manual) {
            notify_property_list_changed(&node);
        }
    }

    #[func]
    fn get_preview_in_editor(&self) -> bool {
        self.shared.preview_in_editor.get()
    }

    #[func]
    fn set_preview_in_editor(&mut self, preview: bool) {
        self.shared.preview_in_editor.set(preview);
    }

    #[func]
    fn get_skip_when_invisible(&self) -> bool {
        self.shared.skip_when_invisible.get()
    }

    #[func]
    fn set_skip_when_invisible(&mut self, skip: bool) {
        let rig = self.shared.clone();
        rig.skip_when_invisible.set(skip);
        // If it still has nothing to do, the next frame finds that out.
        rig.is_asleep.set(false);
        rig.apply_callback_mode(&mut self.to_gd());
    }

    #[func]
    fn get_transition_turn_speed(&self) -> f64 {
        self.shared.transition_speeds.get().turn()
    }

    #[func]
    fn set_transition_turn_speed(&mut self, speed: f64) {
        let speeds = &self.shared.transition_speeds;
        speeds.set(TransitionSpeeds::new(speed, speeds.get().point()));
    }

    #[func]
    fn get_transition_point_speed(&self) -> f64 {
        self.shared.transition_speeds.get().point()
    }

    #[func]
    fn set_transition_point_speed(&mut self, speed: f64) {
        let speeds = &self.shared.transition_speeds;
        speeds.set(TransitionSpeeds::new(speeds.get().turn(), speed));
    }
}

impl TendonRig2D {
    /// The next pass of `rig` begins without memory.
    fn forget_last_pass(rig: &SharedRig) {
        match &mut *rig.plan.borrow_mut() {
            Some(plan) => plan.reset(),
            // One that runs a pass resets it afterwards. What bodies did when they left the tree waits for the first one.
            None if rig.is_locked.get() => rig.resets_after_pass.set(true),
            None => rig.resets_before_pass.set(true),
        }
    }

    /// The next pass of `rig` goes on from what holds after a while.
    fn pause(rig: &SharedRig) {
        if let Some(plan) = &mut *rig.plan.borrow_mut() {
            plan.pause();
        }
    }

    /// Returns `true` if it is to run, now or when a script has it run.
    pub(super) fn is_due(&self) -> bool {
        let rig = &self.shared;
        let is_manual = rig.callback_mode_process.get() == CallbackModeProcess::Manual;
        let is_paused = !is_manual && (rig.is_asleep.get() || rig.is_unseen());
        rig.active.get() && !is_paused
    }

    /// The part of the rig `this` that it shares with its passes. It is not borrowed for that in the tree.
    fn shared(this: &Gd<Self>) -> Shared<SharedRig> {
        let known = in_tree(this.instance_id_unchecked());
        known.unwrap_or_else(|| this.bind().shared.clone())
    }
}

/// The setter of `active` for gdext, which checks its type.
///
/// gdext has no setters that take `Gd<Self>` (its issue 1692). A setter that borrows the rig would
/// still borrow it while scripts run, which may free it. The engine calls `set_active` instead, the
/// name in the constant below, which borrows the rig only briefly.
impl TendonRig2D {
    fn active_setter(&mut self, _active: bool) {}
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
pub const EDITED_RIGS: &str = "_tendon_rigs";

/// The rig's process priority: after animation players and ordinary scripts, which have 0.
const AFTER_SCRIPTS: i32 = 100;
