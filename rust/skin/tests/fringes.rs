//! Drawings with all that can be seen of them: soft edges, the dotted fringe that programs leave around what they scale, glows
//! and dirt.

mod figures;

use std::collections::BTreeSet;

use figures::Figure;
use figures::pixels::Pixels;
use tendon_skin::glam::DVec2;
use tendon_skin::{Alpha, Bone, Options, Outline, Skin};

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
    let seen = Pixels::new(figure.size, alpha, 0);
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

/// A picture of this size.
fn painted([width, height]: [usize; 2], alpha_at: impl Fn(usize, usize) -> u8) -> Vec<u8> {
    let pixels = 0..width * height;
    pixels
        .map(|pixel| alpha_at(pixel % width, pixel / width))
        .collect()
}

/// Which bones move a place, in a skin that is parted by a threshold of 100.
fn moved(size: [usize; 2], alpha: &[u8], bones: &[Bone]) -> impl Fn(DVec2) -> Vec<usize> + use<> {
    let parted = Alpha::parted(size[0], size[1], alpha, 100).unwrap();
    let skin = Skin::new(&parted, bones, &Options::default());
    let skin = skin.unwrap();
    move |place| {
        let triangles = 0..skin.mesh.triangles.len();
        let is_in = |&triangle: &usize| {
            let [a, b, c] = skin.mesh.corners(triangle);
            let sides = [(a, b), (b, c), (c, a)].map(|(a, b)| (b - a).perp_dot(place - a));
            sides.iter().all(|&side| side >= 0.0)
        };
        let triangle = triangles.into_iter().find(is_in);
        let corners = triangle.map(|it| skin.mesh.triangles[it]);
        let corners = corners.into_iter().flatten();
        let weights = corners.flat_map(|corner| skin.weights.of(corner));
        let strong = weights.filter(|(_, weight)| *weight > 0.05);
        let bones: BTreeSet<usize> = strong.map(|&(bone, _)| bone).collect();
        bones.into_iter().collect()
    }
}

/// Two bars with a glow around both, of an alpha of 90.
#[test]
fn a_glow_ties_no_parts_together_and_stays() {
    let size = [120, 80];
    let alpha = painted(size, |x, y| match (x, y) {
        (20..=49 | 70..=99, 15..=64) => 255,
        (12..=107, 8..=71) => 90,
        // Dirt, beside the drawing.
        (3..=5, 3..=5) => 90,
        _ => 0,
    });
    let bone = |x: f64| Bone::new(DVec2::new(x, 20.0), DVec2::new(x, 60.0));
    let moved = moved(size, &alpha, &[bone(35.0), bone(85.0)]);
    // Nothing of the glow is missing, and each side moves with its bar.
    for (x, y) in (12..108).flat_map(|x| (8..72).map(move |y| (x, y))) {
        let place = DVec2::new(x as f64 + 0.5, y as f64 + 0.5);
        let found = moved(place);
        assert!(!found.is_empty(), "{place} is not covered");
        if (place.x - 60.0).abs() > 2.0 {
            assert_eq!(found, [usize::from(x > 60)], "{place}");
        }
    }
    assert!(moved(DVec2::new(4.5, 4.5)).is_empty(), "dirt");
}

/// Two legs, and an arm that hangs beside the hip, in a glow that fills the gaps between them.
#[test]
fn a_glow_ties_no_limbs_of_a_part_together() {
    let size = [200, 220];
    let drawn = |x: usize, y: usize| match (x, y) {
        // The body with legs.
        (60..=139, 20..=109) | (60..=91 | 108..=139, 110..=199) => true,
        // The arm goes out and down.
        (140..=173, 24..=39) | (158..=173, 40..=99) => true,
        _ => false,
    };
    let near = |x: usize, y: usize| {
        let reach = |at: usize| at.saturating_sub(9)..=at + 9;
        reach(x).any(|x| reach(y).any(|y| drawn(x, y)))
    };
    let alpha = painted(size, |x, y| match (drawn(x, y), near(x, y)) {
        (true, _) => 255,
        (_, true) => 90,
        _ => 0,
    });
    let bone = |from: [f64; 2], to: [f64; 2]| Bone::new(from.into(), to.into());
    let bones = [
        bone([100.0, 100.0], [100.0, 30.0]),
        bone([76.0, 112.0], [76.0, 190.0]).below(Some(0)),
        bone([124.0, 112.0], [124.0, 190.0]).below(Some(0)),
        bone([142.0, 32.0], [166.0, 32.0]).below(Some(0)),
        bone([166.0, 32.0], [166.0, 92.0]).below(Some(3)),
    ];
    let moved = moved(size, &alpha, &bones);
    // Between the legs, up to near where they begin.
    for y in 140..200 {
        for (x, leg, other) in [(96.0, 1, 2), (104.0, 2, 1)] {
            let found = moved(DVec2::new(x, f64::from(y)));
            assert!(found.contains(&leg), "{x}, {y}: {found:?}");
            assert!(!found.contains(&other), "{x}, {y}: {found:?}");
        }
    }
    // Beside the arm, and beside the body.
    for y in 80..98 {
        let at = |x: f64| moved(DVec2::new(x, f64::from(y)));
        let (arm, body) = (at(156.0), at(142.0));
        assert!(arm.contains(&4), "{y}: {arm:?}");
        assert!(body.contains(&0) && !body.contains(&4), "{y}: {body:?}");
    }
}

#[test]
fn what_is_faint_alone_is_all_covered() {
    let alpha = [0, 3, 0, 3, 3, 0];
    let drawn = Alpha::drawn(3, 2, &alpha).unwrap();
    let outline = Outline::new(&drawn, 0.0).unwrap();
    let covers = |x: f64, y: f64| outline.contains(DVec2::new(x, y));
    assert!(covers(1.5, 0.5) && covers(0.5, 1.5) && !covers(0.2, 0.2));
    assert!(Alpha::drawn(2, 1, &[0, 0]).is_err() && Alpha::drawn(2, 2, &[1]).is_err());
}
