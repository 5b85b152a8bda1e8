//! Tendon for Godot: the solver's modifiers as nodes over stock `Skeleton2D` and `Bone2D`.
//!
//! There is no mathematics here beyond changes of space. One frame, read forwards:
//!
//! | file | what is in it |
//! |---|---|
//! | [`rig`] | `TendonRig2D`, the node that runs the pass |
//! | [`plan`] | from nodes to indices, when something has changed |
//! | [`carried`] | how targets, tips and shapes hang on the skeleton |
//! | [`pass`] | gather, solve, scatter, in every frame |
//! | [`engine`] | the engine calls of every frame; all unsafe code |
//! | [`base_pose`] | what animation gave a bone, as against what the rig wrote |
//! | [`capture`] | the last pass as text, to be solved again elsewhere |
//! | [`modifier`], [`chain`] | what the modifier nodes share |
//! | [`look_at`], [`two_bone`], [`ccd`], [`fabrik`] | the modifier nodes |
//! | [`joint_limit`] | the node that says how far a bone may turn |
//! | [`effector`] | `TendonEffector2D`, a further tip of a FABRIK |
//! | [`obstacles`] | the shapes that chains stay out of |
//! | [`wiring`], [`link`] | the nodes that a modifier names, any of which may be freed |
//! | [`problem`] | what can be wrong, in words |
//! | [`save_guard`] | keeps solved poses out of saved scenes |
//! | [`editor`] | what is added to the editor |
//!
//! Re-entry: an engine call may run a user's script, and that script may call this extension.
//! So nothing stays borrowed across an engine call: the rig's functions take `Gd<Self>`, and
//! the pass works on a plan that it has taken out of the rig.

#![allow(
    rustdoc::broken_intra_doc_links,
    reason = "what documents a class is for the editor's help, whose links are written otherwise"
)]

use godot::init::InitStage;
use godot::prelude::*;

mod base_pose;
#[cfg(feature = "bench")]
mod bench_floor;
mod capture;
mod carried;
mod ccd;
mod chain;
mod editor;
mod effector;
mod engine;
mod fabrik;
mod joint_limit;
mod link;
mod look_at;
mod modifier;
mod obstacles;
mod pass;
mod plan;
mod problem;
mod rig;
mod save_guard;
mod space;
mod two_bone;
mod wiring;

struct Tendon;

#[gdextension(entry_symbol = tendon_init)]
// SAFETY: the extension has no state outside its classes, and is the library's only one.
unsafe impl ExtensionLibrary for Tendon {
    fn on_stage_init(stage: InitStage) {
        if stage == InitStage::Scene {
            engine::mark_main_thread();
        }
    }
}
