//! Triangles within the outlines of random characters.

mod figures;

use figures::Figure;
use tendon_skin::glam::DVec2;
use tendon_skin::{Alpha, Density, Joint, Mesh, MeshFault, Outline};

fn outline(figure: &Figure) -> Outline {
    Outline::new(&figure.alpha(), 0.5).unwrap()
}

fn joints(figure: &Figure, outline: &Outline) -> Vec<Joint> {
    figure
        .limbs
        .iter()
        .filter_map(|limb| Joint::within(outline, limb.from))
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
    let elbow = Joint::within(&outline, DVec2::new(150.0, 30.0)).unwrap();
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
    assert!(Joint::within(&outline, DVec2::new(150.0, -1.0)).is_none());
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

#[test]
fn a_tiny_picture_has_few_vertices() {
    for side in [1, 2, 4] {
        let alpha = Alpha::new(side, side, &vec![255; side * side], 0).unwrap();
        let outline = Outline::new(&alpha, 0.5).unwrap();
        let middle = DVec2::splat(side as f64 / 2.0);
        let joint = Joint::within(&outline, middle).unwrap();
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
