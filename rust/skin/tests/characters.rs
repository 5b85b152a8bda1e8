//! 200 random characters: their weights, and what becomes of them when they bend.

mod figures;

use figures::Figure;
use figures::bend::Bent;
use tendon_skin::{MOST_BONES, Options, Skin};

fn skin(figure: &Figure) -> Skin {
    let made = Skin::new(&figure.alpha(), &figure.bones(), &Options::default());
    made.unwrap()
}

fn characters() -> impl Iterator<Item = (Figure, Skin)> {
    (0..200)
        .map(Figure::random)
        .map(|figure| (figure.clone(), skin(&figure)))
}

/// What becomes of characters when one of their joints bends.
#[derive(Default)]
struct Worst {
    /// The part of the triangles that turn over.
    flips: f64,
    /// The part of the area that is lost or gained.
    area: f64,
}

/// The worst of all joints, each bent to both sides.
fn bend(angle: f64) -> Worst {
    let mut worst = Worst::default();
    for (figure, skin) in characters() {
        for bone in (0..figure.limbs.len()).filter(|&bone| figure.limbs[bone].parent.is_some()) {
            for angle in [-angle, angle] {
                let bent = Bent::new(&figure, &skin, bone, angle.to_radians());
                let flips = bent.flips as f64 / skin.mesh.triangles.len() as f64;
                worst.flips = worst.flips.max(flips);
                worst.area = worst.area.max(bent.area.abs());
            }
        }
    }
    println!(
        "{angle} degrees: of the triangles, at most {:.2} % turn over; area off by {:.1} %",
        worst.flips * 100.0,
        worst.area * 100.0
    );
    worst
}

#[test]
fn weights_add_up_and_are_few() {
    for (figure, skin) in characters() {
        for vertex in 0..skin.mesh.vertices.len() {
            let weights = skin.weights.of(vertex);
            assert!((1..=MOST_BONES).contains(&weights.len()), "{}", figure.kind);
            assert!(
                weights
                    .iter()
                    .all(|&(_, weight)| weight > 0.0 && weight <= 1.0)
            );
            let sum: f64 = weights.iter().map(|&(_, weight)| weight).sum();
            assert!((sum - 1.0).abs() < 1e-12);
        }
    }
}

#[test]
fn a_bone_moves_its_limb_and_those_beside_it() {
    let (mut most, mut foreign, mut all) = (0.0f64, 0, 0);
    for (figure, skin) in characters() {
        all += skin.mesh.vertices.len();
        for (vertex, &place) in skin.mesh.vertices.iter().enumerate() {
            let others = skin
                .weights
                .of(vertex)
                .iter()
                .filter(|&&(bone, _)| !figure.may_move(place, bone));
            let weight = others.map(|&(_, weight)| weight).fold(0.0, f64::max);
            most = most.max(weight);
            foreign += usize::from(weight > 0.02);
        }
    }
    println!("largest weight of another limb: {most:.4}; over 0.02 at {foreign} of {all} vertices");
    assert!(most <= 0.02);
}

#[test]
fn few_triangles_turn_over_when_any_joint_bends_by_sixty_degrees() {
    let Worst { flips, area } = bend(60.0);
    assert!(flips <= 0.005 && area <= 0.12);
}

#[test]
fn few_triangles_turn_over_when_any_joint_bends_by_ninety_degrees() {
    let Worst { flips, area } = bend(90.0);
    assert!(flips <= 0.02 && area <= 0.12);
}

#[test]
fn the_same_picture_gives_the_same_skin() {
    for seed in 0..12 {
        let figure = Figure::random(seed);
        assert_eq!(skin(&figure), skin(&figure));
    }
}
