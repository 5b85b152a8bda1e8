//! The bones of a ragdoll, and their shapes.

use godot::classes::{Bone2D, CollisionShape2D};
use godot::prelude::*;
use tendon_solver::glam::{Affine2, Vec2};
use tendon_solver::{Grab, Hold, LimbShape, Push, Shape};

use super::by_name::ByName;
use super::shared::{Exchange, PendingPush};
use crate::engine::bone_lines::own_end_of;
use crate::engine::children::children_of;
use crate::engine::link::Link;
use crate::engine::skeleton::{child_bones, has_rest};
use crate::engine::space::{frame_of, to_solver};
use crate::plan::bones::Bones;
use crate::plan::obstacles::KnownShape;
use crate::warnings::problem::Problem;

/// The bones of a ragdoll, parents first.
pub(super) struct Limbs {
    pub(super) joints: Vec<usize>,
    pub(super) shapes: Vec<LimbShape>,
    /// Their rest poses in skeleton space; empty if one has none.
    pub(super) rest: Vec<Affine2>,
    bones: Vec<InstanceId>,
    /// The name of each of them.
    pub(super) names: Vec<String>,
    /// The number of bones above each of them.
    depths: Vec<usize>,
}

impl Limbs {
    /// `root` and all bones below it; without it, those of the largest tree of the skeleton.
    /// But not those in `excluded`, with what is below them.
    pub(super) fn find(
        bones: &mut Bones,
        root: &Link<Bone2D>,
        excluded: &[InstanceId],
    ) -> Result<Self, Problem> {
        let root = match root.get() {
            Some(_) => bones.bone_in(("root_bone", root))?.0,
            None => {
                let roots = child_bones(&bones.skeleton());
                // Of trees of the same size the first.
                let trees = roots.map(|root| (tree_size(&root), root));
                let largest = trees.reduce(|one, other| match other.0 > one.0 {
                    true => other,
                    false => one,
                });
                largest.ok_or(Problem::NoBodyBones)?.1
            }
        };
        let mut limbs = Self {
            joints: Vec::new(),
            shapes: Vec::new(),
            rest: Vec::new(),
            bones: Vec::new(),
            names: Vec::new(),
            depths: Vec::new(),
        };
        let mut has_rests = true;
        limbs.add(bones, (&root, excluded), 0, &mut has_rests);
        if !has_rests {
            limbs.rest.clear();
        }
        Ok(limbs)
    }

    fn add(
        &mut self,
        bones: &mut Bones,
        (bone, excluded): (&Gd<Bone2D>, &[InstanceId]),
        depth: usize,
        has_rests: &mut bool,
    ) {
        // The body has at least one limb.
        if depth > 0 && excluded.contains(&bone.instance_id()) {
            return;
        }
        let Some(index) = bones.index(bone) else {
            return;
        };
        *has_rests &= has_rest(bone);
        self.joints.push(index);
        self.rest.push(frame_of(bone.get_skeleton_rest()));
        self.shapes.push(shape_of(bone, excluded));
        self.bones.push(bone.instance_id());
        self.names.push(bone.get_name().to_string());
        self.depths.push(depth);
        for child in child_bones(bone) {
            self.add(bones, (&child, excluded), depth + 1, has_rests);
        }
    }

    pub(super) fn deepest(&self) -> usize {
        self.depths.iter().copied().max().unwrap_or_default()
    }

    /// A value for each bone, of `values` by depth.
    pub(super) fn by_depth(&self, values: Vec<f32>) -> Vec<f32> {
        let depths = self.depths.iter();
        depths
            .filter_map(|&depth| values.get(depth).copied())
            .collect()
    }

    /// Gives the limbs the masses and frequencies that are known by their names.
    pub(super) fn weigh(&mut self, masses: &ByName, frequencies: &ByName) {
        for (shape, name) in self.shapes.iter_mut().zip(&self.names) {
            shape.mass = masses.mass_of(name);
            shape.frequency = frequencies.of(name);
        }
    }

    /// The bone of a link, unless it was freed.
    pub(super) fn bone(&self, link: usize) -> Option<Gd<Bone2D>> {
        Gd::try_from_instance_id(*self.bones.get(link)?).ok()
    }

    fn link(&self, bone: InstanceId) -> Option<usize> {
        self.bones.iter().position(|&it| it == bone)
    }

    /// Returns the impulse that a script has asked for, unless it is for a bone that is none of these.
    pub(super) fn push(&self, push: &PendingPush) -> Option<Push> {
        let link = match push.bone {
            Some(bone) => Some(self.link(bone)?),
            None => None,
        };
        let hold = match (push.position, link) {
            (Some(position), link) => Hold::Place { link, position },
            (None, Some(link)) => Hold::Link(link),
            (None, None) => Hold::Whole,
        };
        Some(Push {
            hold,
            impulse: push.impulse?,
        })
    }

    /// The link whose joint a script wants to break.
    pub(super) fn breaks(&self, push: &PendingPush) -> Option<usize> {
        match push.impulse {
            Some(_) => None,
            None => self.link(push.bone?),
        }
    }

    /// Returns the grabs, with the places of their targets now.
    pub(super) fn grabs(&self, shared: &Exchange) -> Vec<Grab> {
        let grips = shared.grips.borrow();
        let grabs = grips.iter().filter_map(|grip| {
            let target = grip.target.get().filter(|target| target.is_inside_tree())?;
            Some(Grab {
                link: self.link(grip.bone)?,
                point: grip.point,
                target: to_solver(target.get_global_position()),
            })
        });
        grabs.collect()
    }
}

fn tree_size(bone: &Gd<Bone2D>) -> usize {
    1 + child_bones(bone)
        .map(|child| tree_size(&child))
        .sum::<usize>()
}

/// The shape of a limb: that of the first [`CollisionShape2D`] below the bone, or a capsule along it.
fn shape_of(bone: &Gd<Bone2D>, excluded: &[InstanceId]) -> LimbShape {
    let place = Transform2D::IDENTITY;
    find_shape(&bone.clone().upcast(), place).unwrap_or_else(|| along(bone, excluded))
}

/// A capsule along a bone: to where its own length and angle say. Where the engine calculates these by the first child, to the
/// middle of all of them, and as wide as they are beside that: a chest ends between the shoulders and the neck, and holds them.
fn along(bone: &Gd<Bone2D>, excluded: &[InstanceId]) -> LimbShape {
    let limbs = child_bones(bone).filter(|child| !excluded.contains(&child.instance_id()));
    let ends = limbs.map(|child| to_solver(child.get_position()));
    let mut ends: Vec<_> = ends.filter(|end| end.length() > 1e-3).collect();
    if !bone.get_autocalculate_length_and_angle() {
        ends.clear();
    }
    let way = ends.iter().sum::<Vec2>().normalize_or_zero();
    let most = |of: fn(Vec2, Vec2) -> f32| ends.iter().map(|&end| of(way, end)).fold(0.0, f32::max);
    let farthest = most(Vec2::dot);
    let (to, spread) = match farthest > 1e-3 {
        true => (farthest * way, most(|way, end| way.perp_dot(end).abs())),
        false => (to_solver(own_end_of(bone)), 0.0),
    };
    LimbShape {
        to,
        spread,
        ..LimbShape::default()
    }
}

/// The first shape below `node`, which is at `place` in the frame of its bone, but not below another bone.
fn find_shape(node: &Gd<Node>, place: Transform2D) -> Option<LimbShape> {
    for child in children_of(node) {
        if child.clone().try_cast::<Bone2D>().is_ok() {
            continue;
        }
        let place = match child.clone().try_cast::<Node2D>() {
            Ok(child) => place * child.get_transform(),
            Err(_) => continue,
        };
        let own = child.clone().try_cast::<CollisionShape2D>().ok();
        let own = own.filter(|shape| !shape.is_disabled());
        if let Some(shape) = own.and_then(|shape| capsule_of(&shape, frame_of(place))) {
            return Some(shape);
        }
        if let Some(shape) = find_shape(&child, place) {
            return Some(shape);
        }
    }
    None
}

/// The capsule that a shape is, or is nearest to.
fn capsule_of(node: &Gd<CollisionShape2D>, place: Affine2) -> Option<LimbShape> {
    let (half, radius) = match KnownShape::of(&node.get_shape()?)?.read() {
        Shape::Circle { radius } => (Vec2::ZERO, radius),
        Shape::Capsule { radius, height } => (Vec2::Y * (0.5 * height - radius).max(0.0), radius),
        Shape::Rectangle { size } => {
            let radius = 0.5 * size.min_element();
            ((0.5 * size - Vec2::splat(radius)).max(Vec2::ZERO), radius)
        }
        Shape::Segment { .. } => return None,
    };
    let scale = place.matrix2.determinant().abs().sqrt();
    Some(LimbShape {
        from: place.transform_point2(-half),
        to: place.transform_point2(half),
        radius: Some(radius * scale),
        ..LimbShape::default()
    })
}
