//! What the row shows of a rig: how many of its modifiers have which status.

use godot::prelude::*;
use tendon_nodes::nodes::rig::TendonRig2D;
use tendon_nodes::nodes::rig::skeleton::misplacement;
use tendon_solver::Status;

use crate::inspector::driven_bone::reason_for_idle;
use crate::inspector::status_row::content::{Content, GREY, Note, PLAIN};
use crate::inspector::status_row::content::{is_partial, text_of};

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

/// What a modifier of a rig is counted as: its status, and whether it is applied only in part.
type Kind = (Status, bool);

/// All kinds. Among the active ones, the worst is last.
const KINDS: [Kind; 5] = [
    (Status::Reached, false),
    (Status::Reached, true),
    (Status::OutOfReach, false),
    (Status::Invalid, false),
    (Status::Idle, false),
];

/// How a kind is called in a list, and its colour.
fn text_of_kind((status, is_partial): Kind) -> (String, &'static str) {
    let (word, colour) = text_of(status);
    match is_partial {
        true => ("partly applied".into(), PLAIN),
        false => (word.to_lowercase(), colour),
    }
}
