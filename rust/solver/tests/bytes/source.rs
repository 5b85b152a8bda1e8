//! Turns raw bytes into rigs.

use arbitrary::Unstructured;
use glam::{Affine2, Mat2, Vec2};
use tendon_solver::{
    Approach, Bone, Ccd, Channel, CopyTransform, Curve, CurvePoint, Direction, Effector, Fabrik,
    Headed, Heading, Limit, LimitSpace, Local, LookAt, Mapping, MappingMemory, Memory, Modifier,
    Obstacle, Order, Path, Point, Rest, Rig, Scripted, Shape, Solver, Space, Spline, Spring, State,
    Sweep, Trace, Trail, Tuning, TwoBone,
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

    fn solver(&mut self) -> Solver {
        if self.once_in(7) {
            return Solver::Spring(self.spring());
        }
        match self.below(8) {
            0 => Solver::LookAt(LookAt {
                additional_rotation: self.mostly(0.0, -3.0, 3.0),
            }),
            1 => Solver::TwoBone(TwoBone {
                flip_bend_direction: self.once_in(2),
                min_distance: self.mostly(0.0, 0.0, 60.0),
                max_distance: self.mostly(0.0, 0.0, 60.0),
            }),
            2 => Solver::Spline(Spline {
                progress: self.number(-300.0, 600.0),
                move_root: self.once_in(2),
            }),
            3 => Solver::Ccd(Ccd {
                sweep: Sweep {
                    root_first: self.once_in(2),
                },
                approach: self.approach(),
            }),
            4 | 5 => Solver::Fabrik(Fabrik {
                approach: self.approach(),
            }),
            6 => Solver::CopyTransform(self.copy_transform()),
            _ => Solver::Custom,
        }
    }

    fn spring(&mut self) -> Spring {
        Spring {
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
            resets: 0,
        }
    }

    fn copy_transform(&mut self) -> CopyTransform {
        let channels = [
            Channel::Rotation,
            Channel::PositionX,
            Channel::PositionY,
            Channel::ScaleX,
            Channel::ScaleY,
        ];
        let spaces = [Space::Parent, Space::Skeleton, Space::Global];
        CopyTransform {
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

    fn copy_modifier(&mut self, rig: &Rig, solver: Solver) -> Modifier {
        let bone = self.below(rig.bones.len());
        let mut modifier = Modifier::new(solver, vec![bone]);
        modifier.influence = self.mostly(1.0, 0.0, 1.0);
        modifier.tip = self.point(Some(bone));
        modifier.mapping = Some(Box::new(self.mapping(rig, bone)));
        if self.once_in(2) {
            modifier.state = State::Copied(MappingMemory {
                angle: self.angle(),
                turns: self.number(-5.0, 5.0).round(),
                swing: self.number(-9.0, 9.0),
            });
        }
        modifier
    }

    /// What a chain along a path may have carried on.
    fn trail(&mut self, joints: usize) -> State {
        let joints = (0..joints).map(|_| Trace {
            segment: self.below(4) as u32,
            at: self.number(0.0, 1.0),
            beyond: self.mostly(0.0, -50.0, 50.0),
            place: self.vector(100.0),
            end: self.vector(100.0),
            rotation: self.angle(),
            lag: self.mostly(0.0, -4.0, 4.0),
        });
        State::Trail(Box::new(Trail {
            joints: joints.collect(),
            progress: self.number(-100.0, 500.0),
            factor: self.mostly(1.0, 1.0, 2.0),
            lag: self.mostly(0.0, -0.5, 0.5),
        }))
    }

    fn script_modifier(&mut self, rig: &Rig) -> Modifier {
        let mut modifier = Modifier::new(Solver::Custom, Vec::new());
        modifier.influence = self.mostly(1.0, 0.0, 1.0);
        for bone in 0..rig.bones.len() {
            if self.once_in(2) {
                let rotation = self.angle();
                modifier.scripted.push(Scripted { bone, rotation });
            }
        }
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
        let solver = self.solver();
        let last = rig.bones.len() - 1 - self.below(rig.bones.len());
        match solver {
            Solver::CopyTransform(_) => return self.copy_modifier(rig, solver),
            Solver::Custom => return self.script_modifier(rig),
            _ => {}
        }
        let inputs = solver.inputs();
        let most = match inputs.most_joints {
            usize::MAX => 1 + self.below(8),
            most => most,
        };
        let mut modifier = Modifier::new(solver, self.line(rig, last, most));
        let root = modifier.joints[0];
        modifier.active = !self.once_in(10);
        modifier.influence = self.mostly(1.0, 0.0, 1.0);
        modifier.tip = self.point(Some(last));
        modifier.target = self.aim(rig, root);
        if matches!(solver, Solver::Spline(_)) && self.once_in(2) {
            modifier.state = self.trail(modifier.joints.len());
        }
        modifier.softness = self.mostly(0.0, 0.0, 1.0);
        modifier.stretch = self.mostly(1.0, 1.0, 2.0);
        let child = (last + 1..rig.bones.len()).find(|&bone| rig.bones[bone].parent == Some(last));
        if inputs.path {
            modifier.path = Some(Box::new(self.path(rig, root)));
        }
        if self.once_in(3) && most > 1 {
            modifier.tip_bone = child;
        }
        if self.once_in(4) && matches!(solver, Solver::TwoBone(_)) {
            modifier.pole = Some(self.aim(rig, root));
        }
        if let Some(headed) = inputs.heading.filter(|_| self.once_in(4) && most > 1) {
            let direction = self.aim(rig, root);
            let direction = Direction {
                bone: direction.bone,
                vector: direction.position,
            };
            let bone = match headed {
                Headed::LastJoint => Some(last),
                Headed::BelowLastJoint => child,
            };
            modifier.heading = bone.map(|bone| Heading { bone, direction });
        }
        if inputs.effectors && self.once_in(4) {
            self.branch(rig, &mut modifier);
        }
        if inputs.obstacles && self.once_in(4) {
            for _ in 0..=self.below(3) {
                let obstacle = self.obstacle(rig, root);
                modifier.obstacles.push(obstacle);
            }
        }
        if matches!(solver, Solver::Spring(_)) && self.once_in(3) {
            let joints = modifier.joints.len();
            modifier.tuning = Some(Box::new(Tuning {
                frequency: (0..joints).map(|_| self.number(0.0, 2.0)).collect(),
                damping: (0..joints).map(|_| self.number(0.0, 2.0)).collect(),
            }));
        }
        modifier.deterministic = self.once_in(4);
        if self.once_in(3) {
            modifier.memory = self.memory(&modifier);
        }
        modifier
    }

    /// What may be remembered, of this modifier as well as of another.
    fn memory(&mut self, modifier: &Modifier) -> Memory {
        let joints = modifier.joints.len() + usize::from(self.once_in(8));
        let tips = 1 + modifier.effectors.len() - usize::from(self.once_in(8));
        let is_in_transition = self.once_in(3);
        let swings: Vec<f32> = (0..joints).map(|_| self.angle()).collect();
        let moving = if is_in_transition { joints } else { 0 };
        Memory {
            swings,
            destination: (0..moving).map(|_| self.angle()).collect(),
            waypoint: self.waypoint(moving),
            order: self.order(),
            misses: (0..tips).map(|_| self.vector(50.0)).collect(),
            has_arrived: self.once_in(2),
            next_start: self.number(0.0, 100.0) as u32,
            tried_starts: self.number(0.0, 100.0) as u32,
            unreviewed: self.number(0.0, 0.5),
        }
    }

    /// The pose that a transition of `joints` joints passes.
    fn waypoint(&mut self, joints: usize) -> Vec<f32> {
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
    fn branch(&mut self, rig: &Rig, modifier: &mut Modifier) {
        let root = modifier.joints[0];
        for _ in 0..=self.below(3) {
            let tip = self.below(rig.bones.len());
            if !rig.carries(Some(root), Some(tip)) {
                continue;
            }
            let mut line = Vec::new();
            let mut next = Some(tip);
            while let Some(bone) = next.filter(|bone| !modifier.joints.contains(bone)) {
                line.insert(0, bone);
                next = rig.bones[bone].parent;
            }
            modifier.joints.extend(line);
            let child = rig.bones.iter().position(|bone| bone.parent == Some(tip));
            modifier.effectors.push(Effector {
                tip: self.point(Some(tip)),
                tip_bone: child.filter(|_| self.once_in(2)),
                target: self.aim(rig, root),
                weight: self.mostly(1.0, 0.0, 1.0),
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
