//! A sheet to draw on: SVG, in pixels.

use std::fmt::Write as _;

use tendon_solver::glam::Vec2;

/// Nothing is drawn farther out: readers of SVG have trouble with huge numbers.
const FARTHEST: f32 = 1e5;

/// What has been drawn so far. What is not finite, or nowhere near the sheet, is left out.
#[derive(Default)]
pub struct Sheet {
    body: String,
}

impl Sheet {
    /// The finished picture.
    pub fn finish(&self, size: Vec2, style: &str) -> String {
        let Vec2 { x, y } = size;
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {x} {y}\" width=\"{x}\" \
             height=\"{y}\">\n<style>{style}</style>\n{}</svg>\n",
            self.body
        )
    }

    pub fn line(&mut self, class: &str, from: Vec2, to: Vec2) {
        if is_drawable(&[from, to]) {
            let path = format!("M{} L{}", pair(from), pair(to));
            self.push(format_args!("<path class=\"{class}\" d=\"{path}\"/>"));
        }
    }

    pub fn polygon(&mut self, class: &str, corners: &[Vec2]) {
        if is_drawable(corners) {
            let corners: Vec<_> = corners.iter().map(|corner| pair(*corner)).collect();
            let path = format!("M{}Z", corners.join(" L"));
            self.push(format_args!("<path class=\"{class}\" d=\"{path}\"/>"));
        }
    }

    pub fn circle(&mut self, class: &str, centre: Vec2, radius: f32) {
        if is_drawable(&[centre, Vec2::splat(radius)]) {
            let Vec2 { x, y } = rounded(centre);
            self.push(format_args!(
                "<circle class=\"{class}\" cx=\"{x}\" cy=\"{y}\" r=\"{radius}\"/>"
            ));
        }
    }

    pub fn text(&mut self, class: &str, at: Vec2, text: &str) {
        let text = text.replace('&', "&amp;").replace('<', "&lt;");
        let Vec2 { x, y } = rounded(at);
        self.push(format_args!(
            "<text class=\"{class}\" x=\"{x}\" y=\"{y}\">{text}</text>"
        ));
    }

    /// All that `draw` draws is cut off where the rectangle from the origin to `size` ends.
    pub fn clipped(&mut self, size: Vec2, draw: impl FnOnce(&mut Self)) {
        let Vec2 { x, y } = size;
        self.push(format_args!(
            "<clipPath id=\"frame\"><rect width=\"{x}\" height=\"{y}\"/></clipPath>\n\
             <g clip-path=\"url(#frame)\">"
        ));
        draw(self);
        self.push(format_args!("</g>"));
    }

    fn push(&mut self, element: std::fmt::Arguments<'_>) {
        writeln!(self.body, "{element}").expect("a string takes any text");
    }
}

fn is_drawable(points: &[Vec2]) -> bool {
    // NaN fails the comparison.
    points
        .iter()
        .all(|point| point.x.abs() < FARTHEST && point.y.abs() < FARTHEST)
}

/// To a hundredth of a pixel.
fn rounded(point: Vec2) -> Vec2 {
    (100.0 * point).round() / 100.0
}

fn pair(point: Vec2) -> String {
    let Vec2 { x, y } = rounded(point);
    format!("{x} {y}")
}
