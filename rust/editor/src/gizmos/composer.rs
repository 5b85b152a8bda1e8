//! Draws the rigs and limits that the selected nodes belong to, with the handles of what can be
//! changed.

use std::cell::Cell;

use godot::classes::{EditorInterface, Path2D};
use godot::prelude::*;
use tendon_nodes::engine::space::frame_above;

use crate::gizmos::handle::drag_mapper::DragMapper;
use crate::gizmos::handle::property::{HandleValue, Property};
use crate::gizmos::handle::{HandleKey, HandleLook};
use crate::gizmos::kinds::footholds::FootholdGizmo;
use crate::gizmos::kinds::geometry::{LimbBend, TipEnd};
use crate::gizmos::kinds::{chain, path, reach, shapes};
use crate::gizmos::palette::Palette;
use crate::gizmos::pen::Pen;
use crate::gizmos::shown::{Selected, ShownModifier, ShownRig, as_bone, shown_rigs, skeletons_of};
use crate::gizmos::shown_limits::{Show, ShownLimits, arc_of};
use crate::gizmos::sketch::Sketch;
use crate::gizmos::view::View;
use crate::selection::{is_saved_with, selected_nodes};

/// The transform from the canvas to the 2D viewport.
pub(crate) fn canvas_transform() -> Transform2D {
    let viewport = EditorInterface::singleton().get_editor_viewport_2d();
    viewport.map_or(Transform2D::IDENTITY, |viewport| {
        viewport.get_global_canvas_transform()
    })
}

/// Draws the rigs and limits that the selected nodes belong to; nothing in pose mode.
pub(super) fn compose(palette: &Palette) -> Sketch {
    let selected = selected_nodes();
    let editor = EditorInterface::singleton();
    let is_shown = !selected.is_empty() && !ARE_HIDDEN.get();
    let (true, Some(root)) = (is_shown, editor.get_edited_scene_root()) else {
        return Sketch::default();
    };
    let mut composer = Composer {
        ids: selected.iter().map(Gd::instance_id).collect(),
        root,
        canvas: canvas_transform(),
        scale: editor.get_editor_scale(),
        palette,
        limits: ShownLimits::of_selected(&selected),
        is_animated: selected.iter().all(|node| node.is_class("AnimationPlayer")),
        sketch: Sketch::default(),
    };
    let skeletons = skeletons_of(&selected);
    for rig in shown_rigs(&composer.root) {
        if rig.concerns(&composer.ids, &skeletons) {
            composer.show(&rig);
        }
    }
    composer.show_limits();
    composer.sketch
}

/// Collects what is drawn.
struct Composer<'a> {
    ids: Selected,
    root: Gd<Node>,
    canvas: Transform2D,
    scale: f32,
    palette: &'a Palette,
    limits: ShownLimits,
    /// `true` if only players are selected.
    is_animated: bool,
    sketch: Sketch,
}

impl Composer<'_> {
    fn view(&self, frame: Transform2D) -> View {
        View {
            to_screen: self.canvas * frame,
            scale: self.scale,
        }
    }

    /// A pen for what is seen so, with handles for the properties of `node` if it is given.
    fn pen(&mut self, view: View, node: Option<InstanceId>) -> Pen<'_> {
        Pen {
            view,
            palette: self.palette,
            node,
            sketch: &mut self.sketch,
        }
    }

    fn show(&mut self, rig: &ShownRig) {
        let place = rig.skeleton.get_canvas_transform() * rig.skeleton.get_global_transform();
        let view = self.view(place);
        let (concerned, others): (Vec<_>, Vec<_>) = rig
            .modifiers
            .iter()
            .partition(|modifier| modifier.concerns(&self.ids));
        for modifier in &others {
            chain::draw_bones(&modifier.geometry, true, &mut self.pen(view, None));
            self.show_ends(modifier, view, true);
        }
        for modifier in &concerned {
            self.show_modifier(modifier, view);
            self.limits.add(&modifier.joints, Show::HandlesIfRoom);
        }
        // All limits if the rig as a whole is shown, and otherwise only those of the modifiers; none to who animates.
        if concerned.is_empty() {
            if !self.is_animated {
                self.limits.add(&rig.bones, Show::Faint);
            }
            for modifier in others {
                self.add_node_handles(modifier);
            }
        }
    }

    fn show_ends(&mut self, modifier: &ShownModifier, view: View, is_faint: bool) {
        let colour = self.palette.of_status(modifier.status);
        let pen = &mut self.pen(view, None);
        for end in &modifier.geometry.ends {
            chain::draw_end(end, colour, is_faint, pen);
        }
    }

    /// Shows everything of a modifier, with handles.
    fn show_modifier(&mut self, modifier: &ShownModifier, view: View) {
        let geometry = &modifier.geometry;
        let node = Gd::<Node>::try_from_instance_id(modifier.node).ok();
        let node = node.filter(|node| is_saved_with(&self.root, node));
        let pen = &mut self.pen(view, node.as_ref().map(Gd::instance_id));
        for obstacle in &geometry.obstacles {
            shapes::draw_obstacle(obstacle, modifier.is_penetrated, pen);
        }
        if let Some(limbs) = &geometry.body {
            shapes::draw_body(limbs, pen);
        }
        let Some(end) = geometry.ends.first() else {
            return;
        };
        if let Some(extent) = &geometry.extent {
            reach::draw(extent, pen);
        }
        if let Some((centre, distance)) = geometry.root_reach {
            reach::draw_root(centre, distance, pen);
        }
        chain::draw_bones(geometry, false, pen);
        if let Some(bend) = &geometry.bend {
            draw_bend(bend, end, node.as_ref(), pen);
        }
        let node = pen.node;
        self.show_footholds(modifier, view);
        self.show_ends(modifier, view, false);
        if let Some(path) = &geometry.path {
            let colour = self.palette.of_status(modifier.status);
            path::draw(path, geometry, colour, &mut self.pen(view, node));
        }
        if let Some(path) = modifier.path {
            self.add_point_handles(path);
        }
        self.add_node_handles(modifier);
    }

    /// Shows where the feet of a placement or a gait stand.
    fn show_footholds(&mut self, modifier: &ShownModifier, view: View) {
        if let Some(footholds) = &modifier.geometry.footholds
            && let Ok(node) = Gd::try_from_instance_id(modifier.node)
        {
            let standing = FootholdGizmo {
                footholds,
                node: &node,
                feet: &modifier.others,
                pen: self.pen(view, None),
            };
            standing.draw();
        }
    }

    fn add_node_handles(&mut self, modifier: &ShownModifier) {
        for &node in &modifier.targets {
            self.add_node_handle(node);
        }
    }

    /// Adds a handle for a node, unless it is selected: then it has the editor's own handles.
    fn add_node_handle(&mut self, id: InstanceId) {
        let Ok(node) = Gd::<Node2D>::try_from_instance_id(id) else {
            return;
        };
        let key = HandleKey::of_node(id);
        let is_known = self.sketch.handles.iter().any(|handle| handle.key == key);
        let is_bone = as_bone(&node.clone().upcast()).is_some();
        let is_locked = node.has_meta("_edit_lock_");
        let is_free = !self.ids.contains(&id) && !is_known && !is_bone && !is_locked;
        if !is_free || !is_saved_with(&self.root, &node.clone().upcast()) {
            return;
        }
        let above = node.get_canvas_transform() * frame_above(&node);
        let view = self.view(above);
        let (at, look) = (node.get_position(), (HandleLook::Node, self.palette.bone));
        let (seen, value) = (view.to_screen * at, HandleValue::Position(at));
        self.pen(view, Some(id))
            .handle(key.property, seen, look, value, DragMapper::None);
    }

    /// Adds a handle for each point of a path, unless the path is selected: then it has the editor's
    /// own handles.
    fn add_point_handles(&mut self, id: InstanceId) {
        let Ok(path) = Gd::<Path2D>::try_from_instance_id(id) else {
            return;
        };
        let is_free = !self.ids.contains(&id) && is_saved_with(&self.root, &path.clone().upcast());
        let Some(curve) = path.get_curve().filter(|_| is_free) else {
            return;
        };
        let view = self.view(path.get_canvas_transform() * path.get_global_transform());
        let look = (HandleLook::Knob, self.palette.bone);
        for point in 0..curve.get_point_count() {
            let place = curve.get_point_position(point);
            let (seen, value) = (view.to_screen * place, HandleValue::Position(place));
            let (property, mapper) = (Property::PathPoint(point), DragMapper::Position(view));
            self.pen(view, Some(id))
                .handle(property, seen, look, value, mapper);
        }
    }

    fn show_limits(&mut self) {
        for (limit, show) in std::mem::take(&mut self.limits).in_order() {
            let Some(arc) = arc_of(&limit, |frame| self.view(frame)) else {
                continue;
            };
            let has_handles = match show {
                Show::Faint => false,
                Show::HandlesIfRoom => arc.has_room(),
                Show::Handles => true,
            };
            let has_handles = has_handles && is_saved_with(&self.root, &limit.clone().upcast());
            let is_faint = !has_handles && show != Show::Handles;
            let node = has_handles.then(|| limit.instance_id());
            arc.draw(is_faint, &mut self.pen(arc.view, node));
        }
    }
}

/// Draws to which side a limb bends. Without a pole, the arrow can be clicked.
fn draw_bend(bend: &LimbBend, end: &TipEnd, node: Option<&Gd<Node>>, pen: &mut Pen<'_>) {
    let arrow = chain::draw_bend(bend, end, pen);
    let property = Property::FlipBend;
    if let Some((at, node)) = arrow.zip(node).filter(|_| bend.pole.is_none())
        && let Ok(is_flipped) = node.get(&property.name()).try_to()
    {
        let (look, value) = (
            (HandleLook::Node, pen.palette.bone),
            HandleValue::Switch(is_flipped),
        );
        pen.handle(property, at, look, value, DragMapper::None);
    }
}

thread_local! {
    /// Pose mode hides all gizmos.
    static ARE_HIDDEN: Cell<bool> = const { Cell::new(false) };
}

/// Hides all gizmos, or shows them again.
pub(crate) fn hide(hides: bool) {
    ARE_HIDDEN.set(hides);
}
