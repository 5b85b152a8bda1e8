//! What the row shows of a rig: how many of its modifiers have which status.

use godot::prelude::*;
use tendon_solver::Status;

use crate::editor::inspector::driven_bone::reason_for_idle;
use crate::editor::inspector::status_row::content::{Content, GREY, Note, PLAIN};
use crate::editor::inspector::status_row::words::{is_partial, text_of};
use crate::nodes::rig::TendonRig2D;
use crate::nodes::rig::skeleton::misplacement;

pub(super) fn rig_content(rig: &Gd<TendonRig2D>) -> Content {
    let statuses = rig.bind().statuses();
    let count = |kind| {
        let kinds = statuses.iter().map(|&(status, influence)| Kind {
            status,
            is_partial: is_partial(status, influence),
        });
        kinds.filter(|&known| known == kind).count()
    };
    let kinds: Vec<_> = KINDS.into_iter().filter(|&kind| count(kind) > 0).collect();
    let parts = kinds.iter();
    let parts = parts.map(|&kind| format!("{} {}", count(kind), kind.text().0));
    let worst = kinds.iter().rfind(|kind| kind.status != Status::Idle);
    let (word, colour) = match reason_for_idle(rig) {
        Some(reason_for_idle) => (reason_for_idle.into(), GREY),
        None if kinds.is_empty() => ("No modifiers".into(), GREY),
        None => {
            let colour = worst.map_or(GREY, |kind| kind.text().1);
            (parts.collect::<Vec<_>>().join(", "), colour)
        }
    };
    Content {
        word,
        colour,
        measure: String::new(),
        meaning: "",
        note: Note::advice(
            misplacement(&rig.clone().upcast())
                .unwrap_or_default()
                .into(),
        ),
    }
}

/// What a modifier of a rig is counted as.
#[derive(Clone, Copy, PartialEq)]
struct Kind {
    status: Status,
    is_partial: bool,
}

/// All kinds. Among the active ones, the worst is last.
const KINDS: [Kind; 5] = [
    Kind::of(Status::Reached),
    Kind {
        status: Status::Reached,
        is_partial: true,
    },
    Kind::of(Status::OutOfReach),
    Kind::of(Status::Invalid),
    Kind::of(Status::Idle),
];

impl Kind {
    const fn of(status: Status) -> Self {
        Self {
            status,
            is_partial: false,
        }
    }

    /// How it is called in a list, and its colour.
    fn text(self) -> (String, &'static str) {
        let (word, colour) = text_of(self.status);
        match self.is_partial {
            true => ("partly applied".into(), PLAIN),
            false => (word.to_lowercase(), colour),
        }
    }
}
