//! Sliders in whole rigs: what is sampled of an animation is taken into the pose.

use std::f32::consts::{PI, TAU};

use glam::Vec2;
use tendon_solver::{
    Bone, Capture, Channel, Limit, LimitSpace, Local, Modifier, Rig, Sample, Slider,
    SliderSettings, SliderSource, Solver, Status, Workspace,
};

fn node(rotation: f32) -> SliderSource {
    SliderSource::Node(Local {
        position: Vec2::ZERO,
        rotation,
        scale: Vec2::ONE,
    })
}

fn sample(channel: Channel, value: f32, rest: f32) -> Sample {
    Sample {
        bone: 1,
        channel,
        value,
        rest,
    }
}

/// Two bones, the second of which is posed.
fn rig(samples: Vec<Sample>, settings: SliderSettings) -> Rig {
    let child = Bone {
        position: Vec2::new(30.0, 2.0),
        rotation: 0.2,
        scale: Vec2::new(1.5, 0.5),
        ..Bone::below(Some(0))
    };
    let mut slider = Slider::new(node(0.5), samples);
    slider.settings = settings;
    let rig = Rig::new(vec![Bone::below(None), child], vec![Modifier::new(slider)]);
    rig.validate().expect("a sound rig");
    rig
}

fn slider(rig: &mut Rig) -> &mut Slider {
    match &mut rig.modifiers[0].solver {
        Solver::Slider(slider) => slider,
        other => panic!("{other:?}"),
    }
}

fn all(value: f32) -> Vec<Sample> {
    vec![
        sample(Channel::PositionX, value, 30.0),
        sample(Channel::Rotation, value, 0.1),
        sample(Channel::ScaleY, value, 0.5),
    ]
}

#[test]
fn influence_says_how_much_is_taken() {
    for influence in [0.0, 0.25, 1.0] {
        let mut rig = rig(all(2.0), SliderSettings::default());
        rig.modifiers[0].influence = influence;
        rig.solve(&mut Workspace::default());
        let mixed = |from: f32| from + influence * (2.0 - from);
        assert!((rig.rotation(1) - mixed(0.2)).abs() < 1e-6);
        assert!((rig.position(1) - Vec2::new(mixed(30.0), 2.0)).length() < 1e-5);
        assert!((rig.scale(1) - Vec2::new(1.5, mixed(0.5))).length() < 1e-6);
    }
    let mut free = rig(all(2.0), SliderSettings::default());
    free.modifiers[0].influence = 0.0;
    free.solve(&mut Workspace::default());
    assert_eq!(free.rotation(1).to_bits(), 0.2_f32.to_bits());
}

#[test]
fn values_are_taken_to_the_bit() {
    for step in 0..500_u16 {
        let value = 0.1 + 0.037 * f32::from(step);
        let mut rig = rig(all(value), SliderSettings::default());
        rig.solve(&mut Workspace::default());
        let is = [rig.rotation(1), rig.position(1).x, rig.scale(1).y];
        assert_eq!(is.map(f32::to_bits), [value.to_bits(); 3]);
    }
}

#[test]
fn a_turn_goes_the_shorter_way() {
    let mut rig = rig(
        vec![sample(Channel::Rotation, -3.0, 0.0)],
        SliderSettings::default(),
    );
    rig.bones[1].rotation = 3.0;
    rig.modifiers[0].influence = 0.5;
    rig.solve(&mut Workspace::default());
    assert!((rig.rotation(1).abs() - PI).abs() < 1e-5);
}

#[test]
fn additive_values_count_from_the_rest_pose() {
    let settings = SliderSettings {
        additive: true,
        ..SliderSettings::default()
    };
    let mut rig = rig(all(2.0), settings);
    rig.solve(&mut Workspace::default());
    assert!((rig.rotation(1) - (0.2 + 1.9)).abs() < 1e-6);
    assert!((rig.position(1).x - 2.0).abs() < 1e-5);
    assert!((rig.scale(1).y - 0.5 * 4.0).abs() < 1e-6);
}

/// The time that a dial says, turn after turn, as each pass finds it.
#[test]
fn turns_are_counted_and_loops_begin_again() {
    for loops in [false, true] {
        let settings = SliderSettings {
            source_range: Vec2::new(0.0, 2.0 * TAU),
            time_range: Vec2::new(0.5, 3.5),
            loops,
            ..SliderSettings::default()
        };
        let mut rig = rig(all(1.0), settings);
        let mut workspace = Workspace::default();
        for step in 0..100_u16 {
            let turned = 0.3 * f32::from(step);
            slider(&mut rig).source = node((turned + PI).rem_euclid(TAU) - PI);
            rig.go_on();
            rig.begin();
            let time = rig.shown(0).slider_time().expect("finite");
            rig.apply(0, &mut workspace);
            rig.finish();
            let part = f64::from(turned / (2.0 * TAU));
            let part = if loops { part.fract() } else { part.min(1.0) };
            assert!((time - (0.5 + 3.0 * part)).abs() < 1e-4, "{step}: {time}");
            let text = Capture::of(&rig).to_json();
            let mut read = Capture::read_all(&text).expect("what was written can be read");
            assert_eq!(read[0].replay(), []);
        }
    }
}

#[test]
fn limits_hold() {
    let mut rig = rig(
        vec![sample(Channel::Rotation, 2.0, 0.0)],
        SliderSettings::default(),
    );
    rig.bones[1].limit = Some(Limit {
        rest: 0.0,
        min: -0.5,
        max: 0.75,
        space: LimitSpace::Parent,
        stiffness: 0.0,
    });
    rig.solve(&mut Workspace::default());
    assert!((rig.rotation(1) - 0.75).abs() < 1e-5);
}

#[test]
fn what_is_not_finite_changes_nothing() {
    for bad in [f32::NAN, f32::INFINITY] {
        let mut samples = all(2.0);
        samples[2].value = bad;
        let mut sampled = rig(samples, SliderSettings::default());
        let mut scrubbed = rig(all(2.0), SliderSettings::default());
        slider(&mut scrubbed).source = node(bad);
        for rig in [&mut sampled, &mut scrubbed] {
            rig.solve(&mut Workspace::default());
            assert_eq!(rig.modifiers[0].report.status, Status::Invalid);
            assert_eq!(rig.rotation(1), 0.2);
            assert_eq!(rig.position(1), Vec2::new(30.0, 2.0));
        }
    }
}
