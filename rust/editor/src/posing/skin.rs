//! A polygon that the bones of a skeleton deform, as it is seen now.

use godot::classes::{Bone2D, Polygon2D, Skeleton2D};
use godot::prelude::*;
use tendon_nodes::engine::skeleton::has_rest;

use crate::drawn::points_of;

/// A polygon with weights, and where its vertices are on the canvas.
pub(super) struct PosedPolygon {
    pub(super) skeleton: Gd<Skeleton2D>,
    bones: Vec<WeighedBone>,
    places: Vec<Vector2>,
    /// The last vertices, which are inside of the outline.
    inner: usize,
}

/// A bone, and its weight for each vertex.
struct WeighedBone {
    bone: Gd<Bone2D>,
    weights: Vec<f32>,
}

impl PosedPolygon {
    /// `None` if no bone deforms `polygon`.
    pub(super) fn of(polygon: &Gd<Polygon2D>) -> Option<Self> {
        let skeleton = skeleton_of(polygon)?;
        let bones = (0..polygon.clone().get_bone_count()).filter_map(|index| {
            let path = polygon.get_bone_path(index);
            Some(WeighedBone {
                bone: skeleton.try_get_node_as(&path)?,
                weights: polygon.get_bone_weights(index).to_vec(),
            })
        });
        let bones: Vec<_> = bones.filter(|it| has_rest(&it.bone)).collect();
        let inner = usize::try_from(polygon.get_internal_vertex_count()).unwrap_or_default();
        let mut skin = Self {
            skeleton,
            bones,
            places: Vec::new(),
            inner,
        };
        if skin.bones.is_empty() {
            return None;
        }
        skin.place_vertices(polygon);
        Some(skin)
    }

    /// Deforms the polygon as the engine does.
    fn place_vertices(&mut self, polygon: &Gd<Polygon2D>) {
        let to_canvas = self.skeleton.get_canvas_transform() * self.skeleton.get_global_transform();
        let to_skeleton = self.skeleton.get_global_transform().affine_inverse();
        let at_rest = to_skeleton * polygon.get_global_transform();
        let mut points = points_of(polygon);
        move_all(&mut points, at_rest);
        let mut sums = vec![(Vector2::ZERO, 0.0); points.len()];
        for it in &self.bones {
            let now = to_skeleton * it.bone.get_global_transform();
            let motion = now * it.bone.get_skeleton_rest().affine_inverse();
            let vertices = sums.iter_mut().zip(&points).zip(&it.weights);
            for (((sum, whole), &point), &weight) in vertices.filter(|it| *it.1 != 0.0) {
                let moved = moved(point, motion);
                sum.x += moved.x * weight;
                sum.y += moved.y * weight;
                *whole += weight;
            }
        }
        for (point, (sum, whole)) in points.iter_mut().zip(sums) {
            if whole > 0.0 {
                *point = Vector2::new(sum.x / whole, sum.y / whole);
            }
        }
        move_all(&mut points, to_canvas);
        self.places = points;
    }

    /// The outline on the canvas.
    pub(super) fn outline(&self) -> Vec<Vector2> {
        let count = self.places.len().saturating_sub(self.inner);
        self.places[..count].to_vec()
    }

    /// The bone with the most weight around `place` of the canvas.
    pub(super) fn bone_at(&self, place: Vector2) -> Option<Gd<Bone2D>> {
        let share = |it: &&WeighedBone| {
            let vertices = self.places.iter().enumerate();
            let shares = vertices.map(|(vertex, at)| {
                // Less far away; at a vertex, finite.
                it.weight(vertex) / at.distance_squared_to(place).max(1e-3).powi(2)
            });
            shares.sum::<f32>()
        };
        let most = self
            .bones
            .iter()
            .max_by(|a, b| share(a).total_cmp(&share(b)));
        most.map(|it| it.bone.clone())
    }
}

/// The skeleton that a polygon follows.
pub(crate) fn skeleton_of(polygon: &Gd<Polygon2D>) -> Option<Gd<Skeleton2D>> {
    polygon.try_get_node_as(&polygon.get_skeleton())
}

/// Returns the places of the vertices of `polygon` on the canvas, deformed by its bones if there are any.
pub(crate) fn vertices_on_canvas(polygon: &Gd<Polygon2D>) -> Vec<Vector2> {
    if let Some(skin) = PosedPolygon::of(polygon) {
        return skin.places;
    }
    let frame = polygon.get_canvas_transform() * polygon.get_global_transform();
    let mut points = points_of(polygon);
    move_all(&mut points, frame);
    points
}

/// Moves points from one space to another.
pub(crate) fn move_all(points: &mut [Vector2], frame: Transform2D) {
    points
        .iter_mut()
        .for_each(|point| *point = moved(*point, frame));
}

/// `frame * point`, in numbers: of large polygons it is done in each frame, and the engine's types take twenty times as long
/// in a debug build.
fn moved(point: Vector2, frame: Transform2D) -> Vector2 {
    let Transform2D { a, b, origin } = frame;
    Vector2 {
        x: a.x * point.x + b.x * point.y + origin.x,
        y: a.y * point.x + b.y * point.y + origin.y,
    }
}

impl WeighedBone {
    fn weight(&self, vertex: usize) -> f32 {
        self.weights.get(vertex).copied().unwrap_or_default()
    }
}
