//! Turns raw bytes into rigs.

use arbitrary::Unstructured;
use glam::{Affine2, Mat2, Vec2};
use tendon_solver::{
    Aimed, Algorithm, Approach, Bone, Chain, ChainIk, Channel, CopyTransform, Curve, CurvePoint,
    Custom, Direction, Ease, Effector, Elasticity, End, Foot, FootSettings, FullBody,
    FullBodySettings, GaitOrder, GaitSettings, HandoverSettings, Heading, Hold, Impulses,
    LimbShape, Limit, LimitSpace, Local, Lock, LookAt, LookAtSettings, Mapping, MappingMemory,
    MappingSettings, Memory, Modifier, Obstacle, Order, Path, PathMemory, PelvisSettings, Point,
    Push, Ragdoll, RagdollSettings, RagdollTick, Rest, Rig, Sample, Scripted, Shape, Slider,
    SliderSettings, SliderSource, Solid, Solver, Space, Spline, SplineSettings, Spring,
    SpringSettings, Stance, Sweep, Trace, Trail, TrailSettings, Transition, Tuning, TwoBone,
    TwoBoneSettings, Wave, WaveSettings,
};

/// What numbers may be.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Numbers {
    /// As in a game.
    Tame,
    /// Now and then zero, tiny or huge.
    Finite,
    /// Now and then anything.
    Wild,
}

/// The kind of a modifier, with its settings.
#[derive(Clone, Copy)]
enum Kind {
    LookAt(LookAtSettings),
    TwoBone(TwoBoneSettings),
    ChainIk(Algorithm, Approach),
    Spring(SpringSettings),
    Spline(SplineSettings),
    Trail(TrailSettings),
    Wave(WaveSettings),
    CopyTransform(MappingSettings),
    Slider,
    Ragdoll,
    FullBody(FullBodySettings),
    Custom,
}

impl Kind {
    /// How many joints it turns; `None` for any number.
    fn joints(self) -> Option<usize> {
        match self {
            Self::LookAt(_) => Some(1),
            Self::TwoBone(_) => Some(2),
            _ => None,
        }
    }

    fn takes_heading(self) -> bool {
        matches!(self, Self::TwoBone(_) | Self::ChainIk(..))
    }

    fn takes_obstacles(self) -> bool {
        matches!(self, Self::ChainIk(..) | Self::Spring(_))
    }

    fn takes_tuning(self) -> bool {
        matches!(self, Self::Spring(_) | Self::Wave(_))
    }

    fn takes_pin(self) -> bool {
        matches!(self, Self::Spring(_) | Self::Trail(_))
    }
}

/// What a modifier may be given. Each kind takes what it has.
struct Given {
    joints: Vec<usize>,
    end: End,
    target: Point,
    elasticity: Elasticity,
    path: Option<Path>,
    path_memory: Option<PathMemory>,
    pole: Option<Point>,
    heading: Option<Direction>,
    /// A bone that hangs on the last joint.
    child: Option<usize>,
    effectors: Vec<Effector>,
    obstacles: Vec<Obstacle>,
    tuning: Option<Box<Tuning>>,
    /// Where a spring's end is held, and how long the chain is then; where a trail's leader is.
    pin: Option<(Point, f32)>,
    deterministic: bool,
    memory: Option<Memory>,
}

impl Given {
    /// The modifier.
    fn to(self, kind: Kind) -> Solver {
        match kind {
            Kind::LookAt(settings) => self.look_at(settings).into(),
            Kind::TwoBone(settings) => self.two_bone(settings).into(),
            Kind::ChainIk(algorithm, approach) => self.chain_ik(algorithm, approach).into(),
            Kind::Spring(settings) => self.spring(settings).into(),
            Kind::Spline(settings) => self.spline(settings).into(),
            Kind::Trail(settings) => self.trail(settings).into(),
            Kind::Wave(settings) => self.wave(settings).into(),
            Kind::FullBody(settings) => self.full_body(settings).into(),
            Kind::CopyTransform(_) | Kind::Slider | Kind::Ragdoll | Kind::Custom => {
                unreachable!("they take other things")
            }
        }
    }

    fn look_at(self, settings: LookAtSettings) -> LookAt {
        let mut look_at = LookAt::new(Chain::new(self.joints, self.end), self.target);
        look_at.settings = settings;
        look_at.memory.before = self.memory.unwrap_or_default();
        look_at
    }

    fn two_bone(self, settings: TwoBoneSettings) -> TwoBone {
        // Two times the same bone is unsound.
        let joints = [self.joints[0], self.joints[self.joints.len() - 1]];
        let heading = self.child.zip(self.heading);
        let mut two_bone = TwoBone {
            pole: self.pole,
            heading: heading.map(|(bone, direction)| Heading {
                bone,
                direction: Aimed::at(direction),
            }),
            elasticity: self.elasticity,
            settings,
            ..TwoBone::new(joints, self.end, self.target)
        };
        two_bone.memory.before = self.memory.unwrap_or_default();
        two_bone
    }

    fn chain_ik(self, algorithm: Algorithm, approach: Approach) -> ChainIk {
        let mut chain_ik = ChainIk {
            effectors: self.effectors,
            heading: self.heading.into(),
            elasticity: self.elasticity,
            obstacles: self.obstacles,
            approach,
            deterministic: self.deterministic,
            ..ChainIk::new(algorithm, Chain::new(self.joints, self.end), self.target)
        };
        chain_ik.memory.before = self.memory.unwrap_or_default();
        chain_ik
    }

    fn full_body(self, settings: FullBodySettings) -> FullBody {
        FullBody {
            settings,
            ..FullBody::new(self.joints, self.effectors)
        }
    }

    fn spring(self, settings: SpringSettings) -> Spring {
        Spring {
            obstacles: self.obstacles,
            tuning: self.tuning,
            pin: self.pin.map(|(pin, _)| pin).into(),
            slack: self.pin.map_or(1.0, |(_, slack)| slack),
            settings,
            ..Spring::new(Chain::new(self.joints, self.end))
        }
    }

    fn spline(self, settings: SplineSettings) -> Spline {
        let path = self.path.expect("a chain along a path is given one");
        let mut spline = Spline::new(Chain::new(self.joints, self.end), path);
        spline.stretch = self.elasticity.stretch;
        spline.settings = settings;
        if let Some(path_memory) = self.path_memory {
            spline.memory.before = path_memory;
            spline.memory.before.pose = self.memory.unwrap_or_default();
        }
        spline
    }

    fn trail(self, settings: TrailSettings) -> Trail {
        Trail {
            leader: self.pin.map(|(leader, _)| leader),
            settings,
            ..Trail::new(Chain::new(self.joints, self.end))
        }
    }

    fn wave(self, settings: WaveSettings) -> Wave {
        let factors = self.tuning.map_or_else(Vec::new, |tuning| tuning.frequency);
        Wave {
            factors,
            settings,
            ..Wave::new(Chain::new(self.joints, self.end))
        }
    }
}

/// The bytes that are left. When there are none, every choice is the simplest one.
pub struct Source<'a> {
    bytes: Unstructured<'a>,
    numbers: Numbers,
}

impl<'a> Source<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        let mut source = Self {
            bytes: Unstructured::new(bytes),
            numbers: Numbers::Tame,
        };
        source.numbers = match source.below(4) {
            0 => Numbers::Wild,
            1 => Numbers::Finite,
            _ => Numbers::Tame,
        };
        source
    }

    /// A rig, which may be unsound, and whether all its numbers are tame.
    pub fn rig(mut self) -> (Rig, bool) {
        let count = 1 + self.below(10);
        let mut rig = Rig::default();
        for index in 0..count {
            let bone = self.bone(index);
            rig.bones.push(bone);
        }
        for _ in 0..=self.below(3) {
            let modifier = self.modifier(&rig);
            rig.modifiers.push(modifier);
        }
        if self.once_in(4) {
            let stance = self.stance(&rig);
            for limb in &mut rig.modifiers {
                limb.awaits_goal = self.once_in(2);
            }
            rig.modifiers.insert(0, Modifier::new(stance));
        }
        rig.delta = self.mostly(1.0 / 60.0, -0.1, 3.0);
        (rig, self.numbers == Numbers::Tame)
    }

    fn below(&mut self, count: usize) -> usize {
        self.bytes.int_in_range(0..=count - 1).unwrap_or(0)
    }

    /// True once in `count` times.
    fn once_in(&mut self, count: usize) -> bool {
        self.below(count) == count - 1
    }

    fn number(&mut self, least: f32, greatest: f32) -> f32 {
        let part = self.bytes.arbitrary::<u16>().unwrap_or(0);
        let tame = least + f32::from(part) / f32::from(u16::MAX) * (greatest - least);
        if self.numbers == Numbers::Tame || !self.once_in(12) {
            return tame;
        }
        let any = f32::from_bits(self.bytes.arbitrary().unwrap_or(0));
        let edges = [0.0, -0.0, 1e-40, 1e-20, -1e15, 1e20, 3e38, 1.0];
        let is_any = self.numbers == Numbers::Wild || any.is_finite() && self.once_in(2);
        if is_any {
            any
        } else {
            edges[self.below(edges.len())]
        }
    }

    /// `usual`, or else a number.
    fn mostly(&mut self, usual: f32, least: f32, greatest: f32) -> f32 {
        if self.once_in(3) {
            self.number(least, greatest)
        } else {
            usual
        }
    }

    fn vector(&mut self, size: f32) -> Vec2 {
        Vec2::new(self.number(-size, size), self.number(-size, size))
    }

    fn angle(&mut self) -> f32 {
        self.number(-7.0, 7.0)
    }

    fn bone(&mut self, index: usize) -> Bone {
        let parent = match self.below(8) {
            0 => None,
            1 if index > 0 => Some(self.below(index)),
            _ => index.checked_sub(1),
        };
        let mirror = if self.once_in(6) { -1.0 } else { 1.0 };
        let mut bone = Bone {
            position: self.vector(50.0),
            rotation: self.angle(),
            scale: Vec2::new(
                self.mostly(1.0, 0.3, 2.0),
                mirror * self.mostly(1.0, 0.3, 2.0),
            ),
            skew: self.mostly(0.0, -0.8, 0.8),
            ..Bone::below(parent)
        };
        if self.once_in(4) {
            bone.limit = Some(self.limit()).filter(Limit::is_sound);
        }
        bone
    }

    fn limit(&mut self) -> Limit {
        let min = self.number(-3.0, 1.0);
        Limit {
            rest: self.angle(),
            min,
            max: min + self.number(0.0, 4.0),
            space: if self.once_in(3) {
                LimitSpace::Skeleton
            } else {
                LimitSpace::Parent
            },
            stiffness: self.mostly(0.0, 0.0, 1.0),
        }
    }

    fn point(&mut self, bone: Option<usize>) -> Point {
        Point {
            bone,
            position: self.vector(if bone.is_some() { 30.0 } else { 150.0 }),
        }
    }

    /// A point in skeleton space, or on a bone that `root` does not carry.
    fn aim(&mut self, rig: &Rig, root: usize) -> Point {
        let bone = self.below(rig.bones.len());
        let is_free = self.once_in(3) && !rig.carries(Some(root), Some(bone));
        self.point(is_free.then_some(bone))
    }

    fn approach(&mut self) -> Approach {
        Approach {
            max_iterations: self.below(24) as u32,
            tolerance: self.mostly(0.01, 0.0, 1.0),
        }
    }

    fn kind(&mut self) -> Kind {
        match self.below(14) {
            0 => Kind::LookAt(LookAtSettings {
                additional_rotation: self.mostly(0.0, -3.0, 3.0),
            }),
            1 => Kind::TwoBone(TwoBoneSettings {
                flip_bend_direction: self.once_in(2),
                min_distance: self.mostly(0.0, 0.0, 60.0),
                max_distance: self.mostly(0.0, 0.0, 60.0),
            }),
            2 => Kind::Spline(SplineSettings {
                progress: self.number(-300.0, 600.0),
                move_root: self.once_in(2),
            }),
            3 => {
                let root_first = self.once_in(2);
                Kind::ChainIk(Algorithm::Ccd(Sweep { root_first }), self.approach())
            }
            4 | 5 => Kind::ChainIk(Algorithm::Fabrik, self.approach()),
            6 => Kind::CopyTransform(self.copy_transform()),
            7 => Kind::Slider,
            8 => Kind::Ragdoll,
            9 => Kind::Custom,
            10 => Kind::Trail(TrailSettings {
                max_bend: self.mostly(0.8, 0.0, 3.0),
                stiffness: self.mostly(0.0, 0.0, 1.0),
                resets: 0,
            }),
            11 => Kind::Wave(WaveSettings {
                amplitude: self.mostly(0.3, -3.0, 3.0),
                wave_length: self.mostly(1.0, -2.0, 2.0),
                speed: self.mostly(1.0, -5.0, 5.0),
                phase: self.mostly(0.0, -2.0, 2.0),
            }),
            12 => Kind::FullBody(FullBodySettings {
                root_stiffness: self.mostly(0.3, -0.5, 1.5),
                max_root_distance: self.mostly(0.0, -1.0, 60.0),
                max_iterations: self.below(16) as u32,
                tolerance: self.mostly(0.05, 0.0, 1.0),
            }),
            _ => Kind::Spring(self.spring()),
        }
    }

    fn spring(&mut self) -> SpringSettings {
        SpringSettings {
            frequency: self.number(0.0, 20.0),
            damping_ratio: self.mostly(0.4, 0.0, 2.0),
            gravity: if self.once_in(2) {
                self.vector(2_000.0)
            } else {
                Vec2::ZERO
            },
            inertia: self.mostly(1.0, 0.0, 1.0),
            max_angle: self.mostly(0.0, 0.0, 1.0),
            radius: self.mostly(0.0, 0.0, 10.0),
            pushed: if self.once_in(3) {
                self.vector(1_000.0)
            } else {
                Vec2::ZERO
            },
            impulses: self.impulses(),
            resets: 0,
        }
    }

    fn impulses(&mut self) -> Impulses {
        let mut impulses = Impulses::default();
        if self.once_in(3) {
            let share = self.mostly(1.0, 0.0, 1.0);
            impulses.add(share, self.vector(1_000.0));
        }
        impulses
    }

    fn copy_transform(&mut self) -> MappingSettings {
        let channels = [
            Channel::Rotation,
            Channel::PositionX,
            Channel::PositionY,
            Channel::ScaleX,
            Channel::ScaleY,
        ];
        let spaces = [Space::Parent, Space::Skeleton, Space::Global];
        MappingSettings {
            source_channel: channels[self.below(channels.len())],
            bone_channel: channels[self.below(channels.len())],
            source_range: Vec2::new(self.mostly(0.0, -3.0, 3.0), self.mostly(1.0, -3.0, 3.0)),
            bone_range: Vec2::new(self.mostly(0.0, -3.0, 3.0), self.mostly(1.0, -3.0, 3.0)),
            clamp: self.once_in(3),
            space: spaces[self.below(spaces.len())],
            relative: self.once_in(2),
            additive: self.once_in(3),
        }
    }

    fn rest(&mut self) -> Rest {
        let mut frame = || {
            let turn = Affine2::from_angle(self.angle());
            Affine2::from_translation(self.vector(30.0)) * turn
        };
        Rest {
            mount: frame(),
            frame: frame(),
        }
    }

    /// What a bone copies, which it does not carry.
    fn mapping(&mut self, rig: &Rig, root: usize) -> Mapping {
        let rest = self.once_in(2).then(|| self.rest());
        let place = self.aim(rig, root);
        let source = match place.bone {
            Some(bone) if self.once_in(2) => tendon_solver::Source::Bone {
                bone,
                rest: self.once_in(2).then(|| self.rest()),
            },
            carrier => tendon_solver::Source::Node {
                carrier,
                frame: Affine2::from_angle_translation(self.angle(), place.position),
                local: Local {
                    position: place.position,
                    rotation: self.angle(),
                    scale: Vec2::new(self.mostly(1.0, -2.0, 2.0), self.mostly(1.0, -2.0, 2.0)),
                },
            },
        };
        Mapping {
            source: (!self.once_in(5)).then_some(source),
            rest,
        }
    }

    fn copy_modifier(&mut self, rig: &Rig, settings: MappingSettings) -> Modifier {
        let bone = self.below(rig.bones.len());
        let influence = self.mostly(1.0, 0.0, 1.0);
        let end = End::Point(self.point(Some(bone)));
        let mut copy = CopyTransform::new(bone, end, self.mapping(rig, bone));
        copy.settings = settings;
        copy.memory.before = self.once_in(2).then(|| MappingMemory {
            angle: self.angle(),
            turns: self.number(-5.0, 5.0).round(),
            swing: self.number(-9.0, 9.0),
        });
        let mut modifier = Modifier::new(copy);
        modifier.influence = influence;
        modifier
    }

    /// What a chain along a path may have carried on.
    fn path_memory(&mut self, joints: usize) -> PathMemory {
        let joints = (0..joints).map(|_| Trace {
            segment: self.below(4) as u32,
            at: self.number(0.0, 1.0),
            beyond: self.mostly(0.0, -50.0, 50.0),
            place: self.vector(100.0),
            base: self.angle(),
        });
        PathMemory {
            joints: joints.collect(),
            progress: self.number(-100.0, 500.0),
            factor: self.mostly(1.0, 1.0, 2.0),
            growth: Vec2::new(self.mostly(0.0, -0.5, 0.5), self.mostly(0.0, -8.0, 8.0)),
            pose: Memory::default(),
        }
    }

    fn slider_modifier(&mut self, rig: &Rig) -> Modifier {
        let mapping = self.copy_transform();
        let source = match self.once_in(2) {
            true => SliderSource::Bone(self.below(rig.bones.len())),
            false => SliderSource::Node(Local {
                position: self.vector(30.0),
                rotation: self.angle(),
                scale: Vec2::ONE,
            }),
        };
        let samples = (0..=self.below(5)).map(|_| Sample {
            bone: self.below(rig.bones.len()),
            channel: self.copy_transform().bone_channel,
            value: self.mostly(1.0, -4.0, 4.0),
            rest: self.mostly(1.0, -4.0, 4.0),
        });
        let mut slider = Slider::new(source, samples.collect());
        slider.settings = SliderSettings {
            channel: mapping.source_channel,
            source_range: mapping.source_range,
            time_range: mapping.bone_range,
            loops: mapping.clamp,
            additive: mapping.additive,
        };
        let mut modifier = Modifier::new(slider);
        modifier.influence = self.mostly(1.0, 0.0, 1.0);
        modifier
    }

    /// What hangs on a bone falls for a few ticks, onto a board or onto nothing.
    fn ragdoll_modifier(&mut self, rig: &Rig, root: usize) -> Modifier {
        let bones = root..rig.bones.len();
        let joints: Vec<_> = bones
            .filter(|&bone| rig.carries(Some(root), Some(bone)))
            .collect();
        let shapes = joints.iter().map(|_| LimbShape {
            from: self.vector(10.0),
            to: self.vector(40.0),
            radius: self.once_in(2).then(|| self.number(0.0, 20.0)),
            spread: 0.0,
            mass: None,
            frequency: self.once_in(4).then(|| self.number(0.0, 20.0)),
        });
        let mut ragdoll = Ragdoll::new(joints.clone(), shapes.collect());
        ragdoll.is_carried = self.once_in(3);
        ragdoll.settings = RagdollSettings {
            simulating: !self.once_in(6),
            frequency: self.mostly(0.0, 0.0, 20.0),
            damping_ratio: self.mostly(0.7, 0.0, 2.0),
            root_frequency: self.mostly(0.0, 0.0, 20.0),
            mass: self.mostly(10.0, 0.1, 100.0),
            friction: self.mostly(0.6, 0.0, 1.0),
            bounce: self.mostly(0.0, 0.0, 1.0),
            linear_damp: self.mostly(0.0, 0.0, 10.0),
            angular_damp: self.mostly(0.0, 0.0, 10.0),
            joint_damping: self.mostly(3.5, 0.0, 20.0),
            self_collision: self.once_in(3),
            ..RagdollSettings::default()
        };
        let (low, height) = (self.number(-20.0, 80.0), self.mostly(50.0, 1.0, 60.0));
        let corners = [
            (-200.0, low),
            (200.0, low),
            (200.0, low + height),
            (-200.0, low + height),
        ];
        for _ in 0..1 + self.below(4) {
            let mut tick = RagdollTick {
                delta: self.mostly(1.0 / 60.0, 0.0, 0.2),
                gravity: self.vector(1000.0),
                ..RagdollTick::default()
            };
            if self.once_in(2) {
                let solid = Solid {
                    friction: self.mostly(1.0, 0.0, 1.0),
                    velocity: self.vector(100.0),
                    moves: self.once_in(2),
                    ..Solid::default()
                };
                tick.push(solid, corners.map(|(x, y)| Vec2::new(x, y)));
            }
            ragdoll.ticks.push(tick);
        }
        if self.once_in(3) {
            ragdoll.pushes.push(Push {
                hold: Hold::Link(self.below(joints.len())),
                impulse: self.vector(3000.0),
            });
        }
        if self.once_in(4) {
            ragdoll.breaks.push(self.below(joints.len()));
        }
        if self.once_in(6) {
            ragdoll.settings.break_torque = self.number(0.0, 1e6);
        }
        let mut modifier = Modifier::new(ragdoll);
        modifier.influence = self.mostly(1.0, 0.0, 1.0);
        modifier
    }

    /// Feet of the modifiers of `rig`, before which it is put.
    fn stance(&mut self, rig: &Rig) -> Stance {
        let limbs = 1..=rig.modifiers.len();
        let feet = limbs.map(|limb| Foot {
            limb: (!self.once_in(8)).then_some(limb),
            bone: self.once_in(3).then(|| self.below(rig.bones.len())),
            toes: self.once_in(6).then(|| self.below(rig.bones.len())),
            end: None,
            settings: FootSettings {
                influence: self.mostly(1.0, 0.0, 1.0),
                sole_height: self.mostly(0.0, -5.0, 20.0),
                max_slope: self.mostly(0.8, 0.0, 2.0),
                lock: [Lock::None, Lock::Position, Lock::PositionAndRotation][self.below(3)],
                plant_speed: self.mostly(60.0, 0.0, 1_000.0),
                unplant_distance: self.mostly(20.0, 0.0, 100.0),
            },
        });
        let feet = feet.collect();
        let mut stance = Stance::new(self.below(rig.bones.len()), feet);
        stance.rest = rig.bones.iter().map(|_| self.place()).collect();
        stance.up = match self.once_in(3) {
            true => self.vector(1.0),
            false => Vec2::NEG_Y,
        };
        stance.is_up_of_skeleton = self.once_in(3);
        stance.stand_height = self.mostly(0.0, 0.0, 100.0);
        stance.search_up = self.mostly(30.0, 0.0, 100.0);
        stance.search_down = self.mostly(60.0, 0.0, 100.0);
        stance.pelvis_settings = PelvisSettings {
            max_pelvis_drop: self.mostly(40.0, 0.0, 100.0),
            max_pelvis_rise: self.mostly(0.0, 0.0, 100.0),
            pelvis_frequency: self.mostly(3.0, 0.0, 20.0),
        };
        stance.gait = self.once_in(2).then(|| self.gait());
        stance
    }

    fn gait(&mut self) -> GaitSettings {
        let orders = [GaitOrder::Alternate, GaitOrder::Wave, GaitOrder::Free];
        GaitSettings {
            gait: orders[self.below(orders.len())],
            step_distance: self.mostly(30.0, 0.0, 100.0),
            step_height: self.mostly(12.0, 0.0, 50.0),
            step_duration: self.mostly(0.0, 0.0, 1.0),
            overshoot: self.mostly(0.1, 0.0, 1.0),
            max_lifted: self.below(4) as u32,
            body_height: self.mostly(0.0, 0.0, 100.0),
            body_tilt: self.mostly(0.5, 0.0, 1.0),
            body_motion: self.mostly(0.0, 0.0, 1.0),
            settle_time: self.mostly(0.3, 0.0, 1.0),
        }
    }

    fn place(&mut self) -> Affine2 {
        Affine2::from_angle_translation(self.angle(), self.vector(80.0))
    }

    fn script_modifier(&mut self, rig: &Rig) -> Modifier {
        let influence = self.mostly(1.0, 0.0, 1.0);
        let mut custom = Custom::default();
        for bone in 0..rig.bones.len() {
            if self.once_in(2) {
                let rotation = self.angle();
                custom.scripted.push(Scripted { bone, rotation });
            }
        }
        let mut modifier = Modifier::new(custom);
        modifier.influence = influence;
        modifier
    }

    /// Up to `most` bones that end at `last`, root first; some may be left out.
    fn line(&mut self, rig: &Rig, last: usize, most: usize) -> Vec<usize> {
        let mut line = vec![last];
        let mut next = rig.bones[last].parent;
        while let Some(bone) = next.filter(|_| line.len() < most) {
            if !self.once_in(8) {
                line.push(bone);
            }
            next = rig.bones[bone].parent;
        }
        line.reverse();
        line
    }

    fn modifier(&mut self, rig: &Rig) -> Modifier {
        let kind = self.kind();
        let last = rig.bones.len() - 1 - self.below(rig.bones.len());
        match kind {
            Kind::CopyTransform(settings) => return self.copy_modifier(rig, settings),
            Kind::Slider => return self.slider_modifier(rig),
            Kind::Custom => return self.script_modifier(rig),
            Kind::Ragdoll => return self.ragdoll_modifier(rig, last),
            _ => {}
        }
        let most = kind.joints().unwrap_or_else(|| 1 + self.below(8));
        let joints = self.line(rig, last, most);
        let active = !self.once_in(10);
        let influence = self.mostly(1.0, 0.0, 1.0);
        let given = self.given(rig, kind, joints, most);
        let mut modifier = Modifier::new(given.to(kind));
        (modifier.active, modifier.influence) = (active, influence);
        if self.once_in(3) {
            modifier.set_handover(self.handover());
        }
        modifier
    }

    fn handover(&mut self) -> HandoverSettings {
        HandoverSettings {
            duration: self.mostly(0.1, 0.0, 2.0),
            transition: Transition::ALL[self.below(Transition::ALL.len())],
            ease: Ease::ALL[self.below(Ease::ALL.len())],
            max_turn_speed: self.mostly(0.0, 0.0, 20.0),
        }
    }

    /// Everything for a modifier of at `most` so many joints.
    fn given(&mut self, rig: &Rig, kind: Kind, joints: Vec<usize>, most: usize) -> Given {
        let (root, last) = (joints[0], joints[joints.len() - 1]);
        let tip = self.point(Some(last));
        let target = self.aim(rig, root);
        let is_spline = matches!(kind, Kind::Spline(_));
        let path_memory = (is_spline && self.once_in(2)).then(|| self.path_memory(joints.len()));
        let elasticity = Elasticity {
            softness: self.mostly(0.0, 0.0, 1.0),
            stretch: self.mostly(1.0, 1.0, 2.0),
        };
        let child = (last + 1..rig.bones.len()).find(|&bone| rig.bones[bone].parent == Some(last));
        let path = is_spline.then(|| self.path(rig, root));
        let is_ended_by_bone = self.once_in(3) && most > 1;
        let end_bone = child.filter(|_| is_ended_by_bone);
        let mut given = Given {
            joints,
            end: end_bone.map_or(End::Point(tip), End::Bone),
            target,
            elasticity,
            path,
            path_memory,
            pole: None,
            heading: None,
            child,
            effectors: Vec::new(),
            obstacles: Vec::new(),
            tuning: None,
            pin: None,
            deterministic: false,
            memory: None,
        };
        self.shape(rig, kind, most, &mut given);
        given.deterministic = self.once_in(4);
        if self.once_in(3) {
            given.memory = Some(self.memory(&given));
        }
        given
    }

    /// What shapes a reach besides its target.
    fn shape(&mut self, rig: &Rig, kind: Kind, most: usize, given: &mut Given) {
        let root = given.joints[0];
        if self.once_in(4) && matches!(kind, Kind::TwoBone(_)) {
            given.pole = Some(self.aim(rig, root));
        }
        if kind.takes_heading() && self.once_in(4) && most > 1 {
            let direction = self.aim(rig, root);
            given.heading = Some(Direction {
                bone: direction.bone,
                vector: direction.position,
            });
        }
        let is_body = matches!(kind, Kind::FullBody(_));
        if is_body || matches!(kind, Kind::ChainIk(Algorithm::Fabrik, _)) && self.once_in(4) {
            self.branch(rig, given);
        }
        if is_body && given.effectors.is_empty() {
            given.effectors.push(Effector::new(given.end, given.target));
        }
        if kind.takes_obstacles() && self.once_in(4) {
            for _ in 0..=self.below(3) {
                let obstacle = self.obstacle(rig, root);
                given.obstacles.push(obstacle);
            }
        }
        if kind.takes_tuning() && self.once_in(3) {
            let joints = given.joints.len();
            given.tuning = Some(Box::new(Tuning {
                frequency: (0..joints).map(|_| self.number(0.0, 2.0)).collect(),
                damping: (0..joints).map(|_| self.number(0.0, 2.0)).collect(),
            }));
        }
        if kind.takes_pin() && self.once_in(3) {
            given.pin = Some((given.target, self.mostly(1.0, 0.0, 3.0)));
        }
    }

    /// What may be remembered, of this modifier as well as of another.
    fn memory(&mut self, given: &Given) -> Memory {
        let joints = given.joints.len() + usize::from(self.once_in(8));
        let tips = 1 + given.effectors.len() - usize::from(self.once_in(8));
        let is_in_transition = self.once_in(3);
        let swings: Vec<f32> = (0..joints).map(|_| self.angle()).collect();
        let moving = if is_in_transition { joints } else { 0 };
        Memory {
            headed: swings.clone(),
            swings,
            destination: (0..moving).map(|_| self.angle()).collect(),
            waypoint: self.some_of(moving),
            leader: self.some_of(moving),
            is_hasty: self.once_in(2),
            rates: self.some_of(joints),
            order: self.order(),
            misses: (0..tips).map(|_| self.vector(50.0)).collect(),
            has_arrived: self.once_in(2),
            next_start: self.number(0.0, 100.0) as u32,
            tried_starts: self.number(0.0, 100.0) as u32,
            unreviewed: self.number(0.0, 0.5),
            is_partial: self.once_in(2),
            offs: self.some_of(joints).into_iter().map(Vec2::splat).collect(),
        }
    }

    /// What may be remembered of `joints` joints.
    fn some_of(&mut self, joints: usize) -> Vec<f32> {
        if self.once_in(2) {
            return Vec::new();
        }
        let joints = joints + usize::from(self.once_in(8));
        (0..joints).map(|_| self.angle()).collect()
    }

    fn order(&mut self) -> Order {
        match self.number(0.0, 3.0) as u32 {
            0 => Order::Together,
            1 => Order::FromTip,
            _ => Order::FromRoot,
        }
    }

    /// Further tips on bones that the root carries, with the joints between.
    fn branch(&mut self, rig: &Rig, given: &mut Given) {
        let root = given.joints[0];
        for _ in 0..=self.below(3) {
            let tip = self.below(rig.bones.len());
            if !rig.carries(Some(root), Some(tip)) {
                continue;
            }
            let mut line = Vec::new();
            let mut next = Some(tip);
            while let Some(bone) = next.filter(|bone| !given.joints.contains(bone)) {
                line.insert(0, bone);
                next = rig.bones[bone].parent;
            }
            given.joints.extend(line);
            let child = rig.bones.iter().position(|bone| bone.parent == Some(tip));
            let point = self.point(Some(tip));
            let end_bone = child.filter(|_| self.once_in(2));
            given.effectors.push(Effector {
                end: end_bone.map_or(End::Point(point), End::Bone),
                target: self.aim(rig, root),
                weight: self.mostly(1.0, 0.0, 1.0),
                heading: self.once_in(4).then(|| {
                    let direction = self.aim(rig, root);
                    Direction {
                        bone: direction.bone,
                        vector: direction.position,
                    }
                }),
            });
        }
    }

    fn path(&mut self, rig: &Rig, root: usize) -> Path {
        let count = self.below(6);
        let points = (0..count).map(|_| CurvePoint {
            position: self.vector(120.0),
            incoming: self.vector(60.0),
            outgoing: self.vector(60.0),
        });
        let mut points: Vec<_> = points.collect();
        if self.once_in(3) {
            points.extend(points.first().copied());
        }
        let place = self.aim(rig, root);
        Path {
            curve: Curve::new(points, self.mostly(5.0, 1.0, 50.0)),
            frame: self.frame(place.position),
            bone: place.bone,
        }
    }

    fn frame(&mut self, origin: Vec2) -> Affine2 {
        let linear = Mat2::from_cols(
            Vec2::new(self.mostly(1.0, -2.0, 2.0), self.mostly(0.0, -1.0, 1.0)),
            Vec2::new(self.mostly(0.0, -1.0, 1.0), self.mostly(1.0, -2.0, 2.0)),
        );
        Affine2::from_mat2_translation(linear, origin)
    }

    fn obstacle(&mut self, rig: &Rig, root: usize) -> Obstacle {
        let shape = match self.below(4) {
            0 => Shape::Circle {
                radius: self.number(0.0, 30.0),
            },
            1 => Shape::Capsule {
                radius: self.number(0.0, 15.0),
                height: self.number(0.0, 80.0),
            },
            2 => Shape::Rectangle {
                size: self.vector(50.0),
            },
            _ => Shape::Segment {
                a: self.vector(60.0),
                b: self.vector(60.0),
            },
        };
        let place = self.aim(rig, root);
        Obstacle {
            shape,
            frame: self.frame(place.position),
            bone: place.bone,
        }
    }
}
