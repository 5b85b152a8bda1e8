//! The course of a body on which nothing but gravity and its own turning acts.
//!
//! A chain that is thrown soon multiplies every error, so a part of a tick is computed to the fourth order: by
//! the method of M. W. Kutta (1901). What something holds has lost its course already: there, the forces in the
//! middle of the part are enough.

use crate::kinematics::tree::Unsolvable;
use crate::solvers::ragdoll::body::Body;
use crate::solvers::ragdoll::forces::Forces;
use crate::solvers::ragdoll::inertia::{InertiaFactor, Load, TreeInertia};
use crate::solvers::ragdoll::kinematics::LinkKinematics;
use crate::solvers::ragdoll::motion::BodyMotion;

/// The free course over one part of a tick.
#[derive(Clone, Debug, Default)]
pub(super) struct Integrator {
    /// The body in the middle of the part.
    pub(super) middle: LinkKinematics,
    /// The factor of its inertia there, with what carries the root.
    pub(super) factor: InertiaFactor,
    /// The speeds at the end.
    pub(super) rates: Vec<f64>,
    /// The average speed, less that of the beginning and the end.
    pub(super) bend: Vec<f64>,
    stage: LinkKinematics,
    free: FreeMotion,
    state: Vec<f64>,
    speeds: Vec<f64>,
    /// The accelerations of the four stages.
    accelerations: [Vec<f64>; 4],
}

/// Memory for the accelerations of a body in one state.
#[derive(Clone, Debug, Default)]
struct FreeMotion {
    inertia: TreeInertia,
    factor: InertiaFactor,
    loads: Vec<Load>,
}

impl Integrator {
    /// Places the body as it is in the middle of a part of `step` seconds, if it keeps its speeds. `loads` become what gravity
    /// and its turning give it in the part.
    pub(super) fn estimate(
        &mut self,
        body: &Body,
        motion: &BodyMotion,
        forces: &Forces,
        step: f64,
        loads: &mut Vec<Load>,
    ) {
        self.state.clear();
        let both = motion.state.iter().zip(&motion.rates);
        self.state
            .extend(both.map(|(place, rate)| place + 0.5 * step * rate));
        self.middle.place(body, &self.state);
        forces.load_smoothly(body, &self.middle, &motion.rates, step, loads);
        self.rates.clone_from(&motion.rates);
        self.bend.clear();
        self.bend.resize(body.size(), 0.0);
    }

    /// Follows the body from `motion`, where `kinematics` has it, for `step` seconds.
    pub(super) fn advance(
        &mut self,
        (body, kinematics): (&Body, &LinkKinematics),
        motion: &BodyMotion,
        forces: &Forces,
        step: f64,
    ) -> Result<(), Unsolvable> {
        let half = 0.5 * step;
        let [first, ..] = &mut self.accelerations;
        self.free
            .accelerate(body, kinematics, forces, &motion.rates, first)?;
        // For each further stage: how far ahead it is, and the stage before by whose speeds it is there.
        let stages = [(half, None), (half, Some(0)), (step, Some(1))];
        for (before, (ahead, of_place)) in stages.into_iter().enumerate() {
            self.state.clear();
            self.speeds.clear();
            for (index, (place, rate)) in motion.state.iter().zip(&motion.rates).enumerate() {
                let bend = of_place.map_or(0.0, |it: usize| self.accelerations[it][index]);
                self.state.push(place + ahead * (rate + half * bend));
                self.speeds
                    .push(rate + ahead * self.accelerations[before][index]);
            }
            self.stage.place(body, &self.state);
            let accelerations = &mut self.accelerations[before + 1];
            self.free
                .accelerate(body, &self.stage, forces, &self.speeds, accelerations)?;
            if before == 0 {
                std::mem::swap(&mut self.middle, &mut self.stage);
                std::mem::swap(&mut self.factor, &mut self.free.factor);
            }
        }
        self.rates.clear();
        self.bend.clear();
        for (index, rate) in motion.rates.iter().enumerate() {
            let [first, second, third, fourth] = self.accelerations.each_ref().map(|it| it[index]);
            let inner = second + third;
            let mean = (first + 2.0 * inner + fourth) / 6.0;
            self.rates.push(rate + step * mean);
            self.bend.push(step * ((first + inner) / 6.0 - 0.5 * mean));
        }
        Ok(())
    }
}

impl FreeMotion {
    /// Finds the accelerations of a body where `kinematics` has it.
    fn accelerate(
        &mut self,
        body: &Body,
        kinematics: &LinkKinematics,
        forces: &Forces,
        rates: &[f64],
        accelerations: &mut Vec<f64>,
    ) -> Result<(), Unsolvable> {
        self.inertia.take(body, kinematics);
        forces.add_carrier(body, &mut self.inertia);
        if !self.inertia.factor(body, kinematics, &mut self.factor) {
            return Err(Unsolvable);
        }
        forces.load_smoothly(body, kinematics, rates, 1.0, &mut self.loads);
        accelerations.resize(body.size(), 0.0);
        self.factor
            .solve_upwards(body, &mut self.loads, accelerations);
        self.factor.solve_downwards(body, accelerations);
        Ok(())
    }
}
