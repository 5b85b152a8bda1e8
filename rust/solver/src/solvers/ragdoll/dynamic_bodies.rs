//! Bodies of the world that are pushed away, and push back with their mass.

use glam::DVec2;

use crate::solvers::ragdoll::solid::RagdollTick;

/// A body that moves freely.
#[derive(Clone, Copy, Debug)]
struct DynamicBody {
    body: u32,
    centre: DVec2,
    lightness: DVec2,
    velocity: DVec2,
    spin: f64,
}

/// All of them in a tick.
#[derive(Clone, Debug, Default)]
pub(super) struct DynamicBodies(Vec<DynamicBody>);

impl DynamicBodies {
    pub(super) fn load(&mut self, tick: &RagdollTick) {
        self.0.clear();
        for solid in &tick.solids {
            if solid.lightness.x > 0.0 && self.find(solid.body).is_none() {
                self.0.push(DynamicBody {
                    body: solid.body,
                    centre: solid.centre.as_dvec2(),
                    lightness: solid.lightness.as_dvec2(),
                    velocity: solid.velocity.as_dvec2(),
                    spin: solid.spin.into(),
                });
            }
        }
    }

    /// Takes their speeds away.
    pub(super) fn stop(&mut self) {
        for it in &mut self.0 {
            (it.velocity, it.spin) = (DVec2::ZERO, 0.0);
        }
    }

    /// Becomes a copy of others, where there is room already.
    pub(super) fn copy(&mut self, other: &Self) {
        self.0.clone_from(&other.0);
    }

    pub(super) fn find(&self, body: u32) -> Option<usize> {
        self.0.iter().position(|it| it.body == body)
    }

    /// Returns the derivative of the motion of `point` along `direction` by its three coordinates.
    pub(super) fn row(&self, index: usize, point: DVec2, direction: DVec2) -> [f64; 3] {
        let arm = point - self.0[index].centre;
        [direction.x, direction.y, arm.perp_dot(direction)]
    }

    /// Returns the change of the speed along one row by an impulse of 1 along another. Each is given with its body.
    pub(super) fn coupling(&self, one: (usize, [f64; 3]), other: (usize, [f64; 3])) -> f64 {
        let ((body, one), (other_body, other)) = (one, other);
        if body != other_body {
            return 0.0;
        }
        let lightness = self.0[body].lightness;
        lightness.x * (one[0] * other[0] + one[1] * other[1]) + lightness.y * one[2] * other[2]
    }

    pub(super) fn speed(&self, index: usize, [x, y, turn]: [f64; 3]) -> f64 {
        let it = &self.0[index];
        x * it.velocity.x + y * it.velocity.y + turn * it.spin
    }

    pub(super) fn push(&mut self, index: usize, [x, y, turn]: [f64; 3], impulse: f64) {
        let it = &mut self.0[index];
        it.velocity += impulse * it.lightness.x * DVec2::new(x, y);
        it.spin += impulse * it.lightness.y * turn;
    }
}
