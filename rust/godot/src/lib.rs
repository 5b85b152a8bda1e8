//! Tendon for Godot: the solver's modifiers as nodes over stock `Skeleton2D` and `Bone2D`.
//!
//! Nothing is solved here: nodes become plain data, `tendon_solver` solves it, and the result is
//! written back. Each folder's file has the table of what is in it:
//!
//! | folder | what is in it |
//! |---|---|
//! | [`editor`] | what is added to Godot's editor |
//! | [`nodes`] | the nodes that users add to a scene |
//! | [`pass`] | gather, solve, scatter, in every frame |
//! | [`plan`] | from nodes to indices, when something has changed |
//! | [`base_pose`] | what animation gave a bone, in contrast to what the rig wrote |
//! | [`warnings`] | the texts of all warnings |
//! | [`engine`] | calls of every frame, references to nodes, conversions |
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
mod editor;
mod engine;
mod help;
mod nodes;
mod pass;
mod plan;
mod warnings;

use engine::guarded_methods::{guard, guarded_entry};

struct Tendon;

guarded_entry!(tendon_init, init_unguarded, |get| guard(
    get,
    nodes::shared_classes()
));

#[gdextension(entry_symbol = init_unguarded)]
// SAFETY: it is the library's only extension. What it keeps outside its classes is local to a thread,
// atomic or behind a lock.
unsafe impl ExtensionLibrary for Tendon {
    fn on_stage_init(stage: InitStage) {
        if stage == InitStage::Scene {
            engine::threads::mark_main_thread();
            nodes::register_enums();
        }
        // gdext has loaded it now.
        if stage == InitStage::Editor {
            help::load_renamed();
        }
    }
}
