//! New modifiers, each with a target where its tip is or a path along its chain, and the rig if it
//! is missing; new effectors, tips and joint limits.

use godot::classes::{Bone2D, ClassDb, Curve2D, GDScript, Marker2D, Path2D, Skeleton2D};
use godot::prelude::*;
use tendon_nodes::engine::property;
use tendon_nodes::engine::skeleton::has_rest;
use tendon_nodes::nodes::effector::TendonEffector2D;
use tendon_nodes::nodes::joint_limit::limit_on;
use tendon_nodes::nodes::rig::TendonRig2D;
use tendon_nodes::nodes::rig::skeleton::rig_of;
use tendon_nodes::plan::tip::has_unknown_end;

use crate::action::Action;
use crate::modifiers::MenuModifier;
use crate::new_limits::NewLimits;
use crate::path_fit;
use crate::selection::{
    Selection, all_below, all_within, end_of, length_of, parent_bone, places_along,
};

/// A modifier to be made: its class, what its name ends with, and the nodes that it is given.
pub(super) struct NewModifier {
    class: &'static MenuModifier,
    /// The bone that it is named after, if it works on one, and at whose end the target is.
    tip_bone: Option<Gd<Bone2D>>,
    /// Where the tip is in the frame of `tip_bone`.
    pub(super) tip: Vector2,
    pub(super) references: Vec<(&'static str, Gd<Node>)>,
    /// The names of the modifier and of its target, if they are not those of the bone.
    names: Option<[String; 2]>,
    /// Other properties.
    pub(super) settings: Vec<(&'static str, Variant)>,
    /// What to tell the user of these.
    pub(super) notice: Option<String>,
    /// The bones that get a joint limit.
    limited: Vec<Gd<Bone2D>>,
}

impl NewModifier {
    /// A modifier of `class` whose tip is the end of `tip_bone`.
    pub(super) fn new(class: &'static MenuModifier, tip_bone: &Gd<Bone2D>) -> Self {
        Self {
            class,
            tip_bone: Some(tip_bone.clone()),
            tip: end_of(tip_bone),
            names: None,
            references: Vec::new(),
            settings: Vec::new(),
            notice: None,
            limited: Vec::new(),
        }
    }

    /// A modifier of `class` for `root` and all bones below it, or the whole skeleton. Joints that have no limit
    /// get one.
    pub(super) fn body(
        class: &'static MenuModifier,
        property: &'static str,
        root: Option<&Gd<Bone2D>>,
        selection: &Selection,
    ) -> Self {
        let new = Self {
            class,
            tip_bone: None,
            tip: Vector2::ZERO,
            names: None,
            references: Vec::new(),
            settings: Vec::new(),
            notice: None,
            limited: Vec::new(),
        };
        let new = root.map_or(new, |root| Self::new(class, root).with(property, root));
        let bones = match root {
            Some(root) => all_within::<Bone2D>(&root.clone().upcast()),
            None => all_below::<Bone2D>(&selection.skeleton.clone().upcast()),
        };
        let bones = bones.into_iter();
        let joints = bones.filter(|bone| parent_bone(bone).is_some() && has_rest(bone));
        let limited = joints.filter(|bone| limit_on(bone).is_none()).collect();
        Self { limited, ..new }
    }

    /// A modifier of `class` with a script of its own, which has `bones`.
    pub(super) fn scripted(class: &'static MenuModifier, bones: &[Gd<Bone2D>]) -> Self {
        let bones: Array<Gd<Bone2D>> = bones.iter().cloned().collect();
        let script = new_script().to_variant();
        let notice = "The new modifier has a script, which does nothing yet. Click the script symbol \
            beside the node to write it.";
        Self {
            class,
            tip_bone: None,
            tip: Vector2::ZERO,
            names: None,
            references: Vec::new(),
            settings: vec![("script", script), ("bones", bones.to_variant())],
            notice: Some(notice.into()),
            limited: Vec::new(),
        }
    }

    /// With a frequency that suits the length of the chain. A long one at the frequency of a short
    /// one would look stiff.
    pub(super) fn tuned(mut self) -> Self {
        let Some(tip_bone) = self.tip_bone.clone() else {
            return self;
        };
        let tip = tip_bone.get_global_transform() * self.tip;
        let length = length_of(&places_along(&self.chain(&tip_bone), tip));
        let frequency = suitable_frequency(length);
        self.settings.push(("frequency", frequency.to_variant()));
        self.notice = Some(format!(
            "It swings at {frequency:.1} Hz, which suits a chain of {length:.0} px. A lower \
             Frequency is softer."
        ));
        self
    }

    /// Adds `node` as the value of a property.
    pub(super) fn with<T: Inherits<Node>>(mut self, property: &'static str, node: &Gd<T>) -> Self {
        self.references.push((property, node.clone().upcast()));
        self
    }

    /// Called `name`, with a target called `target`.
    pub(super) fn named(mut self, name: String, target: String) -> Self {
        self.names = Some([name, target]);
        self
    }

    /// Adds it to the selection's rig, as one undo step. Returns what to tell the user.
    pub(super) fn add(self, selection: &Selection, title: &str) -> Result<Option<String>, String> {
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
    pub(super) fn add_to(
        &self,
        rig: &Gd<TendonRig2D>,
        selection: &Selection,
        action: &mut Action,
    ) -> Gd<Node> {
        let bone = self.tip_bone.as_ref();
        let of_bone = bone.map_or_else(String::new, |bone| bone.get_name().to_string());
        let [name, target] = self.names.clone().unwrap_or_else(|| {
            let name = new_name(&of_bone, self.class.class);
            [name, format!("{of_bone}Target")]
        });
        let mut modifier = self.class.instantiate();
        modifier.set_name(&name);
        for (property, node) in &self.references {
            modifier.set(*property, &node.to_variant());
        }
        for (property, value) in &self.settings {
            modifier.set(*property, value);
        }
        if let Some(bone) = bone {
            if property::has(&modifier, "target") {
                let target = add_target(bone, self.tip, &target, selection, action);
                modifier.set("target", &target.to_variant());
            }
            if property::has(&modifier, "path_2d") {
                let path = self.add_path(bone, selection, action);
                modifier.set("path_2d", &path.to_variant());
            }
        }
        action.add_child(&rig.clone().upcast(), &modifier);
        modifier
    }

    /// Adds a path along the joints of the chain and its tip as they are now, also beside the
    /// skeleton. A chain that is laid along it looks as before.
    fn add_path(
        &self,
        bone: &Gd<Bone2D>,
        selection: &Selection,
        action: &mut Action,
    ) -> Gd<Path2D> {
        let parent = beside_skeleton(selection);
        let into_parent = into_frame_of(&parent);
        let tip = bone.get_global_transform() * self.tip;
        let places = places_along(&self.chain(bone), tip).into_iter();
        let places: Vec<_> = places.map(|place| into_parent * place).collect();
        let mut path = Path2D::new_alloc();
        path.set_name(&format!("{}Path", bone.get_name()));
        path.set_curve(&curve_along(&places));
        action.add_child(&parent, &path.clone().upcast());
        path
    }

    /// The bones from the first one that it refers to down to `tip`.
    fn chain(&self, tip: &Gd<Bone2D>) -> Vec<Gd<Bone2D>> {
        let root = self.references.first().map(|(_, root)| root.instance_id());
        let mut chain = vec![tip.clone()];
        while let Some(last) = chain.last().filter(|last| Some(last.instance_id()) != root)
            && let Some(parent) = parent_bone(last)
        {
            chain.push(parent);
        }
        chain.reverse();
        chain
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

/// In hertz, for a chain of this length in global pixels. As for a pendulum, it falls with the
/// root of the length: 1 Hz for 540 px, a long tail, and 6 Hz for 15 px, an ear.
fn suitable_frequency(length: f32) -> f32 {
    let frequency = (540.0 / length.max(1.0)).sqrt();
    (10.0 * frequency.clamp(0.5, 6.0)).round() / 10.0
}

/// The template for the engine's dialog, too.
const TEMPLATE: &str = include_str!(concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../addons/tendon/script_templates/TendonCustomModifier2D/modifier.gd"
));

/// Adds a marker called `name` at `tip`, a point of the frame of `bone`: beside the skeleton, so that it moves
/// with the character but with no bone.
fn add_target(
    bone: &Gd<Bone2D>,
    tip: Vector2,
    name: &str,
    selection: &Selection,
    action: &mut Action,
) -> Gd<Marker2D> {
    let parent = beside_skeleton(selection);
    let mut target = Marker2D::new_alloc();
    target.set_name(name);
    let place = bone.get_global_transform() * tip;
    target.set_position(into_frame_of(&parent) * place);
    action.add_child(&parent, &target.clone().upcast());
    target
}

/// A node that moves with the character but with no bone.
fn beside_skeleton(selection: &Selection) -> Gd<Node> {
    let skeleton = selection.skeleton.clone().upcast::<Node>();
    let beside = (skeleton != selection.scene).then(|| skeleton.get_parent());
    beside.flatten().unwrap_or(skeleton)
}

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

/// The rig of `skeleton`, which `action` adds if there is none.
pub(super) fn rig_for(skeleton: &Gd<Skeleton2D>, action: &mut Action) -> Gd<TendonRig2D> {
    rig_of(skeleton).unwrap_or_else(|| {
        let mut rig = TendonRig2D::new_alloc();
        rig.set_name("TendonRig2D");
        action.add_child(&skeleton.clone().upcast(), &rig.clone().upcast());
        rig
    })
}

/// A new node of `class`.
pub(super) fn make(class: &str, name: &str) -> Option<Gd<Node>> {
    let node = ClassDb::singleton().instantiate(class);
    let mut node = node.try_to::<Gd<Node>>().ok()?;
    node.set_name(name);
    Some(node)
}

/// The name of a new modifier of `class` whose last bone is called `bone`.
pub(super) fn new_name(bone: &str, class: &str) -> String {
    let kind = class.strip_prefix("Tendon").unwrap_or(class);
    format!("{bone}{}", kind.strip_suffix("2D").unwrap_or(kind))
}

/// Gives each of `bones` a joint limit, as one undo step. Returns what to tell the user.
pub(super) fn add_limits(
    bones: &[Gd<Bone2D>],
    selection: &Selection,
    title: &str,
) -> Result<Option<String>, String> {
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
) -> Result<(), String> {
    let mut action = Action::begin(title, scene)?;
    let mut tips = Vec::new();
    for bone in bones {
        let mut tip = Marker2D::new_alloc();
        tip.set_name(&format!("{}Tip", bone.get_name()));
        tip.set_position(likely_end_of(bone));
        let tip = tip.upcast::<Node>();
        action.add_child(&bone.clone().upcast(), &tip);
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

/// Where `bone` ends. If neither a child bone nor a length says so: straight ahead, in the
/// direction from the bone above to this one in the rest pose.
fn likely_end_of(bone: &Gd<Bone2D>) -> Vector2 {
    if !has_unknown_end(bone) {
        return end_of(bone);
    }
    let pose = match has_rest(bone) {
        true => bone.get_rest(),
        false => bone.get_transform(),
    };
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
) -> Result<(), String> {
    let mut action = Action::begin(title, &selection.scene)?;
    let mut effector = TendonEffector2D::new_alloc().upcast::<Node>();
    effector.set_name(&format!("{}Effector", bone.get_name()));
    effector.set("tip_bone", &bone.to_variant());
    let name = format!("{}Target", bone.get_name());
    let target = add_target(bone, end_of(bone), &name, selection, &mut action);
    effector.set("target", &target.to_variant());
    action.add_child(modifier, &effector);
    action.select(&[effector]);
    action.commit();
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_chains_swing_slowly() {
        let frequencies = [15.0, 60.0, 300.0, 540.0, 1e6, 0.0].map(suitable_frequency);
        assert_eq!(frequencies, [6.0, 3.0, 1.3, 1.0, 0.5, 6.0]);
    }
}
