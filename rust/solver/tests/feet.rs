//! Animated feet on the ground: flat ground, slopes, stairs, moving platforms, mirrors.

use glam::{Affine2, Mat2, Vec2};
use tendon_solver::{
    Bone, End, Foot, FootPlacement, Found, Ground, Modifier, Point, Rig, Snapshot, Solver, Status,
    TwoBone, Workspace,
};

/// A pelvis 70 px above the ground, with two legs of 40 px each, a little bent.
fn rig() -> Rig {
    let mut bones = vec![Bone {
        position: Vec2::new(0.0, -70.0),
        ..Bone::below(None)
    }];
    let bend = (35.0_f32 / 40.0).acos();
    let mut modifiers = vec![Modifier::new(FootPlacement::new(0, Vec::new()))];
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
        placement_in(&mut modifiers).feet.push(Foot {
            limb: Some(leg + 1),
            ..Foot::default()
        });
    }
    let mut rig = Rig::new(bones, modifiers);
    // The rest pose is the base pose.
    rig.begin();
    let rest = (0..rig.bones.len())
        .map(|bone| frame_of(&rig, bone))
        .collect();
    placement(&mut rig).rest = rest;
    rig
}

fn frame_of(rig: &Rig, bone: usize) -> Affine2 {
    let mut frame = rig.local_frame(bone);
    let mut next = rig.bones[bone].parent;
    while let Some(parent) = next {
        frame = rig.local_frame(parent) * frame;
        next = rig.bones[parent].parent;
    }
    frame
}

fn placement_in(modifiers: &mut [Modifier]) -> &mut FootPlacement {
    match &mut modifiers[0].solver {
        Solver::FootPlacement(placement) => placement,
        _ => unreachable!(),
    }
}

fn placement(rig: &mut Rig) -> &mut FootPlacement {
    placement_in(&mut rig.modifiers)
}

/// A body of the world, as a query sees it: a line through `origin` of its frame, along its X axis.
#[derive(Clone, Copy)]
struct Floor {
    body: u32,
    frame: Affine2,
}

impl Floor {
    fn flat(height: f32) -> Self {
        Self {
            body: 1,
            frame: Affine2::from_translation(Vec2::new(0.0, height)),
        }
    }
}

/// A pass with a tick, over what `floor` gives at each place.
fn pass(rig: &mut Rig, delta: f32, floor: impl Fn(f32) -> Option<Floor>, floors: &[Floor]) {
    rig.delta = delta;
    rig.go_on();
    rig.begin();
    let mut rays = Vec::new();
    rig.foot_rays(0, [30.0, 60.0], &mut rays);
    let to_global = rig.to_global;
    let placement = placement(rig);
    placement.ticks += 1;
    let held = placement.memory.before.feet.clone();
    placement.found.resize_with(rays.len(), Found::default);
    for (index, (foot, ray)) in placement.found.iter_mut().zip(&rays).enumerate() {
        let [from, to] = ray
            .expect("there is a limb")
            .map(|end| to_global.transform_point2(end));
        foot.ground = floor(from.x).map(|floor| {
            let axis = floor.frame.matrix2.x_axis;
            let normal = Vec2::new(axis.y, -axis.x).normalize();
            let origin = floor.frame.translation;
            let part = (origin - from).dot(normal) / (to - from).dot(normal);
            Ground {
                position: from + (to - from) * part,
                normal,
                body: floor.body,
                frame: floor.frame,
            }
        });
        let plant = held.get(index).and_then(|foot| foot.plant);
        let body =
            plant.and_then(|plant| floors.iter().find(|floor| floor.body == plant.contact.body));
        foot.held = body.map(|floor| floor.frame);
    }
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
    rig.go_on();
    let is_planted = placement(rig).memory.before.feet[leg].plant.is_some();
    rig.go_on();
    is_planted
}

#[test]
fn on_flat_ground_the_animation_comes_through_to_the_last_bit() {
    let mut rig = rig();
    let floor = Floor::flat(0.0);
    for frame in 0..60 {
        // The body's margin to the ground.
        rig.to_global.translation = Vec2::new(5.0 * frame as f32, -0.08);
        rig.bones[1].rotation += 0.03;
        pass(&mut rig, 1.0 / 60.0, |_| Some(floor), &[floor]);
        for bone in 0..rig.bones.len() {
            assert_eq!(
                rig.rotation(bone).to_bits(),
                rig.bones[bone].rotation.to_bits()
            );
            assert_eq!(rig.position(bone), rig.bones[bone].position);
        }
    }
}

#[test]
fn feet_stand_on_a_step_and_the_pelvis_goes_down_to_the_lower_one() {
    for up in [1.0, -1.0] {
        let mut rig = rig();
        rig.to_global.matrix2 = Mat2::from_diagonal(Vec2::new(up, 1.0));
        rig.bones[1].rotation -= 0.4;
        let (low, high) = (
            Floor::flat(12.0),
            Floor {
                body: 2,
                ..Floor::flat(-6.0)
            },
        );
        let floors = [low, high];
        let floor = |x: f32| Some(if x * up > 5.0 { high } else { low });
        for _ in 0..120 {
            pass(&mut rig, 1.0 / 60.0, floor, &floors);
        }
        let lift = foot(&rig, 0).y + 6.0;
        // The animation has lifted the first foot by bending that leg.
        assert!(lift < 0.0 && lift > -20.0, "{lift}");
        assert!((foot(&rig, 1).y - 12.0).abs() < 0.01);
        assert!((rig.position(0).y + 58.0).abs() < 0.01);
        assert!(is_planted(&mut rig, 1));
    }
}

#[test]
fn a_planted_foot_stays_on_a_platform_that_moves_and_turns() {
    let mut rig = rig();
    let mut floor = Floor::flat(0.0);
    for _ in 0..3 {
        pass(&mut rig, 1.0 / 60.0, |_| Some(floor), &[floor]);
    }
    assert!(is_planted(&mut rig, 0));
    let start = floor.frame.inverse().transform_point2(foot(&rig, 0));
    for frame in 1..60 {
        let time = frame as f32 / 60.0;
        floor.frame =
            Affine2::from_angle_translation(0.2 * time, Vec2::new(30.0 * time, 5.0 * time));
        rig.to_global.translation = Vec2::new(28.0 * time, 5.0 * time);
        pass(&mut rig, 1.0 / 60.0, |_| Some(floor), &[floor]);
        let now = floor.frame.inverse().transform_point2(foot(&rig, 0));
        assert!(now.distance(start) < 0.5, "{frame}: {now} {start}");
    }
    assert!(is_planted(&mut rig, 0));
}

#[test]
fn a_foot_is_let_go_when_its_body_is_gone_or_the_animation_leaves() {
    let mut rig = rig();
    let floor = Floor::flat(0.0);
    for _ in 0..3 {
        pass(&mut rig, 1.0 / 60.0, |_| Some(floor), &[floor]);
    }
    assert!(is_planted(&mut rig, 0));
    pass(&mut rig, 1.0 / 60.0, |_| None, &[]);
    assert!(!is_planted(&mut rig, 0));
    for _ in 0..3 {
        pass(&mut rig, 1.0 / 60.0, |_| Some(floor), &[floor]);
    }
    assert!(is_planted(&mut rig, 0));
    rig.to_global.translation.x += 30.0;
    pass(&mut rig, 1.0 / 60.0, |_| Some(floor), &[floor]);
    assert!(!is_planted(&mut rig, 0));
}

#[test]
fn a_stair_moves_the_pelvis_slowly_also_when_the_body_jumps_it() {
    let mut rig = rig();
    let low = Floor::flat(0.0);
    for _ in 0..10 {
        pass(&mut rig, 1.0 / 60.0, |_| Some(low), &[low]);
    }
    let height = |rig: &Rig| rig.to_global.translation.y + rig.position(0).y;
    let mut before = height(&rig);
    let high = Floor {
        body: 2,
        ..Floor::flat(-16.0)
    };
    for frame in 0..120 {
        if frame == 5 {
            rig.to_global.translation.y = -16.0;
        }
        let floor = if frame < 30 { low } else { high };
        pass(&mut rig, 1.0 / 60.0, |_| Some(floor), &[floor]);
        let now = height(&rig);
        assert!((now - before).abs() <= 2.0, "{frame}: {before} {now}");
        before = now;
    }
    assert!((before + 86.0).abs() < 0.01, "{before}");
}

#[test]
fn no_ground_fades_out() {
    let mut rig = rig();
    let low = Floor::flat(14.0);
    for _ in 0..60 {
        pass(&mut rig, 1.0 / 60.0, |_| Some(low), &[low]);
    }
    let mut before = foot(&rig, 0).y;
    assert!((before - 14.0).abs() < 0.1);
    for _ in 0..120 {
        pass(&mut rig, 1.0 / 60.0, |_| None, &[]);
        let now = foot(&rig, 0).y;
        assert!((now - before).abs() < 6.0);
        before = now;
    }
    assert_eq!(rig.rotation(1).to_bits(), rig.bones[1].rotation.to_bits());
}

#[test]
fn a_state_goes_on_to_the_last_bit() {
    let mut rig = rig();
    let floor = Floor {
        body: 3,
        frame: Affine2::from_angle_translation(0.2, Vec2::new(0.0, 7.0)),
    };
    let walk = |rig: &mut Rig, frames: std::ops::Range<u32>| {
        for frame in frames {
            rig.to_global.translation.x = frame as f32;
            placement(rig).ticks = frame;
            pass(rig, 1.0 / 60.0, |_| Some(floor), &[floor]);
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

/// A walk over ground: how often a second frames are drawn, and ticks of the physics are made.
struct Walk {
    rates: [u32; 2],
    /// Whether passes are in idle frames, with the rays of the pass before.
    is_idle: bool,
    /// How high the ground is.
    height: fn(f32) -> f32,
    /// How high the feet are lifted.
    lift: f32,
    /// Where the animation begins, in steps.
    phase: f32,
}

/// The worst of a walk.
#[derive(Debug, Default)]
struct Worst {
    /// How far a planted foot moved on the ground in a frame.
    slide: f32,
    /// How much a thigh turned in a frame.
    turn: f32,
    /// How deep a foot was in the ground.
    depth: f32,
    pelvis: f32,
    planted: u32,
}

/// Of a frame: the tips, whether they are planted, the angles of the thighs, and the pelvis.
type Seen = ([Vec2; 2], [bool; 2], [f32; 2], f32);

impl Walk {
    const SPEED: f32 = 90.0;
    const STRIDE: f32 = 36.0;

    /// Where the animation has the foot of a leg, from below the hip.
    fn animated(&self, time: f32, leg: usize) -> Vec2 {
        let half = Self::STRIDE / Self::SPEED;
        let phase = (time / half + leg as f32 + self.phase).rem_euclid(2.0);
        if phase < 1.0 {
            return Vec2::new((0.5 - phase) * Self::STRIDE, 0.0);
        }
        let swing = phase - 1.0;
        let ahead = -0.5 * (std::f32::consts::PI * swing).cos();
        let lift = self.lift * (std::f32::consts::PI * swing).sin();
        Vec2::new(ahead * Self::STRIDE, -lift)
    }

    fn sense(&self, rig: &mut Rig, rays: &[Option<[Vec2; 2]>]) {
        let to_global = rig.to_global;
        let placement = placement(rig);
        placement.ticks += 1;
        placement.found.resize_with(rays.len(), Found::default);
        for (foot, ray) in placement.found.iter_mut().zip(rays) {
            foot.held = Some(Affine2::IDENTITY);
            foot.ground = ray.and_then(|ends| {
                let [from, to] = ends.map(|end| to_global.transform_point2(end));
                let place = Vec2::new(from.x, -(self.height)(from.x));
                let ahead = (self.height)(from.x + 0.01) + place.y;
                // A riser is not seen from above.
                let slope = if ahead.abs() > 0.05 { 0.0 } else { ahead };
                let slope = Vec2::new(-slope, -0.01);
                (from.y < place.y && place.y < to.y).then_some(Ground {
                    position: place,
                    normal: slope.normalize(),
                    body: 0,
                    frame: Affine2::IDENTITY,
                })
            });
        }
    }

    /// Where the body is, a tick after it was at `before`: it is moved up at once, and falls.
    fn body(&self, tick: u32, before: Vec2, fall: &mut f32) -> Vec2 {
        let time = 1.0 / self.rates[1] as f32;
        let x = Self::SPEED * tick as f32 * time;
        let ground = -(self.height)(x);
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
        let mut rig = rig();
        let [fps, physics] = self.rates;
        let mut rays = Vec::new();
        let mut ticks = 0;
        let mut worst = Worst::default();
        let mut before: Option<Seen> = None;
        let frames = (seconds * fps as f32) as u32;
        for frame in 0..frames {
            let time = frame as f32 / fps as f32;
            let due = (u64::from(frame) * u64::from(physics) / u64::from(fps)) as u32;
            while ticks < due {
                ticks += 1;
                rig.to_global.translation = self.body(ticks, rig.to_global.translation, &mut fall);
                if self.is_idle {
                    self.sense(&mut rig, &rays);
                }
            }
            for leg in 0..2 {
                let tip = Vec2::new(0.0, 70.0) + self.animated(time, leg);
                let bend = (tip.length() / 80.0).acos();
                rig.bones[1 + 2 * leg].rotation = tip.y.atan2(tip.x) - bend;
                rig.bones[2 + 2 * leg].rotation = 2.0 * bend;
            }
            rig.delta = 1.0 / fps as f32;
            rig.go_on();
            rig.begin();
            rig.foot_rays(0, [30.0, 60.0], &mut rays);
            if !self.is_idle {
                self.sense(&mut rig, &rays);
            }
            placement(&mut rig)
                .found
                .iter_mut()
                .for_each(|foot| foot.held = Some(Affine2::IDENTITY));
            for index in 0..rig.modifiers.len() {
                rig.apply(index, &mut Workspace::default());
            }
            rig.finish();
            let tips = [0, 1].map(|leg| foot(&rig, leg));
            let planted = [0, 1].map(|leg| is_planted(&mut rig, leg));
            let turns = [1, 3].map(|bone| rig.rotation(bone));
            let pelvis = rig.to_global.translation.y + rig.position(0).y;
            if let Some((old_tips, old_planted, old_turns, old_pelvis)) =
                before.filter(|_| time > 0.2)
            {
                for leg in 0..2 {
                    let slide = tips[leg].distance(old_tips[leg]);
                    let turn = (turns[leg] - old_turns[leg]).abs();
                    if planted[leg] && old_planted[leg] {
                        worst.slide = worst.slide.max(slide);
                        worst.planted += 1;
                    }
                    worst.turn = worst.turn.max(turn);
                    let depth = tips[leg].y + (self.height)(tips[leg].x);
                    worst.depth = worst.depth.max(depth);
                }
                worst.pelvis = worst.pelvis.max((pelvis - old_pelvis).abs());
            }
            before = Some((tips, planted, turns, pelvis));
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

fn upstairs(x: f32) -> f32 {
    16.0 * (x / 48.0).floor().max(0.0)
}

fn stairs(x: f32) -> f32 {
    let step = (x / 48.0).floor();
    16.0 * if step < 8.0 { step } else { 16.0 - step }.max(0.0)
}

/// The worst of walks that begin in all phases of a step.
fn worst_of(rates: [u32; 2], is_idle: bool, height: fn(f32) -> f32) -> Worst {
    let mut worst = Worst::default();
    for tenth in 0..20 {
        let walk = Walk {
            rates,
            is_idle,
            height,
            lift: 22.0,
            phase: 0.1 * tenth as f32,
        };
        let one = walk.run(8.0);
        worst.slide = worst.slide.max(one.slide);
        worst.turn = worst.turn.max(one.turn);
        worst.depth = worst.depth.max(one.depth);
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
fn planted_feet_do_not_slide_at_any_rate() {
    for height in [level, hills, upstairs, stairs] {
        for (rates, is_idle) in RATES {
            let worst = worst_of(rates, is_idle, height);
            assert!(worst.slide < 0.5, "{rates:?} {is_idle}: {worst:?}");
            assert!(worst.planted > 100, "{rates:?} {is_idle}: {worst:?}");
        }
    }
}

#[test]
fn a_walk_over_hills_turns_no_joint_too_far_and_no_foot_is_in_the_ground() {
    for (rates, is_idle) in RATES {
        let worst = worst_of(rates, is_idle, hills);
        assert!(worst.turn < 0.3, "{rates:?} {is_idle}: {worst:?}");
        assert!(worst.depth < 1.0, "{rates:?} {is_idle}: {worst:?}");
    }
}

#[test]
fn a_walk_over_stairs_turns_no_joint_too_far() {
    for (rates, is_idle) in [([60, 60], false), ([60, 60], true), ([144, 60], true)] {
        let worst = worst_of(rates, is_idle, upstairs);
        assert!(worst.turn < 0.3, "{rates:?} {is_idle}: {worst:?}");
        assert!(worst.pelvis < 2.0, "{rates:?} {is_idle}: {worst:?}");
        let worst = worst_of(rates, is_idle, stairs);
        assert!(worst.turn < 0.3, "{rates:?} {is_idle}: {worst:?}");
    }
}
