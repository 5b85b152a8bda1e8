//! Handovers: goals go over from one target to another without a jump in place or in velocity.

mod common;

use std::f32::consts::{PI, TAU};

use glam::Vec2;
use proptest::prelude::*;
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use tendon_solver::{
    Aimed, Algorithm, Bone, Chain, ChainIk, Direction, Ease, Effector, End, HandoverSettings,
    LetGo, Limit, LookAt, Modifier, Point, Rig, Snapshot, Solver, Status, Transition, TwoBone,
    Workspace,
};

use common::{CHAIN_SOLVERS, config};

const LENGTH: f32 = 50.0;

/// A line of bones in a slight arc, with what reaches for a target.
struct Limb {
    rig: Rig,
    workspace: Workspace,
}

fn fixed(position: Vec2) -> Point {
    Point {
        bone: None,
        position,
    }
}

/// Bones whose root is mirrored if `sense` is -1.
fn bones(count: usize, sense: f32) -> Vec<Bone> {
    let bone = |index: usize| Bone {
        position: Vec2::X * if index == 0 { 0.0 } else { LENGTH },
        rotation: 0.3,
        scale: Vec2::new(1.0, if index == 0 { sense } else { 1.0 }),
        ..Bone::below(index.checked_sub(1))
    };
    (0..count).map(bone).collect()
}

fn end(count: usize) -> End {
    End::Point(Point {
        bone: Some(count - 1),
        position: Vec2::X * LENGTH,
    })
}

/// All kinds that have a target.
fn solvers() -> Vec<(usize, Solver)> {
    let mut solvers = vec![
        (2, TwoBone::new([0, 1], end(2), Point::default()).into()),
        (
            1,
            LookAt::new(Chain::new(vec![0], end(1)), Point::default()).into(),
        ),
    ];
    for chain in CHAIN_SOLVERS {
        let solver = chain.with(tendon_solver::Approach::default());
        let mut solver: Solver = solver;
        let Solver::ChainIk(chain_ik) = &mut solver else {
            unreachable!("these are the chains");
        };
        chain_ik.chain = Chain::new((0..4).collect(), end(4));
        solvers.push((4, solver));
    }
    solvers
}

const USUAL: HandoverSettings = HandoverSettings {
    duration: 0.3,
    transition: Transition::Sine,
    ease: Ease::InOut,
    max_turn_speed: 0.0,
};

impl Limb {
    fn new(count: usize, solver: Solver, settings: HandoverSettings, sense: f32) -> Self {
        let mut modifier = Modifier::new(solver);
        modifier.set_handover(settings);
        Self {
            rig: Rig::new(bones(count, sense), vec![modifier]),
            workspace: Workspace::default(),
        }
    }

    fn two_bone(settings: HandoverSettings) -> Self {
        let solver = TwoBone::new([0, 1], end(2), Point::default());
        Self::new(2, solver.into(), settings, 1.0)
    }

    fn modifier(&mut self) -> &mut Modifier {
        &mut self.rig.modifiers[0]
    }

    /// A pass with the target there. Returns where the tip is.
    fn pass(&mut self, target: Vec2, delta: f32) -> Vec2 {
        let parts = self.modifier().solver.parts_mut();
        *parts.own_target_mut().expect("it has a target") = fixed(target);
        self.rig.delta = delta;
        self.rig.go_on();
        self.rig.solve(&mut self.workspace);
        self.rig.modifiers[0].report.tip
    }

    fn rotations(&self) -> Vec<f32> {
        let bones = 0..self.rig.bones.len();
        bones.map(|bone| self.rig.rotation(bone)).collect()
    }

    fn status(&self) -> Status {
        self.rig.modifiers[0].report.status
    }
}

/// Two targets in reach that move evenly.
fn old(time: f32) -> Vec2 {
    Vec2::new(60.0, 40.0) + Vec2::new(30.0, -50.0) * time
}

fn new(time: f32) -> Vec2 {
    Vec2::new(40.0, -50.0) + Vec2::new(-20.0, 40.0) * time
}

/// The seconds after which the target is exchanged.
const EXCHANGE: f32 = 0.5;

/// The tip in each frame of a second, with an exchange in the middle.
fn film(limb: &mut Limb, rate: u16) -> Vec<Vec2> {
    let delta = 1.0 / f32::from(rate);
    let frame = |frame: u16| {
        let time = f32::from(frame) * delta;
        let is_new = frame >= rate / 2;
        if frame == rate / 2 {
            limb.modifier().note_exchange();
        }
        limb.pass(if is_new { new(time) } else { old(time) }, delta)
    };
    (0..=rate).map(frame).collect()
}

fn curves() -> impl Iterator<Item = HandoverSettings> {
    Transition::ALL.into_iter().flat_map(|transition| {
        Ease::ALL.into_iter().map(move |ease| HandoverSettings {
            transition,
            ease,
            ..USUAL
        })
    })
}

#[test]
fn a_tip_goes_on_at_the_exchange_as_it_moved() {
    for settings in curves() {
        let rate = 8000;
        let tips = film(&mut Limb::two_bone(settings), rate);
        let at = usize::from(rate / 2);
        let step = |index: usize| (tips[index] - tips[index - 1]) * f32::from(rate);
        let before = step(at - 1);
        for after in [at, at + 1] {
            let change = step(after).distance(before);
            // What the curve itself does to the speed in a frame is no leap.
            let mean = new(EXCHANGE).distance(old(EXCHANGE)) / settings.duration;
            let most = 0.01 * (before.length() + mean);
            assert!(
                change < most,
                "{settings:?}: {before} became {}",
                step(after)
            );
        }
    }
}

#[test]
fn it_arrives_within_a_frame() {
    for settings in curves() {
        for rate in [30_u16, 60, 144] {
            let mut limb = Limb::two_bone(settings);
            let delta = 1.0 / f32::from(rate);
            let mut finished = None;
            for frame in 0..=rate {
                let time = f32::from(frame) * delta;
                if frame == rate / 2 {
                    limb.modifier().note_exchange();
                }
                let is_new = frame >= rate / 2;
                let target = if is_new { new(time) } else { old(time) };
                let tip = limb.pass(target, delta);
                let is_going = limb.modifier().is_in_transition();
                assert_eq!(limb.status() == Status::Reached, !is_going, "{frame}");
                if is_new && !is_going && finished.is_none() {
                    finished = Some(time);
                    assert!(tip.distance(target) < 0.01);
                }
            }
            let late = finished.expect("it arrives") - EXCHANGE - settings.duration;
            assert!((-1e-4..=delta + 1e-4).contains(&late), "{late}");
        }
    }
}

#[test]
fn paths_do_not_depend_on_the_frame_rate() {
    for (count, solver) in solvers() {
        for settings in curves() {
            let film = |rate| film(&mut Limb::new(count, solver.clone(), settings, 1.0), rate);
            let fine = film(720);
            for rate in [30_u16, 60, 144] {
                let every = usize::from(720 / rate);
                for (frame, tip) in film(rate).iter().enumerate() {
                    let off = tip.distance(fine[frame * every]);
                    let name = solver.name();
                    assert!(off < 0.1, "{name} {settings:?} {rate} {frame}: {off}");
                }
            }
        }
    }
}

#[test]
fn mirrored_characters_move_mirrored() {
    for (count, solver) in solvers() {
        let mut plain = Limb::new(count, solver.clone(), USUAL, 1.0);
        let mut mirrored = Limb::new(count, solver, USUAL, -1.0);
        for bone in &mut mirrored.rig.bones[..1] {
            bone.rotation = -bone.rotation;
        }
        let flip = Vec2::new(1.0, -1.0);
        for frame in 0..60_u8 {
            let time = f32::from(frame) / 60.0;
            if frame == 30 {
                plain.modifier().note_exchange();
                mirrored.modifier().note_exchange();
            }
            let target = if frame < 30 { old(time) } else { new(time) };
            let tip = plain.pass(target, 1.0 / 60.0);
            let image = mirrored.pass(flip * target, 1.0 / 60.0);
            assert!(tip.distance(flip * image) < 0.01, "{frame}: {tip} {image}");
        }
    }
}

/// How far the tip steps in each pass while the limb is switched off, on and off again, and how far the
/// joint that turns the most does.
fn switch(limb: &mut Limb, rate: u16) -> Vec<[f32; 2]> {
    let base: Vec<_> = limb.rig.bones.iter().map(|bone| bone.rotation).collect();
    let delta = 1.0 / f32::from(rate);
    let target = Vec2::new(40.0, -30.0);
    let mut last = Vec2::ZERO;
    for _ in 0..200 {
        last = limb.pass(target, delta);
    }
    let mut steps = Vec::new();
    for is_on in [false, true, false] {
        limb.modifier().active = is_on;
        for _ in 0..rate / 3 {
            let before = limb.rotations();
            let tip = limb.pass(target, delta);
            steps.push([tip.distance(last), largest_turn(&before, &limb.rotations())]);
            last = tip;
        }
        assert!(!limb.modifier().is_in_transition());
        match is_on {
            true => assert_eq!(limb.status(), Status::Reached),
            false => {
                assert_eq!(limb.status(), Status::Idle);
                assert_eq!(limb.rotations(), base);
                assert!(!limb.rig.is_moving());
            }
        }
    }
    steps
}

fn largest_turn(before: &[f32], now: &[f32]) -> f32 {
    let pairs = before.iter().zip(now);
    let turns = pairs.map(|(was, is)| ((is - was + PI).rem_euclid(TAU) - PI).abs());
    turns.fold(0.0, f32::max)
}

/// Checks that no step sticks out of those around it by more than half, or `least`.
fn check_even(steps: &[f32], least: f32, about: &str) {
    for (index, around) in steps.windows(3).enumerate() {
        let mean = 0.5 * (around[0] + around[2]);
        let most = 1.5 * mean + least;
        assert!(around[1] <= most, "{about}, {index}: {around:?}");
    }
}

#[test]
fn it_is_switched_off_to_the_base_pose_and_on_from_there() {
    for (count, solver) in solvers() {
        let name = solver.name();
        let mut largest = [0.0_f32; 2];
        for rate in [120_u16, 240, 480, 960] {
            let mut limb = Limb::new(count, solver.clone(), USUAL, 1.0);
            let steps = switch(&mut limb, rate);
            let before = std::mem::take(&mut largest);
            // A tenth of a pixel and a milliradian at 240 Hz.
            for (part, least) in [0.1, 0.001].into_iter().enumerate() {
                let steps: Vec<_> = steps.iter().map(|step| step[part]).collect();
                let about = format!("{name} at {rate} Hz");
                check_even(&steps, least * 240.0 / f32::from(rate), &about);
                largest[part] = steps.iter().copied().fold(0.0, f32::max);
                // Half the time is half the way: nothing leaps, however short the frames are.
                let ratio = largest[part] / before[part];
                let halves = before[part] == 0.0 || (ratio - 0.5).abs() < 0.02;
                assert!(halves, "{about}: {} after {}", largest[part], before[part]);
            }
        }
    }
}

/// Their targets do not go over, so that they come fast: but the shorter the frames, the shorter the steps. That is so
/// where no branch of the tree ends on the way: near such an end a joint turns as a square root.
#[test]
fn effectors_are_switched_with_their_modifier() {
    let mut before = [f32::INFINITY; 2];
    for rate in [480_u16, 960, 1920] {
        let chain = Chain::new((0..5).collect(), end(4));
        let mut fabrik = ChainIk::new(Algorithm::Fabrik, chain, Point::default());
        fabrik
            .effectors
            .push(Effector::new(end(5), fixed(Vec2::new(-10.0, 95.0))));
        let mut limb = Limb::new(4, fabrik.into(), USUAL, 1.0);
        limb.rig.bones.push(Bone {
            position: Vec2::X * LENGTH,
            rotation: 1.2,
            ..Bone::below(Some(1))
        });
        let steps = switch(&mut limb, rate);
        for (part, before) in before.iter_mut().enumerate() {
            let largest = steps.iter().map(|step| step[part]).fold(0.0, f32::max);
            assert!(
                largest < 0.56 * *before,
                "{rate} Hz: {largest} after {before}"
            );
            *before = largest;
        }
    }
}

/// A spine of three bones with two arms: the first arm's end is the tree's own, the other's an effector.
fn tree(has_effector: bool, target: Vec2) -> Modifier {
    let mut joints = vec![0, 1, 2, 3, 4, 5, 6];
    joints.truncate(if has_effector { 7 } else { 5 });
    let chain = Chain::new(joints, end(5));
    let mut fabrik = ChainIk::new(Algorithm::Fabrik, chain, Point::default());
    let effector = Effector::new(end(7), fixed(target));
    fabrik.effectors.extend(has_effector.then_some(effector));
    Modifier::new(fabrik)
}

/// Gives a tree another effector, or none, as a plan that is made again does it.
fn exchange_tree(limb: &mut Limb, has_effector: bool, target: Vec2, before: Option<(usize, bool)>) {
    let mut modifier = tree(has_effector, target);
    let rig = &mut limb.rig;
    let mut old = rig.modifiers.remove(0);
    let had_effector = old.parts().joints().len() == 7;
    let off = |bone: usize| rig.rotation(bone) - rig.bones[bone].rotation;
    if had_effector == has_effector {
        modifier.take_over_memory(&mut old);
    } else {
        modifier.take_over_pose(&mut old, &|bone| Some((bone, off(bone))));
    }
    modifier.exchange_effectors(has_effector.then_some(before).into_iter());
    let arm = (5..7).filter(|_| had_effector && !has_effector);
    rig.let_go = arm
        .map(|bone| LetGo::new(bone, (off(bone), Vec2::ZERO), USUAL))
        .collect();
    rig.take_drawn((0..7).map(|bone| rig.rotation(bone)).collect());
    rig.modifiers.push(modifier);
}

/// A tree whose second arm reaches for `target`.
fn two_armed(target: Vec2) -> Limb {
    let mut limb = Limb::new(7, tree(true, target).solver, USUAL, 1.0);
    for (bone, parent, turn) in [(3, 2, -0.7), (5, 2, 0.7)] {
        limb.rig.bones[bone].parent = Some(parent);
        limb.rig.bones[bone].rotation = turn;
    }
    limb
}

/// Sets the weight of the effector of a tree.
fn weigh(limb: &mut Limb, weight: f32) {
    let Solver::ChainIk(fabrik) = &mut limb.rig.modifiers[0].solver else {
        panic!("a tree");
    };
    fabrik.effectors[0].weight = weight;
}

/// Effectors of a tree that are exchanged, taken away, weighed otherwise and given back go over in the duration: nothing leaps, and the tip
/// of the tree itself stays at its target on the way.
#[test]
fn a_tree_goes_over_to_other_effectors() {
    const FRAME: f32 = 1.0 / 60.0;
    let mut random = Xoshiro256PlusPlus::seed_from_u64(59);
    for case in 0..24 {
        let [first, other] = [0, 1].map(|_| {
            Vec2::new(110.0, 150.0) + Vec2::from_angle(random.random_range(-3.0..3.0)) * 25.0
        });
        let mut limb = two_armed(first);
        let place =
            |frame: usize| Vec2::new(170.0, 30.0) + 5.0 * Vec2::from_angle(0.05 * frame as f32);
        limb.pass(place(0), 0.0);
        let mut before = limb.rotations();
        let mut last = vec![0.0; 7];
        let mut worst = [0.0_f32; 2];
        let mut left = [Vec2::ZERO; 4];
        let mut late = 0.0_f32;
        for frame in 0..200 {
            match (case % 3, frame) {
                (0, 60) => exchange_tree(&mut limb, true, other, Some((0, false))),
                (0, 120) => exchange_tree(&mut limb, true, first, Some((0, false))),
                (1, 60) => exchange_tree(&mut limb, false, other, None),
                (1, 120) => exchange_tree(&mut limb, true, other, None),
                (2, 60) => weigh(&mut limb, 0.0),
                (2, 120) => weigh(&mut limb, 1.0),
                _ => {}
            }
            let tip = limb.pass(place(frame), FRAME);
            let end = limb.rig.locate(Point {
                bone: Some(6),
                position: Vec2::X * LENGTH,
            });
            let now = limb.rotations();
            let turns: Vec<f32> = { now.iter().zip(&before) }
                .map(|(now, was)| now - was)
                .collect();
            if frame > 20 {
                worst[0] = worst[0].max(largest_turn(&last, &turns));
                worst[1] = worst[1].max(tip.distance(place(frame)));
            }
            // The duration is 18 frames.
            if (80..120).contains(&frame) {
                late = turns.iter().fold(late, |most, turn| most.max(turn.abs()));
            }
            (before, last) = (now, turns);
            for (moment, left) in [119, 120, 129, 138].into_iter().zip(&mut left) {
                if frame == moment {
                    *left = end - if case % 3 == 1 { other } else { first };
                }
            }
        }
        assert!(
            worst[0] < 0.1,
            "{case}: the speed changes by {} rad",
            worst[0]
        );
        assert!(
            worst[1] < 1e-3,
            "{case}: the tree's own tip is off by {} px",
            worst[1]
        );
        assert!(
            case % 3 == 0 || late < 0.01,
            "{case}: what is free turns by {late} rad after the duration"
        );
        let [before, start, half, rest] = left;
        // It begins as the arm moved, where this goes on: by v t (1 − t / T)² it is off besides.
        let goes_on = if case % 3 == 0 { 0.0 } else { 9.0 / 4.0 };
        let wanted = 0.5 * start + goes_on * (start - before);
        assert!(
            half.distance(wanted) < 0.01,
            "{case}: {half} px of {start} px are left, not {wanted}"
        );
        let rest = rest.length();
        assert!(rest < 1e-3, "{case}: {rest} px are left at the end");
    }
}

/// Weights that are set at random in the middle of a handover: no joint's speed jumps.
#[test]
fn a_handover_that_is_broken_off_goes_on_as_it_moved() {
    const FRAME: f32 = 1.0 / 60.0;
    let mut random = Xoshiro256PlusPlus::seed_from_u64(60);
    for case in 0..60 {
        let goal =
            Vec2::new(110.0, 150.0) + Vec2::from_angle(random.random_range(-3.0..3.0)) * 25.0;
        let mut limb = two_armed(goal);
        for bone in [4, 6] {
            limb.rig.bones[bone].rotation = 1.0;
        }
        limb.pass(Vec2::new(170.0, 30.0), 0.0);
        let (mut before, mut last, mut worst) = (limb.rotations(), vec![0.0; 7], 0.0_f32);
        for frame in 0..400 {
            if frame % 9 == 0 {
                weigh(&mut limb, [0.0, 0.3, 1.0][random.random_range(0..3)]);
            }
            let angle = 0.05 * frame as f32;
            limb.pass(
                Vec2::new(170.0, 30.0) + 5.0 * Vec2::from_angle(angle),
                FRAME,
            );
            let now = limb.rotations();
            let turns: Vec<f32> = now
                .iter()
                .zip(&before)
                .map(|(now, was)| now - was)
                .collect();
            let change = largest_turn(&last, &turns);
            if frame > 20 {
                worst = worst.max(change);
            }
            (before, last) = (now, turns);
        }
        assert!(worst < 0.08, "{case}: the speed changes by {worst} rad");
    }
}

#[test]
fn no_joint_turns_faster_than_it_may() {
    let settings = HandoverSettings {
        duration: 0.0,
        max_turn_speed: 2.0,
        ..USUAL
    };
    for (count, solver) in solvers() {
        for rate in [30.0, 60.0, 144.0] {
            let mut limb = Limb::new(count, solver.clone(), settings, 1.0);
            let delta = 1.0 / rate;
            limb.pass(old(0.0), delta);
            let mut before = limb.rotations();
            for frame in 0..800_u16 {
                let target = if frame / 100 % 2 == 0 {
                    new(0.0)
                } else {
                    old(0.0)
                };
                limb.modifier().active = frame < 300;
                limb.pass(target, delta);
                let now = limb.rotations();
                let turn = largest_turn(&before, &now);
                assert!(turn <= 2.0 * delta + 1e-5, "{turn}");
                before = now;
            }
            assert_eq!(limb.status(), Status::Idle);
            assert!(!limb.rig.is_moving());
        }
    }
}

#[test]
fn without_settings_nothing_changes() {
    for (count, solver) in solvers() {
        let off = HandoverSettings {
            duration: 0.0,
            ..USUAL
        };
        let mut plain = Limb::new(count, solver.clone(), off, 1.0);
        assert!(plain.modifier().handover.is_none());
        // And one that hands over has the same bits where it has gone over.
        let mut other = Limb::new(count, solver, USUAL, 1.0);
        for frame in 0..20_u8 {
            let time = f32::from(frame) / 60.0;
            plain.pass(old(time), 1.0 / 60.0);
            other.pass(old(time), 1.0 / 60.0);
            assert_eq!(plain.rotations(), other.rotations());
        }
    }
}

#[test]
fn the_state_has_all_of_a_transition() {
    for (count, solver) in solvers() {
        let settings = HandoverSettings {
            max_turn_speed: 6.0,
            ..USUAL
        };
        let mut limb = Limb::new(count, solver, settings, 1.0);
        let delta = 1.0 / 60.0;
        for _ in 0..5 {
            limb.pass(old(0.0), delta);
        }
        limb.modifier().note_exchange();
        for _ in 0..6 {
            limb.pass(new(0.0), delta);
        }
        assert!(limb.modifier().is_in_transition());
        let bytes = Snapshot::of(&limb.rig, Vec::new()).to_bytes();
        let go_on = |limb: &mut Limb| -> Vec<Vec<f32>> {
            (0..20)
                .map(|_| {
                    limb.pass(new(0.0), delta);
                    limb.rotations()
                })
                .collect()
        };
        let first = go_on(&mut limb);
        let snapshot = Snapshot::read(&bytes).expect("it was written here");
        assert_eq!(snapshot.check(&limb.rig).ok(), Some(()));
        snapshot.restore(&mut limb.rig);
        assert_eq!(go_on(&mut limb), first);
    }
}

/// What happens in a frame.
#[derive(Clone, Copy, Debug)]
enum Event {
    Nothing,
    Exchange,
    Free,
    Switch,
    Stop,
    Spoil,
}

fn event() -> impl Strategy<Value = Event> {
    prop_oneof![
        8 => Just(Event::Nothing),
        2 => Just(Event::Exchange),
        1 => Just(Event::Free),
        2 => Just(Event::Switch),
        1 => Just(Event::Stop),
        1 => Just(Event::Spoil),
    ]
}

proptest! {
    #![proptest_config(config(1_000))]

    /// A still target is reached in the end, whatever happened before.
    #[test]
    fn random_exchanges(
        kind in 0_usize..5,
        frames in prop::collection::vec((event(), -80.0_f32..80.0, -80.0_f32..80.0), 1..40),
        transition in 0_usize..12,
        ease in 0_usize..4,
        sense in prop::bool::ANY,
        speed in prop::sample::select(vec![0.0_f32, 8.0]),
    ) {
        let settings = HandoverSettings {
            transition: Transition::ALL[transition],
            ease: Ease::ALL[ease],
            max_turn_speed: speed,
            ..USUAL
        };
        let (count, solver) = solvers().swap_remove(kind);
        let mut limb = Limb::new(count, solver, settings, if sense { 1.0 } else { -1.0 });
        let mut target = Vec2::new(30.0, 20.0);
        for (event, x, y) in frames {
            let mut delta = 1.0 / 60.0;
            let mut shown = target;
            match event {
                Event::Nothing => {}
                Event::Exchange => {
                    limb.modifier().note_exchange();
                    target = Vec2::new(x, y);
                    shown = target;
                }
                Event::Free => limb.modifier().active = false,
                Event::Switch => limb.modifier().active ^= true,
                Event::Stop => delta = 0.0,
                Event::Spoil => shown.x = f32::NAN,
            }
            limb.pass(shown, delta);
            prop_assert!(limb.rotations().iter().all(|it| it.is_finite()));
        }
        limb.modifier().active = true;
        for _ in 0..240 {
            limb.pass(target, 1.0 / 60.0);
        }
        prop_assert!(!limb.modifier().is_in_transition());
        if target.length() > 12.0 && target.length() < 90.0 {
            prop_assert_eq!(limb.status(), Status::Reached);
        }
    }
}

#[test]
fn the_angle_of_a_target_goes_over() {
    let (_, mut solver) = solvers().swap_remove(2);
    let turned = |angle: f32| Direction {
        bone: None,
        vector: Vec2::from_angle(angle),
    };
    let set = |solver: &mut Solver, angle: f32| match solver {
        Solver::ChainIk(chain) => chain.heading = Aimed::at(turned(angle)),
        _ => unreachable!("it is the first of the chains"),
    };
    set(&mut solver, 3.0);
    let mut limb = Limb::new(4, solver, USUAL, 1.0);
    let target = Vec2::new(60.0, 40.0);
    for _ in 0..3 {
        limb.pass(target, 1.0 / 60.0);
    }
    limb.modifier().note_exchange();
    set(&mut limb.modifier().solver, -3.0);
    for _ in 0..9 {
        limb.pass(target, 1.0 / 60.0);
        // By the shorter way.
        let heading = common::heading_of(&limb.rig, 3).to_angle();
        assert!(heading.abs() > 2.99, "{heading}");
    }
}

/// A frame so short that whatever moves in it moves by little.
const INSTANT: f32 = 1.0 / 4000.0;

proptest! {
    #![proptest_config(config(1_000))]

    /// The tip never leaps, also if the target is exchanged, freed and given again in mid-transition.
    #[test]
    fn random_exchanges_without_a_leap(
        kind in 0_usize..5,
        changes in prop::collection::vec((event(), 20.0_f32..85.0, 0.0..TAU, 1_u16..600), 1..6),
        transition in 0_usize..12,
        ease in 0_usize..4,
        sense in prop::bool::ANY,
    ) {
        let settings = HandoverSettings {
            transition: Transition::ALL[transition],
            ease: Ease::ALL[ease],
            ..USUAL
        };
        let (count, solver) = solvers().swap_remove(kind);
        let mut limb = Limb::new(count, solver, settings, if sense { 1.0 } else { -1.0 });
        let mut target = Vec2::new(30.0, 20.0);
        let mut steps = Vec::new();
        let mut last = Vec2::ZERO;
        for _ in 0..20 {
            last = limb.pass(target, INSTANT);
        }
        for (event, distance, angle, frames) in changes {
            match event {
                Event::Free => limb.modifier().active = false,
                Event::Switch => limb.modifier().active ^= true,
                Event::Nothing | Event::Exchange | Event::Stop | Event::Spoil => {
                    limb.modifier().note_exchange();
                    target = distance * Vec2::from_angle(angle);
                }
            }
            for _ in 0..frames {
                let tip = limb.pass(target, INSTANT);
                steps.push(tip.distance(last));
                last = tip;
            }
        }
        // The steepest curve, `Circ` in its middle, across all that the limb reaches.
        let reach = LENGTH * count as f32;
        let most = 2.0 * reach * (INSTANT / settings.duration).sqrt();
        for (pass, step) in steps.iter().enumerate() {
            prop_assert!(*step <= most, "pass {pass}: {step}");
        }
    }
}

/// How much the turn of a joint changes at most from one of the poses to the next, by the shorter way.
fn largest_kink(poses: &[Vec<f32>]) -> f32 {
    let way = |from: f32, to: f32| (to - from + PI).rem_euclid(TAU) - PI;
    let kinks = poses.windows(3).flat_map(|three| {
        (0..three[0].len()).map(|joint| {
            let turns = [0, 1].map(|pose| way(three[pose][joint], three[pose + 1][joint]));
            (turns[1] - turns[0]).abs()
        })
    });
    kinks.fold(0.0, f32::max)
}

/// What a script or an animation sets of a modifier.
#[derive(Clone, Copy, Debug)]
enum Setting {
    Flip,
    PoleMoves,
    PoleReplacesFlip,
    FlipUnderLimits,
    AddedRotation,
}

impl Setting {
    const ALL: [Self; 5] = [
        Self::Flip,
        Self::PoleMoves,
        Self::PoleReplacesFlip,
        Self::FlipUnderLimits,
        Self::AddedRotation,
    ];

    fn limb(self, settings: HandoverSettings, sense: f32) -> Limb {
        let mut limb = match self {
            Self::AddedRotation => {
                let look = LookAt::new(Chain::new(vec![0], end(1)), Point::default());
                Limb::new(1, look.into(), settings, sense)
            }
            _ => {
                let arm = TwoBone::new([0, 1], end(2), Point::default());
                Limb::new(2, arm.into(), settings, sense)
            }
        };
        if matches!(self, Self::FlipUnderLimits) {
            for bone in &mut limb.rig.bones {
                bone.limit = Some(Limit::around(bone.rotation, -2.9, 2.9));
            }
        }
        limb
    }

    /// Makes what was set the mirror image, about the X axis.
    fn mirror(self, limb: &mut Limb, is_other: bool) {
        match &mut limb.modifier().solver {
            Solver::TwoBone(arm) => {
                let is_flip = matches!(self, Self::Flip | Self::FlipUnderLimits);
                arm.settings.flip_bend_direction = !(is_flip && is_other);
                arm.pole.iter_mut().for_each(|pole| pole.position.y *= -1.0);
            }
            Solver::LookAt(look) => look.settings.additional_rotation *= -1.0,
            _ => unreachable!("these are all"),
        }
    }

    /// Sets it one way or the other, of a limb whose target is on its right.
    fn set(self, limb: &mut Limb, is_other: bool) {
        let sign = if is_other { 1.0 } else { -1.0 };
        let pole = fixed(Vec2::new(30.0, 90.0 * sign));
        match &mut limb.modifier().solver {
            Solver::TwoBone(arm) => match self {
                Self::Flip | Self::FlipUnderLimits => arm.settings.flip_bend_direction = is_other,
                Self::PoleMoves => arm.pole = Some(pole),
                _ => arm.pole = is_other.then_some(pole),
            },
            Solver::LookAt(look) => {
                look.settings.additional_rotation = if is_other { 2.6 } else { 0.0 };
            }
            _ => unreachable!("these are all"),
        }
    }
}

#[test]
fn what_is_set_goes_over_as_targets_do() {
    let settings = HandoverSettings {
        duration: 0.4,
        ..USUAL
    };
    let target = |frame: f32| Vec2::new(60.0, 5.0) + 0.3 * frame * Vec2::NEG_X;
    for setting in Setting::ALL {
        for (rate, most) in [(30.0, 0.24), (60.0, 0.06), (144.0, 0.011)] {
            let mut limb = setting.limb(settings, 1.0);
            let mut poses = Vec::new();
            let mut pass = |limb: &mut Limb, frame: u16| {
                limb.pass(target(f32::from(frame) * 60.0 / rate), 1.0 / rate);
                poses.push(limb.rotations());
            };
            for frame in 0..8 {
                setting.set(&mut limb, false);
                pass(&mut limb, frame);
            }
            assert_eq!(limb.status(), Status::Reached, "{setting:?}");
            setting.set(&mut limb, true);
            let going = (8..(0.7 * rate) as u16).filter(|&frame| {
                pass(&mut limb, frame);
                let is_going = limb.modifier().is_in_transition();
                assert_eq!(limb.status() == Status::Reached, !is_going, "{setting:?}");
                is_going
            });
            let late = going.count() as f32 / rate - settings.duration;
            assert!((-1e-4..1.5 / rate).contains(&late), "{setting:?}: {late}");
            let turned = largest_turn(&poses[7], &poses[poses.len() - 1]);
            assert!(turned > 1.0, "{setting:?}: {turned}");
            let kink = largest_kink(&poses);
            println!("Smooth: {setting:?} in 0.4 s at {rate} Hz: {kink:.3} rad");
            assert!(kink < most, "{setting:?} at {rate} Hz: {kink}");
        }
    }
}

/// What is exchanged, and what is switched off and on, with targets all around.
#[test]
fn what_goes_over_begins_and_ends_smoothly() {
    let settings = HandoverSettings {
        duration: 0.4,
        ..USUAL
    };
    // On the side of the root where the tip is at rest: on a way past the root, joints turn fast.
    let places = (0..24_u8).map(|place| {
        let distance = [35.0, 55.0, 75.0][usize::from(place % 3)];
        distance * Vec2::from_angle(0.45 + 1.1 * (f32::from(place) * 2.4).sin())
    });
    let places: Vec<_> = places.collect();
    for (name, is_switched) in [
        ("an exchanged target", false),
        ("switched off and on", true),
    ] {
        let mut all = 0.0_f32;
        for (count, solver) in solvers() {
            let mut worst = 0.0_f32;
            for two in places.windows(2) {
                let mut limb = Limb::new(count, solver.clone(), settings, 1.0);
                let film = |frame: u8| {
                    let is_other = frame / 30 % 2 == 1;
                    if is_switched {
                        limb.modifier().active = !is_other;
                    } else if frame.is_multiple_of(30) {
                        limb.modifier().note_exchange();
                    }
                    limb.pass(two[usize::from(is_other && !is_switched)], 1.0 / 60.0);
                    limb.rotations()
                };
                let poses: Vec<_> = (0..90).map(film).collect();
                worst = worst.max(largest_kink(&poses[2..]));
            }
            println!("{name}, {}, {count} bones: {worst:.3} rad", solver.name());
            all = all.max(worst);
        }
        println!("Smooth: {name} in 0.4 s: {all:.3} rad");
        assert!(all < 0.06, "{name}: {all}");
    }
}

proptest! {
    #![proptest_config(config(300))]

    /// Nothing leaps, whatever is set in mid-transition, and mirrored limbs move mirrored.
    #[test]
    fn random_settings_without_a_leap(
        setting in 0_usize..5,
        changes in prop::collection::vec((1_u16..500, 30.0_f32..75.0, -0.5_f32..0.5, prop::bool::ANY), 1..6),
        part in prop::sample::select(vec![1.0_f32, 0.5]),
    ) {
        let setting = Setting::ALL[setting];
        let mut limbs = [1.0, -1.0].map(|sense| setting.limb(USUAL, sense));
        limbs[1].rig.bones[0].rotation *= -1.0;
        for limb in &mut limbs {
            limb.modifier().influence = part;
        }
        let mut is_other = false;
        let mut target = Vec2::new(60.0, 5.0);
        let mut before: Option<Vec<f32>> = None;
        for (frames, distance, angle, is_set) in changes {
            for frame in 0..frames {
                if frame == 1 && is_set {
                    is_other = !is_other;
                } else if frame == 1 {
                    target = distance * Vec2::from_angle(angle);
                    limbs.iter_mut().for_each(|limb| limb.modifier().note_exchange());
                }
                let [plain, mirrored] = &mut limbs;
                setting.set(plain, is_other);
                setting.set(mirrored, is_other);
                setting.mirror(mirrored, is_other);
                let flip = Vec2::new(1.0, -1.0);
                let tip = plain.pass(target, INSTANT);
                let image = mirrored.pass(flip * target, INSTANT);
                prop_assert!(tip.distance(flip * image) < 0.05, "{setting:?}, {frame}");
                let now = plain.rotations();
                let turn = before.map_or(0.0, |before| largest_turn(&before, &now));
                // Between both ends of a half turn in 0.3 s, and as much by the way of the target.
                prop_assert!(turn < 0.02, "{setting:?}, {frame}: {turn}");
                before = Some(now);
            }
        }
    }
}

proptest! {
    #![proptest_config(config(300))]

    /// Nothing leaps, however a modifier is switched and its target exchanged on the way, for a part of its influence, too,
    /// and while the base pose turns.
    #[test]
    fn random_switches_without_a_leap(
        kind in 0_usize..5,
        changes in prop::collection::vec((1_u16..2000, 30.0_f32..75.0, -0.5_f32..0.5, prop::bool::ANY), 1..8),
        part in prop::sample::select(vec![1.0_f32, 0.5]),
        turning in -1.0_f32..1.0,
    ) {
        let (count, solver) = solvers().swap_remove(kind);
        let mut limb = Limb::new(count, solver, USUAL, 1.0);
        limb.modifier().influence = part;
        let mut target = Vec2::new(60.0, 5.0);
        let mut before: Option<Vec<f32>> = None;
        for (frames, distance, angle, is_switched) in changes {
            for frame in 0..frames {
                if frame == 1 && is_switched {
                    limb.modifier().active = !limb.modifier().active;
                } else if frame == 1 {
                    target = distance * Vec2::from_angle(angle);
                    limb.modifier().note_exchange();
                }
                limb.rig.bones[0].rotation += turning * INSTANT;
                limb.pass(target, INSTANT);
                let now = limb.rotations();
                let turn = before.map_or(0.0, |before| largest_turn(&before, &now));
                prop_assert!(turn < 0.015, "{kind}, {frame}: {turn}");
                before = Some(now);
            }
        }
    }
}

/// A keyed angle is a motion, and is followed from where it has gone over on.
#[test]
fn a_keyed_rotation_is_followed() {
    let mut limb = Setting::AddedRotation.limb(USUAL, 1.0);
    let target = Vec2::new(60.0, 5.0);
    for frame in 0..60_u8 {
        let angle = 4.0 * f32::from(frame.saturating_sub(10)) / 60.0;
        if let Solver::LookAt(look) = &mut limb.modifier().solver {
            look.settings.additional_rotation = angle;
        }
        limb.pass(target, 1.0 / 60.0);
        let is_late = (11..30).contains(&frame);
        assert!(is_late || limb.status() == Status::Reached, "{frame}");
    }
}

#[test]
fn the_state_has_all_of_a_bend_that_goes_over() {
    let mut limb = Setting::Flip.limb(USUAL, 1.0);
    let target = Vec2::new(60.0, 5.0);
    for frame in 0..10 {
        Setting::Flip.set(&mut limb, frame > 4);
        limb.pass(target, 1.0 / 60.0);
    }
    assert!(limb.modifier().is_in_transition());
    let bytes = Snapshot::of(&limb.rig, Vec::new()).to_bytes();
    let go_on = |limb: &mut Limb| -> Vec<Vec<f32>> {
        let pass = |_| {
            limb.pass(target, 1.0 / 60.0);
            limb.rotations()
        };
        (0..20).map(pass).collect()
    };
    let first = go_on(&mut limb);
    let snapshot = Snapshot::read(&bytes).expect("it was written here");
    snapshot.restore(&mut limb.rig);
    assert_eq!(go_on(&mut limb), first);
    assert!(!limb.rig.is_moving());
}
