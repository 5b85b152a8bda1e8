//! Legs that get feet, from the menu of the editor and by scripts: their bones, the modifiers that move them, and what
//! suits their length.

use godot::classes::{Bone2D, ClassDb};
use godot::prelude::*;

use crate::engine::bone_lines::{end_of, line_between, longest_line};
use crate::engine::children::children;
use crate::engine::skeleton::child_bones;
use crate::nodes::foot::{REACHING, TendonFoot2D};
use crate::nodes::new_names::name_after;
use crate::plan::rest_bend::LimbBones;
use crate::warnings::log::title_of;
use crate::warnings::refusal::Refusal;

/// A bone below the last one that is shorter than this part of it is a foot.
const FOOT: f32 = 0.7;

/// More legs than that step in a wave.
const MOST_ALTERNATING: usize = 8;

/// The bones of a leg.
pub struct Leg {
    /// Those that reach: two or more.
    line: Vec<Gd<Bone2D>>,
    /// The one after them, if it is turned to the ground.
    foot: Option<Gd<Bone2D>>,
    /// The modifier that moves it, if there is one.
    limb: Option<Gd<Node>>,
}

impl Leg {
    /// The leg that begins with `first`: that which a modifier below `rig` moves, or else the longest line of bones.
    pub fn from(first: &Gd<Bone2D>, rig: Option<&Gd<Node>>) -> Option<Self> {
        if let Some((limb, last)) = rig.and_then(|rig| limb_from(first, rig)) {
            let leg = Self::between(first, &last)?;
            let limb = Some(limb);
            return Some(Self { limb, ..leg });
        }
        let mut line = vec![first.clone()];
        line.extend(longest_line(&first.clone().upcast()));
        let ends_in_foot = matches!(line.as_slice(), [_, shin, last] if is_foot(last, shin));
        let foot = if ends_in_foot { line.pop() } else { None };
        Self::of(line, foot)
    }

    /// The leg that `limb` moves, a modifier, which need not be in a rig yet.
    pub fn moved_by(limb: &Gd<Node>) -> Option<Self> {
        let (first, last) = ends_of(limb)?;
        let leg = Self::between(&first, &last)?;
        let limb = Some(limb.clone());
        Some(Self { limb, ..leg })
    }

    /// The leg from `first` down to `last`.
    fn between(first: &Gd<Bone2D>, last: &Gd<Bone2D>) -> Option<Self> {
        let line = line_between(first, last)?;
        let foot = child_bones(last).next().filter(|foot| is_foot(foot, last));
        Self::of(line, foot)
    }

    fn of(line: Vec<Gd<Bone2D>>, foot: Option<Gd<Bone2D>>) -> Option<Self> {
        let limb = None;
        (line.len() > 1).then_some(Self { line, foot, limb })
    }

    /// The bone that it begins with.
    pub fn first(&self) -> &Gd<Bone2D> {
        &self.line[0]
    }

    /// The modifier that moves it, if there is one.
    pub fn limb(&self) -> Option<&Gd<Node>> {
        self.limb.as_ref()
    }

    fn length(&self, into_skeleton: &Transform2D) -> f32 {
        let joints = self.line.iter().map(|bone| bone.get_global_position());
        let tip = self
            .line
            .last()
            .map(|last| last.get_global_transform() * end_of(last));
        let places: Vec<_> = joints
            .chain(tip)
            .map(|place| *into_skeleton * place)
            .collect();
        places
            .windows(2)
            .map(|ends| ends[0].distance_to(ends[1]))
            .sum()
    }

    /// A modifier that moves it: of two bones, with the bend that they have, or of more.
    pub fn new_limb(&self) -> Option<Gd<Node>> {
        let (first, last) = (self.line.first()?, self.line.last()?);
        let (kind, ends) = match self.line.len() {
            2 => ("TwoBoneIK", ["bone_one", "bone_two"]),
            _ => ("FABRIK", ["root_bone", "tip_bone"]),
        };
        let class = ClassDb::singleton().instantiate(&format!("Tendon{kind}2D"));
        let mut limb: Gd<Node> = class.try_to().ok()?;
        limb.set_name(&name_after(&last.get_name().to_string(), kind));
        limb.set(ends[0], &first.to_variant());
        limb.set(ends[1], &last.to_variant());
        if let Some(foot) = &self.foot {
            limb.set("tip", &foot.to_variant());
        }
        if self.line.len() == 2 {
            let tip = self
                .foot
                .as_ref()
                .map_or_else(|| end_of(last), |foot| foot.get_position());
            let (upper, lower) = (first, last);
            let flips = LimbBones { upper, lower, tip }.is_flipped();
            limb.set("flip_bend_direction", &flips.to_variant());
        }
        Some(limb)
    }

    /// A foot for it, which `limb` moves.
    pub fn new_foot(&self, limb: &Gd<Node>) -> Gd<TendonFoot2D> {
        let mut foot = TendonFoot2D::new_alloc();
        foot.set_name(&name_after(&self.first().get_name().to_string(), "Foot"));
        foot.set("limb", &limb.to_variant());
        if let Some(bone) = &self.foot {
            foot.set("foot_bone", &bone.to_variant());
            // The end of a foot is on the ground, or near it.
            let end = bone.get_global_transform() * end_of(bone);
            let height = (end - bone.get_global_position()).y.max(0.0);
            foot.set("sole_height", &height.to_variant());
        }
        foot
    }
}

/// The first bones of all legs below `pelvis`: lines of two bones or more that end below it.
pub fn legs_below(pelvis: &Gd<Bone2D>) -> Vec<Gd<Bone2D>> {
    let is_leg = |root: &Gd<Bone2D>| {
        let line = longest_line(&root.clone().upcast());
        let last = line.last();
        let end = last.map(|last| last.get_global_transform() * end_of(last));
        end.is_some_and(|end| end.y > pelvis.get_global_position().y)
    };
    child_bones(pelvis).filter(is_leg).collect()
}

/// What suits such legs of a skeleton at `place`: properties of `node`, a gait or a placement, and of each foot.
pub fn settings_for(
    legs: &[Leg],
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
    let is_new = |leg: &Leg| {
        leg.limb()
            .is_none_or(|limb| !taken.contains(&limb.to_variant()))
    };
    let legs = legs_below(&pelvis).into_iter();
    let legs: Vec<_> = legs
        .filter_map(|first| Leg::from(&first, Some(&rig)))
        .filter(is_new)
        .collect();
    let mut skeleton = pelvis.get_parent();
    while let Some(Ok(bone)) = skeleton.clone().map(Gd::try_cast::<Bone2D>) {
        skeleton = bone.get_parent();
    }
    let place = skeleton.and_then(|it| it.try_cast::<Node2D>().ok());
    let place = place.map_or(Transform2D::IDENTITY, |it| it.get_global_transform());
    add_feet(node, &legs, &place)
}

/// Adds feet to `node` for these legs of a skeleton at `place`, and sets what suits their length. Returns the feet.
pub(in crate::nodes) fn add_feet(
    node: &Gd<Node>,
    legs: &[Leg],
    place: &Transform2D,
) -> Array<Gd<TendonFoot2D>> {
    let [settings, of_foot] = settings_for(legs, place, node);
    let set = |node: &Gd<Node>, values: &[(&str, Variant)]| {
        for (property, value) in values {
            node.clone().set(*property, value);
        }
    };
    if !legs.is_empty() {
        set(node, &settings);
    }
    let feet = legs.iter().filter_map(|leg| put(node, leg));
    let feet = feet.inspect(|foot| set(&foot.clone().upcast(), &of_foot));
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
        godot_error!("{}: add_leg() {}", title_of(node), Refusal::NoBone);
        return None;
    };
    let leg = Leg::between(&first, &last).map(|leg| {
        let rig = node.get_parent();
        let there = rig
            .and_then(|rig| limb_from(&first, &rig))
            .filter(|(_, end)| *end == last);
        let limb = there.map(|(limb, _)| limb);
        Leg { limb, ..leg }
    });
    let foot = leg.and_then(|leg| put(node, &leg));
    if foot.is_none() {
        let text =
            "A leg needs two bones or more, the last one below the first, and this node a parent.";
        godot_error!("{}: {text}", title_of(node));
    }
    foot
}

/// Adds a foot below `node`, and the modifier that moves the leg, if there is none. `node` comes before that.
fn put(node: &Gd<Node>, leg: &Leg) -> Option<Gd<TendonFoot2D>> {
    let (mut node, mut rig) = (node.clone(), node.get_parent()?);
    let limb = match leg.limb() {
        Some(limb) => limb.clone(),
        None => {
            let limb = leg.new_limb()?;
            rig.add_child_ex(&limb).force_readable_name(true).done();
            limb
        }
    };
    if limb.get_parent().as_ref() == Some(&rig) && limb.get_index() < node.get_index() {
        rig.move_child(&node, limb.get_index());
    }
    let foot = leg.new_foot(&limb);
    node.add_child_ex(&foot).force_readable_name(true).done();
    Some(foot)
}

/// The first modifier below `rig` that moves a leg from `first` on, and the last bone that it moves.
fn limb_from(first: &Gd<Bone2D>, rig: &Gd<Node>) -> Option<(Gd<Node>, Gd<Bone2D>)> {
    let nodes = rig.find_children_ex("*").owned(false).done();
    let mut limbs = nodes.iter_shared().filter_map(|node| {
        let (root, last) = ends_of(&node)?;
        let reaches = REACHING.iter().any(|class| node.is_class(*class));
        (reaches && root == *first).then_some((node, last))
    });
    limbs.next()
}

/// The first and the last bone of a modifier.
fn ends_of(limb: &Gd<Node>) -> Option<(Gd<Bone2D>, Gd<Bone2D>)> {
    let ends = match limb.is_class("TendonTwoBoneIK2D") {
        true => ["bone_one", "bone_two"],
        false => ["root_bone", "tip_bone"],
    };
    let [first, last] = ends.map(|end| limb.get(end).try_to::<Gd<Bone2D>>().ok());
    Some((first?, last?))
}

fn is_foot(bone: &Gd<Bone2D>, above: &Gd<Bone2D>) -> bool {
    end_of(bone).length() < FOOT * end_of(above).length()
}
