//! Rigs in the 2D viewport: what a selected modifier, rig, limit or bone does is drawn over it,
//! with handles to drag.
//!
//! The geometry is computed as plain data in screen pixels. The engine is called only before and
//! after that.
//!
//! | file | what is in it |
//! |---|---|
//! | [`shown`], [`shown_limits`] | the rigs and limits that are shown, for the nodes that are selected |
//! | [`composer`] | draws these, with handles, unless all are hidden |
//! | [`view`] | the view of a space on the screen |
//! | [`kinds`] | the gizmos: what is drawn of each kind of thing |
//! | [`limit_arc`] | the geometry of a joint limit |
//! | [`pen`] | draws what is in a space, with handles, into a sketch |
//! | [`sketch`], [`palette`] | lines, areas and points to draw, in order; their colours |
//! | [`handle`] | a place that can be dragged, and a drag of it |
//! | [`canvas`] | draws lines, areas, points and handles over the viewport |

use godot::classes::{
    Control, EditorInterface, EditorPlugin, IEditorPlugin, InputEvent, InputEventMouseMotion,
};
use godot::prelude::*;

use crate::selection::{edited_nodes, selected_nodes};
use crate::viewport_drag::{self, Dragged, Drags, TargetDrag};
use crate::viewport_event::ViewportEvent;

pub(super) mod canvas;
pub(crate) mod composer;
mod handle;
mod kinds;
mod limit_arc;
mod palette;
mod pen;
mod shown;
mod shown_limits;
mod sketch;
mod view;

use canvas::Canvas;
use handle::drag::Drag;
use handle::property::{HandleValue, Property};
use handle::{HandleKey, hit};
use palette::Palette;
use sketch::Sketch;

/// After the rigs, which have 100: what they have just solved is drawn.
const AFTER_RIGS: i32 = 101;

/// Draws the gizmos and handles drags. Only the editor loads it.
#[derive(GodotClass)]
#[class(tool, init, internal, base = EditorPlugin)]
struct TendonGizmoPlugin {
    /// The sketch that the viewport shows.
    drawn: Sketch,
    /// The positions of the bones of all rigs in the last frame, in global coordinates.
    joints: Vec<Vector2>,
    hovered: Option<HandleKey>,
    held: Option<Dragged<Drag>>,
    mouse: Vector2,
    /// The 2D viewport.
    viewport: Option<Gd<Control>>,
    base: Base<EditorPlugin>,
}

#[godot_api]
impl IEditorPlugin for TendonGizmoPlugin {
    #[func(gd_self)]
    fn enter_tree(mut this: Gd<Self>) {
        // Not only for the edited node: a target that is dragged shows its limb, too.
        this.set_force_draw_over_forwarding_enabled();
        this.set_process_priority(AFTER_RIGS);
    }

    #[func(gd_self)]
    fn exit_tree(mut this: Gd<Self>) {
        viewport_drag::forsake(&mut this);
    }

    #[func(gd_self)]
    fn process(mut this: Gd<Self>, _delta: f64) {
        let joints = shown::joints();
        let before = std::mem::replace(&mut this.bind_mut().joints, joints);
        if before != this.bind().joints {
            this.update_overlays();
        }
        let is_idle = this.bind().drawn.is_empty();
        if is_idle && selected_nodes().is_empty() {
            return;
        }
        let sketch = composer::compose(&Palette::of_editor());
        let is_news = this.bind().drawn != sketch;
        if is_news {
            this.update_overlays();
        }
    }

    #[func(gd_self)]
    fn handles(_this: Gd<Self>, object: Gd<Object>) -> bool {
        edited_nodes(object).iter().any(shown::is_shown)
    }

    #[func(gd_self)]
    fn make_visible(mut this: Gd<Self>, visible: bool) {
        if !visible {
            this.call_deferred("on_held_leaves", &[]);
        }
    }

    #[func(gd_self)]
    fn forward_canvas_force_draw_over_viewport(this: Gd<Self>, overlay: Option<Gd<Control>>) {
        if let Some(control) = overlay {
            Self::draw(this, control);
        }
    }

    #[func(gd_self)]
    fn forward_canvas_gui_input(mut this: Gd<Self>, event: Option<Gd<InputEvent>>) -> bool {
        let Some(event) = event else {
            return false;
        };
        match ViewportEvent::of(event) {
            Some(ViewportEvent::Motion(motion)) => Self::move_to(this, &motion),
            Some(ViewportEvent::Press(button)) if button.is_alt_pressed() => false,
            Some(ViewportEvent::Press(button)) => Self::take(this, button.get_position()),
            Some(ViewportEvent::Release) => viewport_drag::release(&mut this),
            Some(ViewportEvent::Cancel) => {
                let was_own = viewport_drag::cancel(&mut this);
                Self::look_again(this);
                was_own
            }
            None => false,
        }
    }
}

#[godot_api]
impl TendonGizmoPlugin {
    /// Returns the text beside the mouse, if it is over a handle.
    #[func(gd_self)]
    fn get_label(this: Gd<Self>) -> GString {
        let sketch = composer::compose(&Palette::of_editor());
        let label = this.bind().label(&sketch);
        GString::from(&label.unwrap_or_default())
    }

    /// Returns the place of each handle, in the viewport's pixels, by the path of its node in the edited
    /// scene and the property that it sets.
    #[func(gd_self)]
    fn get_handles(_this: Gd<Self>) -> VarDictionary {
        let mut places = VarDictionary::new();
        let Some(root) = EditorInterface::singleton().get_edited_scene_root() else {
            return places;
        };
        for handle in composer::compose(&Palette::of_editor()).handles {
            if let Ok(node) = Gd::<Node>::try_from_instance_id(handle.key.node) {
                let path = root.get_path_to(&node);
                let name = format!("{path}:{}", handle.key.property.name());
                places.set(&name.to_variant(), &handle.at.to_variant());
            }
        }
        places
    }

    /// The editor has finished a drag of a node.
    #[func(gd_self)]
    fn end_target_drag(mut this: Gd<Self>) {
        viewport_drag::end_target_drag(&mut this);
        Self::look_again(this);
    }

    /// There will be no further event of a drag.
    #[func(gd_self)]
    fn on_held_leaves(mut this: Gd<Self>) {
        viewport_drag::forsake(&mut this);
    }

    /// The mouse has left the viewport.
    #[func(gd_self)]
    fn on_mouse_exited(mut this: Gd<Self>) {
        let was_hovered = this.bind_mut().hovered.take().is_some();
        if was_hovered {
            this.update_overlays();
        }
    }

    fn draw(mut this: Gd<Self>, mut control: Gd<Control>) {
        let on_mouse_exited = Callable::from_object_method(&this, "on_mouse_exited");
        if !control.is_connected("mouse_exited", &on_mouse_exited) {
            control.connect("mouse_exited", &on_mouse_exited);
        }
        this.bind_mut().viewport = Some(control.clone());
        let mut canvas = Canvas::over(control);
        let sketch = composer::compose(&canvas.palette);
        let (active, label, mouse) = {
            let plugin = this.bind();
            let label = plugin.label(&sketch);
            (plugin.active(), label, plugin.mouse)
        };
        canvas.paint(&sketch, active);
        if let Some(label) = label {
            canvas.label(mouse, &label);
        }
        this.bind_mut().drawn = sketch;
    }

    /// The handle that is dragged, or that the mouse is over.
    fn active(&self) -> Option<HandleKey> {
        let dragged = self.held.as_ref().map(|held| match held {
            Dragged::Node(drag) => HandleKey::of_node(drag.node),
            Dragged::Own(drag) => drag.key,
        });
        dragged.or(self.hovered)
    }

    /// The name and the value of the property of that handle.
    fn label(&self, sketch: &Sketch) -> Option<String> {
        let active = self.active()?;
        let dragged = match self.held.as_ref() {
            Some(Dragged::Node(drag)) => drag.position().map(HandleValue::Position),
            Some(Dragged::Own(drag)) => Some(drag.value),
            None => None,
        };
        let mut handles = sketch.handles.iter();
        let hovered = handles.find(|handle| handle.key == active);
        let value = dragged.or_else(|| hovered.map(|handle| handle.value))?;
        let (label, value) = (active.property.label(), value.text(active.property));
        Some(format!("{label}  {value}"))
    }

    /// The mouse has moved. Returns whether a drag has followed it.
    fn move_to(mut this: Gd<Self>, event: &Gd<InputEventMouseMotion>) -> bool {
        let mouse = event.get_position();
        let scale = EditorInterface::singleton().get_editor_scale();
        this.bind_mut().mouse = mouse;
        if let Some(is_taken) = viewport_drag::lead_node(&mut this, event) {
            this.update_overlays();
            return is_taken;
        }
        let Some(mut drag) = viewport_drag::take_own(&mut this) else {
            Self::hover(this, mouse, scale);
            return false;
        };
        // Setting the property may run scripts: the drag is not in the plugin meanwhile.
        let snap = event.is_command_or_control_pressed();
        drag.follow(mouse, composer::canvas_transform(), scale, snap);
        this.bind_mut().held = Some(Dragged::Own(drag));
        this.update_overlays();
        true
    }

    /// Finds what is under the mouse once nothing is dragged. After a drag that was cancelled, that is not the handle.
    fn look_again(mut this: Gd<Self>) {
        let sketch = composer::compose(&Palette::of_editor());
        let scale = EditorInterface::singleton().get_editor_scale();
        let mouse = this.bind().mouse;
        this.bind_mut().hovered = hit(&sketch.handles, mouse, scale).map(|handle| handle.key);
        this.update_overlays();
    }

    fn hover(mut this: Gd<Self>, mouse: Vector2, scale: f32) {
        let changed = {
            let mut plugin = this.bind_mut();
            let hovered = hit(&plugin.drawn.handles, mouse, scale).map(|handle| handle.key);
            // The label moves along.
            std::mem::replace(&mut plugin.hovered, hovered) != hovered || hovered.is_some()
        };
        if changed {
            this.update_overlays();
        }
    }

    /// Takes the handle at `mouse`. Returns whether there is one.
    fn take(mut this: Gd<Self>, mouse: Vector2) -> bool {
        let sketch = composer::compose(&Palette::of_editor());
        let scale = EditorInterface::singleton().get_editor_scale();
        let Some(handle) = hit(&sketch.handles, mouse, scale) else {
            return false;
        };
        viewport_drag::forsake(&mut this);
        let held = match handle.key.property {
            Property::Position => Dragged::Node(TargetDrag::new(handle.key.node, mouse, &this)),
            _ => {
                let canvas = composer::canvas_transform();
                Dragged::Own(Drag::new(handle, mouse, canvas, &this))
            }
        };
        let mut plugin = this.bind_mut();
        plugin.hovered = Some(handle.key);
        plugin.held = Some(held);
        true
    }
}

impl Drags for TendonGizmoPlugin {
    type Own = Drag;

    fn held(&mut self) -> &mut Option<Dragged<Drag>> {
        &mut self.held
    }

    fn viewport(&self) -> Option<Gd<Control>> {
        self.viewport.clone()
    }
}
