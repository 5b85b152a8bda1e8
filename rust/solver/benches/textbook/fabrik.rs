//! FABRIK as it is published, for chains and for trees.
//!
//! One iteration goes over the bones twice. *Inwards*, from the effectors: each bone's end is
//! put where it is wanted, and its beginning is pulled along to its length; where several
//! bones begin (a sub-base), the centroid of what they want is taken. *Outwards*, from the
//! root: each bone is laid from where its parent ends towards where its end was wanted.
//!
//! Limits clamp a bone's direction as it is laid, against its parent's outwards and against
//! its child's inwards: clamping in both passes arrives more often than in one. Circles push
//! out each joint as it is placed.
//!
//! Source: A. Aristidou and J. Lasenby, *FABRIK: A fast, iterative solver for the Inverse
//! Kinematics problem*, Graphical Models 73 (2011), algorithm 1 and section 4.3.

use glam::DVec2;

use super::obstacle::push_out;
use super::repeat::repeat;
use super::task::{Answer, Task, within};

/// Solves `task`.
pub fn solve(task: &Task) -> Answer {
    repeat(task, |ends| {
        let wanted = inwards(task, ends);
        outwards(task, ends, &wanted);
    })
}

/// Where each bone's end is wanted.
fn inwards(task: &Task, ends: &[DVec2]) -> Vec<DVec2> {
    let mut wishes = vec![(DVec2::ZERO, 0.0); ends.len()];
    let mut headings = vec![None; ends.len()];
    for effector in &task.effectors {
        wishes[effector.bone] = (effector.target, 1.0);
    }
    for (index, bone) in task.bones.iter().enumerate().rev() {
        let (sum, count) = wishes[index];
        let end = sum / count;
        let Some(parent) = bone.parent else { break };
        let mut along = direction(task.origin(ends, index) - end, -1.0, task, ends, index);
        if let Some(child) = headings[index] {
            along = -within_child(task, index, -along, child);
        }
        let origin = push_out(&task.circles, end, end + along * bone.length, false);
        headings[parent] = Some((index, (end - origin).to_angle()));
        wishes[parent].0 += origin;
        wishes[parent].1 += 1.0;
    }
    wishes.into_iter().map(|(sum, count)| sum / count).collect()
}

/// Lays the bones towards where their ends are wanted.
fn outwards(task: &Task, ends: &mut [DVec2], wanted: &[DVec2]) {
    for (index, bone) in task.bones.iter().enumerate() {
        let origin = task.origin(ends, index);
        let mut along = direction(wanted[index] - origin, 1.0, task, ends, index);
        if bone.limit.is_some() {
            let above = task.heading_above(ends, index);
            let angle = within(along.to_angle() - above, bone.limit);
            along = DVec2::from_angle(above + angle);
        }
        ends[index] = push_out(
            &task.circles,
            origin,
            origin + along * bone.length,
            task.is_tip(index),
        );
    }
}

/// The direction of `way`; where that has none, the bone's present one, times `sign`.
fn direction(way: DVec2, sign: f64, task: &Task, ends: &[DVec2], bone: usize) -> DVec2 {
    way.try_normalize()
        .unwrap_or_else(|| DVec2::from_angle(task.heading(ends, bone)) * sign)
}

/// `along`, the direction of bone `index`, turned to where its child's heading is within the
/// child's limits.
fn within_child(task: &Task, index: usize, along: DVec2, child: (usize, f64)) -> DVec2 {
    let (child, heading) = child;
    let limit = task.bones[child].limit;
    debug_assert_eq!(task.bones[child].parent, Some(index));
    if limit.is_none() {
        return along;
    }
    DVec2::from_angle(heading - within(heading - along.to_angle(), limit))
}
