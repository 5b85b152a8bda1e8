//! A polygon with its bones and weights.

use std::rc::Rc;

use godot::classes::{Bone2D, Polygon2D, Skeleton2D};
use godot::prelude::*;
use tendon_nodes::engine::skeleton::bones_of;
use tendon_skin::glam::DVec2;
use tendon_skin::{Mesh, Weights};

use crate::gizmos::composer::canvas_transform;
use crate::posing::skin::{move_all, skeleton_of, vertices_on_canvas};
use crate::refusal::Refusal;
use crate::skin::picture::wide;
use crate::skin::polygon::mesh_of;

/// The message where there is no polygon.
pub(super) const NOTHING: &str = "Select the Polygon2D whose weights are to be seen.";

pub(super) struct WeighedPolygon {
    pub(super) polygon: Gd<Polygon2D>,
    pub(super) skeleton: Gd<Skeleton2D>,
    /// All bones of the skeleton. Weights name them by their index.
    pub(super) bones: Vec<Gd<Bone2D>>,
    pub(super) shape: Rc<PolygonShape>,
    pub(super) weights: Weights,
    /// The weights of the polygon, in its order.
    stored: Vec<Stored>,
}

/// The vertices and triangles of a polygon. To read them takes longer than to paint.
pub(super) struct PolygonShape {
    pub(super) mesh: Mesh,
    /// The edges of all triangles, each once.
    pub(super) edges: Vec<[usize; 2]>,
    made_of: ShapeProperties,
}

/// The properties that a shape is read from.
#[derive(Clone, PartialEq)]
pub(super) struct ShapeProperties {
    points: PackedVector2Array,
    polygons: Variant,
    polygon_count: usize,
    inner: i32,
}

/// The weights of one path, as the polygon has them.
#[derive(Clone)]
struct Stored {
    path: NodePath,
    /// None if there is no bone at the path: the weights are kept as they are.
    bone: Option<usize>,
    weights: PackedFloat32Array,
}

impl WeighedPolygon {
    /// Reads a polygon; `last` is the one that was read before.
    ///
    /// # Errors
    /// Returns an error that says what is missing, and what to do.
    pub(super) fn read(polygon: &Gd<Polygon2D>, last: Option<&Self>) -> Result<Self, Refusal> {
        let name = polygon.get_name();
        let skeleton = skeleton_of(polygon).ok_or_else(|| {
            format!("\"{name}\" has no skeleton. Select it with the skeleton, and choose Tendon > Skin to Bones.")
        })?;
        let bones = bones_of(&skeleton);
        if bones.is_empty() {
            return Err(format!(
                "\"{}\", the skeleton of \"{name}\", has no bones.",
                skeleton.get_name()
            )
            .into());
        }
        let shape = PolygonShape::read(polygon, last.map(|last| &last.shape))?;
        let count = shape.mesh.vertices.len();
        let mut columns = vec![vec![0.0; count]; bones.len()];
        let stored = (0..polygon.clone().get_bone_count()).map(|index| {
            let path = polygon.get_bone_path(index);
            let bone = skeleton.try_get_node_as::<Bone2D>(&path);
            Stored {
                bone: bone.and_then(|bone| bones.iter().position(|other| *other == bone)),
                weights: polygon.get_bone_weights(index),
                path,
            }
        });
        let stored: Vec<_> = stored.collect();
        for it in &stored {
            if let Some(bone) = it.bone {
                let weights = it.weights.as_slice().iter();
                for (sum, &weight) in columns[bone].iter_mut().zip(weights) {
                    *sum += f64::from(weight);
                }
            }
        }
        let weights = Weights::from_bones(count, &columns);
        Ok(Self {
            polygon: polygon.clone(),
            skeleton,
            bones,
            shape,
            weights,
            stored,
        })
    }

    pub(super) fn mesh(&self) -> &Mesh {
        &self.shape.mesh
    }

    /// Returns the text about the polygon: its name, the number of vertices without weights, and the paths of weights
    /// without a bone.
    pub(super) fn told(&self) -> String {
        let mut told = self.polygon.get_name().to_string();
        let count = self.mesh().vertices.len();
        let bare = (0..count).filter(|&vertex| self.weights.of(vertex).is_empty());
        let bare = bare.count();
        if bare > 0 {
            told += &format!(
                "\n{bare} of {count} vertices have no weights: the engine does not draw them where they should be. \
                 Paint them, or press Weigh Again."
            );
        }
        let lost = self.stored.iter().filter(|it| it.bone.is_none());
        let lost: Vec<String> = lost.map(|it| it.path.to_string()).collect();
        if !lost.is_empty() {
            told += &format!(
                "\nWeights of no bone: {}. They are kept until there are bones at these paths again; Weigh \
                 Again does without.",
                lost.join(", ")
            );
        }
        told
    }

    /// All nodes that it is about.
    pub(super) fn nodes(&self) -> Vec<Gd<Node>> {
        let bones = self.bones.iter().map(|bone| bone.clone().upcast());
        let (polygon, skeleton) = (self.polygon.clone(), self.skeleton.clone());
        bones.chain([polygon.upcast(), skeleton.upcast()]).collect()
    }

    /// Returns `true` if the polygon still has these vertices, and the nodes are there.
    pub(super) fn is_there(&self) -> bool {
        let are_bones_there = self.bones.iter().all(Gd::is_instance_valid);
        are_bones_there
            && self.skeleton.is_instance_valid()
            && self.polygon.is_instance_valid()
            && self.polygon.get_polygon().len() == self.mesh().vertices.len()
    }

    /// Gives the polygon other weights, without an undo step. What is stored of vertices whose weights are as they were
    /// stays to the last bit, and so do all bones, also those without a weight.
    pub(super) fn give(&self, weights: &Weights) {
        let count = self.mesh().vertices.len();
        let is_other = |vertex: &usize| weights.of(*vertex) != self.weights.of(*vertex);
        let changed: Vec<usize> = (0..count).filter(is_other).collect();
        let mut stored = self.stored.clone();
        for bone in changed.iter().flat_map(|&vertex| weights.of(vertex)) {
            let bone = bone.0;
            if stored.iter().all(|it| it.bone != Some(bone)) {
                stored.push(Stored {
                    path: self.skeleton.get_path_to(&self.bones[bone]),
                    bone: Some(bone),
                    weights: PackedFloat32Array::from(vec![0.0; count]),
                });
            }
        }
        let mut given = vec![false; self.bones.len()];
        for it in &mut stored {
            let Some(bone) = it.bone else { continue };
            if it.weights.len() < count {
                it.weights.resize(count);
            }
            // Of two with the same path, the first one has the weight.
            let is_first = !std::mem::replace(&mut given[bone], true);
            let slots = it.weights.as_mut_slice();
            for &vertex in &changed {
                let row = weights.of(vertex).iter();
                let weight = row.filter(|&&(other, _)| is_first && other == bone);
                slots[vertex] = weight.map(|&(_, weight)| weight as f32).sum();
            }
        }
        let pairs = stored.iter();
        let pairs = pairs.flat_map(|it| [it.path.to_variant(), it.weights.to_variant()]);
        let pairs: VarArray = pairs.collect();
        self.polygon.clone().set("bones", &pairs.to_variant());
    }

    /// The mesh as it is seen, with its vertices at these `places` of the viewport, unless nothing of it is seen.
    pub(super) fn seen(&self, places: &[Vector2]) -> Option<Mesh> {
        let places = places.iter().copied().map(wide);
        Mesh::new(places.collect(), self.mesh().triangles.clone()).ok()
    }

    /// Returns the place in the mesh for a place of the viewport, in which the vertices are seen at `places`: beside
    /// it, as if the nearest triangle went on.
    pub(super) fn at_rest(&self, places: &[Vector2], mouse: Vector2) -> DVec2 {
        let Some(seen) = self.seen(places) else {
            return DVec2::ZERO;
        };
        let corners = seen.nearest(wide(mouse)).corners;
        let parts = corners.into_iter().zip(seen.parts(corners, wide(mouse)));
        parts
            .map(|(corner, part)| self.mesh().vertices[corner] * part)
            .sum()
    }
}

impl PolygonShape {
    /// The shape of a polygon: `last`, if nothing is another than then.
    fn read(polygon: &Gd<Polygon2D>, last: Option<&Rc<Self>>) -> Result<Rc<Self>, Refusal> {
        let made_of = ShapeProperties::of(polygon);
        if let Some(last) = last.filter(|last| last.made_of == made_of) {
            return Ok(last.clone());
        }
        let mesh = mesh_of(polygon)?;
        Ok(Rc::new(Self {
            edges: mesh.edges(),
            mesh,
            made_of,
        }))
    }
}

impl ShapeProperties {
    pub(super) fn of(polygon: &Gd<Polygon2D>) -> Self {
        let polygons = polygon.get_polygons();
        Self {
            points: polygon.get_polygon(),
            polygon_count: polygons.len(),
            polygons: polygons.to_variant(),
            inner: polygon.get_internal_vertex_count(),
        }
    }
}

/// Returns the places of the vertices of a polygon in the viewport, as its bones deform it now.
pub(super) fn vertices_in_viewport(polygon: &Gd<Polygon2D>) -> Vec<Vector2> {
    let mut places = vertices_on_canvas(polygon);
    move_all(&mut places, canvas_transform());
    places
}
