//! The animations of a scene, for nodes that are elsewhere than before.
//!
//! Libraries are not changed but replaced by copies: others may use them, or they may be files.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::f64::consts::PI;

use godot::classes::animation::TrackType;
use godot::classes::{Animation, AnimationLibrary, AnimationMixer, AnimationTree, Resource};
use godot::prelude::*;

use crate::parts::moves::{CallStep, Moves, with_subnames};
use crate::refusal::Refusal;
use crate::selection::all_within;

/// A track that sets something in the scene.
pub(crate) struct SceneTrack {
    pub(super) name: String,
    pub(crate) animation: Gd<Animation>,
    pub(crate) index: i32,
    pub(crate) node: Gd<Node>,
    /// The property, and what is below it.
    pub(super) subnames: Vec<String>,
}

impl SceneTrack {
    fn of(root: &Gd<Node>, name: &str, animation: &Gd<Animation>, index: i32) -> Option<Self> {
        let path = animation.track_get_path(index);
        let names = path.get_concatenated_names();
        let names = match names.is_empty() {
            true => ".".into(),
            false => names.to_string(),
        };
        let subnames = (0..path.get_subname_count()).map(|it| path.get_subname(it).to_string());
        Some(Self {
            name: name.into(),
            animation: animation.clone(),
            index,
            node: root.get_node_or_null(&NodePath::from(&names))?,
            subnames: subnames.collect(),
        })
    }

    pub(crate) fn property(&self) -> &str {
        self.subnames.first().map_or("", String::as_str)
    }

    /// The methods that it calls, or for `set` and the like the property that is set.
    fn calls(&self) -> Vec<String> {
        let keys = 0..self.animation.track_get_key_count(self.index);
        let calls = keys.filter_map(|key| {
            let call = self.animation.track_get_key_value(self.index, key);
            let call = call.try_to::<VarDictionary>().ok()?;
            let method = call.get("method")?.to_string();
            let arguments = call.get("args")?.try_to::<VarArray>().ok()?;
            Some(match method.as_str() {
                "set" | "set_deferred" => arguments.get(0)?.to_string(),
                _ => method,
            })
        });
        calls.collect()
    }

    /// Returns `true` if the bone of a part takes it over, rather than the drawing.
    ///
    /// # Errors
    /// That it calls methods of both.
    fn is_of_bone(&self) -> Result<bool, Refusal> {
        if self.animation.track_get_type(self.index) != TrackType::METHOD {
            return Ok(moves_with_bone(self.property()));
        }
        let calls = self.calls();
        let moved = calls.iter().filter(|method| {
            let setter = method.strip_prefix("set_").unwrap_or(method);
            moves_with_bone(setter)
        });
        match moved.count() {
            0 => Ok(false),
            count if count == calls.len() => Ok(true),
            _ => Err(format!(
                "A method track of \"{}\" in the animation \"{}\" calls what belongs to the bone and what belongs to the \
                 drawing. Make two tracks of it.",
                self.node.get_name(),
                self.name
            )
            .into()),
        }
    }

    /// The value of the property `of` that the track has at its first key.
    fn first_value(&self, of: &Variant) -> Option<Variant> {
        let (animation, track) = (&self.animation, self.index);
        if animation.track_get_key_count(track) == 0 {
            return None;
        }
        let value = match animation.track_get_type(track) {
            TrackType::VALUE => animation.track_get_key_value(track, 0),
            TrackType::BEZIER => animation.bezier_track_get_key_value(track, 0).to_variant(),
            _ => return None,
        };
        let Some(component) = self.subnames.get(1) else {
            return Some(value);
        };
        let mut whole = of.try_to::<Vector2>().ok()?;
        let value = value.try_to::<f64>().ok()? as f32;
        match component.as_str() {
            "x" => whole.x = value,
            "y" => whole.y = value,
            _ => return None,
        }
        Some(whole.to_variant())
    }
}

/// Returns `true` if the bone of a part has its `property` from now on, which what is below it inherits.
fn moves_with_bone(property: &str) -> bool {
    let mut others = INHERITED.split(' ').chain(MOVING.split(' '));
    PLACE.contains(&property) || others.any(|other| other == property)
}

/// The properties of the place of a node.
pub(crate) const PLACE: [&str; 4] = ["position", "rotation", "scale", "skew"];
/// The properties that a drawing gets from its parent, and that the bone has instead.
pub(super) const INHERITED: &str = "visible modulate z_index z_as_relative show_behind_parent \
    y_sort_enabled texture_filter texture_repeat";
/// The other properties and the methods that set these.
const MOVING: &str = "rotation_degrees transform global_position global_rotation \
    global_rotation_degrees global_scale global_skew global_transform translate rotate \
    apply_scale move_local_x move_local_y global_translate look_at show hide draw_behind_parent \
    top_level visibility_layer";
/// The animation of the pose that a scene is saved with.
const RESET: &str = "RESET";

/// Returns the nodes that play animations of their own, each with the root of its tracks.
fn mixers(scene: &Gd<Node>) -> Vec<(Gd<AnimationMixer>, Gd<Node>)> {
    let mixers = all_within::<AnimationMixer>(scene).into_iter();
    let own = mixers.filter(|mixer| {
        // A tree with a player has that player's.
        let player = mixer.get("anim_player").try_to::<NodePath>();
        player.is_err() || player.is_ok_and(|player| player.is_empty())
    });
    own.filter_map(|mixer| {
        let root = mixer.get_node_or_null(&mixer.get_root_node())?;
        Some((mixer, root))
    })
    .collect()
}

/// The tracks of all animations of `scene` that set something.
pub(crate) fn tracks_of(scene: &Gd<Node>) -> Vec<SceneTrack> {
    let mut tracks = Vec::new();
    for (mixer, root) in mixers(scene) {
        for name in mixer.get_animation_list().as_slice() {
            let animation = mixer.get_animation(&StringName::from(name));
            for animation in animation.iter() {
                let of = |index| SceneTrack::of(&root, &name.to_string(), animation, index);
                tracks.extend((0..animation.get_track_count()).filter_map(of));
            }
        }
    }
    tracks
}

/// The value of `property` of `node` in the pose that is saved: the animation RESET's, or what it is now.
pub(super) fn rest_value(tracks: &[SceneTrack], node: &Gd<Node>, property: &str) -> Variant {
    let is_reset = |track: &&SceneTrack| {
        let name = track.name.rsplit('/').next();
        name == Some(RESET) && track.node == *node && track.property() == property
    };
    let tracks = tracks.iter().filter(is_reset);
    let now = node.get(property);
    tracks.fold(now, |value, track| {
        track.first_value(&value).unwrap_or(value)
    })
}

/// Gives the scene's players animations that fit `moves`. Returns the files of which the scene now has copies.
///
/// # Errors
/// Why a track cannot be kept.
pub(crate) fn rewrite(moves: &Moves, step: &mut CallStep) -> Result<Vec<String>, Refusal> {
    let mut copies = HashMap::new();
    let mut files = Vec::new();
    for (mixer, root) in mixers(&moves.scene) {
        for name in mixer.get_animation_library_list().iter_shared() {
            let Some(library) = mixer.get_animation_library(&name) else {
                continue;
            };
            let key = (library.instance_id(), root.instance_id());
            let copy = match copies.entry(key) {
                Entry::Occupied(copy) => copy.into_mut(),
                Entry::Vacant(place) => place.insert(rewritten_library(&library, &root, moves)?),
            };
            let Some(copy) = copy else {
                continue;
            };
            files.extend(files_of(&library, &moves.scene));
            let name = name.to_variant();
            for (library, is_done) in [(&*copy, true), (&library, false)] {
                let arguments = [name.clone(), library.to_variant()];
                for (method, count) in [
                    ("remove_animation_library", 1),
                    ("add_animation_library", 2),
                ] {
                    match is_done {
                        true => step.when_done(&mixer, method, &arguments[..count]),
                        false => step.when_undone(&mixer, method, &arguments[..count]),
                    }
                }
            }
        }
    }
    rewrite_filters(moves, step);
    files.sort();
    files.dedup();
    Ok(files)
}

/// A copy of `library` that fits; none if it fits as it is.
fn rewritten_library(
    library: &Gd<AnimationLibrary>,
    root: &Gd<Node>,
    moves: &Moves,
) -> Result<Option<Gd<AnimationLibrary>>, Refusal> {
    let mut copy = AnimationLibrary::new_gd();
    copy.set_name(&library.get_name());
    let mut is_changed = false;
    for name in library.get_animation_list().iter_shared() {
        let Some(animation) = library.get_animation(&name) else {
            continue;
        };
        let rewritten = rewritten_animation(&animation, &name.to_string(), root, moves)?;
        is_changed |= rewritten.is_some();
        copy.add_animation(&name, &rewritten.unwrap_or(animation));
    }
    Ok(is_changed.then_some(copy))
}

fn rewritten_animation(
    animation: &Gd<Animation>,
    name: &str,
    root: &Gd<Node>,
    moves: &Moves,
) -> Result<Option<Gd<Animation>>, Refusal> {
    let mut copy: Option<Gd<Animation>> = None;
    for index in 0..animation.get_track_count() {
        let Some(track) = SceneTrack::of(root, name, animation, index) else {
            continue;
        };
        let heir = match track.is_of_bone()? {
            true => moves.mover(&track.node),
            false => moves.drawer(&track.node),
        };
        let is_moved = heir != track.node
            || moves.path(&moves.mover(root), &heir) != root.get_path_to(&track.node).to_string();
        if !is_moved {
            continue;
        }
        let copy = copy.get_or_insert_with(|| animation.duplicate_resource());
        let names = moves.path(&moves.mover(root), &heir);
        let path = with_subnames(&names, &track.subnames.join(":"));
        copy.track_set_path(index, &NodePath::from(&path));
        if moves.is_turned(&track.node) {
            turn(copy, index, track.property());
        }
    }
    Ok(copy)
}

/// Changes the keys of a track for a bone that is turned by half a turn, and has its scale negated.
fn turn(animation: &mut Gd<Animation>, track: i32, property: &str) {
    let change: fn(f64) -> f64 = match property {
        "rotation" => |angle| angle + PI,
        "rotation_degrees" => |angle| angle + 180.0,
        "scale" => |scale| -scale,
        _ => return,
    };
    let is_bezier = animation.track_get_type(track) == TrackType::BEZIER;
    for key in 0..animation.track_get_key_count(track) {
        if is_bezier {
            let value = f64::from(animation.bezier_track_get_key_value(track, key));
            let [into, out] = [
                animation.bezier_track_get_key_in_handle(track, key),
                animation.bezier_track_get_key_out_handle(track, key),
            ];
            animation.bezier_track_set_key_value(track, key, change(value) as f32);
            if property == "scale" {
                let negated = |handle: Vector2| Vector2::new(handle.x, -handle.y);
                animation.bezier_track_set_key_in_handle(track, key, negated(into));
                animation.bezier_track_set_key_out_handle(track, key, negated(out));
            }
            continue;
        }
        let value = animation.track_get_key_value(track, key);
        let changed = match value.try_to::<Vector2>() {
            Ok(scale) => (-scale).to_variant(),
            Err(_) => match value
                .try_to::<f64>()
                .or_else(|_| value.try_to::<i64>().map(|it| it as f64))
            {
                Ok(number) => change(number).to_variant(),
                Err(_) => continue,
            },
        };
        animation.track_set_key_value(track, key, &changed);
    }
}

/// The files of others that `library` is, or is made of.
fn files_of(library: &Gd<AnimationLibrary>, scene: &Gd<Node>) -> Vec<String> {
    let names = library.get_animation_list();
    let animations = names
        .iter_shared()
        .filter_map(|name| library.get_animation(&name));
    let animations = animations.map(Gd::upcast);
    let own = scene.get_scene_file_path().to_string();
    let resources = animations.chain([library.clone().upcast::<Resource>()]);
    let files = resources.filter_map(|resource| {
        let path = resource.get_path().to_string();
        let file = path.split("::").next().unwrap_or_default().to_owned();
        (!file.is_empty() && file != own).then_some(file)
    });
    files.collect()
}

/// Gives animation trees copies of their nodes, in which the tracks that these let through have other paths.
fn rewrite_filters(moves: &Moves, step: &mut CallStep) {
    for tree in all_within::<AnimationTree>(&moves.scene) {
        let root = tree.get_node_or_null(&tree.get_root_node());
        let nodes = tree.get("tree_root").try_to::<Gd<Resource>>().ok();
        let Some((root, mut nodes)) = root.zip(nodes) else {
            continue;
        };
        // With what is in other files, too, in engines that can.
        let copy = match nodes.has_method("duplicate_deep") {
            true => nodes.call("duplicate_deep", &[ALL_RESOURCES.to_variant()]),
            false => nodes.call("duplicate", &[true.to_variant()]),
        };
        let Ok(copy) = copy.try_to::<Gd<Resource>>() else {
            continue;
        };
        if rewrite_filters_of(&copy, &root, moves, &mut Vec::new()) {
            step.set(&tree, "tree_root", &copy.to_variant());
        }
    }
}

/// The mode of a copy that has no resource in common.
const ALL_RESOURCES: i64 = 2;

/// Rewrites the filters of an animation node and of those within. Returns whether any has changed.
fn rewrite_filters_of(
    node: &Gd<Resource>,
    root: &Gd<Node>,
    moves: &Moves,
    seen: &mut Vec<InstanceId>,
) -> bool {
    if seen.contains(&node.instance_id()) {
        return false;
    }
    seen.push(node.instance_id());
    let mut is_changed = false;
    if let Ok(filters) = node.get("filters").try_to::<AnyArray>() {
        // They are kept as text.
        let paths = filters
            .iter_shared()
            .map(|path| path.stringify().to_string());
        let mut node = node.clone();
        for path in paths {
            let rewritten = filter(&path, root, moves);
            if rewritten != path {
                let path = NodePath::from(&path).to_variant();
                node.call("set_filter_path", &[path, false.to_variant()]);
                let path = NodePath::from(&rewritten).to_variant();
                node.call("set_filter_path", &[path, true.to_variant()]);
                is_changed = true;
            }
        }
    }
    for property in node.get_property_list().iter_shared() {
        let name = property.at("name").to_string();
        let below = node.get(&name).try_to::<Gd<Resource>>().ok();
        if let Some(below) = below.filter(|it| it.is_class("AnimationNode")) {
            is_changed |= rewrite_filters_of(&below, root, moves, seen);
        }
    }
    is_changed
}

/// The path of a track in a filter, as it has to be.
fn filter(path: &str, root: &Gd<Node>, moves: &Moves) -> String {
    let (names, subnames) = path.split_once(':').unwrap_or((path, ""));
    let Some(node) = root.get_node_or_null(names) else {
        return path.into();
    };
    let property = subnames.split(':').next().unwrap_or_default();
    let heir = match moves_with_bone(property) {
        true => moves.mover(&node),
        false => moves.drawer(&node),
    };
    with_subnames(&moves.path(&moves.mover(root), &heir), subnames)
}
