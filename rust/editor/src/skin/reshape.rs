//! A polygon that gets other vertices and triangles, and keeps what it is at each place.

use godot::classes::Polygon2D;
use godot::prelude::*;
use tendon_skin::{Mesh, Origin};

use crate::action::Action;
use crate::refusal::Refusal;
use crate::selection::edited_scene;
use crate::skin::picture::narrow;

/// The properties that change. Weights come last: the engine leaves out those of another number of vertices.
const CHANGED: [&str; 8] = [
    "skeleton",
    "texture",
    "polygon",
    "uv",
    "vertex_colors",
    "polygons",
    "internal_vertex_count",
    WEIGHTS,
];
const WEIGHTS: &str = "bones";

/// A polygon as it was.
pub(crate) struct Before {
    polygon: Gd<Polygon2D>,
    values: [Variant; CHANGED.len()],
}

impl Before {
    pub(crate) fn of(polygon: &Gd<Polygon2D>) -> Self {
        Self {
            polygon: polygon.clone(),
            values: CHANGED.map(|property| polygon.get(property)),
        }
    }

    fn weights(&self) -> &Variant {
        &self.values[CHANGED.len() - 1]
    }

    /// Returns `true` if the weights have changed since.
    pub(crate) fn has_other_weights(&self) -> bool {
        self.polygon.get(WEIGHTS) != *self.weights()
    }

    /// Makes an undo step of what has changed since.
    ///
    /// # Errors
    /// That there is no undo history.
    pub(crate) fn keep(&self, title: &str) -> Result<(), Refusal> {
        let mut action = Action::begin(title, &edited_scene()?)?;
        self.add_to(&mut action);
        action.commit();
        Ok(())
    }

    /// Makes what has changed since a part of an undo step.
    pub(super) fn add_to(&self, action: &mut Action) {
        // The engine does not draw a polygon again when its weights are set. Undone in the opposite order: weights come
        // last both times.
        action.when_undone(&self.polygon, "queue_redraw", &[]);
        let weights = [WEIGHTS.to_variant(), self.weights().clone()];
        action.when_undone(&self.polygon, "set", &weights);
        for (property, before) in CHANGED.into_iter().zip(&self.values) {
            let after = self.polygon.get(property);
            if after != *before || property == WEIGHTS {
                action.set(&self.polygon, property, before, &after);
            }
        }
        action.when_done(&self.polygon, "queue_redraw", &[]);
    }

    /// As it was again.
    pub(crate) fn restore(&self) {
        let mut polygon = self.polygon.clone();
        for (property, before) in CHANGED.into_iter().zip(&self.values) {
            if polygon.get(property) != *before || property == WEIGHTS {
                polygon.set(property, before);
            }
        }
        polygon.queue_redraw();
    }
}

/// Gives `polygon` the vertices and triangles of a mesh in its space, whose vertices come from these places of the one that it
/// has. What is stored of a vertex that stays is kept to the last bit.
pub(crate) fn reshape(polygon: &Gd<Polygon2D>, mesh: &Mesh, origins: &[Origin]) {
    let mut polygon = polygon.clone();
    let (points, uv) = (polygon.get_polygon(), polygon.get_uv());
    let colors = polygon.get_vertex_colors();
    let count = points.len();
    let place = |(vertex, origin): (usize, &Origin)| {
        let kept = whole(origin).filter(|_| origin.distance == 0.0);
        let kept = kept.and_then(|corner| points.get(corner));
        kept.unwrap_or_else(|| narrow(mesh.vertices[vertex]))
    };
    let places: PackedVector2Array = origins.iter().enumerate().map(place).collect();
    let bones: Vec<(NodePath, PackedFloat32Array)> = (0..polygon.get_bone_count())
        .map(|index| {
            let weights = polygon.get_bone_weights(index);
            let weight = |origin: &Origin| {
                let corner = |it: usize| weights.get(origin.corners[it]).unwrap_or(0.0);
                match whole(origin) {
                    Some(it) => weights.get(it).unwrap_or(0.0),
                    None => (0..3).map(|it| corner(it) * origin.parts[it] as f32).sum(),
                }
            };
            let weights = origins.iter().map(weight).collect();
            (polygon.get_bone_path(index), weights)
        })
        .collect();
    polygon.set_polygon(&places);
    if uv.len() == count {
        let at = |origin: &Origin| match whole(origin) {
            Some(it) => uv[it],
            None => (0..3)
                .map(|it| uv[origin.corners[it]] * origin.parts[it] as f32)
                .sum(),
        };
        polygon.set_uv(&origins.iter().map(at).collect());
    }
    if colors.len() == count {
        let nearest = |origin: &Origin| {
            let parts = origin.parts.into_iter().enumerate();
            let most = parts.max_by(|a, b| a.1.total_cmp(&b.1));
            colors[origin.corners[most.map_or(0, |(it, _)| it)]]
        };
        polygon.set_vertex_colors(&origins.iter().map(nearest).collect());
    }
    polygon.set_polygons(&triangles(mesh));
    polygon.set_internal_vertex_count((mesh.vertices.len() - mesh.boundary_count) as i32);
    polygon.clear_bones();
    for (path, weights) in &bones {
        polygon.add_bone(path, weights);
    }
    polygon.queue_redraw();
}

/// The triangles of a mesh, as a polygon has them.
pub(super) fn triangles(mesh: &Mesh) -> VarArray {
    let triangle = |corners: &[usize; 3]| {
        let corners: PackedInt32Array = corners.iter().map(|&corner| corner as i32).collect();
        corners.to_variant()
    };
    mesh.triangles.iter().map(triangle).collect()
}

/// The vertex that an origin is, if it is one.
fn whole(origin: &Origin) -> Option<usize> {
    let corner = origin.parts.iter().position(|&part| part == 1.0);
    corner.map(|corner| origin.corners[corner])
}
