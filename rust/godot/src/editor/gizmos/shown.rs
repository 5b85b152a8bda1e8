//! Which rigs and limits are shown: those that the selected nodes belong to.

use std::collections::HashSet;

use godot::classes::{Bone2D, EditorInterface, Skeleton2D};
use godot::prelude::*;
use tendon_solver::Status;

use crate::editor::gizmos::geometry::Geometry;
use crate::editor::gizmos::handle::{Gauge, Handle, Key, Look, Property, Value};
use crate::editor::gizmos::limit_arc::LimitArc;
use crate::editor::gizmos::palette::Palette;
use crate::editor::gizmos::sketch::Sketch;
use crate::editor::gizmos::view::View;
use crate::editor::gizmos::{chain, obstacle, path, reach};
use crate::editor::selection::{end_of, selected_nodes};
use crate::engine::skeleton::skeleton_of_bone;
use crate::nodes::joint_limit::{TendonJointLimit2D, bone_of, displayed, limit_on};
use crate::nodes::rig::{EDITED_RIGS, TendonRig2D};
use crate::plan::Plan;
use crate::plan::chain::TipSource;
use crate::plan::planned_modifier::PlannedModifier;

/// The nodes that are selected.
type Selected = HashSet<InstanceId>;

/// A modifier after the last pass.
struct ShownModifier {
    node: InstanceId,
    status: Status,
    is_penetrated: bool,
    geometry: Geometry,
    /// The bones that it turns.
    joints: Vec<InstanceId>,
    /// The nodes that can be dragged: targets, and the pole.
    targets: Vec<InstanceId>,
    pole: Option<InstanceId>,
    /// Other nodes that it refers to.
    others: Vec<InstanceId>,
}

impl ShownModifier {
    fn of(plan: &Plan, planned: &PlannedModifier) -> Option<Self> {
        let solvable = planned.solvable.as_ref().ok()?;
        let modifier = &plan.rig.modifiers[solvable.index];
        let result = planned.result();
        let bone = |&index: &usize| plan.bones.get(index).id();
        let effectors = planned.effectors.iter();
        let ends = effectors.filter_map(|effector| effector.ends.as_ref().ok());
        let targets = std::iter::once(&solvable.ends).chain(ends);
        let tip = match &solvable.ends.tip {
            TipSource::Node(node) => Some(node.id()),
            TipSource::Bone { .. }
            | TipSource::Child { .. }
            | TipSource::Axis { .. }
            | TipSource::Skeleton => None,
        };
        let source = solvable.source.as_ref().map(|source| source.node.id());
        let others = planned.effectors.iter().map(|effector| effector.id());
        let obstacles = planned.obstacles.iter();
        let others = others.chain(obstacles.map(|obstacle| obstacle.node.id()));
        let path = solvable.path.as_ref().map(|path| path.node.id());
        let others = others.chain(path);
        Some(Self {
            node: planned.node.id(),
            status: result.status,
            is_penetrated: result.penetration > 0.0,
            geometry: Geometry::of(&plan.rig, solvable.index),
            joints: modifier.joints.iter().map(bone).collect(),
            targets: targets
                .filter_map(|ends| Some(ends.target.as_ref()?.node.id()))
                .collect(),
            pole: solvable.pole.as_ref().map(|pole| pole.node.id()),
            others: others.chain(tip).chain(source).collect(),
        })
    }

    /// Whether one of its nodes is selected.
    fn concerns(&self, selected: &Selected) -> bool {
        let own = [self.node];
        let nodes = own.iter().chain(&self.joints).chain(&self.targets);
        let mut nodes = nodes.chain(&self.pole).chain(&self.others);
        nodes.any(|node| selected.contains(node))
    }
}

/// A rig after the last pass.
struct ShownRig {
    rig_node: InstanceId,
    skeleton: Gd<Skeleton2D>,
    bones: Vec<InstanceId>,
    modifiers: Vec<ShownModifier>,
}

impl ShownRig {
    fn of(rig: &Gd<TendonRig2D>) -> Option<Self> {
        let bound = rig.bind();
        let plan = bound.plan()?;
        // Not before a pass has gone through, and not while the base pose is put back.
        plan.to_global?;
        plan.skeleton.alive()?;
        let modifiers = plan.modifiers.iter();
        Some(Self {
            rig_node: rig.instance_id(),
            skeleton: plan.skeleton.gd().clone(),
            bones: plan.bones.iter().map(|bone| bone.id()).collect(),
            modifiers: modifiers
                .filter_map(|modifier| ShownModifier::of(plan, modifier))
                .collect(),
        })
    }

    /// Whether any of it is to be shown.
    fn concerns(&self, selected: &Selected, skeletons: &Selected) -> bool {
        let skeleton = self.skeleton.instance_id();
        selected.contains(&self.rig_node)
            || selected.contains(&skeleton)
            || skeletons.contains(&skeleton)
            || self
                .modifiers
                .iter()
                .any(|modifier| modifier.concerns(selected))
    }
}

/// The rigs of the edited scene.
fn shown_rigs(root: &Gd<Node>) -> Vec<ShownRig> {
    if !root.is_inside_tree() {
        return Vec::new();
    }
    let rigs = root.get_tree().get_nodes_in_group(EDITED_RIGS);
    let rigs = rigs.iter_shared();
    let rigs = rigs.filter_map(|node| node.try_cast::<TendonRig2D>().ok());
    rigs.filter_map(|rig| ShownRig::of(&rig)).collect()
}

/// Whether gizmos are shown when `node` is selected.
pub(super) fn is_shown(node: &Gd<Node>) -> bool {
    if node.clone().try_cast::<TendonJointLimit2D>().is_ok() {
        return true;
    }
    let Some(root) = EditorInterface::singleton().get_edited_scene_root() else {
        return false;
    };
    let selected = HashSet::from([node.instance_id()]);
    let skeletons = skeletons_of(std::slice::from_ref(node));
    let has_limit = as_bone(node).is_some_and(|bone| limit_on(&bone).is_some());
    let mut shown_rigs = shown_rigs(&root).into_iter();
    has_limit || shown_rigs.any(|rig| rig.concerns(&selected, &skeletons))
}

/// How the 2D viewport sees the canvas.
pub(super) fn canvas_transform() -> Transform2D {
    let viewport = EditorInterface::singleton().get_editor_viewport_2d();
    viewport.map_or(Transform2D::IDENTITY, |viewport| {
        viewport.get_global_canvas_transform()
    })
}

fn as_bone(node: &Gd<Node>) -> Option<Gd<Bone2D>> {
    node.clone().try_cast().ok()
}

/// The skeletons whose bones or limits are among `nodes`.
fn skeletons_of(nodes: &[Gd<Node>]) -> Selected {
    let skeletons = nodes.iter().filter_map(|node| {
        let limit = node.clone().try_cast::<TendonJointLimit2D>().ok();
        let bone = as_bone(node).or_else(|| limit.and_then(|limit| bone_of(&limit)))?;
        skeleton_of_bone(&bone).map(|skeleton| skeleton.instance_id())
    });
    skeletons.collect()
}

/// Draws the rigs and limits that the selected nodes belong to.
pub(super) fn compose(palette: &Palette) -> Sketch {
    let selected = selected_nodes();
    let editor = EditorInterface::singleton();
    let (false, Some(root)) = (selected.is_empty(), editor.get_edited_scene_root()) else {
        return Sketch::default();
    };
    let mut composer = Composer {
        ids: selected.iter().map(Gd::instance_id).collect(),
        root,
        canvas: canvas_transform(),
        scale: editor.get_editor_scale(),
        palette,
        limits: Vec::new(),
        sketch: Sketch::default(),
    };
    composer.find_limits(&selected);
    let skeletons = skeletons_of(&selected);
    for rig in shown_rigs(&composer.root) {
        if rig.concerns(&composer.ids, &skeletons) {
            composer.show(&rig);
        }
    }
    composer.show_limits();
    composer.sketch
}

/// How much is shown of a limit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Show {
    Faint,
    /// With handles, where they do not get in each other's way.
    HandlesIfRoom,
    Handles,
}

/// Collects what is drawn.
struct Composer<'a> {
    ids: Selected,
    root: Gd<Node>,
    canvas: Transform2D,
    scale: f32,
    palette: &'a Palette,
    /// Limits to show. The first entry for a limit counts.
    limits: Vec<(Gd<TendonJointLimit2D>, Show)>,
    sketch: Sketch,
}

impl Composer<'_> {
    /// The limits that are selected themselves, or whose bones are.
    fn find_limits(&mut self, selected: &[Gd<Node>]) {
        for node in selected {
            let own = node.clone().try_cast::<TendonJointLimit2D>().ok();
            if let Some(limit) = own.or_else(|| limit_on(&as_bone(node)?)) {
                self.limits.push((limit, Show::Handles));
            }
        }
    }

    fn find_limits_of(&mut self, bones: &[InstanceId], show: Show) {
        let bones = bones.iter().copied();
        let bones = bones.filter_map(|bone| Gd::<Bone2D>::try_from_instance_id(bone).ok());
        let limits = bones.filter_map(|bone| limit_on(&bone));
        self.limits.extend(limits.map(|limit| (limit, show)));
    }

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
            self.find_limits_of(&modifier.joints, Show::HandlesIfRoom);
        }
        // Of a rig as a whole, all limits; beside a modifier, only its own.
        if concerned.is_empty() {
            self.find_limits_of(&rig.bones, Show::Faint);
        }
    }

    fn show_ends(&mut self, modifier: &ShownModifier, view: &View, is_faint: bool) {
        let colour = self.palette.of_status(modifier.status);
        for end in &modifier.geometry.ends {
            chain::draw_end(end, view, colour, is_faint, &mut self.sketch);
        }
    }

    /// Shows all there is of a modifier, with handles.
    fn show_modifier(&mut self, modifier: &ShownModifier, view: &View) {
        for outline in &modifier.geometry.obstacles {
            obstacle::draw(
                outline,
                view,
                self.palette,
                modifier.is_penetrated,
                &mut self.sketch,
            );
        }
        let node = Gd::<Node>::try_from_instance_id(modifier.node).ok();
        let editable = node.filter(|node| self.is_editable(node));
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
            let arrow = chain::draw_bend(bend, end, view, self.palette, &mut self.sketch);
            if let Some((arrow, node)) = arrow.zip(editable).filter(|_| bend.pole.is_none()) {
                self.add_bend_handle(&node, arrow);
            }
        }
        if let Some(motion) = &modifier.geometry.motion {
            motion.draw(node, view, self.palette, &mut self.sketch);
        }
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
        for &node in modifier.targets.iter().chain(&modifier.pole) {
            self.add_node_handle(node);
        }
    }

    /// Whether changes of `node` are saved with the edited scene.
    fn is_editable(&self, node: &Gd<Node>) -> bool {
        let owner = node.get_owner();
        *node == self.root
            || owner
                .is_some_and(|owner| owner == self.root || self.root.is_editable_instance(&owner))
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
        if !is_free || !self.is_editable(&node.clone().upcast()) {
            return;
        }
        let above = node.get_canvas_transform() * above(&node);
        let view = self.view(above);
        let position = node.get_position();
        self.sketch.handle(Handle {
            key,
            at: view.to_screen * position,
            look: Look::Node,
            colour: self.palette.bone,
            value: Value::Place(position),
            gauge: Gauge::Place { view },
        });
    }

    /// Adds the arrow at `at`, which shows to which side a limb bends, as a switch.
    fn add_bend_handle(&mut self, node: &Gd<Node>, at: Vector2) {
        let property = Property::FlipBend;
        let Ok(is_flipped) = node.get(property.name()).try_to() else {
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
            gauge: Gauge::Switch,
        });
    }

    fn show_limits(&mut self) {
        let mut limits = std::mem::take(&mut self.limits);
        let mut seen = HashSet::new();
        limits.retain(|(limit, _)| seen.insert(limit.instance_id()));
        limits.sort_by_key(|&(_, show)| show);
        for (limit, show) in limits {
            let Some(arc) = self.arc_of(&limit) else {
                continue;
            };
            let has_handles = match show {
                Show::Faint => false,
                Show::HandlesIfRoom => arc.has_room(),
                Show::Handles => true,
            };
            let has_handles = has_handles && self.is_editable(&limit.clone().upcast());
            let is_faint = !has_handles && show != Show::Handles;
            let id = limit.instance_id();
            arc.draw(id, has_handles, is_faint, self.palette, &mut self.sketch);
        }
    }

    fn arc_of(&self, limit: &Gd<TendonJointLimit2D>) -> Option<LimitArc> {
        let displayed = displayed(limit)?;
        let bone = displayed.bone;
        let skeleton = skeleton_of_bone(&bone)?;
        let above = above(&bone.clone().upcast());
        let mut at_joint = above;
        at_joint.origin = above * bone.get_position();
        let rotation = bone.get_rotation();
        let end = end_of(&bone);
        // A bone without length points along its X axis.
        let end = if end == Vector2::ZERO {
            Vector2::RIGHT
        } else {
            end
        };
        Some(LimitArc {
            view: self.view(bone.get_canvas_transform() * at_joint),
            in_skeleton: skeleton.get_global_transform().affine_inverse() * above,
            limit: displayed.limit,
            counts: displayed.counts,
            rotation,
            axis: bone.get_transform().basis_xform(end).rotated(-rotation),
        })
    }
}

/// The global transform of the frame that `node` is placed in.
fn above(node: &Gd<Node2D>) -> Transform2D {
    let parent = node.get_parent().filter(|_| !node.is_set_as_top_level());
    let parent = parent.and_then(|parent| parent.try_cast::<Node2D>().ok());
    parent.map_or(Transform2D::IDENTITY, |parent| {
        parent.get_global_transform()
    })
}
