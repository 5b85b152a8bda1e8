//! The course of a body on which nothing but gravity and its own turning acts.
//!
//! A chain that is thrown soon multiplies every error, so a part of a tick is computed to the fourth order: by
//! the method of M. W. Kutta (1901). What something holds has lost its course already: there, the forces in the
//! middle of the part are enough.

use crate::kinematics::tree::Unsolvable;
use crate::solvers::ragdoll::body::Body;
use crate::solvers::ragdoll::forces::Forces;
use crate::solvers::ragdoll::kinematics::LinkKinematics;
use crate::solvers::ragdoll::matrix::MassMatrix;
use crate::solvers::ragdoll::motion::BodyMotion;

/// The free course over one part of a tick.
#[derive(Clone, Debug, Default)]
pub(super) struct Integrator {
    /// The body and its matrix of inertia in the middle of the part.
    pub(super) middle: LinkKinematics,
    pub(super) plain: MassMatrix,
    /// The factor of that, with what carries the root.
    pub(super) factor: MassMatrix,
    /// The speeds at the end.
    pub(super) rates: Vec<f64>,
    /// The average speed, less that of the beginning and the end.
    pub(super) bend: Vec<f64>,
    stage: LinkKinematics,
    own: MassMatrix,
    state: Vec<f64>,
    speeds: Vec<f64>,
    /// The accelerations of the four stages.
    accelerations: [Vec<f64>; 4],
}

impl Integrator {
    /// Takes the body and its matrix of inertia as they are in the middle of a part of `step` seconds, if it keeps its
    /// speeds. `pushes` becomes its momentum at the end.
    pub(super) fn estimate(
        &mut self,
        body: &Body,
        motion: &BodyMotion,
        forces: &Forces,
        step: f64,
        pushes: &mut Vec<f64>,
    ) {
        self.state.clear();
        let both = motion.state.iter().zip(&motion.rates);
        self.state
            .extend(both.map(|(place, rate)| place + 0.5 * step * rate));
        self.middle.place(body, &self.state);
        self.plain.take_inertia(body, &self.middle);
        self.plain.multiply(body, &motion.rates, pushes);
        let sum = &mut self.accelerations[0];
        sum.clear();
        sum.resize(body.size(), 0.0);
        forces.add_smooth(body, &self.middle, &motion.rates, sum);
        for (push, force) in pushes.iter_mut().zip(sum) {
            *push += step * *force;
        }
        self.bend.clear();
        self.bend.resize(body.size(), 0.0);
    }

    /// Follows the body from `motion` for `step` seconds.
    pub(super) fn advance(
        &mut self,
        body: &Body,
        motion: &BodyMotion,
        forces: &Forces,
        step: f64,
    ) -> Result<(), Unsolvable> {
        let half = 0.5 * step;
        // For each stage: how far ahead it is, and by what stage before.
        let stages = [
            (0.0, None, None),
            (half, Some(0), None),
            (half, Some(1), Some(0)),
            (step, Some(2), Some(1)),
        ];
        for (number, (ahead, of_speed, of_place)) in stages.into_iter().enumerate() {
            let size = body.size();
            self.state.clear();
            self.speeds.clear();
            for index in 0..size {
                let rate = motion.rates[index];
                let by = |stage: Option<usize>| {
                    stage.map_or(0.0, |it: usize| self.accelerations[it][index])
                };
                let place = motion.state[index] + ahead * (rate + 0.5 * step * by(of_place));
                let speed = rate + ahead * by(of_speed);
                self.state.push(place);
                self.speeds.push(speed);
            }
            self.accelerate(body, forces, number)?;
            if number == 1 {
                std::mem::swap(&mut self.middle, &mut self.stage);
                std::mem::swap(&mut self.factor, &mut self.own);
                self.plain.take_inertia(body, &self.middle);
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

    /// Finds the accelerations of a stage.
    fn accelerate(
        &mut self,
        body: &Body,
        forces: &Forces,
        number: usize,
    ) -> Result<(), Unsolvable> {
        self.stage.place(body, &self.state);
        self.own.take_inertia(body, &self.stage);
        forces.add_carrier(body, &mut self.own);
        if !self.own.factor(body) {
            return Err(Unsolvable);
        }
        let sum = &mut self.accelerations[number];
        sum.clear();
        sum.resize(body.size(), 0.0);
        forces.add_smooth(body, &self.stage, &self.speeds, sum);
        self.own.solve_upwards(body, sum);
        self.own.solve_downwards(body, sum);
        Ok(())
    }
}
