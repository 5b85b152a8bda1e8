//! Targets that move steadily must move bones steadily.
//!
//! The rigs are those of two gallery scenes, solved frame by frame above the same base pose, so
//! nothing but the solver can make a bone jump: as the default is, with memory, and without where
//! that is steady, too. Show what is measured with
//! `cargo test --release --test steadiness -- --nocapture`. With `TENDON_SHORT`, vines among shapes
//! are followed for 5 s.
//!
//! | file | what is in it |
//! |---|---|
//! | this one | what must hold |
//! | `scenes` | the rigs, and how their targets move |
//! | `film` | what a rig does, frame by frame |
//! | `within_reach` | in which frames a target is within reach |

#[path = "../common/extent.rs"]
mod extent;
mod film;
#[path = "../common/parts.rs"]
mod parts;
mod scenes;
mod within_reach;

use glam::Vec2;
use rayon::prelude::*;
use tendon_solver::{Bone, End, Rig};

use extent::extent;
use film::{Film, Frames, Memory, film, reach};
use parts::{Edit, fixed, look_at, reaching};
use scenes::{
    FREE_REACH, VINE_ROOT, dash, dash_around_the_crate, free_torso, on, reach_with_both_hands,
    roam, torso, vine,
};
use within_reach::{Arcs, Shoulders, frames_within_reach, longest_transition};

/// Frames in 30 s.
const FRAMES: u16 = 1_800;

/// In frames. A limb that needs a transition to its target is there after that time.
const HALF_A_SECOND: usize = 30;

/// A limb that has reached its target may leave it for another branch for as many frames as this.
const MOMENT: u16 = 6;

/// Frames in which a limb tries all ways to find another branch: the pose without memory and 64 starts,
/// three in a frame.
const SEARCH: usize = 22;

/// A transition leads to a pose that does not arrive only if that is nearer to the target by this part of
/// its reach,
const CLEARLY: f32 = 0.05;

/// and by this part for each second that it takes.
const WORTH: f32 = 0.5;

/// How much farther than its target a joint may move, where there is no transition: more is a leap to the
/// solver (`LEAP` in `descent/follow/leap_prevention.rs`).
const TIMES: f32 = 4.0;

/// A joint that moves by no more, in px, is not seen to move.
const UNSEEN: f32 = 1.0;

/// Every target that is within reach is reached: at once without memory, and within half a second by a limb
/// that needs a transition.
fn assert_reached(film: &Film, within: &Frames, memory: Memory) {
    let given = within.count();
    assert!(2 * given > within.0.len(), "only {given} are within reach");
    let patience = if memory == Memory::Kept {
        HALF_A_SECOND
    } else {
        0
    };
    let missed = within.without(&film.reached);
    assert!(missed.longest() <= patience, "missed: {missed:?}, {film:?}");
}

/// Targets move by 4 px at most. With memory there is a transition where limits end its way.
#[test]
fn a_torso_follows_two_targets_without_a_jump() {
    let shoulders = Shoulders::new();
    let within = frames_within_reach(&mut torso(), FRAMES, reach_with_both_hands, |rig| {
        shoulders.reach(rig)
    });
    for memory in [Memory::Kept, Memory::None] {
        let film = film(&mut torso(), memory, FRAMES, reach_with_both_hands);
        println!("torso, {memory:?}, {within:?} within reach: {film:?}");
        assert_reached(&film, &within, memory);
        // Without memory two poses may be equally near to the base pose.
        assert!(memory == Memory::None || film.jumps == 0, "{film:?}");
    }
}

/// Targets move by 4 px at most from one frame to the next, be they within reach or not.
#[test]
fn a_vine_follows_its_target_everywhere() {
    for bones in [24, 31] {
        let mut rig = vine(bones);
        rig.modifiers[0].obstacles_mut().clear();
        let arcs = Arcs::new(bones);
        let within = frames_within_reach(&mut rig, 900, roam, |rig| arcs.reach(rig));
        for memory in [Memory::Kept, Memory::None] {
            let film = film(&mut rig.clone(), memory, 900, roam);
            println!("{bones} bones, {memory:?}, {within:?} within reach: {film:?}");
            assert_reached(&film, &within, memory);
            assert_eq!(film.jumps, 0, "{film:?}");
            assert!(film.farthest <= TIMES * 4.0, "{film:?}");
        }
    }
}

/// Without a memory a vine takes now one way, now another, and is never inside a shape. Where any way leads
/// to the target, it arrives. With memory it keeps to its way until that leads nowhere. Where a target can
/// then be reached from the other side alone, it finds that in the time that all attempts take, and changes
/// over.
#[test]
fn a_vine_among_shapes_keeps_its_way_while_that_leads_to_the_target() {
    let frames = extent(300, 900, 900);
    [24, 31].into_par_iter().for_each(|bones| {
        let [kept, none] = [Memory::Kept, Memory::None].map(|memory| {
            let film = film(&mut vine(bones), memory, frames, roam);
            println!("{bones} bones among shapes, {memory:?}: {film:?}");
            film
        });
        assert_eq!(none.deepest, 0.0, "{none:?}");
        assert_eq!(kept.reached.without(&none.reached).count(), 0, "{bones}");
        // A limb in transition to another side has no way around.
        assert_eq!(kept.deepest_on_its_way, 0.0, "{kept:?}");
        assert_eq!(kept.jumps, 0, "{kept:?}");
        let lost = none.reached.without(&kept.reached);
        let idle = lost.without(&kept.in_transition);
        println!("{bones} bones among shapes: lost {lost:?}, idle {idle:?}");
        assert!(idle.longest() <= SEARCH, "{idle:?}");
        assert!(
            kept.in_transition.longest() <= longest_transition(bones),
            "{kept:?}"
        );
    });
}

/// A vine that has reached its target is in transition for no longer than a moment if it could have stayed:
/// neither to a pose that is nearer to its base pose, nor where a shape stops its steps and it could have
/// slid past. A transition leads to a pose that does not arrive only if that gains much for the time. It finds
/// every target that a vine without memory finds.
#[test]
fn a_vine_does_not_leave_what_it_has_reached() {
    let (starts, frames) = extent((1, 300), (3, FRAMES), (6, FRAMES));
    let none = film(&mut vine(31), Memory::None, frames, dash_around_the_crate);
    println!("31 bones, a dashing target, without memory: {none:?}");
    let reach = reach(&vine(31));
    // Where transitions begin depends on the last bits, so several begin a little later.
    (0..starts).into_par_iter().for_each(|tenths| {
        let later = 6 * tenths;
        let kept = film(&mut vine(31), Memory::Kept, frames - later, |rig, time| {
            dash_around_the_crate(rig, time + f32::from(later) / 60.0);
        });
        let none = Frames(none.reached.0[usize::from(later)..].to_vec());
        let lost = none.without(&kept.reached);
        let idle = lost.without(&kept.in_transition);
        println!("{later} frames later: lost {lost:?}, idle {idle:?}, {kept:?}");
        assert_eq!(kept.jumps, 0, "{kept:?}");
        assert_eq!(kept.reached.without(&none).count(), 0, "{kept:?}");
        for transition in &kept.transitions {
            assert!(
                !transition.is_needless || transition.frames <= MOMENT,
                "{transition:?}"
            );
            let worth = CLEARLY + WORTH * f32::from(transition.frames) / 60.0;
            let is_worth_it = transition.gain.is_none_or(|gain| gain >= worth * reach);
            assert!(is_worth_it, "{transition:?}, {worth} of {reach} px");
        }
        assert!(idle.longest() <= SEARCH, "{idle:?}");
        assert!(
            kept.in_transition.longest() <= longest_transition(31),
            "{kept:?}"
        );
    });
}

/// A head that turns to a target by less than half flips from one side to the other where the target
/// passes behind it.
#[test]
fn a_head_that_looks_a_little_does_not_flip() {
    let mut rig = torso();
    let bone = |parent, x: f32, y: f32| Bone {
        position: Vec2::new(x, y),
        ..Bone::below(Some(parent))
    };
    // The eye shows how far the head turns.
    rig.bones.extend([bone(4, 46.0, 0.0), bone(9, 61.0, 17.0)]);
    let mut looks = reaching(
        look_at(),
        vec![9],
        End::Point(on(9, 90.0)),
        fixed(Vec2::ZERO),
    );
    looks.influence = 0.18;
    rig.modifiers.push(looks);
    let film = film(&mut rig, Memory::Kept, FRAMES, |rig, time| {
        reach_with_both_hands(rig, time);
        let target = dash(time) - Vec2::new(576.0, 554.0);
        for modifier in &mut rig.modifiers {
            modifier.target_mut().position = target;
        }
    });
    println!("a torso with a head: {film:?}");
    assert_eq!(film.jumps, 0, "{film:?}");
    assert!(film.in_transition.longest() <= HALF_A_SECOND, "{film:?}");
}

/// How far a trembling target is from its place, in px.
const TREMBLING: f32 = 0.1;

/// How far a joint moves at most when the target trembles around `place`, on the screen.
fn tremor(rig: &mut Rig, place: [f32; 2], memory: Memory) -> f32 {
    let film = film(rig, memory, 120, |rig, time| {
        let modifier = &mut rig.modifiers[0];
        let offset = TREMBLING * Vec2::new((411.0 * time).sin(), (733.0 * time).cos());
        modifier.target_mut().position = Vec2::from(place) - VINE_ROOT + offset;
    });
    film.farthest
}

/// Within reach, on the root, at full reach and beyond it, where limits end, and behind.
const PLACES: [[f32; 2]; 8] = [
    [700.0, 200.0],
    [150.0, 512.0],
    [152.0, 500.0],
    [900.0, 60.0],
    [1400.0, 300.0],
    [200.0, 40.0],
    [100.0, 700.0],
    [60.0, 420.0],
];

/// A target on the root that is nearer than the chain can fold is left out: seen from the root a
/// tiny step is a whole turn then, and the nearest pose turns with it.
#[test]
fn a_trembling_target_moves_bones_a_little() {
    for bones in [16, 24, 31] {
        for place in PLACES {
            for memory in [Memory::None, Memory::Kept] {
                let mut rig = vine(bones);
                rig.modifiers[0].obstacles_mut().clear();
                let moved = tremor(&mut rig, place, memory);
                println!("{bones} bones, {place:?}, {memory:?}: {moved} px");
                assert!(moved <= UNSEEN, "{bones}, {place:?}, {memory:?}: {moved}");
            }
        }
    }
}

/// Among shapes too, where the way round is kept.
#[test]
fn a_trembling_target_among_shapes_moves_bones_a_little() {
    for bones in [24, 31] {
        for place in PLACES {
            let moved = tremor(&mut vine(bones), place, Memory::Kept);
            println!("{bones} bones among shapes, {place:?}: {moved} px");
            assert!(moved <= UNSEEN, "{bones} bones, {place:?}: {moved} px");
        }
    }
}

/// How far one hand's target moves away from the root in a frame, in px.
const LEAVING: f32 = 0.1;

/// How far a joint moves at most while one hand's target moves away from the root by [`LEAVING`] in each
/// frame, from `start` on, and the other's stays at `other`.
fn leaving(memory: Memory, start: f32, [angle, other]: [f32; 2], weight: f32) -> f32 {
    let mut rig = free_torso();
    rig.modifiers[0].effectors_mut()[0].weight = weight;
    let mut follow = |frames: u16, from: f32| {
        film(&mut rig, memory, frames, |rig, time| {
            let modifier = &mut rig.modifiers[0];
            let far = from + 60.0 * LEAVING * time;
            modifier.target_mut().position = far * Vec2::from_angle(-1.0);
            modifier.effectors_mut()[0].target.position = other * Vec2::from_angle(angle);
        })
    };
    // The first pose need not be the best: a second is enough to find another.
    follow(60, start - 60.0 * LEAVING);
    let film = follow(1_000, start);
    println!(
        "{memory:?}, from {start}, the other {other} at {angle}, which weighs {weight}: {film:?}"
    );
    film.farthest_on_its_way
}

/// Where the other hand of a [`free_torso`] goes: near, on the other side, in the way, beyond
/// reach as well.
const OTHERS: [[f32; 2]; 6] = [
    [-1.6, 100.0],
    [-2.4, 65.0],
    [-0.7, 40.0],
    [-1.9, 129.9],
    [-1.8, 160.0],
    [-2.6, 300.0],
];

/// Spine and arm are straight then, so nothing of them is in doubt. What the other arm does must
/// not be either.
#[test]
fn a_target_out_of_reach_leaves_the_other_arm_still() {
    for other in OTHERS {
        for weight in [1.0, 0.2] {
            for memory in [Memory::Kept, Memory::None] {
                let moved = leaving(memory, 1.01 * FREE_REACH, other, weight);
                assert!(
                    moved <= UNSEEN,
                    "{memory:?}, {other:?}, {weight}: {moved} px"
                );
            }
        }
    }
}

/// A target that trembles a little where the reach ends: a line of bones whose end comes nearer by *d*
/// bends to the side by `√(L d / 2)` at most, as two bones of half its length do, so the bones tremble more
/// than the target there, but do not jump.
#[test]
fn a_target_at_the_end_of_reach_trembles_without_a_leap() {
    let most = (FREE_REACH * 2.0 * TREMBLING / 2.0).sqrt();
    for [angle, other] in OTHERS {
        let film = film(&mut free_torso(), Memory::Kept, 300, |rig, time| {
            let offset = TREMBLING * (411.0 * time).sin();
            let modifier = &mut rig.modifiers[0];
            modifier.target_mut().position = (FREE_REACH + offset) * Vec2::from_angle(-1.0);
            modifier.effectors_mut()[0].target.position = other * Vec2::from_angle(angle);
        });
        println!("the other {other} at {angle}: {film:?}");
        assert!(film.farthest <= most, "{film:?}, {most} px");
    }
}
