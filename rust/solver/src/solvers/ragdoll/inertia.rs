//! The inertia of a body, link by link, and its factor.
//!
//! A link and all that hangs on it answer a force at its joint as one body does, but not alike in all directions: what
//! turns below gives way. So from the leaves to the root each link passes on what the link above feels of it: an articulated
//! body. That is the factor of the matrix of inertia, `A = LᵀL`, in as many steps as there are links, and springs are
//! a part of it.
//!
//! Source: R. Featherstone, *Rigid Body Dynamics Algorithms* (2008), chapter 7; here in the plane, with absolute angles.

use glam::{DMat2, DVec2};

use crate::solvers::ragdoll::body::{Body, Link, ROOT};
use crate::solvers::ragdoll::kinematics::{LinkKinematics, PlacedLink};

/// A force at the joint of a link, with a torque about that; or an impulse, or a momentum.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Load {
    pub(super) force: DVec2,
    pub(super) torque: f64,
}

impl Load {
    /// A force on a point that is at `arm` from the joint.
    pub(super) fn at(arm: DVec2, force: DVec2) -> Self {
        let torque = arm.perp_dot(force);
        Self { force, torque }
    }

    /// The momentum of a link. The velocities are found.
    pub(super) fn momentum(link: &Link, placed: &PlacedLink) -> Self {
        let PlacedLink {
            centre,
            velocity,
            rate,
            ..
        } = *placed;
        Self {
            force: link.mass * (velocity + rate * centre.perp()),
            torque: link.mass * centre.perp_dot(velocity) + link.swing * rate,
        }
    }
}

impl std::ops::AddAssign for Load {
    fn add_assign(&mut self, other: Self) {
        self.force += other.force;
        self.torque += other.torque;
    }
}

/// The energy of a link by the velocity of its joint and by its rate: a quadratic form.
#[derive(Clone, Copy, Debug, Default)]
struct LinkInertia {
    /// Of the velocity.
    mass: DMat2,
    /// Of both.
    moment: DVec2,
    /// Of the rate.
    inertia: f64,
    /// Of the spring to the link above.
    hardness: f64,
}

/// The inertia of the links of a body in one state, each by itself, and springs between them.
#[derive(Clone, Debug, Default)]
pub(super) struct TreeInertia(Vec<LinkInertia>);

/// A link of the factor. Its row is `ω / inverse + lever · v - spring ω'`: of its rate, of the velocity of its joint, and of
/// the rate of the link above.
#[derive(Clone, Copy, Debug, Default)]
struct FactorLink {
    inverse: f64,
    lever: DVec2,
    spring: f64,
    /// From the joint above to its own, turned by a right angle.
    arm: DVec2,
    /// The velocity of its joint, while a vector is followed downwards.
    velocity: DVec2,
}

/// The factor of the inertia of a body. Its rows are those of the state.
#[derive(Clone, Debug, Default)]
pub(super) struct InertiaFactor {
    links: Vec<FactorLink>,
    /// For each root, the factor of what its place feels: xx, xy, yy.
    roots: Vec<[f64; 3]>,
}

impl TreeInertia {
    /// Becomes that of a body without springs.
    pub(super) fn take(&mut self, body: &Body, kinematics: &LinkKinematics) {
        self.0.clear();
        let links = body.links.iter().zip(&kinematics.links);
        self.0.extend(links.map(|(link, placed)| LinkInertia {
            mass: DMat2::from_diagonal(DVec2::splat(link.mass)),
            moment: link.mass * placed.centre.perp(),
            inertia: link.swing,
            hardness: 0.0,
        }));
    }

    /// Adds a spring between the angles of a link and of the one above it, or of skeleton space.
    pub(super) fn add_spring(&mut self, link: usize, above: Option<usize>, hardness: f64) {
        self.0[link].inertia += hardness;
        if let Some(above) = above {
            self.0[link].hardness += hardness;
            self.0[above].inertia += hardness;
        }
    }

    /// Adds a spring that holds a point of a link, which is at `arm` from its joint; or a mass.
    pub(super) fn add_point(&mut self, link: usize, arm: DVec2, hardness: f64) {
        let own = &mut self.0[link];
        own.mass += DMat2::from_diagonal(DVec2::splat(hardness));
        own.moment += hardness * arm.perp();
        own.inertia += hardness * arm.length_squared();
    }

    /// Finds its factor, and is used up by that. `false` if it is not positive definite.
    pub(super) fn factor(
        &mut self,
        body: &Body,
        kinematics: &LinkKinematics,
        factor: &mut InertiaFactor,
    ) -> bool {
        let count = body.links.len();
        factor.links.resize(count, FactorLink::default());
        factor.roots.resize(body.roots.len(), [0.0; 3]);
        let mut is_sound = true;
        for index in (0..count).rev() {
            let own = self.0[index];
            let inverse = own.inertia.sqrt().recip();
            let (lever, spring) = (inverse * own.moment, inverse * own.hardness);
            let left = own.mass - DMat2::from_cols(lever.x * lever, lever.y * lever);
            let arm = kinematics.links[index].arm.perp();
            factor.links[index] = FactorLink {
                inverse,
                lever,
                spring,
                arm,
                velocity: DVec2::ZERO,
            };
            is_sound &= own.inertia > 0.0;
            let Some(parent) = body.links[index].parent else {
                let [x, y] = left.to_cols_array_2d();
                let last = y[1].sqrt();
                let across = x[1] / last;
                let first = x[0] - across * across;
                is_sound &= y[1] > 0.0 && first > 0.0;
                factor.roots[body.links[index].place / ROOT] = [first.sqrt(), across, last];
                continue;
            };
            let above = &mut self.0[parent];
            let through = spring * lever;
            let across = left * arm + through;
            above.mass += left;
            above.moment += across;
            above.inertia += arm.dot(across + through) - spring * spring;
        }
        is_sound
    }
}

impl FactorLink {
    /// Returns what a load on the link is in its row, and the load that the link above feels.
    fn pass_on(&self, load: Load) -> (f64, Load) {
        let felt = self.inverse * load.torque;
        let force = load.force - felt * self.lever;
        let torque = self.arm.dot(force) + felt * self.spring;
        (felt, Load { force, torque })
    }
}

impl InertiaFactor {
    /// What `Lᵀ` makes of the loads on all links. They are used up.
    pub(super) fn solve_upwards(&self, body: &Body, loads: &mut [Load], rows: &mut [f64]) {
        for (index, link) in self.links.iter().enumerate().rev() {
            let (felt, load) = link.pass_on(loads[index]);
            rows[body.angle(index)] = felt;
            match body.links[index].parent {
                Some(parent) => loads[parent] += load,
                None => {
                    let place = body.links[index].place;
                    let felt = self.felt_by_root(place, load.force);
                    rows[place..place + ROOT].copy_from_slice(&felt);
                }
            }
        }
    }

    /// Adds what `Lᵀ` makes of a load on one link.
    pub(super) fn add_load(&self, body: &Body, link: usize, mut load: Load, rows: &mut [f64]) {
        let mut next = Some(link);
        while let Some(link) = next {
            let (felt, above) = self.links[link].pass_on(load);
            rows[body.angle(link)] += felt;
            load = above;
            next = body.links[link].parent;
        }
        let place = body.links[link].place;
        let felt = self.felt_by_root(place, load.force);
        rows[place] += felt[0];
        rows[place + 1] += felt[1];
    }

    fn felt_by_root(&self, place: usize, force: DVec2) -> [f64; ROOT] {
        let [first, across, last] = self.roots[place / ROOT];
        let felt = force.y / last;
        [(force.x - across * felt) / first, felt]
    }

    /// What `L` makes of the rates of a state.
    pub(super) fn multiply(&mut self, body: &Body, rates: &[f64], rows: &mut [f64]) {
        for (index, link) in body.links.iter().enumerate() {
            let (velocity, spring) = match link.parent {
                Some(parent) => self.carry(index, parent, rates[body.angle(parent)]),
                None => {
                    let velocity = DVec2::new(rates[link.place], rates[link.place + 1]);
                    let [first, across, last] = self.roots[link.place / ROOT];
                    rows[link.place] = first * velocity.x;
                    rows[link.place + 1] = across * velocity.x + last * velocity.y;
                    (velocity, 0.0)
                }
            };
            let own = &mut self.links[index];
            own.velocity = velocity;
            let angle = body.angle(index);
            rows[angle] = rates[angle] / own.inverse + own.lever.dot(velocity) - spring;
        }
    }

    /// The rates of a state of which `L` makes `rows`, in the place of these.
    pub(super) fn solve_downwards(&mut self, body: &Body, rows: &mut [f64]) {
        for (index, link) in body.links.iter().enumerate() {
            let (velocity, spring) = match link.parent {
                Some(parent) => self.carry(index, parent, rows[body.angle(parent)]),
                None => {
                    let [first, across, last] = self.roots[link.place / ROOT];
                    let x = rows[link.place] / first;
                    let velocity = DVec2::new(x, (rows[link.place + 1] - across * x) / last);
                    rows[link.place] = velocity.x;
                    rows[link.place + 1] = velocity.y;
                    (velocity, 0.0)
                }
            };
            let own = &mut self.links[index];
            own.velocity = velocity;
            let angle = body.angle(index);
            rows[angle] = own.inverse * (rows[angle] - own.lever.dot(velocity) + spring);
        }
    }

    /// The velocity of the joint of a link, and what its row has of the rate of the one above.
    fn carry(&self, link: usize, parent: usize, rate: f64) -> (DVec2, f64) {
        let FactorLink { arm, spring, .. } = self.links[link];
        (self.links[parent].velocity + rate * arm, spring * rate)
    }
}
