//! A part, and the bone that it gets.

use godot::classes::{Bone2D, CanvasItem, ClassDb, Node};
use godot::obj::NewAlloc;
use godot::prelude::*;
use tendon_nodes::nodes::new_names::first_free;

use crate::drawn::drawn_rect;
use crate::parts::animations::{INHERITED, PLACE, SceneTrack, rest_value};
use crate::parts::kinds::{draws, is_joint};
use crate::parts::moves::{CallStep, Moves};
use crate::refusal::Refusal;

/// A part, and the bone that it gets.
pub(super) struct CutOutPart {
    node: Gd<Node2D>,
    pub(super) bone: Gd<Bone2D>,
    /// The name with which it stays, as the drawing of the bone, if it does.
    drawing: Option<String>,
    /// The nodes below it that move to the bone.
    children: Vec<Gd<Node>>,
}

impl CutOutPart {
    /// A bone for `node`, with all that what is below inherits.
    pub(super) fn new(node: &Gd<Node2D>, tracks: &[SceneTrack], moves: &mut Moves) -> Self {
        let part: Gd<Node> = node.clone().upcast();
        let mut bone = Bone2D::new_alloc();
        bone.set_name(&node.get_name().to_string());
        let inherited = INHERITED.split(' ').chain(COPIED.split(' '));
        for property in PLACE.into_iter().chain(inherited) {
            bone.set(property, &node.get(property));
        }
        let rest = |property| rest_value(tracks, &part, property);
        let mut scale = rest("scale").try_to().unwrap_or(Vector2::ONE);
        let mut rotation = rest("rotation").try_to::<f64>().unwrap_or_default() as f32;
        // The engine takes bones apart again when it saves them, and then X scales are positive.
        let is_turned = scale.x < 0.0;
        if is_turned {
            let (now, turned) = (bone.get_scale(), bone.get_rotation() + std::f32::consts::PI);
            bone.set_rotation(turned);
            bone.set_scale(-now);
            rotation += std::f32::consts::PI;
            scale = -scale;
        }
        let skew = rest("skew").try_to::<f64>().unwrap_or_default() as f32;
        let place = rest("position").try_to().unwrap_or_default();
        bone.set_rest(Transform2D::from_angle_scale_skew_origin(
            rotation, scale, skew, place,
        ));
        let drawing = must_stay(node).then(|| free_name(&part, &drawing_name(node)));
        if drawing.is_none() {
            for group in node.get_groups().iter_shared() {
                bone.add_to_group_ex(&group).persistent(true).done();
            }
        }
        moves.inherit(&part, &bone, drawing.is_some(), is_turned);
        let children = node.get_children();
        // What is in an instance stays in it.
        let children = children.iter_shared();
        let children = children.filter(|child| child.get_owner().as_ref() != Some(&part));
        Self {
            node: node.clone(),
            bone,
            drawing,
            children: children.collect(),
        }
    }

    /// Says where its drawing and its children will be.
    pub(super) fn place_children(&self, moves: &mut Moves) {
        let bone: Gd<Node> = self.bone.clone().upcast();
        for child in &self.children {
            let heir = moves.mover(child);
            moves.place(&heir, &bone, &child.get_name().to_string());
        }
        if let Some(name) = &self.drawing {
            moves.place(&self.node.clone().upcast(), &bone, name);
        }
        let inherits = |child: &Gd<Node>| child.get("use_parent_material") == true.to_variant();
        if self.children.iter().any(inherits) {
            let mut bone = self.bone.clone();
            bone.set_material(self.node.get_material().as_ref());
            bone.set_use_parent_material(self.node.get_use_parent_material());
        }
    }

    /// Gives the bone its length: to the joint below it that lies where the drawing does, else to the drawing's end.
    pub(super) fn lengthen(&self, moves: &Moves, tracks: &[SceneTrack]) {
        let middle = drawn_rect(&self.node).map(|rect| rect.center());
        let joints = self
            .children
            .iter()
            .filter(|child| moves.mover(child) != **child);
        let places = joints.filter_map(|joint| {
            let place: Vector2 = rest_value(tracks, joint, "position").try_to().ok()?;
            (place.length() > SHORTEST).then_some(place)
        });
        let places: Vec<Vector2> = places.collect();
        let along = |place: &Vector2| match middle.filter(|middle| middle.length() > SHORTEST) {
            Some(middle) => place.dot(middle.normalized()),
            None => place.length(),
        };
        let farthest = places
            .iter()
            .max_by(|one, other| along(one).total_cmp(&along(other)));
        let end = farthest.copied().or_else(|| drawn_end(&self.node));
        let mut bone = self.bone.clone();
        // With one joint below, the engine keeps it up to date.
        if places.len() == 1 {
            return;
        }
        bone.set_autocalculate_length_and_angle(false);
        if let Some(end) = end {
            bone.set_length(end.length());
            bone.set_bone_angle(end.angle());
        }
    }

    /// Takes all children from the part, and when undone from the bone.
    pub(super) fn take_apart(&self, moves: &Moves, step: &mut CallStep) {
        for child in &self.children {
            step.when_done(&self.node, "remove_child", &[child.to_variant()]);
            let heir = moves.mover(child).to_variant();
            step.when_undone(&self.bone, "remove_child", &[heir]);
        }
        if self.drawing.is_some() {
            step.when_undone(&self.bone, "remove_child", &[self.node.to_variant()]);
        }
    }

    /// Gives all of them to the bone, and when undone to the part.
    pub(super) fn put_together(&self, moves: &Moves, step: &mut CallStep) {
        let add = |node: &Gd<Node>| [node.to_variant(), true.to_variant()];
        let part: Gd<Node> = self.node.clone().upcast();
        for child in &self.children {
            step.when_undone(&part, "add_child", &add(child));
            let place = [child.to_variant(), child.get_index().to_variant()];
            step.when_undone(&part, "move_child", &place);
        }
        match &self.drawing {
            None => step.old.push(part),
            Some(name) => {
                step.set(&part, "name", &name.to_variant());
                let class = StringName::from(&self.node.get_class());
                for property in PLACE.into_iter().chain(INHERITED.split(' ')) {
                    let plain =
                        ClassDb::singleton().class_get_property_default_value(&class, property);
                    if part.get(property) != plain {
                        step.set(&part, property, &plain);
                    }
                }
                step.when_done(&self.bone, "add_child", &add(&part));
            }
        }
        for child in &self.children {
            step.when_done(&self.bone, "add_child", &add(&moves.mover(child)));
        }
    }
}

/// The properties that the bone has, too.
const COPIED: &str = "visibility_layer process_mode physics_interpolation_mode";
/// The least length of a bone.
const SHORTEST: f32 = 0.01;
/// The flag of a connection that is saved.
const PERSISTENT: i64 = 2;

/// Returns `true` if more is in `node` than a place.
fn must_stay(node: &Gd<Node2D>) -> bool {
    let is_saved = |connection: VarDictionary| {
        connection.at("flags").try_to::<i64>().unwrap_or(0) & PERSISTENT != 0
    };
    let signals = node.get_signal_list();
    let connected = |signal: VarDictionary| {
        let name = signal.at("name").to_string();
        let mut connections = node
            .get_signal_connection_list(&name)
            .iter_shared()
            .collect::<Vec<_>>()
            .into_iter();
        connections.any(is_saved)
    };
    !is_joint(&node.clone().upcast())
        || node.get_class() != "Node2D"
        || node.get_script().is_some()
        || !node.get_scene_file_path().is_empty()
        || !node.get_meta_list().is_empty()
        || node.get_incoming_connections().iter_shared().any(is_saved)
        || signals.iter_shared().any(connected)
}

/// Returns the name for the drawing of a part.
fn drawing_name(node: &Gd<Node2D>) -> String {
    let class = node.get_class().to_string();
    let kind = match class.trim_end_matches("2D") {
        "Sprite" | "AnimatedSprite" => "Sprite",
        "Polygon" => "Polygon",
        "Line" => "Line",
        "MeshInstance" | "MultiMeshInstance" => "Mesh",
        _ => "Node",
    };
    format!("{}{kind}", node.get_name())
}

/// `name`, or with a number if a child of `parent` has it.
pub(crate) fn free_name(parent: &Gd<Node>, name: &str) -> String {
    first_free(name, "", |name| !parent.has_node(name.as_str()))
}

/// Returns the end of a drawing that lies to one side of its joint, in the space of the part.
fn drawn_end(node: &Gd<Node2D>) -> Option<Vector2> {
    let rect = drawn_rect(node)?;
    let middle = rect.center();
    // Of a drawing around its joint, the longer half.
    if middle.length() < 0.1 * rect.size.length() {
        let half = rect.size * 0.5;
        let end = match half.x > half.y {
            true => Vector2::new(half.x, 0.0),
            false => Vector2::new(0.0, half.y),
        };
        return Some(end).filter(|end| end.length() > SHORTEST);
    }
    let along = middle.normalized();
    let half = rect.size * 0.5;
    let length = middle.length() + half.x * along.x * along.x + half.y * along.y * along.y;
    Some(along * length)
}

/// `tops`, which are children of `parent`, with what is drawn between them: it would be drawn before or after all.
///
/// # Errors
/// That some are drawn before their parent, and others are not.
pub(super) fn draw_between(parent: &Gd<Node>, tops: &[Gd<Node>]) -> Result<Vec<Gd<Node>>, Refusal> {
    let places = tops.iter().map(|top| top.get_index());
    let (first, last) = (places.clone().min().unwrap_or(0), places.max().unwrap_or(0));
    let children = parent.get_children();
    let children = children.iter_shared().filter(|child| {
        let is_between = (first..=last).contains(&child.get_index());
        tops.contains(child) || (is_between && draws(child))
    });
    let all: Vec<_> = children.collect();
    let behind = |node: &Gd<Node>| node.get("show_behind_parent") == true.to_variant();
    let count = all.iter().filter(|node| behind(node)).count();
    if count > 0 && count < all.len() && parent.is_class(&CanvasItem::class_id().to_string()) {
        return Err("Some of the topmost parts are shown behind their parent, and others are not. Make bones of them one             after the other."
            .into());
    }
    Ok(all)
}
