//! A polygon with its bones and weights.

use godot::classes::{Bone2D, EditorInterface, Geometry2D, Polygon2D, Skeleton2D};
use godot::prelude::*;
use tendon_nodes::engine::skeleton::bones_of;
use tendon_skin::glam::DVec2;
use tendon_skin::{Mesh, Weights};

use crate::action::Action;
use crate::gizmos::composer::canvas_transform;
use crate::posing::skin::vertices_on_canvas;
use crate::refusal::Refusal;
use crate::skin::polygon::{BoneWeights, mesh_of};

/// What is said where there is no polygon.
pub(super) const NOTHING: &str = "Select the Polygon2D whose weights are to be seen.";

/// What a stroke or a command changes.
const CHANGED: &str = "bones";

pub(super) struct Weighed {
    pub(super) polygon: Gd<Polygon2D>,
    skeleton: Gd<Skeleton2D>,
    /// All bones of the skeleton. Weights name them by their index.
    pub(super) bones: Vec<Gd<Bone2D>>,
    pub(super) mesh: Mesh,
    pub(super) weights: Weights,
    /// Weights of bones that are not there: they are kept as they are.
    lost: Vec<(NodePath, PackedFloat32Array)>,
}

impl Weighed {
    /// # Errors
    /// What is missing, and what to do.
    pub(super) fn read(polygon: &Gd<Polygon2D>) -> Result<Self, Refusal> {
        let name = polygon.get_name();
        let skeleton = polygon.get_node_or_null(&polygon.get_skeleton());
        let skeleton = skeleton.and_then(|node| node.try_cast::<Skeleton2D>().ok());
        let skeleton = skeleton.ok_or_else(|| {
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
        let mesh = mesh_of(polygon)?;
        let count = mesh.vertices.len();
        let mut columns = vec![vec![0.0; count]; bones.len()];
        let mut lost = Vec::new();
        for index in 0..polygon.clone().get_bone_count() {
            let (path, weights) = (
                polygon.get_bone_path(index),
                polygon.get_bone_weights(index),
            );
            let bone = skeleton.get_node_or_null(&path);
            let bone = bone.and_then(|node| node.try_cast::<Bone2D>().ok());
            match bone.and_then(|bone| bones.iter().position(|other| *other == bone)) {
                Some(bone) => {
                    let weights = weights.as_slice().iter();
                    for (sum, &weight) in columns[bone].iter_mut().zip(weights) {
                        *sum += f64::from(weight);
                    }
                }
                None => lost.push((path, weights)),
            }
        }
        let weights = Weights::from_bones(count, &columns);
        Ok(Self {
            polygon: polygon.clone(),
            skeleton,
            bones,
            mesh,
            weights,
            lost,
        })
    }

    /// What to tell of the polygon: its name, how many vertices have no weights, and which weights are of no bone.
    pub(super) fn told(&self) -> String {
        let mut told = self.polygon.get_name().to_string();
        let count = self.mesh.vertices.len();
        let bare = (0..count).filter(|&vertex| self.weights.of(vertex).is_empty());
        let bare = bare.count();
        if bare > 0 {
            told += &format!(
                "\n{bare} of {count} vertices have no weights: the engine does not draw them where they should be. \
                 Paint them, or press Weigh Again."
            );
        }
        let lost: Vec<String> = self.lost.iter().map(|(path, _)| path.to_string()).collect();
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

    /// Whether the polygon still has these vertices, and the nodes are there.
    pub(super) fn is_there(&self) -> bool {
        let are_bones_there = self.bones.iter().all(Gd::is_instance_valid);
        are_bones_there
            && self.skeleton.is_instance_valid()
            && self.polygon.is_instance_valid()
            && self.polygon.get_polygon().len() == self.mesh.vertices.len()
    }

    /// Gives the polygon other weights, without an undo step.
    pub(super) fn give(&self, weights: &Weights) {
        BoneWeights::new(&self.skeleton, &self.bones, weights).give(&self.polygon);
        let mut polygon = self.polygon.clone();
        for (path, weights) in &self.lost {
            polygon.add_bone(path, weights);
        }
    }

    /// What [`Weighed::restore`] takes.
    pub(super) fn stored(&self) -> Variant {
        self.polygon.get(CHANGED)
    }

    pub(super) fn restore(&self, stored: &Variant) {
        self.polygon.clone().set(CHANGED, stored);
        self.polygon.clone().queue_redraw();
    }

    /// Makes an undo step of the weights that the polygon has now and what it had before.
    ///
    /// # Errors
    /// That there is no undo history.
    pub(super) fn keep(&self, before: &Variant, title: &str) -> Result<(), Refusal> {
        let scene = EditorInterface::singleton().get_edited_scene_root();
        let scene = scene.ok_or("No scene is edited.")?;
        let mut action = Action::begin(title, &scene)?;
        let after = self.stored();
        action.set(&self.polygon, CHANGED, before, &after);
        // The engine does not draw a polygon again when its weights are set.
        action.when_done(&self.polygon, "queue_redraw", &[]);
        action.when_undone(&self.polygon, "queue_redraw", &[]);
        action.commit();
        Ok(())
    }

    /// How far a place of the viewport is from the polygon whose vertices are at `places`: 0 inside.
    pub(super) fn distance(&self, places: &[Vector2], mouse: Vector2) -> f32 {
        let geometry = Geometry2D::singleton();
        let mut nearest = f32::INFINITY;
        for &[a, b, c] in &self.mesh.triangles {
            let [a, b, c] = [a, b, c].map(|corner| places[corner]);
            if geometry.point_is_inside_triangle(mouse, a, b, c) {
                return 0.0;
            }
            for [from, to] in [[a, b], [b, c], [c, a]] {
                let point = geometry.get_closest_point_to_segment(mouse, from, to);
                nearest = nearest.min(point.distance_to(mouse));
            }
        }
        nearest
    }

    /// The weights at a place of the viewport, where the vertices are at `places`: the largest first.
    pub(super) fn at(&self, places: &[Vector2], mouse: Vector2) -> Vec<(usize, f64)> {
        let place = |place: Vector2| DVec2::new(f64::from(place.x), f64::from(place.y));
        let seen = Mesh::new(
            places.iter().copied().map(place).collect(),
            self.mesh.triangles.clone(),
        );
        seen.map_or(Vec::new(), |seen| self.weights.at(&seen, place(mouse)))
    }
}

/// Where the vertices of a polygon are seen, as its bones deform it now.
pub(super) fn vertices_in_viewport(polygon: &Gd<Polygon2D>) -> Vec<Vector2> {
    let canvas = canvas_transform();
    let places = vertices_on_canvas(polygon).into_iter();
    places.map(|place| canvas * place).collect()
}
