//! The body that goes along while a bone is pulled, and what pins hold of it: full-body IK.
//!
//! First what hangs on the limb that is pulled gives way to the pins that it carries. What is still missing
//! then, the whole body makes up for: of all poses in which the pins are held and what is pulled is there, it
//! takes the nearest one. Pins count more than the mouse.

use tendon_nodes::engine::space::to_solver;
use tendon_solver::glam::Vec2;
use tendon_solver::{Direction, Effector, End, FullBody, Modifier, Point, Rig, Solver, Workspace};

use crate::posing::drag::figure::{BoneTree, direction_of};
use crate::posing::drag::pin::Pin;

/// The weight of the effector that is pulled, beside 1 of a pin: it takes that off its place by a hundredth of a pixel.
const PULL: f32 = 0.55;

/// The largest number of steps of the solver: nobody waits for it.
const MOST_STEPS: u32 = 64;

/// An angle that is kept to this is kept, in radians.
const TURNED: f32 = 1e-3;

/// A point that is pulled to a place.
pub(super) struct Pulled {
    pub(super) end: Point,
    /// The place that it is pulled to, in the skeleton.
    pub(super) place: Vec2,
    /// The angle that it is to keep, if there is one.
    pub(super) heading: Option<Direction>,
}

/// The parts that go along with a limb: the limb with what hangs on it, and the whole body, each only if it can help.
#[derive(Default)]
pub(super) struct PartsAlong {
    parts: Vec<Branch>,
}

/// A bone, and what hangs on it.
struct Branch {
    body: Modifier,
    /// The number of effectors that are pins: the one that is pulled comes after them.
    pins: usize,
}

impl PartsAlong {
    /// Returns the parts that go along when `end` is pulled with `limb`, with these pins, which are where they are in
    /// `figure`. The limb of a root bone that is moved is empty.
    pub(super) fn new(
        figure: &BoneTree,
        limb: &[usize],
        end: usize,
        pins: &[(usize, Pin)],
    ) -> Self {
        let root = root_of(figure, end);
        let part = |top: usize| Branch::below(figure, (top, root), (limb, end), pins);
        let parts = tops(figure, limb, root, pins).into_iter().map(part);
        Self {
            parts: parts.collect(),
        }
    }

    /// The bones that it may turn.
    pub(super) fn joints_of(
        figure: &BoneTree,
        limb: &[usize],
        end: usize,
        pins: &[(usize, Pin)],
    ) -> Vec<usize> {
        let tops = tops(figure, limb, root_of(figure, end), pins).into_iter();
        tops.flat_map(|top| joints_below(figure, top, (limb, end), pins))
            .collect()
    }

    /// Returns `true` if something is off its place in `rig`, by more than `slack`.
    pub(super) fn is_needed(&mut self, rig: &Rig, pulled: &Pulled, slack: f32) -> bool {
        self.parts.iter_mut().any(|part| {
            part.set_pulled(pulled);
            part.is_missing(rig, slack)
        })
    }

    /// Returns the pose that `rig` has solved, with what is pinned and what is pulled where it should be, as near as
    /// may be. Less than `slack` is not made up for.
    pub(super) fn go_along(
        &mut self,
        mut rig: Rig,
        pulled: &Pulled,
        slack: f32,
        workspace: &mut Workspace,
    ) -> Option<Rig> {
        for part in &mut self.parts {
            part.set_pulled(pulled);
            match part.is_missing(&rig, slack) {
                true => rig = part.solve(rig, workspace)?,
                false => part.body.forget(),
            }
        }
        Some(rig)
    }
}

impl Branch {
    fn effectors(&self) -> &[Effector] {
        self.body.parts().effectors()
    }

    /// Returns the part that hangs on `top`, which is held in its place unless it is the `root`. That stays as it is
    /// while nothing is pinned.
    fn below(
        figure: &BoneTree,
        (top, root): (usize, usize),
        pulled: (&[usize], usize),
        pins: &[(usize, Pin)],
    ) -> Self {
        let own = pins.iter().filter(|(bone, _)| carries(figure, top, *bone));
        let own = own.map(|&(bone, pin)| {
            let point = Point {
                bone: Some(bone),
                position: to_solver(pin.place()),
            };
            let direction = (pin == Pin::PlaceAndAngle).then(|| Direction {
                bone: None,
                vector: direction_of(&figure.rig, bone),
            });
            effector(point, figure.rig.locate(point), direction)
        });
        let joint = Point::origin_of(Some(top));
        let hold = (top != root).then(|| effector(joint, figure.rig.locate(joint), None));
        let effectors: Vec<_> = own.chain(hold).collect();
        let joints = joints_below(figure, top, pulled, pins);
        let pins = effectors.len();
        let mut body = FullBody::new(joints, effectors);
        body.settings.max_iterations = MOST_STEPS;
        if pins == 0 {
            body.settings.root_stiffness = 1.0;
        }
        let body = Modifier::new(body);
        Self { body, pins }
    }

    fn set_pulled(&mut self, pulled: &Pulled) {
        let pull = Effector {
            weight: PULL,
            ..effector(pulled.end, pulled.place, pulled.heading)
        };
        if let Solver::FullBody(body) = &mut self.body.solver {
            body.effectors.truncate(self.pins);
            body.effectors.push(pull);
        }
    }

    /// Returns `true` if an effector is off its place in `rig` by more than `slack`, or off its angle.
    fn is_missing(&self, rig: &Rig, slack: f32) -> bool {
        self.effectors().iter().any(|effector| {
            let point = effector.end.point();
            let gap = rig.locate(point).distance(effector.target.position);
            let turn = effector
                .heading
                .zip(point.bone)
                .map(|(heading, bone)| direction_of(rig, bone).angle_to(heading.vector));
            gap > slack || turn.is_some_and(|turn| turn.abs() > TURNED)
        })
    }

    /// Goes on from the pose that `rig` has solved.
    fn solve(&mut self, mut rig: Rig, workspace: &mut Workspace) -> Option<Rig> {
        for index in 0..rig.bones.len() {
            rig.bones[index].rotation = rig.rotation(index);
            rig.bones[index].position = rig.position(index);
        }
        rig.modifiers = vec![self.body.clone()];
        rig.take_base_pose();
        rig.validate().ok()?;
        rig.go_on();
        rig.solve(workspace);
        self.body = rig.modifiers.pop()?;
        Some(rig)
    }
}

/// The bones whose parts go along when `limb` is pulled: its first one, if it carries a pin, and the root, unless it is a
/// single bone that turns, and nothing is pinned.
fn tops(figure: &BoneTree, limb: &[usize], root: usize, pins: &[(usize, Pin)]) -> Vec<usize> {
    let holds = |top: usize| pins.iter().any(|(bone, _)| carries(figure, top, *bone));
    let own = limb
        .first()
        .copied()
        .filter(|&top| holds(top) && top != root);
    let all = Some(root).filter(|&root| holds(root) || limb.len() > 1);
    own.into_iter().chain(all).collect()
}

/// All that has to turn below `top` for the pins that it carries, and for what is pulled.
fn joints_below(
    figure: &BoneTree,
    top: usize,
    (limb, end): (&[usize], usize),
    pins: &[(usize, Pin)],
) -> Vec<usize> {
    let turns = |bone: usize| {
        // What a modifier turns goes along with it to hold a pin, or to where its target is led.
        let is_held = pins.iter().any(|(pin, _)| carries(figure, bone, *pin));
        let is_led = limb.contains(&bone) || !figure.is_driven(&figure.nodes[bone]);
        is_held || carries(figure, bone, end) && is_led
    };
    let bones = (0..figure.nodes.len()).filter(|&bone| carries(figure, top, bone));
    bones
        .filter(|&bone| bone == top || turns(bone) && !figure.is_mount(bone))
        .collect()
}

fn effector(point: Point, place: Vec2, heading: Option<Direction>) -> Effector {
    let target = Point {
        bone: None,
        position: place,
    };
    Effector {
        heading,
        ..Effector::new(End::Point(point), target)
    }
}

/// Returns `true` if `bone` is `top` or hangs below it.
fn carries(figure: &BoneTree, top: usize, bone: usize) -> bool {
    figure.rig.carries(Some(top), Some(bone))
}

fn root_of(figure: &BoneTree, bone: usize) -> usize {
    let above = |&bone: &usize| figure.rig.bones[bone].parent;
    std::iter::successors(Some(bone), above)
        .last()
        .unwrap_or(bone)
}
