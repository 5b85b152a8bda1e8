//! Limbs whose pinned end stays where it is while what carries it is moved or pulled: feet on the ground.

use tendon_solver::glam::Vec2;
use tendon_solver::{Algorithm, Chain, ChainIk, Direction, End, Modifier, Point};

use crate::posing::drag::figure::{Figure, direction_of, is_pinned};

/// A limb, and the place of the pinned bone that it carries.
pub(super) struct HeldLimb {
    /// The bones that turn, root first; the last one is pinned.
    pub(super) joints: Vec<usize>,
    /// How many of them the drag itself turns, from the root on.
    pulled: usize,
    place: Vec2,
    direction: Vec2,
}

/// The bones of `figure` that are pinned, and hang on one of `moved`. Parents come first.
pub(super) fn pins_below(figure: &Figure, moved: &[usize]) -> Vec<usize> {
    let above = |bone: &usize| figure.rig.bones[*bone].parent;
    let hangs = |&pin: &usize| {
        let mut line = std::iter::successors(above(&pin), above);
        line.any(|bone| moved.contains(&bone))
    };
    let pinned = (0..figure.nodes.len()).filter(|&bone| is_pinned(&figure.nodes[bone]));
    pinned.filter(hangs).collect()
}

/// The limbs that `pins` of `figure` hold while `moved` turn. They have no root that is moved.
pub(super) fn held_limbs(
    figure: &Figure,
    pins: &[usize],
    moved: &[usize],
    is_root: bool,
) -> Vec<HeldLimb> {
    let limbs = pins.iter().filter_map(|&pin| {
        let mut joints = figure.limb(figure.rig.bones[pin].parent?);
        joints.retain(|bone| !is_root || !moved.contains(bone));
        if joints.is_empty() {
            return None;
        }
        joints.push(pin);
        let is_pulled = joints.iter().take_while(|bone| moved.contains(bone));
        let place = figure.rig.locate(Point::origin_of(Some(pin)));
        Some(HeldLimb {
            pulled: is_pulled.count(),
            joints,
            place,
            direction: direction_of(&figure.rig, pin),
        })
    });
    limbs.collect()
}

impl HeldLimb {
    /// What keeps the pinned bone where it was, with the angle that it had: at first only what hangs on the bones that are
    /// pulled, so that these stay where they are as long as the pin lets them.
    pub(super) fn modifiers(&self) -> impl Iterator<Item = Modifier> {
        let hanging = &self.joints[self.pulled..];
        let is_part = self.pulled > 0 && hanging.len() > 1;
        let parts = is_part.then_some(hanging).into_iter();
        parts
            .chain([&self.joints[..]])
            .map(|joints| self.hold(joints))
    }

    fn hold(&self, joints: &[usize]) -> Modifier {
        let target = Point {
            bone: None,
            position: self.place,
        };
        let end = End::Point(Point::origin_of(joints.last().copied()));
        let chain = Chain::new(joints.to_vec(), end);
        let mut hold = ChainIk::new(Algorithm::Fabrik, chain, target);
        hold.heading.set(Some(Direction {
            bone: None,
            vector: self.direction,
        }));
        Modifier::new(hold)
    }
}
