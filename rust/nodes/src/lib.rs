//! Tendon for Godot: the solver's modifiers as nodes over stock `Skeleton2D` and `Bone2D`.
//!
//! Nothing is solved here: nodes become plain data, `tendon_solver` solves it, and the result is
//! written back. Each folder's file has the table of what is in it:
//!
//! | folder | what is in it |
//! |---|---|
//! | [`nodes`] | the nodes that users add to a scene |
//! | [`pass`] | gather, solve, scatter, in every frame |
//! | [`plan`] | from nodes to indices, when something has changed |
//! | [`base_pose`] | the pose that animation gave a bone, in contrast to the one that the rig wrote |
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

use crate::engine::gdext_private::sys;
use crate::engine::guarded_methods;

pub mod base_pose;
pub mod engine;
pub mod nodes;
mod pass;
pub mod plan;
pub mod warnings;

/// Makes the crate that it stands in the library of an extension with the nodes. `$on_stage_init` is
/// called at each stage of its initialization: [`on_stage_init`], or what calls it.
#[macro_export]
macro_rules! extension {
    ($on_stage_init:path) => {
        use $crate::engine::gdext_private::sys;

        struct Tendon;

        /// Called by the engine when it loads the library. Each of the extension's methods is guarded.
        #[unsafe(no_mangle)]
        unsafe extern "C" fn tendon_init(
            get_proc_address: sys::GDExtensionInterfaceGetProcAddress,
            library: sys::GDExtensionClassLibraryPtr,
            initialization: *mut sys::GDExtensionInitialization,
        ) -> sys::GDExtensionBool {
            let guarded = $crate::guard(get_proc_address);
            // SAFETY: these are the engine's own arguments, but that methods are registered guarded.
            unsafe { init_unguarded(guarded, library, initialization) }
        }

        #[godot::init::gdextension(entry_symbol = init_unguarded)]
        // SAFETY: it is the library's only extension. What it keeps outside its classes is local to a
        // thread, atomic or behind a lock.
        unsafe impl godot::init::ExtensionLibrary for Tendon {
            fn on_stage_init(stage: godot::init::InitStage) {
                $on_stage_init(stage);
            }
        }
    };
}

/// Has each method that gdext registers from now on ask first whether it may be called.
pub fn guard(
    get_proc_address: sys::GDExtensionInterfaceGetProcAddress,
) -> sys::GDExtensionInterfaceGetProcAddress {
    guarded_methods::guard(get_proc_address, nodes::shared_classes())
}

/// Registers what gdext does not.
pub fn on_stage_init(stage: InitStage) {
    if stage == InitStage::Scene {
        engine::threads::mark_main_thread();
        nodes::register_enums();
    }
}
