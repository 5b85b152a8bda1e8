//! Weights mode: the weights of a polygon are seen in colours, and painted with a soft brush.
//!
//! It works with the `Polygon2D` that is selected, whose `skeleton` is set. Each stroke and each command is one undo step.
//!
//! | file | what is in it |
//! |---|---|
//! | [`weighed`] | a polygon with its bones and weights, read and written |
//! | [`panel`] | the controls beside the viewport, and what takes the mouse over it |
//! | [`stroke`] | a stroke of the brush |
//! | [`cutting`] | a polygon that is cut along a line |
//! | [`commands`] | the actions of the buttons of the panel |
//! | [`redrawing`] | a polygon that gets another drawing |
//! | [`overlay`] | the drawing over the viewport |

mod commands;
mod cutting;
mod overlay;
mod panel;
pub(crate) mod redrawing;
mod stroke;
mod weighed;

use std::rc::Rc;

use godot::classes::editor_plugin::CustomControlContainer;
use godot::classes::{
    Control, EditorInterface, EditorPlugin, IEditorPlugin, InputEvent, InputEventMouseButton,
    Polygon2D,
};
use godot::global::MouseButton;
use godot::obj::InstanceId;
use godot::prelude::*;
use tendon_nodes::engine::children::all_below;
use tendon_nodes::engine::skeleton::bones_of;

use crate::painting::commands::PanelCommand;
use crate::painting::overlay::Overlay;
use crate::painting::panel::{Panel, Tool, grab_radius, new_area};
use crate::painting::stroke::{Keys, Stroke};
use crate::painting::weighed::{NOTHING, ShapeProperties, WeighedPolygon, vertices_in_viewport};
use crate::posing::skin::skeleton_of;
use crate::refusal::Refusal;
use crate::selection::selected;
use crate::skin::picture::wide;
use crate::toolbar;
use crate::toolbar::switch::{TendonSwitch, add_switch};
use crate::viewport_drag::Watch;
use crate::viewport_event::ViewportEvent;

/// The engine opens its panel some frames after a polygon was selected.
const OPENING: u8 = 8;

/// After the rigs, which have 100: what they have just solved is drawn.
const AFTER_RIGS: i32 = 101;

/// Has the toggle in the toolbar and the panel, and takes the mouse over the polygon while it is pressed.
#[derive(GodotClass)]
#[class(tool, init, internal, base = EditorPlugin)]
struct TendonWeightsPlugin {
    switch: Option<Gd<TendonSwitch>>,
    /// While the mode is on.
    panel: Option<Panel>,
    area: Option<Gd<Control>>,
    /// While it is over the viewport.
    mouse: Option<Vector2>,
    stroke: Option<Stroke>,
    /// The vertices that are marked, of the polygon with this ID.
    marked: Option<(InstanceId, Vec<bool>)>,
    /// The polygon as it was drawn last.
    drawn: Option<DrawnPolygon>,
    /// The polygon that is shown, as it was read last.
    shown: Option<Rc<WeighedPolygon>>,
    /// The one of several selected polygons that is shown, if it was chosen with the mouse.
    subject: Option<InstanceId>,
    /// The number of frames in which the engine may still open its panel for the polygon that was selected.
    opening: u8,
    base: Base<EditorPlugin>,
}

/// A polygon as it was drawn.
struct DrawnPolygon {
    /// The places of its vertices in the viewport, in pixels.
    places: Vec<Vector2>,
    read: Read,
}

/// The state of the nodes from which a polygon is read.
#[derive(PartialEq)]
struct Read {
    polygon: InstanceId,
    shape: ShapeProperties,
    weights: Variant,
    bones: Vec<(InstanceId, StringName)>,
}

#[godot_api]
impl IEditorPlugin for TendonWeightsPlugin {
    #[func(gd_self)]
    fn enter_tree(mut this: Gd<Self>) {
        this.set_force_draw_over_forwarding_enabled();
        this.set_process_priority(AFTER_RIGS);
        let switch = add_switch(&this.clone().upcast(), "Weights", HELP);
        this.bind_mut().switch = Some(switch);
    }

    #[func(gd_self)]
    fn exit_tree(mut this: Gd<Self>) {
        Self::on_toggled(this.clone(), false);
        let switch = this.bind_mut().switch.take();
        toolbar::remove(&this.upcast(), switch);
    }

    /// Draws the weights again when something has changed them, and lists the bones of another polygon.
    #[func(gd_self)]
    fn process(mut this: Gd<Self>, _delta: f64) {
        if this.bind().panel.is_none() {
            return;
        }
        let is_painting = this.bind_mut().stroke.as_mut().map(Stroke::rest).is_some();
        if !is_painting {
            Self::follow(this.clone());
        }
        Self::keep_panel_closed(this);
    }

    /// The editor gives plugins events of the viewport only while they handle what is edited.
    #[func(gd_self)]
    fn handles(_this: Gd<Self>, object: Gd<Object>) -> bool {
        object.is_class("Polygon2D") || object.is_class("MultiNodeEdit")
    }

    #[func(gd_self)]
    fn make_visible(this: Gd<Self>, visible: bool) {
        if !visible {
            Self::cancel(this);
        }
    }

    #[func(gd_self)]
    fn forward_canvas_force_draw_over_viewport(this: Gd<Self>, overlay: Option<Gd<Control>>) {
        let Some((panel, control)) = Self::panel(&this).zip(overlay) else {
            return;
        };
        Self::cover(this.clone(), &control);
        let mouse = this.bind().mouse;
        let (weighed, painted) = {
            let plugin = this.bind();
            let of_stroke = plugin.stroke.as_ref();
            let of_stroke = of_stroke.map(|it| (it.weighed.clone(), Some(it.painted.clone())));
            let shown = plugin.shown.clone().map(|it| (it, None));
            let Some(drawn) = of_stroke.or(shown) else {
                return;
            };
            drawn
        };
        if weighed.is_there() && weighed.polygon.is_inside_tree() {
            let marked = Self::marked(&this, &weighed);
            let weights = painted.as_ref().unwrap_or(&weighed.weights);
            let line = this.bind().stroke.as_ref().map(|it| it.line.clone());
            let overlay = Overlay::new(&weighed, weights, &panel);
            overlay.draw(control.clone(), mouse, marked.as_deref());
            overlay.draw_line(control, &line.unwrap_or_default(), mouse);
        }
    }

    #[func(gd_self)]
    fn forward_canvas_gui_input(this: Gd<Self>, event: Option<Gd<InputEvent>>) -> bool {
        event.is_some_and(|event| Self::take(this, event))
    }
}

#[godot_api]
impl TendonWeightsPlugin {
    /// The polygon or a bone of the stroke has left the tree.
    #[func(gd_self)]
    fn on_held_leaves(this: Gd<Self>) {
        Self::cancel(this);
    }

    #[func(gd_self)]
    fn on_toggled(mut this: Gd<Self>, is_on: bool) {
        Self::cancel(this.clone());
        let (panel, area) = {
            let mut plugin = this.bind_mut();
            (plugin.panel.take(), plugin.area.take())
        };
        if let Some(panel) = panel.filter(|panel| panel.root.is_instance_valid()) {
            this.remove_control_from_container(SIDE, &panel.root);
            panel.root.free();
        }
        if let Some(area) = area.filter(Gd::is_instance_valid) {
            area.free();
        }
        if is_on {
            let panel = Panel::new(&this.clone().upcast());
            this.add_control_to_container(SIDE, &panel.root);
            this.bind_mut().panel = Some(panel);
            this.bind_mut().opening = OPENING;
        }
        Self::refresh(this);
    }

    /// Nothing is under the mouse any more.
    #[func(gd_self)]
    fn on_mouse_exited(mut this: Gd<Self>) {
        this.bind_mut().mouse = None;
        this.update_overlays();
    }

    /// The mouse acts over the viewport, before the editor's own tools get to know.
    #[func(gd_self)]
    fn on_area_input(this: Gd<Self>, event: Gd<InputEvent>) {
        let area = this.bind().area.clone();
        let button = event.clone().try_cast::<InputEventMouseButton>();
        let is_taken = Self::take(this.clone(), event);
        // With its right button the editor removes a point.
        let would_remove = |button: Gd<InputEventMouseButton>| {
            button.get_button_index() == MouseButton::RIGHT
                && Self::distances(&this, button.get_position())
                    .into_iter()
                    .any(|(_, distance)| distance <= grab_radius())
        };
        if let Some(mut area) = area.filter(|_| is_taken || button.is_ok_and(would_remove)) {
            area.accept_event();
        }
    }

    /// Another polygon is shown, or it has changed.
    #[func(gd_self)]
    fn refresh(mut this: Gd<Self>) {
        if let Some(panel) = Self::panel(&this) {
            let polygon = Self::polygon(&this);
            let drawn = polygon.as_ref().map(DrawnPolygon::of);
            let weighed = Self::read(&this, polygon);
            panel.show(weighed.as_deref(), selected_polygons().len());
            let mut plugin = this.bind_mut();
            plugin.drawn = drawn;
            plugin.shown = weighed.ok();
        }
        this.update_overlays();
    }

    /// Another bone, brush or colouring is chosen.
    #[func(gd_self)]
    fn on_chosen(this: Gd<Self>) {
        if let Some(panel) = Self::panel(&this) {
            panel.hush();
            panel.show_what_fits();
        }
        this.clone().update_overlays();
    }

    #[func(gd_self)]
    fn on_smooth(this: Gd<Self>) {
        Self::carry_out(this, PanelCommand::Smooth);
    }

    #[func(gd_self)]
    fn on_mirror(this: Gd<Self>) {
        Self::carry_out(this, PanelCommand::Mirror);
    }

    #[func(gd_self)]
    fn on_weigh_again(this: Gd<Self>) {
        Self::carry_out(this, PanelCommand::WeighAgain);
    }

    /// No vertex is marked any more.
    #[func(gd_self)]
    fn on_unmark(mut this: Gd<Self>) {
        this.bind_mut().marked = None;
        Self::hush(&this);
        this.update_overlays();
    }
}

impl TendonWeightsPlugin {
    fn panel(this: &Gd<Self>) -> Option<Panel> {
        let plugin = this.bind();
        let panel = plugin.panel.as_ref();
        panel
            .filter(|panel| panel.root.is_instance_valid())
            .cloned()
    }

    /// Draws again what has moved, and reads again what has changed.
    fn follow(mut this: Gd<Self>) {
        let seen = Self::polygon(&this).map(|polygon| DrawnPolygon::of(&polygon));
        let (is_another, has_changed, has_moved) = {
            let drawn = &this.bind().drawn;
            let (now, before) = (seen.as_ref(), drawn.as_ref());
            let polygon = |seen: &DrawnPolygon| seen.read.polygon;
            (
                now.map(polygon) != before.map(polygon),
                now.map(|it| &it.read) != before.map(|it| &it.read),
                now.map(|it| &it.places) != before.map(|it| &it.places),
            )
        };
        if is_another {
            this.bind_mut().opening = OPENING;
        }
        if has_changed {
            Self::hush(&this);
            Self::refresh(this);
        } else if has_moved {
            this.bind_mut().drawn = seen;
            this.update_overlays();
        }
    }

    /// The polygon that is shown: of those that are selected the one that was chosen with the mouse, or else the first.
    fn polygon(this: &Gd<Self>) -> Option<Gd<Polygon2D>> {
        let subject = this.bind().subject;
        let mut polygons = selected_polygons();
        let chosen = polygons
            .iter()
            .position(|it| Some(it.instance_id()) == subject);
        let index = chosen.unwrap_or(0);
        (index < polygons.len()).then(|| polygons.swap_remove(index))
    }

    /// Reads a polygon.
    ///
    /// # Errors
    /// Returns an error if there is no polygon, or it cannot be read.
    fn read(
        this: &Gd<Self>,
        polygon: Option<Gd<Polygon2D>>,
    ) -> Result<Rc<WeighedPolygon>, Refusal> {
        let polygon = polygon.ok_or(NOTHING)?;
        let last = this.bind().shown.clone();
        let last = last.filter(|last| last.polygon == polygon);
        WeighedPolygon::read(&polygon, last.as_deref()).map(Rc::new)
    }

    /// Closes the engine's panel for polygons that comes with a selection, and not one that the user opens later.
    fn keep_panel_closed(mut this: Gd<Self>) {
        let opening = this.bind().opening;
        if opening > 0 {
            let is_closed = panel::close_polygon_panel(&this.clone().upcast());
            this.bind_mut().opening = if is_closed { 0 } else { opening - 1 };
        }
    }

    fn tell(this: &Gd<Self>, text: &str) {
        if let Some(panel) = Self::panel(this) {
            panel.tell(text);
        }
    }

    fn hush(this: &Gd<Self>) {
        if let Some(panel) = Self::panel(this) {
            panel.hush();
        }
    }

    /// Has an area over `viewport` while the mode is on.
    fn cover(mut this: Gd<Self>, viewport: &Gd<Control>) {
        let is_covered = this.bind().area.as_ref().is_some_and(Gd::is_instance_valid);
        if !is_covered {
            let area = new_area(viewport, &this.clone().upcast());
            this.bind_mut().area = Some(area);
        }
    }

    /// Returns whether an event was for the brush.
    fn take(this: Gd<Self>, event: Gd<InputEvent>) -> bool {
        if this.bind().panel.is_none() {
            return false;
        }
        match ViewportEvent::of(event) {
            Some(ViewportEvent::Motion(motion)) => Self::move_to(this, motion.get_position()),
            Some(ViewportEvent::Press(button)) => Self::press(this, &button),
            Some(ViewportEvent::Release) => Self::release(this),
            Some(ViewportEvent::Cancel) => Self::cancel(this),
            None => false,
        }
    }

    /// Returns the distance of the mouse from each selected polygon, in pixels of the viewport, the one that is shown
    /// first.
    fn distances(this: &Gd<Self>, mouse: Vector2) -> Vec<(Gd<Polygon2D>, f32)> {
        let shown = Self::polygon(this);
        let others = selected_polygons().into_iter();
        let others = others.filter(|other| Some(other) != shown.as_ref());
        let polygons = shown.iter().cloned().chain(others);
        let distances = polygons.filter_map(|polygon| {
            let weighed = Self::read(this, Some(polygon.clone())).ok()?;
            let seen = weighed.seen(&vertices_in_viewport(&polygon))?;
            let distance = seen.nearest(wide(mouse)).distance as f32;
            Some((polygon, distance))
        });
        distances.collect()
    }

    /// The selected polygon that a press is for: the one that is shown, if the mouse is in it; else another one that it is
    /// in, or the nearest that the brush touches.
    fn under(this: &Gd<Self>, mouse: Vector2) -> Option<Gd<Polygon2D>> {
        let reach = Self::panel(this)?.radius().max(grab_radius());
        let distances = Self::distances(this, mouse).into_iter();
        let near = distances.filter(|(_, distance)| *distance <= reach);
        let nearest = near.reduce(|best, next| if next.1 < best.1 { next } else { best });
        nearest.map(|(polygon, _)| polygon)
    }

    /// Shows the polygon that is pressed, if it is another of those that are selected.
    ///
    /// # Errors
    /// That a bone of its skeleton is to be chosen first.
    fn change_over(this: &Gd<Self>, weighed: &WeighedPolygon) -> Result<(), Refusal> {
        let shown = Self::polygon(this).filter(|shown| *shown != weighed.polygon);
        let Some(shown) = shown else { return Ok(()) };
        let has_same_bones = skeleton_of(&shown).as_ref() == Some(&weighed.skeleton);
        this.clone().bind_mut().subject = Some(weighed.polygon.instance_id());
        Self::refresh(this.clone());
        match has_same_bones {
            true => Ok(()),
            false => Err(format!(
                "\"{}\" has another skeleton: its bones are listed now. Choose one, and paint.",
                weighed.polygon.get_name()
            )
            .into()),
        }
    }

    /// The marks of a polygon, if a vertex of it is marked.
    fn marked(this: &Gd<Self>, weighed: &WeighedPolygon) -> Option<Vec<bool>> {
        let plugin = this.bind();
        let (id, marked) = plugin.marked.as_ref()?;
        let is_of_it = *id == weighed.polygon.instance_id()
            && marked.len() == weighed.mesh().vertices.len()
            && marked.contains(&true);
        is_of_it.then(|| marked.clone())
    }

    fn move_to(mut this: Gd<Self>, mouse: Vector2) -> bool {
        this.bind_mut().mouse = Some(mouse);
        // Setting weights has the engine call others: the stroke is not in the plugin meanwhile.
        let stroke = this.bind_mut().stroke.take();
        this.update_overlays();
        let Some(mut stroke) = stroke else {
            return false;
        };
        stroke.follow(mouse);
        this.bind_mut().stroke = Some(stroke);
        true
    }

    /// Begins a stroke at the polygon. Beside it, the click is the editor's.
    fn press(mut this: Gd<Self>, event: &Gd<InputEventMouseButton>) -> bool {
        let mouse = event.get_position();
        let Some((panel, polygon)) = Self::panel(&this).zip(Self::under(&this, mouse)) else {
            return false;
        };
        let Ok(weighed) = Self::read(&this, Some(polygon)) else {
            return false;
        };
        if let Err(reason) = Self::change_over(&this, &weighed) {
            panel.tell(&reason);
            return true;
        }
        let places = vertices_in_viewport(&weighed.polygon);
        if event.is_alt_pressed() {
            let seen = weighed.seen(&places);
            let at = seen.map(|seen| weighed.weights.at(&seen, wide(mouse)));
            at.iter()
                .flatten()
                .take(1)
                .for_each(|&(bone, _)| panel.choose(bone));
            return true;
        }
        let keys = Keys {
            inverts: event.is_command_or_control_pressed(),
            smooths: event.is_shift_pressed(),
        };
        let marked = Self::marked(&this, &weighed);
        let watch = Watch::new(&this, weighed.nodes());
        match Stroke::begin(weighed, watch, &panel, keys, marked, mouse) {
            Ok(stroke) => {
                panel.hush();
                this.bind_mut().mouse = Some(mouse);
                this.bind_mut().stroke = Some(stroke);
                this.update_overlays();
            }
            Err(reason) => panel.tell(&reason),
        }
        true
    }

    fn release(mut this: Gd<Self>) -> bool {
        let stroke = this.bind_mut().stroke.take();
        let Some(stroke) = stroke else {
            return false;
        };
        match stroke.tool {
            Tool::Mark => {
                let marked = (stroke.polygon().instance_id(), stroke.marks());
                this.bind_mut().marked = Some(marked);
            }
            Tool::Cut => {
                let mouse = this.bind().mouse;
                let told = stroke.cut(mouse);
                Self::refresh(this.clone());
                Self::tell(&this, &told.unwrap_or_else(|reason| reason.to_string()));
            }
            _ => {
                if let Err(reason) = stroke.finish() {
                    Self::tell(&this, &reason);
                }
            }
        }
        this.update_overlays();
        true
    }

    fn cancel(mut this: Gd<Self>) -> bool {
        let stroke = this.bind_mut().stroke.take();
        let Some(stroke) = stroke else {
            return false;
        };
        stroke.cancel();
        this.update_overlays();
        true
    }

    fn carry_out(this: Gd<Self>, command: PanelCommand) {
        let Some(panel) = Self::panel(&this) else {
            return;
        };
        let done = Self::read(&this, Self::polygon(&this)).and_then(|weighed| {
            let marked = Self::marked(&this, &weighed);
            command.carry_out(&weighed, &panel, marked.as_deref())
        });
        panel.tell(&done.unwrap_or_else(|reason| reason.to_string()));
        Self::refresh(this);
    }
}

impl DrawnPolygon {
    fn of(polygon: &Gd<Polygon2D>) -> Self {
        let bones = skeleton_of(polygon).map_or(Vec::new(), |it| bones_of(&it));
        let bones = bones.iter().map(|it| (it.instance_id(), it.get_name()));
        Self {
            places: vertices_in_viewport(polygon),
            read: Read {
                polygon: polygon.instance_id(),
                shape: ShapeProperties::of(polygon),
                weights: polygon.get("bones"),
                bones: bones.collect(),
            },
        }
    }
}

/// Says what a command of the menu has done in the panel, if that is open: a message at the bottom of the window would lie on
/// its buttons. Returns whether it is.
pub(crate) fn tell_in_panel(text: &str) -> bool {
    let base = EditorInterface::singleton().get_base_control();
    let root = base
        .map(|base| base.get_tree())
        .and_then(|tree| tree.get_root());
    let plugins = root.map(|root| all_below(&root.upcast()));
    let mut plugins = plugins.into_iter().flatten();
    let open = plugins.find(|it: &Gd<TendonWeightsPlugin>| it.bind().panel.is_some());
    if let Some(plugin) = &open {
        // What is read anew later takes away what was said before.
        TendonWeightsPlugin::refresh(plugin.clone());
        TendonWeightsPlugin::tell(plugin, text);
    }
    open.is_some()
}

/// The polygons that are selected.
fn selected_polygons() -> Vec<Gd<Polygon2D>> {
    let mut polygons = selected::<Polygon2D>();
    polygons.retain(|it| it.is_inside_tree());
    polygons
}

const SIDE: CustomControlContainer = CustomControlContainer::CANVAS_EDITOR_SIDE_LEFT;

/// The tooltip of the toggle.
const HELP: &str = "Weights mode: shows how much each bone moves the selected Polygon2D, and paints it.\n\
    Drag: paints the bone that is chosen in the panel.\n\
    Shift+Drag: smooths. Ctrl+Drag: takes away.\n\
    Alt+Click: chooses the bone that moves this place most.\n\
    Escape or right-click: cancels the stroke.";
