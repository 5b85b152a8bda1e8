//! Weights that are changed by hand: sums of 1, at most four bones, exact zeros, and locks that hold.

use proptest::prelude::*;
use tendon_skin::glam::DVec2;
use tendon_skin::{Bone, Brush, MOST_BONES, Mesh, Mirror, Painting, Weights};

const BONES: usize = 6;

/// A strip of squares of ten pixels, two squares high.
fn strip(columns: usize) -> Mesh {
    let vertices = (0..(columns + 1) * 3)
        .map(|index| DVec2::new((index / 3) as f64, (index % 3) as f64) * 10.0)
        .collect();
    let squares = (0..columns * 2).map(|square| square / 2 * 3 + square % 2);
    let triangles = squares.flat_map(|at| [[at, at + 3, at + 4], [at, at + 4, at + 1]]);
    Mesh::new(vertices, triangles.collect()).unwrap()
}

fn painting(locked: &[usize]) -> Painting {
    let locked = (0..BONES).map(|bone| locked.contains(&bone)).collect();
    Painting::new(strip(8), locked)
}

/// Two bones in a line, which meet in the middle.
fn weights() -> Weights {
    let bones = [
        Bone::new(DVec2::new(0.0, 10.0), DVec2::new(40.0, 10.0)),
        Bone::new(DVec2::new(40.0, 10.0), DVec2::new(80.0, 10.0)),
    ];
    Weights::new(&strip(8), &bones, 1.5).unwrap()
}

fn weight(weights: &Weights, vertex: usize, bone: usize) -> f64 {
    weights.of_bone(bone).nth(vertex).unwrap()
}

fn check(weights: &Weights, count: usize) {
    for vertex in 0..count {
        let row = weights.of(vertex);
        assert!(row.len() <= MOST_BONES, "{row:?}");
        assert!(
            row.is_sorted_by(|first, second| first.0 < second.0),
            "{row:?}"
        );
        assert!(
            row.iter()
                .all(|&(_, weight)| weight > 1e-4 && weight <= 1.0 + 1e-9),
            "{row:?}"
        );
        let sum: f64 = row.iter().map(|&(_, weight)| weight).sum();
        assert!((sum - 1.0).abs() < 1e-9, "{row:?}");
    }
}

#[test]
fn a_brush_is_soft() {
    assert_eq!(Brush::softness(0.0, 10.0), 1.0);
    assert_eq!(Brush::softness(10.0, 10.0), 0.0);
    assert_eq!(Brush::softness(0.0, 0.0), 0.0);
    let at = |distance| Brush::softness(distance, 10.0);
    assert!(at(2.0) > at(5.0) && at(5.0) > at(9.0) && at(9.0) > 0.0);
}

#[test]
fn set_gives_the_weight_and_the_others_share_the_rest() {
    let painting = painting(&[]);
    let before = weights();
    let mut amounts = vec![0.0; 27];
    amounts[12] = 1.0;
    amounts[4] = 0.5;
    let after = painting.paint(
        &before,
        Brush::Set {
            bone: 3,
            weight: 0.8,
        },
        &amounts,
    );
    check(&after, 27);
    assert!((weight(&after, 12, 3) - 0.8).abs() < 1e-12);
    assert!((weight(&after, 4, 3) - 0.4).abs() < 1e-12);
    let ratio = |weights: &Weights| weight(weights, 12, 0) / weight(weights, 12, 1);
    assert!((ratio(&after) - ratio(&before)).abs() < 1e-9);
    for vertex in (0..27).filter(|vertex| ![4, 12].contains(vertex)) {
        assert_eq!(before.of(vertex), after.of(vertex));
    }
    // All of it, and nothing of it.
    let all = painting.paint(
        &after,
        Brush::Set {
            bone: 3,
            weight: 1.0,
        },
        &amounts,
    );
    assert_eq!(all.of(12), [(3, 1.0)]);
    let none = painting.paint(
        &after,
        Brush::Set {
            bone: 3,
            weight: 0.0,
        },
        &amounts,
    );
    assert_eq!(none.of(12).iter().filter(|it| it.0 == 3).count(), 0);
    check(&none, 27);
    // Where no other bone is, none could take the weight.
    let alone = painting.paint(
        &all,
        Brush::Set {
            bone: 3,
            weight: 0.0,
        },
        &amounts,
    );
    assert_eq!(alone.of(12), [(3, 1.0)]);
}

#[test]
fn add_adds_and_takes_away() {
    let painting = painting(&[]);
    let before = weights();
    let amounts = vec![0.5; 27];
    let more = painting.paint(
        &before,
        Brush::Add {
            bone: 1,
            weight: 0.2,
        },
        &amounts,
    );
    check(&more, 27);
    let expected = (weight(&before, 13, 1) + 0.1).min(1.0);
    assert!((weight(&more, 13, 1) - expected).abs() < 1e-9);
    let less = painting.paint(
        &before,
        Brush::Add {
            bone: 1,
            weight: -2.0,
        },
        &amounts,
    );
    assert_eq!(weight(&less, 13, 1), 0.0);
    check(&less, 27);
}

#[test]
fn smoothing_brings_neighbours_together() {
    let painting = painting(&[]);
    let columns = |bone: usize| {
        (0..27)
            .map(|it| f64::from((it < 13) == (bone == 0)))
            .collect()
    };
    let before = Weights::from_bones(27, &[columns(0), columns(1)]);
    let step = |weights: &Weights| {
        let steps = (0..24).map(|it| (weight(weights, it, 0) - weight(weights, it + 3, 0)).abs());
        steps.fold(0.0, f64::max)
    };
    let after = painting.paint(&before, Brush::Smooth, &[1.0; 27]);
    check(&after, 27);
    assert!(
        step(&before) == 1.0 && step(&after) < 0.4,
        "{}",
        step(&after)
    );
    assert_eq!(painting.paint(&before, Brush::Smooth, &[0.0; 27]), before);
}

#[test]
fn a_locked_bone_keeps_its_weights() {
    let painting = painting(&[1]);
    let before = weights();
    let brushes = [
        Brush::Set {
            bone: 1,
            weight: 1.0,
        },
        Brush::Set {
            bone: 4,
            weight: 1.0,
        },
        Brush::Add {
            bone: 0,
            weight: -1.0,
        },
        Brush::Smooth,
    ];
    for brush in brushes {
        let after = painting.paint(&before, brush, &[1.0; 27]);
        check(&after, 27);
        assert!(before.of_bone(1).eq(after.of_bone(1)), "{brush:?}");
    }
    let mut columns = vec![Vec::new(); 5];
    columns.push(vec![1.0; 27]);
    let sixth = Weights::from_bones(27, &columns);
    let after = painting.replace(&before, &sixth, &[1.0; 27]);
    check(&after, 27);
    assert!(before.of_bone(1).eq(after.of_bone(1)));
    assert!(after.of_bone(0).all(|weight| weight == 0.0));
}

#[test]
fn one_side_is_copied_to_the_other() {
    let painting = painting(&[]);
    // Bone 2 is in the middle, 0 and 1 are on the sides.
    let place = |vertex: usize| vertex as f64 / 3.0;
    let of = |bone: usize| -> Vec<f64> {
        (0..27)
            .map(|vertex| match bone {
                0 => (3.0 - place(vertex)).clamp(0.0, 1.0),
                2 => 1.0 - (3.0 - place(vertex)).clamp(0.0, 1.0),
                _ => 0.0,
            })
            .collect()
    };
    let before = Weights::from_bones(27, &[of(0), of(1), of(2)]);
    let mirror = Mirror {
        place: DVec2::new(40.0, 10.0),
        towards: DVec2::NEG_X,
        partners: vec![1, 0, 2, 3, 4, 5],
    };
    let after = painting.mirror(&before, &mirror, &[1.0; 27]);
    check(&after, 27);
    for vertex in 0..27 {
        let image = (8 - vertex / 3) * 3 + vertex % 3;
        for (bone, partner) in [(0, 1), (1, 0), (2, 2)] {
            let off = weight(&after, vertex, bone) - weight(&after, image, partner);
            assert!(off.abs() < 1e-9, "{vertex} {bone}");
        }
        if vertex < 12 {
            assert_eq!(before.of(vertex), after.of(vertex));
        }
    }
}

#[test]
fn what_has_no_weights_gets_some() {
    let mut columns = vec![vec![0.0; 27]; 2];
    columns[0][0] = 1.0;
    columns[1][0] = f64::NAN;
    let before = Weights::from_bones(27, &columns);
    assert!(before.of(5).is_empty());
    let painting = painting(&[]);
    let set = painting.paint(
        &before,
        Brush::Set {
            bone: 1,
            weight: 0.3,
        },
        &[1.0; 27],
    );
    assert_eq!(set.of(5), [(1, 1.0)]);
    check(&painting.replace(&before, &weights(), &[0.25; 27]), 27);
}

#[test]
fn the_number_under_the_mouse_is_that_of_the_triangle() {
    let weights = weights();
    let at = weights.at(&strip(8), DVec2::new(45.0, 10.0));
    let mean = f64::midpoint(weight(&weights, 13, 1), weight(&weights, 16, 1));
    assert_eq!(at[0].0, 1);
    assert!((at[0].1 - mean).abs() < 1e-9);
    assert!(weights.at(&strip(8), DVec2::new(-1.0, 10.0)).is_empty());
}

proptest! {
    /// Whatever is painted, one after another.
    #[test]
    fn weights_stay_weights(
        columns in prop::collection::vec(prop::collection::vec(0.0..1.0f64, 27), BONES),
        strokes in prop::collection::vec((0..BONES, 0..3, -1.0..1.5f64, 0.0..1.0f64), 1..20),
        locked in prop::collection::vec(0..BONES, 0..3),
    ) {
        let painting = painting(&locked);
        let before = Weights::from_bones(27, &columns);
        let mut now = before.clone();
        for (bone, kind, weight, amount) in strokes {
            let brush = match kind {
                0 => Brush::Set { bone, weight },
                1 => Brush::Add { bone, weight },
                _ => Brush::Smooth,
            };
            now = painting.paint(&now, brush, &[amount; 27]);
        }
        check(&now, 27);
        for bone in locked {
            for (old, new) in before.of_bone(bone).zip(now.of_bone(bone)) {
                prop_assert!((old - new).abs() < 1e-9);
            }
        }
    }
}
