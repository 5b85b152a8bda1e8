//! Legs that get feet, from the menu of the editor and by scripts: their bones, the modifiers that move them, and what
//! suits their length.

use godot::classes::Bone2D;
use godot::prelude::*;

use super::adding::{Adding, AtOnce};
use super::character::{bodies_of, find_legs, reaching};
use super::draft::Draft;
use crate::engine::bone_lines::{end_of, frame_in, length_of, line_between, longest_line};
use crate::engine::children::{all_below, children};
use crate::engine::skeleton::{bones_below, skeleton_of_bone};
use crate::nodes::foot::{REACHING, TendonFoot2D};
use crate::nodes::new_names::name_after;
use crate::nodes::pose_library::held_nodes::ends_of;
use crate::warnings::log::title_of;
use crate::warnings::refusal::BoneRefusal;

/// More legs than that step in a wave.
const MOST_ALTERNATING: usize = 8;

/// The bones of a leg.
pub struct LegBones {
    /// Those that reach: two or more.
    line: Vec<Gd<Bone2D>>,
    /// The one after them, if it is turned to the ground.
    foot: Option<Gd<Bone2D>>,
    /// The modifier that moves it, if there is one.
    limb: Option<Gd<Node>>,
    /// The name for its foot.
    name: String,
}

impl LegBones {
    /// The leg that begins with `first`: that which a modifier below `rig` moves, or else the longest line of bones down
    /// to its foot.
    pub fn from(first: &Gd<Bone2D>, rig: Option<&Gd<Node>>) -> Option<Self> {
        if let Some((limb, last)) = rig.and_then(|rig| limb_from(first, rig)) {
            return Some(Self::between(first, &last)?.moved_by(&limb));
        }
        let mut line = vec![first.clone()];
        line.extend(longest_line(&first.clone().upcast()));
        let reaching = reaching(&bodies_of(&line, Vector2::UP));
        Self::of(line, reaching)
    }

    /// The leg from `first` down to `last`, with the foot that hangs on it.
    fn between(first: &Gd<Bone2D>, last: &Gd<Bone2D>) -> Option<Self> {
        let mut line = line_between(first, last)?;
        let count = line.len();
        line.extend(longest_line(&last.clone().upcast()));
        let ends_in_foot = reaching(&bodies_of(&line, Vector2::UP)) == count;
        line.truncate(if ends_in_foot { count + 1 } else { count });
        Self::of(line, count)
    }

    /// The leg of `line`, of which the first bones reach, and the one after them is a foot.
    pub(super) fn of(mut line: Vec<Gd<Bone2D>>, reaching: usize) -> Option<Self> {
        let foot = line.get(reaching).cloned();
        line.truncate(reaching);
        let name = name_after(&line.first()?.get_name().to_string(), "Foot");
        (line.len() > 1).then_some(Self {
            line,
            foot,
            limb: None,
            name,
        })
    }

    /// The same, moved by `limb`, a modifier, which need not be in a rig yet.
    pub(super) fn moved_by(self, limb: &Gd<Node>) -> Self {
        let limb = Some(limb.clone());
        Self { limb, ..self }
    }

    /// The same, with a foot called `name`.
    pub(super) fn with_foot_called(self, name: String) -> Self {
        Self { name, ..self }
    }

    /// The bone that it begins with.
    pub fn first(&self) -> &Gd<Bone2D> {
        &self.line[0]
    }

    /// The last of those that reach.
    pub fn last(&self) -> &Gd<Bone2D> {
        &self.line[self.line.len() - 1]
    }

    /// The one after it, if it is turned to the ground.
    pub fn foot(&self) -> Option<&Gd<Bone2D>> {
        self.foot.as_ref()
    }

    fn length(&self, into_skeleton: &Transform2D) -> f32 {
        let places = self.line.iter().map(|bone| frame_in(bone, None).origin);
        let tip = self
            .line
            .last()
            .map(|last| frame_in(last, None) * end_of(last));
        let places = places.chain(tip).map(|place| *into_skeleton * place);
        length_of(&places.collect::<Vec<_>>())
    }

    /// A modifier that moves it: of two bones, with the bend that they have, or of more.
    fn new_limb(&self) -> Option<Gd<Node>> {
        let draft = Draft::reaching(&self.line, self.foot.as_ref());
        draft.map(|draft| draft.instantiate())
    }

    /// A foot for it, which `limb` moves.
    fn new_foot(&self, limb: &Gd<Node>) -> Gd<TendonFoot2D> {
        let mut foot = TendonFoot2D::new_alloc();
        foot.set_name(&self.name);
        foot.set("limb", &limb.to_variant());
        if let Some(bone) = &self.foot {
            foot.set("foot_bone", &bone.to_variant());
            // The end of a foot is on the ground, or near it.
            let frame = frame_in(bone, None);
            let height = (frame * end_of(bone) - frame.origin).y.max(0.0);
            foot.set("sole_height", &height.to_variant());
        }
        foot
    }
}

/// All legs below `pelvis`, which `rig` moves, if there is one: those that names tell, or else lines of two bones or more
/// that come down to the ground at rest. `up` is the direction away from it, in global coordinates.
pub fn legs_below(pelvis: &Gd<Bone2D>, rig: Option<&Gd<Node>>, up: Vector2) -> Vec<LegBones> {
    let mut bones = vec![pelvis.clone()];
    bones.extend(bones_below(&pelvis.clone().upcast()));
    let found = find_legs(&bodies_of(&bones, up));
    let legs = found.into_iter().filter_map(|found| {
        let line: Vec<_> = found
            .bones
            .iter()
            .map(|&bone| bones[bone].clone())
            .collect();
        match rig.and_then(|rig| limb_from(&line[0], rig)) {
            Some((limb, last)) => Some(LegBones::between(&line[0], &last)?.moved_by(&limb)),
            None => LegBones::of(line, found.reaching),
        }
    });
    legs.collect()
}

/// Returns the settings that suit such legs of a skeleton at `place`: properties of `node`, a gait or a placement, and
/// of each foot.
fn settings_for(
    legs: &[LegBones],
    place: &Transform2D,
    node: &Gd<Node>,
) -> [Vec<(&'static str, Variant)>; 2] {
    let into_skeleton = place.affine_inverse();
    let lengths = legs.iter().map(|leg| leg.length(&into_skeleton));
    let length = lengths.fold(f32::INFINITY, f32::min);
    let part = |part: f32| (part * length).round().max(1.0).to_variant();
    let ground = |up, down| {
        let drop = ("max_pelvis_drop", part(0.5));
        vec![("search_up", part(up)), ("search_down", part(down)), drop]
    };
    if !node.is_class("TendonGait2D") {
        let foot = vec![("plant_speed", part(0.9)), ("unplant_distance", part(0.3))];
        return [ground(0.5, 0.9), foot];
    }
    let order = i64::from(legs.len() > MOST_ALTERNATING);
    let mut gait = ground(0.6, 0.8);
    gait.extend([
        ("gait", order.to_variant()),
        ("step_distance", part(0.4)),
        ("step_height", part(0.15)),
        ("max_pelvis_rise", part(0.5)),
    ]);
    [gait, Vec::new()]
}

/// A stance of `class` for the legs below `pelvis`.
pub fn new_stance(class: &'static str, pelvis: &Gd<Bone2D>) -> Gd<Node> {
    Draft::at(class, pelvis)
        .with("pelvis", pelvis)
        .instantiate()
}

/// Adds feet to `node` for all legs below `pelvis` that have none, and sets what suits their length. Returns the feet.
pub(in crate::nodes) fn add_all(
    node: &Gd<Node>,
    pelvis: Option<Gd<Bone2D>>,
) -> Array<Gd<TendonFoot2D>> {
    let (Some(pelvis), Some(rig)) = (pelvis, node.get_parent()) else {
        godot_error!(
            "{}: Set \"Pelvis\", and add this node to a TendonRig2D first.",
            node.get_name()
        );
        return Array::new();
    };
    let taken: Vec<_> = children::<TendonFoot2D, _>(node)
        .map(|foot| foot.get("limb"))
        .collect();
    let is_new = |leg: &LegBones| {
        let limb = leg.limb.as_ref();
        limb.is_none_or(|limb| !taken.contains(&limb.to_variant()))
    };
    let place = skeleton_of_bone(&pelvis).map(|skeleton| frame_in(&skeleton, None));
    let place = place.unwrap_or_default();
    let mut legs = legs_below(&pelvis, Some(&rig), up_of(node, &place));
    legs.retain(is_new);
    if legs.is_empty() {
        return Array::new();
    }
    let feet = add_feet(node, &legs, &rig, &place, &mut AtOnce);
    feet.into_iter().collect()
}

/// The direction away from the ground of `stance`, in global coordinates, for a skeleton at `place`.
fn up_of(stance: &Gd<Node>, place: &Transform2D) -> Vector2 {
    let up = stance.get("up").try_to().unwrap_or(Vector2::UP);
    match stance.get("up_space").try_to::<i64>() {
        Ok(0) | Err(_) => up,
        Ok(_) => place.basis_xform(up),
    }
}

/// Adds feet to `stance` for these legs of a skeleton at `place`, and sets what suits their length. Legs without a
/// modifier get one below `rig`. Returns the feet.
pub fn add_feet(
    stance: &Gd<Node>,
    legs: &[LegBones],
    rig: &Gd<Node>,
    place: &Transform2D,
    into: &mut dyn Adding,
) -> Vec<Gd<TendonFoot2D>> {
    let [settings, of_foot] = settings_for(legs, place, stance);
    let set = |node: Gd<Node>, values: &[(&str, Variant)]| {
        for (property, value) in values {
            node.clone().set(*property, value);
        }
    };
    set(stance.clone(), &settings);
    put_above(stance, legs, rig, into);
    let feet = legs.iter().filter_map(|leg| put(stance, leg, rig, into));
    let feet = feet.inspect(|foot| set(foot.clone().upcast(), &of_foot));
    feet.collect()
}

/// Adds the leg from bone `first` to bone `last` to `node`. `None` if they are not one line of two bones or more, or
/// if `node` has no parent.
pub(in crate::nodes) fn add(
    node: &Gd<Node>,
    first: Option<Gd<Bone2D>>,
    last: Option<Gd<Bone2D>>,
) -> Option<Gd<TendonFoot2D>> {
    let (Some(first), Some(last)) = (first, last) else {
        godot_error!("{}: add_leg() {}", title_of(node), BoneRefusal::NoBone);
        return None;
    };
    let rig = node.get_parent();
    let foot = LegBones::between(&first, &last)
        .zip(rig)
        .and_then(|(leg, rig)| {
            let there = limb_from(&first, &rig).filter(|(_, end)| *end == last);
            let leg = match there {
                Some((limb, _)) => leg.moved_by(&limb),
                None => leg,
            };
            put_above(node, std::slice::from_ref(&leg), &rig, &mut AtOnce);
            put(node, &leg, &rig, &mut AtOnce)
        });
    if foot.is_none() {
        let text =
            "A leg needs two bones or more, the last one below the first, and this node a parent.";
        godot_error!("{}: {text}", title_of(node));
    }
    foot
}

/// Moves `stance` above the first child of `rig` that moves one of `legs`, or has such a modifier below it.
fn put_above(stance: &Gd<Node>, legs: &[LegBones], rig: &Gd<Node>, into: &mut dyn Adding) {
    let children = legs.iter().filter_map(|leg| {
        let mut line = std::iter::successors(leg.limb.clone(), |node| node.get_parent());
        line.find(|node| node.get_parent().as_ref() == Some(rig))
    });
    let first = children.map(|child| child.get_index()).min();
    let is_new = stance.get_parent().is_none();
    if let Some(index) = first.filter(|&index| is_new || index < stance.get_index()) {
        into.move_child(rig, stance, index);
    }
}

/// Adds a foot below `stance`, and the modifier that moves the leg, if there is none.
fn put(
    stance: &Gd<Node>,
    leg: &LegBones,
    rig: &Gd<Node>,
    into: &mut dyn Adding,
) -> Option<Gd<TendonFoot2D>> {
    let limb = match &leg.limb {
        Some(limb) => limb.clone(),
        None => {
            let limb = leg.new_limb()?;
            into.add_child(rig, &limb);
            limb
        }
    };
    let foot = leg.new_foot(&limb);
    into.add_child(stance, &foot.clone().upcast());
    Some(foot)
}

/// The first modifier below `rig` that moves a leg from `first` on, and the last bone that it moves.
fn limb_from(first: &Gd<Bone2D>, rig: &Gd<Node>) -> Option<(Gd<Node>, Gd<Bone2D>)> {
    let mut limbs = all_below::<Node>(rig).into_iter().filter_map(|node| {
        let reaches = REACHING.iter().any(|class| node.is_class(*class));
        let [root, last] = ends_of(&node);
        (reaches && root.as_ref() == Some(first)).then_some((node, last?))
    });
    limbs.next()
}
