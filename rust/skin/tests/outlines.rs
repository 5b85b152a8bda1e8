//! Outlines of drawings with soft edges, and of any pixels at all.

mod figures;

use figures::Figure;
use figures::pixels::Pixels;
use proptest::prelude::*;
use tendon_skin::glam::DVec2;
use tendon_skin::{Alpha, Outline, PictureFault};

/// Whether all of each opaque pixel is inside.
fn assert_contains_pixels(pixels: &Pixels, outline: &Outline, name: &str) {
    for corner in pixels.opaque() {
        for (right, down) in [(0.01, 0.01), (0.99, 0.01), (0.01, 0.99), (0.99, 0.99)] {
            let point = corner + DVec2::new(right, down);
            assert!(outline.contains(point), "{name}: {point} is outside");
        }
    }
}

/// Whether no point of the outline is further than this from an opaque pixel, or outside the picture.
fn assert_is_near(pixels: &Pixels, outline: &Outline, distance: f64, name: &str) {
    let extent = pixels.extent();
    for [from, to] in outline.edges() {
        let count = (from.distance(to) * 10.0).ceil() as u32;
        for sample in 0..=count {
            let point = from.lerp(to, f64::from(sample) / f64::from(count));
            assert!(
                pixels.is_near(point, distance),
                "{name}: {point} is too far away"
            );
            assert!(
                point.clamp(DVec2::ZERO, extent).distance(point) < 1e-9,
                "{name}: {point}"
            );
        }
    }
}

/// Whether no two edges touch that are not neighbours.
fn assert_is_simple(outline: &Outline, name: &str) {
    let edges: Vec<_> = outline.edges().collect();
    let side = |[a, b]: [DVec2; 2], c: DVec2| (b - a).perp_dot(c - a);
    for (index, &first) in edges.iter().enumerate() {
        for &second in &edges[index + 1..] {
            let is_crossing = side(first, second[0]) * side(first, second[1]) < 0.0
                && side(second, first[0]) * side(second, first[1]) < 0.0;
            assert!(!is_crossing, "{name}: {first:?} crosses {second:?}");
        }
    }
}

fn picture(rows: &[&str]) -> Alpha {
    let alpha: Vec<u8> = rows
        .concat()
        .bytes()
        .map(|byte| if byte == b'#' { 255 } else { 0 })
        .collect();
    Alpha::new(rows[0].len(), rows.len(), &alpha, 0).unwrap()
}

#[test]
fn drawings_are_surrounded_within_a_pixel_and_a_half() {
    for seed in 0..100 {
        let figure = Figure::random(seed);
        let pixels = figure.pixels();
        let outline = Outline::new(&figure.alpha(), 0.5).unwrap();
        let name = format!("{} {seed}", figure.kind);
        assert_contains_pixels(&pixels, &outline, &name);
        assert_is_near(&pixels, &outline, 1.5, &name);
        assert_is_simple(&outline, &name);
        assert_eq!(outline.rings.len(), 1 + figure.holes.len(), "{name}");
    }
}

#[test]
fn an_outline_has_few_edges() {
    for seed in (0..100).filter(|seed| seed % 6 != 4) {
        let figure = Figure::random(seed);
        let outline = Outline::new(&figure.alpha(), 0.5).unwrap();
        let length: f64 = outline.edges().map(|[from, to]| from.distance(to)).sum();
        let count = outline.edges().count() as f64;
        assert!(
            length / count > 5.0,
            "{} {seed}: {count} edges of {length} pixels",
            figure.kind
        );
    }
}

#[test]
fn a_gap_between_an_arm_and_a_hip_stays_open() {
    for seed in (1..200).step_by(6) {
        let figure = Figure::random(seed);
        let outline = Outline::new(&figure.alpha(), 0.5).unwrap();
        let trunk = figure.limbs[0];
        let arm = figure
            .limbs
            .iter()
            .find(|limb| limb.parent == Some(3))
            .unwrap();
        let between = (arm.from.x + arm.radii[0] + trunk.from.x - trunk.radii[0]) / 2.0;
        for height in 0..50 {
            let place = DVec2::new(between, trunk.from.y - f64::from(height));
            assert!(!outline.contains(place), "{seed}: closed at {place}");
        }
    }
}

#[test]
fn parts_and_holes_are_kept_but_pinpricks() {
    let outline = Outline::new(
        &picture(&[
            "..............",
            ".########.###.",
            ".#......#.#.#.",
            ".#.##...#.###.",
            ".#.##...#.....",
            ".#......#.....",
            ".########.....",
            "..............",
        ]),
        0.0,
    )
    .unwrap();
    let signs: Vec<bool> = outline
        .rings
        .iter()
        .map(|ring| {
            Outline {
                rings: vec![ring.clone()],
            }
            .area()
                > 0.0
        })
        .collect();
    // A frame, another part, the hole in the frame, and the island in it.
    assert_eq!(signs, [true, true, false, true]);
}

#[test]
fn a_full_picture_has_four_corners() {
    let outline = Outline::new(&picture(&["###", "###"]), 2.0).unwrap();
    assert_eq!(outline.rings.len(), 1);
    assert_eq!(outline.rings[0].len(), 4);
    assert_eq!(outline.area(), 6.0);
}

#[test]
fn a_margin_is_kept() {
    let figure = Figure::random(5);
    let pixels = figure.pixels();
    let outline = Outline::new(&figure.alpha(), 3.0).unwrap();
    assert_is_near(&pixels, &outline, 4.0, "wide");
    let nearest = |[from, to]: [DVec2; 2]| !pixels.is_near((from + to) / 2.0, 2.0);
    assert!(
        outline.edges().filter(|&edge| nearest(edge)).count() * 10 > outline.edges().count() * 9
    );
}

#[test]
fn the_threshold_says_what_is_opaque() {
    assert!(matches!(
        Alpha::new(2, 1, &[9, 10], 10),
        Err(PictureFault::Empty)
    ));
    // The left one of the two pixels is not.
    let outline = Outline::new(&Alpha::new(2, 1, &[10, 11], 10).unwrap(), 0.0).unwrap();
    assert!(!outline.contains(DVec2::new(0.3, 0.5)) && outline.contains(DVec2::new(1.5, 0.5)));
}

#[test]
fn bad_pictures_and_margins_are_refused() {
    let size = Alpha::new(3, 2, &[255; 5], 0).unwrap_err();
    assert_eq!(
        size,
        PictureFault::Size {
            width: 3,
            height: 2,
            count: 5
        }
    );
    assert_eq!(Alpha::new(0, 0, &[], 0).unwrap_err(), PictureFault::Empty);
    for margin in [-1.0, f64::NAN, f64::INFINITY, 65.0] {
        assert_eq!(
            Outline::new(&picture(&["#"]), margin),
            Err(PictureFault::Margin)
        );
    }
}

proptest! {
    #[test]
    fn any_pixels_are_surrounded(
        width in 1usize..24,
        bits in proptest::collection::vec(proptest::bool::weighted(0.6), 1..500),
        margin in 0u8..5,
    ) {
        let height = bits.len() / width;
        let alpha: Vec<u8> = bits[..width * height].iter().map(|&bit| u8::from(bit) * 255).collect();
        let pixels = Pixels::new([width, height], &alpha, 0);
        if let Ok(alpha) = Alpha::new(width, height, &alpha, 0) {
            let margin = f64::from(margin) / 2.0;
            let outline = Outline::new(&alpha, margin).unwrap();
            assert_contains_pixels(&pixels, &outline, "pixels");
            assert_is_near(&pixels, &outline, margin * std::f64::consts::SQRT_2 + 1.0, "pixels");
            assert_is_simple(&outline, "pixels");
        }
    }
}
