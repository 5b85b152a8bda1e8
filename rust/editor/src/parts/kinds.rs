//! Which nodes are parts of a cut-out.

use godot::classes::PackedScene;
use godot::prelude::*;
use tendon_nodes::engine::threads::with_ancestors;

use crate::parts::animations::{PLACE, SceneTrack};
use crate::refusal::Refusal;

/// The classes that draw by themselves, whatever is below them.
const DRAWINGS: &str = "Sprite2D AnimatedSprite2D Polygon2D Line2D MeshInstance2D \
    MultiMeshInstance2D";
/// The classes of joints, which draw nothing.
const JOINTS: [&str; 2] = ["Node2D", "Marker2D"];
/// The classes other than these that draw nothing in a game.
const UNSEEN: &str = "CollisionObject2D CollisionShape2D CollisionPolygon2D RayCast2D \
    ShapeCast2D Joint2D AudioStreamPlayer2D AudioListener2D RemoteTransform2D \
    VisibleOnScreenNotifier2D NavigationAgent2D Path2D Camera2D Marker2D";
/// The largest skew, in radians, that the engine still reads from a transform.
const LARGEST_SKEW: f32 = 1.5;

/// Returns `true` if `node` only carries others.
pub(super) fn is_joint(node: &Gd<Node>) -> bool {
    JOINTS.contains(&node.get_class().to_string().as_str())
}

/// Returns `true` if anything is seen of `node` or of what is below it.
pub(super) fn draws(node: &Gd<Node>) -> bool {
    let mut unseen = UNSEEN.split_whitespace();
    let is_unseen = unseen.any(|class| node.is_class(class)) || node.get_class() == "Node2D";
    let is_seen = node.is_class("CanvasItem") && (!is_unseen || node.get_script().is_some());
    is_seen || node.get_children().iter_shared().any(|child| draws(&child))
}

/// `node`, if a bone can move it without a change of what is seen.
fn part(node: &Gd<Node>, scene: &Gd<Node>) -> Option<Gd<Node2D>> {
    let class = node.get_class().to_string();
    let is_kind = DRAWINGS.split(' ').any(|drawing| drawing == class) || is_joint(node);
    let part = node.clone().try_cast::<Node2D>().ok()?;
    let (scale, skew) = (part.get_scale(), part.get_skew());
    let is_whole = part.get_transform().is_finite() && scale.x != 0.0 && scale.y != 0.0;
    let is_free = !part.is_set_as_top_level() && part.get("clip_children") == 0.to_variant();
    let is_own = node != scene && node.get_owner().as_ref() == Some(scene);
    (is_kind && is_own && is_whole && is_free && skew.abs() < LARGEST_SKEW).then_some(part)
}

fn parts_below(node: &Gd<Node>, scene: &Gd<Node>) -> Vec<Gd<Node>> {
    let children = node.get_children();
    let parts = children
        .iter_shared()
        .filter(|child| part(child, scene).is_some());
    parts.collect()
}

/// Returns `true` if `node` is a part that has others below it, or is above such a part.
pub(super) fn is_cut_out(node: &Gd<Node>, scene: &Gd<Node>) -> bool {
    let has_parts = |node: &Gd<Node>| !parts_below(node, scene).is_empty();
    (part(node, scene).is_some() && has_parts(node))
        || parts_below(node, scene).iter().any(has_parts)
}

/// Returns `true` if an animation moves `node`.
pub(crate) fn is_moved(node: &Gd<Node>, tracks: &[SceneTrack]) -> bool {
    let moves = |property: &str| {
        let others = ["rotation_degrees", "transform"];
        PLACE.contains(&property) || others.contains(&property) || property.starts_with("global_")
    };
    let mut own = tracks.iter().filter(|track| track.node == *node);
    own.any(|track| moves(track.property()))
}

/// Returns `true` if `node`, a part, is a joint, rather than a picture of its parent.
fn bends(node: &Gd<Node>, scene: &Gd<Node>, tracks: &[SceneTrack]) -> bool {
    if !parts_below(node, scene).is_empty() {
        return true;
    }
    let is_picture = node.get_parent().is_some_and(|parent| is_joint(&parent));
    !is_joint(node) && (!is_picture || is_moved(node, tracks))
}

/// Adds `node`, if it is a part, and all joints below.
pub(super) fn gather(
    node: &Gd<Node>,
    scene: &Gd<Node>,
    tracks: &[SceneTrack],
    parts: &mut Vec<Gd<Node2D>>,
) {
    let Some(part) = part(node, scene) else {
        return;
    };
    parts.push(part);
    for child in parts_below(node, scene) {
        if bends(&child, scene, tracks) {
            gather(&child, scene, tracks, parts);
        }
    }
}

/// The topmost parts at and below `chosen`, in their order: children of one node.
///
/// # Errors
/// Why there are none, with advice what to do.
pub(super) fn tops_of(
    scene: &Gd<Node>,
    chosen: &[Gd<Node>],
    tracks: &[SceneTrack],
) -> Result<Vec<Gd<Node>>, Refusal> {
    let mut tops = Vec::new();
    for node in chosen {
        if chosen.iter().any(|other| other.is_ancestor_of(node)) {
            continue;
        }
        refuse_foreign(node, scene)?;
        tops.extend(expanded(node, scene, tracks));
    }
    let Some(parent) = tops.first().and_then(|top| top.get_parent()) else {
        return Err(NOTHING.into());
    };
    if tops
        .iter()
        .any(|top| top.get_parent().as_ref() != Some(&parent))
    {
        return Err("Select parts that are children of one node.".into());
    }
    for top in &tops {
        refuse_foreign(top, scene)?;
    }
    tops.sort_by_key(|top| top.get_index());
    Ok(tops)
}

/// `node`, or if it is none or only carries one tree of parts, the topmost ones below.
fn expanded(node: &Gd<Node>, scene: &Gd<Node>, tracks: &[SceneTrack]) -> Vec<Gd<Node>> {
    let all = parts_below(node, scene);
    if all.is_empty() && is_joint(node) {
        return Vec::new();
    }
    let carriers: Vec<_> = all
        .iter()
        .filter(|part| !parts_below(part, scene).is_empty())
        .cloned()
        .collect();
    let below = match carriers.is_empty() {
        true => all
            .into_iter()
            .filter(|part| is_moved(part, tracks))
            .collect(),
        false => carriers,
    };
    let only_carries = is_joint(node) && below.len() == 1 && !is_moved(node, tracks);
    if part(node, scene).is_some() && !only_carries {
        return vec![node.clone()];
    }
    match below.as_slice() {
        [one] => expanded(one, scene, tracks),
        _ => below,
    }
}

/// Refuses what is moved by bones, or is saved with another scene.
fn refuse_foreign(node: &Gd<Node>, scene: &Gd<Node>) -> Result<(), Refusal> {
    let mut above = with_ancestors(node);
    if let Some(skeleton) = above.find(|it| it.is_class("Skeleton2D") || it.is_class("Bone2D")) {
        return Err(format!(
            "\"{}\" is below \"{}\" already. Parts that no bone moves can become bones.",
            node.get_name(),
            skeleton.get_name()
        )
        .into());
    }
    let is_foreign = node != scene && node.get_owner().as_ref() != Some(scene);
    match is_foreign || is_inherited(node, scene) {
        true => Err(format!(
            "\"{}\" is saved with another scene, which is instanced or inherited here. Open that scene.",
            node.get_name()
        )
        .into()),
        false => Ok(()),
    }
}

/// Returns `true` if `node` comes from the scene that `scene` inherits.
fn is_inherited(node: &Gd<Node>, scene: &Gd<Node>) -> bool {
    let file = scene.get_scene_file_path().to_string();
    let base = try_load::<PackedScene>(&file).ok();
    let state = base.and_then(|own| own.get_state());
    let base = state.and_then(|state| state.get_node_instance(0));
    let Some(state) = base.and_then(|base| base.get_state()) else {
        return false;
    };
    let path = scene.get_path_to(node).to_string();
    let mut paths = (0..state.get_node_count()).map(|it| state.get_node_path(it).to_string());
    node != scene && paths.any(|other| other.trim_start_matches("./") == path)
}

const NOTHING: &str = "Select the topmost part of a cut-out, or the node above it: a Sprite2D, a Polygon2D or a Node2D \
    that has others below it.";
