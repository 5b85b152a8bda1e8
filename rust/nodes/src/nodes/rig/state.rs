//! The functions of a rig that save and restore what its next pass goes on from.

use godot::prelude::*;
use tendon_solver::Snapshot;

use super::TendonRig2D;
use super::plan_guard::{PassLock, PlanGuard};
use crate::engine::script_state;
use crate::pass::snapshot;
use crate::plan::Plan;
use crate::plan::result::{StatusChange, emit_changes};
use crate::warnings::log::warn;
use crate::warnings::rig::NO_STATE;

#[godot_api(secondary)]
impl TendonRig2D {
    /// Returns what the next pass goes on from: the poses of the bones with their base poses, and
    /// what the modifiers remember. Save it with the state of your game to come back to this frame
    /// later, for example in a rollback. The same state has the same bytes on every platform, so
    /// players can compare them.
    ///
    /// What scripts of a [TendonCustomModifier2D] remember goes along if they have a method
    /// [method TendonCustomModifier2D._get_state].
    ///
    /// Returns an empty array, and prints a warning once, before the first pass, outside the tree
    /// and during a pass.
    #[func(gd_self)]
    fn get_state(this: Gd<Self>) -> PackedByteArray {
        if Self::is_refused(&this) {
            return PackedByteArray::new();
        }
        // Scripts run while the rig has its plan.
        let scripts = Self::with_plan(&this, |plan| plan.scripted()).unwrap_or_default();
        let states = scripts.into_iter().filter_map(|(index, node)| {
            let state = script_state::state_of(&node)?;
            Some((index, state))
        });
        let states: Vec<_> = states.collect();
        if !this.is_instance_valid() {
            return PackedByteArray::new();
        }
        let snapshot = Self::with_plan(&this, |plan| snapshot::save(plan)).flatten();
        let snapshot = snapshot.map(|mut snapshot| {
            snapshot.scripts = states;
            snapshot
        });
        if snapshot.is_none() {
            Self::warn_once(&this, |warned| &mut warned.without_state, NO_STATE);
        }
        snapshot.map_or(PackedByteArray::new(), |snapshot| {
            PackedByteArray::from(snapshot.to_bytes())
        })
    }

    /// Restores what [method get_state] has returned, and returns `true`. The bones get the poses
    /// that they had, and the next pass is, to the last bit, the one that followed. First restore
    /// what the modifiers depend on: targets, properties and the skeleton's own transform. Status, distance
    /// and tip of the modifiers are those of the state at once, and if a status changes by that, its signal
    /// is emitted. If the rig is not [member active], the bones get the base pose of the state.
    ///
    /// Returns `false`, changes nothing and prints why if `state` is damaged, of another version,
    /// or of a rig with other bones or modifiers.
    ///
    /// ```gdscript
    /// var state := rig.get_state()
    /// rig.advance(delta)
    /// rig.set_state(state)
    /// rig.advance(delta) # The same pose.
    /// ```
    #[func(gd_self)]
    fn set_state(this: Gd<Self>, state: PackedByteArray) -> bool {
        if Self::is_refused(&this) {
            return false;
        }
        let snapshot = Snapshot::read(state.as_slice()).map_err(|cause| cause.to_string());
        let taken = snapshot.and_then(|snapshot| {
            let rig = Self::shared(&this);
            // As in a pass: scripts that are called when a bone changes cannot start one meanwhile, and
            // neither can handlers of the signals.
            if rig.is_locked.get() {
                return Err("set_state() was called during a pass".into());
            }
            // A reset that was called before is done with.
            rig.resets_before_pass.set(false);
            let mut changes = Vec::new();
            let mut plan = PlanGuard::of(&rig);
            let taken = Self::resume(&this, &mut plan, snapshot, &mut changes);
            rig.return_plan(plan);
            let _lock = PassLock::set(&rig.is_locked);
            let states = taken?;
            for (node, state) in &states {
                script_state::set_state(node, state);
            }
            emit_changes(changes);
            Ok(())
        });
        if let Err(cause) = &taken
            && this.is_instance_valid()
        {
            let advice = format_args!("set_state() has changed nothing: {cause}.");
            warn(&this.upcast(), advice);
        }
        taken.is_ok()
    }
}

impl TendonRig2D {
    /// Restores `snapshot` in `plan`, or a new one where there is none. Returns what scripts are to get back.
    fn resume(
        this: &Gd<Self>,
        plan: &mut Option<Box<Plan>>,
        mut snapshot: Snapshot,
        changes: &mut Vec<(Gd<Node>, StatusChange)>,
    ) -> Result<Vec<(Gd<Node>, String)>, String> {
        // What a pass would notice counts, too, such as a target that was put back.
        let is_stale = Self::shared(this).stale.get();
        let look = |plan: &mut Box<Plan>| plan.look().filter(|_| !is_stale);
        let has_changed = plan.as_mut().and_then(look);
        if has_changed.is_none() {
            Self::replace_plan(this, plan);
        }
        let rig = Self::shared(this);
        let shows = rig.active.get() && (!rig.in_editor || rig.is_previewed());
        let plan = plan.as_mut().ok_or("the rig has no skeleton")?;
        let scripts = std::mem::take(&mut snapshot.scripts);
        let states = states_for(&plan.scripted(), scripts);
        let resumed = states.and_then(|states| {
            plan.resume(snapshot, has_changed.is_none(), shows, changes)?;
            Ok(states)
        });
        if resumed.is_err() && has_changed == Some(true) {
            // The next pass has to see it, too.
            plan.solve_again();
        }
        resumed
    }
}

/// The script nodes of `scripts`, each with the one of `states` that it gets. Both have the indices of modifiers.
///
/// # Errors
/// That it is of other scripts, in words.
fn states_for(
    scripts: &[(usize, Gd<Node>)],
    states: Vec<(usize, String)>,
) -> Result<Vec<(Gd<Node>, String)>, String> {
    let found = states.into_iter().map(|(index, state)| {
        let mut scripts = scripts.iter();
        let script = scripts.find(|(of, node)| *of == index && script_state::takes_state(node));
        let (_, node) = script.ok_or_else(|| {
            format!(
                "it has what the script of modifier {index} remembered, and there is no script with a method \
                 _set_state()"
            )
        })?;
        Ok((node.clone(), state))
    });
    found.collect()
}
