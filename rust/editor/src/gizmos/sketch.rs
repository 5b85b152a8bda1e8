//! What is to be drawn, as data: marks in screen pixels, in layers, and the handles.
//! [`crate::gizmos::canvas`] draws it.

use godot::prelude::*;
use tendon_nodes::engine::bone_lines::length_of;

use crate::gizmos::handle::Handle;

/// The layers, lowest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Layer {
    Area,
    Ring,
    Bone,
    Link,
    Point,
}

/// The dashes of a line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum DashPattern {
    Solid,
    Dashed,
    Dotted,
}

impl DashPattern {
    /// Lengths of a dash and of the gap after it, in widths of the line.
    fn rhythm(self) -> Option<(f32, f32)> {
        match self {
            Self::Solid => None,
            Self::Dashed => Some((4.0, 3.0)),
            Self::Dotted => Some((1.2, 2.4)),
        }
    }
}

/// The look of a line. Widths do not depend on the zoom.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct LineStyle {
    pub(super) colour: Color,
    /// Pixels.
    pub(super) width: f32,
    pub(super) pattern: DashPattern,
}

/// An uninterrupted line.
pub(super) fn solid(colour: Color, width: f32) -> LineStyle {
    LineStyle {
        colour,
        width,
        pattern: DashPattern::Solid,
    }
}

/// One thing to draw. All in screen pixels.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Mark {
    /// A line through all points.
    Path {
        points: Vec<Vector2>,
        stroke: LineStyle,
    },
    /// Separate lines between the points of each pair.
    Dashes {
        points: Vec<Vector2>,
        stroke: LineStyle,
    },
    /// An area that can be seen as a whole from its first point.
    Area { points: Vec<Vector2>, colour: Color },
    /// A circle.
    Ring {
        at: Vector2,
        radius: f32,
        stroke: LineStyle,
    },
    /// A disc.
    Disc {
        at: Vector2,
        radius: f32,
        fill: Color,
    },
}

/// Everything to draw. Equal sketches look alike.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Sketch {
    marks: Vec<(Layer, Mark)>,
    pub(super) handles: Vec<Handle>,
}

impl Sketch {
    /// The marks, lowest first. Among those of one layer, the earlier is the lower.
    pub(super) fn marks(&self) -> Vec<&Mark> {
        let mut marks: Vec<_> = self.marks.iter().collect();
        marks.sort_by_key(|(layer, _)| *layer);
        marks.into_iter().map(|(_, mark)| mark).collect()
    }

    /// Adds a line through `points`.
    pub(crate) fn line(&mut self, layer: Layer, points: Vec<Vector2>, stroke: LineStyle) {
        if points.len() < 2 || !points.iter().all(|point| point.is_finite()) {
            return;
        }
        let mark = match dashes(&points, stroke) {
            Some(points) if points.is_empty() => return,
            Some(points) => Mark::Dashes { points, stroke },
            None => Mark::Path { points, stroke },
        };
        self.marks.push((layer, mark));
    }

    /// Adds an area that can be seen as a whole from its first point.
    pub(super) fn area(&mut self, points: Vec<Vector2>, colour: Color) {
        if points.len() >= 3 && points.iter().all(|point| point.is_finite()) {
            self.marks
                .push((Layer::Area, Mark::Area { points, colour }));
        }
    }

    /// Adds a disc.
    pub(super) fn disc(&mut self, layer: Layer, at: Vector2, radius: f32, fill: Color) {
        if at.is_finite() {
            self.marks.push((layer, Mark::Disc { at, radius, fill }));
        }
    }

    /// Adds a circle.
    pub(super) fn ring(&mut self, layer: Layer, at: Vector2, radius: f32, stroke: LineStyle) {
        if at.is_finite() {
            self.marks.push((layer, Mark::Ring { at, radius, stroke }));
        }
    }

    /// Adds a handle.
    pub(super) fn handle(&mut self, handle: Handle) {
        if handle.at.is_finite() {
            self.handles.push(handle);
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.marks.is_empty() && self.handles.is_empty()
    }
}

/// The dashes of a line, each as the pair of its ends. `None` for a line without gaps, or with
/// more than anybody could tell apart.
fn dashes(points: &[Vector2], stroke: LineStyle) -> Option<Vec<Vector2>> {
    let (dash, gap) = stroke.pattern.rhythm()?;
    let (dash, gap) = (dash * stroke.width, gap * stroke.width);
    if length_of(points) > MOST_DASHES * (dash + gap) {
        return None;
    }
    let mut found = Vec::new();
    // What is left of the present dash or gap.
    let (mut drawn, mut left) = (true, dash);
    for pair in points.windows(2) {
        let (mut here, end) = (pair[0], pair[1]);
        // So far away that a dash is lost in rounding, it would never come to the end.
        for _ in 0..MOST_STROKES {
            let way = end - here;
            let length = way.length();
            let step = length.min(left);
            let next = if length > left {
                here + way * (left / length)
            } else {
                end
            };
            if drawn && step > 0.0 {
                found.extend([here, next]);
            }
            left -= step;
            here = next;
            if left > 0.0 {
                break;
            }
            drawn = !drawn;
            left = if drawn { dash } else { gap };
        }
    }
    Some(found)
}

/// More dashes than this in a line are drawn without gaps.
const MOST_DASHES: f32 = 1000.0;

/// The dashes and gaps of such a line.
const MOST_STROKES: usize = 2 * MOST_DASHES as usize + 2;

#[cfg(test)]
mod tests {
    use super::*;

    fn stroke(pattern: DashPattern) -> LineStyle {
        LineStyle {
            colour: Color::WHITE,
            width: 1.0,
            pattern,
        }
    }

    #[test]
    fn dashes_keep_their_rhythm_round_a_corner() {
        let corner = [
            Vector2::ZERO,
            Vector2::new(5.0, 0.0),
            Vector2::new(5.0, 20.0),
        ];
        let found = dashes(&corner, stroke(DashPattern::Dashed)).unwrap();
        let length = |pair: &[Vector2]| pair[0].distance_to(pair[1]);
        // 25 px in dashes of 4 with gaps of 3: 0–4, 7–11, 14–18, 21–25.
        let whole: f32 = found.chunks(2).map(length).sum();
        assert!((whole - 16.0).abs() < 1e-4, "{found:?}");
        assert_eq!(found.len(), 8);
        assert_eq!(found[2], Vector2::new(5.0, 2.0));
    }

    #[test]
    fn endless_lines_are_not_cut_into_dashes() {
        let far = [Vector2::ZERO, Vector2::new(1e9, 0.0)];
        assert_eq!(dashes(&far, stroke(DashPattern::Dotted)), None);
    }

    #[test]
    fn dashes_end_where_numbers_are_coarser_than_they_are() {
        let far = [Vector2::new(1e9, 0.0), Vector2::new(1e9 + 1024.0, 0.0)];
        let found = dashes(&far, stroke(DashPattern::Dashed)).unwrap_or_default();
        assert!(found.len() <= 2 * MOST_STROKES);
    }

    #[test]
    fn what_is_nowhere_is_not_drawn() {
        let mut sketch = Sketch::default();
        let nowhere = Vector2::new(f32::NAN, 0.0);
        sketch.line(
            Layer::Bone,
            vec![Vector2::ZERO, nowhere],
            stroke(DashPattern::Solid),
        );
        let spot = vec![Vector2::ONE; 2];
        sketch.line(Layer::Bone, spot, stroke(DashPattern::Dashed));
        sketch.area(vec![nowhere; 3], Color::WHITE);
        sketch.disc(Layer::Point, nowhere, 1.0, Color::WHITE);
        sketch.ring(Layer::Point, nowhere, 1.0, stroke(DashPattern::Solid));
        assert!(sketch.is_empty());
    }

    #[test]
    fn points_lie_over_bones_whatever_comes_first() {
        let mut sketch = Sketch::default();
        sketch.disc(Layer::Point, Vector2::ZERO, 1.0, Color::WHITE);
        sketch.line(
            Layer::Bone,
            vec![Vector2::ZERO, Vector2::ONE],
            stroke(DashPattern::Solid),
        );
        assert!(matches!(sketch.marks()[1], Mark::Disc { .. }));
    }
}
