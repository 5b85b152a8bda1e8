//! Which edges of a mesh are at its boundary, and what is connected.

use std::collections::BTreeMap;

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

fn root(parents: &mut [usize], mut vertex: usize) -> usize {
    while parents[vertex] != vertex {
        parents[vertex] = parents[parents[vertex]];
        vertex = parents[vertex];
    }
    vertex
}
