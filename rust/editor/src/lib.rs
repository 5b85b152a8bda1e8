//! What Tendon adds to Godot's editor. Nothing here exists in a game.
//!
//! | file | what is in it |
//! |---|---|
//! | [`menu`] | the Tendon menu in the 2D toolbar, its entries and what they do |
//! | [`controls`] | the controls of windows and panels |
//! | [`convert`] | converts a `SkeletonModificationStack2D` to nodes |
//! | [`bake`] | bakes solved poses into an animation |
//! | [`gizmos`] | rigs drawn over the 2D viewport, with handles to drag |
//! | [`inspector`] | the present state of a node, in the inspector |
//! | [`saving`] | restores base poses before saving, and keeps them through undo and copies |
//! | [`builtin_tools`] | restores base poses before the editor's own tools read bones |
//! | [`drawn`] | where a node draws, and in which layer |
//! | [`engine_controls`] | the engine's own controls in the 2D toolbar |
//! | [`held_bones`] | says what a drag of bones has changed that is not seen |
//! | [`selection`] | the skeleton and the bones that are selected |
//! | [`toolbar`] | the controls of plugins in the 2D toolbar |
//! | [`viewport_drag`] | the drag that the mouse holds in the 2D viewport |
//! | [`viewport_event`] | events of the mouse and the keyboard in the 2D viewport |
//! | [`new_limits`] | new joint limits, wide enough for the pose |
//! | [`new_nodes`] | new modifiers, with rig and target |
//! | [`new_character`], [`character_dialog`] | a rig for a whole character, and the window that asks |
//! | [`new_stance`] | feet, for legs under an animation and for those that step |
//! | [`rest_pose`] | bones without a rest pose |
//! | [`painting`] | weights of polygons are seen and painted |
//! | [`parts`] | makes bones of parts that are parents of each other |
//! | [`path_fit`] | a smooth path along joints, with few points |
//! | [`posing`] | bones are pulled with the mouse, and poses are copied, pasted and keyed |
//! | [`preview`] | solving on demand, and the switch of the preview |
//! | [`skin`] | pictures that bend with bones |
//! | [`skin_class`] | `TendonSkin`, for tools in GDScript |
//! | [`notice`] | shows the result of a command |
//! | [`modifiers`] | the modifier classes as the menu adds them |
//! | [`reach`] | a modifier that reaches, or an effector, with its bones |
//! | [`action`] | one undo step |
//! | [`help`] | the help of all classes |

#![allow(
    rustdoc::broken_intra_doc_links,
    reason = "what documents a class is for the editor's help, whose links are written otherwise"
)]

use godot::init::InitStage;
use tendon_nodes::nodes::rig;

mod action;
mod bake;
mod builtin_tools;
mod character_dialog;
mod controls;
mod convert;
mod drawn;
mod engine_controls;
mod gizmos;
mod held_bones;
mod help;
mod inspector;
mod menu;
mod modifiers;
mod new_character;
mod new_limits;
mod new_nodes;
mod new_stance;
mod notice;
mod painting;
mod parts;
mod path_fit;
mod posing;
mod preview;
mod reach;
mod refusal;
mod rest_pose;
mod saving;
mod selection;
mod skin;
mod skin_class;
mod toolbar;
mod viewport_drag;
mod viewport_event;

/// Registers what gdext does not.
pub fn on_stage_init(stage: InitStage) {
    tendon_nodes::on_stage_init(stage);
    // By the plugin in `saving`, which is there when a scene is.
    if stage == InitStage::Scene {
        rig::preview::allow();
    }
    // gdext has loaded it now.
    if stage == InitStage::Editor {
        help::load_completed();
    }
}
