//! Where the links of a body are in one state: directions, joints and arms.

use glam::DVec2;

use crate::math::trigonometry::unit_vector;
use crate::solvers::ragdoll::body::Body;

/// A body in one state, in skeleton space.
#[derive(Clone, Debug, Default)]
pub(crate) struct LinkKinematics {
    /// The direction of each link, as a turn.
    pub(crate) turns: Vec<DVec2>,
    /// The places of the joints.
    pub(crate) joints: Vec<DVec2>,
    /// From the joint above to each joint.
    pub(super) arms: Vec<DVec2>,
    /// The links' moments, turned.
    pub(super) moments: Vec<DVec2>,
    /// The velocities of the joints, once [found](Self::find_velocities).
    velocities: Vec<DVec2>,
}

impl LinkKinematics {
    /// Places `body` at `state`.
    pub(crate) fn place(&mut self, body: &Body, state: &[f64]) {
        self.turns.clear();
        self.joints.clear();
        self.arms.clear();
        self.moments.clear();
        for (index, link) in body.links.iter().enumerate() {
            let turn = unit_vector(state[body.angle(index)]);
            let (arm, above) = match link.parent {
                Some(parent) => (self.turns[parent].rotate(link.joint), self.joints[parent]),
                None => (
                    DVec2::ZERO,
                    DVec2::new(state[link.place], state[link.place + 1]),
                ),
            };
            self.turns.push(turn);
            self.joints.push(above + arm);
            self.arms.push(arm);
            self.moments.push(turn.rotate(link.moment));
        }
    }

    /// Returns the place of a point of a link.
    pub(crate) fn point(&self, link: usize, local: DVec2) -> DVec2 {
        self.joints[link] + self.turns[link].rotate(local)
    }

    /// Returns the derivative of the point `place` of a link by each coordinate above that, from its own to the root's
    /// place: the column of the Jacobian. In the order of [`Body::path`].
    pub(super) fn columns<'a>(
        &'a self,
        body: &'a Body,
        link: usize,
        place: DVec2,
    ) -> impl Iterator<Item = DVec2> + 'a {
        let mut arm = place - self.joints[link];
        let links = std::iter::successors(Some(link), |&link| body.links[link].parent);
        let turned = links.map(move |link| {
            let own = std::mem::replace(&mut arm, self.arms[link]);
            own.perp()
        });
        turned.chain([DVec2::Y, DVec2::X])
    }

    /// Finds the velocities of all joints, for the [velocities](Self::velocity_of) of many points.
    pub(super) fn find_velocities(&mut self, body: &Body, rates: &[f64]) {
        self.velocities.clear();
        for (index, link) in body.links.iter().enumerate() {
            let velocity = match link.parent {
                Some(parent) => {
                    self.velocities[parent] + rates[body.angle(parent)] * self.arms[index].perp()
                }
                None => DVec2::new(rates[link.place], rates[link.place + 1]),
            };
            self.velocities.push(velocity);
        }
    }

    /// Returns the velocity of the point `place` of a link that turns at this `rate`. Those of the joints are found.
    pub(super) fn velocity_of(&self, link: usize, place: DVec2, rate: f64) -> DVec2 {
        self.velocities[link] + rate * (place - self.joints[link]).perp()
    }

    /// Returns the greatest speed of an end of a link, or of its joint.
    pub(crate) fn fastest_end(&mut self, body: &Body, rates: &[f64]) -> f64 {
        self.find_velocities(body, rates);
        self.fastest_end_found(body, rates)
    }

    /// The same, once the velocities of the joints are found.
    pub(super) fn fastest_end_found(&self, body: &Body, rates: &[f64]) -> f64 {
        let links = body.links.iter().enumerate();
        let speeds = links.flat_map(|(index, link)| {
            [DVec2::ZERO, link.capsule.from, link.capsule.to].map(|local| {
                let place = self.point(index, local);
                self.velocity_of(index, place, rates[body.angle(index)])
                    .length()
            })
        });
        speeds.fold(0.0, f64::max)
    }

    /// Returns the velocity of the point `place` of a link.
    pub(crate) fn speed(&self, body: &Body, link: usize, place: DVec2, rates: &[f64]) -> DVec2 {
        let (places, turns) = rates.split_at(body.places());
        let (mut moved, mut arm) = (DVec2::ZERO, place - self.joints[link]);
        let mut next = Some(link);
        while let Some(link) = next {
            moved += turns[link] * arm.perp();
            arm = self.arms[link];
            next = body.links[link].parent;
        }
        let root = body.links[link].place;
        moved + places[root + 1] * DVec2::Y + places[root] * DVec2::X
    }
}
