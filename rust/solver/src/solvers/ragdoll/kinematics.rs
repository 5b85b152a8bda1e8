//! Where the links of a body are in one state, and how they move.

use glam::DVec2;

use crate::math::trigonometry::unit_vector;
use crate::solvers::ragdoll::body::Body;

/// A link in one state, in skeleton space.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PlacedLink {
    /// Its direction, as a turn.
    pub(crate) turn: DVec2,
    pub(crate) joint: DVec2,
    /// From the joint above to its own.
    pub(super) arm: DVec2,
    /// Its centre of mass, from the joint.
    pub(super) centre: DVec2,
    /// Its moment, turned.
    pub(super) moment: DVec2,
    /// The velocity of its joint and its rate, once [found](LinkKinematics::find_velocities).
    pub(super) velocity: DVec2,
    pub(super) rate: f64,
}

/// A body in one state, in skeleton space.
#[derive(Clone, Debug, Default)]
pub(crate) struct LinkKinematics {
    pub(crate) links: Vec<PlacedLink>,
}

impl LinkKinematics {
    /// Places `body` at `state`.
    pub(crate) fn place(&mut self, body: &Body, state: &[f64]) {
        self.links.clear();
        self.links.resize(body.links.len(), PlacedLink::default());
        for (index, link) in body.links.iter().enumerate() {
            let turn = unit_vector(state[body.angle(index)]);
            let (arm, above) = match link.parent.map(|parent| &self.links[parent]) {
                Some(above) => (above.turn.rotate(link.joint), above.joint),
                None => {
                    let place = DVec2::new(state[link.place], state[link.place + 1]);
                    (DVec2::ZERO, place)
                }
            };
            self.links[index] = PlacedLink {
                turn,
                joint: above + arm,
                arm,
                centre: turn.rotate(link.centre()),
                moment: turn.rotate(link.moment),
                ..PlacedLink::default()
            };
        }
    }

    /// Moves what hangs on `root` by `way`.
    pub(super) fn shift(&mut self, body: &Body, root: usize, way: DVec2) {
        for link in body.tree(root) {
            self.links[link].joint += way;
        }
    }

    /// Returns the place of a point of a link.
    pub(crate) fn point(&self, link: usize, local: DVec2) -> DVec2 {
        let placed = &self.links[link];
        placed.joint + placed.turn.rotate(local)
    }

    /// Finds the velocities of all joints, for the [velocities](Self::velocity_of) of points.
    pub(crate) fn find_velocities(&mut self, body: &Body, rates: &[f64]) {
        for (index, link) in body.links.iter().enumerate() {
            let velocity = match link.parent.map(|parent| &self.links[parent]) {
                Some(above) => above.velocity + above.rate * self.links[index].arm.perp(),
                None => DVec2::new(rates[link.place], rates[link.place + 1]),
            };
            let placed = &mut self.links[index];
            placed.velocity = velocity;
            placed.rate = rates[body.angle(index)];
        }
    }

    /// Returns the velocity of the point `place` of a link. Those of the joints are found.
    pub(crate) fn velocity_of(&self, link: usize, place: DVec2) -> DVec2 {
        let placed = &self.links[link];
        placed.velocity + placed.rate * (place - placed.joint).perp()
    }

    /// Returns the greatest speed of an end of a link, or of its joint.
    pub(crate) fn fastest_end(&mut self, body: &Body, rates: &[f64]) -> f64 {
        self.find_velocities(body, rates);
        self.fastest_end_found(body)
    }

    /// The same, once the velocities of the joints are found.
    pub(super) fn fastest_end_found(&self, body: &Body) -> f64 {
        let links = body.links.iter().zip(&self.links);
        let squares = links.flat_map(|(link, placed)| {
            [DVec2::ZERO, link.capsule.from, link.capsule.to].map(|local| {
                let moved = placed.velocity + placed.rate * placed.turn.rotate(local).perp();
                moved.length_squared()
            })
        });
        squares.fold(0.0, f64::max).sqrt()
    }
}
