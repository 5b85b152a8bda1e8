//! What the mouse holds in the 2D viewport: a node, which the editor's own tool moves, or something that a plugin drags
//! by itself.
//!
//! Whatever may run scripts or tell others is called while nothing is borrowed.

mod target_drag;
mod watch;

use godot::classes::{Control, EditorInterface, EditorPlugin, InputEventMouseMotion};
use godot::obj::bounds::DeclUser;
use godot::obj::{Bounds, Inherits};
use godot::prelude::*;

pub(crate) use target_drag::TargetDrag;
pub(crate) use watch::Watch;

/// The object of a drag.
pub(crate) enum Dragged<T> {
    Node(TargetDrag),
    Own(T),
}

/// A drag that a plugin carries out by itself.
pub(crate) trait OwnDrag {
    /// The mouse is released.
    fn finish(self);
    /// All is as it was before.
    fn cancel(self);
    /// The watch of the nodes that it holds.
    fn watch(&self) -> &Watch;
}

/// A plugin in whose viewport things are dragged. It has the methods `end_target_drag` and `on_held_leaves`, which call
/// [`end_target_drag`] and [`forsake`].
pub(crate) trait Drags:
    GodotClass + Bounds<Declarer = DeclUser> + Inherits<EditorPlugin>
{
    type Own: OwnDrag;

    fn held(&mut self) -> &mut Option<Dragged<Self::Own>>;

    fn viewport(&self) -> Option<Gd<Control>>;
}

/// Takes the drag that the plugin carries out by itself out of it. `None` if there is none, or its nodes are gone.
pub(crate) fn take_own<P: Drags>(this: &mut Gd<P>) -> Option<P::Own> {
    let mut plugin = this.bind_mut();
    let own = match plugin.held().take() {
        Some(Dragged::Own(own)) => own,
        other => {
            *plugin.held() = other;
            return None;
        }
    };
    drop(plugin);
    if own.watch().is_whole() {
        return Some(own);
    }
    own.cancel();
    None
}

/// The mouse has moved: once that is far enough, the editor's own tool takes the node that is pressed. Returns whether
/// that tool is not to get `event`: the node still waits. `None` if none is held.
pub(crate) fn lead_node<P: Drags>(
    this: &mut Gd<P>,
    event: &Gd<InputEventMouseMotion>,
) -> Option<bool> {
    let (mut drag, viewport) = {
        let mut plugin = this.bind_mut();
        match plugin.held().take() {
            Some(Dragged::Node(drag)) => (drag, plugin.viewport()),
            other => {
                *plugin.held() = other;
                return None;
            }
        }
    };
    if !drag.is_whole() {
        drag.forsake();
        return Some(true);
    }
    let scale = EditorInterface::singleton().get_editor_scale();
    let is_far = !drag.has_begun() && drag.is_far(event.get_position(), scale);
    let mut is_taken = true;
    if let Some(viewport) = viewport {
        if is_far {
            drag.begin(&viewport);
        }
        is_taken = !drag.has_begun();
    }
    *this.bind_mut().held() = Some(Dragged::Node(drag));
    Some(is_taken)
}

/// Returns `true` if a node is dragged, and its drag `is` so.
fn drags_node<P: Drags>(this: &mut Gd<P>, is: impl FnOnce(&TargetDrag) -> bool) -> bool {
    let mut plugin = this.bind_mut();
    matches!(plugin.held(), Some(Dragged::Node(drag)) if is(drag))
}

/// Ends a drag. Returns whether there was one that the editor does not carry out itself.
pub(crate) fn release<P: Drags>(this: &mut Gd<P>) -> bool {
    // The editor's own tool may be unable to go on with the node that it has taken.
    if drags_node(this, |drag| !drag.is_whole()) {
        forsake(this);
        return true;
    }
    if let Some(own) = take_own(this) {
        own.finish();
        this.upcast_mut().update_overlays();
        return true;
    }
    let holds_node = this.bind_mut().held().is_some();
    if holds_node {
        // The editor's tool has yet to finish, with the same event.
        this.upcast_mut().call_deferred("end_target_drag", &[]);
    }
    holds_node && !drags_node(this, TargetDrag::has_begun)
}

/// Cancels a drag. Returns whether there was one that the editor does not carry out itself.
pub(crate) fn cancel<P: Drags>(this: &mut Gd<P>) -> bool {
    if drags_node(this, |drag| drag.has_begun() && drag.is_whole()) {
        return release(this);
    }
    let is_any = this.bind_mut().held().is_some();
    forsake(this);
    is_any
}

/// Ends whatever is dragged at once, as if nothing had been: there will be no further event.
pub(crate) fn forsake<P: Drags>(this: &mut Gd<P>) {
    let held = this.bind_mut().held().take();
    match held {
        Some(Dragged::Own(own)) => own.cancel(),
        Some(Dragged::Node(drag)) => drag.forsake(),
        None => return,
    }
    this.upcast_mut().update_overlays();
}

/// The editor's own tool has finished.
pub(crate) fn end_target_drag<P: Drags>(this: &mut Gd<P>) {
    let held = this.bind_mut().held().take();
    match held {
        Some(Dragged::Node(drag)) => {
            drag.end();
            this.upcast_mut().update_overlays();
        }
        other => *this.bind_mut().held() = other,
    }
}
