//! Which bones move the parts of a cut-out.

use tendon_skin::glam::DVec2;
use tendon_skin::{Bone, Cover, Movers};

/// A part that fills a box.
struct Filled(DVec2, DVec2);

impl Filled {
    fn part(&self, bones: &[Bone], held: Option<usize>) -> Cover {
        let Self(low, high) = *self;
        let steps = || (0..=20).map(|step| f64::from(step) / 20.0);
        let places: Vec<DVec2> = steps()
            .flat_map(|x| steps().map(move |y| low + (high - low) * DVec2::new(x, y)))
            .collect();
        Cover::new(bones, held, |it| it.clamp(low, high) == it, &places)
    }
}

fn filled(x: [f64; 2], y: [f64; 2]) -> Filled {
    Filled(DVec2::new(x[0], y[0]), DVec2::new(x[1], y[1]))
}

fn bone(from: [f64; 2], to: [f64; 2], parent: Option<usize>) -> Bone {
    Bone::new(from.into(), to.into()).below(parent)
}

const HIP: usize = 0;
const CHEST: usize = 1;
const HEAD: usize = 2;
const ARM: usize = 3;
const FOREARM: usize = 4;
const HAND: usize = 5;
const LEG: usize = 6;
const SHIN: usize = 7;
const LEFT: usize = 8;

/// The arm hangs in front of the leg, and begins within the body.
fn bones() -> Vec<Bone> {
    vec![
        bone([0.0, 0.0], [0.0, -40.0], None),
        bone([0.0, -40.0], [0.0, -200.0], Some(HIP)),
        bone([0.0, -200.0], [0.0, -260.0], Some(CHEST)),
        bone([80.0, -140.0], [80.0, -45.0], Some(CHEST)),
        bone([80.0, -45.0], [80.0, 50.0], Some(ARM)),
        bone([80.0, 50.0], [80.0, 130.0], Some(FOREARM)),
        bone([45.0, 10.0], [35.0, 105.0], Some(HIP)),
        bone([35.0, 105.0], [35.0, 235.0], Some(LEG)),
        bone([-45.0, 10.0], [-35.0, 105.0], Some(HIP)),
    ]
}

fn movers(parts: &[Filled], held: Option<usize>) -> Vec<Movers> {
    let bones = bones();
    let parts: Vec<Cover> = parts.iter().map(|part| part.part(&bones, held)).collect();
    Cover::movers(&parts, &bones)
}

fn inside(bones: &[usize]) -> Movers {
    Movers {
        bones: bones.to_vec(),
        are_beside: false,
    }
}

const BODY: fn() -> Filled = || filled([-88.0, 88.0], [-190.0, 30.0]);
const RIGHT_ARM: fn() -> Filled = || filled([60.0, 105.0], [-165.0, 150.0]);
const RIGHT_LEG: fn() -> Filled = || filled([15.0, 100.0], [-20.0, 290.0]);

#[test]
fn each_part_has_its_own_bones() {
    let found = movers(&[BODY(), RIGHT_ARM(), RIGHT_LEG()], None);
    assert_eq!(found[0], inside(&[HIP, CHEST]));
    assert_eq!(found[1], inside(&[ARM, FOREARM, HAND]));
    assert_eq!(found[2], inside(&[LEG, SHIN]));
}

/// Where nothing else is to be skinned.
#[test]
fn a_leg_alone_takes_no_arm() {
    let legs = filled([15.0, 78.0], [-20.0, 290.0]);
    assert_eq!(movers(&[legs], None)[0], inside(&[LEG, SHIN]));
    // Only the hand.
    let low = filled([0.0, 100.0], [40.0, 290.0]);
    assert_eq!(movers(&[low], None)[0], inside(&[LEG, SHIN]));
}

#[test]
fn one_drawing_takes_all_bones() {
    let whole = filled([-100.0, 110.0], [-280.0, 290.0]);
    assert_eq!(movers(&[whole], None)[0], inside(&Vec::from_iter(0..9)));
    // Trousers, whose bones hang on one beside them.
    let trousers = filled([-70.0, 70.0], [12.0, 290.0]);
    assert_eq!(movers(&[trousers], None)[0], inside(&[LEG, SHIN, LEFT]));
}

/// The leg begins where the line of the hips to it ends.
#[test]
fn a_leg_hangs_on_the_hips() {
    let mut bones = bones();
    bones[HIP]
        .segments
        .push([DVec2::ZERO, DVec2::new(45.0, 10.0)]);
    let part = filled([15.0, 70.0], [-20.0, 290.0]).part(&bones, None);
    assert_eq!(Cover::movers(&[part], &bones)[0], inside(&[LEG, SHIN]));
}

/// A patch over a joint bends with both.
#[test]
fn a_patch_over_an_elbow_follows_both() {
    let patch = filled([70.0, 90.0], [-80.0, -10.0]);
    assert_eq!(movers(&[patch], None)[0], inside(&[ARM, FOREARM]));
}

/// Clothes over a body are moved as it is.
#[test]
fn clothes_take_the_bones_below_them() {
    let whole = filled([-100.0, 110.0], [-280.0, 290.0]);
    let shirt = filled([-95.0, 95.0], [-195.0, -90.0]);
    assert_eq!(movers(&[whole, shirt], None)[1], inside(&[CHEST, ARM]));
}

#[test]
fn a_part_follows_what_it_hangs_on() {
    let badge = filled([-20.0, 20.0], [-230.0, -210.0]);
    assert_eq!(movers(&[badge], Some(HAND))[0], inside(&[HEAD, HAND]));
}

#[test]
fn a_part_without_bones_follows_the_nearest_one() {
    let hat = filled([-30.0, 30.0], [-330.0, -300.0]);
    let nearest = Movers {
        bones: vec![HEAD],
        are_beside: true,
    };
    assert_eq!(movers(&[BODY(), hat], None)[1], nearest);
}

/// The chin lies over the head's bone, and the head over that of the chin.
#[test]
fn parts_with_names_of_bones_are_theirs() {
    let bones = [
        bone([0.0, 0.0], [0.0, -160.0], None),
        bone([0.0, -160.0], [0.0, -210.0], Some(0)),
        bone([0.0, -210.0], [-14.0, -220.0], Some(1)),
    ];
    let boxes = [
        filled([-90.0, 90.0], [-230.0, 10.0]),
        filled([-170.0, 160.0], [-490.0, -198.0]),
        filled([-160.0, 170.0], [-260.0, -130.0]),
    ];
    let parts: Vec<Cover> = (0..3)
        .map(|part| boxes[part].part(&bones, None).named(Some(part)))
        .collect();
    let found = Cover::movers(&parts, &bones);
    assert_eq!(found, [0, 1, 2].map(|bone| inside(&[bone])));
    // A bone that is elsewhere has the name by chance.
    let hat = filled([-60.0, 60.0], [-640.0, -600.0]).part(&bones, None);
    let hat = Cover::movers(&[hat.named(Some(0))], &bones);
    assert!(hat[0].are_beside && hat[0].bones == [2]);
}

/// Threads that are eight times as far apart as they are thick.
#[test]
fn a_net_is_moved_by_what_lies_between_its_threads() {
    let is_thread = |place: DVec2| {
        let is_near = |at: f64| at.rem_euclid(50.0) < 6.0;
        place.clamp(DVec2::ZERO, DVec2::splat(700.0)) == place
            && (is_near(place.x) || is_near(place.y))
    };
    let steps = || (0..140).map(|step| f64::from(step) * 5.0 + 2.5);
    let places = steps().flat_map(|x| steps().map(move |y| DVec2::new(x, y)));
    let places: Vec<DVec2> = places.filter(|&it| is_thread(it)).collect();
    let bones = [
        bone([60.0, 330.0], [340.0, 330.0], None),
        bone([340.0, 330.0], [640.0, 330.0], Some(0)),
        // Beside it.
        bone([720.0, 100.0], [720.0, 600.0], None),
    ];
    let net = Cover::new(&bones, None, is_thread, &places);
    assert_eq!(Cover::movers(&[net], &bones)[0], inside(&[0, 1]));
}
