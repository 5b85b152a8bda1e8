//! What is counted: how often a solver arrives, after how many iterations, and how bad its
//! worst answer is.
//!
//! Every answer is judged alike, by its joints' angles alone: forward kinematics in `f64`
//! says where they put the bones.

use serde::Serialize;

use crate::textbook::task::{Answer, FREE, Task};

/// How far a joint may be outside its limits, in radians.
const SLACK: f64 = 1e-4;

/// What a solver made of the tasks of one case.
#[derive(Serialize)]
pub struct Measure {
    /// How many tasks there were.
    pub tasks: usize,
    /// How many of them were solved, in percent.
    pub success: f64,
    /// The iterations of all, solved or not.
    pub iterations: Spread,
    /// What is left to the target, or to the nearest point in reach, in parts of the reach.
    pub left: Spread,
    /// How far inside a circle a joint or bone is, in parts of the reach.
    pub depth: Spread,
    /// The worst angle's way outside its limits, in radians.
    pub excess: f64,
}

/// What a list of numbers is like.
#[derive(Serialize)]
pub struct Spread {
    /// Half of them are at most this.
    pub median: f64,
    /// Of 100 of them, 95 are at most this.
    pub p95: f64,
    /// All of them are at most this.
    pub worst: f64,
}

impl Spread {
    fn of(mut values: Vec<f64>) -> Self {
        values.sort_by(f64::total_cmp);
        let at = |part: f64| {
            let rank = (part * values.len() as f64).ceil() as usize;
            values.get(rank.max(1) - 1).copied().unwrap_or(0.0)
        };
        Self {
            median: at(0.5),
            p95: at(0.95),
            worst: at(1.0),
        }
    }
}

impl Measure {
    /// Judges the answers to `tasks`.
    pub fn of(tasks: &[Task], answers: &[Answer]) -> Self {
        let verdicts: Vec<Verdict> = tasks.iter().zip(answers).map(Verdict::of).collect();
        let spread = |value: fn(&Verdict) -> f64| Spread::of(verdicts.iter().map(value).collect());
        let solved = verdicts.iter().filter(|verdict| verdict.is_solved).count();
        Self {
            tasks: tasks.len(),
            success: 100.0 * solved as f64 / tasks.len() as f64,
            iterations: Spread::of(
                answers
                    .iter()
                    .map(|answer| answer.iterations.into())
                    .collect(),
            ),
            left: spread(|verdict| verdict.left),
            depth: spread(|verdict| verdict.depth),
            excess: spread(|verdict| verdict.excess).worst,
        }
    }
}

/// What one answer is worth.
struct Verdict {
    left: f64,
    depth: f64,
    excess: f64,
    is_solved: bool,
}

impl Verdict {
    fn of((task, answer): (&Task, &Answer)) -> Self {
        let ends = task.place(&answer.angles);
        let reach = task.reach();
        // An answer that is not a number is as far off as can be.
        let part = |value: f64| {
            if value.is_nan() {
                f64::INFINITY
            } else {
                value / reach
            }
        };
        let left = part(nearest_in_reach(task).left(&ends));
        let depth = part(task.depth(&ends));
        let excess = task.excess(&answer.angles);
        Self {
            left,
            depth,
            excess,
            is_solved: left <= task.tolerance / reach && depth <= FREE && excess <= SLACK,
        }
    }
}

/// The task with every target that is out of reach where it is nearest.
fn nearest_in_reach(task: &Task) -> Task {
    let reach = task.reach();
    let mut task = task.clone();
    for effector in &mut task.effectors {
        effector.target = effector.target.clamp_length_max(reach);
    }
    task
}
