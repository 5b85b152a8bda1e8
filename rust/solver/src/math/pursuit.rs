//! *Pursuit*: the law by which what is shown goes after a goal that may leap: with a speed and an acceleration that are
//! bounded.
//!
//! A way of `D` seconds at full speed is gone at the speed `g ≤ 1` from which there is time to brake, in steps of `δ`
//! seconds, if it takes `ramp` seconds to come to full speed:
//!
//! ```text
//! D = g δ / 2 + g² ramp / 2
//! ```
//!
//! The velocity of the goal is added to that, unless it is more than full speed: that is a leap. Nothing has to be known of
//! why the goal has leapt, and it may leap again on the way. Where it has not, it is shown to the last bit.

use glam::Vec2;

/// The speed at which a way of `seconds` at full speed is gone, if there must be time to brake in steps of `delta`.
pub(crate) fn brake(seconds: f64, delta: f64, ramp: f64) -> f64 {
    let half = 0.5 * delta;
    let speed = ((half * half + 2.0 * ramp * seconds.max(0.0)).sqrt() - half) / ramp;
    speed.min(1.0)
}

/// The speed at which a place goes after another: `speed` per second at most, which it reaches in `ramp` seconds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pace {
    pub(crate) speed: f32,
    pub(crate) ramp: f32,
}

impl Pace {
    /// Advances a place that goes after a goal by `delta` seconds. Returns it with its velocity. Both are given as they
    /// are now, and the goal as it was and will be.
    pub(crate) fn advance(
        self,
        [place, velocity]: [Vec2; 2],
        goal: [Vec2; 2],
        delta: f32,
    ) -> [Vec2; 2] {
        let leaps = goal[0].distance(goal[1]) > self.speed * delta;
        let goal_velocity = match leaps {
            true => Vec2::ZERO,
            false => (goal[1] - goal[0]) / delta,
        };
        let way = goal[1] - place - goal_velocity * delta;
        let nearer = (velocity - goal_velocity)
            .dot(way.normalize_or_zero())
            .max(0.0);
        let seconds = (way.length() - 0.5 * delta * nearer) / self.speed;
        let part = brake(seconds.into(), delta.into(), self.ramp.into()) as f32;
        let wanted = goal_velocity + way.normalize_or_zero() * (self.speed * part);
        let most = self.speed * delta / self.ramp;
        let change = wanted - velocity;
        if way.length() <= most * delta && change.length() <= most {
            return [goal[1], goal_velocity];
        }
        let after = velocity + change.clamp_length_max(most);
        [place + 0.5 * delta * (velocity + after), after]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PACE: Pace = Pace {
        speed: 400.0,
        ramp: 0.08,
    };

    /// What is shown in each step, for a goal that is where it was and then leaps.
    fn film(delta: f32, goal: impl Fn(f32) -> Vec2) -> Vec<Vec2> {
        let mut state = [goal(0.0), Vec2::ZERO];
        let steps = (1.0 / delta) as u32;
        let places = (1..=steps).map(|step| {
            let times = [step - 1, step].map(|step| step as f32 * delta);
            state = PACE.advance(state, times.map(&goal), delta);
            state[0]
        });
        places.collect()
    }

    #[test]
    fn speed_and_acceleration_are_bounded_and_the_goal_is_reached() {
        for rate in [30.0, 60.0, 144.0] {
            let delta = 1.0 / rate;
            for leap in [1.0, 10.0, 60.0] {
                let goal = |time: f32| Vec2::new(if time > 0.1 { leap } else { 0.0 }, 20.0 * time);
                let places = film(delta, goal);
                let speeds: Vec<_> = places
                    .windows(2)
                    .map(|two| (two[1] - two[0]) / delta)
                    .collect();
                let fastest = speeds
                    .iter()
                    .fold(0.0_f32, |most, speed| most.max(speed.length()));
                assert!(fastest < PACE.speed + 21.0, "{rate} {leap}: {fastest}");
                let changes = speeds.windows(2).map(|two| (two[1] - two[0]).length());
                let most = changes.fold(0.0, f32::max);
                assert!(
                    most < 2.1 * PACE.speed * delta / PACE.ramp,
                    "{rate} {leap}: {most}"
                );
                let after = (0.1 + leap / PACE.speed + 3.0 * PACE.ramp) * rate;
                let late = places[after as usize];
                assert!((late.x - leap).abs() < 1e-3, "{rate} {leap}: {late}");
            }
        }
    }

    #[test]
    fn a_goal_that_does_not_leap_is_shown_to_the_last_bit() {
        let goal = |time: f32| Vec2::new(40.0 * libm::sinf(3.0 * time), 5.0);
        for (step, place) in film(1.0 / 60.0, goal).into_iter().enumerate().skip(4) {
            assert_eq!(place, goal((step + 1) as f32 * (1.0 / 60.0)));
        }
    }
}
