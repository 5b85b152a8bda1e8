//! The controls of the dock.

use godot::classes::control::SizeFlags;
use godot::classes::item_list::IconMode;
use godot::classes::{
    Control, EditorInterface, EditorResourcePicker, HBoxContainer, HSlider, ItemList, Label,
    LineEdit, ResourceLoader, VBoxContainer,
};
use godot::prelude::*;
use tendon_nodes::nodes::pose_library::TendonPoseLibrary;

use crate::controls::new_button;
use crate::posing::library::thumbnail::SIZE;

/// The section and the key of the project's metadata that note the library that is open.
const SECTION: &str = "tendon";
const KEY: &str = "pose_library";

/// The dock.
#[derive(Clone)]
pub(super) struct Dock {
    pub(super) root: Gd<VBoxContainer>,
    picker: Gd<EditorResourcePicker>,
    list: Gd<ItemList>,
    weight: Gd<HSlider>,
    pub(super) name: Gd<LineEdit>,
    /// The plugin's method that lists the poses again.
    refresh: Callable,
}

impl Dock {
    /// Builds the dock, which calls methods of `plugin`.
    pub(super) fn new(plugin: &Gd<Node>) -> Self {
        let calls = |method: &str| Callable::from_object_method(plugin, method);
        let mut root = VBoxContainer::new_alloc();
        root.set_name("Poses");
        let mut picker = EditorResourcePicker::new_alloc();
        picker.set_base_type("TendonPoseLibrary");
        picker.connect("resource_changed", &calls("on_library_chosen").unbind(1));
        root.add_child(&picker);
        let mut list = ItemList::new_alloc();
        list.set_icon_mode(IconMode::TOP);
        list.set_max_columns(0);
        list.set_same_column_width(true);
        let scale = EditorInterface::singleton().get_editor_scale();
        let side = (SIZE as f32 * scale) as i32;
        list.set_fixed_icon_size(Vector2i::new(side, side));
        list.set_fixed_column_width(side);
        list.set_custom_minimum_size(Vector2::new(0.0, 1.5 * side as f32));
        list.set_v_size_flags(SizeFlags::EXPAND_FILL);
        list.set_allow_reselect(true);
        list.set_tooltip_text(
            "Click a pose to apply it: to the selected bones, or to the whole skeleton.",
        );
        list.connect("item_selected", &calls("on_pose_chosen"));
        root.add_child(&list);
        let mut weight = HSlider::new_alloc();
        weight.set_max(1.0);
        weight.set_step(0.01);
        weight.set_value(1.0);
        weight.set_tooltip_text("How far from the pose before to the one that was clicked.");
        weight.connect("drag_started", &calls("on_drag_started"));
        weight.connect("value_changed", &calls("on_weight_changed"));
        weight.connect("drag_ended", &calls("on_drag_ended").unbind(1));
        let mut label = Label::new_alloc();
        label.set_text("Blend");
        let row = [label.upcast::<Control>(), weight.clone().upcast()];
        root.add_child(&row_of(&row, 1));
        let mut name = LineEdit::new_alloc();
        name.set_placeholder("Name of a pose");
        name.connect("text_submitted", &calls("on_store").unbind(1));
        let button = |text: &str, method: &str, help: &str| {
            new_button(text, help, &calls(method)).upcast::<Control>()
        };
        let store =
            "Stores the pose of the selected bones, or of the whole skeleton, under this name.";
        let remove = "Removes the pose that is chosen from the library.";
        let row = [
            name.clone().upcast::<Control>(),
            button("Store", "on_store", store),
        ];
        root.add_child(&row_of(&row, 0));
        let row = [
            button(
                "Rename",
                "on_rename",
                "Gives the pose that is chosen this name.",
            ),
            button("Remove", "on_remove", remove),
        ];
        root.add_child(&row_of(&row, 0));
        Self {
            root,
            picker,
            list,
            weight,
            name,
            refresh: calls("refresh"),
        }
    }

    pub(super) fn library(&self) -> Option<Gd<TendonPoseLibrary>> {
        self.picker.get_edited_resource()?.try_cast().ok()
    }

    pub(super) fn set_library(&mut self, library: &Gd<TendonPoseLibrary>) {
        self.picker.set_edited_resource(library);
        self.note_library();
    }

    /// Opens the library that the project had open last.
    pub(super) fn remember_library(&self) {
        let settings = EditorInterface::singleton().get_editor_settings();
        let none = GString::new().to_variant();
        let path = settings.map(|settings| {
            let path = settings.get_project_metadata_ex(SECTION, KEY);
            path.default(&none).done()
        });
        let path = path.and_then(|path| path.try_to::<GString>().ok());
        let path = path.unwrap_or_default();
        if ResourceLoader::singleton().exists(&path)
            && let Ok(library) = try_load::<TendonPoseLibrary>(&path)
        {
            self.clone().set_library(&library);
        }
    }

    /// Notes which library is open.
    pub(super) fn note_library(&self) {
        let path = self.library().map(|library| library.get_path());
        let path = path.unwrap_or_default();
        if let Some(mut settings) = EditorInterface::singleton().get_editor_settings() {
            settings.set_project_metadata(SECTION, KEY, &path.to_variant());
        }
    }

    /// Lists the poses of the library.
    pub(super) fn list(&self) {
        let chosen = self.chosen();
        let mut list = self.list.clone();
        list.clear();
        let Some(mut library) = self.library() else {
            return;
        };
        if !library.is_connected("changed", &self.refresh) {
            library.connect("changed", &self.refresh);
        }
        let names = library.bind().get_pose_list();
        for name in names.as_slice() {
            let thumbnail = library.bind().get_thumbnail(StringName::from(name));
            let index = list.add_item(name);
            if let Some(thumbnail) = thumbnail {
                list.set_item_icon(index, &thumbnail);
            }
            if chosen.as_ref() == Some(&name.to_string()) {
                list.select(index);
            }
        }
    }

    /// Selects the pose `name`, without applying it.
    pub(super) fn choose(&self, name: &str) {
        let mut list = self.list.clone();
        let mut items = 0..list.get_item_count();
        if let Some(index) = items.find(|&index| list.get_item_text(index) == name) {
            list.select(index);
        }
    }

    pub(super) fn name_at(&self, index: i64) -> Option<String> {
        let index = i32::try_from(index).ok()?;
        let is_there = (0..self.list.get_item_count()).contains(&index);
        is_there.then(|| self.list.get_item_text(index).to_string())
    }

    /// The name of the pose that is chosen.
    pub(super) fn chosen(&self) -> Option<String> {
        let chosen = self.list.clone().get_selected_items();
        self.name_at(i64::from(*chosen.as_slice().first()?))
    }

    /// The name that is typed, or a new one.
    pub(super) fn typed_name(&self, library: &Gd<TendonPoseLibrary>) -> String {
        let typed = self.name.get_text().to_string();
        let names = library.bind().get_pose_list();
        let is_free = |name: &String| names.as_slice().iter().all(|it| it.to_string() != *name);
        match typed.trim() {
            "" => {
                let mut names = (1..).map(|number| format!("Pose {number}"));
                names.find(is_free).unwrap_or_default()
            }
            typed => typed.into(),
        }
    }

    pub(super) fn weight(&self) -> f32 {
        self.weight.get_value() as f32
    }
}

/// A row of controls, of which the one at `wide` takes the room that is left.
fn row_of(controls: &[Gd<Control>], wide: usize) -> Gd<HBoxContainer> {
    let mut row = HBoxContainer::new_alloc();
    for (index, control) in controls.iter().enumerate() {
        row.add_child(control);
        if index == wide {
            control.clone().set_h_size_flags(SizeFlags::EXPAND_FILL);
        }
    }
    row
}
