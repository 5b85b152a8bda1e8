//! A polygon that is cut along a line.

use godot::prelude::*;
use tendon_skin::glam::DVec2;
use tendon_skin::{Painting, Weights};

use crate::painting::commands::{movers, weigh};
use crate::painting::weighed::WeighedPolygon;
use crate::refusal::Refusal;
use crate::skin::reshape::{Before, reshape};

/// Weights that are computed with the cut and without it: from the first difference on they change, from the second on altogether.
const CHANGED: [f64; 2] = [0.02, 0.1];

/// Cuts the polygon along a line through places of the viewport, where its vertices are at `places`. Weights change where the cut
/// makes others of them; those of locked bones stay, and what was painted elsewhere. Returns what to tell the user.
///
/// # Errors
/// Why it is not possible. Nothing has changed then.
pub(super) fn cut(
    weighed: &WeighedPolygon,
    locked: Vec<bool>,
    places: &[Vector2],
    line: &[Vector2],
) -> Result<String, Refusal> {
    let old = weighed.mesh();
    let line: Vec<DVec2> = line.iter().map(|&it| weighed.at_rest(places, it)).collect();
    let mesh = old.cut(&[line]).map_err(|fault| fault.to_string())?;
    if mesh.triangles.len() == old.triangles.len() && mesh.vertices.len() == old.vertices.len() {
        return Err("The line cuts nothing: draw it over the polygon.".into());
    }
    let moving = movers(weighed)?;
    let without = weigh(weighed, &moving)?;
    let before = Before::of(&weighed.polygon);
    reshape(&weighed.polygon, &mesh, &mesh.origins(old));
    let done = WeighedPolygon::read(&weighed.polygon, None).and_then(|now| {
        let fresh = weigh(&now, &moving)?;
        let without = without.carried(old, now.mesh(), &fresh);
        let amounts: Vec<f64> = (0..now.mesh().vertices.len())
            .map(|vertex| amount(difference(&without, &fresh, vertex)))
            .collect();
        let painting = Painting::new(now.mesh().clone(), locked);
        now.give(&painting.replace(&now.weights, &fresh, &amounts));
        before.keep("Cut Polygon")
    });
    if let Err(reason) = done {
        before.restore();
        return Err(reason);
    }
    let count = mesh.vertices.len();
    Ok(format!(
        "Cut: {count} vertices, {} before. The sides of the cut have weights of their own.",
        old.vertices.len()
    ))
}

/// Returns the largest difference between the weights of a vertex.
fn difference(first: &Weights, second: &Weights, vertex: usize) -> f64 {
    let bones = first.of(vertex).iter().chain(second.of(vertex));
    let differences =
        bones.map(|&(bone, _)| (first.weight(vertex, bone) - second.weight(vertex, bone)).abs());
    differences.fold(0.0, f64::max)
}

fn amount(difference: f64) -> f64 {
    ((difference - CHANGED[0]) / (CHANGED[1] - CHANGED[0])).clamp(0.0, 1.0)
}
