//! The dock **Poses**: a library of poses, applied with a click and blended with a slider.
//!
//! | file | what is in it |
//! |---|---|
//! | [`dock`] | the controls |
//! | [`blend`] | a pose that is on its way to one of the library |
//! | [`shelf`] | changes of a library, as undo steps that save it |
//! | [`thumbnail`] | a picture of a character in its pose |

mod blend;
mod dock;
mod shelf;
mod thumbnail;

use godot::classes::editor_plugin::DockSlot;
use godot::classes::{EditorPlugin, IEditorPlugin, Skeleton2D};
use godot::prelude::*;
use tendon_nodes::engine::children::all_below;
use tendon_nodes::nodes::pose_library::TendonPoseLibrary;

use crate::notice::toast;
use crate::posing::exchange::what_is_left_out;
use crate::posing::library::blend::Blend;
use crate::posing::library::dock::Dock;
use crate::posing::library::shelf::{Shelf, is_saved};
use crate::posing::library::thumbnail::take_thumbnail;
use crate::refusal::Refusal;
use crate::selection::{Selection, edited_scene};
use crate::toolbar;
use crate::toolbar::switch::{TendonSwitch, add_switch};

/// Has the dock, and the toggle in the toolbar that shows it.
#[derive(GodotClass)]
#[class(tool, init, internal, base = EditorPlugin)]
struct TendonPoseDockPlugin {
    switch: Option<Gd<TendonSwitch>>,
    /// While it is shown.
    dock: Option<Dock>,
    /// The pose that was applied last.
    blend: Option<Blend>,
    /// `true` if the slider is held.
    is_dragging: bool,
    base: Base<EditorPlugin>,
}

#[godot_api]
impl IEditorPlugin for TendonPoseDockPlugin {
    #[func(gd_self)]
    fn enter_tree(mut this: Gd<Self>) {
        let help = "Shows the library of poses, in a dock.";
        let switch = add_switch(&this.clone().upcast(), "Poses", help);
        this.bind_mut().switch = Some(switch);
    }

    #[func(gd_self)]
    fn exit_tree(mut this: Gd<Self>) {
        Self::on_toggled(this.clone(), false);
        let switch = this.bind_mut().switch.take();
        toolbar::remove(&this.upcast(), switch);
    }
}

#[godot_api]
impl TendonPoseDockPlugin {
    #[func]
    fn on_scene_changed(&mut self, _root: Option<Gd<Node>>) {
        self.blend = None;
    }

    #[func(gd_self)]
    fn on_toggled(mut this: Gd<Self>, is_shown: bool) {
        let dock = this.bind_mut().dock.take();
        if let Some(dock) = dock.filter(|dock| dock.root.is_instance_valid()) {
            this.remove_control_from_docks(&dock.root);
            dock.root.free();
        }
        if is_shown {
            let dock = Dock::new(&this.clone().upcast());
            this.add_control_to_dock(DockSlot::RIGHT_BL, &dock.root);
            dock.remember_library();
            dock.list();
            this.bind_mut().dock = Some(dock);
        }
    }

    /// Another library was chosen, or the library has changed.
    #[func(gd_self)]
    fn refresh(this: Gd<Self>) {
        if let Some(dock) = Self::dock(&this) {
            dock.list();
        }
    }

    #[func(gd_self)]
    fn on_library_chosen(this: Gd<Self>) {
        if let Some(dock) = Self::dock(&this) {
            dock.note_library();
            dock.list();
        }
    }

    /// A pose was clicked: applies it, as one undo step.
    #[func(gd_self)]
    fn on_pose_chosen(mut this: Gd<Self>, index: i64) {
        let Some((dock, library)) = Self::open_library(&this) else {
            return;
        };
        let Some(name) = dock.name_at(index) else {
            return;
        };
        dock.name.clone().set_text(&name);
        let pose = library.bind().stored(&StringName::from(&name));
        let blend = selection().and_then(|selection| {
            let pose = pose.ok_or("This pose is no longer in the library.")?;
            Blend::begin(&name, &pose, &selection)
        });
        let told = blend.and_then(|mut blend| {
            let told = blend.commit(dock.weight());
            this.bind_mut().blend = Some(blend);
            told
        });
        tell(told);
    }

    #[func(gd_self)]
    fn on_drag_started(mut this: Gd<Self>) {
        this.bind_mut().is_dragging = true;
    }

    /// The slider has moved: shows the blend, and makes it an undo step unless the slider is still held.
    #[func(gd_self)]
    fn on_weight_changed(mut this: Gd<Self>, weight: f64) {
        let (blend, is_dragging) = {
            let mut plugin = this.bind_mut();
            (plugin.blend.take(), plugin.is_dragging)
        };
        let Some(mut blend) = blend.filter(Blend::is_there) else {
            return;
        };
        match is_dragging {
            true => blend.show(weight as f32),
            false => tell(blend.commit(weight as f32)),
        }
        this.bind_mut().blend = Some(blend);
    }

    #[func(gd_self)]
    fn on_drag_ended(mut this: Gd<Self>) {
        let Some(dock) = Self::dock(&this) else {
            return;
        };
        this.bind_mut().is_dragging = false;
        Self::on_weight_changed(this, f64::from(dock.weight()));
    }

    /// Stores the pose of the selection under the name that is typed.
    #[func(gd_self)]
    fn on_store(this: Gd<Self>) {
        let Some(mut dock) = Self::dock(&this) else {
            return;
        };
        let library = dock.library().unwrap_or_else(TendonPoseLibrary::new_gd);
        let name = dock.typed_name(&library);
        let stored = selection().and_then(|selection| {
            let is_new = !is_saved(&library);
            let shelf = Shelf::of(&library, &selection.scene);
            let thumbnail = take_thumbnail(&selection.skeleton, &selection.scene);
            shelf.store(&name, &selection, thumbnail.as_ref())?;
            let saved = is_new.then(|| format!("The library is saved as {}.", library.get_path()));
            let told = saved
                .into_iter()
                .chain(what_is_left_out(&selection.skeleton));
            let told: Vec<_> = told.collect();
            Ok((!told.is_empty()).then(|| told.join(" ")))
        });
        if stored.is_ok() {
            dock.set_library(&library);
        }
        tell(stored);
        Self::refresh(this);
    }

    #[func(gd_self)]
    fn on_rename(this: Gd<Self>) {
        Self::change(&this, |shelf, chosen, typed| shelf.rename(chosen, typed));
        if let Some(dock) = Self::dock(&this) {
            dock.choose(dock.name.get_text().to_string().trim());
        }
    }

    #[func(gd_self)]
    fn on_remove(this: Gd<Self>) {
        Self::change(&this, |shelf, chosen, _| shelf.remove(chosen));
    }
}

impl TendonPoseDockPlugin {
    fn dock(this: &Gd<Self>) -> Option<Dock> {
        let plugin = this.bind();
        let dock = plugin.dock.as_ref();
        dock.filter(|dock| dock.root.is_instance_valid()).cloned()
    }

    fn open_library(this: &Gd<Self>) -> Option<(Dock, Gd<TendonPoseLibrary>)> {
        let dock = Self::dock(this)?;
        let library = dock.library()?;
        Some((dock, library))
    }

    /// Changes the pose that is chosen; the name that is typed is the second one.
    fn change(this: &Gd<Self>, act: impl FnOnce(&Shelf, &str, &str) -> Result<(), Refusal>) {
        let Some((dock, library)) = Self::open_library(this) else {
            return tell(Err("Choose a library first.".into()));
        };
        let Some(chosen) = dock.chosen() else {
            return tell(Err("Choose a pose first.".into()));
        };
        let typed = dock.name.get_text().to_string();
        let changed = edited_scene()
            .and_then(|scene| act(&Shelf::of(&library, &scene), &chosen, typed.trim()));
        tell(changed.map(|()| None));
        dock.list();
    }
}

/// Returns the selection, or the only skeleton of the scene if nothing of a skeleton is selected.
fn selection() -> Result<Selection, Refusal> {
    Selection::read().or_else(|reason| {
        let scene = edited_scene()?;
        match <[_; 1]>::try_from(all_below::<Skeleton2D>(&scene)) {
            Ok([skeleton]) => Ok(Selection::of(scene, skeleton)),
            Err(_) => Err(reason),
        }
    })
}

fn tell(told: Result<Option<String>, Refusal>) {
    if let Some(text) = told.unwrap_or_else(|reason| Some(reason.to_string())) {
        toast(&text);
    }
}
