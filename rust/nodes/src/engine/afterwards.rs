//! What a method has to tell, told when the method is over.
//!
//! While a method runs that borrows its node, nothing may be said that runs scripts: these may free the
//! node, and a borrowed node that is freed ends the process. A signal runs scripts, the editor asks for
//! warnings at once, and a script may even listen to the log. So a method that borrows leaves its messages
//! here. They are told as soon as it has returned, by who has called it
//! ([`crate::engine::guarded_methods`]), one after another.

use std::cell::RefCell;

use godot::classes::Resource;
use godot::prelude::*;

/// A message that waits. The node may have been freed when it is told.
enum Message {
    PropertiesChanged(InstanceId),
    WarningsChanged(InstanceId),
    Error(String),
    /// Nothing to tell: the resource is released.
    Release(Gd<Resource>),
}

thread_local! {
    /// The oldest first.
    static WAITING: RefCell<Vec<Message>> = const { RefCell::new(Vec::new()) };
}

/// Afterwards, tells that `node` has other properties than before.
pub(crate) fn notify_property_list_changed<T: GodotClass>(node: &Gd<T>) {
    leave(Message::PropertiesChanged(node.instance_id_unchecked()));
}

/// Afterwards, has the editor ask for the warnings of `node`.
pub(crate) fn update_configuration_warnings<T: GodotClass>(node: &Gd<T>) {
    leave(Message::WarningsChanged(node.instance_id_unchecked()));
}

/// Afterwards, prints `text` as an error.
pub(crate) fn print_error(text: String) {
    leave(Message::Error(text));
}

/// Afterwards, releases `resource`, which frees it if nobody else has it.
pub(super) fn release(resource: Gd<Resource>) {
    leave(Message::Release(resource));
}

fn leave(message: Message) {
    WAITING.with_borrow_mut(|waiting| waiting.push(message));
}

/// Runs `call`, and then tells what it has left. What a caller of this has left waits for that one's end.
pub(super) fn tell_after(call: impl FnOnce()) {
    let earlier = WAITING.with_borrow(Vec::len);
    call();
    while let Some(message) = take_after(earlier) {
        message.tell();
    }
}

fn take_after(earlier: usize) -> Option<Message> {
    WAITING.with_borrow_mut(|waiting| (waiting.len() > earlier).then(|| waiting.remove(earlier)))
}

impl Message {
    fn tell(self) {
        match self {
            Self::PropertiesChanged(node) => {
                if let Ok(mut node) = Gd::<Object>::try_from_instance_id(node) {
                    node.notify_property_list_changed();
                }
            }
            Self::WarningsChanged(node) => {
                if let Ok(mut node) = Gd::<Node>::try_from_instance_id(node) {
                    node.update_configuration_warnings();
                }
            }
            Self::Error(text) => godot_error!("{text}"),
            Self::Release(resource) => drop(resource),
        }
    }
}
