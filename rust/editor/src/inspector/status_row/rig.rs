//! What the row shows of a rig, of a joint limit and of a bone: how many modifiers have which status, where the bone is
//! in its range, and which modifiers drive it.

use godot::classes::Bone2D;
use godot::prelude::*;
use tendon_nodes::nodes::joint_limit::{TendonJointLimit2D, limit_on, problem_of};
use tendon_nodes::nodes::rig::TendonRig2D;
use tendon_nodes::nodes::rig::skeleton::misplacement;
use tendon_solver::Status;

use crate::inspector::driven_bone::{DrivenBone, reason_for_idle, rig_above};
use crate::inspector::status_row::content::{Content, GREY, Note, PLAIN, is_partial, text_of};

pub(super) fn rig_content(rig: &Gd<TendonRig2D>) -> Content {
    let statuses = rig.bind().statuses();
    let kinds = statuses.iter();
    let kinds = kinds.map(|&(status, influence)| (status, is_partial(status, influence)));
    let present: Vec<_> = kinds.collect();
    let count = |kind| present.iter().filter(|&&it| it == kind).count();
    let kinds = KINDS.into_iter().filter(|&kind| count(kind) > 0);
    let kinds: Vec<_> = kinds.collect();
    let parts = kinds.iter();
    let parts = parts.map(|&kind| format!("{} {}", count(kind), text_of_kind(kind).0));
    let worst = kinds.iter().rfind(|(status, _)| *status != Status::Idle);
    let (word, colour) = match reason_for_idle(rig) {
        Some(reason_for_idle) => (reason_for_idle.into(), GREY),
        None if kinds.is_empty() => ("No modifiers".into(), GREY),
        None => {
            let colour = worst.map_or(GREY, |&kind| text_of_kind(kind).1);
            (parts.collect::<Vec<_>>().join(", "), colour)
        }
    };
    let problem = misplacement(&rig.clone().upcast());
    Content {
        word,
        colour,
        note: Note::advice(problem.unwrap_or_default().into()),
        ..Content::default()
    }
}

/// The kind that a modifier of a rig is counted as: its status, and `true` if it is applied only in part.
type StatusKind = (Status, bool);

/// All kinds. Among the active ones, the worst is last.
const KINDS: [StatusKind; 5] = [
    (Status::Reached, false),
    (Status::Reached, true),
    (Status::OutOfReach, false),
    (Status::Invalid, false),
    (Status::Idle, false),
];

/// Returns the name of a kind in a list, and its colour.
fn text_of_kind((status, is_partial): StatusKind) -> (String, &'static str) {
    let (word, colour) = text_of(status);
    match is_partial {
        true => ("partly applied".into(), PLAIN),
        false => (word.to_lowercase(), colour),
    }
}

/// Radians from a limit's edge that count as on it.
const AT_LIMIT: f32 = 1e-3;

/// Returns `true` if a joint limit holds `bone` now.
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

/// Returns the content about the modifiers that drive `bone`, if its skeleton has a rig.
pub(super) fn bone_content(bone: &Gd<Bone2D>) -> Option<Content> {
    rig_above(bone)?;
    let Some(driven) = DrivenBone::of(bone) else {
        return Some(Content {
            word: "Not driven by a modifier".into(),
            colour: GREY,
            ..Content::default()
        });
    };
    let shown = match driven.reason_for_idle {
        Some(reason) => reason.to_lowercase(),
        None => format!("shown {:.1}°", bone.get_rotation().to_degrees()),
    };
    let text = format!(
        "{}: base {:.1}°, {shown}",
        driven.drivers.join(", "),
        driven.base.rotation.to_degrees()
    );
    Some(Content {
        word: "Driven by a modifier".into(),
        colour: "accent_color",
        note: Note::fact(text),
        ..Content::default()
    })
}
