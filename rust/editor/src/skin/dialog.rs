//! Asks how skins are to be made, and shows what they would be.
//!
//! Whatever is changed, the skins are computed again, on a thread. What is confirmed is what is shown.

use godot::classes::control::SizeFlags;
use godot::classes::text_server::AutowrapMode;
use godot::classes::tree_item::TreeCellMode;
use godot::classes::{
    Bone2D, CheckBox, ConfirmationDialog, EditorInterface, GridContainer, HBoxContainer, Label,
    ProgressBar, SpinBox, Tree, VBoxContainer,
};
use godot::prelude::*;
use tendon_skin::{Density, Skin};

use crate::refusal::Refusal;
use crate::skin::colours::colour_of;
use crate::skin::job::Job;
use crate::skin::options::SkinOptions;
use crate::skin::plan::Plan;
use crate::skin::preview::{Shown, TendonSkinPreview};
use crate::skin::replacement::AfterSkin;
use crate::skin::selected::Pictures;

/// The window.
pub(crate) struct SkinDialog {
    pub(crate) window: Gd<ConfirmationDialog>,
    subject: Gd<Label>,
    detail: Gd<SpinBox>,
    margin: Gd<SpinBox>,
    reach: Gd<SpinBox>,
    removes: Gd<CheckBox>,
    bones: Gd<Tree>,
    preview: Gd<TendonSkinPreview>,
    bar: Gd<ProgressBar>,
    result: Gd<Label>,
    pictures: Option<Pictures>,
    /// Whether what is shown is not what the options say.
    is_stale: bool,
    plan: Option<Plan>,
    job: Option<Job>,
    made: Option<Vec<Skin>>,
}

impl SkinDialog {
    /// Builds the window, which calls methods of `plugin`.
    pub(crate) fn new(plugin: &Gd<Node>) -> Self {
        let calls = |method: &str| Callable::from_object_method(plugin, method);
        let changed = calls("on_skin_changed");
        let scale = EditorInterface::singleton().get_editor_scale();
        let mut window = ConfirmationDialog::new_alloc();
        window.set_title("Skin to Bones");
        window.set_ok_button_text("Skin");
        window.connect("confirmed", &calls("on_skin_confirmed"));
        window.connect("canceled", &calls("on_skin_canceled"));
        let mut row = HBoxContainer::new_alloc();
        window.add_child(&row);
        let mut column = VBoxContainer::new_alloc();
        column.set_custom_minimum_size(Vector2::new(250.0, 0.0) * scale);
        row.add_child(&column);
        let subject = new_text(250.0 * scale);
        column.add_child(&subject);
        let mut grid = GridContainer::new_alloc();
        grid.set_columns(2);
        column.add_child(&grid);
        let defaults = SkinOptions::default().making;
        let mut number =
            |title: &str, help: &str, range: (f64, f64, f64), value: f64, unit: &str| {
                let mut label = Label::new_alloc();
                label.set_text(title);
                grid.add_child(&label);
                let mut field = SpinBox::new_alloc();
                field.set_min(range.0);
                field.set_max(range.1);
                field.set_step(range.2);
                field.set_value(value);
                field.set_suffix(unit);
                field.set_tooltip_text(help);
                field.set_h_size_flags(SizeFlags::EXPAND_FILL);
                field.connect("value_changed", &changed.unbind(1));
                grid.add_child(&field);
                field
            };
        let mut detail = number("Detail", DETAIL, (0.0, 512.0, 1.0), 0.0, "px");
        // Of one pixel it would be the finest there is.
        detail.set_custom_arrow_step(4.0);
        let margin = number("Margin", MARGIN, (0.0, 64.0, 0.5), defaults.margin, "px");
        let reach = number(
            "Reach",
            REACH,
            (0.1, 8.0, 0.1),
            defaults.reach,
            "half widths",
        );
        let mut removes = CheckBox::new_alloc();
        removes.set_text("Remove Sprites");
        removes.set_tooltip_text(
            "Removes the sprites, instead of hiding them. What has children, or comes from an inherited or instanced \
             scene, is hidden.",
        );
        column.add_child(&removes);
        let bones = new_bone_list(&changed);
        column.add_child(&bones);
        let mut right = VBoxContainer::new_alloc();
        right.set_h_size_flags(SizeFlags::EXPAND_FILL);
        row.add_child(&right);
        let mut preview = TendonSkinPreview::new_alloc();
        preview.set_custom_minimum_size(Vector2::new(420.0, 380.0) * scale);
        preview.set_v_size_flags(SizeFlags::EXPAND_FILL);
        preview.set_clip_contents(true);
        right.add_child(&preview);
        let mut bar = ProgressBar::new_alloc();
        bar.set_max(1.0);
        bar.set_step(0.01);
        right.add_child(&bar);
        let result = new_text(420.0 * scale);
        right.add_child(&result);
        Self {
            window,
            subject,
            detail,
            margin,
            reach,
            removes,
            bones,
            preview,
            bar,
            result,
            pictures: None,
            is_stale: false,
            plan: None,
            job: None,
            made: None,
        }
    }

    /// Asks for these pictures.
    pub(crate) fn ask(&mut self, pictures: Pictures) {
        let count = pictures.sprites.len() + pictures.polygons.len();
        self.subject
            .set_text(&told_of(count, pictures.are_bones_chosen));
        self.list_bones(&pictures);
        self.removes.set_visible(!pictures.sprites.is_empty());
        self.pictures = Some(pictures);
        if self.window.get_parent().is_none()
            && let Some(mut base) = EditorInterface::singleton().get_base_control()
        {
            base.add_child(&self.window);
        }
        self.change();
        self.window.reset_size();
        self.window.popup_centered();
    }

    fn list_bones(&mut self, pictures: &Pictures) {
        self.bones.clear();
        let Some(root) = self.bones.create_item() else {
            return;
        };
        for (index, bone) in pictures.bones.iter().enumerate() {
            if let Some(mut item) = self.bones.create_item_ex().parent(&root).done() {
                item.set_cell_mode(0, TreeCellMode::CHECK);
                item.set_editable(0, true);
                item.set_checked(0, true);
                item.set_text(0, &bone.get_name().to_string());
                item.set_custom_color(0, colour_of(index).lerp(Color::WHITE, 0.25));
            }
        }
    }

    pub(crate) fn is_open(&self) -> bool {
        self.pictures.is_some()
    }

    /// The options have changed: what is shown is to be computed again.
    pub(crate) fn change(&mut self) {
        self.is_stale = true;
        self.made = None;
        self.cancel_job();
        self.set_ready(false);
    }

    /// The window was closed: nothing is left.
    pub(crate) fn cancel(&mut self) {
        self.pictures = None;
        self.is_stale = false;
        self.plan = None;
        self.cancel_job();
        self.made = None;
        TendonSkinPreview::show(&mut self.preview, Vec::new());
    }

    /// It is kept until it has ended.
    fn cancel_job(&self) {
        self.job.iter().for_each(Job::cancel);
    }

    /// In each frame while the window is open: begins to compute, shows how far it is, and then the result.
    pub(crate) fn work(&mut self) {
        if self.is_stale {
            self.is_stale = false;
            self.begin();
        }
        let Some(job) = self.job.as_ref().filter(|job| !job.is_cancelled()) else {
            return;
        };
        self.bar.set_value(job.progress());
        if let Some(made) = job.finished() {
            self.job = None;
            match made {
                Ok(made) => self.show(made),
                Err(reason) => self.refuse(&reason),
            }
        }
    }

    fn begin(&mut self) {
        let chosen = self.chosen_pictures();
        let planned = chosen.and_then(|pictures| Plan::new(&pictures, &self.options()));
        match planned {
            Ok(plan) => {
                self.result.set_text("Working…");
                self.job = Some(Job::begin(plan.works(), self.job.take()));
                self.plan = Some(plan);
            }
            Err(reason) => self.refuse(&reason),
        }
    }

    /// The pictures, with those of their bones that are checked.
    fn chosen_pictures(&self) -> Result<Pictures, Refusal> {
        let pictures = self.pictures.clone().filter(Pictures::are_there);
        let mut pictures = pictures.ok_or(GONE)?;
        let checked = self.checked();
        pictures.bones = checked
            .iter()
            .map(|&it| pictures.bones[it].clone())
            .collect();
        match pictures.bones.is_empty() {
            true => Err("no bone is checked".into()),
            false => Ok(pictures),
        }
    }

    /// The indices of the bones that are checked.
    fn checked(&self) -> Vec<usize> {
        let root = self.bones.clone().get_root();
        let items = root.map_or(Array::new(), |root| root.get_children());
        let items = items.iter_shared().enumerate();
        items
            .filter(|(_, item)| item.is_checked(0))
            .map(|(index, _)| index)
            .collect()
    }

    fn options(&self) -> SkinOptions {
        let mut options = SkinOptions::default();
        if self.detail.get_value() > 0.0 {
            options.making.density = Density::Detail(self.detail.get_value());
        }
        options.making.margin = self.margin.get_value();
        options.making.reach = self.reach.get_value();
        options
    }

    fn show(&mut self, made: Vec<Skin>) {
        let Some(plan) = self.plan.as_ref().filter(|plan| plan.is_there()) else {
            return self.refuse(GONE);
        };
        let listed = self.pictures.as_ref().map_or(&[][..], |it| &it.bones[..]);
        let index = |bone: &Gd<Bone2D>| listed.iter().position(|other| other == bone);
        let indices = |bones: &[Gd<Bone2D>]| -> Vec<usize> {
            bones.iter().map(|bone| index(bone).unwrap_or(0)).collect()
        };
        let mut skins = made.iter().zip(plan.bones_in_pictures());
        let subjects = plan.subjects.iter().zip(skins.by_ref());
        let sprites = subjects.map(|(subject, (skin, bones))| {
            Shown::of_subject(subject, skin, bones, &indices(&subject.bones))
        });
        let mut shown: Vec<Shown> = sprites.collect();
        let chosen = indices(plan.bones());
        shown.extend(skins.map(|(skin, bones)| Shown::of_mesh(skin, bones, &chosen)));
        let count = |of: fn(&Skin) -> usize| made.iter().map(of).sum::<usize>();
        self.result.set_text(&format!(
            "{} vertices, {} triangles",
            count(|skin| skin.mesh.vertices.len()),
            count(|skin| skin.mesh.triangles.len())
        ));
        TendonSkinPreview::show(&mut self.preview, shown);
        self.made = Some(made);
        self.set_ready(true);
    }

    /// Says why there is no result.
    fn refuse(&mut self, reason: &str) {
        self.result.set_text(reason);
        TendonSkinPreview::show(&mut self.preview, Vec::new());
        self.bar.set_visible(false);
    }

    fn set_ready(&mut self, is_ready: bool) {
        self.bar.set_visible(!is_ready);
        self.bar.set_value(0.0);
        if let Some(mut button) = self.window.get_ok_button() {
            button.set_disabled(!is_ready);
        }
    }

    /// Makes the skins that are shown, and returns what to tell the user.
    ///
    /// # Errors
    /// Why it is not possible.
    pub(crate) fn confirm(&mut self, title: &str) -> Result<String, Refusal> {
        let plan = self.plan.take().filter(Plan::is_there);
        let made = self.made.take();
        self.cancel();
        let (plan, made) = plan.zip(made).ok_or(GONE)?;
        let after = match self.removes.is_pressed() {
            true => AfterSkin::Remove,
            false => AfterSkin::Hide,
        };
        plan.carry_out(&made, after, title)
    }
}

/// What moves the pictures.
fn told_of(count: usize, are_bones_chosen: bool) -> String {
    match (count, are_bones_chosen) {
        (1, true) => "A picture. The checked bones move it.".into(),
        (1, false) => "A picture. The checked bones that lie inside the drawing move it.".into(),
        (_, true) => format!("{count} pictures. The checked bones move each of them."),
        (_, false) => {
            format!("{count} pictures. Each is moved by the checked bones inside its drawing.")
        }
    }
}

/// A text in lines of this width. Without one, the engine makes room for lines of single letters.
fn new_text(width: f32) -> Gd<Label> {
    let mut text = Label::new_alloc();
    text.set_autowrap_mode(AutowrapMode::WORD_SMART);
    text.set_custom_minimum_size(Vector2::new(width, 0.0));
    text
}

fn new_bone_list(changed: &Callable) -> Gd<Tree> {
    let mut bones = Tree::new_alloc();
    bones.set_hide_root(true);
    bones.set_v_size_flags(SizeFlags::EXPAND_FILL);
    bones.set_tooltip_text("The bones that may move the pictures, in the colors of the preview.");
    bones.connect("item_edited", changed);
    bones
}

const GONE: &str = "What was to be skinned is no longer there.";
const DETAIL: &str = "How far vertices are apart; they are nearer at joints and along the outline. 0: as far as the picture needs.";
const MARGIN: &str = "How far the outline stays from the opaque pixels. A linear filter needs 0.5.";
const REACH: &str =
    "About how long the part of a limb is that bends at a joint, in half widths of the limb.";
