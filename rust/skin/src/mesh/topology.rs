//! Which edges of a mesh are at its boundary, and what is connected.

use std::collections::{BTreeMap, BTreeSet};

use super::Mesh;

/// The edges at the boundary, in the direction of their triangle and in the order of their first vertices.
pub(crate) fn boundary_edges(triangles: &[[usize; 3]]) -> Vec<[usize; 2]> {
    let mut edges: BTreeMap<[usize; 2], ([usize; 2], u32)> = BTreeMap::new();
    for &[a, b, c] in triangles {
        for [from, to] in [[a, b], [b, c], [c, a]] {
            edges
                .entry([from.min(to), from.max(to)])
                .or_insert(([from, to], 0))
                .1 += 1;
        }
    }
    let mut boundary: Vec<_> = edges
        .into_values()
        .filter(|&(_, count)| count == 1)
        .map(|(edge, _)| edge)
        .collect();
    boundary.sort_unstable();
    boundary
}

/// For each vertex the smallest vertex that it is connected with.
pub(crate) fn components(mesh: &Mesh) -> Vec<usize> {
    let mut parents: Vec<usize> = (0..mesh.vertices.len()).collect();
    for &[a, b, c] in &mesh.triangles {
        for (from, to) in [(a, b), (b, c)] {
            let (first, second) = (root(&mut parents, from), root(&mut parents, to));
            parents[first.max(second)] = first.min(second);
        }
    }
    (0..parents.len())
        .map(|vertex| root(&mut parents, vertex))
        .collect()
}

/// Triangles that are torn apart at the `cuts`, which are edges with the smaller vertex first. A vertex at a cut becomes one for each
/// part around it. For each vertex that there is then comes the one that it was.
pub(super) fn torn(
    mut triangles: Vec<[usize; 3]>,
    count: usize,
    cuts: &BTreeSet<[usize; 2]>,
) -> (Vec<[usize; 3]>, Vec<usize>) {
    // Corners of triangles belong together at edges that are not cut.
    let mut parents: Vec<usize> = (0..triangles.len() * 3).collect();
    let mut beside: BTreeMap<[usize; 2], [usize; 2]> = BTreeMap::new();
    for (triangle, corners) in triangles.iter().enumerate() {
        for (from, to) in [(0, 1), (1, 2), (2, 0)] {
            let is_ascending = corners[from] < corners[to];
            let [low, high] = if is_ascending { [from, to] } else { [to, from] };
            let ends = [low, high].map(|corner| triangle * 3 + corner);
            let edge = [corners[low], corners[high]];
            let Some(others) = beside.insert(edge, ends).filter(|_| !cuts.contains(&edge)) else {
                continue;
            };
            for (corner, other) in ends.into_iter().zip(others) {
                let (first, second) = (root(&mut parents, corner), root(&mut parents, other));
                parents[first.max(second)] = first.min(second);
            }
        }
    }
    let mut origins: Vec<usize> = (0..count).collect();
    let mut owners: Vec<Option<usize>> = vec![None; count];
    let at_cuts: BTreeSet<usize> = cuts.iter().flatten().copied().collect();
    let mut copies = BTreeMap::new();
    for corner in 0..parents.len() {
        let vertex = triangles[corner / 3][corner % 3];
        let part = root(&mut parents, corner);
        if at_cuts.contains(&vertex) && *owners[vertex].get_or_insert(part) != part {
            let copy = *copies.entry(part).or_insert_with(|| {
                origins.push(vertex);
                origins.len() - 1
            });
            triangles[corner / 3][corner % 3] = copy;
        }
    }
    (triangles, origins)
}

fn root(parents: &mut [usize], mut vertex: usize) -> usize {
    while parents[vertex] != vertex {
        parents[vertex] = parents[parents[vertex]];
        vertex = parents[vertex];
    }
    vertex
}
