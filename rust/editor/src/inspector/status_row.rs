//! The row in the inspector that shows the status of a node.
//!
//! | file | what is in it |
//! |---|---|
//! | [`content`] | the content of the row: a word, a measure and a note |
//! | [`modifier`], [`rig`] | that of each kind of node |

mod content;
mod modifier;
mod rig;

use godot::classes::control::SizeFlags;
use godot::classes::text_server::AutowrapMode;
use godot::classes::{
    Bone2D, BoxContainer, EditorInterface, HBoxContainer, IVBoxContainer, Label, VBoxContainer,
};
use godot::prelude::*;
use tendon_nodes::nodes::effector::TendonEffector2D;
use tendon_nodes::nodes::joint_limit::TendonJointLimit2D;
use tendon_nodes::nodes::rig::TendonRig2D;
use tendon_nodes::plan::modifier::Modifier;

use self::content::{Content, PLAIN};
use self::modifier::{effector_content, modifier_content};
use self::rig::{bone_content, limit_content, rig_content};

/// Seconds between two updates.
const PERIOD: f64 = 0.1;

/// The status in its colour, a distance or an angle, and a note below. From the first note on there
/// is room for two lines, whether there is a note or not, so that the fields below stay where they
/// are while a target is dragged.
#[derive(GodotClass)]
#[class(tool, init, internal, base = VBoxContainer)]
pub(super) struct TendonStatusRow {
    node: Option<InstanceId>,
    /// For the word, the measure and the note.
    labels: Option<[Gd<Label>; 3]>,
    shown: Option<Content>,
    /// Seconds since the last update.
    elapsed: f64,
    base: Base<VBoxContainer>,
}

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
    /// Returns `true` if `object` is a node that has a status.
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
        note.hide();
        line.add_child(&word);
        line.add_child(&measure);
        row.clone().upcast::<BoxContainer>().add_child(&line);
        row.add_child(&note);
        {
            let mut this = row.bind_mut();
            this.node = Some(node.instance_id());
            this.labels = Some([word, measure, note]);
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
        let Some([word, measure, note]) = &mut self.labels else {
            return;
        };
        if !content.note.text.is_empty() {
            note.show();
        }
        keep_room(note);
        if self.shown.as_ref() == Some(&content) {
            return;
        }
        word.set_text(&content.word);
        if let Some(theme) = EditorInterface::singleton().get_editor_theme() {
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
        self.shown = Some(content);
    }
}

/// Makes room for two lines of `note`. Its font is known only when the row is in the tree.
fn keep_room(note: &mut Gd<Label>) {
    let between = note.get_theme_constant("line_spacing");
    let margins = note.get_theme_stylebox("normal");
    let margins = margins.map_or(0.0, |style| style.get_minimum_size().y);
    let room = (2 * note.get_line_height() + between) as f32 + margins;
    note.set_custom_minimum_size(Vector2::new(1.0, room));
}

/// The content for `node`, if it is one of Tendon's or a bone of a rig.
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
