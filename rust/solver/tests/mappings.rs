//! Copied transforms and scripts in whole rigs: in passes that follow each other, in captures, and
//! between other modifiers.

use std::f32::consts::{PI, TAU};

#[path = "common/parts.rs"]
mod parts;

use glam::{Affine2, Vec2};
use parts::{fixed, look_at, on, reaching};
use tendon_solver::math::angle::shortest_way;
use tendon_solver::{
    Bone, Capture, Channel, CopyTransform, Custom, Defect, End, Fault, Limit, Local, Mapping,
    MappingSettings, Modifier, Rig, Solver, Source, Space, Status, Workspace,
};

fn bone(parent: Option<usize>, x: f32, rotation: f32) -> Bone {
    Bone {
        position: Vec2::new(x, 0.0),
        rotation,
        ..Bone::below(parent)
    }
}

fn copy(settings: MappingSettings, bone: usize, source: Option<Source>) -> Modifier {
    let mapping = Mapping { source, rest: None };
    Modifier::new(CopyTransform {
        settings,
        ..CopyTransform::new(bone, End::Point(on(bone, Vec2::ZERO)), mapping)
    })
}

fn from_bone(bone: usize) -> Option<Source> {
    Some(Source::Bone { bone, rest: None })
}

fn from_node(rotation: f32) -> Option<Source> {
    Some(Source::Node {
        carrier: None,
        frame: Affine2::from_angle(rotation),
        local: Local {
            position: Vec2::ZERO,
            rotation,
            scale: Vec2::ONE,
        },
    })
}

fn absolute() -> MappingSettings {
    MappingSettings {
        relative: false,
        ..MappingSettings::default()
    }
}

/// One pass after the last one, as whoever owns the bones runs it.
fn pass(rig: &mut Rig, workspace: &mut Workspace) {
    rig.go_on();
    rig.solve(workspace);
}

fn replayed(rig: &Rig) -> Vec<tendon_solver::capture::Difference> {
    let text = Capture::of(rig).to_json();
    let mut read = Capture::read_all(&text).expect("what was written can be read");
    assert_eq!(read[0].to_json(), text);
    read[0].replay()
}

/// A wheel turned by hand, a pinion below it and a third wheel: every pass can be solved again from
/// its text, turns included.
#[test]
fn a_train_of_gears_turns_through_whole_turns() {
    let ratio = |bone_max| MappingSettings {
        bone_range: Vec2::new(0.0, bone_max),
        ..absolute()
    };
    let bones = (0..3).map(|index| bone(None, 50.0 * index as f32, 0.0));
    let modifiers = vec![
        copy(ratio(1.0), 0, from_node(0.0)),
        copy(ratio(-2.0), 1, from_bone(0)),
        copy(ratio(-0.75), 2, from_bone(1)),
    ];
    let mut rig = Rig::new(bones.collect(), modifiers);
    rig.validate().expect("a sound rig");
    let mut workspace = Workspace::default();
    for step in 0..400_u16 {
        let angle = 0.1 * f32::from(step);
        let wrapped = (angle + PI).rem_euclid(TAU) - PI;
        let Solver::CopyTransform(first) = &mut rig.modifiers[0].solver else {
            unreachable!("it copies");
        };
        first.mapping.source = from_node(wrapped);
        pass(&mut rig, &mut workspace);
        for (index, factor) in [1.0, -2.0, 1.5].into_iter().enumerate() {
            let off = shortest_way(factor * angle, rig.rotation(index));
            assert!(off.abs() < 1e-3, "gear {index} at step {step}: {off}");
            assert!(rig.rotation(index).abs() <= TAU, "no bone is wound");
        }
        assert_eq!(replayed(&rig), []);
    }
    rig.forget();
    pass(&mut rig, &mut workspace);
    assert!(matches!(rig.modifiers[0].report.status, Status::Reached));
}

#[test]
fn at_part_influence_nothing_leaps() {
    let settings = MappingSettings {
        space: Space::Skeleton,
        ..absolute()
    };
    for influence in [0.3, 0.5, 0.9] {
        let mut modifier = copy(settings, 1, None);
        modifier.influence = influence;
        let bones = vec![bone(None, 0.0, 0.0), bone(Some(0), 30.0, 0.2)];
        let mut rig = Rig::new(bones, vec![modifier]);
        let mut workspace = Workspace::default();
        let mut last = None;
        for step in 0..200_u16 {
            rig.bones[0].rotation = 0.1 * f32::from(step);
            pass(&mut rig, &mut workspace);
            let now = rig.rotation(1);
            if let Some(last) = last {
                assert!(shortest_way(last, now).abs() < 0.11, "step {step}");
            }
            last = Some(now);
        }
    }
}

#[test]
fn global_space_is_that_of_the_skeleton_as_it_moves() {
    let settings = MappingSettings {
        space: Space::Global,
        ..absolute()
    };
    let bones = vec![bone(None, 0.0, 0.4), bone(Some(0), 30.0, 0.2)];
    let mut rig = Rig::new(bones, vec![copy(settings, 1, None)]);
    let mut workspace = Workspace::default();
    for angle in [0.0, 1.0, 2.5, -2.0] {
        for scale in [Vec2::ONE, Vec2::new(-1.0, 1.0), Vec2::new(0.5, 2.0)] {
            rig.to_global = Affine2::from_scale_angle_translation(scale, angle, Vec2::X);
            pass(&mut rig, &mut workspace);
            let axis = |x| rig.locate(on(1, Vec2::new(x, 0.0)));
            let heading = rig.to_global.matrix2 * (axis(1.0) - axis(0.0));
            assert!(shortest_way(0.2, heading.to_angle()).abs() < 1e-4);
            assert_eq!(replayed(&rig), []);
        }
    }
}

#[test]
fn scale_and_position_are_blended_and_captured() {
    for (channel, wanted) in [
        (Channel::ScaleX, Vec2::new(1.5, 1.0)),
        (Channel::ScaleY, Vec2::new(1.0, 1.5)),
    ] {
        let settings = MappingSettings {
            bone_channel: channel,
            ..absolute()
        };
        let mut modifier = copy(settings, 0, from_node(2.0));
        modifier.influence = 0.5;
        let mut rig = Rig::new(vec![bone(None, 7.0, 0.0)], vec![modifier]);
        rig.solve(&mut Workspace::default());
        assert!(rig.scale(0).abs_diff_eq(wanted, 1e-6));
        assert_eq!(replayed(&rig), []);
    }
    let settings = MappingSettings {
        bone_channel: Channel::PositionY,
        ..absolute()
    };
    let mut rig = Rig::new(
        vec![bone(None, 7.0, 0.0)],
        vec![copy(settings, 0, from_node(2.0))],
    );
    rig.solve(&mut Workspace::default());
    assert_eq!(rig.position(0), Vec2::new(7.0, 2.0));
    assert_eq!(replayed(&rig), []);
}

#[test]
fn a_bone_cannot_copy_a_bone_below_it() {
    let bones = vec![bone(None, 0.0, 0.0), bone(Some(0), 30.0, 0.0)];
    for source in [0, 1] {
        let rig = Rig::new(bones.clone(), vec![copy(absolute(), 0, from_bone(source))]);
        let fault = Fault::OwnTarget;
        assert_eq!(rig.validate(), Err(Defect::Modifier { modifier: 0, fault }));
    }
    let rig = Rig::new(bones, vec![copy(absolute(), 1, from_bone(0))]);
    rig.validate().expect("a bone may copy its parent");
}

/// A script sets rotations between two modifiers: the same bits without it.
#[test]
fn what_a_script_set_is_solved_again_without_it() {
    let bones = vec![
        bone(None, 0.0, 0.3),
        bone(Some(0), 30.0, -0.4),
        bone(Some(1), 25.0, 0.5),
    ];
    let end = End::Point(on(2, Vec2::new(20.0, 0.0)));
    let look_at = reaching(look_at(), vec![2], end, fixed(Vec2::new(-30.0, 40.0)));
    let mut script = Modifier::new(Custom::default());
    script.influence = 0.7;
    let mut rig = Rig::new(bones, vec![look_at.clone(), script, look_at]);
    rig.bones[1].limit = Some(Limit::around(0.0, -0.5, 0.5));
    rig.validate().expect("a sound rig");
    let mut workspace = Workspace::default();
    for turn in [0.2, 2.0, -3.0, 40.0] {
        rig.begin();
        rig.apply(0, &mut workspace);
        rig.begin_script(1);
        // The draft is the working pose, and has what was set.
        assert_eq!(rig.draft_rotation(2).to_bits(), rig.rotation(2).to_bits());
        rig.set_scripted(1, 1, turn);
        rig.set_scripted(1, 0, 0.1);
        rig.set_scripted(1, 0, 0.1 + turn);
        assert_eq!(rig.draft_rotation(0), 0.1 + turn);
        assert!((rig.draft_frame(1).translation.length() - 30.0).abs() < 1e-3);
        rig.apply(1, &mut workspace);
        rig.apply(2, &mut workspace);
        rig.finish();
        assert!(rig.rotation(1).abs() <= 0.5 + 1e-4, "the limit holds");
        assert!(rig.is_moving(), "a script may depend on anything");
        let (text, pose) = (Capture::of(&rig).to_json(), rig.rotation(2));
        assert_eq!(replayed(&rig), []);
        rig.solve(&mut workspace);
        assert_eq!(Capture::of(&rig).to_json(), text);
        assert_eq!(rig.rotation(2).to_bits(), pose.to_bits());
    }
}

#[test]
fn a_script_that_sets_a_nan_changes_nothing() {
    let mut rig = Rig::new(
        vec![bone(None, 0.0, 0.3), bone(Some(0), 30.0, -0.4)],
        vec![Modifier::new(Custom::default())],
    );
    let mut workspace = Workspace::default();
    for value in [f32::NAN, f32::INFINITY] {
        rig.begin();
        rig.begin_script(0);
        rig.set_scripted(0, 0, 1.0);
        rig.set_scripted(0, 1, value);
        assert!(rig.draft_rotation(1).is_finite());
        rig.apply(0, &mut workspace);
        rig.finish();
        assert_eq!([rig.rotation(0), rig.rotation(1)], [0.3, -0.4]);
        assert_eq!(rig.modifiers[0].report.status, Status::Invalid);
        assert_eq!(replayed(&rig), []);
    }
}
