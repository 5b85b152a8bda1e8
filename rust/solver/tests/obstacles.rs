//! What must hold for chains among obstacles.

mod common;

use std::f32::consts::PI;

use common::Scales;
use common::branching::{RandomJoint, RandomTree};
use glam::{Affine2, Mat2, Vec2};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use tendon_solver::approach::Approach;
use tendon_solver::ccd::Ccd;
use tendon_solver::tree::{Effector, Joint, Tree};
use tendon_solver::turn::Turn;
use tendon_solver::{Bone, Modifier, Obstacle, Point, Rig, Shape, Solver, Status, branches};

/// A chain and the shapes in its way.
#[derive(Clone, Debug)]
struct Scene {
    chain: RandomTree,
    obstacles: Vec<(Shape, Affine2)>,
}

impl Scene {
    /// The chain in its first pose, with the tip of its second as target.
    fn problem(&self) -> Tree {
        let mut tree = self.chain.problem();
        for &(shape, frame) in &self.obstacles {
            tree.obstacles_mut().push(shape, frame);
        }
        tree.prepare().expect("a sound scene");
        tree
    }

    /// How deep the deepest bone really is inside a shape.
    fn depth(&self, points: &[Vec2]) -> f32 {
        let depths = self
            .obstacles
            .iter()
            .map(|(shape, frame)| depth(points, *shape, *frame));
        depths.fold(0.0, f32::max)
    }

    /// The obstacles that a pose is clear of.
    fn keep_clear_of(&mut self, points: &[Vec2]) {
        self.obstacles
            .retain(|(shape, frame)| depth(points, *shape, *frame) <= 0.0);
    }
}

/// The joints of the solved chain, and its tip.
fn line(scene: &Scene, tree: &Tree) -> Vec<Vec2> {
    let joints = 0..tree.len();
    let mut points: Vec<Vec2> = joints.map(|joint| tree.point(joint)).collect();
    points.push(scene.chain.real_tips(tree)[0]);
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

fn chain(spread: f32, goal: f32) -> impl Strategy<Value = RandomTree> {
    prop::collection::vec(
        (
            common::link(1.0, Scales::Uniform),
            -spread..spread,
            -goal..goal,
        ),
        6..=12,
    )
    .prop_map(|links| {
        let joints = links
            .iter()
            .enumerate()
            .map(|(index, (link, rotation, goal))| RandomJoint {
                parent: index.checked_sub(1),
                offset: index
                    .checked_sub(1)
                    .map_or(Vec2::ZERO, |before| links[before].0.offset),
                scale: Vec2::ONE,
                rotation: *rotation + if index == 0 { 3.0 * link.rotation } else { 0.0 },
                goal: *goal + if index == 0 { 3.0 * link.goal } else { 0.0 },
                bounds: None,
            });
        RandomTree {
            tips: vec![(links.len() - 1, links[links.len() - 1].0.offset)],
            joints: joints.collect(),
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
        let mut other = scene.chain.clone();
        for joint in &mut other.joints {
            joint.rotation = joint.goal;
        }
        let tree = other.problem();
        let free = line(&scene, &tree);
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
        branches::solve(&mut blind, Approach::default());
        if scene.depth(&line(&scene, &blind)) <= 0.0 {
            continue;
        }
        done += 1;
        let mut tree = scene.problem();
        let outcome = branches::solve(&mut tree, Approach::default());
        let depth = scene.depth(&line(&scene, &tree));
        let miss = scene.chain.miss(&tree, &scene.chain.goals());
        tally.solved += u32::from(miss <= 1e-3 && depth <= 1e-3);
        tally.deepest = tally.deepest.max(depth);
        tally.iterations += outcome.iterations;
    }
    tally
}

/// Shows what `cargo test --release --test obstacles -- --nocapture` measures.
fn check(name: &str, cases: u32, tally: &Tally) {
    let part = 100.0 * f64::from(tally.solved) / f64::from(cases);
    let iterations = f64::from(tally.iterations) / f64::from(cases);
    let deepest = tally.deepest;
    println!("{name}: {part:.2} % solved, deepest {deepest:.3} px, {iterations:.1} iterations");
    assert!(part >= 99.5, "{name}: only {part} % solved");
    assert!(deepest <= 1.0, "{name}: {deepest} px inside");
}

#[test]
fn chains_find_their_way_around_circles() {
    for count in [5, 20] {
        for bend in [0.3, 1.0] {
            let tally = tally(1_000, scene(true, count, bend));
            check(
                &format!("{count} circles, bends up to {bend}"),
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
                1_000,
                &tally,
            );
        }
    }
}

/// The scene as a rig with one modifier.
fn rig(scene: &Scene, solver: Solver) -> Rig {
    let joints = &scene.chain.joints;
    let bones = joints.iter().map(|joint| Bone {
        position: joint.offset,
        rotation: joint.rotation,
        ..Bone::below(joint.parent)
    });
    let mut modifier = Modifier::new(solver, (0..joints.len()).collect());
    let (last, position) = scene.chain.tips[0];
    modifier.tip = Point {
        bone: Some(last),
        position,
    };
    modifier.target.position = scene.chain.goals()[0];
    let obstacles = scene.obstacles.iter();
    modifier.obstacles = obstacles
        .map(|&(shape, frame)| Obstacle {
            shape,
            frame,
            bone: None,
        })
        .collect();
    Rig::new(bones.collect(), vec![modifier])
}

#[test]
fn either_solver_finds_its_way_in_a_rig() {
    let approach = Approach::default();
    let ccd = Ccd::default();
    for solver in [Solver::Fabrik { approach }, Solver::Ccd { ccd, approach }] {
        let scenes = scene(false, 5, 0.6);
        let mut runner = TestRunner::new(common::config(1));
        let mut solved = 0;
        for _ in 0..1_000 {
            let scene = scenes.new_tree(&mut runner).expect("a scene").current();
            let mut rig = rig(&scene, solver);
            rig.solve();
            let origins = (0..rig.bones.len()).map(|bone| Point {
                bone: Some(bone),
                position: Vec2::ZERO,
            });
            let points = origins.chain([rig.modifiers[0].tip]);
            let points: Vec<Vec2> = points.map(|point| rig.locate(point)).collect();
            let is_clear = scene.depth(&points) <= 1e-3;
            let has_arrived = rig.modifiers[0].report.status == Status::Reached;
            solved += u32::from(is_clear && has_arrived);
        }
        println!("{solver:?}: {solved} of 1000 solved");
        assert!(solved >= 995, "{solver:?}: only {solved} of 1000 solved");
    }
}

proptest! {
    #![proptest_config(common::config(1_000))]

    #[test]
    fn shapes_that_are_not_in_the_way_change_nothing(scene in scene(false, 3, 0.6)) {
        let mut blind = scene.chain.problem();
        branches::solve(&mut blind, Approach::default());
        let mut scene = scene;
        scene.keep_clear_of(&line(&scene, &blind));
        scene.obstacles.retain(|(shape, _)| !matches!(shape, Shape::Segment { .. }));
        let mut tree = scene.problem();
        branches::solve(&mut tree, Approach::default());
        for joint in 0..tree.len() {
            // A shape that is all but touched moves the chain by its clearance.
            prop_assert!((tree.swing(joint) - blind.swing(joint)).abs() < 0.05);
        }
    }

    #[test]
    fn the_same_scene_gives_the_same_bits(scene in scene(false, 10, 0.6)) {
        let (mut first, mut second) = (scene.problem(), scene.problem());
        branches::solve(&mut first, Approach::default());
        branches::solve(&mut second, Approach::default());
        for joint in 0..first.len() {
            prop_assert_eq!(first.swing(joint).to_bits(), second.swing(joint).to_bits());
        }
    }

    #[test]
    fn what_is_reported_is_how_deep_the_chain_is(scene in scene(false, 4, 0.6), x in -250.0_f32..250.0, y in -250.0_f32..250.0) {
        // Anywhere, and so now and then inside a shape or out of reach.
        let mut tree = scene.chain.tree(|_| (Vec2::new(x, y), 1.0));
        for &(shape, frame) in scene.obstacles.iter().filter(|(shape, _)| !matches!(shape, Shape::Segment { .. })) {
            tree.obstacles_mut().push(shape, frame);
        }
        tree.prepare().expect("a sound scene");
        branches::solve(&mut tree, Approach::default());
        let real = line(&scene, &tree);
        let plain = scene.obstacles.iter().filter(|(shape, _)| !matches!(shape, Shape::Segment { .. }));
        let deepest = plain.map(|(shape, frame)| depth(&real, *shape, *frame)).fold(0.0, f32::max);
        prop_assert!(deepest <= 1.6 * tree.penetration() + 0.01, "{deepest} inside, {} reported", tree.penetration());
    }
}

/// A straight chain of `count` bones of 40 px, with its target and its obstacles.
fn straight(count: usize, target: Vec2, obstacles: &[(Shape, Vec2)]) -> Tree {
    let mut tree = Tree::default();
    for index in 0..count {
        let parent = index.checked_sub(1);
        let turn = Turn::from_angle(0.02);
        tree.push(Joint::free(parent, Vec2::X * 40.0, Mat2::IDENTITY, turn));
    }
    tree.push_effector(Effector {
        joint: count - 1,
        position: Vec2::X * 40.0,
        target,
        weight: 1.0,
    });
    for &(shape, place) in obstacles {
        tree.obstacles_mut()
            .push(shape, Affine2::from_translation(place));
    }
    tree.prepare().expect("a sound tree");
    branches::solve(&mut tree, Approach::default());
    tree
}

fn points(tree: &Tree) -> Vec<Vec2> {
    let joints = (0..tree.len()).map(|joint| tree.point(joint));
    joints.chain([tree.tip(0)]).collect()
}

#[test]
fn a_target_inside_a_shape_is_approached_from_outside() {
    let circle = Shape::Circle { radius: 50.0 };
    let centre = Vec2::new(150.0, 30.0);
    let target = Vec2::new(130.0, 30.0);
    let tree = straight(6, target, &[(circle, centre)]);
    assert_eq!(tree.penetration(), 0.0);
    let place = Affine2::from_translation(centre);
    assert!(depth(&points(&tree), circle, place) <= 0.0);
    assert!(
        (tree.distance() - 30.0).abs() < 0.5,
        "{} left",
        tree.distance()
    );
}

#[test]
fn a_long_wall_is_not_passed() {
    let wall = Shape::Segment {
        a: Vec2::Y * -1000.0,
        b: Vec2::Y * 1000.0,
    };
    let tree = straight(6, Vec2::new(150.0, 20.0), &[(wall, Vec2::X * 100.0)]);
    println!(
        "{:?} {} {}",
        points(&tree),
        tree.penetration(),
        tree.distance()
    );
    for point in points(&tree) {
        assert!(point.x <= 100.0, "{point} is behind the wall");
    }
    assert!(
        (tree.distance() - 50.0).abs() < 0.5,
        "{} left",
        tree.distance()
    );
}

#[test]
fn a_root_inside_a_shape_is_tolerated() {
    let disc = Shape::Circle { radius: 15.0 };
    let target = Vec2::new(-60.0, 120.0);
    let tree = straight(6, target, &[(disc, Vec2::new(4.0, 3.0))]);
    assert!(tree.distance() < 1e-3, "{} left", tree.distance());
    assert_eq!(tree.penetration(), 0.0);
    let rest = &points(&tree)[1..];
    assert!(depth(rest, disc, Affine2::from_translation(Vec2::new(4.0, 3.0))) <= 0.0);
}

#[test]
fn a_chain_that_cannot_leave_reports_its_penetration() {
    let disc = Shape::Circle { radius: 200.0 };
    let tree = straight(3, Vec2::new(100.0, 0.0), &[(disc, Vec2::X * -10.0)]);
    assert!(tree.penetration() > 1.0);
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
    let tree = straight(7, Vec2::new(200.0, 60.0), &blocks);
    assert!(tree.distance() < 1e-3, "{} left", tree.distance());
    for (shape, place) in blocks {
        assert!(depth(&points(&tree), shape, Affine2::from_translation(place)) <= 0.0);
    }
}

#[test]
fn a_small_motion_moves_a_chain_among_shapes_a_little() {
    let circles = [
        (Shape::Circle { radius: 30.0 }, Vec2::new(80.0, 10.0)),
        (Shape::Circle { radius: 25.0 }, Vec2::new(150.0, -40.0)),
    ];
    let step = 2e-3;
    let mut jumps = 0;
    for index in 0..2_000 {
        let target = |part: f32| Vec2::new(210.0 - 60.0 * part, -60.0 + 140.0 * part);
        let at = target(index as f32 / 2_000.0);
        let (one, other) = (
            straight(7, at, &circles),
            straight(7, at + Vec2::splat(step), &circles),
        );
        let moves = (0..7).map(|joint| (one.swing(joint) - other.swing(joint)).abs());
        jumps += u32::from(moves.fold(0.0, f32::max) > 0.01);
    }
    assert!(jumps <= 10, "the chain jumps in {jumps} of 2000 steps");
}
