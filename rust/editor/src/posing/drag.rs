//! Pose mode: in the 2D viewport, the bone under the mouse is shown, and pulled with its limb.
//!
//! It works with every `Skeleton2D` of the edited scene, whatever is selected.
//!
//! | file | what is in it |
//! |---|---|
//! | [`figure`] | a skeleton on the screen, and what of it is under the mouse |
//! | [`pull`] | a drag, and its undo step |
//! | [`body`] | the parts of the body that go along, and their pins |
//! | [`pin`], [`kept_angle`] | bones that are pinned, and angles that they keep |
//! | [`led`] | a target that is moved or turned in place of the bones that follow it |
//! | [`snapping`] | the grid and the steps that a drag snaps to |

mod body;
mod figure;
mod kept_angle;
mod led;
mod pin;
mod pull;
mod snapping;

use std::collections::HashSet;

use godot::classes::{
    Bone2D, Button, Control, EditorInterface, EditorPlugin, IEditorPlugin, InputEvent,
    InputEventMouseButton, InputEventMouseMotion,
};
use godot::global::Key as KeyCode;
use godot::prelude::*;

use crate::gizmos::canvas::Canvas;
use crate::gizmos::composer::hide;
use crate::notice::toast;
use crate::posing::drag::figure::{BoneTree, GripOnBone};
use crate::posing::drag::pin::{Pin, switch_feet, switch_pin};
use crate::posing::drag::pull::{BoneDrag, Manner};
use crate::posing::exchange::sides::register_setting;
use crate::posing::pictures::bone_of_picture_at;
use crate::selection::selected_nodes;
use crate::toolbar::switch::{TendonSwitch, add_switch};
use crate::toolbar::{self, shortcut};
use crate::viewport_drag::{self, Dragged, Drags};
use crate::viewport_event::{CLICK, ViewportEvent};

/// After the rigs, which have 100: what they have just solved is drawn.
const AFTER_RIGS: i32 = 101;

/// Has the toggle in the toolbar, and takes the mouse while it is pressed.
#[derive(GodotClass)]
#[class(tool, init, internal, base = EditorPlugin)]
struct TendonPosePlugin {
    switch: Option<Gd<TendonSwitch>>,
    /// Pins the feet.
    feet: Option<Gd<Button>>,
    is_on: bool,
    viewport: Option<Gd<Control>>,
    /// The place of the mouse in the viewport, unless it is elsewhere.
    mouse: Option<Vector2>,
    /// A bone that is pulled.
    held: Option<Dragged<BoneDrag>>,
    /// The bone that is pinned, or released, if the mouse is released where it was pressed with Ctrl or Alt.
    clicked: Option<(Gd<Bone2D>, Pin, Vector2)>,
    /// The scenes, by their roots, in which pose mode is on.
    posed: HashSet<InstanceId>,
    /// The bones as they were drawn last.
    drawn: Vec<[Vector2; 2]>,
    base: Base<EditorPlugin>,
}

#[godot_api]
impl IEditorPlugin for TendonPosePlugin {
    #[func(gd_self)]
    fn enter_tree(mut this: Gd<Self>) {
        this.set_force_draw_over_forwarding_enabled();
        this.set_process_priority(AFTER_RIGS);
        register_setting();
        let mut switch = add_switch(&this.clone().upcast(), "Pose", HELP);
        switch.set_shortcut(&shortcut("Pose Mode", KeyCode::B));
        let feet = toolbar::add_button(&this.clone().upcast(), "Pin Feet", FEET_HELP, "pin_feet");
        let mut plugin = this.bind_mut();
        (plugin.switch, plugin.feet) = (Some(switch), Some(feet));
    }

    #[func(gd_self)]
    fn exit_tree(mut this: Gd<Self>) {
        viewport_drag::forsake(&mut this);
        hide(false);
        let (switch, feet) = {
            let mut plugin = this.bind_mut();
            (plugin.switch.take(), plugin.feet.take())
        };
        let plugin = this.upcast();
        toolbar::remove(&plugin, feet);
        toolbar::remove(&plugin, switch);
    }

    /// Draws the bones again when something has moved them.
    #[func(gd_self)]
    fn process(this: Gd<Self>, _delta: f64) {
        if !this.bind().is_on {
            return;
        }
        let figures = BoneTree::all();
        let lines = figures.iter().flat_map(BoneTree::all_lines);
        if !lines.eq(this.bind().drawn.iter().copied()) {
            this.update_overlays();
        }
    }

    /// Whatever is selected, bones can be posed.
    #[func(gd_self)]
    fn handles(_this: Gd<Self>, object: Gd<Object>) -> bool {
        object.is_class("Node") || object.is_class("MultiNodeEdit")
    }

    #[func(gd_self)]
    fn make_visible(mut this: Gd<Self>, visible: bool) {
        if !visible {
            this.call_deferred("on_held_leaves", &[]);
        }
    }

    #[func(gd_self)]
    fn forward_canvas_force_draw_over_viewport(mut this: Gd<Self>, overlay: Option<Gd<Control>>) {
        if let Some(control) = &overlay {
            Self::watch_exit(&this, control);
        }
        this.bind_mut().viewport = overlay.clone();
        if let Some(control) = overlay.filter(|_| this.bind().is_on) {
            let lines = this.bind().draw(control);
            this.bind_mut().drawn = lines;
        }
    }

    #[func(gd_self)]
    fn forward_canvas_gui_input(this: Gd<Self>, event: Option<Gd<InputEvent>>) -> bool {
        let Some(event) = event.filter(|_| this.bind().is_on) else {
            return false;
        };
        match ViewportEvent::of(event) {
            Some(ViewportEvent::Motion(motion)) => Self::move_to(this, &motion),
            Some(ViewportEvent::Press(button)) => Self::press(this, &button),
            Some(ViewportEvent::Release) => Self::release(this),
            Some(ViewportEvent::Cancel) => viewport_drag::cancel(&mut this.clone()),
            None => false,
        }
    }
}

#[godot_api]
impl TendonPosePlugin {
    #[func(gd_self)]
    fn on_toggled(mut this: Gd<Self>, is_on: bool) {
        viewport_drag::forsake(&mut this);
        let scene = EditorInterface::singleton().get_edited_scene_root();
        let scene = scene.map(|root| root.instance_id());
        {
            let mut plugin = this.bind_mut();
            plugin.is_on = is_on;
            match (scene, is_on) {
                (Some(scene), true) => _ = plugin.posed.insert(scene),
                (Some(scene), false) => _ = plugin.posed.remove(&scene),
                (None, _) => {}
            }
        }
        hide(is_on);
        if let Some(feet) = &this.bind().feet {
            toolbar::show(feet, is_on);
        }
        Self::keep_edited(this.clone());
        this.clone().update_overlays();
    }

    #[func(gd_self)]
    fn on_scene_changed(mut this: Gd<Self>, root: Option<Gd<Node>>) {
        let is_on = root.as_ref().map(Gd::instance_id);
        let is_on = is_on.is_some_and(|root| this.bind().posed.contains(&root));
        let switch = this.bind().switch.clone();
        if let Some(mut switch) = switch {
            // Each scene has its own mode: gizmos are hidden in it.
            switch.set_pressed(is_on);
        }
        this.call_deferred("keep_edited", &[]);
    }

    #[func(gd_self)]
    fn on_selection_changed(mut this: Gd<Self>) {
        this.call_deferred("keep_edited", &[]);
    }

    /// The editor gives plugins events of the viewport only while a node is edited: a skeleton is, if
    /// nothing is selected.
    #[func(gd_self)]
    fn keep_edited(this: Gd<Self>) {
        if !this.bind().is_on || !selected_nodes().is_empty() {
            return;
        }
        if let Some(figure) = BoneTree::all().into_iter().next() {
            EditorInterface::singleton().edit_node(&figure.skeleton);
        }
    }

    /// The mouse has left the viewport: nothing is under it any more.
    #[func(gd_self)]
    fn on_mouse_exited(mut this: Gd<Self>) {
        this.bind_mut().mouse = None;
        if this.bind().is_on {
            this.update_overlays();
        }
    }

    /// Pins the feet of the selected skeletons, or of all, or releases them.
    #[func(gd_self)]
    fn pin_feet(mut this: Gd<Self>) {
        viewport_drag::forsake(&mut this);
        let selected = selected_nodes();
        let mut figures = BoneTree::all();
        let is_selected = |figure: &BoneTree| {
            let skeleton = figure.skeleton.clone().upcast::<Node>();
            let mut selected = selected.iter();
            selected.any(|node| *node == skeleton || skeleton.is_ancestor_of(node))
        };
        if figures.iter().any(is_selected) {
            figures.retain(is_selected);
        }
        let roots = figures.iter().flat_map(|figure| {
            let roots = figure.roots();
            roots.map(|root| figure.nodes[root].clone())
        });
        if let Err(reason) = switch_feet(&roots.collect::<Vec<_>>()) {
            toast(&reason.to_string());
        }
        this.update_overlays();
    }

    /// There will be no further event of a drag.
    #[func(gd_self)]
    fn on_held_leaves(mut this: Gd<Self>) {
        viewport_drag::forsake(&mut this);
    }

    /// Returns the paths of the bones that are drawn as under the mouse: the bone that a press would take, and those
    /// that it would turn.
    #[func(gd_self)]
    fn get_limb_under_mouse(this: Gd<Self>) -> PackedStringArray {
        let mouse = this.bind().mouse;
        mouse.map_or_else(PackedStringArray::new, |mouse| {
            Self::get_limb_at(this, mouse)
        })
    }

    /// The name that is drawn beside the mouse.
    #[func]
    fn get_name_under_mouse(&self) -> GString {
        let hovered = self.hovered();
        let name = hovered.map(|(figure, grip)| name_of(&figure, grip));
        GString::from(&name.unwrap_or_default())
    }

    /// The bone that a press of the mouse at a place of the viewport would take, by its path in the
    /// edited scene, and the bones that it would turn.
    #[func(gd_self)]
    fn get_limb_at(_this: Gd<Self>, mouse: Vector2) -> PackedStringArray {
        let root = EditorInterface::singleton().get_edited_scene_root();
        let Some(((figure, grip), root)) = hit(mouse).zip(root) else {
            return PackedStringArray::new();
        };
        let limb = match grip.is_root {
            true => Vec::new(),
            false => figure.limb(grip.bone),
        };
        let bones = std::iter::once(grip.bone).chain(limb);
        let paths = bones.map(|bone| root.get_path_to(&figure.nodes[bone]));
        paths.map(|path| GString::from(&path.to_string())).collect()
    }
}

impl TendonPosePlugin {
    fn watch_exit(this: &Gd<Self>, viewport: &Gd<Control>) {
        let told = this.callable("on_mouse_exited");
        if !viewport.is_connected("mouse_exited", &told) {
            viewport.clone().connect("mouse_exited", &told);
        }
    }

    /// The mouse has moved. Returns whether a drag has followed it.
    fn move_to(mut this: Gd<Self>, event: &Gd<InputEventMouseMotion>) -> bool {
        let mouse = event.get_position();
        this.bind_mut().mouse = Some(mouse);
        this.update_overlays();
        let Some(mut pull) = viewport_drag::take_own(&mut this) else {
            return false;
        };
        // Turning bones may run scripts: the drag is not in the plugin meanwhile.
        let manner = Manner {
            alone: event.is_shift_pressed(),
            keeps_angle: event.is_alt_pressed(),
            inverts_snapping: event.is_command_or_control_pressed(),
        };
        let scale = EditorInterface::singleton().get_editor_scale();
        pull.follow(mouse, manner, scale);
        this.bind_mut().held = Some(Dragged::Own(pull));
        true
    }

    /// The mouse is pressed: takes what is there. The editor's own tool does not get the event, even where
    /// there is nothing: it would move what is selected.
    fn press(this: Gd<Self>, event: &Gd<InputEventMouseButton>) -> bool {
        let Some((figure, grip)) = hit(event.get_position()) else {
            return true;
        };
        let mouse = event.get_position();
        let keeps_angle = event.is_alt_pressed();
        let (pinned, pin) = figure.pin_at(grip, keeps_angle);
        let pins = keeps_angle || event.is_command_or_control_pressed();
        let clicked = pins.then(|| (figure.nodes[pinned].clone(), pin, mouse));
        Self::take(this.clone(), figure, grip, mouse);
        {
            let mut this = this.clone();
            let mut plugin = this.bind_mut();
            (plugin.mouse, plugin.clicked) = (Some(mouse), clicked);
        }
        this.update_overlays();
        true
    }

    /// Pins the bone that was pressed with Ctrl or Alt, or releases it, if the mouse is still there. Returns whether it is.
    fn click(this: &mut Gd<Self>) -> bool {
        let (clicked, mouse) = {
            let mut plugin = this.bind_mut();
            (plugin.clicked.take(), plugin.mouse)
        };
        let scale = EditorInterface::singleton().get_editor_scale();
        let is_near =
            |press: Vector2| mouse.is_none_or(|it| it.distance_to(press) <= CLICK * scale);
        let clicked =
            clicked.filter(|(bone, _, press)| bone.is_instance_valid() && is_near(*press));
        let Some((bone, pin, _)) = clicked else {
            return false;
        };
        viewport_drag::forsake(this);
        if let Err(reason) = switch_pin(&bone, pin) {
            toast(&reason);
        }
        this.update_overlays();
        true
    }

    fn take(mut this: Gd<Self>, figure: BoneTree, grip: GripOnBone, mouse: Vector2) {
        viewport_drag::forsake(&mut this);
        let pull = BoneDrag::new(figure, grip, mouse, &this);
        this.bind_mut().held = Some(Dragged::Own(pull));
    }

    fn release(mut this: Gd<Self>) -> bool {
        Self::click(&mut this) || viewport_drag::release(&mut this)
    }

    fn pull(&self) -> Option<&BoneDrag> {
        match &self.held {
            Some(Dragged::Own(pull)) => Some(pull),
            _ => None,
        }
    }

    /// Returns the place of a bone under the mouse while no bone is pulled.
    fn hovered(&self) -> Option<(BoneTree, GripOnBone)> {
        self.mouse.filter(|_| self.pull().is_none()).and_then(hit)
    }

    /// Draws all bones, the limb under the mouse with the name of its bone, and pins. Returns the lines of the bones.
    fn draw(&self, mut control: Gd<Control>) -> Vec<[Vector2; 2]> {
        let mut drawn = Vec::new();
        let scale = EditorInterface::singleton().get_editor_scale();
        let pull = self.pull();
        let held = pull.map(|pull| (pull.figure.nodes[pull.grip.bone].clone(), &pull.limb));
        let hovered = self.hovered();
        for figure in BoneTree::all() {
            let active = match (&held, &hovered) {
                (Some((bone, limb)), _) if figure.nodes.contains(bone) => limb.to_vec(),
                (None, Some((other, grip)))
                    if other.skeleton == figure.skeleton && !grip.is_root =>
                {
                    figure.limb(grip.bone)
                }
                _ => Vec::new(),
            };
            for bone in 0..figure.nodes.len() {
                let is_active = active.contains(&bone);
                for line in figure.lines(bone) {
                    draw_bone(&mut control, line, is_active, scale);
                    drawn.push(line);
                }
            }
            for (bone, pin) in figure.pins() {
                draw_pin(&mut control, figure.locate(bone, pin.place()), pin, scale);
            }
        }
        for figure in BoneTree::all() {
            for root in figure.roots() {
                draw_root(&mut control, figure.locate(root, Vector2::ZERO), scale);
            }
        }
        if let Some(((figure, grip), mouse)) = hovered.zip(self.mouse) {
            let place = figure.locate(grip.bone, grip.point);
            Canvas::over(control).name_place(place, mouse, &name_of(&figure, grip));
        }
        drawn
    }
}

impl Drags for TendonPosePlugin {
    type Own = BoneDrag;

    fn held(&mut self) -> &mut Option<Dragged<BoneDrag>> {
        &mut self.held
    }

    fn viewport(&self) -> Option<Gd<Control>> {
        self.viewport.clone()
    }
}

/// Draws a bone: light if it would turn.
fn draw_bone(control: &mut Gd<Control>, [joint, end]: [Vector2; 2], is_active: bool, scale: f32) {
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
}

/// Draws a circle at a place that is pinned, and a square where the angle is, too.
fn draw_pin(control: &mut Gd<Control>, place: Vector2, pin: Pin, scale: f32) {
    let colour = Color::from_rgb(0.95, 0.4, 0.35);
    let (radius, width) = (7.0 * scale, 2.0 * scale);
    match pin {
        Pin::Place(_) => {
            let pen = control.draw_circle_ex(place, radius, colour);
            pen.filled(false).width(width).antialiased(true).done();
        }
        Pin::PlaceAndAngle => {
            let square = Rect2::new(place - Vector2::splat(radius), Vector2::splat(2.0 * radius));
            let pen = control.draw_rect_ex(square, colour);
            pen.filled(false).width(width).done();
        }
    }
}

/// Draws the joint of a root bone, which can be moved.
fn draw_root(control: &mut Gd<Control>, joint: Vector2, scale: f32) {
    let ways = [Vector2::UP, Vector2::RIGHT, Vector2::DOWN, Vector2::LEFT];
    for (size, colour) in [
        (8.0, Color::from_rgba(0.0, 0.0, 0.0, 0.55)),
        (6.5, Color::from_rgb(0.45, 0.8, 0.95)),
    ] {
        let corners = ways.map(|way| joint + way * size * scale);
        control.draw_colored_polygon(&PackedVector2Array::from(corners), colour);
    }
}

fn name_of(figure: &BoneTree, grip: GripOnBone) -> String {
    figure.nodes[grip.bone].get_name().to_string()
}

/// Returns the place of a bone under the mouse: of all skeletons the nearest bone, or else that of a picture.
fn hit(mouse: Vector2) -> Option<(BoneTree, GripOnBone)> {
    let scale = EditorInterface::singleton().get_editor_scale();
    let figures = BoneTree::all().into_iter();
    let hits = figures.filter_map(|figure| figure.hit(mouse, scale).map(|grip| (figure, grip)));
    let nearest = hits.min_by(|(_, a), (_, b)| a.order(b));
    nearest.or_else(|| hit_picture(mouse))
}

fn hit_picture(mouse: Vector2) -> Option<(BoneTree, GripOnBone)> {
    let scene = EditorInterface::singleton().get_edited_scene_root()?;
    let bone = bone_of_picture_at(&scene, mouse)?;
    let figures = BoneTree::all().into_iter();
    let mut grips = figures.filter_map(|figure| {
        let grip = figure.grip_by_picture(&bone, mouse)?;
        Some((figure, grip))
    });
    grips.next()
}

/// The tooltip of the toggle, below its name and the shortcut.
const HELP: &str = "Drag a bone, or the picture that it carries, to pull its limb.\n\
    Drag: the limb follows, up to the branch or to a pinned bone. Beyond its reach, the body goes along.\n\
    Drag the diamond at a root: it moves, and pinned bones stay where they are.\n\
    Shift+Drag: only this bone turns.\n\
    Alt while dragging: what is at the end keeps its angle.\n\
    Ctrl while dragging: snaps, or does not.\n\
    Ctrl+Click: pins this place, or releases it.\n\
    Alt+Click: pins the bone, which keeps its angle; at a joint the bone that begins there.\n\
    Escape or right-click: puts everything back.";

/// The tooltip of the button that pins the feet.
const FEET_HELP: &str = "Feet stay where they are, with their angle: of the selected skeletons, or of all. Press again \
    to release them.";
