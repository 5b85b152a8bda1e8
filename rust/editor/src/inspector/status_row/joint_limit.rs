//! What the row shows of a joint limit: where the bone is in its range.

use godot::classes::Bone2D;
use godot::prelude::*;
use tendon_nodes::nodes::joint_limit::{TendonJointLimit2D, limit_on, problem_of};

use crate::inspector::status_row::content::{Content, GREY, Note};

/// Radians from a limit's edge that count as on it.
const AT_LIMIT: f32 = 1e-3;

/// Whether a joint limit holds `bone` now.
pub(super) fn is_at_limit(bone: &Gd<Bone2D>) -> bool {
    let Some(limit) = limit_on(bone) else {
        return false;
    };
    let limit = limit.bind();
    let standing = limit.standing().filter(|_| limit.counts());
    standing.is_some_and(|it| it.angle < it.min + AT_LIMIT || it.angle > it.max - AT_LIMIT)
}

pub(super) fn limit_content(limit: &Gd<TendonJointLimit2D>) -> Content {
    let problem = problem_of(limit);
    let limit = limit.bind();
    let standing = limit.standing();
    let (word, colour) = match standing {
        _ if !limit.counts() => ("Inactive", GREY),
        None => ("Idle", GREY),
        Some(it) if it.angle < it.min - AT_LIMIT || it.angle > it.max + AT_LIMIT => {
            ("Beyond its limit", "warning_color")
        }
        Some(it) if it.angle < it.min + AT_LIMIT || it.angle > it.max - AT_LIMIT => {
            ("At its limit", "warning_color")
        }
        Some(_) => ("Within its limit", "success_color"),
    };
    Content {
        word: word.into(),
        colour,
        measure: standing.map_or(String::new(), |it| format!("{:.1}°", it.angle.to_degrees())),
        meaning: "The bone's angle from its rest",
        note: Note::advice(problem.map_or(String::new(), |problem| problem.to_string())),
    }
}
