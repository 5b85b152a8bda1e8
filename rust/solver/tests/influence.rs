//! Chains at partial influence: they do not leap, whatever their targets and their influence do, and fade out by the
//! shorter way.

mod common;

use std::f32::consts::{PI, TAU};

use glam::Vec2;
use proptest::prelude::*;
use tendon_solver::{
    Aimed, Approach, Bone, Chain, End, Modifier, Point, Rig, Solver, Status, Workspace,
};

use common::{CHAIN_SOLVERS, ChainSolver, config};

/// Spans per second that a point of a limb may move in a transition, as the solver has it.
const SPEED: f32 = 7.4;

/// A limb may move so many times as far as its target.
const LEAP: f32 = 4.0;

const DELTA: f32 = 1.0 / 60.0;

struct Limb {
    rig: Rig,
    workspace: Workspace,
    span: f32,
}

impl Limb {
    fn new(algorithm: ChainSolver, lengths: &[f32], bend: f32) -> Self {
        let mut bones: Vec<Bone> = Vec::new();
        for index in 0..lengths.len() {
            bones.push(Bone {
                position: Vec2::X * if index == 0 { 0.0 } else { lengths[index - 1] },
                rotation: if index == 0 { 0.0 } else { bend },
                ..Bone::below(index.checked_sub(1))
            });
        }
        let last = lengths.len() - 1;
        let end = End::Point(Point {
            bone: Some(last),
            position: Vec2::X * lengths[last],
        });
        let mut solver = algorithm.with(Approach::default());
        let Solver::ChainIk(chain) = &mut solver else {
            unreachable!("these are the chains");
        };
        chain.chain = Chain::new((0..lengths.len()).collect(), end);
        let mut rig = Rig::new(bones, vec![Modifier::new(solver)]);
        rig.delta = DELTA;
        Self {
            rig,
            workspace: Workspace::default(),
            span: lengths.iter().sum(),
        }
    }

    /// A pass with the target there. Returns where the joints and the tip are.
    fn pass(&mut self, target: Vec2, influence: f32) -> Vec<Vec2> {
        self.rig.modifiers[0].influence = influence;
        let parts = self.rig.modifiers[0].solver.parts_mut();
        let place = Point {
            bone: None,
            position: target,
        };
        *parts.target_mut().expect("a chain has a target") = Aimed::at(place);
        self.rig.go_on();
        self.rig.solve(&mut self.workspace);
        let joints = 0..self.rig.bones.len();
        let joints = joints.map(|bone| self.rig.locate(Point::origin_of(Some(bone))));
        joints.chain([self.rig.modifiers[0].report.tip]).collect()
    }
}

/// For so many passes the target goes round by `speed` radians in each, and the influence goes to `influence`.
#[derive(Clone, Debug)]
struct Part {
    passes: u16,
    speed: f32,
    influence: f32,
}

fn part() -> impl Strategy<Value = Part> {
    let influence = prop_oneof![Just(1.0_f32), Just(0.5), 0.0..1.0_f32];
    (20..400_u16, -0.03..0.03_f32, influence).prop_map(|(passes, speed, influence)| Part {
        passes,
        speed,
        influence,
    })
}

proptest! {
    #![proptest_config(config(2_000))]

    #[test]
    fn no_point_leaps(
        algorithm in prop::sample::select(&CHAIN_SOLVERS[..]),
        lengths in prop::collection::vec(20.0..60.0_f32, 2..5),
        bend in 0.1..0.6_f32,
        share in 0.4..0.9_f32,
        parts in prop::collection::vec(part(), 1..6),
    ) {
        let mut limb = Limb::new(algorithm, &lengths, bend);
        let span = limb.span;
        let (mut angle, mut influence) = (0.0_f32, parts[0].influence);
        let target = |angle: f32| Vec2::from_angle(angle) * share * span;
        let mut before = limb.pass(target(angle), influence);
        for part in parts {
            for _ in 0..part.passes {
                let fades = (part.influence - influence).clamp(-0.01, 0.01);
                influence += fades;
                angle += part.speed;
                let now = limb.pass(target(angle), influence);
                let motion = part.speed.abs() * share * span;
                // What fades goes at most half a turn and a little, at the root.
                let most = SPEED * DELTA * span + LEAP * motion + 2.0 * PI * fades.abs() * span;
                for (place, before) in now.iter().zip(&before) {
                    let moved = place.distance(*before);
                    prop_assert!(moved <= most, "{} px of {} at {}", moved, most, influence);
                }
                before = now;
            }
        }
    }
}

#[test]
fn a_chain_that_went_round_fades_out_by_the_shorter_way() {
    for algorithm in CHAIN_SOLVERS {
        for sense in [1.0, -1.0] {
            let mut limb = Limb::new(algorithm, &[30.0, 30.0, 30.0], 0.3);
            for pass in 0..236_u16 {
                limb.pass(Vec2::from_angle(sense * 0.02 * f32::from(pass)) * 70.0, 1.0);
            }
            assert_eq!(limb.rig.modifiers[0].report.status, Status::Reached);
            let target = Vec2::from_angle(sense * 4.7) * 70.0;
            let [mut turned, mut last] = [0.0_f32, limb.rig.rotation(0)];
            for pass in 0..=60_u16 {
                limb.pass(target, 1.0 - f32::from(pass) / 60.0);
                let now = limb.rig.rotation(0);
                turned += (now - last + PI).rem_euclid(TAU) - PI;
                last = now;
            }
            assert!(last.abs() < 1e-5, "it has faded out: {last}");
            assert!(turned.abs() < PI, "{algorithm:?}: {turned}");
        }
    }
}

/// A chain without memory leaps once in a round of its target, where that passes behind the base pose, and nowhere else: the
/// short way from the base pose changes sides there. Poses that follow a target all round by a part of the way would have
/// to go round by a part of a turn, so every other rule leaps somewhere, too.
#[test]
fn a_chain_without_memory_leaps_only_behind_the_base_pose() {
    const STEP: f32 = 0.02;
    for algorithm in CHAIN_SOLVERS {
        for influence in [0.25, 0.5, 0.75] {
            let mut limb = Limb::new(algorithm, &[30.0; 3], 0.3);
            let Solver::ChainIk(chain) = &mut limb.rig.modifiers[0].solver else {
                unreachable!("these are the chains");
            };
            chain.deterministic = true;
            let base = limb.pass(Vec2::X * 70.0, 0.0)[3];
            let mut before = None;
            let mut leaps = Vec::new();
            for step in 0..(TAU / STEP) as u16 {
                let target = 70.0 * Vec2::from_angle(STEP * f32::from(step));
                let tip = limb.pass(target, influence)[3];
                let way = before.map_or(0.0, |before: Vec2| before.distance(tip));
                if way > 0.2 * limb.span {
                    leaps.push(target.angle_to(-base));
                }
                before = Some(tip);
            }
            let [leap] = leaps[..] else {
                panic!("{algorithm:?} {influence}: leaps at {leaps:?}");
            };
            assert!(
                leap.abs() < 0.7,
                "{algorithm:?} {influence}: {leap} rad beside that"
            );
        }
    }
}
