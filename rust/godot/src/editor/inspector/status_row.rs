//! The row in the inspector that shows the status of a node.

use godot::classes::control::SizeFlags;
use godot::classes::text_server::AutowrapMode;
use godot::classes::{
    BoxContainer, EditorInterface, HBoxContainer, IVBoxContainer, Label, VBoxContainer,
};
use godot::prelude::*;
use tendon_solver::Status;

use crate::nodes::effector::TendonEffector2D;
use crate::nodes::joint_limit::{TendonJointLimit2D, problem_of};
use crate::nodes::modifier::{rig_above, warnings_of};
use crate::nodes::rig::TendonRig2D;
use crate::nodes::rig::surroundings::misplacement;
use crate::plan::modifier::Modifier;
use crate::plan::result::PassResult;

/// Seconds between two updates.
const PERIOD: f64 = 0.1;

/// The status in its colour, a distance or an angle, and advice if there is a problem.
#[derive(GodotClass)]
#[class(tool, init, internal, base = VBoxContainer)]
pub(super) struct TendonStatusRow {
    node: Option<InstanceId>,
    word: Option<Gd<Label>>,
    measure: Option<Gd<Label>>,
    advice: Option<Gd<Label>>,
    shown: Option<Content>,
    /// Seconds since the last update.
    elapsed: f64,
    base: Base<VBoxContainer>,
}

/// What the row shows.
#[derive(Clone, PartialEq)]
struct Content {
    word: String,
    /// The name of an editor theme's colour.
    colour: &'static str,
    measure: String,
    /// What the measure means.
    meaning: &'static str,
    advice: String,
}

/// What the measure of a modifier and of an effector means.
const DISTANCE: &str = "What is left between the tip and the target, in the skeleton's units";

#[godot_api]
impl IVBoxContainer for TendonStatusRow {
    fn process(&mut self, delta: f64) {
        self.elapsed += delta;
        if self.elapsed >= PERIOD {
            self.elapsed = 0.0;
            self.refresh();
        }
    }
}

impl TendonStatusRow {
    /// Whether `object` is a node that has a status.
    pub(super) fn suits(object: &Gd<Object>) -> bool {
        let node = object.clone().try_cast::<Node>();
        node.is_ok_and(|node| content_of(&node).is_some())
    }

    /// The row of `node`.
    pub(in crate::editor) fn of(node: Gd<Node>) -> Gd<Self> {
        let mut row = Self::new_alloc();
        let mut line = HBoxContainer::new_alloc();
        let (mut word, mut measure) = (Label::new_alloc(), Label::new_alloc());
        word.set_h_size_flags(SizeFlags::EXPAND_FILL);
        measure.set_mouse_filter(godot::classes::control::MouseFilter::PASS);
        let mut advice = Label::new_alloc();
        advice.set_autowrap_mode(AutowrapMode::WORD_SMART);
        advice.set_custom_minimum_size(Vector2::new(1.0, 0.0));
        line.add_child(&word);
        line.add_child(&measure);
        row.clone().upcast::<BoxContainer>().add_child(&line);
        row.add_child(&advice);
        {
            let mut this = row.bind_mut();
            this.node = Some(node.instance_id());
            this.word = Some(word);
            this.measure = Some(measure);
            this.advice = Some(advice);
            this.refresh();
        }
        row.set_process(true);
        row
    }

    /// Reads the node, and shows what has changed.
    fn refresh(&mut self) {
        let node = self.node.map(Gd::<Node>::try_from_instance_id);
        let Some(content) = node.and_then(Result::ok).as_ref().and_then(content_of) else {
            return;
        };
        if self.shown.as_ref() == Some(&content) {
            return;
        }
        let theme = EditorInterface::singleton().get_editor_theme();
        if let (Some(word), Some(measure), Some(advice)) =
            (&mut self.word, &mut self.measure, &mut self.advice)
        {
            word.set_text(&content.word);
            if let Some(theme) = theme {
                let colour = theme.get_color(content.colour, "Editor");
                word.add_theme_color_override("font_color", colour);
                let colour = theme.get_color("warning_color", "Editor");
                advice.add_theme_color_override("font_color", colour);
            }
            measure.set_text(&content.measure);
            measure.set_tooltip_text(content.meaning);
            advice.set_text(&content.advice);
            advice.set_visible(!content.advice.is_empty());
        }
        self.shown = Some(content);
    }
}

/// What to show of `node`, if it is one of Tendon's.
fn content_of(node: &Gd<Node>) -> Option<Content> {
    if let Ok(modifier) = node.clone().try_dynify::<dyn Modifier>() {
        let modifier = modifier.dyn_bind();
        let result = modifier.result().get();
        let active = modifier.is_active();
        drop(modifier);
        return Some(modifier_content(node, &result, active));
    }
    if let Ok(effector) = node.clone().try_cast::<TendonEffector2D>() {
        return Some(effector_content(node, effector.bind().distance()));
    }
    if let Ok(limit) = node.clone().try_cast::<TendonJointLimit2D>() {
        return Some(limit_content(&limit));
    }
    let rig = node.clone().try_cast::<TendonRig2D>().ok()?;
    Some(rig_content(&rig))
}

fn modifier_content(node: &Gd<Node>, result: &PassResult, active: bool) -> Content {
    let (word, colour) = text_of(result.status);
    let reason_for_idle = match rig_above(node) {
        _ if !active => Some("Inactive"),
        Some(rig) => reason_for_idle(&rig),
        None => None,
    };
    Content {
        word: reason_for_idle
            .filter(|_| result.status == Status::Idle)
            .unwrap_or(word)
            .into(),
        colour,
        measure: match result.status {
            Status::Idle => String::new(),
            _ => measure(result.distance),
        },
        meaning: DISTANCE,
        advice: advice(node),
    }
}

fn effector_content(node: &Gd<Node>, distance: f32) -> Content {
    let (word, colour) = match distance.is_finite() {
        true => ("Solved", "success_color"),
        false => ("Idle", GREY),
    };
    Content {
        word: word.into(),
        colour,
        measure: measure(distance),
        meaning: DISTANCE,
        advice: advice(node),
    }
}

fn limit_content(limit: &Gd<TendonJointLimit2D>) -> Content {
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
        advice: problem.map_or(String::new(), |problem| problem.to_string()),
    }
}

/// Radians from a limit's edge that count as on it.
const AT_LIMIT: f32 = 1e-3;

fn rig_content(rig: &Gd<TendonRig2D>) -> Content {
    let statuses = rig.bind().statuses();
    let count = |status| statuses.iter().filter(|&&known| known == status).count();
    let mut parts = Vec::new();
    for status in [
        Status::Reached,
        Status::OutOfReach,
        Status::Invalid,
        Status::Idle,
    ] {
        if count(status) > 0 {
            parts.push(format!(
                "{} {}",
                count(status),
                text_of(status).0.to_lowercase()
            ));
        }
    }
    let worst = [Status::Invalid, Status::OutOfReach, Status::Reached];
    let worst = worst.into_iter().find(|&status| count(status) > 0);
    let (word, colour) = match reason_for_idle(rig) {
        Some(reason_for_idle) => (reason_for_idle.into(), GREY),
        None if parts.is_empty() => ("No modifiers".into(), GREY),
        None => (parts.join(", "), text_of(worst.unwrap_or_default()).1),
    };
    Content {
        word,
        colour,
        measure: String::new(),
        meaning: "",
        advice: misplacement(&rig.clone().upcast())
            .unwrap_or_default()
            .into(),
    }
}

/// Why no modifier of `rig` is solved, if none is.
fn reason_for_idle(rig: &Gd<TendonRig2D>) -> Option<&'static str> {
    let rig = rig.bind();
    if !rig.is_active() {
        Some("The rig is inactive")
    } else if !rig.is_previewed() {
        Some("The rig's preview is off")
    } else {
        None
    }
}

fn text_of(status: Status) -> (&'static str, &'static str) {
    match status {
        Status::Idle => ("Idle", GREY),
        Status::Reached => ("Reached", "success_color"),
        Status::OutOfReach => ("Out of reach", "warning_color"),
        Status::Invalid => ("Invalid", "error_color"),
    }
}

/// The editor theme's colour for inactive things.
const GREY: &str = "font_disabled_color";

fn measure(distance: f32) -> String {
    match distance.is_finite() {
        true => format!("{distance:.2} px"),
        false => String::new(),
    }
}

/// What to do about a problem of `node`.
fn advice(node: &Gd<Node>) -> String {
    let warnings = warnings_of(node);
    let first = warnings.as_slice().first();
    first.map_or(String::new(), GString::to_string)
}
