//! What is measured: every group of tasks, drawn at random with fixed seeds.

use std::f64::consts::PI;

use glam::DVec2;
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

use crate::textbook::obstacle::{Circle, deepest};
use crate::textbook::task::{Bone, Effector, Task};

/// Tasks of one kind.
pub struct Case {
    /// The letter and the title of the group that it belongs to.
    pub group: &'static str,
    /// What is special about it.
    pub name: String,
    /// Whether it is about trees, which CCD has no answer to.
    pub is_tree: bool,
    /// One random task of it.
    pub draw: Box<dyn Fn(&mut Xoshiro256PlusPlus) -> Task>,
}

impl Case {
    fn new(
        group: &'static str,
        name: impl Into<String>,
        draw: impl Fn(&mut Xoshiro256PlusPlus) -> Task + 'static,
    ) -> Self {
        Self {
            group,
            name: name.into(),
            is_tree: false,
            draw: Box::new(draw),
        }
    }

    /// The first `count` tasks of it.
    pub fn tasks(&self, count: usize) -> Vec<Task> {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(20);
        (0..count).map(|_| (self.draw)(&mut rng)).collect()
    }
}

/// Every case, group by group.
pub fn all() -> Vec<Case> {
    let groups = [paper(), cold(), limits(), trees(), circles()];
    groups.into_iter().flatten().collect()
}

/// The setup that FABRIK was published with: 10 joints on 900 mm, so 9 bones of 100 mm.
pub fn paper() -> Vec<Case> {
    const GROUP: &str = "a. the paper's setup: 10 joints, 900 mm";
    let task = |rng: &mut Xoshiro256PlusPlus, away: f64| {
        let mut task = nearly_straight(rng, 9, 100.0);
        aim_at(&mut task, away * DVec2::X);
        task.tolerance = 1e-3;
        task.cap = 1000;
        task
    };
    let unreachable = move |away: f64| {
        move |rng: &mut Xoshiro256PlusPlus| {
            let mut task = task(rng, away);
            // Without a closed form there is no other end: it moves less than it may be off.
            task.still = task.tolerance;
            task.tolerance = 1e-3 * task.reach();
            task
        }
    };
    vec![
        Case::new(GROUP, "target at 600 mm, to 1e-3 mm", move |rng| {
            task(rng, 600.0)
        }),
        Case::new(
            GROUP,
            "out of reach at 901 mm, straight to 1e-3",
            unreachable(901.0),
        ),
        Case::new(
            GROUP,
            "out of reach at 1200 mm, straight to 1e-3",
            unreachable(1200.0),
        ),
    ]
}

/// Ten bones, nearly straight in any direction, and a target at some part of the reach.
pub fn cold() -> Vec<Case> {
    const GROUP: &str = "b. cold start, 10 bones, target at a part of the reach";
    let mut cases = Vec::new();
    for tolerance in [1e-3, 1e-6] {
        for part in [0.5, 0.8, 0.95, 0.99] {
            let name = format!("at {part}, to {tolerance:.0e}");
            cases.push(Case::new(GROUP, name, move |rng| {
                let mut task = nearly_straight(rng, 10, 40.0);
                let reach = task.reach();
                aim_at(&mut task, part * reach * DVec2::X);
                task.tolerance = tolerance * reach;
                task.cap = 1000;
                task
            }));
        }
    }
    cases
}

/// Chains whose joints all have the same limits, from the middle of them to the tip of a pose
/// within them. The least bend spares the textbook its dead-lock on a straight chain.
pub fn limits() -> Vec<Case> {
    const GROUP: &str = "c. joint limits";
    let kinds = [
        ("±30°, 4 bones", 4, -30.0, 30.0),
        ("±60°, 8 bones", 8, -60.0, 60.0),
        ("knee 0…120°, 3 bones", 3, 0.0, 120.0),
        ("one-sided 0…45°, 8 bones", 8, 0.0, 45.0),
        ("±20°, 16 bones", 16, -20.0, 20.0),
    ];
    let case = |(name, count, least, greatest): (&str, usize, f64, f64)| {
        let (least, greatest) = (least.to_radians(), greatest.to_radians());
        Case::new(GROUP, name, move |rng| {
            let mut task = chain(count, 40.0, || {
                0.5 * (least + greatest) + rng.random_range(-0.01..0.01)
            });
            for bone in &mut task.bones {
                bone.limit = Some((least, greatest));
            }
            let pose = pose(&task, || rng.random_range(least..greatest));
            aim_at(&mut task, *pose.last().expect("bones"));
            task.tolerance = 1e-3 * task.reach();
            task.cap = 100;
            task
        })
    };
    kinds.into_iter().map(case).collect()
}

/// Trees, from a spread-out pose to the tips of another that is at most that many radians from it
/// at each joint.
pub fn trees() -> Vec<Case> {
    const GROUP: &str = "d. trees: all effectors to 1e-3 of the reach";
    let mut cases = Vec::new();
    for (name, trunk, branches, length) in [
        ("Y, 10 bones, 2 effectors", 4, 2, 3),
        ("hand, 26 bones, 5 effectors", 1, 5, 5),
    ] {
        for spread in [0.3, 0.6, 1.0] {
            let name = format!("{name}, ±{spread}");
            let mut case = Case::new(GROUP, name, move |rng| {
                let mut task = tree(trunk, branches, length);
                let angles = task.bones.iter().map(|bone| bone.start);
                let angles: Vec<f64> = angles
                    .map(|angle| angle + rng.random_range(-spread..spread))
                    .collect();
                let ends = task.place(&angles);
                for effector in &mut task.effectors {
                    effector.target = ends[effector.bone];
                }
                task.tolerance = 1e-3 * task.reach();
                task.cap = 200;
                task
            });
            case.is_tree = true;
            cases.push(case);
        }
    }
    cases
}

/// Ten bones among circles, from one free pose to the tip of another.
pub fn circles() -> Vec<Case> {
    const GROUP: &str = "e. circles: to 1e-3 of the reach, no bone 1e-3 of it inside";
    vec![
        Case::new(GROUP, "one circle", |rng| among_circles(rng, 1)),
        Case::new(GROUP, "three circles", |rng| among_circles(rng, 3)),
        Case::new(GROUP, "three, in the way", |rng| in_the_way(rng, 3)),
        Case::new(GROUP, "eight, in the way", |rng| in_the_way(rng, 8)),
    ]
}

/// A chain of equal bones at any angles.
fn chain(count: usize, length: f64, mut angle: impl FnMut() -> f64) -> Task {
    let bone = |index: usize| Bone {
        parent: index.checked_sub(1),
        length,
        start: angle(),
        limit: None,
    };
    Task {
        bones: (0..count).map(bone).collect(),
        ..Task::default()
    }
}

/// A chain that points anywhere, with next to no bend.
fn nearly_straight(rng: &mut Xoshiro256PlusPlus, count: usize, length: f64) -> Task {
    let mut task = chain(count, length, || rng.random_range(-0.05..0.05));
    task.bones[0].start = rng.random_range(-PI..PI);
    task
}

/// A trunk and branches from its end, all equal bones, fanned out. The branches bend a little
/// to the middle, as fingers do.
fn tree(trunk: usize, branches: usize, length: usize) -> Task {
    let mut task = chain(trunk, 40.0, || 0.0);
    for branch in 0..branches {
        let fan = branch as f64 / (branches - 1) as f64 - 0.5;
        let mut parent = trunk - 1;
        for index in 0..length {
            task.bones.push(Bone {
                parent: Some(parent),
                length: 40.0,
                start: if index == 0 { 1.6 * fan } else { -0.2 * fan },
                limit: None,
            });
            parent = task.bones.len() - 1;
        }
        task.effectors.push(Effector {
            bone: parent,
            target: DVec2::ZERO,
        });
    }
    task
}

/// Gives a chain its target, what its tip is to reach.
fn aim_at(task: &mut Task, target: DVec2) {
    task.effectors = vec![Effector {
        bone: task.bones.len() - 1,
        target,
    }];
}

/// Where the bones of a random pose end.
fn pose(task: &Task, mut angle: impl FnMut() -> f64) -> Vec<DVec2> {
    let angles: Vec<f64> = task.bones.iter().map(|_| angle()).collect();
    task.place(&angles)
}

/// Circles at random, none of them near the root; the start and the pose whose tip is the
/// target are outside all of them.
fn among_circles(rng: &mut Xoshiro256PlusPlus, count: usize) -> Task {
    loop {
        let mut task = chain(10, 40.0, || rng.random_range(-0.3..0.3));
        task.bones[0].start = rng.random_range(-PI..PI);
        let reach = task.reach();
        task.circles = (0..count).map(|_| circle(rng, reach)).collect();
        let heading = rng.random_range(-PI..PI);
        let mut angles: Vec<f64> = (0..10).map(|_| rng.random_range(-0.6..0.6)).collect();
        angles[0] = heading;
        let goal = task.place(&angles);
        if task.depth(&goal) > 0.0 || task.depth(&task.place(&task.start())) > 0.0 {
            continue;
        }
        aim_at(&mut task, goal[9]);
        task.tolerance = 1e-3 * reach;
        task.cap = 200;
        return task;
    }
}

/// Circles, at least one of which lies on the straight way from the root to the target.
fn in_the_way(rng: &mut Xoshiro256PlusPlus, count: usize) -> Task {
    loop {
        let task = among_circles(rng, count);
        let target = task.effectors[0].target;
        if deepest(&task.circles, DVec2::ZERO, target) > 0.02 * task.reach() {
            return task;
        }
    }
}

/// A circle somewhere in the reach, and not on the root.
fn circle(rng: &mut Xoshiro256PlusPlus, reach: f64) -> Circle {
    loop {
        let heading = DVec2::from_angle(rng.random_range(-PI..PI));
        let circle = Circle {
            centre: heading * rng.random_range(0.15..0.9) * reach,
            radius: rng.random_range(0.04..0.12) * reach,
        };
        if deepest(&[circle], DVec2::ZERO, heading * 0.05 * reach) == 0.0 {
            return circle;
        }
    }
}
