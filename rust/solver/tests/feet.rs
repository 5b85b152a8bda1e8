//! Animated feet on the ground: flat ground, slopes, stairs, moving platforms, mirrors.

mod ground;

use glam::{Affine2, Mat2, Vec2};
use tendon_solver::{
    Bone, End, Foot, Lock, Modifier, Point, Rig, Snapshot, Stance, Status, Tick, TwoBone,
    Workspace, World,
};

use crate::ground::{Terrain, rest_at_base, stance, stance_in};

/// A pelvis 70 px above the ground, with two legs of 40 px each, a little bent.
fn rig() -> Rig {
    rig_with(70.0)
}

/// One whose hips are that high.
fn rig_with(hip: f32) -> Rig {
    let mut bones = vec![Bone {
        position: Vec2::new(0.0, -hip),
        ..Bone::below(None)
    }];
    let bend = (hip / 80.0).acos();
    let mut modifiers = vec![Modifier::new(Stance::new(0, Vec::new()))];
    for leg in 0..2 {
        let thigh = bones.len();
        bones.push(Bone {
            rotation: std::f32::consts::FRAC_PI_2 - bend,
            ..Bone::below(Some(0))
        });
        bones.push(Bone {
            position: Vec2::X * 40.0,
            rotation: 2.0 * bend,
            ..Bone::below(Some(thigh))
        });
        let end = End::Point(Point {
            bone: Some(thigh + 1),
            position: Vec2::X * 40.0,
        });
        let mut limb = Modifier::new(TwoBone::new([thigh, thigh + 1], end, Point::default()));
        limb.awaits_goal = true;
        modifiers.push(limb);
        stance_in(&mut modifiers).feet.push(Foot {
            limb: Some(leg + 1),
            ..Foot::default()
        });
    }
    let mut rig = Rig::new(bones, modifiers);
    rest_at_base(&mut rig);
    rig
}

/// A pass with a tick.
fn pass(rig: &mut Rig, delta: f32, world: &mut dyn World) {
    rig.delta = delta;
    rig.go_on();
    rig.begin();
    let tick = Tick::new(delta, rig.to_global, None);
    rig.stand(0, tick, &[], true, world);
    for index in 0..rig.modifiers.len() {
        rig.apply(index, &mut Workspace::default());
    }
    rig.finish();
    assert_eq!(rig.validate(), Ok(()));
    assert_eq!(rig.modifiers[0].report.status, Status::Reached);
}

fn foot(rig: &Rig, leg: usize) -> Vec2 {
    let tip = rig.modifiers[leg + 1].parts().tip();
    rig.to_global.transform_point2(rig.locate(tip))
}

fn is_planted(rig: &mut Rig, leg: usize) -> bool {
    let feet = &stance(rig).memory.last().feet;
    feet.get(leg).is_some_and(|foot| foot.plant.is_some())
}

#[test]
fn on_flat_ground_the_animation_comes_through_to_the_last_bit() {
    let mut rig = rig();
    let mut floor = Terrain::level(0.0);
    for frame in 0..60 {
        // The body's margin to the ground.
        rig.to_global.translation = Vec2::new(5.0 * frame as f32, -0.08);
        rig.bones[1].rotation += 0.03;
        pass(&mut rig, 1.0 / 60.0, &mut floor);
        for bone in 0..rig.bones.len() {
            assert_eq!(
                rig.rotation(bone).to_bits(),
                rig.bones[bone].rotation.to_bits()
            );
            assert_eq!(rig.position(bone), rig.bones[bone].position);
        }
    }
}

/// In a body that falls, and stops at once.
#[test]
fn a_foot_tells_how_fast_it_came_down() {
    for height in [60.0_f32, 100.0, 300.0] {
        let mut rig = rig();
        let mut floor = Terrain::level(0.0);
        let (mut y, mut speed) = (-height, 0.0_f32);
        for _ in 0..120 {
            speed += 980.0 / 60.0;
            y = (y + speed / 60.0).min(0.0);
            rig.to_global.translation.y = y;
            pass(&mut rig, 1.0 / 60.0, &mut floor);
        }
        let expected = (2.0 * 980.0 * height).sqrt();
        for leg in 0..2 {
            let footing = stance(&mut rig).memory.last().footing(leg);
            let landed = footing.filter(|footing| footing.is_planted);
            let landed = landed.expect("it stands").landing_speed;
            assert!(
                (landed - expected).abs() < 20.0,
                "{height}: {landed} {expected}"
            );
        }
    }
}

#[test]
fn feet_stand_on_a_step_and_the_pelvis_goes_down_to_the_lower_one() {
    for up in [1.0, -1.0] {
        let mut rig = rig();
        rig.to_global.matrix2 = Mat2::from_diagonal(Vec2::new(up, 1.0));
        rig.bones[1].rotation -= 0.4;
        let mut floor = match up > 0.0 {
            true => Terrain::new(|x| if x > 5.0 { 6.0 } else { -12.0 }),
            false => Terrain::new(|x| if x < -5.0 { 6.0 } else { -12.0 }),
        };
        for _ in 0..120 {
            pass(&mut rig, 1.0 / 60.0, &mut floor);
        }
        let lift = foot(&rig, 0).y + 6.0;
        // The animation has lifted the first foot by bending that leg.
        assert!(lift < 0.0 && lift > -20.0, "{lift}");
        assert!((foot(&rig, 1).y - 12.0).abs() < 0.01);
        // As far as the leg has to, which stays a little bent.
        let pelvis = rig.position(0).y + 70.0;
        assert!(pelvis > 2.0 && pelvis < 12.0, "{pelvis}");
        assert!(is_planted(&mut rig, 1));
    }
}

#[test]
fn a_planted_foot_stays_on_a_platform_that_moves_and_turns() {
    let mut rig = rig();
    let mut floor = Terrain::level(0.0);
    for _ in 0..3 {
        pass(&mut rig, 1.0 / 60.0, &mut floor);
    }
    assert!(is_planted(&mut rig, 0));
    let start = floor.frame.inverse().transform_point2(foot(&rig, 0));
    for frame in 1..60 {
        let time = frame as f32 / 60.0;
        floor.frame =
            Affine2::from_angle_translation(0.2 * time, Vec2::new(30.0 * time, 5.0 * time));
        rig.to_global.translation = Vec2::new(28.0 * time, 5.0 * time);
        pass(&mut rig, 1.0 / 60.0, &mut floor);
        let now = floor.frame.inverse().transform_point2(foot(&rig, 0));
        assert!(now.distance(start) < 0.5, "{frame}: {now} {start}");
    }
    assert!(is_planted(&mut rig, 0));
}

#[test]
fn a_foot_is_let_go_when_its_body_is_gone_or_the_animation_leaves() {
    let mut rig = rig();
    let mut floor = Terrain::level(0.0);
    for _ in 0..3 {
        pass(&mut rig, 1.0 / 60.0, &mut floor);
    }
    assert!(is_planted(&mut rig, 0));
    floor.is_there = false;
    pass(&mut rig, 1.0 / 60.0, &mut floor);
    assert!(!is_planted(&mut rig, 0));
    floor.is_there = true;
    for _ in 0..3 {
        pass(&mut rig, 1.0 / 60.0, &mut floor);
    }
    assert!(is_planted(&mut rig, 0));
    rig.to_global.translation.x += 30.0;
    pass(&mut rig, 1.0 / 60.0, &mut floor);
    assert!(!is_planted(&mut rig, 0));
}

#[test]
fn a_foot_that_comes_to_lie_just_beyond_an_edge_stands_on_it() {
    for (steps, at) in [(1, Vec2::ZERO), (4, Vec2::new(4.5, 30.0))] {
        let mut rig = rig();
        let mut floor = Terrain::new(|x| if x > 0.0 { -30.0 } else { 0.0 });
        for pass_of in -20..120 {
            // Too fast to be planted before it is there.
            let pace = if pass_of < 0 { 3.0 } else { 1.2 };
            rig.to_global.translation.x = pace * pass_of.min(steps) as f32 - 0.3;
            pass(&mut rig, 1.0 / 60.0, &mut floor);
        }
        let away = foot(&rig, 0) - at;
        assert!(away.y.abs() < 0.1 && away.x.abs() < 2.0, "{away}");
        assert!(is_planted(&mut rig, 0));
    }
}

#[test]
fn a_stair_moves_the_pelvis_slowly_also_when_the_body_jumps_it() {
    for stair in [-16.0, 16.0] {
        let mut rig = rig();
        let mut before = Terrain::level(0.0);
        for _ in 0..10 {
            pass(&mut rig, 1.0 / 60.0, &mut before);
        }
        let height = |rig: &Rig| rig.to_global.translation.y + rig.position(0).y;
        let mut last = height(&rig);
        let after = Terrain {
            number: 2,
            ..Terrain::level(stair)
        };
        for frame in 0..120 {
            if frame == 5 {
                rig.to_global.translation.y = stair;
            }
            let mut floor = if frame < 5 { before } else { after };
            pass(&mut rig, 1.0 / 60.0, &mut floor);
            let now = height(&rig);
            assert!((now - last).abs() <= 6.0, "{stair}, {frame}: {last} {now}");
            last = now;
        }
        assert!((last - stair + 70.0).abs() < 0.01, "{stair}: {last}");
    }
}

/// The rig with feet of 20 px, which have toes below the first half.
fn rig_with_toes() -> Rig {
    let mut rig = rig();
    for leg in 0..2 {
        let shin = 2 + 2 * leg;
        let foot = rig.bones.len();
        // Level in the rest pose.
        let turned = rig.bones[shin - 1].rotation + rig.bones[shin].rotation;
        rig.bones.push(Bone {
            position: Vec2::X * 40.0,
            rotation: -turned,
            ..Bone::below(Some(shin))
        });
        rig.bones.push(Bone {
            position: Vec2::new(14.0, 5.0),
            ..Bone::below(Some(foot))
        });
        let feet = &mut stance(&mut rig).feet;
        (feet[leg].bone, feet[leg].toes) = (Some(foot), Some(foot + 1));
        feet[leg].end = Some(Point {
            bone: Some(foot + 1),
            position: Vec2::X * 6.0,
        });
        feet[leg].settings.sole_height = 5.0;
    }
    let mut rig = Rig::new(rig.bones, rig.modifiers);
    rest_at_base(&mut rig);
    rig
}

#[test]
fn toes_bend_with_the_ground_before_the_ball() {
    for height in [
        |x: f32| 0.5 * (x - 14.0).max(0.0),
        |x: f32| -0.5 * (x - 14.0).max(0.0),
        |x: f32| if x > 17.0 { 3.0 } else { 0.0 },
        |_: f32| 0.0,
    ] {
        let mut rig = rig_with_toes();
        let mut floor = Terrain::new(height);
        for _ in 0..60 {
            pass(&mut rig, 1.0 / 60.0, &mut floor);
        }
        let foot = stance(&mut rig).feet[0].clone();
        let (end, toes) = foot.end.zip(foot.toes).expect("there are toes");
        assert!(is_planted(&mut rig, 0));
        let place = rig.locate(end);
        let above = floor.at(place.x) - place.y;
        assert!(above.abs() < 0.6, "{place}: {above}");
        let is_level = floor.at(20.0) == 0.0;
        assert_eq!(rig.rotation(toes) == rig.bones[toes].rotation, is_level);
    }
}

/// The first foot turns about its ball: the leg bends, and the ankle goes up.
fn raise_heel(rig: &mut Rig, toes: usize, angle: f32) {
    let ankle = Vec2::new(14.0, 5.0) + Mat2::from_angle(angle) * Vec2::new(-14.0, -5.0);
    let leg = ankle + Vec2::new(0.0, 70.0);
    let bend = (leg.length() / 80.0).acos();
    rig.bones[1].rotation = leg.y.atan2(leg.x) - bend;
    rig.bones[2].rotation = 2.0 * bend;
    rig.bones[toes - 1].rotation = angle - rig.bones[1].rotation - rig.bones[2].rotation;
}

#[test]
fn a_foot_with_toes_stands_on_its_ball_while_the_heel_rises() {
    for slope in [0.0_f32, 0.3, -0.3] {
        let mut rig = rig_with_toes();
        let mut floor = Terrain::tilted(slope, 9.0);
        for _ in 0..60 {
            pass(&mut rig, 1.0 / 60.0, &mut floor);
        }
        let place = |rig: &Rig, bone| {
            rig.to_global.transform_point2(rig.locate(Point {
                bone: Some(bone),
                position: Vec2::ZERO,
            }))
        };
        let toes = stance(&mut rig).feet[0].toes.expect("there are toes");
        let ball = place(&rig, toes);
        let above = floor.frame.inverse().transform_point2(ball).y;
        assert!(above.abs() < 0.3, "{slope}: {above}");
        assert!(is_planted(&mut rig, 0));
        let heel = place(&rig, toes - 1);
        for frame in 1..=20 {
            raise_heel(&mut rig, toes, 0.02 * frame as f32);
            pass(&mut rig, 1.0 / 60.0, &mut floor);
            let now = place(&rig, toes);
            assert!(now.distance(ball) < 0.3, "{slope}, {frame}: {now} {ball}");
            assert!(is_planted(&mut rig, 0), "{slope}, {frame}");
        }
        assert!(heel.y - place(&rig, toes - 1).y > 3.0);
    }
}

#[test]
fn a_planted_foot_whose_lock_is_changed_goes_there_without_a_jump() {
    let mut rig = rig_with_toes();
    let mut floor = Terrain::level(9.0);
    let locks = [Lock::Position, Lock::None, Lock::PositionAndRotation];
    let mut before = None;
    for frame in 0..240 {
        for foot in &mut stance(&mut rig).feet {
            foot.settings.lock = locks[frame / 30 % 3];
        }
        // A locked foot stays behind: by 4 px until the lock is changed.
        rig.to_global.translation.x = 4.0 * (frame as f32 / 30.0);
        pass(&mut rig, 1.0 / 60.0, &mut floor);
        let now = foot(&rig, 0);
        let step = now.distance(before.replace(now).unwrap_or(now));
        assert!(frame < 5 || step < 2.0, "{frame}: {step}");
        assert!(frame % 30 < 20 || is_planted(&mut rig, 0), "{frame}");
    }
}

/// How a foot whose rotation is locked goes on, while the animation raises its heel and then holds it.
struct Locked {
    rig: Rig,
    floor: Terrain,
    /// Its bone.
    bone: usize,
}

impl Locked {
    /// It stands on ground with this slope, as it sees it. `target` is what the animation brings the end of its leg to.
    fn on(slope: f32, mirror: f32, target: Option<Vec2>) -> Self {
        let mut rig = rig_with_toes();
        rig.to_global.matrix2.x_axis.x = mirror;
        let foot = &mut stance(&mut rig).feet[0];
        foot.settings.lock = Lock::PositionAndRotation;
        let bone = foot.bone.expect("there is one");
        if let Some(position) = target {
            // Not as in the rest pose.
            rig.bones[bone].rotation += 0.6;
            rig.modifiers[1].awaits_goal = false;
            let aim = rig.modifiers[1].solver.parts_mut().own_target_mut();
            *aim.expect("it has a target") = Point {
                bone: None,
                position,
            };
        }
        let floor = Terrain::tilted(mirror * slope, 9.0);
        let mut locked = Self { rig, floor, bone };
        (0..60).for_each(|_| locked.pass());
        assert!(is_planted(&mut locked.rig, 0), "{slope}");
        locked
    }

    fn pass(&mut self) {
        pass(&mut self.rig, 1.0 / 60.0, &mut self.floor);
    }

    /// Which way the foot points, in radians.
    fn angle(&self) -> f32 {
        let bones = std::iter::successors(Some(self.bone), |&bone| self.rig.bones[bone].parent);
        bones.map(|bone| self.rig.rotation(bone)).sum()
    }

    fn ankle(&self) -> Vec2 {
        let ankle = Point {
            bone: Some(self.bone),
            position: Vec2::ZERO,
        };
        self.rig.to_global.transform_point2(self.rig.locate(ankle))
    }
}

#[test]
fn a_foot_whose_rotation_is_locked_keeps_its_heel_down_until_that_is_too_far() {
    for (slope, mirror) in [(0.0_f32, 1.0), (0.2, 1.0), (-0.2, 1.0), (0.2, -1.0)] {
        let mut locked = Locked::on(slope, mirror, None);
        let (ankle, angle) = (locked.ankle(), locked.angle());
        assert!((angle - slope).abs() < 1e-3, "{slope}: {angle}");
        let mut before = angle;
        let mut last_held = 0;
        for frame in 1..=120 {
            raise_heel(
                &mut locked.rig,
                locked.bone + 1,
                0.02 * frame.min(45) as f32,
            );
            locked.pass();
            if is_planted(&mut locked.rig, 0) && last_held + 1 == frame {
                let away = locked.ankle().distance(ankle);
                assert!(away < 0.3, "{slope}, {frame}: the ankle goes {away}");
                assert!((locked.angle() - angle).abs() < 1e-3, "{slope}, {frame}");
                last_held = frame;
            }
            let turn = (locked.angle() - before).abs();
            assert!(turn < 0.22, "{slope}, {frame}: {turn}");
            before = locked.angle();
        }
        // By 45 degrees.
        assert_eq!(last_held, 39, "{slope}");
        assert!((before - slope - 0.9).abs() < 0.03, "{slope}: {before}");
    }
}

#[test]
fn a_locked_foot_whose_body_is_freed_comes_after() {
    let mut locked = Locked::on(0.0, 1.0, None);
    for frame in 1..=30 {
        raise_heel(&mut locked.rig, locked.bone + 1, 0.02 * frame as f32);
        locked.rig.to_global.translation.x = 0.2 * frame as f32;
        locked.pass();
    }
    assert!(is_planted(&mut locked.rig, 0));
    locked.floor.is_there = false;
    for frame in 0..30 {
        let (ankle, angle) = (locked.ankle(), locked.angle());
        locked.pass();
        let (way, turn) = (locked.ankle().distance(ankle), locked.angle() - angle);
        assert!(way < 8.1 && turn.abs() < 0.22, "{frame}: {way} {turn}");
    }
}

#[test]
fn a_foot_whose_leg_has_a_target_is_locked_as_in_the_rest_pose() {
    for (slope, mirror) in [(0.0_f32, 1.0), (0.2, 1.0), (-0.2, 1.0), (0.2, -1.0)] {
        let mut locked = Locked::on(slope, mirror, Some(Vec2::ZERO));
        let mut before = locked.angle();
        assert!((before - slope).abs() < 1e-3, "{slope}: {before}");
        for frame in 0..60 {
            let aim = locked.rig.modifiers[1].solver.parts_mut().own_target_mut();
            aim.expect("it has a target").position.x += 2.0;
            locked.pass();
            let turn = (locked.angle() - before).abs();
            assert!(turn < 0.2, "{slope}, {frame}: {turn}");
            before = locked.angle();
        }
        assert!(!is_planted(&mut locked.rig, 0), "{slope}");
    }
}

#[test]
fn no_ground_fades_out() {
    let mut rig = rig();
    let mut low = Terrain::level(14.0);
    for _ in 0..60 {
        pass(&mut rig, 1.0 / 60.0, &mut low);
    }
    let mut before = foot(&rig, 0).y;
    assert!((before - 14.0).abs() < 0.1);
    for _ in 0..120 {
        low.is_there = false;
        pass(&mut rig, 1.0 / 60.0, &mut low);
        let now = foot(&rig, 0).y;
        assert!((now - before).abs() < 8.1);
        before = now;
    }
    assert_eq!(rig.rotation(1).to_bits(), rig.bones[1].rotation.to_bits());
}

#[test]
fn a_state_goes_on_to_the_last_bit() {
    let mut rig = rig();
    let mut floor = Terrain::tilted(0.2, 7.0);
    let mut walk = |rig: &mut Rig, frames: std::ops::Range<u32>| {
        for frame in frames {
            rig.to_global.translation.x = frame as f32;
            pass(rig, 1.0 / 60.0, &mut floor);
        }
    };
    walk(&mut rig, 0..20);
    let saved = Snapshot::of(&rig, Vec::new()).to_bytes();
    walk(&mut rig, 20..40);
    let rotations: Vec<_> = (0..5).map(|bone| rig.rotation(bone).to_bits()).collect();
    let saved = Snapshot::read(&saved).expect("it can be read");
    saved.check(&rig).expect("it fits");
    saved.restore(&mut rig);
    walk(&mut rig, 20..40);
    let again: Vec<_> = (0..5).map(|bone| rig.rotation(bone).to_bits()).collect();
    assert_eq!(rotations, again);
}

/// What the physics have answered is part of a pass, so that another machine solves it again.
#[test]
fn a_rig_that_was_written_down_is_solved_again_to_the_last_bit() {
    let mut rig = rig();
    let mut floor = Terrain::new(hills);
    for frame in 0..90 {
        rig.to_global.translation.x = 1.5 * frame as f32;
        rig.bones[1].rotation += 0.02 * (0.3 * frame as f32).sin();
        pass(&mut rig, 1.0 / 60.0, &mut floor);
        let text = serde_json::to_string(&rig).expect("it can be written");
        let mut read: Rig = serde_json::from_str(&text).expect("and read");
        read.solve(&mut Workspace::default());
        for bone in 0..rig.bones.len() {
            let (own, again) = (rig.rotation(bone), read.rotation(bone));
            assert_eq!(own.to_bits(), again.to_bits(), "{frame}: bone {bone}");
            assert_eq!(
                rig.position(bone),
                read.position(bone),
                "{frame}: bone {bone}"
            );
        }
    }
}

/// A walk over ground: how often a second frames are drawn, and ticks of the physics are made.
struct Walk {
    rates: [u32; 2],
    /// Whether passes are in idle frames, with the rays of the pass before.
    is_idle: bool,
    /// How high the ground is.
    height: fn(f32) -> f32,
    /// Where the animation begins, in steps.
    phase: f32,
    style: Style,
    /// In how many frames each frame of the animation is shown.
    held: u32,
    /// 1.0, or -1.0 for a walk to the left over the mirrored ground.
    mirror: f32,
}

/// How the animation walks.
#[derive(Clone, Copy, PartialEq)]
struct Style {
    speed: f32,
    stride: f32,
    /// How high the hips are, above legs of 80 px.
    hip: f32,
    /// How high the feet are lifted.
    lift: f32,
}

const SHORT: Style = Style {
    speed: 90.0,
    stride: 36.0,
    hip: 70.0,
    lift: 22.0,
};

const LONG: Style = Style {
    speed: 110.0,
    stride: 50.0,
    hip: 74.0,
    lift: 16.0,
};

/// By how much more than in the frame before a joint of a smooth walk turns, in radians.
const SMOOTH: f32 = 0.06;

/// The worst of a walk.
#[derive(Debug, Default)]
struct Worst {
    /// How far a planted foot moved on the ground in a frame.
    slide: f32,
    /// How much a thigh turned in a frame.
    turn: f32,
    /// How much a joint turned in a frame, beyond the animation.
    added: f32,
    /// How deep a foot was in the ground, and one that was planted.
    depth: f32,
    sunk: f32,
    /// How much more a joint turned than in the frame before, both beyond the animation: the most, and in how many of so many
    /// looks at legs it was more than that of a smooth walk.
    kink: f32,
    kinks: u32,
    looks: u32,
    /// In how many of them a joint turned as fast beyond the animation as it may.
    held: u32,
    /// How far the pelvis moved in a frame, in the world or against the body: the one that is less.
    pelvis: f32,
    planted: u32,
}

/// Of a frame: the tips, whether they are planted, the angles of the joints, the pelvis, and how far the
/// joints are from where the animation has them.
type Seen = ([Vec2; 2], [bool; 2], [f32; 4], [f32; 2], [f32; 4]);

impl Walk {
    /// How high the ground is.
    fn ground(&self, x: f32) -> f32 {
        (self.height)(self.mirror * x)
    }

    /// Where the animation has the foot of a leg, from below the hip.
    fn animated(&self, time: f32, leg: usize) -> Vec2 {
        let half = self.style.stride / self.style.speed;
        let phase = (time / half + leg as f32 + self.phase).rem_euclid(2.0);
        if phase < 1.0 {
            return Vec2::new((0.5 - phase) * self.style.stride, 0.0);
        }
        let swing = phase - 1.0;
        let ahead = -0.5 * (std::f32::consts::PI * swing).cos();
        let lift = self.style.lift * (std::f32::consts::PI * swing).sin();
        Vec2::new(ahead * self.style.stride, -lift)
    }

    /// The ground, as the physics have it.
    fn terrain(&self) -> Terrain {
        Terrain {
            frame: Affine2::from_scale(Vec2::new(self.mirror, 1.0)),
            ..Terrain::new(self.height)
        }
    }

    /// A tick: right before a pass, or after one.
    fn tick(&self, rig: &mut Rig, is_before_pass: bool) {
        let tick = Tick::new(1.0 / self.rates[1] as f32, rig.to_global, None);
        rig.stand(0, tick, &[], is_before_pass, &mut self.terrain());
    }

    /// How deep a place is in the ground: the way out.
    fn depth(&self, place: Vec2) -> f32 {
        let ways = (-80..=80).map(|way| 0.25 * way as f32);
        let out = |way: f32| way.hypot((place.y + self.ground(place.x + way)).max(0.0));
        ways.map(out).fold(f32::INFINITY, f32::min)
    }

    /// Where the body is, a tick after it was at `before`: it is moved up at once, and falls.
    fn body(&self, tick: u32, before: Vec2, fall: &mut f32) -> Vec2 {
        let time = 1.0 / self.rates[1] as f32;
        let x = self.mirror * self.style.speed * tick as f32 * time;
        let ground = -self.ground(x);
        *fall += 980.0 * time;
        let y = before.y + *fall * time;
        if y >= ground || ground - before.y < 3.0 {
            *fall = 0.0;
            return Vec2::new(x, ground);
        }
        Vec2::new(x, y)
    }

    fn run(&self, seconds: f32) -> Worst {
        let mut fall = 0.0;
        let mut rig = rig_with(self.style.hip);
        rig.to_global.matrix2 = Mat2::from_diagonal(Vec2::new(self.mirror, 1.0));
        let [fps, physics] = self.rates;
        let mut ticks = 0;
        let mut worst = Worst::default();
        let mut before: Option<Seen> = None;
        let mut rates_before: Option<[f32; 4]> = None;
        let frames = (seconds * fps as f32) as u32;
        for frame in 0..frames {
            let time = frame as f32 / fps as f32;
            let due = (u64::from(frame) * u64::from(physics) / u64::from(fps)) as u32;
            while ticks < due {
                ticks += 1;
                rig.to_global.translation = self.body(ticks, rig.to_global.translation, &mut fall);
                if self.is_idle {
                    self.tick(&mut rig, false);
                }
            }
            for leg in 0..2 {
                let shown = (frame - frame % self.held) as f32 / fps as f32;
                let tip = Vec2::new(0.0, self.style.hip) + self.animated(shown, leg);
                let bend = (tip.length() / 80.0).acos();
                rig.bones[1 + 2 * leg].rotation = tip.y.atan2(tip.x) - bend;
                rig.bones[2 + 2 * leg].rotation = 2.0 * bend;
            }
            rig.delta = 1.0 / fps as f32;
            rig.go_on();
            rig.begin();
            if !self.is_idle && ticks > 0 {
                self.tick(&mut rig, true);
            }
            for index in 0..rig.modifiers.len() {
                rig.apply(index, &mut Workspace::default());
            }
            rig.finish();
            let tips = [0, 1].map(|leg| foot(&rig, leg));
            let planted = [0, 1].map(|leg| is_planted(&mut rig, leg));
            let turns = [1, 2, 3, 4].map(|bone| rig.rotation(bone));
            let added = [1, 2, 3, 4].map(|bone| rig.rotation(bone) - rig.bones[bone].rotation);
            let body = rig.to_global.translation.y;
            let pelvis = [body + rig.position(0).y, rig.position(0).y];
            if let Some((old_tips, old_planted, old_turns, old_pelvis, old_added)) =
                before.filter(|_| time > 0.2)
            {
                for leg in 0..2 {
                    let slide = (tips[leg].x - old_tips[leg].x).abs();
                    if planted[leg] && old_planted[leg] {
                        worst.slide = worst.slide.max(slide);
                        worst.planted += 1;
                    }
                    let depth = self.depth(tips[leg]);
                    worst.depth = worst.depth.max(depth);
                    if planted[leg] {
                        worst.sunk = worst.sunk.max(depth);
                    }
                }
                for joint in 0..4 {
                    let turn = (turns[joint] - old_turns[joint]).abs();
                    let more = (added[joint] - old_added[joint]).abs();
                    if joint % 2 == 0 {
                        worst.turn = worst.turn.max(turn);
                    }
                    worst.added = worst.added.max(more);
                }
                let rates = [0, 1, 2, 3].map(|joint: usize| added[joint] - old_added[joint]);
                if let Some(before) = rates_before.replace(rates) {
                    for leg in [0, 2] {
                        let rate = rates[leg].abs().max(rates[leg + 1].abs());
                        worst.held += u32::from(rate > 0.279 * 60.0 / fps as f32);
                        let kink = |joint: usize| (rates[joint] - before[joint]).abs();
                        let kink = kink(leg).max(kink(leg + 1));
                        worst.kink = worst.kink.max(kink);
                        worst.kinks += u32::from(kink > SMOOTH);
                        worst.looks += 1;
                    }
                }
                let [own, of_body] = [0, 1].map(|it: usize| (pelvis[it] - old_pelvis[it]).abs());
                worst.pelvis = worst.pelvis.max(own.min(of_body));
            }
            before = Some((tips, planted, turns, pelvis, added));
        }
        worst
    }
}

fn level(_: f32) -> f32 {
    0.0
}

fn hills(x: f32) -> f32 {
    14.0 - 14.0 * (x / 45.0).cos()
}

/// Not a multiple of the strides: on an edge, last bits decide where a foot stands.
const EDGE: f32 = 1.3;

fn upstairs(x: f32) -> f32 {
    16.0 * ((x - EDGE) / 48.0).floor().max(0.0)
}

fn stairs(x: f32) -> f32 {
    let step = ((x - EDGE) / 48.0).floor();
    16.0 * if step < 8.0 { step } else { 16.0 - step }.max(0.0)
}

/// Down banks that are too steep to stand on.
fn banks(x: f32) -> f32 {
    let place = x - EDGE;
    let bank = (place / 96.0).floor().max(0.0);
    let down = (1.5 * (place - 96.0 * bank)).clamp(0.0, 16.0);
    -16.0 * bank - down
}

/// The worst of walks that begin in all phases of a step. [`LONG`] ones have legs that are nearly straight.
fn worst_of(rates: [u32; 2], is_idle: bool, height: fn(f32) -> f32, style: Style) -> Worst {
    worst_of_held(rates, is_idle, height, style, 1)
}

fn worst_of_held(
    rates: [u32; 2],
    is_idle: bool,
    height: fn(f32) -> f32,
    style: Style,
    held: u32,
) -> Worst {
    let mut worst = Worst::default();
    for tenth in 0..20 {
        let walk = Walk {
            rates,
            is_idle,
            height,
            phase: 0.1 * tenth as f32,
            style,
            held,
            mirror: 1.0,
        };
        let one = walk.run(8.0);
        worst.slide = worst.slide.max(one.slide);
        worst.turn = worst.turn.max(one.turn);
        worst.added = worst.added.max(one.added);
        worst.kink = worst.kink.max(one.kink);
        worst.kinks += one.kinks;
        worst.looks += one.looks;
        worst.held += one.held;
        worst.depth = worst.depth.max(one.depth);
        worst.sunk = worst.sunk.max(one.sunk);
        worst.pelvis = worst.pelvis.max(one.pelvis);
        worst.planted = worst.planted.max(one.planted);
    }
    worst
}

/// Frames and ticks a second, and whether passes are in idle frames.
const RATES: [([u32; 2], bool); 8] = [
    ([60, 60], false),
    ([30, 30], false),
    ([60, 60], true),
    ([30, 60], true),
    ([144, 60], true),
    ([60, 30], true),
    ([30, 30], true),
    ([144, 30], true),
];

#[test]
fn walks_stand_firm_on_any_ground_at_any_rate() {
    for (style, height) in [SHORT, LONG]
        .into_iter()
        .flat_map(|style| [level, hills, upstairs, stairs, banks].map(|height| (style, height)))
    {
        for (rates, is_idle) in RATES {
            let worst = worst_of(rates, is_idle, height, style);
            let about = format!("{rates:?} {is_idle}: {worst:?}");
            assert!(worst.planted > 100, "{about}");
            let [fps, physics] = rates;
            // Between two ticks the body stays, and the animation moves a standing foot back.
            let is_between_ticks = fps > physics;
            let [slide, sunk] = match (is_between_ticks, physics) {
                (false, _) => [0.5, 0.8],
                (true, 30) => [1.5, 3.0],
                (true, _) => [0.5, 1.0],
            };
            assert!(worst.slide < slide, "{about}");
            assert!(worst.sunk < sunk, "{about}");
            // A foot that is lifted over a stair's edge, or set down behind it.
            let deepest = if physics == 30 { 5.8 } else { 4.3 };
            assert!(worst.depth < deepest, "{about}");
            assert!(worst.turn < if fps == 30 { 0.5 } else { 0.3 }, "{about}");
            // The ground turns joints no further than this in a sixtieth of a second.
            let most = 0.281 * 60.0 / fps.min(60) as f32;
            assert!(worst.added < most, "{about}");
        }
    }
}

/// The most by which the turn of a joint beyond the animation changes, of feet that are put exactly onto the plane of the
/// ground: where a foot lands and goes back from there on, it turns a knee that is nearly straight far more than on flat ground.
fn kink_of_exact_feet(height: fn(f32) -> f32, style: Style) -> f32 {
    let bend = |tip: Vec2| {
        let bend = (tip.length() / 80.0).acos();
        Vec2::new(tip.to_angle() - bend, 2.0 * bend)
    };
    let kinks = (0..1000).map(|start| {
        let walk = Walk {
            rates: [60, 60],
            is_idle: false,
            height,
            phase: 0.0,
            style,
            held: 1,
            mirror: 1.0,
        };
        // Around a landing, with the body on any part of the ground.
        let landing = 2.0 * style.stride / style.speed;
        let added = [-1.0, 0.0, 1.0].map(|frame| {
            let time = landing + frame / 60.0;
            let body = 0.3 * start as f32 + style.speed * frame / 60.0;
            let foot = walk.animated(time, 0);
            let tip = Vec2::new(0.0, style.hip) + foot;
            let ground = height(body) - height(body + foot.x);
            bend(tip + Vec2::new(0.0, ground)) - bend(tip)
        });
        (added[2] - 2.0 * added[1] + added[0]).abs().max_element()
    });
    kinks.filter(|kink| kink.is_finite()).fold(0.0, f32::max)
}

/// What is eased is where a foot goes: it leaves the ground with the speed that it has.
#[test]
fn walks_over_hills_and_stairs_are_smooth() {
    for (ground, height, kink, kinks) in [
        ("hills", hills as fn(f32) -> f32, 0.14, 0.0125),
        ("stairs", stairs, 0.43, 0.08),
    ] {
        let worst = worst_of([60, 60], false, height, SHORT);
        println!(
            "Smooth: feet, {ground}: {:.3} rad; over {SMOOTH} in {} of {} looks; joints held back in {}",
            worst.kink, worst.kinks, worst.looks, worst.held
        );
        assert!(worst.kink < kink, "{worst:?}");
        assert!(200 * worst.held < worst.looks, "{worst:?}");
        assert!(
            (worst.kinks as f32) < kinks * worst.looks as f32,
            "{worst:?}"
        );
    }
    let exact = kink_of_exact_feet(hills, SHORT);
    println!("Smooth: feet, hills, put exactly onto the ground: {exact:.3} rad");
    assert!(exact > 0.12, "what stands in the way of less: {exact}");
}

/// The bound on joints is one of their speed, at any rate of ticks.
#[test]
fn joints_turn_no_faster_where_ticks_are_short() {
    for ticks in [144, 240] {
        let worst = worst_of([ticks, ticks], false, stairs, LONG);
        let most = 0.281 * 60.0 / ticks as f32;
        // The turn of a foot that is on its way is bounded before that.
        assert!(worst.added < most, "{ticks}: {worst:?}");
    }
}

/// Bends the leg of a rig that stands so that its foot is this far below the hip.
fn pose_leg(rig: &mut Rig, leg: usize, depth: f32) {
    let bend = (depth / 80.0).acos();
    rig.bones[1 + 2 * leg].rotation = std::f32::consts::FRAC_PI_2 - bend;
    rig.bones[2 + 2 * leg].rotation = 2.0 * bend;
}

#[test]
fn an_animation_that_knows_of_lower_ground_has_its_foot_there() {
    for (below, ground) in [(20.0, 20.0), (14.0, 22.0), (8.0, 8.0)] {
        let mut rig = rig_with(50.0);
        pose_leg(&mut rig, 0, 50.0 + below);
        let mut floor = Terrain::level(ground);
        for _ in 0..90 {
            pass(&mut rig, 1.0 / 60.0, &mut floor);
        }
        let drawn = foot(&rig, 0).y;
        assert!(
            drawn > below - 0.1 && drawn < ground + 0.1,
            "{below} {ground}: {drawn}"
        );
    }
}

#[test]
fn soles_come_to_ground_that_has_taken_the_place_of_another() {
    for moved in [-4.5, 3.0, 4.5] {
        let mut rig = rig();
        for frame in 0..120 {
            let mut floor = Terrain::level(if frame < 30 { 0.0 } else { moved });
            floor.number = if frame < 30 { 7 } else { 8 };
            pass(&mut rig, 1.0 / 60.0, &mut floor);
        }
        for leg in 0..2 {
            assert!(
                (foot(&rig, leg).y - moved).abs() < 0.1,
                "{moved}: {}",
                foot(&rig, leg).y
            );
            assert!(is_planted(&mut rig, leg));
        }
    }
}

/// Legs that stand half folded, on a block.
#[test]
fn a_planted_foot_is_on_its_ground_however_far_the_leg_is_folded() {
    for block in [10.0, 14.0, 20.0] {
        let mut rig = rig_with(50.0);
        let mut floor = Terrain::level(-block);
        for _ in 0..90 {
            pass(&mut rig, 1.0 / 60.0, &mut floor);
        }
        for leg in 0..2 {
            let depth = foot(&rig, leg).y + block;
            assert!(
                !is_planted(&mut rig, leg) || depth < 0.5,
                "{block}: {depth}"
            );
        }
    }
}

/// On ice, under an animation that stands.
#[test]
fn feet_that_slide_away_step_home_one_after_the_other() {
    let mut rig = rig();
    let mut floor = Terrain::level(0.0);
    let (mut lift, mut both, mut before) = (0.0_f32, 0, [Vec2::ZERO; 2]);
    for frame in 0..240 {
        rig.to_global.translation.x = frame as f32;
        pass(&mut rig, 1.0 / 60.0, &mut floor);
        let feet = [0, 1].map(|leg| foot(&rig, leg));
        let planted = [0, 1].map(|leg| is_planted(&mut rig, leg));
        both += i32::from(planted == [false; 2] && frame > 1);
        for leg in 0..2 {
            let skates = (feet[leg].x - before[leg].x).abs();
            let is_low = feet[leg].y > -1.0;
            assert!(
                !is_low || skates < 4.0 || frame == 0,
                "frame {frame}: skates by {skates}"
            );
            lift = lift.max(-feet[leg].y);
        }
        before = feet;
    }
    assert!(lift > 3.0, "lifted by {lift}");
    assert_eq!(both, 0, "ticks with both feet off");
}

/// An animation that moves the skeleton, with feet that it keeps on the ground.
#[test]
fn the_plane_of_an_animation_is_that_of_the_body() {
    for down in [-6.0, -3.0, 5.0, 15.0] {
        let mut rig = rig();
        let mut floor = Terrain::level(0.0);
        for frame in 0..120 {
            let moved = down * (frame as f32 / 30.0).min(1.0);
            rig.to_global.translation = Vec2::new(0.0, moved);
            for leg in 0..2 {
                pose_leg(&mut rig, leg, 70.0 - moved);
            }
            rig.delta = 1.0 / 60.0;
            rig.go_on();
            rig.begin();
            let mut tick = Tick::new(1.0 / 60.0, rig.to_global, None);
            tick.moved = rig.to_global.translation;
            rig.stand(0, tick, &[], true, &mut floor);
            for index in 0..rig.modifiers.len() {
                rig.apply(index, &mut Workspace::default());
            }
            rig.finish();
            let off = foot(&rig, 0).y;
            assert!(off.abs() < 0.05, "{down}, frame {frame}: {off}");
        }
        assert!(is_planted(&mut rig, 0) && is_planted(&mut rig, 1));
    }
}

#[test]
fn who_is_said_to_be_in_the_air_has_no_ground() {
    for (is_in_air, planted) in [(Some(true), false), (Some(false), true), (None, true)] {
        let mut rig = rig();
        for _ in 0..30 {
            rig.delta = 1.0 / 60.0;
            rig.go_on();
            rig.begin();
            let mut tick = Tick::new(1.0 / 60.0, rig.to_global, Some(true));
            tick.is_in_air = is_in_air;
            rig.stand(0, tick, &[], true, &mut Terrain::level(0.0));
            for index in 0..rig.modifiers.len() {
                rig.apply(index, &mut Workspace::default());
            }
            rig.finish();
        }
        assert_eq!(is_planted(&mut rig, 0), planted, "{is_in_air:?}");
    }
}

/// Passes in physics frames, of an animation that goes on in idle frames.
#[test]
fn an_animation_at_half_the_rate_of_the_physics_is_kept_out_of_the_ground() {
    for style in [SHORT, LONG] {
        for height in [hills, upstairs, stairs] {
            let worst = worst_of_held([60, 60], false, height, style, 2);
            assert!(worst.depth < 2.5, "{worst:?}");
            assert!(worst.sunk < 0.5, "{worst:?}");
            assert!(worst.planted > 100, "{worst:?}");
        }
    }
}

#[test]
fn a_mirrored_walk_is_the_mirror_image() {
    for height in [hills, stairs] {
        for (rates, is_idle) in RATES {
            let [one, other] = [1.0, -1.0].map(|mirror| {
                let walk = Walk {
                    rates,
                    is_idle,
                    height,
                    phase: 0.3,
                    style: SHORT,
                    held: 1,
                    mirror,
                };
                walk.run(8.0)
            });
            assert_eq!(one.planted, other.planted, "{rates:?}: {one:?} {other:?}");
            for (one, other) in [
                (one.turn, other.turn),
                (one.added, other.added),
                (one.slide, other.slide),
            ] {
                assert!((one - other).abs() < 2e-3, "{rates:?}: {one} {other}");
            }
        }
    }
}

#[test]
fn a_stair_moves_the_pelvis_of_a_walk_slowly() {
    for (rates, is_idle) in [([60, 60], false), ([60, 60], true), ([144, 60], true)] {
        for height in [upstairs, stairs] {
            let worst = worst_of(rates, is_idle, height, SHORT);
            assert!(worst.pelvis < 2.01, "{rates:?} {is_idle}: {worst:?}");
        }
    }
}
