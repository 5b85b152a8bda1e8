//! What the row shows of an effector: how far its tip is from its target.

use godot::prelude::*;
use tendon_nodes::nodes::effector::{TendonEffector2D, warnings_of_effector};

use crate::inspector::status_row::content::partly;
use crate::inspector::status_row::content::{
    Content, DISTANCE, GREY, Note, PLAIN, first_of, measure,
};
use crate::inspector::status_row::modifier::Facts;

pub(super) fn effector_content(effector: &Gd<TendonEffector2D>) -> Content {
    let distance = effector.bind().distance();
    let influence = effector.get_parent().map(|tree| Facts::of(&tree).influence);
    let influence = influence.unwrap_or(1.0);
    let (word, colour) = match distance.is_finite() {
        true if influence < 1.0 => (partly(influence), PLAIN),
        true => ("Solved".into(), "success_color"),
        false => ("Idle".into(), GREY),
    };
    Content {
        word,
        colour,
        measure: measure(distance),
        meaning: DISTANCE,
        note: Note::advice(first_of(&warnings_of_effector(effector))),
    }
}
