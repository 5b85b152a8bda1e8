//! Weights on small meshes: what is seen, what is not, and what is refused.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use tendon_skin::glam::DVec2;
use tendon_skin::{Alpha, Bone, Mesh, Options, Skin, WeightFault, Weights, unless};

fn point(x: f64, y: f64) -> DVec2 {
    DVec2::new(x, y)
}

/// A grid of squares of ten pixels, of which those are left out for which `is_hole` is true.
fn grid(columns: usize, rows: usize, is_hole: impl Fn(usize, usize) -> bool) -> Mesh {
    let place = |index: usize| {
        point(
            (index % (columns + 1)) as f64,
            (index / (columns + 1)) as f64,
        ) * 10.0
    };
    let vertices = (0..(columns + 1) * (rows + 1)).map(place).collect();
    let squares = (0..columns * rows).map(|square| (square % columns, square / columns));
    let triangles = squares.filter(|&(x, y)| !is_hole(x, y)).flat_map(|(x, y)| {
        let first = y * (columns + 1) + x;
        let below = first + columns + 1;
        [[first, first + 1, below + 1], [first, below + 1, below]]
    });
    Mesh::new(vertices, triangles.collect()).unwrap()
}

fn weight(weights: &Weights, vertex: usize, bone: usize) -> f64 {
    weights
        .of(vertex)
        .iter()
        .find(|&&(other, _)| other == bone)
        .map_or(0.0, |&(_, weight)| weight)
}

#[test]
fn weights_go_through_the_shape_and_not_through_the_air() {
    // Two columns that are joined at the top. The bone of the left one is near the wall of the right one.
    let mesh = grid(5, 12, |x, y| x == 2 && y > 1);
    let bones = [
        Bone::new(point(18.0, 30.0), point(18.0, 110.0)),
        Bone::new(point(48.0, 30.0), point(48.0, 110.0)),
    ];
    let weights = Weights::new(&mesh, &bones, 1.5).unwrap();
    for (vertex, place) in mesh
        .vertices
        .iter()
        .enumerate()
        .filter(|(_, place)| place.y > 60.0)
    {
        let own = usize::from(place.x > 25.0);
        assert_eq!(weight(&weights, vertex, own), 1.0, "{place}");
    }
}

#[test]
fn a_vertex_that_sees_no_bone_takes_the_weights_of_its_neighbours() {
    // A corridor around three corners, with a bone in its first part alone and one further away.
    let mesh = grid(7, 7, |x, y| {
        (1..6).contains(&x) && y > 0 || x == 6 && y == 6
    });
    let bones = [
        Bone::new(point(5.0, 20.0), point(5.0, 60.0)),
        Bone::new(point(25.0, 5.0), point(35.0, 5.0)),
    ];
    let weights = Weights::new(&mesh, &bones, 1.5).unwrap();
    let at = |x, y| {
        mesh.vertices
            .iter()
            .position(|&place| place == point(x, y))
            .unwrap()
    };
    let (end, above) = (
        weight(&weights, at(70.0, 60.0), 1),
        weight(&weights, at(70.0, 50.0), 1),
    );
    assert!(end > 0.9 && (end - above).abs() < 0.01, "{end} {above}");
}

#[test]
fn an_island_without_a_bone_goes_with_the_nearest_one() {
    let mesh = grid(9, 2, |x, _| x == 4);
    let bones = [
        Bone::new(point(0.0, 10.0), point(10.0, 10.0)),
        Bone::new(point(20.0, 10.0), point(35.0, 10.0)),
    ];
    let weights = Weights::new(&mesh, &bones, 1.5).unwrap();
    for (vertex, _) in mesh
        .vertices
        .iter()
        .enumerate()
        .filter(|(_, place)| place.x > 45.0)
    {
        assert_eq!(weights.of(vertex), [(1, 1.0)]);
    }
}

#[test]
fn a_vertex_without_a_triangle_goes_with_the_nearest_bone() {
    let vertices = vec![
        point(0.0, 0.0),
        point(10.0, 0.0),
        point(0.0, 10.0),
        point(90.0, 0.0),
    ];
    let mesh = Mesh::new(vertices, vec![[0, 1, 2]]).unwrap();
    let bones = [
        Bone::new(point(1.0, 1.0), point(3.0, 1.0)),
        Bone::new(point(60.0, 0.0), point(70.0, 0.0)),
    ];
    assert_eq!(Weights::new(&mesh, &bones, 1.5).unwrap().of(3), [(1, 1.0)]);
}

#[test]
fn a_greater_reach_makes_a_longer_way_over_a_joint() {
    let mesh = grid(60, 5, |_, _| false);
    let (half_width, joint) = (25.0, point(300.0, 25.0));
    let bones = [
        Bone::new(point(0.0, 25.0), joint),
        Bone::new(joint, point(600.0, 25.0)),
    ];
    for reach in [1.5, 3.0, 4.0, 8.0] {
        let weights = Weights::new(&mesh, &bones, reach).unwrap();
        let is_shared = |&x: &i32| {
            let at = weights.at(&mesh, point(f64::from(x), 0.0));
            at.len() == 2 && at[1].1 > 0.02
        };
        let length = (0..600).filter(is_shared).count() as f64 / half_width;
        assert!((length / reach - 1.0).abs() < 0.3, "{reach}: {length}");
    }
}

#[test]
fn no_more_than_four_bones_move_a_vertex() {
    let mesh = grid(10, 10, |_, _| false);
    let center = point(50.0, 50.0);
    let spokes = (0..9).map(|spoke| center + DVec2::from_angle(f64::from(spoke) * 0.69) * 8.0);
    let bones: Vec<Bone> = spokes.map(|end| Bone::new(center, end)).collect();
    let weights = Weights::new(&mesh, &bones, 4.0).unwrap();
    assert!((0..mesh.vertices.len()).all(|vertex| (1..=4).contains(&weights.of(vertex).len())));
}

#[test]
fn one_bone_alone_has_all_the_weight() {
    let mesh = grid(3, 3, |_, _| false);
    let weights =
        Weights::new(&mesh, &[Bone::new(point(5.0, 5.0), point(20.0, 5.0))], 1.5).unwrap();
    assert_eq!(
        weights,
        Weights::from_bones(mesh.vertices.len(), &[vec![1.0; mesh.vertices.len()]])
    );
}

#[test]
fn thin_triangles_have_weights_too() {
    let vertices = vec![
        point(0.0, 0.0),
        point(1000.0, 0.0),
        point(500.0, 1e-7),
        point(500.0, -80.0),
    ];
    let mesh = Mesh::new(vertices, vec![[0, 1, 2], [0, 1, 3]]).unwrap();
    let bones = [
        Bone::new(point(0.0, -1.0), point(400.0, -1.0)),
        Bone::new(point(600.0, -1.0), point(900.0, -1.0)),
    ];
    let weights = Weights::new(&mesh, &bones, 1.5).unwrap();
    assert!((0..4).all(|vertex| {
        weights
            .of(vertex)
            .iter()
            .all(|(_, weight)| weight.is_finite())
    }));
}

#[test]
fn stretched_and_distant_meshes_have_weights_too() {
    for (scale, offset) in [
        (point(1.0, 1.0), point(1e6, -1e6)),
        (point(1e-3, 1e-3), point(0.0, 0.0)),
        (point(1e4, 1e4), point(1e5, 0.0)),
        (point(1e4, 1.0), point(0.0, 0.0)),
        (point(1.0, 1e-5), point(0.0, 0.0)),
        (point(1.0, 1e-7), point(0.0, 3.0)),
    ] {
        let place = |x, y| point(x, y) * scale + offset;
        let plain = grid(8, 4, |x, y| (x, y) == (5, 2));
        let places = plain.vertices.iter().map(|at| place(at.x, at.y));
        let mesh = Mesh::new(places.collect(), plain.triangles.clone()).unwrap();
        let bones = [
            Bone::new(place(1.0, 17.0), place(37.0, 17.0)),
            Bone::new(place(37.0, 17.0), place(79.0, 17.0)).below(Some(0)),
        ];
        let weights = Weights::new(&mesh, &bones, 1.5).unwrap();
        for vertex in 0..mesh.vertices.len() {
            let sum: f64 = weights.of(vertex).iter().map(|(_, weight)| weight).sum();
            assert!((sum - 1.0).abs() < 1e-9, "{scale} {offset}: {sum}");
        }
        for (x, bone) in [(0.0, 0), (80.0, 1)] {
            let mut at_end =
                (0..mesh.vertices.len()).filter(|&vertex| plain.vertices[vertex].x == x);
            assert!(
                at_end.all(|vertex| weight(&weights, vertex, bone) > 0.9),
                "{scale} {offset}: {x}"
            );
        }
    }
}

#[test]
fn any_reach_has_weights() {
    let mesh = grid(20, 4, |_, _| false);
    let bones = [
        Bone::new(point(0.0, 15.0), point(100.0, 15.0)),
        Bone::new(point(100.0, 15.0), point(200.0, 15.0)),
    ];
    for reach in [1e-300, 1e-9, 1e9, 1e300] {
        let weights = Weights::new(&mesh, &bones, reach).unwrap();
        let sum = |vertex| -> f64 { weights.of(vertex).iter().map(|(_, weight)| weight).sum() };
        assert!((0..mesh.vertices.len()).all(|vertex| (sum(vertex) - 1.0).abs() < 1e-9));
    }
}

#[test]
fn bad_bones_and_reaches_are_refused() {
    let mesh = grid(1, 1, |_, _| false);
    let bone = Bone::new(point(0.0, 0.0), point(5.0, 0.0));
    let lost = Bone::new(point(0.0, f64::NAN), point(5.0, 0.0));
    let none = Bone {
        segments: Default::default(),
        parent: None,
    };
    assert_eq!(Weights::new(&mesh, &[], 1.5), Err(WeightFault::NoBones));
    assert_eq!(
        Weights::new(&mesh, &[bone.clone(), lost], 1.5),
        Err(WeightFault::Bone(1))
    );
    assert_eq!(Weights::new(&mesh, &[none], 1.5), Err(WeightFault::Bone(0)));
    for parent in [1, 0] {
        let own = bone.clone().below(Some(parent));
        assert_eq!(
            Weights::new(&mesh, &[own], 1.5),
            Err(WeightFault::Parent(0))
        );
    }
    let circle = [1, 2, 1].map(|parent| bone.clone().below(Some(parent)));
    assert_eq!(
        Weights::new(&mesh, &circle, 1.5),
        Err(WeightFault::Parent(0))
    );
    for reach in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert_eq!(
            Weights::new(&mesh, std::slice::from_ref(&bone), reach),
            Err(WeightFault::Reach)
        );
    }
}

/// In a pose that crosses, one part lies above the other.
#[test]
fn triangles_are_in_the_order_of_their_bones() {
    let alpha = Alpha::new(60, 8, &[255; 480], 0).unwrap();
    let bones = [30.0, 0.0].map(|x| Bone::new(point(x, 4.0), point(x + 30.0, 4.0)));
    let options = Options::default();
    let skin = Skin::new(&alpha, &bones, &options).unwrap();
    let places = skin.mesh.triangles.iter().map(|triangle| {
        triangle
            .iter()
            .map(|&corner| skin.mesh.vertices[corner].x)
            .sum::<f64>()
            / 3.0
    });
    let sides: Vec<bool> = places
        .filter(|x| (x - 30.0).abs() > 8.0)
        .map(|x| x < 30.0)
        .collect();
    assert!(sides.is_sorted() && sides.contains(&true) && sides.contains(&false));
}

#[test]
fn a_skin_that_nobody_waits_for_is_given_up() {
    let alpha = Alpha::new(8, 8, &[255; 64], 0).unwrap();
    let bones = [Bone::new(point(1.0, 4.0), point(7.0, 4.0))];
    for is_given_up in [false, true] {
        let flag = Arc::new(AtomicBool::new(is_given_up));
        let made = unless(&flag, || Skin::new(&alpha, &bones, &Options::default()));
        assert_eq!(made.is_err(), is_given_up);
    }
}

/// As of a scan with specks. Each looks for bones through its own boundary, and not through that of all others: eight times
/// as many took twenty-five times as long.
#[test]
fn many_pieces_take_as_long_as_they_are_many() {
    let taken = |rows: usize| {
        let pieces = grid(80, 2 * rows, |x, y| x % 2 == 1 || y % 2 == 1);
        let bones = [
            Bone::new(point(-30.0, 400.0), point(400.0, 400.0)),
            Bone::new(point(400.0, 400.0), point(830.0, 400.0)),
        ];
        let begin = Instant::now();
        Weights::new(&pieces, &bones, 1.5).unwrap();
        begin.elapsed().as_secs_f64()
    };
    // A busy machine may take time from one of them, but not from one of them each time.
    let ratios: Vec<_> = (0..4).map(|_| taken(160) / taken(20)).collect();
    assert!(ratios.iter().any(|ratio| *ratio < 16.0), "{ratios:?}");
}
