//! What must hold for chains among obstacles.

mod common;

use std::f32::consts::PI;

use common::Scales;
use common::borders::{cross, difference};
use common::branching::{Limb, Sapling, rotations, solve};
use common::parts::{Edit, ccd, fabrik, fixed, on, reaching};
use glam::{Affine2, Mat2, Vec2};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use tendon_solver::{Bone, End, Obstacle, Point, Report, Rig, Shape, Solver, Status};

/// A chain and the shapes in its way.
#[derive(Clone, Debug)]
struct Scene {
    chain: Sapling,
    obstacles: Vec<(Shape, Affine2)>,
}

impl Scene {
    /// The chain in its first pose, with the tip of its second as target.
    fn problem(&self) -> Rig {
        let mut rig = self.chain.problem();
        *rig.modifiers[0].obstacles_mut() = self.obstacles();
        rig
    }

    fn obstacles(&self) -> Vec<Obstacle> {
        let obstacles = self.obstacles.iter();
        obstacles
            .map(|&(shape, frame)| Obstacle {
                shape,
                frame,
                bone: None,
            })
            .collect()
    }

    /// How deep the deepest bone really is inside a shape.
    fn depth(&self, points: &[Vec2]) -> f32 {
        let depths = self
            .obstacles
            .iter()
            .map(|(shape, frame)| depth(points, *shape, *frame));
        depths.fold(0.0, f32::max)
    }

    /// The obstacles that a pose is just clear of.
    fn keep_clear_of(&mut self, points: &[Vec2]) {
        self.obstacles
            .retain(|(shape, frame)| depth(points, *shape, *frame) <= 0.0);
    }
}

/// The joints of the solved chain, and its tip.
fn line(scene: &Scene, rig: &Rig) -> Vec<Vec2> {
    line_in(scene, &rotations(rig))
}

/// The joints of the chain in a pose, and its tip.
fn line_in(scene: &Scene, rotations: &[f32]) -> Vec<Vec2> {
    let mut points = scene.chain.points_of(rotations);
    points.push(scene.chain.tips_of(rotations)[0].as_vec2());
    points
}

/// How deep the bones between `points` are inside a shape, sampled closely; an upper bound
/// where the frame stretches.
fn depth(points: &[Vec2], shape: Shape, frame: Affine2) -> f32 {
    let seen_from = frame.inverse();
    let bones = points.windows(2).map(|ends| {
        let [a, b] = [ends[0], ends[1]].map(|end| seen_from.transform_point2(end));
        if let Shape::Segment { a: start, b: end } = shape {
            return crossing([a, b], [start, end]);
        }
        let samples = (0..=100).map(|part| inside(a.lerp(b, part as f32 / 100.0), shape));
        samples.fold(f32::NEG_INFINITY, f32::max)
    });
    let stretch = frame
        .matrix2
        .x_axis
        .length()
        .max(frame.matrix2.y_axis.length());
    stretch * bones.fold(f32::NEG_INFINITY, f32::max)
}

/// How deep a point is inside a shape, in the shape's own frame.
fn inside(point: Vec2, shape: Shape) -> f32 {
    match shape {
        Shape::Circle { radius } => radius - point.length(),
        Shape::Capsule { radius, height } => {
            let straight = 0.5 * height - radius;
            radius - (point - Vec2::Y * point.y.clamp(-straight, straight)).length()
        }
        Shape::Rectangle { size } => (0.5 * size - point.abs()).min_element(),
        Shape::Segment { .. } => unreachable!("walls are crossed, not entered"),
    }
}

/// How far two lines would have to be moved apart to cross no more.
fn crossing(bone: [Vec2; 2], wall: [Vec2; 2]) -> f32 {
    let over = |[a, b]: [Vec2; 2], ends: [Vec2; 2]| {
        let normal = (b - a).perp().normalize_or_zero();
        let [from, to] = ends.map(|end| normal.dot(end - a));
        if from * to < 0.0 {
            from.abs().min(to.abs())
        } else {
            -1.0
        }
    };
    let (wall_over, bone_over) = (over(wall, bone), over(bone, wall));
    if wall_over > 0.0 && bone_over > 0.0 {
        wall_over.min(bone_over)
    } else {
        -1.0
    }
}

fn chain(spread: f32, goal: f32) -> impl Strategy<Value = Sapling> {
    prop::collection::vec(
        (
            common::link(1.0, Scales::Uniform),
            -spread..spread,
            -goal..goal,
        ),
        6..=12,
    )
    .prop_map(|links| {
        let limbs = links
            .iter()
            .enumerate()
            .map(|(index, (link, rotation, goal))| Limb {
                parent: index.checked_sub(1),
                offset: index
                    .checked_sub(1)
                    .map_or(Vec2::ZERO, |before| links[before].0.offset),
                scale: Vec2::ONE,
                rotation: *rotation + if index == 0 { 3.0 * link.rotation } else { 0.0 },
                goal: *goal + if index == 0 { 3.0 * link.goal } else { 0.0 },
                bounds: None,
            });
        Sapling {
            tips: vec![(links.len() - 1, links[links.len() - 1].0.offset)],
            limbs: limbs.collect(),
        }
    })
}

fn shape() -> impl Strategy<Value = Shape> {
    prop_oneof![
        (15.0_f32..60.0).prop_map(|radius| Shape::Circle { radius }),
        (10.0_f32..30.0, 10.0_f32..120.0).prop_map(|(radius, straight)| Shape::Capsule {
            radius,
            height: 2.0 * radius + straight
        }),
        (20.0_f32..120.0, 20.0_f32..120.0).prop_map(|(x, y)| Shape::Rectangle {
            size: Vec2::new(x, y)
        }),
        (30.0_f32..80.0, -20.0_f32..20.0).prop_map(|(x, y)| Shape::Segment {
            a: Vec2::new(x, y),
            b: Vec2::new(-x, 0.0)
        }),
    ]
}

/// Turned, mirrored, stretched and skewed.
fn frame(plain: bool) -> impl Strategy<Value = Affine2> {
    let scale = (0.6_f32..1.5, 0.6_f32..1.5, any::<bool>());
    (scale, -PI..PI, -0.5_f32..0.5, 0.1_f32..1.1, -80.0_f32..80.0).prop_map(
        move |((x, y, mirrored), rotation, skew, along, aside)| {
            let y = if mirrored { -y } else { y };
            let shape = if plain {
                Mat2::IDENTITY
            } else {
                Mat2::from_cols(Vec2::X * x, Vec2::new(-skew.sin(), skew.cos()) * y)
            };
            let linear = Mat2::from_angle(rotation) * shape;
            Affine2::from_mat2_translation(linear, Vec2::new(along, aside))
        },
    )
}

fn scene(circles: bool, count: usize, goal: f32) -> impl Strategy<Value = Scene> {
    let shape = if circles {
        (15.0_f32..60.0)
            .prop_map(|radius| Shape::Circle { radius })
            .boxed()
    } else {
        shape().boxed()
    };
    let obstacles = prop::collection::vec((shape, frame(circles)), count..=count);
    (chain(0.3, goal), obstacles).prop_map(|(chain, obstacles)| {
        let target = chain.goals()[0];
        let mut scene = Scene { chain, obstacles };
        for (_, frame) in &mut scene.obstacles {
            let Vec2 { x: along, y: aside } = frame.translation;
            frame.translation = along * target + aside * target.perp().normalize_or_zero();
        }
        let goal: Vec<f32> = scene.chain.limbs.iter().map(|limb| limb.goal).collect();
        let free = line_in(&scene, &goal);
        scene.keep_clear_of(&free);
        scene
    })
}

/// What came of the scenes of one kind whose obstacles are in the way.
#[derive(Debug, Default)]
struct Tally {
    solved: u32,
    deepest: f32,
    iterations: u32,
}

/// Solves `cases` scenes of random poses, the second of them clear of all shapes, in which the
/// chain would end inside a shape if it did not mind them.
fn tally(cases: u32, scenes: impl Strategy<Value = Scene>) -> Tally {
    let mut runner = TestRunner::new(common::config(1));
    let mut tally = Tally::default();
    let mut done = 0;
    while done < cases {
        let scene = scenes.new_tree(&mut runner).expect("a scene").current();
        let mut blind = scene.chain.problem();
        solve(&mut blind);
        if scene.depth(&line(&scene, &blind)) <= 0.0 {
            continue;
        }
        done += 1;
        let mut rig = scene.problem();
        let outcome = solve(&mut rig);
        let depth = scene.depth(&line(&scene, &rig));
        let miss = scene.chain.miss(&rotations(&rig), &scene.chain.goals());
        tally.solved += u32::from(miss <= 1e-3 && depth <= 1e-3);
        tally.deepest = tally.deepest.max(depth);
        tally.iterations += outcome.iterations;
    }
    tally
}

/// Shows what `cargo test --release --test obstacles -- --nocapture` measures.
///
/// Among few shapes every scene is solved. Many shapes may enclose a chain, so that the way out is a
/// search: it may fail in one scene of 200.
fn check(name: &str, count: usize, cases: u32, tally: &Tally) {
    let least = if count > 5 { 99.5 } else { 100.0 };
    let part = 100.0 * f64::from(tally.solved) / f64::from(cases);
    let iterations = f64::from(tally.iterations) / f64::from(cases);
    let deepest = tally.deepest;
    println!("{name}: {part:.2} % solved, deepest {deepest:.3} px, {iterations:.1} iterations");
    assert!(part >= least, "{name}: only {part} % solved");
    assert!(deepest <= 1.0, "{name}: {deepest} px inside");
}

#[test]
fn chains_find_their_way_around_circles() {
    for count in [5, 20] {
        for bend in [0.3, 1.0] {
            let tally = tally(1_000, scene(true, count, bend));
            check(
                &format!("{count} circles, bends up to {bend}"),
                count,
                1_000,
                &tally,
            );
        }
    }
}

#[test]
fn chains_find_their_way_around_shapes_under_any_transform() {
    for count in [5, 20] {
        for bend in [0.3, 1.0] {
            let tally = tally(1_000, scene(false, count, bend));
            check(
                &format!("{count} shapes, bends up to {bend}"),
                count,
                1_000,
                &tally,
            );
        }
    }
}

#[test]
fn either_solver_finds_its_way_in_a_rig() {
    for solver in [Solver::from(fabrik()), Solver::from(ccd(false))] {
        let about = solver.name();
        let scenes = scene(false, 5, 0.6);
        let mut runner = TestRunner::new(common::config(1));
        let mut solved = 0;
        for _ in 0..1_000 {
            let scene = scenes.new_tree(&mut runner).expect("a scene").current();
            let mut rig = scene.problem();
            let parts = rig.modifiers[0].parts();
            let (joints, tip) = (parts.joints().to_vec(), parts.tip());
            let target = parts.target().expect("the chain has one");
            rig.modifiers[0] = reaching(solver.clone(), joints, End::Point(tip), target);
            *rig.modifiers[0].obstacles_mut() = scene.obstacles();
            let report = solve(&mut rig);
            let is_clear = scene.depth(&points(&rig)) <= 1e-3;
            let has_arrived = report.status == Status::Reached;
            solved += u32::from(is_clear && has_arrived);
        }
        println!("{about}: {solved} of 1000 solved");
        assert_eq!(solved, 1_000, "{about}");
    }
}

proptest! {
    #![proptest_config(common::config(1_000))]

    #[test]
    fn shapes_that_are_not_in_the_way_change_nothing(scene in scene(false, 3, 0.6)) {
        let mut blind = scene.chain.problem();
        solve(&mut blind);
        let mut scene = scene;
        scene.keep_clear_of(&line(&scene, &blind));
        scene.obstacles.retain(|(shape, _)| !matches!(shape, Shape::Segment { .. }));
        let mut rig = scene.problem();
        solve(&mut rig);
        for (rotation, blind) in rotations(&rig).into_iter().zip(rotations(&blind)) {
            // A shape that is all but touched moves the chain by its clearance.
            prop_assert!((rotation - blind).abs() < 0.05);
        }
    }

    #[test]
    fn the_same_scene_gives_the_same_bits(scene in scene(false, 10, 0.6)) {
        let (mut first, mut second) = (scene.problem(), scene.problem());
        solve(&mut first);
        solve(&mut second);
        for (first, second) in rotations(&first).into_iter().zip(rotations(&second)) {
            prop_assert_eq!(first.to_bits(), second.to_bits());
        }
    }

    #[test]
    fn what_is_reported_is_how_deep_the_chain_is(scene in scene(false, 4, 0.6), x in -250.0_f32..250.0, y in -250.0_f32..250.0) {
        // Anywhere, and so now and then inside a shape or out of reach.
        let mut scene = scene;
        scene.obstacles.retain(|(shape, _)| !matches!(shape, Shape::Segment { .. }));
        let mut rig = scene.problem();
        rig.modifiers[0].target_mut().position = Vec2::new(x, y);
        let reported = solve(&mut rig).penetration;
        let deepest = scene.depth(&line(&scene, &rig));
        prop_assert!(deepest <= 1.6 * reported + 0.01, "{deepest} inside, {reported} reported");
    }
}

/// A straight chain of `count` bones of 40 px, solved for its target among its obstacles.
fn straight(count: usize, target: Vec2, obstacles: &[(Shape, Vec2)]) -> Rig {
    let bones = (0..count).map(|index| Bone {
        position: if index == 0 {
            Vec2::ZERO
        } else {
            Vec2::X * 40.0
        },
        rotation: 0.02,
        ..Bone::below(index.checked_sub(1))
    });
    let end = End::Point(on(count - 1, Vec2::X * 40.0));
    let mut modifier = reaching(fabrik(), (0..count).collect(), end, fixed(target));
    let obstacles = obstacles.iter();
    *modifier.obstacles_mut() = obstacles
        .map(|&(shape, place)| Obstacle {
            shape,
            frame: Affine2::from_translation(place),
            bone: None,
        })
        .collect();
    let mut rig = Rig::new(bones.collect(), vec![modifier]);
    solve(&mut rig);
    rig
}

/// The joints of a solved rig, and its tip.
fn points(rig: &Rig) -> Vec<Vec2> {
    let origins = (0..rig.bones.len()).map(|bone| Point {
        bone: Some(bone),
        position: Vec2::ZERO,
    });
    let points = origins.chain([rig.modifiers[0].parts().tip()]);
    points.map(|point| rig.locate(point)).collect()
}

fn report(rig: &Rig) -> Report {
    rig.modifiers[0].report
}

#[test]
fn a_target_inside_a_shape_is_approached_from_outside() {
    let circle = Shape::Circle { radius: 50.0 };
    let centre = Vec2::new(150.0, 30.0);
    let target = Vec2::new(130.0, 30.0);
    let rig = straight(6, target, &[(circle, centre)]);
    assert_eq!(report(&rig).penetration, 0.0);
    let place = Affine2::from_translation(centre);
    assert!(depth(&points(&rig), circle, place) <= 0.0);
    assert!(
        (report(&rig).distance - 30.0).abs() < 0.5,
        "{} left",
        report(&rig).distance
    );
}

#[test]
fn a_long_wall_is_not_passed() {
    let wall = Shape::Segment {
        a: Vec2::Y * -1000.0,
        b: Vec2::Y * 1000.0,
    };
    let rig = straight(6, Vec2::new(150.0, 20.0), &[(wall, Vec2::X * 100.0)]);
    println!(
        "{:?} {} {}",
        points(&rig),
        report(&rig).penetration,
        report(&rig).distance
    );
    for point in points(&rig) {
        assert!(point.x <= 100.0, "{point} is behind the wall");
    }
    assert!(
        (report(&rig).distance - 50.0).abs() < 0.5,
        "{} left",
        report(&rig).distance
    );
}

#[test]
fn a_root_inside_a_shape_is_tolerated() {
    let disc = Shape::Circle { radius: 15.0 };
    let target = Vec2::new(-60.0, 120.0);
    let rig = straight(6, target, &[(disc, Vec2::new(4.0, 3.0))]);
    assert!(
        report(&rig).distance < 1e-3,
        "{} left",
        report(&rig).distance
    );
    assert_eq!(report(&rig).penetration, 0.0);
    let rest = &points(&rig)[1..];
    assert!(depth(rest, disc, Affine2::from_translation(Vec2::new(4.0, 3.0))) <= 0.0);
}

#[test]
fn a_chain_that_cannot_leave_says_how_deep_it_is() {
    let disc = Shape::Circle { radius: 200.0 };
    let rig = straight(3, Vec2::new(100.0, 0.0), &[(disc, Vec2::X * -10.0)]);
    assert!(report(&rig).penetration > 1.0);
}

#[test]
fn a_gap_between_two_shapes_is_used() {
    let block = Shape::Rectangle {
        size: Vec2::new(60.0, 200.0),
    };
    let blocks = [
        (block, Vec2::new(120.0, 115.0)),
        (block, Vec2::new(120.0, -115.0)),
    ];
    let rig = straight(7, Vec2::new(200.0, 60.0), &blocks);
    assert!(
        report(&rig).distance < 1e-3,
        "{} left",
        report(&rig).distance
    );
    for (shape, place) in blocks {
        assert!(depth(&points(&rig), shape, Affine2::from_translation(place)) <= 0.0);
    }
}

#[test]
fn a_tiny_motion_of_the_target_moves_a_chain_among_shapes_a_little() {
    const STEPS: usize = 2_000;
    let circles = [
        (Shape::Circle { radius: 30.0 }, Vec2::new(80.0, 10.0)),
        (Shape::Circle { radius: 25.0 }, Vec2::new(150.0, -40.0)),
    ];
    let pose = |part: f32| {
        let target = Vec2::new(210.0 - 60.0 * part, -60.0 + 140.0 * part);
        let rig = straight(7, target, &circles);
        (0..7).map(|joint| rig.rotation(joint)).collect::<Vec<_>>()
    };
    // A step is 0.08 units, and a tiny motion 0.002.
    let borders = cross(STEPS, 0.05, pose);
    println!("{borders} borders");
    for index in 0..STEPS {
        let [here, near, there] =
            [0.0, 0.025, 1.0].map(|part| pose((index as f32 + part) / STEPS as f32));
        let [tiny, whole] = [near, there].map(|other| difference(&here, &other));
        // What moves visibly does so at a border, and is not moved back in the rest of the step.
        assert!(
            tiny <= 0.01 || whole > 0.01,
            "moves by {tiny} and back in step {index}"
        );
    }
}
