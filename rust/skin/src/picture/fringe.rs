//! Which of the pixels that are hardly seen belong to a drawing.
//!
//! Programs that scale drawings leave a fringe of such pixels around them, dotted, and a pixel away from the edge. It is covered,
//! so that nothing of the drawing is missing, and the dots become an area: their outline would need thousands
//! of vertices. In the middle of a gap between two parts nothing is covered that is hardly seen: it would tie an
//! arm to the hip beside it. Further away a glow belongs to the drawing, and dirt does not.

use super::alpha::Alpha;
use super::cells::{AROUND, BESIDE, Cells, beside, regions};
use super::field::Field;
use super::{DEVIATION, PictureFault, boundary, gaps};

/// Pixels with at most this much alpha are hardly seen.
const FAINT: u8 = 8;

/// The width of a fringe, in pixels: the reach of the filters with which programs scale pictures.
const REACH: isize = 3;

/// The smallest glow, in pixels.
const SMALLEST_GLOW: usize = 16;

/// The least number of pixels of a glow for each side of one that is at its edge. Dirt has fewer.
const COMPACT: usize = 2;

impl Alpha {
    /// A picture of which all that can be seen counts as opaque: also the fringe around it that is hardly seen, with the
    /// holes in that, and not what is dirt.
    pub fn drawn(width: usize, height: usize, alpha: &[u8]) -> Result<Self, PictureFault> {
        let (picture, squares) = Self::squares(width, height, alpha, 0)?;
        let opaque = covered(&picture, &squares);
        Ok(picture.with_opaque(opaque))
    }
}

/// Returns `true` for each pixel that is to be covered.
fn covered(picture: &Alpha, alpha: &[u8]) -> Vec<bool> {
    let visible: Vec<bool> = alpha.iter().map(|&value| value > FAINT).collect();
    if !visible.contains(&true) {
        return alpha.iter().map(|&value| value > 0).collect();
    }
    let fringe = Fringe::new(picture, visible);
    let mut covered = fringe.visible.clone();
    for pixel in (0..alpha.len()).filter(|&it| alpha[it] > 0 && fringe.zone[it]) {
        covered[pixel] = true;
    }
    fringe.add_glows(alpha, &mut covered);
    fringe.close(&mut covered);
    fringe.fill_holes(&mut covered);
    covered
}

/// The surroundings of the visible pixels.
struct Fringe {
    size: [usize; 2],
    visible: Vec<bool>,
    /// `true` for the pixels of a possible fringe. None is in the middle of a gap.
    zone: Vec<bool>,
    /// The middle of gaps.
    middle: Vec<bool>,
}

impl Fringe {
    fn new(picture: &Alpha, visible: Vec<bool>) -> Self {
        let [width, _] = picture.size();
        let cells = Cells::new(&picture.clone().with_opaque(visible.clone()), DEVIATION);
        let (field, walks) = (Field::new(&cells), boundary::walks(&cells));
        let middles = gaps::middles(&cells, &field, &walks, 2 * REACH + 2);
        let middle = (0..visible.len()).map(|pixel| {
            let corner = pixel / width * 2 * cells.width + pixel % width * 2;
            let own = [0, 1, cells.width, cells.width + 1];
            !visible[pixel] && own.iter().any(|cell| middles[corner + cell])
        });
        let mut fringe = Self {
            middle: middle.collect(),
            zone: vec![false; visible.len()],
            size: picture.size(),
            visible,
        };
        fringe.find_zone();
        fringe
    }

    fn find_zone(&mut self) {
        for pixel in (0..self.visible.len()).filter(|&it| self.visible[it]) {
            if self.neighbours(pixel, &BESIDE).all(|it| self.visible[it]) {
                continue;
            }
            for (right, down) in (-REACH..=REACH).flat_map(|down| {
                let across = -REACH..=REACH;
                across.map(move |right| (right, down))
            }) {
                if right * right + down * down <= REACH * REACH
                    && let Some(near) = beside(self.size, pixel, (right, down))
                    && !self.visible[near]
                    && !self.middle[near]
                {
                    self.zone[near] = true;
                }
            }
        }
    }

    /// Covers what is hardly seen and further away, if it is an area.
    fn add_glows(&self, alpha: &[u8], covered: &mut [bool]) {
        let is_far = |pixel: usize| {
            alpha[pixel] > 0 && !self.visible[pixel] && !self.zone[pixel] && !self.middle[pixel]
        };
        for glow in regions(self.size, is_far, &AROUND) {
            let sides = glow.iter().flat_map(|&it| self.neighbours(it, &BESIDE));
            let open = sides.filter(|&it| alpha[it] == 0).count();
            if glow.len() >= SMALLEST_GLOW && glow.len() >= open * COMPACT {
                glow.into_iter().for_each(|it| covered[it] = true);
            }
        }
    }

    /// Covers the pixels between those that are at most two pixels apart, beside one that is hardly seen.
    fn close(&self, covered: &mut [bool]) {
        let is_beside =
            |pixel: usize| covered[pixel] || self.neighbours(pixel, &BESIDE).any(|it| covered[it]);
        let wide: Vec<bool> = (0..covered.len()).map(is_beside).collect();
        let faint: Vec<bool> = (0..covered.len())
            .map(|it| covered[it] && !self.visible[it])
            .collect();
        let is_at_fringe = |pixel: usize| self.neighbours(pixel, &AROUND).any(|it| faint[it]);
        let closed = (0..covered.len()).filter(|&it| self.zone[it] && wide[it]);
        for pixel in closed.filter(|&it| is_at_fringe(it)) {
            let mut beside = self.neighbours(pixel, &BESIDE);
            covered[pixel] |= beside.by_ref().filter(|&it| wide[it]).count() == BESIDE.len();
        }
    }

    /// Covers what a fringe encloses. A hole of the drawing is none of it, even if it is as small.
    fn fill_holes(&self, covered: &mut [bool]) {
        let mut is_open = vec![false; covered.len()];
        for region in regions(self.size, |it| !self.visible[it], &BESIDE) {
            let is_deep = region.iter().any(|&it| !self.zone[it]);
            region.into_iter().for_each(|it| is_open[it] = is_deep);
        }
        for hole in regions(self.size, |it| !covered[it], &BESIDE) {
            if hole.iter().all(|&it| self.zone[it] && is_open[it]) {
                hole.into_iter().for_each(|it| covered[it] = true);
            }
        }
    }

    fn neighbours(&self, pixel: usize, around: &[(isize, isize)]) -> impl Iterator<Item = usize> {
        let ways = around.iter();
        ways.filter_map(move |&way| beside(self.size, pixel, way))
    }
}
