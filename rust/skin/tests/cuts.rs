//! Meshes that are cut along lines, and weights that are carried from one mesh to another.

mod figures;

use std::collections::BTreeMap;

use figures::Figure;
use proptest::prelude::*;
use tendon_skin::glam::DVec2;
use tendon_skin::{Alpha, Bone, Density, Mesh, MeshFault, Options, Outline, Skin, Weights};

/// All vertices are moved by one bone alone.
fn rigid(mesh: &Mesh, bone: usize) -> Weights {
    let count = mesh.vertices.len();
    let mut columns = vec![Vec::new(); bone];
    columns.push(vec![1.0; count]);
    Weights::from_bones(count, &columns)
}

fn point(x: f64, y: f64) -> DVec2 {
    DVec2::new(x, y)
}

fn line(points: &[(f64, f64)]) -> Vec<DVec2> {
    points.iter().map(|&(x, y)| point(x, y)).collect()
}

/// A square of 200 pixels.
fn square(detail: f64) -> Mesh {
    let corners = line(&[(0.0, 0.0), (200.0, 0.0), (200.0, 200.0), (0.0, 200.0)]);
    let outline = Outline {
        rings: vec![corners],
    };
    Mesh::within(&outline, &[], Density::Detail(detail)).unwrap()
}

fn area(mesh: &Mesh) -> f64 {
    let of_triangle = |triangle| {
        let [a, b, c] = mesh.corners(triangle);
        (b - a).perp_dot(c - a) / 2.0
    };
    let areas: Vec<f64> = (0..mesh.triangles.len()).map(of_triangle).collect();
    assert!(
        areas.iter().all(|&area| area > 0.0),
        "a triangle turns the other way"
    );
    areas.iter().sum()
}

/// For each vertex the first one of its part.
fn parts(mesh: &Mesh) -> Vec<usize> {
    let mut parts: Vec<usize> = (0..mesh.vertices.len()).collect();
    loop {
        let before = parts.clone();
        for triangle in &mesh.triangles {
            let first = triangle.iter().map(|&it| parts[it]).min().unwrap();
            triangle.iter().for_each(|&it| parts[it] = first);
        }
        if parts == before {
            return parts;
        }
    }
}

fn part_count(mesh: &Mesh) -> usize {
    let mut parts = parts(mesh);
    parts.sort_unstable();
    parts.dedup();
    parts.len()
}

/// How many vertices are at each place that has more than one.
fn doubled(mesh: &Mesh) -> BTreeMap<[i64; 2], usize> {
    let mut places = BTreeMap::new();
    for vertex in &mesh.vertices {
        let place = [vertex.x, vertex.y].map(|it| (it * 1e6).round() as i64);
        *places.entry(place).or_insert(0) += 1;
    }
    places.retain(|_, &mut count| count > 1);
    places
}

/// The largest part of an edge's length that a cut has of it where it crosses the edge.
fn is_crossed(mesh: &Mesh, [from, to]: [DVec2; 2], tolerance: f64) -> bool {
    let side = |[a, b]: [DVec2; 2], c: DVec2| (b - a).perp_dot(c - a) / a.distance(b);
    let edges = mesh
        .triangles
        .iter()
        .flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
    edges.into_iter().any(|edge| {
        let edge = edge.map(|vertex| mesh.vertices[vertex]);
        let (first, second) = (side([from, to], edge[0]), side([from, to], edge[1]));
        let (third, fourth) = (side(edge, from), side(edge, to));
        first.abs().min(second.abs()) > tolerance
            && third.abs().min(fourth.abs()) > tolerance
            && first * second < 0.0
            && third * fourth < 0.0
    })
}

#[test]
fn a_cut_through_parts_the_mesh() {
    let whole = square(20.0);
    let mesh = whole
        .cut(&[line(&[(-20.0, 90.0), (230.0, 120.0)])])
        .unwrap();
    assert_eq!(part_count(&mesh), 2);
    assert!((area(&mesh) - 40_000.0).abs() < 1e-6);
    assert!(doubled(&mesh).len() > 8 && doubled(&mesh).values().all(|&it| it == 2));
    let parts = parts(&mesh);
    for (vertex, place) in mesh.vertices.iter().enumerate() {
        let height = 90.0 + (place.x + 20.0) * 0.12;
        let is_above = parts[vertex] == parts[0];
        let first_is_above = mesh.vertices[0].y < 90.0 + (mesh.vertices[0].x + 20.0) * 0.12;
        assert!(
            (place.y - height).abs() < 2.5 || (place.y < height) == (is_above == first_is_above),
            "{place}"
        );
    }
}

#[test]
fn a_cut_that_ends_inside_opens_to_its_end() {
    let mesh = square(20.0)
        .cut(&[line(&[(100.0, -5.0), (100.0, 120.0)])])
        .unwrap();
    assert_eq!(part_count(&mesh), 1);
    assert!((area(&mesh) - 40_000.0).abs() < 1e-6);
    let doubled = doubled(&mesh);
    assert!(doubled.len() >= 4, "{doubled:?}");
    // The end is one vertex for both sides.
    assert!(doubled.keys().all(|place| place[1] < 119_000_000));
    assert!(
        mesh.vertices
            .iter()
            .any(|it| it.distance(point(100.0, 120.0)) < 1e-9)
    );
    assert!(!is_crossed(
        &mesh,
        [point(100.0, 0.0), point(100.0, 119.0)],
        0.01
    ));
}

#[test]
fn a_cut_inside_alone_is_a_slit() {
    let mesh = square(20.0)
        .cut(&[line(&[(60.0, 100.0), (140.0, 110.0)])])
        .unwrap();
    assert_eq!(part_count(&mesh), 1);
    assert!(doubled(&mesh).len() >= 2);
    let boundary = mesh.vertices[..mesh.boundary_count].iter();
    assert!(
        boundary
            .filter(|it| it.distance(point(100.0, 105.0)) < 45.0)
            .count()
            >= 6
    );
}

#[test]
fn a_line_that_almost_reaches_the_outline_reaches_it() {
    let mesh = square(20.0)
        .cut(&[line(&[(2.0, 70.0), (198.5, 71.0)])])
        .unwrap();
    assert_eq!(part_count(&mesh), 2);
}

#[test]
fn cuts_that_cross_make_four_parts() {
    let cuts = [
        line(&[(-1.0, 100.0), (201.0, 100.0)]),
        line(&[(90.0, -1.0), (110.0, 201.0)]),
    ];
    let together = square(20.0).cut(&cuts).unwrap();
    let mut after_each_other = square(20.0);
    for cut in &cuts {
        after_each_other = after_each_other.cut(std::slice::from_ref(cut)).unwrap();
    }
    for mesh in [together, after_each_other] {
        assert_eq!(part_count(&mesh), 4);
        assert!((area(&mesh) - 40_000.0).abs() < 1e-6);
        assert_eq!(doubled(&mesh).values().filter(|&&it| it == 4).count(), 1);
    }
}

#[test]
fn a_line_that_crosses_itself_cuts_an_island() {
    let knot = line(&[
        (-10.0, 100.0),
        (150.0, 100.0),
        (150.0, 40.0),
        (90.0, 40.0),
        (90.0, 160.0),
    ]);
    let mesh = square(15.0).cut(&[knot]).unwrap();
    assert_eq!(part_count(&mesh), 2);
    assert!((area(&mesh) - 40_000.0).abs() < 1e-6);
}

#[test]
fn lines_that_cut_nothing_change_nothing() {
    let mesh = square(30.0);
    for cut in [
        vec![],
        line(&[(50.0, 50.0)]),
        line(&[(50.0, 50.0), (50.0, 50.0)]),
        line(&[(-50.0, 0.0), (-10.0, 300.0)]),
        line(&[(1e300, 1e300), (2e300, 1e300)]),
    ] {
        assert_eq!(
            mesh.cut(std::slice::from_ref(&cut)).unwrap(),
            mesh,
            "{cut:?}"
        );
    }
    assert_eq!(mesh.cut(&[]).unwrap(), mesh);
}

#[test]
fn cuts_that_are_not_finite_are_refused() {
    let good = line(&[(0.0, 0.0), (9.0, 9.0)]);
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let cuts = [good.clone(), line(&[(5.0, bad), (9.0, 9.0)])];
        assert_eq!(square(50.0).cut(&cuts).unwrap_err(), MeshFault::Cut(1));
    }
}

/// An arm that hangs from the upper left of a trunk, with a hand that lies on its side.
fn hand_on_hip() -> (Alpha, Vec<Bone>) {
    let bones = [
        ((120.0, 190.0), (120.0, 40.0), None, 34.0),
        ((100.0, 60.0), (40.0, 110.0), Some(0), 13.0),
        ((40.0, 110.0), (84.0, 170.0), Some(1), 13.0),
    ];
    let is_opaque = |x: f64, y: f64| {
        bones.iter().any(|&(from, to, _, radius)| {
            let (from, to) = (point(from.0, from.1), point(to.0, to.1));
            let way = to - from;
            let at = ((point(x, y) - from).dot(way) / way.length_squared()).clamp(0.0, 1.0);
            (from + way * at).distance(point(x, y)) < radius
        })
    };
    let alpha: Vec<u8> = (0..200 * 240)
        .map(|it| u8::from(is_opaque((it % 200) as f64 + 0.5, (it / 200) as f64 + 0.5)) * 255)
        .collect();
    let place = |(x, y): (f64, f64)| point(x, y);
    let bones = bones.map(|(from, to, parent, _)| Bone::new(place(from), place(to)).below(parent));
    (Alpha::new(200, 240, &alpha, 0).unwrap(), bones.to_vec())
}

/// How many times its length an edge around the hand has at most, where the bones from `bone` on turn.
fn stretch(skin: &Skin, bones: &[Bone], bone: usize, angle: f64) -> f64 {
    let joint = bones[bone].joint();
    let rest = |vertex: usize| skin.mesh.vertices[vertex];
    let place = |vertex: usize| {
        let turns = skin.weights.of(vertex).iter().filter(|it| it.0 >= bone);
        let part: f64 = turns.map(|it| it.1).sum();
        let turned = joint + DVec2::from_angle(angle).rotate(rest(vertex) - joint);
        rest(vertex).lerp(turned, part)
    };
    let edges = skin.mesh.triangles.iter();
    let edges = edges.flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
    let at_hand = edges.filter(|&[a, _]| rest(a).distance(bones[2].segments[0][1]) < 40.0);
    let longer = at_hand.map(|[a, b]| place(a).distance(place(b)) / rest(a).distance(rest(b)));
    longer.fold(0.0, f64::max)
}

fn skin(alpha: &Alpha, bones: &[Bone], options: &Options) -> Skin {
    Skin::new(alpha, bones, options).unwrap()
}

#[test]
fn a_hand_that_lies_on_a_hip_comes_off() {
    let (alpha, bones) = hand_on_hip();
    let tied = skin(&alpha, &bones, &Options::default());
    let around_the_hand = line(&[
        (68.0, 126.0),
        (84.0, 150.0),
        (98.0, 168.0),
        (92.0, 190.0),
        (72.0, 190.0),
    ]);
    let options = Options {
        cuts: vec![around_the_hand],
        ..Options::default()
    };
    let free = skin(&alpha, &bones, &options);
    for (bone, angle) in [(1, 90.0f64), (1, -90.0), (2, 90.0), (2, -90.0)] {
        let of = |skin| stretch(skin, &bones, bone, angle.to_radians());
        let [before, after] = [&tied, &free].map(of);
        println!("bone {bone} by {angle}: edges {before:.1} times as long, {after:.1} when cut");
        assert!(before > 2.0 && after < 2.0);
    }
    // Nothing of the drawing is lost.
    assert!((area(&free.mesh) / area(&tied.mesh) - 1.0).abs() < 1e-9);
}

#[test]
fn the_sides_of_a_cut_have_their_own_weights() {
    let bones = [
        Bone::new(point(50.0, 20.0), point(50.0, 180.0)),
        Bone::new(point(150.0, 20.0), point(150.0, 180.0)),
    ];
    // Vertices of the cut are at the heights of others: no bone is seen through where two edges of it meet.
    let mesh = square(20.0)
        .cut(&[line(&[(100.0, -1.0), (100.0, 201.0)])])
        .unwrap();
    let weights = Weights::new(&mesh, &bones, 1.5).unwrap();
    for (vertex, place) in mesh.vertices.iter().enumerate() {
        assert_eq!(weights.of(vertex).len(), 1, "{place}");
    }
}

#[test]
fn weights_stay_where_the_mesh_stays() {
    let mesh = square(20.0)
        .cut(&[line(&[(100.0, -1.0), (100.0, 150.0)])])
        .unwrap();
    let bones = [
        Bone::new(point(50.0, 20.0), point(50.0, 180.0)),
        Bone::new(point(150.0, 20.0), point(150.0, 180.0)),
    ];
    let weights = Weights::new(&mesh, &bones, 1.5).unwrap();
    let fresh = rigid(&mesh, 1);
    assert_eq!(weights.carried(&mesh, &mesh, &fresh), weights);
}

#[test]
fn paint_goes_on_beside_the_old_outline_and_new_limbs_are_weighed_anew() {
    let rectangle = |high: f64, right: f64| {
        let corners = line(&[(0.0, 0.0), (right, 0.0), (right, high), (0.0, high)]);
        let outline = Outline {
            rings: vec![corners],
        };
        Mesh::within(&outline, &[], Density::Detail(12.0)).unwrap()
    };
    let old = rectangle(100.0, 100.0);
    // Painted: the left half is of bone 0, the right one of bone 1.
    let columns = [0, 1].map(|bone| {
        let is_left = |place: &DVec2| f64::from(u8::from((place.x < 50.0) == (bone == 0)));
        old.vertices.iter().map(is_left).collect::<Vec<f64>>()
    });
    let painted = Weights::from_bones(old.vertices.len(), &columns);
    let new = rectangle(106.0, 300.0);
    let carried = painted.carried(&old, &new, &rigid(&new, 2));
    for (vertex, &place) in new.vertices.iter().enumerate() {
        let weight = |bone| carried.of_bone(bone).nth(vertex).unwrap();
        let sum: f64 = carried.of(vertex).iter().map(|it| it.1).sum();
        assert!((sum - 1.0).abs() < 1e-9);
        match place {
            _ if place.x < 30.0 && place.y <= 100.0 => assert_eq!(weight(0), 1.0, "{place}"),
            _ if place.x < 30.0 => assert!(weight(0) > 0.4 && weight(1) < 0.1, "{place}"),
            _ if place.x > 120.0 => assert_eq!(weight(2), 1.0, "{place}"),
            _ => {}
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn any_lines_leave_the_area_and_are_followed(
        seed in 0u64..60,
        detail in 8.0f64..40.0,
        lines in proptest::collection::vec(proptest::collection::vec((-0.2f64..1.2, -0.2f64..1.2), 1..6), 1..5),
    ) {
        let figure = Figure::random(seed);
        let outline = Outline::new(&figure.alpha(), 0.5).unwrap();
        let whole = Mesh::within(&outline, &[], Density::Detail(detail)).unwrap();
        let size = point(figure.size[0] as f64, figure.size[1] as f64);
        let cuts: Vec<Vec<DVec2>> = lines.iter()
            .map(|line| line.iter().map(|&(x, y)| point(x, y) * size).collect())
            .collect();
        let mesh = whole.cut(&cuts).unwrap();
        prop_assert!((area(&mesh) / area(&whole) - 1.0).abs() < 1e-6);
        prop_assert!(part_count(&mesh) >= part_count(&whole));
        for ends in cuts.iter().flat_map(|cut| cut.windows(2)) {
            prop_assert!(!is_crossed(&mesh, [ends[0], ends[1]], 4.0), "{ends:?}");
        }
        let origins = mesh.origins(&whole);
        prop_assert!(origins.iter().all(|origin| origin.distance < 1e-6));
    }

    /// Weights of a linear function of the place are found again at every place.
    #[test]
    fn weights_are_carried_by_place(seed in 0u64..60, finer in 6.0f64..20.0) {
        let figure = Figure::random(seed);
        let outline = Outline::new(&figure.alpha(), 0.5).unwrap();
        let mesh = |detail| Mesh::within(&outline, &[], Density::Detail(detail)).unwrap();
        let (old, new) = (mesh(24.0), mesh(finer));
        let ramp = |place: DVec2| 0.2 + 0.6 * place.x / figure.size[0] as f64;
        let first: Vec<f64> = old.vertices.iter().map(|&it| ramp(it)).collect();
        let second = first.iter().map(|it| 1.0 - it).collect();
        let weights = Weights::from_bones(old.vertices.len(), &[first, second]);
        let carried = weights.carried(&old, &new, &rigid(&new, 2));
        for (vertex, &place) in new.vertices.iter().enumerate() {
            let found = carried.of_bone(0).nth(vertex).unwrap();
            prop_assert!((found - ramp(place)).abs() < 1e-5, "{place}: {found}");
        }
    }
}
