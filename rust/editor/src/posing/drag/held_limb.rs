//! Limbs whose pinned end stays where it is while the root of the skeleton is moved: feet on the ground.

use tendon_solver::glam::Vec2;
use tendon_solver::{Algorithm, Chain, ChainIk, Direction, End, Modifier, Point};

use crate::posing::drag::figure::{Figure, direction_of};
use crate::posing::drag::pins::is_pinned;

/// A limb, and the place of the pinned bone that it carries.
pub(super) struct HeldLimb {
    /// The bones that turn, root first; the last one is pinned.
    pub(super) joints: Vec<usize>,
    place: Vec2,
    direction: Vec2,
}

/// The limbs of `figure` that pinned bones hold while its bone `root` moves. Parents come first.
pub(super) fn held_limbs(figure: &Figure, root: usize) -> Vec<HeldLimb> {
    let pinned = (0..figure.nodes.len()).filter(|&bone| is_pinned(&figure.nodes[bone]));
    let limbs = pinned.filter_map(|pin| {
        let mut joints = figure.limb(figure.rig.bones[pin].parent?);
        joints.retain(|&bone| bone != root);
        if joints.is_empty() {
            return None;
        }
        joints.push(pin);
        let place = figure.rig.locate(Point::origin_of(Some(pin)));
        Some(HeldLimb {
            joints,
            place,
            direction: direction_of(&figure.rig, pin),
        })
    });
    limbs.collect()
}

impl HeldLimb {
    /// What keeps the pinned bone where it was, with the angle that it had.
    pub(super) fn modifier(&self) -> Modifier {
        let pin = self.joints.last().copied();
        let target = Point {
            bone: None,
            position: self.place,
        };
        let end = End::Point(Point::origin_of(pin));
        let mut hold = ChainIk::new(
            Algorithm::Fabrik,
            Chain::new(self.joints.clone(), end),
            target,
        );
        hold.heading.set(Some(Direction {
            bone: None,
            vector: self.direction,
        }));
        Modifier::new(hold)
    }
}
