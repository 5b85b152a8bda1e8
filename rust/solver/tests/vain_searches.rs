//! Short chains with limits that cannot reach their targets: what the search for other poses costs, and that
//! it finds them.

use glam::Vec2;
use tendon_solver::{
    Algorithm, Bone, Chain, ChainIk, End, Limit, Modifier, Point, Rig, Status, Sweep, Workspace,
};

const BONE: f32 = 20.0;
const FRAME: f32 = 1.0 / 60.0;

/// A chain that bends to one side, with the same limit for each joint.
fn chain(bones: usize) -> Rig {
    let line = (0..bones).map(|index| Bone {
        position: if index == 0 {
            Vec2::ZERO
        } else {
            Vec2::X * BONE
        },
        rotation: 0.2,
        limit: Some(Limit::around(0.2, -1.2, 1.2)),
        ..Bone::below(index.checked_sub(1))
    });
    let tip = Point {
        bone: Some(bones - 1),
        position: Vec2::X * BONE,
    };
    let chain = Chain::new((0..bones).collect(), End::Point(tip));
    let algorithm = Algorithm::Ccd(Sweep { root_first: false });
    let solver = ChainIk::new(algorithm, chain, Point::default());
    let mut rig = Rig::new(line.collect(), vec![Modifier::new(solver)]);
    rig.delta = FRAME;
    rig
}

/// Goes on with the target at `target`. Returns how many steps that took.
fn follow(rig: &mut Rig, space: &mut Workspace, target: Vec2) -> u32 {
    let aim = rig.modifiers[0].solver.parts_mut().own_target_mut();
    aim.expect("it has a target").position = target;
    rig.go_on();
    rig.solve(space);
    rig.modifiers[0].report.iterations
}

/// Where a target is that sways and is too near, in seconds.
fn too_near(bones: usize, time: f32) -> Vec2 {
    let distance = if bones == 3 { 30.0 } else { 2.0 };
    distance * Vec2::from_angle(-0.3 + 0.1 * (2.0 * time).sin())
}

#[test]
fn a_target_that_stays_too_near_is_cheap() {
    for (bones, most) in [(2, 3.0), (3, 14.0), (4, 14.0)] {
        let mut rig = chain(bones);
        let mut space = Workspace::default();
        let mut steps = 0;
        for frame in 0..300 {
            let taken = follow(&mut rig, &mut space, too_near(bones, FRAME * frame as f32));
            // At first it comes there.
            steps += if frame < 120 { 0 } else { taken };
            assert_eq!(rig.modifiers[0].report.status, Status::OutOfReach);
        }
        let mean = steps as f32 / 180.0;
        assert!(mean < most, "{bones} bones: {mean} steps in a pass");
    }
}

/// It goes on looking: a target that comes within reach is reached.
#[test]
fn a_search_in_vain_does_not_end() {
    for bones in [2, 3, 4] {
        let mut rig = chain(bones);
        let mut space = Workspace::default();
        for frame in 0..300 {
            follow(&mut rig, &mut space, too_near(bones, FRAME * frame as f32));
        }
        let mut late = 0;
        for frame in 0..60 {
            let angle = 0.4 + 0.1 * (0.1 * frame as f32).sin();
            let target = 0.8 * bones as f32 * BONE * Vec2::from_angle(angle);
            follow(&mut rig, &mut space, target);
            late += u32::from(rig.modifiers[0].report.status != Status::Reached);
        }
        assert!(late < 45, "{bones} bones: reached after {late} frames");
    }
}
