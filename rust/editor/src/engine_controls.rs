//! The engine's own controls in the 2D toolbar, which have no names: they are told by what they call.

use godot::classes::BaseButton;
use godot::prelude::*;

/// Returns `true` if `signal` of `object` calls `method` of an object of `class`. If `method` is empty, any method
/// counts.
pub(super) fn calls(object: &Gd<Object>, signal: &str, class: &str, method: &str) -> bool {
    let connections = object.get_signal_connection_list(signal);
    connections.iter_shared().any(|connection| {
        let callable = connection.get("callable");
        let callable = callable.and_then(|it| it.try_to::<Callable>().ok());
        callable.is_some_and(|callable| {
            let object = callable.object();
            let name = callable.method_name().unwrap_or_default().to_string();
            object.is_some_and(|object| object.is_class(class)) && name.ends_with(method)
        })
    })
}

/// The buttons in `bar`, other than those that open menus.
pub(super) fn buttons_of(bar: &Gd<Node>) -> Vec<Gd<BaseButton>> {
    let children = bar.get_children();
    let buttons = children
        .iter_shared()
        .filter(|child| !child.is_class("MenuButton"));
    let buttons = buttons.filter_map(|child| child.try_cast().ok());
    buttons.collect()
}

/// Returns `true` if `bar` is the part of the 2D toolbar that inserts keys. Its buttons give commands, those that
/// choose what is keyed, too; other buttons that can be toggled choose a tool.
pub(super) fn is_key_bar(bar: &Gd<Node>) -> bool {
    buttons_of(bar)
        .iter()
        .any(|button| button.is_toggle_mode() && commands(&button.clone().upcast()))
}

/// Returns `true` if a button gives the 2D editor a command.
fn commands(button: &Gd<Object>) -> bool {
    calls(button, "pressed", "CanvasItemEditor", "_popup_callback")
}
