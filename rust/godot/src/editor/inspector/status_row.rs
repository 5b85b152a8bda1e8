//! The row that says in the inspector what a node of Tendon does now.

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
use crate::nodes::rig::{TendonRig2D, misplacement};
use crate::plan::modifier::Modifier;
use crate::plan::result::PassResult;

/// Seconds from one look at the node to the next.
const PERIOD: f64 = 0.1;

/// A word in a colour of its own, a distance, and where there is something to do, what.
#[derive(GodotClass)]
#[class(tool, init, internal, base = VBoxContainer)]
pub(super) struct TendonStatusRow {
    node: Option<InstanceId>,
    word: Option<Gd<Label>>,
    measure: Option<Gd<Label>>,
    advice: Option<Gd<Label>>,
    shown: Option<Told>,
    /// Seconds since the last look.
    waited: f64,
    base: Base<VBoxContainer>,
}

/// What there is to say.
#[derive(Clone, PartialEq)]
struct Told {
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
        self.waited += delta;
        if self.waited >= PERIOD {
            self.waited = 0.0;
            self.look();
        }
    }
}

impl TendonStatusRow {
    /// Whether there is something to tell of `object`.
    pub(super) fn suits(object: &Gd<Object>) -> bool {
        let node = object.clone().try_cast::<Node>();
        node.is_ok_and(|node| tell(&node).is_some())
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
            this.look();
        }
        row.set_process(true);
        row
    }

    /// Looks at the node, and shows what has changed.
    fn look(&mut self) {
        let node = self.node.map(Gd::<Node>::try_from_instance_id);
        let Some(told) = node.and_then(Result::ok).as_ref().and_then(tell) else {
            return;
        };
        if self.shown.as_ref() == Some(&told) {
            return;
        }
        let theme = EditorInterface::singleton().get_editor_theme();
        if let (Some(word), Some(measure), Some(advice)) =
            (&mut self.word, &mut self.measure, &mut self.advice)
        {
            word.set_text(&told.word);
            if let Some(theme) = theme {
                let colour = theme.get_color(told.colour, "Editor");
                word.add_theme_color_override("font_color", colour);
                let colour = theme.get_color("warning_color", "Editor");
                advice.add_theme_color_override("font_color", colour);
            }
            measure.set_text(&told.measure);
            measure.set_tooltip_text(told.meaning);
            advice.set_text(&told.advice);
            advice.set_visible(!told.advice.is_empty());
        }
        self.shown = Some(told);
    }
}

/// What there is to say of `node`, if it is one of Tendon's.
fn tell(node: &Gd<Node>) -> Option<Told> {
    if let Ok(modifier) = node.clone().try_dynify::<dyn Modifier>() {
        let modifier = modifier.dyn_bind();
        let result = modifier.result().get();
        let active = modifier.is_active();
        drop(modifier);
        return Some(tell_of_modifier(node, &result, active));
    }
    if let Ok(effector) = node.clone().try_cast::<TendonEffector2D>() {
        return Some(tell_of_effector(node, effector.bind().distance()));
    }
    if let Ok(limit) = node.clone().try_cast::<TendonJointLimit2D>() {
        return Some(tell_of_limit(&limit));
    }
    let rig = node.clone().try_cast::<TendonRig2D>().ok()?;
    Some(tell_of_rig(&rig))
}

fn tell_of_modifier(node: &Gd<Node>, result: &PassResult, active: bool) -> Told {
    let (word, colour) = word_of(result.status);
    let silence = match rig_above(node) {
        _ if !active => Some("Inactive"),
        Some(rig) => silence(&rig),
        None => None,
    };
    Told {
        word: silence
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

fn tell_of_effector(node: &Gd<Node>, distance: f32) -> Told {
    let (word, colour) = match distance.is_finite() {
        true => ("Solved", "success_color"),
        false => ("Idle", GREY),
    };
    Told {
        word: word.into(),
        colour,
        measure: measure(distance),
        meaning: DISTANCE,
        advice: advice(node),
    }
}

fn tell_of_limit(limit: &Gd<TendonJointLimit2D>) -> Told {
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
    Told {
        word: word.into(),
        colour,
        measure: standing.map_or(String::new(), |it| format!("{:.1}°", it.angle.to_degrees())),
        meaning: "The bone's angle from its rest",
        advice: problem.map_or(String::new(), |problem| problem.to_string()),
    }
}

/// Radians from a limit's edge that count as on it.
const AT_LIMIT: f32 = 1e-3;

fn tell_of_rig(rig: &Gd<TendonRig2D>) -> Told {
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
                word_of(status).0.to_lowercase()
            ));
        }
    }
    let worst = [Status::Invalid, Status::OutOfReach, Status::Reached];
    let worst = worst.into_iter().find(|&status| count(status) > 0);
    let (word, colour) = match silence(rig) {
        Some(silence) => (silence.into(), GREY),
        None if parts.is_empty() => ("No modifiers".into(), GREY),
        None => (parts.join(", "), word_of(worst.unwrap_or_default()).1),
    };
    Told {
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
fn silence(rig: &Gd<TendonRig2D>) -> Option<&'static str> {
    let rig = rig.bind();
    if !rig.is_active() {
        Some("The rig is inactive")
    } else if !rig.is_previewed() {
        Some("The rig's preview is off")
    } else {
        None
    }
}

fn word_of(status: Status) -> (&'static str, &'static str) {
    match status {
        Status::Idle => ("Idle", GREY),
        Status::Reached => ("Reached", "success_color"),
        Status::OutOfReach => ("Out of reach", "warning_color"),
        Status::Invalid => ("Invalid", "error_color"),
    }
}

/// The editor theme's colour of what does nothing.
const GREY: &str = "font_disabled_color";

fn measure(distance: f32) -> String {
    match distance.is_finite() {
        true => format!("{distance:.2} px"),
        false => String::new(),
    }
}

/// What to do about `node`, if something is wrong with it.
fn advice(node: &Gd<Node>) -> String {
    let warnings = warnings_of(node);
    let first = warnings.as_slice().first();
    first.map_or(String::new(), GString::to_string)
}
