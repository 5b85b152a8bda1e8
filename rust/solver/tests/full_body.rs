//! Full-body IK: a body of 18 bones, and any others.

mod common;

use common::parts::{fixed, on};
use glam::Vec2;
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use tendon_solver::{
    Bone, Capture, Direction, Effector, End, FullBody, HandoverSettings, LetGo, Limit, LimitSpace,
    Modifier, Rig, Solver, Status, Workspace,
};

/// Of each bone: what carries it, its length, its rotation and its limits in degrees. Y points up.
const HERO: [(Option<usize>, f32, f32, f32, f32); 18] = [
    (None, 12.0, 90.0, -1e4, 1e4),
    (Some(0), 14.0, 0.0, -25.0, 35.0),
    (Some(1), 14.0, 0.0, -25.0, 35.0),
    (Some(2), 16.0, 0.0, -20.0, 30.0),
    (Some(3), 8.0, 0.0, -30.0, 40.0),
    (Some(4), 22.0, 0.0, -30.0, 40.0),
    (Some(3), 28.0, -152.0, -250.0, 60.0),
    (Some(6), 26.0, 25.0, 2.0, 145.0),
    (Some(7), 14.0, 0.0, -60.0, 60.0),
    (Some(3), 28.0, -168.0, -250.0, 60.0),
    (Some(9), 26.0, 25.0, 2.0, 145.0),
    (Some(10), 14.0, 0.0, -60.0, 60.0),
    (Some(0), 40.0, -164.0, -215.0, -60.0),
    (Some(12), 38.0, -12.0, -145.0, -2.0),
    (Some(13), 16.0, 92.0, 20.0, 160.0),
    (Some(0), 40.0, -184.0, -215.0, -60.0),
    (Some(15), 38.0, -12.0, -145.0, -2.0),
    (Some(16), 16.0, 92.0, 20.0, 160.0),
];
const HANDS: [usize; 2] = [8, 11];
const FEET: [usize; 2] = [14, 17];

/// Effectors in the order in which they are given: hands, then feet.
struct Hero {
    rig: Rig,
    lengths: Vec<f32>,
    workspace: Workspace,
}

impl Hero {
    /// Its bones as long as `factor` says, with pins where hands and feet are.
    fn new(mut factor: impl FnMut() -> f32) -> Self {
        let lengths: Vec<f32> = HERO.iter().map(|bone| bone.1 * factor()).collect();
        let bones = HERO.iter().enumerate().map(|(index, bone)| {
            let (parent, _, rotation, lower, upper) = *bone;
            let is_thigh = parent == Some(0) && index > 1;
            let position = match parent {
                None => Vec2::new(0.0, 80.0),
                Some(_) if is_thigh => Vec2::ZERO,
                Some(parent) => Vec2::X * lengths[parent],
            };
            Bone {
                position,
                rotation: rotation.to_radians(),
                limit: parent.map(|_| Limit::around(0.0, lower.to_radians(), upper.to_radians())),
                ..Bone::below(parent)
            }
        });
        let bones: Vec<Bone> = bones.collect();
        let tips = HANDS.iter().chain(&FEET);
        let effectors = tips.map(|&bone| {
            let end = on(
                bone,
                Vec2::X
                    * if FEET.contains(&bone) {
                        0.0
                    } else {
                        lengths[bone]
                    },
            );
            Effector::new(End::Point(end), fixed(Vec2::ZERO))
        });
        let body = FullBody::new((0..18).collect(), effectors.collect());
        let mut hero = Self {
            rig: Rig::new(bones, vec![Modifier::new(body)]),
            lengths,
            workspace: Workspace::default(),
        };
        hero.rig.validate().expect("the rig is sound");
        hero.pin_all();
        hero
    }

    fn usual() -> Self {
        Self::new(|| 1.0)
    }

    fn body(&mut self) -> &mut FullBody {
        match &mut self.rig.modifiers[0].solver {
            Solver::FullBody(body) => body,
            _ => unreachable!("it is a body"),
        }
    }

    /// Has each effector stay where it is.
    fn pin_all(&mut self) {
        self.rig.take_base_pose();
        for index in 0..4 {
            let tip = self.tip(index);
            self.aim(index, tip);
        }
    }

    fn tip(&mut self, index: usize) -> Vec2 {
        let end = self.body().effectors[index].end;
        self.rig.locate(end.point())
    }

    fn aim(&mut self, index: usize, target: Vec2) {
        self.body().effectors[index].target = fixed(target);
    }

    /// How far an effector is from its target.
    fn miss(&mut self, index: usize) -> f32 {
        let target = self.body().effectors[index].target.position;
        self.tip(index).distance(target)
    }

    fn heading(&self, bone: usize) -> Vec2 {
        common::heading_of(&self.rig, bone)
    }

    /// Has the feet keep their directions, too.
    fn plant_feet(&mut self) {
        for (index, bone) in [(2, FEET[0]), (3, FEET[1])] {
            let vector = self.heading(bone);
            self.body().effectors[index].heading = Some(Direction { bone: None, vector });
        }
    }

    fn solve(&mut self) -> Status {
        self.rig.solve(&mut self.workspace);
        self.rig.modifiers[0].report.status
    }

    /// Goes on for a frame.
    fn go_on(&mut self, delta: f32) -> Status {
        self.rig.go_on();
        self.rig.delta = delta;
        self.solve()
    }

    fn rotations(&self) -> Vec<f32> {
        (0..18).map(|bone| self.rig.rotation(bone)).collect()
    }
}

/// The largest difference between two poses, in radians.
fn apart(one: &[f32], other: &[f32]) -> f32 {
    let pairs = one.iter().zip(other);
    pairs.fold(0.0, |most, (one, other)| most.max((one - other).abs()))
}

/// The hips go 30 px around, by the animation and by a pull, and hands and feet stay: to 0.05 px and 0.1°.
#[test]
fn pins_hold_while_the_hips_move() {
    for stiffness in [1.0, 0.3] {
        let mut hero = Hero::usual();
        hero.plant_feet();
        let feet = FEET.map(|foot| hero.heading(foot));
        hero.body().settings.root_stiffness = stiffness;
        let hips = hero.rig.bones[0].position;
        hero.solve();
        let mut most_moved = 0.0_f32;
        for frame in 0..600 {
            let time = frame as f32 / 60.0;
            let way = Vec2::new(10.0 * (1.9 * time).sin(), 11.0 * (1.3 * time).cos() - 17.0);
            let way = way * time.min(1.0);
            hero.rig.bones[0].position = hips + way;
            hero.go_on(1.0 / 60.0);
            most_moved = most_moved.max(hero.rig.position(0).distance(hips));
            for index in 2..4 {
                let miss = hero.miss(index);
                assert!(miss < 0.05, "frame {frame}, effector {index}: {miss} px");
                let foot = hero.heading(FEET[index - 2]);
                let turned = feet[index - 2].angle_to(foot).abs().to_degrees();
                assert!(turned < 0.1, "frame {frame}: {turned} degrees");
            }
        }
        assert!(stiffness < 1.0 || most_moved > 29.0, "{most_moved} px");
    }
}

/// A hand is pulled to 650 px and back: the feet stay, no joint leaps, and the pose comes back.
#[test]
fn a_hand_far_out_of_reach_takes_the_body_along() {
    let mut hero = Hero::usual();
    hero.body().effectors[0].weight = 0.5;
    hero.body().effectors[1].weight = 0.0;
    hero.solve();
    let (hand, first) = (hero.tip(0), hero.rotations());
    let hips = hero.rig.position(0);
    let mut before = first.clone();
    let mut farthest = 0.0_f32;
    for frame in 0..=600 {
        let part = (frame as f32 / 600.0 * std::f32::consts::PI).sin();
        hero.aim(0, hand + Vec2::new(650.0, 60.0) * part);
        hero.go_on(1.0 / 60.0);
        for index in 2..4 {
            let miss = hero.miss(index);
            assert!(miss < 0.05, "frame {frame}, effector {index}: {miss} px");
        }
        let now = hero.rotations();
        let turn = apart(&before, &now);
        assert!(turn < 0.42, "frame {frame}: {turn} rad");
        farthest = farthest.max(hero.rig.position(0).distance(hips));
        before = now;
    }
    assert!(farthest > 10.0, "the hips went {farthest} px");
    hero.go_on(1.0 / 60.0);
    let off = apart(&first, &hero.rotations());
    assert!(off < 1e-3, "it came back to {off} rad");
}

/// A hand goes around in circles for 1,800 frames: nothing leaps, and all is where it should be.
#[test]
fn nothing_leaps_in_1800_frames() {
    for speed in [1.0, 2.0, 4.0] {
        let mut hero = Hero::usual();
        hero.solve();
        let hand = hero.tip(0);
        let mut before = hero.rotations();
        for frame in 0..1_800_i16 {
            let angle = speed * f32::from(frame) / 60.0;
            let circle = Vec2::new(30.0, 25.0) + 30.0 * Vec2::from_angle(angle);
            hero.aim(0, hand + circle * (f32::from(frame) / 60.0).min(1.0));
            hero.go_on(1.0 / 60.0);
            for index in 0..4 {
                let miss = hero.miss(index);
                assert!(miss < 0.05, "frame {frame}, effector {index}: {miss} px");
            }
            let now = hero.rotations();
            let turn = apart(&before, &now);
            assert!(turn < 0.06 + 0.06 * speed, "frame {frame}: {turn} rad");
            before = now;
        }
    }
}

/// All four go around, each in its own time, so that the body comes to the end of a branch: it goes over
/// to another one at no more than the fastest speed, and all stay where they should be.
#[test]
fn a_branch_is_changed_at_a_bounded_speed() {
    let mut hero = Hero::usual();
    hero.solve();
    let tips: Vec<Vec2> = (0..4).map(|index| hero.tip(index)).collect();
    let mut before = hero.rotations();
    for frame in 0..1_800_i16 {
        let part = (f32::from(frame) / 60.0).min(1.0);
        for (index, &tip) in tips.iter().enumerate() {
            let angle = f32::from(frame) / 60.0 + 1.7 * index as f32;
            let (radius, middle) = match index {
                0 | 1 => (20.0, Vec2::new(10.0, 15.0)),
                _ => (6.0, Vec2::new(0.0, 8.0)),
            };
            hero.aim(
                index,
                tip + part * (middle + radius * Vec2::from_angle(angle)),
            );
        }
        hero.go_on(1.0 / 60.0);
        for index in 0..4 {
            let miss = hero.miss(index);
            assert!(miss < 0.1, "frame {frame}, effector {index}: {miss} px");
        }
        let now = hero.rotations();
        let turn = apart(&before, &now);
        assert!(turn < 25.0 / 60.0 + 1e-4, "frame {frame}: {turn} rad");
        before = now;
    }
}

/// The same way at 30, 60 and 144 Hz ends in the same pose.
#[test]
fn the_frame_rate_does_not_matter() {
    let poses = [30_u32, 60, 144].map(|rate| {
        let mut hero = Hero::usual();
        hero.solve();
        let hand = hero.tip(0);
        for frame in 1..=2 * rate {
            let time = frame as f32 / rate as f32;
            hero.aim(0, hand + Vec2::new(40.0 * time, 30.0 * (2.0 * time).sin()));
            hero.go_on(1.0 / rate as f32);
        }
        hero.rotations()
    });
    for pose in &poses[1..] {
        let off = apart(&poses[0], pose);
        assert!(off < 1e-3, "{off} rad");
    }
}

/// Random characters, all of whose effectors have targets within reach, without memory: all are reached.
#[test]
fn what_is_within_reach_is_reached() {
    let mut missed = Vec::new();
    for seed in 0..100 {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut hero = Hero::new(|| rng.random_range(0.6..1.4));
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1_000 + seed);
        let base = hero.rig.clone();
        for (index, &(_, _, rest, lower, upper)) in HERO.iter().enumerate() {
            let angle = match index {
                0 => rest + rng.random_range(-40.0..40.0),
                _ => rng.random_range(lower..upper),
            };
            hero.rig.bones[index].rotation = angle.to_radians();
        }
        hero.rig.bones[0].position +=
            Vec2::new(rng.random_range(-40.0..40.0), rng.random_range(-40.0..40.0));
        hero.pin_all();
        hero.rig.bones = base.bones;
        let status = hero.solve();
        let miss = (0..4).map(|index| hero.miss(index)).fold(0.0, f32::max);
        if status != Status::Reached || miss > 0.05 {
            missed.push((seed, miss));
        }
        let limits = hero.rig.bones.iter().enumerate().skip(1);
        for (bone, _) in limits {
            let (_, _, _, lower, upper) = HERO[bone];
            let middle = 0.5 * (lower + upper).to_radians();
            let off = (hero.rig.rotation(bone) - middle)
                .sin()
                .atan2((hero.rig.rotation(bone) - middle).cos());
            assert!(
                off.abs() <= 0.5 * (upper - lower).to_radians() + 1e-4,
                "bone {bone}"
            );
        }
    }
    assert!(missed.is_empty(), "missed {missed:?}");
}

/// A root that is locked stays with the animation, one that is not goes along.
#[test]
fn the_stiffness_of_the_root_says_how_far_it_goes() {
    let mut ways = Vec::new();
    for stiffness in [0.0, 0.3, 0.6, 0.9, 1.0] {
        let mut hero = Hero::usual();
        hero.body().settings.root_stiffness = stiffness;
        hero.body().effectors[1].weight = 0.0;
        hero.body().effectors[0].weight = 0.5;
        hero.solve();
        let (hand, hips) = (hero.tip(0), hero.rig.position(0));
        hero.aim(0, hand + Vec2::X * 60.0);
        for _ in 0..60 {
            hero.go_on(1.0 / 60.0);
        }
        ways.push(hero.rig.position(0).distance(hips));
    }
    assert!(ways.is_sorted_by(|one, other| one > other), "{ways:?}");
    assert!(ways[0] > 5.0 && ways[4] == 0.0, "{ways:?}");
}

/// The stiffer the bones of the spine, the less they turn for a hand that is pulled, and the other bones make up for it.
#[test]
fn the_stiffness_of_a_bone_says_how_far_it_turns() {
    let mut turns = Vec::new();
    for stiffness in [0.0, 0.5, 0.9, 0.99, 1.0] {
        let mut hero = Hero::usual();
        for bone in 1..4 {
            let limit = hero.rig.bones[bone].limit.as_mut();
            limit.expect("it has one").stiffness = stiffness;
        }
        hero.solve();
        let before = hero.rotations();
        let hand = hero.tip(0);
        hero.aim(0, hand + Vec2::new(30.0, 20.0));
        for _ in 0..60 {
            hero.go_on(1.0 / 60.0);
        }
        assert!(hero.miss(0) < 0.05, "{stiffness}: {} px", hero.miss(0));
        turns.push(apart(&hero.rotations()[1..4], &before[1..4]));
    }
    assert!(turns.is_sorted_by(|one, other| one > other), "{turns:?}");
    assert!(turns[0] > 5.0 * turns[2] && turns[4] < 1e-3, "{turns:?}");
}

/// A mirrored, stretched character solves as the plain one, mirrored.
#[test]
fn a_mirrored_character_moves_in_the_mirror() {
    let mut hero = Hero::usual();
    hero.plant_feet();
    hero.solve();
    let hand = hero.tip(0) + Vec2::new(30.0, 20.0);
    hero.aim(0, hand);
    let mut mirrored = Hero::usual();
    mirrored.rig = hero.rig.clone();
    let carrier = Bone {
        scale: Vec2::new(-1.0, 1.0),
        ..Bone::below(None)
    };
    let bones = &mut mirrored.rig.bones;
    for bone in bones.iter_mut() {
        bone.parent = Some(bone.parent.map_or(0, |parent| parent + 1));
    }
    bones.insert(0, carrier);
    for joint in &mut mirrored.body().joints {
        *joint += 1;
    }
    for effector in &mut mirrored.body().effectors {
        let End::Point(tip) = &mut effector.end else {
            unreachable!("all are points")
        };
        tip.bone = tip.bone.map(|bone| bone + 1);
        effector.target.position.x *= -1.0;
        if let Some(heading) = &mut effector.heading {
            heading.vector.x *= -1.0;
        }
    }
    mirrored.rig.forget();
    hero.rig.forget();
    hero.solve();
    mirrored.solve();
    for bone in 0..18 {
        let off = hero.rig.rotation(bone) - mirrored.rig.rotation(bone + 1);
        assert!(off.abs() < 1e-4, "bone {bone}: {off}");
    }
}

/// Limits that are fixed in the skeleton hold, whatever the bones above do.
#[test]
fn a_head_that_stays_upright_stays_upright() {
    let mut hero = Hero::usual();
    let limit = Limit {
        space: LimitSpace::Skeleton,
        ..Limit::around(std::f32::consts::FRAC_PI_2, -0.1, 0.1)
    };
    hero.rig.bones[5].limit = Some(limit);
    let end = on(5, Vec2::X * hero.lengths[5]);
    hero.body()
        .effectors
        .push(Effector::new(End::Point(end), fixed(Vec2::ZERO)));
    hero.rig.take_base_pose();
    let head = hero.tip(4);
    for frame in 0..120 {
        hero.aim(
            4,
            head + Vec2::new(40.0, -20.0) * (frame as f32 / 40.0).sin(),
        );
        hero.go_on(1.0 / 60.0);
        let lean = hero.heading(5).angle_to(Vec2::Y).abs();
        assert!(lean < 0.1 + 1e-3, "frame {frame}: {lean}");
        assert!(hero.miss(4) < 0.05, "frame {frame}: {} px", hero.miss(4));
    }
}

/// A hand that goes around is pulled out of reach of a root that may go so far, and no farther.
#[test]
fn the_root_stays_within_its_distance() {
    for most in [4.0, 15.0] {
        let mut hero = Hero::usual();
        hero.body().settings.max_root_distance = most;
        hero.body().effectors[0].weight = 0.5;
        hero.body().effectors[1].weight = 0.0;
        hero.solve();
        let (hand, hips) = (hero.tip(0), hero.rig.position(0));
        let (mut before, mut at_most) = (hips, 0);
        for frame in 0..350 {
            let angle = frame as f32 / 40.0;
            hero.aim(
                0,
                hand + 120.0 * Vec2::from_angle(angle) * (frame as f32 / 60.0).min(1.0),
            );
            hero.go_on(1.0 / 60.0);
            let now = hero.rig.position(0);
            let away = now.distance(hips);
            assert!(away < most + 1e-3, "frame {frame}: {away} px");
            at_most += u32::from(away > most - 1e-3);
            let step = now.distance(before);
            assert!(step < 2.5, "frame {frame}: {step} px in a frame");
            before = now;
            for index in 2..4 {
                let miss = hero.miss(index);
                assert!(miss < 0.05, "frame {frame}, effector {index}: {miss} px");
            }
        }
        assert!(at_most > 100, "{at_most} frames");
    }
}

/// An effector fades in and out while its target is elsewhere: the hand goes there and back evenly.
#[test]
fn an_effector_fades_evenly() {
    for (from, to) in [(0.0, 1.0), (1.0, 0.0)] {
        let mut hero = Hero::usual();
        let hand = hero.tip(0) + Vec2::new(20.0, 10.0);
        hero.body().effectors[0].weight = from;
        hero.aim(0, hand);
        hero.solve();
        let mut before = hero.rotations();
        let mut last = vec![0.0; 18];
        for frame in 1..=60 {
            hero.body().effectors[0].weight = from + (to - from) * frame as f32 / 60.0;
            hero.go_on(1.0 / 60.0);
            let now = hero.rotations();
            let turns: Vec<f32> = now
                .iter()
                .zip(&before)
                .map(|(now, was)| now - was)
                .collect();
            let change = apart(&turns, &last);
            assert!(change < 0.04, "to {to}, frame {frame}: {change} rad");
            (before, last) = (now, turns);
        }
        match to > 0.0 {
            true => assert!(hero.miss(0) < 0.05, "{} px", hero.miss(0)),
            false => assert!(hero.rig.position(0).distance(Vec2::Y * 80.0) < 1e-3),
        }
    }
}

/// What happens to the effectors of a hand while the other hand goes round.
#[derive(Clone, Copy, Debug)]
enum Exchange {
    /// The weight is set to 0, and to 1 again.
    Weight,
    /// There is another target.
    Target,
    /// The effector is taken away, with the bones that nothing else moves, and comes back.
    Effector,
}

/// Takes the effector of the second hand away, with the bones that nothing else moves, or gives it back, as a plan that is
/// made again does it.
fn exchange_body(hero: &mut Hero, has_hand: bool, settings: HandoverSettings) {
    let body = hero.body();
    let (mut joints, mut effectors) = ((0..18).collect::<Vec<_>>(), body.effectors.clone());
    if !has_hand {
        joints.retain(|joint| !(9..12).contains(joint));
        effectors.remove(1);
    }
    let mut modifier = Modifier::new(FullBody::new(joints, effectors));
    let mut old = hero.rig.modifiers.remove(0);
    let off = |bone: usize| hero.rig.rotation(bone) - hero.rig.bones[bone].rotation;
    modifier.take_over_pose(&mut old, &|bone| Some((bone, off(bone))));
    let arm = (9..12).filter(|_| !has_hand);
    let let_go = arm.map(|bone| LetGo::new(bone, (off(bone), Vec2::ZERO), settings));
    hero.rig.let_go = let_go.collect();
    hero.rig.modifiers.push(modifier);
}

/// Effectors that are switched, exchanged, taken away and given back go over in the duration: the speed of no joint
/// leaps but where one comes to its limit or an arm to its reach, and what is held stays held on the way.
#[test]
fn effectors_go_over_in_the_duration() {
    const FRAME: f32 = 1.0 / 60.0;
    let mut random = Xoshiro256PlusPlus::seed_from_u64(58);
    for case in 0..24 {
        let kind = [Exchange::Weight, Exchange::Target, Exchange::Effector][case % 3];
        let duration = random.random_range(0.3..0.6);
        let mut hero = Hero::usual();
        hero.plant_feet();
        let settings = HandoverSettings {
            duration,
            ..HandoverSettings::default()
        };
        hero.rig.modifiers[0].set_handover(settings);
        let hands = [0, 1].map(|hand| hero.tip(hand));
        let radius = random.random_range(4.0..10.0);
        let mut way = || Vec2::from_angle(random.random_range(-3.0..3.0)) * 25.0;
        let mut place = hands[1] + way();
        let other = hands[1] + way();
        let mut has_hand = true;
        let mut hand = hero.body().effectors[1];
        let [mut before, mut last] = [hero.rotations(), vec![0.0; 18]];
        let mut worst = [0.0_f32; 2];
        for frame in 0..240 {
            // What was let go of a moment ago is taken again from where it is, but at rest.
            let is_brief = case % 2 == 0 && !matches!(kind, Exchange::Effector);
            if frame == 90 || frame == 100 && is_brief || frame == 170 {
                has_hand = !has_hand;
                match kind {
                    Exchange::Weight => hand.weight = f32::from(u8::from(has_hand)),
                    Exchange::Target => {
                        place = if has_hand { hands[1] } else { other };
                        hero.rig.modifiers[0].note_exchange();
                    }
                    Exchange::Effector => {
                        if has_hand {
                            hero.body().effectors.insert(1, hand);
                        }
                        exchange_body(&mut hero, has_hand, settings);
                    }
                }
            }
            hand.target = fixed(place);
            let turn = Vec2::from_angle(0.03 * frame as f32) - Vec2::X;
            hero.aim(0, hands[0] + radius * turn);
            if has_hand || !matches!(kind, Exchange::Effector) {
                hero.body().effectors[1] = hand;
            }
            hero.go_on(FRAME);
            let now = hero.rotations();
            let turns = now.iter().zip(&before).map(|(now, was)| now - was);
            let turns: Vec<f32> = turns.collect();
            if frame > 20 {
                worst[0] = worst[0].max(apart(&turns, &last));
            }
            (before, last) = (now, turns);
            let held = if hero.body().effectors.len() == 4 {
                [0, 2, 3]
            } else {
                [0, 1, 2]
            };
            worst[1] = held
                .map(|index| hero.miss(index))
                .into_iter()
                .fold(worst[1], f32::max);
        }
        assert!(
            worst[0] < 0.1,
            "{case} {kind:?}: speed changes by {} rad",
            worst[0]
        );
        assert!(
            worst[1] < 0.05,
            "{case} {kind:?}: {} px from a target",
            worst[1]
        );
    }
}

/// A hand goes over to a place whose straight way there passes the shoulder: its joints turn as they would if each went
/// there evenly by itself, and what is held stays held.
#[test]
fn a_hand_goes_over_past_its_shoulder() {
    const FRAME: f32 = 1.0 / 60.0;
    let mut random = Xoshiro256PlusPlus::seed_from_u64(85);
    let mut worst = [0.0_f32; 3];
    for case in 0..24 {
        let duration = random.random_range(0.4..0.8);
        let mut hero = Hero::usual();
        hero.plant_feet();
        let settings = HandoverSettings {
            duration,
            ..HandoverSettings::default()
        };
        hero.rig.modifiers[0].set_handover(settings);
        let shoulder = hero.rig.locate(on(9, Vec2::ZERO));
        let way =
            Vec2::from_angle(random.random_range(-2.6..-0.6)) * random.random_range(20.0..50.0);
        let past = Vec2::new(random.random_range(-3.0..3.0), 0.0);
        hero.aim(1, shoulder + way);
        for _ in 0..60 {
            hero.go_on(FRAME);
        }
        let mut before = hero.rotations();
        let mut last = vec![0.0; 18];
        hero.aim(1, shoulder + past - way * random.random_range(0.7..1.0));
        hero.rig.modifiers[0].note_exchange();
        for frame in 0..90 {
            hero.go_on(FRAME);
            let now = hero.rotations();
            let turns: Vec<f32> = { now.iter().zip(&before) }
                .map(|(now, was)| now - was)
                .collect();
            worst[0] = worst[0].max(apart(&now, &before) / FRAME * duration);
            worst[1] = worst[1].max(apart(&turns, &last));
            for held in [0, 2, 3] {
                worst[2] = worst[2].max(hero.miss(held));
            }
            (before, last) = (now, turns);
            if frame as f32 * FRAME > duration + 2.0 * FRAME {
                let miss = hero.miss(1);
                assert!(
                    miss < 0.05,
                    "{case}: {miss} px from the target after {frame}"
                );
            }
        }
    }
    let [turn, change, miss] = worst;
    // Half a turn at the steepest of the curve is more.
    assert!(turn < 4.0, "{turn} rad in the duration, at the fastest");
    assert!(change < 0.03, "speed changes by {change} rad in a frame");
    assert!(miss < 0.05, "{miss} px from what is held");
}

/// Hips on legs that are exactly straight and have no limits go down in the animation: the knees bend to one
/// side at once, as far as the way asks for, and nothing leaps later.
#[test]
fn straight_legs_bend_as_the_hips_go_down() {
    for side in [0.0, 1e-3, -1e-3] {
        let mut hero = Hero::usual();
        for [thigh, shin] in [[12, 13], [15, 16]] {
            hero.rig.bones[thigh].limit = None;
            hero.rig.bones[shin].limit = None;
            hero.rig.bones[thigh].rotation = std::f32::consts::PI;
            hero.rig.bones[shin].rotation = side;
        }
        hero.pin_all();
        hero.plant_feet();
        hero.body().settings.root_stiffness = 1.0;
        for hand in 0..2 {
            hero.body().effectors[hand].weight = 0.0;
        }
        hero.solve();
        let hips = hero.rig.bones[0].position;
        let mut before = hero.rotations();
        for frame in 1..=60 {
            hero.rig.bones[0].position = hips - Vec2::Y * 0.4 * frame as f32;
            hero.go_on(1.0 / 60.0);
            let now = hero.rotations();
            let turn = apart(&before, &now);
            assert!(turn < 0.3, "side {side}, frame {frame}: {turn} rad");
            before = now;
            let [one, other] = [13, 16].map(|shin| hero.rig.rotation(shin));
            assert!(
                one * other > 0.01,
                "side {side}, frame {frame}: {one}, {other}"
            );
            assert!(one * side >= 0.0, "side {side}: {one}");
            for index in 2..4 {
                let miss = hero.miss(index);
                assert!(miss < 0.05, "side {side}, frame {frame}: {miss} px");
            }
        }
    }
}

/// With all targets where the tips are, nothing moves, whatever the build: a crab with unequal legs, and a snake with
/// its root in the middle. Then both go along with what is pulled.
#[test]
fn other_builds_move_as_well() {
    let bone = |parent, position, rotation| Bone {
        position,
        rotation,
        ..Bone::below(parent)
    };
    let mut crab = vec![bone(None, Vec2::Y * -30.0, 0.0)];
    let mut snake = vec![bone(None, Vec2::ZERO, 0.0)];
    let mut ends = [Vec::new(), Vec::new()];
    for leg in 0..8_u8 {
        let side = if leg < 4 { -1.0 } else { 1.0 };
        let (place, first) = (10.0 * f32::from(leg) - 35.0, crab.len());
        let out = if leg < 4 { 3.7 } else { -0.6 };
        crab.push(bone(Some(0), Vec2::X * place, out));
        crab.push(bone(Some(first), Vec2::X * f32::from(25 + leg), 1.7 * side));
        ends[0].push(on(first + 1, Vec2::X * 38.0));
    }
    for side in [1.0, -1.0] {
        let mut above = 0;
        for joint in 0..6_u8 {
            let turn = if joint == 0 && side < 0.0 {
                3.0
            } else {
                0.2 * side
            };
            let position = Vec2::X
                * if joint == 0 {
                    10.0 * side
                } else {
                    f32::from(15 + 4 * joint)
                };
            snake.push(bone(Some(above), position, turn));
            above = snake.len() - 1;
        }
        ends[1].push(on(above, Vec2::X * 20.0));
    }
    for (bones, ends) in [crab, snake].into_iter().zip(ends) {
        let mut rig = Rig::new(bones, Vec::new());
        rig.take_base_pose();
        let pin =
            |&end: &tendon_solver::Point| Effector::new(End::Point(end), fixed(rig.locate(end)));
        let effectors: Vec<_> = ends.iter().map(pin).collect();
        let joints = (0..rig.bones.len()).collect();
        rig.modifiers = vec![Modifier::new(FullBody::new(joints, effectors.clone()))];
        rig.validate().expect("the rig is sound");
        let mut workspace = Workspace::default();
        rig.solve(&mut workspace);
        for (index, bone) in rig.bones.iter().enumerate() {
            assert_eq!(rig.rotation(index), bone.rotation);
            assert_eq!(rig.position(index), bone.position);
        }
        for frame in 1..=300 {
            let angle = frame as f32 / 30.0;
            let way = 6.0 * Vec2::new(angle.sin(), 1.0 - angle.cos());
            rig.go_on();
            rig.delta = 1.0 / 60.0;
            if let Solver::FullBody(body) = &mut rig.modifiers[0].solver {
                body.effectors[0].target.position = effectors[0].target.position + way;
            }
            rig.solve(&mut workspace);
            assert_eq!(
                rig.modifiers[0].report.status,
                Status::Reached,
                "frame {frame}"
            );
        }
    }
}

/// Nothing that a body may be given makes it panic, or leaves a number that is none.
#[test]
fn bad_input_does_not_spread() {
    let spoils: [fn(&mut Hero); 9] = [
        |hero| hero.aim(0, Vec2::NAN),
        |hero| hero.aim(0, Vec2::splat(1e30)),
        |hero| hero.aim(0, Vec2::splat(f32::INFINITY)),
        |hero| hero.rig.bones[3].scale = Vec2::ZERO,
        |hero| hero.rig.bones[0].position = Vec2::NAN,
        |hero| hero.rig.bones[12].scale = Vec2::new(-1.0, 2.0),
        |hero| {
            for effector in &mut hero.body().effectors {
                effector.weight = 0.0;
            }
        },
        |hero| {
            for bone in &mut hero.rig.bones {
                bone.position = Vec2::ZERO;
            }
            for effector in &mut hero.body().effectors {
                let bone = effector.end.point().bone.unwrap_or_default();
                effector.end = End::Point(on(bone, Vec2::ZERO));
            }
        },
        |hero| {
            let first = hero.body().effectors[0];
            hero.body().effectors.push(Effector {
                target: fixed(Vec2::new(90.0, 0.0)),
                ..first
            });
            let root = Effector::new(End::Point(on(0, Vec2::ZERO)), fixed(Vec2::new(5.0, 90.0)));
            hero.body().effectors.push(root);
        },
    ];
    for (index, spoil) in spoils.iter().enumerate() {
        let mut hero = Hero::usual();
        hero.solve();
        spoil(&mut hero);
        let base: Vec<f32> = hero.rig.bones.iter().map(|bone| bone.rotation).collect();
        for _ in 0..3 {
            let status = hero.go_on(1.0 / 60.0);
            let pose = hero.rotations();
            assert!(pose.iter().all(|angle| angle.is_finite()), "{index}");
            if status == Status::Invalid {
                assert_eq!(pose, base, "{index}");
            }
        }
        assert!(Capture::read_all(&Capture::of(&hero.rig).to_json()).is_ok() || index < 5);
    }
}

/// What a hand carries may be stretched: a place of it that is pinned stays while the other hand is pulled far away.
#[test]
fn a_pin_beyond_a_stretched_bone_holds() {
    for scale in [
        Vec2::new(1.2, -1.2),
        Vec2::new(1.0, 1.3),
        Vec2::new(1.3, 0.8),
    ] {
        let mut hero = Hero::usual();
        let holder = Bone {
            position: Vec2::X * 14.0,
            rotation: -0.6,
            scale,
            skew: if scale.y < 0.0 { 0.0 } else { 0.1 },
            ..Bone::below(Some(8))
        };
        let hilt = Bone {
            position: Vec2::new(1.0, 2.0),
            rotation: 0.2,
            ..Bone::below(Some(18))
        };
        let blade = Bone {
            position: Vec2::X * 12.0,
            rotation: -0.5,
            ..Bone::below(Some(19))
        };
        hero.rig.bones.extend([holder, hilt, blade]);
        let body = hero.body();
        body.joints.extend([19, 20]);
        body.effectors.truncate(2);
        body.effectors[0].end = End::Point(on(20, Vec2::X * 30.0));
        body.effectors[1].weight = 0.55;
        hero.rig.take_base_pose();
        for index in 0..2 {
            let tip = hero.tip(index);
            hero.aim(index, tip);
        }
        hero.solve();
        let hand = hero.tip(1);
        let mut worst = 0.0_f32;
        for step in 1..=40 {
            hero.aim(1, hand + Vec2::new(400.0, 170.0) * step as f32 / 40.0);
            hero.rig.go_on();
            hero.rig.delta = 0.0;
            hero.solve();
            worst = worst.max(hero.miss(0));
        }
        assert!(worst < 0.02, "{scale}: {worst} px from the pin");
    }
}
