//! The Tendon menu in the 2D toolbar.
//!
//! | file | what is in it |
//! |---|---|
//! | [`entries`] | the entries, with their texts and icons |
//! | [`task`] | whether an entry fits the selection, and what it does |
//! | [`sort`] | puts modifiers into an order that works |

mod entries;
mod sort;
mod task;

use godot::classes::{
    AcceptDialog, AnimationPlayer, ConfirmationDialog, EditorInterface, EditorPlugin,
    IEditorPlugin, MenuButton, PopupMenu, ResourceLoader, Skeleton2D, Texture2D,
};
use godot::global::Key as KeyCode;
use godot::prelude::*;

use crate::bake::Bake;
use crate::bake::dialog::BakeDialog;
use crate::bake::keys::Tolerance;
use crate::bake::targets::TargetBake;
use crate::bake::targets::dialog::TargetDialog;
use crate::menu::entries::{Command, groups};
use crate::menu::task::Task;
use crate::notice::{Outcome, new_dialog, tell};
use crate::selection::{Selection, concerns_tendon, edited_scene};
use crate::skin::dialog::SkinDialog;
use crate::toolbar::{self, has_skeleton, shortcut};

/// Puts the Tendon menu into the editor, and shows it while a skeleton, bones or nodes of Tendon
/// are selected.
#[derive(GodotClass)]
#[class(tool, init, internal, base = EditorPlugin)]
struct TendonMenuPlugin {
    menu: Option<Gd<MenuButton>>,
    /// Created for the first message.
    notice: Option<Gd<AcceptDialog>>,
    /// Created when it is first opened.
    bake: Option<BakeDialog>,
    targets: Option<TargetDialog>,
    skin: Option<SkinDialog>,
    character: Option<Gd<ConfirmationDialog>>,
    base: Base<EditorPlugin>,
}

#[godot_api]
impl IEditorPlugin for TendonMenuPlugin {
    #[func(gd_self)]
    fn enter_tree(mut this: Gd<Self>) {
        let mut menu = MenuButton::new_alloc();
        menu.set_text("Tendon");
        menu.set_switch_on_hover(true);
        menu.set_visible(false);
        if let Some(popup) = menu.get_popup() {
            fill(popup, &this);
        }
        toolbar::add(&this.clone().upcast(), &menu);
        this.bind_mut().menu = Some(menu);
        // The extension may be loaded while a scene is open.
        let scene = EditorInterface::singleton().get_edited_scene_root();
        Self::on_scene_changed(this, scene);
    }

    /// Skins are computed while their window is open.
    #[func(gd_self)]
    fn process(mut this: Gd<Self>, _delta: f64) {
        let is_open = this.bind().skin.as_ref().is_some_and(SkinDialog::is_open);
        if is_open {
            Self::with_skin(&mut this, SkinDialog::work);
        }
    }

    #[func(gd_self)]
    fn exit_tree(mut this: Gd<Self>) {
        let (menu, notice, windows) = {
            let mut plugin = this.bind_mut();
            let bake = plugin.bake.take().map(|it| it.form.window);
            let targets = plugin.targets.take().map(|it| it.form.window);
            let skin = plugin.skin.take().map(|it| it.window);
            let windows = [bake, targets, skin, plugin.character.take()];
            (plugin.menu.take(), plugin.notice.take(), windows)
        };
        toolbar::remove(&this.upcast(), menu);
        if let Some(notice) = notice.filter(Gd::is_instance_valid) {
            notice.free();
        }
        let windows = windows.into_iter().flatten();
        windows.filter(Gd::is_instance_valid).for_each(Gd::free);
    }
}

#[godot_api]
impl TendonMenuPlugin {
    /// Shows the menu as soon as something of a skeleton is selected. It then stays: where the
    /// toolbar has no room for it, the viewport would move down under the mouse each time.
    #[func(gd_self)]
    fn on_selection_changed(this: Gd<Self>) {
        let menu = this.bind().menu.clone();
        let Some(menu) = menu.filter(|_| concerns_tendon()) else {
            return;
        };
        toolbar::show(&menu, true);
        // Its shortcut works with any selection: entries are disabled when the menu is opened.
        if let Some((mut popup, id)) = menu.get_popup().zip(Command::Preview.id()) {
            let item = popup.get_item_index(id);
            popup.set_item_disabled(item, false);
        }
    }

    /// Another scene is edited: shows the menu if there is a skeleton.
    #[func(gd_self)]
    fn on_scene_changed(this: Gd<Self>, root: Option<Gd<Node>>) {
        let menu = this.bind().menu.clone();
        if let Some(menu) = menu {
            toolbar::show(&menu, has_skeleton(root));
        }
    }

    /// Disables the entries that do not fit the selection, with the reason in the tooltip.
    #[func(gd_self)]
    fn on_about_to_popup(this: Gd<Self>) {
        let menu = this.bind().menu.clone();
        let Some(mut popup) = menu.and_then(|menu| menu.get_popup()) else {
            return;
        };
        let selection = Selection::read();
        for (id, command) in (0..).zip(groups().into_iter().flatten()) {
            let task = match &selection {
                Ok(selection) => command.prepare(selection),
                Err(reason) => Err(reason.clone()),
            };
            let item = popup.get_item_index(id);
            popup.set_item_disabled(item, task.is_err());
            let is_checked = match &task {
                Ok(Task::Preview(rig)) => rig.bind().is_previewed(),
                _ => false,
            };
            popup.set_item_checked(item, is_checked);
            let tooltip = task.map(|task| match task.subject() {
                Some(subject) => format!("{}\n{subject}", command.help()),
                None => command.help().into(),
            });
            popup.set_item_tooltip(item, &tooltip.unwrap_or_else(|reason| reason));
        }
    }

    #[func(gd_self)]
    fn on_id_pressed(mut this: Gd<Self>, id: i64) {
        let Some(command) = Command::numbered(id) else {
            return;
        };
        let outcome = Selection::read().and_then(|selection| {
            let task = command.prepare(&selection)?;
            match &task {
                Task::RigCharacter(character) => {
                    Self::ask_for_character(&mut this, &character.describe());
                    return Ok(Outcome::Seen);
                }
                Task::AskForBake => Self::with_bake(&mut this, |dialog| {
                    dialog.ask(&selection.skeleton, &selection.scene);
                }),
                Task::AskForTargets(rig) => {
                    Self::with_targets(&mut this, |dialog| dialog.ask(rig, &selection));
                }
                Task::AskForSkin(pictures) => {
                    Self::with_skin(&mut this, |dialog| dialog.ask(pictures.clone()));
                }
                _ => {}
            }
            command.carry_out(task, &selection)
        });
        Self::tell(&mut this, outcome);
    }

    /// What the window has shown is made, of what is selected now.
    #[func(gd_self)]
    fn on_character_confirmed(mut this: Gd<Self>) {
        let outcome = Selection::read().and_then(|selection| {
            let task = Command::RigCharacter.prepare(&selection)?;
            Command::RigCharacter.carry_out(task, &selection)
        });
        Self::tell(&mut this, outcome);
    }

    #[func(gd_self)]
    fn on_player_selected(mut this: Gd<Self>) {
        Self::with_bake(&mut this, BakeDialog::list_animations);
    }

    #[func(gd_self)]
    fn on_animation_selected(mut this: Gd<Self>) {
        Self::with_bake(&mut this, BakeDialog::offer_range);
    }

    #[func(gd_self)]
    fn on_bake_confirmed(mut this: Gd<Self>) {
        let bake = Self::with_bake(&mut this, |dialog| dialog.answer());
        let outcome = bake.ok_or(GONE.into()).and_then(|bake| run(&bake));
        Self::tell(&mut this, outcome);
    }

    #[func(gd_self)]
    fn on_targets_player_selected(mut this: Gd<Self>) {
        Self::with_targets(&mut this, |dialog| dialog.form.list_animations());
    }

    #[func(gd_self)]
    fn on_targets_confirmed(mut this: Gd<Self>) {
        let bake = Self::with_targets(&mut this, |dialog| dialog.answer());
        let outcome = bake.ok_or(GONE.into()).and_then(|bake| run_targets(&bake));
        Self::tell(&mut this, outcome);
    }

    #[func(gd_self)]
    fn on_skin_changed(mut this: Gd<Self>) {
        Self::with_skin(&mut this, SkinDialog::change);
    }

    #[func(gd_self)]
    fn on_skin_canceled(mut this: Gd<Self>) {
        Self::with_skin(&mut this, SkinDialog::cancel);
    }

    #[func(gd_self)]
    fn on_skin_confirmed(mut this: Gd<Self>) {
        let title = Command::Skin.title().trim_end_matches('…');
        let told = Self::with_skin(&mut this, |dialog| dialog.confirm(title));
        Self::tell(&mut this, told.map(Outcome::Done));
    }

    /// Bakes what the rig of `skeleton` does into an animation of `player`, from one second to
    /// another, with `rate` steps in each, or `into_copy` of it. Tolerances are in radians and in
    /// pixels. Returns an error, or nothing.
    #[func(gd_self)]
    #[expect(
        clippy::too_many_arguments,
        reason = "scripts have no other way to name them"
    )]
    fn bake(
        _this: Gd<Self>,
        skeleton: Gd<Skeleton2D>,
        player: Gd<AnimationPlayer>,
        animation: StringName,
        from: f64,
        to: f64,
        rate: f64,
        angle_tolerance: f64,
        length_tolerance: f64,
        into_copy: bool,
    ) -> GString {
        let bake = Bake {
            skeleton,
            player,
            animation,
            from,
            to,
            rate,
            tolerance: Tolerance {
                angle: angle_tolerance,
                length: length_tolerance,
            },
            into_copy,
        };
        GString::from(&run(&bake).err().unwrap_or_default())
    }
}

impl TendonMenuPlugin {
    /// Takes the window out while it is used: it may call back.
    fn with_bake<R>(this: &mut Gd<Self>, work: impl FnOnce(&mut BakeDialog) -> R) -> R {
        let plugin = this.clone().upcast();
        let dialog = this.bind_mut().bake.take();
        let mut dialog = dialog.unwrap_or_else(|| BakeDialog::new(&plugin));
        let worked = work(&mut dialog);
        this.bind_mut().bake = Some(dialog);
        worked
    }

    /// As [`Self::with_bake`].
    fn with_targets<R>(this: &mut Gd<Self>, work: impl FnOnce(&mut TargetDialog) -> R) -> R {
        let plugin = this.clone().upcast();
        let dialog = this.bind_mut().targets.take();
        let mut dialog = dialog.unwrap_or_else(|| TargetDialog::new(&plugin));
        let worked = work(&mut dialog);
        this.bind_mut().targets = Some(dialog);
        worked
    }

    /// As [`Self::with_bake`].
    fn with_skin<R>(this: &mut Gd<Self>, work: impl FnOnce(&mut SkinDialog) -> R) -> R {
        let plugin = this.clone().upcast();
        let dialog = this.bind_mut().skin.take();
        let mut dialog = dialog.unwrap_or_else(|| SkinDialog::new(&plugin));
        let worked = work(&mut dialog);
        this.bind_mut().skin = Some(dialog);
        worked
    }

    /// Shows what would be made of a character, and asks whether to.
    fn ask_for_character(this: &mut Gd<Self>, text: &str) {
        let window = this.bind_mut().character.take();
        let window = window.or_else(|| {
            let mut window = ConfirmationDialog::new_alloc();
            window.set_title("Rig a Character");
            window.set_ok_button_text("Add");
            let on_confirmed = Callable::from_object_method(this, "on_character_confirmed");
            window.connect("confirmed", &on_confirmed);
            let mut base = EditorInterface::singleton().get_base_control()?;
            base.add_child(&window);
            Some(window)
        });
        if let Some(mut window) = window {
            window.set_text(text);
            window.reset_size();
            window.popup_centered();
            this.bind_mut().character = Some(window);
        }
    }

    fn tell(this: &mut Gd<Self>, outcome: Result<Outcome, String>) {
        let notice = this.bind_mut().notice.take();
        if let Some(notice) = notice.or_else(new_dialog) {
            tell(&notice, outcome);
            this.bind_mut().notice = Some(notice);
        }
    }
}

/// Bakes, and shows the result.
fn run(bake: &Bake) -> Result<Outcome, String> {
    let title = Command::Bake.title().trim_end_matches('…');
    let baked = bake.run(&edited_scene()?, title)?;
    Ok(Outcome::Done(format!(
        "Baked {} tracks into \"{}\": {} keys of {} steps. The rig may be switched off now.",
        baked.tracks, baked.animation, baked.keys, baked.samples
    )))
}

/// Bakes to targets, and shows the result.
fn run_targets(bake: &TargetBake) -> Result<Outcome, String> {
    let title = Command::BakeTargets.title().trim_end_matches('…');
    let baked = bake.run(&edited_scene()?, title)?;
    let advice = match baked.difference > LARGE_DIFFERENCE {
        true => {
            ". Look whether limbs bend the other way there, and whether they can reach: limits, poles and \
             flip_bend_direction hold"
        }
        false => "",
    };
    Ok(Outcome::Done(format!(
        "Baked {} targets into \"{}\": {} keys. The solved pose differs from the animation by at most \
         {:.2}°{advice}.",
        baked.targets,
        baked.animation,
        baked.keys,
        baked.difference.to_degrees()
    )))
}

/// Radians by which a solved pose differs visibly.
const LARGE_DIFFERENCE: f64 = 0.05;

/// The message when a dialog was open for too long.
const GONE: &str = "What was to be baked is no longer there.";

/// The icon called `name`: of the editor, or of a class of the addon.
fn icon(name: &str) -> Option<Gd<Texture2D>> {
    let theme = EditorInterface::singleton().get_editor_theme()?;
    if name.is_empty() {
        return None;
    }
    if theme.has_icon(name, "EditorIcons") {
        return theme.get_icon(name, "EditorIcons");
    }
    let file = format!("res://addons/tendon/icons/{name}.svg");
    let is_there = ResourceLoader::singleton().exists(&file);
    is_there.then(|| try_load(&file).ok())?
}

/// Puts the entries into `popup`, which calls `plugin`.
fn fill(mut popup: Gd<PopupMenu>, plugin: &Gd<TendonMenuPlugin>) {
    let mut id = 0;
    for group in groups() {
        if id > 0 {
            popup.add_separator();
        }
        for command in group {
            match (command, icon(&command.icon())) {
                (Command::Preview, _) => popup.add_check_item_ex(command.title()).id(id).done(),
                (_, Some(icon)) => popup.add_icon_item_ex(&icon, command.title()).id(id).done(),
                (_, None) => popup.add_item_ex(command.title()).id(id).done(),
            }
            id += 1;
        }
    }
    if let Some(id) = Command::Preview.id() {
        let item = popup.get_item_index(id);
        let shortcut = shortcut(KeyCode::P);
        let shortcut = popup.set_item_shortcut_ex(item, &shortcut);
        shortcut.global(true).done();
    }
    for signal in ["about_to_popup", "id_pressed"] {
        let method = format!("on_{signal}");
        popup.connect(signal, &Callable::from_object_method(plugin, &method));
    }
}
