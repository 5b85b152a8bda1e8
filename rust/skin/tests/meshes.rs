//! Triangles within the outlines of random characters.

mod figures;

use std::time::Instant;

use figures::Figure;
use figures::pixels::Pixels;
use tendon_skin::glam::DVec2;
use tendon_skin::{Alpha, Bone, Density, Mesh, MeshFault, MeshJoint, Options, Outline, Skin};

fn outline(figure: &Figure) -> Outline {
    Outline::new(&figure.alpha(), 0.5).unwrap()
}

fn joints(figure: &Figure, outline: &Outline) -> Vec<MeshJoint> {
    figure
        .limbs
        .iter()
        .filter_map(|limb| MeshJoint::within(outline, limb.from))
        .collect()
}

fn mesh(figure: &Figure, density: Density) -> Mesh {
    let outline = outline(figure);
    Mesh::within(&outline, &joints(figure, &outline), density).unwrap()
}

fn angles(mesh: &Mesh, triangle: usize) -> [f64; 3] {
    let corners = mesh.corners(triangle);
    [0, 1, 2].map(|corner| {
        let [at, left, right] = [0, 1, 2].map(|step| corners[(corner + step) % 3]);
        (left - at).angle_to(right - at).abs().to_degrees()
    })
}

#[test]
fn triangles_fill_the_outline() {
    for seed in 0..60 {
        let figure = Figure::random(seed);
        let mesh = mesh(&figure, Density::Automatic);
        let area = |triangle| {
            let [a, b, c] = mesh.corners(triangle);
            (b - a).perp_dot(c - a) / 2.0
        };
        let areas: Vec<f64> = (0..mesh.triangles.len()).map(area).collect();
        assert!(
            areas.iter().all(|&area| area > 0.0),
            "{seed}: a triangle turns the other way"
        );
        let expected = outline(&figure).area();
        assert!(
            (areas.iter().sum::<f64>() / expected - 1.0).abs() < 1e-9,
            "{} {seed}",
            figure.kind
        );
    }
}

#[test]
fn angles_are_at_least_twenty_degrees_but_where_the_outline_is_sharper() {
    let (mut thin, mut all) = (0, 0);
    for seed in 0..60 {
        let mesh = mesh(&Figure::random(seed), Density::Automatic);
        all += mesh.triangles.len();
        for triangle in 0..mesh.triangles.len() {
            let least = angles(&mesh, triangle)
                .into_iter()
                .fold(f64::INFINITY, f64::min);
            let is_at_outline = mesh.triangles[triangle]
                .iter()
                .filter(|&&vertex| vertex < mesh.boundary_count)
                .count()
                > 1;
            assert!(
                least >= 20.0 || is_at_outline,
                "{seed}: {least} degrees inside"
            );
            thin += usize::from(least < 20.0);
        }
    }
    assert!(thin * 2000 < all, "{thin} thin triangles of {all}");
}

#[test]
fn triangles_are_finer_at_joints() {
    let limb = [(0.0, 0.0), (300.0, 0.0), (300.0, 60.0), (0.0, 60.0)];
    let outline = Outline {
        rings: vec![limb.map(|(x, y)| DVec2::new(x, y)).to_vec()],
    };
    let elbow = MeshJoint::within(&outline, DVec2::new(150.0, 30.0)).unwrap();
    assert_eq!(elbow.radius, 30.0);
    let mesh = Mesh::within(&outline, &[elbow], Density::Detail(40.0)).unwrap();
    let longest = |place: DVec2| {
        let is_near = |triangle: &usize| {
            mesh.corners(*triangle)
                .iter()
                .all(|corner| corner.distance(place) < 50.0)
        };
        let length = |triangle: usize| {
            let [a, b, c] = mesh.corners(triangle);
            a.distance(b).max(b.distance(c)).max(c.distance(a))
        };
        (0..mesh.triangles.len())
            .filter(is_near)
            .map(length)
            .fold(0.0, f64::max)
    };
    let at_elbow = longest(elbow.place);
    let at_ends = [30.0, 270.0].map(|x| longest(DVec2::new(x, 30.0)));
    assert!(
        at_elbow > 0.0 && at_ends.iter().all(|end| end > &(1.2 * at_elbow)),
        "{at_elbow} {at_ends:?}"
    );
    assert!(MeshJoint::within(&outline, DVec2::new(150.0, -1.0)).is_none());
}

#[test]
fn a_mesh_has_as_many_vertices_as_asked() {
    for seed in 0..12 {
        let figure = Figure::random(seed);
        let least = mesh(&figure, Density::Vertices(1)).vertices.len();
        for count in [150, 300, 1000] {
            let found = mesh(&figure, Density::Vertices(count)).vertices.len();
            let is_close = (found as f64 / count as f64 - 1.0).abs() <= 0.2;
            // Fewer cannot follow the outline.
            assert!(
                is_close || count < least && found < least + least / 10,
                "{} {seed}: {found} of {count}, {least}",
                figure.kind
            );
        }
    }
}

/// A figure that is drawn larger, with a ragged edge.
fn ragged(seed: u64) -> (Alpha, Vec<Bone>) {
    let figure = Figure::random(seed);
    let scale = 3.0;
    let [width, height] = figure.size.map(|length| length * 3);
    let is_drawn = |pixel: usize| {
        let [x, y] = [pixel % width, pixel / width].map(|at| at as f64);
        let waves = (x / 5.0).sin() * (y / 7.0).cos() * 2.0 + (x * 0.9 + y * 0.7).sin();
        figure.distance(DVec2::new(x, y) / scale) + waves * 0.4 < 0.0
    };
    let alpha: Vec<u8> = (0..width * height)
        .map(|pixel| u8::from(is_drawn(pixel)) * 255)
        .collect();
    let bone = |limb: &figures::Limb| Bone::new(limb.from * scale, limb.to * scale);
    let limbs = figure.limbs.iter();
    let bones = limbs.map(|limb| bone(limb).below(limb.parent)).collect();
    (Alpha::new(width, height, &alpha, 0).unwrap(), bones)
}

fn count(alpha: &Alpha, bones: &[Bone], options: &Options) -> usize {
    let skin = Skin::new(alpha, bones, options);
    skin.unwrap().mesh.vertices.len()
}

#[test]
fn ragged_drawings_have_as_many_vertices_as_asked() {
    for seed in [1, 3, 5] {
        let (alpha, bones) = ragged(seed);
        let outline = Outline::new(&alpha, 0.5).unwrap();
        let (corners, rings) = (outline.edges().count(), outline.rings.len());
        for margin in [0.5, 16.0] {
            for wanted in [150, 500] {
                let options = Options {
                    density: Density::Vertices(wanted),
                    margin,
                    ..Options::default()
                };
                let found = count(&alpha, &bones, &options);
                let is_close = (found as f64 / wanted as f64 - 1.0).abs() <= 0.2;
                assert!(
                    is_close,
                    "{seed} {margin}: {found} of {wanted}, {corners} corners of {rings} rings"
                );
            }
        }
    }
}

#[test]
fn margins_do_not_cost_many_vertices() {
    for seed in 0..12 {
        let figure = Figure::random(seed);
        let of_margin = |margin| {
            let options = Options {
                margin,
                ..Options::default()
            };
            count(&figure.alpha(), &figure.bones(), &options)
        };
        let few = of_margin(0.5);
        for margin in [4.0, 16.0, 64.0] {
            let many = of_margin(margin);
            assert!(
                many <= 3 * few,
                "{seed}: {many} of {margin} pixels, and {few}"
            );
        }
    }
}

#[test]
fn a_drawing_that_is_nine_times_as_large_has_no_more_vertices() {
    const TIMES: usize = 9;
    let (mut few, mut many) = (0, 0);
    for seed in [1, 2, 5] {
        let figure = Figure::random(seed);
        let [width, height] = figure.size.map(|length| length * 2);
        let small: Vec<u8> = (0..width * height)
            .map(|pixel| {
                let place = DVec2::new((pixel % width) as f64, (pixel / width) as f64) / 2.0;
                u8::from(figure.distance(place) < 0.0) * 255
            })
            .collect();
        let of = |times: usize| {
            let line = |y: usize| (0..width * times).map(move |x| (x / times, y / times));
            let pixels = (0..height * times).flat_map(line);
            let alpha: Vec<u8> = pixels.map(|(x, y)| small[y * width + x]).collect();
            let alpha = Alpha::drawn(width * times, height * times, &alpha).unwrap();
            let larger = |place: DVec2| place * (2 * times) as f64;
            let bone = |limb: &figures::Limb| Bone::new(larger(limb.from), larger(limb.to));
            let limbs = figure.limbs.iter();
            let bones: Vec<Bone> = limbs.map(|limb| bone(limb).below(limb.parent)).collect();
            count(&alpha, &bones, &Options::default())
        };
        few += of(1);
        many += of(TIMES);
    }
    assert!(many <= few, "{many} instead of {few}");
}

/// The size and the pixels of a figure that is drawn larger.
fn enlarged(figure: &Figure, times: usize) -> ([usize; 2], Vec<u8>) {
    let size @ [width, height] = figure.size.map(|length| length * times);
    let is_drawn = |pixel: usize| {
        let place = DVec2::new((pixel % width) as f64, (pixel / width) as f64) + 0.5;
        u8::from(figure.distance(place / times as f64) < 0.0)
    };
    (size, (0..width * height).map(is_drawn).collect())
}

#[test]
fn large_drawings_are_covered_and_gaps_stay_open() {
    let figure = Figure::random(1);
    let times = 12;
    let ([width, height], alpha) = enlarged(&figure, times);
    let outline = Outline::new(&Alpha::drawn(width, height, &alpha).unwrap(), 0.5).unwrap();
    for pixel in (0..alpha.len())
        .step_by(37)
        .filter(|&pixel| alpha[pixel] > 0)
    {
        let middle = DVec2::new((pixel % width) as f64, (pixel / width) as f64) + 0.5;
        assert!(outline.contains(middle), "{middle}");
    }
    let trunk = figure.limbs[0];
    let mut limbs = figure.limbs.iter();
    let arm = limbs.find(|limb| limb.parent == Some(3)).unwrap();
    let between = (arm.from.x + arm.radii[0] + trunk.from.x - trunk.radii[0]) / 2.0;
    for height in 0..50 {
        let gap = DVec2::new(between, trunk.from.y - f64::from(height)) * times as f64;
        assert!(!outline.contains(gap), "closed at {gap}");
    }
}

/// By the width of a square of the same area. Measured: a 55th, of a hand.
#[test]
fn outlines_of_large_drawings_are_at_most_a_fortieth_of_their_width_away() {
    for seed in 0..6 {
        let figure = Figure::random(seed);
        let times = 6;
        let ([width, height], alpha) = enlarged(&figure, times);
        let area: usize = alpha.iter().copied().map(usize::from).sum();
        let exact = Pixels::new([width, height], &alpha, 0);
        let larger = |place: DVec2| place * times as f64;
        let bone = |limb: &figures::Limb| Bone::new(larger(limb.from), larger(limb.to));
        let bones: Vec<Bone> = figure.limbs.iter().map(bone).collect();
        let drawn = Alpha::drawn(width, height, &alpha).unwrap();
        let skin = Skin::new(&drawn, &bones, &Options::default());
        let mesh = skin.unwrap().mesh;
        let most = (area as f64).sqrt() / 40.0;
        let corners = &mesh.vertices[..mesh.boundary_count];
        assert!(
            corners.iter().all(|&it| exact.is_near(it, most)),
            "{} {seed}",
            figure.kind
        );
    }
}

#[test]
fn a_tiny_picture_has_few_vertices() {
    for side in [1, 2, 4] {
        let alpha = Alpha::new(side, side, &vec![255; side * side], 0).unwrap();
        let outline = Outline::new(&alpha, 0.5).unwrap();
        let middle = DVec2::splat(side as f64 / 2.0);
        let joint = MeshJoint::within(&outline, middle).unwrap();
        let mesh = Mesh::within(&outline, &[joint, joint], Density::Automatic).unwrap();
        let most = 5 + 2 * side * side;
        let count = mesh.vertices.len();
        assert!((4..=most).contains(&count), "{side}: {count}");
    }
}

#[test]
fn the_boundary_comes_first_along_its_rings() {
    let mesh = mesh(&Figure::random(5), Density::Automatic);
    let outline = outline(&Figure::random(5));
    let is_at_outline = |vertex: &DVec2| {
        outline.edges().any(|[from, to]| {
            let along = to - from;
            let at = ((*vertex - from).dot(along) / along.length_squared()).clamp(0.0, 1.0);
            vertex.distance(from + along * at) < 1e-6
        })
    };
    let (boundary, inner) = mesh.vertices.split_at(mesh.boundary_count);
    assert!(boundary.iter().all(is_at_outline));
    assert!(!inner.is_empty() && !inner.iter().any(is_at_outline));
}

#[test]
fn bad_meshes_are_refused() {
    let square = vec![DVec2::ZERO, DVec2::X, DVec2::Y];
    assert_eq!(
        Mesh::new(square.clone(), vec![]).unwrap_err(),
        MeshFault::Empty
    );
    assert_eq!(
        Mesh::new(square.clone(), vec![[0, 1, 1]]).unwrap_err(),
        MeshFault::Empty
    );
    let missing = MeshFault::Vertex {
        triangle: 0,
        vertex: 3,
        count: 3,
    };
    assert_eq!(
        Mesh::new(square.clone(), vec![[0, 1, 3]]).unwrap_err(),
        missing
    );
    let infinite = vec![DVec2::ZERO, DVec2::X, DVec2::new(f64::NAN, 0.0)];
    assert_eq!(
        Mesh::new(infinite, vec![[0, 1, 2]]).unwrap_err(),
        MeshFault::NotFinite(2)
    );
    let outline = Outline {
        rings: vec![square],
    };
    for detail in [0.0, -4.0, f64::NAN, f64::INFINITY] {
        assert_eq!(
            Mesh::within(&outline, &[], Density::Detail(detail)).unwrap_err(),
            MeshFault::Detail
        );
    }
    let wide = [(0.0, 0.0), (400.0, 0.0), (400.0, 400.0), (0.0, 400.0)];
    let wide = Outline {
        rings: vec![wide.map(|(x, y)| DVec2::new(x, y)).to_vec()],
    };
    assert!(matches!(
        Mesh::within(&wide, &[], Density::Detail(1.0)),
        Err(MeshFault::TooFine(180_000..190_000))
    ));
    let bow = [(0.0, 0.0), (9.0, 7.0), (8.0, 0.0), (1.0, 9.0)].map(|(x, y)| DVec2::new(x, y));
    let bow = Outline {
        rings: vec![bow.to_vec()],
    };
    assert!(matches!(
        Mesh::within(&bow, &[], Density::Detail(3.0)),
        Err(MeshFault::Crossing)
    ));
}

#[test]
fn drawings_of_thousands_of_pixels_take_seconds() {
    const BLOCK: usize = 16;
    let figure = Figure::random(2);
    for (size, most) in [(4096, 5.0), (8000, 10.0)] {
        let times = size as f64 / figure.size[0].max(figure.size[1]) as f64;
        // Painted in blocks, because that is what takes long.
        let side = size / BLOCK;
        let place = |block: usize| DVec2::new((block % side) as f64, (block / side) as f64);
        let blocks: Vec<u8> = (0..side * side)
            .map(|block| place(block) * BLOCK as f64 / times)
            .map(|place| u8::from(figure.distance(place) < 0.0) * 255)
            .collect();
        let alpha: Vec<u8> = (0..size * size)
            .map(|pixel| blocks[pixel / size / BLOCK * side + pixel % size / BLOCK])
            .collect();
        let bone = |limb: &figures::Limb| Bone::new(limb.from * times, limb.to * times);
        let limbs = figure.limbs.iter();
        let bones: Vec<Bone> = limbs.map(|limb| bone(limb).below(limb.parent)).collect();
        let begin = Instant::now();
        let alpha = Alpha::drawn(size, size, &alpha).unwrap();
        let vertices = count(&alpha, &bones, &Options::default());
        let taken = begin.elapsed().as_secs_f64();
        println!("{size} pixels: {vertices} vertices in {taken:.2} s");
        assert!(taken < most, "{size} pixels: {taken} s");
    }
}
