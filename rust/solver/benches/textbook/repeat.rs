//! What every textbook solver does: one iteration after the other until it is there.

use glam::DVec2;

use super::task::{Answer, Task};

/// Repeats `iterate`, which moves the bones' ends, until the task is met, its cap is met, or
/// nothing moves any more.
pub fn repeat(task: &Task, mut iterate: impl FnMut(&mut [DVec2])) -> Answer {
    let mut ends = task.place(&task.start());
    let mut iterations = 0;
    while iterations < task.cap && !task.is_met(&ends) {
        let before = ends.clone();
        iterate(&mut ends);
        iterations += 1;
        if moved(task, &before, &ends) < task.still {
            break;
        }
    }
    Answer {
        angles: task.angles(&ends),
        iterations,
    }
}

/// How far the effector went that went farthest.
fn moved(task: &Task, before: &[DVec2], after: &[DVec2]) -> f64 {
    let ways = task.effectors.iter();
    ways.map(|effector| before[effector.bone].distance(after[effector.bone]))
        .fold(0.0, f64::max)
}
