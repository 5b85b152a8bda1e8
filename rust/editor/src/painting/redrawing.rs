//! Another drawing for a polygon with weights: its outline changes, and weights stay by place.

use godot::classes::{Polygon2D, Texture2D};
use godot::prelude::*;
use tendon_skin::glam::{DMat3, DVec2, DVec3};
use tendon_skin::{Alpha, Bone, Density, Mesh, Options, Skin};

use crate::drawn::around;
use crate::painting::commands::movers;
use crate::painting::weighed::WeighedPolygon;
use crate::refusal::Refusal;
use crate::selection::selected;
use crate::skin::picture::{alpha_of, image_of, narrow, wide};
use crate::skin::polygon::{bones_in, mesh_of};
use crate::skin::reshape::{Before, reshape};

/// The largest distance of texture coordinates from one scale, shift and turn of the polygon, in pixels.
const UNEVEN: f64 = 0.75;

/// Texture sizes are of the same shape if their ratios differ by less than this part.
const SAME_SHAPE: f32 = 0.01;

/// A polygon that covers less of its texture than this part of each side shows a part of an atlas.
const WHOLE: f32 = 0.5;

/// The distance that the new drawing may reach beyond a part of an atlas, as a part of its size.
const FURTHER: f32 = 0.1;

/// The one polygon that is selected, with a skeleton.
///
/// # Errors
/// Returns an error that says what to select, if it is not one polygon with a skeleton.
pub(crate) fn selected_skin() -> Result<Gd<Polygon2D>, Refusal> {
    let [polygon] = <[_; 1]>::try_from(selected::<Polygon2D>())
        .map_err(|_| "Select the one Polygon2D whose drawing is to be replaced.")?;
    WeighedPolygon::read(&polygon, None).map(|_| polygon)
}

/// Gives `polygon` another drawing as one undo step, and returns what to tell the user.
///
/// # Errors
/// Why it is not possible. Nothing is changed then.
pub(crate) fn replace_drawing(
    polygon: &Gd<Polygon2D>,
    texture: &Gd<Texture2D>,
    title: &str,
) -> Result<String, Refusal> {
    let before = Before::of(polygon);
    let told = redraw(polygon, texture, Fineness::AsBefore)?;
    before.keep(title)?;
    Ok(told)
}

/// The fineness of the new mesh.
#[derive(Clone, Copy)]
pub(crate) enum Fineness {
    /// About as many vertices as there were.
    AsBefore,
    Of(Density),
}

/// The same without an undo step.
///
/// # Errors
/// Why it is not possible. Nothing is changed then.
pub(crate) fn redraw(
    polygon: &Gd<Polygon2D>,
    texture: &Gd<Texture2D>,
    fineness: Fineness,
) -> Result<String, Refusal> {
    let old = WeighedPolygon::read(polygon, None)?;
    let drawing = Drawing::of(polygon, texture)?;
    let moving = movers(&old)?;
    let bones: Vec<_> = moving.iter().map(|&it| old.bones[it].clone()).collect();
    let bones = bones_in(polygon, &bones)?;
    let bones: Vec<Bone> = bones.iter().map(|bone| drawing.bone(bone)).collect();
    let options = Options {
        density: match fineness {
            Fineness::AsBefore => Density::Vertices(old.mesh().vertices.len()),
            Fineness::Of(density) => density,
        },
        ..Options::default()
    };
    let name = polygon.get_name();
    let skin = Skin::new(&drawing.alpha, &bones, &options)
        .map_err(|fault| format!("\"{name}\": {fault}"))?;
    let places = skin.mesh.vertices.iter().map(|&it| drawing.in_polygon(it));
    let mesh = Mesh {
        vertices: places.collect(),
        ..skin.mesh.clone()
    };
    let fresh = skin.weights.renumbered(&moving);
    let carried = old.weights.carried(old.mesh(), &mesh, &fresh);
    let before = Before::of(polygon);
    reshape(polygon, &mesh, &mesh.origins(old.mesh()));
    let mut changed = polygon.clone();
    changed.set_texture(texture);
    let uv = skin.mesh.vertices.iter().map(|&it| drawing.in_texture(it));
    changed.set_uv(&uv.collect());
    let given = WeighedPolygon::read(polygon, None).map(|now| now.give(&carried));
    if let Err(reason) = given {
        before.restore();
        return Err(reason);
    }
    let mut told = format!(
        "\"{name}\" has its new drawing: {} vertices, {} before. Weights are kept by place.",
        mesh.vertices.len(),
        old.mesh().vertices.len()
    );
    if is_cut(old.mesh()) {
        told += " Cuts have to be made again.";
    }
    Ok(told)
}

/// The new drawing, and where it is in the polygon.
struct Drawing {
    alpha: Alpha,
    /// From its pixels to its texture.
    origin: DVec2,
    pixel: DVec2,
    /// From its texture to the polygon.
    placing: Placing,
}

/// From one plane to another.
struct Placing {
    x: DVec3,
    y: DVec3,
}

impl Drawing {
    fn of(polygon: &Gd<Polygon2D>, texture: &Gd<Texture2D>) -> Result<Self, Refusal> {
        let name = polygon.get_name();
        let uv = polygon.get_uv();
        let shown = polygon.get_texture();
        let shown = shown.filter(|_| uv.len() == polygon.get_polygon().len());
        let shown = shown.ok_or_else(|| {
            format!("\"{name}\" has no texture or no texture coordinates: it is not known where the drawing belongs. Give it some in the UV editor")
        })?;
        mesh_of(polygon)?;
        let (old, new) = (shown.get_size(), texture.get_size());
        let ratio = (new.x / old.x) / (new.y / old.y);
        // The same drawing in another resolution, or one with more room around.
        let (scale, shift) = match (ratio - 1.0).abs() < SAME_SHAPE {
            true => (old / new, Vector2::ZERO),
            false => (Vector2::ONE, (old - new) / 2.0),
        };
        let fitted = Placing::fitted(&uv, &polygon.get_polygon(), &name)?;
        let image = image_of(texture).ok_or("the pixels of the new drawing cannot be read")?;
        let size = image.get_size().to_vector2();
        let pixel = new / size;
        let used = around(uv.as_slice().iter().copied()).unwrap_or_default();
        let is_whole = used.size.x >= WHOLE * old.x && used.size.y >= WHOLE * old.y;
        let window = match is_whole {
            true => Rect2::new(Vector2::ZERO, new),
            false => {
                let used = used.grow(FURTHER * used.size.x.max(used.size.y));
                let low = (used.position - shift) / scale;
                Rect2::new(low, used.size / scale)
            }
        };
        let low = (window.position / pixel).floor().clamp(Vector2::ZERO, size);
        let high = (window.end() / pixel).ceil().clamp(Vector2::ZERO, size);
        let part = Rect2i::from_position_end(low.to_vector2i(), high.to_vector2i());
        if !part.has_area() {
            return Err("the new drawing has nothing where the old one was".into());
        }
        Ok(Self {
            alpha: alpha_of(&image, part, None)?,
            origin: wide(low * pixel),
            pixel: wide(pixel),
            placing: fitted.after(wide(scale), wide(shift)),
        })
    }

    fn in_texture(&self, place: DVec2) -> Vector2 {
        narrow(self.origin + place * self.pixel)
    }

    fn in_polygon(&self, place: DVec2) -> DVec2 {
        self.placing.apply(self.origin + place * self.pixel)
    }

    /// A bone of the polygon in the pixels of the drawing.
    fn bone(&self, bone: &Bone) -> Bone {
        let place = |place: DVec2| (self.placing.undo(place) - self.origin) / self.pixel;
        let mut bone = bone.clone();
        for segment in &mut bone.segments {
            *segment = segment.map(place);
        }
        bone
    }
}

impl Placing {
    /// Returns the map from texture coordinates to their points, by least squares.
    fn fitted(
        uv: &PackedVector2Array,
        points: &PackedVector2Array,
        name: &StringName,
    ) -> Result<Self, Refusal> {
        let pairs = || uv.as_slice().iter().zip(points.as_slice());
        let (mut sums, mut x, mut y) = (DMat3::ZERO, DVec3::ZERO, DVec3::ZERO);
        for (&from, &to) in pairs() {
            let (from, to) = (wide(from).extend(1.0), wide(to));
            sums += DMat3::from_cols(from * from.x, from * from.y, from * from.z);
            x += from * to.x;
            y += from * to.y;
        }
        let inverse = sums.inverse();
        let fitted = Self {
            x: inverse * x,
            y: inverse * y,
        };
        let scale = fitted
            .x
            .truncate()
            .length()
            .max(fitted.y.truncate().length());
        let is_even = pairs()
            .all(|(&from, &to)| fitted.apply(wide(from)).distance(wide(to)) <= UNEVEN * scale);
        match is_even {
            true => Ok(fitted),
            false => Err(format!(
                "the texture of \"{name}\" was stretched by hand in the UV editor: make a skin of a sprite with the new drawing"
            )
            .into()),
        }
    }

    /// The same, after places were scaled and shifted.
    fn after(&self, scale: DVec2, shift: DVec2) -> Self {
        let row = |row: DVec3| {
            let [a, b] = [row.x * scale.x, row.y * scale.y];
            DVec3::new(a, b, row.z + row.truncate().dot(shift))
        };
        Self {
            x: row(self.x),
            y: row(self.y),
        }
    }

    fn apply(&self, place: DVec2) -> DVec2 {
        let place = place.extend(1.0);
        DVec2::new(self.x.dot(place), self.y.dot(place))
    }

    fn undo(&self, place: DVec2) -> DVec2 {
        let matrix = DMat3::from_cols(self.x, self.y, DVec3::Z).transpose();
        (matrix.inverse() * place.extend(1.0)).truncate()
    }
}

/// Returns `true` if two vertices are at the same place, as those at both sides of a cut.
fn is_cut(mesh: &Mesh) -> bool {
    let mut places: Vec<_> = mesh
        .vertices
        .iter()
        .map(|it| (it.x.to_bits(), it.y.to_bits()))
        .collect();
    places.sort_unstable();
    places.windows(2).any(|pair| pair[0] == pair[1])
}
