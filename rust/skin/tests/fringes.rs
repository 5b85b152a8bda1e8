//! Drawings with all that can be seen of them: soft edges, the dotted fringe that programs leave around what they scale, glows
//! and dirt.

mod figures;

use figures::Figure;
use tendon_skin::glam::DVec2;
use tendon_skin::{Alpha, Outline};

/// An alpha of at most this much is hardly seen.
const FAINT: u8 = 8;

/// How much larger figures are drawn that are then scaled.
const LARGER: usize = 3;

/// How much a pixel at this distance counts for programs that scale with a window of three pixels (Lanczos).
fn lanczos(distance: f64) -> f64 {
    let sinc = |x: f64| {
        if x == 0.0 {
            1.0
        } else {
            (x * std::f64::consts::PI).sin() / (x * std::f64::consts::PI)
        }
    };
    if distance.abs() < 3.0 {
        sinc(distance) * sinc(distance / 3.0)
    } else {
        0.0
    }
}

/// Lines of values, made shorter.
fn shortened(lines: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let short = |line: &Vec<f64>| {
        let value = |at: usize| {
            let middle = (at as f64 + 0.5) * LARGER as f64 - 0.5;
            let (mut sum, mut whole) = (0.0, 0.0);
            for (place, value) in line.iter().enumerate() {
                let part = lanczos((place as f64 - middle) / LARGER as f64);
                sum += part * value;
                whole += part;
            }
            (sum / whole).clamp(0.0, 1.0)
        };
        (0..line.len() / LARGER).map(value).collect()
    };
    lines.iter().map(short).collect()
}

fn turned(lines: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let column = |at: usize| lines.iter().map(|line| line[at]).collect();
    (0..lines[0].len()).map(column).collect()
}

/// A figure that was drawn without soft edges, larger, and then scaled: it has a dotted fringe.
fn scaled(figure: &Figure) -> Vec<u8> {
    let [width, height] = figure.size;
    let at = |pixel: usize| (pixel as f64 + 0.5) / LARGER as f64;
    let is_inside = |x: usize, y: usize| figure.distance(DVec2::new(at(x), at(y))) < 0.0;
    let line = |y: usize| {
        (0..width * LARGER)
            .map(|x| f64::from(u8::from(is_inside(x, y))))
            .collect()
    };
    let lines: Vec<Vec<f64>> = (0..height * LARGER).map(line).collect();
    let small = turned(&shortened(&turned(&shortened(&lines))));
    small
        .concat()
        .iter()
        .map(|value| (value * 255.0).round() as u8)
        .collect()
}

fn outline(figure: &Figure, alpha: &[u8]) -> Outline {
    let drawn = Alpha::drawn(figure.size[0], figure.size[1], alpha).unwrap();
    Outline::new(&drawn, 0.5).unwrap()
}

/// Places in a pixel, and half a pixel around it.
const WITHIN: [(f64, f64); 4] = [(0.01, 0.01), (0.99, 0.01), (0.01, 0.99), (0.99, 0.99)];
const AROUND: [(f64, f64); 4] = [(-0.45, 0.5), (1.45, 0.5), (0.5, -0.45), (0.5, 1.45)];

/// The alpha of the pixels that are not transparent and of which not all of `places` are inside.
fn missing(figure: &Figure, alpha: &[u8], outline: &Outline, places: [(f64, f64); 4]) -> Vec<u8> {
    let extent = DVec2::new(figure.size[0] as f64, figure.size[1] as f64);
    let is_missing = |pixel: usize| {
        let place = DVec2::new(
            (pixel % figure.size[0]) as f64,
            (pixel / figure.size[0]) as f64,
        );
        let mut points = places
            .iter()
            .map(|&(right, down)| place + DVec2::new(right, down));
        points.any(|point| point.clamp(DVec2::ZERO, extent) == point && !outline.contains(point))
    };
    let seen = (0..alpha.len()).filter(|&pixel| alpha[pixel] > 0);
    seen.filter(|&pixel| is_missing(pixel))
        .map(|pixel| alpha[pixel])
        .collect()
}

/// How far the outline goes from what can be seen, in tenths of a pixel, up to 3 px.
fn farthest(figure: &Figure, alpha: &[u8], outline: &Outline) -> u32 {
    let seen = Alpha::new(figure.size[0], figure.size[1], alpha, 0).unwrap();
    let away = |point: DVec2| {
        let mut distances = 0..30;
        let near = distances.find(|&tenths| seen.is_near(point, f64::from(tenths) / 10.0));
        near.unwrap_or(30)
    };
    let points = outline.edges().flat_map(|[from, to]| {
        let count = (from.distance(to) * 2.0).ceil() as u32;
        (0..count).map(move |at| from.lerp(to, f64::from(at) / f64::from(count)))
    });
    points.map(away).max().unwrap_or(0)
}

/// The outline of what is easily seen alone.
fn plain(figure: &Figure, alpha: &[u8]) -> Outline {
    let plain = Alpha::new(figure.size[0], figure.size[1], alpha, FAINT).unwrap();
    Outline::new(&plain, 0.5).unwrap()
}

/// Whether its parts have narrow gaps between them.
fn has_gaps(figure: &Figure) -> bool {
    ["arms", "hand", "tree"].contains(&figure.kind)
}

#[test]
fn all_of_a_soft_drawing_is_covered() {
    let mut far = 0;
    for figure in (0..100).map(Figure::random) {
        let alpha = figure.drawing();
        let outline = outline(&figure, &alpha);
        let missing = |places| missing(&figure, &alpha, &outline, places);
        assert_eq!(missing(WITHIN), [], "{}", figure.kind);
        // In a notch the margin is smaller.
        assert!(missing(AROUND).len() <= 1, "{}", figure.kind);
        let away = farthest(&figure, &alpha, &outline);
        assert!(away <= 18, "{}: {away} tenths", figure.kind);
        far += i32::from(away > 15);
        assert_eq!(
            outline.rings.len(),
            1 + figure.holes.len(),
            "{}",
            figure.kind
        );
    }
    assert!(far <= 2, "{far} outlines are further than 1.5 px");
}

#[test]
fn a_fringe_is_covered_without_many_edges() {
    for figure in (0..48).map(Figure::random) {
        let (kind, alpha) = (figure.kind, scaled(&figure));
        let (outline, plain) = (outline(&figure, &alpha), plain(&figure, &alpha));
        let missing = missing(&figure, &alpha, &outline, AROUND);
        assert!(
            has_gaps(&figure) || missing.is_empty(),
            "{kind}: {missing:?}"
        );
        // In a notch the margin is smaller, whatever is covered.
        let easily_seen = missing.iter().filter(|&&alpha| alpha > FAINT);
        assert!(easily_seen.count() <= 20, "{kind}: {missing:?}");
        assert!(outline.rings.len() <= plain.rings.len() + 1, "{kind}");
        let [count, few] = [&outline, &plain].map(|it| it.edges().count());
        assert!(
            count <= few * 2 + 10,
            "{kind}: {count} edges, and {few} without it"
        );
    }
}

#[test]
fn a_fringe_ties_no_arm_to_a_hip() {
    for seed in (1..100).step_by(6) {
        let figure = Figure::random(seed);
        let outline = outline(&figure, &scaled(&figure));
        let trunk = figure.limbs[0];
        let arm = figure
            .limbs
            .iter()
            .find(|limb| limb.parent == Some(3))
            .unwrap();
        let [left, right] = [trunk.from.x - trunk.radii[0], arm.from.x + arm.radii[0]];
        for height in 0..50 {
            let y = trunk.from.y - f64::from(height);
            let mut gap = (1..40).map(|at| right + (left - right) * f64::from(at) / 40.0);
            assert!(
                gap.any(|x| !outline.contains(DVec2::new(x, y))),
                "{seed}: closed at {y}"
            );
        }
    }
}

#[test]
fn a_glow_belongs_to_a_drawing_and_dirt_does_not() {
    let (side, middle) = (160, DVec2::splat(80.0));
    let place = |pixel: usize| DVec2::new((pixel % side) as f64 + 0.5, (pixel / side) as f64 + 0.5);
    let alpha = |pixel: usize| match place(pixel).distance(middle) {
        near if near < 30.0 => 255,
        // A glow that ends with an alpha of 1, twenty pixels further.
        near if near < 50.0 => (1.0 + 7.0 * (50.0 - near) / 20.0) as u8,
        _ if (pixel * 7919).is_multiple_of(61) => 8,
        _ => 0,
    };
    let alpha: Vec<u8> = (0..side * side).map(alpha).collect();
    let outline = Outline::new(&Alpha::drawn(side, side, &alpha).unwrap(), 0.5).unwrap();
    assert_eq!(outline.rings.len(), 1);
    for angle in 0..60 {
        let way = DVec2::from_angle(f64::from(angle));
        assert!(outline.contains(middle + way * 49.0));
        assert!(!outline.contains(middle + way * 53.0));
    }
}

/// Two bars with a glow around both, of an alpha of 90.
#[test]
fn a_glow_ties_no_parts_together_and_stays() {
    let (width, height) = (120, 80);
    let alpha_at = |x: usize, y: usize| match (x, y) {
        (20..=49 | 70..=99, 15..=64) => 255,
        (12..=107, 8..=71) => 90,
        // Dirt, beside the drawing.
        (3..=5, 3..=5) => 90,
        _ => 0,
    };
    let alpha: Vec<u8> = (0..width * height)
        .map(|pixel| alpha_at(pixel % width, pixel / width))
        .collect();
    let tied = Outline::new(&Alpha::drawn(width, height, &alpha).unwrap(), 0.5).unwrap();
    let parted = Alpha::parted(width, height, &alpha, 100).unwrap();
    let parted = Outline::new(&parted, 0.5).unwrap();
    assert_eq!((tied.rings.len(), parted.rings.len()), (2, 2));
    let parts = |outline: &Outline| -> Vec<bool> {
        let middle = |x| outline.contains(DVec2::new(x, 40.0));
        [30.0, 55.0, 65.0, 90.0, 4.0]
            .into_iter()
            .map(middle)
            .collect()
    };
    assert_eq!(parts(&parted), [true, true, true, true, false]);
    assert!(!parted.contains(DVec2::new(4.5, 4.5)));
    // All of the glow but a line.
    let glow = |&(x, y): &(usize, usize)| x > 6 && alpha_at(x, y) > 0;
    let pixels = (0..width).flat_map(|x| (0..height).map(move |y| (x, y)));
    let is_open =
        |&(x, y): &(usize, usize)| !parted.contains(DVec2::new(x as f64 + 0.5, y as f64 + 0.5));
    let (all, open) = pixels.filter(glow).fold((0, 0), |(all, open), pixel| {
        (all + 1, open + usize::from(is_open(&pixel)))
    });
    assert!(open <= 64, "{open} of {all} pixels are not covered");
    assert!((0..8).all(|row| {
        let y = 10.0 + f64::from(row) * 8.0;
        (0..200).any(|at| !parted.contains(DVec2::new(55.0 + f64::from(at) / 20.0, y)))
    }));
}

#[test]
fn what_is_faint_alone_is_all_covered() {
    let alpha = [0, 3, 0, 3, 3, 0];
    let drawn = Alpha::drawn(3, 2, &alpha).unwrap();
    assert!(drawn.is_opaque(1, 0) && drawn.is_opaque(0, 1) && !drawn.is_opaque(0, 0));
    assert!(Alpha::drawn(2, 1, &[0, 0]).is_err() && Alpha::drawn(2, 2, &[1]).is_err());
}
