//! Draws the rigs and limits that the selected nodes belong to, with the handles of what can be
//! changed.

use godot::classes::{EditorInterface, Path2D};
use godot::prelude::*;

use crate::editor::gizmos::footholds::Standing;
use crate::editor::gizmos::gauge::Gauge;
use crate::editor::gizmos::geometry::{Bend, End};
use crate::editor::gizmos::handle::{Handle, Key, Look};
use crate::editor::gizmos::palette::Palette;
use crate::editor::gizmos::property::{Property, Value};
use crate::editor::gizmos::scrub::Scrubbed;
use crate::editor::gizmos::shown::{
    Selected, ShownModifier, ShownRig, as_bone, shown_rigs, skeletons_of,
};
use crate::editor::gizmos::shown_limits::{Show, ShownLimits, arc_of, frame_above};
use crate::editor::gizmos::sketch::Sketch;
use crate::editor::gizmos::view::View;
use crate::editor::gizmos::visibility::are_hidden;
use crate::editor::gizmos::{chain, obstacle, path, reach};
use crate::editor::selection::{is_saved_with, selected_nodes};

/// How the 2D viewport sees the canvas.
pub(super) fn canvas_transform() -> Transform2D {
    let viewport = EditorInterface::singleton().get_editor_viewport_2d();
    viewport.map_or(Transform2D::IDENTITY, |viewport| {
        viewport.get_global_canvas_transform()
    })
}

/// Draws the rigs and limits that the selected nodes belong to; nothing in pose mode.
pub(super) fn compose(palette: &Palette) -> Sketch {
    let selected = selected_nodes();
    let editor = EditorInterface::singleton();
    let is_shown = !selected.is_empty() && !are_hidden();
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
    sketch: Sketch,
}

impl Composer<'_> {
    fn view(&self, frame: Transform2D) -> View {
        View {
            to_screen: self.canvas * frame,
            scale: self.scale,
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
            chain::draw_bones(
                &modifier.geometry,
                &view,
                self.palette,
                true,
                &mut self.sketch,
            );
            self.show_ends(modifier, &view, true);
        }
        for modifier in &concerned {
            self.show_modifier(modifier, &view);
            self.limits.add(&modifier.joints, Show::HandlesIfRoom);
        }
        // All limits if the rig as a whole is shown, and otherwise only those of the modifiers.
        if concerned.is_empty() {
            self.limits.add(&rig.bones, Show::Faint);
            for modifier in others {
                self.add_node_handles(modifier);
            }
        }
    }

    fn show_ends(&mut self, modifier: &ShownModifier, view: &View, is_faint: bool) {
        let colour = self.palette.of_status(modifier.status);
        for end in &modifier.geometry.ends {
            chain::draw_end(end, view, colour, is_faint, &mut self.sketch);
        }
    }

    /// Shows everything of a modifier, with handles.
    fn show_modifier(&mut self, modifier: &ShownModifier, view: &View) {
        self.show_obstacles(modifier, view);
        let node = Gd::<Node>::try_from_instance_id(modifier.node).ok();
        let editable = node.filter(|node| is_saved_with(&self.root, node));
        let Some(end) = modifier.geometry.ends.first() else {
            return;
        };
        let node = editable.as_ref().map(Gd::instance_id);
        if let Some(extent) = &modifier.geometry.extent {
            reach::draw(extent, end, node, view, self.palette, &mut self.sketch);
        }
        chain::draw_bones(
            &modifier.geometry,
            view,
            self.palette,
            false,
            &mut self.sketch,
        );
        if let Some(spring) = &modifier.geometry.spring {
            spring.draw(node, view, self.palette, &mut self.sketch);
        }
        if let Some(bend) = &modifier.geometry.bend {
            self.show_bend(bend, end, editable.as_ref(), view);
        }
        if let Some(motion) = &modifier.geometry.motion {
            motion.draw(node, view, self.palette, &mut self.sketch);
        }
        if let Some(turning) = &modifier.geometry.turning {
            turning.draw(node, view, self.palette, &mut self.sketch);
        }
        if let Some(scrubbed) = Scrubbed::of(modifier.node) {
            let above = self.view(scrubbed.above);
            scrubbed.draw(node, &above, self.palette, &mut self.sketch);
        }
        self.show_footholds(modifier, editable.is_some(), view);
        self.show_ends(modifier, view, false);
        if let Some(path) = &modifier.geometry.path {
            let colour = self.palette.of_status(modifier.status);
            path::draw(
                path,
                &modifier.geometry,
                node,
                view,
                self.palette,
                colour,
                &mut self.sketch,
            );
        }
        if let Some(path) = modifier.path {
            self.add_point_handles(path);
        }
        self.add_node_handles(modifier);
    }

    /// Shows where the feet of a placement or a gait stand.
    fn show_footholds(&mut self, modifier: &ShownModifier, is_editable: bool, view: &View) {
        let node = Gd::<Node>::try_from_instance_id(modifier.node).ok();
        if let (Some(footholds), Some(node)) = (&modifier.geometry.footholds, &node) {
            let standing = Standing {
                footholds,
                node,
                feet: &modifier.others,
                is_editable,
                view,
                palette: self.palette,
            };
            standing.draw(&mut self.sketch);
        }
    }

    fn add_node_handles(&mut self, modifier: &ShownModifier) {
        for &node in modifier.targets.iter().chain(&modifier.pole) {
            self.add_node_handle(node);
        }
    }

    /// Shows the side to which a limb bends. Without a pole, it can be clicked.
    fn show_bend(&mut self, bend: &Bend, end: &End, editable: Option<&Gd<Node>>, view: &View) {
        let arrow = chain::draw_bend(bend, end, view, self.palette, &mut self.sketch);
        if let Some((arrow, node)) = arrow.zip(editable).filter(|_| bend.pole.is_none()) {
            self.add_bend_handle(node, arrow);
        }
    }

    fn show_obstacles(&mut self, modifier: &ShownModifier, view: &View) {
        for outline in &modifier.geometry.obstacles {
            obstacle::draw(
                outline,
                view,
                self.palette,
                modifier.is_penetrated,
                &mut self.sketch,
            );
        }
    }

    /// Adds a handle for a node, unless it is selected: then it has the editor's own handles.
    fn add_node_handle(&mut self, id: InstanceId) {
        let Ok(node) = Gd::<Node2D>::try_from_instance_id(id) else {
            return;
        };
        let key = Key {
            node: id,
            property: Property::Position,
        };
        let is_known = self.sketch.handles.iter().any(|handle| handle.key == key);
        let is_bone = as_bone(&node.clone().upcast()).is_some();
        let is_locked = node.has_meta("_edit_lock_");
        let is_free = !self.ids.contains(&id) && !is_known && !is_bone && !is_locked;
        if !is_free || !is_saved_with(&self.root, &node.clone().upcast()) {
            return;
        }
        let above = node.get_canvas_transform() * frame_above(&node);
        let view = self.view(above);
        let position = node.get_position();
        self.sketch.handle(Handle {
            key,
            at: view.to_screen * position,
            look: Look::Node,
            colour: self.palette.bone,
            value: Value::Position(position),
            gauge: Gauge::None,
        });
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
        for point in 0..curve.get_point_count() {
            let place = curve.get_point_position(point);
            self.sketch.handle(Handle {
                key: Key {
                    node: id,
                    property: Property::PathPoint(point),
                },
                at: view.to_screen * place,
                look: Look::Knob,
                colour: self.palette.bone,
                value: Value::Position(place),
                gauge: Gauge::Position { view },
            });
        }
    }

    /// Adds the arrow at `at`, which shows to which side a limb bends, as a switch.
    fn add_bend_handle(&mut self, node: &Gd<Node>, at: Vector2) {
        let property = Property::FlipBend;
        let Ok(is_flipped) = node.get(&property.name()).try_to() else {
            return;
        };
        self.sketch.handle(Handle {
            key: Key {
                node: node.instance_id(),
                property,
            },
            at,
            look: Look::Node,
            colour: self.palette.bone,
            value: Value::Switch(is_flipped),
            gauge: Gauge::None,
        });
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
            let id = limit.instance_id();
            arc.draw(id, has_handles, is_faint, self.palette, &mut self.sketch);
        }
    }
}
