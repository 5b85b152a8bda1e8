//! The row in the inspector that shows the status of a node.

use godot::classes::control::SizeFlags;
use godot::classes::text_server::AutowrapMode;
use godot::classes::{
    Bone2D, BoxContainer, EditorInterface, HBoxContainer, IVBoxContainer, Label, VBoxContainer,
};
use godot::prelude::*;
use tendon_solver::Status;

use crate::editor::inspector::driven_bone::{self, DrivenBone, reason_for_idle};
use crate::nodes::effector::{TendonEffector2D, warnings_of_effector};
use crate::nodes::joint_limit::{TendonJointLimit2D, limit_on, problem_of};
use crate::nodes::modifier::{rig_above, warnings_of};
use crate::nodes::rig::TendonRig2D;
use crate::nodes::rig::surroundings::misplacement;
use crate::plan::modifier::Modifier;
use crate::plan::result::PassResult;

/// Seconds between two updates.
const PERIOD: f64 = 0.1;

/// The status in its colour, a distance or an angle, and a note below. The note has room for two
/// lines whether it says something or not, so that the fields below stay where they are while a
/// target is dragged.
#[derive(GodotClass)]
#[class(tool, init, internal, base = VBoxContainer)]
pub(super) struct TendonStatusRow {
    node: Option<InstanceId>,
    word: Option<Gd<Label>>,
    measure: Option<Gd<Label>>,
    note: Option<Gd<Label>>,
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
    note: Note,
}

/// The text below.
#[derive(Clone, Default, PartialEq)]
struct Note {
    text: String,
    /// Whether it says what to do about a problem.
    is_advice: bool,
}

impl Note {
    fn advice(text: String) -> Self {
        Self {
            text,
            is_advice: true,
        }
    }

    fn fact(text: String) -> Self {
        Self {
            text,
            is_advice: false,
        }
    }

    /// This, or if it is empty, what `other` gives.
    fn or_else(self, other: impl FnOnce() -> Self) -> Self {
        match self.text.is_empty() {
            true => other(),
            false => self,
        }
    }
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
    pub(super) fn of(node: Gd<Node>) -> Gd<Self> {
        let mut row = Self::new_alloc();
        let mut line = HBoxContainer::new_alloc();
        let (mut word, mut measure) = (Label::new_alloc(), Label::new_alloc());
        word.set_h_size_flags(SizeFlags::EXPAND_FILL);
        measure.set_mouse_filter(godot::classes::control::MouseFilter::PASS);
        let mut note = Label::new_alloc();
        for label in [&mut word, &mut note] {
            label.set_autowrap_mode(AutowrapMode::WORD_SMART);
            label.set_custom_minimum_size(Vector2::new(1.0, 0.0));
        }
        line.add_child(&word);
        line.add_child(&measure);
        row.clone().upcast::<BoxContainer>().add_child(&line);
        row.add_child(&note);
        {
            let mut this = row.bind_mut();
            this.node = Some(node.instance_id());
            this.word = Some(word);
            this.measure = Some(measure);
            this.note = Some(note);
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
        self.keep_room();
        if self.shown.as_ref() == Some(&content) {
            return;
        }
        let theme = EditorInterface::singleton().get_editor_theme();
        if let (Some(word), Some(measure), Some(note)) =
            (&mut self.word, &mut self.measure, &mut self.note)
        {
            word.set_text(&content.word);
            if let Some(theme) = theme {
                let colour = theme.get_color(content.colour, "Editor");
                word.add_theme_color_override("font_color", colour);
                let colour = match content.note.is_advice {
                    true => theme.get_color("warning_color", "Editor"),
                    false => theme.get_color(PLAIN, "Editor"),
                };
                note.add_theme_color_override("font_color", colour);
            }
            measure.set_text(&content.measure);
            measure.set_tooltip_text(content.meaning);
            note.set_text(&content.note.text);
        }
        self.shown = Some(content);
    }

    /// Makes room for two lines of the note. Its font is known only when the row is in the tree.
    fn keep_room(&mut self) {
        if let Some(note) = &mut self.note {
            let between = note.get_theme_constant("line_spacing");
            let margins = note.get_theme_stylebox("normal");
            let margins = margins.map_or(0.0, |style| style.get_minimum_size().y);
            let room = (2 * note.get_line_height() + between) as f32 + margins;
            note.set_custom_minimum_size(Vector2::new(1.0, room));
        }
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
        return Some(effector_content(&effector));
    }
    if let Ok(limit) = node.clone().try_cast::<TendonJointLimit2D>() {
        return Some(limit_content(&limit));
    }
    if let Ok(bone) = node.clone().try_cast::<Bone2D>() {
        return bone_content(&bone);
    }
    let rig = node.clone().try_cast::<TendonRig2D>().ok()?;
    Some(rig_content(&rig))
}

/// What drives `bone`, if its skeleton has a rig.
fn bone_content(bone: &Gd<Bone2D>) -> Option<Content> {
    driven_bone::rig_above(bone)?;
    let Some(driven) = DrivenBone::of(bone) else {
        return Some(Content {
            word: "Not driven by a modifier".into(),
            colour: GREY,
            measure: String::new(),
            meaning: "",
            note: Note::default(),
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
        measure: String::new(),
        meaning: "",
        note: Note::fact(text),
    })
}

fn modifier_content(node: &Gd<Node>, result: &PassResult, active: bool) -> Content {
    let (word, colour) = text_of(result.status);
    let facts = Facts::of(node);
    let reason_for_idle = match rig_above(node) {
        _ if !active => Some("Inactive"),
        Some(rig) => reason_for_idle(&rig),
        None => None,
    };
    let reason_for_idle = reason_for_idle.filter(|_| result.status == Status::Idle);
    let (word, colour) = match reason_for_idle {
        Some(reason) => (reason.into(), colour),
        None if facts.is_partial(result.status) => (partly(facts.influence), PLAIN),
        None => (word.into(), colour),
    };
    Content {
        word,
        colour,
        measure: match (result.status, facts.look_error) {
            (Status::Idle, _) => String::new(),
            (_, Some(angle)) => format!("{:.1}°", angle.to_degrees()),
            _ => measure(result.distance),
        },
        meaning: match facts.look_error {
            Some(_) => "The angle between where the bone points and where it should",
            None => DISTANCE,
        },
        note: Note::advice(first_of(&warnings_of(node)))
            .or_else(|| Note::fact(facts.limits_in_the_way(result.status)))
            .or_else(|| Note::fact(facts.at_full_influence(result.status))),
    }
}

/// What only the plan knows of a modifier.
struct Facts {
    /// How much of its result is applied, the rig's own influence included.
    influence: f32,
    /// Whether it reaches for a target.
    reaches: bool,
    /// For a look-at, the angle that is left, in radians.
    look_error: Option<f32>,
    /// The names of its bones that are at their limits.
    at_limit: Vec<String>,
}

/// Of a modifier that is in no plan.
impl Default for Facts {
    fn default() -> Self {
        Self {
            influence: 1.0,
            reaches: false,
            look_error: None,
            at_limit: Vec::new(),
        }
    }
}

impl Facts {
    fn of(node: &Gd<Node>) -> Self {
        let Some(rig) = rig_above(node) else {
            return Self::default();
        };
        let (facts, joints) = {
            let rig = rig.bind();
            let found = rig.plan().and_then(|plan| plan.solver_of(node));
            let Some((plan, modifier)) = rig.plan().zip(found) else {
                return Self::default();
            };
            let joints = modifier.joints.iter();
            let joints = joints.filter_map(|&joint| plan.bones.get(joint).node().cloned());
            let facts = Self {
                influence: modifier.influence,
                reaches: modifier.solver.reaches(),
                look_error: modifier.look_error(),
                at_limit: Vec::new(),
            };
            (facts, joints.collect::<Vec<_>>())
        };
        let at_limit = joints.iter().filter(|bone| is_at_limit(bone));
        Self {
            at_limit: at_limit
                .map(|bone| format!("\"{}\"", bone.get_name()))
                .collect(),
            ..facts
        }
    }

    fn is_partial(&self, status: Status) -> bool {
        is_partial(status, self.influence)
    }

    fn at_full_influence(&self, status: Status) -> String {
        match self.is_partial(status) && self.reaches {
            true => "At full influence it reaches its target.".into(),
            false => String::new(),
        }
    }

    fn limits_in_the_way(&self, status: Status) -> String {
        match (status, self.at_limit.as_slice()) {
            (Status::OutOfReach, [one]) => format!("{one} is at its limit."),
            (Status::OutOfReach, [_, _, ..]) => {
                format!("At their limits: {}.", self.at_limit.join(", "))
            }
            _ => String::new(),
        }
    }
}

/// Whether a joint limit holds `bone` now.
fn is_at_limit(bone: &Gd<Bone2D>) -> bool {
    let Some(limit) = limit_on(bone) else {
        return false;
    };
    let limit = limit.bind();
    let standing = limit.standing().filter(|_| limit.counts());
    standing.is_some_and(|it| it.angle < it.min + AT_LIMIT || it.angle > it.max - AT_LIMIT)
}

fn effector_content(effector: &Gd<TendonEffector2D>) -> Content {
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
        note: Note::advice(problem.map_or(String::new(), |problem| problem.to_string())),
    }
}

/// Radians from a limit's edge that count as on it.
const AT_LIMIT: f32 = 1e-3;

fn rig_content(rig: &Gd<TendonRig2D>) -> Content {
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

fn text_of(status: Status) -> (&'static str, &'static str) {
    match status {
        Status::Idle => ("Idle", GREY),
        Status::Reached => ("Reached", "success_color"),
        Status::OutOfReach => ("Out of reach", "warning_color"),
        Status::Invalid => ("Invalid", "error_color"),
    }
}

/// Whether `status` is true of the result, but not of the pose, which is only a part of the way there.
fn is_partial(status: Status, influence: f32) -> bool {
    status == Status::Reached && influence < 1.0
}

/// In place of the status of a modifier that is applied in part.
fn partly(influence: f32) -> String {
    format!("{:.0}% applied", 100.0 * influence)
}

/// The editor theme's colour for inactive things.
const GREY: &str = "font_disabled_color";
/// The editor theme's colour for what is neither good nor bad.
const PLAIN: &str = "font_color";

fn measure(distance: f32) -> String {
    match distance.is_finite() {
        true => format!("{distance:.2} px"),
        false => String::new(),
    }
}

/// The first of `warnings`.
fn first_of(warnings: &PackedStringArray) -> String {
    let first = warnings.as_slice().first();
    first.map_or(String::new(), GString::to_string)
}
