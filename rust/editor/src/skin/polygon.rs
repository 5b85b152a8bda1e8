//! The `Polygon2D`: made of a skin, or weighed as it is.

use godot::classes::{Bone2D, Geometry2D, Image, Polygon2D, Skeleton2D, Sprite2D, Texture2D};
use godot::prelude::*;
use tendon_skin::glam::DVec2;
use tendon_skin::{Bone, Cover, Mesh, Weights};

use crate::drawn::around;
use crate::refusal::Refusal;
use crate::skin::picture::{SpritePicture, image_of, is_opaque, wide};
use crate::skin::reshape::triangles;
use crate::skin::rest;

/// The properties for the looks of a sprite and its order, which a polygon has too.
const LOOKS: &str = "visible modulate self_modulate show_behind_parent top_level clip_children \
    light_mask visibility_layer z_index z_as_relative y_sort_enabled texture_filter \
    texture_repeat material use_parent_material process_mode";

/// A polygon of the triangles of `mesh`, which shows `picture`.
pub(super) fn new(picture: &SpritePicture, mesh: &Mesh) -> Gd<Polygon2D> {
    let mut polygon = Polygon2D::new_alloc();
    let uv: Vec<Vector2> = mesh
        .vertices
        .iter()
        .map(|&vertex| picture.in_texture(vertex))
        .collect();
    let places: PackedVector2Array = uv.iter().map(|&place| picture.in_sprite(place)).collect();
    polygon.set_polygon(&places);
    polygon.set_uv(&PackedVector2Array::from(uv));
    polygon.set_polygons(&triangles(mesh));
    polygon.set_internal_vertex_count((mesh.vertices.len() - mesh.boundary_count) as i32);
    polygon.set_texture(&picture.texture);
    polygon
}

/// Gives `polygon` the looks of `sprite`.
pub(super) fn look_like(polygon: &mut Gd<Polygon2D>, sprite: &Gd<Sprite2D>) {
    for property in LOOKS.split_whitespace() {
        polygon.set(property, &sprite.get(property));
    }
}

/// The weights of each bone, by its path in the skeleton.
pub(crate) struct BoneWeights {
    skeleton: Gd<Skeleton2D>,
    bones: Vec<(NodePath, PackedFloat32Array)>,
}

impl BoneWeights {
    /// The bones that move something.
    pub(crate) fn new(skeleton: &Gd<Skeleton2D>, bones: &[Gd<Bone2D>], weights: &Weights) -> Self {
        let of_bone = |(index, bone): (usize, &Gd<Bone2D>)| {
            let weights: Vec<f32> = weights.of_bone(index).map(|weight| weight as f32).collect();
            let moves = weights.iter().any(|&weight| weight > 0.0);
            moves.then(|| {
                (
                    skeleton.get_path_to(bone),
                    PackedFloat32Array::from(weights),
                )
            })
        };
        Self {
            skeleton: skeleton.clone(),
            bones: bones.iter().enumerate().filter_map(of_bone).collect(),
        }
    }

    /// Gives them to `polygon`, instead of those that it has. A polygon in the tree then follows their skeleton.
    pub(crate) fn give(&self, polygon: &Gd<Polygon2D>) {
        let mut polygon = polygon.clone();
        if polygon.is_inside_tree() {
            let way = polygon.get_path_to(&self.skeleton);
            polygon.set_skeleton(&way);
        }
        polygon.clear_bones();
        for (path, weights) in &self.bones {
            polygon.add_bone(path, weights);
        }
        polygon.queue_redraw();
    }
}

/// Returns `bones` at rest, in the space of the vertices of `polygon`.
///
/// # Errors
/// Returns an error if `polygon` is not in the tree or has no usable frame, or the bones have no skeleton at rest.
pub(crate) fn bones_in(
    polygon: &Gd<Polygon2D>,
    bones: &[Gd<Bone2D>],
) -> Result<Vec<Bone>, Refusal> {
    if !polygon.is_inside_tree() {
        return Err(format!("\"{}\" is not in the tree", polygon.get_name()).into());
    }
    let skeleton = rest::skeleton_of(bones)?;
    rest::check_frame(&skeleton, &polygon.clone().upcast())?;
    let frame = rest::frame_in(&skeleton, &polygon.clone().upcast()).affine_inverse();
    let offset = polygon.get_offset();
    Ok(rest::bones_at_rest(bones, |place| {
        wide(frame * place - offset)
    }))
}

/// Returns the part of the bones that is in `polygon`.
///
/// # Errors
/// Returns an error if `polygon` has no triangles, or for one of the reasons of [`bones_in`].
pub(crate) fn part_of(polygon: &Gd<Polygon2D>, bones: &[Gd<Bone2D>]) -> Result<Cover, Refusal> {
    let mesh = mesh_of(polygon)?;
    let skeleton = rest::skeleton_of(bones)?;
    let [held, namesake] = rest::bones_of_part(&skeleton, &polygon.clone().upcast(), bones);
    let texture = Painted::of(polygon);
    let is_seen = |place: DVec2| {
        let at = mesh.at(place);
        at.is_some_and(|at| texture.as_ref().is_none_or(|texture| texture.is_seen(at)))
    };
    let middles = (0..mesh.triangles.len()).map(|it| mesh.corners(it).iter().sum::<DVec2>() / 3.0);
    let places: Vec<DVec2> = mesh.vertices.iter().copied().chain(middles).collect();
    let part = Cover::new(&bones_in(polygon, bones)?, held, is_seen, &places);
    Ok(part.named(namesake))
}

/// The texture of a polygon and the part of it that is around its vertices.
pub(super) fn picture_of(polygon: &Gd<Polygon2D>) -> Option<(Gd<Texture2D>, Rect2)> {
    let texture = polygon.get_texture()?;
    let uv = polygon.get_uv();
    let part = around(uv.as_slice().iter().copied())?;
    part.has_area().then_some((texture, part))
}

/// The texture of a polygon.
struct Painted {
    image: Gd<Image>,
    /// Of each vertex, in pixels of the image.
    places: Vec<Vector2>,
}

impl Painted {
    /// None if it is not known which pixels the polygon shows.
    fn of(polygon: &Gd<Polygon2D>) -> Option<Self> {
        let texture = polygon.get_texture()?;
        let uv = polygon.get_uv();
        let image = image_of(&texture)?;
        let scale = image.get_size().to_vector2() / texture.get_size();
        let is_plain = polygon.get_texture_offset() == Vector2::ZERO
            && polygon.get_texture_scale() == Vector2::ONE
            && polygon.get_texture_rotation() == 0.0;
        let is_known = is_plain && uv.len() == polygon.get_polygon().len();
        is_known.then(|| Self {
            image,
            places: uv.as_slice().iter().map(|&place| place * scale).collect(),
        })
    }

    /// Returns `true` if something is seen in a triangle, at the place of these barycentric coordinates.
    fn is_seen(&self, (corners, parts): ([usize; 3], [f64; 3])) -> bool {
        let places = corners.into_iter().zip(parts);
        let place: Vector2 = places
            .map(|(corner, part)| self.places[corner] * part as f32)
            .sum();
        let place = place.floor().to_vector2i();
        let size = Rect2i::new(Vector2i::ZERO, self.image.get_size());
        size.contains_point(place) && is_opaque(&self.image, place, None)
    }
}

/// The vertices and triangles of `polygon`.
///
/// # Errors
/// That there are none.
pub(crate) fn mesh_of(polygon: &Gd<Polygon2D>) -> Result<Mesh, Refusal> {
    let vertices = polygon.get_polygon();
    let places = vertices.as_slice().iter().copied().map(wide);
    Mesh::new(places.collect(), triangles_of(polygon))
        .map_err(|fault| format!("\"{}\": {fault}", polygon.get_name()).into())
}

/// The triangles of `polygon`: those of its polygons, or of its outline if it has none.
fn triangles_of(polygon: &Gd<Polygon2D>) -> Vec<[usize; 3]> {
    let vertices = polygon.get_polygon();
    let polygons: Vec<Vec<usize>> = polygon
        .get_polygons()
        .iter_shared()
        .filter_map(|corners| corners.try_to::<PackedInt32Array>().ok())
        .map(|corners| {
            corners
                .as_slice()
                .iter()
                .filter_map(|&corner| usize::try_from(corner).ok())
                .collect()
        })
        .collect();
    let inner = usize::try_from(polygon.get_internal_vertex_count()).unwrap_or(0);
    let outline = (0..vertices.len().saturating_sub(inner)).collect();
    let polygons = if polygons.is_empty() {
        vec![outline]
    } else {
        polygons
    };
    polygons
        .iter()
        .flat_map(|corners| triangulated(&vertices, corners))
        .collect()
}

fn triangulated(vertices: &PackedVector2Array, corners: &[usize]) -> Vec<[usize; 3]> {
    if let &[a, b, c] = corners {
        return vec![[a, b, c]];
    }
    let places: Option<PackedVector2Array> =
        corners.iter().map(|&corner| vertices.get(corner)).collect();
    let triangles = places.map(|places| Geometry2D::singleton().triangulate_polygon(&places));
    let triangles = triangles.unwrap_or_default();
    let corner = |index: &i32| corners[*index as usize];
    triangles
        .as_slice()
        .chunks_exact(3)
        .map(|it| [corner(&it[0]), corner(&it[1]), corner(&it[2])])
        .collect()
}
