//! Pose mode: in the 2D viewport, the bone under the mouse is shown, and pulled with its limb.
//!
//! It works with every `Skeleton2D` of the edited scene, whatever is selected.
//!
//! | file | what is in it |
//! |---|---|
//! | [`figure`] | a skeleton on the screen, and what of it is under the mouse |
//! | [`limb`] | which bones a drag turns |
//! | [`pull`] | a drag, and its undo step |
//! | [`snapping`] | the grid and the steps that a drag snaps to |

mod figure;
mod limb;
mod pull;
mod snapping;

use std::collections::HashSet;

use godot::classes::{
    Button, Control, EditorInterface, EditorPlugin, IEditorPlugin, InputEvent,
    InputEventMouseButton, InputEventMouseMotion,
};
use godot::global::Key as KeyCode;
use godot::prelude::*;

use crate::gizmos::node_drag::NodeDrag;
use crate::gizmos::visibility::hide;
use crate::notice::toast;
use crate::posing::drag::figure::{Figure, Grip, target_of};
use crate::posing::drag::pull::{Manner, Pull};
use crate::posing::exchange::sides::register_setting;
use crate::selection::selected_nodes;
use crate::toolbar::{self, has_skeleton, shortcut};
use crate::viewport_event::ViewportEvent;

/// Has the toggle in the toolbar, and takes the mouse while it is pressed.
#[derive(GodotClass)]
#[class(tool, init, internal, base = EditorPlugin)]
struct TendonPosePlugin {
    button: Option<Gd<Button>>,
    is_on: bool,
    viewport: Option<Gd<Control>>,
    mouse: Vector2,
    pull: Option<Pull>,
    /// A target that is moved in place of the bone.
    node_drag: Option<NodeDrag>,
    /// While the editor's own tool takes that target, its events are not for pose mode.
    is_handing_over: bool,
    /// The bones that keep their angle.
    pins: HashSet<InstanceId>,
    base: Base<EditorPlugin>,
}

#[godot_api]
impl IEditorPlugin for TendonPosePlugin {
    #[func(gd_self)]
    fn enter_tree(mut this: Gd<Self>) {
        this.set_force_draw_over_forwarding_enabled();
        register_setting();
        let plugin = this.clone().upcast();
        let mut button = toolbar::new_switch(&plugin, "Pose", HELP);
        button.set_shortcut(&shortcut(KeyCode::B));
        toolbar::add(&plugin, &button);
        this.bind_mut().button = Some(button);
        let scene = EditorInterface::singleton().get_edited_scene_root();
        Self::on_scene_changed(this, scene);
    }

    #[func(gd_self)]
    fn exit_tree(mut this: Gd<Self>) {
        Self::cancel(this.clone());
        hide(false);
        let button = this.bind_mut().button.take();
        toolbar::remove(&this.upcast(), button);
    }

    /// Whatever is selected, bones can be posed.
    #[func(gd_self)]
    fn handles(_this: Gd<Self>, object: Gd<Object>) -> bool {
        object.is_class("Node") || object.is_class("MultiNodeEdit")
    }

    #[func(gd_self)]
    fn make_visible(this: Gd<Self>, visible: bool) {
        if !visible && !this.bind().is_handing_over {
            Self::cancel(this);
        }
    }

    #[func(gd_self)]
    fn forward_canvas_force_draw_over_viewport(mut this: Gd<Self>, overlay: Option<Gd<Control>>) {
        this.bind_mut().viewport = overlay.clone();
        if let Some(control) = overlay.filter(|_| this.bind().is_on) {
            this.bind().draw(control);
        }
    }

    #[func(gd_self)]
    fn forward_canvas_gui_input(this: Gd<Self>, event: Option<Gd<InputEvent>>) -> bool {
        let takes_events = {
            let plugin = this.bind();
            plugin.is_on && !plugin.is_handing_over
        };
        let Some(event) = event.filter(|_| takes_events) else {
            return false;
        };
        match ViewportEvent::of(event) {
            Some(ViewportEvent::Motion(motion)) => Self::move_to(this, &motion),
            Some(ViewportEvent::Press(button)) => Self::press(this, &button),
            Some(ViewportEvent::Release) => Self::release(this),
            Some(ViewportEvent::Cancel) => Self::cancel(this),
            None => false,
        }
    }
}

#[godot_api]
impl TendonPosePlugin {
    #[func(gd_self)]
    fn on_toggled(this: Gd<Self>, is_on: bool) {
        Self::cancel(this.clone());
        this.clone().bind_mut().is_on = is_on;
        hide(is_on);
        Self::keep_edited(this.clone());
        this.clone().update_overlays();
    }

    #[func(gd_self)]
    fn on_scene_changed(mut this: Gd<Self>, root: Option<Gd<Node>>) {
        Self::cancel(this.clone());
        this.bind_mut().pins.clear();
        let button = this.bind().button.clone();
        if let Some(mut button) = button {
            button.set_visible(has_skeleton(root));
        }
        this.call_deferred("keep_edited", &[]);
    }

    #[func(gd_self)]
    fn on_selection_changed(mut this: Gd<Self>) {
        let nodes = selected_nodes();
        let shows = nodes
            .iter()
            .any(|it| it.is_class("Skeleton2D") || it.is_class("Bone2D"));
        let button = this.bind().button.clone();
        if let Some(mut button) = button.filter(|_| shows) {
            button.set_visible(true);
        }
        this.call_deferred("keep_edited", &[]);
    }

    /// The editor gives plugins events of the viewport only while a node is edited: a skeleton is, if
    /// nothing is selected.
    #[func(gd_self)]
    fn keep_edited(this: Gd<Self>) {
        if !this.bind().is_on || !selected_nodes().is_empty() {
            return;
        }
        if let Some(figure) = Figure::all().into_iter().next() {
            EditorInterface::singleton().edit_node(&figure.skeleton);
        }
    }

    /// The editor has finished a drag of a target.
    #[func(gd_self)]
    fn end_node_drag(mut this: Gd<Self>) {
        let drag = this.bind_mut().node_drag.take();
        if let Some(drag) = drag {
            drag.end();
            this.update_overlays();
        }
    }

    /// The bone that a press of the mouse at a place of the viewport would take, by its path in the
    /// edited scene, and the bones that it would turn.
    #[func(gd_self)]
    fn get_limb_at(this: Gd<Self>, mouse: Vector2) -> PackedStringArray {
        let root = EditorInterface::singleton().get_edited_scene_root();
        let Some(((figure, grip), root)) = hit(mouse).zip(root) else {
            return PackedStringArray::new();
        };
        let limb = figure.limb(grip.bone, &this.bind().pins);
        let bones = std::iter::once(grip.bone).chain(limb);
        let paths = bones.map(|bone| root.get_path_to(&figure.nodes[bone]));
        paths.map(|path| GString::from(&path.to_string())).collect()
    }
}

impl TendonPosePlugin {
    /// The mouse has moved. Returns whether a drag has followed it.
    fn move_to(mut this: Gd<Self>, event: &Gd<InputEventMouseMotion>) -> bool {
        let scale = EditorInterface::singleton().get_editor_scale();
        let mouse = event.get_position();
        let (pull, has_begun) = {
            let mut plugin = this.bind_mut();
            plugin.mouse = mouse;
            (plugin.pull.take(), plugin.node_drag_has_begun())
        };
        this.update_overlays();
        if has_begun == Some(false) {
            Self::hand_over(this, mouse, scale);
            return true;
        }
        let Some(mut pull) = pull else {
            return false;
        };
        // Turning bones may run scripts: the drag is not in the plugin meanwhile.
        let manner = Manner {
            alone: event.is_shift_pressed(),
            keeps_angle: event.is_alt_pressed(),
            inverts_snapping: event.is_command_or_control_pressed(),
        };
        pull.follow(mouse, manner, scale);
        this.bind_mut().pull = Some(pull);
        true
    }

    /// Has the editor's own tool move the target that is pressed, once the mouse has moved far enough.
    fn hand_over(mut this: Gd<Self>, mouse: Vector2, scale: f32) {
        let (drag, viewport) = {
            let mut plugin = this.bind_mut();
            (plugin.node_drag.take(), plugin.viewport.clone())
        };
        let Some(mut drag) = drag else {
            return;
        };
        if let Some(viewport) = viewport.filter(|_| drag.is_far(mouse, scale)) {
            this.bind_mut().is_handing_over = true;
            drag.begin(&viewport);
            this.bind_mut().is_handing_over = false;
        }
        this.bind_mut().node_drag = Some(drag);
    }

    /// The mouse is pressed. Returns whether that was for a bone.
    fn press(mut this: Gd<Self>, event: &Gd<InputEventMouseButton>) -> bool {
        let Some((figure, grip)) = hit(event.get_position()) else {
            return false;
        };
        if event.is_alt_pressed() {
            this.bind_mut().pin(&figure, grip);
        } else {
            Self::take(this.clone(), figure, grip, event.get_position());
        }
        this.update_overlays();
        true
    }

    /// Pins a bone, or releases it.
    fn pin(&mut self, figure: &Figure, grip: Grip) {
        let id = figure.nodes[grip.bone].instance_id();
        if !self.pins.remove(&id) {
            self.pins.insert(id);
        }
    }

    fn take(mut this: Gd<Self>, figure: Figure, grip: Grip, mouse: Vector2) {
        if let Some(target) = target_of(&figure.nodes[grip.bone]) {
            this.bind_mut().node_drag = Some(NodeDrag::new(target.instance_id(), mouse));
            return;
        }
        let (limb, kept) = {
            let plugin = this.bind();
            let limb = figure.limb(grip.bone, &plugin.pins);
            let kept = figure.kept_bone(grip, &limb, &plugin.pins);
            (limb, kept)
        };
        let pull = Pull::new(figure, grip, limb, kept, mouse);
        this.bind_mut().pull = Some(pull);
    }

    /// Ends a drag. Returns whether there was one that the editor does not carry out itself. A bone that
    /// was only clicked is selected.
    fn release(mut this: Gd<Self>) -> bool {
        let (pull, has_begun) = {
            let mut plugin = this.bind_mut();
            (plugin.pull.take(), plugin.node_drag_has_begun())
        };
        if let Some(has_begun) = has_begun {
            // The editor's tool has yet to finish, with the same event.
            this.call_deferred("end_node_drag", &[]);
            return !has_begun;
        }
        let Some(pull) = pull else {
            return false;
        };
        this.update_overlays();
        if pull.has_moved {
            if let Some(text) = pull.finish() {
                toast(&text);
            }
        } else if let Some(mut selection) = EditorInterface::singleton().get_selection() {
            let bone = &pull.figure.nodes[pull.grip.bone];
            selection.clear();
            selection.add_node(bone);
        }
        true
    }

    /// Whether the editor drags the target that is pressed, if one is.
    fn node_drag_has_begun(&self) -> Option<bool> {
        self.node_drag.as_ref().map(NodeDrag::has_begun)
    }

    /// Cancels a drag. Returns whether there was one that the editor does not carry out itself.
    fn cancel(mut this: Gd<Self>) -> bool {
        if this.bind().node_drag_has_begun() == Some(true) {
            return Self::release(this);
        }
        this.bind_mut().node_drag = None;
        let pull = this.bind_mut().pull.take();
        let Some(pull) = pull else {
            return false;
        };
        pull.cancel();
        this.update_overlays();
        true
    }

    /// Draws all bones, the limb under the mouse, and pins.
    fn draw(&self, mut control: Gd<Control>) {
        let scale = EditorInterface::singleton().get_editor_scale();
        let held = self.pull.as_ref();
        let held = held.map(|pull| (pull.figure.nodes[pull.grip.bone].clone(), &pull.limb));
        let hovered = hit(self.mouse).filter(|_| held.is_none());
        for figure in Figure::all() {
            let active = match (&held, &hovered) {
                (Some((bone, limb)), _) if figure.nodes.contains(bone) => limb.to_vec(),
                (None, Some((other, grip))) if other.skeleton == figure.skeleton => {
                    figure.limb(grip.bone, &self.pins)
                }
                _ => Vec::new(),
            };
            for bone in 0..figure.nodes.len() {
                let is_active = active.contains(&bone);
                let is_pinned = self.pins.contains(&figure.nodes[bone].instance_id());
                let (line, state) = (figure.line(bone), (is_active, is_pinned));
                draw_bone(&mut control, line, state, scale);
            }
        }
        if let Some((figure, grip)) = hovered {
            let place = figure.locate(grip.bone, grip.point);
            let ring = control.draw_circle_ex(place, 7.0 * scale, Color::WHITE);
            ring.filled(false)
                .width(2.0 * scale)
                .antialiased(true)
                .done();
        }
    }
}

/// Draws a bone: light if it would turn, with a square at its joint if it is pinned.
fn draw_bone(
    control: &mut Gd<Control>,
    [joint, end]: [Vector2; 2],
    (is_active, is_pinned): (bool, bool),
    scale: f32,
) {
    let (width, colour) = match is_active {
        true => (4.0, Color::from_rgb(0.98, 0.85, 0.35)),
        false => (2.0, Color::from_rgba(0.9, 0.9, 0.95, 0.55)),
    };
    let shade = Color::from_rgba(0.0, 0.0, 0.0, 0.55);
    for (width, colour) in [(width + 2.0, shade), (width, colour)] {
        let line = control.draw_line_ex(joint, end, colour);
        line.width(width * scale).antialiased(true).done();
    }
    control.draw_circle(joint, (width + 1.0) * scale, colour);
    if is_pinned {
        let size = Vector2::ONE * 14.0 * scale;
        let square = Rect2::new(joint - size / 2.0, size);
        let pen = control.draw_rect_ex(square, Color::from_rgb(0.95, 0.4, 0.35));
        pen.filled(false).width(2.0 * scale).done();
    }
}

/// What is under the mouse: of all skeletons, the nearest.
fn hit(mouse: Vector2) -> Option<(Figure, Grip)> {
    let scale = EditorInterface::singleton().get_editor_scale();
    let figures = Figure::all().into_iter();
    let hits = figures.filter_map(|figure| figure.hit(mouse, scale).map(|grip| (figure, grip)));
    hits.min_by(|(_, a), (_, b)| a.order(b))
}

/// The tooltip of the toggle. The editor adds the shortcut.
const HELP: &str = "Pose mode: drag a bone to pull its limb.\n\
    Drag: the limb follows, up to the branch or to a pinned bone.\n\
    Shift+Drag: only this bone turns.\n\
    Alt while dragging: what is at the end keeps its angle.\n\
    Ctrl while dragging: snaps, or does not.\n\
    Alt+Click: pins the bone, which keeps its angle.\n\
    Escape or right-click: puts everything back.";
