//! Where a glow is cut that ties parts of a drawing together.
//!
//! All of the glow stays covered. Each place of it belongs to the nearest place of the drawing, and where that changes to one that
//! is far along the outline of the drawing, as between an arm and the hip beside it, the mesh is cut.

use std::collections::{BTreeMap, BTreeSet};

use glam::DVec2;

use super::alpha::Alpha;
use super::cells::{AROUND, Cells, regions};
use super::field::Field;
use super::{DEVIATION, PictureFault, gaps};

/// The ratio between the sizes of the largest part of a drawing and the smallest. Smaller ones are sparks in the glow.
const SMALLEST: usize = 200;

/// The width of a glow that is cut, on each side, in half pixels.
const REACH: isize = 160;

/// The length of a seam beyond the glow, in half pixels: outlines are further out.
const BEYOND: isize = 6;

/// A twig of so few steps of half a pixel is none.
const TWIG: usize = 8;

/// A corner of the grid of half pixels.
type GridCorner = (isize, isize);

impl Alpha {
    /// A picture whose parts are what has an alpha of more than `threshold`. What is fainter counts as opaque as far as it
    /// hangs together with one of them, and meshes are cut in the middle between two parts, or two sides of a gap.
    pub fn parted(
        width: usize,
        height: usize,
        alpha: &[u8],
        threshold: u8,
    ) -> Result<Self, PictureFault> {
        let (picture, squares) = Self::squares(width, height, alpha, threshold)?;
        let size = picture.size();
        let mut opaque = vec![false; squares.len()];
        for region in regions(size, |it| squares[it] > 0, &AROUND) {
            let is_drawn = region.iter().any(|&it| squares[it] > threshold);
            region.into_iter().for_each(|it| opaque[it] = is_drawn);
        }
        let parts = regions(size, |it| squares[it] > threshold, &AROUND);
        let largest = parts.iter().map(Vec::len).max().unwrap_or(0);
        let mut drawn = vec![false; squares.len()];
        let large = parts.iter().filter(|it| it.len() * SMALLEST >= largest);
        large.flatten().for_each(|&it| drawn[it] = true);
        let drawn = Cells::new(&picture.clone().with_opaque(drawn), DEVIATION);
        let mut picture = picture.with_opaque(opaque);
        picture.seams = seams(&picture, &drawn);
        Ok(picture)
    }
}

/// The lines in the glow of a picture whose parts are the `drawn` cells.
fn seams(picture: &Alpha, drawn: &Cells) -> Vec<Vec<DVec2>> {
    let covered = Field::new(&Cells::opaque(picture));
    let mut edges = gaps::seams(drawn, REACH);
    edges.retain(|&[(x, y), _]| {
        let cell = drawn.index(x, y);
        let away = cell.and_then(|cell| covered.between(cell));
        away.is_some_and(|away| away <= BEYOND * BEYOND)
    });
    let place = |&(x, y): &GridCorner| picture.in_pixels(DVec2::new(x as f64, y as f64) / 2.0);
    let lines = lines(&edges).into_iter();
    lines.map(|line| line.iter().map(place).collect()).collect()
}

/// The lines that edges make, from one corner that is not between two edges to the next.
fn lines(edges: &[[GridCorner; 2]]) -> Vec<Vec<GridCorner>> {
    let mut ways: BTreeMap<GridCorner, Vec<GridCorner>> = BTreeMap::new();
    for &[from, to] in edges {
        ways.entry(from).or_default().push(to);
        ways.entry(to).or_default().push(from);
    }
    let (ends, loops): (Vec<GridCorner>, Vec<GridCorner>) =
        ways.keys().partition(|&corner| ways[corner].len() != 2);
    let mut walked = BTreeSet::new();
    let mut lines = Vec::new();
    for start in ends.into_iter().chain(loops) {
        for &next in &ways[&start] {
            if walked.contains(&(start, next)) {
                continue;
            }
            let mut line = vec![start, next];
            while let [from, at] = line[line.len() - 2..] {
                walked.extend([(from, at), (at, from)]);
                match ways[&at][..] {
                    [a, b] if at != start => line.push(if a == from { b } else { a }),
                    _ => break,
                }
            }
            let is_free = [line[0], line[line.len() - 1]]
                .iter()
                .any(|it| ways[it].len() == 1);
            if !is_free || line.len() > TWIG {
                lines.push(line);
            }
        }
    }
    lines
}
