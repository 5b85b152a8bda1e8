//! Chains that are held at both ends: where the ends are, how time counts, what holds at rest.

use std::f32::consts::FRAC_PI_2;

use glam::{Affine2, Vec2};
use tendon_solver::{
    Bone, Chain, End, Kept, Limit, LimitSpace, Modifier, Motion, Obstacle, Point, Rig, Shape,
    Solver, Spring, SpringSettings, Status, Workspace,
};

const LENGTH: f32 = 30.0;

const GRAVITY: Vec2 = Vec2::new(0.0, 980.0);

fn settings(frequency: f32, damping_ratio: f32) -> SpringSettings {
    SpringSettings {
        frequency,
        damping_ratio,
        gravity: GRAVITY,
        ..SpringSettings::default()
    }
}

/// A chain below a bone that does not move, with its pin at `pin`.
fn rope(bones: usize, settings: SpringSettings, pin: Vec2) -> Rig {
    posed_rope(bones, settings, pin, 0.1)
}

/// The same, whose bones are posed with the angle `bend` to each other.
fn posed_rope(bones: usize, settings: SpringSettings, pin: Vec2, bend: f32) -> Rig {
    let mut rig = Rig::new(vec![Bone::below(None)], Vec::new());
    for index in 0..bones {
        rig.bones.push(Bone {
            position: if index == 0 {
                Vec2::ZERO
            } else {
                Vec2::X * LENGTH
            },
            rotation: bend,
            ..Bone::below(Some(index))
        });
    }
    let end = End::Point(Point {
        bone: Some(bones),
        position: Vec2::X * LENGTH,
    });
    let mut spring = Spring::new(Chain::new((1..=bones).collect(), end));
    spring.settings = settings;
    spring.pin.set(Some(at(pin)));
    rig.modifiers.push(Modifier::new(spring));
    rig
}

fn at(position: Vec2) -> Point {
    Point {
        bone: None,
        position,
    }
}

fn spring(rig: &mut Rig) -> &mut Spring {
    match &mut rig.modifiers[0].solver {
        Solver::Spring(spring) => spring,
        _ => unreachable!(),
    }
}

fn motion(rig: &Rig) -> &Motion {
    match &rig.modifiers[0].solver {
        Solver::Spring(spring) => &spring.memory.before,
        _ => unreachable!(),
    }
}

fn pass(rig: &mut Rig, space: &mut Workspace, delta: f32) {
    rig.delta = delta;
    rig.go_on();
    rig.solve(space);
}

/// The joints and the tip in skeleton space.
fn line(rig: &Rig) -> Vec<Vec2> {
    let bones = 1..rig.bones.len();
    let joints = bones.map(|bone| {
        rig.locate(Point {
            bone: Some(bone),
            position: Vec2::ZERO,
        })
    });
    joints
        .chain([rig.locate(rig.modifiers[0].parts().tip())])
        .collect()
}

fn apart(one: &Rig, other: &Rig) -> f32 {
    let (one, other) = (line(one), line(other));
    let pairs = one.iter().zip(&other);
    pairs
        .map(|(one, other)| one.distance(*other))
        .fold(0.0, f32::max)
}

/// Where a body goes that moves by a few sines.
fn wander(time: f32, seed: f32) -> Vec2 {
    let part = |rate: f32, phase: f32| (rate * time + seed * phase).sin();
    Vec2::new(
        part(2.1, 1.0) + 0.5 * part(7.3, 2.0) + 0.2 * part(19.0, 3.0),
        part(1.7, 4.0) + 0.5 * part(5.9, 5.0) + 0.2 * part(23.0, 6.0),
    )
}

#[test]
fn both_ends_are_exact_in_10_000_frames() {
    let mut space = Workspace::default();
    let (mut worst, mut out) = (0.0_f32, 0);
    for run in 0..10 {
        let bones = [2, 3, 5, 8, 10, 15, 20][run % 7];
        let reach = bones as f32 * LENGTH;
        let frequency = [0.05, 0.5, 3.0, 20.0, 500.0][run % 5];
        let mut rig = rope(bones, settings(frequency, 0.2), Vec2::X * 0.7 * reach);
        for frame in 0..1000 {
            let time = frame as f32 / 60.0;
            let root = 0.25 * reach * wander(time, run as f32);
            let pin = Vec2::X * 0.6 * reach + 0.3 * reach * wander(time, 9.0 + run as f32);
            rig.bones[1].position = root;
            spring(&mut rig).pin.set(Some(at(pin)));
            pass(&mut rig, &mut space, 1.0 / 60.0);
            let report = rig.modifiers[0].report;
            let ends = line(&rig);
            assert!(ends[0].distance(root) < 1e-3);
            let miss = ends[bones].distance(pin);
            if root.distance(pin) < reach - 1e-3 {
                worst = worst.max(miss);
                assert_eq!(report.status, Status::Reached, "{run} {frame} {miss}");
            } else if root.distance(pin) > reach + 0.02 {
                out += 1;
                assert_eq!(report.status, Status::OutOfReach);
                assert!((miss - (root.distance(pin) - reach)).abs() < 0.01);
            }
            assert!((report.distance - miss).abs() < 1e-3);
        }
    }
    assert!(worst < 0.01 && out > 100, "{worst} {out}");
}

#[test]
fn the_motion_is_the_same_at_every_frame_rate() {
    // Both ends move along lines for half a second each.
    let knots = [
        (0.0, 0.0),
        (40.0, -30.0),
        (-20.0, 50.0),
        (0.0, 10.0),
        (0.0, 10.0),
    ];
    let way = |time: f32| {
        let (index, part) = (((time * 2.0) as usize).min(3), (time * 2.0).min(4.0));
        let [from, to] = [knots[index], knots[index + 1]].map(|(x, y)| Vec2::new(x, y));
        from.lerp(to, (part - index as f32).min(1.0))
    };
    let play = |rate: u32, bend: f32| {
        let mut rig = posed_rope(8, settings(0.5, 0.3), Vec2::X * 180.0, bend);
        let mut space = Workspace::default();
        rig.solve(&mut space);
        let mut shown = Vec::new();
        for frame in 1..=2 * rate {
            let time = frame as f32 / rate as f32;
            rig.bones[1].position = way(time);
            spring(&mut rig)
                .pin
                .set(Some(at(Vec2::X * 180.0 + way(time).perp())));
            pass(&mut rig, &mut space, 1.0 / rate as f32);
            if frame % (rate / 2) == 0 {
                shown.push(rig.clone());
            }
        }
        shown
    };
    for bend in [0.0, 0.1] {
        let fine = play(240, bend);
        for rate in [2, 30, 60, 144] {
            for (one, other) in play(rate, bend).iter().zip(&fine) {
                assert!(apart(one, other) < 0.05, "{rate} {}", apart(one, other));
            }
        }
    }
}

/// Where the springs of `rig` pull its joints: where they are at rest without gravity.
fn goal(rig: &Rig) -> Vec<Vec2> {
    let mut rig = rig.clone();
    // So little that it only says to which side the chain is bent.
    spring(&mut rig).settings.gravity *= 1e-6;
    spring(&mut rig).settings.max_angle = 0.0;
    spring(&mut rig).memory = Kept::default();
    rig.solve(&mut Workspace::default());
    line(&rig)
}

/// Motion, gravity and springs together.
fn energy(rig: &Rig, settings: SpringSettings, goal: &[Vec2]) -> f64 {
    let omega = std::f64::consts::TAU * f64::from(settings.frequency);
    let points = motion(rig).pinned.points.iter().zip(goal);
    let terms = points.map(|(point, goal)| {
        let off = goal.as_dvec2().distance_squared(point.place);
        0.5 * (point.velocity.length_squared() + omega * omega * off)
            - settings.gravity.as_dvec2().dot(point.place)
    });
    terms.sum()
}

#[test]
fn energy_never_grows_while_the_ends_are_at_rest() {
    for frequency in [0.05, 1.0, 5.0, 50.0] {
        for damping in [0.0, 0.4] {
            for chord in [0.05, 0.4, 0.9, 0.999] {
                let settings = settings(frequency, damping);
                let mut rig = rope(10, settings, Vec2::X * 300.0 * chord);
                let mut space = Workspace::default();
                rig.solve(&mut space);
                let goal = goal(&rig);
                spring(&mut rig).settings.pushed = Vec2::new(400.0, -900.0);
                // Whole steps, so that the state is that of the frame.
                pass(&mut rig, &mut space, 1.0 / 240.0);
                rig.go_on();
                let mut before = energy(&rig, settings, &goal);
                let first = before;
                for _ in 0..2000 {
                    rig.delta = 1.0 / 240.0;
                    rig.solve(&mut space);
                    rig.go_on();
                    let now = energy(&rig, settings, &goal);
                    let room = 1e-5 * first.abs().max(1.0);
                    assert!(
                        now <= before + room,
                        "{frequency} {damping} {chord}: {before} {now}"
                    );
                    before = now.min(before);
                }
            }
        }
    }
}

#[test]
fn it_hangs_below_the_line_between_its_ends_and_comes_to_rest() {
    let mut rig = rope(10, settings(0.05, 1.0), Vec2::X * 200.0);
    let mut space = Workspace::default();
    rig.solve(&mut space);
    let begun = rig.clone();
    for _ in 0..1200 {
        pass(&mut rig, &mut space, 1.0 / 60.0);
    }
    assert!(!rig.is_moving());
    assert!(
        apart(&rig, &begun) < 5.0,
        "it begins at rest: {}",
        apart(&rig, &begun)
    );
    let joints = line(&rig);
    // The depth of a catenary of this length between these ends.
    let deepest = joints
        .iter()
        .fold(0.0, |most: f32, joint| most.max(joint.y));
    assert!((deepest - 100.9).abs() < 3.0, "{deepest}");
    for (left, right) in joints.iter().zip(joints.iter().rev()) {
        assert!((left.y - right.y).abs() < 1.0, "it is even: {joints:?}");
    }
    let held = rig.clone();
    pass(&mut rig, &mut space, 1.0 / 60.0);
    assert!(apart(&rig, &held) < 1e-3);
}

/// The angles from bone to bone.
fn bends_of(joints: &[Vec2]) -> Vec<f32> {
    let ways: Vec<Vec2> = joints.windows(2).map(|ends| ends[1] - ends[0]).collect();
    let pairs = ways.windows(2);
    pairs.map(|pair| pair[0].angle_to(pair[1])).collect()
}

#[test]
fn a_straight_pose_hangs_as_an_arc_and_not_as_a_zigzag() {
    for bones in [2, 5, 10, 15] {
        let reach = bones as f32 * LENGTH;
        for gravity in [Vec2::ZERO, GRAVITY, -GRAVITY] {
            for chord in [0.05, 0.3, 0.6, 0.9, 0.99] {
                let own = SpringSettings {
                    gravity,
                    ..SpringSettings::default()
                };
                let mut rig = posed_rope(bones, own, Vec2::X * chord * reach, 0.0);
                rig.solve(&mut Workspace::default());
                let bends = bends_of(&line(&rig));
                let side = if gravity.y < 0.0 { 1.0 } else { -1.0 };
                let [least, most] = [
                    bends.iter().fold(f32::MAX, |it, bend| it.min(side * bend)),
                    bends.iter().fold(0.0, |it: f32, bend| it.max(side * bend)),
                ];
                // Stiff springs hang nearly as without gravity.
                assert!(least > 0.0, "{bones} {gravity} {chord}: {bends:?}");
                assert!(
                    most < 1.5 * least + 0.05,
                    "{bones} {gravity} {chord}: {bends:?}"
                );
            }
        }
    }
}

#[test]
fn the_goal_is_continuous_where_the_pin_goes() {
    let reach = 9.0 * LENGTH;
    for (bend, spread) in [(0.0, 0.0), (0.12, 0.0), (-0.3, 0.4), (0.02, 0.1)] {
        // So stiff that it is at its goal.
        let own = SpringSettings {
            frequency: 2000.0,
            inertia: 0.0,
            ..SpringSettings::default()
        };
        let mut rig = posed_rope(9, own, Vec2::X * 200.0, bend);
        for (index, bone) in rig.bones.iter_mut().enumerate().skip(2) {
            bone.rotation += spread * (index as f32 * 1.7).sin();
        }
        let mut space = Workspace::default();
        let mut before: Option<Vec<Vec2>> = None;
        for step in 0..20_000 {
            let time = step as f32 / 1500.0;
            let part = 0.5 + 0.35 * (1.3 * time).sin();
            let pin = part * reach * Vec2::from_angle(4.0 * (0.7 * time).sin());
            spring(&mut rig).pin.set(Some(at(pin)));
            pass(&mut rig, &mut space, 1.0 / 240.0);
            let now = line(&rig);
            let moved = before.map_or(0.0, |before| {
                let pairs = now.iter().zip(&before);
                let ways = pairs.map(|(now, before)| now.distance(*before));
                ways.fold(0.0, f32::max)
            });
            // The pin itself moves by half a pixel.
            assert!(moved < 4.0, "{bend} {spread} {step}: {moved}");
            before = Some(now);
        }
    }
}

#[test]
fn a_straight_rope_hangs_down_wherever_its_ends_go() {
    let own = SpringSettings {
        gravity: GRAVITY,
        ..SpringSettings::default()
    };
    let mut rig = posed_rope(9, own, Vec2::X * 200.0, 0.0);
    let mut space = Workspace::default();
    for step in 0..1200 {
        // Twice round, and then at rest on the other side.
        let turns = (step as f32 / 400.0).min(2.5);
        let pin = 200.0 * Vec2::from_angle(std::f32::consts::TAU * turns);
        spring(&mut rig).pin.set(Some(at(pin)));
        pass(&mut rig, &mut space, 1.0 / 60.0);
    }
    let joints = line(&rig);
    assert!(joints[1..9].iter().all(|joint| joint.y > 5.0), "{joints:?}");
}

#[test]
fn no_joint_bends_farther_from_the_goal_than_it_may() {
    for posed in [0.0, 0.1] {
        let own = SpringSettings {
            max_angle: 0.1,
            ..settings(0.3, 0.2)
        };
        let mut rig = posed_rope(8, own, Vec2::X * 150.0, posed);
        let mut space = Workspace::default();
        let mut most = 0.0_f32;
        for step in 0..240 {
            let time = step as f32 / 60.0;
            rig.bones[1].position = 20.0 * wander(time, 2.0);
            pass(&mut rig, &mut space, 1.0 / 60.0);
            // Gravity has chosen the side of the straight one.
            if posed > 0.0 {
                let goal = bends_of(&goal(&rig));
                let pairs = bends_of(&line(&rig)).into_iter().zip(goal);
                let off = pairs.map(|(now, goal)| (now - goal).abs());
                most = off.fold(most, f32::max);
            }
            let miss = rig.modifiers[0].report.distance;
            assert!(miss < 0.01, "{posed} {step}: {miss}");
        }
        assert!(most < 0.1 + 1e-3, "{most}");
        assert!(posed == 0.0 || most > 0.09, "it swings: {most}");
    }
}

#[test]
fn the_end_is_at_the_pin_even_deep_inside_a_shape() {
    for depth in [0.0, 10.0, 25.0, 60.0] {
        let mut rig = rope(10, settings(0.05, 0.4), Vec2::X * 220.0);
        spring(&mut rig).obstacles.push(Obstacle {
            shape: Shape::Circle { radius: 40.0 },
            frame: Affine2::from_translation(Vec2::new(260.0 - depth, 10.0)),
            bone: None,
        });
        let mut space = Workspace::default();
        for step in 0..120 {
            let lift = 20.0 * wander(step as f32 / 60.0, 5.0).y;
            spring(&mut rig).pin.set(Some(at(Vec2::new(220.0, lift))));
            pass(&mut rig, &mut space, 1.0 / 60.0);
            let report = rig.modifiers[0].report;
            assert!(report.distance < 0.01, "{depth} {step} {report:?}");
        }
    }
}

#[test]
fn a_pause_and_a_stall_do_not_make_it_jump() {
    let mut rig = rope(8, settings(0.5, 0.3), Vec2::X * 180.0);
    let mut space = Workspace::default();
    rig.solve(&mut space);
    spring(&mut rig).settings.pushed = Vec2::new(0.0, -300.0);
    for _ in 0..20 {
        pass(&mut rig, &mut space, 1.0 / 60.0);
    }
    let before = rig.clone();
    pass(&mut rig, &mut space, 0.0);
    assert!(apart(&rig, &before) < 1e-4);
    let mut stalled = rig.clone();
    pass(&mut stalled, &mut space, 1.0);
    for _ in 0..60 {
        pass(&mut rig, &mut space, 1.0 / 60.0);
    }
    assert!(apart(&rig, &stalled) < 0.05, "{}", apart(&rig, &stalled));
}

#[test]
fn a_step_that_begins_with_the_pass_has_the_goal_of_the_last_one() {
    let mut rig = rope(6, settings(0.8, 0.2), Vec2::X * 140.0);
    rig.solve(&mut Workspace::default());
    let shown = rig.clone();
    rig.delta = 1e-3;
    rig.go_on();
    spring(&mut rig).memory.before.pinned.since = 1.0 / 240.0;
    rig.solve(&mut Workspace::default());
    assert!(apart(&rig, &shown) < 0.01, "{}", apart(&rig, &shown));
}

#[test]
fn slack_makes_the_chain_longer_or_shorter() {
    let depth = |slack: f32| {
        let mut rig = rope(10, settings(0.05, 1.0), Vec2::X * 200.0);
        spring(&mut rig).slack = slack;
        rig.solve(&mut Workspace::default());
        let joints = line(&rig);
        // The last bone ends at a point of its own, and keeps its length.
        let pieces = joints.windows(2).map(|ends| ends[0].distance(ends[1]));
        for (index, piece) in pieces.enumerate() {
            let length = if index < 9 { slack * LENGTH } else { LENGTH };
            assert!((piece - length).abs() < 1e-3, "{piece}");
        }
        joints
            .iter()
            .fold(0.0, |most: f32, joint| most.max(joint.y))
    };
    assert!(depth(0.8) < depth(1.0) - 10.0 && depth(1.0) < depth(1.3) - 10.0);
    let mut rig = rope(3, settings(1.0, 1.0), Vec2::X * 50.0);
    spring(&mut rig).slack = 0.0;
    rig.solve(&mut Workspace::default());
    assert_eq!(rig.modifiers[0].report.status, Status::Invalid);
}

#[test]
fn a_mirrored_and_scaled_rope_moves_in_the_mirror() {
    let frame = |mirror: f32, scale: f32| Affine2::from_scale(Vec2::new(mirror * scale, scale));
    let play = |mirror: f32, scale: f32, bend: f32| {
        let gravity = Vec2::new(300.0 * mirror, 900.0) * scale;
        let own = SpringSettings {
            gravity,
            ..settings(0.7, 0.2)
        };
        let mut rig = posed_rope(7, own, Vec2::X * 150.0, bend);
        rig.to_global = frame(mirror, scale);
        let mut space = Workspace::default();
        for step in 0..90 {
            let way = 20.0 * wander(step as f32 / 60.0, 3.0);
            rig.bones[1].position = way;
            pass(&mut rig, &mut space, 1.0 / 60.0);
        }
        rig
    };
    for bend in [0.0, 0.1] {
        let plain = play(1.0, 1.0, bend);
        for (mirror, scale) in [(-1.0, 1.0), (1.0, 2.5), (-1.0, 0.4)] {
            let other = play(mirror, scale, bend);
            let apart = apart(&plain, &other);
            assert!(apart < 0.05, "{mirror} {scale} {bend} {apart}");
        }
    }
}

#[test]
fn a_character_that_is_turned_round_takes_its_rope_along() {
    let mut rig = rope(7, settings(0.7, 0.4), Vec2::X * 150.0);
    // The pin belongs to the character.
    let mut space = Workspace::default();
    rig.solve(&mut space);
    spring(&mut rig).settings.pushed = Vec2::new(0.0, -300.0);
    for _ in 0..10 {
        pass(&mut rig, &mut space, 1.0 / 60.0);
    }
    let before = rig.clone();
    rig.to_global = Affine2::from_scale(Vec2::new(-1.0, 1.0));
    pass(&mut rig, &mut space, 1e-4);
    assert!(apart(&rig, &before) < 0.2, "{}", apart(&rig, &before));
    // An end that is put elsewhere takes its part of the chain along.
    let shape = rig.clone();
    rig.bones[1].position = Vec2::new(3000.0, 900.0);
    spring(&mut rig).pin.set(Some(at(Vec2::new(3150.0, 900.0))));
    pass(&mut rig, &mut space, 1e-4);
    let moved = line(&rig)
        .into_iter()
        .map(|point| point - Vec2::new(3000.0, 900.0));
    for (moved, before) in moved.zip(line(&shape)) {
        assert!(moved.distance(before) < 0.2, "{moved} {before}");
    }
}

#[test]
fn a_free_chain_that_is_pinned_and_let_go_goes_on_from_where_it_is() {
    let mut rig = rope(6, settings(0.8, 0.2), Vec2::ZERO);
    spring(&mut rig).pin.set(None);
    let mut space = Workspace::default();
    rig.solve(&mut space);
    spring(&mut rig).settings.pushed = Vec2::new(200.0, 0.0);
    for _ in 0..30 {
        pass(&mut rig, &mut space, 1.0 / 60.0);
    }
    let free = rig.clone();
    let tip = *line(&rig).last().unwrap();
    spring(&mut rig).pin.set(Some(at(tip)));
    pass(&mut rig, &mut space, 1e-4);
    assert!(apart(&rig, &free) < 0.3, "{}", apart(&rig, &free));
    for _ in 0..30 {
        pass(&mut rig, &mut space, 1.0 / 60.0);
    }
    let pinned = rig.clone();
    spring(&mut rig).pin.set(None);
    pass(&mut rig, &mut space, 1e-4);
    assert!(apart(&rig, &pinned) < 0.3, "{}", apart(&rig, &pinned));
    assert!(motion(&rig).pinned != Default::default());
    rig.go_on();
    assert_eq!(motion(&rig).pinned, Default::default());
}

#[test]
fn joint_limits_and_shapes_hold() {
    let mut rig = rope(8, settings(0.3, 0.4), Vec2::X * 150.0);
    for bone in &mut rig.bones[2..] {
        bone.limit = Some(Limit {
            rest: 0.1,
            min: -0.7,
            max: 0.7,
            stiffness: 0.0,
            space: LimitSpace::Parent,
        });
    }
    let mut space = Workspace::default();
    for step in 0..240 {
        rig.bones[1].position = 30.0 * wander(step as f32 / 60.0, 2.0);
        pass(&mut rig, &mut space, 1.0 / 60.0);
        assert!((2..=8).all(|bone| (rig.rotation(bone) - 0.1).abs() < 0.7 + 1e-4));
        let miss = rig.modifiers[0].report.distance;
        assert!(miss < 0.01, "{step} {miss}");
    }
    let mut rig = rope(10, settings(0.05, 0.4), Vec2::X * 220.0);
    spring(&mut rig).obstacles.push(Obstacle {
        shape: Shape::Circle { radius: 30.0 },
        frame: Affine2::from_translation(Vec2::new(110.0, 125.0)),
        bone: None,
    });
    for step in 0..240 {
        let lift = 30.0 * wander(step as f32 / 60.0, 5.0).y;
        spring(&mut rig).pin.set(Some(at(Vec2::new(220.0, lift))));
        pass(&mut rig, &mut space, 1.0 / 60.0);
        let report = rig.modifiers[0].report;
        assert!(report.penetration < 0.1, "{step} {report:?}");
        assert!(report.distance < 0.05, "{step} {report:?}");
    }
}

#[test]
fn a_capture_goes_on_to_the_same_bits() {
    let mut rig = rope(6, settings(0.8, 0.2), Vec2::X * 120.0);
    let mut space = Workspace::default();
    for step in 0..25 {
        rig.bones[1].position = 20.0 * wander(step as f32 / 60.0, 2.0);
        pass(&mut rig, &mut space, 1.0 / 70.0);
    }
    rig.go_on();
    let text = serde_json::to_string(&rig).unwrap();
    let mut read: Rig = serde_json::from_str(&text).unwrap();
    for _ in 0..10 {
        for rig in [&mut rig, &mut read] {
            rig.solve(&mut space);
            rig.go_on();
        }
        assert_eq!(line(&rig), line(&read));
    }
}

#[test]
fn bad_numbers_leave_the_pose_alone() {
    for pin in [Vec2::NAN, Vec2::splat(f32::INFINITY)] {
        let mut rig = rope(4, settings(1.0, 0.4), pin);
        rig.solve(&mut Workspace::default());
        assert_eq!(rig.modifiers[0].report.status, Status::Invalid);
        assert_eq!(rig.rotation(2), 0.1);
        spring(&mut rig).pin.set(Some(at(Vec2::X * 50.0)));
        pass(&mut rig, &mut Workspace::default(), 0.1);
        assert_eq!(rig.modifiers[0].report.status, Status::Reached);
    }
}

/// The pin may be put where a game puts what it has no use for.
#[test]
fn a_pin_that_comes_back_from_far_away_finds_the_chain_at_rest_soon() {
    for far in [1e3, 1e6, 1e10, 1e30] {
        let home = Vec2::X * 140.0;
        let mut rig = rope(6, settings(3.0, 0.4), home);
        let mut space = Workspace::default();
        rig.solve(&mut space);
        let rest = rig.clone();
        for (pin, frames) in [(home + far * Vec2::new(0.6, -0.8), 10), (home, 90)] {
            spring(&mut rig).pin.set(Some(at(pin)));
            for _ in 0..frames {
                pass(&mut rig, &mut space, 1.0 / 60.0);
            }
        }
        assert!(apart(&rig, &rest) < 0.5, "{far}: {}", apart(&rig, &rest));
    }
}

/// The fastest that the tip is in the `seconds` after the chain is let go, in pixels per second, and
/// the sharpest bend.
fn let_go(rig: &mut Rig, seconds: f32) -> (f32, f32) {
    let mut space = Workspace::default();
    rig.solve(&mut space);
    for _ in 0..120 {
        pass(rig, &mut space, 1.0 / 60.0);
    }
    spring(rig).pin.set(None);
    let (mut fastest, mut sharpest) = (0.0_f32, 0.0_f32);
    let mut before = line(rig);
    for _ in 0..(60.0 * seconds) as u32 {
        pass(rig, &mut space, 1.0 / 60.0);
        let now = line(rig);
        fastest = fastest.max(60.0 * now[now.len() - 1].distance(before[now.len() - 1]));
        let bends = bends_of(&now);
        sharpest = bends.iter().fold(sharpest, |it, bend| it.max(bend.abs()));
        before = now;
    }
    (fastest, sharpest)
}

#[test]
fn a_bridge_that_is_cut_falls_no_faster_than_a_body_and_hangs_where_a_rope_hangs() {
    let fall = (2.0 * GRAVITY.y * 300.0).sqrt();
    for frequency in [0.05, 0.2, 1.0] {
        for chord in [0.5, 0.9, 0.99] {
            for bend in [0.0, 0.1] {
                let own = settings(frequency, 0.4);
                let mut rig = posed_rope(10, own, Vec2::X * 300.0 * chord, bend);
                let (fastest, sharpest) = let_go(&mut rig, 60.0);
                // Stiffer springs throw it back to its pose.
                if frequency < 1.0 {
                    let text = format!("{frequency} {chord} {bend}: {fastest} {sharpest}");
                    assert!(fastest < fall && sharpest < 1.0, "{text}");
                }
                let mut rope = posed_rope(10, own, Vec2::ZERO, bend);
                spring(&mut rope).pin.set(None);
                rope.solve(&mut Workspace::default());
                if frequency >= 0.2 {
                    let off = apart(&rig, &rope);
                    assert!(off < 0.5, "{frequency} {chord} {bend}: hangs {off} beside");
                }
            }
        }
    }
}

#[test]
fn a_bridge_whose_bones_have_gone_round_is_cut_without_a_fold() {
    for bend in [0.0, 0.2, -0.2, 0.4, -0.4] {
        for pin in [
            Vec2::X * 40.0,
            Vec2::X * -40.0,
            Vec2::X * -200.0,
            Vec2::Y * -200.0,
        ] {
            let mut rig = posed_rope(12, settings(0.1, 0.3), pin, bend);
            let (_, sharpest) = let_go(&mut rig, 4.0);
            assert!(sharpest < 2.6, "{bend} {pin}: {sharpest}");
        }
    }
}

#[test]
fn a_chain_begins_where_it_comes_to_rest() {
    for frequency in [0.05, 0.2, 1.0, 3.0, 20.0] {
        for (bones, scale) in [(4, 1.0), (10, 1.0), (4, 3.0)] {
            for chord in [0.5, 0.9, 0.99] {
                for bend in [0.0, 0.2, -0.3] {
                    let reach = bones as f32 * LENGTH;
                    let own = settings(frequency, 0.4);
                    let mut rig = posed_rope(bones, own, Vec2::X * reach * chord, bend);
                    rig.to_global = Affine2::from_scale(Vec2::splat(scale));
                    let mut space = Workspace::default();
                    rig.solve(&mut space);
                    let begun = rig.clone();
                    let mut moved = 0.0_f32;
                    for _ in 0..120 {
                        pass(&mut rig, &mut space, 1.0 / 60.0);
                        moved = moved.max(apart(&rig, &begun));
                    }
                    let text = format!("{frequency} {bones} {scale} {chord} {bend}");
                    assert!(moved < 1e-3 * reach, "{text}: moves {moved} of {reach}");
                }
            }
        }
    }
}

#[test]
fn the_bow_is_on_the_side_of_gravity_however_the_chain_is_posed() {
    for bend in [-0.3, -0.12, 0.0, 0.12, 0.3] {
        for frequency in [0.2, 3.0, 20.0] {
            for gravity in [GRAVITY, -GRAVITY] {
                let own = SpringSettings {
                    gravity,
                    ..settings(frequency, 0.4)
                };
                let mut rig = posed_rope(8, own, Vec2::X * 150.0, bend);
                let mut space = Workspace::default();
                for _ in 0..60 {
                    pass(&mut rig, &mut space, 1.0 / 60.0);
                    let middle = line(&rig)[4];
                    let text = format!("{bend} {frequency} {gravity}: {middle}");
                    assert!(middle.dot(gravity) > 0.0, "{text}");
                }
            }
        }
    }
}

/// Gravity along the chain prefers no side. Where it begins to prefer one, the bow goes over once.
#[test]
fn a_bow_does_not_waver_where_gravity_is_along_the_chain() {
    let own = SpringSettings {
        frequency: 2000.0,
        inertia: 0.0,
        ..settings(1.0, 0.4)
    };
    for bend in [-0.3, 0.0, 0.3] {
        let mut rig = posed_rope(8, own, Vec2::Y * 150.0, bend);
        let mut space = Workspace::default();
        let side = |rig: &Rig, way: Vec2| way.perp_dot(line(rig)[4]).signum();
        let (mut before, mut turns) = (0.0, 0);
        for step in 0..600 {
            let way = Vec2::from_angle(FRAC_PI_2 + 0.25 * (step as f32 * 0.1).sin());
            spring(&mut rig).pin.set(Some(at(150.0 * way)));
            pass(&mut rig, &mut space, 1.0 / 60.0);
            let now = side(&rig, way);
            turns += u32::from(before != 0.0 && now != before);
            before = now;
        }
        assert_eq!(turns, 0, "{bend}");
    }
}
