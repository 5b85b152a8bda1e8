//! Full-body IK of 18 bones with four goals: a character whose hands and feet are held while it moves.
//!
//! `cargo bench --package tendon-solver --bench full_body` prints the time of one pass that goes on from the
//! one before, and how much it allocates: nothing.

use divan::{AllocProfiler, Bencher, black_box};
use glam::Vec2;
use tendon_solver::{
    Bone, Direction, Effector, End, FullBody, Limit, Modifier, Point, Rig, Solver, Workspace,
};

#[global_allocator]
static ALLOCATOR: AllocProfiler = AllocProfiler::system();

fn main() {
    divan::main();
}

/// Appends bones of these lengths and angles in a line to the end of `above`, and returns the last.
fn line(bones: &mut Vec<Bone>, above: usize, from: Vec2, joints: [(f32, f32); 3]) -> usize {
    let (mut above, mut position) = (above, from);
    for (length, degrees) in joints {
        bones.push(Bone {
            position,
            rotation: degrees.to_radians(),
            limit: Some(Limit::around(degrees.to_radians(), -1.2, 1.2)),
            ..Bone::below(Some(above))
        });
        (above, position) = (bones.len() - 1, Vec2::X * length);
    }
    above
}

/// Hips, a spine of three, a neck and a head, two arms and two legs of three. The feet keep their angle.
fn hero() -> Rig {
    let mut bones = vec![Bone {
        position: Vec2::Y * -80.0,
        rotation: -std::f32::consts::FRAC_PI_2,
        ..Bone::below(None)
    }];
    let chest = line(
        &mut bones,
        0,
        Vec2::X * 12.0,
        [(14.0, 3.0), (14.0, 2.0), (16.0, 2.0)],
    );
    let neck = [(8.0, -3.0), (22.0, -3.0)].into_iter();
    let mut above = chest;
    for (length, degrees) in neck {
        bones.push(Bone {
            position: Vec2::X * length,
            rotation: f32::to_radians(degrees),
            ..Bone::below(Some(above))
        });
        above = bones.len() - 1;
    }
    let mut tips = Vec::new();
    for side in [-1.0, 1.0] {
        let arm = [(28.0, 150.0 * side), (26.0, -25.0), (14.0, 0.0)];
        tips.push((line(&mut bones, chest, Vec2::X * 16.0, arm), 14.0));
    }
    for side in [-1.0, 1.0] {
        let leg = [(40.0, 174.0 * side), (38.0, 12.0), (16.0, -92.0)];
        tips.push((line(&mut bones, 0, Vec2::ZERO, leg), 0.0));
    }
    let mut rig = Rig::new(bones, Vec::new());
    rig.take_base_pose();
    let effectors = tips.into_iter().map(|(bone, length)| {
        let at = |x| Point {
            bone: Some(bone),
            position: Vec2::X * x,
        };
        let place = |x| rig.locate(at(x));
        let target = Point {
            bone: None,
            position: place(length),
        };
        let vector = place(1.0) - place(0.0);
        Effector {
            heading: (length == 0.0).then_some(Direction { bone: None, vector }),
            ..Effector::new(End::Point(at(length)), target)
        }
    });
    let body = FullBody::new((0..rig.bones.len()).collect(), effectors.collect());
    rig.modifiers = vec![Modifier::new(body)];
    rig
}

/// The hips go around in the animation, and a hand goes up and down.
#[divan::bench]
fn follows(bencher: Bencher) {
    let (mut rig, mut workspace) = (hero(), Workspace::default());
    assert_eq!(rig.bones.len(), 18);
    rig.solve(&mut workspace);
    rig.delta = 1.0 / 60.0;
    let hips = rig.bones[0].position;
    let Solver::FullBody(body) = &rig.modifiers[0].solver else {
        unreachable!("it is a body")
    };
    let hand = body.effectors[0].target.position;
    let mut frame = 0.0;
    bencher.bench_local(|| {
        frame += 1.0 / 60.0;
        rig.bones[0].position = hips + 10.0 * Vec2::new(f32::sin(frame), f32::cos(1.3 * frame));
        if let Solver::FullBody(body) = &mut rig.modifiers[0].solver {
            body.effectors[0].target.position = hand + Vec2::Y * 15.0 * f32::sin(2.0 * frame);
        }
        rig.go_on();
        rig.solve(&mut workspace);
        black_box(rig.rotation(8));
    });
}

/// Nothing moves.
#[divan::bench]
fn rests(bencher: Bencher) {
    let (mut rig, mut workspace) = (hero(), Workspace::default());
    rig.solve(&mut workspace);
    rig.delta = 1.0 / 60.0;
    bencher.bench_local(|| {
        rig.go_on();
        rig.solve(&mut workspace);
        black_box(rig.rotation(8));
    });
}
