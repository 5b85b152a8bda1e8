//! Asks how skins are to be made, and shows what they would be.
//!
//! Whatever is changed, the skins are computed again, on a thread. What is confirmed is what is shown.

use godot::classes::control::SizeFlags;
use godot::classes::{
    Bone2D, Button, CheckBox, ConfirmationDialog, EditorInterface, HBoxContainer, Label,
    ProgressBar, SpinBox, VBoxContainer,
};
use godot::obj::InstanceId;
use godot::prelude::*;
use tendon_skin::{Density, Movers, Skin};

use crate::controls::{self, Fields, new_button, new_check, new_number, new_text, new_window};
use crate::refusal::Refusal;
use crate::skin::bone_list::MoverTree;
use crate::skin::colours::BoneColours;
use crate::skin::job::Job;
use crate::skin::options::SkinOptions;
use crate::skin::plan::SkinPlan;
use crate::skin::preview::{ShownPicture, TendonSkinPreview};
use crate::skin::replacement::AfterSkin;
use crate::skin::selected::{Pictures, choose, told_of_animated, told_of_beside};

/// The window.
pub(crate) struct SkinDialog {
    pub(crate) window: Gd<ConfirmationDialog>,
    subject: Gd<Label>,
    fields: NumberFields,
    removes: Gd<CheckBox>,
    bones: MoverTree,
    preview: Gd<TendonSkinPreview>,
    bar: Gd<ProgressBar>,
    result: Gd<Label>,
    /// Offers a mesh of fewer vertices, where there are very many.
    fewer: Gd<Button>,
    /// The hint about cuts, and the button that takes the last one back.
    cutting: Gd<HBoxContainer>,
    uncut: Gd<Button>,
    pictures: Option<Pictures>,
    /// Messages about the bones that were chosen, and about animated pictures.
    notes: Vec<String>,
    /// The values that were confirmed last, in the scene with this ID.
    confirmed: Option<(InstanceId, [f64; FIELDS.len()], bool)>,
    /// `true` if the skins that are shown are not of the current options.
    is_stale: bool,
    plan: Option<SkinPlan>,
    job: Option<Job>,
    made: Option<Vec<Skin>>,
}

/// The numbers, in the order of [`FIELDS`].
struct NumberFields([Gd<SpinBox>; FIELDS.len()]);

/// A number in the window.
struct NumberField {
    title: &'static str,
    help: &'static str,
    /// The least, the most and the step.
    range: (f64, f64, f64),
    unit: &'static str,
}

const FIELDS: [NumberField; 5] = [
    NumberField {
        title: "Detail",
        help: "How far vertices are apart; they are nearer at joints and along the outline. 0: as far as the picture needs.",
        range: (0.0, 512.0, 1.0),
        unit: "px",
    },
    NumberField {
        title: "Vertices",
        help: "About how many vertices each picture gets, instead of Detail. 0: as Detail says.",
        range: (0.0, 20_000.0, 1.0),
        unit: "",
    },
    NumberField {
        title: "Margin",
        help: "How far the outline stays from the opaque pixels. A linear filter needs 0.5.",
        range: (0.0, 64.0, 0.5),
        unit: "px",
    },
    NumberField {
        title: "Reach",
        help: "About how long the part of a limb is that bends at a joint, in half widths of the limb.",
        range: (0.1, 8.0, 0.1),
        unit: "half widths",
    },
    NumberField {
        title: "Threshold",
        help: "Pixels with an alpha of at most this much, up to 254, tie nothing together: the mesh is cut where a glow \
               ties an arm to the body, and faint specks are left out. -1: all that can be seen is covered as one.",
        range: (-1.0, 254.0, 1.0),
        unit: "",
    },
];

impl NumberFields {
    fn new(column: &Gd<VBoxContainer>, changed: &Callable) -> Self {
        let mut below = Fields::below(column);
        let fields = FIELDS.map(
            |NumberField {
                 title,
                 help,
                 range,
                 unit,
             }| {
                let mut number = below.add(title, help, &new_number(range, 0.0, unit));
                number.connect("value_changed", &changed.unbind(1));
                number
            },
        );
        let [detail, vertices, ..] = &fields;
        // Of one, it would be the finest there is.
        detail.clone().set_custom_arrow_step(4.0);
        vertices.clone().set_custom_arrow_step(100.0);
        Self(fields)
    }

    fn values(&self) -> [f64; FIELDS.len()] {
        self.0.each_ref().map(|field| field.get_value())
    }

    /// Tells nobody.
    fn set(&self, values: [f64; FIELDS.len()]) {
        for (field, value) in self.0.iter().zip(values) {
            field.clone().set_value_no_signal(value);
        }
    }

    fn defaults() -> [f64; FIELDS.len()] {
        let making = SkinOptions::default().making;
        [0.0, 0.0, making.margin, making.reach, -1.0]
    }

    fn options(&self) -> SkinOptions {
        let [detail, vertices, margin, reach, threshold] = self.values();
        let mut options = SkinOptions::default();
        if vertices > 0.0 {
            options.making.density = Density::Vertices(vertices.max(3.0) as usize);
        } else if detail > 0.0 {
            options.making.density = Density::Detail(detail);
        }
        options.making.margin = margin;
        options.making.reach = reach;
        options.threshold = (threshold >= 0.0).then_some(threshold as u8);
        options
    }
}

impl SkinDialog {
    /// Builds the window, which calls methods of `plugin`.
    pub(crate) fn new(plugin: &Gd<Node>) -> Self {
        let calls = |method: &str| Callable::from_object_method(plugin, method);
        let changed = calls("on_skin_changed");
        let scale = EditorInterface::singleton().get_editor_scale();
        let mut window = new_window("Skin to Bones", "Skin", &calls("on_skin_confirmed"));
        window.connect("canceled", &calls("on_skin_canceled"));
        let mut row = HBoxContainer::new_alloc();
        window.add_child(&row);
        let mut column = VBoxContainer::new_alloc();
        column.set_custom_minimum_size(Vector2::new(270.0, 0.0) * scale);
        row.add_child(&column);
        let subject = new_text(270.0 * scale);
        column.add_child(&subject);
        let fields = NumberFields::new(&column, &changed);
        let removes = new_check(
            "Remove Sprites",
            "Removes the sprites, instead of hiding them. What has children, or comes from an inherited or instanced \
             scene, is hidden.",
        );
        column.add_child(&removes);
        let bones = MoverTree::new(&changed);
        column.add_child(&bones.tree);
        let mut right = VBoxContainer::new_alloc();
        right.set_h_size_flags(SizeFlags::EXPAND_FILL);
        row.add_child(&right);
        let mut preview = TendonSkinPreview::new_alloc();
        preview.set_custom_minimum_size(Vector2::new(420.0, 380.0) * scale);
        preview.set_v_size_flags(SizeFlags::EXPAND_FILL);
        preview.set_clip_contents(true);
        preview.set_tooltip_text(CUT);
        preview.connect("cuts_changed", &changed);
        right.add_child(&preview);
        let mut bar = ProgressBar::new_alloc();
        bar.set_max(1.0);
        bar.set_step(0.01);
        right.add_child(&bar);
        let result = new_text(420.0 * scale);
        right.add_child(&result);
        let few = format!("Make About {FEW} of Each Picture");
        let mut fewer = new_button(&few, "", &calls("on_skin_fewer"));
        fewer.hide();
        right.add_child(&fewer);
        let mut cutting = HBoxContainer::new_alloc();
        right.add_child(&cutting);
        let mut hint = Label::new_alloc();
        hint.set_text(CUT);
        hint.set_h_size_flags(SizeFlags::EXPAND_FILL);
        hint.set_clip_text(true);
        cutting.add_child(&hint);
        let uncut = new_button("Undo Cut", "", &calls("on_skin_uncut"));
        cutting.add_child(&uncut);
        Self {
            window,
            subject,
            fields,
            removes,
            bones,
            preview,
            bar,
            result,
            fewer,
            cutting,
            uncut,
            pictures: None,
            notes: Vec::new(),
            confirmed: None,
            is_stale: false,
            plan: None,
            job: None,
            made: None,
        }
    }

    /// Asks for these pictures, with the options that were confirmed last in their scene.
    pub(crate) fn ask(&mut self, pictures: Pictures) {
        let scene = pictures.scene.instance_id();
        let kept = self.confirmed.filter(|confirmed| confirmed.0 == scene);
        let (_, values, removes) = kept.unwrap_or((scene, NumberFields::defaults(), false));
        self.fields.set(values);
        self.removes.set_pressed_no_signal(removes);
        let count = pictures.nodes().len();
        self.subject
            .set_text(&told_of(count, pictures.are_bones_chosen));
        let movers = choose(&pictures, &self.fields.options()).unwrap_or_else(|_| {
            // What is wrong is told when it is tried.
            let all = Movers {
                bones: (0..pictures.bones.len()).collect(),
                are_beside: false,
            };
            vec![all; count]
        });
        self.bones.show(&pictures, &movers);
        let beside = pictures.nodes().into_iter().zip(movers);
        let beside = beside.filter(|(_, movers)| movers.are_beside);
        let notes = beside.filter_map(|(node, movers)| {
            let bone = pictures.bones.get(*movers.bones.first()?)?;
            Some(told_of_beside(&node.get_name(), &bone.get_name()))
        });
        self.notes = notes.collect();
        self.notes
            .extend(told_of_animated(&pictures.scene, &pictures.sprites));
        self.removes.set_visible(!pictures.sprites.is_empty());
        self.cutting.set_visible(!pictures.sprites.is_empty());
        TendonSkinPreview::forget_cuts(&mut self.preview);
        self.pictures = Some(pictures);
        self.change();
        controls::open(&self.window);
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
        self.fewer.hide();
        if let Some(pictures) = &self.pictures {
            self.bones.name_parts(pictures);
        }
        let has_cuts = self.preview.bind().has_cuts();
        // It is always there: the buttons below do not move when the first line is drawn.
        self.uncut.set_disabled(!has_cuts);
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
        match self.planned() {
            Ok(plan) => {
                self.result.set_text("Working…");
                self.job = Some(Job::begin(plan.works().to_vec(), self.job.take()));
                self.plan = Some(plan);
            }
            Err(reason) => self.refuse(&reason),
        }
    }

    /// Returns the plan for the pictures, each with its bones that are checked.
    fn planned(&self) -> Result<SkinPlan, Refusal> {
        let pictures = self.pictures.as_ref().filter(|it| it.are_there());
        let pictures = pictures.ok_or(GONE)?;
        let bones = |checked: Vec<usize>| -> Vec<Gd<Bone2D>> {
            let bones = checked.iter().filter_map(|&it| pictures.bones.get(it));
            bones.cloned().collect()
        };
        let movers: Vec<_> = self.bones.checked().into_iter().map(bones).collect();
        match movers.iter().all(Vec::is_empty) {
            true => Err("no bone is checked".into()),
            false => {
                let cuts = self.preview.bind().cuts(pictures.sprites.len());
                SkinPlan::new(pictures, movers, &cuts, &self.fields.options())
            }
        }
    }

    /// Takes the last cut back.
    pub(crate) fn undo_cut(&mut self) {
        TendonSkinPreview::undo_cut(&mut self.preview);
        self.change();
    }

    /// Makes fewer vertices of each picture.
    pub(crate) fn make_fewer(&mut self) {
        let [_, vertices, ..] = &self.fields.0;
        vertices.clone().set_value_no_signal(FEW as f64);
        self.change();
    }

    fn show(&mut self, made: Vec<Skin>) {
        let Some(plan) = self.plan.as_ref().filter(|plan| plan.is_there()) else {
            return self.refuse(GONE);
        };
        let parts = made.iter().zip(plan.works());
        let parts = parts.zip(plan.movers()).enumerate();
        let shown = parts.map(|(index, ((skin, work), movers))| {
            let palette = BoneColours::of(movers);
            match plan.subjects.get(index) {
                Some(subject) => ShownPicture::of_subject(subject, skin, work, &palette),
                None => ShownPicture::of_mesh(skin, work, &palette),
            }
        });
        let shown: Vec<ShownPicture> = shown.collect();
        let count = |of: fn(&Skin) -> usize| made.iter().map(of).sum::<usize>();
        let vertices = count(|skin| skin.mesh.vertices.len());
        let triangles = count(|skin| skin.mesh.triangles.len());
        let mut told = vec![format!("{vertices} vertices, {triangles} triangles")];
        let of_sprites = made.iter().take(plan.subjects.len());
        let most = of_sprites.map(|skin| skin.mesh.vertices.len()).max();
        let are_many = vertices > MANY;
        if are_many {
            told.push(
                "These are many: games draw them slower, and weights are painted slower. Of specks, a higher Threshold leaves out \
                 what is faint.".into(),
            );
        }
        told.extend(self.notes.iter().cloned());
        self.result.set_text(&told.join("\n"));
        let have_many = most.is_some_and(|most| most > FEW * 6 / 5);
        self.fewer.set_visible(are_many && have_many);
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
        let plan = self.plan.take().filter(SkinPlan::is_there);
        let made = self.made.take();
        if let Some(pictures) = &self.pictures {
            let values = self.fields.values();
            let scene = pictures.scene.instance_id();
            self.confirmed = Some((scene, values, self.removes.is_pressed()));
        }
        let notes = std::mem::take(&mut self.notes);
        self.cancel();
        let (plan, made) = plan.zip(made).ok_or(GONE)?;
        let after = match self.removes.is_pressed() {
            true => AfterSkin::Remove,
            false => AfterSkin::Hide,
        };
        let told = plan.carry_out(&made, after, title)?;
        Ok(std::iter::once(told)
            .chain(notes)
            .collect::<Vec<_>>()
            .join(" "))
    }
}

/// Returns the text about the bones that move the pictures.
fn told_of(count: usize, are_bones_chosen: bool) -> String {
    match (count, are_bones_chosen) {
        (1, true) => "A picture. The checked bones move it.".into(),
        (1, false) => "A picture. The bones that run through the drawing are checked.".into(),
        (_, true) => format!("{count} pictures. The checked bones move each of them."),
        (_, false) => {
            format!(
                "{count} pictures. Each is moved by the bones that run through it. Open one to change them."
            )
        }
    }
}

/// With more vertices than this, all pictures together, fewer are offered: this many of each.
const MANY: usize = 5000;
const FEW: usize = 1000;

const CUT: &str = "To cut a hand off a hip, draw a line between them.";
const GONE: &str = "What was to be skinned is no longer there.";
