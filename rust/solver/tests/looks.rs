//! Looks that several bones share: exact aims, shares, limits, and no leaps.

mod common;

use std::f32::consts::{PI, TAU};

use glam::Vec2;
use proptest::prelude::*;
use tendon_solver::{
    Bone, Chain, Direction, End, Limit, LimitSpace, LookAt, Modifier, Point, Rig, Solver, Status,
    Workspace,
};

use crate::common::parts::fixed;

/// What counts as aligned, in radians.
const ALIGNED: f32 = 1e-4;

/// Where each joint is in the frame of the one before it.
const STEM: Vec2 = Vec2::new(20.0, 2.0);

#[derive(Clone, Debug)]
struct Neck {
    rotations: Vec<f32>,
    scales: Vec<Vec2>,
    shares: Vec<f32>,
    /// How far each joint may turn to either side, from its base pose; none is free.
    limits: Vec<Option<f32>>,
    target: Vec2,
}

fn neck() -> impl Strategy<Value = Neck> {
    (2_usize..6).prop_flat_map(|count| {
        let scale = (0.7_f32..1.4, prop::bool::weighted(0.2)).prop_map(|(size, is_mirrored)| {
            Vec2::new(size, if is_mirrored { -size } else { size })
        });
        let limit = prop::option::weighted(0.5, 0.1_f32..1.2);
        (
            prop::collection::vec(-0.4_f32..0.4, count),
            prop::collection::vec(scale, count),
            prop::collection::vec(0.05_f32..1.0, count),
            prop::collection::vec(limit, count),
            (20.0_f32..300.0, -PI..PI),
        )
            .prop_map(|(rotations, scales, shares, limits, (beyond, angle))| {
                let distance = furthest(&scales) + beyond;
                Neck {
                    rotations,
                    scales,
                    shares,
                    limits,
                    target: Vec2::from_angle(angle) * distance,
                }
            })
    })
}

/// How far from the first joint the last one can be. Beyond it, a joint that is free can aim at
/// every target: its whole turn turns the look once around, and the way to the target not at all.
fn furthest(scales: &[Vec2]) -> f32 {
    let above = scales.iter().take(scales.len() - 1);
    let sizes = above.scan(1.0, |size, scale| {
        *size *= scale.x;
        Some(*size)
    });
    sizes.map(|size| size * STEM.length()).sum()
}

impl Neck {
    fn rig(&self) -> Rig {
        let count = self.rotations.len();
        let bones = (0..count).map(|index| Bone {
            position: if index == 0 { Vec2::ZERO } else { STEM },
            rotation: self.rotations[index],
            scale: self.scales[index],
            limit: self.limits[index].map(|half| Limit {
                rest: self.rotations[index],
                min: -half,
                max: half,
                space: LimitSpace::Parent,
                stiffness: 0.0,
            }),
            ..Bone::below(index.checked_sub(1))
        });
        let end = End::Point(Point {
            bone: Some(count - 1),
            position: Vec2::new(30.0, -4.0),
        });
        let target = Point {
            bone: None,
            position: self.target,
        };
        let mut look = LookAt::new(Chain::new((0..count).collect(), end), target);
        look.shares.clone_from(&self.shares);
        Rig::new(bones.collect(), vec![Modifier::new(look)])
    }
}

fn look(rig: &mut Rig) -> &mut LookAt {
    match &mut rig.modifiers[0].solver {
        Solver::LookAt(look) => look,
        _ => unreachable!(),
    }
}

/// By what angle the last bone looks past the target.
fn error(rig: &Rig, target: Vec2) -> f32 {
    let last = rig.bones.len() - 1;
    let at = |position| {
        rig.locate(Point {
            bone: Some(last),
            position,
        })
    };
    let place = at(Vec2::ZERO);
    let along = at(Vec2::new(30.0, -4.0)) - place;
    let way = target - place;
    along.perp_dot(way).atan2(along.dot(way))
}

/// How far each joint has turned, the shorter way.
fn turns(rig: &Rig) -> Vec<f32> {
    let bones = rig.bones.iter().enumerate();
    let turns = bones.map(|(index, bone)| rig.rotation(index) - bone.rotation);
    turns
        .map(|turn| turn - TAU * (turn / TAU).round())
        .collect()
}

proptest! {
    #![proptest_config(common::config(2_000))]

    #[test]
    fn aims_are_exact_where_the_limits_allow_it(neck in neck()) {
        let mut rig = neck.rig();
        rig.solve(&mut Workspace::default());
        let error = error(&rig, neck.target);
        let is_aimed = error.abs() < ALIGNED;
        prop_assert_eq!(rig.modifiers[0].report.status == Status::Reached, is_aimed, "{}", error);
        let turns = turns(&rig);
        let mut has_room = false;
        for ((turn, limit), share) in turns.iter().zip(&neck.limits).zip(&neck.shares) {
            if let Some(half) = limit {
                prop_assert!(turn.abs() <= half + 1e-4);
            }
            has_room |= limit.is_none() && *share > 0.0;
        }
        // A joint without a limit takes what the others cannot.
        prop_assert!(is_aimed || !has_room, "{} {:?}", error, turns);
    }

    /// The search for the aim begins where the last one ended.
    #[test]
    fn a_look_that_goes_on_stays_where_it_is(neck in neck()) {
        let mut rig = neck.rig();
        rig.delta = 1.0 / 60.0;
        let mut workspace = Workspace::default();
        let rotations = |rig: &Rig| -> Vec<f32> {
            (0..rig.bones.len()).map(|bone| rig.rotation(bone)).collect()
        };
        rig.solve(&mut workspace);
        let first = rotations(&rig);
        let mut poses = (0..3).map(|_| {
            rig.go_on();
            rig.solve(&mut workspace);
            rotations(&rig)
        });
        let second = poses.next().expect("a pass");
        for (first, second) in first.iter().zip(&second) {
            prop_assert!((first - second).abs() < 1e-5, "{first} {second}");
        }
        for pose in poses {
            prop_assert_eq!(&pose, &second);
        }
    }

    #[test]
    fn free_bones_turn_by_their_shares(mut neck in neck()) {
        neck.limits.fill(None);
        let mut rig = neck.rig();
        rig.solve(&mut Workspace::default());
        let turns = turns(&rig);
        // Whole turns do not show in a pose: the first bone may have gone either way.
        let follow_one_angle = |whole: f32| {
            let angle = (turns[0] + whole * TAU) / neck.shares[0];
            let mut sense = 1.0;
            (0..turns.len()).all(|index| {
                let off = sense * angle * neck.shares[index] - turns[index];
                sense *= neck.scales[index].y.signum();
                (off - TAU * (off / TAU).round()).abs() < 1e-3
            })
        };
        prop_assert!(
            [-1.0, 0.0, 1.0].into_iter().any(follow_one_angle),
            "{turns:?} {:?}", neck.shares
        );
    }

    #[test]
    fn limits_pass_on_what_they_keep(mut neck in neck()) {
        neck.limits.fill(Some(0.3));
        neck.limits[0] = None;
        let mut rig = neck.rig();
        rig.solve(&mut Workspace::default());
        prop_assert!(error(&rig, neck.target).abs() < ALIGNED);
    }
}

/// A muzzle that is beside the bone, and points elsewhere than the bone does.
#[test]
fn a_sight_beside_the_bone_goes_through_the_target() {
    let muzzle = Vec2::new(12.0, -9.0);
    for count in [1, 3] {
        for mirror in [1.0, -1.0] {
            for turn in [0.0, 0.3, -1.2] {
                for step in 0..24 {
                    let angle = TAU * step as f32 / 24.0;
                    let neck = Neck {
                        rotations: vec![0.2; count],
                        scales: vec![Vec2::new(1.2, 0.9 * mirror); count],
                        shares: vec![1.0; count],
                        limits: vec![None; count],
                        target: (30.0 * count as f32 + 25.0) * Vec2::from_angle(angle),
                    };
                    let mut rig = neck.rig();
                    let last = Some(count - 1);
                    let vector = 3.0 * Vec2::from_angle(turn);
                    let look = look(&mut rig);
                    look.chain.end = End::Point(Point {
                        bone: last,
                        position: muzzle,
                    });
                    look.sight = Some(Direction { bone: last, vector });
                    rig.solve(&mut Workspace::default());
                    let at = |position| {
                        rig.locate(Point {
                            bone: last,
                            position,
                        })
                    };
                    let (from, through) = (at(muzzle), at(muzzle + vector));
                    let beside = (through - from).normalize().perp_dot(neck.target - from);
                    assert!(
                        beside.abs() < 0.02,
                        "{count} {mirror} {turn} {angle}: {beside}"
                    );
                    assert_eq!(rig.modifiers[0].report.status, Status::Reached);
                }
            }
        }
    }
}

/// A target between the joint and the line of a sight.
#[test]
fn a_sight_that_cannot_hit_says_so() {
    let neck = Neck {
        rotations: vec![0.2],
        scales: vec![Vec2::ONE],
        shares: vec![1.0],
        limits: vec![None],
        target: Vec2::new(4.0, 3.0),
    };
    let mut rig = neck.rig();
    let look = look(&mut rig);
    let position = Vec2::new(12.0, -9.0);
    look.chain.end = End::Point(Point {
        bone: Some(0),
        position,
    });
    look.sight = Some(Direction {
        bone: Some(0),
        vector: Vec2::X,
    });
    rig.solve(&mut Workspace::default());
    assert_eq!(rig.modifiers[0].report.status, Status::OutOfReach);
    assert!(rig.rotation(0).is_finite());
}

/// A target that roams around a head: no joint may leap.
#[test]
fn a_target_that_passes_behind_swings_the_neck_over() {
    let neck = Neck {
        rotations: vec![0.1, -0.05, 0.1],
        scales: vec![Vec2::ONE; 3],
        shares: vec![0.3, 0.5, 1.0],
        limits: vec![Some(0.8), None, None],
        target: Vec2::X,
    };
    for influence in [0.4, 1.0] {
        let mut rig = neck.rig();
        rig.modifiers[0].influence = influence;
        rig.delta = 1.0 / 60.0;
        let mut workspace = Workspace::default();
        let mut before: Option<Vec<f32>> = None;
        let mut aimed = 0;
        for frame in 0..1_800 {
            let angle = TAU * frame as f32 / 240.0;
            let target = 300.0 * Vec2::from_angle(angle);
            look(&mut rig).target.set(Some(fixed(target)));
            rig.go_on();
            rig.solve(&mut workspace);
            let now: Vec<_> = (0..3).map(|bone| rig.rotation(bone)).collect();
            if let Some(before) = &before {
                for (was, is) in before.iter().zip(&now) {
                    // Whole turns show only where a part of them is applied.
                    let wraps = influence == 1.0;
                    let wrap = TAU * ((is - was) / TAU).round() * f32::from(u8::from(wraps));
                    let step = (is - was - wrap).abs();
                    assert!(
                        step < 0.45,
                        "frame {frame} at {influence}: {before:?} {now:?}"
                    );
                }
            }
            aimed += u32::from(error(&rig, target).abs() < ALIGNED);
            before = Some(now);
        }
        assert!(influence < 1.0 || aimed > 1_500, "aimed in {aimed} frames");
    }
}

/// Straight behind the base pose both ways around are as long: what has looked over one side goes on
/// doing so.
#[test]
fn a_target_that_sways_behind_is_followed_over_one_side() {
    for (count, scale) in [(2, Vec2::ONE), (3, Vec2::ONE), (5, Vec2::new(1.0, -1.0))] {
        for distance in [30.0, 120.0, 400.0] {
            let mut neck = Neck {
                rotations: vec![0.0; count],
                scales: vec![Vec2::ONE; count],
                shares: Vec::new(),
                limits: vec![None; count],
                target: Vec2::X,
            };
            neck.scales[0] = scale;
            let mut rig = neck.rig();
            rig.delta = 1.0 / 60.0;
            let mut workspace = Workspace::default();
            // The last bone is below the first one, which may be mirrored.
            let joint = (count - 1) as f32 * STEM * scale;
            let back = -(Vec2::new(30.0, -4.0) * scale).normalize();
            let mut spans = vec![(f32::MAX, f32::MIN); count];
            for frame in 0..600 {
                let sway = 2.0 * (frame as f32 * 0.21).sin();
                let target = joint + distance * back + sway * back.perp();
                look(&mut rig).target.set(Some(fixed(target)));
                rig.go_on();
                rig.solve(&mut workspace);
                assert!(error(&rig, target).abs() < ALIGNED);
                for (bone, (least, most)) in spans.iter_mut().enumerate() {
                    *least = least.min(rig.rotation(bone));
                    *most = most.max(rig.rotation(bone));
                }
            }
            for (least, most) in spans {
                let text = format!("{count} bones, {distance}: swings over {}", most - least);
                assert!(most - least < 0.3, "{text}");
            }
            rig.go_on();
            rig.solve(&mut workspace);
            assert!(!rig.is_moving(), "{count} bones, {distance}");
        }
    }
}

/// Where strides of the search begin does not show: a curled chain, for which there are several aims, stays at the one
/// that it has while its target moves on steadily.
#[test]
fn a_target_that_moves_steadily_is_followed_steadily() {
    let count = 10_usize;
    let stem = Vec2::new(20.0, 0.0);
    let line = (0..count).map(|index| Bone {
        position: if index == 0 { Vec2::ZERO } else { stem },
        rotation: 0.12,
        ..Bone::below(index.checked_sub(1))
    });
    let end = End::Point(Point {
        bone: Some(count - 1),
        position: stem,
    });
    let chain = Chain::new((0..count).collect(), end);
    let modifier = Modifier::new(LookAt::new(chain, Point::default()));
    let mut rig = Rig::new(line.collect(), vec![modifier]);
    rig.delta = 1.0 / 60.0;
    let mut workspace = Workspace::default();
    let mut aimed = 0;
    for frame in 0..512 {
        let phase = TAU * frame as f32 / 128.0;
        let distance = 20.0 * count as f32 * (0.65 + 0.2 * (2.0 * phase).sin());
        let target = distance * Vec2::from_angle(0.6 + 0.9 * phase.sin());
        look(&mut rig).target.set(Some(fixed(target)));
        rig.go_on();
        rig.solve(&mut workspace);
        let has_begun = frame >= 128;
        aimed += u32::from(has_begun && rig.modifiers[0].report.status == Status::Reached);
    }
    // In the others it goes over to the other side, where the target passes behind.
    assert!(aimed >= 200, "aimed in {aimed} of 384 frames");
}

#[test]
fn one_bone_of_a_chain_looks_as_a_lone_bone_does() {
    let neck = Neck {
        rotations: vec![0.4, -0.3],
        scales: vec![Vec2::ONE; 2],
        shares: vec![0.0, 1.0],
        limits: vec![None; 2],
        target: Vec2::new(-120.0, 340.0),
    };
    let mut shared = neck.rig();
    shared.solve(&mut Workspace::default());
    let mut alone = neck.rig();
    look(&mut alone).chain.joints = vec![1];
    alone.solve(&mut Workspace::default());
    assert!((shared.rotation(1) - alone.rotation(1)).abs() < 1e-5);
    assert_eq!(shared.rotation(0), alone.rotation(0));
}

#[test]
fn bad_numbers_leave_the_pose_alone() {
    let neck = Neck {
        rotations: vec![0.4, -0.3],
        scales: vec![Vec2::ONE; 2],
        shares: vec![f32::NAN, 1.0],
        limits: vec![None; 2],
        target: Vec2::new(f32::NAN, 0.0),
    };
    let mut rig = neck.rig();
    rig.solve(&mut Workspace::default());
    assert_eq!(rig.modifiers[0].report.status, Status::Invalid);
    look(&mut rig)
        .target
        .set(Some(fixed(Vec2::new(10.0, 200.0))));
    rig.solve(&mut Workspace::default());
    assert_eq!(rig.modifiers[0].report.status, Status::Reached);
}
