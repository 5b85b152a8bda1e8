//! Cyclic coordinate descent as it is published, for chains.
//!
//! One iteration turns every joint once, so that the tip comes onto the line from the joint
//! to the target. Limits clamp a joint's angle as it is turned. Circles push out each joint
//! after the iteration, root first, by turning the bone that ends in it.
//!
//! Source: L.-C. T. Wang and C. C. Chen, *A Combined Optimization Method for Solving the
//! Inverse Kinematics Problem of Mechanical Manipulators* (1991).

use glam::DVec2;

use super::obstacle::push_out;
use super::repeat::repeat;
use super::task::{Answer, Task, within};

/// Solves `task` from the tip to the root, as is usual.
pub fn solve_tip_first(task: &Task) -> Answer {
    repeat(task, |ends| {
        for joint in (0..ends.len()).rev() {
            aim(task, ends, joint);
        }
        push_joints_out(task, ends);
    })
}

/// Solves `task` from the root to the tip.
pub fn solve_root_first(task: &Task) -> Answer {
    repeat(task, |ends| {
        for joint in 0..ends.len() {
            aim(task, ends, joint);
        }
        push_joints_out(task, ends);
    })
}

/// Turns one joint so that the tip comes as near to the target as that can bring it.
fn aim(task: &Task, ends: &mut [DVec2], joint: usize) {
    let effector = task.effectors[0];
    let origin = task.origin(ends, joint);
    let Some(mut swing) = swing_between(ends[effector.bone] - origin, effector.target - origin)
    else {
        return;
    };
    if let Some(limit) = task.bones[joint].limit {
        let angle = task.heading(ends, joint) - task.heading_above(ends, joint);
        let turned = within(angle + swing.to_angle(), Some(limit));
        swing = DVec2::from_angle(turned - angle);
    }
    swing_from(ends, joint, origin, swing);
}

/// Turns each bone that ends in a circle so that it ends outside, if it can.
fn push_joints_out(task: &Task, ends: &mut [DVec2]) {
    if task.circles.is_empty() {
        return;
    }
    for joint in 0..ends.len() {
        let origin = task.origin(ends, joint);
        let outside = push_out(&task.circles, origin, ends[joint], task.is_tip(joint));
        if let Some(swing) = swing_between(ends[joint] - origin, outside - origin) {
            swing_from(ends, joint, origin, swing);
        }
    }
}

/// The rotation from one direction to another, as a unit vector.
fn swing_between(from: DVec2, to: DVec2) -> Option<DVec2> {
    DVec2::new(from.dot(to), from.perp_dot(to)).try_normalize()
}

/// Turns the end of bone `joint` and all beyond it about `origin`.
fn swing_from(ends: &mut [DVec2], joint: usize, origin: DVec2, swing: DVec2) {
    for end in &mut ends[joint..] {
        *end = origin + swing.rotate(*end - origin);
    }
}
