//! `TendonParts`, for tools in GDScript.

use godot::classes::Skeleton2D;
use godot::prelude::*;

use crate::parts::{Converted, PartsToBones};
use crate::selection::listed;

/// Makes bones of cut-outs by script: of sprites, polygons and plain nodes that are parents of each other.
///
/// It exists in the editor only, so use it in scripts with `@tool`, such as an `EditorScript`.
///
/// ```gdscript
/// @tool
/// extends EditorScript
///
/// func _run() -> void:
///     var parts: Array[Node2D] = [get_scene().get_node("Hips")]
///     var skeleton: Skeleton2D = TendonParts.to_bones(parts)
///     TendonRig2D.rig_character(skeleton)
/// ```
///
/// The menu entry **Tendon → Parts to Bones…** does the same with undo.
#[derive(GodotClass)]
#[class(tool, no_init, base = Object)]
struct TendonParts;

#[godot_api]
impl TendonParts {
    /// Makes a `Skeleton2D` with a `Bone2D` for each of `parts` and for the parts below them. Returns it.
    ///
    /// `parts` are the topmost ones, children of one node, or a node above them. They belong to a scene, and are in
    /// the tree. A part is a `Sprite2D`, an `AnimatedSprite2D`, a `Polygon2D`, a `Line2D`, a mesh, or a plain `Node2D`
    /// with parts below.
    ///
    /// Each bone has the name, the transform, the color and the order of its part, which becomes the first child of the
    /// bone. A plain `Node2D` is replaced. Rest poses are those of the animation RESET, or else the pose that the parts have. Bones
    /// end at the joint below them, or where the drawing ends.
    ///
    /// Animations of the scene are replaced by copies with other paths, and paths in properties are changed. What is drawn in
    /// each frame stays as it is. Scripts are not changed.
    ///
    /// Returns `null` and prints an error if there are no parts, or if an animation cannot be kept.
    #[func]
    fn to_bones(parts: Array<Gd<Node2D>>) -> Option<Gd<Skeleton2D>> {
        let made = listed(&parts, "parts").and_then(|parts: Vec<Gd<Node>>| {
            if !parts.iter().all(|part| part.is_inside_tree()) {
                return Err("one of the parts is outside the tree".into());
            }
            let first = parts.first().ok_or("there are no parts")?;
            let scene = first.get_owner().unwrap_or_else(|| first.clone());
            PartsToBones::of(&scene, &parts)?.converted()
        });
        match made {
            Ok(Converted {
                skeleton,
                step,
                notes,
            }) => {
                step.run();
                notes.iter().skip(1).for_each(|note| godot_print!("{note}"));
                Some(skeleton)
            }
            Err(reason) => {
                godot_error!("TendonParts.to_bones: {reason}");
                None
            }
        }
    }
}
