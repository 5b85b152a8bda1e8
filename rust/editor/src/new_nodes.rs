//! New modifiers, each with a target where its tip is or a path along its chain, and the rig if it
//! is missing; new effectors, tips and joint limits.

use godot::classes::{Bone2D, Curve2D, GDScript, Path2D};
use godot::prelude::*;
use tendon_nodes::engine::bone_lines::{end_of, parent_bone, places_along};
use tendon_nodes::engine::children::all_below;
use tendon_nodes::engine::property;
use tendon_nodes::engine::skeleton::{has_rest, rest_or_pose};
use tendon_nodes::nodes::effector::new_effector;
use tendon_nodes::nodes::joint_limit::limit_on;
use tendon_nodes::nodes::new_names::name_after;
use tendon_nodes::nodes::rig::TendonRig2D;
use tendon_nodes::nodes::rigging::adding::{add_target, add_tip, beside, rig_for};
use tendon_nodes::nodes::rigging::draft::{Draft, suitable_frequency};
use tendon_nodes::plan::tip::has_unknown_end;

use crate::action::Action;
use crate::modifiers::MenuModifier;
use crate::new_limits::NewLimits;
use crate::path_fit;
use crate::refusal::Refusal;
use crate::selection::{Selection, all_within};

/// A modifier to be made, and what is made with it.
pub(super) struct NewModifier {
    draft: Draft,
    /// The message to the user.
    notice: Option<String>,
    /// The bones that get a joint limit.
    limited: Vec<Gd<Bone2D>>,
    /// The bones at whose ends it gets an effector.
    tips: Vec<Gd<Bone2D>>,
}

impl NewModifier {
    /// The modifier that `draft` describes.
    pub(super) fn of(draft: Draft) -> Self {
        Self {
            draft,
            notice: None,
            limited: Vec::new(),
            tips: Vec::new(),
        }
    }

    /// A body that hangs on `root`, and moves by the ends of `tips`.
    pub(super) fn full_body(root: &Gd<Bone2D>, tips: Vec<Gd<Bone2D>>) -> Self {
        Self {
            tips,
            ..Self::of(Draft::body(root))
        }
    }

    /// A modifier of `class` for `root` and all bones below it, or the whole skeleton. Joints that have no limit
    /// get one.
    pub(super) fn body(
        class: &'static str,
        property: &'static str,
        root: Option<&Gd<Bone2D>>,
        selection: &Selection,
    ) -> Self {
        let draft = match root {
            Some(root) => Draft::at(class, root).with(property, root),
            None => Draft::new(class),
        };
        let bones = match root {
            Some(root) => all_within::<Bone2D>(&root.clone().upcast()),
            None => all_below::<Bone2D>(&selection.skeleton.clone().upcast()),
        };
        let bones = bones.into_iter();
        let joints = bones.filter(|bone| parent_bone(bone).is_some() && has_rest(bone));
        let limited = joints.filter(|bone| limit_on(bone).is_none()).collect();
        Self {
            limited,
            ..Self::of(draft)
        }
    }

    /// A modifier of `class` with a script of its own, which has `bones`.
    pub(super) fn scripted(class: &'static str, bones: &[Gd<Bone2D>]) -> Self {
        let bones: Array<Gd<Bone2D>> = bones.iter().cloned().collect();
        let draft = Draft::new(class).set("script", new_script());
        let notice =
            "Its script does nothing yet. Click the script symbol beside the node to write it.";
        Self {
            notice: Some(notice.into()),
            ..Self::of(draft.set("bones", bones))
        }
    }

    /// A spring for the bones from `root` to `tip`.
    pub(super) fn spring(root: &Gd<Bone2D>, tip: &Gd<Bone2D>) -> Self {
        let draft = Draft::spring(root, tip);
        let length = draft.length();
        let frequency = suitable_frequency(length);
        let notice = format!(
            "It swings at {frequency:.1} Hz, which suits a chain of {length:.0} px. A lower \
             Frequency is softer."
        );
        Self {
            notice: Some(notice),
            ..Self::of(draft)
        }
    }

    /// The modifier itself.
    pub(super) fn draft(&self) -> &Draft {
        &self.draft
    }

    /// Adds it to the selection's rig, as one undo step. Returns what to tell the user.
    pub(super) fn add(self, selection: &Selection, title: &str) -> Result<Option<String>, Refusal> {
        let limits = NewLimits::fit(&self.limited, selection.rig().as_ref());
        let mut action = Action::begin(title, &selection.scene)?;
        limits.add(&mut action);
        let rig = rig_for(&selection.skeleton, &mut action);
        let modifier = self.add_to(&rig, selection, &mut action);
        action.select(&[modifier]);
        action.commit();
        Ok(self.notice.or_else(|| limits.notice()))
    }

    /// Adds it to `rig`, the one of the selection, as a part of an undo step. Returns it.
    fn add_to(
        &self,
        rig: &Gd<TendonRig2D>,
        selection: &Selection,
        action: &mut Action,
    ) -> Gd<Node> {
        let mut modifier = self.draft.instantiate();
        if let Some((bone, tip)) = self.draft.end() {
            if property::has(&modifier, "target") {
                let parent = beside(&selection.skeleton, Some(&selection.scene));
                let target = add_target(&self.draft, &parent, action);
                modifier.set("target", &target.to_variant());
            }
            if property::has(&modifier, "path_2d") {
                let path = self.add_path(bone, tip, selection, action);
                modifier.set("path_2d", &path.to_variant());
            }
        }
        action.add_child(&rig.clone().upcast(), &modifier);
        for tip in &self.tips {
            effector_for(tip, &modifier, selection, action);
        }
        modifier
    }

    /// Adds a path along the joints of the chain and its tip as they are now, also beside the
    /// skeleton. A chain that is laid along it looks as before.
    fn add_path(
        &self,
        bone: &Gd<Bone2D>,
        tip: Vector2,
        selection: &Selection,
        action: &mut Action,
    ) -> Gd<Path2D> {
        let parent = beside(&selection.skeleton, Some(&selection.scene));
        let into_parent = into_frame_of(&parent);
        let tip = bone.get_global_transform() * tip;
        let places = places_along(&self.draft.joints(), tip).into_iter();
        let places: Vec<_> = places.map(|place| into_parent * place).collect();
        let mut path = Path2D::new_alloc();
        path.set_name(&name_after(&bone.get_name().to_string(), "Path"));
        path.set_curve(&curve_along(&places));
        action.add_child(&parent, &path.clone().upcast());
        path
    }
}

/// A script for a custom modifier, which is saved with the scene.
fn new_script() -> Gd<GDScript> {
    let mut script = GDScript::new_gd();
    // What begins so is for the dialog that lists templates.
    let source = TEMPLATE.lines().filter(|line| !line.starts_with("# meta-"));
    script.set_source_code(&(source.collect::<Vec<_>>().join("\n") + "\n"));
    script.reload();
    script
}

/// The template for the engine's dialog, too.
const TEMPLATE: &str = include_str!(concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../addons/tendon/script_templates/TendonCustomModifier2D/modifier.gd"
));

/// From global coordinates to those of the children of `parent`.
fn into_frame_of(parent: &Gd<Node>) -> Transform2D {
    match parent.clone().try_cast::<Node2D>() {
        Ok(parent) => parent.get_global_transform().affine_inverse(),
        Err(_) => Transform2D::IDENTITY,
    }
}

/// A smooth curve along `places`, with few points.
fn curve_along(places: &[Vector2]) -> Gd<Curve2D> {
    let mut curve = Curve2D::new_gd();
    for point in path_fit::fit(places) {
        let added = curve.add_point_ex(point.place).in_(point.incoming);
        added.out(point.outgoing).done();
    }
    curve
}

/// Gives each of `bones` a joint limit, as one undo step. Returns what to tell the user.
pub(super) fn add_limits(
    bones: &[Gd<Bone2D>],
    selection: &Selection,
    title: &str,
) -> Result<Option<String>, Refusal> {
    let limits = NewLimits::fit(bones, selection.rig().as_ref());
    let mut action = Action::begin(title, &selection.scene)?;
    let nodes = limits.add(&mut action);
    action.select(&nodes);
    action.commit();
    Ok(limits.notice_of_wider())
}

/// Gives each of `bones` a marker where the bone ends, as one undo step. Modifiers of `rig` that
/// end with the bone, and have no tip, get it as theirs.
pub(super) fn add_tips(
    bones: &[Gd<Bone2D>],
    rig: Option<&Gd<TendonRig2D>>,
    scene: &Gd<Node>,
    title: &str,
) -> Result<(), Refusal> {
    let mut action = Action::begin(title, scene)?;
    let mut tips = Vec::new();
    for bone in bones {
        let tip = add_tip(bone, likely_end_of(bone), &mut action).upcast::<Node>();
        for modifier in rig.map_or(Vec::new(), |rig| modifiers_ending_with(rig, bone)) {
            action.set(&modifier, "tip", &Variant::nil(), &tip.to_variant());
        }
        tips.push(tip);
    }
    action.select(&tips);
    action.commit();
    Ok(())
}

/// The modifiers of `rig` whose last bone is `bone`, and that have no tip but could.
fn modifiers_ending_with(rig: &Gd<TendonRig2D>, bone: &Gd<Bone2D>) -> Vec<Gd<Node>> {
    let mut modifiers = all_below::<Node>(&rig.clone().upcast());
    modifiers.retain(|node| {
        let ends = MenuModifier::end_bones(node);
        let is_last = ends.is_some_and(|[_, last]| last.as_ref() == Some(bone));
        is_last && property::has(node, "tip") && node.get("tip").is_nil()
    });
    modifiers
}

/// Returns the end of `bone`, in its space. If neither a child bone nor a length tells it: straight ahead, in the
/// direction from the bone above to this one in the rest pose.
fn likely_end_of(bone: &Gd<Bone2D>) -> Vector2 {
    if !has_unknown_end(bone) {
        return end_of(bone);
    }
    let pose = rest_or_pose(bone);
    let ahead = match parent_bone(bone) {
        Some(_) => pose.affine_inverse().basis_xform(pose.origin),
        None => Vector2::RIGHT,
    };
    ahead.try_normalized().unwrap_or(Vector2::RIGHT) * bone.get_length()
}

/// Adds an effector to `modifier`, whose tip is the end of `bone`, with a target there, as one undo
/// step.
pub(super) fn add_effector(
    modifier: &Gd<Node>,
    bone: &Gd<Bone2D>,
    selection: &Selection,
    title: &str,
) -> Result<(), Refusal> {
    let mut action = Action::begin(title, &selection.scene)?;
    let effector = effector_for(bone, modifier, selection, &mut action);
    action.select(&[effector]);
    action.commit();
    Ok(())
}

/// Adds an effector for the end of `bone` to `modifier`, with a target there, as a part of an undo step.
fn effector_for(
    bone: &Gd<Bone2D>,
    modifier: &Gd<Node>,
    selection: &Selection,
    action: &mut Action,
) -> Gd<Node> {
    let mut effector = new_effector(bone).upcast::<Node>();
    let parent = beside(&selection.skeleton, Some(&selection.scene));
    let target = add_target(&Draft::at("TendonEffector2D", bone), &parent, action);
    effector.set("target", &target.to_variant());
    action.add_child(modifier, &effector);
    effector
}
