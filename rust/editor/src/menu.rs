//! The Tendon menu in the 2D toolbar.
//!
//! | file | what is in it |
//! |---|---|
//! | [`entries`] | the entries, with their texts and icons |
//! | [`task`] | the task of an entry, if it fits the selection |

mod entries;
mod task;

use godot::classes::{
    AcceptDialog, AnimationPlayer, ConfirmationDialog, EditorInterface, EditorPlugin,
    IEditorPlugin, InputEvent, MenuButton, Polygon2D, PopupMenu, ResourceLoader, Skeleton2D,
    Texture2D,
};
use godot::global::Key as KeyCode;
use godot::prelude::*;

use crate::bake::dialog::BakeDialog;
use crate::bake::form::Chosen;
use crate::bake::keys::Tolerance;
use crate::bake::targets::TargetBake;
use crate::bake::targets::dialog::TargetDialog;
use crate::bake::{Bake, GONE};
use crate::character_dialog::CharacterDialog;
use crate::menu::entries::{Command, all, groups};
use crate::menu::task::MenuTask;
use crate::new_character::NewCharacter;
use crate::notice::{CommandResult, counted, new_dialog, tell};
use crate::painting::redrawing::replace_drawing;
use crate::painting::tell_in_panel;
use crate::parts::{self, PartsToBones};
use crate::posing::edited_animation::EditedAnimation;
use crate::refusal::Refusal;
use crate::selection::{Selection, concerns_tendon, edited_scene, is_edited};
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
    character: Option<CharacterDialog>,
    parts: Option<Gd<ConfirmationDialog>>,
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

    /// The scene dock takes every key for the beginning of a name, also one with Alt and Shift: the shortcuts of the
    /// toolbar come first where nothing is written.
    #[func(gd_self)]
    fn input(this: Gd<Self>, event: Gd<InputEvent>) {
        let Some(mut viewport) = this.get_viewport() else {
            return;
        };
        let focus = viewport.gui_get_focus_owner();
        let is_list = focus.is_some_and(|it| it.is_class("Tree") || it.is_class("ItemList"));
        if is_list && toolbar::has_shortcut(&event) {
            viewport.push_unhandled_input(&event);
            viewport.set_input_as_handled();
        }
    }

    #[func(gd_self)]
    fn exit_tree(mut this: Gd<Self>) {
        let (menu, notice, windows) = {
            let mut plugin = this.bind_mut();
            let bake = plugin.bake.take().map(|it| it.form.window);
            let targets = plugin.targets.take().map(|it| it.form.window);
            let skin = plugin.skin.take().map(|it| it.window);
            let character = plugin.character.take().map(|it| it.window);
            let windows = [bake, targets, skin, character, plugin.parts.take()];
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
        let Some(menu) = menu.filter(|_| concerns_tendon() || parts::are_selected()) else {
            return;
        };
        toolbar::show(&menu, true);
    }

    /// Shortcuts work with any selection: what does not fit is told. Entries are disabled while the menu is open.
    #[func(gd_self)]
    fn on_popup_hide(this: Gd<Self>) {
        let menu = this.bind().menu.clone();
        let popup = menu.and_then(|menu| menu.get_popup());
        let items = popup.iter().flat_map(items_with_keys);
        for (mut popup, item, _) in items {
            popup.set_item_disabled(item, false);
        }
    }

    /// Another scene is edited: shows the menu if there is a skeleton, and closes windows about the one before.
    #[func(gd_self)]
    fn on_scene_changed(mut this: Gd<Self>, root: Option<Gd<Node>>) {
        Self::close_windows(&mut this);
        let menu = this.bind().menu.clone();
        if let Some(menu) = menu {
            toolbar::show(&menu, has_skeleton(root));
        }
    }

    /// Disables the entries that do not fit the selection, with the reason in the tooltip.
    #[func(gd_self)]
    fn on_about_to_popup(this: Gd<Self>) {
        let menu = this.bind().menu.clone();
        let Some(menu) = menu.and_then(|menu| menu.get_popup()) else {
            return;
        };
        let selection = Selection::read();
        for (id, command) in (0..).zip(all()) {
            let Some((mut popup, item)) = item_of(&menu, id) else {
                continue;
            };
            let task = command.prepare(&selection);
            popup.set_item_disabled(item, task.is_err());
            let is_checked = match &task {
                Ok(MenuTask::Preview(rig)) => rig.bind().is_previewed(),
                _ => false,
            };
            popup.set_item_checked(item, is_checked);
            let subject = |task: &MenuTask| task.subject(selection.as_ref().ok()?);
            let tooltip = task.map(|task| match subject(&task) {
                Some(subject) => format!("{}\n{subject}", command.entry().help),
                None => command.entry().help.into(),
            });
            popup.set_item_tooltip(item, &tooltip.unwrap_or_else(|reason| reason.to_string()));
        }
    }

    #[func(gd_self)]
    fn on_id_pressed(mut this: Gd<Self>, id: i64) {
        let Some(command) = Command::numbered(id) else {
            return;
        };
        let outcome = Self::choose(&mut this, command);
        Self::tell(&mut this, outcome);
    }

    /// Feet or limits were chosen, or no longer: the window says what that means.
    #[func(gd_self)]
    fn on_character_changed(mut this: Gd<Self>) {
        if let Ok(character) = Selection::read().and_then(|it| NewCharacter::of(&it)) {
            Self::with_character(&mut this, |dialog| dialog.describe(character));
        }
    }

    /// Makes what the window has shown, of the nodes that are selected now.
    #[func(gd_self)]
    fn on_character_confirmed(mut this: Gd<Self>) {
        let choices = Self::with_character(&mut this, |dialog| dialog.answer());
        let outcome = Selection::read().and_then(|selection| {
            let character = NewCharacter::of(&selection)?.with(choices);
            let command = Command::RigCharacter;
            command.carry_out(MenuTask::RigCharacter(character), &selection)
        });
        Self::tell(&mut this, outcome);
    }

    #[func(gd_self)]
    fn on_parts_confirmed(mut this: Gd<Self>) {
        let title = Command::PartsToBones.step();
        let notes = PartsToBones::selected().and_then(|parts| parts.convert(title));
        Self::tell(&mut this, notes.map(CommandResult::Report));
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
        Self::with_targets(&mut this, TargetDialog::list_animations);
    }

    #[func(gd_self)]
    fn on_targets_changed(mut this: Gd<Self>) {
        Self::with_targets(&mut this, TargetDialog::review);
    }

    #[func(gd_self)]
    fn on_targets_confirmed(mut this: Gd<Self>) {
        let bake = Self::with_targets(&mut this, |dialog| dialog.answer());
        let outcome = bake.ok_or(GONE.into()).and_then(|bake| run_targets(&bake));
        Self::tell(&mut this, outcome);
    }

    /// A file was chosen for a skin, or none.
    #[func(gd_self)]
    fn on_drawing_chosen(mut this: Gd<Self>, path: GString, polygon: Option<Gd<Polygon2D>>) {
        if path.is_empty() {
            return;
        }
        let title = Command::ReplaceDrawing.step();
        let polygon = polygon.filter(is_edited);
        let polygon = polygon.ok_or(Refusal::from("The skin is no longer there."));
        let told = polygon.and_then(|polygon| {
            let texture = try_load::<Texture2D>(&path);
            let texture = texture.map_err(|_| format!("\"{path}\" is no texture."))?;
            replace_drawing(&polygon, &texture, title)
        });
        let told = told.map(|told| match tell_in_panel(&told) {
            true => CommandResult::Seen,
            false => CommandResult::Done(told),
        });
        Self::tell(&mut this, told);
    }

    #[func(gd_self)]
    fn on_skin_changed(mut this: Gd<Self>) {
        Self::with_skin(&mut this, SkinDialog::change);
    }

    #[func(gd_self)]
    fn on_skin_fewer(mut this: Gd<Self>) {
        Self::with_skin(&mut this, SkinDialog::make_fewer);
    }

    #[func(gd_self)]
    fn on_skin_uncut(mut this: Gd<Self>) {
        Self::with_skin(&mut this, SkinDialog::undo_cut);
    }

    #[func(gd_self)]
    fn on_skin_canceled(mut this: Gd<Self>) {
        Self::with_skin(&mut this, SkinDialog::cancel);
    }

    #[func(gd_self)]
    fn on_skin_confirmed(mut this: Gd<Self>) {
        let title = Command::Skin.step();
        let told = Self::with_skin(&mut this, |dialog| dialog.confirm(title));
        Self::tell(&mut this, told.map(CommandResult::Done));
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
            chosen: Chosen {
                skeleton,
                player,
                animation,
                rate,
                into_copy,
            },
            from,
            to,
            tolerance: Tolerance {
                angle: angle_tolerance,
                length: length_tolerance,
            },
        };
        run(&bake)
            .err()
            .map_or_else(GString::new, |reason| GString::from(&*reason))
    }
}

impl TendonMenuPlugin {
    /// Opens the window of `command`, or carries it out.
    fn choose(this: &mut Gd<Self>, command: Command) -> Result<CommandResult, Refusal> {
        let selection = Selection::read();
        let open = |selection: &Selection| {
            let open = EditedAnimation::of_editor(&selection.scene);
            open.ok().map(|open| open.player)
        };
        match command.prepare(&selection)? {
            MenuTask::RigCharacter(character) => {
                Self::with_character(this, |dialog| dialog.ask(character));
            }
            MenuTask::AskForBake => {
                let selection = selection?;
                Self::with_bake(this, |dialog| {
                    let open = open(&selection);
                    dialog.ask(&selection.skeleton, &selection.scene, open.as_ref());
                });
            }
            MenuTask::AskForTargets(rig) => {
                let selection = selection?;
                Self::with_targets(this, |dialog| {
                    dialog.ask(&rig, &selection, open(&selection).as_ref());
                });
            }
            MenuTask::AskForSkin(pictures) => {
                Self::with_skin(this, |dialog| dialog.ask(pictures));
            }
            MenuTask::AskForParts(parts) => Self::with_parts(this, |window| parts.ask(window)),
            MenuTask::AskForDrawing(polygon) => {
                let chosen = Callable::from_object_method(this, "on_drawing_chosen");
                let chosen = chosen.bind(&[polygon.to_variant()]);
                let textures: Array<StringName> = array![&StringName::from("Texture2D")];
                let mut open = EditorInterface::singleton();
                open.popup_quick_open_ex(&chosen)
                    .base_types(&textures)
                    .done();
            }
            task => return command.carry_out(task, &selection?),
        }
        Ok(CommandResult::Seen)
    }

    /// Takes a window out while it is used: it may call back. It is created when it is first used.
    fn with<D, R>(
        this: &mut Gd<Self>,
        place: fn(&mut Self) -> &mut Option<D>,
        new: fn(&Gd<Node>) -> D,
        work: impl FnOnce(&mut D) -> R,
    ) -> R {
        let plugin = this.clone().upcast();
        let window = place(&mut this.bind_mut()).take();
        let mut window = window.unwrap_or_else(|| new(&plugin));
        let worked = work(&mut window);
        *place(&mut this.bind_mut()) = Some(window);
        worked
    }

    fn with_bake<R>(this: &mut Gd<Self>, work: impl FnOnce(&mut BakeDialog) -> R) -> R {
        Self::with(this, |it| &mut it.bake, BakeDialog::new, work)
    }

    fn with_targets<R>(this: &mut Gd<Self>, work: impl FnOnce(&mut TargetDialog) -> R) -> R {
        Self::with(this, |it| &mut it.targets, TargetDialog::new, work)
    }

    fn with_skin<R>(this: &mut Gd<Self>, work: impl FnOnce(&mut SkinDialog) -> R) -> R {
        Self::with(this, |it| &mut it.skin, SkinDialog::new, work)
    }

    fn with_character<R>(this: &mut Gd<Self>, work: impl FnOnce(&mut CharacterDialog) -> R) -> R {
        Self::with(this, |it| &mut it.character, CharacterDialog::new, work)
    }

    fn with_parts<R>(
        this: &mut Gd<Self>,
        work: impl FnOnce(&mut Gd<ConfirmationDialog>) -> R,
    ) -> R {
        Self::with(this, |it| &mut it.parts, parts::new_window, work)
    }

    fn close_windows(this: &mut Gd<Self>) {
        let windows = {
            let plugin = this.bind();
            let forms = [
                plugin.bake.as_ref().map(|it| &it.form),
                plugin.targets.as_ref().map(|it| &it.form),
            ];
            let windows = forms.into_iter().flatten().map(|form| form.window.clone());
            let character = plugin.character.as_ref().map(|it| it.window.clone());
            let parts = plugin.parts.clone();
            Vec::from_iter(windows.chain(character).chain(parts))
        };
        windows.into_iter().for_each(|mut window| window.hide());
        let is_open = this.bind().skin.as_ref().is_some_and(SkinDialog::is_open);
        if is_open {
            Self::with_skin(this, |dialog| {
                dialog.window.hide();
                dialog.cancel();
            });
        }
    }

    fn tell(this: &mut Gd<Self>, outcome: Result<CommandResult, Refusal>) {
        let notice = this.bind_mut().notice.take();
        if let Some(notice) = notice.or_else(new_dialog) {
            tell(&notice, outcome);
            this.bind_mut().notice = Some(notice);
        }
    }
}

/// Bakes, and shows the result.
fn run(bake: &Bake) -> Result<CommandResult, Refusal> {
    let title = Command::Bake.step();
    let baked = bake.run(&edited_scene()?, title)?;
    Ok(CommandResult::Done(format!(
        "Baked {} into \"{}\": {} of {}. The rig may be switched off now.",
        counted(baked.tracks, "track"),
        baked.animation,
        counted(baked.keys, "key"),
        counted(baked.samples, "step")
    )))
}

/// Bakes to targets, and shows the result.
fn run_targets(bake: &TargetBake) -> Result<CommandResult, Refusal> {
    let title = Command::BakeTargets.step();
    let baked = bake.run(&edited_scene()?, title)?;
    let advice = match baked.difference > LARGE_DIFFERENCE {
        true => {
            ". Look whether limbs bend the other way there, and whether they can reach: limits, poles and \
             flip_bend_direction hold"
        }
        false => "",
    };
    Ok(CommandResult::Done(format!(
        "Baked {} into \"{}\": {}. The solved pose differs from the animation by at most {:.2}°{advice}.",
        counted(baked.targets, "target"),
        baked.animation,
        counted(baked.keys, "key"),
        baked.difference.to_degrees()
    )))
}

/// Radians by which a solved pose differs visibly.
const LARGE_DIFFERENCE: f64 = 0.05;

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

/// The menu that has the entry `id`, `popup` or one of its submenus, and the entry's place in it.
fn item_of(popup: &Gd<PopupMenu>, id: i32) -> Option<(Gd<PopupMenu>, i32)> {
    let submenus = (0..popup.get_item_count()).filter_map(|it| popup.get_item_submenu_node(it));
    let mut menus = [popup.clone()].into_iter().chain(submenus);
    menus.find_map(|menu| {
        let item = menu.get_item_index(id);
        (item >= 0).then_some((menu, item))
    })
}

/// The entries of `popup` that have a shortcut: the menu, the place in it, and the key.
fn items_with_keys(popup: &Gd<PopupMenu>) -> Vec<(Gd<PopupMenu>, i32, KeyCode)> {
    let commands = (0..).zip(all());
    let items = commands.filter_map(|(id, command)| {
        let key = command.entry().key?;
        let (menu, item) = item_of(popup, id)?;
        Some((menu, item, key))
    });
    items.collect()
}

/// Puts the entries into `popup`, which calls `plugin`.
fn fill(mut popup: Gd<PopupMenu>, plugin: &Gd<TendonMenuPlugin>) {
    let mut id = 0;
    for (title, commands) in groups() {
        let mut menu = match title {
            Some(title) => add_submenu(&mut popup, title, plugin),
            None => popup.clone(),
        };
        for command in commands {
            add_item(&mut menu, command, id);
            id += 1;
        }
        // Below the last group there is nothing.
        if title.is_none() && Command::numbered(id.into()).is_some() {
            popup.add_separator();
        }
    }
    let opens = Callable::from_object_method(plugin, "on_about_to_popup");
    popup.connect("about_to_popup", &opens);
    let hides = Callable::from_object_method(plugin, "on_popup_hide");
    popup.connect("popup_hide", &hides);
    for (mut popup, item, key) in items_with_keys(&popup) {
        let shortcut = shortcut(&popup.get_item_text(item).to_string(), key);
        let shortcut = popup.set_item_shortcut_ex(item, &shortcut);
        shortcut.global(true).done();
    }
    call_when_chosen(&mut popup, plugin);
}

/// The ID of items that are no entries. Without one, the engine takes their place, which is the ID of an entry.
const SUBMENU: i32 = 1000;

fn add_submenu(
    popup: &mut Gd<PopupMenu>,
    title: &str,
    plugin: &Gd<TendonMenuPlugin>,
) -> Gd<PopupMenu> {
    let mut menu = PopupMenu::new_alloc();
    menu.set_name(title);
    popup
        .add_submenu_node_item_ex(title, &menu)
        .id(SUBMENU)
        .done();
    call_when_chosen(&mut menu, plugin);
    menu
}

fn call_when_chosen(menu: &mut Gd<PopupMenu>, plugin: &Gd<TendonMenuPlugin>) {
    let chosen = Callable::from_object_method(plugin, "on_id_pressed");
    menu.connect("id_pressed", &chosen);
}

fn add_item(menu: &mut Gd<PopupMenu>, command: Command, id: i32) {
    let entry = command.entry();
    match (command, icon(entry.icon)) {
        (Command::Preview, _) => menu.add_check_item_ex(entry.title).id(id).done(),
        (_, Some(icon)) => menu.add_icon_item_ex(&icon, entry.title).id(id).done(),
        (_, None) => menu.add_item_ex(entry.title).id(id).done(),
    }
}
