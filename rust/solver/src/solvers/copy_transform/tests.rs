//! Tests of single mappings. Those of whole rigs are in `tests/mappings.rs`.

use proptest::prelude::*;

use super::mapping::Rest;
use super::*;

const CHANNELS: [Channel; 5] = [
    Channel::Rotation,
    Channel::PositionX,
    Channel::PositionY,
    Channel::ScaleX,
    Channel::ScaleY,
];

/// A local transform with its skew.
#[derive(Clone, Copy, Debug)]
struct Node {
    local: Local,
    skew: f32,
}

impl Node {
    fn turned(rotation: f32) -> Self {
        let local = Local {
            position: Vec2::new(30.0, -5.0),
            rotation,
            scale: Vec2::ONE,
        };
        Self { local, skew: 0.0 }
    }

    fn frame(self) -> Affine2 {
        let Local {
            position,
            rotation,
            scale,
        } = self.local;
        let lean = Vec2::from_angle(self.skew).perp() * scale.y;
        let shape = Mat2::from_cols(Vec2::X * scale.x, lean);
        Affine2::from_mat2_translation(Mat2::from_angle(rotation) * shape, position)
    }

    fn seen(self, above: Affine2) -> Seen {
        Seen {
            frame: above * self.frame(),
            local: self.local,
        }
    }

    fn driven(self, mount: Affine2) -> Driven<'static> {
        Driven {
            into_space: Affine2::IDENTITY,
            mount,
            local: self.local,
            linear: self.frame().matrix2,
            turn: Rotation::from_angle(self.local.rotation),
            limit: None,
        }
    }

    fn changed(mut self, change: Change) -> Self {
        match change {
            Change::Turn { swing, .. } => self.local.rotation += swing as f32,
            Change::Shift(position) => self.local.position = position,
            Change::Scale(scale) => self.local.scale = scale,
        }
        self
    }
}

fn absolute(source_channel: Channel, bone_channel: Channel, space: Space) -> MappingSettings {
    MappingSettings {
        source_channel,
        bone_channel,
        space,
        relative: false,
        ..MappingSettings::default()
    }
}

/// A mapping between bones with these rest poses.
fn from_rest(source: Option<Rest>, bone: Option<Rest>) -> Mapping {
    let source = Source::Bone {
        bone: 0,
        rest: source,
    };
    Mapping {
        source: Some(source),
        rest: bone,
    }
}

/// The angle of a wheel after each of `angles`, through `read`, which may wrap it.
fn roll(
    mapping: &MappingSettings,
    angles: impl Iterator<Item = f64>,
    read: impl Fn(f64) -> Seen,
) -> Vec<f64> {
    let mut before = None;
    let wheel = Node::turned(0.0);
    let rolled = angles.map(|angle| {
        let bone = wheel.driven(Affine2::IDENTITY);
        let mapped = mapping.solve(&Mapping::default(), Some(&read(angle)), &bone, before);
        let mapped = mapped.expect("all numbers are finite");
        before = Some(mapped.followed);
        match mapped.change {
            Change::Turn { swing, .. } => swing,
            other => panic!("{other:?}"),
        }
    });
    rolled.collect()
}

#[test]
fn the_default_range_is_one_to_one() {
    let mapping = MappingSettings::default();
    for value in [0.0, 0.1, -3.75, 1e6] {
        assert_eq!(mapping.map(value), value);
    }
}

#[test]
fn ranges_may_be_reversed_and_clamped() {
    let dial = MappingSettings {
        source_range: Vec2::new(2.0, -2.0),
        bone_range: Vec2::new(0.5, -0.5),
        ..MappingSettings::default()
    };
    assert_eq!(dial.map(2.0), 0.5);
    assert_eq!(dial.map(-2.0), -0.5);
    assert_eq!(dial.map(6.0), 1.5);
    let clamped = MappingSettings {
        clamp: true,
        ..dial
    };
    assert_eq!(clamped.map(6.0), 0.5);
    assert_eq!(clamped.map(-6.0), -0.5);
}

#[test]
fn a_range_without_extent_is_a_switch() {
    for clamp in [false, true] {
        let switch = MappingSettings {
            source_range: Vec2::splat(3.0),
            bone_range: Vec2::new(-1.0, 1.0),
            clamp,
            ..MappingSettings::default()
        };
        assert_eq!(switch.map(2.999), -1.0);
        assert_eq!(switch.map(3.0), 1.0);
        assert_eq!(switch.map(1e9), 1.0);
    }
}

#[test]
fn in_the_parents_space_numbers_are_copied_to_the_last_bit() {
    let source = Node {
        local: Local {
            position: Vec2::new(0.1, -0.7),
            rotation: 2.3,
            scale: Vec2::new(1.7, -0.3),
        },
        skew: 0.2,
    };
    let value = |node: Node, channel: Channel| match channel {
        Channel::Rotation => node.local.rotation,
        _ if channel.is_scale() => node.local.scale[channel.axis()],
        _ => node.local.position[channel.axis()],
    };
    for from in CHANNELS {
        for to in CHANNELS {
            let mapping = absolute(from, to, Space::Parent);
            let bone = Node::turned(0.0);
            let seen = source.seen(Affine2::from_angle(1.0));
            let mapped = mapping.solve(
                &Mapping::default(),
                Some(&seen),
                &bone.driven(Affine2::IDENTITY),
                None,
            );
            let after = bone.changed(mapped.expect("finite").change);
            assert_eq!(value(after, to), value(source, from), "{from:?} to {to:?}");
        }
    }
}

#[test]
fn wheels_turn_on_through_whole_turns() {
    let gear = MappingSettings {
        bone_range: Vec2::new(0.0, -2.5),
        relative: false,
        ..MappingSettings::default()
    };
    let angles = || (0..=400).map(|step| f64::from(step) * 0.15 - 3.0);
    let expected: Vec<_> = angles().map(|angle| -2.5 * angle).collect();
    let readings: [fn(f64) -> f64; 3] = [|angle| angle, wrapped, |angle| angle.rem_euclid(TAU)];
    let check = |rolled: Vec<f64>, about: &str| {
        let offset = expected[0] - rolled[0];
        for (is, wanted) in rolled.iter().zip(&expected) {
            assert!(
                (is + offset - wanted).abs() < 1e-4,
                "{about}: {is}, {wanted}"
            );
        }
    };
    for (index, reading) in readings.into_iter().enumerate() {
        let read = |angle| Node::turned(reading(angle) as f32).seen(Affine2::IDENTITY);
        check(roll(&gear, angles(), read), &format!("reading {index}"));
    }
    let in_skeleton = MappingSettings {
        space: Space::Skeleton,
        ..gear
    };
    let turning = |angle: f64| Node::turned(0.0).seen(Affine2::from_angle(wrapped(angle) as f32));
    let rolled = roll(&in_skeleton, angles(), turning);
    for (is, wanted) in rolled.iter().zip(&expected) {
        let turns = (is - wanted) / TAU;
        assert!((turns - turns.round()).abs() < 1e-4, "{is}, {wanted}");
    }
    for pair in rolled.windows(2) {
        assert!((pair[1] - pair[0]).abs() < 0.5, "half influence would leap");
    }
}

#[test]
fn a_looping_animation_does_not_turn_a_gear_back() {
    let gear = MappingSettings {
        bone_range: Vec2::new(0.0, 0.5),
        relative: false,
        ..MappingSettings::default()
    };
    let angles = [5.9, 6.2, 0.1, 0.4].into_iter();
    let rolled = roll(&gear, angles, |angle| {
        Node::turned(angle as f32).seen(Affine2::IDENTITY)
    });
    assert!((rolled[3] - 0.5 * (0.4 + TAU)).abs() < 1e-6);
}

#[test]
fn the_first_number_counts_as_it_is() {
    let gear = MappingSettings {
        relative: false,
        ..MappingSettings::default()
    };
    for angle in [4.0 * PI, -3.5, 3.0] {
        let read = |angle| Node::turned(angle as f32).seen(Affine2::IDENTITY);
        let rolled = roll(&gear, [angle].into_iter(), read);
        assert!((rolled[0] - angle).abs() < 1e-5);
    }
}

#[test]
fn a_clamped_dial_counts_where_it_points() {
    let jaw = MappingSettings {
        source_range: Vec2::new(-2.0, 2.0),
        bone_range: Vec2::new(0.0, 1.0),
        clamp: true,
        relative: false,
        ..MappingSettings::default()
    };
    let read = |angle| Node::turned(angle as f32).seen(Affine2::IDENTITY);
    // More than half a turn at once, beyond an end, and back into the range.
    let angles = [-2.0, 2.0, 2.5, 0.0, 6.0, 1.0];
    let opened = roll(&jaw, angles.into_iter(), read);
    for (is, wanted) in opened.iter().zip([0.0, 1.0, 1.0, 0.5, 0.5 - 0.0708, 0.75]) {
        assert!((is - wanted).abs() < 1e-3, "{opened:?}");
    }
    for (angle, nearer_end) in [(3.0, 1.0), (3.3, 0.0), (-3.0, 0.0)] {
        let fresh = roll(&jaw, [angle].into_iter(), read);
        assert!((fresh[0] - nearer_end).abs() < 1e-6, "{fresh:?}");
    }
}

#[test]
fn a_long_clamped_range_counts_turns() {
    let winch = MappingSettings {
        source_range: Vec2::new(0.0, 20.0),
        clamp: true,
        relative: false,
        ..MappingSettings::default()
    };
    let angles = (0..200).map(|step| f64::from(step) * 0.1);
    let read = |angle| Node::turned(wrapped(angle) as f32).seen(Affine2::IDENTITY);
    let wound = roll(&winch, angles, read);
    assert!((wound[199] - 19.9 / 20.0).abs() < 1e-5);
}

#[test]
fn relative_values_count_from_the_rest_poses() {
    let rest = |node: Node| {
        Some(Rest {
            mount: Affine2::IDENTITY,
            frame: node.frame(),
        })
    };
    let source_rest = Node::turned(3.0);
    let bone_rest = Node::turned(0.5);
    let rests = from_rest(rest(source_rest), rest(bone_rest));
    let mapping = MappingSettings::default();
    // Across the seam from the rest pose.
    let source = Node::turned(-3.0).seen(Affine2::IDENTITY);
    let bone = Node::turned(0.1).driven(Affine2::IDENTITY);
    let turned = |mapping: &MappingSettings| {
        let mapped = mapping
            .solve(&rests, Some(&source), &bone, None)
            .expect("finite");
        match mapped.change {
            Change::Turn { swing, .. } => 0.1 + swing,
            other => panic!("{other:?}"),
        }
    };
    let way = TAU - 6.0;
    assert!((turned(&mapping) - (0.5 + way)).abs() < 1e-6);
    let additive = MappingSettings {
        additive: true,
        ..mapping
    };
    assert!((turned(&additive) - (0.1 + way)).abs() < 1e-6);
}

#[test]
fn relative_scales_are_factors() {
    let rest = |scale: Vec2| {
        Some(Rest {
            mount: Affine2::IDENTITY,
            frame: Affine2::from_scale(scale),
        })
    };
    let scaled = |scale| Node {
        local: Local {
            scale,
            ..Node::turned(0.0).local
        },
        skew: 0.0,
    };
    let rests = from_rest(rest(Vec2::new(2.0, 1.0)), rest(Vec2::new(1.0, 0.5)));
    let mapping = MappingSettings {
        source_channel: Channel::ScaleX,
        bone_channel: Channel::ScaleY,
        ..MappingSettings::default()
    };
    let source = scaled(Vec2::new(3.0, 1.0)).seen(Affine2::IDENTITY);
    let bone = scaled(Vec2::new(1.0, 0.8)).driven(Affine2::IDENTITY);
    let scale = |mapping: &MappingSettings| {
        let mapped = mapping
            .solve(&rests, Some(&source), &bone, None)
            .expect("finite");
        match mapped.change {
            Change::Scale(scale) => scale.y,
            other => panic!("{other:?}"),
        }
    };
    assert!((scale(&mapping) - 0.75).abs() < 1e-6);
    let additive = MappingSettings {
        additive: true,
        ..mapping
    };
    assert!((scale(&additive) - 1.2).abs() < 1e-6);
    let none = MappingSettings {
        bone_range: Vec2::ZERO,
        ..mapping
    };
    assert_eq!(scale(&none), LEAST_SCALE, "no node holds a scale of zero");
}

#[test]
fn an_own_mirror_is_no_turn() {
    let mirrored = Node {
        local: Local {
            scale: Vec2::new(-1.0, 1.0),
            ..Node::turned(0.4).local
        },
        skew: 0.0,
    };
    let rest = Rest {
        mount: Affine2::IDENTITY,
        frame: mirrored.frame(),
    };
    let seen = rest.seen(mirrored.local.scale, Affine2::IDENTITY);
    assert!((seen.local.rotation - 0.4).abs() < 1e-6);
    assert!(seen.local.scale.abs_diff_eq(mirrored.local.scale, 1e-6));
    // A bone that was mirrored after its rest pose was set.
    let plain = Rest {
        frame: Node::turned(0.4).frame(),
        ..rest
    };
    let seen = plain.seen(mirrored.local.scale, Affine2::IDENTITY);
    assert!((seen.local.rotation - 0.4).abs() < 1e-6);
    assert!(seen.local.scale.abs_diff_eq(Vec2::ONE, 1e-6));
}

#[test]
fn a_limit_holds_and_is_told() {
    let limit = Limit::around(0.0, -0.5, 0.5);
    let mapping = MappingSettings {
        relative: false,
        ..MappingSettings::default()
    };
    for (angle, wanted) in [(0.3, 0.3), (1.0, 0.5), (-1.0, -0.5)] {
        let source = Node::turned(angle).seen(Affine2::IDENTITY);
        let bone = Driven {
            limit: Some(&limit),
            ..Node::turned(0.0).driven(Affine2::IDENTITY)
        };
        let mapped = mapping
            .solve(&Mapping::default(), Some(&source), &bone, None)
            .expect("finite");
        let Change::Turn { swing, .. } = mapped.change else {
            panic!("{mapped:?}");
        };
        assert!((swing - wanted).abs() < 1e-6);
        assert_eq!(mapped.is_reached, angle == 0.3);
    }
}

#[test]
fn without_a_source_a_bone_does_not_inherit_rotation() {
    let rest_mount = Affine2::from_angle(0.7);
    for (relative, wanted) in [(true, 0.7 + 0.2), (false, 0.2)] {
        let cabin = MappingSettings {
            space: Space::Skeleton,
            relative,
            ..MappingSettings::default()
        };
        let rest = Rest {
            mount: rest_mount,
            frame: Affine2::IDENTITY,
        };
        let mapping = Mapping {
            source: None,
            rest: Some(rest),
        };
        let mut before = None;
        let mut last = 0.0;
        for step in 0..300_u16 {
            let above = 0.7 + 0.1 * f32::from(step);
            let node = Node::turned(0.2);
            let mount = Affine2::from_angle(above);
            let mapped = cabin
                .solve(&mapping, None, &node.driven(mount), before)
                .expect("finite");
            let seen = node.changed(mapped.change).seen(mount);
            let heading = seen.channel(Channel::Rotation, Space::Skeleton);
            let heading = heading.expect("a direction");
            assert!((wrapped(heading - wanted)).abs() < 1e-5);
            let Change::Turn { swing, .. } = mapped.change else {
                panic!("{mapped:?}");
            };
            assert!(
                step == 0 || (swing - last).abs() < 0.11,
                "no leap at any influence"
            );
            (before, last) = (Some(mapped.followed), swing);
        }
    }
}

#[test]
fn what_is_not_finite_is_refused() {
    let bad = [f32::NAN, f32::INFINITY];
    let bone = Node::turned(0.0).driven(Affine2::IDENTITY);
    for value in bad {
        for to in CHANNELS {
            let source = Node::turned(value).seen(Affine2::IDENTITY);
            let mapping = absolute(Channel::Rotation, to, Space::Parent);
            assert_eq!(
                mapping.solve(&Mapping::default(), Some(&source), &bone, None),
                None
            );
            let mapping = MappingSettings {
                bone_range: Vec2::new(0.0, value),
                ..mapping
            };
            let source = Node::turned(1.0).seen(Affine2::IDENTITY);
            assert_eq!(
                mapping.solve(&Mapping::default(), Some(&source), &bone, None),
                None,
                "{to:?}"
            );
        }
    }
    let flat = Node::turned(0.0).driven(Affine2::from_scale(Vec2::new(0.0, 1.0)));
    let source = Node::turned(1.0).seen(Affine2::IDENTITY);
    for to in [Channel::PositionX, Channel::ScaleX] {
        let mapping = absolute(Channel::Rotation, to, Space::Skeleton);
        assert_eq!(
            mapping.solve(&Mapping::default(), Some(&source), &flat, None),
            None,
            "{to:?}"
        );
    }
}

prop_compose! {
    fn local()(
        x in -100.0_f32..100.0,
        y in -100.0_f32..100.0,
        rotation in -3.1_f32..3.1,
        (scale_x, scale_y) in (0.3_f32..3.0, 0.3_f32..3.0),
        (mirror_x, mirror_y) in any::<(bool, bool)>(),
        skew in -0.8_f32..0.8,
    ) -> Node {
        let sign = |mirror| if mirror { -1.0 } else { 1.0 };
        let local = Local {
            position: Vec2::new(x, y),
            rotation,
            scale: Vec2::new(sign(mirror_x) * scale_x, sign(mirror_y) * scale_y),
        };
        Node { local, skew }
    }
}

fn channel() -> impl Strategy<Value = Channel> {
    prop::sample::select(CHANNELS.to_vec())
}

fn space() -> impl Strategy<Value = Space> {
    prop::sample::select(vec![Space::Parent, Space::Skeleton, Space::Global])
}

proptest! {
    /// Below any frames the bone has in the space of the mapping what was wanted there.
    #[test]
    fn the_wanted_channel_is_what_the_bone_has(
        (above, under, skeleton) in (local(), local(), local()),
        (source, bone) in (local(), local()),
        (from, to, space) in (channel(), channel(), space()),
        range in (-2.0_f32..2.0, -2.0_f32..2.0),
        additive in any::<bool>(),
    ) {
        let mapping = MappingSettings {
            bone_range: range.into(),
            additive,
            ..absolute(from, to, space)
        };
        let into = match space {
            Space::Global => skeleton.frame(),
            Space::Parent | Space::Skeleton => Affine2::IDENTITY,
        };
        let mount = above.frame() * under.frame();
        let source = source.seen(into * above.frame());
        let now = bone.seen(into * mount).channel(to, space).expect("finite");
        let driven = Driven {
            into_space: into,
            ..bone.driven(mount)
        };
        let mapped = mapping.solve(&Mapping::default(), Some(&source), &driven, None).expect("finite");
        let value = mapping.map(source.channel(from, space).expect("finite"));
        let wanted = mapping.wanted(value, now, None);
        let after = bone.changed(mapped.change).seen(into * mount);
        let is = after.channel(to, space).expect("finite");
        let off = match to {
            Channel::Rotation => wrapped(is - wanted),
            _ => is - wanted,
        };
        // A scale of zero is none, and a narrow frame magnifies rounding.
        prop_assume!(!to.is_scale() || wanted.abs() > 1e-3);
        let size = 1.0 + wanted.abs() + after.frame.translation.length() as f64;
        prop_assert!(off.abs() < 2e-3 * size, "{is} for {wanted}");
    }

    /// Another axis keeps its place and its length, as the space of the mapping sees it.
    #[test]
    fn one_channel_leaves_the_others(
        (above, bone, source) in (local(), local(), local()),
        space in space(),
    ) {
        let mount = above.frame();
        let source = source.seen(Affine2::IDENTITY);
        let change = |to| {
            let mapping = absolute(Channel::Rotation, to, space);
            let mapped = mapping.solve(&Mapping::default(), Some(&source), &bone.driven(mount), None);
            bone.changed(mapped.expect("finite").change).seen(mount)
        };
        let before = bone.seen(mount);
        let moved = change(Channel::PositionX);
        let [is, was] = [moved, before].map(|seen| match space {
            Space::Parent => seen.local.position.y,
            _ => seen.frame.translation.y,
        });
        prop_assert!((is - was).abs() < 1e-2);
        let scaled = change(Channel::ScaleY);
        prop_assert_eq!(scaled.local.scale.x, before.local.scale.x);
        prop_assert_eq!(scaled.local.rotation, before.local.rotation);
    }

    /// The same motion in any number of frames is the same motion.
    #[test]
    fn turns_do_not_depend_on_the_frame_rate(
        (speed, ratio) in (-40.0_f64..40.0, -5.0_f32..5.0),
        frames in prop::sample::select(vec![30_u32, 60, 144]),
    ) {
        let gear = MappingSettings {
            bone_range: Vec2::new(0.0, ratio),
            relative: false,
            ..MappingSettings::default()
        };
        let angles = (0..=frames).map(|frame| speed * f64::from(frame) / f64::from(frames));
        let read = |angle| Node::turned(wrapped(angle) as f32).seen(Affine2::IDENTITY);
        let rolled = roll(&gear, angles, read);
        let end = rolled.last().expect("a frame");
        prop_assert!((end - f64::from(ratio) * speed).abs() < 1e-3);
    }
}
