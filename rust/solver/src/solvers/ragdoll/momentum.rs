//! The momentum of a body, which nothing within it changes: neither springs nor limits.
//!
//! The step takes what acts within the body in one place and moves it to another, so a little of its turning
//! gets lost or made. Where nothing from outside touches it, that is put right.

use glam::DVec2;

use crate::math::interval::clamp;
use crate::solvers::ragdoll::body::Body;
use crate::solvers::ragdoll::kinematics::LinkKinematics;

/// No link turns faster, in radians per second, and no body moves faster, in units per second.
const FASTEST: [f64; 2] = [200.0, 1e7];

/// Slows down what would be too fast to be computed, each tree as a whole: the motion of links against one another is
/// scaled, and the momentum stays. Only a body that spins too fast as a whole loses some. A body whose first root
/// `is_carried` has no momentum to keep.
pub(super) fn slow_down_links(
    body: &Body,
    kinematics: &mut LinkKinematics,
    is_carried: bool,
    rates: &mut [f64],
) {
    for &root in &body.roots {
        slow_down_tree(body, kinematics, (root, is_carried && root == 0), rates);
    }
}

/// The same of the tree below one root.
fn slow_down_tree(
    body: &Body,
    kinematics: &mut LinkKinematics,
    (root, is_carried): (usize, bool),
    rates: &mut [f64],
) {
    let [turning, moving] = FASTEST;
    let links = || body.tree(root).map(|link| body.angle(link));
    if is_carried {
        let fastest = links().fold(0.0_f64, |most, link| most.max(rates[link].abs()));
        if fastest > turning {
            links().for_each(|link| rates[link] *= turning / fastest);
        }
        return;
    }
    let place = body.links[root].place;
    let own = DVec2::new(rates[place], rates[place + 1]);
    let is_fast = links().any(|link| rates[link].abs() > turning);
    if !is_fast && own.abs().max_element() < moving {
        return;
    }
    let whole = Momentum::of(body, kinematics, root, rates);
    let arm = whole.root - whole.centre;
    let spin = whole.turning / whole.inertia;
    let velocity = whole.velocity.clamp_length_max(moving);
    let bounded = clamp(spin, -turning, turning);
    // How much of the motion of each link against the whole there is room for.
    let room = |link: usize| {
        let own = rates[link] - spin;
        (turning - bounded * own.signum()) / own.abs().max(1e-9)
    };
    let part = links().map(room).fold(1.0, f64::min).max(0.0);
    for link in links() {
        rates[link] = bounded + part * (rates[link] - spin);
    }
    let own = own - whole.velocity - spin * arm.perp();
    (rates[place], rates[place + 1]) = (velocity + bounded * arm.perp() + part * own).into();
}

/// The motion of a tree of links as a whole.
#[derive(Clone, Copy, Debug)]
pub(super) struct Momentum {
    /// The joint of its root.
    root: DVec2,
    centre: DVec2,
    pub(super) velocity: DVec2,
    /// The angular momentum about the centre of mass.
    turning: f64,
    /// The moment of inertia about it.
    pub(super) inertia: f64,
}

impl Momentum {
    /// That of what hangs on `root`.
    pub(super) fn of(
        body: &Body,
        kinematics: &mut LinkKinematics,
        root: usize,
        rates: &[f64],
    ) -> Self {
        kinematics.find_velocities(body, rates);
        let mut centre = DVec2::ZERO;
        let mut velocity = DVec2::ZERO;
        let (mut turning, mut inertia) = (0.0, 0.0);
        // About the root's joint, so that the numbers are small.
        let mass = body.links[root].carried;
        let tree = body.tree(root);
        let root = kinematics.links[root].joint;
        for index in tree {
            let (link, placed) = (&body.links[index], &kinematics.links[index]);
            let arm = placed.joint - root + placed.centre;
            let speed = placed.velocity + rates[body.angle(index)] * placed.centre.perp();
            centre += link.mass * arm;
            velocity += link.mass * speed;
            turning += link.mass * arm.perp_dot(speed) + link.inertia * rates[body.angle(index)];
            inertia += link.mass * arm.length_squared() + link.inertia;
        }
        centre /= mass;
        velocity /= mass;
        Self {
            root,
            centre: root + centre,
            velocity,
            turning: turning - mass * centre.perp_dot(velocity),
            inertia: inertia - mass * centre.length_squared(),
        }
    }

    /// After `seconds` of free fall.
    pub(super) fn fallen(self, gravity: DVec2, seconds: f64) -> Self {
        let velocity = self.velocity + seconds * gravity;
        Self {
            centre: self.centre + 0.5 * seconds * (self.velocity + velocity),
            velocity,
            ..self
        }
    }

    /// With only a part of the velocity and of the turning left.
    pub(super) fn slowed(self, linear: f64, angular: f64) -> Self {
        Self {
            velocity: linear * self.velocity,
            turning: angular * self.turning,
            ..self
        }
    }

    /// Gives what hangs on `root`, and moves as `self`, the velocity and the turning of `wanted`.
    /// Returns how far its centre is from where it should be.
    pub(super) fn correct(
        self,
        wanted: Self,
        (body, root): (&Body, usize),
        rates: &mut [f64],
    ) -> DVec2 {
        let place = body.links[root].place;
        let turn = (wanted.turning - self.turning) / self.inertia;
        let shift = wanted.velocity - self.velocity + turn * (self.root - self.centre).perp();
        rates[place] += shift.x;
        rates[place + 1] += shift.y;
        for link in body.tree(root) {
            rates[body.angle(link)] += turn;
        }
        wanted.centre - self.centre
    }
}
